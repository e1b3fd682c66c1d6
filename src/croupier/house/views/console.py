"""The console of a table: the next steps of its staff, the acts possible now, and what a player may do.

A book marks its acts and commands as steps, with their words. Here each is tried: what is shown is what the table would
accept from this person now, and what changes something. Clients need not know any rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import chain, islice, product

import msgspec

from croupier.contract.replies import AskedField, ConsoleStep, FieldKind, Line, Objection, OwnAct
from croupier.felt.areas import spots_of
from croupier.house.names import fitting_title
from croupier.house.table_state import TableState
from croupier.money import format_cents
from croupier.rules.book import Book
from croupier.rules.conduct import KINDS, PLAYER, Act, Need, Own, Power, Step, fields_of, filled
from croupier.rules.outcomes import Faces
from croupier.rules.schema import Fact
from croupier.rules.shelf import Shelf
from croupier.table.commands import AnyCommand, CloseBets, FindWager, PerformAct, PlaceWager, Throw
from croupier.table.conduct.acts import check_power
from croupier.table.conduct.scene import CHECKS, PICK_OF, Scene
from croupier.table.conduct.turns import awaited
from croupier.table.decide import Decision, decide_without_note
from croupier.table.events import ActDone, AnyEvent, ThrowVoided
from croupier.table.evolve import evolve_all
from croupier.table.leaving import CORRECTING
from croupier.table.refusals import Refusal
from croupier.table.state import State
from croupier.table.thrower import next_offered, next_thrower, title
from croupier.table.under_way import TUMBLED, is_begun, is_under_way, tumbles_asked

BETS_OPEN = "The bets are open. Call them closed first."
MOST_ASKED = 9  # the largest number of dice or coins to ask for
ORDER = ("next", "beside")
FACES: FieldKind = "faces"
NOT_TWICE = "nobody_paid_twice"  # what rules out a correction whatever the right faces are


class Console(msgspec.Struct, frozen=True):
    """What a person with a post sees: the steps, the moment in words, whether a throw has begun.

    `corrected_by` is who may correct the latest result, while it can be corrected: others learn whom to call.
    """

    steps: list[ConsoleStep]
    moment: str | None
    begun: bool
    corrected_by: list[str]


def steps_of(shelf: Shelf, state: TableState, person: str | None, now: datetime) -> Console | None:
    """Return the console of a person; None without a post, or at a table that runs by itself."""
    role = None if person is None else state.staff.get(person)
    if role is None or state.rhythm is not None:
        return None
    return _Steps(shelf, state, role, str(person), now).console()


class _Steps:
    """All steps at one moment of a table, for one person."""

    def __init__(self, shelf: Shelf, state: TableState, role: str, person: str, now: datetime) -> None:
        self.shelf = shelf
        self.state = state
        self.role = role
        self.person = person
        self.now = state.later(now)
        self.scene = Scene(shelf, state.game, None, person, self.now, {})
        self.book: Book = self.scene.book
        self.words = self._words()

    def console(self) -> Console:
        conduct = self.book.conduct
        found = [step for act in conduct.acts if act.step is not None for step in self._act(act, act.step)]
        found += [step for power in conduct.powers if power.step is not None for step in self._power(power, power.step)]
        steps = sorted(found, key=lambda step: ORDER.index(step.kind))
        return Console(steps, self._moment(), is_begun(self.scene.view), self._corrected_by())

    def _corrected_by(self) -> list[str]:
        act = self.book.conduct.by_id.get(CORRECTING)
        if act is None or act.step is None or not self._matters(act.step) or is_ruled_out(self.scene, act):
            return []
        return list(act.by) if CHECKS[NOT_TWICE](self.scene) else []

    def _words(self) -> dict[str, object]:
        """Return the values for braces, beside an act's own fields; facts of several words are joined by _."""
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

    # -- acts ---------------------------------------------------------------------------------------------------------

    def _act(self, act: Act, step: Step) -> Iterator[ConsoleStep]:
        by = fitting_title(self.book.conduct, self.role, act.by)
        if by is None or not self.book.conduct.may(by, act.by):
            return
        if not self._matters(step) or is_ruled_out(self.scene, act):
            return
        given = {name: self._given(name, value) for name, value in step.given.items()}
        asked = [name for name in act.forms[0] if name not in given]
        if "" in given.values():  # the person that it concerns is absent
            return
        for values in product(*(self._values(name) for name in asked)):
            said = {**given, **dict(zip(asked, values, strict=True))}
            decision = self._decide(PerformAct(act=act.id, said=said, by=by, who=self.person, at=self.now))
            if isinstance(decision, Refusal):
                continue
            if any(changes(self.state.game, event) for event in decision):
                done = next(event for event in decision if isinstance(event, ActDone))
                shown = self._step(step, {"do": act.id, **given}, asked, done.clause)
                yield msgspec.structs.replace(shown, previews=act.id == CORRECTING)
            return

    def _matters(self, step: Step) -> bool:
        return (
            step.kind in ORDER
            and all(CHECKS[check](self.scene) for check in step.when)
            and not any(CHECKS[check](self.scene) for check in step.unless)
        )

    def _given(self, name: str, value: Fact) -> int | str:
        text = filled(str(value), self.words)
        return int(text) if KINDS.get(name) == "count" and text.isdigit() else text

    def _values(self, name: str) -> Iterator[object]:
        """Yield possible values for a requested field."""
        if KINDS.get(name) == FACES:
            yield from self.book.outcomes.all
        else:
            yield from range(1, MOST_ASKED + 1)

    def _decide(self, command: AnyCommand) -> Decision:
        return decide_without_note(self.shelf, self.state.game, command)

    # -- commands of every table --------------------------------------------------------------------------------------

    def _power(self, power: Power, step: Step) -> Iterator[ConsoleStep]:
        by = fitting_title(self.book.conduct, self.role, power.by)
        if by is None or not self._matters(step):
            return
        if power.command == "throw":
            yield from self._throw(power, step, by)
        elif power.command == "no_more_bets":
            decision = self._decide(CloseBets(by=by, who=self.person, at=self.now))
            if not isinstance(decision, Refusal):
                yield self._step(step, {"do": power.command}, [], power.clause)

    def _throw(self, power: Power, step: Step, by: str) -> Iterator[ConsoleStep]:
        """Yield the step that enters a throw. Obstacles are checked for; nothing is settled to find them."""
        throw = self.book.rules.throw
        refused = self._against_throw(power, by)
        if refused is None or step.waits:
            shown = self._step(step, {"do": throw.command}, [throw.field], power.clause, refused)
            yield msgspec.structs.replace(shown, first=list(self._first(step)) if refused is None else [])

    def _first(self, step: Step) -> Iterator[Line]:
        """Yield the acts still to be done with the first face: the dice are out, and they rest."""
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

    def _against_throw(self, power: Power, by: str) -> Objection | None:
        """Return why this person cannot enter a throw now."""
        game, book = self.state.game, self.book
        if not book.conduct.may(by, power.by):
            said = f"The {book.rules.throw.command} is entered by {_one_of(power.by)}."
            return Objection(said, power.clause)
        refusal, betting = self._refused_whatever_fell(by), book.rules.betting
        if refusal is not None:
            return Objection(refusal.message, refusal.clause)
        if betting is not None and game.bets_open:
            return Objection(BETS_OPEN, betting.without_clause)
        return None

    def _refused_whatever_fell(self, by: str) -> Refusal | None:
        """Return the objection to every result; during a throw only some may be ruled out, as by a leaning die."""
        outcomes, refusal = self.book.outcomes.all, None
        for faces in outcomes if is_under_way(self.scene.view) else outcomes[:1]:
            command = Throw(faces=faces, by=by, who=self.person, at=self.now)
            refusal = check_power(self.shelf, self.state.game, command)
            if refusal is None:
                break
        return refusal

    # -- output -------------------------------------------------------------------------------------------------------

    def _step(
        self, step: Step, line: Line, asks: list[str], clause: str | None, refused: Objection | None = None
    ) -> ConsoleStep:
        assert step.kind != "wager", "such a step is offered with the wager that waits for it"
        return ConsoleStep(
            kind=step.kind,
            words=filled(step.words, self.words | line),
            line=line,
            asks=[AskedField(name, KINDS.get(name, FACES)) for name in asks],
            press=step.press,
            key=step.key,
            clause=clause,
            refused=refused,
        )

    def _moment(self) -> str | None:
        conduct = self.book.conduct
        for moment in conduct.moments:
            holds = self.scene.fact(moment.fact) in moment.is_
            if holds and not any(CHECKS[check](self.scene) for check in moment.unless):
                act = conduct.by_id.get(moment.act or "")
                return filled(moment.words, self.words | {"by": _one_of(act.by if act is not None else ())})
        return None


def _one_of(titles: Sequence[str]) -> str:
    """Join alternative titles: `the dealer, the boxperson or the gaming manager`."""
    *most, last = (f"the {title}" for title in titles or ("house",))
    return f"{', '.join(most)} or {last}" if most else last


def _in_short(faces: Faces) -> str:
    """Format faces for a button: 4-2, or HT."""
    return ("" if isinstance(faces[0], str) else "-").join(map(str, faces))


def changes(game: State, event: AnyEvent) -> bool:
    """Return whether an event sets or clears a fact, or does anything beyond being recorded."""
    return not isinstance(event, ActDone) or any(game.facts.get(name) != now for name, now in event.facts.items())


def is_ruled_out(scene: Scene, act: Act) -> bool:
    """Return whether an act is impossible because of a plain fact: a cheap test that rules out most acts."""
    return any(_is_plain(need) and not scene.holds(need, {}) for need in act.needs)


def _is_plain(need: Need) -> bool:
    """Return whether a need is for a fact, independent of the person, the fields and the time."""
    if need.fact is None or need.minutes is not None or need.reached:
        return False
    return not any(fields_of(str(text)) for text in (need.fact, *need.is_, *need.not_))


# Possible acts. Each is tried with values that could go with it; nothing happens. An act missing here may still be
# possible with other values: lists of acts show these first and omit none.

MOST_TRIES = 250  # of one act: as many as three dice have results, and some more
NOTICE = timedelta(minutes=20)
SOMETHING = "something"

Said = dict[str, object]

# Commands of every table that staff give for a player.
_FOR_PLAYERS: dict[str, type[PlaceWager] | type[FindWager]] = {"bet": PlaceWager, "find": FindWager}


def possible_acts(shelf: Shelf, state: TableState, person: str, now: datetime) -> list[str]:
    """Return the acts of the book that the table would accept from this person, and that change something."""
    game = state.game
    role = state.staff.get(person) or (PLAYER if person in game.chips else None)
    if role is None or not game.is_open:
        return []
    scene = Scene(shelf, game, None, person, state.later(now), {})
    acts = [act for act in scene.conduct.acts if act.aside or state.rhythm is None]
    found = [act.id for act in acts if not is_ruled_out(scene, act) and _is_possible(scene, act, role)]
    return found + [word for word in _FOR_PLAYERS if role != PLAYER and _is_possible_for_players(scene, word, role)]


def _is_possible(scene: Scene, act: Act, role: str) -> bool:
    by = fitting_title(scene.conduct, role, act.by)
    if by is None or not scene.conduct.may(by, act.by):
        return False
    for said in islice(_sayings(scene, act), MOST_TRIES):
        command = PerformAct(act=act.id, said=said, by=by, who=scene.who, at=scene.at)
        decision = decide_without_note(scene.shelf, scene.state, command)
        if not isinstance(decision, Refusal) and any(changes(scene.state, event) for event in decision):
            return True
    return False


def _is_possible_for_players(scene: Scene, word: str, role: str) -> bool:
    """Return whether a wager could be placed for a seated player, or found on some area."""
    game, make = scene.state, _FOR_PLAYERS[word]
    least = max(game.settings.chip, game.settings.limit.minimum or 0)
    powers = [power for power in scene.conduct.powers if power.command == word]
    titles = [by for power in powers if (by := fitting_title(scene.conduct, role, power.by)) in power.by]
    tries = product(titles, game.seats, (spot for spot in spots_of(scene.book) if not spot.travelled))
    for by, player, spot in islice(tries, MOST_TRIES):
        wager, pick = spot.key
        command = make(player=player, wager=wager, pick=pick, amount=least, by=by, who=scene.who, at=scene.at)
        if not isinstance(decide_without_note(scene.shelf, game, command), Refusal):
            return True
    return False


def _sayings(scene: Scene, act: Act) -> Iterator[Said]:
    """Yield values for all fields of an act, for each of its forms."""
    for form in act.forms:
        for values in product(*(list(_values(scene, act, name)) for name in form)):
            yield dict(chain.from_iterable(value.items() for value in values))


def _values(scene: Scene, act: Act, name: str) -> Iterator[Said]:
    """Yield possible values for a field, first those in facts that the act needs."""
    remembered = list(dict.fromkeys(_remembered(scene, act, name)))
    kind = KINDS.get(name, "text")
    if kind == "wager":
        for wager, pick in {(area.wager, scene.view.shown_pick(area)): None for area in scene.state.layout}:
            yield {name: wager, PICK_OF[name]: pick}
        return
    plain = _plain_values(scene, act, name, kind)
    yield from ({name: value} for value in (*remembered, *(value for value in plain if value not in remembered)))


def _plain_values(scene: Scene, act: Act, name: str, kind: str) -> list[object]:
    game = scene.state
    if kind == "player" or name == "person":
        return list(game.seats)
    if kind == "faces":
        return [list(faces) for faces in scene.book.outcomes.all]
    if kind == "count":
        return list(range(1, MOST_ASKED + 1))
    if kind == "money":
        return [format_cents(game.settings.chip)]
    if kind == "time":
        return [] if scene.at is None else [(scene.at + NOTICE).isoformat()]
    if kind == "reason":
        return list(act.grounds)
    if kind == "role":
        return list(scene.conduct.role_ids)
    return list(act.choices.get(name) or [SOMETHING])


def _remembered(scene: Scene, act: Act, name: str) -> Iterator[str]:
    """Yield names in facts that the act needs: who was found with a device, which dispute is open."""
    for need in act.needs:
        pattern = _named(need.fact or "", name)
        if pattern is not None:
            matches = map(pattern.fullmatch, scene.state.facts)
            yield from (match[1] for match in matches if match is not None)


def _named(template: str, name: str) -> re.Pattern[str] | None:
    """Return a pattern for facts such as `device {person}`; None unless the name is its only field."""
    before, brace, after = template.partition("{" + name + "}")
    if not brace or "{" in before + after:
        return None
    return re.compile(f"{re.escape(before)}(.+){re.escape(after)}")


# A player's own acts beside wagering, where people run the table: accept the dice, throw or pass them.

FACES_ALONE = ["faces"]


def own_acts(shelf: Shelf, state: TableState, person: str | None, now: datetime) -> list[OwnAct]:
    """Return the acts that the table awaits from this player: words, line, and whether the game goes on with it.

    These are acts that the book offers to players. Others that leave the throw alone are possible at any time.
    """
    if state.rhythm is not None or person not in state.game.chips:
        return []
    scene = Scene(shelf, state.game, None, person, state.later(now), {})
    return [
        told for act in scene.book.conduct.acts if act.own is not None for told in _offered(scene, state, act, act.own)
    ]


def _offered(scene: Scene, state: TableState, act: Act, own: Own) -> Iterator[OwnAct]:
    if PLAYER not in act.by or not all(CHECKS[check](scene) for check in own.when):
        return
    line = _first_taken(scene, state, act, _lines(scene.book, act))
    if line is not None:
        words = filled(own.words, {"things": scene.book.rules.throw.field})
        yield OwnAct(words, line, own.goes_on)


def _lines(book: Book, act: Act) -> Iterator[Line]:
    """Yield an act's fields: none if it needs none, or every throw if it takes faces."""
    if [] in act.forms:
        yield {}
    elif FACES_ALONE in act.forms:
        for faces in book.outcomes.all:
            yield {"faces": faces}


def _first_taken(scene: Scene, state: TableState, act: Act, lines: Iterator[Line]) -> Line | None:
    for said in lines:
        command = PerformAct(act=act.id, said={**said}, by=PLAYER, who=scene.who, at=scene.at)
        decision = decide_without_note(scene.shelf, state.game, command)
        if not isinstance(decision, Refusal):
            return {"do": act.id, **said} if any(changes(state.game, event) for event in decision) else None
    return None
