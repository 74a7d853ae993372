"""The end of a selection as keys move it: by characters, words, lines, to ends. Uses no keys."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QTextLayout

from desktop_app.ui.transcript.canvas.row import CanvasRow
from desktop_app.ui.transcript.canvas.row_layout import RowLayout
from desktop_app.ui.transcript.reading.selection import END, Spot

#: So much text on both sides of the caret is looked at for the next word (UTF-16 units).
AROUND = 400
FAR = 1 << 20


@dataclass(frozen=True, slots=True)
class CaretPosition:
    """A spot with the row it lies in; `index` is the row's place in its message."""

    message: int
    index: int
    row: CanvasRow
    position: int

    @property
    def spot(self) -> Spot:
        """The part of a position that a selection keeps."""
        return self.message, self.row.slot, self.position


class Caret:
    """Finds places in a row layout; rows that are not laid out yet are laid out as the caret comes to them."""

    def __init__(self, row_layout: RowLayout) -> None:
        self._row_layout = row_layout
        self._goal: int | None = None

    def place(self, spot: Spot) -> CaretPosition | None:
        """The row of a spot; a slot or position that is too large means the last one."""
        message, slot, position = spot
        if not 0 <= message < len(self._row_layout.messages):
            return None
        layout = self._row_layout.message_layout(message)
        if slot == END:
            found = self._beside(message, len(layout.rows), -1, within=True)
        else:
            layout.open_all()
            index = next((i for i, row in enumerate(layout.rows) if row.slot >= slot), None)
            found = None if index is None else self._at(message, index, 0)
            if found is not None and found.row.slot > slot:
                return found
        if found is None:
            return None
        return CaretPosition(found.message, found.index, found.row, max(0, min(position, found.row.item.length)))

    def start_of(self, message: int) -> CaretPosition | None:
        """The first place of a message."""
        return self._beside(message, -1, 1, within=True)

    # --- moving

    def forget_goal(self) -> None:
        """The next move up or down starts from where the caret is."""
        self._goal = None

    def across(self, place: CaretPosition, step: int, *, words: bool) -> CaretPosition:
        """One character or word to the right (1) or left (-1) as the text runs."""
        self._goal = None
        if place.row.item.reads_leftwards:
            step = -step
        item, position = place.row.item, place.position
        if (step > 0 and position >= item.length) or (step < 0 and position <= 0):
            beside = self._beside(place.message, place.index, step)
            if beside is None:
                return place
            return _put(beside, 0 if step > 0 else beside.row.item.length)
        start = max(0, position - AROUND)
        text = item.text(start, min(item.length, position + AROUND))
        return _put(place, item.snapped(start + _boundary(text, position - start, step, words=words), step))

    def along(self, place: CaretPosition, step: int) -> CaretPosition:
        """One line down (1) or up (-1), as near as can be to where the caret set out from."""
        item, line = place.row.item, place.row.item.caret_rect(place.position)
        if self._goal is None:
            self._goal = place.row.left + line.x()
        y = line.center().y() + step * line.height()
        if 0 <= y < item.height:
            position = item.position_at(self._goal - place.row.left, y)
            if (position - place.position) * step > 0:
                return _put(place, position)
        beside = self._beside(place.message, place.index, step)
        if beside is None:
            return _put(place, item.length if step > 0 else 0)
        other = beside.row.item
        y = other.caret_rect(0 if step > 0 else other.length).center().y()
        return _put(beside, other.position_at(self._goal - beside.row.left, y))

    def line_end(self, place: CaretPosition, step: int) -> CaretPosition:
        """The end (1) or the beginning (-1) of the line."""
        self._goal = None
        y = place.row.item.caret_rect(place.position).center().y()
        ends = [place.row.item.position_at(x, y) for x in (-FAR, FAR)]
        return _put(place, max(ends) if step > 0 else min(ends))

    def end(self, step: int) -> CaretPosition | None:
        """The end (1) or the beginning (-1) of the thread."""
        self._goal = None
        for message in range(len(self._row_layout.messages))[:: -1 if step > 0 else 1]:
            found = self._beside(message, FAR if step > 0 else -1, -step, within=True)
            if found is not None:
                return _put(found, found.row.item.length if step > 0 else 0)
        return None

    # --- rows

    def _at(self, message: int, index: int, position: int) -> CaretPosition:
        layout = self._row_layout.message_layout(message)
        row = layout.rows[index]
        if not row.item.laid_out:
            layout.lay_out(row)
        return CaretPosition(message, index, row, position)

    def _beside(self, message: int, index: int, step: int, *, within: bool = False) -> CaretPosition | None:
        """The next row with text in a direction; `within`: only in this message."""
        layout = self._row_layout.message_layout(message)
        index = min(index, len(layout.rows))
        while True:
            index += step
            while not 0 <= index < len(layout.rows):
                message += step
                if within or not 0 <= message < len(self._row_layout.messages):
                    return None
                layout = self._row_layout.message_layout(message)
                index = 0 if step > 0 else len(layout.rows) - 1
            made = layout.open_at(index)
            if made and step < 0:
                index += made - 1
            if layout.rows[index].slot >= 0:
                return self._at(message, index, 0)


def _put(place: CaretPosition, position: int) -> CaretPosition:
    return CaretPosition(place.message, place.index, place.row, position)


def _boundary(text: str, position: int, step: int, *, words: bool) -> int:
    layout = QTextLayout(text)
    mode = QTextLayout.CursorMode.SkipWords if words else QTextLayout.CursorMode.SkipCharacters
    move = layout.nextCursorPosition if step > 0 else layout.previousCursorPosition
    return int(move(position, mode))
