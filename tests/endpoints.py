"""Builds the list of endpoints at the end of docs/api.md from the application itself; a test checks that it is up to
date.

`python -m tests.endpoints` rewrites it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from croupier.server.api.app import make_app
from croupier.server.endpoints import Application, Endpoint
from croupier.server.openapi import document_of
from croupier.server.running_house import RunningHouse
from croupier.server.settings import Settings

PAGE = Path(__file__).parent.parent / "docs" / "api.md"
HEAD = "| endpoint | for | takes | what |\n|---|---|---|---|\n"
# In which order they are listed: by how addresses begin.
ORDER = (
    *("house", "sign-", "guest", "password", "tokens", "tables", "floor", "duties", "books"),
    *("me", "accounts", "refusals", "registers", "reports", "export", "check"),
)
# Pages for people, which the OpenAPI document leaves out.
FOR_PEOPLE = {
    "/": "the tables of the house",
    "/web/{folder}/{name}": "scripts, styles and pictures of the pages",
    "/manifest.webmanifest": "what a browser needs to know to install the house as an app",
    "/offline": "the page for when there is no connection",
    "/worker.js": "the worker that shows it",
    "/tables/{table}": "the felt, for players",
    "/tables/{table}/rounds/{round}": "a round, to be seen again",
    "/tables/{table}/throws/{version}": "the throw that an event belongs to, to be seen again",
    "/tables/{table}/deal": "the dealer's console",
    "/practice/{book}": "a practice table",
    "/learn/{book}": "the first game of a book",
    "/display/{table}": "a public display for a table",
    "/floor": "the supervisors' page",
    "/inspect": "the inspectors' page",
    "/me": "your account and past wagers",
    "/promotions": "all promotions; for managers also drafts",
    "/promotions/{promotion}": "a promotion: terms, draw, your own part; for managers a console",
    "/duties": "duties: what is due, by when, under which clause",
    "/registers": "registers and returns of a month",
    "/developers": "all endpoints",
    "/check": "the checker: records, prize draws and receipts, checked in the browser",
    "/rules": "the rules, clause by clause",
    "/rules/{book}": "a book, searched with `q`",
    "/rules/{book}/readings": "the readings of a book",
    "/rules/{book}/readings/{reading}": "a reading",
    "/rules/{book}/wagers/{wager}": "a wager",
    "/rules/{book}/{clause}": "a clause as it is cited",
    "/sheets": "the PAR sheets",
    "/sheets/{name}": "the PAR sheet of a book; as a PDF if its id is followed by `.pdf`",
    "/sheets.css": "the style of the PAR sheets",
}

Operation = dict[str, Any]


def application() -> Application:
    """The application of a house that is not open."""
    return make_app(RunningHouse(Settings()))


def listed() -> str:
    """The whole table."""
    app = application()
    document = document_of(app)
    rows = [
        f"| `{one.method} {one.path}` | {', '.join(one.needs)} | {_takes(document, one)} | {_what(document, one)} |\n"
        for one in sorted(app.endpoints, key=lambda one: (_place(one.path), one.path, one.method))
        if one.needs is not None
    ]
    return HEAD + "".join(rows)


def _place(path: str) -> int:
    begins = [place for place, begin in enumerate(ORDER) if path.startswith(f"/api/v1/{begin}")]
    return begins[0] if begins else len(ORDER)


def _operation(document: dict[str, Any], one: Endpoint) -> Operation:
    operation: Operation = document["paths"].get(one.path, {}).get(one.method.lower(), {})
    return operation


def _what(document: dict[str, Any], one: Endpoint) -> str:
    said = str(_operation(document, one).get("summary") or FOR_PEOPLE[one.path])
    return said[0].lower() + said[1:]


def _takes(document: dict[str, Any], one: Endpoint) -> str:
    """The fields of the body or of the query; optional ones are in brackets."""
    operation = _operation(document, one)
    fields = [*_of_query(operation), *_of_body(document, operation)]
    return ", ".join(f"`{name}`" if needed else f"[`{name}`]" for name, needed in fields)


def _of_query(operation: Operation) -> Iterator[tuple[str, bool]]:
    for parameter in operation.get("parameters", []):
        if parameter["in"] == "query":
            yield parameter["name"], bool(parameter["required"])


def _of_body(document: dict[str, Any], operation: Operation) -> Iterator[tuple[str, bool]]:
    for content in operation.get("requestBody", {}).get("content", {}).values():
        schema = document["components"]["schemas"][content["schema"]["$ref"].rpartition("/")[2]]
        names = schema.get("properties", {})
        needed = schema.get("required", [])
        yield from sorted(((name, name in needed) for name in names), key=lambda field: not field[1])


def written(text: str) -> str:
    """The page with the table in its place at the end."""
    return text.split(HEAD.splitlines()[0])[0] + listed()


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
