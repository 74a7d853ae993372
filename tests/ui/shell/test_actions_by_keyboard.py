"""Every action of the table with the keyboard alone, by its keys or by the palette: it happens, or why not is said."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from desktop_app.core.events import ConsentAsked
from desktop_app.core.messages import Thread
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.ui.backups.backups_page import BackupsPage
from desktop_app.ui.connections.connections_page import ConnectionsPage
from desktop_app.ui.connections.tools_page import ToolsPage
from desktop_app.ui.gauge.gauge_popover import GaugePopover
from desktop_app.ui.help.help_pages import AboutPage, GuidePage
from desktop_app.ui.preferences.preferences_page import PreferencesPage
from desktop_app.ui.preferences.sync_page import SyncPage
from desktop_app.ui.projects.project_page import ProjectPage
from desktop_app.ui.prompts.prompt_pages import SystemPromptEditor
from desktop_app.ui.shortcuts.keymap import ROWS, is_labelled
from desktop_app.ui.shortcuts.shortcuts_page import ShortcutsPage
from desktop_app.ui.transfer.transfer_pages import ExportPage, ImportPage
from desktop_app.ui.trash.trash_page import TrashPage
from desktop_app.ui.usage.usage_page import UsagePage
from tests.ui.open_window import OpenWindow
from tests.ui.walking import focused, press

pytestmark = pytest.mark.slow

Key, Held = Qt.Key, Qt.KeyboardModifier
Before = Callable[[OpenWindow], Awaitable[None]]
Done = Callable[[OpenWindow], object]


def popup_named(name: str) -> Done:
    def done(_window: OpenWindow) -> bool:
        return (popup := QApplication.activePopupWidget()) is not None and popup.accessibleName() == name

    return done


def page_of(kind: type) -> Done:
    return lambda window: isinstance(window.presenters.pages.page, kind)


def title(window: OpenWindow) -> str:
    return window.app_state.current.title if window.app_state.current is not None else ""


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


async def select_the_answer(window: OpenWindow) -> None:
    """With keys: into the conversation, onto its last message, all of it."""
    press(Key.Key_F6)
    assert focused() is window.transcript
    press(Key.Key_A, Held.ControlModifier)


async def found(window: OpenWindow) -> None:
    press(Key.Key_F, Held.ControlModifier)
    window.type("a", focused())
    await window.until(lambda: window.transcript.find_in_thread.shown, "the find bar")
    await window.until(lambda: window.transcript.find_in_thread.search.total > 1, "the hits")


async def two_answers(window: OpenWindow) -> None:
    window.shortcut("try_again")
    await window.until(lambda: not window.composer.streaming and len(window.backend.plans) > 2, "the other answer")
    await window.settled()


async def cut(window: OpenWindow) -> None:
    window.backend.reply(TextDelta("half an"), Ended("max_tokens"))
    await window.send("gamma")


async def refused(window: OpenWindow) -> None:
    window.backend.window = 2_000
    window.shortcut("new_thread")
    await window.settled()
    window.editor.setPlainText("The quick brown fox. " * 2_000)
    window.press(Key.Key_Return)
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")


async def long_talk(window: OpenWindow) -> None:
    for text in ("gamma", "delta"):
        window.backend.reply(TextDelta("A line of the answer.\n\n" * 60), Ended("end_turn"))
        await window.send(text)


async def at_the_beginning(window: OpenWindow) -> None:
    await long_talk(window)
    for _ in range(4):
        press(Key.Key_Up, Held.AltModifier)


def list_width(window: OpenWindow) -> int:
    return window.threads.width()


def inspector_width(window: OpenWindow) -> int:
    return window.window.inspector.width()


async def inspector_beside(window: OpenWindow) -> None:
    window.window.resize(1400, 800)
    press(Key.Key_I, Held.ControlModifier)
    await window.until(window.window.inspector.isVisible, "the inspector")


async def an_artifact(window: OpenWindow) -> None:
    assert window.app_state.thread_id is not None
    await window.services.artifacts.create(window.app_state.thread_id, "Plan", "# Plan")


async def written(window: OpenWindow) -> None:
    window.type("a message to keep")


async def saved(window: OpenWindow) -> None:
    await window.settled()
    press(Key.Key_S, Held.ControlModifier)
    await window.settled()


async def in_project(window: OpenWindow) -> None:
    """The open thread is moved into a project, which the header shows."""
    project = await window.services.projects.create("Ordering portal")
    await window.services.library.move_to_project([(await window.thread()).id], project.id)
    await window.until(window.window.header.project.isVisible, "the project in the header")


def palette_parts(window: OpenWindow) -> list[object]:
    palette = window.presenters.palette.palette
    return [palette.field] if palette is not None else []


async def page_shown(window: OpenWindow) -> None:
    window.shortcut("preferences")
    await window.settled()


async def on_first_thread(window: OpenWindow) -> None:
    """The list is sorted by time: beta is above alpha, and open."""


async def on_second_thread(window: OpenWindow) -> None:
    press(Key.Key_PageDown, Held.ControlModifier)
    await window.until(lambda: title(window) == "alpha", "alpha")
    await window.settled()


def open_thread(window: OpenWindow) -> Thread:
    found = window.threads.open_thread()
    assert found is not None
    return found


async def unpinned(window: OpenWindow) -> None:
    await do(window, "pin_thread")
    await window.until(lambda: not open_thread(window).pinned, "the pin is gone")


async def brought_back(window: OpenWindow) -> None:
    """The button in the toast takes it back."""
    await window.settled()
    QTest.mouseClick(window.window.toast.button, Qt.MouseButton.LeftButton)
    await window.until(lambda: sorted(titles(window)) == ["alpha", "beta"], "both threads")


def titles(window: OpenWindow) -> list[str]:
    return [one.thread.title for one in window.threads.model.threads() if not one.thread.archived]


@dataclass(frozen=True)
class Case:
    """What is seen when the action has happened, or what is `other` then; and what has to be done before and after."""

    done: Done = lambda _window: True
    before: Before | None = None
    other: Done | None = None
    after: Before | None = None


def title_beside(window: OpenWindow) -> str:
    """What the newest of several windows shows."""
    return title(window.another()) if len(window.session.windows) > 1 else ""


def text_size(window: OpenWindow) -> float:
    return window.session.appearance.theme.text_size


async def large(window: OpenWindow) -> None:
    window.shortcut("larger_text")
    await window.settled()


told: list[str] = []


async def a_tool_asks(window: OpenWindow) -> None:
    told.clear()
    window.services.chat.answer_consent = lambda *given: told.append(given[2])  # type: ignore[method-assign]
    window.services.announcements.publish(
        ConsentAsked(window.app_state.thread_id or "", "c1", "Git", "log", "{}", "reads")
    )
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")


CASES: Mapping[str, Case] = {
    "command_palette": Case(lambda window: QApplication.focusWidget() in palette_parts(window)),
    "new_thread": Case(lambda window: window.app_state.current is None and not window.app_state.private),
    "find": Case(lambda window: window.transcript.find_in_thread.shown),
    "find_next": Case(before=found, other=lambda window: window.transcript.find_in_thread.current_hit),
    "find_previous": Case(before=found, other=lambda window: window.transcript.find_in_thread.current_hit),
    "previous_question": Case(before=long_talk, other=lambda window: window.transcript.row_layout.y),
    "next_question": Case(before=at_the_beginning, other=lambda window: window.transcript.row_layout.y),
    "go_to": Case(lambda window: window.transcript.bars.go_to.isVisible()),
    "show_branches": Case(popup_named("Branches"), two_answers),
    "quote": Case(lambda window: window.composer.text().startswith("> "), select_the_answer),
    "copy_markdown": Case(lambda window: "beta" in clipboard(), select_the_answer),
    "copy_thread": Case(lambda window: clipboard().count("beta") > 1),
    "edit_question": Case(lambda window: window.transcript.editing.panel.isVisible()),
    "try_again": Case(other=lambda window: len(window.backend.plans)),
    "continue_answer": Case(before=cut, other=lambda window: len(window.backend.plans)),
    "rate_up": Case(lambda window: "up" in window.transcript.accessible.name(1)),
    "rate_down": Case(lambda window: "down" in window.transcript.accessible.name(1)),
    "note": Case(lambda window: window.transcript.editing.note.isVisible()),
    "wrap_code": Case(lambda window: window.transcript.wraps_code),
    "new_private_thread": Case(lambda window: window.app_state.private),
    "open_in_new_window": Case(lambda window: title_beside(window) == "beta"),
    "search_threads": Case(lambda window: window.threads.search.hasFocus()),
    "toggle_threads": Case(lambda window: window.threads.isHidden()),
    "rename_thread": Case(lambda window: window.threads.view.state() == window.threads.view.State.EditingState),
    "duplicate_thread": Case(other=lambda window: window.app_state.thread_id),
    "pin_thread": Case(lambda window: open_thread(window).pinned, after=unpinned),
    "move_thread": Case(popup_named("Move to project")),
    "archive_thread": Case(lambda window: "archived" in window.window.toast.words, after=brought_back),
    "delete_thread": Case(lambda window: window.app_state.current is None, after=brought_back),
    "choose_model": Case(popup_named("Choose a model")),
    "thread_parameters": Case(lambda window: QApplication.activePopupWidget() is not None),
    "attach_files": Case(lambda window: window.window.findChild(QFileDialog) is not None),
    "show_gauge": Case(lambda window: window.composer.findChild(GaugePopover) is not None),
    "toggle_inspector": Case(lambda window: window.window.inspector.isVisible()),
    "toggle_artifacts": Case(lambda window: window.window.artifacts.isVisible(), an_artifact),
    "run_artifact": Case(lambda window: window.window.artifacts.isVisible(), an_artifact),
    "keep_answer": Case(lambda window: window.window.artifacts.isVisible()),
    "widen_threads": Case(other=list_width),
    "narrow_threads": Case(other=list_width),
    "widen_inspector": Case(before=inspector_beside, other=inspector_width),
    "narrow_inspector": Case(before=inspector_beside, other=inspector_width),
    "edit_system": Case(page_of(SystemPromptEditor)),
    "show_prompts": Case(lambda window: window.presenters.pages.page is not None),
    "new_project": Case(page_of(ProjectPage)),
    "open_project": Case(page_of(ProjectPage), in_project),
    "save_as_prompt": Case(lambda window: window.presenters.pages.page is not None, written, after=saved),
    "import_threads": Case(page_of(ImportPage)),
    "export_threads": Case(page_of(ExportPage)),
    "show_help": Case(page_of(GuidePage)),
    "show_about": Case(page_of(AboutPage)),
    "show_trash": Case(page_of(TrashPage)),
    "show_backups": Case(page_of(BackupsPage)),
    "show_sync": Case(page_of(SyncPage)),
    "show_usage": Case(page_of(UsagePage)),
    "next_pane": Case(lambda window: focused() is window.transcript),
    "previous_pane": Case(lambda window: focused() is window.threads.view),
    "focus_card": Case(lambda window: window.presenters.error_cards.card.has_keyboard, refused),  # type: ignore[union-attr]
    "allow_once": Case(lambda _: told == ["once"], a_tool_asks),
    "allow_thread": Case(lambda _: told == ["thread"], a_tool_asks),
    "refuse_call": Case(lambda _: told == ["no"], a_tool_asks),
    "connections": Case(page_of(ConnectionsPage)),
    "show_tools": Case(page_of(ToolsPage)),
    "ask_tools_again": Case(lambda window: "each tool asks again" in window.window.toast.words),
    "preferences": Case(page_of(PreferencesPage)),
    "show_shortcuts": Case(page_of(ShortcutsPage)),
    "larger_text": Case(other=text_size),
    "smaller_text": Case(other=text_size),
    "usual_text": Case(before=large, other=text_size),
    "theme_system": Case(lambda window: window.services.preferences.settings.appearance.theme == "system", page_shown),
    "theme_light": Case(lambda window: window.services.preferences.settings.appearance.theme == "light"),
    "theme_dark": Case(lambda window: window.services.preferences.settings.appearance.theme == "dark"),
    "next_thread": Case(lambda window: title(window) == "alpha", on_first_thread),
    "previous_thread": Case(lambda window: title(window) == "beta", on_second_thread),
    "close_window": Case(lambda window: window.session.ended.done()),
    "quit": Case(lambda window: window.session.ended.done()),
}


ALREADY = {"theme_system"}
"""It is so before, too: at least nothing else happens."""


def test_every_action_of_the_table_is_walked() -> None:
    assert set(CASES) == {row.id for row in ROWS}


async def do(window: OpenWindow, action: str) -> None:
    """By the action's keys, else by the palette; nothing but keys."""
    keys = [one for one in window.window.actions_by_id[action].shortcuts() if not is_labelled(one)]
    if keys:
        stroke = keys[0][0]  # type: ignore[index]
        QTest.keyClick(focused(), stroke.key(), stroke.keyboardModifiers())
        return
    press(Key.Key_K, Held.ControlModifier)
    palette = window.presenters.palette
    await window.until(lambda: palette.complete, "the palette's offer")
    window.type(f">{window.window.actions_by_id[action].text()}", focused())
    press(Key.Key_Return)


async def ready(window: OpenWindow) -> None:
    """Two threads, the newer one open, the keyboard in the composer."""
    for text in ("alpha", "beta"):
        window.shortcut("new_thread")
        window.backend.reply(TextDelta(f"about {text}, and more"), Ended("end_turn"))
        await window.send(text)
    window.window.activateWindow()
    window.composer.focus_editor()


@pytest.mark.parametrize("action", [row.id for row in ROWS])
async def test_the_keyboard_alone_carries_it_out(data_dir: Path, action: str) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await ready(window)
        if (case := CASES[action]).before is not None:
            await case.before(window)
        was = case.other(window) if case.other is not None else None
        assert case.other is not None or not case.done(window) or action in ALREADY
        await do(window, action)
        await window.until(lambda: case.done(window) and (case.other is None or case.other(window) != was), action)
        if case.after is not None:
            await case.after(window)
        for popup in (QApplication.activePopupWidget(), window.window.findChild(QFileDialog)):
            if popup is not None:
                popup.close()


NEEDS_SOMETHING = (
    *("quote", "copy_markdown", "copy_thread", "previous_question", "next_question", "edit_question", "try_again"),
    *("continue_answer", "rename_thread", "next_thread", "previous_thread", "focus_card", "open_project"),
    *("widen_inspector", "narrow_inspector", "toggle_artifacts", "run_artifact", "keep_answer"),
    *("show_branches", "duplicate_thread", "pin_thread", "move_thread", "archive_thread"),
    *("delete_thread", "ask_tools_again"),
)


@pytest.mark.parametrize("action", NEEDS_SOMETHING)
async def test_what_can_not_be_done_is_said(window: OpenWindow, action: str) -> None:
    window.window.activateWindow()
    window.composer.focus_editor()
    await do(window, action)
    await window.settled()
    assert window.window.toast.isVisible(), "no key is answered with silence"
    assert window.window.toast.words


async def test_what_a_page_hides_rests_with_a_reason(window: OpenWindow) -> None:
    window.window.activateWindow()
    await page_shown(window)
    waiting = {"allow_once", "allow_thread", "refuse_call"}  # they rest as long as no call waits
    actions = [action for name, action in window.window.actions_by_id.items() if name not in waiting]
    resting = [action for action in actions if not action.isEnabled()]
    assert {action.objectName() for action in resting} >= {"find", "attach_files", "choose_model"}
    assert {action.toolTip() for action in resting} == {"Go back to the thread first (Esc)."}
    press(Key.Key_Escape)
    await window.until(lambda: window.window.stage.reading, "the thread")
    await window.settled()
    assert all(action.isEnabled() for action in actions)


async def test_no_keys_are_ambiguous_wherever_the_keyboard_is(window: OpenWindow) -> None:
    """Qt tells of keys that two could mean by a warning, which fails a test; here all keys are pressed on a page."""
    await ready(window)
    for open_page in ("preferences", "show_shortcuts", "show_usage"):
        window.shortcut(open_page)
        await window.settled()
        press(Key.Key_F, Held.ControlModifier)
        press(Key.Key_Z, Held.ControlModifier)
        await window.settled()
