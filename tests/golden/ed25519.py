"""Ed25519 as RFC 8032 has it, for signing the golden receipts: slow, plain, and of no one else's making."""

from __future__ import annotations

import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
HALF = pow(2, (P - 1) // 4, P)

Point = tuple[int, int]
ZERO: Point = (0, 1)


def _add(a: Point, b: Point) -> Point:
    (x1, y1), (x2, y2) = a, b
    product = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + product, -1, P)
    y = (y1 * y2 + x1 * x2) * pow(1 - product, -1, P)
    return x % P, y % P


def _times(scalar: int, point: Point) -> Point:
    total = ZERO
    while scalar:
        if scalar & 1:
            total = _add(total, point)
        point, scalar = _add(point, point), scalar >> 1
    return total


def _base() -> Point:
    y = 4 * pow(5, -1, P) % P
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * HALF % P
    return (P - x if x & 1 else x), y


BASE = _base()


def _packed(point: Point) -> bytes:
    x, y = point
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _number(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little")


def _clamped(half: bytes) -> int:
    return int.from_bytes(half, "little") & (2**254 - 8) | 2**254


def public_key(private: bytes) -> bytes:
    """The public key of 32 secret bytes."""
    return _packed(_times(_clamped(hashlib.sha512(private).digest()[:32]), BASE))


def sign(private: bytes, message: bytes) -> bytes:
    """The signature of 64 bytes."""
    digest = hashlib.sha512(private).digest()
    scalar, prefix = _clamped(digest[:32]), digest[32:]
    nonce = _number(prefix, message) % ORDER
    commits = _packed(_times(nonce, BASE))
    challenge = _number(commits, public_key(private), message)
    return commits + ((nonce + challenge * scalar) % ORDER).to_bytes(32, "little")
