"""Logs: one line of JSON for each thing that happened. Bodies, headers, cookies and queries are never in them."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from threading import Lock
from time import monotonic

import msgspec

MOST_OF_A_KIND = 20  # lines in as many seconds
SECONDS = 10.0
MOST_KINDS = 1000
LONGEST_KIND = 100
OF_A_REQUEST = ("method", "path", "status", "person")  # one with another of these is of another kind

Kind = tuple[object, ...]
OTHERS: Kind = ()  # all of them together, where there are too many kinds

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
    """Lets so many of the same lines through in a while, and then says how many more there were.

    Whatever goes wrong for everybody who comes goes wrong thousands of times a second, and anybody may ask that often.
    """

    def __init__(
        self, most: int = MOST_OF_A_KIND, seconds: float = SECONDS, clock: Callable[[], float] = monotonic
    ) -> None:
        super().__init__()
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._kinds: dict[Kind, Seen] = {}
        self._counting = Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is logged."""
        with self._counting:
            now = self._clock()
            kind = self._counted_as(_kind(record), now)
            seen = self._kinds.get(kind)
            if seen is None or now >= seen.until:
                left_out = 0 if seen is None else seen.count - self._most
                if left_out > 0:
                    record.left_out = left_out
                seen = self._kinds[kind] = Seen(now + self._seconds)
            seen.count += 1
            return seen.count <= self._most

    def _counted_as(self, kind: Kind, now: float) -> Kind:
        """A kind, while there is room for one more: whoever makes up new ones all the time gets no more lines by it."""
        if kind in self._kinds or len(self._kinds) < MOST_KINDS:
            return kind
        if now < self._kinds.get(OTHERS, Seen(now)).until:  # it has been looked for room a moment ago
            return OTHERS
        self._kinds = {one: seen for one, seen in self._kinds.items() if now < seen.until or one == OTHERS}
        return kind if len(self._kinds) < MOST_KINDS else OTHERS


def _kind(record: logging.LogRecord) -> Kind:
    """What makes two records the same, whatever else goes with them."""
    fault = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] is not None else ""
    asked = (record.__dict__.get(name) for name in OF_A_REQUEST)
    return record.name, record.levelno, str(record.msg)[:LONGEST_KIND], fault, *asked


def start_logging(level: str) -> None:
    """Everything from this level on goes to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(Throttle())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("httpx").setLevel(logging.WARNING)
