"""What is said with an act, read kind by kind: a program says it in JSON, a scenario in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from croupier.money import MoneyError, parse_cents
from croupier.rules.conduct import KINDS, Act
from croupier.rules.picks import plain_pick
from croupier.table.conduct.scene import Said, Scene, as_text, unknown_role
from croupier.table.refusals import Refusal, unknown_player
from croupier.table.throwing import not_an_outcome

RETURNING, FINDING = "return_wagers", "find_error"  # effects of acts that may be about somebody who has gone
PICK_OF = {"wager": "pick", "to": "to_pick"}


def read_said(scene: Scene, act: Act, raw: Mapping[str, object]) -> dict[str, Said] | Refusal:
    """What was said, as plain values, or what is wrong with it."""
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
                return Refusal("pick_unknown", f"{PICK_OF[name]}: a number, a word or a list of numbers is wanted.")
    return said


def _shown(raw: object) -> str:
    """What was said, to be put in a sentence: what is nested too deep is only mentioned."""
    if isinstance(raw, list | tuple | dict):
        flat = isinstance(raw, list) and all(isinstance(part, str) or type(part) is int for part in raw)
        return f"[{', '.join(map(as_text, raw))}]" if flat else f"a {type(raw).__name__}"
    return raw if isinstance(raw, str) else as_text(raw)


def _player(scene: Scene, act: Act, name: str, raw: object) -> Said | Refusal:
    """Somebody with a seat; wagers left behind may be void, and errors found, about somebody who has gone."""
    state = scene.state
    if isinstance(raw, str) and raw in state.chips:
        return raw
    left_behind = act.effect == RETURNING and raw in state.kept
    had_wagers = act.effect == FINDING and any(raw in stakes for stakes in state.staked.values())
    return str(raw) if isinstance(raw, str) and (left_behind or had_wagers) else unknown_player(_shown(raw))


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
        return Refusal("bad_field", f"{name}: a whole number above zero is wanted.")
    return number


def _time(scene: Scene, act: Act, name: str, raw: object) -> Said | Refusal:
    try:
        return datetime.fromisoformat(raw if isinstance(raw, str) else "").isoformat()
    except ValueError:
        return Refusal("bad_time", f'{name}: a time in ISO 8601, such as "2024-08-19T20:15:00+10:00", is wanted.')


def _faces(scene: Scene, act: Act, name: str, raw: object) -> Said | Refusal:
    faces = faces_of(scene, raw)
    return not_an_outcome(scene.view.game) if faces is None else show_faces(faces)


def faces_of(scene: Scene, raw: object) -> tuple[int | str, ...] | None:
    """The faces that are meant: a list, or a text such as "3 4" or "HT"."""
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
    """Faces as the table remembers them."""
    return "".join(map(str, faces)) if isinstance(faces[0], str) else " ".join(map(str, faces))


def _reason(scene: Scene, act: Act, name: str, raw: object) -> Said | Refusal:
    if raw not in act.grounds:
        say = f"{_shown(raw) or 'Nothing'} is no ground for this; there are {', '.join(act.grounds)}."
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
        return Refusal("bad_field", f"{name}: some words are wanted.")
    choices = act.choices.get(name)
    if choices and raw not in choices:
        return Refusal("bad_field", f"{name}: {' or '.join(choices)} is wanted.", act.clause)
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
