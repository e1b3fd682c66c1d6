"""The compiler refuses what is inconsistent, and says where."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.cli.main import main
from croupier.rules import game
from croupier.rules.book import Book
from croupier.rules.errors import RuleBookError
from croupier.rules.game import Game
from croupier.rules.outcomes import OutcomeError, Outcomes
from croupier.rules.shelf import Shelf

HEAD = """
[book]
id = "coin"
game = "Coin"
title = "One coin"
jurisdiction = "nowhere"
casino = "none"
regulator = "none"
instrument = "none"
takes_effect = "never"
timezone = "UTC"

[throw]
faces = ["H", "T"]
throw = 1
command = "spin"
field = "coins"
clause = "1"

[void]
wagers = "stand"
clause = "1"
grounds = ["1"]

[clauses]
"1" = { class = "enforced", summary = "everything" }

[pay_table]
clause = "1"
[pay_table.lines]
up = "1 to 1"
"""

WAGER = """
[[wagers]]
id = "up"
name = "Up"
clause = "1"
help = "Heads."
rows = [{rows}]
"""

WIN = '{ on = "exactly 1 of H", then = "win", clause = "1" }'
ANYTHING = '{ on = "any", then = "stay", clause = "1" }'
LOSE = '{ on = "exactly 1 of T", then = "lose", clause = "1" }'

PHASE = """
[[phases]]
id = "moon"
name = "Moon"
clause = "1"
start = "new"
rows = [{ in = "new", on = "any", then = "win", clause = "1" }]
"""
COUNTED = 'each = { n = ["x"] }, in = "{n+1}", on ='
COMMISSION = 'commission = { rate = "-1/20", of = "stake", clause = "1" }\n'
FELT = """
[layout]
clause = "1"
size = [3, 1]
narrow_size = [1, 2]
areas = [{ wager = "up", at = [0, 0, 2, 1], narrow = [0, 0, 1, 1], label = "Up", dice = [["H"]] }]
ring = { at = [2, 0, 1, 1], narrow = [0, 1, 1, 1] }
"""
SHEET = """
[layout.wide]
size = [100, 50]
areas = [{ wager = "up", chip = [50, 25], path = "M0 0H100V50H0Z", text = [
  { says = "{label} {odds}", at = [50, 20], size = 12 }
] }]
"""
TAKE = 'take = [{ is = ["moon"], clause = "1", code = "x", say = "x." }]\n'


def compile_book(tmp_path: Path, text: str) -> Book:
    file = tmp_path / "coin.toml"
    file.write_text(text, encoding="utf-8")
    shelf = Shelf()
    return shelf.book(shelf.add(file))


def with_rows(*rows: str) -> str:
    return HEAD + WAGER.replace("{rows}", ", ".join(rows))


def test_a_sound_book_compiles(tmp_path: Path) -> None:
    for second in (LOSE, '{ on = "otherwise", then = "lose", clause = "1" }'):
        book = compile_book(tmp_path, with_rows(WIN, second))
        assert [entry.then for entry in Game(book, {}).machine("up", None).table["standing"]] == ["win", "lose"]


def test_all_wagers_together_have_so_many_cells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each wager may be small enough, but a stranger's book can have any number of them."""
    monkeypatch.setattr(game, "MOST_CELLS", 3)
    one = with_rows(WIN, LOSE)
    assert Game(compile_book(tmp_path, one), {}).machine("up", None).table
    another = WAGER.replace('"up"', '"down"').replace("{rows}", f"{WIN}, {LOSE}")
    with pytest.raises(RuleBookError, match="wager down: all wagers together have more than 3 cells"):
        compile_book(tmp_path, one.replace('up = "1 to 1"', 'up = "1 to 1"\ndown = "1 to 1"') + another)


def crossed(rows: int, *sizes: int) -> list[str]:
    """This many rows, each with a state for every combination of lists of these sizes."""
    lists = [f"l{place} = [{', '.join(map(str, range(size)))}]" for place, size in enumerate(sizes)]
    states = "-".join(f"{{l{place}}}" for place in range(len(sizes)))
    each = f"each = {{ {', '.join(lists)} }}"
    return [f'{{ {each}, in = "{row}-{states}", on = "any", then = "lose", clause = "1" }}' for row in range(rows)]


@pytest.mark.parametrize(
    ("rows", "throw", "sentence"),
    [
        (crossed(1, 10, 10, 11), 1, "row 1: its lists combine to more than 1,000 rows"),
        (crossed(6, 10, 10, 10), 1, "row 6: expands the rows to more than 5,000"),
        (crossed(2, 10, 10, 10), 4, "it has more than 100,000 cells: states, each with every outcome"),
    ],
    ids=["one row", "rows", "cells"],
)
def test_one_wager_has_so_many_rows_and_cells(rows: list[str], throw: int, sentence: str, tmp_path: Path) -> None:
    """A few lines of a book may stand for millions of them."""
    text = with_rows(*rows).replace("throw = 1\n", f"throw = {throw}\n").replace('"T"]', '"T", "E"]')
    with pytest.raises(RuleBookError, match=f"wager up[,:] {sentence}"):
        compile_book(tmp_path, text)


def test_a_sound_felt_is_taken(tmp_path: Path) -> None:
    layout = compile_book(tmp_path, with_rows(WIN, LOSE) + FELT).layout
    assert layout is not None
    assert (layout.areas[0].narrow, layout.areas[0].dice) == ((0, 0, 1, 1), [["H"]])


def test_a_drawn_felt_is_taken(tmp_path: Path) -> None:
    layout = compile_book(tmp_path, with_rows(WIN, LOSE) + FELT + SHEET).layout
    assert layout is not None
    assert layout.wide is not None
    assert [area.wager for area in layout.wide.areas] == ["up"]


def test_check_says_which_wagers_have_no_area(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Such a book can be played, but people cannot bet on those wagers at the felt."""
    another = WAGER.replace('"up"', '"down"').replace("{rows}", f"{WIN}, {LOSE}")
    lines = with_rows(WIN, LOSE).replace('up = "1 to 1"', 'up = "1 to 1"\ndown = "1 to 1"')
    compile_book(tmp_path, lines + another + FELT)
    assert main(["check", str(tmp_path / "coin.toml")]) == 2
    assert "coin: the felt has no area for down, so no one can bet on it there" in capsys.readouterr().err
    area = '{ wager = "down", at = [2, 0, 1, 1], narrow = [0, 1, 1, 1], label = "Down" }'
    felt = FELT[: FELT.index("ring")].replace("}]", f"}}, {area}]")
    compile_book(tmp_path, lines + another + felt)
    assert main(["check", str(tmp_path / "coin.toml")]) == 0


def drawn(was: str, now: str) -> str:
    """A felt with a mistake in its drawing."""
    assert was in SHEET
    return with_rows(WIN, LOSE) + FELT + SHEET.replace(was, now)


BROKEN = [
    ("gap", with_rows(WIN), r"coin.toml: wager up: leaves a gap: no row says what T does"),
    (
        "overlap",
        with_rows(WIN, LOSE, '{ on = "any", then = "lose", clause = "1" }'),
        r"wager up, row 3: overlaps row 1",
    ),
    (
        "unreachable row",
        with_rows(WIN, LOSE, '{ on = "otherwise", then = "stay", clause = "1" }'),
        r'wager up, row 3: "otherwise" in the state "standing" can never happen',
    ),
    (
        "unreachable state",
        with_rows(WIN, LOSE, '{ in = "moon", on = "any", then = "lose", clause = "1" }'),
        r'wager up, row 3: the state "moon" can never be reached',
    ),
    (
        "unknown state",
        with_rows('{ on = "exactly 1 of H", then = "go moon", clause = "1" }', LOSE),
        r'wager up, row 1: goes to the state "moon"',
    ),
    (
        "clause of another book",
        with_rows(WIN, LOSE.replace('"1"', '"9.9"')),
        r"wager up, row 2: cites 9.9, which is not a clause",
    ),
    ("missing clause", with_rows(WIN, '{ on = "exactly 1 of T", then = "lose" }'), r"wagers\[0\] \(up\).*`clause`"),
    (
        "no such result",
        with_rows(WIN, LOSE.replace("lose", "draw")),
        r'wager up, row 2: "draw" is not one of win, lose',
    ),
    ("no such line", with_rows(WIN.replace("then", 'pays = "moon", then'), LOSE), r'no line "moon"'),
    ("bad odds", with_rows(WIN, LOSE).replace('"1 to 1"', '"evens"'), r'pay_table line up: "evens" are not odds'),
    (
        "unused line",
        with_rows(WIN, LOSE).replace("up = ", 'moon = "1 to 1"\nup = '),
        r'no wager is paid by the line "moon"',
    ),
    (
        "face that is not there",
        with_rows(WIN.replace("of H", "of X"), LOSE),
        r'wager up, row 1: "X" in .* is not a face',
    ),
    ("never decided", with_rows(ANYTHING), r"wager up: can never be decided"),
    ("unknown key", with_rows(WIN, LOSE) + '\ncolour = "red"\n', r"wagers\[0\] \(up\).*unknown field `colour`"),
    ("unknown part", with_rows(WIN, LOSE) + "\n[moon]\nx = 1\n", r"moon: no part of a rule book has this name"),
    ("unknown name", with_rows(WIN.replace("of H", "of {side}"), LOSE), r"\{side\}.*has no value here"),
    ("unknown set", with_rows(WIN.replace("on =", 'each = { n = "moons" }, on ='), LOSE), r"there is no such set"),
    ("a phase that wins", with_rows(WIN, LOSE) + PHASE, r'phase moon, row 1: "win" is not one of stay or "go STATE"'),
    ("counting words", with_rows(WIN.replace("on =", COUNTED), LOSE), r"wager up, row 1: \{n\+1\} .* counts, but n"),
    ("pattern of no state", with_rows(WIN, LOSE) + TAKE, r'wager up: "moon" is not a known state'),
    ("no such zone", with_rows(WIN, LOSE).replace('"UTC"', '"Mars/Phobos"'), r"book.timezone: there is no time zone"),
    ("no such command", with_rows(WIN, LOSE).replace('"spin"', '"flip"'), r"throw.command.*Invalid enum value"),
    ("no faces", with_rows(WIN, LOSE).replace('["H", "T"]', "[]"), r"throw: .*two different faces"),
    (
        "long faces",
        with_rows(WIN, LOSE).replace('["H", "T"]', '["HH", "T"]'),
        r"faces must all be numbers",
    ),
    ("id with a space", with_rows(WIN, LOSE).replace('id = "up"', 'id = "u p"'), r'"u p" is not an id'),
    (
        "id of the package",
        with_rows(WIN, LOSE).replace('"coin"', '"snake-eyes-nz"', 1),
        r"the package has a book called",
    ),
    (
        "pays nothing",
        with_rows(WIN, LOSE).replace('"1 to 1"', '"0 to 1"'),
        r"row 1: wins, but by the line .* it pays nothing",
    ),
    ("bad commission", with_rows(WIN, LOSE) + COMMISSION, r'"-1/20" is not a commission rate'),
    (
        "off the felt",
        with_rows(WIN, LOSE) + FELT.replace("at = [0, 0, 2, 1]", "at = [2, 0, 2, 1]"),
        r'"Up": does not lie on a felt of 3 by 1',
    ),
    (
        "off the narrow felt",
        with_rows(WIN, LOSE) + FELT.replace("narrow = [0, 0, 1, 1]", "narrow = [0, 0, 2, 1]"),
        r'"Up": does not lie on a narrow felt of 1 by 2',
    ),
    (
        "ring upon an area",
        with_rows(WIN, LOSE) + FELT.replace("at = [2, 0, 1, 1]", "at = [1, 0, 1, 1]"),
        r'ring: overlaps the area "Up" on the felt',
    ),
    (
        "narrow ring upon an area",
        with_rows(WIN, LOSE) + FELT.replace("narrow = [0, 1, 1, 1]", "narrow = [0, 0, 1, 1]"),
        r'ring: overlaps the area "Up" on the narrow felt',
    ),
    ("wide felt only", with_rows(WIN, LOSE) + FELT.replace("narrow = [0, 0, 1, 1], ", ""), r"required field `narrow`"),
    ("wager of no book", with_rows(WIN, LOSE) + FELT.replace('"up"', '"moon"'), r'"Up": is for a wager or pick that'),
    ("no such face", with_rows(WIN, LOSE) + FELT.replace('["H"]', '["Q"]'), r'"Up": draws the face Q, which is never'),
    ("no path", drawn("M0 0H100V50H0Z", "H100"), r"wide sheet, area up: has a path that does not begin with M"),
    ("small letter", drawn("H100V50", "h100V50"), r'area up: has the command "h" in its path; there are M, L'),
    ("half a point", drawn("M0 0H", "M0H"), r'area up: gives the command "M" 1 numbers in its path; it takes 2'),
    ("no number", drawn("H100V50", "H100;V50"), r'area up: has ";" in its path, which is neither'),
    ("outline beyond", drawn("H100V50", "H101V50"), r"area up: has its outline at 101, 0, which is not on the sheet"),
    ("chip beyond", drawn("chip = [50, 25]", "chip = [50, 51]"), r"area up: has its chip at 50, 51, which is not on"),
    ("words beyond", drawn("at = [50, 20]", "at = [-1, 20]"), r"prints .* at -1, 20, which is not on the sheet"),
    ("unknown words", drawn("{odds}", "{edge}"), r'prints "\{label\} \{edge\}"; the words in braces are \{label\}'),
    ("two outlines", drawn("chip =", "circle = [50, 25, 9], chip ="), r"area up: needs one outline: a path, a rect, a"),
    (
        "odds of none",
        drawn("chip =", 'shows = "odds", chip ='),
        r"is shown with the odds of a flat wager, but lies behind",
    ),
    ("no area", drawn('"up"', '"down"'), r"wide sheet, area down: is not in `areas`"),
    ("no tone", drawn("chip =", 'tone = "puce", chip ='), r"Invalid enum value 'puce'"),
    (
        "bad corner",
        drawn('path = "M0 0H100V50H0Z"', "rect = [0, 0, 9]"),
        r"has a rect that is not left, top, width, height",
    ),
    (
        "drawn twice",
        with_rows(WIN, LOSE)
        + FELT
        + SHEET.replace("areas = [{", 'areas = [{ wager = "up", chip = [1, 1], shows = "held" }, {'),
        r"area up: is drawn twice",
    ),
    ("too many words", drawn("chip =", 'words = ["a", "b"], chip ='), r"area up: has 2 words for 1 picks"),
    (
        "nameless sheets",
        with_rows(WIN, LOSE) + FELT + SHEET.replace("[layout.wide]", "[[layout.narrow]]") * 2,
        r"layout.narrow: each of several sheets needs a name of its own",
    ),
    ("bad area", with_rows(WIN, LOSE) + FELT.replace("[0, 0, 2, 1]", "[1, 0, 2]"), r"length 4"),
    ("bad name", with_rows(WIN, LOSE) + '[throw.named]\nmoon = "total 7"\n', r"throw.named.moon: .*no numbers"),
    ("not TOML", "[book\n", r"coin.toml: is not TOML"),
    ("no id", "[book]\n", r"the book has no id"),
]


@pytest.mark.parametrize(("text", "message"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_a_broken_book_is_refused_with_file_wager_and_row(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(RuleBookError, match=message) as error:
        compile_book(tmp_path, text)
    assert "coin.toml" in str(error.value)


def test_errors_in_a_folder_name_the_file(tmp_path: Path) -> None:
    folder = tmp_path / "coin"
    folder.mkdir()
    (folder / "book.toml").write_text(HEAD, encoding="utf-8")
    (folder / "wagers.toml").write_text(WAGER.replace("{rows}", WIN), encoding="utf-8")
    shelf = Shelf()
    with pytest.raises(RuleBookError, match=r"^coin/wagers.toml: wager up: leaves a gap"):
        shelf.book(shelf.add(folder))


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(RuleBookError, match=r"nothing.toml: there is no such file or folder"):
        Shelf().add(tmp_path / "nothing.toml")


def test_a_book_that_extends_nothing_known(tmp_path: Path) -> None:
    text = with_rows(WIN, LOSE).replace('id = "coin"', 'id = "coin"\nextends = "moon"')
    with pytest.raises(RuleBookError, match="moon: there is no such rule book"):
        compile_book(tmp_path, text)


DICE = Outcomes((1, 2, 3, 4, 5, 6), 2, {"craps": "total 2 3 12"})


@pytest.mark.parametrize(
    ("description", "count"),
    [
        ("total 7", 6),
        ("total 2-4", 6),
        ("pair", 6),
        ("total 4, pair", 1),
        ("total 4, not pair", 2),
        ("craps", 4),
        ("not craps", 32),
        ("exactly 1 of 6", 10),
        ("at least 1 of 6", 11),
        ("every one of 1 2", 2),
        ("within 1 2", 4),
        ("different 2 of 1 2 3", 6),
        ("any", 36),
    ],
)
def test_descriptions_mean_what_they_say(description: str, count: int) -> None:
    assert len(DICE.matching(description)) == count


@pytest.mark.parametrize(
    "description",
    ["total", "total 1", "total x", "triple", "exactly 3 of 1", "exactly 1 of 7", "seven", "", "every"],
)
def test_descriptions_that_mean_nothing_are_refused(description: str) -> None:
    with pytest.raises(OutcomeError):
        DICE.matching(description)
