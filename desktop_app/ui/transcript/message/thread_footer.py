"""The parts behind the last message: the notice line and the place of a card."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QWidget

from desktop_app.ui.theme.theme import OUTDENT
from desktop_app.ui.transcript.canvas.canvas import Canvas
from desktop_app.ui.transcript.canvas.row import CanvasRow
from desktop_app.ui.transcript.items.line_items import NoteItem, SpaceItem


class ThreadFooter(QObject):
    """Keeps a widget among the rows: it takes the width of the column and scrolls with the text."""

    changed = Signal()

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._row_layout = canvas.row_layout
        self._notice: tuple[str, tuple[tuple[str, str], ...]] | None = None
        self._card: QWidget | None = None
        self._space: CanvasRow | None = None

    def set_notice(self, text: str | None, actions: Sequence[tuple[str, str]] = ()) -> None:
        """One muted line with (id, words) to click, or none."""
        notice = None if text is None else (text, tuple(actions))
        if notice != self._notice:
            self._notice = notice
            self.rebuild()
            self.changed.emit()

    def set_card(self, card: QWidget | None) -> None:
        """A widget in the answer's place, or none; the widget that stood there is hidden and handed back unowned."""
        if self._card is not None and self._card is not card:
            self._card.removeEventFilter(self)
            self._card.hide()
            self._card.setParent(None)
        self._card = card
        if card is not None:
            card.setParent(self._canvas.viewport())
            for part in (card, *card.findChildren(QWidget)):
                part.installEventFilter(self)
            card.hide()
        self.rebuild()
        self.changed.emit()

    @property
    def notice(self) -> tuple[str, Sequence[tuple[str, str]]] | None:
        """The words of the notice line with (id, words) to click; None: there is none."""
        return self._notice

    @property
    def card(self) -> QWidget | None:
        """The widget among the rows."""
        return self._card

    def prepare(self, width: int) -> None:
        """Gives the card as much room as it needs in a column of that width, before rows are placed."""
        if self._card is not None and self._space is not None and isinstance(self._space.item, SpaceItem):
            self._space.item.set_room(self._height(self._card, width + 2 * OUTDENT))

    def fit(self) -> None:
        """Gives the card its width and its place among the placed rows."""
        card, space = self._card, self._space
        if card is None or space is None:
            return
        # as wide as a question and the composer
        left, width = self._canvas.column.left() - OUTDENT, self._canvas.column.width() + 2 * OUTDENT
        height = self._height(card, width)
        if isinstance(space.item, SpaceItem) and space.item.height != height:
            space.item.set_room(height)
            self._row_layout.foot.measure(self._row_layout.width)
            self._row_layout.heights.set(len(self._row_layout.messages), self._row_layout.foot.height)
        placed = self._canvas.placed_row(space)
        if placed is None:
            card.hide()
            return
        card.setGeometry(left, placed.item_top, width, height)
        card.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._card and event.type() == QEvent.Type.LayoutRequest and self._space is not None:
            card = self._card
            if card is not None and self._height(card, card.width()) != self._space.item.height:
                self.changed.emit()
        if event.type() == QEvent.Type.FocusIn and isinstance(watched, QWidget) and watched is not self._card:
            self._bring_into_view(watched)
        return False

    def _bring_into_view(self, part: QWidget) -> None:
        viewport = self._canvas.viewport()
        top = part.mapTo(viewport, QPoint(0, 0)).y()
        below = top + part.height() + OUTDENT - viewport.height()
        if below > 0 or top < 0:
            self._canvas.scroll_by(below if below > 0 else top - OUTDENT)

    def _height(self, card: QWidget, width: int) -> int:
        card.ensurePolished()
        by_width = card.heightForWidth(width) if card.hasHeightForWidth() else -1
        return max(by_width, card.minimumSizeHint().height(), 0) if by_width >= 0 else card.sizeHint().height()

    def rebuild(self) -> None:
        """Makes the rows again: all messages were replaced, or the style."""
        style = self._canvas.text_style
        rows: list[CanvasRow] = []
        if self._notice is not None:
            rows.append(CanvasRow(NoteItem(style, *self._notice), 0, 8, decoration="notice"))
        self._space = None
        if self._card is not None:
            room = self._height(self._card, self._row_layout.width + 2 * OUTDENT)
            self._space = CanvasRow(SpaceItem(style, room), 8, 0, decoration="card")
            rows.append(self._space)
        if self._row_layout.messages or rows:
            rows.append(CanvasRow(SpaceItem(style, 24), 0, 0, decoration="end"))
        self._row_layout.foot.rows = rows
        self._row_layout.foot.measure(self._row_layout.width)
        self._row_layout.heights.set(len(self._row_layout.messages), self._row_layout.foot.height)

    def focus_card(self) -> bool:
        """Gives the keyboard to the card, if there is one."""
        if self._card is None:
            return False
        self._card.setFocus(Qt.FocusReason.ShortcutFocusReason)
        return True
