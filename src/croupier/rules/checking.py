"""Checks a whole book: it compiles under every pay table, its parts fit together, every clause cited exists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from croupier import rulebooks
from croupier.money import MoneyError, parse_cents
from croupier.rules import schema
from croupier.rules.book import Book, matches, registered_readings
from croupier.rules.checking_conduct import check_conduct
from croupier.rules.checking_layout import check_layout
from croupier.rules.checking_prizes import check_prizes
from croupier.rules.checking_studies import check_rivals, check_studies
from croupier.rules.citations import citations
from croupier.rules.errors import RuleBookError
from croupier.rules.game import Game, choice_id
from croupier.rules.machine import Machine
from croupier.rules.offers import phase_of, phases_of
from croupier.rules.outcomes import OutcomeError

# What a program says when it opens a table; an option of a book must not be called the same.
_OPENING_FIELDS = {"do", "at", "book", "chip", "min", "max", "pay_table", "units", "dice", "limits", "player_max"}
_OPENING_FIELDS |= {"without", "seats", "late", "unit", "as", "who"}


_ID = re.compile(r"[a-z0-9][a-z0-9_-]*")


def check_book(book: Book) -> None:
    """Raise RuleBookError for the first thing that is wrong."""
    _check_pay_table(book)
    _check_parts(book)
    games = [Game(book, choices) for choices in all_choices(book.rules.pay_table)]
    _check_machines(book, games)
    _check_patterns(book, games[0])
    _check_clauses(book)
    check_layout(book)
    check_conduct(book)
    check_prizes(book)
    check_rivals(book)
    check_studies(book, games[0])
    cited = book.citable()
    for citation in citations(book, games[0]):
        if citation.clause not in cited:
            raise RuleBookError(book.file, citation.place, f"cites {citation.clause}, which is no clause of the book")


def all_choices(table: schema.PayTable) -> Iterator[dict[str, str]]:
    """The default pay table, and each other option of each choice by itself: every line of every approved column."""
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
            raise RuleBookError(book.file, where, f'the default "{choice.default}" is none of its options')
        lines = {tuple(sorted(option)) for option in choice.options.values()}
        if len(lines) != 1:
            raise RuleBookError(book.file, where, "its options do not name the same lines")


def _check_throw(book: Book) -> None:
    """What the table will ask for when it is thrown, and every description that only a throw would look up."""
    rules = book.rules
    try:
        ZoneInfo(rules.book.timezone)
    except (ZoneInfoNotFoundError, ValueError):
        raise RuleBookError(book.file, "book.timezone", f'there is no time zone "{rules.book.timezone}"') from None
    words = [face for face in rules.throw.faces if isinstance(face, str)]
    if words and (len(words) < len(rules.throw.faces) or any(len(face) != 1 for face in words)):
        raise RuleBookError(book.file, "throw.faces", "faces are all numbers, or all single letters")
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
            raise RuleBookError(book.file, "id", f'"{name}" is no id: write small letters, digits, - and _')
    if book.id in rulebooks.ids() and book.source.path != rulebooks.folder(book.id):
        raise RuleBookError(book.file, "book.id", f'the package has a book called "{book.id}" already')
    _check_unique(book, "wagers", [wager.id for wager in book.rules.wagers])
    _check_unique(book, "phases", [phase.id for phase in book.rules.phases])
    for where, phase in _phases_named(book):
        if phase not in book.phases:
            raise RuleBookError(book.file, where, f'speaks of a phase "{phase}" that there is not')
    for where, wager_id in _wagers_named(book):
        if wager_id not in book.wagers:
            raise RuleBookError(book.file, where, f'speaks of a wager "{wager_id}" that there is not')
    for wager in book.rules.wagers:
        _check_wager(book, wager)


def _check_unique(book: Book, where: str, ids: list[str]) -> None:
    for name in ids:
        if ids.count(name) > 1:
            raise RuleBookError(book.file, where, f'the id "{name}" is used twice')


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


def _wagers_named(book: Book) -> Iterator[tuple[str, str]]:
    for wager_id in book.rules.thrower.wagers if book.rules.thrower else []:
        yield "thrower.wagers", wager_id
    for wager in book.rules.wagers:
        if wager.flat is not None:
            yield f"wager {wager.id}, behind", wager.flat


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
            raise RuleBookError(book.file, where, f'"{wager.commission.rate}" is no rate of commission')
    if wager.multiple is not None and wager.multiple.chips < 1:
        raise RuleBookError(book.file, where, "a multiple is at least one chip")
    for pick in book.picks(wager):
        if isinstance(pick, tuple) and list(pick) != sorted(set(pick)):
            raise RuleBookError(book.file, where, f"the pick {list(pick)} is not in ascending order")


def _check_patterns(book: Book, game: Game) -> None:
    """A condition that speaks of states must speak of some that there are."""
    for where, states, condition in _conditions(book, game):
        for pattern in [*condition.is_, *condition.not_]:
            if not any(matches((pattern,), state) for state in states):
                raise RuleBookError(book.file, where, f'"{pattern}" is no state that there is')


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
    for game in games:
        for wager in book.rules.wagers:
            for pick in book.picks(wager):
                _check_decided(book, game.machine(wager.id, pick))
    _check_lines_used(book, games[0])


def _check_decided(book: Book, machine: Machine) -> None:
    """From every state some course of the game must end the wager."""
    ends = {state for state, entries in machine.table.items() if any(entry.decides for entry in entries)}
    for state in machine.table:
        if not ends & set(machine.reachable([state])):
            raise RuleBookError(book.file, f"wager {machine.wager}", f'is never decided from the state "{state}" on')


def _check_lines_used(book: Book, game: Game) -> None:
    machines = [game.machine(wager.id, pick) for wager in book.rules.wagers for pick in book.picks(wager)]
    entries = [entry for machine in machines for row in machine.table.values() for entry in row]
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
            raise RuleBookError(book.file, where, "a physical clause has a reason")
        if clause.class_ == "shown" and not clause.moment:
            raise RuleBookError(book.file, where, "does not say at which moment it is shown")
        for reading in clause.readings:
            if reading not in known:
                raise RuleBookError(book.file, where, f"names a reading {reading} that is not in the register")
