"""The ways in which a dishonest house tries to cheat, one at a time, each from a seed.

Each cheat follows some honest rounds, and reports whether the house got what it wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import combinations
from random import Random
from typing import NamedTuple

import msgspec

from croupier.contract import replies
from croupier.fault_simulation.dishonest.house import (
    MOST_TRIES,
    NO_ANSWER,
    STREAM,
    TABLE,
    Backup,
    CrookedHouse,
    Numbers,
)
from croupier.fault_simulation.dishonest.limits import (
    AFTER_THE_LAST_RECEIPT,
    FRESH_ACCOUNTS,
    KEPT_BACK,
    NEVER_SAW_THE_KEY,
    NO_ANSWER_NO_RECEIPT,
    NO_HONEST_NUMBER,
    ONLY_ITS_PLAYER_KNOWS,
    SERVED_PAGE,
)
from croupier.fault_simulation.dishonest.night import MOST_ROUNDS, Night
from croupier.fault_simulation.dishonest.players import Player
from croupier.fault_simulation.dishonest.verdict import Defences, Verdict, evidence
from croupier.house import orders
from croupier.house.electronic.dice import SECRET_BYTES
from croupier.house.events import BetsShut, RoundCancelled
from croupier.house.orders import Order
from croupier.house.orders.rounds import secret_name
from croupier.house.stored_events import StoredEvent, decode
from croupier.rulebooks import ids
from croupier.rules.shelf import Shelf
from croupier.store.records import Record
from croupier.table.event_views import Told
from croupier.table.events import Noted

ROUNDS = 24  # for a cheat that has to work repeatedly
REDRAWS = 24
HONEST = 12  # rounds that establish how rarely a number is missing
CROWD = 12  # house-owned accounts in one round
MORE_PLAYERS = ("cleo", "dan", "eve", "finn")
ENOUGH = 3  # times: a cheat used this rarely shows no pattern


class Tried(NamedTuple):
    """Whether a cheat worked, and how it was tried."""

    worked: bool
    how: str


Try = Callable[[Night], Tried]


class Cheat(NamedTuple):
    """One way to cheat. `admitted` is the known limit that it shows; `numbers`: honest players contribute numbers."""

    name: str
    attempt: Try
    admitted: str | None = None
    numbers: bool = True


# -- restore and draw again -------------------------------------------------------------------------------------------


def _redraw(night: Night) -> Tried:
    """Restore and redraw, with other ids, at other times, and with the players' numbers, which are known by then."""
    house = night.house
    own = house.new_account()
    night.open_with_bets()
    before = house.backup()
    house.shut()
    shown = house.round.numbers
    first = house.draw()
    as_it_was = house.backup()
    for _ in range(REDRAWS):
        again = _drawn_again(night, before, shown, own)
        if again != first:
            return Tried(True, f"restored a backup of an open round and drew it again: {again}, not {first}")
    house.restore(as_it_was)
    return Tried(False, f"restored a backup of an open round and drew it again {REDRAWS} times: always the same throw")


def _drawn_again(night: Night, before: Backup, shown: Numbers, own: str) -> tuple[object, ...]:
    house = night.house
    house.restore(before)
    house.now += timedelta(milliseconds=house.random.randrange(1, 900))
    house.shut()
    for number in shown.values():
        if number:
            house.show(number, own)
    fell = house.draw()
    night.seal()
    return fell


def _redraw_with_own_number(night: Night) -> Tried:
    """Restore and add a number of its own that makes the throw: by then the house knows all the others."""
    house = night.house
    own = house.new_account()
    house.seat(own)
    night.open_with_bets()
    before = house.backup()
    house.shut()
    shown = house.round.numbers
    house.draw()
    night.seal()
    house.restore(before)
    number = house.choose(shown)
    if not house.put_in(own, number):
        return Tried(False, "could not put a number of its own in")
    house.shut()
    for each in (*shown.values(), number.hex()):
        if each:
            house.show(each, own)
    liked = house.likes(house.draw())
    night.seal()
    return Tried(liked, "restored a backup of an open round, and put a number of its own in that made the throw")


# -- house-owned accounts ---------------------------------------------------------------------------------------------


def _grind(night: Night) -> Tried:
    """Choose a house-owned account's number by the secret. The house cannot know which numbers players will show."""
    return _chosen(night, lambda: {}, "chose its own account's number by the secret")


def _serve_a_page(night: Night) -> Tried:
    """Choose a number with the help of rigged pages, which tell the house the players' numbers."""

    def known() -> Numbers:
        drawn = [player.drawn for player in night.players if player.drawn]
        return {night.house.committed(number): number.hex() for number in drawn}

    return _chosen(night, known, "served pages that gave numbers away")


def _chosen(night: Night, known: Callable[[], Numbers], how: str) -> Tried:
    """Play rounds with a chosen number, which makes the throw if the house knows all other numbers."""
    house = night.house
    own = house.new_account()
    house.seat(own)
    liked = played = 0
    while played < ROUNDS:
        night.open_with_bets()
        others = dict(house.round.numbers)
        others |= {committed: number for committed, number in known().items() if committed in others}
        number = house.choose(others)
        is_in = house.put_in(own, number)
        house.shut()
        house.show(number.hex(), own)
        fell = house.draw()
        played += is_in
        liked += is_in and house.likes(fell)
    night.seal()
    return Tried(liked >= ROUNDS - 1, f"{how}: {liked} of {ROUNDS} throws it liked")


def _close(night: Night) -> Tried:
    """Close the table whenever the house dislikes the coming throw, and reopen it."""
    house, fell = night.house, list[bool]()
    while len(fell) < ROUNDS:
        night.open_with_bets()
        if house.likes(house.would_fall(dict(house.round.numbers))):
            house.shut()
            fell.append(house.likes(house.draw()))
        else:
            house.write(Noted({"table": "closed"}, ""))
            house.step()
            house.write(Noted({"table": None}, ""))
    night.seal()
    how = f"closed the table where it did not like the throw: {sum(fell)} of {ROUNDS} it liked"
    return Tried(sum(fell) >= ROUNDS - 1, how)


def _choose_secret(night: Night) -> Tried:
    """Try secrets until one makes a throw that the house likes, and open the round with it."""
    house, liked = night.house, 0
    for _ in range(ROUNDS):
        night.open(lambda size: _liked_secret(house, size))
        night.everybody_bets()
        house.shut()
        liked += house.likes(house.draw())
    night.seal()
    return Tried(liked >= ROUNDS - 1, f"tried secrets before it opened rounds: {liked} of {ROUNDS} throws it liked")


def _liked_secret(house: CrookedHouse, size: int) -> bytes:
    if size != SECRET_BYTES:
        return house.random.randbytes(size)
    for _ in range(MOST_TRIES):
        secret = house.random.randbytes(size)
        if house.likes(house.fall_of(house.table.rounds + 1, {}, secret)):
            break
    return secret


def _hold_back(night: Night) -> Tried:
    """Show a house-owned account's number only if the house likes the resulting throw."""
    house = night.house
    own = house.new_account()
    house.seat(own)
    gained = sum(_held_back(night, own) for _ in range(ROUNDS))
    night.seal()
    return Tried(
        gained > 0, f"held its own account's number back in {gained} of {ROUNDS} rounds, and had another throw"
    )


def _hold_back_afresh(night: Night) -> Tried:
    """Hold back a number, with a new account each time."""
    house, gained = night.house, 0
    for _ in range(ROUNDS):
        own = house.new_account()
        house.seat(own)
        gained += _held_back(night, own)
        if gained == ENOUGH:
            break
    night.seal()
    return Tried(gained > 0, f"held back the numbers of {gained} accounts of its own, each once, and had other throws")


def _held_back(night: Night, own: str) -> bool:
    """Play a round; return whether holding back the number changed the throw."""
    house = night.house
    for _ in range(MOST_ROUNDS):
        night.open_with_bets()
        number = house.random.randbytes(32)
        is_in = house.put_in(own, number)
        house.shut()
        with_it = house.would_fall(house.round.numbers | {house.committed(number): number.hex()})
        shows = not is_in or house.likes(with_it)
        if shows:
            house.show(number.hex(), own)
        fell = house.draw()
        if is_in:
            return not shows and fell != with_it
    return False


def _hold_back_many(night: Night) -> Tried:
    """Hold back half of the numbers of many new accounts in one round: each choice of half gives another throw."""
    house = night.house
    crowd = [house.new_account() for _ in range(CROWD)]
    for own in crowd:
        house.seat(own)
    for _ in range(HONEST):
        night.honest_round()
    numbers: dict[str, bytes] = {}
    while not numbers:
        night.open_with_bets()
        mine = {own: house.random.randbytes(32) for own in crowd}
        numbers = {own: number for own, number in mine.items() if house.put_in(own, number)}
        house.shut()
    for shown in combinations(numbers, len(numbers) // 2):
        known = {house.committed(numbers[own]): numbers[own].hex() for own in shown}
        if house.likes(house.would_fall(house.round.numbers | known)):
            break
    for own in shown:
        house.show(numbers[own].hex(), own)
    liked = house.likes(house.draw())
    night.seal()
    return Tried(liked, f"held back {len(numbers) - len(shown)} of the numbers of {len(numbers)} accounts of its own")


# -- bets -------------------------------------------------------------------------------------------------------------


def _drop_bet(night: Night) -> Tried:
    """Accept a bet, then restore a backup from before it."""
    house = night.house
    night.open_with_bets()
    before = house.backup()
    for _ in range(MOST_ROUNDS):
        if night.ann.bet():
            break
        house.shut()
        house.draw()
        night.open()
        before = house.backup()
    house.restore(before)
    house.shut()
    house.draw()
    night.seal()
    return Tried(True, "took a bet, gave its receipt, and restored a backup from before it")


def _swallow_bet(night: Night) -> Tried:
    """Accept a bet, sign somebody else's event for it, and write nothing."""
    house = night.house
    night.open_with_bets()
    house.swallows = True
    taken = night.ann.bet()
    house.swallows = False
    house.shut()
    house.draw()
    night.seal()
    return Tried(taken, "accepted a bet, gave a receipt of another record, and wrote nothing")


def _never_answer(night: Night) -> Tried:
    """Leave unwanted bets unanswered."""
    house = night.house
    night.open_with_bets()
    house.instead = lambda order: NO_ANSWER if isinstance(order, orders.Say) else None
    wanted = night.ann.bet()
    house.instead = _as_ordered
    house.shut()
    house.draw()
    night.seal()
    return Tried(not wanted, "answered no bet of one player in the last seconds of a round")


def _reorder_bets(night: Night) -> Tried:
    """Restore a backup from before two bets, and enter them in reverse order."""
    house = night.house
    night.open()
    for _ in range(MOST_ROUNDS):
        before = house.backup()
        if night.ann.bet() and night.ben.bet():
            break
        house.shut()
        house.draw()
        night.open()
    house.restore(before)
    for player in (night.ben, night.ann):
        house.carry_out(house.submission(player.bets[-1], player.name))
    house.shut()
    house.draw()
    night.seal()
    return Tried(True, "took two bets, and entered them again the other way round")


def _bet_late(night: Night) -> Tried:
    """Write a bet of its own once it knows the coming throw."""
    return _written_late(night)[0]


def _bet_late_by_another_name(night: Night) -> Tried:
    """Write a late bet, and publish it as something else."""
    tried, versions = _written_late(night)
    night.house.lies |= dict.fromkeys(versions, "noted")
    return Tried(tried.worked, f"{tried.how}, and said that the record was of another kind")


def _written_late(night: Night) -> tuple[Tried, list[int]]:
    """Decide the bet in a copy where betting is open, and write it where betting is closed."""
    house = night.house
    own = house.new_account()
    house.seat(own)
    made: list[StoredEvent] = []
    while not made:
        night.open_with_bets()
        before, listening = house.backup(), house.listening
        house.restore(before)
        taken = house.bet(lambda order: house.carry_out(house.submission(order, own)), lambda: None)
        written = [decode(record.document).event for record in house.store.read(STREAM)]
        house.restore(before)
        house.listening = listening
        house.shut()
        if taken is not None:
            made = written[before.store.head(STREAM).version :]
        else:
            house.draw()
    versions = [house.write(event, own) for event in made]
    house.draw()
    night.seal()
    return Tried(True, "wrote a bet of its own account after the bets were shut, when it knew the throw"), versions


# -- players' numbers -------------------------------------------------------------------------------------------------


def _refuse(order: Order) -> Told | None:
    return NO_ANSWER if isinstance(order, orders.ShowNumber) else None


def _withhold_taken(night: Night) -> Tried:
    """Accept a player's number, and draw without it."""
    house = night.house
    night.open_with_bets()
    before = house.backup()
    house.shut()
    house.restore(before)
    house.shut()
    missing = "" in house.round.numbers.values()
    house.draw()
    night.seal()
    return Tried(missing, "took the numbers of all players, gave receipts, and drew without them from a backup")


def _withhold(night: Night) -> Tried:
    """Pretend that a player's number did not arrive."""
    house = night.house
    night.open_with_bets()
    house.instead = _refuse
    house.shut()
    missing = "" in house.round.numbers.values()
    house.draw()
    night.seal()
    return Tried(missing, "gave no answer when players showed their numbers, and drew without them")


def _withhold_all_and_choose(night: Night) -> Tried:
    """Add a number that makes the throw if no other is shown, and pretend that none arrived."""
    house = night.house
    own = house.new_account()
    house.seat(own)
    for _ in range(MOST_ROUNDS):
        night.open_with_bets()
        number = house.choose(dict(house.round.numbers))
        if house.put_in(own, number):
            break
        house.shut()
        house.draw()
    house.instead = _refuse
    house.shut()
    house.show(number.hex(), own)
    liked = house.likes(house.draw())
    night.seal()
    return Tried(liked, "chose its own account's number, and took no other")


def _withhold_from_many(night: Night) -> Tried:
    """Do the same at a full table, where so many numbers are almost never missing."""
    night.welcome(*MORE_PLAYERS)
    for _ in range(HONEST):
        night.honest_round()
    return _withhold_all_and_choose(night)


def _lure(night: Night, *, signs: bool) -> Tried:
    """Tell all players that bets are closed, to get their numbers, and then add a number that makes the throw."""
    house = night.house
    own = house.new_account()
    house.seat(own)
    night.open_with_bets()
    caught: Numbers = {}

    def catch(order: Order) -> Told | None:
        if not isinstance(order, orders.ShowNumber):
            return None
        committed = house.committed(bytes.fromhex(order.number))
        caught[committed] = order.number
        return {"ok": True, "number": committed}

    false = house.lie(BetsShut(house.round.number, tuple(sorted(house.round.numbers))))
    house.false, house.signs_lies, house.instead = false, signs, catch
    for player in night.players:
        player.told(_as_told(false, house))
    house.false, house.instead = None, _as_ordered
    number = house.choose(caught)
    is_in = house.put_in(own, number)
    house.shut()
    house.show(number.hex(), own)
    liked = house.likes(house.draw())
    night.seal()
    signed = "signed it" if signs else "did not sign it"
    worked = bool(caught) and is_in and liked
    return Tried(worked, f"told players that the bets were shut before they were, and {signed}: {len(caught)} numbers")


def _as_told(false: Record, house: CrookedHouse) -> replies.Entry:
    row = msgspec.json.decode(false.document)["event"]
    return replies.Entry(version=false.version, hash=false.hash.hex(), at=house.now, type=row["type"], events=[row])


def _as_ordered(_: Order) -> Told | None:
    """Act honestly again."""
    return None


# -- history and key --------------------------------------------------------------------------------------------------


def _rewrite_tail(night: Night) -> Tried:
    """Restore a backup from some rounds ago, and play others."""
    house = night.house
    before = house.backup()
    for _ in range(2):
        night.honest_round()
    house.restore(before)
    for _ in range(3):
        night.honest_round()
    return Tried(True, "took two rounds back, and wrote three others in their place")


def _rewrite_what_nobody_holds(night: Night) -> Tried:
    """Undo what came after the last receipt, once all players have left."""
    house = night.house
    own = house.new_account()
    house.seat(own)
    house.listening = []
    night.seal()
    before = house.backup()
    house.open()
    house.shut()
    house.draw()
    house.restore(before)
    house.open()
    house.shut()
    house.draw()
    return Tried(True, "took back a round that was played after all players had gone, before the next checkpoint")


def _two_pasts(night: Night) -> Tried:
    """Show two players two different histories."""
    house, ann, ben = night.house, night.ann, night.ben
    night.open_with_bets()
    before = house.backup()
    house.listening = [ann]
    house.shut()
    house.draw()
    house.restore(before)
    house.listening = [ben]
    house.shut()
    house.draw()
    night.seal()
    return Tried(True, "drew a round once for each of two players")


def _swap_key(night: Night) -> Tried:
    """Rewrite the history under another key."""
    house = night.house
    before = house.backup()
    night.honest_round()
    house.restore(before)
    house.swap_key()
    house.listening = list(night.players)
    night.honest_round()
    return Tried(True, "took a round back, and sealed and signed everything with another key")


def _swap_key_for_newcomers(night: Night) -> Tried:
    """Rewrite the history under another key, which only a newcomer looks at."""
    house = night.house
    before = house.backup()
    night.honest_round()
    house.restore(before)
    house.swap_key()
    night.players[:] = [Player("new", house, numbers=night.defences.numbers, receipts=night.defences.receipts)]
    night.honest_round()
    return Tried(True, "took a round back, and signed everything with another key before a newcomer came")


# -- visible in the public record alone -------------------------------------------------------------------------------


def _cancel(night: Night) -> Tried:
    """Cancel a round whose throw the house dislikes: without players' numbers, it knows the throw."""
    house = night.house
    night.open_with_bets()
    number, secret = house.round.number, house.secret
    house.write(RoundCancelled(number, secret.hex(), standing=False), forgets=(secret_name(TABLE, number),))
    night.honest_round()
    return Tried(True, "cancelled a round with bets standing, and said that none stood")


def _swap_secret(night: Night) -> Tried:
    """Draw with another secret than the one it committed to."""
    house = night.house
    night.open_with_bets()
    house.shut()
    for _ in range(MOST_TRIES):
        secret = house.random.randbytes(SECRET_BYTES)
        if house.likes(house.would_fall(house.round.numbers, secret)):
            break
    house.swap_secret(secret)
    liked = house.likes(house.draw())
    night.seal()
    return Tried(liked, "drew with another secret than it had committed to")


CHEATS = (
    Cheat("restore and redraw", _redraw),
    Cheat("restore and redraw with a number of its own", _redraw_with_own_number),
    Cheat("grind with an account of its own", _grind),
    Cheat("grind where no honest number is", _grind, NO_HONEST_NUMBER, numbers=False),
    Cheat("serve a page that gives numbers away", _serve_a_page, SERVED_PAGE),
    Cheat("close the table", _close),
    Cheat("close the table where no honest number is", _close, NO_HONEST_NUMBER, numbers=False),
    Cheat("choose the secret", _choose_secret),
    Cheat("choose the secret where no honest number is", _choose_secret, NO_HONEST_NUMBER, numbers=False),
    Cheat("hold back a number of its own", _hold_back),
    Cheat("hold back numbers, each of a new account", _hold_back_afresh, FRESH_ACCOUNTS),
    Cheat("hold back many numbers at once, each of a new account", _hold_back_many),
    Cheat("drop a bet", _drop_bet),
    Cheat("swallow a bet", _swallow_bet, KEPT_BACK),
    Cheat("give a bet no answer", _never_answer, NO_ANSWER_NO_RECEIPT),
    Cheat("reorder bets", _reorder_bets),
    Cheat("bet late", _bet_late),
    Cheat("bet late by another name", _bet_late_by_another_name, KEPT_BACK),
    Cheat("withhold a number that was taken", _withhold_taken),
    Cheat("withhold a number", _withhold, ONLY_ITS_PLAYER_KNOWS),
    Cheat("withhold all numbers and choose", _withhold_all_and_choose, ONLY_ITS_PLAYER_KNOWS),
    Cheat("withhold all numbers of a full table and choose", _withhold_from_many),
    Cheat("lure a number", lambda night: _lure(night, signs=False)),
    Cheat("lure a number with a false receipt", lambda night: _lure(night, signs=True)),
    Cheat("rewrite the tail", _rewrite_tail),
    Cheat("rewrite what nobody holds", _rewrite_what_nobody_holds, AFTER_THE_LAST_RECEIPT),
    Cheat("show two pasts", _two_pasts),
    Cheat("swap the key", _swap_key),
    Cheat("swap the key before somebody comes", _swap_key_for_newcomers, NEVER_SAW_THE_KEY),
    Cheat("cancel with bets standing", _cancel),
    Cheat("swap the secret", _swap_secret),
)


def tried(cheat: Cheat, seed: int, shelf: Shelf, defences: Defences | None = None) -> Verdict:
    """Try one cheat from one seed, which decides the book and everything that happens; return the verdict."""
    defences = defences or Defences()
    random = Random(f"{cheat.name} {seed}")
    book = ids()[seed % len(ids())]
    night = Night(shelf, book, random, defences, numbers=cheat.numbers)
    worked, how = cheat.attempt(night)
    found = tuple(evidence(night.house, night.players, defences))
    return Verdict(cheat.name, seed, book, worked, how, found, cheat.admitted)


def all_tried(seed: int, shelf: Shelf) -> Iterator[Verdict]:
    """Try every cheat from one seed."""
    return (tried(cheat, seed, shelf) for cheat in CHEATS)
