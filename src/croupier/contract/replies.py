"""The replies of a house, as immutable values: the house builds them, the server sends them, the client reads them.

A field without a default is always sent; a field with one is left out while it has that value. Unknown fields of a
newer house are ignored. Amounts are strings such as "10.00"; `croupier.money.parse_cents` converts them to whole cents.
Times are strings in UTC, to the microsecond and all of one length; `datetime.fromisoformat` reads them.

Replies about running the house are in `croupier.contract.management`.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from croupier.contract.lines import StandingWager
from croupier.contract.shown_events import OwnSign, Pick, StakeLimits
from croupier.store.receipts import Receipt

Face = int | str
Line = dict[str, int | str | tuple[Face, ...] | None]  # a line that the table would take
Event = dict[str, Any]  # an event as docs/pipe.md and docs/api.md describe it
HouseRole = Literal["player", "dealer", "supervisor", "manager", "operator", "inspector"]
FieldKind = Literal["player", "money", "count", "time", "faces", "reason", "wager", "role", "text", "case"]
Betting = Literal["open", "closed"]


class Reply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The base of all replies."""

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401  # a field of any type
        """Return a field by its name in JSON. Raises KeyError if it was not sent."""
        value = getattr(self, dict(zip(self.__struct_encode_fields__, self.__struct_fields__, strict=True))[name])
        if value is UNSET:
            raise KeyError(name)
        return value


class Done(Reply, frozen=True, kw_only=True):
    """An order was carried out and stored; `versions` are the new versions of the streams it changed.

    `calls` are those at the table, such as after a throw. `number` is the commitment that the house holds, if one was
    sent. If a table was changed, `receipt` is signed by the house; docs/receipts.md explains how to check it.
    """

    ok: bool
    versions: dict[str, int]
    calls: list[str] = []
    number: str | None = None
    receipt: Receipt | None = None


class ProblemBody(Reply, frozen=True, kw_only=True, omit_defaults=False):
    """The body of every error: a stable code for programs, the clause of the book, and a sentence for people.

    `about` names the refused part of a promotion's terms: a point, a prize, or a prize and its point.
    """

    ok: bool = False
    code: str
    clause: str | None = None
    message: str
    about: list[str] | UnsetType = UNSET


OrderReply = Done | ProblemBody


class SignedIn(Reply, frozen=True):
    """The person signed in. Send `csrf` as the header X-CSRF-Token with every further request that is not a GET."""

    person: str
    csrf: str
    until: str


class Objection(Reply, frozen=True):
    """Why something is not accepted now, and the clause."""

    message: str
    clause: str | None


# Entries of streams


class Entry(Reply, frozen=True, kw_only=True, rename={"role": "as"}):
    """Something that happened at a table, to an account or to a promotion.

    Entries of other people lack `who`, `role` and `order`, and contain only events visible to everyone at the table.
    """

    version: int
    hash: str
    at: str
    type: str
    events: list[Event]
    who: str | None = None
    role: str | None = None
    order: str | None = None


class FullEntry(Entry, frozen=True, kw_only=True, omit_defaults=False):
    """An entry for people who may see who did it: null is the house itself."""


class Entries(Reply, frozen=True):
    """A page of entries; pass `next` as `after` for more."""

    entries: list[Entry]
    next: int | None


# Tables


class Round(Reply, frozen=True):
    """The round of a table that runs by itself; bets are open until it `closes`.

    A `waiting` round stays open until the first bet and closes some time after; a `brief` one takes no bets, and the
    wagers stand. `protocol` is how its dice are drawn, and `numbers` how many players have committed to numbers of
    their own.
    """

    number: int
    commitment: str
    closes: str
    last_call: bool
    shut: bool
    waiting: bool
    protocol: int
    numbers: int
    brief: bool


class Table(Reply, frozen=True, kw_only=True):
    """The state of a table, as far as the caller may see it. Times of the table are in `zone`.

    `puck`, `size`, `parity` and `odds` are what the phases of its book show. `kept` are chips of players who left,
    `owing` what players owe the house, `facts` what the table remembers; `staff` is for those who see everything.
    """

    table: str
    title: str
    book: str
    version: int
    zone: str
    hash: str
    open: bool
    players: int
    by_itself: bool
    round: Round | None
    seated: bool
    chips: dict[str, str]
    wagers: list[StandingWager]
    puck: int | str | UnsetType | None = UNSET
    size: int | str | UnsetType | None = UNSET
    parity: int | str | UnsetType | None = UNSET
    odds: int | str | UnsetType | None = UNSET
    bets: Betting | None = None
    tokens: dict[str, str] = {}
    kept: dict[str, str] = {}
    owing: dict[str, str] = {}
    checks: dict[str, dict[str, str]] = {}
    facts: dict[str, int | str] = {}
    staff: dict[str, str] | None = None

    @property
    def raw(self) -> dict[str, Any]:
        """The reply as plain values."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


class Throws(Reply, frozen=True):
    """What is thrown at a table: the faces, and the number of dice or coins."""

    faces: list[Face]
    count: int


class Marker(Reply, frozen=True):
    """The puck, or another marker on a number, and the place of the area where it lies."""

    value: int | str | None
    area: int | None


class LastResult(Reply, frozen=True):
    """A result that counted, and how it was called."""

    faces: list[Face]
    call: str | None


class ListedTable(Table, frozen=True, kw_only=True):
    """A table in the public list: also its limits, what is thrown there, and the last results, the newest last.

    `fell` are the faces of the newest. `attended`: whether bets can be taken, by itself or by staff who are there.
    """

    limits: StakeLimits
    fell: list[Face]
    throws: Throws
    results: list[LastResult]
    marker: Marker | None
    attended: bool


# The felt


class AreaKey(Reply, frozen=True):
    """An area of the felt: a wager and its pick."""

    wager: str
    pick: Pick


class Lamp(Reply, frozen=True, omit_defaults=False):
    """A name with a value, or with lights of which some are lit."""

    name: str
    words: str = ""
    lit: int = 0
    of: int = 0
    colour: str = "green"


class Sign(Reply, frozen=True):
    """A sign that announces something: when it went up, the time it states, and when it may be acted on."""

    announces: Literal["minimum", "closing"]
    shown: str
    states: str
    holds: str
    wager: str | None
    minimum: str | None


class ShownResult(Reply, frozen=True, kw_only=True):
    """A result on the display. `void` is the clause by which it did not count, `was` the wrong result it replaces.

    `turn` is the turn of the thrower, from 1; `before` and `after` are the marker's values; one that `passes` ends a
    turn. `round` is its number at a table that runs by itself, `version` the event that threw it.
    """

    faces: list[Face]
    call: str | None
    title: str
    void: str | None
    turn: int
    before: int | str | None
    after: int | str | None
    passes: bool
    names: list[str]
    by: str | None
    was: list[Face]
    round: int | None
    version: int | None = None


class Thrower(Reply, frozen=True):
    """The thrower, their title in the book, and the player who is offered the dice next."""

    by: str | None
    title: str | None
    next: str | None


class WaitingWager(Reply, frozen=True):
    """A wager that awaits the house, and the line, with its words, that deals with it."""

    kind: str
    amount: str | None
    line: Line
    words: str


class AskedField(Reply, frozen=True):
    """A field that a step asks for."""

    name: str
    kind: FieldKind


class ConsoleStep(Reply, frozen=True, kw_only=True):
    """A step that the table would accept from this person now: its words, its line, and the fields still asked for.

    `refused` says what it waits for. `first` are the lines to send with the first face; one that `previews` shows its
    effect before it is confirmed.
    """

    kind: Literal["next", "beside"]
    words: str
    line: Line
    asks: list[AskedField]
    press: str
    key: str | None
    clause: str | None
    refused: Objection | None
    first: list[Line] | None = None
    previews: bool = False


class OwnAct(Reply, frozen=True):
    """An act that the table awaits from a player: words, line, and whether the game goes on with it."""

    words: str
    line: Line
    goes_on: bool


class OwnChecks(Reply, frozen=True):
    """A player's checks of one colour without a face value: the value of one, and their total."""

    colour: str
    value: str
    amount: str


class NextAct(Reply, frozen=True):
    """A possible next act: its `words`, who may do it by the book, and the roles of the house that may."""

    act: str
    words: str
    by: list[str]
    roles: list[HouseRole]
    clause: str


class Case(Reply, frozen=True, kw_only=True):
    """An open case. The first of `next` is the expected act; `due` is still to be paid.

    `since` is when it came up, in `zone`; `who` is null if unknown.
    """

    table: str
    title: str
    book: str
    zone: str
    kind: str
    case: str
    who: str | None
    about: str
    since: str | None
    stands: str
    due: str
    next: list[NextAct]


class Felt(Table, frozen=True, kw_only=True):
    """A table with everything that a felt shows. It is drawn again when `terms` changes.

    `places` and `waiting` are for those who see everything; `steps`, `moment`, `begun` and `corrected_by` for staff
    with a post at the table: what to do next, the moment in words, whether a throw has begun, and who may correct the
    latest result. `ready` of the `playing` players with chips down are ready for the throw; `own_ready` is whether the
    viewer is.
    """

    terms: str
    now: str
    ready: int
    playing: int
    own_ready: bool
    wins: list[AreaKey]
    closed_areas: list[int]
    lamps: list[Lamp]
    marker: Marker | None
    betting: Literal["open", "closed", "late"]
    attended: bool
    seats: int | None
    taken_places: list[int]
    signs: list[Sign]
    results: list[ShownResult]
    thrower: Thrower
    owing: dict[str, str]
    cases: list[Case]
    own_checks: list[OwnChecks]
    own_acts: list[OwnAct]
    shown_until: str | None
    places: dict[str, int] | None = None
    waiting: list[WaitingWager] | None = None
    steps: list[ConsoleStep] | None = None
    moment: str | UnsetType | None = UNSET
    begun: bool | None = None
    corrected_by: list[str] | None = None


# The next throw


class ThrowEffect(Reply, frozen=True):
    """What an outcome does to a wager. `pays` are the odds of a win, `to` the number that a wager moves to.

    `sleep`: the wager is off and nothing happens to it. `go`: it waits in another way, or moves to a number.
    """

    then: Literal["win", "lose", "void", "go", "stay", "sleep"]
    clause: str
    pays: str | None = None
    to: Pick = None


class AreaRefusal(Objection, frozen=True):
    """Why nothing more can be bet on an area now, with the code of the refusal."""

    code: str


class AreaEffects(Reply, frozen=True):
    """The effects of the next throw on an area: on your wager there, or else on one that you make now.

    `which` is the index in `effects` for each outcome. Both are empty where you have no wager and none can be made.
    `refused` is why nothing more can be bet there now, apart from amounts and closed bets.
    """

    effects: list[ThrowEffect]
    which: list[int]
    refused: AreaRefusal | None = None


class OutcomeAhead(Reply, frozen=True, kw_only=True):
    """One outcome of the next throw: the faces, its names, and what it would do to your wagers.

    `won` is what your wagers win, `lost` is the stakes that they lose, and `returned` is all that goes back to you.
    """

    faces: list[Face]
    names: list[str]
    won: str = "0.00"
    lost: str = "0.00"
    returned: str = "0.00"


class NextThrow(Reply, frozen=True, kw_only=True):
    """What every outcome of the next throw would do, at a version of the table: to each area in the drawing's order."""

    version: int
    outcomes: list[OutcomeAhead]
    areas: list[AreaEffects]


# The drawing of a felt


class PayLine(Reply, frozen=True, rename={"words": "for"}):
    """A line of a pay table."""

    words: str
    odds: str


class Area(Reply, frozen=True, kw_only=True):
    """A betting area: `pays` is short enough to print on it, `terms` is everything in the pay table.

    `at` and `narrow` are left, top, width and height on the wide felt and on the narrow one. `commission` is the part
    of the whole stake that is due with it, as a fraction: cut to the cent, less what has been paid already.
    """

    wager: str
    pick: Pick
    name: str
    label: str
    note: str
    clause: str
    at: list[int]
    narrow: list[int]
    group: str
    dice: list[list[Face]]
    travelled: bool
    pays: str
    terms: str
    lines: list[PayLine]
    least: str
    fixed: bool
    optional: bool
    behind: str | None
    offered: bool
    sleeps: bool
    min: str | None
    max: str | None
    commission: str | None = None


class Ring(Reply, frozen=True):
    """The space on the felt where the dice or coins fall."""

    at: tuple[int, int, int, int]
    narrow: tuple[int, int, int, int]


class DrawnWords(Reply, frozen=True):
    """Printed words: where, how large, how wide if that is fixed, and turned by how many degrees about that place."""

    says: str
    at: tuple[float, float]
    size: float
    width: float | None = None
    turn: float = 0
    tone: str = "print"
    to: str = "middle"
    plain: bool = False


class DrawnLine(Reply, frozen=True):
    """A line or a surface, as an SVG path; with a `width` it is a stroke."""

    path: str
    tone: str
    width: float | None = None
    dash: list[float] = []


class DrawnDice(Reply, frozen=True):
    """Dice or coins in a row: their middle, and the size of each."""

    faces: list[Face]
    at: tuple[float, float]
    size: float
    turn: float = 0


class DrawnArea(Reply, frozen=True, kw_only=True):
    """An area on a sheet: `place` is its place in `areas`, `path` its outline, or what it lies along with a `width`.

    A plain rectangle has a `box`, and the page letters it. `chip` is where chips lie, in `room` those of many players;
    `pay`, from there, where a payment lands. `number` is the box it belongs to, `puck` where the marker lies in it.
    """

    place: int
    path: str
    chip: tuple[float, float]
    room: tuple[float, float, float, float]
    pay: tuple[float, float]
    width: float | None = None
    box: tuple[float, float, float, float] | None = None
    number: Pick = None
    puck: tuple[float, float] | None = None
    shows: Literal["always", "wanted", "held", "odds"] = "always"
    tone: str = "print"
    scale: float = 1
    text: list[DrawnWords] = []
    dice: list[DrawnDice] = []
    lines: list[DrawnLine] = []


class DrawnSheet(Reply, frozen=True, kw_only=True):
    """A felt as it is drawn, or a part of one: its areas in the order in which they are drawn, and what lies below.

    `puck` is where the marker lies while it is off, `fall` the middle and radius of the ring where coins fall. With
    `choose`, a row of numbers there picks the box that is shown; `numbers` are those numbers and their words.
    """

    name: str
    size: tuple[float, float]
    cloth: str
    areas: list[DrawnArea]
    text: list[DrawnWords] = []
    dice: list[DrawnDice] = []
    lines: list[DrawnLine] = []
    puck: tuple[float, float] | None = None
    fall: tuple[float, float, float] | None = None
    choose: tuple[float, float, float, float] | None = None
    numbers: list[tuple[Pick, str]] = []


class ThrowDrawn(Throws, frozen=True):
    """What is thrown, with the names of the field and of the command in a line.

    `ready` is what a player says for the throw to come.
    """

    field: str
    command: str
    ready: str


class TableSign(Reply, frozen=True, kw_only=True):
    """What the table's sign states. `super_streak` is the fixed amount of that wager."""

    min: str | None
    max: str | None
    player_max: str | None = None
    unit: str | None = None
    seats: int | None = None
    dice: Literal["manual"] | None = None
    late: bool = False
    without: list[str] = []
    super_streak: str | None = None


class Road(Reply, frozen=True):
    """A line of results on one of several sides, as displays show it."""

    name: str
    sides: list[str]


class DrawnRhythm(Reply, frozen=True):
    """Seconds that bets are open, and of the last call."""

    open: float
    last_call: float


class Drawing(Reply, frozen=True, kw_only=True):
    """Everything about a felt that does not change from throw to throw."""

    table: str = ""
    name: str = ""
    terms: str = ""
    book: str
    title: str
    clause: str
    size: list[int]
    narrow_size: list[int]
    ring: Ring | None
    areas: list[Area]
    wide: DrawnSheet
    narrow: list[DrawnSheet]
    throw: ThrowDrawn
    chip: str
    sign: TableSign
    closes_bets: bool
    sleeps: bool
    roads: list[Road]
    marker: str | None
    rhythm: DrawnRhythm | UnsetType | None = UNSET
    own_limit: OwnSign | None = None


# Practice


class PracticeReply(Reply, frozen=True, kw_only=True):
    """A practice table after the last line: what happened, as the pipe says it, and the felt.

    `drawing` and `ahead`, what each outcome of the next throw would do, are sent if they were asked for.
    """

    ok: Literal[True]
    events: list[Event]
    felt: Felt
    drawing: Drawing | None = None
    ahead: NextThrow | None = None


class Chance(Reply, frozen=True, kw_only=True):
    """The exact chances of a wager, from the throw it is made for to the end: rounded for people, and as fractions.

    `returns` is how often the stake goes back undecided, `edge` what the house keeps of each stake on average, and
    `throws` how many throws it takes on average. A wager without `pick` has the same chances for all picks.
    """

    wager: str
    pick: Pick
    name: str
    clause: str
    wins: str
    loses: str
    returns: str
    edge: str
    throws: str
    p_win: str
    p_lose: str
    p_void: str
    exact_edge: str


class BookChances(Reply, frozen=True, kw_only=True):
    """The chances of all wagers of a book under a pay table. `ways` is how many outcomes a throw has, all equal."""

    book: str
    ways: int
    rows: list[Chance]


class LessonStep(Reply, frozen=True, kw_only=True):
    """A move of a first game, with what is said before it: a bet of an amount on a wager, or throws of these faces."""

    title: str
    says: str
    note: str
    bet: str | None
    pick: Pick
    amount: str | None
    throws: list[list[Face]]


class LessonEnd(Reply, frozen=True):
    """What is said after the last move of a first game."""

    title: str
    says: str


class LessonShown(Reply, frozen=True, kw_only=True):
    """The first game of a book."""

    book: str
    title: str
    chips: str
    steps: list[LessonStep]
    end: LessonEnd


# The front page


class Lettering(Reply, frozen=True, omit_defaults=False):
    """What a page letters a plain rectangle with; `Area` says what each field is."""

    box: tuple[float, float, float, float]
    label: str
    note: str
    pays: str
    terms: str
    dice: list[list[Face]]


class PreviewArea(Reply, frozen=True, kw_only=True):
    """An area of a small picture: its outline, and what is printed on it, or how it is lettered."""

    path: str
    width: float | None = None
    tone: str = "print"
    text: list[DrawnWords] = []
    dice: list[DrawnDice] = []
    lines: list[DrawnLine] = []
    lettering: Lettering | None = None


class Preview(Reply, frozen=True, kw_only=True):
    """A felt without bets, to be drawn small: the areas that always show, and where the marker and coins lie.

    `puck` is where the marker lies while it is off, `pucks` where it lies on each number.
    """

    size: tuple[float, float]
    cloth: str
    areas: list[PreviewArea]
    text: list[DrawnWords] = []
    dice: list[DrawnDice] = []
    lines: list[DrawnLine] = []
    puck: tuple[float, float] | None = None
    pucks: list[tuple[Pick, float, float]] = []
    fall: tuple[float, float, float] | None = None


class GameShown(Reply, frozen=True):
    """A book as the front page presents it: where it is from, and one sentence about it."""

    book: str
    title: str
    game: str
    place: str
    about: str


class PriceRow(Reply, frozen=True):
    """What a wager pays in each of several books that differ, and which of them pay most. `on` are its picks."""

    wager: str
    on: str
    pays: list[str]
    most: list[int]


class Prices(Reply, frozen=True):
    """Books of the same game, and every price in which they differ."""

    game: str
    books: list[str]
    rows: list[PriceRow]


class Front(Reply, frozen=True):
    """What the front page shows besides the tables. `felts` has the place in `previews` of each table's picture."""

    games: list[GameShown]
    previews: list[Preview]
    felts: dict[str, int]
    prices: list[Prices]


# Books


class BookTitle(Reply, frozen=True):
    """A rule book by its id. `prizes`: whether it has rules for promotional prizes; `lesson`: whether a first game."""

    id: str
    title: str
    prizes: bool
    lesson: bool = False


class Offered(Reply, frozen=True):
    """A wager on offer: a bet names its `id`, and one of its `picks` if there are any."""

    id: str
    name: str
    clause: str
    picks: list[int | str | list[int]]
    pays: str


class Book(Reply, frozen=True):
    """A rule book with its wagers. `pays` follows the default pay table."""

    id: str
    title: str
    wagers: list[Offered]


class Title(Reply, frozen=True):
    """A title in the book, and the roles of the house that act under it."""

    title: str
    clause: str
    rank: int
    roles: list[HouseRole]


class Reason(Reply, frozen=True):
    """A possible reason: a clause with its `summary` in our own words, or words that need none."""

    reason: str
    summary: str | None


class Field(Reply, frozen=True):
    """A field of an act. `choices` are the allowed words, `reasons` the allowed grounds with their summaries.

    A `wager` may come with its `pick`, and `to` with `to_pick`. A `case` is one of the open cases
    (`GET /tables/{table}/cases`); for a new one it is a text.
    """

    name: str
    kind: FieldKind
    choices: list[str]
    reasons: list[Reason]


class Against(Reply, frozen=True):
    """A possible objection to an act, worded as its refusal."""

    code: str
    say: str
    clause: str | None


class TableCommand(Reply, frozen=True):
    """A command of every table; `do` is its word in a line. `by` are titles, `roles` those of the house.

    `says` words what staff do with it for a player, as for an act.
    """

    do: str
    by: list[str]
    roles: list[HouseRole]
    clause: str | None
    against: list[Against]
    says: list[str]
    fields: list[Field]


class Act(Reply, frozen=True):
    """An act of the book: `by` are titles in the book, `roles` those of the house.

    Each of `says` words it; the fields in braces are sent with it. An act that is `aside` may also be done at a table
    that runs by itself. Acts of one `topic` belong together.
    """

    id: str
    says: list[str]
    by: list[str]
    roles: list[HouseRole]
    clause: str
    fields: list[Field]
    against: list[Against]
    aside: bool
    topic: str


class Ground(Reply, frozen=True):
    """A clause that makes a throw void; `calls` are its words, the usual ones first.

    If it is `mandatory`, the throw must be called void. One that `invalidates` undoes an outcome instead; under one
    that `forfeits`, the wagers of certain players may be forfeited.
    """

    clause: str
    summary: str
    by: list[str]
    roles: list[HouseRole]
    calls: list[str]
    kind: Literal["void", "invalidates", "forfeits"]
    mandatory: bool


class Acts(Reply, frozen=True):
    """The acts of a book, its grounds for void throws, and the call for each result, such as `4 3`.

    `facts` are those that a table starts with. `tumbles` is how often people tumble the dice before a throw; 0 if there
    is nothing to tumble.
    """

    id: str
    titles: list[Title]
    commands: list[TableCommand]
    acts: list[Act]
    voids: list[Ground]
    results: dict[str, str]
    facts: dict[str, int | str]
    tumbles: int


class Clause(Reply, frozen=True, rename={"class_": "class"}):
    """A clause in our own words: `class_` is how the software treats it, `page` where people read it."""

    clause: str
    class_: Literal["enforced", "shown", "recorded", "physical"]
    summary: str
    reason: str | None
    moment: str | None
    readings: list[str]
    page: str


class Reading(Reply, frozen=True):
    """How an ambiguous text is read."""

    id: str
    question: str
    taken: str


class ClauseRead(Reply, frozen=True):
    """A clause, its parent, its parts and the readings that concern it."""

    clause: Clause
    above: str | None
    parts: list[str]
    readings: list[Reading]


# Accounts


class Rhythm(msgspec.Struct, frozen=True, kw_only=True):
    """How a table runs by itself, in seconds: bets open, the last call before they close, closed, the result shown.

    The dice wait at most `numbers` seconds for players' numbers.
    """

    open: float = 20.0
    last_call: float = 5.0
    shut: float = 0.3
    show: float = 3.5
    waits: bool = True
    numbers: float = 2.0


class Limits(Reply, frozen=True):
    """A player's own limits for a day; None means no limit."""

    loss: str | None
    minutes: int | None


class LaterLimits(Limits, frozen=True, rename={"begins": "from"}):
    """Looser limits that take effect later."""

    begins: str


class Exclusion(Reply, frozen=True):
    """An exclusion from play until a time, or (None) permanently."""

    until: str | None
    by_house: bool


class Visit(Reply, frozen=True):
    """A visit to a table: when it began and ended, and the chips taken there and brought back."""

    table: str
    since: str
    taken: str
    brought: str
    until: str | None


class Account(Reply, frozen=True, kw_only=True):
    """An account: chips away from tables, roles, limits, and the tables where its owner sits.

    On the caller's own account, `within` are the roles usable here: a token's scopes may exclude some.
    """

    person: str
    name: str
    roles: list[str]
    card: str | None
    chips: str
    limits: Limits
    later_limits: LaterLimits | None
    exclusion: Exclusion | None
    tables: list[str]
    visits: list[Visit]
    version: int
    within: list[str] | None = None


class OwnAccount(Account, frozen=True, kw_only=True):
    """The caller's own account. A page sends `csrf` with its commands. A `guest` cannot return after signing out."""

    csrf: str | None
    guest: bool


class PastWager(Reply, frozen=True, kw_only=True, omit_defaults=False):
    """A settled wager, with the faces if a throw settled it; `name` is its display name.

    `paid` is the winnings, `returned` everything that came back in chips. `clause` is in `book`.
    """

    version: int
    at: str
    wager: str
    name: str
    pick: Pick
    result: str
    stake: str
    paid: str
    returned: str
    book: str
    clause: str
    faces: list[Face] = []
    call: str | None = None


class PastWagers(Reply, frozen=True):
    """A page of settled wagers, newest first; pass `next` as `before` for older ones."""

    wagers: list[PastWager]
    next: int | None


# What happened at a table


class FellColumn(Reply, frozen=True):
    """How often a total fell, or a named result: a count for each span."""

    name: str
    counts: list[int]


class Hand(Reply, frozen=True, kw_only=True):
    """A turn of a shooter: its rolls before the dice passed on, when it began, and the event of its first roll."""

    rolls: int
    at: str
    version: int
    own: bool


class Hands(Reply, frozen=True, kw_only=True):
    """The longest turns so far: at the table, and of the caller. `until` is the result that passes the dice on."""

    until: str
    clause: str
    longest: Hand | None
    own: Hand | None


class ThrowCounts(Reply, frozen=True, kw_only=True):
    """What fell at a table: columns in order, with counts over the last throws of each span; null is all.

    If `counted` is less than `version` the count is not finished: ask again. `hands` is null in games in which the
    dice do not pass on by a result.
    """

    counted: int
    version: int
    spans: list[int | None]
    throws: list[int]
    columns: list[FellColumn]
    hands: Hands | None


class VisitPoint(Reply, frozen=True, kw_only=True):
    """A player's chips after a result, in hand and on the felt; `net` is what they won or lost since sitting down."""

    version: int
    at: str
    round: int | None
    faces: list[Face]
    call: str | None
    chips: str
    net: str


class VisitCourse(Reply, frozen=True, kw_only=True):
    """The caller's latest visit to a table, result by result: the last of them, and the best and the lowest of all.

    `start` are the chips of sitting down, `brought` all chips brought since then. If `counted` is less than `version`
    the count is not finished: ask again.
    """

    counted: int
    version: int
    since: str
    until: str | None
    start: str
    brought: str
    chips: str
    net: str
    results: int
    points: list[VisitPoint]
    best: VisitPoint | None
    lowest: VisitPoint | None


class PastRound(Reply, frozen=True, kw_only=True):
    """The events of one throw, from the opening of the bets to the last payment.

    `round` is its number at a table that runs by itself. `shut` is the event that closed the bets, `thrown` the throw;
    null while there is none. `is_over` says whether it was thrown, voided or cancelled.
    """

    table: str
    round: int | None
    first: int
    last: int
    shut: int | None
    thrown: int | None
    is_over: bool


class Token(Reply, frozen=True, kw_only=True):
    """A token without its secret."""

    name: str
    scopes: list[str]
    since: str
    until: str | None


class TokenIssued(Reply, frozen=True, kw_only=True):
    """A new token, shown only once."""

    token: str
    name: str
    scopes: list[str]
    until: str | None


# The house and its records


class SignIn(Reply, frozen=True):
    """A sign-in of a demonstration, which everyone may use."""

    person: str
    password: str
    role: str


class House(Reply, frozen=True, kw_only=True):
    """The house, its signing key and its newest checkpoint.

    `at` is the time by its clock, `zone` its time zone, `you` the caller; `sign_ins` are those of a demonstration.
    """

    house: str
    version: str
    at: str
    zone: str
    key: str
    checkpoint: str | None
    sign_up: bool
    books: list[str]
    you: str | None
    sign_ins: list[SignIn]


class WitnessState(Reply, frozen=True):
    """A witness of the house: the number of the last checkpoint handed over, and what is wrong."""

    witness: str
    handed: int
    trouble: str | None


class Health(Reply, frozen=True, kw_only=True):
    """Whether the house takes orders, and damaged streams; accounts and promotions are counted, not named."""

    ok: bool
    house: str
    state: str
    disk: str
    damaged: dict[str, str]
    damaged_accounts: int
    damaged_promotions: int
    warning: str | None = None
    witnesses: list[WitnessState]


class Witnessed(Reply, frozen=True):
    """A checkpoint of another house as it was received, and when."""

    at: str
    statement: str
    signature: str


class WitnessedPage(Reply, frozen=True):
    """A page of checkpoints of another house."""

    entries: list[Witnessed]
    next: int | None


class Checkpoint(Reply, frozen=True):
    """A signed statement of how far the house's streams had come."""

    number: int
    at: str
    house: str
    key: str
    statement: str
    signature: str

    @property
    def text(self) -> str:
        """Return the file content for `croupier verify --checkpoint`."""
        return f"{self.statement}\n{self.signature}"


class Checkpoints(Reply, frozen=True):
    """A page of checkpoints."""

    entries: list[Checkpoint]
    next: int | None


class StoredRecord(Reply, frozen=True):
    """A stored event, byte for byte, and the chain's hash after it."""

    version: int
    document: str
    hash: str


class Records(Reply, frozen=True):
    """Part of a stream as stored. `anchor` starts the hash chain; pass `next` as `after` for more."""

    stream: str
    anchor: str
    version: int
    head: str
    records: list[StoredRecord]
    next: int | None
