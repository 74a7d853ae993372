"""The transcript as other panes see it: messages go in, signals come out. Imports no controller and no network.

A `RowLayout` places rows, a `Canvas` paints them, `MessageLayout`s hold the rows of one message each, `AutoScroll`
decides when the view may move (INTERFACE.md, "Reading while it streams"), `RowActions` is what a click does."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from desktop_app.core.messages import Message
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.theme.theme import OUTDENT, Theme, column, frame, motion
from desktop_app.ui.transcript.canvas.canvas import Canvas
from desktop_app.ui.transcript.canvas.row_layout import PlacedRow, RowLayout
from desktop_app.ui.transcript.items.code_item import CodeItem, CodeOptions
from desktop_app.ui.transcript.items.item import (
    ARTIFACT,
    ATTACHMENT,
    BACK,
    CITE,
    JUMP,
    NOTE,
    PASSAGE,
    THREAD,
    CanvasRow,
    TextStyle,
)
from desktop_app.ui.transcript.message.decorations import Decorations, ThreadFooter
from desktop_app.ui.transcript.message.message_layout import MessageLayout
from desktop_app.ui.transcript.message.row_builder import RowBuilder, parts_of
from desktop_app.ui.transcript.message.shown_path import ShownPath
from desktop_app.ui.transcript.reading.reader import AutoScroll, Selection, announce_reorder, expose

if TYPE_CHECKING:
    from desktop_app.ui.transcript.canvas.pointer import Pointer
    from desktop_app.ui.transcript.find.find_in_thread import FindInThread, TopBars
    from desktop_app.ui.transcript.items.highlighting import Highlighter
    from desktop_app.ui.transcript.message.action_bar import ActionBar
    from desktop_app.ui.transcript.message.load_line_drag import LoadLineDrag
    from desktop_app.ui.transcript.message.message_changes import AnswerStream, FormulaUpdates, InlineEditing
    from desktop_app.ui.transcript.reading.clipboard_copy import AccessibleMessages, ClipboardCopy
    from desktop_app.ui.transcript.reading.keyboard_navigation import ContextMenu, KeyboardNavigation, MessageEntries
    from desktop_app.ui.transcript.reading.message_navigation import CodeHeader, LatestButton, MessageNavigation
    from desktop_app.ui.widgets.picture_cache import PictureCache


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
    passage_requested = Signal(str, object, object)  # id of a passage, ids of all shown with it, quotes of the answer
    message_requested = Signal(str, str)  # thread id, message id
    artifact_requested = Signal(str, int)  # its id, and a version, 0 for the newest
    action_requested = Signal(str, str)
    message_acted = Signal(str, str)
    code_kept = Signal(object)  # CodeItem

    def __init__(self, canvas: Canvas, selection: Selection, auto_scroll: AutoScroll, target: RowTarget) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._selection = selection
        self._auto_scroll = auto_scroll
        self._target = target
        self._note_from: CanvasRow | None = None

    def open_link(self, target: str) -> None:
        """Hands a clicked link on, if it may be opened at all."""
        from desktop_app.ui.transcript.message.links import checked_target  # not before the first paint

        if (checked := checked_target(target)) is not None:
            self.link_activated.emit(checked)

    def press(self, placed: PlacedRow, button: str) -> None:
        """A click on a button that a row paints."""
        row, item, messages = placed.row, placed.row.item, self._canvas.row_layout.messages
        message_id = messages[placed.message].id if placed.message < len(messages) else ""
        if button == "copy" and isinstance(item, CodeItem):
            self._copy(item)
        elif button == "keep" and isinstance(item, CodeItem):
            self.code_kept.emit(item)
        elif button == "lines" and isinstance(item, CodeItem):
            item.toggle()
            self._canvas.row_layout.place_again()
            self._canvas.refresh()
        elif button.startswith((NOTE, BACK)):
            self._follow_note(placed, button)
        elif button == "fold":
            self._change(self._canvas.row_layout.message_layout(placed.message).toggle, row.part)
        elif button == "all":
            layout = self._canvas.row_layout.message_layout(placed.message)
            self._change(layout.show_whole, row.part)
            if row not in layout.rows and (first := layout.row_of(row.part)) is not None:
                self._canvas.reveal(placed.message, first, 0)  # one that was folded again may be far above
        elif button == "wrap":
            self._target.wrap_code(not self._target.wraps_code)
        elif button.startswith(LEADING):
            self._lead(placed, message_id, button)
        elif button == "retry":
            self.retry_requested.emit(message_id)
        elif row.decoration in {"branches", "state", "own-mark", "detour", "onward", "hint", "artifact"}:
            self.message_acted.emit(message_id, button)
        elif row.decoration in {"step", "summary", "notice", "status", "unanswered"}:
            self.action_requested.emit(message_id, button)

    def _lead(self, placed: PlacedRow, message_id: str, button: str) -> None:
        """To what is shown elsewhere."""
        if button.startswith(ATTACHMENT):
            self.attachment_requested.emit(message_id, int(button.removeprefix(ATTACHMENT)))
        elif button.startswith(JUMP):
            self._target.jump_to(button.removeprefix(JUMP))
        elif button.startswith(PASSAGE):
            self.passage_requested.emit(button.removeprefix(PASSAGE), self._passages_beside(placed, PASSAGE), ())
        elif button.startswith(CITE):
            from desktop_app.core.citations import quotes_of

            quotes = quotes_of(self._canvas.row_layout.messages[placed.message].parts)
            self.passage_requested.emit(button.removeprefix(CITE), self._passages_beside(placed, CITE), quotes)
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


#: How the keyboard comes here when no pointer brought it.
BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


class TranscriptView(Canvas):
    """The messages of one thread. All methods are for the GUI thread and return at once.

    What is done with the messages is done by its parts: `stream` adds messages and grows answers, `decorations` are
    the lines beside them, `footer` what stands behind the last, `navigation` goes to messages, `selection`, `copying`
    and `keyboard` are the reader's, `find_in_thread` and `bars` find words. `earlier_requested` comes when the reader
    reaches the first of fewer messages than `total`.
    """

    latest_visible_changed = Signal(bool)
    earlier_requested = Signal()
    copied = Signal()
    quote_requested = Signal(str)  # lines of Markdown, quoted
    bars_closed = Signal()
    line_drag_made = Signal(object)  # LoadLineDrag: the load line is moved for the first time
    #: (message id, position): the menu of the message opens; `menu` is it, for more to be added
    message_context_requested = Signal(str, QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        style = TextStyle(theme)
        super().__init__(RowLayout(self._make_layout, style), style, parent)
        # before anything that a running screen reader is told of: Qt asks once what kind of thing this is
        expose(self)
        self._unfolded: dict[str, set[int]] = {}
        self.offers_latest = True
        """True where a button leads to the end; a text that is read from its beginning needs none."""
        self._code_options = CodeOptions()
        self.row_builder = self._new_row_builder()
        self.selection = Selection(self)
        self.path = ShownPath(self.row_layout)
        self.auto_scroll = AutoScroll(self)
        self.decorations = Decorations(self, self.path, self.auto_scroll)
        self.footer = ThreadFooter(self)
        self.row_actions = RowActions(self, self.selection, self.auto_scroll, self)
        # what a card says in an answer's place is not said twice
        self.decorations.is_quiet = lambda one: (
            one.id in self.growing or (self.footer.card is not None and one.id == self.messages[-1].id)
        )
        self.rows_shown.connect(self._place_overlays)
        self.footer.changed.connect(self._on_footer_changed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Conversation"))

    # --- parts that are made when they are first asked for

    @cached_property
    def stream(self) -> AnswerStream:
        """The stream that adds messages and grows answers."""
        from desktop_app.ui.transcript.message.message_changes import AnswerStream

        return AnswerStream(self, self.path, self.decorations, self.auto_scroll, self.footer)

    @cached_property
    def highlighter(self) -> Highlighter:
        """The highlighter that colors code of a language that is told."""
        from desktop_app.ui.transcript.items.highlighting import Highlighter

        highlighter = Highlighter(self)
        highlighter.highlighted.connect(self.refresh)
        return highlighter

    @cached_property
    def latest_button(self) -> LatestButton:
        """The button that leads to the end while that is out of view."""
        from desktop_app.ui.transcript.reading.message_navigation import LatestButton

        button = self.bottom_overlay = LatestButton(self)
        button.clicked.connect(self.auto_scroll.show_latest)
        button.set_theme(self.text_style.theme)
        self.style_changed.connect(lambda: button.set_theme(self.text_style.theme))
        QWidget.setTabOrder(self, button)
        return button

    @cached_property
    def code_header(self) -> CodeHeader:
        """The header that stays in view while its code is read."""
        from desktop_app.ui.transcript.reading.message_navigation import CodeHeader

        header = self.top_overlay = CodeHeader(self)
        header.pressed.connect(self.row_actions.press)
        return header

    @cached_property
    def pictures(self) -> PictureCache:
        from desktop_app.ui.widgets.picture_cache import PictureCache

        pictures = PictureCache(self)
        pictures.arrived.connect(self.refresh)
        return pictures

    @cached_property
    def formula_updates(self) -> FormulaUpdates:
        """The updates that show formulas when they are typeset."""
        from desktop_app.ui.transcript.message.message_changes import FormulaUpdates

        return FormulaUpdates(self, lambda: bool(self.growing))

    @cached_property
    def copying(self) -> ClipboardCopy:
        """The copying of text into the clipboard."""
        from desktop_app.ui.transcript.reading.clipboard_copy import ClipboardCopy, SelectionReader

        reader = SelectionReader(self.row_layout, lambda: self.row_builder, self._unfolded_parts)
        copying = ClipboardCopy(reader, self.row_layout, self.selection)
        copying.copied.connect(self.copied)
        copying.quoted.connect(self.quote_requested)
        return copying

    @cached_property
    def keyboard(self) -> KeyboardNavigation:
        from desktop_app.ui.transcript.reading.keyboard_navigation import KeyboardNavigation

        keyboard = KeyboardNavigation(self, self.selection, self.copying, self.row_actions)
        keyboard.message_focused.connect(self._on_message_focused)
        return keyboard

    @cached_property
    def navigation(self) -> MessageNavigation:
        from desktop_app.ui.transcript.reading.message_navigation import MessageNavigation

        return MessageNavigation(self, self.path, self.auto_scroll, self._leave_link)

    @cached_property
    def pointer(self) -> Pointer:
        from desktop_app.ui.transcript.canvas.pointer import Pointer

        return Pointer(self, self.selection, self.row_actions)

    @cached_property
    def accessible(self) -> AccessibleMessages:
        """The messages as screen readers are told of them."""
        from desktop_app.ui.transcript.reading.clipboard_copy import AccessibleMessages

        return AccessibleMessages(
            self,
            self.decorations,
            self.stream,
            selection=self.selection,
            reader=self.copying.reader,
            buttons=self.keyboard,
        )

    @cached_property
    def find_in_thread(self) -> FindInThread:
        """The search that finds words in the messages."""
        from desktop_app.ui.transcript.find.find_in_thread import FindInThread

        def selected() -> str:
            return self.copying.selected_text() if self.selection.in_one_row else ""

        return FindInThread(self, self.stream, lambda: self.row_builder, selected)

    @cached_property
    def bars(self) -> TopBars:
        from desktop_app.ui.transcript.find.find_in_thread import TopBars

        bars = TopBars(self, self.find_in_thread)
        bars.closed.connect(self.bars_closed)
        bars.chosen.connect(self.navigation.go_to_message)
        return bars

    @cached_property
    def actions_bar(self) -> ActionBar:
        """The buttons beneath the message that is pointed at."""
        from desktop_app.ui.transcript.message.action_bar import ActionBar

        bar = ActionBar(self, self.stream.is_growing)
        bar.acted.connect(self.row_actions.message_acted)
        self.rows_shown.connect(bar.follow)
        return bar

    @cached_property
    def editing(self) -> InlineEditing:
        """The place in which a question is written again."""
        from desktop_app.ui.transcript.message.message_changes import InlineEditing

        return InlineEditing(self, self.path, self.decorations, self.selection)

    @cached_property
    def load_line_drag(self) -> LoadLineDrag:
        from desktop_app.ui.transcript.message.load_line_drag import LoadLineDrag

        drag = LoadLineDrag(
            self, self.path, self.navigation, pointer=self.pointer, keyboard=self.keyboard, decorations=self.decorations
        )
        self.line_drag_made.emit(drag)
        return drag

    @cached_property
    def context_menu(self) -> ContextMenu:
        from desktop_app.ui.transcript.reading.keyboard_navigation import ContextMenu

        menu = ContextMenu(self, self.selection, self.copying)
        menu.requested.connect(self.message_context_requested)
        return menu

    def _made(self, part: str) -> Any:
        """A part if it has been asked for before."""
        return self.__dict__.get(part)

    # --- what is shown

    @property
    def messages(self) -> list[Message]:
        """The messages as they are shown: those of one turn of tools are one."""
        return self.row_layout.messages

    @property
    def growing(self) -> Collection[str]:
        """The ids of the answers that are still coming."""
        return self.stream.growing if self._made("stream") else ()

    @property
    def busy(self) -> bool:
        """True while code is being highlighted or formulas are being typeset."""
        highlighter, updates = self._made("highlighter"), self._made("formula_updates")
        return bool((highlighter and highlighter.busy) or (updates and updates.formulas.busy))

    @property
    def menu(self) -> MessageEntries | None:
        """The menu of a message that was opened last."""
        return self.context_menu.menu

    @property
    def edited(self) -> str:
        """The id of the message at which something is written, or none."""
        return self.editing.message_id if self._made("editing") else ""

    def set_theme(self, theme: Theme) -> None:
        """Shows everything in another style; what is in view stays in view."""
        self.text_style = self.row_layout.text_style = TextStyle(theme)
        self._rebuild_rows()
        self.style_changed.emit()

    @property
    def wraps_code(self) -> bool:
        """True where lines of code that are too wide go on below."""
        return self._code_options.wrap

    def offer_keeping_code(self, keeps: Callable[[CodeItem], bool]) -> None:
        """A card of such code can be kept as an artifact (`row_actions.code_kept`)."""
        self._code_options.keeps = keeps
        self.repaint_all()  # cards of the first paint, too

    def wrap_code(self, wrap: bool) -> None:
        """Wraps the lines of all code, or lets them run on."""
        if wrap != self._code_options.wrap:
            self._code_options.wrap = wrap
            self._rebuild_rows()

    def _new_row_builder(self) -> RowBuilder:
        return RowBuilder(
            self.text_style,
            lambda: self.highlighter,
            self._code_options,
            pictures=lambda: self.pictures,
            formulas=lambda: self.formula_updates.formulas,
            sent=self.row_builder.sent if self._made("row_builder") else None,
        )

    def _rebuild_rows(self) -> None:
        row_layout = self.row_layout
        place = None if row_layout.at_end else self.navigation.whereabouts
        growing = self.stream.keep_growing() if self.growing else ()
        self._leave_link()
        if self._made("highlighter"):
            self.highlighter.clear()
        self.row_builder = self._new_row_builder()
        row_layout.forget_rows()
        self.stream.go_on_growing(growing)
        self.footer.rebuild()
        row_layout.placed = []
        if place is None:
            row_layout.place_end()
        else:
            self.navigation.return_to(place)
        self.repaint_all()

    def show_path(self, messages: Sequence[Message], *, total: int | None = None) -> None:
        """Opens a thread at its end. `total` is the length of the whole path where `messages` is only its tail."""
        if self.growing:
            self.stream.clear()
        self._unfolded.clear()
        self.selection.clear()
        self.row_builder.sent = None
        self.path.teach(self.row_builder, messages)
        highlighter = self._made("highlighter")
        # rows whose colors are still to come would never get them
        self.row_layout.rows_are_whole = highlighter is None or not highlighter.busy
        if highlighter is not None:
            highlighter.clear()
        self.auto_scroll.end()
        self.decorations.clear()
        self.row_layout.focused = -1
        self.path.show(messages, total or 0)
        for index in self.row_layout.made:  # as they were when this thread was shown before
            layout = self.row_layout.message_layout(index)
            self._unfolded[layout.message.id] = layout.unfolded
            self.decorations.decorate(layout)
        self.footer.rebuild()
        self.row_layout.place_end()
        self.row_layout.keeps_end = True
        self.repaint_all()
        self.start_rest()
        announce_reorder(self)

    def prepend(self, messages: Sequence[Message], *, total: int | None = None) -> None:
        """Adds the messages that come before those shown; nothing in view moves."""
        at_end = not self.auto_scroll.end_left
        self.row_builder.learn_sent(parts_of(messages))
        count, cut = self.path.prepend(messages, total or 0)
        self.selection.shift(count)
        self.decorations.mark_rows()
        if cut and at_end:
            self.row_layout.place_end()
        else:
            self.row_layout.place_again()
        self.refresh()
        announce_reorder(self)

    def refresh_path(self, messages: Sequence[Message]) -> None:
        """Shows another state of the same thread; common messages stay where they are."""
        top, row_layout = self.navigation.top_message, self.row_layout
        self.path.teach(self.row_builder, messages)
        if not self.path.refresh(messages):
            self.show_path(messages)
            return
        self.selection.clear()
        if row_layout.hold is not None and row_layout.hold[0] >= len(row_layout.messages):
            row_layout.hold = None
        if not row_layout.placed and 0 <= top < len(row_layout.messages):
            # what was read is another version now: it begins where the eye is
            self.navigation.begin_at(top)
        self.decorations.mark_rows()
        self.auto_scroll.show_changes()
        announce_reorder(self)

    def cut_after(self, message_id: str | None) -> bool:
        """Shows the path only up to a message, None: nothing of it; False if it is not on the path that is shown."""
        kept = [] if message_id is None else self.path.up_to(message_id)
        if message_id is not None and not kept:
            return False
        if self.growing:
            self.stream.clear()
        self.refresh_path(kept)
        return True

    def announce_failure(self) -> None:
        """The answer failed: where its card is out of view, the button that leads there says so until it was seen."""
        self.latest_button.announce(True)
        self.rows_shown.emit()  # where the end is in view, nothing is announced

    def selected_messages(self) -> tuple[str, ...]:
        """The ids of the messages in which something is selected, in order."""
        numbers = range(len(self.messages))[self.selection.numbers]
        return tuple(member for number in numbers for member in self.path.members(number))

    def mark_found(self, words: str, message_id: str) -> None:
        """Has the words of a search stand out that led to a message; the first one there comes into view."""
        if (number := self.path.number(message_id)) is not None:
            self.find_in_thread.mark(words, self.messages[number].id)

    def unmark_found(self) -> None:
        """Remove the marks of a search's matches; the find bar stays."""
        if self._made("find_in_thread") is not None:
            self.find_in_thread.unmark()

    def lines_in_view(self, more: int) -> tuple[dict[str, Any], str]:
        """Return the lines near the view for `decorations` to restore, and the id of a message that comes after it.

        `more`: so many messages above and below the view are near it.
        """
        messages, rows = self.messages, self.row_layout.placed
        if not rows or not messages:
            return {}, ""
        first, last = max(0, rows[0].message - more), min(len(messages) - 1, rows[-1].message + more)
        ids = {messages[number].id for number in range(first, last + 1)}
        return self.decorations.saved_lines(ids), self.path.members(last)[-1]

    # --- what the rows' buttons ask for

    def put_in_clipboard(self, text: str) -> None:
        self.copying.put(text)

    def stop_at(self, message: int, row: CanvasRow, button: str) -> None:
        """Puts the keyboard on a link or button."""
        self.keyboard.stop_at(message, row, button)

    def jump_to(self, message_id: str) -> None:
        """Goes to the message that a passage was found in."""
        self.navigation.jump_to(message_id)

    def button_hint(self, button: str) -> str:
        """Return the words on a citation under the pointer or the keyboard: its passage, or that it has none."""
        from desktop_app.ui.transcript.message.links import citation_hint  # not before the first paint

        return citation_hint(button, self.row_builder.sent)

    # --- inside

    def _make_layout(self, index: int) -> MessageLayout:
        message = self.messages[index]
        awaiting = message.id in self.growing
        unfolded = self._unfolded.setdefault(message.id, set())
        layout = MessageLayout(self.row_builder, message, unfolded, awaiting=awaiting)
        if awaiting:
            layout.kept = self.path.part_of(self.path.members(index)[-1])
            layout.show_asking(self.stream.asking)
        self.decorations.decorate(layout)
        return layout

    def _unfolded_parts(self, message: Message) -> set[int]:
        return self._unfolded.get(message.id, set())

    def _leave_link(self) -> None:
        if self._made("keyboard") is not None:
            self.keyboard.leave()

    def fit(self) -> None:
        self.footer.prepare(column(self.viewport().width())[1])
        super().fit()

    def _place_overlays(self) -> None:
        self.footer.fit()
        first = next((placed for placed in self.row_layout.placed if placed.bottom > 0), None)
        cut = first if first is not None and isinstance(first.row.item, CodeItem) and first.item_top < 0 else None
        if cut is not None or self._made("code_header"):
            self.code_header.follow(cut)
        if (editing := self._made("editing")) is not None:
            editing.follow()
        wanted = self.offers_latest and bool(self.messages) and not self.auto_scroll.at_latest
        if wanted or self._made("latest_button"):
            self.latest_button.stand_over(self.viewport(), self.column.right() + 1 + OUTDENT, self.is_control_at)
            if not wanted or self.footer.card is None:
                self.latest_button.announce(False)
            place, card = self.latest_button.geometry().translated(-self.viewport().pos()), self.footer.card
            covers = card is not None and card.isVisible() and card.geometry().intersects(place)
            covers = covers or (editing is not None and editing.lies_at(place))
            self.latest_button.setVisible(wanted and not covers)
        if wanted != self.auto_scroll.end_left:
            self.auto_scroll.end_left = wanted
            self.latest_visible_changed.emit(wanted)
        if self.path.missing and self.row_layout.placed and self.row_layout.placed[0].message == 0:
            QTimer.singleShot(0, self, self.earlier_requested.emit)

    def _on_footer_changed(self) -> None:
        if (last := len(self.messages) - 1) >= 0 and self.row_layout.has_layout(last):
            self.decorations.decorate(self.row_layout.message_layout(last))
        self.auto_scroll.show_end_again()

    def _on_message_focused(self, index: int) -> None:
        if QAccessible.isActive():
            self.accessible.speak_of(index)
        state = self.decorations.told_of(self.messages[index].id) if index >= 0 else ""
        if state:
            QToolTip.showText(self.message_corner(index), state, self.viewport())

    def hint_for(self, placed: PlacedRow, x: int = 0) -> str:
        """Return the words on a row under a resting pointer, so many pixels from the viewport's left edge."""
        if placed.message >= len(self.messages):
            return ""
        message_id, item = self.messages[placed.message].id, placed.row.item
        if item.hint:
            return item.hint
        if placed.tick and x > self.column.right():
            return self.decorations.ticks.get(message_id, "")
        return self.decorations.reasons.get(message_id, "") if placed.faded else ""

    # --- events

    @property
    def _in_hand(self) -> LoadLineDrag | Pointer:
        drag: LoadLineDrag | None = self._made("load_line_drag")
        return drag if drag is not None and drag.holding else self.pointer

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.row_layout.keeps_end = False
        if not (self.decorations.has_moving_line and self.load_line_drag.press(event)):
            self.pointer.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._in_hand.move(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.pointer.double_click(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._in_hand.release(event)
        self.copying.offer_selection()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self.pointer.hover(None)
        elif event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self.pointer.show_hint(event, self.hint_for)
            return True
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.row_layout.keeps_end = False
        for_line = self.decorations.has_moving_line and self.load_line_drag.key(event)
        event.setAccepted(for_line or self.keyboard.press(event))

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes through the links and buttons of the message that the keyboard is on, then on to the next pane."""
        return self.keyboard.tab(1 if forward else -1) or super().focusNextPrevChild(forward)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._show_focus_frame()
        if event.reason() in BY_KEYBOARD and self.keyboard.enter() and QAccessible.isActive():
            # Qt tells readers of the view itself after this event: the message is to be what they hear of last
            QTimer.singleShot(0, self, lambda: self.accessible.speak_of(self.row_layout.focused))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        # a menu takes the keyboard only for a while
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.keyboard.leave_message()
            if self._made("load_line_drag") is not None and not self.load_line_drag.holding:
                self.load_line_drag.cancel()
        super().focusOutEvent(event)
        self._show_focus_frame()

    def _show_focus_frame(self) -> None:
        if not self.messages:
            self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus() and not self.messages:
            painter = QPainter(self.viewport())
            frame(painter, self.viewport().rect(), self.text_style.color("focus"))
            painter.end()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.context_menu.open_for(event, self.keyboard, self.pointer)
