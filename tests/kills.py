"""People who send commands over HTTP to a house that is killed, and what must hold of the store afterwards.

Each of them notes what was answered and what was not. An unanswered command is sent again with the same key, or given
up. At the end every answer is in the store exactly once, and the store holds nothing that no one asked for.
"""

from __future__ import annotations

import signal
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random
from threading import Event as Flag
from typing import Any, NamedTuple

import httpx
import msgspec

from croupier.house import events as house_events
from croupier.house import names
from croupier.house.electronic.verification import verify_dice
from croupier.house.events import Limits
from croupier.house.reporting.bookkeeping import audit, entries
from croupier.house.stored_events import Document, decode
from croupier.money import format_cents
from croupier.server import demonstration
from croupier.store.contract import Reading
from croupier.store.keys import read_key
from croupier.store.opening import open_store
from croupier.store.records import Record
from croupier.store.verifying import verify
from croupier.table import events as table_events
from tests.electronic import own_commitment, own_number
from tests.mortal import Mortal, Nursery
from tests.postgres import wait_for_the_last_commit
from tests.serving import unsigned

CLOCK, STAFF = "quick", "staff"
TABLES = (CLOCK, STAFF, "craps-nsw-2024")  # one with a short rhythm, one run by a dealer, one of the demonstration
CRAPS = {"book": "craps-nsw-2024", "min": "1.00"}
# As quick as a house allows; one that waits would begin its last call again whenever the clock is put on.
RHYTHM = {"open": 1.0, "last_call": 0.2, "shut": 0.01, "show": 0.01, "waits": False}
PLAYERS = ("ann", "ben", "cai", "dee", "eve", "fay")
ABANDONED = 0.1  # of the commands in doubt are never sent again
AHEAD = "ahead"  # the file by which the clock of a house is put on
REPEATED = 0.1  # of the commands sent were answered before


class Deed(NamedTuple):
    """An action to ask for, and the event that must be in the store if it is done: its type and some of its fields."""

    path: str
    body: dict[str, Any]
    event: type[msgspec.Struct]
    fields: dict[str, Any]

    @property
    def table(self) -> str:
        """The table where it is done, if it is at a table."""
        return self.path.split("/")[2]

    @property
    def stream(self) -> str | None:
        """The table, account or promotion that it is about, if that existed before."""
        _, kind, *place = self.path.split("/")
        return f"{kind.removesuffix('s')}/{place[0]}" if place else None


class Told(NamedTuple):
    """An answer."""

    status: int
    body: dict[str, Any]

    @property
    def said(self) -> tuple[int, dict[str, Any]]:
        """The part that must be the same each time."""
        return self.status, unsigned(self.body)


class Command:
    """A deed that someone asked for, with its key; `told` is the first answer received."""

    def __init__(self, who: str, key: str, deed: Deed) -> None:
        self.who = who
        self.key = key
        self.deed = deed
        self.told: Told | None = None


class Guest:
    """Someone who sends one command after the other. A session or a token survives all kills."""

    _numbers = count(1)

    def __init__(self, person: str, seed: int, counts: Counter[str]) -> None:
        self.person = person
        self.rnd = Random(f"{seed} {person}")
        self.sent: list[Command] = []
        self.doubtful: Command | None = None
        self.counts = counts
        self.http = httpx.Client(timeout=30)
        self.headers: dict[str, str] = {}
        self.url = ""
        self.own: tuple[str, int] | None = None  # table and round of a number that is to be shown
        self.tables: tuple[str, ...] = TABLES
        self.seats: set[str] = set()
        self.unsure: set[str] = set()  # tables where they gave up a command for lost by which they sat down or got up
        self._prefix = f"{person}-{next(self._numbers)}"

    def sign_in(self, url: str, password: str, *, with_token: bool = False) -> None:
        """Sign in once; the session survives when the house is killed."""
        reply = self.http.post(f"{url}/api/v1/sign-in", json={"person": self.person, "password": password})
        assert reply.status_code == 200, reply.text
        self.headers = {"x-csrf-token": reply.json()["csrf"]}
        if with_token:
            body = {"name": "a program", "scopes": ["play"]}
            reply = self.http.post(f"{url}/api/v1/tokens", json=body, headers=self.headers)
            assert reply.status_code == 200, reply.text
            self.headers = {"authorization": f"Bearer {reply.json()['token']}"}
            self.http.cookies.clear()

    def visit(self, url: str, until: Flag) -> None:
        """Send commands until the house stops answering or the time is up."""
        self.url = url
        if self.doubtful is not None and self.rnd.random() < ABANDONED:
            self.give_up(self.doubtful)
        while not until.is_set() and self.step(url):
            pass

    def give_up(self, command: Command) -> None:
        """Do not send a command again, though it may have been carried out."""
        if command.deed.event in SEATING:
            self.unsure.add(command.deed.table)
        self.doubtful = None
        self.counts["abandoned"] += 1

    def step(self, url: str) -> bool:
        """Send one command; return whether the house answered."""
        if self.doubtful is not None:
            self.counts["sent again after no answer"] += 1
            return self.ask(url, self.doubtful)
        if self.sent and self.rnd.random() < REPEATED:
            known = self.rnd.choice(self.sent[-50:])
            if known.told is not None:
                self.counts["sent again after an answer"] += 1
                return self.ask(url, known)
        return self.ask(url, self.new(self.deed()))

    def new(self, deed: Deed) -> Command:
        """A command with a key of its own."""
        command = Command(self.person, f"{self._prefix}-{len(self.sent)}", deed)
        self.sent.append(command)
        return command

    def do(self, url: str, deed: Deed) -> None:
        """A command that has to be sent before any other."""
        command = self.new(deed)
        assert self.ask(url, command), "the house does not answer"
        assert command.told is not None
        assert command.told.status == 200, command.told

    def ask(self, url: str, command: Command) -> bool:
        """Send a command; return whether it was answered. The same key must always bring the same answer."""
        headers = self.headers | {"idempotency-key": command.key}
        try:
            reply = self.http.post(f"{url}/api/v1{command.deed.path}", json=command.deed.body, headers=headers)
        except httpx.TransportError:
            self.doubtful = command
            return False
        if reply.status_code == 503:  # it cannot be stored now
            self.doubtful = command
            return False
        told = Told(reply.status_code, reply.json())
        self.hear(command, told)
        return True

    def hear(self, command: Command, told: Told) -> None:
        """An answer came: the first one, or the same one again."""
        if self.doubtful is command:
            self.doubtful = None
        if command.told is not None:
            assert told.said == command.told.said, f"{command.key} was answered in two ways"
            return
        command.told = told
        if told.status == 200:
            self.counts["acknowledged"] += 1
            self._done(command.deed)
            return
        self.counts["refused"] += 1
        self._refused(command.deed, told.body["code"])

    def _refused(self, deed: Deed, code: str) -> None:
        if code in SURPRISING:
            self._surprised(deed, code)
        else:
            assert code in EXPECTED, (self.person, deed, code)
        if deed.event is house_events.NumberShown and code != "not_shut":
            self.own = None

    def _done(self, deed: Deed) -> None:
        """After an action that needs a seat, or the lack of one, the guest knows again whether they have one."""
        if deed.event is house_events.NumberShown:
            self.own = None
        if deed.event in SEATING:
            self.seats ^= {deed.table}
        if deed.event in (*SEATING, *SEATED):
            self.unsure.discard(deed.table)

    def _surprised(self, deed: Deed, code: str) -> None:
        """The house says the opposite of what the guest believed about their seat. A command they gave up must
        explain it."""
        is_seated = code == "already_seated"
        assert (deed.table in self.seats) is not is_seated, f"{self.person} knew it, and asked for {deed}: {code}"
        assert deed.table in self.unsure, f"{self.person} was told {code} to {deed}, and nothing explains it"
        self.seats ^= {deed.table}
        self.unsure.discard(deed.table)
        self.counts["by a command given up"] += 1

    def check(self, records: dict[str, list[Record]]) -> None:
        """Check what else must hold of the store after each kill."""

    def finish(self, url: str) -> None:
        """At the end: finish what was begun, and check that all is well."""

    def close(self) -> None:
        """Close the connection."""
        self.http.close()

    def deed(self) -> Deed:
        """The next deed to ask for."""
        table = self.rnd.choice(self.tables)
        if table not in self.seats:
            return self.sit(table)
        if self.own is not None and self.rnd.random() < 0.5:
            return self._show(*self.own)
        deeds: dict[Callable[[str], Deed], int] = {self._bet: 14, self.take: 3, self._buy: 2, self.leave: 2}
        deeds |= {self._limit: 1, self._ready: 3}
        return self.rnd.choices(list(deeds), list(deeds.values()))[0](table)

    def _with_chips(self, table: str, word: str, event: type[msgspec.Struct], least: int) -> Deed:
        cents = least + self.rnd.randrange(500)
        fields = {"player": self.person, "chips": cents}
        return Deed(f"/tables/{table}/{word}", {"chips": format_cents(cents)}, event, fields)

    def sit(self, table: str) -> Deed:
        """Sit down."""
        return self._with_chips(table, "seat", table_events.PlayerSeated, 5_00)

    def _buy(self, table: str) -> Deed:
        return self._with_chips(table, "chips", table_events.ChipsBought, 1)

    def leave(self, table: str) -> Deed:
        """Leave the seat."""
        return Deed(f"/tables/{table}/leave", {}, table_events.PlayerLeft, {"player": self.person})

    def _bet(self, table: str) -> Deed:
        cents = 100 * self.rnd.randint(1, 3)
        line = {"do": "bet", "wager": "field", "amount": format_cents(cents)}
        fields = {"player": self.person, "wager": "field", "amount": cents}
        body: dict[str, Any] = {"line": line}
        if table == CLOCK and (round := self.round(table)) is not None:
            self.own = table, round
            body |= {"round": round, "number": own_commitment(table, self.person, round)}
        return Deed(f"/tables/{table}/lines", body, table_events.WagerPlaced, fields)

    def round(self, table: str) -> int | None:
        """The number of a table's round, as the house reports it."""
        try:
            told = self.http.get(f"{self.url}/api/v1/tables/{table}").json()
        except (httpx.TransportError, ValueError):
            return None
        current = told.get("round")
        return None if current is None else int(current["number"])

    def _show(self, table: str, round: int) -> Deed:
        """Reveal the number that goes with a bet, whether the bets are closed or not."""
        shown = own_number(self.person, round).hex()
        fields = {"number": round, "player": self.person, "shown": shown}
        return Deed(
            f"/tables/{table}/numbers/show", {"round": round, "number": shown}, house_events.NumberShown, fields
        )

    def take(self, table: str) -> Deed:
        """Take down the bets."""
        line = {"do": "take", "wager": "field"}
        fields = {"player": self.person, "wager": "field"}
        return Deed(f"/tables/{table}/lines", {"line": line}, table_events.WagerReduced, fields)

    def _ready(self, table: str) -> Deed:
        """Say that betting may close, or bet if there is no round to be ready in."""
        round = self.round(CLOCK)
        if table != CLOCK or round is None:
            return self._bet(table)
        fields = {"number": round, "player": self.person}
        return Deed(f"/tables/{table}/ready", {"round": round}, house_events.PlayerReady, fields)

    def _limit(self, _: str) -> Deed:
        loss = 100_000_00 + self.rnd.randrange(10_000)
        body = {"loss": format_cents(loss), "minutes": None}
        fields = {"limits": Limits(loss, None)}
        return Deed(f"/accounts/{self.person}/limits", body, house_events.LimitsSet, fields)


class Dealer(Guest):
    """Runs the dealt table."""

    def deed(self) -> Deed:
        dice = [self.rnd.randint(1, 6), self.rnd.randint(1, 6)]
        line = {"do": "roll", "dice": dice}
        return Deed(f"/tables/{STAFF}/lines", {"line": line}, table_events.Thrown, {"faces": tuple(dice)})


class Operator(Guest):
    """Gives chips to people."""

    def deed(self) -> Deed:
        cents, reason = self.rnd.randrange(1_00, 50_00), f"gift {len(self.sent)}"
        body = {"chips": format_cents(cents), "reason": reason}
        fields = {"cents": cents, "reason": reason}
        return Deed(f"/accounts/{self.rnd.choice(PLAYERS)}/chips", body, house_events.ChipsGranted, fields)


SEATING = (table_events.PlayerSeated, table_events.PlayerLeft)
SEATED = (table_events.WagerPlaced, table_events.WagerReduced, table_events.ChipsBought)
# What only someone can be told who sat down or got up by a command that they had given up for lost.
SURPRISING = ("not_at_table", "unknown_player", "already_seated")
# What the house may refuse in such an evening. Anything else is a fault of the house or of these tests.
EXPECTED = {
    "bets_shut",
    "not_enough_chips",
    "not_enough_in_account",
    "wagers_standing",
    "no_such_wager",
    "above_maximum",
    "round_over",
    "not_shut",
    "unknown_number",
    "no_wager",
}
SAID_ONCE = (house_events.NumberShown, house_events.PlayerReady)


NewGuest = Callable[[str, int, Counter[str]], Guest]  # of a name, with a seed, who counts


class Siege:
    """One house on one store, killed again and again, and the people who play there all the same."""

    def __init__(self, nursery: Nursery, folder: Path, address: str, seed: int = 1, **more: NewGuest) -> None:
        self.nursery = nursery
        self.folder = folder
        self.address = address
        self.counts: Counter[str] = Counter()
        self.kills: Counter[str] = Counter()
        self.rnd = Random(seed)
        kinds: dict[str, NewGuest] = {**more, "dora": Dealer, "otto": Operator}
        self.guests = [kinds.get(person, Guest)(person, seed, self.counts) for person in (*PLAYERS, *kinds)]
        (folder / AHEAD).touch()
        self._set_up()

    def open(self, *arguments: str, point: str | None = None, nth: int = 1, **more: object) -> Mortal:
        """Open the house. It seals and takes snapshots often, so that kills interrupt those too."""
        self.counts["starts"] += 1
        settings: dict[str, Any] = {
            "store": self.address,
            "key": "house.key",
            "checkpoint_seconds": 0.3,
            "snapshot_events": 40,
            "session_hours": 80_000,  # in which the clock may be put on by many a day
            "away_seconds": 86_400.0,  # no one loses a seat without having asked for it
        }
        ahead = self.folder / AHEAD
        return self.nursery.open(self.folder, *arguments, point=point, nth=nth, ahead=ahead, **(settings | more))

    def _set_up(self) -> None:
        house = self.open("--demonstration")
        otto, dora = self.guests[-1], self.guests[-2]
        known = {one.person: one.password for one in demonstration.PEOPLE}
        otto.sign_in(house.url, known["otto"])
        for person in PLAYERS:
            if person not in known:
                known[person] = f"{person} at the table"
                account = {"person": person, "name": person.title(), "password": known[person], "chips": "1000.00"}
                otto.do(house.url, Deed("/accounts", account, house_events.AccountOpened, {"person": person}))
                otto.do(house.url, Deed(f"/accounts/{person}/card", {}, house_events.CardIssued, {}))
        for table, rhythm in ((CLOCK, RHYTHM), (STAFF, None)):
            body: dict[str, Any] = {"table": table, "title": table.title(), "line": CRAPS, "rhythm": rhythm}
            otto.do(house.url, Deed("/tables", body, house_events.TableSet, {"table": table}))
        for guest in self.guests[:-1]:
            guest.sign_in(house.url, known[guest.person], with_token=guest.person == "ben")
        role = {"role": "dealer"}
        dora.do(house.url, Deed(f"/tables/{STAFF}/post", role, house_events.StaffCame, {"person": "dora", **role}))
        house.close()

    # -- kills ---------------------------------------------------------------------------------------------------------

    def kill_at(self, point: str, nth: int) -> None:
        """Have the house killed when it passes a boundary the nth time, under load."""
        house = self.open(point=point, nth=nth)
        if house.url:
            self._load(house.url, Flag())
        assert house.wait() == -signal.SIGKILL, house.said()
        self._killed(point)

    def kill_after(self, seconds: float) -> None:
        """Kill it after some time under load."""
        house = self.open()
        with ThreadPoolExecutor(1) as aside:
            loaded = aside.submit(self._load, house.url, Flag())
            time.sleep(seconds)
            house.kill()
            loaded.result()
        self._killed("at random")

    def play(self, house: Mortal, seconds: float) -> None:
        """Play for some time without a kill."""
        until = Flag()
        with ThreadPoolExecutor(1) as aside:
            loaded = aside.submit(self._load, house.url, until)
            time.sleep(seconds)
            until.set()
            loaded.result()

    def _load(self, url: str, until: Flag) -> None:
        with ThreadPoolExecutor(len(self.guests)) as pool:
            for visit in [pool.submit(guest.visit, url, until) for guest in self.guests]:
                visit.result()

    def _killed(self, where: str) -> None:
        self.kills[where] += 1
        wait_for_the_last_commit(self.address)
        self.check()
        with closing(open_store(self.address, read_only=True)) as store:
            for guest in self.guests:
                if guest.doubtful is not None:
                    answer = store.answer(guest.person, guest.doubtful.key)
                    self.counts["in doubt"] += 1
                    self.counts["in doubt and stored"] += answer is not None

    # -- what must hold ------------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Everything acknowledged is stored exactly once, and nothing else; the books balance and the chain holds."""
        with closing(open_store(self.address, read_only=True)) as store:
            report = verify(store, read_key(self.folder / "house.key").public)
            assert report.is_good, report.lines()
            records = {head.stream: store.read(head.stream) for head in store.heads()}
            answers = list(self._answers(store))
            refused = Counter(msgspec.json.decode(one.document)["who"] for one in store.refusals())
        found = audit({stream: entries(each) for stream, each in records.items()})
        assert found == [], [str(one) for one in found]
        check_orders(records, {guest.person for guest in self.guests}, answers)
        for guest in self.guests:
            guest.check(records)
        assert refused == Counter(command.who for command, told in answers if not told["ok"])

    def _answers(self, store: Reading) -> Iterator[tuple[Command, dict[str, Any]]]:
        """All commands that were carried out or refused; only the store knows the ones whose answer was lost."""
        for guest in self.guests:
            for command in guest.sent:
                if command.told is not None:
                    yield command, command.told.body
                    continue
                answer = store.answer(command.who, command.key)
                if answer is not None:
                    yield command, msgspec.json.decode(answer.reply)

    def end(self) -> None:
        """At the end all commands get their answers, old ones are repeated, and everyone is still signed in; the
        dice were fair; the house closes and is sealed."""
        house = self.open()
        for guest in self.guests:
            while guest.doubtful is not None:
                assert guest.ask(house.url, guest.doubtful), house.said()
            for command in self.rnd.sample(guest.sent, min(20, len(guest.sent))):
                if command.told is not None:
                    assert guest.ask(house.url, command)
                    self.counts["sent again after an answer"] += 1
            if guest.person != "ben":  # who has a token
                reply = guest.http.get(f"{house.url}/api/v1/me")
                assert reply.json()["person"] == guest.person, reply.text
            guest.finish(house.url)
        record = self.guests[0].http.get(f"{house.url}/api/v1/tables/{CLOCK}/record")
        verdict = verify_dice(record.content.splitlines(keepends=True))
        assert verdict.findings == (), verdict.findings
        self.counts["throws verified"] += verdict.drawn
        house.close()
        self.check()
        with closing(open_store(self.address, read_only=True)) as store:
            assert verify(store).unsealed == 0
            for command in (command for guest in self.guests for command in guest.sent if command.told is not None):
                answer = store.answer(command.who, command.key)
                assert answer is not None, f"the answer to {command.key} is lost"
                told = {name: value for name, value in command.told.body.items() if name != "receipt"}  # type: ignore[union-attr]
                assert msgspec.json.decode(answer.reply) == told

    def close(self) -> None:
        """Close all connections."""
        for guest in self.guests:
            guest.close()


def check_orders(
    records: dict[str, list[Record]], people: set[str], answers: list[tuple[Command, dict[str, Any]]]
) -> None:
    """Every answer belongs to one order in the store, which matches what was asked for; every order there has its
    answer."""
    orders: dict[str, dict[str, list[tuple[int, Document]]]] = defaultdict(lambda: defaultdict(list))
    at: dict[tuple[str, int], str] = {}
    kinds = (names.TABLES, names.ACCOUNTS, names.PROMOTIONS)
    furnished = names.promotion_stream(demonstration.PROMOTION)  # by the house itself, in the name of a manager
    for stream, some in records.items():
        for record in some if stream.startswith(kinds) and stream != furnished else ():
            document = decode(record.document)
            if document.who in people:
                assert document.order is not None
                orders[document.order][stream].append((record.version, document))
                at[stream, record.version] = document.order
    claimed: dict[str, Command] = {}
    for command, told in answers:
        if not told["ok"]:
            continue
        if command.deed.event in SAID_ONCE and not told["versions"]:
            continue  # it had been said by an earlier command
        places = {at.get(place) for place in told["versions"].items()}
        assert len(places) == 1, f"{command.key} was acknowledged with {told}, which is not in the store"
        (order,) = places
        assert order is not None, f"{command.key} was acknowledged with {told}, and is lost"
        assert order not in claimed, f"{command.key} and {claimed[order].key} were both answered with {told}"
        claimed[order] = command
        written = orders[order]
        assert {stream: some[-1][0] for stream, some in written.items()} == told["versions"], "half of it is there"
        documents = [document for some in written.values() for _, document in some]
        assert {document.who for document in documents} == {command.who}
        assert any(_is_asked_for(command.deed, document) for document in documents), (command.deed, documents)
        assert command.deed.stream in (None, *written), (command.deed, documents)
    unknown = set(orders) - set(claimed)
    assert not unknown, f"nobody asked for this, or it is there twice: {[dict(orders[one]) for one in unknown]}"


def _is_asked_for(deed: Deed, document: Document) -> bool:
    event = document.event
    return isinstance(event, deed.event) and all(getattr(event, name) == it for name, it in deed.fields.items())


def told(counts: Counter[str], kills: Counter[str], store: str) -> str:
    """The counts in a sentence or two, for printing."""
    stored = f", of which {counts['in doubt and stored']:,} were stored" if "in doubt and stored" in counts else ""
    where = ", ".join(f"{number} {point}" for point, number in sorted(kills.items()))
    return (
        f"{store}: {kills.total()} kills ({where}) and {counts['starts']} starts; "
        f"{counts['acknowledged']:,} commands acknowledged, {counts['refused']:,} refused, {counts['in doubt']:,} "
        f"in doubt after a kill{stored}; {counts['sent again after no answer']:,} sent "
        f"again after no answer, {counts['sent again after an answer']:,} after one, {counts['abandoned']:,} never; "
        f"{counts['throws verified']:,} throws and {counts['draws verified']:,} prize draws verified."
    )
