"""A composer, attachments and a card's host that only remember what they were told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtGui import QTextDocument

from desktop_app.core.context.plan_questions import Remedy
from desktop_app.core.messages import Part, TextPart
from desktop_app.ui.conversation.error_cards import ErrorCard


class FakeEditor:
    def __init__(self) -> None:
        self.text = ""

    def replace_text(self, text: str) -> None:
        self.text = text

    def commit_composed(self) -> None:
        pass

    def document(self) -> QTextDocument:
        return QTextDocument(self.text)


class FakeQueue:
    def __init__(self) -> None:
        self.text, self.held = "", False

    def show_messages(self, messages: Sequence[tuple[str, Sequence[str]]], *, held: bool = False) -> None:
        self.text = " | ".join(" ".join((text, *attached)) for text, attached in messages)
        self.held = held


class FakeComposer:
    def __init__(self) -> None:
        self.editor, self.queue = FakeEditor(), FakeQueue()
        self.attachments: tuple[Part, ...] = ()
        self.problem = ""
        self._streaming = False
        self.focused = 0

    def text(self) -> str:
        return self.editor.text

    def set_text(self, text: str) -> None:
        self.editor.text = text

    def add_text(self, text: str) -> None:
        self.editor.text = text

    def draft(self) -> tuple[Part, ...]:
        return (*self.attachments, TextPart(self.editor.text)) if self.editor.text else self.attachments

    def ask_about_secret(self, words: str, *, own_key: bool = False) -> None:
        self.asked_about_secret = words

    def is_empty(self) -> bool:
        return not self.draft()

    def take_sent(self, text: str) -> None:
        self.editor.text = self.editor.text.removeprefix(text)

    def tell_problem(self, words: str, *, tone: Literal["danger", "secondary"] = "danger") -> None:
        self.problem = words

    def set_streaming(self, streaming: bool) -> None:
        self._streaming = streaming

    def shown_streaming(self) -> bool:
        return self._streaming

    def focus_editor(self) -> None:
        self.focused += 1


class FakeAttachments:
    def __init__(self) -> None:
        self.busy = False
        self.told: list[tuple[str, str]] = []

    def hold(self, thread_id: str, parts: Sequence[Part]) -> None:
        self.told.append(("hold", thread_id))

    def drop_waiting(self, thread_id: str, parts: Sequence[Part]) -> None:
        self.told.append(("drop", thread_id))

    def leave(self, thread_id: str, parts: Sequence[Part]) -> None:
        self.told.append(("leave", thread_id))


class FakeCardHost:
    """Offers everything that is in `known`."""

    def __init__(self) -> None:
        self.known: frozenset[str] = frozenset(("retry", "switch_model", "new_thread", "pass_cap"))
        self.unsent = ""
        self.has_unread = self.is_low = False
        self.elsewhere = False
        self.card: ErrorCard | None = None
        self.done: list[str] = []
        self.latest = self.announced = self.focused = 0

    def was_asked_elsewhere(self, _thread_id: str) -> bool:
        return self.elsewhere

    def carry_out(self, remedy: Remedy) -> None:
        self.done.append(remedy.action)

    def set_card(self, card: ErrorCard | None) -> None:
        self.card = card

    def show_card(self) -> None:
        self.latest += 1

    def announce_failure(self) -> None:
        self.announced += 1

    def focus_elsewhere(self) -> None:
        self.focused += 1
