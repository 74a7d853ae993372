"""Owns the words that the monkey types, and where they are found on disk."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from desktop_app.storage.block_store import read_blocks

KEEPING_S: Final = 2.0
"""A word that has been in the window so long is on disk, whatever kills the process."""
_WORD: Final = re.compile(r"mk\d+q")


def words_in(text: str) -> set[str]:
    return set(_WORD.findall(text))


def stored_words(data_dir: Path) -> set[str]:
    """Every such word in the history or among the texts that were not saved."""
    found: set[str] = set()
    with closing(sqlite3.connect(f"file:{data_dir / 'history.db'}?mode=ro", uri=True, timeout=5)) as file:
        for texts in file.execute("SELECT draft, title, system, choices FROM thread"):
            found |= words_in(" ".join(texts))
        for (text,) in file.execute("SELECT title || text FROM prompt"):
            found |= words_in(text)
        for (parts,) in file.execute("SELECT parts FROM message WHERE role = 'user'"):
            found |= words_in(bytes(parts).decode("utf-8", "replace"))
        keys = [key for (key,) in file.execute("SELECT key FROM block")]
        text_of = read_blocks(file, keys)
        for key in keys:
            found |= words_in(text_of(key))
    unsaved = data_dir / "unsaved.json"
    if unsaved.exists():
        found |= words_in(unsaved.read_text("utf-8", "replace"))
    return found


def problem_of(data_dir: Path) -> str:
    """What SQLite finds wrong with the history; empty where nothing is."""
    with closing(sqlite3.connect(data_dir / "history.db", timeout=5)) as file:
        (verdict,) = file.execute("PRAGMA integrity_check").fetchone()
    return "" if verdict == "ok" else str(verdict)
