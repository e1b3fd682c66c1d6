"""What tables remember goes by names in books, engine and scenarios: a name misspelt in one of them fails here."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import croupier
from croupier.rules.conduct import Conduct
from croupier.rules.facts import NONE
from croupier.scenarios.language import Step
from tests.mutants import load_scenarios
from tests.tables import BOOKS, SHELF
from tests.test_conduct import needs_of

TABLE = Path(croupier.__file__).parent / "table"
ENGINE = sorted(file for file in TABLE.rglob("*.py") if file.name != "telling.py")  # which shows facts by no name

# Names that the engine puts together piece by piece, so that no single text in it has them.
BUILT = {
    "late *": "waiting_name",
    "spoken *": "waiting_name",
    "next minimum* from": "signs._sign",
    "next minimum* shown": "signs._sign",
}

# What no rule asks for again. It is remembered because a clause has it recorded, or for whoever asks what happened.
FOR_THE_RECORD: dict[str, str] = {}

# What no act of the books can bring about, on purpose.
NEVER_SET: dict[str, str] = {}


class Names(NamedTuple):
    """The names of facts, with `*` where something else is put in: those asked for, and those that can be set."""

    read: frozenset[str]
    written: frozenset[str]


def pattern(text: str) -> str:
    """A name as a book writes it, without the words in its braces."""
    return re.sub(r"\{\w+\}", "*", text)


def fits(one: str, other: str) -> bool:
    """Whether two patterns can be the same name."""
    return fnmatchcase(one, other) or fnmatchcase(other, one)


def unknown(names: Iterable[str], known: Iterable[str]) -> list[str]:
    """The names that are none of those known."""
    among = list(known)
    return sorted({name for name in names if not any(fits(name, other) for other in among)})


# -- the books ---------------------------------------------------------------------------------------------------------


def of_conduct(conduct: Conduct) -> Names:
    """The facts that a book itself asks for and sets."""
    read = {pattern(need.fact) for _, need, _ in needs_of(conduct) if need.fact is not None}
    read |= {pattern(lapse.fact) for lapse in conduct.lapses if lapse.fact}
    read |= {f"fitted {lapse.fitted}" for lapse in conduct.lapses if lapse.fitted is not None}
    written = {pattern(name) for act in conduct.acts for name in (*act.sets, *act.adds)}
    return Names(frozenset(read), frozenset({*written, *conduct.facts}))


@cache
def of_books() -> Names:
    """The facts of all books."""
    each = [of_conduct(SHELF.book(book_id).conduct) for book_id in BOOKS]
    return Names(frozenset().union(*(n.read for n in each)), frozenset().union(*(n.written for n in each)))


# -- the engine --------------------------------------------------------------------------------------------------------

# Who asks for a fact, with the place of its name among the arguments. The facts of a case carry the name of the case.
ASKING = {"fact": 0, "number": 0, "_time": 1, "_has_stood": 1, "_has_come": 1}
OF_A_CASE = {"fact", "has"}
WRITING = {"Noted"}


class Reader(ast.NodeVisitor):
    """Finds the names of facts in a module of the engine, by where they stand."""

    def __init__(self, constants: dict[str, list[str]], file: Path) -> None:
        self.constants = constants
        self.file = file
        self.read: set[str] = set()
        self.written: set[str] = set()

    def texts(self, node: ast.AST | None) -> list[str]:
        """The names that an expression stands for; none, if that cannot be told from the text."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return [node.value]
        if isinstance(node, ast.Name):
            return self.constants.get(node.id, [])
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            return [text for item in node.elts for text in self.texts(item)]
        if isinstance(node, ast.Starred):
            return self.texts(node.value)
        if isinstance(node, ast.JoinedStr):
            return [re.sub(r"\*+", "*", "".join((self.texts(part) or ["*"])[0] for part in node.values))]
        if isinstance(node, ast.FormattedValue):
            return self.texts(node.value)
        if isinstance(node, ast.IfExp):
            return self.texts(node.body) + self.texts(node.orelse)
        return []

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        on = ast.unparse(node.func.value) if isinstance(node.func, ast.Attribute) else ""
        if name == "startswith":
            self.read |= {f"{text}*" for argument in node.args for text in self.texts(argument)}
        elif name in OF_A_CASE and on in ("self", "case") and self.file.stem == "payments":
            self.read |= {f"{text} *" for text in self.texts(node.args[0])}
        elif name in ASKING and len(node.args) > ASKING[name]:
            self.read |= set(self.texts(node.args[ASKING[name]]))
        elif name in ("get", "pop") and _is_facts(on):
            self.read |= set(self.texts(node.args[0]))
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if _is_facts(ast.unparse(node.value)):
            found = self.read if isinstance(node.ctx, ast.Load) else self.written
            found |= set(self.texts(node.slice))
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        if isinstance(node.ops[0], ast.In | ast.NotIn) and _is_facts(ast.unparse(node.comparators[0])):
            self.read |= set(self.texts(node.left))
        self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> None:
        """What a function puts into a dict may be noted later on."""
        for key in node.keys:
            self.written |= set(self.texts(key))
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if isinstance(node.targets[0], ast.Subscript) and ast.unparse(node.targets[0].value) in ("noted", "case.changes"):
            self.written |= set(self.texts(node.targets[0].slice))
        self.generic_visit(node)


def _is_facts(expression: str) -> bool:
    return expression.endswith(("facts", ".get('facts')", ".own('facts')"))


@cache
def of_engine() -> Names:
    """The facts that the engine asks for and sets by itself."""
    trees = {file: ast.parse(file.read_text(encoding="utf-8")) for file in ENGINE}
    constants: dict[str, list[str]] = {}
    for file, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.Assign):
                names = [n.id for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name)]
                values = node.value.elts if isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple) else [node.value]
                for name, value in zip(names, values, strict=True):
                    found = Reader({}, file).texts(value)
                    if found:
                        constants[name] = found
    read: set[str] = set()
    written: set[str] = set()
    for file, tree in trees.items():
        reader = Reader(constants, file)
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                reader.visit(node)
        read |= reader.read
        written |= reader.written
    return Names(frozenset(n for n in read if n[0] != "*"), frozenset(n for n in written if n[0] != "*"))


if __name__ == "__main__":
    e, b = of_engine(), of_books()
    print("engine read", sorted(e.read))
    print("engine written", sorted(e.written))
    print("read by the engine, set by nothing", unknown(e.read, {*b.written, *e.written, *BUILT}))
    for book in BOOKS:
        c = of_conduct(SHELF.book(book).conduct)
        print(book, "asked, never set", unknown(c.read, {*c.written, *e.written, *BUILT}))
    print("set by books, asked by nothing", unknown(b.written, {*b.read, *e.read, *BUILT}))
    print("set by engine, asked by nothing", unknown(e.written, {*b.read, *e.read, *BUILT}))
