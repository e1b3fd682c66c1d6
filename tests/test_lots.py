"""Plans in words: what is understood, and how each mistake is refused."""

from __future__ import annotations

import pytest

from croupier.maths.plan import Lot, check_sign, lot_name, read_amount, read_lots, read_mix
from croupier.rules.errors import Impossible
from croupier.rules.game import Game
from tests.tables import BOOKS, SHELF

CRAPS, SIC_BO, TWO_UP, SNAKE_EYES, SNAKE_EYES_NZ = BOOKS


def game_of(book: str) -> Game:
    return SHELF.game(SHELF.terms(book))


@pytest.mark.parametrize(
    ("book", "words", "lots"),
    [
        (CRAPS, ["win_line 10.00"], [Lot("win_line", 1000)]),
        (CRAPS, ["win_line 10"], [Lot("win_line", 1000)]),
        (CRAPS, ["place_to_win 6 12.00"], [Lot("place_to_win", 1200, 6)]),
        (CRAPS, ["field 5.00 + any_seven 1.00"], [Lot("field", 500), Lot("any_seven", 100)]),
        (CRAPS, ["field 5.00", "field 2.00"], [Lot("field", 700)]),
        (CRAPS, ["behind_come 20.00", "come 10.00"], [Lot("behind_come", 2000), Lot("come", 1000)]),
        (CRAPS, ["come 10.00", "behind_come 6 20.00"], [Lot("come", 1000), Lot("behind_come", 2000, 6)]),
        (CRAPS, ["behind_win_line max", "win_line 10.00"], [Lot("behind_win_line", 2000), Lot("win_line", 1000)]),
        (CRAPS, ["dont_come 10", "behind_dont_come 6 max"], [Lot("dont_come", 1000), Lot("behind_dont_come", 2400, 6)]),
        (SIC_BO, ["combination 2,1 5.00"], [Lot("combination", 500, (1, 2))]),
        (SIC_BO, ["four_number 1 2 3 4 5.00"], [Lot("four_number", 500, (1, 2, 3, 4))]),
        (SIC_BO, ["super_streak size 25.00"], [Lot("super_streak", 2500, "size")]),
        (TWO_UP, ["spinner heads 10.00"], [Lot("spinner", 1000, "heads")]),
    ],
)
def test_plans_are_understood(book: str, words: list[str], lots: list[Lot]) -> None:
    assert read_lots(game_of(book), words, 100) == tuple(lots)


@pytest.mark.parametrize(
    ("book", "words", "code", "clause"),
    [
        (CRAPS, ["pass_line 10.00"], "unknown_wager", "6.2"),
        (CRAPS, [" "], "wager_missing", "6.2"),
        (CRAPS, ["win_line 10.00 +"], "wager_missing", "6.2"),
        (CRAPS, ["win_line"], "amount_missing", "6.3"),
        (CRAPS, ["place_to_win 10.00"], "pick_required", "6.2.10"),
        (CRAPS, ["place_to_win 7 10.00"], "pick_unknown", "6.2.10"),
        (CRAPS, [f"place_to_win {'9' * 5000} 10.00"], "pick_unknown", "6.2.10"),
        (CRAPS, ["field 5 5.00"], "pick_not_allowed", "6.2.17"),
        (CRAPS, ["field 0.00"], "amount_not_positive", "6.3"),
        (CRAPS, ["field -5.00"], "amount_unreadable", "6.3"),
        (CRAPS, ["field 5.5"], "amount_unreadable", "6.3"),
        (CRAPS, ["field 5.50"], "amount_not_in_chips", "6.3"),
        (CRAPS, [f"field {'9' * 5000}.00"], "amount_too_large", "6.3"),
        (CRAPS, ["field max"], "amount_unreadable", "6.2.17"),
        (CRAPS, ["horn 6.00"], "amount_not_in_units", "6.2.21"),
        (CRAPS, ["behind_win_line 20.00"], "flat_wager_missing", "6.2.5"),
        (CRAPS, ["behind_win_line max"], "flat_wager_missing", "6.2.5"),
        (CRAPS, ["win_line 10.00", "behind_win_line 21.00"], "stake_above_behind_limit", "6.2.5.1"),
        (CRAPS, ["win_line 10.00", "behind_win_line max", "behind_win_line 1"], "stake_above_behind_limit", "6.2.5.1"),
        (CRAPS, ["dont_win 10.00", "behind_dont_win 25.00"], "stake_above_behind_limit", "6.2.6.1"),
        (CRAPS, ["dont_win 10.00", "behind_dont_win max"], "amount_doubtful", "6.2.6.1"),
        (CRAPS, ["come 10", "behind_come 5", "behind_come 6 5"], "pick_doubtful", "6.2.7"),
        (SIC_BO, ["super_streak size 10", "super_streak size 10"], "one_wager_only", "6.7"),
        (SIC_BO, ["combination 1,7 5.00"], "pick_unknown", "3.1.7"),
        (TWO_UP, ["spinner heads 10", "spinner tails 10"], "declared_already", "4.2"),
        (TWO_UP, ["spinner 10.00"], "pick_required", "4.2"),
        (SNAKE_EYES_NZ, ["field 1.01"], "amount_not_in_chips", "4.3"),
    ],
)
def test_what_no_table_would_take_is_refused_with_its_clause(
    book: str, words: list[str], code: str, clause: str | None
) -> None:
    with pytest.raises(Impossible) as refused:
        read_lots(game_of(book), words, 100)
    assert (refused.value.code, refused.value.clause) == (code, clause)
    assert refused.value.sentence.endswith(".")
    assert "\n" not in refused.value.sentence


def test_a_chip_is_worth_something() -> None:
    with pytest.raises(Impossible) as refused:
        read_lots(game_of(CRAPS), ["win_line 10.00", "behind_win_line max"], 0)
    assert refused.value.code == "chip_not_positive"


def test_a_limit_behind_a_wager_names_the_point_that_has_the_smallest() -> None:
    with pytest.raises(Impossible, match=r"at most 24\.00 on point 6, not 25\.00"):
        read_lots(game_of(CRAPS), ["dont_win 10.00", "behind_dont_win 25.00"], 100)


def test_amounts_are_dollars_with_or_without_cents() -> None:
    assert [read_amount(text) for text in ("0", "7", "7.25", "1000000000000")] == [0, 700, 725, 10**14]
    for text in ("", "1e3", "7.5", "½", "٣", "1,000"):
        with pytest.raises(Impossible):
            read_amount(text)


def test_wagers_have_names() -> None:
    game = game_of(SIC_BO)
    assert lot_name(game, Lot("combination", 500, (1, 2))) == "Dice Combinations 1 2"
    assert lot_name(game, Lot("small", 500)) == "Small"


# -- the mix at a table -----------------------------------------------------------------------------------------------


def test_a_mix_counts_players() -> None:
    mix = read_mix(game_of(CRAPS), ["win_line 10.00 + behind_win_line 20.00 x8", "field 5.00 ×3", "field 5.00"], 100)
    assert mix.players == 12
    assert mix.lots == (
        Lot("win_line", 1000, None, 8),
        Lot("behind_win_line", 2000, None, 8),
        Lot("field", 500, None, 4),
    )


def test_players_with_other_stakes_are_others() -> None:
    mix = read_mix(game_of(CRAPS), ["win_line 10.00 x2", "win_line 25.00 x3"], 100)
    assert [(lot.stake, lot.times) for lot in mix.lots] == [(1000, 2), (2500, 3)]


@pytest.mark.parametrize(
    ("book", "words", "code"),
    [
        (CRAPS, ["win_line 10.00 x0"], "players_unreadable"),
        (CRAPS, ["win_line 10.00 x99999"], "players_unreadable"),
        (CRAPS, ["win_line 10.00 x8", "behind_win_line 20.00 x8"], "flat_wager_missing"),
        (TWO_UP, ["spinner heads 10.00 x2"], "held_by_another"),
        (TWO_UP, ["spinner heads 10.00", "spinner tails 10.00"], "held_by_another"),
    ],
)
def test_mixes_that_cannot_be_are_refused(book: str, words: list[str], code: str) -> None:
    with pytest.raises(Impossible) as refused:
        read_mix(game_of(book), words, 100)
    assert refused.value.code == code


def test_the_sign_limits_every_stake_but_the_fixed_one() -> None:
    craps, sic_bo = game_of(CRAPS), game_of(SIC_BO)
    check_sign(craps, Lot("field", 500), 500, 500)
    check_sign(sic_bo, Lot("super_streak", 1000, "size"), 2000, 5000)
    for lot, code in ((Lot("field", 400), "stake_below_minimum"), (Lot("field", 600), "stake_above_maximum")):
        with pytest.raises(Impossible) as refused:
            check_sign(craps, lot, 500, 500)
        assert (refused.value.code, refused.value.clause) == (code, "7.1")
