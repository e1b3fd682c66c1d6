"""Builds the reference of acts in docs/acts.md from the books. `make index` writes it, and a test checks that it is up
to date.
"""

from __future__ import annotations

from pathlib import Path

from croupier.rules.book import Book
from croupier.rules.conduct import KINDS, Act, Need
from croupier.rules.shelf import Shelf
from tests.tables import BOOKS

PAGE = Path(__file__).parent.parent / "docs" / "acts.md"

HEAD = """# What people do at a table, act by act

This page is made from the books (`make index`). [The conduct of the game](conduct.md) explains it. `croupier conduct
BOOK` shows the same for one book, and `croupier conduct BOOK ACT` all that an act needs and does.

Each act is a command of the pipe: `{"do":"ACT","as":"ROLE","who":"NAME", …}` with the fields shown in braces. In a
scenario it is a line: the role, then the words. An act is refused with `not_permitted` to anyone who is not named, and
with the codes listed here for any other reason.
"""


def page() -> str:
    """The whole page."""
    shelf = Shelf()
    books = [shelf.book(book_id) for book_id in BOOKS]
    ids = dict.fromkeys(act.id for book in books for act in book.conduct.acts)
    return "\n".join([HEAD, *(section(act_id, books) for act_id in sorted(ids)), commands(books)])


def section(act_id: str, books: list[Book]) -> str:
    """One act, as each book that has it defines it."""
    known = [(book, book.conduct.by_id[act_id]) for book in books if act_id in book.conduct.by_id]
    acts = [act for _, act in known]
    lines = [f"## `{act_id}`\n", f"{_quoted([form for act in acts for form in act.says])}\n"]
    fields = dict.fromkeys(field for act in acts for form in act.forms for field in form)
    if fields:
        lines.append("Fields: " + ", ".join(_field(name, acts) for name in fields) + ".\n")
    lines += ["| book | by | clause |", "|---|---|---|"]
    lines += [f"| `{book.id}` | {', '.join(act.by)} | {act.clause} |" for book, act in known]
    lines += ["", *_refusals([(book, need, act.clause) for book, act in known for need in act.needs])]
    return "\n".join(lines)


def _quoted(forms: list[str]) -> str:
    return "In words: " + " or ".join(f"`{form}`" for form in dict.fromkeys(forms)) + "."


def _field(name: str, acts: list[Act]) -> str:
    choices = list(dict.fromkeys(word for act in acts for word in act.choices.get(name, [])))
    kind = "one of " + ", ".join(f'`"{word}"`' for word in choices) if choices else KINDS.get(name, "text")
    return f"`{name}` ({kind})"


def _refusals(needs: list[tuple[Book, Need, str | None]]) -> list[str]:
    """Each refusal code once, with its message and the clauses cited with it."""
    by_code: dict[tuple[str, str], list[str]] = {}
    for book, need, clause in needs:
        by_code.setdefault((need.code, need.say), []).append(f"`{book.id}` {need.clause or clause or 'no clause'}")
    return [f"- `{code}`: {say} ({', '.join(dict.fromkeys(where))})" for (code, say), where in by_code.items()] + (
        [""] if by_code else []
    )


def commands(books: list[Book]) -> str:
    """What can stand in the way of the commands that every table has."""
    lines = ["## The commands that every table knows\n"]
    for word in dict.fromkeys(power.command for book in books for power in book.conduct.powers):
        powers = [(book, power) for book in books for power in book.conduct.powers if power.command == word]
        typed = "`roll`, `spin`" if word == "throw" else f"`{word}`"
        lines += [f"### {typed}\n", "| book | by | clause | reasons |", "|---|---|---|---|"]
        lines += [f"| `{b.id}` | {', '.join(p.by)} | {p.clause or ''} | {', '.join(p.reasons)} |" for b, p in powers]
        lines += ["", *_refusals([(book, need, power.clause) for book, power in powers for need in power.needs])]
    return "\n".join(lines)
