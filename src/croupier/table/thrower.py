"""Who throws, how the turn passes on, and who holds or is offered dice and coins that people hand round."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.rules import schema
from croupier.rules.book import holds
from croupier.rules.schema import Fact, acts_on
from croupier.table import events
from croupier.table.evolve import evolve_all
from croupier.table.state import Area, Stakes, State, TableView
from croupier.table.under_way import is_under_way, who_threw
from croupier.table.waiting import waiting_name


def house_turn_ends(view: TableView, by: str | None, reopened: bool, happened: list[events.AnyEvent]) -> bool:
    """Whether the house has thrown as long as the book requires, so that the dice or coins are offered again."""
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
    """Whether the phase in which a turn ends is over: the puck goes Off with a decision, or with a 7 Out (CR-17)."""
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
    """Update the wagers the house still throws for: decided ones are dropped, and one that travels is renamed."""
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
    """Return the area to which a player's wager has moved."""
    for event in happened:
        if isinstance(event, events.AreaMoved) and event.area == area and player in event.players:
            return area._replace(state=event.to)
    return area


def after(view: TableView, happened: list[events.AnyEvent]) -> TableView:
    """Return the table after these events."""
    return view.at(evolve_all(view.state, happened))


def lost_turn(view: TableView, by: str | None) -> Iterator[events.TurnPassed]:
    """Pass on the turn of a player who had the dice but no longer throws for lack of the wager (reading CR-18)."""
    rules, had_them = view.game.book.rules.thrower, view.state.turn_after
    if rules is None or had_them is None or had_them == by or view.state.passed or view.state.settings.manual_dice:
        return
    if not any(view.game.wager(wager).has_one_holder for wager in rules.wagers):  # it passes with its decision
        yield events.TurnPassed(had_them, rules.keeps_clause or rules.clause)


def turn_passes(happened: list[events.AnyEvent]) -> bool:
    """Whether these events pass on the turn."""
    return any(isinstance(event, events.TurnPassed) for event in happened)


def house_turn_clause(view: TableView) -> str:
    """Return the clause under which the house's turn ends and the dice or coins may be offered again."""
    thrower = view.game.book.rules.thrower
    assert thrower is not None, "only a book with throwers passes turns"
    return thrower.house_clause


def title(view: TableView, by: str | None) -> str:
    """Return the book's title for the thrower."""
    rules = view.game.book.rules.thrower
    if rules is None:
        return "dealer"
    return rules.title if by is not None else rules.house


@acts_on("rules.thrower")
def next_thrower(view: TableView) -> str | None:
    """Return the thrower: the holder of the dice, or the next seat clockwise with the required wager, or None."""
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
    """Return the seats clockwise from the player who has the turn, or from the next place once it has passed on."""
    order = clockwise(state)
    return order if state.passed or state.turn_after not in order else order[-1:] + order[:-1]


def pass_turn(
    view: TableView, by: str | None, outcome: int, happened: list[events.AnyEvent]
) -> Iterator[events.TurnPassed]:
    """Pass on the dice after certain outcomes, and the coins from the player who lost the wager that goes with them."""
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
    """Whether an outcome passes the dice in the present phase, regardless of the thrower."""
    rules = view.game.book.rules.thrower
    passes = None if rules is None else rules.passes
    if passes is None or outcome not in view.game.book.outcomes.matching(passes.on):
        return False
    return passes.phase is None or holds(passes.phase, view.state.phases[passes.phase.phase])


# -- dice and coins handed round --------------------------------------------------------------------------------------

HOUSE = "house"  # the value of the fact "dice" while the house throws because no player accepts them


def holder(view: TableView) -> str | None:
    """Return the player who accepted the dice or coins, at a table where people hand them round."""
    name = view.state.facts.get("shooter")
    return name if isinstance(name, str) and view.state.settings.manual_dice else None


def excluded(state: State, player: str) -> bool:
    """Whether a player is excluded from the game, or from the whole casino."""
    return f"excluded {player}" in state.facts


def out_of_the_ring(state: State, player: object) -> bool:
    """Whether a player was sent out of the ring, until the close of play."""
    return f"out of the ring {player}" in state.facts


def barred(state: State, player: str) -> bool:
    """Whether a player is not offered the dice or coins at all."""
    return excluded(state, player) or out_of_the_ring(state, player)


def with_the_house(state: State) -> bool:
    """Whether the house throws because no player accepts the dice or coins."""
    return state.facts.get("dice") == HOUSE


def declined(state: State, player: str) -> bool:
    """Whether a player has turned down the offer that is going round."""
    return f"declined {player}" in state.facts


def in_turn(view: TableView) -> list[str]:
    """List the players to whom the dice or coins may go, clockwise after the last holder, who comes last (X-11).

    If one wager goes with them, the player who lost it waits until another has had a turn, unless alone. Otherwise
    players who hold a wager that the book requires go first: once a player has thrown, the others are passed over
    (X-11). A player who lacks the wager and cannot make one now is left out.
    """
    state = view.state
    order = [player for player in clockwise(state) if not too_late_for(view, player)]
    if state.passed and sole_wager(view) is not None and len(order) > 1:
        order = [player for player in order if player != state.turn_after]
    order = [player for player in order if not barred(state, player)]
    return (_holding(view, order) if in_course(state) else []) or order


def in_course(state: State) -> bool:
    """Whether play has begun: a player has already had the dice or coins."""
    return state.turn_after is not None or state.turn_place is not None


def _holding(view: TableView, players: list[str]) -> list[str]:
    """Return the players who hold a wager that goes with the dice; none if one sole wager goes with them."""
    rules = view.game.book.rules.thrower
    if rules is None or sole_wager(view) is not None:
        return []
    return [player for player in players if view.holds(player, rules.wagers)]


def clockwise(state: State) -> tuple[str, ...]:
    """Return all players clockwise from the place after the last holder of the dice or coins."""
    seats = state.seats
    if state.turn_place is not None:
        later = (number for number, player in enumerate(seats) if state.places[player] > state.turn_place)
        start = next(later, 0)
    else:
        start = seats.index(state.turn_after) + 1 if state.turn_after in seats else 0
    return seats[start:] + seats[:start]


def too_late_for(view: TableView, player: str) -> bool:
    """Whether a player lacks the wager that the book requires and cannot make one now."""
    rules = view.game.book.rules.thrower
    return rules is not None and not may_be_made(view) and not view.holds(player, rules.wagers)


def may_be_made(view: TableView) -> bool:
    """Whether the wager that goes with the dice can be made now: bets open, table not closing (X-7), phase right."""
    rules, state = view.game.book.rules.thrower, view.state
    if not state.bets_open or state.facts.get("table") == "closing":
        return False
    wagers = [view.game.book.wagers[wager] for wager in (rules.wagers if rules is not None else [])]
    return not wagers or any(not _kept_by(view, wager) for wager in wagers)


def _kept_by(view: TableView, wager: schema.Wager) -> list[str]:
    """Return the present phases of the table that prevent such a wager."""
    asked = [condition for condition in wager.place if condition.phase in view.state.phases]
    return [str(each.phase) for each in asked if not holds(each, view.state.phases[str(each.phase)])]


def point_for_no_one(view: TableView) -> list[str]:
    """Return the phases that keep every player from making the wager a throw requires, while nothing is undecided.

    Then the house throws for no wager, and no player can throw for one (reading CR-34).
    """
    rules, book = view.game.book.rules.thrower, view.game.book
    if rules is None or view.state.layout or not view.state.bets_open:
        return []
    kept = [_kept_by(view, book.wagers[wager]) for wager in rules.wagers]
    return sorted({phase for phases in kept for phase in phases}) if kept and all(kept) else []


def all_declined(view: TableView) -> bool:
    """Whether no player is left to whom an offer could go."""
    return all(declined(view.state, player) for player in in_turn(view))


def next_offered(view: TableView) -> str | None:
    """Return the player who is offered the dice or coins now; when all have declined, the round starts over.

    The offer continues clockwise from the player asked last: a player already passed comes after all others.
    """
    order, state = in_turn(view), view.state
    asked = [place for place, player in enumerate(clockwise(state)) if declined(state, player)]
    later = set(clockwise(state)[asked[-1] + 1 :] if asked else ())
    round_on = [player for player in order if player in later] + [player for player in order if player not in later]
    return next((player for player in round_on if not declined(state, player)), order[0] if order else None)


STOOD = "stood"  # of every wager that stood when the house took the dice or coins


def stood_name(view: TableView, player: str, area: Area) -> str:
    """Return the name of the fact that a wager stood when the house took the dice."""
    return waiting_name(STOOD, player, area.wager, view.shown_pick(area))


def stood_names(view: TableView) -> dict[str, tuple[str, Area]]:
    """Return the standing wagers by such names."""
    return {stood_name(view, player, area): (player, area) for player, area, _ in view.state.wagers()}


def house_waits(view: TableView) -> list[str]:
    """Return the wagers for which the house took the dice that are still undecided."""
    return [name for name in stood_names(view) if name in view.state.facts]


def sole_wager(view: TableView) -> schema.Wager | None:
    """Return the wager that goes with the coins, if the book has one."""
    book = view.game.book
    named = book.rules.thrower.wagers if book.rules.thrower is not None else []
    return next((book.wagers[wager] for wager in named if book.wagers[wager].has_one_holder), None)


def sole_area(view: TableView) -> tuple[str, Area] | None:
    """Return the holder and the area of the wager that goes with the coins."""
    for area, stakes in view.state.layout.items():
        if view.wager_of(area).has_one_holder:
            return next(iter(stakes)), area
    return None


def begun(view: TableView, area: Area) -> bool:
    """Whether a wager has been through a throw that counts for it."""
    return area.state not in view.game_of(area).machine(area.wager, area.pick).starts


def turn_clause(view: TableView) -> str:
    """Return the clause under which a turn passes on from a player who can no longer throw."""
    rules, wager = view.game.book.rules.thrower, sole_wager(view)
    assert rules is not None, "only a book with throwers passes turns"
    own = wager.turn_clause if wager is not None else None
    return own or rules.keeps_clause or rules.clause


@acts_on("lost turn")
def lost_with_the_wager(view: TableView, reduced: events.WagerReduced) -> Iterator[events.TurnPassed]:
    """Pass on the dice from a player who takes down the last wager that must stay for later throws (reading CR-18)."""
    rules, player = view.game.book.rules.thrower, reduced.player
    if rules is None or rules.keeps_clause is None or reduced.wager not in rules.wagers or holder(view) != player:
        return
    held = {area for area, stakes in view.state.layout.items() if area.wager in rules.wagers and player in stakes}
    if not reduced.stake and held == {reduced.area} and begun(view, reduced.area):
        yield events.TurnPassed(player, rules.keeps_clause)


def lost_with_the_refund(view: TableView, gone: list[tuple[Area, Stakes]]) -> Iterator[events.TurnPassed]:
    """Pass on the dice from a holder left without the wager that must stay because it was refunded."""
    rules, player = view.game.book.rules.thrower, holder(view)
    if rules is None or rules.keeps_clause is None or player is None:
        return
    held = {area for area, stakes in view.state.layout.items() if area.wager in rules.wagers and player in stakes}
    if any(begun(view, area) for area in held) and held <= {area for area, stakes in gone if player in stakes}:
        yield events.TurnPassed(player, rules.keeps_clause)
