"""Void throws, and outcomes that a supervisor invalidates: which wagers are returned, stand or are forfeited."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.rules import schema
from croupier.rules.schema import acts_on
from croupier.rules.shelf import Shelf
from croupier.table import commands, events
from croupier.table.checks_and_tokens import in_kind
from croupier.table.refusals import Refusal
from croupier.table.settling import by_sleep, given_back, reopen
from croupier.table.state import Area, Stakes, State, TableView
from croupier.table.thrower import (
    begun,
    lost_with_the_refund,
    next_thrower,
    title,
)
from croupier.table.under_way import is_under_way, moments, note_void_call, outcome_of, result_awaited, search_begun


@acts_on("rules.void")
def void_throw(shelf: Shelf, state: State, command: commands.VoidThrow) -> tuple[events.AnyEvent, ...] | Refusal:
    """Declare a throw void under a clause of the book that voids throws."""
    view = TableView(shelf, state)
    void = view.game.book.rules.void
    refusal = _check_words(view, command) or _check_ground_of_forfeit(void.invalidated, command)
    if refusal is not None:
        return refusal
    if command.reason in void.grounds:
        void_now = void_events(view, command.reason, command.words, _entered_at(view, command))
        return (*void_now, *search_begun(view, command.reason, command.by))
    if void.invalidated is not None and command.reason in void.invalidated.grounds:
        return _invalidate(view, shelf, void.invalidated, command)
    grounds = ", ".join([*void.grounds, *(void.invalidated.grounds if void.invalidated else [])])
    say = f"{command.reason or 'Nothing'} is not a ground for voiding in this book. The grounds are {grounds}."
    return Refusal("not_a_ground", say)


def _entered_at(view: TableView, command: commands.VoidThrow) -> str | None:
    """Return when a void throw was reported in a single command; None where its moments are followed one by one."""
    followed = view.state.settings.manual_dice or is_under_way(view)
    return None if followed or command.by is None or command.at is None else command.at.isoformat()


def _check_words(view: TableView, command: commands.VoidThrow) -> Refusal | None:
    """Check that the throw is called void in the book's words: the usual ones, or others for the reason."""
    call = next((call for call in view.game.book.rules.calls if call.moment == "void"), None)
    if command.words is None or call is None or command.words == call.words:
        return None
    if command.reason in call.also.get(command.words, []):
        return None
    return Refusal("not_the_words", f'The call for this is "{call.words}", not "{command.words}".', call.clause)


def _check_ground_of_forfeit(rules: schema.Invalidation | None, command: commands.VoidThrow) -> Refusal | None:
    """Allow forfeiting on the one ground that provides for it."""
    if not command.forfeit or (rules is not None and rules.forfeits is not None and command.reason == rules.forfeits):
        return None
    clause = rules.clause if rules is not None else None
    return Refusal("no_forfeit", f"Under {command.reason or 'no clause'} no wager is forfeited.", clause)


_NOTHING_THROWN = (
    "Nothing has been thrown, so there is no outcome to invalidate. To clear a wager, have its player take it down, or "
    "refuse it."
)
_NOTHING_LEFT = (
    "No throw is under way, and no result can still be invalidated. Only money can be corrected now: report the wrong "
    "payment and reimburse it."
)
_SETTLED_SINCE = (
    "Wagers have been settled, or money corrected, since that result. Only money can be corrected now: report the "
    "wrong payment and reimburse it."
)


def _invalidate(
    view: TableView, shelf: Shelf, rules: schema.Invalidation, command: commands.VoidThrow
) -> tuple[events.AnyEvent, ...] | Refusal:
    """Invalidate the outcome of the throw under way; without one, the latest settled result, never the next one."""
    from croupier.table.correcting import (  # imported late: it settles results, and imports this module
        Correction,
        is_last_word,
    )

    if result_awaited(view):
        undone = _undone(view, called_outcome(view))
        return _check_forfeit(rules, command, undone) or tuple(_invalidated(view, rules, command, undone))
    if view.state.latest is None:
        return Refusal("no_result", _NOTHING_LEFT if view.state.results else _NOTHING_THROWN, command.reason)
    correction = Correction(shelf, view.state, rules.clause, command.by)
    if not (is_last_word(view.state) and correction.pays_nobody_twice()):
        return Refusal("settled_since", _SETTLED_SINCE, command.reason)

    def invalidated(before: TableView) -> list[events.AnyEvent]:
        undone = _undone(before, correction.wrong)
        return list(_invalidated(before, rules, command, undone, correction.latest.rested_at))

    refusal = _check_forfeit(rules, command, _undone(correction.view, correction.wrong))
    return refusal if refusal is not None else tuple(correction.to_nothing(invalidated))


Undone = list[tuple[Area, Stakes]]


def _check_forfeit(rules: schema.Invalidation, command: commands.VoidThrow, undone: Undone) -> Refusal | None:
    """Refuse to forfeit anything that would not otherwise be refunded."""
    staked = {player for _, stakes in undone for player in stakes}
    for player in command.forfeit:
        if player not in staked:
            return Refusal("nothing_to_forfeit", f"{player} has no wager that this result affects.", rules.clause)
    return None


def _invalidated(
    view: TableView,
    rules: schema.Invalidation,
    command: commands.VoidThrow,
    undone: Undone,
    entered_at: str | None = None,
) -> Iterator[events.AnyEvent]:
    """Refund the wagers that the result concerns, or forfeit those of the players named; others stand (reading X-5)."""
    yield events.OutcomeInvalidated(command.reason, rules.clause, command.forfeit, *moments(view, entered_at))
    for area, stakes in undone:
        lost = {player: stake for player, stake in stakes.items() if player in command.forfeit}
        if lost:
            yield _forfeited(view.state, area, rules.clause, lost)
        refunded = {player: stake for player, stake in stakes.items() if player not in command.forfeit}
        if refunded:
            yield given_back(view.state, area, rules.clause, refunded)
    yield from lost_with_the_refund(view, undone)
    nothing_left = len(view.state.wagers()) == sum(len(stakes) for _, stakes in undone)
    restarted = list(_restarted(view, rules)) if nothing_left else []
    yield from restarted
    if not view.state.bets_open:
        yield from reopen(view, restarted)


def _forfeited(state: State, area: Area, clause: str, stakes: Stakes) -> events.AreaSettled:
    rows = tuple((player, stake.amount, 0, 0) for player, stake in stakes.items())
    lost = events.AreaSettled(*area, "lose", clause, rows)
    return in_kind(state, lost) if state.has_kinds else lost


def _undone(view: TableView, outcome: int | None) -> Undone:
    """Return the wagers that the result decides; without a result, those the throw could decide (reading X-5).

    A wager that a void throw leaves in play is excluded if no result has touched it.
    """
    undone = []
    for area, stakes in view.state.layout.items():
        wager = view.wager_of(area)
        if outcome is None and wager.stands_on_void is not None:
            continue
        entries = view.game_of(area).machine(area.wager, area.pick).table[area.state]
        if any(entry.decides for entry in (entries if outcome is None else [entries[outcome]])):
            # What lies behind a refunded wager goes back with it, asleep or not.
            concerned = by_sleep(view, wager, stakes)[0] if wager.stands_alone else stakes
            if concerned:
                undone.append((area, concerned))
    return undone


def called_outcome(view: TableView) -> int | None:
    """Return the index of the outcome that has been called for the throw under way."""
    return outcome_of(view, view.state.facts.get("result"))


def _restarted(view: TableView, rules: schema.Invalidation) -> Iterator[events.PhaseMoved]:
    for phase in rules.restarts:
        before, start = view.state.phases[phase], view.game.book.phases[phase].start
        if before != start:
            yield events.PhaseMoved(phase, before, start, rules.clause)


@acts_on("wager.stands_on_void")
def void_events(
    view: TableView, reason: str, words: str | None = None, entered_at: str | None = None
) -> Iterator[events.AnyEvent]:
    """Void the throw, as if it never happened; the book says whether wagers stand and whether betting reopens."""
    void, thrower = view.game.book.rules.void, view.game.book.rules.thrower
    by = next_thrower(view)
    wager = _thrown_for(view, by)
    run = _void_run(view, by, wager)
    yield from note_void_call(view, reason)
    call = words or view.call("void")
    yield events.ThrowVoided(reason, call, by, title(view, by), wager, run, *moments(view, entered_at))
    if void.wagers == "returned":
        yield from _returned_on_void(view)
    if thrower is not None and by is not None:
        yield from _house_throws_on(view, thrower, by, run)
    if not view.state.bets_open:
        yield from reopen(view, [])


def _thrown_for(view: TableView, by: str | None) -> str | None:
    """Return the wager with which a player throws, of those that the book requires."""
    rules = view.game.book.rules.thrower
    if rules is None or by is None:
        return None
    return next((a.wager for a, stakes in view.state.layout.items() if a.wager in rules.wagers and by in stakes), None)


def _void_run(view: TableView, by: str | None, wager: str | None) -> int:
    """Return the number of void throws in a row for this wager, this one included; 0 while bets are open (TU-15)."""
    state = view.state
    if view.game.book.rules.betting is not None and state.bets_open:
        return 0
    return state.void_run + 1 if state.void_for == (by, wager) else 1


def _house_throws_on(view: TableView, thrower: schema.Thrower, by: str, run: int) -> Iterator[events.HouseThrowsOn]:
    """Have the house throw in the player's place after the book's limit of void throws in a row."""
    state = view.state
    if thrower.void_limit is None or run < thrower.void_limit or state.house_throws_for is not None:
        return
    spun_for = (area for area, stakes in state.layout.items() if area.wager in thrower.wagers and by in stakes)
    area = next(spun_for, None)
    if area is None:
        return
    clause = thrower.later_void_clause if begun(view, area) else thrower.void_clause
    yield events.HouseThrowsOn(by, area.wager, clause or thrower.clause)


def _returned_on_void(view: TableView) -> Iterator[events.AreaSettled]:
    clause = view.game.book.rules.void.clause
    for area, stakes in view.state.layout.items():
        if view.wager_of(area).stands_on_void is None:
            yield given_back(view.state, area, clause, stakes)
