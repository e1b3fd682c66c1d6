"""The line to a house: requests that are sent again where that does no harm, and answers that are read or raised."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

import httpx
import msgspec

from croupier.client.replies import Entry
from croupier.store.receipts import Receipt

T = TypeVar("T")

API = "/api/v1"
KEY = "idempotency-key"
CSRF = "x-csrf-token"
LONGEST_PAUSE = 2.0  # seconds between two tries, where the house does not ask for more
LONGEST_WAIT = 10.0  # and where it does; who is asked to wait for longer is told so
SHORTEST_TRY = 0.1  # seconds
# The connection was never made, so nobody can have heard anything.
NOT_CONNECTED = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
BUSY = (502, 503, 504)  # of a house that cannot store anything now, or of a proxy in front of one that is not there
FOR_GOOD = frozenset({"store_damaged"})  # trying again does not help


class _Problem(msgspec.Struct, frozen=True):
    """What every error of a house says."""

    code: str
    message: str
    clause: str | None = None


class Pauses:
    """How long to wait before each further try: longer each time, and never the same for all who wait."""

    def __init__(self, first: float) -> None:
        self._next = first

    def take(self, asked: float | None = None, end: float | None = None) -> bool:
        """Wait; `asked` is what the house asks for. False, at once, where that would last beyond the `end`."""
        seconds = self._next * random.uniform(0.5, 1.0)
        if asked is not None:
            seconds = max(seconds, min(asked, LONGEST_WAIT))
        self._next = min(self._next * 2, LONGEST_PAUSE)
        if end is not None and time.monotonic() + seconds >= end:
            return False
        time.sleep(seconds)
        return True


class Line:
    """One house, one person or program. Several threads may use it."""

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
            raise ValueError(f"The address of a house begins with http:// or https://, not as {url!r} does.")
        self.url = url.rstrip("/")
        self.first_pause = first_pause
        self._tries = tries
        self._timeout = timeout
        self._total = total
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        self.http = httpx.Client(base_url=self.url + API, headers=headers, timeout=total, transport=transport)

    def is_signed_in_with(self, csrf: str) -> None:
        """From now on the cookie goes with every request, and this with every one that is not a GET."""
        self.http.headers[CSRF] = csrf

    # Questions and commands

    def get(
        self,
        path: str,
        kind: type[T],
        query: Mapping[str, Any] | None = None,
        *,
        slow: bool = False,
        within: float | None = None,
    ) -> T:
        """Ask for something; what is slow to make may take as long as all tries together, or as long as is said."""
        return read(self._asked("GET", path, None, None, query, slow=slow, within=within).content, kind)

    def get_bytes(self, path: str, query: Mapping[str, Any] | None = None) -> bytes:
        """Ask for a file that is slow to make, whatever is in it."""
        return self._asked("GET", path, None, None, query, slow=True).content

    def command(self, path: str, body: object, key: str, kind: type[T]) -> T:
        """Have something done once: the key sees to that, however often it has to be sent."""
        return read(self._asked("POST", path, body, key).content, kind)

    def post(self, path: str, body: object, kind: type[T], method: str = "POST") -> T:
        """Have something done that takes no key. Sent again only where nobody can have heard it."""
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
        """The house does not answer."""
        doubt = "" if key is None else f" Whether the command was carried out is not known; its key is {key}."
        return Unreachable(f"The house at {self.url} does not answer: {_said(error)}.{doubt}", key)

    # What is read as it comes

    @contextmanager
    def stream(
        self,
        path: str,
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        timeout: httpx.Timeout | None = None,
    ) -> Iterator[Iterator[bytes]]:
        """Bytes as they come, from one try. Raises Refused, and httpx.TransportError when the line breaks."""
        limits = self.http.timeout if timeout is None else timeout
        with self.http.stream("GET", path, headers=headers, params=query, timeout=limits) as reply:
            if not reply.is_success:
                reply.read()
                raise refusal(reply)
            yield reply.iter_bytes()

    def lines(self, path: str, query: Mapping[str, Any] | None = None) -> Iterator[bytes]:
        """A text, line by line. Raises Unreachable where the line breaks in the middle."""
        try:
            with self.stream(path, query=query) as pieces:
                yield from split_lines(pieces)
        except httpx.TransportError as error:
            raise self.unreachable(error) from error


def split_lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Whole lines with their line feeds; nothing else ends a line, whatever signs a text may have in it."""
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield line + b"\n"
    if rest:
        yield rest


def refusal(reply: httpx.Response) -> Refused:
    """What an answer that is no success says."""
    wait = reply.headers.get("retry-after", "")
    seconds = float(wait) if wait.isascii() and wait.isdecimal() else None
    try:
        told = msgspec.json.decode(reply.content, type=_Problem)
    except msgspec.MsgspecError:  # not the house: something between it and us
        told = _Problem(f"http_{reply.status_code}", f"{reply.reason_phrase or 'No reason was given'}.")
    return Refused(told.code, told.clause, told.message, reply.status_code, wait=seconds)


def may_try_again(refused: Refused, harmless: bool) -> bool:
    """Whether nothing has happened, or sending it again does no harm, and it may go better the next time."""
    if refused.code in FOR_GOOD:
        return False
    if refused.status == 429:
        return refused.wait is not None and refused.wait <= LONGEST_WAIT
    return refused.status == 503 or (harmless and refused.status in BUSY)


def read(content: bytes | msgspec.Raw, kind: type[T]) -> T:
    """What a house answered, as a value of a kind. Raises BadReply."""
    try:
        return msgspec.json.decode(content or b"null", type=kind)
    except msgspec.MsgspecError as error:
        raise BadReply(f"The house answered something that is not understood: {error}.") from error


def _said(error: Exception) -> str:
    """What an error of the network says, to go on with in a sentence."""
    said = str(error).strip().rstrip(".") or type(error).__name__
    return said[0].lower() + said[1:]


# -- errors -----------------------------------------------------------------------------------------------------------
# What can go wrong between a program and a house.


class Refused(Exception):
    """The house says no. `code` is for programs, `message` for people, `clause` the rule behind it, if any."""

    def __init__(self, code: str, clause: str | None, message: str, status: int, *, wait: float | None = None) -> None:
        self.code = code
        self.clause = clause
        self.message = message
        self.status = status
        self.wait = wait  # seconds after which it may be tried again, where the house says so
        super().__init__(message if clause is None else f"{message} ({clause})")


class Unreachable(ConnectionError):
    """The house did not answer, however often it was asked.

    A command may have been carried out all the same. Sent again with the same `key`, it is not carried out twice.
    """

    def __init__(self, message: str, key: str | None = None) -> None:
        self.key = key
        super().__init__(message)


class BadReply(Exception):
    """What came back is no answer of a house that this client understands; carries a sentence."""


class BadReceipt(Exception):
    """The house contradicts what it signed, or signs with another key. `receipts` show it: keep them.

    What was ordered was carried out all the same, as far as the house says.
    """

    def __init__(self, message: str, receipts: tuple[Receipt, ...]) -> None:
        self.receipts = receipts
        super().__init__(message)


# -- live -------------------------------------------------------------------------------------------------------------
# Live events: server-sent events that go on by themselves after a break, with nothing missed and nothing doubled.

# The house says at least every 15 seconds that it is still there.
TIMEOUT = httpx.Timeout(10.0, read=45.0)
STEADY = 5.0  # seconds, after which a connection that breaks was a good one
MOST_GAPS = 5  # in a row: then it is no accident


class Message(NamedTuple):
    """One message: its name, and what it says."""

    name: str
    data: bytes


class _Gap(Exception):
    """A number is missing: what has come since the last one is asked for again."""


class Live:
    """What is heard of one stream, through as many connections as it takes."""

    def __init__(self, line: Line, path: str, after: int, patience: float, keep: Callable[[Receipt], None]) -> None:
        """`keep` is handed the receipts that come when bets are shut."""
        self._keep = keep
        self._line = line
        self._path = path
        self._position = after
        self._patience = patience
        self._pauses = Pauses(line.first_pause)
        self._heard = time.monotonic()  # when anything was heard of the house
        self._gaps = 0

    def entries(self) -> Generator[Entry, None, None]:
        """Everything after a version, as it happens, for as long as anybody asks for more.

        Raises Refused where one may not listen any longer, and Unreachable where nothing is heard for too long.
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
                for message in together:  # what the house has signed is at hand before anything is done about it
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
        """The entry, if it is the next one; None for one that has come already. Raises _Gap where one is missing."""
        entry = read(message.data, Entry)
        if entry.version <= self._position:
            return None
        if entry.version == self._position + 1:
            self._gaps = 0
            return entry
        self._gaps += 1
        if self._gaps == MOST_GAPS:
            raise BadReply(f"The house leaves event {self._position + 1} out, and tells {entry.version}.")
        raise _Gap(f"event {self._position + 1} did not come")


def messages(pieces: Iterator[bytes]) -> Iterator[list[Message]]:
    """The messages of a stream, those together that came together. One that was cut off is none."""
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
