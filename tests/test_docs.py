"""Runs every example in the documents, and keeps the documents complete.

A `console` block is typed into a shell: `$ croupier …`, with `<< END` for its input, and the expected output. A line
`…` stands for omitted lines. A `jsonl` block is a session over the pipe: `>` is sent and `<` received, both may
continue in indented lines, and `…` stands for what is omitted. A block whose first line is `# NAME.toml` or `#
NAME.scenario` is a file that the commands of its page may name. What a page sends to the house at
http://127.0.0.1:8000, in `pycon` or, with curl, in `shell` blocks, is sent to a real house on a port of its own.
"""

from __future__ import annotations

import ast
import doctest
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from functools import cache
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import NamedTuple, get_args

import msgspec
import pytest

from croupier import protocol, rulebooks
from croupier.cli.main import main, parser
from croupier.client import Client
from croupier.contract import shown_events as contract_events
from croupier.house.events import HouseEvent, Rhythm
from croupier.pipe import Pipe
from croupier.prizes.reading import COMMANDS
from croupier.rules import conduct, schema
from croupier.rules.checking import check_book
from croupier.rules.game import Game
from croupier.rules.shelf import Shelf
from croupier.scenarios import read_scenarios, run_scenario
from croupier.scenarios.forms import PROMOTION
from croupier.scenarios.scenario_lines import TABLE, TABLE_KEYS
from croupier.server import demonstration
from croupier.server.problems import REFUSED, STATUS
from croupier.table.refusals import Refusal
from tests import acts, endpoints
from tests.chains import expectation
from tests.serving import running
from tests.waiting import until

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
HARBOUR = DOCS / "examples" / "harbour-craps.toml"


LEFT_OUT = "…"
_FILE = re.compile(r"# ([\w-]+\.(?:toml|scenario))")


class Block(NamedTuple):
    """A fenced block: its page, its first line number, its tag and its lines."""

    page: Path
    line: int
    tag: str
    lines: list[str]

    @property
    def name(self) -> str:
        return f"{self.page.name}:{self.line}"


@cache
def blocks(page: Path) -> list[Block]:
    found: list[Block] = []
    inside: Block | None = None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        if inside is None and line.startswith("```"):
            inside = Block(page, number, line[3:].strip(), [])
        elif inside is not None and line == "```":
            found.append(inside)
            inside = None
        elif inside is not None:
            inside.lines.append(line)
    assert inside is None, f"{page.name}: a block is not closed"
    return found


def tagged(tag: str) -> list[Block]:
    return [block for page in PAGES for block in blocks(page) if block.tag == tag]


def _name(block: Block) -> str:
    return block.name


# -- what is typed into a shell ---------------------------------------------------------------------------------------


class Typed(NamedTuple):
    """A command, its input, and the output that the page gives for it."""

    command: str
    given: str
    printed: list[str]


def typed(block: Block) -> Iterator[Typed]:
    lines = iter(block.lines)
    command, given = "", ""
    printed: list[str] = []
    for line in lines:
        if line.startswith("$ "):
            if command:
                yield Typed(command, given, printed)
            command, _, end = line[2:].partition(" << ")
            given = "".join(f"{inner}\n" for inner in iter(lambda: next(lines), end)) if end else ""
            printed = []
        else:
            printed.append(line)
    yield Typed(command, given, printed)


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """A folder in which `docs/…` has the same paths as in the project."""
    (tmp_path / "docs").symlink_to(DOCS)
    return tmp_path


def write_files(page: Path, folder: Path) -> None:
    for block in blocks(page):
        named = _FILE.fullmatch(block.lines[0]) if block.lines else None
        if named is not None:
            (folder / named[1]).write_text("".join(f"{line}\n" for line in block.lines), encoding="utf-8")


def run(command: str, given: str, folder: Path) -> list[str]:
    """Run a command in this process, which has everything loaded; as in a shell, both outputs go to one place."""
    program, *arguments = shlex.split(command)
    assert program == "croupier", f"{command}: only croupier is run here"
    written = TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True)
    with pytest.MonkeyPatch.context() as patch, suppress(SystemExit):
        for name, value in {"COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb"}.items():
            patch.setenv(name, value)
        patch.chdir(folder)
        patch.setattr(sys, "stdin", TextIOWrapper(BytesIO(given.encode()), encoding="utf-8"))
        for name in ("stdout", "stderr"):
            patch.setattr(sys, name, written)
        main(arguments)
    return [line.rstrip() for line in written.buffer.getvalue().decode().splitlines()]


def same_lines(wanted: list[str], got: list[str]) -> bool:
    pattern = "".join(r"(?:.*\n)+?" if line == LEFT_OUT else f"{re.escape(line.rstrip())}\n" for line in wanted)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in got)) is not None


@pytest.mark.parametrize("block", tagged("console"), ids=_name)
def test_commands_print_what_the_page_says(block: Block, workplace: Path) -> None:
    write_files(block.page, workplace)
    for command, given, printed in typed(block):
        got = run(command, given, workplace)
        assert same_lines(printed, got), f"{block.name}: {command}\n" + "\n".join(got)


# -- sessions over the pipe -------------------------------------------------------------------------------------------


def exchanges(block: Block) -> Iterator[tuple[str, str]]:
    """The lines sent and received, each on one line."""
    whole: list[str] = []
    for line in block.lines:
        if line.startswith("  ") and whole:
            whole[-1] += line.strip()
        else:
            whole.append(line)
    for sent, received in zip(whole[::2], whole[1::2], strict=True):
        assert (sent[:2], received[:2]) == ("> ", "< "), f"{block.name}: {sent}"
        yield sent[2:], received[2:]


def same_reply(wanted: str, got: str) -> bool:
    """Pages may break lines anywhere, so blanks do not count; everything else does."""
    parts = ("".join(part.split()) for part in wanted.split(LEFT_OUT))
    return re.fullmatch(".*?".join(map(re.escape, parts)), "".join(got.split())) is not None


@pytest.mark.parametrize("block", tagged("jsonl"), ids=_name)
def test_pipe_answers_as_the_page_says(block: Block) -> None:
    pipe = Pipe(Shelf((HARBOUR,)))
    for sent, received in exchanges(block):
        got = pipe.answer(sent.encode()).decode()
        assert same_reply(received, got), f"{block.name}: {sent}\n{got}"


# -- a house over HTTP ------------------------------------------------------------------------------------------------

HOUSE = "http://127.0.0.1:8000"  # where the pages say that it is
NEXT = "-- next --"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the demonstration, with rounds that keep no one waiting."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(demonstration, "RHYTHM", Rhythm(open=4.0, last_call=1.0, shut=0.0, show=0.0))
        with running(tmp_path_factory.mktemp("house")) as opened:
            yield opened.url


def shell_pages() -> list[Path]:
    return sorted({block.page for block in tagged("shell")})


@pytest.mark.skipif(not (shutil.which("bash") and shutil.which("curl")), reason="needs bash and curl")
@pytest.mark.parametrize("page", shell_pages(), ids=lambda page: page.name)
def test_what_curl_sends_is_answered_as_the_page_says(page: Path, house: str, tmp_path: Path) -> None:
    """All commands of a page in one shell, so that they can build on each other."""
    told = [one for block in blocks(page) if block.tag == "shell" for one in typed(joined(block))]
    script = "".join(f"{one.command}\necho; echo {NEXT!r}\n" for one in told).replace(HOUSE, house)
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    got = done.stdout.split(NEXT)
    for one, printed in zip(told, got, strict=False):
        assert same_reply("".join(one.printed), printed), f"{page.name}: {one.command}\n{printed}\n{done.stderr}"
    assert len(got) == len(told) + 1


def joined(block: Block) -> Block:
    """A block whose commands are each on one line."""
    return block._replace(lines=re.sub(r"\\\n +", "", "\n".join(block.lines)).split("\n"))


# -- Python and scenarios ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples_pass(
    page: Path, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "\n".join(line for block in blocks(page) if block.tag == "pycon" for line in [*block.lines, ""])
    if HOUSE in text:
        monkeypatch.chdir(tmp_path)  # files that the examples write
        text = text.replace(HOUSE, request.getfixturevalue("house"))
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert result.failed == 0, "".join(report)


def test_the_first_game_is_played_whatever_goes_on_at_the_table(house: str) -> None:
    """Someone is seated already, so that a round is open and waits; and the game can be played again."""
    first = next(block for block in blocks(DOCS / "api.md") if block.tag == "pycon")
    text = "\n".join([*first.lines, ""]).replace(HOUSE, house)
    with Client.sign_up(house, "cleo", "Cleo", "long enough for anybody") as cleo:
        cleo.seat("craps-nsw-2024", "10.00")
        try:
            until(lambda: cleo.table("craps-nsw-2024").round)
            for _ in range(2):
                test = doctest.DocTestParser().get_doctest(text, {}, first.name, str(first.page), first.line)
                report: list[str] = []
                result = doctest.DocTestRunner(verbose=False).run(test, out=report.append, clear_globs=False)
                test.globs["house"].close()
                assert result.failed == 0, "".join(report)
        finally:
            cleo.leave("craps-nsw-2024")


def test_readme_shows_the_library_in_three_lines() -> None:
    shown = [line for block in blocks(ROOT / "README.md") if block.tag == "pycon" for line in block.lines]
    assert ">>> import croupier" in shown


def scenario_blocks() -> list[Block]:
    """The scenarios that pass; for the others, a command on the page shows what is wrong."""
    return [block for block in tagged("scenario") if not block.lines[0].startswith("# wrong")]


@pytest.mark.parametrize("block", scenario_blocks(), ids=_name)
def test_scenarios_on_the_pages_hold(block: Block) -> None:
    shelf = Shelf((HARBOUR,))
    scenarios = read_scenarios("\n".join(block.lines), block.name)
    different = [str(difference) for scenario in scenarios if (difference := run_scenario(scenario, shelf)) is not None]
    assert different == [], "\n".join(different)


# -- the worked example -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def harbour() -> Game:
    shelf = Shelf((HARBOUR,))
    return shelf.game(shelf.terms("harbour-craps"))


@pytest.fixture(scope="module")
def base() -> Game:
    shelf = Shelf()
    return shelf.game(shelf.terms("craps-nsw-2024"))


def test_worked_example_passes_check_and_its_scenarios(harbour: Game) -> None:
    check_book(harbour.book)
    file = HARBOUR.with_suffix(".scenario")
    shelf = Shelf((HARBOUR,))
    scenarios = read_scenarios(file.read_text(encoding="utf-8"), file.name)
    assert [difference for scenario in scenarios if (difference := run_scenario(scenario, shelf)) is not None] == []
    proved = {clause for scenario in scenarios for clause in scenario.proves}
    assert proved <= harbour.book.citable()
    assert {clause for clause in harbour.book.clauses if clause.split(".")[0] == "12"} <= proved


def test_worked_example_changes_three_pay_lines_the_barred_number_and_adds_a_wager(harbour: Game, base: Game) -> None:
    changed = {line for line, odds in base.lines.items() if harbour.lines[line] != odds}
    assert changed == {"any_seven", "any_craps", "eleven"}
    assert set(harbour.lines) - set(base.lines) == {"harbour_lights"}
    assert set(harbour.book.wagers) - set(base.book.wagers) == {"harbour_lights"}
    assert set(base.book.wagers) <= set(harbour.book.wagers)
    sets, old_sets = harbour.book.rules.sets, base.book.rules.sets
    assert {name for name in old_sets if sets[name] != old_sets[name]} == {"barred", "dont_wins"}
    assert (sets["barred"], sets["dont_wins"]) == ([12], [2, 3])


def test_worked_example_leaves_every_other_wager_as_it_is(harbour: Game, base: Game) -> None:
    other = {wager.id for wager in base.book.rules.wagers for pick in base.book.picks(wager)
             if harbour.machine(wager.id, pick).table != base.machine(wager.id, pick).table}  # fmt: skip
    assert other == {"any_seven", "any_craps", "eleven", "dont_win", "dont_come"}


def test_worked_example_has_an_area_for_every_wager_and_pick(harbour: Game) -> None:
    layout = harbour.book.layout
    assert layout is not None
    areas = [(area.wager, area.pick) for area in layout.areas]
    wagers = [(wager.id, pick) for wager in harbour.book.rules.wagers for pick in harbour.book.picks(wager)]
    assert set(wagers) <= set(areas)
    assert len(set(areas)) == len(areas)
    assert {area.note for area in layout.areas if area.wager in ("dont_win", "dont_come")} <= {"bar 12", ""}


def test_harbour_lights_has_the_states_and_the_edge_that_the_page_gives(harbour: Game) -> None:
    machine = harbour.machine("harbour_lights", None)
    assert len(machine.table) == 21
    assert expectation(machine, machine.starts[0]) == Fraction(-47428, 1497375)
    text = (DOCS / "rule-books.md").read_text(encoding="utf-8")
    assert "21 states" in text
    assert "47428/1497375" in text


# -- the pages are complete -------------------------------------------------------------------------------------------


def in_backticks(page: str) -> set[str]:
    """Every word in backticks outside the blocks of a page."""
    prose = re.sub(r"^```.*?^```$", "", (DOCS / page).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return {word for code in re.findall(r"`([^`\n]+)`", prose) for word in (code, *re.findall(r"[\w-]+", code))}


def python_files() -> list[Path]:
    return sorted((ROOT / "src" / "croupier").rglob("*.py"))


NOT_THE_PIPE = (
    "maths",
    "documents",
    "cli",
    "simulation",
    "execution",
    "store",
    "house",
    "server",
    "fault_simulation",
    "prizes",
)


def refusal_codes() -> set[str]:
    """Every code that the program can answer with, from the calls that create refusals and from the books."""
    codes: set[str] = set()
    for file in python_files():
        if file.relative_to(ROOT / "src" / "croupier").parts[0] in NOT_THE_PIPE:
            continue  # what cannot be computed is no answer of the pipe
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            made = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            if isinstance(node, ast.Call) and made in ("Refusal", "Impossible"):
                first = node.args[0] if node.args else None
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    codes.add(first.value)
    shelf = Shelf()
    for book_id in rulebooks.ids():
        for wager in shelf.book(book_id).rules.wagers:
            codes |= {condition.code for condition in (*wager.place, *wager.take)}
    return codes


def event_types() -> set[str]:
    """Every type of event that the pipe prints."""
    return set(contract_events.BY_TYPE)


def first_column(page: str, heading: str) -> set[str]:
    """The words in backticks in the first column of the tables under a heading."""
    text = (DOCS / page).read_text(encoding="utf-8")
    section = text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return {word for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE) for word in re.findall(r"`(\w+)`", row)}


def test_every_subcommand_is_documented() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    subcommands = next(action.choices for action in parser()._actions if action.dest == "command")
    assert subcommands
    assert [name for name in subcommands if f"croupier {name}" not in text] == []


def test_pipe_page_has_every_command_and_field() -> None:
    assert first_column("pipe.md", "Commands") == set(protocol.COMMANDS)
    fields = {field.name for line, _ in protocol._READERS for field in msgspec.structs.fields(line)}
    assert fields - in_backticks("pipe.md") == set()


def test_pipe_page_has_every_refusal_code_and_no_other() -> None:
    assert first_column("pipe.md", "Refusals") == refusal_codes()


# How refusals of the house are made, and which of the arguments is the code.
MADE_WITH = {"Refusal": 0, "Locked": 0, "Problem": 1, "TurnedAway": 1}


def house_refusals() -> dict[str, set[int]]:
    """Every code that a house can answer with in addition to those of the games, and the statuses as far as the
    source states them."""
    found: dict[str, set[int]] = {"key_used": {STATUS["key_used"]}}  # made where answers are compared
    for file in python_files():
        layer = file.relative_to(ROOT / "src" / "croupier").parts[0]
        if layer in ("house", "server"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MADE_WITH:
                    add_refusal(found, node, MADE_WITH[node.func.id], in_house=layer == "house")
    return found


def add_refusal(found: dict[str, set[int]], node: ast.Call, place: int, in_house: bool) -> None:
    said = [one.value if isinstance(one, ast.Constant) else None for one in node.args]
    code, first = said[place], said[0]
    if isinstance(code, str):
        statuses = found.setdefault(code, set())
        if isinstance(first, int):
            statuses.add(first)
        elif in_house:
            statuses.add(STATUS.get(code, REFUSED))


def test_refusals_page_has_every_code_of_the_house_with_its_status_and_no_other() -> None:
    kinds: list[type[Refusal]] = [Refusal, *Refusal.__subclasses__()]
    assert {kind.__name__ for kind in kinds} <= set(MADE_WITH)
    text = (DOCS / "refusals.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| .+ \|$", text, re.MULTILINE)
    shown = {code: int(status) for code, status in rows}
    assert len(shown) == len(rows), "a code is there twice"
    made = house_refusals()
    assert set(shown) == set(made)
    assert {code: shown[code] for code, statuses in made.items() if statuses - {shown[code]}} == {}


def test_api_page_lists_every_endpoint() -> None:
    """The page is generated from the application; `python -m tests.endpoints` writes it."""
    text = endpoints.PAGE.read_text(encoding="utf-8")
    assert text == endpoints.written(text)


def test_api_page_has_every_event_of_the_house() -> None:
    assert {kind.__struct_config__.tag for kind in get_args(HouseEvent)} - in_backticks("api.md") == set()


def test_the_page_of_promotions_has_every_refusal_of_the_prizes_and_no_other() -> None:
    said = {
        node.args[0].value
        for file in (ROOT / "src" / "croupier" / "prizes").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal"
        if isinstance(node.args[0], ast.Constant)
    }
    text = (DOCS / "promotions.md").read_text(encoding="utf-8").partition("## Refusals")[2]
    rows = [row for row in text.splitlines() if row.startswith("| `")]
    assert {code for row in rows for code in re.findall(r"`(\w+)`", row.split("|")[1])} == said


def test_the_page_of_promotions_has_every_line() -> None:
    assert COMMANDS.keys() - in_backticks("promotions.md") == set()


def test_the_page_of_acts_is_up_to_date() -> None:
    """The page is generated from the books; `make index` writes it."""
    assert acts.PAGE.read_text(encoding="utf-8") == acts.page()


def test_pipe_page_has_every_type_of_event_and_no_other() -> None:
    assert first_column("pipe.md", "Events") == event_types()


def test_pipe_page_shows_every_type_of_event() -> None:
    shown = "\n".join(line for block in blocks(DOCS / "pipe.md") for line in block.lines)
    assert {name for name in event_types() if f'"type":"{name}"' not in shown} == set()


def test_rule_book_page_has_every_field_of_every_part() -> None:
    words = in_backticks("rule-books.md")
    known = [*vars(schema).values(), *vars(conduct).values()]
    parts = [part for part in known if isinstance(part, type) and issubclass(part, schema.Part)]
    missing = {f"{part.__name__}.{field.encode_name}" for part in parts for field in msgspec.structs.fields(part)
               if field.encode_name not in words}  # fmt: skip
    assert missing == set()


def test_scenario_page_shows_every_form_of_line() -> None:
    read = [item for block in scenario_blocks() if block.page.name == "scenarios.md"
            for item in read_scenarios("\n".join(block.lines), block.name)]  # fmt: skip
    for forms in (TABLE, PROMOTION):
        steps = [step for scenario in read if scenario.promotion == (forms is PROMOTION) for step in scenario.steps]
        steps += [trial for step in steps for trial in step.trials]
        assert {kind for kind, _ in forms.steps} - {step.kind for step in steps} == set()
        assert {kind for kind, _ in forms.expected} - {e.kind for step in steps for e in step.expected} == set()
    assert set(TABLE_KEYS) - in_backticks("scenarios.md") == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = [target.split("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]
    assert [target for target in targets if target and not (page.parent / target).exists()] == []
