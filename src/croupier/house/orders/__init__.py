"""Orders that people give the house: each is one class, in the module of its topic. See `order` for what they share.

An order that names no person is about the one giving it.
"""

from __future__ import annotations

from croupier.house.orders.alerts import AnswerAlert, AnswerDuty, AnswerPromotionDuty
from croupier.house.orders.chips import BuyIn, GetUp, Sit
from croupier.house.orders.lines import Say
from croupier.house.orders.order import Api, AtTable, OfAccount, OfPromotion, Order, Submission
from croupier.house.orders.people import (
    ChangeRoles,
    EndCard,
    Exclude,
    GrantChips,
    IssueCard,
    LeavePost,
    LetIn,
    OpenAccount,
    SetLimits,
    SetPassword,
    TakePost,
)
from croupier.house.orders.promotions import CloseEntries, OpenPromotion, Personal, Promote
from croupier.house.orders.rounds import PutInNumber, RunOn, ShowNumber
from croupier.house.orders.tables import SetTable

__all__ = [
    "ORDERS",
    "AnswerAlert",
    "AnswerDuty",
    "AnswerPromotionDuty",
    "Api",
    "AtTable",
    "BuyIn",
    "ChangeRoles",
    "CloseEntries",
    "EndCard",
    "Exclude",
    "GetUp",
    "GrantChips",
    "IssueCard",
    "LeavePost",
    "LetIn",
    "OfAccount",
    "OfPromotion",
    "OpenAccount",
    "OpenPromotion",
    "Order",
    "Personal",
    "Promote",
    "PutInNumber",
    "RunOn",
    "Say",
    "SetLimits",
    "SetPassword",
    "SetTable",
    "ShowNumber",
    "Sit",
    "Submission",
    "TakePost",
]

_all = (order for about in (AtTable, OfPromotion, OfAccount) for order in about.__subclasses__())
ORDERS: tuple[type[Order], ...] = tuple(sorted(_all, key=lambda order: order.tag()))
