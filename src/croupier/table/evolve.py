"""Apply events to a state. There are no rules here: an event states everything that changed, and replay is a fold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from croupier.table import events, under_way
from croupier.table.state import Area, Checks, Latest, Stake, Stakes, State, Turn

NO_STAKE = Stake(0)
MOST_REMEMBERED = 1000  # players whose stakes on an area are remembered, including those who have left


def evolve(state: State, event: events.AnyEvent) -> State:
    """Return the state after one event."""
    return evolve_all(state, (event,))


def evolve_all(state: State, happened: Iterable[events.AnyEvent]) -> State:
    """Return the state after several events. The given state is not modified."""
    draft = Draft(state)
    for event in happened:
        _APPLY[type(event)](draft, event)
    return draft.done()


class Draft:
    """A state under construction: copies each part it touches, once."""

    __slots__ = ("_owned", "before", "changes")

    def __init__(self, state: State) -> None:
        self.before = state
        self.changes: dict[str, Any] = {}
        self._owned: set[Area] = set()

    def done(self) -> State:
        """Return the finished state."""
        return msgspec.structs.replace(self.before, **self.changes) if self.changes else self.before

    def set(self, **changes: object) -> None:
        """Replace whole fields."""
        self.changes.update(changes)

    def get(self, name: str) -> Any:  # noqa: ANN401  # a field of State, of any type
        """Return the current value of a field in the draft."""
        return self.changes.get(name, getattr(self.before, name))

    def own(self, name: str) -> Any:  # noqa: ANN401
        """Return a mutable copy of a dict field, made on first use."""
        if name not in self.changes:
            self.changes[name] = dict(getattr(self.before, name))
        return self.changes[name]

    def stakes(self, area: Area) -> Stakes:
        """Return a mutable copy of the stakes of an area, made on first use."""
        layout: dict[Area, Stakes] = self.own("layout")
        if area not in self._owned:
            layout[area] = dict(layout.get(area, {}))
            self._owned.add(area)
        return layout[area]

    def settle_so_far(self) -> State:
        """Freeze the state so far and return it; later changes are drafted on top."""
        self.before = self.done()
        self.changes = {}
        self._owned = set()
        return self.before

    def drop_if_empty(self, area: Area) -> None:
        """Remove an area without stakes."""
        layout: dict[Area, Stakes] = self.own("layout")
        if not layout[area]:
            del layout[area]
            self._owned.discard(area)


def _table_opened(draft: Draft, event: events.TableOpened) -> None:
    draft.set(terms=(event.terms,), settings=event.settings, phases=dict(event.phases))


def _player_seated(draft: Draft, event: events.PlayerSeated) -> None:
    kept = draft.own("kept").pop(event.player) if event.player in draft.get("kept") else 0
    draft.own("chips")[event.player] = event.chips + kept
    _bring(draft, event.chips)
    places = draft.own("places")
    places[event.player] = next_place(places) if event.place is None else event.place
    draft.set(seats=tuple(sorted((*draft.get("seats"), event.player), key=places.__getitem__)))
    if not event.card:
        draft.set(without_card=draft.get("without_card") | {event.player})
    if event.area is not None:
        draft.own("facts")[f"area {event.player}"] = event.area


def next_place(places: dict[str, int]) -> int:
    """Return the place clockwise of the last one taken."""
    return max(places.values(), default=0) + 1


def _chips_bought(draft: Draft, event: events.ChipsBought) -> None:
    draft.own("chips")[event.player] += event.chips
    if event.means is None:  # otherwise they come from the float
        _bring(draft, event.chips)
    if event.checks is not None:
        _move_checks(draft, event.player, event.checks, event.chips)


def _bring(draft: Draft, cents: int) -> None:
    """Add chips to the table, or remove them if negative."""
    draft.set(brought=draft.get("brought") + cents)


def _checks_redeemed(draft: Draft, event: events.ChecksRedeemed) -> None:
    _move_checks(draft, event.player, event.checks, -event.cents)


def _move_checks(draft: Draft, player: str, colour: str, cents: int) -> None:
    """Change how much of a player's chips in hand is in checks of a colour."""
    held = draft.own("checks")
    own = held.get(player, {})
    held[player] = {**own, colour: own.get(colour, 0) + cents}


def _checks_back(draft: Draft, player: str, colour: str, cents: int) -> None:
    """Return checks to a player's hand, or take them if negative; as value chips if the player has no such checks."""
    if player in draft.get("chips") and f"checks {colour} {player}" in draft.get("facts"):
        in_hand = draft.get("checks").get(player, {}).get(colour, 0)
        _move_checks(draft, player, colour, max(cents, -in_hand))


def _in_value_chips(draft: Draft, player: str) -> None:
    """Turn checks on the layout into value chips if their player has left or no longer has that colour."""
    facts = draft.get("facts") if player in draft.get("chips") else {}
    for area, stakes in list(draft.get("layout").items()):
        stake = stakes.get(player)
        if stake is not None and stake.checks:
            checks = tuple(row for row in stake.checks if f"checks {row[0]} {player}" in facts)
            draft.stakes(area)[player] = msgspec.structs.replace(stake, checks=checks)


def _more_checks(laid: Checks, more: Iterable[tuple[str, int]]) -> Checks:
    """Add checks to those of a stake, or remove them if negative."""
    there = dict(laid)
    for colour, cents in more:
        there[colour] = there.get(colour, 0) + cents
    return tuple((colour, cents) for colour, cents in there.items() if cents)


def _tokens_issued(draft: Draft, event: events.TokensIssued) -> None:
    _move_tokens(draft, event.player, event.tokens)
    draft.own("facts")[f"tokens {event.player}"] = event.conditions


def _pay(draft: Draft, player: str, cents: int) -> None:
    """Pay chips into a player's hand, or keep them for a player who has left; negative takes them back."""
    if player in draft.get("chips"):
        draft.own("chips")[player] += cents
        return
    kept = draft.own("kept")
    kept[player] = kept.get(player, 0) + cents
    _forget_if_gone(draft, player)


def _forget_if_gone(draft: Draft, player: str) -> None:
    """Forget an absent player once they have no wager standing and nothing kept for them."""
    away = not draft.get("kept").get(player, 1)
    if away and not any(player in stakes for stakes in draft.get("layout").values()):
        del draft.own("kept")[player]
        if not draft.get("tokens").get(player, 1):
            del draft.own("tokens")[player]
            draft.own("facts").pop(f"tokens {player}", None)


def _move_tokens(draft: Draft, player: str, tokens: int) -> None:
    """Change a player's tokens in hand."""
    in_hand = draft.own("tokens")
    in_hand[player] = in_hand.get(player, 0) + tokens


def _wager_placed(draft: Draft, event: events.WagerPlaced) -> None:
    area, player = event.area, event.player
    stakes = draft.stakes(area)
    old = stakes.get(player, NO_STAKE)
    commission, tokens = old.commission + event.commission, old.tokens + event.tokens
    checks = _more_checks(old.checks, event.checks) if event.checks else old.checks
    stakes[player] = Stake(event.stake, commission, old.called, tokens, checks)
    draft.own("chips")[player] -= event.amount + event.commission - event.tokens
    for colour, cents in event.checks:
        _move_checks(draft, player, colour, -cents)
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
        checks = _more_checks(old.checks, ((colour, -off) for colour, off, _ in event.checks))
        stakes[event.player] = Stake(event.stake, commission, old.called, tokens, checks)
    else:
        del stakes[event.player]
        draft.drop_if_empty(area)
        _forget_void_throws(draft, event.player, event.wager)
    _pay(draft, event.player, event.amount + event.commission - event.tokens)
    if event.tokens:
        _move_tokens(draft, event.player, event.tokens)
    for colour, _, back in event.checks:
        _checks_back(draft, event.player, colour, back)


def _forget_void_throws(draft: Draft, player: str, wager: str) -> None:
    """Forget the void throws counted towards a wager that is gone; the house stops throwing for its player."""
    if draft.get("house_throws_for") == (player, wager):
        draft.set(house_throws_for=None)
    if draft.get("void_for") == (player, wager):
        draft.set(void_run=0)


def _wager_called(draft: Draft, event: events.WagerCalled) -> None:
    stakes = draft.stakes(event.area)
    old = stakes[event.player]
    stakes[event.player] = Stake(old.amount, old.commission, event.on, old.tokens, old.checks)


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
        del draft.own("layout")[area]
        draft._owned.discard(area)
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
                _pay(draft, player, returned)
    elif draft.get("kept"):
        for player, *_ in event.stakes:
            _forget_if_gone(draft, player)
    for player, _, back in event.tokens:
        _move_tokens(draft, player, back)
    for player, colour, _, back in event.checks:
        _checks_back(draft, player, colour, back)
    if event.wager in (draft.get("void_for")[1], (draft.get("house_throws_for") or (None, None))[1]):
        for player, *_ in event.stakes:
            _forget_void_throws(draft, player, event.wager)


def _remember_stakes(draft: Draft, area: Area, stakes: Iterable[events.SettledStake]) -> None:
    """Record the most that each player had there; most throws decide nothing larger, so they copy nothing."""
    known = draft.get("staked").get(area, {})
    more = {player: stake for player, stake, *_ in stakes if stake > known.get(player, 0)}
    if more:
        if len(known) > MOST_REMEMBERED:  # a table that never closes has many guests
            known = {player: stake for player, stake in known.items() if player in draft.get("chips")}
        draft.own("staked")[area] = {**known, **more}


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
        checks = _more_checks(here.checks, new.checks)
        arriving[player] = Stake(amount, here.commission + new.commission, new.called, tokens, checks)
    draft.drop_if_empty(area)


def _phase_moved(draft: Draft, event: events.PhaseMoved) -> None:
    draft.own("phases")[event.phase] = event.now


def _turn_passed(draft: Draft, event: events.TurnPassed) -> None:
    if event.player in draft.get("seats"):  # if the thrower has left since, the turn is already with the next seat
        draft.set(turn_after=event.player, passed=True, turn_place=None)
    _forget(draft, under_way.with_the_turn(draft.get("facts"), event.player))


def _turn_opened(draft: Draft, event: events.TurnOpened) -> None:
    draft.set(passed=False)
    _forget(draft, under_way.with_the_house_turn(draft.get("facts")))


def _remember_void(draft: Draft, event: events.AreaSettled) -> None:
    latest: Latest | None = draft.get("latest")
    if latest is not None:
        voided = tuple((player, event.area, event.clause) for player, *_ in event.stakes)
        draft.set(latest=msgspec.structs.replace(latest, voided=(*latest.voided, *voided)))


def _forget(draft: Draft, names: Iterable[str]) -> None:
    for name in names:
        if name in draft.get("facts"):
            del draft.own("facts")[name]


def _throw_over(draft: Draft, gone: Callable[[under_way.Facts], list[str]] = under_way.with_the_throw) -> None:
    facts = draft.get("facts")
    if facts:
        _forget(draft, gone(facts))


def _house_throws_on(draft: Draft, event: events.HouseThrowsOn) -> None:
    draft.set(house_throws_for=(event.player, event.wager))


def _throw_voided(draft: Draft, event: events.ThrowVoided) -> None:
    _throw_over(draft)
    if event.run:
        draft.set(void_run=event.run, void_for=(event.by, event.wager))


def _player_left(draft: Draft, event: events.PlayerLeft) -> None:
    stands = any(event.player in stakes for stakes in draft.get("layout").values())
    if stands:
        draft.own("kept")[event.player] = 0
    _bring(draft, -event.chips)
    if event.player not in draft.get("chips"):  # what was kept is handed over
        if event.player in draft.get("tokens"):
            _hand_tokens_back(draft, event.player)
        if not stands:
            del draft.own("kept")[event.player]
        return
    del draft.own("chips")[event.player]
    if stands:
        _in_value_chips(draft, event.player)
    place = draft.own("places").pop(event.player)
    draft.set(seats=tuple(player for player in draft.get("seats") if player != event.player))
    _count_from(draft, event.player, place)
    draft.set(without_card=draft.get("without_card") - {event.player})
    if event.player in draft.get("idle"):
        del draft.own("idle")[event.player]
    if event.player in draft.get("tokens"):
        _hand_tokens_back(draft, event.player)
    if event.player in draft.get("checks"):
        del draft.own("checks")[event.player]
    settings = draft.get("settings")
    if event.player in settings.player_limits:  # the sign was for this player, not for the next one of that name
        signs = {name: limit for name, limit in settings.player_limits.items() if name != event.player}
        draft.set(settings=msgspec.structs.replace(settings, player_limits=signs))


def _hand_tokens_back(draft: Draft, player: str) -> None:
    """Hand tokens back to the house; those still on the layout stay tokens."""
    if any(player in stakes and stakes[player].tokens for stakes in draft.get("layout").values()):
        draft.own("tokens")[player] = 0
    else:
        del draft.own("tokens")[player]


def _count_from(draft: Draft, player: str, place: int) -> None:
    """Count the turn from the place of a player who leaves instead of the player; an empty table starts over."""
    if player == draft.get("turn_after"):
        draft.set(turn_after=None, passed=False, turn_place=place)
    if not draft.get("seats"):
        draft.set(turn_place=None)


Remembering = events.ActDone | events.Noted | events.ResultTakenBack | events.PlayResumed


def _remembered(draft: Draft, event: Remembering) -> None:
    facts = draft.own("facts") if event.facts else {}
    for name, value in event.facts.items():
        if value is None:
            facts.pop(name, None)
        else:
            facts[name] = value


def _sign_changed(draft: Draft, event: events.SignChanged) -> None:
    draft.set(settings=event.settings)


def _table_reopened(draft: Draft, event: events.TableReopened) -> None:
    draft.set(bets_open=True, turn_after=None, passed=False, turn_place=None, fresh={}, idle={}, staked={})
    draft.set(void_run=0, void_for=(None, None), house_throws_for=None, latest=None, results=0)


def _payment_corrected(draft: Draft, event: events.PaymentCorrected) -> None:
    _pay(draft, event.player, event.cents)
    latest: Latest | None = draft.get("latest")
    if latest is not None:
        draft.set(latest=msgspec.structs.replace(latest, reimbursed=(*latest.reimbursed, event.player)))


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
            _pay(draft, player, -returned)
        for player, _, back in settled.tokens:
            _move_tokens(draft, player, -back)
        for player, colour, _, back in settled.checks:
            _checks_back(draft, player, colour, -back)
    for reduced in event.reduced:
        _pay(draft, reduced.player, reduced.tokens - reduced.amount - reduced.commission)
        if reduced.tokens:
            _move_tokens(draft, reduced.player, -reduced.tokens)
        for colour, _, back in reduced.checks:
            _checks_back(draft, reduced.player, colour, -back)
    for stakes in before.layout.values():
        for player in stakes:  # including players who have left but whose wager stands again
            if player not in draft.get("chips") and player not in draft.get("kept"):
                draft.own("kept")[player] = 0
            _in_value_chips(draft, player)
    _remembered(draft, event)


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
    _remembered(draft, event)


def _debt_incurred(draft: Draft, event: events.DebtIncurred) -> None:
    _pay(draft, event.player, event.cents)
    owing = draft.own("owing")
    owing[event.player] = owing.get(event.player, 0) + event.cents


def _debt_paid(draft: Draft, event: events.DebtPaid) -> None:
    _pay(draft, event.player, -event.cents)
    owing = draft.own("owing")
    owing[event.player] -= event.cents
    if not owing[event.player]:
        del owing[event.player]


def _rules_adopted(draft: Draft, event: events.RulesAdopted) -> None:
    draft.set(terms=(*draft.get("terms"), event.terms), latest=None)


def _nothing(draft: Draft, event: events.AnyEvent) -> None:
    """Change nothing: the event is only for the record."""


_APPLY: dict[type, Callable[[Draft, Any], None]] = {
    events.TableOpened: _table_opened,
    events.PlayerSeated: _player_seated,
    events.ChipsBought: _chips_bought,
    events.ChecksRedeemed: _checks_redeemed,
    events.TokensIssued: _tokens_issued,
    events.PlayerLeft: _player_left,
    events.WagerPlaced: _wager_placed,
    events.WagerReduced: _wager_reduced,
    events.WagerFound: _nothing,
    events.WagerCalled: _wager_called,
    events.BetsClosed: lambda draft, event: draft.set(bets_open=False),
    events.BetsOpened: lambda draft, event: draft.set(bets_open=True),
    events.Thrown: _thrown,
    events.AreaSettled: _area_settled,
    events.AreaMoved: _area_moved,
    events.PhaseMoved: _phase_moved,
    events.TurnPassed: _turn_passed,
    events.TurnOpened: _turn_opened,
    events.HouseThrowsOn: _house_throws_on,
    events.ThrowVoided: _throw_voided,
    events.OutcomeInvalidated: _outcome_invalidated,
    events.ResultTakenBack: _result_taken_back,
    events.PlayResumed: _play_resumed,
    events.DebtIncurred: _debt_incurred,
    events.DebtPaid: _debt_paid,
    events.CommandGiven: _nothing,
    events.TimeTold: lambda draft, event: draft.set(time=event.at),
    events.ActDone: _remembered,
    events.Noted: _remembered,
    events.SignChanged: _sign_changed,
    events.TableReopened: _table_reopened,
    events.PaymentCorrected: _payment_corrected,
    events.FloatMoved: lambda draft, event: _bring(draft, event.cents),
    events.FloatCounted: lambda draft, event: _bring(draft, event.difference),
    events.RulesShown: _nothing,
    events.MispaymentsReported: _nothing,
    events.RulesAdopted: _rules_adopted,
}
