"""What must hold for a command: needs that a table with no recorded facts does not check hold there."""

from __future__ import annotations

import pytest

from croupier import open_table
from croupier.rules.conduct import Conduct, Need, Power, Role
from croupier.table.conduct.scene import Scene
from tests.tables import BOOKS, SHELF


@pytest.mark.parametrize("book_id", BOOKS)
def test_what_is_left_out_where_nothing_is_remembered_holds(book_id: str) -> None:
    conduct, table = SHELF.book(book_id).conduct, open_table(book_id, {"ann": "100.00"}, shelf=SHELF)
    scene = Scene(SHELF, table.state, "player", "ann", None, {"player": "ann", "wager": "small"})
    left_out = [need for power in conduct.powers for need in power.needs if need not in conduct.needs(power, {})]
    assert left_out, "otherwise this proves nothing"
    for need in left_out:
        assert need.check is None
        assert scene.holds(need, scene.words()), need.id


@pytest.mark.parametrize("book_id", BOOKS)
def test_where_something_is_remembered_everything_is_asked(book_id: str) -> None:
    conduct = SHELF.book(book_id).conduct
    assert all(conduct.needs(power, {"table": "closing"}) == power.needs for power in conduct.powers)


NEEDS = {
    "a check": (Need(id="n", code="c", say="", check="bets_open_now"), True),
    "wants something": (Need(id="n", code="c", say="", fact="licence", is_=["yes"]), True),
    "wants nothing": (Need(id="n", code="c", say="", fact="fault", is_=["none"]), False),
    "does not want it": (Need(id="n", code="c", say="", fact="table", not_=["closed"]), False),
    "does not want nothing": (Need(id="n", code="c", say="", fact="table", not_=["none"]), True),
    "the book begins with it": (Need(id="n", code="c", say="", fact="set", not_=["none"]), True),
    "the book begins with one like it": (Need(id="n", code="c", say="", fact="call {wager}", not_=["made"]), True),
    "another's name": (Need(id="n", code="c", say="", fact="excluded {player}", not_=["game"]), False),
    "at least": (Need(id="n", code="c", say="", fact="tumbles", least=1), True),
    "at least nothing": (Need(id="n", code="c", say="", fact="tumbles", least=0), False),
    "at most": (Need(id="n", code="c", say="", fact="tumbles", most=3), False),
    "less than nothing": (Need(id="n", code="c", say="", fact="tumbles", most=-1), True),
    "some time ago": (Need(id="n", code="c", say="", fact="notice", minutes=20), True),
    "a time reached": (Need(id="n", code="c", say="", fact="notice", reached=True), True),
}


@pytest.mark.parametrize("name", NEEDS)
def test_what_is_asked_where_nothing_is_remembered(name: str) -> None:
    need, is_asked = NEEDS[name]
    power = Power(id="bet", command="bet", by=["player"], needs=[need])
    conduct = Conduct(roles=[Role(id="player", clause="1")], facts={"set": 5, "call small": "due"}, powers=[power])
    assert (need in conduct.needs(power, {})) == is_asked
