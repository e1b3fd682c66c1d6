"""What a witness has of a house, fetched over HTTP: from another house, or from any URL that gives the same lines."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

import httpx
import msgspec

from croupier.store.contract import StoreError
from croupier.store.witnessing import Handed, Witnessed, read_witnessed

TIMEOUT = 30.0
LIMIT = 100  # checkpoints at a time


class _Page(msgspec.Struct, frozen=True):
    entries: list[Handed]
    next: int | None


def fetch_witnessed(url: str) -> list[Witnessed]:
    """All checkpoints that a witness has. What stands before an @ in the address is a token. Raises StoreError."""
    parts = urlsplit(url)
    token = unquote(parts.netloc.rpartition("@")[0])
    plain = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    headers = {"authorization": f"Bearer {token}"} if token else {}
    try:
        with httpx.Client(headers=headers, timeout=TIMEOUT) as http:
            return _fetched(http, plain)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise StoreError(f"The witness {plain} does not answer: {type(error).__name__}.") from error
    except ValueError as error:
        raise StoreError(f"The witness {plain} gives something else than checkpoints: {error}.") from None


def _fetched(http: httpx.Client, url: str) -> list[Witnessed]:
    found: list[Witnessed] = []
    after: int | None = 0
    while after is not None:
        query = {"after": after, "limit": LIMIT} if after or "/api/v1/witness/" in url else None
        reply = http.get(url, params=query)
        if not reply.is_success:
            raise StoreError(f"The witness {url} answers {reply.status_code}.")
        try:
            page = msgspec.json.decode(reply.content, type=_Page)
        except msgspec.MsgspecError:
            return read_witnessed(reply.content, url)
        found += [Witnessed(one.checkpoint(), url) for one in page.entries]
        after = page.next
    if not found:
        raise StoreError(f"The witness {url} has no checkpoint.")
    return found
