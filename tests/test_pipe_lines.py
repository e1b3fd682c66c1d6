"""Lines that are not commands: garbage, huge, deep, incomplete, binary; in process and through a real program."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from croupier.pipe import Pipe
from tests.talk import BOOKS, CLOSED_BOOKS, CRAPS, PLAIN, SIC_BO, TWO_UP, WINS, Talk

PROGRAM = [sys.executable, "-m", "croupier.cli.main", "table"]
DEEP = 100_000

GARBAGE: dict[str, bytes] = {
    "blank": b"",
    "newline": b"\n",
    "spaces": b"   ",
    "tab and return": b"\t\r",
    "word": b"roll",
    "half an object": b'{"do":"roll","dice":[1,',
    "two objects": b'{"do":"roll","dice":[1,2]} {"do":"roll","dice":[1,2]}',
    "trailing comma": b'{"do":"roll","dice":[1,2],}',
    "single quotes": b"{'do':'roll','dice':[1,2]}",
    "comment": b'{"do":"roll","dice":[1,2]} // now',
    "null": b"null",
    "true": b"true",
    "number": b"7",
    "string": b'"roll"',
    "list": b'["roll"]',
    "list of a command": b'[{"do":"roll","dice":[1,2]}]',
    "empty object": b"{}",
    "no verb": b'{"dice":[1,2]}',
    "verb of another type": b'{"do":["roll"],"dice":[1,2]}',
    "verb null": b'{"do":null,"dice":[1,2]}',
    "NaN": b'{"do":"roll","dice":[NaN,1]}',
    "Infinity": b'{"do":"roll","dice":[1,Infinity]}',
    "NUL": b"\x00",
    "NUL inside": b'{"do":"roll",\x00"dice":[1,2]}',
    "NUL at the end": b'{"do":"roll","dice":[1,2]}\x00',
    "binary": bytes(range(256)).replace(b"\n", b""),
    "not UTF-8": b'{"do":"seat","player":"\xff\xfe","chips":"1.00"}',
    "UTF-16": '{"do":"roll","dice":[1,2]}'.encode("utf-16"),
    "overlong UTF-8": b'{"do":"seat","player":"\xc0\xaf","chips":"1.00"}',
    "surrogate in UTF-8": b'{"do":"seat","player":"\xed\xa0\x80","chips":"1.00"}',
    "raw control character in a string": b'{"do":"seat","player":"a\x01b","chips":"1.00"}',
    "deep list": b"[" * DEEP,
    "deep closed list": b"[" * DEEP + b"]" * DEEP,
    "deep object": b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    "deep dice": b'{"do":"roll","dice":' + b"[" * DEEP + b"]" * DEEP + b"}",
    "huge number for dice": b'{"do":"roll","dice":[' + b"9" * 6000 + b",1]}",
    "huge number": b"9" * 100_000,
    "huge exponent for dice": b'{"do":"roll","dice":[1e999999,1]}',
    "huge number for a pick": b'{"do":"bet","player":"ann","wager":"hardway","pick":'
    + b"4" * 6000
    + b',"amount":"1.00"}',
    "huge number for money": b'{"do":"bet","player":"ann","wager":"field","amount":' + b"1" * 6000 + b"}",
    "very long line": b'{"do":"' + b"x" * 5_000_000 + b'"}',
    "very long name": b'{"do":"bet","player":"' + b"x" * 1_000_000 + b'","wager":"field","amount":"1.00"}',
}


@pytest.mark.parametrize("line", GARBAGE.values(), ids=GARBAGE)
@pytest.mark.parametrize("opened", [False, True], ids=["before open", "at an open table"])
def test_a_line_that_is_no_command_is_refused_and_the_table_goes_on(line: bytes, opened: bool) -> None:
    talk = Talk(CRAPS if opened else None)
    if opened:
        talk.bet("field", "10.00")
    assert talk.send(line)["ok"] is False
    if not opened:
        talk.do("open", book=CRAPS)
        talk.do("seat", player="ann", chips="100000.00")
        talk.bet("field", "10.00")
    talk.roll(1, 2)
    assert talk.chips() == "100010.00"


@pytest.mark.parametrize(
    "field",
    [
        b'"deep":' + b"[" * DEEP + b"]" * DEEP,
        b'"long":"' + b"y" * 2_000_000 + b'"',
        b'"number":' + b"9" * 6000,
        b'"number":1e999999',
        b'"lone":"\\ud800"',
        b'"\\ud800":1',
    ],
    ids=["deep", "long", "huge", "exponent", "surrogate", "surrogate key"],
)
def test_an_unknown_field_of_any_size_gets_one_valid_reply(field: bytes) -> None:
    talk = Talk(CRAPS)
    reply = talk.send(b'{"do":"roll","dice":[1,2],' + field + b"}")
    assert isinstance(reply["ok"], bool)
    talk.roll(1, 2)


@pytest.mark.parametrize("name", ["\\ud800", "a\\udfffb", "\\udc00\\ud800"])
@pytest.mark.parametrize("book", BOOKS)
def test_a_lone_surrogate_in_a_name_never_breaks_a_reply(book: str, name: str) -> None:
    talk = Talk(book)
    talk.send(f'{{"do":"seat","player":"{name}","chips":"1.00"}}'.encode())
    talk.send(f'{{"do":"bet","player":"{name}","wager":"field","amount":"1.00"}}'.encode())
    talk.send(f'{{"do":"bet","player":"ann","wager":"{name}","amount":"1.00"}}'.encode())
    talk.send(f'{{"do":"void","reason":"{name}"}}'.encode())
    talk.send(f'{{"do":"{name}"}}'.encode())
    assert talk.chips() == "100000.00"


@pytest.mark.parametrize(
    "name",
    [
        "Zoë",
        "安娜",
        "😀",
        'quote " and \\',
        "line\nbreak\r",
        "nul\x00",
        "\u2028\u2029\x85",
        "\x7f",
        "ann ",
        "ann",
        "x" * 999,
    ],
    ids=ascii,
)
def test_a_players_name_is_any_text_and_comes_back_unchanged(name: str) -> None:
    talk = Talk(CRAPS, seats={name: "10.00"})
    talk.bet("field", "1.00", player=name)
    assert talk.last["chips"] == {name: "9.00"}
    assert talk.last["wagers"][0]["player"] == name


NASTY: list[object] = [
    *(None, True, False, 0, 1, 2, 3, 4, 6, 12, -1, 10**400, 1.5, -0.0, 1e308, "", " ", "\x00", "\ud800", "é", "null"),
    *([], [[]], [1], [1, 2], [2, 1], [6, 6, 6], [1, 2, 3, 4], ["H", "T"], {}, {"4": 7}, {"field": 2}, {"": {}}),
    *(
        "HH",
        "HT",
        "size",
        "parity",
        "heads",
        "tails",
        "one",
        "exact",
        "auto",
        "7.1.1",
        "8.1",
        "5.2.1",
        "6.3(a)",
        "10.5.1",
    ),
    *("1.00", "10.00", "0.01", "0.00", "-1.00", "9" * 4000 + ".00", "9" * 5000 + ".00", "1e9", "NaN"),
    *("ann", "bob", "win_line", "come", "buy", "hardway", "horn", "total", "combination", "spinner", "super_streak"),
    *("2024-08-18", "2024-08-18T23:59:59Z", "24:00", "0001-01-01", "9999-12-31T23:59:59", "2024-08-18T00:00:00+23:59"),
]
VERBS = ["open", "seat", "bet", "take", "call", "no_more_bets", "roll", "spin", "void", "wager_settled"]
FIELDS = ["player", "wager", "pick", "amount", "chips", "card", "on", "dice", "coins", "reason", "at", "min", "x"]


@pytest.mark.parametrize("book", BOOKS)
def test_any_value_in_any_field_gets_one_valid_reply(book: str) -> None:
    rng = random.Random(book)
    talk = Talk(book)
    for _ in range(2500):
        command = {"do": rng.choice(VERBS)} | {
            field: rng.choice(NASTY) for field in rng.sample(FIELDS, rng.randint(3, 9))
        }
        command |= rng.choice([{}, {"player": "ann"}, {"player": "ann", "amount": "4.00"}])
        talk.send(json.dumps(command).encode())


OPEN_FIELDS = ["chip", "min", "max", "pay_table", "super_streak", "units", "dice", "at", "x"]


@pytest.mark.parametrize("book", BOOKS)
def test_any_value_in_any_field_of_open_gets_one_valid_reply(book: str) -> None:
    rng = random.Random(book)
    for _ in range(300):
        fields = {field: rng.choice(NASTY) for field in rng.sample(OPEN_FIELDS, rng.randint(1, 3))}
        talk = Talk()
        talk.ask("open", book=book, **fields)
        talk.ask("seat", player="ann", chips="100.00")
        talk.ask("bet", player="ann", wager=PLAIN[book], amount="10.00")


@pytest.mark.parametrize("card", [True, False])
@pytest.mark.parametrize(
    ("at", "before"),
    [
        ("9999-12-31T23:59:59Z", False),
        ("9999-12-31T23:59:59-12:00", False),
        ("0001-01-01T00:00:00+14:00", True),
        ("0001-01-01T00:00:00Z", True),
    ],
)
def test_the_first_and_the_last_day_that_can_be_written_are_times_too(at: str, before: bool, card: bool) -> None:
    talk = Talk(CRAPS)
    talk.do("seat", player="eve", chips="1.00", card=card)
    reply = talk.ask("bet", player="eve", wager="field", amount="1.00", at=at)
    assert reply["ok"] is (card or before)


def test_white_space_that_json_allows_is_no_end_of_line() -> None:
    talk = Talk(CRAPS)
    assert talk.send(b' \t{ "do" :\r"roll", "dice"\t: [ 1 ,2 ] } \r\n')["ok"]
    assert talk.send(b'{"do":"\\u0072oll","dice":[1,2]}')["ok"]


@contextmanager
def program() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with process:
        try:
            yield process
        finally:
            process.kill()


def run(lines: bytes) -> list[dict[str, object]]:
    """The replies of a whole session; the program must end by itself, with status 0 and nothing on standard error."""
    done = subprocess.run(PROGRAM, input=lines, capture_output=True, timeout=30, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"" or done.stdout.endswith(b"\n")
    return [json.loads(line) for line in done.stdout.decode("utf-8").split("\n")[:-1]]


def test_each_reply_is_flushed_before_the_next_line_is_sent_and_the_end_of_input_ends_with_status_zero() -> None:
    commands = [
        ({"do": "open", "book": CRAPS}, True, {}),
        ({"do": "seat", "player": "ann", "chips": "20.00"}, True, {"ann": "20.00"}),
        ({"do": "bet", "player": "ann", "wager": "field", "amount": "30.00"}, False, {"ann": "20.00"}),
        ({"do": "bet", "player": "ann", "wager": "field", "amount": "5.00"}, True, {"ann": "15.00"}),
        ({"do": "roll", "dice": [6, 6]}, True, {"ann": "30.00"}),
    ]
    with program() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        for command, ok, chips in commands:
            process.stdin.write(json.dumps(command).encode() + b"\n")
            process.stdin.flush()
            reply = json.loads(process.stdout.readline())
            assert (reply["ok"], reply["chips"]) == (ok, chips)
        process.stdin.close()
        assert process.stdout.read() == b""
        assert process.wait(timeout=30) == 0
        assert process.stderr.read() == b""


@pytest.mark.parametrize(
    ("lines", "replies"), [(b"", []), (b"\n", [False]), (b"\n\n\n", [False] * 3), (b"x", [False])], ids=repr
)
def test_an_empty_or_blank_input_ends_with_status_zero(lines: bytes, replies: list[bool]) -> None:
    assert [reply["ok"] for reply in run(lines)] == replies


def test_garbage_gets_one_refusal_a_line_in_order_and_no_traceback() -> None:
    bad = [line.replace(b"\n", b"") for line in GARBAGE.values()]
    start = b'{"do":"open","book":"sic-bo-nsw-2016"}\n{"do":"seat","player":"ann","chips":"5.00"}\n'
    names = b'{"do":"seat","player":"\\ud800","chips":"1.00"}\n'
    replies = run(start + b"\n".join(bad) + b"\n" + names + b'{"do":"no_more_bets"}\n')
    assert [reply["ok"] for reply in replies[:2]] == [True, True]
    assert [reply["ok"] for reply in replies[2 : 2 + len(bad)]] == [False] * len(bad)
    assert len(replies) == 2 + len(bad) + 2
    assert replies[-1]["ok"] is True


@pytest.mark.parametrize(
    ("last", "ok", "chips"),
    [
        (b'{"do":"seat","player":"bob","chips":"5.00"}', True, {"ann": "5.00", "bob": "5.00"}),
        (b'{"do":"seat","player":"bob","ch', False, {"ann": "5.00"}),
        (b"\x00\xff", False, {"ann": "5.00"}),
    ],
    ids=["whole", "half", "binary"],
)
def test_a_last_line_without_a_newline_is_answered_too(last: bytes, ok: bool, chips: dict[str, str]) -> None:
    start = f'{{"do":"open","book":"{SIC_BO}"}}\n{{"do":"seat","player":"ann","chips":"5.00"}}\n'.encode()
    replies = run(start + last)
    assert len(replies) == 3
    assert (replies[-1]["ok"], replies[-1]["chips"]) == (ok, chips)


def test_only_a_newline_ends_a_line() -> None:
    name = "a\u2028b\u2029c\x85d"
    seat = json.dumps({"do": "seat", "player": name, "chips": "1.00"}, ensure_ascii=False).encode()
    replies = run(f'{{"do":"open",\r"book":"{CRAPS}"}}\r\n'.encode() + seat + b"\r\n")
    assert [reply["ok"] for reply in replies] == [True, True]
    assert replies[-1]["chips"] == {name: "1.00"}


def test_the_program_answers_what_the_pipe_answers() -> None:
    lines = [
        b'{"do":"open","book":"two-up-nsw-2016"}',
        b'{"do":"seat","player":"ann","chips":"50.00"}',
        b'{"do":"bet","player":"ann","wager":"spinner","pick":"heads","amount":"10.00"}',
        b'{"do":"spin","coins":"HH"}',
        b'{"do":"no_more_bets"}',
        b'{"do":"spin","coins":"TT"}',
    ]
    pipe = Pipe()
    assert run(b"\n".join(lines)) == [json.loads(pipe.answer(line)) for line in lines]


@pytest.mark.parametrize("book", BOOKS)
def test_money_has_no_ceiling(book: str) -> None:
    digits = 5000
    outcome = WINS[book]
    close: list[dict[str, object]] = [{"do": "no_more_bets"}] if book in CLOSED_BOOKS else []
    throw: dict[str, object] = {"do": "spin", "coins": outcome} if book == TWO_UP else {"do": "roll", "dice": outcome}
    commands: list[dict[str, object]] = [
        {"do": "open", "book": book, "min": "1" * (digits - 1) + ".00", "max": "7" * digits + ".00"},
        {"do": "seat", "player": "ann", "chips": "9" * digits + ".99"},
        {"do": "bet", "player": "ann", "wager": PLAIN[book], "amount": "8" * digits + ".00"},
        {"do": "bet", "player": "ann", "wager": PLAIN[book], "amount": "1" * (digits - 2) + ".00"},
        {"do": "bet", "player": "ann", "wager": PLAIN[book], "amount": "1" * digits + ".00"},
        *close,
        throw,
    ]
    replies = run("\n".join(map(json.dumps, commands)).encode())
    assert [reply["ok"] for reply in replies] == [True, True, False, False] + [True] * (len(commands) - 4)
    assert replies[2]["code"] == "stake_above_maximum"
    assert replies[4]["chips"] == {"ann": "8" * digits + ".99"}
    assert replies[-1]["chips"] == {"ann": "1" * digits + "0.99"}
