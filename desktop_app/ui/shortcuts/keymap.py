"""The table of actions and the keys of each: the platform's or those of the settings, read, compared and told."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, cast

from PySide6.QtCore import QT_TRANSLATE_NOOP, QKeyCombination, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QWidget

from desktop_app.core.phrases import phrase
from desktop_app.ui.i18n.language import tr, translated

Key = Qt.Key
Standard = QKeySequence.StandardKey

EDITING: Final = (
    *(Standard.Copy, Standard.Cut, Standard.Paste, Standard.Undo, Standard.Redo, Standard.SelectAll),
    *(Standard.Delete, Standard.Backspace, Standard.DeleteStartOfWord, Standard.DeleteEndOfWord),
    *(Standard.MoveToNextWord, Standard.MoveToStartOfLine, Standard.MoveToStartOfDocument),
    *(Standard.MoveToPreviousWord, Standard.MoveToEndOfLine, Standard.MoveToEndOfDocument),
    *(Standard.SelectNextWord, Standard.SelectStartOfLine, Standard.SelectStartOfDocument),
    *(Standard.SelectPreviousWord, Standard.SelectEndOfLine, Standard.SelectEndOfDocument),
)
"""The keys that text fields use themselves: as shortcuts these would never be heard while somebody writes."""
LEADING: Final = frozenset({Key.Key_Return, Key.Key_Enter, Key.Key_Tab, Key.Key_Backtab, Key.Key_Escape})
"""Keys that lead through every window, also with Ctrl, Alt or Shift."""
MODIFIERS: Final = frozenset(
    {
        *(Key.Key_Shift, Key.Key_Control, Key.Key_Alt, Key.Key_AltGr, Key.Key_Meta, Key.Key_Super_L, Key.Key_Super_R),
        *(Key.Key_Hyper_L, Key.Key_Hyper_R, Key.Key_CapsLock, Key.Key_NumLock, Key.Key_ScrollLock, Key.Key_unknown),
    }
)
"""Keys that are nothing alone."""
_LABELLED = (range(Key.Key_Help.value, 0x01001000), range(Key.Key_Select.value, Key.Key_unknown.value))
_HELD = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


def read(text: str) -> QKeySequence | None:
    """Keys as settings.toml has them, such as "Ctrl+Shift+K"; None where they are none."""
    made = QKeySequence(text, QKeySequence.SequenceFormat.PortableText)
    known = made.count() > 0 and all(_stroke(made, place).key() != Key.Key_unknown for place in range(made.count()))
    return made if known else None


def written(keys: QKeySequence) -> str:
    """Keys as settings.toml has them, the same on every platform."""
    return keys.toString(QKeySequence.SequenceFormat.PortableText)


_NAMED_HERE: Final = (
    QT_TRANSLATE_NOOP("QShortcut", "Up"),
    QT_TRANSLATE_NOOP("QShortcut", "Down"),
    QT_TRANSLATE_NOOP("QShortcut", "Left"),
    QT_TRANSLATE_NOOP("QShortcut", "Right"),
    QT_TRANSLATE_NOOP("QShortcut", "Return"),
)
"""Keys that Qt's own translations name as no keyboard does, such as "Herunter": ours are asked first."""


def shown(keys: QKeySequence) -> str:
    """Keys as the platform names them, and as keyboards do: Qt's "Return" is Enter there."""
    return keys.toString(QKeySequence.SequenceFormat.NativeText).replace("Return", "Enter")


def pressed(key: int, modifiers: Qt.KeyboardModifier, text: str = "") -> QKeySequence | None:
    """Return the pressed keys, `text` being what they would write; None while only Shift and its like are down."""
    if key == 0 or Key(key) in MODIFIERS:
        return None
    kept = modifiers & (_HELD | Qt.KeyboardModifier.ShiftModifier)
    code = Key.Key_Tab if Key(key) == Key.Key_Backtab else Key(key)
    if text.isprintable() and text[:1] and not (text[0].isalnum() or text[0].isspace()):
        # a sign such as "?" tells of Shift itself, and Qt compares with the sign
        kept &= ~Qt.KeyboardModifier.ShiftModifier
    return QKeySequence(QKeyCombination(kept, code))


def is_labelled(keys: QKeySequence) -> bool:
    """A key that some keyboards have for just one thing, such as Help, New or Close."""
    stroke = _stroke(keys, 0) if keys.count() == 1 else None
    if stroke is None or stroke.keyboardModifiers() != Qt.KeyboardModifier.NoModifier:
        return False
    return any(stroke.key().value in codes for codes in _LABELLED)


def meet(one: QKeySequence, other: QKeySequence) -> bool:
    """Return True if pressing one could mean the other: they are the same, or one begins like the other."""
    no = QKeySequence.SequenceMatch.NoMatch
    return one.matches(other) != no or other.matches(one) != no


def refusal(keys: QKeySequence) -> str:
    """Why these can't be the keys of an action; empty where they can."""
    name = shown(keys)
    for place in range(keys.count()):
        stroke = _stroke(keys, place)
        key, held = stroke.key(), bool(stroke.keyboardModifiers() & _HELD)
        if key in LEADING:
            return tr("{keys} can't be used: Enter, Tab and Esc are needed in every window.").format(keys=name)
        if not held and not _is_own(key):
            return tr(
                "{keys} can't be used: it is needed for typing. Hold Ctrl or Alt with it, or use F1 to F12."
            ).format(keys=name)
        if any(QKeySequence(stroke) in QKeySequence.keyBindings(standard) for standard in EDITING):
            return tr("{keys} can't be used: text fields need it.").format(keys=name)
    return ""


def _is_own(key: Qt.Key) -> bool:
    """A key that writes nothing, moves nothing and is for nothing else: F1 to F35."""
    return Key.Key_F1.value <= key.value <= Key.Key_F35.value


def _stroke(keys: QKeySequence, place: int) -> QKeyCombination:
    # PySide's stubs do not know the operator
    return cast("QKeyCombination", keys[place])  # type: ignore[index]


@dataclass(frozen=True, slots=True)
class ActionRow:
    """One line of the table. `fallback` counts where the platform has no key for `standard`; `also` always."""

    id: str
    words: str
    standard: Standard | None = None
    fallback: str = ""
    also: str = ""


ROWS = (
    ActionRow("command_palette", phrase("Command palette"), None, "Ctrl+K"),
    ActionRow("new_thread", phrase("New thread"), Standard.New, "Ctrl+N"),
    ActionRow("find", phrase("Find in this thread"), Standard.Find, "Ctrl+F"),
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
    ActionRow("run_artifact", phrase("Run the artifact in the browser"), None, "Ctrl+Shift+R"),
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
    ActionRow("show_sync", phrase("Sync"), None, ""),
    ActionRow("show_usage", phrase("Usage"), None, ""),
    ActionRow("next_pane", phrase("Go to the next pane"), None, "F6"),
    ActionRow("previous_pane", phrase("Go to the previous pane"), None, "Shift+F6"),
    ActionRow("focus_card", phrase("Go to the message card and back"), None, ""),
    ActionRow("allow_once", phrase("Allow the tool call once"), None, ""),
    ActionRow("allow_thread", phrase("Allow the tool in this thread"), None, ""),
    ActionRow("refuse_call", phrase("Don't allow the tool call"), None, ""),
    ActionRow("connections", phrase("Connections"), None, ""),
    ActionRow("show_tools", phrase("Tools"), None, ""),
    ActionRow("ask_tools_again", phrase("Ask again before tools of this thread"), None, ""),
    ActionRow("preferences", phrase("Preferences"), Standard.Preferences, "Ctrl+,"),
    ActionRow("show_shortcuts", phrase("Keyboard shortcuts"), None, "Ctrl+/"),
    ActionRow("show_help", phrase("User guide"), Standard.HelpContents, "F1"),
    ActionRow("show_about", phrase("About Plimsoll"), None, ""),
    ActionRow("larger_text", phrase("Larger text"), Standard.ZoomIn, "Ctrl++", "Ctrl+="),
    ActionRow("smaller_text", phrase("Smaller text"), Standard.ZoomOut, "Ctrl+-"),
    ActionRow("usual_text", phrase("Default text size"), None, "Ctrl+0"),
    ActionRow("theme_system", phrase("System theme"), None, ""),
    ActionRow("theme_light", phrase("Light theme"), None, ""),
    ActionRow("theme_dark", phrase("Dark theme"), None, ""),
    ActionRow("next_thread", phrase("Next thread"), None, "Ctrl+PgDown"),
    ActionRow("previous_thread", phrase("Previous thread"), None, "Ctrl+PgUp"),
    ActionRow("close_window", phrase("Close the window"), None, "Ctrl+W", "Ctrl+F4"),
    ActionRow("quit", phrase("Quit"), Standard.Quit, "Ctrl+Q"),
)
"""Every action of the window."""


def default_keys(action: str) -> tuple[QKeySequence, ...]:
    """The keys of an action where nobody has changed them: the platform's own where it has some. None for no id."""
    if (row := next((row for row in ROWS if row.id == action), None)) is None:
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


Keys: TypeAlias = tuple[QKeySequence, ...]


class KeyMap(QObject):
    """Gives actions their keys. No two actions ever have keys that meet: what the settings say comes before defaults.

    `changed` comes when other keys count, or other problems are to be told.
    """

    changed = Signal()

    def __init__(self, actions: Mapping[str, QAction], parent: QObject) -> None:
        super().__init__(parent)
        self.actions = actions
        every = {name: default_keys(name) for name in actions}
        self.defaults: dict[str, Keys] = {
            name: tuple(one for one in keys if not is_labelled(one)) for name, keys in every.items()
        }
        """The keys of each action where nothing else is said, as the platform has them."""
        self._labelled = {name: tuple(one for one in keys if is_labelled(one)) for name, keys in every.items()}
        self._said: dict[str, Keys] = {}
        self.problems: tuple[str, ...] = ()
        """One sentence for each wrong value, naming its key; its default counts then."""
        self._taken: Mapping[str, tuple[str, ...]] = {}

    def keys(self, action: str) -> Keys:
        """The keys that count. What a keyboard has a key for, such as Help, stays with its action and is not told."""
        return tuple(keys for keys in self.actions[action].shortcuts() if not is_labelled(keys))

    def words(self, action: str) -> str:
        return self.actions[action].text().replace("&&", "&")

    def is_changed(self, action: str) -> bool:
        """Return True if the keys that count are others than the defaults."""
        return self.keys(action) != self.defaults[action]

    def is_said(self, action: str) -> bool:
        """Return True if the settings say something of this action that counts."""
        return action in self._said

    def owner(self, keys: QKeySequence, besides: str = "") -> str:
        """The action, other than `besides`, whose keys are these or begin alike; empty where there is none."""
        others = (name for name in self.actions if name != besides)
        return next((name for name in others if any(meet(keys, theirs) for theirs in self.keys(name))), "")

    def take(self, said: Mapping[str, Sequence[str]]) -> None:
        """Take the keys of the settings, by action: texts of keys, none of them: the action has no keys."""
        taken = {name: tuple(texts) for name, texts in said.items()}
        if taken == self._taken:
            return
        self._taken = taken
        problems: list[str] = []
        self._said = self._read(taken, problems)
        held = [keys for those in self._said.values() for keys in those]
        for name, action in self.actions.items():
            if (wanted := self._said.get(name)) is None:
                wanted = tuple(keys for keys in self.defaults[name] if not any(meet(keys, other) for other in held))
            wanted += self._labelled[name]
            if tuple(action.shortcuts()) != wanted:
                action.setShortcuts(list(wanted))
        self.problems = tuple(problems)
        self.changed.emit()

    def _read(self, said: Mapping[str, tuple[str, ...]], problems: list[str]) -> dict[str, Keys]:
        """Return the valid part of it, in the order of the actions: of two that want the same the first one gets it."""
        for name in said.keys() - self.actions.keys():
            near = difflib.get_close_matches(name, self.actions, n=1)
            told = tr("shortcuts.{name} is not an action; did you mean shortcuts.{near}?") if near else ""
            told = told or tr("shortcuts.{name} is not an action.")
            problems.append(told.format(name=name, near=near[0] if near else ""))
        found: dict[str, Keys] = {}
        for name in self.actions:
            if name in said:
                keys, wrong = self._read_one(name, said[name], found)
                if wrong:
                    problems.append(wrong)
                else:
                    found[name] = keys
        return found

    def _read_one(self, name: str, texts: Sequence[str], found: Mapping[str, Keys]) -> tuple[Keys, str]:
        made: list[QKeySequence] = []
        for text in texts:
            keys = read(text)
            why = tr("these are not keys") if keys is None else ""
            if keys is not None and keys not in self.defaults[name]:
                why = refusal(keys).rstrip(".")
            if keys is not None and not why:
                first = next((one for one, theirs in found.items() if any(meet(keys, other) for other in theirs)), "")
                why = tr("“{action}” has these keys").format(action=self.words(first)) if first else ""
            if keys is None or why:
                told = tr("shortcuts.{name} is “{text}”, but {why}; the default is used.")
                return (), told.format(name=name, text=text[:24], why=why)
            if not any(meet(keys, other) for other in made):
                made.append(keys)
        return tuple(made), ""


class KeyTip(QObject):
    """Puts the action's keys behind the words of the button's tip, and keeps them true when they change."""

    def __init__(self, button: QAbstractButton, action: QAction) -> None:
        super().__init__(button)
        self._button = button
        self._action = action
        self._words = button.toolTip()
        action.changed.connect(self._tell)
        self._tell()

    def _tell(self) -> None:
        keys = shown(self._action.shortcut())
        told = tr("{words} ({keys})").format(words=self._words, keys=keys)
        self._button.setToolTip(told if keys else self._words)
