"""A thread that is shown again is shown from what was laid out before, as long as that is still what it looks like."""

from __future__ import annotations

from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from desktop_app.ui.transcript.message.message_layout import MessageLayout
from desktop_app.ui.transcript.view import TranscriptView
from tests.benchmarks.bench_transcript import thread

ONE, OTHER = thread(40, "one"), thread(30, "other")


def layouts(view: TranscriptView) -> dict[int, MessageLayout]:
    """What is in view, by message."""
    return {placed.message: view.row_layout.message_layout(placed.message) for placed in view.row_layout.placed[:-1]}


def picture(view: TranscriptView) -> QImage:
    return view.viewport().grab().toImage()


def shown(view: TranscriptView, qtbot: QtBot) -> dict[int, MessageLayout]:
    """The one thread in view, colored."""
    with qtbot.waitSignal(view.rested):
        view.show_path(ONE)
    qtbot.waitUntil(lambda: not view.highlighter.busy)
    return layouts(view)


def test_rows_are_used_again_and_show_the_same(view: TranscriptView, qtbot: QtBot) -> None:
    before, looked = shown(view, qtbot), picture(view)
    view.show_path(OTHER)
    assert picture(view) != looked
    view.show_path(ONE)
    assert layouts(view) == before, "the very same"
    assert picture(view) == looked


def test_lines_beside_the_messages_are_those_of_now(view: TranscriptView, qtbot: QtBot) -> None:
    shown(view, qtbot)
    last = max(layouts(view))
    view.decorations.set_load_line(ONE[last].id)
    assert view.row_layout.message_layout(last).head
    view.show_path(OTHER)
    view.show_path(ONE)
    assert not view.row_layout.message_layout(last).head
    view.decorations.set_load_line(ONE[last].id)
    assert view.row_layout.message_layout(last).head


def test_what_is_laid_out_in_another_way_by_now_is_made_anew(view: TranscriptView, qtbot: QtBot) -> None:
    before = shown(view, qtbot)
    view.show_path(OTHER)
    view.wrap_code(True)
    view.show_path(ONE)
    assert not set(map(id, before.values())) & set(map(id, layouts(view).values()))
    before = layouts(view)
    view.show_path(OTHER)
    view.resize(700, 700)
    view.show_path(ONE)
    assert not set(map(id, before.values())) & set(map(id, layouts(view).values()))


def test_what_is_no_longer_shown_is_destroyed_once_there_is_time(view: TranscriptView, qtbot: QtBot) -> None:
    shown(view, qtbot)
    view.show_path(OTHER)
    assert view.row_layout.cast_off
    qtbot.waitUntil(lambda: not view.row_layout.cast_off)
