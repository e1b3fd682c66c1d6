"""A throw taken moment by moment: whether it is under way, what was left out before it, when it was called void.

The last part lists the facts that the table clears by itself, after a throw, a turn, or a player's last checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from croupier.rules.book import holds
from croupier.rules.schema import NONE, Fact, acts_on
from croupier.table import events
from croupier.table.state import TableView

if TYPE_CHECKING:
    from croupier.rules.book import Book
    from croupier.rules.conduct import Lapse
    from croupier.table.commands import Settings

Facts = Mapping[str, Fact]

TUMBLED = "tumbled"  # how often the dice have tumbled for this game
THROW = "throw"  # none, thrown, at rest or called
THROWN_BY = "thrown by"  # the player who threw; unset if the house did
THROWN_AT, RESTED_AT = "thrown at", "rested at"  # when it happened, if the time was stated
CALLED = "called"  # of the fact `throw`: the outcome has been called, and is confirmed next
VOID_CALLED = "void called"  # whether the last throw that was called void had come to rest by then


def is_under_way(view: TableView) -> bool:
    """Whether a throw has begun and is not yet settled."""
    return THROW in view.state.facts


def who_threw(view: TableView) -> str | None:
    """Return the player who made the throw under way."""
    by = view.state.facts.get(THROWN_BY)
    return by if isinstance(by, str) else None


class Moments(NamedTuple):
    """When a throw was thrown and came to rest, if the times were stated."""

    thrown_at: str | None
    rested_at: str | None


def moments(view: TableView, entered_at: str | None = None) -> Moments:
    """Return the moments of the throw under way; for one not followed, both are the time of entry (reading X-50)."""
    facts = view.state.facts
    rested = facts.get(RESTED_AT, entered_at)
    thrown = facts.get(THROWN_AT, rested)
    return Moments(None if thrown is None else str(thrown), None if rested is None else str(rested))


def outcome_of(view: TableView, shown: object) -> int | None:
    """Return the index of the outcome for faces as a fact holds them, such as "3 4" or "HT"."""
    if not isinstance(shown, str):
        return None
    faces = tuple(int(face) for face in shown.split()) if shown[:1].isdigit() else tuple(shown)
    return view.game.book.outcomes.index.get(faces)


@acts_on("conduct.lapses")
def lapse(view: TableView) -> str | None:
    """Return the clause under which a throw made now has no result because something before it was left out."""
    lapses = view.game.book.conduct.lapses
    return next((each.clause for each in lapses if _is_asked(view, each) and not _was_done(view, each)), None)


def _is_asked(view: TableView, lapse: Lapse) -> bool:
    if lapse.closed:
        return True
    if lapse.fitted is not None:
        return view.fact(f"fitted {lapse.fitted}") != NONE
    return view.state.settings.manual_dice or lapse.fact in view.state.facts


def _was_done(view: TableView, lapse: Lapse) -> bool:
    if lapse.closed:
        return not view.state.bets_open
    value = view.fact(lapse.fact)
    number = value if isinstance(value, int) else 0
    return (not lapse.is_ or value in lapse.is_) and (lapse.least is None or number >= lapse.least)


def tumbles_asked(book: Book) -> int:
    """Return how often the dice must tumble before a result counts; 0 without a tumbler."""
    return next((each.least or 0 for each in book.conduct.lapses if each.fact == TUMBLED), 0)


def is_begun(view: TableView) -> bool:
    """Whether there is a throw that could turn out void (readings X-51, SB-27, TU-19).

    If throws are entered as single commands, the next one may be void whenever the bets are closed.
    """
    by_lines = view.game.book.rules.betting is not None and not view.state.settings.manual_dice
    return result_awaited(view) or (by_lines and not view.state.bets_open)


def result_awaited(view: TableView) -> bool:
    """Whether a throw has begun and is not settled: it has left the hand, or the dice have tumbled.

    If a call closes the bets, the throw begins with that call; while a result is pending and the bets stay closed,
    the next one begins when the coins lie ready on the kip.
    """
    state, betting = view.state, view.game.book.rules.betting
    if is_under_way(view) or TUMBLED in state.facts:
        return True
    if betting is None or state.bets_open:
        return False
    pending = betting.reopens is not None and not holds(betting.reopens, state.phases[betting.reopens.phase])
    return not pending or "kip" in state.facts


def search_begun(view: TableView, reason: str, by: str | None) -> Iterator[events.Noted]:
    """Start a search when a throw was void because something left the table: one piece is missing (reading X-52).

    If more are gone, that is reported separately; the others of the set are chosen again. A program without roles
    has no one to search.
    """
    people = by is not None or is_under_way(view) or view.state.settings.manual_dice
    if people and reason in view.game.book.conduct.off_the_table:
        missing = view.fact("missing")
        facts: dict[str, Fact | None] = {"missing": (missing if isinstance(missing, int) else 0) + 1}
        gone = [name for name in ("chosen", "searched", "kip") if name in view.state.facts]
        yield events.Noted(facts | dict.fromkeys(gone), reason)


def bets_call(book: Book, settings: Settings) -> str | None:
    """Return the call that opens the bets; where people tumble the dice, the call waits until they have."""
    return None if settings.manual_dice and tumbles_asked(book) else book.calls.get("bets open")


@acts_on("conduct.early_call")
def note_void_call(view: TableView, reason: str) -> Iterator[events.Noted]:
    """Record whether a throw was called void before it came to rest, if the book requires that."""
    if not is_under_way(view):
        return
    conduct = view.game.book.conduct
    if conduct.early_call is None:
        return
    if not conduct.early_grounds or reason in conduct.early_grounds:
        when = "before rest" if view.state.facts[THROW] == "thrown" else "after rest"
        yield events.Noted({VOID_CALLED: when}, conduct.early_call)


# -- facts that the table clears --------------------------------------------------------------------------------------


# Facts of a throw under way: a throw ends with a result or without one.
MOMENTS = (
    *("throw", "result", "called by", "thrown by", "thrown at", "rested at", "entered", "face", "face dispute"),
    *("tumbled", "uncovered", "pressed", "kip"),
)
_SEEN = ("seen ", "late ", "leans ", "called on ", "reminded ")

# Running wagers that a fault ends: while due, they wait to be settled or returned; then they are ended. No throw is
# made while they are due, and once they have ended, the previous result cannot be undone (reading X-63).
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
