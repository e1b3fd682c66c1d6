"""Run the long tests for some time, from another seed each time.

A round runs every part once from one seed: evenings in any order, houses that are killed, stores that are damaged,
storms of faults, a dishonest house. Rounds follow each other until the time is over; the first is always finished. As
many parts run at once as there are cores. A part that fails is not run again; how to repeat it is printed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from secrets import randbelow
from tempfile import TemporaryFile
from threading import Lock
from time import monotonic, strftime
from typing import IO, NamedTuple

ROOT = Path(__file__).parent.parent
HOURS = 0.75
SEEDS = 1_000_000
LAST_LINES = 60

TESTS = {
    "simulation": ("tests/properties/test_simulation.py",),
    "conduct": ("tests/properties/test_conduct.py",),
    "money": ("tests/properties/test_house_money.py",),
    "tables": tuple(f"tests/properties/test_{name}.py" for name in ("tables", "plans", "turns")),
    "kills": ("tests/test_kills.py", "tests/store/test_crashes.py"),
    "damage": ("tests/test_damage.py",),
    "orders": ("tests/test_order_processor_stress.py",),
    "requests": ("tests/test_api_document.py",),
}
# Each storm has the next seed; rounds are further apart than that.
COMMANDS = {
    "storms": ("--storms", "20", "--hours", "5"),
    "dishonest": ("--storms", "20", "--dishonest"),
}
PARTS = (*TESTS, *COMMANDS)
APART = 100


class Job(NamedTuple):
    """One part from one seed."""

    part: str
    seed: int

    def command(self) -> list[str]:
        """What is run."""
        if self.part in COMMANDS:
            return [sys.executable, "-m", "croupier.cli.main", "soak", "--seed", str(self.seed), *COMMANDS[self.part]]
        found = f"--hypothesis-seed={self.seed}"
        return [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", found, *TESTS[self.part]]

    def run(self, out: IO[bytes]) -> bool:
        """Run it to its end, and say whether all was well."""
        environment = {**os.environ, "SOAK_SEED": str(self.seed)}
        done = subprocess.run(self.command(), cwd=ROOT, env=environment, stdout=out, stderr=out, check=False)
        return done.returncode == 0


class Soak:
    """All rounds, shared out among the cores."""

    def __init__(self, first: int, hours: float) -> None:
        self._first = first
        self._end = monotonic() + hours * 3600
        self._jobs = self._in_rounds()
        self._lock = Lock()
        self.failed: set[str] = set()

    def _in_rounds(self) -> Iterator[Job]:
        for number in count():
            for part in PARTS:
                if number > 0 and (monotonic() > self._end or self.failed >= set(PARTS)):
                    return
                if part not in self.failed:
                    yield Job(part, self._first + APART * number)

    def work(self) -> None:
        """Run one job after the other, as long as there are any."""
        while True:
            with self._lock:
                job = next(self._jobs, None)
            if job is None:
                return
            self.check(job)

    def check(self, job: Job) -> None:
        """Run a job, and say how it ended."""
        start = monotonic()
        with TemporaryFile() as out:
            is_well = job.run(out)
            out.seek(0)
            said = out.read().decode(errors="replace")
        minutes, seconds = divmod(round(monotonic() - start), 60)
        with self._lock:
            print(f"{strftime('%H:%M')}  seed {job.seed:>7}  {job.part:10}  {minutes}:{seconds:02}", flush=True)
            if not is_well:
                self.failed.add(job.part)
                print("\n".join(_gist(said.splitlines())))
                print(f"FAILED: make soak SEED={job.seed} PART={job.part} shows it again.", flush=True)


def _gist(lines: list[str]) -> list[str]:
    """Return what failed, as pytest marks it, and the last lines."""
    marked = [line for line in lines[:-LAST_LINES] if line.lstrip(" |").startswith("E  ")]
    return [*marked[:LAST_LINES], *lines[-LAST_LINES:]]


def main() -> int:
    """Run it: 0 if all was well, 1 if something was found."""
    parser = argparse.ArgumentParser(prog="make soak", description="Run the long tests, from another seed each time.")
    parser.add_argument("--hours", type=float, default=HOURS, help=f"for how long ({HOURS:g})")
    parser.add_argument("--seed", type=int, help="of the first round (drawn at random)")
    parser.add_argument("--part", choices=PARTS, help="run this part alone, once")
    given = parser.parse_args()
    seed = randbelow(SEEDS) if given.seed is None else given.seed
    soak = Soak(seed, given.hours)
    if given.part is not None:
        soak.check(Job(given.part, seed))
        return bool(soak.failed)
    cores = os.cpu_count() or 1
    print(
        f"Seed {seed}: make soak SEED={seed} begins with the same. {given.hours:g} hours on {cores} cores.", flush=True
    )
    with ThreadPoolExecutor(cores) as pool:
        for each in [pool.submit(soak.work) for _ in range(cores)]:
            each.result()
    return bool(soak.failed)


if __name__ == "__main__":
    sys.exit(main())
