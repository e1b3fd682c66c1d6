"""Facts that tables record are referred to by name in books, engine and scenarios: a misspelt name fails here."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

import croupier
from croupier.rules.checking import SET_BY_THE_ENGINE, check_conduct, facts_asked, facts_set, unknown_facts
from croupier.rules.conduct import Act, Conduct
from croupier.rules.errors import RuleBookError
from croupier.rules.schema import NONE, Fact
from croupier.rules.shelf import Shelf
from croupier.scenarios.scenario_lines import Step
from croupier.table import under_way
from tests.mutants import load_scenarios
from tests.tables import BOOKS, SHELF
from tests.test_conduct import needs_of

# What no rule asks for again, and why it is remembered all the same.
FOR_THE_RECORD = {
    "claim *": "what a player said, before staff find the wagers invalid",
    "reported device *": "who reported somebody, before a supervisor finds anything",
    "contacted *": "when the patron of a wrong payment was contacted",
    "standing *": "how the case of a wrong payment stands",
    "decision *": "how a dispute was decided",
    "matter *": "that the operator has decided a matter that the rules leave open",
    "ruling *": "what the operator decided on a matter that the rules leave open",
    "approved *": "the reference of an approval by the Secretary, for those who inspect the equipment",
    "procedures": "the procedures that hold while equipment is out of order",
    "display": "what the results display shows, which decides nothing",
    "uncovered": "that the dice have come into view",
    "disc": "where the disc lies",
    "void called": "whether the last void throw was called before it came to rest",
    "float at *": "what was counted in the float",
    "float counted **": "when the float was counted, and by whom",
    "float confirmed *": "when a second person confirmed a count, and who that was",
    **dict.fromkeys(
        ["float filled", "float filled *", "float credited", "float credited *"], "what came and went, and by whom"
    ),
    "drop box *": "what has gone into each box",
    "sold for *": "what was sold for cash and through the terminal",
    "closed at": "when the table closed",
}


class Names(NamedTuple):
    """Names of facts, with `*` for an inserted part, and `**` where anything may stand."""

    asked: set[str]
    set: set[str]


# -- the engine --------------------------------------------------------------------------------------------------------

TABLE = Path(croupier.__file__).parent / "table"
ENGINE = sorted(file for file in TABLE.rglob("*.py") if file.name not in ("event_views.py", "events.py", "commands.py"))

# Who asks for a fact, with the place of its name among the arguments.
ASKING = {"fact": 0, "number": 0, "_time": 1, "_has_stood": 1, "_has_come": 1}
CASE = ("self", "case")  # `case.fact("owing")` asks for the fact "owing CASE"

# Names that are put together piece by piece: they are looked for where they are used.
BUILT_BY = {
    "late_name": "late **",
    "called_on_name": "called on **",
    "stood_name": "stood **",
    "waiting_name": "spoken **",
    "_spoken": "spoken **",
    "_sign": "next minimum",
}


class EngineReader(ast.NodeVisitor):
    """Finds the names of facts in the engine's source, by how they are used."""

    def __init__(self, constants: dict[str, list[str]]) -> None:
        self.constants = constants
        self.found = Names(set(), set())

    def names(self, node: ast.AST | None) -> list[str]:
        """The names for which an expression can stand; none if the source does not tell."""
        match node:
            case ast.Constant(value=str(text)):
                return [text]
            case ast.Name(id=name):
                return self.constants.get(name, [])
            case ast.Tuple(elts=items) | ast.List(elts=items):
                return [name for item in items for name in self.names(item)]
            case ast.Starred(value=inner) | ast.FormattedValue(value=inner):
                return self.names(inner)
            case ast.JoinedStr(values=parts):
                return ["".join((self.names(part) or ["*"])[0] for part in parts)]
            case ast.IfExp(body=one, orelse=other):
                return self.names(one) + self.names(other)
            case ast.Call(func=ast.Name(id=name)) if name in BUILT_BY:
                return [BUILT_BY[name]]
        return []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        outside = self.constants
        self.generic_visit(node)
        self.constants = outside

    def visit_Assign(self, node: ast.Assign) -> None:
        self.constants = self.constants | self.bound(node)
        self.generic_visit(node)

    def bound(self, node: ast.Assign) -> dict[str, list[str]]:
        """The names that an assignment gives to variables."""
        match node.targets[0], node.value:
            case ast.Name(id=variable), value:
                return {variable: self.names(value)}
            case ast.Tuple(elts=variables), ast.Tuple(elts=values):
                return {getattr(v, "id", ""): self.names(e) for v, e in zip(variables, values, strict=True)}
        return {}

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        on = ast.unparse(node.func.value) if isinstance(node.func, ast.Attribute) else ""
        if name == "startswith":
            self.found.asked.update(f"{text}**" for text in self.names(node.args[0]) if text.endswith(" "))
        elif name in ("fact", "has") and on in CASE:
            self.found.asked.update(f"{text} *" for text in self.names(node.args[0]))
        elif name in ASKING and len(node.args) > ASKING[name]:
            self.found.asked.update(self.names(node.args[ASKING[name]]))
        elif name == "get" and _is_facts(on):
            self.found.asked.update(self.names(node.args[0]))
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        if isinstance(node.ops[0], ast.In | ast.NotIn) and _is_facts(ast.unparse(node.comparators[0])):
            self.found.asked.update(self.names(node.left))
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        on = ast.unparse(node.value)
        if isinstance(node.ctx, ast.Store) and (_is_facts(on) or on in ("noted", "case.changes")):
            self.found.set.update(self.names(node.slice))
        elif isinstance(node.ctx, ast.Load) and _is_facts(on):
            self.found.asked.update(self.names(node.slice))
        self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> None:
        """A dict in a function of the engine is recorded, now or later; a value of None is forgotten instead."""
        for key, value in zip(node.keys, node.values, strict=True):
            if not (isinstance(value, ast.Constant) and value.value is None):
                self.found.set.update(self.names(key))
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        if isinstance(node.target, ast.Name):
            self.constants = {**self.constants, node.target.id: self.names(node.iter)}
        self.generic_visit(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        outside = self.constants
        for part in (*node.generators, node.elt):  # what is gone through, before what is done with it
            self.visit(part)
        self.constants = outside


def _is_facts(expression: str) -> bool:
    return expression.endswith(("facts", ".get('facts')", ".own('facts')"))


@cache
def of_the_engine() -> Names:
    """The facts that the engine itself reads and sets."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in ENGINE]
    constants: dict[str, list[str]] = {}
    for tree in trees:
        for node in tree.body:
            if isinstance(node, ast.Assign):
                constants |= EngineReader({}).bound(node)
    found = Names(set(), set())
    for tree in trees:
        reader = EngineReader(constants)
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                reader.visit(node)
        found.asked.update(name for name in reader.found.asked if not name.startswith("*"))
        found.set.update(name for name in reader.found.set if not name.startswith("*"))
    return found


# What stands in a dict of the engine and is no fact: words that may be put in for braces.
NO_FACTS = {"who", "by", "at", "case", "value"}


def test_what_the_engine_sets_by_itself_is_listed() -> None:
    found = of_the_engine().set - NO_FACTS
    assert unknown_facts(found, SET_BY_THE_ENGINE) == []
    assert unknown_facts(SET_BY_THE_ENGINE, found) == []


def test_what_the_engine_asks_for_can_be_set() -> None:
    asked = of_the_engine().asked
    assert len(asked) > 50, "the engine is not read as it is written"
    books = {name for book_id in BOOKS for name in facts_set(SHELF.book(book_id).conduct)}
    assert unknown_facts(asked, [*books, *SET_BY_THE_ENGINE]) == []


def test_what_the_engine_forgets_could_be_remembered() -> None:
    books = {name for book_id in BOOKS for name in facts_set(SHELF.book(book_id).conduct)}
    forgotten = [*under_way.MOMENTS, *under_way.TURN, *under_way.OLD_SET]
    assert unknown_facts(forgotten, [*books, *SET_BY_THE_ENGINE]) == []


# -- the books ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book_id", BOOKS)
def test_what_a_book_asks_for_can_be_set_at_its_tables(book_id: str) -> None:
    conduct = SHELF.book(book_id).conduct
    assert unknown_facts(facts_asked(conduct), [*facts_set(conduct), *SET_BY_THE_ENGINE]) == []


def test_what_is_set_is_asked_for_or_is_for_the_record() -> None:
    conducts = [SHELF.book(book_id).conduct for book_id in BOOKS]
    asked = {*of_the_engine().asked, *(name for conduct in conducts for name in facts_asked(conduct))}
    named = {*SET_BY_THE_ENGINE, *(name for conduct in conducts for name in facts_set(conduct))}
    assert unknown_facts(named, [*asked, *FOR_THE_RECORD]) == []
    assert unknown_facts(FOR_THE_RECORD, named) == [], "nothing sets them any more"
    assert [name for name in FOR_THE_RECORD if unknown_facts([name], asked) == []] == [], "something asks for them now"


@pytest.mark.parametrize("book_id", BOOKS)
def test_what_is_forgotten_could_be_remembered(book_id: str) -> None:
    """At some table at least: what the books share forgets more facts than each single book records."""
    known = {*SET_BY_THE_ENGINE, *(name for each in BOOKS for name in facts_set(SHELF.book(each).conduct))}
    cleared = {name for act in SHELF.book(book_id).conduct.acts for name in act.clears}
    names = {re.sub(r"\{\w+\}", "*", name.replace("*", "**") if name.endswith("*") else name) for name in cleared}
    assert unknown_facts(names, known) == []


def values_of(conduct: Conduct) -> dict[str, set[Fact]]:
    """The values to which acts set each fact, for facts that are only set to values from a book."""
    values: dict[str, set[Fact]] = {name: {value} for name, value in conduct.facts.items()}
    for act in conduct.acts:
        for name, value in act.sets.items():
            values.setdefault(name, set()).add(value)
    moved = [name for name in values if unknown_facts([re.sub(r"\{\w+\}", "*", name)], SET_BY_THE_ENGINE) == []]
    put_in = [name for name, said in values.items() if any("{" in str(value) for value in said)]
    return {name: said for name, said in values.items() if name not in (*moved, *put_in)}


@pytest.mark.parametrize("book_id", BOOKS)
def test_a_value_that_a_need_asks_for_is_one_that_acts_set(book_id: str) -> None:
    conduct = SHELF.book(book_id).conduct
    values, seen = values_of(conduct), 0
    for place, need, _ in needs_of(conduct):
        known = values.get(need.fact or "")
        if known is not None and not any("{" in str(value) for value in need.is_):
            seen += 1
            assert {*need.is_, *need.not_} <= {*known, NONE}, (place, need.id)
    assert seen > 5


def test_a_book_with_a_misspelt_fact_is_refused() -> None:
    book = Shelf().book("craps-nsw-2024")
    acts = [act if act.id != "rest" else _misspelt(act) for act in book.conduct.acts]
    book.__dict__["conduct"] = msgspec.structs.replace(book.conduct, acts=acts)
    with pytest.raises(RuleBookError, match='test "trow", which nothing sets'):
        check_conduct(book)


def _misspelt(act: Act) -> Act:
    need = msgspec.structs.replace(act.needs[0], fact="trow")
    return msgspec.structs.replace(act, needs=[need])


# -- the scenarios -----------------------------------------------------------------------------------------------------


def known_in(steps: list[Step]) -> Iterator[str]:
    for step in steps:
        if step.kind == "known":
            yield step.values["fact"]
        yield from known_in(step.trials)


@pytest.mark.parametrize("book_id", BOOKS)
def test_scenarios_state_only_what_their_tables_can_remember(book_id: str) -> None:
    """`known tabel = none` would always be true."""
    known = [*facts_set(SHELF.book(book_id).conduct), *SET_BY_THE_ENGINE]
    stated = {fact for scenario in load_scenarios(book_id) for fact in known_in(scenario.steps)}
    assert len(stated) > 5
    assert unknown_facts(stated, known) == []
