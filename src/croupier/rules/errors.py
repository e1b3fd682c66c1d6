"""Errors in a rule book, and requests that the rules do not allow."""

from __future__ import annotations


class RuleBookError(Exception):
    """A book cannot be read or is inconsistent. The message names the file, the place in it and the reason."""

    def __init__(self, file: str, where: str, reason: str) -> None:
        self.file = file
        self.where = where
        self.reason = reason
        super().__init__(": ".join(part for part in (file, where, reason) if part))


class UnknownBook(RuleBookError):
    """No book with that id is on the shelf."""


class Impossible(ValueError):
    """A request that the book does not allow: a stable code, a sentence for a person, the clause behind it."""

    def __init__(self, code: str, sentence: str, clause: str | None = None) -> None:
        self.code = code
        self.sentence = sentence
        self.clause = clause
        super().__init__(sentence)


class PayTableError(Impossible):
    """The requested pay table is not one that the book approves."""

    def __init__(self, sentence: str, clause: str | None) -> None:
        super().__init__("pay_table_not_permitted", sentence, clause)
