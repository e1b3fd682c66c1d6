"""Rows as plain values, for JSON, CSV and Parquet: fractions become text, and text only here."""

from __future__ import annotations

from fractions import Fraction

from croupier.maths.rows import Row
from croupier.money import format_cents
from croupier.rules.machine import Pick

PLAIN_COLUMNS = (
    "book",
    "wager",
    "pick",
    "pay_table",
    "reading",
    "taken",
    "p_win",
    "p_lose",
    "p_void",
    "ev",
    "variance",
    "rolls",
    "house_edge",
    "name",
    "clause",
    "situation",
    "start",
    "taken_ev",
    "cost",
    "edge_decided",
    "edge_outlay",
    "commission",
    "sd",
    "third_moment",
    "skewness",
    "rolls_variance",
    "table_rolls",
    "stake",
    "chip",
)


def as_object(row: Row) -> dict[str, object]:
    """A row as JSON: exact fractions as text, per cents and roots as numbers."""
    made = row.figures
    return {
        "book": row.book,
        "wager": row.wager,
        "pick": row.pick,
        "pay_table": row.pay_table,
        "reading": row.reading,
        "taken": row.taken,
        "p_win": str(made.chance("win")),
        "p_lose": str(made.chance("lose")),
        "p_void": str(made.chance("void")),
        "ev": str(made.ev),
        "variance": str(made.variance),
        "rolls": str(made.rolls),
        "house_edge": float(100 * made.edge),
        "name": row.name,
        "clause": row.clause,
        "situation": row.situation,
        "start": row.start,
        "taken_ev": str(row.taken_ev),
        "cost": str(row.cost),
        "edge_decided": None if made.edge_decided is None else str(made.edge_decided),
        "edge_outlay": str(made.edge_outlay),
        "commission": str(made.commission),
        "sd": made.sd,
        "third_moment": str(made.third_moment),
        "skewness": made.skewness,
        "rolls_variance": str(made.rolls_variance),
        "table_rolls": None if made.table_rolls is None else str(made.table_rolls),
        "stake": None if row.stake is None else format_cents(row.stake),
        "chip": None if row.chip is None else format_cents(row.chip),
        "net": [[str(net), str(chance)] for net, chance in made.net.items()],
        "lengths": [[throws, str(chance)] for throws, chance in made.lengths],
    }


def as_record(row: Row) -> dict[str, object]:
    """A row for a table of columns: a pick is text, and distributions are left out."""
    plain = as_object(row)
    return {**{column: plain[column] for column in PLAIN_COLUMNS}, "pick": _pick_text(row.pick)}


def _pick_text(pick: Pick) -> str | None:
    if isinstance(pick, tuple):
        return " ".join(map(str, pick))
    return None if pick is None else str(pick)


def percent(share: Fraction, places: int = 4) -> str:
    """A share as a per cent with fixed places, rounded half to even in exact arithmetic: `1.4141%`."""
    scaled = round(100 * share * 10**places)
    sign, digits = "-" if scaled < 0 else "", f"{abs(scaled):0{places + 1}d}"
    return f"{sign}{digits[:-places]}.{digits[-places:]}%" if places else f"{sign}{digits}%"
