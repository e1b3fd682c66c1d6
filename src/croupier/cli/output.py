"""What every command prints with: complaints, JSON, lists of faults, tables, bars and progress."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from fractions import Fraction

    from rich.console import Console, JustifyMethod
    from rich.table import Table

CANNOT = 2  # exit status when something cannot be read or done
WIDTH = 80
FAILED = "Verification failed:"
BAR = 36  # characters for the longest bar

Tell = Callable[[int], None]


def complain(error: object) -> int:
    """Report why something cannot be done; return the exit status."""
    print(f"croupier: {printable(str(error))}", file=sys.stderr)
    return CANNOT


def printable(text: str) -> str:
    """Make any text printable and valid JSON: names in a damaged file may contain anything."""
    return "".join(mark if mark.isprintable() else "?" for mark in text)


def print_json(value: object) -> None:
    """Print a value as JSON, indented for human readers. It is UTF-8 whatever the terminal's encoding."""
    sys.stdout.flush()
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")


def counted(count: int, one: str, more: str | None = None) -> str:
    """Format a count: `1 event`, `1,200 events`."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def wrapped(text: str, first: str = "", rest: str | None = None) -> list[str]:
    """Wrap a paragraph; `first` indents its first line, `rest` the others."""
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=first if rest is None else rest)


def faults(sentences: Sequence[str], most: int | None = None, elsewhere: str = "") -> Iterator[str]:
    """Yield what a verification found, as lines; `elsewhere` says where faults beyond `most` are listed."""
    yield FAILED
    for sentence in sentences[:most]:
        yield from wrapped(sentence, "- ", "  ")
    if most is not None and len(sentences) > most:
        yield f"- and {len(sentences) - most:,} more{elsewhere}"


@contextmanager
def progress(words: str, total: int = 0, *, with_count: bool = False) -> Iterator[Tell | None]:
    """Show a bar during the block, indefinite without a total; None if standard error is not a terminal.

    Advance the bar as the work proceeds; `with_count` also shows its position as a number.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    shown = [TextColumn("{task.description}"), BarColumn(), *([MofNCompleteColumn()] if with_count else [])]
    left = TimeRemainingColumn() if total else TimeElapsedColumn()
    with Progress(*shown, left, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words, total=total or None)
        yield lambda done: bar.update(task, completed=done)


# -- tables and paragraphs in a console -------------------------------------------------------------------------------


def paragraph(console: Console, text: str, indent: int = 0, style: str = "", *, markup: bool = False) -> None:
    """Print a paragraph that keeps its indent when it wraps."""
    from rich.padding import Padding
    from rich.text import Text

    words = Text.from_markup(text, style=style) if markup else Text(text, style=style)
    console.print(Padding(words, (0, 0, 0, indent), expand=False))


def columns(*heads: str, words: int = 1) -> Table:
    """Make a table without lines: the first columns hold words, the others figures."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 1), pad_edge=False, header_style="bold")
    for place, head in enumerate(heads):
        if place < words:
            table.add_column(head, overflow="fold")
        else:
            table.add_column(head, justify="right", no_wrap=True)
    return table


def grid(rows: Iterable[Sequence[str]], aligned: Sequence[JustifyMethod] = (), padding: int = 2) -> Table:
    """Make a table without heads; `aligned` is how its first columns are aligned, left if not given."""
    from rich.table import Table

    table = Table.grid(padding=(0, padding))
    for justify in aligned:
        table.add_column(justify=justify, no_wrap=padding == 1)
    for row in rows:
        table.add_row(*row)
    return table


def bars(chances: Sequence[tuple[str, Fraction]], percent: Callable[[Fraction], str]) -> Table:
    """Draw a distribution as bars of characters."""
    most = max(chance for _, chance in chances)
    rows = [
        (label, percent(chance), "█" * round(BAR * chance / most) or ("▏" if chance else ""))
        for label, chance in chances
    ]
    return grid(rows, ("right", "right", "left"), padding=1)
