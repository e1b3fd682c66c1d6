"""Golden vectors: dice, receipts and prize draws worked out from the documents alone, with nothing of croupier.

`python -m tests.golden.make` writes `dice.json`, `receipts.json` and `draws.json` beside this file. The same vectors
are held against croupier's own code, against the checker page in a browser, and against the short verifiers of the
documentation. `tests/test_golden.py` makes them once more and compares.

In a record, `faults` are kinds of findings that a full check must report, each of them; a good record has none.
`short` says whether a verifier that only repeats the chain, the commitments, the numbers and the dice has to refuse it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from tests.golden import ed25519

HERE = Path(__file__).parent
Plain = dict[str, Any]
Face = int | str
DIE: list[Face] = [1, 2, 3, 4, 5, 6]
COIN: list[Face] = ["H", "T"]
START = datetime(2026, 11, 16, 12, tzinfo=UTC)


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def bits(label: str) -> bytes:
    """32 bytes that look like chance and are always the same."""
    return sha(b"golden\n", label.encode())


def compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


# -- dice -------------------------------------------------------------------------------------------------------------


def dice_commitment(protocol: int, table: str, number: int, secret: bytes) -> str:
    return sha(f"croupier dice {protocol}\n{table}\n{number}\n".encode(), secret).hex()


def number_commitment(table: str, number: int, own: bytes) -> str:
    return sha(f"croupier number 1\n{table}\n{number}\n".encode(), own).hex()


def throw_input(table: str, number: int, commitments: Sequence[str], numbers: Sequence[str]) -> bytes:
    rows = [f"{commitment} {own or '-'}\n" for commitment, own in zip(commitments, numbers, strict=True)]
    return sha(f"croupier throw 2\n{table}\n{number}\n{''.join(rows)}".encode())


def words(secret: bytes, message: bytes) -> Iterator[int]:
    for block in count():
        digest = hmac.digest(secret, message + block.to_bytes(4, "big"), "sha256")
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))


def fall(secret: bytes, message: bytes, faces: Sequence[Face], throw: int) -> tuple[list[Face], int]:
    """What falls, and how many words were thrown away on the way."""
    fell: list[Face] = []
    fair, away = 2**32 - 2**32 % len(faces), 0
    for word in words(secret, message):
        if word < fair:
            fell.append(faces[word % len(faces)])
        else:
            away += 1
        if len(fell) == throw:
            break
    return fell, away


def one_throw(
    name: str, protocol: int, table: str, number: int, secret: bytes, faces: Sequence[Face], throw: int, more: Plain
) -> Plain:
    """A vector for the functions alone. Protocol 1 has `shut`, protocol 2 `commitments` and `numbers`.

    Where there are too many faces to write down, `sides` says how many there are, numbered from 1.
    """
    message = bytes.fromhex(more["shut"]) if protocol == 1 else throw_input(table, number, **more)
    fell, away = fall(secret, message, faces, throw)
    return {
        "name": name,
        "protocol": protocol,
        "table": table,
        "round": number,
        "secret": secret.hex(),
        "commitment": dice_commitment(protocol, table, number, secret),
        **more,
        **({"input": message.hex()} if protocol == 2 else {}),
        **({"sides": len(faces)} if isinstance(faces, range) else {"faces": faces}),
        "throw": throw,
        "fell": fell,
        "rejected": away,
    }


def own_numbers(table: str, number: int, shown: Sequence[bool], label: str = "") -> tuple[list[str], list[str]]:
    """Commitments, sorted, and the number of each, or nothing where it is missing."""
    made = []
    for player, is_shown in enumerate(shown, 1):
        own = bits(f"number {label} {table} {number} {player}")
        made.append((number_commitment(table, number, own), own.hex() if is_shown else ""))
    made.sort()
    return [commitment for commitment, _ in made], [own for _, own in made]


def throws() -> list[Plain]:
    many = range(1, 3_000_000_001)  # three words in ten are thrown away
    made = []

    def first(name: str, table: str, number: int, faces: Sequence[Face], throw: int) -> None:
        secret, shut = bits(f"secret 1 {name}"), bits(f"shut 1 {name}").hex()
        made.append(one_throw(name, 1, table, number, secret, faces, throw, {"shut": shut}))

    def second(name: str, table: str, number: int, faces: Sequence[Face], throw: int, shown: Sequence[bool]) -> None:
        commitments, numbers = own_numbers(table, number, shown, name)
        more = {"commitments": commitments, "numbers": numbers}
        made.append(one_throw(name, 2, table, number, bits(f"secret 2 {name}"), faces, throw, more))

    first("two dice", "craps-1", 1, DIE, 2)
    first("three dice", "sic-bo", 128, DIE, 3)
    first("two coins", "two-up", 7, COIN, 2)
    first("more dice than one block has words", "many", 2, DIE, 20)
    first("a large round", "craps-1", 2**53, DIE, 2)
    first("words thrown away", "long-night", 9, many, 30)
    second("one number", "craps-1", 1, DIE, 2, [True])
    second("five numbers", "craps-1", 2, DIE, 2, [True] * 5)
    second("one of three missing", "craps-1", 3, DIE, 2, [True, False, True])
    second("all missing", "craps-1", 4, DIE, 2, [False, False])
    second("no numbers", "craps-1", 5, DIE, 2, [])
    second("three dice and a number", "sic-bo", 6, DIE, 3, [True, True])
    second("two coins and a number", "two-up", 7, COIN, 2, [True])
    second("a table of one letter", "x", 1, DIE, 2, [True])
    second("a table with dots and dashes", "a.b-c_d.9", 10, DIE, 2, [True, True])
    second("a table of forty letters", "0123456789abcdefghij0123456789abcdefghij", 3, DIE, 2, [True])
    second("a large round and number", "craps-1", 2**53, DIE, 2, [True])
    second("more dice and a number than one block has words", "many", 2, DIE, 20, [True])
    second("words thrown away, and no number", "long-night", 9, many, 30, [])
    second("words thrown away, and a number", "long-night", 9, many, 30, [True])
    return made


def numbers() -> list[Plain]:
    made = []
    for table, number in (("craps-1", 1), ("x", 2), ("a.b-c_d.9", 2**53)):
        own = bits(f"alone {table} {number}")
        made.append(
            {"table": table, "round": number, "number": own.hex(), "commitment": number_commitment(table, number, own)}
        )
    return made


# -- the public record of a table -------------------------------------------------------------------------------------


def stamp(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class Script:
    """What happens at a table, step by step, before it is chained: an insider may change any of it."""

    def __init__(self, protocol: int, table: str, faces: list[Face], throw: int) -> None:
        self.protocol, self.table, self.faces, self.throw = protocol, table, faces, throw
        self.at = START
        self.round = 0
        self.steps: list[Plain] = []
        rhythm = {"open": 20.0, "last_call": 5.0, "shut": 1.0, "show": 6.0}
        if protocol == 2:
            rhythm["numbers"] = 2.0
        self.does({"type": "table_set", "table": table, "title": "A golden table", "rhythm": rhythm})
        self.hides("player_seated")

    def does(self, event: Plain, after: float = 0.0) -> None:
        """The house acts by itself: the document is public."""
        self.at += timedelta(seconds=after)
        self.steps.append({"show": "document", "at": stamp(self.at), "event": event})

    def tells(self, event: Plain, after: float = 0.0) -> None:
        """Someone acts: what happened is public, without the name."""
        self.at += timedelta(seconds=after)
        self.steps.append({"show": "event", "event": event})

    def hides(self, kind: str) -> None:
        """Only the kind of it is public."""
        self.steps.append({"show": "type", "event": {"type": kind}})

    def opens(self, secret: bytes | None = None) -> bytes:
        self.round += 1
        secret = secret or bits(f"secret of {self.table} {self.protocol} {self.round}")
        opened: Plain = {
            "type": "round_opened",
            "number": self.round,
            "commitment": dice_commitment(self.protocol, self.table, self.round, secret),
            "opened": stamp(self.at),
            "closes": stamp(self.at + timedelta(seconds=20)),
        }
        self.does(opened | ({"protocol": 2} if self.protocol == 2 else {}))
        return secret

    def plays(self, shown: Sequence[bool] = (), ready: int = 0, after: float = 0.0) -> None:
        """A round as it should be. `shown`: a number for each contributor, and whether it comes in time.

        `ready`: so many contributors say so, and the bets are shut for that, `after` so many seconds more.
        """
        secret, table, number = self.opens(), self.table, self.round
        own = [bits(f"number of {table} {number} {player}") for player, _ in enumerate(shown, 1)]
        put_in = [number_commitment(table, number, each) for each in own]
        for player, commitment in enumerate(put_in, 1):
            self.hides("wager_placed")
            self.tells(
                {"type": "number_committed", "number": number, "contributor": player, "commitment": commitment}, 1.0
            )
        self.hides("wager_placed")
        shut: Plain = {"type": "bets_shut", "number": number}
        if ready:
            self.at += timedelta(seconds=after)
            for player in range(1, ready + 1):
                self.tells({"type": "player_ready", "number": number, "contributor": player, "ready": True}, 0.1)
            shut |= {"ready": list(range(1, ready + 1))}
        else:
            self.at = datetime.fromisoformat(self.steps_of("round_opened")[-1]["event"]["closes"])
            self.does({"type": "last_called", "number": number, "closes": stamp(self.at)}, -5.0)
            self.at += timedelta(seconds=5)
        self.does(shut | ({"numbers": sorted(put_in)} if self.protocol == 2 else {}))
        for commitment, each, is_shown in zip(put_in, own, shown, strict=True):
            if is_shown:
                self.tells(
                    {"type": "number_shown", "number": number, "commitment": commitment, "shown": each.hex()}, 0.1
                )
        known = {c: each.hex() for c, each, is_shown in zip(put_in, own, shown, strict=True) if is_shown}
        drawn: Plain = {"type": "dice_drawn", "number": number, "secret": secret.hex(), "shut": "", "faces": []}
        drawn["shown_until"] = stamp(self.at + timedelta(seconds=8))
        self.does(drawn | ({"numbers": [known.get(c, "") for c in sorted(put_in)]} if self.protocol == 2 else {}), 2.0)
        self.tells({"type": "thrown", "faces": [], "call": "", "role": "shooter", "clause": "4.4"})
        self.hides("area_settled")
        self.at += timedelta(seconds=7)

    def steps_of(self, kind: str) -> list[Plain]:
        return [step for step in self.steps if step["event"]["type"] == kind]

    def place(self, kind: str, nth: int = 1) -> int:
        return [at for at, step in enumerate(self.steps) if step["event"]["type"] == kind][nth - 1]

    def event(self, kind: str, nth: int = 1) -> Plain:
        found: Plain = self.steps_of(kind)[nth - 1]["event"]
        return found

    def lines(self) -> list[str]:
        """The public record: hashes follow, and dice fall, unless a step is marked to stay as it is."""
        stream = f"table/{self.table}"
        made = [{"record": "croupier public record", "format": 1, "stream": stream}]
        made[0] |= {"faces": self.faces, "throw": self.throw}
        chain, shut, fell = sha(b"croupier stream\n", stream.encode()), b"", list(self.faces[: self.throw])
        opened: Plain = {}
        commitments: list[str] = []
        for version, step in enumerate(self.steps, 1):
            event, keep = step["event"], step.get("keep", ())
            if event["type"] == "round_opened":
                opened = event
            if event["type"] == "bets_shut":
                commitments = event.get("numbers", [])
            if event["type"] == "dice_drawn":
                if "shut" not in keep:
                    event["shut"] = shut.hex()
                if "faces" not in keep:
                    message = bytes.fromhex(event["shut"])
                    if opened.get("protocol") == 2:
                        message = throw_input(self.table, event["number"], commitments, event["numbers"])
                    event["faces"] = fall(bytes.fromhex(event["secret"]), message, self.faces, self.throw)[0]
                fell = event["faces"]
            if event["type"] == "thrown" and "faces" not in keep:
                event["faces"] = fell
            document = compact({"format": 1, "at": step["at"], "event": event}) if step["show"] == "document" else ""
            digest = sha(document.encode()) if document else bits(f"withheld {self.table} {version} {compact(event)}")
            chain = sha(chain, digest)
            if event["type"] == "bets_shut":
                shut = chain
            line: Plain = {"version": version, "sha256": digest.hex(), "hash": chain.hex()}
            if step["show"] == "document":
                line["document"] = document
            elif step["show"] == "event":
                line["event"] = event
            else:
                line["type"] = event["type"]
            made.append(line)
        made.append({"count": len(self.steps), "head": chain.hex()})
        return [compact(line) for line in made]


def evening(protocol: int, table: str = "golden-1", faces: list[Face] = DIE, throw: int = 2) -> Script:
    """Three rounds. Under protocol 2: two numbers; one of three missing; no number."""
    script = Script(protocol, table, faces, throw)
    for shown in ([True, True], [True, False, True], []):
        script.plays(shown if protocol == 2 else [])
    return script


Change = Callable[[Script], None]
Edit = Callable[[list[str]], None]


def shows_another_secret(script: Script) -> None:
    script.event("dice_drawn", 2)["secret"] = bits("another").hex()


def shows_half_a_secret(script: Script) -> None:
    script.steps_of("dice_drawn")[1]["keep"] = ("faces",)
    script.event("dice_drawn", 2).update(secret="00" * 16, faces=script.faces[: script.throw])


def draws_other_dice(script: Script) -> None:
    script.lines()  # so that the faces are known
    step = script.steps_of("dice_drawn")[1]
    step["event"]["faces"] = [script.faces[script.faces.index(face) - 1] for face in step["event"]["faces"]]
    step["keep"] = ("faces",)


def settles_other_dice(script: Script) -> None:
    script.lines()
    step = script.steps_of("thrown")[1]
    step["event"]["faces"] = [script.faces[script.faces.index(face) - 1] for face in step["event"]["faces"]]
    step["keep"] = ("faces",)


def bets_late(script: Script) -> None:
    script.steps.insert(script.place("bets_shut", 2) + 1, {"show": "type", "event": {"type": "wager_placed"}})


def bets_early(script: Script) -> None:
    script.steps.insert(script.place("round_opened", 2), {"show": "type", "event": {"type": "wager_placed"}})


def skips_a_round(script: Script) -> None:
    del script.steps[script.place("bets_shut", 2) + 1 : script.place("round_opened", 3)]


def leaves_a_round_out(script: Script) -> None:
    del script.steps[script.place("round_opened", 2) : script.place("round_opened", 3)]


def draws_again(script: Script) -> None:
    at = script.place("dice_drawn", 2)
    again = json.loads(json.dumps(script.steps[at]))
    script.steps.insert(script.place("thrown", 2) + 1, again)
    script.steps.insert(
        script.place("dice_drawn", 3) + 1, json.loads(json.dumps(script.steps[script.place("thrown", 2)]))
    )


def cancels_after_the_shut(script: Script) -> None:
    at = script.place("bets_shut", 2)
    secret = script.event("dice_drawn", 2)["secret"]
    when = script.steps[at]["at"]
    del script.steps[at + 1 : script.place("round_opened", 3)]
    cancelled = {"type": "round_cancelled", "number": 2, "secret": secret}
    script.steps.insert(at + 1, {"show": "document", "at": when, "event": cancelled})


def cancels_with_bets(script: Script) -> None:
    at = script.place("last_called", 2)
    secret = script.event("dice_drawn", 2)["secret"]
    when = script.steps[at]["at"]
    del script.steps[at + 1 : script.place("round_opened", 3)]
    cancelled = {"type": "round_cancelled", "number": 2, "secret": secret}
    script.steps.insert(at + 1, {"show": "document", "at": when, "event": cancelled})


def cancels_after_a_bet_was_taken_down(script: Script) -> None:
    """Whose bet it was, and whether others stand, the record does not show."""
    cancels_with_bets(script)
    script.steps.insert(script.place("round_cancelled"), {"show": "type", "event": {"type": "wager_reduced"}})


def cancels_with_bets_of_the_round_before(script: Script) -> None:
    cancels_with_bets(script)
    del script.steps[script.place("round_opened", 2) + 1 : script.place("round_cancelled")]


def cancels_after_the_sign_was_withdrawn(script: Script) -> None:
    """The table was to close, and then was not."""
    cancels_with_bets(script)
    signs = [{"show": "event", "event": {"type": "act_done", "table": told}} for told in ("closing", None)]
    at = script.place("round_opened", 2)
    script.steps[at:at] = signs


def voids_a_throw(script: Script) -> None:
    voided = {"type": "throw_voided", "reason": "4.3.1", "call": "no roll"}
    script.steps.insert(script.place("thrown", 2) + 1, {"show": "event", "event": voided})


def never_settles(script: Script) -> None:
    del script.steps[script.place("thrown", 2)]


def settles_what_was_not_drawn(script: Script) -> None:
    thrown = json.loads(json.dumps(script.steps[script.place("thrown", 2)]))
    script.steps.insert(script.place("round_opened", 3), thrown)


def hides_the_draw(script: Script) -> None:
    step = script.steps_of("dice_drawn")[1]
    step["show"] = "event"


def calls_out_of_place(script: Script) -> None:
    script.steps.insert(script.place("round_opened", 2), script.steps[script.place("last_called", 1)])


def calls_for_an_earlier_time(script: Script) -> None:
    """The bets close when the last call says, which is before the time that was announced."""
    call, shut = script.steps_of("last_called")[1], script.steps_of("bets_shut")[1]
    call["event"]["closes"] = shut["at"] = stamp(datetime.fromisoformat(call["at"]) + timedelta(seconds=1))


def sets_the_clock_to_an_earlier_time(script: Script) -> None:
    call, shut = script.steps_of("last_called")[1], script.steps_of("bets_shut")[1]
    call["event"]["type"] = "clock_set"
    call["event"]["closes"] = shut["at"] = stamp(datetime.fromisoformat(call["at"]) + timedelta(seconds=1))


def shuts_early(script: Script) -> None:
    step = script.steps_of("bets_shut")[1]
    when = script.steps_of("last_called")[1]["at"]
    step["at"] = when


def shuts_late(script: Script) -> None:
    """Twenty minutes behind the time announced, and everything after it by as much."""
    for step in script.steps[script.place("bets_shut", 2) :]:
        if "at" in step:
            step["at"] = stamp(datetime.fromisoformat(step["at"]) + timedelta(minutes=20))
        for field in ("opened", "closes", "shown_until"):
            if field in step["event"]:
                later = datetime.fromisoformat(step["event"][field]) + timedelta(minutes=20)
                step["event"][field] = stamp(later)


def goes_back_in_time(script: Script) -> None:
    script.steps_of("dice_drawn")[1]["at"] = stamp(START)


def uses_a_secret_twice(script: Script) -> None:
    """The secret of round 1 again in round 2, and a commitment that fits."""
    secret = script.event("dice_drawn", 1)["secret"]
    script.event("dice_drawn", 2)["secret"] = secret
    fits = dice_commitment(script.protocol, script.table, 2, bytes.fromhex(secret))
    script.event("round_opened", 2)["commitment"] = fits


def changes_the_sign(script: Script) -> None:
    at = script.place("bets_shut", 2)
    settings = {"chip": 100, "limit": {"minimum": 500, "maximum": None}}
    changed = {"type": "sign_changed", "settings": settings, "clause": "3.1"}
    script.steps.insert(at + 1, {"show": "document", "at": script.steps[at]["at"], "event": changed})


def shows_a_number_that_does_not_open(script: Script) -> None:
    event = script.event("number_shown", 3)
    shut, drawn = script.event("bets_shut", 2), script.event("dice_drawn", 2)
    event["shown"] = bits("not it").hex()
    drawn["numbers"][shut["numbers"].index(event["commitment"])] = event["shown"]


def draws_by_a_number_that_was_not_shown(script: Script) -> None:
    drawn = script.event("dice_drawn", 2)
    drawn["numbers"][drawn["numbers"].index("")] = bits("made up").hex()


def leaves_a_shown_number_out(script: Script) -> None:
    event = script.event("number_shown", 3)
    shut, drawn = script.event("bets_shut", 2), script.event("dice_drawn", 2)
    drawn["numbers"][shut["numbers"].index(event["commitment"])] = ""


def drops_a_commitment(script: Script) -> None:
    shut, drawn = script.event("bets_shut", 1), script.event("dice_drawn", 1)
    gone = shut["numbers"].pop()
    drawn["numbers"].pop()
    script.steps = [
        step
        for step in script.steps
        if not (step["event"]["type"] == "number_shown" and step["event"]["commitment"] == gone)
    ]


def adds_a_commitment(script: Script) -> None:
    shut, drawn = script.event("bets_shut", 3), script.event("dice_drawn", 3)
    shut["numbers"], drawn["numbers"] = [bits("nobody's").hex()], [""]


def turns_the_order_round(script: Script) -> None:
    for event in (script.event("bets_shut", 1), script.event("dice_drawn", 1)):
        event["numbers"].reverse()


def draws_early(script: Script) -> None:
    """A second before the time of the missing number is over."""
    shut = datetime.fromisoformat(script.steps_of("bets_shut")[1]["at"])
    script.steps_of("dice_drawn")[1]["at"] = stamp(shut + timedelta(seconds=1))


def puts_a_second_number_in(script: Script) -> None:
    """The same player once more; it is not in the list."""
    at = script.place("number_committed", 2)
    again = {**script.steps[at]["event"], "commitment": bits("a second one").hex()}
    script.steps.insert(at + 1, {"show": "event", "event": again})


def puts_a_number_in_late(script: Script) -> None:
    late = {**script.event("number_committed", 2), "contributor": 9, "commitment": bits("a late one").hex()}
    script.steps.insert(script.place("bets_shut", 1) + 1, {"show": "event", "event": late})


def shows_a_number_late(script: Script) -> None:
    at = script.place("number_shown", 2)
    script.steps.insert(script.place("thrown", 1) + 1, script.steps.pop(at))


def goes_back_to_protocol_1(script: Script) -> None:
    opened = script.event("round_opened", 3)
    del opened["protocol"]
    secret = bytes.fromhex(script.event("dice_drawn", 3)["secret"])
    opened["commitment"] = dice_commitment(1, script.table, 3, secret)


# Rounds whose bets are shut because all players are ready


def ready_evening() -> Script:
    """Two players with numbers are ready, then one of them alone, then a player without a number."""
    script = Script(2, "golden-1", DIE, 2)
    script.plays([True, True], ready=2)
    script.plays([True], ready=1, after=2)
    script.plays([], ready=1, after=2)
    return script


def names_one_ready_too_few(script: Script) -> None:
    script.event("bets_shut", 1)["ready"].pop()


def names_somebody_who_never_said_so(script: Script) -> None:
    del script.steps[script.place("player_ready", 2)]


def shuts_though_one_took_it_back(script: Script) -> None:
    step = script.steps_of("player_ready")[1]
    script.steps.insert(script.place("bets_shut", 1), {**step, "event": {**step["event"], "ready": False}})


def passes_a_player_with_a_number_over(script: Script) -> None:
    del script.steps[script.place("player_ready", 2)]
    script.event("bets_shut", 1)["ready"].pop()


def does_not_say_why_the_bets_were_shut(script: Script) -> None:
    del script.event("bets_shut", 1)["ready"]


def shuts_before_the_others_could_put_numbers_in(script: Script) -> None:
    opened = datetime.fromisoformat(script.steps_of("round_opened")[1]["at"])
    script.steps_of("bets_shut")[1]["at"] = stamp(opened + timedelta(seconds=1.9))


def shuts_while_the_clock_stands_still(script: Script) -> None:
    """No time was announced: it begins with the first bet."""
    script.event("round_opened", 1)["waits"] = True
    del script.event("bets_shut", 1)["ready"]
    late = datetime.fromisoformat(script.event("round_opened", 1)["closes"])
    script.steps_of("bets_shut")[0]["at"] = script.steps_of("dice_drawn")[0]["at"] = stamp(late)


def announces_no_time(script: Script) -> None:
    """A round that takes no bets, although players with numbers in the round before have not put any in."""
    announces(script, 0.0)


def announces_hardly_any_time(script: Script) -> None:
    announces(script, 1.0)


def announces(script: Script, seconds: float) -> None:
    """The bets of the last round are open for so long, and nobody says anything about being ready."""
    opened, shut = script.steps_of("round_opened")[2], script.steps_of("bets_shut")[2]
    at = stamp(datetime.fromisoformat(opened["at"]) + timedelta(seconds=seconds))
    opened["event"]["closes"] = shut["at"] = at
    del shut["event"]["ready"]
    del script.steps[script.place("player_ready", 4)]


def is_ready_after_the_bets_were_shut(script: Script) -> None:
    at = script.place("player_ready", 2)
    script.steps.insert(script.place("bets_shut", 1) + 1, dict(script.steps[at]))


READY: list[tuple[Change, str, bool]] = [
    (names_one_ready_too_few, "shut_early", True),
    (names_somebody_who_never_said_so, "shut_early", True),
    (shuts_though_one_took_it_back, "shut_early", True),
    (passes_a_player_with_a_number_over, "shut_early", True),
    (does_not_say_why_the_bets_were_shut, "shut_early", False),
    (shuts_before_the_others_could_put_numbers_in, "shut_early", False),
    (announces_no_time, "shut_early", False),
    (announces_hardly_any_time, "shut_early", False),
    (shuts_while_the_clock_stands_still, "shut_early", False),
    (is_ready_after_the_bets_were_shut, "out_of_place", True),
]


def the_clock() -> Plain:
    """The time begins with the first bet, stops when it is taken down, and begins again."""
    script = Script(2, "golden-1", DIE, 2)
    secret = script.opens()
    script.event("round_opened")["waits"] = True
    clock: Plain = {"type": "clock_set", "number": 1}
    for kind, waited in (("wager_placed", 100.0), ("wager_reduced", 5.0), ("wager_placed", 300.0)):
        script.at += timedelta(seconds=waited)
        script.hides(kind)
        stops = kind == "wager_reduced"
        closes = None if stops else stamp(script.at + timedelta(seconds=20))
        script.does({**clock, "closes": closes}, 15.0 if stops else 0.0)
    script.does({"type": "bets_shut", "number": 1, "numbers": []}, 20.0)
    drawn: Plain = {"type": "dice_drawn", "number": 1, "secret": secret.hex(), "shut": "", "faces": [], "numbers": []}
    script.does(drawn | {"shown_until": stamp(script.at + timedelta(seconds=8))}, 2.0)
    script.tells({"type": "thrown", "faces": [], "call": "", "role": "shooter", "clause": "4.4"})
    return good("a clock that waits for bets", script)


def without_bets() -> Plain:
    """A round that takes no bets waits for players who had a number in the one before; one of them has left."""
    script = Script(2, "two-up.golden", COIN, 2)
    script.plays([True, True])
    secret, commitment = script.opens(), number_commitment(script.table, 2, bits("number of a round without bets"))
    script.event("round_opened", 2)["closes"] = script.event("round_opened", 2)["opened"]
    put_in: Plain = {"type": "number_committed", "number": 2, "contributor": 1, "commitment": commitment}
    script.tells(put_in, 0.5)
    script.does({"type": "bets_shut", "number": 2, "numbers": [commitment]}, 1.5)
    drawn: Plain = {"type": "dice_drawn", "number": 2, "secret": secret.hex(), "shut": "", "faces": [], "numbers": [""]}
    script.does(drawn | {"shown_until": stamp(script.at + timedelta(seconds=8))}, 2.0)
    script.tells({"type": "thrown", "faces": [], "call": "", "role": "spinner", "clause": "4.4"})
    return good("a round without bets", script)


def changes_a_hash(lines: list[str]) -> None:
    line = json.loads(lines[4])
    line["hash"] = bits("no hash of this chain").hex()
    lines[4] = compact(line)


def changes_a_document(lines: list[str]) -> None:
    at = next(i for i, line in enumerate(lines) if "last_called" in line)
    lines[at] = lines[at].replace("last_called", "last_called ", 1).replace("12:00", "13:00", 1)
    line = json.loads(lines[at])
    line["document"] = line["document"].replace("last_called ", "last_called")
    lines[at] = compact(line)


def takes_a_record_out(lines: list[str]) -> None:
    del lines[5]


def takes_the_end_off(lines: list[str]) -> None:
    del lines[-1]


def cuts_the_record_short(lines: list[str]) -> None:
    del lines[-3:-1]


def names_another_head(lines: list[str]) -> None:
    lines[-1] = compact(json.loads(lines[-1]) | {"head": bits("no head").hex()})


def adds_a_line(lines: list[str]) -> None:
    lines.append(lines[-2])


# What an insider does, the fault, and whether a short verifier finds it.
INSIDE: list[tuple[Change, str, bool]] = [
    (shows_another_secret, "commitment_changed", True),
    (shows_half_a_secret, "commitment_changed", True),
    (draws_other_dice, "other_dice", True),
    (settles_other_dice, "other_throw", True),
    (bets_late, "late_bet", True),
    (bets_early, "early_bet", True),
    (skips_a_round, "skipped", True),
    (leaves_a_round_out, "missing", True),
    (draws_again, "redrawn", True),
    (cancels_after_the_shut, "skipped", True),
    (cancels_with_bets, "cancelled_with_bets", False),
    (voids_a_throw, "voided", True),
    (never_settles, "not_settled", True),
    (settles_what_was_not_drawn, "not_drawn", True),
    (hides_the_draw, "not_shown", True),
    (calls_out_of_place, "out_of_place", True),
    (calls_for_an_earlier_time, "out_of_place", False),
    (sets_the_clock_to_an_earlier_time, "out_of_place", False),
    (shuts_early, "shut_early", False),
    (shuts_late, "shut_late", False),
    (goes_back_in_time, "time_backwards", False),
    (uses_a_secret_twice, "secret_reused", False),
    (changes_the_sign, "sign_changed", False),
]
WITH_NUMBERS: list[tuple[Change, str, bool]] = [
    (shows_a_number_that_does_not_open, "number_changed", True),
    (draws_by_a_number_that_was_not_shown, "number_changed", True),
    (leaves_a_shown_number_out, "number_changed", True),
    (drops_a_commitment, "numbers_altered", True),
    (adds_a_commitment, "numbers_altered", True),
    (turns_the_order_round, "numbers_altered", True),
    (draws_early, "drawn_early", False),
    (puts_a_second_number_in, "numbers_altered", False),
    (puts_a_number_in_late, "out_of_place", False),
    (shows_a_number_late, "number_changed", False),
    (cancels_after_a_bet_was_taken_down, "cancelled_with_bets", False),
    (cancels_with_bets_of_the_round_before, "cancelled_with_bets", False),
    (cancels_after_the_sign_was_withdrawn, "cancelled_with_bets", False),
    (goes_back_to_protocol_1, "other_dice", False),
]
FROM_OUTSIDE: list[tuple[Edit, str]] = [
    (changes_a_hash, "altered"),
    (changes_a_document, "altered"),
    (takes_a_record_out, "missing"),
    (takes_the_end_off, "missing"),
    (cuts_the_record_short, "missing"),
    (names_another_head, "altered"),
    (adds_a_line, "added"),
]


def record(
    name: str, lines: list[str], faults: Sequence[str] = (), short: bool = True, more: Plain | None = None
) -> Plain:
    return {"name": name, "good": not faults, "faults": list(faults), "short": short, **(more or {}), "lines": lines}


def good(name: str, script: Script) -> Plain:
    lines = script.lines()
    drawn = [step["event"] for step in script.steps_of("dice_drawn")]
    own = [number for event in drawn for number in event.get("numbers", [])]
    told = {"protocol": script.protocol, "throws": [event["faces"] for event in drawn]}
    told |= {"numbers": len(own), "missing": own.count("")}
    return record(name, lines, more=told)


def both_protocols() -> Plain:
    """A table whose house was brought up to date between two rounds."""
    script = Script(1, "golden-1", DIE, 2)
    script.plays()
    script.protocol = 2
    script.plays([True])
    return good("protocol 1, then protocol 2", script)


def under_way() -> Plain:
    script = evening(2)
    script.opens()
    return good("a round under way", script)


def cancelled() -> Plain:
    script = Script(2, "golden-1", DIE, 2)
    secret = script.opens()
    script.does({"type": "round_cancelled", "number": script.round, "secret": secret.hex()}, 1.0)
    return good("a round cancelled without a bet", script)


def closing() -> Plain:
    """Bets stand, but the table closes: everyone sees that sign."""
    script = evening(2)
    secret = script.opens()
    script.hides("wager_placed")
    script.tells({"type": "act_done", "table": "closing"}, 1.0)
    script.does({"type": "round_cancelled", "number": script.round, "secret": secret.hex(), "standing": True}, 1.0)
    return good("a round cancelled as the table closes", script)


def records() -> list[Plain]:
    made = [
        good("protocol 1", evening(1)),
        good("protocol 2", evening(2)),
        good("protocol 2, coins", evening(2, "two-up.golden", COIN, 2)),
        good("protocol 2, three dice", evening(2, "9", DIE, 3)),
        both_protocols(),
        under_way(),
        cancelled(),
        closing(),
        good("bets shut when all were ready", ready_evening()),
        the_clock(),
        without_bets(),
    ]
    for change, fault, short in READY:
        script = ready_evening()
        change(script)
        name = f"ready: {change.__name__.replace('_', ' ')}"
        made.append(record(name, script.lines(), [fault], short, {"protocol": 2}))
    for protocol in (1, 2):
        for change, fault, short in INSIDE + (WITH_NUMBERS if protocol == 2 else []):
            script = evening(protocol)
            change(script)
            name = f"protocol {protocol}: {change.__name__.replace('_', ' ')}"
            made.append(record(name, script.lines(), [fault], short, {"protocol": protocol}))
    for edit, fault in FROM_OUTSIDE:
        lines = evening(2).lines()
        edit(lines)
        made.append(record(f"somebody {edit.__name__.replace('_', ' ')}", lines, [fault], more={"protocol": 2}))
    return made


# -- receipts ---------------------------------------------------------------------------------------------------------


def leaf(receipt: Plain) -> bytes:
    fields = (receipt["stream"], receipt["version"], receipt["hash"], receipt["at"], receipt["order"])
    return sha(("croupier receipt 1\n" + "".join(f"{field}\n" for field in fields)).encode())


def climbed(node: bytes, sibling: bytes) -> bytes:
    return sha(b"\x01", min(node, sibling), max(node, sibling))


KEY = bits("the house's key")
OTHER_KEY = bits("somebody else's key")


def receipt(stream: str, version: int, chain: str, order: str = "", path: int = 0, key: bytes = KEY) -> Plain:
    made: Plain = {
        "croupier": "receipt",
        "format": 1,
        "key": ed25519.public_key(key).hex(),
        "stream": stream,
        "version": version,
        "hash": chain,
        "at": stamp(START + timedelta(seconds=version % 86_400)),
        "order": order,
        "path": [bits(f"sibling {version} {step}").hex() for step in range(path)],
    }
    node = leaf(made)
    for sibling in made["path"]:
        node = climbed(node, bytes.fromhex(sibling))
    return made | {"signature": ed25519.sign(key, b"croupier receipts 1\n" + node).hex()}


def flipped(text: str) -> str:
    return ("1" if text[0] == "0" else "0") + text[1:]


def receipts() -> list[Plain]:
    """Each with what a check by the house's key says: good, `signature` (it was not signed so), or `other_key`."""
    chain, order = bits("a hash"), bits("an order").hex()
    stream, at = "table/craps-1", chain.hex()
    made: list[Plain] = []

    def say(name: str, given: Plain, fault: str | None = None) -> None:
        made.append({"name": name, "good": fault is None, "fault": fault, "receipt": given})

    for path in (0, 1, 2, 3, 7):
        say(f"a path of {path}", receipt(stream, 47, at, order, path))
    say("for no order", receipt(stream, 48, at, "", 2))
    say("an unusual table", receipt("table/a.b-c_d.9", 2**53, at, "", 1))
    good = receipt(stream, 47, at, order, 3)
    say("another version", good | {"version": 48}, "signature")
    say("another stream", good | {"stream": "table/craps-2"}, "signature")
    say("another hash", good | {"hash": flipped(at)}, "signature")
    say("another time", good | {"at": stamp(START)}, "signature")
    say("another order", good | {"order": ""}, "signature")
    say("a step of the path left out", good | {"path": good["path"][1:]}, "signature")
    say("a step of the path changed", good | {"path": [flipped(good["path"][0]), *good["path"][1:]]}, "signature")
    say("the path turned round", good | {"path": good["path"][::-1]}, "signature")
    say("the first half of the signature changed", good | {"signature": flipped(good["signature"])}, "signature")
    tail = good["signature"][:64] + flipped(good["signature"][64:])
    say("the second half of the signature changed", good | {"signature": tail}, "signature")
    scalar = int.from_bytes(bytes.fromhex(good["signature"][64:]), "little") + ed25519.ORDER
    large = good["signature"][:64] + scalar.to_bytes(32, "little").hex()
    say("a signature whose number is too large", good | {"signature": large}, "signature")
    say("a key that is none", good | {"key": "02" + "00" * 31}, "signature")
    say("a key that did not sign", good | {"key": ed25519.public_key(OTHER_KEY).hex()}, "signature")
    say("signed by another key", receipt(stream, 47, at, order, 3, OTHER_KEY), "other_key")
    return made


def malformed() -> list[Plain]:
    """What is no receipt at all: each is one sentence, whatever it is."""
    good = receipt("table/craps-1", 47, bits("a hash").hex(), "", 1)
    return [
        {"name": "another format", "line": compact(good | {"format": 2})},
        {"name": "no stream", "line": compact({key: value for key, value in good.items() if key != "stream"})},
        {"name": "a short hash", "line": compact(good | {"hash": "ab"})},
        {"name": "capitals", "line": compact(good | {"hash": good["hash"].upper()})},
        {"name": "a short signature", "line": compact(good | {"signature": good["signature"][:-2]})},
        {"name": "a version that is no number", "line": compact(good | {"version": "47"})},
        {"name": "a negative version", "line": compact(good | {"version": -1})},
        {"name": "a path that is no list", "line": compact(good | {"path": "none"})},
        {"name": "a path that is too long", "line": compact(good | {"path": [bits("x").hex()] * 65})},
        {"name": "a line feed in the stream", "line": compact(good | {"stream": "table/craps-1\n47"})},
        {"name": "a line feed in the time", "line": compact(good | {"at": good["at"] + "\n"})},
        {"name": "no JSON", "line": "This is not a receipt."},
    ]


def against() -> list[Plain]:
    """Receipts held against the record `protocol 2` of `dice.json`."""
    lines = [json.loads(line) for line in evening(2).lines()]
    stream, last = lines[0]["stream"], len(lines) - 2
    made = []

    def say(name: str, given: Plain, fault: str | None = None) -> None:
        made.append({"name": name, "good": fault is None, "fault": fault, "receipt": given})

    say("what the record has", receipt(stream, 9, lines[9]["hash"], "", 2))
    say("its first record", receipt(stream, 1, lines[1]["hash"]))
    say("its last record", receipt(stream, last, lines[last]["hash"], "", 1))
    say("another hash", receipt(stream, 9, bits("another past").hex(), "", 2), "forked")
    say("a later version", receipt(stream, last + 3, bits("a later hash").hex(), "", 2), "shorter")
    say("another table", receipt("table/elsewhere", 9, lines[9]["hash"], "", 2), "other_stream")
    return made


def pairs() -> list[Plain]:
    """Two receipts, and whether they convict the house by themselves."""
    stream, one, two = "table/craps-1", bits("one past").hex(), bits("another past").hex()
    made = [
        (
            "the same version and hash",
            receipt(stream, 47, one),
            receipt(stream, 47, one, bits("an order").hex(), 1),
            False,
        ),
        ("the same version, another hash", receipt(stream, 47, one), receipt(stream, 47, two, "", 1), True),
        ("another version", receipt(stream, 47, one), receipt(stream, 48, two), False),
        ("another stream", receipt(stream, 47, one), receipt("table/craps-2", 47, two), False),
        ("another key", receipt(stream, 47, one), receipt(stream, 47, two, "", 0, OTHER_KEY), False),
    ]
    return [{"name": name, "receipts": [a, b], "convicts": convicts} for name, a, b, convicts in made]


# -- prize draws ------------------------------------------------------------------------------------------------------


class Drawing:
    """A prize draw and its record."""

    def __init__(
        self, promotion: str, weights: Sequence[tuple[str, int]], prizes: int, reserves: int, each: bool
    ) -> None:
        self.secret = bits(f"secret of {promotion}")
        commitment = sha(f"croupier prize draw 1\n{promotion}\n".encode(), self.secret).hex()
        first: Plain = {"record": "croupier prize draw", "format": 1, "promotion": promotion, "commitment": commitment}
        first |= {"prizes": [f"prize {i}" for i in range(1, prizes + 1)], "reserves": reserves, "one_prize_each": each}
        self.each, self.prizes, self.reserves = each, prizes, reserves
        self.entries = [
            {"number": i, "entrant": bits(f"entrant {who}").hex()[:32], "weight": weight}
            for i, (who, weight) in enumerate(weights, 1)
        ]
        self.rows: list[Plain] = [first, *self.entries]
        self.left = [weight for _, weight in weights]
        self.held = {draw: draw for draw in range(1, prizes + 1)}
        self.count = 0
        self.next = prizes

    def close(self) -> None:
        self.digest = self.hashed()
        self.rows.append({"closed": len(self.entries), "sha256": self.digest})

    def hashed(self) -> str:
        return sha(*(f"{compact(row)}\n".encode() for row in self.rows)).hex()

    def show(self) -> None:
        self.rows.append({"secret": self.secret.hex()})
        for _ in range(self.prizes + self.reserves):
            self.draw()

    def draw(self) -> None:
        self.count += 1
        total = sum(self.left)
        won: Plain = {"number": None, "entrant": None}
        for attempt in count() if total else ():
            message = f"{self.digest}\n{self.count}\n{attempt}\n".encode()
            ticket = int.from_bytes(hmac.digest(self.secret, message, "sha256"), "big") >> 256 - total.bit_length()
            if ticket < total:
                won = self.at_ticket(ticket)
                break
        for i, entry in enumerate(self.entries):
            if entry is won or (self.each and entry["entrant"] == won["entrant"]):
                self.left[i] = 0
        prize = self.held.get(self.count)
        self.rows.append({"draw": self.count, "prize": prize, "number": won["number"], "entrant": won["entrant"]})

    def at_ticket(self, ticket: int) -> Plain:
        for entry, weight in zip(self.entries, self.left, strict=True):
            if ticket < weight:
                return entry
            ticket -= weight
        raise AssertionError("there is a ticket with that number")

    def pass_on(self, draw: int, because: str) -> None:
        self.next += 1
        self.rows.append({"passed": draw, "to": self.next, "because": because})
        self.held[self.next] = self.held.pop(draw)
        if self.next > self.count:
            self.draw()

    def lines(self) -> list[str]:
        return [compact(row) for row in [*self.rows, {"ended": len(self.rows), "sha256": self.hashed()}]]


def harbour(promotion: str = "harbour") -> Drawing:
    weights = [("ann", 3), ("ann", 2), ("ben", 1), ("cat", 6), ("dan", 2), ("eve", 4)]
    drawing = Drawing(promotion, weights, 2, 1, True)
    drawing.close()
    drawing.show()
    return drawing


def drawn_rows(drawing: Drawing) -> list[Plain]:
    return [row for row in drawing.rows if "draw" in row]


def holders(drawing: Drawing) -> Plain:
    """The entry with which each prize is now."""
    by_draw = {row["draw"]: row["number"] for row in drawn_rows(drawing)}
    return {str(prize): by_draw[draw] for draw, prize in sorted(drawing.held.items(), key=lambda each: each[1])}


def good_draw(name: str, drawing: Drawing) -> Plain:
    return record(name, drawing.lines(), more={"holders": holders(drawing) if drawing.count else {}})


def other_secret(drawing: Drawing) -> None:
    next(row for row in drawing.rows if "secret" in row)["secret"] = bits("another").hex()


def other_winner(drawing: Drawing) -> None:
    row = drawn_rows(drawing)[0]
    entry = drawing.entries[row["number"] % len(drawing.entries)]
    row.update(number=entry["number"], entrant=entry["entrant"])


def other_prize(drawing: Drawing) -> None:
    drawn_rows(drawing)[0]["prize"] = 2


def skipped_draw(drawing: Drawing) -> None:
    drawing.rows.remove(drawn_rows(drawing)[-1])


def drawn_again(drawing: Drawing) -> None:
    drawing.rows.append(drawn_rows(drawing)[-1])


def passed_over(drawing: Drawing) -> None:
    drawing.rows.append({"passed": 1, "to": 4, "because": "declined"})


def passed_by_nobody(drawing: Drawing) -> None:
    drawing.rows.append({"passed": 3, "to": 3, "because": "declined"})


def late_entry(drawing: Drawing) -> None:
    late = {"number": 7, "entrant": bits("late").hex()[:32], "weight": 9}
    drawing.rows.insert(len(drawing.entries) + 2, late)


def changed_weight(drawing: Drawing) -> None:
    drawing.entries[3]["weight"] = 5


def left_out(drawing: Drawing) -> None:
    del drawing.rows[3]


def entry_twice(drawing: Drawing) -> None:
    drawing.rows.insert(3, drawing.rows[2])


def secret_too_soon(drawing: Drawing) -> None:
    at = len(drawing.entries) + 1
    drawing.rows[at], drawing.rows[at + 1] = drawing.rows[at + 1], drawing.rows[at]


BAD_DRAWS: list[tuple[Callable[[Drawing], None], str]] = [
    (other_secret, "other_secret"),
    (other_winner, "other_winner"),
    (other_prize, "other_prize"),
    (skipped_draw, "skipped"),
    (drawn_again, "redrawn"),
    (passed_over, "skipped"),
    (passed_by_nobody, "redrawn"),
    (late_entry, "late_entry"),
    (changed_weight, "altered"),
    (left_out, "missing"),
    (entry_twice, "added"),
    (secret_too_soon, "out_of_place"),
]


def draws() -> list[Plain]:
    passed = harbour("passed-on")
    passed.pass_on(1, "unclaimed")
    passed.pass_on(2, "declined")
    many = Drawing("several-each", [("ann", 2**53), ("ben", 1), ("ann", 5)], 3, 2, False)
    many.close()
    many.show()
    announced = Drawing("announced", [], 1, 0, True)
    closed = Drawing("closed", [("ann", 1)], 1, 0, True)
    closed.close()
    made = [
        good_draw("one prize each", harbour()),
        good_draw("passed on to a reserve, then drawn further", passed),
        good_draw("several prizes each, large weights, more prizes than entries", many),
        good_draw("announced", announced) | {"short": False},
        good_draw("closed", closed) | {"short": False},
    ]
    for change, fault in BAD_DRAWS:
        drawing = harbour()
        change(drawing)
        made.append(record(f"bad: {change.__name__.replace('_', ' ')}", drawing.lines(), [fault]))
    lines = harbour().lines()
    made.append(record("bad: no end", lines[:-1], ["missing"]))
    ended = json.loads(lines[-1]) | {"sha256": bits("no hash").hex()}
    made.append(record("bad: another hash at the end", [*lines[:-1], compact(ended)], ["altered"]))
    made.append(record("bad: written with blanks", [lines[0], lines[1].replace(",", ", "), *lines[2:]], ["altered"]))
    made.append(record("bad: a line after the end", [*lines, lines[-1]], ["added"]))
    return made


# -- the files --------------------------------------------------------------------------------------------------------


def golden() -> dict[str, str]:
    """The text of each file, by its name."""
    key = ed25519.public_key(KEY).hex()
    files: dict[str, Plain] = {
        "dice.json": {"throws": throws(), "numbers": numbers(), "records": records()},
        "receipts.json": {
            "key": key,
            "receipts": receipts(),
            "malformed": malformed(),
            "record": "protocol 2",
            "against": against(),
            "pairs": pairs(),
        },
        "draws.json": {"records": draws()},
    }
    return {name: json.dumps(value, indent=1, ensure_ascii=False) + "\n" for name, value in files.items()}


if __name__ == "__main__":
    for name, text in golden().items():
        (HERE / name).write_text(text, encoding="utf-8")
