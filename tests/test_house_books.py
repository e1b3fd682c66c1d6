"""The books of the house, by hand; and an audit that finds each cent that was created or lost in the store."""

from __future__ import annotations

import msgspec
import pytest

from croupier.contract.management import Finding
from croupier.house import orders
from croupier.house.events import AccountOpened, CameFromTable, ChipsGranted, TableSet, WentToTable
from croupier.house.reporting.bookkeeping import BANK, Books, account, at_table, audit, postings
from croupier.house.stored_events import FORMAT, Document, Entry, StoredEvent, encode, stamp
from croupier.ledger import COMMISSION, FLOAT, LAYOUT, Posting, hand
from croupier.table import events
from tests.casino import NOON, Casino, Streams

# -- one evening, by hand ----------------------------------------------------------------------------------------------


def test_postings_of_an_account_are_balanced_and_name_the_table() -> None:
    assert postings("account/ann", ChipsGranted(5_000, "welcome")) == [
        Posting(BANK, -5_000),
        Posting("account ann", 5_000),
    ]
    assert postings("account/ann", WentToTable("pit-1", 3_000, sat_down=True)) == [
        Posting("account ann", -3_000),
        Posting("purse at pit-1", 3_000),
    ]
    assert postings("account/ann", CameFromTable("pit-1", 3_500)) == [
        Posting("purse at pit-1", -3_500),
        Posting("account ann", 3_500),
    ]
    assert postings("table/pit-1", events.PlayerSeated("ann", 3_000, True)) == [
        Posting("purse at pit-1", -3_000),
        Posting("hand ann at pit-1", 3_000),
    ]
    assert postings("account/ann", AccountOpened("ann", "Ann", ("player",))) == []
    assert postings("table/pit-1", TableSet("pit-1", "Pit one")) == []
    assert postings("house", ChipsGranted(5_000, "welcome")) == []


@pytest.fixture
def played() -> Casino:
    """At Craps: ann wins 10.00 on the win line and buys 4 with 20.00; bob loses 30.00; bob leaves."""
    casino = Casino()
    casino.open_doors(["ann", "bob"], 100_000)
    casino.set_table("pit", "craps-nsw-2024")
    casino.do("ann", orders.Sit(table="pit", cents=20_000))
    casino.do("bob", orders.Sit(table="pit", cents=5_000))
    for who, said in (
        ("ann", {"wager": "win_line", "amount": "10.00"}),
        ("ann", {"wager": "buy", "pick": 4, "amount": "20.00"}),
        ("bob", {"wager": "dont_win", "amount": "30.00"}),
    ):
        assert casino.say(who, "pit", "bet", **said)["ok"]
    assert casino.say("dot", "pit", "roll", dice=[3, 4])["ok"]
    casino.do("bob", orders.GetUp(table="pit"))
    return casino


def test_balances_of_one_evening(played: Casino) -> None:
    """Buying 4 costs 5 per cent; it sleeps on a come out roll, on which 7 wins on the win line."""
    assert played.books.balances() == {
        BANK: -200_000,
        account("ann"): 80_000,
        account("bob"): 97_000,
        at_table(hand("ann"), "pit"): 20_000 - 1_000 - 2_000 - 100 + 2_000,
        at_table(LAYOUT, "pit"): 2_000,
        at_table(COMMISSION, "pit"): 100,
        at_table(FLOAT, "pit"): 3_000 - 1_000,
    }
    assert audit(played.streams()) == []


# -- what an audit finds -----------------------------------------------------------------------------------------------


def changed(streams: Streams, stream: str, kind: type, **fields: object) -> Streams:
    """The same streams, except for the first event of a kind in one of them."""
    stored = streams[stream]
    place = next(i for i, entry in enumerate(stored) if isinstance(entry.document.event, kind))
    event = msgspec.structs.replace(stored[place].document.event, **fields)
    return {**streams, stream: [*stored[:place], with_event(stored[place], event), *stored[place + 1 :]]}


def with_event(entry: Entry, event: StoredEvent) -> Entry:
    document = msgspec.structs.replace(entry.document, event=event)
    return Entry(entry.version, entry.hash, encode(document), document)


def without(streams: Streams, stream: str, kind: type) -> Streams:
    return {**streams, stream: [e for e in streams[stream] if not isinstance(e.document.event, kind)]}


def found_in(streams: Streams) -> list[tuple[str, str]]:
    found = audit(streams)
    assert all(str(each).startswith(each.stream) and each.sentence.endswith(".") for each in found)
    return [(each.stream, each.sentence) for each in found]


def test_an_account_that_sent_other_chips_than_the_table_had(played: Casino) -> None:
    differ = "The account of bob and the table differ by 10.00 in the chips moved between them."
    more = changed(played.streams(), "account/bob", WentToTable, cents=6_000)
    assert found_in(more) == [("table/pit", differ)]
    less = changed(played.streams(), "account/bob", CameFromTable, cents=1_000)
    assert found_in(less) == [("table/pit", differ)]


def test_an_account_that_never_got_its_chips_back(played: Casino) -> None:
    lost = without(played.streams(), "account/bob", CameFromTable)
    assert found_in(lost) == [
        ("table/pit", "The account of bob and the table differ by 20.00 in the chips moved between them.")
    ]


def test_chips_of_one_person_that_another_one_brought(played: Casino) -> None:
    """The sum is right, but that is not enough."""
    streams = changed(played.streams(), "account/ann", WentToTable, cents=19_000)
    streams = changed(streams, "account/bob", WentToTable, cents=6_000)
    assert [stream for stream, _ in found_in(streams)] == ["table/pit", "table/pit"]


def test_an_account_that_spent_more_than_it_had(played: Casino) -> None:
    poor = changed(played.streams(), "account/ann", ChipsGranted, cents=15_000)
    assert found_in(poor) == [("account/ann", "account ann holds -50.00.")]
    assert [each.version for each in audit(poor)] == [4]


def test_a_settlement_that_pays_what_nobody_lost(played: Casino) -> None:
    streams = played.streams()
    won = next(
        entry.document.event
        for entry in streams["table/pit"]
        if isinstance(entry.document.event, events.AreaSettled) and entry.document.event.result == "win"
    )
    place = next(i for i, entry in enumerate(streams["table/pit"]) if entry.document.event is won)
    wrong = msgspec.structs.replace(won, stakes=(("ann", 1_000, 1_000, 2_001),))
    stored = streams["table/pit"]
    stored[place] = with_event(stored[place], wrong)
    assert ("table/pit", "The postings of the event do not sum to zero.") in found_in(streams)
    assert audit(streams)[0].version == stored[place].version


def test_a_layout_that_is_not_what_was_laid(played: Casino) -> None:
    streams = played.streams()
    buy = next(e for e in streams["table/pit"] if getattr(e.document.event, "wager", None) == "buy")
    place = streams["table/pit"].index(buy)
    streams["table/pit"][place] = with_event(buy, msgspec.structs.replace(buy.document.event, stake=2_500))
    assert found_in(streams) == [("table/pit", "The book has 20.00 on layout, the table 25.00.")]


def test_somebody_who_left_with_more_than_was_in_hand(played: Casino) -> None:
    streams = changed(played.streams(), "table/pit", events.PlayerLeft, chips=2_500)
    streams = changed(streams, "account/bob", CameFromTable, cents=2_500)
    assert found_in(streams) == [
        ("table/pit", "hand bob holds -5.00."),
        ("table/pit", "The book has -5.00 on hand bob, the table 0.00."),
    ]


def test_tokens_that_nobody_issued(played: Casino) -> None:
    streams = played.streams()
    last = streams["table/pit"][-1]
    issued = msgspec.structs.replace(last.document, event=events.TokensIssued("ann", 500, "collected", "1.1"))
    streams["table/pit"].append(Entry(last.version + 1, b"", encode(issued), issued))
    assert found_in(streams) == []
    left = msgspec.structs.replace(last.document, event=events.PlayerLeft("ann", 18_900, tokens=700))
    gone = msgspec.structs.replace(last.document, event=CameFromTable("pit", 18_900))
    streams["table/pit"].append(Entry(last.version + 2, b"", encode(left), left))
    streams["account/ann"].append(Entry(9, b"", encode(gone), gone))
    assert found_in(streams) == [
        ("table/pit", "tokens ann holds -2.00."),
        ("table/pit", "The book has 2.00 on tokens, the table 0.00."),
        ("table/pit", "The book has -2.00 on tokens ann, the table 0.00."),
    ]


@pytest.mark.parametrize(
    ("stream", "event"),
    [
        ("table/pit", events.PlayerLeft("zoe", 100)),
        ("table/pit", ChipsGranted(100, "welcome")),
        ("account/ann", events.PlayerSeated("ann", 100, True)),
    ],
)
def test_an_event_that_does_not_fit(played: Casino, stream: str, event: StoredEvent) -> None:
    streams = played.streams()
    document = Document(FORMAT, stamp(NOON), event)
    streams[stream].append(Entry(99, b"", encode(document), document))
    assert Finding(stream, 99, "The event does not follow from the events before it.") in audit(streams)


def test_a_store_without_anything_is_in_order() -> None:
    assert audit({}) == []
    assert Books().balances() == {}
