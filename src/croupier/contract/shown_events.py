"""Events as a table reports them: one tagged struct for each, with money as text such as "10.00".

The pipe prints them, the library returns them, and the house shows them to people. Optional fields that do not apply
are None and are left out of the JSON. Every struct can also be read like a dict: `event["clause"]`, `event.get("by")`.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping
from functools import cache
from typing import Any, ClassVar, Literal

import msgspec

Pick = int | str | tuple[int, ...] | None
Fact = int | str
Said = int | str | tuple[int, ...] | None  # a value that a person gave with an act


class JsonRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """An immutable value that is printed as a JSON object and can be read like a dict with the same keys.

    The entries of the field named in `FLAT`, a mapping or another record, are printed in its place: books name some
    fields themselves.
    """

    FLAT: ClassVar[str | None] = None

    def as_dict(self) -> dict[str, object]:
        """Return the JSON object as a dict, with records inside it unchanged."""
        tag, fields = _shape(type(self))
        found: dict[str, object] = {} if tag is None else {"type": tag}
        for attribute, name, optional, default in fields:
            value = getattr(self, attribute)
            if attribute == self.FLAT:
                found.update(value.as_dict() if isinstance(value, JsonRecord) else value or {})
            elif not (optional and value == default):
                found[name] = value
        return found

    @property
    def printable(self) -> JsonRecord | dict[str, object]:
        """What a JSON encoder needs: the record itself, or a dict if a field must be printed flat."""
        return self.as_dict() if self.FLAT is not None and getattr(self, self.FLAT) else self

    def plain(self) -> dict[str, Any]:
        """Return the JSON object as plain values all the way down."""
        found: dict[str, Any] = msgspec.to_builtins(self.as_dict())
        return found

    def __getitem__(self, name: str) -> object:
        return self.as_dict()[name]

    def __contains__(self, name: object) -> bool:
        return name in self.as_dict()

    def __iter__(self) -> Iterator[str]:
        return iter(self.as_dict())

    def get(self, name: str, default: object = None) -> object:
        """Return the value of a key; the default if it is absent."""
        return self.as_dict().get(name, default)

    def keys(self) -> list[str]:
        """Return the keys of the JSON object."""
        return list(self.as_dict())

    def items(self) -> ItemsView[str, object]:
        """Return the entries of the JSON object."""
        return self.as_dict().items()


_Field = tuple[str, str, bool, object]  # attribute, key, whether it may be left out, default


@cache
def _shape(record: type[JsonRecord]) -> tuple[str | None, list[_Field]]:
    """Return the tag of a record, and its fields."""
    tag, fields = record.__struct_config__.tag, msgspec.structs.fields(record)
    known = [(each.name, each.encode_name, not each.required, _default(each)) for each in fields]
    return None if tag is None else str(tag), known


def _default(field: msgspec.structs.FieldInfo) -> object:
    return field.default_factory() if callable(field.default_factory) else field.default


class StakeLimits(JsonRecord, frozen=True, kw_only=True):
    """The smallest and the largest stake; None is no limit."""

    min: str | None
    max: str | None


class OwnSign(StakeLimits, frozen=True, kw_only=True):
    """A player's own sign: limits for everything, and for single wagers."""

    limits: dict[str, StakeLimits] = {}


class PrintedSign(JsonRecord, frozen=True, kw_only=True):
    """What the sign at a table states besides its general limits. `fixed_stakes` are fields that the book names."""

    FLAT = "fixed_stakes"

    limits: dict[str, StakeLimits] = {}
    player_max: str | None = None
    unit: str | None = None
    seats: int | None = None
    dice: Literal["manual"] | None = None
    late: Literal[True] | None = None
    player_limits: dict[str, OwnSign] = {}
    without: list[str] = []
    fixed_stakes: dict[str, str] = {}


class EventView(JsonRecord, frozen=True, kw_only=True, tag_field="type"):
    """The base of all events as people see them."""

    @property
    def type(self) -> str:
        """The word for this kind of event."""
        return str(self.__struct_config__.tag)


class TableOpened(EventView, frozen=True, kw_only=True, tag="table_opened"):
    """The table opened under a book, with its sign."""

    FLAT = "sign"

    book: str
    chip: str
    min: str | None
    max: str | None
    units: Literal["any", "exact"]
    pay_table: dict[str, str] = {}
    readings: list[str] = []
    sign: PrintedSign = PrintedSign()
    call: str | None = None


class PlayerSeated(EventView, frozen=True, kw_only=True, tag="player_seated"):
    """A player sat down with chips."""

    player: str
    chips: str
    card: bool
    area: str | None = None
    place: int | None = None


class ChipsBought(EventView, frozen=True, kw_only=True, tag="chips_bought"):
    """A seated player bought chips. `checks` is their colour if they are checks without a face value."""

    player: str
    chips: str
    means: str | None = None
    checks: str | None = None


class ChecksRedeemed(EventView, frozen=True, kw_only=True, tag="checks_redeemed"):
    """Checks of a colour became value chips."""

    player: str
    checks: str
    amount: str
    place: str | None = None
    clause: str


class TokensIssued(EventView, frozen=True, kw_only=True, tag="tokens_issued"):
    """A voucher became promotional tokens."""

    player: str
    tokens: str
    conditions: str
    clause: str


class PlayerLeft(EventView, frozen=True, kw_only=True, tag="player_left"):
    """A player left with chips, and handed back unused tokens."""

    player: str
    chips: str
    tokens: str | None = None
    clause: str | None


class WagerChange(EventView, frozen=True, kw_only=True):
    """Chips moved onto a wager or off it: `amount` now; `stake` stands afterwards."""

    player: str
    wager: str
    pick: Pick
    amount: str
    stake: str
    commission: str
    tokens: str | None = None
    checks: dict[str, str] = {}
    clause: str | None


class WagerPlaced(WagerChange, frozen=True, kw_only=True, tag="wager_placed"):
    """A wager was made or increased."""


class WagerReduced(WagerChange, frozen=True, kw_only=True, tag="wager_reduced"):
    """Part of a wager went back to its player."""


class WagerRemoved(WagerChange, frozen=True, kw_only=True, tag="wager_removed"):
    """A whole wager went back to its player."""


class WagerFound(EventView, frozen=True, kw_only=True, tag="wager_found"):
    """A dealer found a wager after the throw."""

    player: str
    wager: str
    pick: Pick
    amount: str
    clause: str | None


class WagerCalled(EventView, frozen=True, kw_only=True, tag="wager_called"):
    """A player called a wager On or Off."""

    player: str
    wager: str
    pick: Pick
    on: bool
    clause: str


class BetsClosed(EventView, frozen=True, kw_only=True, tag="bets_closed"):
    """Betting closed."""

    call: str | None
    clause: str


class BetsOpened(EventView, frozen=True, kw_only=True, tag="bets_opened"):
    """Betting opened again."""

    call: str | None
    clause: str


class Thrown(EventView, frozen=True, kw_only=True, tag="thrown"):
    """The dice or coins fell. `other` has the faces if a book of your own gives the field another name."""

    FLAT = "other"

    dice: list[int] | None = None
    coins: str | None = None
    other: dict[str, list[int | str] | str] = {}
    call: str
    by: str | None
    title: str
    clause: str
    thrown_at: str | None = None
    rested_at: str | None = None


class WagerSettled(EventView, frozen=True, kw_only=True, tag="wager_settled"):
    """A wager was decided. `paid` is the winnings, `returned` everything that went back to the player."""

    player: str
    wager: str
    pick: Pick
    result: Literal["win", "lose", "void"]
    stake: str
    paid: str
    returned: str
    tokens: str | None = None
    tokens_returned: str | None = None
    checks: dict[str, str] = {}
    checks_returned: dict[str, str] = {}
    clause: str


class WagerMoved(EventView, frozen=True, kw_only=True, tag="wager_moved"):
    """A wager moved to another state; a Come wager travelled to its number."""

    player: str
    wager: str
    pick: Pick
    to: Pick
    state: str
    clause: str


class PhaseMoved(EventView, frozen=True, kw_only=True, tag="phase_moved", rename={"before": "from"}):
    """A phase of the table changed: the puck, a run."""

    phase: str
    before: str
    to: str
    value: int | str | None
    clause: str


class TurnPassed(EventView, frozen=True, kw_only=True, tag="turn_passed"):
    """The dice or coins pass on from this player."""

    player: str
    clause: str


class TurnOpened(EventView, frozen=True, kw_only=True, tag="turn_opened"):
    """Players who passed may be offered the turn again."""

    clause: str


class HouseThrowsOn(EventView, frozen=True, kw_only=True, tag="house_throws_on"):
    """The house throws in the player's place until the wager is decided."""

    player: str
    wager: str
    clause: str


class ThrowVoided(EventView, frozen=True, kw_only=True, tag="throw_voided"):
    """The throw did not count."""

    call: str | None
    by: str | None
    title: str
    clause: str
    thrown_at: str | None = None
    rested_at: str | None = None


class OutcomeInvalidated(EventView, frozen=True, kw_only=True, tag="outcome_invalidated"):
    """A supervisor invalidated the outcome."""

    reason: str
    forfeit: list[str] = []
    clause: str
    thrown_at: str | None = None
    rested_at: str | None = None


class ResultTakenBack(EventView, frozen=True, kw_only=True, tag="result_taken_back"):
    """A wrong result was undone; `undone` are the settlements and reductions that it caused."""

    FLAT = "other"

    dice: list[int] | None = None
    coins: str | None = None
    other: dict[str, list[int | str] | str] = {}
    undone: list[WagerSettled | WagerReduced | WagerRemoved]
    clause: str


class PlayResumed(EventView, frozen=True, kw_only=True, tag="play_resumed"):
    """After a correction play resumes where it was."""

    bets_open: bool
    facts: dict[str, Fact | None]
    clause: str


class DebtIncurred(EventView, frozen=True, kw_only=True, tag="debt_incurred"):
    """A player lacks the chips to give back, and owes them."""

    player: str
    amount: str
    clause: str


class DebtPaid(EventView, frozen=True, kw_only=True, tag="debt_paid"):
    """A debt was taken from a payment or on leaving."""

    player: str
    amount: str
    clause: str


class CommandGiven(EventView, frozen=True, kw_only=True, tag="command_given", rename={"command": "do", "role": "as"}):
    """A person gave a command in a role."""

    command: str
    role: str
    who: str | None
    at: str | None


class ActDone(EventView, frozen=True, kw_only=True, tag="act_done", rename={"role": "as"}):
    """A person performed an act; `said` are the fields that the book gives it."""

    FLAT = "said"

    act: str
    role: str | None
    who: str | None
    at: str | None
    said: dict[str, Said] = {}
    call: str | None
    clause: str


class Noted(EventView, frozen=True, kw_only=True, tag="noted"):
    """The table set facts, or (None) cleared them."""

    facts: dict[str, Fact | None]
    clause: str


class SignChanged(EventView, frozen=True, kw_only=True, tag="sign_changed"):
    """The sign at the table changed."""

    FLAT = "sign"

    min: str | None
    max: str | None
    sign: PrintedSign
    clause: str


class TableReopened(EventView, frozen=True, kw_only=True, tag="table_reopened"):
    """A closed table opened for another gaming day."""

    call: str | None
    clause: str


class PaymentCorrected(EventView, frozen=True, kw_only=True, tag="payment_corrected"):
    """A wrong payment was corrected."""

    player: str
    way: Literal["paid", "taken back"]
    amount: str
    clause: str


class FloatMoved(EventView, frozen=True, kw_only=True, tag="float_moved"):
    """Chips came to the float or left it."""

    way: Literal["fill", "credit"]
    amount: str
    clause: str


class FloatCounted(EventView, frozen=True, kw_only=True, tag="float_counted"):
    """The float was counted; `difference` is the count minus the amount that the table expected."""

    when: str
    amount: str
    difference: str
    clause: str


class RulesShown(EventView, frozen=True, kw_only=True, tag="rules_shown"):
    """A person was shown the rules; `document` is in base64."""

    title: str
    sha256: str
    document: str
    copy: bool
    clause: str


class ReportedMispayment(JsonRecord, frozen=True, kw_only=True):
    """A wrong payment in a monthly return."""

    case: str
    player: str | None
    way: str
    amount: str
    finding: str | None
    standing: str
    no_credit: bool


class MispaymentsReported(EventView, frozen=True, kw_only=True, tag="mispayments_reported"):
    """The wrong payments of a month were reported to the regulator."""

    month: str
    cases: list[ReportedMispayment]
    clause: str


class RulesAdopted(EventView, frozen=True, kw_only=True, tag="rules_adopted"):
    """The table continues under other terms."""

    book: str
    pay_table: dict[str, str]
    clause: str | None


def _by_type(base: type[EventView]) -> Iterator[tuple[str, type[EventView]]]:
    for kind in base.__subclasses__():
        if kind.__subclasses__():
            yield from _by_type(kind)
        else:
            yield str(kind.__struct_config__.tag), kind


BY_TYPE = dict(_by_type(EventView))


def read_event(told: Mapping[str, object]) -> EventView | None:
    """Read an event from its JSON object; None if it has a type that is not known here. Raises ValidationError."""
    kind = BY_TYPE.get(str(told.get("type")))
    return None if kind is None else msgspec.convert(_nested(kind, told), kind)


def _nested(kind: type[JsonRecord], told: Mapping[str, object]) -> dict[str, object]:
    """Put the entries that are printed flat back into the field that has them."""
    fields = {each.encode_name: each for each in msgspec.structs.fields(kind)}
    flat = fields.pop(kind.FLAT, None) if kind.FLAT is not None else None
    own = {name: value for name, value in told.items() if name in fields or name == "type"}
    if flat is None:
        return own
    others = {name: value for name, value in told.items() if name not in own}
    is_record = isinstance(flat.type, type) and issubclass(flat.type, JsonRecord)
    return own | {flat.encode_name: _nested(flat.type, others) if is_record else others}
