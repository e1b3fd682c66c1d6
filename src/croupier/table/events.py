"""What happened at a table, in the past tense. The stored form of an event does not depend on the names in this module:
the tags below are the format, and `FORMAT` is its version.

Wagers are settled area by area, as a dealer does it, so one event may hold the stakes of many players.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from croupier.rules.facts import Fact
from croupier.rules.game import Terms
from croupier.rules.machine import Pick
from croupier.table.commands import Settings
from croupier.table.state import Area, Checks, Taken, Turn

FORMAT = 1

Result = Literal["win", "lose", "void"]
SettledStake = tuple[str, int, int, int]  # player, stake, winnings paid, all that goes back to the player in chips
SettledTokens = tuple[str, int, int]  # player, what of the stake was in tokens, what of that goes back as tokens
SettledChecks = tuple[
    str, str, int, int
]  # player, colour, what of the stake was in such checks, what goes back in them
ReducedChecks = tuple[
    tuple[str, int, int], ...
]  # colour, what comes off the stake in such checks, what goes back in them


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="type"):
    """The base of all events."""


class AreaEvent(Event, frozen=True):
    """What happened on one area: the wager, its pick, where its machine stands and the terms it was made under."""

    wager: str
    pick: Pick
    state: str
    terms: int

    @property
    def area(self) -> Area:
        """The area it happened on."""
        return Area(self.wager, self.pick, self.state, self.terms)


class TableOpened(Event, frozen=True, tag="table_opened"):
    """The table opened under these terms, with this sign and these phases."""

    terms: Terms
    settings: Settings
    phases: dict[str, str]
    call: str | None = None


class PlayerSeated(Event, frozen=True, tag="player_seated"):
    """A player took a seat with chips, in a player area if one is named. Without a `place` it is after the last."""

    player: str
    chips: int
    card: bool
    area: str | None = None
    place: int | None = None


class ChipsBought(Event, frozen=True, tag="chips_bought"):
    """A seated player bought more chips: for cash, through a cashless terminal, for a voucher, or as may be.

    `checks` is their colour, where they are checks without a value of their own.
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
    """A player left the table with chips, and handed unused tokens back."""

    player: str
    chips: int
    clause: str | None = None
    tokens: int = 0


class WagerPlaced(AreaEvent, frozen=True, tag="wager_placed"):
    """Chips went onto an area: `amount` now, `stake` in all. `state` is where the wager's machine stands.

    `tokens` is what of the amount is in promotional tokens, here and where a wager is reduced; `checks` what is in
    checks without a value of their own.
    """

    player: str
    amount: int
    stake: int
    commission: int
    clause: str
    tokens: int = 0
    checks: Checks = ()


class WagerReduced(AreaEvent, frozen=True, tag="wager_reduced"):
    """Chips went back from an area to their player, commission with them; `stake` is what is left."""

    player: str
    amount: int
    stake: int
    commission: int
    clause: str | None
    tokens: int = 0
    checks: ReducedChecks = ()


class WagerFound(Event, frozen=True, tag="wager_found"):
    """A dealer found a wager outside the limits after the throw, and the clause that lets it stand or cuts it."""

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
    """Betting closed, with the words that people hear."""

    call: str | None
    clause: str


class BetsOpened(Event, frozen=True, tag="bets_opened"):
    """Betting opened again."""

    call: str | None
    clause: str


class Thrown(Event, frozen=True, tag="thrown"):
    """The dice or coins fell and were called. `by` is the player who threw, None where the house did.

    `ends_round` says whether a round of play is over with it; `thrown_at` and `rested_at` when the dice or coins left
    the hand and came to rest, where people ran the table and said at what time.
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
    """The wagers of one area went on to another state; a Come wager travelled to its number."""

    to: str
    clause: str
    players: tuple[str, ...]


class PhaseMoved(Event, frozen=True, tag="phase_moved"):
    """Something the whole table remembers changed: the puck, a run."""

    phase: str
    before: str
    now: str
    clause: str


class TurnPassed(Event, frozen=True, tag="turn_passed"):
    """The dice or coins pass on from this player."""

    player: str
    clause: str


class TurnOpened(Event, frozen=True, tag="turn_opened"):
    """Somebody else has had a turn: whoever passed it on may have it again."""

    clause: str


class HouseThrowsOn(Event, frozen=True, tag="house_throws_on"):
    """After too many void throws the house throws in the player's stead until the wager is decided."""

    player: str
    wager: str
    clause: str


class ThrowVoided(Event, frozen=True, tag="throw_voided"):
    """The throw did not count. `run` is how many in a row did not, for the thrower's `wager`; 0 if none is counted.

    `thrown_at` and `rested_at` are its moments, as far as it had them and people said at what time.
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
    """A supervisor invalidated the outcome: what it has decided, or could have, is refunded, or by some forfeited.

    `thrown_at` and `rested_at` are the moments of the throw, as for one that counts.
    """

    reason: str
    clause: str
    forfeit: tuple[str, ...] = ()
    thrown_at: str | None = None
    rested_at: str | None = None


class ResultTakenBack(Event, frozen=True, tag="result_taken_back"):
    """The latest settled result was wrong: the table stands as it did just before it was settled.

    `settled` and `reduced` are undone by it: what the result paid and collected, wagers taken down since. `facts` are
    what the table remembered then, as far as it matters (None: nothing); `ended_round` says whether a round of play was
    over with it.
    """

    faces: tuple[int | str, ...]
    ended_round: bool
    settled: tuple[AreaSettled, ...]
    reduced: tuple[WagerReduced, ...]
    facts: dict[str, Fact | None]
    clause: str


class PlayResumed(Event, frozen=True, tag="play_resumed"):
    """After a correction play goes on where it was: whose turn it is, whether bets are open, what was done since.

    `taken` is what players had taken down and the right result has decided: were that one wrong too, it comes down.
    """

    turn: Turn
    bets_open: bool
    facts: dict[str, Fact | None]
    clause: str
    taken: tuple[Taken, ...] = ()


class DebtIncurred(Event, frozen=True, tag="debt_incurred"):
    """A player does not hold what must come back: the float puts it up, and the player owes it."""

    player: str
    cents: int
    clause: str


class DebtPaid(Event, frozen=True, tag="debt_paid"):
    """What a player owed was taken from what was paid or cashed."""

    player: str
    cents: int
    clause: str


class CommandGiven(Event, frozen=True, tag="command_given"):
    """Somebody gave a command that every table knows, in a role; what came of it follows."""

    command: str
    by: str
    who: str | None
    at: str | None


class TimeTold(Event, frozen=True, tag="time_told"):
    """A command said that it is later than the table knew. `at` is the moment, in universal time."""

    at: str


class ActDone(Event, frozen=True, tag="act_done"):
    """Somebody did something at the table; `facts` are what it remembers anew (None: forgotten)."""

    act: str
    by: str | None
    who: str | None
    said: dict[str, int | str | tuple[int, ...] | None]
    facts: dict[str, Fact | None]
    call: str | None
    clause: str
    at: str | None = None


class Noted(Event, frozen=True, tag="noted"):
    """The table remembers something anew, or forgets it, because of what happened."""

    facts: dict[str, Fact | None]
    clause: str


class SignChanged(Event, frozen=True, tag="sign_changed"):
    """The sign at the table says something else from now on; standing wagers keep what they were made under."""

    settings: Settings
    clause: str


class TableReopened(Event, frozen=True, tag="table_reopened"):
    """The table opened for another gaming day; who was to throw next is forgotten, and the bets are open."""

    call: str | None
    clause: str


class PaymentCorrected(Event, frozen=True, tag="payment_corrected"):
    """A wrong payment was put right: so many cents to the player, or, negative, back from the player."""

    player: str
    cents: int
    clause: str


class FloatMoved(Event, frozen=True, tag="float_moved"):
    """Chips came to the table's float, or, negative, left it."""

    cents: int
    clause: str


class FloatCounted(Event, frozen=True, tag="float_counted"):
    """Chips were counted in the float: so many cents, and how many more, or, negative, fewer than were known of."""

    cents: int
    difference: int
    when: str
    clause: str


class RulesShown(Event, frozen=True, tag="rules_shown"):
    """Somebody was given the rules to read: `document` is base64 of its bytes, `sha256` the digest of them.

    What is no `copy` is only what the software has of the book.
    """

    title: str
    sha256: str
    document: str
    clause: str
    copy: bool = True


class Mispayment(msgspec.Struct, frozen=True, gc=False):
    """A wrong payment as a return lists it. The patron may be unknown; `no_credit` says that it was no credit given."""

    case: str
    patron: str | None
    way: str
    cents: int
    finding: str | None
    standing: str
    no_credit: bool


class MispaymentsReported(Event, frozen=True, tag="mispayments_reported"):
    """The regulator was told of the wrong payments that came to light in a month."""

    month: str
    cases: tuple[Mispayment, ...]
    clause: str


class RulesAdopted(Event, frozen=True, tag="rules_adopted"):
    """The table goes on under other terms; standing wagers keep theirs."""

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
    """The stored form: the version of the format and the event."""

    format: int
    event: AnyEvent


def encode(event: AnyEvent) -> bytes:
    """The stored form of an event: a versioned JSON document."""
    return msgspec.json.encode(Stored(FORMAT, event))


def decode(document: bytes) -> AnyEvent:
    """Read a stored event back. Raises ValueError for a document that is none."""
    stored = msgspec.json.decode(document, type=Stored)
    if stored.format != FORMAT:
        raise ValueError(f"format {stored.format} of a stored event is not known")
    return stored.event
