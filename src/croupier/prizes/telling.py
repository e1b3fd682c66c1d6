"""Terms in plain values, as lines take them: amounts are text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.money import format_cents
from croupier.prizes.values import Prize, Terms, Value
from croupier.rules.prizes import Prizes


def tell_terms(rules: Prizes, terms: Terms) -> dict[str, Any]:
    """All that terms say; read as a line they are the same terms again."""
    earning = terms.earning
    return {
        "said": _said(rules, terms.said),
        "prizes": [_prize(rules, prize) for prize in terms.prizes],
        "earning": None
        if earning is None
        else {"amount": format_cents(earning.cents), "tables": [*earning.tables], "wagers": [*earning.wagers]},
        "one_prize_each": terms.one_prize_each,
    }


def _prize(rules: Prizes, prize: Prize) -> dict[str, Any]:
    return {
        "id": prize.id,
        "kind": prize.kind,
        "said": _said(rules, prize.said),
        "count": prize.count,
        "contains": [*prize.contains],
        "millilitres": prize.millilitres,
    }


def _said(rules: Prizes, said: Mapping[str, Value]) -> dict[str, Value]:
    """What is no term of the book, or no amount, is told as it was said."""
    return {name: _value(rules, name, value) for name, value in said.items()}


def _value(rules: Prizes, name: str, value: Value) -> Value:
    term = rules.terms_by_id.get(name)
    is_amount = term is not None and term.value == "money" and isinstance(value, int) and not isinstance(value, bool)
    return format_cents(int(value)) if is_amount else value
