"""The bars over the text: one says which words to find, one names a message by number or day. Finds nothing itself."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from PySide6.QtCore import QDate, QLocale, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QIcon, QKeyEvent, QResizeEvent, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from desktop_app.core.messages import Message
from desktop_app.core.search_terms import LONGEST_PATTERN, FindPattern
from desktop_app.system.system_clock import local_day
from desktop_app.ui.i18n.language import grouped, tr
from desktop_app.ui.theme.theme import GRID, Theme, icon, space, stroke
from desktop_app.ui.widgets import KEEPS_FOCUS
from desktop_app.ui.widgets.parts import fill, label_in, tool_in

HEIGHT = 6 * GRID
LETTERS = 20
"""So many letters the field has room for before the switches have any."""


class TopBar(QFrame):
    """A line over the transcript; Esc, or its last button, closes it."""

    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("top-bar")
        self.setProperty(KEEPS_FOCUS, True)
        self.setAutoFillBackground(True)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(GRID, 0, GRID, 0)
        self.row.setSpacing(GRID // 2)
        self.close_button = self.button(tr("Close"), tr("Close (Esc)"))
        self.close_button.clicked.connect(self.closed)
        self.hide()

    def button(self, name: str, hint: str, text: str = "", *, switch: bool = False) -> QToolButton:
        """A quiet button with a name for screen readers."""
        made = tool_in(self, name=name, tip=hint, words=text)
        made.setCheckable(switch)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return made

    def set_theme(self, theme: Theme) -> None:
        """Takes over colors and fonts."""
        css = theme.css_color
        self.setStyleSheet(
            f"QFrame#top-bar {{ background: {css('surface')}; border: none;"
            f" border-bottom: {stroke('hair')}px solid {css('hairline')}; }}"
            # large words leave the field some room
            f"QToolButton {{ padding: {space('quiet-y')}px {max(4, 2 * space('quiet-x') - theme.pixels(8))}px; }}"
            f"QToolButton:checked {{ background: {css('track')}; color: {css('text')}; }}"
        )
        self.setFixedHeight(theme.pixels(HEIGHT))
        self.close_button.setIcon(icon("close", theme))
        for child in self.findChildren(QWidget):
            child.setFont(theme.small_font())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: object) -> None:
        self.raise_()


class FindBar(TopBar):
    """`wanted` comes with every change of what to look for, `step_requested(1 or -1)` for the next or previous hit.

    `elsewhere_requested`: the next of the messages of other branches that hold it.
    """

    wanted = Signal(object)
    step_requested = Signal(int)
    elsewhere_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.field = QLineEdit(self, placeholderText=tr("Find in this thread"), maxLength=LONGEST_PATTERN)
        self.field.setAccessibleName(tr("Find in this thread"))
        self.field.setToolTip(self.field.placeholderText())
        self.field.setClearButtonEnabled(False)
        self.glass = self.field.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
        self.glass.setText(self.field.accessibleName())  # it is a button for screen readers
        self.count = QLabel(self, alignment=Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.count.setContentsMargins(GRID // 2, 0, GRID // 2, 0)
        self.count.hide()
        self.count.setProperty("tone", "secondary")
        self.case = self.button(tr("Match case"), tr("Match case (Alt+C)"), "Aa", switch=True)
        self.words = self.button(tr("Whole words"), tr("Whole words (Alt+W)"), "ab", switch=True)
        for keys, switch in (("Alt+C", self.case), ("Alt+W", self.words)):
            # not the button's own, which would be silent while there is no room for it
            shortcut = QShortcut(keys, self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(switch.toggle)
            switch.toggled.connect(self._share_room)
        self.previous = self.button(tr("Previous result"), tr("Previous result (Shift+Enter)"), "↑")
        self.next = self.button(tr("Next result"), tr("Next result (Enter)"), "↓")
        self.elsewhere = self.button("", tr("Show the next message on another branch"))
        self.elsewhere.hide()
        self.elsewhere.clicked.connect(self.elsewhere_requested)
        self.row.addWidget(self.field, 1)
        for widget in (self.count, self.elsewhere, self.case, self.words, self.previous, self.next, self.close_button):
            self.row.addWidget(widget)
        self.field.textChanged.connect(self._ask)
        self.case.toggled.connect(self._ask)
        self.words.toggled.connect(self._ask)
        self.previous.clicked.connect(lambda: self.step_requested.emit(-1))
        self.next.clicked.connect(lambda: self.step_requested.emit(1))

    @property
    def needle(self) -> FindPattern:
        """The pattern to look for."""
        return FindPattern(self.field.text(), self.case.isChecked(), self.words.isChecked())

    def begin(self, words: str = "") -> None:
        """Opens with the keyboard in the field; `words` replace what was looked for before, if there are any."""
        self.show()
        if words:
            self.field.setText(words)
        self.field.selectAll()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._ask()

    def show_count(self, number: int, total: int, *, done: bool) -> None:
        """Says `3 of 214`; before everything has been read the total carries a plus."""
        more = "" if done else "+"
        if not self.needle:
            words = ""
        elif not total:
            words = tr("No results") if done else tr("Looking…")
        elif number:
            words = tr("{number} of {total}").format(number=grouped(number), total=f"{grouped(total)}{more}")
        else:
            words = (tr("1 result") if total == 1 else tr("{total} results")).format(total=f"{grouped(total)}{more}")
        if words != self.count.text():
            self.count.setText(words)
            self.count.setVisible(bool(words))
            self._share_room()
            self.count.setProperty("tone", "danger" if done and self.needle and not total else "secondary")
            self.count.style().polish(self.count)
        for button in (self.previous, self.next):
            button.setEnabled(total > 0)

    def show_elsewhere(self, messages: int) -> None:
        """Says how many messages of other branches hold what is looked for; 0: nothing is said."""
        words = tr("1 on another branch") if messages == 1 else tr("{count} on other branches")
        self.elsewhere.setText(words.format(count=grouped(messages)))
        self.elsewhere.setAccessibleName(self.elsewhere.text())
        self.elsewhere.setVisible(messages > 0)
        self._share_room()

    def announce(self) -> None:
        """Tells screen readers the count."""
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.field, self.count.text()))

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.glass.setIcon(icon("search", theme))
        self.field.setFont(theme.body_font())
        underlined = theme.small_font()
        underlined.setUnderline(True)
        self.words.setFont(underlined)
        self._share_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def _share_room(self) -> None:
        """In a narrow bar the words have the room of the switches, as far as these are off: both have keys."""
        switches = (self.case, self.words)
        others = [
            part
            for part in (self.count, self.elsewhere, *switches, self.previous, self.next, self.close_button)
            if part in switches or not part.isHidden()
        ]
        margins = self.row.contentsMargins()
        taken = sum(part.sizeHint().width() + self.row.spacing() for part in others)
        room = self.width() - margins.left() - margins.right() - taken
        roomy = room >= LETTERS * self.field.fontMetrics().averageCharWidth()
        for switch in switches:
            switch.setVisible(roomy or switch.isChecked())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.step_requested.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)

    def _ask(self) -> None:
        self.wanted.emit(self.needle)


_ISO = re.compile(r"(\d{4})-(\d{1,2})(?:-(\d{1,2}))?")


def day_of(message: Message) -> date:
    """The day, where the reader is, on which a message was written."""
    return datetime.fromisoformat(message.created.replace("Z", "+00:00")).astimezone().date()


def read_day(words: str, today: date) -> date | None:
    """A day as people write it: 2026-03-04, 2026-03, today, yesterday, or in the short form of their country."""
    words = words.strip().casefold()
    named = {tr("today").casefold(): 0, tr("yesterday").casefold(): 1}
    if words in named:
        return today - timedelta(days=named[words])
    found = _ISO.fullmatch(words)
    try:
        if found is not None:
            return date(int(found[1]), int(found[2]), int(found[3] or 1))
    except ValueError:
        return None
    for form in (QLocale.FormatType.ShortFormat, QLocale.FormatType.LongFormat):
        day = QLocale().toDate(words, form)
        if day.isValid():
            year = day.year() + 100 if day.year() < 1970 else day.year()
            return date(year, day.month(), day.day())
    return None


def place_of(words: str, messages: Sequence[Message], today: date) -> int | None:
    """The index of the message that is meant: by its number, or the first on that day or after it."""
    words = words.strip().removeprefix("#")
    if words.isdecimal():
        return min(len(messages), int(words)) - 1 if int(words) and messages else None
    if (day := read_day(words, today)) is None or not messages:
        return None
    return min(bisect_left(messages, day, key=day_of), len(messages) - 1)


class GoToBar(TopBar):
    """`chosen(index)` comes with Enter."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._messages: Sequence[Message] = ()
        self.field = QLineEdit(self, placeholderText=tr("Message number or date"))
        self.field.setAccessibleName(tr("Message number or date"))
        self.field.setToolTip(self.field.placeholderText())
        self.hint = label_in(self, tone="secondary")
        self.hint.setContentsMargins(GRID // 2, 0, GRID // 2, 0)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignVCenter)
        fill(self.row, (self.field, 1), self.hint, self.close_button)
        self.field.textChanged.connect(self._say)

    def begin(self, messages: Sequence[Message]) -> None:
        """Opens for these messages."""
        self._messages = messages
        self.field.clear()
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._say()

    def _place(self) -> int | None:
        return place_of(self.field.text(), self._messages, local_day())

    def _say(self) -> None:
        """Show where Enter leads, or what can be said."""
        place = self._place()
        if not self._messages:
            self.hint.setText("")
        elif place is not None:
            self.hint.setText(tr("Message {number} · {day}").format(number=place + 1, day=_day(self._messages[place])))
        elif self.field.text().strip():
            self.hint.setText(tr("Not a number or date"))
        else:
            first, last = _day(self._messages[0]), _day(self._messages[-1])
            days = first if first == last else f"{first} – {last}"
            self.hint.setText(tr("1 – {count} · {days}").format(count=grouped(len(self._messages)), days=days))
        self.field.setAccessibleDescription(self.hint.text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        place = self._place()
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            if place is not None:
                self.chosen.emit(place)
        else:
            super().keyPressEvent(event)


def _day(message: Message) -> str:
    day = day_of(message)
    return QLocale().toString(QDate(day.year, day.month, day.day), QLocale.FormatType.ShortFormat)
