"""Lines for a table, as the pipe takes them, given by a person under the title that the book gives them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from croupier.contract.requests import Line, Number
from croupier.house.names import ROLES, fitting_title, titles
from croupier.house.orders.alerts import with_alerts
from croupier.house.orders.chips import with_accounts
from croupier.house.orders.order import GIVEN, Api, AtTable, Decided, Outcome, Scene
from croupier.house.orders.people import check_card, check_play, decided_by
from croupier.house.orders.rounds import check_number, with_number, with_readiness
from croupier.house.stored_events import StoredEvent
from croupier.house.table_state import TableState
from croupier.protocol import COMMANDS, Question, read_plain
from croupier.rules.conduct import PLAYER, Conduct
from croupier.table import commands
from croupier.table.conduct.acts import WORDS
from croupier.table.decide import decide_without_note
from croupier.table.events import AnyEvent, ChipsBought, WagerPlaced, WagerReduced
from croupier.table.refusals import Refusal

# Commands with an order of their own, because an account or the house itself takes part in them.
NOT_LINES = {"open": "set_table", "seat": "sit", "chips": "buy_in", "leave": "get_up"}
WAGERING = ("bet", "take", "call")
_STAKES = (WagerPlaced, WagerReduced)


class Say(AtTable, frozen=True, kw_only=True, tag="say"):
    """Send a line to a table: a bet, a throw, an act of the book.

    The lines are those of `croupier table`, without `at` and `who`. `round`: only in that round of a table that runs
    by itself. `number` is the commitment to the player's own number for the round.
    """

    line: Line
    round: Annotated[int, Meta(ge=1, description="Only in this round of an automatic table.")] | None = None
    number: Number | UnsetType = UNSET  # without one, the order encodes as it did before numbers existed

    permits = ROLES  # what each title may say is up to the book
    api = Api(
        "/tables/{table}/lines", "Send a line to a table", {"line": {"do": "bet", "wager": "field", "amount": "5.00"}}
    )

    def decide(self, scene: Scene) -> Decided:
        table, word = scene.tables(self.table), str(self.line.get("do"))
        role = _role_here(scene, table)
        if role is None:
            return Refusal("not_at_table", "Take a seat or a post at this table first.")
        if table.rhythm is not None and word in WAGERING and role != PLAYER:
            return Refusal("runs_by_itself", "This table is automatic: players make their own wagers.")
        refusal = _check_moment(scene, table, self.round, word)
        if refusal is None:
            refusal = check_number(table, self.number, self.round, wagers=word in WAGERING)
        if refusal is not None:
            return refusal
        line: dict[str, Any] = {name: value for name, value in self.line.items() if name not in GIVEN}
        if role == PLAYER and word in WAGERING:
            line.setdefault("player", scene.asker.person)
        command = read_plain(scene.shelf, table.game, line)
        if isinstance(command, Refusal):
            return command
        if isinstance(command, Question):
            return Refusal("unknown_command", f"{word} is a query, not a command.")
        return _given(scene, self, table, role, command)


def _check_moment(scene: Scene, table: TableState, round: int | None, word: str) -> Refusal | None:
    if word in NOT_LINES:
        return Refusal("not_a_line", f"{word} is an order to the house, not a line for the table: {NOT_LINES[word]}.")
    if table.rhythm is None:
        return None
    if word not in WAGERING:
        return _check_around(scene, table, word)
    current = table.round
    if round is not None and (current is None or round != current.number):
        return Refusal("round_over", f"Round {round} is over.")
    if current is None or table.is_shut:
        return Refusal("bets_shut", "Bets are closed until the next round.")
    return None


def _check_around(scene: Scene, table: TableState, word: str) -> Refusal | None:
    """Refuse what the clock does itself: people may do only what leaves the throw alone, while bets are not shut."""
    act = scene.shelf.game(table.game.terms[-1]).book.conduct.by_id.get(word)
    if act is None and word not in COMMANDS:
        return None  # an unknown word: reading the line will refuse it
    if act is None or not act.aside:
        return Refusal("runs_by_itself", "This table is automatic: its clock closes the bets and throws.")
    return (
        Refusal("bets_shut", "The dice are about to be thrown: try again after this round.") if table.is_shut else None
    )


def _role_here(scene: Scene, table: TableState) -> str | None:
    """Return the person's role at this table: staff with a post who still have the role, or a seated player."""
    asker = scene.asker
    role = table.staff.get(asker.person) or (PLAYER if asker.person in table.game.chips else None)
    return role if role in asker.roles else None


def _given(scene: Scene, order: Say, table: TableState, role: str, command: commands.AnyCommand) -> Decided:
    """Decide the command with its time, person and title."""
    conduct = scene.shelf.game(table.game.terms[-1]).book.conduct
    title = _title(conduct, role, order.line.get("as"), command)
    if isinstance(title, Refusal):
        return title
    given = msgspec.structs.replace(command, at=table.later(scene.at), by=title, who=scene.asker.person)
    decision = decide_without_note(scene.shelf, table.game, given)
    if isinstance(decision, Refusal):
        return decision
    outcome = with_accounts(scene, order.table, decision, title, _called(decision))
    for player, stake in _brought_into_play(decision).items():
        if not isinstance(outcome, Refusal):
            outcome = _played(scene, table, player, outcome, stake)
    if isinstance(outcome, Refusal):
        return outcome
    told = with_number(table, scene.asker.person, order.number, with_alerts(scene, table, decision, outcome))
    if order.line.get("do") not in WAGERING or not decision:
        return told
    return with_readiness(table, scene.asker.person, told, decision)


def _called(decision: Iterable[AnyEvent]) -> list[str]:
    """Return what was called out: the thrower hears "no result" at once."""
    calls = (getattr(event, "call", None) for event in decision)
    return [call for call in calls if call]


def _brought_into_play(decision: Iterable[AnyEvent]) -> dict[str, int]:
    """Return players whose chips go onto the layout, with the cents added; 0 for those who only buy chips.

    Commission is included. Tokens are not: they are not the player's money.
    """
    stakes: dict[str, int] = {}
    bought = set()
    for event in decision:
        if isinstance(event, _STAKES):
            cents = event.amount + event.commission - event.tokens
            more = cents if isinstance(event, WagerPlaced) else -cents
            stakes[event.player] = stakes.get(event.player, 0) + more
        elif isinstance(event, ChipsBought):
            bought.add(event.player)
    return dict.fromkeys(bought, 0) | {player: cents for player, cents in stakes.items() if cents > 0}


def _played(scene: Scene, table: TableState, player: str, outcome: Outcome, stake: int) -> Decided:
    """Check the player's own limits, even if a dealer places the wager for them."""
    account = scene.accounts(player)
    book = scene.shelf.game(table.game.terms[-1]).book
    refusal = check_play(scene, account, stake, table.later(scene.at))
    if refusal is None and stake:
        refusal = check_card(scene, account, book)
    if refusal is not None:
        return refusal
    relied_on: dict[str, list[StoredEvent]] = {stream: [] for stream in decided_by(scene, account)}
    return msgspec.structs.replace(outcome, events=relied_on | outcome.events)


def _title(conduct: Conduct, role: str, asked: object, command: commands.AnyCommand) -> str | Refusal:
    if asked is not None:
        own = titles(conduct, role)
        if asked in own:
            return str(asked)
        return Refusal("not_your_title", f"A {role} can act only as {' or '.join(own) or 'no one'} at this table.")
    title = fitting_title(conduct, role, given_to(conduct, command))
    return title or Refusal("not_permitted", f"The book of this table has no {role}.")


def given_to(conduct: Conduct, command: commands.AnyCommand) -> list[str]:
    """Return the titles that the book gives the command or the act to."""
    if isinstance(command, commands.PerformAct):
        act = conduct.by_id.get(command.act)
        return act.by if act is not None else []
    reason = command.reason if isinstance(command, commands.VoidThrow) else None
    power = conduct.power(WORDS[type(command)], reason)
    return power.by if power is not None else []
