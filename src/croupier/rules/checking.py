"""Check a whole book before use.

It must compile under every pay table, its parts must fit together, and every clause it cites must exist. The felt,
the prizes, the studies and the conduct are checked here too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from fractions import Fraction
from itertools import product
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from croupier import rulebooks
from croupier.money import MoneyError, parse_cents
from croupier.rules import schema
from croupier.rules.book import Book, matches, registered_readings
from croupier.rules.checking_layout import check_layout
from croupier.rules.checking_lesson import check_lesson
from croupier.rules.citations import Citation, citations, prize_citations, texts_marked
from croupier.rules.conduct import Act, Conduct, Need, fields_of, filled
from croupier.rules.errors import RuleBookError
from croupier.rules.game import Game, choice_id
from croupier.rules.machine import Machine
from croupier.rules.offers import phase_of, phases_of
from croupier.rules.outcomes import OutcomeError
from croupier.rules.prizes import GOES_BY, Prizes, Term
from croupier.rules.schema import WagerId

# Fields of the `open` command. A book's table option must not share a name with one of them.
_OPENING_FIELDS = {"do", "at", "book", "chip", "min", "max", "pay_table", "units", "dice", "limits", "player_max"}
_OPENING_FIELDS |= {"without", "seats", "late", "unit", "as", "who"}


_ID = re.compile(r"[a-z0-9][a-z0-9_-]*")


def check_book(book: Book) -> None:
    """Raise RuleBookError for the first mistake in the book."""
    _check_pay_table(book)
    _check_parts(book)
    games = [Game(book, choices) for choices in all_choices(book.rules.pay_table)]
    _check_machines(book, games)
    _check_patterns(book, games[0])
    _check_clauses(book)
    check_layout(book)
    check_lesson(book)
    check_conduct(book)
    check_prizes(book)
    check_rivals(book)
    check_studies(book, games[0])
    _check_cited(book, book.file, citations(book, games[0]))


def _check_cited(book: Book, file: str, cited: Iterable[Citation]) -> None:
    known = book.citable()
    for citation in cited:
        if citation.clause not in known:
            reason = f"cites {citation.clause}, which is not a clause in this book"
            raise RuleBookError(file, citation.place, reason)


def all_choices(table: schema.PayTable) -> Iterator[dict[str, str]]:
    """Yield the default pay table, then every other option of each choice alone: every line of every column."""
    default = {choice_id(choice): choice.default for choice in table.choices}
    yield default
    for choice in table.choices:
        for option in choice.options:
            if option != choice.default:
                yield {**default, choice_id(choice): option}


def _check_pay_table(book: Book) -> None:
    for choice in book.rules.pay_table.choices:
        where = f"pay_table choice {choice_id(choice)}"
        if choice.default not in choice.options:
            raise RuleBookError(book.file, where, f'the default "{choice.default}" is not one of its options')
        lines = {tuple(sorted(option)) for option in choice.options.values()}
        if len(lines) != 1:
            raise RuleBookError(book.file, where, "its options do not name the same lines")


def _check_throw(book: Book) -> None:
    """Check the time zone, the faces, and the outcome descriptions that are otherwise looked up only at a throw."""
    rules = book.rules
    try:
        ZoneInfo(rules.book.timezone)
    except (ZoneInfoNotFoundError, ValueError):
        raise RuleBookError(book.file, "book.timezone", f'there is no time zone "{rules.book.timezone}"') from None
    words = [face for face in rules.throw.faces if isinstance(face, str)]
    if words and (len(words) < len(rules.throw.faces) or any(len(face) != 1 for face in words)):
        raise RuleBookError(book.file, "throw.faces", "faces must all be numbers, or all be single letters")
    described = [(f"throw.named.{name}", name) for name in rules.throw.named]
    described += [("lights", light.result) for light in rules.lights]
    if rules.thrower is not None and rules.thrower.passes is not None:
        described.append(("thrower.passes", rules.thrower.passes.on))
    for where, description in described:
        try:
            book.outcomes.matching(description)
        except (OutcomeError, RecursionError) as reason:
            raise RuleBookError(book.file, where, str(reason) or "describes itself") from None
    if rules.thrower is not None and rules.thrower.void_limit is not None and not rules.thrower.wagers:
        raise RuleBookError(book.file, "thrower.void_limit", "counts void throws towards a wager, but names no wager")


def _check_parts(book: Book) -> None:
    _check_throw(book)
    for name in [book.id, *book.wagers, *book.phases]:
        if not _ID.fullmatch(name):
            raise RuleBookError(book.file, "id", f'"{name}" is not an id: use lower-case letters, digits, - and _')
    if book.id in rulebooks.ids() and book.source.path != rulebooks.folder(book.id):
        raise RuleBookError(book.file, "book.id", f'the package has a book called "{book.id}" already')
    twice = [*_twice("wagers", [w.id for w in book.rules.wagers]), *_twice("phases", [p.id for p in book.rules.phases])]
    for where, reason in twice:
        raise RuleBookError(book.file, where, reason)
    for where, phase in _phases_named(book):
        if phase not in book.phases:
            raise RuleBookError(book.file, where, f'names a phase "{phase}" that does not exist')
    parts = [("thrower", book.rules.thrower), *((f"wager {wager.id}", wager) for wager in book.rules.wagers)]
    for where, part in parts:
        for wager_id, place in texts_marked(WagerId, part, where):
            if wager_id not in book.wagers:
                raise RuleBookError(book.file, place, f'names a wager "{wager_id}" that does not exist')
    for wager in book.rules.wagers:
        _check_wager(book, wager)


def _phases_named(book: Book) -> Iterator[tuple[str, str]]:
    rules = book.rules
    if rules.betting is not None and rules.betting.reopens is not None:
        yield "betting.reopens", rules.betting.reopens.phase
    if rules.thrower is not None and rules.thrower.passes is not None and rules.thrower.passes.phase is not None:
        yield "thrower.passes", rules.thrower.passes.phase.phase
    for phase in rules.void.invalidated.restarts if rules.void.invalidated is not None else []:
        yield "void.invalidated.restarts", phase
    for wager in rules.wagers:
        for pick in book.picks(wager):
            taken = (phase_of(condition, pick) for condition in wager.take)
            for phase in (*phases_of(wager, pick), *filter(None, taken)):
                yield f"wager {wager.id}", phase


def _check_wager(book: Book, wager: schema.Wager) -> None:
    where = f"wager {wager.id}"
    if wager.fixed_stake is not None:
        if wager.fixed_stake.option in _OPENING_FIELDS:
            say = f'the option "{wager.fixed_stake.option}" has the name of another field of `open`'
            raise RuleBookError(book.file, where, say)
        try:
            parse_cents(wager.fixed_stake.default)
        except MoneyError as reason:
            raise RuleBookError(book.file, where, f"fixed_stake.default: {reason}") from None
    if wager.commission is not None:
        try:
            rate = Fraction(wager.commission.rate)
        except (ValueError, ZeroDivisionError):
            rate = Fraction(-1)
        if not 0 <= rate <= 1:
            raise RuleBookError(book.file, where, f'"{wager.commission.rate}" is not a commission rate')
    if wager.multiple is not None and wager.multiple.chips < 1:
        raise RuleBookError(book.file, where, "a multiple must be at least one chip")
    for pick in book.picks(wager):
        if isinstance(pick, tuple) and list(pick) != sorted(set(pick)):
            raise RuleBookError(book.file, where, f"the pick {list(pick)} is not in ascending order")


def _check_patterns(book: Book, game: Game) -> None:
    """Refuse a condition on states that do not exist."""
    for where, states, condition in _conditions(book, game):
        for pattern in [*condition.is_, *condition.not_]:
            if not any(matches((pattern,), state) for state in states):
                raise RuleBookError(book.file, where, f'"{pattern}" is not a known state')


def _conditions(book: Book, game: Game) -> Iterator[tuple[str, set[str], schema.Condition | schema.PhaseIs]]:
    phase_states = {phase: set(machine.table) for phase, machine in book.phase_machines.items()}
    rules = book.rules
    if rules.betting is not None and rules.betting.reopens is not None:
        yield "betting.reopens", phase_states[rules.betting.reopens.phase], rules.betting.reopens
    if rules.thrower is not None and rules.thrower.passes is not None and rules.thrower.passes.phase is not None:
        yield "thrower.passes", phase_states[rules.thrower.passes.phase.phase], rules.thrower.passes.phase
    for wager in rules.wagers:
        where = f"wager {wager.id}"
        if wager.sleeps is not None:
            yield f"{where}, sleeps", phase_states[wager.sleeps.when.phase], wager.sleeps.when
        for condition in [*wager.place, *wager.take]:
            states: set[str] = set()  # over all picks
            for pick in book.picks(wager):
                named = phase_of(condition, pick)
                states |= phase_states[named] if named else set(game.machine(wager.id, pick).table)
            yield where, states, condition


def _check_machines(book: Book, games: list[Game]) -> None:
    for machine in (machine for game in games for machine in game.machines()):
        _check_decided(book, machine)
    _check_lines_used(book, games[0])


def _check_decided(book: Book, machine: Machine) -> None:
    """Refuse a state from which the wager can never be decided."""
    ends = {state for state, entries in machine.table.items() if any(entry.decides for entry in entries)}
    for state in machine.table:
        if not ends & set(machine.reachable([state])):
            raise RuleBookError(book.file, f"wager {machine.wager}", f'can never be decided from the state "{state}"')


def _check_lines_used(book: Book, game: Game) -> None:
    entries = [entry for machine in game.machines() for row in machine.table.values() for entry in row]
    used = {line for entry in entries for line in entry.lines}
    for line in game.lines:
        if line not in used:
            raise RuleBookError(book.file, "pay_table", f'no wager is paid by the line "{line}"')


def _check_clauses(book: Book) -> None:
    if not book.clauses:
        raise RuleBookError(book.file, "clauses", "the book has no clauses to cite")
    known = registered_readings() | {reading.id for reading in book.readings}
    for number, clause in [*book.clauses.items(), *book.definitions.items()]:
        where = f"clause {number}"
        if clause.class_ == "physical" and not clause.reason:
            raise RuleBookError(book.file, where, "a physical clause needs a reason")
        if clause.class_ == "shown" and not clause.moment:
            raise RuleBookError(book.file, where, "does not say at which moment it is shown")
        for reading in clause.readings:
            if reading not in known:
                raise RuleBookError(book.file, where, f"names a reading {reading} that is not in the register")


# -- checking prizes --------------------------------------------------------------------------------------------------


def check_prizes(book: Book) -> None:
    """Raise RuleBookError for the first mistake in the prizes, if the book has any."""
    if book.prizes is None:
        return
    for where, reason in _mistakes_in_prizes(book.prizes):
        raise RuleBookError(book.prizes_file, f"prizes, {where}", reason)
    _check_cited(book, book.prizes_file, prize_citations(book.prizes))


def _mistakes_in_prizes(prizes: Prizes) -> Iterator[tuple[str, str]]:
    lists = {
        "kinds": [kind.id for kind in prizes.kinds],
        "terms": [term.id for term in prizes.terms],
        "prohibited": [row.id for row in prizes.prohibited],
        "things of prohibited": prizes.things,
        "payment.forms": [form.id for form in prizes.payment.forms],
        "winners.ways": [way.id for way in prizes.winners.ways],
    }
    for where, ids in lists.items():
        yield from _twice(where, ids)
    for term in prizes.terms:
        yield from _term(prizes, term)
    for kind in prizes.alternative.except_:
        if kind not in prizes.kinds_by_id:
            yield "alternative.except", f'names a kind "{kind}" that does not exist'
    for name, (of, value) in GOES_BY.items():
        found = prizes.terms_by_id.get(name)
        if found is None or (found.of, found.value) != (of, value):
            yield "terms", f'there must be a term "{name}" of each {of}, and it is {value}'
    yield from _figures(prizes)


def _term(prizes: Prizes, term: Term) -> Iterator[tuple[str, str]]:
    where = f"term {term.id}"
    for kind in term.kinds:
        if kind not in prizes.kinds_by_id or term.of != "prize":
            yield where, f'names a kind "{kind}" that does not exist, or is not a term of prizes'
    if term.when is not None:
        other = prizes.terms_by_id.get(term.when)
        if other is None or other.value != "yes or no" or other.of != term.of:
            yield where, f'waits for "{term.when}", which is not a yes-or-no term of the same scope'


def _figures(prizes: Prizes) -> Iterator[tuple[str, str]]:
    amounts = {
        "scrutineer.above": prizes.scrutineer.above,
        "payment.winner_chooses_above": prizes.payment.winner_chooses_above,
        "refusals.keep_above": prizes.refusals.keep_above,
    }
    for where, text in amounts.items():
        try:
            parse_cents("0.00" if text is None else text)
        except MoneyError as error:
            yield where, str(error)
    counts = {
        "filing.hours_before": prizes.filing.hours_before,
        "winners.within_days": prizes.winners.within_days,
        "integrity.within_hours": prizes.integrity.within_hours,
        **{f"prohibited {row.id}": row.above_litres or 0 for row in prizes.prohibited},
    }
    for where, number in counts.items():
        if not 0 <= number <= 10_000:
            yield where, "is not a number from 0 to 10000"
    yield from ((f"prohibited {row.id}", "names nothing") for row in prizes.prohibited if not row.things)


# -- checking studies -------------------------------------------------------------------------------------------------

_FRACTION = re.compile(r"-?[0-9]{1,9}(/[1-9][0-9]{0,8})?")


def check_rivals(book: Book) -> None:
    """Check that the book's own rivals are registered and compile. Raises RuleBookError."""
    registered = _registered(book)
    for name in book.own_rivals:
        if name not in registered and name.split(" ")[0] not in registered_readings():  # or a reading of another book
            raise RuleBookError(book.file, f"rival {name}", "is not in the register of readings")
        game = Game(book.read_as((name,)), {choice_id(c): c.default for c in book.rules.pay_table.choices})
        list(game.machines())


def _registered(book: Book) -> set[str]:
    return {f"{reading.id} {rival.name}" for reading in book.readings for rival in reading.rivals}


def check_studies(book: Book, game: Game) -> None:
    """Raise RuleBookError for the first mistake in the book's own studies."""
    registered = _registered(book)
    for study in book.own_studies:
        where = f"study {study.reading}"
        if study.reading not in registered:
            raise RuleBookError(book.file, where, "is not a rival reading in the register")
        for rival in study.over:
            book.rival(rival)
        _check_wagers(book, game, study, where)
        _check_numbers(book, study, where)


def _check_wagers(book: Book, game: Game, study: schema.Study, where: str) -> None:
    for pattern in study.wagers:
        if not any(matches((pattern,), wager) for wager in book.wagers):
            raise RuleBookError(book.file, where, f'names a wager "{pattern}" that does not exist')
    for part in study.parts:
        if part.wager not in book.wagers or part.pick not in book.picks(book.wagers[part.wager]):
            raise RuleBookError(book.file, where, f'has a part "{part.wager}" that cannot be made that way')
    if study.over:
        return  # its states are those of the rival book
    concerned = [w for w in book.rules.wagers if study.concerns(w)]
    states = {state for w in concerned for pick in book.picks(w) for state in game.machine(w.id, pick).table}
    for pattern in [*study.starts, *(study.voids.leaves if study.voids else [])]:
        if not any(matches((pattern,), state) for state in states):
            raise RuleBookError(book.file, where, f'"{pattern}" is not a known state')


def _check_numbers(book: Book, study: schema.Study, where: str) -> None:
    numbers = [study.rival, study.taken]
    texts = [text for r in numbers for text in (r.odds, r.win, r.lose, r.void, r.part or "0", r.commission)]
    texts += [part.share for part in study.parts]
    for text in [*texts, *([study.voids.share] if study.voids else [])]:
        if not _FRACTION.fullmatch(text):
            raise RuleBookError(book.file, where, f'"{text}" is not a fraction such as "-1/2"')
    if study.parts and sum(Fraction(part.share) for part in study.parts) != 1:
        raise RuleBookError(book.file, where, "its parts do not add up to the whole stake")
    if study.voids is not None and not 0 <= Fraction(study.voids.share) <= 1:
        raise RuleBookError(book.file, where, f'"{study.voids.share}" is not a share of all throws')
    if study.chips is not None and study.chips < 1:
        raise RuleBookError(book.file, where, "a stake is at least one chip")


# -- checking conduct -------------------------------------------------------------------------------------------------

_ACT_ID = re.compile(r"[a-z][a-z0-9_]*")
_ALWAYS_SAID = {"who", "by", "at"}

# Facts that the engine sets, in addition to those set by a book's acts. `*` matches one inserted word, `**` anything.
# A test keeps the list complete.
SET_BY_THE_ENGINE = (
    *("chosen", "set", "missing", "found", "lost", "old set", "old dice"),
    *("reminded *", "declined *", "stood **"),
    *("called by", "thrown by", "thrown at", "rested at", "void called", "running wagers"),
    *("late **", "spoken **", "called on **"),
    *("tokens *", "marker *", "last closing float", "float reported difference"),
    *("float at opening", "float counted at opening", "float counted by at opening"),
    *("area *", "room", "next minimum", "next minimum **", "pay table sign", "pay table sign until"),
    *("table", "opened at", "closed at"),
    *("rules sha256", "rules book", "rules signed", "rules signed by", "rules digest"),
    *("when **", "who **", "dispute *", "most *", "whole *", "day *", "award *", "paid *", "unpaid *"),
    *("patron *", "owing *", "corrected *", "mispayment *", "standing *", "due *", "returned *"),
)

# Commands of every table. An act must not share a name with one of them.
COMMANDS = {"open", "seat", "chips", "leave", "bet", "take", "call", "find", "no_more_bets", "roll", "spin", "void"}
COMMANDS |= {"adopt", "exposure", "cases"}


def check_conduct(book: Book) -> None:
    """Raise RuleBookError for the first mistake in the conduct."""
    conduct = book.conduct
    for where, reason in _mistakes_in_conduct(conduct):
        raise RuleBookError(book.file, f"conduct, {where}", reason)
    for where, grounds in (("mandatory", conduct.mandatory), ("early_grounds", conduct.early_grounds)):
        for ground in grounds:
            if ground not in book.rules.void.grounds:
                raise RuleBookError(book.file, f"conduct, {where}", f"{ground} is not a ground for a void throw")


def _mistakes_in_conduct(conduct: Conduct) -> Iterator[tuple[str, str]]:
    yield from _twice("roles", [role.id for role in conduct.roles])
    yield from _twice("powers", [power.id for power in conduct.powers])
    yield from _twice("acts", [act.id for act in conduct.acts])
    for role in conduct.roles:
        yield from _unknown(f"role {role.id}", role.also, conduct)
    for power in conduct.powers:
        yield from _unknown(f"power {power.id}", [*power.by, *power.refusals], conduct)
        yield from _needs(f"power {power.id}", power.needs)
    for act in conduct.acts:
        yield from _unknown(f"act {act.id}", [*act.by, *act.refusals], conduct)
        yield from _act(f"act {act.id}", act)
    for bar in conduct.bars:
        for name in {*bar.powers} - {power.id for power in conduct.powers} | {*bar.acts} - {*conduct.by_id}:
            yield f"bar {bar.id}", f'bars "{name}", which the book does not have'
    yield from _twice("duties", [duty.id for duty in conduct.duties])
    for duty in conduct.duties:
        if duty.id not in conduct.by_id:
            yield f"duty {duty.id}", "is a duty for which the book has no act"
    for kind in conduct.cases:
        for act_id in (act_id for step in kind.next for act_id in step.acts if act_id not in conduct.by_id):
            yield f"case {kind.id}", f'continues with "{act_id}", for which the book has no act'
    for name in unknown_facts(facts_asked(conduct), [*facts_set(conduct), *SET_BY_THE_ENGINE]):
        yield "needs, lapses, duties and cases", f'test "{name}", which nothing sets'


def _twice(where: str, ids: list[str]) -> Iterator[tuple[str, str]]:
    for name in ids:
        if ids.count(name) > 1:
            yield where, f'"{name}" is written twice'


def _unknown(where: str, roles: Iterable[str], conduct: Conduct) -> Iterator[tuple[str, str]]:
    for role in roles:
        if role not in conduct.role_ids:
            yield where, f'names a role "{role}" that the book does not have'


def _act(where: str, act: Act) -> Iterator[tuple[str, str]]:
    if not _ACT_ID.fullmatch(act.id) or act.id in COMMANDS:
        yield where, f'"{act.id}" is not a name for an act: use lower-case letters and _, and not the name of a command'
    if not act.says or len({frozenset(form) for form in act.forms}) < len(act.forms):
        yield where, "has no phrasing, or two with the same fields"
    said = {field for form in act.forms for field in form}
    texts = [*act.sets, *act.adds, *act.clears, *map(str, act.sets.values()), *map(str, act.adds.values())]
    for field in {field for text in texts for field in fields_of(text)} - said - _ALWAYS_SAID:
        yield where, f"uses {{{field}}}, which no phrasing gives"
    if ("reason" in said) != bool(act.grounds):
        yield where, "a {reason} needs grounds, and grounds need a {reason}"
    for field in set(act.choices) - said:
        yield where, f"has choices for {{{field}}}, which no phrasing gives"
    yield from _needs(where, act.needs)


def _needs(where: str, needs: list[Need]) -> Iterator[tuple[str, str]]:
    yield from _twice(f"{where}, needs", [need.id for need in needs])
    for need in needs:
        asks = [need.is_, need.not_, need.least is not None, need.most is not None, need.minutes is not None]
        about_fact = any(asks) or need.reached
        if (need.fact is None) == (need.check is None) or (need.fact is not None) != about_fact:
            yield f"{where}, need {need.id}", "must either test a fact or name a check"


# -- checking facts ---------------------------------------------------------------------------------------------------


def facts_asked(conduct: Conduct) -> set[str]:
    """Return the facts that needs, lapses, duties and cases test, with `*` in place of words in braces."""
    needs = [need for each in (*(p.needs for p in conduct.powers), *(a.needs for a in conduct.acts)) for need in each]
    asked = [*(need.fact for need in needs), *(lapse.fact for lapse in conduct.lapses)]
    due = [name for duty in conduct.duties for name in (duty.fact, duty.since, *duty.done)]
    fitted = [f"fitted {lapse.fitted}" for lapse in conduct.lapses if lapse.fitted is not None]
    cases = [name for kind in conduct.cases for name in (kind.fact, kind.who, kind.about, kind.since, kind.due)]
    steps = [step.fact for kind in conduct.cases for step in kind.next]
    return {_starred(name) for name in (*asked, *fitted, *due, *cases, *steps) if name}


def facts_set(conduct: Conduct) -> set[str]:
    """Return the facts set at the start or by acts. A word with a fixed list of choices is expanded to each of them."""
    acts = [(act, key) for act in conduct.acts for key in (*act.sets, *act.adds)]
    return {*conduct.facts, *(name for act, key in acts for name in _put(act, key))}


def _put(act: Act, key: str) -> Iterator[str]:
    fields = fields_of(key)
    if any(field not in act.choices for field in fields):
        yield _starred(key)
        return
    for words in product(*(act.choices[field] for field in fields)):
        yield filled(key, dict(zip(fields, words, strict=True)))


def _starred(name: str) -> str:
    return filled(name, dict.fromkeys(fields_of(name), "*"))


def unknown_facts(names: Iterable[str], known: Iterable[str]) -> list[str]:
    """Return the names that match no known name, literally or as a `*` pattern."""
    among = list(known)
    return sorted({name for name in names if not any(_same(name, other) or _same(other, name) for other in among)})


def _same(name: str, pattern: str) -> bool:
    whole = "*" not in name or pattern.endswith("**")  # two patterns match only if they are equal
    return name == pattern or (whole and fnmatchcase(name, pattern))
