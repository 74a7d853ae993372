"""One step of the history file's format."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Migration:
    """One change of format: leads from `number` - 1 to `number`; `why` is one sentence for those who come later.

    `functions` makes the SQL functions that the statements call known to the connection.
    """

    number: int
    why: str
    statements: tuple[str, ...]
    functions: Callable[[sqlite3.Connection], None] | None = None
