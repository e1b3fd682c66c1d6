"""Who throws, and how the turn passes on: after certain outcomes, with a wager lost, or from the house."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.rules.book import holds
from croupier.rules.facts import Fact
from croupier.table import events
from croupier.table.evolve import evolve_all
from croupier.table.handing import (
    STOOD,
    barred,
    clockwise,
    excluded,
    holder,
    house_waits,
    stood_names,
    with_the_house,
)
from croupier.table.state import Area, State
from croupier.table.under_way import is_under_way, who_threw
from croupier.table.view import TableView


def house_turn_ends(view: TableView, by: str | None, reopened: bool, happened: list[events.AnyEvent]) -> bool:
    """Whether the house has thrown as long as the book has it throw, so that the dice or coins are offered again."""
    state = view.state
    if by is not None or view.game.book.rules.thrower is None:
        return False
    if not state.settings.manual_dice:
        return reopened and state.passed
    if not with_the_house(state):
        return False
    if view.game.book.rules.betting is not None:
        return reopened
    return _back_at_the_start(view, happened) or not _still_waits(view, happened)


def _back_at_the_start(view: TableView, happened: list[events.AnyEvent]) -> bool:
    """Whether the phase that a turn ends in is over: the puck goes Off with a decision, or with a 7 Out (CR-17)."""
    thrower = view.game.book.rules.thrower
    phase = thrower.passes.phase.phase if thrower and thrower.passes and thrower.passes.phase else None
    return any(
        isinstance(event, events.PhaseMoved)
        and event.phase == phase
        and event.now == view.game.book.phases[phase].start
        for event in happened
    )


def _still_waits(view: TableView, happened: list[events.AnyEvent]) -> bool:
    """Whether a wager that stood when the house took the dice is still undecided (CR-17, SE-7, NZ-7)."""
    return bool(house_waits(after(view, happened)))


def house_waits_on(view: TableView, happened: list[events.AnyEvent]) -> list[events.Noted]:
    """What the house still throws for: decided wagers are forgotten, and one that travels has another name."""
    if not with_the_house(view.state) or view.game.book.rules.betting is not None:
        return []
    before, then = stood_names(view), after(view, happened)
    names = {place: name for name, place in stood_names(then).items()}
    facts: dict[str, Fact | None] = {name: None for name in view.state.facts if name.startswith(f"{STOOD} ")}
    for player, area in [before[name] for name in facts if name in before]:
        stands = names.get((player, area)) or names.get((player, _moved(area, player, happened)))
        if stands is not None:
            facts[stands] = "yes"
    changed = {name: value for name, value in facts.items() if view.state.facts.get(name) != value}
    return [events.Noted(changed, house_turn_clause(view))] if changed else []


def _moved(area: Area, player: str, happened: list[events.AnyEvent]) -> Area:
    """Where a player's wager of an area has gone on to."""
    for event in happened:
        if isinstance(event, events.AreaMoved) and event.area == area and player in event.players:
            return area._replace(state=event.to)
    return area


def after(view: TableView, happened: list[events.AnyEvent]) -> TableView:
    """The table once all this has happened."""
    return view.at(evolve_all(view.state, happened))


def lost_turn(view: TableView, by: str | None) -> Iterator[events.TurnPassed]:
    """Who had the dice and throws no more, for want of the wager, has passed them on (reading CR-18)."""
    rules, had_them = view.game.book.rules.thrower, view.state.turn_after
    if rules is None or had_them is None or had_them == by or view.state.passed or view.state.settings.manual_dice:
        return
    if not any(view.game.wager(wager).has_one_holder for wager in rules.wagers):  # that one passes with its decision
        yield events.TurnPassed(had_them, rules.keeps_clause or rules.clause)


def turn_passes(happened: list[events.AnyEvent]) -> bool:
    """Whether the turn passes on with what happened."""
    return any(isinstance(event, events.TurnPassed) for event in happened)


def house_turn_clause(view: TableView) -> str:
    """The clause under which the house has had its turn and the dice or coins may be offered again."""
    thrower = view.game.book.rules.thrower
    assert thrower is not None, "only a book with throwers passes turns"
    return thrower.house_clause


def title(view: TableView, by: str | None) -> str:
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
    """Clockwise from who has them, or from the next place once they have been passed on."""
    order = clockwise(state)
    return order if state.passed or state.turn_after not in order else order[-1:] + order[:-1]


def pass_turn(
    view: TableView, by: str | None, outcome: int, happened: list[events.AnyEvent]
) -> Iterator[events.TurnPassed]:
    """The dice pass on after certain outcomes; the coins pass on from who lost the wager that goes with them."""
    rules = view.game.book.rules.thrower
    if rules is None:
        return
    if rules.passes is not None and by is not None and outcome_passes(view, outcome):
        yield events.TurnPassed(by, rules.passes.clause)
    for event in happened:
        if isinstance(event, events.AreaSettled):
            clause, player = view.games[event.terms].wager(event.wager).turn_clause, event.stakes[0][0]
            if clause is not None and (event.result == "lose" or barred(view.state, player)):
                yield events.TurnPassed(player, clause)


def outcome_passes(view: TableView, outcome: int) -> bool:
    """Whether an outcome passes the dice in the phase that the table is in, whoever throws them."""
    rules = view.game.book.rules.thrower
    passes = None if rules is None else rules.passes
    if passes is None or outcome not in view.game.book.outcomes.matching(passes.on):
        return False
    return passes.phase is None or holds(passes.phase, view.state.phases[passes.phase.phase])
