"""The popover that takes the context window of a model that nobody knows. Sets nothing itself."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from desktop_app.ui.i18n.amounts import thousands, tokens_of
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.floating import Floating

WIDTH = 320


class ModelLimitPopover(QFrame):
    """One field: `150,000` and `150K` are taken alike, by Enter or the button. `chosen(tokens)`."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, model: str, tokens: int, bounds: tuple[int, int], parent: QWidget) -> None:
        """`tokens`: the window that is assumed; `bounds`: the smallest and the largest."""
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("kind", "popover")
        Floating(self)
        self.setAccessibleName(self.tr("The model's limit"))
        self._theme, self._bounds = theme, bounds
        heading = QLabel(self.tr("The model's limit"), self)
        heading.setFont(theme.title_font())
        told = QLabel(self.tr("The context window of {model}, in tokens").format(model=model), self)
        told.setTextFormat(Qt.TextFormat.PlainText)
        told.setWordWrap(True)
        self.field = QLineEdit(thousands(tokens), self)
        self.field.setAccessibleName(told.text())
        self.set_button = QPushButton(self.tr("Set"), self)
        self.set_button.setProperty("kind", "primary")
        self.problem = QLabel(self)
        self.problem.setProperty("tone", "danger")
        self.problem.setWordWrap(True)
        self.problem.hide()
        for label in (told, self.problem):
            label.setFont(theme.small_font())
        told.setProperty("tone", "secondary")
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(self.field, 1)
        row.addWidget(self.set_button)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        self._column.setSpacing(GRID)
        self._column.addWidget(heading)
        self._column.addWidget(told)
        self._column.addLayout(row)
        self._column.addWidget(self.problem)
        self.field.returnPressed.connect(self._take)
        self.set_button.clicked.connect(self._take)

    def open_above(self, strip: QWidget) -> None:
        """Opens over the gauge's strip, its right edge at the strip's right edge."""
        self._strip = strip
        self.setFixedWidth(max(WIDTH, min(self._theme.pixels(WIDTH), strip.width())))
        self._place()
        self.show()
        self.field.selectAll()
        self.field.setFocus()

    def _place(self) -> None:
        self.setFixedHeight(self._column.totalHeightForWidth(self.width()))
        strip = self._strip
        self.move(strip.mapToGlobal(QPoint(strip.width() - self.width(), -self.height() - GRID // 2)))

    def _take(self) -> None:
        tokens, (least, most) = tokens_of(self.field.text()), self._bounds
        if tokens is None or not least <= tokens <= most:
            words = self.tr("Enter a number of tokens from {least} to {most}, such as 128K.")
            self.problem.setText(words.format(least=thousands(least), most=thousands(most)))
            self.problem.show()
            self._place()
            return
        self.close()
        self.chosen.emit(tokens)
