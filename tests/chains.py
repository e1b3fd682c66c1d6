"""The expectation of a compiled machine, as an exact fraction: a small absorbing chain solved by elimination."""

from __future__ import annotations

from fractions import Fraction

from croupier.rules.machine import Machine


def expectation(machine: Machine, start: str) -> Fraction:
    """The net result per unit staked of a wager that begins in a state and is played until it is decided."""
    states = machine.reachable([start])
    place = {state: i for i, state in enumerate(states)}
    rows: list[list[Fraction]] = []
    for state in states:
        entries = machine.table[state]
        share = Fraction(1, len(entries))
        row = [Fraction(0)] * (len(states) + 1)
        row[place[state]] += 1
        for entry in entries:
            if entry.then == "win":
                row[-1] += share * entry.odds
            elif entry.then == "lose":
                row[-1] -= share
            elif entry.then in ("go", "stay"):
                row[place[entry.next if entry.then == "go" else state]] -= share
        rows.append(row)
    return _solve(rows)[place[start]]


def _solve(rows: list[list[Fraction]]) -> list[Fraction]:
    size = len(rows)
    for column in range(size):
        pivot = next(i for i in range(column, size) if rows[i][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        head = rows[column][column]
        rows[column] = [value / head for value in rows[column]]
        for i in range(size):
            if i != column and rows[i][column]:
                factor = rows[i][column]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[column], strict=True)]
    return [row[-1] for row in rows]
