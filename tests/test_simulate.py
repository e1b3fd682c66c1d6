"""`croupier simulate`: its output for people and programs, and what it refuses."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

import pytest

from croupier.cli.simulation import run
from croupier.cli.simulation.options import add_simulate, count
from croupier.cli.simulation.plots import compact, dollars, large, share, with_error
from croupier.execution.simulation_plan import Counted, Crew, SimulationPlan
from croupier.rules.errors import Impossible
from croupier.simulation.kernels.engine import Engine
from tests.simulations import (
    CRAPS,
    LINE,
    OWN_STRATEGY,
    QUICK,
    SIC_BO,
    SNAKE_EYES,
    TWO_UP,
    Screen,
    left_in,
    without_time,
)
from tests.tables import SHELF

PERCENTS = ["1", "5", "25", "50", "75", "95", "99"]


@pytest.fixture
def screen(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Screen:
    monkeypatch.setenv("COLUMNS", "80")
    return Screen(capsys)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# -- for programs -----------------------------------------------------------------------------------------------------


def test_a_simulation_for_programs_has_the_fields_that_they_rely_on(screen: Screen) -> None:
    told = screen.values(*LINE, "--sessions", "500", "--rolls", "60", "--seed", "7")
    texts = {"book": CRAPS, "strategy": "pass-double-odds"}
    wholes = {"sessions": 500, "rolls": 60, "seed": 7, "rolls_done": 30_000}
    assert {name: told[name] for name in (*texts, *wholes)} == texts | wholes
    for name in ("seconds", "rolls_per_second", "staked", "net", "net_se", "ruined"):
        assert type(told[name]) is float
    assert list(told["quantiles"]) == PERCENTS
    assert list(told["quantiles"].values()) == sorted(told["quantiles"].values())
    assert told["ruined"] == 0
    assert told["complete"] is True
    assert told["staked"] == sum(wager["staked"] for wager in told["wagers"]) / 500
    assert told["net"] == pytest.approx(sum(value * count for value, count in told["spread"]) / 500)
    assert told["seconds"] * told["rolls_per_second"] == pytest.approx(30_000)


def test_the_same_seed_gives_the_same_figures_on_any_number_of_cores(screen: Screen) -> None:
    words = (CRAPS, "--strategy", "iron-cross", "--bankroll", "100", "--sessions", "40000", "--rolls", "60")
    one, two, three = (without_time(screen.values(*words, "--jobs", jobs)) for jobs in ("1", "2", "3"))
    assert one == two == three
    assert one["ruined"] > 0
    other = screen.values(*words, "--seed", "2")
    assert (other["seed"], one["seed"]) == (2, 1)
    assert other["net"] != one["net"]


def test_what_is_not_said_is_ten_thousand_sessions_of_144_rolls_of_seed_1(screen: Screen) -> None:
    told = screen.values(*LINE)
    assert (told["sessions"], told["rolls"], told["seed"]) == (10_000, 144, 1)
    assert "10,000 sessions of 144 rolls, seed 1" in screen(*LINE).lines


@pytest.mark.parametrize("text", ["2000", "2_000", "2,000", "2e3", "2E+3", "2.0e3", "0.2e4"])
def test_numbers_are_written_as_people_like(text: str) -> None:
    assert count("--sessions", text) == 2000


@pytest.mark.parametrize("text", ["", "1.5", "1e", "e3", "1.25e1", "_1", "0x10", "٣", "1 000", "9" * 61, "1e100"])
def test_what_is_no_whole_number_is_told(text: str) -> None:
    with pytest.raises(Impossible, match="--rolls must be a whole number"):
        count("--rolls", text)


def test_the_page_names_every_option_and_every_field(screen: Screen) -> None:
    page = (Path(__file__).parent.parent / "docs" / "simulation.md").read_text(encoding="utf-8")
    command = argparse.ArgumentParser()
    add_simulate(command)
    options = {word for action in command._actions for word in action.option_strings} - {"-h", "--help"}
    assert len(options) > 20
    assert {option for option in options if f"`{option}" not in page} == set()
    fields = set(screen.values(*LINE, *QUICK)) | {"strategies", "differences", "net_difference", "difference_se"}
    assert {field for field in fields if f"`{field}`" not in page} == set()


# -- for people -------------------------------------------------------------------------------------------------------


PLAYED = [
    (*LINE, *QUICK),
    (*LINE, "--sessions", "1", "--rolls", "1"),
    (
        CRAPS,
        "--strategy",
        "three-point-molly",
        "--bankroll",
        "60",
        *QUICK,
        "--chip",
        "2.50",
        "--max",
        "20",
        "--min",
        "5",
    ),
    (CRAPS, "--strategy", "iron-cross", "--unit", "5000000.00", *QUICK),
    (CRAPS, "--strategy", "iron-cross", "--strategy", "one-shooter", "--strategy", "place-6-8-press", *QUICK),
    (CRAPS, "--strategy", "dice-doctor", "--strategy", "hot-shooter", "--unit", "1000000.00", "--sessions", "1"),
    (CRAPS, "--strategy", "percent-of-bankroll", *QUICK),
    (SIC_BO, "--strategy", "small-martingale", "--bankroll", "30", *QUICK),
    (SIC_BO, "--strategy", "super-streak-both", "--units", "exact", "--sessions", "3", "--rolls", "5"),
    (TWO_UP, "--strategy", "spinner-and-heads", "--strategy", "tails-dalembert", *QUICK),
    (SNAKE_EYES, "--strategy", "hardways-four-press", "--pay-table", "two", *QUICK),
]


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("words", PLAYED, ids=lambda words: "-".join(words[:3:2]))
def test_no_line_is_wider_than_the_screen(
    words: tuple[str, ...], width: int, screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    said = screen(*words)
    assert (said.status, said.err) == (0, "")
    assert max(map(len, said.lines)) <= width
    assert not any(word in said.out.lower() for word in ("nan", "inf ", "none", "…"))
    assert said.lines[-1].endswith(")")
    assert " a second " in " ".join(said.lines[-2:])


def test_a_summary_says_what_was_played_and_what_came_of_it(screen: Screen) -> None:
    told = screen.values(*LINE, *QUICK, "--seed", "3")
    lines = screen(*LINE, *QUICK, "--seed", "3").lines
    for line in (
        "Pass Line with double odds (pass-double-odds), unit 5.00",
        "Craps, The Star Sydney, order of 16 August 2024",
        "200 sessions of 30 rolls, seed 3",
        "chips of 1.00; chips never run out",
        f"mean result    {with_error(told['net'], told['net_se'])} (exact: {dollars(told['exact_net'])})",
        f"std deviation  {dollars(told['net_sd'])} (exact: {dollars(told['exact_net_sd'])})",
        f"best, worst    {dollars(told['best'])}, {dollars(told['worst'])}",
        "ended          100.0% played all rolls",
        f"staked         {dollars(told['staked'])} a session",
        f"1  bet Win Line             {told['rules'][0]['made'] / 200:.2f}",
        "Nothing was refused.",
    ):
        assert line in lines
    edge = next(line for line in lines if line.startswith("house edge"))
    assert f"{-100 * told['edge']:.2f} ± {100 * told['edge_se']:.2f}% of the stakes" in edge
    assert f"(exact: {-100 * told['exact_edge']:.3f}%)" in edge
    shares = next(line for line in lines if line.startswith("result "))
    assert shares.split()[1:] == [dollars(told["quantiles"][percent], 0) for percent in PERCENTS]
    assert sum("━" in line for line in lines) > 1
    assert lines[-1].startswith("6,000 rolls in ")
    assert lines[-1].endswith("(machine with 7 states)")


def test_ruin_is_told_with_how_long_it_took(screen: Screen) -> None:
    words = (CRAPS, "--strategy", "iron-cross", "--bankroll", "60", *QUICK)
    told, lines = screen.values(*words), screen(*words).lines
    assert told["ruined"] > 0.1
    ended = next(line for line in lines if line.startswith("ended"))
    assert f"{share(told['ruined'])} ruined" in ended
    ruin = next(line for line in lines if line.startswith("rolls to ruin"))
    assert ruin.split()[3:] == [f"{told['rolls_to_ruin'][percent]:.0f}" for percent in PERCENTS]
    assert "200 sessions of 30 rolls at most, seed 1" in lines
    assert "chips of 1.00; bankroll 60.00" in lines


def test_a_histogram_shows_every_session_once(screen: Screen) -> None:
    lines = screen(*LINE, *QUICK).lines
    first = lines.index("Results of all sessions") + 1
    bars = lines[first : lines.index("", first)]
    assert 5 <= len(bars) <= 20
    shares = [float(line.partition("%")[0].split()[-1].lstrip("<")) for line in bars]
    assert sum(shares) == pytest.approx(100, abs=0.06 * len(bars))
    assert all("█" in line or "▏" in line for line, part in zip(bars, shares, strict=True) if part)


def test_wins_rounded_up_are_told_apart_from_the_edge(screen: Screen) -> None:
    words = (CRAPS, "--strategy", "place-6-8", "--unit", "5.00", *QUICK)
    told, lines = screen.values(*words), screen(*words).lines
    assert told["rounding"] > 0  # 5.00 at 7 to 6 pays 5.84, and so 6.00
    assert f"rounding       rounding wins up to the chip returned another {told['rounding']:.3%}" in "\n".join(lines)


def test_of_one_session_nobody_knows_how_far_others_would_be_from_it(screen: Screen) -> None:
    one = (*LINE, "--sessions", "1", "--rolls", "30")
    told, lines = screen.values(*one), screen(*one).lines
    assert (told["net_se"], told["net_sd"]) == (None, None)
    assert told["exact_net_sd"] > 0
    assert f"mean result    {dollars(told['net'])} (exact: {dollars(told['exact_net'])})" in lines
    assert f"std deviation  unknown (exact: {dollars(told['exact_net_sd'])})" in lines
    assert "A session  ± is one standard error" in lines  # that of the edge is known: it comes from the single throws
    several = screen.values(*one, "--strategy", "field-flat")
    assert [each["net_se"] for each in several["strategies"]] == [None, None]
    assert several["differences"][0]["difference_se"] is None
    columns = screen(*one, "--strategy", "field-flat").lines
    spread = next(line for line in columns if line.startswith("std deviation"))
    assert spread.split()[2:] == ["unknown", "unknown"]
    for name in ("mean result", "versus first"):
        assert "±" not in next(line for line in columns if line.startswith(name))


def test_where_nothing_has_an_error_nothing_is_said_of_it(screen: Screen) -> None:
    assert "A session" in screen(*LINE, "--sessions", "1", "--max", "4").lines


def test_one_of_anything_is_called_so(screen: Screen, folder: Path) -> None:
    out = screen(*LINE, "--sessions", "1", "--rolls", "1", "--pace", "1").out
    assert "1 session of 1 roll, seed 1" in out
    assert "at 1 roll; a session is 1 roll or 1 hour" in out
    assert re.search(r"^ +0 +1 roll$", out, re.MULTILINE)  # below the fan chart
    assert "\n1 roll in " in out
    several = screen(*LINE, "--strategy", "field-flat", "--sessions", "1", "--rolls", "1").out
    for words in (out, several, screen(*LINE, "--rolls", "1", "--trace").out):
        assert not re.search(r"\b1 (?:[a-z]+ )?(?:sessions|rolls|spins|hours|states|times|units|throws)\b", words)
    (folder / "dice.txt").write_text("1 1\n6 5\n2 2\n3 1\n", encoding="utf-8")
    assert "1 throw at its end left out" in screen(*LINE, "--dice", "dice.txt", "--rolls", "3").out


@pytest.mark.parametrize(
    ("played", "words"),
    [
        (1, "1 of 200 sessions was played; these are its figures."),
        (2, "2 of 200 sessions were played; these are their figures."),
    ],
)
def test_an_interruption_is_told_with_how_much_was_played(
    played: int, words: str, screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(order: SimulationPlan, engines: list[Engine], *_: object) -> tuple[Counted, bool]:
        crew = Crew(engines)
        crew.block(order.seed, 0, played)
        return crew.counted, False

    monkeypatch.setattr(run, "run", stopped)
    assert f"Interrupted: {words}" in screen(*LINE, *QUICK).lines


def test_spins_are_called_spins(screen: Screen) -> None:
    out = screen(TWO_UP, "--strategy", "heads-flat", *QUICK).out
    assert "200 sessions of 30 spins, seed 1" in out
    assert "roll" not in out
    assert "roll" not in screen(TWO_UP, "--strategy", "heads-flat", "--strategy", "spinner-heads", *QUICK).out


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        (dollars(-0.001), "0.00"),
        (dollars(-1234.5), "-1,234.50"),
        (compact(-1234.4), "-1,234"),
        (compact(-12345), "-12.3k"),
        (compact(4.5678e6), "4.57M"),
        (compact(1e9), "1.00G"),
        (share(0.00001), "<0.1%"),
        (share(0.99999), ">99.9%"),
        (share(0.0), "0.0%"),
        (share(1.0), "100.0%"),
        (with_error(1.23456, 0.00123), "1.2346 ± 0.0012"),
        (with_error(1.23456, 12.3), "1.23 ± 12.30"),
        (with_error(1.23456, 0.0), "1.23"),
        (large(1_440_000), "1.44 million"),
        (large(999), "999"),
    ],
)
def test_figures_are_written_for_people(shown: str, text: str) -> None:
    assert shown == text


# -- the table --------------------------------------------------------------------------------------------------------


def refused(told: dict[str, Any]) -> set[tuple[int, str, str | None]]:
    return {(rule["rule"], each["code"], each["clause"]) for rule in told["rules"] for each in rule["refused"]}


@pytest.mark.parametrize(
    ("options", "code", "clause"),
    [
        (("--max", "4"), "stake_above_maximum", "7.1"),
        (("--min", "6.00"), "stake_below_minimum", "7.1"),
        (("--chip", "2.00"), "amount_not_in_chips", "6.3"),
        (("--bankroll", "4.00"), "not_enough_chips", "6.3"),
    ],
)
def test_what_the_table_refuses_is_told_with_its_clause(
    options: tuple[str, str], code: str, clause: str, screen: Screen
) -> None:
    words = (CRAPS, "--strategy", "pass-line", *QUICK, *options)
    told = screen.values(*words)
    assert refused(told) == {(1, code, clause)}
    assert told["rules"][0]["made"] == told["staked"] == 0
    assert told["edge"] is None
    out = screen(*words).out
    summary = SHELF.book(CRAPS).clauses[clause].summary
    flat = " ".join(out.split())
    assert f"{code.replace('_', ' ').capitalize()} ({clause}): {summary}" in flat
    assert f"rule 1, bet Win Line {told['rules'][0]['refused'][0]['count']:,} times" in flat
    assert "1 bet Win Line never acted" in flat
    assert "house edge nothing was staked" in flat
    assert "No wager was made." in flat


def test_exact_units_are_asked_for(screen: Screen, folder: Path) -> None:
    (folder / "five.toml").write_text(OWN_STRATEGY, encoding="utf-8")
    words = (CRAPS, "--strategy", "five.toml", *QUICK)
    assert refused(screen.values(*words)) == set()
    assert refused(screen.values(*words, "--units", "exact")) == {(1, "amount_not_in_units", "7.1 tail")}
    assert "exact units" in screen(*words, "--units", "exact").out


def test_a_pay_table_a_unit_and_a_pace_are_taken(screen: Screen) -> None:
    words = (SNAKE_EYES, "--strategy", "hardways-four-press", *QUICK)
    one, two = screen.values(*words), screen.values(*words, "--pay-table", "two")
    assert (one["pay_table"], two["pay_table"]) == (None, "two")
    assert one["exact_edge"] != two["exact_edge"]
    assert "pay table two" in screen(*words, "--pay-table", "two").out
    five, ten = screen.values(*LINE, *QUICK), screen.values(*LINE, *QUICK, "--unit", "10", "--pace", "50")
    assert (ten["unit"], ten["staked"], ten["net"]) == (10, 2 * five["staked"], 2 * five["net"])
    assert ten["net_per_hour"] == pytest.approx(five["net_per_hour"])  # twice as much at half the pace
    assert ten["hours_per_session"] == 2 * five["hours_per_session"]


def test_a_book_of_ones_own_is_played(screen: Screen) -> None:
    own = str(Path(__file__).parent.parent / "docs" / "examples" / "harbour-craps.toml")
    told = screen.values("--with", own, "harbour-craps", "--strategy", "pass-line", *QUICK)
    assert (told["book"], told["sessions"]) == ("harbour-craps", 200)


# -- several strategies -----------------------------------------------------------------------------------------------


def test_several_strategies_play_on_the_same_dice(screen: Screen) -> None:
    names = ("pass-line", "pass-double-odds", "iron-cross")
    options = ("--sessions", "300", "--rolls", "40", "--bankroll", "80")
    told = screen.values(CRAPS, *(word for name in names for word in ("--strategy", name)), *options)
    alone = [without_time(screen.values(CRAPS, "--strategy", name, *options)) for name in names]
    assert [without_time(each) for each in told["strategies"]] == alone
    assert told["complete"] is True
    for difference, other in zip(told["differences"], alone[1:], strict=True):
        assert set(difference) == {"strategy", "net_difference", "difference_se"}
        assert difference["strategy"] == other["strategy"]
        assert difference["net_difference"] == pytest.approx(other["net"] - alone[0]["net"])
        assert 0 < difference["difference_se"] < other["net_se"] + alone[0]["net_se"]


def test_several_strategies_stand_side_by_side(screen: Screen) -> None:
    words = (CRAPS, "--strategy", "pass-line", "--strategy", "iron-cross", "--max", "10", *QUICK)
    told, lines = screen.values(*words), screen(*words).lines
    first, second = told["strategies"]
    row = next(line for line in lines if line.startswith("mean result"))
    assert row.split("  ")[-2:] == [
        with_error(each["net"], each["net_se"]).rjust(len(row.split("  ")[i]))
        for i, each in ((-2, first), (-1, second))
    ]
    more = told["differences"][0]
    assert with_error(more["net_difference"], more["difference_se"]) in next(
        line for line in lines if line.startswith("versus first")
    )
    assert sum("▓" in line for line in lines) == 3  # the key, and a box for each
    refusals = lines[lines.index("What the table refused, and rules that never acted") :]
    assert refusals[1:3] == ["pass-line", "  Nothing was refused."]
    assert "iron-cross" in refusals
    assert any("Place Bet to Win 6, 8" in line and line.endswith("never acted") for line in refusals)


def test_more_strategies_than_fit_go_below_one_another(screen: Screen) -> None:
    names = ("pass-line", "pass-double-odds", "iron-cross", "field-flat", "hardways-all")
    lines = screen(CRAPS, *(word for name in names for word in ("--strategy", name)), *QUICK).lines
    assert sum(line.startswith("mean result") for line in lines) == 2


# -- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((*LINE, "--sessions", "0"), "sessions can be simulated, not 0."),
        ((*LINE, "--sessions", "-3"), "sessions can be simulated, not -3."),
        ((*LINE, "--sessions", "1e30"), "sessions can be simulated, not 1,000,000,000,000,"),
        ((*LINE, "--sessions", "many"), '--sessions must be a whole number such as 1000 or 1e6, not "many".'),
        ((*LINE, "--rolls", "0"), "A session can have 1 to 10,000,000 rolls, not 0."),
        ((*LINE, "--rolls", "1e12"), "A session can have 1 to 10,000,000 rolls, not 1,000,000,000,000."),
        ((*LINE, "--seed", "-1"), "A seed must be a whole number from 0 to 18,446,744,073,709,551,615."),
        ((*LINE, "--seed", str(2**64)), "A seed must be a whole number from 0 to 18,446,744,073,709,551,615."),
        ((*LINE, "--chip", "0"), "The smallest chip must be worth more than zero."),
        ((*LINE, "--chip", "one"), '"one" is not an amount'),
        ((*LINE, "--min", "10", "--max", "5"), "The maximum must be above zero and not below the minimum. (7.1)"),
        ((*LINE, "--pace", "0"), "A pace must be a number of rolls an hour, above 0"),
        ((*LINE, "--pace", "nan"), "A pace must be a number of rolls an hour, above 0"),
        ((*LINE, "--pace", "quick"), '--pace must be a number of rolls an hour, not "quick".'),
        ((*LINE, "--bankroll", "0"), "A bankroll must be above zero"),
        ((*LINE, "--bankroll", "-5"), '"-5" is not an amount'),
        ((*LINE, "--bankroll", "20000000000.00"), "A bankroll must be above zero and at most 10,000,000,000.00."),
        ((*LINE, "--bankroll", "9" * 5000), "A bankroll must be above zero and at most 10,000,000,000.00."),
        ((*LINE, "--unit", "0"), "croupier: A unit must be an amount from 0.01 to 10,000,000,000.00."),
        ((*LINE, "--unit", "10000000000.01"), "croupier: A unit must be an amount from 0.01 to 10,000,000,000.00."),
        ((*LINE, "--unit", "9" * 5000), "croupier: A unit must be an amount from 0.01 to 10,000,000,000.00."),
        ((*LINE, "--unit", ""), '"" is not an amount'),
        ((*LINE, "--chip", "10000000000.01"), "A chip can be at most 10,000,000,000.00."),
        ((*LINE, "--min", "1000000000000"), "A minimum can be at most 10,000,000,000.00."),
        ((*LINE, "--max", "9" * 5000), "A maximum can be at most 10,000,000,000.00."),
        ((*LINE, "--jobs", "0"), "jobs can be done at once, not 0."),
        ((*LINE, "--jobs", "1e9"), "jobs can be done at once, not 1,000,000,000."),
        ((*LINE, "--units", "some"), "invalid choice: 'some'"),
        ((*LINE, "--pay-table", "two"), "This book has one pay table only; there is nothing to choose. (8.1)"),
        ((*LINE, "--session", "3"), "--session says which session --trace shows, and goes with it only."),
        ((*LINE, "--trace", "--csv", "x"), "--trace shows one session on the screen; --csv does not go with it."),
        ((*LINE, "--trace", "--sessions", "5"), "--trace shows one session on the screen; --sessions does not"),
        ((*LINE, "--trace", "--strategy", "pass-line"), "--trace shows one strategy, and several are named."),
        ((*LINE, "--trace", "--session", "-1"), "--session must be a number from 0 to"),
        ((*LINE, "--trace", "--rolls", "1e12"), "A session can have 1 to 10,000,000 rolls"),
        ((*LINE, "--dice", "x", "--seed", "3"), "--dice gives the throws themselves; --seed does not go with it."),
        ((*LINE, "--dice", "no file"), "no file cannot be read (No such file or directory)."),
        ((*LINE, "--dice", ""), "--dice needs the name of a file, or - for standard input."),
        ((*LINE, "--csv", ""), '"" cannot be written (a file needs a name).'),
        ((*LINE, "--parquet", ""), '"" cannot be written (a file needs a name).'),
        ((*LINE, "--report", ""), '"" cannot be written (a file needs a name).'),
        ((*LINE, "--report", "no/page.html"), "no/page.html cannot be written (there is no such folder)."),
        ((*LINE, "--csv", "no/a.csv"), "no/a.csv cannot be written (there is no such folder)."),
        ((*LINE, "--parquet", "no/a.parquet"), "no/a.parquet cannot be written (there is no such folder)."),
        ((*LINE, "--report", "."), ". cannot be written (it is a folder)."),
        ((*LINE, "--csv", "new/"), "new/ cannot be written (it is a folder)."),
        ((*LINE, "--csv", "a", "--report", "./a"), "./a cannot be written (it is being written already)."),
        ((CRAPS,), "the following arguments are required: --strategy"),
        (("craps", "--strategy", "pass-line"), "craps: there is no such rule book"),
        ((CRAPS, "--strategy", "pass-lin"), "closest match: pass-line"),
        ((CRAPS, "--strategy", "small-martingale"), f'it is written for "{SIC_BO}", not for "{CRAPS}"'),
        ((CRAPS, "--strategy", "no.toml"), "no.toml: there is no such file"),
    ],
    ids=lambda words: " ".join(words[-2:])[:40] if isinstance(words, tuple) else "",
)
def test_what_makes_no_sense_is_one_sentence(
    words: tuple[str, ...], sentence: str, screen: Screen, folder: Path
) -> None:
    said = screen(*words)
    assert (said.status, said.out) == (2, "")
    assert sentence in said.err
    assert said.err.startswith("croupier: ")
    assert len(said.err.splitlines()) == 1
    assert left_in(folder) == []


def test_a_share_of_the_bankroll_needs_one(screen: Screen, folder: Path) -> None:
    text = OWN_STRATEGY.replace('"5.00"', '"10% of bankroll"')
    (folder / "share.toml").write_text(text, encoding="utf-8")
    said = screen(CRAPS, "--strategy", "share.toml", *QUICK)
    assert said.status == 2
    assert said.err == (
        "croupier: share.toml can only be played with a bankroll: rule 1 stakes a share of the bankroll.\n"
    )
    assert screen(CRAPS, "--strategy", "share.toml", *QUICK, "--bankroll", "100").status == 0


def test_mistakes_in_a_strategy_name_their_line(screen: Screen, folder: Path) -> None:
    (folder / "wrong.toml").write_text(OWN_STRATEGY.replace("place_to_win 6", "place_to_win 7"), encoding="utf-8")
    said = screen(CRAPS, "--strategy", "wrong.toml")
    assert said.status == 2
    assert said.err.startswith("croupier: wrong.toml, line 6: Place Bet to Win cannot be made on that")


def test_percentiles_that_are_coarser_than_results_are_told(screen: Screen) -> None:
    words = (CRAPS, "--strategy", "percent-of-bankroll", "--sessions", "500")
    coarse = "Counted in steps of 128.00; percentiles are no finer."
    assert coarse in screen(*words, "--bankroll", "10000000").lines
    assert "percentiles are no finer" not in screen(*words, "--bankroll", "1000").out
