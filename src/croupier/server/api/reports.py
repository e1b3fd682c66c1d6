"""What the house took in, and whether its books balance: for managers, operators and inspectors."""

from __future__ import annotations

from litestar.handlers import HTTPRouteHandler

HANDLERS: list[HTTPRouteHandler] = []
