"""A small typed client of a house's HTTP API.

    from croupier.client import Client

    house = Client.sign_in("http://127.0.0.1:8000", "ann", "ann-at-croupier")
    house.seat("craps-nsw-2024", "100.00")
    house.bet("craps-nsw-2024", "win_line", "10.00")
    for entry in house.live("craps-nsw-2024"):
        print(entry.version, entry.type, entry.events)

A command is carried out exactly once, however often it is sent. Live events arrive without gaps or duplicates, even
across lost connections and a restart of the house. Amounts are strings such as "10.00".
"""

from croupier.client.client import Client
from croupier.client.connection import BadReceipt, BadReply, Refused, Unreachable
from croupier.client.receipts import Receipts
from croupier.contract.lines import StandingWager
from croupier.contract.management import (
    Alert,
    Alerts,
    Answered,
    Balance,
    BooksReport,
    Figures,
    Finding,
    HouseReport,
    Period,
    RefusedCommand,
    TableReport,
    WagerFigures,
)
from croupier.contract.replies import (
    Account,
    Act,
    Acts,
    Against,
    Book,
    BookTitle,
    Checkpoint,
    Done,
    Entry,
    Exclusion,
    Field,
    Ground,
    House,
    LaterLimits,
    Limits,
    Offered,
    Rhythm,
    Round,
    Table,
    Token,
    TokenIssued,
    Witnessed,
)
from croupier.money import MoneyError
from croupier.store.receipts import Receipt

__all__ = [
    "Account",
    "Act",
    "Acts",
    "Against",
    "Alert",
    "Alerts",
    "Answered",
    "BadReceipt",
    "BadReply",
    "Balance",
    "Book",
    "BookTitle",
    "BooksReport",
    "Checkpoint",
    "Client",
    "Done",
    "Entry",
    "Exclusion",
    "Field",
    "Figures",
    "Finding",
    "Ground",
    "House",
    "HouseReport",
    "LaterLimits",
    "Limits",
    "MoneyError",
    "Offered",
    "Period",
    "Receipt",
    "Receipts",
    "Refused",
    "RefusedCommand",
    "Rhythm",
    "Round",
    "StandingWager",
    "Table",
    "TableReport",
    "Token",
    "TokenIssued",
    "Unreachable",
    "WagerFigures",
    "Witnessed",
]
