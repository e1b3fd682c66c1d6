"""Register rows of tables and accounts: acts that a book assigns to a register, changes of signs, exclusions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from croupier.house.alerts import Sign, signs_up
from croupier.house.events import DutyAnswered, ExclusionBegan, ExclusionEnded, RoundCancelled
from croupier.house.names import name_of
from croupier.house.orders.alerts import act_in_words
from croupier.house.registers.register_rows import (
    HOUSE,
    Cell,
    Facts,
    Period,
    RegisterRow,
    TableWrite,
    TermsAndSign,
    changed,
    row_of,
    written,
)
from croupier.house.stored_events import Entry, moment
from croupier.money import format_cents
from croupier.rules.book import Book
from croupier.rules.game import WHOLE_TABLE, Terms
from croupier.rules.machine import typed_pick
from croupier.rules.schema import Fact
from croupier.rules.shelf import Shelf
from croupier.table import events
from croupier.table.clock import month_of, utc_moment
from croupier.table.commands import Limit, Settings
from croupier.table.conduct.payments import OVERPAID, RECTIFIED, UNINTENTIONAL
from croupier.table.events import MispaymentsReported
from croupier.table.placing import limit_for

ALL_OF_IT = 10**9  # characters: a register omits nothing that people said

RowWording = Callable[[TableWrite, Any], tuple[str, dict[str, Cell]]]


class TableReading:
    """The register rows of a table, read from its first entry on; rows are complete after a whole write."""

    def __init__(self, shelf: Shelf, stream: str) -> None:
        self.rows: list[RegisterRow] = []
        self._shelf = shelf
        self._stream = stream
        self._facts: dict[str, Any] = {}
        self._standing = TermsAndSign(Terms(""), Settings())
        self._cases = WrongPayments()
        self._write: list[Entry] = []
        self._key: object = None

    @property
    def book(self) -> Book | None:
        """The book that it plays by; None before it has opened."""
        terms = self._standing.terms
        return self._shelf.book(terms.book, terms.readings) if terms.book else None

    def take_in(self, entries: Iterable[Entry]) -> None:
        """Continue with new entries of the stream."""
        for entry in entries:
            if type(entry.document.event) not in _HEARD:
                continue
            key = entry.document.order, entry.document.at
            if key != self._key:
                self.close()
                self._key = key
            self._write.append(entry)

    def close(self) -> None:
        """Enter the last write; it is complete."""
        write, self._write = self._write, []
        if not write:
            return
        happened = tuple(entry.document.event for entry in write)
        before, changes = self._facts, changed(happened)
        was, self._standing = self._standing, _after(self._standing, happened)
        book = self.book
        if book is not None:
            at = moment(write[0].document.at)
            scene = TableWrite(book, at, before, changes, was, self._standing, happened)
            for entry in write:
                self._enter(scene, entry)
        self._facts = _remembered(before, changes) if changes else before

    def _enter(self, scene: TableWrite, entry: Entry) -> None:
        event = entry.document.event
        if isinstance(event, events.ActDone):
            self._enter_act(scene, entry, event)
        elif isinstance(event, events.MispaymentsReported):
            self._cases.take_in_return(entry, event)
        elif type(event) in _EVENTS:
            register, tell = _EVENTS[type(event)]
            what, cells = tell(scene, event)
            if what:
                self.rows.append(self._row(scene, register, entry, what, cells))

    def _enter_act(self, scene: TableWrite, entry: Entry, done: events.ActDone) -> None:
        act = scene.book.conduct.by_id.get(done.act)
        if act is None or act.register is None:
            return
        what, case, register = act_in_words(scene.book, act, done, ALL_OF_IT), _said(done, "case"), act.register
        if register == "wrong_payments" and scene.text(f"dispute {case}"):
            register = "disputes"  # a payment for a dispute is not a wrong payment (CR-35)
        row = self._row(scene, register, entry, what, _CELLS[register](scene, done))
        self.rows.append(row)
        if register == "wrong_payments" and case:
            self._cases.take_in(scene, case, row)

    def _row(self, scene: TableWrite, register: str, entry: Entry, what: str, cells: dict[str, Cell]) -> RegisterRow:
        event = entry.document.event
        return row_of(
            register,
            entry,
            self._stream,
            name_of(self._stream),
            what,
            zone=scene.book.rules.book.timezone,
            book=scene.book.id,
            clause=getattr(event, "clause", None),
            cells=cells,
        )

    def returned(self, period: Period) -> Iterator[RegisterRow]:
        """Return the rows of the monthly return, if the book has one."""
        above = None if self.book is None else self.book.conduct.facts.get(RETURN_ABOVE)
        return self._cases.listed(period, above) if isinstance(above, int) else iter(())


def _after(standing: TermsAndSign, happened: Iterable[Any]) -> TermsAndSign:
    for event in happened:
        match event:
            case events.TableOpened():
                standing = TermsAndSign(event.terms, event.settings)
            case events.RulesAdopted():
                standing = standing._replace(terms=event.terms)
            case events.SignChanged():
                standing = standing._replace(sign=event.settings)
    return standing


def _remembered(before: Facts, changes: dict[str, Any]) -> dict[str, Any]:
    return {name: fact for name, fact in {**before, **changes}.items() if fact is not None}


def _said(done: events.ActDone, *names: str) -> str:
    """Return an act's value under the first of these names that it has."""
    found = (done.said[name] for name in names if done.said.get(name) is not None)
    return str(next(found, ""))


# Columns of acts beside what was done, when and by whom


def _of_payment(scene: TableWrite, done: events.ActDone) -> dict[str, Cell]:
    return cells_of_case(scene, _said(done, "case"))


def _of_dispute(scene: TableWrite, done: events.ActDone) -> dict[str, Cell]:
    case = _said(done, "case")
    if not case:  # a disputed face, or something that the rules do not cover
        faces = done.said.get("faces")
        read = " ".join(map(str, faces)) if isinstance(faces, tuple | list) else str(faces or "")
        return {"case": _said(done, "about"), "decision": _said(done, "decision") or read}
    words = {"dispute": "", "error": "error ", "notice": "notice ", "complaint": "complaint "}
    told = [f"{begin}{scene.text(f'{word} {case}')}" for word, begin in words.items() if scene.text(f"{word} {case}")]
    for word, begin in {"unpaid": "due", "paid": "paid"}.items():
        cents = scene.fact(f"{word} {case}")
        told += [f"{begin} {format_cents(cents)}"] if isinstance(cents, int) else []
    patron, decision = scene.text(f"disputant {case}"), scene.text(f"decision {case}")
    return {"case": case, "patron": patron, "standing": ", ".join(told), "decision": decision}


def _of_exclusion(scene: TableWrite, done: events.ActDone) -> dict[str, Cell]:
    person = _said(done, "person", "player")
    excluded = scene.changes.get(f"excluded {person}")
    return {"person": person, "from": "" if excluded is None else f"the {excluded}"}


def _of_invalid_wagers(scene: TableWrite, done: events.ActDone) -> dict[str, Cell]:
    return {"reason": _said(done, "reason"), "person": _said(done, "player"), **_money(scene)}


def _of_change(scene: TableWrite, _done: events.ActDone) -> dict[str, Cell]:
    return cells_of_change(scene)


def _of_malfunction(scene: TableWrite, done: events.ActDone) -> dict[str, Cell]:
    about = _said(done, "what", "procedures") or str(scene.before.get("malfunction", ""))
    return {"about": about, "told": "an inspector" if scene.changes.get("inspector told of fault") else ""}


_CELLS: dict[str, Callable[[TableWrite, events.ActDone], dict[str, Cell]]] = {
    "wrong_payments": _of_payment,
    "disputes": _of_dispute,
    "exclusions": _of_exclusion,
    "invalidated_outcomes": _of_invalid_wagers,
    "changes": _of_change,
    "malfunctions_and_notices": _of_malfunction,
}

# Events other than acts


def _invalidated(scene: TableWrite, event: events.OutcomeInvalidated) -> tuple[str, dict[str, Cell]]:
    ground = scene.book.clauses.get(event.reason)
    reason = event.reason if ground is None else f"{event.reason}: {ground.summary}"
    cells: dict[str, Cell] = {"reason": reason, "person": ", ".join(event.forfeit), **_money(scene)}
    return f"declares the outcome invalid under {event.reason}", cells


def _money(scene: TableWrite) -> dict[str, Cell]:
    return {"given_back": format_cents(scene.given_back), "forfeited": format_cents(scene.forfeited)}


def _adopted(scene: TableWrite, _event: events.RulesAdopted) -> tuple[str, dict[str, Cell]]:
    return "changes the rules or the pay table of the table", cells_of_change(scene)


def _given_up(_scene: TableWrite, event: RoundCancelled) -> tuple[str, dict[str, Cell]]:
    """Return a row only if the secret is lost: a properly cancelled round is not a fault."""
    return "" if event.secret else f"abandons round {event.number}: its secret is lost", {"about": "electronic dice"}


def _answered(_scene: TableWrite, event: DutyAnswered) -> tuple[str, dict[str, Cell]]:
    return f"answers for a duty that was not done in time: {event.note}", {"about": event.duty}


_EVENTS: dict[type, tuple[str, RowWording]] = {
    events.OutcomeInvalidated: ("invalidated_outcomes", _invalidated),
    events.RulesAdopted: ("changes", _adopted),
    RoundCancelled: ("malfunctions_and_notices", _given_up),
    DutyAnswered: ("malfunctions_and_notices", _answered),
}
# Events that rows are made from, or needed to interpret them.
_HEARD = {
    *_EVENTS,
    *(events.TableOpened, events.SignChanged, events.ActDone, events.Noted, events.MispaymentsReported),
    *(events.AreaSettled, events.WagerReduced),
}


# Accounts: exclusions from the whole house, by the house or by the person

FOR_GOOD = "permanently"


class AccountReading:
    """The register rows of an account, read from its first entry on. It uses the clock of the house."""

    def __init__(self, stream: str) -> None:
        self.rows: list[RegisterRow] = []
        self._stream = stream

    def take_in(self, entries: Iterable[Entry]) -> None:
        """Continue with new entries of the stream."""
        for entry in entries:
            tell = _ACCOUNT_EVENTS.get(type(entry.document.event))
            if tell is not None:
                person = name_of(self._stream)
                what, until = tell(person, entry.document.event)
                cells: dict[str, Cell] = {"person": person, "from": HOUSE, "until": until}
                self.rows.append(row_of("exclusions", entry, self._stream, HOUSE, what, cells=cells))


def _began(person: str, event: ExclusionBegan) -> tuple[str, str | datetime]:
    what = f"excludes {person} from the house" if event.by_house else "excludes themselves from the house"
    return what, FOR_GOOD if event.until is None else moment(event.until)


def _ended(person: str, _event: ExclusionEnded) -> tuple[str, str | datetime]:
    return f"ends the exclusion of {person}", ""


_ACCOUNT_EVENTS: dict[type, Callable[[str, Any], tuple[str, str | datetime]]] = {
    ExclusionBegan: _began,
    ExclusionEnded: _ended,
}


# Changes of signs: the old and new text, what announced the change, whether the notice was kept

NO_NOTICE = "none required"
PAY_TABLE_SIGN, PAY_TABLE_UNTIL = "pay table sign", "pay table sign until"
ONE_TO_AN_AREA = "one to an area"
_NOTHING = "none"


def cells_of_change(scene: TableWrite) -> dict[str, Cell]:
    """Return the columns of a change for a write."""
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
    """Return everything that a sign states, by name; for a wager it does not name, its general limits."""
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
    """Return the book and the choices of its pay table."""
    chosen = {"pay table" if name == WHOLE_TABLE else f"pay table {name}": option for name, option in terms.choices}
    return {"book": terms.book, **chosen}


def _announced(scene: TableWrite) -> tuple[str, str]:
    """Return the sign that a write is about, and whether its notice was kept."""
    put_up = signs_up(scene.book, scene.changes)
    if put_up:
        return _words(scene, put_up[0]), f"over at {_time(scene, put_up[0].holds)}"
    if PAY_TABLE_SIGN in scene.changes or PAY_TABLE_UNTIL in scene.changes:
        return _about_pay_table(scene)
    down = [sign for sign in signs_up(scene.book, scene.before) if sign.fact in scene.changes]
    if not down:
        return "", NO_NOTICE
    return f"{_words(scene, down[0])}, up since {_time(scene, down[0].shown)}", _kept(scene, down[0].holds)


def _about_pay_table(scene: TableWrite) -> tuple[str, str]:
    """Return the sign about a pay table: it goes up with the change and comes down after a month."""
    until = scene.fact(PAY_TABLE_UNTIL)
    if scene.fact(PAY_TABLE_SIGN) is not None:
        end = "without an end yet" if until is None else f"until {_time(scene, _moment(scene, until))}"
        return f"announces the pay table {end}", NO_NOTICE
    stood = scene.before.get(PAY_TABLE_UNTIL)
    return "announced the pay table", NO_NOTICE if stood is None else _kept(scene, _moment(scene, stood))


def _words(scene: TableWrite, sign: Sign) -> str:
    wager = "" if sign.wager is None else f" for {sign.wager.replace('_', ' ')}"
    minimum = "" if sign.minimum is None else f" {format_cents(sign.minimum)}"
    return f"{sign.announces}{wager}{minimum} from {_time(scene, sign.states)}"


def _kept(scene: TableWrite, over: datetime) -> str:
    return "kept" if scene.at >= over else f"not kept: the notice ends at {_time(scene, over)}"


def _moment(scene: TableWrite, stored: Fact) -> datetime:
    return utc_moment(datetime.fromisoformat(str(stored)), scene.book.rules.book.timezone)


def _time(scene: TableWrite, at: datetime) -> str:
    return written(at, scene.book.rules.book.timezone)


# Wrong payments, case by case, and the monthly return of those above the book's amount (Craps 9.3.2, reading CR-30).
# A case is listed as of the end of the period, or of the return for its month if that was made later. Later events do
# not change a return.

RETURN_ABOVE = "return above"  # the fact of a book with such a return: cents


class Returned(NamedTuple):
    """The return of a month: when it was made, and by whom."""

    at: datetime
    who: str | None
    title: str | None


class CaseState(NamedTuple):
    """The state of a case after an action."""

    at: datetime
    cents: int
    cells: dict[str, Cell]


class WrongPayment(NamedTuple):
    """A wrong payment: the row of its report, and its state step by step."""

    reported: RegisterRow
    steps: list[CaseState]


class WrongPayments:
    """The cases of one table."""

    def __init__(self) -> None:
        self._cases: dict[str, WrongPayment] = {}
        self._returns: dict[str, Returned] = {}

    def take_in(self, scene: TableWrite, name: str, row: RegisterRow) -> None:
        """Record an action on a case; the first one is its report."""
        case = self._cases.setdefault(name, WrongPayment(row, []))
        cents = scene.fact(f"amount {name}")
        case.steps.append(CaseState(scene.at, cents if isinstance(cents, int) else 0, _cells(scene, name)))

    def take_in_return(self, entry: Entry, event: MispaymentsReported) -> None:
        """Record a return; if it is made again, the last one counts."""
        document = entry.document
        self._returns[event.month] = Returned(moment(document.at), document.who, document.role)

    def listed(self, period: Period, above: int) -> Iterator[RegisterRow]:
        """Yield the rows of the return: every case above the amount that came to light in the period."""
        for case in self._cases.values():
            reported, zone = case.reported, case.reported.zone
            assert zone is not None, "a case is at a table, which is somewhere"
            if case.steps[0].cents > above and period.has(reported.at, zone):
                made = self._returns.get(month_of(reported.at, zone))
                yield msgspec.structs.replace(
                    reported,
                    register="monthly_return",
                    cells={**_as_known(case, period, zone, made).cells, **_made(made)},
                )


def _as_known(case: WrongPayment, period: Period, zone: str, made: Returned | None) -> CaseState:
    """Return the last step in time; the report itself always is."""
    in_time = [step for step in case.steps if not period.is_before(step.at, zone) or (made and step.at <= made.at)]
    return in_time[-1]


def _made(made: Returned | None) -> dict[str, Cell]:
    if made is None:
        return {"returned": "not made yet"}
    by = made.who or HOUSE
    return {"returned": made.at, "returned_by": by if made.title is None else f"{by}, {made.title}"}


def _cells(scene: TableWrite, name: str) -> dict[str, Cell]:
    finding, way = scene.text(f"finding {name}"), scene.text(f"way {name}")
    return {
        **cells_of_case(scene, name),
        "finding": finding or "none yet",
        "patron": scene.text(f"patron {name}") or "unknown",
        "put_right": _put_right(scene, name),
        "no_credit": "no credit given" if (way, finding) == (OVERPAID, UNINTENTIONAL) else "",
    }


def _put_right(scene: TableWrite, name: str) -> str:
    if scene.fact(f"mispayment {name}") == RECTIFIED:
        return "yes"
    owing = scene.fact(f"owing {name}")
    return f"no: {format_cents(owing)} is owing" if isinstance(owing, int) else "no"


def cells_of_case(scene: TableWrite, name: str) -> dict[str, Cell]:
    """Return what is known of a case after a write; empty without a name."""
    if not name:
        return {}
    cents = scene.fact(f"amount {name}")
    known = {word: scene.text(f"{word} {name}") for word in ("way", "patron", "finding", "standing", "due")}
    return {"case": name, "amount": format_cents(cents) if isinstance(cents, int) else "", **known}
