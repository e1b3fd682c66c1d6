"""The schema of a rule book: the shape of its TOML files, checked by msgspec when they are read.

A wager's properties answer what its definition alone decides; `offers` answers what depends on the game or the
table. `docs/rule-books.md` explains each table to authors of books.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from fnmatch import fnmatchcase
from typing import Annotated, Literal, TypeVar

import msgspec

Pick = int | str | tuple[int, ...]
Fact = int | str  # a small named value that a table records about its conduct: `dice = "offered"`, `missing = 1`
NONE = "none"  # the value of a fact that was never set
Cited = Annotated[str, "a clause"]  # the number of a clause, in every field that cites one
WagerId = Annotated[str, "a wager"]  # in every field that names another wager of the book
# A number such as 1/2 or 0.05. An exponent is refused: the number could take hours to write out.
Share = Annotated[str, msgspec.Meta(max_length=20, pattern="^[^eE]*$")]


Code = TypeVar("Code", bound=Callable[..., object])

# The parts of a book that cite clauses, such as `wager.behind`, and the code that acts on each. Filled by `acts_on`.
ACTING: dict[str, str] = {}


def acts_on(*parts: str) -> Callable[[Code], Code]:
    """Declare which parts of a book a function or class acts on. The trace names it for the clauses that they cite."""

    def declare(code: Code) -> Code:
        name = f"{code.__module__}.{code.__qualname__}"
        for part in parts:
            if ACTING.setdefault(part, name) != name:
                raise ValueError(f"{part} belongs to {ACTING[part]}, not to {name} as well")
        return code

    return declare


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The base of every table in a book: unknown keys are mistakes, not extensions."""


class Identity(Part, frozen=True):
    """Which document this is. `place` and `about` present the game to players: a word or two, and one sentence."""

    id: str
    game: str
    title: str
    jurisdiction: str
    casino: str
    regulator: str
    instrument: str
    takes_effect: str
    timezone: str
    place: str = ""
    about: str = ""
    signed: date | None = None
    replaces: str | None = None
    extends: str | None = None
    damage: list[str] = []


class ThrowRules(Part, frozen=True):
    """What is thrown. `command` and `field` are protocol words: `roll` with `dice`, `spin` with `coins`.

    `ready` is what players at a table that runs by itself say when the throw may come.
    """

    faces: list[int | str]
    throw: int
    command: Literal["roll", "spin"]
    field: str
    clause: Cited
    faces_clause: Cited | None = None
    named: dict[str, str] = {}
    ready: str = "Roll"


class Row(Part, frozen=True, rename={"state": "in"}):
    """One line of a machine: in this state, on these outcomes, this happens, under this clause."""

    on: str
    then: str
    clause: Cited
    state: str = "standing"
    pays: str | None = None
    share: Share = "1"
    rest: Literal["lost", "back"] = "lost"
    each: dict[str, str | list[int | str | list[int | str]]] = {}


class Phase(Part, frozen=True):
    """State that the whole table keeps between throws, as a separate machine: the puck, a run of Odds."""

    id: str
    name: str
    clause: Cited
    start: str
    rows: list[Row]
    shows: str | None = None


class Condition(Part, frozen=True, rename={"is_": "is", "not_": "not"}):
    """A condition for doing something, and the text of its refusal.

    `phase` names a phase of the table; without it, the wager's own state is tested. Patterns may use `*`.
    """

    clause: Cited
    code: str
    say: str
    phase: str | None = None
    is_: list[str] = []
    not_: list[str] = []


class PhaseIs(Part, frozen=True, rename={"is_": "is", "not_": "not"}):
    """A test of a phase of the table."""

    phase: str
    is_: list[str] = []
    not_: list[str] = []


class Sleep(Part, frozen=True):
    """The wager does not act in these phases, unless the player calls it On; `call_clause` lets players call."""

    when: PhaseIs
    clause: Cited
    call_clause: Cited


class Behind(Part, frozen=True):
    """The wager lies behind a flat one of the same player and is always limited by it (reading CR-10)."""

    flat: WagerId
    times: int
    of: Literal["stake", "winnings"]
    clause: Cited
    limit_clause: Cited


class Commission(Part, frozen=True):
    """A share of the stake, or of what the stake could win, paid when the wager is made."""

    rate: Share
    of: Literal["stake", "winnings"]
    clause: Cited


class Multiple(Part, frozen=True):
    """Stakes are multiples of this many smallest chips, regardless of the table's units."""

    chips: int
    clause: Cited


class FixedStake(Part, frozen=True):
    """One amount, set by an option of the table; the sign's minimum and maximum do not apply."""

    option: str
    default: str
    clause: Cited


class Sole(Part, frozen=True):
    """Only one player at a time may hold the wager, on one pick; the player who lost it last lets others go first."""

    clause: Cited
    declared_clause: Cited
    turn_clause: Cited


class Wager(Part, frozen=True):
    """One kind of wager, with its machine.

    A new wager begins in the state `start`, or, if `start_by` names a phase of the table, in that phase's state
    (`start_map` may translate it). `travels` is the state pattern of a wager that has moved to a number: its pick.
    """

    id: str
    name: str
    clause: Cited
    help: str
    rows: list[Row]
    picks: list[Pick] = []
    start: str = "standing"
    start_by: str | None = None
    start_map: dict[str, str] = {}
    place: list[Condition] = []
    take: list[Condition] = []
    taking: Cited | None = None
    travels: str | None = None
    sets: dict[str, list[int | str] | dict[str, list[int | str]]] = {}
    sleeps: Sleep | None = None
    behind: Behind | None = None
    commission: Commission | None = None
    multiple: Multiple | None = None
    fixed_stake: FixedStake | None = None
    sole: Sole | None = None
    stands_on_void: Cited | None = None
    optional: Cited | None = None
    adds_up: bool = True

    @property
    def has_one_amount(self) -> bool:
        """Whether it is made with one fixed amount, so that no minimum, maximum or unit of a sign applies."""
        return self.fixed_stake is not None

    @property
    def one_amount_clause(self) -> str:
        """The clause that fixes its amount; its own clause if none does."""
        return self.fixed_stake.clause if self.fixed_stake else self.clause

    @property
    def fewest_chips(self) -> int:
        """The smallest stake in chips; every stake is a multiple of it."""
        return self.multiple.chips if self.multiple else 1

    @property
    def units_clause(self) -> str | None:
        """The clause that requires stakes of several chips at a time."""
        return self.multiple.clause if self.multiple else None

    @property
    def takes_commission(self) -> bool:
        """Whether making it costs a commission."""
        return self.commission is not None

    @property
    def commission_clause(self) -> str | None:
        """The clause under which its commission is paid; None if it takes none."""
        return self.commission.clause if self.commission else None

    @property
    def stands_alone(self) -> bool:
        """Whether it is made by itself, not behind a flat wager."""
        return self.behind is None

    @property
    def flat(self) -> str | None:
        """The flat wager that it lies behind."""
        return self.behind.flat if self.behind else None

    @property
    def flat_clause(self) -> str | None:
        """The clause by which it lies behind its flat wager."""
        return self.behind.clause if self.behind else None

    @property
    def limit_clause(self) -> str | None:
        """The clause that limits it by its flat wager."""
        return self.behind.limit_clause if self.behind else None

    @property
    def can_be_called(self) -> bool:
        """Whether it can sleep, so that its player may call it On and Off."""
        return self.sleeps is not None

    @property
    def sleep_phase(self) -> str | None:
        """The phase of the table that decides whether it sleeps."""
        return self.sleeps.when.phase if self.sleeps else None

    @property
    def call_clause(self) -> str | None:
        """The clause by which its player calls it On or Off; None if it cannot be called."""
        return self.sleeps.call_clause if self.sleeps else None

    @property
    def has_one_holder(self) -> bool:
        """Whether one player at a time holds it, on one pick."""
        return self.sole is not None

    @property
    def pick_clause(self) -> str:
        """The clause under which its pick is declared."""
        return self.sole.declared_clause if self.sole else self.clause

    @property
    def turn_clause(self) -> str | None:
        """The clause under which a player who lost it lets others go first; None if anyone may hold it."""
        return self.sole.turn_clause if self.sole else None

    @property
    def can_move(self) -> bool:
        """Whether it is made without a pick and then moves to a number."""
        return self.travels is not None

    @property
    def growing_clause(self) -> str:
        """The clause under which it takes no more chips in play: that on adding to it, on making it, or its lock."""
        conditions = [*self.place, *self.take]
        return self.taking or (conditions[0].clause if conditions else self.clause)


class Choice(Part, frozen=True):
    """One free choice of the operator among approved odds; `key` is its path in the protocol's `pay_table`."""

    key: list[str]
    clause: Cited
    default: str
    options: dict[str, dict[str, str]]


class PayTable(Part, frozen=True):
    """Odds by line. `choices` holds what may vary. Under `sign_clause` a sign announces a change for a month.

    Odds are winnings `to` the stake, which is returned as well; odds `for` the stake include it (X-12).
    """

    clause: Cited
    reckoned: Literal["to", "for"] = "to"
    change_clause: Cited | None = None
    sign_clause: Cited | None = None
    lines: dict[str, str] = {}
    choices: list[Choice] = []


class ClosingOfBets(Part, frozen=True):
    """How a book closes betting by a call: the call, what happens without it, when betting reopens."""

    clause: Cited
    without: Literal["void", "refused"]
    without_clause: Cited
    say: str
    reopens_clause: Cited
    reopens: PhaseIs | None = None


class Invalidation(Part, frozen=True):
    """Grounds on which a supervisor invalidates an outcome, and the clause under which wagers are refunded (X-5).

    `restarts` lists the phases that restart once every wager has been returned (X-20). `forfeits` is the ground on
    which the wagers of certain players may be forfeited instead.
    """

    grounds: list[Cited]
    clause: Cited
    forfeits: str | None = None
    restarts: list[str] = []


class VoidThrows(Part, frozen=True):
    """The clauses for void throws, and their effect on wagers."""

    wagers: Literal["stand", "returned"]
    clause: Cited
    grounds: list[Cited]
    invalidated: Invalidation | None = None


class Passing(Part, frozen=True):
    """The outcome on which the thrower must pass the dice."""

    on: str
    clause: Cited
    phase: PhaseIs | None = None


class Thrower(Part, frozen=True):
    """Who throws: the book's title, the wagers that qualify (any, if none is named), and who throws otherwise."""

    title: str
    house: str
    clause: Cited
    house_clause: Cited
    wagers: list[WagerId] = []
    passes: Passing | None = None
    void_limit: int | None = None
    void_clause: Cited | None = None
    later_void_clause: Cited | None = None
    keeps_clause: Cited | None = None


class Limits(Part, frozen=True):
    """The clauses behind the sign at the table. One that the document leaves to another text is absent."""

    wagers: Cited | None = None
    minimum: Cited | None = None
    maximum: Cited | None = None
    player_sign: Cited | None = None
    unit: Cited | None = None
    below_found: Cited | None = None
    above_found: Cited | None = None
    found: Cited | None = None
    chips: Cited | None = None
    taking: Cited | None = None
    rounding: Cited | None = None


class Card(Part, frozen=True):
    """The date from which a player needs a valid personal card to bet."""

    clause: Cited
    since: date


class Call(Part, frozen=True):
    """Words called aloud, and when. `also` maps alternative words to the reasons for which they are called."""

    moment: str
    words: str
    by: str
    clause: Cited
    also: dict[str, list[str]] = {}


class Light(Part, frozen=True):
    """A set of lights for a named result: as many as the clause requires."""

    result: str
    of: int
    clause: Cited


class Clause(Part, frozen=True, rename={"class_": "class"}):
    """A clause in our own words, and how the software handles it."""

    class_: Literal["enforced", "shown", "recorded", "physical"]
    summary: str
    reason: str | None = None
    moment: str | None = None
    readings: list[str] = []
    code: list[str] = []


class Rival(Part, frozen=True):
    """Another way to read the same text, and its effect on the house edge."""

    name: str
    reading: str
    edge: str | None = None


class Reading(Part, frozen=True):
    """How a doubtful text is read."""

    id: str
    tags: list[Literal["MONEY", "STATE", "TEXT"]]
    clauses: list[str]
    question: str
    taken: str
    reason: str
    edge: str | None = None
    rivals: list[Rival] = []


class Results(Part, frozen=True):
    """The value of a decided wager per unit: a win is `odds` times its odds plus `win`; else `lose` or `void`.

    `part` is the value of a part of the stake that is lost while another wins; by default the same as `lose`.
    `commission` is the share of the commission that is paid. `ends`: the wager ends now instead of waiting for its
    decision.
    """

    odds: str = "1"
    win: str = "0"
    lose: str = "-1"
    void: str = "0"
    part: str | None = None
    commission: str = "1"
    ends: Literal["lose", "void"] | None = None


class VoidShare(Part, frozen=True):
    """The share of throws that are void; in the states named, the player then leaves with the stake."""

    share: Share
    leaves: list[str] = []


class PartWager(Part, frozen=True):
    """A share of the stake that is decided separately, by the rows of another wager at the odds of this one."""

    wager: str
    share: Share
    pick: Pick | None = None


class Study(Part, frozen=True):
    """A rival reading that no machine plays, specified so that its cost can be computed beside the reading taken.

    `situation` says when it matters; without one it is a way to read the wager itself. `starts` names states that
    new money joins. `chips` is a stake in smallest chips, paid with rounding; `rounded` how commission is then
    rounded. `limited`: only wagers to which the sign's limits apply.
    """

    reading: str
    situation: str | None = None
    wagers: list[str] = []
    over: list[str] = []
    starts: list[str] = []
    chips: int | None = None
    rounded: Literal["cent", "up", "down"] = "cent"
    limited: bool = False
    once: bool = False
    rival: Results = Results()
    taken: Results = Results()
    voids: VoidShare | None = None
    parts: list[PartWager] = []

    def concerns(self, wager: Wager) -> bool:
        """Whether the study applies to a wager."""
        if self.limited and wager.has_one_amount:
            return False
        return not self.wagers or any(fnmatchcase(wager.id, pattern) for pattern in self.wagers)


class Rules(Part, frozen=True):
    """The part of a book that a table needs: everything but the clauses, the register and the felt."""

    book: Identity
    throw: ThrowRules
    pay_table: PayTable
    wagers: list[Wager]
    void: VoidThrows
    limits: Limits = Limits()
    sets: dict[str, list[int | str]] = {}
    phases: list[Phase] = []
    betting: ClosingOfBets | None = None
    thrower: Thrower | None = None
    card: Card | None = None
    calls: list[Call] = []
    lights: list[Light] = []
