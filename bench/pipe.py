"""Three bets and a roll over the pipe, many times, against a loop that only parses and prints the same JSON lines."""

from __future__ import annotations

import io
import json
from typing import Any

import msgspec

from bench.timing import by_turns
from croupier.pipe import run
from croupier.rules.shelf import Shelf

ROUNDS = 500
OPENING = ['{"do":"open","book":"craps-nsw-2024"}', '{"do":"seat","player":"ann","chips":"1000000.00"}']
ROUND = [
    '{"do":"bet","player":"ann","wager":"field","amount":"10.00"}',
    '{"do":"bet","player":"ann","wager":"hardway","pick":8,"amount":"10.00"}',
    '{"do":"bet","player":"ann","wager":"any_seven","amount":"5.00"}',
    '{"do":"roll","dice":[3,4]}',
]


def pipe_ratio() -> tuple[float, str]:
    """Compare the table with the standard library's JSON on the same input and output lines."""
    lines = "\n".join(OPENING + ROUND * ROUNDS).encode() + b"\n"
    shelf = Shelf()
    replies = _through_the_pipe(lines, shelf)
    objects = [json.loads(reply) for reply in replies.splitlines()]
    assert all(reply["ok"] for reply in objects)
    ours, standard = by_turns(lambda: _through_the_pipe(lines, shelf), lambda: _bare(lines, objects), 7)
    _, quick = by_turns(lambda: None, lambda: _bare_msgspec(lines, objects), 7)
    per_round = ours / ROUNDS * 1e6
    return ours / standard, f"{per_round:.0f} µs a round; {ours / quick:.1f} times with msgspec in the bare loop"


def _through_the_pipe(lines: bytes, shelf: Shelf) -> bytes:
    out = io.BytesIO()
    run(io.BytesIO(lines), out, shelf)
    return out.getvalue()


def _bare(lines: bytes, replies: list[Any]) -> None:
    out = io.BytesIO()
    for line, reply in zip(io.BytesIO(lines), replies, strict=True):
        json.loads(line)
        out.write(json.dumps(reply).encode() + b"\n")
        out.flush()


def _bare_msgspec(lines: bytes, replies: list[Any]) -> None:
    out = io.BytesIO()
    decode, encode = msgspec.json.decode, msgspec.json.Encoder().encode
    for line, reply in zip(io.BytesIO(lines), replies, strict=True):
        decode(line)
        out.write(encode(reply) + b"\n")
        out.flush()
