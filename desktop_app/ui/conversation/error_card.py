"""The card that stands where an answer would be, when something stopped it or has to be asked.

Knows no controller.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop_app.ui.conversation.error_card_content import CardAction, CardContent
from desktop_app.ui.theme.icons import icon_pixmap
from desktop_app.ui.theme.theme import GRID, Theme, radius, stroke
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.floating import Menu

EDGE = 3
"""Width of the red edge in pixels (INTERFACE.md)."""
MARK = 16
"""Width of the icon in pixels."""
BUTTONS = 3
"""Most buttons before `More` (INTERFACE.md)."""


class ErrorCard(QFrame):
    """Says what happened and what to do. `action_requested` carries the id of one of the content's actions.

    A question has no icon, and its edge has the accent colour: nothing went wrong.
    """

    action_requested = Signal(str)
    left = Signal()

    def __init__(self, theme: Theme, content: CardContent, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.content = content
        self._resolved = False
        self._describe()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._mark = QLabel(self)
        self._heading = self._label(content.heading)
        self._sentence = self._label(content.sentence)
        self._biggest = self._label(content.biggest)
        self._biggest.setProperty("tone", "secondary")
        self._detail = self._label(content.detail)
        self._detail.setProperty("tone", "secondary")
        self._detail.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._detail.hide()
        self._buttons: list[QPushButton] = []

        head = QHBoxLayout()
        head.setSpacing(GRID)
        head.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._heading, 1)
        self._body = QWidget(self)
        body = self._inside = QVBoxLayout(self._body)
        body.setSpacing(GRID // 2)
        body.addWidget(self._sentence)
        body.addWidget(self._biggest)
        self._biggest.setVisible(bool(content.biggest))
        body.addSpacing(GRID // 2)
        body.addLayout(self._button_row(content.actions))
        body.addWidget(self._detail)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(2 * GRID, GRID + GRID // 2, 2 * GRID, GRID + GRID // 2)
        column.setSpacing(GRID // 2)
        column.addLayout(head)
        column.addWidget(self._body)
        self._theme = theme
        theme.set_font("title", self._heading)
        theme.set_font("body", self._sentence, *self._buttons)
        theme.set_font("small", self._biggest, self._detail)
        theme.follow(self._apply_theme)

    def take_words(self, content: CardContent) -> bool:
        """Says something else in place; False where the buttons would be others, which takes another card."""
        if self._resolved or (content.actions, content.detail) != (self.content.actions, self.content.detail):
            return False
        if content != self.content:
            self.content = content
            self._heading.setText(content.heading)
            self._sentence.setText(content.sentence)
            self._biggest.setText(content.biggest)
            self._biggest.setVisible(bool(content.biggest))
            self._describe()
            self.updateGeometry()
        return True

    def _apply_theme(self) -> None:
        theme = self._theme
        if self.content.tone == "error":
            side = theme.pixels(MARK)
            self._mark.setPixmap(icon_pixmap("alert", theme, "danger", side, self.devicePixelRatioF()))
            # the sentences begin where the heading does
            self._inside.setContentsMargins(side + GRID, 0, 0, 0)
            self._mark.setFixedHeight(round(self._heading.fontMetrics().height()))
        else:
            self._mark.hide()
            self._inside.setContentsMargins(0, 0, 0, 0)
        if self._resolved:
            self.resolve()

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        """The buttons from left to right, `More` and `Details` included."""
        return tuple(self._buttons)

    def button(self, action: str) -> QPushButton | None:
        """The button of an action, if it is one of the first three."""
        return next((button for button in self._buttons if button.objectName() == action), None)

    def focus_first(self) -> None:
        """Puts the keyboard on the first button."""
        if self._buttons:
            self._buttons[0].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def resolve(self) -> None:
        """Shrinks to one muted line."""
        self._resolved = True
        self._body.hide()
        self._mark.hide()
        self._heading.setText(self.content.resolved)
        self._heading.setFont(self._theme.small_font())
        self._heading.setProperty("tone", "secondary")
        self._heading.style().unpolish(self._heading)
        self._heading.style().polish(self._heading)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.updateGeometry()
        self.update()

    @property
    def has_keyboard(self) -> bool:
        """True while one of the buttons has the focus."""
        return any(button.hasFocus() for button in self._buttons)

    @property
    def resolved(self) -> bool:
        return self._resolved

    def heightForWidth(self, width: int) -> int:
        return self._column.heightForWidth(width)

    def hasHeightForWidth(self) -> bool:
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._resolved:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius("control"), radius("control"))
        painter.setPen(QPen(self._theme.color("hairline"), stroke("hair")))
        painter.drawPath(outline)
        whole = QPainterPath()
        whole.addRoundedRect(QRectF(self.rect()), radius("control"), radius("control"))
        painter.setClipPath(whole)
        edge = "danger" if self.content.tone == "error" else "accent"
        painter.fillRect(QRectF(0, 0, EDGE, self.height()), self._theme.color(edge))
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows go from button to button, Esc back to where the focus came from."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}.get(
            Qt.Key(event.key()), 0
        )
        place = next((place for place, button in enumerate(self._buttons) if button.hasFocus()), None)
        if step and place is not None:
            self._buttons[(place + step) % len(self._buttons)].setFocus(Qt.FocusReason.TabFocusReason)
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _describe(self) -> None:
        self.setAccessibleName(self.content.heading)
        self.setAccessibleDescription(f"{self.content.sentence} {self.content.biggest}".strip())

    def _label(self, words: str) -> QLabel:
        label = QLabel(words, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        return label

    def _button_row(self, actions: tuple[CardAction, ...]) -> FlowRow:
        row = FlowRow(across=GRID, down=GRID)
        for action in actions[:BUTTONS]:
            button = self._add_button(row, action.words, action.id)
            if action.remedy.name:
                button.setToolTip(action.remedy.name)
        if self._buttons:
            self._buttons[0].setProperty("kind", "primary")
        further = actions[BUTTONS:]
        if further:
            more = self._add_button(row, self.tr("More"), "more")
            menu = Menu(more)
            menu.setAccessibleName(more.text())
            for action in further:
                entry = QAction(action.words, menu)
                entry.triggered.connect(lambda _=False, name=action.id: self.action_requested.emit(name))
                menu.addAction(entry)
            more.setMenu(menu)
        if self.content.detail:
            details = self._add_button(row, self.tr("Details"), "details")
            details.setProperty("kind", "quiet")
        return row

    def _add_button(self, row: FlowRow, words: str, name: str) -> QPushButton:
        button = QPushButton(words, self)
        button.setObjectName(name)
        button.setAccessibleName(words)
        button.clicked.connect(self._unfold if name == "details" else lambda: self._take(name))
        self._buttons.append(button)
        row.addWidget(button)
        return button

    def _take(self, name: str) -> None:
        if name != "more":
            self.action_requested.emit(name)

    def _unfold(self) -> None:
        self._detail.setVisible(self._detail.isHidden())
        self.updateGeometry()
