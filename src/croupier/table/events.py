"""Events that happened at a table, in the past tense.

The stored form of an event does not depend on the names in this module: the tags below are the format, and `FORMAT`
is its version. Wagers are settled area by area, as a dealer does it, so one event may hold the stakes of many
players.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from croupier.rules.game import Terms
from croupier.rules.machine import Pick
from croupier.rules.schema import Fact
from croupier.table.commands import Settings
from croupier.table.state import Checks, OnArea, Taken, Turn

FORMAT = 1

Result = Literal["win", "lose", "void"]
SettledStake = tuple[str, int, int, int]  # player, stake, winnings paid, total returned to the player in chips
SettledTokens = tuple[str, int, int]  # player, tokens in the stake, tokens returned
SettledChecks = tuple[str, str, int, int]  # player, colour, amount of the stake in such checks, amount returned in them
ReducedChecks = tuple[
    tuple[str, int, int], ...
]  # colour, amount taken off the stake in such checks, amount returned in them


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="type"):
    """The base of all events."""


class AreaEvent(OnArea, Event, frozen=True):
    """An event on one area: the wager, its pick, the state of its machine and the terms it was made under."""


class TableOpened(Event, frozen=True, tag="table_opened"):
    """The table opened under these terms, with this sign and these phases."""

    terms: Terms
    settings: Settings
    phases: dict[str, str]
    call: str | None = None


class PlayerSeated(Event, frozen=True, tag="player_seated"):
    """A player took a seat with chips, in a player area if one is named; without a `place`, after the last one."""

    player: str
    chips: int
    card: bool
    area: str | None = None
    place: int | None = None


class ChipsBought(Event, frozen=True, tag="chips_bought"):
    """A seated player bought more chips: for cash, through a cashless terminal, for a voucher, or by other means.

    `checks` is their colour if they are checks without a face value.
    """

    player: str
    chips: int
    means: str | None = None
    checks: str | None = None


class ChecksRedeemed(Event, frozen=True, tag="checks_redeemed"):
    """Checks of a colour became value chips, at the table unless another place is named."""

    player: str
    checks: str
    cents: int
    clause: str
    place: str | None = None


class TokensIssued(Event, frozen=True, tag="tokens_issued"):
    """A voucher became promotional tokens; by its conditions they are collected, or returned when they win."""

    player: str
    tokens: int
    conditions: str
    clause: str


class PlayerLeft(Event, frozen=True, tag="player_left"):
    """A player left the table with chips, and handed back unused tokens."""

    player: str
    chips: int
    clause: str | None = None
    tokens: int = 0


class WagerPlaced(AreaEvent, frozen=True, tag="wager_placed"):
    """Chips went onto an area: `amount` now, `stake` in all. `state` is the state of the wager's machine.

    `tokens` is the part of the amount in promotional tokens, here and in a reduction; `checks` the part in checks
    without a face value.
    """

    player: str
    amount: int
    stake: int
    commission: int
    clause: str
    tokens: int = 0
    checks: Checks = ()


class WagerReduced(AreaEvent, frozen=True, tag="wager_reduced"):
    """Chips went back from an area to their player, with their commission; `stake` is what is left."""

    player: str
    amount: int
    stake: int
    commission: int
    clause: str | None
    tokens: int = 0
    checks: ReducedChecks = ()


class WagerFound(Event, frozen=True, tag="wager_found"):
    """A dealer found a wager outside the limits after the throw; the clause lets it stand or cuts it."""

    player: str
    wager: str
    pick: Pick
    amount: int
    clause: str | None


class WagerCalled(AreaEvent, frozen=True, tag="wager_called"):
    """A player called a wager On or Off."""

    player: str
    on: bool
    clause: str


class BetsClosed(Event, frozen=True, tag="bets_closed"):
    """Betting closed, with the words called."""

    call: str | None
    clause: str


class BetsOpened(Event, frozen=True, tag="bets_opened"):
    """Betting opened again."""

    call: str | None
    clause: str


class Thrown(Event, frozen=True, tag="thrown"):
    """The dice or coins fell and were called. `by` is the player who threw, None for the house.

    `ends_round` says whether this ends a round of play; `thrown_at` and `rested_at` when the dice or coins left the
    hand and came to rest, if people ran the table and stated the time.
    """

    faces: tuple[int | str, ...]
    call: str
    by: str | None
    title: str
    clause: str
    ends_round: bool = True
    thrown_at: str | None = None
    rested_at: str | None = None


class AreaSettled(AreaEvent, frozen=True, tag="area_settled"):
    """The wagers of one area were decided alike."""

    result: Result
    clause: str
    stakes: tuple[SettledStake, ...]
    tokens: tuple[SettledTokens, ...] = ()
    checks: tuple[SettledChecks, ...] = ()


class AreaMoved(AreaEvent, frozen=True, tag="area_moved"):
    """The wagers of one area moved to another state; a Come wager travelled to its number."""

    to: str
    clause: str
    players: tuple[str, ...]


class PhaseMoved(Event, frozen=True, tag="phase_moved"):
    """A phase of the whole table changed: the puck, a run."""

    phase: str
    before: str
    now: str
    clause: str


class TurnPassed(Event, frozen=True, tag="turn_passed"):
    """The dice or coins pass on from this player."""

    player: str
    clause: str


class TurnOpened(Event, frozen=True, tag="turn_opened"):
    """Another thrower has had a turn: players who passed may be offered it again."""

    clause: str


class HouseThrowsOn(Event, frozen=True, tag="house_throws_on"):
    """After too many void throws the house throws in the player's place until the wager is decided."""

    player: str
    wager: str
    clause: str


class ThrowVoided(Event, frozen=True, tag="throw_voided"):
    """The throw did not count. `run` is how many were void in a row for the thrower's `wager`; 0 if not counted.

    `thrown_at` and `rested_at` are its moments, if it had them and people stated the time.
    """

    reason: str
    call: str | None
    by: str | None
    title: str
    wager: str | None
    run: int
    thrown_at: str | None = None
    rested_at: str | None = None


class OutcomeInvalidated(Event, frozen=True, tag="outcome_invalidated"):
    """A supervisor invalidated the outcome: wagers it decided, or could have, are refunded or forfeited.

    `thrown_at` and `rested_at` are the moments of the throw, as for one that counts.
    """

    reason: str
    clause: str
    forfeit: tuple[str, ...] = ()
    thrown_at: str | None = None
    rested_at: str | None = None


class ResultTakenBack(Event, frozen=True, tag="result_taken_back"):
    """The latest settled result was wrong: the table is restored to just before it was settled.

    `settled` and `reduced` are undone: what the result paid and collected, and wagers taken down since. `facts` are
    the relevant facts as they were then (None: unset); `ended_round` says whether the result had ended a round of
    play.
    """

    faces: tuple[int | str, ...]
    ended_round: bool
    settled: tuple[AreaSettled, ...]
    reduced: tuple[WagerReduced, ...]
    facts: dict[str, Fact | None]
    clause: str


class PlayResumed(Event, frozen=True, tag="play_resumed"):
    """After a correction play resumes where it was: the turn, whether bets are open, and facts changed since.

    `taken` is what players had taken down and the right result has decided: if that one is wrong too, it comes down.
    """

    turn: Turn
    bets_open: bool
    facts: dict[str, Fact | None]
    clause: str
    taken: tuple[Taken, ...] = ()


class DebtIncurred(Event, frozen=True, tag="debt_incurred"):
    """A player lacks the chips to give back: the float advances them, and the player owes them."""

    player: str
    cents: int
    clause: str


class DebtPaid(Event, frozen=True, tag="debt_paid"):
    """A debt was taken from a payment or on leaving."""

    player: str
    cents: int
    clause: str


class CommandGiven(Event, frozen=True, tag="command_given"):
    """A person gave a table command in a role; its consequences follow."""

    command: str
    by: str
    who: str | None
    at: str | None


class TimeTold(Event, frozen=True, tag="time_told"):
    """A command stated a later time than the table knew. `at` is the moment, in UTC."""

    at: str


class ActDone(Event, frozen=True, tag="act_done"):
    """A person did something at the table; `facts` are the facts it sets (None: cleared)."""

    act: str
    by: str | None
    who: str | None
    said: dict[str, int | str | tuple[int, ...] | None]
    facts: dict[str, Fact | None]
    call: str | None
    clause: str
    at: str | None = None


class Noted(Event, frozen=True, tag="noted"):
    """The table set or cleared facts as a consequence of what happened."""

    facts: dict[str, Fact | None]
    clause: str


class SignChanged(Event, frozen=True, tag="sign_changed"):
    """The sign at the table changed; standing wagers keep what they were made under."""

    settings: Settings
    clause: str


class TableReopened(Event, frozen=True, tag="table_reopened"):
    """The table opened for another gaming day; the next thrower is forgotten, and betting is open."""

    call: str | None
    clause: str


class PaymentCorrected(Event, frozen=True, tag="payment_corrected"):
    """A wrong payment was corrected: cents paid to the player or, if negative, taken back."""

    player: str
    cents: int
    clause: str


class FloatMoved(Event, frozen=True, tag="float_moved"):
    """Chips came to the table's float or, if negative, left it."""

    cents: int
    clause: str


class FloatCounted(Event, frozen=True, tag="float_counted"):
    """The float was counted: its cents, and the difference from what was expected, negative if short."""

    cents: int
    difference: int
    when: str
    clause: str


class RulesShown(Event, frozen=True, tag="rules_shown"):
    """A person was given the rules to read: `document` is its bytes in base64, `sha256` their digest.

    If it is not a `copy`, it is only the software's version of the book.
    """

    title: str
    sha256: str
    document: str
    clause: str
    copy: bool = True


class Mispayment(msgspec.Struct, frozen=True, gc=False):
    """A wrong payment as listed in a return. The patron may be unknown; `no_credit` states that no credit was given."""

    case: str
    patron: str | None
    way: str
    cents: int
    finding: str | None
    standing: str
    no_credit: bool


class MispaymentsReported(Event, frozen=True, tag="mispayments_reported"):
    """The wrong payments that came to light in a month were reported to the regulator."""

    month: str
    cases: tuple[Mispayment, ...]
    clause: str


class RulesAdopted(Event, frozen=True, tag="rules_adopted"):
    """The table continues under other terms; standing wagers keep theirs."""

    terms: Terms
    clause: str | None


AnyEvent = (
    TableOpened
    | PlayerSeated
    | ChipsBought
    | ChecksRedeemed
    | TokensIssued
    | PlayerLeft
    | WagerPlaced
    | WagerReduced
    | WagerFound
    | WagerCalled
    | BetsClosed
    | BetsOpened
    | Thrown
    | AreaSettled
    | AreaMoved
    | PhaseMoved
    | TurnPassed
    | TurnOpened
    | HouseThrowsOn
    | ThrowVoided
    | OutcomeInvalidated
    | ResultTakenBack
    | PlayResumed
    | DebtIncurred
    | DebtPaid
    | CommandGiven
    | TimeTold
    | ActDone
    | Noted
    | SignChanged
    | TableReopened
    | PaymentCorrected
    | FloatMoved
    | FloatCounted
    | RulesShown
    | MispaymentsReported
    | RulesAdopted
)


class Stored(msgspec.Struct, frozen=True):
    """The stored form: the format version and the event."""

    format: int
    event: AnyEvent


def encode(event: AnyEvent) -> bytes:
    """Return the stored form of an event: a versioned JSON document."""
    return msgspec.json.encode(Stored(FORMAT, event))


def decode(document: bytes) -> AnyEvent:
    """Read a stored event back. Raises ValueError if the document is not one."""
    stored = msgspec.json.decode(document, type=Stored)
    if stored.format != FORMAT:
        raise ValueError(f"format {stored.format} of a stored event is not known")
    return stored.event
