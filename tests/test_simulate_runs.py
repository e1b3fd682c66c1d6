"""`croupier simulate`: the files it writes, given dice, one session roll by roll, and how it stops."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any

import polars
import pytest

from croupier.cli.main import main
from croupier.cli.simulation import run
from croupier.execution import cluster, local, result_files
from croupier.execution.simulation_plan import SimulationPlan
from croupier.money import parse_cents
from croupier.simulation.kernels.engine import Known
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
    record,
    rows_of,
    without_time,
)


@pytest.fixture
def screen(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Screen:
    monkeypatch.setenv("COLUMNS", "80")
    return Screen(capsys)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# -- files ------------------------------------------------------------------------------------------------------------


def test_a_row_for_each_session_as_csv_and_parquet(screen: Screen, folder: Path) -> None:
    words = (CRAPS, "--strategy", "iron-cross", "--bankroll", "60", "--sessions", "30000", "--rolls", "40")
    said = screen(*words, "--csv", "a.csv", "--parquet", "a.parquet", "--jobs", "2")
    assert said.lines[-2:] == ["a.csv: 30,000 rows", "a.parquet: 30,000 rows"]
    assert left_in(folder) == ["a.csv", "a.parquet"]
    rows, told = rows_of(folder / "a.csv"), screen.values(*words)
    assert list(rows[0]) == ["session", "net", "rolls", "ended", "drawdown"]
    assert [int(row["session"]) for row in rows] == list(range(30_000))
    assert sum(parse_cents(row["net"].lstrip("-")) * (-1) ** row["net"].startswith("-") for row in rows) == round(
        100 * told["net"] * 30_000
    )
    assert sum(int(row["rolls"]) for row in rows) == told["rolls_done"]
    assert sum(row["ended"] == "ruined" for row in rows) == round(told["ruined"] * 30_000)
    frame = polars.read_parquet("a.parquet")
    assert frame.columns == list(rows[0])
    assert [(str(s), f"{net:.2f}", str(rolls), why, f"{fall:.2f}") for s, net, rolls, why, fall in frame.rows()] == [
        tuple(row.values()) for row in rows
    ]


def test_several_strategies_have_a_column_for_their_name(
    screen: Screen, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(result_files, "PART_ROWS", 100)
    own = folder / 'my "own".toml'
    own.write_text(OWN_STRATEGY, encoding="utf-8")
    words = (CRAPS, "--strategy", "pass-line", "--strategy", own.name, "--sessions", "70000", "--rolls", "3")
    assert screen(*words, "--csv", "a.csv", "--parquet", "a.parquet", "--json").status == 0
    rows, frame = rows_of(folder / "a.csv"), polars.read_parquet("a.parquet")
    assert next(iter(rows[0])) == frame.columns[0] == "strategy"
    for name in ("pass-line", own.name):
        mine = [row for row in rows if row["strategy"] == name]
        assert [int(row["session"]) for row in mine] == list(range(70_000))
        part = frame.filter(polars.col("strategy") == name)
        assert part["session"].to_list() == list(range(70_000))  # put together from many parts, in order
        assert [f"{net:.2f}" for net in part["net"]] == [row["net"] for row in mine]


def test_a_report_says_how_to_have_it_again(screen: Screen, folder: Path) -> None:
    words = (*LINE, *QUICK, "--seed", "5", "--bankroll", "100", "--max", "50")
    said = screen(*words, "--report", "page.html")
    assert said.lines[-1] == "page.html: all figures and plots"
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    command = (
        f"croupier simulate {CRAPS} --strategy pass-double-odds --sessions 200 --rolls 30 --seed 5 "
        "--bankroll 100 --max 50 --chip 1.00 --units any"
    )
    assert command in re.sub(r"<[^>]+>", "", page)  # it is cut into parts, so that it can go on in the next line
    assert left_in(folder) == ["page.html"]


def test_a_report_on_given_dice_names_them_and_no_seed(screen: Screen, folder: Path) -> None:
    (folder / "dice.txt").write_text("1 1\n6 5\n2 2\n3 1\n", encoding="utf-8")
    screen(*LINE, "--dice", "dice.txt", "--report", "page.html")
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert f"{CRAPS} · dice dice.txt · croupier" in page
    assert "seed 1" not in page


def test_a_reader_who_has_seen_enough_does_not_cost_the_files(
    screen: Screen, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(*_: object) -> None:
        raise SystemExit(1)  # as Rich has it when a pipe is closed

    monkeypatch.setattr(run, "_show", closed)
    assert screen(*LINE, *QUICK, "--csv", "a.csv", "--report", "a.html").status == 0
    assert left_in(folder) == ["a.csv", "a.html"]
    assert len(rows_of(folder / "a.csv")) == 200


def test_files_are_told_beside_json_and_not_in_it(screen: Screen, folder: Path) -> None:
    said = screen(*LINE, *QUICK, "--json", "--csv", "a.csv")
    assert said.values["sessions"] == 200
    assert said.err == "a.csv: 200 rows\n"


WHY = {
    "no folder/file": "there is no such folder",
    "there": "it is a folder",
    ".": "it is a folder",
    "not there/": "it is a folder",
    "/dev/full": "No space left on device",
    "a\0b": "a file cannot have such a name",
}


@pytest.mark.parametrize("option", ["--csv", "--parquet", "--report"])
def test_a_file_that_cannot_be_written_is_one_sentence(option: str, screen: Screen, folder: Path) -> None:
    (folder / "there").mkdir()
    for target in WHY:
        said = screen(*LINE, *QUICK, option, target)
        assert said.status == 2
        reason = WHY[target]
        assert said.err == f"croupier: {target.replace(chr(0), '?')} cannot be written ({reason}).\n"
        assert len(said.err.splitlines()) == 1
        assert left_in(folder) == ["there"]
        assert left_in(folder / "there") == []
    assert Path("/dev/full").is_char_device()


@pytest.mark.parametrize("option", ["--csv", "--report"])
def test_a_disk_that_is_full_half_way_leaves_the_old_file_as_it_was(
    option: str, screen: Screen, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(io.RawIOBase):
        """Accepts a little output, then no more."""

        taken = 0

        def write(self, content: bytes) -> int:  # type: ignore[override]
            self.taken += len(content)
            if self.taken > 1000:
                raise OSError(errno.ENOSPC, "No space left on device")
            return len(content)

    (folder / "old").write_text("as it was", encoding="utf-8")

    def filled(target: str) -> result_files.Draft:
        draft = result_files.Draft(target)
        draft.stream.close()
        draft.stream = Full()  # type: ignore[assignment]
        return draft

    monkeypatch.setattr(run, "Draft", filled)
    said = screen(*LINE, *QUICK, option, "old")
    assert (said.status, said.err) == (2, "croupier: old cannot be written (No space left on device).\n")
    assert left_in(folder) == ["old"]
    assert (folder / "old").read_text(encoding="utf-8") == "as it was"


def test_parts_of_a_table_that_cannot_be_written_are_cleared_away(
    screen: Screen, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(result_files, "PART_ROWS", 10)

    def full(frame: polars.DataFrame, *_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(polars.DataFrame, "write_parquet", full)
    said = screen(*LINE, *QUICK, "--parquet", "a.parquet")
    assert (said.status, said.out) == (2, "")
    assert said.err == "croupier: a.parquet cannot be written (No space left on device).\n"
    assert left_in(folder) == []


def test_a_file_through_a_link_keeps_the_link(screen: Screen, folder: Path) -> None:
    (folder / "real.csv").write_text("", encoding="utf-8")
    (folder / "link.csv").symlink_to("real.csv")
    assert screen(*LINE, *QUICK, "--csv", "link.csv").status == 0
    assert (folder / "link.csv").is_symlink()
    assert len(rows_of(folder / "real.csv")) == 200


def test_parquet_without_polars_is_one_sentence(screen: Screen, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    said = screen(*LINE, *QUICK, "--parquet", "a.parquet")
    assert said.status == 2
    assert "croupier[tables]" in said.err
    assert len(said.err.splitlines()) == 1
    assert left_in(folder) == []


# -- given dice -------------------------------------------------------------------------------------------------------


def close(told: object, other: object) -> bool:
    """Equal except for the last digits of floats that were added in another order."""
    if isinstance(told, dict) and isinstance(other, dict):
        return told.keys() == other.keys() and all(close(told[key], other[key]) for key in told)
    if isinstance(told, list) and isinstance(other, list):
        return len(told) == len(other) and all(map(close, told, other))
    return told == pytest.approx(other) if isinstance(told, float) else told == other


@pytest.mark.parametrize(
    ("book", "strategy", "options"),
    [
        (CRAPS, "iron-cross", ()),
        (CRAPS, "three-point-molly", ("--bankroll", "60")),
        (CRAPS, "buy-4-10", ("--bankroll", "100", "--chip", "0.50")),
        (CRAPS, "one-shooter", ()),
        (SIC_BO, "small-martingale", ("--bankroll", "40", "--max", "20")),
        (TWO_UP, "spinner-and-heads", ("--bankroll", "100")),
    ],
)
def test_the_dice_of_a_seed_give_what_the_seed_gives(
    book: str, strategy: str, options: tuple[str, ...], screen: Screen, folder: Path
) -> None:
    (folder / "dice.txt").write_text(record(book, 7, 40, 50), encoding="utf-8")
    words = (book, "--strategy", strategy, "--rolls", "50", *options)
    given, drawn = screen.values(*words, "--dice", "dice.txt"), screen.values(*words, "--seed", "7", "--sessions", "40")
    assert (given.pop("dice"), given.pop("left_out"), given.pop("seed"), drawn.pop("seed")) == ("dice.txt", 0, None, 7)
    for told in (given, drawn):  # the same figures by another kernel, which knows nothing of exact sessions
        for name in ("kernel", "states", "exact_net", "exact_net_sd"):
            del told[name]
    assert close(without_time(given), without_time(drawn))


def test_a_record_is_cut_into_sessions(screen: Screen, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = record(CRAPS, 1, 1, 100)
    (folder / "dice.txt").write_text(text, encoding="utf-8")
    words = (*LINE, "--dice", "dice.txt")
    for options, sessions, rolls, left in (
        ((), 1, 100, 0),
        (("--rolls", "30"), 3, 30, 10),
        (("--sessions", "3"), 3, 33, 1),
        (("--sessions", "2", "--rolls", "40"), 2, 40, 20),
    ):
        told = screen.values(*words, *options)
        assert (told["sessions"], told["rolls"], told["left_out"]) == (sessions, rolls, left)
    assert (
        "3 sessions of 30 rolls, dice of dice.txt, 10 throws at its end left out"
        in screen(*words, "--rolls", "30").lines
    )
    nothing = "A record is cut into one session or more, each of one throw or more."
    for options, sentence in (
        (("--sessions", "1", "--rolls", "101"), "1 session needs 101 throws, and the record has 100."),
        (("--sessions", "4", "--rolls", "30"), "4 sessions need 120 throws, and the record has 100."),
        (("--sessions", "101"), "101 sessions need 101 throws, and the record has 100."),
        (("--rolls", "101"), nothing),
        (("--sessions", "0"), nothing),
        (("--sessions", "-1"), nothing),
        (("--rolls", "0"), nothing),
        (("--rolls", "-5"), nothing),
    ):
        said = screen(*words, *options)
        assert (said.status, said.err) == (2, f"croupier: {sentence}\n")
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert screen.values(*LINE, "--dice", "-")["rolls_done"] == 100


def test_several_strategies_on_a_record_with_a_file(screen: Screen, folder: Path) -> None:
    (folder / "dice.txt").write_text(record(CRAPS, 1, 1, 90), encoding="utf-8")
    words = (*LINE, "--strategy", "pass-line", "--dice", "dice.txt", "--rolls", "30", "--csv", "a.csv")
    told = screen.values(*words)
    nets = {name: [float(row["net"]) for row in rows_of(folder / "a.csv") if row["strategy"] == name]
            for name in ("pass-double-odds", "pass-line")}  # fmt: skip
    assert [sum(each) / 3 for each in nets.values()] == pytest.approx([each["net"] for each in told["strategies"]])


# -- one session, roll by roll ----------------------------------------------------------------------------------------


def traced(screen: Screen, *words: str) -> list[dict[str, Any]]:
    said = screen(*words, "--trace", "--json")
    assert said.status == 0, said.err
    return [json.loads(line) for line in said.lines]


@pytest.mark.parametrize(
    ("book", "strategy", "options"),
    [
        (CRAPS, "iron-cross", ("--bankroll", "60")),
        (CRAPS, "three-point-molly", ()),
        (CRAPS, "one-shooter", ("--seed", "9")),
        (CRAPS, "lay-4-10", ("--bankroll", "200", "--max", "50")),
        (SIC_BO, "super-streak-both", ()),
        (TWO_UP, "tails-dalembert", ("--bankroll", "50")),
        (SNAKE_EYES, "hardways-four-press", ("--pay-table", "two")),
    ],
)
def test_a_trace_agrees_with_the_simulation(
    book: str, strategy: str, options: tuple[str, ...], screen: Screen, folder: Path
) -> None:
    words = (book, "--strategy", strategy, "--rolls", "60", *options)
    assert screen(*words, "--sessions", "6", "--csv", "a.csv").status == 0
    for row in rows_of(folder / "a.csv"):
        turns = traced(screen, *words, "--session", row["session"])
        assert [turn["roll"] for turn in turns] == list(range(int(row["rolls"]) + 1))
        assert (turns[-1]["net"], turns[-1]["ended"]) == (row["net"], row["ended"])
        assert all(turn["ended"] is None for turn in turns[:-1])
        assert sum(row["type"] == "thrown" for turn in turns for row in turn["events"]) == int(row["rolls"])


def test_a_trace_tells_throws_settlements_bets_and_refusals(screen: Screen) -> None:
    words = (CRAPS, "--strategy", "iron-cross", "--rolls", "40", "--bankroll", "50", "--session", "3")
    turns, lines = traced(screen, *words), screen(*words, "--trace").lines
    assert lines[:2] == ["Iron Cross, session 3 of seed 1", "Craps, The Star Sydney, order of 16 August 2024"]
    assert lines[3:6] == [
        "Before the first roll",
        "    bets 5.00 on Win Line (6.2.1)",
        "    45.00 in hand; net 0.00; on the layout: Win Line 5.00",
    ]
    assert next(line for line in lines if line.startswith("Roll ")) == "Roll 1: 2 6  “8”"
    assert '    Puck on 8 (1.1 "come out point")' in lines
    assert "    Place Bet to Win 6 12.00 wins 14.00 (6.2.10.1)" in lines
    last = turns[-1]
    assert lines[-1].startswith(f"Ended after {last['roll']} rolls: ")
    assert lines[-1].endswith(f"Net {last['net']}.")
    assert max(map(len, lines)) <= 80
    for turn in turns:
        standing = sum(parse_cents(wager["amount"]) for wager in turn["wagers"])
        net = int(turn["net"].replace(".", ""))
        assert parse_cents(turn["chips"]) + standing == 5000 + net  # no wager here has a commission


def test_a_trace_tells_what_was_refused(screen: Screen) -> None:
    words = (CRAPS, "--strategy", "iron-cross", "--rolls", "10", "--max", "10")
    refusals = [[row for row in turn["events"] if row["type"] == "refused"] for turn in traced(screen, *words)]
    told = {"type": "refused", "rule": 5, "code": "stake_above_maximum", "clause": "7.1"}
    assert all(row == told for rows in refusals for row in rows)
    lines = screen(*words, "--trace").lines
    once, twice = (sum(len(rows) == times for rows in refusals) for times in (1, 2))
    assert once + twice == sum(map(bool, refusals))
    assert lines.count("    rule 5 refused: stake above maximum (7.1)") == once > 0
    assert lines.count("    rule 5 refused: stake above maximum (7.1), 2 times") == twice > 0


def test_a_trace_tells_deeds_and_refusals_in_the_order_of_the_rules(screen: Screen, folder: Path) -> None:
    rules = [("field", "5.00"), ("hardway 4", "50.00"), ("hardway 6", "5.00"), ("hardway 8", "60.00")]
    text = "".join(f'[[rules]]\nbet = "{wager}"\nstake = "{stake}"\n' for wager, stake in rules)
    (folder / "own.toml").write_text(f'name = "x"\nbook = "{CRAPS}"\nabout = "x"\n{text}', encoding="utf-8")
    words = (CRAPS, "--strategy", "own.toml", "--rolls", "1", "--max", "20")
    lines = screen(*words, "--trace").lines
    first = lines.index("Before the first roll") + 1
    assert lines[first : first + 4] == [
        "    bets 5.00 on Field (6.2.17)",
        "    rule 2 refused: stake above maximum (7.1)",
        "    bets 5.00 on Hardways 6 (6.2.9)",
        "    rule 4 refused: stake above maximum (7.1)",
    ]
    events = traced(screen, *words)[0]["events"]
    assert [(row["type"], row.get("rule")) for row in events] == [
        ("wager_placed", None),
        ("refused", 2),
        ("wager_placed", None),
        ("refused", 4),
    ]


def test_a_trace_without_a_bankroll_has_no_number_of_chips(screen: Screen) -> None:
    assert {turn["chips"] for turn in traced(screen, *LINE, "--rolls", "5")} == {None}
    assert "in hand" not in screen(*LINE, "--rolls", "5", "--trace").out


def test_a_trace_of_given_dice(screen: Screen, folder: Path) -> None:
    (folder / "dice.txt").write_text("1 1\n6 5\n2 2\n3 1\n", encoding="utf-8")
    lines = screen(*LINE, "--dice", "dice.txt", "--rolls", "2", "--session", "1", "--trace").lines
    assert "Pass Line with double odds, session 1 of dice.txt" in lines
    assert [line for line in lines if line.startswith("Roll")] == ["Roll 1: 2 2  “4”", "Roll 2: 3 1  “4”"]
    assert "    Behind the Win Line 10.00 wins 20.00 (6.2.5.2)" in lines
    assert lines[-1] == "Ended after 2 rolls: played all rolls. Net 25.00."
    said = screen(*LINE, "--dice", "dice.txt", "--rolls", "2", "--session", "2", "--trace")
    assert said.err == "croupier: --session must be a number from 0 to 1, not 2.\n"


# -- while it runs ----------------------------------------------------------------------------------------------------


def test_a_bar_is_drawn_only_where_errors_go_to_a_screen(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    assert screen(*LINE, *QUICK).err == ""
    for words, unit in ((LINE, " rolls a second"), ((*LINE, "--bankroll", "200"), " a second")):
        seen = Terminal()
        monkeypatch.setattr(sys, "stderr", seen)
        assert main(["simulate", *words, *QUICK]) == 0
        assert "200 of 200 sessions" in seen.getvalue()
        assert unit in seen.getvalue()
        assert (" rolls a second" in seen.getvalue()) == (words is LINE)


def test_a_cluster_is_asked_for_by_its_address(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def run(order: SimulationPlan, address: str, told: object, each: object) -> object:
        asked.append(address)
        return local.run(order, order.engines())

    monkeypatch.setattr(cluster, "run", run)
    told = screen.values(*LINE, *QUICK, "--dask", "tcp://10.0.0.7:8786")
    assert asked == ["tcp://10.0.0.7:8786"]
    assert without_time(told) == without_time(screen.values(*LINE, *QUICK))


def interrupted(
    folder: Path, *words: str, by: signal.Signals = signal.SIGINT, times: int = 1
) -> subprocess.CompletedProcess[str]:
    """A running simulation that gets Ctrl-C, or another signal, once or more, as soon as it has printed something."""
    command = [sys.executable, "-m", "croupier.cli.main", "simulate", *LINE, "--sessions", "1e12", *words]
    environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1", "PYTHONUTF8": "1"}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=folder, stdout=pipe, stderr=pipe, text=True, env=environment) as running:
        while running.poll() is None and not any(_sizes(folder)):
            sleep(0.02)
        for _ in range(times):
            running.send_signal(by)
            sleep(0.05)
        out, err = running.communicate(timeout=60)
    return subprocess.CompletedProcess(command, running.returncode, out, err)


def _sizes(folder: Path) -> Iterator[bool]:
    for file in folder.glob(".rows.csv.*.part"):
        yield file.stat().st_size > 10_000


def test_an_interruption_shows_what_is_done(folder: Path) -> None:
    done = interrupted(folder, "--csv", "rows.csv")
    assert (done.returncode, done.stderr) == (130, "")
    lines = done.stdout.splitlines()
    rows = rows_of(folder / "rows.csv")
    sessions = len(rows)
    assert 0 < sessions < 10**12
    assert f"{sessions:,} sessions of 144 rolls, seed 1" in lines
    told = " ".join(done.stdout.split())
    assert f"Interrupted: {sessions:,} of 1,000,000,000,000 sessions were played; these are their figures." in told
    assert lines[-1] == f"rows.csv: {sessions:,} rows, all that was played"
    assert left_in(folder) == ["rows.csv"]
    assert [row["session"] for row in rows[-1:]] == [str(sessions - 1)]


def test_impatience_loses_nothing(folder: Path) -> None:
    done = interrupted(folder, "--csv", "rows.csv", "--report", "page.html", times=5)
    assert (done.returncode, done.stderr) == (130, "")
    sessions = len(rows_of(folder / "rows.csv"))
    assert f"{sessions:,} sessions of 144 rolls, seed 1" in done.stdout.splitlines()
    assert left_in(folder) == ["page.html", "rows.csv"]


def test_the_report_of_an_interrupted_run_says_how_to_have_its_figures_again(folder: Path) -> None:
    interrupted(folder, "--csv", "rows.csv", "--report", "page.html")
    page = re.sub(r"<[^>]+>", "", (folder / "page.html").read_text(encoding="utf-8"))
    assert f"--sessions {len(rows_of(folder / 'rows.csv'))}" in page
    assert "1e12" not in page


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGHUP])
def test_a_process_that_is_told_to_end_leaves_nothing_behind(folder: Path, by: signal.Signals) -> None:
    done = interrupted(folder, "--csv", "rows.csv", "--report", "page.html", by=by)
    assert (done.returncode, done.stdout, done.stderr) == (128 + by, "", "")
    assert left_in(folder) == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--csv", "-"), "--csv needs the name of a file; standard output has the figures."),
        (("--report", "-"), "--report needs the name of a file; standard output has the figures."),
        (("--dask", "tcp://127.0.0.1:9", "--jobs", "2"), "--dask plays on a cluster; --jobs does not go with it."),
        (("--trace", "--pace", "50"), "--trace shows one session on the screen; --pace does not go with it."),
    ],
)
def test_options_that_would_be_left_out_in_silence_are_refused(
    screen: Screen, folder: Path, words: tuple[str, ...], sentence: str
) -> None:
    said = screen(*LINE, *words)
    assert (said.status, said.err) == (2, f"croupier: {sentence}\n")
    assert left_in(folder) == []


def test_an_interruption_for_programs(folder: Path, screen: Screen) -> None:
    done = interrupted(folder, "--csv", "rows.csv", "--json")
    assert done.returncode == 130
    told = json.loads(done.stdout)
    assert told["complete"] is False
    assert told["sessions"] == len(rows_of(folder / "rows.csv"))
    assert "all that was played" in done.stderr
    whole = screen.values(*LINE, "--sessions", str(told["sessions"]))  # what is done are the first so many sessions
    assert without_time(whole) == without_time(told) | {"complete": True}


def test_an_interruption_before_anything_is_done(screen: Screen, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> tuple[object, bool]:
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "run", stopped)
    said = screen(*LINE, *QUICK, "--csv", "a.csv", "--report", "a.html")
    assert (said.status, said.out) == (130, "")
    assert said.err == "croupier: interrupted before the first sessions were over.\n"
    assert left_in(folder) == []


def test_a_fault_while_playing_leaves_nothing(screen: Screen, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(table: result_files.CsvRows, block: list[Known]) -> None:
        raise RuntimeError("a fault of the program")

    monkeypatch.setattr(result_files.CsvRows, "add", faulty)
    with pytest.raises(RuntimeError, match="a fault of the program"):
        screen(*LINE, *QUICK, "--csv", "a.csv", "--report", "a.html")
    assert left_in(folder) == []
