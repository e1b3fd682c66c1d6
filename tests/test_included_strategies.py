"""The strategies that come with the package, and the page that explains how to write one."""

from __future__ import annotations

import random
import tomllib

import msgspec
import pytest

from croupier import strategies
from croupier.simulation.reading import shapes
from croupier.simulation.reading.reader import included, included_for, load_strategy, needs_bankroll, problems
from croupier.simulation.reference.player import Session
from croupier.simulation.strategy import (
    Bet,
    Chips,
    Compare,
    Condition,
    Fixed,
    Guard,
    Move,
    Net,
    Progression,
    Stake,
    Stop,
    Strategy,
    Take,
)
from croupier.table.commands import Settings
from tests import strategies as listed
from tests.tables import BOOKS, SHELF
from tests.test_docs import DOCS, blocks, in_backticks
from tests.test_strategy_files import CRAPS, SIC_BO, condition, game_of, progression, stake

EACH = [(one.id, book) for one in included() for book in one.books]


def test_the_included_strategies_are_many_and_for_every_book() -> None:
    assert [one.id for one in included()] == strategies.ids() == sorted(strategies.ids())
    assert len(included()) >= 24
    assert {book: len(included_for([book])) >= 4 for book in BOOKS} == dict.fromkeys(BOOKS, True)
    assert len({one.name for one in included()}) == len(included())
    assert included_for(["no-such-book"]) == []


@pytest.mark.parametrize(("strategy_id", "book"), EACH)
def test_an_included_strategy_is_read_for_each_of_its_books(strategy_id: str, book: str) -> None:
    one = next(one for one in included() if one.id == strategy_id)
    assert problems(one.text, one.file, game_of(book)) == []
    made = load_strategy(strategy_id, game_of(book))
    assert (made.name, made.about) == (one.name, one.about)
    assert 200 < len(one.about) < 800
    assert needs_bankroll(made) is None or made.bankroll is not None


@pytest.mark.parametrize(("strategy_id", "book"), EACH)
def test_an_included_strategy_grows_with_its_unit(strategy_id: str, book: str) -> None:
    """Everything in it is in units, so that twice the unit is twice the money everywhere."""
    game = game_of(book)
    unit = load_strategy(strategy_id, game).unit

    def money(value: object) -> list[int]:
        """All amounts in a strategy, at any depth."""
        match value:
            case Fixed(cents=cents):
                return [cents]
            case Take(guard=guard, leave=leave):
                return [leave, *money(guard)]
            case Progression(steps=steps, start=start, least=least, most=most):
                return [*steps, start, least, most]
            case Stop(win=win, loss=loss):
                return [win or 0, loss or 0]
            case Compare(subject=Chips() | Net(), value=cents):
                return [cents]
            case tuple():
                return [cents for member in value for cents in money(member)]
            case Strategy() | Bet() | Guard():
                return [cents for field in value.__struct_fields__ for cents in money(getattr(value, field))]
        return []

    once, twice = (money(load_strategy(strategy_id, game, unit * times)) for times in (1, 2))
    assert twice == [2 * cents for cents in once]


@pytest.mark.parametrize(("strategy_id", "book"), EACH)
def test_an_included_strategy_is_played_without_a_refusal(strategy_id: str, book: str) -> None:
    """At a table with chips of 1.00 and no limits only lack of chips is ever refused, and every rule acts."""
    game = game_of(book)
    made = load_strategy(strategy_id, game)
    dice = random.Random(strategy_id)
    acted: set[int] = set()
    for bankroll in (made.bankroll, 30000, 4000) * 3:
        session = Session(SHELF, SHELF.terms(book), Settings(), made, bankroll)
        for _ in session.play(dice.randrange(len(game.book.outcomes)) for _ in range(400)):
            pass
        assert {refusal.code for refusal in session.refused} <= {"not_enough_chips"}
        acted |= set(session.made)
    assert acted == {rule.rule for rule in made.rules}


# -- the page ---------------------------------------------------------------------------------------------------------

SHAPES: list[type[shapes.Table]] = [shapes.StrategyTable, shapes.RuleTable, shapes.ProgressionTable, shapes.StopTable]


def test_the_page_names_every_key() -> None:
    words = in_backticks("strategies.md")
    keys = {field.name for shape in SHAPES for field in msgspec.structs.fields(shape)}
    assert len(keys) > 25
    assert keys - words == set()


def test_the_lists_on_the_page_are_up_to_date() -> None:
    """They are generated from the books and the files; `python -m tests.strategies` writes them."""
    assert listed.PAGE.read_text(encoding="utf-8") == listed.page()


def test_the_strategies_on_the_page_can_be_read() -> None:
    shown = [block for block in blocks(DOCS / "strategies.md") if block.tag == "toml"]
    assert len(shown) >= 6
    for block in shown:
        text = "\n".join(block.lines)
        file = block.lines[0].removeprefix("# ")
        errors = problems(text, file, game_of(tomllib.loads(text)["book"]))
        told = [f"{error} ({error.clause})" if error.clause else str(error) for error in errors]
        assert told == (page_messages() if file == "wrong.toml" else []), block.name


def page_messages() -> list[str]:
    (block,) = [block for block in blocks(DOCS / "strategies.md") if block.tag == "text"]
    return block.lines


def examples(before: str) -> list[str]:
    """The texts in quotes in the first column of the table after these words of the page."""
    text = (DOCS / "strategies.md").read_text(encoding="utf-8").split(before, 1)[1]
    table = text[text.index("\n|---") :].split("\n\n", 1)[0]
    found = [words for row in table.splitlines() for words in row.removeprefix("| ").split(" | ")[0].split('"')[1::2]]
    assert len(found) >= 8
    return [words.replace("NAME", "up").replace("AMOUNT", "2 units") for words in found]


def test_the_stakes_on_the_page_are_read() -> None:
    assert all(isinstance(stake(words.replace("win_line", "field")), Stake) for words in examples("\n### Stakes\n"))


def test_the_conditions_on_the_page_are_read() -> None:
    for words in examples("\n### Conditions\n"):
        assert isinstance(condition(words, SIC_BO if "small" in words else CRAPS), Condition)


def test_the_moves_on_the_page_are_read() -> None:
    for words in examples('\n| `per` | `"shooter"`: it restarts'):
        on_steps = words in ("next", "back", "back 2", "first")
        kind = "steps = [1, 2]" if on_steps else 'start = "1 unit"\nmost = "9.00"'
        made = progression(f'of = "field"\n{kind}\nwin = "{words}"\nloss = "stay"')
        assert (made.win == Move("stay")) == (words == "stay")
