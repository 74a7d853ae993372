"""The keys that are fixed in parts of the window: told, and kept from actions of the window that would take them."""

from __future__ import annotations

from PySide6.QtGui import QKeySequence

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.shortcuts.keymap import Keys, Standard, meet, read


def places(*, enter_sends: bool = True) -> dict[str, dict[str, Keys]]:
    """All fixed keys. `enter_sends` False: Enter is a new line and Shift+Enter sends."""
    send, line = ("Return", "Shift+Return") if enter_sends else ("Shift+Return", "Return")
    return {
        tr("When you write a message"): {
            tr("Send; while answering, queue the message"): _keys(send, "Ctrl+Return"),
            tr("New line"): _keys(line),
            tr("Edit the last question (in an empty field)"): _keys("Up"),
            tr("Cancel the queued message, or stop the answer"): _keys("Esc"),
            tr("Undo and redo, attachments too"): _keys(Standard.Undo, Standard.Redo),
            tr("Copy"): _keys(Standard.Copy),
            tr("Scroll"): _keys("PgUp", "PgDown", "Home", "End"),
            tr("Attachments: move between them"): _keys("Left", "Right"),
            tr("Attachments: open; remove"): _keys("Return", "Del"),
            tr("Gauge: run its action; show context"): _keys("Return", "Space"),
        },
        tr("In the thread"): {
            tr("Move between messages"): _keys("Ctrl+Up", "Ctrl+Down"),
            tr("Menu of the message"): _keys("Return", "Menu"),
            tr("Move between links and buttons of the message"): _keys("Tab", "Shift+Tab"),
            tr("Press the link or button"): _keys("Return", "Space"),
            tr("Show an earlier or later version of the message"): _keys("Alt+Left", "Alt+Right"),
            tr("Scroll"): _keys("Up", "Down", "PgUp", "PgDown", "Home", "End"),
            tr("Move wide code and tables sideways"): _keys("Left", "Right"),
            tr("Select by characters and lines"): _keys("Shift+Left", "Shift+Right", "Shift+Up", "Shift+Down"),
            tr("Select by words"): _keys("Ctrl+Shift+Left", "Ctrl+Shift+Right"),
            tr("Select the message, then the thread"): _keys(Standard.SelectAll),
            tr("Copy"): _keys(Standard.Copy),
            tr("Copy as Markdown"): _keys("Ctrl+Shift+C"),
        },
        tr("When you find something in the thread"): {
            tr("Next place; previous place"): _keys("Return", "Shift+Return"),
            tr("Match case; whole words"): _keys("Alt+C", "Alt+W"),
            tr("Close"): _keys("Esc"),
        },
        tr("When you edit a question"): {
            tr("Send the question"): _keys(send, "Ctrl+Return"),
            tr("Cancel"): _keys("Esc"),
        },
        tr("On a message card"): {
            tr("Move between buttons"): _keys("Left", "Right"),
            tr("Back to your message"): _keys("Esc"),
        },
        tr("In the thread list"): {
            tr("Open"): _keys("Return"),
            tr("Delete; undo"): _keys("Del", Standard.Undo),
            tr("Collapse or expand a group"): _keys("Left", "Right", "Space"),
            tr("Select several threads"): _keys("Shift+Up", "Shift+Down"),
            tr("Select all threads"): _keys(Standard.SelectAll),
            tr("Menu of the thread"): _keys("Menu"),
            tr("From the search field to the results"): _keys("Down", "Return"),
            tr("Leave the search, the selection or the archive"): _keys("Esc"),
        },
        tr("In the inspector"): {
            tr("Show the message in the thread; go there"): _keys("Down", "Return"),
            tr("Pin"): _keys("P"),
            tr("Exclude"): _keys("X"),
            tr("Bring back"): _keys("B"),
            tr("Summarize"): _keys("S"),
            tr("Select several messages"): _keys("Shift+Up", "Shift+Down"),
            tr("Undo and redo"): _keys(Standard.Undo, Standard.Redo),
            tr("Collapse or expand a group"): _keys("Left", "Right"),
            tr("Close, where the inspector covers the thread"): _keys("Esc"),
        },
        tr("On the line between two panes"): {
            tr("Move the line"): _keys("Left", "Right"),
            tr("To the smallest or largest width"): _keys("Home", "End"),
        },
        tr("In the command palette"): {
            tr("Choose"): _keys("Return"),
            tr("Next group; previous group"): _keys("Tab", "Shift+Tab"),
            tr("Only actions, threads or models: type it first"): _keys(">", "#", "@"),
            tr("Close"): _keys("Esc"),
        },
        tr("On a page"): {
            tr("Back to the thread"): _keys("Esc"),
            tr("Save a summary or a system prompt"): _keys(Standard.Save),
            tr("Find a setting"): _keys(Standard.Find),
            tr("Undo and redo a change of settings or keys"): _keys(Standard.Undo, Standard.Redo),
            tr("Usage: sort by the column; copy"): _keys("S", Standard.Copy),
        },
        tr("When you view an image"): {
            tr("Previous image; next image"): _keys("Left", "Right"),
            tr("Zoom in; zoom out; fit"): _keys("+", "-", "0"),
            tr("Copy"): _keys(Standard.Copy),
            tr("Close"): _keys("Esc"),
        },
        tr("In the quick window"): {
            tr("Ask"): _keys(send),
            tr("Open as a thread"): _keys("Ctrl+Return"),
            tr("Close"): _keys("Esc"),
        },
    }


def fixed_by(keys: QKeySequence) -> str:
    """The place and what these keys do there, if an action of the window with them would take them from it; or ""."""
    for place, fixed in places().items():
        for words, theirs in fixed.items():
            # what finds something rests in the window while a page has it as well
            shared = any(one in QKeySequence.keyBindings(Standard.Find) for one in theirs)
            if not shared and any(meet(keys, one) for one in theirs):
                return f"{place}: {words}"
    return ""


def _keys(*keys: str | Standard) -> Keys:
    """The first binding of each that the platform has."""
    made = (read(key) if isinstance(key, str) else next(iter(QKeySequence.keyBindings(key)), None) for key in keys)
    return tuple(one for one in made if one is not None)
