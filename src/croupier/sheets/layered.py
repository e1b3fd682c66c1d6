"""Places the states of a graph in layers, from the top down.

A state lies in the layer of its shortest way from a start. So an arrow either leads to the very next layer, or it
returns: to its own layer or to one above. No arrow skips a layer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from statistics import fmean

Arrow = tuple[str, str]
Layers = list[list[str]]

SWEEPS = 4


def roots_of(starts: Sequence[str], arrows: Collection[Arrow]) -> list[str]:
    """The starts that no other start leads to; of starts that lead to each other, the first."""
    reach = {start: _reached([start], arrows) for start in starts}
    return [
        start
        for place, start in enumerate(starts)
        if not any(
            start in reach[other] and (other not in reach[start] or earlier < place)
            for earlier, other in enumerate(starts)
            if other != start
        )
    ]


def _reached(first: Iterable[str], arrows: Collection[Arrow]) -> list[str]:
    return [name for layer in layers_of(list(first), arrows) for name in layer]


def layers_of(roots: list[str], arrows: Collection[Arrow]) -> Layers:
    """The states by their distance from the roots."""
    following: dict[str, list[str]] = {}
    for source, target in arrows:
        following.setdefault(source, []).append(target)
    layers: Layers = []
    found = set(roots)
    layer = list(roots)
    while layer:
        layers.append(layer)
        after = dict.fromkeys(target for source in layer for target in following.get(source, []))
        layer = [target for target in after if target not in found]
        found.update(layer)
    return layers


def forward_arrows(layers: Layers, arrows: Collection[Arrow]) -> list[Arrow]:
    """The arrows that lead to the next layer; all others return."""
    depth = {name: number for number, layer in enumerate(layers) for name in layer}
    return [(source, target) for source, target in arrows if depth[target] == depth[source] + 1]


def untangled(layers: Layers, forward: Collection[Arrow]) -> Layers:
    """The layers with their states in an order that has the fewest crossings found, by barycentres."""
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


def _barycentre(
    beside: list[str], layer: list[str], near: Mapping[str, list[str]]
) -> Callable[[str], tuple[float, int]]:
    """Where the neighbours of a state lie on average, in shares of the layer's width; without any, where it is."""
    place = {name: (number + 0.5) / len(beside) for number, name in enumerate(beside)}
    own = {name: (number + 0.5) / len(layer) for number, name in enumerate(layer)}

    def key(name: str) -> tuple[float, int]:
        places = [place[other] for other in near.get(name, [])]
        return (sum(places) / len(places) if places else own[name], layer_place[name])

    layer_place = {name: number for number, name in enumerate(layer)}
    return key


def crossings(layers: Layers, forward: Collection[Arrow]) -> int:
    """How many pairs of arrows between layers cross each other."""
    place = {name: number for layer in layers for number, name in enumerate(layer)}
    depth = {name: number for number, layer in enumerate(layers) for name in layer}
    spans = [(depth[source], place[source], place[target]) for source, target in forward]
    return sum(
        one[0] == other[0] and (one[1] - other[1]) * (one[2] - other[2]) < 0
        for number, one in enumerate(spans)
        for other in spans[number + 1 :]
    )


def spread(wanted: Sequence[float], apart: Sequence[int]) -> list[int]:
    """Places in the same order, as near as can be to those wanted. `apart[i]`: how far place i is from the one before.

    The first has none before it; its distance counts for nothing.
    """
    offsets = [total - apart[0] for total in accumulate(apart)]
    blocks: list[tuple[float, int]] = []  # the mean of the places wanted, less their offsets, and how many share it
    for place, offset in zip(wanted, offsets, strict=True):
        mean, count = place - offset, 1
        while blocks and blocks[-1][0] > mean:
            other, others = blocks.pop()
            mean, count = (mean * count + other * others) / (count + others), count + others
        blocks.append((mean, count))
    means = [round(mean) for mean, count in blocks for _ in range(count)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]


def centres(layers: Layers, arrows: Collection[Arrow], widths: Mapping[str, int], gap: int) -> dict[str, int]:
    """The middle of each state from left to right: above and below those it belongs with, and never touching."""
    before, after = _neighbours(forward_arrows(layers, arrows))
    entries = _count(target for _, target in arrows)
    sole = {name: [other for other in near if entries[other] == 1] or near for name, near in after.items()}
    middles: dict[str, int] = {}
    for layer in layers:
        _place(layer, before, middles, widths, gap)
    for _ in range(SWEEPS):
        for layer in layers[1:]:
            _place(layer, before, middles, widths, gap)
        for layer in reversed(layers[:-1]):
            _place(layer, sole, middles, widths, gap)
    return middles


def _place(
    layer: list[str], near: Mapping[str, list[str]], middles: dict[str, int], widths: Mapping[str, int], gap: int
) -> None:
    wanted = [fmean([middles[o] for o in near.get(name, [])] or [middles.get(name, 0)]) for name in layer]
    apart = [(widths[one] + widths[two]) // 2 + gap for one, two in pairwise([layer[0], *layer])]
    middles.update(zip(layer, spread(wanted, apart), strict=True))


def _neighbours(forward: Collection[Arrow]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    before: dict[str, list[str]] = {}
    after: dict[str, list[str]] = {}
    for source, target in forward:
        before.setdefault(target, []).append(source)
        after.setdefault(source, []).append(target)
    return before, after


def _count(names: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return counts
