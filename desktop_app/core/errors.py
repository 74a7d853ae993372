"""The errors that are not bugs, and the actions that an error card may offer.

A `UserError` tells the user what to do; a `TransientError` may go away by itself. Any other exception is a bug and
makes a local crash report.
"""

from __future__ import annotations

import math
from typing import Final, Literal, TypeAlias

from desktop_app.core.messages import Failure, FailureCode
from desktop_app.core.phrases import Phrase, having, phrase, template, value_of

TEXT_SAVED: Final = phrase("The text so far is saved.")
TEXT_IN_MEMORY: Final = phrase("The text so far is kept until Plimsoll is closed.")
"""The words in a failure's field `saved` where the thread is private."""
CONNECTIONS: Final = phrase(" under Connections")
"""The words in a failure's field `where`, except on the page of connections itself."""

#: Every action that a failure may name, with the words on its button. `{...}` is filled by whoever shows it.
ACTIONS: dict[str, str] = {
    "retry": template("Try again"),
    "continue": template("Continue"),
    "stop": template("Stop"),
    "raise_limit": template("Raise the limit to {limit}"),
    "set_limit": template("Set the model's window"),
    "edit_draft": template("Shorten the message"),
    "new_thread": template("Start a new thread with this message"),
    "switch_model": template("Choose another model"),
    "open_connections": template("Set up a connection"),
    "add_key": template("Add key"),
    "replace_key": template("Replace key"),
    "unlock_keyring": template("Unlock keyring"),
    "start_fresh": template("Start fresh from here"),
    "open_data_folder": template("Open the data folder"),
    "save_elsewhere": template("Save elsewhere…"),
    "open_new_file": template("Open the new file"),
    "new_history": template("Start a new history"),
    "repair_history": template("Repair now"),
    "summarise": template("Summarize and continue"),
    "new_thread_summary": template("Start a new thread with a summary"),
    "shorten_document": template("Use the first {limit} tokens of {name}"),
    "remove_document": template("Remove {name}"),
    "remove_attachment": template("Remove what it can't read"),
    "search_instead": template("Search {name} instead"),
    "exclude": template("Leave out {name}"),
    "delete_question": template("Delete the question"),
    "unpin": template("Unpin"),
    "edit_system": template("Shorten the system prompt"),
    "tools_off": template("Switch off {name}, saves {limit}"),
    "keep_trimming": template("Keep to {limit}"),
    "undo_trim": template("Undo"),
    "send": template("Send as it is"),
    "pass_cap": template("Send anyway"),
    "send_anyway": template("Send anyway"),
    "edit_caps": template("Change the cap"),
}

_RETRY: Final = template("{cause} Trying again in {seconds:.0f} s ({attempt} of {most})")
_RETRY_NOW: Final = template("{cause} Trying again now ({attempt} of {most})")


LONGEST_COUNTED_S: Final = 120
"""A longer wait is told in minutes."""

PASSING: Final = ("retry", "switch_model")
"""The actions where a provider can't answer at the moment: it will in a while, and another may at once."""


def retry_words(*, cause: str, seconds: float, attempt: int, most: int) -> Phrase:
    """The line while a request is tried again: `Rate limited. Trying again in 2 s (1 of 2)`."""
    values = {"cause": cause, "seconds": round(seconds), "attempt": attempt, "most": most}
    return Phrase(_RETRY if seconds >= 1 else _RETRY_NOW, values)


def waiting_for(retry: str, seconds: int) -> str:
    """Return the words that `retry_words` made, with so many seconds to wait from now on."""
    if not isinstance(retry, Phrase):
        return retry
    return Phrase(_RETRY if seconds >= 1 else _RETRY_NOW, {**retry.values, "seconds": seconds})


def wait_words(seconds: float | None) -> str:
    """The time until something may work again, for the field `when` of a failure; None: nobody said."""
    if seconds is None:
        return phrase(" later")
    if seconds > LONGEST_COUNTED_S:
        return phrase(" in {minutes:,} min", minutes=math.ceil(seconds / 60))
    return phrase(" in {seconds:,} s", seconds=math.ceil(seconds)) if seconds > 0 else ""


def named_wait(message: str) -> float:
    """The seconds that a failure's words say there are to wait from its moment on."""
    return value_of(message, "seconds") or 60 * (value_of(message, "minutes") or 0)


def with_wait(message: str, seconds: float = 0) -> str:
    """A failure's words with so many seconds to wait from now on, where they name such a time: it was true once."""
    return having(message, when=wait_words(seconds)) if named_wait(message) else message


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


KeyringTrouble: TypeAlias = Literal["none", "plain", "locked", "silent", "failed"]


class KeyringError(UserError):
    """The keyring could not be asked for its `trouble`; `holds_key`: it has the key, or it was saved there."""

    def __init__(
        self, message: str, trouble: KeyringTrouble = "failed", *, detail: str = "", holds_key: bool = False
    ) -> None:
        super().__init__("config", message, detail=detail, actions=("unlock_keyring", "retry")[trouble != "locked" :])
        self.trouble: Final = trouble
        self.holds_key = holds_key


class HistoryReplacedError(UserError):
    """Another file stands at the path: memory may have all there is. `kept`: what is written goes into a kept file."""

    kept: bool = False


class HistoryDamagedError(UserError):
    """The history file is damaged, was emptied, or is no history: a repair may bring back what was in it."""


class HistoryUnwritableError(UserError):
    """The history can be read, but not written for now: it is read-only, full, locked, or out of reach."""


class TransientError(PlimsollError):
    """Something that may work when tried again: the network, an overloaded server, a locked file."""
