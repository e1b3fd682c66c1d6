"""Players' own numbers: put in with a bet while the bets are open, shown once they are shut, before the dice are drawn.

Of a number the house gets the commitment first, so that it does not know what will fall while it can still act.
"""

from __future__ import annotations

from msgspec import UNSET, UnsetType, structs

from croupier.house import orders
from croupier.house.deeds.scene import Decided, Outcome, Scene
from croupier.house.documents import StoredEvent
from croupier.house.electronic.dice import MARK, in_bytes, number_commitment
from croupier.house.events import NumberCommitted, NumberShown
from croupier.house.streams import table_stream
from croupier.house.tables import Round, TableState
from croupier.rules.conduct import PLAYER
from croupier.table.refusals import Refusal
from croupier.table.telling import Told

NO_NUMBERS = Refusal("no_numbers", "People throw at this table: it takes no numbers.")
BAD_NUMBER = Refusal("bad_number", "A number and the commitment to it are 64 hexadecimal digits, in small letters.")
BAD_ROUND = Refusal("bad_number", "A number is for one round: say which.")
NOT_WITH_THIS = Refusal("bad_number", "A number goes with a wager, or alone.")
SHUT = Refusal("bets_shut", "The bets are shut: numbers are put in before.")
NOT_SHUT = Refusal("not_shut", "A number is shown once the bets are shut, and not before.")
NOT_SEATED = Refusal("not_at_table", "Only those who sit at the table put numbers in.")
NO_WAGER = Refusal("no_wager", "A number is for those who have a wager in the round.")
UNKNOWN = Refusal("unknown_number", "Nobody has put that number in.")


def check_number(table: TableState, number: str | UnsetType, round: int | None, *, wagers: bool) -> Refusal | None:
    """Whether a line may carry this commitment. The round itself is looked at with the line."""
    if number is UNSET:
        return None
    if table.rhythm is None:
        return NO_NUMBERS
    if not wagers:
        return NOT_WITH_THIS
    if MARK.fullmatch(number) is None:
        return BAD_NUMBER
    return BAD_ROUND if round is None else None


def with_number(table: TableState, player: str, number: str | UnsetType, outcome: Outcome) -> Outcome:
    """What a line leads to, and the number that came with it."""
    if number is UNSET:
        return outcome
    assert table.round is not None, "a wager is for a round"
    events, told = _put_in(table, table.round, player, number)
    stream = table_stream(table.name)
    happened = {**outcome.events, stream: [*outcome.events.get(stream, []), *events]}
    return structs.replace(outcome, events=happened, told=outcome.told | told)


def _put_in(table: TableState, current: Round, player: str, number: str) -> tuple[list[StoredEvent], Told]:
    """One number for each person and round, and the first stands; so does a commitment that somebody copied.

    The copy is not taken: who knows the number can show it, whichever of the two was first.
    """
    if current.protocol < 2:
        return [], {}
    stands = current.players.get(player) or (number if number in current.numbers else None)
    if stands is not None:
        return [], {"number": stands}
    contributor = table.contributors.get(player) or len(table.contributors) + 1
    return [NumberCommitted(current.number, player, contributor, number)], {"number": number}


def put_in_number(scene: Scene, deed: orders.PutInNumber) -> Decided:
    """A number without a bet, of somebody whose wagers stand from earlier rounds."""
    table, player = scene.tables(deed.table), scene.asker.person
    refusal = check_number(table, deed.number, deed.round, wagers=True)
    if refusal is None and (PLAYER not in scene.asker.roles or player not in table.game.chips):
        refusal = NOT_SEATED
    if refusal is not None:
        return refusal
    current = table.round
    if current is None or deed.round != current.number:
        return _round_over(deed.round)
    if table.is_shut:
        return SHUT
    if not has_wagers(table, player):
        return NO_WAGER
    return with_number(table, player, deed.number, Outcome({table_stream(table.name): []}))


def has_wagers(table: TableState, player: str) -> bool:
    """Whether something of a player's stands on the layout."""
    return any(player in stakes for stakes in table.game.layout.values())


def show_number(scene: Scene, deed: orders.ShowNumber) -> Decided:
    """What a commitment of the round is of. Who knows it may show it; a second time nothing happens."""
    table = scene.tables(deed.table)
    if table.rhythm is None:
        return NO_NUMBERS
    own, current = in_bytes(deed.number), table.round
    if own is None:
        return BAD_NUMBER
    if current is None or deed.round != current.number:
        return _round_over(deed.round)
    if not table.is_shut:
        return NOT_SHUT
    committed = number_commitment(table.name, current.number, own)
    if committed not in current.numbers:
        return UNKNOWN
    events: list[StoredEvent] = []
    if not current.numbers[committed]:
        events.append(NumberShown(current.number, scene.asker.person, committed, deed.number))
    return Outcome({table_stream(table.name): events}, told={"number": committed})


def _round_over(number: int) -> Refusal:
    return Refusal("round_over", f"Round {number} is over.")


def waits_for_numbers(table: TableState, current: Round) -> bool:
    """Whether a number is to come: one that was put in and is not shown, or in a round that takes no bets, one of
    somebody whose wagers stand and who put one into the round before.
    """
    if current.shut is not None:
        return not all(current.numbers.values())
    if not current.brief:
        return False
    return any(player not in current.players and has_wagers(table, player) for player in table.lately)
