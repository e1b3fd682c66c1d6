"""Simulated promotions: filed the day before the run, operated by a promoter, drawn, and checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from croupier.contract.replies import OrderReply
from croupier.fault_simulation.faults import START
from croupier.fault_simulation.node import Node
from croupier.fault_simulation.simulated_people import DONE, NOT_YET, TRIES, Person, World
from croupier.house import orders
from croupier.house.duties import duties_of_promotion
from croupier.house.events import PlayCounted
from croupier.house.house import House
from croupier.house.names import PROMOTIONS, name_of, promotion_stream, table_stream
from croupier.house.orders import Order
from croupier.house.promotion_state import PromotionState, rules_of
from croupier.house.reporting.tickets import Counting, Plays
from croupier.house.stored_events import Entry
from croupier.prizes.decide import may_be_asked
from croupier.prizes.draw_verification import verify_draw
from croupier.prizes.events import EntriesTaken
from croupier.prizes.reading import WORDS, fields_of, terms_as_line
from croupier.prizes.terms import Earning, Prize, Terms, Value
from croupier.rules.prizes import Prizes, Term
from croupier.rules.shelf import Shelf
from croupier.store.records import Record

FILED = START - timedelta(hours=30)
CLOSES = START + timedelta(minutes=20)
AWARDED = CLOSES + timedelta(minutes=5)
MOST_NEW = 2
SELDOM = ("cancel_draw", "close_promotion", "lapse_award")  # acts that would end a promotion too early
WHO = orders.Personal("Somebody", "Somewhere")


def whole_terms(rules: Prizes, starts: datetime = START) -> Terms:
    """Return complete terms for the book, with a money prize and prizes of another kind."""
    times = {"starts": starts, "entries_close": starts + (CLOSES - START), "awarded_at": starts + (AWARDED - START)}

    def value(term: Term) -> Value:
        if term.id in times:
            return times[term.id].isoformat()
        values: dict[str, Value] = {"money": 500_00, "count": 2, "yes or no": False}
        return values.get(term.value, term.name)

    def said(of: str, kind: str = "") -> dict[str, Value]:
        due = (term for term in rules.terms if term.of == of and not term.optional and term.when is None)
        return {term.id: value(term) for term in due if not term.kinds or kind in term.kinds}

    prizes = (Prize("first", "money", said("prize", "money")), Prize("second", "other", said("prize", "other"), 2))
    return Terms(said("promotion"), prizes, Earning(20_00))


def filing(rules: Prizes, promotion: str, book: str) -> Iterator[Order]:
    """Yield the orders that bring a promotion to its start day."""
    yield orders.OpenPromotion(promotion=promotion, book=book, title=promotion)
    terms = terms_as_line(rules, whole_terms(rules))
    for line in (
        {"do": "draft_terms", "terms": terms},
        {"do": "file_terms"},
        {"do": "publish_terms", "means": "a brochure", "in_marketing": True},
    ):
        yield orders.Promote(promotion=promotion, line=line)


class Promoter(Person):
    """Operates promotions as their stage allows, opens others, and answers for overdue duties."""

    def __init__(self, name: str, world: World, promotions: Mapping[str, str], players: Sequence[str]) -> None:
        super().__init__(name, world)
        self._promotions = list(promotions)
        self._books = list(promotions.values())
        self._players = players
        self._entries = 0

    def begin(self) -> None:
        """Start every promotion that can be started."""
        for promotion in self._promotions:
            order = orders.Promote(promotion=promotion, line={"do": "start_promotion"})
            self.ask(order, lambda told: None)
        self._go_on(DONE)

    def _go_on(self, told: OrderReply) -> None:
        self._agenda.after(self._random.uniform(5, 40), self._next)

    def _next(self) -> None:
        promotion, chance = self._random.choice(self._promotions), self._random.random()
        if chance < 0.02 and len(self._promotions) < len(self._books) + MOST_NEW:
            name = f"more-{len(self._promotions)}"
            self._promotions.append(name)
            self.ask(
                orders.OpenPromotion(promotion=name, book=self._random.choice(self._books), title=name), self._go_on
            )
            return
        node = self._random.choice(self._nodes)
        stream = promotion_stream(promotion)
        if not (node.is_up and node.house.has(stream) and node.house.promotion(promotion).is_opened):
            self._go_on(NOT_YET)
            return
        order = self._answer(node, promotion) if chance < 0.1 else None
        self.ask(order or self._sensible(node, promotion), self._go_on)

    def _answer(self, node: Node, promotion: str) -> Order | None:
        duties = duties_of_promotion(node.house.shelf, node.house.promotion(promotion), node.clock)
        waiting = [duty.id for duty in duties if duty.waits]
        if not waiting:
            return None
        return orders.AnswerPromotionDuty(promotion=promotion, duty=self._random.choice(waiting), note="Seen to.")

    def _sensible(self, node: Node, promotion: str) -> orders.Promote:
        """Return the first idea that would be accepted; failing that, the last one."""
        state = node.house.promotion(promotion)
        for _ in range(TRIES):
            order = self._thought(node, state)
            if order.line["do"] == "draw_prizes" or self.would_succeed(node, order):
                break
        return order

    def _thought(self, node: Node, state: PromotionState) -> orders.Promote:
        asked = [kind for kind in may_be_asked(state.promotion) if kind in WORDS]
        kind = self._random.choice(asked)
        while WORDS[kind] in SELDOM and self._random.random() < 0.9:
            kind = self._random.choice(asked)
        do = WORDS[kind]
        line: dict[str, Any] = {name: self._said(node, state, name) for name in fields_of(kind)}
        for own, name in (("make_claim", "claim"), ("raise_dispute", "dispute")):
            if do == own:
                del line[name]  # the house numbers it
        personal = WHO if do == "deny_claim" else None
        return orders.Promote(promotion=state.name, line={"do": do, **line}, personal=personal)

    def _said(self, node: Node, state: PromotionState, name: str) -> object:
        promotion, random = state.promotion, self._random
        rules = rules_of(node.house.shelf, state)
        award = random.choice(promotion.awards) if promotion.awards else None
        form = random.choice(rules.payment.forms).id
        said: dict[str, Callable[[], object]] = {
            "terms": lambda: terms_as_line(rules, self._amended(rules, promotion.terms)),
            "entries": self._hand_made,
            "award": lambda: 1 if award is None else award.number,
            "claimant": lambda: self._players[0] if award is None else award.entrant,
            "patron": lambda: random.choice(self._players),
            "way": lambda: random.choice(rules.winners.ways).id,
            "forms": lambda: [form],
            "parts": lambda: [{"form": form, "amount": "500.00"}],
            "claim": lambda: random.choice(list(promotion.claims) or ["claim-1"]),
            "dispute": lambda: random.choice(list(promotion.disputes) or ["dispute-1"]),
            "reached": lambda: random.random() < 0.7,
            "in_marketing": lambda: True,
        }
        return said[name]() if name in said else f"Some {name}."

    def _amended(self, rules: Prizes, terms: Terms) -> Terms:
        if not terms.prizes:
            return whole_terms(rules, self._agenda.now + timedelta(days=2))
        eligible = f"Everybody, by version {self._random.getrandbits(16)}."
        return Terms({**terms.said, "eligibility": eligible}, terms.prizes, terms.earning)

    def _hand_made(self) -> list[dict[str, object]]:
        self._entries += 1
        weight = self._random.randint(1, 9)
        return [{"id": f"hand-{self._entries}", "entrant": self._random.choice(self._players), "weight": weight}]


# Checks


def wrong_draws(shelf: Shelf, records: Mapping[str, list[Record]], read: Mapping[str, list[Entry]]) -> Iterator[str]:
    """Check every draw from its public record alone, and recount the entries that play earned."""
    for stream in (each for each in records if each.startswith(PROMOTIONS)):
        house = House(shelf)
        house.take_in(stream, records[stream])
        state = house.promotion(name_of(stream))
        if state.commitment:
            verdict = verify_draw(state.record())
            if verdict.finding is not None:
                yield f"{stream}: {verdict.finding}"
        yield from _wrong_entries(stream, read)


def _wrong_entries(stream: str, read: Mapping[str, list[Entry]]) -> Iterator[str]:
    happened = [entry.document for entry in read[stream]]
    for document in happened:
        counted = document.event
        if isinstance(counted, PlayCounted):
            by = (counted.since, counted.until, counted.cents, frozenset(counted.wagers), counted.minimum)
            plays = Plays(Counting(*by))
            for table, version in counted.tables.items():
                plays.take_in(read[table_stream(table)][:version])
            taken = [d.event for d in happened if d.order == document.order and isinstance(d.event, EntriesTaken)]
            earned = [(entry.entrant, entry.weight) for event in taken for entry in event.entries]
            due = [entry for entry in plays.entries() if entry.entrant not in counted.without]
            if earned != [(entry.entrant, entry.weight) for entry in due]:
                yield f"{stream}: the entries are not those that play has earned"
