"""Replies about running the house: the floor, alerts and duties, corrections, promotions, reports and registers."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Any, Literal

from croupier.contract.replies import Betting, Face, Objection, Reply, Round, Sign
from croupier.contract.shown_events import OwnSign, Pick, StakeLimits

DutyStanding = Literal["due", "overdue", "done", "done late"]

# The floor


class DayFigures(Reply, frozen=True, kw_only=True):
    """A table's day so far. `expected` is the mean of its win; 95% of results lie from `low` to `high`.

    `win` is the actual win; plus `standing`, the value of the wagers on the layout to the house, it compares with the
    rest. `rough`: there were too few throws for more than a rough interval.
    """

    day: str
    turnover: str
    drop: str
    win: str
    throws: int
    expected: float
    standing: float
    low: float
    high: float
    rough: bool


class Pace(Reply, frozen=True):
    """Throws in the last hour, and the hourly rate between the first and the last of them."""

    last_hour: int
    an_hour: float | None


class Glance(Reply, frozen=True):
    """Computed figures of a table up to a version."""

    version: int
    figures: DayFigures
    pace: Pace


class FloorTable(Reply, frozen=True, kw_only=True):
    """One table at a glance. `glance` is null until computed; `alerts` counts open ones and overdue duties.

    `kept` are chips of players who left, `owing` what players owe the house. Times are in `zone`.
    """

    table: str
    title: str
    book: str
    zone: str
    version: int
    by_itself: bool
    state: Literal["open", "closing", "closed"]
    bets: Betting
    round: Round | None
    staff: dict[str, str]
    players: list[str]
    kept: dict[str, str]
    owing: dict[str, str]
    seats: int | None
    limits: StakeLimits
    wager_limits: dict[str, StakeLimits]
    player_limits: dict[str, OwnSign]
    signs: list[Sign]
    alerts: int
    glance: Glance | None


class Floor(Reply, frozen=True):
    """All tables, and the time of the house, by which their clocks run."""

    at: str
    tables: list[FloorTable]


# Alerts and duties


class Answered(Reply, frozen=True):
    """Who answered for an alert, when, and with which note."""

    who: str | None
    at: str
    note: str


class Alert(Reply, frozen=True, kw_only=True):
    """Something that staff must answer for: `words` in short, `tells` what `who` did (None: the house itself).

    `since` is when it became an alert. Times are in `zone`.
    """

    table: str
    title: str
    book: str
    zone: str
    event: int
    words: str
    tells: str
    clause: str | None
    who: str | None
    at: str
    since: str
    answered: Answered | None


class Duty(Reply, frozen=True, kw_only=True):
    """A duty `of` a table or a promotion; `due` is None for as soon as possible. Times are in `zone`.

    `responsible` are the titles that the book assigns it to, `roles` the roles of the house that hold them. `done_by`
    is None if the clock did it. `alert` is the number of the alert that represents it; answering that alert answers the
    duty.
    """

    of: Literal["table", "promotion"]
    name: str
    title: str
    book: str
    zone: str
    id: str
    what: str
    clause: str
    responsible: list[str]
    roles: list[str]
    since: str | None
    due: str | None
    standing: DutyStanding
    done_at: str | None
    done_by: str | None
    alert: int | None
    answered: bool

    @property
    def is_open(self) -> bool:
        """Whether it is still to be done."""
        return self.done_at is None

    @property
    def is_late(self) -> bool:
        """Whether staff must answer for it, or had to."""
        return self.standing in ("overdue", "done late")

    @property
    def waits(self) -> bool:
        """Whether it is an alert itself: not answered for, and not covered by another alert."""
        return self.is_late and not self.answered and self.alert is None


class Duties(Reply, frozen=True):
    """The open duties, soonest first and those without a deadline last, and those done, newest first.

    Of those done, only the latest are listed, and those still to be answered for.
    """

    at: str
    open: list[Duty]
    done: list[Duty]


class Alerts(Reply, frozen=True):
    """The open alerts, oldest first; those to come; those answered recently, newest first.

    `duties` are overdue duties that no alert above represents.
    """

    open: list[Alert]
    coming: list[Alert]
    answered: list[Alert]
    duties: list[Duty]


# The preview of a correction


class PlayerChange(Reply, frozen=True, kw_only=True):
    """A player's result before and after the correction, and their chips before and after.

    `owes` is what the player owes then.
    """

    player: str
    place: int | None
    was: str
    now: str
    change: str
    hand: tuple[str, str]
    felt: tuple[str, str]
    owes: str


class SinceChange(Reply, frozen=True):
    """A wager made since the settled result: whether it stands, or is returned."""

    player: str
    wager: str
    pick: Pick
    amount: str
    stands: bool


class TableChange(Reply, frozen=True):
    """A property of the table that the correction changes, in words."""

    name: str
    was: str
    now: str


class CorrectionPreview(Reply, frozen=True, kw_only=True):
    """Everything that a correction changes. `house` is the house's gain, negative for a loss.

    `was` is empty if no result is undone, `now` if none replaces it.
    """

    was: list[Face]
    now: list[Face]
    players: list[PlayerChange]
    house: str
    since: list[SinceChange]
    table: list[TableChange]


# Promotions


class PrizeListed(Reply, frozen=True):
    """A prize of a promotion: how many there are, and the value of each."""

    id: str
    kind: str
    nature: str | int | bool
    count: int
    value: str


class PromotionTimes(Reply, frozen=True):
    """When a promotion starts, entries close, and prizes are awarded."""

    starts: str | None
    entries_close: str | None
    awarded_at: str | None


class PromotionListed(Reply, frozen=True, kw_only=True):
    """A promotion in a list. `entered` and `won` are about the caller. Times are in `zone`."""

    promotion: str
    title: str
    book: str
    version: int
    stage: str
    postponed: bool
    times: PromotionTimes
    zone: str
    prizes: list[PrizeListed]
    entered: bool
    won: bool


class TermShown(Reply, frozen=True):
    """A point of the terms, and the clause that requires it."""

    name: str
    says: str
    clause: str


class Earning(Reply, frozen=True):
    """Every `amount` staked at these tables on these wagers earns a ticket; empty lists mean all."""

    amount: str
    tables: list[str]
    wagers: list[str]


class PrizeTerms(Reply, frozen=True):
    """A prize as a line states it."""

    id: str
    kind: str
    said: dict[str, str | int | bool]
    count: int
    contains: list[str]
    millilitres: int


class Terms(Reply, frozen=True):
    """Terms of a promotion as a line states them."""

    said: dict[str, str | int | bool]
    prizes: list[PrizeTerms]
    earning: Earning | None
    one_prize_each: bool


class DrawResult(Reply, frozen=True):
    """An award in the public record, under the entrant's pseudonym."""

    award: int
    prize: str
    entry: int
    entrant: str
    status: str


class Draw(Reply, frozen=True):
    """The public part of a draw. `nobody` are prizes for which no entry was left."""

    commitment: str | None
    entries: int
    weight: int
    results: list[DrawResult]
    nobody: list[str]


class Mark(Reply, frozen=True):
    """When something was done, and by whom; null is the house itself."""

    at: str
    by: str | None


class Attempt(Reply, frozen=True):
    """An attempt to reach a winner."""

    way: str
    reached: bool
    at: str
    by: str | None


class Award(Reply, frozen=True, kw_only=True):
    """An award: the money due for it, if any, and in `offers` what the caller may do now, or why not yet."""

    award: int
    prize: str
    entrant: str
    value: str
    drawn: str
    status: str
    declined: Mark | None
    attempts: list[Attempt]
    alternative: str | None
    chosen: bool
    forms: list[str]
    due: str | None
    winner_chooses: bool
    offers: dict[str, Objection | None]


class Claim(Reply, frozen=True, kw_only=True):
    """A claim. `named` says, to those who manage promotions, whether a name and address were recorded with it."""

    claim: str
    award: int
    claimant: str
    made: Mark | None
    denied: Mark | None
    reason: str | None
    kept: bool
    told: Mark | None
    named: bool | None = None


class Dispute(Reply, frozen=True, kw_only=True):
    """A dispute. `restorable` are the awards that a decision for the patron can restore."""

    dispute: str
    patron: str
    about: str
    decision: str | None
    raised: Mark | None
    decided: Mark | None
    dissatisfied: Mark | None
    advised: Mark | None
    restorable: list[int] | None = None


class OwnEntry(Reply, frozen=True):
    """An entry of the caller in a draw."""

    number: int
    weight: int


class OwnPart(Reply, frozen=True):
    """The caller's part in a promotion; `name` is their pseudonym in the public record."""

    name: str | None
    entries: list[OwnEntry]
    awards: list[Award]
    claims: list[Claim]
    disputes: list[Dispute]


class PromotionCommand(Reply, frozen=True):
    """A command that fits the stage: its fields and, if it takes at most a reason, why it is refused now."""

    do: str
    fields: list[str]
    refused: Objection | None


class Amendment(Reply, frozen=True):
    """An amendment of the terms: when it was made, and sent to the regulator."""

    made: Mark | None
    sent: Mark | None


class Notice(Reply, frozen=True):
    """A notice to the inspector."""

    what: str
    since: str
    due: str
    told: Mark | None


class CountedPlay(Reply, frozen=True, kw_only=True):
    """The play that entries were counted from; see the event `play_counted`."""

    type: Literal["play_counted"]
    tables: dict[str, int]
    since: str
    until: str
    cents: int
    wagers: list[str]
    minimum: int
    without: list[str]


class Promotion(PromotionListed, frozen=True, kw_only=True):
    """A promotion: terms with their clauses, the draw, and the caller's own part. The rest is for managers."""

    terms: list[TermShown]
    earning: Earning | None
    one_prize_each: bool
    draw: Draw
    own: OwnPart | None
    form: Terms | None = None
    proposed: Terms | None = None
    may: list[PromotionCommand] | None = None
    filed: Mark | None = None
    published: Mark | None = None
    in_marketing: bool | None = None
    amendments: list[Amendment] | None = None
    scrutineer: Mark | None = None
    scrutineer_there: bool | None = None
    notices: list[Notice] | None = None
    entries_closed: Mark | None = None
    entrants: int | None = None
    counted: CountedPlay | None = None
    to_draw: int | None = None
    awards: list[Award] | None = None
    claims: list[Claim] | None = None
    disputes: list[Dispute] | None = None


class FullPromotion(Promotion, frozen=True, kw_only=True, omit_defaults=False):
    """A promotion for its managers: every field is sent."""


class Play(Reply, frozen=True):
    """A person's stake, and the tickets it earns."""

    person: str
    staked: str
    tickets: int


class PromotionPlay(Reply, frozen=True):
    """Play that earns entries. `tables`: how far each was read; `same`: whether a recount agreed."""

    promotion: str
    earns: bool
    people: list[Play]
    tables: dict[str, int]
    same: bool | None


class OwnPlay(Reply, frozen=True):
    """The caller's play in a promotion so far; `missing` is the stake that earns the next ticket.

    `in_draw`: whether the tickets would be entered if the promotion closed now. Staff and excluded people have none.
    """

    promotion: str
    earns: bool
    in_draw: bool
    staked: str
    tickets: int
    missing: str | None


class Claimant(Reply, frozen=True):
    """A claimant's name and address. `sealed`: exactly as recorded with the claim."""

    promotion: str
    claim: str
    name: str
    address: str
    sealed: bool


# Reports: docs/ledger.md defines each figure


class Figures(Reply, frozen=True, kw_only=True):
    """A table, or (None) the house, over a day, a month or a year. Computed figures are in dollars, rounded."""

    table: str | None
    period: str
    drop: str
    win: str
    hold: float | None
    turnover: str
    wagers: int
    rounds: int
    throws: int
    players: int
    average_stake: float | None
    expected: float
    standing: float
    sd: float
    low: float
    high: float
    z: float | None
    rough: bool
    commission: str
    corrections: str
    returned: str
    vouchers: str
    cashed_out: str


class WagerFigures(Reply, frozen=True):
    """One kind of wager in a period."""

    wager: str
    turnover: str
    wagers: int
    win: str


class Period(Reply, frozen=True):
    """One period of a report: its figures, the exact values of those that are rounded, and the figures by wager."""

    figures: Figures
    exact: dict[str, str | None]
    wagers: list[WagerFigures]

    def exactly(self, name: str) -> Fraction | None:
        """Return the exact fraction of a figure that is rounded elsewhere."""
        text = self.exact[name]
        return None if text is None else Fraction(text)


class OpenWagers(Reply, frozen=True, kw_only=True):
    """Wagers in the same state on a layout, and the house's expected win from them in dollars."""

    table: str
    wager: str
    pick: Pick
    state: str
    wagers: int
    stake: str
    tokens: str
    commission: str
    worth: float


class TableReport(Reply, frozen=True):
    """A table's takings up to one of its events, and the wagers on its layout."""

    table: str
    version: int
    span: str
    periods: list[Period]
    open: list[OpenWagers]


class HouseReport(Reply, frozen=True):
    """The takings of all tables together."""

    house: str
    span: str
    periods: list[Period]


class Balance(Reply, frozen=True):
    """The balance of an account in the house's books; a negative amount is owed."""

    account: str
    amount: str


class Finding(Reply, frozen=True):
    """An audit finding: the stream, the event if there is one, and a message."""

    stream: str
    version: int | None
    sentence: str

    def __str__(self) -> str:
        where = self.stream if self.version is None else f"{self.stream}, event {self.version}"
        return f"{where}: {self.sentence}"


class BooksReport(Reply, frozen=True):
    """Every account with a balance, and the findings of an audit (empty if all is well)."""

    ok: bool
    events: int
    streams: int
    total: str
    balances: list[Balance]
    findings: list[Finding]


class RegisterTitle(Reply, frozen=True):
    """A register: its purpose, the clauses that require it, and its number of rows in a period."""

    register: str
    title: str
    purpose: str
    clauses: dict[str, list[str]]
    rows: int


class Registers(Reply, frozen=True, kw_only=True):
    """All registers of a period. `so_far` says how far they go if the period is not over."""

    period: str
    first: date
    last: date
    so_far: str | None
    registers: list[RegisterTitle]


class RegisterColumn(Reply, frozen=True):
    """A column of a register: its key in every row, and its heading."""

    id: str
    name: str


class Register(Reply, frozen=True, kw_only=True):
    """A register of a period: rows of text, keyed by column id."""

    register: str
    title: str
    purpose: str
    clauses: dict[str, list[str]]
    period: str
    first: date
    last: date
    so_far: str | None
    columns: list[RegisterColumn]
    rows: list[dict[str, str]]


# Refused commands


class RefusedCommand(Reply, frozen=True, kw_only=True):
    """A refused command: who sent what, when, and why it was refused.

    Of a long command only the beginning is kept, as `cut`, with its length and its digest.
    """

    number: int
    format: int
    at: str
    who: str | None
    order: str
    deed: dict[str, Any]
    ok: bool
    code: str
    clause: str | None
    message: str
    about: list[str] | None = None
    bytes: int | None = None
    sha256: str | None = None
    cut: str | None = None


class RefusedCommands(Reply, frozen=True):
    """A page of refused commands; pass `next` as `after` for more."""

    entries: list[RefusedCommand]
    next: int | None
