"""The game loop: read lines, execute them and show the results until the player leaves."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from importlib import import_module

import msgspec
from rich.console import Console
from rich.text import Text

from croupier.felt.areas import Standing, refusal_now, typed_name
from croupier.money import format_cents
from croupier.play.felt import glyphs_for
from croupier.play.help import Helper, hint
from croupier.play.input import (
    VERBS,
    Asked,
    Names,
    Unclear,
    plain_words,
    read_amount,
    read_bet,
    read_line,
    read_take,
    typed_words,
)
from croupier.play.messages import Messages
from croupier.play.screen import Screen
from croupier.play.solo_game import YOU, Batch, SoloGame
from croupier.rules.machine import plain_pick
from croupier.rules.offers import one_amount
from croupier.table.decide import Refused
from croupier.table.events import TableOpened

PROMPT = "> "
ALONE = {"roll", "undo", "rebet", "chips", "table", "wagers", "pays", "history", "quit"}  # commands without arguments


class Reply(msgspec.Struct, frozen=True):
    """The response to a command. `changed`: the table has changed; `over`: the player leaves."""

    lines: list[Text]
    changed: bool = False
    over: bool = False


class Playing:
    """A player at the terminal. With `lines`, or without a terminal, output simply scrolls."""

    def __init__(self, session: SoloGame, console: Console, lines: Iterator[str] | None) -> None:
        self.session = session
        self.console = console
        self.lines = lines
        self.typed = lines is None and sys.stdin is not None and sys.stdin.isatty()
        self.live = self.typed and console.is_terminal and not console.is_dumb_terminal
        glyphs = glyphs_for(console)
        self.messages = Messages(session, glyphs)
        self.screen = Screen(console, session, glyphs)
        self.helper = Helper(session, self.messages, lambda: console.width - 1)
        self._drawn: object = None
        self._felt = Names(
            session.spots_in_order,
            [spot for spot in session.spots_in_order if not spot.travelled],
            lambda spot: refusal_now(session.table, YOU, spot.wager, spot.pick) is None,
        )
        self._commands: dict[str, Callable[[Asked], Reply]] = {
            "bet": self._bet,
            "take": self._take,
            "on": lambda asked: self._call(asked, True),
            "off": lambda asked: self._call(asked, False),
            "roll": self._roll,
            "undo": self._undo,
            "rebet": self._rebet,
            "double": self._double,
            "clear": self._clear,
            "chips": self._chips,
            "table": self._table,
            "wagers": lambda asked: Reply(self.screen.wagers(console.width - 1)),
            "pays": lambda asked: Reply(self.helper.pays()),
            "history": lambda asked: Reply(self.helper.history()),
            "help": lambda asked: Reply(self.helper.help(asked.words)),
            "rules": lambda asked: Reply(self.helper.rules(asked.words)),
            "quit": lambda asked: Reply([], over=True),
        }

    def run(self) -> None:
        """Play until the player leaves, the input ends, or Ctrl-C."""
        if self.typed:
            with contextlib.suppress(ImportError):
                import_module("readline")  # adds line editing and history
        with contextlib.suppress(KeyboardInterrupt, EOFError, StopIteration):
            self._show_all(self._welcome())
            while True:
                self._print([self._hint()])
                reply = self.answer(self._ask())
                if reply.over:
                    break
                self._show(reply)
        with contextlib.suppress(KeyboardInterrupt):
            self._farewell()

    def _welcome(self) -> list[Text]:
        """Return the first messages at the table."""
        opened = self.session.table.history[0]
        call = opened.call if isinstance(opened, TableOpened) else None
        calls = [self.messages.call("bets open", call)] if call is not None else []
        field, seed = self.session.rules.throw.field, self.session.dice.seed
        fixed = "" if seed is None else f" The {field} are seeded ({seed}): the same throws every time."
        return [self.messages.say(f"Welcome. You have {format_cents(self.session.in_hand)} in chips.{fixed}"), *calls]

    def answer(self, line: str) -> Reply:
        """Execute a line, which may hold several commands."""
        lines: list[Text] = []
        changed = False
        parts = [part for part in line.split(";") if part.strip()]
        if not parts and line.strip():
            return Reply([self.messages.say("There is no command between the semicolons.")])
        for part in parts or [""]:
            reply = self._one(part)
            lines, changed = lines + reply.lines, changed or reply.changed
            if reply.over:
                return Reply(lines, changed, True)
        return Reply(lines, changed)

    def _one(self, line: str) -> Reply:
        try:
            asked = self._read(line)
            return self._commands[asked.verb](asked)
        except Unclear as unclear:
            return Reply([self.messages.say(str(unclear), "refused")])
        except Refused as refused:
            return Reply([self.messages.refused(refused.refusal)])

    def _read(self, line: str) -> Asked:
        """Parse the command in a line. A label on the felt takes precedence over an abbreviated command."""
        words = typed_words(line)
        label = words[:-1] if words and read_amount(words[-1]) is not None else words
        printed = words and words[0] not in VERBS and (self._felt.labelled(words) or self._felt.labelled(label))
        asked = read_line(f"bet {line}" if printed else line)
        aside = {"the", self.session.rules.throw.field} if asked.verb == "roll" else set()
        if asked.verb in ALONE and set(asked.words) - aside:
            raise Unclear(f'Type "{words[0]}" alone, without "{" ".join(asked.words)}".')
        return asked

    def _ask(self) -> str:
        if self.typed:
            return input(PROMPT)
        line = next(self.lines) if self.lines is not None else input()
        line = line.rstrip("\r\n")
        self._print([Text(f"{PROMPT}{line}", "bold")])
        return line

    def _show(self, reply: Reply) -> None:
        if self.live and reply.changed:
            self._show_all(reply.lines)
            return
        self._print(reply.lines)
        if reply.changed:
            self._print(self.screen.status(self.console.width))

    def _show_all(self, lines: list[Text]) -> None:
        """Show the whole screen, with messages below."""
        if self.live:
            self.console.clear()
        below = sum(len(line.wrap(self.console, self.console.width)) for line in lines) + 2  # 2 for hint and prompt
        self._print([*self.screen.frame(below if self.live else None), *lines])
        self._drawn = self.session.table.state.layout

    def _print(self, lines: list[Text]) -> None:
        if lines:
            self.console.print(Text("\n").join(lines), highlight=False, soft_wrap=False)

    def _hint(self) -> Text:
        return Text(self.messages.glyphs.say(hint(self.session)), "italic cyan")

    def _farewell(self) -> None:
        session = self.session
        left = f" in hand and {format_cents(session.on_layout)} on the layout" if session.on_layout else ""
        had, bought = format_cents(session.in_hand), format_cents(session.bought_cents)
        self._print([Text(), Text(f"You leave with {had}{left}; you bought {bought}.", "bold")])

    def _bet(self, asked: Asked) -> Reply:
        amount, wager_id, pick = read_bet(asked, self._felt)
        if amount is None:
            amount = one_amount(self.session.game.wager(wager_id), self.session.table.state.settings)
        if amount is None:
            raise Unclear(f'How much? Type an amount first, such as "10 {" ".join(asked.typed)}".')
        return Reply(self.messages.describe(self.session.bet(wager_id, pick, amount)), True)

    def _take(self, asked: Asked) -> Reply:
        if asked.words == ["all"]:
            return self._clear(asked)
        if not asked.words:
            raise Unclear('Take what? Name a wager; "take all" takes down every wager that can come down.')
        amount, words = read_take(asked, self._mine(), self._felt)
        held = self._standing(words)
        return Reply(self.messages.describe(self.session.take(*held.key, amount)), True)

    def _mine(self) -> Names:
        mine = {held.key for held in self.session.standing}
        return Names(spot for spot in self.session.spots if spot.key in mine)

    def _standing(self, words: list[str]) -> Standing:
        """Return the standing wager that words name; the pick may be omitted if there is only one."""
        mine = {held.key: held for held in self.session.standing}
        try:
            wager, raw_pick = self._mine().find(words)
        except Unclear:
            wager, raw_pick = self._elsewhere(words)
        key = wager, plain_pick(raw_pick)
        if key in mine:
            return mine[key]
        matching = [held for held in mine.values() if held.wager.id == wager and raw_pick is None]
        if len(matching) == 1:
            return matching[0]
        if matching:
            raise Unclear(f"Which one? There are {', '.join(typed_name(*held.key) for held in matching)}.")
        raise Unclear(f'You have no wager "{" ".join(plain_words(" ".join(words)))}" on the layout.')

    def _elsewhere(self, words: list[str]) -> tuple[str, object]:
        """Resolve words that match none of the player's wagers, or more than one."""
        if self._mine().fits(words) or not Names(self.session.spots).fits(words):
            return self._mine().find(words)
        raise Unclear(f'You have no wager "{" ".join(plain_words(" ".join(words)))}" on the layout.')

    def _call(self, asked: Asked, on: bool) -> Reply:
        if asked.words in ([], ["all"]):
            nothing = "You have no wager that you can call On or Off."
            return self._batch(self.session.call_all(on), nothing)
        held = self._standing(asked.words)
        return Reply(self.messages.describe(self.session.call(*held.key, on)), True)

    def _roll(self, asked: Asked) -> Reply:
        if not self.live and self.session.standing and self._drawn != self.session.table.state.layout:
            self._print(self.screen.felt(self.console.width, self.console.height))  # as it is when betting closes
            self._drawn = self.session.table.state.layout
        return Reply(self.messages.describe(self.session.throw()), True)

    def _undo(self, asked: Asked) -> Reply:
        done = self.session.undo()
        words = "The last move is undone." if done else "There is nothing to undo since the last throw."
        return Reply([self.messages.say(words)], done)

    def _rebet(self, asked: Asked) -> Reply:
        return self._batch(self.session.rebet(), "There is nothing to place again.")

    def _double(self, asked: Asked) -> Reply:
        if asked.words:
            return self._bet(read_line(f"bet double {' '.join(asked.words)}"))
        return self._batch(self.session.double(), "There is nothing to double.")

    def _clear(self, asked: Asked) -> Reply:
        return self._batch(self.session.clear(), "There is nothing to take down.")

    def _batch(self, batch: Batch, nothing: str) -> Reply:
        return Reply(self.messages.describe_batch(batch, nothing), bool(batch.events))

    def _chips(self, asked: Asked) -> Reply:
        if not self.session.broke:
            return Reply([self.messages.say("You can get new chips only when you have none left.")])
        return Reply([self.messages.say(f"You have {self.session.buy_chips()} in new chips.")], True)

    def _table(self, asked: Asked) -> Reply:
        return Reply([], True) if self.live else Reply(self.screen.frame())
