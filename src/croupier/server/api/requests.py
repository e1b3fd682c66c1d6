"""Parameters that several endpoints take, and whom they are for."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from croupier.house import names
from croupier.server.endpoints import Header

KEEPING_BOOKS = names.KEEPING_BOOKS
SUPERVISING = ("supervisor", *KEEPING_BOOKS)

_IS_KEY = Meta(
    min_length=1,
    max_length=100,
    pattern=r"^[!-~]+$",
    description="Your own choice, different for each command: a command resent with its key is not carried out twice.",
)
KEY = Annotated[str, _IS_KEY]
Key = Annotated[KEY, Header("Idempotency-Key")]
OptionalKey = Annotated[str | None, Header("Idempotency-Key"), _IS_KEY]
AfterName = Annotated[str, Meta(max_length=40, description="Only names after this one.")]
Containing = Annotated[str, Meta(max_length=40, description="Only names that contain this.")]
After = Annotated[int, Meta(ge=0, le=2**53, description="Only entries after this number.")]
Limit = Annotated[int, Meta(ge=1, le=1000, description="The maximum number to return.")]
BookName = Annotated[str, Meta(max_length=40, description="The id of a book.")]
