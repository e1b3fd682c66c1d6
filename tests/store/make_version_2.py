"""Makes files/version-2.sqlite and version-2.key: a house with version 2 of the tables, before seals and marks.

Run once, with the croupier of that time: python -m tests.store.make_version_2. Both files are never changed, so that
every later version is tested with the same bytes.
"""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import msgspec
from argon2 import PasswordHasher

from croupier.house import orders
from croupier.server import credentials
from croupier.server.admission import Asker
from croupier.server.first_operator import make_operator
from croupier.server.running_house import RunningHouse
from croupier.server.settings import Settings

FILES = Path(__file__).parent / "files"
FILE, KEY = FILES / "version-2.sqlite", FILES / "version-2.key"
PASSWORD = "correct horse battery"  # of everyone
TABLE = "craps-1"


async def _evening(settings: Settings) -> None:
    running_house = RunningHouse(settings)
    await running_house.open()
    otto, ann = Asker("otto"), Asker("ann")

    async def done(asker: Asker | None, key: str, deed: orders.Order, ok: bool = True) -> None:
        told = await (running_house.own_order(deed) if asker is None else running_house.order(asker, key, deed))
        assert told["ok"] is ok, told

    kept = await running_house.hashed("ann", PASSWORD)
    mark = await running_house.marked("ann", PASSWORD)  # type: ignore[call-arg]
    ann_opened = orders.OpenAccount(person="ann", name="Ann", cents=1_000_00, card=True, credential=mark)
    told = await running_house.own_order(ann_opened, (kept,), "sign-up/ann/first")
    assert told["ok"], told
    await done(otto, "again", orders.OpenAccount(person="ann", name="Twin", credential=mark), ok=False)
    await done(None, "", orders.SetTable(table=TABLE, title="Craps", line={"book": "craps-nsw-2024"}))
    await done(ann, "sit", orders.Sit(table=TABLE, cents=500_00))
    for number in range(12):
        line = {"do": ("bet", "take")[number % 2], "wager": "field"} | ({} if number % 2 else {"amount": "5.00"})
        await done(ann, f"bet-{number}", orders.Say(table=TABLE, line=line))
    await done(
        ann, "wrong", orders.Say(table=TABLE, line={"do": "bet", "wager": "nothing", "amount": "5.00"}), ok=False
    )
    await running_house.sign_in("ann", PASSWORD)
    running_house.credentials.issue_token("ann", "program", ("play",), running_house.clock())
    await running_house.close()


def main() -> None:
    """Write the files."""
    for file in (FILE, KEY):
        file.unlink(missing_ok=True)
    vars(credentials)["PasswordHasher"] = partial(PasswordHasher, time_cost=1, memory_cost=64)
    settings = msgspec.convert(
        {"store": f"sqlite:{FILE}", "key": str(KEY), "snapshot_events": 5, "name": "harbour"}, Settings
    )
    assert make_operator(settings, "otto", PASSWORD) is None
    asyncio.run(_evening(settings))
    for left in FILES.glob("version-2.sqlite?*"):
        left.unlink()


if __name__ == "__main__":
    main()
