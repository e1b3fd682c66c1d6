"""What can be wrong with stored events, each fault with the place where it is and a sentence."""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal["altered", "missing", "added", "checkpoint", "damaged", "forged"]


class Fault(msgspec.Struct, frozen=True):
    """Something that is not as it was written. `version` is the first event of its stream that it concerns.

    An event is `altered`, `missing` or `added`; a `checkpoint` is not what the house signed; and what is `damaged` is
    something else in the store or the file. What is `forged` does not bear the house's seal.
    """

    kind: Kind
    sentence: str
    stream: str | None = None
    version: int | None = None


class Report(msgspec.Struct, frozen=True):
    """What was looked at, and what is wrong with it."""

    name: str
    faults: tuple[Fault, ...]
    streams: int
    records: int
    checkpoints: int
    unsealed: int  # events that no checkpoint vouches for yet
    key: str | None  # with which the checkpoints are signed
    digest: str | None = None  # of an exported file
    unproved: tuple[str, ...] = ()  # sentences on what is there and nothing vouches for

    @property
    def is_good(self) -> bool:
        """Whether everything is as it was written."""
        return not self.faults

    def lines(self) -> list[str]:
        """The report in sentences."""
        counted = f"{self.records:,} events in {self.streams:,} streams and {self.checkpoints:,} checkpoints"
        what = f"{self.name} has {counted}"
        if self.faults:
            count = "one fault was" if len(self.faults) == 1 else f"{len(self.faults)} faults were"
            return [f"{what}; {count} found:", *(fault.sentence for fault in self.faults)]
        lines = [f"{what}; all of them are as they were written."]
        if self.key is not None:
            lines.append(f"The checkpoints are signed with the key {self.key}.")
        if self.unsealed:
            lines.append(f"The last {self.unsealed:,} events are not under a checkpoint yet.")
        lines += self.unproved
        return lines
