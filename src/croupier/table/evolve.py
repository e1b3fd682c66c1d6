"""What an event makes of a state. No rules here: an event says all that changed, and replay is a fold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from croupier.table import events, forgetting
from croupier.table.state import Area, Stake, Stakes, State

NO_STAKE = Stake(0)
MOST_REMEMBERED = 1000  # players whose stakes are remembered, those who have left included


def evolve(state: State, event: events.AnyEvent) -> State:
    """The state after one event."""
    return evolve_all(state, (event,))


def evolve_all(state: State, happened: Iterable[events.AnyEvent]) -> State:
    """The state after several events. The given state stays as it is."""
    draft = Draft(state)
    for event in happened:
        _APPLY[type(event)](draft, event)
    return draft.done()


class Draft:
    """A state being made: copies what it touches, once."""

    __slots__ = ("_owned", "before", "changes")

    def __init__(self, state: State) -> None:
        self.before = state
        self.changes: dict[str, Any] = {}
        self._owned: set[Area] = set()

    def done(self) -> State:
        """The finished state."""
        return msgspec.structs.replace(self.before, **self.changes) if self.changes else self.before

    def set(self, **changes: object) -> None:
        """Replace whole fields."""
        self.changes.update(changes)

    def get(self, name: str) -> Any:  # noqa: ANN401  # a field of State, whatever its type
        """A field as it stands in the draft."""
        return self.changes.get(name, getattr(self.before, name))

    def own(self, name: str) -> Any:  # noqa: ANN401
        """A mutable copy of a dict field, made at first use."""
        if name not in self.changes:
            self.changes[name] = dict(getattr(self.before, name))
        return self.changes[name]

    def stakes(self, area: Area) -> Stakes:
        """A mutable copy of the stakes of an area, made at first use."""
        layout: dict[Area, Stakes] = self.own("layout")
        if area not in self._owned:
            layout[area] = dict(layout.get(area, {}))
            self._owned.add(area)
        return layout[area]

    def drop_if_empty(self, area: Area) -> None:
        """An area without stakes is no area."""
        layout: dict[Area, Stakes] = self.own("layout")
        if not layout[area]:
            del layout[area]
            self._owned.discard(area)


def _table_opened(draft: Draft, event: events.TableOpened) -> None:
    draft.set(terms=(event.terms,), settings=event.settings, phases=dict(event.phases))


def _player_seated(draft: Draft, event: events.PlayerSeated) -> None:
    draft.own("chips")[event.player] = event.chips
    draft.set(seats=(*draft.get("seats"), event.player))
    if not event.card:
        draft.set(without_card=draft.get("without_card") | {event.player})
    if event.area is not None:
        draft.own("facts")[f"area {event.player}"] = event.area


def _chips_bought(draft: Draft, event: events.ChipsBought) -> None:
    draft.own("chips")[event.player] += event.chips


def _tokens_issued(draft: Draft, event: events.TokensIssued) -> None:
    _move_tokens(draft, event.player, event.tokens)
    draft.own("facts")[f"tokens {event.player}"] = event.conditions


def _move_tokens(draft: Draft, player: str, tokens: int) -> None:
    """So many tokens more, or fewer, in hand."""
    in_hand = draft.own("tokens")
    in_hand[player] = in_hand.get(player, 0) + tokens


def _wager_placed(draft: Draft, event: events.WagerPlaced) -> None:
    area, player = event.area, event.player
    stakes = draft.stakes(area)
    old = stakes.get(player, NO_STAKE)
    stakes[player] = Stake(event.stake, old.commission + event.commission, old.called, old.tokens + event.tokens)
    draft.own("chips")[player] -= event.amount + event.commission - event.tokens
    if event.tokens:
        _move_tokens(draft, player, -event.tokens)
    if not old.amount:
        draft.own("fresh")[(player, area)] = True


def _wager_reduced(draft: Draft, event: events.WagerReduced) -> None:
    area = event.area
    stakes = draft.stakes(area)
    old = stakes[event.player]
    if event.stake:
        commission, tokens = old.commission - event.commission, old.tokens - event.tokens
        stakes[event.player] = Stake(event.stake, commission, old.called, tokens)
    else:
        del stakes[event.player]
        draft.drop_if_empty(area)
        _forget_void_throws(draft, event.player, event.wager)
    draft.own("chips")[event.player] += event.amount + event.commission - event.tokens
    if event.tokens:
        _move_tokens(draft, event.player, event.tokens)


def _forget_void_throws(draft: Draft, player: str, wager: str) -> None:
    """Void throws count towards a wager; with the wager gone they are forgotten, and nobody throws for its player."""
    if draft.get("house_throws_for") == (player, wager):
        draft.set(house_throws_for=None)
    if draft.get("void_for") == (player, wager):
        draft.set(void_run=0)


def _wager_called(draft: Draft, event: events.WagerCalled) -> None:
    stakes = draft.stakes(event.area)
    old = stakes[event.player]
    stakes[event.player] = Stake(old.amount, old.commission, event.on, old.tokens)


def _bets_closed(draft: Draft, event: events.BetsClosed) -> None:
    draft.set(bets_open=False)


def _bets_opened(draft: Draft, event: events.BetsOpened) -> None:
    draft.set(bets_open=True)


def _thrown(draft: Draft, event: events.Thrown) -> None:
    draft.set(void_run=0)
    _throw_over(draft)
    if draft.get("fresh"):
        draft.set(fresh={})
    if event.ends_round:
        _count_idle(draft)
    if event.by in draft.get("seats"):  # who threw may have left since
        draft.set(turn_after=event.by, passed=False, turn_from=None)


def _count_idle(draft: Draft) -> None:
    """Rounds without a wager count while every place is taken; with a free one the count begins anew."""
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
    chips = draft.own("chips")
    if len(event.stakes) == len(draft.get("layout")[area]):
        del draft.own("layout")[area]
        draft._owned.discard(area)
    else:
        stakes = draft.stakes(area)
        for player, *_ in event.stakes:
            del stakes[player]
    if event.result != "lose":
        for player, _, _, returned in event.stakes:
            chips[player] += returned
    for player, _, back in event.tokens:
        _move_tokens(draft, player, back)
    if event.wager in (draft.get("void_for")[1], (draft.get("house_throws_for") or (None, None))[1]):
        for player, *_ in event.stakes:
            _forget_void_throws(draft, player, event.wager)


def _remember_stakes(draft: Draft, area: Area, stakes: Iterable[events.SettledStake]) -> None:
    """The most that each player had there; most throws decide no more than was decided before."""
    for player, stake, *_ in stakes:
        known = draft.get("staked").get(player, {})
        if known.get(area, 0) < stake:
            remembered = draft.own("staked")
            remembered[player] = {**known, area: stake}
            if len(remembered) > MOST_REMEMBERED:
                _forget_one_who_left(draft)


def _forget_one_who_left(draft: Draft) -> None:
    """The first of those who are not at the table any more; a table that never closes has many guests."""
    remembered, here = draft.own("staked"), draft.get("chips")
    gone = next((player for player in remembered if player not in here), None)
    if gone is not None:
        del remembered[gone]


def _area_moved(draft: Draft, event: events.AreaMoved) -> None:
    area = event.area
    target = area._replace(state=event.to)
    if target not in draft.get("layout") and len(event.players) == len(draft.get("layout")[area]):
        layout = draft.own("layout")
        layout[target] = layout.pop(area)
        if area in draft._owned:
            draft._owned.discard(area)
            draft._owned.add(target)
        return
    leaving, arriving = draft.stakes(area), draft.stakes(target)
    for player in event.players:
        here, new = arriving.get(player, NO_STAKE), leaving.pop(player)
        amount, tokens = here.amount + new.amount, here.tokens + new.tokens
        arriving[player] = Stake(amount, here.commission + new.commission, new.called, tokens)
    draft.drop_if_empty(area)


def _phase_moved(draft: Draft, event: events.PhaseMoved) -> None:
    draft.own("phases")[event.phase] = event.now


def _turn_passed(draft: Draft, event: events.TurnPassed) -> None:
    if event.player in draft.get("seats"):  # who threw may have left since, and the turn is the next seat's already
        draft.set(turn_after=event.player, passed=True, turn_from=None)
    _forget(draft, forgetting.with_the_turn(draft.get("facts"), event.player))


def _turn_opened(draft: Draft, event: events.TurnOpened) -> None:
    draft.set(passed=False)
    _forget(draft, forgetting.with_the_house_turn(draft.get("facts")))


def _forget(draft: Draft, names: Iterable[str]) -> None:
    for name in names:
        if name in draft.get("facts"):
            del draft.own("facts")[name]


def _throw_over(draft: Draft) -> None:
    facts = draft.get("facts")
    if facts:
        _forget(draft, forgetting.with_the_throw(facts))


def _house_throws_on(draft: Draft, event: events.HouseThrowsOn) -> None:
    draft.set(house_throws_for=(event.player, event.wager))


def _throw_voided(draft: Draft, event: events.ThrowVoided) -> None:
    _throw_over(draft)
    if event.run:
        draft.set(void_run=event.run, void_for=(event.by, event.wager))


def _player_left(draft: Draft, event: events.PlayerLeft) -> None:
    del draft.own("chips")[event.player]
    _hand_turn_on(draft, event.player)
    draft.set(seats=tuple(player for player in draft.get("seats") if player != event.player))
    draft.set(without_card=draft.get("without_card") - {event.player})
    if event.player in draft.get("idle"):
        del draft.own("idle")[event.player]
    if event.player in draft.get("tokens"):
        del draft.own("tokens")[event.player]
    settings = draft.get("settings")
    if event.player in settings.player_limits:  # the sign was for this player, not for whoever comes next
        signs = {name: limit for name, limit in settings.player_limits.items() if name != event.player}
        draft.set(settings=msgspec.structs.replace(settings, player_limits=signs))


def _hand_turn_on(draft: Draft, player: str) -> None:
    """Where the turn is counted from a seat that is given up, it is the next one's."""
    seats = draft.get("seats")
    if player in (draft.get("turn_after"), draft.get("turn_from")):
        following = seats[(seats.index(player) + 1) % len(seats)]
        draft.set(turn_after=None, passed=False, turn_from=following if following != player else None)


def _remembered(draft: Draft, event: events.ActDone | events.Noted) -> None:
    facts = draft.own("facts") if event.facts else {}
    for name, value in event.facts.items():
        if value is None:
            facts.pop(name, None)
        else:
            facts[name] = value


def _sign_changed(draft: Draft, event: events.SignChanged) -> None:
    draft.set(settings=event.settings)


def _table_reopened(draft: Draft, event: events.TableReopened) -> None:
    draft.set(bets_open=True, turn_after=None, passed=False, turn_from=None, fresh={}, idle={}, staked={})
    draft.set(void_run=0, void_for=(None, None), house_throws_for=None)


def _payment_corrected(draft: Draft, event: events.PaymentCorrected) -> None:
    draft.own("chips")[event.player] += event.cents


def _outcome_invalidated(draft: Draft, event: events.OutcomeInvalidated) -> None:
    _throw_over(draft)


def _rules_adopted(draft: Draft, event: events.RulesAdopted) -> None:
    draft.set(terms=(*draft.get("terms"), event.terms))


def _nothing(draft: Draft, event: events.AnyEvent) -> None:
    """The event is for the record alone."""


_APPLY: dict[type, Callable[[Draft, Any], None]] = {
    events.TableOpened: _table_opened,
    events.PlayerSeated: _player_seated,
    events.ChipsBought: _chips_bought,
    events.TokensIssued: _tokens_issued,
    events.PlayerLeft: _player_left,
    events.WagerPlaced: _wager_placed,
    events.WagerReduced: _wager_reduced,
    events.WagerFound: _nothing,
    events.WagerCalled: _wager_called,
    events.BetsClosed: _bets_closed,
    events.BetsOpened: _bets_opened,
    events.Thrown: _thrown,
    events.AreaSettled: _area_settled,
    events.AreaMoved: _area_moved,
    events.PhaseMoved: _phase_moved,
    events.TurnPassed: _turn_passed,
    events.TurnOpened: _turn_opened,
    events.HouseThrowsOn: _house_throws_on,
    events.ThrowVoided: _throw_voided,
    events.OutcomeInvalidated: _outcome_invalidated,
    events.CommandGiven: _nothing,
    events.ActDone: _remembered,
    events.Noted: _remembered,
    events.SignChanged: _sign_changed,
    events.TableReopened: _table_reopened,
    events.PaymentCorrected: _payment_corrected,
    events.FloatMoved: _nothing,
    events.RulesShown: _nothing,
    events.MispaymentsReported: _nothing,
    events.RulesAdopted: _rules_adopted,
}
