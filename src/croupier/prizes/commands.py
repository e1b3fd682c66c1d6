"""Commands for a promotion, in the imperative. Amounts are cents; the time is passed beside the command."""

from __future__ import annotations

import msgspec

from croupier.prizes.terms import Entry, Part, Terms


class Command(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The base of all commands. `by` is the person giving it."""

    by: str | None = None


class DraftTerms(Command, frozen=True, kw_only=True):
    """Write terms, or rewrite them, before they are filed."""

    terms: Terms


class FileTerms(Command, frozen=True, kw_only=True):
    """Send the terms to the regulator; after an amendment, send them again."""


class AmendTerms(Command, frozen=True, kw_only=True):
    """Change filed terms."""

    terms: Terms


class RecordApproval(Command, frozen=True, kw_only=True):
    """Record the regulator's approval of the proposed amendment."""

    reference: str


class PublishTerms(Command, frozen=True, kw_only=True):
    """Record how patrons can get the terms, and whether the marketing refers to them."""

    means: str
    in_marketing: bool


class StartPromotion(Command, frozen=True, kw_only=True):
    """Start the promotion: entries are taken from now on."""


class TakeEntries(Command, frozen=True, kw_only=True):
    """Take entries by hand, each with its weight, and say why."""

    entries: tuple[Entry, ...]
    reason: str = ""


class CloseEntries(Command, frozen=True, kw_only=True):
    """Close the entries, after adding those that play has earned."""

    entries: tuple[Entry, ...] = ()


class NameScrutineer(Command, frozen=True, kw_only=True):
    """Name the person who oversees the draw."""

    name: str


class NoteScrutineer(Command, frozen=True, kw_only=True):
    """Record that the scrutineer is present to oversee the next draw."""


class DrawPrizes(Command, frozen=True, kw_only=True):
    """Record the outcome of a draw: pairs of prize and entry. `record` says where it can be verified.

    `nobody` lists the prizes for which no entry was left.
    """

    winners: tuple[tuple[str, str], ...]
    record: str
    nobody: tuple[str, ...] = ()


class Postpone(Command, frozen=True, kw_only=True):
    """Postpone the promotion or draw because its integrity is in doubt."""

    reason: str


class Validate(Command, frozen=True, kw_only=True):
    """Validate the integrity of what was postponed: it goes on."""

    finding: str


class CancelDraw(Command, frozen=True, kw_only=True):
    """Cancel the draw because its integrity was compromised."""

    reason: str


class TellInspector(Command, frozen=True, kw_only=True):
    """Record that the inspector was notified of everything postponed or cancelled so far."""


class TellWinner(Command, frozen=True, kw_only=True):
    """Record an attempt to notify a winner, and whether it reached them."""

    award: int
    way: str
    reached: bool


class MakeClaim(Command, frozen=True, kw_only=True):
    """Record a claim to an award, with name and address if known.

    Events do not contain those: they are stored elsewhere, under this `seal`.
    """

    claim: str
    award: int
    claimant: str
    name: str = ""
    address: str = ""
    seal: str = ""


class OfferAlternative(Command, frozen=True, kw_only=True):
    """Offer the winner money instead of the prize."""

    award: int


class ChooseAlternative(Command, frozen=True, kw_only=True):
    """Take the money instead of the prize, for the winner, with a reason."""

    award: int
    reason: str = ""


class UndoAlternative(Command, frozen=True, kw_only=True):
    """Take the prize after all, for the winner, with a reason."""

    award: int
    reason: str = ""


class ChooseForms(Command, frozen=True, kw_only=True):
    """Choose the winner's form or forms of payment."""

    award: int
    forms: tuple[str, ...]


class PayPrize(Command, frozen=True, kw_only=True):
    """Pay a prize of money, or the alternative, in one form or several."""

    award: int
    parts: tuple[Part, ...]


class HandOver(Command, frozen=True, kw_only=True):
    """Hand over a prize that is not money."""

    award: int


class LapseAward(Command, frozen=True, kw_only=True):
    """Record that an award was not claimed as the terms require, or that the winner `declined` it."""

    award: int
    reason: str
    declined: bool = False


class DenyClaim(Command, frozen=True, kw_only=True):
    """Refuse a claim, with the reason; name and address if they are not on record yet."""

    claim: str
    reason: str
    name: str = ""
    address: str = ""
    seal: str = ""


class TellReason(Command, frozen=True, kw_only=True):
    """Record that the claimant was told why the claim was refused."""

    claim: str


class RaiseDispute(Command, frozen=True, kw_only=True):
    """Record a dispute about the terms."""

    dispute: str
    patron: str
    about: str


class DecideDispute(Command, frozen=True, kw_only=True):
    """Record the operator's decision. `restores` is an award that it gives back to the patron."""

    dispute: str
    decision: str
    restores: int | None = None


class NoteDissatisfied(Command, frozen=True, kw_only=True):
    """Record that the patron is not satisfied with the decision."""

    dispute: str


class AdviseOfRight(Command, frozen=True, kw_only=True):
    """Advise the patron of the right to complain to an inspector."""

    dispute: str


class ClosePromotion(Command, frozen=True, kw_only=True):
    """Close a promotion that is over, or was never started.

    `reason` is why a prize that was refused, or not claimed, is not drawn again.
    """

    reason: str = ""


AnyCommand = (
    DraftTerms
    | FileTerms
    | AmendTerms
    | RecordApproval
    | PublishTerms
    | StartPromotion
    | TakeEntries
    | CloseEntries
    | NameScrutineer
    | NoteScrutineer
    | DrawPrizes
    | Postpone
    | Validate
    | CancelDraw
    | TellInspector
    | TellWinner
    | MakeClaim
    | OfferAlternative
    | ChooseAlternative
    | UndoAlternative
    | ChooseForms
    | PayPrize
    | HandOver
    | LapseAward
    | DenyClaim
    | TellReason
    | RaiseDispute
    | DecideDispute
    | NoteDissatisfied
    | AdviseOfRight
    | ClosePromotion
)
