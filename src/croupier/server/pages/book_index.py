"""The index of a book for its pages: its clauses, and everything that cites each of them.

Cached, because a book never changes while a house runs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from croupier.documents.markup import Inside, Markup, element, joined
from croupier.rules import schema
from croupier.rules.book import Book
from croupier.rules.citations import citations
from croupier.rules.conduct import PLAYER, Act, Need, Power
from croupier.rules.describing import REFUSALS, any_of, modifiers
from croupier.rules.game import Game
from croupier.rules.shelf import Shelf
from croupier.server.pages.clause_links import Linking, every_clause, wager_address
from croupier.server.pages.machine_rows import RowInWords, phase_rows, wager_rows
from croupier.trace import trace_book

_BRACES = re.compile(r"\{(\w+)\}")

# What the software does about a clause, by its class.
CLASSES = {
    "enforced": "The software decides it.",
    "shown": "The software shows it to people.",
    "recorded": "A person decides it, and the software keeps the record.",
    "physical": "It leaves nothing for software to do.",
}


class Known:
    """A book with everything the pages say about it. `full` is for those who may see PAR sheets."""

    def __init__(self, shelf: Shelf, book_id: str, full: bool) -> None:
        self.shelf = shelf
        self.book = shelf.book(book_id)
        self.game = shelf.game(shelf.terms(book_id))
        self.full = full
        self.clauses = every_clause(self.book)
        self.uses = uses_of(self.book, self.game)
        self.trace = {row.clause: row for row in trace_book(shelf, book_id)}
        self._linking = Linking(shelf, self.book)

    def text(self, text: str, own: str | None = None) -> Markup:
        """Return a text of the rules or the register with its links."""
        return self._linking.text(text, own)


@lru_cache(maxsize=16)
def known(shelf: Shelf, book_id: str, full: bool) -> Known:
    """Return the index of a book."""
    return Known(shelf, book_id, full)


def with_blanks(text: str) -> Markup:
    """Mark the blanks of a sentence that are filled in at the table."""
    parts: list[Inside] = []
    for place, part in enumerate(_BRACES.split(text)):
        parts.append(element("var", part) if place % 2 else part)
    return joined(parts)


def badge(clause: schema.Clause) -> Markup:
    """Return the class of a clause as a badge, in words and not only in colour."""
    return element("span", clause.class_, class_=f"pill {clause.class_}")


# Uses

# Refusals by the engine itself, keyed by the field of the book that has the clause. docs/pipe.md lists the codes.
BY_THE_ENGINE: dict[str, tuple[tuple[str, str], ...]] = {
    "limits.wagers": (("unknown_wager", "The book has no wager of that name."),),
    "limits.minimum": (("stake_below_minimum", "The stake would be below the minimum on the sign."),),
    "limits.maximum": (("stake_above_maximum", "The stake would be above the maximum on the sign."),),
    "limits.unit": (("amount_not_in_units", "The stake is not in the units that the sign states."),),
    "limits.chips": (
        ("not_enough_chips", "The player does not have enough chips."),
        ("amount_not_in_chips", "The amount cannot be laid in the chips of this table."),
        ("amount_not_positive", "A stake must be more than zero."),
    ),
    "pay_table.change_clause": (("wager_locked", "The wager was made under other odds, and takes no more chips."),),
    "betting.clause": (("bets_closed", "The bets are closed until this result is settled."),),
    "card.clause": (("no_player_card", "The player has no valid Player Card of their own."),),
    "throw.faces_clause": (("not_an_outcome", "That cannot be thrown in this game."),),
    "pay_table.clause": (("pay_table_not_permitted", "The book does not permit these odds."),),
    **REFUSALS,
}
# Other uses of a clause, keyed by the field that cites it.
_PLACES = {
    "throw.clause": "The result of a throw is read and announced under it.",
    "throw.faces_clause": "It says what is thrown.",
    "pay_table.clause": "It contains the pay table.",
    "pay_table.change_clause": "The pay table may be changed under it.",
    "pay_table.sign_clause": "A sign announces a change of the pay table under it.",
    "pay_table.choices.clause": "The operator chooses among approved odds under it.",
    "betting.clause": "The bets close under it.",
    "betting.without_clause": "It says what happens to a throw while bets are open.",
    "betting.reopens_clause": "The bets open again under it.",
    "void.clause": "It says what a void throw does to wagers.",
    "void.grounds": "It is a ground on which a throw is void.",
    "void.invalidated.grounds": "It is a ground on which a supervisor invalidates a result.",
    "void.invalidated.clause": "Wagers are refunded under it when a result is invalidated.",
    "thrower.clause": "It says who may be the {thrower}.",
    "thrower.house_clause": "Under it, the {house} throws if no player does.",
    "thrower.passes.clause": "The {thrower}'s turn ends under it.",
    "thrower.keeps_clause": "Under it, the {thrower} may continue.",
    "thrower.void_clause": "It ends the turn of a {thrower} after void throws.",
    "thrower.later_void_clause": "It says who continues after void throws later in a turn.",
    "limits.wagers": "Under it, only the wagers of the book are permitted.",
    "limits.minimum": "The minimum on the sign is set under it.",
    "limits.maximum": "The maximum on the sign is set under it.",
    "limits.unit": "The units on the sign are set under it.",
    "limits.below_found": "It applies to a stake below the minimum that is found after the throw.",
    "limits.above_found": "It applies to a stake above the maximum that is found after the throw.",
    "limits.found": "It applies to a stake on the layout that was not entered.",
    "limits.chips": "It says what wagers are made with.",
    "limits.taking": "Wagers are taken down and reduced under it.",
    "limits.rounding": "It says how to round what chips cannot pay exactly.",
    "card.clause": "From {since} a player needs a valid card under it.",
    "layout": "The layout follows it.",
    "mandatory": "On this ground a throw must be called void.",
    "lapses.clause": "A throw that does not meet its requirements has no result.",
    "early_call": "It requires a void throw to be called before the throw comes to rest.",
}
# Commands of every table, in words.
COMMANDS = {
    "bet": "make a wager",
    "take": "take a wager down",
    "call": "call a wager On or Off",
    "throw": "report a throw",
    "seat": "seat a player",
    "open": "open the table",
    "chips": "hand out chips",
    "leave": "leave the table",
    "find": "find a stake outside the limits",
    "void": "call a throw void",
    "adopt": "change the pay table or the rules",
    "no_more_bets": "close the bets",
}
_ASKED = {"pay_table": COMMANDS["open"], "throw": COMMANDS["throw"]}
_INDEX = re.compile(r"\[\d+\]")


class Refused(msgspec.Struct, frozen=True):
    """A refusal that cites a clause: its code, its sentence, and what it refuses."""

    code: str
    say: str
    what: str


class Done(msgspec.Struct, frozen=True):
    """An act that cites a clause: its wording, and who performs it."""

    act: str
    says: str
    by: str


class Decided(msgspec.Struct, frozen=True):
    """A row that cites a clause, of a wager with a page or of a phase of the table."""

    name: str
    address: str | None
    row: RowInWords


class Uses(msgspec.Struct):
    """All uses of one clause."""

    refusals: list[Refused] = []
    acts: list[Done] = []
    rows: list[Decided] = []
    notes: list[tuple[str, str | None]] = []
    pays: bool = False


def uses_of(book: Book, game: Game) -> dict[str, Uses]:
    """Return the uses of each clause that has any."""
    found = defaultdict[str, Uses](Uses)
    for clause, refused in _refusals(book):
        if refused not in found[clause].refusals:
            found[clause].refusals.append(refused)
    for act in book.conduct.acts:
        done = Done(act.id, act.says[0], any_of(act.by))
        for clause in {act.clause, act.by_clause or act.clause, *(later.clause for later in act.later)}:
            found[clause].acts.append(done)
    for decided in _decided(book, game):
        for clause in decided.row.clauses:
            found[clause].rows.append(decided)
    for wager in book.rules.wagers:
        address = wager_address(book.id, wager.id)
        found[wager.clause].notes.append((f"{wager.name} is described there.", address))
        for say, clause in modifiers(book, wager):
            found[clause].notes.append((f"{wager.name}: {say[0].lower()}{say[1:]}", address))
    for cited in citations(book, game):
        for note in _notes(book, cited.place):
            if note not in found[cited.clause].notes:
                found[cited.clause].notes.append(note)
        found[cited.clause].pays |= cited.place.startswith(("pay_table.clause", "pay_table.choices"))
    return dict(found)


def _decided(book: Book, game: Game) -> Iterator[Decided]:
    for wager in book.rules.wagers:
        for row in wager_rows(game, wager):
            yield Decided(wager.name, wager_address(book.id, wager.id), row)
    for phase in book.rules.phases:
        for row in phase_rows(book, phase):
            yield Decided(phase.name, None, row)


# Refusals


def _refusals(book: Book) -> Iterator[tuple[str, Refused]]:
    for wager in book.rules.wagers:
        yield from _of_conditions(wager)
        for place, known in BY_THE_ENGINE.items():
            clause = _at(wager, place)
            if clause is not None:
                yield from ((clause, Refused(code, say, wager.name)) for code, say in known)
    for place, known in BY_THE_ENGINE.items():
        clause = _at(book.rules, place)
        if clause is not None:
            what = _ASKED.get(place.partition(".")[0], "any wager")
            yield from ((clause, Refused(code, say, what)) for code, say in known)
    betting = book.rules.betting
    if betting is not None and betting.without == "refused":
        yield betting.without_clause, Refused("bets_open", betting.say, COMMANDS["throw"])
    for power in book.conduct.powers:
        what = COMMANDS.get(power.command, power.command)
        yield from _of_needs(power.needs, power.clause, what)
        yield from _not_permitted(power, what)
    for act in book.conduct.acts:
        for clause in dict.fromkeys([act.clause, *(later.clause for later in act.later)]):
            yield from _of_needs(act.needs, clause, act.says[0])
        yield act.by_clause or act.clause, Refused("not_permitted", _for_whom(act), act.says[0])


def _of_conditions(wager: schema.Wager) -> Iterator[tuple[str, Refused]]:
    for condition in wager.place:
        yield condition.clause, Refused(condition.code, condition.say, wager.name)
    for condition in wager.take:
        yield condition.clause, Refused(condition.code, condition.say, f"{wager.name}, taken down")


def _of_needs(needs: list[Need], clause: str | None, what: str) -> Iterator[tuple[str, Refused]]:
    for need in needs:
        cited = need.clause or clause
        if cited is not None:
            yield cited, Refused(need.code, need.say, what)


def _not_permitted(power: Power, what: str) -> Iterator[tuple[str, Refused]]:
    for clause in dict.fromkeys(filter(None, (power.clause, *power.refusals.values()))):
        yield clause, Refused("not_permitted", _for_whom(power), what)
    if PLAYER in power.by and (own := power.own_clause or power.clause) is not None:
        yield own, Refused("not_your_own", "Players act only for themselves.", what)


def _for_whom(one: Act | Power) -> str:
    return f"Only the {' or the '.join(one.by)} may do that."


def _at(part: object, place: str) -> str | None:
    """Return the clause in a field of a part of a book, such as `behind.limit_clause`."""
    for name in place.split("."):
        part = getattr(part, name, None)
    return part if isinstance(part, str) else None


# Notes


def _notes(book: Book, place: str) -> Iterator[tuple[str, str | None]]:
    kind, _, rest = place.partition(" ")
    if kind == "phase" and rest in book.phases:
        yield f"{book.phases[rest].name}: the table remembers it between throws.", None
    elif kind == "role":
        yield f"The {rest.removesuffix('.clause')} is a role in this game.", None
    elif kind == "act" and rest.endswith(".grounds"):
        act = book.conduct.by_id[rest.removesuffix(".grounds")]
        yield f"It is a possible reason for this act: {act.says[0]}.", None
    elif place.startswith(("calls", "lights")):
        yield _heard_or_seen(book, place), None
    elif kind == "prizes,":
        yield _of_prizes(book, rest), None
    else:
        said = _PLACES.get(_INDEX.sub("", place))
        yield from () if said is None else ((_filled(book, said), None),)


# Notes on the parts of a book's rules for prizes.
_PRIZES = {
    "clause": "Promotional prizes are offered under it.",
    "terms_clause": "The terms of a promotion are refused unless they cover every point.",
    "prohibited_clause": "Prizes that the book forbids are refused.",
    "scrutineer": "An expensive prize is drawn only in the presence of a scrutineer.",
    "alternative": "It says which prizes may be exchanged for money.",
    "payment": "It says in which forms a prize of money is paid.",
    "filing": "Terms that are filed too late are refused.",
    "amending": "It sets the conditions for changing terms after the start.",
    "availability": "A promotion starts only when its terms are available to patrons.",
    "winners": "Every attempt to notify a winner is recorded, with its deadline.",
    "refusals": "Denied claims are recorded, with the reason.",
    "disputes": "Disputes about the terms are recorded, with the advice of the right to complain.",
    "integrity": "Postponements and cancellations are recorded, with the deadline for reporting them.",
}


def _of_prizes(book: Book, place: str) -> str:
    part, _, row = place.removesuffix(".clause").partition(" ")
    prizes = book.prizes
    assert prizes is not None
    if part == "terms":
        return f"The terms of a promotion must state {prizes.terms_by_id[row].name}."
    if part == "kinds":
        return f"A prize may be {prizes.kinds_by_id[row].name}."
    if part == "prohibited":
        things = next(each.things for each in prizes.prohibited if each.id == row)
        return f"A prize is refused for what it is or contains: {', '.join(things)}."
    return _PRIZES[part.partition(".")[0]]


def _heard_or_seen(book: Book, place: str) -> str:
    number = int(re.findall(r"\d+", place)[0])
    if place.startswith("calls"):
        call = book.rules.calls[number]
        return f"The {call.by} calls “{call.words}” ({call.moment})."
    light = book.rules.lights[number]
    return f"{light.of} lights show {light.result}."


def _filled(book: Book, said: str) -> str:
    thrower, card = book.rules.thrower, book.rules.card
    if thrower is not None:
        said = said.replace("{thrower}", thrower.title).replace("{house}", thrower.house)
    return said.replace("{since}", f"{card.since:%-d %B %Y}") if card is not None else said
