"""Play a scenario about a promotion and find the first difference between its lines and what happens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta

from msgspec.structs import asdict, replace

from croupier.money import format_cents
from croupier.prizes import commands, events
from croupier.prizes.decide import decide
from croupier.prizes.duties import Duty, duties
from croupier.prizes.evolve import evolve_all
from croupier.prizes.state import Award, Promotion
from croupier.prizes.terms import Earning, Part, Prize, Terms, Value
from croupier.rules.conduct import AT_ONCE
from croupier.rules.prizes import Prizes
from croupier.scenarios.promotion_commands import (
    ORDERS,
    WAY,
    complete_terms,
    read_value,
    same_value,
    say,
    stock_prize,
    straight_to,
    with_prize,
    without_prize,
    words_to_id,
)
from croupier.scenarios.scenario_lines import (
    Different,
    Expected,
    Line,
    Scenario,
    Step,
    cents,
    expected_text,
    show_refusal,
)
from croupier.table.refusals import Refusal

Happened = list[events.AnyEvent] | Refusal

_BEFORE = timedelta(days=3)  # how long before its start a promotion is drafted, if a scenario does not say when


def play_promotion(scenario: Scenario, rules: Prizes | None) -> None:
    """Play a scenario by the prizes of its book. Raises Different."""
    if rules is None:
        line = Line(scenario.line, f"book {scenario.book}")
        raise Different(line, "a book with promotional prizes", f"{scenario.book} has none")
    _Course(rules).play(scenario.steps)


class _Course:
    def __init__(self, rules: Prizes) -> None:
        self.rules = rules
        self.promotion = Promotion()
        self.terms = Terms()
        self.at: datetime | None = None

    def play(self, steps: Iterable[Step]) -> None:
        for step in steps:
            if step.kind == "each":
                self._each(step)
            else:
                self._step(step)

    def _each(self, step: Step) -> None:
        before = (self.promotion, self.terms, self.at)
        for trial in step.trials:
            self._step(trial)
            self.promotion, self.terms, self.at = before

    def _step(self, step: Step) -> None:
        if "time" in step.values:
            self.at = datetime.fromisoformat(step.values["time"])
        if step.kind in _STATEMENTS:
            _STATEMENTS[step.kind](self, step)
        elif step.kind != "at":
            _compare(step, self._happen(step))

    def _happen(self, step: Step) -> Happened:
        if step.kind == "brought":
            return self._bring(step)
        if step.kind in _FILINGS:
            _FILINGS[step.kind](self, step)
            draft = commands.DraftTerms(terms=self.terms, by=step.by)
            return self._carry_out(step, [draft, commands.FileTerms(by=step.by)])
        return self._carry_out(step, [ORDERS[step.kind](step.values, step.by, self.terms)])

    def _carry_out(self, step: Step, orders: Iterable[commands.AnyCommand]) -> Happened:
        happened: list[events.AnyEvent] = []
        for order in orders:
            decision = decide(self.rules, self.promotion, order, self._now(step))
            if isinstance(decision, Refusal):
                return decision
            self.promotion = evolve_all(self.promotion, decision)
            happened += decision
        return happened

    def _now(self, step: Step) -> datetime:
        if self.at is None:
            raise Different(step.line, "a time, such as: at 2026-02-26T09:00+11:00", "no time has been given")
        return self.at

    def _bring(self, step: Step) -> Happened:
        """Go directly to a stage; each is reached at the time in the terms, or now if that has passed."""
        stages = list(WAY)
        reached = stages.index(self.promotion.stage) + 1 if self.promotion.stage in stages else 0
        happened: list[events.AnyEvent] = []
        for stage in stages[reached : stages.index(step.values["stage"]) + 1]:
            self._wait_for(WAY[stage])
            above = self.rules.scrutineer.above_cents
            more = self._carry_out(step, straight_to(stage, self.promotion, self.terms, above))
            if isinstance(more, Refusal):
                return more
            happened += more
        return happened

    def _wait_for(self, term: str | None) -> None:
        terms = self.terms if self.promotion.stage == "new" else self.promotion.terms
        time = terms.time(term or "starts")
        if time is None:
            return
        if term is not None:
            self.at = time if self.at is None else max(self.at, time)
        elif self.at is None:
            self.at = time - _BEFORE

    # -- writing the terms ----------------------------------------------------------------------------------------

    def _complete(self, step: Step) -> None:
        self.terms = complete_terms(self.rules)

    def _say(self, step: Step) -> None:
        term = words_to_id(step.values["term"])
        text = step.values.get("value")
        changed = say(
            self.terms, term, step.values.get("prize"), None if text is None else read_value(self.rules, term, text)
        )
        if changed is None:
            raise Different(step.line, step.line.text, "the terms that were written down have no such prize or point")
        self.terms = changed

    def _prize(self, step: Step) -> Prize:
        prize = self.terms.prize(step.values["prize"])
        if prize is None:
            raise Different(step.line, step.line.text, f"no prize called {step.values['prize']} was written down")
        return prize

    def _add_prize(self, step: Step) -> None:
        values = step.values
        kind, count = words_to_id(values["kind"]), int(values.get("count", "1"))
        prize = stock_prize(self.rules, values["prize"], kind, cents(values["money"]), count)
        self.terms = with_prize(self.terms, prize)

    def _leave_prize(self, step: Step) -> None:
        self.terms = without_prize(self.terms, self._prize(step).id)

    def _add_things(self, step: Step) -> None:
        things = tuple(step.values["things"].split(", "))
        self.terms = with_prize(self.terms, replace(self._prize(step), contains=things))

    def _add_liquor(self, step: Step) -> None:
        millilitres = int(step.values["litres"].replace(".", ""))
        self.terms = with_prize(self.terms, replace(self._prize(step), millilitres=millilitres))

    def _earning(self, step: Step) -> None:
        tables, wagers = (tuple(step.values.get(name, "").replace(",", "").split()) for name in ("tables", "wagers"))
        self.terms = replace(self.terms, earning=Earning(cents(step.values["money"]), tables, wagers))

    def _one_each(self, step: Step) -> None:
        self.terms = replace(self.terms, one_prize_each=step.kind == "one_each")

    # -- what is stated -------------------------------------------------------------------------------------------

    def _stage(self, step: Step) -> None:
        _same(step, f"stage is {self.promotion.stage}", f"stage is {step.values['stage']}")

    def _waits(self, step: Step) -> None:
        got = "waits" if self.promotion.postponed else "goes_on"
        _same(step, got, step.kind, shown="it waits" if self.promotion.postponed else "it does not wait")

    def _duty(self, step: Step) -> None:
        known = {duty.id: duty for duty in duties(self.rules, self.promotion, self._now(step))}
        duty = known.get(step.values["duty"])
        if step.kind == "no_duty":
            _same(step, "none" if duty is None else f"duty {duty.id} is {duty.standing}", "none")
        elif duty is None:
            raise Different(step.line, step.line.text, f"duties: {', '.join(known) or 'none'}")
        else:
            _compare_duty(step, duty)

    def _said_of(self, step: Step) -> dict[str, Value]:
        prize_id = step.values.get("prize")
        if prize_id is None:
            return self.promotion.terms.said
        prize = self.promotion.terms.prize(prize_id)
        if prize is None:
            raise Different(step.line, step.line.text, f"the terms have no prize called {prize_id}")
        return prize.said

    def _said(self, step: Step) -> None:
        term = words_to_id(step.values["term"])
        said = self._said_of(step).get(term)
        if said is None or not same_value(self.rules, term, said, step.values["value"]):
            raise Different(step.line, step.line.text, f"the terms say {'nothing of it' if said is None else said}")

    def _not_said(self, step: Step) -> None:
        said = self._said_of(step)
        for term in map(words_to_id, step.values["terms"].split(",")):
            if term not in self.rules.terms_by_id:
                raise Different(step.line, step.line.text, f"the book knows no point called {term}")
            _same(step, "nothing" if term not in said else f"{term}: the terms say {said[term]}", "nothing")

    def _award(self, step: Step) -> None:
        award: Award | None = self.promotion.award(int(step.values["award"]))
        got = (
            "there is no such award" if award is None else f"award {award.number} of {award.entrant} is {award.status}"
        )
        _same(step, got, step.line.text)

    def _claim(self, step: Step) -> None:
        claim = self.promotion.claims.get(step.values["claim"])
        if claim is None:
            raise Different(step.line, step.line.text, f"there is no claim called {step.values['claim']}")
        _same(step, "kept" if claim.kept and claim.id in self.promotion.seals else "not kept", step.values["kept"])


_STATEMENTS: dict[str, Callable[[_Course, Step], None]] = {
    "complete": _Course._complete,
    "say_term": _Course._say,
    "leave_term": _Course._say,
    "add_prize": _Course._add_prize,
    "leave_prize": _Course._leave_prize,
    "add_things": _Course._add_things,
    "add_liquor": _Course._add_liquor,
    "earning": _Course._earning,
    "one_each": _Course._one_each,
    "several_each": _Course._one_each,
    "stage": _Course._stage,
    "waits": _Course._waits,
    "goes_on": _Course._waits,
    "duty": _Course._duty,
    "no_duty": _Course._duty,
    "said": _Course._said,
    "not_said": _Course._not_said,
    "award_is": _Course._award,
    "claim_is": _Course._claim,
}

# Lines that change the terms, then draft and file them.
_FILINGS: dict[str, Callable[[_Course, Step], None]] = {
    "file_with": _Course._say,
    "file_without": _Course._say,
    "file_with_things": _Course._add_things,
    "file_with_liquor": _Course._add_liquor,
}


def _same(step: Step, got: str, wanted: str, shown: str | None = None) -> None:
    if got != wanted:
        raise Different(step.line, step.line.text, shown or got)


def _compare_duty(step: Step, duty: Duty) -> None:
    """Compare a duty with a line: for an open duty the line names its deadline, for one that is done the person."""
    got = f"duty {duty.id} under {duty.clause} is {duty.standing}{_when(duty)}"
    wanted = step.values
    if wanted.get("clause", duty.clause) != duty.clause or wanted["standing"] != duty.standing:
        raise Different(step.line, step.line.text, got)
    if "soon" in wanted:
        met = duty.due is None if wanted["soon"] == "as soon as possible" else _is_at_once(duty)
    elif "when" in wanted and duty.done is not None:
        met = wanted["when"] == duty.done.by
    elif "when" in wanted:
        met = _is_moment(duty.due, wanted["when"])
    else:
        met = True
    if not met:
        raise Different(step.line, step.line.text, got)


def _is_at_once(duty: Duty) -> bool:
    return duty.since is not None and duty.due == duty.since + AT_ONCE


def _when(duty: Duty) -> str:
    if duty.done is not None:
        return f" by {duty.done.by or 'somebody'}"
    if duty.due is None:
        return " as soon as possible"
    return f" {'by' if duty.standing == 'due' else 'since'} {duty.due.isoformat()}"


def _is_moment(value: object, text: str) -> bool:
    try:
        return isinstance(value, datetime) and value == datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return False


# -- what is expected --------------------------------------------------------------------------------------------------


def _compare(step: Step, happened: Happened) -> None:
    if isinstance(happened, Refusal):
        _compare_refusal(step, happened)
        return
    left = list(happened)
    for expected in step.expected:
        found = next((event for event in left if _is_expected(expected, event)), None)
        if found is None:
            raise Different(expected.line, _wanted(step, expected), "; ".join(map(_show, happened)))
        left.remove(found)


def _compare_refusal(step: Step, refusal: Refusal) -> None:
    got = show_refusal(refusal)
    if not step.expected:
        raise Different(step.line, step.line.text, got)
    first, *others = step.expected
    wanted = (first.values.get("code"), first.values.get("clause"))
    if first.kind != "refused" or wanted != (refusal.code, refusal.clause):
        raise Different(first.line, _wanted(step, first), got)
    for expected in others:
        raise Different(expected.line, _wanted(step, expected), got)


def _wanted(step: Step, expected: Expected) -> str:
    return expected_text(expected.line) if expected.line is not step.line else step.line.text


def _is_expected(expected: Expected, event: events.AnyEvent) -> bool:
    values = expected.values
    if expected.kind == "refused" or _tag(event) != values["type"]:
        return False
    if expected.kind == "event" and event.clause != values["clause"]:
        return False
    wanted = re.findall(r'(\w+)=(?:"([^"]*)"|(\S+))', values.get("fields", ""))
    fields = asdict(event)
    return all(name in fields and _is_value(name, fields[name], quoted or plain) for name, quoted, plain in wanted)


def _tag(event: events.AnyEvent) -> str:
    return str(event.__struct_config__.tag)


def _is_value(name: str, value: object, text: str) -> bool:
    return _is_moment(value, text) if isinstance(value, datetime) else _shown(name, value) == text


def _shown(name: str, value: object) -> str:
    """Format a value of an event as a line names it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name in ("cents", "value") and isinstance(value, int):
        return format_cents(value)
    if isinstance(value, tuple):
        return ", ".join(_shown(name, each) for each in value)
    if isinstance(value, Part):
        return f"{format_cents(value.cents)} by {value.form}"
    return "none" if value is None else str(value)


# Fields too long to show in one line.
_LONG = ("at", "clause", "terms", "words", "entries", "winners")


def _show(event: events.AnyEvent) -> str:
    fields = {name: _shown(name, value) for name, value in asdict(event).items() if name not in _LONG}
    shown = " ".join(f'{name}="{text}"' if " " in text else f"{name}={text}" for name, text in fields.items())
    return f"{_tag(event)} by {event.clause or 'no clause'} {shown}"
