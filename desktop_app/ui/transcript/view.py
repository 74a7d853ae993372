"""Owns the transcript as other panes see it: messages go in, signals come out. Knows no controller and no network.

A `RowLayout` places rows, a `Canvas` paints them, `MessageLayout`s hold the rows of one message each, and
`AutoScroll` decides when the view may move (INTERFACE.md, "Reading while it streams").
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRect, Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from desktop_app.core.messages import Message
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.state.reading_position import ReadingPosition
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.transcript.canvas.latest_button import LatestButton
from desktop_app.ui.transcript.canvas.row import ATTACHMENT, JUMP
from desktop_app.ui.transcript.canvas.row_layout import PlacedRow, RowLayout
from desktop_app.ui.transcript.canvas.text_style import TextStyle, column
from desktop_app.ui.transcript.items.code_options import CodeOptions
from desktop_app.ui.transcript.items.highlighting import Highlighter
from desktop_app.ui.transcript.message.decorations import Actions, Decorations, lines_of, put_lines
from desktop_app.ui.transcript.message.growing_surface import GrowingSurface
from desktop_app.ui.transcript.message.message_layout import MessageLayout
from desktop_app.ui.transcript.message.message_surface import QUESTION_TOP
from desktop_app.ui.transcript.message.row_builder import RowBuilder
from desktop_app.ui.transcript.reading import accessible_transcript as accessible

if TYPE_CHECKING:  # made when a message is pointed at, or a question is edited, for the first time
    from desktop_app.ui.transcript.message.action_bar import ActionBar
    from desktop_app.ui.transcript.message.inline_editing import InlineEditing
    from desktop_app.ui.widgets.picture_cache import PictureCache

#: Where in the view a message comes to stand that a passage leads to.
JUMP_SHARE = 0.2


class TranscriptView(GrowingSurface):
    """The messages of one thread. All methods are for the GUI thread and return at once.

    `link_activated` carries only http, https and mailto targets. `action_requested(message_id, action)` comes from the
    words to click in the lines of steps and summaries, and with an empty id from the notice. `earlier_requested` comes
    when the reader reaches the first of fewer messages than `total`.
    """

    retry_requested = Signal(str)
    action_requested = Signal(str, str)
    latest_visible_changed = Signal(bool)
    earlier_requested = Signal()
    attachment_requested = Signal(str, int)  # message id, number of the part: it was clicked
    message_acted = Signal(str, str)  # message id, action: a button beneath a message was pressed

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        text_style = TextStyle(theme)
        super().__init__(RowLayout(self._make_layout, text_style), text_style, parent)
        # before anything that a running screen reader is told of: Qt asks once what kind of thing this is
        accessible.expose(self, self)
        self._highlighter = Highlighter(self)
        self._code_options = CodeOptions()
        self.row_builder = self._new_row_builder()
        self._unfolded: dict[str, set[int]] = {}
        self._latest = LatestButton(self)
        self._bottom_overlay = self._latest
        self._end_left = False
        self.offers_latest = True
        """Whether a button leads to the end; a text that is read from its beginning needs none."""
        self._theme = theme
        self._has_actions_bar = False
        self._editing: InlineEditing | None = None
        self._latest.clicked.connect(self.show_latest)
        self._foot.changed.connect(self._on_foot_changed)
        self._highlighter.highlighted.connect(self.refresh)
        self.scrolled_by_user.connect(self._on_scrolled)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Conversation"))
        self._latest.set_theme(theme)

    def _new_row_builder(self) -> RowBuilder:
        return RowBuilder(
            self.text_style,
            self._highlighter,
            self._code_options,
            pictures=lambda: self._pictures,
            formulas=self.formulas,
        )

    @cached_property
    def _pictures(self) -> PictureCache:
        from desktop_app.ui.widgets.picture_cache import PictureCache

        pictures = PictureCache(self)
        pictures.arrived.connect(self.refresh)
        return pictures

    @cached_property
    def actions_bar(self) -> ActionBar:
        """The buttons beneath the message that is pointed at, made when somebody first asks for them."""
        from desktop_app.ui.transcript.message.action_bar import ActionBar

        self._has_actions_bar = True
        bar = ActionBar(self, self._theme)
        bar.acted.connect(self.message_acted)
        return bar

    # --- what is shown

    def set_theme(self, theme: Theme) -> None:
        """Shows everything in another look; what is in view stays in view."""
        self.text_style = self.row_layout.text_style = TextStyle(theme)
        self._rebuild_rows()
        self._latest.set_theme(theme)
        self._theme = theme
        if self._finds:
            self.find_in_thread.set_theme()
        if self._has_actions_bar:
            self.actions_bar.set_theme(theme)
        if self._editing is not None:
            self._editing.set_theme(theme)

    @property
    def wraps_code(self) -> bool:
        """True where lines of code that are too wide go on below."""
        return self._code_options.wrap

    def wrap_code(self, wrap: bool) -> None:
        """Wraps the lines of all code, or lets them run on."""
        if wrap != self._code_options.wrap:
            self._code_options.wrap = wrap
            self._rebuild_rows()

    def _rebuild_rows(self) -> None:
        """Makes all rows again; what is in view stays in view."""
        place = (
            self.whereabouts if self.row_layout.y < self.row_layout.bottom or self.row_layout.hold is not None else None
        )
        growing = self._keep_growing()
        self.keyboard.leave()
        self._highlighter.clear()
        self.row_builder = self._new_row_builder()
        self.row_layout.forget_rows()
        for message_id in growing:
            self._layout_of(message_id).go_on()
        self._foot.set_text_style(self.text_style)
        self.row_layout.placed = []
        if place is None:
            self.row_layout.place_end()
        else:
            self.return_to(place)
        self.repaint_all()

    def show_path(self, messages: Sequence[Message], *, total: int | None = None) -> None:
        """Opens a thread at its end. `total` is the length of the whole path where `messages` is only its tail."""
        self._coalescer.now()
        self._growing.clear()
        self._unfolded.clear()
        self.selection.clear()
        # rows whose colors are still to come would never get them
        self.row_layout.rows_are_whole = not self._highlighter.busy
        self._highlighter.clear()
        self._reading.end()
        self._decorations = Decorations(private=self._decorations.private)
        self.row_layout.faded = self.row_layout.ticked = ()
        self.row_layout.focused = -1
        self.path.show(messages, total or 0)
        for index in self.row_layout.made:  # as they were when this thread was shown before
            layout = self.row_layout.message_layout(index)
            self._unfolded[layout.message.id] = layout.unfolded
            self._decorate(layout)
        self._foot.renew()
        self.row_layout.place_end()
        self.repaint_all()
        self.start_rest()
        self._tell_readers()

    def prepend(self, messages: Sequence[Message], *, total: int | None = None) -> None:
        """Adds the messages that come before those shown; nothing in view moves."""
        at_end = not self._end_left
        count, cut = self.path.prepend(messages, total or 0)
        self.selection.shift(count)
        self._mark_read()
        if cut and at_end:
            self.row_layout.place_end()
        else:
            self.row_layout.place_again()
        self.refresh()
        self._tell_readers()

    def refresh_path(self, messages: Sequence[Message]) -> None:
        """Shows another state of the same thread; common messages stay where they are."""
        top = self._top_of_view()
        if not self.path.refresh(messages):
            self.show_path(messages)
            return
        self.selection.clear()
        if self.row_layout.hold is not None and self.row_layout.hold[0] >= len(self.row_layout.messages):
            self.row_layout.hold = None
        if not self.row_layout.placed and 0 <= top < len(self.row_layout.messages):
            # what was read is another version now: it begins where the eye is
            self.row_layout.place_message(top, QUESTION_TOP)
        self._mark_read()
        self._show_changes()
        self._tell_readers()

    def cut_after(self, message_id: str | None) -> bool:
        """Shows the path only up to a message, None: nothing of it; False if it is not on the path that is shown."""
        kept = [] if message_id is None else self.path.up_to(message_id)
        if message_id is not None and not kept:
            return False
        self._growing.clear()
        self.refresh_path(kept)
        return True

    # --- lines beside the messages

    def set_notice(self, text: str | None, actions: Actions = ()) -> None:
        """One muted line beneath the last message, such as a retry, with (id, words) to click; None: no line."""
        self._foot.set_notice(text, actions)

    def set_card(self, card: QWidget | None) -> None:
        """A widget in the answer's place that scrolls with the text; None hands it back without a parent."""
        self._foot.set_card(card)
        if self.row_layout.messages and self.row_layout.has_layout(len(self.row_layout.messages) - 1):
            self._decorate(self.row_layout.message_layout(len(self.row_layout.messages) - 1))
            self._on_foot_changed()

    def announce_failure(self) -> None:
        """The answer failed: where its card is out of view, the button that leads there says so until it was seen."""
        self._latest.announce(self._end_left)
        self.overlay_moved()

    def focus_card(self) -> bool:
        """Gives the keyboard to the card; False if there is none."""
        return self._foot.focus_card()

    @property
    def editing(self) -> InlineEditing:
        """The place in which a question is written anew, made when it is first needed."""
        if self._editing is None:
            from desktop_app.ui.transcript.message.inline_editing import InlineEditing

            self._editing = InlineEditing(self, self._theme)
        return self._editing

    @property
    def edited(self) -> str:
        """The id of the question that is being edited, or none."""
        return self._editing.message_id if self._editing is not None else ""

    def set_editor_room(self, message_id: str, pixels: int) -> None:
        """Room beneath a question for what is written over it."""
        if self._decorations.editor_room != (message_id, pixels):
            self._decorations.editor_room = (message_id, pixels)
            self._redecorate()
        else:
            self.overlay_moved()

    def lines_in_view(self, more: int) -> tuple[dict[str, Any], str]:
        """What `put_lines` shows again of the lines near the view, and the id of a message that comes after it.

        `more`: so many messages above and below the view are near it.
        """

        messages, rows = self.row_layout.messages, self.row_layout.placed
        if not rows or not messages:
            return {}, ""
        first, last = max(0, rows[0].message - more), min(len(messages) - 1, rows[-1].message + more)
        ids = {messages[number].id for number in range(first, last + 1)}
        return lines_of(self._decorations, ids), self.path.members(last)[-1]

    def put_lines(self, lines: dict[str, Any]) -> None:
        """The lines of last time beside the messages that are shown, until they are known again."""

        with suppress(LookupError, TypeError, ValueError):
            put_lines(lines, self._decorations)
            self._mark_read()
            for index in self.row_layout.made:
                self._decorate(self.row_layout.message_layout(index))

    # --- moving

    def scroll_to_message(self, message_id: str, share: float = 0.0) -> bool:
        """Brings a message to so much of the view's height from its top, as far as the content allows.

        False if there is no such message.
        """
        found = self.path.bring(message_id, int(self.row_layout.view * share))
        if found:
            self.refresh()
            self.start_rest()
        return found

    @property
    def whereabouts(self) -> ReadingPosition | None:
        """Where the reader is; None: there is nothing to read.

        An answer that was watched as it came may be lower when it is laid out again, so a message that begins in view
        says better where somebody was than the answer above it.
        """
        index, row_layout = self._top_of_view(), self.row_layout
        if not 0 <= index < len(row_layout.messages):
            return None
        held = (row_layout.messages[row_layout.hold[0]].id, row_layout.hold[1]) if row_layout.hold is not None else None
        begins = [row_layout.heights.before(one) - row_layout.y for one in (index, index + 1)]
        if begins[0] < 0 and index + 1 < len(row_layout.messages) and begins[1] < self.viewport().height():
            return ReadingPosition(row_layout.messages[index + 1].id, begins[1], held=held)
        found = row_layout.slot_in_view()
        if found is None or found[0] != index or begins[0] >= 0:
            return ReadingPosition(row_layout.messages[index].id, begins[0], held=held)
        return ReadingPosition(row_layout.messages[index].id, found[2], found[1], held)

    def return_to(self, place: ReadingPosition) -> None:
        """Goes back to `whereabouts`; nothing where the message is not shown."""
        index = self.path.number(place.message)
        if index is None:
            return
        held = self.path.number(place.held[0]) if place.held is not None else None
        self.row_layout.hold = (held, place.held[1]) if held is not None and place.held is not None else None
        if place.slot < 0:
            self.row_layout.place_message(index, place.top)
        else:
            self.row_layout.place_slot(index, place.slot, place.top)
        self.refresh()
        self.start_rest()

    def mark_found(self, words: str, message_id: str) -> None:
        """Has the words of a search stand out that led to a message; the first one there comes into view."""
        number = self.path.number(message_id)
        if number is not None:
            from desktop_app.core.find_pattern import FindPattern

            self.find_in_thread.mark(FindPattern(words, any_word=True), self.row_layout.messages[number].id)

    def point_out(self, message_id: str | None) -> None:
        """Marks a message that another pane speaks of, and brings it into view where it is not; None: no message."""
        place = None if message_id is None else self.path.number(message_id)
        index = -1 if place is None else place
        if index == self.row_layout.focused:
            return
        self.row_layout.focused = index
        if (
            message_id is not None
            and index >= 0
            and not any(placed.message == index for placed in self.row_layout.placed)
        ):
            self.path.bring(message_id, self.row_layout.view // 4)
            self.start_rest()
        self._show_changes()

    def jump_to(self, message_id: str) -> None:
        """Brings a message to the upper part of the view and marks it; nothing where it is not on this branch."""
        if self.scroll_to_message(message_id, JUMP_SHARE):
            self.row_layout.focused = self.path.number(message_id) or 0
            self._show_changes()

    # --- inside

    def selected_messages(self) -> tuple[str, ...]:
        chosen = super().selected_messages()
        return tuple(member for one in chosen for member in self.path.members(self._number(one)))

    def _top_of_view(self) -> int:
        """The number of the message at the top of the view, -1: there is none."""
        return next((placed.message for placed in self.row_layout.placed if placed.bottom > 0), -1)

    def message_name(self, index: int) -> str:
        name, message = super().message_name(index), self.row_layout.messages[index]
        branch = self._decorations.branches.get(message.id)
        if branch is None:
            return name
        from desktop_app.ui.transcript.items.branch_item import branch_words

        return f"{name}, {branch_words(*branch, question=message.role == 'user')}"

    def _make_layout(self, index: int) -> MessageLayout:
        message = self.row_layout.messages[index]
        awaiting = message.id in self._growing
        layout = MessageLayout(
            self.row_builder, message, self._unfolded.setdefault(message.id, set()), awaiting=awaiting
        )
        if awaiting:
            layout.kept = self.path.part_of(self.path.members(index)[-1])
        self._decorate(layout)
        return layout

    def unfolded_parts(self, message: Message) -> set[int]:
        return self._unfolded.get(message.id, set())

    def fit(self) -> None:
        self._foot.prepare(column(self.viewport().width())[1])
        super().fit()

    def overlay_moved(self) -> None:
        self._foot.fit(self.column.left(), self.column.width())
        self._latest.stand_over(self.viewport())
        if self._editing is not None:
            self._editing.follow()
        if self._has_actions_bar:
            self.actions_bar.follow()
        wanted = self.offers_latest and bool(self.row_layout.messages) and not self._reading.at_latest
        if not wanted or self._foot.card is None:
            self._latest.announce(False)
        self._latest.setVisible(wanted and not self._writes_at(self._latest.geometry()))
        if wanted != self._end_left:
            self._end_left = wanted
            self.latest_visible_changed.emit(wanted)
        if self.path.missing and self.row_layout.placed and self.row_layout.placed[0].message == 0:
            QTimer.singleShot(0, self, self.earlier_requested.emit)

    def _writes_at(self, place: QRect) -> bool:
        """Whether a field in which something is written lies there."""
        return self._editing is not None and self._editing.lies_at(place.translated(-self.viewport().pos()))

    def _on_scrolled(self) -> None:
        self._reading.scrolled()
        self._sync_bar()

    @property
    def _reads_end(self) -> bool:
        return not self._end_left and self.row_layout.hold is None

    def _on_foot_changed(self) -> None:
        # a card or notice comes into view for whoever reads the end; `_end_left` still knows whether that is so
        if self._reads_end:
            self.row_layout.place_end()
            self.refresh()
        else:
            self._show_changes()

    def row_pressed(self, placed: PlacedRow, button: str) -> None:
        row = placed.row
        of_message = placed.message < len(self.row_layout.messages)
        message_id = self.row_layout.messages[placed.message].id if of_message else ""
        if button == "fold":
            self.row_layout.message_layout(placed.message).toggle(row.part)
            self.selection.clear()
            self._show_changes()
        elif button == "wrap":
            self.wrap_code(not self.wraps_code)
        elif button.startswith(ATTACHMENT):
            self.attachment_requested.emit(message_id, int(button.removeprefix(ATTACHMENT)))
        elif button == "all":
            self.row_layout.message_layout(placed.message).show_whole(row.part)
            self.selection.clear()
            self._show_changes()
        elif button.startswith(JUMP):
            self.jump_to(button.removeprefix(JUMP))
        elif button == "retry":
            self.retry_requested.emit(message_id)
        elif row.decoration in {"branches", "state", "own-mark", "detour", "onward", "hint"}:
            self.message_acted.emit(message_id, button)
        elif row.decoration in {"step", "summary", "notice"}:
            self.action_requested.emit(message_id, button)

    def hint_for(self, placed: PlacedRow, x: int = 0) -> str:
        if placed.message >= len(self.row_layout.messages):
            return ""
        message_id, item = self.row_layout.messages[placed.message].id, placed.row.item
        if item.hint:
            return item.hint
        if placed.tick and x > self.column.right():
            return self._decorations.ticks.get(message_id, "")
        return self._decorations.reasons.get(message_id, "") if placed.faded else ""
