"""Bodies of replies. Those of requests are in `croupier.contract.requests` and follow from the orders."""

from __future__ import annotations

from typing import Any

import msgspec

from croupier.store.receipts import Receipt


class Done(msgspec.Struct, frozen=True):
    """A command was carried out and stored; `versions` are the new versions of the streams it changed.

    If it changed a table, `receipt` is signed by the house; docs/receipts.md explains how to check it.
    """

    ok: bool
    versions: dict[str, int]
    calls: list[str] = []  # the calls at the table, such as after a throw
    number: str | None = None  # the commitment that the house holds, if one was sent
    receipt: Receipt | None = None


class SignedIn(msgspec.Struct, frozen=True):
    """The person signed in. Send `csrf` as the header X-CSRF-Token with every further request that is not a GET."""

    person: str
    csrf: str
    until: str


class TokenIssued(msgspec.Struct, frozen=True):
    """A new token, shown only once."""

    token: str
    name: str
    scopes: list[str]
    until: str | None


class TokenShown(msgspec.Struct, frozen=True):
    """A token without its secret."""

    name: str
    scopes: list[str]
    since: str
    until: str | None


class Page(msgspec.Struct, frozen=True):
    """A page of a stream's entries. Pass `next` as `after` for more; null at the end."""

    entries: list[dict[str, Any]]
    next: int | None
