"""A command that is killed in the middle of an import leaves nothing to be seen, and nothing for long."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.builders.chatgpt_export import conversation, node, said


def export(path: Path, first: int, count: int, words: int) -> Path:
    """Conversations of one long message each."""
    talks: list[Any] = []
    for number in range(first, first + count):
        question = node(f"q{number}", None, said("user", f"{number} " + f"hull{number} " * words))
        talks.append(conversation(question, conversation_id=f"c{number}", title=f"Talk {number}"))
    path.write_text(json.dumps(talks))
    return path


def plimsoll(folder: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "desktop_app", "--data-dir", str(folder), *arguments]


def said_by(folder: Path, *arguments: str) -> Any:
    run = subprocess.run(plimsoll(folder, *arguments, "--json"), capture_output=True, check=True)
    return json.loads(run.stdout)


def rows(folder: Path, query: str) -> int:
    for path in folder.glob("*.db"):
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        with contextlib.closing(connection), contextlib.suppress(sqlite3.OperationalError):  # it is being made
            return int(connection.execute(query).fetchone()[0])
    return 0


@pytest.mark.slow
def test_a_killed_import_is_unseen_and_the_next_one_takes_out_what_it_left(tmp_path: Path) -> None:
    data, big = tmp_path / "data", export(tmp_path / "big.json", 0, 300, 15_000)
    small = export(tmp_path / "small.json", 1_000, 2, 5)
    said_by(data, "import", str(small))
    hidden = "SELECT count(*) FROM thread WHERE deleted IS NOT NULL"
    with subprocess.Popen(plimsoll(data, "import", str(big)), stdout=subprocess.DEVNULL) as child:
        while rows(data, hidden) < 3:
            assert child.poll() is None, "the import was faster"
        child.kill()
    assert rows(data, hidden) >= 3
    assert [one["title"] for one in said_by(data, "threads")] != []
    assert len(said_by(data, "threads")) == 2
    assert said_by(data, "search", "hull7") == []

    again = export(tmp_path / "again.json", 2_000, 1, 5)
    assert said_by(data, "import", str(again))["threads"] == 1
    assert rows(data, hidden) == 0
    assert rows(data, "SELECT count(*) FROM message") == 3

    whole = said_by(data, "import", str(big))
    assert (whole["threads"], whole["messages"], whole["already"]) == (300, 300, 0)
    assert rows(data, "SELECT count(*) FROM thread WHERE deleted IS NULL") == 303
