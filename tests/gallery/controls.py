"""Shows buttons, fields, tabs, chips, the rows around the composer's text, and toasts. Owns only made-up words."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QPushButton, QSlider, QTabBar, QToolButton, QWidget

from desktop_app.ui.composer.composer_rows import AttachmentChip, NoticeRow, QueueRow
from desktop_app.ui.i18n.content_words import AttachmentText
from desktop_app.ui.theme.theme import GRID, icon
from desktop_app.ui.widgets.floating import Toast
from tests.gallery.page import WIDTH, Page
from tests.gallery.posed import POSES, FocusedChip, PosedButton

KINDS = (("", "Buttons"), ("primary", "The main button"), ("quiet", "Quiet buttons"))
LONG = "Fahrgastschifffahrtsgesellschaft Jahresabschluss 2026 (endgültig, korrigiert).pdf"


class _LastingToast(Toast):
    """Stays."""

    def hide(self) -> None:
        return


def fill(page: Page) -> None:
    """Every control in every state."""
    for kind, caption in KINDS:
        page.add(
            f"{caption}: normal, focus, hover, pressed, disabled",
            *(PosedButton((pose or "Normal").capitalize(), kind, pose, page) for pose in POSES),
        )
    page.add("Choices and chips: chosen, not chosen, focus", *_choices(page))
    page.add("Send, stop, not now, focus", *_round(page))
    page.add("Tool buttons", *_tools(page))
    page.add("Fields: with a hint, with text, disabled", *_fields(page))
    page.add("Tabs", _tabs(page))
    page.add("Sliders", _slider(page, 30), _slider(page, 100))
    page.add("Labels", *_labels(page))
    page.add("Attachments of a draft: document, picture, long name, no room for it, focus", *_chips(page))
    _add_rows(page)
    page.add("Toasts", _toast(page, "Thread moved to trash", "Undo"))
    page.add("Without a button", _toast(page, "Copied as Markdown", ""))


def _choices(page: Page) -> list[QWidget]:
    made: list[QWidget] = []
    for kind in ("choice", "chip"):
        for words, pose, chosen in (("Chosen", "", True), ("Not chosen", "", False), ("Focus", "focus", False)):
            button = PosedButton(words, kind, pose, page)  # type: ignore[arg-type]
            button.setCheckable(True)
            button.setChecked(chosen)
            made.append(button)
    return made


def _round(page: Page) -> list[QWidget]:
    made: list[QWidget] = []
    for name, pose in (("send", ""), ("stop", ""), ("send", "disabled"), ("send", "focus")):
        button = PosedButton("", "round", pose, page)  # type: ignore[arg-type]
        button.setFixedSize(QSize(4 * GRID, 4 * GRID))
        button.setIcon(icon(name, page.theme, "text-secondary" if pose == "disabled" else "on-accent"))
        made.append(button)
    return made


def _tools(page: Page) -> list[QWidget]:
    made: list[QWidget] = []
    for name in ("sidebar", "compose", "attach", "tune", "search", "archive", "pin", "pencil", "private", "more"):
        button = QToolButton(page)
        button.setIcon(icon(name, page.theme))
        made.append(button)
    return made


def _fields(page: Page) -> list[QWidget]:
    made: list[QWidget] = []
    for text, enabled in (("", True), ("SQL window functions", True), ("Not now", False)):
        field = QLineEdit(text, page)
        field.setPlaceholderText("Search threads")
        field.setEnabled(enabled)
        field.setFixedWidth(24 * GRID)
        made.append(field)
    return made


def _tabs(page: Page) -> QTabBar:
    tabs = QTabBar(page)
    tabs.setDrawBase(False)
    tabs.setExpanding(False)
    for words in ("Messages", "Request", "Past turns"):
        tabs.addTab(words)
    return tabs


def _slider(page: Page, value: int) -> QSlider:
    slider = QSlider(Qt.Orientation.Horizontal, page)
    slider.setValue(value)
    slider.setFixedWidth(30 * GRID)
    return slider


def _labels(page: Page) -> list[QWidget]:
    theme = page.theme
    looks = (
        ("Title", theme.title_font(), ""),
        ("Body", theme.body_font(), ""),
        ("Secondary", theme.body_font(), "secondary"),
        ("Small", theme.small_font(), "secondary"),
        ("Something went wrong", theme.body_font(), "danger"),
        ("code_font(0O, 1lI)", theme.code_font(), ""),
    )
    made: list[QWidget] = []
    for words, font, tone in looks:
        label = QLabel(words, page)
        label.setFont(font)
        label.setProperty("tone", tone)
        made.append(label)
    return made


def _chips(page: Page) -> list[QWidget]:
    picture = QImage(64, 48, QImage.Format.Format_RGB32)
    picture.fill(QColor(page.theme.color("syntax-type")))
    made: list[QWidget] = []
    for name, tokens, warning, shown in (
        ("notes.txt", "1.2K", "", None),
        ("harbour.png", "1.6K", "", picture),
        (LONG, "48K", "", None),
        ("scan.pdf", "", "no text in it", None),
        ("harbour.png", "", "not for this model", picture),
    ):
        chip = AttachmentChip(page.theme, "document", page)
        chip.tell(AttachmentText(name, tokens, warning, name, name), removing=f"Remove {name}")
        if shown is not None:
            chip.show_picture(shown)
        made.append(chip)
    focused = FocusedChip(page.theme, "document", page)
    focused.tell(AttachmentText("notes.txt", "1.2K", "", "", "notes.txt"), removing="Remove notes.txt")
    return [*made, focused]


def _add_rows(page: Page) -> None:
    queue = QueueRow(page.theme, page)
    queue.show_text("Then compare it with a deque, please, and say when each of them is the better choice.", ("a.pdf",))
    page.add("The message that waits", queue)
    cold = NoticeRow(page.theme, page)
    cold.say("Idle for 3 h: the cache has expired. Sending costs $0.54 once, then $0.05.", button="Summarize first")
    page.add("The cold line", cold)
    for words, button, tone in (
        ("The model does not take images. The picture stays here and is not sent.", "", "secondary"),
        ("scan.pdf can't be read: it is damaged.", "Choose another", "danger"),
    ):
        line = NoticeRow(page.theme, page)
        line.say(words, button=button, tone=tone)
        page.add(f"A line above the text ({tone})", line)


def _toast(page: Page, words: str, button: str) -> QWidget:
    room = QFrame(page)
    room.setFixedSize(WIDTH, 9 * GRID)
    toast = _LastingToast(room)
    toast.show_message(words, button, (lambda: None) if button else None)
    for found in toast.findChildren(QPushButton):
        found.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return room
