"""The report of a simulation: one page with its figures and pictures, the same bytes for the same results.

It gives the setup and the result in three sentences, then pictures, tables and how to repeat it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from croupier.documents import rendering
from croupier.documents.document import Cell, Column, Document, Facts, Group, Part, Section, Table, Tables, Words
from croupier.documents.simulation.pictures import one_by_one, pictures, wager_pictures
from croupier.documents.simulation.sentences import (
    MILLIONS,
    About,
    Names,
    Paired,
    Played,
    amount,
    answer,
    apart,
    command_for,
    comparison,
    counted,
    error_of,
    exact_mean_of,
    figure,
    gained,
    house_edge,
    large,
    mean_of,
    places_for,
    played,
    played_for,
    rate,
    share,
    spot_name,
)
from croupier.documents.wording import plus
from croupier.rules.book import Book
from croupier.simulation.results import QUANTILES, Result, RuleFigures, WagerFigures

KIND = "Simulation"
STYLE = Path(__file__).with_name("report.css")
BEFORE_AN_OPTION = re.compile(r"(?<= )(?=--)")  # where a command may wrap

_FEW = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

# Characters that neither HTML nor SVG can hold, but the name of a strategy can.
UNWRITABLE = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF), "\ufffd")

CLOSING = (
    "A simulation shows what can happen, not what will. Every wager is settled by the rules of the book, the {thrown} "
    "are {fair}, and no strategy changes the house edge of a wager."
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
    stopped = f"The simulation was interrupted: these are the first {counted(first.sessions, 'session')}."
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
        yield Section("Summary", (Words(answer(alone, names)), _tiles(alone, names)))
    else:
        yield Section("Summary", (Words(comparison(strategies, names)), comparison_table(strategies)))
    yield Section("Results", pictures(strategies, names))
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
        ("House edge", () if result.edge is None else (house_edge(result.edge), _beside(result))),
    ]
    return Facts(tuple((label, said) for label, said in tiles if said))


def _tiles_of_one(result: Result) -> list[tuple[str, tuple[str, ...]]]:
    exact = "" if result.exact_net is None else f"exact mean {large(result.exact_net)}"
    return [
        ("Result", tuple(text for text in (large(result.net), exact) if text)),
        ("Maximum drawdown", (amount(result.drawdown["50"]), "below its own peak")),
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
    return "of each dollar staked" if result.exact_edge is None else f"exact {house_edge(result.exact_edge)}"


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
        yield "Maximum drawdown", (f"{amount(result.drawdown['50'])} below its own peak",)
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
        gain = share(result.rounding, 3)
        yield "Rounding", (f"Winnings rounded up to whole chips gave the player {gain} of all stakes.",)
    if result.sessions > 1:
        yield "Steps", (f"Results are counted in steps of {amount(result.resolution)}; percentiles are no finer.",)


def _wagers(strategies: Sequence[Played], names: Names) -> Iterator[Part]:
    yield Words((
        "Unsettled wagers count at face value in the net result. For the realised house edge, wagers that were taken "
        "down or left unsettled count at their value at that time, and gains from rounding are left out, so that it "
        "can be compared with the exact house edge. s.e. is the standard error.",
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
            "Rules are carried out from top to bottom between two throws. What the table refused had no effect; it is "
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


# Tables

NOTHING = Cell("–")
A_SESSION = "a\u00a0session"


def _columns(*names: str, words: int = 1) -> tuple[Column, ...]:
    """Column heads: the first are words, the rest figures."""
    return tuple(Column(name, "left" if i < words else "right") for i, name in enumerate(names))


def _kept(columns: Sequence[Column], rows: Iterable[tuple[Cell, ...]], caption: str = "") -> Table:
    """A table without its empty columns."""
    filled = tuple(rows)
    keep = [i for i, column in enumerate(columns) if column.align == "left" or {row[i] for row in filled} - {NOTHING}]
    return Table(tuple(columns[i] for i in keep), tuple(tuple(row[i] for i in keep) for row in filled), caption)


def quantile_tables(strategies: Sequence[Played], names: Names) -> tuple[Table, ...]:
    """Final result, drawdown and time to ruin: one table for one strategy, one table each for several."""
    late = f"{names.throws.capitalize()} until ruined"
    rows: dict[str, list[tuple[Cell, ...]]] = {"Final result": [], "Maximum drawdown": [], late: []}
    for one in strategies:
        result = one.result
        final, falls = (tuple(map(Cell, map(shown, some.values()))) for shown, some in
                        ((gained, result.quantiles), (amount, result.drawdown)))  # fmt: skip
        rows["Final result"].append((Cell(one.label), *final, _mean(result), _deviation(result)))
        rows["Maximum drawdown"].append((Cell(one.label), *falls, Cell(amount(result.drawdown_mean)), NOTHING))
        if result.rolls_to_ruin is not None:
            times = (Cell(figure(value, 0)) for value in result.rolls_to_ruin.values())
            of_all = f"of the {share(result.ruined)} ruined"
            rows[late].append((Cell(one.label, of_all), *times, NOTHING, NOTHING))
    figures = (*(f"{percent} %" for percent in QUANTILES), "Mean", "Std dev.")
    if len(strategies) > 1:
        heads = _columns("Strategy", *figures)
        return tuple(_kept(heads, some, f"{caption}, percentiles") for caption, some in rows.items() if some)
    named = [(Cell(caption, line[0].small), *line[1:]) for caption, some in rows.items() for line in some]
    return (_kept(_columns("Percentile", *figures), named),)


def _mean(result: Result) -> Cell:
    error = "" if result.sessions == 1 else f"± {error_of(result)}"
    return Cell(mean_of(result), _exact(result) or error)


def _deviation(result: Result) -> Cell:
    exact = "" if result.exact_net_sd is None else f"exact {amount(result.exact_net_sd)}"
    return Cell(_error(result.net_sd, result).text, exact)


def _error(value: float, result: Result, places: int = 2) -> Cell:
    """An error; empty for one session, which gives no estimate of spread."""
    return NOTHING if result.sessions == 1 else Cell(amount(value, places))


def _exact(result: Result) -> str:
    return f"exact {exact_mean_of(result)}" if result.exact_net is not None else ""


def comparison_table(strategies: Sequence[Played]) -> Table:
    """One line per strategy, with its difference from the first on the same dice."""
    net = "Mean" if strategies[0].result.sessions > 1 else "Result"
    heads = (
        "Strategy", net, "± s.e.", "Against the first", "± s.e.", "Std dev.", "5 %", "Median", "95 %", "Ahead",
        "Ruined", "Drawdown", "Staked", "House edge", "Exact edge", "Per hour",
    )  # fmt: skip
    return _kept(_columns(*heads), (_compared(one) for one in strategies))


def _compared(one: Played) -> tuple[Cell, ...]:
    """One line of the comparison; for a single session, columns about many are empty."""
    result, many = one.result, one.result.sessions > 1
    return (
        Cell(one.label, result.strategy if result.strategy != result.name else ""),
        Cell(mean_of(result), _exact(result)),
        _error(result.net_se, result, places_for(result.net_se)),
        *_difference(one),
        _error(result.net_sd, result),
        *(Cell(gained(result.quantiles[percent])) if many else NOTHING for percent in ("5", "50", "95")),
        Cell(share(result.won)) if many else NOTHING,
        Cell(share(result.ruined)) if many and result.bankroll is not None else NOTHING,
        Cell(amount(result.drawdown["50"]), "median" if many else ""),
        Cell(amount(result.staked)),
        _edge(result.edge, result.edge_se),
        _edge(result.exact_edge),
        Cell(gained(result.net_per_hour)),
    )


def _difference(one: Played) -> tuple[Cell, Cell]:
    if one.difference is None:
        return NOTHING, NOTHING
    mean, error = one.difference.mean, one.difference.mean_se
    return Cell(gained(mean, places_for(error))), _error(error, one.result, places_for(error))


def session_table(strategies: Sequence[Played], names: Names) -> Table:
    """The length of sessions, why they ended, and their results."""
    if strategies[0].result.sessions == 1:
        heads_of_one = ("Strategy", "Ended", names.throws.capitalize(), "Hours")
        return Table(
            _columns(*heads_of_one, words=2), tuple(_one_session(one, names) for one in strategies), "Sessions"
        )
    reasons = list(dict.fromkeys(reason for one in strategies for reason in one.result.ended))
    heads = ("Strategy", names.throws.capitalize(), "Hours", "Ahead", "Level", "Behind", "Worst", "Best")
    endings = [names.ending(reason).capitalize() for reason in reasons]
    return _kept(_columns(*heads, *endings), (_session(one, reasons) for one in strategies), "Sessions")


def _one_session(one: Played, names: Names) -> tuple[Cell, ...]:
    result = one.result
    over = ", ".join(names.ending(reason) for reason in result.ended)
    return Cell(one.label), Cell(over), Cell(figure(result.rolls_per_session)), Cell(amount(result.hours_per_session))


def _session(one: Played, reasons: Sequence[str]) -> tuple[Cell, ...]:
    result = one.result
    return (
        Cell(one.label),
        Cell(amount(result.rolls_per_session, 1)),
        Cell(amount(result.hours_per_session)),
        *(Cell(share(part)) for part in (result.won, result.even, max(0.0, 1 - result.won - result.even))),
        Cell(gained(result.worst)),
        Cell(gained(result.best)),
        *(Cell(share(result.ended[reason])) if reason in result.ended else NOTHING for reason in reasons),
    )


def _edge(value: float | None, error: float | None = None) -> Cell:
    if value is None:
        return NOTHING
    return Cell(house_edge(value), f"± {share(error, 3)}" if error else "")


def wager_table(result: Result, names: Names) -> Table:
    """The figures of each wager and of all together, with realised and exact edge."""
    heads = (
        "Wager", "Bets", "Won", "Lost", "Returned", "Staked", "Commission", "Net", A_SESSION, "Realised edge",
        "Exact edge", "Apart", "Rounding",
    )  # fmt: skip
    rows = [_wager(wager, names, result.sessions) for wager in result.wagers]
    return _kept(_columns(*heads), [*rows, _all_wagers(result)])


def _wager(wager: WagerFigures, names: Names, sessions: int) -> tuple[Cell, ...]:
    return (
        Cell(names.wager(wager.wager, wager.pick), spot_name(wager)),
        Cell(f"{wager.bets:,}"),
        Cell(f"{wager.won:,}"),
        Cell(f"{wager.lost:,}"),
        Cell(f"{wager.returned:,}") if wager.returned else NOTHING,
        Cell(amount(wager.staked)),
        Cell(amount(wager.commission)) if wager.commission else NOTHING,
        Cell(gained(wager.net)),
        _each_session(wager.net_per_session, sessions),
        *_edges(wager),
    )


def _each_session(net: float, sessions: int) -> Cell:
    """The net per session; empty for one session, where it would repeat the net."""
    return Cell(gained(net)) if sessions > 1 else NOTHING


def _edges(of: WagerFigures | Result) -> tuple[Cell, ...]:
    distance = apart(of)
    return (
        _edge(of.edge, of.edge_se),
        _edge(of.exact_edge),
        NOTHING if distance is None else Cell(f"{abs(distance):.1f} s.e."),
        Cell(plus(share(of.rounding, 3))) if of.rounding else NOTHING,
    )


def _all_wagers(result: Result) -> tuple[Cell, ...]:
    bets, won, lost, returned = (
        sum(getattr(w, name) for w in result.wagers) for name in ("bets", "won", "lost", "returned")
    )
    staked, commission, net = (sum(getattr(w, name) for w in result.wagers) for name in ("staked", "commission", "net"))
    return (
        Cell("All wagers"),
        Cell(f"{bets:,}"),
        Cell(f"{won:,}"),
        Cell(f"{lost:,}"),
        Cell(f"{returned:,}") if returned else NOTHING,
        Cell(amount(staked)),
        Cell(amount(commission)) if commission else NOTHING,
        Cell(gained(net)),
        _each_session(result.net, result.sessions),
        *_edges(result),
    )


def rule_table(one: Played, names: Names) -> Table:
    """Each rule of the strategy: how often it was applied, and how often the table refused it."""
    heads = _columns("Rule", "Carried out", A_SESSION, "Refused", "of all tries")
    rules, deeds = one.result.rules, one.about.deeds
    told = deeds if len(deeds) == len(rules) else ("",) * len(rules)
    rows = (_rule(rule, action, one.result.sessions, names) for rule, action in zip(rules, told, strict=True))
    return _kept(heads, rows, "What each rule did")


def _rule(rule: RuleFigures, action: str, sessions: int, names: Names) -> tuple[Cell, ...]:
    refused = sum(each.count for each in rule.refused)
    does = f"{action[:1].upper()}{action[1:]}: " if action else ""
    return (
        Cell(f"{rule.rule}. {does}{names.spot(rule.spot)}", rule.spot),
        Cell(f"{rule.made:,}") if rule.made else Cell("never"),
        Cell(amount(rule.made / sessions)) if sessions > 1 else NOTHING,
        Cell(f"{refused:,}") if refused else NOTHING,
        Cell(share(refused / (refused + rule.made))) if refused else NOTHING,
    )


def refusal_tables(result: Result, names: Names) -> tuple[Table, ...]:
    """The table's refusals by clause, most frequent first; no table if there are none."""
    together: dict[tuple[str, str], dict[str, int]] = {}
    for rule in result.rules:
        for each in rule.refused:
            tried = together.setdefault((each.clause or "", each.code), {})
            by = f"rule {rule.rule}, {names.spot(rule.spot)}"
            tried[by] = tried.get(by, 0) + each.count
    rows = [
        (
            Cell(clause or "none", names.clause(clause)),
            Cell(code.replace("_", " ")),
            Cell("; ".join(f"{by}: {times:,}" for by, times in tried.items())),
            Cell(f"{sum(tried.values()):,}"),
            Cell(amount(sum(tried.values()) / result.sessions)) if result.sessions > 1 else NOTHING,
        )
        for (clause, code), tried in sorted(together.items(), key=lambda item: -sum(item[1].values()))
    ]
    heads = _columns("Clause", "Because", "Tried by", "Times", A_SESSION, words=3)
    return (_kept(heads, rows, "What the table refused"),) if rows else ()
