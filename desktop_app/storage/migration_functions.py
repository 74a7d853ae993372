"""The SQL functions of step 7 of the history's format, which plain SQL has not. As a step, it is never changed.

Each gives back what it got where nothing has to be mended, so that bytes stay as they are.
"""

from __future__ import annotations

import json
import math
import sqlite3
from dataclasses import fields
from typing import Any

from desktop_app.core.messages import Usage
from desktop_app.core.redaction import Redaction

_MOST_TOKENS, _MOST_USD, _MOST_SECONDS = 10**12, 10.0**6, 366 * 86_400.0
_COUNTS = tuple(one.name for one in fields(Usage) if one.name != "cost_usd")


def add_functions(connection: sqlite3.Connection) -> None:
    """Makes `mended_usage`, `mended_failure` and `mended_parts` known to the connection."""
    redaction = Redaction()
    connection.create_function("mended_usage", 1, _usage, deterministic=True)
    connection.create_function("mended_parts", 1, _parts, deterministic=True)
    connection.create_function("mended_failure", 1, lambda text: _failure(text, redaction), deterministic=True)


def _usage(text: str | None) -> str | None:
    """A count that can't be right makes all of it unknown, a cost that can't be right itself."""
    usage = _read(text)
    if not isinstance(usage, dict):
        return None
    if any(not _within(usage.get(name, 0), _MOST_TOKENS) for name in _COUNTS):
        return None
    cost = usage.get("cost_usd")
    return text if cost is None or _within(cost, _MOST_USD) else _written(usage | {"cost_usd": None})


def _failure(text: str | None, redaction: Redaction) -> str | None:
    """Without what looks like a key, or is a password in an address, and without a wait that is none."""
    failure = _read(text)
    if not isinstance(failure, dict):
        return text
    texts = {name: failure[name] for name in ("message", "detail") if isinstance(failure.get(name), str)}
    clean = failure | {name: redaction.of_error(said) for name, said in texts.items()}
    wait = failure.get("retry_after_s")
    if wait is not None and not _within(wait, _MOST_SECONDS):
        clean["retry_after_s"] = None
    return text if clean == failure else _written(clean)


def _parts(stored: bytes | None) -> bytes | None:
    """Packed JSON with null for what is no finite number."""
    if stored is None:
        return None
    try:
        packed = json.loads(
            stored.decode("utf-8", "surrogatepass"), parse_constant=lambda _: None, parse_float=_finite_or_none
        )
        clean = json.dumps(packed, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError):
        return stored  # damaged in another way: left as it is
    return clean


def _finite_or_none(text: str) -> float | None:
    value = float(text)
    return value if math.isfinite(value) else None


def _within(value: Any, most: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= most


def _read(text: str | None) -> Any:
    try:
        return json.loads(text or "null")
    except (ValueError, RecursionError):
        return None


def _written(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
