"""A question that is edited in its place: its text until it is sent, and the words beside it.

Nothing happens to the draft in the composer. Knows neither how it is sent nor how the place is painted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_app.core.attachment_facts import attachments_of
from desktop_app.core.events import SendRefused
from desktop_app.core.messages import TextPart
from desktop_app.ui.composer.composer import Composer
from desktop_app.ui.conversation.regeneration import Regeneration, RegenerationRequest
from desktop_app.ui.conversation.shown_messages import ShownMessages, is_question
from desktop_app.ui.i18n.content_words import name_of
from desktop_app.ui.i18n.language import parted
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.transcript.view import TranscriptView

if TYPE_CHECKING:  # made when a question is edited for the first time
    from desktop_app.ui.transcript.message.inline_editing import InlineQuestionEditor


class QuestionEditing(QObject):
    """At most one question is being edited; what was written elsewhere is kept for as long as the window is open.

    `begun`: a question is about to be edited.
    """

    begun = Signal()

    def __init__(
        self,
        app_state: AppState,
        messages: ShownMessages,
        view: TranscriptView,
        composer: Composer,
        regeneration: Regeneration,
    ) -> None:
        super().__init__(view)
        self._app_state = app_state
        self._messages = messages
        self._view = view
        self._composer = composer
        self._regeneration = regeneration
        self._edit: tuple[str, str] | None = None  # thread and message that are being edited
        self._typed: dict[str, str] = {}  # message -> what was written in its place when another thread was opened
        regeneration.held_back.connect(self._held_back)

    def begin(self, message_id: str) -> None:
        """Open a question in its place to be edited."""
        message = self._messages.find(message_id)
        if message is None or self._app_state.thread_id is None or not is_question(message):
            return
        self.leave()
        self.begun.emit()
        editing = self._view.editing
        panel = editing.panel
        if not panel.property("wired"):
            panel.setProperty("wired", True)
            panel.done.connect(self.send)
            panel.cancelled.connect(self.cancel)
            panel.editor.attached.connect(self._files_pasted)
        panel.editor.enter_sends = self._composer.editor.enter_sends
        self._edit = (self._app_state.thread_id, message.id)
        text = self._typed.pop(message.id, message.text)
        editing.begin(message.id, text, [name_of(part) for part in attachments_of(message.parts)])

    def send(self, *, pass_cap: bool = False) -> None:
        """Asks what was written in the question's place; the question stays as another version."""
        edited, panel = self._edit, self._panel
        message = self._messages.find(edited[1]) if edited is not None else None
        if edited is None or message is None or panel.sending:
            return
        if self._app_state.running:
            self.tell(self.tr("An answer is still coming. Stop it or wait until it is complete."))
            return
        text = panel.text
        kept = tuple(part for part in message.parts if not isinstance(part, TextPart))
        panel.set_sending(True)
        self.tell("")
        parts = (*kept, TextPart(text)) if text else kept
        self._regeneration.ask(RegenerationRequest(edited[0], parts, edited[1]), pass_cap=pass_cap)

    def sends(self, request: RegenerationRequest) -> bool:
        """Return True if a wish is the question being edited; then its words are those in the panel by now."""
        return request.edits and self._edit == (request.thread_id, request.at)

    def cancel(self) -> bool:
        """Puts the question back; False if none is being edited."""
        if self._edit is None:
            return False
        self._close()
        self._composer.focus_editor()
        return True

    def leave(self) -> None:
        """Something else is looked at: what was written is kept."""
        if self._edit is not None:
            self._typed[self._edit[1]] = self._panel.editor.toPlainText()
            self._close()

    def hand_over(self, holds: Callable[[str], bool], to: QuestionEditing) -> None:
        """Another window shows a thread that was left here: what was written in place of its messages is there."""
        moved = {message: text for message, text in self._typed.items() if holds(message)}
        to._typed |= moved
        self._typed = {message: text for message, text in self._typed.items() if message not in moved}

    def focus(self) -> bool:
        """Gives the keyboard to what is being edited; False if nothing is."""
        if self._edit is None:
            return False
        self._view.editing.focus()
        return True

    def tell(self, words: str) -> None:
        """Says something beneath the field; no words: nothing."""
        self._panel.tell(words)
        self._view.editing.fit()

    # Facts

    def show_opened(self, thread_id: str) -> None:
        """A thread is open, or was read again: what is edited has to be there."""
        if self._edit is None:
            return
        if self._edit[0] != thread_id or self._messages.find(self._edit[1]) is None:
            self.leave()
        else:
            self._view.editing.fit()

    def branch_changed(self) -> None:
        """The open thread goes on elsewhere: with what was sent here, the field has done its work."""
        if self._edit is not None and self._panel.sending:
            self.cancel()

    def _held_back(self, request: RegenerationRequest, refused: SendRefused | None) -> None:
        """Nothing was sent: the edit stays open and says why."""
        if not self.sends(request) or not self._panel.sending:
            return
        self._panel.set_sending(False)
        if refused is not None:
            why = parted(refused.failure.message)[0]
            counted_by = refused.plan.counted_by if refused.plan is not None else ""
            words = self.tr("{why}. Nothing was sent.")
            if counted_by:
                words = self.tr("{why}. Counted by {provider}, not sent to a model.")
            self.tell(words.format(why=why, provider=counted_by))
        elif self._regeneration.held(request.thread_id) is not None:
            self.tell(self.tr("Nothing was sent yet. The thread ends with a question."))
        self.focus()

    def _files_pasted(self, _brought: object) -> None:
        self.tell(self.tr("Only the text is changed here. Attach files in the field below."))

    @property
    def _panel(self) -> InlineQuestionEditor:
        return self._view.editing.panel

    def _close(self) -> None:
        if self._edit is None:
            return
        (thread_id, message_id), self._edit = self._edit, None
        held = self._regeneration.held(thread_id)
        if held is not None and held.edits and held.at == message_id:
            self._regeneration.drop(thread_id)
        self._view.editing.end()
