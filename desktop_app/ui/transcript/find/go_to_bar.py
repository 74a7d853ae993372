"""The bar in which the reader names a message by its number or its day. Only reads words and uses no thread."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from PySide6.QtCore import QDate, QLocale, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from desktop_app.core.messages import Message
from desktop_app.system_clock import local_day
from desktop_app.ui.i18n.language import grouped, tr
from desktop_app.ui.theme.theme import GRID
from desktop_app.ui.transcript.find.find_bar import TopBar

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
    day = read_day(words, today)
    if day is None or not messages:
        return None
    return min(bisect_left(messages, day, key=day_of), len(messages) - 1)


class GoToBar(TopBar):
    """`chosen(index)` comes with Enter."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._messages: Sequence[Message] = ()
        self.field = QLineEdit(self)
        self.field.setAccessibleName(tr("Message number or date"))
        self.field.setPlaceholderText(tr("Message number or date"))
        self.field.setToolTip(self.field.placeholderText())
        self.hint = QLabel(self)
        self.hint.setProperty("tone", "secondary")
        self.hint.setContentsMargins(GRID // 2, 0, GRID // 2, 0)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignVCenter)
        self.row.addWidget(self.field, 1)
        self.row.addWidget(self.hint)
        self.row.addWidget(self.close_button)
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
