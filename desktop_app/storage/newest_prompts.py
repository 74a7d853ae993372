"""Reads the prompts that a new thread offers, for the first paint, by plain SQLite."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from desktop_app.core.prompts import Prompt

_NEWEST = """
    SELECT id, title, text, created, updated FROM prompt WHERE deleted IS NULL ORDER BY updated DESC, title LIMIT ?
"""


def read_newest_prompts(path: Path, most: int) -> tuple[Prompt, ...]:
    """Those that were changed last; none where there is no file, or none that can be read as it is."""
    if not path.is_file():
        return ()
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=0)) as connection:
            return tuple(Prompt(*row) for row in connection.execute(_NEWEST, (most,)))
    except sqlite3.Error:  # an older format, or a file that can't be opened: the window reads them again
        return ()
