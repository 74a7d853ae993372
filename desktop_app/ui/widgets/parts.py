"""Labels, buttons, rows and columns, each made in one call with its words, its look, its accessible name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, SignalInstance
from PySide6.QtGui import QFont, QFontMetrics, QHelpEvent, QPaintEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QToolButton,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.theme.theme import Theme


@dataclass(frozen=True, slots=True)
class Stretch:
    """Room between parts that grows by its share."""

    share: int = 1


Part = (
    QWidget | QLayout | int | Stretch | tuple[QWidget | QLayout, int] | tuple[QWidget | QLayout, int, Qt.AlignmentFlag]
)
"""A widget or a layout, alone or with its share of what is left and its place there; pixels; or a `Stretch`."""
Margins = int | tuple[int, int] | tuple[int, int, int, int]
"""Pixels at every side; at the left and right and at the top and bottom; or left, top, right and bottom."""
Box = TypeVar("Box", bound=QBoxLayout)


def fill(box: Box, *parts: Part, spacing: int | None = None, margins: Margins | None = None) -> Box:
    """Adds parts to a row or column; `spacing`: pixels between all of its parts, as the style has it where None."""
    if spacing is not None:
        box.setSpacing(spacing)
    if margins is not None:
        sides = (margins,) * 4 if isinstance(margins, int) else margins
        box.setContentsMargins(*(sides * 2 if len(sides) == 2 else sides))
    for part in parts:
        if isinstance(part, int):
            box.addSpacing(part)
        elif isinstance(part, Stretch):
            box.addStretch(part.share)
        else:
            added, *how = part if isinstance(part, tuple) else (part,)
            add: Callable[..., None] = box.addLayout if isinstance(added, QLayout) else box.addWidget
            add(added, *how)
    return box


def in_row(
    *parts: Part, of: QWidget | None = None, spacing: int | None = None, margins: Margins | None = None
) -> QHBoxLayout:
    """Parts beside each other; `of`: the widget whose layout this is."""
    return fill(QHBoxLayout() if of is None else QHBoxLayout(of), *parts, spacing=spacing, margins=margins)


def in_column(
    *parts: Part, of: QWidget | None = None, spacing: int | None = None, margins: Margins | None = None
) -> QVBoxLayout:
    """Parts beneath each other; `of`: the widget whose layout this is."""
    return fill(QVBoxLayout() if of is None else QVBoxLayout(of), *parts, spacing=spacing, margins=margins)


def label_in(parent: QWidget, words: str = "", *, tone: str = "", wrap: bool = False) -> QLabel:
    """Plain words; `tone` "secondary", "danger" or "" for the text colour."""
    made = QLabel(words, parent, textFormat=Qt.TextFormat.PlainText)
    if wrap:
        made.setWordWrap(True)
    if tone:
        made.setProperty("tone", tone)
    return made


class BoldChoice(QPushButton):
    """A button that is bold while it is down, and has room for that from the beginning: no other one moves then."""

    def sizeHint(self) -> QSize:
        plain, bold = QFont(self.font()), QFont(self.font())
        plain.setWeight(QFont.Weight.Normal)
        bold.setWeight(QFont.Weight.DemiBold)
        wide, usual = (QFontMetrics(font).horizontalAdvance(self.text()) for font in (bold, plain))
        return super().sizeHint() + QSize(max(0, wide - usual), 0)


def button_in(
    parent: QWidget,
    words: str = "",
    wish: Callable[..., Any] | SignalInstance | None = None,
    *,
    kind: str = "",
    name: str = "",
    tip: str = "",
) -> QPushButton:
    """A button; `wish`: what a click calls; `name`: for screen readers, where the words are not enough."""
    made = (BoldChoice if kind in ("choice", "chip") else QPushButton)(words, parent)
    if kind:
        made.setProperty("kind", kind)
    if name:
        made.setAccessibleName(name)
    if tip:
        made.setToolTip(tip)
    if wish is not None:
        made.clicked.connect(wish)
    return made


def tool_in(
    parent: QWidget,
    wish: Callable[..., Any] | SignalInstance | None = None,
    *,
    name: str = "",
    tip: str = "",
    words: str = "",
) -> QToolButton:
    """A button whose icon is set elsewhere; `tip`: what is shown on hovering, the name where it is not given."""
    made = QToolButton(parent)
    if words:
        made.setText(words)
    if name:
        made.setAccessibleName(name)
    if tip or name:
        made.setToolTip(tip or name)
    if wish is not None:
        made.clicked.connect(wish)
    return made


def say_in(label: QLabel | QPushButton, words: str) -> None:
    """Shows words; without any the part is hidden."""
    label.setText(words)
    label.setVisible(bool(words))


def set_look(part: QWidget, name: str, value: object) -> None:
    """Sets a property that the style sheet looks at, which does not see by itself that it changes."""
    if part.property(name) == value:
        return
    font = QFont(part.font())
    part.setProperty(name, value)
    part.style().unpolish(part)
    part.style().polish(part)
    part.setFont(font)  # no look has one of its own, and the style brings back the one from before the theme changed


def frame_in(parent: QWidget, kind: str) -> QFrame:
    made = QFrame(parent)
    made.setProperty("kind", kind)
    return made


def single_shot(parent: QObject, act: Callable[..., Any] | SignalInstance, ms: int | None = None) -> QTimer:
    """A timer that calls `act` once each time it was started; `ms`: after so long."""
    made = QTimer(parent, singleShot=True)
    if ms is not None:
        made.setInterval(ms)
    made.timeout.connect(act)
    return made


def keep_height_for_width(part: QWidget) -> QWidget:
    """Makes a part as high as what lies in it needs at the width it gets."""
    policy = part.sizePolicy()
    policy.setHeightForWidth(True)
    part.setSizePolicy(policy)
    return part


MINIMUM_WIDTH = 120


class ElidedButton(QPushButton):
    """Wide as its words where it can be; a narrow place elides them instead of growing."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def minimumSizeHint(self) -> QSize:
        """A narrow window elides the words instead of growing."""
        whole = super().minimumSizeHint()
        return QSize(min(MINIMUM_WIDTH, whole.width()), whole.height())

    @property
    def _room(self) -> int:
        """Pixels for the words: what the button's icon, border and padding leave, whatever its kind."""
        words = self.fontMetrics().horizontalAdvance(self.text())
        return self.width() - (self.sizeHint().width() - words)

    @property
    def _is_elided(self) -> bool:
        return self.sizeHint().width() > self.width()

    def event(self, event: QEvent) -> bool:
        """The tooltip of a button without one of its own says the words that have no room."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and not self.toolTip():
            QToolTip.showText(event.globalPos(), self.text() if self._is_elided else "", self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._is_elided:
            super().paintEvent(event)
            return
        # 6 ms of tables in Python, which the first paint can do without
        from PySide6.QtWidgets import QStyle, QStyleOptionButton, QStylePainter

        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self._room)
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        painter.end()


def make_clearable(field: QLineEdit) -> None:
    """Gives a field a button that empties it, shown while there is something to empty.

    It is made with the first text: Qt looks through all icons of the desktop for it.
    """
    field.textChanged.connect(partial(_give_button, field), Qt.ConnectionType.SingleShotConnection)


def _give_button(field: QLineEdit, _text: str) -> None:
    before = set(field.findChildren(QToolButton))
    field.setClearButtonEnabled(True)
    for button in set(field.findChildren(QToolButton)) - before:
        button.setAccessibleName(tr("Clear the field"))
