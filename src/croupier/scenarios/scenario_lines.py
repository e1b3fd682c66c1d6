"""The language of scenarios: what happens at a table, in plain lines that a dealer can read and write.

See docs/scenarios.md.

scenario A natural wins the Win Line
book craps-nsw-2024
proves 6.2.1.1.1

ann sits with 100.00
ann bets 10.00 on win_line
roll 3 4
  > ann wins 10.00 on win_line by 6.2.1.1.1
ann has 110.00
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

import msgspec

from croupier.money import MoneyError, parse_cents
from croupier.scenarios.forms import PROMOTION, Forms
from croupier.table.refusals import Refusal


class ScenarioError(Exception):
    """A scenario cannot be parsed; the message names file, line and reason."""

    def __init__(self, file: str, line: int, reason: str) -> None:
        super().__init__(f"{file}, line {line}: {reason}")


class Line(msgspec.Struct, frozen=True):
    """One line: its number and its text."""

    number: int
    text: str


class Step(msgspec.Struct):
    """An action or a statement, with its expected consequences. `by` is the role that gives the command, if stated.

    A line that fits no form is an `act`: the book's conduct is consulted when it is played.
    """

    line: Line
    kind: str
    values: dict[str, str]
    expected: list[Expected]
    trials: list[Step]
    by: str | None = None


class Expected(msgspec.Struct, frozen=True):
    """One expected consequence."""

    line: Line
    kind: str
    values: dict[str, str]


class Scenario(msgspec.Struct):
    """A named course of play at a table of one book, or the course of a promotion under it."""

    file: str
    line: int
    name: str
    book: str
    proves: list[str]
    table: dict[str, str]
    steps: list[Step]
    promotion: bool = False


_MONEY = r"(?P<money>[0-9]+\.[0-9]{2})"
_NAME = r"(?P<player>[\w-]+)"
_SEATED = r"(?P<cardless> without a card)?(?: in area (?P<area>\w+))?(?: at place (?P<place>\d+))?"
_WAGER = r"(?P<wager>\w+)(?: (?!in )(?P<pick>[\w ]+?))?"
_IN_CHECKS = r"(?: in (?P<checks>\w+) (?:checks|non-value chips))?"

# Who may do a thing: an act, a command, or calling a throw void for one reason. Other roles are refused by the
# clause, and one role may be refused by a different one.
_THING = r"(?P<thing>void \S+|\w+)"
_CLAUSE = r'(?P<clause>(?:1\.1 "[^"]+"|[^ ,]+)(?: tail)?)'
_OTHERS = r"(?P<other>[\w ]+?) by (?P<other_clause>.+)"

# What may be done or stated. The first form that matches the whole line applies.
STEPS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(form))
    for kind, form in (
        ("open", r"the table opens"),
        ("at_no_time", r"at no time"),
        ("at", r"at (?P<time>\S+)"),
        ("seat", rf"{_NAME} sits with {_MONEY}{_SEATED}"),
        ("bet", rf"{_NAME} bets {_MONEY} on {_WAGER}{_IN_CHECKS}(?: with (?P<tokens>[0-9]+\.[0-9]{{2}}) in tokens)?"),
        ("take_down", rf"{_NAME} takes down {_WAGER}"),
        ("take", rf"{_NAME} takes {_MONEY} from {_WAGER}"),
        ("leave", rf"{_NAME} leaves"),
        ("buy", rf"{_NAME} buys {_MONEY} in chips"),
        ("call", rf"{_NAME} calls {_WAGER} (?P<on>on|off)"),
        ("find", rf"dealer finds {_MONEY} of {_NAME} on {_WAGER}"),
        ("close", r"no more bets"),
        ("throw", r"(?P<verb>roll|spin) (?P<faces>[\w -]+)"),
        ("void", r"void (?P<reason>.+?)(?:, called (?P<words>[\w ]+))?(?: forfeit (?P<forfeit>[\w -]+))?"),
        ("adopt", r"adopt (?P<book>[\w-]+)(?: pay table (?P<pay_table>.+))?"),
        ("nothing_stands", r"nothing stands"),
        ("bets_are", r"bets are (?P<open>open|closed)"),
        ("standing", rf"{_NAME} has {_MONEY} on {_WAGER}(?:, (?P<on>on|off))?"),
        ("not_standing", rf"{_NAME} has nothing on {_WAGER}"),
        ("has", rf"{_NAME} has {_MONEY}{_IN_CHECKS}"),
        ("known", r"known (?P<fact>.+?) = (?P<value>.+)"),
        ("may", rf"(?P<roles>everybody|nobody|only [\w ,]+?) may {_THING}(?: by {_CLAUSE}(?:, for {_OTHERS})?)?"),
        ("phase", r"(?P<phase>\w+) (?:is|are) (?P<value>\w[\w ]*)"),
        ("each", r"each"),
    )
)

# A command given in a role: "as dealer, void 5.2.1". A line about a promotion may also start with its time.
_AS = re.compile(r"as (?P<by>[\w ]+?), (?P<rest>.+)")
_AT = re.compile(r"at (?P<time>[0-9]\S+), (?P<rest>.+)")

# These assert something; they change nothing.
STATEMENTS = (
    *("at", "at_no_time", "nothing_stands", "bets_are", "standing", "not_standing", "has", "known", "may", "phase"),
    "each",
)

EXPECTED: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(form))
    for kind, form in (
        ("refused", r"refused (?P<code>\w+)(?: by (?P<clause>.+))?"),
        ("win", rf"{_NAME} wins {_MONEY} on {_WAGER} by (?P<clause>.+)"),
        ("lose", rf"{_NAME} loses {_MONEY} on {_WAGER} by (?P<clause>.+)"),
        ("void", rf"{_NAME} gets back {_MONEY} from {_WAGER} by (?P<clause>.+)"),
        ("reduced", rf"{_NAME} takes back {_MONEY} from {_WAGER} by (?P<clause>.+)"),
        ("commission", rf"commission {_MONEY}"),
        ("found", r"found by (?P<clause>.+)"),
        ("done", r"done by (?P<clause>.+)"),
        ("happens", r"(?P<type>\w+) happens(?P<fields>(?: \w+=(?:\"[^\"]*\"|\S+))*)"),
        ("moved", rf"{_NAME}'s {_WAGER} moves to (?P<to>\w+)"),
        ("by", r"thrown by (?P<by>[\w-]+)"),
        ("call", r'call "(?P<words>[^"]+)"'),
        ("nothing", r"nothing"),
    )
)


TABLE = Forms(STEPS, STATEMENTS, EXPECTED)

# The keys of a `table` line, besides the fixed amounts of a book; `limit` also names a wager.
TABLE_KEYS = (
    *("chip", "min", "max", "pay_table", "units", "without", "seats", "player_max", "limit"),
    *("dice", "late", "unit"),
)


def read_scenarios(text: str, file: str) -> list[Scenario]:
    """Read all scenarios of a file. Raises ScenarioError."""
    reader = _Reader(file)
    for number, raw in enumerate(text.splitlines(), start=1):
        line = Line(number, raw.split("#", 1)[0].strip())
        if line.text:
            reader.read(line)
    return reader.finish()


class _Reader:
    def __init__(self, file: str) -> None:
        self.file = file
        self.scenarios: list[Scenario] = []

    def error(self, line: Line, reason: str) -> ScenarioError:
        return ScenarioError(self.file, line.number, reason)

    def finish(self) -> list[Scenario]:
        for scenario in self.scenarios:
            if not scenario.book:
                raise ScenarioError(self.file, scenario.line, "the scenario does not name its book")
            if not scenario.steps:
                raise ScenarioError(self.file, scenario.line, "nothing happens in the scenario")
        if not self.scenarios:
            raise ScenarioError(self.file, 1, "the file holds no scenario; begin with: scenario NAME")
        return self.scenarios

    def read(self, line: Line) -> None:
        word, _, rest = line.text.partition(" ")
        if word == "scenario" and rest:
            self.scenarios.append(Scenario(self.file, line.number, rest.strip(), "", [], {}, []))
            return
        if not self.scenarios:
            raise self.error(line, "a file begins with: scenario NAME")
        header = _HEADERS.get(word)
        if line.text == "promotion":
            self._promotion(line)
            return
        if header is not None and rest:
            header(self, line, rest.strip())
        elif word == ">":
            self._expect(line, rest)
        elif ": " in line.text and self._last_is_each():
            self._trial(line)
        else:
            self.scenarios[-1].steps.append(self._step(line, line.text))

    def _last_is_each(self) -> bool:
        steps = self.scenarios[-1].steps
        return bool(steps) and steps[-1].kind == "each"

    def _book(self, line: Line, rest: str) -> None:
        if self.scenarios[-1].book:
            raise self.error(line, "a scenario has only one book")
        self.scenarios[-1].book = rest

    def _proves(self, line: Line, rest: str) -> None:
        self.scenarios[-1].proves += [clause.strip() for clause in rest.split(",")]

    def _promotion(self, line: Line) -> None:
        if self.scenarios[-1].steps or self.scenarios[-1].table:
            raise self.error(line, "write promotion before anything happens, and without a table")
        self.scenarios[-1].promotion = True

    @property
    def _forms(self) -> Forms:
        return PROMOTION if self.scenarios[-1].promotion else TABLE

    def _table(self, line: Line, rest: str) -> None:
        key, _, value = rest.partition(" ")
        if not value:
            raise self.error(line, "write: table KEY VALUE")
        if self.scenarios[-1].promotion:
            raise self.error(line, "a promotion is not played at a table")
        if self.scenarios[-1].steps:
            raise self.error(line, "describe the table before anything happens")
        name = f"limit {' '.join(value.split()[:-2])}" if key == "limit" else key
        self.scenarios[-1].table[name] = value.strip()

    def _step(self, line: Line, text: str) -> Step:
        role = _AS.fullmatch(text)
        if role is not None:
            step = self._step(line, role["rest"])
            step.by = role["by"]
            return step
        timed = _AT.fullmatch(text) if self.scenarios[-1].promotion else None
        if timed is not None:
            self._check_time(line, timed["time"])
            step = self._step(line, timed["rest"])
            step.values["time"] = timed["time"]
            return step
        for kind, form in self._forms.steps:
            match = form.fullmatch(text)
            if match is not None:
                self._check_step(line, kind, match)
                return Step(line, kind, _values(match), [], [])
        if self.scenarios[-1].promotion:
            raise not_of_a_promotion(self.file, line)
        return Step(line, "act", {"text": text}, [], [])

    def _check_step(self, line: Line, kind: str, match: re.Match[str]) -> None:
        if kind == "open" and self.scenarios[-1].steps:
            raise self.error(line, "a table opens before anything else happens")
        if kind == "at":
            self._check_time(line, match["time"])

    def _check_time(self, line: Line, text: str) -> None:
        promotion = self.scenarios[-1].promotion
        try:
            zone = datetime.fromisoformat(text).tzinfo
        except ValueError:
            such_as = "2026-03-01T09:00+11:00" if promotion else "2024-08-18T20:00:00"
            raise self.error(line, f'"{text}" is not a time such as {such_as}') from None
        if promotion and zone is None:
            raise self.error(line, f'"{text}" has no zone; write it as 2026-03-01T09:00+11:00')
        if promotion and not text.startswith("2"):
            raise self.error(line, f'"{text}" is in a year before 2000')

    def _expect(self, line: Line, text: str) -> None:
        steps = self.scenarios[-1].steps
        if not steps:
            raise self.error(line, "nothing has happened yet that could have consequences")
        self._check_consequences(line, steps[-1])
        steps[-1].expected.append(self._expectation(line, text))

    def _check_consequences(self, line: Line, step: Step) -> None:
        if step.kind in self._forms.statements:
            raise self.error(line, f'"{step.line.text}" is a statement; only an action has consequences')

    def _expectation(self, line: Line, text: str) -> Expected:
        for kind, form in self._forms.expected:
            match = form.fullmatch(text.strip())
            if match is not None:
                return Expected(line, kind, _values(match))
        raise self.error(line, f'"{text.strip()}" is not a consequence that can be expected')

    def _trial(self, line: Line) -> None:
        action, _, consequences = line.text.partition(": ")
        step = self._step(line, action)
        self._check_consequences(line, step)
        step.expected = [self._expectation(line, part) for part in consequences.split(";")]
        self.scenarios[-1].steps[-1].trials.append(step)


_HEADERS: dict[str, Callable[[_Reader, Line, str], None]] = {
    "book": _Reader._book,
    "proves": _Reader._proves,
    "table": _Reader._table,
}


def not_an_act(file: str, line: Line) -> ScenarioError:
    """Return the error for a line that fits no form and no act of the book."""
    return ScenarioError(file, line.number, f'"{line.text}" is not a line that a scenario can have{_hint(line)}')


def not_of_a_promotion(file: str, line: Line) -> ScenarioError:
    """Return the error for a line that fits no form of a promotion."""
    reason = f'"{line.text}" is not a line that a scenario of a promotion can have{_hint(line)}'
    return ScenarioError(file, line.number, reason)


def _hint(line: Line) -> str:
    whole_dollars = re.search(r"\d", line.text) and not re.search(r"\d\.\d\d\b", line.text)
    return "; money has two decimals, such as 10.00" if whole_dollars else ""


def _values(match: re.Match[str]) -> dict[str, str]:
    return {name: value for name, value in match.groupdict().items() if value is not None}


def cents(text: str) -> int:
    """Return an amount that a form has already recognised."""
    try:
        return parse_cents(text)
    except MoneyError as error:  # pragma: no cover  # the forms let no other text through
        raise AssertionError(str(error)) from error


class Difference(msgspec.Struct, frozen=True):
    """The first place where the outcome differs from the scenario."""

    file: str
    line: int
    scenario: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.file}, line {self.line} ({self.scenario})\n  expected: {self.expected}\n  got:      {self.got}"


class Different(Exception):
    """Raised at the first difference; the scenario ends there."""

    def __init__(self, line: Line, expected: str, got: str) -> None:
        self.line, self.expected, self.got = line, expected, got
        super().__init__(expected)


def expected_text(line: Line) -> str:
    """Return what a line of consequences says."""
    return line.text.removeprefix(">").strip()


def show_refusal(refusal: Refusal) -> str:
    """Format a refusal as a scenario would expect it, with its sentence."""
    clause = f" by {refusal.clause}" if refusal.clause else ""
    return f"refused {refusal.code}{clause}: {refusal.message}"
