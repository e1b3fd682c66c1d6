"""The report of a simulation: every figure that matters is on the page, whatever was played and however it went."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from functools import cache
from html.parser import HTMLParser
from itertools import combinations, pairwise
from typing import NamedTuple
from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.documents import rendering
from croupier.documents.charts import Axis, Range, Room, amounts, spaced
from croupier.documents.markup import text_width
from croupier.documents.simulation import report as simulation
from croupier.documents.simulation.distributions import columns_of, histogram, span_of
from croupier.documents.simulation.report import html_of
from croupier.documents.simulation.sentences import (
    About,
    Names,
    Paired,
    answer,
    command_for,
    comparison,
    letter,
    places_for,
    played,
)
from croupier.documents.wording import MINUS
from croupier.execution.simulation_plan import Pairs
from croupier.simulation.kernels.engine import Engine, Worker
from croupier.simulation.kernels.program import Program
from croupier.simulation.reading.reader import load_strategy
from croupier.simulation.results import RefusedFigures, Result, RuleFigures, result_of
from croupier.table.commands import Settings
from tests.tables import SHELF

VERSION = "1.2.3"
CRAPS, SIC_BO = "craps-nsw-2024", "sic-bo-nsw-2016"


class Difference(NamedTuple):
    """A difference between two strategies, as runs report it."""

    mean: float
    mean_se: float


@cache
def ran(
    strategy: str, sessions: int = 1000, rolls: int = 144, bankroll: int | None = None, *, book: str = CRAPS,
    unit: int | None = None, chip: int = 100, seed: int = 1,
) -> Result:  # fmt: skip
    """A real result. The seconds are made up, because they differ from run to run."""
    game = SHELF.game(SHELF.terms(book))
    engine = Engine(Program(game, Settings(chip=chip), load_strategy(strategy, game, unit)), rolls, bankroll)
    worker = Worker(engine)
    assert sessions <= engine.block_size
    worker.block(seed, 0, sessions)
    return result_of(
        engine, worker.tally, strategy=strategy, seed=seed, seconds=0.25, pace=100.0, pay_table=None
    )  # fmt: skip


def with_changes(result: Result, **changes: object) -> Result:
    return msgspec.structs.replace(result, **changes)


RICH = ("pass-double-odds", 1000, 144, None)
POOR = ("iron-cross", 1000, 144, 20_000)

FIVE = ("pass-line", "pass-double-odds", "iron-cross", "three-point-molly", "field-martingale")

CASES: dict[str, Callable[[], list[Result]]] = {
    "no bankroll": lambda: [ran(*RICH)],
    "a bankroll": lambda: [ran(*POOR)],
    "one session": lambda: [ran("iron-cross", 1, 144, 20_000)],
    "one roll": lambda: [ran("field-flat", 1000, 1)],
    "one session of one roll": lambda: [ran("pass-line", 1, 1)],
    "all ruined": lambda: [ran("iron-cross", 64, 20_000, 6_000)],
    "ruined before the first roll": lambda: [ran("percent-of-bankroll", 50, 20, 50)],
    "huge amounts": lambda: [ran("iron-cross", 1000, 144, 40_000_000_000, unit=500_000_000)],
    "tiny amounts": lambda: [ran("single-die", 1000, 144, None, book=SIC_BO, unit=1, chip=1)],
    "targets and limits": lambda: [ran("one-shooter")],
    "a long tail": lambda: [ran("super-streak-both", 1000, 200, None, book=SIC_BO)],
    "coins": lambda: [ran("spinner-heads", book="two-up-nsw-2016")],
    "many wagers": lambda: [ran("press-twice-collect", 1000, 144, 60_000)],
    "nothing known of wagers and rules": lambda: [with_changes(ran(*RICH), wagers=(), rules=(), fan=(), edge=None)],
    "two": lambda: [ran(*RICH), ran("pass-line")],
    "two, one session of one roll": lambda: [ran("pass-line", 1, 1), ran("field-flat", 1, 1)],
    "five": lambda: [ran(name, 1000, 144, 30_000) for name in FIVE],
    "the same eight times": lambda: [ran("pass-line", 1000, 144, 30_000)] * 8,
}
ALONE = [case for case in CASES if not case.startswith(("two", "five", "the same"))]


@cache
def results_of(case: str) -> list[Result]:
    return CASES[case]()


@cache
def page(case: str) -> str:
    results = results_of(case)
    return html_of(
        results, [Difference(-1.5, 0.25)] * (len(results) - 1), VERSION, True, (), SHELF.book(results[0].book)
    )


def words_of(html: str) -> str:
    """The readable text of a page, without its markup and style."""
    found: list[str] = []

    class Reader(HTMLParser):
        styled = False

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            self.styled = tag == "style"
            found.append(" ")

        def handle_endtag(self, tag: str) -> None:
            self.styled = False
            found.append(" ")

        def handle_data(self, data: str) -> None:
            found.append("" if self.styled else data)

    Reader().feed(html)
    return re.sub(r"\s+", " ", "".join(found))


def pictures(html: str) -> list[ElementTree.Element]:
    """Every drawing, read as XML."""
    return [ElementTree.fromstring(found) for found in re.findall(r"<svg.*?</svg>", html, re.DOTALL)]


def money(value: float, sign: str = "") -> str:
    """Independent of the code under test: dollars and cents with thousands separated."""
    shown = f"{value:{sign},.2f}".replace("-", MINUS)
    return shown.lstrip("+" + MINUS) if not shown.strip("+0.," + MINUS) else shown


# -- the figures ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["no bankroll", "a bankroll", "targets and limits", "many wagers", "all ruined"])
def test_every_figure_that_matters_is_on_the_page(case: str) -> None:
    (result,) = results_of(case)
    words = words_of(page(case))
    expected = [
        *(money(value, "+") for value in result.quantiles.values()),
        *(money(value) for value in result.drawdown.values()),
        *(f"{value:,.0f}" for value in (result.rolls_to_ruin or {}).values()),
        money(result.staked),
        money(result.net_per_hour, "+"),
        money(result.best, "+"),
        money(result.worst, "+"),
        money(result.net_sd),
        f"{100 * result.won:.1f}",
        *(f"{100 * part:.1f}" for part in result.ended.values()),
        f"{result.sessions:,} sessions",
        f"{result.rolls_done:,} rolls",
        f"seed {result.seed}",
        "at 100 rolls an hour",
        result.name,
        result.book,
    ]
    assert [text for text in expected if text not in words] == []
    assert money(result.net, "+")[:-1] in words, "to the cent, or to more places"
    if result.exact_net is not None:
        assert f"exact {money(result.exact_net, '+')[:-1]}" in words


@pytest.mark.parametrize("case", ["no bankroll", "a bankroll", "many wagers"])
def test_every_wager_stands_with_its_realised_and_its_exact_edge(case: str) -> None:
    (result,) = results_of(case)
    words = words_of(page(case))
    book = SHELF.book(result.book)
    assert len(result.wagers) > 1
    for wager in result.wagers:
        assert wager.edge is not None
        assert wager.exact_edge is not None
        assert wager.edge_se is not None
        assert book.wagers[wager.wager].name in words
        edges = [f" {0 - 100 * value:.3f}".replace("-", MINUS) for value in (wager.edge, wager.exact_edge)]
        row = f"{wager.bets:,} {wager.won:,} {wager.lost:,}"
        assert row in words
        rest = words[words.index(row) :]
        for figure in (money(wager.staked), money(wager.net, "+"), *edges, f"± {100 * wager.edge_se:.3f}"):
            assert figure in rest[:400], (wager.wager, figure)
        apart = abs(wager.edge - wager.exact_edge) / wager.edge_se
        assert f"{apart:.1f} s.e." in rest[:400]


def test_refusals_stand_with_their_clause_and_its_words() -> None:
    (result,) = results_of("a bankroll")
    refused = [each for rule in result.rules for each in rule.refused]
    assert refused, "a bankroll of 200 does not last"
    words = words_of(page("a bankroll"))
    by_clause: dict[str | None, int] = {}
    for each in refused:
        by_clause[each.clause] = by_clause.get(each.clause, 0) + each.count
        assert f" {each.count:,}" in words
        assert each.code.replace("_", " ") in words
    for clause, count in by_clause.items():
        assert clause is not None
        assert SHELF.book(result.book).clauses[clause].summary in words
        assert f" {count:,} " in words


def test_a_rule_that_was_never_carried_out_is_pointed_out() -> None:
    (result,) = results_of("no bankroll")
    idle = RuleFigures(9, "field", 0, (RefusedFigures("made_up", None, 7),))
    words = words_of(html_of([with_changes(result, rules=(*result.rules, idle))], [], VERSION, True))
    assert "9. field field never 0.00 7 100.0" in words
    assert "none made up rule 9, field: 7 7" in words
    assert "never" not in words_of(html_of([result], [], VERSION, True)).replace("chips never run out", "")


def test_a_page_without_refusals_says_so() -> None:
    assert "The table refused nothing." in words_of(page("no bankroll"))
    assert "The table refused nothing." not in words_of(page("a bankroll"))


def test_what_the_strategy_is_about_is_told() -> None:
    (result,) = results_of("no bankroll")
    about = About("A line\nand  another.")
    assert "A line and another." in words_of(html_of([result], [], VERSION, True, [about]))
    several = words_of(html_of([result] * 2, [], VERSION, True, [About(), about]))
    assert several.index("B Pass Line") < several.index("A line and another."), "under its own strategy"


def test_rules_are_told_with_what_they_do() -> None:
    (result,) = results_of("no bankroll")
    deeds = ("bet", "call Off", "take")[: len(result.rules)]
    words = words_of(html_of([result], [], VERSION, True, [About("", deeds)], SHELF.book(CRAPS)))
    assert "1. Bet: Win Line win_line" in words
    assert "2. Call Off: Behind the Win Line behind_win_line" in words
    assert "1. Win Line win_line" in words_of(page("no bankroll")), "nobody said what they do"


def test_the_share_ruined_stands_in_the_picture_of_final_results() -> None:
    (result,) = results_of("a bankroll")
    assert 0 < result.ruined < 1
    (title, shown) = ("Final results: Iron Cross", f"ruined {100 * result.ruined:.1f}\u00a0%")
    drawn = [svg for svg in pictures(page("a bankroll")) if svg.findtext("title") == title]
    assert len(drawn) == 2, "for a page and for a phone"
    assert all(shown in [text.text for text in svg.iter("text")] for svg in drawn)


# -- the sentences ----------------------------------------------------------------------------------------------------


def test_the_answer_is_three_sentences() -> None:
    names = Names(SHELF.book(CRAPS), CRAPS)
    for case in CASES:
        said = answer(results_of(case)[0], names)
        assert len(said) == 3
        assert all(re.fullmatch(r"[A-Z0-9].*[^.]\.", text) and not re.search(r"\. [A-Z]", text) for text in said), said


def test_the_answer_of_one_session_speaks_of_no_average() -> None:
    names = Names(None, CRAPS)
    said = " ".join(answer(ran("pass-line", 1, 1), names))
    assert "The only session ended at 0.00 after 1 roll." in said
    assert "it ended when all rolls were played" in said
    assert "standard error" not in said.partition("staked")[0]


def test_none_and_all_are_not_said_in_per_cent() -> None:
    names = Names(None, CRAPS)
    said = answer(results_of("all ruined")[0], names)[1]
    assert said.startswith("No session ended ahead and all were ruined, half of those by roll ")
    assert re.search(r"; the median drawdown was [\d.]+\.$", said)
    never = answer(results_of("ruined before the first roll")[0], names)[1]
    assert never.endswith("; at least half of all sessions had no drawdown.")


def test_a_realised_edge_far_from_the_exact_one_is_called_so() -> None:
    names = Names(None, CRAPS)
    (result,) = results_of("no bankroll")
    assert "well within chance" in answer(result, names)[2]
    assert result.exact_edge is not None
    off = with_changes(result, edge=result.exact_edge + 5 * (result.edge_se or 0))
    assert "5.0 standard errors away and more than chance would explain" in answer(off, names)[2]
    off = with_changes(result, edge=result.exact_edge - 2.5 * (result.edge_se or 0))
    assert "2.5 standard errors away and still within chance" in answer(off, names)[2]


def test_strategies_that_cannot_be_told_apart_are_named() -> None:
    results = results_of("five")
    clear, unclear, same = Difference(-3.0, 1.0), Difference(1.9, 1.0), Difference(0.0, 0.0)
    assert (
        "Iron Cross (C) cannot be distinguished from Pass Line (A)"
        in said_of(results, [clear, unclear, clear, clear])[2]
    )
    assert (
        "Iron Cross (C) cannot be distinguished from Pass Line (A)" in said_of(results, [clear, same, clear, clear])[2]
    )
    assert "each of the others differs from Pass Line (A)" in said_of(results, [clear] * 4)[2]
    assert "were not counted" in said_of(results, [])[2]
    best = max(results, key=lambda result: result.net)
    assert said_of(results, [clear] * 4)[0].startswith(f"On average {best.name} (")


def said_of(results: list[Result], differences: list[Difference]) -> tuple[str, ...]:
    return comparison(played(results, differences), Names(None, CRAPS))


def test_strategies_that_came_out_the_same_are_not_told_apart() -> None:
    said = said_of(results_of("the same eight times"), [Difference(0.0, 0.0)] * 7)
    assert said[0].startswith("All of them ended at ")
    assert said[2] == "Session by session on the same dice, all of them came out the same."


def test_one_session_each_says_who_came_out_how() -> None:
    first, second = ran("iron-cross", 1, 144, 20_000), with_changes(ran("pass-line", 1, 144, 20_000), ruined=1.0)
    said = said_of([with_changes(first, net=-5.0, won=0.0), with_changes(second, net=-9.0, won=0.0)], [])
    assert said == (
        f"Iron Cross (A) did best, with {MINUS}5.00, and Pass Line (B) worst, with {MINUS}9.00.",
        "No strategy ended ahead; Pass Line (B) was ruined.",
        "One session each says nothing about which of them is better.",
    )


def test_means_are_told_to_as_many_places_as_they_are_known() -> None:
    assert [places_for(error) for error in (0.0, 12.0, 0.5, 0.1, 0.05, 0.0011)] == [2, 2, 2, 2, 3, 4]


# -- several strategies -----------------------------------------------------------------------------------------------


def test_several_strategies_are_compared_with_their_differences() -> None:
    results = results_of("five")
    differences = [Difference(-(i + 1.25), 0.375 + i) for i in range(4)]
    html = html_of(results, differences, VERSION, True, (), SHELF.book(CRAPS))
    rows = {row[0].partition(" ")[0]: row for row in table_rows(html, "Against the first")}
    assert list(rows) == ["A", "B", "C", "D", "E"]
    assert rows["A"][3:5] == ["–", "–"]
    for key, difference in zip("BCDE", differences, strict=True):
        assert rows[key][3:5] == [f"{MINUS}{-difference.mean:.2f}", f"{difference.mean_se:.2f}"]
    for row, result in zip(rows.values(), results, strict=True):
        assert result.name in row[0]
        assert result.strategy in row[0]
        assert f"{100 * result.won:.1f} %" in row
        assert f"{100 * result.ruined:.1f} %" in row


def table_rows(html: str, head: str) -> list[list[str]]:
    """The rows of the first table that has a column with this name."""
    table = next(found for found in re.findall(r"<table>.*?</table>", html, re.DOTALL) if f">{head}</th>" in found)
    rows = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)[1:]
    return [[words_of(cell).strip(" ") for cell in re.findall(r"<td.*?</td>", row)] for row in rows]


def test_what_runs_count_is_taken_as_it_is() -> None:
    """The counts of pairs need no conversion on their way to the page."""
    pairs = Pairs()
    pairs.sessions, pairs.sum, pairs.squares = 2, -500, 130_000
    paired: Paired = pairs
    html = html_of(results_of("two"), [paired], VERSION, True)
    row = table_rows(html, "Against the first")[1]
    assert row[3:5] == [f"{MINUS}2.50", f"{pairs.mean_se:.2f}"]


def test_every_strategy_has_its_letter_and_its_colour_in_the_pictures_of_several() -> None:
    html = page("five")
    together = [
        svg
        for svg in pictures(html)
        if svg.findtext("title") in ("Results over 144 rolls", "Final results, cumulative")
    ]
    assert len(together) == 4, "two pictures, each for a page and for a phone"
    for svg in together:
        lines = [element.get("class", "") for element in svg.iter("polyline")]
        assert [class_ for class_ in lines if class_.startswith("course")] == [f"course s{i}" for i in range(5)]
        keys = [text.text for text in svg.iter("text") if text.get("class") == "key"]
        assert sorted(key or "" for key in keys) == sorted("ABCDE" * 2), "at the line and in the legend"


def test_more_strategies_than_colours_come_again_dashed() -> None:
    html = page("the same eight times")
    assert 'class="course s1 again"' in html
    assert "Pass Line (8)" in words_of(html)
    assert [letter(place) for place in (0, 25, 26, 53)] == ["A", "Z", "A2", "B3"]


# -- the page ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
def test_no_figure_is_broken(case: str) -> None:
    html = page(case)
    assert re.findall(r"\b(?:nan|NaN|inf|Infinity|None|True|False)\b", words_of(html)) == []
    for svg in pictures(html):
        numbers = [value for element in svg.iter() for name, value in element.items() if name not in ("class", "role")]
        assert not re.search(r"nan|inf|e[+-]?\d", " ".join(numbers)), svg.findtext("title")
        assert all(float(e.get(name, "0")) >= 0 for e in svg.iter("rect") for name in ("width", "height"))


@pytest.mark.parametrize("case", CASES)
def test_every_picture_is_named_described_and_keeps_within_its_frame(case: str) -> None:
    found = pictures(page(case))
    assert len(found) >= 5
    for svg in found:
        assert [child.tag for child in svg][:2] == ["title", "desc"]
        assert all((child.text or "").strip() for child in list(svg)[:2])
        assert svg.get("role") == "img"
        width, height = (float(value) for value in svg.get("viewBox", "").split()[2:])
        for x, y in points_of(svg):
            assert -1 <= x <= width + 1, (svg.findtext("title"), x, y)
            assert -1 <= y <= height + 1, (svg.findtext("title"), x, y)


@pytest.mark.parametrize("case", CASES)
def test_no_words_in_a_picture_lie_over_others(case: str) -> None:
    for svg in pictures(page(case)):
        for (one, first), (other, second) in combinations(map(lying, svg.iter("text")), 2):
            across = first.left < second.right and second.left < first.right
            upwards = first.top < second.bottom and second.top < first.bottom
            assert not (across and upwards), (svg.findtext("title"), one, other)


def lying(words: ElementTree.Element) -> tuple[str, Room]:
    """Words and their positions, with a generous guess of their width."""
    said, size = words.text or "", 11 if words.get("class", "").split()[:1] in SMALL_WORDS else 12
    x, y, width = float(words.get("x", "0")), float(words.get("y", "0")), text_width(said, size)
    left = x - {"end": width, "middle": width / 2}.get(words.get("text-anchor", ""), 0)
    return said, Room(left, left + width, y - 0.7 * size, y + 0.1 * size)


SMALL_WORDS = (["tick"], ["strong"], ["on"], ["key"])


def points_of(svg: ElementTree.Element) -> Iterator[tuple[float, float]]:
    """Every point at which something is drawn; both ends for words."""
    for element in svg.iter():
        at = {name: float(element.get(name, "0")) for name in ("x", "y", "x1", "y1", "x2", "y2", "cx", "cy")}
        if element.tag == "text":
            words = text_width(element.text or "", 10 if element.get("class") in ("tick", "strong") else 11)
            start = at["x"] - {"end": words, "middle": words / 2}.get(element.get("text-anchor", ""), 0)
            yield start, at["y"]
            yield start + words, at["y"]
        elif element.tag == "rect":
            yield at["x"], at["y"]
            yield at["x"] + float(element.get("width", "0")), at["y"] + float(element.get("height", "0"))
        elif element.tag == "line":
            yield at["x1"], at["y1"]
            yield at["x2"], at["y2"]
        elif element.tag == "circle":
            yield at["cx"], at["cy"]
        elif element.tag in ("polyline", "polygon"):
            for point in element.get("points", "").split():
                x, _, y = point.partition(",")
                yield float(x), float(y)


@pytest.mark.parametrize("case", CASES)
def test_the_page_is_one_well_formed_file_that_fetches_nothing(case: str) -> None:
    html = page(case)
    assert re.findall(r"<script|<link|<img|<iframe|@import|url\(|https?://|\son\w+=", html) == []
    assert html.count("<style>") == html.count("</style>") == 1
    open_tags: list[str] = []
    empty = {"meta", "col"}

    class Checker(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag not in empty:
                open_tags.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert open_tags.pop() == tag

    Checker().feed(html)
    assert open_tags == []
    heads = re.findall(r'aria-labelledby="(.*?)"', html)
    assert len(heads) == len(set(heads)) >= 4
    assert all(f'<h2 id="{head}">' in html for head in heads)


@pytest.mark.parametrize("case", CASES)
def test_every_table_has_heads_for_all_its_columns(case: str) -> None:
    tables = re.findall(r"<table>.*?</table>", page(case), re.DOTALL)
    assert tables
    for table in tables:
        head, *rows = re.findall(r"<tr>.*?</tr>", table, re.DOTALL)
        columns = re.findall(r'<th scope="col" class="(?:left|right)">.+?</th>', head)
        assert rows
        assert {row.count("<td") for row in rows} == {len(columns)}


def test_what_users_write_stays_text() -> None:
    nasty = "<script>alert('1')</script>&\"\x07"
    result = with_changes(ran(*POOR), name=nasty, strategy=nasty, pay_table=nasty, book=nasty)
    rule = RuleFigures(1, nasty, 3, (RefusedFigures(nasty, nasty, 2),))
    wagers = tuple(msgspec.structs.replace(wager, wager=nasty) for wager in result.wagers)
    results = [with_changes(result, rules=(rule,), wagers=wagers, ended={nasty: 1.0})] * 2
    about = [About(nasty, (nasty,))] * 2
    html = html_of(results, [Difference(0.0, 1.0)], nasty, False, about, None, nasty)
    assert "<script" not in html.lower()
    assert html.count("&lt;script&gt;") > 30
    assert len(pictures(html)) > 10, "still XML"
    single = html_of(results[:1], [], nasty, False, [About("</style><b>")], None, nasty)
    assert "<script" not in single.lower()
    assert "<b>" not in single
    assert single.count("</style>") == 1


def test_the_same_results_give_the_same_bytes() -> None:
    (result,) = results_of("a bankroll")
    again = html_of([result], [], VERSION, True, (), SHELF.book(CRAPS))
    assert again == page("a bankroll")
    slower = with_changes(result, seconds=99.0, rolls_per_second=result.rolls_done / 99)
    later = html_of([slower], [], VERSION, True, (), SHELF.book(CRAPS))
    lines = zip(again.splitlines(), later.splitlines(), strict=True)
    assert [one for one, other in lines if one != other] == [
        f"<div><dt>Software</dt><dd>croupier {VERSION}; machine kernel, 0.25 seconds, "
        f"{result.rolls_done / 0.25:,.0f} rolls a second</dd></div>"
    ]


def test_the_style_of_the_report_comes_after_that_of_all_documents() -> None:
    style = re.findall(r"<style>\n(.*?)</style>", page("a bankroll"), re.DOTALL)
    assert style == [STYLES]


def test_how_fast_it_was_counts_all_strategies() -> None:
    results = results_of("two")
    rolls = sum(result.rolls_done for result in results)
    assert f"0.25 seconds, {rolls / 0.25 / 1e6:.1f} million rolls a second" in words_of(page("two"))


def test_few_strategies_are_counted_in_words() -> None:
    assert "Five strategies on the same dice" in words_of(page("five"))
    many = results_of("two")[:1] * 13
    assert "13 strategies on the same dice" in words_of(html_of(many, [], VERSION, True))


def test_given_dice_are_not_called_fair() -> None:
    (result,) = results_of("a bankroll")
    words = words_of(html_of([result], [], VERSION, True, dice="record.txt"))
    assert "the dice are those of the record" in words
    assert "Dice record.txt" in words
    assert "seed" not in words.partition("How to repeat this")[0].lower()
    assert "the dice are fair" in words_of(page("a bankroll"))


@pytest.mark.parametrize("case", ["one session", "one session of one roll", "two, one session of one roll"])
def test_one_session_has_no_shares_no_spread_and_no_average(case: str) -> None:
    html = page(case)
    titles = {svg.findtext("title") for svg in pictures(html)}
    assert not any(
        (title or "").startswith(("Final results", "Maximum drawdown", "How sessions ended")) for title in titles
    )
    words = words_of(html)
    said = words[: words.index("Wagers")]
    assert re.findall(r"[Mm]edian|90 %|on average|Mean|Std dev|Ahead|Ruined|of all sessions", said) == []


def test_one_session_shows_its_course_and_what_it_ended_at() -> None:
    (result,) = results_of("one session")
    svg = next(svg for svg in pictures(page("one session")) if svg.findtext("title") == "Results over 144 rolls")
    assert [line.get("class") for line in svg.iter("polyline")] == ["course s0"]
    assert f"{result.net:+,.0f}".replace("-", MINUS) in [text.text for text in svg.iter("text")]


def test_an_interrupted_simulation_says_so() -> None:
    (result,) = results_of("a bankroll")
    words = words_of(html_of([result], [], VERSION, False))
    assert "The simulation was interrupted: these are the first 1,000 s" in words
    assert "interrupted" not in words_of(page("a bankroll"))


def test_without_the_book_at_hand_ids_stand_for_names() -> None:
    words = words_of(html_of(results_of("a bankroll"), [], VERSION, True))
    assert "place to win 6" in words
    assert "Craps, The Star" not in words


def test_coins_are_spun() -> None:
    words = words_of(page("coins"))
    assert "1,000 sessions of 144 spins" in words
    assert "spins a second" in words
    assert "the coins are fair" in words
    several = html_of(results_of("coins") * 3, [], VERSION, True, (), SHELF.book("two-up-nsw-2016"))
    assert "Three strategies on the same coins" in words_of(several)
    assert "dice" not in words_of(several).partition("How to repeat this")[0]


# -- how to repeat it -------------------------------------------------------------------------------------------------


def test_the_command_repeats_what_was_played() -> None:
    (result,) = results_of("a bankroll")
    words = shlex.split(command_for([result]))
    assert words[:3] == ["croupier", "simulate", CRAPS]
    said = dict(zip(words[3::2], words[4::2], strict=True))
    assert said == {
        "--strategy": "iron-cross", "--sessions": "1000", "--rolls": "144", "--seed": "1", "--bankroll": "200.00",
        "--unit": "5.00", "--pace": "100",
    }  # fmt: skip
    assert command_for([result]) in words_of(page("a bankroll"))


def test_the_command_gives_no_bankroll_or_unit_that_strategies_brought_themselves() -> None:
    first = with_changes(ran("pass-line"), strategy="my own.toml", pay_table="two")
    words = shlex.split(command_for([first, ran("percent-of-bankroll", 50, 20, 50_000)]))
    assert "--bankroll" not in words
    assert "--unit" not in words
    assert words.count("--strategy") == 2
    assert "my own.toml" in words
    assert words[words.index("--pay-table") + 1] == "two"


def test_a_long_command_may_go_on_in_the_next_line_before_an_option_only() -> None:
    (result,) = results_of("a bankroll")
    typed = "croupier simulate craps-nsw-2024 --strategy 'my --own.toml' --rolls 7"
    html = html_of([result], [], VERSION, True, command=typed)
    (inside,) = re.findall(r"<dt>Command</dt>(.*?)</div>", html)
    parts = [words.replace("&#x27;", "'") for words in re.findall(r"<dd>(.*?)</dd>", inside)]
    assert "".join(parts) == typed, "to be copied as it is"
    assert parts[0] == "croupier simulate craps-nsw-2024 "
    assert parts[-1] == "--rolls 7"


def test_the_command_that_was_typed_takes_precedence() -> None:
    words = words_of(html_of(results_of("a bankroll"), [], VERSION, True, command="croupier simulate it --chip 0.50"))
    assert "croupier simulate it --chip 0.50" in words
    assert "--sessions" not in words


# -- how things are drawn ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ALONE)
def test_columns_hold_every_session_once_and_have_equal_widths(case: str) -> None:
    (result,) = results_of(case)
    for wide in (False, True):
        columns = columns_of(result, span_of([result]), wide)
        counted = sum(column.sessions for column in columns.columns)
        assert counted + columns.below + columns.above == result.sessions
        assert counted > 0.97 * result.sessions
        assert len(columns.columns) <= 92
        assert all((b.low - a.low) % columns.width == 0 for a, b in pairwise(columns.columns))
        spread = [(round(100 * value), count) for value, count in result.spread]
        for column in columns.columns:
            assert column.sessions == sum(count for value, count in spread if column.low <= value <= column.high)


def test_an_even_result_has_a_column_of_its_own_or_stands_in_the_middle_of_one() -> None:
    columns = columns_of(ran("field-flat", 1000, 1), Range(-5, 10))
    assert [(column.low, column.high) for column in columns.columns] == [(-500, -500), (500, 500), (1000, 1000)]
    (result,) = results_of("no bankroll")
    (middle,) = (column for column in columns_of(result, span_of([result])).columns if column.low <= 0 <= column.high)
    assert middle.low == -middle.high < 0


def test_few_sessions_lie_in_few_columns() -> None:
    (result,) = results_of("all ruined")
    spread = tuple((float(value), 1) for value in range(-300, 340, 10))
    few = with_changes(result, spread=spread, sessions=len(spread), resolution=1.0)
    assert len(columns_of(few, Range(-300, 330), True).columns) <= 16
    many = with_changes(few, spread=tuple((value, 100) for value, _ in spread), sessions=100 * len(spread))
    assert len(columns_of(many, Range(-300, 330), True).columns) == 64


def test_results_that_are_likely_and_unlikely_in_turn_make_no_comb() -> None:
    spread = tuple((float(value), 200 if value % 2 else 10) for value in range(-120, 121))
    base = ran(*POOR)
    result = with_changes(base, spread=spread, sessions=sum(count for _, count in spread), resolution=1.0)
    columns = columns_of(result, Range(-120, 120), True)
    assert columns.width == 400, "by threes every other column would be twice as high"
    inner = [column.sessions for column in columns.columns[1:-1]]
    assert max(inner) == min(inner)


def test_equal_quantiles_share_their_words() -> None:
    base = ran(*POOR)
    quantiles = {**base.quantiles, "5": -200.0, "50": -200.0, "95": 40.0}
    drawing = histogram("title", "description", with_changes(base, quantiles=quantiles), Range(-200, 200), 0)
    said = re.findall(r'class="value">(.*?)<', drawing.inside)
    assert [words for words in said if not words.endswith(" %")] == [f"5 %, median {MINUS}200", "95 % +40"]


def test_an_axis_has_no_more_figures_than_fit() -> None:
    for width in (60.0, 150.0, 300.0, 700.0):
        axis = Axis(-1234.0, 98765.0, 0, width)
        marks = amounts(Range(-1234, 98765)).ticks_on(axis, 12)
        assert all(axis.first <= value <= axis.last for value, _ in marks)
        assert all(
            axis.at(b) - axis.at(a) >= (text_width(one, 12) + text_width(other, 12)) / 2
            for (a, one), (b, other) in pairwise(marks)
        )
    assert len(marks) > 8


def test_a_column_around_zero_shows_who_ended_behind_level_and_ahead() -> None:
    spread = ((-30.0, 10), (-10.0, 2), (0.0, 1), (10.0, 5), (30.0, 10))
    base = ran(*POOR)
    result = with_changes(base, spread=spread, sessions=28)
    (column,) = columns_of(result, Range(-1000, 1000)).columns
    assert (column.sessions, column.behind, column.ahead) == (28, 12, 15)
    drawing = histogram("title", "description", result, Range(-1000, 1000), 0)
    heights = [float(found) for found in re.findall(r'height="([\d.]+)" class="bar', drawing.inside)]
    assert heights == pytest.approx([12 * heights[1], heights[1], 15 * heights[1]], rel=0.01)


def test_a_column_that_towers_over_the_others_is_cut_and_told() -> None:
    spread = ((-50.0, 900), *((float(i), 5) for i in range(20)))
    base = ran(*POOR)
    result = with_changes(base, spread=spread, resolution=1.0, quantiles=dict.fromkeys(base.quantiles, -50.0))
    drawing = histogram("title", "description", result, Range(-50, 19), 0)
    assert 'class="tear"' in drawing.inside
    assert ">90.0 %<" in drawing.inside
    flat = with_changes(result, spread=tuple((float(i), 50) for i in range(20)))
    assert 'class="tear"' not in histogram("title", "description", flat, Range(0, 19), 0).inside


def test_a_few_extreme_results_do_not_squeeze_the_picture_but_are_told() -> None:
    (result,) = results_of("no bankroll")
    far = with_changes(result, spread=((-90_000.0, 1), *result.spread), worst=-90_000.0, sessions=result.sessions + 1)
    assert span_of([far]).low > -1000
    assert columns_of(far, span_of([far])).below == 1
    assert "lie further left" in words_of(html_of([far], [], VERSION, True))


def test_bands_of_the_fan_lie_within_each_other() -> None:
    svg = next(svg for svg in pictures(page("a bankroll")) if svg.findtext("title") == "Results over 144 rolls")
    bands = {str(e.get("class")).split()[0]: e.get("points", "").split() for e in svg.iter("polygon")}
    heights = {name: [float(point.split(",")[1]) for point in bands[name]] for name in ("far", "wide", "near")}
    half = len(heights["far"]) // 2
    assert half == 21, "the start and twenty marks"
    for outer, inner in pairwise(("far", "wide", "near")):
        pairs = list(zip(heights[outer], heights[inner], strict=True))
        assert all(a <= b for a, b in pairs[:half])
        assert all(a >= b for a, b in pairs[half:])


@given(st.lists(st.floats(0, 200), min_size=1, max_size=9), st.floats(1, 20))
def test_labels_keep_their_order_and_their_distance(places: list[float], gap: float) -> None:
    found = spaced(sorted(places), gap, 0, 200)
    assert all(b - a >= gap - 1e-9 for a, b in pairwise(found))
    assert all(-1e-9 <= place <= 200 + 1e-9 for place in found)


def test_axes_of_money_are_written_as_people_read_them() -> None:
    cases = {(-200.0, 450.0): "dollars", (-2e7, 1e7): "millions of dollars", (0.0, 5e11): "billions of dollars"}
    for span, words in cases.items():
        assert amounts(Range(*span)).words == words
    assert [shown for _, shown in amounts(Range(-2e7, 1e7)).ticks(Range(-2e7, 1e7), 3)] == ["−20", "−10", "0", "10"]
    small = amounts(Range(0, 0.04))
    assert [shown for _, shown in small.ticks(Range(0, 0.04), 4)] == ["0.00", "0.01", "0.02", "0.03", "0.04"]
    assert [small.brief(value) for value in (0.0, 12.0, -12.5, 1234.56)] == ["0", "+12", "−12.50", "+1,235"]


# -- style ------------------------------------------------------------------------------------------------------------

STYLES = rendering.STYLE.read_text(encoding="utf-8") + simulation.STYLE.read_text(encoding="utf-8")


def test_every_class_in_a_picture_has_a_style() -> None:
    used = {
        name
        for case in CASES
        for svg in pictures(page(case))
        for e in svg.iter()
        for name in e.get("class", "").split()
    }
    assert {"far", "wide", "near", "course", "whisker", "tear", "s5", "again", "e-ruined", "e-win"} <= used
    assert {name for name in used if not re.search(rf"\.{name}\b", STYLES)} == set()


def light(colour: str) -> float:
    """Relative luminance, as accessibility guidelines define it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_colours_stand_out_from_the_paper(theme: int) -> None:
    """Three to one for what is drawn, four and a half for text; letters tell strategies apart anyway."""

    def value(name: str) -> str:
        return str(re.findall(rf"--{name}: (#\w{{6}});", STYLES)[theme])

    paper = value("paper")
    assert all(
        contrast(value(name), paper) >= 3 for name in ("s0", "s1", "s2", "s3", "s4", "s5", "bar", "player", "mean")
    )
    assert all(contrast(value(name), paper) >= 4.5 for name in ("ink", "soft"))
    for ground, words in (("player", "on-strong"), ("bar", "on-strong"), ("even", "on-pale"), ("s1", "on-pale"),
                          ("s2", "on-pale"), ("play", "ink"), ("s5", "on-strong")):  # fmt: skip
        assert contrast(value(ground), value(words)) >= 4, (ground, words)
