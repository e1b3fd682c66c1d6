"""Double-entry accounts of the whole house, derived from the streams, and an audit that finds what does not balance.

Chips come from the bank into accounts, go from accounts to tables and come back. The purse of a table is where both
sides meet: accounts post what they sent there, the table what it got, so it is empty after every write. The balances of
all accounts of the house always sum to zero.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from croupier import ledger
from croupier.contract.management import Finding
from croupier.house import account_state as account_books
from croupier.house import promotion_state as promotion_books
from croupier.house import table_state as table_books
from croupier.house.account_state import Account
from croupier.house.events import CameFromTable, ChipsGranted, WentToTable
from croupier.house.names import ACCOUNTS, PROMOTIONS, TABLES, name_of, table_stream
from croupier.house.promotion_state import PromotionState
from croupier.house.stored_events import Entry, StoredEvent, read
from croupier.house.table_state import TableState
from croupier.ledger import CAGE, FLOAT, LAYOUT, PURSE, TOKENS, Posting, hand, tokens
from croupier.money import format_cents
from croupier.store.records import Record

BANK = "bank"  # the source of play chips: chips in circulation are owed to it

# Accounts that may be negative: the house's own, the counterpart of what others hold.
OWING = frozenset({BANK, FLOAT, CAGE, PURSE, TOKENS})
AT_ONCE = 10_000  # events replayed together


def account(person: str) -> str:
    """Return the ledger account of a person's chips away from tables."""
    return f"account {person}"


def at_table(name: str, table: str) -> str:
    """Return the house-wide name of a table's account."""
    return f"{name} at {table}"


def entries(records: Iterable[Record]) -> Iterator[Entry]:
    """Decode the records of a stream."""
    return map(read, records)


def postings(stream: str, event: StoredEvent) -> list[Posting]:
    """Return the balanced postings of an event; empty if it moves no money."""
    return [
        Posting(at_table(name, book) if book else name, cents)
        for book, posted in _by_book(stream, event)
        for name, cents in posted
    ]


HOUSE = ""  # the book of everything outside tables; tables' books have their names


def _by_book(stream: str, event: StoredEvent) -> list[tuple[str, list[Posting]]]:
    """Return an event's postings in each book that it affects."""
    if stream.startswith(TABLES):
        # Events of the house move no money at a table, and the ledger does not know them.
        return [(name_of(stream), ledger.postings(event))]  # type: ignore[arg-type]
    if not stream.startswith(ACCOUNTS):
        return []
    own = account(name_of(stream))
    match event:
        case ChipsGranted(cents=cents):
            return [(HOUSE, [Posting(BANK, -cents), Posting(own, cents)])]
        case WentToTable(table=table, cents=cents):
            return [(HOUSE, [Posting(own, -cents)]), (table, [Posting(PURSE, cents)])]
        case CameFromTable(table=table, cents=cents):
            return [(table, [Posting(PURSE, -cents)]), (HOUSE, [Posting(own, cents)])]
    return []


class Books:
    """All balances of the house, event by event. Discrepancies are reported, and posting goes on."""

    def __init__(self) -> None:
        self._books: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._between: dict[tuple[str, str], int] = {}  # by table and person: chips sent but not received

    # Posting

    def post(self, stream: str, entered: Iterable[Entry]) -> list[Finding]:
        """Post events of a stream, in order."""
        return [found for entry in entered for found in self._post(stream, entry)]

    def _post(self, stream: str, entry: Entry) -> Iterator[Finding]:
        event = entry.document.event
        try:
            parts = _by_book(stream, event)
        except AssertionError:
            yield Finding(stream, entry.version, "The postings of the event do not sum to zero.")
            return
        for book, posted in parts:
            balances, spent = self._books[book], set()
            for name, cents in posted:
                balances[name] += cents
                if cents < 0:
                    spent.add(name)
                if name == PURSE:
                    self._meet(book, _person(stream, event), cents)
            for name in sorted(spent - OWING):
                if balances[name] < 0:
                    yield Finding(stream, entry.version, f"{name} holds {format_cents(balances[name])}.")

    def _meet(self, table: str, person: str, cents: int) -> None:
        """Match chips that moved between an account and a table, person by person."""
        pair = table, person
        apart = self._between.pop(pair, 0) + cents
        if apart:
            self._between[pair] = apart

    # Reading

    def held(self, name: str, table: str = HOUSE) -> int:
        """Return the balance of an account of the house, or of a table."""
        return self._books[table][name]

    def balances(self) -> dict[str, int]:
        """Return all non-zero accounts of the house, by name."""
        named = {
            at_table(name, book) if book else name: cents
            for book, balances in self._books.items()
            for name, cents in balances.items()
        }
        return {name: named[name] for name in sorted(named) if named[name]}

    @property
    def total(self) -> int:
        """The sum over all accounts of the house: always zero."""
        return sum(sum(balances.values()) for balances in self._books.values())

    def purses(self) -> list[Finding]:
        """Return mismatches between accounts and tables. There are none after any complete write."""
        return [
            Finding(
                table_stream(table),
                None,
                f"The account of {person} and the table differ by {format_cents(abs(cents))} in the chips "
                "moved between them.",
            )
            for (table, person), cents in sorted(self._between.items())
        ]

    def check_table(self, stream: str, state: TableState) -> list[Finding]:
        """Return where a table's state and its book disagree."""
        game, balances = state.game, self._books[name_of(stream)]
        stakes = [stake for stakes in game.layout.values() for stake in stakes.values()]
        out = sum(game.tokens.values()) + sum(stake.tokens for stake in stakes)
        shown = Counter({LAYOUT: sum(stake.amount for stake in stakes), TOKENS: -out})
        shown.update({hand(player): game.chips_of(player) for player in {*game.chips, *game.kept}})
        shown.update({tokens(player): cents for player, cents in game.tokens.items()})
        booked = {name for name in balances if name in shown or name.startswith((hand(""), tokens("")))}
        return [
            Finding(
                stream,
                None,
                f"The book has {format_cents(balances[name])} on {name}, the table {format_cents(shown[name])}.",
            )
            for name in sorted({*shown, *booked})
            if shown[name] != balances[name]
        ]

    def check_account(self, stream: str, state: Account) -> list[Finding]:
        """Return where an account's state and its book disagree."""
        booked = self.held(account(name_of(stream)))
        if booked == state.chips:
            return []
        say = f"The book has {format_cents(booked)}, the account {format_cents(state.chips)}."
        return [Finding(stream, None, say)]


def _person(stream: str, event: Any) -> str:  # noqa: ANN401  # an event that posts to a purse
    """Return whose chips move between an account and a table."""
    return name_of(stream) if stream.startswith(ACCOUNTS) else event.player


def audit(streams: Mapping[str, Iterable[Entry]]) -> list[Finding]:
    """Audit the whole house. The streams must be of one moment: each write complete, or absent.

    Every event is posted and replayed, so unexplained balances and events that do not fit are found.
    """
    return audited(streams)[1]


def audited(streams: Mapping[str, Iterable[Entry]]) -> tuple[Books, list[Finding]]:
    """Audit the house; also return the books, with every balance at that moment."""
    books = Books()
    found: list[Finding] = []
    for stream, stored in streams.items():
        if stream.startswith(TABLES):
            found += _audited(books, stream, stored, TableState(), table_books.evolve, books.check_table)
        elif stream.startswith(ACCOUNTS):
            found += _audited(books, stream, stored, Account(), account_books.evolve, books.check_account)
        elif stream.startswith(PROMOTIONS):
            found += _audited(books, stream, stored, PromotionState(), promotion_books.evolve, _no_money)
    found += books.purses()
    if books.total:
        found.append(Finding("house", None, f"All accounts together hold {format_cents(books.total)}."))
    return books, found


def _no_money(stream: str, state: PromotionState) -> list[Finding]:
    """Check nothing: a promotion moves no play chips."""
    return []


def _audited(
    books: Books,
    stream: str,
    stored: Iterable[Entry],
    state: Any,  # noqa: ANN401  # the state that `evolve` returns
    evolve: Callable[[Any, list[Entry]], Any],
    check: Callable[[str, Any], list[Finding]],
) -> list[Finding]:
    found: list[Finding] = []
    rest = iter(stored)
    while some := list(islice(rest, AT_ONCE)):
        found += books.post(stream, some)
        try:
            state = evolve(state, some)
        except Exception:  # stored data may be anything, and fail in any way
            return [*found, *_unfit(stream, some, state, evolve)]
    return found + check(stream, state)


def _unfit(
    stream: str,
    some: list[Entry],
    state: Any,  # noqa: ANN401
    evolve: Callable[[Any, list[Entry]], Any],
) -> Iterator[Finding]:
    """Yield the first event that does not fit those before it; the stream cannot be followed any further."""
    for entry in some:
        try:
            state = evolve(state, [entry])
        except Exception:
            yield Finding(stream, entry.version, "The event does not follow from the events before it.")
            return
