"""Prize draws that anyone can repeat from the public record: committed to first, decided by the entries."""

from croupier.prizes.draws.checking import Finding, RecordError, Verdict, check
from croupier.prizes.draws.drawing import GivenUp, commitment, drawn, holders, pseudonym, public_record
from croupier.prizes.draws.lines import Announcement, Because, Draw, Entry, Passed, entries_digest

__all__ = [
    "Announcement",
    "Because",
    "Draw",
    "Entry",
    "Finding",
    "GivenUp",
    "Passed",
    "RecordError",
    "Verdict",
    "check",
    "commitment",
    "drawn",
    "entries_digest",
    "holders",
    "pseudonym",
    "public_record",
]
