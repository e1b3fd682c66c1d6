"""A house to look at: a table for each book, run by the clock, and somebody of every role to sign in as."""

from __future__ import annotations

from ipaddress import ip_address
from typing import NamedTuple

from croupier import rulebooks
from croupier.house import orders
from croupier.house.deeds.titles import ROLES
from croupier.house.events import Rhythm
from croupier.house.streams import account_stream, table_stream
from croupier.server.premises import Premises
from croupier.server.settings import Settings, SettingsError


class SignIn(NamedTuple):
    """Somebody to sign in as."""

    person: str
    name: str
    roles: tuple[str, ...]

    @property
    def password(self) -> str:
        """Known to everybody, which is why the house is open to this machine only."""
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
assert {role for one in PEOPLE for role in one.roles} == set(ROLES), "somebody of every role"

CHIPS_CENTS = 1_000_00
RHYTHM = Rhythm(open=20.0, last_call=5.0, shut=1.0, show=5.0, waits=True)


def check_alone(settings: Settings) -> None:
    """Everybody knows these passwords: such a house is for one machine. Raises SettingsError."""
    try:
        alone = settings.host == "localhost" or ip_address(settings.host).is_loopback
    except ValueError:
        alone = False
    if not alone:
        say = f"The demonstration has passwords that everybody knows, so it is not opened to others on {settings.host}."
        raise SettingsError(say)


async def furnish(premises: Premises) -> None:
    """Open what a demonstration has and this house has not yet."""
    for one in PEOPLE:
        if premises.store.head(account_stream(one.person)).version == 0:
            kept = await premises.hashed(one.person, one.password)
            plays = "player" in one.roles
            deed = orders.OpenAccount(person=one.person, name=one.name, roles=one.roles, cents=CHIPS_CENTS, card=plays)
            await premises.own_order(deed, (kept,))
    for book in rulebooks.ids():
        if premises.store.head(table_stream(book)).version == 0:
            title = premises.house.shelf.book(book).rules.book.title
            line = {"book": book, "min": "1.00"}
            told = await premises.own_order(orders.SetTable(table=book, title=title, line=line, rhythm=RHYTHM))
            assert told["ok"], told
