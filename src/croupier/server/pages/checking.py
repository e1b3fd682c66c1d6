"""The checker as the house serves it: the bytes that `croupier checker` writes, under the policy that is in them."""

from __future__ import annotations

from functools import cache

from litestar import Response, get

from croupier.server.api.asks import ANYONE, Ask
from croupier.server.pages.files import File, answered, packed
from croupier.web.checker import checker, policy


@cache
def _file() -> File:
    return packed("check.html", checker())


@get("/check", opt={"needs": ANYONE}, include_in_schema=False)
async def check(request: Ask) -> Response[bytes]:
    """The page that checks records, prize draws and receipts in the browser of whoever asks."""
    return answered(request, _file(), policy())


HANDLERS = [check]
