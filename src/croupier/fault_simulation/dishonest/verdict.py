"""Judge a cheat: every check from outside, with what honest players and witnesses hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from croupier.fault_simulation.dishonest.dishonest_house import STREAM, DishonestHouse
from croupier.fault_simulation.dishonest.players import Defences, HonestPlayer, all_receipts
from croupier.house.electronic.verification import verify_dice
from croupier.house.reporting.bookkeeping import audit, entries
from croupier.store.checkpoints import STREAM as CHECKPOINTS
from croupier.store.checkpoints import read_checkpoint
from croupier.store.keys import PublicKey
from croupier.store.verifying import verify
from croupier.store.witnessing import against_witnessed

By = Literal["verify", "verify-dice", "--receipt", "--witness", "a client's doubt"]
Ending = Literal["impossible", "convicted", "undetectable", "unnoticed"]


class Evidence(msgspec.Struct, frozen=True):
    """Evidence against the house: where it comes from, and a sentence."""

    by: By
    sentence: str


class Verdict(msgspec.Struct, frozen=True):
    """The outcome of a cheat. `worked`: the house got what it wanted; `admitted`: the known limit it demonstrates."""

    cheat: str
    seed: int
    book: str
    worked: bool
    how: str
    evidence: tuple[Evidence, ...]
    admitted: str | None

    @property
    def ending(self) -> Ending:
        """Convicted if there is evidence; else impossible, or known to be undetectable; else unnoticed: a fault."""
        if self.evidence:
            return "convicted"
        if not self.worked:
            return "impossible"
        return "unnoticed" if self.admitted is None else "undetectable"

    @property
    def by(self) -> tuple[By, ...]:
        """Every source of evidence against it."""
        return tuple(sorted({one.by for one in self.evidence}))


def evidence(house: DishonestHouse, players: Sequence[HonestPlayer], defences: Defences) -> Iterator[Evidence]:
    """Yield all evidence against a house: in its store, in its public record, and from what people hold and noticed."""
    key = next((player.receipts.key for player in players if player.receipts.key is not None), None)
    yield from _in_store(house, key)
    yield from _in_record(house, players, defences)
    if defences.witness:
        made = (read_checkpoint(record.document) for record in house.store.read(CHECKPOINTS))
        kept = {one.statement.number: one for one in made}
        yield from (Evidence("--witness", sentence) for sentence in against_witnessed(house.witnessed, kept, key))
    for player in players if defences.doubts else ():
        player.look_again()
        yield from (Evidence("a client's doubt", doubt) for doubt in player.doubts)


def _in_store(house: DishonestHouse, key: str | None) -> Iterator[Evidence]:
    report = verify(house.store, None if key is None else PublicKey(bytes.fromhex(key)))
    yield from (Evidence("verify", fault.sentence) for fault in report.faults)
    streams = [head.stream for head in house.store.heads() if head.stream != CHECKPOINTS]
    found = audit({stream: list(entries(house.store.read(stream))) for stream in streams})
    yield from (Evidence("verify", str(finding)) for finding in found)


def _in_record(house: DishonestHouse, players: Sequence[HonestPlayer], defences: Defences) -> Iterator[Evidence]:
    receipts = [receipt for receipt in all_receipts(players) if receipt.stream == STREAM]
    found = verify_dice(house.public(), receipts=receipts)
    for finding in found.findings:
        if finding.fault not in defences.unlooked:
            yield Evidence("--receipt" if finding.fault == "receipt" else "verify-dice", finding.sentence)
    for one in found.numbers.suspected if "suspected" not in defences.unlooked else ():
        say = f"The numbers of player {one.contributor} are missing more often than bad luck explains"
        yield Evidence("verify-dice", f"{say}: {one.missing} of {one.put_in}.")
    for thin in found.numbers.thin if "thin" not in defences.unlooked else ():
        say = f"More numbers of round {thin.round} are missing than bad luck explains"
        yield Evidence("verify-dice", f"{say}: {thin.missing} of {thin.put_in}.")


# -- cheats that cannot be proved, word for word as in docs/security.md: a test compares the two ----------------------

NO_HONEST_NUMBER = (
    "That the house chose the throw of a round that includes no honest player's number: through the secret, if wagers "
    "stood before the round opened; through a number from an account of its own; or by closing the table before the "
    "bets close."
)
SERVED_PAGE = (
    "That the house served someone a page that leaks numbers or keeps silent. If you do not want to rely on its "
    "pages, play with a client that does not come from the house."
)
FRESH_ACCOUNTS = (
    "That the house withheld numbers of its own accounts, if it used a different account each time and few in one "
    "round. The record counts missing numbers, but cannot tell these from the numbers of people who came once and "
    "left."
)
ONLY_ITS_PLAYER_KNOWS = (
    "That a missing number did arrive, or that one sent with a bet was never put in. Its player knows, but others have "
    "only the player's word for it."
)
STOPS = (
    "That the house stopped a table for good because it knew the next throw and disliked it. The record ends with a "
    "round under way, as it does while a house is down."
)
NO_ANSWER_NO_RECEIPT = (
    "That the house refused an order on purpose, or left it unanswered: such an order has no receipt."
)
KEPT_BACK = (
    "That a record whose document is withheld contains something other than what the house says about it, in public "
    "or to a player. Only someone with the document can tell, such as an inspector."
)
AFTER_THE_LAST_RECEIPT = (
    "That the house undid something that came after the last receipt that anyone holds and after the last checkpoint "
    "that a witness has."
)
NEVER_SAW_THE_KEY = "That the house has a different key than before, to someone who never saw the earlier one."
UNDETECTABLE = (
    NO_HONEST_NUMBER,
    SERVED_PAGE,
    FRESH_ACCOUNTS,
    ONLY_ITS_PLAYER_KNOWS,
    STOPS,
    NO_ANSWER_NO_RECEIPT,
    KEPT_BACK,
    AFTER_THE_LAST_RECEIPT,
    NEVER_SAW_THE_KEY,
)
