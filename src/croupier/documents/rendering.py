"""Render a document: as one self-contained HTML file without scripts, as Typst source, or as a PDF."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
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
    Picture,
    Pictures,
    Section,
    Table,
    Tables,
    Words,
)
from croupier.documents.markup import Inside, Markup, Value, element, listed, number

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


def parts_of(document: Document) -> tuple[Markup, Markup, Markup]:
    """The HTML of head, body and foot, for callers with their own page around it."""
    kind, title = element("p", document.kind, class_="kind"), element("h1", document.title)
    closing, foot = element("p", document.closing), element("p", document.foot, class_="foot")
    body = listed((_section(section, place) for place, section in enumerate(document.sections, start=1)), "\n")
    return listed((kind, title, _facts(document.identity)), "\n"), body, listed((closing, foot), "\n")


def _block(name: str, parts: Iterable[Inside], **attributes: Value) -> Markup:
    """An element with each part on its own line."""
    return element(name, "\n", [(part, "\n") for part in parts], **attributes)


def _section(section: Section, number_: int) -> Markup:
    id_ = f"section-{number_}"
    parts = (element("h2", section.title, id=id_), *(_part(part, section.title) for part in section.parts))
    return _block("section", parts, class_="together" if section.together else None, aria_labelledby=id_)


def _part(part: Part, title: str) -> Markup:
    """Render one part; `title` is its heading, which names a table without a caption."""
    match part:
        case Words():
            return listed((element("p", text) for text in part.paragraphs), "\n")
        case Facts():
            return _facts(part)
        case Table():
            return _table(part, title)
        case Pictures():
            return _side_by_side(map(_figure, part.pictures), part.across)
        case Tables():
            return _side_by_side((_table(table, title) for table in part.tables), part.across)
        case Group():
            heading = element("h3", part.title, " ", element("small", part.aside))
            return _block("article", (heading, *(_part(inner, part.title) for inner in part.parts)), class_="group")


def _side_by_side(parts: Iterable[Inside], across: int) -> Markup:
    return _block("div", parts, class_=f"side-by-side across-{across}")


def _facts(facts: Facts) -> Markup:
    rows = ((element("dt", label), [element("dd", text) for text in texts]) for label, texts in facts.rows)
    return _block("dl", (element("div", row) for row in rows))


def _table(table: Table, title: str) -> Markup:
    """Render a table. A wide one scrolls inside its own box, which is reachable by keyboard."""
    heads = (element("th", column.name, scope="col", class_=column.align) for column in table.columns)
    room = sum(column.share for column in table.columns)
    widths = [f'<col style="width:{100 * column.share / room:.1f}%">' for column in table.columns if column.share]
    columns = element("colgroup", map(Markup, widths)) if len(widths) == len(table.columns) else None
    caption = element("caption", table.caption) if table.caption else None
    body = _block("tbody", (element("tr", _cells(table, row)) for row in table.rows))
    whole = element("table", caption, columns, "\n", element("thead", element("tr", heads)), "\n", body, "\n")
    label = table.caption or f"{title}: table"
    return _block("div", [whole], class_="scroll", tabindex=0, role="region", aria_label=label)


def _cells(table: Table, row: Sequence[Cell]) -> Iterator[Markup]:
    for column, cell in zip(table.columns, row, strict=True):
        small = element("small", cell.small) if cell.small else None
        is_long = " long" if _LONG.search(cell.small) else ""
        yield element("td", cell.text, small, class_=f"{column.align}{is_long}")


def _figure(picture: Picture) -> Markup:
    drawing = picture.drawing
    named = (element("title", drawing.title), element("desc", drawing.description))
    box = f"0 0 {number(drawing.width)} {number(drawing.height)}"
    svg = element("svg", named, Markup(drawing.inside), role="img", viewBox=box)
    return _block("figure", (svg, element("figcaption", element("strong", picture.headline), " ", picture.note)))


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
                inner["pictures"] = [_picture(picture, part.across) for picture in part.pictures]
    text = json.dumps(content, ensure_ascii=False)
    return f"#let sheet = json(bytes({json.dumps(text, ensure_ascii=False)}))\n{TEMPLATE.read_text(encoding='utf-8')}"


def _picture(picture: Picture, across: int) -> dict[str, object]:
    drawing = picture.drawing
    column = (PAGE_WIDTH - GAP * (across - 1)) / across
    return {
        "headline": picture.headline,
        "note": picture.note,
        "title": drawing.title,
        "description": drawing.description,
        "svg": _svg_for_typst(drawing),
        "width": round(min(column, PAGE_HEIGHT * drawing.width / drawing.height), 2),
    }


def _svg_for_typst(drawing: Drawing) -> str:
    inside = (element("style", TYPST_STYLE), Markup(drawing.inside))
    return element("svg", inside, xmlns="http://www.w3.org/2000/svg", width=drawing.width, height=drawing.height)


def pdf_of(document: Document) -> bytes:
    """Compile the PDF. Raises ImportError if Typst is not installed."""
    import typst

    source = typst_source(document).encode("utf-8")
    return typst.compile(source, format="pdf", ignore_system_fonts=True, pdf_standards="ua-1")
