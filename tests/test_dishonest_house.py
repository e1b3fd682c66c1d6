"""A dishonest house among honest players: each cheat fails, is proved, or is one that the page admits.

Every defence is removed once, to see that the cheat then succeeds and no one notices.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import get_args

import pytest

from croupier.cli import house
from croupier.cli.main import main
from croupier.client.numbers import Following
from croupier.fault_simulation.dishonest import cheats
from croupier.fault_simulation.dishonest.cheats import CHEATS, ENOUGH, Cheat, tried
from croupier.fault_simulation.dishonest.players import Defences, Trial
from croupier.fault_simulation.dishonest.verdict import UNDETECTABLE, By, Ending, Verdict
from croupier.house.electronic.course import FAULTS
from croupier.house.electronic.verification import verify_dice
from croupier.house.orders import rounds
from croupier.rulebooks import ids
from tests.tables import SHELF

SECURITY = Path(__file__).parents[1] / "docs" / "security.md"
SEEDS = range(len(ids()))  # one for each book

IMPOSSIBLE: tuple[Ending, tuple[By, ...]] = ("impossible", ())
UNDETECTED: tuple[Ending, tuple[By, ...]] = ("undetectable", ())
BY_RECEIPT: tuple[Ending, tuple[By, ...]] = ("convicted", ("--receipt", "a client's doubt"))
BY_RECORD: tuple[Ending, tuple[By, ...]] = ("convicted", ("verify-dice",))
BY_CLIENT: tuple[Ending, tuple[By, ...]] = ("convicted", ("a client's doubt",))

ENDINGS: dict[str, tuple[Ending, tuple[By, ...]]] = {
    "restore and redraw": IMPOSSIBLE,
    "restore and redraw with a number of its own": BY_RECEIPT,
    "grind with an account of its own": IMPOSSIBLE,
    "grind where no honest player has a number": UNDETECTED,
    "serve a page that gives numbers away": UNDETECTED,
    "close the table": IMPOSSIBLE,
    "close the table where no honest player has a number": UNDETECTED,
    "choose the secret": IMPOSSIBLE,
    "choose the secret where no honest player has a number": UNDETECTED,
    "hold back a number of its own": BY_RECORD,
    "hold back numbers, each of a new account": UNDETECTED,
    "hold back many numbers at once, each of a new account": BY_RECORD,
    "drop a bet": BY_RECEIPT,
    "swallow a bet": UNDETECTED,
    "give a bet no answer": UNDETECTED,
    "reorder bets": BY_RECEIPT,
    "bet late": BY_RECORD,
    "bet late by another name": UNDETECTED,
    "shut the bets over a player's head": BY_RECORD,
    "shut the bets before a number comes": BY_RECORD,
    "give no time for numbers": BY_RECORD,
    "call players ready": BY_CLIENT,
    "ignore players who are ready": UNDETECTED,
    "ignore a player who is ready no longer": UNDETECTED,
    "withhold a number that was taken": BY_RECEIPT,
    "withhold a number": BY_CLIENT,
    "withhold all numbers and choose": BY_CLIENT,
    "withhold all numbers of a full table and choose": ("convicted", ("a client's doubt", "verify-dice")),
    "take no numbers": BY_CLIENT,
    "stop before a throw": UNDETECTED,
    "lure a number": BY_CLIENT,
    "lure a number with a false receipt": BY_RECEIPT,
    "rewrite the tail": BY_RECEIPT,
    "rewrite what no receipt covers": UNDETECTED,
    "show two pasts": BY_RECEIPT,
    "swap the key": ("convicted", ("--receipt", "a client's doubt", "verify")),
    "swap the key before a newcomer arrives": UNDETECTED,
    "cancel with bets standing": BY_RECORD,
    "swap the secret": ("convicted", ("a client's doubt", "verify-dice")),
}


def cheat(name: str) -> Cheat:
    return next(one for one in CHEATS if one.name == name)


def attempt(name: str, seed: int, defences: Defences | None = None) -> Verdict:
    return tried(cheat(name), seed, SHELF, defences)


def test_every_cheat_is_here() -> None:
    assert [one.name for one in CHEATS] == list(ENDINGS)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", ENDINGS)
def test_each_cheat_ends_as_it_must(name: str, seed: int) -> None:
    verdict = attempt(name, seed)
    assert (verdict.ending, verdict.by) == ENDINGS[name], verdict
    assert verdict.worked == (verdict.ending != "impossible" and name != "lure a number"), verdict.how


def test_the_same_seed_is_the_same_night() -> None:
    assert attempt("rewrite the tail", 1) == attempt("rewrite the tail", 1)
    assert attempt("rewrite the tail", 1).evidence != attempt("rewrite the tail", 6).evidence


# -- what cannot be detected ------------------------------------------------------------------------------------------


def listed_on_the_page() -> list[str]:
    section = SECURITY.read_text(encoding="utf-8").split("\n### What cannot be detected\n")[1].split("\n#")[0]
    items = re.findall(r"^- (.*(?:\n  .*)*)", section, re.MULTILINE)
    return [re.sub(r"\s+", " ", item) for item in items]


def test_the_page_lists_what_cannot_be_detected_word_for_word() -> None:
    assert listed_on_the_page() == list(UNDETECTABLE)


def test_each_limit_is_one_that_a_cheat_runs_into_and_no_other_is_admitted() -> None:
    assert {one.admitted for one in CHEATS if one.admitted is not None} == set(UNDETECTABLE)
    assert all(cheat(name).admitted for name, (ending, _) in ENDINGS.items() if ending == "undetectable")


# -- without a defence ------------------------------------------------------------------------------------------------

BLIND = Defences(receipts=False, doubts=False)


@pytest.mark.parametrize(
    "name",
    [
        "restore and redraw with a number of its own",
        "drop a bet",
        "reorder bets",
        "withhold a number that was taken",
        "lure a number with a false receipt",
        "rewrite the tail",
        "show two pasts",
        "swap the key",
    ],
)
def test_without_receipts_a_past_is_taken_back_and_nobody_notices(name: str) -> None:
    assert [attempt(name, seed, BLIND).ending for seed in SEEDS] == ["unnoticed"] * len(SEEDS)


@pytest.mark.parametrize("name", ["grind with an account of its own", "close the table", "choose the secret"])
def test_without_numbers_the_house_chooses_and_nobody_notices(name: str) -> None:
    without = Defences(numbers=False)
    assert [attempt(name, seed, without).ending for seed in SEEDS] == ["unnoticed"] * len(SEEDS)


def test_under_protocol_1_a_backup_is_drawn_again_and_nobody_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "PROTOCOL", 1)
    assert [attempt("restore and redraw", seed, BLIND).ending for seed in SEEDS] == ["unnoticed"] * len(SEEDS)
    verdict = attempt("restore and redraw", 0)
    assert (verdict.ending, verdict.worked) == ("convicted", True)
    assert "--receipt" in verdict.by
    assert any("the house can choose the throw" in one.sentence for one in verdict.evidence)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("bet late", "late_bet"),
        ("shut the bets over a player's head", "shut_early"),
        ("shut the bets before a number comes", "shut_early"),
        ("give no time for numbers", "shut_early"),
        ("cancel with bets standing", "cancelled_with_bets"),
        ("swap the secret", "commitment_changed"),
        ("hold back a number of its own", "suspected"),
        ("hold back many numbers at once, each of a new account", "thin"),
        ("withhold all numbers of a full table and choose", "thin"),
    ],
)
def test_without_its_check_the_record_shows_nothing(name: str, fault: str) -> None:
    assert fault in {*FAULTS, "suspected", "thin"}
    without = Defences(doubts=False, unlooked=frozenset({fault}))
    assert [attempt(name, seed, without).ending for seed in SEEDS] == ["unnoticed"] * len(SEEDS)


@pytest.mark.parametrize("name", ["withhold a number", "withhold all numbers and choose", "take no numbers"])
def test_without_a_client_that_looks_a_number_is_withheld(name: str) -> None:
    assert [attempt(name, seed, Defences(doubts=False)).ending for seed in SEEDS] == ["undetectable"] * len(SEEDS)


def test_a_client_that_shows_its_number_for_nothing_is_lured(monkeypatch: pytest.MonkeyPatch) -> None:
    """This is how clients behaved before they revealed a number only for a receipt."""
    monkeypatch.setattr(Following, "_is_signed", lambda *_: True)
    verdicts = [attempt("lure a number", seed, Defences(doubts=False)) for seed in SEEDS]
    assert [verdict.ending for verdict in verdicts] == ["unnoticed"] * len(SEEDS)


def test_a_witness_convicts_where_nobody_has_a_receipt() -> None:
    for seed in SEEDS:
        verdict = attempt("rewrite the tail", seed, Defences(receipts=False, doubts=False, witness=True))
        assert (verdict.ending, verdict.by) == ("convicted", ("--witness",))
        kept = attempt("rewrite what no receipt covers", seed, Defences(witness=True))
        assert kept.ending == "undetectable", "what was not handed over yet"


def test_everything_that_can_convict_does_somewhere() -> None:
    assert {by for _, every in ENDINGS.values() for by in every} | {"--witness"} == set(get_args(By))


def test_what_stands_out_is_told_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trial = Trial(SHELF, ids()[0], Random(1), Defences())
    assert cheat("withhold all numbers of a full table and choose").attempt(trial).worked
    record = tmp_path / "record.jsonl"
    record.write_bytes(b"\n".join(line.rstrip() for line in trial.house.public()))
    assert main(["verify-dice", str(record)]) == 0, "it is no proof"
    warning, _, rest = " ".join(capsys.readouterr().out.split()).partition("All is well")
    assert "Of the 7 numbers of round 15, 6 are missing: more than chance explains" in warning
    assert rest


def test_a_number_held_back_of_each_new_account_is_counted_and_no_more() -> None:
    """People who come once and leave before the throw look the same: that is why this proves nothing against the
    house."""
    trial = Trial(SHELF, ids()[0], Random(1), Defences())
    assert cheat("hold back numbers, each of a new account").attempt(trial).worked
    numbers = verify_dice(trial.house.public()).numbers
    assert numbers.newcomers.missing == numbers.missing == numbers.incomplete == ENOUGH
    assert (numbers.suspected, numbers.thin) == ((), ())


# -- the command ------------------------------------------------------------------------------------------------------


def test_the_command_tells_how_each_cheat_ended(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["soak", "--dishonest", "--seed", "3"]) == 0
    out = capsys.readouterr().out
    for name, (ending, by) in ENDINGS.items():
        told = f"): {ending.upper()}" + (f" by {', '.join(by)}" if by else "")
        assert any(line.startswith(f"{name} (seed 3, ") and line.endswith(told) for line in out.splitlines()), name


def test_the_command_fails_where_nobody_notices(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house, "all_tried", lambda seed, _: iter([attempt("drop a bet", seed, BLIND)]))
    assert main(["soak", "--dishonest", "--seed", "2", "--json"]) == 1
    said = capsys.readouterr()
    assert json.loads(said.out)["ending"] == "unnoticed"
    assert said.err == "croupier: undetected: drop a bet; to reproduce it: croupier soak --dishonest --seed 2\n"


def test_all_cheats_are_tried_from_one_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, int]] = []
    monkeypatch.setattr(cheats, "tried", lambda cheat, seed, _: seen.append((cheat.name, seed)))
    assert len(list(cheats.all_tried(9, SHELF))) == len(ENDINGS)
    assert seen == [(name, 9) for name in ENDINGS]
