"""What a table forgets by itself, and with what: a throw that is over, a turn, the last checks of a player."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.rules.facts import Fact

Facts = Mapping[str, Fact]

# Of a throw while it is under way: with the result, or without one, it is over.
MOMENTS = (
    *("throw", "result", "called by", "thrown by", "thrown at", "rested at", "entered", "face", "face dispute"),
    *("tumbled", "uncovered", "pressed", "kip"),
)
_SEEN = ("seen ", "late ", "leans ", "called on ", "reminded ")

# Of wagers in play that a fault ends: due, they wait to be settled or returned; ended, they were. No throw is made
# while they are due, and what the result before had settled stays as it is once they have ended (reading X-63).
RUNNING = "running wagers"
ENDED = "ended"

# Of who has the dice or coins.
TURN = ("dice", "shooter", "kip")

# Of an old set that only the player uses who threw when too many of it were lost.
OLD_SET = ("old set", "old dice", "missing", "found", "checked", "searched", "asked back", "chosen", "kip")


def with_the_throw(facts: Facts) -> list[str]:
    """What goes with a throw that is over."""
    return [*MOMENTS, *(name for name in facts if name.startswith(_SEEN))]


def with_the_result(facts: Facts) -> list[str]:
    """What goes with the next result: the throw that led to it, and wagers ended for a fault after an earlier one."""
    return [*with_the_throw(facts), RUNNING]


def with_the_turn(facts: Facts, player: str) -> list[str]:
    """What goes when the dice or coins pass on from a player."""
    gone = [*TURN, f"reminded {player}"] if facts.get("shooter") == player else []
    if facts.get("old set") == player:
        gone += OLD_SET if "old dice" in facts else ["old set"]
    return gone


def with_the_house_turn(facts: Facts) -> list[str]:
    """What goes when the house has thrown for want of a player, and everybody is asked again."""
    if facts.get("dice") != "house":
        return []
    return ["dice", *(name for name in facts if name.startswith(("declined ", "stood ")))]


def with_the_checks(facts: Facts, player: str) -> list[str]:
    """What goes when a player has no checks left: the colours, and the markers that nobody else needs."""
    own = [name for name in facts if name.split(" ", 2)[2:] == [player] and name.startswith(("checks ", "agreed "))]
    left = {name.split(" ", 2)[1] for name in facts if name.startswith("checks ") and name not in own}
    markers = [name for name in facts if name.startswith("marker ") and name.removeprefix("marker ") not in left]
    return [f"more colours {player}", *own, *markers]
