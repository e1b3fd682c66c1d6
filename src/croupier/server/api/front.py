"""The endpoint for the front page: small pictures of the felts, which browsers keep until a table changes."""

from __future__ import annotations

import msgspec

from croupier.contract.replies import Front
from croupier.house.queries import TableState, front_key, show_front
from croupier.server.endpoints import ANYONE, JSON, SAFE_HEADERS, Request, Response, get
from croupier.server.pages.files import File, answered, packed_as
from croupier.server.running_house import RunningHouse


class Kept(msgspec.Struct):
    """The last reply, and what it was made from."""

    key: tuple[tuple[str, str], ...] = ()
    file: File | None = None


def _kept(running_house: RunningHouse) -> Kept:
    return Kept()


@get("/front", needs=ANYONE, summary="The front page", tags=("tables",))
async def front(request: Request) -> Response[Front]:
    """The games of the tables, a small picture of each felt, and where books of one game pay different prices.

    It changes only when a table's rules or sign do: ask again with `If-None-Match`.
    """
    running_house, kept = request.running_house, request.once(_kept)
    states = [state for state in running_house.house.tables() if state.game.is_open]
    key = front_key(states)
    if kept.file is None or kept.key != key:
        kept.file = await running_house.reading(_made, running_house, states)
        kept.key = key
    return answered(request, kept.file, SAFE_HEADERS["content-security-policy"])


def _made(running_house: RunningHouse, states: list[TableState]) -> File:
    return packed_as(JSON, msgspec.json.encode(show_front(running_house.house.shelf, states)))


ENDPOINTS = [front]
