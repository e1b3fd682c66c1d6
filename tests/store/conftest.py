"""Stores to test: each kind, empty, and closed afterwards."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from croupier.store import Store
from croupier.store.contract import Boundary, nothing
from croupier.store.opening import open_store
from tests.postgres import NoPostgres, fresh_database
from tests.store.children import Children

LASTING = ("sqlite", "postgres")
KINDS = ("memory", *LASTING)

Opener = Callable[..., Store]


@pytest.fixture
def database() -> str:
    """The address of an empty PostgreSQL database."""
    try:
        url = fresh_database(f"store_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}")
    except NoPostgres as error:
        pytest.skip(str(error))
    return url


@pytest.fixture(params=KINDS)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store, one of each kind."""
    match request.param:
        case "sqlite":
            return f"sqlite:{tmp_path / 'house.sqlite'}"
        case "postgres":
            return str(request.getfixturevalue("database"))
        case _:
            return "memory:"


@pytest.fixture
def opened(address: str) -> Iterator[Opener]:
    """Opens the store, repeatedly if it is a persistent one."""
    stores: list[Store] = []

    def opener(boundary: Boundary = nothing, *, read_only: bool = False) -> Store:
        stores.append(open_store(address, boundary=boundary, read_only=read_only))
        return stores[-1]

    yield opener
    for store in stores:
        store.close()


@pytest.fixture
def store(opened: Opener) -> Store:
    """An empty store, one of each kind."""
    return opened()


@pytest.fixture(scope="session")
def children() -> Iterator[Children]:
    """A helper that starts processes which may be killed."""
    helper = Children()
    yield helper
    helper.close()
