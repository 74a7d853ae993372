"""Another process that locks a history file: `with locked_by_another(path):`; it waits for a line and lets go."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.patience import PATIENCE_S

_LOCK = """
import sqlite3, sys
other = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2].split(";"):
    other.execute(statement)
print("locked", flush=True)
sys.stdin.readline()
other.execute("ROLLBACK")
"""


@contextmanager
def locked_by_another(path: Path, *, exclusive: bool = False) -> Iterator[None]:
    """In the block no one else can write to the file; `exclusive`: nor open it."""
    how = "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE" if exclusive else "BEGIN IMMEDIATE"
    command = [sys.executable, "-c", _LOCK, str(path), how]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "locked\n"
        try:
            yield
        finally:
            other.communicate("\n", timeout=PATIENCE_S)
