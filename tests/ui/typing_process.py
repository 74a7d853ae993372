"""A window of its own process in which somebody types without a rest: `python -m tests.ui.typing_process DATA_DIR`.

With `--private` behind it the thread is one that is kept in memory only; with `--page system`, `prompt`, `summary` or
`artifact` what is typed stands on that page, or in the artifact's editor, and is never saved there.

Prints a line for each character: the time in seconds, and how many there are.
"""

from __future__ import annotations

import asyncio
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import qasync
from PySide6.QtTest import QTest

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from tests.ui.open_window import OpenWindow

EVERY_S = 0.04
"""25 characters a second: nobody types faster, and no rest is long enough for a draft that waits for one."""


async def type_on(data_dir: Path, *, private: bool, page: str) -> None:
    from tests.ui.open_window import OpenWindow

    async with OpenWindow.opened(data_dir) as window:
        if private:
            window.shortcut("new_private_thread")
        field = await _page_field(window, page) if page else window.editor
        count = 0
        while True:
            QTest.keyClicks(field, "word "[count % 5])
            count += 1
            sys.stdout.write(f"{time.monotonic()} {count}\n")
            sys.stdout.flush()
            await asyncio.sleep(EVERY_S)


async def _page_field(window: OpenWindow, page: str) -> QWidget:
    from desktop_app.core.context.context_choices import Summary
    from desktop_app.ui.widgets.page import EditorPage

    pages = window.presenters.pages
    if page == "artifact":
        return await _artifact_field(window)
    if page == "prompt":
        pages.show("prompt", "", "Begun")
    else:
        await window.send("hello")
        opened = await window.opened_thread()
        sources = tuple(message.id for message in opened.path)
        summary = Summary("s1", sources, "", "big", "2026-03-01T09:30:00.000Z", cost_usd=0.08)
        choices = replace(opened.thread.choices, summaries=(summary,))
        await window.services.chat.context_editing.restore(opened.thread.id, choices)
        await window.settled()
        pages.show("summary", opened.thread.id, "s1") if page == "summary" else pages.show("system_prompt")
    await window.until(lambda: isinstance(pages.page, EditorPage), "the page")
    await window.settled()
    shown = pages.page
    assert isinstance(shown, EditorPage)
    return shown.field


async def _artifact_field(window: OpenWindow) -> QWidget:
    from desktop_app.ui.artifacts.artifact_pane import ArtifactPane

    await window.send("hello")
    artifact = await window.services.artifacts.create((await window.opened_thread()).thread.id, "Notes", "Begun")
    window.transcript.row_actions.artifact_requested.emit(artifact.id, 0)
    await window.until(window.window.artifacts.isVisible, "the pane")
    await window.settled()
    pane = window.window.artifacts.content
    assert isinstance(pane, ArtifactPane)
    pane.edit.click()
    await window.until(lambda: pane.mode == "editing", "the editor")
    return pane.editor.text


def main() -> None:
    from desktop_app.ui.shell.opening import make_application

    loop = qasync.QEventLoop(make_application())
    asyncio.set_event_loop(loop)
    page = sys.argv[sys.argv.index("--page") + 1] if "--page" in sys.argv else ""
    loop.run_until_complete(type_on(Path(sys.argv[1]), private="--private" in sys.argv, page=page))


if __name__ == "__main__":
    main()
