"""The lines of the list of shortcuts: actions, then the keys that are fixed, and which of them a search finds.

Knows no widget that shows them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QKeySequence

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.shortcuts.fixed_keys import KeyPlace
from desktop_app.ui.shortcuts.key_sequences import meet, shown
from desktop_app.ui.shortcuts.keymap import KeyMap, Keys
from desktop_app.ui.theme.theme import Theme

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
