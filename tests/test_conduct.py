"""The conduct of the game over all five books: who may do what, every refusal occurs, and nothing raises."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from croupier.rules.conduct import Conduct, Need
from croupier.table import commands
from croupier.table.conduct.acts import WORDS
from croupier.table.conduct.scene import CHECKS, EFFECTS, Scene
from croupier.table.decide import decide, open_table
from croupier.table.refusals import Refusal
from croupier.table.state import State
from tests.conduct_mutants import KINDS, TOO_MANY, survivors
from tests.tables import BOOKS, SHELF, ordinary_commands
from tests.test_twins import refusals_shown

NOT_PERMITTED = "not_permitted"


def opened(book_id: str) -> State:
    return open_table(book_id, {"ann": "100.00", "bob": "100.00"}, shelf=SHELF).state


def test_every_command_has_a_word_in_the_books() -> None:
    known = {type(command) for book_id in BOOKS for command in ordinary_commands(book_id)}
    assert known == set(WORDS)


@pytest.mark.parametrize("book_id", BOOKS)
def test_a_role_without_the_power_is_refused_for_every_command(book_id: str) -> None:
    conduct = SHELF.book(book_id).conduct
    for role in [*conduct.role_ids, "passer-by"]:
        for command in ordinary_commands(book_id):
            state = State() if isinstance(command, commands.OpenTable) else opened(book_id)
            given = msgspec.structs.replace(command, by=role, who="ann")
            decision = decide(SHELF, state, given)
            power = conduct.power(WORDS[type(command)], getattr(command, "reason", None))
            if role not in conduct.role_ids:
                assert isinstance(decision, Refusal)
                assert decision.code == "unknown_role"
            elif power is not None and conduct.may(role, power.by):
                assert not isinstance(decision, Refusal) or decision.code != NOT_PERMITTED, (role, command)
            else:
                assert isinstance(decision, Refusal), (role, command)
                clause = power.refusals.get(role, power.clause) if power is not None else None
                assert (decision.code, decision.clause) == (NOT_PERMITTED, clause), (role, command)


@pytest.mark.parametrize("book_id", BOOKS)
def test_a_role_without_the_power_is_refused_for_every_act(book_id: str) -> None:
    conduct, state = SHELF.book(book_id).conduct, opened(book_id)
    assert conduct.acts
    for act in conduct.acts:
        for role in [*conduct.role_ids, "passer-by", None]:
            command = commands.PerformAct(act=act.id, by=role, who="ann")
            decision = decide(SHELF, state, command)
            refused = decision.code if isinstance(decision, Refusal) else None
            if role is None:
                assert refused == "nobody_acts"
            elif role not in conduct.role_ids:
                assert refused == "unknown_role"
            elif conduct.may(role, act.by):
                assert refused != NOT_PERMITTED, (act.id, role)
            else:
                assert isinstance(decision, Refusal)
                clause = act.refusals.get(role, act.by_clause or act.clause)
                assert (refused, decision.clause) == (NOT_PERMITTED, clause), (act.id, role)


@pytest.mark.parametrize("book_id", BOOKS)
def test_a_player_gives_commands_for_nobody_else(book_id: str) -> None:
    conduct = SHELF.book(book_id).conduct
    for command in ordinary_commands(book_id):
        power = conduct.power(WORDS[type(command)], getattr(command, "reason", None))
        if getattr(command, "player", None) != "ann" or power is None or not conduct.may("player", power.by):
            continue
        for who, own in (("bob", False), ("ann", True), (None, True)):
            decision = decide(SHELF, opened(book_id), msgspec.structs.replace(command, by="player", who=who))
            refused = isinstance(decision, Refusal) and decision.code == "not_your_own"
            assert refused != own, (who, command)


@pytest.mark.clause("craps-nsw-2024", "10.1", "6.5", "6.7.1")
@pytest.mark.parametrize(("line", "clause"), [("bet", "10.1"), ("take", "6.5"), ("call", "6.7.1")])
def test_a_player_of_craps_who_acts_for_another_is_refused_by_the_rule_on_it(line: str, clause: str) -> None:
    """Betting for another person means betting without a card of their own (10.1); wagers are their players' own."""
    table = open_table("craps-nsw-2024", {"ann": "100.00", "bob": "100.00"}, shelf=SHELF)
    table.bet("bob", "hardway", "10.00", 4)
    named: dict[str, Any] = {"player": "bob", "wager": "hardway", "pick": 4, "by": "player", "who": "ann"}
    said: dict[str, commands.AnyCommand] = {
        "bet": commands.PlaceWager(**named, amount=10_00),
        "take": commands.TakeWager(**named),
        "call": commands.CallWager(**named, on=True),
    }
    refused = table.decide(said[line])
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.clause) == ("not_your_own", clause)


def test_one_person_does_not_inspect_the_dice_for_two() -> None:
    """In New Zealand the dealer and the game supervisor each inspect new dice, independently (5.2)."""
    table = open_table("snake-eyes-nz", {"ann": "100.00"}, shelf=SHELF, settings=commands.Settings(manual_dice=True))
    table.act("bring_dice", "dealer", "dan", count=5)
    table.act("inspect_dice", "dealer", "dan")
    refused = table.decide(commands.PerformAct(act="inspect_dice", by="game supervisor", who="dan"))
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.clause) == ("same_person", "5.2")
    table.act("inspect_dice", "dealer", "dan")  # once more in the same role
    table.act("inspect_dice", "game supervisor", "gus")
    table.act("offer", "dealer", player="ann")


def needs_of(conduct: Conduct) -> Iterator[tuple[str, Need, str | None]]:
    """Every need of a book: where it is written, and the clause that its refusal cites (at the start of play)."""
    for power in conduct.powers:
        for need in power.needs:
            yield f"power {power.id}", need, need.clause or power.clause
    for act in conduct.acts:
        for need in act.needs:
            yield f"act {act.id}", need, need.clause or act.clause


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_need_is_seen_to_refuse(book_id: str) -> None:
    """Each power has counterparts: scenarios in which the wrong phase, moment or time is refused with the clause."""
    shown, conduct = refusals_shown(book_id), SHELF.book(book_id).conduct
    later = {f"act {act.id}": [one.clause for one in act.later] for act in conduct.acts}
    missing = [
        (place, need.id, need.code, clause)
        for place, need, clause in needs_of(conduct)
        if not {(None, need.code, each) for each in (clause, *later.get(place, []))} & shown
    ]
    assert missing == []


@pytest.mark.parametrize("book_id", BOOKS)
def test_at_a_table_where_nothing_is_remembered_no_need_stands_against_a_command(book_id: str) -> None:
    """These needs are not even checked then, so they must hold."""
    scene = Scene(SHELF, opened(book_id), None, "ann", None, {"player": "ann"})
    for power in SHELF.book(book_id).conduct.powers:
        for need in power.needs:
            met = CHECKS[need.check](scene) if need.check is not None else scene.holds(need, scene.words())
            assert met, (power.id, need.id)


def checks_of_steps(conduct: Conduct) -> set[str]:
    """The checks that decide whether something is offered, or reported about the game."""
    steps = [step for step in (*(act.step for act in conduct.acts), *(power.step for power in conduct.powers)) if step]
    named = [*(step.when for step in steps), *(step.unless for step in steps), *(one.unless for one in conduct.moments)]
    named += [act.own.when for act in conduct.acts if act.own is not None]
    return {check for checks in named for check in checks}


@pytest.mark.parametrize("book_id", BOOKS)
def test_checks_and_effects_that_books_name_exist_and_no_others(book_id: str) -> None:
    assert checks_of_steps(SHELF.book(book_id).conduct) <= set(CHECKS)
    for _, need, _ in needs_of(SHELF.book(book_id).conduct):
        assert need.check is None or need.check in CHECKS
    for act in SHELF.book(book_id).conduct.acts:
        assert act.effect is None or act.effect in EFFECTS


def test_no_check_or_effect_is_left_over() -> None:
    conducts = [SHELF.book(book_id).conduct for book_id in BOOKS]
    named = {need.check for conduct in conducts for _, need, _ in needs_of(conduct) if need.check}
    later = {one.check for conduct in conducts for act in conduct.acts for one in act.later}
    assert named | later | {check for conduct in conducts for check in checks_of_steps(conduct)} == set(CHECKS)
    assert {act.effect for conduct in conducts for act in conduct.acts if act.effect} == set(EFFECTS)


def test_what_is_remembered_of_one_player_is_not_what_is_remembered_of_another() -> None:
    """A name may consist of several words, and one name may begin like another."""
    table = open_table("two-up-nsw-2016", {"ann": "100.00", "ann b": "100.00"}, shelf=SHELF)
    table.act("declare_wager", "player", "ann b", wager="heads", amount="60.00")
    table.act("ask_advice", "player", "ann b")
    table.act("declare_wager", "player", "ann", wager="heads", amount="60.00")
    table.do(commands.LeaveTable(player="ann"))
    assert sorted(table.state.facts) == ["advice ann b", 'spoken "ann b" heads']


# What the common form of an act does and this book has no use for: at Sic Bo every ground is mandatory, so that what is
# seen makes the game void at once, and nothing can be let stand; and no one is offered the dice there.
# In New Zealand no one is excluded, so that whoever had the dice has given them up before the dealer takes them.
WITHOUT_EFFECT = {
    "snake-eyes-nz": ["act house_takes without forgetting shooter (facts and effects)"],
    "sic-bo-nsw-2016": [
        "act reopen_table without forgetting declined * (facts and effects)",
        "act observe without setting seen {reason} (facts and effects)",
        "act let_stand without forgetting seen {reason} (facts and effects)",
    ],
}


@pytest.mark.parametrize("book_id", BOOKS)
def test_no_alteration_of_the_conduct_goes_unnoticed(book_id: str) -> None:
    """One role too many, one need or ground fewer: a scenario that the trace names for the clause fails."""
    living, counts = survivors(book_id)
    assert [str(mutant) for mutant in living] == WITHOUT_EFFECT.get(book_id, [])
    assert set(counts) <= set(KINDS)
    assert counts[TOO_MANY] > 300, "otherwise this proves nothing"


def test_who_gives_a_command_in_a_role_is_on_the_record() -> None:
    table = open_table("craps-nsw-2024", {"ann": "100.00"}, shelf=SHELF)
    table.bet("ann", "win_line", "10.00")
    told = table.do(commands.VoidThrow(reason="5.2.1", by="boxperson", who="Bea"))
    assert dict(told[0]) == {"type": "command_given", "do": "void", "as": "boxperson", "who": "Bea", "at": None}
    assert told[1]["by"] == "ann"  # whose throw it was
    assert all(row["type"] != "command_given" for row in table.roll(3, 4))  # a program that names no one
