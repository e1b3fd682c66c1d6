"""Find and read the files of a book: a folder of TOML files, or a single TOML file.

A book may extend another (`extends` in `[book]`): its contents are laid over the other book. Tables are merged key
by key, lists of tables by `id`; anything else is replaced. Rival readings are overlays of the same kind
(`rivals.toml`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar, cast

import msgspec

from croupier import rulebooks
from croupier.bounded_reading import TooLong, read_text
from croupier.rules import schema
from croupier.rules.errors import RuleBookError, UnknownBook

MOST_BYTES = 2_000_000  # per file; our longest has 50,000
MOST_IN_A_LINE = 4_000  # inputs that take the TOML parser minutes need very long lines
DEEPEST = 12  # a row of a wager is six deep

T = TypeVar("T")
Tree = dict[str, object]

# The parts a table needs; the others are read on demand.
RULES_KEYS = tuple(field.name for field in msgspec.structs.fields(schema.Rules))
RULES_FILES = ("book.toml", "wagers.toml")
KNOWN_KEYS = {
    *RULES_KEYS,
    "sections",
    "definitions",
    "clauses",
    "readings",
    "layout",
    "lesson",
    "rivals",
    "studies",
    "conduct",
    "prizes",
}


class Source:
    """The files of one book."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._files: dict[str, Tree] = {}

    @property
    def name(self) -> str:
        """The book's name in errors: its folder or file."""
        return self.path.name

    def file_with(self, key: str) -> str:
        """Name the file that contains a part of the book, for errors."""
        if self.path.is_dir():
            for file in sorted(self.path.glob("*.toml")):
                if key in self._read(file):
                    return f"{self.name}/{file.name}"
        return self.name

    def tree(self, *file_names: str) -> Tree:
        """Return the merged top-level tables of these files; a single-file book has everything in one."""
        if self.path.is_file():
            return self._read(self.path)
        merged: Tree = {}
        for file_name in file_names:
            file = self.path / file_name
            if file.is_file():
                merged.update(self._read(file))
        return merged

    def conduct_tree(self) -> Tree:
        """Return the book's conduct: one file per topic in a folder, or a table in the single file."""
        if self.path.is_file():
            return cast(Tree, self._read(self.path).get("conduct", {}))
        return read_folder(self.path / "conduct")

    def scenario_files(self) -> list[Path]:
        """List the book's own scenarios: in its folder, or next to its single file under the same name."""
        if self.path.is_file():
            beside = self.path.with_suffix(".scenario")
            return [beside] if beside.is_file() else []
        return sorted((self.path / "scenarios").glob("*.scenario"))

    def _read(self, file: Path) -> Tree:
        tree = self._files.get(file.name)
        if tree is None:
            tree = self._files[file.name] = read_toml(file)
            for key in tree:
                if key not in KNOWN_KEYS:
                    raise RuleBookError(file.name, key, "no part of a rule book has this name")
        return tree


def read_toml(file: Path) -> Tree:
    """Read one file; a missing or malformed file raises RuleBookError with its name."""
    try:
        tree = tomllib.loads(read_text(file, MOST_BYTES, MOST_IN_A_LINE))
    except OSError as error:
        raise RuleBookError(str(file), "", f"cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise RuleBookError(file.name, "", "is not UTF-8 text") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise RuleBookError(file.name, "", f"is not TOML: {error}") from None
    except ValueError as error:  # too long, or a number with thousands of digits
        reason = f"is too long: {error}" if isinstance(error, TooLong) else "is not readable TOML"
        raise RuleBookError(file.name, "", reason) from None
    if _is_deeper(tree, DEEPEST):
        raise RuleBookError(file.name, "", f"has tables in tables more than {DEEPEST} deep")
    return tree


def _is_deeper(value: object, most: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return inner is not None and (most == 0 or any(_is_deeper(each, most - 1) for each in inner))


def read_folder(folder: Path) -> Tree:
    """Overlay the files of a folder in name order; an act's topic is its file's name."""
    merged: Tree = {}
    for file in sorted(folder.glob("*.toml")):
        tree = read_toml(file)
        for act in cast(list[Tree], tree.get("acts", [])):
            act.setdefault("topic", file.stem)
        merged = overlay(merged, tree)
    return merged


def find_source(book_id: str, extra: Mapping[str, Path]) -> Source:
    """Return the files of a book by its id: the user's own, or the package's. Raises UnknownBook."""
    if book_id in extra:
        return Source(extra[book_id])
    if book_id in rulebooks.ids():
        return Source(rulebooks.folder(book_id))
    known = ", ".join([*rulebooks.ids(), *extra])
    raise UnknownBook(book_id, "", f"there is no such rule book; the books are {known}")


def overlay(base: Tree, change: Mapping[str, object]) -> Tree:
    """Lay a change over a tree: tables by key, lists of tables by id, everything else replaced."""
    merged = dict(base)
    for key, value in change.items():
        old = merged.get(key)
        if isinstance(old, dict) and isinstance(value, Mapping):
            merged[key] = overlay(old, value)
        elif _is_known_by_name(old) and _is_known_by_name(value):
            merged[key] = _overlay_list(cast(list[Tree], old), cast(list[Tree], value))
        else:
            merged[key] = value
    return merged


def _name(item: object) -> str | None:
    """Return the key of a table in a list: its id, the moment of a call, the key of a choice, the wager of an area."""
    if not isinstance(item, dict):
        return None
    for key in ("id", "moment", "key"):
        if key in item:
            return f"{key} {item[key]}"
    if "wager" in item and ("at" in item or "chip" in item):  # on the squares, or on a sheet
        return f"area {item['wager']} {item.get('picks', item.get('pick'))}"
    return f"sheet {item['name']}" if "name" in item and "areas" in item else None


def _is_known_by_name(value: object) -> bool:
    return isinstance(value, list) and all(_name(item) is not None for item in value)


def _overlay_list(base: list[Tree], change: list[Tree]) -> list[Tree]:
    by_name = {_name(item): item for item in base}
    for item in change:
        old = by_name.get(_name(item))
        by_name[_name(item)] = item if old is None else overlay(old, item)
    return list(by_name.values())


def convert(tree: object, type_: type[T], file: str) -> T:
    """Convert plain TOML to a struct; an error names the path of the mistake."""
    try:
        return msgspec.convert(tree, type_)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at ")
        raise RuleBookError(file, _named_path(tree, path.strip("`")), reason) from None


def _named_path(tree: object, path: str) -> str:
    """Make `$.wagers[3].rows[0].on` name the wager: `wagers[3] (field).rows[0].on`."""
    named = ""
    here: object = tree
    for step in path.lstrip("$.").replace("[", ".[").split("."):
        if step.startswith("["):
            place = step[1:-1]
            here = here[int(place)] if isinstance(here, list) and place.isdecimal() else None
            named += step
            if isinstance(here, dict) and "id" in here:
                named += f" ({here['id']})"
        elif step:
            here = here.get(step) if isinstance(here, dict) else None
            named += f".{step}" if named else step
    return named
