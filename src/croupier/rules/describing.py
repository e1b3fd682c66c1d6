"""Sentences that describe a wager to people: its modifiers, each with the clause behind it, and what it pays."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

import msgspec

from croupier.money import format_cents
from croupier.rules import schema
from croupier.rules.book import Book
from croupier.rules.game import Game, choice_id
from croupier.rules.machine import Pick, pick_words
from croupier.rules.offers import Sign, smallest_stake

Cited = tuple[str, str]  # a sentence, and the clause behind it


# The codes with which tables refuse what a modifier forbids, and what each means, by the field that cites the clause.
REFUSALS: dict[str, tuple[tuple[str, str], ...]] = {
    "optional": (("wager_not_offered", "The wager is not offered at this table."),),
    "behind.clause": (("flat_wager_missing", "The wager that it lies behind is missing."),),
    "behind.limit_clause": (("stake_above_behind_limit", "More lies behind the flat wager than is allowed."),),
    "commission.clause": (("not_enough_chips", "The player has too few chips to pay the commission as well."),),
    "multiple.clause": (("amount_not_in_units", "The wager is made in several chips at a time."),),
    "fixed_stake.clause": (
        ("stake_not_the_fixed_amount", "The wager has one amount, and this is another."),
        ("one_wager_only", "The player already has this wager."),
    ),
    "sole.clause": (
        ("not_the_shooter", "Only the player who throws makes this wager."),
        ("held_by_another", "Another player holds this wager."),
    ),
    "sole.declared_clause": (("declared_already", "The player has already declared another side."),),
    "sole.turn_clause": (("turn_passed", "The turn has passed on, and others go first."),),
    "sleeps.call_clause": (("cannot_be_called", "The wager is not called On or Off."),),
}


def modifiers(book: Book, wager: schema.Wager) -> Iterator[Cited]:
    """Everything that distinguishes the wager from a plain one."""
    yield from making(wager)
    yield from changed_stake(book, wager)
    yield from sleeping(book, wager)


def making(wager: schema.Wager) -> Iterator[Cited]:
    """Who may make it, and how it is taken down."""
    if wager.optional is not None:
        yield "A table may leave it out.", wager.optional
    if wager.taking is not None:
        yield "It may be taken down at any time.", wager.taking
    if wager.sole is not None:
        yield "One player at a time makes it.", wager.sole.clause
        yield "The pick is declared before the wager is made.", wager.sole.declared_clause
        yield "A player who loses it must let others go first.", wager.sole.turn_clause
    if wager.stands_on_void is not None:
        yield "It stands through void throws.", wager.stands_on_void


def staking(book: Book, wager: schema.Wager) -> Iterator[Cited]:
    """The stake at any table, and the commission."""
    limits = book.rules.limits
    for clause in dict.fromkeys((limits.minimum, limits.maximum)):
        if clause is not None and not wager.has_one_amount:
            named = [name for name in ("minimum", "maximum") if getattr(limits, name) == clause]
            yield f"The sign at the table states its {' and its '.join(named)}.", clause
    yield from changed_stake(book, wager)


def changed_stake(book: Book, wager: schema.Wager) -> Iterator[Cited]:
    """What the book changes about the stake, and the commission."""
    fixed, behind, cost = wager.fixed_stake, wager.behind, wager.commission
    if fixed is not None:
        yield f"Its stake is one amount set by the table; by default {fixed.default}.", fixed.clause
    if wager.multiple is not None:
        yield f"It is made in multiples of {wager.multiple.chips} of the smallest chip.", wager.multiple.clause
    if behind is not None:
        yield f"It lies behind a {book.wagers[behind.flat].name} wager of the same player.", behind.clause
        most = {2: "double", 3: "three times"}.get(behind.times, f"{behind.times} times")
        it = "It goes" if behind.of == "stake" else "Its winnings go"
        yield f"{it} up to {most} the stake of that wager.", behind.limit_clause
    if cost is not None:
        share = f"{float(100 * Fraction(cost.rate)):g}%"
        yield f"A commission of {share} of {_paid_on(cost)} is charged when it is made.", cost.clause


def sleeping(book: Book, wager: schema.Wager) -> Iterator[Cited]:
    """When it sleeps, and who may wake it."""
    if wager.sleeps is not None:
        when = wager.sleeps.when
        states = f"is at {any_of(when.is_)}" if when.is_ else f"is not at {any_of(when.not_)}"
        say = f"It sleeps while the {book.phases[when.phase].name} {states}: a throw then neither wins nor loses it."
        yield say, wager.sleeps.clause
        yield "Its player may call it On or Off.", wager.sleeps.call_clause


def at_a_table(book: Book, wager: schema.Wager, sign: Sign) -> Iterator[Cited]:
    """What a player sees about the wager at a table."""
    amount = format_cents(smallest_stake(wager, sign))
    if wager.fixed_stake is not None:
        yield f"Made with exactly {amount}.", wager.fixed_stake.clause
    if wager.multiple is not None:
        yield f"Made in multiples of {amount}.", wager.multiple.clause
    if wager.behind is not None:
        flat = book.wagers[wager.behind.flat].name
        yield f"Limited by the {flat} wager that it lies behind.", wager.behind.limit_clause
    if wager.sleeps is not None:
        yield "It can be called On and Off.", wager.sleeps.call_clause


def beside_its_machine(wager: schema.Wager) -> Iterator[Cited]:
    """What affects its value but is not shown in a drawing of its machine."""
    if wager.commission is not None:
        cost = wager.commission
        yield f"Commission when it is made: {cost.rate} of {_paid_on(cost)}", cost.clause
    if wager.sleeps is not None:
        yield "Drawn as On; at times it sleeps unless it is called On", wager.sleeps.clause


def with_its_cost(pays: str, wager: schema.Wager) -> str:
    """What it pays, and what it costs besides the stake."""
    cost = wager.commission
    return pays if cost is None else f"{pays}; making it costs a commission of {cost.rate} of the {cost.of}"


def any_of(words: Iterable[str]) -> str:
    """Join words as `2, 3 or 12`."""
    *most, last = list(words)
    return f"{', '.join(most)} or {last}" if most else last


def _paid_on(cost: schema.Commission) -> str:
    return "the stake" if cost.of == "stake" else "what it can win"


# -- paying -----------------------------------------------------------------------------------------------------------


class PayLine(msgspec.Struct, frozen=True):
    """A line of the pay table: its words besides the wager's name (`2 or 12`), its odds, and the odds as printed."""

    words: str
    odds: Fraction
    printed: str

    @property
    def short(self) -> str:
        """``7.5 to 1`` as ``7.5:1``."""
        return self.printed.replace(" to ", ":")


def pay_lines(game: Game, wager: schema.Wager, picks: Iterable[Pick]) -> list[PayLine]:
    """Return the pay table lines that pay a wager, in pay table order."""
    table = game.book.rules.pay_table
    printed = dict(table.lines)
    for choice in table.choices:
        printed.update(choice.options[game.choices[choice_id(choice)]])
    pattern = "|".join(p for pick in picks for p in _line_patterns(wager, pick_words(wager.id, pick)))
    lines = [line for line in printed if re.fullmatch(pattern, line)]
    words = _without_common_word([line.split()[1:] for line in lines])
    return [PayLine(" ".join(w), game.lines[line], printed[line]) for w, line in zip(words, lines, strict=True)]


def _line_patterns(wager: schema.Wager, words: dict[str, str]) -> list[str]:
    own_line = f"{wager.id} {words['pick']}".rstrip()
    patterns = []
    for row in wager.rows:
        if row.then == "win":
            line = re.escape((row.pays or own_line).replace("{pick}", words["pick"]))
            patterns.append(re.sub(r"\\\{\w+\\\}", ".+", line))
    return patterns


def _without_common_word(lines: list[list[str]]) -> list[list[str]]:
    """Turn `number 2`, `number 3` into `2`, `3`."""
    common = len(lines) > 1 and all(len(words) > 1 and words[0] == lines[0][0] for words in lines)
    return [words[1:] for words in lines] if common else lines


def paid_text(game: Game, wager: schema.Wager) -> str:
    """What a wager pays, in the form `4, 10 at 9 to 5; 5, 9 at 7 to 5`."""
    by_odds: dict[str, list[str]] = {}
    lines = pay_lines(game, wager, game.book.picks(wager))
    for line in lines:
        by_odds.setdefault(line.printed, []).extend([line.words] if line.words else _totals(wager))
    if len(by_odds) == 1:
        return lines[0].printed
    parts = [f"{', '.join(sorted(words, key=_figures))} at {printed}" for printed, words in by_odds.items()]
    return "; ".join(part.removeprefix(" at ") for part in parts)


def _totals(wager: schema.Wager) -> list[str]:
    """The totals that win by the line named after the wager alone."""
    rows = [row for row in wager.rows if row.then == "win" and row.pays in (None, wager.id)]
    return [word for row in rows if row.on.startswith("total ") for word in row.on.split()[1:]]


def _figures(words: str) -> int:
    return int(words) if words.isdecimal() else 0


def terms_text(game: Game, wager: schema.Wager) -> str:
    """What a wager pays, and on which part of the stake if not on all of it."""
    paid, share = paid_text(game, wager), share_text(wager)
    return f"{paid}, {share}" if share else paid


def share_text(wager: schema.Wager) -> str:
    """The part of the stake that the odds are paid on, and whether the rest is returned or lost; empty if all."""
    rows = [row for row in wager.rows if row.then == "win" and row.share != "1"]
    shares = dict.fromkeys(row.share for row in rows)
    if not shares:
        return ""
    back = all(row.rest == "back" for row in rows)
    rest = "comes back" if back else "is lost"
    if len(shares) == 1:
        share = Fraction(next(iter(shares)))
        if (1 - share).numerator > 1:
            rest = "come back" if back else "are lost"
        return f"on {_part(share)} of the stake; the other {_part(1 - share, '')} {rest}"
    picked = [f"on {_part(Fraction(r.share))} for {'the pick' if '{pick}' in r.on else 'the others'}" for r in rows]
    return f"{' and '.join(picked)}; the rest of the stake {rest}"


def _part(share: Fraction, one: str = "a ") -> str:
    """Spell out a fraction: `a quarter`, `three quarters`, `half`, `two fifths`, `3/7`."""
    if share == Fraction(1, 2):
        return "half"
    name = {3: "third", 4: "quarter", 5: "fifth"}.get(share.denominator)
    if name is None or share.numerator > 4:
        return str(share)
    return f"{one}{name}" if share.numerator == 1 else f"{('two', 'three', 'four')[share.numerator - 2]} {name}s"
