"""Promotional tokens in the replies of the pipe: in hand, on the layout, laid, returned and collected."""

from __future__ import annotations

import json
from typing import Any

from croupier.pipe import Pipe
from tests.talk import CRAPS, SHELF


def asked(pipe: Pipe, **fields: object) -> dict[str, Any]:
    reply: dict[str, Any] = json.loads(pipe.answer(json.dumps(fields).encode()))
    assert reply["ok"], reply
    return reply


def with_tokens() -> Pipe:
    """A table at which ann has 20.00 in tokens."""
    pipe = Pipe(SHELF)
    asked(pipe, do="open", book=CRAPS)
    assert "tokens" not in asked(pipe, do="seat", player="ann", chips="100.00")
    issued = asked(pipe, do="exchange_voucher", player="ann", amount="20.00", **{"as": "dealer"})
    assert issued["events"][-1]["tokens"] == "20.00"
    assert issued["tokens"] == {"ann": "20.00"}
    assert issued["chips"] == {"ann": "100.00"}
    return pipe


def test_a_reply_shows_the_tokens_in_hand_and_on_the_layout() -> None:
    pipe = with_tokens()
    placed = asked(pipe, do="bet", player="ann", wager="field", amount="20.00", tokens="15.00")
    assert placed["events"][0]["tokens"] == "15.00"
    assert placed["wagers"][0]["tokens"] == "15.00"
    assert placed["tokens"] == {"ann": "5.00"}
    assert placed["chips"] == {"ann": "95.00"}
    back = asked(pipe, do="take", player="ann", wager="field")
    assert back["events"][0]["tokens"] == "15.00"
    assert back["tokens"] == {"ann": "20.00"}


def test_tokens_that_lose_are_gone_from_the_reply() -> None:
    pipe = with_tokens()
    asked(pipe, do="bet", player="ann", wager="field", amount="20.00", tokens="20.00")
    settled = asked(pipe, do="roll", dice=[3, 4])
    lost = next(event for event in settled["events"] if event["type"] == "wager_settled")
    assert (lost["result"], lost["tokens"], lost["tokens_returned"]) == ("lose", "20.00", "0.00")
    assert "tokens" not in settled


def test_a_wager_without_tokens_does_not_mention_them() -> None:
    pipe = with_tokens()
    placed = asked(pipe, do="bet", player="ann", wager="field", amount="20.00")
    assert "tokens" not in placed["events"][0]
    assert "tokens" not in placed["wagers"][0]
    settled = asked(pipe, do="roll", dice=[3, 4])
    lost = next(event for event in settled["events"] if event["type"] == "wager_settled")
    assert not {"tokens", "tokens_returned"} & lost.keys()
    assert settled["tokens"] == {"ann": "20.00"}
