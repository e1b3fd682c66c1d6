"""The API against its own document: whatever is sent, the reply is in the document, and there is no server error.

Every endpoint is tried by people of every role, with data that fits the document and data that does not; then lines of
the books with arbitrary fields. `make soak` sends many more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from croupier.rules.conduct import KINDS, Act, fields_of
from croupier.server.demonstration import PEOPLE
from tests.houses import SHELF
from tests.serving import Person, Running, running
from tests.soaking import IS_SOAK

EXAMPLES = 30 if IS_SOAK else 3
LINES = 1500 if IS_SOAK else 150
CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
]
# What stands in addresses, so that not everything ends at a name that is not there.
KNOWN = {
    "table": "craps-nsw-2024",
    "book": "craps-nsw-2024",
    "clause": "6.5",
    "person": "cleo",
    "version": 2,
    "name": "bot",
    "register": "disputes",
}
PASSWORD = "long enough for anybody"
ASKERS = [None, *(one.person for one in PEOPLE if one.person != "ben")]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Path(tmp_path_factory.mktemp("house")), store="memory:") as opened:
        opened.nobody().post("/sign-up", {"person": "cleo", "name": "Cleo", "password": PASSWORD})
        yield opened


@pytest.fixture(scope="module")
def untried_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A house of its own for lines: random requests may have given its people other posts, or excluded them."""
    with running(Path(tmp_path_factory.mktemp("house")), store="memory:") as opened:
        yield opened


@pytest.fixture(scope="module")
def document(house: Running) -> Any:  # noqa: ANN401
    return schemathesis.openapi.from_url(f"{house.url}/api/openapi.json")


def tried(strategy: SearchStrategy[Any], check: Callable[[Any], None], examples: int) -> None:
    """Check this many examples; the same ones each time, except in a soak."""

    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=not IS_SOAK,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink] if IS_SOAK else [Phase.generate],
    )
    @given(strategy)
    def one(example: Any) -> None:  # noqa: ANN401
        check(example)

    one()


class Asker:
    """Sends requests as one person, or anonymously; signs in again when a request has signed out."""

    def __init__(self, house: Running, name: str | None) -> None:
        self._house = house
        self.name = name
        self._person = house.nobody() if name is None else house.person(name)
        self.statuses: set[int] = set()

    def person(self) -> Person:
        if self.name is not None and self._person.get("/me").status_code == 401:
            self._person = self._house.person(self.name)
        return self._person

    def ask(self, case: Case[Any]) -> None:
        person = self._person
        if self.name is not None:  # they are who they are, whatever is made up for them
            case.cookies.clear()
            for name in [name for name in case.headers if name.lower() in ("authorization", "x-csrf-token", "cookie")]:
                del case.headers[name]
        headers = {**person.headers, "cookie": "; ".join(f"{k}={v}" for k, v in person.http.cookies.items())}
        sent = case.as_transport_kwargs(base_url=self._house.url, headers=headers)
        if case.path.endswith("/live"):
            with suppress(httpx.LocalProtocolError):  # a header that this client refuses to send
                self._listen(case, sent)
            return
        response = case.call(base_url=self._house.url, headers=headers)
        self.statuses.add(response.status_code)
        case.validate_response(response, checks=CHECKS)

    def _listen(self, case: Case[Any], sent: dict[str, Any]) -> None:
        """Live events never end, so only the beginning is read."""
        wanted = {name: sent[name] for name in ("params", "headers")}
        with httpx.stream(sent["method"], sent["url"], **wanted, timeout=30) as reply:
            self.statuses.add(reply.status_code)
            documented = case.operation.definition.raw["responses"][str(reply.status_code)]["content"]
            assert reply.headers["content-type"].partition(";")[0] in documented
            assert reply.status_code != 200 or next(reply.iter_bytes()).startswith(b"retry: ")


def test_every_reply_is_one_of_the_document(house: Running, document: Any) -> None:  # noqa: ANN401
    """Everyone sends the same data: generating it takes longer than answering it."""
    askers, operations = [Asker(house, name) for name in ASKERS], 0

    def asked_by_all(case: Case[Any]) -> None:
        for asker in askers:
            asker.ask(case)

    for found in document.get_all_operations():
        operation = found.ok()
        operations += 1
        for asker in askers:
            asker.person()
        known = {word: value for word, value in KNOWN.items() if f"{{{word}}}" in operation.path}
        for mode in GenerationMode:
            for at in [None, known] if known else [None]:
                # What takes nothing at all cannot be sent anything wrong.
                with suppress(Unsatisfiable) if mode is GenerationMode.NEGATIVE else nullcontext():
                    tried(operation.as_strategy(mode, path_parameters=at), asked_by_all, EXAMPLES)
    assert operations > 40
    for asker in askers:
        wanted = {200, 400, 401 if asker.name is None else 403, 404}
        assert asker.statuses >= wanted, (asker.name, asker.statuses)
        assert max(asker.statuses) < 500


def test_the_document_says_who_may_use_what(document: Any) -> None:  # noqa: ANN401
    token: dict[str, list[str]] = {"token": []}
    for found in document.get_all_operations():
        raw = found.ok().definition.raw
        page: dict[str, list[str]] = {"session": []} if found.ok().method == "get" else {"session": [], "csrf": []}
        assert raw["security"] in ([token, page], [{}, token, page], [page]), found.ok().label
    assert document.raw_schema["openapi"].startswith("3.1")


# Lines

VALUES: SearchStrategy[Any] = st.one_of(
    st.sampled_from(["ann", "ben", "10.00", "-1.00", "1.005", "field", "win_line", "small", "4", "HH", "5.1", ""]),
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    st.lists(st.integers(-1, 7) | st.text(max_size=3), max_size=4),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=2),
)
COMMON = (
    "player",
    "wager",
    "pick",
    "amount",
    "on",
    "reason",
    "call",
    "forfeit",
    "dice",
    "coins",
    "as",
    "seats",
    "book",
)


def lines(book: str) -> SearchStrategy[dict[str, Any]]:
    """Every command of a book and of the pipe, with arbitrary values in its fields and in some that it does not
    have."""
    acts, rules = SHELF.book(book).conduct.acts, SHELF.book(book).rules
    fields = {act.id: [name for form in act.says for name in fields_of(form)] for act in acts}
    likely: dict[str, list[Any]] = {
        "player": ["ann", "ben"],
        "person": ["ann", "ben"],
        "money": ["10.00", "5.00", "0.01", "999999999999.00"],
        "count": [1, 2],
        "time": ["2026-11-15T20:15:00+11:00", "1999-01-01T00:00:00"],
        "faces": [[rules.throw.faces[0]] * rules.throw.throw, "HT", "1 2"],
        "wager": [wager.id for wager in rules.wagers],
        "role": SHELF.book(book).conduct.role_ids,
        "text": ["one", "two"],
    }

    def value(act: Act | None, name: str) -> SearchStrategy[Any]:
        """A value that mostly makes sense."""
        sort = KINDS.get(name, name if name in likely else "text")
        told = act.choices.get(name) or (act.grounds if sort == "reason" else None) if act is not None else None
        return st.sampled_from(told or likely.get(sort, ["one"])) | VALUES

    words = ["open", "seat", "chips", "leave", "bet", "take", "call", "no_more_bets", "roll", "spin", "void", "find"]
    words += ["adopt", "exposure", "cases", "nonsense"]

    def line(word: str) -> SearchStrategy[dict[str, Any]]:
        act = SHELF.book(book).conduct.by_id.get(word)
        names = st.sampled_from([*fields.get(word, []), *COMMON])
        own = st.fixed_dictionaries({name: value(act, name) for name in fields.get(word, [])})
        more = st.dictionaries(names, VALUES, max_size=5)
        return st.builds(lambda one, other: {**one, **other, "do": word}, own, more)

    told = st.sampled_from([*fields, *words]).flatmap(line)
    return told | st.builds(lambda one, word: {**one, "do": word}, told, VALUES)


@pytest.mark.parametrize("book", ["craps-nsw-2024", "two-up-nsw-2016", "sic-bo-nsw-2016"])
def test_no_line_is_a_server_error(untried_house: Running, book: str) -> None:
    house = untried_house
    mia, table, people = house.person("mia"), f"lines-{book}", {}
    assert mia.do("/tables", {"table": table, "title": "Lines", "line": {"book": book, "dice": "manual"}}).is_success
    for name in ("ann", "ben"):
        people[name] = house.person(name)
        assert people[name].do(f"/tables/{table}/seat", {"chips": "100.00"}).is_success
    for name, role in (("dora", "dealer"), ("sam", "supervisor"), ("otto", "operator"), ("ivy", "inspector")):
        people[name] = house.person(name)
        assert people[name].do(f"/tables/{table}/post", {"role": role}).is_success
    replies: set[int] = set()

    def said(example: tuple[str, dict[str, Any]]) -> None:
        name, line = example
        reply = people[name].do(f"/tables/{table}/lines", {"line": line})
        replies.add(reply.status_code)
        assert reply.status_code in (200, 400, 403, 409, 422), (name, line, reply.text)
        assert reply.json()["ok"] is (reply.status_code == 200)

    said(("sam", {"do": "raise_nothing"}))
    said(("dora", {"do": "report_side_bet", "person": "ben"}))
    tried(st.tuples(st.sampled_from(sorted(people)), lines(book)), said, LINES)
    assert people["dora"].do(f"/tables/{table}/post/leave", {}).is_success
    assert {200, 403, 422} <= replies
