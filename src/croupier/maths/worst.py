"""The largest loss on one throw under the limits of a table, over every moment that the table can come to.

Every seat holds all that then wins, at its maximum, and nothing that loses. Wagers that sleep may be called On.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from croupier.money import round_down_to_chip, winnings_cents
from croupier.rules import offers, schema
from croupier.rules.book import Book
from croupier.rules.game import Game
from croupier.rules.machine import Machine, Pick
from croupier.rules.outcomes import Face

Phases = dict[str, str]


class Sign(msgspec.Struct, frozen=True):
    """What limits the loss: the smallest chip and the largest stake in cents, how many can play, and fixed amounts.

    `fixed_stakes` are the amounts of wagers that have just one, by option; where none is given, the book's default.
    """

    chip: int
    maximum: int
    seats: int
    fixed_stakes: dict[str, int] = {}


class Worst(NamedTuple):
    """The largest loss in cents, what falls, and what the table remembers when it does."""

    cents: int
    faces: tuple[Face, ...]
    phases: Phases


def worst_throw(game: Game, sign: Sign) -> Worst:
    """The largest loss on one throw, over all that the table can remember."""
    losses: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    worst = Worst(-1, (), {})
    for phases in reachable_phases(game.book):
        rows = []
        for wager in game.book.rules.wagers:
            key = (wager.id, tuple(phases[phase] for phase in _asked(game.book, wager)))
            if key not in losses:
                losses[key] = _losses(game, sign, wager, phases)
            rows.append(losses[key])
        together = [sum(column) for column in zip(*rows, strict=True)]
        most = max(together)
        if most > worst.cents:
            worst = Worst(most, game.book.outcomes.all[together.index(most)], phases)
    return worst


def reachable_phases(book: Book) -> list[Phases]:
    """All that the table can remember, from the opening on."""
    found = [{phase.id: phase.start for phase in book.rules.phases}]
    seen = {tuple(found[0].values())}
    for phases in found:
        rows = [book.phase_machines[phase].table[state] for phase, state in phases.items()]
        for entries in zip(*rows, strict=True):
            after = {p: entry.next or phases[p] for p, entry in zip(phases, entries, strict=True)}
            if tuple(after.values()) not in seen:
                seen.add(tuple(after.values()))
                found.append(after)
    return found


def _asked(book: Book, wager: schema.Wager) -> list[str]:
    """The phases on which it depends what a wager can win."""
    asked: dict[str, None] = {}
    for pick in book.picks(wager):
        asked.update(dict.fromkeys(offers.phases_of(wager, pick)))
    return list(asked)


def _losses(game: Game, sign: Sign, wager: schema.Wager, phases: Phases) -> list[int]:
    """What a wager costs on each outcome when it lies everywhere at its maximum, and only its winning part counts.

    A wager that travels may stand in all its states at once, another in one of them; what only one player may hold lies
    on one pick.
    """
    by_pick: list[list[int]] = []
    for pick in game.book.picks(wager):
        machine = game.machine(wager.id, pick)
        by_state = [_wins(game, sign, wager, machine, state) for state in offers.states_now(wager, machine, phases)]
        if by_state:
            columns = zip(*by_state, strict=True)
            by_pick.append([sum(column) if wager.can_move else max(column) for column in columns])
    if not by_pick:
        return [0] * len(game.book.outcomes)
    columns = zip(*by_pick, strict=True)
    return [max(column) if wager.has_one_holder else sign.seats * sum(column) for column in columns]


def _wins(game: Game, sign: Sign, wager: schema.Wager, machine: Machine, state: str) -> list[int]:
    stake = largest_stake(game, sign, wager, machine.pick, state)
    entries = machine.table[state]
    return [winnings_cents(stake, entry.odds, sign.chip) if entry.then == "win" else 0 for entry in entries]


def largest_stake(game: Game, sign: Sign, wager: schema.Wager, pick: Pick, state: str) -> int:
    """The most that the sign lets one player stake, in the units of the wager."""
    most = round_down_to_chip(sign.maximum, sign.chip)
    return offers.largest_stake(game, wager, pick, state, sign, most, most) or 0
