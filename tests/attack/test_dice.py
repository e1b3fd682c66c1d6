"""A house that tries to choose its dice: by what it writes, by a backup, by its own accounts, by withheld numbers."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from croupier.cli.main import main
from croupier.house import orders
from croupier.house.electronic.fair_dice import NUMBER_BYTES, Face, drawn, mixed, number_commitment
from croupier.house.electronic.verification import Verdict
from croupier.house.events import DiceDrawn, Rhythm, RoundOpened
from croupier.house.house import House
from croupier.house.live_streams import Restored
from croupier.house.names import table_stream
from croupier.house.orders import Submission
from croupier.house.orders.rounds import secret_name
from croupier.store.opening import open_store
from croupier.store.records import Committed
from tests.attack.conftest import Held
from tests.electronic import PLAYERS, STREAM, TABLE, Running, own_commitment, own_number, verified
from tests.houses import SHELF, TestHouse

CRAPS = "craps-nsw-2024"
HONEST, OWN = PLAYERS  # the second is one of the house's own
LINE = {"do": "bet", "wager": "field", "amount": "1.00"}
FACES, DICE = (1, 2, 3, 4, 5, 6), 2
SEVEN = 7
ROUNDS, TRIES = 100, 30

Throw = tuple[Face, ...]


def to_the_last_moment(running: Running) -> None:
    """Play until the next step would close the bets."""
    running.step()
    running.step()


def after(running: Running, step: int) -> Throw:
    """What would be thrown if the house wrote the record that closes the bets with another id, at another time."""
    house = House(SHELF)
    name = secret_name(TABLE, running.house.table(TABLE).rounds)
    secret = running.house.secret(name)
    assert secret is not None
    for stream in (STREAM, *(f"account/{player}" for player in PLAYERS)):
        state = Restored(running.house.state(stream), running.house.head(stream))
        house.take_in(stream, [], {name: secret}, state)
    now, chance = running.now + timedelta(seconds=5, microseconds=7919 * step), random.Random(step)
    while house.table(TABLE).round is not None:
        order = Submission(id=f"ground {step} {chance.random()}", order=orders.RunOn(table=TABLE))
        pending = house.decide(order, now, chance.randbytes)
        assert pending.answer["ok"], pending.answer
        for entry in pending.drafted[STREAM].entries:
            if isinstance(entry.document.event, DiceDrawn):
                return entry.document.event.faces
        house.settle(pending, Committed(()))
        now += timedelta(seconds=5)
    raise AssertionError("nothing was drawn")


def total(throw: Throw) -> int:
    return sum(int(face) for face in throw)


def test_ids_and_times(held: Held) -> None:
    """Trying 100 rounds for a total of 7 by varying the id and the time of the record that closes the bets."""
    running, ground, honest = Running(CRAPS, 5, Rhythm()), 0, 0
    for _ in range(ROUNDS):
        to_the_last_moment(running)
        tried = {after(running, step) for step in range(TRIES)}
        ground += any(total(throw) == SEVEN for throw in tried)
        honest += total(after(running, 0)) == SEVEN
        running.step()
        running.step()
    assert ground == honest
    assert ground < ROUNDS / 2
    held(f"whatever is varied the throw is the same: {ground} of {ROUNDS} rounds fell 7, as many as unground")


def restored(backup: Path, seed: str, shows: str | None = None) -> tuple[str, Throw, list[str]]:
    """Continue from a backup: the commitment of the first round, its throw, and the numbers it was drawn with."""
    with closing(open_store(f"sqlite:{backup}")) as store:
        house = TestHouse(store, seed)
        house.at += timedelta(milliseconds=random.Random(seed).randrange(1, 2000))
        house.load(table_stream("clock"))
        house.until(lambda: house.house.table("clock").is_shut)
        if shows is not None:
            house.ok(orders.ShowNumber(table="clock", round=1, number=own_number(shows, 1).hex()), shows)
        house.wait(60)
        happened = house.events(table_stream("clock"))
    opened = next(event for event in happened if isinstance(event, RoundOpened))
    shown = next(event for event in happened if isinstance(event, DiceDrawn))
    return opened.commitment, shown.faces, list(getattr(shown, "numbers", ()))


def backed_up(folder: Path, *, number: bool) -> tuple[Throw, Path]:
    """Someone bets, the store is backed up, and the round goes on. Return its throw and the backup."""
    address = f"sqlite:{folder / 'house.db'}"
    with closing(open_store(address)) as store:
        house = TestHouse(store)
        ann, table = house.person("ann"), house.clock_table(CRAPS)
        house.ok(orders.Sit(table=table, cents=100_00), ann)
        house.wait(1)
        bet = orders.Say(table=table, line=LINE, round=1)
        if number:
            bet = orders.Say(table=table, line=LINE, round=1, number=own_commitment(table, ann, 1))
        house.ok(bet, ann)
        assert main(["backup", address, str(folder / "backup.db")]) == 0
        house.until(lambda: house.house.table(table).is_shut)
        if number:
            house.ok(orders.ShowNumber(table=table, round=1, number=own_number(ann, 1).hex()), ann)
        house.wait(5)
        drawn_first = next(event for event in house.events(table_stream(table)) if isinstance(event, DiceDrawn))
    return drawn_first.faces, folder / "backup.db"


def copies(backup: Path, folder: Path) -> Iterator[Path]:
    for number in range(4):
        copy = folder / f"again-{number}.db"
        copy.write_bytes(backup.read_bytes())
        yield copy


def test_restoring(tmp_path: Path, held: Held) -> None:
    """Restoring a backup of an open round, to draw it again."""
    first, backup = backed_up(tmp_path, number=False)
    again = {restored(copy, f"seed {number}")[:2] for number, copy in enumerate(copies(backup, tmp_path))}
    assert {throw for _, throw in again} == {first}
    assert len({committed for committed, _ in again}) == 1
    held("each time the same throw")


def test_restoring_with_a_number(tmp_path: Path, held: Held) -> None:
    """Restoring a backup of an open round to which a player has contributed a number."""
    first, backup = backed_up(tmp_path, number=True)
    shown, *without = copies(backup, tmp_path)
    again = [restored(copy, f"seed {number}") for number, copy in enumerate(without)]
    assert len({throw for _, throw, _ in again}) == 1
    assert all(numbers == [""] for _, _, numbers in again), "the player showed it, and sees that it is missing now"
    assert restored(shown, "the page shows it again", shows="ann")[1] == first
    held("with the player's number the same throw; without it one other, and the record says that it is missing")


# -- accounts of the house's own --------------------------------------------------------------------------------------


class Crooked(Running):
    """A house that knows the secret of each round, and plays at its own table through a second account."""

    def bets(self, own: bytes | None) -> None:
        """Both players bet in a round that has just begun; the house does not know the honest player's number."""
        self.step()
        number = self.house.table(TABLE).rounds
        theirs = own_commitment(TABLE, HONEST, number)
        self.ask(orders.Say(table=TABLE, line=LINE, round=number, number=theirs), HONEST)
        if own is not None:
            committed = number_commitment(TABLE, number, own)
            self.ask(orders.Say(table=TABLE, line=LINE, round=number, number=committed), OWN)

    def would_fall(self, shown: dict[str, str]) -> Throw:
        """What the house can compute: the throw that these numbers would give."""
        current = self.house.table(TABLE).round
        assert current is not None
        secret = self.house.secret(secret_name(TABLE, current.number))
        assert secret is not None
        rows = [(committed, shown.get(committed, "")) for committed in sorted(current.numbers)]
        return drawn(secret, mixed(TABLE, current.number, rows), FACES, DICE)

    def shut(self) -> None:
        while not self.house.table(TABLE).is_shut:
            self.step()

    def verdict(self) -> Verdict:
        return verified(CRAPS, self.stored[STREAM])


def test_own_numbers(held: Held) -> None:
    """Choosing the number of the house's own account by the secret, so that the throw would be a 7."""
    running, sevens = Crooked(CRAPS, 8, Rhythm()), 0
    chance = random.Random(3)
    for _ in range(300):
        running.bets(None)
        number = running.house.table(TABLE).rounds
        for _ in range(60):  # what it has in mind for its own number, if only the other did not count
            own = chance.randbytes(NUMBER_BYTES)
            committed = number_commitment(TABLE, number, own)
            secret = running.house.secret(secret_name(TABLE, number))
            theirs = own_commitment(TABLE, HONEST, number)
            assert secret is not None
            rows = sorted([(committed, own.hex()), (theirs, "")])
            if total(drawn(secret, mixed(TABLE, number, rows), FACES, DICE)) == SEVEN:
                break
        running.ask(orders.Say(table=TABLE, line=LINE, round=number, number=committed), OWN)
        running.shut()
        assert running.show(HONEST)["ok"]
        running.ask(orders.ShowNumber(table=TABLE, round=number, number=own.hex()), OWN)
        running.step()
        sevens += total(running.house.table(TABLE).results[-1].faces or ()) == SEVEN
    assert abs(sevens - 50) < 4 * (300 * 5 / 36) ** 0.5
    assert running.verdict().findings == ()
    held(f"{sevens} of 300 rounds fell 7, and 50 is what chance gives")


def test_holding_own_numbers_back(held: Held) -> None:
    """Withholding the number of the house's own account whenever it would make the throw a 7."""
    running, missing = Crooked(CRAPS, 9, Rhythm()), Counter[str]()
    for _ in range(60):
        number = running.house.table(TABLE).rounds + 1
        own = own_number(OWN, number)
        running.bets(own)
        running.shut()
        assert running.show(HONEST)["ok"]
        shown = {own_commitment(TABLE, who, number): own_number(who, number).hex() for who in PLAYERS}
        if total(running.would_fall(shown)) == SEVEN:
            missing[OWN] += 1
        else:
            assert running.show(OWN)["ok"]
        running.step()
    numbers = running.verdict().numbers
    assert numbers.missing == missing[OWN] > 0
    assert [one.contributor for one in numbers.suspected] == [2]
    assert numbers.contributors[1].missing == 0
    held(f"all {numbers.missing} are reported as missing, and whose they are stands out")


def test_pretending_that_a_number_did_not_come(held: Held) -> None:
    """Leaving out a player's number although it arrived."""
    running = Crooked(CRAPS, 10, Rhythm())
    running.bets(None)
    running.shut()
    running.step()
    shown = next(
        pending.document
        for pending in running.stored[STREAM]
        if b'"dice_drawn"' in pending.document  # what every page and client hears
    )
    assert b'"numbers":[""]' in shown
    numbers = running.verdict().numbers
    assert (numbers.put_in, numbers.missing) == (1, 1)
    held("the record says that it is missing, and the page of that player that it was sent")


def test_copying_a_commitment(held: Held) -> None:
    """Copying a player's commitment and sending it first from another account, so that the player's own looks like the
    copy.
    """
    running = Crooked(CRAPS, 11, Rhythm())
    running.step()
    theirs = own_commitment(TABLE, HONEST, 1)
    running.ask(orders.Say(table=TABLE, line=LINE, round=1, number=theirs), OWN)
    told = running.ask(orders.Say(table=TABLE, line=LINE, round=1, number=theirs), HONEST)
    assert told["number"] == theirs
    running.shut()
    assert running.show(HONEST)["ok"]
    running.step()
    numbers = running.verdict().numbers
    assert (numbers.put_in, numbers.missing) == (1, 0)
    held("who knows the number shows it, and it is in the throw")
