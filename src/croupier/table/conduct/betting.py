"""Late and spoken wagers, moving chips between areas, and wagers that the house refuses."""

from __future__ import annotations

import msgspec

from croupier.rules.machine import plain_pick
from croupier.rules.offers import made_on
from croupier.rules.schema import NONE
from croupier.table import commands, events
from croupier.table.conduct.scene import Scene, check, effect
from croupier.table.evolve import evolve_all
from croupier.table.placing import BET_CHECKS, Bet, check_moment, first_refusal, limit_for, placed, read_bet, read_pick
from croupier.table.refusals import Refusal
from croupier.table.state import Area, State, TableView
from croupier.table.taking import (
    called,
    check_amount,
    check_lock,
    find_standing,
    reduction,
    retirement,
    returned_from_behind,
    take_wager,
)
from croupier.table.voiding import called_outcome
from croupier.table.waiting import (
    SPOKEN,
    called_on_name,
    late_cents,
    late_laid,
    late_name,
    late_taken,
    waiting_name,
    waiting_of,
)

Happened = list[events.AnyEvent]


# -- checks -----------------------------------------------------------------------------------------------------------


@check
def bets_open_now(scene: Scene) -> bool:
    """Whether bets are open: until the throw, or until the dice rest if the table takes late bets (reading X-3)."""
    return scene.fact("throw") == NONE or (scene.view.state.in_the_air and scene.state.settings.late_bets)


@check
def late_with_chips(scene: Scene) -> bool:
    """Whether a wager made while the dice are in the air comes with its chips or tokens."""
    if not scene.view.state.in_the_air:
        return True
    amount, tokens = scene.said.get("amount"), scene.said.get("tokens")
    if not isinstance(amount, int):
        return True
    return amount - (tokens if isinstance(tokens, int) else 0) <= _in_hand(scene)


@check
def found_in_time(scene: Scene) -> bool:
    """Whether the stake is valid at this time: one below the minimum only if found after the throw."""
    amount, player, wager = (scene.said.get(name) for name in ("amount", "player", "wager"))
    settings = scene.state.settings
    if scene.fact("throw") != NONE or not isinstance(amount, int):
        return True
    return amount >= (limit_for(settings, str(wager), str(player), scene.pick("pick")).minimum or 0)


@check
def found_unseen(scene: Scene) -> bool:
    """Whether a find is credible: once a result can be seen, the lowest role's word is not enough (reading X-53)."""
    power = scene.conduct.power("find", None)
    if power is None or scene.fact("throw") == NONE or scene.view.state.in_the_air:
        return True
    return scene.by is not None and scene.conduct.rank(scene.by) > min(scene.conduct.rank(role) for role in power.by)


@check
def late_waits(scene: Scene) -> bool:
    """Whether the named wager waits to be confirmed."""
    area = _area(scene)
    return area is not None and late_cents(scene.view, scene.text("player"), area) > 0


@check
def called_on(scene: Scene) -> bool:
    """Whether the player has called the named wager On and it waits for its marker."""
    area = _area(scene)
    return area is not None and called_on_name(scene.view, scene.text("player"), area) in scene.state.facts


@check
def before_throw(scene: Scene) -> bool:
    """Whether chips may still be moved: nothing is thrown, and the bets are open."""
    return scene.state.bets_open and scene.fact("throw") == NONE


@check
def before_first_throw(scene: Scene) -> bool:
    """Whether the wager has not yet been in play, so that taking it off the layout costs its player nothing."""
    area = _area(scene)
    return area is None or (before_throw(scene) and (scene.text("player"), area) in scene.state.fresh)


@check
def may_come_down(scene: Scene) -> bool:
    """Whether the book would let the wager be taken down in its present state."""
    area = _area(scene)
    return area is None or check_lock(scene.view, area) is None


@check
def still_as_made(scene: Scene) -> bool:
    """Whether the wager is as a new one would be; a point makes it worth more or less than its face (CR-4)."""
    area = _area(scene)
    if area is None:
        return True
    wager = scene.view.wager_of(area)
    bet = Bet(scene.view, scene.text("player"), wager, made_on(wager, area.pick), 0, area)
    return bet.area.state == bet.start and check_moment(bet) is None


@check
def stands(scene: Scene) -> bool:
    """Whether the player has the named wager."""
    return _area(scene) is not None


@check
def not_losing(scene: Scene) -> bool:
    """Whether the called result does not make the wager lose."""
    area, outcome = _area(scene), called_outcome(scene.view)
    if area is None or outcome is None:
        return True
    machine = scene.view.game_of(area).machine(area.wager, area.pick)
    return machine.table[area.state][outcome].then != "lose"


@check
def chips_with_it(scene: Scene) -> bool:
    """Whether a spoken wager comes with its chips or tokens, on top of the player's other spoken wagers."""
    again = _spoken(scene, str(scene.who))
    said = [scene.number(name) for name in waiting_of(scene.view, SPOKEN, str(scene.who)) if name != again]
    return scene.cents("amount") + sum(said) <= _in_hand(scene) + scene.state.tokens.get(str(scene.who), 0)


@check
def declared(scene: Scene) -> bool:
    """Whether the player has spoken the named wager."""
    return scene.number(_spoken(scene, scene.text("player"))) > 0


def _in_hand(scene: Scene) -> int:
    return scene.state.chips.get(str(scene.said.get("player", scene.who)), 0)


def _area(scene: Scene) -> Area | None:
    player, wager = str(scene.said.get("player", "")), str(scene.said.get("wager", ""))
    return scene.view.find(player, wager, plain_pick(scene.said.get("pick")))


def _spoken(scene: Scene, player: str) -> str:
    """Return the name of the fact for a spoken wager, with its pick as the book writes it."""
    wager = scene.book.wagers.get(scene.text("wager"))
    pick = read_pick(scene.view.game, wager, scene.pick("pick")) if wager is not None else None
    return waiting_name(SPOKEN, player, scene.text("wager"), None if isinstance(pick, Refusal) else pick)


# -- late wagers ------------------------------------------------------------------------------------------------------


@effect
def confirm_late(scene: Scene) -> Happened:
    """Confirm a late wager: from now on it is like any other."""
    area = _area(scene)
    if area is None:
        return []
    return [events.Noted({late_name(scene.view, scene.text("player"), area): None}, scene.clause)]


def _reduced(scene: Scene, state: State, player: str, area: Area, left: int, clause: str) -> Happened:
    """Cut a stake down, and give back what may then no longer lie behind it."""
    reduced = reduction(TableView(scene.shelf, state), player, area, left, clause)
    return [reduced, *returned_from_behind(scene.shelf, state, reduced)]


@effect
def mark_on(scene: Scene) -> Happened:
    """Mark a wager On, so that it also acts on a come out roll (reading CR-31)."""
    player, area = scene.text("player"), _area(scene)
    if area is None:
        return []
    marked = called(player, area, on=True, clause=scene.clause)
    return [marked, events.Noted({called_on_name(scene.view, player, area): None}, scene.clause)]


# -- spoken wagers ----------------------------------------------------------------------------------------------------


@effect
def declare_wager(scene: Scene) -> Happened | Refusal:
    """Record a spoken wager; no chips move until they are laid."""
    bet = _read(scene, scene.state, str(scene.who), "wager", scene.cents("amount"))
    if isinstance(bet, Refusal):
        return bet
    return [events.Noted({_spoken(scene, bet.player): bet.amount}, scene.clause)]


@effect
def place_declared(scene: Scene) -> Happened | Refusal:
    """Make a spoken wager as if its player had made it, with all the checks of a bet."""
    player, wager = scene.text("player"), scene.text("wager")
    name = _spoken(scene, player)
    amount = scene.number(name)
    tokens = min(max(0, amount - _in_hand(scene)), scene.state.tokens.get(player, 0))  # chips first (reading X-25)
    said = commands.PlaceWager(
        player=player, wager=wager, pick=scene.pick("pick"), amount=amount, tokens=tokens, at=scene.at
    )
    laid = _ordinary(scene, scene.state, said)
    return laid if isinstance(laid, Refusal) else [*laid, events.Noted({name: None}, scene.clause)]


def _ordinary(scene: Scene, state: State, command: commands.AnyCommand) -> Happened | Refusal:
    """Decide an ordinary command, with all the checks of the book."""
    from croupier.table.decide import decide  # imported late: it imports the acts, and so this module

    decision = decide(scene.shelf, state, command)
    return decision if isinstance(decision, Refusal) else list(decision)


# -- where chips lie --------------------------------------------------------------------------------------------------


def _take(scene: Scene) -> commands.TakeWager:
    amount = scene.cents("amount") if "amount" in scene.said else None
    player, wager = scene.text("player"), scene.text("wager")
    return commands.TakeWager(player=player, wager=wager, pick=scene.pick("pick"), amount=amount, at=scene.at)


def _reduction(taken: Happened) -> events.WagerReduced:
    return next(event for event in taken if isinstance(event, events.WagerReduced))


@effect
def move_wager(scene: Scene) -> Happened | Refusal:
    """Move chips to another area at their player's request: take them down, and make a new wager there."""
    taken = _ordinary(scene, scene.state, _take(scene))
    if isinstance(taken, Refusal):
        return taken
    reduced = _reduction(taken)
    bet = commands.PlaceWager(
        player=reduced.player,
        wager=scene.text("to"),
        pick=scene.pick("to_pick"),
        amount=reduced.amount,
        tokens=reduced.tokens,
        checks=tuple((colour, back) for colour, _, back in reduced.checks),
        at=scene.at,
    )
    laid = _ordinary(scene, evolve_all(scene.state, taken), bet)
    return laid if isinstance(laid, Refusal) else [*taken, *laid]


@effect
def correct_position(scene: Scene) -> Happened | Refusal:
    """Move chips that lie in the wrong place, even after the throw, until it is settled (SE-14, NZ-16)."""
    decision = take_wager(scene.shelf, scene.state, _take(scene))
    if isinstance(decision, Refusal):
        return decision
    reduced = msgspec.structs.replace(_reduction(list(decision)), clause=scene.clause)
    taken: Happened = [reduced, *decision[1:]]
    state = evolve_all(scene.state, taken)
    bet = _read(scene, state, reduced.player, "to", reduced.amount)
    if isinstance(bet, Refusal):
        return bet
    bet.tokens = reduced.tokens
    bet.checks = tuple((colour, back) for colour, _, back in reduced.checks)
    refusal = first_refusal(bet, BET_CHECKS)
    return refusal if refusal is not None else [*taken, placed(bet), *_still_late(scene, bet)]


def _read(scene: Scene, state: State, player: str, field: str, amount: int) -> Bet | Refusal:
    pick = scene.pick("pick" if field == "wager" else "to_pick")
    said = commands.PlaceWager(player=player, wager=scene.text(field), pick=pick, amount=amount)
    return read_bet(TableView(scene.shelf, state), said)


def _still_late(scene: Scene, bet: Bet) -> Happened:
    """Carry the unconfirmed part of a late wager over to its new place."""
    source = _area(scene)
    late = late_cents(scene.view, bet.player, source) if source is not None else 0
    return list(late_laid(bet.view, bet.player, bet.area, min(late, bet.amount))) if late else []


# -- refused wagers ---------------------------------------------------------------------------------------------------


@effect
def refuse_wager(scene: Scene) -> Happened | Refusal:
    """Give back a wager, or the refused part of it, with what may no longer lie behind it."""
    player = scene.text("player")
    area = find_standing(scene.view, player, scene.text("wager"), scene.pick("pick"))
    if isinstance(area, Refusal):
        return area
    standing = scene.state.layout[area][player].amount
    amount = scene.cents("amount") if "amount" in scene.said else standing
    refusal = check_amount(scene.view, player, area, amount)
    if refusal is not None:
        return refusal
    happened = _reduced(scene, scene.state, player, area, standing - amount, scene.clause)
    reduced = _reduction(happened)
    late = late_taken(scene.view, player, area, amount)
    return [*happened, *late, *retirement(scene.view, scene.view.wager_of(area), reduced)]
