"""The public record of a table: what anybody may have, to check its dice without seeing who plays and for how much.

It has a line for every record of the table's stream, so the chain can be followed from the first to the last. A line
shows the document itself where nobody is named in it. Where somebody is, it shows the event without the names; of what
is private, the kind of event alone. What is not shown as a document stands in the chain by its digest, so whoever has
the document can hold the line against it: players what they were told, an inspector all of it.
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
MOST = 2**53  # of anything that is counted: what every reader of JSON can tell exactly

Count = Annotated[int, msgspec.Meta(ge=0, le=MOST)]

# What may be seen of a table, and the fields that name people, chips or wagers: those are taken out where they do.
PUBLIC: dict[type[msgspec.Struct], tuple[str, ...]] = {
    house.TableSet: (),
    house.RoundOpened: (),
    house.LastCalled: (),
    house.NumberCommitted: ("player",),
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

# What concerns people, their chips and wagers, the float, or may hold any words at all: only its kind is seen.
PRIVATE: tuple[type[msgspec.Struct], ...] = (
    house.AccountOpened,
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

# Of these everybody sees one thing more: whether the table is closing or closed, which a sign says anyway. A round may
# be cancelled then, and at no other time.
SIGNS = (table.ActDone, table.Noted)
SIGN = "table"


class Header(msgspec.Struct, frozen=True):
    """The first line: of which stream the record is, and what is thrown at that table."""

    record: str
    format: Count
    stream: str
    faces: tuple[int | str, ...]
    throw: Count


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One record of the stream, with one of three: its document, its event without names, or only the kind of it."""

    version: Count
    sha256: str
    hash: str
    document: str | None = None
    event: dict[str, object] | None = None
    type: str | None = None


class Footer(msgspec.Struct, frozen=True):
    """The last line: how many records there are, and the chain's hash of the last."""

    count: Count
    head: str


_encoder = msgspec.json.Encoder()


def public_record(stream: str, rules: ThrowRules, records: Iterable[Record]) -> Iterator[bytes]:
    """The public record of a table whose book throws by these rules, line by line: all its records, in their order."""
    yield header(stream, rules)
    count, head = 0, anchor(stream)
    for record in records:
        yield line(record)
        count, head = record.version, record.hash
    yield footer(count, head)


def header(stream: str, rules: ThrowRules) -> bytes:
    """The first line."""
    return _encoder.encode(Header(TITLE, FORMAT, stream, tuple(rules.faces), rules.throw)) + b"\n"


def line(record: Record) -> bytes:
    """What anybody may see of one record."""
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
    """The last line."""
    return _encoder.encode(Footer(count, head.hex())) + b"\n"


def kind(event: StoredEvent) -> str:
    """The tag under which an event is stored."""
    tag = event.__struct_config__.tag
    assert isinstance(tag, str), "every event has a tag"
    return tag


def shown_whole(document: Document) -> bool:
    """Whether the document itself is public."""
    return names_nobody(document.event, document.who)


def names_nobody(event: StoredEvent, who: str | None) -> bool:
    """Whether an event is public, and nobody is named, neither in it nor as who gave it."""
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
            inner = inner[step]  # type: ignore[assignment]  # a field that holds fields
        inner.pop(name, None)
    return plain
