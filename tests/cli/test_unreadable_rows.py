"""A message whose row is damaged stops no command: it is named and passed over, all others are there."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from desktop_app.core.artifacts import Artifact, ArtifactVersion
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.cli.command import Plimsoll
from tests.cli.conftest import Here
from tests.storage.conftest import TIME


def damaged(folder: Path, sql: str, *values: object) -> None:
    connection = sqlite3.connect(folder / "history.db")
    with connection:
        assert connection.execute(sql, values).rowcount
    connection.close()


PARTS = "UPDATE message SET parts = ? WHERE key = (SELECT min(key) FROM message WHERE role = 'assistant')"
BESIDE = "UPDATE message SET usage = ?, failure = ?, window = ? WHERE role = 'assistant'"


BAD = {
    "empty": b"",
    "no JSON": b"no JSON",
    "no text": b"\xff\xfe",
    "no block": b'{"v":1,"parts":[{"kind":"text","text":{"$":999999}}]}',
    "a list": b"[1]",
    "digits": b"1" * 5_000,
    "deep": b"[" * 100_000,
    "a number": 5,
}


@pytest.mark.parametrize("parts", BAD.values(), ids=BAD)
def test_a_message_that_can_not_be_read_is_named_and_passed_over(
    here: Here, plimsoll: Plimsoll, tmp_path: Path, parts: object
) -> None:
    done = here("ask", "first question", "--json").of("done")
    assert done
    (thread,) = here("threads", "--json").json
    here("ask", "--thread", thread["id"], "second question")
    damaged(plimsoll.folder, PARTS, parts)

    shown = here("show", thread["id"], "--json")
    assert (shown.status, "can't be read" in shown.err) == (0, True)
    said = [one["text"] for one in shown.json["messages"] if one["role"] == "user"]
    assert said == ["first question", "second question"]
    plain = here("show", thread["id"])
    assert (plain.status, "can't be read" in plain.out) == (0, True)
    context = here("context", thread["id"], "--json")
    assert (context.status, "can't be read" in context.err) == (0, True)
    asked = here("ask", "--thread", thread["id"], "third question")
    assert asked.status == 0, asked.err
    for kind in ("markdown", "json"):
        exported = here("export", "--all", "--format", kind, "--output", str(tmp_path / kind))
        assert exported.status == 0, exported.err
    assert here("search", "second").status == 0
    assert here("threads").status == 0


VERSIONS = {
    "none": "DELETE FROM artifact_version",
    "no block": "UPDATE artifact_version SET block_key = 999999",
    "a damaged block": "UPDATE block SET encoding = 1, data = x'00' "
    "WHERE key IN (SELECT block_key FROM artifact_version)",
}


@pytest.mark.parametrize("sql", VERSIONS.values(), ids=VERSIONS)
def test_an_artifact_that_can_not_be_read_says_so_and_stops_nothing(
    here: Here, plimsoll: Plimsoll, tmp_path: Path, sql: str
) -> None:
    here("ask", "first question")
    (thread,) = here("threads", "--json").json
    asyncio.run(with_artifact(plimsoll.folder / "history.db", thread["id"]))
    here("ask", "second question")
    damaged(plimsoll.folder, sql)
    for kind in ("json", "markdown", "html"):
        exported = here("export", "--all", "--format", kind, "--output", str(tmp_path / f"all.{kind}"))
        assert exported.status == 0, exported.err
        texts = [one.read_text() for one in (tmp_path / f"all.{kind}").rglob("*")] or [
            (tmp_path / f"all.{kind}").read_text()
        ]
        assert "first question" in "".join(texts)
        assert "second question" in "".join(texts)
        assert ("can't be read" in "".join(texts).replace("&#x27;", "'")) == (kind != "json"), "which has no artifacts"
    shown = here("artifact", "show", "a1")
    assert (shown.status, "can't be read" in shown.out) == (0, True), shown.err
    assert here("ask", "--thread", thread["id"], "third question").status == 0


async def with_artifact(path: Path, thread_id: str) -> None:
    history = await SqliteHistory.open(path)
    try:
        made = Artifact("a1", thread_id, "Notes", created=TIME, updated=TIME)
        await history.artifacts.add_version(made, ArtifactVersion("a1", 1, "the body of the notes " * 9, "user", TIME))
    finally:
        await history.close()


def test_what_is_damaged_beside_the_text_costs_no_text(here: Here, plimsoll: Plimsoll) -> None:
    here("ask", "first question")
    (thread,) = here("threads", "--json").json
    damaged(plimsoll.folder, BESIDE, "{", '{"code":5', "[")
    shown = here("show", thread["id"], "--json")
    assert shown.status == 0, shown.err
    assert all(one["text"] for one in shown.json["messages"])
