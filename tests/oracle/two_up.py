"""Two-Up, NSW, order of 17 August 2016: sections 4 and 8, with readings TU-1 to TU-14."""

from collections.abc import Iterator, Sequence

from . import Pick, Start, Verdict, check, last_word, lost, won

Coins = tuple[str, str]

BOOK = "two-up-nsw-2016"
OUTCOMES: list[Coins] = [("H", "H"), ("H", "T"), ("T", "H"), ("T", "T")]
WAGERS: list[tuple[str, Pick]] = [
    ("heads", None),
    ("tails", None),
    ("spinner", "heads"),
    ("spinner", "tails"),
]
PAY_TABLES: list[None] = [None]

HEADS = ("H", "H")
TAILS = ("T", "T")


def starts(wager: str, pick: Pick) -> list[Start]:
    """Always [None]: betting is open only when there are no Odds (4.6, TU-2)."""
    check((wager, pick) in WAGERS, (wager, pick))
    return [None]


def judge(wager: str, pick: Pick, start: Start, history: Sequence[Coins], pay_table: None = None) -> Verdict | None:
    """What the last spin of the history does to the wager; None while it is undecided."""
    check(start in starts(wager, pick), start)
    check(pay_table is None, pay_table)
    spins = iter(history)
    if wager == "heads":
        return last_word(_one_side("4.1.2", HEADS, TAILS, spins), spins)
    if wager == "tails":
        return last_word(_one_side("4.1.3", TAILS, HEADS, spins), spins)
    if pick == "heads":
        return last_word(_spinner("4.1.1.1.1", "4.1.1.2.1", HEADS, TAILS, spins), spins)
    return last_word(_spinner("4.1.1.1.2", "4.1.1.2.2", TAILS, HEADS, spins), spins)


def _one_side(rule: str, mine: Coins, other: Coins, spins: Iterator[Coins]) -> Verdict | None:
    """4.1.2, 4.1.3: the first Heads or Tails decides; five Odds in a row lose."""
    for odds_in_a_row, coins in enumerate(spins, start=1):
        if coins == mine:
            return won(rule + ".1", 1)
        if coins == other:
            return lost(rule + ".2")
        if odds_in_a_row == 5:
            return lost(rule + ".2")
    return None


def _spinner(wins: str, loses: str, mine: Coins, other: Coins, spins: Iterator[Coins]) -> Verdict | None:
    """4.1.1, TU-1: three of the declared side before the other side or five Odds in a row."""
    mine_so_far = 0
    odds_in_a_row = 0
    for coins in spins:
        if coins == other:
            return lost(loses)
        if coins == mine:
            odds_in_a_row = 0
            mine_so_far += 1
            if mine_so_far == 3:
                return won(wins, 15, 2)
        else:
            odds_in_a_row += 1
            if odds_in_a_row == 5:
                return lost(loses)
    return None
