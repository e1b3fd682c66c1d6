"""Settings for all tests.

`--quick` leaves out what `tests/tiers.py` lists as thorough (`make test`). With SOAK_SEED, property tests try more
examples, and different ones each time (`make soak`).
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.soaking import IS_SOAK
from tests.tiers import COLLECTED, Case, thorough

if TYPE_CHECKING:
    from tests.mortal import Nursery

# Started in the background by a shell, the tests and all that they start would ignore Ctrl-C; some wait for it.
if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)

_CHECKS = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile(
    "quick", max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=_CHECKS
)
settings.register_profile(
    "soak", max_examples=200, stateful_step_count=100, deadline=None, suppress_health_check=_CHECKS
)
settings.register_profile(
    "brief", max_examples=10, stateful_step_count=20, deadline=None, suppress_health_check=_CHECKS
)
settings.load_profile("soak" if IS_SOAK else "quick")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--quick`, which `make test` passes."""
    parser.addoption(
        "--quick",
        action="store_true",
        help="leave out thorough tests and try fewer examples; what a path, -k, -m or --lf selects runs in full",
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """`-n auto`: one and a half workers per core, since many tests wait for a browser or for another process."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None  # pytest-xdist takes it from there
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + cores // 2


def pytest_configure(config: pytest.Config) -> None:
    """A run that names its tests is not a quick run. Workers see the same arguments and decide the same."""
    named = config.args_source == pytest.Config.ArgsSource.ARGS
    if named or any(config.getoption(name, None) for name in ("keyword", "markexpr", "lf")):
        config.option.quick = False
    if config.option.quick:
        settings.load_profile("brief")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the thorough tests, and leave them out of a quick run."""
    cases = [_case(item) for item in items]
    config.stash[COLLECTED] = cases
    slow = thorough(cases)
    left_out = [item for item in items if _case(item) in slow]
    for item in left_out:
        item.add_marker("thorough")
    if config.option.quick and left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if _case(item) not in slow]


def _case(item: pytest.Item) -> Case:
    file, _, name = item.nodeid.removeprefix("tests/").partition("::")
    return file, name


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> None:
    """Hash passwords quickly in every test that does not ask for slow ones."""
    from tests.passwords import hash_quickly

    hash_quickly()


@pytest.fixture
def slow_passwords() -> Iterator[None]:
    """Hash passwords as slowly as a house does outside tests."""
    from tests.passwords import hash_quickly, hash_slowly

    hash_slowly()
    yield
    hash_quickly()


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """A helper that starts houses in processes of their own."""
    from tests.mortal import Nursery

    helper = Nursery()
    yield helper
    helper.close()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests have counted (`record_property("counted", …)`); with `make attack`, also what held."""
    told = [report for some in terminalreporter.stats.values() for report in some]
    reports = [report for report in told if isinstance(report, pytest.TestReport)]
    counted = [str(said) for one in reports if one.when == "call" for said in _recorded(one, "counted")]
    _print_section(terminalreporter, "counts", counted)
    if not os.environ.get("ATTACK"):
        return
    ended = [one for one in reports if one.when == "call" or one.failed]
    _print_section(terminalreporter, "attacks", [_outcome(one) for one in ended if _recorded(one, "tried")])


def _recorded(report: pytest.TestReport, name: str) -> list[object]:
    return [said for what, said in report.user_properties if what == name]


def _outcome(report: pytest.TestReport) -> str:
    """What was tried, and what held."""
    held = "; ".join(map(str, _recorded(report, "held"))) or "held"
    return f"{_recorded(report, 'tried')[0]}: {held if report.passed else f'DID NOT HOLD ({report.nodeid})'}"


def _print_section(terminalreporter: pytest.TerminalReporter, title: str, lines: list[str]) -> None:
    if lines:
        terminalreporter.section(title)
        for line in sorted(lines):
            terminalreporter.write_line(line)
