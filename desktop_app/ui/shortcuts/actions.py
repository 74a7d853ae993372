"""Owns the table of actions: id, words, shortcut. Knows nothing of what an action does: `wiring` connects them."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

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
    ActionRow("command_palette", "Command palette", None, "Ctrl+K"),
    ActionRow("new_thread", "New thread", Key.New, "Ctrl+N"),
    ActionRow("find", "Find in this thread", Key.Find, "Ctrl+F"),
    ActionRow("find_next", "Next hit", None, "F3"),
    ActionRow("find_previous", "Previous hit", None, "Shift+F3"),
    ActionRow("previous_question", "Previous question", None, "Alt+Up"),
    ActionRow("next_question", "Next question", None, "Alt+Down"),
    ActionRow("go_to", "Go to a message or date", None, "Ctrl+Shift+J"),
    ActionRow("quote", "Quote the selection", None, "Ctrl+Shift+B"),
    ActionRow("copy_markdown", "Copy as Markdown", None, ""),
    ActionRow("copy_thread", "Copy the whole thread", None, ""),
    ActionRow("edit_question", "Edit the last question", None, ""),
    ActionRow("try_again", "Regenerate the last answer", None, ""),
    ActionRow("continue_answer", "Continue a cut answer", None, ""),
    ActionRow("rate_up", "Rate the answer up", None, "Ctrl+Shift+L"),
    ActionRow("rate_down", "Rate the answer down", None, "Ctrl+Shift+D"),
    ActionRow("note", "Write a note on the message", None, "Ctrl+Shift+T"),
    ActionRow("wrap_code", "Wrap lines of code", None, "Ctrl+Shift+W"),
    ActionRow("new_private_thread", "New private thread", None, "Ctrl+Shift+N"),
    ActionRow("search_threads", "Search threads and messages", None, "Ctrl+Shift+F"),
    ActionRow("toggle_threads", "Show or hide the thread list", None, "Ctrl+B"),
    ActionRow("rename_thread", "Rename the thread", None, "F2"),
    ActionRow("choose_model", "Choose a model", None, "Ctrl+Shift+M"),
    ActionRow("thread_parameters", "Parameters of this thread", None, "Ctrl+Shift+E"),
    ActionRow("attach_files", "Attach files", None, "Ctrl+Shift+A"),
    ActionRow("show_gauge", "What the next request holds", None, "Ctrl+Shift+G"),
    ActionRow("toggle_inspector", "Show or hide the context inspector", None, "Ctrl+I"),
    ActionRow("widen_threads", "Make the thread list wider", None, ""),
    ActionRow("narrow_threads", "Make the thread list narrower", None, ""),
    ActionRow("widen_inspector", "Make the context inspector wider", None, ""),
    ActionRow("narrow_inspector", "Make the context inspector narrower", None, ""),
    ActionRow("edit_system", "System prompt", None, ""),
    ActionRow("show_prompts", "Prompts", None, "Ctrl+Shift+P"),
    ActionRow("save_as_prompt", "Save the message as a prompt", None, ""),
    ActionRow("import_threads", "Import", None, ""),
    ActionRow("export_threads", "Export", None, ""),
    ActionRow("show_usage", "Usage and spend caps", None, ""),
    ActionRow("next_pane", "Go to the next pane", None, "F6"),
    ActionRow("previous_pane", "Go to the pane before", None, "Shift+F6"),
    ActionRow("focus_card", "Go to the message card and back", None, ""),
    ActionRow("connections", "Connections", None, ""),
    ActionRow("preferences", "Preferences", Key.Preferences, "Ctrl+,"),
    ActionRow("show_shortcuts", "Keyboard shortcuts", Key.HelpContents, "F1", "Ctrl+/"),
    ActionRow("show_help", "Help", None, ""),
    ActionRow("show_about", "About Plimsoll", None, ""),
    ActionRow("larger_text", "Larger text", Key.ZoomIn, "Ctrl++", "Ctrl+="),
    ActionRow("smaller_text", "Smaller text", Key.ZoomOut, "Ctrl+-"),
    ActionRow("usual_text", "Default text size", None, "Ctrl+0"),
    ActionRow("theme_system", "Colours as in the system", None, ""),
    ActionRow("theme_light", "Light colours", None, ""),
    ActionRow("theme_dark", "Dark colours", None, ""),
    ActionRow("next_thread", "Next thread", None, "Ctrl+PgDown"),
    ActionRow("previous_thread", "Previous thread", None, "Ctrl+PgUp"),
    ActionRow("close_window", "Close the window", None, "Ctrl+W", "Ctrl+F4"),
    ActionRow("quit", "Quit", Key.Quit, "Ctrl+Q"),
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
        action = QAction(QCoreApplication.translate("Actions", row.words), window)
        action.setObjectName(row.id)
        action.setShortcuts(list(default_keys(row.id)))
        window.addAction(action)
        actions[row.id] = action
    return actions
