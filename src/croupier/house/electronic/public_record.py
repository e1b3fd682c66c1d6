"""The public record of a table, for verifying its dice without revealing players or stakes.

It has a line for every record of the table's stream, so the chain can be followed from the first to the last. A line
shows the whole document if it names no one, the event without the names if it does, and only the kind of a private
event. A document that is not shown is in the chain by its digest, so anyone who has it can check the line against it:
players what they received, an inspector everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, get_args

import msgspec

from croupier.house import events as house
from croupier.house.stored_events import Document, StoredEvent, decode
from croupier.prizes import events as prizes
from croupier.rules.schema import ThrowRules
from croupier.store.records import Record, anchor, digest
from croupier.table import events as table

FORMAT = 1
TITLE = "croupier public record"
MOST = 2**53  # limit of all counts: what every JSON reader can represent exactly

Count = Annotated[int, msgspec.Meta(ge=0, le=MOST)]

# Public events, and their fields that name people, chips or wagers: those are removed if set.
PUBLIC: dict[type[msgspec.Struct], tuple[str, ...]] = {
    house.TableSet: (),
    house.RoundOpened: (),
    house.ClockSet: (),
    house.LastCalled: (),
    house.NumberCommitted: ("player",),
    house.PlayerReady: ("player",),
    house.BetsShut: (),
    house.NumberShown: ("player",),
    house.DiceDrawn: (),
    house.RoundCancelled: (),
    table.TableOpened: ("settings.player_limits",),
    table.TableReopened: (),
    table.SignChanged: ("settings.player_limits",),
    table.RulesAdopted: (),
    table.BetsClosed: (),
    table.BetsOpened: (),
    table.Thrown: ("by",),
    table.ThrowVoided: ("by", "wager"),
    table.OutcomeInvalidated: ("forfeit",),
    table.PhaseMoved: (),
    table.TurnOpened: (),
}

# Events about people, their chips and wagers, the float, or with free text: only the kind is public.
PRIVATE: tuple[type[msgspec.Struct], ...] = (
    house.AccountOpened,
    house.NameChanged,
    house.PasswordSet,
    house.RolesChanged,
    house.CardIssued,
    house.CardEnded,
    house.ChipsGranted,
    house.WentToTable,
    house.CameFromTable,
    house.LimitsSet,
    house.ExclusionBegan,
    house.ExclusionEnded,
    house.StaffCame,
    house.StaffWent,
    house.PlayerAway,
    house.PlayerBack,
    house.AlertRaised,
    house.AlertAnswered,
    house.DutyAnswered,
    house.PromotionOpened,
    house.DrawCommitted,
    house.PlayCounted,
    house.DrawShown,
    house.PrizesPassedOn,
    table.PlayerSeated,
    table.ChipsBought,
    table.ChecksRedeemed,
    table.TokensIssued,
    table.PlayerLeft,
    table.WagerPlaced,
    table.WagerReduced,
    table.WagerFound,
    table.WagerCalled,
    table.AreaSettled,
    table.AreaMoved,
    table.TurnPassed,
    table.HouseThrowsOn,
    table.CommandGiven,
    table.TimeTold,
    table.ActDone,
    table.Noted,
    table.PaymentCorrected,
    table.ResultTakenBack,
    table.PlayResumed,
    table.DebtIncurred,
    table.DebtPaid,
    table.FloatMoved,
    table.FloatCounted,
    table.RulesShown,
    table.MispaymentsReported,
    *get_args(prizes.AnyEvent),
)

# For these one more thing is public: whether the table is closing or closed, as a sign says anyway. Only then may a
# round be cancelled.
SIGNS = (table.ActDone, table.Noted)
SIGN = "table"


class Header(msgspec.Struct, frozen=True):
    """The first line: the stream of the record, and what is thrown at that table."""

    record: str
    format: Count
    stream: str
    faces: tuple[int | str, ...]
    throw: Count


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One record of the stream, with its document, its event without names, or only its kind."""

    version: Count
    sha256: str
    hash: str
    document: str | None = None
    event: dict[str, object] | None = None
    type: str | None = None


class Footer(msgspec.Struct, frozen=True):
    """The last line: the number of records, and the hash of the last."""

    count: Count
    head: str


_encoder = msgspec.json.Encoder()


def public_record(stream: str, rules: ThrowRules, records: Iterable[Record]) -> Iterator[bytes]:
    """Yield the public record of a table whose book throws by these rules: all its records, in order."""
    yield header(stream, rules)
    count, head = 0, anchor(stream)
    for record in records:
        yield line(record)
        count, head = record.version, record.hash
    yield footer(count, head)


def header(stream: str, rules: ThrowRules) -> bytes:
    """Return the first line."""
    return _encoder.encode(Header(TITLE, FORMAT, stream, tuple(rules.faces), rules.throw)) + b"\n"


def line(record: Record) -> bytes:
    """Return the public line of one record."""
    document = decode(record.document)
    marks = (record.version, digest(record.document).hex(), record.hash.hex())
    if shown_whole(document):
        made = Line(*marks, document=record.document.decode())
    elif type(document.event) in PUBLIC:
        made = Line(*marks, event=_without_names(document.event))
    elif isinstance(document.event, SIGNS) and SIGN in document.event.facts:
        made = Line(*marks, event={"type": kind(document.event), SIGN: document.event.facts[SIGN]})
    else:
        made = Line(*marks, type=kind(document.event))
    return _encoder.encode(made) + b"\n"


def footer(count: int, head: bytes) -> bytes:
    """Return the last line."""
    return _encoder.encode(Footer(count, head.hex())) + b"\n"


def kind(event: StoredEvent) -> str:
    """Return the tag of a stored event."""
    tag = event.__struct_config__.tag
    assert isinstance(tag, str), "every event has a tag"
    return tag


def shown_whole(document: Document) -> bool:
    """Return whether the document itself is public."""
    return names_nobody(document.event, document.who)


def names_nobody(event: StoredEvent, who: str | None) -> bool:
    """Return whether an event is public and names no one, including the person behind it."""
    named = PUBLIC.get(type(event))
    return named is not None and who is None and not any(_value(event, field) for field in named)


def _value(event: object, field: str) -> object:
    for name in field.split("."):
        event = getattr(event, name)
    return event


def _without_names(event: StoredEvent) -> dict[str, object]:
    plain: dict[str, object] = msgspec.to_builtins(event)
    for field in PUBLIC[type(event)]:
        *outer, name = field.split(".")
        inner = plain
        for step in outer:
            inner = inner[step]  # type: ignore[assignment]  # a nested object
        inner.pop(name, None)
    return plain
