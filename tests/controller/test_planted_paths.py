"""No path that stands anywhere in an imported file is opened, nor what is there sent."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from desktop_app.composition import compose
from desktop_app.core.projects import FollowedFolder, ProjectDocument
from desktop_app.paths import DataPaths
from tests.controller.test_everything import rewritten
from tests.patience import PATIENCE_S
from tests.servers.messages_api import MessagesApi

SECRET = "canary-7f3a, which nobody was shown"
ENVIRON = {"PLIMSOLL_NO_KEYRING": "1"}


async def strangers_archive(folder: Path, canary: Path) -> Path:
    """An archive in whose rows the canary's path stands wherever a text may; one project has the victim's name."""
    services = await compose(DataPaths(folder / "stranger"), environ=ENVIRON)
    try:
        for name in ("Work", "Gift"):
            project = await services.projects.create(name)
            projects, above = services.history.projects, str(canary.parent)
            await projects.save_folder(FollowedFolder(f"{name}-folder", project.id, above))
            deep = "../" * 40 + str(canary)
            planted = [
                ProjectDocument("absolute", project.id, canary.name, path=str(canary), mode="always"),
                ProjectDocument("within", project.id, "a.txt", folder_id=f"{name}-folder", path=canary.name),
                ProjectDocument("above", project.id, "b.txt", folder_id=f"{name}-folder", path=deep),
                ProjectDocument("rooted", project.id, "c.txt", folder_id=f"{name}-folder", path=str(canary)),
                ProjectDocument("hash", project.id, "d.txt", sha256=str(canary), path="/nowhere/d.txt"),
                ProjectDocument("climbing", project.id, "e.txt", sha256=deep, state="ready", path="/nowhere/e.txt"),
                ProjectDocument("named", project.id, deep, sha256="ab" * 32, path=deep),
            ]
            renamed = [_with_id(one, f"{name}-{one.id}") for one in planted]
            await projects.save_documents(renamed)
        thread = await services.chat.new_thread(project=project.id)
        await services.history.save_draft(thread.id, str(canary), expected="")
        return await services.everything.write(folder / "all.zip")
    finally:
        await services.close()


def _with_id(document: ProjectDocument, document_id: str) -> ProjectDocument:
    return ProjectDocument(document_id, *[getattr(document, name) for name in ProjectDocument.__slots__[1:]])


def other_formats(folder: Path, canary: Path) -> list[Path]:
    """The canary's path in exports of each kind, wherever such exports name files."""
    path, uri = str(canary), canary.as_uri()
    pointer = {"content_type": "image_asset_pointer", "asset_pointer": uri, "size_bytes": 1, "width": 1, "height": 1}
    said = {
        "content_type": "multimodal_text",
        "parts": ["Look", pointer, pointer | {"asset_pointer": f"file-service://{path}"}],
    }
    node: dict[str, Any] = {
        "id": "q",
        "parent": None,
        "children": [],
        "message": {
            "id": "q",
            "author": {"role": "user"},
            "content": said,
            "create_time": 1.7e9,
            "metadata": {"attachments": [{"id": path, "name": path, "mimeType": "text/plain"}]},
        },
    }
    chatgpt = [{"id": "c1", "title": path, "create_time": 1.7e9, "mapping": {"q": node}, "current_node": "q"}]
    files = [{"file_name": path, "file_uuid": path, "path": path, "file_kind": "image"}]
    chat = {
        "uuid": "m1",
        "sender": "human",
        "text": "hi",
        "content": [{"type": "text", "text": "hi"}],
        "files": files,
        "attachments": [{"file_name": path, "extracted_content": ""}],
        "created_at": "2026-01-01T00:00:00Z",
    }
    claude = [
        {
            "uuid": "k1",
            "name": path,
            "created_at": "2026-01-01T00:00:00Z",
            "updated_at": "2026-01-01T00:00:00Z",
            "chat_messages": [chat],
            "account": {"uuid": path},
        }
    ]
    line = {
        "type": "user",
        "uuid": "u1",
        "parentUuid": None,
        "sessionId": "s1",
        "cwd": str(canary.parent),
        "isSidechain": False,
        "timestamp": "2026-01-01T00:00:00Z",
        "version": "2.0.0",
        "transcript_path": path,
        "message": {
            "role": "user",
            "content": [
                {"type": "text", "text": f"@{path}"},
                {"type": "image", "source": {"type": "file", "path": path, "url": uri}},
            ],
        },
    }
    session = folder / "projects" / str(canary.parent).replace("/", "-") / "s1.jsonl"
    session.parent.mkdir(parents=True)
    session.write_text(json.dumps(line) + "\n")
    (session.parent / "linked.jsonl").symlink_to(canary)
    made = [session.parent.parent]
    for name, content in (("chatgpt", chatgpt), ("claude", claude)):
        target = folder / f"{name}.zip"
        with zipfile.ZipFile(target, "w") as archive:
            archive.writestr("conversations.json", json.dumps(content))
            archive.writestr(f"../../../../..{path}", "outside")
            link = zipfile.ZipInfo("file-linked.png")
            link.external_attr = 0o120777 << 16
            archive.writestr(link, path)
        made.append(target)
    logs = folder / "logs.db"
    with closing(sqlite3.connect(logs)) as connection:
        connection.executescript(
            "CREATE TABLE conversations (id TEXT PRIMARY KEY, name TEXT, model TEXT);"
            "CREATE TABLE responses (id TEXT PRIMARY KEY, model TEXT, prompt TEXT, system TEXT, prompt_json TEXT,"
            " options_json TEXT, response TEXT, response_json TEXT, conversation_id TEXT, duration_ms INTEGER,"
            " datetime_utc TEXT);"
            "CREATE TABLE attachments (id TEXT PRIMARY KEY, type TEXT, path TEXT, url TEXT, content BLOB);"
            'CREATE TABLE prompt_attachments (response_id TEXT, attachment_id TEXT, "order" INTEGER);'
        )
        connection.execute("INSERT INTO conversations VALUES ('c', ?, 'm')", (path,))
        connection.execute(
            "INSERT INTO responses VALUES ('r','m','q','','{}','{}','a','{}','c',1,'2026-01-01T00:00:00')"
        )
        connection.execute("INSERT INTO attachments VALUES ('x', 'text/plain', ?, ?, NULL)", (path, uri))
        connection.execute("INSERT INTO prompt_attachments VALUES ('r', 'x', 0)")
        connection.commit()
    return [*made, logs]


async def victims_folder(folder: Path) -> Path:
    services = await compose(DataPaths(folder / "victim"), environ=ENVIRON)
    try:
        await services.projects.create("Work")
        await services.preferences.set_value("backend.default", "anthropic")
    finally:
        await services.close()
    return folder / "victim"


@pytest.mark.skipif(sys.platform != "linux", reason="strace is a program of Linux")
async def test_no_path_of_an_imported_file_is_opened_nor_its_content_sent(tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir()
    canary = private / "canary_id_rsa.txt"
    canary.write_text(SECRET)
    planted = {"backups": "folder", "composer": "spell_languages", "backends.local": "model_path"}
    settings = "\n".join(f'[{table}]\n{name} = "{canary}"' for table, name in planted.items())
    archive = rewritten(
        await strangers_archive(tmp_path, canary), tmp_path / "sent.zip", settings_toml=settings.encode()
    )
    with zipfile.ZipFile(archive, "a") as more:
        more.writestr("settings.toml", settings)
    victim = await victims_folder(tmp_path)
    log = tmp_path / "opened.log"
    files = [archive, *other_formats(tmp_path, canary)]
    with MessagesApi() as api:
        environ = {"TMPDIR": str(tmp_path), "ANTHROPIC_BASE_URL": api.url, "ANTHROPIC_API_KEY": "k"}
        used = await asyncio.to_thread(
            subprocess.run,
            [*_watched(log), sys.executable, "-m", "tests.imported_use", str(victim), *map(str, files)],
            capture_output=True,
            text=True,
            check=False,
            timeout=2 * PATIENCE_S,
            env={**os.environ, **ENVIRON, **environ},
        )
    assert used.returncode == 0, used.stderr
    asked = [json.dumps(one.body) for one in api.answers]
    assert len(asked) >= 3, "in both projects of the archive, and in that of the sessions' folder"
    assert all(SECRET not in one for one in asked)
    opened = [
        line for line in log.read_text().splitlines() if str(private) in line.partition(", ")[2] or str(canary) in line
    ]
    assert opened == []
    with zipfile.ZipFile(victim.parent / "again.zip") as again:
        assert all(SECRET.encode() not in again.read(name) for name in again.namelist())


def _watched(log: Path) -> list[str]:
    strace = shutil.which("strace")
    assert strace is not None, "strace is among the test packages"
    return [
        strace,
        "-f",
        "--seccomp-bpf",
        "-qq",
        "-s",
        "4096",
        "-e",
        "trace=open,openat,openat2,execve",
        "-o",
        str(log),
    ]
