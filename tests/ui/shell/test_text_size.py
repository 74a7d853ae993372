"""The text size: by keys and by the wheel; all grows with it, the reading place stays, and the next start has it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.ui.inspector.inspector_pane import InspectorPane
from desktop_app.ui.theme.theme import load_theme
from tests.fakes.gated_backend import GatedBackend
from tests.ui.open_window import OpenWindow
from tests.ui.scenes import SCENES, make_threads
from tests.ui.shell.test_focus_return import Held, Key, by_hand, key

pytestmark = pytest.mark.slow


async def sized(window: OpenWindow, points: int) -> None:
    await window.until(lambda: window.session.appearance.theme.text_size == points, f"{points} points")
    await window.settled()


async def changed(window: OpenWindow, before: int) -> None:
    await window.until(lambda: window.session.appearance.theme.text_size != before, "another text size")


def wheel(window: OpenWindow, widget: QWidget, notches: int) -> None:
    at = QPointF(widget.mapTo(window.window, widget.rect().center()))
    no = (Qt.MouseButton.NoButton, Held.ControlModifier, Qt.ScrollPhase.NoScrollPhase, False)
    event = QWheelEvent(at, widget.window().mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), *no)
    QApplication.sendEvent(window.window.windowHandle(), event)


async def test_keys_and_wheel_change_it_and_the_next_start_has_it(data_dir: Path, qapp: QApplication) -> None:
    async with OpenWindow.opened(data_dir) as window:
        window.window.activateWindow()
        await key(Key.Key_Plus, Held.ControlModifier)
        await sized(window, 12)
        assert window.window.toast.words == "Text size 110 %"
        await key(Key.Key_Equal, Held.ControlModifier)
        await sized(window, 13)
        await key(Key.Key_0, Held.ControlModifier)
        await sized(window, 11)
        assert window.window.toast.words == "Text size 100 %"
        await key(Key.Key_Minus, Held.ControlModifier)
        await key(Key.Key_Minus, Held.ControlModifier)
        await sized(window, 9)
        assert window.window.toast.words == "Text size 80 %"
        await by_hand(lambda: wheel(window, window.transcript, 1))
        await sized(window, 10)
        await by_hand(lambda: wheel(window, window.threads, -1))
        await sized(window, 9)
        for _ in range(20):
            await key(Key.Key_Minus, Held.ControlModifier)
        await sized(window, 8)
    async with OpenWindow.opened(data_dir) as window:
        assert window.session.appearance.theme.text_size == 8
        assert window.transcript.text_style.body.font.pointSizeF() == 8


async def test_composer_and_transcript_have_lines_of_one_height(data_dir: Path, qapp: QApplication) -> None:
    async with OpenWindow.opened(data_dir) as window:
        for _ in range(3):
            pitch = window.transcript.text_style.body.pitch
            window.editor.setPlainText("one\ntwo " + "and many words more " * 20)
            field, document = window.editor, window.editor.document()
            await by_hand(QApplication.processEvents)
            tops = []
            cursor = field.textCursor()
            for position in (0, 4):
                cursor.setPosition(position)
                tops.append(field.cursorRect(cursor).top())
            wrapped = document.lastBlock().layout()
            assert wrapped.lineCount() > 1
            assert tops[1] - tops[0] == pitch
            assert wrapped.lineAt(1).y() - wrapped.lineAt(0).y() == pitch
            assert field.viewport().font().pointSizeF() == window.session.appearance.theme.text_size, "the placeholder"
            before = window.session.appearance.theme.text_size
            window.shortcut("larger_text")
            await changed(window, before)


async def test_everything_grows(data_dir: Path, qapp: QApplication) -> None:
    """Twice the text: icons, buttons and rows have twice their size, at least what their words need."""
    await make_threads(data_dir)
    async with OpenWindow.opened(data_dir, backend=None, local=GatedBackend("local")) as window:
        window.window.resize(1400, 900)
        window.shortcut("toggle_inspector")
        await window.settled()
        inspector = window.window.inspector.content
        assert isinstance(inspector, InspectorPane)
        composer, header, pane = window.composer, window.window.header, window.threads

        def measures() -> dict[str, int]:
            return {
                "send": composer.button.width(),
                "attach": composer.attach.iconSize().width(),
                "attach button": composer.attach.sizeHint().height(),
                "menu": header.menu_button.iconSize().width(),
                "header": header.height(),
                "new": pane.new_button.iconSize().width(),
                "row": pane.view.painter.height,
                "mark of a row": pane.view.painter.icon,
                "row of the inspector": inspector.messages.view.painted.height,
                "sign of that row": inspector.messages.view.painted.glyph,
                "search": pane.search.sizeHint().height(),
                "model": composer.picker.sizeHint().height(),
            }

        usual = measures()
        await window.services.preferences.set_value("appearance.text_size", 22)
        await sized(window, 22)
        await by_hand(QApplication.processEvents)
        grown = measures()
        assert {name: size for name, size in grown.items() if size < 1.6 * usual[name]} == {}


async def test_the_reading_place_stays(data_dir: Path, qapp: QApplication) -> None:
    await make_threads(data_dir)
    async with OpenWindow.opened(data_dir, backend=None, local=GatedBackend("local")) as window:
        window.window.resize(900, 420)
        await window.choose_thread(f"{0:032x}")
        view = window.transcript
        view.scroll_by(-view.row_layout.y)
        view.scroll_by(260)
        await by_hand(QApplication.processEvents)

        def first() -> tuple[int, int]:
            placed = next(one for one in view.row_layout.placed if one.row.slot >= 0 and one.top >= 0)
            return placed.message, placed.row.slot

        here = first()
        assert here[1] > 0
        for action in ("larger_text", "larger_text", "smaller_text", "usual_text"):
            before = window.session.appearance.theme.text_size
            window.shortcut(action)
            await changed(window, before)
            await by_hand(QApplication.processEvents)
            seen = [(one.message, one.row.slot) for one in view.row_layout.placed if one.bottom > 0][:3]
            assert here in seen, action


def cut_texts(root: QWidget) -> list[str]:
    """Buttons and lines of text that are lower than their words are high."""
    from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QToolButton

    found = []
    for widget in root.findChildren(QWidget):
        if not widget.isVisible() or not isinstance(widget, QAbstractButton | QLabel | QLineEdit):
            continue
        words = "" if isinstance(widget, QToolButton) and not widget.icon().isNull() else widget.text()
        if words and widget.height() + 1 < QFontMetricsF(widget.font()).tightBoundingRect("Ag").height():
            found.append(f"{type(widget).__name__} {words!r}: {widget.height()}")
        if isinstance(widget, QAbstractButton) and not widget.icon().isNull():
            sign = widget.iconSize()
            if sign.height() > widget.height() or sign.width() > widget.width():
                found.append(f"{type(widget).__name__} {widget.accessibleName()!r}: its icon")
    return found


@pytest.mark.parametrize("scene", ["conversation", "refused", "chips", "preferences", "connections", "found"])
@pytest.mark.parametrize("points", [9, 22])
@pytest.mark.parametrize("size", [(1000, 700), (480, 600)], ids=["wide", "narrow"])
async def test_nothing_is_cut(
    data_dir: Path, qapp: QApplication, scene: str, points: int, size: tuple[int, int]
) -> None:
    await make_threads(data_dir)
    (data_dir / "settings.toml").write_text(f"[appearance]\ntext_size = {points}\n")
    async with OpenWindow.opened(data_dir, backend=None, local=GatedBackend("local")) as window:
        await SCENES[scene](window)
        window.window.resize(*size)
        if size[0] < 600:
            window.window.show_list(False)
        await window.settled()
        await by_hand(QApplication.processEvents)
        assert cut_texts(window.window) == []
        assert window.window.width() == size[0], "no words make the window wider"


async def test_the_find_bar_has_room_for_a_word_in_a_narrow_window(data_dir: Path, qapp: QApplication) -> None:
    await make_threads(data_dir)
    (data_dir / "settings.toml").write_text("[appearance]\ntext_size = 22\n")
    async with OpenWindow.opened(data_dir, backend=None, local=GatedBackend("local")) as window:
        await SCENES["found"](window)
        window.window.resize(480, 600)
        window.window.show_list(False)
        await by_hand(QApplication.processEvents)
        bar = window.transcript.find_in_thread.bar
        assert bar.field.width() > bar.field.fontMetrics().horizontalAdvance("a word to find")
        window.window.resize(1000, 600)
        await by_hand(QApplication.processEvents)
        assert bar.case.isVisible()


@pytest.mark.parametrize("width", [1000, 480])
async def test_popovers_have_room_for_large_words(data_dir: Path, qapp: QApplication, width: int) -> None:
    await make_threads(data_dir)
    (data_dir / "settings.toml").write_text("[appearance]\ntext_size = 22\n")
    async with OpenWindow.opened(data_dir, backend=None, local=GatedBackend("local")) as window:
        window.window.resize(width, 700)
        window.window.show_list(width > 600)
        await window.choose_thread(f"{0:032x}")
        for action in ("show_gauge", "choose_model", "thread_parameters"):
            window.shortcut(action)
            await window.until(QApplication.activePopupWidget, action)
            popup = QApplication.activePopupWidget()
            assert popup is not None
            await by_hand(QApplication.processEvents)
            assert cut_texts(popup) == [], action
            popup.close()
            await window.until(lambda: QApplication.activePopupWidget() is None, "its end")


def test_measures_follow_the_text() -> None:
    theme = load_theme("light", 22)
    assert (theme.pixels(16), load_theme("light").pixels(16), load_theme("light", 9).pixels(16)) == (32, 16, 13)


async def test_a_list_that_larger_text_made_wider_has_its_width_again(window: OpenWindow) -> None:
    window.window.resize(1400, 800)
    window.shortcut("toggle_inspector")
    await window.settled()
    before = window.threads.width()
    appearance = window.session.appearance
    appearance.theme.change("light", 22)
    await window.settled()
    assert window.threads.width() == window.threads.minimumWidth() > before
    menu = window.window.header.make_menu()  # type: ignore[misc]
    assert menu.sizeHint().height() <= menu.maximumHeight(), "its last row keeps off its edge"
    await window.settled()
    appearance.theme.change("light", 11)
    await window.settled()
    assert window.threads.width() == before


async def test_it_has_its_width_again_also_after_a_restart_with_the_larger_text(
    data_dir: Path, qapp: QApplication
) -> None:
    widths = []
    for _ in range(2):
        async with OpenWindow.opened(data_dir) as window:
            window.window.resize(1400, 800)
            await window.settled()
            widths.append(window.threads.width())
            window.session.appearance.theme.change("light", 11)
            await window.settled()
            widths.append(window.threads.width())
            await window.services.preferences.set_value("appearance.text_size", 17)
            await sized(window, 17)
            widths.append(window.threads.width())
    usual, larger = widths[0], widths[2]
    assert widths == [usual, usual, larger, larger, usual, larger]
    assert usual < larger
