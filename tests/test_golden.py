"""Golden vectors: an independent script, croupier's code and the short programs compute the same values.

The same vectors run in the checker page: `tests/browser/test_checking.py`.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from croupier.house.electronic import fair_dice
from croupier.house.electronic.verification import verify_dice
from croupier.prizes.draw_verification import verify_draw
from croupier.store.receipts import contradictions, held_against, is_signed, read_receipts, two_pasts
from tests.golden import make
from tests.golden.reading import (
    HERE,
    Plain,
    compared_record,
    file_of,
    lines_of,
    named,
    receipts_file,
    rows,
    run,
    vectors,
)

RECORDS, DRAWS = rows("dice", "records"), rows("draws", "records")


def test_the_files_are_what_the_script_makes() -> None:
    for name, text in make.golden().items():
        assert (HERE / name).read_text(encoding="utf-8") == text, f"python -m tests.golden.make writes {name}"


@pytest.mark.parametrize("name", ["make.py", "ed25519.py"])
def test_the_script_uses_nothing_of_croupier(name: str) -> None:
    tree = ast.parse((HERE / name).read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not [module for module in imported if "croupier" in module]
    assert {module for module in imported if module.startswith("tests")} <= {"tests.golden"}


# -- dice -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", rows("dice", "throws"), ids=named)
def test_a_throw(row: Plain) -> None:
    table, number, secret = row["table"], row["round"], bytes.fromhex(row["secret"])
    faces: Sequence[fair_dice.Face] = row.get("faces") or range(1, row["sides"] + 1)
    assert fair_dice.commitment(table, number, secret, row["protocol"]) == row["commitment"]
    if row["protocol"] == 1:
        mix = bytes.fromhex(row["shut"])
    else:
        mix = fair_dice.mixed(table, number, zip(row["commitments"], row["numbers"], strict=True))
        assert mix.hex() == row["input"]
    assert list(fair_dice.drawn(secret, mix, faces, row["throw"])) == row["fell"]


def test_words_are_thrown_away_and_numbers_are_missing_in_some_throws() -> None:
    throws = rows("dice", "throws")
    assert {row["protocol"] for row in throws if row["rejected"]} == {1, 2}
    numbers = [row["numbers"] for row in throws if row["protocol"] == 2]
    assert [] in numbers
    assert any("" in shown for shown in numbers)
    assert any(shown and set(shown) == {""} for shown in numbers)


@pytest.mark.parametrize("row", rows("dice", "numbers"), ids=lambda row: row["table"])
def test_a_players_number(row: Plain) -> None:
    number = bytes.fromhex(row["number"])
    assert fair_dice.number_commitment(row["table"], row["round"], number) == row["commitment"]


@pytest.mark.parametrize("row", RECORDS, ids=named)
def test_a_record(row: Plain) -> None:
    verdict = verify_dice(lines_of(row))
    faults = {finding.fault for finding in verdict.findings}
    assert faults >= set(row["faults"])
    assert (not faults) == row["good"], verdict.findings
    if row["good"]:
        assert [list(throw) for throw in verdict.throws] == row["throws"]
        assert (verdict.numbers.put_in, verdict.numbers.missing) == (row["numbers"], row["missing"])


@pytest.mark.parametrize("row", [row for row in RECORDS if row["short"]], ids=named)
def test_a_record_by_the_short_program(row: Plain, tmp_path: Path) -> None:
    done = run("electronic-dice.md", tmp_path, file_of(row))
    assert (done.returncode == 0) == row["good"], done.stdout + done.stderr


# -- receipts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", rows("receipts", "receipts"), ids=named)
def test_a_receipt(row: Plain) -> None:
    (receipt,) = read_receipts(receipts_file(row["receipt"]))
    assert is_signed(receipt) == (row["fault"] != "signature")
    wrong = list(contradictions([receipt], vectors("receipts")["key"]))
    assert (not wrong) == row["good"]


def is_a_signed_receipt(line: bytes) -> bool:
    try:
        (receipt,) = read_receipts(line)
    except ValueError:
        return False
    return is_signed(receipt)


@pytest.mark.parametrize("row", rows("receipts", "malformed"), ids=named)
def test_what_is_no_receipt(row: Plain) -> None:
    assert not is_a_signed_receipt(row["line"].encode() + b"\n")


@pytest.mark.parametrize("row", rows("receipts", "against"), ids=named)
def test_a_receipt_against_a_record(row: Plain) -> None:
    record = compared_record()
    lines = [json.loads(line) for line in record["lines"]]
    hashes = {(lines[0]["stream"], line["version"]): line["hash"] for line in lines[1:-1]}
    receipts = read_receipts(receipts_file(row["receipt"]))
    found = held_against(
        receipts,
        lambda stream, version: hashes.get((stream, version)),
        lambda stream: len(hashes) if stream == lines[0]["stream"] else 0,
        vectors("receipts")["key"],
    )
    assert (not found) == row["good"]


@pytest.mark.parametrize("row", rows("receipts", "pairs"), ids=named)
def test_two_receipts(row: Plain) -> None:
    one, other = read_receipts(receipts_file(*row["receipts"]))
    convicts = [wrong for wrong in contradictions([one, other]) if wrong.sentence == two_pasts(one, other)]
    assert bool(convicts) == row["convicts"]


@pytest.mark.parametrize("row", rows("receipts", "receipts"), ids=named)
def test_a_receipt_by_the_short_program(row: Plain, tmp_path: Path) -> None:
    done = run("checking.md", tmp_path, receipts_file(row["receipt"]), alone=False)
    assert (done.returncode == 0) == (row["fault"] != "signature"), done.stderr


@pytest.mark.parametrize("row", rows("receipts", "against"), ids=named)
def test_a_receipt_against_a_record_by_the_short_program(row: Plain, tmp_path: Path) -> None:
    files = (receipts_file(row["receipt"]), file_of(compared_record()))
    done = run("checking.md", tmp_path, *files, alone=False)
    assert (done.returncode == 0) == (row["fault"] in (None, "other_stream")), done.stderr
    assert "Traceback" not in done.stderr


# The short program takes for granted that all receipts are of one house, and says so.
@pytest.mark.parametrize("row", [row for row in rows("receipts", "pairs") if row["name"] != "another key"], ids=named)
def test_two_receipts_by_the_short_program(row: Plain, tmp_path: Path) -> None:
    done = run("checking.md", tmp_path, receipts_file(*row["receipts"]), alone=False)
    assert (done.returncode == 0) != row["convicts"], done.stderr


# -- prize draws ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", DRAWS, ids=named)
def test_a_draw(row: Plain) -> None:
    verdict = verify_draw(lines_of(row))
    assert ([] if verdict.finding is None else [verdict.finding.fault]) == row["faults"]
    if row["good"]:
        assert {str(prize): draw.number for prize, draw in verdict.holders.items()} == row["holders"]


@pytest.mark.parametrize("row", [row for row in DRAWS if row["short"]], ids=named)
def test_a_draw_by_the_short_program(row: Plain, tmp_path: Path) -> None:
    done = run("draws.md", tmp_path, file_of(row))
    assert (done.returncode == 0) == row["good"], done.stdout + done.stderr
