"""The stored form of a refused order: who wanted what, and why it was refused, in at most a kilobyte.

The caller controls the length of an order and must not control how much is stored. Of a longer order only the beginning
is kept, with its length and digest: anyone who has the whole order can prove that it is the same.
"""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256

import msgspec

from croupier.contract.replies import ProblemBody
from croupier.house.orders.order import AtTable, OfPromotion, Order, Submission
from croupier.house.stored_events import FORMAT, stamp

MOST_KEPT = 1024  # bytes of a refusal
MOST_SAID = 500  # characters of a message: some quote what the caller sent
MOST_ABOUT = 20

_encode = msgspec.json.Encoder().encode


def kept(submission: Submission, at: datetime, reply: ProblemBody) -> bytes:
    """Return the stored form of a refused order, with the reply.

    In every store the order is under the name "deed", and "order" is its id.
    """
    told: dict[str, object] = msgspec.to_builtins(reply)
    front = {"format": FORMAT, "at": stamp(at), "who": submission.who, "order": submission.id}
    order = submission.order.impersonal()
    whole = _encode(front | {"deed": order} | told)
    if len(whole) <= MOST_KEPT:
        return whole
    said = _encode(order)
    of_it = {"bytes": len(said), "sha256": sha256(said).hexdigest()}
    made = b""
    for most in (MOST_SAID, 100, 10):  # unprintable characters take six bytes each
        cut = front | {"deed": _named(order, most), **of_it, "cut": ""} | _shortened(told, most)
        room = max(0, MOST_KEPT - len(_encode(cut))) // 2  # a character of it may take two
        made = _encode(cut | {"cut": said[:room].decode(errors="ignore")})
        if len(made) <= MOST_KEPT:
            break
    return made


def _named(order: Order, most: int) -> dict[str, str]:
    """Return which order it is, and its table or promotion."""
    named = {"deed": order.tag()}
    if isinstance(order, AtTable):
        named["table"] = shortened(order.table, most)
    elif isinstance(order, OfPromotion):
        named["promotion"] = shortened(order.promotion, most)
    return named


def _shortened(told: dict[str, object], most: int) -> dict[str, object]:
    rest = {name: value for name, value in told.items() if name != "about"}
    return {name: shortened(value, most) if isinstance(value, str) else value for name, value in rest.items()}


def shortened(text: str, most: int = MOST_SAID) -> str:
    """Return a text, cut off if it is too long."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
