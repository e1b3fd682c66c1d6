"""The records of a table as they are stored, for whoever would rather follow the chain than believe the house."""

from __future__ import annotations

import msgspec
from litestar import get

from croupier.house.streams import is_name, table_stream
from croupier.server.api.asks import After, Ask, Limit, TableName, premises_of
from croupier.server.api.errors import PROBLEMS
from croupier.server.problems import Problem
from croupier.store.chain import anchor
from croupier.store.contract import Reading
from croupier.store.records import Head, Record


class RecordShown(msgspec.Struct, frozen=True):
    """A record: the text of its document, byte for byte, and the hash that is kept with it."""

    version: int
    document: str
    hash: str


class RecordsShown(msgspec.Struct, frozen=True):
    """Some records of a stream. `anchor` is the hash that the first one follows; `version` and `head` are its end."""

    stream: str
    anchor: str
    version: int
    head: str
    records: list[RecordShown]
    next: int | None


@get(
    "/tables/{table:str}/records",
    opt={"needs": ("operator", "inspector")},
    summary="Records as they are stored",
    responses=PROBLEMS,
    tags=["tables"],
)
async def records(request: Ask, table: TableName, after: After = 0, limit: Limit = 500) -> RecordsShown:
    """Documents and hashes, not checked by the house: whoever asks can find out whether each follows the one before.

    A hash is the SHA-256 of the hash before it and of the SHA-256 of the document, one after the other.
    """
    premises, stream = premises_of(request), table_stream(table)
    head, found = await premises.reading(_read, premises.store, stream, after, limit)
    if not head.version or not is_name(table):
        raise Problem(404, "no_such_table", f"There is no table called {table}.")
    last = found[-1].version if len(found) == limit else None
    return RecordsShown(stream, anchor(stream).hex(), head.version, head.hash.hex(), list(map(_shown, found)), last)


def _read(store: Reading, stream: str, after: int, limit: int) -> tuple[Head, list[Record]]:
    return store.head(stream), store.read(stream, after, limit, verified=False)


def _shown(record: Record) -> RecordShown:
    """In a damaged store anything may stand in place of bytes; whatever it is, it does not fit the chain."""
    document, marked = _bytes(record.document), _bytes(record.hash)
    return RecordShown(record.version, document.decode(errors="replace"), marked.hex())


def _bytes(stored: object) -> bytes:
    return stored if isinstance(stored, bytes) else b""


HANDLERS = [records]
