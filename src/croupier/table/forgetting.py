"""Facts that the table clears automatically, and when: after a throw, a turn, or a player's last checks."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.rules.schema import Fact

Facts = Mapping[str, Fact]

# Facts of a throw under way: a throw ends with a result or without one.
MOMENTS = (
    *("throw", "result", "called by", "thrown by", "thrown at", "rested at", "entered", "face", "face dispute"),
    *("tumbled", "uncovered", "pressed", "kip"),
)
_SEEN = ("seen ", "late ", "leans ", "called on ", "reminded ")

# Running wagers that a fault ends: while due, they wait to be settled or returned; then they are ended. No throw is
# made while they are due, and once they have ended, the previous result is not taken back (reading X-63).
RUNNING = "running wagers"
ENDED = "ended"

# Facts about the holder of the dice or coins.
TURN = ("dice", "shooter", "kip")

# Facts of an old set, used only by the player who threw when too many pieces of it were lost.
OLD_SET = ("old set", "old dice", "missing", "found", "checked", "searched", "asked back", "chosen", "kip")


def with_the_throw(facts: Facts) -> list[str]:
    """Return the facts to clear when a throw is over."""
    return [*MOMENTS, *(name for name in facts if name.startswith(_SEEN))]


def with_the_result(facts: Facts) -> list[str]:
    """Return the facts to clear at the next result: its throw, and wagers ended for a fault after an earlier one."""
    return [*with_the_throw(facts), RUNNING]


def with_the_turn(facts: Facts, player: str) -> list[str]:
    """Return the facts to clear when the dice or coins pass on from a player."""
    gone = [*TURN, f"reminded {player}"] if facts.get("shooter") == player else []
    if facts.get("old set") == player:
        gone += OLD_SET if "old dice" in facts else ["old set"]
    return gone


def with_the_house_turn(facts: Facts) -> list[str]:
    """Return the facts to clear when the house has thrown for lack of a player and everyone is asked again."""
    if facts.get("dice") != "house":
        return []
    return ["dice", *(name for name in facts if name.startswith(("declined ", "stood ")))]


def with_the_checks(facts: Facts, player: str) -> list[str]:
    """Return the facts to clear when a player has no checks left: the colours, and markers no other player needs."""
    own = [name for name in facts if name.split(" ", 2)[2:] == [player] and name.startswith(("checks ", "agreed "))]
    left = {name.split(" ", 2)[1] for name in facts if name.startswith("checks ") and name not in own}
    markers = [name for name in facts if name.startswith("marker ") and name.removeprefix("marker ") not in left]
    return [f"more colours {player}", *own, *markers]
