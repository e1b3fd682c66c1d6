"""The replies of a house, as immutable values. Unknown fields of a newer house are ignored.

Amounts are strings such as "10.00"; `croupier.money.parse_cents` converts them to whole cents.
"""

from __future__ import annotations

from datetime import date, datetime
from fractions import Fraction
from typing import Any

import msgspec

from croupier.store.receipts import Receipt

Pick = int | str | list[int] | None


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """The base of all replies."""


class Done(Reply, frozen=True, kw_only=True):
    """A command was carried out and stored; `versions` are the new versions of the streams it changed.

    `number` is the commitment that the house holds, if one was sent. `receipt` is the house's signature under a change
    of a table.
    """

    versions: dict[str, int]
    number: str | None = None
    receipt: Receipt | None = None


class Entry(Reply, frozen=True, kw_only=True, rename={"role": "as"}):
    """Something that happened at a table or to an account. docs/pipe.md and docs/api.md describe `events`.

    Entries of other people lack `who`, `role` and `order`, and contain only events visible to everyone at the table.
    """

    version: int
    hash: str
    at: datetime
    type: str
    events: list[dict[str, Any]] = []
    who: str | None = None
    role: str | None = None
    order: str | None = None


class Round(Reply, frozen=True, kw_only=True):
    """The round of a table that runs by itself; bets are open until it `closes`.

    A `waiting` round stays open until the first bet and closes some time after. `protocol` is how its dice are drawn,
    and `numbers` how many players have committed to numbers of their own.
    """

    number: int
    commitment: str
    closes: datetime
    last_call: bool
    shut: bool
    waiting: bool = False
    protocol: int = 1
    numbers: int = 0


class Wager(Reply, frozen=True, kw_only=True):
    """A wager that stands. `on` is whether it acts on the next throw, if the book defines that."""

    player: str
    wager: str
    amount: str
    pick: Pick = None
    on: bool | None = None


class Table(Reply, frozen=True, kw_only=True):
    """The state of a table, as far as the caller may see it. `raw` has everything, including book-specific fields."""

    table: str
    title: str
    book: str
    zone: str = "UTC"
    version: int
    hash: str
    open: bool
    players: int
    by_itself: bool
    seated: bool
    round: Round | None = None
    chips: dict[str, str] = {}
    wagers: list[Wager] = []
    bets: str | None = None
    staff: dict[str, str] | None = None
    raw: dict[str, Any] = {}


class BookTitle(Reply, frozen=True, kw_only=True):
    """A rule book by its id."""

    id: str
    title: str


class Offered(Reply, frozen=True, kw_only=True):
    """A wager on offer: a bet names its `id`, and one of its `picks` if there are any."""

    id: str
    name: str
    clause: str
    picks: list[int | str | list[int]]
    pays: str


class Book(BookTitle, frozen=True, kw_only=True):
    """A rule book with its wagers. `pays` follows the default pay table."""

    wagers: list[Offered]


class Field(Reply, frozen=True, kw_only=True):
    """A field of an act. `choices` are the allowed words, `reasons` the allowed grounds with their summaries."""

    name: str
    kind: str
    choices: list[str]
    reasons: list[dict[str, str | None]]


class Against(Reply, frozen=True, kw_only=True):
    """A possible objection to an act, worded as its refusal."""

    code: str
    say: str
    clause: str | None


class Act(Reply, frozen=True, kw_only=True):
    """An act of the book: `by` are titles in the book, `roles` those of the house."""

    id: str
    says: list[str]
    by: list[str]
    roles: list[str]
    clause: str
    fields: list[Field]
    against: list[Against]
    aside: bool
    topic: str = ""


class Ground(Reply, frozen=True, kw_only=True):
    """A clause that makes a throw void, and what is called then."""

    clause: str
    summary: str
    by: list[str]
    roles: list[str]
    calls: list[str]
    kind: str
    mandatory: bool


class Acts(Reply, frozen=True, kw_only=True):
    """The acts of a book, its grounds for void throws, and the call for each result, such as `4 3`."""

    id: str
    acts: list[Act]
    voids: list[Ground]
    results: dict[str, str]
    facts: dict[str, int | str]


class Clause(Reply, frozen=True, kw_only=True, rename={"class_": "class"}):
    """A clause of a book: `class_` is how the software treats it, `page` where people read it."""

    clause: str
    class_: str
    summary: str
    reason: str | None
    moment: str | None
    readings: list[str]
    page: str


class Reading(Reply, frozen=True, kw_only=True):
    """How an ambiguous text is read."""

    id: str
    question: str
    taken: str


class ClauseRead(Reply, frozen=True, kw_only=True):
    """A clause, its parent, its parts and the readings that concern it."""

    clause: Clause
    above: str | None
    parts: list[str]
    readings: list[Reading]


class Answered(Reply, frozen=True, kw_only=True):
    """Who answered for an alert, when, and with which note."""

    who: str | None
    at: datetime
    note: str


class Alert(Reply, frozen=True, kw_only=True):
    """Something that staff must answer for: `words` in short, `tells` what `who` did (None: the house itself)."""

    table: str
    title: str
    book: str
    zone: str = "UTC"
    event: int
    words: str
    tells: str
    clause: str | None
    who: str | None
    at: datetime
    since: datetime
    answered: Answered | None = None


class Duty(Reply, frozen=True, kw_only=True):
    """A duty `of` a table or a promotion; `due` is None for as soon as possible.

    `alert` is the number of the alert that represents it; answering that alert answers the duty.
    """

    of: str
    name: str
    title: str
    book: str
    zone: str = "UTC"
    id: str
    what: str
    clause: str
    responsible: list[str]
    roles: list[str]
    since: datetime | None
    due: datetime | None
    standing: str
    done_at: datetime | None
    done_by: str | None
    alert: int | None
    answered: bool


class Duties(Reply, frozen=True, kw_only=True):
    """The open duties, soonest first and those without a deadline last, and those done, newest first."""

    at: datetime
    open: list[Duty]
    done: list[Duty]


class Alerts(Reply, frozen=True, kw_only=True):
    """The open alerts, oldest first; those to come; those answered recently, newest first.

    `duties` are overdue duties that no alert above represents.
    """

    open: list[Alert]
    coming: list[Alert]
    answered: list[Alert]
    duties: list[Duty]


class OwnPlay(Reply, frozen=True, kw_only=True):
    """The caller's play in a promotion so far; `missing` is the stake that earns the next ticket.

    `in_draw`: whether the tickets would be entered if the promotion closed now. Staff and excluded people have none.
    """

    promotion: str
    earns: bool
    in_draw: bool
    staked: str
    tickets: int
    missing: str | None


class Claimant(Reply, frozen=True, kw_only=True):
    """A claimant's name and address. `sealed`: exactly as recorded with the claim."""

    promotion: str
    claim: str
    name: str
    address: str
    sealed: bool


class Rhythm(Reply, frozen=True, kw_only=True):
    """How a table runs by itself, in seconds: bets open, the last call before they close, closed, the result shown.

    The dice wait at most `numbers` seconds for players' numbers.
    """

    open: float = 20.0
    last_call: float = 5.0
    shut: float = 1.0
    show: float = 6.0
    waits: bool = True
    numbers: float = 2.0


class Limits(Reply, frozen=True, kw_only=True):
    """A player's own limits for a day; None means no limit."""

    loss: str | None = None
    minutes: int | None = None


class LaterLimits(Limits, frozen=True, kw_only=True, rename={"begins": "from"}):
    """Looser limits that take effect later."""

    begins: datetime


class Exclusion(Reply, frozen=True, kw_only=True):
    """An exclusion from play until a time, or (None) permanently."""

    by_house: bool
    until: datetime | None = None


class Account(Reply, frozen=True, kw_only=True):
    """An account: chips away from tables, roles, limits, and the tables where its owner sits.

    On the caller's own account, `within` are the roles usable here: a token's scopes may exclude some.
    """

    person: str
    name: str
    roles: list[str]
    chips: str
    version: int
    within: list[str] | None = None
    card: str | None = None
    limits: Limits = Limits()
    later_limits: LaterLimits | None = None
    exclusion: Exclusion | None = None
    tables: list[str] = []


class Token(Reply, frozen=True, kw_only=True):
    """A token without its secret."""

    name: str
    scopes: list[str]
    since: datetime
    until: datetime | None = None


class TokenIssued(Reply, frozen=True, kw_only=True):
    """A new token, shown only once."""

    token: str
    name: str
    scopes: list[str]
    until: datetime | None = None


class RefusedCommand(Reply, frozen=True, kw_only=True):
    """A refused command: who sent what, when, and why it was refused."""

    number: int
    at: datetime
    who: str
    order: str
    deed: dict[str, Any]
    code: str
    message: str
    clause: str | None = None


class House(Reply, frozen=True, kw_only=True):
    """The house, its signing key and its newest checkpoint. `zone` is its time zone."""

    house: str
    version: str
    key: str
    books: list[str]
    sign_up: bool
    zone: str = "UTC"
    checkpoint: str | None = None


class Witnessed(Reply, frozen=True, kw_only=True):
    """A checkpoint of another house as it was received, and when."""

    at: datetime
    statement: str
    signature: str


class Checkpoint(Reply, frozen=True, kw_only=True):
    """A signed statement of how far the house's streams had come."""

    number: int
    at: datetime
    house: str
    key: str
    statement: str
    signature: str

    @property
    def text(self) -> str:
        """Return the file content for `croupier verify --checkpoint`."""
        return f"{self.statement}\n{self.signature}"


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


class WagerFigures(Reply, frozen=True, kw_only=True):
    """One kind of wager in a period."""

    wager: str
    turnover: str
    wagers: int
    win: str


class Period(Reply, frozen=True, kw_only=True):
    """One period of a report."""

    figures: Figures
    exact: dict[str, str | None]
    wagers: list[WagerFigures]

    def exactly(self, name: str) -> Fraction | None:
        """Return the exact fraction of a figure that is rounded elsewhere."""
        text = self.exact[name]
        return None if text is None else Fraction(text)


class TableReport(Reply, frozen=True, kw_only=True):
    """A table's takings up to one of its events, and the wagers on its layout."""

    table: str
    version: int
    span: str
    periods: list[Period]
    open: list[dict[str, Any]]


class HouseReport(Reply, frozen=True, kw_only=True):
    """The takings of all tables together."""

    house: str
    span: str
    periods: list[Period]


class Balance(Reply, frozen=True, kw_only=True):
    """The balance of an account in the house's books; a negative amount is owed."""

    account: str
    amount: str


class Finding(Reply, frozen=True, kw_only=True):
    """An audit finding, and where it is."""

    stream: str
    version: int | None
    sentence: str


class BooksReport(Reply, frozen=True, kw_only=True):
    """Every account with a balance, and the findings of an audit (empty if all is well)."""

    ok: bool
    events: int
    streams: int
    total: str
    balances: list[Balance]
    findings: list[Finding]


class RegisterTitle(Reply, frozen=True, kw_only=True):
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
    columns: list[dict[str, str]]
    rows: list[dict[str, str]]


class StoredRecord(Reply, frozen=True, kw_only=True):
    """A stored event and the chain's hash after it."""

    version: int
    document: str
    hash: str


class Records(Reply, frozen=True, kw_only=True):
    """Part of a stream as stored. `anchor` starts the hash chain; pass `next` as `after` for more."""

    stream: str
    anchor: str
    version: int
    head: str
    records: list[StoredRecord]
    next: int | None


class PastWager(Reply, frozen=True, kw_only=True):
    """A settled wager: by which throw, and by which clause of which book."""

    version: int
    at: datetime
    wager: str
    name: str
    pick: Pick
    result: str
    stake: str
    paid: str
    returned: str
    book: str
    clause: str
    faces: list[int | str] = []
    call: str | None = None


class PastWagers(Reply, frozen=True, kw_only=True):
    """A page of settled wagers, newest first."""

    wagers: list[PastWager]
    next: int | None
