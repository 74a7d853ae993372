"""Long words in narrow rows: nothing is clipped, no row widens what it stands in, and what is left out is in a tip."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.ui.composer.composer_rows import QueueRow
from desktop_app.ui.connections.connections_page import ServerForm
from desktop_app.ui.connections.welcome_pane import LEAST_KEY, LEAST_WORDS, WelcomeOption, WelcomeRow
from desktop_app.ui.shell.main_window import Stage
from desktop_app.ui.shell.side_slot import EmptyThread
from desktop_app.ui.theme.theme import load_theme
from desktop_app.ui.widgets.page import PageFrame

LONG = "And what would we have to ask before we sign with the one that is cheapest? " * 3


@pytest.fixture
def room(qtbot: QtBot) -> QWidget:
    """What the rows are made in; `show_in` gives it its width."""
    made = QWidget()
    qtbot.addWidget(made)
    return made


def show_in(room: QWidget, row: QWidget, width: int) -> None:
    """Shows the row in that width, and in the height that it asks for."""
    column = QVBoxLayout(room)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(row)
    column.addStretch(1)
    room.resize(width, 600)
    room.show()


def top_of(part: QWidget, row: QWidget) -> int:
    return part.mapTo(row, QPoint()).y()


@pytest.mark.parametrize(("width", "under"), [(480, False), (333, True)])
def test_a_buttons_long_words_do_not_squeeze_what_they_belong_to(
    qtbot: QtBot, room: QWidget, width: int, under: bool
) -> None:
    way = WelcomeOption(
        "local", "search", "Offline ausprobieren", "Ein winziges Modell, zum Ausprobieren.", "Offline ausprobieren"
    )
    row = WelcomeRow(load_theme("light"), way, primary=True, parent=room)
    show_in(room, row, width)
    qtbot.waitUntil(lambda: (top_of(row.button, row) >= top_of(row.detail, row) + row.detail.height()) == under)
    assert row.detail.width() >= LEAST_WORDS


@pytest.mark.parametrize(("width", "under"), [(480, False), (250, True)])
def test_the_field_for_a_key_keeps_its_room(qtbot: QtBot, room: QWidget, width: int, under: bool) -> None:
    way = WelcomeOption("anthropic", "key", "Anthropic", "Ein Schlüssel.", "Schlüssel speichern", asks_key=True)
    row = WelcomeRow(load_theme("light"), way, primary=False, parent=room)
    show_in(room, row, width)
    qtbot.waitUntil(lambda: (top_of(row.button, row) >= top_of(row.key, row) + row.key.height()) == under)
    assert row.key.width() >= LEAST_KEY


def test_the_servers_test_stands_where_its_fields_begin(room: QWidget) -> None:
    form = ServerForm(load_theme("light"), room)
    show_in(room, form, 500)
    test = next(one for one in form.findChildren(QPushButton) if one.accessibleName() == "Test this server")
    field = next(one for one in form.findChildren(QLineEdit) if one.accessibleName() == "Key for this server")
    assert test.mapTo(form, QPoint()).x() == field.mapTo(form, QPoint()).x()


def test_a_long_queued_message_is_shortened_to_the_rows_width_and_whole_in_the_tip(room: QWidget) -> None:
    row = QueueRow(load_theme("light"), room)
    row.show_text(LONG)
    show_in(room, row, 700)
    words = row.findChild(QLabel)
    assert isinstance(words, QLabel)
    wide = words.text()
    row.window().resize(320, 600)
    assert row.width() == 320
    assert row.minimumSizeHint().width() < 320, "it would not widen what it stands in"
    assert len(words.text()) < len(wide) < len(words.toolTip())
    assert words.text().endswith("…")
    assert words.fontMetrics().horizontalAdvance(words.text()) <= words.width()


def test_the_greeting_stands_in_the_middle_of_the_column(room: QWidget) -> None:
    stage = Stage(load_theme("light"), room)
    show_in(room, stage, 800)
    stage.set_empty(True)
    hint = stage.transcript.findChild(EmptyThread)
    assert isinstance(hint, EmptyThread)
    view = stage.transcript.viewport()
    for width in (800, 600):
        stage.window().resize(width, 600)
        assert hint.geometry().center().x() == view.geometry().center().x()


def test_a_pages_heading_goes_on_in_a_second_line(qtbot: QtBot) -> None:
    room = QWidget()
    qtbot.addWidget(room)
    page = PageFrame(load_theme("light"), "Zusammenfassung der Unterhaltung", room)
    page.resize(800, 400)
    room.resize(800, 400)
    room.show()
    assert page.heading.sizeHint().width() < 600
    page.resize(360, 400)
    qtbot.waitUntil(lambda: page.heading.height() >= 2 * page.heading.fontMetrics().height())
    assert page.heading.width() >= page.heading.fontMetrics().horizontalAdvance("Zusammenfassung")
