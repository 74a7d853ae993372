"""The view of one request: readable or raw, with folds and a copy button. Uses no controller.

It does not turn requests into lines itself: `lines_wanted` asks for them, as that takes longer than a frame may.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop_app.core.context.request_view import ReadableRequest, RequestDiff
from desktop_app.ui.inspector.request_lines import diff_lines, raw_lines, request_lines
from desktop_app.ui.theme.theme import GRID, Theme, motion
from desktop_app.ui.widgets.fitting import Caption
from desktop_app.ui.widgets.text_lines import LinesView, TextLine, plain_text

Source: TypeAlias = ReadableRequest | RequestDiff


@dataclass(frozen=True, slots=True)
class RequestReading:
    """The text to be shown, and how. `unfolded` are numbers of blocks."""

    source: Source
    raw: bool = False
    unfolded: frozenset[int] = frozenset()

    @property
    def code(self) -> bool:
        """True where the lines stand in the type of code."""
        return self.raw

    def lines(self) -> list[TextLine]:
        """The lines for the eye; to be called off the GUI thread."""
        if isinstance(self.source, RequestDiff):
            return diff_lines(self.source)
        return raw_lines(self.source) if self.raw else request_lines(self.source, self.unfolded)


class RequestView(QWidget):
    """Shows one request or the difference of two."""

    lines_wanted = Signal(object)  # Reading

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.raw = QPushButton(self.tr("Raw"), self)
        self.raw.setCheckable(True)
        self.raw.setAccessibleName(self.tr("Show the request as it is sent"))
        self.raw.setToolTip(self.tr("Show the request as it is sent"))
        self.copy = QPushButton(self.tr("Copy"), self)
        self.copy.setAccessibleName(self.tr("Copy the request"))
        self.buttons = QHBoxLayout()
        self.buttons.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        self.buttons.setSpacing(GRID // 2)
        for button in (self.raw, self.copy):
            button.setProperty("kind", "quiet")
            self.buttons.addWidget(button)
        self.buttons.addStretch(1)
        self.note = Caption(theme, self)
        self.text = LinesView(theme, self)
        self.text.setAccessibleName(self.tr("Request"))
        self.reading: RequestReading | None = None
        self._said = QTimer(self)
        self._said.setSingleShot(True)
        self._said.setInterval(motion("said"))
        self._said.timeout.connect(lambda: self.copy.setText(self.tr("Copy")))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self.buttons)
        column.addWidget(self.note)
        column.addWidget(self.text, 1)
        self.raw.toggled.connect(self._set_raw)
        self.copy.clicked.connect(self._copy)
        self.text.unfold_requested.connect(self._unfold)
        theme.set_font("small", self.raw, self.copy)
        self.say(self.tr("Nothing to show yet."))

    def show_source(self, source: Source, note: str = "", *, alarming: bool = False, anew: bool = False) -> None:
        """Show a request or a diff; `note` stands above it. With the last flag it is another one, so nothing stays
        unfolded.
        """
        unfolded = self.reading.unfolded if self.reading is not None and not anew else frozenset[int]()
        self.raw.setEnabled(isinstance(source, ReadableRequest))
        self.copy.setEnabled(True)
        self._tell(note, alarming=alarming)
        self._want(RequestReading(source, self.raw.isChecked() and self.raw.isEnabled(), unfolded))

    def say(self, words: str, *, alarming: bool = False) -> None:
        """Shows a sentence in the place of a request."""
        self.reading = None
        self.raw.setEnabled(False)
        self.copy.setEnabled(False)
        self._tell(words, alarming=alarming)
        self.text.show_lines([])

    def show_lines(self, reading: RequestReading, lines: Sequence[TextLine]) -> None:
        """The lines that were asked for; those of an earlier wish are not shown any more."""
        if reading is self.reading:
            self.text.show_lines(lines, code=reading.code)

    def _tell(self, words: str, *, alarming: bool) -> None:
        self.note.say(words, tone="danger" if alarming else "secondary")

    def _want(self, reading: RequestReading) -> None:
        self.reading = reading
        self.lines_wanted.emit(reading)

    def _set_raw(self, raw: bool) -> None:
        if self.reading is not None:
            self._want(replace(self.reading, raw=raw))

    def _unfold(self, block: int) -> None:
        if self.reading is not None:
            self._want(replace(self.reading, unfolded=self.reading.unfolded | {block}))

    def _copy(self) -> None:
        if self.reading is None:
            return
        source = self.reading.source
        if self.reading.raw and isinstance(source, ReadableRequest) and len(source.raw) == 1:
            text = source.raw[0].text
        else:
            text = plain_text(self.text.shown_lines)
        QGuiApplication.clipboard().setText(text)
        self.copy.setText(self.tr("Copied"))
        self._said.start()
