"""Being a witness: another house hands over its checkpoints, and whoever wants to verify that house gets them back."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec
from litestar import get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from croupier.server.api.asks import ANYONE, After, Ask, premises_of, signed_in
from croupier.server.api.bodies import Body, Page
from croupier.server.api.errors import PROBLEMS
from croupier.server.asking import WITNESS
from croupier.server.problems import Problem
from croupier.store.witnessing import MOST_STATEMENT, Handed, NotTaken

MOST_BODY_BYTES = MOST_STATEMENT + 64 * 1024  # with room for what JSON makes of quotes
STATUS = {"bad_checkpoint": 422, "witness_full": 409}

HouseKey = Annotated[
    str, PathParameter(pattern=r"^[0-9a-f]{64}$", description="The public key of the house that is witnessed.")
]
Few = Annotated[int, QueryParameter(name="limit", ge=1, le=100, description="At most so many.")]


class CheckpointBody(Body, frozen=True, kw_only=True):
    """A checkpoint: the line that was signed, and its signature."""

    statement: Annotated[str, msgspec.Meta(min_length=1, max_length=MOST_STATEMENT)]
    signature: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{128}$")]


class Taken(msgspec.Struct, frozen=True):
    """It is kept. `number` is the highest of a checkpoint that this witness has of that house."""

    ok: bool
    number: int


@post(
    "/witness/{key:str}",
    status_code=200,
    opt={"needs": ("operator",), "scope": WITNESS},
    summary="Keep a checkpoint of another house",
    responses=PROBLEMS,
    tags=["witness"],
    request_max_body_size=MOST_BODY_BYTES,
)
async def witness(request: Ask, key: HouseKey, data: JSONBody[CheckpointBody]) -> Taken:
    """For operators, and for programs with a token that an operator made with the scope `witness` and nothing else.

    Whatever that house has signed is kept, also what contradicts an earlier one; the same twice is kept once.
    """
    premises, asker = premises_of(request), signed_in(request)
    premises.order_rate.check(asker.person)
    handed = Handed(data.statement, data.signature)
    try:
        highest = await asyncio.to_thread(premises.keeper.take, key, handed, asker.person, premises.clock())
    except NotTaken as error:
        raise Problem(STATUS[error.code], error.code, str(error)) from None
    return Taken(True, highest)


@get(
    "/witness/{key:str}", opt={"needs": ANYONE}, summary="What is kept of a house", responses=PROBLEMS, tags=["witness"]
)
async def witnessed(request: Ask, key: HouseKey, after: After = 0, limit: Few = 20) -> Page:
    """Its checkpoints as it handed them over, for `croupier verify --witness`. `at` is when each came."""
    premises = premises_of(request)
    found = await premises.reading(premises.keeper.kept, key, after, limit)
    entries: list[dict[str, Any]] = [
        {"at": one.at, "statement": one.statement, "signature": one.signature} for _, one in found
    ]
    return Page(entries, found[-1][0] if len(found) == limit else None)


HANDLERS = [witness, witnessed]
