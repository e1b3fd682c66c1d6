"""A throw: who threw, what it decides area by area, what the table remembers of it, whether betting opens again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from operator import add

import msgspec

from croupier.money import winnings_of_many
from croupier.rules import schema
from croupier.rules.book import holds
from croupier.rules.game import Game
from croupier.rules.machine import Entry
from croupier.rules.outcomes import Faces
from croupier.rules.shelf import Shelf
from croupier.table import commands, events
from croupier.table.evolve import evolve_all
from croupier.table.handing import barred, begun, excluded, holder, lost_with_the_refund, with_the_house
from croupier.table.refusals import Refusal
from croupier.table.state import Area, Stakes, State
from croupier.table.tokens import with_tokens
from croupier.table.under_way import bets_call, is_under_way, lapse, note_void_call, outcome_of, who_threw
from croupier.table.view import TableView
from croupier.table.waiting import lapsed_words


def close_bets(shelf: Shelf, state: State, command: commands.CloseBets) -> tuple[events.AnyEvent, ...] | Refusal:
    """The call that ends the betting, where the book has one."""
    view = TableView(shelf, state)
    betting = view.game.book.rules.betting
    if betting is None:
        return Refusal("no_such_call", "This book does not close the betting by a call.")
    if not state.bets_open:
        return Refusal("bets_closed", "The bets are closed already.", betting.clause)
    return (events.BetsClosed(view.call("bets close"), betting.clause), *lapsed_words(view))


def throw(shelf: Shelf, state: State, command: commands.Throw) -> tuple[events.AnyEvent, ...] | Refusal:
    """Settle every wager that this outcome decides."""
    view = TableView(shelf, state)
    outcome = view.game.book.outcomes.index.get(_plain_faces(command.faces))
    if outcome is None:
        return _not_thrown(view.game)
    betting = view.game.book.rules.betting
    if betting is not None and state.bets_open:
        if betting.without == "refused":
            return Refusal("bets_open", betting.say, betting.without_clause)
        return tuple(void_events(view, betting.without_clause))
    left_out = lapse(view) if state.facts or state.settings.manual_dice else None
    return tuple(void_events(view, left_out) if left_out is not None else outcome_events(view, outcome))


def outcome_events(view: TableView, outcome: int) -> list[events.AnyEvent]:
    """All that follows from what fell: wagers settled, phases moved, the turn passed on, betting opened."""
    by = next_thrower(view)
    happened: list[events.AnyEvent] = [*_lost_turn(view, by), _thrown(view, by, outcome)]
    happened.extend(settle(view, outcome))
    happened.extend(move_phases(view, outcome))
    happened.extend(_pass_turn(view, by, outcome, happened))
    reopened = list(reopen(view, happened))
    if not _turn_passes(happened) and _house_turn_ends(view, by, bool(reopened), happened):
        happened.append(events.TurnOpened(_house_turn_clause(view)))
    happened.extend(reopened)
    if not reopened and view.game.book.rules.betting is not None:
        happened = [_goes_on(event) for event in happened]
    return happened


def _goes_on(event: events.AnyEvent) -> events.AnyEvent:
    """The throw decided nothing for the table: the round of play is not over with it (reading X-30)."""
    return msgspec.structs.replace(event, ends_round=False) if isinstance(event, events.Thrown) else event


def _house_turn_ends(view: TableView, by: str | None, reopened: bool, happened: list[events.AnyEvent]) -> bool:
    """Whether the house has thrown as long as the book has it throw, so that the dice or coins are offered again."""
    state = view.state
    if by is not None or view.game.book.rules.thrower is None:
        return False
    if not state.settings.manual_dice:
        return reopened and state.passed
    if view.game.book.rules.betting is not None:
        return reopened and with_the_house(state)
    return with_the_house(state) and not evolve_all(state, happened).layout


def _lost_turn(view: TableView, by: str | None) -> Iterator[events.TurnPassed]:
    """Who had the dice and throws no more, for want of the wager, has passed them on (reading CR-18)."""
    rules, had_them = view.game.book.rules.thrower, view.state.turn_after
    if rules is None or had_them is None or had_them == by or view.state.passed or view.state.settings.manual_dice:
        return
    if not any(view.game.book.wagers[wager].sole for wager in rules.wagers):  # a sole wager passes with its decision
        yield events.TurnPassed(had_them, rules.keeps_clause or rules.clause)


def _turn_passes(happened: list[events.AnyEvent]) -> bool:
    return any(isinstance(event, events.TurnPassed) for event in happened)


def _house_turn_clause(view: TableView) -> str:
    """The clause under which the house has had its turn and the dice or coins may be offered again."""
    thrower = view.game.book.rules.thrower
    assert thrower is not None, "only a book with throwers passes turns"
    return thrower.house_clause


def _plain_faces(faces: tuple[object, ...]) -> Faces:
    """True is no die: a bool equals 1 in Python but never in a dice bowl."""
    return tuple(face if type(face) in (int, str) else "?" for face in faces)  # type: ignore[misc]


def _not_thrown(game: Game) -> Refusal:
    throw_rules = game.book.rules.throw
    faces = ", ".join(map(str, throw_rules.faces))
    count = "one face" if throw_rules.throw == 1 else f"{throw_rules.throw} faces, each"
    say = f"A {throw_rules.command} shows {count} one of {faces}."
    return Refusal("not_an_outcome", say, throw_rules.faces_clause or throw_rules.clause)


def _thrown(view: TableView, by: str | None, outcome: int) -> events.Thrown:
    rules = view.game.book.rules
    faces = view.game.book.outcomes.all[outcome]
    call = view.game.book.outcomes.call(outcome, view.call("result") or "{faces}")
    return events.Thrown(faces, call, by, _title(view, by), rules.throw.clause)


def _title(view: TableView, by: str | None) -> str:
    """What the book calls the one who throws."""
    rules = view.game.book.rules.thrower
    if rules is None:
        return "dealer"
    return rules.title if by is not None else rules.house


def next_thrower(view: TableView) -> str | None:
    """Who throws: who has the dice, or the next seat clockwise with the wager the book asks for; else the house."""
    rules, state = view.game.book.rules.thrower, view.state
    if rules is None:
        return None
    if is_under_way(view):
        return who_threw(view)
    if state.settings.manual_dice:
        player = holder(view)
        return player if player is not None and not _house_throws_for(state, player) else None
    for seated in _seats_in_turn(state):
        if not excluded(state, seated) and view.holds(seated, rules.wagers):
            return None if _house_throws_for(state, seated) else seated
    return None


def _house_throws_for(state: State, player: str) -> bool:
    return state.house_throws_for is not None and state.house_throws_for[0] == player


def _seats_in_turn(state: State) -> tuple[str, ...]:
    if state.turn_from in state.seats:
        place = state.seats.index(state.turn_from)
        return state.seats[place:] + state.seats[:place]
    if state.turn_after not in state.seats:
        return state.seats
    place = state.seats.index(state.turn_after) + (1 if state.passed else 0)
    return state.seats[place:] + state.seats[:place]


def settle(view: TableView, outcome: int) -> list[events.AnyEvent]:
    """What the outcome does to every area, one look-up each: losers are collected, winners paid, then wagers travel."""
    chip, tokens = view.state.settings.chip, view.state.tokens
    settled: list[events.AreaSettled] = []
    moves: list[events.AreaMoved] = []
    for area, stakes in view.state.layout.items():
        game = view.games[area.terms]
        entry = game.machine(area.wager, area.pick).table[area.state][outcome]
        wager = game.book.wagers[area.wager]
        if entry.then == "stay" and wager.behind is None:
            continue
        awake, asleep = _by_sleep(view, wager, stakes)
        if awake and entry.decides:
            decided = _settled(area, entry, awake, chip)
            settled.append(with_tokens(view.state, decided, entry.share) if tokens else decided)
        elif awake and entry.then == "go":
            moves.append(_moved(area, entry, awake))
        if asleep and wager.behind is not None:
            settled.extend(_returned_asleep(view, area, wager, asleep, outcome))
    settled.sort(key=_collected_first)
    return [*settled, *moves]


def _collected_first(event: events.AreaSettled) -> int:
    return ("lose", "void", "win").index(event.result)


def _by_sleep(view: TableView, wager: schema.Wager, stakes: Stakes) -> tuple[Stakes, Stakes]:
    """The stakes that act on this throw, and those that sleep through it."""
    if wager.sleeps is None:
        return stakes, {}
    phase_sleeps = view.phase_puts_to_sleep(wager.sleeps)
    asleep = {p: s for p, s in stakes.items() if (phase_sleeps if s.called is None else not s.called)}
    if not asleep:
        return stakes, asleep
    return {player: stake for player, stake in stakes.items() if player not in asleep}, asleep


def _settled(area: Area, entry: Entry, stakes: Stakes, chip: int) -> events.AreaSettled:
    amounts = [stake.amount for stake in stakes.values()]
    nothing = repeat(0)
    if entry.then == "win":
        paid = winnings_of_many(amounts, entry.odds, chip)
        rows = zip(stakes, amounts, paid, map(add, amounts, paid), strict=True)
        return events.AreaSettled(*area, "win", entry.clause, tuple(rows))
    if entry.then == "lose":
        return events.AreaSettled(
            *area, "lose", entry.clause, tuple(zip(stakes, amounts, nothing, nothing, strict=False))
        )
    return events.AreaSettled(*area, "void", entry.clause, returned_stakes(stakes))


def settled_as_reached(view: TableView, area: Area, stakes: Stakes, clause: str) -> events.AreaSettled:
    """Wagers that are ended in running, at what they have reached: the least that they can still be decided at."""
    entries = [e for e in view.game_of(area).machine(area.wager, area.pick).table[area.state] if e.decides]
    if not entries:
        return given_back(view.state, area, clause, stakes)
    least = min(entries, key=lambda entry: (entry.then == "win", entry.odds))
    ended = _settled(area, msgspec.structs.replace(least, clause=clause), stakes, view.state.settings.chip)
    return with_tokens(view.state, ended, least.share) if view.state.tokens else ended


def given_back(state: State, area: Area, clause: str, stakes: Stakes) -> events.AreaSettled:
    """The event of stakes that go back whole, commission with them, tokens as tokens."""
    returned = events.AreaSettled(*area, "void", clause, returned_stakes(stakes))
    return with_tokens(state, returned) if state.tokens else returned


def returned_stakes(stakes: Stakes) -> tuple[events.SettledStake, ...]:
    """Stakes that go back whole, as if they were all chips."""
    return tuple((player, stake.amount, 0, stake.amount + stake.commission) for player, stake in stakes.items())


def _moved(area: Area, entry: Entry, stakes: Stakes) -> events.AreaMoved:
    return events.AreaMoved(*area, entry.next, entry.clause, tuple(stakes))


def _returned_asleep(
    view: TableView, area: Area, wager: schema.Wager, asleep: Stakes, outcome: int
) -> Iterator[events.AreaSettled]:
    """A Behind wager that sleeps while its flat wager is decided goes back to its player (reading CR-9)."""
    by_clause: dict[str, Stakes] = {}
    for flat in view.flat_areas(wager, area.state):
        if not view.game_of(flat).machine(flat.wager, flat.pick).table[flat.state][outcome].decides:
            continue
        with_flat = view.state.layout[flat]
        for player, stake in asleep.items():
            if player in with_flat:
                by_clause.setdefault(view.asleep(wager, stake) or wager.clause, {})[player] = stake
    for clause, returned in by_clause.items():
        yield given_back(view.state, area, clause, returned)


def move_phases(view: TableView, outcome: int) -> Iterator[events.PhaseMoved]:
    """What the table remembers of the outcome: the puck, a run."""
    for phase, machine in view.game.book.phase_machines.items():
        before = view.state.phases[phase]
        entry = machine.table[before][outcome]
        if entry.then == "go":
            yield events.PhaseMoved(phase, before, entry.next, entry.clause)


def _pass_turn(
    view: TableView, by: str | None, outcome: int, happened: list[events.AnyEvent]
) -> Iterator[events.TurnPassed]:
    """The dice pass on after certain outcomes; the coins pass on from who lost the wager that goes with them."""
    rules = view.game.book.rules.thrower
    if rules is None:
        return
    passes = rules.passes
    if passes is not None and by is not None and _must_pass(view, passes, outcome):
        yield events.TurnPassed(by, passes.clause)
    for event in happened:
        if isinstance(event, events.AreaSettled):
            sole, player = view.games[event.terms].book.wagers[event.wager].sole, event.stakes[0][0]
            if sole is not None and (event.result == "lose" or barred(view.state, player)):
                yield events.TurnPassed(player, sole.turn_clause)


def _must_pass(view: TableView, passes: schema.Passing, outcome: int) -> bool:
    if outcome not in view.game.book.outcomes.matching(passes.on):
        return False
    return passes.phase is None or holds(passes.phase, view.state.phases[passes.phase.phase])


def reopen(view: TableView, happened: Sequence[events.AnyEvent]) -> Iterator[events.BetsOpened]:
    """The bets open again, where the book closes them and nothing is pending."""
    betting = view.game.book.rules.betting
    if betting is None:
        return
    phases = dict(view.state.phases)
    phases.update({event.phase: event.now for event in happened if isinstance(event, events.PhaseMoved)})
    if betting.reopens is None or holds(betting.reopens, phases[betting.reopens.phase]):
        yield events.BetsOpened(bets_call(view.game.book, view.state.settings), betting.reopens_clause)


def void_throw(shelf: Shelf, state: State, command: commands.VoidThrow) -> tuple[events.AnyEvent, ...] | Refusal:
    """Declare a throw void under a clause of the book that voids throws."""
    view = TableView(shelf, state)
    void = view.game.book.rules.void
    refusal = _check_forfeit(view, void.invalidated, command)
    if refusal is not None:
        return refusal
    if command.reason in void.grounds:
        return tuple(void_events(view, command.reason))
    if void.invalidated is not None and command.reason in void.invalidated.grounds:
        return tuple(_invalidated(view, void.invalidated, command.reason, command.forfeit))
    grounds = ", ".join([*void.grounds, *(void.invalidated.grounds if void.invalidated else [])])
    say = f"This book voids nothing under {command.reason or 'no clause'}; it does under {grounds}."
    return Refusal("not_a_ground", say)


def _check_forfeit(view: TableView, rules: schema.Invalidation | None, command: commands.VoidThrow) -> Refusal | None:
    """Wagers are forfeited on one ground alone, and only those that would else be refunded."""
    if not command.forfeit:
        return None
    clause = rules.clause if rules is not None else None
    if rules is None or rules.forfeits is None or command.reason != rules.forfeits:
        return Refusal("no_forfeit", f"Nothing is forfeited under {command.reason or 'no clause'}.", clause)
    staked = {player for _, stakes in _undone(view) for player in stakes}
    for player in command.forfeit:
        if player not in staked:
            return Refusal("nothing_to_forfeit", f"{player} has no wager that this result is about.", clause)
    return None


def _invalidated(
    view: TableView, rules: schema.Invalidation, reason: str, forfeit: tuple[str, ...]
) -> Iterator[events.AnyEvent]:
    """The wagers that the result is about are refunded, or by those named forfeited; others stand (reading X-5)."""
    yield events.OutcomeInvalidated(reason, rules.clause, forfeit)
    undone = _undone(view)
    for area, stakes in undone:
        lost = {player: stake for player, stake in stakes.items() if player in forfeit}
        if lost:
            yield _forfeited(view.state, area, rules.clause, lost)
        refunded = {player: stake for player, stake in stakes.items() if player not in forfeit}
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
    return with_tokens(state, lost) if state.tokens else lost


def _undone(view: TableView) -> list[tuple[Area, Stakes]]:
    """The wagers that the called result decides; where none has been called, those that the throw could decide."""
    outcome, undone = called_outcome(view), []
    for area, stakes in view.state.layout.items():
        entries = view.game_of(area).machine(area.wager, area.pick).table[area.state]
        if any(entry.decides for entry in (entries if outcome is None else [entries[outcome]])):
            wager = view.wager_of(area)
            # What lies behind a refunded wager goes with it, asleep or not.
            concerned = stakes if wager.behind is not None else _by_sleep(view, wager, stakes)[0]
            if concerned:
                undone.append((area, concerned))
    return undone


def called_outcome(view: TableView) -> int | None:
    """The result that has been called of a throw under way, by its place among the outcomes."""
    return outcome_of(view, view.state.facts.get("result"))


def _restarted(view: TableView, rules: schema.Invalidation) -> Iterator[events.PhaseMoved]:
    for phase in rules.restarts:
        before, start = view.state.phases[phase], view.game.book.phases[phase].start
        if before != start:
            yield events.PhaseMoved(phase, before, start, rules.clause)


def void_events(view: TableView, reason: str) -> Iterator[events.AnyEvent]:
    """A void throw never happened; the book says whether the wagers stand or go back, and whether betting opens."""
    void, thrower = view.game.book.rules.void, view.game.book.rules.thrower
    by = next_thrower(view)
    wager = _thrown_for(view, by)
    run = _void_run(view, by, wager)
    yield from note_void_call(view, reason)
    yield events.ThrowVoided(reason, view.call("void"), by, _title(view, by), wager, run)
    if void.wagers == "returned":
        yield from _returned_on_void(view)
    if thrower is not None and by is not None:
        yield from _house_throws_on(view, thrower, by, run)
    if not view.state.bets_open:
        yield from reopen(view, [])


def _thrown_for(view: TableView, by: str | None) -> str | None:
    """The wager with which a player throws, of those that the book asks for."""
    rules = view.game.book.rules.thrower
    if rules is None or by is None:
        return None
    return next((a.wager for a, stakes in view.state.layout.items() if a.wager in rules.wagers and by in stakes), None)


def _void_run(view: TableView, by: str | None, wager: str | None) -> int:
    """How many throws in a row for this wager are void with this one; with the bets open there was none (TU-15)."""
    state = view.state
    if view.game.book.rules.betting is not None and state.bets_open:
        return 0
    return state.void_run + 1 if state.void_for == (by, wager) else 1


def _house_throws_on(view: TableView, thrower: schema.Thrower, by: str, run: int) -> Iterator[events.HouseThrowsOn]:
    """After so many void throws in a row by one player the house throws on in the player's stead."""
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
