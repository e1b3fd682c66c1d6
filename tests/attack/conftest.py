"""What all attacks share: a store of each persistent kind, a house in a process of its own, and the line in the report.

A test's docstring begins with a sentence that says what is tried; `held` takes what held. `make attack` prints both,
one line each. A test marked `long` runs only there; the others run in `make test-all` too. One marked `any_store` does
not depend on the kind of store, and uses PostgreSQL only in `make attack`.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.mortal import Mortal, Nursery
from tests.postgres import NoPostgres, fresh_database

ALL = os.environ.get("ATTACK") == "all"
LASTING = ("sqlite", "postgres")

Held = Callable[[str], None]
Opened = Callable[..., Mortal]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the long ones to `make attack`."""
    long = [] if ALL else [item for item in items if item.get_closest_marker("long") or _says_nothing_new(item)]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]


def _says_nothing_new(item: pytest.Item) -> bool:
    return item.get_closest_marker("any_store") is not None and "[postgres" in item.nodeid


@pytest.fixture(params=LASTING)
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store, one of each persistent kind."""
    if request.param == "sqlite":
        return f"sqlite:{tmp_path / 'house.db'}"
    return empty_database("attack")


def empty_database(purpose: str) -> str:
    """The address of an empty PostgreSQL database, one for each purpose."""
    try:
        return fresh_database(f"{purpose}_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}")
    except NoPostgres as error:
        pytest.skip(str(error))


@pytest.fixture(autouse=True)
def held(request: pytest.FixtureRequest, record_property: Callable[[str, object], None]) -> Held:
    """Record what held, as a clause that continues the sentence about what was tried."""
    tried = (inspect.getdoc(request.function) or request.node.name).splitlines()[0].rstrip(".")
    given = request.node.callspec.params if hasattr(request.node, "callspec") else {}
    kind = next((one for one in given.values() if one in LASTING), None)
    record_property("tried", f"{tried} [{kind}]" if kind else tried)
    return lambda so: record_property("held", so)


@pytest.fixture
def opened(nursery: Nursery, backend: str, tmp_path: Path) -> Iterator[Opened]:
    """Open the demonstration house on the store, in a process of its own, with any settings."""
    houses: list[Mortal] = []

    def opener(most_files: int | None = None, ahead: Path | None = None, **settings: Any) -> Mortal:  # noqa: ANN401
        houses.append(
            nursery.open(tmp_path, "--demonstration", store=backend, most_files=most_files, ahead=ahead, **settings)
        )
        assert houses[-1].url, houses[-1].said()
        return houses[-1]

    yield opener
    for house in houses:
        house.kill()
