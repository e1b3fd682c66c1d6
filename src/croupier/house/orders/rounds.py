"""Tables that run by themselves: bets open, last call, bets shut, the dice drawn, the result shown, and again.

Each step is a deed of its own, `run_on`, which does what is due and nothing else. So it does not matter who asks how
often: a step that has been taken is not due any more.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from msgspec import UNSET, UnsetType, structs

from croupier.house import orders
from croupier.house.electronic.dice import (
    MARK,
    PROTOCOL,
    SECRET_BYTES,
    commitment,
    drawn,
    in_bytes,
    mixed,
    number_commitment,
)
from croupier.house.events import (
    AlertRaised,
    BetsShut,
    DiceDrawn,
    LastCalled,
    NumberCommitted,
    NumberShown,
    Rhythm,
    RoundCancelled,
    RoundOpened,
)
from croupier.house.names import table_stream
from croupier.house.orders.chips import with_accounts
from croupier.house.orders.scene import Decided, Outcome, Scene
from croupier.house.stored_events import StoredEvent, stamp
from croupier.house.tables import Round, TableState
from croupier.rules.conduct import PLAYER
from croupier.table import commands
from croupier.table.decide import decide_without_note
from croupier.table.event_views import Told
from croupier.table.refusals import Refusal
from croupier.table.view import TableView

AT_ONCE = datetime.min.replace(tzinfo=UTC)
LATE = timedelta(seconds=5)  # so much behind its time no clock is that has not waited
SECRET_LOST = "Round given up"
NOTHING_DUE = Refusal("nothing_due", "Nothing is due at this table.")


def secret_name(table: str, number: int | None = None) -> str:
    """Under which name the secret of a round is kept; without a number, what those of all its rounds begin with."""
    return f"dice/{table}/{'' if number is None else number}"


def due(table: TableState) -> datetime | None:
    """When the next step of a table is due; None while it waits for somebody to sit down, or is run by people."""
    rhythm, current = table.rhythm, table.round
    if rhythm is None or not table.game.is_open:
        return None
    closed = _is_over(table)
    if current is None:
        return (table.shown_until or AT_ONCE) if (table.game.chips or table.game.layout) and not closed else None
    if closed and current.shut is None:
        return AT_ONCE
    longest = timedelta(seconds=rhythm.numbers) if waits_for_numbers(table, current) else timedelta()
    if current.shut is not None:
        assert current.shut_at is not None
        return current.shut_at + max(timedelta(seconds=rhythm.shut), longest)
    if is_waiting(table):
        return None
    if current.brief:
        return current.closes + longest
    return current.closes if current.last_called else current.closes - timedelta(seconds=rhythm.last_call)


def is_waiting(table: TableState) -> bool:
    """Whether the bets stay open until somebody makes one."""
    waits = table.rhythm is not None and table.rhythm.waits
    return waits and not table.game.layout and table.game.bets_open


def _is_over(table: TableState) -> bool:
    """Whether no throw is to come: the table is closed, or closing and nothing stands that a throw could decide."""
    told = table.game.facts.get("table")
    return told == "closed" or (told == "closing" and not table.game.layout)


def run_on(scene: Scene, deed: orders.RunOn) -> Decided:
    """The step that is due now."""
    table = scene.tables(deed.table)
    when = due(table)
    if when is None or scene.at < when:
        return NOTHING_DUE
    assert table.rhythm is not None
    if table.round is None:
        return _open(scene, table, table.rhythm)
    name = secret_name(table.name, table.round.number)
    secret = scene.secret(name)
    if secret is None and (deed.lost or table.is_shut or when == AT_ONCE):
        return _cancelled(table, table.round, None) if deed.lost else _missing(table.round)
    if table.is_shut:
        assert secret is not None
        return _draw(scene, table, table.rhythm, table.round, secret)
    if when == AT_ONCE:
        return _cancelled(table, table.round, secret)
    if scene.at < table.round.closes or _is_late(scene, table.rhythm, table.round):
        return _call(scene, table, table.rhythm, table.round)
    return _shut(scene, table, table.round)


def _open(scene: Scene, table: TableState, rhythm: Rhythm) -> Decided:
    """A new round. Where the game goes on without bets, as after Odds, they are not opened for long."""
    number, secret = table.rounds + 1, scene.entropy(SECRET_BYTES)
    seconds = rhythm.open if _takes_bets(scene, table) else 0.0
    opened = RoundOpened(
        number=number,
        commitment=commitment(table.name, number, secret, PROTOCOL),
        opened=stamp(scene.at),
        closes=stamp(scene.at + timedelta(seconds=seconds)),
        protocol=PROTOCOL,
    )
    return Outcome({table_stream(table.name): [opened]}, secrets={secret_name(table.name, number): secret})


def _takes_bets(scene: Scene, table: TableState) -> bool:
    betting = scene.shelf.game(table.game.terms[-1]).book.rules.betting
    return betting is None or table.game.bets_open


def _missing(current: Round) -> Refusal:
    return Refusal("secret_missing", f"The secret of round {current.number} is missing: the table cannot go on.")


def _cancelled(table: TableState, current: Round, secret: bytes | None) -> Decided:
    """Nothing is drawn, and what was committed to is shown: the table was closed before the bets were shut.

    Where there is nothing to show, somebody has to answer for that.
    """
    shown = RoundCancelled(current.number, "" if secret is None else secret.hex(), bool(table.game.layout))
    told = (
        [] if secret is not None else [AlertRaised(SECRET_LOST, f"gave round {current.number} up: its secret is lost")]
    )
    return Outcome({table_stream(table.name): [shown, *told]}, secrets={secret_name(table.name, current.number): None})


def _is_late(scene: Scene, rhythm: Rhythm, current: Round) -> bool:
    """Whether the time that was announced has gone by: without a bet at a table that waits, or without the house.

    The bets are shut at a time that everybody was told. Who makes the first one shall not see it shut at once.
    """
    has_waited = rhythm.waits and not current.last_called and not current.brief
    longest = timedelta(seconds=rhythm.numbers) if current.brief else timedelta()
    is_late = scene.at > current.closes + longest + LATE
    return has_waited or is_late


def _call(scene: Scene, table: TableState, rhythm: Rhythm, current: Round) -> Decided:
    """The last call; where it is late, for a time that begins now."""
    in_time = scene.at < current.closes
    seconds = rhythm.open if _takes_bets(scene, table) else 0.0
    closes = current.closes if in_time else scene.at + timedelta(seconds=seconds)
    return Outcome({table_stream(table.name): [LastCalled(current.number, stamp(closes))]})


def _shut(scene: Scene, table: TableState, current: Round) -> Decided:
    """The bets are shut; where the book closes them by a call, that is called too."""
    happened: list[StoredEvent] = []
    view = TableView(scene.shelf, table.game)
    if view.game.book.rules.betting is not None and table.game.bets_open:
        closed = decide_without_note(scene.shelf, table.game, commands.CloseBets(at=table.later(scene.at)))
        if isinstance(closed, Refusal):
            return closed
        happened.extend(closed)
    return Outcome({table_stream(table.name): [*happened, BetsShut(current.number, tuple(sorted(current.numbers)))]})


def _draw(scene: Scene, table: TableState, rhythm: Rhythm, current: Round, secret: bytes) -> Decided:
    """What falls, and all that follows from it, in one write."""
    shut = current.shut
    assert shut is not None, "bets are shut before anything is drawn"
    rules = scene.shelf.game(table.game.terms[-1]).book.rules.throw
    numbers = current.in_order
    mix = shut if current.protocol == 1 else mixed(table.name, current.number, numbers)
    faces = drawn(secret, mix, rules.faces, rules.throw)
    command = commands.Throw(faces=faces, at=table.later(scene.at))
    thrown = decide_without_note(scene.shelf, table.game, command)
    if isinstance(thrown, Refusal):
        return thrown
    settled = with_accounts(scene, table.name, thrown)
    if isinstance(settled, Refusal):
        return settled
    until = stamp(scene.at + timedelta(seconds=rhythm.show))
    shown = DiceDrawn(current.number, secret.hex(), shut.hex(), faces, until, tuple(own for _, own in numbers))
    stream = table_stream(table.name)
    return Outcome(
        {**settled.events, stream: [shown, *settled.events[stream]]},
        secrets={secret_name(table.name, current.number): None},
    )


# -- numbers ----------------------------------------------------------------------------------------------------------
# Players' own numbers: put in with a bet while the bets are open, shown once they are shut, before the dice are
# drawn. Of a number the house gets the commitment first, so that it does not know what will fall while it can still
# act.

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
