"""The pictures of machines show what the machines do, and nothing in them overlaps."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cli.main import main
from croupier.documents.graph_layout import (
    Arrow,
    Box,
    Edge,
    Layout,
    Node,
    Plan,
    Route,
    crossings,
    graph_of,
    layers_of,
    printed_odds,
    roots_of,
    spread,
    untangled,
)
from croupier.documents.machines import Caption, draw_machine, hint, lay_out, pitch_of
from croupier.documents.markup import Markup, element, number, svg_file, text, text_width
from croupier.rules.book import find_pick
from croupier.rules.game import Game
from croupier.rules.machine import Machine, typed_pick
from tests.tables import BOOKS, SHELF

SVG = "{http://www.w3.org/2000/svg}"
CRAPS, SIC_BO, TWO_UP, SNAKE_EYES, SNAKE_EYES_NZ = BOOKS


class Drawn(NamedTuple):
    """A machine with its name and its picture."""

    name: str
    machine: Machine
    nodes: list[Node]
    picture: ElementTree.Element

    @property
    def edges(self) -> list[ElementTree.Element]:
        return [part for part in self.picture.iter() if "data-then" in part.attrib]


def games(book_id: str) -> Iterator[tuple[str, Game]]:
    """A book under its adopted readings, and under each of its rejected readings."""
    for reading in (None, *SHELF.book(book_id).rivals):
        terms = SHELF.terms(book_id, readings=(reading,) if reading else ())
        yield f"{book_id} {reading or ''}", SHELF.game(terms)


def machines(book_id: str) -> Iterator[tuple[str, Machine, list[Node]]]:
    """The machine of every wager and pick, and of every phase of the table."""
    for name, game in games(book_id):
        for wager in game.book.rules.wagers:
            for pick in game.book.picks(wager):
                machine = game.machine(wager.id, pick)
                yield f"{name} {wager.id} {pick}", machine, graph_of(machine, printed_odds(game))
        for phase, machine in game.book.phase_machines.items():
            yield f"{name} {phase}", machine, graph_of(machine)


@cache
def drawn(book_id: str) -> list[Drawn]:
    """Every machine with its picture; machines with the same graph have the same one."""
    pictures: dict[tuple[Node, ...], ElementTree.Element] = {}
    every = []
    for name, machine, nodes in machines(book_id):
        if tuple(nodes) not in pictures:
            pictures[tuple(nodes)] = ElementTree.fromstring(draw_machine(nodes, Caption("any")))
        every.append(Drawn(name, machine, nodes, pictures[tuple(nodes)]))
    return every


def different(book_id: str) -> list[Drawn]:
    """Each picture once."""
    return list({id(each.picture): each for each in drawn(book_id)}.values())


def nodes_of(book_id: str, wager: str, pick: object = None, reading: str | None = None) -> list[Node]:
    game = SHELF.game(SHELF.terms(book_id, readings=(reading,) if reading else ()))
    return graph_of(game.machine(wager, pick), printed_odds(game))  # type: ignore[arg-type]


def edge_of(nodes: list[Node], state: str, to: str) -> Edge:
    return next(edge for node in nodes if node.name == state for edge in node.edges if edge.to == to)


# -- the graph is the machine -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("book_id", BOOKS)
def test_chances_in_every_state_add_up_to_one(book_id: str) -> None:
    for each in drawn(book_id):
        for node in each.nodes:
            assert sum((edge.chance for edge in node.edges), Fraction(0)) == 1, f"{each.name}: {node.name}"


Told = tuple[str, str, str, str]


def in_the_machine(machine: Machine) -> Counter[Told]:
    """Outcomes by state and effect, counted cell by cell."""
    counts: Counter[Told] = Counter()
    for state, entries in machine.table.items():
        for entry in entries:
            then = "stay" if entry.next == state else entry.then
            counts[state, then, entry.next if then == "go" else "", str(entry.odds) if then == "win" else ""] += 1
    return counts


def in_the_picture(picture: Drawn) -> Counter[Told]:
    """The same, read back from the figures in the picture."""
    counts: Counter[Told] = Counter()
    for part in picture.edges:
        then = part.attrib["data-then"]
        state, to = part.attrib["data-from"], part.attrib["data-to"]
        shown = [line.text for line in part.iter(f"{SVG}text") if line.attrib.get("class") == "chance"]
        assert shown == [part.attrib["data-chance"]], picture.name
        outcomes = Fraction(str(shown[0])) * len(picture.machine.table[state])
        assert outcomes.denominator == 1, picture.name
        counts[state, then, to if then == "go" else "", part.attrib.get("data-odds", "")] += int(outcomes)
    return counts


@pytest.mark.parametrize("book_id", BOOKS)
def test_picture_shows_every_edge_of_the_machine_and_no_other(book_id: str) -> None:
    for picture in drawn(book_id):
        assert in_the_picture(picture) == in_the_machine(picture.machine), picture.name
        effects = [tuple(part.attrib[key] for key in ("data-from", "data-then", "data-to")) for part in picture.edges]
        assert len(effects) == len(set(effects)), f"{picture.name}: two edges that are one"


@pytest.mark.parametrize("book_id", BOOKS)
def test_picture_names_every_state_marks_the_starts_and_cites_the_clauses(book_id: str) -> None:
    for picture in drawn(book_id):
        boxes = [part for part in picture.picture.iter() if "data-state" in part.attrib]
        names = [line.text for part in boxes for line in part.iter(f"{SVG}text") if line.attrib.get("class") == "name"]
        assert names == list(picture.machine.table), picture.name
        starts = [part.attrib["data-state"] for part in boxes if part.attrib["class"] == "state start"]
        assert set(starts) == set(picture.machine.starts), picture.name
        for part in picture.edges:
            cited = part.find(f"{SVG}title")
            assert cited is not None
            state, to = part.attrib["data-from"], part.attrib["data-to"]
            for clause in edge_of(picture.nodes, state, to).clauses:
                assert clause in str(cited.text), picture.name


def test_fractions_are_in_lowest_terms_and_effects_with_the_same_odds_are_one() -> None:
    nodes = nodes_of(CRAPS, "win_line")
    assert edge_of(nodes, "come out", "win 1 to 1").chance == Fraction(2, 9)
    assert edge_of(nodes, "come out", "point 6").chance == Fraction(5, 36)
    assert edge_of(nodes, "point 4", "point 4").then == "stay"
    assert str(edge_of(nodes, "point 4", "point 4").chance) == "3/4"
    assert [edge.to for edge in nodes_of(CRAPS, "field")[0].edges] == ["win 2 to 1", "win 1 to 1", "lose"]


def test_clauses_behind_an_edge_are_those_of_all_its_outcomes() -> None:
    nodes = graph_of(SHELF.book(CRAPS).phase_machines["puck"])
    assert edge_of(nodes, "point 6", "come out").clauses == ('1.1 "come out roll"', '1.1 "7 Out"')
    assert hint(edge_of(nodes, "come out", "point 6")) == ('go to point 6: 5/36 = 13.89%, clause 1.1 "come out point"')


def test_odds_are_those_the_book_prints_and_net_where_only_a_part_of_the_stake_wins() -> None:
    assert edge_of(nodes_of(TWO_UP, "spinner", "heads"), "2 up 0 odds", "win 7.5 to 1").odds == Fraction(15, 2)
    assert [edge.to for edge in nodes_of(CRAPS, "horn")[0].edges] == ["win 15 to 2", "win 13 to 4", "lose"]


# -- nothing lies on anything else ------------------------------------------------------------------------------------


def overlap(one: Box, other: Box) -> bool:
    return one.left < other.right and other.left < one.right and one.top < other.bottom and other.top < one.bottom


def inside(point: tuple[float, float], box: Box) -> bool:
    return box.left < point[0] < box.right and box.top < point[1] < box.bottom


def along(route: Route) -> Iterator[tuple[float, float]]:
    """Points close to each other on the line of an arrow."""
    corners = route.points
    straight = corners if route.returns else corners[:2]
    for (x, y), (end_x, end_y) in pairwise(straight):
        for step in range(65):
            yield x + (end_x - x) * step / 64, y + (end_y - y) * step / 64
    if not route.returns:
        (x, y), (end_x, end_y) = corners[1:]
        for t in (step / 64 for step in range(65)):
            yield x + (end_x - x) * (3 * t**2 - 2 * t**3), y + (end_y - y) * t


def assert_clear(layout: Layout, pitch: int, name: str) -> None:
    """No box touches another, no line runs through a box, and no figure on a line touches a box, another figure or
    another line."""
    for (one, first), (other, second) in combinations(layout.boxes.items(), 2):
        assert not overlap(first, second), f"{name}: {one}, {other}"
    for arrow, route in layout.routes.items():
        for point in along(route):
            hit = [state for state, box in layout.boxes.items() if inside(point, box)]
            assert not hit, f"{name}: {arrow} runs through {hit}"
            assert layout.left <= point[0] <= layout.right, f"{name}: {arrow}"
            assert 0 <= point[1] <= layout.height, f"{name}: {arrow}"
    figures = {arrow: figure(route, pitch) for arrow, route in layout.routes.items()}
    for one_figure, other_figure in combinations(figures.values(), 2):
        assert not overlap(one_figure, other_figure), name
    for arrow, box in figures.items():
        assert not any(overlap(box, other) for other in layout.boxes.values()), f"{name}: {arrow}"
        for beside, route in layout.routes.items():
            hits = beside != arrow and any(inside(point, box) for point in along(route))
            assert not hits, f"{name}: {beside} runs through the figure of {arrow}"


def figure(route: Route, pitch: int) -> Box:
    """The position of a move's probability."""
    x, y = route.points[0]
    return Box(x - pitch // 2 + 6, y + 7, pitch - 12, 17)


@pytest.mark.parametrize("book_id", BOOKS)
def test_boxes_lines_and_figures_are_clear_of_each_other(book_id: str) -> None:
    for each in different(book_id):
        layout, told = lay_out(each.nodes)
        assert not told, f"{each.name}: an arrow has no line"
        assert_clear(layout, pitch_of(each.nodes), each.name)


@pytest.mark.parametrize("book_id", BOOKS)
def test_nothing_leaves_the_picture(book_id: str) -> None:
    for picture in different(book_id):
        _, _, width, height = map(float, picture.picture.attrib["viewBox"].split())
        body = next(part for part in picture.picture.iter() if "transform" in part.attrib)
        right, down = map(float, re.findall(r"-?[\d.]+", body.attrib["transform"]))
        frames = [part for part in body.iter(f"{SVG}rect") if part.attrib.get("class") == "frame"]
        assert len(frames) == len(picture.nodes)
        for frame in frames:
            x, y, wide, high = (float(frame.attrib[key]) for key in ("x", "y", "width", "height"))
            assert right + x >= 20, picture.name
            assert right + x + wide + 26 <= width - 20, picture.name  # a loop stands at the right of a box
            assert down + y >= 60, picture.name
            assert down + y + high <= height - 20, picture.name


@pytest.mark.parametrize("book_id", BOOKS)
def test_words_have_room_in_their_boxes(book_id: str) -> None:
    for each in different(book_id):
        for row in each.edges:
            if row.attrib["data-then"] != "go":
                words, chance = (str(line.text) for line in row.iter(f"{SVG}text"))
                ground = next(row.iter(f"{SVG}rect"))
                wide = text_width(words, 13) + text_width(chance, 13, bold=True)
                assert wide + 20 <= float(ground.attrib["width"]), f"{each.name}: {words}"
        for box in (part for part in each.picture.iter() if "data-state" in part.attrib):
            frame = next(part for part in box.iter(f"{SVG}rect") if part.attrib["class"] == "frame")
            start = text_width("start", 12) if box.attrib["class"] == "state start" else 0
            wide = text_width(box.attrib["data-state"], 14, bold=True) + start
            assert wide + 20 <= float(frame.attrib["width"]), f"{each.name}: {box.attrib['data-state']}"


def test_two_sides_of_super_streak_stand_side_by_side_in_straight_columns() -> None:
    layout, _ = lay_out(nodes_of(SIC_BO, "super_streak", "size"))
    columns = {side: [layout.boxes[f"{side} {k}"] for k in range(12)] for side in ("small", "big")}
    for boxes in columns.values():
        assert len({box.left for box in boxes}) == 1
        assert [box.top for box in boxes] == sorted(box.top for box in boxes)
    assert [box.top for box in columns["small"]] == [box.top for box in columns["big"]]
    for route in layout.routes.values():
        assert len({x for x, _ in route.points}) == 1, "an arrow of a straight column is straight"


def test_what_returns_to_one_state_shares_one_way() -> None:
    layout, _ = lay_out(graph_of(SHELF.book(CRAPS).phase_machines["puck"]))
    back = [route for (_, target), route in layout.routes.items() if target == "come out"]
    assert len(back) == 6
    assert all(route.returns for route in back)
    assert len({route.points[-3:] for route in back}) == 1
    assert back[0].points[-1][0] == layout.boxes["come out"].left


def test_spinners_throws_of_the_declared_side_lead_to_the_head_of_the_next_column() -> None:
    layout, _ = lay_out(nodes_of(TWO_UP, "spinner", "heads"))
    for up in range(3):
        assert len({layout.boxes[f"{up} up {k} odds"].left for k in range(5)}) == 1
    for up in range(2):
        ways = [layout.routes[f"{up} up {k} odds", f"{up + 1} up 0 odds"] for k in range(1, 5)]
        assert len({way.points[-2:] for way in ways}) == 1


# -- any graph, not only those of the five books ----------------------------------------------------------------------

STATES = [f"s{number}" for number in range(12)]


@st.composite
def graphs(draw_from: st.DrawFn) -> list[Node]:
    """A machine with up to 12 states, all of which can be reached."""
    states = STATES[: draw_from(st.integers(1, len(STATES)))]
    starts = draw_from(st.sets(st.sampled_from(states), min_size=1))
    arrows: dict[Arrow, None] = {}
    for place, state in enumerate(states[1:], start=1):
        arrows[states[draw_from(st.integers(0, place - 1))], state] = None
    more = st.tuples(st.sampled_from(states), st.sampled_from(states))
    arrows.update(dict.fromkeys(draw_from(st.lists(more, max_size=30))))
    moves = {state: [b for a, b in arrows if a == state != b] for state in states}
    return [
        Node(state, state in starts | {states[0]}, tuple(_edges(moves[state], draw_from(st.integers(0, 3)))))
        for state in states
    ]


def _edges(targets: list[str], endings: int) -> Iterator[Edge]:
    chance = Fraction(1, max(1, len(targets) + endings))
    for number_ in range(endings):
        yield Edge("win", f"win {number_ + 1} to 1", chance, ("1",), Fraction(number_ + 1))
    for target in targets:
        yield Edge("go", target, chance, ("2",))


@given(graphs())
@settings(deadline=None, max_examples=150)
def test_any_graph_is_laid_out_without_touching(nodes: list[Node]) -> None:
    layout, told = lay_out(nodes)
    moves = {(node.name, edge.to) for node in nodes for edge in node.moves}
    assert set(layout.boxes) == {node.name for node in nodes}
    assert set(layout.routes) | told == moves
    assert not set(layout.routes) & told
    assert_clear(layout, pitch_of(nodes), "drawn from random")
    for (_, target), route in layout.routes.items():
        box, (x, y) = layout.boxes[target], route.points[-1]
        assert box.left <= x <= box.right
        assert box.top <= y <= box.bottom


@given(graphs())
@settings(deadline=None, max_examples=50)
def test_any_graph_is_drawn_with_all_its_edges(nodes: list[Node]) -> None:
    picture = ElementTree.fromstring(draw_machine(nodes, Caption("any")))
    keys = ("data-from", "data-then", "data-to", "data-chance")
    shown = [tuple(part.attrib[key] for key in keys) for part in picture.iter() if "data-then" in part.attrib]
    edges = [(node.name, edge.then, edge.to, str(edge.chance)) for node in nodes for edge in node.edges]
    assert sorted(shown) == sorted(edges)


def test_move_without_room_for_a_line_is_told_in_its_box() -> None:
    """Every state leads to every other: more return moves than there are lanes."""
    chance = Fraction(1, 7)
    nodes = [Node(s, s == "s0", tuple(Edge("go", t, chance, ("1",)) for t in STATES[:8] if t != s)) for s in STATES[:8]]
    layout, told = lay_out(nodes)
    assert told
    picture = ElementTree.fromstring(draw_machine(nodes, Caption("tangle")))
    rows = [part for part in picture.iter() if part.attrib.get("class") == "told"]
    assert {(part.attrib["data-from"], part.attrib["data-to"]) for part in rows} == told
    assert len(rows) + len(layout.routes) == 8 * 7
    words = {line.text for part in rows for line in part.iter(f"{SVG}text")}
    assert {f"go to {to}" for _, to in told} | {"1/7"} == words


def test_layers_are_by_the_shortest_way_from_a_start() -> None:
    arrows = [("a", "b"), ("b", "c"), ("a", "c"), ("c", "a"), ("c", "d")]
    assert layers_of(["a"], arrows) == [["a"], ["b", "c"], ["d"]]


def test_start_that_another_start_leads_to_is_no_root() -> None:
    assert roots_of(["p", "a"], [("a", "p")]) == ["a"]
    assert roots_of(["p", "a"], [("a", "p"), ("p", "a")]) == ["p"]
    assert roots_of(["a", "b"], []) == ["a", "b"]


def test_states_are_put_in_an_order_without_needless_crossings() -> None:
    layers = [["a", "b"], ["c", "d"]]
    arrows = [("a", "d"), ("b", "c")]
    assert crossings(layers, arrows) == 1
    assert crossings(untangled(layers, arrows), arrows) == 0


@given(st.lists(st.integers(-100, 100), min_size=1, max_size=8), st.integers(1, 50))
def test_places_keep_their_distance_and_stay_where_they_can(wanted: list[int], apart: int) -> None:
    places = spread(wanted, [apart] * len(wanted))
    assert all(after - before >= apart for before, after in pairwise(places))
    if all(after - before >= apart for before, after in pairwise(wanted)):
        assert places == wanted
    assert abs(sum(places) - sum(wanted)) <= len(wanted)


def test_long_row_of_arrows_into_one_box_enters_it_all_the_same() -> None:
    many = [f"t{number_}" for number_ in range(20)]
    arrows = [("a", one) for one in many] + [(one, "z") for one in many]
    sizes = dict.fromkeys(("a", "z", *many), (100, 50))
    layout = Plan(["a"], arrows, sizes, 46).layout()
    entries = [layout.routes[one, "z"].points[-1][0] for one in many]
    assert entries == sorted(set(entries))
    assert layout.boxes["z"].left < entries[0] < entries[-1] < layout.boxes["z"].right


# -- the file ---------------------------------------------------------------------------------------------------------


def test_every_text_is_escaped() -> None:
    odd = "<b> & \"quoted\" 'state' ]]> \x01 £ 骰"
    node = Node(odd, True, (Edge("win", f"win {odd}", Fraction(1), (odd,), Fraction(1)),))
    svg = draw_machine([node], Caption(odd, (odd,), (odd,)))
    assert svg.isascii()
    picture = ElementTree.fromstring(svg)
    kept = odd.replace("\x01", "\ufffd")
    assert [line.text for line in picture.iter(f"{SVG}text")].count(kept) == 4  # title, line, foot, name of the state
    assert next(part for part in picture.iter() if "data-state" in part.attrib).attrib["data-state"] == kept
    assert {part.tag for part in picture.iter()} <= {
        f"{SVG}{tag}" for tag in ("svg", "title", "desc", "style", "g", "rect", "text", "path", "polygon")
    }


def test_elements_escape_text_and_keep_markup() -> None:
    assert element("rect", b='"<&>', c=None, d=1.50) == '<rect b="&quot;&lt;&amp;&gt;" d="1.5"/>'
    assert element("g", "1 < 2", element("path")) == "<g>1 &lt; 2<path/></g>"
    assert text(1, 2, "&", anchor="end") == '<text x="1" y="2" text-anchor="end">&amp;</text>'
    assert isinstance(text(1, 2, "a"), Markup)
    assert [number(value) for value in (3, 2.5, -0.001, 0.125, 100.0)] == ["3", "2.5", "0", "0.12", "100"]


def test_picture_stands_by_itself() -> None:
    svg = draw_machine(nodes_of(CRAPS, "win_line"), Caption("Win Line", ("Craps",)))
    picture = ElementTree.fromstring(svg)
    assert picture.attrib["role"] == "img"
    title, description, _, ground = list(picture)[:4]
    assert (title.tag, title.text) == (f"{SVG}title", "Win Line. Craps")
    assert str(description.text).startswith("7 states. come out (start): win 1 to 1 2/9; lose 1/9; go to point 4 1/12;")
    assert ground.attrib == {"width": picture.attrib["width"], "height": picture.attrib["height"], "fill": "#ffffff"}
    assert re.findall(r"\w+://[^\"]+", svg) == ["http://www.w3.org/2000/svg"]
    assert "url(" not in svg
    assert "@import" not in svg


def test_document_takes_what_a_chart_needs() -> None:
    svg = svg_file(10, 20.5, "A & B", "two <bars>", ".bar { fill: red }", element("rect", width=1))
    picture = ElementTree.fromstring(svg)
    assert picture.attrib["viewBox"] == "0 0 10 20.5"
    assert [part.text for part in list(picture)[:3]] == ["A & B", "two <bars>", ".bar { fill: red }"]


PROGRAM = """
from croupier.rules.shelf import Shelf
from croupier.documents.graph_layout import graph_of
from croupier.documents.machines import Caption, draw_machine
shelf = Shelf()
for book, wager, pick in (("sic-bo-nsw-2016", "super_streak", "size"), ("two-up-nsw-2016", "spinner", "heads")):
    print(draw_machine(graph_of(shelf.game(shelf.terms(book)).machine(wager, pick)), Caption(wager)))
for book in ("sic-bo-nsw-2016", "craps-nsw-2024"):
    for machine in shelf.book(book).phase_machines.values():
        print(draw_machine(graph_of(machine), Caption(book)))
"""


def test_two_runs_are_equal_to_the_byte() -> None:
    """Whatever order Python's sets have in a run."""
    runs = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0].count(b"</svg>") == 5
    assert runs[0] == runs[1]


# -- the command ------------------------------------------------------------------------------------------------------


def run(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    status = main(["draw", *words])
    out = capsys.readouterr()
    return status, out.out, out.err


def shown(svg: str) -> list[str | None]:
    return [line.text for line in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_picture_goes_to_the_file_and_one_line_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "win-line.svg"
    status, out, err = run(CRAPS, "win_line", "--out", str(file), capsys=capsys)
    assert (status, out, err) == (0, f"{file}: Win Line, 7 states\n", "")
    _, printed, _ = run(CRAPS, "win_line", capsys=capsys)
    assert file.read_text(encoding="utf-8") == printed
    assert shown(printed)[:3] == ["Win Line", "Craps, The Star Sydney, order of 16 August 2024", "Clause 6.2.1"]
    assert shown(printed)[3:5] == [
        "Fractions: chances on the next roll; 36 outcomes, all equally likely.",
        "Clauses: win 6.2.1.1.1, 6.2.1.1.2; lose 6.2.1.2.1, 6.2.1.2.2; stay and move 6.2.1.",
    ]


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ((CRAPS, "hardway", "6"), "Hardways 6"),
        ((SIC_BO, "super_streak", "size"), "Super Streak size"),
        ((SIC_BO, "combination", "2,1"), "Dice Combinations 1 2"),
        ((SIC_BO, "combination", "1", "2"), "Dice Combinations 1 2"),
        ((SIC_BO, "combination", "1-2"), "Dice Combinations 1 2"),
        ((CRAPS, "puck"), "Puck"),
    ],
)
def test_picks_are_typed_as_people_write_them(
    words: tuple[str, ...], title: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run(*words, capsys=capsys)
    assert status == 0
    assert shown(out)[0] == title


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_pick_is_found_as_it_is_listed(book_id: str) -> None:
    book = SHELF.book(book_id)
    for wager in book.rules.wagers:
        for pick in book.picks(wager):
            typed = ",".join(map(str, pick)) if isinstance(pick, tuple) else "" if pick is None else str(pick)
            assert find_pick(book, wager, typed_pick(typed)) == pick


def test_pay_table_and_reading_are_drawn_and_named(capsys: pytest.CaptureFixture[str]) -> None:
    _, one, _ = run(SNAKE_EYES, "hardway", "4", "--pay-table", "one", capsys=capsys)
    _, two, _ = run(SNAKE_EYES, "hardway", "4", "--pay-table", "two", capsys=capsys)
    assert "Pay table two" in shown(two)
    assert [words for words in shown(one) if str(words).startswith("win")] != [
        words for words in shown(two) if str(words).startswith("win")
    ]
    _, out, _ = run(SNAKE_EYES_NZ, "hardway_combo", "--reading", "NZ-1 own hardway only", capsys=capsys)
    assert "Read as NZ-1 own hardway only" in shown(out)
    assert len([part for part in ElementTree.fromstring(out).iter() if "data-state" in part.attrib]) == 15


def test_what_a_machine_does_not_show_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(CRAPS, "buy", "6", capsys=capsys)
    assert "Commission when it is made: 1/20 of the stake (6.2.24)" in shown(out)
    assert "Drawn as On; at times it sleeps unless it is called On (6.7.1)" in shown(out)
    _, out, _ = run(CRAPS, "horn", capsys=capsys)
    assert "Only a part of the stake wins; the odds shown are net, on the whole stake" in shown(out)


@pytest.mark.parametrize(
    ("words", "start", "end"),
    [
        ((CRAPS, "hardways"), "The book has no wager called hardways; it has: win_line, ", "(6.2)"),
        ((CRAPS, "hardway"), "Hardways needs a pick: 4, 6, 8, 10.", "(6.2.9)"),
        ((CRAPS, "hardway", "5"), "Hardways cannot be made on that; it is made on 4, 6, 8, 10.", "(6.2.9)"),
        ((SIC_BO, "combination", "1", "1"), "Dice Combinations cannot be made on that; ", "(3.1.7)"),
        ((CRAPS, "field", "2"), "Field is made without a pick.", "(6.2.17)"),
        ((CRAPS, "puck", "6"), "Puck is a phase of the table and has no pick.", "(2.4.3)"),
        ((SNAKE_EYES, "field", "--pay-table", "three"), "The book does not permit 'three' ", "(8.1)"),
        (
            (CRAPS, "field", "--pay-table", "two"),
            "This book has one pay table only; there is nothing to choose.",
            "(8.1)",
        ),
        (
            (CRAPS, "field", "--reading", "CR-1 half"),
            'The book has no rival reading "CR-1 half" that can be drawn',
            "(6.2.23, 8.1)",
        ),
        (
            (CRAPS, "field", "--reading", ""),
            'The book has no rival reading "" that can be drawn; it has: CR-1 ',
            ".",
        ),
        ((CRAPS, "field", "--out", "no/such/folder.svg"), "no/such/folder.svg cannot be written (No such", ")."),
    ],
)
def test_bad_input_gets_one_sentence_with_the_clause(
    words: tuple[str, ...], start: str, end: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(*words, capsys=capsys)
    assert (status, out) == (2, "")
    assert err.startswith(f"croupier: {start}")
    assert err.rstrip("\n").endswith(end)
    assert err.count("\n") == 1
