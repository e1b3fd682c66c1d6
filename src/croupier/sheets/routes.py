"""Lays a graph out: the box of each state and the line of each arrow between them. Knows sizes, not what they show.

Arrows leave a box at its lower edge. Those to the next layer enter it from above. Those that return run below their
layer to a lane between the boxes, up the lane, and enter from the side; all that return to one state share a lane.
An arrow for which there is no lane is left to the caller, to be told in words.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec

from croupier.sheets.layered import (
    Arrow,
    Layers,
    centres,
    forward_arrows,
    layers_of,
    roots_of,
    spread,
    untangled,
)

GAP = 48  # between two boxes, a loop beside the left one included
LOOP = 26  # what a loop takes up at the right of a box
CLEAR = 12  # from a lane to a box
LANE = 16  # from a lane to the next
LANES = 4  # more lanes than these are a tangle
LABEL = 30  # below a box, for the figures on its arrows
TRACK = 12  # from a line below a layer to the next
STRAIGHT, SLOPE, STEEPEST = 20, 7, 90  # how far layers are apart: more, the further an arrow goes aside
CORNER, ENTRIES, ENTRY, NEXT_ENTRY = (
    16,
    18,
    14,
    8,
)  # where arrows enter a box: off its corners, apart above, apart at the side

Point = tuple[int, int]


class Box(msgspec.Struct, frozen=True):
    """Where a state is drawn."""

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
    """The way up to a state from below: where it runs, and at which side and how far down it enters."""

    x: int
    from_left: bool
    entry: int


class Route(msgspec.Struct, frozen=True):
    """The line of an arrow: its corners from the source on; a line to the next layer bends smoothly at its last."""

    points: tuple[Point, ...]
    returns: bool


class Layout(msgspec.Struct, frozen=True):
    """Everything in its place. `lost` are the arrows that no line was found for."""

    boxes: dict[str, Box]
    routes: dict[Arrow, Route]
    left: int
    right: int
    height: int
    lost: frozenset[Arrow]


class Plan:
    """Works a layout out: first from left to right, then the height that the lines need, then the lines."""

    def __init__(
        self, starts: Sequence[str], arrows: Sequence[Arrow], sizes: Mapping[str, tuple[int, int]], pitch: int
    ) -> None:
        """`sizes`: width and height of every state; `pitch`: how far apart arrows must leave a box."""
        self.sizes = sizes
        self.pitch = pitch
        layers = layers_of(roots_of(starts, arrows), arrows)
        self.forward = dict.fromkeys(forward_arrows(layers, arrows))  # a set that keeps its order
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

    # -- lanes for what returns

    def _find_lanes(self) -> dict[str, Lane]:
        sources: dict[str, list[str]] = {}
        for source, target in self.returning:
            sources.setdefault(target, []).append(source)
        lanes: dict[str, Lane] = {}
        for target in list(sources)[:LANES]:
            lane = self._lane(target, sources[target], lanes.values())
            if lane is not None:
                lanes[target] = lane
        return lanes

    def _lane(self, target: str, sources: list[str], taken: Collection[Lane]) -> Lane | None:
        """A way up beside the target that no box stands in: where it crosses the fewest arrows, then where they lie."""
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
        """Places beside a state up to its neighbour, the best first: in the middle, or at the outside close by."""
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
        """Whether no box of these layers stands in the way."""
        spans = [self._edges(name) for number in layers for name in self.layers[number]]
        return not any(left - CLEAR < x < right + LOOP for left, right in spans)

    def _crossed(self, x: int, layers: range) -> int:
        """About how many arrows between these layers a lane would cross; arrows to either side do not count."""
        ends = [(self.middles[a], self.middles[b]) for a, b in self.forward if self.depth[a] in layers[:-1]]
        return sum(min(pair) < x < max(pair) for pair in ends)

    # -- where lines leave and enter boxes

    def _find_ports(self) -> dict[Arrow, int]:
        """Where each arrow leaves its box, in the order of where they go, so that they need not cross."""
        ports: dict[Arrow, int] = {}
        for name, middle in self.middles.items():
            leaving = sorted((arrow for arrow in self.drawn if arrow[0] == name), key=self._goal)
            first = middle - self.pitch * (len(leaving) - 1) // 2
            ports.update({arrow: first + self.pitch * number for number, arrow in enumerate(leaving)})
        return ports

    def _goal(self, arrow: Arrow) -> int:
        return self.middles[arrow[1]] if arrow in self.forward else self.lanes[arrow[1]].x

    def _find_entries(self) -> dict[Arrow, int]:
        """Where each arrow to the next layer enters a box, from left to right as they come."""
        entries: dict[Arrow, int] = {}
        for name in self.middles:
            entering = sorted((arrow for arrow in self.forward if arrow[1] == name), key=self.ports.__getitem__)
            entries.update(zip(entering, self._entries(name, entering), strict=True))
        return entries

    def _entries(self, name: str, entering: list[Arrow]) -> list[int]:
        """Straight below where an arrow left if it can, else in the middle; side by side where that is too narrow."""
        middle, (left, right) = self.middles[name], self._edges(name)
        first, last = left + CORNER, right - CORNER
        ports = [self.ports[arrow] for arrow in entering]
        apart = min(ENTRIES, (last - first) // max(1, len(entering) - 1))
        places = spread([port if first <= port <= last else middle for port in ports], [apart] * len(ports))
        if places and not first <= places[0] <= places[-1] <= last:
            return spread([middle] * len(ports), [apart] * len(ports))
        return places

    # -- from top to bottom

    def _tracks(self, layer: list[str]) -> list[str]:
        """The states that something in a layer returns to: a line below the layer for each."""
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
