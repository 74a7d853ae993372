"""The rows that come above the text now and then: messages that wait, a notice, the attachments as chips."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QContextMenuEvent,
    QFocusEvent,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_app.core.attachment_facts import left_out_of, scanned_pdf
from desktop_app.core.messages import DocumentPart, ImagePart, Part
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.ui.i18n.content_words import AttachmentText, thousands, told
from desktop_app.ui.i18n.language import grouped, tr
from desktop_app.ui.theme.theme import GRID, Theme, icon_pixmap, radius, set_icon, stroke
from desktop_app.ui.widgets.floating import Menu
from desktop_app.ui.widgets.parts import button_in, label_in, set_look, tool_in
from desktop_app.ui.widgets.picture_cache import PictureCache


def _stop_before(part: QWidget) -> QWidget:
    """The part that Tab leads from to this one."""
    before = part.previousInFocusChain()
    while before is not None and before is not part and not before.focusPolicy() & Qt.FocusPolicy.TabFocus:
        before = before.previousInFocusChain()
    return before or part


SHOWN_CHARACTERS = 160
"""Most characters of a message: more than the widest column shows in small type."""
MOST_SHOWN = 3
"""Most messages that are shown; of the others their number is."""


class QueueRow(QFrame):
    """One queued message; it can be taken back into the composer or removed."""

    send_requested = Signal()
    edit_requested = Signal()
    remove_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._words = label_in(self, tone="secondary")
        self._words.setMinimumWidth(1)  # a long message shall not widen the column
        self._told = ""
        self.more = label_in(self, tone="secondary")
        self.send_button = button_in(
            self, self.tr("Send"), self.send_requested, kind="quiet", name=self.tr("Send the queued messages")
        )
        self.edit_button = button_in(
            self, self.tr("Edit"), self.edit_requested, kind="quiet", name=self.tr("Edit the queued message")
        )
        self.remove_button = tool_in(self, self.remove_requested, name=self.tr("Remove the queued message"))
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(2 * GRID, 0, 0, 0)  # the words begin where those of the field do
        row.addWidget(self._words, 1)
        row.addWidget(self.more)
        row.addWidget(self.send_button)
        row.addWidget(self.edit_button)
        row.addWidget(self.remove_button)
        theme.set_font("small", self._words, self.more, self.send_button, self.edit_button)
        set_icon(self.remove_button, "close", theme)
        theme.follow(self._elide)
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def show_text(
        self, text: str, names: Sequence[str] = (), around: str = "", more: Sequence[str] = (), *, sends: bool = False
    ) -> None:
        """Shows the beginning of the queued text and the names of what goes with it; with neither it is hidden.

        `around`: the words with a place for it ("": those of the next message); `more`: the texts of messages that are
        not shown; `sends`: a button sends it and those behind it.
        """
        if len(excerpt := " ".join(text[: 4 * SHOWN_CHARACTERS].split())) > SHOWN_CHARACTERS:
            excerpt = excerpt[:SHOWN_CHARACTERS].rstrip() + "…"
        if names:
            with_it = names[0] if len(names) == 1 else self.tr("{count} attachments").format(count=len(names))
            excerpt = " · ".join(words for words in (excerpt, with_it) if words)
        self._told = (around or self.tr("Next: {text}")).format(text=excerpt)
        self.more.setText(self.tr("{count} more").format(count=grouped(len(more))))
        self.more.setToolTip(
            "\n".join(" ".join(text[: 4 * SHOWN_CHARACTERS].split())[:SHOWN_CHARACTERS] for text in more)
        )
        self.more.setVisible(bool(more))
        self.send_button.setVisible(sends)
        self._words.setToolTip(self._told)
        self._elide()
        self.setAccessibleName(self.tr("Queued message: {text}").format(text=excerpt))
        self.setVisible(bool(text or names))

    def _elide(self) -> None:
        self._row.activate()  # the label's width is that of this row, not of the one before
        room = self._words.width()
        self._words.setText(self._words.fontMetrics().elidedText(self._told, Qt.TextElideMode.ElideRight, room))


class MessageQueue(QFrame):
    """The messages that wait, in their order. The signals say which, from 0 on."""

    send_requested = Signal()
    edit_requested = Signal(int)
    remove_requested = Signal(int)

    def __init__(self, theme: Theme, stack: QVBoxLayout, above: QWidget, *, before: QWidget) -> None:
        """Stands in `stack` directly `above` another part. `before`: what Tab leads to behind the rows."""
        super().__init__(stack.parentWidget())
        stack.insertWidget(stack.indexOf(above), self)
        self._theme, self._before = theme, before
        self.rows: list[QueueRow] = []
        self._messages: Sequence[tuple[str, Sequence[str]]] = ()
        self._held = self._short = False
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.hide()

    def show_messages(self, messages: Sequence[tuple[str, Sequence[str]]], *, held: bool = False) -> None:
        """Shows the text of each message and the names of what goes with it. `held`: none goes by itself."""
        self._messages, self._held = messages, held
        shown = min(len(messages), 1 if self._short else MOST_SHOWN)
        while len(self.rows) < shown:
            self._add_row()
        for place, row in enumerate(self.rows):
            text, names = messages[place] if place < shown else ("", ())
            around = self.tr("On hold: {text}") if held else self.tr("Then: {text}") if place else ""
            more = [text for text, _ in messages[shown:]] if place == shown - 1 else ()
            row.show_text(text, names, around, more, sends=held and not place and bool(messages))
        self.setVisible(bool(messages))

    def set_short(self, short: bool) -> None:
        """Leaves the room to a card above: one message is shown."""
        if short != self._short:
            self._short = short
            self.show_messages(self._messages, held=self._held)

    def _add_row(self) -> None:
        row, place = QueueRow(self._theme, self), len(self.rows)
        row.send_requested.connect(self.send_requested)
        row.edit_requested.connect(lambda: self.edit_requested.emit(place))
        row.remove_requested.connect(lambda: self.remove_requested.emit(place))
        QWidget.setTabOrder(_stop_before(self._before), row.send_button)
        QWidget.setTabOrder(row.send_button, row.edit_button)
        QWidget.setTabOrder(row.edit_button, row.remove_button)
        self._column.addWidget(row)
        self.rows.append(row)


def queue_button_in(
    field: QWidget,
    tools: QHBoxLayout,
    before: QWidget,
    theme: Theme,
    pressed: tuple[Callable[[], None], SignalInstance],
) -> QPushButton:
    """Return a button that queues the message, `before` the round one.

    `pressed`: gives the keyboard to the field, as the button goes then, and sends.
    """
    button = button_in(field, tr("Queue"), pressed[0], kind="quiet", name=tr("Queue this message"))
    button.clicked.connect(pressed[1])
    theme.set_font("small", button)
    tools.insertWidget(tools.indexOf(before), button)
    QWidget.setTabOrder(button, before)
    return button


class NoticeRow(QFrame):
    """Words, a button where there is something to do, and a cross. Hidden while it has nothing to say."""

    taken = Signal()
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._below: QTextCursor | None = None
        self._words = label_in(self, wrap=True)
        self.button = button_in(self, "", self.taken, kind="quiet")
        self.second = button_in(self, kind="quiet")
        self.cross = tool_in(self, self.closed, name=self.tr("Close this line"))
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * GRID, 0, 0, 0)  # the words begin where those of the field do
        row.setSpacing(GRID)
        row.addWidget(self._words, 1)
        row.addWidget(self.button)
        row.addWidget(self.second)
        row.addWidget(self.cross)
        theme.set_font("small", self._words, self.button, self.second)
        set_icon(self.cross, "close", theme)
        self.hide()

    @property
    def words(self) -> str:
        return self._words.text()

    def say(
        self, words: str, *, button: str = "", second: str = "", tone: str = "secondary", aloud: bool = True
    ) -> None:
        """Shows a line; `tone` "secondary" or "danger". No words hide it. `aloud`: screen readers say it at once."""
        if aloud and words and words != self.words:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))
        self._words.setText(words)
        set_look(self._words, "tone", tone)
        self.button.setText(button)
        self.button.setAccessibleName(button)
        self.button.setVisible(bool(button))
        self.second.setText(second)
        self.second.setAccessibleName(second)
        self.second.setVisible(bool(second))
        self.setAccessibleName(words)
        self.setVisible(bool(words))

    def say_while_below(self, words: str, document: QTextDocument, start: int) -> None:
        """Shows a line until all that stands below `start` now, or did for it before, is gone or can't be undone."""
        self.say(words)
        if self._below is None:
            self._below = QTextCursor(document)
            document.contentsChanged.connect(self._hide_without_text)
            document.undoAvailable.connect(self._hide_without_undo)
        text, below = QTextCursor(document), self._below
        text.setPosition(start)
        text.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        added = text.selectedText()
        first = below.anchor() if below.hasSelection() else start + len(added) - len(added.lstrip())
        below.setPosition(first)
        below.setKeepPositionOnInsert(True)  # what is typed after it is not part of it
        below.setPosition(text.position(), QTextCursor.MoveMode.KeepAnchor)

    def _hide_without_text(self) -> None:
        if self.words and self._below is not None and not self._below.hasSelection():
            self.say("")

    def _hide_without_undo(self, can_undo: bool) -> None:
        if not can_undo:
            self.say("")


HEIGHT = 5 * GRID
PICTURE = 4 * GRID
"""Side of the small picture, which is cut to a square."""
WIDEST = 34 * GRID
NARROWEST_NAME = 7 * GRID


class AttachmentChip(QAbstractButton):
    """One attachment, or one that is being read. Pressed: it is opened.

    Arrows, Home and End are `moved`; Delete, Backspace and the cross are `remove_requested`.
    """

    remove_requested = Signal()
    menu_requested = Signal(QPoint)
    moved = Signal(object)  # Qt.Key
    focused = Signal()

    def __init__(self, theme: Theme, sign: str, parent: QWidget) -> None:
        """`sign`: the name of the icon that stands where there is no picture."""
        super().__init__(parent)
        self._sign = sign
        self._picture: QImage | None = None
        self._told = AttachmentText("", "", "", "", "")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.cross = QToolButton(self)
        self.cross.setProperty("kind", "cross")
        # Delete does the same with the keyboard, and a hundred chips are one stop of Tab
        self.cross.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.cross.setCursor(Qt.CursorShape.ArrowCursor)
        self.cross.clicked.connect(self.remove_requested)
        self._theme = theme
        set_icon(self.cross, "close", theme)
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        """Sign and cross grow with the text, as far as the chip is high."""
        self._side = min(HEIGHT - 2 * GRID, self._theme.pixels(2 * GRID))
        cross = min(HEIGHT - GRID // 2, self._theme.pixels(3 * GRID))
        self.cross.setFixedSize(cross, cross)
        self.cross.setIconSize(QSize(self._side, self._side))
        self._place_cross()
        self.updateGeometry()

    def tell(self, told: AttachmentText, *, removing: str) -> None:
        """Shows these words; `removing` is what the cross does."""
        if told == self._told:
            return
        self._told = told
        self.setAccessibleName(told.spoken)
        self.setToolTip(told.hint)
        self.cross.setAccessibleName(removing)
        self.cross.setToolTip(removing)
        self.updateGeometry()
        self.update()

    def show_picture(self, picture: QImage) -> None:
        """Shows a picture in place of the sign; a null one changes nothing."""
        if not picture.isNull():
            self._picture = picture
            self.update()

    @property
    def told(self) -> AttachmentText:
        return self._told

    def sizeHint(self) -> QSize:
        name = QFontMetricsF(self._theme.small_font()).horizontalAdvance(self._told.name)
        return QSize(
            min(self._theme.pixels(WIDEST), math.ceil(self._left + name + self._end_width + self._right)), HEIGHT
        )

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), math.ceil(self._left + NARROWEST_NAME + self._right)), HEIGHT)

    @property
    def _left(self) -> float:
        return GRID // 2 + PICTURE + GRID if self._pictured else GRID + self._side + GRID

    @property
    def _right(self) -> int:
        """The width of the cross, with the space around it."""
        return self.cross.width() + GRID

    @property
    def _pictured(self) -> bool:
        """A picture that the model can't look at gives way to the sign that says so."""
        return self._picture is not None and not self._told.warning

    @property
    def _end(self) -> str:
        """The text behind the name: why it can't be sent, else how much it is."""
        return self._told.warning or self._told.tokens

    @property
    def _end_width(self) -> float:
        end = self._end
        return QFontMetricsF(self._theme.small_font()).horizontalAdvance(end) + GRID if end else 0.0

    # --- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            theme, box = self._theme, QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            role = "warning" if self._told.warning else "hairline"
            painter.setPen(QPen(theme.color("focus"), stroke("focus")) if self.hasFocus() else theme.color(role))
            painter.setBrush(theme.color("hover" if self.underMouse() else "surface"))
            painter.drawRoundedRect(box, radius("control"), radius("control"))
            self._paint_sign(painter)
            self._paint_words(painter)

    def _paint_sign(self, painter: QPainter) -> None:
        theme, picture = self._theme, self._picture
        if picture is None or not self._pictured:
            role = "warning" if self._told.warning else "text-secondary"
            sign = "alert" if self._told.warning else self._sign
            drawing = icon_pixmap(sign, theme, role, self._side, self.devicePixelRatioF())
            painter.drawPixmap(GRID, (self.height() - self._side) // 2, drawing)
            return
        place = QRectF(GRID // 2, (self.height() - PICTURE) / 2, PICTURE, PICTURE)
        outline = QPainterPath()
        outline.addRoundedRect(place, radius("picture"), radius("picture"))
        side = min(picture.width(), picture.height())
        middle = QRectF((picture.width() - side) / 2, (picture.height() - side) / 2, side, side)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setClipPath(outline)
        painter.fillPath(outline, theme.color("track"))
        painter.drawImage(place, picture, middle)
        painter.restore()

    def _paint_words(self, painter: QPainter) -> None:
        theme, end = self._theme, self._end
        metrics = QFontMetricsF(theme.small_font())
        painter.setFont(theme.small_font())
        left, right = self._left, float(self.width() - self._right + GRID // 2)
        middle = Qt.AlignmentFlag.AlignVCenter
        if end:
            room = max(0.0, right - left - min(NARROWEST_NAME, metrics.horizontalAdvance(self._told.name)) - GRID)
            width = min(metrics.horizontalAdvance(end), room)
            painter.setPen(theme.color("warning" if self._told.warning else "text-secondary"))
            words = metrics.elidedText(end, Qt.TextElideMode.ElideRight, width + 1)
            painter.drawText(QRectF(right - width - 1, 0, width + 2, self.height()), middle, words)
            right -= width + GRID
        painter.setPen(theme.color("text"))
        name = metrics.elidedText(self._told.name, Qt.TextElideMode.ElideMiddle, max(0.0, right - left))
        painter.drawText(QRectF(left, 0, right - left + 2, self.height()), middle, name)

    # --- acting

    def resizeEvent(self, event: object) -> None:
        self._place_cross()

    def _place_cross(self) -> None:
        self.cross.move(self.width() - self.cross.width() - GRID // 2, (self.height() - self.cross.height()) // 2)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        keyboard = event.reason() == QContextMenuEvent.Reason.Keyboard
        self.menu_requested.emit(self.mapToGlobal(self.rect().bottomLeft()) if keyboard else event.globalPos())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self.remove_requested.emit()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End):
            self.moved.emit(key)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.remove_requested.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit()
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.HoverEnter, QEvent.Type.HoverLeave):
            self.update()
        return super().event(event)


FIRST_TOKENS = (10_000, 40_000, 100_000)
"""The sizes, in tokens, of the first part of a long document that may be sent in place of all of it."""

LINES = 3
"""So many lines of chips are shown; beyond that they scroll."""


class AttachmentTray(QScrollArea):
    """Chips in lines, as many as the width makes necessary. The whole tray is one stop of the Tab key."""

    opened = Signal(int)  # number of the attachment
    remove_requested = Signal(int)
    first_tokens_chosen = Signal(int, int)  # number of the document, tokens of it that are sent (0: all)
    cancel_requested = Signal(int)  # number of what is being read
    undo_requested = Signal()
    left = Signal()  # the keyboard goes back to the text

    def __init__(self, theme: Theme, parent: QWidget, *, before: QWidget) -> None:
        """`before`: what Tab leads to behind the chips, whenever these are made."""
        super().__init__(parent)
        self._before = before
        self.setViewport(QWidget())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Attachments"))
        self._theme = theme
        self._pictures = PictureCache(self)
        self._ground = QWidget()
        self.setWidget(self._ground)
        # both would paint the window's colour over the field's
        self._ground.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        # the chips begin where the text beneath them begins
        self.setViewportMargins(GRID - round(stroke("hair")), 0, 0, GRID)
        self._parts: tuple[Part, ...] = ()
        self._shown: list[tuple[Part, AttachmentChip]] = []
        self._reading: list[tuple[str, AttachmentChip]] = []
        self._tokens: tuple[int | None, ...] = ()
        self._current = 0
        self.menu: Menu | None = None
        self.hide()
        theme.changed.connect(self._arrange)

    @property
    def chips(self) -> tuple[AttachmentChip, ...]:
        """The chips from the first to the last."""
        return tuple(chip for _, chip in (*self._shown, *self._reading))

    def show_parts(self, parts: Sequence[Part]) -> None:
        """Shows these attachments; those that are shown already keep their chips."""
        kept = {id(part): chip for part, chip in self._shown}
        had_keyboard = self.has_keyboard
        before, self._shown = self._shown, []
        for part in parts:
            chip = kept.pop(id(part), None)
            self._shown.append((part, chip if chip is not None else self._made(part)))
        for part, chip in before:
            if id(part) in kept:
                chip.deleteLater()
                chip.hide()
        self._settle(had_keyboard)

    def show_reading(self, names: Sequence[str]) -> None:
        """Shows what is being read, by its names."""
        had_keyboard = self.has_keyboard
        for _, chip in self._reading:
            chip.deleteLater()
            chip.hide()
        self._reading = [(name, self._made_reading(name)) for name in names]
        self._settle(had_keyboard)

    def tell(self, tokens: Sequence[int | None], model: ModelInfo | None) -> None:
        """Tells the tokens of each attachment, None where they are not known yet, and what `model` can't read."""
        self._tokens = tuple(tokens)
        for (part, chip), count in zip(self._shown, tokens, strict=True):
            self._describe(chip, told(part, count, model))
        self._arrange()

    # --- the keyboard

    @property
    def has_keyboard(self) -> bool:
        """True where the keyboard is on one of the chips."""
        return any(chip.hasFocus() for chip in self.chips)

    def focus_chip(self, index: int) -> None:
        """Puts the keyboard on the nearest chip there is, or back into the text."""
        if not (chips := self.chips):
            self.left.emit()
            return
        chip = chips[max(0, min(len(chips) - 1, index))]
        chip.setFocus(Qt.FocusReason.OtherFocusReason)
        self.ensureWidgetVisible(chip, 0, GRID // 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Undo):
            self.undo_requested.emit()
        elif event.key() == Qt.Key.Key_Escape and self.has_keyboard:
            self.left.emit()
        elif self.has_keyboard and event.text().isprintable() and event.text().strip():
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _move(self, chip: AttachmentChip, key: Qt.Key) -> None:
        chips = self.chips
        index = chips.index(chip)
        forward = Qt.Key.Key_Left if self.isRightToLeft() else Qt.Key.Key_Right
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            index += 1 if key == forward else -1
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            index = 0 if key == Qt.Key.Key_Home else len(chips) - 1
        elif (index := self._beside(chips, index, down=key == Qt.Key.Key_Down)) >= len(chips):
            self.left.emit()
            return
        self.focus_chip(index)

    def _beside(self, chips: Sequence[AttachmentChip], index: int, *, down: bool) -> int:
        """The chip above or below; one more than there are below the last line."""
        here = chips[index].geometry()
        step = HEIGHT + GRID if down else -HEIGHT - GRID
        line = [n for n, chip in enumerate(chips) if chip.y() == here.y() + step]
        if not line:
            return len(chips) if down else index
        return min(line, key=lambda n: abs(chips[n].geometry().center().x() - here.center().x()))

    def _keep_current(self, chip: AttachmentChip) -> None:
        self._current = self.chips.index(chip)
        self._give_tab()

    def _give_tab(self) -> None:
        """One chip takes part in the Tab order: the one that had the keyboard last."""
        chips = self.chips
        self._current = max(0, min(len(chips) - 1, self._current))
        for index, chip in enumerate(chips):
            stop = index == self._current
            chip.setFocusPolicy(Qt.FocusPolicy.StrongFocus if stop else Qt.FocusPolicy.ClickFocus)

    # --- inside

    def _made(self, part: Part) -> AttachmentChip:
        image = isinstance(part, ImagePart)
        chip = self._new_chip("picture" if image else "document")
        self._describe(chip, told(part, None, None))
        chip.clicked.connect(lambda: self.opened.emit(self._number(chip)))
        chip.remove_requested.connect(lambda: self.remove_requested.emit(self._number(chip)))
        chip.menu_requested.connect(lambda position: self._open_menu(part, chip, position))
        if isinstance(part, ImagePart):
            # twice as large as it is shown on the densest screens, and cut to a square from the shorter side
            box = QSize(8 * PICTURE, 8 * PICTURE)
            picture = self._pictures.picture(part, box, lambda: self._show_picture(part, chip, box))
            if picture is not None:
                chip.show_picture(picture)
        return chip

    def _open_menu(self, part: Part, chip: AttachmentChip, position: QPoint) -> None:
        """Open the menu of an attachment; it offers to send a part of a long document."""
        number = self._number(chip)
        menu = self.menu = Menu(self, chip.accessibleName(), once=True)
        menu.addAction(self.tr("Open"), lambda: self.opened.emit(number))
        if sizes := self._sizes(part, number):
            menu.addSeparator()
            self._offer(menu, self.tr("Whole document"), number, 0, chosen=not left_out_of(part))
        for size in sizes:
            words = self.tr("First {tokens} tokens").format(tokens=thousands(size))
            self._offer(menu, words, number, size, chosen=self._is_first(part, number, size))
        menu.addSeparator()
        menu.addAction(self.tr("Remove"), lambda: self.remove_requested.emit(number))
        menu.popup(position)

    def _offer(self, menu: Menu, words: str, number: int, tokens: int, *, chosen: bool) -> None:
        action = menu.addAction(words, lambda: self.first_tokens_chosen.emit(number, tokens))
        action.setCheckable(True)
        action.setChecked(chosen)

    def _sizes(self, part: Part, number: int) -> tuple[int, ...]:
        """The parts that are smaller than the document; none of what is looked at, or not counted yet."""
        count = self._tokens[number] if number < len(self._tokens) else None
        if not isinstance(part, DocumentPart) or scanned_pdf(part) is not None or count is None:
            return ()
        return tuple(size for size in FIRST_TOKENS if size < count + left_out_of(part))

    def _is_first(self, part: Part, number: int, size: int) -> bool:
        """True if this much of the document is sent; a cut falls up to a fifth before the size that was chosen."""
        count = self._tokens[number] if number < len(self._tokens) else None
        return bool(left_out_of(part)) and count is not None and 0.75 * size <= count <= 1.05 * size

    def _show_picture(self, part: ImagePart, chip: AttachmentChip, box: QSize) -> None:
        if any(other is chip for _, other in self._shown) and (
            (picture := self._pictures.picture(part, box, lambda: None)) is not None
        ):
            chip.show_picture(picture)
            self._arrange()

    def _made_reading(self, name: str) -> AttachmentChip:
        chip = self._new_chip("document")
        words = self.tr("Reading {name}").format(name=name)
        chip.tell(AttachmentText(words, "", "", words, words), removing=self.tr("Cancel"))
        chip.setCursor(Qt.CursorShape.ArrowCursor)
        chip.remove_requested.connect(lambda: self.cancel_requested.emit(self._number(chip) - len(self._shown)))
        return chip

    def _new_chip(self, sign: str) -> AttachmentChip:
        chip = AttachmentChip(self._theme, sign, self._ground)
        chip.moved.connect(lambda key: self._move(chip, key))
        chip.focused.connect(lambda: self._keep_current(chip))
        chip.show()
        return chip

    def _describe(self, chip: AttachmentChip, words: AttachmentText) -> None:
        chip.tell(words, removing=self.tr("Remove {name}").format(name=words.name))

    def _number(self, chip: AttachmentChip) -> int:
        return self.chips.index(chip)

    def _settle(self, had_keyboard: bool) -> None:
        """After chips came or went: the room they take, and where the keyboard is."""
        self._give_tab()
        for chip in self.chips:
            QWidget.setTabOrder(_stop_before(self._before), chip)
        self.setVisible(bool(self.chips))
        self._arrange()
        if had_keyboard and not self.has_keyboard:
            self.focus_chip(self._current)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.LayoutDirectionChange, QEvent.Type.FontChange):
            self._arrange()

    def _arrange(self) -> None:
        """Puts the chips into lines and takes the height that these need, up to `LINES`."""
        width = self.viewport().width()
        x = y = 0
        places: list[tuple[AttachmentChip, int, int, int]] = []
        for chip in self.chips:
            wide = min(chip.sizeHint().width(), max(width, 1))
            if x and x + wide > width:
                x, y = 0, y + HEIGHT + GRID
            places.append((chip, x, y, wide))
            x += wide + GRID
        for chip, left, top, wide in places:
            start = width - left - wide if self.isRightToLeft() else left
            chip.setGeometry(start, top, wide, HEIGHT)
        whole = y + HEIGHT if places else 0
        self._ground.resize(max(1, width), max(1, whole))
        self.setFixedHeight(GRID + max(1, min(whole, LINES * HEIGHT + (LINES - 1) * GRID)))


class MovedTexts:
    """Texts taken out of the field to become documents: undo brings one back and takes its document off."""

    def __init__(self, document: QTextDocument, wanted: SignalInstance, unwanted: SignalInstance) -> None:
        self._document, self._wanted, self._unwanted = document, wanted, unwanted
        self._out: list[tuple[int, str]] = []  # the steps of undo with which a text is out of the field, and the text
        self._back: list[tuple[int, str]] = []  # those that undo brought back
        document.contentsChanged.connect(self._follow)
        document.undoCommandAdded.connect(self._back.clear)  # no redo leads to them any more

    def move(self, taken: QTextCursor) -> None:
        """Takes what the cursor selects out of the field."""
        text = taken.selection().toPlainText()
        taken.removeSelectedText()
        self._out.append((self._document.availableUndoSteps(), text))
        self._wanted.emit(text)

    def clear(self) -> None:
        """The field has no undo any more."""
        self._out.clear()
        self._back.clear()

    def _follow(self) -> None:
        steps = self._document.availableUndoSteps()
        while self._out and self._out[-1][0] > steps:
            moved = self._out.pop()
            if self._document.isRedoAvailable():  # else it is another text
                self._back.append(moved)
                if moved[1] not in (text for _, text in self._out):
                    self._unwanted.emit(moved[1])
        while self._back and self._back[-1][0] <= steps:
            self._out.append(self._back.pop())
            self._wanted.emit(self._out[-1][1])
