"""Endpoints for commands. Each is a POST with an idempotency key; the house decides, stores, and only then replies."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, post
from litestar.params import JSONBody
from litestar.types import HTTPResponseStartEvent, Receive, Scope, Send

from croupier.house import orders
from croupier.house.events import Limits, Rhythm
from croupier.house.orders import Order
from croupier.money import parse_cents
from croupier.server.api import bodies
from croupier.server.api.bodies import Done
from croupier.server.api.errors import PROBLEMS
from croupier.server.api.requests import (
    SIGNED_IN,
    Ask,
    EventNumber,
    Key,
    PersonName,
    Straight,
    TableName,
    network,
    running_house_of,
    signed_in,
)
from croupier.server.problems import status_of
from croupier.store.records import Secret
from croupier.table.event_views import Told

_encode = msgspec.json.Encoder().encode


def command(path: str, summary: str) -> post:
    """Declare a command at a path; the house itself decides who may give it."""
    return post(
        path,
        status_code=200,
        opt={"needs": SIGNED_IN},
        middleware=[Straight],
        summary=summary,
        responses=PROBLEMS,
        tags=["commands"],
    )


class Reply(Response[Done]):
    """The house's reply to a command: a Done or a ProblemBody. It bypasses the framework for speed."""

    def __init__(self, told: Told) -> None:
        self._status = status_of(told)
        self._body = _encode(told)

    def to_asgi_response(self, *_: Any, **__: Any) -> Any:  # noqa: ANN401  # in place of an ASGIResponse
        """Return itself: it needs no wrapping."""
        return self

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the reply."""
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(self._body))]
        start: HTTPResponseStartEvent = {
            "type": "http.response.start",
            "status": self._status,
            "headers": headers,
        }
        await send(start)
        await send({"type": "http.response.body", "body": self._body, "more_body": False})


async def ordered(request: Ask, key: str, order: Order, beside: tuple[Secret, ...] = ()) -> Response[Done]:
    """Carry out an order of the caller and return the house's reply."""
    return Reply(await running_house_of(request).order(signed_in(request), key, order, beside))


@command("/tables", "Set up a table and open it")
async def set_table(request: Ask, data: JSONBody[bodies.TableBody], key: Key) -> Response[Done]:
    """For managers and operators. `line` has the fields of `open` in the pipe: book, chip, min, max, pay table."""
    own = None if data.rhythm is None else Rhythm(**{n: getattr(data.rhythm, n) for n in data.rhythm.__struct_fields__})
    order = orders.SetTable(table=data.table, title=data.title, line=data.line, rhythm=own)
    return await ordered(request, key, order)


@command("/tables/{table:str}/lines", "Say something at a table")
async def say(request: Ask, table: TableName, data: JSONBody[bodies.LineBody], key: Key) -> Response[Done]:
    """A bet, a throw, an act of the book: the lines are those of `croupier table`, without `at` and `who`."""
    number = msgspec.UNSET if data.number is None else data.number
    order = orders.Say(table=table, version=data.version, line=data.line, round=data.round, number=number)
    return await ordered(request, key, order)


@command("/tables/{table:str}/numbers", "Put a number of one's own into a round")
async def put_in_number(request: Ask, table: TableName, data: JSONBody[bodies.NumberBody], key: Key) -> Response[Done]:
    """Of somebody whose wagers stand: `number` is the commitment to it. With a bet it goes along with the line."""
    order = orders.PutInNumber(table=table, version=data.version, round=data.round, number=data.number)
    return await ordered(request, key, order)


@command("/tables/{table:str}/numbers/show", "Show a number of one's own")
async def show_number(request: Ask, table: TableName, data: JSONBody[bodies.NumberBody], key: Key) -> Response[Done]:
    """Once the bets are shut, and before the dice are drawn: `number` is the number itself."""
    order = orders.ShowNumber(table=table, version=data.version, round=data.round, number=data.number)
    return await ordered(request, key, order)


@command("/tables/{table:str}/seat", "Sit down")
async def sit(request: Ask, table: TableName, data: JSONBody[bodies.SeatBody], key: Key) -> Response[Done]:
    """Take a seat with chips from the account, at a place that is free where one is named."""
    cents = parse_cents(data.chips)
    return await ordered(request, key, orders.Sit(table=table, version=data.version, cents=cents, place=data.place))


@command("/tables/{table:str}/chips", "Buy in")
async def buy_in(request: Ask, table: TableName, data: JSONBody[bodies.ChipsBody], key: Key) -> Response[Done]:
    """Have more chips brought from the account to the seat."""
    return await ordered(request, key, orders.BuyIn(table=table, version=data.version, cents=parse_cents(data.chips)))


@command("/tables/{table:str}/leave", "Get up")
async def get_up(request: Ask, table: TableName, data: JSONBody[bodies.AtTable], key: Key) -> Response[Done]:
    """Leave the table; the chips in hand go back to the account."""
    return await ordered(request, key, orders.GetUp(table=table, version=data.version))


@command("/tables/{table:str}/post", "Take a post")
async def take_post(request: Ask, table: TableName, data: JSONBody[bodies.PostBody], key: Key) -> Response[Done]:
    """Run a table from now on, in a role that one has. Who plays at it may not."""
    return await ordered(request, key, orders.TakePost(table=table, version=data.version, role=data.role))


@command("/tables/{table:str}/post/leave", "Leave a post")
async def leave_post(request: Ask, table: TableName, data: JSONBody[bodies.AtTable], key: Key) -> Response[Done]:
    """Run the table no longer."""
    return await ordered(request, key, orders.LeavePost(table=table, version=data.version))


@command("/tables/{table:str}/alerts/{event:int}/answer", "Answer for an alert")
async def answer_alert(
    request: Ask, table: TableName, event: EventNumber, data: JSONBody[bodies.AnswerBody], key: Key
) -> Response[Done]:
    """For supervisors and above: who answers, and when, stays on record with the note. The number is the alert's."""
    return await ordered(
        request, key, orders.AnswerAlert(table=table, version=data.version, event=event, note=data.note)
    )


@command("/accounts", "Open an account for somebody")
async def open_account(request: Ask, data: JSONBody[bodies.AccountBody], key: Key) -> Response[Done]:
    """For operators: an account with roles, chips and a first password."""
    running_house, asker = running_house_of(request), signed_in(request)
    await running_house.account(asker.person)
    # Hashing a password is slow: do not do it for a caller whom the house will refuse.
    may = "operator" in running_house.acting(asker).roles
    kept = (await running_house.hashed(data.person, data.password, network(request)),) if may else ()
    mark = await running_house.marked(data.person, data.password, key, network(request)) if may else ""
    cents = parse_cents(data.chips)
    order = orders.OpenAccount(person=data.person, name=data.name, roles=data.roles, cents=cents, credential=mark)
    return await ordered(request, key, order, kept)


@command("/accounts/{person:str}/roles", "Change somebody's roles")
async def change_roles(request: Ask, person: PersonName, data: JSONBody[bodies.RolesBody], key: Key) -> Response[Done]:
    """For operators. Nobody changes their own."""
    return await ordered(request, key, orders.ChangeRoles(person=person, roles=tuple(data.roles)))


@command("/accounts/{person:str}/card", "Issue a Player Card")
async def issue_card(request: Ask, person: PersonName, data: JSONBody[bodies.Body], key: Key) -> Response[Done]:
    """For supervisors and above: one card for one person."""
    return await ordered(request, key, orders.IssueCard(person=person))


@command("/accounts/{person:str}/card/end", "End a Player Card")
async def end_card(request: Ask, person: PersonName, data: JSONBody[bodies.Body], key: Key) -> Response[Done]:
    """For supervisors and above: the card is no longer valid."""
    return await ordered(request, key, orders.EndCard(person=person))


@command("/accounts/{person:str}/chips", "Grant play chips")
async def grant_chips(request: Ask, person: PersonName, data: JSONBody[bodies.GrantBody], key: Key) -> Response[Done]:
    """For operators: play chips out of nothing."""
    order = orders.GrantChips(person=person, cents=parse_cents(data.chips), reason=data.reason)
    return await ordered(request, key, order)


@command("/accounts/{person:str}/limits", "Set one's own limits")
async def set_limits(request: Ask, person: PersonName, data: JSONBody[bodies.LimitsBody], key: Key) -> Response[Done]:
    """A tighter limit holds at once, a looser one after 24 hours."""
    loss = None if data.loss is None else parse_cents(data.loss)
    return await ordered(request, key, orders.SetLimits(person=person, limits=Limits(loss, data.minutes)))


@command("/accounts/{person:str}/exclusion", "Exclude")
async def exclude(request: Ask, person: PersonName, data: JSONBody[bodies.ExclusionBody], key: Key) -> Response[Done]:
    """Keep oneself, or as a supervisor somebody, from playing: until a time, or for good."""
    return await ordered(request, key, orders.Exclude(person=person, until=data.until))


@command("/accounts/{person:str}/exclusion/end", "Let in again")
async def let_in(request: Ask, person: PersonName, data: JSONBody[bodies.Body], key: Key) -> Response[Done]:
    """For managers: end an exclusion that the house began."""
    return await ordered(request, key, orders.LetIn(person=person))


HANDLERS = [
    set_table,
    say,
    put_in_number,
    show_number,
    sit,
    buy_in,
    get_up,
    take_post,
    leave_post,
    answer_alert,
    open_account,
    change_roles,
    issue_card,
    end_card,
    grant_chips,
    set_limits,
    exclude,
    let_in,
]
