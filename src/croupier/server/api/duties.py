"""Duties with a clock: one list for those responsible, and answers for those that were not done in time."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Response, get
from litestar.params import JSONBody

from croupier.house import orders
from croupier.house.duties import DutiesShown, show_duties
from croupier.house.promotions import PromotionState
from croupier.server.api.asks import KEEPING_BOOKS, SUPERVISING, Ask, Key, TableName, premises_of, signed_in
from croupier.server.api.bodies import Body, Done
from croupier.server.api.errors import PROBLEMS
from croupier.server.api.ordering import command, ordered
from croupier.server.api.promotions import PromotionName


class DutyAnswerBody(Body, frozen=True, kw_only=True):
    """Which duty somebody answers for, and what they say: why it was not done in time, what was done about it."""

    duty: Annotated[str, msgspec.Meta(min_length=1, max_length=400, description="A duty by its id.")]
    note: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    version: Annotated[int, msgspec.Meta(ge=0, description="Only if nothing has happened there since.")] | None = None


def promotions_shown(request: Ask) -> list[PromotionState]:
    """The promotions whose duties whoever asks may see: those who run them and those who read the books see all."""
    premises = premises_of(request)
    may = premises.acting(signed_in(request)).roles.intersection(KEEPING_BOOKS)
    return premises.house.promotions() if may else []


@get("/duties", opt={"needs": SUPERVISING}, summary="Duties", responses=PROBLEMS, tags=["floor"])
async def duties(request: Ask) -> DutiesShown:
    """What is to be done in time at all tables, when, under which clause and by whom, and what was done lately.

    Managers, operators and inspectors see the duties of promotions as well.
    """
    premises = premises_of(request)
    house, seen = premises.house, promotions_shown(request)
    return await premises.reading(show_duties, house.shelf, house.tables(), seen, premises.clock())


@command("/tables/{table:str}/duties/answer", "Answer for a duty at a table")
async def answer_duty(request: Ask, table: TableName, data: JSONBody[DutyAnswerBody], key: Key) -> Response[Done]:
    """For supervisors and above: of a duty that is overdue, or was done late; its alert is answered with it."""
    deed = orders.AnswerDuty(table=table, version=data.version, duty=data.duty, note=data.note)
    return await ordered(request, key, deed)


@command("/promotions/{promotion:str}/duties/answer", "Answer for a duty of a promotion")
async def answer_promotion_duty(
    request: Ask, promotion: PromotionName, data: JSONBody[DutyAnswerBody], key: Key
) -> Response[Done]:
    """For managers and operators: of a duty that is overdue, or was done late."""
    deed = orders.AnswerPromotionDuty(promotion=promotion, version=data.version, duty=data.duty, note=data.note)
    return await ordered(request, key, deed)


HANDLERS = [duties, answer_duty, answer_promotion_duty]
