"""The context of an act or command: the acting person, the fields given, the time, and the facts of the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from croupier.money import MoneyError, parse_cents
from croupier.rules.conduct import KINDS, Act, Conduct, Need, filled
from croupier.rules.machine import Pick, plain_pick
from croupier.rules.schema import NONE, Fact
from croupier.rules.shelf import Shelf
from croupier.table.clock import passed, utc_moment
from croupier.table.events import AnyEvent
from croupier.table.refusals import Refusal, unknown_player
from croupier.table.state import State, TableView
from croupier.table.throwing import not_an_outcome
from croupier.table.under_way import outcome_of

if TYPE_CHECKING:
    from croupier.table.correcting import Correction

Said = int | str | tuple[int, ...] | None


class Scene:
    """What checks and effects look at: `by` is the acting person's role, `who` the name, `said` the fields given.

    Most commands are decided without looking at `said`, so it may be a function that is called on first use.
    """

    __slots__ = (
        *("_said", "at", "book", "by", "changes", "clause", "conduct", "correction", "shelf", "state", "view", "who"),
    )

    def __init__(
        self,
        shelf: Shelf,
        state: State,
        by: str | None,
        who: str | None,
        at: datetime | None,
        said: Mapping[str, Said] | Callable[[], Mapping[str, Said]],
    ) -> None:
        self.shelf = shelf
        self.state = state
        self.view = TableView(shelf, state)
        self.book = self.view.game.book
        self.conduct: Conduct = self.book.conduct
        self.by = by
        self.who = who
        self.at = at
        self._said = said
        self.clause = ""
        self.correction: Correction | None = None
        self.changes: dict[str, Fact | None] = {}  # the facts that the act itself changes

    @property
    def said(self) -> Mapping[str, Said]:
        """The fields given."""
        if callable(self._said):
            self._said = self._said()
        return self._said

    @said.setter
    def said(self, said: Mapping[str, Said]) -> None:
        self._said = said

    def words(self) -> dict[str, object]:
        """Return the values for words in braces: the fields given, the acting person, and the time."""
        by, at = self.by or "", self.at if self.at is not None else ""
        words: dict[str, object] = {**self.said, "who": self.who or by, "by": by, "at": at}
        faces = self.said.get("faces", self.state.facts.get("result"))
        if faces is not None:
            words["outcome"] = self._outcome(faces)
        return words

    def _outcome(self, faces: Said) -> str:
        """Return the book's call of a result."""
        outcome = outcome_of(self.view, faces)
        return "" if outcome is None else self.book.outcomes.call(outcome, self.view.call("result") or "{faces}")

    def fact(self, name: str) -> Fact:
        """Return the value of a fact; `none` if it is not set."""
        return self.view.fact(name)

    def number(self, name: str) -> int:
        """Return a numeric fact; 0 if it is not set."""
        value = self.fact(name)
        return value if isinstance(value, int) else 0

    def text(self, name: str) -> str:
        """Return a text field."""
        return str(self.said[name])

    def cents(self, name: str) -> int:
        """Return an amount field."""
        value = self.said[name]
        assert isinstance(value, int), f"{name} is no number"
        return value

    @property
    def count(self) -> int:
        """The number given."""
        return self.cents("count")

    def pick(self, name: str) -> Pick:
        """Return the pick given with a wager, as plain data."""
        return self.said.get(name)

    @property
    def hand_to_hand(self) -> bool:
        """Whether dice or coins go from hand to hand at this table."""
        return self.state.settings.manual_dice and self.book.rules.thrower is not None

    @property
    def timezone(self) -> str:
        """The table's time zone."""
        return self.book.rules.book.timezone

    def holds(self, need: Need, words: Mapping[str, object]) -> bool:
        """Whether a need about a fact holds."""
        assert need.fact is not None, f"{need.id} is about nothing"
        name = filled(need.fact, words)
        if not self.remembers(name):
            return need.holds_of_nothing
        if need.is_ and not self._is_one_of(name, need.is_, words):
            return False
        if need.not_ and self._is_one_of(name, need.not_, words):
            return False
        if need.least is not None and self.number(name) < need.least:
            return False
        if need.most is not None and self.number(name) > need.most:
            return False
        return (need.minutes is None and not need.reached) or self._time_holds(need, name)

    def _is_one_of(self, name: str, wanted: list[Fact], words: Mapping[str, object]) -> bool:
        """Whether a fact is one of the wanted values. `none` means unset and never matches: it may be a name."""
        value = as_text(self.fact(name))
        return any(each != NONE and value == filled(str(each), words) for each in wanted)

    def remembers(self, name: str) -> bool:
        """Whether the fact is set, by the table or by the book."""
        return name in self.state.facts or name in self.conduct.facts

    def _time_holds(self, need: Need, name: str) -> bool:
        if self.at is None:
            return False
        then = datetime.fromisoformat(str(self.fact(name)))
        if need.reached and utc_moment(self.at, self.timezone) < utc_moment(then, self.timezone):
            return False
        return need.minutes is None or passed(then, self.at, need.minutes, self.timezone)


Check = Callable[[Scene], bool]
Effect = Callable[[Scene], list[AnyEvent] | Refusal]

CHECKS: dict[str, Check] = {}
EFFECTS: dict[str, Effect] = {}


def check(function: Check) -> Check:
    """Declare a check: a need in a book may name it."""
    CHECKS[function.__name__] = function
    return function


def effect(function: Effect) -> Effect:
    """Declare an effect: an act in a book may name it."""
    EFFECTS[function.__name__] = function
    return function


def as_text(value: object) -> str:
    """Format a value for a word in braces, however large it is."""
    return filled("{value}", {"value": value})


def refusal_of(need: Need, clause: str | None, words: Mapping[str, object]) -> Refusal:
    """Return the refusal of a need."""
    return Refusal(need.code, filled(need.say, words), need.clause or clause)


def unknown_role(conduct: Conduct, role: object) -> Refusal:
    """Return the refusal of a role that is not in the book."""
    known = ", ".join(conduct.role_ids) or "none"
    return Refusal(
        "unknown_role", f'This book has no role called {role}. Its roles are {known}. To give a name, use "who".'
    )


# -- fields -----------------------------------------------------------------------------------------------------------
# The fields of an act, read by kind: a program sends JSON, a scenario words.

RETURNING, FINDING = "return_wagers", "find_error"  # effects of acts that may concern a player who has left
PICK_OF = {"wager": "pick", "to": "to_pick"}


def read_said(scene: Scene, act: Act, raw: Mapping[str, object]) -> dict[str, Said] | Refusal:
    """Return the fields as plain values, or a refusal."""
    forms = [form for form in act.forms if all(raw.get(name) is not None for name in form)]
    form = max(forms, key=len, default=None)
    if form is None:
        missing = min(([name for name in form if raw.get(name) is None] for form in act.forms), key=len)
        return Refusal("bad_field", f"{act.id} needs {', '.join(missing)}.")
    said: dict[str, Said] = {}
    for name in form:
        read = _READ[KINDS.get(name, "text")]
        value = read(scene, act, name, raw[name])
        if isinstance(value, Refusal):
            return value
        said[name] = value
        if name in PICK_OF:
            given = raw.get(PICK_OF[name])
            said[PICK_OF[name]] = pick = plain_pick(given)
            if given is not None and pick is None:
                return Refusal("pick_unknown", f"{PICK_OF[name]}: give a number, a word or a list of numbers.")
    return said


def _shown(raw: object) -> str:
    """Format a raw value for a sentence; nested values are only mentioned by type."""
    if isinstance(raw, list | tuple | dict):
        flat = isinstance(raw, list) and all(isinstance(part, str) or type(part) is int for part in raw)
        return f"[{', '.join(map(as_text, raw))}]" if flat else f"a {type(raw).__name__}"
    return raw if isinstance(raw, str) else as_text(raw)


def _player(scene: Scene, act: Act, name: str, raw: object) -> Said | Refusal:
    """Read a seated player; returning wagers and finding errors may also concern a player who has left."""
    state = scene.state
    if not isinstance(raw, str):
        return unknown_player(_shown(raw))
    left_behind = act.effect == RETURNING and raw in state.kept
    had_wagers = act.effect == FINDING and any(raw in stakes for stakes in state.staked.values())
    return raw if raw in state.chips or left_behind or had_wagers else unknown_player(raw)


def _money(scene: Scene, act: Act, name: str, raw: object) -> Said | Refusal:
    if raw is not None and not isinstance(raw, str):
        return Refusal("amount_malformed", f'An amount is a text such as "10.00", not {_shown(raw)}.')
    try:
        return parse_cents(raw)
    except MoneyError as error:
        return Refusal("amount_malformed", str(error))


def _count(scene: Scene, act: Act, name: str, raw: object) -> Said | Refusal:
    number = int(raw) if isinstance(raw, str) and raw.isascii() and raw.isdigit() and len(raw) < 10 else raw
    if isinstance(number, bool) or not isinstance(number, int) or not 0 < number < 10**9:
        return Refusal("bad_field", f"{name}: give a whole number above zero.")
    return number


def _time(scene: Scene, act: Act, name: str, raw: object) -> Said | Refusal:
    try:
        return datetime.fromisoformat(raw if isinstance(raw, str) else "").isoformat()
    except ValueError:
        return Refusal("bad_time", f'{name}: give a time in ISO 8601, such as "2024-08-19T20:15:00+10:00".')


def _faces(scene: Scene, act: Act, name: str, raw: object) -> Said | Refusal:
    faces = faces_of(scene, raw)
    return not_an_outcome(scene.view.game) if faces is None else show_faces(faces)


def faces_of(scene: Scene, raw: object) -> tuple[int | str, ...] | None:
    """Parse faces: a list, or a text such as "3 4" or "HT"."""
    if isinstance(raw, str):
        parts: list[object] = [_face(part) for part in raw.split()] if " " in raw else list(raw)
    else:
        parts = list(raw) if isinstance(raw, list | tuple) else []
    plain = tuple(part for part in parts if type(part) in (int, str))
    index = scene.book.outcomes.index
    return plain if len(plain) == len(parts) and plain in index else None  # type: ignore[return-value]


def _face(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


def show_faces(faces: tuple[int | str, ...]) -> str:
    """Format faces as a fact holds them."""
    return "".join(map(str, faces)) if isinstance(faces[0], str) else " ".join(map(str, faces))


def _reason(scene: Scene, act: Act, name: str, raw: object) -> Said | Refusal:
    if raw not in act.grounds:
        say = f"{_shown(raw) or 'Nothing'} is not a ground for this. The grounds are {', '.join(act.grounds)}."
        return Refusal("not_a_ground", say, act.clause)
    return str(raw)


def _wager(scene: Scene, act: Act, name: str, raw: object) -> Said | Refusal:
    known = {*scene.book.wagers, *(area.wager for area in scene.state.layout)}
    if not isinstance(raw, str) or raw not in known:
        return Refusal("unknown_wager", f"The book has no wager called {_shown(raw)}.", scene.book.rules.limits.wagers)
    return raw


def _role(scene: Scene, act: Act, name: str, raw: object) -> Said | Refusal:
    if raw not in scene.conduct.role_ids:
        return unknown_role(scene.conduct, _shown(raw))
    return str(raw)


def _text(scene: Scene, act: Act, name: str, raw: object) -> Said | Refusal:
    if not isinstance(raw, str) or not raw.strip():
        return Refusal("bad_field", f"{name}: give some text.")
    choices = act.choices.get(name)
    if choices and raw not in choices:
        return Refusal("bad_field", f"{name}: give {' or '.join(choices)}.", act.clause)
    return raw


_READ: dict[str, Callable[[Scene, Act, str, object], Said | Refusal]] = {
    "player": _player,
    "money": _money,
    "count": _count,
    "time": _time,
    "faces": _faces,
    "reason": _reason,
    "wager": _wager,
    "role": _role,
    "text": _text,
}
