"""The stored form of every order: its digest identifies a repeated order, and refused orders are kept for good.

`tests/golden/orders.json` was made by the version before orders were declared in one place. It must never change for an
existing order; `python -m tests.test_order_forms` adds new ones.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from croupier.contract.replies import ProblemBody
from croupier.house import orders, refused_orders
from croupier.house.events import Limits, Rhythm
from croupier.house.house import digest
from croupier.house.orders import Order, Personal, Submission
from croupier.prizes.terms import Entry

GOLDEN = Path(__file__).parent / "golden" / "orders.json"
AT = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)
BET = {"do": "bet", "wager": "field", "amount": "5.00", "pick": [1, 2]}
REPLY = ProblemBody(code="not_allowed", clause="5.1", message="No.", about=["terms"])

# Each order with as little as it takes, and with everything that it can hold.
ORDERS: dict[str, Order] = {
    "say": orders.Say(table="one", line=BET),
    "say, all": orders.Say(table="one", line=BET, version=7, round=3, number="ab" * 32),
    "say, long": orders.Say(table="one", line={"do": "bet", "wager": "ä\u0000\u2028" * 400}),
    "put_in_number": orders.PutInNumber(table="one", round=3, number="ab" * 32),
    "show_number": orders.ShowNumber(table="one", version=1, round=3, number="ab" * 32),
    "say_ready": orders.SayReady(table="one", round=3),
    "say_ready, all": orders.SayReady(table="one", round=3, ready=False, number="ab" * 32, version=7),
    "note_presence": orders.NotePresence(table="one", person="ann", here=False),
    "free_seat": orders.FreeSeat(table="one", person="ann", minutes=5.0),
    "change_name": orders.ChangeName(person="ann", name="Lucky Otter"),
    "refill": orders.Refill(person="ann"),
    "sit": orders.Sit(table="one", cents=10_000),
    "sit, all": orders.Sit(table="one", cents=10_000, place=4, version=2),
    "buy_in": orders.BuyIn(table="one", cents=500),
    "get_up": orders.GetUp(table="one", version=5),
    "set_table": orders.SetTable(table="one", title="One", line={"book": "craps-nsw-2024"}),
    "set_table, all": orders.SetTable(
        table="one", title="One", line={"book": "b", "max": {"field": "5.00"}}, rhythm=Rhythm(20.0, 5.0), version=0
    ),
    "take_post": orders.TakePost(table="one", role="dealer"),
    "leave_post": orders.LeavePost(table="one"),
    "answer_alert": orders.AnswerAlert(table="one", event=12, note="Seen to."),
    "answer_duty": orders.AnswerDuty(table="one", duty="count", note="Late.", version=3),
    "run_on": orders.RunOn(table="one"),
    "run_on, all": orders.RunOn(table="one", lost=True),
    "open_promotion": orders.OpenPromotion(promotion="coins", book="two-up-nsw-2016", title="Coins"),
    "promote": orders.Promote(promotion="coins", line={"do": "file_terms"}),
    "promote, all": orders.Promote(
        promotion="coins",
        line={"do": "make_claim", "claimant": "Ann Example", "award": 1},
        personal=Personal("Ann Example", "1 Street"),
        version=9,
    ),
    "close_entries": orders.CloseEntries(promotion="coins"),
    "close_entries, all": orders.CloseEntries(
        promotion="coins", entries=(Entry("e-1", "ann", 2),), tables={"one": 12, "two": 3}
    ),
    "answer_promotion_duty": orders.AnswerPromotionDuty(promotion="coins", duty="draw", note="Late."),
    "open_account": orders.OpenAccount(person="ann", name="Ann"),
    "open_account, all": orders.OpenAccount(
        person="ann", name="Ann", roles=("dealer", "player"), cents=100, card=True, credential="mark"
    ),
    "set_password": orders.SetPassword(person="ann", credential="mark"),
    "change_roles": orders.ChangeRoles(person="ann", roles=("dealer",)),
    "issue_card": orders.IssueCard(person="ann"),
    "end_card": orders.EndCard(person="ann"),
    "grant_chips": orders.GrantChips(person="ann", cents=100, reason="welcome"),
    "set_limits": orders.SetLimits(person="ann", limits=Limits(5000, 60)),
    "exclude": orders.Exclude(person="ann"),
    "exclude, all": orders.Exclude(person="ann", until="2027-01-01T00:00:00+11:00"),
    "let_in": orders.LetIn(person="ann"),
}


def forms(order: Order) -> dict[str, str]:
    """An order as it is encoded, as it is identified, and as it is kept if refused."""
    given = Submission(id="an-id", order=order, who="ann", key="a-key", within=("player",))
    return {
        "encoded": msgspec.json.encode(order).decode(),
        "digest": digest(order).hex(),
        "refused": refused_orders.kept(given, AT, REPLY).decode(),
    }


@pytest.mark.parametrize("name", ORDERS)
def test_an_order_is_stored_as_it_always_was(name: str) -> None:
    assert forms(ORDERS[name]) == json.loads(GOLDEN.read_text(encoding="utf-8"))[name]


def test_every_order_is_here() -> None:
    assert {type(order) for order in ORDERS.values()} == set(orders.ORDERS)


if __name__ == "__main__":
    known = json.loads(GOLDEN.read_text(encoding="utf-8")) if GOLDEN.exists() else {}
    new = {name: forms(order) for name, order in ORDERS.items() if name not in known}
    GOLDEN.write_text(json.dumps(known | new, indent=1, ensure_ascii=True) + "\n", encoding="utf-8")
