"""The strip under the composer: a 4 px hull and one line of words. Uses readings, not plans."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QVariantAnimation, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QEnterEvent,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from desktop_app.ui.gauge.gauge_reading import GaugeReading
from desktop_app.ui.theme.theme import Theme, flood, icon_pixmap, motion, radius, stroke
from desktop_app.ui.widgets.parts import single_shot
from desktop_app.ui.widgets.splitter import ValueInterface, install

HEIGHT = 24
"""Pixels at the usual text size; larger words make the strip higher."""
HULL = 4
WORDS_EVERY_MS = 250
"""At most four changes of the words a second."""
TEXT_LEFT = 2.0
REACH = 9
"""Pixels beside the mark of the soft limit where it can be taken, at any height, and beside the inviting word."""
KNOB = (6, 8)
"""Width and height of the mark while it can be taken."""
ICON_ROOM = 16
"""Pixels that the icon before the words of a refusal takes."""

if TYPE_CHECKING:
    from desktop_app.ui.gauge.limit_drag import LimitDrag

_EMPTY = GaugeReading("calm", 0.0, 5 / 6, "", "", "Nothing counted yet")
_FILL = {"near": "fill-warning", "trim": "fill-warning", "refused": "danger"}
_WORDS = {"calm": "text-secondary", "near": "warning", "trim": "warning", "refused": "danger"}


class GaugeStrip(QWidget):
    """Shows the newest reading; all of it can be clicked, or opened with Enter or Space.

    Where its last word invites to do something (`Review`, `Make room`, `Set`), that word, or Enter, does it instead.
    """

    opened = Signal()
    review_requested = Signal()  # see what sending leaves out
    sent_requested = Signal()  # see what is sent
    room_requested = Signal()  # see what can be done about a request that is too long
    limit_requested = Signal()  # say what the model's window is
    reading_changed = Signal()
    limit_drag_made = Signal(object)  # LimitDrag: the mark of the soft limit is moved for the first time

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(self.tr("Context"))
        self.reduced_motion = False
        self._reading = _EMPTY
        self._waiting: GaugeReading | None = None
        self._of: str | None = None  # the thread that is shown
        self._told = _EMPTY
        self._fill = 0.0
        self._frozen = self._explained = False
        self._hovered = self._on_mark = False
        self._pressed = QPointF()
        self._held: GaugeReading | None = None  # while the mark of the soft limit is moved
        self.text_changes = 0
        self._travel = QVariantAnimation(self, duration=motion("travel"))
        self._travel.valueChanged.connect(self._move_fill)
        self._words_timer = single_shot(self, self._show_words, WORDS_EVERY_MS)
        install(GaugeStrip)
        self._theme = theme
        theme.follow(self._apply_theme)

    @cached_property
    def limit_drag(self) -> LimitDrag:
        """The drag that moves the mark of the soft limit."""
        from desktop_app.ui.gauge.limit_drag import LimitDrag

        drag = LimitDrag(self, lambda: replace(self._reading, line=self._told.line))
        drag.held_changed.connect(self._show_held)
        self.limit_drag_made.emit(drag)
        return drag

    def _show_held(self, held: GaugeReading | None) -> None:
        self._held = held
        self.update()

    def sentence(self) -> str:
        """The value for screen readers."""
        return (self._held or self._reading).sentence

    def interface(self) -> ValueInterface:
        """Return a new interface of the gauge for screen readers."""
        return ValueInterface(self, self, share=GaugeStrip.share)

    def share(self) -> float:
        """Return the fill of the gauge, 0 to 1."""
        return self._reading.fill

    def _apply_theme(self) -> None:
        self._font = self._theme.small_font()
        self.setFixedHeight(max(HEIGHT, round(QFontMetricsF(self._font).height()) + HULL + 4))

    @property
    def reading(self) -> GaugeReading:
        """The reading that the strip shows or is about to show."""
        return self._waiting or self._reading

    @property
    def refusal(self) -> str:
        """Why what is written would not be sent, as a sentence; "" where it would."""
        return self.reading.sentence if self.reading.state == "refused" else ""

    @property
    def line(self) -> str:
        """The words painted now, the inviting one included."""
        line, action = (self._held or self._told).line, self._action
        return f"{line} · {action}" if action else line

    @property
    def _action(self) -> str:
        """The inviting word: none for what a card offers already."""
        return self._action_of(self._held or self._told)

    def _action_of(self, reading: GaugeReading) -> str:
        return "" if self._explained and reading.state == "refused" and not reading.assumed else reading.action

    def set_explained(self, explained: bool) -> None:
        """Set whether a card stands above that says what to do about a request that is too long."""
        if explained != self._explained:
            self._explained = explained
            self.update()

    def show_reading(self, reading: GaugeReading | None, of: str | None = None, *, at_once: bool = False) -> None:
        """Shows a reading of a thread, now or (while frozen at that thread, unless `at_once`) when the answer ended.

        None: nothing to count yet.
        """
        reading = reading or _EMPTY
        waits = self._frozen and of == self._of and not at_once
        self._of, self._waiting = of, reading if waits else None
        if waits:
            return
        if reading == self._reading:
            return
        before, self._reading = self._reading, reading
        self.reading_changed.emit()
        self._start_travel(reading.fill)
        if not self._words_timer.isActive():
            self._show_words()
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))
            if reading.state != before.state and before is not _EMPTY:
                QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, reading.sentence))
        self.update()

    def set_frozen(self, frozen: bool) -> None:
        """Keeps the strip still while an answer streams."""
        self._frozen = frozen
        waiting, self._waiting = self._waiting, None
        if not frozen and waiting is not None:
            self.show_reading(waiting, self._of)

    def sizeHint(self) -> QSize:
        return QSize(200, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_hull(painter)
            self._paint_words(painter)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position()
        if event.button() == Qt.MouseButton.LeftButton and self._is_on_mark(event.position()):
            self.limit_drag.press(event.position().toPoint())  # which says why while it can't be moved
        elif self._held is not None:
            self.limit_drag.cancel()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if "limit_drag" in self.__dict__ and self.limit_drag.holding:
            self.limit_drag.move(event)
        else:
            self._point_at_mark(self._is_on_mark(event.position()) and not self._frozen)
            self.setToolTip(self._explanation(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if "limit_drag" in self.__dict__ and self.limit_drag.holding and self.limit_drag.release():
            return
        clicked = abs(event.position().x() - self._pressed.x()) <= REACH  # else the mark was missed
        if clicked and event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self._wish(self._told if self._is_on_action(event.position()) else None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._takes_key(event):
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._wish(self._reading if self._action_of(self._reading) else None)
        elif event.key() == Qt.Key.Key_Space:
            self.opened.emit()
        else:
            super().keyPressEvent(event)

    def _takes_key(self, event: QKeyEvent) -> bool:
        """Return True if a key is for the mark of the soft limit."""
        if event.matches(QKeySequence.StandardKey.Undo):
            self.limit_drag.undo_requested.emit()
            return True
        return self._reading.movable and self.limit_drag.key(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if self._held is not None and not self.limit_drag.holding:
            self.limit_drag.cancel()
        super().focusOutEvent(event)

    def _is_on_mark(self, point: QPointF) -> bool:
        """Return True if the mark of the soft limit is taken at the point."""
        return self._reading.movable and self._is_near(point, self._reading.soft) and not self._is_on_action(point)

    def _is_near(self, point: QPointF, share: float) -> bool:
        return abs(point.x() - self.width() * share) <= REACH

    def _point_at_mark(self, on_mark: bool) -> None:
        if on_mark != self._on_mark:
            self._on_mark = on_mark
            self.setCursor(Qt.CursorShape.SizeHorCursor if on_mark else Qt.CursorShape.PointingHandCursor)
            self.update()

    def _explanation(self, point: QPointF) -> str:
        """Return the words on what stands at the point: a limit's mark, or the fill."""
        if self._is_near(point, self._reading.soft):
            told = self.tr("The soft limit: beyond it, older messages are left out")
            drag = self.tr("Drag to set the soft limit of this thread")
            return f"{told}\n{drag}" if self._on_mark else told
        if self._is_near(point, self._reading.emergency):
            return self.tr("The emergency limit: beyond it, nothing is sent")
        told = self.tr("The size of the next request, the whole conversation included")
        return f"{self.sentence()}\n{told}" if point.y() <= HULL + 2 else ""

    def _wish(self, invited_by: GaugeReading | None) -> None:
        wishes = {
            "trim": self.review_requested,
            "return": self.sent_requested,
            "refused": self.room_requested,
        }
        wish = wishes.get(invited_by.state if invited_by else "", self.opened)
        (self.limit_requested if invited_by and invited_by.assumed else wish).emit()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._hovered = True
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = False
        self._point_at_mark(False)
        self.update()

    def _is_on_action(self, point: QPointF) -> bool:
        """Return True if the inviting word stands there: beside it, or above it, the gauge is meant."""
        if not self._action or point.y() <= HULL + 2:
            return False
        left = self.action_left()
        width = QFontMetricsF(self._font).horizontalAdvance(self._action)
        return left - REACH <= point.x() <= left + width + REACH

    def action_left(self) -> float:
        """Return the left edge of the inviting word, in pixels."""
        left = TEXT_LEFT + (self._theme.pixels(ICON_ROOM) if self._told.state == "refused" else 0)
        return left + QFontMetricsF(self._font).horizontalAdvance(self._lead(left))

    def _lead(self, left: float) -> str:
        """The words before the inviting one, as far as there is room for both."""
        told, metrics = self._held or self._told, QFontMetricsF(self._font)
        behind = " · " if self._action else ""
        room = self.width() - left - metrics.horizontalAdvance(behind + self._action)
        return fitted(told.line, metrics, max(0.0, room)) + behind

    def _paint_hull(self, painter: QPainter) -> None:
        theme, reading = self._theme, self._held or self._reading
        hull = QRectF(0, 1, self.width(), HULL)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("track"))
        painter.drawRoundedRect(hull, HULL / 2, HULL / 2)
        filled = QRectF(hull.x(), hull.y(), hull.width() * (self._held.fill if self._held else self._fill), HULL)
        if filled.width() >= 1 and reading.state == "unknown":
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("fill"), stroke("hair")))
            painter.drawRoundedRect(filled.adjusted(0.5, 0.5, -0.5, -0.5), HULL / 2, HULL / 2)
        elif filled.width() >= 1:
            painter.setBrush(theme.color(_FILL.get(reading.state, "fill")))
            painter.drawRoundedRect(filled, HULL / 2, HULL / 2)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if reading.notch is not None:
            x = hull.width() * reading.notch
            flood(painter, QRectF(x - 1, 0, 3, HULL + 2), theme.color("background"))
            flood(painter, QRectF(x, 0, 1, HULL + 2), theme.color("text"))
        for share in (reading.soft, *([reading.emergency] if reading.emergency <= 1 else [])):
            mark = QRectF(min(hull.width() * share, hull.width() - 1), 0, 1, HULL + 2)
            flood(painter, mark, theme.color("text-secondary"))
        if self._held is not None or self._on_mark:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(theme.color("danger" if self._held and self._held.state == "refused" else "accent"))
            left = min(max(0.0, hull.width() * reading.soft - KNOB[0] / 2), hull.width() - KNOB[0])
            painter.drawRoundedRect(QRectF(left, 0, *KNOB), radius("swatch"), radius("swatch"))

    def _paint_words(self, painter: QPainter) -> None:
        if self.hasFocus():
            painter.setPen(QPen(self._theme.color("focus"), stroke("hair")))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            ring, corner = QRectF(self.rect()).adjusted(0.5, 6.5, -0.5, -0.5), radius("small")
            painter.drawRoundedRect(ring, corner, corner)
        told = self._held or self._told
        if not told.line:
            return
        painter.setFont(self._font)
        metrics = QFontMetricsF(self._font)
        left, base = TEXT_LEFT, self.height() - 5.0
        if told.state == "refused":
            scale = self.devicePixelRatioF()
            sign = self._theme.pixels(12)
            top = base - self._theme.pixels(10)
            painter.drawPixmap(QPointF(left, top), icon_pixmap("alert", self._theme, "danger", sign, scale))
            left += self._theme.pixels(ICON_ROOM)
        painter.setPen(self._theme.color(_WORDS.get(told.state, "text-secondary")))
        lead = self._lead(left)
        painter.drawText(QPointF(left, base), lead)
        if self._action:
            left += metrics.horizontalAdvance(lead)
            painter.setPen(self._theme.color("link"))
            font = QFont(self._font)
            font.setUnderline(self._hovered)
            painter.setFont(font)
            painter.drawText(QPointF(left, base), self._action)

    def _start_travel(self, fill: float) -> None:
        self._travel.stop()
        if self.reduced_motion or not self.isVisible():
            self._fill = fill
            return
        self._travel.setStartValue(self._fill)
        self._travel.setEndValue(fill)
        self._travel.start()

    def _move_fill(self, value: object) -> None:
        if isinstance(value, float):
            self._fill = value
            self.update(0, 0, self.width(), HULL + 3)

    def _show_words(self) -> None:
        told, self._told = self._told, self._reading
        if (told.state, told.line, told.action) != (self._told.state, self._told.line, self._told.action):
            self.text_changes += 1
            self._words_timer.start()
            self.update()


_ELIDE = Qt.TextElideMode.ElideRight


def fitted(line: str, metrics: QFontMetricsF, room: float) -> str:
    """The parts of a line for which there is room: of all, an amount of money is the last to be shortened."""
    size, *others = line.split(" · ")
    amounts = [part for part in others if "$" in part]
    while others != amounts and metrics.horizontalAdvance(" · ".join((size, *others))) > room:
        others.remove([part for part in others if part not in amounts][-1])  # what stands first counts most
    if not amounts:
        return metrics.elidedText(line, _ELIDE, room)
    behind = "".join(f" · {part}" for part in others)
    size = metrics.elidedText(size, _ELIDE, max(0.0, room - metrics.horizontalAdvance(behind)))
    return size + behind if len(size) > 2 else metrics.elidedText(" · ".join(others), _ELIDE, room)  # no lone mark
