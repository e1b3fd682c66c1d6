"""How much room a simulation takes, whatever the number of sessions: `python -m bench.memory N` plays N of them."""

from __future__ import annotations

import resource
import subprocess
import sys

from croupier.runs.simulating import simulate

SESSIONS = 200_000


def memory() -> str:
    """The largest size of a fresh process that plays so many sessions, and ten times as many."""
    few, many = _peak(SESSIONS), _peak(10 * SESSIONS)
    return f"{few:.1f} MB at most with {SESSIONS:,} sessions, {many:.1f} MB with {10 * SESSIONS:,}"


def _peak(sessions: int) -> float:
    command = [sys.executable, "-m", "bench.memory", str(sessions)]
    return int(subprocess.run(command, check=True, capture_output=True).stdout) / 1024


def main() -> None:
    """Play, and print the largest size in kilobytes."""
    simulate("craps-nsw-2024", "three-point-molly", sessions=int(sys.argv[1]), rolls=144, seed=1)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


if __name__ == "__main__":
    main()
