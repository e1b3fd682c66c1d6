"""Whether a rule may be carried out now: its conditions, asked of the table and of what the player keeps in mind."""

from __future__ import annotations

from croupier.sim.seated.hand import Hand
from croupier.sim.seated.memory import Memory
from croupier.sim.strategy import (
    Chips,
    Compare,
    Condition,
    Count,
    Guard,
    Hits,
    Net,
    PhaseIs,
    ResultIs,
    Rolls,
    ShooterRolls,
    Shooters,
    Streak,
    Subject,
)


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
