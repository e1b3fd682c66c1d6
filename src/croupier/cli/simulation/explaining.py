"""One strategy explained for a book: its rules in sentences, and what can be reckoned of it without playing it."""

from __future__ import annotations

from typing import NamedTuple

from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.cli.planning import throws_word
from croupier.cli.simulation.quantities import counted, dollars, edge
from croupier.cli.simulation.strategy_words import Wording
from croupier.money import format_cents
from croupier.rules.game import Game
from croupier.sim.exact import exact_session
from croupier.sim.kernels.engine import Engine
from croupier.sim.kernels.program import Program
from croupier.sim.reading.files import needs_bankroll
from croupier.sim.strategy import Bet, Spot, Strategy
from croupier.table.commands import Settings

SOME_MONEY = 100_000  # a bankroll for a strategy that needs one and names none: how it is played does not depend on it
EVENING = 144  # throws of the session that is reckoned exactly


class WagerEdge(NamedTuple):
    """A wager of a strategy, and what a dollar on it brings: from the worst start to the best."""

    spot: Spot
    low: float
    high: float


class Explained:
    """A strategy explained for a book: in sentences, and in what can be reckoned without playing it."""

    def __init__(self, asked: str, books: list[str], game: Game, strategy: Strategy) -> None:
        self.asked = asked
        self.books = books
        self.game = game
        self.strategy = strategy
        self.words = Wording(game, strategy)
        self.program = Program(game, Settings(), strategy)
        bankroll = strategy.bankroll if strategy.bankroll is not None or not self.program.asks_for_chips else SOME_MONEY
        self.engine = Engine(self.program, EVENING, bankroll)
        self.exact = exact_session(self.engine)

    def edges(self) -> list[WagerEdge]:
        """The exact edge of every wager that is bet."""
        felt, spots = self.program.felt, [rule.spot for rule in self.strategy.rules if isinstance(rule, Bet)]
        found = []
        for spot in dict.fromkeys(Spot(spot.wager, felt.own_pick(spot)) for spot in spots):
            starts = felt.machine(spot).starts
            worth = [float(self.program.worth[felt.row[spot.wager, spot.pick, state]]) for state in starts]
            found.append(WagerEdge(spot, min(worth), max(worth)))
        return found

    @property
    def kernel(self) -> str:
        """What plays it, and why."""
        if self.engine.machine is not None:
            return f"a machine with {counted(len(self.engine.machine.states), 'state')}: one look-up for each throw"
        why = "what it does depends on money" if self.program.asks_for_money else "it has too many states for a machine"
        return f"the general kernel, because {why}"

    def plain(self) -> dict[str, object]:
        """For other programs."""
        strategy, machine, exact = self.strategy, self.engine.machine, self.exact
        session = (
            None if exact is None else {"rolls": EVENING, "net": exact.mean / 100, "net_sd": exact.deviation / 100}
        )
        return {
            "strategy": self.asked,
            "name": strategy.name,
            "about": strategy.about,
            "books": self.books,
            "book": self.game.book.id,
            "unit": format_cents(strategy.unit),
            "bankroll": None if strategy.bankroll is None else format_cents(strategy.bankroll),
            "needs_bankroll": needs_bankroll(strategy),
            "rules": [{"rule": number, "says": says} for number, says in self.words.rules()],
            "progressions": [{"name": name, "says": says} for name, says in self.words.progressions()],
            "end": self.words.end(),
            "kernel": "general" if machine is None else "machine",
            "states": 0 if machine is None else len(machine.states),
            "wagers": [{**each.spot._asdict(), "exact_edge": [each.low, each.high]} for each in self.edges()],
            "session": session,
        }

    def show(self, console: Console) -> None:
        """For people."""
        strategy = self.strategy
        console.print(Text.assemble((strategy.name, "bold"), f" ({self.asked})"))
        several = f", explained for {self.game.book.id}" if len(self.books) > 1 else ""
        head = [", ".join(self.books) + several, f"a unit is {format_cents(strategy.unit)}"]
        head += [] if strategy.bankroll is None else [f"bankroll {format_cents(strategy.bankroll)}"]
        console.print(Text("; ".join(head), "dim"))
        console.print()
        console.print(Text(strategy.about))
        console.print()
        self._table(console, [(str(number), says) for number, says in self.words.rules()])
        progressions = list(self.words.progressions())
        if progressions:
            console.print()
            self._table(console, progressions)
        if (end := self.words.end()) is not None:
            console.print()
            console.print(Text(end))
        console.print()
        self._table(console, self._figures())

    def _figures(self) -> list[tuple[str, str]]:
        rows = [("house edge", self._edges())]
        if self.exact is not None:
            throws, mean = f"{EVENING} {throws_word(self.game)}", dollars(self.exact.mean / 100)
            rows.append(
                ("exactly", f"{mean} after {throws}, with a deviation of {dollars(self.exact.deviation / 100)}")
            )
        reason = needs_bankroll(self.strategy)
        rows += [("bankroll", f"needed, because {reason}")] if reason is not None else []
        return [*rows, ("played by", self.kernel)]

    def _edges(self) -> str:
        """Each wager with its edge, picks with the same edge together."""
        together: dict[tuple[str, str], list[Spot]] = {}
        for spot, low, high in self.edges():
            costs = edge(high) + (f" to {edge(low)}" if low != high else "")
            together.setdefault((spot.wager, costs), []).append(spot)
        return ", ".join(f"{self.words.spots(spots)} {costs}" for (_, costs), spots in together.items())

    def _table(self, console: Console, rows: list[tuple[str, str]]) -> None:
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True, style="dim")
        for name, value in rows:
            table.add_row(Text(name), Text(value))
        console.print(table)
