"""Compose the screen: title, felt, the table's state, the player's chips and wagers, the sign, and the last results."""

from __future__ import annotations

from textwrap import wrap

import msgspec
from rich.console import Console
from rich.text import Text

from croupier.contract.replies import Lamp
from croupier.felt.areas import Spot, Standing, odds_texts, refusal_now, short_money
from croupier.felt.past_results import lamps, marked_value
from croupier.money import format_cents
from croupier.play.felt import Cell, Glyphs, draw_felt, free_square, make_plan, palette_for, picture, picture_lines
from croupier.play.messages import third_person
from croupier.play.solo_game import YOU, SoloGame
from croupier.rules import offers
from croupier.rules.describing import paid_text
from croupier.rules.machine import Pick

NARROWEST = 80  # below this width the felt is a list
SIDE = 40  # columns of the side panel
WIDE = 80 + SIDE  # minimum width for a side panel
BELOW = 6  # lines kept for messages, hint and prompt
TALL = 44  # minimum height for pictures of the dice without a side panel
DIM = "dim"


class Size(msgspec.Struct, frozen=True):
    """The size of the console."""

    width: int
    height: int


class Screen:
    """Draws a session on a console."""

    def __init__(self, console: Console, session: SoloGame, glyphs: Glyphs) -> None:
        self.console = console
        self.session = session
        self.glyphs = glyphs

    def size(self) -> Size:
        """Return the console's current size; it may have changed since the last frame."""
        return Size(self.console.width, self.console.height)

    def frame(self, below: int | None = None) -> list[Text]:
        """Return everything above the messages. If they need `below` lines, the least important parts give way."""
        size = self.size()
        title, felt, rest, extra = [self.title(size.width)], *self._parts(size)
        if below is not None:
            room = size.height - below - len(felt) - len(rest)
            extra = extra[: max(0, room - len(title))]
            title = title if room >= 1 else []
        return [*title, *felt, *rest, *extra]

    def _parts(self, size: Size) -> tuple[list[Text], list[Text], list[Text]]:
        """Return the felt, the required lines, and the optional ones, which are dropped from the end."""
        if size.width >= WIDE:
            return self._wide(size), [], []
        if size.height >= TALL and size.width >= NARROWEST:
            return self._tall(size)
        rest, extra = self.status(size.width), [self.results(size.width), *self._wrap(self.sign(), size.width)]
        return self.felt(size.width, size.height - 1 - len(rest) - len(extra) - BELOW), rest, extra

    def _wide(self, size: Size) -> list[Text]:
        """Return the felt with a panel beside it."""
        felt = self.felt(size.width - SIDE, size.height - 1 - BELOW)
        lines = max(len(felt), min(size.height - 1 - BELOW, 30))
        return _beside(felt, self._side(size.width - felt[0].cell_len - 3)[:lines], 3)

    def _tall(self, size: Size) -> tuple[list[Text], list[Text], list[Text]]:
        """Return the felt, and below it a picture of the dice with everything else beside it."""
        dice = [] if self._ring else self.picture()
        width = size.width - (dice[0].cell_len + 2 if dice else 0)
        words = [*self.status(width), self.results(width), *self._wrap(self.sign(), width)]
        rest = _beside(dice, words, 2) if dice else words
        return self.felt(size.width, size.height - 1 - len(rest) - BELOW), rest, []

    @property
    def _ring(self) -> bool:
        """Whether the felt has a place for the dice or coins."""
        layout = self.session.game.book.layout
        return layout is not None and free_square((layout.size[0], layout.size[1]), self.session.spots) is not None

    def title(self, width: int) -> Text:
        """Return the game, the house and the dice or coins."""
        book, throw, seed = self.session.rules.book, self.session.rules.throw, self.session.dice.seed
        right = f"electronic {throw.field} " if seed is None else f"SEEDED {throw.field.upper()} (seed {seed}) "
        room = width - 1 - len(right)
        lefts = [
            f" {book.game} · {book.casino} · play chips only ",
            f" {book.game} · play chips only ",
            f" {book.game} ",
        ]
        left = next((left for left in lefts if len(left) <= room), "")
        title = Text(self.glyphs.say(left.ljust(room)) + right, "bold reverse", no_wrap=True)
        title.truncate(max(1, width - 1))
        return title

    def felt(self, width: int, room: int) -> list[Text]:
        """Return the layout, or a list if the console is too narrow for it."""
        layout = self.session.game.book.layout
        if width < NARROWEST - 1 or layout is None:
            return self._list(width)
        plan = make_plan((layout.size[0], layout.size[1]), self.session.spots, width - 1, room)
        return draw_felt(plan, self._cells(), self.glyphs, palette_for(self.console), self._fallen())

    def _cells(self) -> list[Cell]:
        session, view = self.session, self.session.table.view
        mine = {held.key: held for held in session.standing}
        value = marked_value(session.game.book, view.state)
        boxes = number_boxes(session.spots)
        return [
            Cell(
                spot,
                odds_texts(view, spot, self.glyphs.to),
                *self._chips(mine.get(spot.key)),
                asleep=spot.key in mine and mine[spot.key].asleep,
                mark="ON" if spot in boxes and spot.pick == value else "",
                open=spot in boxes or self._is_open(spot),
                won=spot.key in session.won,
            )
            for spot in session.spots
        ]

    def _is_open(self, spot: Spot) -> bool:
        return refusal_now(self.session.table, YOU, spot.wager, spot.pick) is None

    def _chips(self, held: Standing | None) -> tuple[list[str], list[str]]:
        """Return the chips on an area with their amount, and shorter forms."""
        if held is None:
            return [], []
        chip, cents = self.glyphs.off if held.asleep else self.glyphs.chip, held.stake.amount
        full, marker = f"{chip}{short_money(cents)}", marker_word(held)
        fewer = [f"{chip}{cents // 100_000}k+"] if cents >= 100_000 else []
        return [f"{full} {marker}", full] if marker else [full], [*fewer, chip]

    def _list(self, width: int) -> list[Text]:
        """List every wager with its odds and the chips on it."""
        lines: list[Text] = []
        for wager in self.session.rules.wagers:
            line = Text.assemble((wager.name, "bold"), "  ", paid_text(self.session.game, wager))
            for held in self.session.standing:
                if held.wager is wager:
                    line.append("  ").append_text(self._held(held))
            lines += self._wrap(line, width)
        return lines

    def _held(self, held: Standing) -> Text:
        chip = self.glyphs.off if held.asleep else self.glyphs.chip
        words = f"{chip}{short_money(held.stake.amount)} {held.name} {marker_word(held)}".rstrip()
        return Text(words, DIM if held.asleep else "bold yellow")

    def status(self, width: int) -> list[Text]:
        """Return chips, thrower and the table's state, in as few lines as possible."""
        return _flow([*self._purse(), *map(self._lamp, self._lamps())], width)

    def _purse(self) -> list[Text]:
        session = self.session
        return [
            Text.assemble("In hand ", (format_cents(session.in_hand), "bold yellow")),
            Text.assemble("On the layout ", (format_cents(session.on_layout), "bold yellow")),
            self._thrower(),
        ]

    def _thrower(self) -> Text:
        rules, verb = self.session.rules.thrower, self.session.rules.throw.command
        if rules is None:
            return Text(f"Dealer {third_person(verb)}")
        if self.session.thrower == YOU:
            return Text.assemble(f"{rules.title.capitalize()}: ", ("you", "bold"))
        return Text(f"{rules.house.capitalize()} {third_person(verb)}")

    def _lamps(self) -> list[Lamp]:
        results, session = self.session.results, self.session
        faces, full = (results[-1].faces, results[-1].full) if results else (None, ())
        return lamps(session.game.book, session.table.state, faces, session.standing, full)

    def _lamp(self, lamp: Lamp) -> Text:
        colon = ":" if lamp.words and lamp.of else ""
        text = Text.assemble(f"{lamp.name}{colon} ", (lamp.words, "bold"))
        if lamp.of:
            text.append(" " if lamp.words else "").append(self.glyphs.lit * lamp.lit, f"bold {lamp.colour}")
            text.append(self.glyphs.unlit * (lamp.of - lamp.lit), DIM)
        return text

    def sign(self) -> Text:
        """Return the sign at the table: chips, limits, fixed amounts, rounding."""
        settings, limits = self.session.table.state.settings, self.session.rules.limits
        low, high = settings.limit.minimum, settings.limit.maximum
        least = "" if low is None else f", minimum {format_cents(low)}"
        most = ", no maximum" if high is None else f", maximum {format_cents(high)}"
        parts = [_cited(f"chips of {format_cents(settings.chip)}{least}{most}", limits.minimum)]
        if limits.rounding is not None:
            parts.append(_cited(f"wins rounded up to {format_cents(settings.chip)}", limits.rounding))
        for wager in self.session.rules.wagers:
            due = offers.one_amount(wager, settings)
            if due is not None:
                parts.append(_cited(f"{wager.name} exactly {format_cents(due)}", wager.one_amount_clause))
        return Text(f"Sign: {'; '.join(parts)}", DIM)

    def results(self, width: int) -> Text:
        """Return the last results, newest first, as many as fit a line."""
        text = Text("Results ")
        for place, result in enumerate(reversed(self.session.results)):
            call = f" {self.glyphs.dot} {result.call}" if place else result.call
            if len(text) + len(call) > width - 20:
                break
            text.append(call, "bold" if place == 0 else "")
        return text.append(" (newest first)", DIM) if self.session.results else text.append("none yet", DIM)

    def picture(self) -> list[Text]:
        """Return the dice or coins as they lie."""
        return picture_lines(self._fallen())

    def _fallen(self) -> list[list[str]]:
        results, throw = self.session.results, self.session.rules.throw
        return picture(results[-1].faces if results else ("",) * throw.throw, throw.faces, self.glyphs)

    def wagers(self, width: int) -> list[Text]:
        """List the player's wagers: amount, marker and state."""
        if not self.session.standing:
            return [Text("nothing on the layout")]
        return [line for held in self.session.standing for line in self._wager_lines(held, width)]

    def _wager_lines(self, held: Standing, width: int) -> list[Text]:
        state = held.state if held.state != held.wager.start and not held.wager.can_move else ""
        words = ", ".join(filter(None, [held.name, marker_word(held), state]))
        amount = f"{format_cents(held.stake.amount):>8} "
        first, *more = wrap(words, max(10, width - len(amount)))
        return [Text.assemble((amount, "bold yellow"), first), *(Text(" " * len(amount) + line) for line in more)]

    def _side(self, width: int) -> list[Text]:
        """Return the side panel."""
        heading = "bold underline"
        dice = [] if self._ring else [*self.picture(), Text()]
        lines = [*dice, *self._purse(), *map(self._lamp, self._lamps()), Text()]
        lines += [Text("Your wagers", heading), *self.wagers(width), Text()]
        lines += [Text("Results", heading), *self._wrap(self._all_results(), width)[:4], Text()]
        lines += self._wrap(self.sign(), width)
        return [piece for line in lines for piece in self._wrap(line, width)]

    def _all_results(self) -> Text:
        calls = [result.call for result in reversed(self.session.results[-40:])]
        return Text(f" {self.glyphs.dot} ".join(calls) or "none yet")

    def _wrap(self, text: Text, width: int) -> list[Text]:
        return list(text.wrap(self.console, max(10, width - 1))) or [Text()]


def number_boxes(spots: list[Spot]) -> list[Spot]:
    """Return the areas for a number's marker: for each number, the largest area that wagers travel to."""
    largest: dict[Pick, Spot] = {}
    for spot in (spot for spot in spots if spot.travelled):
        if spot.pick not in largest or _squares(spot) > _squares(largest[spot.pick]):
            largest[spot.pick] = spot
    return list(largest.values())


def _squares(spot: Spot) -> int:
    return spot.at[2] * spot.at[3]


def marker_word(held: Standing) -> str:
    """Return the marker on a wager that can sleep: OFF while it does, ON if the player called it on."""
    if held.asleep:
        return "OFF"
    return "ON" if held.stake.called else ""


def _cited(words: str, clause: str | None) -> str:
    return words if clause is None else f"{words} ({clause})"


def _flow(items: list[Text], width: int, gap: int = 3) -> list[Text]:
    """Lay short texts one after another on as few lines as possible."""
    lines: list[Text] = []
    for item in items:
        if lines and lines[-1].cell_len + gap + item.cell_len < width:
            lines[-1].append(" " * gap).append_text(item)
        else:
            lines.append(item.copy())
    return lines


def _beside(left: list[Text], right: list[Text], gap: int) -> list[Text]:
    """Put two columns of lines side by side."""
    width = max((line.cell_len for line in left), default=0) + gap
    lines = []
    for place in range(max(len(left), len(right))):
        line = left[place].copy() if place < len(left) else Text()
        if place < len(right):
            line.append(" " * (width - line.cell_len)).append_text(right[place])
        lines.append(line)
    return lines
