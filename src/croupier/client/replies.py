"""What a house answers, as values that do not change. Fields that a newer house adds are passed over.

Amounts are texts such as "10.00"; `croupier.money.parse_cents` makes whole cents of them.
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
    """A command was carried out and stored: how far each stream that it changed has come.

    `number` is the commitment that stands, where one was sent. Where it changed a table, `receipt` is what the house
    signed for it.
    """

    versions: dict[str, int]
    number: str | None = None
    receipt: Receipt | None = None


class Entry(Reply, frozen=True, kw_only=True, rename={"role": "as"}):
    """Something that happened at a table or with an account. `events` are as docs/pipe.md and docs/api.md say.

    Others' doings have no `who`, `role` and `order`, and no more `events` than anybody at the table can see.
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
    """The round of a table that runs by itself; bets may be made until it `closes`.

    One that is `waiting` stays open until somebody has made a bet, and closes some time after that. `protocol` is how
    its dice are drawn, and `numbers` how many players have put numbers of their own in.
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
    """A wager that stands. `on` is whether it acts on the next throw, where the book knows that."""

    player: str
    wager: str
    amount: str
    pick: Pick = None
    on: bool | None = None


class Table(Reply, frozen=True, kw_only=True):
    """How a table stands, as far as one may see it. `raw` has everything, also what only some books show."""

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
    """A wager that can be made: a bet names its `id`, and one of its `picks` where there are any."""

    id: str
    name: str
    clause: str
    picks: list[int | str | list[int]]
    pays: str


class Book(BookTitle, frozen=True, kw_only=True):
    """A rule book with its wagers. What they pay is by the pay table that a table has unless it chose another."""

    wagers: list[Offered]


class Field(Reply, frozen=True, kw_only=True):
    """What is said with an act. `choices` are words, `reasons` grounds with a summary, that may be said."""

    name: str
    kind: str
    choices: list[str]
    reasons: list[dict[str, str | None]]


class Against(Reply, frozen=True, kw_only=True):
    """What may stand against an act, as its refusal is put."""

    code: str
    say: str
    clause: str | None


class Act(Reply, frozen=True, kw_only=True):
    """What somebody may do: `by` are titles of the book, `roles` those of the house."""

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
    """A clause by which a throw does not count, and what is called then."""

    clause: str
    summary: str
    by: list[str]
    roles: list[str]
    calls: list[str]
    kind: str
    mandatory: bool


class Acts(Reply, frozen=True, kw_only=True):
    """The acts of a book, its grounds for void throws, and what is called for each result, such as `4 3`."""

    id: str
    acts: list[Act]
    voids: list[Ground]
    results: dict[str, str]
    facts: dict[str, int | str]


class Clause(Reply, frozen=True, kw_only=True, rename={"class_": "class"}):
    """A clause of a book in its own words: `class_` is what the software does about it, `page` where people read it."""

    clause: str
    class_: str
    summary: str
    reason: str | None
    moment: str | None
    readings: list[str]
    page: str


class Reading(Reply, frozen=True, kw_only=True):
    """How a doubtful text is read."""

    id: str
    question: str
    taken: str


class ClauseRead(Reply, frozen=True, kw_only=True):
    """A clause, the one above it, its parts, and the readings that touch it."""

    clause: Clause
    above: str | None
    parts: list[str]
    readings: list[Reading]


class Answered(Reply, frozen=True, kw_only=True):
    """Who answered for an alert, when, and what they say of it."""

    who: str | None
    at: datetime
    note: str


class Alert(Reply, frozen=True, kw_only=True):
    """Something that somebody must answer for: `words` in short, and what `who` did; None is the house itself."""

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
    """Something that somebody has to see to, `of` a table or a promotion; `due` is None for as soon as possible.

    `alert` is the number of the alert that stands for it; who answers for that one has answered for the duty.
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
    """Duties that are open, the soonest first and those without a deadline last; those done, the newest first."""

    at: datetime
    open: list[Duty]
    done: list[Duty]


class Alerts(Reply, frozen=True, kw_only=True):
    """Alerts that wait, the longest first; those to come; those answered lately, the newest first.

    `duties` wait as well: they were not done in time, and no alert above stands for them.
    """

    open: list[Alert]
    coming: list[Alert]
    answered: list[Alert]
    duties: list[Duty]


class OwnPlay(Reply, frozen=True, kw_only=True):
    """One's own play in a promotion so far; `missing` is what has to be staked for the next ticket.

    `in_draw`: as things stand one's tickets are entered at the close; staff, and people who are excluded, have none.
    """

    promotion: str
    earns: bool
    in_draw: bool
    staked: str
    tickets: int
    missing: str | None


class Claimant(Reply, frozen=True, kw_only=True):
    """Who a claimant is. `sealed`: it is what was taken down with the claim, letter for letter."""

    promotion: str
    claim: str
    name: str
    address: str
    sealed: bool


class Rhythm(Reply, frozen=True, kw_only=True):
    """How a table runs by itself, in seconds: bets are open, the last call before they shut, shut, the result shown.

    The dice wait for players' `numbers` for so long at most.
    """

    open: float = 20.0
    last_call: float = 5.0
    shut: float = 1.0
    show: float = 6.0
    waits: bool = True
    numbers: float = 2.0


class Limits(Reply, frozen=True, kw_only=True):
    """What a player allows themselves in a day; None is no limit."""

    loss: str | None = None
    minutes: int | None = None


class LaterLimits(Limits, frozen=True, kw_only=True, rename={"begins": "from"}):
    """Looser limits that are to hold later."""

    begins: datetime


class Exclusion(Reply, frozen=True, kw_only=True):
    """Somebody does not play: until a time, or (None) for good."""

    by_house: bool
    until: datetime | None = None


class Account(Reply, frozen=True, kw_only=True):
    """An account: chips away from tables, roles, limits, at which tables its owner sits.

    Of one's own account, `within` are the roles that one may use here: a token's scopes may leave some of them out.
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
    """A token that somebody has, without what it is."""

    name: str
    scopes: list[str]
    since: datetime
    until: datetime | None = None


class TokenIssued(Reply, frozen=True, kw_only=True):
    """A token, shown this once."""

    token: str
    name: str
    scopes: list[str]
    until: datetime | None = None


class RefusedCommand(Reply, frozen=True, kw_only=True):
    """A command that was refused: who asked for what, when, and why not."""

    number: int
    at: datetime
    who: str
    order: str
    deed: dict[str, Any]
    code: str
    message: str
    clause: str | None = None


class House(Reply, frozen=True, kw_only=True):
    """Which house it is, the key that it signs with, and the newest checkpoint. `zone` is where it is."""

    house: str
    version: str
    key: str
    books: list[str]
    sign_up: bool
    zone: str = "UTC"
    checkpoint: str | None = None


class Witnessed(Reply, frozen=True, kw_only=True):
    """A checkpoint of another house, as it was handed over, and when."""

    at: datetime
    statement: str
    signature: str


class Checkpoint(Reply, frozen=True, kw_only=True):
    """What the house signed of how far its streams had come."""

    number: int
    at: datetime
    house: str
    key: str
    statement: str
    signature: str

    @property
    def text(self) -> str:
        """As a file for `croupier verify --checkpoint`."""
        return f"{self.statement}\n{self.signature}"


# Reports: docs/ledger.md says what each figure is


class Figures(Reply, frozen=True, kw_only=True):
    """A table, or (None) the house, over a day, a month or a year. What is reckoned is in dollars, rounded."""

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
        """A figure that is rounded elsewhere, as the fraction that it is."""
        text = self.exact[name]
        return None if text is None else Fraction(text)


class TableReport(Reply, frozen=True, kw_only=True):
    """What a table took in, up to one of its events, and what stands on its layout."""

    table: str
    version: int
    span: str
    periods: list[Period]
    open: list[dict[str, Any]]


class HouseReport(Reply, frozen=True, kw_only=True):
    """What all tables together took in."""

    house: str
    span: str
    periods: list[Period]


class Balance(Reply, frozen=True, kw_only=True):
    """What an account of the house's books holds; less than nothing is what it owes."""

    account: str
    amount: str


class Finding(Reply, frozen=True, kw_only=True):
    """Something that does not add up, and where."""

    stream: str
    version: int | None
    sentence: str


class BooksReport(Reply, frozen=True, kw_only=True):
    """Every account that holds or owes anything, and what an audit finds: nothing, while all is well."""

    ok: bool
    events: int
    streams: int
    total: str
    balances: list[Balance]
    findings: list[Finding]


class RegisterTitle(Reply, frozen=True, kw_only=True):
    """A register: what it is for, by which clauses of which books, and how many rows it has in a period."""

    register: str
    title: str
    purpose: str
    clauses: dict[str, list[str]]
    rows: int


class Registers(Reply, frozen=True, kw_only=True):
    """All registers of a period. `so_far` says how far they go where it is not over."""

    period: str
    first: date
    last: date
    so_far: str | None
    registers: list[RegisterTitle]


class Register(Reply, frozen=True, kw_only=True):
    """A register of a period: rows of texts, by the ids of their columns."""

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
    """An event as it is stored, and the hash that the chain has come to with it."""

    version: int
    document: str
    hash: str


class Records(Reply, frozen=True, kw_only=True):
    """Some of a stream as it is stored. `anchor` is what the chain begins with; `next` is what to ask after."""

    stream: str
    anchor: str
    version: int
    head: str
    records: list[StoredRecord]
    next: int | None


class PastWager(Reply, frozen=True, kw_only=True):
    """A wager that was settled: by which throw, and by which clause of which book."""

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
    """Some of them, the newest first."""

    wagers: list[PastWager]
    next: int | None
