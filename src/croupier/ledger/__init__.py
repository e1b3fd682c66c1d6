"""Double entry: every event that moves money has postings that add up to nothing, so that no cent is made or lost."""

from croupier.ledger.postings import CAGE, COMMISSION, FLOAT, LAYOUT, PURSE, Ledger, Posting, hand, postings

__all__ = ["CAGE", "COMMISSION", "FLOAT", "LAYOUT", "PURSE", "Ledger", "Posting", "hand", "postings"]
