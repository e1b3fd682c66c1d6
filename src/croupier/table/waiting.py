"""Wagers that wait for the house: late ones to be confirmed, spoken ones to be laid, sleeping ones to be marked On.

A late wager already lies on the layout, and a fact holds its unconfirmed amount. For a spoken wager there is only
the fact: no chips have moved.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from croupier.rules.machine import Pick
from croupier.table import events
from croupier.table.state import Area, TableView

LATE, SPOKEN, CALLED_ON = "late", "spoken", "called on"
CONFIRMING, DECLARING = "confirm_late", "declare_wager"  # the acts by which a book takes such wagers
LAYING, MARKING = "place_declared", "mark_on"  # the acts by which a spoken wager is laid and a call On confirmed


def waiting_name(kind: str, player: str, wager: str, pick: Pick) -> str:
    """Return the name of the fact for a waiting wager, such as "late ann hardway 4"."""
    words = pick if isinstance(pick, tuple) else () if pick is None else (pick,)
    return " ".join([kind, _one_word(player), wager, *map(str, words)])


def _one_word(player: str) -> str:
    """Quote a name of several words, so that it cannot be confused with another name and a wager."""
    plain = player.split() == [player] and '"' not in player
    return player if plain else '"' + player.replace('"', '""') + '"'


def waiting_of(view: TableView, kind: str, player: str) -> list[str]:
    """Return the names of a player's waiting wagers."""
    start = f"{kind} {_one_word(player)} "
    return [name for name in view.state.facts if name.startswith(start)]


def late_name(view: TableView, player: str, area: Area) -> str:
    """Return the name of the fact for the late part of a standing wager."""
    return waiting_name(LATE, player, area.wager, view.shown_pick(area))


def late_cents(view: TableView, player: str, area: Area) -> int:
    """Return how much of a standing wager still waits to be confirmed."""
    if not view.state.facts:
        return 0
    value = view.state.facts.get(late_name(view, player, area), 0)
    return min(value, view.state.layout[area][player].amount) if isinstance(value, int) else 0


class Waiting(NamedTuple):
    """A wager that waits for the house: its kind, the act that handles it, its player and its amount."""

    kind: str
    act: str
    player: str
    wager: str
    pick: Pick
    cents: int | None


def everything_waiting(view: TableView) -> list[Waiting]:
    """Return all waiting wagers in layout order; spoken ones come last."""
    if not view.state.facts:
        return []
    found = []
    for player, area, _ in view.state.wagers():
        named = (player, area.wager, view.shown_pick(area))
        if late_cents(view, player, area):
            found.append(Waiting(LATE, CONFIRMING, *named, late_cents(view, player, area)))
        if called_on_name(view, player, area) in view.state.facts:
            found.append(Waiting(CALLED_ON, MARKING, *named, None))
    return [*found, *_spoken(view)]


def _spoken(view: TableView) -> Iterator[Waiting]:
    for player in view.state.seats:
        said = set(waiting_of(view, SPOKEN, player))
        for wager in view.game.book.rules.wagers if said else ():
            for pick in view.game.book.picks(wager):
                name = waiting_name(SPOKEN, player, wager.id, pick)
                if name in said:
                    cents = view.state.facts[name]
                    yield Waiting(SPOKEN, LAYING, player, wager.id, pick, cents if isinstance(cents, int) else None)


def late_laid(view: TableView, player: str, area: Area, cents: int) -> Iterator[events.Noted]:
    """Record that more chips of a player wait to be confirmed (reading X-24)."""
    before = late_cents(view, player, area) if player in view.state.layout.get(area, {}) else 0
    yield events.Noted({late_name(view, player, area): before + cents}, _clause(view, CONFIRMING, area.wager))


def late_taken(view: TableView, player: str, area: Area, cents: int) -> Iterator[events.Noted]:
    """Take what a player takes back first from the unconfirmed part."""
    waiting = late_cents(view, player, area)
    if waiting:
        left = max(0, waiting - cents) or None
        yield events.Noted({late_name(view, player, area): left}, _clause(view, CONFIRMING, area.wager))


def called_on_name(view: TableView, player: str, area: Area) -> str:
    """Return the name of the fact that a player has called a wager On and it is not yet marked."""
    return waiting_name(CALLED_ON, player, area.wager, view.shown_pick(area))


def waits_for_marker(view: TableView, player: str, area: Area) -> bool:
    """Whether a call On waits for a marker: people run the table, and the wager is not On already (CR-31)."""
    by_hand = view.state.settings.manual_dice and MARKING in view.game.book.conduct.by_id
    return by_hand and view.state.layout[area][player].called is not True


def lapsed_words(view: TableView) -> Iterator[events.Noted]:
    """Drop spoken wagers that are not on the layout when the bets close (reading X-25)."""
    spoken = [name for name in view.state.facts if name.startswith(f"{SPOKEN} ")]
    if spoken:
        yield events.Noted(dict.fromkeys(spoken), _clause(view, DECLARING, ""))


def _clause(view: TableView, act: str, wager: str) -> str:
    """Return the clause under which a wager waits: that of the act that handles it."""
    known = view.game.book.conduct.by_id.get(act)
    if known is not None:
        return known.clause
    return view.game.book.wagers[wager].clause if wager in view.game.book.wagers else view.game.book.rules.throw.clause
