"""The effect of a click or Enter on the links and buttons of rows. Paints nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.ui.theme.theme import motion
from desktop_app.ui.transcript.canvas.canvas import Canvas
from desktop_app.ui.transcript.canvas.row import ARTIFACT, ATTACHMENT, JUMP, PASSAGE, THREAD, CanvasRow
from desktop_app.ui.transcript.canvas.row_layout import PlacedRow
from desktop_app.ui.transcript.items.code_item import CodeItem
from desktop_app.ui.transcript.items.item import BACK, CITE, NOTE
from desktop_app.ui.transcript.reading.auto_scroll import AutoScroll
from desktop_app.ui.transcript.reading.selection import Selection

#: Where in the view a note, or the reference to it, comes to stand that is out of view.
NOTE_SHARE = 0.4


LEADING = (ATTACHMENT, JUMP, PASSAGE, THREAD, CITE, ARTIFACT)


class RowTarget(Protocol):
    """The target of buttons that do more than change a row."""

    def put_in_clipboard(self, text: str) -> None: ...
    def stop_at(self, message: int, row: CanvasRow, button: str) -> None: ...
    def jump_to(self, message_id: str) -> None: ...
    def wrap_code(self, wrap: bool) -> None: ...
    @property
    def wraps_code(self) -> bool: ...


class RowActions(QObject):
    """Carries out buttons. `link_activated` carries only http, https and mailto targets.

    `message_acted(message_id, action)` comes from the lines around a message, `action_requested` from those of steps
    and summaries, from the status of an answer, and with an empty id from the notice.
    """

    link_activated = Signal(str)
    retry_requested = Signal(str)
    attachment_requested = Signal(str, int)  # message id, number of the part
    passage_requested = Signal(str, object)  # id of a passage, ids of all that are shown with it
    message_requested = Signal(str, str)  # thread id, message id
    artifact_requested = Signal(str, int)  # its id, and a version, 0 for the newest
    action_requested = Signal(str, str)
    message_acted = Signal(str, str)
    code_kept = Signal(str, str, str)  # message id, language, code

    def __init__(self, canvas: Canvas, selection: Selection, auto_scroll: AutoScroll, target: RowTarget) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._selection = selection
        self._auto_scroll = auto_scroll
        self._target = target
        self._note_from: CanvasRow | None = None

    def open_link(self, target: str) -> None:
        """Hands a clicked link on, if it may be opened at all."""
        from desktop_app.ui.transcript.items.link_targets import checked_target  # not before the first paint

        checked = checked_target(target)
        if checked is not None:
            self.link_activated.emit(checked)

    def press(self, placed: PlacedRow, button: str) -> None:
        """A click on a button that a row paints."""
        row, item, messages = placed.row, placed.row.item, self._canvas.row_layout.messages
        message_id = messages[placed.message].id if placed.message < len(messages) else ""
        if button == "copy" and isinstance(item, CodeItem):
            self._copy(item)
        elif button == "keep" and isinstance(item, CodeItem):
            self.code_kept.emit(message_id, item.language, item.code)
        elif button == "lines" and isinstance(item, CodeItem):
            item.toggle()
            self._canvas.row_layout.place_again()
            self._canvas.refresh()
        elif button.startswith((NOTE, BACK)):
            self._follow_note(placed, button)
        elif button == "fold":
            self._change(self._canvas.row_layout.message_layout(placed.message).toggle, row.part)
        elif button == "all":
            self._change(self._canvas.row_layout.message_layout(placed.message).show_whole, row.part)
        elif button == "wrap":
            self._target.wrap_code(not self._target.wraps_code)
        elif button.startswith(LEADING):
            self._lead(placed, message_id, button)
        elif button == "retry":
            self.retry_requested.emit(message_id)
        elif row.decoration in {"branches", "state", "own-mark", "detour", "onward", "hint", "artifact"}:
            self.message_acted.emit(message_id, button)
        elif row.decoration in {"step", "summary", "notice", "status"}:
            self.action_requested.emit(message_id, button)

    def _lead(self, placed: PlacedRow, message_id: str, button: str) -> None:
        """To what is shown elsewhere."""
        if button.startswith(ATTACHMENT):
            self.attachment_requested.emit(message_id, int(button.removeprefix(ATTACHMENT)))
        elif button.startswith(JUMP):
            self._target.jump_to(button.removeprefix(JUMP))
        elif button.startswith(PASSAGE):
            self.passage_requested.emit(button.removeprefix(PASSAGE), self._passages_beside(placed, PASSAGE))
        elif button.startswith(CITE):
            self.passage_requested.emit(button.removeprefix(CITE), self._passages_beside(placed, CITE))
        elif button.startswith(ARTIFACT):
            artifact_id, _, version = button.removeprefix(ARTIFACT).partition(":")
            self.artifact_requested.emit(artifact_id, int(version) if version.isdecimal() else 0)
        else:
            self.message_requested.emit(*button.removeprefix(THREAD).split("/", 1))

    def _passages_beside(self, placed: PlacedRow, kind: str) -> tuple[str, ...]:
        """The ids of the passages that the same part of a message leads to, in order, each once."""
        rows = self._canvas.row_layout.message_layout(placed.message).rows
        buttons = (one for row in rows if row.part == placed.row.part for one, _ in row.item.buttons())
        return tuple(dict.fromkeys(one.removeprefix(kind) for one in buttons if one.startswith(kind)))

    def _change(self, change: Callable[[int], None], part: int) -> None:
        change(part)
        self._selection.clear()
        self._auto_scroll.show_changes()

    def _copy(self, item: CodeItem) -> None:
        def show(*, copied: bool) -> None:
            item.set_copied(copied)
            self._canvas.refresh()

        self._target.put_in_clipboard(item.code)
        show(copied=True)
        QTimer.singleShot(motion("said"), self, lambda: show(copied=False))

    def _follow_note(self, placed: PlacedRow, button: str) -> None:
        """From a reference to its note; from a note to the reference that led there, else to the first."""
        kind, _, label = button.partition(":")
        leads_down = kind + ":" == NOTE
        wanted = (BACK if leads_down else NOTE) + label
        layout = self._canvas.row_layout.message_layout(placed.message)
        layout.open_all()
        came_from, self._note_from = self._note_from, placed.row if leads_down else None
        for row in sorted(layout.rows, key=lambda row: row is not came_from) if came_from is not None else layout.rows:
            if any(found == wanted for found, _ in row.item.buttons()):
                self._target.stop_at(placed.message, row, wanted)
                self._canvas.reveal(placed.message, row, row.item.place_of(wanted), NOTE_SHARE)
                return
