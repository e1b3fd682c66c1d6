"""Endpoints for promotions: terms and draws for everyone, the caller's own entries and awards, all for managers."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

import msgspec
from msgspec import Meta

from croupier import rulebooks
from croupier.contract import replies
from croupier.contract.management import Claimant, OwnPlay, Play, Promotion, PromotionListed, PromotionPlay
from croupier.contract.replies import Entries
from croupier.contract.requests import PromotionName
from croupier.house import orders
from croupier.house.live_streams import Head
from croupier.house.names import promotion_stream
from croupier.house.orders import claimant_secret, in_no_draw, seal_of
from croupier.house.queries import (
    Counting,
    Looker,
    Played,
    PromotionState,
    full_entry,
    looker,
    may_see,
    show_promotion,
    show_summary,
)
from croupier.house.stored_events import Entry, read
from croupier.money import format_cents
from croupier.rules.prizes import Prizes
from croupier.server.api.requests import KEEPING_BOOKS, After, BookName, Limit
from croupier.server.clocks import own_play_of, play_of
from croupier.server.endpoints import ANYONE, SIGNED_IN, Request, Stream, get
from croupier.server.problems import Problem

JSONL = "application/jsonl"


LINES_AT_ONCE = 1000


Brief = Annotated[bool, Meta(description="Count the entries instead of listing them.")]


ClaimName = Annotated[str, Meta(max_length=200, description="The name of a claim.")]


async def _looker(request: Request) -> Looker:
    if request.caller is None:
        return Looker()
    running_house = request.running_house
    await running_house.account(request.caller.person)
    return looker(request.caller.person, running_house.acting(request.caller).roles)


async def _seen(request: Request, name: str) -> tuple[PromotionState, Head, Looker]:
    """Return a promotion that the caller may see. Raises Problem, as if there were none, if they may not."""
    state, head = await request.running_house.promotion(name)
    look = await _looker(request)
    if not may_see(state, look):
        raise Problem(404, "no_such_promotion", f"There is no promotion called {name}.")
    return state, head, look


@get("/promotions", needs=ANYONE, summary="All promotions", tags=("promotions",))
async def promotions(request: Request) -> list[PromotionListed]:
    """Promotions whose terms were filed with the regulator; managers and inspectors see drafts too."""
    running_house, look = request.running_house, await _looker(request)
    house = running_house.house
    seen = [(one, house.head(promotion_stream(one.name))) for one in house.promotions() if may_see(one, look)]
    return await running_house.reading(lambda: [show_summary(house.shelf, one, head, look) for one, head in seen])


@get("/promotions/{promotion}", needs=ANYONE, summary="A promotion", tags=("promotions",))
async def promotion(request: Request, promotion: PromotionName) -> Promotion:
    """Its terms with the clause behind each, the draw, your entries and awards; for managers, all of it."""
    state, head, look = await _seen(request, promotion)
    running_house = request.running_house
    return await running_house.reading(  # there may be many entries
        show_promotion, running_house.house.shelf, state, head, look, running_house.clock()
    )


@get(
    "/promotions/{promotion}/record",
    needs=ANYONE,
    summary="Public record of a draw",
    kinds=(JSONL,),
    tags=("promotions",),
)
async def draw_record(request: Request, promotion: PromotionName) -> Stream:
    """The draw so far, for `croupier verify-draw`. It names no one."""
    state, _, _ = await _seen(request, promotion)
    if not state.commitment:
        raise Problem(404, "not_announced", "The draw is announced when the promotion starts.")
    return Stream(await request.running_house.reading(_record, state), JSONL)


def _record(state: PromotionState) -> list[bytes]:
    """Return pieces of many lines: sent one by one, a hundred thousand would take half a minute."""
    lines = state.record()
    return [b"".join(piece) for piece in iter(lambda: list(islice(lines, LINES_AT_ONCE)), [])]


@get("/promotions/{promotion}/events", needs=KEEPING_BOOKS, summary="History of a promotion", tags=("promotions",))
async def promotion_events(
    request: Request, promotion: PromotionName, after: After = 0, limit: Limit = 100, brief: Brief = False
) -> Entries:
    """Everything that happened to it, and who did it."""
    running_house = request.running_house
    await running_house.promotion(promotion)
    found = await running_house.reading(running_house.store.read, promotion_stream(promotion), after, limit)
    shown = await running_house.reading(lambda: [_shown(read(one), brief) for one in found])
    return Entries(shown, found[-1].version if len(found) == limit else None)


def _shown(entry: Entry, brief: bool) -> replies.Entry:
    event = msgspec.to_builtins(entry.document.event)
    if brief and "entries" in event:
        event["entries"] = len(event["entries"])
    return full_entry(entry, [event])


@get("/promotions/{promotion}/play", needs=KEEPING_BOOKS, summary="Play that earns entries", tags=("promotions",))
async def promotion_play(request: Request, promotion: PromotionName) -> PromotionPlay:
    """What people have staked so far, and the tickets it earns. After the count, whether a recount from the same events
    agrees.
    """
    running_house = request.running_house
    state, _ = await running_house.promotion(promotion)
    counted = state.counted
    if counted is None:
        played = await play_of(running_house.processor, running_house.report_worker, state)
        return await running_house.reading(_play, promotion, played)
    by = Counting(counted.since, counted.until, counted.cents, frozenset(counted.wagers), counted.minimum)
    again = await running_house.report_worker.plays(by, counted.tables)
    return await running_house.reading(lambda: _play(promotion, again, _is_same(state, again)))


def _play(promotion: str, played: Played | None, same: bool | None = None) -> PromotionPlay:
    if played is None:
        return PromotionPlay(promotion, False, [], {}, None)
    weights = {entry.entrant: entry.weight for entry in played.entries}
    rows = [Play(person, format_cents(cents), weights.get(person, 0)) for person, cents in played.staked.items()]
    return PromotionPlay(promotion, True, rows, played.tables, same)


def _is_same(state: PromotionState, played: Played) -> bool:
    """Return whether the entries taken at the close are those that play has earned."""
    out = () if state.counted is None else state.counted.without
    earned = {(entry.entrant, entry.weight) for entry in played.entries if entry.entrant not in out}
    return earned <= {(entry.entrant, entry.weight) for entry in state.promotion.entries.values()}


@get("/promotions/{promotion}/play/own", needs=SIGNED_IN, summary="Your play so far", tags=("promotions",))
async def own_play(request: Request, promotion: PromotionName) -> OwnPlay:
    """What you have staked that counts, its tickets, and what is missing for the next one. The count at the close is
    final; from then on, what play has earned is among your entries.
    """
    state, _, _ = await _seen(request, promotion)
    if not state.promotion.may_earn:
        say = "Play is no longer counted. What you have earned is among your entries."
        raise Problem(409, "not_counting", say)
    running_house, person = request.running_house, request.signed_in.person
    play = await own_play_of(running_house.processor, running_house.report_worker, state, person)
    is_in = not in_no_draw(running_house.house.account(person), running_house.clock())
    if play is None:
        return OwnPlay(promotion, False, is_in, format_cents(0), 0, None)
    missing = format_cents(play.missing) if is_in and play.missing is not None else None
    return OwnPlay(promotion, True, is_in, format_cents(play.cents), play.tickets if is_in else 0, missing)


@get("/promotions/{promotion}/claims/{claim}", needs=KEEPING_BOOKS, summary="Who a claimant is", tags=("promotions",))
async def claimant(request: Request, promotion: PromotionName, claim: ClaimName) -> Claimant:
    """Name and address, only for those who need them. They appear in no event, export or log."""
    running_house = request.running_house
    await running_house.promotion(promotion)
    kept = await running_house.reading(running_house.store.secret, claimant_secret(promotion, claim))
    if kept is None:
        raise Problem(404, "no_such_claim", "No name and address are recorded for a claim with that name.")
    told = msgspec.json.decode(kept, type=dict[str, str])
    personal = orders.Personal(told["name"], told["address"])
    seal = running_house.house.promotion(promotion).promotion.seals.get(claim)
    return Claimant(promotion, claim, personal.name, personal.address, seal == seal_of(personal, told["salt"]))


@get("/books/{book}/prizes", needs=ANYONE, summary="Prizes of a book", tags=("promotions",))
async def prizes(request: Request, book: BookName) -> Prizes:
    """What the book requires of promotions: the points of the terms, kinds of prizes, forms of payment, times."""
    rules = request.running_house.house.shelf.book(book).prizes if book in rulebooks.ids() else None
    if rules is None:
        raise Problem(404, "no_such_book", "No book with that id has rules for promotional prizes.")
    return rules


ENDPOINTS = [promotions, promotion, draw_record, promotion_events, promotion_play, own_play, claimant, prizes]
