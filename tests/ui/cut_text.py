"""Owns what is wrong with a text that is shown: cut without ellipsis and tip, or out of its place. Knows no page."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QMenu,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QToolButton,
    QWidget,
)

from desktop_app.ui.theme.theme import space
from desktop_app.ui.widgets.parts import ElidedButton

ELLIPSIS = "…"
SLACK = 1
"""Pixels that rounding may cost."""
FIELD_LETTERS = 8
"""Letters that a field for text has room for, at least."""
TALL = 10_000


def cut_texts(root: QWidget) -> list[str]:
    """What is wrong in a window, in words."""
    found = set(_over_each_other(root))
    for widget in (root, *root.findChildren(QWidget)):
        if widget.isVisible() and widget.window() is root.window() and not _is_drawn_by_qt(widget):
            found |= {f"{_name(widget)} {words}" for words in (*_too_small(widget), *_outside(widget, root))}
    return sorted(found)


def _too_small(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QLabel):
        if widget.text() and widget.pixmap().isNull() and widget.movie() is None:
            yield from _label(widget, widget.text())
    elif isinstance(widget, QComboBox):
        yield from _choice(widget)
    elif isinstance(widget, QAbstractButton):
        yield from _button(widget, widget.text())
    elif isinstance(widget, QLineEdit):
        yield from _field(widget)
    elif isinstance(widget, QGroupBox):
        if (needs := widget.fontMetrics().horizontalAdvance(widget.title())) > widget.width():
            yield f"its title has {widget.width()} of {needs} pixels"
    elif isinstance(widget, QTabBar):
        for place in range(widget.count()):
            if widget.fontMetrics().horizontalAdvance(widget.tabText(place)) > widget.tabRect(place).width():
                yield f"has too narrow a tab {widget.tabText(place)!r}"
            elif not widget.rect().contains(widget.tabRect(place)):
                yield f"does not show all of its tab {widget.tabText(place)!r}"
    elif isinstance(widget, QScrollArea):
        yield from _scrolled(widget)


def _label(label: QLabel, text: str) -> Iterator[str]:
    has, metrics = label.contentsRect().size(), label.fontMetrics()
    if text.rstrip().endswith(ELLIPSIS) and not label.toolTip():
        yield "is elided and has no tip"
    if label.textFormat() in (Qt.TextFormat.RichText, Qt.TextFormat.MarkdownText):
        least = QSize(label.minimumSizeHint().width(), label.heightForWidth(label.width()))
        if label.width() + SLACK < least.width() or label.height() + SLACK < least.height():
            yield f"is {_told(label.size())}, needs {_told(least)}"
        return
    flags = Qt.TextFlag.TextWordWrap if label.wordWrap() else Qt.TextFlag.TextExpandTabs
    needs = metrics.boundingRect(QRect(0, 0, has.width(), TALL), flags, text).size()
    if needs.width() > has.width() + SLACK:
        yield f"has {has.width()} of {needs.width()} pixels"
    elif needs.height() - metrics.descent() - metrics.leading() > has.height() + SLACK:
        yield f"is cut after {has.height()} of {needs.height()} pixels"


def _choice(choice: QComboBox) -> Iterator[str]:
    option = QStyleOptionComboBox()
    choice.initStyleOption(option)
    control, part = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
    room = choice.style().subControlRect(control, option, part, choice).width()
    needs = choice.fontMetrics().horizontalAdvance(choice.currentText())
    if needs > room + SLACK and not choice.toolTip():
        yield f"has {room} of {needs} pixels and no tip"


def _button(button: QAbstractButton, text: str) -> Iterator[str]:
    has, icon = button.size(), button.iconSize()
    if not button.icon().isNull() and (icon.width() > has.width() or icon.height() > has.height()):
        yield "is smaller than its icon"
    if not text or _shows_icon_alone(button):
        return
    words = button.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, text)
    whole = button.sizeHint().width() <= has.width() + SLACK
    # an `ElidedButton` has what it elides in a tooltip by itself
    if not whole and not isinstance(button, ElidedButton) and not (text.endswith(ELLIPSIS) and button.toolTip()):
        yield f"has {has.width()} of {button.sizeHint().width()} pixels"
    if button.property("kind") == "primary" and button.font().weight() < QFont.Weight.DemiBold:
        yield "is painted bold and measured by another font"  # a style sheet's is lost when a font is given later
    if button.property("kind") in ("choice", "chip"):  # bold while it is down
        side = space("choice-x") if button.property("kind") == "choice" else space("chip-x")
        bold = QFont(button.font())
        bold.setWeight(QFont.Weight.DemiBold)
        if button.sizeHint().width() - QFontMetrics(bold).horizontalAdvance(text) < 2 * side:
            yield "has no room for its words in bold"
    if words.height() > has.height() + SLACK:
        yield f"is cut after {has.height()} of {words.height()} pixels"


def _field(field: QLineEdit) -> Iterator[str]:
    room, metrics = field.contentsRect().width(), field.fontMetrics()
    letters = metrics.averageCharWidth() * FIELD_LETTERS
    if room < letters <= field.maximumWidth():
        yield f"has room for {room} pixels"
    placeholder = metrics.horizontalAdvance(field.placeholderText())
    if not field.text() and placeholder > room and not field.toolTip():
        yield f"has {room} of {placeholder} pixels for its placeholder, and no tip"


def _scrolled(area: QScrollArea) -> Iterator[str]:
    """Where nothing can be scrolled across, nothing may be wider than what is seen."""
    inside, room = area.widget(), area.viewport().width()
    if not _scrolls_across(area) and inside is not None and inside.width() > room + SLACK:
        wide = [one for one in inside.findChildren(QWidget) if one.isVisible() and not one.findChildren(QWidget)]
        widest = sorted(wide, key=lambda one: min(one.width(), max(one.minimumWidth(), one.minimumSizeHint().width())))[
            -3:
        ]
        why = ", ".join(f"{_name(one)} {one.minimumSizeHint().width()}" for one in widest)
        yield f"shows {room} of {inside.width()} pixels; the least widths are {why}"


def _outside(widget: QWidget, root: QWidget) -> Iterator[str]:
    """Whether something is seen only in part because what it stands in is smaller, and can't be scrolled there."""
    if widget is root or widget.isWindow() or not _is_looked_at(widget):
        return
    place, across, down = QRect(widget.mapTo(root, QPoint(0, 0)), widget.size()), True, True
    around = widget.parentWidget()
    while around is not None and around is not root.parentWidget():
        room = QRect(around.mapTo(root, QPoint(0, 0)), around.size())
        if isinstance(above := around.parentWidget(), QAbstractScrollArea) and above.viewport() is around:
            # how wide the inside of a scroll area is, is looked at there
            across &= not (isinstance(above, QScrollArea) or _scrolls_across(above))
            down &= not _scrolls_down(above)
        if across and (place.left() < room.left() - SLACK or place.right() > room.right() + SLACK):
            yield f"stands from {place.left()} to {place.right()}, {_name(around)} from {room.left()} to {room.right()}"
            return
        if down and (place.top() < room.top() - SLACK or place.bottom() > room.bottom() + SLACK):
            yield f"stands from {place.top()} to {place.bottom()}, {_name(around)} from {room.top()} to {room.bottom()}"
            return
        around = above


def _scrolls_across(area: QAbstractScrollArea) -> bool:
    return area.horizontalScrollBarPolicy() != Qt.ScrollBarPolicy.ScrollBarAlwaysOff


def _scrolls_down(area: QAbstractScrollArea) -> bool:
    return area.verticalScrollBarPolicy() != Qt.ScrollBarPolicy.ScrollBarAlwaysOff


def _over_each_other(root: QWidget) -> Iterator[str]:
    """Texts of one parent that lie over each other."""
    by_parent: dict[QWidget, list[QWidget]] = {}
    for widget in root.findChildren(QWidget):
        parent = widget.parentWidget()
        if widget.isVisible() and parent is not None and _is_looked_at(widget) and _text(widget):
            by_parent.setdefault(parent, []).append(widget)
    for siblings in by_parent.values():
        for place, one in enumerate(siblings):
            for other in siblings[place + 1 :]:
                both = one.geometry().intersected(other.geometry())
                if both.width() > SLACK and both.height() > SLACK:
                    yield f"{_name(one)} and {_name(other)} lie over each other by {_told(both.size())}"


def _is_looked_at(widget: QWidget) -> bool:
    return isinstance(widget, QLabel | QAbstractButton | QLineEdit | QComboBox) and not widget.size().isEmpty()


def _is_drawn_by_qt(widget: QWidget) -> bool:
    """Parts of Qt's own controls; menus are as wide as their words."""
    inside = isinstance(widget.parentWidget(), QComboBox | QLineEdit)
    return inside or widget.objectName().startswith("qt_") or isinstance(widget, QMenu)


def _shows_icon_alone(button: QAbstractButton) -> bool:
    alone = Qt.ToolButtonStyle.ToolButtonIconOnly
    return isinstance(button, QToolButton) and not button.icon().isNull() and button.toolButtonStyle() == alone


def _text(widget: QWidget) -> str:
    if isinstance(widget, QComboBox):
        return widget.currentText()
    return widget.text() if isinstance(widget, QLabel | QAbstractButton | QLineEdit) else ""


def _name(widget: QWidget) -> str:
    words = _text(widget) or widget.accessibleName() or widget.objectName()
    return f"{type(widget).__name__} {words[:60]!r}"


def _told(size: QSize) -> str:
    return f"{size.width()}x{size.height()}"
