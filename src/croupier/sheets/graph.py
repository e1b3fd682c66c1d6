"""A machine as a graph: its states, and an edge with its exact probability for each thing that can come of a throw."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from croupier.rules.game import Game, choice_id
from croupier.rules.machine import Entry, Machine, Then
from croupier.rules.odds import parse_odds

_ORDER: tuple[Then, ...] = ("win", "lose", "void", "stay", "go")


class Edge(msgspec.Struct, frozen=True):
    """What can come of one throw in a state: an ending, staying there, or a move to another state.

    `to` is a state, or an ending as people call it: "win 6 to 5", "lose", "void".
    """

    then: Then
    to: str
    chance: Fraction
    clauses: tuple[str, ...]
    odds: Fraction = Fraction(0)


class Node(msgspec.Struct, frozen=True):
    """A state. The chances of its edges add up to 1."""

    name: str
    start: bool
    edges: tuple[Edge, ...]

    @property
    def moves(self) -> tuple[Edge, ...]:
        """The edges that lead to other states."""
        return tuple(edge for edge in self.edges if edge.then == "go")


def graph_of(machine: Machine, printed: Mapping[str, str] | None = None) -> list[Node]:
    """Every state that can be reached, in the order of the book. `printed`: odds as the book prints them, by line."""
    reached = set(machine.reachable(machine.starts))
    place = {state: number for number, state in enumerate(machine.table)}
    nodes = []
    for state, entries in machine.table.items():
        if state in reached:
            edges = sorted(_edges(state, entries, printed or {}), key=lambda edge: _rank(edge, place))
            nodes.append(Node(state, state in machine.starts, tuple(edges)))
    return nodes


def _rank(edge: Edge, place: Mapping[str, int]) -> tuple[int, Fraction, int]:
    """Wins first, the highest on top; moves last, in the order of the book."""
    return _ORDER.index(edge.then), -edge.odds, place.get(edge.to, 0)


def _edges(state: str, entries: tuple[Entry, ...], printed: Mapping[str, str]) -> list[Edge]:
    """Outcomes with the same effect together."""
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
    """An ending as people call it; a win with its odds as the book prints them, where it prints just these."""
    if entry.then != "win":
        return entry.then
    words = printed.get(entry.line)
    if words is None or parse_odds(words) != entry.odds:
        words = f"{entry.odds.numerator} to {entry.odds.denominator}"
    return f"win {words}"


def printed_odds(game: Game) -> dict[str, str]:
    """The lines of the pay table in the book's own print: `7.5 to 1`, where a fraction would read 15 to 2."""
    table = game.book.rules.pay_table
    lines = dict(table.lines)
    for choice in table.choices:
        lines.update(choice.options[game.choices[choice_id(choice)]])
    return lines
