"""The report of a simulation: one page with its figures and pictures, the same bytes for the same results.

It gives the setup and the result in three sentences, then pictures, tables and how to repeat it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from croupier.documents import rendering
from croupier.documents.document import Document, Facts, Group, Part, Section, Table, Tables, Words
from croupier.documents.simulation.pictures import one_by_one, pictures, wager_pictures
from croupier.documents.simulation.tables import (
    comparison_table,
    quantile_tables,
    refusal_tables,
    rule_table,
    session_table,
    wager_table,
)
from croupier.documents.simulation.words import (
    MILLIONS,
    About,
    Names,
    Paired,
    Played,
    amount,
    answer,
    command_for,
    comparison,
    counted,
    edge,
    error_of,
    figure,
    gained,
    large,
    mean_of,
    played,
    played_for,
    rate,
    share,
)
from croupier.rules.book import Book
from croupier.simulation.results import Result

KIND = "Simulation"
STYLE = Path(__file__).with_name("page.css")
BEFORE_AN_OPTION = re.compile(r"(?<= )(?=--)")  # where a command may wrap

_FEW = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

# Characters that neither HTML nor SVG can hold, but the name of a strategy can.
UNWRITABLE = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF), "\ufffd")

CLOSING = (
    "A simulation shows what may happen, not what will: every wager is settled by the rules of the book, the {thrown} "
    "are {fair}, and no strategy changes what the house keeps of a stake."
)


def html_of(
    results: Sequence[Result],
    differences: Sequence[Paired],
    version: str,
    complete: bool,
    abouts: Sequence[About] = (),
    book: Book | None = None,
    command: str | None = None,
    dice: str | None = None,
) -> str:
    """Build the page. `differences` compare the second and later strategies with the first, on the same dice.

    `abouts` are in the order of the results. With the book, wagers show their names and clauses their text. `command`
    is what was typed; without it default table settings are assumed. `dice` names the record whose throws were played
    instead of those of a seed.
    """
    names = Names(book, results[0].book)
    thrown = ("Seed", str(results[0].seed)) if dice is None else (names.thrown.capitalize(), dice)
    strategies = played(results, differences, abouts)
    document = Document(
        kind=KIND,
        title=_title(strategies, names),
        identity=_identity(strategies, names, complete, version, thrown),
        sections=tuple(_sections(strategies, names, command or command_for(results), version)),
        closing=CLOSING.format(thrown=names.thrown, fair="fair" if dice is None else "those of the record"),
        foot=f"{results[0].book} · {thrown[0].lower()} {thrown[1]} · croupier {version}",
    )
    return rendering.html_of(document, STYLE.read_text(encoding="utf-8")).translate(UNWRITABLE)


def _title(strategies: Sequence[Played], names: Names) -> str:
    many = len(strategies)
    if many < 3:
        return " and ".join(one.name for one in strategies)
    return f"{_FEW[many].capitalize() if many < len(_FEW) else many} strategies on the same {names.thrown}"


# Setup


def _identity(
    strategies: Sequence[Played], names: Names, complete: bool, version: str, thrown: tuple[str, str]
) -> Facts:
    first = strategies[0].result
    rolls = sum(one.result.rolls_done for one in strategies)
    sessions = played_for([one.result for one in strategies], names)
    done = sessions if first.sessions * len(strategies) == 1 else f"{sessions}; {counted(rolls, names.throw)} in all"
    stopped = f"It was interrupted: these are the first {counted(first.sessions, 'session')} of those asked for."
    facts: list[tuple[str, tuple[str, ...]]] = [
        ("Interrupted", () if complete else (stopped,)),
        ("Book", (names.title if names.title == first.book else f"{names.title} ({first.book})",)),
        *((f"Strategy {one.key}".rstrip(), (_asked(one),)) for one in strategies),
        ("Chips", _chips(strategies)),
        ("Pay table", () if first.pay_table is None else (first.pay_table,)),
        ("Played", (done,)),
        (thrown[0], (thrown[1],)),
        ("Software", (f"croupier {version}; {_engine_room(strategies, names, rolls)}",)),
    ]
    return Facts(tuple((label, said) for label, said in facts if said))


def _asked(one: Played) -> str:
    """A strategy by its name and by what was requested: the name of an included one, or a file."""
    return one.name if one.result.strategy == one.result.name else f"{one.name} ({one.result.strategy})"


def _chips(strategies: Sequence[Played]) -> tuple[str, ...]:
    """The bankroll once if all have the same, else per strategy."""
    said: dict[str, list[str]] = {}
    for one in strategies:
        said.setdefault(_bankroll(one.result), []).append(one.key)
    if len(said) == 1:
        return tuple(f"{words.capitalize()}." for words in said)
    return tuple(f"{', '.join(keys)}: {words}." for words, keys in said.items())


def _bankroll(result: Result) -> str:
    chips = (
        "no bankroll, chips never run out" if result.bankroll is None else f"a bankroll of {amount(result.bankroll)}"
    )
    return f"{chips}; units of {amount(result.unit)}"


def _engine_room(strategies: Sequence[Played], names: Names, rolls: int) -> str:
    """The kernels used, and the time taken for all strategies together."""
    seconds = strategies[0].result.seconds
    kernels = " and ".join(sorted({one.result.kernel for one in strategies}))
    return f"{kernels} kernel, {figure(seconds, 2)} seconds{rate(rolls, seconds, names)}"


# Results


def _sections(strategies: Sequence[Played], names: Names, command: str, version: str) -> Iterator[Section]:
    alone = strategies[0].result if len(strategies) == 1 else None
    if alone is not None:
        yield Section("The answer", (Words(answer(alone, names)), _tiles(alone, names)))
    else:
        yield Section("The answer", (Words(comparison(strategies, names)), comparison_table(strategies)))
    yield Section("How it went", pictures(strategies, names))
    many = strategies[0].result.sessions > 1
    if alone is None and many:
        yield Section("One by one", one_by_one(strategies, names))
    more = session_table(strategies, names) if alone is None else Facts(tuple(_figures(alone, names)))
    yield Section("In figures", (*(quantile_tables(strategies, names) if many else ()), more))
    if any(one.result.wagers for one in strategies):
        yield Section("Wagers", tuple(_wagers(strategies, names)))
    if any(one.result.rules or one.about.words for one in strategies):
        title = "The strategies" if alone is None else "The strategy"
        yield Section(title, tuple(_strategies(strategies, names)))
    yield Section("How to repeat this", (_repeat(command, version),))


def _tiles(result: Result, names: Names) -> Facts:
    """The headline figures."""
    own = _tiles_of_one(result) if result.sessions == 1 else _tiles_of_many(result)
    tiles = [
        *own,
        ("Per hour", (large(result.net_per_hour), f"at {figure(result.pace)} {names.throws} an hour")),
        ("Edge", () if result.edge is None else (edge(result.edge), _beside(result))),
    ]
    return Facts(tuple((label, said) for label, said in tiles if said))


def _tiles_of_one(result: Result) -> list[tuple[str, tuple[str, ...]]]:
    exact = "" if result.exact_net is None else f"exact mean {large(result.exact_net)}"
    return [
        ("Result", tuple(text for text in (large(result.net), exact) if text)),
        ("Deepest fall", (amount(result.drawdown["50"]), "below its own best")),
        ("Staked", (amount(result.staked), "in all")),
    ]


def _tiles_of_many(result: Result) -> list[tuple[str, tuple[str, ...]]]:
    mean = mean_of(result) if abs(result.net) < MILLIONS else large(result.net)
    return [
        ("Mean of a session", (mean, f"± {error_of(result)}")),
        ("Median", (large(result.quantiles["50"]), f"from {gained(result.worst)} to {gained(result.best)}")),
        ("Ended ahead", (share(result.won), f"level {share(result.even)}")),
        ("Ruined", () if result.bankroll is None else (share(result.ruined), f"of {amount(result.bankroll)}")),
    ]


def _beside(result: Result) -> str:
    return "of each dollar staked" if result.exact_edge is None else f"exact {edge(result.exact_edge)}"


def _figures(result: Result, names: Names) -> Iterator[tuple[str, tuple[str, ...]]]:
    if result.sessions > 1:
        lost = 1 - result.won - result.even
        yield "Came out", (f"ahead {share(result.won)}, level {share(result.even)}, behind {share(lost)}",)
        yield "Ended", tuple(f"{names.ending(reason)}: {share(part)}" for reason, part in result.ended.items())
        yield "Extremes", (f"from {gained(result.worst)} to {gained(result.best)}",)
        yield "Staked", (f"{amount(result.staked)} a session",)
    else:
        yield "Result", (gained(result.net),)
        yield "Ended", tuple(names.ending(reason) for reason in result.ended)
        yield "Deepest fall", (f"{amount(result.drawdown['50'])} below its own best",)
        yield "Staked", (amount(result.staked),)
    session = "the session" if result.sessions == 1 else "a session"
    hours = figure(result.hours_per_session, 2)
    yield (
        "By the hour",
        (
            f"{gained(result.net_per_hour)} an hour at {figure(result.pace)} {names.throws} an hour; {session} of "
            f"{figure(result.rolls_per_session)} {names.throws} takes {hours} hour{'' if hours == '1' else 's'}",
        ),
    )
    if result.rounding:
        yield "Rounding", (f"Winnings rounded up to whole chips brought {edge(result.rounding)} of what was staked.",)
    if result.sessions > 1:
        yield "Steps", (f"Results are counted in steps of {amount(result.resolution)}; percentiles are no finer.",)


def _wagers(strategies: Sequence[Played], names: Names) -> Iterator[Part]:
    yield Words((
        "What stood at the end counts at its face in the net result. For the realised edge, wagers taken down or left "
        "standing count at what they were worth then, and what rounding gave is left out, so that it can be held "
        "against the exact edge. Both are what each dollar staked brings the player; s.e. is the standard error.",
    ))  # fmt: skip
    for one, drawn in wager_pictures(strategies, names):
        table = wager_table(one.result, names)
        yield drawn
        yield Group(one.label, one.result.strategy, (table,)) if one.key else table


# The strategies


def _strategies(strategies: Sequence[Played], names: Names) -> Iterator[Part]:
    """The description of each strategy, the figures of its rules, and the table's refusals."""
    alone = strategies[0] if len(strategies) == 1 else None
    if alone is not None and alone.about.words:
        yield Words((_in_one(alone.about.words),))
    if any(one.result.rules for one in strategies):
        yield Words((
            "Rules are carried out from top to bottom between two throws. What the table refused did not happen; it is "
            "counted here by its clause.",
        ))  # fmt: skip
    if alone is None:
        yield from (_strategy(one, names) for one in strategies)
    elif alone.result.rules:
        tables = _rules(alone, names)
        yield Tables(tables, 2)
        if len(tables) == 1:
            yield Words(("The table refused nothing.",))


def _strategy(one: Played, names: Names) -> Group:
    about = (Facts((("About", (_in_one(one.about.words),)),)),) if one.about.words else ()
    return Group(one.label, one.result.strategy, (*about, *_rules(one, names)))


def _rules(one: Played, names: Names) -> tuple[Table, ...]:
    return (rule_table(one, names), *refusal_tables(one.result, names)) if one.result.rules else ()


def _in_one(words: str) -> str:
    """Join the lines of a text into one paragraph."""
    return " ".join(words.split())


def _repeat(command: str, version: str) -> Facts:
    said = (
        f"With croupier {version} the same seed or the same throws give the same figures on any machine and any number "
        "of cores; only the seconds differ."
    )
    return Facts((("Command", tuple(BEFORE_AN_OPTION.split(command))), ("What to expect", (said,))))
