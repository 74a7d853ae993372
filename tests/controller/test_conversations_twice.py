"""A conversation that stands several times in an archive: preview and report say all that the history gets of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from desktop_app.controller.ports import Announcements
from desktop_app.controller.transfer import Transfer
from desktop_app.core import history_records
from tests.builders import chatgpt_export, claude_export
from tests.controller.world import WatchedHistory


def of_claude(conversation: str, title: str, ids: str) -> dict[str, Any]:
    said = [
        claude_export.said(one, "human", f"says {one}", parent=before or "root")
        for before, one in zip(["", *ids], ids, strict=False)
    ]
    return claude_export.conversation(*said, uuid=conversation, name=title)


def of_chatgpt(conversation: str, title: str, ids: str) -> dict[str, Any]:
    nodes = [
        chatgpt_export.node(one, before or None, chatgpt_export.said("user", f"says {one}"))
        for before, one in zip(["", *ids], ids, strict=False)
    ]
    return chatgpt_export.conversation(*nodes, conversation_id=conversation, title=title)


FORMS: Final[Mapping[str, Callable[[str, str, str], dict[str, Any]]]] = {"claude": of_claude, "chatgpt": of_chatgpt}
TWICE: Final = (("u", "Evil title", "abcdefgh"), ("u", "Recipe", "xy"))
"""Each by its id, its title and the ids of its messages."""
OVERLAPPING: Final = (
    *TWICE,
    ("v", "Other", "abz"),
    ("u", "Recipe", "abcxw"),
    ("v", "Other", "abz"),
    ("v", "Third", "q"),
)


def written(path: Path, form: str, copies: tuple[tuple[str, str, str], ...]) -> Path:
    path.write_text(json.dumps([FORMS[form](*copy) for copy in copies]), "utf-8")
    return path


async def shown(history: WatchedHistory) -> dict[str, tuple[str, int]]:
    threads = [one.thread for one in await history.threads()]
    return {one.id: (one.title, len(await history.messages(one.id))) for one in threads}


@pytest.mark.parametrize("batch", [1, history_records.BATCH], ids=["one at a time", "at once"])
@pytest.mark.parametrize("copies", [TWICE, TWICE[::-1], OVERLAPPING], ids=["twice", "turned", "overlapping"])
@pytest.mark.parametrize("here", ["", "ab", "abcdefgh", "deleted"])
@pytest.mark.parametrize("form", FORMS)
async def test_all_copies_are_told(
    history: WatchedHistory,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    form: str,
    here: str,
    copies: tuple[tuple[str, str, str], ...],
    batch: int,
) -> None:
    monkeypatch.setattr(history_records, "BATCH", batch)
    transfer = Transfer(history, Announcements())
    if here:
        ids = "abc" if here == "deleted" else here
        await transfer.import_files([written(tmp_path / "before.json", form, (("u", "Evil title", ids),))])
    if here == "deleted":
        (one,) = await shown(history)
        await history.delete_thread(one)
    before = await shown(history)
    path = written(tmp_path / "conversations.json", form, copies)
    preview = await transfer.preview([path])
    report = await transfer.import_files([path])
    after = await shown(history)
    differ = {
        (one, title, count - before.get(one, ("", 0))[1])
        for one, (title, count) in after.items()
        if before.get(one) != (title, count)
    }
    for said in (preview, report):
        assert sorted((one.id, one.name, one.counts["messages"]) for one in said.changes) == sorted(differ)
        assert said.messages == sum(count for *_, count in differ)
        assert (said.threads, said.already) == (len(after) - len(before), len(before))
    again = await transfer.preview([path])
    assert (again.changes, again.messages, again.already) == ((), 0, len(after))
