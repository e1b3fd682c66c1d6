"""A loaded rule book: its wagers, outcomes and phases. The other parts of the book are read on demand."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

import msgspec

from croupier import rulebooks
from croupier.rules import schema
from croupier.rules.errors import Impossible, RuleBookError
from croupier.rules.layout import Layout
from croupier.rules.lesson import Lesson, read_lesson
from croupier.rules.loading import (
    RULES_FILES,
    RULES_KEYS,
    Source,
    Tree,
    convert,
    find_source,
    overlay,
    read_folder,
    read_toml,
)
from croupier.rules.machine import Machine, Pick, RowCompiler, plain_pick, show_pick
from croupier.rules.outcomes import OutcomeError, Outcomes
from croupier.rules.schema import acts_on

if TYPE_CHECKING:
    from croupier.rules.conduct import Conduct
    from croupier.rules.prizes import Prizes

T = TypeVar("T")


class _Studies(msgspec.Struct, frozen=True):
    """The contents of `studies.toml`. Conversion starts at its top-level key so that errors name the full path."""

    studies: list[schema.Study] = []


@acts_on("book")
class Book:
    """One rule book. `readings` names the rival readings laid over it ("SB-8 letter"); by default there are none."""

    def __init__(self, source: Source, extra: Mapping[str, Path], readings: tuple[str, ...] = ()) -> None:
        self.source = source
        self.file = source.name
        self.readings_taken = readings
        self._extra = extra
        self._file_names: dict[str, str] = {}
        self.base = self._load_base()
        self.id = self._own_id()
        self.rules = convert(self._rules_tree(), schema.Rules, self.file)
        self.wagers = {wager.id: wager for wager in self.rules.wagers}
        self.phases = {phase.id: phase for phase in self.rules.phases}
        self.outcomes = self._make_outcomes()

    def _load_base(self) -> Book | None:
        identity = self.source.tree(*RULES_FILES).get("book")
        base_id = identity.get("extends") if isinstance(identity, dict) else None
        if base_id is None:
            return None
        if not isinstance(base_id, str):
            raise RuleBookError(self.file, "book.extends", "is not the id of a book")
        others = {book_id: path for book_id, path in self._extra.items() if path != self.source.path}
        return Book(find_source(base_id, others), others)

    def _own_id(self) -> str:
        """Return the id as written. Rival readings are selected by it before the rules are parsed."""
        identity = self.source.tree(*RULES_FILES).get("book")
        return str(identity.get("id")) if isinstance(identity, dict) else ""

    def file_with(self, key: str) -> str:
        """Name the file that contains a part of the book; falls back to the extended book."""
        if key not in self._file_names:
            self._file_names[key] = self._find_file(key)
        return self._file_names[key]

    def _find_file(self, key: str) -> str:
        own = self.source.tree(*RULES_FILES)
        return self.source.file_with(key) if key in own or self.base is None else self.base.file_with(key)

    def tree(self, *file_names: str) -> Tree:
        """Return the contents of these files, laid over the book that this one extends."""
        own = self.source.tree(*file_names)
        return own if self.base is None else overlay(self.base.tree(*file_names), own)

    def _rules_tree(self) -> Tree:
        tree = self.tree(*RULES_FILES)
        for reading in self.readings_taken:
            tree = overlay(tree, self.rival(reading))
        return {key: value for key, value in tree.items() if key in RULES_KEYS}

    def rival(self, name: str) -> Tree:
        """Return the changes that a rival reading makes to the rules. Raises RuleBookError for an unknown name."""
        rivals = self._rival_trees
        if name not in rivals:
            known = ", ".join(rivals) or "none"
            raise RuleBookError(self.file, "", f'has no rival reading "{name}" that can be played; there are: {known}')
        return rivals[name]

    @cached_property
    def rivals(self) -> list[str]:
        """The rival readings that can be played."""
        return list(self._rival_trees)

    @property
    def own_rivals(self) -> list[str]:
        """The rival readings written in this book, without those of the book it extends."""
        return list(cast(dict[str, Tree], self.source.tree("rivals.toml").get("rivals", {})))

    def read_as(self, readings: tuple[str, ...]) -> Book:
        """Return the same book with rival readings laid over it."""
        return Book(self.source, self._extra, readings)

    @cached_property
    def _rival_trees(self) -> dict[str, Tree]:
        """The book's own rivals, and the common rivals of readings that concern it."""
        own = cast(dict[str, Tree], self.tree("rivals.toml").get("rivals", {}))
        common = cast(dict[str, Tree], _common("rivals").get("rivals", {}))
        return {**own, **{name: tree for name, tree in common.items() if self._is_concerned(name)}}

    @cached_property
    def studies(self) -> list[schema.Study]:
        """The rival readings that are computed rather than played, common ones included."""
        own = convert(self.tree("studies.toml"), _Studies, self.file).studies
        common = convert(_common("studies").get("studies", []), list[schema.Study], "common-studies.toml")
        return own + [study for study in common if self._is_concerned(study.reading)]

    @property
    def own_studies(self) -> list[schema.Study]:
        """The studies written in this book, without those of the book it extends."""
        return convert(self.source.tree("studies.toml"), _Studies, self.file).studies

    def is_studied(self, reading: str) -> bool:
        """Whether a rival reading is computed alongside the reading taken, rather than played as a separate book."""
        return any(study.reading == reading and not study.over for study in self.studies)

    @cached_property
    def lineage(self) -> list[str]:
        """The book's id, then the id of the book it extends, and so on."""
        return [self.id, *(self.base.lineage if self.base else [])]

    def _is_concerned(self, rival: str) -> bool:
        return any(reading.id == rival.split(" ")[0] for reading in self.common_readings)

    def _make_outcomes(self) -> Outcomes:
        throw = self.rules.throw
        if not 1 <= throw.throw <= 4 or len(set(throw.faces)) != len(throw.faces) or len(throw.faces) < 2:
            raise RuleBookError(
                self.file, "throw", "a throw has one to four dice or coins, with at least two different faces"
            )
        try:
            return Outcomes(tuple(throw.faces), throw.throw, throw.named)
        except OutcomeError as reason:
            raise RuleBookError(self.file, "throw", str(reason)) from None

    @cached_property
    def phase_machines(self) -> dict[str, Machine]:
        """The machines of the phases, compiled like wagers that are never decided."""
        machines = {}
        for phase in self.rules.phases:
            compiler = RowCompiler(self.file_with("phases"), f"phase {phase.id}", self.outcomes, None)
            machine = Machine(phase.id, None, (phase.start,), compiler.compile(phase.rows, {}, self.rules.sets))
            compiler.check_reachable(machine)
            machines[phase.id] = machine
        return machines

    def picks(self, wager: schema.Wager) -> list[Pick]:
        """Return the picks a wager offers; a wager without picks has the single pick None."""
        return [*wager.picks] or [None]

    @cached_property
    def calls(self) -> dict[str, str]:
        """The spoken calls, by moment."""
        return {call.moment: call.words for call in self.rules.calls}

    @cached_property
    def fixed_stakes(self) -> dict[str, schema.FixedStake]:
        """The wagers with one fixed amount, by the table option that sets it."""
        return {
            wager.fixed_stake.option: wager.fixed_stake for wager in self.rules.wagers if wager.fixed_stake is not None
        }

    @cached_property
    def call_clause(self) -> str | None:
        """The clause by which players call wagers On and Off; None if no wager in the book sleeps."""
        return next((wager.call_clause for wager in self.rules.wagers if wager.can_be_called), None)

    @cached_property
    def clauses(self) -> dict[str, schema.Clause]:
        """Every clause by number, in document order."""
        return self._part("clauses", dict[str, schema.Clause])

    @cached_property
    def definitions(self) -> dict[str, schema.Clause]:
        """Every defined word, in document order."""
        return self._part("definitions", dict[str, schema.Clause])

    @cached_property
    def sections(self) -> dict[str, str]:
        """The section headings."""
        return self._part("sections", dict[str, str])

    @cached_property
    def conduct(self) -> Conduct:
        """Who may do what besides wagering: the book's own conduct laid over the common conduct."""
        from croupier.rules.conduct import Conduct  # imported late: most uses of a book never touch conduct

        own, common = self._conduct_tree(), _naming(_common_conduct(), self.rules.throw.field)
        merged = {part: _over_common(common.get(part), own.get(part)) for part in ("powers", "acts")}
        for bar in cast(list[Tree], own.get("bars", [])):
            merged = {part: _barred(entries, bar.get(part), bar.get("needs")) for part, entries in merged.items()}
        known = {act.get("id") for act in merged["acts"] if isinstance(act, dict)}
        duties = [duty for duty in cast(list[Tree], common.get("duties", [])) if duty["id"] in known]
        cases = [_known_steps(kind, known) for kind in cast(list[Tree], common.get("cases", []))]
        shared = {  # these apply whether or not the book mentions them
            "moments": common.get("moments", []),
            "duties": duties,
            "cases": [kind for kind in cases if kind["opens"] in known],
        }
        return convert({**overlay(shared, own), **merged}, Conduct, f"{self.file}, conduct")

    def _conduct_tree(self) -> Tree:
        """Return the book's own conduct, laid over that of the book it extends."""
        own = self.source.conduct_tree()
        return own if self.base is None else overlay(self.base._conduct_tree(), own)

    @cached_property
    def prizes(self) -> Prizes | None:
        """The book's rules on promotional prizes, laid over the common ones; None if it has none."""
        from croupier.rules.prizes import Prizes  # imported late: no table needs it

        tree = self.tree("prizes.toml").get("prizes")
        if not isinstance(tree, dict):
            return None
        common = _common("prizes")
        merged = {part: _over_common(common[part], tree[part]) for part in common if isinstance(tree.get(part), list)}
        return convert({**tree, **merged}, Prizes, self.prizes_file)

    @property
    def prizes_file(self) -> str:
        """The file that contains the prizes; falls back to the extended book."""
        own = self.base is None or "prizes" in self.source.tree("prizes.toml")
        return self.source.file_with("prizes") if own or self.base is None else self.base.prizes_file

    @cached_property
    def layout(self) -> Layout | None:
        """The felt; None if the book has none."""
        tree = self.tree("layout.toml").get("layout")
        return None if tree is None else convert(tree, Layout, self.file)

    @cached_property
    def lesson(self) -> Lesson | None:
        """The book's own first game; that of a book it extends may promise what these rules do not pay."""
        return read_lesson(self.source)

    @cached_property
    def readings(self) -> list[schema.Reading]:
        """The readings that concern this book: its own, then the common ones that cite it or a book it extends."""
        own = convert(self.tree("readings.toml").get("readings", []), list[schema.Reading], self.file)
        return own + self.common_readings

    @cached_property
    def common_readings(self) -> list[schema.Reading]:
        """The common readings that concern this book or one it extends."""
        own = set(self.lineage)
        return [item for item in common_readings() if any(cited.split(" ")[0] in own for cited in item.clauses)]

    def _part(self, key: str, type_: type[T]) -> T:
        return convert(self.tree("clauses.toml").get(key, {}), type_, self.file)

    def citable(self) -> set[str]:
        """Return everything that may be cited as a clause: numbers, and definitions as `1.1 "word"`."""
        return {*self.clauses, *(definition_number(word) for word in self.definitions)}


def _known_steps(kind: Tree, known: set[object]) -> Tree:
    """Return a kind of case with only the steps for which the book has acts."""
    steps = [
        {**step, "acts": [act for act in cast(list[str], step["acts"]) if act in known]}
        for step in cast(list[Tree], kind["next"])
    ]
    return {**kind, "next": [step for step in steps if step["acts"]]}


def _over_common(common: object, own: object) -> list[object]:
    """Return the book's own entries, each laid over the common entry with the same id."""
    by_id = {entry["id"]: entry for entry in cast(list[Tree], common or [])}
    own_entries = cast(list[object], own or [])
    return [overlay(by_id.get(e.get("id"), {}), e) if isinstance(e, dict) else e for e in own_entries]


def _barred(entries: list[object], names: object, needs: object) -> list[object]:
    """Add the needs of a bar to the entries that it names."""
    more = {"needs": needs}
    wanted = cast(list[object], names or [])
    return [overlay(e, more) if isinstance(e, dict) and e.get("id") in wanted else e for e in entries]


def _naming(common: Tree, things: str) -> Tree:
    """Return the common conduct with the name of what the book throws, dice or coins, in its refusals."""

    def named(entry: Tree) -> Tree:
        needs = cast(list[Tree], entry.get("needs", []))
        return {**entry, "needs": [{**need, "say": str(need["say"]).replace("{things}", things)} for need in needs]}

    return {
        **common,
        **{part: [named(entry) for entry in cast(list[Tree], common[part])] for part in ("powers", "acts")},
    }


@lru_cache(maxsize=1)
def _common_conduct() -> Tree:
    """The common conduct: how an act is phrased and what it does. Each book adds who may do it and the clause."""
    return read_folder(rulebooks.HERE / "common-conduct")


@lru_cache(maxsize=3)
def _common(part: str) -> Tree:
    """Read a file of rules shared by several books."""
    return read_toml(rulebooks.HERE / f"common-{part}.toml")


@lru_cache(maxsize=1)
def common_readings() -> list[schema.Reading]:
    """The readings common to several books (X-…)."""
    file = rulebooks.HERE / "common-readings.toml"
    return convert(read_toml(file).get("readings", []), list[schema.Reading], file.name)


@lru_cache(maxsize=1)
def registered_readings() -> set[str]:
    """The ids of all registered readings, of every book: books refer to each other's readings."""
    own = [read_toml(rulebooks.folder(book_id) / "readings.toml").get("readings", []) for book_id in rulebooks.ids()]
    return {item.id for item in common_readings()} | {item["id"] for items in own for item in cast(list[Tree], items)}  # type: ignore[misc]


def definition_number(word: str) -> str:
    """Return the citation of a defined word."""
    return f'1.1 "{word}"'


def find_wager(book: Book, wager_id: str) -> schema.Wager:
    """Return a wager of the book. Raises Impossible: only wagers in the book are permitted."""
    wager = book.wagers.get(wager_id)
    if wager is None:
        raise Impossible("unknown_wager", f"The book has no wager called {wager_id}.", book.rules.limits.wagers)
    return wager


def find_pick(book: Book, wager: schema.Wager, raw: object) -> Pick:
    """Return the pick as the book writes it; sets are accepted in any order. Raises Impossible."""
    if not wager.picks:
        if raw is not None:
            raise Impossible("pick_not_allowed", f"{wager.name} is made without a pick.", wager.clause)
        return None
    offered = book.picks(wager)
    if raw is None:
        raise Impossible("pick_required", f"{wager.name} needs a pick: {_listed(offered)}.", wager.pick_clause)
    pick = plain_pick(raw)
    if pick is None or pick not in offered:
        sentence = f"{wager.name} cannot be made on that; it is made on {_listed(offered)}."
        raise Impossible("pick_unknown", sentence, wager.clause)
    return pick


def _listed(picks: list[Pick]) -> str:
    return ", ".join(map(show_pick, picks))


@lru_cache(maxsize=4096)
def matches(patterns: tuple[str, ...], state: str) -> bool:
    """Whether a state matches one of the patterns; patterns may use `*`."""
    return any(fnmatchcase(state, pattern) for pattern in patterns)


def holds(condition: schema.Condition | schema.PhaseIs, state: str) -> bool:
    """Whether a condition on a state holds: one of `is`, none of `not`."""
    if condition.is_ and not matches(tuple(condition.is_), state):
        return False
    return not (condition.not_ and matches(tuple(condition.not_), state))


def shown_value(pattern: str | None, state: str) -> int | str | None:
    """Return the value a state shows: under the pattern `point {n}`, `point 6` shows 6. Other states show None."""
    if pattern is None:
        return None
    head, _, tail = pattern.partition("{n}")
    if not (state.startswith(head) and state.endswith(tail)):
        return None
    value = state[len(head) : len(state) - len(tail)]
    return int(value) if value.isdecimal() else value
