"""The parts that fit the width they get: a layout of as many rows as necessary, an elided line, a caption."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFont, QResizeEvent, QTextLayout
from PySide6.QtWidgets import QLabel, QLayout, QLayoutItem, QWidget

from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.parts import in_row, label_in, set_look


class FlowRow(QLayout):
    """Parts from left to right at the sizes they ask for, centered in their rows; hidden ones take no room."""

    def __init__(self, *parts: QWidget, across: int, down: int, at_end: bool = False) -> None:
        """`across` and `down`: pixels between the parts of a row, and between rows. `at_end`: rows end at the right."""
        super().__init__()
        self.setContentsMargins(0, 0, 0, 0)
        self._across = across
        self._down = down
        self._at_end = at_end
        self._items: list[QLayoutItem] = []
        for part in parts:
            self.addWidget(part)

    def insert(self, place: int, part: QWidget) -> None:
        """Adds a part before the one that stands at `place`."""
        self.addWidget(part)
        self._items.insert(place, self._items.pop())
        self.invalidate()

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, move=True)

    def sizeHint(self) -> QSize:
        """All in one row."""
        shown = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(size.width() for size in shown) + self._across * max(0, len(shown) - 1)
        return QSize(width, max((size.height() for size in shown), default=0))

    def minimumSize(self) -> QSize:
        shown = [item.minimumSize() for item in self._items if not item.isEmpty()]
        return QSize(
            max((size.width() for size in shown), default=0), max((size.height() for size in shown), default=0)
        )

    def _place(self, rect: QRect, *, move: bool) -> int:
        """The height that the parts need in the width of `rect`; where `move`, they are put there."""
        y, rows = rect.y(), self._rows(rect.width())
        for row in rows:
            x, height = rect.x(), max(item.sizeHint().height() for item in row)
            if self._at_end:
                x += max(0, rect.width() - sum(item.sizeHint().width() + self._across for item in row) + self._across)
            for item in row if move else ():
                size = item.sizeHint()
                place = QPoint(x, y + (height - size.height()) // 2)
                item.setGeometry(QRect(place, QSize(min(size.width(), rect.width()), size.height())))
                x += size.width() + self._across
            y += height + self._down
        return y - rect.y() - (self._down if rows else 0)

    def _rows(self, room: int) -> list[list[QLayoutItem]]:
        """Which parts stand beside each other in that width."""
        rows: list[list[QLayoutItem]] = []
        x = 0
        for item in self._items:
            if item.isEmpty():
                continue
            width = item.sizeHint().width()
            if not rows or x + width > room:
                rows.append([])
                x = 0
            rows[-1].append(item)
            x += width + self._across
        return rows


class ElidedLabel(QLabel):
    """Words on one line, as far as there is room; all of them in the tooltip and for screen readers.

    It asks for the room of all its words, and takes any.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setMinimumWidth(1)
        self.words = ""

    def set_words(self, words: str) -> None:
        self.words = words
        self.setToolTip(words)
        self.setAccessibleName(words)
        self.updateGeometry()
        self._elide()

    def sizeHint(self) -> QSize:
        margins = self.contentsMargins()
        wide = self.fontMetrics().horizontalAdvance(self.words) + margins.left() + margins.right() + 1
        return QSize(wide, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        room = self.contentsRect().width()
        self.setText(self.fontMetrics().elidedText(self.words, Qt.TextElideMode.ElideRight, room))


def broken(text: str, font: QFont, width: float, rows: int) -> list[str]:
    """The text in at most so many lines, of which the last may be too long for the width."""
    layout, lines = QTextLayout(text, font), list[str]()
    layout.beginLayout()
    units, start = text.encode("utf-16-le", "surrogatepass"), 0
    while len(lines) < rows - 1 and (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        end = line.textStart() + line.textLength()
        lines.append(units[2 * start : 2 * end].decode("utf-16-le", "replace").rstrip())
        start = end
    layout.endLayout()
    rest = units[2 * start :].decode("utf-16-le", "replace")
    return [*lines, rest] if rest else lines


class Caption(QWidget):
    """Wraps; plain text. `name` is what a screen reader calls it, "" for its words alone."""

    def __init__(self, theme: Theme, parent: QWidget, *, name: str = "", tone: str = "secondary") -> None:
        super().__init__(parent)
        self._label = label_in(self, tone=tone, wrap=True)
        self._name = name
        in_row(self._label, of=self, margins=(2 * GRID, GRID))
        theme.set_font("small", self._label)
        self.hide()

    @property
    def words(self) -> str:
        """The words it says now."""
        return self._label.text()

    def say(self, words: str, *, tone: str | None = None) -> None:
        """Says this from now on; nothing happens where it does so already."""
        label = self._label
        if tone is not None and label.property("tone") != tone:
            set_look(label, "tone", tone)
        if words != label.text():
            label.setText(words)
            label.setAccessibleName(f"{self._name}: {words}" if self._name else words)
        if self.isHidden() == bool(words):
            self.setVisible(bool(words))
