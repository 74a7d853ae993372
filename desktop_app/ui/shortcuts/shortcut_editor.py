"""The list of shortcuts: its lines, which a search finds, and the box in which the keys of one action are changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, TypeAlias

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from desktop_app.core.settings import MOST_KEYS
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.shortcuts.keymap import KeyMap, Keys, meet, pressed, read, refusal, shown
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.parts import Stretch, button_in, in_column, in_row, keep_height_for_width, label_in

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
    if taker := keymap.given_to(name):
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
        if (line := self.line(index)) is None or line.kind == "heading":
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or orientation != Qt.Orientation.Horizontal:
            return None
        return (tr("Action"), tr("Keys"), tr("Note"))[section]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if (line := self.line(index)) is None:
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


TABS = (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)


class KeyRecorder(QPushButton):
    """Pressed, it listens: the next keys are `heard`, Esc gives up, Backspace is the wish to remove what is there.

    While it listens no shortcut of the window is carried out. Whoever hears decides with `rest` when to stop.
    """

    heard = Signal(object)  # QKeySequence
    remove_requested = Signal()
    given_up = Signal()
    listening_changed = Signal(bool)

    def __init__(self, words: str, parent: QWidget, *, hears_tab: bool = True) -> None:
        """`hears_tab` False: Tab leads on also while it listens."""
        super().__init__(words, parent)
        self._words = words
        self._hears_tab = hears_tab
        self.listening = False
        self.clicked.connect(self.listen)

    def listen(self) -> None:
        if self.listening:
            return
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self._set_listening(True)

    def rest(self) -> None:
        if self.listening:
            self._set_listening(False)

    def show_listening(self) -> None:
        """Looks as it does while it listens, without the keyboard."""
        self._set_listening(True)

    def _set_listening(self, listening: bool) -> None:
        self.listening = listening
        words = self.tr("Press the keys")
        self.setText(words if listening else self._words)
        # a style sheet does not look at a property that changes
        self.setProperty("kind", "listening" if listening else "")
        self.style().polish(self)
        if listening and QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))
        self.listening_changed.emit(listening)

    def event(self, event: QEvent) -> bool:
        if self.listening and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress and (self._hears_tab or event.key() not in TABS):
                self._press(event)
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyRelease:
                # Space that was pressed to listen must not press the button again when it is let go
                return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if self.listening and event.reason() != Qt.FocusReason.PopupFocusReason:
            self._set_listening(False)
            self.given_up.emit()
        super().focusOutEvent(event)

    def _press(self, event: QKeyEvent) -> None:
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if event.isAutoRepeat():
            return
        if plain and event.key() == Qt.Key.Key_Escape:
            self._set_listening(False)
            self.given_up.emit()
        elif plain and event.key() == Qt.Key.Key_Backspace:
            self._set_listening(False)
            self.remove_requested.emit()
        elif (keys := pressed(event.key(), event.modifiers(), event.text())) is not None:
            self.heard.emit(keys)


class KeysEditor(QFrame):
    """One button for each key sequence, one that adds another, one that takes the default.

    `keys_chosen(action, keys)`: these are to count. `keys_taken(action, keys, other)`: and `other` is to lose what
    meets them. `default_chosen(action)`.
    """

    keys_chosen = Signal(str, object)
    keys_taken = Signal(str, object, str)
    default_chosen = Signal(str)
    left = Signal()  # the keyboard is to go back to the list
    told_more = Signal()  # it says something to whoever has the keyboard in it

    def __init__(self, theme: Theme, keymap: KeyMap, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("kind", "popover")
        self._theme = theme
        self._keymap = keymap
        self._line: ShortcutLine | None = None
        self._wish: tuple[Keys, str] | None = None
        self._place = 0
        self.buttons: list[KeyRecorder] = []
        self.heading = _label(self)
        self.told = _label(self)
        self.told.setProperty("tone", "secondary")
        self.add = KeyRecorder(self.tr("Add keys"), self)
        self.default = button_in(self, self.tr("Default"), lambda: self.default_chosen.emit(self.action), kind="quiet")
        self.take = button_in(self, self.tr("Use here"), self._take_over)
        self.cancel = button_in(self, self.tr("Cancel"), self._give_up)
        self._keys = QWidget(self)
        self._row = FlowRow(across=GRID, down=GRID)
        self._keys.setLayout(self._row)
        self._row.addWidget(self.add)
        self._row.addWidget(self.default)
        keep_height_for_width(self._keys)
        in_column(
            self.heading,
            self._keys,
            self.told,
            in_row(self.take, self.cancel, Stretch(), spacing=GRID),
            of=self,
            spacing=GRID,
            margins=(2 * GRID, GRID + GRID // 2),
        )
        self._connect(self.add, -1)
        self._end_choice()
        theme.set_font("title", self.heading)
        theme.set_font("small", self.told)

    @property
    def action(self) -> str:
        """The action whose keys are shown; empty where they are fixed or there is none."""
        return self._line.id if self._line is not None and self._line.kind == "action" else ""

    def show_line(self, line: ShortcutLine | None) -> None:
        """Shows the keys of a line. The keyboard stays where it is among them."""
        held = next((place for place, button in enumerate(self.buttons) if button.hasFocus()), None)
        focused = self.window().focusWidget()
        inside = focused is not None and self.isAncestorOf(focused)
        same = line is not None and self._line is not None and (line.kind, line.id) == (self._line.kind, self._line.id)
        self._line = line
        self.setVisible(line is not None and line.kind != "heading")
        if line is None or line.kind == "heading":
            return
        self._end_choice()
        self.setAccessibleName(self.tr("Keys of: {action}").format(action=line.words))
        self.heading.setText(line.words)
        self._make_buttons(line)
        if line.kind == "fixed":
            self._say(self.tr("These keys belong to this place and can't be changed."))
        else:
            self._say(self._resting())
        if inside and same and line.kind == "action":
            place = held if held is not None else self._place
            self._order()[max(0, min(place, len(self.buttons)))].setFocus(Qt.FocusReason.OtherFocusReason)

    def change_first(self) -> None:
        """Listens for keys in the place of the first ones, or for the first there are."""
        if self.action:
            self._order()[0].listen()

    def remove_all(self) -> None:
        """The action is to have no keys."""
        if self.action and self._current():
            self.keys_chosen.emit(self.action, ())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if self._wish is not None:
                self._give_up()
            else:
                self.left.emit()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            place = next((place for place, button in enumerate(self.buttons) if button.hasFocus()), None)
            if place is not None:
                self._remove(place)
        else:
            super().keyPressEvent(event)

    # --- the buttons

    def _order(self) -> list[KeyRecorder]:
        return [*self.buttons, self.add]

    def _current(self) -> Keys:
        return self._keymap.keys(self.action) if self.action else ()

    def _make_buttons(self, line: ShortcutLine) -> None:
        for button in self.buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = []
        last: QWidget | None = None
        for number, keys in enumerate(line.keys):
            button = KeyRecorder(shown(keys), self._keys)
            button.setAccessibleName(self.tr("Change {keys}").format(keys=shown(keys)))
            button.setEnabled(line.kind == "action")
            self._connect(button, number)
            self._row.insert(number, button)
            button.show()
            if last is not None:
                self.setTabOrder(last, button)
            last = button
            self.buttons.append(button)
        if last is not None:
            self.setTabOrder(last, self.add)
        self.setTabOrder(self.add, self.default)
        self.add.setVisible(line.kind == "action" and len(line.keys) < MOST_KEYS)
        self.add.setAccessibleName(self.tr("Add keys for: {action}").format(action=line.words))
        changed = line.kind == "action" and self._keymap.is_said(line.id)
        self.default.setVisible(changed)
        if changed:
            usual = ", ".join(shown(one) for one in self._keymap.defaults[line.id]) or self.tr("no keys")
            self.default.setToolTip(self.tr("Back to the default: {value}").format(value=usual))
            self.default.setAccessibleName(self.tr("Default: {name}").format(name=line.words))
        self._keys.updateGeometry()

    def _connect(self, button: KeyRecorder, place: int) -> None:
        button.heard.connect(partial(self._hear, place))
        button.remove_requested.connect(partial(self._remove, place))
        button.given_up.connect(lambda: self._say(self._resting()))
        button.listening_changed.connect(partial(self._listening, place))

    def _listening(self, place: int, listening: bool) -> None:
        if listening:
            self._place = place if place >= 0 else len(self.buttons)
            self._end_choice()
            words = self.tr("Press the keys. Esc cancels, Backspace removes the current ones.")
            self._say(self.tr("Press the keys. Esc cancels.") if place < 0 else words)

    def _hear(self, place: int, keys: QKeySequence) -> None:
        button = self.add if place < 0 else self.buttons[place]
        current = list(self._current())
        if place >= 0 and current[place] == keys:
            button.rest()
            self._say(self._resting())
            return
        if any(meet(keys, one) for number, one in enumerate(current) if number != place):
            self._say(self.tr("{keys} is already set. Press other keys.").format(keys=shown(keys)), wrong=True)
            return
        why = refusal(keys) if keys not in self._keymap.defaults[self.action] else ""
        if why:
            self._say(self.tr("{why} Press other keys.").format(why=why), wrong=True)
            return
        if (fixed := fixed_by(keys)) is not None:
            told = self.tr("{keys} is fixed. {place}: {words}. Press other keys.")
            self._say(told.format(keys=shown(keys), place=fixed[0].name, words=fixed[1].words), wrong=True)
            return
        wanted = (*current, keys) if place < 0 else (*current[:place], keys, *current[place + 1 :])
        other = self._keymap.owner(keys, self.action)
        button.rest()
        if other:
            self._ask(keys, wanted, other)
        else:
            self.keys_chosen.emit(self.action, wanted)

    def _remove(self, place: int) -> None:
        current = self._current()
        if 0 <= place < len(current):
            self._place = place
            self.keys_chosen.emit(self.action, (*current[:place], *current[place + 1 :]))
        else:
            self._say(self._resting())

    # --- keys that another action has

    def _ask(self, keys: QKeySequence, wanted: Keys, other: str) -> None:
        self._wish = wanted, other
        told = self.tr("{keys} is used for “{action}”. Use it here instead?")
        self._say(told.format(keys=shown(keys), action=self._keymap.words(other)), wrong=True)
        for button in (self.take, self.cancel):
            button.show()
        self.take.setFocus(Qt.FocusReason.OtherFocusReason)

    def _take_over(self) -> None:
        if (wish := self._wish) is not None:
            self._back_to_keys()
            self._end_choice()
            self.keys_taken.emit(self.action, wish[0], wish[1])

    def _give_up(self) -> None:
        self._back_to_keys()
        self._end_choice()
        self._say(self._resting())

    def _back_to_keys(self) -> None:
        order = self._order()
        order[max(0, min(self._place, len(order) - 1))].setFocus(Qt.FocusReason.OtherFocusReason)

    def _end_choice(self) -> None:
        self._wish = None
        self.take.hide()
        self.cancel.hide()

    # --- words

    def _resting(self) -> str:
        taker = self._keymap.given_to(self.action) if self.action else ""
        if taker:
            told = self.tr("The settings give its keys to “{action}”.")
            return told.format(action=self._keymap.words(taker))
        if self._current():
            return self.tr("Press a button to change its keys, or Delete to remove them.")
        return self.tr("No shortcut. It is in the command palette.")

    def _say(self, words: str, *, wrong: bool = False) -> None:
        tone = "danger" if wrong else "secondary"
        if self.told.property("tone") != tone:
            self.told.setProperty("tone", tone)
            self.told.style().polish(self.told)
        if words != self.told.text():
            self.told.setText(words)
            if (focused := self.window().focusWidget()) is not None and self.isAncestorOf(focused):
                self.told_more.emit()
            if wrong and QAccessible.isActive():
                QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))


def _label(parent: QWidget) -> QLabel:
    label = label_in(parent, wrap=True)
    label.setMinimumWidth(1)
    return label
