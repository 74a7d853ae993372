"""Owns what keys do in the transcript: selecting, going from link to link, sideways. Knows no message's text."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QToolTip

from desktop_app.ui.transcript.canvas.row import CanvasRow
from desktop_app.ui.transcript.items.item import LINK
from desktop_app.ui.transcript.items.link_targets import shown_target
from desktop_app.ui.transcript.reading.caret import Caret, CaretPosition
from desktop_app.ui.transcript.reading.selection import END

if TYPE_CHECKING:
    from desktop_app.ui.transcript.canvas.surface import Surface

Key = Qt.Key
#: How far the arrows move wide content (pixels).
SIDEWAYS = 48


class KeyboardNavigation:
    """The keyboard's place in a surface: the end of the selection, and the link or button that Tab has reached."""

    def __init__(self, surface: Surface, caret: Caret) -> None:
        self._surface = surface
        self._caret = caret
        self._stop: tuple[int, CanvasRow, str] | None = None

    def press(self, event: QKeyEvent) -> bool:
        """True if the key had a meaning here."""
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        key = Key(event.key())
        if event.matches(QKeySequence.StandardKey.Copy):
            self._surface.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._select_all()
        elif key == Key.Key_C and control and shift:
            self._surface.copy_as_markdown()
        elif shift and self._extends(key, control=control):
            pass
        elif self._stop is not None and key in {Key.Key_Return, Key.Key_Enter, Key.Key_Space}:
            self._activate()
        elif key in {Key.Key_Left, Key.Key_Right} and not shift and not control:
            return self._sideways(SIDEWAYS if key == Key.Key_Right else -SIDEWAYS)
        else:
            return False
        return True

    # --- selecting

    def _extends(self, key: Qt.Key, *, control: bool) -> bool:
        caret = self._caret
        ends: dict[Qt.Key, int] = {Key.Key_Home: -1, Key.Key_End: 1}
        moves: dict[Qt.Key, Callable[[CaretPosition], CaretPosition | None]] = {
            Key.Key_Left: lambda place: caret.across(place, -1, words=control),
            Key.Key_Right: lambda place: caret.across(place, 1, words=control),
            Key.Key_Up: lambda place: caret.along(place, -1),
            Key.Key_Down: lambda place: caret.along(place, 1),
            Key.Key_PageUp: lambda place: self._page(place, -1),
            Key.Key_PageDown: lambda place: self._page(place, 1),
        }
        for end, step in ends.items():
            moves[end] = lambda place, step=step: caret.end(step) if control else caret.line_end(place, step)  # type: ignore[misc]
        if key not in moves:
            return False
        selection = self._surface.selection
        forward = key in {Key.Key_Right, Key.Key_Down, Key.Key_End, Key.Key_PageDown}
        if selection.caret is None and key in {Key.Key_Left, Key.Key_Right}:
            begin = self._begin(forward=True)
            forward ^= begin is not None and begin.row.item.reads_leftwards
        spot = selection.caret
        here = caret.place(spot) if spot is not None else self._begin(forward=forward)
        if here is None:
            return True
        if selection.anchor is None:
            selection.anchor = here.spot
        there = moves[key](here)
        if there is not None:
            selection.caret = there.spot
            self._surface.reveal((there.message, there.row, there.position))
        self._surface.selection_changed()
        self._surface.offer_selection()
        return True

    def _begin(self, *, forward: bool) -> CaretPosition | None:
        """Where a selection begins that has no beginning: the message that the keyboard is on, or what is in view."""
        self._caret.forget_goal()
        surface = self._surface
        if surface.row_layout.focused >= 0:
            message = surface.row_layout.focused
            return self._caret.start_of(message) if forward else self._caret.place((message, END, END))
        rows = [
            p for p in surface.row_layout.placed if p.row.slot >= 0 and p.message < len(surface.row_layout.messages)
        ]
        whole = [p for p in rows if p.top >= 0 and p.bottom <= surface.row_layout.view] or rows
        if not whole:
            return None
        placed = whole[0] if forward else whole[-1]
        return self._caret.place((placed.message, placed.row.slot, 0 if forward else END))

    def _page(self, place: CaretPosition, step: int) -> CaretPosition | None:
        """As far as the view is high."""
        view, there = self._surface.row_layout.view, place
        gone = 0
        while gone < view - place.row.item.caret_rect(place.position).height():
            further = self._caret.along(there, step)
            if further == there or further.spot == there.spot:
                break
            gone += further.row.item.caret_rect(further.position).height()
            if further.index != there.index or further.message != there.message:
                gone += further.row.gap + further.row.tail
            there = further
        return there

    def _select_all(self) -> None:
        """The message that the keyboard is on, and when that is selected the thread."""
        surface, selection = self._surface, self._surface.selection
        message = surface.row_layout.focused if surface.row_layout.focused >= 0 else -1
        if message < 0 and selection.caret is not None and selection.range is not None:
            message = selection.caret[0]
        whole = ((message, 0, 0), (message, END, END))
        if message < 0 or selection.range == whole:
            surface.select_all()
        else:
            selection.anchor, selection.caret = whole
            surface.selection_changed()
        surface.offer_selection()

    # --- from link to link

    @property
    def stop(self) -> tuple[int, str] | None:
        """The message of the link or button that Tab has reached, and its id; None where it has reached none."""
        return (self._stop[0], self._stop[2]) if self._stop is not None else None

    @property
    def link(self) -> str:
        """The target of the link that Tab has reached, if it is one."""
        button = self._stop[2] if self._stop is not None else ""
        return button.removeprefix(LINK) if button.startswith(LINK) else ""

    def leave(self) -> None:
        """The keyboard is on no link or button any more."""
        if self._stop is not None:
            self._stop[1].item.set_focus("")
            self._stop = None

    def tab(self, step: int) -> bool:
        """To the next (1) or previous (-1) link or button of the message that the keyboard is on; False at its end.

        What stands beneath the last message, such as the Stop of a notice, comes after that message's own.
        """
        surface = self._surface
        message = surface.row_layout.focused
        if not 0 <= message < len(surface.row_layout.messages):
            return False
        stops = self.stops(message)
        here = self._stop
        at = next((n for n, s in enumerate(stops) if here is not None and (s[1] is here[1] and s[2] == here[2])), None)
        place = (0 if step > 0 else len(stops) - 1) if at is None else at + step
        self.leave()
        if not 0 <= place < len(stops):
            surface.refresh()
            return False
        owner, row, button, words = stops[place]
        self._stop = (owner, row, button)
        row.item.set_focus(button)
        surface.reveal((owner, row, row.item.place_of(button)))
        self._tell(words)
        return True

    def stops(self, message: int) -> list[tuple[int, CanvasRow, str, str]]:
        """The links and buttons of a message: to whom each belongs, its row, its id and what it is called."""
        surface = self._surface
        layout = surface.row_layout.message_layout(message)
        layout.open_all()
        found: list[tuple[int, CanvasRow, str, str]] = []
        last = message == len(surface.row_layout.messages) - 1
        for number, part in (
            ((message, layout), (message + 1, surface.row_layout.foot)) if last else ((message, layout),)
        ):
            for row in part.rows:
                if not row.item.laid_out:
                    part.lay_out(row)
                found += [(number, row, button, words) for button, words in row.item.buttons()]
        return found

    def press_stop(self, message: int, place: int) -> None:
        """Does what Enter does on one of `stops`; the keyboard stays where it is."""
        owner, row, button, _ = self.stops(message)[place]
        self._surface.reveal((owner, row, row.item.place_of(button)))
        self._press(row, button)

    def stop_at(self, message: int, row: CanvasRow, button: str) -> None:
        """Puts the keyboard on a link or button."""
        self.leave()
        self._surface.row_layout.focused = message
        self._stop = (message, row, button)
        row.item.set_focus(button)

    def _tell(self, words: str) -> None:
        told = f"{words}: {shown_target(self.link)}" if self.link else words
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._surface, told))
        placed = next((p for p in self._surface.row_layout.placed if self._stop and p.row is self._stop[1]), None)
        if self.link and placed is not None:
            viewport, left = self._surface.viewport(), self._surface.column.left()
            at = viewport.mapToGlobal(QPoint(left + placed.row.left, placed.bottom))
            QToolTip.showText(at, shown_target(self.link), viewport)

    def _activate(self) -> None:
        if self._stop is not None:
            self._press(self._stop[1], self._stop[2])

    def _press(self, row: CanvasRow, button: str) -> None:
        if button.startswith(LINK):
            self._surface.open_link(button.removeprefix(LINK))
            return
        placed = next((p for p in self._surface.row_layout.placed if p.row is row), None)
        if placed is not None:
            self._surface.press_button(placed, button)

    # --- sideways

    def _sideways(self, pixels: int) -> bool:
        """Moves what is wider than the column: where Tab is, else what is nearest to the middle of the view."""
        surface = self._surface
        wide = [placed for placed in surface.row_layout.placed if placed.row.item.overflow > 0]
        if surface.row_layout.focused >= 0:
            wide = [placed for placed in wide if placed.message == surface.row_layout.focused] or wide
        if self._stop is not None:
            wide = [placed for placed in wide if placed.row is self._stop[1]] or wide
        if not wide:
            return False
        middle = surface.row_layout.view // 2
        nearest = min(
            wide, key=lambda p: 0 if p.top <= middle < p.bottom else min(abs(p.top - middle), abs(p.bottom - middle))
        )
        surface.scroll_row_sideways(nearest, pixels)
        return True
