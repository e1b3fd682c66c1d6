"""What people see of each other: an evening at all five books, seen by a player, a stranger and staff.

Ann is sent the same whatever the others are called, have and stake, and whatever staff write down: every event is sent
to her twice, once with everything changed that is not for her, and both are the same. `OPEN` is the list of what anyone
may know, written here and nowhere else.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import httpx
import msgspec
import pytest

from croupier.contract.replies import Reply
from croupier.house import orders
from croupier.house.electronic.public_record import kind, line
from croupier.house.events import Limits
from croupier.house.live_streams import Head
from croupier.house.stored_events import Document, Entry, read
from croupier.house.table_state import TableState, evolve
from croupier.house.views.visibility import ANOTHER, Shown, Viewer, show_table
from croupier.rulebooks import ids
from croupier.rules.conduct import KINDS, Act
from croupier.server.credentials import Credentials
from croupier.server.live import EncodedEntries
from croupier.server.settings import Settings
from croupier.store.opening import open_store
from croupier.store.records import Record
from croupier.table.state import TableView
from tests.electronic import own_commitment, own_number
from tests.houses import SHELF, TestHouse
from tests.serving import Person, running

ANN, OTHERS = "annika7", ("benzqx", "cleovw")
STAFF = {"doraq": "dealer", "samq": "supervisor", "miaq": "manager", "ottoq": "operator", "ivyq": "inspector"}
STAFF |= {"olgaq": "operator"}  # who signs with otto
RULES = b"rules"
NOTE = "qqnote"  # is in every text that anyone but Ann writes down
PASSWORD = "long enough for anybody"
LINES = 500  # tried at each table
STRANGER = Viewer()

# What anyone may know of each kind of event; of what is not here, only its kind. Everything else is someone's.
OPEN: dict[str, tuple[str, ...]] = {
    "table_set": ("table", "title", "rhythm"),
    "table_opened": ("terms", "settings", "phases", "call"),
    "table_reopened": ("call", "clause"),
    "sign_changed": ("settings", "clause"),
    "rules_adopted": ("terms", "clause"),
    "round_opened": ("number", "commitment", "opened", "closes", "protocol", "waits"),
    "clock_set": ("number", "closes"),
    "player_ready": ("number", "contributor", "ready"),
    "last_called": ("number", "closes"),
    "number_committed": ("number", "contributor", "commitment"),
    "bets_shut": ("number", "numbers", "ready"),
    "number_shown": ("number", "commitment", "shown"),
    "dice_drawn": ("number", "secret", "shut", "faces", "shown_until", "numbers"),
    "round_cancelled": ("number", "secret", "standing"),
    "bets_closed": ("call", "clause"),
    "bets_opened": ("call", "clause"),
    "thrown": ("faces", "call", "title", "clause", "ends_round", "thrown_at", "rested_at"),
    "throw_voided": ("reason", "call", "title", "run", "thrown_at", "rested_at"),
    "outcome_invalidated": ("reason", "clause", "thrown_at", "rested_at"),
    "phase_moved": ("phase", "before", "now", "clause"),
    "result_taken_back": ("faces", "ended_round", "clause"),
    "turn_opened": ("clause",),
    "turn_passed": ("clause",),
    "area_settled": ("wager", "pick", "state", "terms", "result", "clause"),
    "act_done": ("act", "call", "clause"),
}
# What has to have happened, or the evening proves nothing.
HAPPENED = {
    *("player_seated", "chips_bought", "player_left", "wager_placed", "wager_reduced", "wager_called", "wager_found"),
    *("bets_closed", "bets_opened", "thrown", "throw_voided", "area_settled", "area_moved", "phase_moved", "noted"),
    *("turn_passed", "act_done", "sign_changed", "payment_corrected", "float_moved", "rules_shown", "staff_came"),
    *(
        "staff_went",
        "outcome_invalidated",
        "result_taken_back",
        "tokens_issued",
        "round_opened",
        "number_committed",
        "number_shown",
        "dice_drawn",
        "table_opened",
    ),
}
ACTS = {"raise_dispute", "exclude_from_game", "exclude_from_casino", "player_sign", "fill_float", "load_rules"}
# Acts of staff that the person they are about is told of.
ABOUT_THEM = {"ask_again", "take_silence", "confirm_late", "exclude_from_game", "exclude_from_casino"}

MADE_SURE_OF = ("load_rules", "ask_rules", "exchange_voucher", "fill_float", "raise_dispute")
AT_LAST = ("exclude_from_game", "exclude_from_casino")


class Evening(NamedTuple):
    """What was played, and where."""

    house: TestHouse
    tables: dict[str, str]


class Player:
    """Someone who says anything at a table, mostly something that makes sense."""

    def __init__(self, house: TestHouse, table: str, book: str, random: Random) -> None:
        self.house, self.table, self.random = house, table, random
        self.book = SHELF.book(book)
        self._notes = 0

    def _faces(self) -> list[int | str]:
        rules = self.book.rules.throw
        return [self.random.choice(rules.faces) for _ in range(rules.throw)]

    def _wager(self) -> dict[str, object]:
        wager = self.random.choice(self.book.rules.wagers)
        return {"wager": wager.id, "pick": self.random.choice(list(self.book.picks(wager)))}

    def _text(self, who: str, act: Act, name: str) -> str:
        if name in act.choices:
            return self.random.choice(act.choices[name])
        if name == "document":
            return b64encode(RULES).decode()
        if name in ("person", "patron"):
            return self.random.choice([ANN, *OTHERS])
        self._notes += 1
        if name == "case":
            return f"{self.random.choice(['one', 'two', 'three'])}-{NOTE}"
        return f"{'own' if who == ANN else NOTE}-{self._notes}"

    def _value(self, who: str, act: Act, name: str) -> object:
        values: dict[str, object] = {
            "player": self.random.choice([ANN, *OTHERS]),
            "money": self.random.choice(["5.00", "10.00", "20.00", "100.00"]),
            "count": self.random.choice([1, 2]),
            "time": (self.house.at + timedelta(minutes=self.random.choice([-30, 0, 30]))).isoformat(),
            "faces": self._faces(),
            "reason": self.random.choice(act.grounds or [""]),
            "wager": self.random.choice(self.book.rules.wagers).id,
            "role": self.random.choice(self.book.conduct.role_ids),
        }
        sort = KINDS.get(name, "text")
        return self._text(who, act, name) if sort == "text" else values[sort]

    def act(self, who: str, only: str | None = None) -> dict[str, object]:
        act = self.random.choice(self.book.conduct.acts) if only is None else self.book.conduct.by_id[only]
        form = self.random.choice(act.forms)
        return {"do": act.id, **{name: self._value(who, act, name) for name in form}}

    def wagering(self) -> dict[str, object]:
        word = self.random.choice(["bet", "bet", "bet", "bet", "take", "call"])
        line = {"do": word, **self._wager()}
        if word == "bet":
            line["amount"] = self.random.choice(["10.00", "10.00", "20.00", "30.00"])
        return line | ({"on": self.random.random() < 0.5} if word == "call" else {})

    def running(self) -> dict[str, object]:
        rules, void = self.book.rules, self.book.rules.void
        faces = self._faces()
        told: object = "".join(map(str, faces)) if isinstance(faces[0], str) else faces
        grounds = [*void.grounds, *(void.invalidated.grounds if void.invalidated else [])]
        void_line: dict[str, object] = {"do": "void", "reason": self.random.choice(grounds)}
        if void.invalidated is not None and void_line["reason"] == void.invalidated.forfeits:
            void_line["forfeit"] = [self.random.choice([ANN, *OTHERS])]
        amount = self.random.choice(["10.00", "700.00"])
        find = {"do": "find", "player": self.random.choice([ANN, *OTHERS]), "amount": amount, **self._wager()}
        return self.random.choice(
            [{"do": "no_more_bets"}, {"do": rules.throw.command, rules.throw.field: told}, void_line, find]
        )


def surely(wager: str) -> Iterator[tuple[str, dict[str, object]]]:
    """What random play would hardly reach: wrong payments put right, wagers called Off, players with their own
    signs."""
    digest = sha256(RULES).hexdigest()
    yield "ottoq", {"do": "register_rules", "digest": digest}
    yield "olgaq", {"do": "countersign_rules", "digest": digest}
    for player in (ANN, *OTHERS):
        yield player, {"do": "bet", "wager": wager, "amount": "10.00"}
    yield "doraq", {"do": "roll", "dice": [3, 4]}
    for player in (ANN, *OTHERS):
        for way in ("underpaid", "overpaid"):
            case = f"{way}-{ANN[:2] if player == ANN else player}-{NOTE}"
            report: dict[str, object] = {"do": "report_mispayment", "case": case, "way": way, "amount": "7.00"}
            yield "samq", {**report, "player": player, "wager": wager}
            yield "samq", {"do": "enquire", "case": case, "finding": "unintentional"}
            yield "doraq", {"do": "reimburse", "case": case}
            yield player, {"do": "give_back", "case": case, "amount": "7.00"}
        yield "samq", {"do": "player_sign", "player": player, "minimum": "10.00", "maximum": "700.00"}
        yield player, {"do": "bet", "wager": "hardway", "pick": 6, "amount": "30.00"}
        yield player, {"do": "call", "wager": "hardway", "pick": 6, "on": True}


def _played(house: TestHouse, book: str, random: Random, *, dice: str) -> str:
    """One table with everyone at it, for some hundred lines."""
    table = house.dealt_table(book, f"{book}-{dice}", dice=dice, chip="1.00", max="500.00")
    says = Player(house, table, book, random)
    for who in (ANN, *OTHERS):
        house.do(orders.Sit(table=table, cents=2000_00), who)
    for who, role in STAFF.items():
        house.ok(orders.TakePost(table=table, role=role), who)
    for who, told in surely(says.book.rules.wagers[0].id):
        house.do(orders.Say(table=table, line=told), who)
    _each_does(house, says, MADE_SURE_OF)
    for number in range(LINES):
        house.at += timedelta(seconds=7)
        who = random.choice([ANN, ANN, *OTHERS])
        if random.random() < 0.45:
            told = says.wagering()
        elif random.random() < 0.5:
            who, told = random.choice(["doraq", "doraq", "samq"]), says.running()
        else:
            who = random.choice([ANN, *OTHERS, *STAFF])
            told = says.act(who)
        house.do(orders.Say(table=table, line=told), who)
        if number % 50 == 25:
            who = random.choice([ANN, *OTHERS])
            house.do(orders.BuyIn(table=table, cents=50_00), who)
            house.do(orders.GetUp(table=table), random.choice([ANN, *OTHERS]))
            house.do(orders.Sit(table=table, cents=100_00), random.choice([ANN, *OTHERS]))
            house.do(orders.LeavePost(table=table), "ivyq")
            house.do(orders.TakePost(table=table, role="inspector"), "ivyq")
    _each_does(house, says, AT_LAST)
    house.ok(orders.LeavePost(table=table), "doraq")  # a dealer runs one table at a time
    return table


def _each_does(house: TestHouse, says: Player, acts: tuple[str, ...]) -> None:
    for act in (act for act in acts if act in says.book.conduct.by_id):
        for who in (ANN, ANN, ANN, *OTHERS, *STAFF, *STAFF, *STAFF):
            house.do(orders.Say(table=says.table, line=says.act(who, act)), who)


def _by_the_clock(house: TestHouse, book: str, random: Random) -> str:
    table = house.clock_table(book, f"{book}-clock", min="1.00")
    says = Player(house, table, book, random)
    for who in (ANN, *OTHERS):
        house.do(orders.Sit(table=table, cents=500_00), who)
    for _ in range(120):
        house.wait(1)
        who, round = random.choice([ANN, *OTHERS]), house.house.table(table).rounds
        number = own_commitment(table, who, round)
        house.do(orders.Say(table=table, line=says.wagering(), round=round, number=number), who)
        house.do(orders.ShowNumber(table=table, round=round, number=own_number(who, round).hex()), who)
    return table


def play(house: TestHouse) -> Evening:
    """Everyone comes, every book is played, and much is written down."""
    for who in (ANN, *OTHERS):
        house.person(who, cents=1_000_000_00)
    for who, role in STAFF.items():
        house.person(who, role)
    house.ok(orders.SetLimits(person=OTHERS[0], limits=Limits(loss=900_000_00, minutes=1440)), OTHERS[0])
    random, tables = Random("an evening"), {}
    for book in ids():
        for dice in ("auto", "manual"):
            tables[_played(house, book, random, dice=dice)] = book
        tables[_by_the_clock(house, book, random)] = book
    house.ok(orders.Exclude(person=OTHERS[1], until=None), "samq")
    return Evening(house, tables)


@pytest.fixture(scope="module")
def evening() -> Evening:
    return play(TestHouse())


def entries(evening: Evening, table: str) -> list[Entry]:
    return list(map(read, evening.house.store.read(f"table/{table}")))


def is_anns(entry: Entry) -> bool:
    """Whether an event is Ann's own: about her, or caused by her."""
    event = entry.document.event
    if kind(event) in ("act_done", "rules_shown"):
        return entry.document.who == ANN
    return getattr(event, "player", None) == ANN


def names(told: object) -> list[str]:
    text = json.dumps(told)
    return [name for name in (*OTHERS, *STAFF, NOTE) if name in text]


def plain(reply: Reply) -> dict[str, Any]:
    """A reply as it is sent."""
    sent: dict[str, Any] = msgspec.to_builtins(reply)
    return sent


def test_everything_happened_that_evening(evening: Evening) -> None:
    """Otherwise the other tests prove nothing."""
    seen: Counter[str] = Counter()
    acts: set[str] = set()
    for table in evening.tables:
        for entry in entries(evening, table):
            seen[kind(entry.document.event)] += 1
            acts.add(getattr(entry.document.event, "act", ""))
    assert HAPPENED - set(seen) == set(), seen
    assert ACTS - acts == set(), sorted(acts)


# What Ann hears does not hang on what is not hers


def changed(value: Any) -> Any:  # noqa: ANN401
    """A different value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1_000_003
        case str():
            return f"{value} otherwise"
        case dict():
            return {changed(name): changed(inner) for name, inner in value.items()}
        case list():
            return [changed(inner) for inner in value] or value
    return value


def with_others_changed(plain: dict[str, Any]) -> dict[str, Any]:
    """An event with a change to everything that Ann may not know."""
    sort, made = plain["type"], dict(plain)
    known = {"type", "wager", "pick", "state", "terms", *OPEN.get(sort, ())}  # an area has to be one of the book
    for name in set(plain) - known:
        made[name] = _of_others_changed(plain, name)
    if sort in ("table_opened", "sign_changed"):
        signs = plain["settings"]["player_limits"].items()
        own = {
            name if name == ANN else changed(name): limit if name == ANN else changed(limit) for name, limit in signs
        }
        made["settings"] = plain["settings"] | {"player_limits": own}
    return made


def _of_others_changed(plain: dict[str, Any], name: str) -> Any:  # noqa: ANN401
    sort, value = plain["type"], plain[name]
    match name:
        case "stakes" | "tokens" if sort == "area_settled":
            return [row if row[0] == ANN else changed(row) for row in value]
        case "settled" | "reduced":
            return [each if each.get("player") == ANN else with_others_changed(each) for each in value]
        case "facts":  # whether a table is closing is on its sign
            return changed(value) | {name: fact for name, fact in value.items() if name == "table"}
        case "players" | "forfeit":
            return [one if one == ANN else changed(one) for one in value]
        case "said" if plain["act"] in ABOUT_THEM and ANN in (value.get("player"), value.get("person")):
            return value
        case "by" if sort in ("thrown", "throw_voided") and value == ANN:
            return value
        case _ if sort == "area_moved" and ANN in plain["players"]:
            return value
    return changed(value)


def otherwise(entry: Entry) -> Entry:
    """The entry as it would be with different other players and different notes by staff."""
    document = entry.document
    event = msgspec.convert(with_others_changed(msgspec.to_builtins(document.event)), type(document.event))
    who = document.who if document.who == ANN else "somebody else"
    other = Document(document.format, document.at, event, who, changed(document.role), changed(document.order))
    if document.who == ANN:
        other = msgspec.structs.replace(other, role=document.role, order=document.order)
    return msgspec.structs.replace(entry, document=other)


def view_of(evening: Evening, table: str) -> TableView:
    return TableView(SHELF, evening.house.house.table(table).game)


def test_what_ann_is_told_hangs_on_nothing_that_is_not_hers(evening: Evening) -> None:
    for table in evening.tables:
        view = view_of(evening, table)
        for entry in entries(evening, table):
            told = plain(Shown(view, entry).to(Viewer(ANN)))
            if not is_anns(entry):
                assert told == plain(Shown(view, otherwise(entry)).to(Viewer(ANN))), entry.document
            if entry.document.who != ANN:
                assert names(told) == [], entry.document


def test_a_stranger_is_told_nothing_of_anybody(evening: Evening) -> None:
    somebody = 0
    for table in evening.tables:
        view = view_of(evening, table)
        for entry in entries(evening, table):
            told = plain(Shown(view, entry).to(STRANGER))
            assert ANN not in json.dumps(told)
            assert names(told) == []
            assert not {"who", "as", "order"} & set(told)
            assert told == plain(Shown(view, otherwise(entry)).to(STRANGER))
            somebody += ANOTHER in json.dumps(told)
    assert somebody, "that somebody threw is no secret"


def test_ann_is_told_all_of_her_own(evening: Evening) -> None:
    own: Counter[str] = Counter()
    for table in evening.tables:
        view = view_of(evening, table)
        for entry in entries(evening, table):
            shown = Shown(view, entry)
            told, all_of_it = plain(shown.to(Viewer(ANN))), plain(shown.to(Viewer(None, all=True)))
            rows = all_of_it["events"]
            assert isinstance(rows, list)
            sort = kind(entry.document.event)
            if is_anns(entry):
                wanted = rows
            elif sort in ("area_settled", "area_moved") and any(row["player"] == ANN for row in rows):
                wanted = [row for row in rows if row["player"] == ANN]
            else:
                wanted = None
            if wanted is not None:
                own[sort] += 1
                assert told["events"] == wanted
                assert shown.concerns(ANN)
            if entry.document.who == ANN:
                assert (told["who"], told["order"]) == (ANN, entry.document.order)
            text = json.dumps(rows)
            if sort in ("thrown", "throw_voided", "outcome_invalidated", "sign_changed", "table_opened"):
                assert (f'"{ANN}"' in text) == (f'"{ANN}"' in json.dumps(told["events"])), "her name, where it is hers"
                own[sort] += f'"{ANN}"' in text
    wanted_kinds = {"player_seated", "wager_placed", "wager_called", "area_settled", "area_moved", "payment_corrected"}
    wanted_kinds |= {"act_done", "rules_shown", "thrown", "sign_changed", "tokens_issued", "player_left"}
    assert {sort for sort in wanted_kinds if not own[sort]} == set()


def test_ann_is_told_what_staff_do_about_her_but_not_who_does_it(evening: Evening) -> None:
    heard: Counter[str] = Counter()
    for table in evening.tables:
        view = view_of(evening, table)
        for entry in entries(evening, table):
            event = entry.document.event
            if kind(event) != "act_done" or entry.document.who == ANN:
                continue
            said = getattr(event, "said", {})
            [row] = plain(Shown(view, entry).to(Viewer(ANN)))["events"] or [{}]
            is_about_her = getattr(event, "act", "") in ABOUT_THEM and ANN in (said.get("player"), said.get("person"))
            assert (ANN in row.values()) == is_about_her
            assert set(row) <= {"type", "act", "player", "person", "wager", "pick", "call", "clause"}
            assert Shown(view, entry).concerns(ANN) or not is_about_her
            heard[row.get("act", "")] += is_about_her
    assert heard["exclude_from_game"]


def test_staff_are_told_everything(evening: Evening) -> None:
    for table in evening.tables:
        view = view_of(evening, table)
        for entry in entries(evening, table):
            told = plain(Shown(view, entry).to(Viewer("samq", all=True)))
            assert (told["who"], told["as"]) == (entry.document.who, entry.document.role)
            assert told["events"] or kind(entry.document.event) in ("area_moved", "area_settled")


def test_live_events_are_told_as_history_is(evening: Evening) -> None:
    """People who may see the same as a stranger get the stranger's bytes: nothing must be missing from them."""
    for table in evening.tables:
        view = view_of(evening, table)
        for entry in entries(evening, table):
            for look in (STRANGER, Viewer(ANN), Viewer(OTHERS[0]), Viewer("samq", all=True)):
                data = EncodedEntries(view, [entry]).to(look).data
                told = json.loads(re.search(rb"^data: (.*)$", data, re.MULTILINE).group(1))  # type: ignore[union-attr]
                assert told == json.loads(msgspec.json.encode(Shown(view, entry).to(look)))


# The table as it stands, after every event


def states(evening: Evening, table: str) -> Iterator[tuple[TableState, Head]]:
    state = TableState()
    for entry in entries(evening, table):
        state = evolve(state, [entry])
        if state.game.is_open:
            yield state, Head(entry.version, entry.hash)


def test_how_a_table_stands_shows_nobody_elses_chips_and_wagers(evening: Evening) -> None:
    for table in evening.tables:
        for state, head in states(evening, table):
            for look in (STRANGER, Viewer(ANN)):
                told = plain(show_table(SHELF, state, head, look))
                assert names(told) == []
                assert set(told["chips"]) <= {look.person}
                assert {row["player"] for row in told["wagers"]} <= {look.person}
                assert set(told.get("tokens", {})) <= {look.person}
                assert set(told.get("facts", {})) <= {"table"}
                assert "staff" not in told


def test_ann_sees_her_own_chips_and_wagers_and_staff_see_all(evening: Evening) -> None:
    for table in evening.tables:
        for state, head in states(evening, table):
            own = plain(show_table(SHELF, state, head, Viewer(ANN)))
            all_of_it = plain(show_table(SHELF, state, head, Viewer("samq", all=True)))
            assert own["chips"] == {name: chips for name, chips in all_of_it["chips"].items() if name == ANN}
            assert own["wagers"] == [row for row in all_of_it["wagers"] if row["player"] == ANN]
            assert own.get("tokens", {}).get(ANN) == all_of_it.get("tokens", {}).get(ANN)
            assert own["seated"] == (ANN in state.game.chips)
            assert set(all_of_it["chips"]) == set(state.game.chips)
            assert all_of_it["staff"] == state.staff


def test_the_public_record_names_nobody(evening: Evening) -> None:
    for table in evening.tables:
        for record in evening.house.store.read(f"table/{table}"):
            public = line(record)
            assert names(public.decode()) == []
            assert ANN not in public.decode()
            assert _public_part(record) == _public_part(_otherwise_stored(record))


def _otherwise_stored(record: Record) -> Record:
    entry = read(record)
    plain = msgspec.to_builtins(entry.document.event)
    if ANN in json.dumps(plain) or entry.document.who is not None:
        return msgspec.structs.replace(record, document=msgspec.json.encode(otherwise(entry).document))
    return record


def _public_part(record: Record) -> dict[str, Any]:
    shown = json.loads(line(record))
    return {name: value for name, value in shown.items() if name != "sha256"}


# The same over HTTP


def test_over_http_nobody_hears_more(tmp_path: Path) -> None:
    """Every way to look at a table, as a stranger, as Ann and as a supervisor."""
    store = open_store(f"sqlite:{tmp_path / 'house.db'}")
    house = TestHouse(store)
    evening = _short(house)
    known = Credentials.of(Settings(), store, house.entropy)
    for who in (ANN, OTHERS[0], "samq"):
        assert known.set_password(who, PASSWORD) is None
    ways = {table: _ways(evening, table) for table in evening.tables}
    said = {table: _said_by_ann(evening, table) for table in evening.tables}
    store.close()
    with running(tmp_path, demonstration=False) as opened:
        nobody, ann, sam = opened.nobody(), Person(opened.url, ANN, PASSWORD), Person(opened.url, "samq", PASSWORD)
        opened.people += [ann, sam]
        for table in evening.tables:
            for asked in ways[table]:
                strangers, anns, all_of_it = (_asked(person, asked) for person in (nobody, ann, sam))
                assert names(strangers) == []
                assert ANN not in strangers
                assert {name for name in names(anns) if name not in said[table]} == set(), asked
                if not asked.endswith("/record"):
                    assert OTHERS[0] in all_of_it
                    assert len(all_of_it) > len(anns) > len(strangers)


def _short(house: TestHouse) -> Evening:
    """Two tables, one with staff and one automatic: everyone has an open wager at the end."""
    for who in (ANN, *OTHERS):
        house.person(who, cents=1_000_000_00)
    for who, role in STAFF.items():
        house.person(who, role)
    random = Random("a short evening")
    tables = {_played(house, "craps-nsw-2024", random, dice="auto"): "craps-nsw-2024"}
    tables[_by_the_clock(house, "sic-bo-nsw-2016", random)] = "sic-bo-nsw-2016"
    return Evening(house, tables)


def _ways(evening: Evening, table: str) -> list[str]:
    head = evening.house.house.head(f"table/{table}").version
    at = next(head.version for state, head in states(evening, table) if _all_bet(state))
    return [
        f"/tables/{table}/{way}" for way in (f"at/{at}", "events?limit=1000", "record", f"live?after=0&upto={head}")
    ]


def _all_bet(state: TableState) -> bool:
    return {player for stakes in state.game.layout.values() for player in stakes} == {ANN, *OTHERS}


def _said_by_ann(evening: Evening, table: str) -> list[str]:
    """Ann can see what she herself has said of others."""
    own = [entry.document.event for entry in entries(evening, table) if entry.document.who == ANN]
    return names([msgspec.to_builtins(event) for event in own])


def _asked(person: Person, path: str) -> str:
    if "/live" not in path:
        reply = person.get(path)
        assert reply.status_code == 200, reply.text
        return reply.text
    path, _, last = path.partition("&upto=")
    text = ""
    with person.http.stream("GET", f"/api/v1{path}", timeout=httpx.Timeout(30)) as reply:
        for piece in reply.iter_text():
            text += piece
            if f"id: {last}\n" in text and text.endswith("\n\n"):
                return text
    raise AssertionError("the stream ended early")
