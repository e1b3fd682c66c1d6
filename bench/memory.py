"""How much room a simulation takes, whatever the number of sessions.

A hundred times as many may take a tenth more: with one byte kept for each of them they would take more than that.
`python -m bench.memory N BANKROLL` plays N of them in a process of its own.
"""

from __future__ import annotations

import subprocess
import sys

FEW, MANY = 200_000, 20_000_000
BANKROLLS = ("", "50.00")  # chips that never run out, all on a machine; and some that do, in the general kernel


def memory_ratio() -> tuple[float, str]:
    """The largest size of a fresh process with many sessions, against one with few: the worse of both bankrolls."""
    peaks = [(_peak(FEW, bankroll), _peak(MANY, bankroll)) for bankroll in BANKROLLS]
    few, many = max(peaks, key=lambda peak: peak[1] / peak[0])
    return many / few, f"{few:.1f} MB at most with {FEW:,} sessions, {many:.1f} MB with {MANY:,}"


def _peak(sessions: int, bankroll: str) -> float:
    command = [sys.executable, "-m", "bench.memory", str(sessions), bankroll]
    return int(subprocess.run(command, check=True, capture_output=True).stdout) / 1024


def main() -> None:
    """Play, and print the largest size in kilobytes."""
    import resource  # only here, with the simulator: who measures other things should not have to load it

    from croupier.execution.simulating import simulate

    sessions, bankroll = int(sys.argv[1]), sys.argv[2] or None
    simulate("craps-nsw-2024", "three-point-molly", sessions=sessions, rolls=20, seed=1, bankroll=bankroll)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


if __name__ == "__main__":
    main()
