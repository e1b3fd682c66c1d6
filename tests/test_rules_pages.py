"""The rules in a browser: every clause has its page, every link works, and players are shown no probabilities."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import httpx
import pytest

import croupier
from croupier.documents import markup
from croupier.rules.citations import citations
from croupier.server.pages.book_index import BY_THE_ENGINE, COMMANDS, known
from croupier.server.pages.books import paid
from croupier.server.pages.clause_links import above, below, clause_address, every_clause, meant, readings_on
from croupier.server.pages.clauses import LEFT_OUT
from croupier.server.pages.machine_rows import phase_rows, wager_rows
from tests.serving import Person, Running, running
from tests.tables import BOOKS, SHELF

CRAPS = "craps-nsw-2024"
NAME = 'The <script>alert(1)</script> & "House"'
VOID = {"br", "hr", "img", "input", "link", "meta", "col"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = Path(tmp_path_factory.mktemp("house"))
    with running(folder, store="memory:", checkpoint_seconds=86_400, name=NAME) as opened:
        yield opened


@pytest.fixture(scope="module")
def anybody(house: Running) -> httpx.Client:
    return house.nobody().http


@pytest.fixture(scope="module")
def ivy(house: Running) -> Person:
    return house.person("ivy")


class Looked(HTMLParser):
    """A page as a browser reads it: its words, its headings, its links, and whether every element is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.headings: list[int] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == [], "something is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.add(tag)
        self.attributes |= set(given)
        self.links += [str(given[name]) for name in ("href", "src", "action") if name in given]
        self.ids += [str(given["id"])] if "id" in given else []
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID and "svg" not in self._open:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag == "svg" or "svg" not in self._open:
            assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "head" not in self._open:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


def look(http: httpx.Client, address: str, status: int = 200) -> Looked:
    """A page, which must be one that browsers display as intended."""
    reply = http.get(address)
    assert reply.status_code == status, (address, reply.status_code, reply.text[:300])
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'self'" in reply.headers["content-security-policy"]
    page = Looked(reply.text)
    assert not page.tags & {"script", "style"}
    assert not {name for name in page.attributes if name == "style" or name.startswith("on")}
    assert page.headings[0] == 1
    assert page.headings.count(1) == 1
    steps = zip(page.headings, page.headings[1:], strict=False)
    assert all(after <= before + 1 for before, after in steps), (address, page.headings)
    assert len(page.ids) == len(set(page.ids))
    assert {"main", "nav", "header"} <= page.tags
    assert page.links.count("#main") == 1
    return page


def plain(text: str) -> str:
    return " ".join(text.split())


@cache
def addresses(book_id: str) -> dict[str, str]:
    """The pages of a book, with words that are on each."""
    book = SHELF.book(book_id)
    found = {f"/rules/{book_id}": book.rules.book.title, f"/rules/{book_id}/readings": "Readings"}
    found |= {clause_address(book_id, number): clause.summary for number, clause in every_clause(book).items()}
    found |= {f"/rules/{book_id}/wagers/{wager.id}": wager.help for wager in book.rules.wagers}
    return found | {f"/rules/{book_id}/readings/{one.id}": f"Reading {one.id}" for one in book.readings}


# Every page


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_clause_wager_and_reading_has_a_page_and_every_link_leads_somewhere(
    anybody: httpx.Client, book_id: str
) -> None:
    every = {address for other in BOOKS for address in addresses(other)} | {"/rules", "/promotions", "/", "#main"}
    every |= {f"/practice/{book_id}", f"/learn/{book_id}"}
    files = {"/web/shared/style.css", "/web/rules/rules.css", "/web/shared/icon.svg", "/web/shared/icon-180.png"}
    files |= {"/manifest.webmanifest"}
    for address, words in addresses(book_id).items():
        page = look(anybody, address)
        assert plain(words) in page.text, address
        inside = {f"#{name}" for name in page.ids}
        targets = {target if target.startswith("#") else target.partition("#")[0] for target in page.links}
        known = every | files | inside | {f"/?sign-in={address}"}
        assert {unquote(target) for target in targets} <= {unquote(one) for one in known}, address
    sections = {link.partition("#")[2] for link in look(anybody, f"/rules/{book_id}/{first(book_id)}").links}
    assert {name for name in sections if name.startswith("section-")} <= set(look(anybody, f"/rules/{book_id}").ids)


def first(book_id: str) -> str:
    return next(iter(SHELF.book(book_id).clauses))


def test_the_files_of_the_pages_are_there(anybody: httpx.Client) -> None:
    files = ("/web/rules/rules.css", "/web/shared/style.css", "/web/shared/icon.svg", "/web/shared/icon-180.png")
    for address in (*files, "/manifest.webmanifest", "/sheets.css"):
        assert anybody.get(address).status_code == 200, address


def test_all_books_are_on_one_page_with_their_classes(anybody: httpx.Client) -> None:
    page = look(anybody, "/rules")
    for book_id in BOOKS:
        book = SHELF.book(book_id)
        assert book.rules.book.title in page.text
        assert book.rules.book.regulator in page.text
        assert f"{len(every_clause(book))}: " in page.text
        assert f"/rules/{book_id}" in page.links


@pytest.mark.parametrize("book_id", BOOKS)
def test_a_clause_says_its_class_its_reason_and_its_readings(anybody: httpx.Client, book_id: str) -> None:
    book = SHELF.book(book_id)
    kinds = {clause.class_: number for number, clause in book.clauses.items()}
    assert set(kinds) == {"enforced", "shown", "recorded", "physical"}
    for number in kinds.values():
        clause, page = book.clauses[number], look(anybody, clause_address(book_id, number))
        for words in (clause.class_, clause.reason, clause.moment):
            assert words is None or plain(words) in page.text
        assert all(f"Reading {one.id}" in page.text for one in readings_on(book, number))


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_reading_that_a_clause_names_is_shown_with_it(book_id: str) -> None:
    book = SHELF.book(book_id)
    own = {one.id for one in book.readings}
    for number, clause in every_clause(book).items():
        assert set(clause.readings) & own <= {one.id for one in readings_on(book, number)}


# What stands on a clause


@pytest.mark.parametrize("book_id", BOOKS)
def test_all_that_is_cited_has_a_page_that_says_what_stands_on_it(book_id: str) -> None:
    book, about = SHELF.book(book_id), known(SHELF, book_id, False)
    game = SHELF.game(SHELF.terms(book_id))
    for cited in citations(book, game):
        assert meant(book, cited.clause) == cited.clause
        found = about.uses[cited.clause]
        by_power = cited.place.startswith("power")
        assert found.refusals or found.acts or found.rows or found.notes or found.pays or by_power, cited
    for act in book.conduct.acts:
        assert act.id in {done.act for done in about.uses[act.clause].acts}
    for wager in book.rules.wagers:
        for condition in (*wager.place, *wager.take):
            told = {(one.code, one.say) for one in about.uses[condition.clause].refusals}
            assert (condition.code, condition.say) in told
        for pick in book.picks(wager):
            entries = [entry for row in game.machine(wager.id, pick).table.values() for entry in row]
            for clause in {entry.clause for entry in entries}:
                assert wager.name in {row.name for row in about.uses[clause].rows}


def test_a_clause_lists_refusals_acts_rows_and_proofs(anybody: httpx.Client) -> None:
    locked = look(anybody, f"/rules/{CRAPS}/6.5").text
    assert "wager_locked Once its point is set, a Win Line wager stays until it is decided." in spaced(anybody, "6.5")
    assert "CR-4" in locked
    assert "confirms the late wager of player" in look(anybody, f"/rules/{CRAPS}/6.4").text
    assert "Win Line come out a total of 7 or 11 wins 1 to 1" in spaced(anybody, "6.2.1.1.1")
    assert "stake_below_minimum" in look(anybody, f"/rules/{CRAPS}/7.1").text
    assert "What proves it (" in locked


def spaced(http: httpx.Client, clause: str) -> str:
    """The words of a page with a space between the cells of a table."""
    text = http.get(f"/rules/{CRAPS}/{clause}").text
    return plain(unescape(re.sub(r"<[^>]+>", " ", text)))


def test_the_codes_of_the_engine_are_codes_that_it_has() -> None:
    folder = Path(croupier.__file__).parent
    source = "".join(
        path.read_text(encoding="utf-8") for part in ("table", "rules") for path in folder.glob(f"{part}/**/*.py")
    )
    for code, _ in (row for rows in BY_THE_ENGINE.values() for row in rows):
        assert f'"{code}"' in source, code
    commands = {power.command for book_id in BOOKS for power in SHELF.book(book_id).conduct.powers}
    assert commands <= set(COMMANDS)


def test_the_clauses_above_below_before_and_after_are_linked(anybody: httpx.Client) -> None:
    page = look(anybody, f"/rules/{CRAPS}/6.2.1")
    for number in ("6.2", "6.2.1.1", "6.2.1.2"):
        assert f"/rules/{CRAPS}/{number}" in page.links
    book = SHELF.book("snake-eyes-nz")
    assert (above(book, "4.1(a)(i)"), above(book, "6.3 tail"), above(book, "4.1")) == ("4.1(a)", "6.3", None)
    assert below(book, "4.1(a)") == ["4.1(a)(i)", "4.1(a)(ii)"]


# Wagers


@pytest.mark.parametrize("book_id", BOOKS)
def test_rows_in_words_leave_nothing_in_braces_and_cite_what_the_machine_cites(book_id: str) -> None:
    book, game = SHELF.book(book_id), SHELF.game(SHELF.terms(book_id))
    for wager in book.rules.wagers:
        rows = wager_rows(game, wager)
        machines = [game.machine(wager.id, pick) for pick in book.picks(wager)]
        cited = {entry.clause for machine in machines for cells in machine.table.values() for entry in cells}
        assert {clause for row in rows for clause in row.clauses} == cited
        assert len(rows) == len(wager.rows)
        assert not re.search(r"[{}]|\bNone\b", " ".join(f"{row.state} {row.on} {row.then} {row.where}" for row in rows))
    for phase in book.rules.phases:
        assert all("{" not in f"{row.state}{row.on}{row.then}" for row in phase_rows(book, phase))


def test_a_wager_says_what_it_pays_how_it_is_decided_and_what_it_costs(anybody: httpx.Client) -> None:
    buy = look(anybody, f"/rules/{CRAPS}/wagers/buy").text
    assert "A commission of 5% of the stake is charged when it is made." in buy
    assert "It sleeps while the Puck is at come out" in buy
    assert "It is made in multiples of 4 of the smallest chip." in look(anybody, f"/rules/{CRAPS}/wagers/horn").text
    behind = look(anybody, f"/rules/{CRAPS}/wagers/behind_win_line").text
    assert "It goes up to double the stake of that wager." in behind
    spinner = look(anybody, "/rules/two-up-nsw-2016/wagers/spinner")
    assert "7.5 to 1" in spinner.text
    assert "/rules/two-up-nsw-2016/4.1.1.1.2" in spinner.links


def test_every_approved_value_of_the_pay_table_is_told() -> None:
    for book_id in BOOKS:
        about = known(SHELF, book_id, False)
        told = {
            f"{wager.id} {line.words}".strip(): line for wager in about.book.rules.wagers for line in paid(about, wager)
        }
        for choice in about.book.rules.pay_table.choices:
            for option, lines in choice.options.items():
                for name, odds in lines.items():
                    line = told[name]
                    values = {line.odds, *(value.partition(" (")[0] for value in line.instead)}
                    assert odds in values, (book_id, name, option)
    field = paid(known(SHELF, "snake-eyes-nz", False), SHELF.book("snake-eyes-nz").wagers["field"])
    assert [line.instead for line in field] == [
        (),
        ("2 to 1 (option 2)", "3 to 1 (option 3)"),
        ("2 to 1 (option 2)", "1 to 1 (option 3)"),
    ]


# Citations


@pytest.mark.parametrize(
    ("book_id", "cited", "number"),
    [
        (CRAPS, "6.2.1.1.1", "6.2.1.1.1"),
        (CRAPS, "6.2.1(a)", "6.2.1"),
        (CRAPS, "6.2.1.9.9", "6.2.1"),
        (CRAPS, "clause 6.5", "6.5"),
        (CRAPS, "craps-nsw-2024 6.5", "6.5"),
        (CRAPS, "6.2.1, 6.5", "6.2.1"),
        (CRAPS, "99.1 and 6.5", "6.5"),
        (CRAPS, "5.2 to 5.3", "5.2"),
        (CRAPS, "7.1 TAIL", "7.1 tail"),
        (CRAPS, "6.5 tail", "6.5"),
        (CRAPS, "6.5.", "6.5"),
        (CRAPS, " 6.5 ", "6.5"),
        (CRAPS, "1.1 “come out roll”", '1.1 "come out roll"'),
        (CRAPS, "Come Out Roll", '1.1 "come out roll"'),
        (CRAPS, '1.1 "no such word"', "1.1"),
        ("snake-eyes-nz", "3.1(d)", "3.1(d)"),
        ("snake-eyes-nz", "3.1(d)(i)(x)", "3.1(d)"),
        ("snake-eyes-nz", "3.1(z)", "3.1"),
        ("snake-eyes-nz", "2", "2.0"),
        (CRAPS, "99.1", None),
        (CRAPS, "nonsense", None),
        (CRAPS, "..", None),
        (CRAPS, "(", None),
        (CRAPS, "9" * 5000, None),
        (CRAPS, "", None),
    ],
)
def test_a_citation_means_the_nearest_clause(book_id: str, cited: str, number: str | None) -> None:
    assert meant(SHELF.book(book_id), cited) == number


def test_an_address_that_is_not_quite_a_clause_leads_to_the_nearest(anybody: httpx.Client) -> None:
    for cited, target in (
        ("6.2.1(a)", "6.2.1"),
        ("6.2.1, 6.5", "6.2.1"),
        ("come out roll", "1.1%20%22come%20out%20roll%22"),
    ):
        reply = anybody.get(f"/rules/{CRAPS}/{cited}")
        assert (reply.status_code, reply.headers["location"]) == (302, f"/rules/{CRAPS}/{target}")
        look(anybody, reply.headers["location"])
    assert anybody.get(f"/rules/{CRAPS}/6").headers["location"] == f"/rules/{CRAPS}#section-6"
    assert anybody.get(f"/rules/{CRAPS}/readings/sb-8").headers["location"] == "/rules/sic-bo-nsw-2016/readings/SB-8"


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/rules/harbour", "There is no book called “harbour”."),
        ("/rules/harbour/6.5", "There is no book called “harbour”."),
        ("/rules/harbour/wagers/field", "There is no book called “harbour”."),
        ("/rules/harbour/readings", "There is no book called “harbour”."),
        ("/rules/harbour/readings/CR-1", "There is no book called “harbour”."),
        (f"/rules/{CRAPS}/99.1", "has no clause called “99.1”"),
        (f"/rules/{CRAPS}/%3Cb%3E", "has no clause called “<b>”"),
        (f"/rules/{CRAPS}/{'9' * 300}", "has no clause called that"),
        (f"/rules/{CRAPS}/%0A", "has no clause called that"),
        (f"/rules/{CRAPS}/wagers/odd", "has no wager called “odd”"),
        (f"/rules/{CRAPS}/readings/CR-999", "has no reading called “CR-999”"),
    ],
)
def test_what_is_not_there_is_a_page_in_plain_words(anybody: httpx.Client, address: str, words: str) -> None:
    assert words in look(anybody, address, 404).text


def test_an_address_that_is_none_is_a_page_for_a_browser_and_an_error_for_programs(anybody: httpx.Client) -> None:
    browser = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    page = anybody.get("/nope", headers=browser)
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "There is nothing at this address." in page.text
    for address, headers in (("/nope", {}), ("/api/v1/nope", browser)):
        assert anybody.get(address, headers=headers).json()["code"] == "not_found"


def test_names_in_a_text_are_links_and_odds_are_not() -> None:
    told = known(SHELF, CRAPS, False).text(
        "Read as 4.4.1 to 4.4.3 say; pays 7.5 to 1, 2.4 times <b>; see SB-8, 6.5", "6.5"
    )
    assert re.findall(r'href="([^"]+)"', told) == [
        f"/rules/{CRAPS}/4.4.1",
        f"/rules/{CRAPS}/4.4.3",
        "/rules/sic-bo-nsw-2016/readings/SB-8",
    ]
    assert "&lt;b&gt;" in told


# Search


def test_words_and_numbers_are_found(anybody: httpx.Client) -> None:
    page = look(anybody, f"/rules/{CRAPS}?q=come-out+ROLL+puck")
    words = [number for number, clause in every_clause(SHELF.book(CRAPS)).items()
             if all(word in f"{number} {clause.summary}".lower() for word in ("come-out", "roll", "puck"))]  # fmt: skip
    assert words
    assert {clause_address(CRAPS, number) for number in words} <= set(page.links)
    assert f"/rules/{CRAPS}/6.9" not in page.links
    assert f"/rules/{CRAPS}/6.2.1.1.1" in look(anybody, f"/rules/{CRAPS}?q=6.2.1.1.1").links
    assert "No clause has “xyzzy”." in look(anybody, f"/rules/{CRAPS}?q=xyzzy").text
    assert look(anybody, f"/rules/{CRAPS}?q=%20").text == look(anybody, f"/rules/{CRAPS}").text
    look(anybody, f"/rules/{CRAPS}?q={'long+' * 500}")


# Escaping


def test_what_somebody_types_stays_text(anybody: httpx.Client) -> None:
    typed = '"><script>alert(1)</script>'
    reply = anybody.get(f"/rules/{CRAPS}", params={"q": typed})
    assert "<script" not in reply.text
    page = look(anybody, str(reply.url.raw_path, "ascii"))
    assert typed in page.text
    assert NAME in page.text  # the name of the house is written by someone, too


def test_html_escapes_all_but_html() -> None:
    made = markup.element(
        "p", "<b>", markup.element("i", "&", class_='"x"'), [1, None, ("a", markup.Markup("<br>"))], hidden=True
    )
    assert made == '<p hidden>&lt;b&gt;<i class="&quot;x&quot;">&amp;</i>1a<br></p>'
    assert (
        markup.element("input", value=None, disabled=False, aria_label="A 'b'")
        == '<input aria-label="A &#x27;b&#x27;">'
    )
    assert markup.listed(["<", ">"], " & ") == "&lt; &amp; &gt;"
    assert markup.items([]) == markup.facts([]) == ""


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "//elsewhere.example", "https://elsewhere.example", "data:,"]
)
def test_nothing_links_elsewhere(address: str) -> None:
    with pytest.raises(AssertionError):
        markup.link(address, "there")


@pytest.mark.parametrize("name", ["style", "onclick"])
def test_no_style_and_no_script_stand_within(name: str) -> None:
    with pytest.raises(AssertionError, match="no scripts or styles"):
        markup.element("p", **{name: "x"})


# Chances


CHANCE = re.compile(r"\d\.\d+ ?%|\b\d+/\d{2,}\b|\bP\(|\bP =|house \d|player \+|\bedge\b|probabilit", re.IGNORECASE)


@pytest.mark.parametrize("book_id", BOOKS)
def test_players_are_told_no_chances(house: Running, book_id: str) -> None:
    ann, book = house.person("ann").http, SHELF.book(book_id)
    printed = re.compile(r"\b4/10|\bDF\d+/\d+")  # a pair of totals, the mark of a document
    for one in book.readings:
        page = look(ann, f"/rules/{book_id}/readings/{one.id}")
        assert CHANCE.search(printed.sub("", page.text)) is None, (one.id, page.text)
    for number, clause in every_clause(book).items():
        text = look(ann, clause_address(book_id, number)).text.partition("What proves it")[0]
        own = plain(clause.summary) if number == book.rules.pay_table.clause else ""  # totals side by side
        assert CHANCE.search(printed.sub("", text.replace(own, ""))) is None, (number, text)


def test_staff_read_what_readings_cost(house: Running, ivy: Person, anybody: httpx.Client) -> None:
    cost = "house 365/2048"
    address = "/rules/two-up-nsw-2016/readings/TU-1"
    assert cost in look(ivy.http, address).text
    assert cost in look(ivy.http, "/rules/two-up-nsw-2016/4.1.1.1.1").text
    for other in (anybody, house.person("dora").http):
        page = look(other, address).text
        assert cost not in page
        assert "In a row, restarted by every Head or Tail." in page
        assert LEFT_OUT in page
    assert cost in look(ivy.http, address).text, "what was made for one is not shown to the other"


@pytest.mark.parametrize("book_id", BOOKS)
def test_players_read_readings_as_they_are_and_staff_their_reasons_too(
    house: Running, ivy: Person, book_id: str
) -> None:
    ann = house.person("ann").http
    for one in SHELF.book(book_id).readings:
        address = f"/rules/{book_id}/readings/{one.id}"
        theirs, ours = look(ann, address).text, look(ivy.http, address).text
        for text in (one.question, one.taken, *(rival.reading for rival in one.rivals)):
            assert plain(text) in theirs
            assert plain(text) in ours
        assert plain(one.reason) in ours
        assert plain(one.reason) not in theirs
        assert (LEFT_OUT in theirs, LEFT_OUT in ours) == (True, False)
        for edge in (one.edge, *(rival.edge for rival in one.rivals)):
            assert edge is None or plain(edge) in ours
        assert "Edge" not in theirs


# PAR sheets


@pytest.mark.parametrize("book_id", BOOKS)
def test_sheets_are_for_those_who_may_see_chances(house: Running, ivy: Person, book_id: str) -> None:
    page = look(ivy.http, f"/sheets/{book_id}")
    for words in ("House edge", "All wagers", "Sessions", SHELF.book(book_id).rules.book.title):
        assert words in page.text
    assert {f"/sheets/{book_id}.pdf", f"/rules/{book_id}", "/sheets.css"} <= set(page.links)
    pdf = ivy.http.get(f"/sheets/{book_id}.pdf")
    assert (pdf.status_code, pdf.headers["content-type"]) == (200, "application/pdf")
    assert pdf.content.startswith(b"%PDF-")
    assert pdf.content == ivy.http.get(f"/sheets/{book_id}.pdf").content


def test_others_are_told_who_may_see_sheets(house: Running, anybody: httpx.Client) -> None:
    for http, status in ((house.person("ann").http, 403), (house.person("dora").http, 403), (anybody, 401)):
        for address in ("/sheets", f"/sheets/{CRAPS}", f"/sheets/{CRAPS}.pdf", "/sheets/harbour"):
            page = look(http, address, status)
            assert "They are for supervisors, managers, operators and inspectors of the house." in page.text
            assert "House edge" not in page.text
            assert "/sheets" not in page.links
    for name in ("sam", "mia", "otto"):
        http = house.person(name).http
        assert "/sheets" in look(http, "/rules").links
        assert f"/sheets/{CRAPS}" in look(http, "/sheets").links
        assert "There is no book called “harbour”." in look(http, "/sheets/harbour", 404).text


def test_without_typst_there_is_no_pdf_and_a_page_says_so(ivy: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.server.pages.par_sheets.find_spec", lambda name: None)
    assert "which is not installed here" in look(ivy.http, f"/sheets/{CRAPS}.pdf", 404).text


# For programs


@pytest.mark.parametrize("book_id", BOOKS)
def test_programs_read_every_clause(house: Running, book_id: str) -> None:
    nobody, book = house.nobody(), SHELF.book(book_id)
    listed = nobody.get(f"/books/{book_id}/clauses").json()
    assert [one["clause"] for one in listed] == list(every_clause(book))
    for one in listed:
        clause = every_clause(book)[one["clause"]]
        assert (one["class"], one["summary"], one["reason"]) == (clause.class_, clause.summary, clause.reason)
        assert one["page"] == clause_address(book_id, one["clause"])
    number = listed[-1]["clause"]
    read = nobody.get(f"/books/{book_id}/clauses/{number}").json()
    assert read["clause"] == listed[-1]
    assert read["above"] == above(book, number)


def test_programs_read_one_clause_as_it_is_cited(house: Running) -> None:
    nobody = house.nobody()
    read = nobody.get(f"/books/{CRAPS}/clauses/6.2.1(x)").json()
    assert (read["clause"]["clause"], read["above"], read["parts"]) == ("6.2.1", "6.2", ["6.2.1.1", "6.2.1.2"])
    told = nobody.get("/books/two-up-nsw-2016/clauses/4.1.1.1.1").json()["readings"]
    (taken,) = (one for one in SHELF.book("two-up-nsw-2016").readings if one.id == "TU-1")
    assert told == [{"id": "TU-1", "question": taken.question, "taken": taken.taken}]
    gone = nobody.get(f"/books/{CRAPS}/clauses/99.1")
    assert (gone.status_code, gone.json()["code"]) == (404, "no_such_clause")
    gone = nobody.get("/books/harbour/clauses")
    assert (gone.status_code, gone.json()["code"]) == (404, "no_such_book")
    gone = nobody.get("/books/harbour/clauses/6.5")
    assert (gone.status_code, gone.json()["code"]) == (404, "no_such_book")
