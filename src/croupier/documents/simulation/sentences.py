"""The figures of a simulation in print and in sentences. Amounts are in dollars; plus is in the player's favour."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import floor, log10
from typing import NamedTuple, Protocol

from croupier.documents.wording import decimal, percent, plus, with_commas
from croupier.rules.book import Book
from croupier.rules.machine import show_pick
from croupier.simulation.results import Result, WagerFigures
from croupier.simulation.strategy import Spot

GRAIN = 9  # decimals beyond which a float is noise
NO_ERROR = 1e-12  # rounding residue of sums that should be zero
MILLION = 1e6
MILLIONS = 1e7  # amounts from here on are shown in millions
NEAR, FAR = 2, 3  # standard errors: below the first is unremarkable, above the second chance is a poor explanation

# Why sessions end: in a list, and in a sentence about one.
ENDINGS = {
    "rolls": ("all {throws} played", "all {throws} were played"),
    "win": ("win target reached", "its win target was reached"),
    "loss": ("loss limit reached", "its loss limit was reached"),
    "shooters": ("shooter limit reached", "its shooter limit was reached"),
    "strategy rolls": ("its own limit of {throws} reached", "its own limit of {throws} was reached"),
    "ruined": ("ruined", "it was ruined"),
}


class Paired(Protocol):
    """A strategy's difference from the first one, session by session: dollars, and their standard error."""

    @property
    def mean(self) -> float: ...

    @property
    def mean_se(self) -> float: ...


class About(NamedTuple):
    """A strategy's description, and what each of its rules does, in a word."""

    words: str = ""
    deeds: tuple[str, ...] = ()


class Played(NamedTuple):
    """One strategy on the page: its result, its place among the others, its letter and its name."""

    result: Result
    place: int
    key: str
    name: str
    difference: Paired | None = None
    about: About = About()

    @property
    def label(self) -> str:
        """The letter and the name, as in a list; the name alone if there is only one strategy."""
        return f"{self.key} {self.name}".lstrip()

    @property
    def named(self) -> str:
        """The name and the letter, as in a sentence."""
        return f"{self.name} ({self.key})" if self.key else self.name


class Names:
    """The book's names for things; derived from ids if there is no book."""

    def __init__(self, book: Book | None, book_id: str) -> None:
        self._book = book
        self.title = book.rules.book.title if book is not None else book_id
        self.throw = book.rules.throw.command if book is not None else "roll"
        self.throws = f"{self.throw}s"
        self.thrown = book.rules.throw.field if book is not None else "dice"

    def wager(self, wager: str, pick: object = None) -> str:
        """A wager with its pick: `Place Bet to Win 6`."""
        known = self._book.wagers.get(wager) if self._book is not None else None
        name = wager.replace("_", " ") if known is None else known.name
        return f"{name} {show_pick(pick)}".rstrip()  # type: ignore[arg-type]

    def spot(self, name: str) -> str:
        """A spot, written as in a strategy, by its wager's name."""
        wager, _, pick = name.partition(" ")
        return self.wager(wager, pick or None)

    def clause(self, number: str) -> str:
        """The summary of a clause; empty without a book."""
        known = self._book.clauses.get(number) if self._book is not None else None
        return "" if known is None else known.summary

    def ending(self, reason: str) -> str:
        """Why sessions ended, in words."""
        return ENDINGS.get(reason, (reason, reason))[0].format(throws=self.throws)

    def over_when(self, reason: str) -> str:
        """Why a session ended, as the end of a sentence."""
        return ENDINGS.get(reason, (reason, reason))[1].format(throws=self.throws)


def played(results: Sequence[Result], differences: Sequence[Paired], abouts: Sequence[About] = ()) -> list[Played]:
    """Assign letters and names to results; repeated names are numbered."""
    seen: dict[str, int] = {}
    found = []
    for place, result in enumerate(results):
        times = seen[result.name] = seen.get(result.name, 0) + 1
        name = result.name if times == 1 else f"{result.name} ({times})"
        key = "" if len(results) == 1 else letter(place)
        difference = differences[place - 1] if 0 < place <= len(differences) else None
        about = abouts[place] if place < len(abouts) else About()
        found.append(Played(result, place, key, name, difference, about))
    return found


def letter(place: int) -> str:
    """A, B, …, Z, then A2, B2 and so on."""
    rounds, place = divmod(place, 26)
    return chr(ord("A") + place) + (str(rounds + 1) if rounds else "")


# Figures


def amount(value: float, places: int = 2) -> str:
    """Dollars and cents: `−1,234.50`."""
    return with_commas(decimal(Fraction(round(value, GRAIN)), places))


def gained(value: float, places: int = 2) -> str:
    """Dollars won or lost: `+12.00`, `−3.10`, `0.00`."""
    return plus(amount(value, places))


def places_for(error: float) -> int:
    """The decimals to show for a mean: two, or enough for two significant digits of its standard error."""
    return max(2, 1 - floor(log10(error))) if error > 0 else 2


def mean_of(result: Result) -> str:
    """The mean of a session, to as many places as its error warrants."""
    return gained(result.net, places_for(result.net_se))


def error_of(result: Result) -> str:
    """The standard error of the mean."""
    return amount(result.net_se, places_for(result.net_se))


def exact_mean_of(result: Result) -> str:
    """The exact mean of a session, to as many places as the simulated one; empty if unknown."""
    return "" if result.exact_net is None else gained(result.exact_net, places_for(result.net_se))


def share(value: float, places: int = 1) -> str:
    """A share as a percentage: `42.9 %`."""
    return percent(Fraction(round(value, GRAIN)), places)


def house_edge(value: float) -> str:
    """The house edge as a percentage, `1.414 %`, from the player's result per dollar staked."""
    return percent(-Fraction(round(value, GRAIN + 3)))


def figure(value: float, places: int = 1) -> str:
    """A plain number with thousands separators: `113.6`."""
    text = with_commas(decimal(Fraction(round(value, GRAIN)), places))
    return text.rstrip("0").rstrip(".") if "." in text and not text.partition(".")[2].strip("0") else text


def of_all(value: float, none: str, every: str, some: str) -> str:
    """A share at the start of a sentence: none, every, or a percentage."""
    return none if value == 0 else every if value == 1 else f"{share(value)} {some}"


def large(value: float) -> str:
    """Dollars won or lost in little space: from ten million on in millions, M."""
    return gained(value) if abs(value) < MILLIONS else f"{plus(figure(value / 1e6, 2))}\u00a0M"


def apart(wager: WagerFigures | Result) -> float | None:
    """How far the realised house edge is above the exact one, in standard errors; None if undefined."""
    if wager.edge is None or wager.exact_edge is None or wager.edge_se is None or wager.edge_se < NO_ERROR:
        return None
    return (wager.exact_edge - wager.edge) / wager.edge_se


def counted(number: int, word: str) -> str:
    """`1 session`, `20,000 sessions`."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def rate(rolls: int, seconds: float, names: Names) -> str:
    """`, 190 million rolls a second`; empty if no time was measured."""
    if not seconds or not rolls:
        return ""
    fast = rolls / seconds
    millions = figure(fast / MILLION, 0 if fast >= MILLIONS else 1)
    return f", {f'{fast:,.0f}' if fast < MILLION else f'{millions} million'} {names.throws} a second"


def played_for(results: Sequence[Result], names: Names) -> str:
    """`20,000 sessions of up to 144 rolls`."""
    first = results[0]
    whole = all(result.rolls_per_session == result.rolls for result in results)
    each = ", with each strategy" if len(results) > 1 else ""
    return (
        f"{counted(first.sessions, 'session')} of {'' if whole else 'up to '}{counted(first.rolls, names.throw)}{each}"
    )


# The answer in three sentences


def answer(result: Result, names: Names) -> tuple[str, ...]:
    """The result of one strategy: how much, how often, and whether chance explains the rest."""
    return (_how_much(result, names), _how_often(result, names), _how_sure(result))


def _how_much(result: Result, names: Names) -> str:
    if result.sessions == 1:
        rolls = counted(round(result.rolls_per_session), names.throw)
        return f"The only session ended at {gained(result.net)} after {rolls}."
    did = "won" if result.net > 0 else "lost" if result.net < 0 else "neither won nor lost"
    much = f" {amount(abs(result.net), places_for(result.net_se))}" if result.net else ""
    exact = "" if result.exact_net is None else f"; the exact mean is {exact_mean_of(result)}"
    low, high = (gained(result.quantiles[percent]) for percent in ("5", "95"))
    spread = f"all ended at {low}" if result.best == result.worst else f"90 % ended between {low} and {high}"
    return f"On average a session {did}{much} (standard error {error_of(result)}{exact}), and {spread}."


def _how_often(result: Result, names: Names) -> str:
    deepest = amount(result.drawdown["50"])
    if result.sessions == 1:
        over = " and ".join(names.over_when(reason) for reason in result.ended)
        return f"Its drawdown was {deepest}, and it ended when {over}."
    ahead = of_all(result.won, "No session ended", "Every session ended", "of all sessions ended")
    fall = f"the median drawdown was {deepest}"
    if not result.drawdown["50"]:
        fall = "at least half of all sessions had no drawdown"
    if result.bankroll is None:
        return f"{ahead} ahead; {fall}."
    broke = of_all(result.ruined, "none was", "all were", "were")
    when = f", half of those by {names.throw} {figure(result.rolls_to_ruin['50'])}" if result.rolls_to_ruin else ""
    return f"{ahead} ahead and {broke} ruined{when}; {fall}."


def _how_sure(result: Result) -> str:
    if result.edge is None:
        return "Nothing was staked."
    session = "It" if result.sessions == 1 else "A session"
    staked = f"{session} staked {amount(result.staked)}, at a realised house edge of {house_edge(result.edge)}"
    distance = apart(result)
    if distance is None or result.exact_edge is None:
        return f"{staked}."
    away = f"{abs(distance):.1f} standard errors away"
    return f"{staked}; the exact house edge is {house_edge(result.exact_edge)}, {away} and {_verdict(abs(distance))}."


def _verdict(distance: float) -> str:
    if distance > FAR:
        return "more than chance would explain"
    return "well within chance" if distance <= NEAR else "still within chance"


def comparison(strategies: Sequence[Played], names: Names) -> tuple[str, ...]:
    """The result of several strategies on the same dice."""
    by_mean = sorted(strategies, key=lambda one: -one.result.net)
    return _best_and_worst(by_mean[0], by_mean[-1]), _most_often(strategies), _told_apart(strategies, names)


def _best_and_worst(best: Played, worst: Played) -> str:
    one_each = best.result.sessions == 1
    if best.result.net == worst.result.net:
        return f"All of them ended at {_mean(best)}{'' if one_each else ' on average'}."
    begin, each = ("", "") if one_each else ("On average ", " a session")
    return f"{begin}{best.named} did best, with {_mean(best)}{each}, and {worst.named} worst, with {_mean(worst)}."


def _most_often(strategies: Sequence[Played]) -> str:
    """Which strategies were most often ahead and ruined; after one session each, which were at all."""
    with_bankroll = [one for one in strategies if one.result.bankroll is not None]
    if strategies[0].result.sessions == 1:
        ruined = _listed(one for one in with_bankroll if one.result.ruined)
        broke = f"; {ruined or 'no strategy'} was ruined" if with_bankroll else ""
        return f"{_listed(one for one in strategies if one.result.won) or 'No strategy'} ended ahead{broke}."
    by_won = max(strategies, key=lambda one: one.result.won)
    said = f"{by_won.named} was most often ahead at the end, in {share(by_won.result.won)} of all sessions"
    if with_bankroll:
        by_ruin = max(with_bankroll, key=lambda one: one.result.ruined)
        broke = f"{by_ruin.named} was most often ruined, in {share(by_ruin.result.ruined)} of them"
        said += f"; {broke if by_ruin.result.ruined else 'none of them was ever ruined'}"
    return f"{said}."


def _listed(strategies: Iterable[Played]) -> str:
    return ", ".join(one.named for one in strategies)


def _mean(one: Played) -> str:
    error = "" if one.result.sessions == 1 else f" ± {error_of(one.result)}"
    return f"{mean_of(one.result)}{error}"


def _told_apart(strategies: Sequence[Played], names: Names) -> str:
    if strategies[0].result.sessions == 1:
        return "One session each says nothing about which of them is better."
    rivals = {one.named: one.difference for one in strategies if one.difference is not None}
    if not rivals:
        return "Differences session by session were not counted."
    first, begin = strategies[0].named, f"Session by session on the same {names.thrown},"
    if all(difference.mean == difference.mean_se == 0 for difference in rivals.values()):
        return f"{begin} all of them came out the same."
    unclear = [name for name, difference in rivals.items() if abs(difference.mean) <= NEAR * difference.mean_se]
    if not unclear:
        others = next(iter(rivals)) if len(rivals) == 1 else "each of the others"
        return f"{begin} {others} differs from {first} by more than chance explains."
    return (
        f"{begin} {', '.join(unclear)} cannot be distinguished from {first} with so few sessions: the difference is "
        "within two standard errors."
    )


# How to repeat it


def command_for(results: Sequence[Result]) -> str:
    """The command line that reproduces results, with default table settings.

    A bankroll or unit common to all is included: the outcome is the same if it came from the strategies.
    """
    first = results[0]
    words = ["croupier", "simulate", first.book]
    words += [word for result in results for word in ("--strategy", result.strategy)]
    words += ["--sessions", str(first.sessions), "--rolls", str(first.rolls), "--seed", str(first.seed)]
    bankrolls, units = {result.bankroll for result in results}, {result.unit for result in results}
    if len(bankrolls) == 1 and first.bankroll is not None:
        words += ["--bankroll", f"{first.bankroll:.2f}"]
    if len(units) == 1:
        words += ["--unit", f"{first.unit:.2f}"]
    if first.pay_table is not None:
        words += ["--pay-table", first.pay_table]
    return shlex.join([*words, "--pace", f"{first.pace:.10g}"])


def spot_name(wager: WagerFigures) -> str:
    """The spot as written in a strategy."""
    return Spot(wager.wager, wager.pick).name
