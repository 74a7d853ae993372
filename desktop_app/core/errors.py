"""Owns the errors that are not bugs, and the actions that an error card may offer. Knows nothing of how they are shown.

A `UserError` tells the user what to do; a `TransientError` may go away by itself. Any other exception is a bug and
makes a local crash report.
"""

from __future__ import annotations

from desktop_app.core.messages import Failure, FailureCode

#: Every action that a failure may name, with the words on its button. `{...}` is filled by whoever shows it.
ACTIONS: dict[str, str] = {
    "retry": "Try again",
    "continue": "Continue",
    "stop": "Stop",
    "raise_limit": "Raise the limit to {limit}",
    "edit_draft": "Shorten the message",
    "new_thread": "Start a new thread with this message",
    "switch_model": "Choose another model",
    "open_connections": "Set up a connection",
    "replace_key": "Replace key",
    "start_fresh": "Start fresh from here",
    "open_data_folder": "Open the data folder",
    "save_elsewhere": "Save elsewhere…",
    "open_new_file": "Open the new file",
    "new_history": "Start a new history",
    "summarise": "Summarise and continue",
    "new_thread_summary": "Start a new thread with a summary",
    "shorten_document": "Use the first {limit} tokens of {name}",
    "remove_document": "Remove {name}",
    "remove_attachment": "Remove what it can't read",
    "exclude": "Leave out {name}",
    "unpin": "Unpin",
    "edit_system": "Shorten the system prompt",
    "keep_trimming": "Keep to {limit}",
    "undo_trim": "Undo",
    "send": "Send as it is",
    "pass_cap": "Send anyway",
    "send_anyway": "Send anyway",
    "edit_caps": "Change the cap",
}


class PlimsollError(Exception):
    """Base of all expected errors; carries the `Failure` that the window shows and the command line prints."""

    def __init__(
        self,
        code: FailureCode,
        message: str,
        *,
        detail: str = "",
        actions: tuple[str, ...] = (),
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.failure = Failure(code, message, detail, actions, retry_after_s)


class UserError(PlimsollError):
    """Something only the user can mend: a missing key, a wrong argument, a conversation that is too long."""


class HistoryReplacedError(UserError):
    """The file at the history's path is not the one that was opened: what is in memory may be all there is.

    `kept`: what is still written goes into a file that is kept.
    """

    kept: bool = False


class TransientError(PlimsollError):
    """Something that may work when tried again: the network, an overloaded server, a locked file."""
