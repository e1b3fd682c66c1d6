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
from croupier.contract.replies import Done, OrderReply
from croupier.fault_simulation.dishonest.dishonest_house import (
    MOST_TRIES,
    NO_ANSWER,
    STREAM,
    TABLE,
    Backup,
    DishonestHouse,
    Numbers,
)
from croupier.fault_simulation.dishonest.players import MOST_ROUNDS, Defences, HonestPlayer, Trial
from croupier.fault_simulation.dishonest.verdict import (
    AFTER_THE_LAST_RECEIPT,
    FRESH_ACCOUNTS,
    KEPT_BACK,
    NEVER_SAW_THE_KEY,
    NO_ANSWER_NO_RECEIPT,
    NO_HONEST_NUMBER,
    ONLY_ITS_PLAYER_KNOWS,
    SERVED_PAGE,
    STOPS,
    Verdict,
    evidence,
)
from croupier.house import orders
from croupier.house.electronic.fair_dice import PROTOCOL, SECRET_BYTES, commitment
from croupier.house.events import BetsShut, RoundCancelled, RoundOpened
from croupier.house.orders import Order
from croupier.house.orders.rounds import secret_name
from croupier.house.stored_events import StoredEvent, decode, stamp
from croupier.rulebooks import ids
from croupier.rules.shelf import Shelf
from croupier.store.records import Record, Secret
from croupier.table.commands import CloseBets
from croupier.table.decide import decide_without_note
from croupier.table.events import Noted
from croupier.table.refusals import Refusal

ROUNDS = 24  # for a cheat that has to work repeatedly
REDRAWS = 24
HONEST = 12  # rounds that establish how rarely a number is missing
CROWD = 12  # house-owned accounts in one round
MORE_PLAYERS = ("cleo", "dan", "eve", "finn")
ENOUGH = 3  # times: a cheat used this rarely shows no pattern


class Attempted(NamedTuple):
    """Whether a cheat worked, and how it was tried."""

    worked: bool
    how: str


Try = Callable[[Trial], Attempted]


class Cheat(NamedTuple):
    """One way to cheat. `admitted` is the known limit that it shows; `numbers`: honest players contribute numbers."""

    name: str
    attempt: Try
    admitted: str | None = None
    numbers: bool = True


# -- restore and draw again -------------------------------------------------------------------------------------------


def _redraw(trial: Trial) -> Attempted:
    """Restore and redraw with new ids and times, and with the players' numbers, which the house knows by then."""
    house = trial.house
    own = house.new_account()
    trial.open_with_bets()
    before = house.backup()
    house.shut()
    shown = house.round.numbers
    first = house.draw()
    as_it_was = house.backup()
    for _ in range(REDRAWS):
        again = _drawn_again(trial, before, shown, own)
        if again != first:
            return Attempted(True, f"restored a backup of an open round and drew it again: {again}, not {first}")
    house.restore(as_it_was)
    return Attempted(
        False, f"restored a backup of an open round and drew it again {REDRAWS} times: always the same throw"
    )


def _drawn_again(trial: Trial, before: Backup, shown: Numbers, own: str) -> tuple[object, ...]:
    house = trial.house
    house.restore(before)
    house.now += timedelta(milliseconds=house.random.randrange(1, 900))
    house.shut()
    for number in shown.values():
        if number:
            house.show(number, own)
    fell = house.draw()
    trial.seal()
    return fell


def _redraw_with_own_number(trial: Trial) -> Attempted:
    """Restore and add a number that determines the throw: by then the house knows all the others."""
    house = trial.house
    own = house.new_player()
    trial.open_with_bets()
    before = house.backup()
    house.shut()
    shown = house.round.numbers
    house.draw()
    trial.seal()
    house.restore(before)
    number = house.choose(shown)
    if not house.put_in(own, number):
        return Attempted(False, "could not add a number of its own")
    house.shut()
    for each in (*shown.values(), number.hex()):
        if each:
            house.show(each, own)
    liked = house.likes(house.draw())
    trial.seal()
    return Attempted(
        liked, "restored a backup of an open round, and added a number of its own that determined the throw"
    )


# -- house-owned accounts ---------------------------------------------------------------------------------------------


def _grind(trial: Trial) -> Attempted:
    """Choose a house-owned account's number by the secret. The house cannot know which numbers players will reveal."""
    return _chosen(trial, lambda: {}, "chose its own account's number by the secret")


def _serve_a_page(trial: Trial) -> Attempted:
    """Choose a number with the help of rigged pages, which tell the house the players' numbers."""

    def known() -> Numbers:
        drawn = [player.drawn for player in trial.players if player.drawn]
        return {trial.house.committed(number): number.hex() for number in drawn}

    return _chosen(trial, known, "served pages that leaked numbers")


def _chosen(trial: Trial, known: Callable[[], Numbers], how: str) -> Attempted:
    """Play rounds with a chosen number, which makes the throw if the house knows all other numbers."""
    house = trial.house
    own = house.new_player()
    liked = played = 0
    while played < ROUNDS:
        trial.open_with_bets()
        others = dict(house.round.numbers)
        others |= {committed: number for committed, number in known().items() if committed in others}
        number = house.choose(others)
        is_in = house.put_in(own, number)
        house.shut()
        house.show(number.hex(), own)
        fell = house.draw()
        played += is_in
        liked += is_in and house.likes(fell)
    trial.seal()
    return Attempted(liked >= ROUNDS - 1, f"{how}: it liked {liked} of {ROUNDS} throws")


def _close(trial: Trial) -> Attempted:
    """Close the table whenever the house dislikes the coming throw, and reopen it."""
    house, fell = trial.house, list[bool]()
    while len(fell) < ROUNDS:
        trial.open_with_bets()
        if house.likes(house.would_fall(dict(house.round.numbers))):
            house.shut()
            fell.append(house.likes(house.draw()))
        else:
            house.write(Noted({"table": "closed"}, ""))
            house.step()
            house.write(Noted({"table": None}, ""))
    trial.seal()
    how = f"closed the table when it did not like the throw: it liked {sum(fell)} of {ROUNDS}"
    return Attempted(sum(fell) >= ROUNDS - 1, how)


def _choose_secret(trial: Trial) -> Attempted:
    """Try secrets until one makes a throw that the house likes, and open the round with it."""
    house, liked = trial.house, 0
    for _ in range(ROUNDS):
        trial.open(lambda size: _liked_secret(house, size))
        trial.everybody_bets()
        house.shut()
        liked += house.likes(house.draw())
    trial.seal()
    return Attempted(liked >= ROUNDS - 1, f"tried secrets before it opened rounds: it liked {liked} of {ROUNDS} throws")


def _liked_secret(house: DishonestHouse, size: int) -> bytes:
    if size != SECRET_BYTES:
        return house.random.randbytes(size)
    for _ in range(MOST_TRIES):
        secret = house.random.randbytes(size)
        if house.likes(house.fall_of(house.table.rounds + 1, {}, secret)):
            break
    return secret


def _hold_back(trial: Trial) -> Attempted:
    """Reveal the number of a house-owned account only if the house likes the resulting throw."""
    house = trial.house
    own = house.new_player()
    gained = sum(_held_back(trial, own) for _ in range(ROUNDS))
    trial.seal()
    return Attempted(
        gained > 0, f"withheld its own account's number in {gained} of {ROUNDS} rounds, and got a different throw"
    )


def _hold_back_afresh(trial: Trial) -> Attempted:
    """Hold back a number, with a new account each time."""
    house, gained = trial.house, 0
    for _ in range(ROUNDS):
        own = house.new_player()
        gained += _held_back(trial, own)
        if gained == ENOUGH:
            break
    trial.seal()
    return Attempted(
        gained > 0, f"withheld the numbers of {gained} accounts of its own, each once, and got different throws"
    )


def _held_back(trial: Trial, own: str) -> bool:
    """Play a round; return whether holding back the number changed the throw."""
    house = trial.house
    for _ in range(MOST_ROUNDS):
        trial.open_with_bets()
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


def _hold_back_many(trial: Trial) -> Attempted:
    """Hold back half of the numbers of many new accounts in one round: each choice of half gives another throw."""
    house = trial.house
    crowd = [house.new_player() for _ in range(CROWD)]
    for _ in range(HONEST):
        trial.honest_round()
    numbers: dict[str, bytes] = {}
    while not numbers:
        trial.open_with_bets()
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
    trial.seal()
    return Attempted(
        liked, f"withheld {len(numbers) - len(shown)} of the numbers of {len(numbers)} accounts of its own"
    )


# -- bets -------------------------------------------------------------------------------------------------------------


def _drop_bet(trial: Trial) -> Attempted:
    """Accept a bet, then restore a backup from before it."""
    house = trial.house
    trial.open_with_bets()
    before = house.backup()
    for _ in range(MOST_ROUNDS):
        if trial.ann.bet():
            break
        house.play_out()
        trial.open()
        before = house.backup()
    house.restore(before)
    trial.finish()
    return Attempted(True, "took a bet, gave its receipt, and restored a backup from before it")


def _swallow_bet(trial: Trial) -> Attempted:
    """Accept a bet, sign another player's event for it, and write nothing."""
    house = trial.house
    trial.open_with_bets()
    house.swallows = True
    taken = trial.ann.bet()
    house.swallows = False
    trial.finish()
    return Attempted(taken, "accepted a bet, gave a receipt for another record, and wrote nothing")


def _never_answer(trial: Trial) -> Attempted:
    """Leave unwanted bets unanswered."""
    house = trial.house
    trial.open_with_bets()
    house.instead = lambda order: NO_ANSWER if isinstance(order, orders.Say) else None
    wanted = trial.ann.bet()
    house.instead = _as_ordered
    trial.finish()
    return Attempted(not wanted, "left the bets of one player unanswered in the last seconds of a round")


def _reorder_bets(trial: Trial) -> Attempted:
    """Restore a backup from before two bets, and enter them in reverse order."""
    house = trial.house
    trial.open()
    for _ in range(MOST_ROUNDS):
        before = house.backup()
        if trial.ann.bet() and trial.ben.bet():
            break
        house.play_out()
        trial.open()
    house.restore(before)
    for player in (trial.ben, trial.ann):
        house.carry_out(house.submission(player.bets[-1], player.name))
    trial.finish()
    return Attempted(True, "took two bets, and entered them again in reverse order")


def _bet_late(trial: Trial) -> Attempted:
    """Write a bet of its own once it knows the coming throw."""
    return _written_late(trial)[0]


def _bet_late_by_another_name(trial: Trial) -> Attempted:
    """Write a late bet, and publish it as something else."""
    tried, versions = _written_late(trial)
    trial.house.lies |= dict.fromkeys(versions, "noted")
    return Attempted(tried.worked, f"{tried.how}, and published the record as another kind")


def _written_late(trial: Trial) -> tuple[Attempted, list[int]]:
    """Decide the bet in a copy where betting is open, and write it where betting is closed."""
    house = trial.house
    own = house.new_player()
    made: list[StoredEvent] = []
    while not made:
        trial.open_with_bets()
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
    trial.seal()
    return Attempted(True, "wrote a bet from its own account after the bets closed, when it knew the throw"), versions


# -- shut early -------------------------------------------------------------------------------------------------------


def _shut_over_a_head(trial: Trial) -> Attempted:
    """Shut the bets early because an account of its own is ready, over the heads of the players."""
    house = trial.house
    own = house.new_player()
    trial.open_with_bets()
    while not house.put_in(own, house.random.randbytes(32)):
        house.play_out()
        trial.open_with_bets()
    house.carry_out(house.submission(orders.SayReady(table=TABLE, round=house.round.number), own))
    return _written_early(trial, "shut the bets early over the heads of players who were not ready")


def _shut_before_numbers(trial: Trial) -> Attempted:
    """Shut the bets before honest players can put a number in, with one of its own that makes the throw."""
    house = trial.house
    own = house.new_player()
    trial.open()
    while not house.put_in(own, house.choose({})):
        house.play_out()
        trial.honest_round()
        trial.open()
    house.carry_out(house.submission(orders.SayReady(table=TABLE, round=house.round.number), own))
    return _written_early(trial, "shut the bets before anyone else could add a number")


def _give_no_time(trial: Trial) -> Attempted:
    """Announce no time for bets, so that no honest number is in the throw, and choose the secret."""
    house = trial.house
    while house.table.round is not None:
        house.play_out()
    house.now += timedelta(seconds=10)
    number, now = house.table.rounds + 1, stamp(house.now)
    secret = _liked_secret(house, SECRET_BYTES)
    opened = RoundOpened(number, commitment(TABLE, number, secret), now, now, protocol=PROTOCOL)
    house.write(opened, vault=(Secret(secret_name(TABLE, number), secret),))
    return _written_early(trial, "gave no time for bets and numbers, and chose the secret")


def _written_early(trial: Trial, how: str) -> Attempted:
    """Write that the bets are shut, as the software would not yet."""
    house = trial.house
    table, current = house.table, house.round
    ready = tuple(sorted(table.contributors[player] for player in current.ready))
    if house.book.rules.betting is not None and table.game.bets_open:
        called = decide_without_note(house.shelf, table.game, CloseBets(at=table.later(house.now)))
        assert not isinstance(called, Refusal), "bets are open"
        for event in called:
            house.write(event)
    house.write(BetsShut(current.number, tuple(sorted(current.numbers)), ready))
    house.draw()
    trial.seal()
    return Attempted(True, how)


def _call_ready(trial: Trial) -> Attempted:
    """Say in the players' names that they are ready."""
    house = trial.house
    trial.open_with_bets()
    number = house.round.number
    for player in trial.players:
        house.carry_out(house.submission(orders.SayReady(table=TABLE, round=number), player.name))
    closes = house.round.closes
    trial.finish()
    return Attempted(house.now < closes, "said in the players' names that they were ready")


def _ignore_ready(trial: Trial) -> Attempted:
    """Leave it unanswered that players are ready, and let the clock run."""
    house = trial.house
    trial.open_with_bets()
    house.instead = _unanswered
    for player in trial.players:
        player.say_ready()
    house.instead = _as_ordered
    closes = house.round.closes
    trial.finish()
    return Attempted(house.now >= closes, "left it unanswered that all players were ready, and let the clock run")


def _ignore_who_takes_it_back(trial: Trial) -> Attempted:
    """Leave it unanswered that a player is no longer ready, and shut the bets early."""
    house = trial.house
    trial.open_with_bets()
    first, *others = trial.players
    first.say_ready()
    house.instead = _unanswered
    first.say_ready(ready=False)
    house.instead = _as_ordered
    for player in others:
        player.say_ready()
    closes = house.round.closes
    trial.finish()
    return Attempted(
        house.now < closes, "left it unanswered that a player was no longer ready, and shut the bets early"
    )


def _unanswered(order: Order) -> OrderReply | None:
    return NO_ANSWER if isinstance(order, orders.SayReady) else None


# -- players' numbers -------------------------------------------------------------------------------------------------


def _refuse(order: Order) -> OrderReply | None:
    return NO_ANSWER if isinstance(order, orders.ShowNumber) else None


def _withhold_taken(trial: Trial) -> Attempted:
    """Accept a player's number, and draw without it."""
    house = trial.house
    trial.open_with_bets()
    before = house.backup()
    house.shut()
    house.restore(before)
    house.shut()
    missing = "" in house.round.numbers.values()
    house.draw()
    trial.seal()
    return Attempted(missing, "accepted the numbers of all players, gave receipts, and drew without them from a backup")


def _withhold(trial: Trial) -> Attempted:
    """Pretend that a player's number did not arrive."""
    house = trial.house
    trial.open_with_bets()
    house.instead = _refuse
    house.shut()
    missing = "" in house.round.numbers.values()
    house.draw()
    trial.seal()
    return Attempted(missing, "gave no answer when players revealed their numbers, and drew without them")


def _withhold_all_and_choose(trial: Trial) -> Attempted:
    """Add a number that makes the throw if no other is shown, and pretend that none arrived."""
    house = trial.house
    own = house.new_player()
    for _ in range(MOST_ROUNDS):
        trial.open_with_bets()
        number = house.choose(dict(house.round.numbers))
        if house.put_in(own, number):
            break
        house.play_out()
    house.instead = _refuse
    house.shut()
    house.show(number.hex(), own)
    liked = house.likes(house.draw())
    trial.seal()
    return Attempted(liked, "chose its own account's number, and accepted no other")


def _take_no_numbers(trial: Trial) -> Attempted:
    """Accept bets but not the numbers that come with them, so that its own account's number makes the throw."""
    house = trial.house
    own = house.new_player()
    house.drops_numbers = True
    house.instead = lambda order: NO_ANSWER if isinstance(order, orders.PutInNumber) else None
    for _ in range(MOST_ROUNDS):
        trial.open_with_bets()
        number = house.choose(dict(house.round.numbers))
        if house.put_in(own, number):
            break
        house.play_out()
    house.shut()
    house.show(number.hex(), own)
    liked = house.likes(house.draw())
    trial.seal()
    return Attempted(liked, "took bets without the numbers that came with them, and chose its own account's number")


def _stop(trial: Trial) -> Attempted:
    """Stop the table once it knows a throw that it dislikes."""
    house = trial.house
    for _ in range(MOST_ROUNDS):
        trial.open_with_bets()
        house.shut()
        if not house.likes(house.would_fall(house.round.numbers)):
            break
        house.draw()
    trial.seal()
    return Attempted(True, "learned all numbers, knew the throw, and never drew it")


def _withhold_from_many(trial: Trial) -> Attempted:
    """Do the same at a full table, where so many numbers are almost never missing."""
    trial.welcome(*MORE_PLAYERS)
    for _ in range(HONEST):
        trial.honest_round()
    return _withhold_all_and_choose(trial)


def _lure(trial: Trial, *, signs: bool) -> Attempted:
    """Tell all players that bets are closed, to get their numbers, and then add a number that makes the throw."""
    house = trial.house
    own = house.new_player()
    trial.open_with_bets()
    caught: Numbers = {}

    def catch(order: Order) -> OrderReply | None:
        if not isinstance(order, orders.ShowNumber):
            return None
        committed = house.committed(bytes.fromhex(order.number))
        caught[committed] = order.number
        return Done(ok=True, versions={}, number=committed)

    false = house.lie(BetsShut(house.round.number, tuple(sorted(house.round.numbers))))
    house.false, house.signs_lies, house.instead = false, signs, catch
    for player in trial.players:
        player.told(_as_told(false, house))
    house.false, house.instead = None, _as_ordered
    number = house.choose(caught)
    is_in = house.put_in(own, number)
    house.shut()
    house.show(number.hex(), own)
    liked = house.likes(house.draw())
    trial.seal()
    signed = "signed it" if signs else "did not sign it"
    worked = bool(caught) and is_in and liked
    return Attempted(
        worked, f"told players too early that the bets were closed, and {signed}: got {len(caught)} numbers"
    )


def _as_told(false: Record, house: DishonestHouse) -> replies.Entry:
    row = msgspec.json.decode(false.document)["event"]
    return replies.Entry(
        version=false.version, hash=false.hash.hex(), at=stamp(house.now), type=row["type"], events=[row]
    )


def _as_ordered(_: Order) -> OrderReply | None:
    """Act honestly again."""
    return None


# -- history and key --------------------------------------------------------------------------------------------------


def _rewrite_tail(trial: Trial) -> Attempted:
    """Restore a backup from some rounds ago, and play others."""
    house = trial.house
    before = house.backup()
    for _ in range(2):
        trial.honest_round()
    house.restore(before)
    for _ in range(3):
        trial.honest_round()
    return Attempted(True, "undid two rounds, and wrote three others in their place")


def _rewrite_what_no_receipt_covers(trial: Trial) -> Attempted:
    """Undo what came after the last receipt, once all players have left."""
    house = trial.house
    house.new_player()
    house.listening = []
    trial.seal()
    before = house.backup()
    house.open()
    house.play_out()
    house.restore(before)
    house.open()
    house.play_out()
    return Attempted(True, "undid a round that was played after all players had left, before the next checkpoint")


def _two_pasts(trial: Trial) -> Attempted:
    """Show two players two different histories."""
    house, ann, ben = trial.house, trial.ann, trial.ben
    trial.open_with_bets()
    before = house.backup()
    house.listening = [ann]
    house.play_out()
    house.restore(before)
    house.listening = [ben]
    trial.finish()
    return Attempted(True, "drew a round once for each of two players")


def _swap_key(trial: Trial) -> Attempted:
    """Rewrite the history under another key."""
    house = trial.house
    before = house.backup()
    trial.honest_round()
    house.restore(before)
    house.swap_key()
    house.listening = list(trial.players)
    trial.honest_round()
    return Attempted(True, "undid a round, and sealed and signed everything with another key")


def _swap_key_for_newcomers(trial: Trial) -> Attempted:
    """Rewrite the history under another key, which only a newcomer looks at."""
    house = trial.house
    before = house.backup()
    trial.honest_round()
    house.restore(before)
    house.swap_key()
    trial.players[:] = [HonestPlayer("new", house, numbers=trial.defences.numbers, receipts=trial.defences.receipts)]
    trial.honest_round()
    return Attempted(True, "undid a round, and signed everything with another key before a newcomer came")


# -- visible in the public record alone -------------------------------------------------------------------------------


def _cancel(trial: Trial) -> Attempted:
    """Cancel a round whose throw the house dislikes: without players' numbers, it knows the throw."""
    house = trial.house
    trial.open_with_bets()
    number, secret = house.round.number, house.secret
    gone = Secret(secret_name(TABLE, number), None)
    house.write(RoundCancelled(number, secret.hex(), standing=False), vault=(gone,))
    trial.honest_round()
    return Attempted(True, "cancelled a round with bets standing, and said that none stood")


def _swap_secret(trial: Trial) -> Attempted:
    """Draw with another secret than the one it committed to."""
    house = trial.house
    trial.open_with_bets()
    house.shut()
    for _ in range(MOST_TRIES):
        secret = house.random.randbytes(SECRET_BYTES)
        if house.likes(house.would_fall(house.round.numbers, secret)):
            break
    house.swap_secret(secret)
    liked = house.likes(house.draw())
    trial.seal()
    return Attempted(liked, "drew with a secret other than the one it had committed to")


CHEATS = (
    Cheat("restore and redraw", _redraw),
    Cheat("restore and redraw with a number of its own", _redraw_with_own_number),
    Cheat("grind with an account of its own", _grind),
    Cheat("grind where no honest player has a number", _grind, NO_HONEST_NUMBER, numbers=False),
    Cheat("serve a page that gives numbers away", _serve_a_page, SERVED_PAGE),
    Cheat("close the table", _close),
    Cheat("close the table where no honest player has a number", _close, NO_HONEST_NUMBER, numbers=False),
    Cheat("choose the secret", _choose_secret),
    Cheat("choose the secret where no honest player has a number", _choose_secret, NO_HONEST_NUMBER, numbers=False),
    Cheat("hold back a number of its own", _hold_back),
    Cheat("hold back numbers, each of a new account", _hold_back_afresh, FRESH_ACCOUNTS),
    Cheat("hold back many numbers at once, each of a new account", _hold_back_many),
    Cheat("drop a bet", _drop_bet),
    Cheat("swallow a bet", _swallow_bet, KEPT_BACK),
    Cheat("give a bet no answer", _never_answer, NO_ANSWER_NO_RECEIPT),
    Cheat("reorder bets", _reorder_bets),
    Cheat("bet late", _bet_late),
    Cheat("bet late by another name", _bet_late_by_another_name, KEPT_BACK),
    Cheat("shut the bets over a player's head", _shut_over_a_head),
    Cheat("shut the bets before a number comes", _shut_before_numbers),
    Cheat("give no time for numbers", _give_no_time),
    Cheat("call players ready", _call_ready),
    Cheat("ignore players who are ready", _ignore_ready, NO_ANSWER_NO_RECEIPT),
    Cheat("ignore a player who is ready no longer", _ignore_who_takes_it_back, NO_ANSWER_NO_RECEIPT),
    Cheat("withhold a number that was taken", _withhold_taken),
    Cheat("withhold a number", _withhold, ONLY_ITS_PLAYER_KNOWS),
    Cheat("withhold all numbers and choose", _withhold_all_and_choose, ONLY_ITS_PLAYER_KNOWS),
    Cheat("withhold all numbers of a full table and choose", _withhold_from_many),
    Cheat("take no numbers", _take_no_numbers, ONLY_ITS_PLAYER_KNOWS),
    Cheat("stop before a throw", _stop, STOPS),
    Cheat("lure a number", lambda trial: _lure(trial, signs=False)),
    Cheat("lure a number with a false receipt", lambda trial: _lure(trial, signs=True)),
    Cheat("rewrite the tail", _rewrite_tail),
    Cheat("rewrite what no receipt covers", _rewrite_what_no_receipt_covers, AFTER_THE_LAST_RECEIPT),
    Cheat("show two pasts", _two_pasts),
    Cheat("swap the key", _swap_key),
    Cheat("swap the key before a newcomer arrives", _swap_key_for_newcomers, NEVER_SAW_THE_KEY),
    Cheat("cancel with bets standing", _cancel),
    Cheat("swap the secret", _swap_secret),
)


def tried(cheat: Cheat, seed: int, shelf: Shelf, defences: Defences | None = None) -> Verdict:
    """Try one cheat from one seed, which decides the book and everything that happens; return the verdict."""
    defences = defences or Defences()
    random = Random(f"{cheat.name} {seed}")
    book = ids()[seed % len(ids())]
    trial = Trial(shelf, book, random, defences, numbers=cheat.numbers)
    worked, how = cheat.attempt(trial)
    found = tuple(evidence(trial.house, trial.players, defences))
    return Verdict(cheat.name, seed, book, worked, how, found, cheat.admitted)


def all_tried(seed: int, shelf: Shelf) -> Iterator[Verdict]:
    """Try every cheat from one seed."""
    return (tried(cheat, seed, shelf) for cheat in CHEATS)
