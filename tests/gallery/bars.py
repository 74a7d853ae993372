"""Shows what comes and goes over the panes: bars above the transcript, toasts, attachments, the quick window."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from desktop_app.core.messages import DocumentPart
from desktop_app.ui.composer.composer_rows import AttachmentTray
from desktop_app.ui.quick.quick_window import QuickWindow
from desktop_app.ui.theme.theme import GRID
from desktop_app.ui.transcript.find.find_bars import FindBar, GoToBar, TopBar
from desktop_app.ui.widgets.floating import Toast
from tests.gallery.fitted import message
from tests.gallery.page import WIDTH, Page

DAYS = ("2026-01-05T08:00:00.000Z", "2026-01-05T08:01:00.000Z", "2026-02-11T17:30:00.000Z")


def fill(page: Page) -> None:
    """Each as wide as the page."""
    _bars(page)
    _toasts(page)
    _attachments(page)
    _quick(page)


def _bars(page: Page) -> None:
    found = FindBar(page)
    found.field.setText("buffer")
    found.show_count(3, 1_204, done=True)
    still = FindBar(page)
    still.field.setText("buffer")
    still.case.setChecked(True)
    still.show_count(1, 40, done=False)
    nothing = FindBar(page)
    nothing.field.setText("bufffer")
    nothing.show_count(0, 0, done=True)
    elsewhere = FindBar(page)
    elsewhere.field.setText("buffer")
    elsewhere.show_count(0, 0, done=True)
    elsewhere.show_elsewhere(3)
    go_to = GoToBar(page)
    go_to.begin([message(number, "user", "A question") for number in range(3)])
    wrong = GoToBar(page)
    wrong.begin([message(0, "user", "A question")])
    wrong.field.setText("some day")
    for caption, bar in (
        ("Find: the third of many hits", found),
        ("Find: still counting, upper and lower case told apart", still),
        ("Find: nothing", nothing),
        ("Find: only on other branches", elsewhere),
        ("Go to: what there is", go_to),
        ("Go to: neither a number nor a date", wrong),
    ):
        _show(page, caption, bar)


def _show(page: Page, caption: str, bar: TopBar) -> None:
    bar.set_theme(page.theme)
    page.add(caption, bar)


def _toasts(page: Page) -> None:
    for caption, words, button in (
        ("A toast with a way back", "“Ring buffer in Python” moved to trash", "Undo"),
        ("A toast that only tells", "Copied as Markdown", ""),
    ):
        room = QWidget(page)
        room.setFixedSize(WIDTH, 8 * GRID)
        Toast(room).show_message(words, button, lambda: None)
        page.add(caption, room)


def _attachments(page: Page) -> None:
    tray = AttachmentTray(page.theme, page, before=page)
    tray.show_parts(
        [
            DocumentPart("report.pdf", "A report", "1" * 64, "application/pdf"),
            DocumentPart("a-file-with-a-very-long-name-that-has-to-be-cut.csv", "a,b", "2" * 64, "text/csv"),
        ]
    )
    tray.show_reading(["minutes.docx"])
    page.add("Attachments: a document, a long name, one that is being read", tray)


def _quick(page: Page) -> None:
    empty = QuickWindow(page.theme)
    empty.setFixedWidth(WIDTH)
    empty.show_model("Anthropic API", "Claude Sonnet")
    page.add("The quick window", empty)
