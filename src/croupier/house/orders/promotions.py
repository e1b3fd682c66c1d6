"""Orders about promotions: created and run by managers, closed to entries by the clock, drawn by the house.

`BY_PLAYERS` lists what players may say, always about themselves; everything else is for managers and operators.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from hashlib import sha256
from itertools import count
from typing import Annotated, Self

import msgspec
from msgspec import Meta

from croupier.contract.requests import Line, Shown
from croupier.house.account_state import Account
from croupier.house.events import DrawCommitted, DrawShown, PlayCounted, PrizesPassedOn, PromotionOpened
from croupier.house.names import STAFF, is_name, promotion_stream
from croupier.house.orders.order import Api, Decided, OfPromotion, Outcome, Scene, not_allowed
from croupier.house.orders.people import MOST_SHOWN
from croupier.house.promotion_state import PromotionState, draw_outcome, passed_on, rules_of
from croupier.house.reporting.tickets import counting_of
from croupier.house.stored_events import StoredEvent
from croupier.prizes import commands, events
from croupier.prizes.decide import decide
from croupier.prizes.evolve import evolve_all
from croupier.prizes.public_draw import SECRET_BYTES, commitment
from croupier.prizes.reading import known_part, read_line
from croupier.prizes.state import Promotion
from croupier.prizes.terms import Entry, Prize, Terms
from croupier.rules.errors import UnknownBook
from croupier.rules.prizes import Prizes
from croupier.rules.shelf import Shelf
from croupier.table.refusals import Refusal

MANAGING = ("manager", "operator")
MOST_SAID = 1000  # characters of a name, an address or a reason
MOST_ENTRIES = 5000  # in one event

# Players' own commands: each is about the player giving it.
BY_PLAYERS = (
    commands.MakeClaim,
    commands.ChooseAlternative,
    commands.UndoAlternative,
    commands.ChooseForms,
    commands.LapseAward,  # declining it
    commands.RaiseDispute,
    commands.NoteDissatisfied,
)


def draw_secret(promotion: str) -> str:
    """Return the name of a draw's secret in the vault, until it is revealed."""
    return f"draw/{promotion}"


def claimant_secret(promotion: str, claim: str) -> str:
    """Return the name of a claimant's personal data in the vault."""
    return f"claimant/{promotion}/{claim}"


class OpenPromotion(OfPromotion, frozen=True, kw_only=True, tag="open_promotion"):
    """Create a promotion: a draft without terms, under the rules of a book. For managers and operators."""

    book: Annotated[str, Meta(max_length=40)]
    title: Shown

    permits = ("manager", "operator")
    api = Api("/promotions", "Create a promotion", {"promotion": "coins", "book": "two-up-nsw-2016", "title": "Coins"})
    creates = True

    def decide(self, scene: Scene) -> Decided:
        if not is_name(self.promotion):
            say = "The name of a promotion can have up to 40 lower-case letters, digits, dots, hyphens and underscores."
            return Refusal("bad_name", say)
        if not self.title.strip() or len(self.title) > MOST_SHOWN or not self.title.isprintable():
            return Refusal("bad_name", f"The title of a promotion must have 1 to {MOST_SHOWN} printable characters.")
        if scene.promotions(self.promotion).is_opened:
            return Refusal("name_taken", f"There is already a promotion called {self.promotion}.")
        if not _knows_prizes(scene.shelf, self.book):
            return Refusal("no_prizes", "No book with that id has rules for promotional prizes.")
        opened = PromotionOpened(self.promotion, self.book, self.title)
        return Outcome({self.stream: [opened]}, _role(scene))


def _knows_prizes(shelf: Shelf, book: str) -> bool:
    try:
        return shelf.book(book).prizes is not None
    except UnknownBook:
        return False


class Personal(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A claimant's name and address. They are stored only in the vault."""

    name: Annotated[str, Meta(min_length=1, max_length=200)]
    address: Annotated[str, Meta(min_length=1, max_length=500)]


class Promote(OfPromotion, frozen=True, kw_only=True, tag="promote"):
    """Send a line about a promotion: its terms, its course, its prizes, claims and disputes.

    What may be said now is in `may` of the promotion. The name and address of a claimant are stored apart from
    everything else.
    """

    line: Line
    personal: Personal | None = None

    permits = ("player", "manager", "operator")  # what each may say is in `_of_whom`
    api = Api(
        "/promotions/{promotion}/lines",
        "Send a line about a promotion",
        {"line": {"do": "tell_winner", "award": 1, "way": "telephone", "reached": True}},
    )

    def decide(self, scene: Scene) -> Decided:
        state = scene.promotions(self.promotion)
        rules = rules_of(scene.shelf, state)
        read = read_line(rules, _numbered(state.promotion, self.line), scene.who)
        if isinstance(read, Refusal):
            return read
        command = _check_names(read) or _of_whom(scene, state.promotion, read)
        if isinstance(command, Refusal):
            return command
        if isinstance(command, commands.TakeEntries):
            refusal = _check_entrants(scene, rules, command.entries)
            if refusal is not None:
                return refusal
        if isinstance(command, commands.DrawPrizes):
            return _draw(scene, state, rules, command)
        if self.personal is not None or isinstance(command, commands.MakeClaim | commands.DenyClaim):
            return _claim(scene, state, rules, command, self.personal)
        unknown = _check_earning(scene, state, command)
        return unknown or _carried_out(scene, state, decide(rules, state.promotion, command, scene.at))

    def impersonal(self) -> Self:
        """Return the order without personal data of claimants, anywhere in it."""
        line = {name: value for name, value in known_part(self.line).items() if _is_impersonal(name, value)}
        return msgspec.structs.replace(self, personal=None, line=line)


_PEOPLE = ("claimant", "patron", "entries")  # fields of a line that name people, by account


def _is_impersonal(name: str, value: object) -> bool:
    """Return whether a field of a line names people only by their accounts."""
    return name not in _PEOPLE or _is_account(value)


def _is_account(value: object) -> bool:
    if isinstance(value, list):
        return all(isinstance(one, dict) and _is_account(one.get("entrant")) for one in value)
    return isinstance(value, str) and is_name(value)


def _role(scene: Scene) -> str | None:
    """Return the role of the house that the person acts in: the books have no titles for this."""
    return next((role for role in (*MANAGING, "player") if role in scene.asker.roles), None)


def _numbered(promotion: Promotion, line: dict[str, object]) -> dict[str, object]:
    """Number claims and disputes that come without a name, avoiding names already taken."""
    known: tuple[tuple[str, str, Collection[str]], ...] = (
        ("make_claim", "claim", promotion.claims),
        ("raise_dispute", "dispute", promotion.disputes),
    )
    for do, name, taken in known:
        if line.get("do") == do and name not in line:
            free = (f"{name}-{number}" for number in count(len(taken) + 1))
            return {**line, name: next(one for one in free if one not in taken)}
    return line


def _check_names(command: commands.AnyCommand) -> Refusal | None:
    """Check names: claims and disputes appear in URLs, and people appear in events only by account name."""
    names: Iterable[str] = ()
    match command:
        case commands.MakeClaim():
            names = (command.claim, command.claimant)
        case commands.RaiseDispute():
            names = (command.dispute, command.patron)
        case commands.TakeEntries():
            names = (entry.entrant for entry in command.entries if entry.entrant)
    if all(map(is_name, names)):
        return None
    say = "Use account names for people, and up to 40 lower-case letters, digits and hyphens for claims and disputes."
    return Refusal("bad_name", say)


def _check_earning(scene: Scene, state: PromotionState, command: commands.AnyCommand) -> Refusal | None:
    """Check that filed terms earn entries on existing wagers and tables; otherwise no one could ever earn one."""
    match command:
        case commands.FileTerms():
            earning = state.promotion.terms.earning
        case commands.AmendTerms():
            earning = command.terms.earning
        case _:
            earning = None
    if earning is None:
        return None
    wagers = scene.shelf.book(state.book).wagers
    if all(wager in wagers for wager in earning.wagers) and all(_is_table(scene, name) for name in earning.tables):
        return None
    say = "Entries can be earned only on wagers of the book, at tables of the house."
    return Refusal("unknown_play", say, rules_of(scene.shelf, state).clause_of("eligibility"))


def _is_table(scene: Scene, name: str) -> bool:
    return is_name(name) and scene.tables(name).is_set


# Permissions


def _of_whom(scene: Scene, promotion: Promotion, command: commands.AnyCommand) -> commands.AnyCommand | Refusal:
    """Check who gives the command: managers may say everything, players only what concerns themselves."""
    person = scene.asker.person
    if not scene.asker.roles.isdisjoint(MANAGING):
        return command if is_within(command) else _too_long()
    if not isinstance(command, BY_PLAYERS):
        return not_allowed()
    match command:
        case commands.MakeClaim(claimant=whose) | commands.RaiseDispute(patron=whose):
            own = whose == person
        case commands.ChooseAlternative() | commands.UndoAlternative() | commands.ChooseForms():
            award = promotion.award(command.award)
            own = award is not None and award.entrant == person
        case commands.LapseAward():
            award = promotion.award(command.award)
            own = command.declined and award is not None and award.entrant == person
        case commands.NoteDissatisfied():
            dispute = promotion.disputes.get(command.dispute)
            own = dispute is not None and dispute.patron == person
    if not own:
        return Refusal("not_your_own", "You can act only on your own awards, claims and disputes.")
    return command if is_within(command) else _too_long()


def is_within(command: commands.AnyCommand) -> bool:
    """Return whether all texts of a command are within the length limit."""
    said = (getattr(command, name) for name in command.__struct_fields__)
    return all(len(each) <= MOST_SAID for each in said if isinstance(each, str))


def _too_long() -> Refusal:
    return Refusal("too_long", f"A text about a promotion can have at most {MOST_SAID:,} characters.")


# Carrying out


def _carried_out(
    scene: Scene,
    state: PromotionState,
    decision: tuple[events.AnyEvent, ...] | Refusal,
    sealed: dict[str, bytes] | None = None,
) -> Decided:
    if isinstance(decision, Refusal):
        return decision
    happened: list[StoredEvent] = [*decision]
    secrets: dict[str, bytes | None] = {}
    after = evolve_all(state.promotion, decision)
    if after.stage == "running" and _announces_other(state, after.terms):
        happened.append(_commit(scene, state, after.terms, secrets))
    return Outcome({promotion_stream(state.name): happened}, _role(scene), secrets, sealed or {})


def _announces_other(state: PromotionState, terms: Terms) -> bool:
    return (announced_prizes(terms), terms.one_prize_each) != (state.prizes, state.one_prize_each)


def announced_prizes(terms: Terms) -> tuple[str, ...]:
    """Return the prizes to draw, in order, each as often as it is offered."""
    return tuple(announced for prize in terms.prizes for announced in [_announced(prize)] * prize.count)


def _announced(prize: Prize) -> str:
    """Return a prize on one line, as the public record needs it: terms may span several."""
    seen = "".join(letter if letter.isprintable() else " " for letter in str(prize.said.get("nature", "")))
    return f"{prize.id}: {' '.join(seen.split())}"


def _commit(scene: Scene, state: PromotionState, terms: Terms, secrets: dict[str, bytes | None]) -> DrawCommitted:
    """Announce the draw at the start; if prizes are amended later, again with the same secret."""
    if state.commitment:
        digest, key = state.commitment, state.key
    else:
        secret, key = scene.entropy(SECRET_BYTES), scene.entropy(SECRET_BYTES).hex()
        digest = commitment(state.name, secret)
        secrets[draw_secret(state.name)] = secret
    return DrawCommitted(digest, key, announced_prizes(terms), terms.one_prize_each)


# Claimants


def _claim(
    scene: Scene,
    state: PromotionState,
    rules: Prizes,
    command: commands.AnyCommand,
    personal: Personal | None,
) -> Decided:
    """Put name and address into the vault; events hold only a salted digest, so that they cannot be guessed."""
    if not isinstance(command, commands.MakeClaim | commands.DenyClaim):
        return Refusal("not_personal", "A name and address can be sent only with a claim.")
    sealed: dict[str, bytes] = {}
    if personal is not None:
        if max(len(personal.name), len(personal.address)) > MOST_SAID:
            return _too_long()
        salt = scene.entropy(16).hex()
        command = msgspec.structs.replace(
            command, name=personal.name, address=personal.address, seal=seal_of(personal, salt)
        )
        kept = {"name": personal.name, "address": personal.address, "salt": salt}
        sealed[claimant_secret(state.name, command.claim)] = msgspec.json.encode(kept)
    decided = decide(rules, state.promotion, command, scene.at)
    if isinstance(decided, Refusal) or not any(isinstance(event, events.ClaimantNamed) for event in decided):
        sealed = {}
    return _carried_out(scene, state, decided, sealed)


def seal_of(personal: Personal, salt: str) -> str:
    """Return the digest that proves name and address unchanged since they were recorded."""
    return sha256(msgspec.json.encode([salt, personal.name, personal.address])).hexdigest()


# Entries and the draw


class CloseEntries(OfPromotion, frozen=True, kw_only=True, tag="close_entries"):
    """Close the entries of a promotion, after adding those that play has earned; given by the clock.

    `tables` maps the tables whose play was counted to their versions.
    """

    entries: tuple[Entry, ...] = ()
    tables: dict[str, int] = {}  # noqa: RUF012  # a struct copies its defaults

    permits = ("house",)

    def decide(self, scene: Scene) -> Decided:
        state = scene.promotions(self.promotion)
        without = {entry.entrant for entry in self.entries if in_no_draw(scene.accounts(entry.entrant), scene.at)}
        earned = (entry for entry in self.entries if entry.entrant not in without)
        command = commands.CloseEntries(entries=tuple(_named_apart(state.promotion, one) for one in earned))
        decision = decide(rules_of(scene.shelf, state), state.promotion, command, scene.at)
        if isinstance(decision, Refusal):
            return decision
        happened: list[StoredEvent] = []
        counting = counting_of(state.promotion.terms)
        if counting is not None:
            by = (counting.since, counting.until, counting.cents, tuple(sorted(counting.wagers)), counting.minimum)
            happened.append(PlayCounted(self.tables, *by, tuple(sorted(without))))
        for event in decision:
            happened.extend(_in_pieces(event) if isinstance(event, events.EntriesTaken) else [event])
        return Outcome({promotion_stream(state.name): happened})


def in_no_draw(account: Account, at: datetime) -> bool:
    """Return whether a person is barred from draws: staff, and people excluded from play (reading X-41)."""
    return not account.roles.isdisjoint(STAFF) or account.may_not_play(at)


def _check_entrants(scene: Scene, rules: Prizes, entries: tuple[Entry, ...]) -> Refusal | None:
    """Check that entries taken by hand belong to account holders who may be in a draw."""
    clause = rules.clause_of("eligibility")
    for person in dict.fromkeys(entry.entrant for entry in entries):
        if not is_name(person) or not scene.accounts(person).is_open:
            return Refusal("unknown_entrant", "An entrant must have an account.", clause)
        if in_no_draw(scene.accounts(person), scene.at):
            say = f"{person} is a member of staff or excluded from play, and cannot take part in a draw."
            return Refusal("not_in_a_draw", say, clause)
    return None


def _named_apart(promotion: Promotion, entry: Entry) -> Entry:
    """Rename an earned entry if one taken by hand has the same name."""
    name = entry.id
    while name in promotion.entries:
        name += "+"
    return entry if name == entry.id else msgspec.structs.replace(entry, id=name)


def _in_pieces(taken: events.EntriesTaken) -> list[events.EntriesTaken]:
    """Split very many entries into several events, so that none is too large to be read at once."""
    entries, step = taken.entries, MOST_ENTRIES
    return [
        msgspec.structs.replace(taken, entries=entries[start : start + step]) for start in range(0, len(entries), step)
    ]


def _draw(scene: Scene, state: PromotionState, rules: Prizes, command: commands.DrawPrizes) -> Decided:
    """Draw the prizes, or redraw failed awards: the winners follow from the secret and the entries alone."""
    promotion = state.promotion
    untimely = decide(rules, promotion, command, scene.at)  # first: computing the draw of very many entries is slow
    if isinstance(untimely, Refusal) and untimely.code != "no_outcome":
        return untimely
    if not promotion.entries:
        say = "There are no entries; close the promotion without a draw."
        return Refusal("nothing_to_draw", say, rules.clause_of("manner"))
    secret = bytes.fromhex(state.secret) if state.secret else scene.secret(draw_secret(state.name))
    if secret is None:
        say = "The secret of the draw is not in this store: the draw can only be cancelled."
        return Refusal("secret_missing", say, rules.integrity.clause)
    outcome = _outcome(state, rules, secret, command)
    decision = outcome if isinstance(outcome, Refusal) else decide(rules, promotion, outcome, scene.at)
    if isinstance(decision, Refusal):
        return decision
    passed = passed_on(state)
    before: list[StoredEvent] = [PrizesPassedOn(passed)] if passed else []
    if not state.secret:
        before.append(DrawShown(secret.hex()))
    relied_on: dict[str, list[StoredEvent]] = {promotion_stream(state.name): [*before, *decision]}
    forget: dict[str, bytes | None] = {} if state.secret else {draw_secret(state.name): None}
    return Outcome(relied_on, _role(scene), forget)


def _outcome(
    state: PromotionState, rules: Prizes, secret: bytes, command: commands.DrawPrizes
) -> commands.DrawPrizes | Refusal:
    """Return the draw with the winners that are due now, and the prizes without a winner."""
    promotion = state.promotion
    draws, record = draw_outcome(state, secret)
    due = draws[len(promotion.awards) + len(promotion.nobody) :]
    if not due:
        say = "All prizes have been drawn, and no award was given up."
        return Refusal("nothing_to_draw", say, rules.clause_of("manner"))
    ids = [prize.id for prize in promotion.terms.prizes for _ in range(prize.count)]
    entries = list(promotion.entries)
    prizes = [(ids[(one.prize or 1) - 1], one.number) for one in due]
    winners = tuple((prize, entries[number - 1]) for prize, number in prizes if number is not None)
    nobody = tuple(prize for prize, number in prizes if number is None)
    return msgspec.structs.replace(command, winners=winners, nobody=nobody, record=record)
