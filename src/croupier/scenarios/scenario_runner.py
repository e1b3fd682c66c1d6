"""Run scenarios and find the first difference between a file and what the table or promotion does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from typing import Any

import msgspec

from croupier.contract.shown_events import (
    ActDone,
    EventView,
    Thrown,
    ThrowVoided,
    WagerChange,
    WagerFound,
    WagerMoved,
    WagerReduced,
    WagerRemoved,
    WagerSettled,
)
from croupier.money import MoneyError, format_cents, parse_cents
from croupier.rules.game import read_pay_table
from croupier.rules.machine import typed_pick
from croupier.rules.shelf import Shelf
from croupier.scenarios.acts import not_as_said, read_act
from croupier.scenarios.promotion_running import play_promotion
from croupier.scenarios.scenario_lines import (
    TABLE_KEYS,
    Difference,
    Different,
    Expected,
    Line,
    Scenario,
    Step,
    cents,
    expected_text,
    not_an_act,
    show_refusal,
)
from croupier.table import commands
from croupier.table.decide import decide
from croupier.table.event_views import event_rows, phase_values
from croupier.table.evolve import evolve_all
from croupier.table.opening import read_terms
from croupier.table.placing import selection_meant
from croupier.table.refusals import Refusal
from croupier.table.state import State, TableView

Return = WagerSettled | WagerReduced | WagerRemoved  # chips that go back, or are lost


def run_scenario(scenario: Scenario, shelf: Shelf) -> Difference | None:
    """Play a scenario; None if everything happened as it says."""
    try:
        if scenario.promotion:
            play_promotion(scenario, shelf.book(scenario.book).prizes)
        else:
            _Run(scenario, shelf).play()
    except Different as difference:
        line = difference.line
        return Difference(scenario.file, line.number, scenario.name, difference.expected, difference.got)
    return None


class _Run:
    def __init__(self, scenario: Scenario, shelf: Shelf) -> None:
        self.scenario = scenario
        self.shelf = shelf
        self.state = State()
        self.at: datetime | None = None

    def play(self) -> None:
        line = Line(self.scenario.line, f"book {self.scenario.book}")
        first, *others = self.scenario.steps
        opening = first if first.kind == "open" else Step(line, "open", {}, [], [])
        self._compare(opening, self._open(line))
        for step in others if first.kind == "open" else self.scenario.steps:
            self._step(step)

    def _step(self, step: Step) -> None:
        if step.kind == "each":
            before = self.state
            for trial in step.trials:
                self._step(trial)
                self.state = before
            return
        statement = _STATEMENTS.get(step.kind)
        if statement is not None:
            statement(self, step)
            return
        happened = self._carry_out(_COMMANDS[step.kind](self, step))
        self._compare(step, happened)

    def _carry_out(self, command: commands.AnyCommand | Refusal) -> list[EventView] | Refusal:
        if isinstance(command, Refusal):
            return command
        decision = decide(self.shelf, self.state, command)
        if isinstance(decision, Refusal):
            return decision
        self.state = evolve_all(self.state, decision)
        view = TableView(self.shelf, self.state)
        return [row for event in decision for row in event_rows(view, event)]

    # -- what happens ---------------------------------------------------------------------------------------------

    def _open(self, line: Line) -> list[EventView] | Refusal:
        table = self.scenario.table
        terms = read_terms(self.shelf, self.scenario.book, read_pay_table(table.get("pay_table")))
        if isinstance(terms, Refusal):
            return terms
        try:
            settings = _settings(table, set(self.shelf.book(self.scenario.book).fixed_stakes))
        except (MoneyError, ValueError) as error:
            raise Different(line, "a table that can be opened", str(error)) from None
        return self._carry_out(commands.OpenTable(terms=terms, settings=settings))

    def _given(self, step: Step) -> dict[str, Any]:
        """Return the time and role of a command."""
        return {"at": self.at, "by": step.by}

    def _act(self, step: Step) -> commands.AnyCommand:
        act = read_act(self.shelf.book(self.state.terms[-1].book), step.values["text"])
        if act is None:
            raise not_an_act(self.scenario.file, step.line)
        return msgspec.structs.replace(act, at=self.at)

    def _buy(self, step: Step) -> commands.AnyCommand:
        return commands.BuyChips(player=step.values["player"], chips=cents(step.values["money"]), **self._given(step))

    def _forget_time(self, step: Step) -> None:
        self.at = None

    def _leave(self, step: Step) -> commands.AnyCommand:
        return commands.LeaveTable(player=step.values["player"], **self._given(step))

    def _known(self, step: Step) -> None:
        known = TableView(self.shelf, self.state).fact(step.values["fact"])
        self._same(step, str(known), step.values["value"])

    def _set_time(self, step: Step) -> None:
        self.at = datetime.fromisoformat(step.values["time"])

    def _seat(self, step: Step) -> commands.AnyCommand:
        values = step.values
        chips = cents(values["money"])
        card, area = "cardless" not in values, values.get("area")
        place = int(values["place"]) if "place" in values else None
        given = {"card": card, "area": area, "place": place, **self._given(step)}
        return commands.SeatPlayer(player=values["player"], chips=chips, **given)

    def _bet(self, step: Step) -> commands.AnyCommand:
        amount, tokens = cents(step.values["money"]), cents(step.values.get("tokens", "0.00"))
        checks = step.values.get("checks")
        return commands.PlaceWager(**_wager(step), amount=amount, tokens=tokens, checks=checks, **self._given(step))

    def _find(self, step: Step) -> commands.AnyCommand:
        return commands.FindWager(**_wager(step), amount=cents(step.values["money"]), **self._given(step))

    def _take(self, step: Step) -> commands.AnyCommand:
        amount = cents(step.values["money"]) if "money" in step.values else None
        return commands.TakeWager(**_wager(step), amount=amount, **self._given(step))

    def _call(self, step: Step) -> commands.AnyCommand:
        return commands.CallWager(**_wager(step), on=step.values["on"] == "on", **self._given(step))

    def _close(self, step: Step) -> commands.AnyCommand:
        return commands.CloseBets(**self._given(step))

    def _throw(self, step: Step) -> commands.AnyCommand:
        text = step.values["faces"]
        if step.values["verb"] == "spin":
            return commands.Throw(faces=tuple(text), **self._given(step))
        faces = tuple(int(word) if word.lstrip("-").isdecimal() else word for word in text.split())
        return commands.Throw(faces=faces, **self._given(step))

    def _void(self, step: Step) -> commands.AnyCommand:
        forfeit = tuple(step.values.get("forfeit", "").split())
        reason, words = step.values["reason"], step.values.get("words")
        return commands.VoidThrow(reason=reason, words=words, forfeit=forfeit, **self._given(step))

    def _adopt(self, step: Step) -> commands.AnyCommand | Refusal:
        terms = read_terms(self.shelf, step.values["book"], read_pay_table(step.values.get("pay_table")))
        return terms if isinstance(terms, Refusal) else commands.AdoptRules(terms=terms, **self._given(step))

    # -- what is stated -------------------------------------------------------------------------------------------

    def _has(self, step: Step) -> None:
        got = self.state.chips.get(step.values["player"])
        if "checks" in step.values:
            got = self.state.checks.get(step.values["player"], {}).get(step.values["checks"], 0)
        self._same(step, format_cents(got) if got is not None else "no seat", step.values["money"])

    def _stands(self, step: Step) -> None:
        view = TableView(self.shelf, self.state)
        player = step.values["player"]
        area = view.find(player, step.values["wager"], typed_pick(step.values.get("pick")))
        stake = self.state.layout[area][player] if area is not None else None
        if step.kind == "not_standing":
            self._same(step, format_cents(stake.amount) if stake else "nothing", "nothing")
            return
        self._same(step, format_cents(stake.amount) if stake else "nothing", step.values["money"])
        if "on" in step.values and area is not None and stake is not None:
            acts = "on" if view.asleep(view.wager_of(area), stake) is None else "off"
            self._same(step, acts, step.values["on"])

    def _nothing_stands(self, step: Step) -> None:
        names = [f"{player}'s {area.wager}" for player, area, _ in self.state.wagers()]
        self._same(step, ", ".join(names) or "nothing stands", "nothing stands")

    def _bets_are(self, step: Step) -> None:
        self._same(step, "open" if self.state.bets_open else "closed", step.values["open"])

    def _phase(self, step: Step) -> None:
        shown = phase_values(TableView(self.shelf, self.state))
        if step.values["phase"] not in shown:
            raise Different(step.line, step.line.text, f"the book has no {step.values['phase']} to show")
        value = shown[step.values["phase"]]
        self._same(step, "off" if value is None else str(value), step.values["value"])

    def _may(self, step: Step) -> None:
        got = not_as_said(self.shelf, self.state, step.values)
        if got is not None:
            raise Different(step.line, step.line.text, got)

    def _same(self, step: Step, got: str, wanted: str) -> None:
        if got != wanted:
            raise Different(step.line, step.line.text, got)

    # -- what is expected -----------------------------------------------------------------------------------------

    def _compare(self, step: Step, happened: list[EventView] | Refusal) -> None:
        if isinstance(happened, Refusal):
            self._compare_refusal(step, happened)
            return
        wanted = [e for e in step.expected if e.kind not in ("nothing", *_OTHERS)]
        expected = Counter(_wanted(e) for e in wanted)
        returns = [row for row in happened if isinstance(row, Return)]
        got = Counter(map(_settlement, returns))
        for row in returns:  # the reduction that a `takes` line itself asks for need not be stated
            if _own_take(step, row) and _settlement(row) not in expected:
                got -= Counter([_settlement(row)])
        for expectation in wanted:
            if got[_wanted(expectation)] < expected[_wanted(expectation)]:
                raise Different(expectation.line, expected_text(expectation.line), _show_all(got))
        if got != expected:
            line = step.expected[0].line if step.expected else step.line
            raise Different(line, _show_all(expected), _show_all(got))
        for expectation in step.expected:
            self._compare_other(expectation, happened)

    def _compare_refusal(self, step: Step, refusal: Refusal) -> None:
        got = show_refusal(refusal)
        refused = [e for e in step.expected if e.kind == "refused"]
        if not refused:
            raise Different(step.line, step.line.text, got)
        code, clause = refused[0].values["code"], refused[0].values.get("clause")
        if (code, clause) != (refusal.code, refusal.clause):
            raise Different(refused[0].line, expected_text(refused[0].line), got)
        if len(step.expected) > 1:
            raise Different(step.expected[1].line, expected_text(step.expected[1].line), got)

    def _compare_other(self, expected: Expected, happened: list[EventView]) -> None:
        check = _OTHERS.get(expected.kind)
        if check is not None:
            ok, got = check(expected, happened)
            if not ok:
                raise Different(expected.line, expected_text(expected.line), got)


_COMMANDS: dict[str, Callable[[_Run, Step], commands.AnyCommand | Refusal]] = {
    "seat": _Run._seat,
    "bet": _Run._bet,
    "find": _Run._find,
    "take": _Run._take,
    "take_down": _Run._take,
    "call": _Run._call,
    "close": _Run._close,
    "throw": _Run._throw,
    "void": _Run._void,
    "adopt": _Run._adopt,
    "leave": _Run._leave,
    "buy": _Run._buy,
    "act": _Run._act,
}
_STATEMENTS: dict[str, Callable[[_Run, Step], None]] = {
    "at": _Run._set_time,
    "at_no_time": _Run._forget_time,
    "has": _Run._has,
    "standing": _Run._stands,
    "not_standing": _Run._stands,
    "nothing_stands": _Run._nothing_stands,
    "bets_are": _Run._bets_are,
    "may": _Run._may,
    "phase": _Run._phase,
    "known": _Run._known,
}


def _wager(step: Step) -> dict[str, Any]:
    values = step.values
    return {"player": values["player"], "wager": values["wager"], "pick": typed_pick(values.get("pick"))}


def _own_take(step: Step, row: Return) -> bool:
    """Whether this is the reduction that a `takes` line asks for; only other returns must be expected."""
    if step.kind not in ("take", "take_down") or isinstance(row, WagerSettled):
        return False
    return row.wager == step.values["wager"] and row.pick == typed_pick(step.values.get("pick"))


def _settlement(row: Return) -> str:
    name, clause = _name(row.wager, row.pick), row.clause or "no clause"
    if not isinstance(row, WagerSettled):
        return f"{row.player} takes back {row.amount} from {name} by {clause}"
    if row.result == "win":
        return f"{row.player} wins {row.paid} on {name} by {clause}"
    if row.result == "lose":
        return f"{row.player} loses {row.stake} on {name} by {clause}"
    return f"{row.player} gets back {row.returned} from {name} by {clause}"


def _wanted(expected: Expected) -> str:
    values = expected.values
    if expected.kind == "refused":
        return f"refused {values['code']}"
    verb, preposition = {
        "win": ("wins", "on"),
        "lose": ("loses", "on"),
        "void": ("gets back", "from"),
        "reduced": ("takes back", "from"),
    }[expected.kind]
    name = _name(values["wager"], typed_pick(values.get("pick")))
    return f"{values['player']} {verb} {values['money']} {preposition} {name} by {values['clause']}"


def _name(wager: str, pick: object) -> str:
    if pick is None:
        return wager
    return f"{wager} {' '.join(map(str, pick)) if isinstance(pick, tuple | list) else pick}"


def _thrown_by(expected: Expected, happened: list[EventView]) -> tuple[bool, str]:
    thrown = [row for row in happened if isinstance(row, Thrown | ThrowVoided)]
    got = thrown[0].by or thrown[0].title if thrown else "nothing was thrown"
    return got == expected.values["by"], f"thrown by {got}"


def _heard(expected: Expected, happened: list[EventView]) -> tuple[bool, str]:
    calls = [str(row["call"]) for row in happened if row.get("call")]
    return expected.values["words"] in calls, f"heard: {', '.join(calls) or 'nothing'}"


def _commission(expected: Expected, happened: list[EventView]) -> tuple[bool, str]:
    got = [row.commission for row in happened if isinstance(row, WagerChange)]
    return got[:1] == [expected.values["money"]], f"commission {', '.join(got) or 'none'}"


def _found(expected: Expected, happened: list[EventView]) -> tuple[bool, str]:
    got = [str(row.clause) for row in happened if isinstance(row, WagerFound)]
    return got == [expected.values["clause"]], f"found by {', '.join(got) or 'nobody'}"


def _done(expected: Expected, happened: list[EventView]) -> tuple[bool, str]:
    got = [row.clause for row in happened if isinstance(row, ActDone)]
    return got == [expected.values["clause"]], f"done by {', '.join(got) or 'nobody'}"


def _happens(expected: Expected, happened: list[EventView]) -> tuple[bool, str]:
    """Match an event of a type, with the named values, as the protocol shows it."""
    wanted = dict(re.findall(r'(\w+)="?((?<=")[^"]*|\S+)', expected.values.get("fields", "")))
    rows = [row for row in happened if row.type == expected.values["type"]]
    met = any(all(str(row.get(name)) == value for name, value in wanted.items()) for row in rows)
    return met, ", ".join(str(row.as_dict()) for row in rows) or f"no {expected.values['type']}"


def _travelled(expected: Expected, happened: list[EventView]) -> tuple[bool, str]:
    values = expected.values
    moves = [row for row in happened if isinstance(row, WagerMoved) and row.to is not None]
    shown = [f"{row.player}'s {_name(row.wager, row.pick)} moves to {row.to}" for row in moves]
    wanted = f"{values['player']}'s {_name(values['wager'], typed_pick(values.get('pick')))} moves to {values['to']}"
    return wanted in shown, ", ".join(shown) or "nothing moved"


_OTHERS: dict[str, Callable[[Expected, list[EventView]], tuple[bool, str]]] = {
    "by": _thrown_by,
    "call": _heard,
    "commission": _commission,
    "moved": _travelled,
    "found": _found,
    "done": _done,
    "happens": _happens,
}


def _show_all(settlements: Counter[str]) -> str:
    return "; ".join(sorted(settlements.elements())) or "nothing"


def _settings(table: dict[str, str], options: set[str]) -> commands.Settings:
    wager_limits = {}
    fixed = {}
    for key, value in table.items():
        if key.startswith("limit "):
            words = value.split()
            if len(words) < 3:
                raise ValueError("write: table limit WAGER MINIMUM MAXIMUM, with a pick after the wager if it has one")
            *selection, low, high = words
            wager_limits[selection_meant(" ".join(selection))] = commands.Limit(parse_cents(low), parse_cents(high))
        elif key in options:
            fixed[key] = parse_cents(value)
        elif key not in TABLE_KEYS:
            raise ValueError(f'a table has no setting "{key}"')
    if table.get("units", "any") not in ("any", "exact"):
        raise ValueError("units must be any or exact")
    return commands.Settings(
        chip=parse_cents(table.get("chip", "1.00")),
        limit=commands.Limit(*(parse_cents(table[key]) if key in table else None for key in ("min", "max"))),
        wager_limits=wager_limits,
        player_maximum=parse_cents(table["player_max"]) if "player_max" in table else None,
        exact_units=table.get("units") == "exact",
        fixed_stakes=fixed,
        without=tuple(table.get("without", "").split()),
        seats=int(table["seats"]) if "seats" in table else None,
        manual_dice=table.get("dice") == "manual",
        late_bets=table.get("late") == "yes",
        unit=parse_cents(table["unit"]) if "unit" in table else None,
    )
