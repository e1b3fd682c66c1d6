"""A document as Typst source, and through Typst as a PDF. The same document always gives the same bytes."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

import msgspec

from croupier.sheets.charts import Drawing
from croupier.sheets.document import Document, Pictures
from croupier.sheets.svg import number

TEMPLATE = Path(__file__).with_name("par.typ")

# The room for pictures on a page in millimetres, headings and captions taken off, and the gap between two columns.
PAGE_WIDTH, PAGE_HEIGHT, GAP = 267, 152, 7

STYLE = """
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
        "svg": _svg(drawing),
        "width": round(min(column, PAGE_HEIGHT * drawing.width / drawing.height), 2),
    }


def _svg(drawing: Drawing) -> str:
    size = f'width="{number(drawing.width)}" height="{number(drawing.height)}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{escape(STYLE)}</style>{drawing.inside}</svg>'


def pdf_of(document: Document) -> bytes:
    """The PDF. Raises ImportError where Typst is not installed."""
    import typst

    source = typst_source(document).encode("utf-8")
    return typst.compile(source, format="pdf", ignore_system_fonts=True, pdf_standards="ua-1")
