"""A strategy played at a real table: the reference that any faster way to play it must match.

Between throws the rules are applied from top to bottom, or a Python function is called instead. The table knows all the
rules of the game and decides everything; its refusals are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from croupier.rules.game import Terms
from croupier.rules.shelf import Shelf
from croupier.simulation.reference import staking
from croupier.simulation.reference.player_memory import Memory, decisions_of
from croupier.simulation.reference.seat import PLAYER, AnyPlayer, Hand, PlayerCallable, Refused, Seat, fresh
from croupier.simulation.strategy import (
    Bet,
    Call,
    Chips,
    Compare,
    Condition,
    Count,
    Fixed,
    FromProgression,
    Guard,
    Hits,
    Most,
    Net,
    PhaseIs,
    ResultIs,
    Rolls,
    Rule,
    ShareOfChips,
    ShooterRolls,
    Shooters,
    Spot,
    Stake,
    Stop,
    Strategy,
    Streak,
    Subject,
    Take,
    TimesSpot,
)
from croupier.table import commands, events, placing
from croupier.table.refusals import Refusal
from croupier.table.thrower import outcome_passes

__all__ = ["PlayerCallable", "Refused", "Seat", "Session", "Turn"]

BY_HAND = 0  # the rule number under which the actions of a Python function are counted


class Turn(NamedTuple):
    """The player between throws: `number` throws have been made, the last was `outcome`. Amounts are in cents.

    `standing` holds the stakes without commission; `net` includes it. `happened` lists all events and refusals since
    the previous turn, in order.
    """

    number: int
    outcome: int | None
    chips: int
    standing: dict[Spot, int]
    net: int
    happened: tuple[events.AnyEvent | Refused, ...]

    @property
    def events(self) -> tuple[events.AnyEvent, ...]:
        """The events, without the refusals."""
        return tuple(each for each in self.happened if not isinstance(each, Refused))


class Session:
    """One session of a strategy at its own table. Without a bankroll the chips never run out.

    `ended` is the reason it ended: "win", "loss", "shooters", "strategy rolls", "ruined" or "left". It is None while
    the session continues, and if the outcomes ran out first. `refused` counts the table's refusals, and `made` its
    acceptances by rule number.
    """

    def __init__(
        self,
        shelf: Shelf,
        terms: Terms,
        settings: commands.Settings,
        strategy: Strategy | AnyPlayer,
        bankroll: int | None,
    ) -> None:
        """Raises Impossible if the table cannot be opened, or the player cannot sit down."""
        self.hand = Hand(shelf, terms, settings, bankroll)
        self.ended: str | None = None
        self.refused: Counter[Refused] = Counter()
        self.made: Counter[int] = Counter()
        self._rules: tuple[Rule, ...] = ()
        self._stop = Stop()
        self._player: PlayerCallable | None = None
        if isinstance(strategy, Strategy):
            self._rules, self._stop = strategy.rules, strategy.stop
            self.memory = Memory(strategy.rules, strategy.progressions)
        else:
            self._player = fresh(strategy)
            self.memory = Memory(all_spots=True)
        self._leaving: str | None = None

    @property
    def rolls(self) -> int:
        """The number of throws in the session so far."""
        return self.memory.rolls

    @property
    def chips(self) -> int:
        """Chips in hand, in cents."""
        return self.hand.chips

    @property
    def net(self) -> int:
        """The player's net result; wagers on the layout count at face value, commission included."""
        return self.hand.net

    def play(self, outcomes: Iterable[int]) -> Iterator[Turn]:
        """Yield the turn before the first throw, then one per throw, until the session ends or the outcomes run out.

        The last outcome is the simulation's limit, which comes before the rules: nothing is bet after it. But a player
        who could not have bet any more is ruined.
        """
        self._carry_out()
        yield self._turn(None)
        left = iter(outcomes)
        outcome = next(left, None) if self.ended is None else None
        while outcome is not None:
            self._throw(outcome)
            following = next(left, None) if self.ended is None else None
            if following is not None:
                self._carry_out()
            elif self.ended is None and self._leaving is None and self.hand.state.bets_open:
                self._test_for_ruin()
            yield self._turn(outcome)
            outcome = following if self.ended is None else None

    def _turn(self, outcome: int | None) -> Turn:
        happened, self.hand.happened = tuple(self.hand.happened), []
        return Turn(self.rolls, outcome, self.chips, self.hand.stakes, self.net, happened)

    # A throw, and whether the player leaves after it

    def _throw(self, outcome: int) -> None:
        dice_pass = outcome_passes(self.hand.view, outcome)  # by the phase before the throw, for any shooter
        happened = self.hand.throw(outcome)
        self.memory.add(outcome, decisions_of(self.hand.view, happened), dice_pass)
        if self._leaving is None:
            self._leaving = self._reason_to_stop()
        if self._leaving is not None:
            self._go()

    def _go(self) -> None:
        """Leave the table: take down every wager that may be, unless `when_decided`, and wait for the rest.

        A player who leaves without enough to bet is ruined, for whatever reason they left.
        """
        if not self._stop.when_decided and self.hand.state.bets_open:
            for spot in list(self.hand.standing):
                if spot in self.hand.standing:  # a Behind wager is taken down with its flat wager
                    self.hand.ask(commands.TakeWager(player=PLAYER, **spot._asdict()))
        if not self.hand.standing:
            self.ended = self._leaving
            self._test_for_ruin()

    def _reason_to_stop(self) -> str | None:
        stop = self._stop
        limits = {
            "win": (stop.win, self.net),
            "loss": (stop.loss, -self.net),
            "shooters": (stop.shooters, self.memory.shooters - 1),  # shooters who have passed the dice
            "strategy rolls": (stop.rolls, self.rolls),
        }
        return next((why for why, (limit, now) in limits.items() if limit is not None and now >= limit), None)

    # Between throws

    def _carry_out(self) -> None:
        """Apply the rules from top to bottom, or call the Python function; then test for ruin."""
        if self._leaving is not None or not self.hand.state.bets_open:
            return
        if self._player is not None:
            self._player(Seat(self.hand, self.memory, self._ask_by_hand, self._leave))
        for place, rule in enumerate(self._rules):
            if allows(rule.guard, self.hand, self.memory):
                self._act(place, rule)
        if self.ended is None:
            self._test_for_ruin()

    def _test_for_ruin(self) -> None:
        """End the session if no wager is on the layout and no bet of the strategy is affordable."""
        if not self.hand.standing and self.hand.bankroll is not None and self._is_ruined():
            self.ended = "ruined"

    def _is_ruined(self) -> bool:
        """Whether no bet is affordable; for a Python function, whose bets are unknown, the cheapest possible wager."""
        if self._player is not None:
            return self.chips < staking.least_of_all(self.hand.state.settings)
        dues = [self._due(rule) for rule in self._rules if isinstance(rule, Bet)]
        known = [due for due in dues if due is not None]
        return bool(known) and self.chips < min(known)

    def _due(self, rule: Bet) -> int | None:
        """The chips needed to make a bet at some point from an empty layout; None if no amount would help.

        Excludes bets that depend on others, are zero or exceed the maximum. A progression that restarts with the
        next shooter counts with its first stake.
        """
        bet = placing.read_bet(self.hand.view, _placing(rule.spot, 1))
        if isinstance(bet, Refusal) or not bet.wager.stands_alone or isinstance(rule.stake, TimesSpot):
            return None
        stake, least, sign = self._stake(rule.stake, bet), staking.least(bet), placing.maximum_for(bet)
        any_amount = not bet.wager.has_one_amount
        if (
            isinstance(rule.stake, FromProgression)
            and self.memory.courses[rule.stake.progression].progression.per_shooter
        ):
            first = self.memory.courses[rule.stake.progression].first_cents
            stake = min(stake, staking.in_units(bet, staking.part_of(first, rule.stake.factor)))
        if isinstance(rule.stake, ShareOfChips) or (isinstance(rule.stake, Most) and any_amount and sign is None):
            if stake < least:
                return self.chips + 1
            stake = least
        elif rule.or_less and any_amount:
            stake = min(stake, least)
        if stake <= 0 or (any_amount and sign is not None and stake > sign):
            return None
        return stake + staking.commission(bet, stake)

    def _ask_by_hand(self, command: commands.AnyCommand) -> bool:
        return self.ended is None and self._leaving is None and self._ask(BY_HAND, command)

    def _leave(self) -> None:
        if self._leaving is None:
            self._leaving = "left"
            self._go()

    def _ask(self, rule: int, command: commands.AnyCommand) -> bool:
        """Send a command to the table and count the answer; return whether it was accepted."""
        answer = self.hand.ask(command)
        if not isinstance(answer, Refusal):
            self.made[rule] += 1
            return True
        refused = Refused(rule, answer.code, answer.clause)
        self.hand.happened.append(refused)
        self.refused[refused] += 1
        return False

    def _act(self, place: int, rule: Rule) -> None:
        match rule:
            case Bet():
                self._bet(place, rule)
            case Take():
                self._take(rule)
            case Call():
                self._call(rule)

    def _bet(self, place: int, rule: Bet) -> None:
        if rule.at_most is not None and self.memory.made[place] >= rule.at_most:
            return
        bet = placing.read_bet(self.hand.view, _placing(rule.spot, 1))  # the amount is not known yet
        if isinstance(bet, Refusal):
            self._ask(rule.rule, _placing(rule.spot, 1))
            return
        standing = bet.standing.amount
        if (standing and not rule.adds) or (not rule.insist and staking.waits(bet)):
            return
        stake = self._stake(rule.stake, bet)
        amount = (staking.or_less(bet, stake) if rule.or_less else stake) - standing
        if rule.adds and amount <= 0:
            return
        if self._ask(rule.rule, _placing(rule.spot, amount)):
            self.memory.made[place] += 1

    def _stake(self, stake: Stake, bet: placing.Bet) -> int:
        """The amount of a stake; all but a fixed one is rounded down to what can be laid there."""
        match stake:
            case Fixed():
                return stake.cents
            case TimesSpot():
                cents = staking.part_of(self.hand.stake(stake.spot), stake.factor)
            case ShareOfChips():
                cents = staking.part_of(self.hand.purse, stake.share)
            case FromProgression():
                cents = staking.part_of(self.memory.courses[stake.progression].cents, stake.factor)
            case Most():
                cents = self._most(bet)
        return staking.in_units(bet, cents)

    def _most(self, bet: placing.Bet) -> int:
        """The most allowed; if there is no limit, all chips in hand."""
        allowed = staking.most_allowed(bet)
        if allowed is not None:
            return allowed
        if bet.wager.stands_alone:  # a Behind wager with nothing to lie behind is refused at any amount
            self.hand.need_bankroll()
        return staking.affordable(bet)

    def _take(self, rule: Take) -> None:
        over = self.hand.stake(rule.spot) - rule.leave
        if over > 0:
            amount = over if rule.leave else None
            self._ask(rule.rule, commands.TakeWager(player=PLAYER, **rule.spot._asdict(), amount=amount))

    def _call(self, rule: Call) -> None:
        stake = self.hand.standing.get(rule.spot)
        if stake is not None and stake.called is not rule.on:
            self._ask(rule.rule, commands.CallWager(player=PLAYER, **rule.spot._asdict(), on=rule.on))


def _placing(spot: Spot, cents: int) -> commands.PlaceWager:
    return commands.PlaceWager(player=PLAYER, wager=spot.wager, pick=spot.pick, amount=cents)


# Guards: the conditions of a rule, evaluated on the table and the player's memory


def allows(guard: Guard, hand: Hand, memory: Memory) -> bool:
    """Whether all of `when` hold, and none of `unless`."""
    return all(holds(condition, hand, memory) for condition in guard.when) and not any(
        holds(condition, hand, memory) for condition in guard.unless
    )


def holds(condition: Condition, hand: Hand, memory: Memory) -> bool:
    """Whether a condition is true now."""
    match condition:
        case PhaseIs():
            return hand.state.phases[condition.phase] in condition.states
        case ResultIs():
            return memory.last in condition.outcomes
        case Compare():
            return condition.holds(number(condition.subject, hand, memory))


def number(subject: Subject, hand: Hand, memory: Memory) -> int:
    """The number that a comparison is about."""
    match subject:
        case Count():
            return sum(spot in hand.standing for spot in subject.spots)
        case Streak():
            record = memory.record(subject.spots)
            return record.wins if subject.won else record.losses
        case Hits():
            return memory.record(subject.spots).hits
        case Rolls():
            return memory.rolls
        case ShooterRolls():
            return memory.shooter_rolls
        case Shooters():
            return memory.shooters
        case Chips():
            return hand.purse
        case Net():
            return hand.net
