"""The prompts offered to a library without any: read from the shipped files, each added by a click.

Knows no library.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_app.resources import resource
from desktop_app.ui.prompts.prompt_rows import excerpt
from desktop_app.ui.theme.theme import GRID, Theme

LANGUAGES: Final = ("de", "zh_CN")
"""The languages that examples are shipped in, beside English."""
LEAST_LETTERS: Final = 36
"""Letters of a line that an example has room for beside its button."""
LINE: Final = 160
"""Characters of an example's text that are shown."""


@dataclass(frozen=True, slots=True)
class Example:
    """A prompt that is not in the library."""

    title: str
    text: str


def examples(locale: QLocale | None = None) -> tuple[Example, ...]:
    """The shipped prompts in the window's language, else in English."""
    name = (locale or QLocale()).name()
    language = next((one for one in LANGUAGES if name == one or name.split("_")[0] == one), "en")
    read: list[dict[str, str]] = json.loads(resource("prompts", f"examples_{language}.json").read_text("utf-8"))
    return tuple(Example(one["title"], one["text"]) for one in read)


class ExamplesPane(QWidget):
    """A line of words and the examples, each with a button; what is in the library already says so."""

    wanted = Signal(object)  # Example
    done = Signal()

    def __init__(self, theme: Theme, shown: Sequence[Example], parent: QWidget) -> None:
        super().__init__(parent)
        self.lead = QLabel(
            self.tr(
                "Reusable prompts. Type / in an empty message to insert one. These are examples: add the ones "
                "you like and change them."
            ),
            self,
        )
        self.lead.setWordWrap(True)
        self.lead.setProperty("tone", "secondary")
        self.buttons: dict[Example, QPushButton] = {}
        self._titles: list[QLabel] = []
        self._lines: list[QLabel] = []
        self._rows: list[QBoxLayout] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(self.lead)
        for example in shown:
            column.addWidget(self._row(example))
        self.done_button = QPushButton(self.tr("Show my prompts"), self)
        self.done_button.clicked.connect(self.done)
        self.done_button.hide()
        column.addSpacing(GRID)
        column.addWidget(self.done_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        theme.set_font("body", self.lead, *self._titles)
        theme.set_font("small", *self._lines)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow window each button stands beneath its example."""
        super().resizeEvent(event)
        button = max(one.sizeHint().width() for one in self.buttons.values()) if self.buttons else 0
        words = self.fontMetrics().averageCharWidth() * LEAST_LETTERS
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        for row in self._rows:
            row.setDirection(across if self.width() >= words + button else down)

    def show_taken(self, taken: Collection[tuple[str, str]]) -> None:
        """Which of them, by title and text, are in the library; with any prompt there it can be shown."""
        for example, button in self.buttons.items():
            here = (example.title, example.text) in taken
            button.setEnabled(not here)
            button.setText(self.tr("Added") if here else self.tr("Add"))
        self.done_button.setVisible(bool(taken))

    def focus_first(self) -> None:
        """Puts the keyboard on the first example that can be added."""
        first = next((button for button in self.buttons.values() if button.isEnabled()), self.done_button)
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _row(self, example: Example) -> QWidget:
        row = QFrame(self)
        title, line = QLabel(example.title, row), QLabel(_beginning(example.text), row)
        for label in (title, line):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        line.setToolTip(excerpt(example.text) if line.text() != excerpt(example.text) else "")
        line.setProperty("tone", "secondary")
        self._titles.append(title)
        self._lines.append(line)
        button = QPushButton(self.tr("Add"), row)
        button.setAccessibleName(self.tr("Add {title}").format(title=example.title))
        button.clicked.connect(lambda: self.wanted.emit(example))
        self.buttons[example] = button
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(title)
        words.addWidget(line)
        across = QBoxLayout(QBoxLayout.Direction.LeftToRight, row)
        self._rows.append(across)
        across.setContentsMargins(0, GRID // 2, 0, GRID // 2)
        across.setSpacing(2 * GRID)
        across.addLayout(words, 1)
        across.addWidget(button, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        return row


def _beginning(text: str) -> str:
    line = excerpt(text)
    return line if len(line) <= LINE else f"{line[:LINE].rstrip()}…"
