"""The window in every state with the Tab key alone: all is reached, nothing holds the keyboard, and it is seen."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.ui.attachments.attachment_viewer import ImageViewer
from desktop_app.ui.prompts.prompt_form import PromptForm
from tests.fakes.gated_backend import GatedBackend
from tests.ui.open_window import OpenWindow
from tests.ui.scenes import SCENES, make_threads
from tests.ui.walking import Walk, focused, missed

pytestmark = pytest.mark.slow

WALKED = (
    *("conversation", "no_list", "empty", "refused", "composer_queued", "chips", "question_editor", "kept"),
    *("found", "list_search", "deleted_toast", "inspector_messages", "inspector_request", "inspector_past"),
    *("usage", "preferences", "shortcuts_changed", "system_prompt", "summary_editor", "document", "prompts_page"),
    *(
        "prompt_editor",
        "prompt_form",
        "connections",
        "server_models",
        "popover",
        "parameters",
        "zoomed",
        "quick_answer",
    ),
    *("quick_refused", "message_details", "emergency", "server_models"),
)
"""Scenes, each a state of the window."""


IN_DARK = ("conversation", "inspector_request", "usage", "preferences", "shortcuts_changed", "connections", "popover")
"""Between them they have every kind of control."""
COVERING = (ImageViewer, PromptForm)
"""What lies over the whole window and keeps the keyboard until Esc."""


def root_of(window: OpenWindow) -> QWidget:
    """What lies on top: a popup, the quick line, else the window."""
    popup, line = QApplication.activePopupWidget(), window.session.presence.quick.window
    overlays = [one for one in window.window.findChildren(QWidget) if isinstance(one, COVERING) and one.isVisible()]
    if popup is not None or overlays:
        return popup or overlays[0]
    return line if line is not None and line.isVisible() else window.window


@pytest.mark.parametrize(
    ("scene", "theme"), [*((scene, "light") for scene in WALKED), *((scene, "dark") for scene in IN_DARK)]
)
async def test_tab_reaches_everything_comes_round_and_is_seen(data_dir: Path, scene: str, theme: str) -> None:
    await make_threads(data_dir)
    (data_dir / "settings.toml").write_text(f'[appearance]\ntheme = "{theme}"\nreduced_motion = true\n')
    async with OpenWindow.opened(data_dir, backend=None, local=GatedBackend("local")) as window:
        await SCENES[scene](window)
        await window.settled()
        root = root_of(window)
        root.activateWindow()
        if QApplication.focusWidget() is None:
            window.composer.focus_editor()
        forth = Walk()
        back = Walk(back=True, look=False)
        told = missed(root, forth.reached), missed(root, back.reached), forth.unseen
        if (popup := QApplication.activePopupWidget()) is not None:
            popup.close()
        assert forth.came_round
        assert back.came_round
        assert told == ([], [], [])


@pytest.mark.parametrize("scene", ["conversation", "inspector_messages", "refused", "usage", "connections"])
async def test_f6_goes_through_all_panes_and_round_and_back(data_dir: Path, scene: str) -> None:
    await make_threads(data_dir)
    async with OpenWindow.opened(data_dir, backend=None, local=GatedBackend("local")) as window:
        await SCENES[scene](window)
        await window.settled()
        window.window.activateWindow()
        if window.composer.isVisible():
            window.composer.focus_editor()
        ways: list[list[QWidget]] = []
        for modifiers in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier):
            way: list[QWidget] = []
            for _ in range(8):
                window.press(Qt.Key.Key_F6, modifiers, focused())
                if focused() in way:
                    break
                way.append(focused())
            ways.append(way)
        panes = (window.threads, window.window.stage, window.composer, window.window.inspector)
        for pane in panes:
            if pane.isVisible():
                for way in ways:
                    assert any(pane.isAncestorOf(widget) for widget in way), pane.accessibleName()
        if (card := window.presenters.error_cards.card) is not None:
            assert card.isAncestorOf(ways[0][0]), "the card comes right after the composer"
