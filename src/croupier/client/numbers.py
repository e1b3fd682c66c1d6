"""A player's own numbers for electronic dice: drawn here, put in with bets, shown once the bets are shut, looked for.

A number is shown once the house has signed what it shut, and the number is in it: a house that knew the number earlier
could shut other bets. A house that signs nothing does not get it, and a doubt is noted.

Whoever follows a table live puts numbers in without doing anything for it. Who does not could not show them in time,
and plays without.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from croupier.client.connection import BadReply, Refused, Unreachable
from croupier.client.receipts import table_stream
from croupier.client.replies import Entry, Table
from croupier.house.electronic.dice import (
    NUMBER_BYTES,
    PROTOCOL,
    commitment,
    drawn,
    in_bytes,
    mixed,
    number_commitment,
)
from croupier.store.receipts import Receipt

log = logging.getLogger("croupier.client")

BEGINS = ("table_set", "round_opened", "last_called")  # of a table that may run by itself
AWAY = (Refused, Unreachable, BadReply)  # what the house may say instead of taking a number: the game goes on


class Asking(msgspec.Struct, frozen=True):
    """What is asked of the house: how a table stands, to take the commitment to a number, or the number; to sign."""

    table: Callable[[str], Table]
    put_in: Callable[[str, int, str], object]
    show: Callable[[str, int, str], object]
    receipt: Callable[[str, int], Receipt]
    dice: Callable[[str], tuple[list[int | str], int]]


class _Round(msgspec.Struct):
    """A round that bets can be made in, or that waits for its throw."""

    number: int
    commitment: str
    own: bytes
    is_in: bool = False
    is_taken: bool = False  # once it was shown
    shut: str = ""  # the hash of the record that shut the bets
    listed: list[str] = []


class Following:
    """One table that somebody follows live."""

    def __init__(
        self, name: str, asking: Asking, doubts: list[str], chance: Callable[[int], bytes] = secrets.token_bytes
    ) -> None:
        """`chance` is what numbers are drawn with: nobody else may know what comes of it."""
        self.name = name
        self._chance = chance
        self._asking = asking
        self._doubts = doubts
        self._round: _Round | None = None
        self._plays = False  # has had wagers here
        self._has_begun = False

    def _begin(self) -> None:
        """Take up the round that is under way, once something is heard of a table that runs by itself."""
        self._has_begun = True
        for table in self._asked(lambda: self._asking.table(self.name)):
            current = table.round
            if current is not None and current.protocol == PROTOCOL:
                self._round = _Round(current.number, current.commitment, self._chance(NUMBER_BYTES))
                self._put_in_alone(table)

    def with_bet(self, round: int | None) -> str | None:
        """The commitment that goes with a bet for this round."""
        self._plays = True
        current = self._round
        if current is None or current.number != round or current.shut:
            return None
        return self._committed(current)

    def has_bet(self, stands: str | None) -> None:
        """A bet was taken, and with it a commitment; without one the number is put in alone."""
        self._plays = True
        current = self._round
        if current is None or current.shut or current.is_in:
            return
        if stands is None:
            self._put_in(current)
        else:
            self._stands(current, stands)

    def heard(self, entry: Entry) -> None:
        """Something happened at the table."""
        for row in entry.events:
            if not self._has_begun and row.get("type") in BEGINS:
                self._begin()
            match row.get("type"):
                case "round_opened":
                    self._opened(row)
                case "bets_shut":
                    self._shut(row, entry)
                case "dice_drawn":
                    self._drawn(row)

    def _opened(self, row: dict[str, Any]) -> None:
        if row.get("protocol", 1) != PROTOCOL:
            self._doubt(f"Round {row['number']} takes no numbers of players: the house can choose what falls.")
            return
        if self._round is not None and row["number"] <= self._round.number:
            return
        self._round = _Round(row["number"], row["commitment"], self._chance(NUMBER_BYTES))
        if self._plays:
            for table in self._asked(lambda: self._asking.table(self.name)):
                self._put_in_alone(table)

    def _put_in_alone(self, table: Table) -> None:
        """Where wagers stand from earlier rounds, the number goes without a bet."""
        current = self._round
        if current is None or current.is_in or not table.seated or not table.wagers:
            return
        self._plays = True
        if table.round is not None and table.round.number == current.number and not table.round.shut:
            self._put_in(current)

    def _put_in(self, current: _Round) -> None:
        committed = self._committed(current)
        for told in self._asked(lambda: self._asking.put_in(self.name, current.number, committed)):
            self._stands(current, getattr(told, "number", None))

    def _stands(self, current: _Round, committed: str | None) -> None:
        """The house says which commitment stands: another one, where another program of ours was first."""
        current.is_in = committed == self._committed(current)

    def _shut(self, row: dict[str, Any], entry: Entry) -> None:
        current = self._round
        if current is None or row["number"] != current.number:
            return
        if current.shut not in ("", entry.hash):
            self._doubt(f"The bets of round {current.number} were shut a second time: the first time it was not true.")
        current.shut, current.listed = entry.hash, list(row.get("numbers", ()))
        if not current.is_in:
            return
        if self._committed(current) not in current.listed:
            self._doubt(f"Round {current.number} was shut without your number, though it was put in.")
        elif self._is_signed(current, entry):
            for _ in self._asked(lambda: self._asking.show(self.name, current.number, current.own.hex())):
                current.is_taken = True
            return
        current.is_in = False  # kept back: that it is missing is no fault of the dice

    def _is_signed(self, current: _Round, entry: Entry) -> bool:
        """Whether the house has signed the very bets that it says it shut."""
        told = table_stream(self.name), entry.version, entry.hash
        for receipt in self._asked(lambda: self._asking.receipt(self.name, entry.version)):
            if (receipt.stream, receipt.version, receipt.hash) == told:
                return True
            signed = "The house has signed other bets than those that it says it shut"
            self._doubt(f"{signed} in round {current.number}: your number was not shown.")
            return False
        self._doubt(f"No receipt came for the bets of round {current.number}: your number was not shown.")
        return False

    def _drawn(self, row: dict[str, Any]) -> None:
        current = self._round
        if current is None or row["number"] != current.number or not current.shut:
            return
        numbers = dict(zip(current.listed, row.get("numbers", ()), strict=False))
        if current.is_in and numbers.get(self._committed(current)) != current.own.hex():
            how = "though it was shown in time" if current.is_taken else "which came too late, or was not taken"
            self._doubt(f"Round {current.number} was drawn without your number, {how}.")
        if row["shut"] != current.shut:
            self._doubt(f"Round {current.number} was drawn after other bets than those that you were told of.")
        secret = in_bytes(row["secret"])
        if secret is None or commitment(self.name, current.number, secret) != current.commitment:
            self._doubt(f"The secret of round {current.number} is not the one that was committed to.")
            return
        for faces, throw in self._asked(lambda: self._asking.dice(self.name)):
            mix = mixed(self.name, current.number, numbers.items())
            if list(drawn(secret, mix, faces, throw)) != list(row["faces"]):
                self._doubt(f"The dice of round {current.number} do not follow from what was committed to.")

    def _committed(self, current: _Round) -> str:
        return number_commitment(self.name, current.number, current.own)

    def _asked(self, ask: Callable[[], Any]) -> Iterator[Any]:
        """What the house answers, if it does: no number is worth a game."""
        try:
            yield ask()
        except AWAY as error:
            log.info("%s: %s", self.name, error)

    def _doubt(self, sentence: str) -> None:
        log.warning("%s: %s", self.name, sentence)
        self._doubts.append(f"{self.name}: {sentence}")
