"""`croupier simulate --trace`: one session roll by roll, played at a real table, with the table's own event texts."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any

import msgspec
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from croupier.cli.simulation.options import count, read_plan
from croupier.cli.simulation.summary import ENDS, spot_name
from croupier.cli.wager_plans import throws_word
from croupier.execution.simulation_plan import SimulationPlan
from croupier.felt.past_results import is_marker
from croupier.money import format_cents
from croupier.rules.errors import Impossible
from croupier.rules.game import Game, read_pay_table
from croupier.rules.shelf import Shelf
from croupier.simulation.kernels.dice import Throws, throws
from croupier.simulation.kernels.engine import MOST_SESSIONS
from croupier.simulation.reference.player import Refused, Session, Turn
from croupier.simulation.strategy import Spot
from croupier.table.event_views import event_rows
from croupier.table.events import AnyEvent

Row = dict[str, Any]  # a turn, an event, a refusal or a wager as plain values
STYLES = {"win": "bold green", "lose": "red", "void": "cyan", "refused": "yellow"}


class Traced:
    """One session in progress, turn by turn in plain values."""

    def __init__(self, shelf: Shelf, plan: SimulationPlan, dice: Throws) -> None:
        self.plan = plan
        self.dice = dice
        asked = plan.strategies[0]
        self.strategy, self.bankroll = asked.strategy, plan.bankroll_of(asked)
        terms = shelf.terms(plan.book, read_pay_table(plan.pay_table))
        self.session = Session(shelf, terms, plan.settings, asked.strategy, self.bankroll)

    @property
    def game(self) -> Game:
        """The book with its odds settled."""
        return self.session.hand.game

    def turns(self) -> Iterator[Row]:
        """Yield what happened before the first throw, then the effects of each throw."""
        for turn in self.session.play(self.dice.tolist()):
            yield self._told(turn)

    def _told(self, turn: Turn) -> Row:
        events = [row for each in turn.happened for row in self._rows(each)]
        last = turn.number == len(self.dice)
        return {
            "roll": turn.number,
            "events": [row for row in events if row["type"] not in ("table_opened", "player_seated")],
            "chips": None if self.bankroll is None else format_cents(turn.chips),
            "wagers": [{**spot._asdict(), "amount": format_cents(stake)} for spot, stake in turn.standing.items()],
            "net": format_cents(turn.net),
            "ended": self.session.ended or ("rolls" if last else None),
        }

    def _rows(self, each: AnyEvent | Refused) -> Iterable[Row]:
        """Return the table's events, or the refusal."""
        if isinstance(each, Refused):
            return [{"type": "refused", **each._asdict()}]
        return [row.plain() for row in event_rows(self.session.hand.view, each)]


def trace(shelf: Shelf, given: argparse.Namespace) -> int:
    """Show one session of the seed or of the record; return the exit status. Raises Impossible."""
    plan, dice = read_plan(shelf, given)
    number = 0 if given.session is None else count("--session", given.session)
    sessions = MOST_SESSIONS if dice is None else len(dice.throws)
    if not 0 <= number < sessions:
        raise Impossible(
            "session_out_of_range", f"--session must be a number from 0 to {sessions - 1:,}, not {number:,}."
        )
    msgspec.structs.replace(plan, general=True).engines(shelf)  # report any problem before the first throw
    outcomes = len(shelf.book(plan.book).outcomes)
    thrown = throws(plan.seed, number, plan.rolls, outcomes) if dice is None else dice.throws[number]
    traced = Traced(shelf, plan, thrown)
    if given.json:
        for told in traced.turns():
            sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
        return 0
    whence = f"seed {plan.seed}" if dice is None else dice.name
    _Teller(Console(highlight=False), traced).tell(f"Session {number:,} of {whence}")
    return 0


class _Teller:
    """Prints a session as text, line by line."""

    def __init__(self, console: Console, traced: Traced) -> None:
        self.console = console
        self.traced = traced
        self.game = traced.game
        self.throw = throws_word(self.game, 1)
        self._words: dict[str, Callable[[Row], str]] = {
            "wager_placed": self._placed,
            "wager_reduced": self._reduced,
            "wager_removed": self._reduced,
            "wager_called": lambda row: f"calls {self._name(row)} {'On' if row['on'] else 'Off'}",
            "wager_settled": self._settled,
            "wager_moved": self._moved,
            "phase_moved": self._phase,
            "refused": lambda row: f"rule {row['rule']} refused: {str(row['code']).replace('_', ' ')}",
            "turn_passed": lambda row: f"the {self.game.book.rules.throw.field} pass on",
        }

    def tell(self, title: str) -> None:
        """Print the whole session."""
        strategy = self.traced.strategy
        self.console.print(Text.assemble((strategy.name, "bold"), f", {title[0].lower()}{title[1:]}"))
        self.console.print(Text(self.game.book.rules.book.title, "dim"))
        told: Row = {}
        for told in self.traced.turns():
            self._turn(told)
        rolls, why = self.traced.session.rolls, ENDS[str(told["ended"])].format(throw=self.throw)
        said = f"Ended after {rolls:,} {throws_word(self.game, rolls)}: {why}. Net {told['net']}."
        self.console.print()
        self.console.print(Text(said, "bold"))

    def _turn(self, told: Row) -> None:
        events: list[Row] = told["events"]
        fell = next((row for row in events if row["type"] == "thrown"), None)
        if fell is None:
            self.console.print(Text(f"\nBefore the first {self.throw}", "bold"))
        else:
            faces = fell[self.game.book.rules.throw.field]
            shown = faces if isinstance(faces, str) else " ".join(map(str, faces))
            head = Text.assemble(
                (f"\n{self.throw.capitalize()} {told['roll']:,}: {shown}", "bold"), f"  “{fell['call']}”"
            )
            self.console.print(head)
        for row, again in groupby(events):
            self._event(row, len(list(again)))
        self._standing(told)

    def _event(self, row: Row, times: int) -> None:
        words = self._words.get(str(row["type"]))
        if words is not None and (said := words(row)):
            style = STYLES.get(str(row.get("result", row["type"])), "")
            self._line(said, row["clause"], style, f", {times} times" if times > 1 else "")

    def _standing(self, told: Row) -> None:
        stands = ", ".join(f"{self._name(row)} {row['amount']}" for row in told["wagers"]) or "nothing"
        chips = "" if told["chips"] is None else f"{told['chips']} in hand; "
        self._line(f"{chips}net {told['net']}; on the layout: {stands}", None, "dim")

    def _line(self, words: str, clause: object, style: str, more: str = "") -> None:
        text = Text.assemble((words, style), (f" ({clause})" if clause else "", "dim"), more)
        self.console.print(Padding(text, (0, 0, 0, 4), expand=False))

    def _name(self, row: Row) -> str:
        return spot_name(self.game, Spot(row["wager"], row["pick"]))

    def _placed(self, row: Row) -> str:
        total = f", {row['stake']} in all" if row["stake"] != row["amount"] else ""
        fee = f", commission {row['commission']}" if row["commission"] != "0.00" else ""
        return f"bets {row['amount']} on {self._name(row)}{total}{fee}"

    def _reduced(self, row: Row) -> str:
        left = f", {row['stake']} stays" if row["stake"] != "0.00" else ""
        return f"takes {row['amount']} from {self._name(row)}{left}"

    def _settled(self, row: Row) -> str:
        if row["result"] == "win":
            return f"{self._name(row)} {row['stake']} wins {row['paid']}"
        return f"{self._name(row)} {row['stake']} {'loses' if row['result'] == 'lose' else 'comes back'}"

    def _moved(self, row: Row) -> str:
        """Describe a wager moving to its number, or one step on."""
        if row["to"] != row["pick"]:
            return f"{self._name(row)} goes to {row['to']}"
        return f"{self._name(row)}: {row['state']}"

    def _phase(self, row: Row) -> str:
        """Describe the puck going on or off; phases without a marker are left out."""
        phase = self.game.book.phases[str(row["phase"])]
        if not is_marker(self.game.book, phase):
            return ""
        return f"{phase.name} off" if row["value"] is None else f"{phase.name} on {row['value']}"
