"""Prize draws that anyone can repeat from their public record, and the exact bytes of that record.

The digest of a secret is published before the first entry, and the hash of all entries before the secret is revealed.
The winners follow from both: they cannot be known until the entries are closed, nor changed afterwards. Bits become
tickets by rejection sampling, so each entry is drawn with exactly its weight out of all remaining weights.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Annotated, Literal

import msgspec

TITLE = "croupier prize draw"
FORMAT = 1
SECRET_BYTES = 32
MOST = 2**53  # limit of all counts: what every JSON reader can represent exactly
MOST_DRAWN_AT_ONCE = 100_000
NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?")
HASH = re.compile(r"[0-9a-f]{64}")

Count = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
Number = Annotated[int, msgspec.Meta(ge=1, le=MOST)]
Because = Literal["unclaimed", "declined", "denied"]
BLOCK_BITS = 256
KEY_BYTES = 32
_COMMITS = b"croupier prize draw 1\n"
_NAMES = b"croupier entrant 1\n"


# -- lines of the record ----------------------------------------------------------------------------------------------
# Hashes are taken of these bytes, so the encoding is unambiguous: JSON without blanks, the fields in this order, UTF-8,
# a line feed at the end.


class Announcement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is fixed before the first entry: the prizes, the rule, and the digest of the secret.

    `prizes` are drawn in this order, then this many `reserves`. With `one_prize_each` all entries of an entrant are out
    once one of them is drawn; without it only the drawn entry.
    """

    promotion: str
    commitment: str
    prizes: tuple[str, ...]
    reserves: Count = 0
    one_prize_each: bool = True


class RecordHeader(Announcement, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The first line: an announcement, with the title and format of the record."""

    record: str
    format: Count


class DrawEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entry: its number, a pseudonym of the entrant, and its weight."""

    number: Number
    entrant: str
    weight: Number


class ClosingLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The entries are closed: their number, and the hash of all lines before this one."""

    closed: Count
    sha256: str


class RevealedSecret(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The secret, revealed once the entries are closed."""

    secret: str


class Draw(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A draw's prize (None: a reserve) and the drawn entry; None if none was left."""

    draw: Number
    prize: Number | None
    number: Number | None
    entrant: str | None


class Passed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The prize that a draw held goes to another draw: the next reserve, or a further draw if none is left."""

    passed: Number
    to: Number
    because: Because


class LastLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: the number of lines before it, and the hash of all of them."""

    ended: Count
    sha256: str


RecordLine = Announcement | DrawEntry | ClosingLine | RevealedSecret | Draw | Passed | LastLine

_encoder = msgspec.json.Encoder()


def written(line: RecordLine) -> bytes:
    """Return the bytes of a line."""
    if isinstance(line, Announcement):
        fields = {name: getattr(line, name) for name in Announcement.__struct_fields__}
        return _encoder.encode({"record": TITLE, "format": FORMAT, **fields}) + b"\n"
    return _encoder.encode(line) + b"\n"


def entry_lines(announced: Announcement, entries: Iterable[DrawEntry]) -> Iterator[bytes]:
    """Yield the lines up to the closing of the entries: the announcement, then every entry."""
    yield written(announced)
    yield from map(written, entries)


def entries_digest(announced: Announcement, entries: Iterable[DrawEntry]) -> str:
    """Return the hash that, with the secret, determines the draw: of the announcement and every entry."""
    hashed = hashlib.sha256()
    for line in entry_lines(announced, entries):
        hashed.update(line)
    return hashed.hexdigest()


def announcement_fault(announced: Announcement) -> str | None:
    """Return what is wrong with an announcement, as a message."""
    if NAME.fullmatch(announced.promotion) is None:
        return "The promotion has no id of up to 64 letters and digits."
    if HASH.fullmatch(announced.commitment) is None:
        return "The commitment is not a hash of 64 hexadecimal digits."
    if not announced.prizes or not all(_is_text(prize) for prize in announced.prizes):
        return "There is no prize, or one without a name."
    if not 0 <= announced.reserves <= MOST_DRAWN_AT_ONCE - len(announced.prizes):
        return f"At most {MOST_DRAWN_AT_ONCE:,} prizes and reserves can be drawn at once."
    return None


def entry_fault(entry: DrawEntry, number: int) -> str | None:
    """Return why this cannot be the entry of that number, as a message."""
    if entry.number != number:
        return f"Entry {number} has the number {entry.number}."
    if NAME.fullmatch(entry.entrant) is None:
        return f"The entrant of entry {number} is not a name of up to 64 letters and digits."
    if not 1 <= entry.weight <= MOST:
        return f"The weight of entry {number} is not between 1 and 2⁵³."
    return None


def _is_text(prize: str) -> bool:
    """Return whether it is readable text that every JSON encoder writes in the same way."""
    return bool(prize.strip()) and prize.isprintable()


# -- draws ------------------------------------------------------------------------------------------------------------


class GivenUp(msgspec.Struct, frozen=True):
    """The holder of a prize, by the number of the draw, does not get it."""

    draw: int
    because: Because = "unclaimed"


def commitment(promotion: str, secret: bytes) -> str:
    """Return the commitment published before the first entry: a digest of the secret, bound to the promotion."""
    assert len(secret) == SECRET_BYTES, "a secret has 32 bytes"
    return hashlib.sha256(_COMMITS + f"{promotion}\n".encode() + secret).hexdigest()


def pseudonym(key: bytes, promotion: str, account: str) -> str:
    """Return an entrant's name in a public record: different in each promotion, and not traceable without the key.

    The key is the house's own and never revealed; with it an account is found by trying.
    """
    assert len(key) >= KEY_BYTES, "a short key could be guessed, and every name with it"
    return hmac.digest(key, _NAMES + f"{promotion}\n{account}".encode(), "sha256")[:16].hex()


def drawn(
    secret: bytes, announced: Announcement, entries: Sequence[DrawEntry], given_up: Iterable[GivenUp] = ()
) -> tuple[Draw | Passed, ...]:
    """Return all results in order: the prizes, the reserves, and the draws for prizes that were given up.

    Raises ValueError, with a message, for invalid input.
    """
    _check(announced, entries)
    if commitment(announced.promotion, secret) != announced.commitment:
        raise ValueError("The secret does not match the commitment.")
    draws = Draws(announced, entries, entries_digest(announced, entries), secret)
    return tuple(_course(draws, given_up))


def holders(results: Iterable[Draw | Passed]) -> dict[int, Draw]:
    """Return the draw that finally holds each prize, by the number of the prize."""
    draws: dict[int, Draw] = {}
    holding: dict[int, int] = {}
    for result in results:
        if isinstance(result, Passed):
            holding[result.to] = holding.pop(result.passed)
        else:
            draws[result.draw] = result
            if result.prize is not None:
                holding[result.draw] = result.prize
    return {prize: draws[draw] for draw, prize in sorted(holding.items(), key=lambda held: held[1])}


def public_record(
    announced: Announcement,
    entries: Sequence[DrawEntry] | None = None,
    secret: bytes | None = None,
    given_up: Iterable[GivenUp] = (),
) -> Iterator[bytes]:
    """Yield the public record so far, line by line.

    Without a secret nothing is drawn yet; without entries they are not closed yet. Raises ValueError, with a message,
    for invalid input.
    """
    assert entries is not None or secret is None, "a secret is never shown before the entries are closed"
    _check(announced, entries or ())
    lines = list(entry_lines(announced, entries or ()))
    if entries is not None:
        lines.append(written(ClosingLine(len(entries), entries_digest(announced, entries))))
        if secret is not None:
            lines.append(written(RevealedSecret(secret.hex())))
            lines.extend(map(written, drawn(secret, announced, entries, given_up)))
    yield from lines
    yield written(LastLine(len(lines), hashlib.sha256(b"".join(lines)).hexdigest()))


class Draws:
    """The draws of a promotion, one after another. What is due next follows from earlier draws and passed prizes.

    Each prize is held by a draw: initially the one of its own number; a prize that is given up goes to the next in
    line.
    """

    def __init__(self, announced: Announcement, entries: Sequence[DrawEntry], digest: str, secret: bytes) -> None:
        self._entries, self._digest, self._secret = entries, digest, secret
        self._wheel = Wheel(entry.weight for entry in entries)
        self._same: dict[str, list[int]] = {}
        if announced.one_prize_each:
            for place, entry in enumerate(entries):
                self._same.setdefault(entry.entrant, []).append(place)
        self._prizes = {number: number for number in range(1, len(announced.prizes) + 1)}
        self._last_in_line = len(announced.prizes)
        self._at_once = len(announced.prizes) + announced.reserves
        self._without_entry: set[int] = set()
        self.count = 0

    @property
    def due(self) -> bool:
        """Whether a draw is due: first for prizes and reserves, then for prizes passed beyond the reserves."""
        return self.count < max(self._at_once, self._last_in_line)

    def draw(self) -> Draw:
        """Make the draw that is due."""
        assert self.due, "a draw is due"
        self.count += 1
        prize, entry = self._prizes.get(self.count), self._entry()
        if entry is None:
            self._without_entry.add(self.count)
            return Draw(self.count, prize, None, None)
        return Draw(self.count, prize, entry.number, entry.entrant)

    def pass_on(self, draw: int, because: Because) -> Passed | None:
        """Pass the prize that a draw holds to the next in line; None if it holds none."""
        if draw not in self._prizes or draw in self._without_entry:
            return None
        self._last_in_line += 1
        self._prizes[self._last_in_line] = self._prizes.pop(draw)
        return Passed(draw, self._last_in_line, because)

    def _entry(self) -> DrawEntry | None:
        """Draw an entry and take it out, with the others of its entrant if each may win only once."""
        total = self._wheel.total
        if not total:
            return None
        place = self._wheel.holder(ticket(numbers(self._secret, self._digest, self.count, total.bit_length()), total))
        entry = self._entries[place]
        for other in self._same.get(entry.entrant, [place]):
            self._wheel.take_out(other)
        return entry


def ticket(numbers: Iterable[int], total: int) -> int:
    """Return the first number that is a ticket; others are rejected, so that all tickets are equally likely."""
    return next(number for number in numbers if number < total)


def numbers(secret: bytes, digest: str, draw: int, bits: int) -> Iterator[int]:
    """Yield numbers of this many bits endlessly, for one draw."""
    for attempt in count():
        said = f"{digest}\n{draw}\n{attempt}\n".encode()
        yield int.from_bytes(hmac.digest(secret, said, "sha256")) >> (BLOCK_BITS - bits)


def _course(draws: Draws, given_up: Iterable[GivenUp]) -> Iterator[Draw | Passed]:
    yield from _due(draws)
    for one in given_up:
        passed = draws.pass_on(one.draw, one.because)
        if passed is None:
            raise ValueError(f"Draw {one.draw} holds no prize that could be passed on.")
        yield passed
        yield from _due(draws)


def _due(draws: Draws) -> Iterator[Draw]:
    while draws.due:
        yield draws.draw()


def _check(announced: Announcement, entries: Sequence[DrawEntry]) -> None:
    wrong = announcement_fault(announced)
    found = (entry_fault(entry, number) for number, entry in enumerate(entries, 1))
    wrong = wrong or next((sentence for sentence in found if sentence is not None), None)
    if wrong is not None:
        raise ValueError(wrong)


# Tickets in a row, as many for each entry as its weight: which entry holds a given ticket? Entries can be taken out,
# and those behind move up. Both take logarithmic time, by partial sums (a Fenwick tree).


class Wheel:
    """The tickets of all remaining entries, in the order of the entries."""

    def __init__(self, weights: Iterable[int]) -> None:
        self._weights = list(weights)
        self.total = sum(self._weights)
        # Fenwick sums, from 1 on: each covers as many weights as the lowest set bit of its index.
        self._sums = [0, *self._weights]
        for place in range(1, len(self._sums)):
            above = place + (place & -place)
            if above < len(self._sums):
                self._sums[above] += self._sums[place]
        self._widest = 1 << (len(self._weights).bit_length() - 1) if self._weights else 0

    def holder(self, ticket: int) -> int:
        """Return the index of the entry that holds a ticket, counted from 0 among those remaining."""
        assert 0 <= ticket < self.total, "the ticket is still in"
        place, stretch = 0, self._widest
        while stretch:
            there = place + stretch
            if there < len(self._sums) and self._sums[there] <= ticket:
                place, ticket = there, ticket - self._sums[there]
            stretch >>= 1
        return place

    def take_out(self, entry: int) -> None:
        """Remove an entry's tickets."""
        weight, self._weights[entry] = self._weights[entry], 0
        self.total -= weight
        place = entry + 1
        while place < len(self._sums):
            self._sums[place] -= weight
            place += place & -place
