"""Changes of what a sign states: what it said before and says now, what announced it, whether the notice was kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from croupier.house.registers.rows import Cell, written
from croupier.house.registers.scenes import Scene
from croupier.house.signs import Sign, signs_up
from croupier.money import format_cents
from croupier.rules.facts import Fact
from croupier.rules.game import WHOLE_TABLE, Terms
from croupier.rules.picks import typed_pick
from croupier.table.clock import moment
from croupier.table.commands import Limit, Settings
from croupier.table.placing import limit_for

NO_NOTICE = "none asked for"
PAY_TABLE_SIGN, PAY_TABLE_UNTIL = "pay table sign", "pay table sign until"
ONE_TO_AN_AREA = "one to an area"
_NOTHING = "none"


def cells_of_change(scene: Scene) -> dict[str, Cell]:
    """All that a register of changes says of a write."""
    wagers = dict.fromkeys([*scene.was.sign.selections, *scene.now.sign.selections])
    was, now = (_stated(standing.sign, wagers) | _played(standing.terms) for standing in (scene.was, scene.now))
    if ONE_TO_AN_AREA in scene.changes:
        was |= {"players in an area": _in_an_area(scene.before.get(ONE_TO_AN_AREA))}
        now |= {"players in an area": _in_an_area(scene.changes[ONE_TO_AN_AREA])}
    differ = [name for name in {**was, **now} if was.get(name) != now.get(name)]
    before, after = ("; ".join(f"{name} {said.get(name, _NOTHING)}" for name in differ) for said in (was, now))
    sign, notice = _announced(scene)
    return {"before": before, "now": after, "sign": sign, "notice": notice}


def _in_an_area(fact: Fact | None) -> str:
    return "several" if fact is None else "one"


def _stated(sign: Settings, wagers: Iterable[str]) -> dict[str, str]:
    """Everything that a sign states, by name. Of a wager that it does not name, what it states for all."""
    stated = dict(_limits("", sign.limit))
    for wager in wagers:
        kind, _, pick = wager.partition(" ")
        stated |= _limits(f"{wager.replace('_', ' ')} ", limit_for(sign, kind, None, typed_pick(pick)))
    for player, own in sign.player_limits.items():
        stated |= _limits(f"{player}'s ", own)
        for wager, limit in own.wagers.items():
            stated |= _limits(f"{player}'s {wager.replace('_', ' ')} ", limit)
    single = {"unit": sign.unit, "maximum of a player": sign.player_maximum}
    stated |= {name: format_cents(cents) for name, cents in single.items() if cents is not None}
    return stated | ({} if sign.seats is None else {"players": str(sign.seats)})


def _limits(of: str, limit: Limit) -> Iterator[tuple[str, str]]:
    for name, cents in (("minimum", limit.minimum), ("maximum", limit.maximum)):
        if cents is not None:
            yield f"{of}{name}", format_cents(cents)


def _played(terms: Terms) -> dict[str, str]:
    """The book and the choices of its pay table."""
    chosen = {"pay table" if name == WHOLE_TABLE else f"pay table {name}": option for name, option in terms.choices}
    return {"book": terms.book, **chosen}


def _announced(scene: Scene) -> tuple[str, str]:
    """The sign that a write is about, and what became of its notice."""
    put_up = signs_up(scene.book, scene.changes)
    if put_up:
        return _words(scene, put_up[0]), f"over at {_time(scene, put_up[0].holds)}"
    if PAY_TABLE_SIGN in scene.changes or PAY_TABLE_UNTIL in scene.changes:
        return _about_pay_table(scene)
    down = [sign for sign in signs_up(scene.book, scene.before) if sign.fact in scene.changes]
    if not down:
        return "", NO_NOTICE
    return f"{_words(scene, down[0])}, up since {_time(scene, down[0].shown)}", _kept(scene, down[0].holds)


def _about_pay_table(scene: Scene) -> tuple[str, str]:
    """A sign tells of a change for a month; it is put up with the change, and taken down when that is over."""
    until = scene.fact(PAY_TABLE_UNTIL)
    if scene.fact(PAY_TABLE_SIGN) is not None:
        end = "without an end yet" if until is None else f"until {_time(scene, _moment(scene, until))}"
        return f"tells of the pay table {end}", NO_NOTICE
    stood = scene.before.get(PAY_TABLE_UNTIL)
    return "told of the pay table", NO_NOTICE if stood is None else _kept(scene, _moment(scene, stood))


def _words(scene: Scene, sign: Sign) -> str:
    wager = "" if sign.wager is None else f" for {sign.wager.replace('_', ' ')}"
    minimum = "" if sign.minimum is None else f" {format_cents(sign.minimum)}"
    return f"{sign.announces}{wager}{minimum} from {_time(scene, sign.states)}"


def _kept(scene: Scene, over: datetime) -> str:
    return "kept" if scene.at >= over else f"not kept: it is over at {_time(scene, over)}"


def _moment(scene: Scene, stored: Fact) -> datetime:
    return moment(datetime.fromisoformat(str(stored)), scene.book.rules.book.timezone)


def _time(scene: Scene, at: datetime) -> str:
    return written(at, scene.book.rules.book.timezone)
