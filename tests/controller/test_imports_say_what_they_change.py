"""What an import changes is what its preview and its report say: all tables and settings, before and after."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
import tomlkit
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_app.controller.everything import ImportReport
from desktop_app.core.projects import FollowedFolder, Project, ProjectDocument
from desktop_app.core.settings import KEYS
from tests.controller.test_everything import installed
from tests.storage.conftest import TIME
from tests.storage.whole_histories import fill

Rows = Mapping[str, set[tuple[Any, ...]]]

BY_CONTENT: Final = ("block", "document_text", "document_text_part", "passage")
"""Texts that stand under their hash: what refers to them is told."""
DERIVED: Final = ("message_text", "passage_text", "unindexed", "sqlite_stat", "device")
"""The search index, SQLite's own figures, and the clock that orders changes."""
THREADS: Final = {
    "thread": "SELECT id FROM thread WHERE key = ?",
    "message_key": "SELECT thread.id FROM message JOIN thread ON thread.key = thread_key WHERE message.key = ?",
    "artifact_key": "SELECT thread.id FROM artifact JOIN thread ON thread.key = thread_key WHERE artifact.key = ?",
    "document_key": "SELECT project.id FROM project_document AS d JOIN project ON project.key = project_key "
    "WHERE d.key = ?",
    "project_key": "SELECT id FROM project WHERE key = ?",
}


def tables(path: Path) -> Rows:
    with closing(sqlite3.connect(path)) as connection:
        names = [one for (one,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        wanted = [one for one in names if not one.startswith(DERIVED)]
        return {one: set(connection.execute(f"SELECT * FROM {one}")) for one in wanted}


def untold(path: Path, before: Rows, after: Rows, report: ImportReport) -> list[str]:
    """The rows that differ and are in no change of the report."""
    told = {(one.kind, one.id) for one in report.changes}
    found = []
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row

        def owner(question: str, value: object) -> str:
            row = connection.execute(THREADS[question], (value,)).fetchone()
            return "" if row is None else str(row[0])

        for name in after:
            if name in BY_CONTENT:
                continue
            columns = [one[1] for one in connection.execute(f"PRAGMA table_info({name})")]
            for values in before[name] ^ after[name]:
                row = dict(zip(columns, values, strict=True))
                match name:
                    case "model_call":
                        whose = ("usage", "")
                    case "spending" if (
                        not row["thread_key"] or ("thread", owner("thread", row["thread_key"])) not in told
                    ):
                        whose = ("usage", "")
                    case "thread" | "project" | "prompt":
                        whose = (name, row["id"])
                    case "mark" | "deleted_message":
                        whose = ("thread", owner("message_key", row["message_key"]))
                    case "artifact_version":
                        whose = ("thread", owner("artifact_key", row["artifact_key"]))
                    case "document_file":
                        whose = ("project", owner("document_key", row["document_key"]))
                    case "project_document" | "followed_folder":
                        whose = ("project", owner("project_key", row["project_key"]))
                    case _:
                        whose = ("thread", owner("thread", row.get("thread_key")))
                if whose not in told:
                    found.append(f"{name}: {row}")
    return found


def leaves(path: Path) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    pending = [("", tomllib.loads(path.read_text()) if path.is_file() else {})]
    while pending:
        above, table = pending.pop()
        for name, value in table.items():
            if isinstance(value, dict):
                pending.append((f"{above}{name}.", value))
            else:
                flat[above + name] = value
    return flat


VALUES: Final[Mapping[str, Any]] = {
    "switch": False,
    "text": "/etc/passwd",
    "address": "https://evil.example",
    "addresses": [],
    "texts": ["evil"],
}


def every_setting(chosen: frozenset[str]) -> dict[str, Any]:
    """A value for each of these keys that is allowed."""
    document: dict[str, Any] = {}
    for key in (one for one in KEYS if one.name in chosen):
        value = VALUES.get(key.rule.kind)
        if key.rule.kind in ("whole", "number"):
            value = int(key.rule.low)
        elif key.rule.kind == "choice":
            value = key.rule.choices[-1]
        elif key.rule.kind == "keys":
            value = "Ctrl+K"
        named = {"backends": "anthropic", "models": "claude-opus-5-5", "shortcuts": "send", "tool_servers": "evil"}
        parts = key.name.replace("*", named.get(key.name.partition(".")[0], "*")).split(".")
        table = document
        for part in parts[:-1]:
            table = table.setdefault(part, {})
        table[parts[-1]] = value
    return document


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    theirs=st.lists(st.integers(0, 5), min_size=1, max_size=2, unique=True),
    ours=st.lists(st.integers(0, 5), max_size=2, unique=True),
    sent=st.frozensets(st.sampled_from([key.name for key in KEYS])),
    there=st.frozensets(st.sampled_from([key.name for key in KEYS if key.travels])),
    same_name=st.booleans(),
)
async def test_what_an_import_changes_is_what_it_says(
    tmp_path_factory: pytest.TempPathFactory,
    *,
    theirs: list[int],
    ours: list[int],
    sent: frozenset[str],
    there: frozenset[str],
    same_name: bool,
) -> None:
    folder = tmp_path_factory.mktemp("said")
    async with installed(folder / "one") as one:
        for seed in theirs:
            await fill(one.history, seed)  # type: ignore[arg-type]
        one.paths.settings.write_text(tomlkit.dumps(every_setting(sent)))
        one.paths.words.write_text("Plimsoll\nEbbe\n")
        project = Project("other", "Taxes", created=TIME, updated=TIME)
        await one.history.projects.save(project)
        await one.history.projects.save_documents([ProjectDocument("t", project.id, "tax.pdf", path="/tmp/tax.pdf")])
        await one.history.projects.save_folder(FollowedFolder("f", project.id, "/tmp"))
        await one.everything.write(folder / "all.zip")
    async with installed(folder / "two") as two:
        for seed in ours:
            await fill(two.history, seed)  # type: ignore[arg-type]
        if same_name:
            await two.history.projects.save(Project("own", " taxes", created=TIME, updated=TIME))
        two.paths.settings.write_text(tomlkit.dumps(every_setting(there)))
        await two.preferences.reload()
        two.paths.words.write_text("Ebbe\n")
        before, before_settings = tables(two.paths.history), leaves(two.paths.settings)
        preview = await two.transfer.preview([folder / "all.zip"])
        assert tables(two.paths.history) == before, "a preview changes nothing"
        report = await two.transfer.import_files([folder / "all.zip"])
        after, after_settings = tables(two.paths.history), leaves(two.paths.settings)
    assert (preview.settings, preview.changes) == (report.settings, report.changes)
    assert untold(folder / "two" / "history.db", before, after, report) == []
    for fixed in ("calibration", "learned_window", "erasure"):
        assert after[fixed] == before[fixed]
    taken = {one.key: one.value for one in report.settings if one.taken}
    assert after_settings == before_settings | taken
    assert {one.key for one in report.settings} == set(leaves_of(every_setting(sent)))
    (words,) = (one for one in report.changes if one.kind == "words")
    assert words.counts == {"words": 1}
    merged = {one.id: one for one in report.changes if one.kind == "project"}["own" if same_name else "other"]
    assert (merged.change, merged.counts["documents"], merged.counts["folders"]) == (
        "more" if same_name else "new",
        1,
        1,
    )


def leaves_of(document: Mapping[str, Any]) -> list[str]:
    return [
        f"{above}.{name}" if not isinstance(inner, dict) else f"{above}.{name}.{last}"
        for above, table in document.items()
        for name, inner in table.items()
        for last in (inner if isinstance(inner, dict) else [""])
    ]


def test_the_settings_that_may_travel() -> None:
    travelling = {key.name.partition(".")[0] for key in KEYS if key.travels}
    assert travelling == {"appearance", "composer", "shortcuts"}
    assert {key.name for key in KEYS if not key.travels and key.name.partition(".")[0] in travelling} == set()
