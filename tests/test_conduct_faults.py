"""Faults found by an attack on the conduct of the game: people's names, what programs send, what is left behind.

A name is anything that people write, so no name may be taken for a word of the engine or for part of another name.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from croupier.pipe import Pipe
from croupier.table import commands
from croupier.table.conduct.scene import PICK_OF
from croupier.table.decide import decide, open_table
from croupier.table.refusals import Refusal
from tests.tables import BOOKS, SHELF
from tests.talk import CRAPS, SIC_BO, SNAKE_NSW, SNAKE_NZ, TWO_UP

SUPERVISOR = "casino supervisor"
NOON = "2024-10-05T12:00:00"
DEEP = 980  # lists in lists that a line may hold, and that Python cannot write


class Attack:
    """A table over the pipe, and the people at it."""

    def __init__(self, book: str, *players: str, **sign: object) -> None:
        self.pipe = Pipe(SHELF)
        self.do("open", None, None, book=book, **sign)
        for player in players:
            self.do("seat", player=player, chips="1000.00")

    def say(self, line: bytes) -> dict[str, Any]:
        before = self.pipe.state
        reply: dict[str, Any] = json.loads(self.pipe.answer(line))
        if not reply["ok"]:
            assert self.pipe.state is before
            assert reply["message"].endswith(".")
        return reply

    def ask(self, word: str, role: str | None = None, who: str | None = None, **said: object) -> dict[str, Any]:
        given = {"as": role, "who": who} if role is not None else {}
        return self.say(json.dumps({"do": word, **given, **said}).encode())

    def do(self, word: str, role: str | None = None, who: str | None = None, **said: object) -> None:
        reply = self.ask(word, role, who, **said)
        assert reply["ok"], reply

    def refused(self, word: str, role: str | None = None, who: str | None = None, **said: object) -> str:
        reply = self.ask(word, role, who, **said)
        assert not reply["ok"], reply
        return str(reply["code"])


# -- names -------------------------------------------------------------------------------------------------------------


def test_somebody_called_none_is_not_everybody_whom_nobody_named() -> None:
    table = Attack(CRAPS, "ann", "none", dice="manual")
    assert table.refused("accept", "player", "none") == "not_offered"
    assert table.refused("decline", "player", "none") == "not_offered"
    table = Attack(CRAPS, "ann", "none")
    table.do("bet", player="none", wager="field", amount="500.00")
    table.do("roll", dice=[3, 4])
    table.do("report_mispayment", "dealer", at=NOON, case="a", way="underpaid", amount="500.00", wager="field")
    assert table.refused("reimburse", "dealer", at=NOON, case="a") == "patron_not_here"
    table.do("identify_patron", SUPERVISOR, at=NOON, case="a", patron="none")
    table.do("contact_patron", SUPERVISOR, at=NOON, case="a")
    table.do("reimburse", "dealer", at=NOON, case="a")
    assert table.pipe.state.chips == {"ann": 100_000, "none": 100_000}


def test_somebody_called_none_throws_with_no_set_that_is_due_to_be_replaced() -> None:
    table = Attack(TWO_UP, "none", "ann", dice="manual")
    table.do("offer", "boxer", player="none")
    table.do("accept", "player", "none")
    table.do("dice_off", "boxer", count=2)
    table.do("search", "dealer")
    table.do("declare_lost", "boxer", count=2)
    assert table.refused("choose", "player", "none") == "new_set_due"


def test_nobody_has_agreed_to_share_a_colour_with_somebody_called_none() -> None:
    table = Attack(SIC_BO, "ann", "none")
    checks = {"colour": "red", "amount": "10.00", "value": "1.00"}
    table.do("issue_checks", "dealer", player="ann", **checks)
    assert table.refused("issue_checks", "dealer", player="none", **checks) == "colour_taken"
    table.do("agree_colour", "player", "ann", player="none", colour="red")
    table.do("issue_checks", "dealer", player="none", **checks)


def test_somebody_called_star_speaks_for_nobody_else() -> None:
    table = Attack(CRAPS, "ann", "*")
    table.do("ask_advice", "player", "ann")
    table.do("ask_advice", "player", "*")
    table.do("stop_advice", "player", "*")
    assert table.pipe.state.facts == {"advice ann": "asked"}


def test_who_leaves_takes_along_nothing_of_somebody_with_a_longer_name() -> None:
    names = ("ann", "ann lee", "ann field", 'ann "field')
    table = Attack(CRAPS, "bob", *names, late=True)
    table.do("find_invalid", "dealer", player="ann lee", reason="no valid card")
    table.do("bet", player="bob", wager="win_line", amount="10.00")
    table.do("throw", "player", "bob")
    for name in names[2:]:
        table.do("bet", player=name, wager="field", amount="50.00")
    table.do("leave", player="ann")
    assert table.refused("bet", player="ann lee", wager="field", amount="5.00") == "no_player_card"
    table.do("rest", "stickperson")  # no one has confirmed the late wagers
    assert [player for player, _, _ in table.pipe.state.wagers()] == ["bob"]
    assert all(table.pipe.state.chips[name] == 100_000 for name in names[1:])


def test_what_one_player_says_is_not_what_another_said() -> None:
    table = Attack(TWO_UP, "ann", "ann spinner")
    table.do("declare_wager", "player", "ann spinner", wager="heads", amount="900.00")
    spoken = {"player": "ann", "wager": "spinner", "pick": "heads"}
    assert table.refused("place_declared", "dealer", **spoken) == "nothing_declared"
    table.do("declare_wager", "player", "ann", wager="heads", amount="900.00")
    table.do("place_declared", "dealer", player="ann", wager="heads")
    table.do("place_declared", "dealer", player="ann spinner", wager="heads")


def test_a_player_who_is_not_named_is_asked_for() -> None:
    reply = Attack(CRAPS, "ann").ask("ask_advice", "player")
    assert (reply["code"], reply["message"]) == ("unknown_player", 'A player does ask_advice: give the name as "who".')


# -- what programs send ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book_id", BOOKS)
@pytest.mark.parametrize("brackets", [("[", "]"), ('{"a":', "}")])
def test_no_field_of_any_act_is_nested_too_deep_for_a_refusal(book_id: str, brackets: tuple[str, str]) -> None:
    table = Attack(book_id, "ann")
    nested = brackets[0] * DEEP + "1" + brackets[1] * DEEP
    for act in SHELF.book(book_id).conduct.acts:
        role = next(role for role in SHELF.book(book_id).conduct.role_ids if role in act.by)
        fields = {field for form in act.forms for field in form}
        for field in (*fields, *(PICK_OF[name] for name in fields & PICK_OF.keys())):
            others = [f'"{name}":"ann"' for name in fields - {field}]
            line = ",".join([f'"do":"{act.id}","as":"{role}","who":"ann","{field}":{nested}', *others])
            assert not table.say(f"{{{line}}}".encode())["ok"]


@pytest.mark.parametrize("raw", [[], {}, [1, None], {"a": 1}, [["x"]], 1.5, True], ids=repr)
@pytest.mark.parametrize("book_id", BOOKS)
def test_no_field_of_any_act_takes_a_value_of_another_kind_for_its_own(book_id: str, raw: object) -> None:
    """Each act is requested by a role that may perform it, so that its fields are read."""
    table = open_table(book_id, shelf=SHELF)
    table.seat("ann", "100.00")
    for act in SHELF.book(book_id).conduct.acts:
        fields = {name for form in act.forms for name in form} - {"count"}
        for name in sorted(fields):
            said = dict.fromkeys(fields, "ann") | {name: raw}
            given = commands.PerformAct(act=act.id, by=act.by[-1], who="ann", said=said)
            assert isinstance(decide(SHELF, table.state, given), Refusal), (act.id, name)


@pytest.mark.parametrize("faces", ["² ³", "9" * 5000 + " 1", "1 ١", [True, 1], 10**30])
def test_what_only_looks_like_a_number_is_no_face(faces: object) -> None:
    table = Attack(CRAPS, "ann")
    table.do("bet", player="ann", wager="win_line", amount="10.00")
    table.do("throw", "player", "ann")
    table.do("rest", "stickperson")
    assert table.refused("call_result", "stickperson", faces=faces) == "not_an_outcome"


def test_a_pick_that_is_none_is_not_taken_for_no_pick() -> None:
    table = Attack(SNAKE_NSW, "ann")
    table.do("bet", player="ann", wager="field", amount="10.00")
    moved = {"player": "ann", "wager": "field", "to": "five"}
    assert table.refused("move_wager", "dealer", **moved, pick={"a": 1}) == "pick_unknown"
    assert table.refused("move_wager", "dealer", **moved, to_pick=[None]) == "pick_unknown"
    table.do("move_wager", "dealer", **moved)


def test_a_number_is_no_time() -> None:
    table = Attack(SNAKE_NZ, "ann")
    assert table.refused("post_closing_sign", "casino operator", at=NOON, time=20241005) == "bad_time"


def test_no_number_is_too_large_for_what_the_table_remembers() -> None:
    table = open_table(SIC_BO, {"ann": "1.00"}, shelf=SHELF)
    huge = "1" + "0" * 4990 + ".00"
    said: dict[str, object] = {"player": "ann", "colour": "red", "amount": huge, "value": huge}
    acts = [commands.PerformAct(act=act, by="dealer", said=said) for act in ("issue_checks", "redeem_checks")]
    told = [row for act in acts for row in table.do(act)]
    assert [row["facts"] for row in told if row["type"] == "noted"] == [{"marker red": huge.replace(".", "")}]
    wrong = commands.PerformAct(act="redeem_checks", by="dealer", said={"player": 10**5000, "colour": "red"})
    assert isinstance(decide(SHELF, table.state, wrong), Refusal)


def test_only_what_is_missing_is_asked_for() -> None:
    reply = Attack(SNAKE_NSW, "ann").ask("move_wager", "dealer", player="ann", to="five")
    assert reply["message"] == "move_wager needs wager."


def test_a_month_of_the_first_years_is_a_month() -> None:
    table = Attack(CRAPS, "ann")
    case = {"case": "a", "way": "underpaid", "amount": "1500.00", "player": "ann", "wager": "field"}
    table.do("report_mispayment", "dealer", at="0999-12-31T12:00:00", **case)
    table.do("month_end", "casino operator", at="1000-01-01T12:00:00", month="0999-12")
    assert table.pipe.state.facts["returned a"] == "0999-12"


# -- what is left over -------------------------------------------------------------------------------------------------


def test_a_day_that_begins_without_a_time_does_not_have_that_of_the_day_before() -> None:
    table = Attack(CRAPS)
    for at in (NOON, None):
        table.do("close_table", SUPERVISOR)
        table.do("reopen_table", SUPERVISOR, at=at)
        assert table.pipe.state.facts.get("opened at") == at


def test_nobody_goes_on_with_one_coin() -> None:
    table = Attack(TWO_UP, "ann", "bob", dice="manual")
    table.do("offer", "boxer", player="ann")
    table.do("accept", "player", "ann")
    for _ in range(2):
        table.do("dice_off", "boxer", count=2)
        table.do("search", "dealer")
        table.do("declare_lost", "boxer", count=2)
    table.ask("allow_old_set", "boxer", player="ann")
    table.do("new_set", "dealer", count=5)
    table.do("choose", "player", "ann")
    assert "old set" not in table.pipe.state.facts
    assert table.pipe.state.facts["set"] == 5
