"""Count the source files that name each modifier of a wager.

A modifier is a field of `schema.Wager` that most wagers omit. `rules/schema.py` and `rules/offers.py` define its
meaning; the fewer other files name it, the less a new one touches.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

import croupier
from croupier.rules.schema import Wager

SOURCE = Path(croupier.__file__).parent
MODIFIERS = [
    field.name
    for field in msgspec.structs.fields(Wager)
    if not field.required and (field.default is None or isinstance(field.default, bool))
]


def naming(source: Path = SOURCE) -> dict[str, list[str]]:
    """Return the files that name each modifier, by modifier."""
    schema = source / "rules" / "schema.py"
    trees = {file: ast.parse(file.read_text(encoding="utf-8")) for file in sorted(source.rglob("*.py"))}
    shared = {name for file, tree in trees.items() if file != schema for name in _fields(tree)}
    found: dict[str, list[str]] = {name: [] for name in MODIFIERS}
    for file, tree in trees.items():
        named = found if file == schema else found.keys() & set(_named(tree, shared))
        for name in named:
            found[name].append(str(file.relative_to(source)))
    return found


def _fields(tree: ast.Module) -> Iterator[str]:
    """Yield the names of classes' own members. If such a name is also a modifier, the name alone proves nothing."""
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id
        elif isinstance(node, ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def _named(tree: ast.Module, shared: set[str]) -> Iterator[str]:
    """Yield fields of a wager, and strings that name one or a part of it, such as `behind.clause`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            if node.attr not in shared or "wager" in ast.unparse(node.value):
                yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            name, dot, _ = node.value.partition(".")
            if dot or name not in shared:
                yield name


def main() -> int:
    """Print the counts; with the argument `files`, the files as well."""
    for name, files in naming().items():
        print(f"{len(files):3} {name}")
        if sys.argv[1:] == ["files"]:
            print("".join(f"      {file}\n" for file in files), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
