"""Owns made-up calls for the ledger: what tests and pictures of the usage page are made from."""

from __future__ import annotations

from datetime import datetime
from uuid import uuid4

from desktop_app.core.context.costs import usage_cost
from desktop_app.core.history_records import CallRecord, LedgerRow
from desktop_app.core.messages import Usage
from desktop_app.core.model_catalog import find_model


def call(
    at: datetime,
    backend: str,
    model: str,
    *,
    tokens: tuple[int, int, int, int],
    thread: str | None = None,
    kind: str = "money",
    purpose: str = "chat",
    cost: float | None = None,
) -> CallRecord:
    """A call at its shipped price, where `cost` gives no other. `tokens`: fresh, read, written to the cache, output."""
    fresh, read, written, output = tokens
    usage = Usage(input=fresh, cache_read=read, cache_write=written, output=output)
    dollars = usage_cost(find_model(backend, model), usage) if cost is None else cost
    stamp = at.strftime("%Y-%m-%dT%H:%M:%S.000Z")
    priced = Usage(input=fresh, cache_read=read, cache_write=written, output=output, cost_usd=dollars)
    return CallRecord(uuid4().hex, thread, purpose, backend, model, kind, stamp, stamp, priced)


def row(
    day: str,
    *,
    backend: str = "anthropic",
    model: str = "claude-sonnet-5-5",
    tokens: tuple[int, int, int, int] = (100, 800, 100, 50),
    cost: float | None = 0.01,
    calls: int = 1,
    thread: str | None = "t1",
    title: str = "A thread",
    purpose: str = "chat",
    kind: str = "money",
) -> LedgerRow:
    """A row of the ledger; `cost` None: the price of none of its calls is known."""
    return LedgerRow(
        thread, title, day, backend, model, purpose, kind, calls, *tokens, cost or 0.0, 0 if cost is None else calls
    )
