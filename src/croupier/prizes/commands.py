"""What people ask of a promotion, in the imperative. Amounts are cents; the time is given beside the command."""

from __future__ import annotations

import msgspec

from croupier.prizes.terms import Entry, Part, Terms


class Command(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The base of all commands. `by` is who gives it."""

    by: str | None = None


class DraftTerms(Command, frozen=True, kw_only=True):
    """Write down terms, or write them anew, before they are filed."""

    terms: Terms


class FileTerms(Command, frozen=True, kw_only=True):
    """Send the terms to the regulator; after an amendment, send them again."""


class AmendTerms(Command, frozen=True, kw_only=True):
    """Change terms that were filed."""

    terms: Terms


class RecordApproval(Command, frozen=True, kw_only=True):
    """Record that the regulator approved the amendment that waits for it."""

    reference: str


class PublishTerms(Command, frozen=True, kw_only=True):
    """Record by which means patrons can get the terms, and whether the marketing refers to them."""

    means: str
    in_marketing: bool


class StartPromotion(Command, frozen=True, kw_only=True):
    """Start: from now on entries are taken."""


class TakeEntries(Command, frozen=True, kw_only=True):
    """Take entries by hand, each with its weight, and say why."""

    entries: tuple[Entry, ...]
    reason: str = ""


class CloseEntries(Command, frozen=True, kw_only=True):
    """Take no more entries, after those that play has earned."""

    entries: tuple[Entry, ...] = ()


class NameScrutineer(Command, frozen=True, kw_only=True):
    """Name who oversees the draw."""

    name: str


class NoteScrutineer(Command, frozen=True, kw_only=True):
    """Note that the scrutineer is there to oversee the next draw."""


class DrawPrizes(Command, frozen=True, kw_only=True):
    """Put an outcome that was drawn on the record: pairs of prize and entry. `record` says where it can be checked.

    `nobody` are prizes that no entry was left for.
    """

    winners: tuple[tuple[str, str], ...]
    record: str
    nobody: tuple[str, ...] = ()


class Postpone(Command, frozen=True, kw_only=True):
    """Put the promotion or draw off because its integrity is in doubt."""

    reason: str


class Validate(Command, frozen=True, kw_only=True):
    """Find its integrity validated: what was put off goes on."""

    finding: str


class CancelDraw(Command, frozen=True, kw_only=True):
    """Cancel the draw because its integrity was compromised."""

    reason: str


class TellInspector(Command, frozen=True, kw_only=True):
    """Record that the inspector was told of all that was put off or cancelled so far."""


class TellWinner(Command, frozen=True, kw_only=True):
    """Record an attempt to tell a winner, and whether it reached them."""

    award: int
    way: str
    reached: bool


class MakeClaim(Command, frozen=True, kw_only=True):
    """Record a claim to an award, by whoever makes it; name and address where they are known.

    Those are in no event: they are kept elsewhere, under this `seal`.
    """

    claim: str
    award: int
    claimant: str
    name: str = ""
    address: str = ""
    seal: str = ""


class OfferAlternative(Command, frozen=True, kw_only=True):
    """Give the winner the option to be paid instead of the prize."""

    award: int


class ChooseAlternative(Command, frozen=True, kw_only=True):
    """The winner takes the money instead of the prize, and says why."""

    award: int
    reason: str = ""


class UndoAlternative(Command, frozen=True, kw_only=True):
    """The winner wants the prize after all, and says why."""

    award: int
    reason: str = ""


class ChooseForms(Command, frozen=True, kw_only=True):
    """The winner says in which form, or forms, to be paid."""

    award: int
    forms: tuple[str, ...]


class PayPrize(Command, frozen=True, kw_only=True):
    """Pay a prize of money, or the alternative, in one form or several."""

    award: int
    parts: tuple[Part, ...]


class HandOver(Command, frozen=True, kw_only=True):
    """Hand a prize that is not money over."""

    award: int


class LapseAward(Command, frozen=True, kw_only=True):
    """Record that nobody claimed an award as the terms ask, or that the winner `declined` it."""

    award: int
    reason: str
    declined: bool = False


class DenyClaim(Command, frozen=True, kw_only=True):
    """Refuse a claim, with the reason; name and address where they are not on record yet."""

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
    """The operator's decision. `restores` is an award that it gives back to who disputes."""

    dispute: str
    decision: str
    restores: int | None = None


class NoteDissatisfied(Command, frozen=True, kw_only=True):
    """Note that somebody is not satisfied with the decision."""

    dispute: str


class AdviseOfRight(Command, frozen=True, kw_only=True):
    """Tell them of the right to complain to an inspector."""

    dispute: str


class ClosePromotion(Command, frozen=True, kw_only=True):
    """Close a promotion that is over, or was never started.

    `reason` is why a prize that was refused, or nobody claimed, is not drawn again.
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
