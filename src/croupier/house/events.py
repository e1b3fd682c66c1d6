"""What happens at a house beside the games: people and their chips, tables that run by a clock, electronic dice, draws.

Like the events of a table they are past tense, complete, and stored under the tags below.
"""

from __future__ import annotations

import msgspec

from croupier.table.events import Event


class Rhythm(msgspec.Struct, frozen=True, gc=False):
    """How a table runs by itself, in seconds: bets are open, the last of them announced; a pause; the result shown.

    One that `waits` keeps its bets open until somebody makes one: a table where nobody plays does not throw. For so
    long as `numbers` says, and at least for the pause, the dice wait for the numbers that players have put in.
    """

    open: float = 20.0
    last_call: float = 5.0
    shut: float = 1.0
    show: float = 6.0
    waits: bool = False
    numbers: float = 2.0


class Limits(msgspec.Struct, frozen=True, gc=False):
    """What a player allows themselves in a day: a net loss in cents, a time of play in minutes. None is no limit."""

    loss: int | None = None
    minutes: int | None = None


# The book of an account


class AccountOpened(Event, frozen=True, tag="account_opened"):
    """A person has an account: a name that others see, the roles that they may act in."""

    person: str
    name: str
    roles: tuple[str, ...]


class PasswordSet(Event, frozen=True, tag="password_set"):
    """The person has another password; it is in no stream. Who set it, the document says."""


class RolesChanged(Event, frozen=True, tag="roles_changed"):
    """A person may act in these roles from now on."""

    roles: tuple[str, ...]


class CardIssued(Event, frozen=True, tag="card_issued"):
    """The person has a Player Card: one, and nobody else has it."""

    card: str


class CardEnded(Event, frozen=True, tag="card_ended"):
    """The Player Card is no longer valid."""

    card: str


class ChipsGranted(Event, frozen=True, tag="chips_granted"):
    """Play chips came into an account out of nothing; that is all they are worth."""

    cents: int
    reason: str


class WentToTable(Event, frozen=True, tag="went_to_table"):
    """Chips went from the account to a table: the person sat down, or bought more."""

    table: str
    cents: int
    sat_down: bool


class CameFromTable(Event, frozen=True, tag="came_from_table"):
    """The person left a table; the chips in hand came back into the account."""

    table: str
    cents: int


class LimitsSet(Event, frozen=True, tag="limits_set"):
    """The person's own limits: at once where they are tighter, at a later time where any of them is looser."""

    limits: Limits
    at_once: Limits
    later_from: str | None = None


class ExclusionBegan(Event, frozen=True, tag="exclusion_began"):
    """The person may not play: until a time, or for good."""

    until: str | None
    by_house: bool


class ExclusionEnded(Event, frozen=True, tag="exclusion_ended"):
    """The person may play again."""


# The stream of a table


class TableSet(Event, frozen=True, tag="table_set"):
    """A table stands in the house. With a rhythm it runs by itself; without one, people run it."""

    table: str
    title: str
    rhythm: Rhythm | None = None


class StaffCame(Event, frozen=True, tag="staff_came"):
    """Somebody runs the table from now on, in a role of the house."""

    person: str
    role: str


class StaffWent(Event, frozen=True, tag="staff_went"):
    """Somebody no longer runs the table."""

    person: str


class RoundOpened(Event, frozen=True, tag="round_opened"):
    """A round of a table that runs by itself: the dice are committed to before the first bet.

    `protocol` is how they are drawn; rounds of older stores do not say it, and are of protocol 1.
    """

    number: int
    commitment: str
    opened: str
    closes: str
    protocol: int = 1


class LastCalled(Event, frozen=True, tag="last_called"):
    """The bets are about to close."""

    number: int
    closes: str


class NumberCommitted(Event, frozen=True, tag="number_committed"):
    """A player has put a number of their own into the round `number`: so far everybody sees its digest alone.

    `contributor` stands for the player in the public record: 1 is who was the first at this table to put one in.
    """

    number: int
    player: str
    contributor: int
    commitment: str


class BetsShut(Event, frozen=True, tag="bets_shut"):
    """No more bets in this round. `numbers` are the commitments to players' numbers, in order.

    Under protocol 1 the chain's hash of this very record decides the dice, with the secret.
    """

    number: int
    numbers: tuple[str, ...] = ()


class NumberShown(Event, frozen=True, tag="number_shown"):
    """A player has shown the number that a commitment of the round `number` is of."""

    number: int
    player: str
    commitment: str
    shown: str


class DiceDrawn(Event, frozen=True, tag="dice_drawn"):
    """What was committed to is shown, and with it what fell. `shut` is the hash of the record that shut the bets.

    `numbers` are what players have shown, in the order of their commitments; "" is one that did not come.
    """

    number: int
    secret: str
    shut: str
    faces: tuple[int | str, ...]
    shown_until: str
    numbers: tuple[str, ...] = ()


class RoundCancelled(Event, frozen=True, tag="round_cancelled"):
    """A round ended before its bets were shut: nothing was drawn, and what was committed to is shown.

    Where the secret is lost there is nothing to show, and checks of the record find that. `standing` is whether wagers
    stood on the layout; rounds of older stores do not say it.
    """

    number: int
    secret: str
    standing: bool = False


class AlertRaised(Event, frozen=True, tag="alert_raised"):
    """Something happened that a supervisor must answer for: what it is in short, and what was done, in a sentence.

    With `due` it is an alert only from then on. `sign` is the fact under which the table remembers the sign it is
    about: when that is taken down the alert is answered with it.
    """

    words: str
    tells: str
    clause: str | None = None
    due: str | None = None
    sign: str | None = None


class AlertAnswered(Event, frozen=True, tag="alert_answered"):
    """Somebody answers for an alert, which is called by the number of the event that raised it."""

    event: int
    note: str


class DutyAnswered(Event, frozen=True, tag="duty_answered"):
    """Somebody answers for a duty that was not done in time: at a table, or in a promotion."""

    duty: str
    note: str


# The stream of a promotion, beside what `croupier.prizes.events` tells


class PromotionOpened(Event, frozen=True, tag="promotion_opened"):
    """There is a promotion, under the rules of a book."""

    promotion: str
    book: str
    title: str


class DrawCommitted(Event, frozen=True, tag="draw_committed"):
    """What will be drawn is announced: the prizes in their order, and the digest of a secret.

    `key` makes the names under which entrants stand in the public record.
    """

    commitment: str
    key: str
    prizes: tuple[str, ...]
    one_prize_each: bool


class PlayCounted(Event, frozen=True, tag="play_counted"):
    """From which play entries were counted: tables with how far each had come, from a time until another.

    A ticket is for so many `cents`, on these wagers (all, where none is named), each of at least the minimum. Those
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
    """The secret that was committed to: who is drawn follows from it and from the entries."""

    secret: str


class PrizesPassedOn(Event, frozen=True, tag="prizes_passed_on"):
    """Awards that came to nothing, by their numbers, and because of what; each goes to a further draw."""

    passed: tuple[tuple[int, str], ...]


HouseEvent = (
    AccountOpened
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
    | RoundOpened
    | LastCalled
    | NumberCommitted
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
