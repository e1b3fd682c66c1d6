"""A settled result is corrected in a house after players have left: accounts, alerts, figures, what is shown."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from croupier.contract.management import CorrectionPreview
from croupier.felt.past_results import Result
from croupier.house import orders, table_state
from croupier.house.names import table_stream
from croupier.house.reporting.reports import Report, Reports
from croupier.house.reporting.tickets import Counting, Plays
from croupier.house.stored_events import Entry
from croupier.house.table_state import TableState
from croupier.house.views.correction import preview_correction, preview_void
from croupier.house.views.history import past_wagers
from croupier.house.views.table import show_felt
from croupier.house.views.visibility import Shown, Viewer
from croupier.money import format_cents
from croupier.table.decide import Refused, open_table
from croupier.table.events import ResultTakenBack
from croupier.table.refusals import Refusal
from croupier.table.state import TableView
from tests.casino import NOON, Casino
from tests.tables import SHELF

CRAPS = "craps-nsw-2024"
GROUND, FRAUD = "10.5", "10.5.2"


def opened() -> Casino:
    casino = Casino()
    casino.open_doors(["ann", "bob"], 200_00)
    casino.set_table("one", CRAPS)
    for person in ("ann", "bob"):
        casino.do(person, orders.Sit(table="one", cents=100_00))
    return casino


def bet(casino: Casino, person: str, wager: str, amount: str = "10.00", pick: object = None) -> None:
    assert casino.say(person, "one", "bet", wager=wager, amount=amount, pick=pick)["ok"]


def rolled(casino: Casino, *dice: int) -> None:
    assert casino.say("dot", "one", "roll", dice=list(dice))["ok"]


def corrected(casino: Casino, *dice: int) -> None:
    reply = casino.say("sue", "one", "correct_result", faces=list(dice), why="a die was covered")
    assert reply["ok"], reply
    casino.check()


def report(casino: Casino) -> Report:
    reports = Reports(SHELF)
    reports.take_in(table_stream("one"), casino.streams()[table_stream("one")])
    return reports.table("one")[0]


def evening(*entered: tuple[int, int]) -> Casino:
    """A field wager that one throw decides; every throw after the first one is a correction."""
    casino = opened()
    bet(casino, "ann", "win_line")
    bet(casino, "bob", "any_seven")
    bet(casino, "ann", "field", "20.00")
    rolled(casino, *entered[0])
    for dice in entered[1:]:
        corrected(casino, *dice)
    return casino


def test_the_figures_of_a_corrected_evening_are_those_of_the_right_dice() -> None:
    at_once, twice = report(evening((5, 4))), report(evening((3, 4), (1, 1), (5, 4)))
    assert twice == at_once
    assert at_once.throws == 1
    assert at_once != report(evening((3, 4)))


def test_the_display_shows_the_right_result_alone_and_what_it_was() -> None:
    def faces(casino: Casino) -> list[Result]:
        return [
            msgspec.structs.replace(each, title="", was=(), version=None) for each in casino.house.table("one").results
        ]

    def was(casino: Casino) -> list[tuple[int | str, ...]]:
        return [each.was for each in casino.house.table("one").results]

    once, twice = evening((3, 4), (5, 4)), evening((3, 4), (1, 1), (5, 4))
    assert faces(once) == faces(twice) == faces(evening((5, 4)))
    assert (was(evening((5, 4))), was(once), was(twice)) == ([()], [(3, 4)], [(1, 1)])
    rolled(once, 1, 2)
    assert was(once) == [(3, 4), ()]  # the next throw corrects nothing


def test_whoever_comes_later_sees_what_was_corrected() -> None:
    """This also holds if the wrong and the right result are read at different times, as from a snapshot between
    them."""
    casino = evening((3, 4), (5, 4))
    entries = casino.streams()[table_stream("one")]
    [place] = [at for at, entry in enumerate(entries) if isinstance(entry.document.event, ResultTakenBack)]
    halfway = table_state.evolve(TableState(), entries[: place + 1])
    assert (halfway.results, halfway.wrong) == ((), (3, 4))
    state = table_state.evolve(halfway, entries[place + 1 :])
    assert state == casino.house.table("one")
    told = show_felt(SHELF, state, casino.house.head(table_stream("one")), Viewer("ann"), NOON)
    results: Any = told["results"]
    assert [(result["was"], result["faces"]) for result in results] == [([3, 4], [5, 4])]


def previewed(casino: Casino, faces: str, person: str = "sue", role: str = "supervisor") -> CorrectionPreview:
    found = preview_correction(SHELF, casino.house.table("one"), person, role, faces, NOON)
    assert isinstance(found, CorrectionPreview), found
    return found


def test_a_correction_is_previewed_player_by_player_and_nothing_happens() -> None:
    casino = evening((3, 4))  # the line wins 10.00, any seven wins 40.00, the field loses 20.00
    before = casino.house.table("one")
    found = previewed(casino, "5-4")
    assert casino.house.table("one") == before
    assert (found.was, found.now, found.house) == ([3, 4], [5, 4], "20.00")
    ann, bob = found.players
    assert (ann.player, ann.was, ann.now, ann.change) == ("ann", "-10.00", "20.00", "30.00")
    assert (bob.player, bob.was, bob.now, bob.change) == ("bob", "40.00", "-10.00", "-50.00")
    assert [(one.name, one.was, one.now) for one in found.table] == [
        ("Puck", "OFF", "ON 9"),
        ("Throws next", "stickperson", "ann, shooter"),
    ]
    corrected(casino, 5, 4)
    after = casino.house.table("one").game
    for one in (ann, bob):
        assert one.hand[1] == format_cents(after.chips[one.player])
        assert one.felt[1] == format_cents(sum(s.amount for who, _, s in after.wagers() if who == one.player))
        assert one.owes == "0.00"


def test_a_preview_says_which_wagers_made_since_stand() -> None:
    casino = evening((3, 4))
    for person in ("ann", "bob"):
        bet(casino, person, "field", "5.00")
    bet(casino, "bob", "win_line", "125.00")
    found = previewed(casino, "5-4")
    assert [(one.player, one.wager, one.amount, one.stands) for one in found.since] == [
        ("ann", "field", "5.00", True),
        ("bob", "field", "5.00", True),
        ("bob", "win_line", "125.00", False),
    ]


def test_a_preview_names_who_will_owe_what() -> None:
    casino = evening((3, 4))
    casino.do("bob", orders.GetUp(table="one"))  # with the 40.00 that any seven has won
    bob = previewed(casino, "5-4").players[-1]
    assert (bob.player, bob.place, bob.change, bob.hand) == ("bob", None, "-50.00", ("0.00", "0.00"))
    corrected(casino, 5, 4)
    assert {"bob": bob.owes} == {
        who: format_cents(cents) for who, cents in casino.house.table("one").game.owing.items()
    }


def test_a_preview_is_refused_as_the_correction_would_be() -> None:
    casino = evening((3, 4))

    def code(faces: str, person: str, role: str) -> str:
        found = preview_correction(SHELF, casino.house.table("one"), person, role, faces, NOON)
        assert isinstance(found, Refusal)
        return found.code

    assert code("3-4", "sue", "supervisor") == "same_result"
    assert code("3-4-5", "sue", "supervisor") == code("9-9", "sue", "supervisor")
    assert code("dice", "sue", "supervisor") == code("9-9", "sue", "supervisor")
    assert code("5-4", "dot", "dealer") == "not_permitted"


def without(casino: Casino, reason: str, *forfeit: str, role: str = "supervisor") -> CorrectionPreview | Refusal:
    return preview_void(SHELF, casino.house.table("one"), "sue", role, reason, list(forfeit), NOON)


def test_an_invalid_result_is_previewed_like_a_corrected_one() -> None:
    casino = evening((3, 4))  # the line wins 10.00, any seven wins 40.00, the field loses 20.00
    bet(casino, "bob", "field", "5.00")
    before = casino.house.table("one")
    found = without(casino, GROUND)
    assert casino.house.table("one") == before
    assert isinstance(found, CorrectionPreview), found
    assert (found.was, found.now, found.house) == ([3, 4], [], "30.00")
    assert [(one.player, one.was, one.now, one.change) for one in found.players] == [
        ("ann", "-10.00", "0.00", "10.00"),
        ("bob", "40.00", "0.00", "-40.00"),
    ]
    assert [(one.player, one.wager, one.stands) for one in found.since] == [("bob", "field", True)]
    assert casino.say("sue", "one", "void", reason=GROUND)["ok"]
    for one in found.players:
        assert one.hand[1] == format_cents(casino.house.table("one").game.chips[one.player])


def test_a_forfeit_is_seen_in_the_preview() -> None:
    casino = evening((3, 4))
    found = without(casino, FRAUD, "bob")
    assert isinstance(found, CorrectionPreview), found
    assert [(one.player, one.now) for one in found.players] == [("ann", "0.00"), ("bob", "-10.00")]


def test_a_throw_under_way_that_is_invalid_takes_no_result_back() -> None:
    casino = evening((3, 4))
    bet(casino, "bob", "field", "5.00")
    assert casino.say("dot", "one", "dice_out")["ok"]
    found = without(casino, GROUND)
    assert isinstance(found, CorrectionPreview), found
    assert (found.was, found.now, found.since) == ([], [], [])
    [bob] = found.players
    assert (bob.player, bob.change, bob.felt) == ("bob", "0.00", ("5.00", "0.00"))


def test_a_preview_of_an_invalid_result_is_refused_as_that_would_be() -> None:
    def code(casino: Casino, reason: str, *forfeit: str, role: str = "supervisor") -> str:
        found = without(casino, reason, *forfeit, role=role)
        assert isinstance(found, Refusal)
        return found.code

    casino = evening((3, 4))
    assert code(casino, "1.1") == "not_a_ground"
    assert code(casino, GROUND, "bob") == "no_forfeit"
    assert code(casino, FRAUD, "zoe") == "nothing_to_forfeit"
    assert code(casino, GROUND, role="dealer") == "not_permitted"
    assert code(opened(), GROUND) == "no_result"


def test_what_won_goes_dark_when_the_next_throw_begins() -> None:
    casino = evening((3, 4))

    def lit() -> list[Any]:
        state = casino.house.table("one")
        wins: Any = show_felt(SHELF, state, casino.house.head(table_stream("one")), Viewer("ann"), NOON)["wins"]
        return [win["wager"] for win in wins]

    assert "any_seven" in lit()
    bet(casino, "bob", "field", "5.00")
    assert "any_seven" in lit()
    assert casino.say("dot", "one", "dice_out")["ok"]
    assert lit() == []
    rolled(casino, 1, 2)
    assert "field" in lit()
    assert "any_seven" not in lit()


def test_past_wagers_are_those_of_the_right_result() -> None:
    def past(casino: Casino, person: str) -> list[tuple[str, str, str]]:
        view = TableView(SHELF, casino.game("one"))
        found = past_wagers(casino.store, table_stream("one"), view, person, None, 100)
        return [(wager.wager, wager.result, str(wager.faces)) for wager in found.wagers]

    for person in ("ann", "bob"):
        assert past(evening((3, 4), (6, 6), (5, 4)), person) == past(evening((5, 4)), person)
    assert past(evening((5, 4)), "bob") == [("any_seven", "lose", "[5, 4]")]


def test_play_that_earns_entries_is_that_of_the_right_result() -> None:
    def staked(casino: Casino) -> dict[str, int]:
        plays = Plays(Counting("2000", "3000", 1_00))
        plays.take_in(casino.streams()[table_stream("one")])
        return {person: cents for person, cents in plays.staked.items() if cents}

    assert staked(evening((3, 4))) == {"ann": 30_00, "bob": 10_00}
    assert staked(evening((3, 4), (5, 4))) == staked(evening((5, 4))) == {"ann": 20_00, "bob": 10_00}


def test_the_floor_is_told_of_the_correction_and_of_the_debt() -> None:
    casino = opened()
    bet(casino, "ann", "any_seven", "50.00")
    rolled(casino, 3, 4)
    casino.do("ann", orders.GetUp(table="one"))
    assert casino.house.account("ann").chips == 400_00
    corrected(casino, 3, 3)
    assert casino.game("one").owing == {"ann": 250_00}
    assert [alert.words for alert in casino.house.table("one").alerts] == ["Result corrected", "Player owes"]
    assert casino.house.account("ann").chips == 400_00  # nothing is taken from an account


def test_a_debt_is_paid_before_chips_go_back_to_the_account() -> None:
    casino = opened()
    bet(casino, "ann", "any_seven", "50.00")
    rolled(casino, 3, 4)
    casino.do("ann", orders.GetUp(table="one"))
    corrected(casino, 3, 3)
    casino.do("ann", orders.Sit(table="one", cents=300_00))
    casino.do("ann", orders.GetUp(table="one"))
    assert casino.house.account("ann").chips == 150_00
    assert casino.game("one").owing == {}
    casino.check()


def test_who_walks_away_from_a_locked_wager_finds_its_chips_in_the_account() -> None:
    casino = opened()
    bet(casino, "ann", "win_line")
    rolled(casino, 2, 2)
    casino.do("ann", orders.GetUp(table="one"))
    assert casino.house.account("ann").chips == 190_00
    rolled(casino, 3, 1)
    assert casino.house.account("ann").chips == 210_00
    assert casino.game("one").kept == {}
    visit = casino.house.account("ann").visits[-1]
    assert format_cents(visit.brought) == "110.00"
    casino.check()


def test_players_see_what_was_undone_for_themselves_and_for_nobody_else() -> None:
    casino = evening((3, 4), (5, 4))
    entries = casino.streams()[table_stream("one")]
    taken = next(entry for entry in entries if isinstance(entry.document.event, ResultTakenBack))
    view = TableView(SHELF, casino.game("one"))

    def undone(entry: Entry, look: Viewer) -> list[str]:
        told = Shown(view, entry).to(look)["events"]
        assert isinstance(told, list)
        return [row["player"] for event in told for row in event.get("undone", [])]

    assert undone(taken, Viewer("ann")) == ["ann", "ann"]
    assert undone(taken, Viewer("bob")) == ["bob"]
    assert undone(taken, Viewer(None)) == []
    assert sorted(undone(taken, Viewer("sue", all=True))) == ["ann", "ann", "bob"]


def test_the_latest_result_is_left_behind_by_other_rules_and_by_another_day() -> None:
    table = open_table("snake-eyes-nsw-2019", {"ann": "100.00"}, shelf=SHELF)
    table.bet("ann", "field", "10.00")
    table.roll(5, 4)
    table.adopt("snake-eyes-nsw-2019", "two")
    with pytest.raises(Refused, match="There is no result to correct"):
        table.act("correct_result", "casino supervisor", faces=[3, 4])


def test_at_a_closed_table_who_has_gone_home_gets_what_the_right_result_pays() -> None:
    """With no one there the table closes without a sign (CR 10.9); its last result can still be corrected (X-63)."""
    casino = opened()
    bet(casino, "ann", "field", "20.00")
    bet(casino, "bob", "any_seven")
    rolled(casino, 3, 4)
    for person in ("ann", "bob"):
        casino.do(person, orders.GetUp(table="one"))
    assert casino.say("sue", "one", "close_table")["ok"]
    corrected(casino, 5, 4)
    game = casino.game("one")
    assert casino.house.account("ann").chips == 220_00
    assert (game.facts["table"], game.kept, game.owing) == ("closed", {}, {"bob": 50_00})
    assert casino.house.account("bob").chips == 240_00  # nothing is taken from an account


def test_a_wager_that_stands_again_at_a_closed_table_is_played_out_for_who_has_gone_home() -> None:
    casino = opened()
    bet(casino, "ann", "win_line")
    rolled(casino, 2, 2)
    rolled(casino, 3, 4)
    for person in ("ann", "bob"):
        casino.do(person, orders.GetUp(table="one"))
    assert casino.say("sue", "one", "close_table")["ok"]
    corrected(casino, 5, 4)
    assert casino.game("one").facts["table"] == "closing"
    rolled(casino, 1, 3)
    assert casino.house.account("ann").chips == 210_00
    assert casino.say("sue", "one", "close_table")["ok"]
    casino.check()


def test_a_wager_made_before_its_player_excluded_themselves_is_laid_again() -> None:
    """Self-exclusion voids no wager, and neither does a correction (readings X-31, X-63)."""
    casino = opened()
    bet(casino, "ann", "field", "20.00")
    rolled(casino, 3, 4)
    bet(casino, "ann", "any_craps", "5.00")
    casino.do("ann", orders.Exclude(person="ann", until=None))
    corrected(casino, 5, 4)
    assert [(player, area.wager, stake.amount) for player, area, stake in casino.game("one").wagers()] == [
        ("ann", "any_craps", 5_00)
    ]
    assert casino.game("one").chips["ann"] == 115_00
