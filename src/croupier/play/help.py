"""Help, the pay table, the rules and the history: requests that change nothing at the table."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from textwrap import wrap

from rich.text import Text

from croupier.felt.areas import odds_texts, refusal_now, short_money, typed_name
from croupier.felt.past_results import lamps
from croupier.money import format_cents
from croupier.play.input import VERBS, Names, Unclear, read_verb
from croupier.play.messages import Messages, faces_text, second_person
from croupier.play.solo_game import YOU, SoloGame
from croupier.rules import describing, offers, schema
from croupier.rules.book import definition_number
from croupier.rules.describing import paid_text, share_text, terms_text
from croupier.table.refusals import Refusal

LONGEST_LIST = 40
HEADING = "bold underline"


class Helper:
    """Answers questions about the game."""

    def __init__(self, session: SoloGame, messages: Messages, width: Callable[[], int]) -> None:
        self.session = session
        self.messages = messages
        self.width = width
        self._names = Names(session.spots)

    def help(self, words: list[str]) -> list[Text]:
        """Return help on all commands, or on one wager."""
        if not words or (len(words) == 1 and read_verb(words[0]) in VERBS and not self._is_wager(words)):
            return [*self._commands(), *self._open_now(), self._signs()]
        wager_id, _ = self._names.find(words)
        return self._wager(self.session.game.wager(wager_id))

    def _is_wager(self, words: list[str]) -> bool:
        try:
            self._names.find(words)
        except Unclear:
            return False
        return True

    def _commands(self) -> list[Text]:
        throw, example = self.session.rules.throw, example_bet(self.session)
        name = example.partition(" ")[2]
        rows = [
            (example, "put chips on an area: an amount and its name, or the beginning of it"),
            (f"take {name}", f"take a wager down; take 5 {name} takes only that much; take all takes everything"),
            (f"Enter or {throw.command}", f"close the bets and throw the {throw.field}"),
            ("undo", "undo the last move of chips since the last throw"),
            ("rebet, double, clear", "repeat the last wagers, double what stands, take all down"),
            ("wagers, table", "list your wagers; draw the felt again"),
            ("pays, history", "the pay table; the results so far"),
            (f"help {name}", "what a wager is, what it pays, whether it can be made now"),
            (f"rules {self.session.rules.throw.clause}", "a clause of the rules; rules alone lists the sections"),
            ("quit", "leave the table; write several commands in one line with ; between them"),
        ]
        sleeper = next((wager for wager in self.session.rules.wagers if wager.can_be_called), None)
        if sleeper is not None:
            called = typed_name(sleeper.id, self.session.game.book.picks(sleeper)[0])
            rows.insert(2, (f"on, off {called}", "call a wager that can sleep On or Off; on alone calls all"))
        return two_columns(rows, self.width())

    def _signs(self) -> Text:
        """Explain the symbols on the felt and beside it."""
        glyphs, session = self.messages.glyphs, self.session
        parts = [f"{glyphs.won} has just won", f"{glyphs.chip}10 your chips"]
        if session.game.book.call_clause is not None:
            parts.append(f"{glyphs.off}10 your chips, OFF for the next throw")
        lights = [lamp for lamp in lamps(session.game.book, session.table.state, None, session.standing) if lamp.of]
        if lights:
            parts.append(f"{lights[-1].name} {glyphs.lit}{glyphs.unlit} lights, lit and unlit: one for each so far")
        if any(lamp.of == 1 for lamp in lights):
            parts.append("one light alone: the last result")
        least = max(filter(None, map(self._least, session.rules.wagers)), key=_first_odds, default="")
        if least:
            parts.append(f"{least} {_in_words(least)}")
        return Text.assemble(("Signs: ", "bold"), "; ".join(parts))

    def _open_now(self) -> list[Text]:
        opened, shut = [], []
        for wager in self.session.rules.wagers:
            name, refusal = typed_name(wager.id, None), self._refusal(wager)
            if refusal is None:
                opened.append(name)
            else:
                shut.append(f"{name} ({refusal.clause})" if refusal.clause else name)
        lines = [Text.assemble(("Open now: ", "bold"), ", ".join(opened) or "nothing")]
        return lines + ([Text.assemble(("Not now: ", "bold"), ", ".join(shut))] if shut else [])

    def _refusal(self, wager: schema.Wager) -> Refusal | None:
        """Return why a wager cannot be made now with any pick; None if it can."""
        picks = self.session.game.book.picks(wager)
        refusals = [refusal_now(self.session.table, YOU, wager, pick) for pick in picks]
        return None if None in refusals else refusals[0]

    def _wager(self, wager: schema.Wager) -> list[Text]:
        say, game = self.messages.say, self.session.game
        lines = [Text.assemble((wager.name, "bold"), f"  {wager.help}"), say(f"Pays {paid_text(game, wager)}.")]
        if share_text(wager):
            lines.append(say(f"These odds are {share_text(wager)}."))
        least = self._least(wager)
        if least:
            lines.append(say(f"The felt prints {least} where there is little room: {_in_words(least)}."))
        picks = [typed_name("", pick).strip() for pick in game.book.picks(wager)]
        if wager.picks:
            lines.append(say(f"Made on: {', '.join(picks)}."))
        described = describing.at_a_table(game.book, wager, self.session.table.state.settings)
        lines += [say(sentence, clause=clause) for sentence, clause in described]
        refusal = self._refusal(wager)
        if refusal is None:
            return [*lines, say("It can be made now.", clause=wager.clause)]
        return [*lines, say(f"Not now: {second_person(refusal.message)}", "refused", refusal.clause)]

    def _least(self, wager: schema.Wager) -> str:
        """Return the shortest form of its odds if that is a lower bound: `16:1+`."""
        spot = next((spot for spot in self.session.spots_in_order if spot.wager is wager), None)
        shortest = odds_texts(self.session.table.view, spot, self.messages.glyphs.to)[-1] if spot else ""
        return shortest if shortest.endswith("+") else ""

    def pays(self) -> list[Text]:
        """Return the pay table."""
        rows = [(wager.name, terms_text(self.session.game, wager)) for wager in self.session.rules.wagers]
        title = self.messages.say("Pay table", "call", self.session.rules.pay_table.clause)
        return [title, *two_columns(rows, self.width())]

    def history(self) -> list[Text]:
        """Return the results so far."""
        results = self.session.results
        if not results:
            return [self.messages.say("Nothing has been thrown yet.")]
        lines = []
        for number, result in list(enumerate(results, start=1))[-LONGEST_LIST:]:
            by = "you" if result.by == YOU else "the house"
            net = f"{'+' if result.net_cents > 0 else ''}{short_money(result.net_cents)}" if result.net_cents else "-"
            lines.append(Text(f"{number:>4}  {faces_text(result.faces)}  {result.call:<12} by {by:<10} {net:>9}"))
        return lines

    def rules(self, words: list[str]) -> list[Text]:
        """Return a clause, a defined word or a reading; without words, the sections."""
        book, asked = self.session.game.book, " ".join(words)
        if not words:
            title = Text(book.rules.book.title, "bold")
            return [title, *(Text(f"{number:>4}  {heading}") for number, heading in book.sections.items())]
        found = {number: clause for number, clause in book.clauses.items() if number.lower() == asked}
        found |= {number: clause for number, clause in book.clauses.items() if _is_part(number.lower(), asked)}
        found |= {
            word: clause
            for word, clause in book.definitions.items()
            if asked == definition_number(word).lower() or word.lower().startswith(asked)
        }
        lines = [self._clause(number, clause) for number, clause in found.items()]
        lines += [self._reading(reading) for reading in book.readings if reading.id.lower() == asked]
        if not lines:
            raise Unclear(f'The book has no clause "{asked}". Type "rules" to see its sections.')
        more = [Text(f"... and {len(lines) - LONGEST_LIST} more")] if len(lines) > LONGEST_LIST else []
        return lines[:LONGEST_LIST] + more

    def _clause(self, number: str, clause: schema.Clause) -> Text:
        readings = f" (see {', '.join(clause.readings)})" if clause.readings else ""
        return Text.assemble((number, "bold"), f"  {self.messages.glyphs.say(clause.summary)}", (readings, "dim"))

    def _reading(self, reading: schema.Reading) -> Text:
        text = self.messages.glyphs.say(f"  {reading.question} Taken: {reading.taken} Because: {reading.reason}")
        return Text.assemble((reading.id, "bold"), text)


def two_columns(rows: list[tuple[str, str]], width: int) -> list[Text]:
    """Return names and their descriptions, wrapped beside the names."""
    first = max(len(name) for name, _ in rows)
    lines = []
    for name, words in rows:
        kept = words.replace(" to ", "\u00a0to\u00a0")  # keep odds on one line
        wrapped = [line.replace("\u00a0", " ") for line in wrap(kept, max(20, width - first - 2))] or [""]
        lines.append(Text.assemble((f"{name:<{first}}", "bold"), f"  {wrapped[0]}"))
        lines += [Text(f"{'':<{first}}  {line}") for line in wrapped[1:]]
    return lines


def _first_odds(odds: str) -> Fraction:
    return Fraction(odds.partition(":")[0])


def _in_words(least: str) -> str:
    """Return `16:1+` in words: 16 to 1 or more."""
    return f"{least.removesuffix('+').replace(':', ' to ')} or more"


def _is_part(number: str, asked: str) -> bool:
    """Return whether a clause is a direct part of the requested one."""
    rest = number.removeprefix(asked)
    if rest == number or not rest:
        return False
    return rest[0] in ".(" and not any(sign in rest[1:] for sign in ".(")


def example_bet(session: SoloGame) -> str:
    """Return an example of a bet, on the first open area."""
    for spot in session.spots_in_order:
        if refusal_now(session.table, YOU, spot.wager, spot.pick) is None:
            least = offers.smallest_stake(spot.wager, session.table.state.settings)
            only = spot.wager.has_one_amount
            amount = least if only else min(10 * least, session.in_hand // least * least) or least
            return f"{short_money(amount)} {typed_name(*spot.key)}"
    return f"10 {typed_name(*session.spots_in_order[0].key)}"


def hint(session: SoloGame) -> str:
    """Return what can be done next, in one line; without advice on what to bet."""
    throw = session.rules.throw
    if session.broke:
        return f'You have no chips left. Type "chips" for {format_cents(session.rack_cents)} new ones, or "quit".'
    if not session.table.state.bets_open:
        return f"The bets are closed until this is decided. Press Enter to {throw.command} again."
    if not session.standing:
        again = ' or "rebet"' if session.may_rebet else ""
        return f'Type an amount and an area, such as "{example_bet(session)}"{again}; "help" lists all.'
    more = 'bet more, or "undo" the last bet' if session.may_undo else "or bet more"
    return f'Press Enter to {throw.command}, {more}; "help" lists all.'
