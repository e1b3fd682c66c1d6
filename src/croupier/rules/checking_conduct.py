"""Check the conduct of a book: roles exist, phrases use the fields they are given, needs test something."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from itertools import product

from croupier.rules.book import Book
from croupier.rules.conduct import Act, Conduct, Need, fields_of, filled
from croupier.rules.errors import RuleBookError
from croupier.rules.facts import SET_BY_THE_ENGINE

_ID = re.compile(r"[a-z][a-z0-9_]*")
_ALWAYS_SAID = {"who", "by", "at"}

# Commands of every table. An act must not share a name with one of them.
COMMANDS = {"open", "seat", "chips", "leave", "bet", "take", "call", "find", "no_more_bets", "roll", "spin", "void"}
COMMANDS |= {"adopt", "exposure", "cases"}


def check_conduct(book: Book) -> None:
    """Raise RuleBookError for the first mistake in the conduct."""
    conduct = book.conduct
    for where, reason in _mistakes(conduct):
        raise RuleBookError(book.file, f"conduct, {where}", reason)
    for where, grounds in (("mandatory", conduct.mandatory), ("early_grounds", conduct.early_grounds)):
        for ground in grounds:
            if ground not in book.rules.void.grounds:
                raise RuleBookError(book.file, f"conduct, {where}", f"{ground} is no ground for a void throw")


def _mistakes(conduct: Conduct) -> Iterator[tuple[str, str]]:
    yield from _twice("roles", [role.id for role in conduct.roles])
    yield from _twice("powers", [power.id for power in conduct.powers])
    yield from _twice("acts", [act.id for act in conduct.acts])
    for role in conduct.roles:
        yield from _unknown(f"role {role.id}", role.also, conduct)
    for power in conduct.powers:
        yield from _unknown(f"power {power.id}", [*power.by, *power.refusals], conduct)
        yield from _needs(f"power {power.id}", power.needs)
    for act in conduct.acts:
        yield from _unknown(f"act {act.id}", act.by, conduct)
        yield from _act(f"act {act.id}", act)
    for bar in conduct.bars:
        for name in {*bar.powers} - {power.id for power in conduct.powers} | {*bar.acts} - {*conduct.by_id}:
            yield f"bar {bar.id}", f'stands against "{name}", which the book does not have'
    yield from _twice("duties", [duty.id for duty in conduct.duties])
    for duty in conduct.duties:
        if duty.id not in conduct.by_id:
            yield f"duty {duty.id}", "is the duty to do something that the book has no act for"
    for kind in conduct.cases:
        for act_id in (act_id for step in kind.next for act_id in step.acts if act_id not in conduct.by_id):
            yield f"case {kind.id}", f'goes on with "{act_id}", for which the book has no act'
    for name in unknown_facts(facts_asked(conduct), [*facts_set(conduct), *SET_BY_THE_ENGINE]):
        yield "needs, lapses, duties and cases", f'ask for "{name}", which nothing sets'


def _twice(where: str, ids: list[str]) -> Iterator[tuple[str, str]]:
    for name in ids:
        if ids.count(name) > 1:
            yield where, f'"{name}" is written twice'


def _unknown(where: str, roles: Iterable[str], conduct: Conduct) -> Iterator[tuple[str, str]]:
    for role in roles:
        if role not in conduct.role_ids:
            yield where, f'speaks of a role "{role}" that the book does not have'


def _act(where: str, act: Act) -> Iterator[tuple[str, str]]:
    if not _ID.fullmatch(act.id) or act.id in COMMANDS:
        yield where, f'"{act.id}" is no name for an act: small letters and _, and no command of every table'
    if not act.says or len({frozenset(form) for form in act.forms}) < len(act.forms):
        yield where, "is put in no words, or twice with the same fields"
    said = {field for form in act.forms for field in form}
    texts = [*act.sets, *act.adds, *act.clears, *map(str, act.sets.values()), *map(str, act.adds.values())]
    for field in {field for text in texts for field in fields_of(text)} - said - _ALWAYS_SAID:
        yield where, f"speaks of {{{field}}}, which is not said with it"
    if ("reason" in said) != bool(act.grounds):
        yield where, "a {reason} needs grounds, and grounds a {reason}"
    for field in set(act.choices) - said:
        yield where, f"has choices for {{{field}}}, which is not said with it"
    yield from _needs(where, act.needs)


def _needs(where: str, needs: list[Need]) -> Iterator[tuple[str, str]]:
    yield from _twice(f"{where}, needs", [need.id for need in needs])
    for need in needs:
        asks = [need.is_, need.not_, need.least is not None, need.most is not None, need.minutes is not None]
        about_fact = any(asks) or need.reached
        if (need.fact is None) == (need.check is None) or (need.fact is not None) != about_fact:
            yield f"{where}, need {need.id}", "asks about a fact, or names a check: one of them, and all of it"


# -- facts -------------------------------------------------------------------------------------------------------------


def facts_asked(conduct: Conduct) -> set[str]:
    """Return the facts that needs, lapses, duties and cases test, with `*` in place of words in braces."""
    needs = [need for each in (*(p.needs for p in conduct.powers), *(a.needs for a in conduct.acts)) for need in each]
    asked = [*(need.fact for need in needs), *(lapse.fact for lapse in conduct.lapses)]
    due = [name for duty in conduct.duties for name in (duty.fact, duty.since, *duty.done)]
    fitted = [f"fitted {lapse.fitted}" for lapse in conduct.lapses if lapse.fitted is not None]
    cases = [name for kind in conduct.cases for name in (kind.fact, kind.who, kind.about, kind.since, kind.due)]
    steps = [step.fact for kind in conduct.cases for step in kind.next]
    return {_starred(name) for name in (*asked, *fitted, *due, *cases, *steps) if name}


def facts_set(conduct: Conduct) -> set[str]:
    """Return the facts set at the start or by acts. A word with a fixed list of choices is expanded to each of them."""
    acts = [(act, key) for act in conduct.acts for key in (*act.sets, *act.adds)]
    return {*conduct.facts, *(name for act, key in acts for name in _put(act, key))}


def _put(act: Act, key: str) -> Iterator[str]:
    fields = fields_of(key)
    if any(field not in act.choices for field in fields):
        yield _starred(key)
        return
    for words in product(*(act.choices[field] for field in fields)):
        yield filled(key, dict(zip(fields, words, strict=True)))


def _starred(name: str) -> str:
    return filled(name, dict.fromkeys(fields_of(name), "*"))


def unknown_facts(names: Iterable[str], known: Iterable[str]) -> list[str]:
    """Return the names that match no known name, literally or as a `*` pattern."""
    among = list(known)
    return sorted({name for name in names if not any(_same(name, other) or _same(other, name) for other in among)})


def _same(name: str, pattern: str) -> bool:
    whole = "*" not in name or pattern.endswith("**")  # two patterns match only if they are equal
    return name == pattern or (whole and fnmatchcase(name, pattern))
