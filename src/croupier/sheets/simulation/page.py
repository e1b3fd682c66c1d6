"""The report of a simulation: one page with its figures and pictures, the same bytes for the same results.

What was played and what came of it in three sentences, then pictures, tables and how to repeat it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from croupier.rules.book import Book
from croupier.sheets import par_html
from croupier.sheets.document import Document, Facts, Group, Part, Section, Tables, Words
from croupier.sheets.simulation.pictures import one_by_one, pictures, wager_pictures
from croupier.sheets.simulation.tables import (
    comparison_table,
    quantile_tables,
    refusal_tables,
    rule_table,
    session_table,
    wager_table,
)
from croupier.sheets.simulation.words import (
    MILLIONS,
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
    share,
)
from croupier.sim.results import Result

KIND = "Simulation"
STYLE = Path(__file__).with_name("page.css")
END_OF_STYLE = "</style>"

# Neither HTML nor the XML of a drawing can hold these, but the name of a strategy can.
UNWRITABLE = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF), "\ufffd")

CLOSING = (
    "A simulation shows what may happen, not what will: every wager is settled by the rules of the book, the dice are "
    "fair, and no strategy changes what the house keeps of a stake."
)


def html_of(
    results: Sequence[Result],
    differences: Sequence[Paired],
    version: str,
    complete: bool,
    abouts: Mapping[str, str] | None = None,
    book: Book | None = None,
    command: str | None = None,
    dice: str | None = None,
) -> str:
    """The whole page. `differences` are those of the second and later strategies from the first, on the same dice.

    `abouts` says by the name of a strategy what it is about. With the book at hand, wagers have their names and clauses
    what they say. `command` is what was typed; without it the table is taken to be as it is unless asked otherwise.
    `dice` names the record whose throws were played instead of those of a seed.
    """
    thrown = ("Seed", str(results[0].seed)) if dice is None else ("Dice", dice)
    names = Names(book, results[0].book)
    strategies = played(results, differences)
    document = Document(
        kind=KIND,
        title=_title(strategies),
        identity=_identity(strategies, names, abouts or {}, complete, version, thrown),
        sections=tuple(_sections(strategies, names, command or command_for(results), version)),
        closing=CLOSING,
        foot=f"{results[0].book} · {thrown[0].lower()} {thrown[1]} · croupier {version}",
    )
    style = STYLE.read_text(encoding="utf-8")
    return par_html.html_of(document).replace(END_OF_STYLE, f"{style}{END_OF_STYLE}", 1).translate(UNWRITABLE)


def _title(strategies: Sequence[Played]) -> str:
    names = [one.name for one in strategies]
    return " and ".join(names) if len(names) < 3 else f"{len(names)} strategies on the same dice"


# -- what was played --------------------------------------------------------------------------------------------------


def _identity(
    strategies: Sequence[Played],
    names: Names,
    abouts: Mapping[str, str],
    complete: bool,
    version: str,
    thrown: tuple[str, str],
) -> Facts:
    first = strategies[0].result
    sessions = played_for([one.result for one in strategies], names)
    done = f"{sessions}; {counted(sum(one.result.rolls_done for one in strategies), names.throw)} in all"
    stopped = f"It was interrupted: these are the first {counted(first.sessions, 'session')} of those asked for."
    facts: list[tuple[str, tuple[str, ...]]] = [
        ("Interrupted", () if complete else (stopped,)),
        ("Book", (names.title if names.title == first.book else f"{names.title} ({first.book})",)),
        *_strategies(strategies, abouts),
        ("Chips", _chips(strategies)),
        ("Pay table", () if first.pay_table is None else (first.pay_table,)),
        ("Played", (done,)),
        (thrown[0], (thrown[1],)),
        ("Software", (f"croupier {version}; {_engine_room(strategies, names)}",)),
    ]
    return Facts(tuple((label, said) for label, said in facts if said))


def _strategies(strategies: Sequence[Played], abouts: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for one in strategies:
        about = " ".join(abouts.get(one.result.name, "").split())
        asked = one.result.strategy
        named = one.name if asked == one.result.name else f"{one.name} ({asked})"
        yield f"Strategy {one.key}".rstrip(), tuple(text for text in (named, about) if text)


def _chips(strategies: Sequence[Played]) -> tuple[str, ...]:
    """Once where all have the same, else for those that have."""
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


def _engine_room(strategies: Sequence[Played], names: Names) -> str:
    first = strategies[0].result
    kernels = {one.result.kernel for one in strategies}
    speed = f", {first.rolls_per_second:,.0f} {names.throws} a second" if first.rolls_per_second else ""
    return f"kernel {' and '.join(sorted(kernels))}, {first.seconds:.2f} seconds{speed}"


# -- what came of it --------------------------------------------------------------------------------------------------


def _sections(strategies: Sequence[Played], names: Names, command: str, version: str) -> Iterator[Section]:
    alone = strategies[0].result
    if len(strategies) == 1:
        yield Section("The answer", (Words(answer(alone, names)), _tiles(alone, names)))
    else:
        yield Section("The answer", (Words(comparison(strategies)), comparison_table(strategies)))
    yield Section("How it went", pictures(strategies, names))
    if len(strategies) > 1:
        yield Section("One by one", one_by_one(strategies, names))
    more = Facts(tuple(_figures(alone, names))) if len(strategies) == 1 else session_table(strategies, names)
    yield Section("In figures", (*quantile_tables(strategies, names), more))
    if any(one.result.wagers for one in strategies):
        yield Section("Wagers", tuple(_wagers(strategies, names)))
    if any(one.result.rules for one in strategies):
        yield Section("Rules", tuple(_rules(strategies, names)))
    yield Section("How to repeat this", (_repeat(command, version),))


def _tiles(result: Result, names: Names) -> Facts:
    """The figures that people ask for first."""
    error = f"± {error_of(result)}" if result.sessions > 1 else "one session"
    tiles: list[tuple[str, tuple[str, ...]]] = [
        ("Mean of a session", (mean_of(result) if abs(result.net) < MILLIONS else large(result.net), error)),
        ("Median", (large(result.quantiles["50"]), f"from {gained(result.worst)} to {gained(result.best)}")),
        ("Ended ahead", (share(result.won), f"level {share(result.even)}")),
        ("Ruined", () if result.bankroll is None else (share(result.ruined), f"of {amount(result.bankroll)}")),
        ("Per hour", (large(result.net_per_hour), f"at {figure(result.pace)} {names.throws} an hour")),
        ("Edge", () if result.edge is None else (edge(result.edge), _beside(result))),
    ]
    return Facts(tuple((label, said) for label, said in tiles if said))


def _beside(result: Result) -> str:
    return "of each dollar staked" if result.exact_edge is None else f"exact {edge(result.exact_edge)}"


def _figures(result: Result, names: Names) -> Iterator[tuple[str, tuple[str, ...]]]:
    lost = 1 - result.won - result.even
    yield "Came out", (f"ahead {share(result.won)}, level {share(result.even)}, behind {share(lost)}",)
    yield "Ended", tuple(f"{names.ending(reason)}: {share(part)}" for reason, part in result.ended.items())
    yield "Extremes", (f"from {gained(result.worst)} to {gained(result.best)}",)
    yield "Staked", (f"{amount(result.staked)} a session",)
    yield (
        "By the hour",
        (
            f"{gained(result.net_per_hour)} an hour at {figure(result.pace)} {names.throws} an hour; a session of "
            f"{figure(result.rolls_per_session)} {names.throws} takes {figure(result.hours_per_session, 2)} hours",
        ),
    )
    if result.rounding:
        yield "Rounding", (f"Winnings rounded up to whole chips brought {edge(result.rounding)} of what was staked.",)
    yield "Resolution", (f"Results are told apart to {amount(result.resolution)}.",)


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


def _rules(strategies: Sequence[Played], names: Names) -> Iterator[Part]:
    yield Words((
        "Rules are carried out from top to bottom between two throws. What the table refused did not happen; it is "
        "counted here by its clause.",
    ))  # fmt: skip
    for one in strategies:
        if one.result.rules:
            yield from _rules_of(one, names)


def _rules_of(one: Played, names: Names) -> Iterator[Part]:
    tables = (rule_table(one.result, names), *refusal_tables(one.result, names))
    if one.key:
        yield Group(one.label, one.result.strategy, tables)
        return
    yield Tables(tables, 2)
    if len(tables) == 1:
        yield Words(("The table refused nothing.",))


def _repeat(command: str, version: str) -> Facts:
    said = (
        f"With croupier {version} the same seed or the same throws give the same figures on any machine and any number "
        "of cores; only the seconds differ."
    )
    return Facts((("Command", (command,)), ("What to expect", (said,))))
