"""A machine as a graph with exact probabilities, and its layered layout: boxes for states, lines for moves."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from statistics import fmean

import msgspec

from croupier.rules.game import Game, choice_id
from croupier.rules.machine import Entry, Machine, Then
from croupier.rules.outcomes import parse_odds

_ORDER: tuple[Then, ...] = ("win", "lose", "void", "stay", "go")


class Edge(msgspec.Struct, frozen=True):
    """A possible effect of one throw in a state: an ending, staying there, or a move to another state.

    `to` is a state, or an ending in words: "win 6 to 5", "lose", "void".
    """

    then: Then
    to: str
    chance: Fraction
    clauses: tuple[str, ...]
    odds: Fraction = Fraction(0)


class Node(msgspec.Struct, frozen=True):
    """A state. The probabilities of its edges add up to 1."""

    name: str
    start: bool
    edges: tuple[Edge, ...]

    @property
    def moves(self) -> tuple[Edge, ...]:
        """The edges that lead to other states."""
        return tuple(edge for edge in self.edges if edge.then == "go")


def graph_of(machine: Machine, printed: Mapping[str, str] | None = None) -> list[Node]:
    """Every reachable state, in the book's order. `printed`: odds as the book prints them, by line."""
    reached = set(machine.reachable(machine.starts))
    place = {state: number for number, state in enumerate(machine.table)}
    nodes = []
    for state, entries in machine.table.items():
        if state in reached:
            edges = sorted(_edges(state, entries, printed or {}), key=lambda edge: _rank(edge, place))
            nodes.append(Node(state, state in machine.starts, tuple(edges)))
    return nodes


def _rank(edge: Edge, place: Mapping[str, int]) -> tuple[int, Fraction, int]:
    """Wins first, from the highest odds down; moves last, in the book's order."""
    return _ORDER.index(edge.then), -edge.odds, place.get(edge.to, 0)


def _edges(state: str, entries: tuple[Entry, ...], printed: Mapping[str, str]) -> list[Edge]:
    """The edges of a state: outcomes with the same effect are merged."""
    together: dict[tuple[Then, str, Fraction], list[Entry]] = {}
    for entry in entries:
        then: Then = "stay" if entry.then == "go" and entry.next == state else entry.then
        target = entry.next if then == "go" else state if then == "stay" else ""
        together.setdefault((then, target, entry.odds), []).append(entry)
    return [
        Edge(
            then=then,
            to=target or _ending(members[0], printed),
            chance=Fraction(len(members), len(entries)),
            clauses=tuple(dict.fromkeys(entry.clause for entry in members)),
            odds=odds,
        )
        for (then, target, odds), members in together.items()
    ]


def _ending(entry: Entry, printed: Mapping[str, str]) -> str:
    """An ending in words; a win shows its odds as the book prints them, if it prints exactly these."""
    if entry.then != "win":
        return entry.then
    words = printed.get(entry.line)
    if words is None or parse_odds(words) != entry.odds:
        words = f"{entry.odds.numerator} to {entry.odds.denominator}"
    return f"win {words}"


def printed_odds(game: Game) -> dict[str, str]:
    """The pay-table lines as the book prints them: `7.5 to 1`, where a fraction would read 15 to 2."""
    table = game.book.rules.pay_table
    lines = dict(table.lines)
    for choice in table.choices:
        lines.update(choice.options[game.choices[choice_id(choice)]])
    return lines


# Layers, from the top down. A state lies in the layer of its shortest path from a start. So an arrow either leads to
# the next layer, or returns to its own layer or one above. No arrow skips a layer.

Arrow = tuple[str, str]
Layers = list[list[str]]
Neighbours = defaultdict[str, list[str]]

SWEEPS = 4


def roots_of(starts: Sequence[str], arrows: Collection[Arrow]) -> list[str]:
    """The starts that cannot be reached from other starts; of starts that reach each other, the first."""
    reach = {start: {name for layer in layers_of([start], arrows) for name in layer} for start in starts}
    return [
        start
        for place, start in enumerate(starts)
        if not any(
            start in reach[other] and (other not in reach[start] or earlier < place)
            for earlier, other in enumerate(starts)
            if other != start
        )
    ]


def layers_of(roots: list[str], arrows: Collection[Arrow]) -> Layers:
    """The states by their distance from the roots."""
    _, following = _neighbours(arrows)
    layers: Layers = []
    found, layer = set(roots), list(roots)
    while layer:
        layers.append(layer)
        after = dict.fromkeys(target for source in layer for target in following[source])
        layer = [target for target in after if target not in found]
        found.update(layer)
    return layers


def forward_arrows(layers: Layers, arrows: Collection[Arrow]) -> list[Arrow]:
    """The arrows that lead to the next layer; all others return."""
    depth = {name: number for number, layer in enumerate(layers) for name in layer}
    return [(source, target) for source, target in arrows if depth[target] == depth[source] + 1]


def untangled(layers: Layers, forward: Collection[Arrow]) -> Layers:
    """Reorder the states within layers to reduce crossings, by barycentres; return the best order found."""
    before, after = _neighbours(forward)
    best = current = [list(layer) for layer in layers]
    fewest = crossings(best, forward)
    for _ in range(SWEEPS):
        for near, numbers in ((before, range(1, len(layers))), (after, range(len(layers) - 2, -1, -1))):
            current = [list(layer) for layer in current]
            for number in numbers:
                beside = current[number - 1 if near is before else number + 1]
                current[number].sort(key=_barycentre(beside, current[number], near))
            count = crossings(current, forward)
            if count < fewest:
                best, fewest = current, count
    return best


def _barycentre(beside: list[str], layer: list[str], near: Neighbours) -> Callable[[str], tuple[float, float]]:
    """A sort key: the mean position of a state's neighbours, relative to the layer's width; else its own position."""
    place = {name: (number + 0.5) / len(beside) for number, name in enumerate(beside)}
    own = {name: (number + 0.5) / len(layer) for number, name in enumerate(layer)}

    def key(name: str) -> tuple[float, float]:
        places = [place[other] for other in near[name]]
        return (sum(places) / len(places) if places else own[name], own[name])

    return key


def crossings(layers: Layers, forward: Collection[Arrow]) -> int:
    """The number of pairs of arrows between layers that cross."""
    place = {name: number for layer in layers for number, name in enumerate(layer)}
    depth = {name: number for number, layer in enumerate(layers) for name in layer}
    spans = [(depth[source], place[source], place[target]) for source, target in forward]
    return sum(
        one[0] == other[0] and (one[1] - other[1]) * (one[2] - other[2]) < 0
        for number, one in enumerate(spans)
        for other in spans[number + 1 :]
    )


def spread(wanted: Sequence[float], apart: Sequence[int]) -> list[int]:
    """Positions in the same order, as close as possible to those wanted, at least `apart[i]` from the previous one.

    `apart[0]` is ignored.
    """
    offsets = [total - apart[0] for total in accumulate(apart)]
    blocks: list[tuple[float, int]] = []  # the mean of the positions wanted, less their offsets, and how many share it
    for place, offset in zip(wanted, offsets, strict=True):
        mean, count = place - offset, 1
        while blocks and blocks[-1][0] > mean:
            other, others = blocks.pop()
            mean, count = (mean * count + other * others) / (count + others), count + others
        blocks.append((mean, count))
    means = [round(mean) for mean, count in blocks for _ in range(count)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]


def centres(layers: Layers, arrows: Collection[Arrow], widths: Mapping[str, int], gap: int) -> dict[str, int]:
    """The horizontal centre of each state: aligned with its neighbours above and below, and without overlap."""
    before, after = _neighbours(forward_arrows(layers, arrows))
    entries = Counter(target for _, target in arrows)
    sole = Neighbours(list)
    sole |= {name: [other for other in near if entries[other] == 1] or near for name, near in after.items()}
    middles: dict[str, int] = {}
    for layer in layers:
        _place(layer, before, middles, widths, gap)
    for _ in range(SWEEPS):
        for layer in layers[1:]:
            _place(layer, before, middles, widths, gap)
        for layer in reversed(layers[:-1]):
            _place(layer, sole, middles, widths, gap)
    return middles


def _place(layer: list[str], near: Neighbours, middles: dict[str, int], widths: Mapping[str, int], gap: int) -> None:
    wanted = [fmean([middles[other] for other in near[name]] or [middles.get(name, 0)]) for name in layer]
    apart = [(widths[one] + widths[two]) // 2 + gap for one, two in pairwise([layer[0], *layer])]
    middles.update(zip(layer, spread(wanted, apart), strict=True))


def _neighbours(arrows: Collection[Arrow]) -> tuple[Neighbours, Neighbours]:
    """The states before and after each state."""
    before, after = Neighbours(list), Neighbours(list)
    for source, target in arrows:
        before[target].append(source)
        after[source].append(target)
    return before, after


# Routing: the box of each state and the line of each arrow. Knows sizes, not content. Arrows leave a box at its lower
# edge. Those to the next layer enter from above. Those that return run below their layer to a vertical lane between
# boxes, up the lane, and enter from the side; all returns to one state share a lane. Arrows for which there is no lane
# are left to the caller, to describe in words.

GAP = 48  # between two boxes, including a loop beside the left one
LOOP = 26  # width of a loop at the right of a box
CLEAR = 12  # between a lane and a box
LANE = 16  # between two lanes
LANES = 4  # more lanes than this become a tangle
LABEL = 30  # below a box, for the figures on its arrows
TRACK = 12  # between two horizontal lines below a layer
STRAIGHT, SLOPE, STEEPEST = 20, 7, 90  # distance between layers: larger, the further an arrow goes sideways
CORNER, ENTRIES = 16, 18  # where arrows enter a box from above: away from its corners, and their spacing
ENTRY, NEXT_ENTRY = 14, 8  # where arrows enter a box at the side: how far down, and their spacing

Point = tuple[int, int]


class Box(msgspec.Struct, frozen=True):
    """The box of a state."""

    left: int
    top: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """The lower edge."""
        return self.top + self.height


class Lane(msgspec.Struct, frozen=True):
    """The vertical lane up to a state from below: its position, and on which side and how far down it enters."""

    x: int
    from_left: bool
    entry: int


class Route(msgspec.Struct, frozen=True):
    """The line of an arrow: its corners from the source; a line to the next layer curves into its last point."""

    points: tuple[Point, ...]
    returns: bool


class Layout(msgspec.Struct, frozen=True):
    """The complete layout. `lost` holds the arrows for which no line was found."""

    boxes: dict[str, Box]
    routes: dict[Arrow, Route]
    left: int
    right: int
    height: int
    lost: frozenset[Arrow]


class Plan:
    """Computes a layout: first horizontal positions, then the height that the lines need, then the lines."""

    def __init__(
        self, starts: Sequence[str], arrows: Sequence[Arrow], sizes: Mapping[str, tuple[int, int]], pitch: int
    ) -> None:
        """`sizes`: width and height of every state; `pitch`: the spacing at which arrows leave a box."""
        self.sizes = sizes
        self.pitch = pitch
        layers = layers_of(roots_of(starts, arrows), arrows)
        self.forward = dict.fromkeys(forward_arrows(layers, arrows))  # an ordered set
        self.returning = [arrow for arrow in arrows if arrow not in self.forward]
        self.layers: Layers = untangled(layers, self.forward)
        self.depth = {name: number for number, layer in enumerate(self.layers) for name in layer}
        busy = min(LANES, len({target for _, target in self.returning}))
        widths = {name: width for name, (width, _) in sizes.items()}
        self.middles = centres(self.layers, arrows, widths, GAP + LANE * busy)
        self.lanes = self._find_lanes()
        self.drawn = [arrow for arrow in arrows if arrow in self.forward or arrow[1] in self.lanes]
        self.ports = self._find_ports()
        self.entries = self._find_entries()

    def layout(self) -> Layout:
        """The boxes and lines."""
        boxes = self._boxes()
        routes = {arrow: self._route(arrow, boxes) for arrow in self.drawn}
        lanes = [lane.x for lane in self.lanes.values()]
        return Layout(
            boxes=boxes,
            routes=routes,
            left=min([*(box.left for box in boxes.values()), *lanes]),
            right=max([*(box.right + LOOP for box in boxes.values()), *lanes]),
            height=max([*(box.bottom for box in boxes.values()), *(y for r in routes.values() for _, y in r.points)]),
            lost=frozenset(arrow for arrow in self.returning if arrow[1] not in self.lanes),
        )

    def _edges(self, name: str) -> tuple[int, int]:
        half = self.sizes[name][0] // 2
        return self.middles[name] - half, self.middles[name] + half

    # Lanes for returning arrows

    def _find_lanes(self) -> dict[str, Lane]:
        sources, _ = _neighbours(self.returning)
        lanes: dict[str, Lane] = {}
        for target in list(sources)[:LANES]:
            lane = self._lane(target, sources[target], lanes.values())
            if lane is not None:
                lanes[target] = lane
        return lanes

    def _lane(self, target: str, sources: list[str], taken: Collection[Lane]) -> Lane | None:
        """The box-free lane beside the target that crosses the fewest arrows, preferably on the side of the sources."""
        aside = sum(self.middles[source] - self.middles[target] for source in sources)
        layers = range(self.depth[target], max(self.depth[source] for source in sources) + 1)
        free = [
            (self._crossed(x, layers), x, from_left)
            for from_left in ((True, False) if aside <= 0 else (False, True))
            for x in self._candidates(target, from_left)
            if self._is_free(x, layers) and all(abs(x - lane.x) >= LANE for lane in taken)
        ]
        if not free:
            return None
        _, x, from_left = min(free, key=lambda found: found[0])
        return Lane(x, from_left, ENTRY + NEXT_ENTRY * len(taken))

    def _candidates(self, target: str, from_left: bool) -> list[int]:
        """Positions beside a state up to its neighbour, best first: the middle, or close by on the outside."""
        layer = self.layers[self.depth[target]]
        place = layer.index(target)
        left, right = self._edges(target)
        if from_left:
            inner, step = left - CLEAR, -1
            outer = self._edges(layer[place - 1])[1] + LOOP if place else None
        else:
            inner, step = right + LOOP, 1
            outer = self._edges(layer[place + 1])[0] - CLEAR if place + 1 < len(layer) else None
        if outer is not None:
            middle = (inner + outer) // 2
            return sorted(range(min(inner, outer), max(inner, outer) + 1), key=lambda x: (abs(x - middle), x * -step))
        furthest = max(abs(edge - inner) for name in self.sizes for edge in self._edges(name)) + LOOP + LANE * LANES
        return list(range(inner + step * CLEAR, inner + step * furthest, step))

    def _is_free(self, x: int, layers: range) -> bool:
        """Whether no box of these layers is in the way."""
        spans = [self._edges(name) for number in layers for name in self.layers[number]]
        return not any(left - CLEAR < x < right + LOOP for left, right in spans)

    def _crossed(self, x: int, layers: range) -> int:
        """The approximate number of arrows between these layers that a lane would cross."""
        ends = [(self.middles[a], self.middles[b]) for a, b in self.forward if self.depth[a] in layers[:-1]]
        return sum(min(pair) < x < max(pair) for pair in ends)

    # Where lines leave and enter boxes

    def _find_ports(self) -> dict[Arrow, int]:
        """Where each arrow leaves its box, ordered by target so that arrows need not cross."""
        ports: dict[Arrow, int] = {}
        for name, middle in self.middles.items():
            leaving = sorted((arrow for arrow in self.drawn if arrow[0] == name), key=self._goal)
            first = middle - self.pitch * (len(leaving) - 1) // 2
            ports.update({arrow: first + self.pitch * number for number, arrow in enumerate(leaving)})
        return ports

    def _goal(self, arrow: Arrow) -> int:
        return self.middles[arrow[1]] if arrow in self.forward else self.lanes[arrow[1]].x

    def _find_entries(self) -> dict[Arrow, int]:
        """Where each arrow to the next layer enters its box, ordered from left to right by origin."""
        entries: dict[Arrow, int] = {}
        for name in self.middles:
            entering = sorted((arrow for arrow in self.forward if arrow[1] == name), key=self.ports.__getitem__)
            entries.update(zip(entering, self._entries(name, entering), strict=True))
        return entries

    def _entries(self, name: str, entering: list[Arrow]) -> list[int]:
        """Directly below where an arrow left if possible, else in the middle; evenly spaced if that is too narrow."""
        middle, (left, right) = self.middles[name], self._edges(name)
        first, last = left + CORNER, right - CORNER
        ports = [self.ports[arrow] for arrow in entering]
        apart = min(ENTRIES, (last - first) // max(1, len(entering) - 1))
        places = spread([port if first <= port <= last else middle for port in ports], [apart] * len(ports))
        if places and not first <= places[0] <= places[-1] <= last:
            return spread([middle] * len(ports), [apart] * len(ports))
        return places

    # Vertical positions

    def _tracks(self, layer: list[str]) -> list[str]:
        """The states that arrows of a layer return to: one horizontal line below the layer for each."""
        return list(dict.fromkeys(a[1] for a in self.drawn if a[0] in layer and a not in self.forward))

    def _boxes(self) -> dict[str, Box]:
        boxes: dict[str, Box] = {}
        top = 0
        for layer in self.layers:
            for name in layer:
                width, height = self.sizes[name]
                boxes[name] = Box(self.middles[name] - width // 2, top, width, height)
            aside = [abs(self.entries[a] - self.ports[a]) for a in self.forward if a[0] in layer]
            room = STRAIGHT + min(STEEPEST, max(aside, default=0) // SLOPE)
            top = max(boxes[name].bottom for name in layer) + LABEL + TRACK * len(self._tracks(layer)) + room
        return boxes

    def _route(self, arrow: Arrow, boxes: Mapping[str, Box]) -> Route:
        source, target = arrow
        layer = self.layers[self.depth[source]]
        x, y = self.ports[arrow], boxes[source].bottom
        below = max(boxes[name].bottom for name in layer) + LABEL
        tracks = self._tracks(layer)
        box = boxes[target]
        if arrow in self.forward:
            return Route(((x, y), (x, below + TRACK * len(tracks)), (self.entries[arrow], box.top)), False)
        lane = self.lanes[target]
        track = below + TRACK * (tracks.index(target) + 1) - TRACK // 3
        side = box.left if lane.from_left else box.right
        entry = box.top + lane.entry
        return Route(((x, y), (x, track), (lane.x, track), (lane.x, entry), (side, entry)), True)
