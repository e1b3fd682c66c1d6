"""Events of the house beside the games: people and their chips, self-running tables, electronic dice, draws.

Like the events of a table they are in the past tense, complete, and stored under the tags below.
"""

from __future__ import annotations

import msgspec

from croupier.table.events import Event


class Rhythm(msgspec.Struct, frozen=True, gc=False):
    """The timing of a self-running table, in seconds: bets open, last call, pause, result shown.

    One that `waits` keeps its bets open until someone makes one, so that an idle table does not throw. The dice wait
    up to `numbers` seconds, and at least for the pause, for the numbers that players have committed. The defaults are
    those of the first stores; a new table gets those of the API.
    """

    open: float = 20.0
    last_call: float = 5.0
    shut: float = 1.0
    show: float = 6.0
    waits: bool = False
    numbers: float = 2.0


class Limits(msgspec.Struct, frozen=True, gc=False):
    """A player's own limits for a day: net loss in cents, time of play in minutes. None is no limit."""

    loss: int | None = None
    minutes: int | None = None


# Stream of an account


class AccountOpened(Event, frozen=True, tag="account_opened"):
    """An account was opened: a display name, and the person's roles."""

    person: str
    name: str
    roles: tuple[str, ...]


class NameChanged(Event, frozen=True, tag="name_changed"):
    """The person is called by another name from now on. It is no identity."""

    name: str


class PasswordSet(Event, frozen=True, tag="password_set"):
    """The person's password was changed; no stream holds it. The document says who changed it."""


class RolesChanged(Event, frozen=True, tag="roles_changed"):
    """A person's roles were changed."""

    roles: tuple[str, ...]


class CardIssued(Event, frozen=True, tag="card_issued"):
    """The person got a Player Card: only one, and only theirs."""

    card: str


class CardEnded(Event, frozen=True, tag="card_ended"):
    """The Player Card is no longer valid."""

    card: str


class ChipsGranted(Event, frozen=True, tag="chips_granted"):
    """Play chips were created in an account; they have no other value."""

    cents: int
    reason: str


class WentToTable(Event, frozen=True, tag="went_to_table"):
    """Chips went from the account to a table: the person sat down or bought more."""

    table: str
    cents: int
    sat_down: bool


class CameFromTable(Event, frozen=True, tag="came_from_table"):
    """The person left a table; the chips in hand came back into the account."""

    table: str
    cents: int


class LimitsSet(Event, frozen=True, tag="limits_set"):
    """The person set limits: tighter ones apply at once; if any is looser, it applies later."""

    limits: Limits
    at_once: Limits
    later_from: str | None = None


class ExclusionBegan(Event, frozen=True, tag="exclusion_began"):
    """The person was excluded from play: until a time, or permanently."""

    until: str | None
    by_house: bool


class ExclusionEnded(Event, frozen=True, tag="exclusion_ended"):
    """The person may play again."""


# Stream of a table


class TableSet(Event, frozen=True, tag="table_set"):
    """A table was set up. With a rhythm it runs by itself; without one, people run it."""

    table: str
    title: str
    rhythm: Rhythm | None = None


class StaffCame(Event, frozen=True, tag="staff_came"):
    """A person took a post at the table, in a role of the house."""

    person: str
    role: str


class StaffWent(Event, frozen=True, tag="staff_went"):
    """A person left their post at the table."""

    person: str


class PlayerAway(Event, frozen=True, tag="player_away"):
    """A seated player's page at a self-running table was closed for a while, and no order came: bets are not held."""

    player: str


class PlayerBack(Event, frozen=True, tag="player_back"):
    """A player who was away is back."""

    player: str


class RoundOpened(Event, frozen=True, tag="round_opened"):
    """A round of a self-running table opened: the dice are committed to before the first bet.

    `protocol` is how the dice are drawn; rounds of older stores lack it and use protocol 1. A round that `waits` has no
    time to close until the clock is set by the first bet.
    """

    number: int
    commitment: str
    opened: str
    closes: str
    protocol: int = 1
    waits: bool = False


class ClockSet(Event, frozen=True, tag="clock_set"):
    """The time for betting began with the first bet: bets are open until `closes`.

    None: all bets were taken down again, so they are open until someone bets.
    """

    number: int
    closes: str | None


class LastCalled(Event, frozen=True, tag="last_called"):
    """The last call: bets are about to close."""

    number: int
    closes: str


class NumberCommitted(Event, frozen=True, tag="number_committed"):
    """A player put a number of their own into the round `number`; only its digest is public so far.

    `contributor` replaces the player in the public record: 1 was the first at this table to put a number in or to be
    ready.
    """

    number: int
    player: str
    contributor: int
    commitment: str


class PlayerReady(Event, frozen=True, tag="player_ready"):
    """A player said that the bets of the round `number` may be shut, or took it back by changing a wager.

    `contributor` replaces the player in the public record, as for numbers.
    """

    number: int
    player: str
    contributor: int
    ready: bool = True


class BetsShut(Event, frozen=True, tag="bets_shut"):
    """Bets closed. `numbers` are the commitments to players' numbers, in order.

    `ready` are the contributors who were ready, if the bets were shut for that; none if their time was over.
    Under protocol 1 the chain's hash of this record determines the dice, together with the secret.
    """

    number: int
    numbers: tuple[str, ...] = ()
    ready: tuple[int, ...] = ()


class NumberShown(Event, frozen=True, tag="number_shown"):
    """A player revealed the number behind a commitment of the round `number`."""

    number: int
    player: str
    commitment: str
    shown: str


class DiceDrawn(Event, frozen=True, tag="dice_drawn"):
    """The secret was revealed, and the dice with it. `shut` is the hash of the record that shut the bets.

    `numbers` are what players revealed, in the order of their commitments; "" is one that was not revealed.
    """

    number: int
    secret: str
    shut: str
    faces: tuple[int | str, ...]
    shown_until: str
    numbers: tuple[str, ...] = ()


class RoundCancelled(Event, frozen=True, tag="round_cancelled"):
    """A round ended before its bets closed: nothing was drawn, and the secret is revealed.

    If the secret is lost there is nothing to reveal, and verification of the record reports it. `standing` is whether
    wagers were on the layout; rounds of older stores lack it.
    """

    number: int
    secret: str
    standing: bool = False


class AlertRaised(Event, frozen=True, tag="alert_raised"):
    """Something happened that a supervisor must answer for: a title, and a message saying what was done.

    With `due` it becomes an alert only then. `sign` is the fact of the sign that it is about: taking that sign down
    answers the alert.
    """

    words: str
    tells: str
    clause: str | None = None
    due: str | None = None
    sign: str | None = None


class AlertAnswered(Event, frozen=True, tag="alert_answered"):
    """An alert, identified by the number of the event that raised it, was answered."""

    event: int
    note: str


class DutyAnswered(Event, frozen=True, tag="duty_answered"):
    """A duty that was not done in time was answered for, at a table or in a promotion."""

    duty: str
    note: str


# Stream of a promotion, beside `croupier.prizes.events`


class PromotionOpened(Event, frozen=True, tag="promotion_opened"):
    """A promotion was created, under the rules of a book."""

    promotion: str
    book: str
    title: str


class DrawCommitted(Event, frozen=True, tag="draw_committed"):
    """The draw was announced: the prizes in order, and the digest of a secret.

    `key` makes the pseudonyms of entrants in the public record.
    """

    commitment: str
    key: str
    prizes: tuple[str, ...]
    one_prize_each: bool


class PlayCounted(Event, frozen=True, tag="play_counted"):
    """The play that entries were counted from: tables with their versions, from one time until another.

    Every `cents` staked on these wagers (all, if none is named), each of at least the minimum, earn a ticket. Those in
    `without` had earned tickets and are not in the draw: staff, and people who are excluded.
    """

    tables: dict[str, int]
    since: str
    until: str
    cents: int
    wagers: tuple[str, ...] = ()
    minimum: int = 0
    without: tuple[str, ...] = ()


class DrawShown(Event, frozen=True, tag="draw_shown"):
    """The secret of the draw was revealed: the winners follow from it and the entries."""

    secret: str


class PrizesPassedOn(Event, frozen=True, tag="prizes_passed_on"):
    """Awards that failed, by number and with the reason; each goes to a further draw."""

    passed: tuple[tuple[int, str], ...]


HouseEvent = (
    AccountOpened
    | NameChanged
    | PasswordSet
    | RolesChanged
    | CardIssued
    | CardEnded
    | ChipsGranted
    | WentToTable
    | CameFromTable
    | LimitsSet
    | ExclusionBegan
    | ExclusionEnded
    | TableSet
    | StaffCame
    | StaffWent
    | PlayerAway
    | PlayerBack
    | RoundOpened
    | ClockSet
    | LastCalled
    | NumberCommitted
    | PlayerReady
    | BetsShut
    | NumberShown
    | DiceDrawn
    | RoundCancelled
    | AlertRaised
    | AlertAnswered
    | DutyAnswered
    | PromotionOpened
    | DrawCommitted
    | PlayCounted
    | DrawShown
    | PrizesPassedOn
)
