"""The client itself: one method for each command, one for each thing that can be looked at."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from datetime import datetime
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, TypeVar
from urllib.parse import quote
from uuid import uuid4

import httpx
import msgspec

from croupier.client import replies
from croupier.client.connection import Line, Live, Refused, read
from croupier.client.numbers import Asking, Following
from croupier.client.receipts import Receipts, table_stream
from croupier.client.replies import Done, Entry
from croupier.money import parse_cents
from croupier.store.receipts import Receipt

Role = Literal["player", "dealer", "supervisor", "manager", "operator", "inspector"]
Scope = Literal["play", "deal", "supervise", "manage", "inspect", "witness"]
Span = Literal["day", "month", "year"]

PAGE = 1000  # entries that are asked for together
STATEMENTS = 100
TRIES = 8  # some seven seconds, in which a house can be started again
TIMEOUT = 10.0
TOTAL = 30.0
RECEIPT_WAIT = 1.0  # for the receipt of the shut bets: the dice wait for numbers for two seconds, unless told otherwise
PATIENCE = 60.0

P = TypeVar("P", bound=msgspec.Struct)


class _SignedIn(msgspec.Struct, frozen=True):
    person: str
    csrf: str


class _Taken(msgspec.Struct, frozen=True):
    number: int


class _Page(msgspec.Struct, frozen=True):
    entries: list[msgspec.Raw]
    next: int | None


class Client:
    """A house, as one person or program sees it. With a token, or signed in, or (without either) as a passer-by.

    `tries` is how often a request is sent before it is given up, `timeout` for how many seconds each waits for an
    answer, `total` after how many seconds or so it is given up in any case, `patience` for how many seconds live events
    wait for a house that is away.

    Receipts are kept in `receipts` and checked as they come. `house_key` is the house's public key; without it, the
    first one that is seen is. Those in the file `receipts` are taken in, and new ones are appended to it.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        tries: int = TRIES,
        timeout: float = TIMEOUT,
        total: float = TOTAL,
        patience: float = PATIENCE,
        first_pause: float = 0.1,
        transport: httpx.BaseTransport | None = None,
        house_key: str | None = None,
        receipts: str | PathLike[str] | None = None,
    ) -> None:
        self.receipts = Receipts(house_key, receipts)
        self._patience = patience
        self._following: dict[str, Following] = {}
        self._thrown: dict[str, tuple[list[int | str], int]] = {}
        self.doubts: list[str] = []  # what was not as it must be with one's own numbers, and with dice, in sentences
        self._line = Line(
            url, token=token, tries=tries, timeout=timeout, total=total, first_pause=first_pause, transport=transport
        )

    # Coming and going

    @classmethod
    def sign_in(cls, url: str, person: str, password: str, **how: Any) -> Client:  # noqa: ANN401  # as __init__
        """Come in as somebody. Raises Refused."""
        client = cls(url, **how)
        try:
            body = {"person": person, "password": password}
            client._line.is_signed_in_with(client._line.post("/sign-in", body, _SignedIn).csrf)
        except BaseException:
            client.close()
            raise
        return client

    @classmethod
    def sign_up(
        cls,
        url: str,
        person: str,
        name: str,
        password: str,
        *,
        key: str | None = None,
        **how: Any,  # noqa: ANN401  # as __init__
    ) -> Client:
        """Open an account for oneself, with play chips to begin with, and come in. Raises Refused."""
        with cls(url, **how) as client:
            client._command("/sign-up", {"person": person, "name": name, "password": password}, key)
        return cls.sign_in(url, person, password, **how)

    @classmethod
    def as_guest(cls, url: str, **how: Any) -> Client:  # noqa: ANN401  # as __init__
        """Come in as a guest, who is forgotten after a while. Raises Refused."""
        client = cls(url, **how)
        try:
            client._line.is_signed_in_with(client._line.post("/guest", {}, _SignedIn).csrf)
        except BaseException:
            client.close()
            raise
        return client

    def sign_out(self) -> None:
        """End the session."""
        self._line.post("/sign-out", None, type(None))

    def change_password(self, old: str, new: str) -> None:
        """Have another password. Everything that one is signed in with ends."""
        self._line.post("/password", {"old": old, "new": new}, Done)

    def issue_token(self, name: str, *scopes: Scope, days: int | None = None) -> replies.TokenIssued:
        """A token for a program that acts for oneself, within its scopes. It is shown this once."""
        return self._line.post("/tokens", {"name": name, "scopes": scopes, "days": days}, replies.TokenIssued)

    def tokens(self) -> list[replies.Token]:
        """One's own tokens, without what they are."""
        return self._line.get("/tokens", list[replies.Token])

    def end_token(self, name: str) -> None:
        """Let a program in no longer."""
        self._line.post(f"/tokens/{_name(name)}", None, type(None), method="DELETE")

    def tokens_of(self, person: str) -> list[replies.Token]:
        """Somebody's tokens, for operators."""
        return self._line.get(f"/accounts/{_name(person)}/tokens", list[replies.Token])

    def end_token_of(self, person: str, name: str) -> None:
        """Let somebody's program in no longer, for operators."""
        self._line.post(f"/accounts/{_name(person)}/tokens/{_name(name)}", None, type(None), method="DELETE")

    def close(self) -> None:
        """Let go of the connections. A session goes on."""
        self._line.http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    # At a table. `version`: only if nothing has happened there since; `key`: to send the same command again oneself

    def seat(
        self, table: str, chips: str, *, place: int | None = None, version: int | None = None, key: str | None = None
    ) -> Done:
        """Sit down with chips from the account, at a place of the table where one is named."""
        where = {} if place is None else {"place": place}
        return self._at(table, "seat", {"chips": _money(chips), **where}, version, key)

    def buy_in(self, table: str, chips: str, *, version: int | None = None, key: str | None = None) -> Done:
        """Have more chips brought from the account to the seat."""
        return self._at(table, "chips", {"chips": _money(chips)}, version, key)

    def leave(self, table: str, *, version: int | None = None, key: str | None = None) -> Done:
        """Get up; the chips in hand go back to the account."""
        return self._at(table, "leave", {}, version, key)

    def bet(
        self,
        table: str,
        wager: str,
        amount: str,
        pick: replies.Pick = None,
        *,
        tokens: str | None = None,
        checks: str | None = None,
        round: int | None = None,
        version: int | None = None,
        key: str | None = None,
    ) -> Done:
        """Make a wager, or add to one; `tokens` is how much of it is laid in tokens. `round`: only in that round.

        `checks` is the colour of the checks that it is laid in.
        """
        line = {"do": "bet", "wager": wager, "amount": _money(amount)}
        line |= {} if tokens is None else {"tokens": _money(tokens)}
        line |= {} if checks is None else {"checks": checks}
        return self.say(table, _picked(line, pick), round=round, version=version, key=key)

    def take(
        self,
        table: str,
        wager: str,
        amount: str | None = None,
        pick: replies.Pick = None,
        *,
        round: int | None = None,
        version: int | None = None,
        key: str | None = None,
    ) -> Done:
        """Take chips back from a wager; without an amount, all of them."""
        line = {"do": "take", "wager": wager} | ({} if amount is None else {"amount": _money(amount)})
        return self.say(table, _picked(line, pick), round=round, version=version, key=key)

    def call(
        self,
        table: str,
        wager: str,
        on: bool,
        pick: replies.Pick = None,
        *,
        round: int | None = None,
        version: int | None = None,
        key: str | None = None,
    ) -> Done:
        """Call a wager On or Off."""
        line = _picked({"do": "call", "wager": wager, "on": on}, pick)
        return self.say(table, line, round=round, version=version, key=key)

    def say(
        self,
        table: str,
        line: Mapping[str, object],
        *,
        round: int | None = None,
        version: int | None = None,
        key: str | None = None,
    ) -> Done:
        """Any line that a table takes: a bet, a throw, an act of the book. docs/pipe.md and docs/acts.md list them.

        At a table that is followed live a number of one's own goes with bets: docs/electronic-dice.md says why.
        """
        own = self._following.get(table) if line.get("do") == "bet" else None
        number = None if own is None else own.with_bet(round)
        done = self._at(table, "lines", {"line": dict(line)} | _given(round=round, number=number), version, key)
        if own is not None:
            own.has_bet(done.number)
        return done

    def put_in_number(
        self, table: str, round: int, commitment: str, *, version: int | None = None, key: str | None = None
    ) -> Done:
        """Put a number of one's own into a round without a bet; who follows the table live need not."""
        return self._at(table, "numbers", {"round": round, "number": commitment}, version, key)

    def show_number(
        self, table: str, round: int, number: str, *, version: int | None = None, key: str | None = None
    ) -> Done:
        """Show it once the bets are shut; who follows the table live need not."""
        return self._at(table, "numbers/show", {"round": round, "number": number}, version, key)

    # Running tables

    def set_table(
        self,
        table: str,
        title: str,
        book: str,
        *,
        rhythm: replies.Rhythm | None = None,
        key: str | None = None,
        **fields: object,
    ) -> Done:
        """Set up a table and open it; `fields` are those of `open` in docs/pipe.md. With a rhythm it runs by itself."""
        body = {"table": table, "title": title, "line": {"book": book, **fields}} | _given(rhythm=rhythm)
        return self._command("/tables", body, key)

    def take_post(self, table: str, role: Role, *, version: int | None = None, key: str | None = None) -> Done:
        """Run a table from now on."""
        return self._at(table, "post", {"role": role}, version, key)

    def leave_post(self, table: str, *, version: int | None = None, key: str | None = None) -> Done:
        """Run it no longer."""
        return self._at(table, "post/leave", {}, version, key)

    def answer_alert(
        self, table: str, event: int, note: str, *, version: int | None = None, key: str | None = None
    ) -> Done:
        """Answer for an alert, called by the number of its event, with a note on what was done about it."""
        return self._at(table, f"alerts/{event}/answer", {"note": note}, version, key)

    def answer_duty(
        self, table: str, duty: str, note: str, *, version: int | None = None, key: str | None = None
    ) -> Done:
        """Answer for a duty at a table that is overdue or was done late, by its id."""
        return self._at(table, "duties/answer", {"duty": duty, "note": note}, version, key)

    # Promotions

    def open_promotion(self, promotion: str, book: str, title: str, *, key: str | None = None) -> Done:
        """Begin a promotion, under the rules of a book."""
        return self._command("/promotions", {"promotion": promotion, "book": book, "title": title}, key)

    def promote(
        self,
        promotion: str,
        line: Mapping[str, object],
        *,
        name: str | None = None,
        address: str | None = None,
        version: int | None = None,
        key: str | None = None,
    ) -> Done:
        """A line about a promotion; name and address go with a claim, and are kept apart from everything else."""
        personal = None if name is None and address is None else {"name": name or "", "address": address or ""}
        body = {"line": dict(line)} | _given(version=version, personal=personal)
        return self._command(f"/promotions/{_name(promotion)}/lines", body, key)

    def answer_promotion_duty(
        self, promotion: str, duty: str, note: str, *, version: int | None = None, key: str | None = None
    ) -> Done:
        """Answer for a duty of a promotion that is overdue or was done late, by its id."""
        body = {"duty": duty, "note": note} | _given(version=version)
        return self._command(f"/promotions/{_name(promotion)}/duties/answer", body, key)

    def promotions(self) -> list[dict[str, Any]]:
        """All promotions that one may see."""
        return self._line.get("/promotions", list[dict[str, Any]])

    def promotion(self, promotion: str) -> dict[str, Any]:
        """Its terms, the draw, one's own part in it; for those who manage all of it."""
        return self._line.get(f"/promotions/{_name(promotion)}", dict[str, Any])

    def promotion_events(self, promotion: str, after: int = 0) -> Iterator[Entry]:
        """What happened to a promotion, page after page."""
        return self._pages(f"/promotions/{_name(promotion)}/events", Entry, after)

    def promotion_play(self, promotion: str) -> dict[str, Any]:
        """What play has earned so far; once it was counted, whether counting again comes to the same."""
        return self._line.get(f"/promotions/{_name(promotion)}/play", dict[str, Any])

    def own_play(self, promotion: str) -> replies.OwnPlay:
        """What one's own play has earned so far, and how much is missing to the next ticket."""
        return self._line.get(f"/promotions/{_name(promotion)}/play/own", replies.OwnPlay)

    def draw_record(self, promotion: str) -> Iterator[bytes]:
        """The public record of a draw, line by line, for `croupier verify-draw`."""
        return self._line.lines(f"/promotions/{_name(promotion)}/record")

    def claimant(self, promotion: str, claim: str) -> replies.Claimant:
        """Who a claimant is, for those who need to know."""
        return self._line.get(f"/promotions/{_name(promotion)}/claims/{_name(claim)}", replies.Claimant)

    def prizes(self, book: str) -> dict[str, Any]:
        """What a book asks of promotions."""
        return self._line.get(f"/books/{_name(book)}/prizes", dict[str, Any])

    # Accounts

    def open_account(
        self,
        person: str,
        name: str,
        password: str,
        *,
        roles: Iterable[Role] = ("player",),
        chips: str = "0.00",
        key: str | None = None,
    ) -> Done:
        """Open an account for somebody."""
        body = {"person": person, "name": name, "password": password, "roles": list(roles), "chips": _money(chips)}
        return self._command("/accounts", body, key)

    def change_roles(self, person: str, *roles: Role, key: str | None = None) -> Done:
        """Let somebody act in these roles from now on, and in no others."""
        return self._of(person, "roles", {"roles": roles}, key)

    def reset_password(self, person: str, new: str, *, key: str | None = None) -> Done:
        """Another password for somebody who has forgotten theirs."""
        return self._of(person, "password", {"new": new}, key)

    def issue_card(self, person: str, *, key: str | None = None) -> Done:
        """Give somebody a Player Card."""
        return self._of(person, "card", {}, key)

    def end_card(self, person: str, *, key: str | None = None) -> Done:
        """Make somebody's Player Card invalid."""
        return self._of(person, "card/end", {}, key)

    def grant(self, person: str, chips: str, reason: str, *, key: str | None = None) -> Done:
        """Put play chips into an account."""
        return self._of(person, "chips", {"chips": _money(chips), "reason": reason}, key)

    def set_limits(
        self, person: str, *, loss: str | None = None, minutes: int | None = None, key: str | None = None
    ) -> Done:
        """Set one's own limits for a day; None is no limit. Tighter ones hold at once, looser ones after 24 hours."""
        body = {"loss": None if loss is None else _money(loss), "minutes": minutes}
        return self._of(person, "limits", body, key)

    def exclude(self, person: str, until: datetime | None = None, *, key: str | None = None) -> Done:
        """Keep oneself, or as staff somebody, from playing: until a time, or for good."""
        if until is not None and until.tzinfo is None:
            raise ValueError("An exclusion ends at a time with its zone.")
        return self._of(person, "exclusion", {"until": None if until is None else until.isoformat()}, key)

    def let_in(self, person: str, *, key: str | None = None) -> Done:
        """End an exclusion that the house began."""
        return self._of(person, "exclusion/end", {}, key)

    # Looking

    def house(self) -> replies.House:
        """Which house this is, and the key that it signs with."""
        return self._line.get("/house", replies.House)

    def tables(self) -> list[replies.Table]:
        """Every table, as anybody may see it."""
        return [_table(raw) for raw in self._line.get("/tables", list[msgspec.Raw])]

    def table(self, table: str) -> replies.Table:
        """How a table stands, with one's own chips and wagers."""
        return _table(self._line.get(f"/tables/{_name(table)}", msgspec.Raw))

    def drawing(self, table: str) -> dict[str, Any]:
        """The felt of a table as it is to be drawn: areas, what they pay, limits, dice."""
        return self._line.get(f"/tables/{_name(table)}/drawing", dict[str, Any])

    def felt(self, table: str) -> dict[str, Any]:
        """How a table stands, with all that a felt shows: results, areas that won, lamps, the puck."""
        return self._line.get(f"/tables/{_name(table)}/felt", dict[str, Any])

    def possible_acts(self, table: str) -> list[str]:
        """Which acts of the book one could do at the table just now."""
        return self._line.get(f"/tables/{_name(table)}/acts", list[str])

    def correction(self, table: str, faces: str) -> dict[str, Any]:
        """What it would change to correct the latest result to these faces, such as `4-3`. Nothing happens."""
        return self._line.get(f"/tables/{_name(table)}/correction", dict[str, Any], {"faces": faces})

    def replay_drawing(self, table: str, version: int) -> dict[str, Any]:
        """The felt as it was to be drawn after one of the table's events."""
        return self._line.get(f"/tables/{_name(table)}/at/{version}/drawing", dict[str, Any])

    def replay_felt(self, table: str, version: int) -> dict[str, Any]:
        """The felt as it was after one of the table's events."""
        return self._line.get(f"/tables/{_name(table)}/at/{version}/felt", dict[str, Any])

    def replay(self, table: str, version: int) -> replies.Table:
        """How a table stood after one of its events."""
        return _table(self._line.get(f"/tables/{_name(table)}/at/{version}", msgspec.Raw))

    def events(self, table: str, after: int = 0) -> Iterator[Entry]:
        """What happened at a table, page after page."""
        return self._pages(f"/tables/{_name(table)}/events", Entry, after)

    def stored(self, table: str, after: int = 0, limit: int = 500) -> replies.Records:
        """The table's events as they are stored, with their hashes, for inspectors and operators."""
        return self._line.get(f"/tables/{_name(table)}/records?after={after}&limit={limit}", replies.Records)

    def past_wagers(self, table: str, before: int | None = None) -> replies.PastWagers:
        """One's own wagers that were settled at a table, the newest first; `next` is `before` for older ones."""
        older = "" if before is None else f"&before={before}"
        return self._line.get(f"/me/wagers?table={_name(table)}{older}", replies.PastWagers)

    def record(self, table: str) -> Iterator[bytes]:
        """The public record of a table, line by line, for `croupier verify-dice`."""
        return self._line.lines(f"/tables/{_name(table)}/record")

    def receipt(self, table: str, version: int) -> Receipt:
        """What the house signs of one of the table's events. It is kept with the others. Raises BadReceipt."""
        receipt = self._receipt(table, version)
        self._keep(receipt)
        return receipt

    def confirm_receipts(self) -> None:
        """Have the house show that it still has the past that it signed. Raises BadReceipt where it does not."""
        self.receipts.confirm(self._asked_again)

    def books(self) -> list[replies.BookTitle]:
        """The rule books that tables are opened with."""
        return self._line.get("/books", list[replies.BookTitle])

    def book(self, book: str) -> replies.Book:
        """A rule book: its wagers, how each is picked, what it pays."""
        return self._line.get(f"/books/{_name(book)}", replies.Book)

    def acts(self, book: str) -> replies.Acts:
        """What people do at a table of a book besides wagering, who may, and on which grounds a throw is void."""
        return self._line.get(f"/books/{_name(book)}/acts", replies.Acts)

    def clauses(self, book: str) -> list[replies.Clause]:
        """Every clause of a rule book."""
        return self._line.get(f"/books/{_name(book)}/clauses", list[replies.Clause])

    def clause(self, book: str, clause: str) -> replies.ClauseRead:
        """A clause as a refusal or a settlement cites it, with how it is read."""
        return self._line.get(f"/books/{_name(book)}/clauses/{_name(clause)}", replies.ClauseRead)

    def floor(self) -> dict[str, Any]:
        """Every table at a glance: state, limits, signs with their clocks, players, turnover, pace and win."""
        return self._line.get("/floor", dict[str, Any])

    def alerts(self) -> replies.Alerts:
        """What somebody must answer for at all tables, what is to come, and what was answered lately."""
        return self._line.get("/floor/alerts", replies.Alerts)

    def cases(self) -> list[dict[str, Any]]:
        """The open cases of all tables, each with whose it is, since when, and its next step."""
        return self._line.get("/floor/cases", list[dict[str, Any]])

    def cases_of(self, table: str) -> list[dict[str, Any]]:
        """The open cases of a table; players see their own."""
        return self._line.get(f"/tables/{_name(table)}/cases", list[dict[str, Any]])

    def duties(self) -> replies.Duties:
        """What is to be done in time at tables and in promotions, and what was done lately, for those responsible."""
        return self._line.get("/duties", replies.Duties)

    def me(self) -> replies.Account:
        """One's own account."""
        return self._line.get("/me", replies.Account)

    def my_events(self, after: int = 0) -> Iterator[Entry]:
        """What happened to one's own account."""
        return self._pages("/me/events", Entry, after)

    def accounts(self) -> Iterator[str]:
        """The names of all accounts, in order."""
        after = ""
        while names := self._line.get("/accounts", list[str], {"after": after, "limit": PAGE}):
            yield from names
            after = names[-1]

    def account(self, person: str) -> replies.Account:
        """Somebody's account."""
        return self._line.get(f"/accounts/{_name(person)}", replies.Account)

    def account_events(self, person: str, after: int = 0) -> Iterator[Entry]:
        """What happened to somebody's account."""
        return self._pages(f"/accounts/{_name(person)}/events", Entry, after)

    def refusals(self, after: int = 0) -> Iterator[replies.RefusedCommand]:
        """Commands that were refused."""
        return self._pages("/refusals", replies.RefusedCommand, after)

    def checkpoints(self, after: int = 0) -> Iterator[replies.Checkpoint]:
        """What the house has signed."""
        return self._pages("/checkpoints", replies.Checkpoint, after, STATEMENTS)

    def witness(self, key: str, statement: str, signature: str) -> int:
        """Have the house keep a checkpoint of another, which has this key; the highest number that it has of it."""
        body = {"statement": statement, "signature": signature}
        return self._line.post(f"/witness/{_name(key)}", body, _Taken).number

    def witnessed(self, key: str, after: int = 0) -> Iterator[replies.Witnessed]:
        """The checkpoints of another house that this one keeps."""
        return self._pages(f"/witness/{_name(key)}", replies.Witnessed, after, STATEMENTS)

    # Reports

    def table_report(self, table: str, span: Span = "day") -> replies.TableReport:
        """What a table took in, and what it had to expect."""
        return self._line.get(f"/reports/tables/{_name(table)}", replies.TableReport, {"span": span}, slow=True)

    def house_report(self, span: Span = "day") -> replies.HouseReport:
        """What the house took in."""
        return self._line.get("/reports/house", replies.HouseReport, {"span": span}, slow=True)

    def books_report(self) -> replies.BooksReport:
        """All balances, and what an audit finds."""
        return self._line.get("/reports/books", replies.BooksReport, slow=True)

    def registers(self, period: str, *, table: str | None = None, book: str | None = None) -> replies.Registers:
        """All registers of a period, such as 2026-11, and how much there is in each."""
        query = {"period": period} | _given(table=table, book=book)
        return self._line.get("/registers", replies.Registers, query, slow=True)

    def register(
        self, register: str, period: str, *, table: str | None = None, book: str | None = None
    ) -> replies.Register:
        """One of the registers, with its rows."""
        query = {"period": period} | _given(table=table, book=book)
        return self._line.get(f"/registers/{_name(register)}", replies.Register, query, slow=True)

    def register_file(
        self,
        register: str,
        period: str,
        format: Literal["csv", "pdf"],
        *,
        table: str | None = None,
        book: str | None = None,
    ) -> bytes:
        """The same as a file: CSV for a spreadsheet, or PDF."""
        query = {"period": period, "format": format} | _given(table=table, book=book)
        return self._line.get_bytes(f"/registers/{_name(register)}", query)

    def export(self, file: str | PathLike[str], *, refusals: bool = False) -> None:
        """All events of the house, signed, in a file for `croupier verify`. It is whole, or it is not there."""
        target = Path(file)
        if target.exists():
            raise FileExistsError(f"{target} is there already, and is not overwritten.")
        beside = target.with_name(f".{target.name}.{uuid4().hex}.part")
        try:
            with beside.open("xb") as out:
                out.writelines(self._line.lines("/export", {"refusals": str(refusals).lower()}))
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)

    # Live

    def live(self, table: str, after: int | None = None) -> Generator[Entry, None, None]:
        """What happens at a table after a version, or from now on: every entry once, through breaks and restarts.

        Meanwhile numbers of one's own are put into the rounds that one bets in, and shown; `doubts` has what was wrong.
        """
        entries = self._live(f"/tables/{_name(table)}/live", self.table(table).version if after is None else after)
        return self._follow(table, entries)

    def _follow(self, table: str, entries: Generator[Entry, None, None]) -> Generator[Entry, None, None]:
        asking = Asking(self.table, self.put_in_number, self.show_number, self._signed, self._dice)
        own = self._following[table] = Following(table, asking, self.doubts)
        try:
            for entry in entries:
                own.heard(entry)
                yield entry
        finally:
            entries.close()
            if self._following.get(table) is own:
                del self._following[table]

    def _dice(self, table: str) -> tuple[list[int | str], int]:
        """What is thrown at a table: the faces, and how many."""
        if table not in self._thrown:
            told = self.drawing(table)["throw"]
            self._thrown[table] = list(told["faces"]), int(told["count"])
        return self._thrown[table]

    def _signed(self, table: str, version: int) -> Receipt:
        """A receipt for an event that was just told: it came with it, or is asked for, and not waited for for long."""
        receipt = self.receipts.of(table_stream(table), version)
        if receipt is None:
            receipt = self._receipt(table, version, within=RECEIPT_WAIT)
            self._keep(receipt)
        return receipt

    def live_account(self, after: int | None = None) -> Generator[Entry, None, None]:
        """The same for one's own account."""
        return self._live("/me/live", self.me().version if after is None else after)

    def _live(self, path: str, after: int) -> Generator[Entry, None, None]:
        return Live(self._line, path, after, self._patience, self._keep).entries()

    # How all of them do it

    def _at(self, table: str, where: str, body: dict[str, Any], version: int | None, key: str | None) -> Done:
        return self._command(f"/tables/{_name(table)}/{where}", body | _given(version=version), key)

    def _of(self, person: str, where: str, body: dict[str, Any], key: str | None) -> Done:
        return self._command(f"/accounts/{_name(person)}/{where}", body, key)

    def _command(self, path: str, body: dict[str, Any], key: str | None) -> Done:
        done = self._line.command(path, body, key or uuid4().hex, Done)
        if done.receipt is not None:
            self._keep(done.receipt)
        return done

    def _keep(self, receipt: Receipt) -> None:
        self.receipts.keep(receipt, self._asked_again)

    def _asked_again(self, stream: str, version: int) -> Receipt | None:
        """What the house signs now of an event that it has signed before."""
        try:
            return self._receipt(stream.partition("/")[2], version)
        except Refused as refused:
            if refused.status == 404:
                return None
            raise

    def _receipt(self, table: str, version: int, within: float | None = None) -> Receipt:
        return self._line.get(f"/tables/{_name(table)}/receipts/{version}", Receipt, within=within)

    def _pages(self, path: str, kind: type[P], after: int, limit: int = PAGE) -> Iterator[P]:
        position: int | None = after
        while position is not None:
            page = self._line.get(path, _Page, {"after": position, "limit": limit})
            for raw in page.entries:
                yield read(raw, kind)
            position = page.next


def _name(name: str) -> str:
    """A name as part of a path, whatever is in it."""
    return quote(name, safe="")


def _money(amount: str) -> str:
    """An amount, looked at before it is sent. Raises MoneyError."""
    parse_cents(amount)
    return amount


def _given(**fields: object) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _picked(line: dict[str, Any], pick: replies.Pick) -> dict[str, Any]:
    return line if pick is None else line | {"pick": pick}


def _table(raw: msgspec.Raw) -> replies.Table:
    return msgspec.structs.replace(read(raw, replies.Table), raw=read(raw, dict[str, Any]))
