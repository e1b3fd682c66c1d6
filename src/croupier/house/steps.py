"""The steps of whoever runs a table: what comes next, what may be done beside it, and how the game stands.

A book marks its acts and commands as steps, with their words. Here they are tried: what is told is what the table would
take from this very person now, and changes something. Whoever draws it needs to know no rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import product

from croupier.house.deeds.titles import fitting_title
from croupier.house.tables import TableState
from croupier.rules.book import Book
from croupier.rules.conduct import KINDS, Act, Need, Power, Step, fields_of, filled
from croupier.rules.facts import Fact
from croupier.rules.outcomes import Faces
from croupier.rules.shelf import Shelf
from croupier.table.commands import AnyCommand, CloseBets, PerformAct, Throw
from croupier.table.conduct.dice import awaited
from croupier.table.conduct.powers import check_power
from croupier.table.conduct.scene import Scene
from croupier.table.conduct.topics import CHECKS
from croupier.table.debts import CORRECTING
from croupier.table.decide import Decision, decide_without_note
from croupier.table.events import ActDone, AnyEvent, ThrowVoided
from croupier.table.evolve import evolve_all
from croupier.table.handing import next_offered
from croupier.table.refusals import Refusal
from croupier.table.state import State
from croupier.table.telling import Told
from croupier.table.thrower import next_thrower, title
from croupier.table.under_way import TUMBLED, is_begun, is_under_way, tumbles_asked

BETS_OPEN = "The bets are open. They are called closed first."
MOST_ASKED = 9  # nobody is asked for a larger number of dice or coins
ORDER = ("next", "beside")
FACES = "faces"


def steps_of(shelf: Shelf, state: TableState, person: str | None, now: datetime) -> Told:
    """What whoever has a post at the table is told: the `steps`, the `moment` in words, whether a throw is `begun`."""
    role = None if person is None else state.staff.get(person)
    if role is None or state.rhythm is not None:
        return {}
    return _Steps(shelf, state, role, str(person), now).told()


class _Steps:
    """All steps of one moment of a table, for one person."""

    def __init__(self, shelf: Shelf, state: TableState, role: str, person: str, now: datetime) -> None:
        self.shelf = shelf
        self.state = state
        self.role = role
        self.person = person
        self.now = state.later(now)
        self.scene = Scene(shelf, state.game, None, person, self.now, {})
        self.book: Book = self.scene.book
        self.words = self._words()

    def told(self) -> Told:
        conduct = self.book.conduct
        found = [step for act in conduct.acts if act.step is not None for step in self._act(act, act.step)]
        found += [step for power in conduct.powers if power.step is not None for step in self._power(power, power.step)]
        steps = sorted(found, key=lambda step: ORDER.index(str(step["kind"])))
        told: Told = {"steps": steps, "moment": self._moment(), "begun": is_begun(self.scene.view)}
        return told | {"corrected_by": self._corrected_by()}

    def _corrected_by(self) -> list[str]:
        """Who corrects the latest result, while it can be: whoever may not do it knows whom to call."""
        act = self.book.conduct.by_id.get(CORRECTING)
        if act is None or act.step is None or not self._matters(act.step) or is_ruled_out(self.scene, act):
            return []
        return list(act.by)

    def _words(self) -> dict[str, object]:
        """What may stand in braces besides what is said with an act; a fact of several words has _ between them."""
        view, rules = self.scene.view, self.book.rules
        facts = {**self.book.conduct.facts, **self.state.game.facts}
        words: dict[str, object] = {name.replace(" ", "_"): value for name, value in facts.items()}
        words |= {"things": rules.throw.field, "throw": rules.throw.command, "house": title(view, None)}
        words |= {"tumbled": self.scene.number(TUMBLED), "tumbles": tumbles_asked(self.book)}
        words |= {"thrower": next_thrower(view) or "", "next": "", "awaited": ""}
        if self.scene.hand_to_hand:
            waits = awaited(self.scene)
            words |= {"next": next_offered(view) or "", "awaited": "" if waits is None else waits[0]}
        latest = self.state.game.latest
        words |= {"latest": "" if latest is None else _in_short(latest.faces)}
        return words | {"outcome": self.scene.words().get("outcome", "")}

    # -- acts ----------------------------------------------------------------------------------------------------------

    def _act(self, act: Act, step: Step) -> Iterator[Told]:
        by = fitting_title(self.book.conduct, self.role, act.by)
        if by is None or not self.book.conduct.may(by, act.by):
            return
        if not self._matters(step) or is_ruled_out(self.scene, act):
            return
        given = {name: self._given(name, value) for name, value in step.given.items()}
        asked = [name for name in act.forms[0] if name not in given]
        if "" in given.values():  # nobody is there to whom it could be done
            return
        for values in product(*(self._values(name) for name in asked)):
            said = {**given, **dict(zip(asked, values, strict=True))}
            decision = self._decide(PerformAct(act=act.id, said=said, by=by, who=self.person, at=self.now))
            if isinstance(decision, Refusal):
                continue
            if any(changes(self.state.game, event) for event in decision):
                done = next(event for event in decision if isinstance(event, ActDone))
                previews: Told = {"previews": True} if act.id == CORRECTING else {}
                yield self._told(step, {"do": act.id, **given}, asked, done.clause) | previews
            return

    def _matters(self, step: Step) -> bool:
        return (
            step.kind in ORDER
            and all(CHECKS[check](self.scene) for check in step.when)
            and not any(CHECKS[check](self.scene) for check in step.unless)
        )

    def _given(self, name: str, value: Fact) -> object:
        text = filled(str(value), self.words)
        return int(text) if KINDS.get(name) == "count" and text.isdigit() else text

    def _values(self, name: str) -> Iterator[object]:
        """What could be said for a field that is asked for."""
        if KINDS.get(name) == FACES:
            yield from self.book.outcomes.all
        else:
            yield from range(1, MOST_ASKED + 1)

    def _decide(self, command: AnyCommand) -> Decision:
        return decide_without_note(self.shelf, self.state.game, command)

    # -- commands of every table ---------------------------------------------------------------------------------------

    def _power(self, power: Power, step: Step) -> Iterator[Told]:
        by = fitting_title(self.book.conduct, self.role, power.by)
        if by is None or not self._matters(step):
            return
        if power.command == "throw":
            yield from self._throw(power, step, by)
        elif power.command == "no_more_bets":
            decision = self._decide(CloseBets(by=by, who=self.person, at=self.now))
            if not isinstance(decision, Refusal):
                yield self._told(step, {"do": power.command}, [], power.clause)

    def _throw(self, power: Power, step: Step, by: str) -> Iterator[Told]:
        """What fell is entered. What stands against it is asked for; nothing is settled only to find that out."""
        throw = self.book.rules.throw
        refused = self._against_throw(power, by)
        if refused is None or step.waits:
            told = self._told(step, {"do": throw.command}, [throw.field], power.clause, refused)
            yield told | {"first": list(self._first(step)) if refused is None else []}

    def _first(self, step: Step) -> Iterator[Told]:
        """The lines that go with the first face, as far as they are not done: the dice are out, and they rest."""
        game = self.state.game
        for name in step.first:
            act = self.book.conduct.by_id.get(name)
            by = None if act is None else fitting_title(self.book.conduct, self.role, act.by)
            if act is None or by is None:
                continue
            command = PerformAct(act=act.id, said={}, by=by, who=self.person, at=self.now)
            decision = decide_without_note(self.shelf, game, command)
            if not isinstance(decision, Refusal) and not any(isinstance(event, ThrowVoided) for event in decision):
                game = evolve_all(game, decision)
                yield {"do": act.id}

    def _against_throw(self, power: Power, by: str) -> Told | None:
        """Why what fell cannot be entered, by this person now."""
        game, book = self.state.game, self.book
        if not book.conduct.may(by, power.by):
            said = f"The {book.rules.throw.command} is entered by {_one_of(power.by)}."
            return {"message": said, "clause": power.clause}
        refusal, betting = self._refused_whatever_fell(by), book.rules.betting
        if refusal is not None:
            return {"message": refusal.message, "clause": refusal.clause}
        if betting is not None and game.bets_open:
            return {"message": BETS_OPEN, "clause": betting.without_clause}
        return None

    def _refused_whatever_fell(self, by: str) -> Refusal | None:
        """What stands against every result; of a throw under way some may be ruled out, as by a die that leans."""
        outcomes, refusal = self.book.outcomes.all, None
        for faces in outcomes if is_under_way(self.scene.view) else outcomes[:1]:
            command = Throw(faces=faces, by=by, who=self.person, at=self.now)
            refusal = check_power(self.shelf, self.state.game, command)
            if refusal is None:
                break
        return refusal

    # -- telling -------------------------------------------------------------------------------------------------------

    def _told(self, step: Step, line: Told, asks: list[str], clause: str | None, refused: Told | None = None) -> Told:
        kinds = [{"name": name, "kind": KINDS.get(name, FACES)} for name in asks]
        told: Told = {"kind": step.kind, "words": filled(step.words, self.words | line), "line": line, "asks": kinds}
        return told | {"press": step.press, "key": step.key, "clause": clause, "refused": refused}

    def _moment(self) -> str | None:
        conduct = self.book.conduct
        for moment in conduct.moments:
            holds = self.scene.fact(moment.fact) in moment.is_
            if holds and not any(CHECKS[check](self.scene) for check in moment.unless):
                act = conduct.by_id.get(moment.act or "")
                return filled(moment.words, self.words | {"by": _one_of(act.by if act is not None else ())})
        return None


def _one_of(titles: Sequence[str]) -> str:
    """Titles of which one is enough: `the dealer, the boxperson or the gaming manager`."""
    *most, last = (f"the {title}" for title in titles or ("house",))
    return f"{', '.join(most)} or {last}" if most else last


def _in_short(faces: Faces) -> str:
    """What fell, on a button: 4-2, or HT."""
    return ("" if isinstance(faces[0], str) else "-").join(map(str, faces))


def changes(game: State, event: AnyEvent) -> bool:
    """Whether the table remembers or forgets something, or something else happens than that it was said."""
    return not isinstance(event, ActDone) or any(game.facts.get(name) != now for name, now in event.facts.items())


def is_ruled_out(scene: Scene, act: Act) -> bool:
    """Whether a need for a plain fact stands against it, whatever is said: cheap to ask, and rules most out."""
    return any(_is_plain(need) and not scene.holds(need, {}) for need in act.needs)


def _is_plain(need: Need) -> bool:
    """Whether a need asks for a fact that does not depend on who acts, what is said or what time it is."""
    if need.fact is None or need.minutes is not None or need.reached:
        return False
    return not any(fields_of(str(text)) for text in (need.fact, *need.is_, *need.not_))
