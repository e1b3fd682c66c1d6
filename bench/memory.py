"""The memory of a simulation, which must not depend on the number of sessions.

A hundred times as many sessions may take a tenth more: keeping a single byte for each would exceed that. `python -m
bench.memory N BANKROLL` plays N of them in a separate process.
"""

from __future__ import annotations

import subprocess
import sys

FEW, MANY = 200_000, 20_000_000
BANKROLLS = ("", "50.00")  # never runs out: state machine; may run out: general kernel


def memory_ratio() -> tuple[float, str]:
    """Return the peak size of a process with many sessions, relative to one with few: the worse of both bankrolls."""
    peaks = [(_peak(FEW, bankroll), _peak(MANY, bankroll)) for bankroll in BANKROLLS]
    few, many = max(peaks, key=lambda peak: peak[1] / peak[0])
    return many / few, f"{few:.1f} MB at most with {FEW:,} sessions, {many:.1f} MB with {MANY:,}"


def _peak(sessions: int, bankroll: str) -> float:
    command = [sys.executable, "-m", "bench.memory", str(sessions), bankroll]
    return int(subprocess.run(command, check=True, capture_output=True).stdout) / 1024


def main() -> None:
    """Play, and print the peak size in kilobytes."""
    import resource  # imported late, with the simulator, so that other benchmarks need not load it

    from croupier.execution.simulating import simulate

    sessions, bankroll = int(sys.argv[1]), sys.argv[2] or None
    simulate("craps-nsw-2024", "three-point-molly", sessions=sessions, rolls=20, seed=1, bankroll=bankroll)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


if __name__ == "__main__":
    main()
