"""The client: one method for each command and one for each query."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, TypeVar
from urllib.parse import quote
from uuid import uuid4

import httpx
import msgspec

from croupier.client.connection import Line, Live, Refused, read
from croupier.client.numbers import Asking, Following
from croupier.client.receipts import Receipts, table_stream
from croupier.contract import management, replies
from croupier.contract.replies import Done, Entry, SignedIn
from croupier.contract.requests import Role, Scope, StaffRole
from croupier.contract.shown_events import Pick
from croupier.money import parse_cents
from croupier.store.receipts import Receipt

Span = Literal["day", "month", "year"]

PAGE = 1000  # entries per request
STATEMENTS = 100
TRIES = 8  # about seven seconds: enough for a house to restart
TIMEOUT = 10.0
TOTAL = 30.0
RECEIPT_WAIT = 1.0  # for the receipt of the closed bets; by default the dice wait two seconds for numbers
PATIENCE = 60.0

P = TypeVar("P", bound=msgspec.Struct)


class _Taken(msgspec.Struct, frozen=True):
    number: int


class _Page(msgspec.Struct, frozen=True):
    entries: list[msgspec.Raw]
    next: int | None


class Client:
    """A house as one person or program sees it: with a token, signed in, or anonymous.

    `tries` is the number of times a request is sent, `timeout` the seconds each try waits for a reply, `total` the
    approximate limit in seconds for all tries together, and `patience` the seconds that live events wait for a house
    that does not answer.

    Receipts are checked as they arrive and kept in `receipts`. `house_key` is the house's public key; without it, the
    client trusts the first key it sees. If a `receipts` file is given, its receipts are loaded and new ones appended.
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
        self.doubts: list[str] = []  # failed checks of the client's own numbers and of the dice, as sentences
        self._line = Line(
            url, token=token, tries=tries, timeout=timeout, total=total, first_pause=first_pause, transport=transport
        )

    # Signing in and out

    @classmethod
    def sign_in(cls, url: str, person: str, password: str, **how: Any) -> Client:  # noqa: ANN401  # as __init__
        """Sign in with a password. Raises Refused."""
        client = cls(url, **how)
        try:
            body = {"person": person, "password": password}
            client._line.is_signed_in_with(client._line.post("/sign-in", body, SignedIn).csrf)
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
        """Open an account with starting play chips and sign in. Raises Refused."""
        with cls(url, **how) as client:
            client._command("/sign-up", {"person": person, "name": name, "password": password}, key)
        return cls.sign_in(url, person, password, **how)

    @classmethod
    def as_guest(cls, url: str, **how: Any) -> Client:  # noqa: ANN401  # as __init__
        """Enter as a guest; guest accounts are deleted after a while. Raises Refused."""
        client = cls(url, **how)
        try:
            client._line.is_signed_in_with(client._line.post("/guest", {}, SignedIn).csrf)
        except BaseException:
            client.close()
            raise
        return client

    def sign_out(self) -> None:
        """End the session."""
        self._line.post("/sign-out", None, type(None))

    def change_password(self, old: str, new: str) -> None:
        """Change the password. This ends every session of the account; tokens stay valid."""
        self._line.post("/password", {"old": old, "new": new}, Done)

    def issue_token(self, name: str, *scopes: Scope, days: int | None = None) -> replies.TokenIssued:
        """Issue a token that lets a program act for this account within its scopes. The token is shown only once."""
        return self._line.post("/tokens", {"name": name, "scopes": scopes, "days": days}, replies.TokenIssued)

    def tokens(self) -> list[replies.Token]:
        """List this account's tokens, without their secrets."""
        return self._line.get("/tokens", list[replies.Token])

    def end_token(self, name: str) -> None:
        """Revoke a token."""
        self._line.post(f"/tokens/{_name(name)}", None, type(None), method="DELETE")

    def tokens_of(self, person: str) -> list[replies.Token]:
        """List a person's tokens. For operators."""
        return self._line.get(f"/accounts/{_name(person)}/tokens", list[replies.Token])

    def end_token_of(self, person: str, name: str) -> None:
        """Revoke a person's token. For operators."""
        self._line.post(f"/accounts/{_name(person)}/tokens/{_name(name)}", None, type(None), method="DELETE")

    def close(self) -> None:
        """Close the connections. The session stays valid."""
        self._line.http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    # At a table. `version`: only if nothing has happened there since; `key`: lets the caller resend the same command

    def seat(
        self, table: str, chips: str, *, place: int | None = None, version: int | None = None, key: str | None = None
    ) -> Done:
        """Sit down with chips from the account, at the given place if one is named."""
        where = {} if place is None else {"place": place}
        return self._at(table, "seat", {"chips": _money(chips), **where}, version, key)

    def buy_in(self, table: str, chips: str, *, version: int | None = None, key: str | None = None) -> Done:
        """Bring more chips from the account to the seat."""
        return self._at(table, "chips", {"chips": _money(chips)}, version, key)

    def leave(self, table: str, *, version: int | None = None, key: str | None = None) -> Done:
        """Leave the table; the chips in hand return to the account."""
        return self._at(table, "leave", {}, version, key)

    def bet(
        self,
        table: str,
        wager: str,
        amount: str,
        pick: Pick = None,
        *,
        tokens: str | None = None,
        checks: str | None = None,
        round: int | None = None,
        version: int | None = None,
        key: str | None = None,
    ) -> Done:
        """Make a wager or add to one. `round`: only in that round.

        `tokens` is the part of the amount that is laid in tokens, `checks` the colour of the checks.
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
        pick: Pick = None,
        *,
        round: int | None = None,
        version: int | None = None,
        key: str | None = None,
    ) -> Done:
        """Take chips back from a wager: the given amount, or all of them."""
        line = {"do": "take", "wager": wager} | ({} if amount is None else {"amount": _money(amount)})
        return self.say(table, _picked(line, pick), round=round, version=version, key=key)

    def call(
        self,
        table: str,
        wager: str,
        on: bool,
        pick: Pick = None,
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
        """Send any line that a table accepts: a bet, a throw or an act of the book (see docs/pipe.md and docs/acts.md).

        At a table followed live, a bet carries the client's own number; docs/electronic-dice.md explains why.
        """
        own = self._following.get(table)
        is_bet = line.get("do") == "bet"
        if own is not None and not is_bet:
            own.has_taken()
        number = own.with_bet(round) if own is not None and is_bet else None
        done = self._at(table, "lines", {"line": dict(line)} | _given(round=round, number=number), version, key)
        if own is not None and is_bet:
            own.has_bet(done.number)
        return done

    def ready(
        self, table: str, round: int, *, ready: bool = True, version: int | None = None, key: str | None = None
    ) -> Done:
        """Say that the bets of a round may be shut, or take that back."""
        own = self._following.get(table)
        number = None if own is None or not ready else own.with_ready(round)
        body = {"round": round, "ready": ready} | _given(number=number)
        done = self._at(table, "ready", body, version, key)
        if own is not None and ready:
            own.has_bet(done.number)
        return done

    def put_in_number(
        self, table: str, round: int, commitment: str, *, version: int | None = None, key: str | None = None
    ) -> Done:
        """Commit to a number in a round without a bet. Following the table live does this automatically."""
        return self._at(table, "numbers", {"round": round, "number": commitment}, version, key)

    def show_number(
        self, table: str, round: int, number: str, *, version: int | None = None, key: str | None = None
    ) -> Done:
        """Reveal the number once the bets are closed. Following the table live does this automatically."""
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
        """Set up and open a table; `fields` are those of `open` in docs/pipe.md. With a rhythm it runs by itself."""
        body = {"table": table, "title": title, "line": {"book": book, **fields}} | _given(rhythm=rhythm)
        return self._command("/tables", body, key)

    def take_post(self, table: str, role: StaffRole, *, version: int | None = None, key: str | None = None) -> Done:
        """Take a post at a table."""
        return self._at(table, "post", {"role": role}, version, key)

    def leave_post(self, table: str, *, version: int | None = None, key: str | None = None) -> Done:
        """Leave the post at a table."""
        return self._at(table, "post/leave", {}, version, key)

    def answer_alert(
        self, table: str, event: int, note: str, *, version: int | None = None, key: str | None = None
    ) -> Done:
        """Answer for an alert, identified by its event number, with a note on the action taken."""
        return self._at(table, f"alerts/{event}/answer", {"note": note}, version, key)

    def answer_duty(
        self, table: str, duty: str, note: str, *, version: int | None = None, key: str | None = None
    ) -> Done:
        """Answer for a table's duty, by its id, that is overdue or was done late."""
        return self._at(table, "duties/answer", {"duty": duty, "note": note}, version, key)

    # Promotions

    def open_promotion(self, promotion: str, book: str, title: str, *, key: str | None = None) -> Done:
        """Open a promotion under the rules of a book."""
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
        """Send a line about a promotion. A claim's name and address are stored apart from everything else."""
        personal = None if name is None and address is None else {"name": name or "", "address": address or ""}
        body = {"line": dict(line)} | _given(version=version, personal=personal)
        return self._command(f"/promotions/{_name(promotion)}/lines", body, key)

    def answer_promotion_duty(
        self, promotion: str, duty: str, note: str, *, version: int | None = None, key: str | None = None
    ) -> Done:
        """Answer for a promotion's duty, by its id, that is overdue or was done late."""
        body = {"duty": duty, "note": note} | _given(version=version)
        return self._command(f"/promotions/{_name(promotion)}/duties/answer", body, key)

    def promotions(self) -> list[management.PromotionListed]:
        """List the promotions that this account may see."""
        return self._line.get("/promotions", list[management.PromotionListed])

    def promotion(self, promotion: str) -> management.Promotion:
        """Return a promotion's terms, its draw and this account's part in it; for managers, all of it."""
        return self._line.get(f"/promotions/{_name(promotion)}", management.Promotion)

    def promotion_events(self, promotion: str, after: int = 0) -> Iterator[Entry]:
        """Yield the events of a promotion, page by page."""
        return self._pages(f"/promotions/{_name(promotion)}/events", Entry, after)

    def promotion_play(self, promotion: str) -> management.PromotionPlay:
        """Return what play has earned so far; after the count, also whether a recount agrees."""
        return self._line.get(f"/promotions/{_name(promotion)}/play", management.PromotionPlay)

    def own_play(self, promotion: str) -> management.OwnPlay:
        """Return what this account's play has earned and how much more earns the next ticket."""
        return self._line.get(f"/promotions/{_name(promotion)}/play/own", management.OwnPlay)

    def draw_record(self, promotion: str) -> Iterator[bytes]:
        """Yield the public record of a draw, line by line, for `croupier verify-draw`."""
        return self._line.lines(f"/promotions/{_name(promotion)}/record")

    def claimant(self, promotion: str, claim: str) -> management.Claimant:
        """Return a claimant's name and address. For those who need to know."""
        return self._line.get(f"/promotions/{_name(promotion)}/claims/{_name(claim)}", management.Claimant)

    def prizes(self, book: str) -> dict[str, Any]:
        """Return what a book requires of promotions."""
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
        """Open an account for a person."""
        body = {"person": person, "name": name, "password": password, "roles": list(roles), "chips": _money(chips)}
        return self._command("/accounts", body, key)

    def change_roles(self, person: str, *roles: Role, key: str | None = None) -> Done:
        """Replace a person's roles."""
        return self._of(person, "roles", {"roles": roles}, key)

    def reset_password(self, person: str, new: str, *, key: str | None = None) -> Done:
        """Set a new password for a person who has forgotten theirs."""
        return self._of(person, "password", {"new": new}, key)

    def issue_card(self, person: str, *, key: str | None = None) -> Done:
        """Issue a Player Card to a person."""
        return self._of(person, "card", {}, key)

    def end_card(self, person: str, *, key: str | None = None) -> Done:
        """Invalidate a person's Player Card."""
        return self._of(person, "card/end", {}, key)

    def grant(self, person: str, chips: str, reason: str, *, key: str | None = None) -> Done:
        """Add play chips to an account."""
        return self._of(person, "chips", {"chips": _money(chips), "reason": reason}, key)

    def change_name(self, person: str, name: str, *, key: str | None = None) -> Done:
        """Change your nickname; `person` is the caller."""
        return self._of(person, "name", {"name": name}, key)

    def refill(self, person: str, *, key: str | None = None) -> Done:
        """Get new play chips when nearly all are gone; `person` is the caller."""
        return self._of(person, "refill", {}, key)

    def set_limits(
        self, person: str, *, loss: str | None = None, minutes: int | None = None, key: str | None = None
    ) -> Done:
        """Set the daily limits; None means no limit. Tighter limits hold at once, looser ones after 24 hours."""
        body = {"loss": None if loss is None else _money(loss), "minutes": minutes}
        return self._of(person, "limits", body, key)

    def exclude(self, person: str, until: datetime | None = None, *, key: str | None = None) -> Done:
        """Exclude the caller or, as staff, another person from play, until a time or permanently."""
        if until is not None and until.tzinfo is None:
            raise ValueError("An exclusion ends at a time with its zone.")
        return self._of(person, "exclusion", {"until": None if until is None else until.isoformat()}, key)

    def let_in(self, person: str, *, key: str | None = None) -> Done:
        """End an exclusion that the house imposed."""
        return self._of(person, "exclusion/end", {}, key)

    # Queries

    def house(self) -> replies.House:
        """Return the house's name and signing key."""
        return self._line.get("/house", replies.House)

    def tables(self) -> list[replies.ListedTable]:
        """List every table as the public sees it."""
        return self._line.get("/tables", list[replies.ListedTable])

    def table(self, table: str) -> replies.Table:
        """Return the state of a table, with this account's chips and wagers."""
        return self._line.get(f"/tables/{_name(table)}", replies.Table)

    def drawing(self, table: str) -> replies.Drawing:
        """Return how to draw a table's felt: areas, what they pay, limits, dice."""
        return self._line.get(f"/tables/{_name(table)}/drawing", replies.Drawing)

    def felt(self, table: str) -> replies.Felt:
        """Return the state of a table with everything a felt shows: results, winning areas, lamps, the puck."""
        return self._line.get(f"/tables/{_name(table)}/felt", replies.Felt)

    def next_throw(self, table: str) -> replies.NextThrow:
        """Return what every outcome of the next throw would do to each area and to the caller's wagers."""
        return self._line.get(f"/tables/{_name(table)}/next", replies.NextThrow)

    def possible_acts(self, table: str) -> list[str]:
        """List the acts of the book that the caller could perform at the table now."""
        return self._line.get(f"/tables/{_name(table)}/acts", list[str])

    def correction(self, table: str, faces: str) -> management.CorrectionPreview:
        """Preview correcting the latest result to these faces, such as `4-3`. Changes nothing."""
        return self._line.get(f"/tables/{_name(table)}/correction", management.CorrectionPreview, {"faces": faces})

    def replay_drawing(self, table: str, version: int) -> replies.Drawing:
        """Return how to draw the felt as of one of the table's events."""
        return self._line.get(f"/tables/{_name(table)}/at/{version}/drawing", replies.Drawing)

    def replay_felt(self, table: str, version: int) -> replies.Felt:
        """Return the felt as of one of the table's events."""
        return self._line.get(f"/tables/{_name(table)}/at/{version}/felt", replies.Felt)

    def replay(self, table: str, version: int) -> replies.Table:
        """Return the state of a table as of one of its events."""
        return self._line.get(f"/tables/{_name(table)}/at/{version}", replies.Table)

    def events(self, table: str, after: int = 0) -> Iterator[Entry]:
        """Yield the events of a table, page by page."""
        return self._pages(f"/tables/{_name(table)}/events", Entry, after)

    def stored(self, table: str, after: int = 0, limit: int = 500) -> replies.Records:
        """Return the table's events as stored, with their hashes. For inspectors and operators."""
        return self._line.get(f"/tables/{_name(table)}/records?after={after}&limit={limit}", replies.Records)

    def past_wagers(self, table: str, before: int | None = None) -> replies.PastWagers:
        """Return this account's settled wagers at a table, newest first; pass `next` as `before` for older ones."""
        older = "" if before is None else f"&before={before}"
        return self._line.get(f"/me/wagers?table={_name(table)}{older}", replies.PastWagers)

    def record(self, table: str) -> Iterator[bytes]:
        """Yield the public record of a table, line by line, for `croupier verify-dice`."""
        return self._line.lines(f"/tables/{_name(table)}/record")

    def counts(self, table: str) -> replies.ThrowCounts:
        """Return how often each total or result fell at a table, and its longest hand."""
        return self._line.get(f"/tables/{_name(table)}/counts", replies.ThrowCounts)

    def visit(self, table: str) -> replies.VisitCourse:
        """Return the course of the caller's latest visit to a table, result by result."""
        return self._line.get(f"/tables/{_name(table)}/visit", replies.VisitCourse)

    def past_round(self, table: str, round: int) -> replies.PastRound:
        """Return the events of a round of an automatic table."""
        return self._line.get(f"/tables/{_name(table)}/rounds/{round}", replies.PastRound)

    def past_throw(self, table: str, version: int) -> replies.PastRound:
        """Return the events of the throw that an event belongs to."""
        return self._line.get(f"/tables/{_name(table)}/throws/{version}", replies.PastRound)

    def round_record(self, table: str, round: int) -> Iterator[bytes]:
        """Yield the lines of the public record about one round."""
        return self._line.lines(f"/tables/{_name(table)}/rounds/{round}/record")

    def receipt(self, table: str, version: int) -> Receipt:
        """Fetch and keep the signed receipt of one of the table's events. Raises BadReceipt."""
        receipt = self._receipt(table, version)
        self._keep(receipt)
        return receipt

    def confirm_receipts(self) -> None:
        """Make the house prove that it still has the past it signed. Raises BadReceipt if it does not."""
        self.receipts.confirm(self._asked_again)

    def front(self) -> replies.Front:
        """Return what the front page shows: the felts drawn small."""
        return self._line.get("/front", replies.Front)

    def books(self) -> list[replies.BookTitle]:
        """List the rule books that tables can be opened with."""
        return self._line.get("/books", list[replies.BookTitle])

    def book(self, book: str) -> replies.Book:
        """Return a rule book: its wagers, their picks and what they pay."""
        return self._line.get(f"/books/{_name(book)}", replies.Book)

    def practise(
        self,
        book: str,
        lines: Sequence[Mapping[str, Any]],
        *,
        seed: str = "",
        drawing: bool = False,
        ahead: bool = False,
    ) -> replies.PracticeReply:
        """Play a practice table from its first line, and return what the last one did. Nothing is stored."""
        body = {"lines": list(lines), "seed": seed, "drawing": drawing, "ahead": ahead}
        return self._line.post(f"/practice/{_name(book)}", body, replies.PracticeReply)

    def chances(self, book: str, pay_table: str | None = None) -> replies.BookChances:
        """Return the exact chances of every wager of a book, as `croupier analyse` prints them."""
        return self._line.get(f"/practice/{_name(book)}/chances", replies.BookChances, _given(pay_table=pay_table))

    def lesson(self, book: str) -> replies.LessonShown:
        """Return the first game of a book."""
        return self._line.get(f"/practice/{_name(book)}/lesson", replies.LessonShown)

    def acts(self, book: str) -> replies.Acts:
        """Return a book's acts besides wagering, who may perform them, and its grounds for void throws."""
        return self._line.get(f"/books/{_name(book)}/acts", replies.Acts)

    def clauses(self, book: str) -> list[replies.Clause]:
        """List every clause of a rule book."""
        return self._line.get(f"/books/{_name(book)}/clauses", list[replies.Clause])

    def clause(self, book: str, clause: str) -> replies.ClauseRead:
        """Return a clause as cited by a refusal or settlement, with its readings."""
        return self._line.get(f"/books/{_name(book)}/clauses/{_name(clause)}", replies.ClauseRead)

    def floor(self) -> management.Floor:
        """Return every table at a glance: state, limits, signs with their clocks, players, turnover, pace and win."""
        return self._line.get("/floor", management.Floor)

    def alerts(self) -> management.Alerts:
        """Return the open, upcoming and recently answered alerts of all tables."""
        return self._line.get("/floor/alerts", management.Alerts)

    def cases(self) -> list[replies.Case]:
        """List the open cases of all tables, each with its owner, its start and its next step."""
        return self._line.get("/floor/cases", list[replies.Case])

    def cases_of(self, table: str) -> list[replies.Case]:
        """List the open cases of a table; players see their own."""
        return self._line.get(f"/tables/{_name(table)}/cases", list[replies.Case])

    def duties(self) -> management.Duties:
        """Return the open and recently completed duties at tables and in promotions. For those responsible."""
        return self._line.get("/duties", management.Duties)

    def me(self) -> replies.OwnAccount:
        """Return this account."""
        return self._line.get("/me", replies.OwnAccount)

    def my_events(self, after: int = 0) -> Iterator[Entry]:
        """Yield the events of this account."""
        return self._pages("/me/events", Entry, after)

    def accounts(self) -> Iterator[str]:
        """Yield the names of all accounts, in order."""
        after = ""
        while names := self._line.get("/accounts", list[str], {"after": after, "limit": PAGE}):
            yield from names
            after = names[-1]

    def account(self, person: str) -> replies.Account:
        """Return a person's account."""
        return self._line.get(f"/accounts/{_name(person)}", replies.Account)

    def account_events(self, person: str, after: int = 0) -> Iterator[Entry]:
        """Yield the events of a person's account."""
        return self._pages(f"/accounts/{_name(person)}/events", Entry, after)

    def refusals(self, after: int = 0) -> Iterator[management.RefusedCommand]:
        """Yield the refused commands."""
        return self._pages("/refusals", management.RefusedCommand, after)

    def checkpoints(self, after: int = 0) -> Iterator[replies.Checkpoint]:
        """Yield the house's signed checkpoints."""
        return self._pages("/checkpoints", replies.Checkpoint, after, STATEMENTS)

    def witness(self, key: str, statement: str, signature: str) -> int:
        """Hand the house a checkpoint of another house, which has this key; return the highest number it holds."""
        body = {"statement": statement, "signature": signature}
        return self._line.post(f"/witness/{_name(key)}", body, _Taken).number

    def witnessed(self, key: str, after: int = 0) -> Iterator[replies.Witnessed]:
        """Yield the checkpoints of another house that this one keeps."""
        return self._pages(f"/witness/{_name(key)}", replies.Witnessed, after, STATEMENTS)

    # Reports

    def table_report(self, table: str, span: Span = "day") -> management.TableReport:
        """Report a table's takings and its expected results."""
        return self._line.get(f"/reports/tables/{_name(table)}", management.TableReport, {"span": span}, slow=True)

    def house_report(self, span: Span = "day") -> management.HouseReport:
        """Report the house's takings."""
        return self._line.get("/reports/house", management.HouseReport, {"span": span}, slow=True)

    def books_report(self) -> management.BooksReport:
        """Report all balances and the findings of an audit."""
        return self._line.get("/reports/books", management.BooksReport, slow=True)

    def registers(self, period: str, *, table: str | None = None, book: str | None = None) -> management.Registers:
        """List all registers of a period, such as 2026-11, with the size of each."""
        query = {"period": period} | _given(table=table, book=book)
        return self._line.get("/registers", management.Registers, query, slow=True)

    def register(
        self, register: str, period: str, *, table: str | None = None, book: str | None = None
    ) -> management.Register:
        """Return one register with its rows."""
        query = {"period": period} | _given(table=table, book=book)
        return self._line.get(f"/registers/{_name(register)}", management.Register, query, slow=True)

    def register_file(
        self,
        register: str,
        period: str,
        format: Literal["csv", "pdf"],
        *,
        table: str | None = None,
        book: str | None = None,
    ) -> bytes:
        """Return a register as a CSV or PDF file."""
        query = {"period": period, "format": format} | _given(table=table, book=book)
        return self._line.get_bytes(f"/registers/{_name(register)}", query)

    def export(self, file: str | PathLike[str], *, refusals: bool = False) -> None:
        """Write all events of the house, signed, to a file for `croupier verify`. A failed export leaves no file."""
        target = Path(file)
        if target.exists():
            raise FileExistsError(f"{target} already exists and was not overwritten.")
        beside = target.with_name(f".{target.name}.{uuid4().hex}.part")
        try:
            with beside.open("xb") as out:
                out.writelines(self._line.lines("/export", {"refusals": str(refusals).lower()}))
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)

    # Live

    def live(self, table: str, after: int | None = None) -> Generator[Entry, None, None]:
        """Yield each of a table's events once, after a version or from now on, across lost connections and restarts.

        Meanwhile the client commits to a number in each round it bets in and reveals it. Failed checks go to `doubts`.
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
        """Return what is thrown at a table: the faces, and how many."""
        if table not in self._thrown:
            throw = self.drawing(table).throw
            self._thrown[table] = throw.faces, throw.count
        return self._thrown[table]

    def _signed(self, table: str, version: int) -> Receipt:
        """Return the receipt of an event that just arrived; fetch it, without a long wait, if it did not come too."""
        receipt = self.receipts.of(table_stream(table), version)
        if receipt is None:
            receipt = self._receipt(table, version, within=RECEIPT_WAIT)
            self._keep(receipt)
        return receipt

    def live_account(self, after: int | None = None) -> Generator[Entry, None, None]:
        """Yield the events of this account in the same way."""
        return self._live("/me/live", self.me().version if after is None else after)

    def _live(self, path: str, after: int) -> Generator[Entry, None, None]:
        return Live(self._line, path, after, self._patience, self._keep).entries()

    # Shared helpers

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
        """Fetch what the house signs now for an event it signed before."""
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
    """Quote a name for use in a path."""
    return quote(name, safe="")


def _money(amount: str) -> str:
    """Check an amount before it is sent. Raises MoneyError."""
    parse_cents(amount)
    return amount


def _given(**fields: object) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _picked(line: dict[str, Any], pick: Pick) -> dict[str, Any]:
    return line if pick is None else line | {"pick": pick}
