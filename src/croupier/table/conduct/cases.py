"""Open cases: whose, since when, about what, and what comes next. The kinds of cases are the book's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

import msgspec

from croupier.rules.conduct import CaseKind, Conduct, NextStep, fields_of, filled
from croupier.rules.facts import Fact

Facts = Mapping[str, Fact]


class OpenCase(msgspec.Struct, frozen=True, gc=False):
    """A case that waits for something. `stands` is how far it has come, `next` the acts that may follow.

    `who` and `since` are None where nobody has said; `due` is the money that is still to be paid, in cents.
    """

    kind: str
    case: str
    who: str | None
    about: str
    since: str | None
    stands: str
    due: int
    next: tuple[str, ...]


def open_cases(conduct: Conduct, facts: Facts) -> list[OpenCase]:
    """All cases that wait for something, in the order in which they came up."""
    return [case for kind in conduct.cases for case in _of_kind(kind, facts)]


def _of_kind(kind: CaseKind, facts: Facts) -> Iterator[OpenCase]:
    pattern = _pattern(kind.fact)
    for name, stands in facts.items():
        match = pattern.fullmatch(name)
        if match is None:
            continue
        case = match["case"]
        acts = [act for step in kind.next if _is_next(step, case, facts) for act in step.acts]
        if acts:
            yield _shown(kind, case, str(stands), tuple(dict.fromkeys(acts)), facts)


def _shown(kind: CaseKind, case: str, stands: str, acts: tuple[str, ...], facts: Facts) -> OpenCase:
    who, about, since, due = (facts.get(_named(word, case)) for word in (kind.who, kind.about, kind.since, kind.due))
    return OpenCase(
        kind=kind.id,
        case=case,
        who=None if who is None else str(who),
        about="" if about is None else str(about),
        since=None if since is None else str(since),
        stands=stands,
        due=due if isinstance(due, int) else 0,
        next=acts,
    )


def _is_next(step: NextStep, case: str, facts: Facts) -> bool:
    value = facts.get(_named(step.fact, case))
    return value is not None and (not step.is_ or not {*step.is_}.isdisjoint(str(value).split(", ")))


def _named(word: str, case: str) -> str:
    return filled(word, {"case": case})


@lru_cache(maxsize=64)
def _pattern(fact: str) -> re.Pattern[str]:
    assert fields_of(fact) == ["case"], f"{fact} names no case"
    return re.compile(re.escape(fact).replace(r"\{case\}", "(?P<case>.+)"), re.DOTALL)
