"""Apply events to a state. There are no rules here: an event states everything that changed, and replay is a fold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from croupier.rules.schema import Fact
from croupier.table import events, evolve_results
from croupier.table.state import NO_STAKE, Area, Latest, Stake, Stakes, State, more_checks


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

    def drop(self, area: Area) -> None:
        """Remove an area."""
        del self.own("layout")[area]
        self._owned.discard(area)

    def rename(self, area: Area, target: Area) -> None:
        """Move everything on an area to a new one."""
        layout: dict[Area, Stakes] = self.own("layout")
        layout[target] = layout.pop(area)
        if area in self._owned:
            self._owned.discard(area)
            self._owned.add(target)

    # Chips and facts

    def pay(self, player: str, cents: int) -> None:
        """Pay chips into a player's hand, or keep them for a player who has left; negative takes them back."""
        if player in self.get("chips"):
            self.own("chips")[player] += cents
            return
        kept = self.own("kept")
        kept[player] = kept.get(player, 0) + cents
        self.forget_if_gone(player)

    def bring(self, cents: int) -> None:
        """Add chips to the table, or remove them if negative."""
        self.set(brought=self.get("brought") + cents)

    def forget_if_gone(self, player: str) -> None:
        """Forget an absent player once they have no wager standing and nothing kept for them."""
        away = not self.get("kept").get(player, 1)
        if away and not any(player in stakes for stakes in self.get("layout").values()):
            del self.own("kept")[player]
            if not self.get("tokens").get(player, 1):
                del self.own("tokens")[player]
                self.own("facts").pop(f"tokens {player}", None)

    def move_tokens(self, player: str, tokens: int) -> None:
        """Change a player's tokens in hand."""
        in_hand = self.own("tokens")
        in_hand[player] = in_hand.get(player, 0) + tokens

    def move_checks(self, player: str, colour: str, cents: int) -> None:
        """Change how much of a player's chips in hand is in checks of a colour."""
        held = self.own("checks")
        own = held.get(player, {})
        held[player] = {**own, colour: own.get(colour, 0) + cents}

    def return_checks(self, player: str, colour: str, cents: int) -> None:
        """Return checks to a player's hand, or take them if negative; without such checks, as value chips."""
        if player in self.get("chips") and f"checks {colour} {player}" in self.get("facts"):
            in_hand = self.get("checks").get(player, {}).get(colour, 0)
            self.move_checks(player, colour, max(cents, -in_hand))

    def turn_into_value_chips(self, player: str) -> None:
        """Turn checks on the layout into value chips if their player has left or no longer has that colour."""
        facts = self.get("facts") if player in self.get("chips") else {}
        for area, stakes in list(self.get("layout").items()):
            stake = stakes.get(player)
            if stake is not None and stake.checks:
                checks = tuple(row for row in stake.checks if f"checks {row[0]} {player}" in facts)
                self.stakes(area)[player] = msgspec.structs.replace(stake, checks=checks)

    def forget_void_throws(self, player: str, wager: str) -> None:
        """Forget the void throws counted towards a wager that is gone; the house stops throwing for its player."""
        if self.get("house_throws_for") == (player, wager):
            self.set(house_throws_for=None)
        if self.get("void_for") == (player, wager):
            self.set(void_run=0)

    def remember(self, changes: Mapping[str, Fact | None]) -> None:
        """Set facts, or clear them (None)."""
        facts = self.own("facts") if changes else {}
        for name, value in changes.items():
            if value is None:
                facts.pop(name, None)
            else:
                facts[name] = value

    def forget(self, names: Iterable[str]) -> None:
        """Clear the facts with these names, where set."""
        for name in names:
            if name in self.get("facts"):
                del self.own("facts")[name]


# -- the table ---------------------------------------------------------------------------------------------------------


def _table_opened(draft: Draft, event: events.TableOpened) -> None:
    draft.set(terms=(event.terms,), settings=event.settings, phases=dict(event.phases))


def _table_reopened(draft: Draft, event: events.TableReopened) -> None:
    draft.set(bets_open=True, turn_after=None, passed=False, turn_place=None, fresh={}, idle={}, staked={})
    draft.set(void_run=0, void_for=(None, None), house_throws_for=None, latest=None, results=0)


def _rules_adopted(draft: Draft, event: events.RulesAdopted) -> None:
    draft.set(terms=(*draft.get("terms"), event.terms), latest=None)


def _nothing(draft: Draft, event: events.AnyEvent) -> None:
    """Change nothing: the event is only for the record."""


# -- players and their chips -------------------------------------------------------------------------------------------


def _player_seated(draft: Draft, event: events.PlayerSeated) -> None:
    kept = draft.own("kept").pop(event.player) if event.player in draft.get("kept") else 0
    draft.own("chips")[event.player] = event.chips + kept
    draft.bring(event.chips)
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


def _player_left(draft: Draft, event: events.PlayerLeft) -> None:
    stands = any(event.player in stakes for stakes in draft.get("layout").values())
    if stands:
        draft.own("kept")[event.player] = 0
    draft.bring(-event.chips)
    if event.player not in draft.get("chips"):  # what was kept is handed over
        if event.player in draft.get("tokens"):
            _hand_tokens_back(draft, event.player)
        if not stands:
            del draft.own("kept")[event.player]
        return
    del draft.own("chips")[event.player]
    if stands:
        draft.turn_into_value_chips(event.player)
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


def _chips_bought(draft: Draft, event: events.ChipsBought) -> None:
    draft.own("chips")[event.player] += event.chips
    if event.means is None:  # otherwise they come from the float
        draft.bring(event.chips)
    if event.checks is not None:
        draft.move_checks(event.player, event.checks, event.chips)


def _checks_redeemed(draft: Draft, event: events.ChecksRedeemed) -> None:
    draft.move_checks(event.player, event.checks, -event.cents)


def _tokens_issued(draft: Draft, event: events.TokensIssued) -> None:
    draft.move_tokens(event.player, event.tokens)
    draft.own("facts")[f"tokens {event.player}"] = event.conditions


def _payment_corrected(draft: Draft, event: events.PaymentCorrected) -> None:
    draft.pay(event.player, event.cents)
    latest: Latest | None = draft.get("latest")
    if latest is not None:
        draft.set(latest=msgspec.structs.replace(latest, reimbursed=(*latest.reimbursed, event.player)))


def _debt_incurred(draft: Draft, event: events.DebtIncurred) -> None:
    draft.pay(event.player, event.cents)
    owing = draft.own("owing")
    owing[event.player] = owing.get(event.player, 0) + event.cents


def _debt_paid(draft: Draft, event: events.DebtPaid) -> None:
    draft.pay(event.player, -event.cents)
    owing = draft.own("owing")
    owing[event.player] -= event.cents
    if not owing[event.player]:
        del owing[event.player]


# -- wagers ------------------------------------------------------------------------------------------------------------


def _wager_placed(draft: Draft, event: events.WagerPlaced) -> None:
    area, player = event.area, event.player
    stakes = draft.stakes(area)
    old = stakes.get(player, NO_STAKE)
    commission, tokens = old.commission + event.commission, old.tokens + event.tokens
    checks = more_checks(old.checks, event.checks) if event.checks else old.checks
    stakes[player] = Stake(event.stake, commission, old.called, tokens, checks)
    draft.own("chips")[player] -= event.amount + event.commission - event.tokens
    for colour, cents in event.checks:
        draft.move_checks(player, colour, -cents)
    if event.tokens:
        draft.move_tokens(player, -event.tokens)
    if not old.amount:
        draft.own("fresh")[(player, area)] = True


def _wager_reduced(draft: Draft, event: events.WagerReduced) -> None:
    area = event.area
    stakes = draft.stakes(area)
    old = stakes[event.player]
    if event.stake:
        commission, tokens = old.commission - event.commission, old.tokens - event.tokens
        checks = more_checks(old.checks, ((colour, -off) for colour, off, _ in event.checks))
        stakes[event.player] = Stake(event.stake, commission, old.called, tokens, checks)
    else:
        del stakes[event.player]
        if not stakes:
            draft.drop(area)
        draft.forget_void_throws(event.player, event.wager)
    draft.pay(event.player, event.amount + event.commission - event.tokens)
    if event.tokens:
        draft.move_tokens(event.player, event.tokens)
    for colour, _, back in event.checks:
        draft.return_checks(event.player, colour, back)


def _wager_called(draft: Draft, event: events.WagerCalled) -> None:
    stakes = draft.stakes(event.area)
    old = stakes[event.player]
    stakes[event.player] = Stake(old.amount, old.commission, event.on, old.tokens, old.checks)


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
    events.DebtIncurred: _debt_incurred,
    events.DebtPaid: _debt_paid,
    events.CommandGiven: _nothing,
    events.TimeTold: lambda draft, event: draft.set(time=event.at),
    events.ActDone: lambda draft, event: draft.remember(event.facts),
    events.Noted: lambda draft, event: draft.remember(event.facts),
    events.SignChanged: lambda draft, event: draft.set(settings=event.settings),
    events.TableReopened: _table_reopened,
    events.PaymentCorrected: _payment_corrected,
    events.FloatMoved: lambda draft, event: draft.bring(event.cents),
    events.FloatCounted: lambda draft, event: draft.bring(event.difference),
    events.RulesShown: _nothing,
    events.MispaymentsReported: _nothing,
    events.RulesAdopted: _rules_adopted,
    **evolve_results.APPLY,
}
