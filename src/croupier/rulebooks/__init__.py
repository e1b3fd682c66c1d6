"""The rule books that come with the package: one folder of TOML files each. Data only; `croupier.rules` reads it."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent


def ids() -> list[str]:
    """The ids of the books in the package, in order."""
    return sorted(entry.name for entry in HERE.iterdir() if (entry / "book.toml").is_file())


def folder(book_id: str) -> Path:
    """Where the files of a book are."""
    return HERE / book_id
