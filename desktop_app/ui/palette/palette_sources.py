"""Owns how threads, actions, models and prompts become entries of the palette. Knows no palette and no window."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QKeySequence

from desktop_app.core.messages import Thread
from desktop_app.core.prompts import Prompt
from desktop_app.ui.models.model_choice import ModelChoice
from desktop_app.ui.palette.palette_entries import PaletteEntry
from desktop_app.ui.threads.thread_list_model import title_of

SEARCH_WORDS: Final = {
    "theme_system": "theme appearance color scheme automatic",
    "larger_text": "zoom in bigger font text size",
    "smaller_text": "zoom out font text size",
    "usual_text": "reset zoom font text size",
    "theme_light": "theme appearance color scheme light mode bright white day",
    "theme_dark": "theme appearance color scheme dark mode night black",
    "preferences": "settings options configuration font text size zoom language spell check",
    "show_shortcuts": "keyboard keys hotkeys key bindings help",
    "copy_thread": "export whole conversation chat",
    "copy_markdown": "export",
    "new_thread": "new conversation chat",
    "new_private_thread": "new private conversation chat incognito temporary",
    "search_threads": "history conversations chats",
    "toggle_threads": "sidebar history conversations",
    "toggle_inspector": "sidebar tokens",
    "try_again": "retry try again",
    "connections": "API key provider account sign in backend",
    "choose_model": "switch change model",
    "thread_parameters": "temperature thinking effort length of answers",
    "show_usage": "cost costs price money budget tokens statistics",
    "attach_files": "upload add image picture document",
    "edit_system": "instructions role persona",
    "show_prompts": "templates snippets library",
    "wrap_code": "line breaks word wrap",
    "rate_up": "like thumbs up good",
    "rate_down": "dislike thumbs down bad",
    "note": "comment",
    "import_threads": "ChatGPT conversations.json zip restore bring in history",
    "export_threads": "save download backup Markdown JSON",
    "show_help": "manual user guide documentation how to",
    "show_about": "version licenses doctor diagnosis",
    "quit": "exit end",
}
"""Words that people look for an action by which is called otherwise. In another language these count, too."""


def of_thread(thread: Thread) -> PaletteEntry:
    """A thread with its project, else with how long ago it was changed."""
    icon = "document"
    if thread.private:
        icon = "private"
    elif thread.archived:
        icon = "archive"
    elif thread.pinned:
        icon = "pin"
    return PaletteEntry(
        "thread",
        thread.id,
        title_of(thread),
        thread.project or "",
        icon,
        updated=thread.updated,
        private=thread.private,
    )


def of_action(name: str, action: QAction) -> PaletteEntry:
    """An action with its keys."""
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    words = action.text().replace("&&", "&")
    return PaletteEntry(
        "action", name, words, icon="continue", shortcut=keys, chosen=action.isChecked(), also=_search_words(name)
    )


def of_prompt(prompt: Prompt) -> PaletteEntry:
    """A prompt of the library."""
    return PaletteEntry("prompt", prompt.id, prompt.title, icon="prompt")


def of_model(choice: ModelChoice, answering: tuple[str, str] | None) -> PaletteEntry:
    """A model with its backend, whose name stands before the first stroke of the key."""
    chosen = choice.key == answering
    return PaletteEntry(
        "model", "/".join(choice.key), choice.model_name, choice.backend_title, "computer", chosen=chosen
    )


def _search_words(name: str) -> str:
    if name not in SEARCH_WORDS:
        return ""
    words = QCoreApplication.translate("Palette words", SEARCH_WORDS[name])
    return words if words == SEARCH_WORDS[name] else f"{words} {SEARCH_WORDS[name]}"
