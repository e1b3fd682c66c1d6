"""`croupier combine`, `croupier session` and `croupier hold`: what they print, and what they refuse."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from croupier.cli import combine, hold
from croupier.cli import session as session_command
from croupier.cli.output import progress
from croupier.cli.wager_plans import dollars
from croupier.maths.plan import Lot, Plan, read_lots
from croupier.maths.session import session
from croupier.rules.errors import Impossible, RuleBookError
from croupier.rules.shelf import Shelf
from tests.tables import BOOKS, SHELF

F = Fraction
CRAPS, SIC_BO, TWO_UP, SNAKE_EYES, SNAKE_EYES_NZ = BOOKS
LINE = ("win_line 10.00", "behind_win_line 20.00")

Add = Callable[[argparse.ArgumentParser], None]
Do = Callable[[Shelf, argparse.Namespace], int]
COMMANDS: dict[str, tuple[Add, Do]] = {
    "combine": (combine.add_combine, combine.combine),
    "session": (session_command.add_session, session_command.session),
    "hold": (hold.add_hold, hold.hold),
}


class Screen:
    """Runs a command and reads what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, command: str, *words: str) -> str:
        add, do = COMMANDS[command]
        parser = argparse.ArgumentParser()
        add(parser)
        assert do(SHELF, parser.parse_args(words)) == 0
        printed = self.capsys.readouterr()
        assert printed.err == ""
        return printed.out

    def lines(self, command: str, *words: str) -> list[str]:
        """The output for people, which fits a screen."""
        lines = [line.rstrip() for line in self(command, *words).splitlines()]
        assert max(map(len, lines)) <= 80
        return lines

    def values(self, command: str, *words: str) -> dict[str, Any]:
        """The values that other programs read."""
        told: dict[str, Any] = json.loads(self(command, *words, "--json"))
        return told


@pytest.fixture
def screen(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Screen:
    monkeypatch.setenv("COLUMNS", "80")
    return Screen(capsys)


def line_plan() -> Plan:
    game = SHELF.game(SHELF.terms(CRAPS))
    return Plan(game, (Lot("win_line", 1000), Lot("behind_win_line", 2000)), 100)


# -- session ----------------------------------------------------------------------------------------------------------


def test_a_session_on_the_screen(screen: Screen) -> None:
    lines = screen.lines("session", CRAPS, "field 5.00", "--rolls", "2")
    for line in (
        "Field  5.00  (6.2.17)",
        "2 rolls",
        "mean                -0.5556 = -5/9",
        "ahead               25.9259% = 7/27",
        "even                43.2099% = 35/81",
        "behind              30.8642% = 25/81",
        "worst, best         -10.00, 20.00",
        "result      -10.00  -10.00  -10.00  0.00  5.00  10.00  15.00",
    ):
        assert line in lines
    assert sum("█" in line for line in lines) == 5
    assert any(line.startswith("from 15.00  4.63% ") for line in lines)  # 20.00 hardly ever is
    assert not any("ruined" in line for line in lines)


def test_a_session_for_programs_has_every_result(screen: Screen) -> None:
    told = screen.values("session", CRAPS, *LINE, "--rolls", "30", "--bankroll", "200", "--target", "300.00")
    outlook = session(line_plan(), 30, 20_000, 30_000)
    assert {row["result"]: F(row["chance"]["exact"]) for row in told["results"]} == {
        f"{cents // 100}.00": chance for cents, chance in outlook.results.items()
    }
    assert F(told["ruined"]["exact"]) == outlook.ruined
    assert F(told["reached"]["exact"]) == outlook.reached
    assert F(told["mean"]["exact"]) == outlook.moments.mean / 100
    assert told["mean"]["float"] == pytest.approx(float(outlook.moments.mean / 100))
    assert sum(F(told[name]["exact"]) for name in ("ahead", "even", "behind")) == 1
    assert (told["rolls"], told["bankroll"], told["target"]) == (30, "200.00", "300.00")
    assert told["wagers"][1]["clause"] == "6.2.5"


def test_ruin_or_target_without_a_number_of_rolls(screen: Screen) -> None:
    words = (CRAPS, "win_line 10.00", "--bankroll", "10", "--target", "20")
    told = screen.values("session", *words)
    assert (told["ruined"]["exact"], told["reached"]["exact"]) == ("251/495", "244/495")
    assert told["expected_rolls"]["exact"] == "557/165"
    lines = screen.lines("session", *words)
    assert "ruined before 20.00  50.7071% = 251/495" in lines
    assert "rolls until then     3.38 on average" in lines


def test_spins_are_called_spins(screen: Screen) -> None:
    lines = screen.lines("session", TWO_UP, "heads 10.00", "--spins", "1")
    assert "1 spin" in lines
    assert not any("roll" in line for line in lines)


def test_a_pay_table_and_a_reading_are_played(screen: Screen) -> None:
    one, two = (
        screen.values("session", SNAKE_EYES, "hardway 4 10", "--rolls", "5", *more)["mean"]["exact"]
        for more in ((), ("--pay-table", "two"))
    )
    assert one != two
    even = screen.values("session", SIC_BO, "even 10", "--rolls", "1", "--reading", "SB-8 letter")
    assert F(even["mean"]["exact"]) == 10 * F(-5, 18)


def test_the_picture_of_a_session(screen: Screen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = screen.lines("session", CRAPS, *LINE, "--rolls", "40", "--svg", "fan.svg")
    assert lines[-1] == "fan.svg: the distribution of results, roll by roll"
    root = ElementTree.fromstring((tmp_path / "fan.svg").read_text(encoding="utf-8"))
    svg = "{http://www.w3.org/2000/svg}"
    assert root.findtext(f"{svg}title") == "Session of 40 rolls: Win Line 10.00 + Behind the Win Line 20.00"
    assert len(list(root.iter(f"{svg}polygon"))) == 2
    with pytest.raises(Impossible, match="cannot be written"):
        screen("session", CRAPS, *LINE, "--rolls", "4", "--svg", "no folder/fan.svg")


@pytest.mark.parametrize(("throws", "words"), [(1, ("horn 4.00",)), (3, LINE), (60, LINE), (60, ("horn 4.00",))])
def test_a_histogram_shows_all_sessions(throws: int, words: tuple[str, ...]) -> None:
    game = SHELF.game(SHELF.terms(CRAPS))
    outlook = session(Plan(game, read_lots(game, words, 100), 100), throws)
    shown = session_command.histogram(outlook)
    assert sum(chance for _, chance in shown) == 1
    assert len({label for label, _ in shown}) == len(shown) <= 20
    if throws == 60:
        assert shown[0][0].startswith("up to ")
        assert shown[-1][0].startswith("from ")
        first = int(float(shown[0][0].removeprefix("up to ").replace(",", "")) * 100)
        assert shown[0][1] == 1 - outlook.chance(first + 1)


# -- combine ----------------------------------------------------------------------------------------------------------


def test_a_combination_on_the_screen(screen: Screen) -> None:
    lines = screen.lines("combine", CRAPS, *LINE)
    for line in (
        "1  Win Line             10.00  100.00%  -0.1414  10.00  6.2.1",
        "house edge on that  0.6061% = 1/165",
        "rolls on average    3.3758 = 557/165",
        "-10.00  -20.00    -30.00  39.5960%  196/495",
        "29.62% of rolls, mean 1.1111: puck: come out",
        "Win Line, Behind the Win Line        0.7920    0.7919    0.7934",
    ):
        assert line in lines


def test_moments_alike_share_a_line(screen: Screen) -> None:
    words = ("field 5.00", "place_to_win 5 5.00", "place_to_win 6 6.00", "place_to_win 8 6.00")
    lines = screen.lines("combine", CRAPS, *words)
    assert any(line.startswith("70.38% of rolls, mean -0.3889: puck: point") for line in lines)
    assert "  -22.00 16.67% · 2.00 38.89% · 5.00 38.89% · 10.00 5.56%" in lines
    assert any(line.startswith("and 8 others") for line in lines)


def test_one_wager_has_no_correlations(screen: Screen) -> None:
    assert not any("Correlations" in line for line in screen.lines("combine", CRAPS, "lay 4 40.00"))
    assert "of the outlay       2.4390% = 1/41" in screen.lines("combine", CRAPS, "lay 4 40.00")


def test_a_combination_for_programs(screen: Screen) -> None:
    told = screen.values("combine", SIC_BO, "small 1.00", "odd 1.00")
    once, again = told["per_decision"], told["per_roll"]
    assert once["correlations"][0][1]["signed_square"] == "-841/67081"
    assert once["correlations"][0][1]["float"] == pytest.approx(-29 / 259)
    assert {tuple(row["results"]): row["chance"]["exact"] for row in once["results"]} == {
        ("1.00", "1.00"): "5/24",
        ("1.00", "-1.00"): "5/18",
        ("-1.00", "1.00"): "5/18",
        ("-1.00", "-1.00"): "17/72",
    }
    assert sum(F(moment["share"]["exact"]) for moment in again["moments"]) == 1
    assert again["house_edge_per_roll"]["exact"] == "1/36"


def test_a_come_out_without_a_come_is_told(screen: Screen) -> None:
    told = screen.values("combine", CRAPS, "come 10.00", "behind_come max")
    moments = {moment["moment"]: moment for moment in told["per_roll"]["moments"]}
    assert moments["puck: come out, no Come"]["places"] == [None, None]
    assert moments["puck: point 6, Come point 8"]["places"] == ["point 8", "point 8"]


# -- hold -------------------------------------------------------------------------------------------------------------


def test_a_hold_on_the_screen(screen: Screen) -> None:
    words = (CRAPS, "field 5.00 x3", "any_seven 1.00 x10", "--hours", "0.5", "--rolls-an-hour", "60")
    lines = screen.lines("hold", *words, "--min", "1", "--max", "500", "--seats", "14")
    for line in (
        "Field      5.00   x3  (6.2.17)",
        "60 rolls an hour, 0.5 hours: 30 rolls",
        "handle              750.00 on average",
        "hold                75.00 on average, 10.0000% of the handle",
        "with this mix 25.00: 1 6",
    ):
        assert line in lines
    assert any(line.startswith("with 14 seats at 500.00 on everything that wins 589,750.00: 6 6") for line in lines)
    assert "                    (interval and loss exact;" in lines


def test_without_a_maximum_nothing_limits_the_loss(screen: Screen) -> None:
    lines = screen.lines("hold", TWO_UP, "heads 10.00 x8", "tails 10.00 x5", "--spins-an-hour", "10", "--hours", "1")
    assert "under the sign: unlimited without a maximum (--max)" in lines


def test_a_hold_for_programs(screen: Screen) -> None:
    told = screen.values("hold", CRAPS, "field 5.00 x3", "any_seven 1.00 x10", "--hours", "2", "--max", "20")
    assert (told["rolls"], told["handle"]["exact"], told["hold"]["exact"]) == (200, "5000", "500")
    assert told["counted_out"] is True
    assert told["largest_loss"] == {"amount": "25.00", "throw": [1, 6], "phases": {}}
    assert told["largest_loss_under_limits"]["seats"] == 13
    low, high = map(float, told["interval"])
    assert low < 500 < high


# -- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "words", "code"),
    [
        ("session", ("field 5.00",), "rolls_missing"),
        ("session", ("field 5.00", "--bankroll", "100"), "rolls_missing"),
        ("session", ("field 5.00", "--bankroll", "100", "--target", "200", "--svg", "x.svg"), "rolls_missing"),
        ("session", ("field 5.00", "--rolls", "10", "--target", "100"), "bankroll_missing"),
        ("session", ("field 5.00", "--rolls", "10", "--bankroll", "100", "--target", "100"), "target_too_low"),
        ("session", ("field 5.00", "--rolls", "0"), "number_unreadable"),
        ("session", ("field 5.00", "--rolls= -3"), "number_unreadable"),
        ("session", ("field 5.00", "--rolls", "ten"), "number_unreadable"),
        ("session", ("field 5.00", "--rolls", "9" * 5000), "number_unreadable"),
        ("session", ("field 5.00", "--rolls", "100000"), "too_many_throws"),
        ("session", ("field 5.00", "--rolls", "10", "--bankroll", "much"), "amount_unreadable"),
        ("session", ("field 5.00", "--rolls", "10", "--chip", "0"), "chip_not_positive"),
        ("session", ("field 5.00", "--rolls", "10", "--chip", "2.00"), "amount_not_in_chips"),
        ("session", ("field 5.00", "--rolls", "10", "--pay-table", "two"), "pay_table_not_permitted"),
        ("combine", ("pass 5.00",), "unknown_wager"),
        ("combine", ("behind_win_line 5.00",), "flat_wager_missing"),
        ("hold", ("field 5.00 x3", "--hours", "a while"), "number_unreadable"),
        ("hold", ("field 5.00 x3", "--hours", "0.001"), "number_unreadable"),
        ("hold", ("field 5.00 x3", "--rolls-an-hour", "1.5"), "number_unreadable"),
        ("hold", ("field 5.00 x3", "--hours", "100000"), "too_many_throws"),
        ("hold", ("field 5.00 x3", "--seats", "2"), "table_full"),
        ("hold", ("field 5.00 x3", "--max", "4"), "stake_above_maximum"),
        ("hold", ("field 5.00 x3", "--min", "6"), "stake_below_minimum"),
        ("hold", ("field 5.00 x3", "--min", "6", "--max", "5"), "limits_contradict"),
        ("hold", ("field 5.00 x3", "--max", "0"), "limits_contradict"),
    ],
)
def test_bad_input_is_one_sentence(screen: Screen, command: str, words: tuple[str, ...], code: str) -> None:
    with pytest.raises(Impossible) as refused:
        screen(command, CRAPS, *words)
    assert refused.value.code == code
    assert refused.value.sentence.endswith(".")
    assert "\n" not in refused.value.sentence
    assert len(refused.value.sentence) < 5200


def test_an_unknown_reading_is_refused_with_those_there_are(screen: Screen) -> None:
    with pytest.raises(RuleBookError, match="CR-9 decided with the Come"):
        screen("combine", CRAPS, "field 5.00", "--reading", "CR-99")


# -- small things -----------------------------------------------------------------------------------------------------


def test_money_is_rounded_exactly() -> None:
    assert [dollars(cents) for cents in (0, -5, 123_456_789, F(1, 3))] == ["0.00", "-0.05", "1,234,567.89", "0.00"]
    assert dollars(F(-1400, 99), 4) == "-0.1414"


class Terminal(StringIO):
    """A screen that remembers what was printed."""

    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    with progress("rolls", 3, with_count=True) as told:
        assert told is None
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress("rolls", 3, with_count=True) as told:
        assert told is not None
        told(2)
    assert "2/3" in terminal.getvalue()
