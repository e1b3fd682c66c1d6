"""The demonstration house: a table for each book, one dealt by hand, a promotion, and a person in every role."""

from __future__ import annotations

from datetime import datetime, timedelta
from ipaddress import ip_address
from typing import Any, NamedTuple

from croupier import rulebooks
from croupier.house import orders
from croupier.house.names import ROLES, account_stream, promotion_stream, table_stream
from croupier.house.orders import Order
from croupier.house.queries import Rhythm
from croupier.server.running_house import RunningHouse
from croupier.server.settings import Settings, SettingsError


class SignIn(NamedTuple):
    """A person to sign in as."""

    person: str
    name: str
    roles: tuple[str, ...]

    @property
    def password(self) -> str:
        """The password; it is public, so the house is open to this machine only."""
        return f"{self.person}-at-croupier"


PEOPLE = (
    SignIn("ann", "Ann", ("player",)),
    SignIn("ben", "Ben", ("player",)),
    SignIn("dora", "Dora", ("dealer",)),
    SignIn("sam", "Sam", ("supervisor",)),
    SignIn("mia", "Mia", ("manager",)),
    SignIn("otto", "Otto", ("operator",)),
    SignIn("ivy", "Ivy", ("inspector",)),
)
assert {role for one in PEOPLE for role in one.roles} == set(ROLES), "a person in every role"

CHIPS_CENTS = 1_000_00
DEALT = "craps-dealt"  # run by people: for trying the dealer's console
PROMOTION = "harbour-draw"
RHYTHM = Rhythm(open=20.0, last_call=5.0, shut=0.3, show=3.5, waits=True)  # alone, a round takes four seconds


def check_alone(settings: Settings) -> None:
    """Refuse to open the demonstration to other machines: its passwords are public. Raises SettingsError."""
    try:
        alone = settings.host == "localhost" or ip_address(settings.host).is_loopback
    except ValueError:
        alone = False
    if not alone:
        say = f"The demonstration has public passwords, so it cannot be opened to others on {settings.host}."
        raise SettingsError(say)


async def furnish(running_house: RunningHouse) -> None:
    """Create what the demonstration needs and this house does not have yet."""
    for one in PEOPLE:
        if running_house.store.head(account_stream(one.person)).version == 0:
            kept = await running_house.hashed(one.person, one.password)
            plays = "player" in one.roles
            order = orders.OpenAccount(person=one.person, name=one.name, roles=one.roles, cents=CHIPS_CENTS, card=plays)
            await running_house.own_order(order, (kept,))
    for book in rulebooks.ids():
        if running_house.store.head(table_stream(book)).version == 0:
            title = running_house.house.shelf.book(book).rules.book.title
            await _set_table(running_house, orders.SetTable(table=book, title=title, line=_line(book), rhythm=RHYTHM))
    if running_house.store.head(table_stream(DEALT)).version == 0:
        line = _line("craps-nsw-2024") | {"max": "500.00", "dice": "manual", "late": True}
        await _set_table(running_house, orders.SetTable(table=DEALT, title="Craps, dealt by people", line=line))
    if running_house.store.head(promotion_stream(PROMOTION)).version == 0:
        await _promote(running_house)


def _line(book: str) -> dict[str, Any]:
    return {"book": book, "min": "1.00"}


async def _set_table(running_house: RunningHouse, order: orders.SetTable) -> None:
    told = await running_house.own_order(order)
    assert told.ok, told


async def _promote(running_house: RunningHouse) -> None:
    """File a promotion as a manager would. It starts tomorrow, because the book requires a day's notice."""
    start = running_house.clock().replace(minute=0, second=0, microsecond=0) + timedelta(hours=26)
    given: list[Order] = [orders.OpenPromotion(promotion=PROMOTION, book="craps-nsw-2024", title="Harbour draw")]
    lines = (
        {"do": "draft_terms", "terms": _terms(start)},
        {"do": "file_terms"},
        {"do": "publish_terms", "means": "on this site, and in print at the cashier's desk", "in_marketing": True},
    )
    given += [orders.Promote(promotion=PROMOTION, line=line) for line in lines]
    for order in given:
        told = await running_house.processor.do(running_house.processor.submission(order, "mia"))
        assert told.ok, told


def _terms(start: datetime) -> dict[str, Any]:
    closes = start + timedelta(days=7)
    return {
        "said": {
            "manner": "By an electronic draw among all entries, which anyone can recompute from its public record.",
            "awarded_at": (closes + timedelta(hours=1)).isoformat(),
            "awarded_where": "At the main stage, next to the Craps tables.",
            "eligibility": "Everyone with a Player Card who plays Craps while the promotion runs.",
            "wager_required": True,
            "minimum_wager": "5.00",
            "entries_close": closes.isoformat(),
            "held_where": "At the Craps tables of this house.",
            "starts": start.isoformat(),
            "claim_method": "At the cashier's desk or on this site, within 30 days.",
            "presence_required": False,
            "winner_told": "By telephone or email, within two days of the draw.",
            "results_published": "On this site, under the names that entrants have in the public record.",
        },
        "prizes": [
            {
                "id": "main",
                "kind": "money",
                "said": {"nature": "Play money", "details": "Paid once, to one winner.", "value": "5000.00"},
            },
            {
                "id": "dinner",
                "kind": "other",
                "count": 3,
                "said": {
                    "nature": "Dinner for two",
                    "details": "Three courses at the harbour restaurant, drinks not included.",
                    "value": "240.00",
                },
            },
        ],
        "earning": {"amount": "20.00"},
    }
