"""Logs: one line of JSON for each thing that happened. Bodies, headers, cookies and queries are never in them."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from time import monotonic

import msgspec

MOST_OF_A_KIND = 20  # warnings in as many seconds
SECONDS = 10.0
MOST_KINDS = 1000
LONGEST_KIND = 100

Kind = tuple[str, int, str, str]

# What every record of Python's logging has; what else is there was added by whoever logged it.
_PLAIN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName", "color_message"}

_encode = msgspec.json.Encoder(enc_hook=str).encode


class JsonLines(logging.Formatter):
    """A record as one line."""

    def format(self, record: logging.LogRecord) -> str:
        """When, how grave, from where, what, and whatever goes with it."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line: dict[str, object] = {"at": at, "level": record.levelname.lower(), "from": record.name}
        line["what"] = record.getMessage()
        line |= {name: value for name, value in record.__dict__.items() if name not in _PLAIN}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return _encode(line).decode()


class Seen(msgspec.Struct):
    """How often something was to be logged, until when."""

    until: float
    count: int = 0


class Throttle(logging.Filter):
    """Lets so many of the same warnings through in a while, and then says how many more there were.

    Whatever goes wrong for everybody who comes goes wrong thousands of times a second.
    """

    def __init__(
        self, most: int = MOST_OF_A_KIND, seconds: float = SECONDS, clock: Callable[[], float] = monotonic
    ) -> None:
        super().__init__()
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._kinds: dict[Kind, Seen] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is logged."""
        if record.levelno < logging.WARNING:
            return True
        now, kind = self._clock(), _kind(record)
        seen = self._kinds.get(kind)
        if seen is None or now >= seen.until:
            left_out = 0 if seen is None else seen.count - self._most
            if left_out > 0:
                record.left_out = left_out
            if len(self._kinds) >= MOST_KINDS:
                self._kinds.clear()
            seen = self._kinds[kind] = Seen(now + self._seconds)
        seen.count += 1
        return seen.count <= self._most


def _kind(record: logging.LogRecord) -> Kind:
    """What makes two records the same, whatever goes with them."""
    fault = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] is not None else ""
    return record.name, record.levelno, str(record.msg)[:LONGEST_KIND], fault


def start_logging(level: str) -> None:
    """Everything from this level on goes to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(Throttle())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("httpx").setLevel(logging.WARNING)
