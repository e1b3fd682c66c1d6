"""Clients that are still waiting when a house closes."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from croupier.server.connections import with_last_words


def given_up(begins: bool) -> list[dict[str, Any]]:
    """What is sent for a request that is given up: before its answer has begun, or after."""
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:  # noqa: ANN401  # as the server takes it
        if message["type"] == "http.response.start" and sent:
            raise RuntimeError("The answer has begun.")
        sent.append(message)

    async def app(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401
        if begins:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.sleep(60)

    async def main() -> None:
        task = asyncio.ensure_future(with_last_words(app)({}, None, send))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        task.cancel()
        await task

    if begins:
        with pytest.raises(asyncio.CancelledError):
            asyncio.run(main())
    else:
        asyncio.run(main())
    return sent


def test_who_waits_is_told_that_the_house_closes() -> None:
    start, body = given_up(begins=False)
    assert start["status"] == 503
    told = json.loads(body["body"])
    assert (told["ok"], told["code"]) == (False, "closing")
    assert dict(start["headers"])[b"content-length"] == b"%d" % len(body["body"])


def test_an_answer_that_has_begun_is_left_alone() -> None:
    assert [message["status"] for message in given_up(begins=True)] == [200]
