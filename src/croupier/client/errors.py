"""What can go wrong between a program and a house."""

from __future__ import annotations

from croupier.store.receipts import Receipt


class Refused(Exception):
    """The house says no. `code` is for programs, `message` for people, `clause` the rule behind it, if any."""

    def __init__(self, code: str, clause: str | None, message: str, status: int, *, wait: float | None = None) -> None:
        self.code = code
        self.clause = clause
        self.message = message
        self.status = status
        self.wait = wait  # seconds after which it may be tried again, where the house says so
        super().__init__(message if clause is None else f"{message} ({clause})")


class Unreachable(ConnectionError):
    """The house did not answer, however often it was asked.

    A command may have been carried out all the same. Sent again with the same `key`, it is not carried out twice.
    """

    def __init__(self, message: str, key: str | None = None) -> None:
        self.key = key
        super().__init__(message)


class BadReply(Exception):
    """What came back is no answer of a house that this client understands; carries a sentence."""


class BadReceipt(Exception):
    """The house contradicts what it signed, or signs with another key. `receipts` show it: keep them.

    What was ordered was carried out all the same, as far as the house says.
    """

    def __init__(self, message: str, receipts: tuple[Receipt, ...]) -> None:
        self.receipts = receipts
        super().__init__(message)
