"""Settings for all tests.

`HYPOTHESIS_PROFILE=soak` makes the property tests run long (`make soak`). `--quick` leaves out what `tests/tiers.py`
calls thorough (`make test`).
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

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
    "soak", max_examples=1000, stateful_step_count=100, deadline=None, suppress_health_check=_CHECKS
)
settings.register_profile(
    "brief", max_examples=10, stateful_step_count=20, deadline=None, suppress_health_check=_CHECKS
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--quick`, which `make test` gives."""
    parser.addoption(
        "--quick",
        action="store_true",
        help="leave out thorough tests and try fewer examples; what a path, -k, -m or --lf selects runs in full",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make no quick run of one that names what it wants. Workers see the same arguments and decide the same."""
    named = config.args_source == pytest.Config.ArgsSource.ARGS
    if named or any(config.getoption(name, None) for name in ("keyword", "markexpr", "lf")):
        config.option.quick = False
    if config.option.quick and "HYPOTHESIS_PROFILE" not in os.environ:
        settings.load_profile("brief")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what is thorough, and leave it out of a quick run."""
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


@pytest.fixture
def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords are made slow to guess, which is not what every test of a whole house is about."""
    from argon2 import PasswordHasher

    from croupier.server import credentials

    monkeypatch.setattr(credentials, "PasswordHasher", partial(PasswordHasher, time_cost=1, memory_cost=64))


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """A helper that makes houses in processes of their own."""
    from tests.mortal import Nursery

    helper = Nursery()
    yield helper
    helper.close()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests have counted (`record_property("counted", …)`); with `make attack`, what held as well."""
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
    """What was tried, and what held of it."""
    held = "; ".join(map(str, _recorded(report, "held"))) or "held"
    return f"{_recorded(report, 'tried')[0]}: {held if report.passed else f'DID NOT HOLD ({report.nodeid})'}"


def _print_section(terminalreporter: pytest.TerminalReporter, title: str, lines: list[str]) -> None:
    if lines:
        terminalreporter.section(title)
        for line in sorted(lines):
            terminalreporter.write_line(line)
