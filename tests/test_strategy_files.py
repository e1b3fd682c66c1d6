"""Strategy files: every key and form of the language, every kind of mistake with its line, and the included
strategies."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.rules.errors import Impossible
from croupier.rules.game import Game
from croupier.rules.shelf import Shelf
from croupier.simulation.reading.reader import (
    MOST_BYTES,
    StrategyError,
    included,
    included_for,
    load_strategy,
    needs_bankroll,
    problems,
    read_file,
    read_strategy,
)
from croupier.simulation.reading.shapes import Lines
from croupier.simulation.strategy import (
    Bet,
    Call,
    Chips,
    Compare,
    Condition,
    Count,
    Fixed,
    FromProgression,
    Guard,
    Hits,
    Most,
    Move,
    Net,
    PhaseIs,
    Progression,
    ResultIs,
    Rolls,
    Rule,
    ShareOfChips,
    ShooterRolls,
    Shooters,
    Spot,
    Stake,
    Stop,
    Strategy,
    Streak,
    Take,
    TimesSpot,
)
from tests.tables import SHELF
from tests.test_docs import HARBOUR

CRAPS, SIC_BO, TWO_UP, SNAKE_EYES = "craps-nsw-2024", "sic-bo-nsw-2016", "two-up-nsw-2016", "snake-eyes-nz"
PLAIN_BET = {CRAPS: "win_line", SIC_BO: "small", TWO_UP: "heads", SNAKE_EYES: "field"}


RULE = '[[rules]]\nbet = "win_line"\nstake = "1 unit"\n'  # three lines, too


def game_of(book: str) -> Game:
    return SHELF.game(SHELF.terms(book))


def head(book: str = CRAPS) -> str:
    """Three lines, so that what follows begins on the fourth."""
    return f'name = "One"\nbook = "{book}"\nabout = "Two."\n'


def read(text: str, book: str = CRAPS, unit: int | None = None) -> Strategy:
    return read_strategy(head(book) + text, "own.toml", game_of(book), unit)


def rule(text: str, book: str = CRAPS, unit: int | None = None) -> Rule:
    """The first rule made from a single [[rules]]; there is a progression to refer to."""
    return rules(text, book, unit)[0]


def rules(text: str, book: str = CRAPS, unit: int | None = None) -> tuple[Rule, ...]:
    bet = "" if "bet =" in text else f'[[rules]]\nbet = "{PLAIN_BET[book]}"\nstake = "1 unit"\n'
    return read(f"[[rules]]\n{text}\n{bet}", book, unit).rules


def stake(words: str, book: str = CRAPS, unit: int | None = None) -> Stake:
    more = f"""
        [[rules]]
        bet = "{PLAIN_BET[book]}"
        stake = "{words}"
        [progressions.first]
        of = "{PLAIN_BET[book]}"
        steps = [1]
        win = "stay"
        loss = "stay"
        [progressions.up]
        of = "{PLAIN_BET[book]}"
        steps = [1, 2]
        win = "next"
        loss = "first"
    """
    made = read(more, book, unit).rules[0]
    assert isinstance(made, Bet)
    return made.stake


def condition(words: str, book: str = CRAPS, unit: int | None = None) -> Condition:
    made = rule(f'bet = "{PLAIN_BET[book]}"\nstake = "1 unit"\nwhen = "{words}"', book, unit)
    assert len(made.guard.when) == 1
    return made.guard.when[0]


def progression(text: str, book: str = CRAPS, unit: int | None = None) -> Progression:
    bet = f'[[rules]]\nbet = "{PLAIN_BET[book]}"\nstake = "progression p"\n'
    (made,) = read(f"{bet}[progressions.p]\n{text}", book, unit).progressions
    return made


def found(text: str, book: str = CRAPS) -> list[tuple[int | None, str, str | None]]:
    errors = problems(text, "own.toml", game_of(book))
    for error in errors:
        line = "own.toml" if error.line is None else f"own.toml, line {error.line}"
        assert str(error) == error.sentence == f"{line}: {error.reason}"
        assert (error.file, error.code) == ("own.toml", "strategy_wrong")
    if errors:
        with pytest.raises(StrategyError) as first:
            read_strategy(text, "own.toml", game_of(book))
        assert str(first.value) == str(errors[0])
    return [(error.line, error.reason, error.clause) for error in errors]


# -- the whole file ---------------------------------------------------------------------------------------------------

EVERYTHING = """
name = "Everything"
book = ["craps-nsw-2024", "snake-eyes-nz"]
about = \"\"\"
Every key
  of the language.
\"\"\"
unit = "5.00"
bankroll = "40 units"

[[rules]]
bet = ["place_to_win 6", "place_to_win 8"]
stake = "6/5 unit"
when = ["puck is on", "no come {pick}"]
unless = "puck is {pick}"
adds = true
or_less = true
insist = true
at_most = 3
per = "session"

[[rules]]
take = "place_to_win 6"
leave = "1 unit"
when = "net above 10.00"

[[rules]]
call_on = "hardway 4"

[[rules]]
call_off = "hardway *"

[[rules]]
bet = "field"
stake = "progression up"

[progressions.up]
of = ["field", "place_to_win *"]
steps = [1, 2.5, "50.00", "3 units"]
win = "next"
loss = "back 2"
end = "first"
per = "shooter"

[progressions.amount]
of = "field"
start = "2 units"
win = "add half winnings"
loss = "start"
most = "100.00"
least = "1 unit"

[stop]
win = "20 units"
loss = "50.00"
shooters = 3
rolls = 200
leave = "when decided"
"""


def test_every_key_is_read() -> None:
    off_point = {n: frozenset({f"point {n}"}) for n in (6, 8)}
    on = frozenset(f"point {n}" for n in (4, 5, 6, 8, 9, 10))
    place = tuple(Spot("place_to_win", n) for n in (4, 5, 6, 8, 9, 10))

    def placed(n: int) -> Bet:
        none = Compare(Count((Spot("come", n),)), "is", 0)
        guard = Guard((PhaseIs("puck", on), none), (PhaseIs("puck", off_point[n]),))
        return Bet(1, Spot("place_to_win", n), Fixed(600), guard, True, True, True, 3, "session")

    up = Progression(
        "up",
        (Spot("field"), *place),
        Move("next"),
        Move("back", Fraction(2)),
        steps=(500, 1250, 5000, 1500),
        at_end="first",
        per_shooter=True,
    )
    amount = Progression(
        "amount",
        (Spot("field"),),
        Move("add_won", Fraction(1, 2)),
        Move("first"),
        start=1000,
        least=500,
        most=10000,
    )
    assert read_strategy(EVERYTHING, "own.toml", game_of(CRAPS)) == Strategy(
        name="Everything",
        about="Every key of the language.",
        unit=500,
        rules=(
            placed(6),
            placed(8),
            Take(2, Spot("place_to_win", 6), Guard((Compare(Net(), "above", 1000),)), leave=500),
            Call(3, Spot("hardway", 4), on=True),
            *(Call(4, Spot("hardway", n), on=False) for n in (4, 6, 8, 10)),
            Bet(5, Spot("field"), FromProgression(Fraction(1), 0), per="shooter"),
        ),
        progressions=(up, amount),
        stop=Stop(10000, 5000, 3, 200, when_decided=True),
        bankroll=20000,
    )


def test_what_is_left_out_is_the_least() -> None:
    made = read('[[rules]]\nbet = "field"\nstake = "1 unit"\n')
    assert made == Strategy("One", "Two.", 100, (Bet(1, Spot("field"), Fixed(100), per="shooter"),))


def test_a_unit_that_the_user_gives_goes_before_that_of_the_file() -> None:
    text = EVERYTHING.replace("6/5 unit", "2.4 units")
    made = read_strategy(text, "own.toml", game_of(CRAPS), unit=1000)
    assert (made.unit, made.bankroll, made.stop.win, made.stop.loss) == (1000, 40000, 20000, 5000)
    assert made.progressions[0].steps == (1000, 2500, 5000, 3000)
    assert isinstance(made.rules[0], Bet)
    assert made.rules[0].stake == Fixed(2400)


def test_counting_begins_anew_with_the_shooter_where_there_are_shooters() -> None:
    text = 'bet = "{}"\nstake = "1 unit"\nat_most = 2'
    per = {book: rule(text.format(bet), book) for book, bet in PLAIN_BET.items()}
    assert {book: (made.at_most, made.per) for book, made in per.items() if isinstance(made, Bet)} == {
        CRAPS: (2, "shooter"),
        SIC_BO: (2, "session"),
        TWO_UP: (2, "session"),
        SNAKE_EYES: (2, "shooter"),
    }


def test_a_book_that_extends_the_one_it_is_written_for_will_do() -> None:
    shelf = Shelf((HARBOUR,))
    game = shelf.game(shelf.terms("harbour-craps"))
    assert read_strategy(head() + '[[rules]]\nbet = "harbour_lights"\nstake = "1 unit"', "own.toml", game).rules
    assert {one.id for one in included_for(game.book.lineage)} == {one.id for one in included() if CRAPS in one.books}


# -- targets ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "target", "spots"),
    [
        (CRAPS, "field", [Spot("field")]),
        (CRAPS, "  place_to_win   6 ", [Spot("place_to_win", 6)]),
        (CRAPS, "hardway *", [Spot("hardway", n) for n in (4, 6, 8, 10)]),
        (CRAPS, "come", [Spot("come")]),
        (SIC_BO, "combination 2 1", [Spot("combination", (1, 2))]),
        (SIC_BO, "combination 1,2", [Spot("combination", (1, 2))]),
        (SIC_BO, "super_streak *", [Spot("super_streak", "size"), Spot("super_streak", "parity")]),
        (TWO_UP, "spinner tails", [Spot("spinner", "tails")]),
    ],
)
def test_targets_of_a_bet(book: str, target: str, spots: list[Spot]) -> None:
    assert [made.spot for made in rules(f'bet = "{target}"\nstake = "1 unit"', book)] == spots


@pytest.mark.parametrize(
    ("target", "spots"),
    [
        ("come", [Spot("come")]),
        ("come 6", [Spot("come", 6)]),
        ("come *", [Spot("come"), *(Spot("come", n) for n in (4, 5, 6, 8, 9, 10))]),
        ("dont_come 10", [Spot("dont_come", 10)]),
        ("behind_come 9", [Spot("behind_come", 9)]),
    ],
)
def test_targets_that_stand(target: str, spots: list[Spot]) -> None:
    """A wager that travels is on a number, in its box, or anywhere, once it is on the layout."""
    assert [made.spot for made in rules(f'take = "{target}"') if isinstance(made, Take)] == spots
    assert [made.spot for made in rules(f'call_on = "{target}"') if isinstance(made, Call)] == spots
    assert condition(f"{target} stands") == Compare(Count(tuple(spots)), "at least", 1)


def test_the_pick_of_each_target_is_put_into_stake_and_conditions() -> None:
    text = 'bet = "combination *"\nstake = "2 x combination {pick}"\nadds = true\n'
    text += 'unless = "losses combination {pick} is 1"'
    made = rules(text, SIC_BO)
    assert len(made) == 15
    for one in made:
        assert isinstance(one, Bet)
        assert one.stake == TimesSpot(Fraction(2), one.spot)
        assert one.guard.unless == (Compare(Streak((one.spot,), won=False), "is", 1),)


# -- stakes and amounts -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("10.00", Fixed(1000)),
        ("0.05", Fixed(5)),
        ("1 unit", Fixed(500)),
        ("2 units", Fixed(1000)),
        ("1.5 units", Fixed(750)),
        ("2/5 unit", Fixed(200)),
        ("10000000000.00", Fixed(10**12)),
        ("2 x field", TimesSpot(Fraction(2), Spot("field"))),
        ("1/2 x come 6", TimesSpot(Fraction(1, 2), Spot("come", 6))),
        ("1.2 × come", TimesSpot(Fraction(6, 5), Spot("come"))),
        ("2% of bankroll", ShareOfChips(Fraction(1, 50))),
        ("0.25% of bankroll", ShareOfChips(Fraction(1, 400))),
        ("most", Most()),
        ("progression up", FromProgression(Fraction(1), 1)),
        ("3/2 x progression up", FromProgression(Fraction(3, 2), 1)),
    ],
)
def test_stakes(words: str, meant: Stake) -> None:
    assert stake(words, unit=500) == meant


# -- conditions -------------------------------------------------------------------------------------------------------

POINTS = (4, 5, 6, 8, 9, 10)


@pytest.mark.parametrize(
    ("book", "words", "phase", "states"),
    [
        (CRAPS, "puck is off", "puck", {"come out"}),
        (CRAPS, "puck is on", "puck", {f"point {n}" for n in POINTS}),
        (CRAPS, "puck is 6", "puck", {"point 6"}),
        (CRAPS, "puck is point 6 or off", "puck", {"point 6", "come out"}),
        (CRAPS, "puck is not 6 or 8", "puck", {"come out", "point 4", "point 5", "point 9", "point 10"}),
        (SIC_BO, "size is small 0 or big 0", "size", {"small 0", "big 0"}),
        (SIC_BO, "parity is nothing yet", "parity", {"nothing yet"}),
        (TWO_UP, "odds is 3", "odds", {"3 odds"}),
        (TWO_UP, "odds is not 0 odds", "odds", {f"{n} odds" for n in (1, 2, 3, 4)}),
    ],
)
def test_conditions_on_a_phase(book: str, words: str, phase: str, states: set[str]) -> None:
    assert condition(words, book) == PhaseIs(phase, frozenset(states))


@pytest.mark.parametrize(
    ("book", "words", "count"),
    [
        (CRAPS, "last result is total 7", 6),
        (CRAPS, "last result is not total 7", 30),
        (CRAPS, "last result is not total 8, pair", 35),
        (CRAPS, "last result is total 8, not pair", 4),
        (CRAPS, "last result is any", 36),
        (SIC_BO, "last result is small", 105),
        (SIC_BO, "last result is not triple", 210),
        (TWO_UP, "last result is Odds", 2),
    ],
)
def test_conditions_on_the_last_result(book: str, words: str, count: int) -> None:
    made = condition(words, book)
    assert isinstance(made, ResultIs)
    assert len(made.outcomes) == count
    index = game_of(book).book.outcomes.index
    if words.endswith("total 8, pair"):
        assert made.outcomes == frozenset(range(36)) - {index[4, 4]}


PLACE = tuple(Spot("place_to_win", n) for n in POINTS)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("field stands", Compare(Count((Spot("field"),)), "at least", 1)),
        ("no place_to_win *", Compare(Count(PLACE), "is", 0)),
        ("count place_to_win * below 2", Compare(Count(PLACE), "below", 2)),
        ("wins field at least 3", Compare(Streak((Spot("field"),), won=True), "at least", 3)),
        ("losses place_to_win 6 above 1", Compare(Streak((Spot("place_to_win", 6),), won=False), "above", 1)),
        ("hits come * is not 0", Compare(Hits((Spot("come"), *(Spot("come", n) for n in POINTS))), "is not", 0)),
        ("rolls at most 100", Compare(Rolls(), "at most", 100)),
        ("shooter rolls is 4", Compare(ShooterRolls(), "is", 4)),
        ("shooters above 2", Compare(Shooters(), "above", 2)),
        ("bankroll below 50.00", Compare(Chips(), "below", 5000)),
        ("bankroll at least 0.00", Compare(Chips(), "at least", 0)),
        ("net at least 20 units", Compare(Net(), "at least", 10000)),
        ("net below -1/2 unit", Compare(Net(), "below", -250)),
    ],
)
def test_conditions_that_compare(words: str, meant: Condition) -> None:
    assert condition(words, unit=500) == meant


def test_hits_are_counted_for_the_session_where_nobody_shoots() -> None:
    assert condition("hits small at least 2", SIC_BO) == Compare(Hits((Spot("small"),)), "at least", 2)


# -- progressions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "move"),
    [
        ("next", Move("next")),
        ("back", Move("back", Fraction(1))),
        ("back 2", Move("back", Fraction(2))),
        ("first", Move("first")),
        ("stay", Move("stay")),
    ],
)
def test_moves_along_steps(words: str, move: Move) -> None:
    text = f'of = "field"\nsteps = [1, 2.5, "50.00"]\nwin = "{words}"\nloss = "{words}"\n'
    meant = Progression("p", (Spot("field"),), move, move, steps=(500, 1250, 5000))
    assert progression(text, unit=500) == meant


@pytest.mark.parametrize(
    ("words", "move", "most"),
    [
        ("stay", Move("stay"), 500),
        ("start", Move("first"), 500),
        ("less 1.00", Move("add", Fraction(-100)), 500),
        ("times 1/2", Move("times", Fraction(1, 2)), 500),
        ("add 2 units", Move("add", Fraction(1000)), 5000),
        ("double", Move("times", Fraction(2)), 5000),
        ("times 1.5", Move("times", Fraction(3, 2)), 5000),
        ("add winnings", Move("add_won", Fraction(1)), 5000),
        ("add half winnings", Move("add_won", Fraction(1, 2)), 5000),
        ("add 25% winnings", Move("add_won", Fraction(1, 4)), 5000),
    ],
)
def test_moves_of_an_amount(words: str, move: Move, most: int) -> None:
    """An amount that cannot grow needs no `most`: it never exceeds its start."""
    limit = 'most = "50.00"\n' if most == 5000 else ""
    text = f'of = "field"\nstart = "1 unit"\nwin = "{words}"\nloss = "start"\n{limit}'
    meant = Progression("p", (Spot("field"),), move, Move("first"), start=500, least=0, most=most)
    assert progression(text, unit=500) == meant


# -- lines ------------------------------------------------------------------------------------------------------------

AWKWARD = '''# a remark with [[rules]] and = in it
name = "[[rules]] = # {" # and another
about = """
[[rules]]
bet = "no \\""" rule"
"""""
when = 1979-05-27 07:32:00
"quoted . key" = \'\'\'
x = [\'\'\'

[[ rules ]]
bet = ["a", # one ]
  "b", \'c\',

  { q . r = 1, "s" = [3,
  4] }
]
[ progressions . "my own" ]
steps = [
  1,
  2,
]
stop . win = "5.00"
[[rules]]
[rules.deep]
k = {}
'''


def test_lines_of_everything_in_an_awkward_file() -> None:
    expected = {
        ("name",): 2,
        ("about",): 3,
        ("when",): 7,
        ("quoted . key",): 8,
        ("rules",): 11,
        ("rules", 0): 11,
        ("rules", 0, "bet"): 12,
        ("rules", 0, "bet", 0): 12,
        ("rules", 0, "bet", 1): 13,
        ("rules", 0, "bet", 2): 13,
        ("rules", 0, "bet", 3): 15,
        ("rules", 0, "bet", 3, "q"): 15,
        ("rules", 0, "bet", 3, "s"): 15,
        ("rules", 0, "bet", 3, "s", 1): 16,
        ("progressions", "my own"): 18,
        ("progressions", "my own", "steps", 1): 21,
        ("progressions", "my own", "stop", "win"): 23,
        ("rules", 1): 24,
        ("rules", 1, "deep"): 25,
        ("rules", 1, "deep", "k"): 26,
    }
    for text in (AWKWARD, AWKWARD.replace("\n", "\r\n")):
        lines = Lines(text)
        assert {path: lines.at(*path) for path in expected} == expected
        assert lines.at("rules", 0, "nowhere") == 11
        assert lines.at("nowhere") is None


def paths(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Every path in a tree that TOML can distinguish, six deep."""
    inner: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    here = [path] if path else []
    return here + [found for key, member in inner if len(path) < 6 for found in paths(member, (*path, key))]


TEXTS = st.sampled_from(
    ['"x"', "'y'", '"""\nq = [\n"""', "'''\n[[r]]'''", '"a\\"#"', "7", "1.5", "true", "2020-01-01 10:00:00", '"\\\\"']
)
BREAKS = st.sampled_from(["", " ", "\n", " # no ]\n", "\n\n"])
VALUES = st.recursive(
    TEXTS,
    lambda inner: st.one_of(
        st.lists(st.tuples(BREAKS, inner, BREAKS), max_size=3).map(
            lambda members: "[" + ",".join("".join(member) for member in members) + "]"
        ),
        st.lists(inner, max_size=2).map(
            lambda members: "{" + ", ".join(f"k{i} = {member}" for i, member in enumerate(members)) + "}"
        ),
    ),
    max_leaves=8,
)


@given(st.lists(st.tuples(st.sampled_from(["", "[[rules]]", "[ t.'u v{}' ]"]), BREAKS, VALUES), max_size=6))
def test_every_key_and_member_has_its_line(parts: list[tuple[str, str, str]]) -> None:
    """The reported line has a key, a heading or the member itself."""
    text = ""
    for number, (heading, blank, value) in enumerate(parts):
        text += (f"{heading.format(number)}\n" if heading else "") + (blank if "\n" in blank else "")
        text += f"key{number} = {value}\n"
    tree = tomllib.loads(text)
    lines, written = Lines(text), text.split("\n")
    told = {path: lines.at(*path) for path in paths(tree)}
    assert None not in told.values()
    for path, line in told.items():
        assert line is not None
        last = path[-1]
        if isinstance(last, str):
            assert last in written[line - 1]
        assert line >= (told.get(path[:-1]) or 1)


@pytest.mark.parametrize("text", [EVERYTHING, *(one.text for one in included())])
def test_line_ends_and_a_mark_at_the_beginning_change_nothing(text: str) -> None:
    book = tomllib.loads(text)["book"]
    game = game_of(book if isinstance(book, str) else book[0])
    assert read_strategy("\ufeff" + text.replace("\n", "\r\n"), "own.toml", game) == read_strategy(
        text, "own.toml", game
    )


def test_lines_are_right_with_other_line_ends_and_a_mark_at_the_beginning() -> None:
    text = f'{head()}about = """\nx\n"""\n\n[[rules]]\nbet = [\n  "field",\n  "fild", # no\n]\nstake = "1 unit"\n'
    text = text.replace('about = "Two."\n', "")
    plain = found(text)
    assert plain == [(10, 'the book has no wager called "fild"; closest match: field', "6.2")]
    assert found("\ufeff" + text.replace("\n", "\r\n")) == plain


# -- files ------------------------------------------------------------------------------------------------------------


def refused(path: Path | str) -> StrategyError:
    with pytest.raises(StrategyError) as wrong:
        load_strategy(str(path), game_of(CRAPS))
    assert isinstance(wrong.value, Impossible)
    return wrong.value


def test_a_file_of_the_users_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(b"\xef\xbb\xbf" + f"{head()}{RULE}".replace("\n", "\r\n").encode())
    made = load_strategy(str(file), game_of(CRAPS), unit=700)
    assert made.rules == (Bet(1, Spot("win_line"), Fixed(700), per="shooter"),)
    file.write_text(f"{head()}{RULE}x = 1", encoding="utf-8")
    assert str(refused(file)).startswith(f'{file}, line 7: there is no key "x" here; ')


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    missing = tmp_path / "missing.toml"
    assert str(refused(missing)) == f"{missing}: there is no such file"
    assert str(refused(tmp_path)) == f"{tmp_path}: is a folder, not a file"
    assert str(refused(f"{tmp_path}/a\0.toml")).endswith("cannot be read (a file cannot have such a name)")
    assert "cannot be read (" in str(refused(f"{tmp_path}/{'x' * 5000}.toml"))
    large = tmp_path / "large.toml"
    large.write_bytes(b"#" * (MOST_BYTES + 1))
    assert str(refused(large)) == f"{large}: is larger than 1 MB; no strategy is that long"
    latin = tmp_path / "latin.toml"
    latin.write_bytes(f"{head()}{RULE}".replace("Two.", "Zwei für").encode("latin-1"))
    assert str(refused(latin)) == f"{latin}, line 3: this is not UTF-8 text"


def test_a_file_as_large_as_may_be_is_read(tmp_path: Path) -> None:
    file = tmp_path / "large.toml"
    text = f"{head()}{RULE}"
    file.write_text((text + "#\n" * MOST_BYTES)[:MOST_BYTES], encoding="utf-8")
    assert len(read_file(str(file))) == MOST_BYTES
    assert load_strategy(str(file), game_of(CRAPS)).rules


@pytest.mark.parametrize(
    ("name", "end"), [("pas-line", "closest match: pass-line or pass-line-parlay"), ("zzzz", None), ("", None)]
)
def test_a_name_that_is_none(name: str, end: str | None) -> None:
    said = str(refused(name))
    assert said.startswith(f'"{name}": there is no such strategy, and the name does not end in .toml; ')
    assert said.endswith(end) if end else "such as across-two-hits-down" in said


def test_an_included_strategy_is_told_for_which_book_it_is() -> None:
    with pytest.raises(StrategyError) as wrong:
        load_strategy("pass-line", game_of(SIC_BO))
    assert str(wrong.value) == f'pass-line.toml, line 2: it is written for "{CRAPS}", not for "{SIC_BO}"'


# -- what needs a bankroll --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('bet = "field"\nstake = "5% of bankroll"', "rule 2 stakes a share of the bankroll"),
        ('bet = "field"\nstake = "1 unit"\nwhen = ["puck is on", "bankroll above 5.00"]',
         "rule 2 depends on the size of the bankroll"),
        ('take = "field"\nunless = "bankroll above 5.00"', "rule 2 depends on the size of the bankroll"),
        ('bet = "behind_win_line"\nstake = "most"\nwhen = "net above 5.00"', None),
    ],
)  # fmt: skip
def test_what_asks_for_the_bankroll_needs_one(text: str, reason: str | None) -> None:
    assert needs_bankroll(read(f"{RULE}[[rules]]\n{text}")) == reason
