"""Prize draws: exactly fair, the same for everyone who repeats them, and no change goes unnoticed."""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cli.main import main
from croupier.prizes.draw_verification import FAULTS, RecordError, verify_draw
from croupier.prizes.public_draw import (
    MOST,
    MOST_DRAWN_AT_ONCE,
    Announcement,
    Draw,
    DrawEntry,
    GivenUp,
    Passed,
    Wheel,
    commitment,
    drawn,
    entries_digest,
    holders,
    numbers,
    pseudonym,
    public_record,
    ticket,
)

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "draws.md"
EXAMPLE = DOCS / "examples" / "prize-draw.jsonl"

SECRET = bytes(range(32))
PROMOTION = "harbour-2026"
PRIZES = ("a car", "a weekend in Orange", "a hamper")
ENTRIES = 12
GIVEN_UP = (GivenUp(2), GivenUp(4, "denied"), GivenUp(5, "declined"))  # two reserves, then a further draw


def announce(
    prizes: Sequence[str] = PRIZES, reserves: int = 2, one_prize_each: bool = True, secret: bytes = SECRET
) -> Announcement:
    return Announcement(PROMOTION, commitment(PROMOTION, secret), tuple(prizes), reserves, one_prize_each)


def entered(weights: Sequence[int], entrants: int | None = None) -> list[DrawEntry]:
    """An entry for each weight, by this many entrants in turn."""
    several = entrants or len(weights)
    return [DrawEntry(number, f"p{number % several:05}", weight) for number, weight in enumerate(weights, 1)]


@cache
def honest() -> tuple[bytes, ...]:
    entries = entered([1 + number % 5 for number in range(ENTRIES)], 8)
    return tuple(public_record(announce(), entries, SECRET, GIVEN_UP))


def draws_of(results: Sequence[Draw | Passed]) -> list[Draw]:
    return [each for each in results if isinstance(each, Draw)]


def fault(lines: Sequence[bytes], seen: Sequence[str] = ()) -> str | None:
    found = verify_draw(lines, seen).finding
    return None if found is None else found.fault


# -- the selection is exact -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weights", [(1,), (1, 1), (1, 2, 3), (5, 1, 1, 9), (4, 4), (7, 0, 2), (1, 1, 1, 1, 1, 1, 1)])
def test_of_all_numbers_each_entry_gets_exactly_its_weight_and_the_rest_is_thrown_away(weights: Sequence[int]) -> None:
    wheel = Wheel(weights)
    space = 2 ** wheel.total.bit_length()
    won: Counter[int] = Counter()
    rejected = 0
    for number in range(space):
        taken = ticket(iter((number, 0)), wheel.total)
        if number < wheel.total:
            won[wheel.holder(taken)] += 1
        else:
            rejected += 1
            assert taken == 0, "a number that is no ticket leaves the decision to the next one"
    assert [won[place] for place in range(len(weights))] == list(weights)
    assert rejected == space - sum(weights)


def test_without_replacement_every_order_has_exactly_its_chance() -> None:
    """All tickets of all three draws: the number of ways to an order follows, step by step, from the weights that
    are left."""
    weights = (1, 2, 4)
    for order in itertools.permutations(range(3)):
        chance, left = Fraction(1), sum(weights)
        wheel = Wheel(weights)
        for place in order:
            hits = sum(wheel.holder(number) == place for number in range(wheel.total))
            chance *= Fraction(hits, wheel.total)
            assert wheel.total == left
            left -= weights[place]
            wheel.take_out(place)
        wanted = Fraction(1)
        for step, place in enumerate(order):
            wanted *= Fraction(weights[place], sum(weights[each] for each in order[step:]))
        assert chance == wanted
        assert wheel.total == 0


@given(st.lists(st.integers(1, 2**53), min_size=1, max_size=40), st.data())
def test_the_wheel_agrees_with_counting_tickets_one_entry_after_the_other(
    weights: list[int], data: st.DataObject
) -> None:
    wheel, left = Wheel(weights), list(weights)
    for _ in range(data.draw(st.integers(1, len(weights)))):
        number = data.draw(st.integers(0, wheel.total - 1))
        found = wheel.holder(number)
        before = sum(left[:found])
        assert before <= number < before + left[found]
        left[found] = 0
        wheel.take_out(found)
        assert wheel.total == sum(left)


@pytest.mark.parametrize("bits", [1, 7, 64, 65, 256])
def test_numbers_have_as_many_bits_as_were_asked_for(bits: int) -> None:
    some = list(itertools.islice(numbers(SECRET, "ab" * 32, 1, bits), 200))
    assert max(some) < 2**bits
    assert max(some).bit_length() == bits
    assert len(set(some)) > 1


def test_numbers_that_are_no_tickets_do_turn_up_in_real_draws() -> None:
    """Just above a power of two nearly half of them are rejected."""
    digest, total = "ab" * 32, 2**20 + 1
    attempts = [next(i for i, n in enumerate(numbers(SECRET, digest, draw, 21)) if n < total) for draw in range(1, 60)]
    assert max(attempts) > 2
    assert attempts.count(0) < 45


def test_many_draws_look_as_they_should() -> None:
    """The secrets are fixed, so the result is the same every time. The bound is wide: it finds a mistake, not bad
    luck."""
    weights, rounds = (1, 2, 3, 4, 5, 6), 4000
    entries, won = entered(weights), Counter[int]()
    for seed in range(rounds):
        secret = sha256(str(seed).encode()).digest()
        (first,) = draws_of(drawn(secret, announce(("one",), 0, secret=secret), entries))
        assert first.number is not None
        won[first.number] += 1
    expected = [rounds * weight / sum(weights) for weight in weights]
    square = sum((won[number] - each) ** 2 / each for number, each in enumerate(expected, 1))
    print(f"chi-square of {rounds} draws, 5 degrees of freedom: {square:.2f}; {dict(sorted(won.items()))}")
    assert square < 40


# -- golden values ----------------------------------------------------------------------------------------------------


def test_golden_values() -> None:
    """Every later version must reproduce what was published once."""
    announced, entries = announce(), entered([3, 1, 4, 1, 5, 9, 2, 6], 5)
    assert announced.commitment == "970ad66d877c09ea4c1ed99505591f612f3b7b31de9fbfa5137fd0f2f26fffd4"
    assert entries_digest(announced, entries) == "eeccdace753813e20590d3dfdf05b29a7952e5173fba375da9df128658bff42a"
    assert [each.number for each in draws_of(drawn(SECRET, announced, entries))] == [5, 7, 8, 6, 4]
    assert pseudonym(SECRET, PROMOTION, "ann") == "b65586c1bb9dbc760de07cbfa7af89d4"
    assert (
        sha256(b"".join(public_record(announced, entries, SECRET, GIVEN_UP))).hexdigest()
        == "016c520e98a7a845491410d7bb68289981e0c7ae7e66e09657d3409172aa9c49"
    )


def test_commitment_and_names_hold_for_one_promotion_only() -> None:
    assert commitment("a", SECRET) != commitment("b", SECRET)
    assert len({pseudonym(SECRET, promotion, who) for promotion in "ab" for who in ("ann", "ben")}) == 4
    assert re.fullmatch(r"[0-9a-f]{32}", pseudonym(SECRET, "a", "ann"))


# -- the course of a draw ---------------------------------------------------------------------------------------------


def test_nobody_wins_twice_where_each_gets_one_prize() -> None:
    entries = entered([1] * 40, 10)
    results = draws_of(drawn(SECRET, announce(["prize"] * 6, 4), entries))
    assert len({each.entrant for each in results}) == 10
    assert [each.prize for each in results] == [1, 2, 3, 4, 5, 6, None, None, None, None]


def test_somebody_may_win_twice_where_the_promotion_says_so_but_no_entry_does() -> None:
    entries = entered([1] * 40, 2)
    results = draws_of(drawn(SECRET, announce(["prize"] * 40, 0, one_prize_each=False), entries))
    assert sorted(each.number or 0 for each in results) == list(range(1, 41))
    assert {each.entrant for each in results} == {"p00000", "p00001"}


@pytest.mark.parametrize("weights", [(), (2, 5)])
def test_where_no_entry_is_left_a_draw_falls_on_nobody(weights: Sequence[int]) -> None:
    lines = list(public_record(announce(), entered(weights), SECRET))
    verdict = verify_draw(lines)
    assert verdict.finding is None
    assert [each.number is None for each in draws_of(verdict.results)] == [i >= len(weights) for i in range(5)]
    with pytest.raises(ValueError, match="Draw 3 holds no prize"):
        drawn(SECRET, announce(), entered(weights), [GivenUp(3)])


def test_a_prize_given_up_goes_to_the_reserves_in_their_order_and_then_to_a_further_draw() -> None:
    entries = entered([1] * 30)
    results = drawn(SECRET, announce(), entries, GIVEN_UP)
    assert [type(each).__name__ for each in results] == ["Draw"] * 5 + ["Passed"] * 3 + ["Draw"]
    assert results[5:8] == (Passed(2, 4, "unclaimed"), Passed(4, 5, "denied"), Passed(5, 6, "declined"))
    further = results[8]
    assert isinstance(further, Draw)
    assert (further.draw, further.prize) == (6, 2)
    assert {prize: draw.draw for prize, draw in holders(results).items()} == {1: 1, 2: 6, 3: 3}
    assert len({each.number for each in draws_of(results)}) == 6


def test_what_was_drawn_stays_when_more_is_drawn_later() -> None:
    entries = entered([3, 1, 4] * 10)
    first = drawn(SECRET, announce(), entries)
    for count in range(1, 4):
        assert drawn(SECRET, announce(), entries, GIVEN_UP[:count])[: len(first)] == first


@pytest.mark.parametrize("draw", [0, 2, 4, 99])
def test_a_draw_that_holds_no_prize_gives_none_up(draw: int) -> None:
    with pytest.raises(ValueError, match=f"Draw {draw} holds no prize"):
        drawn(SECRET, announce(), entered([1] * 9), [GivenUp(2), GivenUp(4), GivenUp(draw)])


@pytest.mark.parametrize(
    ("announced", "entries", "says"),
    [
        (announce(()), [], "no prize"),
        (announce((" ",)), [], "without a name"),
        (announce(("a\ncar",)), [], "without a name"),
        (announce(reserves=-1), [], "at once"),
        (announce(reserves=MOST_DRAWN_AT_ONCE), [], "at once"),
        (Announcement("no name", "0" * 64, ("car",)), [], "no id"),
        (Announcement("promo", "short", ("car",)), [], "not a hash"),
        (announce(secret=bytes(32)), [DrawEntry(1, "a", 1)], "does not match the commitment"),
        (announce(), [DrawEntry(2, "a", 1)], "Entry 1 has the number 2"),
        (announce(), [DrawEntry(1, "a b", 1)], "entrant of entry 1"),
        (announce(), [DrawEntry(1, "ann", 0)], "weight of entry 1"),
        (announce(), [DrawEntry(1, "ann", MOST + 1)], "weight of entry 1"),
    ],
)
def test_what_cannot_be_drawn_from_is_refused_in_a_sentence(
    announced: Announcement, entries: list[DrawEntry], says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        list(public_record(announced, entries, SECRET))


def test_weights_beyond_any_machine_word_are_drawn_exactly() -> None:
    entries = entered([MOST] * 3000)
    verdict = verify_draw(list(public_record(announce(), entries, SECRET)))
    assert verdict.finding is None
    assert verdict.weight == 3000 * 2**53 > 2**64


# -- the record -------------------------------------------------------------------------------------------------------


def test_the_record_can_be_published_at_every_stage_and_each_begins_like_the_one_before() -> None:
    entries = entered([1, 2, 3, 4])
    stages = [
        list(public_record(announce())),
        list(public_record(announce(), entries)),
        list(public_record(announce(), entries, SECRET)),
        list(public_record(announce(), entries, SECRET, GIVEN_UP[:1])),
    ]
    assert [verify_draw(lines).stage for lines in stages] == ["announced", "closed", "drawn", "drawn"]
    assert [fault(lines) for lines in stages] == [None] * 4
    for before, after in itertools.pairwise(stages):
        assert after[: len(before) - 1] == before[:-1]
        noted = json.loads(before[-1])["sha256"]
        assert fault(after, [noted]) is None, "the hash of an earlier publication is found in a later one"
        assert fault(before, [json.loads(after[-1])["sha256"]]) == "other_past"
    assert SECRET.hex().encode() not in b"".join(stages[1]), "a secret is not shown before it is time"


@given(st.text(min_size=1))
def test_every_prize_that_is_taken_is_written_as_json_writes_it(name: str) -> None:
    announced = announce((name,))
    try:
        first, *_ = public_record(announced)
    except ValueError:
        assert not name.strip() or not name.isprintable()
        return
    plain = json.loads(first)
    assert json.dumps(plain, separators=(",", ":"), ensure_ascii=False).encode() + b"\n" == first
    assert plain["prizes"] == [name]


# -- what a forger could do -------------------------------------------------------------------------------------------

Rows = list[dict[str, Any]]
Change = Callable[[Rows], Rows]
CLOSED, SHOWN, FIRST_DRAW = ENTRIES + 1, ENTRIES + 2, ENTRIES + 3


def sealed(rows: Rows, closed_too: bool = True) -> list[bytes]:
    """A record with its hashes and counts recomputed, as a forger would do it."""
    lines: list[bytes] = []
    for row in rows:
        if "ended" in row or ("closed" in row and closed_too):
            row = {next(iter(row)): len(lines) - ("closed" in row), "sha256": sha256(b"".join(lines)).hexdigest()}
        lines.append(json.dumps(row, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")
    return lines


def edited(place: int, **fields: object) -> Change:
    return lambda rows: [*rows[:place], {**rows[place], **fields}, *rows[place + 1 :]]


def without(place: int) -> Change:
    return lambda rows: [*rows[:place], *rows[place + 1 :]]


def inserted(place: int, **row: object) -> Change:
    return lambda rows: [*rows[:place], row, *rows[place:]]


def cut(begin: int, end: int) -> Change:
    return lambda rows: [*rows[:begin], *rows[end:]]


# What is done, whether the hash of the close is made again too, the fault, and what the verifier of the page says.
NOT_CLOSED = "not the entries that were closed"
OTHER_SECRET = "not followed by the secret that was committed to"
OTHER = "must stand where"
FORGERIES: dict[str, tuple[Change, bool, str, str]] = {
    "an entry weighs more": (edited(3, weight=99), False, "altered", NOT_CLOSED),
    "an entry weighs more, and the close says so": (edited(3, weight=10**9), True, "other_winner", OTHER),
    "an entry is somebody else's": (edited(3, entrant="friend"), False, "altered", NOT_CLOSED),
    "an entry weighs nothing": (edited(3, weight=0), True, "altered", NOT_CLOSED),
    "an entry is left out": (without(4), True, "missing", NOT_CLOSED),
    "the last entry is left out": (without(ENTRIES), False, "missing", NOT_CLOSED),
    "an entry comes twice": (inserted(5, number=4, entrant="p00004", weight=4), True, "added", NOT_CLOSED),
    "an entry is added": (inserted(13, number=13, entrant="friend", weight=9), False, "added", NOT_CLOSED),
    "an entry comes after the close": (
        inserted(14, number=13, entrant="x", weight=9),
        True,
        "late_entry",
        OTHER_SECRET,
    ),
    "a prize is announced anew": (edited(0, prizes=["a van", *PRIZES[1:]]), False, "altered", NOT_CLOSED),
    "each may win more than once after all": (edited(0, one_prize_each=False), False, "altered", NOT_CLOSED),
    "another commitment": (edited(0, commitment="ab" * 32), True, "other_secret", OTHER_SECRET),
    "another secret": (edited(SHOWN, secret="ab" * 32), True, "other_secret", OTHER_SECRET),
    "no secret": (without(SHOWN), True, "out_of_place", OTHER_SECRET),
    "a secret of another length": (edited(SHOWN, secret="ab"), True, "other_secret", OTHER_SECRET),
    "two secrets": (inserted(FIRST_DRAW, secret="ab" * 32), True, "redrawn", OTHER),
    "the secret before the close": (inserted(CLOSED, secret="ab" * 32), True, "out_of_place", NOT_CLOSED),
    "no close": (without(CLOSED), True, "out_of_place", NOT_CLOSED),
    "closed twice": (inserted(CLOSED, closed=12, sha256=""), True, "added", OTHER_SECRET),
    "another winner": (edited(FIRST_DRAW, number=1, entrant="p00001"), True, "other_winner", OTHER),
    "another name for the winner": (edited(FIRST_DRAW, entrant="friend"), True, "other_winner", OTHER),
    "no winner": (edited(FIRST_DRAW, number=None, entrant=None), True, "other_winner", OTHER),
    "another prize": (edited(FIRST_DRAW, prize=2), True, "other_prize", OTHER),
    "a draw is left out": (without(FIRST_DRAW + 1), True, "skipped", OTHER),
    "the last reserve is left out": (without(FIRST_DRAW + 4), True, "skipped", OTHER),
    "the draws end early": (cut(FIRST_DRAW + 3, -1), True, "skipped", "draw 4 was not made"),
    "nothing is drawn": (cut(FIRST_DRAW, -1), True, "skipped", "draw 1 was not made"),
    "a further draw is left out": (without(-2), True, "skipped", "draw 6 was not made"),
    "drawn twice": (lambda rows: [*rows[:16], rows[15], *rows[16:]], True, "redrawn", OTHER),
    "drawn once more": (inserted(20, draw=6, prize=None, number=1, entrant="p00001"), True, "redrawn", OTHER),
    "a prize is passed on that was not held": (edited(20, passed=4), True, "redrawn", OTHER),
    "a reserve is passed over": (edited(20, to=5), True, "skipped", OTHER),
    "a line after the end": (lambda rows: [*rows, rows[-1]], True, "added", OTHER),
    "a line of another kind": (inserted(20, note="all is well"), True, "altered", OTHER),
}


def forged(name: str) -> list[bytes]:
    change, closed_too, _, _ = FORGERIES[name]
    return sealed(change([json.loads(line) for line in honest()]), closed_too)


def test_the_forger_of_these_tests_changes_nothing_by_itself() -> None:
    assert tuple(sealed([json.loads(line) for line in honest()])) == honest()
    assert verify_draw(honest()).finding is None


@pytest.mark.parametrize("name", FORGERIES)
def test_what_a_forger_did_is_named(name: str) -> None:
    verdict = verify_draw(forged(name))
    assert verdict.finding is not None
    assert verdict.finding.fault == FORGERIES[name][2], verdict.finding
    assert verdict.finding.sentence.endswith(".")


def test_every_fault_turns_up_and_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert {fault for _, _, fault, _ in FORGERIES.values()} | {"other_past"} == set(FAULTS)
    assert [fault for fault, says in FAULTS.items() if f"| `{fault}` | {says} |" not in text] == []


def test_a_whole_new_past_is_found_by_a_hash_that_somebody_noted() -> None:
    """A house that adds an entry and draws again has a consistent record; only what was known before reveals it."""
    entries = [*entered([1 + number % 5 for number in range(ENTRIES)], 8), DrawEntry(ENTRIES + 1, "friend", 10**9)]
    anew = list(public_record(announce(), entries, SECRET, GIVEN_UP))
    noted = json.loads(honest()[CLOSED])["sha256"]
    assert fault(anew) is None
    assert fault(honest(), [noted]) is None
    assert fault(anew, [noted]) == "other_past"


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (edited(1, weight=2), CLOSED + 1),
        (without(4), 5),
        (edited(SHOWN, secret="ab" * 32), SHOWN + 1),
        (without(FIRST_DRAW + 4), FIRST_DRAW + 5),
        (cut(FIRST_DRAW + 3, -1), FIRST_DRAW + 4),
    ],
)
def test_the_very_first_line_that_is_wrong_is_named(change: Change, line: int) -> None:
    finding = verify_draw(sealed(change([json.loads(each) for each in honest()]), closed_too=False)).finding
    assert finding is not None
    assert finding.line == line


@pytest.mark.parametrize(
    ("old", "new"),
    [(b'"weight":1}', b'"weight": 1}'), (b'"weight":1}', b'"weight":9,"weight":1}'), (b'"p00001"', b'"\\u007000001"')],
    ids=["a blank", "a field twice", "an escape"],
)
def test_a_line_in_other_words_is_found_even_if_every_hash_is_made_anew(old: bytes, new: bytes) -> None:
    """JSON parsers may disagree about such lines, so only one way to write each line is accepted."""
    first, second, *_ = public_record(announce(("one",), 0), [DrawEntry(1, "p00001", 1)])
    told = [first, second.replace(old, new)]
    told.append(b'{"closed":1,"sha256":"%s"}\n' % sha256(b"".join(told)).hexdigest().encode())
    told.append(b'{"ended":3,"sha256":"%s"}\n' % sha256(b"".join(told)).hexdigest().encode())
    assert told[1] != second
    finding = verify_draw(told).finding
    assert finding is not None
    assert (finding.fault, finding.line) == ("altered", 2)


@pytest.mark.parametrize(("count", "found"), [(23, "added"), (25, "missing")])
def test_a_last_line_that_counts_wrongly_is_found(count: int, found: str) -> None:
    assert fault([*honest()[:-1], honest()[-1].replace(b'"ended":24', b'"ended":%d' % count)]) == found


def test_a_reason_that_is_none_and_a_name_that_is_none_are_found() -> None:
    rows = [json.loads(line) for line in honest()]
    assert fault(sealed(edited(20, because="no reason")(rows))) == "altered"
    assert fault(sealed(edited(FIRST_DRAW, entrant="\x1b[31mred")(rows))) == "altered"


@pytest.mark.parametrize(
    "line",
    [
        b"{}\n",
        b"\n",
        b"what\n",
        b"\xff\xfe\n",
        b'{"draw":1}\n',
        b"[" * 100_000 + b"\n",
        b'{"draw":' + b"[" * 100_000 + b"\n",
    ],
    ids=["empty", "blank", "words", "bytes", "half", "deep", "deep draw"],
)
def test_a_line_of_rubbish_is_found(line: bytes) -> None:
    assert fault([*honest()[:16], line, *honest()[16:]]) == "altered"


@pytest.mark.parametrize(
    ("first", "says"),
    [
        (b"", "not a public record"),
        (b"\x00\xff", "not a public record"),
        (b"[]\n", "not a public record"),
        (b'{"record":"croupier public record","format":1}\n', "not a public record"),
        (honest()[0].replace(b'"format":1', b'"format":2'), "another format"),
        (honest()[0].replace(b'"reserves":2', b'"reserves":"2"'), "does not say what is drawn"),
        (honest()[0].replace(b'"reserves":2', b'"reserves":9007199254740992'), "at once"),
        (honest()[0].replace(b'["a car",', b'["",'), "without a name"),
    ],
)
def test_what_is_no_record_at_all_is_said_in_a_sentence(first: bytes, says: str) -> None:
    with pytest.raises(RecordError, match=says):
        verify_draw([first, *honest()[1:]] if first else [])


def test_a_first_line_in_other_words_is_no_longer_the_same() -> None:
    spaced = honest()[0].replace(b'"format":1', b'"format": 1')
    assert fault([spaced, *honest()[1:]]) == "altered"


# -- the page ---------------------------------------------------------------------------------------------------------


@cache
def page_verifier() -> str:
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return str(code)


def by_the_page(lines: Sequence[bytes], folder: Path) -> subprocess.CompletedProcess[str]:
    """The verifier of the page, in a Python that has nothing but its standard library."""
    (folder / "verifier.py").write_text(page_verifier(), encoding="utf-8")
    (folder / "record.jsonl").write_bytes(b"".join(lines))
    command = [sys.executable, "-I", "-S", "verifier.py", "record.jsonl"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def test_the_verifier_of_the_page_is_short_and_needs_nothing() -> None:
    code = page_verifier()
    assert len([line for line in code.splitlines() if line]) <= 30
    assert max(map(len, code.splitlines())) <= 120
    assert re.findall(r"^ *(?:import|from) (.*)$", code, re.MULTILINE) == [
        "bisect, hashlib, hmac, itertools, json, sys"
    ]


@pytest.mark.parametrize("name", FORGERIES)
def test_the_verifier_of_the_page_finds_what_a_forger_did(name: str, tmp_path: Path) -> None:
    done = by_the_page(forged(name), tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Verification failed: ")
    assert FORGERIES[name][3] in done.stderr


def test_the_verifier_of_the_page_agrees_with_an_honest_record(tmp_path: Path) -> None:
    done = by_the_page(honest(), tmp_path)
    noted = json.loads(honest()[CLOSED])["sha256"]
    assert done.stdout == f"12 entries and 6 draws are in order. The entries were closed with {noted}.\n", done.stderr


@pytest.mark.parametrize("weights", [(), (3,), (1, 1)])
def test_the_verifier_of_the_page_agrees_where_no_entry_is_left(weights: Sequence[int], tmp_path: Path) -> None:
    done = by_the_page(list(public_record(announce(), entered(weights), SECRET)), tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_verifier_of_the_page_says_that_nothing_is_drawn_yet(tmp_path: Path) -> None:
    done = by_the_page(list(public_record(announce(), entered([1, 2]))), tmp_path)
    assert (done.returncode, OTHER_SECRET in done.stderr) == (1, True)


HUNDRED_THOUSAND = 100_000


@cache
def large() -> tuple[bytes, ...]:
    """Weights from 1 to 10⁹, and some so large that their sum exceeds 2⁶⁴."""
    weights = [MOST if number % 40 == 0 else 1 + number * 7919 % 10**9 for number in range(HUNDRED_THOUSAND)]
    return tuple(public_record(announce(reserves=4), entered(weights, 40_000), SECRET, GIVEN_UP))


def test_the_verifier_of_the_page_repeats_a_draw_of_100_000_entries(tmp_path: Path) -> None:
    verdict = verify_draw(large())
    assert verdict.finding is None
    assert (verdict.entries, verdict.entrants, verdict.weight > 2**64) == (HUNDRED_THOUSAND, 40_000, True)
    done = by_the_page(large(), tmp_path)
    assert done.stdout.startswith(f"{HUNDRED_THOUSAND} entries and 7 draws are in order."), done.stderr


@pytest.mark.parametrize("place", [1, HUNDRED_THOUSAND // 2, HUNDRED_THOUSAND, HUNDRED_THOUSAND + 4])
def test_one_line_among_100_000_that_was_altered_is_found_by_both(place: int, tmp_path: Path) -> None:
    lines = list(large())
    lines[place] = re.sub(rb'"number":\d+,"entrant":"p\d', b'"number":77,"entrant":"q0', lines[place])
    assert lines[place] != large()[place]
    assert fault(lines) is not None
    assert by_the_page(lines, tmp_path).returncode == 1


def refused_in_process(lines: Sequence[bytes], folder: Path) -> bool:
    """The same for many records without a new process for each: whether the verifier refuses, in whatever way."""
    file = folder / "record.jsonl"
    file.write_bytes(b"".join(lines))
    with contextlib.redirect_stdout(io.StringIO()), file.open("rb") as opened, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["verifier.py", str(file)])
        try:
            exec(compile(page_verifier(), "verifier.py", "exec"), {"open": lambda *_: opened})
        except (Exception, SystemExit):
            return True
    return False


# -- whatever else may be done to it ----------------------------------------------------------------------------------


@st.composite
def tampered(draw: st.DrawFn) -> list[bytes]:
    """An honest record with a byte changed, or with a line removed, doubled, moved or taken from another record."""
    lines = list(honest())
    place = draw(st.integers(0, len(lines) - 1))
    kind = draw(st.sampled_from(["byte", "left out", "doubled", "moved", "cut off", "brought in"]))
    if kind == "byte":
        at = draw(st.integers(0, len(lines[place]) - 2))
        other = draw(st.integers(0, 255).filter(lambda byte: byte != lines[place][at]))
        lines[place] = lines[place][:at] + bytes([other]) + lines[place][at + 1 :]
    elif kind == "left out":
        del lines[place]
    elif kind == "doubled":
        lines.insert(place, lines[place])
    elif kind == "moved":
        lines.insert(draw(st.integers(0, len(lines) - 2).filter(lambda to: to != place)), lines.pop(place))
    elif kind == "cut off":
        del lines[place:]
    else:
        secret = bytes(32)
        others = list(public_record(announce(secret=secret), entered([5] * ENTRIES, 8), secret, GIVEN_UP))
        lines[place] = others[place]
    return lines


@settings(max_examples=300, deadline=None)
@given(tampered())
def test_whatever_is_done_to_a_record_is_found(tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]) -> None:
    if lines == list(honest()):
        return  # a line brought in that is the same in both
    with contextlib.suppress(RecordError):
        assert verify_draw(lines).finding is not None
    assert refused_in_process(lines, tmp_path_factory.getbasetemp())


@st.composite
def promotions(draw: st.DrawFn) -> tuple[bytes, Announcement, list[DrawEntry], list[GivenUp]]:
    secret = draw(st.binary(min_size=32, max_size=32))
    prizes = draw(st.integers(1, 4))
    announced = announce(["prize"] * prizes, draw(st.integers(0, 3)), draw(st.booleans()), secret)
    weights = draw(st.lists(st.integers(1, 5) | st.integers(1, MOST), max_size=12))
    entries = entered(weights, draw(st.integers(1, 12)))
    given_up: list[GivenUp] = []
    for _ in range(draw(st.integers(0, 4))):
        held = [each.draw for each in holders(drawn(secret, announced, entries, given_up)).values() if each.number]
        if held:
            given_up.append(GivenUp(draw(st.sampled_from(held)), draw(st.sampled_from(["unclaimed", "denied"]))))
    return secret, announced, entries, given_up


@settings(max_examples=150, deadline=None)
@given(promotions())
def test_any_honest_draw_is_found_in_order_by_both(
    tmp_path_factory: pytest.TempPathFactory, promotion: tuple[bytes, Announcement, list[DrawEntry], list[GivenUp]]
) -> None:
    secret, announced, entries, given_up = promotion
    lines = list(public_record(announced, entries, secret, given_up))
    verdict = verify_draw(lines)
    assert verdict.finding is None
    assert verdict.results == drawn(secret, announced, entries, given_up)
    assert len(verdict.holders) == len(announced.prizes)
    won = [each.number for each in draws_of(verdict.results) if each.number is not None]
    assert len(set(won)) == len(won), "an entry is drawn once at most"
    if announced.one_prize_each:
        assert len({entries[number - 1].entrant for number in won}) == len(won)
    assert not refused_in_process(lines, tmp_path_factory.getbasetemp())


# -- the command and the example --------------------------------------------------------------------------------------

EXAMPLE_SECRET = sha256(b"an example shows its secret to everybody").digest()
EXAMPLE_KEY = sha256(b"the key to the names is another one").digest()


def example() -> Iterator[bytes]:
    """The record of the page."""
    people = {"ann": (3, 2), "ben": (1,), "cleo": (6, 1, 1), "dora": (2,), "emil": (4,), "fay": (1, 5)}
    entries = [
        DrawEntry(number, pseudonym(EXAMPLE_KEY, PROMOTION, who), weight)
        for number, (who, weight) in enumerate(((who, each) for who, some in people.items() for each in some), 1)
    ]
    return public_record(announce(reserves=1, secret=EXAMPLE_SECRET), entries, EXAMPLE_SECRET, [GivenUp(1)])


def test_the_record_of_the_page_is_the_one_made_today(tmp_path: Path) -> None:
    with EXAMPLE.open("rb") as lines:
        assert list(lines) == list(example())
    assert by_the_page(list(example()), tmp_path).stdout in PAGE.read_text(encoding="utf-8")


Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Typed:
    """Run `croupier verify-draw` with a file of these lines; return the exit status and the output."""

    def run(lines: Sequence[bytes], *words: str) -> tuple[int, str, str]:
        file = tmp_path / "record.jsonl"
        file.write_bytes(b"".join(lines))
        status = main(["verify-draw", str(file), *words])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


def test_command_says_what_was_drawn(typed: Typed) -> None:
    status, out, err = typed(honest())
    assert (status, err) == (0, "")
    assert "to draw    3 prizes, 2 reserves, one prize each\n" in out
    assert "entries    12 entries of 8 entrants, weight " in out
    assert "All is well: every draw follows" in out
    assert re.search(r"prize 2, a weekend in Orange: entry \d+ of p\d+, to whom it was passed on \(draw\s+6\)", out)


def test_command_says_how_far_things_have_come(typed: Typed) -> None:
    assert "not closed yet" in " ".join(typed(list(public_record(announce())))[1].split())
    status, out, _ = typed(list(public_record(announce(reserves=1, one_prize_each=False), entered([2]))))
    assert (status, "Nothing is drawn yet." in out) == (0, True)
    assert "3 prizes, 1 reserve, several prizes for one entrant" in out
    assert "1 entry of 1 entrant, weight 2" in out
    assert "no winner, as no entry was left" in typed(list(public_record(announce(), (), SECRET)))[1]


def test_command_says_what_was_found(typed: Typed) -> None:
    status, out, _ = typed(forged("another winner"))
    assert status == 1
    assert "- line 16 (other_winner): Draw 1 must select entry" in out
    assert "All is well" not in out


def test_command_prints_json(typed: Typed) -> None:
    status, out, _ = typed(honest(), "--json")
    told = json.loads(out)
    assert (status, told["ok"], told["stage"], told["entries"]) == (0, True, "drawn", ENTRIES)
    assert [(each["prize"], each["name"], each["draw"]) for each in told["winners"]] == list(
        zip((1, 2, 3), PRIZES, (1, 6, 3), strict=True)
    )
    status, out, _ = typed(forged("two secrets"), "--json")
    told = json.loads(out)
    assert (status, told["ok"], told["finding"]["fault"], told["finding"]["line"]) == (1, False, "redrawn", 16)


def test_command_looks_for_a_hash_that_was_noted(typed: Typed) -> None:
    assert typed(honest(), "--seen", json.loads(honest()[CLOSED])["sha256"])[0] == 0
    status, out, _ = typed(honest(), "--seen", bytes(32).hex())
    assert (status, "the record (other_past)" in out) == (1, True)
    status, _, err = typed(honest(), "--seen", "12")
    assert (status, "64 hexadecimal digits" in err) == (2, True)


def test_command_says_in_a_sentence_what_cannot_be_read(
    typed: Typed, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, out, err = typed([b"rubbish\n"])
    assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert "not a public record of a prize draw" in err
    assert main(["verify-draw", str(tmp_path / "none.jsonl")]) == 2
    assert main(["verify-draw", str(tmp_path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_command_says_that_it_was_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert main(["verify-draw", "-"]) == 2
    assert capsys.readouterr().err.startswith("croupier: standard input: This is not a public record")


def test_nothing_personal_is_in_a_record() -> None:
    """The names of accounts go in; only pseudonyms come out."""
    record = b"".join(example())
    assert [who for who in ("ann", "ben", "cleo", "dora", "emil", "fay") if f'"{who}"'.encode() in record] == []
    fields = set().union(*(json.loads(line) for line in example() if b'"weight"' in line))
    assert fields == {"number", "entrant", "weight"} == set(msgspec.structs.asdict(DrawEntry(1, "a", 1)))
