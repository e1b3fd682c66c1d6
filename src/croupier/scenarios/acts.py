"""Lines about the conduct of the game: who does it, and the words in which the book's conduct puts it."""

from __future__ import annotations

import re
from functools import lru_cache

from croupier.rules.book import Book
from croupier.rules.conduct import KINDS, PLAYER
from croupier.rules.picks import typed_pick
from croupier.table import commands
from croupier.table.conduct.fields import PICK_OF

_FORMS = {
    "player": r"[\w-]+",
    "money": r"[0-9]+\.[0-9]{2}",
    "count": r"[0-9]+",
    "time": r"[0-9]{4}-[0-9]{2}-[0-9]{2}T\S+",
    "faces": r"[0-9HT][0-9HT ]*?",
    "reason": r".+?",
    "wager": r"\w+",
    "role": r"[\w ]+?",
    "text": r".+?",
}


def read_act(book: Book, text: str) -> commands.PerformAct | None:
    """The act that a line is about; None if the book knows none that is put so. Staff may have a name: `dealer Dan`."""
    for role in sorted(book.conduct.role_ids, key=len, reverse=True):
        if text.startswith(f"{role} "):
            words, who = text.removeprefix(f"{role} "), None
            if words[:1].isupper():
                who, _, words = words.partition(" ")
            found = _said(book, words)
            return None if found is None else commands.PerformAct(act=found[0], said=found[1], by=role, who=who)
    name, _, rest = text.partition(" ")
    found = _said(book, rest)
    return None if found is None else commands.PerformAct(act=found[0], said=found[1], by=PLAYER, who=name)


def _said(book: Book, words: str) -> tuple[str, dict[str, object]] | None:
    for act_id, form in _patterns(book):
        match = form.fullmatch(words)
        if match is not None:
            return act_id, _values(match)
    return None


def _values(match: re.Match[str]) -> dict[str, object]:
    said: dict[str, object] = {name: value for name, value in match.groupdict().items() if value is not None}
    return {name: typed_pick(str(value)) if name in PICK_OF.values() else value for name, value in said.items()}


@lru_cache(maxsize=16)
def _patterns(book: Book) -> list[tuple[str, re.Pattern[str]]]:
    return [(act.id, re.compile(_pattern(form))) for act in book.conduct.acts for form in act.says]


def _pattern(form: str) -> str:
    parts = re.split(r"\{(\w+)\}", form)
    pattern = re.escape(parts[0])
    for name, text in zip(parts[1::2], parts[2::2], strict=True):
        pattern += f"(?P<{name}>{_FORMS[KINDS.get(name, 'text')]})"
        if name in PICK_OF:
            pattern += rf"(?: (?P<{PICK_OF[name]}>[\w ]+?))?"
        pattern += re.escape(text)
    return pattern
