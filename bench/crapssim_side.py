"""The other side of the race: crapssim in its own environment, playing a batch of sessions per input line.

A line holds a strategy, a bankroll in dollars and a number of sessions; the answer is how many rolls were made.
crapssim ends a session once the player is broke and has no bets, so every roll that it counts was really played.
"""

from __future__ import annotations

import sys
from importlib.metadata import version

from crapssim import Table  # type: ignore[import-not-found]
from crapssim.strategy import BetPassLine  # type: ignore[import-not-found]
from crapssim.strategy.examples import IronCross, ThreePointMolly  # type: ignore[import-not-found]
from crapssim.strategy.odds import PassLineOddsMultiplier  # type: ignore[import-not-found]

ROLLS = 144
UNIT = 5
STRATEGIES = {
    "pass-double-odds": lambda: BetPassLine(UNIT) + PassLineOddsMultiplier(2),
    "iron-cross": lambda: IronCross(UNIT),
    "three-point-molly": lambda: ThreePointMolly(UNIT),
}


def play(strategy: str, bankroll: float, sessions: int) -> int:
    """Play one table per session; the same sessions every time."""
    rolls = 0
    for seed in range(sessions):
        table = Table(seed=seed)
        table.add_player(bankroll=bankroll, strategy=STRATEGIES[strategy]())
        table.run(max_rolls=ROLLS, verbose=False)
        rolls += table.dice.n_rolls
    return rolls


def main() -> None:
    """Say which version plays, then play each requested batch until the input ends."""
    print(f"crapssim {version('crapssim')}", flush=True)
    for line in sys.stdin:
        strategy, bankroll, sessions = line.split()
        print(play(strategy, float(bankroll), int(sessions)), flush=True)


if __name__ == "__main__":
    main()
