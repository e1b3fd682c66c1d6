"""A preview of a correction, before it is confirmed: players' money, wagers made since, the table.

It also previews declaring an outcome invalid. It is decided like the real thing, and nothing is stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

import msgspec

from croupier.contract.management import CorrectionPreview, PlayerChange, SinceChange, TableChange
from croupier.contract.replies import Lamp
from croupier.felt.past_results import Result, with_results
from croupier.house.names import fitting_title
from croupier.house.orders.lines import given_to
from croupier.house.table_state import TableState
from croupier.house.views.table import lamps_of
from croupier.money import format_cents
from croupier.protocol import Question, read_plain
from croupier.rules.shelf import Shelf
from croupier.table.decide import decide_without_note
from croupier.table.events import AnyEvent, AreaSettled, ResultTakenBack, WagerPlaced, WagerReduced
from croupier.table.evolve import evolve_all
from croupier.table.leaving import CORRECTING
from croupier.table.refusals import Refusal
from croupier.table.state import State, TableView
from croupier.table.thrower import next_thrower, title

Results = tuple[Result, ...]


def preview_correction(
    shelf: Shelf, state: TableState, person: str, role: str, faces: str, now: datetime
) -> CorrectionPreview | Refusal:
    """Preview the correction of the latest result to these faces, `4-3` or `HT`, by a person in a role."""
    if CORRECTING not in shelf.game(state.game.terms[-1]).book.conduct.by_id:
        return Refusal("unknown_command", "This book does not allow a result to be corrected.")
    return _preview(shelf, state, person, role, {"do": CORRECTING, "faces": _read(faces)}, now)


def preview_void(
    shelf: Shelf, state: TableState, person: str, role: str, reason: str, forfeit: list[str], now: datetime
) -> CorrectionPreview | Refusal:
    """Preview declaring the outcome void or invalid, on a ground of the book, by a person in a role."""
    return _preview(shelf, state, person, role, {"do": "void", "reason": reason, "forfeit": forfeit}, now)


def _preview(
    shelf: Shelf, state: TableState, person: str, role: str, line: dict[str, object], now: datetime
) -> CorrectionPreview | Refusal:
    game = state.game
    conduct = shelf.game(game.terms[-1]).book.conduct
    command = read_plain(shelf, game, line)
    if isinstance(command, Refusal | Question):
        return command if isinstance(command, Refusal) else Refusal("unknown_command", "This is not a command.")
    title = fitting_title(conduct, role, given_to(conduct, command))
    given = msgspec.structs.replace(command, at=state.later(now), by=title, who=person)
    decision = decide_without_note(shelf, game, given)
    return decision if isinstance(decision, Refusal) else _previewed(shelf, state, list(decision))


def _read(faces: str) -> str | list[int | str]:
    """Return faces as a line takes them; reading the line reports invalid ones."""
    if "-" not in faces:
        return faces
    return [int(face) if face.isdecimal() and face.isascii() else face for face in faces.split("-")]


def _previewed(shelf: Shelf, state: TableState, happened: list[AnyEvent]) -> CorrectionPreview:
    before, after = state.game, evolve_all(state.game, happened)
    back = next((event for event in happened if isinstance(event, ResultTakenBack)), None)
    view, results = TableView(shelf, after), with_results(state.results, before.phases, happened)
    was, now = (
        _nets(() if back is None else back.settled),
        _nets(event for event in happened if isinstance(event, AreaSettled)),
    )
    changed = [player for player in _everybody(before, was, now) if _differs(before, after, player, was, now)]
    return CorrectionPreview(
        was=[] if back is None else list(back.faces),
        now=list(results[-1].faces),
        players=[_player(before, after, player, was[player], now[player]) for player in changed],
        house=format_cents(sum(was.values()) - sum(now.values())),
        since=_since(view, happened),
        table=_table(TableView(shelf, before), state.results, view, results),
    )


def _nets(settled: Iterable[AreaSettled]) -> Counter[str]:
    """Return each player's net result: what came back, less what was staked."""
    nets: Counter[str] = Counter()
    for event in settled:
        for player, stake, _, returned in event.stakes:
            nets[player] += returned - stake
    return nets


def _everybody(game: State, *nets: Counter[str]) -> list[str]:
    """Return the players at the table by place, then those who have left since."""
    return list(dict.fromkeys((*game.seats, *(player for net in nets for player in net), *game.owing)))


def _felt(game: State, player: str) -> int:
    return sum(stake.amount for who, _, stake in game.wagers() if who == player)


def _differs(before: State, after: State, player: str, was: Counter[str], now: Counter[str]) -> bool:
    held = [
        (was[player], now[player]),
        (before.chips_of(player), after.chips_of(player)),
        (_felt(before, player), _felt(after, player)),
        (before.owing.get(player, 0), after.owing.get(player, 0)),
    ]
    return any(old != new for old, new in held)


def _player(before: State, after: State, player: str, was: int, now: int) -> PlayerChange:
    return PlayerChange(
        player=player,
        place=before.places.get(player),
        was=format_cents(was),
        now=format_cents(now),
        change=format_cents(now - was),
        hand=(format_cents(before.chips_of(player)), format_cents(after.chips_of(player))),
        felt=(format_cents(_felt(before, player)), format_cents(_felt(after, player))),
        owes=format_cents(after.owing.get(player, 0)),
    )


def _since(view: TableView, happened: list[AnyEvent]) -> list[SinceChange]:
    """Return wagers made since: they come off before the result is undone; those that stand are placed again."""
    place = next((place for place, event in enumerate(happened) if isinstance(event, ResultTakenBack)), 0)
    again = {(event.player, event.area) for event in happened[place:] if isinstance(event, WagerPlaced)}
    return [
        SinceChange(
            event.player,
            event.wager,
            view.shown_pick(event.area),
            format_cents(event.amount),
            (event.player, event.area) in again,
        )
        for event in happened[:place]
        if isinstance(event, WagerReduced)
    ]


def _table(old: TableView, fell: Results, new: TableView, falls: Results) -> list[TableChange]:
    """Return changes of the puck and other lamps, the next thrower, and whether bets are open."""
    lamps = zip(lamps_of(old, fell), lamps_of(new, falls), strict=True)
    found = [TableChange(one.name, _lamp(one), _lamp(other)) for one, other in lamps]
    found.append(TableChange("Throws next", _thrower(old), _thrower(new)))
    found.append(TableChange("Bets", _bets(old), _bets(new)))
    return [one for one in found if one.was != one.now]


def _lamp(lamp: Lamp) -> str:
    lights = f"{lamp.lit} of {lamp.of}" if lamp.of else ""
    return " ".join(filter(None, (lamp.words, lights)))


def _thrower(view: TableView) -> str:
    player = next_thrower(view)
    return title(view, player) if player is None else f"{player}, {title(view, player)}"


def _bets(view: TableView) -> str:
    return "open" if view.state.bets_open else "closed"
