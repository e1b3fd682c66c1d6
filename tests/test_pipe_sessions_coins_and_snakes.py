"""Whole sessions of Two-Up and both Snake Eyes, computed by hand and written as in test_pipe_sessions.py."""

from __future__ import annotations

import pytest

from tests.test_pipe_sessions import play, play_disturbed

SESSIONS: dict[str, str] = {
    "two-up: heads against tails": """
        open two-up-nsw-2016
        seat ann 100.00
        seat bob 100.00
        ann bets heads 10.00
        bob bets tails 20.00 = 90.00 80.00
        ! spin HH
        close
        spin HT = 90.00 80.00
        ! ann bets heads 10.00
        spin TH = 90.00 80.00
        spin HH = 110.00 80.00
        ! spin HH
    """,
    "two-up: a spinner wins, spins again and loses": """
        open two-up-nsw-2016
        seat ann 100.00
        seat bob 100.00
        ann bets spinner:heads 10.00
        ann bets heads 10.00 = 80.00 100.00
        close
        spin HH = 100.00 100.00
        ! ann bets spinner:heads 10.00
        ! ann takes spinner:heads
        bob bets tails 5.00 = 100.00 95.00
        close
        spin HT
        spin HT
        spin HH = 100.00 95.00
        close
        spin HH = 185.00 95.00
        ann bets spinner:tails 10.00 = 175.00 95.00
        close
        spin HH = 175.00 95.00
        bob bets spinner:tails 2.00 = 175.00 93.00
        close; spin TT; close; spin TT; close
        spin TT = 175.00 110.00
    """,
    "two-up: five odds": """
        open two-up-nsw-2016
        seat ann 50.00
        seat bob 50.00
        ann bets spinner:tails 4.00
        ann bets tails 5.00
        bob bets heads 5.00 = 41.00 45.00
        close
        spin TT = 51.00 45.00
        bob bets heads 5.00 = 51.00 40.00
        close
        spin HT; spin TH; spin HT; spin TH
        ! bob takes heads
        spin HT = 51.00 40.00
        ! spin HT
        bob bets spinner:heads 4.00 = 51.00 36.00
    """,
    "two-up: every Tail starts the Odds afresh": """
        open two-up-nsw-2016
        seat ann 50.00
        ann bets spinner:tails 4.00 = 46.00
        close; spin HT; spin HT; spin HT; spin HT; spin TT
        close; spin HT; spin HT; spin HT; spin HT; spin TT
        close; spin HT; spin HT; spin HT; spin HT
        spin TT = 80.00
    """,
    "two-up: void spins": """
        open two-up-nsw-2016
        seat ann 50.00
        ann bets heads 10.00 = 40.00
        close
        void 7.1.1 = 40.00
        ann takes heads 4.00 = 44.00
        ! spin HH
        close
        spin HT
        void 7.3.1 = 44.00
        ! ann takes heads
        spin TT = 44.00
    """,
    "two-up: three invalid spins, the boxer spins on, five-dollar chips": """
        open two-up-nsw-2016 chip=5.00
        seat ann 100.00
        ! ann bets spinner:heads 2.00
        ann bets spinner:heads 5.00 = 95.00
        close; void 7.1.2; close; void 7.1.2; close
        void 7.3.4 = 95.00
        close; spin HH; close; spin HH; close
        spin HH = 140.00
    """,
    "snake eyes nsw: option one, hard six": """
        open snake-eyes-nsw-2019
        seat ann 100.00
        ann bets hardway:6 2.00
        ann bets six 5.00
        ann bets field 5.00
        ann bets ce_combo 3.00 = 85.00
        roll 3 3 = 116.00
    """,
    "snake eyes nsw: option two": """
        open snake-eyes-nsw-2019 pay_table=two
        seat ann 100.00
        ann bets hardway:4 3.00
        ann bets craps_three 2.00
        ann bets eleven_in_one 2.00
        ann bets field 4.00 = 89.00
        roll 1 2 = 129.00
        roll 2 2 = 153.00
        ann bets field 4.00 = 149.00
        roll 6 6 = 161.00
    """,
    "snake eyes nsw: a seven": """
        open snake-eyes-nsw-2019 pay_table=one
        seat ann 100.00
        ann bets hardway:8 4.00
        ann bets hardway_combo 5.00
        ann bets five 5.00
        ann bets eight 5.00
        ann bets any_seven 3.00 = 78.00
        roll 5 2 = 93.00
    """,
    "snake eyes nsw: the combo": """
        open snake-eyes-nsw-2019
        seat ann 60.00
        ann bets hardway_combo 5.00
        ann bets hardway:10 2.00
        ann bets five 5.00 = 48.00
        roll 4 1 = 58.00
        roll 1 1 = 58.00
        roll 5 1 = 58.00
        ann bets hardway_combo 5.00 = 53.00
        roll 5 5 = 95.00
    """,
    "snake eyes nsw: snake eyes and boxcars": """
        open snake-eyes-nsw-2019
        seat ann 50.00
        ann bets craps_two 1.00
        ann bets craps_twelve 1.00
        ann bets field 5.00
        ann bets ce_combo 2.00 = 41.00
        roll 1 1 = 105.00
        ann bets craps_twelve 1.00
        ann bets field 5.00 = 99.00
        roll 6 6 = 141.00
    """,
    "snake eyes nsw: reduced, void, rounded up": """
        open snake-eyes-nsw-2019
        seat ann 20.00
        ann bets hardway:4 3.00 = 17.00
        ann takes hardway:4 2.00 = 19.00
        void 5.3.1 = 19.00
        ! void 9.9
        roll 2 2 = 28.00
    """,
    "snake eyes nz: hardways at their highest": """
        open snake-eyes-nz
        seat ann 100.00
        ann bets hardway:6 2.00
        ann bets hardway:10 1.00 = 97.00
        roll 3 3 = 117.00
        roll 6 4 = 117.00
        ann bets hardway:10 1.00 = 116.00
        roll 5 5 = 124.00
    """,
    "snake eyes nz: lower odds displayed, Field option 2": """
        open snake-eyes-nz pay_table={"hardway":{"4":6},"craps_two":30,"field":2}
        seat ann 100.00
        ann bets hardway:4 5.00
        ann bets craps_two 2.00
        ann bets field 5.00 = 88.00
        roll 1 1 = 165.00
        roll 2 2 = 200.00
    """,
    "snake eyes nz: Field option 3": """
        open snake-eyes-nz pay_table={"field":3}
        seat ann 100.00
        ann bets field 10.00
        ann bets craps_twelve 1.00 = 89.00
        roll 6 6 = 143.00
        ann bets field 10.00 = 133.00
        roll 1 1 = 173.00
    """,
    "snake eyes nz: a seven": """
        open snake-eyes-nz
        seat ann 100.00
        seat bob 10.00
        ann bets six 5.00
        ann bets eight 5.00
        ann bets five 5.00
        ann bets any_seven 5.00
        bob bets hardway_combo 10.00 = 80.00 0.00
        ! bob bets field 1.00
        roll 6 1 = 105.00 0.00
    """,
    "snake eyes nz: eleven, then an easy eight": """
        open snake-eyes-nz
        seat ann 100.00
        ann bets eleven_in_one 2.00
        ann bets ce_combo 5.00
        ann bets craps_three 1.00
        ann bets hardway_combo 5.00 = 87.00
        roll 6 5 = 144.00
        void 6.3(g) = 144.00
        roll 2 6 = 144.00
        ann bets five 5.00 = 139.00
        roll 2 3 = 149.00
    """,
}


@pytest.mark.parametrize("text", SESSIONS.values(), ids=SESSIONS)
def test_a_session_of_two_up_or_snake_eyes_worked_out_by_hand(text: str) -> None:
    play(text)


@pytest.mark.parametrize("text", SESSIONS.values(), ids=SESSIONS)
def test_refused_lines_between_the_commands_change_nothing(text: str) -> None:
    play_disturbed(text)
