"""In a language with longer words nothing of the window stays English, and no button or label is clipped."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from tests.ui.open_window import OpenWindow
from tests.ui.pseudo_language import OPEN, Inspection, clipped, fields_of, pseudo, pseudo_language

INSPECTION = Inspection()


@pytest_asyncio.fixture
async def window(data_dir: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[OpenWindow]:
    with pseudo_language() as speak:
        monkeypatch.setattr("desktop_app.ui.startup.single_instance.speak", speak)
        async with OpenWindow.opened(data_dir) as opened:
            opened.window.resize(1180, 820)
            yield opened


def look(window: OpenWindow) -> None:
    QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    bare = INSPECTION.untranslated(window.window)
    assert not bare, "\n".join(bare)
    # it is painted, and heard as a sentence
    assert not window.gauge.reading.line or OPEN in window.gauge.reading.line
    wrong = clipped(window.window)
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
async def test_a_thread_and_its_panes_are_said_in_the_language(window: OpenWindow) -> None:
    await window.send("hello")
    look(window)
    for action in ("show_gauge", "thread_parameters", "find", "go_to", "toggle_inspector"):
        window.shortcut(action)
        await window.settled()
        look(window)


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", ["connections", "preferences", "show_usage", "show_shortcuts", "show_prompts", "edit_system"]
)
async def test_a_page_is_said_in_the_language(window: OpenWindow, page: str) -> None:
    await window.send("hello")
    window.shortcut(page)
    await window.settled()
    look(window)


@pytest.mark.slow
async def test_the_palette_and_an_empty_thread_are_said_in_the_language(window: OpenWindow) -> None:
    look(window)
    window.shortcut("command_palette")
    await window.settled()
    look(window)


@pytest.mark.slow
async def test_a_refusal_is_said_in_the_language(window: OpenWindow) -> None:
    window.editor.setPlainText("The quick brown fox jumps over the lazy dog. " * 40_000)
    await window.settled()
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")
    look(window)


def test_the_pseudo_language_keeps_fields_and_edges() -> None:
    said = pseudo(" in {seconds:,} s\n")
    assert (said[0], said[-1], fields_of(said)) == (" ", "\n", ["seconds"])
    assert len(pseudo("Try again")) > 1.4 * len("Try again")


@pytest.mark.slow
def test_what_went_past_the_translation_and_what_does_not_fit_is_found(qapp: QApplication) -> None:
    with pseudo_language():
        window = QLabel()
        good, bare = QPushButton(pseudo("Try again"), window), QPushButton("Choose another model", window)
        good.resize(good.sizeHint())
        bare.resize(20, 8)
        window.show()
        assert INSPECTION.untranslated(window) == ["Button: Choose another model", "QPushButton: Choose another model"]
        assert [line.partition(":")[0] for line in clipped(window)] == ["QPushButton 'Choose another model'"]
        window.close()
