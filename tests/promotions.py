"""What several tests need of a promotion: complete terms for every kind of prize, and promotions brought to a stage."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec

from croupier.prizes import commands, events
from croupier.prizes.decide import decide
from croupier.prizes.duties import Duty, duties
from croupier.prizes.evolve import evolve_all
from croupier.prizes.state import Promotion
from croupier.prizes.terms import Entry, Part, Prize, Terms, Value
from croupier.rules.prizes import Prizes, Term
from croupier.table.refusals import Refusal
from tests.tables import SHELF

CRAPS, SIC_BO, SNAKES = "craps-nsw-2024", "sic-bo-nsw-2016", "snake-eyes-nsw-2019"
OLDER = [SIC_BO, SNAKES]
PRIZE_BOOKS = [CRAPS, *OLDER]

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
CLOSE = START + timedelta(days=7)
AWARD = CLOSE + timedelta(hours=2)
HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)

TIMES = {"starts": START, "entries_close": CLOSE, "awarded_at": AWARD}


def prizes_of(book_id: str) -> Prizes:
    """What a book says of prizes."""
    prizes = SHELF.book(book_id).prizes
    assert prizes is not None
    return prizes


def a_value(term: Term) -> Value:
    """A valid value for a term."""
    if term.id in TIMES:
        return TIMES[term.id].isoformat()
    values: dict[str, Value] = {"text": f"Here it says {term.name}.", "money": 50_000, "count": 2, "yes or no": False}
    return values[term.value]


def a_prize(rules: Prizes, kind: str = "money", value: int = 50_000, name: str = "first", count: int = 1) -> Prize:
    """A prize of a kind with every point that the book asks for, and no others."""
    due = [t for t in rules.terms if t.of == "prize" and not t.optional and t.when is None]
    said = {term.id: a_value(term) for term in due if not term.kinds or kind in term.kinds}
    return Prize(name, kind, {**said, "value": value}, count)


def terms_of(rules: Prizes, *prizes: Prize, **said: Value) -> Terms:
    """Complete terms; a prize of $500 in money where none is given."""
    due = [t for t in rules.terms if t.of == "promotion" and not t.optional and t.when is None]
    return Terms({**{term.id: a_value(term) for term in due}, **said}, prizes or (a_prize(rules),))


class Course:
    """A promotion and its clock: a request is carried out, or refused with a code and a clause."""

    def __init__(self, book_id: str) -> None:
        self.rules = prizes_of(book_id)
        self.promotion = Promotion()
        self.history: list[events.AnyEvent] = []
        self.at = START - timedelta(days=3)

    def do(self, command: commands.AnyCommand, at: datetime | None = None) -> tuple[events.AnyEvent, ...]:
        """Carry out a request; a refusal fails the test."""
        self.at = at or self.at
        decision = decide(self.rules, self.promotion, command, self.at)
        assert not isinstance(decision, Refusal), decision
        self.promotion = evolve_all(self.promotion, decision)
        self.history.extend(decision)
        return decision

    def refused(self, command: commands.AnyCommand, at: datetime | None = None) -> tuple[str, str | None]:
        """The code and clause with which a request is refused; if it is not refused, the test fails."""
        decision = decide(self.rules, self.promotion, command, at or self.at)
        assert isinstance(decision, Refusal), decision
        assert decision.message.endswith(".")
        return decision.code, decision.clause

    def duty(self, name: str, at: datetime | None = None) -> Duty:
        """One duty, by its id."""
        return {duty.id: duty for duty in duties(self.rules, self.promotion, at or self.at)}[name]

    def file(self, *prizes: Prize, **said: Value) -> Course:
        """Drafted and filed, and the terms are available."""
        self.do(commands.DraftTerms(terms=terms_of(self.rules, *prizes, **said), by="mia"))
        self.do(commands.FileTerms(by="mia"))
        self.do(commands.PublishTerms(means="a secure website", in_marketing=True, by="mia"))
        return self

    def start(self, *prizes: Prize, **said: Value) -> Course:
        """Running, with three entries."""
        self.file(*prizes, **said)
        self.do(commands.StartPromotion(by="mia"), START)
        self.do(
            commands.TakeEntries(
                entries=(Entry("e1", "ann"), Entry("e2", "ben", 3), Entry("e3", "cy")), reason="a coupon"
            )
        )
        return self

    def close(self, *prizes: Prize, **said: Value) -> Course:
        """Entries are closed, and the time of the award has come."""
        self.start(*prizes, **said)
        self.do(commands.CloseEntries(), CLOSE)
        self.at = AWARD
        return self

    def draw(self, *prizes: Prize, **said: Value) -> Course:
        """Every prize is drawn, all for ann, under a scrutineer where one is required."""
        self.close(*prizes, **said)
        if any(prize.value > self.rules.scrutineer.above_cents for prize in self.promotion.terms.prizes):
            self.do(commands.NameScrutineer(name="Sue Scrutiny", by="mia"))
            self.do(commands.NoteScrutineer(by="mia"))
        won = tuple((prize.id, "e1") for prize in self.promotion.terms.prizes for _ in range(prize.count))
        self.do(commands.DrawPrizes(winners=won, record="draw 1", by="mia"))
        return self

    def claim(self, *prizes: Prize, **said: Value) -> Course:
        """The prize is drawn, and the winner has claimed the first award."""
        self.draw(*prizes, **said)
        self.do(commands.MakeClaim(claim="c1", award=1, claimant="ann", name="Ann Able", address="1 A St", by="mia"))
        return self


def paid(form: str, cents: int) -> tuple[Part, ...]:
    """A payment in one form."""
    return (Part(form, cents),)


def changed(prize: Prize, **changes: object) -> Prize:
    """The same prize with some values changed."""
    return msgspec.structs.replace(prize, **changes)
