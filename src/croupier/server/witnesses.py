"""Hands each checkpoint of this house to its witnesses, without ever depending on them.

A witness is a file, a URL or another house. One that does not answer is retried as long as the house is open. If a
witness has a checkpoint that the store lacks, or a different one with the same number, the store was rolled back: the
log and `/health` report it.
"""

from __future__ import annotations

import asyncio
import logging
import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import httpx
import msgspec

from croupier.contract.replies import WitnessState
from croupier.store.checkpoints import STREAM, Checkpoint, read_checkpoint
from croupier.store.contract import Reading, StoreError
from croupier.store.drafts import settle_folder
from croupier.store.witnessing import Handed, Witnessed, against_witnessed, read_witnessed

FILE, HOUSE = "file:", "house:"
TIMEOUT = 10.0  # seconds for one checkpoint
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 300.0
LAST_CHANCE = 2.0  # seconds for the last checkpoint when the house closes
AT_ONCE = 100  # checkpoints read together
MOST_REPLY = 64 * 1024

log = logging.getLogger("croupier.server")


class Trouble(Exception):
    """A checkpoint could not be handed over; carries a sentence."""


class _Reply(msgspec.Struct, frozen=True):
    number: int


class Witness(ABC):
    """A keeper of checkpoints. `name` is public: it has no path and no token."""

    name: str

    async def newest(self) -> Checkpoint | None:
        """Return the last checkpoint handed over, if the witness can be asked. Raises Trouble."""
        return None

    @abstractmethod
    async def hand(self, checkpoint: Checkpoint) -> int | None:
        """Hand over a checkpoint; return the witness's highest number if it gives one. Raises Trouble."""


class FileWitness(Witness):
    """A file, best on another machine's disk or on paper: one line per checkpoint, never rewritten."""

    def __init__(self, path: Path) -> None:
        self.name = "a file"
        self._path = path

    async def newest(self) -> Checkpoint | None:
        """Return the checkpoint in the last line."""
        return await asyncio.to_thread(self._newest)

    def _newest(self) -> Checkpoint | None:
        try:
            content = self._path.read_bytes()
            end = content.rfind(b"\n") + 1
            if end < len(content):  # cut off by a power failure
                os.truncate(self._path, end)
            return read_witnessed(content[:end], self.name)[-1].checkpoint if end else None
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Trouble(f"The file cannot be read: {error.strerror or error}.") from error
        except ValueError as error:
            raise Trouble(f"The file is not one of a witness: {error}.") from None

    async def hand(self, checkpoint: Checkpoint) -> int | None:
        """Append the checkpoint and sync it to disk."""
        await asyncio.to_thread(self._append, Handed.of(checkpoint).line())
        return None

    def _append(self, line: bytes) -> None:
        try:
            is_new = not self._path.exists()
            with self._path.open("ab") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
            if is_new:
                settle_folder(self._path.parent)
        except OSError as error:
            raise Trouble(f"The file cannot be written: {error.strerror or error}.") from error


class UrlWitness(Witness):
    """A URL that accepts a POST. The part before an @ in the address is sent as a token and never shown."""

    def __init__(self, url: str, name: str) -> None:
        parts = urlsplit(url)
        self.name = f"{name}{parts.hostname}"
        self._url = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
        token = unquote(parts.netloc.rpartition("@")[0])
        self._headers = {"content-type": "application/json"}
        if token:
            self._headers["authorization"] = f"Bearer {token}"

    async def hand(self, checkpoint: Checkpoint) -> int | None:
        """Send the checkpoint; another house returns the highest number it has from us."""
        body = msgspec.json.encode(Handed.of(checkpoint))
        try:
            async with httpx.AsyncClient(timeout=TIMEOUT) as http:
                reply = await http.post(self._url, content=body, headers=self._headers)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise Trouble(f"The witness does not answer: {type(error).__name__}.") from error
        if not reply.is_success:
            raise Trouble(f"The witness refuses the checkpoint: it answered {reply.status_code}.")
        with suppress(msgspec.MsgspecError):  # any URL that accepts a POST may answer anything
            return msgspec.json.decode(reply.content[:MOST_REPLY], type=_Reply).number
        return None


def witness_at(place: str, key: str) -> Witness:
    """Create the witness that a setting names; `key` is the public key of this house."""
    if place.startswith(FILE):
        return FileWitness(Path(place.removeprefix(FILE)))
    if place.startswith(HOUSE):
        url = place.removeprefix(HOUSE).rstrip("/")
        return UrlWitness(f"{url}/api/v1/witness/{quote(key)}", "the house at ")
    return UrlWitness(place, "")


class Post:
    """Delivery to one witness. `back` is set for good once the witness shows that the store was rolled back."""

    def __init__(self, witness: Witness, store: Reading) -> None:
        self.witness = witness
        self.trouble: str | None = None
        self.back: str | None = None
        self.handed = 0  # the number of the newest checkpoint it has accepted
        self._store = store
        self._position: int | None = None
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Note that there is a new checkpoint."""
        self._woken.set()

    async def run(self) -> None:
        """Deliver all checkpoints as long as the house is open."""
        pause = FIRST_PAUSE
        while True:
            self._woken.clear()
            if await self.catch_up():
                pause = FIRST_PAUSE
                await self._woken.wait()
            else:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    async def catch_up(self) -> bool:
        """Deliver what the witness lacks; return whether it has everything now."""
        try:
            if self._position is None:
                self._position = await self._begin()
            while await self._go_on(self._position):
                pass
        except (Trouble, StoreError) as error:
            if self.trouble is None:  # logged once, not at every try
                log.error("a witness does not have the newest checkpoint", extra=self._about(str(error)))
            self.trouble = str(error)
            return False
        except Exception as error:  # no failure of a witness may stop the house
            log.exception("a fault with a witness")
            self.trouble = f"{type(error).__name__}."
            return False
        if self.trouble is not None:
            log.info("a witness has all checkpoints again", extra=self._about(""))
        self.trouble = None
        return True

    async def _begin(self) -> int:
        """Return where to continue: after what the witness has. One that cannot be asked gets only the newest."""
        last = await asyncio.to_thread(self._store.head, STREAM)
        newest = await self.witness.newest()
        if newest is None:
            return max(0, last.version - 1)
        self.handed = min(newest.statement.number, last.version)
        here = await asyncio.to_thread(self._own, self.handed)
        for said in against_witnessed([Witnessed(newest, self.witness.name)], here):
            self._goes_back(said)
        return self.handed

    def _own(self, number: int) -> dict[int, Checkpoint]:
        """Return the checkpoint with this number, keyed by its number."""
        found = self._store.read(STREAM, number - 1, 1) if number else []
        return {record.version: read_checkpoint(record.document) for record in found}

    async def _go_on(self, position: int) -> bool:
        records = await asyncio.to_thread(self._store.read, STREAM, position, AT_ONCE)
        for record in records:
            checkpoint = read_checkpoint(record.document)
            highest = await self.witness.hand(checkpoint)
            self.handed = self._position = record.version
            last = records[-1].version
            if highest is not None and highest > last and highest > await self._last():
                self._goes_back(
                    f"The witness {self.witness.name} has checkpoint {highest}; here the last is number {last}: the "
                    "store was reset to an earlier state."
                )
        return bool(records)

    async def _last(self) -> int:
        """Read the number of the last checkpoint: another process of this house may have sealed meanwhile."""
        return (await asyncio.to_thread(self._store.head, STREAM)).version

    def _goes_back(self, sentence: str) -> None:
        if self.back is None:
            log.error("the store was rolled back", extra=self._about(sentence))
        self.back = sentence

    def _about(self, reason: str) -> dict[str, str]:
        return {"witness": self.witness.name, "reason": reason}

    def shown(self) -> WitnessState:
        """Return the state of delivery for `/health`."""
        return WitnessState(self.witness.name, self.handed, self.back or self.trouble)


class Witnesses:
    """All witnesses of a house."""

    def __init__(self, places: Sequence[str], store: Reading, key: str) -> None:
        self._posts = [Post(witness_at(place, key), store) for place in places]
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Start delivery."""
        self._tasks = [asyncio.create_task(post.run(), name="croupier-witness") for post in self._posts]

    def sealed(self) -> None:
        """Notify all of a new checkpoint."""
        for post in self._posts:
            post.wake()

    async def stop(self) -> None:
        """Stop, after a last try to deliver the newest checkpoint."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._posts:
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.gather(*(post.catch_up() for post in self._posts)), LAST_CHANCE)

    def shown(self) -> list[WitnessState]:
        """Return the state of each witness."""
        return [post.shown() for post in self._posts]
