"""Craps over the pipe: money behind the lines, when wagers may be made and taken down, the puck, picks, cards."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.talk import CRAPS, Talk, pairs, settled

POINTS = [4, 5, 6, 8, 9, 10]
ALL = [(first, second) for first in range(1, 7) for second in range(1, 7)]


def other_point(*numbers: int) -> int:
    """A point that is not one of these numbers."""
    return next(point for point in POINTS if point not in numbers)


def table_on(point: int | None) -> Talk:
    """A table with the puck on a point, or off; the house has thrown."""
    talk = Talk(CRAPS, seats={"ann": "100000.00", "bob": "100000.00"})
    if point is not None:
        talk.roll(*pairs(point)[0])
        assert talk.last["puck"] == point
    return talk


LINES = ["win_line", "dont_win", "come", "dont_come"]


@pytest.mark.clause(CRAPS, "6.2.5.1", "6.2.6.1", "6.2.7.1", "6.2.8.1")
@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("flat", [1, 5, 10, 37])
def test_money_behind_is_limited_to_double_or_to_what_wins_double(line: str, flat: int, point: int) -> None:
    dont, come = line.startswith("dont"), "come" in line
    limit = (
        int(flat * {4: Fraction(4), 5: Fraction(3), 6: Fraction(12, 5)}[min(point, 14 - point)]) if dont else 2 * flat
    )
    back = f"behind_{line}:{point}" if come else f"behind_{line}"
    talk = table_on(other_point(point) if come else None)
    talk.no_bet(back, "1.00")
    talk.bet(line, f"{flat}.00")
    talk.no_bet(back, "1.00")  # not before the point
    talk.roll(*pairs(point)[0])
    talk.no_bet(back, f"{limit + 1}.00")
    talk.no_bet(back, "1.00", player="bob")
    talk.bet(back, "1.00")
    talk.no_bet(back, f"{limit}.00")  # the earlier bet counts
    talk.bet(back, f"{limit - 1}.00")
    talk.no_bet(back, "1.00")
    talk.take(back, f"{limit - 1}.00")
    talk.take(back)
    talk.bet(back, f"{limit}.00")
    assert talk.standing()[back] == f"{limit}.00"


def test_money_behind_is_limited_in_whole_chips() -> None:
    talk = Talk(CRAPS, chip="0.50")
    talk.bet("dont_win", "1.50")
    talk.roll(3, 3)
    talk.no_bet("behind_dont_win", "4.00")  # 2.4 x 1.50 = 3.60, rounded down to 3.50
    talk.bet("behind_dont_win", "3.50")
    assert settled(talk.roll(3, 4))["behind_dont_win"] == ("win", "3.50", "3.00", "6.50")  # 2.92 rounded up


@pytest.mark.clause(CRAPS, "6.2.1", "6.2.2", "6.2.3", "6.2.4")
def test_when_line_and_come_wagers_may_be_made_or_increased() -> None:
    talk = table_on(None)
    talk.no_bet("come", "10.00")
    talk.no_bet("dont_come", "10.00")
    talk.bet("win_line", "10.00")
    talk.bet("dont_win", "10.00")
    talk.bet("win_line", "5.00")
    talk.roll(2, 2)
    for player in ("ann", "bob"):
        talk.no_bet("win_line", "10.00", player=player)
        talk.no_bet("dont_win", "10.00", player=player)
    talk.bet("come", "10.00")
    talk.bet("come", "10.00")
    talk.bet("dont_come", "10.00")
    talk.roll(4, 4)
    talk.no_bet("come:8", "10.00")
    talk.no_bet("dont_come:8", "10.00")
    talk.bet("come", "5.00")
    assert talk.standing() == {
        "win_line": "15.00",
        "dont_win": "10.00",
        "come": "5.00",
        "come:8": "20.00",
        "dont_come:8": "10.00",
    }


@pytest.mark.clause(CRAPS, "6.5", "6.6")
def test_win_line_and_come_are_locked_by_their_point_and_the_donts_never_are() -> None:
    talk = table_on(None)
    talk.bet("win_line", "10.00")
    talk.bet("dont_win", "10.00")
    talk.take("win_line", "4.00")
    talk.take("dont_win", "4.00")
    talk.bet("dont_win", "4.00")  # before the point it may be changed freely
    talk.roll(2, 2)
    for line in ("come", "dont_come"):
        talk.bet(line, "10.00")
        talk.take(line, "1.00")
        talk.take(line)
        talk.bet(line, "10.00")
    talk.roll(4, 5)
    for name in ("win_line", "come:9"):
        assert talk.no_take(name)["clause"] == "6.5"
        assert talk.no_take(name, "1.00")["clause"] == "6.5"
    for name in ("dont_win", "dont_come:9"):
        talk.take(name, "2.00")
        talk.no_bet(name, "1.00")
        talk.take(name)
        talk.no_bet(name, "1.00")
    assert talk.standing() == {"win_line": "6.00", "come:9": "10.00"}


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("line", ["dont_win", "dont_come"])
def test_the_excess_behind_goes_back_when_a_dont_wager_shrinks_and_all_of_it_when_it_goes(
    line: str, point: int
) -> None:
    come = "come" in line
    half = {4: 20, 5: 15, 6: 12}[min(point, 14 - point)]
    flat, back = (f"{line}:{point}", f"behind_{line}:{point}") if come else (line, f"behind_{line}")
    talk = table_on(other_point(point) if come else None)
    talk.bet(line, "10.00")
    talk.roll(*pairs(point)[0])
    talk.bet(back, f"{2 * half}.00")
    talk.take(flat, "5.00")
    assert talk.standing() == {flat: "5.00", back: f"{half}.00"}
    assert talk.chips() == f"{100000 - 5 - half}.00"
    talk.take(flat)
    assert (talk.standing(), talk.chips()) == ({}, "100000.00")


@pytest.mark.parametrize("point", POINTS)
def test_the_puck_goes_on_with_a_point_and_off_with_the_point_or_a_seven(point: int) -> None:
    for dice in ALL:
        talk = table_on(point)
        assert talk.roll(*dice)["puck"] == (None if sum(dice) in (7, point) else point)
        off = table_on(None)
        assert off.roll(*dice)["puck"] == (sum(dice) if sum(dice) in POINTS else None)


BAD_PICKS: list[tuple[str, list[object]]] = [
    ("hardway", [None, 5, 7, 2, 12, "4", 4.5, True, [4], "hard 4"]),
    ("place_to_win", [None, 7, 11, 2, "6", [6]]),
    ("place_to_lose", [None, 7, 0, -4]),
    ("buy", [None, 3, 7]),
    ("lay", [None, 7, 44]),
    ("horn_high", [None, 4, 7, 1, "12"]),
    ("behind_come", [None, 7, 6]),
    ("behind_dont_come", [None, 7, 6]),
    ("win_line", [6, "on", 0, False, [], {}]),
    ("come", [6, 4]),
    ("dont_come", [6, 4]),
    ("behind_win_line", [6, 4]),
    ("horn", [2, 12]),
    ("field", [2]),
    ("big_6", [6]),
    ("crap_eleven", [11]),
]


@pytest.mark.parametrize(("wager", "pick"), [(wager, pick) for wager, picks in BAD_PICKS for pick in picks])
def test_a_pick_that_the_wager_does_not_have_is_refused(wager: str, pick: object) -> None:
    for point in (None, 4):
        talk = table_on(point)
        talk.no("bet", player="ann", wager=wager, pick=pick, amount="20.00")
        talk.bet("field", "20.00")
        talk.no("take", player="ann", wager=wager, pick=pick)


@pytest.mark.clause(CRAPS, "6.1", "10.1")
@pytest.mark.parametrize(
    ("at", "refused"),
    [
        (None, True),
        ("2024-08-19", True),
        ("2024-08-19T00:00:00", True),
        ("2024-08-19T00:00:00+10:00", True),
        ("2026-11-15T12:00:00Z", True),
        ("2024-08-18", False),
        ("2024-08-18T23:59:59", False),
        ("2024-08-18T23:59:59+10:00", False),
        ("2016-08-17T10:00:00Z", False),
    ],
)
def test_a_player_without_a_card_is_refused_from_19_august_2024(at: str | None, refused: bool) -> None:
    talk = Talk(CRAPS, seats={"bob": "100.00"})
    talk.do("seat", player="eve", chips="100.00", card=False)
    talk.do("seat", player="cat", chips="100.00", card=True)
    when = {} if at is None else {"at": at}
    talk.do("bet", player="cat", wager="field", amount="1.00", **when)
    talk.do("bet", player="bob", wager="field", amount="1.00", **when)
    reply = talk.ask("bet", player="eve", wager="field", amount="1.00", **when)
    assert reply["ok"] is not refused
    assert not refused or reply["clause"] == "10.1"


@pytest.mark.parametrize("card", ["yes", 1, 0, "false", None, []])
def test_a_card_is_true_or_false(card: object) -> None:
    talk = Talk(CRAPS)
    reply = talk.ask("seat", player="eve", chips="1.00", card=card)
    assert not reply["ok"] or card is None
