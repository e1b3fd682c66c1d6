"""The facts a table records about its conduct: small named values, such as `dice = "offered"` or `missing = 1`."""

from __future__ import annotations

Fact = int | str

NONE = "none"  # the value of a fact that was never set

# Facts that the engine sets, in addition to those set by a book's acts. `*` matches one inserted word, `**` anything.
# A test keeps the list complete.
SET_BY_THE_ENGINE = (
    *("chosen", "set", "missing", "found", "lost", "old set", "old dice"),
    *("reminded *", "declined *", "stood **"),
    *("called by", "thrown by", "thrown at", "rested at", "void called", "running wagers"),
    *("late **", "spoken **", "called on **"),
    *("tokens *", "marker *", "last closing float", "float reported difference"),
    *("float at opening", "float counted at opening", "float counted by at opening"),
    *("area *", "room", "next minimum", "next minimum **", "pay table sign", "pay table sign until"),
    *("table", "opened at", "closed at"),
    *("rules sha256", "rules book", "rules signed", "rules signed by", "rules digest"),
    *("when **", "who **", "dispute *", "most *", "whole *", "day *", "award *", "paid *", "unpaid *"),
    *("patron *", "owing *", "corrected *", "mispayment *", "standing *", "due *", "returned *"),
)
