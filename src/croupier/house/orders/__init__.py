"""Orders that people give the house: each is one class, in the module of its topic. See `order` for what they share.

An order that names no person is about the one giving it.
"""

from __future__ import annotations

from croupier.house.orders.alerts import AnswerAlert, AnswerDuty, AnswerPromotionDuty
from croupier.house.orders.chips import BuyIn, GetUp, Sit
from croupier.house.orders.lines import Say
from croupier.house.orders.order import (
    Api,
    AtTable,
    OfAccount,
    OfPromotion,
    Order,
    Submission,
    body_of,
    no_account,
    no_promotion,
    no_table,
    path_names,
    read_order,
)
from croupier.house.orders.people import (
    CALLED,
    ChangeName,
    ChangeRoles,
    EndCard,
    Exclude,
    GrantChips,
    IssueCard,
    LeavePost,
    LetIn,
    OpenAccount,
    Refill,
    SetLimits,
    SetPassword,
    TakePost,
)
from croupier.house.orders.presence import FreeSeat, NotePresence, may_be_freed
from croupier.house.orders.promotions import (
    MANAGING,
    CloseEntries,
    OpenPromotion,
    Personal,
    Promote,
    claimant_secret,
    draw_secret,
    in_no_draw,
    seal_of,
)
from croupier.house.orders.rounds import NOTHING_DUE, PutInNumber, RunOn, SayReady, ShowNumber, secret_name
from croupier.house.orders.tables import SetTable

__all__ = [
    "CALLED", "MANAGING", "NOTHING_DUE", "ORDERS", "AnswerAlert", "AnswerDuty", "AnswerPromotionDuty", "Api", "AtTable",
    "BuyIn", "ChangeName", "ChangeRoles", "CloseEntries", "EndCard", "Exclude", "FreeSeat", "GetUp", "GrantChips",
    "IssueCard", "LeavePost", "LetIn", "NotePresence", "OfAccount", "OfPromotion", "OpenAccount", "OpenPromotion",
    "Order", "Personal", "Promote", "PutInNumber", "Refill", "RunOn", "Say", "SayReady", "SetLimits", "SetPassword",
    "SetTable", "ShowNumber", "Sit", "Submission", "TakePost", "body_of", "claimant_secret", "draw_secret",
    "in_no_draw", "may_be_freed", "no_account", "no_promotion", "no_table", "path_names", "read_order", "seal_of",
    "secret_name",
]  # fmt: skip

_all = (order for about in (AtTable, OfPromotion, OfAccount) for order in about.__subclasses__())
ORDERS: tuple[type[Order], ...] = tuple(sorted(_all, key=lambda order: order.tag()))
