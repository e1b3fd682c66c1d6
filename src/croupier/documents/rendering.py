"""Render a document: as one self-contained HTML file without scripts, as Typst source, or as a PDF."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

import msgspec

from croupier.documents.charts import Drawing
from croupier.documents.document import (
    Cell,
    Document,
    Facts,
    Group,
    Part,
    Pictures,
    Section,
    Table,
    Tables,
    Words,
)
from croupier.documents.svg import number

_LONG = re.compile(r"\d{12}")  # such a number may break anywhere

STYLE = Path(__file__).with_name("par.css")


def html_of(document: Document, style: str = "") -> str:
    """The whole file. `style` follows the common style, for documents with their own layout."""
    title = escape(f"{document.kind}: {document.title}")
    head, body, foot = parts_of(document)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{STYLE.read_text(encoding="utf-8")}{style}</style>
</head>
<body>
<header>
{head}
</header>
<main>
{body}
</main>
<footer>
{foot}
</footer>
</body>
</html>
"""


def parts_of(document: Document) -> tuple[str, str, str]:
    """The HTML of head, body and foot, for callers with their own page around it."""
    head = (
        f'<p class="kind">{escape(document.kind)}</p>\n<h1>{escape(document.title)}</h1>\n{_facts(document.identity)}'
    )
    body = "\n".join(_section(section, place) for place, section in enumerate(document.sections))
    return head, body, f'<p>{escape(document.closing)}</p>\n<p class="foot">{escape(document.foot)}</p>'


def _section(section: Section, place: int) -> str:
    parts = "\n".join(_part(part, section.title) for part in section.parts)
    heading = f'<h2 id="section-{place + 1}">{escape(section.title)}</h2>'
    kept = ' class="together"' if section.together else ""
    return f'<section{kept} aria-labelledby="section-{place + 1}">\n{heading}\n{parts}\n</section>'


def _part(part: Part, title: str) -> str:
    """Render one part; `title` is its heading, which names a table without a caption."""
    match part:
        case Words():
            return "\n".join(f"<p>{escape(text)}</p>" for text in part.paragraphs)
        case Facts():
            return _facts(part)
        case Table():
            return _table(part, title)
        case Pictures():
            return _pictures(part)
        case Tables():
            inside = "\n".join(_table(table, title) for table in part.tables)
            return f'<div class="side-by-side across-{part.across}">\n{inside}\n</div>'
        case Group():
            inside = "\n".join(_part(inner, part.title) for inner in part.parts)
            heading = f"<h3>{escape(part.title)} <small>{escape(part.aside)}</small></h3>"
            return f'<article class="group">\n{heading}\n{inside}\n</article>'


def _facts(facts: Facts) -> str:
    rows = [
        f"<dt>{escape(label)}</dt>" + "".join(f"<dd>{escape(text)}</dd>" for text in texts)
        for label, texts in facts.rows
    ]
    return "<dl>\n" + "\n".join(f"<div>{row}</div>" for row in rows) + "\n</dl>"


def _table(table: Table, title: str) -> str:
    """Render a table. A wide one scrolls inside its own box, which is reachable by keyboard."""
    heads = "".join(f'<th scope="col" class="{column.align}">{escape(column.name)}</th>' for column in table.columns)
    rows = "\n".join(f"<tr>{_cells(table, row)}</tr>" for row in table.rows)
    room = sum(column.share for column in table.columns)
    widths = [f'<col style="width:{100 * column.share / room:.1f}%">' for column in table.columns if column.share]
    columns = f"<colgroup>{''.join(widths)}</colgroup>" if len(widths) == len(table.columns) else ""
    caption = f"<caption>{escape(table.caption)}</caption>" if table.caption else ""
    label = escape(table.caption or f"{title}: table")
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{label}">\n'
        f"<table>{caption}{columns}\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>\n</div>"
    )


def _cells(table: Table, row: Sequence[Cell]) -> str:
    return "".join(
        f'<td class="{column.align}{" long" if _LONG.search(cell.small) else ""}">{_cell(cell)}</td>'
        for column, cell in zip(table.columns, row, strict=True)
    )


def _cell(cell: Cell) -> str:
    small = f"<small>{escape(cell.small)}</small>" if cell.small else ""
    return f"{escape(cell.text)}{small}"


def _pictures(pictures: Pictures) -> str:
    figures = [
        f"<figure>\n{_svg(picture.drawing)}\n"
        f"<figcaption><strong>{escape(picture.headline)}</strong> {escape(picture.note)}</figcaption>\n</figure>"
        for picture in pictures.pictures
    ]
    return f'<div class="side-by-side across-{pictures.across}">\n' + "\n".join(figures) + "\n</div>"


def _svg(drawing: Drawing) -> str:
    box = f"0 0 {number(drawing.width)} {number(drawing.height)}"
    words = f"<title>{escape(drawing.title)}</title><desc>{escape(drawing.description)}</desc>"
    return f'<svg role="img" viewBox="{box}">{words}{drawing.inside}</svg>'


# Typst and PDF. The same document always gives the same bytes.

TEMPLATE = Path(__file__).with_name("par.typ")

# The space for pictures on a page in millimetres, less headings and captions, and the gap between two columns.
PAGE_WIDTH, PAGE_HEIGHT, GAP = 267, 152, 7

TYPST_STYLE = """
svg { font-family: "Libertinus Serif"; font-size: 12px; fill: #1b2420; }
.tick { fill: #5a6660; font-size: 11px; }
.value { fill: #5a6660; stroke: #ffffff; stroke-width: 3; paint-order: stroke; }
.bar { fill: #2f7d62; }
.player { fill: #b4502b; }
.dot { fill: #1f6b52; }
.grid { stroke: #cfd6d2; stroke-width: 0.7; }
.lead { stroke: #cfd6d2; stroke-width: 1.4; }
.zero { stroke: #1b2420; stroke-width: 1; }
.outer { fill: #cfe3da; }
.inner { fill: #93c2ae; }
.median { fill: none; stroke: #1b2420; stroke-width: 1.6; }
.mean { fill: none; stroke: #b4502b; stroke-width: 1.6; stroke-dasharray: 5 3; }
"""


def typst_source(document: Document) -> str:
    """The whole source: the content as data, then the template that lays it out."""
    content = msgspec.to_builtins(document)
    for section, plain in zip(document.sections, content["sections"], strict=True):
        for part, inner in zip(section.parts, plain["parts"], strict=True):
            if isinstance(part, Pictures):
                inner["pictures"] = [_picture(p.drawing, p.headline, p.note, part.across) for p in part.pictures]
    text = json.dumps(content, ensure_ascii=False)
    return f"#let sheet = json(bytes({json.dumps(text, ensure_ascii=False)}))\n{TEMPLATE.read_text(encoding='utf-8')}"


def _picture(drawing: Drawing, headline: str, note: str, across: int) -> dict[str, object]:
    column = (PAGE_WIDTH - GAP * (across - 1)) / across
    return {
        "headline": headline,
        "note": note,
        "title": drawing.title,
        "description": drawing.description,
        "svg": _svg_for_typst(drawing),
        "width": round(min(column, PAGE_HEIGHT * drawing.width / drawing.height), 2),
    }


def _svg_for_typst(drawing: Drawing) -> str:
    size = f'width="{number(drawing.width)}" height="{number(drawing.height)}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{escape(TYPST_STYLE)}</style>{drawing.inside}</svg>'


def pdf_of(document: Document) -> bytes:
    """Compile the PDF. Raises ImportError if Typst is not installed."""
    import typst

    source = typst_source(document).encode("utf-8")
    return typst.compile(source, format="pdf", ignore_system_fonts=True, pdf_standards="ua-1")
