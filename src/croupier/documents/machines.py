"""The picture of a machine: a box per state with its endings inside, an arrow per move, all with probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from textwrap import wrap

import msgspec

from croupier.documents.graph_layout import Arrow, Box, Edge, Layout, Node, Plan, Point, Route
from croupier.documents.markup import Inside, Markup, Value, element, group, number, svg_file, text, text_width

MARGIN = 28
HEADING, LINE = 22, 18  # font size of the title; line height of small print
NAME, FIGURE, SMALL = 14, 13, 12  # font sizes: name of a state, its rows, small print
HEAD, ROW, PAD = 29, 24, 10  # a box: head, rows, padding beside the text
ROUND = 8  # corner radius

_KINDS = ("win", "lose", "void", "stay", "move")

STYLE = """
.croupier-machine text { fill: #1e293b; font-size: 13px }
.croupier-machine .title { font-size: 22px; font-weight: bold }
.croupier-machine .note { font-size: 12px; fill: #475569 }
.croupier-machine .name { font-size: 14px; font-weight: bold }
.croupier-machine .begins { font-size: 12px; fill: #ffffff }
.croupier-machine .chance { font-weight: bold }
.croupier-machine .frame { fill: none; stroke: #94a3b8; stroke-width: 1.5 }
.croupier-machine .ground { fill: #ffffff }
.croupier-machine .head { fill: #e2e8f0 }
.croupier-machine .start .head { fill: #1e293b }
.croupier-machine .start .frame { stroke: #1e293b; stroke-width: 2 }
.croupier-machine .start .name { fill: #ffffff }
.croupier-machine .line { fill: none; stroke: #475569; stroke-width: 1.5 }
.croupier-machine .point { fill: #475569 }
.croupier-machine .win rect { fill: #dcf2e3 }
.croupier-machine .win text { fill: #14532d }
.croupier-machine .lose rect { fill: #fbe3e3 }
.croupier-machine .lose text { fill: #7f1d1d }
.croupier-machine .void rect { fill: #e5e5e5 }
.croupier-machine .void text { fill: #3f3f46 }
.croupier-machine .stay rect, .croupier-machine .told rect { fill: #f1f5f9 }
"""


class Caption(msgspec.Struct, frozen=True):
    """The text around the picture: its title, lines below the title, and small print at the foot."""

    title: str
    under: tuple[str, ...] = ()
    foot: tuple[str, ...] = ()


def draw_machine(nodes: Sequence[Node], caption: Caption) -> str:
    """Draw the picture as SVG."""
    layout, told = lay_out(nodes)
    caption = _wrapped(caption, layout.right - layout.left)
    above = MARGIN + HEADING + LINE * len(caption.under) + 20
    wanted = max(layout.right - layout.left, _caption_width(caption))
    width = wanted + 2 * MARGIN
    height = above + layout.height + 24 + LINE * len(caption.foot) + MARGIN - 12
    shift = (width - (layout.right - layout.left)) // 2 - layout.left
    lines = [
        _move(edge, node.name, layout) for node in nodes for edge in node.moves if (node.name, edge.to) not in told
    ]
    boxes = [_state(node, layout.boxes[node.name], told) for node in nodes]
    body = element("g", _on_lines([*lines, *boxes]), transform=f"translate({shift} {above})")
    title = ". ".join((caption.title, *caption.under))
    picture = element("g", _on_lines(_caption(caption, height)), body, class_="croupier-machine")
    return svg_file(width, height, title, described(nodes), STYLE, picture)


def lay_out(nodes: Sequence[Node]) -> tuple[Layout, frozenset[Arrow]]:
    """The layout, and the moves listed in a row of their box because no line for them was found."""
    starts = [node.name for node in nodes if node.start]
    arrows = [(node.name, edge.to) for node in nodes for edge in node.moves]
    told: frozenset[Arrow] = frozenset()
    while True:
        drawn = [arrow for arrow in arrows if arrow not in told]
        layout = Plan(starts, drawn, _sizes(nodes, told), pitch_of(nodes)).layout()
        if not layout.lost:
            return layout, told
        told |= layout.lost


def pitch_of(nodes: Sequence[Node]) -> int:
    """The spacing at which arrows leave a box, so that their figures do not touch."""
    return max([30, *(text_width(str(e.chance), FIGURE, bold=True) for node in nodes for e in node.moves)]) + 16


def _sizes(nodes: Sequence[Node], told: frozenset[Arrow]) -> dict[str, tuple[int, int]]:
    """Box sizes: as wide as the widest text, or as their arrows need; as high as their rows."""
    rows = {node.name: rows_of(node, told) for node in nodes}
    widest = max(
        [_head_width(node) for node in nodes] + [_row_width(edge) for edges in rows.values() for edge in edges]
    )
    pitch = pitch_of(nodes)
    return {
        node.name: (
            _even(max(widest, pitch * sum((node.name, edge.to) not in told for edge in node.moves))),
            HEAD + ROW * len(rows[node.name]) + (6 if rows[node.name] else 14),
        )
        for node in nodes
    }


def rows_of(node: Node, told: frozenset[Arrow]) -> list[Edge]:
    """The edges listed inside the box of a state: endings, staying, and moves without an arrow."""
    return [edge for edge in node.edges if edge.then != "go" or (node.name, edge.to) in told]


def _head_width(node: Node) -> int:
    begins = text_width("start", SMALL) + 14 if node.start else 0
    return text_width(node.name, NAME, bold=True) + begins + 2 * PAD + 4


def _row_width(edge: Edge) -> int:
    words = text_width(_words(edge), FIGURE) + text_width(str(edge.chance), FIGURE, bold=True)
    return words + 16 + 2 * (PAD + 4)


def _even(width: int) -> int:
    return width + width % 2


def _words(edge: Edge) -> str:
    return {"go": f"go to {edge.to}", "stay": "stay"}.get(edge.then, edge.to)


# Text around and behind the picture


def hint(edge: Edge) -> str:
    """The full description of an edge: `win 1 to 1: 2/9 = 22.22%, clause 6.2.1.1.1`."""
    clauses = f"{'clause' if len(edge.clauses) == 1 else 'clauses'} {', '.join(edge.clauses)}"
    return f"{_words(edge)}: {edge.chance} = {per_cent(edge.chance)}, {clauses}"


def per_cent(chance: Fraction) -> str:
    """A probability as a percentage, to two places."""
    return f"{float(chance):.2%}"


def described(nodes: Sequence[Node]) -> str:
    """The picture in words."""
    states = []
    for node in nodes:
        begins = " (start)" if node.start else ""
        states.append(f"{node.name}{begins}: {'; '.join(f'{_words(edge)} {edge.chance}' for edge in node.edges)}.")
    return " ".join([f"{len(nodes)} {'state' if len(nodes) == 1 else 'states'}.", *states])


def clauses_behind(nodes: Sequence[Node]) -> str:
    """The clauses by effect: `win 4.1(a)(i); lose 4.1(a)(ii); stay and move 4.1(a)`."""
    clauses: dict[str, dict[str, None]] = {}
    for edge in (edge for node in nodes for edge in node.edges):
        kind = "move" if edge.then == "go" else edge.then
        clauses.setdefault(kind, {}).update(dict.fromkeys(edge.clauses))
    kinds: dict[tuple[str, ...], list[str]] = {}
    for name in sorted(clauses, key=_KINDS.index):
        kinds.setdefault(tuple(clauses[name]), []).append(name)
    return "; ".join(f"{_and(together)} {', '.join(cited)}" for cited, together in kinds.items())


def _and(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


def _wrapped(caption: Caption, width: int) -> Caption:
    """Wrap small print to about the width of the picture."""
    letters = max(76, width // 8)
    under, foot = ([part for line in lines for part in wrap(line, letters)] for lines in (caption.under, caption.foot))
    return Caption(caption.title, tuple(under), tuple(foot))


def _caption_width(caption: Caption) -> int:
    small = [text_width(line, SMALL) for line in (*caption.under, *caption.foot)]
    return max([text_width(caption.title, HEADING, bold=True), *small])


def _caption(caption: Caption, height: int) -> list[Markup]:
    lines = [text(MARGIN, MARGIN + HEADING - 4, caption.title, "title")]
    below = MARGIN + HEADING
    lines += [text(MARGIN, below + LINE * n, words, "note") for n, words in enumerate(caption.under, start=1)]
    foot = height - MARGIN + 8 - LINE * (len(caption.foot) - 1)
    return lines + [text(MARGIN, foot + LINE * n, words, "note") for n, words in enumerate(caption.foot)]


def _on_lines(parts: Sequence[Markup]) -> Inside:
    """Put each part on its own line, so that the file can be read."""
    return [("\n", part) for part in parts]


# Boxes


def _state(node: Node, box: Box, told: frozenset[Arrow]) -> Markup:
    """The box of a state: its name, and a row for each ending and for staying."""
    parts = [
        _rounded(box.left, box.top, box.width, box.height, ROUND, "ground"),
        element("path", d=_head(box), class_="head"),
        _rounded(box.left, box.top, box.width, box.height, ROUND, "frame"),
        text(box.left + PAD, box.top + 20, node.name, "name"),
    ]
    if node.start:
        parts.append(text(box.right - PAD, box.top + 20, "start", "begins", "end"))
    for place, edge in enumerate(rows_of(node, told)):
        parts.append(_row(edge, node.name, box, box.top + HEAD + 4 + ROW * place))
    about = f"{node.name} (start)" if node.start else node.name
    return group(about, *parts, class_="state start" if node.start else "state", data_state=node.name)


def _rounded(x: float, y: float, width: float, height: float, radius: int, class_: str | None = None) -> Markup:
    return element("rect", x=x, y=y, width=width, height=height, rx=radius, class_=class_)


def _head(box: Box) -> str:
    """The head of a box, with its two upper corners rounded."""
    return (
        f"M{box.left} {box.top + HEAD}V{box.top + ROUND}Q{box.left} {box.top} {box.left + ROUND} {box.top}"
        f"H{box.right - ROUND}Q{box.right} {box.top} {box.right} {box.top + ROUND}V{box.top + HEAD}Z"
    )


def _row(edge: Edge, state: str, box: Box, top: int) -> Markup:
    parts = [
        _rounded(box.left + 4, top, box.width - 8, ROW - 3, 4),
        text(box.left + PAD, top + 15, _words(edge)),
        text(box.right - PAD, top + 15, str(edge.chance), "chance", "end"),
    ]
    if edge.then == "stay":
        parts += _loop(box.right, top + (ROW - 3) // 2)
    kind = "told" if edge.then == "go" else edge.then
    return group(hint(edge), *parts, **_data(edge, state, kind))


def _data(edge: Edge, state: str, kind: str) -> dict[str, Value]:
    """Data attributes from which another program can read the edge back."""
    return {
        "class_": kind,
        "data_from": state,
        "data_then": edge.then,
        "data_to": edge.to,
        "data_chance": str(edge.chance),
        "data_odds": str(edge.odds) if edge.then == "win" else None,
    }


def _loop(x: int, y: int) -> list[Markup]:
    """A small arrow out of a box and back into it."""
    curve = f"M{x} {y - 6}C{x + 24} {y - 12} {x + 24} {y + 12} {x + 7} {y + 6.5}"
    return [element("path", d=curve, class_="line"), _head_of_arrow((x, y + 5), (-1, 0))]


# Arrows


def _move(edge: Edge, state: str, layout: Layout) -> Markup:
    """The line of a move, its arrowhead, and its probability near its origin."""
    route = layout.routes[state, edge.to]
    x, y = route.points[0]
    wide = text_width(str(edge.chance), FIGURE, bold=True) + 4
    parts = [
        element("path", d=_line(route), class_="line"),
        _head_of_arrow(route.points[-1], _direction(route)),
        element("rect", x=x - wide / 2, y=y + 7, width=wide, height=17, class_="ground"),
        text(x, y + 20, str(edge.chance), "chance", "middle"),
    ]
    return group(f"{state}, {hint(edge)}", *parts, **_data(edge, state, "move"))


def _direction(route: Route) -> Point:
    """The direction of an arrowhead: down to the next layer, or sideways into a box it returns to."""
    if not route.returns:
        return (0, 1)
    return (1, 0) if route.points[-1][0] > route.points[-2][0] else (-1, 0)


def _head_of_arrow(tip: Point, direction: Point) -> Markup:
    (x, y), (dx, dy) = tip, direction
    back_x, back_y = x - 9 * dx, y - 9 * dy
    corners = ((x, y), (back_x - 4.5 * dy, back_y - 4.5 * dx), (back_x + 4.5 * dy, back_y + 4.5 * dx))
    return element("polygon", points=" ".join(f"{number(cx)},{number(cy)}" for cx, cy in corners), class_="point")


def _line(route: Route) -> str:
    if route.returns:
        return _round_cornered(route.points, short=7)
    (x, y), (_, below), (end, top) = route.points
    tip = top - 7
    if x == end:
        return f"M{x} {y}V{tip}"
    halfway = number((below + tip) / 2)
    return f"M{x} {y}V{below}C{x} {halfway} {end} {halfway} {end} {tip}"


def _round_cornered(points: Sequence[Point], short: int) -> str:
    """A line with rounded corners that stops short of its last point, where the arrowhead is."""
    (x, y), (before_x, _) = points[-1], points[-2]
    corners = [*points[:-1], (x - short if x > before_x else x + short, y)]
    path = [f"M{corners[0][0]} {corners[0][1]}"]
    for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
        near, far = _towards(corner, before), _towards(corner, after)
        path.append(f"L{near[0]} {near[1]}Q{corner[0]} {corner[1]} {far[0]} {far[1]}")
    return "".join([*path, f"L{corners[-1][0]} {corners[-1][1]}"])


def _towards(corner: Point, other: Point) -> Point:
    """A point at a short distance from a corner."""
    (x, y), (other_x, other_y) = corner, other
    aside, down = other_x - x, other_y - y
    far = min(ROUND, (abs(aside) + abs(down)) // 2)
    return x + far * (aside > 0) - far * (aside < 0), y + far * (down > 0) - far * (down < 0)
