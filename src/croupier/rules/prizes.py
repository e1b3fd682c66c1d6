"""Promotional prizes as a book writes them: required terms, prohibited prizes, notices and deadlines.

What the books have in common is written once, in `common-prizes.toml`. A book lists the kinds, terms and things that
it covers, with a clause for each, and supplies every figure, name and choice.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from croupier.money import parse_cents
from croupier.rules.schema import Cited, Part

ValueKind = Literal["text", "time", "money", "count", "yes or no"]

# Terms that the engine itself relies on, and the scope and type each must have.
GOES_BY: dict[str, tuple[Literal["promotion", "prize"], ValueKind]] = {
    "starts": ("promotion", "time"),
    "entries_close": ("promotion", "time"),
    "awarded_at": ("promotion", "time"),
    "presence_required": ("promotion", "yes or no"),
    "value": ("prize", "money"),
    "alternative": ("prize", "money"),
}


class PrizeKind(Part, frozen=True):
    """A kind of prize. A `monetary` one is money itself, which is paid rather than handed over."""

    id: str
    name: str
    clause: Cited
    monetary: bool = False


class Term(Part, frozen=True):
    """A point of the terms: of the promotion, of every prize, or of prizes of some kinds.

    With `when`, it is required only if that other term is a yes; an `optional` one may be left out.
    """

    id: str
    name: str
    clause: Cited
    of: Literal["promotion", "prize"] = "promotion"
    kinds: list[str] = []
    value: ValueKind = "text"
    when: str | None = None
    optional: bool = False


class Prohibited(Part, frozen=True):
    """Things that no prize may be or contain; with `above_litres`, only above that volume."""

    id: str
    things: list[str]
    clause: Cited
    above_litres: int | None = None


class Scrutineer(Part, frozen=True):
    """The value of a single prize above which a scrutineer oversees the draw."""

    above: str
    clause: Cited

    @property
    def above_cents(self) -> int:
        """The threshold in cents."""
        return parse_cents(self.above)


class Alternative(Part, frozen=True, rename={"except_": "except"}):
    """Money in place of a non-monetary prize; `stated`: only where the terms say so."""

    called: str
    clause: Cited
    stated: bool
    except_: list[str] = []


class Form(Part, frozen=True):
    """A way to pay a prize of money."""

    id: str
    name: str


class Payment(Part, frozen=True):
    """How money is paid: in one or more of the forms. Above `winner_chooses_above` the winner chooses."""

    clause: Cited
    forms: list[Form]
    winner_chooses_above: str | None = None

    @property
    def choice_above_cents(self) -> int | None:
        """The threshold in cents; None if there is none."""
        return None if self.winner_chooses_above is None else parse_cents(self.winner_chooses_above)


class Filing(Part, frozen=True, rename={"with_": "with"}):
    """Who must receive the terms before a promotion starts, and how long before."""

    with_: str
    hours_before: int
    clause: Cited


class Amending(Part, frozen=True):
    """What changing the terms after the start requires: the regulator's prior approval, or sending them again."""

    after_start: Literal["approval", "resubmit"]
    clause: Cited


class Availability(Part, frozen=True):
    """The clause by which patrons can get the terms and the marketing refers to them."""

    clause: Cited


class NotifyWay(Part, frozen=True):
    """A way to notify a winner."""

    id: str
    clause: Cited


class Winners(Part, frozen=True):
    """The deadline and the ways to notify a winner who need not attend the draw."""

    within_days: int
    clause: Cited
    ways: list[NotifyWay]


class Refusals(Part, frozen=True):
    """The rule that a refusal gives reasons, and the prize value above which details of a denied claim are kept."""

    clause: Cited
    keep_above: str
    keep_clause: Cited

    @property
    def keep_above_cents(self) -> int:
        """The threshold in cents."""
        return parse_cents(self.keep_above)


class Disputes(Part, frozen=True):
    """The rule that the operator's decision in a dispute is final, and the advice for a dissatisfied patron."""

    clause: Cited
    advice: str


class Integrity(Part, frozen=True):
    """Who is notified of a postponed or cancelled promotion or draw, and within how many hours; 0 is at once."""

    tell: str
    within_hours: int
    clause: Cited


class Prizes(Part, frozen=True, dict=True):
    """Everything a book says about promotional prizes."""

    clause: Cited
    kinds: list[PrizeKind]
    terms_clause: Cited
    terms: list[Term]
    prohibited_clause: Cited
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
    def kinds_by_id(self) -> dict[str, PrizeKind]:
        """The kinds of prizes by id."""
        return {kind.id: kind for kind in self.kinds}

    @cached_property
    def terms_by_id(self) -> dict[str, Term]:
        """The points of the terms by id."""
        return {term.id: term for term in self.terms}

    def clause_of(self, term_id: str) -> str:
        """Return the clause of a point of the terms; for an unknown point, the clause of the terms as a whole."""
        term = self.terms_by_id.get(term_id)
        return self.terms_clause if term is None else term.clause

    @cached_property
    def things(self) -> list[str]:
        """What a draft may declare a prize to contain. Things limited by volume are declared by their amount."""
        return [thing for row in self.prohibited if row.above_litres is None for thing in row.things]
