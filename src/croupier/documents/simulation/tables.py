"""The figures of a simulation in tables: quantiles, wagers, rules and refusals; several strategies side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from croupier.documents.document import Cell, Column, Table
from croupier.documents.simulation.words import (
    Names,
    Played,
    amount,
    apart,
    edge,
    error_of,
    exact_mean_of,
    figure,
    gained,
    mean_of,
    places_for,
    share,
    spot_name,
)
from croupier.simulation.results import QUANTILES, Result, RuleFigures, WagerFigures

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


# Results


def quantile_tables(strategies: Sequence[Played], names: Names) -> tuple[Table, ...]:
    """Final result, drawdown and time to ruin: one table for one strategy, one table each for several."""
    late = f"{names.throws.capitalize()} until ruined"
    rows: dict[str, list[tuple[Cell, ...]]] = {"Final result": [], "Deepest fall": [], late: []}
    for one in strategies:
        result = one.result
        final, falls = (tuple(map(Cell, map(shown, some.values()))) for shown, some in
                        ((gained, result.quantiles), (amount, result.drawdown)))  # fmt: skip
        rows["Final result"].append((Cell(one.label), *final, _mean(result), _deviation(result)))
        rows["Deepest fall"].append((Cell(one.label), *falls, Cell(amount(result.drawdown_mean)), NOTHING))
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
        "Ruined", "Fall", "Staked", "Edge", "Exact edge", "Per hour",
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
    return Cell(edge(value), f"± {share(error, 3)}" if error else "")


# Wagers


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
        Cell(edge(of.rounding)) if of.rounding else NOTHING,
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


# Rules


def rule_table(one: Played, names: Names) -> Table:
    """Each rule of the strategy: how often it was applied, and how often the table refused it."""
    heads = _columns("Rule", "Carried out", A_SESSION, "Refused", "of all tries")
    rules, deeds = one.result.rules, one.about.deeds
    told = deeds if len(deeds) == len(rules) else ("",) * len(rules)
    rows = (_rule(rule, deed, one.result.sessions, names) for rule, deed in zip(rules, told, strict=True))
    return _kept(heads, rows, "What each rule did")


def _rule(rule: RuleFigures, deed: str, sessions: int, names: Names) -> tuple[Cell, ...]:
    refused = sum(each.count for each in rule.refused)
    does = f"{deed[:1].upper()}{deed[1:]}: " if deed else ""
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
