"""A format to import from is one `Importer` and one entry: files of it are offered, recognized and read by that."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.controller import export_sources
from desktop_app.controller.export_sources import looks_like_export
from desktop_app.controller.formats.export_reading import ExportSource, Found, Importer
from desktop_app.controller.ports import Announcements
from desktop_app.controller.transfer import Transfer
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import Json, Message, TextPart, Thread
from tests.builders.claude_code_sessions import asked
from tests.builders.export_source import source_of
from tests.builders.llm_logs import OLD, response, write
from tests.controller.world import WatchedHistory

TIME = "2026-03-01T12:00:00.000Z"


def read_log(source: ExportSource) -> Iterator[Found]:
    """A ship's log: lines of text, each a question."""
    (voyage,) = _voyages(source)
    lines = [str(one.value) for one in source.items(voyage, "log")]
    ids = [None, *(f"line{number}" for number, _ in enumerate(lines))]
    messages = tuple(
        Message(f"line{number}", "log", ids[number], "user", (TextPart(line),), TIME)
        for number, line in enumerate(lines)
    )
    yield ImportedThread("log", Thread("log", "Log", TIME, TIME, tip=ids[-1]), messages)


def _voyages(source: ExportSource) -> list[str]:
    return [one for one in source.members if one.startswith("voyage")]


SHIPS_LOG = Importer("Ship's log", lambda source: bool(_voyages(source)), read_log)


@pytest.fixture
def log_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as that format's vendor would give it."""
    monkeypatch.setattr(export_sources, "IMPORTERS", (*export_sources.IMPORTERS, SHIPS_LOG))
    folder = tmp_path / "export"
    folder.mkdir()
    (folder / "voyage-1.json").write_text(json.dumps({"log": ["Cast off", "Land ahoy"]}), "utf-8")
    (folder / "crew.json").write_text('{"nothing": "of that"}', "utf-8")
    return folder


async def test_an_entry_is_enough(log_file: Path, history: WatchedHistory) -> None:
    assert looks_like_export(log_file)
    assert looks_like_export(log_file / "voyage-1.json")
    assert not looks_like_export(log_file / "crew.json")
    report = await Transfer(history, Announcements()).import_files([log_file])
    assert (report.threads, report.messages, report.skipped) == (1, 2, ())
    assert [message.text for message in await history.messages("log")] == ["Cast off", "Land ahoy"]


def test_every_entry_recognizes_nothing_of_the_others(tmp_path: Path) -> None:
    """Whichever is asked first: what one reads is no other's."""
    logs = write(tmp_path / "logs.db", OLD, [response("r", "?", "!")])
    samples: list[tuple[str, Json | bytes]] = [
        ("sample.json", {"format": "plimsoll", "threads": []}),
        ("sample.json", [{"mapping": {}}]),
        ("sample.json", [{"chat_messages": []}]),
        ("sample.jsonl", json.dumps(asked("q", None, "?")).encode()),
        ("sample.db", logs.read_bytes()),
    ]
    for own, (name, sample) in zip(export_sources.IMPORTERS, samples, strict=True):
        source = source_of({name: sample})
        assert [one for one in export_sources.IMPORTERS if one.recognizes(source)] == [own]
        path = tmp_path / name
        path.write_bytes(sample if isinstance(sample, bytes) else json.dumps(sample).encode())
        assert looks_like_export(path)
