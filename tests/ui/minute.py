"""An analyst's minute in the real window, as numbered pictures: `python -m tests.ui.minute OUT`.

A folder is dropped on a project, a question asked, a citation clicked, its page seen, requirements written as an
artifact, one selected paragraph of them changed, and the difference seen. A loopback server plays the model's maker;
all else is real: the window, pointer and keys, the processes that read, the history.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.ui.artifacts.artifact_pane import ArtifactPane
from desktop_app.ui.documents.project_document_pane import ProjectDocumentPane
from desktop_app.ui.projects.project_page import ProjectPage
from desktop_app.ui.transcript.items.item import CITE
from tests.documents.files import pdf
from tests.fakes.memory_secrets import MemorySecrets
from tests.servers.messages_api import Answer, CapturedRequest, MessagesApi, ToolUse
from tests.ui.attaching import files
from tests.ui.open_window import OpenWindow

LONGEST_S = 30.0
"""Seconds that one step may take."""
QUESTION = "Who bears the cost of a late delivery?"
WISH = "Name the amount per day."
PARAGRAPH = "The portal shows the buyer what a late delivery costs."
CHANGED = "The portal shows the buyer what a late delivery costs: 0.5 % of the order's value per day, at most 5 %."
REQUIREMENTS = f"""\
# Ordering portal: requirements

## Orders

1. A buyer places an order by article number or from a list.
2. The portal confirms each order within one minute.

## Delivery

{PARAGRAPH}

| Field | Type | Source |
| --- | --- | --- |
| Order value | cents | Framework contract |
| Days late | number | Delivery note |
"""
TERMS = (
    "Orders are placed by the buyer in writing or through the portal.\n"
    "Each order names the articles, their number and the place of delivery.\n\n"
    "Prices are those of the list that is valid on the day of the order.",
    "The supplier delivers within three working days.\n\n"
    "Where a delivery is late, the supplier bears its cost: 0.5 % of the\n"
    "order's value for each day, at most 5 %.\n\n"
    "A delivery that comes in parts counts as late until its last part is there.",
    "Claims end twelve months after the delivery.\n\nPlace of jurisdiction is Hamburg.",
)


def answered(request: CapturedRequest) -> Answer:
    """What the model says to a request, by what stands last in it."""
    last = request.body["messages"][-1]["content"]
    blocks = [{"type": "text", "text": last}] if isinstance(last, str) else last
    said = json.dumps(blocks, ensure_ascii=False)
    offered = {tool["name"] for tool in request.body.get("tools", ())}
    if "<<<SELECTION" in said:
        return Answer(CHANGED)
    if any(block["type"] == "tool_result" for block in blocks):
        if cited := _cited(said):
            words = f"The supplier: 0.5 % of the order's value for each day of delay, at most 5 % [{cited}]."
            return Answer(words, drip=0)
        return Answer("The requirements are in the artifact beside this thread.")
    if "create_artifact" in offered and "requirements" in said:
        made = {"title": "Ordering portal requirements", "kind": "markdown", "text": REQUIREMENTS}
        return Answer(ToolUse("create_artifact", made, "toolu_02"), stop_reason="tool_use")
    if "search_documents" in offered:
        return Answer(ToolUse("search_documents", {"query": "late delivery cost"}), stop_reason="tool_use")
    return Answer("Late deliveries")


def _cited(results: str) -> str:
    """The id of the passage about late deliveries among those that were found."""
    found = [(place.start(), place.group(1)) for place in re.finditer(r"\b([0-9a-f]{10}-\d+)\b", results)]
    about = results.find("Where a delivery is late")
    before = [one for start, one in found if start < about]
    return before[-1] if before else ""


def make_folder(folder: Path) -> None:
    """What an analyst is given."""
    folder.mkdir()
    (folder / "Framework contract.pdf").write_bytes(pdf(*TERMS))
    (folder / "Interview purchasing.md").write_text(
        "# Interview\n\nPurchasing wants to order by list.\n\nLate deliveries are checked by hand today.\n"
    )
    (folder / "Articles.csv").write_text("Number;Name;Price\n1;Rope;3.20\n2;Chain;41.00\n")


class Minute:
    """The steps, each with a picture at its end."""

    def __init__(self, window: OpenWindow, out: Path, suffix: str) -> None:
        self.window, self._out, self._suffix = window, out, suffix
        self._number = 0

    async def picture(self, name: str) -> None:
        """The window as it is, once nothing in it moves."""
        await self.window.settled()
        await asyncio.sleep(0.4)  # late words and pictures; this is no test
        self._number += 1
        self.window.window.grab().save(str(self._out / f"{self._number:02}-{name}{self._suffix}.png"))

    async def shown(self, condition: Callable[[], object], what: str) -> None:
        """Waits for what must come."""
        try:
            await self.window.until(condition, what, LONGEST_S)
        except AssertionError:
            self.window.window.grab().save(str(self._out / "failed.png"))
            raise
        await self.window.settled()

    def click(self, widget: QWidget, place: QPoint | None = None) -> None:
        """The pointer's left button."""
        at = widget.rect().center() if place is None else place
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)

    async def project(self, folder: Path) -> None:
        """A project is made and named, and the folder dropped on it."""
        window = self.window
        window.shortcut("new_project")
        await self.shown(lambda: isinstance(window.presenters.pages.page, ProjectPage), "the project's page")
        page = window.presenters.pages.page
        assert isinstance(page, ProjectPage)
        field = QApplication.focusWidget()
        assert field is not None
        QTest.keyClicks(field, "Ordering portal")
        QTest.keyClick(field, Qt.Key.Key_Return)
        data, place, copy = files(folder), page.rect().center(), Qt.DropAction.CopyAction
        none, left = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
        QApplication.sendEvent(page, QDragEnterEvent(place, copy, data, left, none))
        await self.picture("folder-over-the-project")
        QApplication.sendEvent(page.drop_target, QDropEvent(place.toPointF(), copy, data, left, none))
        rows = page.documents.list.rows
        await self.shown(lambda: [one.state for one in rows.rows] == ["ready"] * 3, "three documents that were read")
        await self.picture("documents-read")
        projects = window.services.projects
        assert page.project is not None
        read = await projects.read_all(page.project.id)
        await projects.set_mode(page.project.id, [one.id for one in read], "search")
        self.click(page.new_thread)
        await self.shown(lambda: window.window.stage.reading, "the new thread")

    async def question(self) -> None:
        """A question is asked, and the citation of its answer clicked."""
        window = self.window
        window.type(QUESTION)
        await self.picture("question")
        window.press(Qt.Key.Key_Return)
        await self.shown(lambda: len(window.transcript.messages) > 1 and not window.composer.streaming, "the answer")
        await self.picture("answer-with-citation")
        self.click(window.transcript.viewport(), self._citation())
        slot = window.window.document
        await self.shown(slot.isVisible, "the document")
        pane = slot.content
        assert isinstance(pane, ProjectDocumentPane)
        await self.shown(lambda: pane.stack.currentWidget() is pane.pages, "its pages")
        await self.picture("marked-page")
        self.click(pane.text_button)
        await self.picture("marked-text")

    def _citation(self) -> QPoint:
        view = self.window.transcript
        for placed in view.row_layout.placed:
            item = placed.row.item
            left = view.column.left() + placed.row.left
            for y in range(4, item.height, 6):
                for x in range(2, item.width, 4):
                    if item.button_at(x, y).startswith(CITE):
                        return QPoint(left + x, placed.item_top + y)
        raise SystemExit("the answer has no citation")

    async def artifact(self) -> None:
        """Requirements are written, one paragraph of them is selected and changed, and the difference is shown."""
        window = self.window
        window.enter("Write the requirements for it.")
        slot = window.window.artifacts
        await self.shown(lambda: slot.isVisible() and not window.composer.streaming, "the artifact")
        await self.picture("requirements")
        pane = slot.content
        assert isinstance(pane, ArtifactPane)
        self.click(pane.edit)
        await self.shown(lambda: pane.mode == "editing", "the editor")
        text = pane.editor.text
        found = text.document().find(PARAGRAPH)
        found.clearSelection()
        found.movePosition(QTextCursor.MoveOperation.StartOfBlock)
        start = text.cursorRect(found).center()
        found.movePosition(QTextCursor.MoveOperation.EndOfBlock)
        self._drag(text.viewport(), start, text.cursorRect(found).center())
        self.click(pane.editor.wish)
        QTest.keyClicks(pane.editor.wish, WISH)
        await self.picture("paragraph-selected")
        self.click(pane.editor.change)
        await self.shown(lambda: pane.mode == "diff", "the difference")
        await self.picture("difference")
        QTest.keyClick(pane.lines, Qt.Key.Key_Escape)
        await self.shown(lambda: pane.mode == "reading", "the new version")
        await self.picture("second-version")

    def _drag(self, view: QWidget, start: QPoint, end: QPoint) -> None:
        left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        QTest.mousePress(view, left, none, start)
        QTest.mouseMove(view, (start + end) / 2)
        QTest.mouseMove(view, end)
        QTest.mouseRelease(view, left, none, end)


async def play(asked: argparse.Namespace, home: Path) -> None:
    """The whole minute in one window."""
    from desktop_app.ui.i18n.language import speak

    make_folder(home / "Ordering portal")
    (home / "data").mkdir()
    (home / "data" / "settings.toml").write_text(
        f'[appearance]\ntheme = "{asked.theme}"\nlanguage = "{asked.language}"\nreduced_motion = true\n'
        "[titles]\nby_model = false\n",
        encoding="utf-8",
    )
    speak(asked.language)
    suffix = "".join(
        f"-{one}" for one in (asked.theme, asked.language if asked.language != "en" else "", asked.width or "") if one
    )
    with MessagesApi(default=answered) as api:
        environ = {"HOME": str(home), "PATH": "", "ANTHROPIC_BASE_URL": api.url}
        around: dict[str, Any] = {"environ": environ, "secrets": MemorySecrets(keys={"anthropic": "sk-dummy"})}
        async with OpenWindow.opened(home / "data", backend="anthropic", fakes=False, **around) as window:
            window.window.resize(asked.width or 1280, 860)
            minute = Minute(window, asked.out, suffix)
            await minute.project(home / "Ordering portal")
            await minute.question()
            await minute.artifact()
        if api.violations:
            raise SystemExit(f"the model's maker would have refused: {api.violations}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.ui.minute", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--theme", default="light", choices=("light", "dark"))
    parser.add_argument("--language", default="en", help="en, de or zh_CN")
    parser.add_argument("--width", type=int, default=0, help="pixels of the window's width")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="plimsoll-minute-") as home:
        os.environ["HOME"] = home
        import qasync

        from desktop_app.ui.shell.opening import make_application

        loop = qasync.QEventLoop(make_application())
        asyncio.set_event_loop(loop)
        loop.run_until_complete(play(asked, Path(home)))
        loop.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
