"""Are the dice fair? The probabilities against published tables and full enumeration, the records, and the output."""

from __future__ import annotations

import argparse
import io
import json
import math
import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby, pairwise, permutations, product
from pathlib import Path

import pytest

from croupier.cli.fairness import add_fairness, show_fairness
from croupier.maths.fairness import Fairness, judge_throws, statistics, verdict
from croupier.maths.fairness.questions import (
    alike,
    correlation,
    face_tests,
    outcomes,
    pairs,
    serial,
    side_runs,
    standard_square,
    totals,
    transitions,
)
from croupier.maths.fairness.statistics import (
    FairnessTest,
    LeftOut,
    RunBias,
    ThrowSample,
    binomial_chance,
    chi_square_tail,
    critical_value,
    equal_cells_chance,
    holm,
    long_run_chance,
    noncentral_tail,
    noncentrality_found,
    runs_chance,
    runs_moments,
    share,
)
from croupier.maths.fairness.throws import COINS, DICE, ThrowKind, ThrowRecord, ThrowsError, read_throws
from croupier.pipe import Pipe
from croupier.rules.outcomes import Faces
from croupier.rules.schema import ThrowRules
from croupier.table import events
from tests.tables import SHELF

TWO_DICE, THREE_DICE, ONE_DIE, TWO_COINS = (
    ThrowKind(DICE, 2),
    ThrowKind(DICE, 3),
    ThrowKind(DICE, 1),
    ThrowKind(COINS, 2),
)


def fair_throws(kind: ThrowKind, count: int, seed: int) -> tuple[Faces, ...]:
    rng = random.Random(seed)
    return tuple(tuple(rng.choice(kind.faces) for _ in range(kind.count)) for _ in range(count))


def sample_of(kind: ThrowKind, throws: Sequence[Faces]) -> ThrowSample:
    return ThrowSample(ThrowRecord(kind, tuple(throws)))


def answered(made: FairnessTest | LeftOut) -> FairnessTest:
    assert isinstance(made, FairnessTest), made
    return made


def found(fairness: Fairness) -> dict[str, float]:
    return {finding.test.name: finding.adjusted for finding in fairness.findings}


# -- chances, against published tables --------------------------------------------------------------------------------

# Upper points of the chi-square distribution as printed in every statistical table.
CRITICAL = [
    (1, 0.05, 3.841), (1, 0.01, 6.635), (2, 0.05, 5.991), (3, 0.001, 16.266), (4, 0.10, 7.779), (5, 0.05, 11.0705),
    (5, 0.01, 15.086), (10, 0.05, 18.3070), (10, 0.95, 3.940), (15, 0.05, 24.996), (20, 0.05, 31.410),
    (25, 0.05, 37.652), (30, 0.01, 50.892), (35, 0.05, 49.802), (100, 0.05, 124.342),
]  # fmt: skip


@pytest.mark.parametrize(("degrees", "level", "value"), CRITICAL)
def test_chi_square_has_the_printed_upper_points(degrees: int, level: float, value: float) -> None:
    assert critical_value(degrees, level) == pytest.approx(value, abs=6e-4)
    assert chi_square_tail(value, degrees) == pytest.approx(level, rel=1e-3)
    assert chi_square_tail(Fraction(0), degrees) == 1


# Noncentralities for a test at 5 per cent, as tabulated for the planning of samples.
NONCENTRAL = [
    (1, 0.8, 7.849), (2, 0.8, 9.635), (3, 0.8, 10.903), (5, 0.8, 12.828), (10, 0.8, 16.241),
    (1, 0.9, 10.507), (2, 0.9, 12.654), (3, 0.9, 14.171), (5, 0.9, 16.469), (10, 0.9, 20.532),
]  # fmt: skip


@pytest.mark.parametrize(("degrees", "power", "value"), NONCENTRAL)
def test_noncentralities_are_the_tabulated_ones(degrees: int, power: float, value: float) -> None:
    assert noncentrality_found(degrees, 0.05, power) == pytest.approx(value, abs=2e-3)


@pytest.mark.parametrize("noncentrality", [0.0, 0.5, 10.0, 400.0])
def test_one_degree_of_freedom_is_a_shifted_normal_squared(noncentrality: float) -> None:
    root, far = math.sqrt(3.84), math.sqrt(noncentrality)
    normal = (math.erfc((root - far) / math.sqrt(2)) + math.erfc((root + far) / math.sqrt(2))) / 2
    assert noncentral_tail(3.84, 1, noncentrality) == pytest.approx(normal, rel=1e-9)


# -- chances, against every case --------------------------------------------------------------------------------------


def as_improbable(chances: Counter[int], observed: int) -> Fraction:
    """The share of all cases whose value is as improbable as the one observed, from a plain count of cases."""
    return Fraction(sum(c for c in chances.values() if c <= chances[observed]), chances.total())


def runs_of(sequence: Sequence[object]) -> list[int]:
    return [len(list(run)) for _, run in groupby(sequence)]


@pytest.mark.parametrize("trials", [1, 2, 7, 10])
def test_heads_are_counted_as_all_sequences_give_them(trials: int) -> None:
    heads = Counter(sum(sequence) for sequence in product((0, 1), repeat=trials))
    for hits in range(trials + 1):
        assert binomial_chance(hits, trials, Fraction(1, 2)) == float(as_improbable(heads, hits))


def test_sixes_are_counted_as_all_sequences_give_them() -> None:
    sixes = Counter(sequence.count(6) for sequence in product(DICE, repeat=5))
    for hits in range(6):
        assert binomial_chance(hits, 5, Fraction(1, 6)) == float(as_improbable(sixes, hits))


@pytest.mark.parametrize(("above", "below"), [(1, 1), (1, 6), (4, 4), (5, 3), (2, 8)])
def test_runs_are_counted_as_all_arrangements_give_them(above: int, below: int) -> None:
    arrangements = set(permutations("a" * above + "b" * below)) if above + below < 9 else {
        word for word in product("ab", repeat=above + below) if word.count("a") == above
    }  # fmt: skip
    runs = Counter(len(runs_of(word)) for word in arrangements)
    for number in runs:
        assert runs_chance(above, below, number) == float(as_improbable(runs, number))
    mean, variance = runs_moments(above, below)
    assert mean == Fraction(sum(r * c for r, c in runs.items()), runs.total())
    assert variance == Fraction(sum(r * r * c for r, c in runs.items()), runs.total()) - mean**2


@pytest.mark.parametrize(("cells", "cases"), [(2, 9), (3, 6), (4, 5), (6, 4)])
def test_uneven_counts_are_as_rare_as_all_sequences_make_them(cells: int, cases: int) -> None:
    counts = [tuple(map(Counter(word).__getitem__, range(cells))) for word in product(range(cells), repeat=cases)]
    squares = Counter(sum(c * c for c in word) for word in counts)
    for word in set(counts):
        as_uneven = sum(ways for square, ways in squares.items() if square >= sum(c * c for c in word))
        assert equal_cells_chance(word) == as_uneven / cells**cases


@pytest.mark.parametrize(("trials", "chance"), [(1, Fraction(1, 2)), (10, Fraction(1, 2)), (9, Fraction(1, 3))])
def test_long_runs_are_as_rare_as_all_sequences_make_them(trials: int, chance: Fraction) -> None:
    longest: Counter[int] = Counter()
    for word in product((True, False), repeat=trials):
        weight = chance.numerator ** sum(word) * (chance.denominator - chance.numerator) ** (trials - sum(word))
        longest[max((len(list(run)) for hit, run in groupby(word) if hit), default=0)] += weight
    for length in range(trials + 2):
        wanted = sum(weight for run, weight in longest.items() if run >= length) / chance.denominator**trials
        assert long_run_chance(length, trials, float(chance)) == pytest.approx(wanted, rel=1e-12)


def test_very_long_records_are_estimated_as_they_would_be_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = [
        binomial_chance(2050, 4000, Fraction(1, 2)),
        runs_chance(2000, 1900, 2000),
        long_run_chance(16, 4900, 0.5),
    ]
    loaded = long_run_chance(16, 4900, 0.6)
    monkeypatch.setattr(statistics, "COUNTED", 1000)
    assert binomial_chance(2050, 4000, Fraction(1, 2)) == pytest.approx(counted[0], abs=0.005)
    assert runs_chance(2000, 1900, 2000) == pytest.approx(counted[1], abs=0.005)
    assert long_run_chance(16, 4900, 0.5) == pytest.approx(counted[2], rel=1e-9)
    assert long_run_chance(16, 4900, 0.6) == pytest.approx(loaded, rel=1e-9)
    assert long_run_chance(5, 4900, 0.99) == 1


def test_holm_raises_each_chance_for_those_not_yet_passed() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.5]) == [1, 1]
    assert holm([]) == []


# -- records ----------------------------------------------------------------------------------------------------------

WRITTEN = [
    "3 4", "3,4", "3, 4", "3-4", "3 – 4", "34", "[3, 4]", "[3] [4]", "(3;4)", " 3\t4 ", "3/4", "3+4", '"3","4"',
    "3 4  # a hard eight it is not", '{"do":"roll","dice":[3,4]}', '{"dice":[3,4]}', '{"faces":["3","4"]}',
    '{"type":"thrown","dice":[3,4],"call":"7"}', '{"ok":true,"events":[{"type":"thrown","dice":[3,4]}]}',
    '{"format":1,"event":{"type":"thrown","faces":[3,4]}}',
]  # fmt: skip


@pytest.mark.parametrize("line", WRITTEN)
def test_a_throw_may_be_written_in_many_ways(line: str) -> None:
    assert read_throws([line]) == ThrowRecord(TWO_DICE, ((3, 4),))


@pytest.mark.parametrize(
    "line", ["HT", "ht", "H T", "heads tails", "Head, Tail", '{"do":"spin","coins":"HT"}', "[H] [T]"]
)
def test_so_may_a_spin(line: str) -> None:
    assert read_throws([line]) == ThrowRecord(TWO_COINS, (("H", "T"),))


def test_a_record_keeps_the_order_and_mixes_all_forms() -> None:
    lines = [
        "# an evening",
        "",
        "1 1",
        '{"do":"roll","dice":[2,2]}',
        "33",
        '{"do":"bet","player":"ann"}',
        "no roll",
        "[4, 4]",
    ]
    record = read_throws(lines)
    assert record.throws == ((1, 1), (2, 2), (3, 3), (4, 4))
    assert record.voids == 1


def test_one_to_four_dice_or_coins_are_known() -> None:
    for count, name in enumerate(["one die", "two dice", "three dice", "four dice"], start=1):
        assert str(read_throws(["6" * count]).kind) == name
    assert str(read_throws(["T"]).kind) == "one coin"


@pytest.mark.parametrize(
    "header", ["time,die 1,die 2,shooter", "Time,Die1,Die2,who", "at,d1,d2,x", "t,face_1,face_2,by"]
)
def test_a_csv_file_is_read_by_the_names_of_its_columns(header: str) -> None:
    record = read_throws([header, '20:15,3,4,"ann, again"', "", "20:16,5,6,bob"])
    assert record.throws == ((3, 4), (5, 6))
    semicolons = [line.replace('"ann, again"', "ann").replace(",", ";") for line in (header, "20:15,3,4,ann")]
    assert read_throws(semicolons).throws == ((3, 4),)


def test_one_column_may_hold_the_whole_throw() -> None:
    assert read_throws(["spin,coins", "1,HT", "2,TT"]).throws == (("H", "T"), ("T", "T"))


BAD = [
    (["3 4", "7 1"], 'line 2: "7 1" is not a throw; a face is 1 to 6, or H or T'),
    (["3 4", "", "1 2 3"], "line 3: 1 2 3 is three dice, but the throws before it are of two dice"),
    (["HT", "3 4"], "line 2: 3 4 is two dice, but the throws before it are of two coins"),
    (["3 H"], 'line 1: "3 H" is not a throw of one to four dice or coins'),
    (["1 2 3 4 5"], 'line 1: "1 2 3 4 5" is not a throw of one to four dice or coins'),
    (["0 1"], 'line 1: "0 1" is not a throw; a face is 1 to 6, or H or T'),
    (["-3 4"], 'line 1: "-3 4" is not a throw; a face is 1 to 6, or H or T'),
    (["3.5 4"], 'line 1: "3.5 4" is not a throw; a face is 1 to 6, or H or T'),
    (["[]"], 'line 1: "[]" is not a throw; a face is 1 to 6, or H or T'),
    (["x" * 50], f'line 1: "{"x" * 40}…" is not a throw; a face is 1 to 6, or H or T'),
    (["3\x1b[2J"], 'line 1: "3?[2J" is not a throw; a face is 1 to 6, or H or T'),
    (["die1,die2", "3,4\r5"], 'line 2: "3,4?5" is not a row of a CSV file'),
    (['{"do":"roll"}'], "line 1: the throw does not say which faces fell"),
    (['{"do":"roll","dice":[true,4]}'], "line 1: the throw does not say which faces fell"),
    (['{"do":"roll","dice":[3,7]}', "3 4"], 'line 1: "3 7" is not a throw; a face is 1 to 6, or H or T'),
    (['{"do":"roll"'], 'line 1: "{"do":"roll"" is not JSON'),
    (['{"a":1}'], "line 1: the object is not a command, reply or event of a table"),
    (["n,die1,die2", "1,3"], 'line 2: "1,3" has fewer columns than the first line names'),
    (["3 4", "die1,die2"], 'line 2: "die1,die2" is not a throw; a face is 1 to 6, or H or T'),
    ([], "there is no throw in the record"),
    (["# nothing", "void"], "there is no throw in the record"),
]


@pytest.mark.parametrize(("lines", "sentence"), BAD, ids=[sentence for _, sentence in BAD])
def test_what_is_no_throw_is_told_with_its_line(lines: list[str], sentence: str) -> None:
    with pytest.raises(ThrowsError) as error:
        read_throws(lines)
    assert str(error.value) == sentence


def test_a_book_says_what_is_thrown() -> None:
    craps, two_up = (SHELF.book(book).rules.throw for book in ("craps-nsw-2024", "two-up-nsw-2016"))
    assert read_throws(["34"], craps).kind == TWO_DICE
    with pytest.raises(ThrowsError, match="line 1: 3 4 5 is three dice, but the book throws two dice"):
        read_throws(["345"], craps)
    with pytest.raises(ThrowsError, match='line 1: "HT" is not a throw; a face is 1 2 3 4 5 6'):
        read_throws(["HT"], craps)
    assert read_throws(["heads tails"], two_up).throws == (("H", "T"),)


def test_a_book_of_ones_own_may_throw_other_faces() -> None:
    ten = ThrowRules(faces=list(range(1, 11)), throw=2, command="roll", field="bones", clause="1")
    assert read_throws(['{"do":"roll","bones":[10,9]}', "10 1", "12"], ten).throws == ((10, 9), (10, 1), (1, 2))
    letters = ThrowRules(faces=["C", "D", "E"], throw=2, command="roll", field="dice", clause="1")
    assert read_throws(["C,D", "ce"], letters).throws == (("C", "D"), ("C", "E"))


# -- what a table says ------------------------------------------------------------------------------------------------

SIC_BO = [
    '{"do":"open","book":"sic-bo-nsw-2016"}',
    '{"do":"roll","dice":[1,2,3]}',  # before the bets are closed: void
    '{"do":"no_more_bets"}',
    '{"do":"roll","dice":[1,2,7]}',  # no face: refused
    '{"do":"roll","dice":[1,2]}',  # too few: refused
    '{"do":"roll","dice":[4,5,6]}',
    '{"do":"no_more_bets"}',
    '{"do":"void","reason":"99"}',  # no ground: refused, so there is no void throw either
    '{"do":"void","reason":"8.1"}',
    '{"do":"no_more_bets"}',
    '{"do":"roll","dice":[2,2,2]}',
]


def replies(lines: Sequence[str]) -> list[str]:
    pipe = Pipe(SHELF)
    return [pipe.answer(line.encode()).decode() for line in lines]


@pytest.fixture(scope="module")
def sic_bo() -> list[str]:
    return replies(SIC_BO)


def test_replies_tell_only_throws_that_counted(sic_bo: list[str]) -> None:
    told = [event for reply in sic_bo for event in json.loads(reply).get("events", [])]
    assert [event["type"] for event in told].count("throw_voided") == 2
    assert read_throws(sic_bo) == ThrowRecord(THREE_DICE, ((4, 5, 6), (2, 2, 2)), voids=2)


@pytest.mark.parametrize("batched", [False, True])
def test_a_command_and_its_reply_are_one_throw(sic_bo: list[str], batched: bool) -> None:
    """What the table refused or voided does not count, whoever asked for it."""
    both = [line for pair in zip(SIC_BO, sic_bo, strict=True) for line in pair]
    record = read_throws([*SIC_BO, *sic_bo] if batched else both)
    assert record == ThrowRecord(THREE_DICE, ((4, 5, 6), (2, 2, 2)), voids=2, refused=2)


def test_a_reply_to_something_else_does_not_take_a_throw_away() -> None:
    record = read_throws(['{"do":"roll","dice":[3,4]}', '{"ok":true,"events":[{"type":"thrown","dice":[5,5]}]}'])
    assert record.throws == ((3, 4), (5, 5))


def test_stored_events_are_read() -> None:
    stored: list[events.AnyEvent] = [
        events.Thrown(("H", "T"), "Odds", None, "boxer", "6.10"),
        events.ThrowVoided("7.3.1", "no spin", None, "boxer", None, 0),
        events.OutcomeInvalidated("10.5.1", "10.6"),
        events.TurnOpened("3.3"),
        events.Thrown(("T", "T"), "Tails", None, "boxer", "6.10"),
    ]
    record = read_throws(events.encode(event).decode() for event in stored)
    assert record == ThrowRecord(TWO_COINS, (("H", "T"), ("T", "T")), voids=2)


# -- one throw --------------------------------------------------------------------------------------------------------


def test_faces_of_a_worked_example() -> None:
    """Sixty throws of a die: the squared deviations from 10 add up to 106."""
    counts = {1: 8, 2: 9, 3: 19, 4: 6, 5: 8, 6: 10}
    throws = [(face,) for face, count in counts.items() for _ in range(count)]
    test = answered(next(face_tests(sample_of(ONE_DIE, throws))))
    assert (test.statistic, test.degrees, test.method) == (Fraction(53, 5), 5, "chi-square")
    assert test.p == pytest.approx(0.0599, abs=5e-5)
    assert {cell.label: cell.count for cell in test.cells} == {str(face): count for face, count in counts.items()}


def test_few_faces_are_counted_out() -> None:
    throws = [(1, 1), (1, 1), (1, 2)]
    test = answered(next(face_tests(sample_of(TWO_DICE, throws))))
    assert (test.method, test.degrees, test.p) == ("exact", None, equal_cells_chance([5, 1, 0, 0, 0, 0]))
    assert test.bias.smallest(0.05, 0.9) is None


def test_totals_expect_what_fair_dice_give() -> None:
    two, three = sample_of(TWO_DICE, [(1, 1)]).fair_scores, sample_of(THREE_DICE, [(1, 1, 1)]).fair_scores
    assert two == {total: Fraction(6 - abs(total - 7), 36) for total in range(2, 13)}
    assert (three[3], three[10], three[18]) == (Fraction(1, 216), Fraction(27, 216), Fraction(1, 216))


@pytest.mark.parametrize("count", [12, 40, 150, 400])
def test_neighbouring_totals_are_pooled_until_each_cell_expects_five(count: int) -> None:
    test = answered(totals(sample_of(TWO_DICE, fair_throws(TWO_DICE, count, 1))))
    assert sum(cell.count for cell in test.cells) == count
    assert sum(cell.expected for cell in test.cells) == count
    assert all(cell.expected >= 5 for cell in test.cells)
    assert test.degrees == len(test.cells) - 1
    labels = [cell.label for cell in test.cells]
    assert (labels[0].startswith("2"), labels[-1].endswith("12"), len(labels) == 11) == (True, True, count == 400)


def test_too_few_throws_for_totals_say_how_many_are_needed() -> None:
    assert totals(sample_of(TWO_DICE, fair_throws(TWO_DICE, 11, 1))) == LeftOut("totals", "needs at least 12 throws")


def test_doubles_and_odds_are_counted_out() -> None:
    throws: list[Faces] = [(1, 1), (2, 2), (3, 4), (5, 5)]
    doubles = answered(alike(sample_of(TWO_DICE, throws)))
    assert (doubles.name, doubles.statistic, doubles.p) == (
        "doubles",
        Fraction(3),
        binomial_chance(3, 4, Fraction(1, 6)),
    )
    odds = answered(alike(sample_of(TWO_COINS, [("H", "T"), ("T", "H"), ("H", "H")])))
    assert (odds.name, odds.statistic, odds.p) == ("odds", Fraction(2), 1.0)


def test_three_dice_are_alike_as_often_as_counted() -> None:
    test = answered(alike(sample_of(THREE_DICE, fair_throws(THREE_DICE, 216, 2))))
    assert [cell.label for cell in test.cells] == ["three alike", "a pair", "all different"]
    assert [int(cell.expected) for cell in test.cells] == [6, 90, 120]


def test_pairs_of_two_faces_are_n_times_the_square_of_the_coefficient_of_inbreeding() -> None:
    """With two faces, the chi-square of unordered pairs is n × (1 - mixed / expected mixed)²."""
    kind = ThrowKind(("A", "B"), 2)
    throws = [("A", "A")] * 50 + [("A", "B")] * 30 + [("B", "A")] * 10 + [("B", "B")] * 30
    test = answered(pairs(sample_of(kind, throws)))
    share_a = Fraction(140, 240)
    assert test.statistic == 120 * (1 - 40 / (240 * share_a * (1 - share_a))) ** 2
    assert test.degrees == 1


def test_a_loaded_face_alone_does_not_make_pairs_dependent() -> None:
    rng = random.Random(3)
    throws = [(rng.choice((1, 2, 3, 4, 5, 6, 6)), rng.choice((1, 2, 3, 4, 5, 6, 6))) for _ in range(3000)]
    sample = sample_of(TWO_DICE, throws)
    assert answered(next(face_tests(sample))).p < 1e-6
    assert answered(pairs(sample)).p > 0.05
    bound = sample_of(TWO_DICE, [(a, a if rng.random() < 0.1 else b) for a, b in fair_throws(TWO_DICE, 3000, 4)])
    assert answered(next(face_tests(bound))).p > 0.001
    assert answered(pairs(bound)).p < 1e-6


# -- the order of the dice --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [TWO_DICE, THREE_DICE, TWO_COINS], ids=str)
def test_only_the_tests_by_place_look_at_the_order_within_a_throw(kind: ThrowKind) -> None:
    throws = fair_throws(kind, 250, 5)
    by_place = {f"{kind.one} {place}" for place in (1, 2, 3)} | {"outcomes"}
    as_thrown = judge_throws(ThrowRecord(kind, throws))
    in_order = judge_throws(ThrowRecord(kind, tuple(tuple(sorted(throw)) for throw in throws)))
    left = {finding.test.name: finding.test.p for finding in as_thrown.findings}
    right = {finding.test.name: finding.test.p for finding in in_order.findings}
    assert {n: p for n, p in left.items() if n not in by_place} == {n: p for n, p in right.items() if n not in by_place}
    assert set(left) - set(right) == {f"{kind.one} {place}" for place in range(1, kind.count + 1)}
    assert [left_out.name for left_out in in_order.left_out] == [f"each {kind.one}"]


def test_sorted_coins_are_judged_as_heads_odds_and_tails() -> None:
    throws = [tuple(sorted(throw, key=str)) for throw in fair_throws(TWO_COINS, 100, 6)]
    test = answered(outcomes(sample_of(TWO_COINS, throws)))
    assert [cell.label for cell in test.cells] == ["Tails", "Odds", "Heads"]
    assert [int(cell.expected) for cell in test.cells] == [25, 50, 25]


def test_a_record_that_mostly_puts_the_larger_die_first_is_suspected_and_not_the_dice() -> None:
    rng = random.Random(7)
    throws = [
        t if rng.random() < 0.2 else tuple(sorted(t, key=int, reverse=True)) for t in fair_throws(TWO_DICE, 400, 8)
    ]
    said = verdict(judge_throws(ThrowRecord(TWO_DICE, tuple(throws))))
    assert said.startswith("The tests of die 1 and die 2 reject fair dice")
    assert said.endswith("one may be biased, or the record writes them in some order.")


# -- one throw after the other ----------------------------------------------------------------------------------------


def test_runs_are_counted_about_the_middle_of_fair_totals() -> None:
    throws: list[Faces] = [(6, 6), (3, 4), (6, 5), (1, 1), (5, 2), (1, 2), (6, 3)]  # + 7 + - 7 - +
    runs, longest = map(answered, side_runs(sample_of(TWO_DICE, throws)))
    assert (runs.statistic, runs.p) == (Fraction(3), runs_chance(3, 2, 3))
    assert (longest.statistic, longest.p) == (Fraction(2), long_run_chance(1, 4, 0.5))
    three: list[Faces] = [(3, 3, 4), (3, 4, 4), (6, 6, 6)]  # 10 is below 10.5 and 11 above
    assert [answered(test).statistic for test in side_runs(sample_of(THREE_DICE, three))] == [2, 2]


def test_coins_have_runs_of_heads_and_tails_and_runs_of_odds() -> None:
    spins = ["HH", "HT", "HH", "TT", "TH", "HT", "TH", "TT"]
    fairness = judge_throws(read_throws(spins))
    results = {finding.test.name: int(finding.test.statistic) for finding in fairness.findings}
    assert (results["heads"], results["odds"]) == (8, 4)
    assert (results["runs"], results["longest run"]) == (2, 2)
    assert (results["odds runs"], results["longest odds"]) == (5, 3)
    longest = next(finding.test for finding in fairness.findings if finding.test.name == "longest odds")
    words = list(product((True, False), repeat=8))
    as_long = sum(max((len(list(run)) for odd, run in groupby(word) if odd), default=0) >= 3 for word in words)
    assert longest.p == as_long / 2**8


def test_serial_correlation_has_the_mean_that_all_orders_give() -> None:
    scores = (2, 3, 7, 7, 12, 4)
    for lag in (1, 2, 3):
        every = [correlation(order, lag) for order in permutations(scores)]
        assert sum(every, Fraction(0)) / len(every) == Fraction(lag - 6, 6 * 5)


@pytest.mark.parametrize(("n", "lag"), [(3, 1), (7, 1), (8, 2), (9, 4)])
def test_serial_correlation_has_the_variance_of_a_quadratic_form_on_a_sphere(n: int, lag: int) -> None:
    """A normal sample about its mean has no preferred direction, so moments follow from traces of the form's matrix."""
    span = range(n)
    form = [[Fraction(abs(i - j) == lag, 2) for j in span] for i in span]
    centred = [[(i == j) - Fraction(1, n) for j in span] for i in span]

    def times(a: list[list[Fraction]], b: list[list[Fraction]]) -> list[list[Fraction]]:
        return [[sum((a[i][k] * b[k][j] for k in span), Fraction(0)) for j in span] for i in span]

    inner = times(times(centred, form), centred)
    trace, squared = (sum(matrix[i][i] for i in span) for matrix in (inner, times(inner, inner)))
    mean = trace / (n - 1)
    variance = (trace**2 + 2 * squared) / (n**2 - 1) - mean**2
    for r in (Fraction(0), Fraction(1, 3)):
        assert standard_square(r, n, lag) == (r - mean) ** 2 / variance


@pytest.mark.parametrize(("count", "lags"), [(20, 1), (79, 1), (80, 2), (250, 6), (900, 10)])
def test_correlations_of_several_lags_are_added_up(count: int, lags: int) -> None:
    throws = fair_throws(TWO_DICE, count, 21)
    first, *more = map(answered, serial(sample_of(TWO_DICE, throws)))
    scores = [sum(map(int, throw)) for throw in throws]
    squares = [standard_square(correlation(scores, lag), count, lag) for lag in range(1, lags + 1)]
    assert (first.statistic, first.p) == (correlation(scores, 1), chi_square_tail(squares[0], 1))
    assert [(test.name, test.statistic, test.degrees) for test in more] == (
        [(f"next {lags}", sum(squares, Fraction(0)), lags)] if lags > 1 else []
    )
    assert all(test.p == chi_square_tail(test.statistic, lags) for test in more)


def test_totals_that_are_all_alike_correlate_with_nothing() -> None:
    fairness = judge_throws(ThrowRecord(TWO_DICE, ((3, 4), (4, 3)) * 20))
    assert "correlation" in {left_out.name for left_out in fairness.left_out}
    assert found(fairness)["faces"] < 0.001


def test_transitions_count_every_face_with_every_face_of_the_next_throw() -> None:
    throws = fair_throws(TWO_DICE, 60, 9)
    test = answered(transitions(sample_of(TWO_DICE, throws)))
    wanted = Counter(f"{a}→{b}" for now, after in pairwise(throws) for a in now for b in after)
    assert {cell.label: cell.count for cell in test.cells} == {cell.label: wanted[cell.label] for cell in test.cells}
    assert sum(cell.expected for cell in test.cells) == 4 * 59
    assert test.degrees == 25


def test_a_throw_that_repeats_the_last_one_is_found() -> None:
    rng = random.Random(10)
    throws = list(fair_throws(TWO_DICE, 600, 11))
    for place in range(1, 600):
        if rng.random() < 0.2:
            throws[place] = throws[place - 1]
    against = {finding.test.name for finding in judge_throws(ThrowRecord(TWO_DICE, tuple(throws))).against}
    assert {"transitions", "next throw"} <= against
    assert not {"faces", "totals", "doubles", "pairs"} & against


# -- whether the chances are right as a whole -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [TWO_DICE, THREE_DICE, TWO_COINS], ids=str)
def test_fair_throws_are_suspected_as_often_as_the_level_says(kind: ThrowKind) -> None:
    """Within five standard errors of 5 per cent, a half and 0.6; where few values are possible, probabilities are
    higher."""
    records = 250
    chances: dict[str, list[float]] = {}
    wrongly = 0
    for seed in range(records):
        fairness = judge_throws(ThrowRecord(kind, fair_throws(kind, 200, seed)))
        wrongly += bool(fairness.against)
        for finding in fairness.findings:
            chances.setdefault(finding.test.name, []).append(finding.test.p)
    assert len(chances) >= 11
    for name, values in chances.items():
        assert len(values) == records, name
        assert sum(p <= 0.05 for p in values) / records < 0.119, name
        assert sum(p <= 0.5 for p in values) / records < 0.658, name
        assert sum(p <= 0.6 for p in values) / records > 0.3, name
    assert wrongly / records < 0.119


def test_the_smallest_bias_is_found_as_often_as_the_power_says() -> None:
    smallest = share("one face", Fraction(1, 6), 1200, 5).smallest(0.05, 0.9) or 0.0
    assert smallest == pytest.approx(math.sqrt(16.469 * 5 / 36 / 1200), rel=1e-4)
    rng = random.Random(12)
    weights = [*[(5 / 6 - smallest) / 5] * 5, 1 / 6 + smallest]
    hits = 0
    for _ in range(300):
        dice = rng.choices(DICE, weights, k=1200)
        throws = list(zip(dice[::2], dice[1::2], strict=True))
        hits += answered(next(face_tests(sample_of(TWO_DICE, throws)))).p <= 0.05
    assert 0.84 < hits / 300 < 0.95


def test_the_smallest_bias_of_a_longest_run_is_reckoned_with_the_run_that_is_significant() -> None:
    smallest = RunBias("odds", Fraction(1, 2), 200).smallest(0.05, 0.9)
    assert smallest is not None
    length = min(n for n in range(1, 201) if long_run_chance(n, 200, 0.5) <= 0.05)
    assert long_run_chance(length, 200, 0.5 + smallest) >= 0.9 > long_run_chance(length, 200, 0.5 + smallest - 1e-4)
    assert RunBias("odds", Fraction(1, 2), 4).smallest(0.05, 0.9) is None


def test_more_throws_and_a_laxer_level_find_smaller_biases() -> None:
    def of(trials: int, level: float = 0.05, power: float = 0.9) -> float:
        found = share("one face", Fraction(1, 6), trials, 5).smallest(level, power)
        assert found is not None
        return found

    assert of(400) == pytest.approx(2 * of(1600))
    assert of(400, level=0.1) < of(400) < of(400, level=0.01)
    assert of(400, power=0.8) < of(400) < of(400, power=0.99)


def test_judged_together_a_bias_must_be_larger() -> None:
    for finding in judge_throws(ThrowRecord(TWO_DICE, fair_throws(TWO_DICE, 500, 13))).findings:
        assert finding.alone is not None
        assert finding.together is not None
        assert finding.alone <= finding.together
        assert finding.test.p <= finding.adjusted


# -- the verdict ------------------------------------------------------------------------------------------------------


def test_nothing_found_still_says_what_may_be_hidden() -> None:
    said = verdict(judge_throws(ThrowRecord(TWO_DICE, fair_throws(TWO_DICE, 2000, 1))))
    assert said.startswith(
        "Nothing here is evidence against fair dice. One face coming up 2.4 percentage points too often"
    )
    assert said.endswith("A smaller bias could go unnoticed.")
    assert "90% of the time by the test of faces alone, and 2.9 points too often with all 11 tests" in said


def test_a_loaded_die_is_found() -> None:
    rng = random.Random(14)
    throws = [(rng.choice((1, 2, 3, 4, 5, 6, 6)), rng.choice(DICE)) for _ in range(1500)]
    fairness = judge_throws(ThrowRecord(TWO_DICE, tuple(throws)))
    adjusted = found(fairness)
    assert adjusted["die 1"] < 0.001
    assert adjusted["die 2"] > 0.05
    said = verdict(fairness)
    assert "die 1" in said.split(" against ")[0]
    assert "reject fair dice wrongly in at most 5% of records" in said
    assert said.endswith("The reason may lie in the dice, the throwing or the record.")


def test_a_loaded_coin_is_found() -> None:
    rng = random.Random(15)
    fairness = judge_throws(read_throws("HT"[rng.random() < 0.4] + "HT"[rng.random() < 0.4] for _ in range(400)))
    assert found(fairness)["heads"] < 0.001
    assert "heads" in verdict(fairness)


def test_two_throws_are_judged_with_care() -> None:
    fairness = judge_throws(read_throws(["3 4", "1 1"]))
    assert verdict(fairness).endswith("But there are too few throws to say how large a bias would have shown.")
    assert {left_out.name for left_out in fairness.left_out} >= {"totals", "pairs", "correlation", "transitions"}
    with pytest.raises(ThrowsError, match="a record needs at least two throws"):
        judge_throws(read_throws(["3 4"]))


def test_what_only_a_single_test_would_find_is_said() -> None:
    said = verdict(judge_throws(read_throws(["HT", "HH", "TH", "TT", "HT", "HT", "TH", "HH"])))
    assert "found 90% of the time by the test of heads alone, and none with all 9 tests judged together." in said


def test_letters_without_values_have_no_totals_and_many_faces_need_many_throws() -> None:
    letters = judge_throws(
        ThrowRecord(ThrowKind(("A", "B", "C"), 2), fair_throws(ThrowKind(("A", "B", "C"), 2), 60, 16))
    )
    assert list(found(letters)) == ["faces", "coin 1", "coin 2", "doubles", "pairs", "transitions"]
    twenty = ThrowKind(tuple(range(1, 21)), 1)
    fairness = judge_throws(ThrowRecord(twenty, fair_throws(twenty, 30, 17)))
    assert fairness.left_out[0] == LeftOut("faces", "needs at least 100 throws")


def test_lopsided_faces_have_no_middle_to_run_about() -> None:
    kind = ThrowKind((1, 2, 10), 2)
    fairness = judge_throws(ThrowRecord(kind, fair_throws(kind, 80, 18)))
    assert "longest run" in {left_out.name for left_out in fairness.left_out}
    assert "runs" in found(fairness)


# -- the command ------------------------------------------------------------------------------------------------------


def run(
    *words: str, typed: str = "", monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str, str]:
    parser = argparse.ArgumentParser()
    add_fairness(parser)
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    monkeypatch.setenv("COLUMNS", "80")
    status = show_fairness(SHELF, parser.parse_args(words))
    out = capsys.readouterr()
    return status, out.out, out.err


def written(throws: Sequence[Faces]) -> str:
    return "".join(f"{' '.join(map(str, throw))}\n" for throw in throws)


@pytest.mark.parametrize("kind", [TWO_DICE, THREE_DICE, TWO_COINS, ONE_DIE], ids=str)
@pytest.mark.parametrize("count", [2, 30, 6000])
def test_the_report_fits_80_columns_and_shows_every_test(
    kind: ThrowKind, count: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    throws = fair_throws(kind, count, 19)
    status, out, err = run(typed=written(throws), monkeypatch=monkeypatch, capsys=capsys)
    assert (status, err) == (0, "")
    lines = [line.rstrip() for line in out.splitlines()]
    assert lines[0] == f"{count:,} throws of {kind}"
    assert max(map(len, lines)) <= 80
    fairness = judge_throws(ThrowRecord(kind, throws))
    rows = [line for finding in fairness.findings for line in lines if line.startswith(f"{finding.test.name:13}")]
    assert len(rows) == len(fairness.findings)
    assert all(f"  {finding.test.asks}" in lines for finding in fairness.findings)
    assert [line.split(";")[0] for line in lines if line.startswith("Left out")] == [
        f"Left out: {left_out.name}" for left_out in fairness.left_out
    ]
    assert verdict(fairness) in " ".join(out.split())


def test_bars_show_each_face_against_the_expectation(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = written([(face,) for face in (1, 1, 1, 1, 2, 3, 4, 5)])
    lines = run(typed=typed, monkeypatch=monkeypatch, capsys=capsys)[1].splitlines()
    assert lines[2] == f"1         4   50.0%  {'█' * 13}│{'█' * 26}"
    assert lines[3] == f"2         1   12.5%  {'█' * 10}   │"
    assert lines[7] == f"6         0    0.0%  {' ' * 13}│"
    assert lines[8] == f"{' ' * 34}│ 16.7% if fair"


def test_void_and_refused_throws_are_named(
    sic_bo: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = "\n".join([*SIC_BO, *sic_bo, "6 6 6"])
    words = ("-", "--book", "sic-bo-nsw-2016")
    out = run(*words, typed=typed, monkeypatch=monkeypatch, capsys=capsys)[1]
    assert out.splitlines()[0] == "3 throws of three dice by sic-bo-nsw-2016; left out: 2 void, 2 refused"


def test_json_has_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    throws = fair_throws(TWO_DICE, 300, 20)
    file = tmp_path / "throws.txt"
    file.write_text("\ufeff" + written(throws), encoding="utf-8")
    words = (str(file), "--json", "--level", "0.01", "--power", "0.8")
    status, out, _ = run(*words, monkeypatch=monkeypatch, capsys=capsys)
    told = json.loads(out)
    fairness = judge_throws(ThrowRecord(TWO_DICE, throws), 0.01, 0.8)
    assert status == 0
    assert (told["thrown"], told["throws"], told["void"], told["refused"]) == ("two dice", 300, 0, 0)
    assert (told["level"], told["power"], told["suspected"]) == (0.01, 0.8, bool(fairness.against))
    assert told["verdict"] == verdict(fairness)
    assert [Fraction(cell["expected"]) for cell in told["counts"]] == [100] * 6
    for row, finding in zip(told["tests"], fairness.findings, strict=True):
        test = finding.test
        assert (row["test"], row["asks"], row["df"], row["method"]) == (test.name, test.asks, test.degrees, test.method)
        assert Fraction(row["exact"]) == test.statistic
        assert (row["statistic"], row["p"], row["adjusted"]) == (float(test.statistic), test.p, finding.adjusted)
        bias = row["smallest_bias"]
        assert (bias["alone"], bias["together"]) == (finding.alone, finding.together)
        assert Fraction(bias["fair"]) == test.bias.fair
        assert sum(cell["count"] for cell in row["cells"]) == sum(cell.count for cell in test.cells)


REFUSED = [
    ((), "", "standard input: there is no throw in the record"),
    ((), "3 4\n", "a record needs at least two throws"),
    ((), "3 4\n7 7\n", 'standard input: line 2: "7 7" is not a throw; a face is 1 to 6, or H or T'),
    (("--book", "two-up-nsw-2016"), "3 4\n", 'standard input: line 1: "3 4" is not a throw; a face is H T'),
    (("nowhere.txt",), "", "nowhere.txt cannot be read (No such file or directory)"),
    (("--level", "0"), "3 4\n", "--level must be a number from 0.0001 to 0.5, not 0"),
    (("--level", "nan"), "3 4\n", "--level must be a number from 0.0001 to 0.5, not nan"),
    (("--power", "much"), "3 4\n", "--power must be a number from 0.5 to 0.9999, not much"),
]


@pytest.mark.parametrize(("words", "typed", "sentence"), REFUSED, ids=[sentence for *_, sentence in REFUSED])
def test_bad_input_is_one_sentence_and_status_2(
    words: tuple[str, ...],
    typed: str,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, out, err = run(*words, typed=typed, monkeypatch=monkeypatch, capsys=capsys)
    assert (status, out, err) == (2, "", f"croupier: {sentence}\n")


def test_a_file_that_is_no_text_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "throws.bin"
    file.write_bytes(b"3 4\n\xff\xfe")
    status, _, err = run(str(file), monkeypatch=monkeypatch, capsys=capsys)
    assert (status, err) == (2, f"croupier: {file} is not UTF-8 text\n")


def test_a_number_in_a_list_is_one_face() -> None:
    with pytest.raises(ThrowsError, match=r'^line 1: "3 45" is not a throw'):
        read_throws(['{"do":"roll","dice":[3,45]}', '{"do":"roll","dice":[3,4,5]}'])
