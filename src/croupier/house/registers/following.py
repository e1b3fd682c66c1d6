"""Registers of a store: taken in from a view of it, page by page, and the names that are kept apart from its events."""

from __future__ import annotations

import msgspec

from croupier.house.documents import read
from croupier.house.registers.registers import STREAMS, Registers
from croupier.rules.errors import RuleBookError
from croupier.rules.shelf import Shelf
from croupier.store.contract import CorruptStore, Reading
from croupier.store.records import Record
from croupier.store.view import PAGE

VAULT = "claimant/"  # what the private things of a store begin with that are names and addresses


class Claimant(msgspec.Struct, frozen=True):
    """Who made a claim."""

    name: str
    address: str


class Followed:
    """The registers of a store. They go on where they were: what was read once is not read again."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._begin()

    def _begin(self) -> None:
        self._registers = Registers(self._shelf)
        self._read: dict[str, int] = {}

    def up_to(self, view: Reading) -> Registers:
        """The registers as far as a view goes. Raises StoreError, and RuleBookError where a book is missing."""
        for head in view.heads():
            if head.stream.startswith(STREAMS):
                self._go_on(view, head.stream)
        return self._registers

    def _go_on(self, view: Reading, stream: str) -> None:
        while records := view.read(stream, self._read.get(stream, 0), PAGE):
            try:
                self.take_in(stream, records)
            except RuleBookError:  # nothing is wrong with the stream: its book is not at hand
                self._begin()
                raise
            except Exception as error:  # the hashes are right, and it makes no sense all the same
                self._begin()  # how far that stream was entered, nobody knows any more
                first, last = records[0].version, records[-1].version
                say = f"{view.name} is damaged: events {first} to {last} of {stream} cannot be understood: {error}"
                raise CorruptStore(f"{say.rstrip('.')}.", stream, first) from error

    def take_in(self, stream: str, records: list[Record]) -> Registers:
        """Go on with some records of a stream, which are as they were written."""
        self._registers.take_in(stream, list(map(read, records)))
        self._read[stream] = records[-1].version
        return self._registers


def claimants_of(view: Reading) -> dict[tuple[str, str], tuple[str, str]]:
    """Names and addresses of claimants, by promotion and claim. Raises StoreError."""
    found = {}
    for secret in view.secrets(VAULT):
        promotion, _, claim = secret.name.removeprefix(VAULT).partition("/")
        if secret.value is not None:
            try:
                one = msgspec.json.decode(secret.value, type=Claimant)
            except msgspec.MsgspecError:
                raise CorruptStore(f"{view.name} is damaged: the claimant of {claim} cannot be read.") from None
            found[promotion, claim] = (one.name, one.address)
    return found
