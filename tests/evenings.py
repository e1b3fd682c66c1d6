"""An evening at a small house, for tests of what is stored: tables, people, secrets, refusals, checkpoints."""

from __future__ import annotations

from typing import NamedTuple

from croupier.house import orders
from croupier.server.credentials import Credentials, Issued
from croupier.server.settings import Settings
from croupier.store.checkpoints import trusted
from croupier.store.contract import Store
from croupier.store.keys import HouseKey
from tests.houses import TestHouse

KEY = HouseKey.new()
HOUSE = "Harbour"
PASSWORDS = {"ann": "correct horse battery", "bob": "another long password"}
TABLE = "sic-bo-1"


class Evening(NamedTuple):
    """What people have in their hands afterwards."""

    sessions: list[Issued]
    tokens: list[Issued]


def play(store: Store, key: HouseKey = KEY) -> None:
    """Ann plays two rounds at an automatic table while bob watches; the store is sealed twice, with one event after
    that."""
    house = TestHouse(store)
    sealer = trusted(store, key, HOUSE, house.at)
    for person in PASSWORDS:
        house.person(person)
    house.clock_table("sic-bo-nsw-2016", TABLE)
    house.ok(orders.Sit(table=TABLE, cents=100_00), "ann", "key-sit")
    for amount in ("5.00", "10.00"):
        house.until(lambda: house.house.table(TABLE).round is not None)
        bet = orders.Say(table=TABLE, line={"do": "bet", "wager": "small", "amount": amount})
        house.ok(bet, "ann", f"key-{amount}")
        assert house.do(bet, "bob")["code"] == "not_at_table"
        house.until(lambda: house.house.table(TABLE).round is None)
        sealer.seal(house.at)
    house.until(lambda: house.house.table(TABLE).round is not None)


def sign_in(store: Store) -> Evening:
    """Passwords, sessions and tokens for everyone."""
    house = TestHouse(seed="entropy of the evening")
    known = Credentials.of(Settings(), store, house.entropy)
    evening = Evening([], [])
    for person, password in PASSWORDS.items():
        assert known.set_password(person, password) is None
        for made, issued in (
            (evening.sessions, known.sign_in(person, password, house.at)),
            (evening.tokens, known.issue_token(person, "bot", ("play",), house.at)),
        ):
            assert isinstance(issued, Issued)
            made.append(issued)
    return evening
