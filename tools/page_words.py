"""The words of the pages: which need a translation, which lack one, and which do not go through the catalogue.

`python -m tools.page_words` says what is wrong with the translations and the pages; `python -m tools.page_words de`
prints the entries that `de.json` lacks, ready to be filled in. The scanner knows just enough JavaScript for that: its
texts, brackets and calls.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache

import msgspec

import croupier
from croupier import rulebooks
from croupier.house.names import ROLES
from croupier.house.views.table import draw
from croupier.rules.book import Book
from croupier.rules.shelf import Shelf
from croupier.server.api.acts import shown
from croupier.server.pages.files import PAGES
from croupier.server.pages.html import IN_ENGLISH
from croupier.web import STATIC

WORDS = STATIC / "words"
SAYING = ("t", "plural", "rich")

# The texts of a script


class Around(msgspec.Struct):
    """A bracket around a text: `call` is the function called, `place` the argument, `key` the property of an object."""

    opened: str
    call: str = ""
    place: int = 0
    key: str = ""


class Text(msgspec.Struct, frozen=True):
    """A text in a script, with the brackets around it from the outside in. `source` is as it is written."""

    file: str
    line: int
    start: int
    source: str
    around: tuple[Around, ...]
    before: str
    following: str

    @property
    def after(self) -> str:
        """Return what comes next."""
        return self.following[:_NEAR].lstrip()

    @property
    def is_template(self) -> bool:
        """Return whether it has values in it, as `${…}`."""
        return self.source.startswith("`") and "${" in self.source

    @property
    def said(self) -> str:
        """Return what it says, without what is inserted."""
        if self.is_template:
            return _INSERTED.sub("", self.source[1:-1])
        return unquoted(self.source)

    @property
    def inside(self) -> Around:
        """Return the innermost bracket."""
        return self.around[-1] if self.around else Around("")


_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
      | (?P<template>`)
      | (?P<name>[A-Za-z_$][\w$]*)
      | (?P<number>\d[\w.]*)
      | (?P<space>\s+)
      | (?P<sign>=>|===|!==|\?\?=?|\?\.|&&|\|\||[-+*/%]=?|.)""",
    re.VERBOSE | re.DOTALL,
)
_REGEX = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n\[])+/[a-z]*")
_INSERTED = re.compile(r"\$\{[^{}]*(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}[^{}]*)*\}")
_VALUE_ENDS = re.compile(r"[\w$)\]}\"'`]$")
_CLOSES = {")": "(", "]": "[", "}": "{"}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_NEAR = 30
_FAR = 800


def unquoted(source: str) -> str:
    """Return the text of a literal without values."""
    plain = {"n": "\n", "t": "\t"}
    return _ESCAPE.sub(
        lambda found: (
            chr(int(found[1][1:], 16)) if found[1][0] == "u" and len(found[1]) > 1 else plain.get(found[1], found[1])
        ),
        source[1:-1],
    )


class _Scanner:
    """Finds the texts of one script."""

    def __init__(self, file: str, code: str) -> None:
        self.file, self.code = file, code
        self.around: list[Around] = []
        self.last = ""  # the token before, without spaces
        self.names: list[str] = []  # the name, with its dots, that ends just here
        self.texts: list[Text] = []

    def scan(self, at: int = 0, until: str = "") -> int:
        """Scan up to a closing bracket of the caller. Return where it is."""
        depth = len(self.around)
        while at < len(self.code):
            if until and self.code.startswith(until, at) and len(self.around) == depth:
                return at
            at = self._token(at)
        return at

    def _token(self, at: int) -> int:
        regex = _REGEX.match(self.code, at) if self._begins_regex(at) else None
        if regex:
            self.last = '"'
            return regex.end()
        token = _TOKEN.match(self.code, at)
        assert token is not None
        kind, value = token.lastgroup, token[0]
        if kind in {"comment", "space"}:
            return token.end()
        if kind == "template":
            return self._template(at)
        if kind == "text":
            self._found(at, token.end())
        self._note(str(kind), value)
        return token.end()

    def _begins_regex(self, at: int) -> bool:
        if self.code[at] != "/" or self.code[at : at + 2] in {"//", "/*"}:
            return False
        return self.last == "return" or not _VALUE_ENDS.search(self.last)

    def _note(self, kind: str, value: str) -> None:
        inside = self.around[-1] if self.around else None
        if value in {"(", "[", "{"}:
            call = ".".join(self.names) if value == "(" else ""
            self.around.append(Around(value, call))
        elif value in _CLOSES and inside is not None:
            self.around.pop()
        elif value == "," and inside is not None:
            inside.place += 1
            inside.key = ""
        elif value == ":" and inside is not None and inside.opened == "{":
            inside.key = inside.key or self.last.strip("\"'")
        if kind == "name":
            self.names = [*self.names, value] if self.last in {".", "?."} else [value]
        elif value not in {".", "?."}:
            self.names = []
        self.last = value

    def _template(self, at: int) -> int:
        start, at = at, at + 1
        while self.code[at] != "`":
            if self.code[at] == "\\":
                at += 2
            elif self.code.startswith("${", at):
                self.around.append(Around("$"))
                self.last = "{"
                at = self.scan(at + 2, "}") + 1
                self.around.pop()
            else:
                at += 1
        self._found(start, at + 1)
        self.last = "`"
        self.names = []
        return at + 1

    def _found(self, start: int, end: int) -> None:
        around = tuple(msgspec.structs.replace(one) for one in self.around)
        line = self.code.count("\n", 0, start) + 1
        before = self.code[max(0, start - _NEAR) : start].rstrip()
        following = self.code[end : end + _FAR]
        self.texts.append(Text(self.file, line, start, self.code[start:end], around, before, following))


def texts_of(file: str, code: str) -> list[Text]:
    """Return all texts of a script."""
    scanner = _Scanner(file, code)
    scanner.scan()
    return scanner.texts


@cache
def page_texts() -> tuple[Text, ...]:
    """Return all texts of all scripts of the pages."""
    return tuple(
        text
        for path in sorted(STATIC.glob("*/*.js"))
        for text in texts_of(path.relative_to(STATIC).as_posix(), path.read_text(encoding="utf-8"))
    )


# What is said through the catalogue


class Key(msgspec.Struct, frozen=True):
    """An English text that needs a translation; `counts` if it has a form for each kind of number."""

    english: str
    counts: bool = False


def keys() -> dict[str, Key]:
    """Return every text that the pages say through the catalogue, by its English."""
    found = {key.english: key for text in page_texts() if (key := key_in(text))}
    return found | {words: Key(words) for words in shell_words()}


def values_given(texts: Sequence[Text] | None = None) -> Iterator[tuple[Text, set[str], set[str]]]:
    """Return the values that texts name and those that they are given, where both are written out in the call."""
    for text in page_texts() if texts is None else texts:
        key = key_in(text)
        if key is None:
            continue
        given = _GIVEN.match(text.following)
        if given is not None and "..." not in (given[1] or ""):
            yield text, placeholders(text.said) - ({"n"} if key.counts else set()), set(_names(given[1] or ""))


_GIVEN = re.compile(r",?\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\}\s*,?\s*)?\)")


def _names(source: str) -> Iterator[str]:
    """Return the names in an object that is written out; nothing where it takes in another."""
    depth, start = 0, 0
    for place, sign in enumerate(f"{source},"):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(sign, 0)
        if sign == "," and depth == 0:
            name = source[start:place].split(":")[0].strip().strip('"')
            start = place + 1
            if name:
                yield name


def key_in(text: Text) -> Key | None:
    """Return the key that a text is, if it is one."""
    inside = text.inside
    if inside.opened != "(" or inside.call not in SAYING or text.is_template:
        return None
    if inside.call == "plural":
        return Key(text.said, counts=True) if inside.place == 2 else None
    return Key(text.said) if inside.place == 0 else None


def shell_words() -> Iterator[str]:
    """Return the words of the frame around the pages, and their first titles."""
    frame = (STATIC / "shell.html").read_text(encoding="utf-8")
    yield from (words for words in re.findall(r"data-words>([^<]+)<", frame) if "$" not in words)
    yield from ("Skip to content", IN_ENGLISH)
    yield from (page.title for page in PAGES.values())


@cache
def full_names() -> frozenset[str]:
    """Return the names and short labels of all books that pages show through `named`."""
    shelf = Shelf()
    return frozenset(
        name
        for book_id in rulebooks.ids()
        for name in (*_felt_names(shelf, shelf.book(book_id)), *_prize_names(shelf.book(book_id)), *ROLES)
        if _LETTERS.search(name)
    )


@cache
def book_names() -> frozenset[str]:
    """Return those names without their numbers: `Lay 4` and `Lay 10` share a translation."""
    return frozenset(map(unnumbered, full_names()))


_NUMBERED = re.compile(r"(\d+ )?(\D*[^\d ])( \d[\d ]*)?")


def unnumbered(name: str) -> str:
    """Return a name without the numbers before and after it, as `named` in the catalogue looks it up."""
    numbered = _NUMBERED.fullmatch(name)
    return name if numbered is None else numbered[2]


def _felt_names(shelf: Shelf, book: Book) -> Iterator[str]:
    """Return what is on the felt of a book, what is thrown, what lies and lights up there, and who does what."""
    drawing = draw(shelf, croupier.open_table(book.id, {}).view.state)
    for area in drawing.areas:
        yield from (area.name, area.group, *(line.words for line in area.lines if _LETTERS.search(line.words)))
    yield from (sheet.name for sheet in drawing.narrow)
    yield from (wager.name for wager in book.wagers.values())
    yield from (drawing.throw.field, drawing.throw.command, drawing.throw.ready)
    yield from (name for road in drawing.roads for name in (road.name, *road.sides))
    yield from (light.result for light in book.rules.lights)
    for phase in book.rules.phases:
        yield from (phase.name, *book.phase_machines[phase.id].table)
    yield from (title.title for title in shown(shelf, book.id).titles)


def _prize_names(book: Book) -> Iterator[str]:
    """Return the names in a book's rules of promotions: points of the terms, prizes, payments, who is told."""
    prizes = book.prizes
    if prizes is None:
        return
    yield from (term.name for term in prizes.terms)
    yield from (kind.name for kind in prizes.kinds)
    yield from (thing for row in prizes.prohibited for thing in row.things)
    yield from (form.name for form in prizes.payment.forms)
    yield from (way.id.replace("_", " ") for way in prizes.winners.ways)
    yield from (prizes.alternative.called, prizes.filing.with_, prizes.integrity.tell)


def wrong_calls() -> list[str]:
    """Return the calls of the catalogue whose text is not written out, so that it cannot be listed."""
    return [
        f"{path.relative_to(STATIC)}: {call}"
        for path in sorted(STATIC.glob("*/*.js"))
        if path.name != "catalogue.js"
        for call in re.findall(r"(?<![\w.$])(?:t|rich)\((?!\s*\")[^)]*\)?", path.read_text(encoding="utf-8"))
    ]


# What is not said through it

_LETTERS = re.compile(r"[A-Za-z]{2,}")
_PROSE = re.compile(r"^[^A-Za-z]*[A-Z][a-z]+\b|[A-Za-z]{2,}[,;:.]? +[A-Za-z(]|^ ?[a-z]+ $")
_CODE = re.compile(r"^\w*\(|^[#.:\[\w-]*[#\[\]=:_/$<>][^ ]*$|^\.?/|^[a-z]+-[a-z-]+$|^[a-z]+[A-Z]\w*$")
SHOWING = {"h", "fill", "button", "field", "s"}
SPOKEN = {"aria-label", "placeholder", "title", "alt", "aria-description"}
CODE_KEYS = {
    "class",
    "look",
    "d",
    "viewBox",
    "href",
    "id",
    "name",
    "type",
    "role",
    "pattern",
    "do",
    "transform",
    "kind",
} | {
    "aria-keyshortcuts",
    "autocomplete",
    "complete",
}
CLASSES = re.compile(r"^(pill|card|number|problem|quiet|primary|danger|sheet|area)( [\w-]+)*$")
CODE_PLACES = {
    "section": (0, 1),
    "openDialog": (0, 1),
    "card": (0,),
    "each": (0,),
    "button": (1, 2),
    "h": (0,),
    "s": (0,),
    "facts": (1,),
}
CODE_CALLS = re.compile(
    r"(^|\.)(Error|get|post|fetch|querySelector(All)?|closest|matches|getElementById|byId|addEventListener|setAttribute"
    r"|toggle|add|remove|contains|includes|startsWith|endsWith|split|join|replace(All)?|append|has|set|getAttribute"
    r"|DateTimeFormat|resolvedOptions|setItem|getItem|removeItem|indexOf|offered|hasRole|may|isTaken)$"
)


def is_words(text: Text) -> bool:
    """Return whether a text is shown to people although it does not go through the catalogue."""
    said, inside = text.said, text.inside
    if not _LETTERS.search(said) or _through(text) or _is_code(text):
        return False
    if inside.opened == "(" and inside.call in SHOWING:
        return True
    if inside.opened == "{" and inside.key in SPOKEN:
        return True
    if inside.opened == "$":
        return " " in said and bool(_PROSE.search(said))
    return bool(_PROSE.search(said)) and not _CODE.search(said)


def _through(text: Text) -> bool:
    return any(one.call in (*SAYING, "named") for one in text.around if one.opened == "(") and not (
        text.inside.opened == "{" and text.inside.key in SPOKEN
    )


def _is_code(text: Text) -> bool:
    before, inside = text.before, text.inside
    if inside.opened == "(" and inside.place in CODE_PLACES.get(inside.call, ()):
        return True
    if (
        CLASSES.match(text.said)
        or re.search(r"(from|import|case|===|!==)$", before)
        or re.match(r"===|!==", text.after)
    ):
        return True
    if inside.opened == "{" and inside.key in CODE_KEYS:
        return True
    if inside.opened == "{" and text.after.startswith(":") and before.endswith(("{", ",")):
        return True
    return inside.opened == "(" and bool(CODE_CALLS.search(inside.call))


# The translations


@cache
def languages() -> list[str]:
    """Return the languages into which the pages are translated."""
    return sorted(path.stem for path in WORDS.glob("*.json"))


def translations(language: str) -> dict[str, str | dict[str, str]]:
    """Return the translations of a language, by their English."""
    found: dict[str, str | dict[str, str]] = json.loads((WORDS / f"{language}.json").read_text(encoding="utf-8"))
    return found


def placeholders(text: str) -> set[str]:
    """Return the names in braces."""
    return set(re.findall(r"\{(\w+)\}", text))


def main(arguments: Sequence[str]) -> int:
    """Say what is wrong, or print what a language lacks."""
    for language in arguments:
        have = translations(language)
        lacking = {
            key.english: {"other": ""} if key.counts else "" for key in keys().values() if key.english not in have
        }
        print(json.dumps(lacking, ensure_ascii=False, indent=2))
    if not arguments:
        for text in filter(is_words, page_texts()):
            print(f"{text.file}:{text.line}: {text.source}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
