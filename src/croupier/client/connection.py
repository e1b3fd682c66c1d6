"""The connection to a house: requests with retries, server-sent events, and the errors that either can raise.

A request is retried only if repeating it is safe. Nothing here knows what a command means.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

import httpx
import msgspec

from croupier.contract.replies import Entry, ProblemBody
from croupier.store.receipts import Receipt

T = TypeVar("T")

API = "/api/v1"
KEY = "idempotency-key"
CSRF = "x-csrf-token"
LONGEST_PAUSE = 2.0  # seconds between two tries, unless the house asks for more
LONGEST_WAIT = 10.0  # seconds it waits at most if the house asks for more; a 429 with a longer wait is raised
SHORTEST_TRY = 0.1  # seconds
# The connection was never made, so the house cannot have received the request.
NOT_CONNECTED = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
BUSY = (502, 503, 504)  # a house that cannot store anything now, or a proxy whose house is down
FOR_GOOD = frozenset({"store_damaged"})  # codes for which retrying does not help


class Pauses:
    """Growing, randomised pauses between tries."""

    def __init__(self, first: float) -> None:
        self._next = first

    def take(self, asked: float | None = None, end: float | None = None) -> bool:
        """Wait, for at least `asked` seconds up to LONGEST_WAIT. Return False at once if that would pass `end`."""
        seconds = self._next * random.uniform(0.5, 1.0)
        if asked is not None:
            seconds = max(seconds, min(asked, LONGEST_WAIT))
        self._next = min(self._next * 2, LONGEST_PAUSE)
        if end is not None and time.monotonic() + seconds >= end:
            return False
        time.sleep(seconds)
        return True


class Line:
    """A thread-safe connection of one person or program to one house."""

    def __init__(
        self,
        url: str,
        *,
        token: str | None,
        tries: int,
        timeout: float,
        total: float,
        first_pause: float,
        transport: httpx.BaseTransport | None,
    ) -> None:
        if tries < 1:
            raise ValueError("A request is tried at least once.")
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"The address of a house must begin with http:// or https://, unlike {url!r} does.")
        self.url = url.rstrip("/")
        self.first_pause = first_pause
        self._tries = tries
        self._timeout = timeout
        self._total = total
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        self.http = httpx.Client(base_url=self.url + API, headers=headers, timeout=total, transport=transport)

    def is_signed_in_with(self, csrf: str) -> None:
        """Send this CSRF token with every further request; the client sends the session cookie by itself."""
        self.http.headers[CSRF] = csrf

    # Queries and commands

    def get(
        self,
        path: str,
        kind: type[T],
        query: Mapping[str, Any] | None = None,
        *,
        slow: bool = False,
        within: float | None = None,
    ) -> T:
        """Send a query. A slow one may use the total time of all tries, or `within` seconds."""
        return read(self._asked("GET", path, None, None, query, slow=slow, within=within).content, kind)

    def get_bytes(self, path: str, query: Mapping[str, Any] | None = None) -> bytes:
        """Download a file that is slow to make."""
        return self._asked("GET", path, None, None, query, slow=True).content

    def command(self, path: str, body: object, key: str, kind: type[T]) -> T:
        """Send a command with an idempotency key, which makes sending it again safe."""
        return read(self._asked("POST", path, body, key).content, kind)

    def post(self, path: str, body: object, kind: type[T], method: str = "POST") -> T:
        """Send a command without a key. It is sent again only if the house cannot have received it."""
        return read(self._asked(method, path, body, None).content, kind)

    def _asked(
        self,
        method: str,
        path: str,
        body: object,
        key: str | None,
        query: Mapping[str, Any] | None = None,
        *,
        slow: bool = False,
        within: float | None = None,
    ) -> httpx.Response:
        headers = {} if key is None else {KEY: key}
        content = None if method == "GET" else msgspec.json.encode(body)
        if content is not None:
            headers["content-type"] = "application/json"
        harmless = method == "GET" or key is not None
        pauses, end = Pauses(self.first_pause), time.monotonic() + (self._total if within is None else within)
        for left in reversed(range(self._tries)):
            longest = end - time.monotonic() if slow else min(self._timeout, end - time.monotonic())
            request = self.http.build_request(
                method, path, content=content, headers=headers, params=query, timeout=max(longest, SHORTEST_TRY)
            )
            try:
                reply = self.http.send(request)
            except httpx.TransportError as error:
                again = left and (harmless or isinstance(error, NOT_CONNECTED))
                if not again or not pauses.take(None, end):
                    raise self.unreachable(error, key) from error
                continue
            if reply.is_success:
                return reply
            refused = refusal(reply)
            if not left or not may_try_again(refused, harmless) or not pauses.take(refused.wait, end):
                raise refused
        raise AssertionError("the last try returns or raises")

    def unreachable(self, error: Exception, key: str | None = None) -> Unreachable:
        """Build the error for a house that does not answer."""
        doubt = "" if key is None else f" Whether the command was carried out is not known; its key is {key}."
        return Unreachable(f"The house at {self.url} does not answer: {_said(error)}.{doubt}", key)

    # Streams

    @contextmanager
    def stream(
        self,
        path: str,
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        timeout: httpx.Timeout | None = None,
    ) -> Iterator[Iterator[bytes]]:
        """Yield bytes as they arrive, without retries. Raises Refused, or TransportError if the connection breaks."""
        limits = self.http.timeout if timeout is None else timeout
        with self.http.stream("GET", path, headers=headers, params=query, timeout=limits) as reply:
            if not reply.is_success:
                reply.read()
                raise refusal(reply)
            yield reply.iter_bytes()

    def lines(self, path: str, query: Mapping[str, Any] | None = None) -> Iterator[bytes]:
        """Yield a text line by line. Raises Unreachable if the connection breaks midway."""
        try:
            with self.stream(path, query=query) as pieces:
                yield from split_lines(pieces)
        except httpx.TransportError as error:
            raise self.unreachable(error) from error


def split_lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield whole lines with their line feeds. Only a line feed ends a line, unlike with `str.splitlines`."""
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield line + b"\n"
    if rest:
        yield rest


def refusal(reply: httpx.Response) -> Refused:
    """Build the refusal from an error reply."""
    wait = reply.headers.get("retry-after", "")
    seconds = float(wait) if wait.isascii() and wait.isdecimal() else None
    try:
        told = msgspec.json.decode(reply.content, type=ProblemBody)
    except msgspec.MsgspecError:  # not from the house but from something in between
        told = ProblemBody(code=f"http_{reply.status_code}", message=f"{reply.reason_phrase or 'No reason was given'}.")
    return Refused(told.code, told.clause, told.message, reply.status_code, wait=seconds)


def may_try_again(refused: Refused, harmless: bool) -> bool:
    """Return whether a retry is safe and may succeed."""
    if refused.code in FOR_GOOD:
        return False
    if refused.status == 429:
        return refused.wait is not None and refused.wait <= LONGEST_WAIT
    return refused.status == 503 or (harmless and refused.status in BUSY)


def read(content: bytes | msgspec.Raw, kind: type[T]) -> T:
    """Decode a reply as a value of a type. Raises BadReply."""
    try:
        return msgspec.json.decode(content or b"null", type=kind)
    except msgspec.MsgspecError as error:
        raise BadReply(f"The reply of the house cannot be understood: {error}.") from error


def _said(error: Exception) -> str:
    """Word a network error so that it can continue a sentence."""
    said = str(error).strip().rstrip(".") or type(error).__name__
    return said[0].lower() + said[1:]


# Errors


class Refused(Exception):
    """The house refused. `code` is for programs, `message` for people, `clause` the rule behind it, if any."""

    def __init__(self, code: str, clause: str | None, message: str, status: int, *, wait: float | None = None) -> None:
        self.code = code
        self.clause = clause
        self.message = message
        self.status = status
        self.wait = wait  # seconds to wait before trying again, if the house gives them
        super().__init__(message if clause is None else f"{message} ({clause})")


class Unreachable(ConnectionError):
    """The house did not answer any of the tries.

    A command may have been carried out all the same. Sending it again with the same `key` does not repeat it.
    """

    def __init__(self, message: str, key: str | None = None) -> None:
        self.key = key
        super().__init__(message)


class BadReply(Exception):
    """The reply is not one that this client understands; carries a sentence."""


class BadReceipt(Exception):
    """The house contradicts what it signed, or signs with another key. `receipts` are the evidence: keep them.

    According to the house, the command was still carried out.
    """

    def __init__(self, message: str, receipts: tuple[Receipt, ...]) -> None:
        self.receipts = receipts
        super().__init__(message)


# Live events: server-sent events that resume after a break without gaps or duplicates

# The house sends a heartbeat at least every 15 seconds.
TIMEOUT = httpx.Timeout(10.0, read=45.0)
STEADY = 5.0  # seconds; a connection that lasted longer resets the pauses
MOST_GAPS = 5  # in a row; more cannot be an accident


class Message(NamedTuple):
    """A server-sent event: its name and its data."""

    name: str
    data: bytes


class _Gap(Exception):
    """An event number is missing: everything since the last one is requested again."""


class Live:
    """The events of one stream, over as many connections as needed."""

    def __init__(self, line: Line, path: str, after: int, patience: float, keep: Callable[[Receipt], None]) -> None:
        """`keep` receives the receipts that arrive when bets close."""
        self._keep = keep
        self._line = line
        self._path = path
        self._position = after
        self._patience = patience
        self._pauses = Pauses(line.first_pause)
        self._heard = time.monotonic()  # when the house last sent anything
        self._gaps = 0

    def entries(self) -> Generator[Entry, None, None]:
        """Yield each entry after a version as it happens, until the caller stops.

        Raises Refused if the caller may not listen any longer, and Unreachable if the house is silent for too long.
        """
        while True:
            start, begin = self._position, time.monotonic()
            wait, error = None, Exception("it ended the connection")
            try:
                yield from self._one_connection()
            except Refused as refused:
                if not may_try_again(refused, harmless=True):
                    raise
                wait, error = refused.wait, refused
            except (httpx.TransportError, _Gap) as broken:
                error = broken
            if self._position > start or time.monotonic() - begin > STEADY:
                self._pauses = Pauses(self._line.first_pause)
            if time.monotonic() - self._heard > self._patience:
                raise self._line.unreachable(error) from error
            self._pauses.take(wait)

    def _one_connection(self) -> Iterator[Entry]:
        with self._line.stream(self._path, {"last-event-id": str(self._position)}, timeout=TIMEOUT) as pieces:
            for together in messages(self._noted(pieces)):
                for message in together:  # keep the receipts before acting on any entry
                    if message.name == "receipt":
                        self._keep(read(message.data, Receipt))
                for message in together:
                    if message.name == "entry" and (entry := self._next(message)) is not None:
                        self._position = entry.version
                        yield entry

    def _noted(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            self._heard = time.monotonic()
            yield piece

    def _next(self, message: Message) -> Entry | None:
        """Return the entry if it is the next one, or None if it is a repeat. Raises _Gap if one is missing."""
        entry = read(message.data, Entry)
        if entry.version <= self._position:
            return None
        if entry.version == self._position + 1:
            self._gaps = 0
            return entry
        self._gaps += 1
        if self._gaps == MOST_GAPS:
            raise BadReply(f"The house left out event {self._position + 1} and sent {entry.version}.")
        raise _Gap(f"event {self._position + 1} is missing")


def messages(pieces: Iterator[bytes]) -> Iterator[list[Message]]:
    """Yield the messages of a stream, grouped as they arrived. A message that was cut off is dropped."""
    name, data, rest = "message", list[bytes](), b""
    for piece in pieces:
        together = list[Message]()
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            content = line.rstrip(b"\r")
            field, _, value = content.partition(b":")
            if field == b"event":
                name = value.removeprefix(b" ").decode("utf-8", "replace")
            elif field == b"data":
                data.append(value.removeprefix(b" "))
            elif not content:
                if data:
                    together.append(Message(name, b"\n".join(data)))
                name, data = "message", []
        yield together
