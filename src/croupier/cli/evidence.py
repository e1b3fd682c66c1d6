"""Check a store against evidence that others hold: people's receipts, and checkpoints kept by witnesses."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import httpx
import msgspec

from croupier.cli.output import counted, faults, print_json, printable
from croupier.store.checkpoints import STREAM, Checkpoint, read_checkpoint
from croupier.store.contract import Reading, StoreError
from croupier.store.exporting import EventLine, ExportLines, every_record, read_document
from croupier.store.keys import PublicKey, read_at_most
from croupier.store.receipts import MOST_BYTES, Receipt, ReceiptFault, contradictions, held_against, read_receipts
from croupier.store.witnessing import Handed, Witnessed, against_witnessed, read_witnessed


class Wrong(msgspec.Struct, frozen=True):
    """Something wrong, and where."""

    kind: str
    sentence: str
    stream: str | None = None
    version: int | None = None

    def as_object(self) -> dict[str, object]:
        """Return it for JSON."""
        stream = None if self.stream is None else printable(self.stream)
        return {"kind": self.kind, "stream": stream, "version": self.version, "sentence": printable(self.sentence)}


class Kept(msgspec.Struct, frozen=True):
    """The evidence given on the command line."""

    receipts: list[Receipt]
    witnessed: list[Witnessed]

    def counts(self) -> dict[str, int]:
        """Return the number of each kind of evidence for JSON, without the kinds that were not given."""
        counts = {"receipts": len(self.receipts), "witnessed": len(self.witnessed)}
        return {name: count for name, count in counts.items() if count}

    def lines(self) -> Iterator[str]:
        """Yield the same numbers as text."""
        if self.receipts:
            streams = {receipt.stream for receipt in self.receipts}
            yield f"receipts     {counted(len(self.receipts), 'receipt')} for {counted(len(streams), 'stream')}"
        if self.witnessed:
            yield f"witnessed    {counted(len(self.witnessed), 'checkpoint')}, elsewhere"


class Past(msgspec.Struct):
    """The history that the evidence is about: hashes by stream and version, last versions, checkpoints by number."""

    hashes: dict[tuple[str, int], str]
    lasts: dict[str, int]
    checkpoints: dict[int, Checkpoint]


def add_kept(command: argparse.ArgumentParser) -> None:
    """Add the arguments for evidence held by others."""
    command.add_argument(
        "--receipt", metavar="FILE", action="append", default=[], help="receipts of the house, which must match"
    )
    command.add_argument(
        "--witness",
        metavar="FILE|URL",
        action="append",
        default=[],
        help="a witness that received checkpoints, all of which must be in the store",
    )


def read_kept(given: argparse.Namespace) -> Kept:
    """Read the files that the arguments name. Raises StoreError."""
    receipts = [receipt for name in given.receipt for receipt in receipts_in(Path(name))]
    return Kept(receipts, [one for place in given.witness for one in _witnessed_at(place)])


def receipts_in(path: Path) -> list[Receipt]:
    """Read the receipts in a file. Raises StoreError."""
    try:
        return read_receipts(read_at_most(path, MOST_BYTES))
    except ValueError as error:
        raise StoreError(f"{path} is not a file of receipts: {error}.") from None


def _witnessed_at(place: str) -> list[Witnessed]:
    if place.startswith(("http://", "https://")):
        return fetch_witnessed(place)
    path = Path(place.removeprefix("file:"))
    try:
        return read_witnessed(read_at_most(path, MOST_BYTES), str(path))
    except ValueError as error:
        raise StoreError(f"{path} is not a file of a witness: {error}.") from None


# -- against a store or a file ----------------------------------------------------------------------------------------


def against_store(kept: Kept, store: Reading, key: str | None) -> list[Wrong]:
    """Return what is wrong with a store, by the evidence. `key` is the house's, if known."""
    past = Past({}, {}, {})
    try:
        for receipt in kept.receipts:
            past.lasts[receipt.stream] = store.head(receipt.stream).version
            for record in store.read(receipt.stream, receipt.version - 1, 1, verified=False):
                if record.version == receipt.version and isinstance(record.hash, bytes):
                    past.hashes[receipt.stream, receipt.version] = record.hash.hex()
        if kept.witnessed:
            past.checkpoints = _numbered(record.document for record in every_record(store, STREAM, verified=False))
    except StoreError as error:
        return [Wrong("damaged", str(error))]
    return _against(kept, past, key)


def against_file(kept: Kept, path: Path, key: str | None) -> list[Wrong]:
    """Return what is wrong with an exported file, by the evidence."""
    wanted = {(receipt.stream, receipt.version) for receipt in kept.receipts}
    past, documents = Past({}, {}, {}), list[object]()
    for line in ExportLines(path) if kept.receipts or kept.witnessed else ():
        if not isinstance(line, EventLine):
            continue
        past.lasts[line.stream] = line.version
        if (line.stream, line.version) in wanted:
            past.hashes[line.stream, line.version] = line.hash
        if line.stream == STREAM and kept.witnessed:
            documents.append(_document(line))
    past.checkpoints = _numbered(documents)
    return _against(kept, past, key)


def _document(line: EventLine) -> bytes | None:
    try:
        return read_document(line)
    except ValueError:
        return None


def _numbered(documents: Iterable[object]) -> dict[int, Checkpoint]:
    """Return checkpoints by number; unreadable ones are reported elsewhere."""
    found = {}
    for document in documents:
        try:
            one = read_checkpoint(document if isinstance(document, bytes) else b"")
        except ValueError:
            continue
        found[one.statement.number] = one
    return found


def _against(kept: Kept, past: Past, key: str | None) -> list[Wrong]:
    by_receipts = held_against(
        kept.receipts, lambda *event: past.hashes.get(event), lambda stream: past.lasts.get(stream, 0), key
    )
    by_witnesses = against_witnessed(kept.witnessed, past.checkpoints, key)
    return [*map(_of_receipt, by_receipts), *(Wrong("witness", sentence, STREAM) for sentence in by_witnesses)]


def _of_receipt(shown: ReceiptFault) -> Wrong:
    return Wrong("receipt", shown.sentence, shown.receipt.stream, shown.receipt.version)


# -- against each other -----------------------------------------------------------------------------------------------


def compare_receipts(receipts: list[Receipt], key: PublicKey | None, *, as_json: bool) -> bool:
    """Print what receipts prove by themselves; return whether they are consistent."""
    wrong = list(map(_of_receipt, contradictions(receipts, None if key is None else key.hex)))
    if as_json:
        listed = [one.as_object() for one in wrong]
        print_json({"ok": not wrong, "receipts": len(receipts), "key": receipts[0].key, "faults": listed})
    else:
        print("\n".join(map(printable, _compared(receipts, key, wrong))))
    return not wrong


def _compared(receipts: list[Receipt], key: PublicKey | None, wrong: list[Wrong]) -> Iterator[str]:
    yield from Kept(receipts, []).lines()
    yield f"key          {receipts[0].key if key is None else key.hex}"
    yield ""
    if not wrong:
        yield "All is well: each receipt is signed, and none contradicts another."
        return
    yield from faults([printable(one.sentence) for one in wrong])


# -- checkpoints fetched from a witness over HTTP: another house, or any URL that serves the same lines ---------------

TIMEOUT = 30.0
LIMIT = 100  # checkpoints per request


class _Page(msgspec.Struct, frozen=True):
    entries: list[Handed]
    next: int | None


def fetch_witnessed(url: str) -> list[Witnessed]:
    """Fetch all checkpoints of a witness. The part of the address before an @ is a token. Raises StoreError."""
    parts = urlsplit(url)
    token = unquote(parts.netloc.rpartition("@")[0])
    plain = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    headers = {"authorization": f"Bearer {token}"} if token else {}
    try:
        with httpx.Client(headers=headers, timeout=TIMEOUT) as http:
            return _fetched(http, plain)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise StoreError(f"The witness {plain} does not answer: {type(error).__name__}.") from error
    except ValueError as error:
        raise StoreError(f"The witness {plain} does not return checkpoints: {error}.") from None


def _fetched(http: httpx.Client, url: str) -> list[Witnessed]:
    found: list[Witnessed] = []
    after: int | None = 0
    while after is not None:
        query = {"after": after, "limit": LIMIT} if after or "/api/v1/witness/" in url else None
        reply = http.get(url, params=query)
        if not reply.is_success:
            raise StoreError(f"The witness {url} answers {reply.status_code}.")
        try:
            page = msgspec.json.decode(reply.content, type=_Page)
        except msgspec.MsgspecError:
            return read_witnessed(reply.content, url)
        found += [Witnessed(one.checkpoint(), url) for one in page.entries]
        after = page.next
    if not found:
        raise StoreError(f"The witness {url} has no checkpoint.")
    return found
