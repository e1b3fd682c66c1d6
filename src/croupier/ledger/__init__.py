"""Double entry: every event that moves money has postings that add up to nothing, so that no cent is made or lost."""

from croupier.ledger.postings import (
    CAGE,
    COMMISSION,
    DROP,
    FLOAT,
    LAYOUT,
    PURSE,
    TERMINAL,
    TOKENS,
    Ledger,
    Posting,
    hand,
    postings,
    tokens,
)

__all__ = [
    "CAGE",
    "COMMISSION",
    "DROP",
    "FLOAT",
    "LAYOUT",
    "PURSE",
    "TERMINAL",
    "TOKENS",
    "Ledger",
    "Posting",
    "hand",
    "postings",
    "tokens",
]
