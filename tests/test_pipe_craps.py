"""Craps over the pipe: what every wager does on every total, lines and their money behind."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.talk import CRAPS, Talk, clauses, pairs, settled

POINTS = [4, 5, 6, 8, 9, 10]
ALL = [(first, second) for first in range(1, 7) for second in range(1, 7)]


def other_point(*numbers: int) -> int:
    """A point that is none of these numbers."""
    return next(point for point in POINTS if point not in numbers)


def table_on(point: int | None) -> Talk:
    """A table with the puck on a point, or off; the house has thrown."""
    talk = Talk(CRAPS, seats={"ann": "100000.00", "bob": "100000.00"})
    if point is not None:
        talk.roll(*pairs(point)[0])
        assert talk.last["puck"] == point
    return talk


# Wager, stake, clause; what each winning total returns (stake of what won, and its winnings).
ONE_ROLL: list[tuple[str, str, str, dict[int, str]]] = [
    ("any_craps", "10.00", "6.2.12", dict.fromkeys((2, 3, 12), "85.00")),
    ("craps_two", "10.00", "6.2.13", {2: "340.00"}),
    ("craps_three", "10.00", "6.2.14", {3: "170.00"}),
    ("craps_twelve", "10.00", "6.2.15", {12: "340.00"}),
    ("eleven", "10.00", "6.2.16", {11: "170.00"}),
    ("field", "10.00", "6.2.17", {**dict.fromkeys((3, 4, 9, 10, 11), "20.00"), 2: "30.00", 12: "30.00"}),
    ("any_seven", "10.00", "6.2.18", {7: "50.00"}),
    # Four wagers of 5.00, the three that miss lost: 5 + 165 or 5 + 80.
    ("horn", "20.00", "6.2.21", {2: "170.00", 3: "85.00", 11: "85.00", 12: "170.00"}),
    # As a Horn of 20.00 with another 5.00 on the number named: 10 + 330 or 10 + 160.
    ("horn_high:2", "25.00", "6.2.22", {2: "340.00", 3: "85.00", 11: "85.00", 12: "170.00"}),
    ("horn_high:3", "25.00", "6.2.22", {2: "170.00", 3: "170.00", 11: "85.00", 12: "170.00"}),
    ("horn_high:11", "25.00", "6.2.22", {2: "170.00", 3: "85.00", 11: "170.00", 12: "170.00"}),
    ("horn_high:12", "25.00", "6.2.22", {2: "170.00", 3: "85.00", 11: "85.00", 12: "340.00"}),
    # Two halves of 10.00, the one that misses lost: 10 + 75 or 10 + 160.
    ("crap_eleven", "20.00", "6.2.23", {2: "85.00", 3: "85.00", 12: "85.00", 11: "170.00"}),
]


@pytest.mark.clause(CRAPS, "6.2.12", "6.2.13", "6.2.14", "6.2.15", "6.2.16", "6.2.17", "6.2.18", "6.2.21", "8.1")
@pytest.mark.clause(CRAPS, "6.2.22.2", "6.2.22.3", "6.2.23")
@pytest.mark.parametrize(("name", "stake", "clause", "returns"), ONE_ROLL, ids=[row[0] for row in ONE_ROLL])
@pytest.mark.parametrize("point", [None, 6])
def test_a_one_roll_wager_is_decided_by_every_roll_on_a_come_out_and_on_a_point(
    name: str, stake: str, clause: str, returns: dict[int, str], point: int | None
) -> None:
    talk = table_on(point)
    for dice in ALL:
        talk.bet(name, stake)
        assert talk.on() == {name: True}
        reply = talk.roll(*dice)
        result, staked, _, returned = settled(reply)[name]
        assert (result, staked, returned) == (
            "win" if sum(dice) in returns else "lose",
            stake,
            returns.get(sum(dice), "0.00"),
        )
        assert clauses(reply)[name].startswith((clause, "8.1"))


def odds(name: str, pick: int) -> Fraction:
    """What a wager on a number that stands until it is decided pays for one."""
    far = min(pick, 14 - pick)
    return {
        "hardway": {4: Fraction(15, 2), 6: Fraction(19, 2)},
        "place_to_win": {4: Fraction(9, 5), 5: Fraction(7, 5), 6: Fraction(7, 6)},
        "place_to_lose": {4: Fraction(5, 11), 5: Fraction(5, 8), 6: Fraction(4, 5)},
        "buy": {4: Fraction(2), 5: Fraction(3, 2), 6: Fraction(6, 5)},
        "lay": {4: Fraction(1, 2), 5: Fraction(2, 3), 6: Fraction(5, 6)},
        "big_6": {6: Fraction(1)},
        "big_8": {6: Fraction(1)},
    }[name][far]


STANDING = [
    *[("hardway", pick) for pick in (4, 6, 8, 10)],
    *[(name, pick) for name in ("place_to_win", "place_to_lose", "buy", "lay") for pick in POINTS],
    ("big_6", 6),
    ("big_8", 8),
]


@pytest.mark.clause(CRAPS, "6.2.9", "6.2.10.1", "6.2.10.2", "6.2.11.1", "6.2.11.2", "6.2.19", "6.2.20", "8.1")
@pytest.mark.clause(CRAPS, "6.2.24", "6.2.25")
@pytest.mark.parametrize(("wager", "pick"), STANDING)
def test_a_wager_on_a_number_stands_until_its_number_or_a_seven(wager: str, pick: int) -> None:
    name = wager if wager.startswith("big") else f"{wager}:{pick}"
    stake = 1320  # pays exactly at all these odds
    won = stake * odds(wager, pick)
    assert won.denominator == 1
    for dice in ALL:
        talk = table_on(other_point(sum(dice), pick))
        talk.bet(name, f"{stake}.00")
        reply = talk.roll(*dice)
        on_seven, on_number = ("win", "lose") if wager in ("place_to_lose", "lay") else ("lose", "win")
        if wager == "hardway" and sum(dice) == pick and dice[0] != dice[1]:
            on_number = "lose"
        expected = {7: on_seven, pick: on_number}.get(sum(dice))
        if expected is None:
            assert (settled(reply), talk.standing()) == ({}, {name: f"{stake}.00"})
        else:
            paid = won if expected == "win" else 0
            returned = f"{paid + stake if paid else 0}.00"
            assert settled(reply) == {name: (expected, f"{stake}.00", f"{paid}.00", returned)}
            assert talk.standing() == {}


LINES = [("win_line", "6.2.1"), ("dont_win", "6.2.2"), ("come", "6.2.3"), ("dont_come", "6.2.4")]


@pytest.mark.clause(CRAPS, "6.2.1.1.1", "6.2.1.2.1", "6.2.2.1.1", "6.2.2.2.1", "6.2.2.3")
@pytest.mark.clause(CRAPS, "6.2.3.1.1", "6.2.3.2.1", "6.2.4.1.1", "6.2.4.2.1", "6.2.4.3")
@pytest.mark.parametrize(("line", "clause"), LINES)
def test_a_line_or_come_wager_on_its_first_roll(line: str, clause: str) -> None:
    side = "dont" if line.startswith("dont") else "do"
    expected = {
        "do": {7: "win", 11: "win", 2: "lose", 3: "lose", 12: "lose"},
        "dont": {3: "win", 12: "win", 7: "lose", 11: "lose", 2: "void"},
    }[side]
    ends = {"win": ".1.1", "lose": ".2.1", "void": ".3"}
    for dice in ALL:
        total = sum(dice)
        talk = table_on(other_point(total) if "come" in line else None)
        talk.bet(line, "10.00")
        assert talk.standing() == {line: "10.00"}
        reply = talk.roll(*dice)
        if total in POINTS:
            name = f"{line}:{total}" if "come" in line else line
            assert (settled(reply), talk.standing(), talk.on()) == ({}, {name: "10.00"}, {name: True})
            continue
        result = expected[total]
        money = {"win": ("10.00", "20.00"), "lose": ("0.00", "0.00"), "void": ("0.00", "10.00")}[result]
        assert settled(reply) == {line: (result, "10.00", *money)}
        assert clauses(reply) == {line: clause + ends[result]}
        assert talk.standing() == {}


@pytest.mark.clause(CRAPS, "6.2.1.1.2", "6.2.1.2.2", "6.2.2.1.2", "6.2.2.2.2")
@pytest.mark.clause(CRAPS, "6.2.3.1.2", "6.2.3.2.2", "6.2.4.1.2", "6.2.4.2.2")
@pytest.mark.clause(
    CRAPS, "6.2.5.2", "6.2.5.3", "6.2.6.2", "6.2.6.3", "6.2.7.2", "6.2.7.3", "6.2.8.2", "6.2.8.3", "8.1"
)
@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize(("line", "clause"), LINES)
def test_a_line_or_come_wager_with_money_behind_once_its_point_is_set(line: str, clause: str, point: int) -> None:
    dont, come = line.startswith("dont"), "come" in line
    far = min(point, 14 - point)
    ratio = {4: Fraction(2), 5: Fraction(3, 2), 6: Fraction(6, 5)}[far]
    behind, won = (20 * ratio, Fraction(20)) if dont else (Fraction(20), 20 * ratio)
    flat, back = (f"{line}:{point}", f"behind_{line}:{point}") if come else (line, f"behind_{line}")
    stake = f"{int(behind)}.00"
    for dice in ALL:
        total = sum(dice)
        talk = table_on(other_point(point, total) if come else None)
        talk.bet(line, "10.00")
        talk.roll(*pairs(point)[0])
        talk.bet(back, stake)
        assert talk.on() == {flat: True, back: True}
        reply = talk.roll(*dice)
        if total not in (point, 7):
            assert (settled(reply), talk.standing()) == ({}, {flat: "10.00", back: stake})
            continue
        if (total == 7) == dont:
            money = (int(won), int(won) + int(behind))
            assert settled(reply) == {
                flat: ("win", "10.00", "10.00", "20.00"),
                back: ("win", stake, f"{money[0]}.00", f"{money[1]}.00"),
            }
            assert clauses(reply)[flat] == clause + ".1.2"
            assert clauses(reply)[back].endswith(".2")
        else:
            assert settled(reply) == {
                flat: ("lose", "10.00", "0.00", "0.00"),
                back: ("lose", stake, "0.00", "0.00"),
            }
            assert clauses(reply)[flat] == clause + ".2.2"
            assert clauses(reply)[back].endswith(".3")


@pytest.mark.clause(CRAPS, "6.2.5.1", "6.2.6.1", "6.2.7.1", "6.2.8.1")
@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize(("line", "_clause"), LINES)
@pytest.mark.parametrize("flat", [1, 5, 10, 37])
def test_money_behind_is_limited_to_double_or_to_what_wins_double(
    line: str, _clause: str, flat: int, point: int
) -> None:
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
