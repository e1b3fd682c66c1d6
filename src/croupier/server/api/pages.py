"""The front page: which house this is, its tables, what its API offers. For people; no script, nothing from afar."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import Any

from litestar import Litestar, MediaType, Response, get

from croupier.house.tables import TableState
from croupier.server.api.asks import ANYONE, Ask, premises_of
from croupier.server.demonstration import PEOPLE

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #888; --felt: #0b6b46; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 0 1rem 4rem; }
header { border-bottom: 4px solid var(--felt); padding: 1.5rem 0 .75rem; margin-bottom: 1.5rem; }
h1 { margin: 0; font-size: 1.6rem; } h2 { margin: 2rem 0 .5rem; font-size: 1.15rem; }
p.note { color: var(--soft); margin: .25rem 0 0; }
table { border-collapse: collapse; width: 100%; } .scroll { overflow-x: auto; }
th, td { text-align: left; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; color: var(--soft); font-size: .85rem; }
code { font: .9em ui-monospace, monospace; white-space: nowrap; }
a { color: inherit; text-decoration-color: var(--felt); text-underline-offset: .2em; }
a:focus-visible { outline: 3px solid var(--felt); outline-offset: 2px; }
"""
_METHODS = ("get", "post", "delete")


@get("/", opt={"needs": ANYONE}, media_type=MediaType.HTML, include_in_schema=False)
async def front(request: Ask) -> Response[str]:
    """The front page."""
    premises = premises_of(request)
    parts = [_tables(premises.house.tables()), _people() if premises.settings.demonstration else ""]
    parts.append(_api(request.app))
    return Response(_page(premises.settings.name, "".join(parts)), media_type=MediaType.HTML)


@get("/front.css", opt={"needs": ANYONE}, media_type=MediaType.CSS, include_in_schema=False)
async def style() -> str:
    """How it looks."""
    return _STYLE


def _page(name: str, body: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="data:,"><link rel="stylesheet" href="/front.css">'
        f"<title>{escape(name)}</title></head><body>"
        f"<header><h1>{escape(name)}</h1>"
        '<p class="note">Craps, Sic Bo, Two-Up and Snake Eyes by their approved rules. Play chips only.</p></header>'
        f"<main>{body}</main></body></html>"
    )


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table of cells that are HTML already."""
    head = "".join(f'<th scope="col">{cell}</th>' for cell in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _tables(states: list[TableState]) -> str:
    rows = [
        (
            f'<a href="/api/v1/tables/{escape(state.name)}">{escape(state.title)}</a>',
            "by itself, electronic dice" if state.rhythm is not None else "by its staff",
            "closed" if state.game.facts.get("table") == "closed" else "open",
            str(len(state.game.chips)),
            f'<a href="/api/v1/tables/{escape(state.name)}/record">public record</a>',
        )
        for state in states
    ]
    return "<h2>Tables</h2>" + _table(("table", "run", "state", "players", "dice"), rows)


def _people() -> str:
    rows = [(one.roles[0], f"<code>{one.person}</code>", f"<code>{one.password}</code>") for one in PEOPLE]
    return "<h2>Sign in as</h2>" + _table(("role", "person", "password"), rows)


@lru_cache(maxsize=1)
def _api(app: Litestar) -> str:
    """It is always the same, and long in the making."""
    document: dict[str, Any] = app.openapi_schema.to_schema()
    rows = [
        (f"<code>{method.upper()} {escape(path)}</code>", escape(item[method].get("summary", "")), _about(item[method]))
        for path, item in document["paths"].items()
        for method in _METHODS
        if method in item
    ]
    say = '<p class="note">As an OpenAPI 3.1 document: <a href="/api/openapi.json">openapi.json</a>.</p>'
    return "<h2>API</h2>" + say + _table(("endpoint", "what it is", ""), rows)


def _about(operation: dict[str, Any]) -> str:
    return escape(str(operation.get("description") or ""))


HANDLERS = [front, style]
