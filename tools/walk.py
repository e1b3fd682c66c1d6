"""Count what a single request passes through: `python -m tools.walk`.

For one bet in the library, one bet over HTTP and one simulation this prints how many modules of the package take part,
how often a call crosses from one module into another, and in how many shapes the bet is handed on. It also counts the
modules and lines of the whole package. `tools.modifiers` counts the files that name each modifier of a wager.
"""

from __future__ import annotations

import ast
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec

import croupier

SOURCE = Path(croupier.__file__).parent
BOOK, WAGER = "craps-nsw-2024", "win_line"
BETS = 8  # traced over HTTP


class Walk:
    """The calls seen during a run."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self.crossings = 0
        self.shapes: set[str] = set()
        self.is_on = False

    def see(self, frame: FrameType, event: str, _argument: object) -> None:
        """Record one call; a callback for Python's profiler."""
        if not self.is_on or event != "call":
            return
        module = _module(frame)
        if module is None:
            return
        self.modules.add(module)
        caller = _caller(frame)
        self.crossings += caller is not None and caller != module
        code = frame.f_code
        for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
            self._see_shape(frame.f_locals.get(name))

    def _see_shape(self, value: object) -> None:
        """Record the type of an argument that names the wager directly, not through a nested value."""
        if isinstance(value, bytes | bytearray) and WAGER.encode() in value:
            self.shapes.add("bytes")
        elif isinstance(value, dict) and WAGER in map(str, value.values()):
            self.shapes.add("dict")
        elif isinstance(value, msgspec.Struct) and WAGER in (getattr(value, name) for name in value.__struct_fields__):
            self.shapes.add(type(value).__name__)


def _module(frame: FrameType) -> str | None:
    file = Path(frame.f_code.co_filename)
    return str(file.relative_to(SOURCE)) if file.is_relative_to(SOURCE) else None


def _caller(frame: FrameType) -> str | None:
    """Return the package module that made the call, possibly through libraries."""
    back = frame.f_back
    while back is not None:
        module = _module(back)
        if module is not None:
            return module
        back = back.f_back
    return None


@contextmanager
def watched(walk: Walk) -> Iterator[None]:
    """Watch this thread and all threads started meanwhile."""
    threading.setprofile(walk.see)
    sys.setprofile(walk.see)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def walk_library() -> Walk:
    """Trace one bet at a table in the library."""
    table = croupier.open_table(BOOK)
    table.seat("ann", "100.00")
    return _recorded(lambda: table.bet("ann", WAGER, "10.00"))


def walk_simulation() -> Walk:
    """Trace one short simulation, with its kernels already compiled."""

    def simulate() -> object:
        return croupier.simulate(BOOK, "pass-line", rolls=1_000, sessions=10)

    simulate()
    return _recorded(simulate)


def _recorded(act: Callable[[], Any]) -> Walk:
    walk = Walk()
    act()
    with watched(walk):
        walk.is_on = True
        act()
        walk.is_on = False
    return walk


def walk_http() -> Walk:
    """Trace one bet over HTTP, from the socket to the store and back.

    The clocks of the house run beside it, so several bets are traced: what belongs to a bet takes part in all of them.
    """
    from tests.serving import did, running

    walk = Walk()
    seen_each_time: list[set[str]] = []
    crossings: list[int] = []
    with watched(walk), tempfile.TemporaryDirectory() as folder, running(Path(folder)) as house:
        otto, ann = house.person("otto"), house.person("ann")
        did(otto, "/tables", {"table": "walk", "title": "Walk", "line": {"book": BOOK}})
        did(ann, "/tables/walk/seat", {"chips": "100.00"})
        bet = {"line": {"do": "bet", "wager": WAGER, "amount": "5.00"}}
        did(ann, "/tables/walk/lines", bet)
        for _ in range(BETS):
            walk.modules, walk.crossings = set(), 0
            walk.is_on = True
            did(ann, "/tables/walk/lines", bet)
            walk.is_on = False
            seen_each_time.append(walk.modules)
            crossings.append(walk.crossings)
    walk.modules, walk.crossings = set.intersection(*seen_each_time), min(crossings)
    return walk


def package_size() -> tuple[int, int, int]:
    """Return the number of modules with code, of `__init__` files with none, and of lines."""
    texts = [file.read_text(encoding="utf-8") for file in SOURCE.rglob("*.py")]
    bare = sum(_is_bare(text) for text in texts)
    return len(texts) - bare, bare, sum(len(text.splitlines()) for text in texts)


def _is_bare(text: str) -> bool:
    """Return whether a module holds at most a docstring: it only marks a package."""
    return all(isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) for node in ast.parse(text).body)


def main() -> None:
    """Print all counts."""
    modules, bare, lines = package_size()
    print(f"package: {modules} modules and {bare} that only mark a package, {lines:,} lines")
    for name, take in (("library bet", walk_library), ("bet over HTTP", walk_http), ("simulate", walk_simulation)):
        walk = take()
        shapes = f", {len(walk.shapes)} shapes: {', '.join(sorted(walk.shapes))}" if walk.shapes else ""
        print(f"{name}: {len(walk.modules)} modules, {walk.crossings} crossings{shapes}")
        if "--list" in sys.argv:
            print("\n".join(f"  {module}" for module in sorted(walk.modules)))


if __name__ == "__main__":
    main()
