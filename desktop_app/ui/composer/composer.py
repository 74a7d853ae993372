"""The composer as one piece: lines, queued messages, chips, text, model button, Send or Stop, gauge."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLayout, QPushButton, QVBoxLayout, QWidget

from desktop_app.core.messages import Part
from desktop_app.ui.gauge.gauge_strip import GaugeStrip
from desktop_app.ui.i18n.language import grouped
from desktop_app.ui.models.model_picker import ModelPicker, ParametersButton
from desktop_app.ui.theme.theme import GRID, OUTDENT, WIDEST_COLUMN, Theme, column, icon, radius, set_icon, stroke
from desktop_app.ui.widgets.message_field import MessageField
from desktop_app.ui.widgets.parts import Stretch, button_in, fill, frame_in, set_look, tool_in

if TYPE_CHECKING:
    from desktop_app.ui.composer.composer_rows import AttachmentTray, MessageQueue, MovedTexts, NoticeRow
    from desktop_app.ui.models.parameters_presenter import WebSearchSwitch


SHARE_OF_WINDOW = 0.4
"""The share of the window's height that the text field may take."""
SHARE_BELOW_CARD = 1 / 3
"""The share of it that the whole composer may take while a card that is to be read stands above it."""
LOW_WINDOW = 700
"""Pixels of a window in which queued messages leave their room to such a card."""
SCROLL_BAR = 10
"""Pixels of the transcript's scroll bar, left free here too so that both columns stand under each other."""


class _OnColumn(QHBoxLayout):
    """Has the composer's edges stand where those of questions do."""

    def setGeometry(self, place: QRect) -> None:
        QLayout.setGeometry(self, place)
        item, around = self.itemAt(0), self.contentsMargins()
        if item is not None:
            left, width = _sides(place.width())
            item.setGeometry(
                QRect(left, around.top(), width, place.height() - around.top() - around.bottom()).translated(
                    place.topLeft()
                )
            )

    def heightForWidth(self, width: int) -> int:
        return super().heightForWidth(_sides(width)[1] + self._beside)

    def minimumHeightForWidth(self, width: int) -> int:
        return super().minimumHeightForWidth(_sides(width)[1] + self._beside)

    @property
    def _beside(self) -> int:
        return self.contentsMargins().left() + self.contentsMargins().right()


def _sides(width: int) -> tuple[int, int]:
    """Left edge and width of the composer in a pane of that width."""
    left, inside = column(width - SCROLL_BAR)
    return left - OUTDENT, inside + 2 * OUTDENT


class Composer(QWidget):
    """Wishes: `send_requested`, `stop_requested`, `attach_requested`; those about attachments carry their numbers.

    `edited` comes after every change of the text, `attachments_shown` after every change of the attachments.
    """

    send_requested = Signal()
    stop_requested = Signal()
    edited = Signal()
    attach_requested = Signal()
    attached = Signal(object)  # Incoming: pasted or dropped
    document_wanted = Signal(object)  # str, not copied by Qt: a pasted text that is to become a document
    document_unwanted = Signal(object)  # the same text, which stands in the field again
    attachments_shown = Signal()
    attachment_opened = Signal(int)
    attachment_removed = Signal(int)
    first_tokens_chosen = Signal(int, int)  # number of the document, tokens of it that are sent (0: all)
    reading_cancelled = Signal(int)
    undo_requested = Signal()
    problem_closed = Signal()
    secret_sent = Signal()  # all of it goes, with what looks like a secret
    secret_removed = Signal()
    key_wanted = Signal()  # it is to be added as a key instead
    key_lacked = Signal()  # the connection that would answer is to get its key
    key_line_closed = Signal()  # or the line that asks for it was closed

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAccessibleName(self.tr("Composer"))
        self.column = QWidget(self, maximumWidth=WIDEST_COLUMN + 2 * OUTDENT)
        self.field = frame_in(self.column, "field")
        self.editor = MessageField(theme, self.field)
        self.attach = tool_in(
            self.field,
            self.attach_requested,
            name=self.tr("Attach files"),
            tip=self.tr("Attach files. You can also drop or paste them here."),
        )
        self.picker = ModelPicker(theme, self.field)
        self.parameters = ParametersButton(theme, self.field)
        self.button = button_in(self.field, "", self._press, kind="round")
        self.gauge = GaugeStrip(theme, self.column)
        self.streaming = False
        self._window_height = 0
        self._card_above = False
        self._key_words = ""
        self._card_asks_key = False
        self._shown: tuple[str, bool, str] | None = None
        self._tray: AttachmentTray | None = None
        self.lines: dict[str, NoticeRow] = {}
        self._own_key = False
        self.attachments: tuple[Part, ...] = ()
        """The attachments of the message that is being written."""
        self._reading: tuple[str, ...] = ()
        self._pasted: QTextCursor | None = None
        self._lay_out()
        self.editor.textChanged.connect(self._text_changed)
        self.editor.send_requested.connect(self.send_requested)
        self.editor.attached.connect(self.attached)
        self.editor.takes_documents = True
        self.editor.long_pasted.connect(self._offer_document)
        self.editor.huge_pasted.connect(self._take_huge)
        self.gauge.reading_changed.connect(self._show_button)
        self.editor.installEventFilter(self)
        self.field.installEventFilter(self)
        theme.set_font("small", self.picker)
        set_icon(self.attach, "attach", theme)
        theme.follow(self._apply_theme)

    @cached_property
    def queue(self) -> MessageQueue:
        """The messages that wait; made with the wiring, as at the first paint there are none."""
        from desktop_app.ui.composer.composer_rows import MessageQueue

        return MessageQueue(self._theme, self._stack, self.field, before=self.editor)

    @cached_property
    def cold_cache(self) -> NoticeRow:
        """The line with the cost of reading the thread again; made with the wiring, as the first paint has none."""
        row = self._notice_row()
        self._stack.insertWidget(0, row)
        return row

    def _notice_row(self) -> NoticeRow:
        from desktop_app.ui.composer.composer_rows import NoticeRow

        return NoticeRow(self._theme, self.column)

    def _lay_out(self) -> None:
        writing = QHBoxLayout()
        # The text begins where that of a question does.
        fill(writing, self.editor, margins=(OUTDENT - GRID - round(stroke("hair")), 0, GRID, 0))
        tools = self._tools = QHBoxLayout()
        fill(tools, self.attach, self.picker, self.parameters, Stretch(), self.button, spacing=0)
        self._inside = inside = QVBoxLayout(self.field)
        fill(inside, writing, tools, margins=(GRID, GRID + GRID // 2, GRID, GRID), spacing=GRID // 2)
        self._stack = stack = QVBoxLayout(self.column)
        fill(stack, self.field, self.gauge, margins=0, spacing=GRID // 2)
        fill(_OnColumn(self), self.column, margins=(GRID, GRID, GRID + SCROLL_BAR, GRID // 2))

    def _apply_theme(self) -> None:
        side = 2 * self._theme.pixels(radius("round"))
        self.button.setFixedSize(QSize(side, side))
        self._shown = None
        self._show_button()
        self._limit_text()

    def text(self) -> str:
        return self.editor.toPlainText()

    def is_empty(self) -> bool:
        """True if there is nothing but space, no attachment and none that is being read; cheap for any length."""
        document = self.editor.document()
        attached = self.attachments or self._reading
        return not attached and document.characterCount() < 4096 and not self.text().strip()

    def insert_quote(self, lines: str) -> None:
        """Puts quoted lines where the cursor is, on lines of their own, and the keyboard behind them; can be undone."""
        cursor = self.editor.textCursor()
        before = self.text()[: cursor.selectionStart()] if not self.editor.document().isEmpty() else ""
        gap = "" if not before else "\n" if before.endswith("\n") else "\n\n"
        self.editor.insert_apart(cursor, f"{gap}{lines.rstrip()}\n\n")
        self.editor.setTextCursor(cursor)
        self.editor.ensureCursorVisible()
        self.focus_editor()

    def set_text(self, text: str) -> None:
        """Shows another draft; the undo of the old one ends here."""
        if text != self.text():
            self.editor.setPlainText(text)
        self._end_undo()
        self._offer_document(None)
        self.editor.moveCursor(self.editor.textCursor().MoveOperation.End)

    def add_text(self, text: str) -> None:
        """Shows another draft, which begins with what stands here: the cursor stays, and undo takes the rest away."""
        before = self.text()
        if not text.startswith(before):
            self.set_text(text)
            return
        cursor = self.editor.textCursor()
        at, anchor = cursor.position(), cursor.anchor()
        end = QTextCursor(self.editor.document())
        end.movePosition(QTextCursor.MoveOperation.End)
        start = end.position()
        self.editor.insert_apart(end, text[len(before) :])
        cursor.setPosition(anchor)
        cursor.setPosition(at, QTextCursor.MoveMode.KeepAnchor)
        self.editor.setTextCursor(cursor)
        words = self.tr("Another window or command added text below yours. Undo removes it.")
        self.line("added").say_while_below(words, self.editor.document(), start)

    def take_sent(self, sent: str) -> None:
        """Removes what has been sent, which no undo brings back; what was typed after it in the meantime stays."""
        text = self.text()
        if text.startswith(sent):
            self.editor.replace_text(text[len(sent) :].lstrip("\n"))
            self._end_undo()

    def _end_undo(self) -> None:
        self.editor.document().clearUndoRedoStacks()
        if "_moved" in vars(self):
            self._moved.clear()

    @cached_property
    def _moved(self) -> MovedTexts:
        from desktop_app.ui.composer.composer_rows import MovedTexts

        return MovedTexts(self.editor.document(), self.document_wanted, self.document_unwanted)

    @cached_property
    def web_search(self) -> WebSearchSwitch:
        """The switch for web search and its `servers`, made after the first paint; hidden until there are any."""
        from desktop_app.ui.models.parameters_presenter import WebSearchSwitch

        switch = WebSearchSwitch(self._theme, self.field)
        for button in (switch.servers, switch):
            self._tools.insertWidget(self._tools.indexOf(self.parameters) + 1, button)
        return switch

    @cached_property
    def queue_button(self) -> QPushButton:
        """Queues the message behind the answer that comes, as Enter does; made when there is one to queue."""
        from desktop_app.ui.composer.composer_rows import queue_button_in

        pressed = self.focus_editor, self.send_requested
        return queue_button_in(self.field, self._tools, self.button, self._theme, pressed)

    @property
    def reading(self) -> tuple[str, ...]:
        """The names of what is still being read."""
        return self._reading

    def draft(self) -> tuple[Part, ...]:
        """The message as it stands: attachments first, then the text if there is any."""
        from desktop_app.core.attachment_facts import message_of  # the first paint needs none of it

        return message_of(self.text(), self.attachments)

    def show_attachments(self, parts: Sequence[Part], reading: Sequence[str]) -> None:
        """Shows what is attached, and the names of what is being read."""
        changed, read = tuple(parts) != self.attachments, tuple(reading) != self._reading
        self.attachments, self._reading = tuple(parts), tuple(reading)
        if self._tray is not None or self.attachments or self._reading:
            if changed:
                self.tray.show_parts(self.attachments)
            if read:
                self.tray.show_reading(self._reading)
        self._show_button()
        if changed:
            self.ask_about_secret("")
            self.attachments_shown.emit()

    @property
    def tray(self) -> AttachmentTray:
        """The chips, made when there are any for the first time."""
        if self._tray is None:
            from desktop_app.ui.composer.composer_rows import AttachmentTray

            self._tray = tray = AttachmentTray(self._theme, self.field, before=self.editor)
            self._inside.insertWidget(0, tray)
            tray.opened.connect(self.attachment_opened)
            tray.remove_requested.connect(self.attachment_removed)
            tray.first_tokens_chosen.connect(self.first_tokens_chosen)
            tray.cancel_requested.connect(self.reading_cancelled)
            tray.undo_requested.connect(self.undo_requested)
            tray.left.connect(self.focus_editor)
        return self._tray

    def tell_problem(self, words: str, *, tone: str = "danger", whole: str = "") -> None:
        """Says what could not be attached; no words: nothing. `tone` "secondary" where nothing went wrong.

        `whole`: what the line unfolds to.
        """
        if words or "problem" in self.lines:
            self._all_problems = whole
            self.line("problem").say(words, tone=tone, button=self.tr("Show all") if whole else "")

    @property
    def problem(self) -> str:
        """The text about things that could not be attached."""
        return self.lines["problem"].words if "problem" in self.lines else ""

    @property
    def offer(self) -> NoticeRow | None:
        """The line that offers to make a document of a long text, while it stands."""
        line = self.lines.get("offer")
        return line if line is not None and line.words else None

    def _offer_document(self, pasted: QTextCursor | None) -> None:
        self._pasted = pasted
        if pasted is None:
            if "offer" in self.lines:
                self.line("offer").say("")
            return
        count = pasted.selectionEnd() - pasted.selectionStart()
        words = self.tr("Pasted {count} characters").format(count=grouped(count))
        self.line("offer").say(words, button=self.tr("Attach as a document"))

    def _take_offer(self) -> None:
        """The pasted text, with what was changed in it since, leaves the field and becomes a document."""
        pasted = self._pasted
        self._offer_document(None)
        if pasted is not None and pasted.hasSelection():
            self._moved.move(pasted)
        self.focus_editor()

    def _take_huge(self, text: str) -> None:
        """A text that would hold up the field becomes a document at once, and is said to be one."""
        words = self.tr("A pasted text of {count} characters is attached as a document: it is too long for this field.")
        self.line("offer").say(words.format(count=grouped(len(text))))
        self.document_wanted.emit(text)

    def ask_about_secret(self, words: str, *, own_key: bool = False) -> None:
        """Asks before something that looks like a secret is sent; no words take the question away.

        `own_key`: it is a key that a connection could use.
        """
        if words or "secret" in self.lines:
            self._own_key = own_key
            remove = self.tr("Add as key") if own_key else self.tr("Remove")
            send = self.tr("Send anyway")
            self.line("secret").say(words, button=remove if words else "", second=send if words else "")
            self.gauge.setVisible(not words)

    def ask_for_key(self, words: str) -> None:
        """Says that what would answer has no key, unless a card says it; no words take the line away."""
        self._key_words = words
        if (shown := "" if self._card_asks_key else words) or "key" in self.lines:
            self.line("key").say(shown, button=self.tr("Add key") if shown else "")

    def _take_secret(self) -> None:
        (self.key_wanted if self._own_key else self.secret_removed).emit()

    def line(self, name: str) -> NoticeRow:
        if name not in self.lines:
            self.lines[name] = line = self._notice_row()
            # one line under the field at a time
            self._stack.insertWidget(self._stack.indexOf(self.gauge if name == "secret" else self.field), line)
            if name == "offer":
                line.taken.connect(self._take_offer)
                line.closed.connect(lambda: self._offer_document(None))
            elif name == "key":
                line.taken.connect(self.key_lacked)
                line.closed.connect(self.key_line_closed)
            elif name == "secret":
                line.taken.connect(self._take_secret)
                line.second.clicked.connect(self.secret_sent)
                line.closed.connect(lambda: self.ask_about_secret(""))
            else:
                line.closed.connect(lambda: line.say(""))
                if name == "problem":
                    line.closed.connect(self.problem_closed)
                    line.taken.connect(lambda: self.tell_problem(self._all_problems))
            line.closed.connect(self.focus_editor)
        return self.lines[name]

    def set_streaming(self, streaming: bool) -> None:
        """While an answer streams the button stops it and the gauge rests."""
        self.streaming = streaming
        self.gauge.set_frozen(streaming)
        self._show_button()

    def set_window_height(self, pixels: int) -> None:
        self._window_height = pixels
        if self._card_above:
            self.queue.set_short(pixels < LOW_WINDOW)
        self._limit_text()

    def set_card_above(self, above: bool, makes_room: bool, asks_key: bool) -> None:
        """Set whether a card stands above that has to be seen, says how to make room, or asks for the key."""
        self._card_above, self._card_asks_key = above, asks_key
        self.queue.set_short(above and self._window_height < LOW_WINDOW)
        self.ask_for_key(self._key_words)
        self.gauge.set_explained(makes_room)
        self._limit_text()

    def _limit_text(self) -> None:
        if not self._window_height:
            return
        most = int(self._window_height * SHARE_OF_WINDOW)
        if self._card_above:
            around = self.sizeHint().height() - self.editor.height() + GRID // 2
            room = int(self._window_height * SHARE_BELOW_CARD) - around
            most = max(min(most, room), self.editor.pitch)
        self.editor.set_most_height(most)

    def focus_editor(self) -> None:
        """Gives the keyboard to the editor. Before the window is shown the field is dressed for that at once."""
        if not self.isVisible():
            self.field.setProperty("focused", True)
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.editor and event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            focused = event.type() == QEvent.Type.FocusIn
            if self.field.property("focused") != focused:
                set_look(self.field, "focused", focused)
        if watched is self.field and isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress:
            self.focus_editor()
        return False

    def _text_changed(self) -> None:
        self._show_button()
        self.ask_about_secret("")
        if self._pasted is None or not self._pasted.hasSelection():
            self._offer_document(None)
        self.edited.emit()

    def _press(self) -> None:
        self.focus_editor()  # a button that goes gray would hand the keyboard to the gauge
        (self.stop_requested if self.streaming else self.send_requested).emit()

    def _show_button(self) -> None:
        if (queues := self.streaming and not self.is_empty()) or "queue_button" in vars(self):
            by_enter, by_both = self.tr("Goes after the answer (Enter)"), self.tr("Goes after the answer (Ctrl+Enter)")
            self.queue_button.setToolTip(by_enter if self.editor.enter_sends else by_both)
            self.queue_button.setVisible(queues)
        enabled = self.streaming or not (self.is_empty() or self._reading)
        refused = "" if self.streaming or not enabled else self.gauge.refusal
        shown = ("stop" if self.streaming else "send", enabled, refused)
        if shown == self._shown:
            return
        self._shown = shown
        name = self.tr("Stop") if self.streaming else self.tr("Send")
        self.button.setAccessibleName(name)
        self.button.setAccessibleDescription(refused)
        self.button.setToolTip(refused or (f"{name} (Esc)" if self.streaming else name))
        # what would be refused can be pressed all the same: that shows what can be done
        rests = bool(refused)
        self.button.setIcon(icon(shown[0], self._theme, "on-accent" if enabled and not rests else "text-secondary"))
        self.button.setEnabled(enabled)
        if bool(self.button.property("rests")) != rests:
            set_look(self.button, "rests", rests)
