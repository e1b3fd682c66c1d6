"""What somebody had at stake, as the table itself remembers it: the most that a dispute or an error can be about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from croupier.money import winnings_cents
from croupier.rules.facts import Fact
from croupier.rules.machine import Pick
from croupier.rules.picks import plain_pick
from croupier.table.state import Area
from croupier.table.view import TableView

_MONEY_OF_CASES = ("award ", "paid ", "mispayment ")


def most_at_stake(view: TableView, player: str | None, wager: str | None = None, pick: Pick = None) -> int:
    """The most that one wager of a player could have brought back this gaming day (reading X-57).

    With a wager, and maybe its pick, it is that wager alone; without a player, anybody's.
    """
    meant = (
        (area, cents)
        for area, cents in _stakes(view, player)
        if wager is None or (area.wager == wager and _is_pick(view, area, pick))
    )
    return max((_most_returned(view, area, cents) for area, cents in meant), default=0)


def all_at_stake(view: TableView, player: str | None) -> int:
    """The most that all wagers of a player together could have brought back: each area with every result so far."""
    by_area: dict[Area, int] = {}
    for area, cents in _stakes(view, player):
        by_area[area] = max(by_area.get(area, 0), cents)
    return sum(_most_returned(view, area, cents) for area, cents in by_area.items()) * max(1, view.state.results)


def had_else(facts: Mapping[str, Fact], case: str, person: Fact | None, day: Fact) -> int:
    """What somebody has had, or is to have, in the other cases of a gaming day: it comes out of the same stakes."""
    others = {name.split(" ", 1)[1] for name in facts if name.startswith(_MONEY_OF_CASES)} - {case}
    same = (each for each in others if person in _people(facts, each) and facts.get(f"day {each}") == day)
    return sum(_had(facts, each) for each in same)


def _people(facts: Mapping[str, Fact], case: str) -> list[Fact]:
    return [facts[name] for name in (f"disputant {case}", f"patron {case}") if name in facts]


def _had(facts: Mapping[str, Fact], case: str) -> int:
    """The latest award, or more if an earlier one was paid; of an underpayment, what was put right."""
    if facts.get(f"mispayment {case}") == "rectified" and facts.get(f"way {case}") == "underpaid":
        return _cents(facts, f"amount {case}")
    return max(_cents(facts, f"award {case}"), _cents(facts, f"paid {case}"))


def _cents(facts: Mapping[str, Fact], name: str) -> int:
    value = facts.get(name)
    return value if isinstance(value, int) else 0


def _stakes(view: TableView, player: str | None) -> Iterator[tuple[Area, int]]:
    """What results have decided today, and what stands on the layout that a throw has passed by."""
    state = view.state
    for area, stakes in state.staked.items():
        yield from ((area, cents) for name, cents in stakes.items() if player in (None, name))
    for name, area, stake in state.wagers():
        if player in (None, name) and (name, area) not in state.fresh:
            yield area, stake.amount


def _is_pick(view: TableView, area: Area, pick: Pick) -> bool:
    return pick is None or plain_pick(pick) in (plain_pick(area.pick), plain_pick(view.shown_pick(area)))


def _most_returned(view: TableView, area: Area, cents: int) -> int:
    """The stake with the best that its machine pays from where it stood."""
    machine = view.game_of(area).machine(area.wager, area.pick)
    odds = max(entry.odds for state in machine.reachable([area.state]) for entry in machine.table[state])
    return cents + winnings_cents(cents, odds, view.state.settings.chip)
