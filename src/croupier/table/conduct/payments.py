"""Wrong payments found after settlement: the status of each case, what is still due, and the money to correct it.

The money of a dispute, or of an error found by staff, is paid here as well. A case is a set of facts that include
its name. After every step the case is judged again: `standing CASE` is "open", "excused" or "breach", and `due CASE`
lists what the rules still require (reading CR-30).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from croupier.rules.schema import NONE, Fact
from croupier.rules.shelf import Shelf
from croupier.table import commands, events
from croupier.table.checks_and_tokens import redeemed, redeeming_clause
from croupier.table.clock import month_of
from croupier.table.conduct.disputes import all_at_stake, had_else, most_at_stake
from croupier.table.conduct.scene import Scene, check, effect
from croupier.table.evolve import evolve_all
from croupier.table.state import State

RECTIFIED = "rectified"
UNINTENTIONAL, SUSPECTED = "unintentional", "suspected intentional"
OVERPAID = "overpaid"

_MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])", re.ASCII)

Changes = dict[str, Fact | None]


class Case:
    """A wrong payment, with the pending changes applied to its facts."""

    def __init__(self, scene: Scene, name: str, changes: Changes) -> None:
        self.scene = scene
        self.name = name
        self.changes = changes

    def fact(self, word: str) -> Fact:
        """Return one of the facts of the case."""
        key = f"{word} {self.name}"
        if key not in self.changes:
            return self.scene.fact(key)
        value = self.changes[key]
        return NONE if value is None else value

    def has(self, word: str) -> bool:
        """Whether the fact is set."""
        key = f"{word} {self.name}"
        return self.changes[key] is not None if key in self.changes else key in self.scene.state.facts

    @property
    def cents(self) -> int:
        """The amount overpaid or underpaid."""
        value = self.fact("amount")
        return value if isinstance(value, int) else 0

    @property
    def is_remedied(self) -> bool:
        """Whether it is corrected, or reasonably attempted: an unknown patron sought, a known one asked or paid."""
        if self.fact("mispayment") == RECTIFIED:
            return True
        if not self.has("patron"):
            return self.has("traced")
        return self.has("sought") or self.has("impractical")

    @property
    def is_to_be_returned(self) -> bool:
        """Whether a monthly return must list it: above the threshold, not exactly at it."""
        return self.cents > self.scene.number("return above")

    def standing(self) -> str:
        """Whether the payment counts as a breach of the rules, on what is known so far."""
        finding = self.fact("finding")
        if finding == SUSPECTED:
            return "breach"
        excused = finding == UNINTENTIONAL and (self.is_remedied or self.has("nicc"))
        return "excused" if excused else "open"

    def due(self) -> Iterator[str]:
        """Yield what the rules still require."""
        suspected = self.fact("finding") == SUSPECTED
        if not self.has("finding"):
            yield "enquiry"
        if not self.is_remedied and (suspected or not self.has("nicc")):
            yield "remedy"
        if suspected and not (self.has("patron") or self.has("traced")):
            yield "identification"
        if self.is_to_be_returned and not self.has("returned"):
            yield "return"

    def judged(self) -> Changes:
        """Return the changes and the resulting status of the case."""
        due = ", ".join(self.due())
        verdict: Changes = {f"standing {self.name}": self.standing(), f"due {self.name}": due or None}
        return {**self.changes, **verdict}

    def listed(self) -> events.Mispayment:
        """Return the case as listed in a return."""
        finding = str(self.fact("finding")) if self.has("finding") else None
        return events.Mispayment(
            case=self.name,
            patron=str(self.fact("patron")) if self.has("patron") else None,
            way=str(self.fact("way")),
            cents=self.cents,
            finding=finding,
            standing=self.standing(),
            no_credit=self.fact("way") == OVERPAID and finding == UNINTENTIONAL,
        )


def _case(scene: Scene) -> Case:
    return Case(scene, scene.text("case"), dict(scene.changes))


def _judge(case: Case) -> events.AnyEvent:
    news = {name: value for name, value in case.judged().items() if case.scene.changes.get(name, NONE) != value}
    return events.Noted(news, case.scene.clause)


# -- checks ------------------------------------------------------------------------------------------------------------


@check
def is_amount(scene: Scene) -> bool:
    """Whether the amount, if given, is positive."""
    return "amount" not in scene.said or scene.cents("amount") > 0


def _given_back(scene: Scene) -> int:
    return scene.cents("amount") if "amount" in scene.said else scene.number(f"owing {scene.text('case')}")


@check
def is_owing(scene: Scene) -> bool:
    """Whether no more is given back than is owing."""
    return _given_back(scene) <= scene.number(f"owing {scene.text('case')}")


@check
def is_in_hand(scene: Scene) -> bool:
    """Whether the player has the chips in hand; wagers stay where they are."""
    return _given_back(scene) <= scene.state.chips.get(scene.who or "", 0)


def _patron(scene: Scene) -> str | None:
    """Return whose money it is: the patron of a wrong payment, or the person who raised the dispute."""
    word = "patron" if _is_mispayment(scene) else "disputant"
    name = scene.state.facts.get(f"{word} {scene.text('case')}")
    return None if name is None else str(name)


def _is_mispayment(scene: Scene) -> bool:
    return f"mispayment {scene.text('case')}" in scene.state.facts


@check
def is_dispute(scene: Scene) -> bool:
    """Whether the case is a dispute or an error found by staff, whose money is handled separately."""
    case = scene.text("case")
    return f"dispute {case}" in scene.state.facts or f"error {case}" in scene.state.facts


@check
def patron_is_seated(scene: Scene) -> bool:
    """Whether the patron sits at this table."""
    return _patron(scene) in scene.state.chips


@check
def is_due(scene: Scene) -> bool:
    """Whether there is money to pay; for wrong payments other needs test that."""
    return _is_mispayment(scene) or scene.number(f"unpaid {scene.text('case')}") > 0


@check
def underpayment_was_at_stake(scene: Scene) -> bool:
    """Whether the underpayment is no more than the patron could have been paid there at all (reading X-57)."""
    case = scene.text("case")
    if not _is_mispayment(scene) or scene.fact(f"way {case}") == OVERPAID:
        return True
    most = (
        scene.number(f"most {case}") if scene.remembers(f"most {case}") else most_at_stake(scene.view, _patron(scene))
    )
    owing, facts = scene.number(f"owing {case}"), scene.state.facts
    had = had_else(facts, case, _patron(scene), scene.fact(f"day {case}"))
    return owing <= most and (f"whole {case}" not in facts or owing + had <= scene.number(f"whole {case}"))


@check
def correction_time_told(scene: Scene) -> bool:
    """Whether the time of correcting a wrong payment is stated; the money of a dispute needs none (CR-35)."""
    return scene.at is not None or not _is_mispayment(scene)


@check
def is_month(scene: Scene) -> bool:
    """Whether it is a month such as 2024-08."""
    return _MONTH.fullmatch(scene.text("month")) is not None


@check
def month_is_over(scene: Scene) -> bool:
    """Whether a later month has begun at the table."""
    return scene.at is not None and scene.text("month") < month_of(scene.at, scene.timezone)


# -- effects -----------------------------------------------------------------------------------------------------------


@effect
def judge_case(scene: Scene) -> list[events.AnyEvent]:
    """Judge the case after this step."""
    return [_judge(_case(scene))]


@effect
def open_case(scene: Scene) -> list[events.AnyEvent]:
    """Open a case; a patron named with it is known from the start."""
    case = _case(scene)
    if "player" in scene.said:
        case.changes[f"patron {case.name}"] = scene.text("player")
    player = scene.text("player") if "player" in scene.said else None
    case.changes |= {
        f"most {case.name}": most_at_stake(scene.view, player, scene.text("wager"), scene.pick("pick")),
        f"whole {case.name}": all_at_stake(scene.view, player),
        f"day {case.name}": scene.fact("gaming day"),
    }
    return [_judge(case)]


@effect
def reimburse(scene: Scene) -> list[events.AnyEvent]:
    """Pay the patron from the float what was underpaid, or what is due by a decision."""
    if is_dispute(scene):
        paid = scene.number(f"unpaid {scene.text('case')}")
        return [_corrected(scene, _patron(scene) or "", paid), _paid(scene)]
    case = _case(scene)
    paid = scene.number(f"owing {case.name}")
    return [_corrected(scene, str(case.fact("patron")), paid), _judge(_put_right(case))]


@effect
def take_back(scene: Scene) -> list[events.AnyEvent]:
    """Move chips from the patron's hand to the float; the case is rectified once nothing is owing."""
    case, cents = _case(scene), _given_back(scene)
    owing = scene.number(f"owing {case.name}") - cents
    case.changes[f"owing {case.name}"] = owing
    player = scene.who or ""
    short = cents - scene.state.in_value_chips(player)  # checks are for gaming only, so they are redeemed first
    changed = list(redeemed(scene.state, player, redeeming_clause(scene.conduct, scene.clause), max(0, short)))
    return [*changed, _corrected(scene, player, -cents), _judge(case if owing else _settled(case))]


def _paid(scene: Scene) -> events.AnyEvent:
    """Record that everything due by the latest decision has been paid."""
    case = scene.text("case")
    paid = scene.number(f"paid {case}") + scene.number(f"unpaid {case}")
    return events.Noted({f"paid {case}": paid, f"unpaid {case}": None}, scene.clause)


def _put_right(case: Case) -> Case:
    """Rectify the case, with the time, which shows whether it was within a reasonable one."""
    at = case.scene.at
    case.changes[f"corrected {case.name}"] = None if at is None else at.isoformat()
    return _settled(case)


def _settled(case: Case) -> Case:
    case.changes |= {f"owing {case.name}": None, f"mispayment {case.name}": RECTIFIED}
    return case


def _corrected(scene: Scene, player: str, cents: int) -> events.AnyEvent:
    return events.PaymentCorrected(player, cents, scene.clause)


@effect
def put_right(scene: Scene) -> list[events.AnyEvent]:
    """Rectify a case away from the table: none of the table's money moves."""
    if is_dispute(scene):
        return [_paid(scene)]
    return [_judge(_put_right(_case(scene)))]


def put_right_by_correction(
    shelf: Shelf, state: State, command: commands.AnyCommand, happened: tuple[events.AnyEvent, ...]
) -> list[events.AnyEvent]:
    """Close wrong payments reported since a result that is undone: the correction moves that money (X-63).

    A patron whose wagers the result did not decide was paid wrong for something else: that case stays open.
    """
    assert state.latest is not None, "only a result that is remembered is taken back"
    scene = Scene(shelf, evolve_all(state, happened), command.by, command.who, command.at, {})
    scene.clause = next(event.clause for event in happened if isinstance(event, events.ResultTakenBack))
    known, settled = state.latest.before.facts, _players_settled(happened)
    cases = [case for case in _cases(scene) if f"mispayment {case.name}" not in known]
    open_cases = [case for case in cases if case.fact("mispayment") != RECTIFIED]
    concerned = [case for case in open_cases if not case.has("patron") or case.fact("patron") in settled]
    return [_judge(_put_right(case)) for case in concerned]


def _players_settled(happened: tuple[events.AnyEvent, ...]) -> set[str]:
    """Return the players whose wagers the wrong result settled, or the correction settles."""
    taken_back = [event for back in happened if isinstance(back, events.ResultTakenBack) for event in back.settled]
    settled = [*taken_back, *(event for event in happened if isinstance(event, events.AreaSettled))]
    return {player for event in settled for player, *_ in event.stakes}


@effect
def make_return(scene: Scene) -> list[events.AnyEvent]:
    """Report to the regulator each wrong payment above the threshold that came to light in the month."""
    month = scene.text("month")
    listed = [case for case in _cases(scene) if case.is_to_be_returned and _month_of(case) == month]
    news: Changes = {}
    for case in listed:
        case.changes[f"returned {case.name}"] = month
        news |= case.judged()
    reported: list[events.AnyEvent] = [
        events.MispaymentsReported(month, tuple(case.listed() for case in listed), scene.clause)
    ]
    return [*reported, events.Noted(news, scene.clause)] if news else reported


def _cases(scene: Scene) -> Iterator[Case]:
    for key in scene.state.facts:
        word, _, name = key.partition(" ")
        if word == "mispayment":
            yield Case(scene, name, {})


def _month_of(case: Case) -> str:
    return month_of(datetime.fromisoformat(str(case.fact("learnt"))), case.scene.timezone)
