"""Artifacts in the window, by clicks and keys: keep, look, compare, change, delete."""

from __future__ import annotations

import asyncio
import urllib.request
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAction, QColor, QDesktopServices, QGuiApplication, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from desktop_app.controller.export_files import PageServer
from desktop_app.core.artifacts import Artifact, ArtifactKind, ArtifactVersion
from desktop_app.core.events import TurnStarted
from desktop_app.core.messages import TextPart, ToolCallPart, Usage
from desktop_app.core.stream_events import Ended, StreamEvent, TextDelta, UsageReported
from desktop_app.storage.sqlite_history import SqliteHistory
from desktop_app.ui.artifacts.artifact_pane import ArtifactPane
from desktop_app.ui.conversation.message_actions import LONG_DOCUMENT
from desktop_app.ui.state.app_state import UnsavedArtifact
from desktop_app.ui.transcript.items.code_item import CodeItem
from desktop_app.ui.transcript.items.fold_items import ArtifactItem
from desktop_app.ui.transcript.view import TranscriptView
from tests.controller.test_artifacts import OfferedCreate, OfferedUpdate
from tests.controller.test_tool_loop import asks, call
from tests.patience import PATIENCE_S
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

GROUPS = (QPalette.ColorGroup.Active, QPalette.ColorGroup.Disabled)
LINES = "\n".join(f"{number}. The system keeps order number {number} for ten years." for number in range(1, 40))
BRD = f"# Order BRD\n\n## Scope\n\nPrices are in cents.\n\n{LINES}\n"


def says(text: str) -> tuple[StreamEvent, ...]:
    return TextDelta(text), UsageReported(Usage(input=200, output=max(1, len(text) // 4)), "big"), Ended("end_turn")


def click(widget: QWidget) -> None:
    assert widget.isVisible()
    assert widget.isEnabled()
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


def pane_of(window: OpenWindow) -> ArtifactPane:
    pane = window.window.artifacts.content
    assert isinstance(pane, ArtifactPane)
    return pane


async def artifacts_of(window: OpenWindow) -> list[Artifact]:
    assert window.app_state.thread_id is not None
    return list(await window.services.artifacts.of_thread(window.app_state.thread_id))


async def kept(window: OpenWindow, text: str = BRD) -> ArtifactPane:
    """A window of a usual size with an answer that was kept by its button."""
    window.window.resize(1360, 860)
    window.backend.reply(*says(text))
    await window.send("Write the BRD")
    answer = window.transcript.messages[-1]
    window.transcript.row_actions.message_acted.emit(answer.id, "keep")
    await window.until(window.window.artifacts.isVisible, "the pane")
    await window.settled()
    return pane_of(window)


async def menu_entry(window: OpenWindow, button: QWidget, words: str) -> QAction:
    click(button)
    await window.until(lambda: isinstance(QApplication.activePopupWidget(), QMenu), "the menu")
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return next(action for action in menu.actions() if action.text() == words)


async def take(window: OpenWindow, button: QWidget, words: str) -> None:
    entry = await menu_entry(window, button, words)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(entry).center())
    await window.until(lambda: QApplication.activePopupWidget() is None, "the menu's end")
    await window.settled()


def decoration(window: OpenWindow) -> Any:
    said = map(window.transcript.decorations.artifact_line, window.transcript.messages)
    return next((line for line in said if line is not None), None)


async def test_an_answer_is_kept_shown_and_its_line_opens_it_again(window: OpenWindow) -> None:
    pane = await kept(window)
    (artifact,) = await artifacts_of(window)
    assert (artifact.title, artifact.versions) == ("Order BRD", 1)
    assert pane.title.text() == "Order BRD"
    assert pane.number.text() == "v1 of 1"
    assert pane.reader.messages[0].text == BRD
    assert not pane.tabs.isVisible()
    only = "Kept as Order BRD v1 · the model sees only this line, unless you name or pin it"
    await window.until(lambda: decoration(window).text == only, "what a model without tools sees")
    click(pane.close_button)
    assert not window.window.artifacts.isVisible()
    assert window.editor.hasFocus()
    placed = window.transcript
    placed.row_actions.artifact_requested.emit(artifact.id, 0)
    await window.until(window.window.artifacts.isVisible, "the pane again")


async def test_the_line_says_that_a_model_with_tools_can_read_what_was_kept(window: OpenWindow) -> None:
    window.backend.accepts_tools = True
    await kept(window)
    says_so = "Kept as Order BRD v1 · the model sees this line and can read the rest"
    await window.until(lambda: decoration(window).text == says_so, "what the model sees")


async def test_keeping_is_undone_by_the_toast(window: OpenWindow) -> None:
    await kept(window)
    click(window.window.toast.button)
    await window.settled()
    assert await artifacts_of(window) == []
    assert not window.window.artifacts.isVisible()
    stored = (await window.opened_thread()).path[-1]
    assert "Prices are in cents" in stored.text


async def test_a_long_answer_offers_to_be_kept_and_can_be_declined(window: OpenWindow) -> None:
    window.backend.reply(*says(BRD * 4))
    await window.send("Write the BRD")
    await window.until(lambda: decoration(window) is not None, "the offer")
    line = decoration(window)
    assert line.text.startswith("A long document: each later request sends its ")
    assert [words for _, words in line.actions] == ["Keep as artifact", "Not now"]
    window.transcript.row_actions.message_acted.emit(line.message_id, "keep_not")
    assert decoration(window) is None


async def test_a_short_answer_offers_nothing(window: OpenWindow) -> None:
    window.backend.reply(*says("Short."))
    await window.send("Write")
    assert LONG_DOCUMENT > 100
    assert decoration(window) is None


@pytest.mark.parametrize("key", [Qt.Key.Key_S, Qt.Key.Key_Return])
async def test_what_the_user_writes_is_a_version_and_shown_as_a_difference(window: OpenWindow, key: Qt.Key) -> None:
    pane = await kept(window)
    click(pane.edit)
    await window.settled()
    assert pane.mode == "editing"
    assert pane.editor.text.hasFocus()
    QTest.keyClicks(pane.editor.text, "Draft. ")
    QTest.keyClick(pane.editor.text, key, Qt.KeyboardModifier.ControlModifier)
    await window.until(lambda: pane.mode == "diff", "the difference")
    (artifact,) = await artifacts_of(window)
    versions = await window.services.artifacts.versions(artifact.id)
    assert [(one.number, one.author) for one in versions] == [(1, "model"), (2, "user")]
    assert versions[1].text == f"Draft. {BRD}"
    assert pane.number.text() == "v2 of 2"
    assert [line.text for line in pane.lines.shown_lines][:4] == [
        "v1 → v2 · 1 line added · 1 line removed",
        "",
        "- # Order BRD",
        "+ Draft. # Order BRD",
    ]
    click(pane.older)
    await window.settled()
    assert pane.number.text() == "v1 of 2"
    assert pane.reader.messages[0].text == BRD


@pytest.mark.parametrize(
    ("kind", "written", "says"),
    [
        ("svg", '<svg width="80" height="8"/>', ""),
        ("svg", "no drawing", "Shown as source: "),
        ("html", "<p>Hello</p>", ""),
    ],
)
async def test_what_is_drawn_is_seen_or_why_not_as_soon_as_it_is_saved(
    window: OpenWindow, kind: ArtifactKind, written: str, says: str
) -> None:
    pane = await kept(window)
    thread_id = window.app_state.thread_id
    assert thread_id is not None
    first = '<svg width="40" height="40"/>' if kind == "svg" else "<p>First</p>"
    made = await window.services.artifacts.create(thread_id, "Drawn", first, kind=kind)
    window.transcript.row_actions.artifact_requested.emit(made.id, 0)
    await window.until(lambda: pane.title.text() == "Drawn", "the artifact")
    await window.settled()
    click(pane.source)
    await window.until(lambda: first in pane.reader.messages[0].text, "its source")
    await window.settled()
    click(pane.edit)
    await window.settled()
    pane.editor.text.selectAll()
    QTest.keyClicks(pane.editor.text, written)
    QTest.keyClick(pane.editor.text, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    await window.until(lambda: pane.mode == "reading", "the new version")
    await window.settled()
    assert pane.number.text() == "v2 of 2"
    assert not pane.source.isChecked()
    assert pane.note.words.startswith(says) if says else not pane.note.words
    assert pane.drawing.isVisible() == (kind == "svg" and not says)
    click(pane.diff)
    await window.until(lambda: pane.mode == "diff", "the difference")


async def edited_while_another_came(window: OpenWindow) -> tuple[ArtifactPane, Artifact]:
    """What the user typed stands in the editor, and a turn of the model has made v2 of v1 meanwhile."""
    pane = await kept(window)
    click(pane.edit)
    await window.settled()
    QTest.keyClicks(pane.editor.text, "Mine. ")
    (artifact,) = await artifacts_of(window)
    table = window.services.chat.tools
    object.__setattr__(table, "tools", (*table.tools[:1], OfferedUpdate(window.services.artifacts)))
    window.backend.accepts_tools = True
    whole = {"id": artifact.id, "text": BRD.replace("cents", "euros")}
    window.backend.reply(*asks(ToolCallPart("c1", "update_artifact", whole)))
    await window.services.chat.start_send(artifact.thread_id, (TextPart("In euros"),))
    await window.settled()
    return pane, artifact


async def test_a_version_that_comes_while_one_is_written_is_shown_beside_it(window: OpenWindow) -> None:
    pane, artifact = await edited_while_another_came(window)
    assert pane.mode == "editing"
    assert pane.editor.text.hasFocus()
    assert pane.editor.newer_words.words == "v2 was made meanwhile. Save makes v3 of your text."
    assert [one.text for one in pane.editor.newer.shown_lines if one.kind in ("added", "removed")] == [
        "- Prices are in cents.",
        "+ Prices are in euros.",
    ]
    QTest.keyClicks(pane.editor.text, "More. ")
    assert pane.editor.written.startswith("Mine. More. # Order")
    click(pane.editor.save)
    await window.until(lambda: pane.mode == "diff", "the difference")
    texts = [one.text for one in await window.services.artifacts.versions(artifact.id)]
    assert texts[1:] == [BRD.replace("cents", "euros"), f"Mine. More. {BRD}"]


async def test_the_version_that_came_can_be_gone_on_with_and_undo_brings_mine_back(window: OpenWindow) -> None:
    pane, artifact = await edited_while_another_came(window)
    click(pane.editor.take_newer)
    assert "euros" in pane.editor.written
    assert not pane.editor.newer.isVisible()
    pane.editor.text.undo()
    assert pane.editor.written == f"Mine. {BRD}"
    pane.editor.text.redo()
    QTest.keyClicks(pane.editor.text, "Both. ")
    click(pane.editor.save)
    await window.until(lambda: pane.mode == "diff", "the difference")
    assert "euros" in (await window.services.artifacts.newest(artifact.id)).text


async def test_a_version_that_nobody_told_of_is_not_written_over(window: OpenWindow, data_dir: Path) -> None:
    """Made by a command in another process."""
    pane = await kept(window)
    click(pane.edit)
    await window.settled()
    QTest.keyClicks(pane.editor.text, "Mine. ")
    (artifact,) = await artifacts_of(window)
    elsewhere = await SqliteHistory.open(data_dir / "history.db")
    theirs = BRD.replace("cents", "euros")
    version = ArtifactVersion(artifact.id, 2, theirs, "user", "2026-03-01T10:00:00.000Z")
    await elsewhere.artifacts.add_version(replace(artifact, versions=2), version)
    await elsewhere.close()
    click(pane.editor.save)
    await window.until(pane.editor.newer.isVisible, "the version of the other process")
    assert [one.text for one in await window.services.artifacts.versions(artifact.id)] == [BRD, theirs]
    click(pane.editor.save)
    await window.until(lambda: pane.mode == "diff", "the difference")
    assert (await window.services.artifacts.newest(artifact.id)).text == f"Mine. {BRD}"


async def test_an_old_version_is_restored_as_a_new_one_and_any_two_are_compared(window: OpenWindow) -> None:
    pane = await kept(window)
    (artifact,) = await artifacts_of(window)
    for word in ("two", "three"):
        await window.services.artifacts.update(artifact.id, f"{BRD}{word}\n")
    await window.until(lambda: pane.number.text() == "v3 of 3", "the newest version")
    entry = await menu_entry(window, pane.more, "Compare with another version")
    menu, others = QApplication.activePopupWidget(), entry.menu()
    assert isinstance(menu, QMenu)
    assert isinstance(others, QMenu)
    assert [one.text() for one in menu.actions() if one.text()] == ["Rename", "Compare with another version", "Delete"]
    assert [one.text() for one in others.actions()] == ["Compare with v2", "Compare with v1"]
    others.actions()[1].trigger()
    menu.close()
    await window.until(lambda: pane.mode == "diff", "the difference")
    assert pane.lines.shown_lines[0].text == "v1 → v3 · 1 line added · 0 lines removed"
    click(pane.older)
    click(pane.older)
    await window.settled()
    assert pane.number.text() == "v1 of 3"
    await take(window, pane.more, "Restore this version")
    await window.until(lambda: pane.number.text() == "v4 of 4", "the new version")
    assert (await window.services.artifacts.newest(artifact.id)).text == BRD
    assert pane.lines.shown_lines[0].text == "v3 → v4 · 0 lines added · 1 line removed"


async def test_only_the_selection_is_changed_by_the_model(window: OpenWindow) -> None:
    pane = await kept(window, "# Order BRD\n\nPrices 🙂 are in cents.\n\nThe end.\n")
    click(pane.edit)
    await window.settled()
    assert not pane.editor.change.isEnabled()
    text = pane.editor.text
    cursor = text.document().find("are in cents")
    text.setTextCursor(cursor)
    QTest.keyClicks(pane.editor.wish, "Use euros")
    window.backend.reply(*says("are in euros"))
    click(pane.editor.change)
    await window.until(lambda: pane.mode == "diff", "the difference")
    (artifact,) = await artifacts_of(window)
    newest = await window.services.artifacts.newest(artifact.id)
    assert newest.text == "# Order BRD\n\nPrices 🙂 are in euros.\n\nThe end.\n"
    assert pane.editor.wish.text() == ""
    asked = str(window.backend.plans[-1].request.pending)
    assert "Use euros" in asked


async def test_a_change_that_fails_says_why_and_changes_nothing(window: OpenWindow) -> None:
    pane = await kept(window)
    click(pane.edit)
    await window.settled()
    pane.editor.text.selectAll()
    click(pane.editor.change)
    await window.until(lambda: pane.note.words == "Say what to change.", "the reason")
    assert pane.mode == "editing"
    assert (await artifacts_of(window))[0].versions == 1


async def test_unsaved_words_are_asked_about(window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = ["stay", "discard"]

    async def answer(*_: object) -> str:
        return answers.pop(0)

    monkeypatch.setattr("desktop_app.ui.artifacts.artifacts_presenter.asked_to_save", answer)
    pane = await kept(window)
    click(pane.edit)
    await window.settled()
    QTest.keyClicks(pane.editor.text, "lost? ")
    QTest.keyClick(pane.editor.text, Qt.Key.Key_Escape)
    await window.settled()
    assert pane.mode == "editing"
    assert pane.editor.written.startswith("lost? ")
    click(pane.editor.cancel)
    await window.settled()
    assert not pane.edit.isChecked()
    assert (await artifacts_of(window))[0].versions == 1
    click(pane.edit)
    await window.settled()
    QTest.keyClicks(pane.editor.text, "x")
    QTest.keyClick(pane.editor.text, Qt.Key.Key_Backspace)
    QTest.keyClick(pane.editor.text, Qt.Key.Key_Escape)
    await window.until(lambda: pane.mode == "reading", "the text, as nothing is changed")
    assert answers == []


async def test_the_tab_stays_that_of_what_is_edited_while_it_is_asked_about(
    window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[tuple[str, str]] = []

    async def answer(*_: object) -> str:
        await asyncio.sleep(0)
        shown.append((pane.tabs.tabText(pane.tabs.currentIndex()), pane.title.text()))
        return "stay" if len(shown) < 3 else "discard"

    async def asked(count: int) -> None:
        await window.until(lambda: len(shown) == count, "the question")

    monkeypatch.setattr("desktop_app.ui.artifacts.artifacts_presenter.asked_to_save", answer)
    pane = await kept(window)
    for title in ("Second", "Third"):
        window.backend.reply(*says(f"Save as `{title}.py`:\n\n```python\nprint(1)\n```\n"))
        await window.send("Write code")
    cards = [item for one in window.transcript.row_layout.placed if isinstance(item := one.row.item, CodeItem)]
    window.transcript.row_actions.code_kept.emit(cards[0])
    await window.until(lambda: pane.title.text() == "Second.py", "the second")
    await window.settled()
    click(pane.edit)
    await window.settled()
    QTest.keyClicks(pane.editor.text, "x")
    window.transcript.row_actions.code_kept.emit(cards[1])
    await asked(1)
    for count in (2, 3):
        await window.settled()
        QTest.mouseClick(pane.tabs, Qt.MouseButton.LeftButton, pos=pane.tabs.tabRect(0).center())
        await asked(count)
    assert shown == [("Second.py", "Second.py")] * 3
    await window.until(lambda: pane.tabs.currentIndex() == 0, "the tab that was clicked")
    assert pane.title.text() == "Order BRD"


async def test_unsaved_words_wait_for_the_editor_where_nobody_can_be_asked(window: OpenWindow) -> None:
    pane = await kept(window)
    thread_id = window.app_state.thread_id
    assert thread_id is not None
    click(pane.edit)
    await window.settled()
    QTest.keyClicks(pane.editor.text, "Kept. ")
    window.shortcut("new_thread")
    await window.settled()
    (artifact,) = await window.services.artifacts.of_thread(thread_id)
    assert artifact.versions == 1, "half an edit is no version"
    assert window.window.toast.words == "Your changes are not saved yet."
    await window.choose_thread(thread_id)
    window.shortcut("toggle_artifacts")
    await window.until(lambda: pane.note.words.startswith("You have unsaved changes"), "what waits")
    click(pane.edit)
    await window.settled()
    assert pane.editor.written == f"Kept. {BRD}"
    click(pane.editor.save)
    await window.until(lambda: pane.mode == "diff", "the difference")
    assert (await window.services.artifacts.newest(artifact.id)).text == f"Kept. {BRD}"


async def test_the_way_back_leads_to_the_editor_of_the_thread_that_was_left(window: OpenWindow) -> None:
    pane = await kept(window)
    thread_id = window.app_state.thread_id
    click(pane.edit)
    await window.settled()
    QTest.keyClicks(pane.editor.text, "Kept. ")
    window.shortcut("new_thread")
    await window.settled()
    click(window.window.toast.button)
    await window.until(lambda: pane.mode == "editing" and pane.isVisible(), "the editor")
    assert window.app_state.thread_id == thread_id
    assert pane.editor.written == f"Kept. {BRD}"


async def test_unsaved_words_of_an_artifact_that_is_gone_are_in_the_clipboard(window: OpenWindow) -> None:
    pane = await kept(window)
    (artifact,) = await artifacts_of(window)
    click(pane.edit)
    await window.settled()
    QTest.keyClicks(pane.editor.text, "Kept. ")
    window.shortcut("new_thread")
    await window.settled()
    await window.services.artifacts.delete(artifact.id)
    click(window.window.toast.button)
    await window.until(lambda: "in the clipboard" in window.window.toast.words, "where it is")
    assert QGuiApplication.clipboard().text() == f"Kept. {BRD}"


async def test_unsaved_words_outlive_the_window(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        pane = await kept(window)
        click(pane.edit)
        await window.settled()
        QTest.keyClicks(pane.editor.text, "Kept. ")
    async with OpenWindow.opened(data_dir) as window:
        (artifact,) = await window.services.artifacts.all()
        assert artifact.versions == 1
        assert window.presenters.unsaved_artifacts.take(artifact.id) == UnsavedArtifact(
            artifact.thread_id, artifact.id, f"Kept. {BRD}", begun=1
        )


async def test_escape_closes_the_pane_and_gives_the_composer_the_keyboard(window: OpenWindow) -> None:
    pane = await kept(window)
    pane.focus_inside()
    QTest.keyClick(pane.reader, Qt.Key.Key_Escape)
    assert not window.window.artifacts.isVisible()
    assert window.editor.hasFocus()
    window.shortcut("toggle_artifacts")
    await window.until(window.window.artifacts.isVisible, "the pane by its keys")


async def test_it_is_renamed_in_place_pinned_copied_and_deleted_with_undo(window: OpenWindow) -> None:
    pane = await kept(window)
    click(pane.title)
    pane.title_field.clear()
    QTest.keyClicks(pane.title_field, "Orders")
    QTest.keyClick(pane.title_field, Qt.Key.Key_Return)
    await window.until(lambda: pane.title.text() == "Orders", "the new title")
    click(pane.pin)
    await window.settled()
    assert (await artifacts_of(window))[0].pinned
    click(pane.copy)
    assert QGuiApplication.clipboard().text() == BRD
    await take(window, pane.more, "Delete")
    await window.until(lambda: not window.window.artifacts.isVisible(), "the end of the pane")
    assert await artifacts_of(window) == []
    click(window.window.toast.button)
    await window.settled()
    assert [one.title for one in await artifacts_of(window)] == ["Orders"]


async def test_it_is_exported(window: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out.html"

    async def asked(_parent: QWidget, _title: str, name: str) -> Path:
        assert name == "Order BRD.html"
        return target

    monkeypatch.setattr("desktop_app.ui.artifacts.artifacts_presenter.asked_file_to_write", asked)
    shown: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: shown.append(url.toLocalFile()))
    pane = await kept(window)
    await take(window, pane.export, "HTML")
    toast = window.window.toast
    await window.until(lambda: toast.words == "Exported to out.html", "what was written")
    assert toast.button.text() == "Show in folder"
    click(toast.button)
    assert shown == [str(tmp_path)]
    assert ">Order BRD</h1>" in target.read_text()


async def test_several_artifacts_are_a_list(window: OpenWindow) -> None:
    pane = await kept(window)
    thread_id = window.app_state.thread_id
    assert thread_id is not None
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><rect width="30" height="20"/></svg>'
    await window.services.artifacts.create(thread_id, "Flow", svg, kind="svg")
    await window.until(pane.tabs.isVisible, "the list")
    tab = pane.tabs.tabRect(1).center()
    QTest.mouseClick(pane.tabs, Qt.MouseButton.LeftButton, pos=tab)
    await window.until(pane.drawing.isVisible, "the drawing")
    assert pane.title.text() == "Flow"


async def test_a_diagram_is_drawn_and_what_is_none_is_text_with_the_reason(window: OpenWindow) -> None:
    pane = await kept(window)
    thread_id = window.app_state.thread_id
    assert thread_id is not None
    made = await window.services.artifacts.create(thread_id, "Way", "flowchart LR\n a --> b", kind="mermaid")
    window.transcript.row_actions.artifact_requested.emit(made.id, 0)
    await window.until(pane.drawing.isVisible, "the diagram")
    assert pane.drawing.accessibleName() == "Way"
    assert not pane.run.isVisible()
    picture: Any = pane.drawing.widget()
    assert picture.image.pixelColor(1, 1) == QColor("white")
    await window.services.preferences.set_value("appearance.theme", "dark")
    await window.until(lambda: picture.image.pixelColor(1, 1).alpha() == 0, "the diagram in the dark theme")
    await window.services.preferences.set_value("appearance.theme", "light")
    await window.until(lambda: picture.image.pixelColor(1, 1) == QColor("white"), "and in the light one")
    click(pane.source)
    await window.until(pane.reader.isVisible, "its source")
    click(pane.source)
    await window.until(pane.drawing.isVisible, "the diagram again")
    click(pane.source)
    await window.until(pane.reader.isVisible, "its source again")
    click(pane.source)
    click(pane.edit)
    await window.until(lambda: pane.mode == "editing", "the editor")
    await asyncio.wait_for(window.services.draw_diagram("pie", "Later", 1.0), PATIENCE_S)
    await window.settled()
    assert pane.mode == "editing", "no drawing that was still being made covers the editor"
    click(pane.editor.cancel)
    await window.until(pane.drawing.isVisible, "the diagram once more")
    await window.services.artifacts.update(made.id, "flowchart LR\n a[ --> b")
    await window.until(lambda: "“Way” is shown as text: it can't be drawn" in pane.note.words, "why not")
    await window.until(pane.reader.isVisible, "the text")


async def test_the_list_leads_back_to_what_is_edited(window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    async def stay(*_: object) -> str:
        asked.append("stay")
        return "stay"

    monkeypatch.setattr("desktop_app.ui.artifacts.artifacts_presenter.asked_to_save", stay)
    pane = await kept(window)
    assert window.app_state.thread_id is not None
    await window.services.artifacts.create(window.app_state.thread_id, "Other", "Words")
    await window.until(pane.tabs.isVisible, "the list")
    click(pane.edit)
    await window.settled()
    QTest.keyClicks(pane.editor.text, "mine ")
    for times in (1, 2):
        QTest.mouseClick(pane.tabs, Qt.MouseButton.LeftButton, pos=pane.tabs.tabRect(1).center())
        await window.settled()
        assert (len(asked), pane.tabs.currentIndex(), pane.mode) == (times, 0, "editing")


async def test_versions_that_arrive_late_are_of_no_artifact_opened_meanwhile(
    window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A is saved on the way to B: what is told of A comes when B is shown already."""

    async def save(*_: object) -> str:
        return "save"

    monkeypatch.setattr("desktop_app.ui.artifacts.artifacts_presenter.asked_to_save", save)
    pane = await kept(window)
    thread_id = window.app_state.thread_id
    assert thread_id is not None
    (mine,) = await artifacts_of(window)
    other = (await window.services.artifacts.create(thread_id, "Other", "# Other\n\nOf the other.")).id
    await window.until(pane.tabs.isVisible, "the list")
    click(pane.edit)
    await window.settled()
    QTest.keyClicks(pane.editor.text, "Saved. ")
    read, shown = window.services.artifacts.versions, asyncio.Event()
    choosing: list[object] = []

    async def late(artifact_id: str) -> Any:
        found = await read(artifact_id)
        if artifact_id == other:
            choosing.append(asyncio.current_task())
        elif asyncio.current_task() not in choosing:  # what reads it for the fact that it was changed
            await shown.wait()
        return found

    monkeypatch.setattr(window.services.artifacts, "versions", late)
    QTest.mouseClick(pane.tabs, Qt.MouseButton.LeftButton, pos=pane.tabs.tabRect(1).center())
    await window.until(lambda: pane.title.text() == "Other", "the other")
    shown.set()
    await window.settled()
    assert pane.number.text() == "v1 of 1"
    assert pane.reader.messages[0].text == "# Other\n\nOf the other."
    click(pane.edit)
    await window.settled()
    assert pane.editor.written == "# Other\n\nOf the other."
    QTest.keyClicks(pane.editor.text, "New. ")
    click(pane.editor.save)
    await window.until(lambda: pane.mode == "diff", "the difference")
    assert (await window.services.artifacts.newest(other)).text == "New. # Other\n\nOf the other."
    assert (await window.services.artifacts.newest(mine.id)).text == f"Saved. {BRD}"


async def test_a_drawing_that_is_not_safe_is_shown_as_source(window: OpenWindow) -> None:
    pane = await kept(window)
    thread_id = window.app_state.thread_id
    assert thread_id is not None
    made = await window.services.artifacts.create(thread_id, "Flow", "<!DOCTYPE svg><svg/>", kind="svg")
    window.transcript.row_actions.artifact_requested.emit(made.id, 0)
    await window.until(lambda: "document type" in pane.note.words, "the reason")
    assert "<!DOCTYPE" in pane.reader.messages[0].text


def fetched(address: str, agent: str = "Firefox/153.0") -> str:
    """The page that a browser gets at an address."""
    asked = urllib.request.Request(address, headers={"User-Agent": agent})
    with urllib.request.urlopen(asked) as answer:
        return str(answer.read().decode())


async def test_a_page_opens_in_the_browser_after_a_click_only(
    window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    pane = await kept(window)
    assert not pane.run.isVisible()
    thread_id = window.app_state.thread_id
    assert thread_id is not None
    page = '<script>alert("1")</script><p>Hello <b>you</b></p><img src="http://cdn.example.com/x.png" alt="A boat">'
    made = await window.services.artifacts.create(thread_id, "Page", page, kind="html")
    window.transcript.row_actions.artifact_requested.emit(made.id, 0)
    await window.until(lambda: pane.title.text() == "Page", "the page")
    assert opened == []
    await window.until(lambda: pane.reader.messages[0].text == "Hello **you**\n\nA boat", "what it says")
    assert pane.note.words == "Needs the internet, which stays blocked: cdn.example.com"
    click(pane.source)
    await window.until(lambda: page in pane.reader.messages[0].text, "its source")
    click(pane.source)
    await window.until(lambda: page not in pane.reader.messages[0].text, "the page again")
    entry = await menu_entry(window, pane.more, "Open in browser")
    menu = QApplication.activePopupWidget()
    assert menu is not None
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    entry.trigger()
    await window.until(lambda: len(opened) == 1, "the page in the browser")
    text = await asyncio.to_thread(fetched, opened[0])
    assert 'sandbox=""' in text
    assert "default-src 'none'" in text
    assert "<script>" not in text
    click(pane.run)
    await window.until(lambda: len(opened) == 2, "the running page")
    assert "Not run" in await asyncio.to_thread(fetched, opened[1], "Safari/605.1.15")
    text = await asyncio.to_thread(fetched, opened[1])
    assert 'sandbox="allow-scripts allow-forms"' in text
    assert "&lt;script&gt;alert(&quot;1&quot;)" in text
    await window.until(lambda: window.window.toast.words == "Scripts run in your browser, without network", "the line")
    window.window.actions_by_id["run_artifact"].trigger()
    await window.until(lambda: len(opened) == 3, "the page by its keys")


async def test_a_browser_that_does_not_open_is_told(window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nobody(_server: PageServer, _address: str) -> bool:
        return False

    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    monkeypatch.setattr(PageServer, "asked_for", nobody)
    pane = await kept(window)
    assert window.app_state.thread_id is not None
    made = await window.services.artifacts.create(window.app_state.thread_id, "Page", "<p>Hello</p>", kind="html")
    window.transcript.row_actions.artifact_requested.emit(made.id, 0)
    await window.until(lambda: pane.title.text() == "Page", "the page")
    click(pane.run)
    words = "No browser opened the page. Open its address in another."
    await window.until(lambda: window.window.toast.words == words, "the line")
    window.window.toast.button.click()
    assert QGuiApplication.clipboard().text() == opened[0]


async def test_what_is_not_run_in_the_browser_says_why(window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    pane = await kept(window)
    window.window.actions_by_id["run_artifact"].trigger()
    await window.until(lambda: pane.note.words.startswith("Only HTML pages and drawings"), "why not")
    thread_id = window.app_state.thread_id
    assert thread_id is not None
    made = await window.services.artifacts.create(
        thread_id, "App", "export default () => <b/>", kind="code", language="jsx"
    )
    window.transcript.row_actions.artifact_requested.emit(made.id, 0)
    await window.until(lambda: pane.note.words.startswith("JSX needs a library"), "what it needs")
    assert not pane.run.isVisible()
    drawn = await window.services.artifacts.create(thread_id, "Clock", "<svg><script>1</script></svg>", kind="svg")
    window.transcript.row_actions.artifact_requested.emit(drawn.id, 0)
    await window.until(pane.run.isVisible, "the drawing")
    assert opened == []


@pytest.mark.parametrize("over", ["", "preferences"])
async def test_what_the_model_makes_opens_beside_its_answer(window: OpenWindow, over: str) -> None:
    window.window.resize(1360, 860)
    pages, opened = window.presenters.pages, asyncio.Event()

    def open_page() -> None:
        window.shortcut(over)
        opened.set()

    if over:
        window.app_state.bridge.subscribe(TurnStarted, lambda _: open_page())
    artifacts = window.services.artifacts
    table = window.services.chat.tools
    object.__setattr__(table, "tools", (*table.tools[:1], OfferedCreate(artifacts), OfferedUpdate(artifacts)))
    window.backend.accepts_tools = True
    made = call("", "c1", name="create_artifact")
    made = type(made)("c1", "create_artifact", {"title": "Order BRD", "kind": "markdown", "text": BRD})
    window.backend.reply(*asks(made))
    await window.send("Write the BRD")
    if over:
        await window.until(lambda: opened.is_set() and window.window.artifacts.covered, "what waits behind the page")
        assert not window.window.artifacts.isVisible()
        pages.leave()
    await window.until(window.window.artifacts.isVisible, "the pane")
    await window.settled()
    card = next(row.item for row in window.transcript.row_layout.message_layout(1).rows
                if isinstance(row.item, ArtifactItem))  # fmt: skip
    assert card.said == ("Order BRD", "Document · v1")
    click(pane_of(window).close_button)
    placed = next(one for one in window.transcript.row_layout.placed if one.row.item is card)
    middle = QPoint(window.transcript.viewport().width() // 2, placed.top + placed.row.gap + 10)
    QTest.mouseClick(window.transcript.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    await window.until(window.window.artifacts.isVisible, "the pane from its card")


@pytest.mark.parametrize("width", [900, 1000, 1200, 1600])
async def test_the_pane_never_covers_the_composer(window: OpenWindow, width: int) -> None:
    await kept(window)
    window.window.resize(width, 700)
    slot, composer = window.window.artifacts, window.composer
    await window.until(lambda: slot.isVisible() and window.window.width() == width, "the window's width")

    def place(widget: QWidget) -> QRect:
        return QRect(widget.mapTo(window.window, QPoint(0, 0)), widget.size())

    await window.settled()
    assert not place(slot).intersects(place(composer))
    assert place(window.window).contains(place(slot).bottomRight() - place(window.window).topLeft())
    if width >= 1200:
        assert not place(slot).intersects(place(window.transcript))


async def test_the_inspector_and_the_pane_take_each_others_place(window: OpenWindow) -> None:
    await kept(window)
    window.shortcut("toggle_inspector")
    assert window.window.inspector.isVisible()
    assert not window.window.artifacts.isVisible()
    window.shortcut("toggle_artifacts")
    await window.until(window.window.artifacts.isVisible, "the pane")
    assert not window.window.inspector.isVisible()


async def test_another_thread_has_none_of_it(window: OpenWindow) -> None:
    await kept(window)
    window.shortcut("new_thread")
    await window.settled()
    assert not window.window.artifacts.isVisible()


async def test_a_selection_becomes_an_artifact_and_the_answer_stays(window: OpenWindow) -> None:
    window.backend.reply(*says("One line.\n\nAnother line."))
    await window.send("Write")
    window.presenters.kept_answers.keep_selection("Another line.")
    await window.until(window.window.artifacts.isVisible, "the pane")
    (artifact,) = await artifacts_of(window)
    assert (await window.services.artifacts.newest(artifact.id)).text == "Another line."
    assert decoration(window) is None


async def test_a_card_of_code_has_a_button_to_keep_it(window: OpenWindow) -> None:
    window.backend.reply(*says("Here:\n\n```python\nprint(1)\n```\n"))
    await window.send("Write code")
    view = window.transcript
    placed = next(one for one in view.row_layout.placed if ("keep", "Keep as artifact") in one.row.item.buttons())
    item = placed.row.item
    x = next(x for x in range(item.width) if item.button_at(x, 10) == "keep")
    place = QPoint(view.column.left() + placed.row.left + x + 14, placed.item_top + 10)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    await window.until(window.window.artifacts.isVisible, "the pane")
    (artifact,) = await artifacts_of(window)
    assert (artifact.kind, artifact.language) == ("code", "python")
    assert pane_of(window).reader.messages

    def offered(view: TranscriptView) -> bool:
        return "keep" in [button for one in view.row_layout.placed for button, _ in one.row.item.buttons()]

    assert not offered(pane_of(window).reader), "it is kept already"
    await window.until(lambda: not offered(view), "the kept block without the button")
    click(window.window.toast.button)
    await window.until(lambda: offered(view), "the button again, as nothing is kept")
    view.row_actions.code_kept.emit(item)
    await window.until(lambda: not offered(view), "the block that is kept again without the button")


async def test_only_the_very_block_that_was_kept_offers_it_no_more(window: OpenWindow) -> None:
    window.window.resize(1360, 1600)
    block, indented = "```python\nprint(1)\n```\n", "   ```python\n   print(1)\n   ```\n"
    for said in (f"Once:\n\n{block}\nTwice:\n\n{block}", f"1. In a list:\n\n{indented}"):
        window.backend.reply(*says(said))
        await window.send("Write code")

    def cards() -> list[CodeItem]:
        return [item for one in window.transcript.row_layout.placed if isinstance(item := one.row.item, CodeItem)]

    def offers() -> list[bool]:
        return [("keep", "Keep as artifact") in item.buttons() for item in cards()]

    async def open_again() -> None:
        thread_id = window.app_state.thread_id
        assert thread_id is not None
        window.shortcut("new_thread")
        await window.settled()
        await window.app_state.open_thread(thread_id)
        await window.until(lambda: len(cards()) == 3, "the thread again, with all of them in view")

    await open_again()
    assert offers() == [True, True, True]
    for number, still in ((1, [True, False, True]), (2, [True, False, False]), (0, [False, False, False])):
        window.transcript.row_actions.code_kept.emit(cards()[number])
        await window.until(partial(lambda those: offers() == those, still), f"only the others offer it: {still}")
    await open_again()
    assert offers() == [False, False, False]


async def test_code_of_a_question_is_kept_as_code(window: OpenWindow) -> None:
    window.backend.reply(*says("Yes"))
    window.editor.insertPlainText("Is this right?\n\n```python\nprint(1)\n```\n")
    await window.send("It prints")
    card = next(item for one in window.transcript.row_layout.placed if isinstance(item := one.row.item, CodeItem))
    assert ("keep", "Keep as artifact") in card.buttons()
    window.transcript.row_actions.code_kept.emit(card)
    await window.until(window.window.toast.isVisible, "word of the artifact")
    (kept,) = await artifacts_of(window)
    assert (kept.kind, kept.language) == ("code", "python")
    await window.until(lambda: ("keep", "Keep as artifact") not in card.buttons(), "no offer of what is kept")
    window.transcript.row_actions.code_kept.emit(card)
    await window.settled()
    assert await artifacts_of(window) == [kept], "it is shown, and not kept once more"
    await window.services.artifacts.delete(kept.id)
    await window.until(lambda: ("keep", "Keep as artifact") in card.buttons(), "the offer again")


@pytest.mark.parametrize(
    ("code", "title"), [("flowchart TD\nA[Load cargo] --> B{Booked?}", "Load cargo, Booked?"), ("gitGraph", "Diagram")]
)
async def test_a_diagram_is_kept_by_its_title_not_by_its_source(window: OpenWindow, code: str, title: str) -> None:
    window.backend.reply(*says(f"The way:\n\n```mermaid\n{code}\n```\n"))
    await window.send("Draw it")
    card = next(item for one in window.transcript.row_layout.placed if isinstance(item := one.row.item, CodeItem))
    window.transcript.row_actions.code_kept.emit(card)
    await window.until(window.window.toast.isVisible, "word of the artifact")
    assert [one.title for one in await artifacts_of(window)] == [title]


async def test_code_has_its_colors_while_it_is_written(window: OpenWindow) -> None:
    code = "# Größe 🚢\ndef weigh():\n    return 1"
    pane = await kept(window, f"Here:\n\n```python\n{code}\n```\n")
    placed = window.transcript.row_layout.placed
    window.transcript.row_actions.code_kept.emit(next(i for one in placed if isinstance(i := one.row.item, CodeItem)))
    await window.until(lambda: pane.title.text() == "weigh", "the code")
    await window.settled()
    click(pane.edit)

    def colors(line: int) -> list[tuple[str, str]]:
        block = pane.editor.text.document().findBlockByNumber(line)
        layout = block.layout()
        signs = block.text().encode("utf-16-le")
        return [
            (
                signs[2 * one.start : 2 * (one.start + one.length)].decode("utf-16-le"),
                one.format.foreground().color().name(),
            )
            for one in (layout.formats() if layout is not None else ())
        ]

    def shade(role: str) -> str:
        return window.session.appearance.theme.color(f"syntax-{role}").name()

    await window.until(lambda: ("return", shade("keyword")) in colors(2), "the colors")
    assert colors(0) == [("# Größe 🚢", shade("comment"))]
    QTest.keyClicks(pane.editor.text, "class Ship: pass")
    await window.until(lambda: colors(0)[:1] == [("class", shade("keyword"))], "the colors of what is typed")
    assert pane.editor.text.document().isUndoAvailable()
    assert not pane.editor.text.document().findBlockByNumber(3).isValid()


async def test_a_long_line_with_one_more_word_is_no_wall_of_color(window: OpenWindow) -> None:
    page = " ".join(f"word{number}" for number in range(400))
    pane = await kept(window, f"# Page\n\n{page}\n")
    (artifact,) = await artifacts_of(window)
    after = page.replace("word300", "word300 more")
    await window.services.artifacts.update(artifact.id, f"# Page\n\n{after}\n")
    await window.settled()
    click(pane.diff)
    await window.until(lambda: pane.mode == "diff" and not pane.lines.filling, "the differences")
    document, theme = pane.lines.document(), window.session.appearance.theme
    colored = {theme.color("success").name(): "", theme.color("danger").name(): ""}
    block = document.begin()
    while block.isValid():
        for one in block.textFormats():
            name = one.format.foreground().color().name()
            if name in colored:
                colored[name] += block.text()[one.start : one.start + one.length]
        block = block.next()
    assert [words.strip() for words in colored.values()] == ["more", ""]
    changed = [line.text for line in pane.lines.shown_lines if line.kind in ("added", "removed")]
    assert len(changed) == 2
    assert max(map(len, changed)) < 200, "no more of the line than stands around the change"
    assert "word300 word301" in changed[0]
    assert "word300 more word301" in changed[1]


async def test_an_artifact_that_fits_stays_at_its_top_when_the_window_gets_narrow(window: OpenWindow) -> None:
    lines = "\n\n".join(
        f"Paragraph {number}. {'The quick brown fox jumps over the lazy dog. ' * 3}" for number in range(4)
    )
    pane = await kept(window, f"# Plan\n\n{lines}")
    window.window.resize(1360, 640)
    await window.settled()
    for width in (480, 1360, 480):
        window.window.resize(width, 640)
        await window.settled()
        first = pane.reader.row_layout.placed[0]
        assert (first.message, first.first, first.top) == (0, True, 0)
    (artifact,) = await artifacts_of(window)
    for from_width, to_width in ((1360, 480), (900, 480)):
        window.window.resize(from_width, 640)
        await window.settled()
        window.window.artifacts.set_shown(False)
        window.window.resize(to_width, 640)
        await window.settled()
        window.transcript.row_actions.artifact_requested.emit(artifact.id, 1)
        await window.settled()
        assert pane.reader.row_layout.placed[0].top == 0


async def test_differences_are_in_the_type_of_code_and_the_newest_version_has_no_next(window: OpenWindow) -> None:
    pane = await kept(window)
    (artifact,) = await artifacts_of(window)
    await window.services.artifacts.update(artifact.id, BRD.replace("cents", "euros"))
    await window.settled()
    click(pane.diff)
    await window.settled()
    assert pane.lines.font().family() == window.session.appearance.theme.code_font().family()
    colors = [part.grab().toImage().pixelColor(0, 0) for part in (pane.older, pane.newer)]
    assert not pane.newer.isEnabled()
    assert pane.older.isEnabled()
    assert colors[0] == colors[1], "no box around what rests"
    shades = [pane.newer.palette().color(group, QPalette.ColorRole.ButtonText) for group in GROUPS]
    theme = window.session.appearance.theme
    assert shades == [theme.color("text-secondary"), theme.color("text-disabled")]
