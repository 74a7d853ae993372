"""Owns how threads, actions, models and prompts become entries of the palette. Knows no palette and no window."""

from __future__ import annotations

from PySide6.QtGui import QAction, QKeySequence

from desktop_app.core.messages import Thread
from desktop_app.core.prompts import Prompt
from desktop_app.ui.composer.model_choice import ModelChoice
from desktop_app.ui.palette.entries import Entry
from desktop_app.ui.threads.model import title_of


def of_thread(thread: Thread) -> Entry:
    """A thread with its project, else with how long ago it was changed."""
    icon = "document"
    if thread.private:
        icon = "private"
    elif thread.archived:
        icon = "archive"
    elif thread.pinned:
        icon = "pin"
    return Entry(
        "thread",
        thread.id,
        title_of(thread),
        thread.project or "",
        icon,
        updated=thread.updated,
        private=thread.private,
    )


def of_action(name: str, action: QAction) -> Entry:
    """An action with its keys."""
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    words = action.text().replace("&&", "&")
    return Entry("action", name, words, icon="continue", shortcut=keys, chosen=action.isChecked())


def of_prompt(prompt: Prompt) -> Entry:
    """A prompt of the library."""
    return Entry("prompt", prompt.id, prompt.title, icon="prompt")


def of_model(choice: ModelChoice, answering: tuple[str, str] | None) -> Entry:
    """A model with its backend, whose name stands before the first stroke of the key."""
    chosen = choice.key == answering
    return Entry("model", "/".join(choice.key), choice.model_name, choice.backend_title, "computer", chosen=chosen)
