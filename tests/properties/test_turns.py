"""Who spins at Two-Up over random evenings, against a small model written from the text (TU-3, 4, 15, 16)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from croupier.table.decide import Refused, Table, open_table
from tests.tables import SHELF

PLAYERS = ("ann", "bob", "cy")
SIDES = ("heads", "tails")


class Ring:
    """What the text says about the spinner, in plain if statements."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.open = True
        self.odds = 0
        self.spinner: str | None = None
        self.side = ""
        self.up = 0
        self.begun = False
        self.invalid = 0
        self.boxer_spins_on = False
        self.waits: str | None = None

    def may_bet(self, player: str, side: str) -> bool:
        if not self.open:
            return False
        if self.spinner is not None:
            return self.spinner == player and self.side == side and not self.begun
        return not (self.waits == player and self.seats > 1)

    def bet(self, player: str, side: str) -> None:
        if self.spinner is None:
            self.spinner, self.side, self.up, self.begun = player, side, 0, False

    def may_take(self, player: str) -> bool:
        return self.open and self.spinner == player and not self.begun

    def take(self, player: str) -> None:
        if self.boxer_spins_on:
            self.waits = player
        self.leave()

    def leave(self) -> None:
        self.spinner, self.invalid, self.boxer_spins_on = None, 0, False

    def void(self) -> None:
        if self.open:
            return
        if self.spinner is not None and not self.boxer_spins_on:
            self.invalid += 1
            self.boxer_spins_on = self.invalid >= 3
        self.open = self.odds == 0

    def who_spins(self) -> str | None:
        return None if self.boxer_spins_on else self.spinner

    def spin(self, coins: str) -> None:
        by, lost = self.who_spins(), False
        if by is not None:
            self.waits = None
        self.invalid, self.begun = 0, True
        if coins in ("HT", "TH"):
            self.odds += 1
            lost = self.odds == 5
        elif (coins == "HH") == (self.side == "heads"):
            self.up += 1
        else:
            lost = True
        if coins in ("HH", "TT") or self.odds == 5:
            self.odds = 0
        self.open = self.odds == 0
        if self.spinner is not None and (lost or self.up == 3):
            loser = self.spinner if lost else None
            self.leave()
            if loser is not None:
                self.waits = loser
                return
        if by is None and self.open:
            self.waits = None


ACTIONS = st.one_of(
    st.tuples(st.just("bet"), st.integers(0, 2), st.sampled_from(SIDES)),
    st.tuples(st.just("take"), st.integers(0, 2), st.sampled_from(SIDES)),
    st.tuples(st.just("close"), st.just(0), st.just("")),
    st.tuples(st.just("void"), st.just(0), st.just("")),
    st.tuples(st.just("spin"), st.just(0), st.sampled_from(["HH", "HT", "TH", "TT"])),
)


@given(st.integers(1, 3), st.lists(ACTIONS, min_size=30, max_size=80))
def test_the_spinner_is_who_the_text_says(seats: int, actions: list[tuple[str, int, str]]) -> None:
    table = open_table("two-up-nsw-2016", dict.fromkeys(PLAYERS[:seats], "100000.00"), shelf=SHELF)
    ring = Ring(seats)
    for verb, number, word in actions:
        _act(table, ring, verb, PLAYERS[number % seats], word)


def _act(table: Table, ring: Ring, verb: str, player: str, word: str) -> None:
    if verb == "bet":
        may = ring.may_bet(player, word)
        assert _accepted(lambda: table.bet(player, "spinner", "2.00", word)) == may
        if may:
            ring.bet(player, word)
    elif verb == "take":
        may = ring.may_take(player) and ring.side == word
        assert _accepted(lambda: table.take(player, "spinner", pick=word)) == may
        if may:
            ring.take(player)
    elif verb == "close":
        assert _accepted(table.no_more_bets) == ring.open
        ring.open = False
    elif verb == "void":
        table.void("7.1.2")
        ring.void()
    elif not ring.open:
        thrown = next(told for told in table.spin(word) if told["type"] == "thrown")
        assert thrown["by"] == ring.who_spins()
        ring.spin(word)
    assert table.state.bets_open == ring.open


def _accepted(command: object) -> bool:
    assert callable(command)
    try:
        command()
    except Refused:
        return False
    return True
