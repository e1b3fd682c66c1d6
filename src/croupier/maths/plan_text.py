"""Read a plan from text, `win_line 10.00` or `place_to_win 6 12.00`, as wagers that a table of the book takes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from croupier.maths.figures import Staked, check_stake
from croupier.maths.plan import Lot
from croupier.money import MoneyError, format_cents, parse_cents
from croupier.rules import offers
from croupier.rules.errors import Impossible
from croupier.rules.game import Game
from croupier.rules.machine import Pick
from croupier.rules.picks import find_pick, find_wager, show_pick, typed_pick

BETWEEN = "+"
MOST = "max"
LONGEST_PICK = 40
MOST_CENTS = 10**14  # above this, figures do not fit on a line

Named = tuple[str, Pick]

_PLAYERS = re.compile(r"(?P<plan>.*\S)\s+[x×](?P<players>[0-9]+)\s*")


def read_lots(game: Game, words: Sequence[str], chip_cents: int) -> tuple[Lot, ...]:
    """Read the wagers of one player, in the order named; `+` may join several. Raises Impossible.

    A wager and pick named twice adds up, as chips do on the layout. `max` means the most that may lie behind a wager.
    """
    if chip_cents <= 0:
        say = "The smallest chip must be worth something."
        raise Impossible("chip_not_positive", say, game.book.rules.limits.chips)
    asked = [_asked(game, part) for text in words for part in text.split(BETWEEN)]
    stakes: Counter[Named] = Counter()
    for named, amount in asked:
        _check_once(game, stakes, named)
        stakes[named] += 0 if amount == MOST else read_amount(amount, game.book.rules.limits.chips)
    for named, amount in asked:
        if amount == MOST:
            stakes[named] += _most_behind(game, stakes, named, chip_cents)
    lots = tuple(Lot(wager_id, stake, pick) for (wager_id, pick), stake in stakes.items())
    for lot in lots:
        check_stake(game.book.rules.limits, game.wager(lot.wager), Staked(int(lot.stake), chip_cents))
        _check_behind(game, stakes, lot, chip_cents)
    return lots


class Mix(NamedTuple):
    """The wagers on a table, and how many players hold them."""

    lots: tuple[Lot, ...]
    players: int


def read_mix(game: Game, words: Sequence[str], chip_cents: int) -> Mix:
    """Read the wagers of a table: each text is one kind of player, and `x8` after it is their number.

    Raises Impossible.
    """
    mix: Counter[Lot] = Counter()
    everybody = 0
    for text in words:
        found = _PLAYERS.fullmatch(text)
        plan, count = (found["plan"], found["players"]) if found else (text, "1")
        if len(count) > 4 or not int(count):
            raise Impossible("players_unreadable", "A wager of the mix is held by 1 to 9,999 players, such as x8.")
        players = int(count)
        everybody += players
        for lot in read_lots(game, [plan], chip_cents):
            mix[lot] += players
    for wager in game.book.rules.wagers:
        holders = sum(players for lot, players in mix.items() if lot.wager == wager.id)
        if wager.sole is not None and holders > 1:
            raise Impossible("held_by_another", f"{wager.name} is held by one player at a time.", wager.sole.clause)
    return Mix(tuple(msgspec.structs.replace(lot, times=players) for lot, players in mix.items()), everybody)


def read_amount(text: str, clause: str | None = None) -> int:
    """Read an amount as people type it, `10.00` or `10`, in cents. Raises Impossible."""
    try:
        cents = parse_cents(f"{text}.00" if text.isascii() and text.isdecimal() else text)
    except MoneyError as error:
        raise Impossible("amount_unreadable", str(error), clause) from None
    if cents > MOST_CENTS:
        raise Impossible("amount_too_large", f"Amounts go up to {format_cents(MOST_CENTS)} here.", clause)
    return cents


def lot_name(game: Game, lot: Lot) -> str:
    """A wager as people read it: its name, and its pick if it has one."""
    return f"{game.wager(lot.wager).name} {show_pick(lot.pick)}".rstrip()


def check_sign(game: Game, lot: Lot, minimum: int | None, maximum: int | None) -> None:
    """Refuse a stake outside the table's limits; a fixed stake is its own limit. Raises Impossible."""
    if not game.wager(lot.wager).has_one_amount:
        offers.check_limits(game.book.rules.limits, int(lot.stake), minimum, maximum)


def _asked(game: Game, text: str) -> tuple[Named, str]:
    """Split a text into the wager with its pick, and the amount as text."""
    if not text.split():
        say = 'A plan names wagers with their amounts, such as "wager 10.00" or "wager pick 10.00".'
        raise Impossible("wager_missing", say, game.book.rules.limits.wagers)
    wager_id, *rest = text.split()
    wager = find_wager(game.book, wager_id)
    if not rest:
        say = f'{wager.name} needs an amount, such as "{wager.id} 10.00".'
        raise Impossible("amount_missing", say, game.book.rules.limits.chips)
    picked = " ".join(rest[:-1])
    if not picked and not wager.stands_alone:
        return (wager_id, None), rest[-1]
    pick = typed_pick(picked) if len(picked) < LONGEST_PICK else picked  # a long number is not a pick either
    return (wager_id, find_pick(game.book, wager, pick)), rest[-1]


def _check_once(game: Game, stakes: Counter[Named], named: Named) -> None:
    """Refuse to make a wager twice, or on two picks, if the book does not allow it."""
    wager = game.wager(named[0])
    others = [pick for wager_id, pick in stakes if wager_id == wager.id]
    if named in stakes and not wager.adds_up:
        say = f"A player has one {wager.name} wager on {show_pick(named[1])} at a time."
        raise Impossible("one_wager_only", say, wager.one_amount_clause)
    if wager.has_one_holder and others not in ([], [named[1]]):
        raise Impossible("declared_already", f"{wager.name} is held on one pick only.", wager.pick_clause)
    if not wager.stands_alone and (named[1] is None) != (None in others) and others:
        say = f"{wager.name} lies behind whatever number comes, or behind those that are named; not both."
        raise Impossible("pick_doubtful", say, wager.flat_clause)


def _limits_behind(game: Game, stakes: Counter[Named], named: Named, chip_cents: int) -> Iterator[tuple[str, int]]:
    """The most that may lie behind the plan's flat wager, for each state in which that can happen."""
    wager = game.wager(named[0])
    flat = wager.flat
    if flat is None:
        return
    flat_cents = next((stake for (wager_id, _), stake in stakes.items() if wager_id == flat), 0)
    if not flat_cents:
        raise offers.flat_missing(game, wager, " in the same plan")
    for pick in game.book.picks(wager) if named[1] is None else [named[1]]:
        for state in game.machine(wager.id, pick).starts:
            yield state, offers.behind_limit(game, wager, pick, state, flat_cents, chip_cents)


def _most_behind(game: Game, stakes: Counter[Named], named: Named, chip_cents: int) -> int:
    """The amount that `max` means. On the Don't side it depends on the point, but a flat plan has one stake."""
    wager = game.wager(named[0])
    if wager.stands_alone:
        raise Impossible("amount_unreadable", f"{wager.name} has no most; name an amount.", wager.clause)
    limits = sorted({limit for _, limit in _limits_behind(game, stakes, named, chip_cents)})
    if len(limits) > 1:
        say = f"What may lie behind depends on the point, {_listed(limits)}; name an amount."
        raise Impossible("amount_doubtful", say, wager.limit_clause)
    return limits[0]


def _listed(amounts: list[int]) -> str:
    return ", ".join(map(format_cents, amounts))


def _check_behind(game: Game, stakes: Counter[Named], lot: Lot, chip_cents: int) -> None:
    """Refuse a Behind wager without its flat wager, or above the limit that it sets on any point."""
    wager = game.wager(lot.wager)
    limits = dict(_limits_behind(game, stakes, (lot.wager, lot.pick), chip_cents))
    for state, limit in limits.items():
        if lot.stake > limit:
            where = f" on {state}" if len(set(limits.values())) > 1 else ""
            say = f"{wager.name} may be at most {format_cents(limit)}{where}, not {format_cents(int(lot.stake))}."
            raise Impossible("stake_above_behind_limit", say, wager.limit_clause)
