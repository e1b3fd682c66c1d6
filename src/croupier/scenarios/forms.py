"""The forms that a line of a scenario may have, for what happens and what is expected."""

from __future__ import annotations

import re

import msgspec

Form = tuple[str, re.Pattern[str]]


class Forms(msgspec.Struct, frozen=True):
    """The lines allowed in one sort of scenario. `statements` are lines that assert something and change nothing."""

    steps: tuple[Form, ...]
    statements: tuple[str, ...]
    expected: tuple[Form, ...]


def compiled(*forms: tuple[str, str]) -> tuple[Form, ...]:
    """Compile forms, in the order in which they are tried."""
    return tuple((kind, re.compile(form)) for kind, form in forms)


_MONEY = r"(?P<money>[0-9]{1,12}\.[0-9]{2})"
_PART = r"[0-9]{1,12}\.[0-9]{2} by [\w ]+"
_TERM = r"(?P<term>[\w ]+?)(?: of (?P<prize>[\w-]+))?"
_AWARD = r"award (?P<award>[0-9]{1,9})"
_WINNER = rf"the winner of {_AWARD}"
_NAMED = r"(?:, named (?P<name>[^,]+))?(?:, living at (?P<address>[^,]+))?"
_CLAIM = r"(?P<claim>[\w-]+)"
_DISPUTE = r"dispute (?P<dispute>[\w-]+)"
_WHY = r"(?: because (?P<reason>.+)| without a reason)"
_LITRES = r"(?P<litres>[0-9]{1,9}\.[0-9]{3}) litres of liquor"

STATEMENTS = (
    *("at", "each", "complete", "leave_term", "leave_prize", "say_term", "add_prize", "add_liquor", "add_things"),
    *("earning", "one_each", "several_each"),
    *("stage", "waits", "goes_on", "duty", "no_duty", "said", "not_said", "award_is", "claim_is"),
)

# Writing the terms: nothing happens until they are drafted, filed or amended.
_WRITING = (
    ("complete", r"complete terms"),
    ("leave_prize", r"prize (?P<prize>[\w-]+) left out"),
    ("leave_term", rf"term {_TERM} left out"),
    ("say_term", rf"term {_TERM} = (?P<value>.+)"),
    ("add_prize", rf"prize (?P<prize>[\w-]+) = (?:(?P<count>[0-9]{{1,9}}) of )?(?P<kind>[\w ]+?) worth {_MONEY}"),
    ("add_liquor", rf"prize (?P<prize>[\w-]+) contains {_LITRES}"),
    (
        "earning",
        rf"an entry for each {_MONEY} staked(?: on (?P<wagers>\w+(?:, \w+)*))?(?: at (?P<tables>[\w-]+(?:, [\w-]+)*))?",
    ),
    ("one_each", r"one prize each"),
    ("several_each", r"several prizes for one entrant"),
    ("add_things", r"prize (?P<prize>[\w-]+) contains (?P<things>[\w ]+(?:, [\w ]+)*)"),
)

_HAPPENING = (
    ("brought", r"brought to (?P<stage>draft|filed|running|entries closed|drawn)"),
    ("draft", r"the terms are drafted"),
    ("file", r"the terms are filed"),
    ("file_without", rf"filed without {_TERM}"),
    ("file_with_liquor", rf"filed with {_LITRES} in (?P<prize>[\w-]+)"),
    ("file_with_things", r"filed with (?P<things>[\w ]+?) in (?P<prize>[\w-]+)"),
    ("file_with", rf"filed with {_TERM} = (?P<value>.+)"),
    ("amend", r"the terms are amended"),
    ("approve", r"the amendment is approved(?: by (?P<reference>.+))?"),
    ("publish", r"patrons get the terms(?: by (?P<means>.+?))?(?P<marketing>, and the marketing refers to them)?"),
    ("start", r"the promotion starts"),
    ("close_entries", r"entries close(?: with (?P<earned>[\w-]+ [0-9]{1,9}(?:, [\w-]+ [0-9]{1,9})*) earned by play)?"),
    ("name_scrutineer", r"(?P<name>[\w ]+) is named scrutineer"),
    ("note_scrutineer", r"the scrutineer is there"),
    ("postpone", rf"the promotion is put off{_WHY}"),
    ("validate", rf"the promotion is validated{_WHY}"),
    ("cancel", rf"the draw is cancelled{_WHY}"),
    ("tell_inspector", r"the inspector is told"),
    ("tell_winner", rf"{_WINNER} is (?P<missed>not )?reached by (?P<way>[\w ]+)"),
    ("offer", rf"{_WINNER} is offered money instead"),
    ("take_money", rf"{_WINNER} takes money instead{_WHY}"),
    ("undo_money", rf"{_WINNER} wants the prize after all{_WHY}"),
    ("choose_forms", rf"{_WINNER} chooses (?P<forms>[\w ]+(?:, [\w ]+)*)"),
    ("pay", rf"{_AWARD} is paid (?P<parts>{_PART}(?:, {_PART})*)"),
    ("hand_over", rf"{_AWARD} is handed over"),
    ("lapse", rf"{_AWARD} lapses{_WHY}"),
    ("deny", rf"claim {_CLAIM}{_NAMED},? is denied{_WHY}"),
    ("tell_reason", rf"the claimant of {_CLAIM} is told why"),
    ("decide_dispute", rf"{_DISPUTE} is decided(?:, (?P<decision>.+?))?(?:; award (?P<restores>\d+) is given back)?"),
    ("dissatisfied", rf"whoever raised {_DISPUTE} is dissatisfied"),
    ("advise", rf"whoever raised {_DISPUTE} is told of the right to complain"),
    ("close", r"the promotion closes(?: because (?P<reason>.+))?"),
    ("claim", rf"(?P<who>[\w-]+) claims {_AWARD} as {_CLAIM}{_NAMED}"),
    ("raise_dispute", rf"(?P<who>[\w-]+) raises {_DISPUTE}(?: about (?P<about>.+))?"),
    (
        "enter",
        rf"(?P<who>[\w-]+) enters(?: as (?P<entry>[\w-]+))?(?: with weight (?P<weight>[0-9]{{1,9}}))?{_WHY}",
    ),
    ("draw", r"(?P<prize>[\w-]+) is drawn for (?P<entry>[\w-]+)(?P<more>(?:, [\w-]+ for [\w-]+)*)"),
)

_STATED = (
    ("stage", r"stage is (?P<stage>new|draft|filed|running|entries closed|drawn|cancelled|closed)"),
    ("waits", r"it waits"),
    ("goes_on", r"it does not wait"),
    ("no_duty", r"there is no duty (?P<duty>[\w -]+)"),
    (
        "duty",
        r"duty (?P<duty>[\w -]+?)(?: under (?P<clause>\S+))? is (?P<standing>due|overdue|done late|done)"
        r"(?: (?:by|since) (?P<when>\S+)| (?P<soon>at once|as soon as possible))?",
    ),
    ("said", rf"the terms say {_TERM} = (?P<value>.+)"),
    ("not_said", r"the terms do not say (?P<terms>[\w ]+?(?:, [\w ]+?)*)(?: of (?P<prize>[\w-]+))?"),
    ("award_is", rf"{_AWARD} of (?P<who>[\w-]+) is (?P<status>drawn|given|refused|lapsed)"),
    ("claim_is", rf"claim {_CLAIM} is (?P<kept>kept|not kept) with name and address"),
)

PROMOTION = Forms(
    steps=compiled(("at", r"at (?P<time>\S+)"), ("each", r"each"), *_WRITING, *_HAPPENING, *_STATED),
    statements=STATEMENTS,
    expected=compiled(
        ("refused", r"refused (?P<code>\w+)(?: by (?P<clause>.+))?"),
        ("happens", r"(?P<type>\w+) happens(?P<fields>(?: \w+=(?:\"[^\"]*\"|\S+))+)"),
        ("event", r"(?P<type>\w+) by (?P<clause>\S+)(?P<fields>(?: \w+=(?:\"[^\"]*\"|\S+))*)"),
    ),
)
