"""Registers and returns: the content of each, to the byte, by the clock of each table."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from croupier.cli.main import main
from croupier.documents.document import Document as Printable
from croupier.documents.document import Table, Words
from croupier.documents.rendering import pdf_of
from croupier.house import events as house_events
from croupier.house import orders
from croupier.house.names import table_stream
from croupier.house.registers import NOTHING_YET, Registers, Scope, ScopeError, entries
from croupier.house.registers import register_files as sheet
from croupier.house.registers.promotion_rows import EVENTS
from croupier.house.registers.register_files import Followed, csv_of, name_of_file, pdf_of_register
from croupier.house.registers.register_rows import BY_ID, KINDS, PeriodError, Register, read_period
from croupier.house.stored_events import Document, Entry, encode
from croupier.prizes import events as prize_events
from croupier.rulebooks import ids
from croupier.rules.conduct import Register as RegisterOfActs
from croupier.rules.game import Terms
from croupier.rules.shelf import Shelf
from croupier.store.contract import CorruptStore
from croupier.store.exporting import export_to
from croupier.store.memory import MemoryStore
from croupier.store.opening import open_store
from croupier.store.records import Append, Write
from croupier.store.verifying import import_from
from croupier.table.commands import Settings
from croupier.table.events import Noted, RulesAdopted, TableOpened
from tests.houses import SHELF, TestHouse
from tests.promoting import Promoting
from tests.promotions import a_prize
from tests.registering import (
    CLAIMANT,
    CRAPS,
    NEW_ZEALAND,
    NOVEMBER,
    SIC_BO,
    SNAKES,
    Floor,
    an_evening,
    claimants,
    read,
    rows,
)

MARCH = "2026-03"


@pytest.fixture(scope="module")
def evening() -> Floor:
    return an_evening()


@pytest.fixture(scope="module")
def kept(evening: Floor) -> Registers:
    return evening.registers


def column(found: Iterable[dict[str, str]], name: str) -> list[str]:
    return [row[name] for row in found]


# -- which acts go where -----------------------------------------------------------------------------------------------

ACTS = {
    "wrong_payments": "report_mispayment enquire try_to_identify identify_patron contact_patron ask_return "
    "offer_reimbursement find_impractical reimburse give_back put_right_elsewhere tell_nicc month_end",
    "disputes": "raise_dispute decide_dispute ask_review review_dispute final_decision dissatisfied tell_right "
    "close_dispute complain receive_complaint games_supervisor_absent games_supervisor_back dispute_face decide_face "
    "operator_decides accept_decision report_error operator_decides_case",
    "exclusions": "report_device find_device void_wagers exclude_from_game exclude_from_casino detain hand_over "
    "withdraw_exclusion withdraw_device",
    "invalidated_outcomes": "find_invalid find_invalid_in_roll correct_result",
    "changes": "post_minimum_sign set_minimum set_maximum set_player_total set_unit remove_unit player_sign "
    "remove_player_sign limit_players lift_player_limit one_per_area several_per_area post_pay_table_sign "
    "remove_pay_table_sign withdraw_minimum_sign withdraw_closing_sign withdraw_final_call record_approval",
    "malfunctions_and_notices": "report_malfunction rectify notify_inspector introduce_procedures settle_streaks "
    "return_streaks replace_equipment report_interference",
}
REGISTER_OF = {act: register for register, acts in ACTS.items() for act in acts.split()}
# What a supervisor answers for at once, and what no register is asked for.
ALERTS_ALONE = {"declare_lost", "claim_agency", "claim_stake", "report_side_bet", "send_out", "post_closing_sign"} | {
    "report_count"
}


@pytest.mark.parametrize("book", ids())
def test_every_act_is_in_the_register_that_it_belongs_to(book: str) -> None:
    acts = SHELF.book(book).conduct.acts
    own = {} if book == CRAPS else dict.fromkeys(["reimburse", "put_right_elsewhere"], "disputes")  # no section 9
    assert {act.id: act.register for act in acts} == {act.id: (REGISTER_OF | own).get(act.id) for act in acts}


def test_every_act_of_the_list_is_in_some_book_and_every_alert_is_in_a_register_or_has_a_reason_not_to() -> None:
    acts = [act for book in ids() for act in SHELF.book(book).conduct.acts]
    assert {act.id for act in acts} >= set(REGISTER_OF)
    alerts = {act.id for act in acts if act.alert is not None}
    assert {act for act in alerts if act not in REGISTER_OF} == ALERTS_ALONE


def test_books_name_registers_that_there_are() -> None:
    assert set(get_args(RegisterOfActs)) == set(ACTS)
    assert set(ACTS) < set(BY_ID)


def test_a_book_that_names_another_register_is_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = tmp_path / "own.toml"
    lines = ["[book]", 'id = "own"', 'extends = "two-up-nsw-2016"', 'title = "Own"', "[conduct]", "[[conduct.acts]]"]
    lines += ['id = "wave"', 'by = ["dealer"]', 'clause = "9.8"', 'says = ["waves"]', 'register = "waves"']
    book.write_text("\n".join(lines), encoding="utf-8")
    assert main(["check", str(book)]) != 0
    assert "waves" in capsys.readouterr().err


def test_every_event_of_a_promotion_has_its_words() -> None:
    assert set(get_args(prize_events.AnyEvent)) - set(EVENTS) == set()
    assert {register for told in EVENTS.values() for register in told.registers} <= set(BY_ID)
    for told in EVENTS.values():
        wanted = {column.id for register in told.registers for column in BY_ID[register].columns}
        assert set(told.cells) <= wanted, told


# -- wrong payments ----------------------------------------------------------------------------------------------------


@pytest.mark.clause(CRAPS, "9.3.2")
def test_the_return_lists_every_single_wrong_payment_above_the_amount(kept: Registers) -> None:
    large, small = rows(kept, "monthly_return")
    assert (large["case"], large["way"], large["amount"], large["patron"]) == ("large", "overpaid", "1200.00", "nora")
    assert (large["finding"], large["standing"], large["no_credit"]) == ("unintentional", "open", "no credit given")
    assert (large["put_right"], large["returned"]) == ("no: 1000.00 is owing", "not made yet")
    assert (large["when"], large["where"], large["who"], large["title"], large["clause"]) == (
        "2026-11-15 12:00:01+11:00 AEDT",
        "craps-1",
        "dora",
        "dealer",
        "9.1",
    )
    assert (small["case"], small["amount"], small["patron"], small["finding"], small["no_credit"]) == (
        "just above",
        "1000.01",
        "unknown",
        "none yet",
        "",
    )


@pytest.mark.clause(CRAPS, "9.3.2")
def test_a_return_that_was_made_stays_as_it_was() -> None:
    floor = Floor(tables={"craps-1": CRAPS})
    floor.wrong_payment("a", "1200.00", player="nora")
    floor.says("craps-1", "sue", "enquire", case="a", finding="suspected intentional")
    before = msgspec.json.encode(floor.registers.register("monthly_return", read_period(NOVEMBER)))
    floor.house.at = datetime(2026, 12, 1, 3, tzinfo=UTC)
    floor.says("craps-1", "sue", "enquire", case="a", finding="unintentional")
    floor.wrong_payment("b", "5000.00")
    floor.says("craps-1", "otto", "month_end", month=NOVEMBER)
    made = csv_of(floor.registers.register("monthly_return", read_period(NOVEMBER)))
    [row] = rows(floor.registers, "monthly_return")
    assert (row["finding"], row["returned"], row["returned_by"]) == (
        "unintentional",
        "2026-12-01 14:00:03+11:00 AEDT",
        "otto, casino operator",
    )
    assert b"suspected intentional" in before
    floor.says("craps-1", "sue", "put_right_elsewhere", case="a")
    assert csv_of(floor.registers.register("monthly_return", read_period(NOVEMBER))) == made
    assert column(rows(floor.registers, "monthly_return", "2026-12"), "case") == ["b"]
    assert column(rows(floor.registers, "wrong_payments", "2026-12"), "what")[-1].startswith("records that a was put")


def test_without_a_return_a_case_stands_as_it_did_at_the_end_of_the_period() -> None:
    floor = Floor(tables={"craps-1": CRAPS})
    floor.wrong_payment("a", "1200.00", player="nora")
    floor.house.at = datetime(2026, 12, 1, 3, tzinfo=UTC)
    floor.says("craps-1", "nora", "give_back", case="a")
    assert column(rows(floor.registers, "monthly_return"), "put_right") == ["no: 1200.00 is owing"]
    assert column(rows(floor.registers, "monthly_return", "2026"), "put_right") == ["yes"]


def test_every_step_is_in_the_register_whatever_the_amount(kept: Registers) -> None:
    found = rows(kept, "wrong_payments")
    assert column(found, "case") == ["large", "just above", "exactly", "large", "large"]
    assert column(found, "due")[0] == "enquiry, remedy, return"
    assert found[2]["due"] == "enquiry, remedy", "exactly the amount is in no return"
    assert found[-1]["what"] == "gives back 200.00 of large"


# -- the others at tables ----------------------------------------------------------------------------------------------


def test_a_dispute_is_followed_to_its_complaint(kept: Registers) -> None:
    found = rows(kept, "disputes")
    assert [(row["who"], row["standing"]) for row in found[:-1]] == [
        ("nora", "raised"),
        ("sue", "decided"),
        ("otto", "final"),
        ("nora", "final, notice due"),
        ("sue", "final, notice given"),
        ("nora", "final, notice given, complaint lodged"),
        ("ivy", "final, notice given, complaint received"),
    ]
    assert {row["patron"] for row in found[:-1]} == {"nora"}
    assert (found[-1]["case"], found[-1]["decision"], found[-1]["clause"]) == ("the cloth", "green", "6.7")


def test_a_disputed_face_is_a_dispute() -> None:
    floor = Floor(tables={"craps-1": CRAPS})
    floor.says("craps-1", "nora", "bet", wager="win_line", amount="10.00")
    floor.says("craps-1", "nora", "throw")
    floor.says("craps-1", "dora", "rest")
    floor.says("craps-1", "ned", "dispute_face")
    floor.says("craps-1", "sue", "decide_face", faces=[3, 4])
    assert [(row["clause"], row["decision"]) for row in rows(floor.registers, "disputes")] == [
        ("4.4.3", ""),
        ("4.4.3", "3 4"),
    ]


def test_exclusions_are_those_of_tables_and_of_the_house(kept: Registers) -> None:
    found = rows(kept, "exclusions")
    at_table = [row for row in found if row["where"] == "craps-1"]
    assert [(row["person"], row["from"], row["clause"]) for row in at_table] == [
        ("ned", "", "10.2"),
        ("ned", "", "10.4"),
        ("ned", "the casino", "10.4.3"),
    ]
    in_house = [(row["who"], row["what"], row["until"]) for row in found if row["where"] == "the house"]
    assert in_house == [
        ("sue", "excludes ben from the house", "2026-12-15 14:00:16+13:00 NZDT"),
        ("otto", "ends the exclusion of ben", ""),
        ("cy", "excludes themselves from the house", "permanently"),
        ("sue", "excludes ned from the house", "permanently"),  # by excluding him from the casino at a table
    ]


def test_an_outcome_that_was_taken_back_has_its_ground_and_the_money(kept: Registers) -> None:
    refunded, forfeited, invalid = rows(kept, "invalidated_outcomes")
    assert (refunded["given_back"], refunded["forfeited"], refunded["person"]) == ("30.00", "0.00", "")
    assert refunded["reason"].startswith("10.5.1: ")
    assert (forfeited["given_back"], forfeited["forfeited"], forfeited["person"]) == ("0.00", "25.00", "nora")
    assert (invalid["clause"], invalid["reason"]) == ("9.4.1", "a card of another person")
    assert (invalid["given_back"], invalid["person"]) == ("20.00", "nora")


def test_a_change_has_what_was_before_its_sign_and_its_notice(kept: Registers) -> None:
    sign, raised, lowered, field, unit, areas, pay_table = rows(kept, "changes")
    assert (sign["before"], sign["sign"], sign["notice"]) == (
        "",
        "minimum 10.00 from 2026-11-15 12:05:22+11:00 AEDT",
        "over at 2026-11-15 12:20:23+11:00 AEDT",
    )
    assert (raised["before"], raised["now"], raised["notice"]) == ("minimum 5.00", "minimum 10.00", "kept")
    assert raised["sign"] == f"{sign['sign']}, up since 2026-11-15 12:00:23+11:00 AEDT"
    assert (lowered["before"], lowered["now"]) == ("minimum 10.00", "minimum 5.00")
    assert (lowered["sign"], lowered["notice"]) == ("", entries.NO_NOTICE)
    assert (field["before"], field["now"]) == ("field maximum none", "field maximum 500.00")
    assert (unit["before"], unit["now"]) == ("unit none", "unit 5.00")
    assert (areas["before"], areas["now"]) == ("players in an area several", "players in an area one")
    assert (pay_table["book"], pay_table["clause"]) == (SNAKES, "8.2")
    assert (pay_table["before"], pay_table["now"]) == ("pay table one", "pay table two")
    assert pay_table["sign"] == "announces the pay table until 2026-12-15 12:20:29+11:00 AEDT"


def test_the_sign_about_the_pay_table_stands_its_month() -> None:
    floor = Floor(tables={"snakes-1": SNAKES})
    floor.says("snakes-1", "otto", "adopt", book=SNAKES, pay_table="two")
    floor.house.at += timedelta(days=31)
    floor.says("snakes-1", "sue", "remove_pay_table_sign")
    [down] = rows(floor.registers, "changes", "2026-12")
    assert (down["sign"], down["notice"]) == ("announced the pay table", "kept")


def test_a_notice_that_was_not_kept_is_told() -> None:
    """No table allows it, but a register reports what the events say."""
    floor = Floor(tables={"craps-1": CRAPS})
    time = (floor.house.at + timedelta(minutes=30)).isoformat()
    floor.says("craps-1", "sue", "post_minimum_sign", minimum="10.00", time=time)
    floor.house.wait(31 * 60)
    floor.says("craps-1", "sue", "set_minimum", minimum="10.00")
    stream = table_stream("craps-1")
    kept = Registers(SHELF)
    kept.take_in(stream, [_earlier(entry) for entry in _entries(floor, stream)])
    assert column(rows(kept, "changes"), "notice")[-1] == "not kept: the notice ends at 2026-11-15 12:30:00+11:00 AEDT"


def _entries(floor: Floor, stream: str) -> list[Entry]:
    return [entry for where, entry in floor.house.published if where == stream]


def _earlier(entry: Entry) -> Entry:
    """What was done after half an hour, as if it had been done after a minute."""
    at = entry.document.at.replace("T01:31", "T01:01")
    return msgspec.structs.replace(entry, document=msgspec.structs.replace(entry.document, at=at))


def test_a_fault_has_what_it_was_about_and_who_was_told(kept: Registers) -> None:
    assert [(row["about"], row["told"], row["clause"]) for row in rows(kept, "malfunctions_and_notices")] == [
        ("lights", "", "8.7"),
        ("lights", "an inspector", "8.8"),
        ("lights", "", "8.8"),
    ]


def test_a_round_that_was_given_up_and_a_duty_that_was_answered_for_are_notices() -> None:
    house = TestHouse()
    table = house.clock_table(CRAPS)
    house.ok(orders.Sit(table=table, cents=100_00), house.person("ann"))
    house.wait(0)
    house.house._secrets.clear()
    house.at += timedelta(minutes=1)
    house.ok(orders.RunOn(table=table, lost=True))
    registers = read(house.store)
    late = house_events.DutyAnswered("return 2026-10", "The post was late.")
    registers.take_in(table_stream(table), [Entry(999, b"", b"", Document(1, "2026-11-16T01:00:00Z", late, "otto"))])
    assert [(row["who"], row["what"], row["about"]) for row in rows(registers, "malfunctions_and_notices")] == [
        ("the house", "abandons round 1: its secret is lost", "electronic dice"),
        ("otto", "answers for a duty that was not done in time: The post was late.", "return 2026-10"),
    ]


# -- promotions --------------------------------------------------------------------------------------------------------


def test_a_promotion_is_followed_step_by_step(kept: Registers) -> None:
    drafted = rows(kept, "promotions", "2026-02")
    assert column(drafted, "what")[:2] == ['opens the promotion "Autumn draw"', "drafts the terms"]
    assert [(row["told"], row["clause"]) for row in drafted if row["what"] == "files the terms"] == [
        ("the NICC", "11.12")
    ]
    found = rows(kept, "promotions", MARCH)
    assert {row["where"] for row in found} == {"autumn"}
    done = column(found, "what")
    assert done[0] == "starts the promotion"
    assert "takes 2 entries with 2 tickets: a coupon" in done
    assert any(what.startswith("draws the prizes without a scrutineer: first to ") for what in done)
    [off] = [row for row in found if row["what"].startswith("postpones")]
    assert (off["told"], off["by_when"]) == ("the inspector", "2026-03-10 22:00:00+11:00 AEDT")
    assert [(row["award"], row["amount"]) for row in found if row["what"].startswith("denies")] == [
        ("1", "500.00"),
        ("2", "100.00"),
    ]


def test_how_a_winner_wants_to_be_paid_is_told_in_words() -> None:
    running = Promoting(CRAPS)
    running.started(a_prize(running.rules, value=500_00)).entered("ann").closed().says("draw_prizes")
    running.says("make_claim", "ann", award=1, claimant="ann")
    running.says("choose_forms", "ann", award=1, forms=["crossed_cheque", "electronic_transfer"])
    last = rows(read(running.house.store), "promotions", MARCH)[-1]
    assert last["what"] == "chooses how to be paid: crossed cheque, electronic transfer"


def test_what_was_put_off_is_a_notice_to_the_inspector_as_well(kept: Registers) -> None:
    found = rows(kept, "malfunctions_and_notices", MARCH)
    assert column(found, "told") == ["the inspector", "the inspector", ""]
    assert found[0]["about"] == "a ticket was seen twice"


def test_a_dispute_about_a_promotion_is_among_the_disputes(kept: Registers) -> None:
    found = rows(kept, "disputes", MARCH)
    assert column(found, "standing") == ["raised", "final", "advice due", "advice given"]
    assert set(column(found, "patron")) == {"ann"}
    assert set(column(found, "clause")) == {"11.10"}


@pytest.mark.clause(CRAPS, "11.9.1")
def test_a_denied_claim_above_the_amount_has_name_address_and_reason(evening: Floor, kept: Registers) -> None:
    made = kept.register("denied_claims", read_period(MARCH), claimants=claimants(evening))
    large, told, small = [dict(zip([c.id for c in made.columns], row, strict=True)) for row in made.rows]
    assert (large["name"], large["address"], large["reason"]) == (CLAIMANT.name, CLAIMANT.address, "not the winner")
    assert (large["claim"], large["value"], large["claimant"], large["clause"]) == ("c1", "500.00", "cy", "11.9.1")
    assert (told["what"], told["name"]) == ("tells the claimant of c1 why", "")
    assert (small["value"], small["name"], small["address"]) == ("100.00", "not kept", "not kept")


def test_names_and_addresses_come_from_nowhere_else(evening: Floor, kept: Registers) -> None:
    assert column(rows(kept, "denied_claims", MARCH), "name") == ["kept apart", "", "not kept"]
    for period in (MARCH, NOVEMBER, "2026"):
        for made in kept.made(read_period(period), claimants=claimants(evening)):
            named = CLAIMANT.name.encode() in csv_of(made)
            assert named == (made.id == "denied_claims" and period != NOVEMBER)


# -- periods -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026", date(2026, 1, 1), date(2026, 12, 31)),
        ("2024-02", date(2024, 2, 1), date(2024, 2, 29)),
        ("2026-11-15", date(2026, 11, 15), date(2026, 11, 15)),
        ("2026-11-30/2026-12-01", date(2026, 11, 30), date(2026, 12, 1)),
    ],
)
def test_a_period_is_a_year_a_month_a_day_or_two_days(text: str, first: date, last: date) -> None:
    period = read_period(text)
    assert (period.first, period.last, period.text) == (first, last, text)


@pytest.mark.parametrize(
    "text",
    ["", "2026-13", "2026-1", "0000", "2026-02-30", "2026-11-02/2026-11-01", "November", "2026-11/2026-12", "٢٠٢٦-11"],
)
def test_what_is_no_period_is_told_in_a_sentence(text: str) -> None:
    with pytest.raises(PeriodError, match=r"\.$"):
        read_period(text)


def test_a_month_ends_where_the_table_is() -> None:
    """Midnight is at 13:00 UTC in Sydney in summer, at 11:00 in Auckland, at 14:00 in Sydney in winter."""
    floor = Floor(tables={"craps-1": CRAPS, "auckland": NEW_ZEALAND})
    for at, sign in (
        (datetime(2026, 11, 30, 10, 59, 57, tzinfo=UTC), "10.00"),
        (datetime(2026, 11, 30, 12, 59, 57, tzinfo=UTC), "20.00"),
        (datetime(2027, 6, 30, 13, 59, 57, tzinfo=UTC), "30.00"),
    ):
        floor.house.at = at
        for table in ("craps-1", "auckland", "craps-1", "auckland"):
            floor.says(table, "otto" if table == "auckland" else "sue", "set_maximum", maximum=sign)
            floor.house.at += timedelta(seconds=1 if table == "auckland" else 0)
    by_month = {
        month: [(row["where"], row["when"]) for row in rows(floor.registers, "changes", month)]
        for month in ("2026-11", "2026-12", "2027-06", "2027-07")
    }
    assert by_month == {
        "2026-11": [
            ("craps-1", "2026-11-30 21:59:58+11:00 AEDT"),
            ("auckland", "2026-11-30 23:59:59+13:00 NZDT"),
            ("craps-1", "2026-11-30 22:00:01+11:00 AEDT"),
            ("craps-1", "2026-11-30 23:59:58+11:00 AEDT"),
        ],
        "2026-12": [
            ("auckland", "2026-12-01 00:00:02+13:00 NZDT"),
            ("auckland", "2026-12-01 01:59:59+13:00 NZDT"),
            ("craps-1", "2026-12-01 00:00:01+11:00 AEDT"),
            ("auckland", "2026-12-01 02:00:02+13:00 NZDT"),
        ],
        "2027-06": [("craps-1", "2027-06-30 23:59:58+10:00 AEST")],
        "2027-07": [
            ("auckland", "2027-07-01 01:59:59+12:00 NZST"),
            ("craps-1", "2027-07-01 00:00:01+10:00 AEST"),
            ("auckland", "2027-07-01 02:00:02+12:00 NZST"),
        ],
    }


def test_a_period_that_is_not_over_says_how_far_it_goes() -> None:
    assert Registers(SHELF).register("disputes", read_period(NOVEMBER)).so_far == NOTHING_YET
    floor = Floor(tables={"craps-1": CRAPS})
    floor.says("craps-1", "nora", "raise_dispute", case="a", about="a bet")
    made = floor.registers.register("disputes", read_period(NOVEMBER))
    assert made.so_far == "so far, up to 2026-11-15 12:00:01+11:00 AEDT"
    assert csv_rows(made)[0]["period"] == f"{NOVEMBER}, {made.so_far}"
    floor.house.at = datetime(2026, 11, 30, 12, 59, 58, tzinfo=UTC)
    floor.says("craps-1", "nora", "raise_dispute", case="b", about="the last second of November")
    assert floor.registers.register("disputes", read_period(NOVEMBER)).so_far is not None
    floor.says("craps-1", "nora", "raise_dispute", case="c", about="the first of December")
    made = floor.registers.register("disputes", read_period(NOVEMBER))
    assert (made.so_far, len(made.rows), csv_rows(made)[0]["period"]) == (None, 2, NOVEMBER)


def test_a_period_is_over_when_it_is_over_at_every_table() -> None:
    floor = Floor(tables={"auckland": NEW_ZEALAND, "craps-1": CRAPS})
    floor.house.at = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
    floor.says("auckland", "otto", "set_maximum", maximum="10.00")
    november = read_period(NOVEMBER)
    assert floor.registers.register("changes", november).so_far == "so far, up to 2026-12-01 01:00:01+13:00 NZDT"
    assert floor.registers.register("changes", november, Scope(table="auckland")).so_far is None


# -- narrowed ----------------------------------------------------------------------------------------------------------


def test_a_register_can_be_of_one_table_or_one_book(kept: Registers) -> None:
    def found(scope: Scope) -> set[tuple[str, str]]:
        of = [rows(kept, kind.id, "2026", scope) for kind in KINDS]
        return {(row["where"], row["book"]) for some in of for row in some}

    assert found(Scope(table="sic-1")) == {("sic-1", SIC_BO)}
    assert found(Scope(book=CRAPS)) == {("craps-1", CRAPS), ("autumn", CRAPS)}
    with pytest.raises(ScopeError, match="craps-1 is not played by the book"):
        found(Scope(table="craps-1", book=SIC_BO))
    assert ("the house", "") in found(Scope())
    made = kept.register("malfunctions_and_notices", read_period("2026"), Scope(book=SIC_BO))
    assert made.clauses == {SIC_BO: ("2.5", "5.6", "8.7", "8.7.1", "8.8", "10.12")}


def test_a_register_names_the_clauses_of_the_books_that_are_played_by(kept: Registers) -> None:
    of = {made.id: made.clauses for made in kept.made(read_period(NOVEMBER))}
    assert of["monthly_return"] == {CRAPS: ("9.3.2",)}
    assert of["denied_claims"] == {
        CRAPS: ("11.9", "11.9.1"),
        SIC_BO: ("10.10", "10.10.1"),
        SNAKES: ("10.10", "10.10.1"),
    }
    assert of["invalidated_outcomes"][SNAKES] == ("9.4", "9.4.1", "9.4.2", "9.5", "9.12")
    assert NEW_ZEALAND not in of["promotions"]
    assert all(SHELF.book(book).clauses.keys() >= set(cited) for some in of.values() for book, cited in some.items())


# -- to the byte -------------------------------------------------------------------------------------------------------


def bytes_of(kept: Registers, period: str) -> dict[str, tuple[bytes, bytes]]:
    made = kept.made(read_period(period))
    return {one.id: (csv_of(one), pdf_of_register(one, "Harbour")) for one in made}


def test_the_same_events_make_the_same_bytes(evening: Floor, kept: Registers, tmp_path: Path) -> None:
    export_to(evening.house.store, tmp_path / "house.jsonl", datetime(2030, 1, 1, tzinfo=UTC))
    store = MemoryStore()
    import_from(tmp_path / "house.jsonl", store)
    for period in (NOVEMBER, "2026"):
        first = bytes_of(kept, period)
        assert bytes_of(evening.registers, period) == first
        assert bytes_of(read(store), period) == first


def test_it_does_not_matter_in_which_pieces_events_are_read(evening: Floor, kept: Registers) -> None:
    pieces = Registers(SHELF)
    for stream, entry in evening.house.published:
        pieces.take_in(stream, [entry])
    backwards = Registers(SHELF)
    streams = dict.fromkeys(stream for stream, _ in evening.house.published)
    for stream in reversed(streams):
        backwards.take_in(stream, _entries(evening, stream))
    whole = [csv_of(one) for one in kept.made(read_period("2026"))]
    assert [csv_of(one) for one in pieces.made(read_period("2026"))] == whole
    assert [csv_of(one) for one in backwards.made(read_period("2026"))] == whole


def test_registers_go_on_where_they_were() -> None:
    floor = Floor(tables={"craps-1": CRAPS})
    followed = Followed(SHELF)
    assert rows(followed.up_to(floor.house.store), "disputes") == []
    floor.says("craps-1", "nora", "raise_dispute", case="a", about="a bet")
    floor.says("craps-1", "sue", "decide_dispute", case="a", decision="no")
    went_on = rows(followed.up_to(floor.house.store), "disputes")
    assert went_on == rows(floor.registers, "disputes")
    assert column(went_on, "standing") == ["raised", "decided"]


def test_a_stream_that_makes_no_sense_is_named_and_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    floor = Floor(tables={"craps-1": CRAPS})
    floor.says("craps-1", "nora", "raise_dispute", case="a", about="a bet")
    followed = Followed(SHELF)
    with monkeypatch.context() as patch:
        patch.setattr("croupier.house.registers.TableReading.take_in", lambda *_: 1 / 0)
        with pytest.raises(CorruptStore, match=r"events 1 to \d+ of table/craps-1 cannot be understood"):
            followed.up_to(floor.house.store)
    assert len(rows(followed.up_to(floor.house.store), "disputes")) == 1


# -- files -------------------------------------------------------------------------------------------------------------


def csv_rows(made: Register) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(csv_of(made).decode())))


def test_a_csv_has_every_column_and_is_safe_in_a_spreadsheet(kept: Registers) -> None:
    made = kept.register("disputes", read_period(NOVEMBER))
    found = csv_rows(made)
    assert list(found[0]) == ["period", *(one.id for one in made.columns)]
    assert column(found, "decision")[1] == "'=too+late"
    assert column(found, "decision")[2] == "too late 漢"
    signs = ["=1", "+1a", "-a", "@a", "-1.00", "plain"]
    odd = msgspec.structs.replace(
        made, rows=tuple((*row[:-1], sign) for row, sign in zip(made.rows, signs, strict=False))
    )
    assert column(csv_rows(odd), "decision") == ["'=1", "'+1a", "'-a", "'@a", "-1.00", "plain"]


def test_an_empty_register_has_its_columns_and_says_that_there_is_nothing() -> None:
    made = Registers(SHELF).register("changes", read_period("2020-01"))
    assert csv_of(made) == (",".join(["period", *(one.id for one in made.columns)]) + "\n").encode()
    empty = sheet.register_sheet(title="Changes", facts=[], columns=[], rows=[], digest="0" * 64, foot="")
    assert empty.sections[0].parts == (Words((sheet.NOTHING,)),)
    assert pdf_of_register(made, None).startswith(b"%PDF")


def test_a_sheet_has_the_digest_of_the_csv_and_whole_rows(monkeypatch: pytest.MonkeyPatch, kept: Registers) -> None:
    shown: list[Printable] = []

    def printed(document: Printable) -> bytes:
        shown.append(document)
        return b"%PDF"

    monkeypatch.setattr("croupier.house.registers.register_files.pdf_of", printed)
    made = kept.register("changes", read_period(NOVEMBER))
    pdf_of_register(made, "Harbour")
    [document] = shown
    digest = sha256(csv_of(made)).hexdigest()
    assert digest in document.closing
    assert digest[:16] in document.foot
    facts = dict(document.identity.rows)
    assert facts["House"] == ("Harbour",)
    assert facts["Period"] == ("1 November 2026 to 30 November 2026, by the clock of each table",)
    assert f"{CRAPS}: 6.10, 7.5, 7.6, 10.9" in facts["Clauses"]
    [table] = document.sections[0].parts
    assert isinstance(table, Table)
    assert len(table.rows) == len(made.rows)
    cells = {one.name: cell for one, cell in zip(table.columns, table.rows[1], strict=True)}
    assert (cells["When"].text, cells["When"].small) == ("2026-11-15 12:20:24", "+11:00 AEDT")
    assert (cells["Sign, notice"].small, cells["Who, as"].small) == ("kept", "gaming supervisor")


@pytest.mark.parametrize("said", ["漢字 \U0001f600 \u202e", "x" * 5_000, "word " * 1_000, "\u0000\n\t'\"\\#$", "ไทย"])
def test_whatever_people_say_is_printed_and_cut_to_fit(said: str) -> None:
    cells = [[(said, said)] * 6]
    columns = [sheet.Printed(name, name, False) for name in ("when", "case", "person", "what", "reason", "name")]
    document = sheet.register_sheet(title="T", facts=[], columns=columns, rows=cells, digest="0" * 64, foot="f")
    [table] = document.sections[0].parts
    assert isinstance(table, Table)
    text = table.rows[0][0].text
    assert len(text.replace("\u200b", "")) <= sheet.MOST_IN_A_CELL
    assert all(len(word) <= sheet.MOST_IN_A_WORD for word in text.replace("\u200b", " ").split())
    assert pdf_of(document).startswith(b"%PDF")


# -- the command -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def store_file(evening: Floor, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The evening in a file, including names."""
    folder = tmp_path_factory.mktemp("store")
    export_to(evening.house.store, folder / "house.jsonl", datetime(2030, 1, 1, tzinfo=UTC))
    store = open_store(f"sqlite:{folder / 'house.db'}")
    import_from(folder / "house.jsonl", store)
    store.commit([Write(vault=tuple(evening.house.store.secrets("claimant/")))])
    store.close()
    return folder / "house.db"


def test_the_command_writes_every_register_twice(
    store_file: Path, evening: Floor, kept: Registers, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["registers", str(store_file), "--period", MARCH, "--out", str(tmp_path / "out")]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[2] == f"{tmp_path / 'out' / 'disputes-2026-03.csv'}: Disputes and complaints, 4 entries"
    made = kept.made(read_period(MARCH), claimants=claimants(evening))
    files = {file.name: file.read_bytes() for file in (tmp_path / "out").iterdir()}
    assert files == {
        **{name_of_file(one, "csv"): csv_of(one) for one in made},
        **{name_of_file(one, "pdf"): pdf_of_register(one, None) for one in made},
    }
    assert CLAIMANT.name.encode() in files["denied_claims-2026-03.csv"]
    private = (tmp_path / "out" / "denied_claims-2026-03.csv").stat().st_mode
    assert private & 0o077 == 0


@pytest.mark.parametrize("more", [["--no-names"], []])
def test_without_names_they_are_kept_apart(store_file: Path, tmp_path: Path, more: list[str]) -> None:
    source = store_file if more else store_file.with_name("house.jsonl")  # an export never has them
    assert main(["registers", str(source), "--period", MARCH, "--out", str(tmp_path), *more]) == 0
    text = (tmp_path / "denied_claims-2026-03.csv").read_text(encoding="utf-8")
    assert CLAIMANT.name not in text
    assert "kept apart,kept apart" in text


def test_the_command_takes_the_store_that_the_settings_name(
    store_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CROUPIER_STORE", f"sqlite:{store_file}")
    assert main(["registers", "--period", "2027", "--out", str(tmp_path), "--book", SIC_BO]) == 0
    assert "The period is not over: so far, up to" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "say"),
    [
        (["--period", "soon"], '"soon" is not a period'),
        (["--period", "2026", "--table", "nowhere"], "There is no table called nowhere."),
        (["--period", "2026", "--book", "baccarat"], "there is no such rule book"),
        (["--period", "2026", "--table", "craps-1", "--book", SIC_BO], "craps-1 is not played by the book"),
        (["--period", "2026", "--settings", "nowhere.toml"], "nowhere.toml"),
        (["--period", "2026", "--out", "/dev/null/x"], "/dev/null/x cannot be written to"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(
    store_file: Path, arguments: list[str], say: str, capsys: pytest.CaptureFixture[str]
) -> None:
    store = [] if "--settings" in arguments else [str(store_file)]
    assert main(["registers", *store, *arguments]) == 2
    said = capsys.readouterr().err
    assert say in said
    assert said.startswith("croupier: ")
    assert said.count("\n") == 1


def test_a_book_of_ones_own_is_understood() -> None:
    """An event that adopts other rules under a user's own book needs that book, and no other."""
    own = Shelf((Path("docs/examples/harbour-craps.toml"),))
    terms = own.terms("harbour-craps")
    floor = Floor(tables={"craps-1": CRAPS})
    stream = table_stream("craps-1")
    registers = Registers(own)
    adopted = Entry(999, b"", b"", Document(1, "2026-11-16T01:00:00Z", RulesAdopted(terms, None), "otto"))
    registers.take_in(stream, [*_entries(floor, stream), adopted])
    [row] = rows(registers, "changes")
    assert (row["book"], row["now"].split(";")[0]) == ("harbour-craps", "book harbour-craps")


def test_a_book_that_is_not_at_hand_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = open_store(f"sqlite:{tmp_path / 'house.db'}")
    opened = TableOpened(Terms("harbour-craps"), Settings(), {})
    later = Document(1, "2026-11-16T01:00:00.000000Z", Noted({}, "1"), order="b")
    documents = (encode(Document(1, "2026-11-15T01:00:00.000000Z", opened, order="a")), encode(later))
    store.commit([Write((Append(table_stream("own"), 0, documents),))])
    store.close()
    assert main(["registers", str(tmp_path / "house.db"), "--period", NOVEMBER, "--out", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "harbour-craps: there is no such rule book" in said
    assert "damaged" not in said
