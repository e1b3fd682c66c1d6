"""PAR sheets: every figure of a book in both forms, the same bytes each time, nothing fetched from anywhere."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from math import isclose
from pathlib import Path
from xml.etree import ElementTree

import pytest
import typst

from croupier import rulebooks
from croupier.cli.main import main
from croupier.documents import charts, wording
from croupier.documents.document import Cell, Document, Group, Pictures, Section, Table, Tables, digest
from croupier.documents.markup import text_width
from croupier.documents.par import choose_wagers, par_sheet
from croupier.documents.par_wagers import lines_of
from croupier.documents.rendering import html_of, pdf_of, typst_source
from croupier.maths.rows import Analysis, FigureRow
from croupier.rules.shelf import Shelf
from tests.tables import BOOKS, SHELF
from tests.test_architecture import SOURCE, words_of

VERSION = "1.2.3"


@cache
def sheet(book: str, pay_table: str | None = None) -> Document:
    return par_sheet(SHELF, book, VERSION, pay_table)


@cache
def taken(book: str) -> list[FigureRow]:
    return [row for row in Analysis(SHELF, book).rows() if row.taken]


def section(document: Document, title: str) -> Section:
    return next(item for item in document.sections if item.title == title)


def tables(document: Document) -> list[Table]:
    """Every table of a document, at any depth."""
    found: list[Table] = []
    for part in (part for item in document.sections for part in item.parts):
        if isinstance(part, Table):
            found.append(part)
        elif isinstance(part, Tables):
            found += part.tables
        elif isinstance(part, Group):
            found += [inner for inner in part.parts if isinstance(inner, Table)]
    return found


def rows_of(table: Table) -> list[dict[str, Cell]]:
    return [{column.name: cell for column, cell in zip(table.columns, row, strict=True)} for row in table.rows]


def all_wagers(document: Document) -> list[dict[str, Cell]]:
    (table,) = (part for part in section(document, "All wagers").parts if isinstance(part, Table))
    return rows_of(table)


def drawings(document: Document) -> list[charts.Drawing]:
    parts = [part for item in document.sections for part in item.parts if isinstance(part, Pictures)]
    return [picture.drawing for part in parts for picture in part.pictures]


def exact(value: Fraction) -> str:
    return str(value).replace("-", "−")


# -- the figures ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
def test_every_wager_pick_and_pay_table_is_on_the_sheet_with_its_exact_figures(book: str) -> None:
    lines = all_wagers(sheet(book))
    throws = f"{SHELF.book(book).rules.throw.command}s".capitalize()
    for row in taken(book):
        figures = row.figures
        found = [
            line
            for line in lines
            if line["Wager"].text == row.name
            and line["Clause"].text == row.clause
            and line["Win"].text == exact(figures.chance("win"))
            and line["Lose"].text == exact(figures.chance("lose"))
            and line["House edge"] == Cell(exact(figures.edge), wording.percent(figures.edge))
            and line[throws].text == exact(figures.rolls)
            and isclose(float(line["Std dev."].text), figures.sd, abs_tol=0.00006)
            and (row.pay_table is None or row.pay_table in line["Pay table"].text.split(", "))
        ]
        assert found, f"{row.wager} {row.pick} {row.pay_table}"
    assert {line["Wager"].text for line in lines} == {wager.name for wager in SHELF.book(book).rules.wagers}


@pytest.mark.parametrize(
    ("book", "wager", "pick", "edge"),
    [
        ("craps-nsw-2024", "Win Line", "", Cell("7/495", "1.414\u00a0%")),
        ("craps-nsw-2024", "Don't Win", "", Cell("3/220", "1.364\u00a0%")),
        ("craps-nsw-2024", "Place Bet to Win", "6, 8", Cell("1/66", "1.515\u00a0%")),
        ("two-up-nsw-2016", "Heads", "", Cell("1/32", "3.125\u00a0%")),
        ("two-up-nsw-2016", "Spinner's bet", "heads, tails", Cell("17841/524288", "3.403\u00a0%")),
        ("sic-bo-nsw-2016", "Small", "", Cell("1/36", "2.778\u00a0%")),
        ("sic-bo-nsw-2016", "Dice Combinations", "each of 15 picks", Cell("1/36", "2.778\u00a0%")),
        ("sic-bo-nsw-2016", "Single Die Bet", "1–6", Cell("1/27", "3.704\u00a0%")),
    ],
)
def test_published_edges_stand_beside_their_wagers(book: str, wager: str, pick: str, edge: Cell) -> None:
    (line,) = (line for line in all_wagers(sheet(book)) if line["Wager"] == Cell(wager, pick))
    assert line["House edge"] == edge


def test_void_and_commission_have_columns_of_their_own() -> None:
    lines = {(line["Wager"].text, line["Wager"].small): line for line in all_wagers(sheet("craps-nsw-2024"))}
    barred = lines["Don't Win", ""]
    assert (barred["Void"].text, barred["per decision"].text) == ("1/36", "27/1925")
    bought = lines["Buy", "4, 10"]
    assert bought["Pays"] == Cell("2 to 1", "commission 1/20")
    assert (bought["House edge"].text, bought["per outlay"].text, bought["per decision"].text) == ("1/20", "1/21", "–")
    assert lines["Win Line", ""]["per outlay"].text == "–"
    assert lines["Hardways", "4, 10"]["at the table"] == Cell("12724/2089", "6.0910")
    two_up = all_wagers(sheet("two-up-nsw-2016"))[0]
    assert {"Void", "per decision", "per outlay", "at the table", "Pay table"} & set(two_up) == set()


def test_odds_stand_as_the_document_prints_them() -> None:
    pays = {
        (line["Wager"].text, line["Wager"].small): line["Pays"].text.replace("\u00a0", " ")
        for book in ("craps-nsw-2024", "sic-bo-nsw-2016")
        for line in all_wagers(sheet(book))
    }
    assert pays["Hardways", "4, 10"] == "7.5 to 1"
    assert pays["Place Bet to Lose", "4, 10"] == "5 to 11"
    assert pays["Horn High", "2, 12"] == "16 to 1 on 1/5; 33 to 1 on 1/5; 33 to 1 on 2/5"
    assert pays["Super Streak", "size, parity"] == "6, 10, 15, 20, 35, 50, 75, 100, 500 to 1"


@pytest.mark.parametrize("book", BOOKS)
def test_contributions_of_net_results_add_up_to_the_edge(book: str) -> None:
    many = {row.name for row in taken(book) if sum(net > 0 for net in row.figures.net) > 1}
    parts = [item for item in sheet(book).sections if item.title == "Net results"]
    shown = [table for item in parts for part in item.parts if isinstance(part, Tables) for table in part.tables]
    assert many == {name for name in many if any(table.caption.startswith(name) for table in shown)}
    assert bool(many) == bool(shown)
    for table in shown:
        *results, total = [[cell.text.replace("−", "-") for cell in row] for row in table.rows]
        assert sum(Fraction(row[1]) for row in results) == 1
        assert sum(Fraction(row[0]) * Fraction(row[1]) for row in results) == Fraction(total[3])
        assert [Fraction(row[0]) * Fraction(row[1]) for row in results] == [Fraction(row[3]) for row in results]
        assert any(-row.figures.edge == Fraction(total[3]) for row in taken(book) if table.caption.startswith(row.name))


def test_every_distribution_of_lengths_is_drawn_once() -> None:
    part = section(sheet("craps-nsw-2024"), "Rolls to decision").parts[0]
    assert isinstance(part, Pictures)
    different = {row.figures.lengths for row in taken("craps-nsw-2024") if len(row.figures.lengths) > 1}
    assert len(part.pictures) == len(different) == 7
    line = part.pictures[0]
    assert line.headline == "Win Line; Don't Win; Come; Don't Come"
    assert line.note.startswith("Mean 557/165, standard deviation 3.004; more than 14: ")


# -- pay tables -------------------------------------------------------------------------------------------------------


def test_every_approved_pay_table_value_has_its_line_and_the_default_is_marked() -> None:
    lines = all_wagers(sheet("snake-eyes-nz"))
    craps = [(line["Pay table"], line["House edge"].text) for line in lines if line["Wager"].text == "Craps 2"]
    assert craps == [
        (Cell("craps_two=33", "default"), "1/18"),
        (Cell("craps_two=32"), "1/12"),
        (Cell("craps_two=31"), "1/9"),
        (Cell("craps_two=30"), "5/36"),
    ]
    both = [line for line in all_wagers(sheet("snake-eyes-nsw-2019")) if line["Wager"].text == "Hardway Combo"]
    assert [line["Pay table"] for line in both] == [Cell("one, two")]


def test_one_pay_table_can_be_asked_for() -> None:
    lines = all_wagers(sheet("snake-eyes-nsw-2019", "two"))
    assert {line["Pay table"].text for line in lines} == {"two"}
    field = [line["House edge"].text for line in lines if line["Wager"].text == "Field"]
    assert field == ["1/36"]
    lines = all_wagers(sheet("snake-eyes-nz", "field=3 hardway.4=6"))
    shown = {line["Pay table"].text for line in lines}
    assert {"field=3", "hardway.4=6", "craps_two=33"} <= shown
    assert {"field=1", "hardway.4=7", "craps_two=32"} & shown == set()
    assert ("Pay table", ("two only",)) in sheet("snake-eyes-nsw-2019", "two").identity.rows


# -- readings ---------------------------------------------------------------------------------------------------------


def groups(book: str) -> dict[str, Group]:
    parts = section(sheet(book), "Readings taken that affect money").parts
    return {part.title: part for part in parts if isinstance(part, Group)}


def rivals(group: Group) -> list[list[Cell]]:
    return [list(row) for part in group.parts if isinstance(part, Table) for row in part.rows]


@pytest.mark.parametrize("book", BOOKS)
def test_every_reading_about_money_is_listed_with_what_each_rival_is_worth(book: str) -> None:
    found = groups(book)
    assert {reading.id for reading in SHELF.book(book).readings if "MONEY" in reading.tags} <= set(found)
    computed: dict[str, dict[str, list[Fraction]]] = {}
    for row in Analysis(SHELF, book).rows():
        if not row.taken and row.reading is not None:
            computed.setdefault(row.reading, {}).setdefault(row.name, []).append(row.cost)
    assert computed
    for rival, by_wager in computed.items():
        id_, _, name = rival.partition(" ")
        if id_ not in found:
            assert {cost for costs in by_wager.values() for cost in costs} == {0}, rival
            continue
        named = [cells for cells in rivals(found[id_]) if cells[0].text == name]
        if len(named) == 1 and len(by_wager) > 1:
            assert named[0][1].text == f"{len(by_wager)} wagers"
            by_wager = {named[0][1].text: [cost for costs in by_wager.values() for cost in costs]}
        assert {cells[1].text: worth(cells) for cells in named} == {
            wager: sorted({min(costs), max(costs)}) for wager, costs in by_wager.items()
        }


def worth(cells: list[Cell]) -> list[Fraction]:
    """The smallest and largest value of a rejected reading that the printed figure allows."""
    exact_values = []
    for cell in cells[2:]:
        text = cell.small.split(";")[0] if cell.text.endswith("%") else cell.text.split(" ")[0]
        exact_values += [Fraction(text.replace("−", "-"))] if text else []
    return exact_values


def test_rivals_have_the_figures_of_the_register() -> None:
    (five,) = rivals(groups("two-up-nsw-2016")["TU-1"])
    assert five[0].text == "five in all"
    assert five[2].text == f"−75599/524288 ({wording.percent(Fraction(-75599, 524288))})"
    assert Fraction(-75599, 524288) == Fraction(17841, 524288) - Fraction(365, 2048)
    assert "SE-3" in groups("craps-nsw-2024")
    assert groups("craps-nsw-2024")["SE-3"].aside == "registered with snake-eyes-nsw-2019"
    assert groups("craps-nsw-2024")["X-2"].aside == "clauses 6.8, 7.1, 7.1 tail"


def test_a_very_long_fraction_stands_behind_its_decimal() -> None:
    (ends,) = rivals(groups("sic-bo-nsw-2016")["SB-2"])
    assert ends[2].text == "−13.783\u00a0%"
    assert ends[2].small.startswith("−334379239269366658603/2426051245220667850752; ")
    assert 'class="left long"' in html_of(sheet("sic-bo-nsw-2016"))


# -- sessions ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "wagers"),
    [
        ("craps-nsw-2024", ["dont_win", "craps_two"]),
        ("sic-bo-nsw-2016", ["small", "specific_triple"]),
        ("two-up-nsw-2016", ["heads", "spinner"]),
        ("snake-eyes-nsw-2019", ["hardway", "craps_two"]),
        ("snake-eyes-nz", ["field", "craps_two"]),
    ],
)
def test_sessions_show_the_lowest_edge_and_the_largest_deviation(book: str, wagers: list[str]) -> None:
    terms = SHELF.terms(book)
    values = {value if name == "pay_table" else f"{name}={value}" for name, value in terms.choices}
    chosen = choose_wagers(SHELF.game(terms), lines_of(Analysis(SHELF, book), None), values)
    assert [item.lot.wager for item in chosen] == wagers
    assert {item.lot.stake for item in chosen} == {1000}


def test_sessions_of_one_roll_wagers_lose_the_edge_on_every_roll() -> None:
    parts = section(sheet("sic-bo-nsw-2016"), "Sessions").parts
    (table,) = (part for part in parts if isinstance(part, Table))
    small, triple = [row for row in rows_of(table) if row["after"].text == "100 rolls"]
    assert small["Mean"].text == wording.dollars(Fraction(-1000 * 100, 36)) == "−27.78"
    assert triple["Mean"].text == wording.dollars(Fraction(-1000 * 100 * 35, 216))
    assert float(small["Std dev."].text) == pytest.approx(100 * (1 - 1 / 36**2) ** 0.5, abs=0.006)
    assert (small["5 %"].text, small["Median"].text, small["95 %"].text) == ("−200.00", "−20.00", "140.00")


# -- both forms -------------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """An HTML file taken apart: its elements must close in order."""

    VOID = frozenset({"meta", "col"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []
        self.headings: list[tuple[str, str]] = []
        self.heads: list[dict[str, str | None]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "td":
            self.cells.append("")
        elif tag in ("h1", "h2", "h3"):
            self.headings.append((tag, ""))
        elif tag == "th":
            self.heads.append(dict(attrs))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"{tag} closes too early"

    def handle_data(self, data: str) -> None:
        if "td" in self.open:
            self.cells[-1] += f"\n{data}" if self.open[-1] == "small" else data
        elif self.open and self.open[-1] in ("h1", "h2", "h3"):
            level, text = self.headings[-1]
            self.headings[-1] = (level, text + data)


def in_lines(cell: Cell) -> str:
    return f"{cell.text}\n{cell.small}" if cell.small else cell.text


@pytest.mark.parametrize("book", BOOKS)
def test_both_forms_hold_the_same_figures(book: str) -> None:
    document = sheet(book)
    wanted = [in_lines(cell) for table in tables(document) for row in table.rows for cell in row]
    assert len(wanted) > 50
    assert Page(html_of(document)).cells == wanted
    source = typst_source(document)
    data = re.match(r"#let sheet = json\(bytes\((.*)\)\)\n", source)
    assert data is not None
    content = json.loads(json.loads(data[1]))
    in_data: list[str] = []
    collect_cells(content["sections"], in_data)
    assert in_data == wanted
    for row in taken(book):
        assert exact(row.figures.edge) in source
    assert content["foot"] == document.foot
    assert [item["title"] for item in content["sections"]] == [item.title for item in document.sections]


def collect_cells(value: object, found: list[str]) -> None:
    """Every cell in the data of a document, in order."""
    if isinstance(value, dict):
        if set(value) == {"text", "small"}:
            found.append(in_lines(Cell(**value)))
        for inner in value.values():
            collect_cells(inner, found)
    elif isinstance(value, list):
        for inner in value:
            collect_cells(inner, found)


@pytest.mark.parametrize("book", BOOKS)
def test_the_pdf_has_pages_and_typst_has_nothing_to_complain_of(book: str) -> None:
    source = typst_source(sheet(book)).encode()
    pages, warnings = typst.compile_with_warnings(source, format="svg", ignore_system_fonts=True)
    assert warnings == []
    assert len(pages) >= 5  # a picture for each page
    assert pdf_of(sheet(book)).startswith(b"%PDF-")


@pytest.mark.parametrize("book", BOOKS)
def test_the_page_is_one_file_that_fetches_nothing(book: str) -> None:
    text = html_of(sheet(book))
    for word in ("http://", "https://", "<script", "<link", "<img", "src=", "href=", "url(", "@import"):
        assert word not in text, word
    assert "<style>" in text


@pytest.mark.parametrize("book", BOOKS)
def test_the_page_has_headings_table_heads_and_described_pictures(book: str) -> None:
    document = sheet(book)
    text = html_of(document)
    page = Page(text)
    levels = [level for level, _ in page.headings]
    assert levels[0] == "h1"
    assert levels.count("h1") == 1
    assert [words for level, words in page.headings if level == "h2"] == [item.title for item in document.sections]
    assert all(head["scope"] == "col" for head in page.heads)
    pictures = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert len(pictures) == len(drawings(document)) >= 5
    for picture in pictures:
        root = ElementTree.fromstring(picture)
        assert root.attrib["role"] == "img"
        assert [child.tag for child in root][:2] == ["title", "desc"]
        assert all(child.text for child in list(root)[:2])


@pytest.mark.parametrize("book", BOOKS)
def test_the_sheet_says_which_document_it_is_about(book: str) -> None:
    identity = SHELF.book(book).rules.book
    facts = {label: " ".join(said) for label, said in sheet(book).identity.rows}
    assert facts["Jurisdiction"] == identity.jurisdiction
    assert facts["Instrument"] == identity.instrument
    assert facts["Damage"] == " ".join(identity.damage)
    assert facts["Digest of the book"] == f"SHA-256 {digest(SHELF.book(book))}"
    assert facts["Software"] == f"croupier {VERSION}"
    assert facts["Signed"] == (wording.day(identity.signed) if identity.signed else "undated")
    assert sheet(book).foot == f"{book} · digest {digest(SHELF.book(book))[:16]} · croupier {VERSION}"
    assert "play chips only" in sheet(book).closing
    assert "is not certified" in html_of(sheet(book))


# -- always the same --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
def test_the_same_book_gives_the_same_bytes(book: str) -> None:
    again = par_sheet(Shelf(), book, VERSION)
    assert html_of(again) == html_of(sheet(book))
    assert pdf_of(again) == pdf_of(sheet(book))


def test_neither_the_clock_nor_the_hash_of_words_is_in_the_bytes(tmp_path: Path) -> None:
    made = []
    for seed, zone in (("1", "UTC"), ("2", "Pacific/Auckland")):
        folder = tmp_path / seed
        environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "PYTHONUTF8": "1"}
        start = "import sys; from croupier.cli.main import main; sys.exit(main())"
        words = [sys.executable, "-c", start, "par", "snake-eyes-nz", "--out", str(folder)]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        made.append([(folder / f"snake-eyes-nz.par.{form}").read_bytes() for form in ("html", "pdf")])
    assert made[0] == made[1]


@pytest.fixture
def own_two_up(tmp_path: Path) -> Path:
    """A copy of a book that may be changed."""
    folder = tmp_path / "two-up"
    shutil.copytree(rulebooks.folder("two-up-nsw-2016"), folder)
    change(folder / "book.toml", 'id = "two-up-nsw-2016"', 'id = "own-two-up"')
    return folder


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def digest_of(folder: Path) -> str:
    return digest(Shelf((folder,)).book("own-two-up"))


def test_the_digest_follows_what_a_book_says_and_not_how_it_is_written(own_two_up: Path) -> None:
    plain = digest_of(own_two_up)
    assert re.fullmatch("[0-9a-f]{64}", plain)
    for file in own_two_up.glob("*.toml"):
        text = file.read_bytes().replace(b"\n", b"\r\n")
        file.write_bytes(b"# another comment\r\n" + text)
    assert digest_of(own_two_up) == plain


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("wagers.toml", "7.5 to 1", "8 to 1"),
        ("book.toml", "signed = 2016-08-17", "signed = 2016-08-18"),
        ("readings.toml", "Five consecutive Odds:", "Five consecutive Odds?"),
        ("clauses.toml", 'summary = "', 'summary = "In other words: '),
        ("studies.toml", "1/20", "1/30"),
    ],
)
def test_the_digest_changes_with_the_book(own_two_up: Path, file: str, old: str, new: str) -> None:
    before = digest_of(own_two_up)
    change(own_two_up / file, old, new)
    assert digest_of(own_two_up) != before


def test_books_have_different_digests() -> None:
    assert len({digest(SHELF.book(book)) for book in BOOKS}) == len(BOOKS)


# -- the charts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
def test_no_label_of_a_chart_is_cut(book: str) -> None:
    for drawing in drawings(sheet(book)):
        root = ElementTree.fromstring(f"<svg>{drawing.inside}</svg>")
        for label in root.iter("text"):
            x, y, width = float(label.attrib["x"]), float(label.attrib["y"]), text_width(label.text or "", 11)
            start = {"end": x - width, "middle": x - width / 2, None: x}[label.attrib.get("text-anchor")]
            assert start >= -1, f"{drawing.title}: {label.text}"
            assert start + width * 0.85 <= drawing.width, f"{drawing.title}: {label.text}"
            assert 8 <= y <= drawing.height, f"{drawing.title}: {label.text}"


@pytest.mark.parametrize("book", BOOKS)
def test_bars_are_as_long_as_the_edges(book: str) -> None:
    edge = drawings(sheet(book))[0]
    assert edge.title == "House edge by wager"
    root = ElementTree.fromstring(f"<svg>{edge.inside}</svg>")
    widths = [float(bar.attrib["width"]) for bar in root.iter("rect")]
    lines = sorted(float(Fraction(line["House edge"].text)) for line in all_wagers(sheet(book)))
    assert len(widths) == len(lines)
    scale = widths[-1] / lines[-1]
    assert widths == pytest.approx([value * scale for value in lines], abs=0.02)


def test_a_wager_in_the_players_favour_is_drawn_to_the_other_side() -> None:
    drawing = charts.bars("Title", "words", [charts.Mark("good", -2.0, "−2 %"), charts.Mark("bad", 4.0, "4 %")], " %")
    good, bad = ElementTree.fromstring(f"<svg>{drawing.inside}</svg>").iter("rect")
    zero = float(bad.attrib["x"])
    assert float(good.attrib["x"]) + float(good.attrib["width"]) == pytest.approx(zero, abs=0.02)
    assert float(bad.attrib["width"]) == pytest.approx(2 * float(good.attrib["width"]), abs=0.02)
    assert good.attrib["class"] == "bar player"


def test_axes_take_in_every_value_at_round_steps() -> None:
    assert charts.ticks(0, 16.7, 5) == [0, 5, 10, 15, 20]
    assert charts.ticks(-140, 110) == [-150, -100, -50, 0, 50, 100, 150]
    assert charts.ticks(0, 0) == [0, 0.2]
    assert charts.logarithmic_ticks(0.686, 5.59) == [0.5, 1, 2, 5, 10]
    assert charts.logarithmic_ticks(1, 1) == [1, 2]
    axis = charts.Axis(1, 100, 10, 30, logarithmic=True)
    assert [axis.at(value) for value in (1, 10, 100)] == [10, 20, 30]


# -- words ------------------------------------------------------------------------------------------------------------


def test_fractions_are_rounded_exactly_and_never_to_nothing() -> None:
    assert wording.decimal(Fraction(1, 8), 2) == "0.12"
    assert wording.decimal(Fraction(3, 8), 2) == "0.38"
    assert wording.decimal(Fraction(-1, 3), 4) == "−0.3333"
    assert wording.decimal(Fraction(7, 2), 0) == "4"
    assert wording.decimal(Fraction(1, 3000000), 3) == "0.0000003"
    assert wording.percent(Fraction(7, 495)) == "1.414\u00a0%"
    assert wording.signed_percent(Fraction(1, 3)) == "+33.333\u00a0%"
    assert wording.dollars(-1234567) == "−12,345.67"
    assert wording.dollars(Fraction(1, 3)) == "0.003"


def test_picks_and_odds_are_put_in_few_words() -> None:
    assert wording.picks_in_words([4, 10], 6) == "4, 10"
    assert wording.picks_in_words([1, 2, 3, 4, 5, 6], 6) == "1–6"
    assert wording.picks_in_words([(1, 2), (1, 3)], 15) == "1 2, 1 3"
    assert wording.picks_in_words([(1, n) for n in range(2, 8)], 6) == "each of 6 picks"
    assert wording.picks_in_words([None], 1) == ""
    assert wording.odds_in_words(["1 to 1"]) == "1 to 1"
    assert wording.odds_in_words(["1 to 1", "3 to 1", "3 to 1"]).replace("\u00a0", " ") == "1 to 1; 3 to 1"
    assert wording.odds_in_words(["1 to 1", "2 to 1", "12 to 1"]) == "1, 2, 12 to 1"


def test_the_sheets_know_no_wager_and_no_book() -> None:
    names = {wager for book in BOOKS for wager in SHELF.book(book).wagers} | set(BOOKS)
    element = {"small"}  # of HTML
    for file in sorted((SOURCE / "documents").glob("*.py")):
        assert words_of(file) & (names - element) == set(), file.name


# -- the command ------------------------------------------------------------------------------------------------------


def par(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str], list[str]]:
    status = main(("par", *words))
    printed = capsys.readouterr()
    return status, printed.out.splitlines(), printed.err.splitlines()


def test_the_command_writes_both_forms_and_names_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "new" / "sheets"
    status, out, err = par("two-up-nsw-2016", "--out", str(folder), capsys=capsys)
    title = SHELF.book("two-up-nsw-2016").rules.book.title
    assert (status, err) == (0, [])
    assert out == [f"{folder / 'two-up-nsw-2016.par'}.{form}: PAR sheet, {title}" for form in ("html", "pdf")]
    assert sorted(file.name for file in folder.iterdir()) == ["two-up-nsw-2016.par.html", "two-up-nsw-2016.par.pdf"]


@pytest.mark.parametrize("form", ["html", "pdf"])
def test_one_form_can_be_asked_for(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = par("two-up-nsw-2016", f"--{form}", "--out", str(tmp_path), capsys=capsys)
    assert (status, len(out)) == (0, 1)
    assert [file.name for file in tmp_path.iterdir()] == [f"two-up-nsw-2016.par.{form}"]


def test_a_book_of_ones_own_gets_a_sheet(own_two_up: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(own_two_up / "wagers.toml", "7.5 to 1", "8 to 1")
    words = ("own-two-up", "--with", str(own_two_up), "--html", "--out", str(tmp_path))
    status, _, err = par(*words, capsys=capsys)
    assert (status, err) == (0, [])
    page = (tmp_path / "own-two-up.par.html").read_text(encoding="utf-8")
    edge = 1 - 9 * Fraction(29791, 262144)
    assert f">{exact(edge)}<small>{wording.percent(edge)}</small><" in page


def test_bad_input_gets_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    taken_up = tmp_path / "file"
    taken_up.write_text("not a folder")
    for words, part in (
        (("no-such-book",), "no-such-book: there is no such rule book"),
        (("two-up-nsw-2016", "--html", "--out", str(taken_up)), f"{taken_up} cannot be written to ("),
        (("snake-eyes-nsw-2019", "--pay-table", "three"), "it permits one, two. (8.1)"),
        (("snake-eyes-nz", "--pay-table", "field=9"), "it permits 1, 2, 3. (4.10)"),
        (("craps-nsw-2024", "--pay-table", "one"), "there is nothing to choose. (8.1)"),
    ):
        status, out, err = par(*words, capsys=capsys)
        assert (status, out, len(err)) == (2, [], 1), words
        assert err[0].startswith("croupier: ")
        assert part in err[0]


def test_without_typst_there_is_the_page_and_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    status, out, err = par("two-up-nsw-2016", "--out", str(tmp_path), capsys=capsys)
    assert (status, len(out), len(err)) == (0, 1, 1)
    assert "pip install typst" in err[0]
    assert [file.name for file in tmp_path.iterdir()] == ["two-up-nsw-2016.par.html"]
    status, out, err = par("two-up-nsw-2016", "--pdf", "--out", str(tmp_path / "pdf"), capsys=capsys)
    assert (status, out, len(err)) == (2, [], 1)
    assert not (tmp_path / "pdf").exists()
