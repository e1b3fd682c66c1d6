"""Whole sessions over the pipe. Every figure after `=` was computed by hand from the documents.

One line is one command: `open BOOK field=value`, `seat NAME CHIPS`, `NAME bets WAGER[:PICK] AMOUNT`, `NAME takes WAGER
[AMOUNT]`, `NAME calls WAGER on|off`, `close`, `roll`, `spin`, `void`. A `!` before it means that it is refused. After
it, `=` gives the chips in hand in seat order and `@` the puck (`@-`: off).
"""

from __future__ import annotations

import json

import pytest

from tests.talk import Talk, fields_of

SESSIONS: dict[str, str] = {
    "craps: line and behind, point made": """
        open craps-nsw-2024 chip=1.00
        seat ann 1000.00
        ann bets win_line 10.00 = 990.00 @-
        roll 3 3 = 990.00 @6
        ann bets behind_win_line 20.00 = 970.00
        roll 5 4 = 970.00 @6
        roll 4 2 = 1034.00 @-
    """,
    "craps: the don't side, seven out": """
        open craps-nsw-2024
        seat ann 500.00
        ann bets dont_win 10.00 = 490.00
        roll 5 4 = 490.00 @9
        ! ann bets behind_dont_win 31.00
        ann bets behind_dont_win 30.00 = 460.00
        ! ann bets behind_dont_win 1.00
        ann bets dont_come 10.00 = 450.00
        roll 1 3 = 450.00 @9
        ann bets behind_dont_come:4 40.00 = 410.00
        roll 3 4 = 560.00 @-
    """,
    "craps: Behind the Come asleep on a come out seven": """
        open craps-nsw-2024
        seat ann 300.00
        ann bets win_line 10.00 = 290.00
        roll 4 4 = 290.00 @8
        ann bets come 15.00 = 275.00
        roll 2 3 = 275.00 @8
        ann bets behind_come:5 30.00 = 245.00
        roll 6 2 = 265.00 @-
        ann bets win_line 10.00 = 255.00
        roll 1 6 = 305.00 @-
    """,
    "craps: Buy and Lay with their commission": """
        open craps-nsw-2024
        seat ann 1000.00
        roll 2 2 = 1000.00 @4
        ann bets buy:10 20.00 = 979.00
        ann bets lay:8 24.00 = 954.00
        ann bets buy:6 25.00 = 927.75
        ann bets place_to_lose:4 11.00 = 916.75
        roll 6 4 = 976.75 @4
        ann takes buy:6 5.00 = 982.00
        roll 4 3 = 1042.00 @-
    """,
    "craps: propositions, rounded up": """
        open craps-nsw-2024
        seat ann 200.00
        ann bets horn 8.00
        ann bets horn_high:11 10.00
        ann bets crap_eleven 4.00
        ann bets field 5.00
        ann bets any_craps 3.00
        ann bets eleven 1.00 = 169.00
        roll 5 6 = 332.00 @-
        ann bets any_craps 3.00
        ann bets crap_eleven 2.00
        ann bets craps_two 1.00
        ann bets craps_twelve 1.00
        ann bets craps_three 1.00
        ann bets any_seven 2.00 = 322.00
        roll 1 1 = 391.00 @-
    """,
    "craps: On and Off": """
        open craps-nsw-2024
        seat ann 100.00
        ann bets hardway:6 2.00 = 98.00
        ann bets place_to_win:6 6.00 = 92.00
        roll 3 3 = 92.00 @6
        ann calls hardway:6 off = 92.00
        roll 4 2 = 105.00 @-
        ann calls hardway:6 on
        roll 3 3 = 126.00 @6
    """,
    "craps: a Don't wager taken down beside a Win Line": """
        open craps-nsw-2024 max=100.00
        seat ann 100.00
        seat bob 100.00
        ann bets dont_win 10.00
        bob bets win_line 10.00 = 90.00 90.00
        roll 4 6 = 90.00 90.00 @10
        ann bets behind_dont_win 40.00 = 50.00 90.00
        ann takes dont_win 4.00 = 70.00 90.00
        ! ann bets dont_win 4.00
        ! bob takes win_line
        bob bets behind_win_line 20.00 = 70.00 70.00
        ann takes dont_win = 100.00 70.00
        ! ann bets behind_dont_win 4.00
        roll 6 4 = 100.00 150.00 @-
    """,
    "craps: come after come on half-dollar chips": """
        open craps-nsw-2024 chip=0.50 min=1.00
        seat ann 50.00
        roll 5 5 = 50.00 @10
        ! ann bets come 0.50
        ann bets come 2.50 = 47.50
        roll 4 5 = 47.50 @10
        ann bets behind_come:9 5.00 = 42.50
        ann bets come 1.00 = 41.50
        roll 6 3 = 59.00 @10
        ! ann takes come:9
        ann bets behind_come:9 1.50 = 57.50
        roll 5 4 = 63.50 @10
        ann bets dont_come 3.00 = 60.50
        roll 6 6 = 66.50 @10
    """,
    "sic bo: a small odd nine": """
        open sic-bo-nsw-2016
        seat ann 100.00
        ann bets small 10.00
        ann bets odd 10.00
        ann bets total:9 1.00
        ann bets combination:4,2 2.00
        ann bets single_die:3 3.00 = 74.00
        close
        roll 2 3 4 = 142.00
    """,
    "sic bo: triple four": """
        open sic-bo-nsw-2016
        seat ann 100.00
        ann bets small 5.00
        ann bets big 5.00
        ann bets odd 5.00
        ann bets even 5.00
        ann bets any_triple 1.00
        ann bets specific_triple:4 1.00
        ann bets specific_double:4 1.00
        ann bets total:12 1.00
        ann bets single_die:4 1.00
        ann bets combination:4,5 1.00
        ann bets four_number:3,4,5,6 1.00 = 73.00
        close
        roll 4 4 4 = 319.00
    """,
    "sic bo: no result": """
        open sic-bo-nsw-2016
        seat ann 100.00
        ann bets big 10.00 = 90.00
        roll 6 6 5 = 100.00
        ann bets big 10.00 = 90.00
        close
        ! ann takes big
        roll 6 5 5 = 110.00
        ann bets super_streak:size 10.00 = 100.00
        roll 1 1 2 = 100.00
        ann bets small 20.00 = 80.00
        close
        void 8.1 = 100.00
        close
        roll 1 1 2 = 100.00
        ann bets super_streak:size 10.00 = 90.00
    """,
    "sic bo: two Super Streaks": """
        open sic-bo-nsw-2016
        seat ann 100.00
        seat bob 100.00
        ! ann bets super_streak:size 10.00
        close
        roll 1 2 3 = 100.00 100.00
        ann bets super_streak:size 10.00
        ann bets super_streak:parity 10.00 = 80.00 100.00
        close
        roll 1 1 2
        ! bob bets super_streak:size 10.00
        close
        roll 2 2 2
        close
        roll 2 2 4
        close
        roll 1 3 4
        close
        roll 1 2 1 = 80.00 100.00
        close
        roll 1 2 2 = 150.00 100.00
        bob bets super_streak:parity 10.00 = 150.00 90.00
        close
        roll 6 5 5 = 260.00 90.00
    """,
    "sic bo: doubles, pairs and four numbers": """
        open sic-bo-nsw-2016
        seat ann 50.00
        ann bets four_number:2,3,4,5 5.00
        ann bets four_number:1,2,3,4 5.00
        ann bets specific_double:5 2.00
        ann bets combination:5,2 3.00
        ann bets single_die:5 4.00
        ann bets total:12 1.00
        ann bets even 5.00 = 25.00
        close
        roll 5 5 2 = 100.00
        ann bets four_number:5,4,3,2 5.00 = 95.00
        ann bets four_number:2,3,5,6 5.00 = 90.00
        ann takes four_number:6,5,3,2 2.00 = 92.00
        close
        roll 3 5 4 = 132.00
    """,
    "sic bo: twelve in a row": f"""
        open sic-bo-nsw-2016 super_streak=2.00 min=5.00
        seat ann 20.00
        close
        roll 1 1 2
        ann bets super_streak:size 2.00 = 18.00
        {"close; roll 1 2 2;" * 11}
        close = 18.00
        roll 1 1 3 = 1020.00
        ! ann bets super_streak:size 2.00
        close
        roll 1 1 3
        ! ann bets super_streak:size 2.00
        close
        roll 6 6 1
        ann bets super_streak:size 2.00 = 1018.00
    """,
}


def commands(text: str) -> list[str]:
    return [line.strip() for line in text.replace(";", "\n").splitlines() if line.strip()]


def perform(talk: Talk, line: str) -> None:
    """Run one line of a session, and check what it says of the chips and the puck."""
    line, _, puck = line.partition(" @")
    line, _, chips = line.partition(" = ")
    refused = line.startswith("! ")
    verb, fields = read(line.removeprefix("! ").split())
    (talk.no if refused else talk.do)(verb, **fields)
    if chips:
        assert list(talk.last["chips"].values()) == chips.split()
    if puck:
        assert talk.last["puck"] == (None if puck == "-" else int(puck))


def read(words: list[str]) -> tuple[str, dict[str, object]]:
    match words:
        case ["open", book, *settings]:
            fields: dict[str, object] = {"book": book}
            for setting in settings:
                name, _, value = setting.partition("=")
                fields[name] = json.loads(value) if value.startswith("{") else value
            return "open", fields
        case ["seat", player, chips]:
            return "seat", {"player": player, "chips": chips}
        case [player, "bets", name, amount]:
            return "bet", {"player": player, "amount": amount} | fields_of(name)
        case [player, "takes", name]:
            return "take", {"player": player} | fields_of(name)
        case [player, "takes", name, amount]:
            return "take", {"player": player, "amount": amount} | fields_of(name)
        case [player, "calls", name, call]:
            return "call", {"player": player, "on": call == "on"} | fields_of(name)
        case ["close"]:
            return "no_more_bets", {}
        case ["roll", *dice]:
            return "roll", {"dice": [int(face) for face in dice]}
        case ["spin", coins]:
            return "spin", {"coins": coins}
        case ["void", reason]:
            return "void", {"reason": reason}
    raise ValueError(words)


DISTURBANCES = [
    b"",
    b"{",
    b'{"do":"open","book":"sic-bo-nsw-2016"}{',
    b'{"do":"roll","dice":[0,9]}',
    b'{"do":"spin","coins":"edge"}',
    b'{"do":"void","reason":"99.9"}',
    b'{"do":"seat","player":"eve","chips":"-1.00"}',
    b'{"do":"bet","player":"ann","wager":"win_line","amount":"999999999.00"}',
    b'{"do":"bet","player":"ann","wager":"heads","amount":"999999999.00"}',
    b'{"do":"bet","player":"ann","wager":"spinner","pick":"heads","amount":"999999999.00"}',
    b'{"do":"bet","player":"ann","wager":"super_streak","pick":"size","amount":"999999999.00"}',
    b'{"do":"bet","player":"ann","wager":"hardway","pick":4,"amount":"0.00"}',
    b'{"do":"take","player":"ann","wager":"field","amount":"999999999.00"}',
    b'{"do":"call","player":"ann","wager":"hardway","pick":12,"on":true}',
]


def play(text: str) -> None:
    talk = Talk()
    for line in commands(text):
        perform(talk, line)


def play_disturbed(text: str) -> None:
    """Run it with refused lines before each command: all replies are the same as without them."""
    talk, quiet = Talk(), Talk()
    for line in commands(text):
        for bad in DISTURBANCES:
            assert not talk.send(bad)["ok"], bad
        perform(talk, line)
        perform(quiet, line)
        assert talk.last == quiet.last


@pytest.mark.parametrize("text", SESSIONS.values(), ids=SESSIONS)
def test_a_session_of_craps_or_sic_bo_worked_out_by_hand(text: str) -> None:
    play(text)


@pytest.mark.parametrize("text", SESSIONS.values(), ids=SESSIONS)
def test_refused_lines_between_the_commands_change_nothing(text: str) -> None:
    play_disturbed(text)
