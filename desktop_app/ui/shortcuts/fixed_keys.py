"""The table of keys that are fixed: their effects, by the place where they have them. Uses no widget.

These belong to a place and not to the window: a letter such as P does something only while the inspector's list has
the keyboard.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QKeySequence

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.shortcuts.key_sequences import meet, read

Standard = QKeySequence.StandardKey


@dataclass(frozen=True, slots=True)
class FixedKeys:
    """Key sequences that do the same."""

    keys: tuple[QKeySequence, ...]
    words: str


@dataclass(frozen=True, slots=True)
class KeyPlace:
    """A part of the window, such as "In the inspector"."""

    name: str
    fixed: tuple[FixedKeys, ...]


def places(*, enter_sends: bool = True) -> tuple[KeyPlace, ...]:
    """All fixed keys. `enter_sends` False: Enter is a new line and Shift+Enter sends."""
    send, line = ("Return", "Shift+Return") if enter_sends else ("Shift+Return", "Return")
    return (
        KeyPlace(
            tr("When you write a message"),
            (
                _fixed(tr("Send; while answering, queue the message"), send, "Ctrl+Return"),
                _fixed(tr("New line"), line),
                _fixed(tr("Edit the last question (in an empty field)"), "Up"),
                _fixed(tr("Cancel the queued message, or stop the answer"), "Esc"),
                _fixed(tr("Undo and redo, attachments too"), Standard.Undo, Standard.Redo),
                _fixed(tr("Copy"), Standard.Copy),
                _fixed(tr("Scroll"), "PgUp", "PgDown"),
                _fixed(tr("Attachments: move between them"), "Left", "Right"),
                _fixed(tr("Attachments: open; remove"), "Return", "Del"),
                _fixed(tr("Gauge: run its action; show context"), "Return", "Space"),
            ),
        ),
        KeyPlace(
            tr("In the thread"),
            (
                _fixed(tr("Move between messages"), "Ctrl+Up", "Ctrl+Down"),
                _fixed(tr("Menu of the message"), "Return", "Menu"),
                _fixed(tr("Move between links and buttons of the message"), "Tab", "Shift+Tab"),
                _fixed(tr("Press the link or button"), "Return", "Space"),
                _fixed(tr("Show an earlier or later version of the message"), "Alt+Left", "Alt+Right"),
                _fixed(tr("Scroll"), "Up", "Down", "PgUp", "PgDown", "Home", "End"),
                _fixed(tr("Move wide code and tables sideways"), "Left", "Right"),
                _fixed(tr("Select by characters and lines"), "Shift+Left", "Shift+Right", "Shift+Up", "Shift+Down"),
                _fixed(tr("Select by words"), "Ctrl+Shift+Left", "Ctrl+Shift+Right"),
                _fixed(tr("Select the message, then the thread"), Standard.SelectAll),
                _fixed(tr("Copy"), Standard.Copy),
                _fixed(tr("Copy as Markdown"), "Ctrl+Shift+C"),
            ),
        ),
        KeyPlace(
            tr("When you find something in the thread"),
            (
                _fixed(tr("Next place; previous place"), "Return", "Shift+Return"),
                _fixed(tr("Match case; whole words"), "Alt+C", "Alt+W"),
                _fixed(tr("Close"), "Esc"),
            ),
        ),
        KeyPlace(
            tr("When you edit a question"),
            (
                _fixed(tr("Send the question"), send, "Ctrl+Return"),
                _fixed(tr("Cancel"), "Esc"),
            ),
        ),
        KeyPlace(
            tr("On a message card"),
            (
                _fixed(tr("Move between buttons"), "Left", "Right"),
                _fixed(tr("Back to your message"), "Esc"),
            ),
        ),
        KeyPlace(
            tr("In the thread list"),
            (
                _fixed(tr("Open"), "Return"),
                _fixed(tr("Delete; undo"), "Del", Standard.Undo),
                _fixed(tr("Collapse or expand a group"), "Left", "Right", "Space"),
                _fixed(tr("Select several threads"), "Shift+Up", "Shift+Down"),
                _fixed(tr("Select all threads"), Standard.SelectAll),
                _fixed(tr("Menu of the thread"), "Menu"),
                _fixed(tr("From the search field to the results"), "Down", "Return"),
                _fixed(tr("Leave the search, the selection or the archive"), "Esc"),
            ),
        ),
        KeyPlace(
            tr("In the inspector"),
            (
                _fixed(tr("Show the message in the thread; go there"), "Down", "Return"),
                _fixed(tr("Pin"), "P"),
                _fixed(tr("Exclude"), "X"),
                _fixed(tr("Bring back"), "B"),
                _fixed(tr("Summarize"), "S"),
                _fixed(tr("Select several messages"), "Shift+Up", "Shift+Down"),
                _fixed(tr("Undo and redo"), Standard.Undo, Standard.Redo),
                _fixed(tr("Collapse or expand a group"), "Left", "Right"),
                _fixed(tr("Close, where the inspector covers the thread"), "Esc"),
            ),
        ),
        KeyPlace(
            tr("On the line between two panes"),
            (
                _fixed(tr("Move the line"), "Left", "Right"),
                _fixed(tr("To the smallest or largest width"), "Home", "End"),
            ),
        ),
        KeyPlace(
            tr("In the command palette"),
            (
                _fixed(tr("Choose"), "Return"),
                _fixed(tr("Next group; previous group"), "Tab", "Shift+Tab"),
                _fixed(tr("Only actions, threads or models: type it first"), ">", "#", "@"),
                _fixed(tr("Close"), "Esc"),
            ),
        ),
        KeyPlace(
            tr("On a page"),
            (
                _fixed(tr("Back to the thread"), "Esc"),
                _fixed(tr("Save a summary or a system prompt"), Standard.Save),
                _fixed(tr("Find a setting"), Standard.Find),
                _fixed(tr("Undo and redo a change of settings or keys"), Standard.Undo, Standard.Redo),
                _fixed(tr("Usage: sort by the column; copy"), "S", Standard.Copy),
            ),
        ),
        KeyPlace(
            tr("When you view an image"),
            (
                _fixed(tr("Previous image; next image"), "Left", "Right"),
                _fixed(tr("Zoom in; zoom out; fit"), "+", "-", "0"),
                _fixed(tr("Copy"), Standard.Copy),
                _fixed(tr("Close"), "Esc"),
            ),
        ),
        KeyPlace(
            tr("In the quick window"),
            (
                _fixed(tr("Ask"), send),
                _fixed(tr("Open as a thread"), "Ctrl+Return"),
                _fixed(tr("Close"), "Esc"),
            ),
        ),
    )


def fixed_by(keys: QKeySequence) -> tuple[KeyPlace, FixedKeys] | None:
    """Return a place and the keys fixed there that would be taken from it if an action of the window had these keys."""
    for place in places():
        for fixed in place.fixed:
            if any(meet(keys, one) for one in fixed.keys) and not _shared(fixed):
                return place, fixed
    return None


def _shared(fixed: FixedKeys) -> bool:
    """Keys that the window has as well: the action of the window rests while the page is there."""
    return any(one in QKeySequence.keyBindings(Standard.Find) for one in fixed.keys)


def _fixed(words: str, *keys: str | Standard) -> FixedKeys:
    made: list[QKeySequence] = []
    for key in keys:
        sequence = read(key) if isinstance(key, str) else next(iter(QKeySequence.keyBindings(key)), None)
        if sequence is not None:
            made.append(sequence)
    return FixedKeys(tuple(made), words)
