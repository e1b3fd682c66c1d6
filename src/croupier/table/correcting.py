"""Correct a wrong result: take it back with new events, and settle the right one, or none, in its place.

Only the latest result can be undone, and only until the next throw. What players did since is kept where
possible: wagers made since are made again if the table would take them now, and are returned if it would not
(reading X-63).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from croupier.rules.schema import Fact
from croupier.rules.shelf import Shelf
from croupier.table import events
from croupier.table.checks_and_tokens import redeemed
from croupier.table.evolve import evolve, evolve_all
from croupier.table.leaving import debts_cashed, debts_incurred, debts_paid
from croupier.table.placing import BET_CHECKS, Bet, check_limits, first_refusal, placed
from croupier.table.settling import given_back
from croupier.table.state import NO_STAKE, Area, Latest, Stake, State, TableView, Taken
from croupier.table.taking import called, reduction
from croupier.table.thrower import barred, sole_area, turn_clause
from croupier.table.throwing import result_events
from croupier.table.under_way import ENDED, RUNNING, TURN
from croupier.table.waiting import SPOKEN

Happened = list[events.AnyEvent]
Instead = Callable[[TableView], Happened]
Key = tuple[str, Area]

_TURN_FACTS = (*TURN, "offered to", "chosen", "asked back", "disc")
# Limits apply when a wager is made, never later (reading X-8). An addition to a restored wager is made now.
_MADE_BEFORE = tuple(check for check in BET_CHECKS if check is not check_limits)
_TURN_BEGINNINGS = ("declined ", "reminded ", "stood ")
_CALLED_BY = "called by"


def is_last_word(state: State) -> bool:
    """Whether no running wagers have been ended for a fault since the latest result."""
    return state.facts.get(RUNNING) != ENDED


class Since(NamedTuple):
    """What players did with their wagers since the result: amounts added, amounts taken down, and calls."""

    laid: dict[Key, Stake]
    taken: dict[Key, Stake]
    called: dict[Key, bool]


class Correction:
    """The latest result of a table, about to be undone by a person in a role."""

    def __init__(self, shelf: Shelf, state: State, clause: str, by: str | None) -> None:
        assert state.latest is not None, "a result is there to be corrected"
        self.shelf = shelf
        self.now = state
        self.clause = clause
        self.by = by
        self.latest: Latest = state.latest
        self.before: State = self.latest.before
        self.view = TableView(shelf, self.before)
        self.wrong = self.view.game.book.outcomes.index[self.latest.faces]
        self.settled = result_events(self.view, self.wrong, self.latest.by)
        after = evolve_all(self.before, self.settled)
        paid = list(debts_paid(after, self.settled, clause))  # out of what was wrongly paid
        self.debts_paid = [event for event in paid if isinstance(event, events.DebtPaid)]
        self.after = evolve_all(after, paid)  # the table as the wrong result left it
        self.since = _since(self.after, state)
        self._came_from = {there: here for here, there in _moves(self.settled).items()}
        self._taken_again: set[Key] = set()
        self._voided = self._voided_since()

    def _voided_since(self) -> dict[Key, str]:
        """Return wagers declared void since, by where they were before the result: no result decides them."""
        settled = [each for each in self.settled if isinstance(each, events.AreaSettled)]
        own = {(player, each.area) for each in settled for player, *_ in each.stakes}
        since = {(player, area): clause for player, area, clause in self.latest.voided if (player, area) not in own}
        return {self._came_from.get(key, key): clause for key, clause in since.items() if key in self.since.taken}

    def pays_nobody_twice(self, right: int | None = None) -> bool:
        """Whether no player affected by this result, or by the right one, has been compensated in money since."""
        instead = [] if right is None else result_events(self.view, right, self.latest.by)
        settled = [each for each in (*self.settled, *instead) if isinstance(each, events.AreaSettled)]
        put_right = {*self.latest.reimbursed, *self._awarded_since()}
        return not any(player in put_right for each in settled for player, *_ in each.stakes)

    def _awarded_since(self) -> Iterator[Fact]:
        """Yield the players to whom money is due by a decision or a found error since the result."""
        before, now = self.before.facts, self.now.facts
        for name in now:
            case = name.removeprefix("unpaid ")
            if case != name and now.get(f"award {case}") != before.get(f"award {case}"):
                yield now.get(f"disputant {case}", "")

    def to_result(self, outcome: int) -> Happened:
        """Settle the right faces in place of the wrong ones."""
        return self._replaced(lambda view: result_events(view, outcome, self.latest.by, self.latest.rested_at))

    def to_nothing(self, invalidated: Instead) -> Happened:
        """Leave no result: apply the consequences of an invalidated outcome."""
        return self._replaced(invalidated)

    def _replaced(self, instead: Instead) -> Happened:
        """Take back the result, apply what replaces it, and redo what was done since as far as still possible."""
        happened = self._taken_back()
        state = evolve_all(self.now, happened)
        void = self._void_again(state)
        happened, state = [*happened, *void], evolve_all(state, void)
        before = evolve_all(self.before, void)
        right = evolve_all(before, replaced := instead(TableView(self.shelf, before)))
        goes_to = _moves(replaced)
        steps: tuple[Callable[[State], Iterable[events.AnyEvent]], ...] = (
            lambda now: instead(TableView(self.shelf, now)),
            lambda now: debts_paid(now, happened, self.clause),
            lambda now: self._again(now, goes_to),
            self._paid_by_the_absent,
            self._spun_for_the_absent,
        )
        for follows in steps:
            step = list(follows(state))
            state = evolve_all(state, step)
            happened += step
        return [*happened, *self._resumed(state, right), *self._closing_again(state)]

    def _void_again(self, state: State) -> Happened:
        """Give back wagers declared void since, before the right result could decide them."""
        return [
            given_back(state, area, clause, {player: _stake(state, player, area)})
            for (player, area), clause in self._voided.items()
            if _stake(state, player, area).amount
        ]

    def _closing_again(self, state: State) -> Happened:
        """Set a closed table with a restored wager back to closing: it plays the wager out first."""
        if self.now.facts.get("table") != "closed" or not state.layout:
            return []
        return [events.Noted({"table": "closing", "closed at": None}, self.clause)]

    def _paid_by_the_absent(self, state: State) -> Happened:
        """Pay the debts of players who have left from money kept for them, if the correction changed either."""
        before = self.now
        away = [
            player
            for player, owed in state.owing.items()
            if player in state.kept
            and (owed, state.kept[player]) != (before.owing.get(player, 0), before.kept.get(player, 0))
        ]
        return [debt for player in away for debt in debts_cashed(state, player, self.clause)]

    def _spun_for_the_absent(self, state: State) -> Happened:
        """Have the house throw for the sole wager if its player has left or may no longer throw."""
        view = TableView(self.shelf, state)
        standing = sole_area(view)
        if standing is None or self._may_throw(standing[0]) or state.house_throws_for is not None:
            return []
        return [events.HouseThrowsOn(standing[0], standing[1].wager, turn_clause(view))]

    def _may_throw(self, player: str) -> bool:
        """Whether a player may still have the dice or coins that they had before the result.

        A spinner for whom the house was already spinning keeps them in name, as before.
        """
        waits = self.before.house_throws_for
        if waits is not None and waits[0] == player:
            return True
        return player in self.now.seats and not barred(self.now, player)

    # -- taking back ---------------------------------------------------------------------------------------------------

    def _taken_back(self) -> Happened:
        """Take wagers made since off the layout, record debts, and restore the table to before the result."""
        happened: Happened = [self._off(key, stake) for key, stake in self.since.laid.items()]
        happened += [events.DebtIncurred(debt.player, debt.cents, self.clause) for debt in self.debts_paid]
        state = evolve_all(self.now, happened)
        settled = tuple(event for event in self.settled if isinstance(event, events.AreaSettled))
        reduced = tuple(self._off(key, stake) for key, stake in self.since.taken.items())
        happened += debts_incurred(state, _due(settled, reduced), self.clause)
        happened += self._tokens_lent(state, settled, reduced)
        ended = any(isinstance(event, events.Thrown) and event.ends_round for event in self.settled)
        facts = self._facts_before()
        back = events.ResultTakenBack(self.latest.faces, ended, settled, reduced, facts, self.clause)
        return [*happened, *self._checks_changed(evolve_all(self.now, happened), back), back]

    def _checks_changed(self, state: State, back: events.ResultTakenBack) -> Iterator[events.ChecksRedeemed]:
        """Turn checks into value chips where a player has too few value chips left to give back."""
        after = evolve_all(state, [back]) if state.checks else state
        for player in state.checks if state.checks else ():
            above = sum(after.checks.get(player, {}).values()) - after.chips_of(player)
            if above > 0:
                yield from redeemed(state, player, self.clause, above)

    def _off(self, key: Key, stake: Stake) -> events.WagerReduced:
        """Take part of a wager off the layout: now, or as its player did earlier."""
        player, area = key
        state = self.now if key in self.since.taken else self.after
        left = NO_STAKE if key in self.since.taken and key in self.since.laid else _stake(state, player, area)
        checks = tuple((colour, cents, cents) for colour, cents in stake.checks)
        return events.WagerReduced(
            *area, player, stake.amount, left.amount, stake.commission, self.clause, stake.tokens, checks
        )

    def _tokens_lent(
        self, state: State, settled: tuple[events.AreaSettled, ...], reduced: tuple[events.WagerReduced, ...]
    ) -> Iterator[events.TokensIssued]:
        """Reissue tokens that must come back from a player who has handed them in since."""
        due: dict[str, int] = {}
        for player, back in (
            *((player, back) for event in settled for player, _, back in event.tokens),
            *((event.player, event.tokens) for event in reduced),
        ):
            due[player] = due.get(player, 0) + back
        for player, tokens in due.items():
            lacking = tokens - state.tokens.get(player, 0)
            if lacking > 0:
                conditions = str(self.before.facts.get(f"tokens {player}", ""))
                yield events.TokensIssued(player, lacking, conditions, self.clause)

    def _facts_before(self) -> dict[str, Fact | None]:
        """Return the facts as they were before the result, where the result or the turn since changed them."""
        before, after, now = self.before.facts, self.after.facts, self.now.facts
        names = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
        names |= {name for name in before.keys() | now.keys() if _is_of_the_turn(name)}
        names |= {f"tokens {player}" for player, _, stake in self.before.wagers() if stake.tokens}
        facts: dict[str, Fact | None] = {name: before.get(name) for name in sorted(names)}
        changed = {name: value for name, value in facts.items() if value != now.get(name)}
        return changed if self.by is None else {**changed, _CALLED_BY: self.by}

    # -- what was done since -------------------------------------------------------------------------------------------

    def _again(self, state: State, goes_to: Mapping[Key, Key]) -> Happened:
        """Redo what players did since, where still possible; flat wagers before those that lie behind them.

        A wager taken down comes down at the place to which the right result has moved it.
        """
        happened: Happened = []
        wagers = self.view.game.book.wagers
        laid = sorted(self.since.laid.items(), key=lambda item: not wagers[item[0][1].wager].stands_alone)
        for (player, area), stake in laid:
            again = self._laid_again(state, player, area, stake)
            if again is not None:
                happened.append(again)
                state = evolve(state, again)
        for player, stood, cents in self._takes():
            _, area = goes_to.get((player, stood), (player, stood))
            standing = state.layout.get(area, {}).get(player, NO_STAKE)
            if standing.amount:
                left = max(0, standing.amount - cents)
                happened.append(reduction(TableView(self.shelf, state), player, area, left, self.clause))
                state = evolve(state, happened[-1])
                self._taken_again.add((player, stood))
        for (player, area), on in self.since.called.items():
            clause = wagers[area.wager].call_clause
            if clause is not None and player in state.layout.get(area, {}):
                happened.append(called(player, area, on, clause))
        return happened

    def _takes(self) -> list[Taken]:
        """List what players took down since the wrong result and earlier ones, by the area before those results."""
        stakes = {self._came_from.get(key, key): stake for key, stake in self.since.taken.items()}
        lately = [(*key, stake.amount) for key, stake in stakes.items() if key not in self._voided]
        return lately + [taken for taken in self.latest.taken if taken[:2] not in stakes]

    def _laid_again(self, state: State, player: str, area: Area, stake: Stake) -> events.WagerPlaced | None:
        """Make a wager again if the table would take it now, on the same area."""
        view = TableView(self.shelf, state)
        if player not in state.chips:
            return None
        bet = Bet(view, player, view.wager_of(area), area.pick, stake.amount)
        bet.tokens, bet.checks = stake.tokens, stake.checks
        checks = BET_CHECKS if bet.standing.amount else _MADE_BEFORE
        same = bet.area == area and first_refusal(bet, checks) is None
        return placed(bet) if same else None

    def _resumed(self, state: State, right: State) -> Happened:
        """Resume play where it was, in every respect in which the right result agrees with the wrong one."""
        turn_kept = self.after.turn == right.turn and _held(self.after) == _held(right)
        turn = self.now.turn if turn_kept else state.turn
        if state.house_throws_for is not None:  # for a wager that stands again, whatever the wrong result did to it
            turn = msgspec.structs.replace(turn, house_throws_for=state.house_throws_for)
        elif sole_area(TableView(self.shelf, state)) is None:  # the wager for which the house threw since is decided
            turn = msgspec.structs.replace(turn, house_throws_for=None)
        if turn.after is None and turn.place is None:  # nobody had thrown before, and who threw has left their place
            turn = msgspec.structs.replace(turn, place=self.now.turn.place)
        bets_open = self.now.bets_open if self.after.bets_open == right.bets_open else state.bets_open
        facts = dict(self._facts_now(state.facts, right.facts, turn_kept))
        if not bets_open:  # a spoken bet can no longer be laid
            facts |= {name: None for name in {*state.facts, *facts} if name.startswith(f"{SPOKEN} ")}
        decided = tuple(taken for taken in self._takes() if taken[:2] not in self._taken_again)
        if (turn, bets_open, facts, decided) == (state.turn, state.bets_open, {}, ()):
            return []
        return [events.PlayResumed(turn, bets_open, facts, self.clause, decided)]

    def _facts_now(
        self, held: Mapping[str, Fact], right: Mapping[str, Fact], turn_kept: bool
    ) -> Iterator[tuple[str, Fact | None]]:
        """Yield facts set or cleared since, where the right result does not change them.

        Dice or coins held by a player who has left or been excluded since have no holder.
        """
        after, now = self.after.facts, self.now.facts
        shooter = str(right.get("shooter", ""))
        left = bool(shooter) and not self._may_throw(shooter)
        for name in sorted({*held, *right, *after, *now}):
            same = after.get(name) == right.get(name) and (turn_kept or not _is_of_the_turn(name))
            value = now.get(name) if same else None if left and _is_of_the_turn(name) else right.get(name)
            if held.get(name) != value:
                yield name, value


def _stake(state: State, player: str, area: Area) -> Stake:
    return state.layout.get(area, {}).get(player, NO_STAKE)


def _moves(happened: Iterable[events.AnyEvent]) -> dict[Key, Key]:
    """Map each player's wagers to where a result moves them."""
    moved = [event for event in happened if isinstance(event, events.AreaMoved)]
    return {(p, event.area): (p, event.area._replace(state=event.to)) for event in moved for p in event.players}


def _is_of_the_turn(name: str) -> bool:
    """Whether a fact is about who has the dice or coins, or is offered them."""
    return name in _TURN_FACTS or name.startswith(_TURN_BEGINNINGS)


def _held(state: State) -> dict[str, Fact]:
    """Return the facts about who has the dice or coins: the house, a player, or a player who is offered them."""
    return {name: value for name, value in state.facts.items() if _is_of_the_turn(name)}


def _since(after: State, now: State) -> Since:
    """Return how the wagers now differ from those that the result left."""
    keys = [(player, area) for player, area, _ in (*now.wagers(), *after.wagers())]
    laid: dict[Key, Stake] = {}
    taken: dict[Key, Stake] = {}
    calls: dict[Key, bool] = {}
    for player, area in dict.fromkeys(keys):
        old, new = (state.layout.get(area, {}).get(player, NO_STAKE) for state in (after, now))
        if _is_part(old, new):
            laid[player, area] = _less(new, old)
        elif _is_part(new, old):
            taken[player, area] = _less(old, new)
        elif (old.amount, old.tokens, old.checks) != (new.amount, new.tokens, new.checks):
            taken[player, area], laid[player, area] = old, new  # in other kinds of chips: taken down, and made again
        if new.called is not None and new.called != old.called:
            calls[player, area] = new.called
    return Since(laid, taken, calls)


def _is_part(less: Stake, more: Stake) -> bool:
    """Whether one stake grew into the other only by adding chips, tokens and checks."""
    have = dict(more.checks)
    return (
        less.amount < more.amount
        and less.tokens <= more.tokens
        and all(cents <= have.get(colour, 0) for colour, cents in less.checks)
    )


def _less(more: Stake, less: Stake) -> Stake:
    was = dict(less.checks)
    checks = tuple((colour, cents - was.get(colour, 0)) for colour, cents in more.checks if cents > was.get(colour, 0))
    return Stake(more.amount - less.amount, more.commission - less.commission, None, more.tokens - less.tokens, checks)


def _due(settled: tuple[events.AreaSettled, ...], reduced: tuple[events.WagerReduced, ...]) -> dict[str, int]:
    """Return what each player must give back: all that the result returned to them, and wagers taken down since."""
    due: dict[str, int] = {}
    for event in settled:
        for player, _, _, returned in event.stakes:
            due[player] = due.get(player, 0) + returned
    for taken in reduced:
        due[taken.player] = due.get(taken.player, 0) + taken.amount + taken.commission - taken.tokens
    return due
