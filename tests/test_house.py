"""The house without its machinery: accounts, seats, lines, automatic tables, what is refused and why."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest

from croupier.house import events, orders
from croupier.house.electronic.fair_dice import commitment, drawn, mixed
from croupier.house.events import Limits
from croupier.house.names import ROLES, titles
from croupier.house.stored_events import UnknownFormat, decode, stamp
from croupier.rulebooks import ids
from croupier.store.records import Conflict
from croupier.table.events import AreaSettled, Thrown, WagerPlaced
from tests.houses import NOON, SHELF, TestHouse

CRAPS = "craps-nsw-2024"


@pytest.fixture
def house() -> TestHouse:
    return TestHouse()


def bet(table: str, amount: str = "10.00", wager: str = "win_line", **more: object) -> orders.Say:
    return orders.Say(table=table, line={"do": "bet", "wager": wager, "amount": amount, **more})


# Chips


def test_chips_go_to_a_table_and_come_back(house: TestHouse) -> None:
    ann, table = house.person("ann", cents=500_00), house.clock_table(CRAPS)
    house.ok(orders.Sit(table=table, cents=200_00), ann)
    assert (house.house.account(ann).chips, house.house.table(table).game.chips) == (300_00, {"ann": 200_00})
    house.ok(orders.BuyIn(table=table, cents=100_00), ann)
    assert (house.house.account(ann).chips, house.house.table(table).game.chips) == (200_00, {"ann": 300_00})
    house.ok(orders.GetUp(table=table), ann)
    assert (house.house.account(ann).chips, house.house.table(table).game.chips) == (500_00, {})


def test_nobody_brings_more_than_the_account_has(house: TestHouse) -> None:
    ann, table = house.person("ann", cents=500_00), house.clock_table(CRAPS)
    assert house.refused(orders.Sit(table=table, cents=500_01), ann) == "not_enough_in_account"
    assert house.refused(orders.Sit(table=table, cents=0), ann) == "amount_not_positive"
    house.ok(orders.Sit(table=table, cents=500_00), ann)
    assert house.refused(orders.BuyIn(table=table, cents=1), ann) == "not_enough_in_account"


def test_who_has_a_wager_standing_stays(house: TestHouse) -> None:
    ann, table = house.person("ann"), house.clock_table(CRAPS)
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    assert house.refused(bet(table), ann) == "bets_shut", "nothing is committed to yet"
    house.wait(1)
    house.ok(bet(table), ann)
    assert house.refused(orders.GetUp(table=table), ann) == "wagers_standing"


# Tables that run by themselves


@pytest.mark.parametrize("book", ids())
def test_a_newcomer_plays_alone_at_a_table_that_runs_by_itself(house: TestHouse, book: str) -> None:
    wager = {"sic-bo-nsw-2016": "small", "two-up-nsw-2016": "heads"}.get(book, "field")
    ann, table = house.person("ann"), house.clock_table(book)
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    rounds = 0
    for _ in range(20):
        house.until(lambda: house.house.table(table).round is not None and not house.house.table(table).is_shut)
        if house.house.table(table).game.bets_open and not house.house.table(table).game.layout:
            house.ok(bet(table, "1.00", wager), ann)
            rounds += 1
        number = house.house.table(table).rounds
        house.until(lambda number=number: house.house.table(table).rounds > number)  # type: ignore[misc]
    happened = house.events("table/clock")
    settled = [event for event in happened if isinstance(event, AreaSettled)]
    assert rounds >= 5
    assert len(settled) >= rounds - 1
    drawn_faces = [event.faces for event in happened if isinstance(event, events.DiceDrawn)]
    assert drawn_faces == [event.faces for event in happened if isinstance(event, Thrown)]
    assert len(drawn_faces) >= 20


def test_the_steps_of_a_round_come_at_their_time(house: TestHouse) -> None:
    ann, table = house.person("ann"), house.clock_table(CRAPS)
    house.wait(60)
    assert house.house.table(table).round is None, "it waits for somebody to sit down"
    start = house.at
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    house.wait(60)
    times = [
        (type(decode(record.document).event).__name__, record.document)
        for record in house.store.read("table/clock")
        if isinstance(
            decode(record.document).event, events.RoundOpened | events.LastCalled | events.BetsShut | events.DiceDrawn
        )
    ]
    told = [(name, decode(document).at) for name, document in times[:5]]
    assert told == [
        ("RoundOpened", stamp(start)),
        ("LastCalled", stamp(start + timedelta(seconds=15))),
        ("BetsShut", stamp(start + timedelta(seconds=20))),
        ("DiceDrawn", stamp(start + timedelta(seconds=21))),
        ("RoundOpened", stamp(start + timedelta(seconds=27))),
    ]


def test_what_falls_follows_from_the_secret_and_the_numbers(house: TestHouse) -> None:
    ann, table = house.person("ann"), house.clock_table(CRAPS)
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    house.wait(300)
    records = house.store.read("table/clock")
    shut = {}
    commitments = {}
    checked = 0
    for record in records:
        match decode(record.document).event:
            case events.RoundOpened(number=number, commitment=given):
                commitments[number] = given
            case events.BetsShut(number=number):
                shut[number] = record.hash
            case events.DiceDrawn(number=number, secret=secret, shut=hashed, faces=faces):
                assert hashed == shut[number].hex()
                assert commitments[number] == commitment("clock", number, bytes.fromhex(secret))
                assert faces == drawn(bytes.fromhex(secret), mixed("clock", number, []), [1, 2, 3, 4, 5, 6], 2)
                checked += 1
    assert checked >= 10
    assert [secret.name for secret in house.store.secrets("dice/")] == [f"dice/clock/{len(commitments)}"]


def test_after_a_crash_the_round_goes_on_with_the_same_dice(house: TestHouse) -> None:
    ann, table = house.person("ann"), house.clock_table(CRAPS)
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    house.until(lambda: house.house.table(table).is_shut)
    before = house.house.table(table)
    assert before.round is not None
    assert before.round.shut is not None
    house.restart()
    house.seed = "another"
    house.load("table/clock")
    assert house.house.table(table) == before
    secret = house.store.secret("dice/clock/1")
    assert secret is not None
    house.wait(2)
    shown = next(event for event in house.events("table/clock") if isinstance(event, events.DiceDrawn))
    assert shown.faces == drawn(secret, mixed("clock", 1, []), [1, 2, 3, 4, 5, 6], 2)


def test_no_bets_once_they_are_shut_nor_for_another_round(house: TestHouse) -> None:
    ann, table = house.person("ann"), house.clock_table(CRAPS)
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    house.wait(1)
    late = msgspec.structs.replace(bet(table), round=7)
    assert house.refused(late, ann) == "round_over"
    house.ok(msgspec.structs.replace(bet(table), round=1), ann)
    house.until(lambda: house.house.table(table).is_shut)
    assert house.refused(bet(table), ann) == "bets_shut"
    assert house.refused(orders.Say(table=table, line={"do": "take", "wager": "win_line"}), ann) == "bets_shut"


@pytest.mark.parametrize("word", ["roll", "no_more_bets", "spin", "void", "find", "overrule_call", "offer"])
def test_nobody_throws_or_voids_where_the_clock_does(house: TestHouse, word: str) -> None:
    table = house.clock_table(CRAPS)
    dora = house.person("dora", "dealer")
    house.ok(orders.TakePost(table=table, role="dealer"), dora)
    assert house.refused(orders.Say(table=table, line={"do": word, "dice": [1, 2]}), dora) == "runs_by_itself"
    assert house.refused(orders.Say(table=table, line={"do": "rol"}), dora) == "unknown_command"


def test_a_round_of_a_table_that_is_closed_is_cancelled_and_shown(house: TestHouse) -> None:
    ann, sue, table = house.person("ann"), house.person("sue", "supervisor"), house.clock_table(CRAPS)
    house.ok(orders.TakePost(table=table, role="supervisor"), sue)
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    house.wait(1)
    house.ok(orders.GetUp(table=table), ann)
    assert house.say(table, sue, "close_table")["ok"]
    house.wait(60)
    last = house.events("table/clock")[-1]
    assert isinstance(last, events.RoundCancelled)
    assert house.house.table(table).round is None
    assert house.store.secrets("dice/") == []


def test_what_is_not_public_cannot_be_guessed_from_its_digest(house: TestHouse) -> None:
    ann, table = house.person("ann"), house.clock_table(CRAPS)
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    house.wait(1)
    house.ok(bet(table), ann)
    house.wait(60)
    documents = [decode(record.document) for record in house.store.read("table/clock")]
    salts = [document.salt for document in documents if isinstance(document.event, WagerPlaced)]
    assert [len(salt or "") for salt in salts] == [32]
    assert all(document.salt is None for document in documents if isinstance(document.event, events.BetsShut))


# Tables that people run


def test_a_dealer_throws_under_the_title_that_the_book_gives(house: TestHouse) -> None:
    ann, dora, table = house.person("ann"), house.person("dora", "dealer"), house.dealt_table(CRAPS)
    assert house.say(table, dora, "roll", dice=[3, 4])["code"] == "not_at_table"
    house.ok(orders.TakePost(table=table, role="dealer"), dora)
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    house.ok(bet(table), ann)
    assert house.say(table, dora, "roll", dice=[3, 4])["ok"]
    last = decode(house.store.read("table/dealt")[-2].document)
    assert (last.who, last.role, last.order) == ("dora", "stickperson", "order-10")
    assert house.house.table(table).game.chips == {"ann": 110_00}
    assert house.say(table, ann, "roll", dice=[3, 4])["code"] == "not_permitted"


def test_who_runs_a_table_does_not_play_at_it(house: TestHouse) -> None:
    kim, table = house.person("kim", "dealer", "player"), house.dealt_table(CRAPS)
    house.ok(orders.TakePost(table=table, role="dealer"), kim)
    assert house.refused(orders.Sit(table=table, cents=100_00), kim) == "staff_cannot_play"
    house.ok(orders.LeavePost(table=table), kim)
    house.ok(orders.Sit(table=table, cents=100_00), kim)
    assert house.refused(orders.TakePost(table=table, role="dealer"), kim) == "staff_cannot_play"


def test_a_title_that_is_not_theirs_is_refused(house: TestHouse) -> None:
    dora, table = house.person("dora", "dealer"), house.dealt_table(CRAPS)
    house.ok(orders.TakePost(table=table, role="dealer"), dora)
    told = house.do(orders.Say(table=table, line={"do": "roll", "dice": [1, 2], "as": "gaming manager"}), dora)
    assert told["code"] == "not_your_title"


def test_players_bet_for_nobody_else(house: TestHouse) -> None:
    ann, bob, table = house.person("ann"), house.person("bob"), house.dealt_table(CRAPS)
    for player in (ann, bob):
        house.ok(orders.Sit(table=table, cents=100_00), player)
    assert house.refused(bet(table, player="bob"), ann) == "not_your_own"


@pytest.mark.parametrize("book", ids())
def test_every_book_has_titles_for_players_dealers_supervisors_and_operators(book: str) -> None:
    conduct = SHELF.book(book).conduct
    assert all(titles(conduct, role) for role in ("player", "dealer", "supervisor", "manager", "operator"))
    given = {title for role in ROLES for title in titles(conduct, role)}
    assert set(conduct.role_ids) - given <= {"spectator"}


# Who may what


def test_every_order_says_who_may_give_it_and_what_it_decides() -> None:
    assert {order.__name__ for order in orders.ORDERS} <= set(orders.__all__)
    assert len({order.tag() for order in orders.ORDERS}) == len(orders.ORDERS)
    for order in orders.ORDERS:
        assert order.permits, order
        assert order.decide is not orders.Order.decide, order


def test_only_a_table_in_memory_that_runs_by_itself_has_a_step_due(house: TestHouse) -> None:
    dealt, clock = house.dealt_table("craps-nsw-2024"), house.clock_table("craps-nsw-2024")
    ann = house.person("ann")
    house.ok(orders.Sit(table=dealt, cents=10_00), ann)
    assert house.house.due() == []
    house.ok(orders.Sit(table=clock, cents=10_00), ann)
    assert [table for _, table in house.house.due()] == [clock]
    house.house.forget(f"table/{clock}")
    assert (house.house.due(), [state.name for state in house.house.tables()]) == ([], [dealt])
    house.load(f"table/{clock}")
    assert [table for _, table in house.house.due()] == [clock]


def test_roles_are_asked_before_anything_else(house: TestHouse) -> None:
    ann = house.person("ann")
    assert house.refused(orders.GrantChips(person="ann", cents=1, reason="please"), ann) == "not_allowed"
    assert house.refused(orders.RunOn(table="nowhere"), ann) == "not_allowed"
    assert house.refused(orders.Sit(table="nowhere", cents=1), ann) == "no_such_table"
    assert house.refused(orders.Sit(table="nowhere", cents=1), "nobody") == "unknown_person"
    assert house.refused(orders.SetLimits(person="bob", limits=Limits(loss=1)), ann) == "not_allowed"


def test_one_card_for_one_person(house: TestHouse) -> None:
    house.person("ann")
    assert house.refused(orders.IssueCard(person="ann")) == "card_already"
    house.ok(orders.EndCard(person="ann"))
    assert house.refused(orders.EndCard(person="ann")) == "no_card"


IMPOSSIBLE = ["", "Ann", "-ann", "ann-", "a" * 41, "ann/../bob", "ann\n"]


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_name_that_would_not_do(house: TestHouse, name: str) -> None:
    assert house.refused(orders.OpenAccount(person=name, name="Ann")) == "bad_name"


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_nothing_is_looked_for_under_a_name_that_nothing_can_have(house: TestHouse, name: str) -> None:
    ann, dora = house.person("ann"), house.person("dora", "dealer")
    in_memory = len(house.house)
    assert house.refused(orders.Sit(table=name, cents=1), ann) == "no_such_table"
    assert house.refused(orders.GetUp(table=name), dora) == "not_allowed"
    assert house.refused(orders.GrantChips(person=name, cents=1, reason="please")) == "unknown_person"
    assert len(house.house) == in_memory
    assert len(house.store.refusals()) == 2  # of the two whom the house knows, as any other refusal


# Limits


def test_a_loss_limit_counts_what_could_still_be_lost(house: TestHouse) -> None:
    ann, table = house.person("ann"), house.dealt_table(CRAPS)
    house.ok(orders.SetLimits(person="ann", limits=Limits(loss=30_00)), ann)
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    house.ok(bet(table, "30.00"), ann)
    assert house.refused(bet(table, "1.00"), ann) == "loss_limit_reached"


def test_a_tighter_limit_holds_at_once_and_a_looser_one_after_a_day(house: TestHouse) -> None:
    ann = house.person("ann")
    house.ok(orders.SetLimits(person="ann", limits=Limits(loss=50_00, minutes=60)), ann)
    house.ok(orders.SetLimits(person="ann", limits=Limits(loss=20_00, minutes=90)), ann)
    account = house.house.account(ann)
    assert account.limits_at(house.at) == Limits(20_00, 60)
    assert account.limits_at(house.at + timedelta(hours=24) - timedelta(seconds=1)) == Limits(20_00, 60)
    assert account.limits_at(house.at + timedelta(hours=24)) == Limits(20_00, 90)


def test_the_time_of_play_is_counted_over_all_visits_of_a_day(house: TestHouse) -> None:
    ann, table = house.person("ann"), house.dealt_table(CRAPS)
    house.ok(orders.SetLimits(person="ann", limits=Limits(minutes=30)), ann)
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    house.wait(20 * 60)
    house.ok(orders.GetUp(table=table), ann)
    house.wait(3600)
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    house.wait(9 * 60)
    house.ok(bet(table), ann)
    house.wait(60)
    assert house.refused(bet(table), ann) == "time_limit_reached"
    house.wait(24 * 3600)
    assert house.refused(bet(table), ann) == "time_limit_reached", "a visit that goes on counts wholly for both days"


def test_who_is_excluded_does_not_play_until_it_ends(house: TestHouse) -> None:
    ann, mia, table = house.person("ann"), house.person("mia", "manager"), house.dealt_table(CRAPS)
    tomorrow = (NOON + timedelta(days=1)).isoformat()
    house.ok(orders.Exclude(person="ann", until=tomorrow), ann)
    assert house.refused(orders.Sit(table=table, cents=100_00), ann) == "excluded"
    assert house.refused(orders.LetIn(person="ann"), mia) == "own_exclusion"
    house.wait(24 * 3600)
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    house.ok(orders.Exclude(person="ann"), mia)
    assert house.refused(bet(table), ann) == "excluded"
    house.ok(orders.LetIn(person="ann"), mia)
    house.ok(bet(table), ann)


# Writing


def test_the_same_key_gives_the_first_answer_and_is_done_once(house: TestHouse) -> None:
    ann, table = house.person("ann"), house.dealt_table(CRAPS)
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    first = house.do(bet(table), ann, key="k1")
    assert house.do(bet(table), ann, key="k1") == first
    assert house.house.table(table).game.chips == {"ann": 90_00}
    other = house.do(bet(table, "20.00"), ann, key="k1")
    assert other["code"] == "key_used"
    house.ok(bet(table, "20.00"), ann, key="k2")
    assert house.house.table(table).game.chips == {"ann": 70_00}


def test_a_refusal_is_an_answer_too_and_is_kept_apart(house: TestHouse) -> None:
    ann, table = house.person("ann"), house.dealt_table(CRAPS)
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    first = house.do(bet(table, "1000.00"), ann, key="k1")
    assert first["code"] == "not_enough_chips"
    house.ok(orders.BuyIn(table=table, cents=900_00), ann)
    assert house.do(bet(table, "1000.00"), ann, key="k1") == first
    kept = [msgspec.json.decode(refusal.document) for refusal in house.store.refusals()]
    assert [(one["who"], one["code"], one["deed"]["line"]["amount"]) for one in kept] == [
        ("ann", "not_enough_chips", "1000.00")
    ]


def test_a_late_click_does_not_overwrite_what_is_newer(house: TestHouse) -> None:
    ann, table = house.person("ann"), house.dealt_table(CRAPS)
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    seen = house.house.head("table/dealt").version
    house.ok(msgspec.structs.replace(bet(table), version=seen), ann)
    assert house.refused(msgspec.structs.replace(bet(table), version=seen), ann) == "table_moved_on"


def test_decisions_stack_up_before_they_are_stored(house: TestHouse) -> None:
    ann, table = house.person("ann"), house.dealt_table(CRAPS)
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    waiting = [house.decide(house.order(bet(table, "40.00"), ann)) for _ in range(3)]
    assert house.house.table(table).game.chips == {"ann": 100_00}, "nobody sees what is not stored"
    replies = [
        house.house.settle(pending, outcome)
        for pending, outcome in zip(waiting, house.store.commit([one.write for one in waiting]), strict=True)
    ]
    assert [reply is not None and getattr(reply, "code", None) for reply in replies] == [None, None, "not_enough_chips"]
    assert house.house.table(table).game.chips == {"ann": 20_00}


def test_what_was_decided_on_top_of_a_failed_write_is_decided_again(house: TestHouse) -> None:
    ann, table = house.person("ann"), house.dealt_table(CRAPS)
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    first, second = (house.decide(house.order(bet(table, "60.00"), ann)) for _ in range(2))
    assert second.answer["code"] == "not_enough_chips"
    third = house.decide(house.order(bet(table, "30.00"), ann))
    house.house.failed(first)
    outcome = house.store.commit([third.write])[0]
    assert isinstance(outcome, Conflict)
    assert house.house.settle(third, outcome) is None
    assert house.carry_out(third.submission)["ok"]
    assert house.house.table(table).game.chips == {"ann": 70_00}


def test_another_process_is_noticed_and_followed(house: TestHouse) -> None:
    ann, table = house.person("ann"), house.dealt_table(CRAPS)
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    other = TestHouse(house.store)
    other.ok(bet(table, "60.00"), ann)
    house.load("table/dealt")
    assert house.house.table(table) == other.house.table(table)


def test_a_write_decided_on_another_past_of_the_same_length_never_lands(house: TestHouse) -> None:
    """Versions alone would not show it: another process also wrote one event, and our second one fits behind it."""
    ann, table = house.person("ann"), house.dealt_table(CRAPS)
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    first, second = (house.decide(house.order(bet(table, amount), ann)) for amount in ("30.00", "40.00"))
    other = TestHouse(house.store)
    other.ok(bet(table, "60.00"), ann)
    outcomes = house.store.commit([first.write, second.write])
    assert [type(outcome) for outcome in outcomes] == [Conflict, Conflict]


def test_it_is_published_once_it_is_stored_and_in_order(house: TestHouse) -> None:
    ann, table = house.person("ann"), house.dealt_table(CRAPS)
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    house.published.clear()
    waiting = [house.decide(house.order(bet(table), ann)) for _ in range(3)]
    assert house.published == []
    for pending, outcome in zip(waiting, house.store.commit([one.write for one in waiting]), strict=True):
        house.house.settle(pending, outcome)
    versions = [entry.version for stream, entry in house.published if stream == "table/dealt"]
    assert versions == [versions[0], versions[0] + 1, versions[0] + 2]
    assert all(isinstance(entry.document.event, WagerPlaced) for _, entry in house.published)


# Documents


def test_a_document_of_another_format_is_not_guessed_at() -> None:
    with pytest.raises(UnknownFormat, match="format 9"):
        decode(b'{"format":9,"at":"2026-01-01T00:00:00.000000Z","event":{"type":"exclusion_ended"}}')
    with pytest.raises(UnknownFormat, match="cannot be read"):
        decode(b"not JSON")


def test_a_table_is_the_same_after_a_restart(house: TestHouse) -> None:
    ann, table = house.person("ann"), house.clock_table(CRAPS)
    house.ok(orders.Sit(table=table, cents=100_00), ann)
    house.wait(1)
    house.ok(bet(table), ann)
    house.wait(200)
    before, account = house.house.table(table), house.house.account(ann)
    house.restart()
    house.load("table/clock")
    house.load("account/ann")
    assert (house.house.table(table), house.house.account(ann)) == (before, account)


def test_an_order_is_told_apart_by_what_it_asks_for() -> None:
    from croupier.house.house import digest

    assert digest(bet("t", "1.00")) == digest(bet("t", "1.00"))
    assert digest(bet("t", "1.00")) != digest(bet("t", "2.00"))
