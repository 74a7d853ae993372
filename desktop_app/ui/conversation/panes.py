"""The protocols through which presenters of the conversation use the composer and the attachments: no widget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from PySide6.QtGui import QTextDocument

from desktop_app.core.messages import Part


class MessageEditor(Protocol):
    """The composer's text field."""

    def replace_text(self, text: str) -> None: ...

    def document(self) -> QTextDocument: ...


class QueueLine(Protocol):
    """The line of a message that waits behind the running answer."""

    def show_text(self, text: str, attached: Sequence[str] = ()) -> None: ...


class MessageComposer(Protocol):
    """The field in which a message is written."""

    @property
    def editor(self) -> MessageEditor: ...

    @property
    def queue(self) -> QueueLine: ...

    @property
    def attachments(self) -> tuple[Part, ...]: ...

    @property
    def problem(self) -> str: ...

    def text(self) -> str: ...

    def set_text(self, text: str) -> None: ...

    def add_text(self, text: str) -> None: ...

    def draft(self) -> tuple[Part, ...]: ...

    def is_empty(self) -> bool: ...

    def take_sent(self, text: str) -> None: ...

    def tell_problem(self, words: str, *, tone: Literal["danger", "secondary"] = "danger") -> None: ...

    def ask_about_key(self, asked: bool) -> None: ...

    def set_streaming(self, streaming: bool) -> None: ...

    def focus_editor(self) -> None: ...


class AttachedDrafts(Protocol):
    """The attachments of the drafts of threads."""

    @property
    def busy(self) -> bool: ...

    def hold(self, thread_id: str, parts: Sequence[Part]) -> None: ...

    def release(self, thread_id: str) -> None: ...

    def drop_waiting(self, thread_id: str) -> None: ...

    def leave(self, thread_id: str, parts: Sequence[Part]) -> None: ...
