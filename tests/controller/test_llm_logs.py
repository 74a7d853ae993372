"""The logs of `llm` as threads, read from real SQLite files: old and new tables, a WAL beside them, hostile files."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from desktop_app.controller.formats.export_reading import as_object
from desktop_app.controller.formats.llm_logs import read_conversation
from desktop_app.core.conversation import Conversation
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Message,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
    Usage,
)
from desktop_app.storage.llm_database import UnreadableLogsError, open_llm_logs
from tests.builders.llm_logs import NEW, OLD, insert, message, response, turn, write


def threads(path: Path) -> Sequence[ImportedThread]:
    with open_llm_logs(path) as logs:
        found = [one for each in logs.conversations() for one in read_conversation(as_object(each) or {}, "it")]
    return [one for one in found if isinstance(one, ImportedThread)]


def branch(imported: ImportedThread) -> tuple[Message, ...]:
    return Conversation(imported.messages).path(imported.thread.tip)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "logs.db"


def test_the_older_tables(file: Path) -> None:
    picture = b"\x89PNG"
    details = json.dumps(
        {"prompt_tokens_details": {"cached_tokens": 6}, "completion_tokens_details": {"reasoning_tokens": 2}}
    )
    rows: list[tuple[str, dict[str, Any]]] = [
        ("conversations", {"id": "c", "name": "A voyage", "model": "gpt-4o"}),
        response("r1", "Where to?", "North.", system="Be brief.", reasoning="Hm.", input_tokens=10, output_tokens=4,
                 token_details=details, resolved_model="gpt-4o-2024"),
        response("r2", "Use a tool", "", datetime_utc="2025-05-01T10:01:00"),
        response("r3", "", "Three.", system="Be brief."),
        response("r4", "Elsewhere", "Yes", conversation_id="d"),
        ("attachments", {"id": "p", "type": "image/png", "content": picture}),
        ("attachments", {"id": "l", "type": "text/plain", "path": "/etc/passwd"}),
        ("prompt_attachments", {"response_id": "r1", "attachment_id": "p", "order": 0}),
        ("prompt_attachments", {"response_id": "r1", "attachment_id": "l", "order": 1}),
        ("fragments", {"id": 1, "content": "A long chart", "source": "/charts/north.txt"}),
        ("fragments", {"id": 2, "content": "You are the mate."}),
        ("prompt_fragments", {"response_id": "r1", "fragment_id": 1, "order": 0}),
        ("system_fragments", {"response_id": "r1", "fragment_id": 2, "order": 0}),
        ("tool_calls", {"response_id": "r2", "name": "add", "arguments": '{"a": 1}', "tool_call_id": "t1"}),
        ("tool_results", {"response_id": "r3", "name": "add", "output": "3", "tool_call_id": "t1"}),
    ]  # fmt: skip
    voyage, other = threads(write(file, OLD, rows))
    assert voyage.key == "llm:c"
    assert (voyage.thread.title, voyage.thread.system) == ("A voyage", "You are the mate.\n\nBe brief.")
    first, answer, asked, calling, results, last = branch(voyage)
    document, image, elsewhere, text = first.parts
    assert isinstance(document, DocumentPart)
    assert (document.name, document.text) == ("north.txt", "A long chart")
    assert image == ImagePart("image", "image/png", "iVBORw==")
    assert isinstance(elsewhere, UnknownPart)  # what lies elsewhere is not opened
    assert text == TextPart("Where to?")
    assert answer.parts == (ThinkingPart("Hm."), TextPart("North."))
    assert (answer.model, answer.usage) == ("gpt-4o-2024", Usage(4, 6, output=4, thinking=2))
    assert (first.created, calling.created) == ("2025-05-01T10:00:00.000Z", "2025-05-01T10:01:00.000Z")
    assert asked.text == "Use a tool"
    assert calling.parts == (ToolCallPart("t1", "add", {"a": 1}),)
    assert (results.role, results.parts) == ("user", (ToolResultPart("t1", "3"),))
    assert last.text == "Three."
    assert (other.key, other.thread.title) == ("llm:d", "Elsewhere")


def test_calls_without_an_id_are_answered_in_their_order(file: Path) -> None:
    rows: list[tuple[str, dict[str, Any]]] = [response(f"r{number}", "", "so") for number in range(3)]
    for number in range(2):
        rows.append(("tool_calls", {"response_id": f"r{number}", "name": "add", "arguments": "{}"}))
        rows.append(("tool_results", {"response_id": f"r{number + 1}", "name": "add", "output": str(number)}))
    (imported,) = threads(write(file, OLD, rows))
    parts = [part for message in imported.messages for part in message.parts]
    assert [part.id for part in parts if isinstance(part, ToolCallPart)] == ["call-1", "call-2"]
    results = [(part.call_id, part.text) for part in parts if isinstance(part, ToolResultPart)]
    assert results == [("call-1", "0"), ("call-2", "1")]


def test_the_newer_tables_with_a_branch(file: Path) -> None:
    payload = json.dumps({"text_ref": [{"fragment": 1}, {"literal": "\nWhat is it?"}]})
    called = json.dumps({"name": "add", "arguments": {"a": 1}, "tool_call_id": "t1"})
    told = json.dumps({"name": "add", "output": "3", "tool_call_id": "t1", "exception": None})
    rows = [
        ("threads", {"id": "t", "name": "A voyage", "tip_message_hash": "a2", "datetime_utc": "2026-05-01 09:59:00"}),
        *message("s", None, "system", "Be brief."),
        *message("q", "s", "user", {"type": "text", "payload": payload},
                 {"type": "attachment", "payload": '{"attachment": {"id": "p"}}'}),
        *message("a", "q", "assistant", {"type": "reasoning", "text": "Hm."},
                 {"type": "tool_call", "payload": called}),
        *message("r", "a", "tool", {"type": "tool_result", "payload": told}),
        *message("a2", "r", "assistant", "A chart."),
        *message("b", "q", "assistant", "A map.", {"type": "hologram", "payload": '{"x": 1}'}),
        turn("1", "q", "a"), turn("2", "r", "a2", datetime_utc="2026-05-01T10:00:02+00:00"), turn("3", "q", "b"),
        ("fragments", {"id": 1, "content": "North", "source": None}),
        ("attachments", {"id": "p", "type": "text/plain", "content": b"Text"}),
    ]  # fmt: skip
    (voyage,) = threads(write(file, NEW, rows))
    assert (voyage.key, voyage.thread.title, voyage.thread.system) == ("llm:t", "A voyage", "Be brief.")
    question, calling, results, last = branch(voyage)
    assert [type(part) for part in question.parts] == [DocumentPart, TextPart, DocumentPart]
    assert question.text == "What is it?"
    assert calling.parts == (ThinkingPart("Hm."), ToolCallPart("t1", "add", {"a": 1}))
    assert (calling.model, calling.usage) == ("gpt-5", Usage(10, output=4))
    assert (results.role, results.parts) == ("user", (ToolResultPart("t1", "3"),))
    assert (last.text, last.created) == ("A chart.", "2026-05-01T10:00:02.000Z")
    assert [one.text for one in voyage.messages if one not in branch(voyage)] == ["A map."]


def test_what_stands_in_the_wal_is_read_and_nothing_is_written(file: Path) -> None:
    write(file, OLD, [response("r1", "First", "1")])
    with closing(sqlite3.connect(file)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        with writer:
            insert(writer, [response("r2", "Second", "2")])
        before = {one.name: one.read_bytes() for one in file.parent.iterdir() if not one.name.endswith("-shm")}
        (imported,) = threads(file)
        assert {one.name: one.read_bytes() for one in file.parent.iterdir() if not one.name.endswith("-shm")} == before
    assert [one.text for one in imported.messages] == ["First", "1", "Second", "2"]


def test_work_is_linear_in_the_conversations(file: Path) -> None:
    """Also without an index of what belongs to which: each table is looked through once."""
    rows = [response(f"r{number}", "?", "!", conversation_id=f"c{number}") for number in range(300)]
    write(file, OLD, rows)
    with open_llm_logs(file) as logs:
        asked: list[str] = []
        logs._connection.set_trace_callback(asked.append)
        assert len(list(logs.conversations())) == 300
    assert not [one for one in asked if '"conversation_id" IS' in one or ('"response_id" IS' in one and "tool_" in one)]


@pytest.mark.parametrize(
    "script",
    [
        "CREATE VIEW responses AS WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id FROM n",
        "CREATE TABLE other (id)",
        "CREATE TABLE responses (id); CREATE TRIGGER evil AFTER INSERT ON responses BEGIN DELETE FROM responses; END",
        "CREATE TABLE threads (x, id GENERATED ALWAYS AS (zeroblob(1000000000))); INSERT INTO threads VALUES (1)",
    ],
)
def test_a_hostile_database_does_nothing(file: Path, script: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(script)
    with suppress(UnreadableLogsError):
        assert threads(file) == []


@pytest.mark.parametrize("damage", [b"", b"SQLite format 3\0", b"no database at all" * 100])
def test_a_broken_file_is_refused_in_words(file: Path, damage: bytes) -> None:
    file.write_bytes(damage)
    with pytest.raises(UnreadableLogsError), open_llm_logs(file):
        pass


def test_a_damaged_page_is_refused_or_read_but_never_a_traceback(file: Path) -> None:
    write(file, OLD, [response(f"r{number}", "?" * 500, "!" * 500) for number in range(50)])
    whole = file.read_bytes()
    for place in range(0, len(whole), 997):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        with suppress(UnreadableLogsError):
            threads(file)
