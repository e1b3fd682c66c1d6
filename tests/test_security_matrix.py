"""Every endpoint, every order and every command of the books, as everyone: only what the matrix allows passes.

The expectation is in `tests/matrix.py`; what is tried comes from the application, the document and the books.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec
import pytest

from croupier.contract.replies import ProblemBody
from croupier.house import orders
from croupier.house.events import Limits
from croupier.house.names import ROLES, titles
from croupier.house.orders import ORDERS, Order, Submission
from croupier.protocol import COMMANDS
from croupier.rulebooks import ids
from croupier.server.api.app import make_app
from croupier.server.endpoints import Application
from croupier.server.problems import status_of
from croupier.store.contract import Store
from tests import matrix
from tests.houses import SHELF, TestHouse
from tests.serving import Person, Running, running

TABLE = "craps-nsw-2024"
UNKNOWN, OTHER = "zoe", "ben"
NEVER = 10**9  # a version that no table has come to: who may ask is told that it has moved on, and nothing happens
DENIED = {"not_signed_in", "bad_token", "csrf", "not_allowed", "not_by_token"}
# Bodies that are refused for another reason, after it is clear that who asks may ask: nothing changes either way.
BODIES: dict[str, dict[str, Any]] = {
    "POST /api/v1/sign-up": {"person": OTHER, "name": "Ben", "password": "short"},
    "POST /api/v1/guest": {"no such field": 1},  # a new guest each time would be a change
    "POST /api/v1/sign-in": {"person": UNKNOWN},  # without a password, which would take long to look at
    "POST /api/v1/password": {"old": "not the old one", "new": "short"},
    "POST /api/v1/tokens": {"name": "play", "scopes": ["play"]},
    "POST /api/v1/tables": {"table": TABLE, "title": "Again", "line": {"book": TABLE}},
    "POST /api/v1/tables/{table}/lines": {"line": {"do": "bet"}, "version": NEVER},
    "POST /api/v1/tables/{table}/ready": {"round": 1, "version": NEVER},
    "POST /api/v1/tables/{table}/numbers": {"round": 1, "number": "0" * 64, "version": NEVER},
    "POST /api/v1/tables/{table}/numbers/show": {"round": 1, "number": "0" * 64, "version": NEVER},
    "POST /api/v1/tables/{table}/seat": {"chips": "10.00", "version": NEVER},
    "POST /api/v1/tables/{table}/chips": {"chips": "10.00", "version": NEVER},
    "POST /api/v1/tables/{table}/leave": {"version": NEVER},
    "POST /api/v1/tables/{table}/post": {"role": "dealer", "version": NEVER},
    "POST /api/v1/tables/{table}/post/leave": {"version": NEVER},
    "POST /api/v1/tables/{table}/alerts/{event}/answer": {"note": "Seen to.", "version": NEVER},
    "POST /api/v1/tables/{table}/duties/answer": {"duty": "none", "note": "Seen to.", "version": NEVER},
    "POST /api/v1/promotions": {"promotion": "coins", "book": "two-up-nsw-2016", "title": "Coins"},
    "POST /api/v1/promotions/{promotion}/lines": {"line": {"do": "file_terms"}},
    "POST /api/v1/promotions/{promotion}/duties/answer": {"duty": "none", "note": "Seen to."},
    "POST /api/v1/accounts": {"person": OTHER, "name": "Ben", "password": "long enough for anybody"},
    "POST /api/v1/accounts/{person}/roles": {"roles": ["operator"]},
    "POST /api/v1/accounts/{person}/chips": {"chips": "10.00", "reason": "because"},
    "POST /api/v1/accounts/{person}/limits": {"loss": "900000000000.00"},
    "POST /api/v1/accounts/{person}/exclusion": {"until": "yesterday"},
    "POST /api/v1/accounts/{person}/name": {"name": "Lucky Otter"},
    "POST /api/v1/accounts/{person}/password": {"new": "short"},
    "POST /api/v1/practice/{book}": {"lines": [{"do": "open"}]},
    "POST /api/v1/witness/{key}": {"statement": "{}", "signature": "0" * 128},
}
_keys = count(1)


class Asker(NamedTuple):
    """Someone, and how they authenticate. `scope` is a token's; without one it is a session."""

    label: str
    person: str | None
    scope: str | None
    headers: dict[str, str]
    is_forged: bool = False  # a session with a wrong CSRF token, or a token that there is not

    def may(self, who: str, method: str, target: str | None) -> bool:
        """What the matrix allows."""
        if who == matrix.UNASKED:
            return True
        if self.is_forged and (self.scope is not None or method != "GET"):
            return False
        if who == matrix.ANYONE:
            return True
        if self.person is None:
            return False
        if who in (matrix.SIGNED_IN, matrix.IN_PERSON):
            return who == matrix.SIGNED_IN or self.scope is None
        if "!" in who and self.scope is not None:
            return False
        if "self" in who and target == self.person:
            return self.scope in (None, "play")
        own = {matrix.PEOPLE[self.person]}
        if who == matrix.WITNESSING:
            return own == {"operator"} and self.scope in (None, "manage", "witness")
        within = own if self.scope is None else own & matrix.roles(matrix.SCOPES[self.scope])
        return bool(within & matrix.roles(who.replace("self", "")))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = Path(tmp_path_factory.mktemp("house"))
    with running(folder, store="memory:", checkpoint_seconds=86_400, failures=1000) as opened:
        yield opened


@pytest.fixture(scope="module")
def signed_in(house: Running) -> dict[str, Person]:
    return {name: house.person(name) for name in matrix.PEOPLE}


@pytest.fixture(scope="module")
def askers(signed_in: dict[str, Person]) -> list[Asker]:
    """Everyone, in every way to authenticate."""
    made = [
        Asker("nobody", None, None, {}),
        Asker("a made-up token", "ann", "play", _bearer("made up"), is_forged=True),
    ]
    for name, person in signed_in.items():
        cookie = {"cookie": "; ".join(f"{key}={value}" for key, value in person.http.cookies.items())}
        made.append(Asker(name, name, None, cookie | person.headers))
        made.append(Asker(f"{name} without CSRF", name, None, cookie, is_forged=True))
        made.append(Asker(f"{name} with wrong CSRF", name, None, cookie | {"x-csrf-token": "0" * 64}, is_forged=True))
        for scope in matrix.SCOPES:
            issued = person.post("/tokens", {"name": scope, "scopes": [scope]})
            made.append(Asker(f"{name} by a token to {scope}", name, scope, _bearer(issued.json()["token"])))
    return made


def _bearer(secret: str) -> dict[str, str]:
    return {"authorization": f"Bearer {secret}"}


def application(house: Running) -> Application:
    return make_app(house.running_house)


def routes(house: Running) -> set[str]:
    """Every endpoint that the application has."""
    return {f"{one.method} {one.path}" for one in application(house).endpoints}


def heads(store: Store) -> dict[str, tuple[int, bytes]]:
    return {head.stream: (head.version, head.hash) for head in store.heads()}


# Endpoints


def test_every_endpoint_is_in_the_matrix_and_the_document(house: Running) -> None:
    found = routes(house)
    assert found == set(matrix.ENDPOINTS), "the matrix has all endpoints and no others"
    paths = house.nobody().http.get("/api/openapi.json").json()["paths"]
    documented = {f"{method.upper()} {path}" for path, item in paths.items() for method in item}
    assert documented == {one for one in found if one.startswith(("GET /api/v1", "POST", "DELETE"))} | {
        "GET /health",
        "GET /metrics",
    }


@pytest.mark.parametrize("endpoint", sorted(matrix.ENDPOINTS))
def test_an_endpoint_is_for_those_whom_the_matrix_names(house: Running, askers: list[Asker], endpoint: str) -> None:
    passed = 0
    with httpx.Client(base_url=house.url, timeout=30) as http:
        for asker in askers:
            for target in _targets(endpoint, asker):
                passed += _checked(house, http, endpoint, asker, target)
    assert passed or endpoint.endswith("/sign-out"), "somebody may"


def _targets(endpoint: str, asker: Asker) -> list[str | None]:
    """Whose account: one's own, another's, and a nonexistent one."""
    return [asker.person or "ann", OTHER, UNKNOWN] if "{person}" in endpoint else [None]


def _checked(house: Running, http: httpx.Client, endpoint: str, asker: Asker, target: str | None) -> bool:
    method, who = endpoint.partition(" ")[0], matrix.ENDPOINTS[endpoint]
    may = asker.may(who, method, target)
    is_real = target in matrix.PEOPLE and method != "GET" and target != asker.person
    if may and (endpoint.endswith("/sign-out") or is_real):
        return False  # carried out it would change things: signing out has a test of its own, and the unknown one does
    if may and target == asker.person and "self" not in who and method != "GET":
        return False
    store = house.running_house.store
    before, refused = heads(store), len(store.refusals())
    status, body = _sent(http, endpoint, asker, target)
    case = (endpoint, asker.label, target, status, body)
    if may:
        assert status not in (405, 500), case
        assert not isinstance(body, dict) or body.get("code") not in DENIED, case
        return True
    assert status in (401, 403), case
    assert isinstance(body, dict), case
    assert set(body) == {"ok", "code", "clause", "message"}, case
    assert body["code"] in DENIED, case
    assert (status == 401) == (body["code"] in ("not_signed_in", "bad_token")), case
    assert heads(store) == before, case
    _check_kept(store, refused, endpoint, asker, body)
    return False


def _sent(http: httpx.Client, endpoint: str, asker: Asker, target: str | None) -> tuple[int, Any]:
    method, _, path = endpoint.partition(" ")
    path = (
        path.replace("{table}", TABLE)
        .replace("{version}", "2")
        .replace("{round}", "1")
        .replace("{name}", "none-of-that-name")
    )
    path = path.replace("{path}", "nothing-here").replace("{book}", TABLE).replace("{clause}", "6.5")
    path = path.replace("{round}", "1").replace("{reading}", "CR-1").replace("{wager}", "field")
    path = path.replace("{promotion}", "none-of-that-name").replace("{claim}", "claim-1")
    path = path.replace("{person}", target or "").replace("{event}", "1").replace("{key}", "0" * 64)
    body = BODIES.get(endpoint, {} if method == "POST" else None)
    headers = {**asker.headers, "idempotency-key": f"matrix-{next(_keys)}"}
    request = http.build_request(method, path, json=body, headers=headers)
    reply = http.send(request, stream=True)
    try:
        if reply.status_code == 200 and path.endswith("/live"):
            return 200, None
        text = reply.read()
        kind = reply.headers.get("content-type", "")
        if kind.startswith("text/html") and reply.is_error:
            return reply.status_code, _told_on_page(text.decode())
        return reply.status_code, msgspec.json.decode(text) if kind == "application/json" and text else text
    finally:
        reply.close()


def _told_on_page(html: str) -> dict[str, Any]:
    """What a page says to people, in the form for programs."""
    said = re.search(r'<p data-code="(\w+)">(.*?)</p>', html)
    code, message = said.groups() if said else (None, None)
    return {"ok": False, "code": code, "clause": None, "message": message}


def _check_kept(store: Store, before: int, endpoint: str, asker: Asker, body: dict[str, Any]) -> None:
    """A command that the house refused is kept with its sender and reason; one that does not get that far is not."""
    kept = [msgspec.json.decode(one.document) for one in store.refusals()[before:]]
    order = {"/lines", "/seat", "/chips", "/leave", "/post", "/roles", "/card", "/end", "/limits", "/exclusion"} | {
        *("/answer", "/numbers", "/show", "/ready", "/name", "/refill")
    }
    is_command = endpoint.startswith("POST") and (
        any(endpoint.endswith(word) for word in order)
        or endpoint in ("POST /api/v1/tables", "POST /api/v1/accounts", "POST /api/v1/promotions")
    )
    if is_command and body["code"] == "not_allowed":
        assert [(one["who"], one["code"]) for one in kept] == [(asker.person, "not_allowed")]
        assert kept[0]["deed"]["deed"]
        assert kept[0]["message"] == body["message"]
    else:
        assert kept == []


def test_nobody_ends_anothers_tokens_or_sees_them(house: Running, signed_in: dict[str, Person]) -> None:
    ann, ben = signed_in["ann"], signed_in["ben"]
    mine = ben.post("/tokens", {"name": "bens own", "scopes": ["play"]}).json()["token"]
    assert "bens own" not in ann.get("/tokens").text
    gone = ann.http.delete("/api/v1/tokens/bens own", headers=ann.headers)
    assert (gone.status_code, gone.json()["code"]) == (404, "no_such_token")
    with httpx.Client(base_url=house.url, headers=_bearer(mine)) as program:
        assert program.get("/api/v1/me").json()["person"] == "ben"
    assert mine not in ben.get("/tokens").text


def test_what_is_in_the_body_gives_nobody_a_right(house: Running, signed_in: dict[str, Person]) -> None:
    """The person in a line, a role or a time in it, unknown fields."""
    table, ann, ben = "bodies", signed_in["ann"], signed_in["ben"]
    signed_in["mia"].do("/tables", {"table": table, "title": "Bodies", "line": {"book": TABLE}})
    for person in (ann, ben):
        assert person.do(f"/tables/{table}/seat", {"chips": "50.00"}).is_success
    before = heads(house.running_house.store)
    bet = {"do": "bet", "wager": "win_line", "amount": "10.00"}
    refused = {
        "not_your_own": bet | {"player": "ben"},
        "not_your_title": bet | {"as": "casino supervisor"},
        "not_permitted": {"do": "fill_float", "amount": "10.00"},
    }
    for code, line in refused.items():
        reply = ann.do(f"/tables/{table}/lines", {"line": line})
        assert (reply.status_code, reply.json()["code"]) == (403, code)
    for more in ({"who": "ben"}, {"person": "ben"}, {"within": ["operator"]}, {"key": "x"}):
        assert ann.do(f"/tables/{table}/seat", {"chips": "50.00", **more}).status_code == 400
    assert heads(house.running_house.store) == before
    assert ann.do(f"/tables/{table}/lines", {"line": bet | {"who": "ben", "at": "1999-01-01T00:00:00"}}).is_success
    newest = signed_in["sam"].get(f"/tables/{table}/events?limit=1000").json()["entries"][-1]
    assert (newest["who"], newest["events"][0]["player"]) == ("ann", "ann")
    assert not newest["at"].startswith("1999")


# Deeds


def samples(person: str) -> dict[str, Order]:
    """One of every order, about a person if it is about anyone."""
    given: list[Order] = [
        orders.Say(table="t", line={"do": "bet"}),
        orders.PutInNumber(table="t", round=1, number="0" * 64),
        orders.ShowNumber(table="t", round=1, number="0" * 64),
        orders.SayReady(table="t", round=1),
        orders.ChangeName(person=person, name="Lucky Otter"),
        orders.Refill(person=person),
        orders.NotePresence(table="t", person=person, here=False),
        orders.FreeSeat(table="t", person=person, minutes=5.0),
        orders.Sit(table="t", cents=10_00),
        orders.BuyIn(table="t", cents=10_00),
        orders.GetUp(table="t"),
        orders.SetTable(table="new", title="New", line={"book": TABLE}),
        orders.TakePost(table="t", role="dealer"),
        orders.LeavePost(table="t"),
        orders.AnswerAlert(table="t", event=1, note="Seen to."),
        orders.AnswerDuty(table="t", duty="none", note="Seen to."),
        orders.RunOn(table="t"),
        orders.OpenPromotion(promotion="coins", book="two-up-nsw-2016", title="Coins"),
        orders.Promote(promotion="p", line={"do": "file_terms"}),
        orders.CloseEntries(promotion="p"),
        orders.AnswerPromotionDuty(promotion="p", duty="none", note="Seen to."),
        orders.OpenAccount(person="new", name="New"),
        orders.SetPassword(person=person),
        orders.ChangeRoles(person=person, roles=("operator",)),
        orders.IssueCard(person=person),
        orders.EndCard(person=person),
        orders.GrantChips(person=person, cents=10_00, reason="because"),
        orders.SetLimits(person=person, limits=Limits(loss=10_00)),
        orders.Exclude(person=person),
        orders.LetIn(person=person),
    ]
    return {order.tag(): order for order in given}


@pytest.fixture(scope="module")
def small() -> TestHouse:
    """A house with a table and someone of every role, none of whom is at it."""
    house = TestHouse()
    house.dealt_table(TABLE, "t")
    for name, role in matrix.PEOPLE.items():
        house.person(name, role)
    return house


def decided(house: TestHouse, order: Order, who: str | None, within: tuple[str, ...] | None = None) -> str | None:
    """The code with which an order would be refused; None if it would be carried out. Nothing is done."""
    pending = house.decide(Submission(id="o", order=order, who=who, within=within, key="k"))
    house.house.failed(pending)
    code = getattr(pending.answer, "code", None)
    if code is not None and who is not None:
        kept = msgspec.json.decode(pending.write.refusal or b"{}")
        assert (kept["who"], kept["code"], kept["order"]) == (who, code, "o")
        assert kept["deed"] == msgspec.json.decode(msgspec.json.encode(order))
        assert not pending.write.appends
    return None if code is None else str(code)


def test_every_deed_is_in_the_matrix() -> None:
    assert set(matrix.ORDERS) == set(samples("ben")) == {order.tag() for order in ORDERS}


@pytest.mark.parametrize("name", sorted(matrix.ORDERS))
def test_a_deed_is_for_those_whom_the_matrix_names(small: TestHouse, name: str) -> None:
    who = matrix.ORDERS[name]
    for person, role in matrix.PEOPLE.items():
        for target in (person, OTHER):
            order = samples(target)[name]
            own = "self" in who and target == person
            for scope, letters in [(None, "pdsmoi"), *matrix.SCOPES.items()]:
                within = None if scope is None else tuple(sorted(matrix.roles(letters)))
                may = role in matrix.roles(who.replace("self", "").replace("house", "")) & matrix.roles(letters)
                may = "p" in letters if own else may  # for oneself one asks in person, or by a program that plays
                code = decided(small, order, person, within)
                is_post = name == "take_post" and role != "dealer"  # it is asked for as a dealer
                assert (code != "not_allowed") == (may and not is_post), (name, person, target, scope, code)
    assert (decided(small, samples("ben")[name], None) == "not_allowed") == ("house" not in who)


def test_nobody_without_an_account_may_do_anything(small: TestHouse) -> None:
    for order in samples("ben").values():
        assert decided(small, order, "stranger") == "unknown_person"


# Words


class Floor(NamedTuple):
    """A table of a book with someone of every role at it."""

    house: TestHouse
    lines: dict[str, dict[str, Any]]


@pytest.fixture(scope="module", params=ids())
def floor(request: pytest.FixtureRequest) -> Floor:
    book, house = request.param, TestHouse()
    house.dealt_table(book, "t")
    for name, role in matrix.PEOPLE.items():
        house.person(name, role)
        here = orders.Sit(table="t", cents=100_00) if role == "player" else orders.TakePost(table="t", role=role)
        house.ok(here, name)
    for role in ROLES:
        house.person(f"absent-{role}", role)
    return Floor(house, lines(book))


def lines(book: str) -> dict[str, dict[str, Any]]:
    """Every command that a table of this book could get, with its fields."""
    known = SHELF.book(book)
    rules, wager = known.rules, known.rules.wagers[0]
    faces = [rules.throw.faces[0]] * rules.throw.throw
    fields: dict[str, Any] = {"wager": wager.id, "pick": next(iter(known.picks(wager))), "player": "ann"}
    fields |= {"amount": "10.00", "on": True, "book": book, "chips": "10.00"}
    fields[rules.throw.field] = "".join(map(str, faces)) if isinstance(faces[0], str) else faces
    reasons = [reason for power in known.conduct.powers for reason in power.reasons]
    made: dict[str, dict[str, Any]] = {f"void {reason}": {"do": "void", "reason": reason} for reason in reasons}
    others = {"roll", "spin"} - {rules.throw.command}
    made |= {word: {"do": word, **fields} for word in COMMANDS if word != "void" and word not in others}
    return made | {act.id: {"do": act.id} for act in known.conduct.acts}


BY_THE_BOOK = {"not_permitted", "not_at_table", "not_your_own", "not_your_title", "unknown_role"}


def test_every_word_is_in_the_matrix(floor: Floor) -> None:
    book = floor.house.house.table("t").game.terms[-1].book
    known = matrix.words(book)
    assert set(floor.lines) - matrix.NO_LINES - set(known) == set(), "the matrix has all words of the book"
    own = {word for names in matrix.IN_A_BOOK[book].values() for word in names.split()}
    assert own - set(floor.lines) == set(), "and no others"
    everywhere = {word for names in matrix.EVERYWHERE.values() for word in names.split()}
    assert everywhere <= {word for each in ids() for word in lines(each)}


def test_a_word_is_for_those_whom_the_matrix_names(floor: Floor) -> None:
    known = matrix.words(floor.house.house.table("t").game.terms[-1].book)
    for word, line in floor.lines.items():
        for person, role in matrix.PEOPLE.items():
            if person == OTHER:
                continue
            code = decided(floor.house, orders.Say(table="t", line=line), person)
            if word in matrix.NO_LINES:
                assert code in ("not_a_line", "unknown_command"), (word, person, code)
                continue
            may = role in matrix.roles(known[word])
            assert (code not in BY_THE_BOOK) == may, (word, person, code)
            if not may:
                assert status_of(ProblemBody(code=str(code), message="")) == 403


def test_no_word_is_for_those_who_are_not_at_the_table(floor: Floor) -> None:
    for line in floor.lines.values():
        order = orders.Say(table="t", line=line)
        for role in ROLES:
            assert decided(floor.house, order, f"absent-{role}") == "not_at_table"


def test_at_a_table_a_program_is_within_its_scopes(floor: Floor) -> None:
    for line in floor.lines.values():
        order = orders.Say(table="t", line=line)
        for person, role in matrix.PEOPLE.items():
            for letters in matrix.SCOPES.values():
                within = tuple(matrix.roles(letters))
                if role not in within:
                    assert decided(floor.house, order, person, within) == "not_allowed"


def test_a_player_says_nothing_for_another(floor: Floor) -> None:
    """Ann sends a line with Ben's name in it: the wagers are hers."""
    for word in ("bet", "take", "call"):
        line = floor.lines[word] | {"player": OTHER}
        code = decided(floor.house, orders.Say(table="t", line=line), "ann")
        assert code in ("not_your_own", "not_permitted")
        assert status_of(ProblemBody(code=str(code), message="")) == 403


def test_nobody_takes_a_title_that_is_not_theirs(floor: Floor) -> None:
    conduct = SHELF.game(floor.house.house.table("t").game.terms[-1]).book.conduct
    for person, role in matrix.PEOPLE.items():
        own = titles(conduct, role)
        for title in (*conduct.role_ids, "nobody of the book", 7):
            if title not in own:
                line = floor.lines["bet"] | {"as": title}
                code = decided(floor.house, orders.Say(table="t", line=line), person)
                assert code in ("not_your_title", "not_permitted"), (person, title)


def test_refused_words_over_http_change_nothing_and_are_kept(house: Running, signed_in: dict[str, Person]) -> None:
    """One book over HTTP: what the house refuses is a 403 with the clause, and the refusal is kept."""
    table, known, store = "words", matrix.words(TABLE), house.running_house.store
    signed_in["mia"].do("/tables", {"table": table, "title": "Words", "line": {"book": TABLE}})
    assert signed_in["ann"].do(f"/tables/{table}/seat", {"chips": "50.00"}).is_success
    for name in ("sam", "ivy", "otto"):
        signed_in[name].do(f"/tables/{table}/post", {"role": matrix.PEOPLE[name]})
    before, refusals, tried = heads(store), len(store.refusals()), 0
    for word, line in lines(TABLE).items():
        for name in ("ann", "sam", "ivy", "otto", "ben"):
            here = name != "ben"
            if word in matrix.NO_LINES or (here and matrix.PEOPLE[name] in matrix.roles(known[word])):
                continue
            reply = signed_in[name].do(f"/tables/{table}/lines", {"line": line})
            tried += 1
            assert reply.status_code == 403, (word, name, reply.text)
            assert reply.json()["code"] == ("not_permitted" if here else "not_at_table")
            kept = msgspec.json.decode(store.refusals()[-1].document)
            assert (kept["who"], kept["deed"]["line"]) == (name, line)
    assert heads(store) == before
    assert len(store.refusals()) == refusals + tried
    assert tried > 300


# The document


def test_the_document_has_the_matrix(house: Running) -> None:
    """`docs/security.md` has the tables that follow from the application and the orders."""
    text = (Path(__file__).parent.parent / "docs" / "security.md").read_text(encoding="utf-8")
    for table in (endpoints_table(house), orders_table()):
        assert table in text, table


def endpoints_table(house: Running) -> str:
    rows = {}
    for one in application(house).endpoints:
        if one.needs is None or not one.in_document:
            continue
        who = ", ".join(one.needs) + (", not by a token" if one.in_person else "")
        who += f", a token with the scope `{one.scope}`" if one.scope is not None else ""
        rows[one.path, one.method] = "as the order says" if "commands" in one.tags else who
    listed = [f"| `{method} {path}` | {who} |" for (path, method), who in sorted(rows.items())]
    return "\n".join(["| endpoint | for |", "| --- | --- |", *listed]) + "\n"


def orders_table() -> str:
    rows = [f"| `{order.tag()}` | {', '.join(order.permits)} |" for order in ORDERS]
    return "\n".join(["| order | for |", "| --- | --- |", *rows]) + "\n"
