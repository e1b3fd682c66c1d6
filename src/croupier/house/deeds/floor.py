"""The floor: tables that are set up and opened."""

from __future__ import annotations

from croupier.house import orders
from croupier.house.deeds.people import MOST_SHOWN, NAME
from croupier.house.deeds.scene import Decided, Outcome, Scene, table_stream
from croupier.house.events import Rhythm, TableSet
from croupier.table import commands
from croupier.table.decide import decide
from croupier.table.refusals import Refusal
from croupier.table.state import State
from croupier.wire.reading import read_plain

MOST_SECONDS = 3600.0


def set_table(scene: Scene, deed: orders.SetTable) -> Decided:
    """A new table with a book, a sign, and maybe a rhythm of its own."""
    if NAME.fullmatch(deed.table) is None:
        return Refusal(
            "bad_name", "A table is called by up to 40 small letters, digits, dots, hyphens and underscores."
        )
    if not deed.title.strip() or len(deed.title) > MOST_SHOWN or not deed.title.isprintable():
        return Refusal("bad_name", f"The title of a table has 1 to {MOST_SHOWN} letters.")
    if scene.tables(deed.table).is_set:
        return Refusal("name_taken", f"There is a table called {deed.table} already.")
    if deed.rhythm is not None and not _makes_sense(deed.rhythm):
        return Refusal("bad_rhythm", "Bets are open from 1 second to an hour, and the last call is within that time.")
    command = read_plain(scene.shelf, State(), {**deed.line, "do": "open"})
    if isinstance(command, Refusal):
        return command
    assert isinstance(command, commands.OpenTable), "the line says open"
    if deed.rhythm is not None and command.settings.manual_dice:
        return Refusal("bad_rhythm", "A table that runs by itself has no dice that people hand round.")
    opened = decide(scene.shelf, State(), command)
    if isinstance(opened, Refusal):
        return opened
    return Outcome({table_stream(deed.table): [TableSet(deed.table, deed.title, deed.rhythm), *opened]})


def _makes_sense(rhythm: Rhythm) -> bool:
    within = all(0 <= seconds <= MOST_SECONDS for seconds in (rhythm.open, rhythm.shut, rhythm.show))
    return within and rhythm.open >= 1 and 0 <= rhythm.last_call < rhythm.open
