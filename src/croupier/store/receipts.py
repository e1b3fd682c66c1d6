"""Receipts: signed confirmations that the house stored an order. Its holder can use one to convict the house.

A receipt says "at version V the hash of this stream was H". A house that restores an older copy of its store, or
rewrites the end of a stream, then shows a stream that is shorter or has another hash at V.

The heads of one durable transaction are the leaves of one Merkle tree, and only its root is signed. A receipt carries
the path from its leaf to the root, so a busy house signs once for many people.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Literal, NamedTuple

import msgspec

from croupier.store.keys import HouseKey, PublicKey

FORMAT: Literal[1] = 1
FRONT = b"croupier receipts 1\n"  # prefix of the root in what is signed
NODE = b"\x01"  # prefix of two child nodes: no leaf starts with it
LONGEST_PATH = 64  # steps: more than any transaction's tree needs
MOST_BYTES = 2**28  # of a file of receipts

_HASH = re.compile(r"[0-9a-f]{64}")
_SIGNATURE = re.compile(r"[0-9a-f]{128}")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")


class Receipt(msgspec.Struct, frozen=True, gc=False):
    """A receipt as it is sent: one JSON object. `order` is the digest of the accepted order."""

    croupier: Literal["receipt"]
    format: Literal[1]
    key: str
    stream: str
    version: int
    hash: str
    at: str
    order: str
    path: tuple[str, ...]
    signature: str

    @property
    def mark(self) -> tuple[str, str, int]:
        """Key, stream and version: there may be only one hash for these."""
        return self.key, self.stream, self.version

    @property
    def event(self) -> str:
        """The event that it is about, in words."""
        return f"event {self.version} of {self.stream}"


class Claim(msgspec.Struct, frozen=True, gc=False):
    """What to sign: the hash of a stream at a version, and the digest of an order if there is one."""

    stream: str
    version: int
    hash: bytes
    order: str = ""


class ReceiptFault(NamedTuple):
    """A receipt, and what it proves to be wrong."""

    receipt: Receipt
    sentence: str


# -- issuing ----------------------------------------------------------------------------------------------------------


def issue(key: HouseKey, claims: Sequence[Claim], at: datetime) -> list[Receipt]:
    """Issue a receipt for each claim, in order, under one signature."""
    return [_decoder.decode(text) for text in written(key, claims, at)]


def written(key: HouseKey, claims: Sequence[Claim], at: datetime) -> list[bytes]:
    """Issue receipts as JSON. Builds text, not objects: a busy house makes thousands a second."""
    if not claims:
        return []
    when = _said_at(at)
    leaves = [_leaf(one.stream, one.version, one.hash.hex(), when, one.order) for one in claims]
    levels = _levels(leaves)
    front = f'{{"croupier":"receipt","format":{FORMAT},"key":"{key.public.hex}","stream":'
    end = f'],"signature":"{key.sign(FRONT + levels[-1][0]).hex()}"}}'
    streams = {stream: msgspec.json.encode(stream).decode() for stream in {one.stream for one in claims}}
    return [
        f'{front}{streams[one.stream]},"version":{one.version},"hash":"{one.hash.hex()}","at":"{when}",'
        f'"order":"{one.order}","path":[{path}{end}'.encode()
        for one, path in zip(claims, _paths(levels), strict=True)
    ]


def _levels(leaves: list[bytes]) -> list[list[bytes]]:
    """Return the levels of the tree, leaves first. An odd node has no sibling and moves up unchanged."""
    levels = [leaves]
    while len(leaves) > 1:
        pairs = [_node(one, other) for one, other in zip(leaves[::2], leaves[1::2], strict=False)]
        leaves = pairs + leaves[len(leaves) & ~1 :]
        levels.append(leaves)
    return levels


def _paths(levels: list[list[bytes]]) -> list[str]:
    """Return each leaf's path of siblings as JSON text: its own sibling first, then those of its parent."""
    paths = [""]
    for level in reversed(levels[:-1]):
        told = [node.hex() for node in level]
        ups, paths = paths, []
        for place in range(0, len(told) - 1, 2):
            up = ups[place >> 1]
            behind = f'",{up}' if up else '"'
            paths.append(f'"{told[place + 1]}{behind}')
            paths.append(f'"{told[place]}{behind}')
        paths += ups[len(told) >> 1 :]  # of the odd node
    return paths


def _leaf(stream: str, version: int, mark: str, at: str, order: str) -> bytes:
    return sha256(f"croupier receipt 1\n{stream}\n{version}\n{mark}\n{at}\n{order}\n".encode()).digest()


def _node(one: bytes, other: bytes) -> bytes:
    return sha256(NODE + (one + other if one < other else other + one)).digest()


def _said_at(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


# -- checking one receipt ---------------------------------------------------------------------------------------------


def root_of(receipt: Receipt) -> bytes:
    """Compute the signed root from the leaf up."""
    node = _leaf(receipt.stream, receipt.version, receipt.hash, receipt.at, receipt.order)
    for sibling in receipt.path:
        node = _node(node, bytes.fromhex(sibling))
    return node


def is_signed(receipt: Receipt) -> bool:
    """Return whether the receipt is well-formed and signed by the key that it names."""
    marks = (receipt.key, receipt.hash, *receipt.path, *([receipt.order] if receipt.order else []))
    is_formed = (
        all(_HASH.fullmatch(mark) for mark in marks)
        and _SIGNATURE.fullmatch(receipt.signature) is not None
        and _TIME.fullmatch(receipt.at) is not None
        and receipt.version >= 1
        and len(receipt.path) <= LONGEST_PATH
        and "\n" not in receipt.stream
    )
    if not is_formed:
        return False
    signed = FRONT + root_of(receipt)
    return PublicKey(bytes.fromhex(receipt.key)).has_signed(bytes.fromhex(receipt.signature), signed)


# -- comparing several receipts ---------------------------------------------------------------------------------------


def contradictions(receipts: Iterable[Receipt], key: str | None = None) -> Iterator[ReceiptFault]:
    """Yield what the receipts alone prove. `key` is the house's, if known; otherwise all must have the same key.

    An unsigned receipt proves only that it is unsigned, and is not compared with any other.
    """
    known: dict[tuple[str, str, int], Receipt] = {}
    for receipt in receipts:
        if not is_signed(receipt):
            yield ReceiptFault(receipt, f"The receipt for {receipt.event} is not signed by the key that it names.")
            continue
        key = receipt.key if key is None else key
        if receipt.key != key:
            say = f"is signed with a key other than the house's: {receipt.key}, not {key}."
            yield ReceiptFault(receipt, f"The receipt for {receipt.event} {say}")
        before = known.setdefault(receipt.mark, receipt)
        if before.hash != receipt.hash:
            yield ReceiptFault(receipt, two_pasts(before, receipt))


def two_pasts(one: Receipt, other: Receipt) -> str:
    """Describe two receipts of one key that cannot both be true: a house with a single history would not sign both."""
    return (
        f"The house has signed two different histories: {one.event} had the hash {one.hash} at {one.at}, and the hash "
        f"{other.hash} at {other.at}."
    )


HashAt = Callable[[str, int], str | None]
LastOf = Callable[[str], int]


def held_against(
    receipts: Iterable[Receipt], hash_at: HashAt, last_of: LastOf, key: str | None = None
) -> list[ReceiptFault]:
    """Check receipts against a history, given the hash of a stream at a version (None if absent) and its last version.

    The receipts are also compared with each other. Those not signed by `key`, if it is known, prove nothing here.
    """
    receipts = list(receipts)
    found = list(contradictions(receipts, key))
    for receipt in receipts:
        if is_signed(receipt) and key in (None, receipt.key):
            found.extend(_against(receipt, hash_at(receipt.stream, receipt.version), last_of(receipt.stream)))
    return found


def _against(receipt: Receipt, mark: str | None, last: int) -> Iterator[ReceiptFault]:
    signed = f"The house signed at {receipt.at} that {receipt.stream} had reached event {receipt.version}"
    if mark is None:
        ends = f"it ends at event {last}" if last else "there is no such stream"
        yield ReceiptFault(receipt, f"{signed}; here {ends}: events were removed.")
    elif mark != receipt.hash:
        say = (
            f"{signed} with the hash {receipt.hash}; here that event has the hash {mark}: this is a different history."
        )
        yield ReceiptFault(receipt, say)


# -- files: one receipt per line --------------------------------------------------------------------------------------


def read_receipts(content: bytes) -> list[Receipt]:
    """Read the receipts in a file, one per line. Raises ValueError, which says what is wrong with which line."""
    found = []
    for number, line in enumerate(content.split(b"\n"), 1):
        if line.strip():
            try:
                found.append(_decoder.decode(line))
            except (msgspec.MsgspecError, UnicodeError, RecursionError):
                raise ValueError(f"line {number} is not a receipt") from None
    if not found:
        raise ValueError("there is no receipt in it")
    return found


def line_of(receipt: Receipt) -> bytes:
    """Return a receipt as a line of a file."""
    return msgspec.json.encode(receipt) + b"\n"


_decoder = msgspec.json.Decoder(Receipt)
