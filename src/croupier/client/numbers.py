"""A player's own numbers for electronic dice: draw, commit with a bet, reveal after bets close, verify the result.

The client reveals a number only after the house has signed the closed bets with the number's commitment among them:
a house that knew the number earlier could close other bets. If the house signs nothing, the client keeps the number
and notes a doubt.

Only a client that follows the table live uses numbers; any other could not reveal them in time.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from croupier.client.connection import BadReply, Refused, Unreachable
from croupier.client.receipts import table_stream
from croupier.contract.replies import Entry, Table
from croupier.house.electronic.fair_dice import (
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

BEGINS = ("table_set", "round_opened", "last_called")  # events of a table that may run by itself
AWAY = (Refused, Unreachable, BadReply)  # errors that leave a number out without stopping the game


class Asking(msgspec.Struct, frozen=True):
    """The requests that following a table needs: its state, commit, reveal, a receipt, and the dice in use."""

    table: Callable[[str], Table]
    put_in: Callable[[str, int, str], object]
    show: Callable[[str, int, str], object]
    receipt: Callable[[str, int], Receipt]
    dice: Callable[[str], tuple[list[int | str], int]]


class _Round(msgspec.Struct):
    """A round that accepts bets or waits for its throw."""

    number: int
    commitment: str
    own: bytes
    is_in: bool = False
    may_be_ready: bool = False  # this client said so, or took a wager down
    is_ready: bool = False  # as the house has it
    has_wager: bool = False  # the player has a wager in it
    is_taken: bool = False  # the house accepted the revealed number
    shut: str = ""  # the hash of the record that closed the bets
    listed: list[str] = []


class Following:
    """One table followed live."""

    def __init__(
        self, name: str, asking: Asking, doubts: list[str], chance: Callable[[int], bytes] = secrets.token_bytes
    ) -> None:
        """`chance` draws the numbers; its output must be unpredictable to others."""
        self.name = name
        self._chance = chance
        self._asking = asking
        self._doubts = doubts
        self._round: _Round | None = None
        self._plays = False  # has made wagers here
        self._others = 0  # the last round in which the house held another number for this player
        self._has_begun = False

    def _begin(self) -> None:
        """Join the current round, at the first sign that the table runs by itself."""
        self._has_begun = True
        for table in self._asked(lambda: self._asking.table(self.name)):
            current = table.round
            if current is not None and current.protocol == PROTOCOL:
                self._round = _Round(current.number, current.commitment, self._chance(NUMBER_BYTES))
                self._put_in_alone(table)

    def with_bet(self, round: int | None) -> str | None:
        """Return the commitment to send with a bet in this round."""
        self._plays = True
        current = self._round
        if current is None or current.number != round or current.shut:
            return None
        return self._committed(current)

    def has_bet(self, stands: str | None) -> None:
        """Note the commitment that was accepted with a bet; without one, commit to the number separately."""
        self._plays = True
        current = self._round
        if current is None or current.shut or current.is_in:
            return
        current.has_wager = True
        if stands is None:
            self._put_in(current)
        else:
            self._stands(current, stands)

    def with_ready(self, round: int) -> str | None:
        """Return the commitment to send with the player's readiness."""
        current = self._round
        if current is None or current.number != round or current.shut:
            return None
        current.may_be_ready = True
        return self._committed(current)

    def has_taken(self) -> None:
        """Note that a wager is being taken down: without any left, the player counts as ready."""
        if self._round is not None:
            self._round.may_be_ready = True

    def heard(self, entry: Entry) -> None:
        """Handle an event of the table."""
        for row in entry.events:
            if not self._has_begun and row.get("type") in BEGINS:
                self._begin()
            match row.get("type"):
                case "round_opened":
                    self._opened(row)
                case "player_ready" if "player" in row:
                    self._ready(row)
                case "bets_shut":
                    self._shut(row, entry)
                case "dice_drawn":
                    self._drawn(row)

    def _opened(self, row: dict[str, Any]) -> None:
        if row.get("protocol", 1) != PROTOCOL:
            self._doubt(f"Round {row['number']} takes no numbers from players: the house can choose the throw.")
            return
        if self._round is not None and row["number"] <= self._round.number:
            return
        self._round = _Round(row["number"], row["commitment"], self._chance(NUMBER_BYTES))
        if self._plays:
            for table in self._asked(lambda: self._asking.table(self.name)):
                self._put_in_alone(table)

    def _put_in_alone(self, table: Table) -> None:
        """Commit without a bet if wagers from earlier rounds still stand."""
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
        """Note which commitment the house holds. It is another one if another program of this player was faster."""
        current.is_in = committed == self._committed(current)
        if committed is None or current.is_in:
            return
        if not self._others:
            unless = "unless another program of yours sent it, the house can choose the throw"
            self._doubt(f"The house holds another number for you in round {current.number}: {unless}.")
        self._others = current.number

    def _ready(self, row: dict[str, Any]) -> None:
        """Note that the player is ready, or no longer is. Only the player receives this event with a name."""
        current = self._round
        if current is None or row["number"] != current.number:
            return
        current.is_ready = row["ready"]
        if current.is_ready and not current.may_be_ready:
            say = f"In round {current.number} the house says that you are ready, and you did not say so here."
            self._doubt(f"{say} Did another program of yours?")

    def _shut(self, row: dict[str, Any], entry: Entry) -> None:
        current = self._round
        if current is None or row["number"] != current.number:
            return
        if current.shut not in ("", entry.hash):
            self._doubt(
                f"The bets of round {current.number} were closed a second time: the first announcement was false."
            )
        current.shut, current.listed = entry.hash, list(row.get("numbers", ()))
        if not current.is_in:
            self._look_for_wagers(current)
            return
        if row.get("ready") and not current.is_ready:
            self._doubt(f"Round {current.number} was shut early, and you were not ready.")
        if self._committed(current) not in current.listed:
            self._doubt(f"Round {current.number} was closed without your number, although the house had accepted it.")
        elif self._is_signed(current, entry):
            for _ in self._asked(lambda: self._asking.show(self.name, current.number, current.own.hex())):
                current.is_taken = True
            return
        current.is_in = current.has_wager = False  # kept back, which was said: the dice need not say it again

    def _look_for_wagers(self, current: _Round) -> None:
        """Check for wagers from earlier rounds when a round closes without a number of the player."""
        if self._plays and not current.has_wager:
            for table in self._asked(lambda: self._asking.table(self.name)):
                current.has_wager = table.seated and bool(table.wagers)

    def _is_signed(self, current: _Round, entry: Entry) -> bool:
        """Return whether the house signed the same closed bets that it announced."""
        told = table_stream(self.name), entry.version, entry.hash
        for receipt in self._asked(lambda: self._asking.receipt(self.name, entry.version)):
            if (receipt.stream, receipt.version, receipt.hash) == told:
                return True
            signed = "The house has signed different bets from those it says it closed"
            self._doubt(f"{signed} in round {current.number}: your number was not revealed.")
            return False
        self._doubt(f"No receipt came for the bets of round {current.number}: your number was not revealed.")
        return False

    def _drawn(self, row: dict[str, Any]) -> None:
        current = self._round
        if current is None or row["number"] != current.number or not current.shut:
            return
        if current.has_wager and not current.is_in and self._others != current.number:
            self._doubt(f"No number of yours was in round {current.number}: the house could choose the throw.")
        numbers = dict(zip(current.listed, row.get("numbers", ()), strict=False))
        if current.is_in and numbers.get(self._committed(current)) != current.own.hex():
            how = "although it was revealed in time" if current.is_taken else "which came too late, or was not accepted"
            self._doubt(f"Round {current.number} was drawn without your number, {how}.")
        if row["shut"] != current.shut:
            self._doubt(f"Round {current.number} was drawn for different bets from those you were told about.")
        secret = in_bytes(row["secret"])
        if secret is None or commitment(self.name, current.number, secret) != current.commitment:
            self._doubt(f"The secret of round {current.number} does not match its commitment.")
            return
        for faces, throw in self._asked(lambda: self._asking.dice(self.name)):
            mix = mixed(self.name, current.number, numbers.items())
            if list(drawn(secret, mix, faces, throw)) != list(row["faces"]):
                self._doubt(f"The dice of round {current.number} do not follow from the commitments.")

    def _committed(self, current: _Round) -> str:
        return number_commitment(self.name, current.number, current.own)

    def _asked(self, ask: Callable[[], Any]) -> Iterator[Any]:
        """Yield the house's answer if there is one: a failure here must not stop the game."""
        try:
            yield ask()
        except AWAY as error:
            log.info("%s: %s", self.name, error)

    def _doubt(self, sentence: str) -> None:
        log.warning("%s: %s", self.name, sentence)
        self._doubts.append(f"{self.name}: {sentence}")
