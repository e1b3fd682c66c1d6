"""What can be wrong with a strategy file: every kind of mistake, with its line, its reason and its clause."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cli.main import main
from croupier.simulation.reading.reader import StrategyError, included, load_strategy, problems, read_strategy
from tests.tables import BOOKS
from tests.test_strategy_files import CRAPS, EVERYTHING, RULE, SIC_BO, SNAKE_EYES, TWO_UP, found, game_of, head

SHOOTERS = "Sic Bo has no shooters: no result passes the throw to another player"


BRACKETS = "; each begins with [[rules]], in double brackets"

TOP_LEVEL = [
    # what is added to the head, the line, the reason
    ("rules = 3", 4, f"rules must be a list, not a whole number{BRACKETS}"),
    ('[rules]\nbet = "field"', 4, f"rules must be a list, not a table{BRACKETS}"),
    ("rules = [1]", 4, f"a member of rules must be a table, not a whole number{BRACKETS}"),
    ("", None, f"rules is missing{BRACKETS}"),
    ("rules = []", 4, "no rule bets anything"),
    ('[[rules]]\ntake = "field"', 4, "no rule bets anything"),
    (f"unit = 5\n{RULE}", 4, "unit must be a text in quotes, not a whole number"),
    (f'unit = "5"\n{RULE}', 4, 'the unit must be an amount such as "5.00", from 0.01 to 10,000,000,000.00'),
    (f'unit = "0.00"\n{RULE}', 4, 'the unit must be an amount such as "5.00", from 0.01 to 10,000,000,000.00'),
    (f'bankroll = "0 units"\n{RULE}', 4, '"0 units" is nothing'),
    (f"bankroll = 200\n{RULE}", 4, "bankroll must be a text in quotes, not a whole number"),
    (f'when = "puck is on"\n{RULE}', 4, 'there is no key "when" here; it belongs below [[rules]]'),
    (f'units = "5.00"\n{RULE}', 4, 'there is no key "units" here; closest match: unit'),
    (f"{RULE}[stopp]", 7, 'there is no key "stopp" here; closest match: stop'),
    (f"{RULE}[progressions]\nup = 3", 7, "a member of progressions must be a table, not a whole number; "
     "each begins with [progressions.NAME]"),
    (f"stop = 2020-01-01\n{RULE}", 4, "stop must be a table, not a date or a time; it begins with [stop]"),
    (RULE * 401, 1204, "these are more than 400 rules, counting each target"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "reason"), TOP_LEVEL)
def test_mistakes_of_the_file(text: str, line: int | None, reason: str) -> None:
    assert found(head() + text) == [(line, reason, None)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f'book = "{CRAPS}"\nabout = "x"\n{RULE}', [(None, "name is missing", None)]),
        (f'name = ""\nbook = "{CRAPS}"\nabout = " "\n{RULE}',
         [(1, "name is empty", None), (3, "about is empty", None)]),
        (f'name = "a\\nb"\nbook = "{CRAPS}"\nabout = "x"\n{RULE}', [(1, "name is more than one line", None)]),
        (f'name = "x"\nabout = "x"\n{RULE}', [(None, "book is missing", None)]),
        (f'name = "x"\nbook = []\nabout = "x"\n{RULE}', [(2, f'it is written for no book, not for "{CRAPS}"', None)]),
        (f'name = "x"\nabout = "x"\nbook = ["a",\n 1]\n{RULE}',
         [(4, "a member of book must be a text in quotes, not a whole number", None)]),
    ],
)  # fmt: skip
def test_mistakes_of_the_head(text: str, expected: list[tuple[int | None, str, str | None]]) -> None:
    assert found(text) == expected


def test_a_strategy_for_another_book_is_told_so_and_nothing_else() -> None:
    text = f'name = "x"\nabout = "x"\n\nbook = ["{SIC_BO}", "{TWO_UP}"]\n[[rules]]\nbet = "small"\nstake = "1 unit"'
    assert found(text) == [(4, f'it is written for "{SIC_BO}" and "{TWO_UP}", not for "{CRAPS}"', None)]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("a = \n", 4, "this is not TOML: Invalid value, at column 5"),
        ('a = "\n', 4, "this is not TOML: Illegal character '\\n', at column 6"),
        ("\n\na = [1,\n2\n\n", 7, "this is not TOML: Unclosed array, at the end of the file"),
        ("[[rules]\n", 4, "this is not TOML: Expected ']]' at the end of an array declaration, at column 8"),
        (f"unit = \"1.00\"\nunit = \"2.00\"\n{RULE}", 5, "this is not TOML: Cannot overwrite a value, at column 14"),
        (f"a = {'9' * 5000}", None, "this TOML is too deeply nested, or has a number that is too long"),
        ("a = " + "[" * 5000, None, "this TOML is too deeply nested, or has a number that is too long"),
        ("#" * 1_000_001, None, "is longer than 1,000,000 characters"),
    ],
)  # fmt: skip
def test_what_is_not_toml(text: str, line: int | None, reason: str) -> None:
    assert found(head() + text) == [(line, reason, None)]


IN_A_RULE = [
    # what is added to a rule that bets on the line, on line 7
    ('wen = "puck is on"', 'there is no key "wen" here; closest match: when'),
    ('unit = "5.00"', 'there is no key "unit" here; it belongs at the top of the file, before the first [[rules]]'),
    ('steps = "5.00"', 'there is no key "steps" here; it belongs below [progressions.NAME]'),
    ("zzz = 1", 'there is no key "zzz" here; there are bet, take, call_on, call_off, stake, when, unless, adds, '
     "or_less, insist, at_most, per, leave"),
    ('take = "field"', "a rule does one thing, not bet and take: write two rules"),
    ('leave = "5.00"', "leave goes with take, not with bet"),
    ('per = "shooter"', "per goes with at_most, which is missing"),
    ('at_most = 1\nper = "roll"', 'per must be "shooter" or "session"'),
    ("at_most = 0", "at_most must be a whole number from 1 to 1,000,000,000"),
    (f"at_most = {10**30}", "at_most must be a whole number from 1 to 1,000,000,000"),
    ("at_most = 1.5", "at_most must be a whole number, not a number"),
    ("at_most = true", "at_most must be a whole number, not true or false"),
    ('adds = "yes"', "adds must be true or false, not a text in quotes"),
    ("when = 1979-05-27 07:32:00", "when must be a text in quotes or a list, not a date or a time"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "reason"), IN_A_RULE)
def test_mistakes_of_a_rule(text: str, reason: str) -> None:
    line = 8 if text.startswith("at_most = 1\n") else 7
    assert found(f"{head()}{RULE}{text}\n\n{RULE}") == [(line, reason, None)]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ('stake = "1 unit"', 4, "a rule needs bet, take, call_on or call_off"),
        ('bet = "field"', 5, "stake is missing: every bet needs one"),
        ('\ntake = "field"\nadds = true', 7, "adds goes with bet, not with take"),
        ('call_on = "field"\nor_less = true', 6, "or_less goes with bet, not with call_on"),
        ('take = "field"\ninsist = true', 6, "insist goes with bet, not with take"),
        ('take = "field"\nat_most = 1', 6, "at_most goes with bet, not with take"),
        ('take = "field"\nper = "session"', 6, "per goes with bet, not with take"),
        ('call_off = "field"\nstake = "1 unit"', 6, "stake goes with bet, not with call_off"),
        ('call_off = "field"\nleave = "1 unit"', 6, "leave goes with take, not with call_off"),
        ('take = "place_to_win 6"\nleave = "0.00"', 6, '"0.00" is nothing'),
        ("bet = []\nstake = \"1 unit\"", 5, "bet names no wager"),
        ("bet = \" \"\nstake = \"1 unit\"", 5, "the name of a wager is missing"),
        ('bet = ["field",\n\n "hardway 4", # one\n "hardway *"]\nstake = "1 unit"', 8, '"hardway 4" is named twice'),
        ('bet = ["hardway 4", "field"]\nstake = "1 unit"\nwhen = ["puck is on",\n"no hardway {pick}"]', 8,
         '"no hardway {pick}": "field" has no pick that {pick} could stand for'),
        ('bet = "field"\nstake = "2 x come {pick}"', 6,
         '"2 x come {pick}": "field" has no pick that {pick} could stand for'),
        ('bet = "field"\nstake = "2 x field"', 6,
         "a stake that is a multiple of the same wager needs adds = true"),
    ],
)  # fmt: skip
def test_what_a_rule_cannot_do(text: str, line: int, reason: str) -> None:
    assert found(f"{head()}[[rules]]\n{text}\n{RULE}") == [(line, reason, None)]


@pytest.mark.parametrize(
    ("deed", "target", "reason", "clause"),
    [
        ("bet", "win_lin", 'the book has no wager called "win_lin"; closest match: win_line or behind_win_line', "6.2"),
        ("take", "x", 'the book has no wager called "x"; there are 25, such as win_line, dont_win, come, dont_come, '
         "behind_win_line, behind_dont_win, behind_come, behind_dont_come, hardway, place_to_win, place_to_lose, "
         "any_craps, craps_two", "6.2"),
        ("bet", "place_to_win 7", "Place Bet to Win cannot be made on that; it is made on 4, 5, 6, 8, 9, 10", "6.2.10"),
        ("bet", "place_to_win",
         'Place Bet to Win needs a pick: 4, 5, 6, 8, 9, 10, or "place_to_win *" for each of them', "6.2.10"),
        ("take", "field 6", "Field is made without a pick", "6.2.17"),
        ("bet", "field *", "Field is made without a pick", "6.2.17"),
        ("bet", "come 6", '"come 6": Come is bet without a pick: it travels to its number by itself', "6.2.3"),
        ("bet", "come *", '"come *": Come is bet without a pick: it travels to its number by itself', "6.2.3"),
        ("take", "come 7", 'Come does not travel to "7"; it travels to 4, 5, 6, 8, 9, 10', "6.2.3"),
        ("call_on", "come box", 'Come does not travel to "box"; it travels to 4, 5, 6, 8, 9, 10', "6.2.3"),
    ],
)  # fmt: skip
def test_unknown_wagers_and_picks_are_told_with_the_clause(deed: str, target: str, reason: str, clause: str) -> None:
    more = 'stake = "1 unit"\n' if deed == "bet" else ""
    assert found(f'{head()}[[rules]]\n{deed} = "{target}"\n{more}{RULE}') == [(5, reason, clause)]


STAKE_FORMS = (
    'a stake is an amount such as "5.00" or "2 units", "2 x WAGER", "5% of bankroll", "most", "progression NAME" or '
    '"2 x progression NAME"'
)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("0 units", '"0 units" is nothing'),
        ("0.00", '"0.00" is nothing'),
        ("-1.00", '"-1.00" is less than 0.01'),
        ("1/3 unit", '"1/3 unit", at 1.00 a unit, does not come to whole cents'),
        ("0.001 units", '"0.001 units", at 1.00 a unit, does not come to whole cents'),
        ("10", '"10" is not an amount: write "10.00" or "2 units"'),
        ("5,00", '"5,00" is not an amount: write "10.00" or "2 units"'),
        ("1/0 unit", '"1/0" divides by zero'),
        ("10000000000.01", '"10000000000.01" is more than 10,000,000,000.00'),
        ("10000000001 units", '"10000000001 units" is more than 10,000,000,000.00'),
        (f"{'9' * 5000} units", f'"{"9" * 59}…" has too many digits'),
        (f"{'9' * 5000}.00", f'"{"9" * 59}…" is more than 10,000,000,000.00'),
        ("0 x field", '"0 x field" is nothing'),
        ("2 x come *", '"come *" is several wagers; one is needed here'),
        ("10001 x field", '"10001 x field" must be a multiple of at most 10,000, in fractions no finer than 1/10,000'),
        (
            "1/10001 x field",
            '"1/10001 x field" must be a multiple of at most 10,000, in fractions no finer than 1/10,000',
        ),
        ("0% of bankroll", '"0% of bankroll" is nothing'),
        ("100.01% of bankroll", '"100.01% of bankroll" is more than the whole'),
        ("0.005% of bankroll", '"0.005% of bankroll" has too many decimals: percentages have at most two'),
        ("progression dwon", 'there is no progression "dwon"; closest match: down'),
        ("progression x", 'there is no progression "x"; there is only down'),
        ("5000 x progression down", '"5000 x progression down" is more than 10,000,000,000.00'),
        ("", f'the stake "" cannot be read; {STAKE_FORMS}'),
        ("half", f'the stake "half" cannot be read; {STAKE_FORMS}'),
    ],
)
def test_stakes_that_mean_nothing(words: str, reason: str) -> None:
    down = '[progressions.down]\nof = "field"\nstart = "4000000.00"\nwin = "stay"\nloss = "stay"\n'
    assert found(f'{head()}[[rules]]\nbet = "win_line"\n\nstake = "{words}"\n{down}') == [(7, reason, None)]


def test_a_progression_that_is_not_there_where_there_is_none() -> None:
    reason = 'there is no progression "up"; there is none'
    assert found(f'{head()}[[rules]]\nbet = "field"\nstake = "progression up"') == [(6, reason, None)]


def test_a_unit_of_the_users_must_make_whole_cents() -> None:
    text = f'{head()}[[rules]]\nbet = "field"\nstake = "1/3 unit"'
    assert read_strategy(text, "own.toml", game_of(CRAPS), unit=300).rules
    with pytest.raises(StrategyError, match=r'line 6: "1/3 unit", at 5\.00 a unit, does not come to whole cents'):
        read_strategy(text, "own.toml", game_of(CRAPS), unit=500)
    for unit in (0, -5, 10**12 + 1):
        with pytest.raises(StrategyError, match=r"^own\.toml: the unit must be an amount such as") as wrong:
            read_strategy(text, "own.toml", game_of(CRAPS), unit)
        assert wrong.value.line is None


CONDITIONS = (
    '"PHASE is VALUE", "last result is DESCRIPTION", "WAGER stands", "no WAGER", "rolls at least 10" and the like'
)
COMPARED = "it needs one of is, is not, at least, at most, above, below, followed by a number"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("", f'the condition "" cannot be read; conditions are {CONDITIONS}'),
        ("puck off", f'the condition "puck off" cannot be read; conditions are {CONDITIONS}'),
        ("pukc is off", 'the book has no phase "pukc"; closest match: puck'),
        ("size is on", 'the book has no phase "size"; there is only puck'),
        ("puck is 7", 'the puck is never "7"; there are off, on, 4, 5, 6, 8, 9, 10, come out'),
        ("puck is comeout", 'the puck is never "comeout"; closest match: come out'),
        ("puck is not on or off", '"puck is not on or off": the puck is never in such a state'),
        ("last result", '"last result" cannot be read; write "last result is" and a description such as "any"'),
        (
            "last result was 7",
            '"last result was 7" cannot be read; write "last result is" and a description such as "any"',
        ),
        ("last result is total 13", 'a total of 13 in "total 13" cannot be thrown'),
        ("last result is total 2-99999999", '"last result is total 2-99999999": no throw has such numbers'),
        ("last result is triple", '"triple" in "triple" describes no outcome of this game'),
        ("last result is not any", '"last result is not any": no throw matches that'),
        ("no", "the name of a wager is missing"),
        ("hits above 3", "the name of a wager is missing"),
        ("count field 3", f'"count field 3" cannot be read; {COMPARED}'),
        ("rolls", f'"rolls" cannot be read; {COMPARED}'),
        ("rolls is at least 3", '"at least 3" in "rolls is at least 3" is not a whole number'),
        ("rolls above 1.5", '"1.5" in "rolls above 1.5" is not a whole number'),
        ("rolls above 1000000001", '"1000000001" is more than 1,000,000,000'),
        ("shooter at least 3", 'there is nothing to count called "shooter"; closest match: shooters or shooter rolls'),
        ("bankroll at least 5", '"5" is not an amount: write "10.00" or "2 units"'),
        ("bankroll below -5.00", '"-5.00" is less than 0.00'),
        ("net below 1/3 unit", '"1/3 unit", at 1.00 a unit, does not come to whole cents'),
        ("net below -10000000001 units", '"-10000000001 units" is more than 10,000,000,000.00'),
    ],
)
def test_conditions_that_mean_nothing(words: str, reason: str) -> None:
    assert found(f'{head()}{RULE}when = "{words}"') == [(7, reason, None)]
    assert found(f'{head()}{RULE}unless = [\n  "puck is on", # remark\n\n  "{words}",\n]') == [(10, reason, None)]


def test_a_book_without_phases_says_so() -> None:
    text = f'{head(SNAKE_EYES)}[[rules]]\nbet = "field"\nstake = "1 unit"\nwhen = "puck is off"'
    assert found(text, SNAKE_EYES) == [(7, 'the book has no phase "puck"; there is none', None)]


@pytest.mark.parametrize(
    "words", ["wins x above 1", "no x", "x stands", "losses x is 1", "hits x is 1", "count x is 1"]
)
def test_unknown_wagers_in_conditions_are_told_with_the_clause(words: str) -> None:
    ((line, reason, clause),) = found(f'{head()}{RULE}when = "{words}"')
    assert (line, clause) == (7, "6.2")
    assert reason.startswith('the book has no wager called "x"; there are 25, such as win_line')


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('at_most = 1\nper = "shooter"', 8, "shooter"),
        ('when = "shooter rolls is 1"', 7, "shooter rolls is 1"),
        ('when = "shooters is 1"', 7, "shooters is 1"),
        ("[stop]\nshooters = 2", 8, "shooters"),
        ('[progressions.p]\nof = "small"\nsteps = [1]\nwin = "next"\nloss = "stay"\nper = "shooter"', 12, "shooter"),
    ],
)
def test_a_book_without_shooters_has_no_words_about_them(text: str, line: int, words: str) -> None:
    rule = '[[rules]]\nbet = "small"\nstake = "1 unit"\n'
    assert found(head(SIC_BO) + rule + text, SIC_BO) == [(line, f'"{words}" means nothing here; {SHOOTERS}', None)]


ON_STEPS = 'with steps, write "next", "back", "back 2", "first" or "stay"'
ON_AMOUNT = (
    'with a start, write "stay", "start", "add AMOUNT", "less AMOUNT", "double", "times 3", and after a win '
    '"add winnings", "add half winnings" or "add 25% winnings"'
)
STEPS = 'steps = [1]\nwin = "next"\nloss = "first"\n'  # lines 9 to 11
START = 'start = "1 unit"\nwin = "stay"\nloss = "start"\n'


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ('win = "next"\nloss = "first"\n', 7, 'progression "up" needs either steps or a start'),
        (f'{STEPS}start = "1 unit"', 7, 'progression "up" needs either steps or a start'),
        ('steps = [1]\nwin = "next"\n', 7, "loss is missing"),
        ('steps = 1\nwin = "next"\nloss = "first"', 9, "steps must be a list, not a whole number"),
        ('steps = []\nwin = "next"\nloss = "first"', 9, "there are 0 steps; there must be 1 to 1,000"),
        (f'steps = {[1] * 1001}\nwin = "next"\nloss = "first"', 9, "there are 1,001 steps; there must be 1 to 1,000"),
        ('steps = [1,\n2,\n0]\nwin = "next"\nloss = "first"', 11, "a step of 0 is not a stake"),
        ('steps = [1, -2]\nwin = "next"\nloss = "first"', 9, "a step of -2 is not a stake"),
        ('steps = [nan]\nwin = "next"\nloss = "first"', 9, "a step of nan is not a stake"),
        ('steps = [inf]\nwin = "next"\nloss = "first"', 9, "a step of inf is not a stake"),
        ('steps = [1.001]\nwin = "next"\nloss = "first"', 9,
         '"1.001 units", at 1.00 a unit, does not come to whole cents'),
        (f'steps = [{10**400}]\nwin = "next"\nloss = "first"', 9, f'"1{"0" * 58}…" has too many digits'),
        ('steps = [10000000001]\nwin = "next"\nloss = "first"', 9,
         '"10000000001 units" is more than 10,000,000,000.00'),
        ('steps = ["0.00"]\nwin = "next"\nloss = "first"', 9, '"0.00" is nothing'),
        ('steps = [true]\nwin = "next"\nloss = "first"', 9,
         "a member of steps must be a whole number or a number or a text in quotes, not true or false"),
        (f'{STEPS}most = "5.00"', 12, "most goes with start, not with steps"),
        (f'{STEPS}least = "5.00"', 12, "least goes with start, not with steps"),
        (f'{STEPS}end = "last"', 12, 'end must be "first" or "stay"'),
        (f"{STEPS}edn = 1", 12, 'there is no key "edn" here; closest match: end'),
        ('steps = [1]\nwin = "double"\nloss = "first"', 10, f'"double" cannot be read; {ON_STEPS}'),
        ('steps = [1]\nwin = "next"\nloss = "back two"', 11, '"two" in "back two" is not a whole number'),
        ('steps = [1]\nwin = "next"\nloss = "back 0"', 11, '"back 0" changes nothing; write "stay"'),
        (f'{START}end = "stay"', 12, "end goes with steps; an amount has no last step"),
        (f'{START}most = "0.99"', 12, '"0.99" is less than the start, 1.00'),
        (f'{START}least = "1.01"', 12, '"1.01" is more than the start, 1.00'),
        ('start = "0 units"\nwin = "stay"\nloss = "stay"', 9, '"0 units" is nothing'),
        ('start = "1 unit"\nwin = "next"\nloss = "stay"', 10, f'"next" cannot be read; {ON_AMOUNT}'),
        ('start = "1 unit"\nwin = "double"\nloss = "stay"', 10,
         '"double" could grow without limit: set most'),
        ('start = "1 unit"\nwin = "times 1.01"\nloss = "stay"', 10,
         '"times 1.01" could grow without limit: set most'),
        ('start = "1 unit"\nwin = "add winnings"\nloss = "stay"', 10,
         '"add winnings" could grow without limit: set most'),
        ('start = "1 unit"\nwin = "stay"\nloss = "add 0.01"', 11,
         '"add 0.01" could grow without limit: set most'),
        ('start = "1 unit"\nwin = "add"\nloss = "stay"', 10, f'"add" cannot be read; {ON_AMOUNT}'),
        ('start = "1 unit"\nwin = "add 0.00"\nloss = "stay"', 10, '"0.00" is nothing'),
        ('start = "1 unit"\nwin = "times 0"\nloss = "stay"', 10, '"times 0" is nothing'),
        ('start = "1 unit"\nwin = "stay"\nloss = "add winnings"\nmost = "9.00"', 11,
         '"add winnings": a loss has no winnings'),
        ('start = "1 unit"\nwin = "add 101% winnings"\nloss = "stay"\nmost = "9.00"', 10,
         '"add 101% winnings" is more than the whole'),
    ],
)  # fmt: skip
def test_mistakes_of_a_progression(text: str, line: int, reason: str) -> None:
    assert found(f'{head()}{RULE}[progressions.up]\nof = "field"\n{text}') == [(line, reason, None)]


def test_whose_decisions_move_a_progression_must_be_known() -> None:
    start = f"{head()}{RULE}[progressions.up]\n{STEPS}"
    assert found(f'{start}of = ["field", "fiel"]') == [
        (11, 'the book has no wager called "fiel"; closest match: field', "6.2")
    ]
    assert found(f'{start}of = ["field",\n"field"]') == [(12, '"field" is named twice', None)]
    assert found(f"{start}of = []") == [(11, "of names no wager", None)]


def test_a_rule_may_name_a_progression_that_is_wrong_itself() -> None:
    """One mistake is reported once, where it is."""
    rule = '[[rules]]\nbet = "field"\nstake = "3 x progression up"\n'
    text = f'{head()}{rule}[progressions.up]\nof = "field"\n{START}end = "x"'
    assert found(text) == [(12, 'end must be "first" or "stay"', None)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('leave = "at once"', [(8, "leave says how the player leaves, but nothing says when")]),
        ('win = "5.00"\nleave = "now"', [(9, 'leave must be "at once" or "when decided"')]),
        ('win = "0.00"\n\nloss = "x"',
         [(8, '"0.00" is nothing'), (10, '"x" is not an amount: write "10.00" or "2 units"')]),
        ("win = 5", [(8, "win must be a text in quotes, not a whole number")]),
        ("shooters = 0", [(8, "shooters must be a whole number from 1 to 1,000,000,000")]),
        ("rolls = -1", [(8, "rolls must be a whole number from 1 to 1,000,000,000")]),
        ('lost = "1.00"', [(8, 'there is no key "lost" here; closest match: loss')]),
        ('when = "1.00"', [(8, 'there is no key "when" here; it belongs below [[rules]]')]),
    ],
)  # fmt: skip
def test_mistakes_of_the_end(text: str, expected: list[tuple[int, str]]) -> None:
    assert found(f"{head()}{RULE}[stop]\n{text}") == [(line, reason, None) for line, reason in expected]


def test_all_mistakes_are_told_at_once_in_the_order_of_their_lines() -> None:
    text = f"""{head()}unit = "0"
[stop]
win = "nothing"
[[rules]]
bet = "fild"
stake = "1 unit"
[[rules]]
bet = "field"
stake = "1 unit"
foo = 1
bar = 2
[progressions.a]
of = "field"
steps = []
win = "next"
loss = "next"
[[rules]]
take = "field"
adds = true
"""
    assert [line for line, _, _ in found(text)] == [4, 6, 8, 13, 14, 17, 22]


ALL_AT_ONCE = {
    # everything that is wrong with one table, on line 4 and below, each with its line
    "the end": (
        SIC_BO,
        """[stop]
leave = "now"
win = "x"
loss = "0.00"
shooters = 2
rolls = 0
when = 3
""",
        {
            5: 'leave must be "at once" or "when decided"',
            6: '"x" is not an amount: write "10.00" or "2 units"',
            7: '"0.00" is nothing',
            8: f'"shooters" means nothing here; {SHOOTERS}',
            9: "rolls must be a whole number from 1 to 1,000,000,000",
            10: 'there is no key "when" here; it belongs below [[rules]]',
        },
    ),
    "steps": (
        CRAPS,
        """[progressions.up]
of = ["fiel",
"field", "field"]
steps = [1, 0,
"x"]
win = "up"
loss = "back 0"
most = "5.00"
least = "1.00"
end = "last"
per = "roll"
edn = 1
""",
        {
            5: 'the book has no wager called "fiel"; closest match: field',
            6: '"field" is named twice',
            7: "a step of 0 is not a stake",
            8: '"x" is not an amount: write "10.00" or "2 units"',
            9: '"up" cannot be read; with steps, write "next", "back", "back 2", "first" or "stay"',
            10: '"back 0" changes nothing; write "stay"',
            11: "most goes with start, not with steps",
            12: "least goes with start, not with steps",
            13: 'end must be "first" or "stay"',
            14: 'per must be "shooter" or "session"',
            15: 'there is no key "edn" here; closest match: end',
        },
    ),
    "an amount from a start": (
        SIC_BO,
        """[progressions.up]
of = []
start = "2.00"
win = "add 1/3 unit"
loss = "add winnings"
most = "1.00"
least = "3.00"
end = "stay"
per = "shooter"
""",
        {
            5: "of names no wager",
            7: '"1/3 unit", at 1.00 a unit, does not come to whole cents',
            8: '"add winnings": a loss has no winnings',
            9: '"1.00" is less than the start, 2.00',
            10: '"3.00" is more than the start, 2.00',
            11: "end goes with steps; an amount has no last step",
            12: f'"shooter" means nothing here; {SHOOTERS}',
        },
    ),
    "a bet": (
        SIC_BO,
        """[[rules]]
bet = ["smal",
"big",
"total 4", "total 5"]
stake = "2 x total {pick}"
when = ["rolls", "shooters is 1",
"rolls above 3",
"no wager {pick}"]
unless = "net above x"
at_most = 0
per = "shooter"
leave = "1.00"
adds = 3
foo = 1
""",
        {
            5: 'the book has no wager called "smal"; closest match: small',
            8: '"2 x total {pick}": "big" has no pick that {pick} could stand for',
            9: f'"rolls" cannot be read; {COMPARED}',
            -9: f'"shooters is 1" means nothing here; {SHOOTERS}',
            11: '"no wager {pick}": "big" has no pick that {pick} could stand for',
            12: '"x" is not an amount: write "10.00" or "2 units"',
            13: "at_most must be a whole number from 1 to 1,000,000,000",
            14: f'"shooter" means nothing here; {SHOOTERS}',
            15: "leave goes with take, not with bet",
            16: "adds must be true or false, not a whole number",
            17: 'there is no key "foo" here; there are bet, take, call_on, call_off, stake, when, unless, adds, '
            "or_less, insist, at_most, per, leave",
        },
    ),
    "a rule without a deed": (
        CRAPS,
        """[[rules]]
stake = "5"
when = "no come {pick}"
unless = "puck is 7"
""",
        {
            4: "a rule needs bet, take, call_on or call_off",
            5: '"5" is not an amount: write "10.00" or "2 units"',
            7: 'the puck is never "7"; there are off, on, 4, 5, 6, 8, 9, 10, come out',
        },
    ),
    "a rule with two": (
        CRAPS,
        """[[rules]]
take = "fild"
call_on = "hardway 5"
leave = "x"
""",
        {
            5: 'the book has no wager called "fild"; closest match: field',
            6: "a rule does one thing, not take and call_on: write two rules",
            -6: "Hardways cannot be made on that; it is made on 4, 6, 8, 10",
            7: '"x" is not an amount: write "10.00" or "2 units"',
        },
    ),
}  # a second mistake on a line has the line below nothing


@pytest.mark.parametrize("part", ALL_AT_ONCE)
def test_all_mistakes_of_one_table_are_told_at_once(part: str) -> None:
    book, text, expected = ALL_AT_ONCE[part]
    rule = '[[rules]]\nbet = "big"\nstake = "1 unit"\n' if book == SIC_BO else RULE
    told = [(line, reason) for line, reason, _ in found(f"{head(book)}{text}{rule}", book)]
    assert told == [(abs(line), reason) for line, reason in expected.items()]


def test_mistakes_of_a_rule_are_told_once_however_many_targets_it_has() -> None:
    rule = '[[rules]]\nbet = "place_to_win *"\nstake = "x"\nwhen = ["puck is {pick}", "no pass {pick}"]\n'
    assert [(line, reason[:30]) for line, reason, _ in found(head() + rule)] == [
        (6, 'the stake "x" cannot be read; '),
        (7, 'the book has no wager called "'),
    ]


def test_a_file_full_of_mistakes_is_told_the_first_hundred() -> None:
    many = ", ".join(['"wins fild above 1"'] * 30_000)
    told = found(f"{head()}{RULE}when = [{many}]")
    assert len(told) == 101
    assert told[-1] == (None, "there may be more than these 100 mistakes", None)
    assert {line for line, _, _ in told[:-1]} == {7}


def test_mistakes_of_a_strategy_for_several_books_stand_in_the_order_of_their_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "own.toml"
    books = f'["{SNAKE_EYES}", "{CRAPS}"]'
    rules = '[[rules]]\nbet = "win_line"\nstake = "1 unit"\nwhen = "puck is 7"\n[[rules]]\nbet = "field"\nstake = "x"\n'
    file.write_text(f'name = "x"\nbook = {books}\nabout = "x"\n{rules}', encoding="utf-8")
    assert main(["strategies", str(file)]) == 1
    told = capsys.readouterr().out.splitlines()
    assert [int(line.partition(", line ")[2].partition(":")[0]) for line in told] == [5, 7, 7, 10]


# -- whatever is in a file --------------------------------------------------------------------------------------------

SCRAPS = st.sampled_from(
    ['"', "[", "]", "{pick}", "*", "=", "\n", "\\", "-", "9" * 30, "1/0", " or ", "unit", "is not"]
)


@given(st.sampled_from([EVERYTHING, *(one.text for one in included())]), st.data())
def test_no_file_does_more_than_be_told_wrong(text: str, data: st.DataObject) -> None:
    """A file in which something is cut out or inserted is either a strategy, or an error on one of its lines."""
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 12))
        text = text[:place] + data.draw(st.one_of(SCRAPS, st.text(max_size=6))) + text[place + cut :]
    book = data.draw(st.sampled_from(BOOKS))
    errors = problems(text, "own.toml", game_of(book))
    last = text.count("\n") + 1
    assert all(error.line is None or 1 <= error.line <= last for error in errors)
    if not errors:
        assert read_strategy(text, "own.toml", game_of(book)).rules


@pytest.mark.parametrize(
    ("line", "number", "reason"),
    [
        ('about = "red \\u001b[31m"', 3, "about holds characters that cannot be printed"),
        (f'about = "{"x" * 4001}"', 3, "the line has more than 4,000 characters"),
        ("a." * 2001 + "b = 1", 3, "the line has more than 4,000 characters"),
    ],
    ids=["a colour", "a long text", "a long key"],
)
def test_words_that_no_screen_can_show_and_lines_that_nobody_reads(
    tmp_path: Path, line: str, number: int, reason: str
) -> None:
    file = tmp_path / "own.toml"
    file.write_text(
        f'name = "x"\nbook = "{CRAPS}"\n{line}\n[[rules]]\nbet = "field"\nstake = "5.00"\n', encoding="utf-8"
    )
    with pytest.raises(StrategyError) as caught:
        load_strategy(str(file), game_of(CRAPS))
    assert (caught.value.line, caught.value.reason) == (number, reason)


def test_a_name_is_no_novel() -> None:
    text = f'name = "{"x" * 101}"\nbook = "{CRAPS}"\nabout = "x"\n[[rules]]\nbet = "field"\nstake = "5.00"\n'
    wrong = problems(text, "own.toml", game_of(CRAPS))
    assert [(each.line, each.reason) for each in wrong] == [(1, "name has more than 100 characters")]
