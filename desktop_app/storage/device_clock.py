"""The device's name and its Lamport clock, which every fact that may change is written with."""

from __future__ import annotations

import sqlite3


def tick(connection: sqlite3.Connection) -> tuple[str, int]:
    """Moves the clock on, inside the caller's write: the device's id and the time of what is written now."""
    connection.execute("UPDATE device SET clock = clock + 1")
    device, clock = connection.execute("SELECT id, clock FROM device").fetchone()
    return device, clock
