"""The effects of keys in the transcript, and the menu of a message: by characters and words, from link to link."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args

from PySide6.QtCore import QObject, QPoint, Qt, QUrl, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAction,
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QTextLayout,
)
from PySide6.QtWidgets import QToolTip, QWidget

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.transcript.canvas.canvas import WHEEL_STEP, Canvas
from desktop_app.ui.transcript.canvas.pointer import ButtonPresser, Pointer
from desktop_app.ui.transcript.canvas.row_layout import RowLayout
from desktop_app.ui.transcript.items.code_item import CodeItem
from desktop_app.ui.transcript.items.item import LINK, CanvasRow
from desktop_app.ui.transcript.message.links import shown_target
from desktop_app.ui.transcript.reading.clipboard_copy import ClipboardCopy
from desktop_app.ui.transcript.reading.reader import END, Selection, Spot, whole_messages
from desktop_app.ui.widgets.floating import Menu

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
            if (beside := self._beside(place.message, place.index, step)) is None:
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
        if (beside := self._beside(place.message, place.index, step)) is None:
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
            if (found := self._beside(message, FAR if step > 0 else -1, -step, within=True)) is not None:
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
            if (made := layout.open_at(index)) and step < 0:
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


Key = Qt.Key
#: How far the arrows move wide content (pixels).
SIDEWAYS = 48


class KeyboardNavigation(QObject):
    """The keyboard's place on a canvas: a message, the end of the selection, and the link or button Tab has reached.

    `message_focused(index)`: the keyboard is on another message; -1: it has left.
    """

    message_focused = Signal(int)

    def __init__(self, canvas: Canvas, selection: Selection, copying: ClipboardCopy, presser: ButtonPresser) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._selection = selection
        self._copying = copying
        self._presser = presser
        self.caret = Caret(canvas.row_layout)
        self._stop: tuple[int, CanvasRow, str] | None = None

    def press(self, event: QKeyEvent) -> bool:
        """True if the key had a meaning here."""
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        key = Key(event.key())
        if self._moves(key, event.modifiers()):
            pass
        elif event.matches(QKeySequence.StandardKey.Copy):
            self._copying.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._select_all()
        elif key == Key.Key_C and control and shift:
            self._copying.copy_as_markdown()
        elif shift and self._extends(key, control=control):
            pass
        elif self._stop is not None and key in {Key.Key_Return, Key.Key_Enter, Key.Key_Space}:
            if self._stop is not None:
                self._press(self._stop[1], self._stop[2])
        elif key in {Key.Key_Left, Key.Key_Right} and not shift and not control:
            return self._sideways(SIDEWAYS if key == Key.Key_Right else -SIDEWAYS)
        elif key in {Key.Key_Return, Key.Key_Enter} and self._canvas.row_layout.focused >= 0:
            corner = self._canvas.message_corner(self._canvas.row_layout.focused)
            local = self._canvas.viewport().mapFromGlobal(corner)
            self._canvas.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, local, corner))
        else:
            return self._scroll(key, -1 if shift else 1)
        return True

    # --- on one message

    @property
    def message(self) -> int:
        """The message that the keyboard is on, or comes to; -1 if there is none."""
        if (row_layout := self._canvas.row_layout).focused >= 0 or not row_layout.placed:
            return row_layout.focused
        return min(row_layout.placed[-1].message, len(row_layout.messages) - 1)

    def focus_message(self, index: int, *, stay: bool = False) -> None:
        """Puts the keyboard on a message and brings its top into view.

        `stay`: nothing moves where any of it is in view.
        """
        self.leave()
        row_layout = self._canvas.row_layout
        row_layout.focused = index
        here = [placed for placed in row_layout.placed if placed.message == index]
        if not (here if stay else any(placed.first and placed.top >= 0 for placed in here)):
            row_layout.place_message(index, 0)
        self._changed()
        self.message_focused.emit(index)

    def enter(self) -> bool:
        """Whoever comes with the keyboard is on the last message that is in view, and sees it."""
        index = self.message
        if self._canvas.row_layout.focused >= 0 or not 0 <= index < len(self._canvas.row_layout.messages):
            return False
        self._canvas.row_layout.focused = index
        self._changed()
        return True

    def leave_message(self) -> None:
        """The keyboard is elsewhere."""
        self.leave()
        if self._canvas.row_layout.focused >= 0:
            self._canvas.row_layout.focused = -1
            self.message_focused.emit(-1)
            self._changed()

    def _moves(self, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> bool:
        """Ctrl+Up and Ctrl+Down go from message to message."""
        row_layout = self._canvas.row_layout
        step = {Key.Key_Up: -1, Key.Key_Down: 1}.get(key, 0)
        if not step or modifiers != Qt.KeyboardModifier.ControlModifier or not row_layout.messages:
            return False
        index = row_layout.focused + step if row_layout.focused >= 0 else self.message
        self.focus_message(max(0, min(len(row_layout.messages) - 1, index)))
        return True

    def _scroll(self, key: Qt.Key, step: int) -> bool:
        row_layout = self._canvas.row_layout
        page = row_layout.view - 2 * self._canvas.text_style.body.pitch
        steps = {
            Key.Key_Up: -WHEEL_STEP,
            Key.Key_Down: WHEEL_STEP,
            Key.Key_PageUp: -page,
            Key.Key_PageDown: page,
            Key.Key_Space: step * page,
            Key.Key_Home: -row_layout.y,
            Key.Key_End: row_layout.bottom - row_layout.y,
        }
        if key in steps:
            self._canvas.scroll_by(steps[key])
        return key in steps

    # --- selecting

    def _extends(self, key: Qt.Key, *, control: bool) -> bool:
        caret = self.caret
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
        selection = self._selection
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
        if (there := moves[key](here)) is not None:
            selection.caret = there.spot
            self._canvas.reveal(there.message, there.row, there.position)
        selection.show()
        self._copying.offer_selection()
        return True

    def _begin(self, *, forward: bool) -> CaretPosition | None:
        """Return the start of a selection that has none: the message that the keyboard is on, or the one in view."""
        self.caret.forget_goal()
        canvas = self._canvas
        if canvas.row_layout.focused >= 0:
            message = canvas.row_layout.focused
            return self.caret.start_of(message) if forward else self.caret.place((message, END, END))
        rows = [p for p in canvas.row_layout.placed if p.row.slot >= 0 and p.message < len(canvas.row_layout.messages)]
        whole = [p for p in rows if p.top >= 0 and p.bottom <= canvas.row_layout.view] or rows
        if not whole:
            return None
        placed = whole[0] if forward else whole[-1]
        return self.caret.place((placed.message, placed.row.slot, 0 if forward else END))

    def _page(self, place: CaretPosition, step: int) -> CaretPosition | None:
        """As far as the view is high."""
        view, there = self._canvas.row_layout.view, place
        gone = 0
        while gone < view - place.row.item.caret_rect(place.position).height():
            if (further := self.caret.along(there, step)) == there or further.spot == there.spot:
                break
            gone += further.row.item.caret_rect(further.position).height()
            if further.index != there.index or further.message != there.message:
                gone += further.row.gap + further.row.tail
            there = further
        return there

    def _select_all(self) -> None:
        """The message that the keyboard is on, and when that is selected the thread."""
        selection, focused = self._selection, self._canvas.row_layout.focused
        message = focused
        if message < 0 and selection.caret is not None and selection.range is not None:
            message = selection.caret[0]
        whole = whole_messages(message, message)
        if message < 0 or selection.range == whole:
            selection.select_all()
        else:
            selection.anchor, selection.caret = whole
            selection.show()
        self._copying.offer_selection()

    def _changed(self) -> None:
        self._canvas.row_layout.place_again()
        self._canvas.refresh()

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
        canvas = self._canvas
        message = canvas.row_layout.focused
        if not 0 <= message < len(canvas.row_layout.messages):
            return False
        stops = self.stops(message)
        here = self._stop
        at = next((n for n, s in enumerate(stops) if here is not None and (s[1] is here[1] and s[2] == here[2])), None)
        place = (0 if step > 0 else len(stops) - 1) if at is None else at + step
        self.leave()
        if not 0 <= place < len(stops):
            canvas.refresh()
            return False
        owner, row, button, words = stops[place]
        self._stop = (owner, row, button)
        row.item.set_focus(button)
        self._canvas.reveal(owner, row, row.item.place_of(button))
        self._tell(words)
        return True

    def stops(self, message: int) -> list[tuple[int, CanvasRow, str, str]]:
        """The links and buttons of a message: to whom each belongs, its row, its id and what it is called."""
        canvas = self._canvas
        layout = canvas.row_layout.message_layout(message)
        layout.open_all()
        found: list[tuple[int, CanvasRow, str, str]] = []
        last = message == len(canvas.row_layout.messages) - 1
        for number, part in (
            ((message, layout), (message + 1, canvas.row_layout.foot)) if last else ((message, layout),)
        ):
            for row in part.rows:
                if not row.item.laid_out:
                    part.lay_out(row)
                found += [(number, row, button, words) for button, words in row.item.buttons()]
        return found

    def press_stop(self, message: int, place: int) -> None:
        """Does what Enter does on one of `stops`; the keyboard stays where it is."""
        owner, row, button, _ = self.stops(message)[place]
        self._canvas.reveal(owner, row, row.item.place_of(button))
        self._press(row, button)

    def stop_at(self, message: int, row: CanvasRow, button: str) -> None:
        """Puts the keyboard on a link or button."""
        self.leave()
        self._canvas.row_layout.focused = message
        self._stop = (message, row, button)
        row.item.set_focus(button)

    def _tell(self, words: str) -> None:
        button = self._stop[2] if self._stop is not None else ""
        hint = shown_target(self.link) if self.link else self._canvas.button_hint(button)
        told = f"{words}: {hint}" if hint else words
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._canvas, told))
        placed = self._canvas.placed_row(self._stop[1]) if self._stop is not None else None
        if hint and placed is not None:
            viewport, left = self._canvas.viewport(), self._canvas.column.left()
            at = viewport.mapToGlobal(QPoint(left + placed.row.left, placed.bottom))
            QToolTip.showText(at, hint, viewport)

    def _press(self, row: CanvasRow, button: str) -> None:
        if button.startswith(LINK):
            self._presser.open_link(button.removeprefix(LINK))
            return
        if (placed := self._canvas.placed_row(row)) is not None:
            self._presser.press(placed, button)

    # --- sideways

    def _sideways(self, pixels: int) -> bool:
        """Moves what is wider than the column: where Tab is, else what is nearest to the middle of the view."""
        canvas = self._canvas
        wide = [placed for placed in canvas.row_layout.placed if placed.row.item.overflow > 0]
        if canvas.row_layout.focused >= 0:
            wide = [placed for placed in wide if placed.message == canvas.row_layout.focused] or wide
        if self._stop is not None:
            wide = [placed for placed in wide if placed.row is self._stop[1]] or wide
        if not wide:
            return False
        middle = canvas.row_layout.view // 2
        nearest = min(
            wide, key=lambda p: 0 if p.top <= middle < p.bottom else min(abs(p.top - middle), abs(p.bottom - middle))
        )
        canvas.scroll_row_sideways(nearest, pixels)
        return True


MOST = 8
"""Entries at the first level, with the submenus: what is more moves into the submenus, the least frequent first."""


Group = Literal["copy", "act", "context", "delete"]
GROUPS: tuple[Group, ...] = get_args(Group)
"""The groups of the first level, from top to bottom."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry that is wanted at the first level; `spare`: the higher, the sooner it gives its place up, 0 never."""

    action: QAction
    group: Group
    spare: int


class MessageEntries(Menu):
    """Filled by `add`, `context` and `more`; `arrange` builds the first level of what was added."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._entries: list[Entry] = []
        self.context = Menu(self)
        self.context.setTitle(tr("Context"))
        self.more = Menu(self)
        self.more.setTitle(tr("More"))

    def add(
        self, group: Group, words: str, act: Callable[[], Any], *, spare: int = 0, keys: Sequence[QKeySequence] = ()
    ) -> QAction:
        """Adds an entry to the first level."""
        action = _made(self, words, act, keys)
        self._entries.append(Entry(action, group, spare))
        return action

    def add_more(self, words: str, act: Callable[[], Any], *, keys: Sequence[QKeySequence] = ()) -> QAction:
        """Adds an entry to the submenu of the less frequent ones."""
        action = _made(self.more, words, act, keys)
        self.more.addAction(action)
        return action

    def arrange(self) -> None:
        """Puts everything in its place; an empty submenu stays away."""
        entries = self._entries
        while entries and len(entries) + sum(not submenu.isEmpty() for submenu in (self.context, self.more)) > MOST:
            given_up = max(entries, key=lambda entry: entry.spare)
            entries.remove(given_up)
            submenu = self.context if given_up.group == "context" else self.more
            before = submenu.actions()
            submenu.insertAction(before[0] if before else QAction(submenu), given_up.action)
        for group in GROUPS:
            for entry in entries:
                if entry.group == group:
                    self.addAction(entry.action)
            if group == "context":
                for submenu in (self.context, self.more):
                    if not submenu.isEmpty():
                        self.addMenu(submenu)
            self.addSeparator()


def _made(parent: Menu, words: str, act: Callable[[], Any], keys: Sequence[QKeySequence]) -> QAction:
    action = QAction(words, parent, shortcutContext=Qt.ShortcutContext.WidgetShortcut)
    action.triggered.connect(lambda _checked=False: act())
    # they are told here; the window's own action has them
    action.setShortcuts(list(keys))
    return action


StandardKey = QKeySequence.StandardKey


class ContextMenu(QObject):
    """Opens menus. `requested(message_id, position)` comes before one opens; `menu` is it, for more to be added."""

    requested = Signal(str, QPoint)
    selection_kept = Signal(str)  # Markdown
    code_kept = Signal(object)  # CodeItem

    def __init__(self, canvas: Canvas, selection: Selection, copying: ClipboardCopy) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._selection = selection
        self._copying = copying
        self.menu: MessageEntries | None = None

    def open_for(self, event: QContextMenuEvent, keyboard: KeyboardNavigation, pointer: Pointer) -> None:
        """The menu of what the keyboard is on, or of what is under the pointer."""
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.open(keyboard.message, keyboard.link, self._canvas.message_corner(keyboard.message))
            return
        touch = pointer.touch(self._canvas.viewport().mapFromGlobal(event.globalPos()))
        if touch is None:
            self.open(-1, "", event.globalPos())
            return
        item = touch.placed.row.item
        code = item if isinstance(item, CodeItem) else None
        self.open(touch.placed.message, touch.link, event.globalPos(), code)

    def open(self, index: int, link: str, position: QPoint, code: CodeItem | None = None) -> None:
        """The menu of the message of that number (-1 or the footer's: of none) and of what is under the pointer."""
        messages, focused = self._canvas.row_layout.messages, self._canvas.row_layout.focused
        menu = self.menu = MessageEntries(self._canvas)
        menu.setAccessibleName(self._canvas.accessibleName())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copying, chosen, of_message = self._copying, self._selection.range is not None, 0 <= index < len(messages)
        if chosen:
            menu.add("copy", tr("Copy"), copying.copy, keys=QKeySequence.keyBindings(StandardKey.Copy))
            menu.add("copy", tr("Quote"), copying.quote, spare=1, keys=self._keys("quote"))
        elif of_message:
            menu.add("copy", tr("Copy message"), lambda: copying.copy_message(index))
        if chosen:
            menu.add("copy", tr("New artifact from selection"), self._keep_selection)
        if code is not None and code.options.keeps(code):
            menu.add("act", tr("Keep code as artifact"), partial(self.code_kept.emit, code))
        if link:
            target = QUrl(link).toString(QUrl.ComponentFormattingOption.FullyEncoded)
            menu.add("copy", tr("Copy link"), lambda: copying.put(target))
        if chosen:
            menu.add_more(tr("Copy as Markdown"), copying.copy_as_markdown, keys=self._keys("copy_markdown"))
        elif focused >= 0:
            menu.add_more(tr("Quote"), copying.quote, keys=self._keys("quote"))
        if messages:
            menu.add_more(tr("Copy whole thread"), copying.copy_thread, keys=self._keys("copy_thread"))
            menu.add_more(
                tr("Select all"), self._selection.select_all, keys=QKeySequence.keyBindings(StandardKey.SelectAll)
            )
        if of_message:
            self.requested.emit(messages[index].id, position)
        menu.arrange()
        if not menu.isEmpty():
            menu.popup(position)

    def _keys(self, action: str) -> Sequence[QKeySequence]:
        """The keys of an action of the window, as they are now."""
        found = self._canvas.window().findChild(QAction, action)
        return found.shortcuts() if found is not None else ()

    def _keep_selection(self) -> None:
        self.selection_kept.emit(self._copying.selected_markdown())
