"""What older versions stored of figures that can't be, of numbers that are none, and of secrets, is mended once."""

from __future__ import annotations

import json
import math
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.core.messages import TextPart, ToolCallPart, Usage
from desktop_app.storage.sqlite_connection import connect
from tests.data.db import build
from tests.storage.conftest import Talk, a_thread, opened
from tests.storage.sql_work import in_sql

KEY = "sk-ant-0123456789abcdef"
POISONED = {
    "message": "UPDATE message SET usage = :usage WHERE id = 'a1'",
    "failure": "UPDATE message SET failure = :failure WHERE id = 'a2'",
    "turn": "UPDATE turn SET cost_usd = -3000 WHERE id = 't0'",
    "call": "UPDATE model_call SET cost_usd = 9e999, input = 9223372036854775807",
    "event": "UPDATE context_event SET cost_usd = -1",
    "weights": """UPDATE calibration SET weights = '{"weights":[NaN],"covariance":[],"observations":1,"extra":{}}'""",
    "window": 'UPDATE learned_window SET "window" = -4',
}


@pytest.fixture
def poisoned(path: Path) -> Path:
    """The frozen file of format 6 with what its version would have taken from a hostile server."""
    path.parent.mkdir()
    shutil.copy(build.FOLDER / "v6.sqlite", path)
    failure = {
        "code": "auth",
        "message": f"Incorrect API key provided: {KEY}",
        "detail": "https://user:hunter22@gateway.test/v1",
        "actions": ["retry"],
        "retry_after_s": math.nan,
    }
    values = {
        "usage": json.dumps({"input": 5, "output": -2, "cost_usd": math.nan}),
        "failure": json.dumps(failure, separators=(",", ":")),
    }
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in POISONED.values():
            connection.execute(statement, values)
        (stored,) = connection.execute("SELECT parts FROM message WHERE id = 'a1'").fetchone()
        assert b'"limit":3' in stored
        parts = stored.replace(b'"limit":3', b'"limit":[NaN,-Infinity,1e999]')
        connection.execute("UPDATE message SET parts = ? WHERE id = 'a1'", (parts,))
    return path


async def test_step_7_mends_all_of_it(poisoned: Path) -> None:
    async with opened(poisoned) as history:
        messages = {message.id: message for message in await history.messages(build.THREAD.id)}
        assert messages["a1"].usage is None
        call = next(part for part in messages["a1"].parts if isinstance(part, ToolCallPart))
        assert call.input == {"query": "river", "limit": [None, None, None]}
        others = [part for part in build.PARTS if not isinstance(part, ToolCallPart)]
        assert [part for part in messages["a1"].parts if not isinstance(part, ToolCallPart)] == others
        failure = messages["a2"].failure
        assert failure is not None
        assert failure.message == "Incorrect API key provided: [removed]"
        assert failure.detail == "https://[removed]@gateway.test/v1"
        assert failure.retry_after_s is None
        assert (failure.code, failure.actions) == ("auth", ("retry",))
        rows = await history.ledger()
        assert sum(row.cost_usd for row in rows) == 0
        assert {row.purpose: (row.calls, row.input, row.priced) for row in rows} == {
            "chat": (2, 1, 0),
            "summary": (1, 0, 0),
        }
        assert await history.spent_usd(since="2026") == 0
        assert [event.cost_usd for event in await history.events(build.CURATED.id)] == [None]
        assert await history.token_weights("anthropic", "m") is None
        assert await history.learned_windows() == {}
    for file in (poisoned, *(poisoned.parent / "backups").iterdir()):
        raw = file.read_bytes()
        assert KEY.encode() not in raw
        assert b"hunter22" not in raw


async def test_the_sums_go_on_after_it(poisoned: Path) -> None:
    async with opened(poisoned) as history:
        await history.create_thread(a_thread())
        talk = Talk(history)
        answer = await talk.begin("q", name="new")
        await history.end_turn("tnew", answer, Usage(7, cost_usd=0.25))
        assert await history.spent_usd(since="2026-01") == 0.25
        assert sum(row.cost_usd for row in await history.ledger()) == 0.25


def test_a_sound_file_keeps_its_bytes(path: Path) -> None:
    """What is compared is every row of every table."""
    path.parent.mkdir()
    shutil.copy(build.FOLDER / "v6.sqlite", path)

    def rows(file: Path) -> dict[str, list[tuple[object, ...]]]:
        with closing(sqlite3.connect(file)) as connection:
            names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            return {
                name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in names if "text" not in name
            }

    before = rows(path)
    connect(path).close()
    after = rows(path)
    for name, rows_before in before.items():  # later steps add columns
        assert [row[: len(rows_before[0])] for row in after.pop(name)] == rows_before
    assert len(after.pop("device")) == 1
    assert not any(after.values()), "what later steps add is empty"


async def test_a_negative_cost_lowers_no_sum(path: Path) -> None:
    """Not even one that another program wrote into the file."""
    async with opened(path) as history:
        await history.create_thread(a_thread())
        talk = Talk(history)
        await talk.turn("q", "a")
        await in_sql(
            history, lambda connection: connection.execute("UPDATE turn SET cost_usd = -3000, cost_kind = 'money'")
        )
        assert await history.spent_usd(since="2020") == 0


IMPOSSIBLE = [Usage(input=2**63), Usage(output=-1), Usage(cost_usd=math.inf), Usage(cost_usd=-1.0)]


@pytest.mark.parametrize("usage", IMPOSSIBLE)
async def test_the_file_takes_no_such_figure(path: Path, usage: Usage) -> None:
    async with opened(path) as history:
        await history.create_thread(a_thread())
        talk = Talk(history)
        answer = await talk.begin("q")
        ended = replace(answer, parts=(TextPart("a"),), usage=usage, state="complete")
        await history.end_turn("t1", ended, usage)
        stored = await history.message(answer.id)
        assert stored.usage in (None, Usage())
        assert sum(row.cost_usd + row.input for row in await history.ledger()) == 0
