"""How these commands speak: results as text or JSON, and one sentence for whatever cannot be done."""

from __future__ import annotations

import sys

import msgspec

CANNOT = 2  # the exit status where something cannot be read or done


def plain(text: str) -> str:
    """A text from anywhere, fit for a screen and for JSON: names in a damaged file may hold anything."""
    return "".join(mark if mark.isprintable() else "?" for mark in text)


def complain(error: Exception) -> int:
    """Say why something cannot be done; the result is the exit status."""
    print(f"croupier: {plain(str(error))}", file=sys.stderr)
    return CANNOT


def print_json(value: object) -> None:
    """A result for programs."""
    print(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def many(count: int, one: str, more: str | None = None) -> str:
    """`1 event`, `1,200 events`."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def held(records: int, streams: int, checkpoints: int) -> str:
    """What a store or a file holds; checkpoints are kept in a stream of their own, which is not counted."""
    events = f"{many(records, 'event')} in {many(streams, 'stream')}"
    return f"{events} and {many(checkpoints, 'checkpoint')}"
