"""The parts that float over the window: menus, the short message with one button, and dialogs as awaitables.

Of dialogs only `open()` is used: a nested event loop (`exec`) would make other tasks lose their wake-ups under qasync.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, QStandardPaths, Qt
from PySide6.QtGui import (
    QColor,
    QCursor,
    QFontMetricsF,
    QGuiApplication,
    QHideEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPalette,
    QPen,
    QRegion,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPushButton,
    QStyle,
    QStyleOption,
    QWidget,
)
from shiboken6 import isValid

from desktop_app.ui.i18n.language import tr, translated
from desktop_app.ui.theme.theme import GRID, motion, radius, space, stroke
from desktop_app.ui.widgets.parts import button_in, fill, label_in, single_shot

FOLLOWED = (QEvent.Type.Show, QEvent.Type.Move, QEvent.Type.Resize)
EDGE = 8
"""Pixels between a popup and the edge of what it lies in."""
NARROWEST = 320
LAYERS = 8
"""Of which a shadow is painted, the closer the nearer to what floats."""


class Floating(QObject):
    """Follows one widget, a window of its own or a child that lies over others, as long as that lives."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._shadow: Shadow | None = None
        self._is_popup = widget.isWindow()
        # X11 shows black where nothing is painted if nothing composes the screen
        self._is_cut = self._is_popup and QGuiApplication.platformName() == "xcb"
        if self._is_popup:
            widget.setWindowFlag(Qt.WindowType.FramelessWindowHint)
            widget.setWindowFlag(Qt.WindowType.NoDropShadowWindowHint)
            widget.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, not self._is_cut)
        # Qt paints no ground of the style sheet for a frame that may let through what is beneath; a menu paints its own
        self._needs_ground = self._is_popup and not self._is_cut and not isinstance(widget, QMenu)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (kind := event.type()) == QEvent.Type.Paint and self._needs_ground:
            _paint_ground(self._widget)
        # a widget that is being destroyed is hidden once more
        elif (kind in FOLLOWED or kind == QEvent.Type.Hide) and isValid(self._widget):
            if kind == QEvent.Type.Hide:
                self._leave()
            elif self._widget.isVisible():
                self._follow()
        return False

    def _follow(self) -> None:
        widget = self._widget
        if self._is_cut:
            widget.setMask(_rounded(widget.rect()))
        if (beneath := widget.parentWidget()) is None:
            return
        host = _window_of(beneath) if self._is_popup else beneath
        if self._shadow is None or not isValid(self._shadow):
            self._shadow = Shadow(host)
            widget.destroyed.connect(self._shadow.deleteLater)
        corner = widget.mapToGlobal(QPoint()) if self._is_popup else QPoint()
        place = QRect(host.mapFromGlobal(corner), widget.size()) if self._is_popup else widget.geometry()
        self._shadow.lie_around(place)
        if self._is_popup:
            self._shadow.raise_()
        else:
            self._shadow.stackUnder(widget)

    def _leave(self) -> None:
        if self._shadow is not None and isValid(self._shadow):
            self._shadow.hide()
            self._shadow.deleteLater()
        self._shadow = None
        parent = self._widget.parentWidget()
        if self._is_popup and parent is not None:
            release_buttons(_window_of(parent))


class Shadow(QWidget):
    """A soft shadow around a rectangle of its parent; lets every click through."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._reach = space("shadow")

    def lie_around(self, place: QRect) -> None:
        """Surrounds that rectangle, a little lower than it."""
        reach = self._reach
        self.setGeometry(place.adjusted(-reach, -reach, reach, reach).translated(0, reach // 4))
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        reach, corner = self._reach, radius("control")
        inner = self.rect().adjusted(reach, reach, -reach, -reach).translated(0, -(reach // 4))
        around = QPainterPath()
        around.addRect(QRectF(self.rect()))
        covered = QPainterPath()
        covered.addRoundedRect(QRectF(inner), corner, corner)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setClipPath(around.subtracted(covered))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(_thin(self.palette().color(QPalette.ColorRole.Shadow), LAYERS))
            for layer in range(1, LAYERS + 1):
                out = reach * (layer / LAYERS) ** 2
                ring = QRectF(inner).translated(0, reach // 4).adjusted(-out, -out, out, out)
                painter.drawRoundedRect(ring, corner + out, corner + out)


def room_around(anchor: QWidget) -> QRect:
    """The room, left to right, where a popup of a control may lie: in its window, in the screen if that is narrow."""
    screen, window = anchor.screen().availableGeometry(), anchor.window().geometry()
    within = window.intersected(screen) if window.width() >= NARROWEST else screen
    return within.adjusted(EDGE, 0, -EDGE, 0)


def show_at_once() -> None:
    """Turns off what the system does to menus and tooltips when they open, so that all that floats opens alike."""
    effects = Qt.UIEffect
    for effect in (effects.UI_AnimateMenu, effects.UI_FadeMenu, effects.UI_AnimateTooltip, effects.UI_FadeTooltip):
        QApplication.setEffectEnabled(effect, False)


def release_buttons(window: QWidget) -> None:
    """Takes the look of being pointed at from buttons that the pointer left while a popup had the mouse.

    Qt takes it from some as the popup opens, and paints them as they are only where the popup has lain.
    """
    for button in window.findChildren(QAbstractButton):
        button.update()
        if button.underMouse() and not button.rect().contains(button.mapFromGlobal(QCursor.pos())):
            button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
            button.setDown(False)
            QApplication.sendEvent(button, QEvent(QEvent.Type.Leave))


def _paint_ground(widget: QWidget) -> None:
    option = QStyleOption()
    option.initFrom(widget)
    with QPainter(widget) as painter:
        widget.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, widget)


def _window_of(widget: QWidget) -> QWidget:
    """The window beneath all popups that a widget belongs to."""
    window = widget.window()
    parent = window.parentWidget()
    return window if parent is None or window.windowType() != Qt.WindowType.Popup else _window_of(parent)


def _thin(color: QColor, layers: int) -> QColor:
    """So thin that as many layers of it are the color."""
    made = QColor(color)
    made.setAlphaF(color.alphaF() / layers)
    return made


def _rounded(rect: QRect) -> QRegion:
    shape = QPainterPath()
    shape.addRoundedRect(QRectF(rect), radius("control"), radius("control"))
    return QRegion(shape.toFillPolygon().toPolygon())


HIGHEST = 640
"""Pixels of any menu at the usual text size: what is longer, as a list of many projects, scrolls."""
CHECK: Final = ((-4.5, 0.5), (-1.0, 4.0), (5.0, -4.0))
ARROW: Final = ((-2.0, -4.0), (2.0, 0.0), (-2.0, 4.0))
"""Corners of the marks, in pixels at the usual text size, as are the following."""
MARGIN: Final = 9.0
"""The middle of a mark from the side of its item."""
CAPITAL: Final = 11.0
"""The height of a capital."""


class Menu(QMenu):
    """A menu in the look of all that floats; `open_at` opens it beneath a button and destroys it when it closes."""

    def __init__(self, parent: QWidget, name: str = "", *, once: bool = False) -> None:
        """`once`: it is destroyed when it closes, however it was opened."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, once)
        self.setMaximumHeight(round(HIGHEST * max(1.0, QFontMetricsF(self.font()).capHeight() / CAPITAL)))
        Floating(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Marks what is chosen, and what leads to a menu of its own."""
        super().paintEvent(event)
        marked = [one for one in self.actions() if one.isVisible() and (one.isChecked() or one.menu() is not None)]
        if not marked:
            return
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            zoom = QFontMetricsF(self.font()).capHeight() / CAPITAL
            for action in marked:
                chosen, leftwards = action.isChecked(), self.isRightToLeft()
                group = QPalette.ColorGroup.Normal if action.isEnabled() else QPalette.ColorGroup.Disabled
                painter.setPen(QPen(self.palette().color(group, QPalette.ColorRole.Text), stroke("glyph")))
                place, across = QRectF(self.actionGeometry(action)), MARGIN * zoom
                painter.save()
                painter.translate(
                    place.left() + across if chosen != leftwards else place.right() - across, place.center().y()
                )
                painter.scale(-zoom if leftwards and not chosen else zoom, zoom)
                painter.drawPolyline([QPointF(*corner) for corner in (CHECK if chosen else ARROW)])
                painter.restore()

    def add_submenu(self, words: str) -> Menu:
        submenu = Menu(self)
        submenu.setTitle(words)
        self.addMenu(submenu)
        return submenu

    def open_at(self, button: QWidget, *, end: bool = False) -> None:
        """Opens beneath a button, the left edges in line, with `end` the right ones."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        left = button.width() - self.sizeHint().width() if end else 0
        self.popup(button.mapToGlobal(QPoint(left, button.height())))


WIDTH = 56 * GRID
"""Pixels of every toast; less where the column is narrower."""
LIFT = 6 * GRID
"""Pixels that a toast stands higher for words that it would cover."""
SCROLL_BAR = 10
"""Pixels that the transcript's column leaves free at its right."""
NAMED: Final = re.compile(r"(?<=[“„]).+(?=[”“])")
"""A name in a message, without its quotation marks."""
SHORTEST_NAME: Final = 8 * GRID
"""Pixels that are left of it at least, or the words take two lines."""


class Toast(QFrame):
    """Shows one message at a time at the lower edge of its parent, as wide as any; a new one replaces the old.

    It goes with the next click anywhere else in the window, with what is done by keys, and after a while.

    Centered on the column, so that its button stands at the same place each time; at the upper edge where it would else
    lie over the end of a text, which nobody could scroll away from under it; and as far up as it covers no button,
    nor, where little is enough, words of the page.
    """

    def __init__(self, parent: QWidget, *, text_end: Callable[[], int | None] = lambda: None) -> None:
        """`text_end`: where in the parent its text ends, in pixels from the top; None: there is none in view."""
        super().__init__(parent)
        self._text_end = text_end
        self.setProperty("kind", "popover")
        Floating(self)
        self.setAccessibleName(self.tr("Message"))
        self._room = parent
        self.words = ""
        self._words = label_in(self, wrap=True)
        self._button = button_in(self, "", self._take, kind="quiet", name=self.tr("Undo"))
        self._action: Callable[[], None] | None = None
        self.typed_since = False
        """True where something was written since it came: the newest act is no longer the one that it tells of."""
        row = self._row = QHBoxLayout(self)
        fill(row, (self._words, 1), self._button, spacing=8)
        self._timer = single_shot(self, self.hide)
        self._settle = single_shot(self, self.stay_above, 0)  # what the message is about may still move buttons
        parent.installEventFilter(self)
        self.hide()

    def show_message(self, words: str, button: str = "", action: Callable[[], None] | None = None) -> None:
        """Shows `words`; with a button, `action` runs when it is taken, and the toast goes."""
        words = self.words = translated(words)
        self._button.setText(button)
        self._button.setAccessibleName(button)
        self._button.setVisible(bool(button))
        # a quiet button brings room of its own
        self._row.setContentsMargins(*((16, 4, 8, 4) if button else (16, 8, 16, 8)))
        self._action = action
        self.typed_since = False
        self.setAccessibleDescription(words)
        self._words.setToolTip(words)
        self._place()
        self.show()
        self.raise_()
        self._settle.start()
        if (frame := self.window().windowHandle()) is not None:
            frame.installEventFilter(self)
        self._timer.start(motion("toast"))

    @property
    def button(self) -> QPushButton:
        return self._button

    def stay_above(self) -> None:
        """Something else is shown in its parent, and was put over all that is there."""
        if self.isVisible():
            self._place()
            self.raise_()

    def make_way(self) -> None:
        """Buttons beneath it are about to move: it covers none of them once they have."""
        self._settle.start()

    def note_typing(self) -> None:
        """Something is written elsewhere."""
        self.typed_since = True

    def offers_undo(self) -> bool:
        """Return True if its button takes something back now."""
        return self.isVisible() and self._button.text() == self.tr("Undo")

    def undo(self) -> bool:
        """Takes back what it offers to; False while it offers nothing of the kind."""
        if offered := self.offers_undo():
            self._take()
        return offered

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not self.isVisible():
            return False
        if watched is self._room and event.type() == QEvent.Type.Resize:
            self._place()
        elif isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress and self._is_beside(event):
            self.hide()
        return False

    def _is_beside(self, event: QMouseEvent) -> bool:
        return not self.rect().contains(self.mapFromGlobal(event.globalPosition().toPoint()))

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        frame = self.window().windowHandle()
        if frame is not None and isValid(frame):  # with its window it goes before the toast
            frame.removeEventFilter(self)  # clicks are looked at only as long as there is something to close

    def _take(self) -> None:
        self.hide()
        if self._action is not None:
            self._action()

    def _place(self) -> None:
        room = self._room.width() - SCROLL_BAR
        width = min(WIDTH, room - 2 * GRID)
        self._words.setText(self._in_one_line(width))
        height = max(self._row.sizeHint().height(), self._row.heightForWidth(width))
        lowest, end = self._room.height() - height - GRID, self._text_end()
        if end is not None and lowest < end <= self._room.height():
            lowest = GRID
        place = QRect((room - width) // 2, lowest, width, height)
        buttons, words = self._beneath(QAbstractButton), self._beneath(QLabel)
        higher = (place.translated(0, -up) for up in range(0, lowest, GRID))
        free = [one for one in higher if not buttons.intersects(one)] or [place]
        near = (one for one in free if free[0].top() - one.top() <= LIFT)  # a sentence at the foot of a page
        self.setGeometry(next((one for one in near if not words.intersects(one)), free[0]))

    def _in_one_line(self, width: int) -> str:
        """The words, a long name in them shortened so that a toast of that width has one line."""
        margins, metrics = self._row.contentsMargins(), self._words.fontMetrics()
        room = width - margins.left() - margins.right() - 1
        room -= 0 if self._button.isHidden() else self._button.sizeHint().width() + self._row.spacing()
        named, over = NAMED.search(self.words), metrics.horizontalAdvance(self.words) - room
        if named is None or over <= 0:
            return self.words
        name = metrics.horizontalAdvance(named[0]) - over
        shorter = metrics.elidedText(named[0], Qt.TextElideMode.ElideRight, name)
        return self.words if name < SHORTEST_NAME else self.words[: named.start()] + shorter + self.words[named.end() :]

    def _beneath(self, kind: type[QWidget]) -> QRegion:
        """The places of the widgets of a kind in its parent that can be seen."""
        found = QRegion()
        for one in self._room.findChildren(kind):
            if one.isVisible() and not self.isAncestorOf(one):
                seen, part = QRect(one.mapTo(self._room, QPoint()), one.size()), one.parentWidget()
                while part is not None and part is not self._room:
                    seen &= QRect(part.mapTo(self._room, QPoint()), part.size())
                    part = part.parentWidget()
                found += seen
        return found


async def finished(dialog: QDialog) -> int:
    """Opens the dialog and waits until it is closed; its result code. The dialog is deleted afterwards."""
    answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def settle(code: int) -> None:
        if not answer.done():
            answer.set_result(code)

    dialog.finished.connect(settle)
    dialog.open()
    try:
        return await answer
    finally:
        dialog.close()
        dialog.deleteLater()


async def confirmed(parent: QWidget, title: str, text: str, yes: str, *, lasting: bool = False) -> bool:
    """Asks a question with one button that does it (`yes`) and Cancel; True if that button was taken.

    `lasting`: it can't be undone, so Enter cancels.
    """
    box = QMessageBox(parent, text=text)
    box.setWindowTitle(title)
    box.setTextFormat(Qt.TextFormat.PlainText)  # the text may hold words of a message
    accept = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(cancel if lasting else accept)
    await finished(box)
    return box.clickedButton() is accept


async def asked_password(parent: QWidget, name: str, wrong: bool) -> str:
    """Asks for the password of a file, which nobody keeps; "" if cancelled."""
    dialog = QInputDialog(parent)
    dialog.setWindowTitle(tr("Password"))
    words = tr("That password doesn't open “{name}”.") if wrong else tr("“{name}” is protected by a password.")
    dialog.setLabelText(words.format(name=name))
    for label in dialog.findChildren(QLabel):
        label.setTextFormat(Qt.TextFormat.PlainText)  # a file may be named like HTML
    dialog.setTextEchoMode(QLineEdit.EchoMode.Password)
    code = await finished(dialog)
    return dialog.textValue() if code == QDialog.DialogCode.Accepted else ""


async def asked_to_save(parent: QWidget, question: str) -> Literal["save", "discard", "stay"]:
    """Asks what becomes of text that is not saved; closing the dialog is staying."""
    box = QMessageBox(parent, text=question)
    box.setWindowTitle(tr("Not saved"))
    save = box.addButton(tr("Save"), QMessageBox.ButtonRole.AcceptRole)
    discard = box.addButton(tr("Discard"), QMessageBox.ButtonRole.DestructiveRole)
    stay = box.addButton(tr("Keep editing"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(save)
    box.setEscapeButton(stay)
    await finished(box)
    return "save" if (taken := box.clickedButton()) is save else "discard" if taken is discard else "stay"


async def asked_files(parent: QWidget, title: str) -> tuple[Path, ...]:
    """Asks for files of any kind; none if cancelled."""
    dialog = QFileDialog(parent, title, _last_folder(parent), fileMode=QFileDialog.FileMode.ExistingFiles)
    return await _chosen(parent, dialog)


async def asked_folder(parent: QWidget, title: str) -> Path | None:
    """Asks for a folder; None if cancelled."""
    dialog = QFileDialog(parent, title, _last_folder(parent), fileMode=QFileDialog.FileMode.Directory)
    return next(iter(await _chosen(parent, dialog)), None)


async def asked_file_to_write(parent: QWidget, title: str, name: str) -> Path | None:
    """Asks where to write a file; the dialog asks before one is replaced. None if cancelled.

    `name` is suggested, in the folder in which something was last chosen, or where it is a whole path, there.
    """
    dialog = QFileDialog(parent, title, _last_folder(parent), acceptMode=QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(Path(name).suffix.removeprefix("."))
    dialog.selectFile(name)
    return next(iter(await _chosen(parent, dialog)), None)


async def _chosen(parent: QWidget, dialog: QFileDialog) -> tuple[Path, ...]:
    if await finished(dialog) != QDialog.DialogCode.Accepted:
        return ()
    chosen = tuple(map(Path, dialog.selectedFiles()))
    parent.window().setProperty("last_folder", str(chosen[0].parent))
    return chosen


def documents_folder() -> str:
    """Return the folder of the user's documents; home where there is none."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return folder if Path(folder).is_dir() else str(Path.home())


def _last_folder(parent: QWidget) -> str:
    """The folder in which something was last chosen, at first that of the user's documents; home where it is gone."""
    folder = str(parent.window().property("last_folder") or documents_folder())
    return folder if Path(folder).is_dir() else str(Path.home())
