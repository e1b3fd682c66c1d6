"""Promotional prizes as a book writes them: what terms must say, what no prize may be, who is told, by when.

What the books have in common is written once, in `common-prizes.toml`. A book names the kinds, terms and things that it
knows, with its clause for each, and says all that is a figure, a name or a choice.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from croupier.money import parse_cents
from croupier.rules.schema import Part

ValueKind = Literal["text", "time", "money", "count", "yes or no"]

# Terms that the engine itself goes by, and what each of them has to be.
GOES_BY: dict[str, tuple[Literal["promotion", "prize"], ValueKind]] = {
    "starts": ("promotion", "time"),
    "entries_close": ("promotion", "time"),
    "awarded_at": ("promotion", "time"),
    "presence_required": ("promotion", "yes or no"),
    "value": ("prize", "money"),
    "alternative": ("prize", "money"),
}


class Kind(Part, frozen=True):
    """A kind of prize; `monetary` is money itself, which is paid and not handed over."""

    id: str
    name: str
    clause: str
    monetary: bool = False


class Term(Part, frozen=True):
    """A point of the terms: of the promotion, of every prize, or of prizes of some kinds.

    With `when`, it is asked for only where that other term is a yes; one that is `optional` may be left out.
    """

    id: str
    name: str
    clause: str
    of: Literal["promotion", "prize"] = "promotion"
    kinds: list[str] = []
    value: ValueKind = "text"
    when: str | None = None
    optional: bool = False


class Prohibited(Part, frozen=True):
    """Things that no prize may be or contain; with `above_litres`, only more than so much of them."""

    id: str
    things: list[str]
    clause: str
    above_litres: int | None = None


class Scrutineer(Part, frozen=True):
    """A draw of any single prize worth more than this is overseen by a scrutineer."""

    above: str
    clause: str

    @property
    def above_cents(self) -> int:
        """The threshold in cents."""
        return parse_cents(self.above)


class Alternative(Part, frozen=True, rename={"except_": "except"}):
    """Money in place of a prize that is not money; `stated`: only where the terms say so."""

    called: str
    clause: str
    stated: bool
    except_: list[str] = []


class Form(Part, frozen=True):
    """A way to pay a prize of money."""

    id: str
    name: str


class Payment(Part, frozen=True):
    """How money is paid: by any of the forms, or several. Above `winner_chooses_above` the winner says which."""

    clause: str
    forms: list[Form]
    winner_chooses_above: str | None = None

    @property
    def choice_above_cents(self) -> int | None:
        """The threshold in cents, where there is one."""
        return None if self.winner_chooses_above is None else parse_cents(self.winner_chooses_above)


class Filing(Part, frozen=True, rename={"with_": "with"}):
    """Who has the terms before a promotion starts, and how long before."""

    with_: str
    hours_before: int
    clause: str


class Amending(Part, frozen=True):
    """What it takes to change the terms after the start: the regulator's approval first, or sending them again."""

    after_start: Literal["approval", "resubmit"]
    clause: str


class Availability(Part, frozen=True):
    """Patrons can get the terms, and the marketing refers to them."""

    clause: str


class Way(Part, frozen=True):
    """A way to tell a winner."""

    id: str
    clause: str


class Winners(Part, frozen=True):
    """By when, and in which ways, a winner who need not attend the draw is told."""

    within_days: int
    clause: str
    ways: list[Way]


class Refusals(Part, frozen=True):
    """Reasons are given for a refusal; of denied claims for prizes worth more than this the details are kept."""

    clause: str
    keep_above: str
    keep_clause: str

    @property
    def keep_above_cents(self) -> int:
        """The threshold in cents."""
        return parse_cents(self.keep_above)


class Disputes(Part, frozen=True):
    """The operator decides disputes finally; whoever is dissatisfied hears the advice."""

    clause: str
    advice: str


class Integrity(Part, frozen=True):
    """Who is told of a promotion or draw that was put off or cancelled, and within how many hours; 0 is at once."""

    tell: str
    within_hours: int
    clause: str


class Prizes(Part, frozen=True, dict=True):
    """All that a book says of promotional prizes."""

    clause: str
    kinds: list[Kind]
    terms_clause: str
    terms: list[Term]
    prohibited_clause: str
    prohibited_under: str
    prohibited: list[Prohibited]
    scrutineer: Scrutineer
    alternative: Alternative
    payment: Payment
    filing: Filing
    amending: Amending
    availability: Availability
    winners: Winners
    refusals: Refusals
    disputes: Disputes
    integrity: Integrity

    @cached_property
    def kinds_by_id(self) -> dict[str, Kind]:
        """The kinds of prizes by their ids."""
        return {kind.id: kind for kind in self.kinds}

    @cached_property
    def terms_by_id(self) -> dict[str, Term]:
        """The points of the terms by their ids."""
        return {term.id: term for term in self.terms}

    def clause_of(self, term_id: str) -> str:
        """The clause of a point of the terms; of one that the book does not have, that of all of them."""
        term = self.terms_by_id.get(term_id)
        return self.terms_clause if term is None else term.clause

    @cached_property
    def things(self) -> list[str]:
        """What a draft may declare a prize to contain; what is measured in litres is declared by its amount."""
        return [thing for row in self.prohibited if row.above_litres is None for thing in row.things]
