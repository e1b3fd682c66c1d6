"""Electronic dice: what is public of a table, and that its record alone reveals any change to the throws.

The records are made by the real house, with its clock moved by hand and with entropy from a seed. They are then
tampered with in two ways: by someone who has only the file, and by an insider who knows every secret, writes anything
and rebuilds the whole chain.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import timedelta
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cli.main import main
from croupier.house import orders
from croupier.house.electronic import fair_dice
from croupier.house.electronic.course import FAULTS
from croupier.house.electronic.fair_dice import (
    Count,
    Numbers,
    Tally,
    commitment,
    drawn,
    mixed,
    number_commitment,
    tallied,
)
from croupier.house.electronic.public_record import PRIVATE, PUBLIC, footer
from croupier.house.electronic.verification import RecordError, look_at_throws, verify_dice
from croupier.house.events import Rhythm
from croupier.house.stored_events import StoredEvent, moment, stamp
from croupier.store.records import Record
from croupier.table import events
from croupier.table.commands import PlayerSign, Settings
from tests.electronic import (
    KEEP,
    KEEP_TIME,
    PLAYERS,
    ROUNDS,
    STAFF,
    STAKE,
    STREAM,
    TABLE,
    Change,
    Plain,
    Running,
    Writing,
    chained,
    faults,
    forged,
    place,
    played,
    public,
    read,
    verified,
    written,
)
from tests.tables import BOOKS

PAGE = Path(__file__).parent.parent / "docs" / "electronic-dice.md"
EXAMPLE = PAGE.parent / "examples" / "electronic-dice.jsonl"
OLDER = PAGE.parent / "examples" / "electronic-dice-1.jsonl"
CRAPS, SIC_BO = "craps-nsw-2024", "sic-bo-nsw-2016"


# -- what is public ---------------------------------------------------------------------------------------------------


def test_every_event_is_public_or_private() -> None:
    assert {*PUBLIC, *PRIVATE} == set(get_args(StoredEvent))
    assert not set(PUBLIC) & set(PRIVATE)
    assert len(set(PRIVATE)) == len(PRIVATE)


def test_what_could_name_somebody_in_a_public_event_is_taken_out() -> None:
    telling = {"player", "players", "by", "who", "person", "forfeit", "wager", "stakes", "chips", "cents", "amount"}
    for event, taken_out in PUBLIC.items():
        fields = {field.name for field in msgspec.structs.fields(event)}
        assert fields & telling <= set(taken_out), event
        if "settings" in fields:
            assert "settings.player_limits" in taken_out, event


@pytest.mark.parametrize("book", BOOKS)
def test_public_record_names_nobody_and_no_stake(book: str) -> None:
    stored = b"".join(record.document for record in played(book))
    shown = b"".join(public(book, played(book)))
    for private in (*PLAYERS, STAKE.replace(".", "")):
        assert private.encode() in stored
        assert private.encode() not in shown


def told_events(book: str, records: Sequence[Record]) -> list[Plain]:
    """The fields of events that name someone, as a public record shows them."""
    return [line["event"] for line in map(json.loads, public(book, records)[1:-1]) if "event" in line]


def test_a_table_run_by_people_shows_its_throws_without_names() -> None:
    running = Running(CRAPS, 3, None)
    running.ask(orders.OpenAccount(person=STAFF, name="Dora", roles=("dealer",)))
    running.ask(orders.TakePost(table=TABLE, role="dealer"), STAFF)
    running.ask(orders.Say(table=TABLE, line={"do": "bet", "wager": "win_line", "amount": STAKE}), PLAYERS[0])
    running.ask(orders.Say(table=TABLE, line={"do": "roll", "dice": [2, 2]}), STAFF)
    records = running.stored[STREAM]
    assert any(read(record)["event"].get("by") == PLAYERS[0] for record in records)
    assert not any(name.encode() in line for line in public(CRAPS, records) for name in (*PLAYERS, STAFF))
    (thrown,) = [event for event in told_events(CRAPS, records) if event["type"] == "thrown"]
    assert thrown["faces"] == [2, 2]
    assert "by" not in thrown


def test_public_documents_are_those_that_are_stored() -> None:
    records = played(SIC_BO)
    lines = [json.loads(line) for line in public(SIC_BO, records)[1:-1]]
    whole = {line["version"]: line["document"] for line in lines if "document" in line}
    assert whole.items() <= {record.version: record.document.decode() for record in records}.items()
    kinds = {json.loads(document)["event"]["type"] for document in whole.values()}
    # At Sic Bo the house throws, so that the throw names no one, is shown, and is proved.
    assert kinds >= {"table_set", "table_opened", "round_opened", "last_called", "bets_shut", "dice_drawn", "thrown"}
    kept_back = {line["type"] for line in lines if "type" in line}
    assert kept_back >= {"player_seated", "wager_placed", "area_settled"}


def document(event: events.Event) -> Plain:
    """A document of the house itself."""
    return {"format": 1, "at": "2026-02-03T20:00:00.000000Z", "event": msgspec.to_builtins(event)}


@pytest.mark.parametrize(
    ("event", "names", "left"),
    [
        (events.Thrown((4, 2), "six", "zzann", "shooter", "4.4.1"), "by", ("faces", [4, 2])),
        (events.ThrowVoided("4.3.1", "no roll", "zzann", "shooter", "win_line", 1), "wager", ("reason", "4.3.1")),
        (events.OutcomeInvalidated("9.1", "9.1", ("zzann",)), "forfeit", ("reason", "9.1")),
    ],
)
def test_an_event_that_names_somebody_is_shown_without_the_name(
    event: events.Event, names: str, left: tuple[str, object]
) -> None:
    (shown,) = told_events(CRAPS, chained([written(document(event))]))
    assert names not in shown
    assert "zzann" not in str(shown)
    assert shown[left[0]] == left[1]


def test_a_sign_for_single_players_is_shown_without_them() -> None:
    settings = Settings(chip=500, player_limits={"zzann": PlayerSign(maximum=1)})
    (shown,) = told_events(CRAPS, chained([written(document(events.SignChanged(settings, "1.1")))]))
    assert "player_limits" not in shown["settings"]
    assert shown["settings"]["chip"] == 500


def test_a_document_that_somebody_gave_is_not_shown_whole() -> None:
    given_by_staff = document(events.BetsClosed("no more bets", "4.6")) | {"who": STAFF, "as": "dealer"}
    (shown,) = told_events("two-up-nsw-2016", chained([written(given_by_staff)]))
    assert shown == {"type": "bets_closed", "call": "no more bets", "clause": "4.6"}


# -- records as they should be ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
def test_an_honest_table_has_no_findings(book: str) -> None:
    records = played(book)
    verdict = verified(book, records)
    fallen = [tuple(read(record)["event"]["faces"]) for record in records if b'"type":"thrown"' in record.document]
    assert verdict.findings == ()
    assert (verdict.rounds, verdict.drawn, verdict.cancelled, verdict.under_way) == (ROUNDS, ROUNDS, 0, None)
    assert list(verdict.throws) == fallen
    assert (verdict.records, verdict.head) == (len(records), records[-1].hash.hex())
    assert (verdict.table, verdict.book, verdict.runs_by_itself) == (TABLE, book, True)


@pytest.mark.parametrize("book", BOOKS)
def test_an_honest_table_has_no_findings_at_any_moment(book: str) -> None:
    records = played(book)
    orders_ = [read(record)["order"] for record in records]
    ends = [end for end in range(1, len(records)) if orders_[end - 1] != orders_[end]]
    for end in ends:
        verdict = verified(book, records[:end])
        assert verdict.findings == ()
    under_way = {verified(book, records[:end]).under_way for end in ends}
    assert under_way >= {None, *range(1, ROUNDS + 1)}


def test_an_empty_table_has_no_findings() -> None:
    verdict = verified(CRAPS, [])
    assert verdict.findings == ()
    assert verdict.records == 0


def test_a_round_cancelled_before_its_bets_are_shut_may_have_bets_of_earlier_rounds() -> None:
    """The record does not show which wagers are decided. Where nobody has bet yet it is in order (`tests/golden`)."""
    for book in BOOKS:
        verdict = verified(book, forged(book, cancel_before_the_bets_are_shut))
        (finding,) = verdict.findings
        assert finding.sentence == "Round 3 was cancelled and bets may have stood, although the table never closed."
        assert (verdict.cancelled, verdict.drawn) == (1, ROUNDS - 1)


def test_a_hash_that_was_seen_is_in_the_record() -> None:
    records = played(CRAPS)
    assert verified(CRAPS, records, [record.hash.hex() for record in records]).findings == ()


# -- an insider -------------------------------------------------------------------------------------------------------


def event_of(documents: Writing, kind: str, nth: int = 3) -> Plain:
    found: Plain = documents[place(documents, kind, nth)]["event"]
    return found


def copied(value: Plain) -> Plain:
    again: Plain = json.loads(json.dumps(value))
    return again


def cut_the_draw(documents: Writing) -> None:
    """Remove everything that came from the third draw."""
    del documents[place(documents, "dice_drawn") : place(documents, "round_opened", 4)]


def other_faces(faces: Sequence[Any]) -> list[Any]:
    return [{"H": "T", "T": "H"}.get(face) or 7 - face for face in faces]


def open_the_next_round_at_once(documents: Writing) -> None:
    del documents[place(documents, "round_opened") + 1 : place(documents, "round_opened", 4)]


def change_the_faces(documents: Writing) -> None:
    drawn_one = documents[place(documents, "dice_drawn")]
    faces = drawn_one["event"]["faces"]
    drawn_one |= {"event": drawn_one["event"] | {"faces": other_faces(faces)}, KEEP: True}


def settle_other_faces(documents: Writing) -> None:
    thrown = documents[place(documents, "thrown")]
    thrown["event"]["faces"], thrown[KEEP] = other_faces(thrown["event"]["faces"]), True


def show_another_secret(documents: Writing) -> None:
    event_of(documents, "dice_drawn")["secret"] = bytes(32).hex()


def show_half_a_secret(documents: Writing) -> None:
    drawn_one = documents[place(documents, "dice_drawn")]
    drawn_one["event"]["secret"], drawn_one[KEEP] = drawn_one["event"]["secret"][:32], True


def change_the_commitment(documents: Writing) -> None:
    event_of(documents, "round_opened")["commitment"] = commitment(TABLE, 3, bytes(32))


def take_the_commitment_of_another_round(documents: Writing) -> None:
    event_of(documents, "round_opened", 4)["commitment"] = event_of(documents, "round_opened", 3)["commitment"]
    event_of(documents, "dice_drawn", 4)["secret"] = event_of(documents, "dice_drawn", 3)["secret"]


def draw_twice(documents: Writing) -> None:
    at = place(documents, "dice_drawn")
    documents.insert(at, copied(documents[at]))


def draw_and_throw_twice(documents: Writing) -> None:
    at, thrown = place(documents, "dice_drawn"), place(documents, "thrown")
    documents[thrown + 1 : thrown + 1] = [copied(documents[at]), copied(documents[thrown])]


def draw_by_an_older_hash(documents: Writing) -> None:
    drawn_one = documents[place(documents, "dice_drawn", 4)]
    drawn_one["event"]["shut"], drawn_one[KEEP] = event_of(documents, "dice_drawn", 3)["shut"], True


def open_a_round_twice(documents: Writing) -> None:
    first, after = place(documents, "round_opened"), place(documents, "round_opened", 4)
    documents[after:after] = [copied(each) for each in documents[first:after]]


def leave_a_round_out(documents: Writing) -> None:
    del documents[place(documents, "round_opened") : place(documents, "round_opened", 4)]


def cancel(documents: Writing, at: int, secret: str | None = None) -> None:
    shown = secret or event_of(documents, "dice_drawn")["secret"]
    document = {"format": 1, "at": documents[at - 1]["at"]}
    documents.insert(at, {**document, "event": {"type": "round_cancelled", "number": 3, "secret": shown}})


def cancel_before_the_bets_are_shut(documents: Writing) -> None:
    at = place(documents, "round_opened") + 1
    secret = event_of(documents, "dice_drawn")["secret"]
    del documents[at : place(documents, "round_opened", 4)]
    cancel(documents, at, secret)


def cancel_with_another_secret(documents: Writing) -> None:
    at = place(documents, "round_opened") + 1
    del documents[at : place(documents, "round_opened", 4)]
    cancel(documents, at, bytes(32).hex())


def cancel_after_the_bets_are_shut(documents: Writing) -> None:
    at, secret = place(documents, "dice_drawn"), event_of(documents, "dice_drawn")["secret"]
    cut_the_draw(documents)
    cancel(documents, at, secret)


def cancel_after_the_draw(documents: Writing) -> None:
    cancel(documents, place(documents, "thrown") + 1)


def throw_without_a_draw(documents: Writing) -> None:
    documents.insert(place(documents, "bets_shut", 4), copied(documents[place(documents, "thrown")]) | {KEEP: True})


def settle_nothing(documents: Writing) -> None:
    del documents[place(documents, "thrown")]


def end_with_a_draw(documents: Writing) -> None:
    del documents[place(documents, "dice_drawn", ROUNDS) + 1 :]


def voided(by: str | None) -> Plain:
    return document(events.ThrowVoided("4.3.1", "no roll", by, "shooter", None, 0))


def void_the_throw(documents: Writing) -> None:
    documents[place(documents, "thrown")] = voided(None)


def void_the_throw_by_name(documents: Writing) -> None:
    documents[place(documents, "thrown")] = voided("zzann") | {"who": STAFF}


def void_after_the_throw(documents: Writing) -> None:
    documents.insert(place(documents, "thrown") + 1, voided(None))


def invalidate_in_the_next_round(documents: Writing) -> None:
    invalid = document(events.OutcomeInvalidated("9.1", "9.1", ("zzann",))) | {"who": STAFF}
    documents.insert(place(documents, "bets_shut", 4), invalid)


def void_before_anything_is_drawn(documents: Writing) -> None:
    documents.insert(place(documents, "bets_shut", 1), voided(None))


def a_wager(documents: Writing) -> Plain:
    return copied(documents[place(documents, "wager_placed", 1)])


def bet_after_the_bets_are_shut(documents: Writing) -> None:
    documents.insert(place(documents, "dice_drawn"), a_wager(documents))


def bet_after_the_draw(documents: Writing) -> None:
    documents.insert(place(documents, "thrown"), a_wager(documents))


def bet_before_the_round(documents: Writing) -> None:
    documents.insert(place(documents, "round_opened"), a_wager(documents))


def shut_the_bets_twice(documents: Writing) -> None:
    at = place(documents, "bets_shut")
    documents.insert(at, copied(documents[at]))


def shut_the_bets_early(documents: Writing) -> None:
    for document in documents:
        if document["event"].get("number") == 3 and "closes" in document["event"]:
            document["event"]["closes"] = hours_later(document["event"]["closes"])


def hours_later(time: str, hours: int = 1) -> str:
    return stamp(moment(time) + timedelta(hours=hours))


def shut_the_bets_late(documents: Writing) -> None:
    shut = documents[place(documents, "bets_shut", ROUNDS)]
    shut["at"] = hours_later(shut["at"])


def tell_an_earlier_time(documents: Writing) -> None:
    document = documents[place(documents, "last_called")]
    document |= {"at": hours_later(document["at"], -1), KEEP_TIME: True}


def change_the_sign_before_the_throw(documents: Writing) -> None:
    changed = document(events.SignChanged(Settings(chip=500), "1.1"))
    documents.insert(place(documents, "dice_drawn"), changed)


def change_the_sign_by_name(documents: Writing) -> None:
    changed = document(events.SignChanged(Settings(chip=500), "1.1"))
    documents.insert(place(documents, "dice_drawn"), changed | {"who": STAFF})


def cancel_with_bets_standing(documents: Writing) -> None:
    at, secret = place(documents, "bets_shut"), event_of(documents, "dice_drawn")["secret"]
    del documents[at : place(documents, "round_opened", 4)]
    cancel(documents, at, secret)


def cancel_with_older_bets_standing(documents: Writing) -> None:
    cancel_before_the_bets_are_shut(documents)
    event_of(documents, "round_cancelled", 1)["standing"] = True


def use_a_secret_again(documents: Writing) -> None:
    secret = event_of(documents, "dice_drawn", 3)["secret"]
    event_of(documents, "round_opened", 4)["commitment"] = commitment(TABLE, 4, bytes.fromhex(secret))
    event_of(documents, "dice_drawn", 4)["secret"] = secret


def number_events(documents: Writing, kind: str) -> list[int]:
    """The positions where the numbers of round 3 are committed or revealed."""
    found = enumerate(document["event"] for document in documents)
    return [at for at, event in found if event["type"] == kind and event["number"] == 3]


def draw_with_another_number(documents: Writing) -> None:
    event_of(documents, "dice_drawn")["numbers"][0] = bytes(32).hex()


def draw_without_a_number(documents: Writing) -> None:
    event_of(documents, "dice_drawn")["numbers"][0] = ""


def draw_with_a_number_too_few(documents: Writing) -> None:
    event_of(documents, "dice_drawn")["numbers"].pop()


def hold_a_number_back(documents: Writing) -> None:
    """The number did arrive, so the house says that it is missing before it may say so."""
    at = number_events(documents, "number_shown")[0]
    committed = documents.pop(at)["event"]["commitment"]
    place_of = event_of(documents, "bets_shut")["numbers"].index(committed)
    event_of(documents, "dice_drawn")["numbers"][place_of] = ""


def show_another_number(documents: Writing) -> None:
    event = documents[number_events(documents, "number_shown")[0]]["event"]
    place_of = event_of(documents, "bets_shut")["numbers"].index(event["commitment"])
    event["shown"] = event_of(documents, "dice_drawn")["numbers"][place_of] = bytes(32).hex()


def list_a_number_too_few(documents: Writing) -> None:
    committed = event_of(documents, "bets_shut")["numbers"].pop()
    at = next(at for at in number_events(documents, "number_shown") if committed in str(documents[at]))
    del documents[at]
    event_of(documents, "dice_drawn")["numbers"].pop()


def list_a_number_too_many(documents: Writing) -> None:
    """Add one of the house's own, once it knows the others."""
    own = bytes(range(32))
    event_of(documents, "bets_shut")["numbers"].append("f" * 64)
    event_of(documents, "dice_drawn")["numbers"].append(own.hex())


def list_the_numbers_in_another_order(documents: Writing) -> None:
    event_of(documents, "bets_shut")["numbers"].reverse()
    event_of(documents, "dice_drawn")["numbers"].reverse()


def put_a_number_in_late(documents: Writing) -> None:
    late = copied(documents[number_events(documents, "number_committed")[0]])
    late["event"] |= {"contributor": 9, "commitment": "f" * 64}
    documents.insert(place(documents, "bets_shut") + 1, late)


def put_two_numbers_in(documents: Writing) -> None:
    at = number_events(documents, "number_committed")[0]
    again = copied(documents[at])
    again["event"]["commitment"] = "f" * 64
    documents.insert(at + 1, again)


def never_shut_the_bets(documents: Writing) -> None:
    del documents[place(documents, "bets_shut")]


def hide_a_step(documents: Writing) -> None:
    documents[place(documents, "last_called")]["who"] = STAFF


def call_after_the_bets_are_shut(documents: Writing) -> None:
    documents.insert(place(documents, "dice_drawn"), copied(documents[place(documents, "last_called")]))


INSIDERS: dict[Change, set[str]] = {
    change_the_faces: {"other_dice"},
    settle_other_faces: {"other_throw"},
    show_another_secret: {"commitment_changed"},
    show_half_a_secret: {"commitment_changed"},
    change_the_commitment: {"commitment_changed"},
    take_the_commitment_of_another_round: {"commitment_changed", "secret_reused"},
    use_a_secret_again: {"secret_reused"},
    draw_with_another_number: {"number_changed"},
    draw_without_a_number: {"number_changed", "drawn_early"},
    draw_with_a_number_too_few: {"number_changed"},
    hold_a_number_back: {"drawn_early"},
    show_another_number: {"number_changed"},
    list_a_number_too_few: {"numbers_altered"},
    list_a_number_too_many: {"numbers_altered", "number_changed"},
    list_the_numbers_in_another_order: {"numbers_altered"},
    put_a_number_in_late: {"out_of_place"},
    put_two_numbers_in: {"numbers_altered"},
    draw_twice: {"redrawn"},
    draw_and_throw_twice: {"redrawn"},
    draw_by_an_older_hash: {"altered"},
    open_a_round_twice: {"redrawn"},
    leave_a_round_out: {"missing"},
    cut_the_draw: {"skipped"},
    open_the_next_round_at_once: {"skipped"},
    cancel_with_another_secret: {"commitment_changed", "cancelled_with_bets"},
    cancel_after_the_bets_are_shut: {"skipped", "cancelled_with_bets"},
    cancel_with_bets_standing: {"cancelled_with_bets"},
    cancel_with_older_bets_standing: {"cancelled_with_bets"},
    cancel_after_the_draw: {"voided"},
    throw_without_a_draw: {"not_drawn"},
    settle_nothing: {"not_settled"},
    end_with_a_draw: {"not_settled"},
    void_the_throw: {"voided"},
    void_the_throw_by_name: {"voided"},
    void_after_the_throw: {"voided"},
    invalidate_in_the_next_round: {"voided"},
    void_before_anything_is_drawn: {"voided"},
    bet_after_the_bets_are_shut: {"late_bet"},
    bet_after_the_draw: {"late_bet"},
    bet_before_the_round: {"early_bet"},
    shut_the_bets_twice: {"out_of_place"},
    shut_the_bets_early: {"shut_early"},
    shut_the_bets_late: {"shut_late"},
    tell_an_earlier_time: {"time_backwards"},
    change_the_sign_before_the_throw: {"sign_changed"},
    change_the_sign_by_name: {"sign_changed"},
    never_shut_the_bets: {"out_of_place", "number_changed"},
    hide_a_step: {"not_shown"},
    call_after_the_bets_are_shut: {"out_of_place"},
}


def change_name(change: Change) -> str:
    return change.__name__


@pytest.mark.parametrize("change", INSIDERS, ids=change_name)
@pytest.mark.parametrize("book", BOOKS)
def test_what_an_insider_did_is_found(book: str, change: Change) -> None:
    verdict = verified(book, forged(book, change))
    assert faults(verdict) == INSIDERS[change], verdict.findings


def test_a_finding_says_where() -> None:
    records = forged(SIC_BO, void_after_the_throw)
    (finding,) = verified(SIC_BO, records).findings
    assert (finding.round, finding.version) == (3, place([read(record) for record in records], "throw_voided", 1) + 1)
    assert finding.sentence == "The throw of round 3 was declared void after it was drawn."


def test_every_fault_is_one_that_is_explained() -> None:
    assert set().union(*INSIDERS.values()) | {"added", "receipt"} == set(FAULTS)


def test_a_past_that_was_made_anew_is_found_by_whoever_saw_a_hash_of_it() -> None:
    """Someone who sees a record for the first time cannot know that there was another one before it."""

    def bet_less(documents: Writing) -> None:
        del documents[place(documents, "wager_placed", 1)]

    old, new = played(SIC_BO), forged(SIC_BO, bet_less)
    assert verified(SIC_BO, new).findings == ()
    for record in old[place([read(each) for each in old], "wager_placed", 1) :]:
        assert faults(verified(SIC_BO, new, [record.hash.hex()])) == {"altered"}


@given(data=st.data(), book=st.sampled_from(BOOKS), how=st.sampled_from(["alter", "remove", "repeat", "swap"]))
def test_no_record_can_be_changed_and_the_chain_made_anew(data: st.DataObject, book: str, how: str) -> None:
    documents = [read(record) for record in played(book)]
    at = data.draw(st.integers(0, place(documents, "bets_shut", ROUNDS) - 1))
    match how:
        case "alter":
            documents[at]["at"] = "2026-02-03T20:00:00.123456Z"
        case "remove":
            del documents[at]
        case "repeat":
            documents.insert(at, documents[at])
        case "swap":
            documents[at : at + 2] = reversed(documents[at : at + 2])
    assert verified(book, chained(map(written, documents))).findings


# -- someone who has only the file -----------------------------------------------------------------------------------


def found(lines: Sequence[bytes]) -> bool:
    """Whether there is a finding, or the file is not even a record."""
    try:
        return bool(verify_dice(lines).findings)
    except RecordError:
        return True


def turned(digits: str, at: int) -> str:
    """Change one hexadecimal digit."""
    return digits[:at] + f"{int(digits[at], 16) ^ 1:x}" + digits[at + 1 :]


@given(data=st.data(), book=st.sampled_from(BOOKS), how=st.sampled_from(["remove", "repeat", "swap"]))
def test_no_line_can_be_removed_repeated_or_swapped(data: st.DataObject, book: str, how: str) -> None:
    lines = public(book, played(book))
    at = data.draw(st.integers(0, len(lines) - (2 if how == "swap" else 1)))
    match how:
        case "remove":
            del lines[at]
        case "repeat":
            lines.insert(at, lines[at])
        case "swap":
            lines[at : at + 2] = reversed(lines[at : at + 2])
    assert found(lines)


@given(data=st.data(), book=st.sampled_from(BOOKS))
def test_no_mark_of_a_line_can_be_changed(data: st.DataObject, book: str) -> None:
    lines = public(book, played(book))
    at = data.draw(st.integers(1, len(lines) - 1))
    line = json.loads(lines[at])
    mark = data.draw(st.sampled_from([name for name in ("version", "sha256", "hash", "count", "head") if name in line]))
    line[mark] = line[mark] + 1 if isinstance(line[mark], int) else turned(line[mark], data.draw(st.integers(0, 63)))
    lines[at] = written(line)
    assert found(lines)


@given(data=st.data(), book=st.sampled_from(BOOKS))
def test_no_letter_of_a_document_can_be_changed(data: st.DataObject, book: str) -> None:
    lines = public(book, played(book))
    at = data.draw(st.sampled_from([place for place, line in enumerate(lines) if b'"document"' in line]))
    line = json.loads(lines[at])
    letter, document = data.draw(st.integers(0, len(line["document"]) - 1)), line["document"]
    line["document"] = document[:letter] + chr(ord(document[letter]) ^ 1) + document[letter + 1 :]
    lines[at] = written(line)
    assert found(lines)


@pytest.mark.parametrize("book", BOOKS)
def test_the_first_line_cannot_say_other_dice_or_another_table(book: str) -> None:
    lines = public(book, played(book))
    first = json.loads(lines[0])
    for change in (
        {"faces": first["faces"][::-1]},
        {"faces": [*first["faces"], first["faces"][0]]},
        {"throw": first["throw"] + 1},
        {"stream": "table/night-2"},
    ):
        assert found([written(first | change), *lines[1:]]), change


def ends_with_a_wager(book: str) -> tuple[Record, ...]:
    """A record whose last line is not a step of a round, so that a fault of the file is not a fault of the dice as
    well."""
    made = (played(book, seed=seed) for seed in range(7, 50))
    return next(records for records in made if b'"area_settled"' in records[-1].document)


def test_a_fault_of_the_file_is_called_by_its_name() -> None:
    records = ends_with_a_wager(CRAPS)
    first, *middle, last = public(CRAPS, records)
    count, head = json.loads(last)["count"], json.loads(last)["head"]
    before = footer(count - 1, records[-2].hash)
    wanted: list[tuple[list[bytes], set[str]]] = [
        ([first, *middle], {"missing"}),
        ([first, *middle[:3], *middle[4:], footer(count - 1, bytes.fromhex(head))], {"missing"}),
        ([first, *middle[:-1], last], {"missing"}),
        ([first, *middle, middle[-1], footer(count + 1, bytes.fromhex(head))], {"added"}),
        ([first, *middle, last, last], {"added"}),
        ([first, *middle[:-1], before, middle[-1]], {"added"}),
        ([first, *middle, footer(count, bytes(32))], {"altered"}),
    ]
    for place_, (changed, names) in enumerate(wanted):
        assert faults(verify_dice(changed)) == names, place_


@pytest.mark.parametrize("number", [-1, 0, 2**63, int("9" * 4300)])
def test_a_round_whose_number_is_none_is_found(number: int) -> None:
    def change(documents: Writing) -> None:
        event_of(documents, "bets_shut")["number"] = number

    sentences = [finding.sentence for finding in verified(SIC_BO, forged(SIC_BO, change)).findings]
    assert sentences
    assert all(len(sentence) < 300 for sentence in sentences)


def test_a_number_without_end_is_no_version() -> None:
    first, *middle, last = public(SIC_BO, played(SIC_BO))
    endless = middle[3].replace(b'"version":4', b'"version":' + b"9" * 4300)
    with pytest.raises(RecordError, match="Line 5 is not a line of a public record"):
        verify_dice([first, *middle[:3], endless, *middle[4:], last])


def test_dice_with_a_face_twice_are_not_fair() -> None:
    first, last = public(SIC_BO, [])
    assert faults(verify_dice([first.replace(b"5,6]", b"6,6]"), last])) == {"other_dice"}


ODD_DOCUMENTS = ["[" * 100_000, '{"a":' + "[" * 100_000, "{}", '{"format":9}', '{"format":1,"event":3}', "\ud800"]


@pytest.mark.parametrize("text", ODD_DOCUMENTS, ids=lambda text: ascii(text[:9]))
def test_a_document_that_cannot_be_read_is_found(text: str) -> None:
    (record,) = chained([text.encode("utf-8", "surrogatepass")])
    marks = {"sha256": hashlib.sha256(record.document).hexdigest(), "hash": record.hash.hex()}
    line = json.dumps({"version": 1, **marks, "document": text}).encode()
    first, _ = public(CRAPS, [])
    assert found([first, line, footer(1, record.hash)])


PLAIN = st.recursive(
    st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
)
ODD_LINES = [b"[" * 100_000, b"{}", b"null", b'{"version":1}', b'{"count":-1,"head":"x"}', b"\xff\xfe"]


@given(at=st.integers(0, 29), junk=st.binary(max_size=80) | st.sampled_from(ODD_LINES) | PLAIN.map(msgspec.json.encode))
def test_no_file_brings_the_verifier_down(at: int, junk: bytes) -> None:
    lines = public(CRAPS, played(CRAPS))[:30]
    lines[at] = junk
    assert found(lines)


KINDS = ["thrown", "table_opened", "table_set", "dice_drawn", "wager_placed", "throw_voided"]
ODD_VALUES = [*KINDS, None, 3, [1, [2]], {"book": 4}, "\x1b[2J"]


@given(st.dictionaries(st.sampled_from(["type", "faces", "rhythm", "terms", "number"]), st.sampled_from(ODD_VALUES)))
def test_no_event_brings_the_verifier_down(event: Plain) -> None:
    lines = public(CRAPS, played(CRAPS))
    line = {name: value for name, value in json.loads(lines[-2]).items() if name in ("version", "sha256", "hash")}
    lines[-2] = written(line | {"event": event})
    sentences = [finding.sentence for finding in verify_dice(lines).findings]
    assert all(sentence.isprintable() and len(sentence) < 300 for sentence in sentences)


# -- the dice themselves ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("faces", "throw"), [((1, 2, 3, 4, 5, 6), 2), ((1, 2, 3, 4, 5, 6), 3), (("H", "T"), 2)])
def test_all_faces_and_all_throws_are_equally_likely(faces: tuple[int | str, ...], throw: int) -> None:
    source = random.Random(20260203)
    throws = [drawn(source.randbytes(32), source.randbytes(32), faces, throw) for _ in range(60_000 // throw)]
    singles = Counter(face for fell in throws for face in fell)
    for counted, ways in ((singles, len(faces)), (Counter(throws), len(faces) ** throw)):
        count, chance = counted.total(), 1 / ways
        sigma = (count * chance * (1 - chance)) ** 0.5
        assert len(counted) == ways
        assert all(abs(seen - count * chance) < 4 * sigma for seen in counted.values())


def test_a_word_that_would_favour_some_faces_is_thrown_away() -> None:
    """4,294,967,296 is four more than a multiple of six: the last four words decide nothing."""
    words = iter([2**32 - 1, 2**32 - 4, 2**32 - 5, 7])
    assert [fair_dice._face(words, (1, 2, 3, 4, 5, 6)) for _ in range(2)] == [6, 2]


def test_dice_are_bound_to_table_round_secret_and_numbers() -> None:
    secret, own = bytes(range(32)), bytes(32)
    for of in (commitment, number_commitment):
        assert len({of("a", 1, secret), of("b", 1, secret), of("a", 2, secret), of("a", 1, own)}) == 4
    assert commitment("a", 1, secret) == hashlib.sha256(b"croupier dice 2\na\n1\n" + secret).hexdigest()
    assert commitment("a", 1, secret, 1) == hashlib.sha256(b"croupier dice 1\na\n1\n" + secret).hexdigest()
    committed = number_commitment("a", 1, own)
    assert committed == hashlib.sha256(b"croupier number 1\na\n1\n" + own).hexdigest()
    shown, missing = mixed("a", 1, [(committed, own.hex())]), mixed("a", 1, [(committed, "")])
    assert shown == hashlib.sha256(f"croupier throw 2\na\n1\n{committed} {own.hex()}\n".encode()).digest()
    assert missing == hashlib.sha256(f"croupier throw 2\na\n1\n{committed} -\n".encode()).digest()
    mixes = [shown, missing, mixed("a", 1, []), mixed("a", 2, []), mixed("b", 1, [])]
    keys = [(secret, mix) for mix in mixes] + [(own, shown)]
    assert len({drawn(key, mix, range(1, 7), 30) for key, mix in keys}) == 6


def test_every_round_has_a_secret_of_its_own() -> None:
    shown = [read(record)["event"]["secret"] for record in played(CRAPS) if b'"dice_drawn"' in record.document]
    assert len(set(shown)) == ROUNDS


def test_throws_of_a_long_evening_look_fair() -> None:
    running = Running(SIC_BO, 11, Rhythm())
    for _ in range(300):
        running.play(1)
    look = look_at_throws(verified(SIC_BO, running.stored[STREAM]))
    assert look is not None
    assert look.against == ()


def test_dice_that_always_fall_alike_are_suspected() -> None:
    verdict = verified(SIC_BO, played(SIC_BO))
    look = look_at_throws(msgspec.structs.replace(verdict, throws=((6, 6, 6),) * 50))
    assert look is not None
    assert "faces" in {finding.test.name for finding in look.against}


# -- the page ---------------------------------------------------------------------------------------------------------


def page_verifier() -> str:
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return str(code)


def by_the_page(lines: Sequence[bytes], folder: Path) -> subprocess.CompletedProcess[str]:
    """The verifier of the page, in a Python that has nothing but its standard library."""
    (folder / "verifier.py").write_text(page_verifier(), encoding="utf-8")
    (folder / "record.jsonl").write_bytes(b"".join(lines))
    command = [sys.executable, "-I", "-S", "verifier.py", "record.jsonl"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


def test_the_verifier_of_the_page_is_short_and_needs_nothing() -> None:
    code = page_verifier()
    assert len(code.splitlines()) <= 80
    assert set(re.findall(r"^import (.*)$", code, re.MULTILINE)) == {"hashlib, hmac, json, sys"}


@pytest.mark.parametrize("book", BOOKS)
def test_the_verifier_of_the_page_agrees_on_honest_records(book: str, tmp_path: Path) -> None:
    done = by_the_page(public(book, played(book)), tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"{len(played(book))} records and {ROUNDS} rounds" in done.stdout


# What is a matter of time, of signs and of cancelled rounds the page leaves to the command.
LEFT_TO_THE_COMMAND = {
    *(shut_the_bets_early, shut_the_bets_late, tell_an_earlier_time, hold_a_number_back, use_a_secret_again),
    *(cancel_with_bets_standing, cancel_with_older_bets_standing),
    *(change_the_sign_before_the_throw, change_the_sign_by_name),
}


@pytest.mark.parametrize("change", [each for each in INSIDERS if each not in LEFT_TO_THE_COMMAND], ids=change_name)
def test_the_verifier_of_the_page_finds_what_an_insider_did(change: Change, tmp_path: Path) -> None:
    done = by_the_page(public("two-up-nsw-2016", forged("two-up-nsw-2016", change)), tmp_path)
    assert done.returncode == 1
    assert re.match(r"Record \d+, round \d+: ", done.stderr), done.stderr


@pytest.mark.parametrize(("example", "older"), [(EXAMPLE, 0), (OLDER, 6)], ids=["protocol 2", "protocol 1"])
def test_the_records_of_the_page_are_in_order(example: Path, older: int, tmp_path: Path) -> None:
    with example.open("rb") as lines:
        verdict = verify_dice(lines)
    assert (verdict.findings, verdict.older) == ((), older)
    with example.open("rb") as lines:
        done = by_the_page(list(lines), tmp_path)
    assert done.returncode == 0
    assert done.stdout in PAGE.read_text(encoding="utf-8")


def test_the_page_explains_every_fault() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [fault for fault in FAULTS if f"| `{fault}` |" not in text] == []


# -- the command ------------------------------------------------------------------------------------------------------

Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Typed:
    """Run `croupier verify-dice` with a file of these lines; return the exit status and the output."""

    def run(lines: Sequence[bytes], *words: str) -> tuple[int, str, str]:
        file = tmp_path / "record.jsonl"
        file.write_bytes(b"".join(lines))
        status = main(["verify-dice", str(file), *words])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


def test_command_says_what_was_checked(typed: Typed) -> None:
    records = played(SIC_BO)
    status, out, err = typed(public(SIC_BO, records))
    assert (status, err) == (0, "")
    assert f"rounds   {ROUNDS}: {ROUNDS} drawn\n" in out
    assert f"head     {records[-1].hash.hex()}\n" in out
    assert "All is well" in out


def test_command_counts_numbers(typed: Typed) -> None:
    status, out, _ = typed(public(SIC_BO, played(SIC_BO)))
    numbers = verified(SIC_BO, played(SIC_BO)).numbers
    assert (status, numbers.missing) == (0, 1)
    assert f"numbers  {numbers.put_in} added by 2 players: {numbers.shown} revealed, 1 missing\n" in out
    told = json.loads(typed(public(SIC_BO, played(SIC_BO)), "--json")[1])["numbers"]
    assert told["contributors"]["1"]["put_in"] + told["contributors"]["2"]["put_in"] == numbers.put_in


def test_command_says_what_is_not_proved_without_numbers(typed: Typed) -> None:
    running = Running(SIC_BO, 7, Rhythm(), numbers=False)
    running.play(2)
    status, out, _ = typed(public(SIC_BO, running.stored[STREAM]))
    assert status == 0
    assert "2 rounds were drawn without a number from any player. The house knew" in " ".join(out.split())


def test_command_says_what_the_older_protocol_does_not_prove(typed: Typed) -> None:
    status, out, _ = typed([OLDER.read_bytes()])
    assert status == 0
    assert "6 rounds were drawn under protocol 1." in out
    assert "the house could vary them" in " ".join(out.split())
    assert "numbers  " not in out


def test_a_house_cannot_go_back_to_the_older_protocol() -> None:
    def go_back(documents: Writing) -> None:
        event_of(documents, "round_opened")["protocol"] = 1

    assert "other_dice" in faults(verified(SIC_BO, forged(SIC_BO, go_back)))


def test_a_number_that_the_house_says_did_not_come_is_told(typed: Typed) -> None:
    """Nothing in the record contradicts it: the player's own page knows better."""

    def hold_back_for_long(documents: Writing) -> None:
        hold_a_number_back(documents)
        for document in documents[place(documents, "dice_drawn") :]:
            document["at"] = hours_later(document["at"])
            for name in ("opened", "closes", "shown_until"):
                if name in document["event"]:
                    document["event"][name] = hours_later(document["event"][name])

    status, out, _ = typed(public(SIC_BO, forged(SIC_BO, hold_back_for_long)))
    assert status == 0
    assert ", 2 missing\n" in out
    assert "\nmissing  from 2 rounds" in out


def test_whose_numbers_are_missing_too_often_stands_out() -> None:
    honest, crooked = Count(400, 8), Count(60, 12)
    (one,) = tallied({1: honest, 2: crooked, 3: Count(300, 9)}, 0).suspected
    assert one.contributor == 2
    assert one.chance < 1e-4
    assert tallied({1: honest, 2: Count(60, 3)}, 0).suspected == ()
    assert tallied({1: Count(1, 1)}, 0).suspected == (), "one number proves nothing"
    assert tallied({}, 4) == Numbers(0, 0, 0, 4, {}, ())


def counted(rounds: list[tuple[list[int], list[int]]]) -> Numbers:
    """Rounds with these players' numbers, some of which are missing."""
    tally = Tally()
    for number, (players, missing) in enumerate(rounds, 1):
        tally.count(number, players, ["" if player in missing else "shown" for player in players])
    return tally.numbers()


def test_a_round_of_which_many_numbers_are_missing_stands_out() -> None:
    """Whoever they belong to: each of the players is there for the first time."""
    honest: list[tuple[list[int], list[int]]] = [([1, 2, 3], [])] * 30
    told = counted([*honest, ([1, 2, 3, 11, 12, 13, 14, 15, 16], [11, 12, 13, 14])])
    (one,) = told.thin
    assert (one.round, one.put_in, one.missing) == (31, 9, 4)
    rate = Fraction(1, 92)
    exact = 31 * sum(comb(9, lost) * rate**lost * (1 - rate) ** (9 - lost) for lost in range(4, 10))
    assert one.chance == pytest.approx(float(exact))
    assert told.suspected == ()
    assert (told.incomplete, told.empty) == (1, 0)
    assert counted([*honest, ([1, 2, 3], [1])]).thin == (), "one that is missing proves nothing"
    often: list[tuple[list[int], list[int]]] = [([1, 2, 3], [1, 2, 3]), ([1, 2, 3], [])] * 15
    assert counted(often).thin == (), "where it happens all the time it is no news of one round"
    assert counted(often).empty == 15


def test_first_numbers_are_counted_apart() -> None:
    told = counted([([1, 2], []), ([1, 2, 3], [3]), ([1, 2, 4], [4]), ([1, 2, 4], [2])])
    assert told.newcomers == Count(4, 2)
    assert (told.put_in, told.missing, told.incomplete) == (11, 3, 3)


def test_the_chance_of_bad_luck_is_counted_exactly() -> None:
    """Compared with all ways to lose this many of so few, at the others' rate of (1 + 1) / (10 + 2)."""
    rate = Fraction(2, 12)
    exact = sum(comb(12, lost) * rate**lost * (1 - rate) ** (12 - lost) for lost in range(9, 13))
    (one,) = tallied({1: Count(12, 9), 2: Count(10, 1)}, 0).suspected
    assert one.chance == pytest.approx(float(exact))


def test_command_says_what_was_found(typed: Typed) -> None:
    status, out, _ = typed(public(SIC_BO, forged(SIC_BO, void_after_the_throw)))
    assert status == 1
    assert "(voided): The throw of round 3 was" in out
    assert "All is well" not in out


def test_command_prints_json(typed: Typed) -> None:
    status, out, _ = typed(public(SIC_BO, forged(SIC_BO, draw_twice)), "--json")
    told = json.loads(out)
    assert status == 1
    assert (told["ok"], told["rounds"], told["drawn"]) == (False, ROUNDS, ROUNDS + 1)
    assert [(each["fault"], each["round"]) for each in told["findings"]] == [("redrawn", 3)]
    status, out, _ = typed(public(SIC_BO, played(SIC_BO)), "--json")
    told = json.loads(out)
    assert (status, told["ok"], told["findings"], told["look"]["throws"]) == (0, True, [], ROUNDS)


def test_command_looks_for_a_hash_that_was_seen(typed: Typed) -> None:
    records = played(SIC_BO)
    lines = public(SIC_BO, records)
    assert typed(lines, "--seen", records[4].hash.hex())[0] == 0
    assert typed(lines, "--seen", bytes(32).hex())[0] == 1
    status, _, err = typed(lines, "--seen", "12")
    assert status == 2
    assert "64 hexadecimal digits" in err


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([], "not a public record"),
        ([b"\x00\xff"], "not a public record"),
        ([b'{"ok":true}\n'], "not a public record"),
        ([*public(SIC_BO, played(SIC_BO))[:5], b"what\n"], "Line 6 is not a line"),
        ([public(SIC_BO, [])[0].replace(b'"format":1', b'"format":2')], "format 2"),
    ],
)
def test_command_says_in_a_sentence_what_cannot_be_read(typed: Typed, lines: list[bytes], says: str) -> None:
    status, out, err = typed(lines)
    assert (status, out) == (2, "")
    assert says in err
    assert len(err.splitlines()) == 1


def test_command_says_which_file_is_not_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["verify-dice", str(tmp_path / "none.jsonl")]) == 2
    assert main(["verify-dice", str(tmp_path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_command_has_nothing_to_verify_where_people_throw(typed: Typed) -> None:
    status, _, err = typed(public(CRAPS, Running(CRAPS, 1, None).stored[STREAM]))
    assert status == 2
    assert "no electronic dice" in err


def test_command_holds_the_dice_against_the_book(typed: Typed) -> None:
    """Dice that had seven faces from the beginning would be consistent in themselves."""
    documents = [read(record) for record in played(SIC_BO)][:2]
    lines = public(SIC_BO, chained(map(written, documents)))
    lines[0] = lines[0].replace(b"5,6]", b"5,6,7]")
    status, out, _ = typed(lines)
    assert status == 1
    assert "uses other dice than the book" in " ".join(out.split())
    lines = public(SIC_BO, chained(written(each) for each in _with_book(documents, "my-own")))
    status, out, _ = typed(lines)
    assert status == 0
    assert "book is not available" in out


def _with_book(documents: Writing, book: str) -> Writing:
    documents[1]["event"]["terms"]["book"] = book
    return documents
