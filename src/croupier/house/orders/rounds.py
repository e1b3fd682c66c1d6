"""The rounds of self-running tables: bets open, last call, bets shut, dice drawn, result shown, and again.

Bets are shut when every player they are open for is ready, and otherwise when their time is over; at a table that
waits it begins with the first bet.

Each step is an order, `run_on`, which takes the step that is due and nothing else. So it does not matter how often it
is given: a step that has been taken is no longer due.

Players' own numbers are committed with a bet while bets are open, and revealed once they close, before the dice are
drawn. The house first gets only the commitment, so it cannot know the result while it can still act.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType, structs

from croupier.contract.requests import Number
from croupier.house.electronic.fair_dice import (
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
    ClockSet,
    DiceDrawn,
    LastCalled,
    NumberCommitted,
    NumberShown,
    PlayerReady,
    Rhythm,
    RoundCancelled,
    RoundOpened,
)
from croupier.house.names import table_stream
from croupier.house.orders.chips import with_accounts
from croupier.house.orders.order import Api, AtTable, Decided, Outcome, Scene
from croupier.house.stored_events import StoredEvent, stamp
from croupier.house.table_state import Round, TableState
from croupier.rules.conduct import PLAYER
from croupier.table import commands
from croupier.table.decide import decide_without_note
from croupier.table.events import AnyEvent, WagerReduced
from croupier.table.evolve import evolve_all
from croupier.table.refusals import Refusal
from croupier.table.state import TableView

AT_ONCE = datetime.min.replace(tzinfo=UTC)
LATE = timedelta(seconds=5)  # no running clock is this far behind
MOST_CALLS = 1000  # a house that is always late shuts the bets late in the end, rather than never
SECRET_LOST = "Round abandoned"
RoundNumber = Annotated[int, Meta(ge=1)]
NOTHING_DUE = Refusal("nothing_due", "Nothing is due at this table.")


def secret_name(table: str, number: int | None = None) -> str:
    """Return the name of a round's secret in the vault; without a number, the prefix for all rounds of the table."""
    return f"dice/{table}/{'' if number is None else number}"


def due(table: TableState) -> datetime | None:
    """Return when the next step of a table is due; None if people run it, or while it waits for a player."""
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
    if current.brief:
        return current.closes + longest
    if _has_no_bets(table, rhythm):
        return None if current.waits else current.closes
    if current.waits:
        return current.opened
    by_the_clock = current.closes if current.last_called else current.closes - timedelta(seconds=rhythm.last_call)
    return min(by_the_clock, _may_be_shut(table, rhythm, current)) if is_ready(table, current) else by_the_clock


def _has_no_bets(table: TableState, rhythm: Rhythm) -> bool:
    """Return whether the bets stay open until someone makes one."""
    return rhythm.waits and not table.game.layout and table.game.bets_open


def is_waiting(table: TableState) -> bool:
    """Return whether the round waits for its first bet, which starts the clock."""
    return table.round is not None and table.round.waits and not table.game.layout


def playing_in(table: TableState, current: Round) -> set[str]:
    """Return the players with chips on the layout whom the throw waits for: all who are present.

    It waits for those with a number in the round wherever they are, so that the public record can show that none of
    them was passed over.
    """
    on_the_layout = {player for stakes in table.game.layout.values() for player in stakes}
    return {player for player in on_the_layout if player not in table.away or player in current.players}


def is_ready(table: TableState, current: Round) -> bool:
    """Return whether every player whom the throw waits for is ready, and there is one."""
    if not current.ready or not current.players.keys() <= current.ready:
        return False
    return playing_in(table, current) <= current.ready


def _may_be_shut(table: TableState, rhythm: Rhythm, current: Round) -> datetime:
    """Return from when on bets may be shut because all are ready.

    A page whose player has wagers standing puts a number in as soon as a round opens. Players who put one into the
    previous round, and not yet into this one, have as long for it as they have to reveal it.
    """
    return current.opened + timedelta(seconds=0 if _all_are_in(table, current) else rhythm.numbers)


def _all_are_in(table: TableState, current: Round) -> bool:
    """Return whether everyone with a number in the previous round has one in this."""
    return table.lately <= current.players.keys()


def _is_over(table: TableState) -> bool:
    """Return whether no throw is to come: the table is closed, or closing with an empty layout."""
    told = table.game.facts.get("table")
    return told == "closed" or (told == "closing" and not table.game.layout)


class RunOn(AtTable, frozen=True, kw_only=True, tag="run_on"):
    """Take the next step of a table's round that is due; given by the clock.

    `lost`: the secret of the round is gone for good, as in an imported store, which holds no secrets. The round is
    given up; the record shows that permanently, and verification reports it.
    """

    lost: bool = False

    permits = ("house",)

    def decide(self, scene: Scene) -> Decided:
        table = scene.tables(self.table)
        when = due(table)
        if when is None or scene.at < when:
            return NOTHING_DUE
        assert table.rhythm is not None
        if table.round is None:
            return _open(scene, table, table.rhythm)
        name = secret_name(table.name, table.round.number)
        secret = scene.secret(name)
        if secret is None and (self.lost or table.is_shut or when == AT_ONCE):
            return _cancelled(table, table.round, None) if self.lost else _missing(table.round)
        if table.is_shut:
            assert secret is not None
            return _draw(scene, table, table.rhythm, table.round, secret)
        if when == AT_ONCE:
            return _cancelled(table, table.round, secret)
        return _go_on(scene, table, table.rhythm, table.round)


def _go_on(scene: Scene, table: TableState, rhythm: Rhythm, current: Round) -> Decided:
    """Take the step of a round whose bets are open."""
    if _has_no_bets(table, rhythm) and not current.brief:
        return Outcome({table_stream(table.name): [ClockSet(current.number, None)]})
    if is_ready(table, current) and scene.at >= _may_be_shut(table, rhythm, current):
        return _shut(scene, table, current, sorted(table.contributors[player] for player in current.ready))
    if current.waits:
        return _set_clock(scene, table, current, rhythm.open)
    if scene.at < current.closes:
        return Outcome({table_stream(table.name): [LastCalled(current.number, stamp(current.closes))]})
    if _is_late(scene, rhythm, current):
        return _announce_again(scene, table, rhythm, current)
    return _shut(scene, table, current)


def _set_clock(scene: Scene, table: TableState, current: Round, seconds: float) -> Decided:
    closes = stamp(scene.at + timedelta(seconds=seconds))
    return Outcome({table_stream(table.name): [ClockSet(current.number, closes)]})


def _open(scene: Scene, table: TableState, rhythm: Rhythm) -> Decided:
    """Open a round. If the game goes on without bets, as after Odds, the betting time is zero."""
    number, secret = table.rounds + 1, scene.entropy(SECRET_BYTES)
    seconds = rhythm.open if _takes_bets(scene, table) else 0.0
    opened = RoundOpened(
        number=number,
        commitment=commitment(table.name, number, secret, PROTOCOL),
        opened=stamp(scene.at),
        closes=stamp(scene.at + timedelta(seconds=seconds)),
        protocol=PROTOCOL,
        waits=seconds > 0 and _has_no_bets(table, rhythm),
    )
    return Outcome({table_stream(table.name): [opened]}, secrets={secret_name(table.name, number): secret})


def _takes_bets(scene: Scene, table: TableState) -> bool:
    betting = scene.shelf.game(table.game.terms[-1]).book.rules.betting
    return betting is None or table.game.bets_open


def _missing(current: Round) -> Refusal:
    return Refusal("secret_missing", f"The secret of round {current.number} is missing: the table cannot continue.")


def _cancelled(table: TableState, current: Round, secret: bytes | None) -> Decided:
    """Cancel a round and reveal its secret: the table was closed before the bets closed.

    A lost secret raises an alert.
    """
    shown = RoundCancelled(current.number, "" if secret is None else secret.hex(), bool(table.game.layout))
    told = (
        []
        if secret is not None
        else [AlertRaised(SECRET_LOST, f"abandoned round {current.number}: its secret is lost")]
    )
    return Outcome({table_stream(table.name): [shown, *told]}, secrets={secret_name(table.name, current.number): None})


def _is_late(scene: Scene, rhythm: Rhythm, current: Round) -> bool:
    """Return whether the closing time passed while the house was down, so that a new one must be announced."""
    longest = timedelta(seconds=rhythm.numbers) if current.brief else timedelta()
    is_late = scene.at > current.closes + longest + LATE
    return is_late and (rhythm.waits or current.calls < MOST_CALLS)


def _announce_again(scene: Scene, table: TableState, rhythm: Rhythm, current: Round) -> Decided:
    """Announce a new closing time, counted from now. Where no bets are taken, no last call is made either."""
    if current.brief:
        return _set_clock(scene, table, current, 0.0)
    closes = scene.at + timedelta(seconds=rhythm.open)
    return Outcome({table_stream(table.name): [LastCalled(current.number, stamp(closes))]})


def _shut(scene: Scene, table: TableState, current: Round, ready: Iterable[int] = ()) -> Decided:
    """Shut the bets; where the book closes them by a call, make that call too."""
    happened: list[StoredEvent] = []
    view = TableView(scene.shelf, table.game)
    if view.game.book.rules.betting is not None and table.game.bets_open:
        closed = decide_without_note(scene.shelf, table.game, commands.CloseBets(at=table.later(scene.at)))
        if isinstance(closed, Refusal):
            return closed
        happened.extend(closed)
    shut = BetsShut(current.number, tuple(sorted(current.numbers)), tuple(ready))
    return Outcome({table_stream(table.name): [*happened, shut]})


def _draw(scene: Scene, table: TableState, rhythm: Rhythm, current: Round, secret: bytes) -> Decided:
    """Draw the dice and settle everything that follows from them, in one write."""
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


# Players' own numbers

ALREADY_SHUT = Refusal("bets_shut", "The bets are shut already.")
NOT_PLAYING = Refusal("not_at_table", "Take a seat at this table first.")
NO_NUMBERS = Refusal("no_numbers", "This table takes no numbers: people throw the dice here.")
BAD_NUMBER = Refusal("bad_number", "A number and the commitment to it are 64 hexadecimal digits, in lower case.")
BAD_ROUND = Refusal("bad_number", "Name the round that the number is for.")
NOT_WITH_THIS = Refusal("bad_number", "Send a number with a wager, or on its own.")
SHUT = Refusal("bets_shut", "The bets are closed: it is too late to commit to a number.")
NOT_SHUT = Refusal("not_shut", "A number can be revealed only once the bets are closed.")
NOT_SEATED = Refusal("not_at_table", "Only players at the table can commit to a number.")
NO_WAGER = Refusal("no_wager", "You need a wager in the round to commit to a number.")
UNKNOWN = Refusal("unknown_number", "No player has committed to that number.")


def check_number(table: TableState, number: str | UnsetType, round: int | None, *, wagers: bool) -> Refusal | None:
    """Check whether a line may carry this commitment. The round itself is checked with the line."""
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
    """Return the outcome of a line together with the number that came with it."""
    if number is UNSET:
        return outcome
    assert table.round is not None, "a wager is for a round"
    events, stands = _put_in(table, table.round, player, number)
    stream = table_stream(table.name)
    happened = {**outcome.events, stream: [*outcome.events.get(stream, []), *events]}
    return structs.replace(outcome, events=happened, number=stands)


def _put_in(table: TableState, current: Round, player: str, number: str) -> tuple[list[StoredEvent], str | None]:
    """Accept one number for each person and round: the first one stays, and a copied commitment is not taken.

    A copy does no harm: anyone who knows the number can reveal it, whichever of the two came first.
    """
    if current.protocol < 2:
        return [], None
    stands = current.players.get(player) or (number if number in current.numbers else None)
    if stands is not None:
        return [], stands
    return [NumberCommitted(current.number, player, _contributor(table, player), number)], number


def _contributor(table: TableState, player: str) -> int:
    """Return the counter that stands for a player in the public record."""
    return table.contributors.get(player) or len(table.contributors) + 1


class PutInNumber(AtTable, frozen=True, kw_only=True, tag="put_in_number"):
    """Commit to your own number for a round, without a bet.

    For players with wagers from earlier rounds: `number` is the commitment. With a bet, send it along with the line.
    """

    round: RoundNumber
    number: Number

    permits = ("player",)
    api = Api("/tables/{table}/numbers", "Commit to your number for a round", {"round": 12, "number": "9f" * 32})

    def decide(self, scene: Scene) -> Decided:
        table, player = scene.tables(self.table), scene.asker.person
        refusal = check_number(table, self.number, self.round, wagers=True)
        if refusal is None and (PLAYER not in scene.asker.roles or player not in table.game.chips):
            refusal = NOT_SEATED
        if refusal is not None:
            return refusal
        current = table.round
        if current is None or self.round != current.number:
            return _round_over(self.round)
        if table.is_shut:
            return SHUT
        if not has_wagers(table, player):
            return NO_WAGER
        return with_number(table, player, self.number, Outcome({table_stream(table.name): []}))


# Ready: the bets may be shut before their time is over

RUN_BY_PEOPLE = Refusal("run_by_people", "People run this table: its dealer closes the bets.")
NONE_TAKEN = Refusal("bets_shut", "No bets are taken until a result is known, so there is nothing to be ready for.")
NOTHING_BET = Refusal("no_wager", "Place a bet first: then you can say that you are ready.")


class SayReady(AtTable, frozen=True, kw_only=True, tag="say_ready"):
    """Say that the bets of a round may be shut: "Roll". They are once every present player with chips down says so.

    With `ready` false, take it back; changing a wager does so too. `number` is the commitment to your own number for
    the round, as with a bet.
    """

    round: RoundNumber
    ready: bool = True
    number: Number | UnsetType = UNSET

    permits = ("player",)
    api = Api("/tables/{table}/ready", "Say that you are ready", {"round": 12})

    def decide(self, scene: Scene) -> Decided:
        table, player = scene.tables(self.table), scene.asker.person
        if table.rhythm is None:
            return RUN_BY_PEOPLE
        if PLAYER not in scene.asker.roles or player not in table.game.chips:
            return NOT_PLAYING
        current = table.round
        if current is None or self.round != current.number:
            return _round_over(self.round)
        if table.is_shut:
            return ALREADY_SHUT
        if current.brief or current.protocol < PROTOCOL:
            return NONE_TAKEN
        if not has_wagers(table, player):
            return NOTHING_BET
        refusal = check_number(table, self.number, self.round, wagers=True)
        if refusal is not None:
            return refusal
        events = [] if (player in current.ready) is self.ready else [_said(table, current, player, self.ready)]
        return with_number(table, player, self.number, Outcome({table_stream(table.name): events}))


def _said(table: TableState, current: Round, player: str, ready: bool) -> StoredEvent:
    return PlayerReady(current.number, player, _contributor(table, player), ready)


def with_readiness(table: TableState, player: str, outcome: Outcome, decision: tuple[AnyEvent, ...]) -> Outcome:
    """Return the outcome of a line about a player's wagers with what it makes of their readiness.

    A change takes readiness back. A player who has taken the last wager down holds no one up, and so counts as ready
    if a number of theirs is in the round.
    """
    current = table.round
    if current is None or current.brief:
        return outcome
    was_ready = player in current.ready
    is_ready = False
    if player in current.players and any(isinstance(event, WagerReduced) for event in decision):
        after = evolve_all(table.game, decision)
        is_ready = not any(player in stakes for stakes in after.layout.values())
    if was_ready is is_ready:
        return outcome
    stream = table_stream(table.name)
    happened = [*outcome.events.get(stream, []), _said(table, current, player, is_ready)]
    return structs.replace(outcome, events={**outcome.events, stream: happened})


def has_wagers(table: TableState, player: str) -> bool:
    """Return whether a player has a wager on the layout."""
    return any(player in stakes for stakes in table.game.layout.values())


class ShowNumber(AtTable, frozen=True, kw_only=True, tag="show_number"):
    """Reveal your own number for a round, once its bets are shut and before the dice are drawn."""

    round: RoundNumber
    number: Number

    permits = ("player", "seated")
    api = Api("/tables/{table}/numbers/show", "Reveal your number for a round", {"round": 12, "number": "3c" * 32})

    def decide(self, scene: Scene) -> Decided:
        table = scene.tables(self.table)
        if table.rhythm is None:
            return NO_NUMBERS
        own, current = in_bytes(self.number), table.round
        if own is None:
            return BAD_NUMBER
        if current is None or self.round != current.number:
            return _round_over(self.round)
        if not table.is_shut:
            return NOT_SHUT
        committed = number_commitment(table.name, current.number, own)
        if committed not in current.numbers:
            return UNKNOWN
        events: list[StoredEvent] = []
        if not current.numbers[committed]:
            events.append(NumberShown(current.number, scene.asker.person, committed, self.number))
        return Outcome({table_stream(table.name): events}, number=committed)


def _round_over(number: int) -> Refusal:
    return Refusal("round_over", f"Round {number} is over.")


def waits_for_numbers(table: TableState, current: Round) -> bool:
    """Return whether a number is still to come.

    That is one that was committed and not revealed; in a round without bets, one of a player who committed a number to
    the previous round. The public record does not show who has wagers, so it waits for those who have none left too.
    """
    if current.shut is not None:
        return not all(current.numbers.values())
    return current.brief and not _all_are_in(table, current)
