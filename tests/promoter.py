"""Someone who runs one promotion after the other, from the draft to the last payment, in a house that is killed."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from typing import Any

import msgspec

from croupier.house import events as house_events
from croupier.house import names
from croupier.house.stored_events import decode
from croupier.money import format_cents
from croupier.prizes import events
from croupier.prizes.draw_verification import verify_draw
from croupier.prizes.public_draw import Draw
from croupier.prizes.reading import terms_as_line
from croupier.prizes.terms import Entry, Part, Terms
from croupier.store.records import Record
from tests.clocks import Ahead
from tests.kills import PLAYERS, Command, Deed, Guest
from tests.promotions import CRAPS, a_prize, prizes_of, terms_of

RULES = prizes_of(CRAPS)
AWARDS = (1, 2)
VALUE = 500_00
TO_THE_START, TO_THE_CLOSE, PUT_ON = 25, 2, 26  # hours; the filing has one more than it needs, entries have one or two
A_MOMENT = 0.05  # seconds

# What only someone can be told whose command was carried out though they had given it up for lost.
DONE_ALREADY: dict[type[msgspec.Struct], str] = {
    house_events.PromotionOpened: "name_taken",
    events.TermsFiled: "nothing_to_file",
    events.PromotionStarted: "wrong_stage",
    events.EntriesTaken: "entry_twice",
    events.PrizesDrawn: "nothing_to_draw",
    events.ClaimMade: "claim_twice",
    events.PrizePaid: "award_settled",
    events.PromotionClosed: "wrong_stage",
}


class Promoter(Guest):
    """A manager who controls the clock of the house, so that the day before a start passes quickly."""

    def __init__(self, person: str, seed: int, counts: Counter[str], clock: Ahead) -> None:
        super().__init__(person, seed, counts)
        self._clock = clock
        self._promotions: list[str] = []
        self._course = self._one_after_the_other()
        self._next = next(self._course)
        self._is_unsure = False

    # -- commands ------------------------------------------------------------------------------------------------------

    def deed(self) -> Deed:
        return self._next

    def give_up(self, command: Command) -> None:
        super().give_up(command)
        self._is_unsure |= command.told is None

    def _done(self, deed: Deed) -> None:
        self._next, self._is_unsure = next(self._course), False

    def _refused(self, deed: Deed, code: str) -> None:
        if deed.event is events.PrizesDrawn and code == "wrong_stage":  # the house has not closed the entries yet
            time.sleep(A_MOMENT)
            return
        assert code == DONE_ALREADY.get(deed.event), (deed, code)
        assert self._is_unsure, f"{self.person} was told {code} to {deed}, and nothing explains it"
        self.counts["by a command given up"] += 1
        self._done(deed)

    # -- what they do --------------------------------------------------------------------------------------------------

    def _one_after_the_other(self) -> Iterator[Deed]:
        for number in count(1):
            name = f"draw-{number}"
            self._promotions.append(name)
            body = {"promotion": name, "book": CRAPS, "title": name.title()}
            yield Deed("/promotions", body, house_events.PromotionOpened, body)
            yield from self._entered(name)
            self._clock.put_on(TO_THE_CLOSE)
            yield _line(name, "draw_prizes", events.PrizesDrawn)
            for award in AWARDS:
                yield from self._given(name, award, _entrant(name))
            yield _line(name, "close_promotion", events.PromotionClosed)

    def _entered(self, name: str) -> Iterator[Deed]:
        terms = self._terms()
        yield _line(name, "draft_terms", events.TermsDrafted, {"terms": terms}, terms=terms_as_line(RULES, terms))
        yield _line(name, "file_terms", events.TermsFiled)
        means = {"means": "this page", "in_marketing": True}
        yield _line(name, "publish_terms", events.TermsPublished, means, **means)
        self._clock.put_on(PUT_ON)
        yield _line(name, "start_promotion", events.PromotionStarted)
        for number in range(self.rnd.randint(1, 3)):
            entries = tuple(Entry(f"{number}-{n}", _entrant(name), self.rnd.randint(1, 9)) for n in (1, 2))
            told = msgspec.to_builtins(entries)
            yield _line(
                name,
                "take_entries",
                events.EntriesTaken,
                {"entries": entries, "reason": "A coupon."},
                entries=told,
                reason="A coupon.",
            )

    def _terms(self) -> Terms:
        """Terms with one prize winner, so that whoever handles the prizes knows who won."""
        starts = self._clock() + timedelta(hours=TO_THE_START)
        closes = (starts + timedelta(hours=TO_THE_CLOSE)).isoformat()
        prize = a_prize(RULES, value=VALUE, count=len(AWARDS))
        terms = terms_of(RULES, prize, starts=starts.isoformat(), entries_close=closes, awarded_at=closes)
        return msgspec.structs.replace(terms, one_prize_each=False)

    def _given(self, name: str, award: int, winner: str) -> Iterator[Deed]:
        told = {"award": award, "way": "email", "reached": True}
        yield _line(name, "tell_winner", events.WinnerTold, told, **told)
        claim = {"claim": f"claim-{award}", "award": award, "claimant": winner}
        made = _line(name, "make_claim", events.ClaimMade, claim, **claim)
        yield made._replace(body={**made.body, "personal": _who(name, award)})
        form = RULES.payment.forms[0].id
        paid = {"award": award, "parts": (Part(form, VALUE),)}
        parts = [{"form": form, "amount": format_cents(VALUE)}]
        yield _line(name, "pay_prize", events.PrizePaid, paid, award=award, parts=parts)

    # -- what must hold ------------------------------------------------------------------------------------------------

    def check(self, records: dict[str, list[Record]]) -> None:
        """No promotion has anything twice."""
        for stream in (each for each in records if each.startswith(names.PROMOTIONS)):
            seen = Counter(one for record in records[stream] for one in _only_once(decode(record.document).event))
            assert not seen or seen.most_common(1)[0][1] == 1, f"{stream} has something twice: {seen.most_common(3)}"

    def finish(self, url: str) -> None:
        """Finish the current promotion; then check that every one was drawn properly and that all prizes are given."""
        under_way = self._promotions[-1]
        while self._promotions[-1] == under_way:
            assert self.step(url), "the house does not answer"
        for name in self._promotions[:-1]:
            self._check_drawn(f"{url}/api/v1/promotions/{name}", name)
            self.counts["draws verified"] += 1

    def _check_drawn(self, place: str, name: str) -> None:
        verdict = verify_draw(self.http.get(f"{place}/record").content.splitlines(keepends=True))
        assert (verdict.promotion, verdict.stage, verdict.finding) == (name, "drawn", None)
        told = self.http.get(place).json()
        assert told["stage"] == "closed"
        drawn = [one.number for one in verdict.results if isinstance(one, Draw)]
        assert [one["entry"] for one in told["draw"]["results"]] == drawn
        assert [(one["award"], one["status"]) for one in told["awards"]] == [(award, "given") for award in AWARDS]
        for award in AWARDS:
            kept = self.http.get(f"{place}/claims/claim-{award}").json()
            assert kept == {"promotion": name, "claim": f"claim-{award}", "sealed": True, **_who(name, award)}


def _line(
    name: str, do: str, event: type[msgspec.Struct], fields: dict[str, Any] | None = None, **said: object
) -> Deed:
    """A line about a promotion, and the event that it causes."""
    return Deed(f"/promotions/{name}/lines", {"line": {"do": do, **said}}, event, fields or {})


def _entrant(name: str) -> str:
    return PLAYERS[sum(name.encode()) % len(PLAYERS)]


def _who(name: str, award: int) -> dict[str, str]:
    return {"name": f"{name} {award}", "address": f"{award} {name} Road"}


def _only_once(event: object) -> Iterator[tuple[type, object]]:
    """What an event states that no other event of the promotion may state again."""
    match event:
        case events.EntriesTaken():
            yield from ((events.EntriesTaken, entry.id) for entry in event.entries)
        case events.PrizesDrawn():
            yield from ((events.PrizesDrawn, winner.award) for winner in event.winners)
        case events.ClaimMade() | events.ClaimantNamed():
            yield type(event), event.claim
        case events.PrizePaid():
            yield events.PrizePaid, event.award
        case (
            house_events.PromotionOpened()
            | house_events.DrawCommitted()
            | house_events.DrawShown()
            | events.TermsFiled()
            | events.PromotionStarted()
            | events.EntriesClosed()
            | events.PromotionClosed()
        ):
            yield type(event), None
