"""The lines of the list of shortcuts: actions, then the keys that are fixed, and which of them a search finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QKeySequence

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.shortcuts.keymap import KeyMap, Keys, meet, read, shown
from desktop_app.ui.theme.theme import Theme

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


Kind: TypeAlias = Literal["heading", "action", "fixed"]
Index: TypeAlias = QModelIndex | QPersistentModelIndex

BETWEEN: Final = "  ·  "
LINE_ROLE: Final = Qt.ItemDataRole.UserRole + 1
_ROOT: Final = QModelIndex()


@dataclass(frozen=True, slots=True)
class ShortcutLine:
    """One line. `heading` is the words of the heading that it stands under; `note` what is to be said of its keys."""

    kind: Kind
    words: str
    heading: str
    id: str = ""
    keys: Keys = ()
    note: str = ""

    @property
    def shown_keys(self) -> str:
        """All keys, as the platform names them."""
        return BETWEEN.join(dict.fromkeys(shown(keys) for keys in self.keys))


def lines_of(keymap: KeyMap, fixed: Sequence[KeyPlace]) -> list[ShortcutLine]:
    """Every action in the order of the table, then every place with its fixed keys."""
    everywhere = tr("Everywhere in the window")
    made = [ShortcutLine("heading", everywhere, everywhere)]
    made += [
        ShortcutLine("action", keymap.words(name), everywhere, name, keymap.keys(name), _note(keymap, name))
        for name in keymap.actions
    ]
    for place in fixed:
        made.append(ShortcutLine("heading", place.name, place.name))
        made += [ShortcutLine("fixed", one.words, place.name, "", one.keys, tr("fixed")) for one in place.fixed]
    return made


def found_by_words(lines: Sequence[ShortcutLine], query: str) -> list[ShortcutLine]:
    """The lines that have every word in their words, keys, note or heading; all of them for an empty query."""
    words = query.casefold().split()
    return _with_headings(lines, lambda line: all(word in _haystack(line) for word in words))


def found_by_keys(lines: Sequence[ShortcutLine], keys: QKeySequence) -> list[ShortcutLine]:
    """The lines that have these keys, or keys that begin alike."""
    return _with_headings(lines, lambda line: any(meet(keys, theirs) for theirs in line.keys))


def _with_headings(lines: Sequence[ShortcutLine], wanted: Callable[[ShortcutLine], bool]) -> list[ShortcutLine]:
    hits = [line for line in lines if line.kind != "heading" and wanted(line)]
    under = {line.heading for line in hits}
    kept = {id(line) for line in hits}
    return [line for line in lines if id(line) in kept or (line.kind == "heading" and line.heading in under)]


def _haystack(line: ShortcutLine) -> str:
    return "\n".join((line.words, line.shown_keys, line.note, line.heading, line.id)).casefold()


def _note(keymap: KeyMap, name: str) -> str:
    taker = keymap.given_to(name)
    if taker:
        return tr("used by “{action}”").format(action=keymap.words(taker))
    return tr("changed") if keymap.is_changed(name) else ""


class ShortcutRows(QAbstractTableModel):
    """Lines as a table: what is done, the keys, what is to be said of them."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.lines: list[ShortcutLine] = []
        self._theme = theme
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        self._quiet, self._font = self._theme.color("text-secondary"), self._theme.title_font()
        self._font.setPointSizeF(self._theme.points("body"))

    def show_lines(self, lines: list[ShortcutLine]) -> None:
        """Replaces all lines."""
        self.beginResetModel()
        self.lines = lines
        self.endResetModel()

    def line(self, index: Index) -> ShortcutLine | None:
        return self.lines[index.row()] if index.isValid() else None

    def row_of(self, action: str) -> int:
        """The row of an action, -1 where it is not shown."""
        return next((row for row, line in enumerate(self.lines) if line.kind == "action" and line.id == action), -1)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else 3

    def flags(self, index: Index) -> Qt.ItemFlag:
        line = self.line(index)
        if line is None or line.kind == "heading":
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or orientation != Qt.Orientation.Horizontal:
            return None
        return (tr("Action"), tr("Keys"), tr("Note"))[section]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line = self.line(index)
        if line is None:
            return None
        cells = (line.words, line.shown_keys, line.note) if line.kind != "heading" else (line.words, "", "")
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.ToolTipRole:
                return cells[index.column()]
            case Qt.ItemDataRole.AccessibleTextRole:
                return ", ".join(cell for cell in cells if cell) if index.column() == 0 else cells[index.column()]
            case Qt.ItemDataRole.ForegroundRole:
                return self._quiet if line.kind == "fixed" or index.column() == 2 else None
            case Qt.ItemDataRole.FontRole:
                return self._font if line.kind == "heading" else None
            case _:
                return line if role == LINE_ROLE else None
