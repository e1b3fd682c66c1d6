"""What whoever runs a table is told that they could do: at every moment of a round, in every book."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import msgspec
import pytest

from croupier.house import orders
from croupier.house.events import Rhythm
from croupier.house.names import fitting_title, table_stream
from croupier.house.table_state import TableState
from croupier.house.views.console import steps_of
from croupier.house.views.table import show_felt
from croupier.house.views.visibility import Viewer
from croupier.rulebooks import ids
from croupier.rules.checking import SET_BY_THE_ENGINE, facts_set, unknown_facts
from croupier.rules.conduct import KINDS, Act, Step, fields_of
from croupier.server.live import Pictures
from croupier.table.commands import PerformAct
from croupier.table.conduct.scene import CHECKS, Scene
from croupier.table.decide import decide_without_note
from croupier.table.evolve import evolve_all
from croupier.table.refusals import Refusal
from croupier.table.state import State
from tests.houses import SHELF, TestHouse

CRAPS, SIC_BO, TWO_UP = "craps-nsw-2024", "sic-bo-nsw-2016", "two-up-nsw-2016"
SNAKE_EYES, NEW_ZEALAND = "snake-eyes-nsw-2019", "snake-eyes-nz"
CORRECTING = "Correct the result"
STAFF = {
    "dora": "dealer",
    "dan": "dealer",
    "sam": "supervisor",
    "mia": "manager",
    "otto": "operator",
    "ivy": "inspector",
}

# Each line: what is done > what the dealer may do then > what a supervisor may do > the moment in words.
# What stands in braces is below: it is long, or differs between the books.
ELECTRONIC_DICE = """
    ann bet wager={wager} amount=10.00   > {dealer}               > {supervisor}    >
    ann throw                            > {air}                  > {also_air}      > The dice are in the air.
    dora rest                            > {at_rest}              > {also_at_rest}  > {lie}
    dora call_result faces=3,4           > Confirm 7, and settle  > {confirm}       > Called: 7.
    dora confirm_result                  > {dealer}               > {supervisor}    >
    ann bet wager={wager} amount=10.00   > {dealer}               > {supervisor}    >
    dora dice_out                        > {air}                  > {also_air}      > The dice are in the air.
    dora roll dice=3,4                   > {dealer}               > {supervisor}    >
    ann bet wager={wager} amount=10.00   > {dealer}               > {supervisor}    >
    dora roll dice=3,4                   > {dealer}               > {supervisor}    >
"""
LATE_WAGERS = """
    ann bet wager=field amount=10.00     > {dealer}               > {supervisor}    >
    dora throw                           > {air}                  > {also_air}      > The dice are in the air.
    ben bet wager=field amount=10.00     > {air}                  > {also_air}      > The dice are in the air.
    dora rest                            > {at_rest}              > {also_at_rest}  > {lie}
"""
DICE_BY_HAND = """
    ann bet wager={wager} amount=10.00   > Offer the dice to ann  >                 >
    dora offer player=ann                > Ask ann again          >                 > The dice are offered to ann.
    ann decline                          > Offer the dice to ben  >                 >
    dora offer player=ben                > Ask ben again          >                 > The dice are offered to ben.
    ben decline                          > Offer the dice to ann + No player wants the dice: take them > >
    dora house_takes                     > {dealer}               > {supervisor}    >
    dora throw                           > {air}                  > {also_air}      > The dice are in the air.
    dora rest                            > {at_rest}              > {also_at_rest}  > {lie}
    ann dispute_face                     >                        > Which faces are up? > {disputed}
    sam decide_face faces=3,4            > Confirm 7, and settle  > {confirm}       > Called: 7.
    dora confirm_result                  > Offer the dice to ann  >                 >
    dora offer player=ann                > Ask ann again          >                 > The dice are offered to ann.
    ann accept                           > Ask ann again          >                 > {chooses}
    ann choose                           > Ask ann again          >                 >
    ann bet wager={wager} amount=10.00   > {dealer} + {ask}       > {supervisor}    >
    ann throw                            > {air}                  > {also_air}      > The dice are in the air.
"""
DICE_ASTRAY = """
    dora dice_off count=1                > {missing} + {ask} > {missing}       > {chooses}
    dora search                          > {searched} + {ask} > {searched}      > {chooses}
    dora find_dice count=1               > {give_up} + {ask} > Check what was found (1) + {give_up} > {chooses}
    sam check_dice count=1               > {bowls} + {ask} > {also_bowls}    > {chooses}
    ann ask_back                         > {returns}              > {also_returns}  > {chooses}
    {returning} return_dice              > {dealer} + {ask}       > {supervisor}    >
    dora dice_off count={lost}           > {missing} + {ask} > {missing}       > {chooses}
    sam search                           > {searched} + {ask} > {searched}      > {chooses}
    dora declare_lost count={lost}       > {renew} + {ask}        > {renew}         > {chooses}
    sam new_set count=5                  > Ask ann again          >                 > {chooses}
"""
SILENCE = """
    dora offer player=ann                > Ask ann again          >                 > The dice are offered to ann.
    dora ask_again player=ann            > ann does not answer: go on >             > The dice are offered to ann.
    dora take_silence player=ann         > Offer the dice to ben  >                 >
    dora offer player=ben                > Ask ben again          >                 > The dice are offered to ben.
    ben accept                           > Ask ben again          >                 > ben has to choose two of the dice.
    dora ask_again player=ben            > ben does not answer: go on >             > ben has to choose two of the dice.
    ben choose                           > Ask ben again          >                 >
    dora ask_again player=ben            > ben does not answer: go on >             >
    ben bet wager={wager} amount=10.00   > Ask ben again + {dealer} > {supervisor}  >
    dora ask_again player=ben            > {dealer_orders}        > {orders}        >
    sam order_pass reason=unreasonable_delay > Offer the dice to ben >              >
"""
POINT_FOR_NOBODY = """
    ann bet wager=field amount=10.00     > Offer the dice to ann  >                 >
    dora offer player=ann                > Ask ann again          >                 > The dice are offered to ann.
    ann decline                          > Offer the dice to ben  >                 >
    dora offer player=ben                > Ask ben again          >                 > The dice are offered to ben.
    ben decline                          > Offer the dice to ann + No player wants the dice: take them > >
    dora house_takes                     > {dealer}               > {supervisor}    >
    dora roll dice=2,2                   > {lift}                 > {lift}          >
    dora lift_point                      > Offer the dice to ann  >                 >
"""
TWO_UP_SILENCE = """
    dora offer player=ann                > Ask ann again          >                 > The coins are offered to ann.
    dora ask_again player=ann            > ann does not answer: go on >             > The coins are offered to ann.
    dora take_silence player=ann         > Offer the coins to ben >                 >
    dora offer player=ben                > Ask ben again          >                 > The coins are offered to ben.
    ben accept                           > Ask ben again          >                > ben has to choose two of the coins.
    ben choose                           > Ask ben again          >                 >
    ben bet wager=spinner pick=heads amount=10.00 > Ask ben again + No more bets >  >
    dora no_more_bets                    > Ask ben again          >                 >
    dora ask_again player=ben            > ben does not answer: go on >             >
    ben place_coins faces=HT             > ben does not answer: go on + Coins out + Enter the spin > Coins out >
    dora spin coins=HH                   > Ask ben again + No more bets >           >
    dora ask_again player=ben            > {spin_on} + No more bets >               >
    dora take_over                       > No more bets           >                 >
"""
NEW_DICE = """
    dora bring_dice count=5              > Inspect the dice       > Inspect the dice >
    dora inspect_dice                    >                        > Inspect the dice >
    sam inspect_dice                     > Offer the dice to ann  >                 >
"""
TERMINAL = """
    sam use_equipment what=electronic_equipment > Dice out        > Dice out        >
    ann bet wager={wager} amount=10.00   > Dice out               > Dice out        >
    ann throw                            > The dice rest          > The dice rest   > The dice are in the air.
    dora rest                            > Call what lies there   > {call}          > {lie}
    dora call_result faces=3,4           > {terminal}             >                 > Called: 7.
    dora enter_result faces=3,3          >                        > {amend}         > Called: 7. {differs}
    sam amend_entry faces=3,4            > Confirm 7, and settle  > {confirm}       > Called: 7.
    dora report_malfunction what=lights  > Confirm 7, and settle  > {confirm}       > Called: 7.
    dora confirm_result                  > {after_fault}          > {also_after_fault} + The fault is put right >
    sam rectify                          > Dice out               > Dice out        >
"""
SIC_BO_ELECTRONIC = """
    ann bet wager=small amount=10.00     > No more bets           >                 >
    dora no_more_bets                    > Enter the roll         > Enter the roll  >
    dora roll dice=1,2,4                 > No more bets           >                 >
"""
SIC_BO_TUMBLER = """
    dora tumble count=3                  > No more bets           >                 >
    dora no_more_bets                    > Uncover the dice + Enter the roll > Enter the roll >
    dora roll dice=1,2,4                 > {tumble} > {tumble}       >
    otto use_touch_screen                > {tumble} > {tumble}       >
    ann bet wager=super_streak pick=size amount=10.00 > {tumble} > {tumble} >
    dora tumble count=1                  > Tumble (1 of 3 done) > Tumble (1 of 3 done) >
    sam tumble count=2                   > No more bets           >                 >
    dora no_more_bets   > Press no more bets on the screen + Uncover the dice + Enter the roll > Enter the roll >
    dora press_no_more_bets              > Uncover the dice + Enter the roll > Enter the roll >
    dora uncover                         > {at_rest}              > {at_rest}       > {lie}
    dora call_result faces=1,2,4         > {terminal}             > {terminal}      > Called: 1 2 4, 7.
    dora enter_result faces=1,2,5        >                        > {amend}         > Called: 1 2 4, 7. {differs}
    sam amend_entry faces=4,2,1          > Confirm 1 2 4, 7, and settle >           > Called: 1 2 4, 7.
    dora confirm_result                  > {tumble}               > {tumble}        >
    dora report_malfunction what=lights  > {settle} + {tell}      > Return the streaks below four + {tell} >
    sam notify_inspector                 > {settle}               > Return the streaks below four >
    dora settle_streaks                  >                        > The fault is put right >
    sam rectify                          > {tumble} > {tumble}       >
"""
TWO_UP_ELECTRONIC = """
    ann bet wager=heads amount=10.00     > No more bets           >                 >
    dora no_more_bets                    > Coins out + Enter the spin > Coins out    >
    dora spin coins=HH                   > No more bets           >                 >
"""
TWO_UP_BY_HAND = """
    ben bet wager=heads amount=10.00     > Offer the coins to ann >                 >
    dora offer player=ann                > Ask ann again          >                 > The coins are offered to ann.
    ann decline                          > Offer the coins to ben >                 >
    dora offer player=ben                > Ask ben again          >                 > The coins are offered to ben.
    ben decline                          > Offer the coins to ann + No player wants the coins: take them > >
    dora house_takes                     > Offer the coins to ann + No more bets >  >
    dora no_more_bets                    > Coins out + Enter the spin + {kip} > Coins out >
    dora place_coins faces=HT            > Coins out + Enter the spin > Coins out    >
    dora throw                           > The coins rest + Enter the spin > The coins rest > The coins are in the air.
    dora rest                            > Call what lies there + Enter the spin >   > {lie}
    dora call_result faces=HH            > Confirm Heads, and settle >              > Called: Heads.
    dora confirm_result                  > Offer the coins to ann >                 >
    dora offer player=ann                > Ask ann again          >                 > The coins are offered to ann.
    ann accept                           > Ask ann again          >                 > {chooses}
    ann choose                           > Ask ann again          >                 >
    ann bet wager=spinner pick=heads amount=10.00 > No more bets + {ask} >                 >
    ann place_coins faces=HT             > No more bets + {ask} >                 >
    dora no_more_bets                    > Coins out + Enter the spin + {ask} > Coins out >
    ann throw                            > The coins rest + Enter the spin > The coins rest > The coins are in the air.
    dora dice_off count=1                > {missing} + No more bets + {ask} > {missing}     > {chooses}
    sam find_dice count=1                > Check what was found (1) + {give_up} + No more bets + {ask} > > {chooses}
    dora check_dice count=1              > Into the bowl + No more bets + {ask} >           > {chooses}
    ann ask_back                         > Give back what was found + No more bets > > {chooses}
    dora return_dice                     > No more bets + {ask} >                 >
    dora dice_off count=2                > {missing} + No more bets + {ask} > {missing}     > {chooses}
    sam search                           > {searched} + No more bets + {ask} > Found        > {chooses}
    dora declare_lost count=2            > {renew} + No more bets > {renew}         > {chooses}
    sam new_set count=5                  > No more bets + {ask} >                 > {chooses}
"""
TWO_UP_TERMINAL = """
    sam use_equipment what=electronic_equipment > No more bets    >                 >
    ann bet wager=heads amount=10.00     > No more bets           >                 >
    dora no_more_bets                    > Coins out + Enter the spin > Coins out    >
    dora throw                           > The coins rest + Enter the spin > The coins rest > The coins are in the air.
    dora rest                            > Call what lies there + Enter the spin >   > {lie}
    dora call_result faces=HH            > {terminal} + Confirm Heads, and settle > > Called: Heads.
    dora enter_result faces=HT           > {amend} + Confirm Heads, and settle >    > Called: Heads. {differs}
    dora amend_entry faces=HH            > Confirm Heads, and settle >              > Called: Heads.
    sam report_malfunction what=lights   > Confirm Heads, and settle >              > Called: Heads.
    dora confirm_result                  > No more bets           > The fault is put right >
"""

LONG = {
    "disputed": "It is disputed which faces are up. That is for the {decides} to decide.",
    "differs": "The entry differs: the {amends} must amend it.",
    "lie": "The {things} are at rest.",
    "chooses": "ann has to choose two of the {things}.",
    "missing": "Search for the missing {things} + Found",
    "searched": "Found + Give one up for lost",
    "renew": "Bring a new set + One given up is found",
    "give_up": "Give one up for lost",
    "given_up": "One given up is found",
    "dealer": "Dice out + Enter the roll",
    "supervisor": "Dice out + {enter}",
    "air": "The dice rest + Enter the roll",
    "also_air": "The dice rest + {enter}",
    "at_rest": "Call what lies there + Enter the roll",
    "also_at_rest": "{call} + {enter}",
    "terminal": "Enter the result on the terminal",
    "amend": "Amend the entry: it is not what was called",
    "tumble": "Tumble (0 of 3 done)",
    "settle": "Settle the streaks as they stand",
    "tell": "Tell an inspector of the fault",
    "ask": "Ask ann again",
    "kip": "Lay the coins on the kip, one head, one tail",
    "lift": "No wager depends on the point: turn the puck Off",
    "spin_on": "The spinner does not go on: spin instead",
}
BOWL, BACK, ORDERS = "Into the bowl", "Give back what was found", "Have the dice passed on"
DEALER_ALONE = {"enter": "", "call": "", "confirm": ""}
EITHER = {"enter": "Enter the roll", "call": "Call what lies there", "confirm": "Confirm 7, and settle"}
OWN: dict[str, dict[str, str]] = {
    CRAPS: {
        **DEALER_ALONE,
        **{"dealer_orders": "Dice out + Enter the roll", "orders": f"Dice out + {ORDERS}"},
        **{"wager": "win_line", "house": "stickperson", "decides": "boxperson", "lost": "2", "returning": "dora"},
        **{"bowls": BOWL, "also_bowls": "", "returns": BACK, "also_returns": ""},
    },
    SNAKE_EYES: {
        **EITHER,
        **{"dealer_orders": "Dice out + Enter the roll", "orders": f"Dice out + Enter the roll + {ORDERS}"},
        **{"wager": "field", "house": "dealer", "decides": "gaming supervisor", "lost": "2", "returning": "dora"},
        **{"bowls": BOWL, "also_bowls": BOWL, "returns": BACK, "also_returns": BACK},
        **{
            "amends": "gaming supervisor",
            "after_fault": "Dice out + Enter the roll",
            "also_after_fault": "Dice out + Enter the roll",
        },
    },
    NEW_ZEALAND: {
        **DEALER_ALONE,
        **{"dealer_orders": f"Dice out + Enter the roll + {ORDERS}", "orders": f"Dice out + {ORDERS}"},
        **{"wager": "six", "house": "dealer", "decides": "game supervisor", "lost": "1", "returning": "sam"},
        **{"bowls": "", "also_bowls": BOWL, "returns": "", "also_returns": BACK},
        **{"amends": "game supervisor", "after_fault": "", "also_after_fault": ""},  # play has stopped
    },
    SIC_BO: {"amends": "casino supervisor"},
    TWO_UP: {"amends": "dealer", "things": "coins"},
}

Sign = dict[str, object]
BY_HAND: Sign = {"dice": "manual"}
ROUNDS: dict[str, tuple[str, Sign, str]] = {
    "craps": (CRAPS, {}, ELECTRONIC_DICE),
    "craps, late wagers": (CRAPS, {"late": True}, LATE_WAGERS),
    "craps, by hand": (CRAPS, BY_HAND, DICE_BY_HAND + DICE_ASTRAY),
    "craps, a silent shooter": (CRAPS, BY_HAND, SILENCE),
    "craps, a point for nobody": (CRAPS, BY_HAND, POINT_FOR_NOBODY),
    "snake eyes": (SNAKE_EYES, {}, ELECTRONIC_DICE),
    "snake eyes, a silent shooter": (SNAKE_EYES, BY_HAND, SILENCE),
    "snake eyes, by hand": (SNAKE_EYES, BY_HAND, DICE_BY_HAND + DICE_ASTRAY),
    "snake eyes, with a terminal": (SNAKE_EYES, {}, TERMINAL),
    "new zealand": (NEW_ZEALAND, {}, ELECTRONIC_DICE),
    "new zealand, by hand": (NEW_ZEALAND, BY_HAND, NEW_DICE + DICE_BY_HAND + DICE_ASTRAY),
    "new zealand, a silent shooter": (NEW_ZEALAND, BY_HAND, NEW_DICE + SILENCE),
    "new zealand, with a terminal": (NEW_ZEALAND, {}, TERMINAL),
    "sic bo": (SIC_BO, {}, SIC_BO_ELECTRONIC),
    "sic bo, tumbled by hand": (SIC_BO, BY_HAND, SIC_BO_TUMBLER),
    "two-up": (TWO_UP, {}, TWO_UP_ELECTRONIC),
    "two-up, a silent spinner": (TWO_UP, BY_HAND, TWO_UP_SILENCE),
    "two-up, by hand": (TWO_UP, BY_HAND, TWO_UP_BY_HAND),
    "two-up, with a terminal": (TWO_UP, {}, TWO_UP_TERMINAL),
}


class Table:
    """Two players, and staff of every role, at a table that people run."""

    def __init__(self, book: str, sign: Sign) -> None:
        self.house = TestHouse()
        self.name = self.house.dealt_table(book, "dealt", **sign)
        for person, role in STAFF.items():
            self.house.person(person, role, cents=0, card=False)
            self.house.ok(orders.TakePost(table=self.name, role=role), person)
        for person in ("ann", "ben"):
            self.house.person(person, "player")
            self.house.ok(orders.Sit(table=self.name, cents=500_00), person)

    @property
    def state(self) -> TableState:
        return self.house.house.table(self.name)

    def says(self, who: str, line: dict[str, Any]) -> None:
        reply = self.house.do(orders.Say(table=self.name, line=line), who)
        assert reply["ok"], (line, reply)

    def told(self, person: str | None) -> dict[str, Any]:
        console = steps_of(SHELF, self.state, person, self.house.at)
        return {} if console is None else msgspec.to_builtins(console)

    def steps(self, person: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.told(person)["steps"]
        return found

    def words(self, person: str) -> list[str]:
        """What could be done now; what waits is left out, and so is correcting the result, which has its own test."""
        now = [step["words"] for step in self.steps(person) if step["refused"] is None]
        return [words for words in now if not words.startswith(CORRECTING)]

    def corrects(self, person: str) -> list[str]:
        """The result that someone could correct now, as it is told."""
        return [step["words"] for step in self.steps(person) if step["words"].startswith(CORRECTING)]

    def waits(self, person: str) -> list[tuple[str, str]]:
        """Why what fell cannot be entered yet."""
        refused = [step["refused"] for step in self.steps(person)]
        return [(one["message"], one["clause"]) for one in refused if one is not None]

    def takes(self, who: str, line: dict[str, Any]) -> bool:
        """Whether the house would carry a line out; nothing comes of it."""
        pending = self.house.decide(self.house.order(orders.Say(table=self.name, line=line), who))
        self.house.house.failed(pending)
        return bool(pending.answer["ok"])


class Row(NamedTuple):
    """A line of a round: what is done, and what is told then."""

    who: str
    line: dict[str, Any]
    dealer: list[str]
    supervisor: list[str]
    moment: str | None


def rows(book: str, text: str) -> Iterator[Row]:
    for written in filter(str.strip, text.splitlines()):
        done, dealer, supervisor, moment = (part.strip() for part in written.split(">"))
        who, *said = _filled(book, done).split()
        line: dict[str, Any] = {"do": said[0]} | {
            name: _value(value) for name, value in (word.split("=") for word in said[1:])
        }
        words = [_filled(book, part) for part in (dealer, supervisor, moment)]
        dealer_may, supervisor_may = ([step for step in part.split(" + ") if step] for part in words[:2])
        yield Row(who, line, dealer_may, supervisor_may, words[2] or None)


def _filled(book: str, text: str) -> str:
    own = {"things": "dice"} | OWN[book]
    return text.format(**LONG | own).format(**own)


def _value(text: str) -> object:
    if "," in text:
        return [int(face) for face in text.split(",")]
    return (
        int(text)
        if text.isdigit()
        else text.replace("_", " ")
        if text.startswith(("electronic", "unreasonable"))
        else text
    )


@pytest.mark.parametrize("name", ROUNDS)
def test_at_every_moment_of_a_round_each_is_told_what_comes_next(name: str) -> None:
    book, sign, text = ROUNDS[name]
    table = Table(book, sign)
    for row in rows(book, text):
        table.says(row.who, row.line)
        assert sorted(table.words("dora")) == sorted(row.dealer), row
        assert sorted(table.words("sam")) == sorted(row.supervisor), row
        assert [table.told(person)["moment"] for person in STAFF] == [row.moment] * len(STAFF), row


@pytest.mark.parametrize("name", ROUNDS)
def test_those_who_may_correct_a_result_are_told_so_until_the_next_throw(name: str) -> None:
    """A supervisor from the moment a result is settled until the next throw is under way; a dealer never."""
    book, sign, text = ROUNDS[name]
    table = Table(book, sign)
    settled = False
    for row in rows(book, text):
        table.says(row.who, row.line)
        game = table.state.game
        settled |= game.latest is not None
        due = game.latest is not None and "throw" not in game.facts
        correctable = due and table.takes("sam", {"do": "correct_result", "faces": another(book, game)})
        assert len(table.corrects("sam")) == correctable, row
        assert table.corrects("dora") == [], row
    assert settled or "silent" in name or "late" in name


def another(book: str, game: State) -> object:
    """Faces that the latest result did not show."""
    assert game.latest is not None
    shown = sorted(map(str, game.latest.faces))
    return next(faces for faces in said_for(book, "faces", ()) if sorted(map(str, faces)) != shown)  # type: ignore[call-overload]


@pytest.mark.parametrize("name", ROUNDS)
def test_every_line_told_is_taken_and_nothing_is_forgotten(name: str) -> None:
    """Each marked act is tried in every way that it can be said, by everyone; what the table is afterwards tells."""
    book, sign, text = ROUNDS[name]
    table = Table(book, sign)
    seen = 0
    for row in rows(book, text):
        table.says(row.who, row.line)
        for person, role in STAFF.items():
            told = [step for step in table.steps(person) if step["refused"] is None]
            seen += len(told)
            for step in told:
                lines = list(completed(book, step))
                assert any(table.takes(person, line) for line in lines), (row, person, step)
                assert step["asks"] or len(lines) == 1
            acts = {str(step["line"]["do"]) for step in told} & set(SHELF.book(book).conduct.by_id)
            assert acts == taken(table.state, person, role, table), (row, person)
    assert seen


def completed(book: str, step: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A line with all that could be put in for what it asks for."""
    asks = [asked["name"] for asked in step["asks"]]
    for values in product(*(said_for(book, asked["kind"], ()) for asked in step["asks"])):
        yield {**step["line"], **dict(zip(asks, values, strict=True))}


def said_for(book: str, kind: str, seats: tuple[str, ...]) -> list[object]:
    if kind == "faces":
        outcomes = SHELF.book(book).outcomes.all
        return ["".join(map(str, faces)) if isinstance(faces[0], str) else list(faces) for faces in outcomes]
    if kind == "text":
        return ["a reason"]
    return list(seats) if kind == "player" else list(range(1, 7))


def taken(state: TableState, person: str, role: str, table: Table) -> set[str]:
    """The marked acts that the table would take from someone so that it stands otherwise afterwards."""
    book = SHELF.game(state.game.terms[-1]).book
    scene = Scene(SHELF, state.game, None, person, table.house.at, {})
    found = set()
    for act in book.conduct.acts:
        title = fitting_title(book.conduct, role, act.by)
        if act.step is None or act.step.kind == "wager" or title is None or not matters(scene, act.step):
            continue
        if any(
            stands_otherwise(state, act, title, person, said, table) for said in forms(book.id, act, act.step, state)
        ):
            found.add(act.id)
    return found


def matters(scene: Scene, step: Step) -> bool:
    asked = [CHECKS[check](scene) for check in step.when] + [not CHECKS[check](scene) for check in step.unless]
    return all(asked)


def forms(book: str, act: Act, step: Step, state: TableState) -> Iterator[dict[str, Any]]:
    """Every way to say it, but for what the book says itself: how the coins lie on the kip, and on which ground."""
    said = {name: value for name, value in step.given.items() if KINDS[name] in ("faces", "reason")}
    for form in act.forms:
        asked = [name for name in form if name not in said]
        for values in product(*(said_for(book, KINDS.get(name, "text"), state.game.seats) for name in asked)):
            yield said | dict(zip(asked, values, strict=True))


def stands_otherwise(state: TableState, act: Act, title: str, person: str, said: dict[str, Any], table: Table) -> bool:
    command = PerformAct(act=act.id, said=said, by=title, who=person, at=table.house.at)
    decision = decide_without_note(SHELF, state.game, command)
    return not isinstance(decision, Refusal) and evolve_all(state.game, decision) != state.game


@pytest.mark.parametrize("book", ids())
def test_every_marked_act_of_a_book_is_seen_in_a_round(book: str) -> None:
    """So that what is said above is said of all of them."""
    conduct = SHELF.book(book).conduct
    marked = {act.id for act in conduct.acts if act.step is not None and act.step.kind != "wager"}
    seen = set()
    for of, sign, text in ROUNDS.values():
        if of == book:
            table = Table(book, sign)
            seen |= offered(table)
            for row in rows(book, text):
                table.says(row.who, row.line)
                seen |= offered(table)
    assert marked == seen & set(conduct.by_id)


def offered(table: Table) -> set[str]:
    """The acts that anyone is told of."""
    return {str(step["line"]["do"]) for person in STAFF for step in table.steps(person)}


def test_a_step_has_its_line_its_words_and_its_clause() -> None:
    table = Table(CRAPS, BY_HAND)
    offer, entry = table.steps("dora")
    assert offer == {
        "kind": "next",
        "words": "Offer the dice to ann",
        "line": {"do": "offer", "player": "ann"},
        "asks": [],
        "press": "",
        "key": None,
        "clause": "3.2",
        "refused": None,
    }
    assert (entry["line"], entry["asks"]) == ({"do": "roll"}, [{"name": "dice", "kind": "faces"}])
    assert entry["refused"] == {"message": "No player has accepted the dice.", "clause": "3.3"}


def test_a_step_cites_the_clause_that_holds_in_the_course_of_play() -> None:
    table = Table(CRAPS, BY_HAND)
    assert table.steps("dora")[0]["clause"] == "3.2"
    table.says("dora", {"do": "offer", "player": "ann"})
    for act in ("accept", "pass"):
        table.says("ann", {"do": act})
    (offer, _) = table.steps("dora")
    assert (offer["line"], offer["clause"]) == ({"do": "offer", "player": "ben"}, "3.8")


def test_what_comes_next_is_told_before_what_may_be_done_beside_it() -> None:
    table = Table(TWO_UP, BY_HAND)
    for row in rows(TWO_UP, TWO_UP_BY_HAND):
        table.says(row.who, row.line)
        kinds = [step["kind"] for step in table.steps("dora")]
        assert kinds == sorted(kinds, key=["next", "beside"].index)


@pytest.mark.parametrize(
    ("book", "sign", "person", "why"),
    [
        (CRAPS, {}, "dora", []),
        (CRAPS, {}, "sam", [("The roll is entered by the stickperson.", "4.4.1")]),
        (CRAPS, BY_HAND, "dora", [("No player has accepted the dice.", "3.3")]),
        (SIC_BO, {}, "dora", [("The bets are open. Call them closed first.", "8.3")]),
        (TWO_UP, {}, "dora", [("The bets are open. Call them closed first.", "6.3")]),
        (TWO_UP, BY_HAND, "dora", [("No player has accepted the coins.", "3.1")]),
        (NEW_ZEALAND, BY_HAND, "mia", [("The roll is entered by the dealer.", "5.6(a)")]),
        (NEW_ZEALAND, {}, "ivy", []),  # whom this book does not know
    ],
)
def test_why_what_fell_cannot_be_entered_yet_is_told(
    book: str, sign: Sign, person: str, why: list[tuple[str, str]]
) -> None:
    table = Table(book, sign)
    assert table.waits(person) == why
    if table.words(person) == [] and why:
        throw = SHELF.book(book).rules.throw
        fell = said_for(book, "faces", ())[0]
        assert not table.takes(person, {"do": throw.command, throw.field: fell})


def test_the_house_throws_on_for_a_spinner_who_stops() -> None:
    table = Table(TWO_UP, BY_HAND)
    for row in rows(TWO_UP, SERIES):
        table.says(row.who, row.line)
        assert sorted(table.words("dora")) == sorted(row.dealer), row


SERIES = """
    dora offer player=ann                > Ask ann again > >
    ann accept                           > Ask ann again > >
    ann choose                           > Ask ann again > >
    ann bet wager=spinner pick=heads amount=10.00 > No more bets + {ask} > >
    ann place_coins faces=HT             > No more bets + {ask} > >
    dora no_more_bets                    > Coins out + Enter the spin + {ask} > >
    dora spin coins=HH                   > No more bets + {ask} > >
    ann stop_spinning                    > No more bets > >
    dora no_more_bets                    > Coins out + Enter the spin + {kip} > >
    dora throw                           > The coins rest + Enter the spin > >
"""


def test_nobody_is_asked_to_take_coins_that_nobody_is_there_to_want() -> None:
    house = TestHouse()
    name = house.dealt_table(TWO_UP, "dealt", dice="manual")
    house.person("dora", "dealer", cents=0, card=False)
    house.ok(orders.TakePost(table=name, role="dealer"), "dora")
    console = steps_of(SHELF, house.house.table(name), "dora", house.at)
    assert console is not None
    [step] = console.steps
    assert step.words == "Enter the spin"
    assert step.refused is not None
    assert step.refused.message == "No player has accepted the coins."


@pytest.mark.parametrize("person", [None, "ann", "cleo"])
def test_only_who_has_a_post_is_told_any(person: str | None) -> None:
    table = Table(CRAPS, {})
    assert table.told(person) == {}
    head = table.house.house.head(table_stream(table.name))
    for look in (Viewer(person), Viewer(person, all=True)):
        felt = show_felt(SHELF, table.state, head, look, table.house.at)
        assert not {"steps", "moment"} & felt.raw.keys()


def test_at_a_table_that_runs_by_itself_nobody_has_steps() -> None:
    table = Table(CRAPS, {})
    by_itself = msgspec.structs.replace(table.state, rhythm=Rhythm())
    assert steps_of(SHELF, by_itself, "dora", table.house.at) is None


def test_live_each_is_told_their_own_steps_however_many_look_on() -> None:
    table = Table(NEW_ZEALAND, BY_HAND)
    pictures = Pictures(SHELF)
    for row in rows(NEW_ZEALAND, NEW_DICE):
        table.says(row.who, row.line)
        head = table.house.house.head(table_stream(table.name))
        for person in ("dora", "sam", "dora"):
            live = pictures.felt_for(table.state, head, Viewer(person, all=True), table.house.at)
            assert live.raw["steps"] == table.steps(person)
        for look in (Viewer(None, all=True), Viewer("dora")):
            assert pictures.felt_for(table.state, head, look, table.house.at).steps is None


OF_THE_TABLE = {
    "things",
    "throw",
    "house",
    "tumbled",
    "tumbles",
    "thrower",
    "next",
    "awaited",
    "latest",
    "outcome",
    "by",
}


@pytest.mark.parametrize("book", ids())
def test_words_of_steps_can_all_be_filled_in(book: str) -> None:
    """What stands in braces is a fact that the book knows, is said with the act, or is known of the table."""
    conduct = SHELF.book(book).conduct
    known = [*facts_set(conduct), *SET_BY_THE_ENGINE]
    marked = [(act.step, set(act.forms[0])) for act in conduct.acts]
    marked += [(power.step, set()) for power in conduct.powers]
    for step, said in marked:
        if step is not None:
            texts = [step.words, *map(str, step.given.values())]
            named = {field for text in texts for field in fields_of(text)} - said - OF_THE_TABLE
            assert unknown_facts([name.replace("_", " ") for name in named], known) == []
            assert set(step.given) <= said


def test_moments_speak_of_facts_and_acts_that_books_know() -> None:
    conducts = [SHELF.book(book).conduct for book in ids()]
    facts = {fact for conduct in conducts for fact in facts_set(conduct)} | set(SET_BY_THE_ENGINE)
    acts = {act for conduct in conducts for act in conduct.by_id}
    for conduct in conducts:
        assert conduct.moments
        for moment in conduct.moments:
            named = [moment.fact, *(name.replace("_", " ") for name in set(fields_of(moment.words)) - OF_THE_TABLE)]
            assert unknown_facts(named, facts) == []
            assert ("by" in fields_of(moment.words)) == (moment.act in acts)


FIRST_FACE: dict[str, tuple[str, Sign, list[str], list[str]]] = {
    "craps": (CRAPS, {}, [], ["dice_out", "rest"]),
    "craps, out": (CRAPS, {}, ["dice_out"], ["rest"]),
    "craps, at rest": (CRAPS, {}, ["dice_out", "rest"], []),
    "snake eyes": (SNAKE_EYES, {}, [], ["dice_out", "rest"]),
    "new zealand": (NEW_ZEALAND, {}, [], ["dice_out", "rest"]),
    "two-up": (TWO_UP, {}, ["no_more_bets"], ["dice_out", "rest"]),
    "sic bo": (SIC_BO, {}, ["no_more_bets"], ["uncover"]),
    "sic bo, uncovered": (SIC_BO, {}, ["no_more_bets", "uncover"], []),
    "sic bo, nobody pressed the key": (SIC_BO, {}, ["use_touch_screen", "no_more_bets"], []),  # that has no result
}


@pytest.mark.parametrize("name", FIRST_FACE)
def test_the_first_face_closes_the_bets_and_says_that_the_dice_rest(name: str) -> None:
    book, sign, done, first = FIRST_FACE[name]
    table = Table(book, sign)
    for line in done:
        table.says("otto" if line == "use_touch_screen" else "dora", {"do": line})
    [entry] = [step for step in table.steps("dora") if step["words"].startswith("Enter the")]
    assert entry["first"] == [{"do": line} for line in first]
    for line in first:
        table.says("dora", {"do": line})
    assert table.told("dora")["begun"]
