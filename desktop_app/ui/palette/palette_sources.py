"""The conversion of threads, actions, models and prompts into entries of the palette. Uses no palette and no window."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QAction, QKeySequence

from desktop_app.core.messages import Thread
from desktop_app.core.phrases import phrase
from desktop_app.core.prompts import Prompt
from desktop_app.ui.i18n.language import listed_title, translated
from desktop_app.ui.models.model_choice import ModelChoice
from desktop_app.ui.palette.palette_entries import PaletteEntry

SEARCH_WORDS: Final = {
    "theme_system": phrase("theme appearance color scheme automatic"),
    "larger_text": phrase("zoom in bigger font text size"),
    "smaller_text": phrase("zoom out font text size"),
    "usual_text": phrase("reset zoom font text size"),
    "theme_light": phrase("theme appearance color scheme light mode bright white day"),
    "theme_dark": phrase("theme appearance color scheme dark mode night black"),
    "preferences": phrase("settings options configuration font text size zoom language spell check"),
    "show_shortcuts": phrase("keyboard keys hotkeys key bindings help"),
    "copy_thread": phrase("export whole conversation chat"),
    "copy_markdown": phrase("export"),
    "new_thread": phrase("new conversation chat"),
    "new_private_thread": phrase("new private conversation chat incognito temporary"),
    "new_project": phrase("folder documents files knowledge"),
    "search_threads": phrase("history conversations chats"),
    "toggle_threads": phrase("sidebar history conversations"),
    "toggle_inspector": phrase("sidebar tokens"),
    "try_again": phrase("retry try again"),
    "connections": phrase("API key provider account sign in backend"),
    "choose_model": phrase("switch change model"),
    "thread_parameters": phrase("temperature thinking effort length of answers"),
    "show_usage": phrase("cost costs price money budget spend caps tokens statistics"),
    "attach_files": phrase("upload add image picture document"),
    "edit_system": phrase("instructions role persona"),
    "show_prompts": phrase("templates snippets library"),
    "wrap_code": phrase("line breaks word wrap"),
    "rate_up": phrase("like thumbs up good"),
    "rate_down": phrase("dislike thumbs down bad"),
    "note": phrase("comment"),
    "import_threads": phrase("ChatGPT conversations.json zip restore bring in history"),
    "export_threads": phrase("save download backup Markdown HTML PDF JSON"),
    "show_trash": phrase("deleted restore recover undelete bin delete for good"),
    "show_backups": phrase("copy of the history restore thread recover lost damaged safe"),
    "show_help": phrase("manual user guide documentation how to"),
    "show_about": phrase("version licenses doctor diagnosis"),
    "quit": phrase("exit end"),
}
"""Words that people look for an action by which is called otherwise. In another language these count, too."""


def of_thread(thread: Thread, project: str) -> PaletteEntry:
    """A thread with its project's name, else with how long ago it was changed."""
    icon = "document" if thread.title else "pencil"
    if thread.private:
        icon = "private"
    elif thread.archived:
        icon = "archive"
    elif thread.pinned:
        icon = "pin"
    return PaletteEntry(
        "thread",
        thread.id,
        listed_title(thread),
        project,
        icon,
        updated=thread.updated,
        private=thread.private,
    )


def of_project(project: str, name: str) -> PaletteEntry:
    """A project by its id."""
    return PaletteEntry("project", project, name, icon="folder")


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
    words = translated(SEARCH_WORDS[name])
    return words if words == SEARCH_WORDS[name] else f"{words} {SEARCH_WORDS[name]}"
