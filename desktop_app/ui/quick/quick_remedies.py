"""Owns where the quick line shows its error card, and what the card's buttons do there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop_app.core.context.remedies import Remedy
from desktop_app.ui.conversation.error_card import ErrorCard

if TYPE_CHECKING:
    from desktop_app.ui.quick.quick_presenter import QuickQuestions

HERE: Final = frozenset(("retry", "pass_cap"))
"""What can be done in the line itself; what needs more room leads to the main window."""
ELSEWHERE: Final = frozenset(("open_connections", "replace_key", "switch_model", "edit_caps"))


class QuickRemedies:
    """The `CardHost` of the quick line."""

    known = HERE | ELSEWHERE
    has_unread = False

    def __init__(self, questions: QuickQuestions, unsent: str) -> None:
        self._questions = questions
        self.unsent = unsent

    def was_asked_elsewhere(self, _thread_id: str) -> bool:
        return self._questions.retrying

    def carry_out(self, remedy: Remedy) -> None:
        if remedy.action in HERE:
            self._questions.ask_again(pass_cap=remedy.action == "pass_cap")
        else:
            self._questions.go_elsewhere(remedy.action)

    def set_card(self, card: ErrorCard | None) -> None:
        window = self._questions.window
        if window is not None and (card is not None or window.view is not None):
            window.answer_view().footer.set_card(card)

    def show_latest(self) -> None:
        """The line is as high as its answer and card."""

    def announce_failure(self) -> None:
        """The card is before the user's eyes."""

    def focus_elsewhere(self) -> None:
        if self._questions.window is not None:
            self._questions.window.field.setFocus()
