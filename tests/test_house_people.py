"""People at the tables of the house: cards that end, roles that are removed, exclusion, limits to the minute."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec
import pytest

from croupier.contract.replies import Done
from croupier.house import events, orders
from croupier.house.events import Limits
from croupier.house.orders import Submission
from croupier.house.orders.order import Outcome
from croupier.house.orders.people import MOST_LOSS, MOST_MINUTES, played
from croupier.house.stored_events import decode
from croupier.rulebooks import ids
from croupier.store.records import Conflict
from croupier.table.conduct import disputes, payments, people, signs
from croupier.table.conduct.scene import EFFECTS
from croupier.table.events import AreaSettled, CommandGiven, Thrown, WagerPlaced
from tests.houses import NOON, SHELF, TestHouse

CRAPS, SIC_BO = "craps-nsw-2024", "sic-bo-nsw-2016"


@pytest.fixture
def house() -> TestHouse:
    return TestHouse()


def bet(table: str, amount: str = "10.00", wager: str = "win_line", **more: object) -> orders.Say:
    return orders.Say(table=table, line={"do": "bet", "wager": wager, "amount": amount, **more})


def seated(house: TestHouse, person: str, table: str, cents: int = 100_00) -> str:
    house.ok(orders.Sit(table=table, cents=cents), person)
    return person


def posted(house: TestHouse, person: str, table: str, role: str = "dealer") -> str:
    house.ok(orders.TakePost(table=table, role=role), person)
    return person


# Player Cards


@pytest.mark.clause("craps-nsw-2024", "10.1", "6.1")
def test_a_card_that_ends_while_its_owner_sits_there_is_no_valid_card(house: TestHouse) -> None:
    table = house.dealt_table(CRAPS)
    ann = seated(house, house.person("ann"), table)
    house.ok(bet(table), ann)
    house.ok(orders.EndCard(person=ann))
    told = house.do(bet(table), ann)
    assert (told["code"], told["clause"]) == ("no_player_card", "10.1")
    assert house.house.table(table).game.chips == {"ann": 90_00}, "what stands stays"
    house.ok(orders.IssueCard(person=ann))
    house.ok(bet(table), ann)


@pytest.mark.clause("craps-nsw-2024", "10.1")
def test_a_dealer_lays_no_wager_for_somebody_without_a_card(house: TestHouse) -> None:
    table = house.dealt_table(CRAPS)
    ann, dora = seated(house, house.person("ann"), table), posted(house, house.person("dora", "dealer"), table)
    house.ok(bet(table, player=ann), dora)
    house.ok(orders.EndCard(person=ann))
    assert house.refused(bet(table, player=ann), dora) == "no_player_card"


def test_a_book_that_asks_for_no_card_does_not_mind(house: TestHouse) -> None:
    table = house.dealt_table(SIC_BO)
    ann = seated(house, house.person("ann", card=False), table)
    house.ok(bet(table, wager="small"), ann)


def test_who_had_no_card_when_sitting_down_has_one_after_sitting_down_again(house: TestHouse) -> None:
    table = house.dealt_table(CRAPS)
    ann = seated(house, house.person("ann", card=False), table)
    assert house.refused(bet(table), ann) == "no_player_card"
    house.ok(orders.IssueCard(person=ann))
    house.ok(orders.GetUp(table=table), ann)
    seated(house, ann, table)
    house.ok(bet(table), ann)


# Staff


def test_who_lost_the_role_runs_the_table_no_longer_and_may_leave_the_post_and_play(house: TestHouse) -> None:
    table, oz = house.dealt_table(CRAPS), house.person("oz", "operator")
    kim = posted(house, house.person("kim", "dealer", "player"), table)
    assert house.say(table, kim, "roll", dice=[3, 4])["ok"]
    house.ok(orders.ChangeRoles(person=kim, roles=("player",)), oz)
    assert house.say(table, kim, "roll", dice=[3, 4])["code"] == "not_at_table"
    assert house.refused(orders.Sit(table=table, cents=100_00), kim) == "staff_cannot_play"
    house.ok(orders.LeavePost(table=table), kim)
    seated(house, kim, table)
    assert house.refused(orders.LeavePost(table=table), kim) == "not_allowed"


def test_who_is_no_player_any_more_bets_no_more_and_may_get_up(house: TestHouse) -> None:
    table, oz = house.dealt_table(CRAPS), house.person("oz", "operator")
    kim = seated(house, house.person("kim", "dealer", "player"), table)
    house.ok(orders.ChangeRoles(person=kim, roles=("dealer",)), oz)
    assert house.refused(bet(table), kim) == "not_at_table"
    assert house.refused(orders.TakePost(table=table, role="dealer"), kim) == "staff_cannot_play"
    program = house.carry_out(Submission(id="p1", order=orders.GetUp(table=table), who=kim, within=("dealer",)))
    assert program["code"] == "not_allowed", "a program that may deal does not move chips"
    house.ok(orders.GetUp(table=table), kim)
    assert house.house.account(kim).chips == 1000_00
    posted(house, kim, table)


def test_who_runs_one_table_plays_at_another(house: TestHouse) -> None:
    ours, other = house.dealt_table(CRAPS), house.dealt_table(CRAPS, "other")
    kim = posted(house, house.person("kim", "dealer", "player"), ours)
    seated(house, kim, other)
    house.ok(bet(other), kim)
    assert house.refused(bet(ours, player=kim), kim) == "unknown_player"
    assert house.refused(orders.TakePost(table=other, role="dealer"), kim) == "staff_cannot_play"
    assert house.refused(orders.Sit(table=ours, cents=1_00), kim) == "staff_cannot_play"


def test_a_table_is_opened_under_a_title_of_its_book_and_nobody_is_named_in_the_line(house: TestHouse) -> None:
    mia, oz = house.person("mia", "manager"), house.person("oz", "operator")
    line = {"book": CRAPS, "as": "player", "who": "somebody else", "at": "1999-01-01T00:00:00"}
    house.ok(orders.SetTable(table="new", title="New", line=line), mia)
    stored = [decode(record.document) for record in house.store.read("table/new")]
    assert {(document.who, document.role) for document in stored} == {("mia", "gaming supervisor")}
    assert not any(isinstance(document.event, CommandGiven) for document in stored)
    for who, table, role in ((mia, "nz-1", None), (oz, "nz-2", "casino operator")):
        house.ok(orders.SetTable(table=table, title="NZ", line={"book": "snake-eyes-nz"}), who)
        opened = decode(house.store.read(f"table/{table}")[-1].document)
        assert (opened.who, opened.role) == (who, role), "there only the operator has such a title"


# Exclusion


def test_who_is_excluded_at_the_table_bets_no_more_and_what_stands_is_settled(house: TestHouse) -> None:
    table = house.dealt_table(CRAPS)
    ann, dora = seated(house, house.person("ann"), table), posted(house, house.person("dora", "dealer"), table)
    house.ok(bet(table, wager="field"), ann)
    house.ok(orders.Exclude(person=ann), ann)
    for deed in (bet(table), orders.BuyIn(table=table, cents=10_00), orders.Sit(table=table, cents=10_00)):
        assert house.refused(deed, ann) == "excluded"
    assert house.refused(bet(table, player=ann), dora) == "excluded", "nor does a dealer bet for them"
    assert house.refused(orders.GetUp(table=table), ann) == "wagers_standing"
    assert house.say(table, dora, "roll", dice=[1, 2])["ok"]
    assert [event for event in house.events("table/dealt") if isinstance(event, AreaSettled)]
    house.ok(orders.GetUp(table=table), ann)
    assert house.house.account(ann).chips == 1010_00


def test_an_excluded_player_may_take_down_what_the_book_lets_be_taken_down(house: TestHouse) -> None:
    table = house.dealt_table(CRAPS)
    ann = seated(house, house.person("ann"), table)
    house.ok(bet(table, wager="field"), ann)
    house.ok(orders.Exclude(person=ann), ann)
    house.ok(orders.Say(table=table, line={"do": "take", "wager": "field"}), ann)
    house.ok(orders.GetUp(table=table), ann)


@pytest.mark.parametrize(
    "until", ["", "tomorrow", "2026-11-16T00:00:00", "2026-11-15T00:59:59+00:00", "9999-12-31T23:59:59-14:00",
              "0001-01-01T00:00:00+14:00"],
)  # fmt: skip
def test_an_exclusion_ends_at_a_time_to_come(house: TestHouse, until: str) -> None:
    ann = house.person("ann")
    assert house.refused(orders.Exclude(person=ann, until=until), ann) == "bad_time"


def test_an_exclusion_is_over_to_the_second(house: TestHouse) -> None:
    table, ann = house.dealt_table(CRAPS), house.person("ann")
    house.ok(orders.Exclude(person=ann, until=(NOON + timedelta(hours=1)).isoformat()), ann)
    house.at = NOON + timedelta(hours=1) - timedelta(microseconds=1)
    told = house.do(orders.Sit(table=table, cents=1_00), ann)
    assert (told["code"], told["message"]) == ("excluded", "Ann is excluded from play until 2026-11-15 13:00 AEDT.")
    house.at = NOON + timedelta(hours=1)
    seated(house, ann, table)


# Limits


def test_a_limit_counts_wagers_that_a_dealer_lays_and_the_commission(house: TestHouse) -> None:
    table = house.dealt_table(CRAPS)
    ann, dora = seated(house, house.person("ann"), table), posted(house, house.person("dora", "dealer"), table)
    house.ok(orders.SetLimits(person=ann, limits=Limits(loss=30_00)), ann)
    house.ok(bet(table, "20.00", player=ann), dora)
    assert house.refused(bet(table, "11.00", player=ann), dora) == "loss_limit_reached"
    house.ok(bet(table, "10.00", player=ann), dora)


def test_commission_is_part_of_what_can_be_lost(house: TestHouse) -> None:
    table = house.dealt_table(CRAPS)
    ann, dora = seated(house, house.person("ann"), table), posted(house, house.person("dora", "dealer"), table)
    house.ok(bet(table), ann)
    assert house.say(table, dora, "roll", dice=[4, 4])["ok"]
    house.ok(orders.SetLimits(person=ann, limits=Limits(loss=30_00)), ann)
    assert house.refused(bet(table, "20.00", "buy", pick=4), ann) == "loss_limit_reached", (
        "the commission makes it more"
    )
    house.ok(orders.SetLimits(person=ann, limits=Limits(loss=31_00)), ann)
    assert house.refused(bet(table, "20.00", "buy", pick=4), ann) == "loss_limit_reached", "looser after a day"
    house.wait(24 * 3600)
    house.ok(bet(table, "20.00", "buy", pick=4), ann)
    placed = [event for event in house.events("table/dealt") if isinstance(event, WagerPlaced)][-1]
    assert (placed.amount, placed.commission) == (20_00, 1_00)


def test_a_looser_limit_takes_a_day_however_often_it_is_asked_for(house: TestHouse) -> None:
    ann = house.person("ann")
    tight, loose = Limits(loss=10_00, minutes=30), Limits(loss=90_00)
    house.ok(orders.SetLimits(person=ann, limits=tight), ann)
    house.ok(orders.SetLimits(person=ann, limits=loose), ann)
    house.wait(24 * 3600 - 1)
    house.ok(orders.SetLimits(person=ann, limits=loose), ann)
    assert house.house.account(ann).limits_at(house.at + timedelta(seconds=1)) == tight, "it begins anew"
    house.ok(orders.SetLimits(person=ann, limits=tight), ann)
    assert house.house.account(ann).limits_at(house.at + timedelta(days=3)) == tight, "thought better of it"


def test_without_a_limit_is_looser_than_any(house: TestHouse) -> None:
    ann = house.person("ann")
    house.ok(orders.SetLimits(person=ann, limits=Limits(loss=0, minutes=0)), ann)
    house.ok(orders.SetLimits(person=ann, limits=Limits()), ann)
    account = house.house.account(ann)
    assert account.limits_at(house.at) == Limits(0, 0)
    assert account.limits_at(house.at + timedelta(days=1)) == Limits()


def test_a_limit_of_nothing_lets_nobody_bet(house: TestHouse) -> None:
    table, ann = house.dealt_table(CRAPS), house.person("ann")
    house.ok(orders.SetLimits(person=ann, limits=Limits(loss=0)), ann)
    seated(house, ann, table)
    assert house.refused(bet(table, "1.00"), ann) == "loss_limit_reached"
    house.ok(orders.SetLimits(person=ann, limits=Limits(loss=0, minutes=0)), ann)
    assert house.refused(bet(table, "1.00"), ann) == "time_limit_reached"


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        (Limits(loss=-1), "limit_negative"),
        (Limits(minutes=-1), "limit_negative"),
        (Limits(minutes=MOST_MINUTES + 1), "limit_too_large"),
        (Limits(minutes=10**18), "limit_too_large"),
        (Limits(loss=MOST_LOSS + 1), "limit_too_large"),
    ],
)
def test_a_limit_that_makes_no_sense(house: TestHouse, limits: Limits, code: str) -> None:
    ann = house.person("ann")
    assert house.refused(orders.SetLimits(person=ann, limits=limits), ann) == code


def test_the_loss_of_a_day_is_forgotten_at_midnight_where_the_house_stands(house: TestHouse) -> None:
    table = house.dealt_table(CRAPS)
    ann, dora = house.person("ann"), posted(house, house.person("dora", "dealer"), table)
    house.ok(orders.SetLimits(person=ann, limits=Limits(loss=10_00)), ann)
    seated(house, ann, table)
    house.ok(bet(table, "10.00", "field"), ann)
    assert house.say(table, dora, "roll", dice=[3, 4])["ok"]
    house.ok(orders.GetUp(table=table), ann)
    midnight = datetime.fromisoformat("2026-11-16T00:00:00+11:00")
    house.at = midnight - timedelta(seconds=1)
    assert house.refused(bet(table, "1.00"), ann) == "not_at_table"
    seated(house, ann, table)
    assert house.refused(bet(table, "1.00"), ann) == "loss_limit_reached"
    house.ok(orders.GetUp(table=table), ann)
    house.at = midnight + timedelta(days=1)
    seated(house, ann, table)
    house.ok(bet(table, "10.00"), ann)
    assert played(house.house.account(ann), house.at) == timedelta()


# Several processes: what was decided by something that has changed elsewhere is decided again


@pytest.mark.parametrize(
    ("meanwhile", "by", "code"),
    [
        (orders.Exclude(person="ann"), "ann", "excluded"),
        (orders.SetLimits(person="ann", limits=Limits(loss=5_00)), "ann", "loss_limit_reached"),
        (orders.EndCard(person="ann"), None, "no_player_card"),
        (orders.ChangeRoles(person="ann", roles=("dealer",)), None, "not_at_table"),
    ],
)
def test_what_another_process_has_stored_about_a_player_counts_at_once(
    house: TestHouse, meanwhile: orders.Order, by: str | None, code: str
) -> None:
    table = house.dealt_table(CRAPS)
    ann = seated(house, house.person("ann"), table)
    other = TestHouse(house.store)
    other.ok(meanwhile, by)
    assert house.refused(bet(table), ann) == code, "although this process had not heard of it"


def test_chips_at_two_tables_in_two_processes_are_lost_only_once(house: TestHouse) -> None:
    one, two = house.dealt_table(CRAPS, "one"), house.dealt_table(CRAPS, "two")
    ann = house.person("ann")
    house.ok(orders.SetLimits(person=ann, limits=Limits(loss=30_00)), ann)
    seated(house, ann, one)
    seated(house, ann, two)
    other = TestHouse(house.store)
    other.load("table/one")
    other.load("table/two")
    other.load("account/ann")
    house.ok(bet(one, "30.00"), ann)
    assert other.refused(bet(two, "30.00"), ann) == "loss_limit_reached"


def test_a_role_that_another_process_has_taken_away_acts_no_longer(house: TestHouse) -> None:
    table = house.dealt_table(CRAPS)
    dora = posted(house, house.person("dora", "dealer"), table)
    TestHouse(house.store).ok(orders.ChangeRoles(person=dora, roles=("player",)))
    assert house.say(table, dora, "roll", dice=[1, 2])["code"] == "not_at_table"


def test_an_order_that_changes_nothing_is_carried_out(house: TestHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    table = house.dealt_table(CRAPS)
    before = house.house.head("table/dealt")
    nothing = Outcome({"table/dealt": []})
    monkeypatch.setattr(orders.LeavePost, "decide", lambda order, scene: nothing)
    dora = house.person("dora", "dealer")
    house.published.clear()
    order = house.order(orders.LeavePost(table=table), dora, key="k1")
    assert house.carry_out(order) == Done(ok=True, versions={})
    assert (house.house.head("table/dealt"), house.published) == (before, [])
    late = house.decide(house.order(orders.LeavePost(table=table), dora))
    TestHouse(house.store).ok(orders.ChangeRoles(person=dora, roles=("dealer", "player")))
    assert isinstance(house.store.commit([late.write])[0], Conflict)


# Tables that close


@pytest.mark.parametrize("wager", ["field", "win_line"])
def test_a_closing_table_with_nothing_left_to_decide_waits_to_be_closed(house: TestHouse, wager: str) -> None:
    """No throw is due then, and a round that would have no throw is cancelled instead of closed."""
    table = house.clock_table(CRAPS)
    sue, ann = posted(house, house.person("sue", "supervisor"), table, "supervisor"), house.person("ann")
    sign = house.say(table, sue, "post_closing_sign", time=(house.at + timedelta(minutes=25)).isoformat())
    assert sign["ok"], sign
    house.wait(25 * 60)
    seated(house, ann, table)
    house.wait(1)
    house.ok(bet(table, wager=wager), ann)
    assert house.say(table, sue, "close_table")["ok"]
    assert house.house.table(table).game.facts["table"] == "closing"
    house.ok(orders.Say(table=table, line={"do": "take", "wager": wager}), ann)
    house.wait(300)
    happened = house.events("table/clock")
    assert isinstance(happened[-1], events.RoundCancelled)
    assert [event.number for event in happened if isinstance(event, events.RoundOpened)] == [1]
    assert house.house.due() == []
    assert house.say(table, sue, "close_table")["ok"]
    assert house.say(table, sue, "reopen_table")["ok"]
    house.wait(1)
    house.ok(msgspec.structs.replace(bet(table, wager=wager), round=2), ann)


@pytest.mark.parametrize("book", ids())
def test_what_is_done_aside_has_no_effect_that_the_throw_could_depend_on(book: str) -> None:
    """Signs, people, disputes and payments are all outside the game; anything else with an effect is part of it."""
    topics = {topic.__name__ for topic in (signs, people, disputes, payments)}
    around = {name for name, effect in EFFECTS.items() if effect.__module__ in topics}
    acts = SHELF.book(book).conduct.acts
    assert {act.id for act in acts if act.effect and act.aside} == {act.id for act in acts if act.effect in around}
    thrown = {"throw", "result", "dice", "shooter", "play stopped", "set", "missing", "chosen", "pressed", "tumbled"}
    touching = [act.id for act in acts if act.aside and thrown & {*act.sets, *act.adds, *act.clears}]
    assert touching == ["reopen_table"]  # a table that was closed restarts


def test_what_is_done_aside_in_one_book_is_so_in_every_book() -> None:
    marks: dict[str, set[bool]] = {}
    for book in ids():
        for act in SHELF.book(book).conduct.acts:
            marks.setdefault(act.id, set()).add(act.aside)
    assert [act for act, found in marks.items() if len(found) > 1] == []


@pytest.mark.clause("craps-nsw-2024", "10.4", "10.4.1", "10.4.2")
def test_who_used_a_device_is_excluded_from_a_table_that_runs_by_itself(house: TestHouse) -> None:
    table = house.clock_table(CRAPS)
    sue = posted(house, house.person("sue", "supervisor"), table, "supervisor")
    ann = house.person("ann")
    before = house.house.account(ann).chips
    seated(house, ann, table)
    house.wait(1)
    house.ok(bet(table), ann)
    for act, fields in (
        ("find_device", {"person": ann}),
        ("void_wagers", {"player": ann}),
        ("exclude_from_game", {"person": ann}),
    ):
        told = house.say(table, sue, act, **fields)
        assert told["ok"], told
    assert house.refused(bet(table), ann) == "not_at_table"
    assert house.house.table(table).game.chips == {}
    assert house.house.account(ann).chips == before, "the chips in hand are the account's again"
    assert house.refused(orders.Sit(table=table, cents=10_00), ann) == "excluded_from_game"


@pytest.mark.clause("craps-nsw-2024", "10.4.2")
def test_who_is_excluded_leaves_a_table_that_runs_by_itself_with_the_last_decision(house: TestHouse) -> None:
    table = house.clock_table(CRAPS)
    sue = posted(house, house.person("sue", "supervisor"), table, "supervisor")
    ben = house.person("ben")
    before = house.house.account(ben).chips
    ann, ben = seated(house, house.person("ann"), table), seated(house, ben, table)
    house.wait(1)
    house.ok(bet(table), ben)
    for act in ("find_device", "exclude_from_game"):
        assert house.say(table, sue, act, person=ben)["ok"]
    assert house.refused(bet(table), ben) == "excluded_from_game"
    house.wait(600)
    assert [event for event in house.events("table/clock") if isinstance(event, Thrown)], "it goes on"
    assert set(house.house.table(table).game.chips) == {ann}
    assert house.house.account(ben).chips in (before - 10_00, before + 10_00)


@pytest.mark.clause("craps-nsw-2024", "10.4.3")
def test_who_is_excluded_from_the_casino_at_one_table_plays_at_none_until_it_is_withdrawn(house: TestHouse) -> None:
    one, other = house.clock_table(CRAPS), house.dealt_table(CRAPS, "other")
    sue = posted(house, house.person("sue", "supervisor"), one, "supervisor")
    ann, ben = (seated(house, house.person(name), one) for name in ("ann", "ben"))
    for person in (ann, ben, "somebody without an account"):
        assert house.say(one, sue, "find_device", person=person)["ok"]
        assert house.say(one, sue, "exclude_from_casino", person=person)["ok"]
    assert house.refused(orders.Sit(table=other, cents=10_00), ann) == "excluded"
    assert house.say(one, sue, "withdraw_exclusion", person=ann, why="a hearing aid")["ok"]
    assert house.say(one, sue, "withdraw_device", person=ben, why="a hearing aid")["ok"]
    for person in (ann, ben):
        house.ok(orders.Sit(table=other, cents=10_00), person)


@pytest.mark.clause("craps-nsw-2024", "10.4.2")
def test_who_is_excluded_from_a_game_may_play_at_another_table(house: TestHouse) -> None:
    one, other = house.clock_table(CRAPS), house.dealt_table(CRAPS, "other")
    sue = posted(house, house.person("sue", "supervisor"), one, "supervisor")
    ann = seated(house, house.person("ann"), one)
    for act in ("find_device", "exclude_from_game"):
        assert house.say(one, sue, act, person=ann)["ok"]
    house.ok(orders.Sit(table=other, cents=10_00), ann)


def test_somebody_sits_down_at_a_place_of_the_table(house: TestHouse) -> None:
    table = house.dealt_table(CRAPS, "dealt")
    ann, ben = house.person("ann"), house.person("ben")
    house.ok(orders.Sit(table=table, cents=10_00, place=2), ann)
    assert house.refused(orders.Sit(table=table, cents=10_00, place=2), ben) == "place_taken"
    house.ok(orders.Sit(table=table, cents=10_00, place=1), ben)
    assert house.house.table(table).game.seats == (ben, ann)


def test_players_dispute_at_a_table_that_runs_by_itself(house: TestHouse) -> None:
    table = house.clock_table(CRAPS)
    sue = posted(house, house.person("sue", "supervisor"), table, "supervisor")
    ann = seated(house, house.person("ann"), table)
    house.wait(1)
    assert house.say(table, ann, "raise_dispute", case="d1", about="the total")["ok"]
    decided = house.say(table, sue, "decide_dispute", case="d1", decision="it stands")
    assert decided["ok"], decided


# What staff do for players


def test_a_dealer_sells_no_chips_to_somebody_who_may_not_play(house: TestHouse) -> None:
    table = house.dealt_table(CRAPS)
    ann, dora = seated(house, house.person("ann"), table), posted(house, house.person("dora", "dealer"), table)
    sold = orders.Say(table=table, line={"do": "sell_chips", "player": ann, "amount": "50.00", "means": "cash"})
    house.ok(sold, dora)
    assert house.house.account(ann).chips == 850_00
    house.ok(orders.Exclude(person=ann), ann)
    assert house.refused(sold, dora) == "excluded"


def test_a_wager_that_a_dealer_places_as_it_was_spoken_counts_for_the_limit(house: TestHouse) -> None:
    table = house.dealt_table(SIC_BO)
    ann, dora = seated(house, house.person("ann"), table), posted(house, house.person("dora", "dealer"), table)
    told = house.say(table, ann, "declare_wager", amount="40.00", wager="small")
    assert told["ok"], told
    house.ok(orders.SetLimits(person=ann, limits=Limits(loss=30_00)), ann)
    placed = house.say(table, dora, "place_declared", player=ann, wager="small")
    assert placed["code"] == "loss_limit_reached", placed


def test_a_wager_of_an_excluded_player_may_be_put_right_without_more_at_stake(house: TestHouse) -> None:
    table = house.dealt_table(SIC_BO)
    ann, dora = seated(house, house.person("ann"), table), posted(house, house.person("dora", "dealer"), table)
    house.ok(bet(table, "10.00", "small"), ann)
    house.ok(orders.Exclude(person=ann), ann)
    told = house.do(
        orders.Say(
            table=table, line={"do": "move_wager", "player": ann, "amount": "10.00", "wager": "small", "to": "big"}
        ),
        dora,
    )
    assert told["ok"], told


@pytest.mark.parametrize("word", ["take", "call"])
def test_players_touch_nobody_elses_wagers(house: TestHouse, word: str) -> None:
    table = house.dealt_table(CRAPS)
    ann, bob = seated(house, house.person("ann"), table), seated(house, house.person("bob"), table)
    house.ok(bet(table, wager="field"), bob)
    line = {"do": word, "wager": "field", "player": bob, "on": False}
    assert house.refused(orders.Say(table=table, line=line), ann) == "not_your_own"


def test_nobody_lets_themselves_in(house: TestHouse) -> None:
    mia, max_ = house.person("mia", "manager", "player"), house.person("max", "manager")
    house.ok(orders.Exclude(person=mia), max_)
    assert house.refused(orders.LetIn(person=mia), mia) == "own_exclusion"
    house.ok(orders.LetIn(person=mia), max_)


def test_nobody_is_called_like_the_house_itself(house: TestHouse) -> None:
    assert house.refused(orders.OpenAccount(person="house", name="House")) == "name_taken"


@pytest.mark.parametrize("reason", ["x" * 201, "a\nb"])
def test_a_reason_is_short_and_can_be_read(house: TestHouse, reason: str) -> None:
    house.person("ann")
    assert house.refused(orders.GrantChips(person="ann", cents=1, reason=reason)) == "bad_reason"


# Clocks that jump


def lose(house: TestHouse, cents: int) -> str | None:
    """Sit down, lose everything on one roll and leave; return the code if the bet is refused."""
    house.ok(orders.Sit(table="dealt", cents=cents), "ann")
    told = house.say("dealt", "ann", "bet", wager="small", amount=f"{cents // 100}.00")
    if told["ok"]:
        assert house.say("dealt", "dora", "no_more_bets")["ok"]
        assert house.say("dealt", "dora", "roll", dice=[6, 6, 5])["ok"]
    house.ok(orders.GetUp(table="dealt"), "ann")
    return None if told["ok"] else str(told["code"])


@pytest.fixture
def losing(house: TestHouse) -> TestHouse:
    house.dealt_table("sic-bo-nsw-2016")
    house.person("ann")
    posted(house, house.person("dora", "dealer"), "dealt")
    house.ok(orders.SetLimits(person="ann", limits=Limits(loss=100_00)), "ann")
    return house


def test_a_clock_that_is_put_back_a_day_forgives_no_loss(losing: TestHouse) -> None:
    assert lose(losing, 100_00) is None
    losing.at -= timedelta(days=1)
    assert lose(losing, 100_00) == "loss_limit_reached"


def test_a_clock_that_jumps_ahead_and_back_forgets_no_loss(losing: TestHouse) -> None:
    assert lose(losing, 100_00) is None
    losing.at += timedelta(days=3)
    losing.ok(orders.Sit(table="dealt", cents=1_00), "ann")
    losing.ok(orders.GetUp(table="dealt"), "ann")
    losing.at -= timedelta(days=3)
    assert lose(losing, 100_00) == "loss_limit_reached"


def test_a_win_by_the_clock_does_not_make_up_for_a_loss_on_the_day_that_the_table_has_reached(
    losing: TestHouse,
) -> None:
    losing.ok(orders.Sit(table="dealt", cents=500_00), "ann")
    losing.ok(bet("dealt", "100.00", "big"), "ann")
    losing.say("dealt", "dora", "no_more_bets")
    assert losing.say("dealt", "dora", "roll", dice=[6, 6, 5])["ok"]
    losing.ok(orders.GetUp(table="dealt"), "ann")
    losing.at += timedelta(days=1)
    losing.ok(orders.Sit(table="dealt", cents=1_00), losing.person("bob"))
    losing.at -= timedelta(days=1)
    losing.ok(orders.Sit(table="dealt", cents=500_00), "ann")
    assert losing.refused(bet("dealt", "101.00", "big"), "ann") == "loss_limit_reached"
    losing.ok(bet("dealt", "100.00", "big"), "ann")


def test_a_visit_that_ends_before_it_began_takes_no_time_off_another(house: TestHouse) -> None:
    house.dealt_table("craps-nsw-2024", "one")
    house.dealt_table("craps-nsw-2024", "two")
    house.person("ann")
    house.ok(orders.SetLimits(person="ann", limits=Limits(minutes=60)), "ann")
    house.ok(orders.Sit(table="one", cents=100_00), "ann")
    house.at -= timedelta(hours=3)
    house.ok(orders.GetUp(table="one"), "ann")
    house.ok(orders.Sit(table="two", cents=100_00), "ann")
    house.at += timedelta(minutes=61)
    assert house.refused(bet("two"), "ann") == "time_limit_reached"


# At a table that runs by itself, and after a throw


@pytest.mark.parametrize("book", ids())
def test_where_no_dealer_is_needed_none_lays_a_wager_for_somebody(house: TestHouse, book: str) -> None:
    house.clock_table(book)
    seated(house, house.person("ann"), "clock")
    for person, role in (("dora", "dealer"), ("sam", "supervisor"), ("mia", "manager")):
        posted(house, house.person(person, role), "clock", role)
    house.wait(1)
    wager = "heads" if book.startswith("two-up") else "big" if book.startswith("sic-bo") else "field"
    for person in ("dora", "sam", "mia"):
        told = house.say("clock", person, "bet", player="ann", wager=wager, amount="5.00")
        assert told["code"] == "runs_by_itself", told
    assert house.say("clock", "ann", "bet", wager=wager, amount="5.00")["ok"]


def test_who_rolls_hears_at_once_what_was_called(losing: TestHouse) -> None:
    seated(losing, "ann", "dealt")
    assert losing.say("dealt", "ann", "bet", wager="small", amount="5.00") == Done(ok=True, versions={"table/dealt": 5})
    assert losing.say("dealt", "dora", "roll", dice=[1, 2, 3])["calls"] == ["no result"]
    assert losing.say("dealt", "dora", "no_more_bets")["calls"] == ["no more bets"]
    assert losing.say("dealt", "dora", "roll", dice=[1, 2, 3])["calls"] == ["1 2 3, 6", "place your bets"]


def test_a_version_that_is_to_come_is_not_one_that_was(losing: TestHouse) -> None:
    for version, says in ((99, "not at 99."), (1, "not at 1 any more.")):
        told = losing.do(orders.GetUp(table="dealt", version=version), "ann")
        assert told["code"] == "table_moved_on"
        assert str(told["message"]).endswith(says)
