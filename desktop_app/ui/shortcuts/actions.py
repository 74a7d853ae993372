"""The table of actions: id, words, shortcut. Carries out no action: `wiring` connects them."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from desktop_app.core.phrases import phrase
from desktop_app.ui.i18n.language import translated

Key = QKeySequence.StandardKey


@dataclass(frozen=True, slots=True)
class ActionRow:
    """One line of the table. `fallback` counts where the platform has no key for `standard`; `also` always."""

    id: str
    words: str
    standard: Key | None = None
    fallback: str = ""
    also: str = ""


ROWS = (
    ActionRow("command_palette", phrase("Command palette"), None, "Ctrl+K"),
    ActionRow("new_thread", phrase("New thread"), Key.New, "Ctrl+N"),
    ActionRow("find", phrase("Find in this thread"), Key.Find, "Ctrl+F"),
    ActionRow("find_next", phrase("Next result"), None, "F3"),
    ActionRow("find_previous", phrase("Previous result"), None, "Shift+F3"),
    ActionRow("previous_question", phrase("Previous question"), None, "Alt+Up"),
    ActionRow("next_question", phrase("Next question"), None, "Alt+Down"),
    ActionRow("go_to", phrase("Go to a message or date"), None, "Ctrl+Shift+J"),
    ActionRow("show_branches", phrase("Branches of this thread"), None, "Ctrl+Shift+H"),
    ActionRow("quote", phrase("Quote the selection"), None, "Ctrl+Shift+B"),
    ActionRow("copy_markdown", phrase("Copy as Markdown"), None, ""),
    ActionRow("copy_thread", phrase("Copy the whole thread"), None, ""),
    ActionRow("edit_question", phrase("Edit the last question"), None, ""),
    ActionRow("try_again", phrase("Regenerate the last answer"), None, ""),
    ActionRow("continue_answer", phrase("Continue an answer that was cut off"), None, ""),
    ActionRow("rate_up", phrase("Rate the answer up"), None, "Ctrl+Shift+L"),
    ActionRow("rate_down", phrase("Rate the answer down"), None, "Ctrl+Shift+D"),
    ActionRow("note", phrase("Write a note on the message"), None, "Ctrl+Shift+T"),
    ActionRow("wrap_code", phrase("Wrap lines of code"), None, "Ctrl+Shift+W"),
    ActionRow("new_private_thread", phrase("New private thread"), None, "Ctrl+Shift+N"),
    ActionRow("open_in_new_window", phrase("Open in new window"), None, "Ctrl+Shift+O"),
    ActionRow("search_threads", phrase("Search threads and messages"), None, "Ctrl+Shift+F"),
    ActionRow("toggle_threads", phrase("Show or hide the thread list"), None, "Ctrl+B"),
    ActionRow("rename_thread", phrase("Rename the thread"), None, "F2"),
    ActionRow("duplicate_thread", phrase("Duplicate the thread"), None, ""),
    ActionRow("pin_thread", phrase("Pin or unpin the thread"), None, ""),
    ActionRow("move_thread", phrase("Move the thread to a project"), None, ""),
    ActionRow("archive_thread", phrase("Archive the thread"), None, ""),
    ActionRow("delete_thread", phrase("Delete the thread"), None, ""),
    ActionRow("choose_model", phrase("Choose a model"), None, "Ctrl+Shift+M"),
    ActionRow("thread_parameters", phrase("Parameters of this thread"), None, "Ctrl+Shift+E"),
    ActionRow("attach_files", phrase("Attach files"), None, "Ctrl+Shift+A"),
    ActionRow("show_gauge", phrase("Context"), None, "Ctrl+Shift+G"),
    ActionRow("toggle_inspector", phrase("Show or hide the context inspector"), None, "Ctrl+I"),
    ActionRow("toggle_artifacts", phrase("Show or hide the artifacts"), None, "Ctrl+Shift+K"),
    ActionRow("keep_answer", phrase("Keep the last answer as an artifact"), None, ""),
    ActionRow("widen_threads", phrase("Make the thread list wider"), None, ""),
    ActionRow("narrow_threads", phrase("Make the thread list narrower"), None, ""),
    ActionRow("widen_inspector", phrase("Make the context inspector wider"), None, ""),
    ActionRow("narrow_inspector", phrase("Make the context inspector narrower"), None, ""),
    ActionRow("edit_system", phrase("System prompt"), None, ""),
    ActionRow("show_prompts", phrase("Prompts"), None, "Ctrl+Shift+P"),
    ActionRow("new_project", phrase("New project"), None, ""),
    ActionRow("open_project", phrase("Project of this thread"), None, ""),
    ActionRow("save_as_prompt", phrase("Save the message as a prompt"), None, ""),
    ActionRow("import_threads", phrase("Import"), None, ""),
    ActionRow("export_threads", phrase("Export"), None, ""),
    ActionRow("show_trash", phrase("Trash"), None, ""),
    ActionRow("show_backups", phrase("Backups"), None, ""),
    ActionRow("show_usage", phrase("Usage"), None, ""),
    ActionRow("next_pane", phrase("Go to the next pane"), None, "F6"),
    ActionRow("previous_pane", phrase("Go to the previous pane"), None, "Shift+F6"),
    ActionRow("focus_card", phrase("Go to the message card and back"), None, ""),
    ActionRow("connections", phrase("Connections"), None, ""),
    ActionRow("preferences", phrase("Preferences"), Key.Preferences, "Ctrl+,"),
    ActionRow("show_shortcuts", phrase("Keyboard shortcuts"), Key.HelpContents, "F1", "Ctrl+/"),
    ActionRow("show_help", phrase("User guide"), None, ""),
    ActionRow("show_about", phrase("About Plimsoll"), None, ""),
    ActionRow("larger_text", phrase("Larger text"), Key.ZoomIn, "Ctrl++", "Ctrl+="),
    ActionRow("smaller_text", phrase("Smaller text"), Key.ZoomOut, "Ctrl+-"),
    ActionRow("usual_text", phrase("Default text size"), None, "Ctrl+0"),
    ActionRow("theme_system", phrase("System theme"), None, ""),
    ActionRow("theme_light", phrase("Light theme"), None, ""),
    ActionRow("theme_dark", phrase("Dark theme"), None, ""),
    ActionRow("next_thread", phrase("Next thread"), None, "Ctrl+PgDown"),
    ActionRow("previous_thread", phrase("Previous thread"), None, "Ctrl+PgUp"),
    ActionRow("close_window", phrase("Close the window"), None, "Ctrl+W", "Ctrl+F4"),
    ActionRow("quit", phrase("Quit"), Key.Quit, "Ctrl+Q"),
)
"""Every action of the window."""


def default_keys(action: str) -> tuple[QKeySequence, ...]:
    """The keys of an action where nobody has changed them: the platform's own where it has some. None for no id."""
    row = next((row for row in ROWS if row.id == action), None)
    if row is None:
        return ()
    keys = QKeySequence.keyBindings(row.standard) if row.standard is not None else []
    if not keys and row.fallback:
        keys = [QKeySequence(row.fallback)]
    return (*keys, QKeySequence(row.also)) if row.also else tuple(keys)


def make_actions(window: QWidget) -> dict[str, QAction]:
    """The actions by id, with their shortcuts, added to the window so that they work wherever the keyboard is."""
    actions: dict[str, QAction] = {}
    for row in ROWS:
        action = QAction(translated(row.words), window)
        action.setObjectName(row.id)
        action.setShortcuts(list(default_keys(row.id)))
        window.addAction(action)
        actions[row.id] = action
    return actions
