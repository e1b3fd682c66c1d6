"""How results, throws and turns change a state. There are no rules here; `evolve` applies these."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.table import events, under_way
from croupier.table.state import NO_STAKE, Area, Latest, Stake, Turn, more_checks

if TYPE_CHECKING:
    from croupier.table.evolve import Draft

MOST_REMEMBERED = 1000  # players whose stakes on an area are remembered, including those who have left


def _thrown(draft: Draft, event: events.Thrown) -> None:
    before = msgspec.structs.replace(draft.settle_so_far(), latest=None)
    latest = Latest(event.faces, event.by, before, rested_at=event.rested_at)
    draft.set(latest=latest, results=before.results + 1)
    draft.set(void_run=0)
    _throw_over(draft, under_way.with_the_result)
    if draft.get("fresh"):
        draft.set(fresh={})
    if event.ends_round:
        _count_idle(draft)
    if event.by in draft.get("seats"):  # the thrower may have left since
        draft.set(turn_after=event.by, passed=False, turn_place=None)


def _throw_over(draft: Draft, gone: Callable[[under_way.Facts], list[str]] = under_way.with_the_throw) -> None:
    facts = draft.get("facts")
    if facts:
        draft.forget(gone(facts))


def _count_idle(draft: Draft) -> None:
    """Count rounds without a wager while every place is taken; a free place resets the count."""
    seats = draft.get("settings").seats
    if seats is not None and len(draft.get("seats")) >= seats:
        betting = {player for stakes in draft.get("layout").values() for player in stakes}
        idle = draft.get("idle")
        draft.set(idle={p: idle.get(p, 0) + 1 for p in draft.get("seats") if p not in betting})
    elif draft.get("idle"):
        draft.set(idle={})


def _area_settled(draft: Draft, event: events.AreaSettled) -> None:
    area = event.area
    _remember_stakes(draft, area, event.stakes)
    if event.result == "void":
        _remember_void(draft, event)
    if len(event.stakes) == len(draft.get("layout")[area]):
        draft.drop(area)
    else:
        stakes = draft.stakes(area)
        for player, *_ in event.stakes:
            del stakes[player]
    if event.result != "lose":
        chips = draft.own("chips")
        for player, _, _, returned in event.stakes:
            if player in chips:
                chips[player] += returned
            else:
                draft.pay(player, returned)
    elif draft.get("kept"):
        for player, *_ in event.stakes:
            draft.forget_if_gone(player)
    for player, _, back in event.tokens:
        draft.move_tokens(player, back)
    for player, colour, _, back in event.checks:
        draft.return_checks(player, colour, back)
    if event.wager in (draft.get("void_for")[1], (draft.get("house_throws_for") or (None, None))[1]):
        for player, *_ in event.stakes:
            draft.forget_void_throws(player, event.wager)


def _remember_stakes(draft: Draft, area: Area, stakes: Iterable[events.SettledStake]) -> None:
    """Record the most that each player had there; most throws decide nothing larger, so they copy nothing."""
    known = draft.get("staked").get(area, {})
    more = {player: stake for player, stake, *_ in stakes if stake > known.get(player, 0)}
    if more:
        if len(known) > MOST_REMEMBERED:  # a table that never closes has many guests
            known = {player: stake for player, stake in known.items() if player in draft.get("chips")}
        draft.own("staked")[area] = {**known, **more}


def _remember_void(draft: Draft, event: events.AreaSettled) -> None:
    latest: Latest | None = draft.get("latest")
    if latest is not None:
        voided = tuple((player, event.area, event.clause) for player, *_ in event.stakes)
        draft.set(latest=msgspec.structs.replace(latest, voided=(*latest.voided, *voided)))


def _area_moved(draft: Draft, event: events.AreaMoved) -> None:
    area = event.area
    target = area._replace(state=event.to)
    if target not in draft.get("layout") and len(event.players) == len(draft.get("layout")[area]):
        draft.rename(area, target)
        return
    leaving, arriving = draft.stakes(area), draft.stakes(target)
    for player in event.players:
        here, new = arriving.get(player, NO_STAKE), leaving.pop(player)
        amount, tokens = here.amount + new.amount, here.tokens + new.tokens
        checks = more_checks(here.checks, new.checks)
        arriving[player] = Stake(amount, here.commission + new.commission, new.called, tokens, checks)
    if not leaving:
        draft.drop(area)


def _turn_passed(draft: Draft, event: events.TurnPassed) -> None:
    if event.player in draft.get("seats"):  # if the thrower has left since, the turn is already with the next seat
        draft.set(turn_after=event.player, passed=True, turn_place=None)
    draft.forget(under_way.with_the_turn(draft.get("facts"), event.player))


def _turn_opened(draft: Draft, event: events.TurnOpened) -> None:
    draft.set(passed=False)
    draft.forget(under_way.with_the_house_turn(draft.get("facts")))


def _throw_voided(draft: Draft, event: events.ThrowVoided) -> None:
    _throw_over(draft)
    if event.run:
        draft.set(void_run=event.run, void_for=(event.by, event.wager))


def _outcome_invalidated(draft: Draft, event: events.OutcomeInvalidated) -> None:
    _throw_over(draft)
    draft.set(latest=None, results=draft.get("results") + 1)


def _result_taken_back(draft: Draft, event: events.ResultTakenBack) -> None:
    """Restore phases, layout and turn to just before; keep seats, signs and money, less what is undone."""
    latest: Latest = draft.get("latest")
    before = latest.before
    draft.settle_so_far()
    draft.set(phases=dict(before.phases), layout=dict(before.layout), bets_open=before.bets_open)
    draft.set(fresh=dict(before.fresh), idle=dict(before.idle), staked=dict(before.staked))
    draft.set(latest=None, results=before.results)
    _set_turn(draft, before.turn)
    for settled in event.settled:
        for player, _, _, returned in settled.stakes if settled.result != "lose" else ():
            draft.pay(player, -returned)
        for player, _, back in settled.tokens:
            draft.move_tokens(player, -back)
        for player, colour, _, back in settled.checks:
            draft.return_checks(player, colour, -back)
    for reduced in event.reduced:
        draft.pay(reduced.player, reduced.tokens - reduced.amount - reduced.commission)
        if reduced.tokens:
            draft.move_tokens(reduced.player, -reduced.tokens)
        for colour, _, back in reduced.checks:
            draft.return_checks(reduced.player, colour, -back)
    for stakes in before.layout.values():
        for player in stakes:  # including players who have left but whose wager stands again
            if player not in draft.get("chips") and player not in draft.get("kept"):
                draft.own("kept")[player] = 0
            draft.turn_into_value_chips(player)
    draft.remember(event.facts)


def _set_turn(draft: Draft, turn: Turn) -> None:
    """Restore the turn; if it was counted from a player who has left since, leave it unchanged."""
    draft.set(void_run=turn.void_run, void_for=turn.void_for, house_throws_for=turn.house_throws_for)
    if turn.after is None or turn.after in draft.get("seats"):
        draft.set(turn_after=turn.after, passed=turn.passed, turn_place=turn.place)


def _play_resumed(draft: Draft, event: events.PlayResumed) -> None:
    _set_turn(draft, event.turn)
    draft.set(bets_open=event.bets_open)
    latest: Latest | None = draft.get("latest")
    if latest is not None and event.taken:
        draft.set(latest=msgspec.structs.replace(latest, taken=event.taken))
    draft.remember(event.facts)


APPLY: dict[type, Callable[[Draft, Any], None]] = {
    events.BetsClosed: lambda draft, event: draft.set(bets_open=False),
    events.BetsOpened: lambda draft, event: draft.set(bets_open=True),
    events.Thrown: _thrown,
    events.AreaSettled: _area_settled,
    events.AreaMoved: _area_moved,
    events.PhaseMoved: lambda draft, event: draft.own("phases").update({event.phase: event.now}),
    events.TurnPassed: _turn_passed,
    events.TurnOpened: _turn_opened,
    events.HouseThrowsOn: lambda draft, event: draft.set(house_throws_for=(event.player, event.wager)),
    events.ThrowVoided: _throw_voided,
    events.OutcomeInvalidated: _outcome_invalidated,
    events.ResultTakenBack: _result_taken_back,
    events.PlayResumed: _play_resumed,
}
