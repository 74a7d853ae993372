"""The page of keyboard shortcuts: all actions with their keys, the capture of new ones, the flow that writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
)
from PySide6.QtWidgets import (
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from desktop_app.core.events import SettingsChanged
from desktop_app.core.phrases import value_of
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.shortcuts.fixed_keys import fixed_by, places
from desktop_app.ui.shortcuts.keymap import KeyMap, Keys, meet, pressed, refusal, shown, written
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.setting_changes import SettingChanges
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.floating import Toast
from desktop_app.ui.widgets.list_parts import Index, MarginBar
from desktop_app.ui.widgets.live_page import PageFlow
from desktop_app.ui.widgets.page import PageFrame, SettingField
from desktop_app.ui.widgets.parts import (
    Stretch,
    button_in,
    fill,
    frame_in,
    in_column,
    keep_height_for_width,
    label_in,
    make_clearable,
    set_look,
)

BETWEEN = "  ·  "
CHANGED = "  •"
LOWEST = 20 * GRID
"""Pixels of the list, however low the window, at the usual text size."""
KEYS_SHARE = 0.4
"""Share of the list's width that keys have, whichever they are: a change moves nothing."""


class KeyCapture(QPushButton):
    """Pressed, it listens: the next keys are `heard`, Esc gives up, Backspace is the wish to remove what is there.

    While it listens no shortcut of the window is carried out. Whoever hears decides with `rest` when to stop.
    """

    heard = Signal(object)  # QKeySequence
    remove_requested = Signal()
    listening_changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.listening = False
        self.clicked.connect(self.listen)

    def listen(self) -> None:
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self._set_listening(True)

    def rest(self) -> None:
        self._set_listening(False)

    def _set_listening(self, listening: bool) -> None:
        if listening == self.listening:
            return
        self.listening = listening
        set_look(self, "kind", "listening" if listening else "")
        self.listening_changed.emit()

    def event(self, event: QEvent) -> bool:
        if self.listening and isinstance(event, QKeyEvent):
            # Space that was pressed to listen must not press the button again when it is let go
            if event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat():
                self._press(event)
            event.accept()
            return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.rest()
        super().focusOutEvent(event)

    def _press(self, event: QKeyEvent) -> None:
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if plain and event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Backspace):
            self.rest()
            if event.key() == Qt.Key.Key_Backspace:
                self.remove_requested.emit()
        elif (keys := pressed(event.key(), event.modifiers(), event.text())) is not None:
            self.heard.emit(keys)


class _Cells(QStyledItemDelegate):
    """Measures words in the room that the style leaves them: `around` is what it takes, in pixels."""

    around = 0

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        option.rect = option.rect.adjusted(0, 0, -self.around, 0)
        return super().sizeHint(option, index)


@dataclass(frozen=True, slots=True)
class ShortcutLine:
    """An action (`id`), keys that are fixed in a place, or without `words` the heading of those that follow."""

    heading: str
    words: str = ""
    id: str = ""
    keys: Keys = ()
    changed: bool = False

    @property
    def shown_keys(self) -> str:
        """All keys, as the platform names them."""
        return BETWEEN.join(dict.fromkeys(map(shown, self.keys)))


class ShortcutsPage(PageFrame):
    """`keys_wished` carries keys by action, None: its default. Undo and redo are about these wishes."""

    keys_wished = Signal(object)
    undo_requested = Signal()
    redo_requested = Signal()

    def __init__(self, theme: Theme, keymap: KeyMap, parent: QWidget, *, enter_sends: bool = True) -> None:
        super().__init__(theme, "", parent)
        self.set_title(self.tr("Keyboard shortcuts"))
        self.keymap = keymap
        self._fixed = places(enter_sends=enter_sends)
        self._problems: tuple[str, ...] = ()
        self._wish: Keys = ()  # which another action has, to be replaced or not
        self.lines: list[ShortcutLine] = []
        self._searched: dict[int, str] = {}
        self.search = SettingField(self)
        self.search.setPlaceholderText(self.tr("Search"))
        self.search.setAccessibleName(self.tr("Search the shortcuts"))
        make_clearable(self.search)
        self.reset_all = button_in(
            self.top,
            self.tr("Reset all"),
            self._reset_all,
            kind="quiet",
            name=self.tr("Reset all shortcuts to their defaults"),
        )
        self.problems = self.small(tone="danger")
        self.hint = self.small()
        self.table = QTableWidget(0, 2, self.column)
        self._cells = _Cells(self.table)
        self.bar = frame_in(self.column, "popover")
        self.name = label_in(self.bar, wrap=True)
        self.capture = KeyCapture(self.bar)
        self.reset = button_in(self.bar, self.tr("Reset"), lambda: self._choose(None), kind="quiet")
        self.replace = button_in(self.bar, self.tr("Replace"), lambda: self._choose(self._wish))
        self.cancel = button_in(self.bar, self.tr("Cancel"), self._rest)
        self.told = label_in(self.bar, wrap=True)
        self._lay_out()
        self._set_up_table()
        self.search.textChanged.connect(self._narrow)
        self.search.given_up.connect(self._leave_search)
        self.search.installEventFilter(self)
        self.capture.heard.connect(self._hear)
        self.capture.remove_requested.connect(lambda: self._choose(()))
        self.capture.listening_changed.connect(self._show_bar)
        keymap.changed.connect(self.refresh)
        self.on_keys(QKeySequence.StandardKey.Undo, self.undo_requested.emit)
        self.on_keys(QKeySequence.StandardKey.Redo, self.redo_requested.emit)
        self.on_keys(QKeySequence.StandardKey.Find, self.focus_first)
        theme.changed.connect(self._show_lines)
        self.refresh()

    @property
    def line(self) -> ShortcutLine:
        """The one that is shown beneath the list."""
        return self.lines[max(0, self.table.currentRow())]

    def focus_first(self) -> None:
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)
        self.search.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc takes the question away first, then the search."""
        if event.key() == Qt.Key.Key_Escape and self.bar.isAncestorOf(self.window().focusWidget()):
            self._rest()
        elif event.key() == Qt.Key.Key_Escape and self.search.text():
            self._leave_search()
        else:
            super().keyPressEvent(event)

    def show_problems(self, problems: Sequence[str]) -> None:
        """Show the problems that the settings' reader found, besides those of the keys themselves."""
        self._problems = tuple(problems)
        self.refresh()

    def refresh(self) -> None:
        """Other keys count: the list follows; the keyboard stays where it is."""
        problems = (*self._problems, *self.keymap.problems)
        self.problems.setText("\n".join(map(translated, problems)))
        self.problems.setVisible(bool(problems))
        keymap, everywhere = self.keymap, self.tr("Everywhere in the window")
        self.lines = [ShortcutLine(everywhere)]
        for name in keymap.actions:
            changed = keymap.keys(name) != keymap.defaults[name]
            self.lines.append(ShortcutLine(everywhere, keymap.words(name), name, keymap.keys(name), changed))
        for place, fixed in self._fixed.items():
            self.lines += [ShortcutLine(place), *(ShortcutLine(place, *one[:1], "", one[1]) for one in fixed.items())]
        reset = any(map(keymap.is_said, keymap.actions))
        if not reset and self.reset_all.hasFocus():
            self.focus_first()
        self.reset_all.setVisible(reset)
        self._show_lines()

    def reveal(self, action: str) -> None:
        """Makes an action the current one, and takes the search away where that hides it."""
        row = next(row for row, line in enumerate(self.lines) if line.id == action)
        if self.table.isRowHidden(row):
            self.search.clear()
        self.table.setCurrentCell(row, 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """In the list Enter and F2 change keys and Delete removes them; Down leads from the search into the list."""
        if watched is self.table and event.type() == QEvent.Type.Resize:
            self._fit_keys()
        if not isinstance(event, QKeyEvent) or event.modifiers() != Qt.KeyboardModifier.NoModifier:
            return False
        key, is_press = event.key(), event.type() == QEvent.Type.KeyPress
        if watched is self.search:
            if key not in (Qt.Key.Key_Down, Qt.Key.Key_Return) or not is_press:
                return False
            self._focus_table()
        elif key not in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2, Qt.Key.Key_Delete):
            return False
        elif event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
        elif is_press and key == Qt.Key.Key_Delete:
            if self.line.id and self.line.keys:
                self._choose(())
        elif is_press:
            self._listen()
        return True

    # --- wishes

    def _listen(self) -> None:
        if self.line.id:
            self.capture.listen()

    def _hear(self, keys: QKeySequence) -> None:
        line, fixed = self.line, fixed_by(keys)
        why = "" if keys in self.keymap.defaults[line.id] else refusal(keys)
        if not why and fixed:
            why = self.tr("{keys} is fixed. {place}.").format(keys=shown(keys), place=fixed)
        if why:
            self._say(self.tr("{why} Press other keys.").format(why=why), wrong=True)
        elif other := self.keymap.owner(keys, line.id):
            self._wish = (keys,)
            self.capture.rest()
            told = self.tr("{keys} is used for “{action}”. Use it here instead?")
            self._say(told.format(keys=shown(keys), action=self.keymap.words(other)), wrong=True)
            self.replace.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._choose((keys,))

    def _choose(self, keys: Keys | None) -> None:
        """The current action is to have these keys; None: its defaults. Whoever has keys that meet them loses these."""
        keymap, wishes = self.keymap, {self.line.id: keys}
        for name in keymap.actions if keys else ():
            kept = tuple(one for one in keymap.keys(name) if not any(meet(one, wanted) for wanted in keys or ()))
            if name != self.line.id and kept != keymap.keys(name):
                wishes[name] = kept
        wished = {name: None if keys == keymap.defaults[name] else keys for name, keys in wishes.items()}
        self._rest()
        self.keys_wished.emit(wished)

    def _reset_all(self) -> None:
        self.keys_wished.emit({name: None for name in self.keymap.actions if self.keymap.is_said(name)})

    # --- the list

    def _leave_search(self) -> None:
        self.focus_first()
        # not `clear`, after which there would be something to undo in the field
        self.search.setText("")

    def _show_lines(self) -> None:
        table, theme = self.table, self.theme
        heading = theme.title_font()
        heading.setPointSizeF(theme.points("body"))
        self._cells.around = 2 * theme.pixels(GRID) + GRID
        selectable = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        table.setRowCount(len(self.lines))
        for row, line in enumerate(self.lines):
            note = self.tr("changed") if line.changed else self.tr("fixed") if line.words and not line.id else ""
            told = ", ".join(filter(None, (line.words or line.heading, line.shown_keys, note)))
            for column, words in enumerate(
                (line.words or line.heading, f"{line.shown_keys}{CHANGED * line.changed}".strip())
            ):
                cell = QTableWidgetItem(words)
                cell.setToolTip(words)
                cell.setData(Qt.ItemDataRole.AccessibleTextRole, words if column else told)
                cell.setFont(theme.body_font() if line.words else heading)
                cell.setForeground(theme.color("text" if line.id or not line.words else "text-secondary"))
                cell.setFlags(selectable if line.words else Qt.ItemFlag.NoItemFlags)
                table.setItem(row, column, cell)
            self._searched[row] = "\n".join((told, line.heading, line.id)).casefold()
            if not line.words:
                table.setSpan(row, 0, 1, 2)
        self._narrow()
        self._fit_keys()
        table.resizeRowsToContents()
        self._show_bar()

    def _narrow(self, _text: str = "") -> None:
        """Shows the lines that have every word in their words, keys, note or heading, beneath their headings."""
        query = self.search.text().strip()
        words, found = query.casefold().split(), set[str]()
        for row in reversed(range(len(self.lines))):
            line = self.lines[row]
            if hit := all(word in self._searched[row] for word in words) if line.words else line.heading in found:
                found.add(line.heading)
            self.table.setRowHidden(row, not hit)
        nothing = self.tr("No shortcuts match “{query}”.").format(query=query)
        self.hint.setText(self.tr("Every action is also in the command palette.") if found else nothing)
        for part in (self.table, self.bar):
            part.setVisible(bool(found))
        if found and (not self.line.words or self.table.isRowHidden(self.table.currentRow())):
            shown_rows = (row for row, line in enumerate(self.lines) if line.words and not self.table.isRowHidden(row))
            self.table.setCurrentCell(next(shown_rows), 0)

    def _focus_table(self) -> None:
        if self.table.isVisible():
            self.table.setFocus(Qt.FocusReason.TabFocusReason)

    # --- the keys of the current action

    def _rest(self) -> None:
        """Ends the question and the listening; the keyboard goes back to the list."""
        if self.bar.isAncestorOf(self.window().focusWidget()):
            self._focus_table()
        self._wish = ()
        self.capture.rest()
        self._show_bar()

    def _show_bar(self) -> None:
        line, asked = self.line, bool(self._wish)
        if self.capture.listening:
            self._say(self.tr("Press the keys. Esc cancels, Backspace removes the current ones."))
        elif not line.id:
            self._say(self.tr("These keys belong to this place and can't be changed."))
        elif line.keys:
            self._say(self.tr("Press the button or Enter to change the keys, or Delete to remove them."))
        else:
            self._say(self.tr("No shortcut. It is in the command palette."))
        self.name.setText(line.words)
        self.bar.setAccessibleName(self.tr("Keys of: {action}").format(action=line.words))
        self.capture.setText(
            self.tr("Press the keys") if self.capture.listening else line.shown_keys or self.tr("Set keys")
        )
        self.capture.setAccessibleName(self.tr("Change the keys of: {action}").format(action=line.words))
        self.capture.setEnabled(bool(line.id))
        self.reset.setVisible(bool(line.id) and self.keymap.is_said(line.id) and not asked)
        if line.id:
            usual = BETWEEN.join(map(shown, self.keymap.defaults[line.id])) or self.tr("no keys")
            self.reset.setToolTip(self.tr("Back to the default: {value}").format(value=usual))
            self.reset.setAccessibleName(self.tr("Reset {name}").format(name=line.words))
        self.capture.setVisible(not asked)
        self.replace.setVisible(asked)
        self.cancel.setVisible(asked)

    def _say(self, words: str, *, wrong: bool = False) -> None:
        set_look(self.told, "tone", "danger" if wrong else "secondary")
        self.told.setText(words)
        if (wrong or self.capture.listening) and QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.bar, words))
        if self.bar.isAncestorOf(self.window().focusWidget()):
            # in a low window it may be out of view; it comes when its layout has found its place
            QTimer.singleShot(0, self.bar, lambda: self.scroller.ensureWidgetVisible(self.bar, 0, GRID))

    # --- looks

    def _lay_out(self) -> None:
        self.header_row.addWidget(self.reset_all)
        self.pinned.addWidget(self.search)
        buttons = QWidget(self.bar)
        buttons.setLayout(FlowRow(self.capture, self.reset, self.replace, self.cancel, across=GRID, down=GRID))
        keep_height_for_width(buttons)
        in_column(self.name, buttons, self.told, of=self.bar, spacing=GRID, margins=(2 * GRID, GRID + GRID // 2))
        for part in (self.name, self.told):
            part.setMinimumWidth(1)
        for part in (self.problems, self.hint):
            self.inside.addWidget(part)
        self.inside.addWidget(self.table, 1)
        MarginBar(self.table, self.column)
        fill(self.inside, self.bar, Stretch(0))
        self.theme.set_font("title", self.name)
        self.theme.set_font("small", self.told)

    def _set_up_table(self) -> None:
        table = self.table
        table.setAccessibleName(self.tr("Keyboard shortcuts"))
        table.setItemDelegate(self._cells)
        table.setShowGrid(False)
        table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        table.setSelectionMode(QTableWidget.SelectionMode.SingleSelection)
        table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        table.setTabKeyNavigation(False)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table.verticalHeader().hide()
        table.horizontalHeader().hide()
        table.setHorizontalHeaderLabels([self.tr("Action"), self.tr("Keys")])
        table.horizontalHeader().setSectionResizeMode(0, table.horizontalHeader().ResizeMode.Stretch)
        # words that have no room in one line have more of them, when the columns have their widths
        queued = Qt.ConnectionType.QueuedConnection
        table.horizontalHeader().sectionResized.connect(table.resizeRowsToContents, queued)
        table.installEventFilter(self)
        table.currentCellChanged.connect(self._rest)
        table.cellDoubleClicked.connect(self._listen)

    def _fit_keys(self) -> None:
        table = self.table
        table.setMinimumHeight(self.theme.pixels(LOWEST))
        table.setColumnWidth(1, round(table.width() * KEYS_SHARE))


class ShortcutsPresenter(PageFlow[ShortcutsPage]):
    """Each wish is one step that can be taken back, however many actions it is about."""

    def __init__(self, app_state: AppState, page: ShortcutsPage, toast: Toast, parent: QObject) -> None:
        super().__init__(app_state, page, toast, parent, (SettingsChanged,))
        self._app_state = app_state
        self._told = ""
        self._changes = SettingChanges(app_state, lambda _values, error: toast.show_message(error.failure.message))
        page.keys_wished.connect(lambda wishes: app_state.start(self._change(wishes)))
        page.undo_requested.connect(self.undo)
        page.redo_requested.connect(lambda: app_state.start(self._step(back=False)))
        app_state.start(self._reload())

    async def read_again(self) -> None:
        services = await self._app_state.services()
        told = (one for one in services.preferences.problems if _setting(one).partition(".")[0] == "shortcuts")
        if not self.ended:
            self.page.show_problems(tuple(told))

    def undo(self) -> None:
        """Takes the last change back."""
        self._app_state.start(self._step(back=True))

    async def _reload(self) -> None:
        """The file may have been changed by hand since it was read."""
        services = await self._app_state.services()
        await services.preferences.reload()

    async def _change(self, wishes: Mapping[str, Keys | None]) -> None:
        done = await self._changes.make({f"shortcuts.{name}": _value(keys) for name, keys in wishes.items()})
        keymap, losers = self.page.keymap, list(wishes)[1:]
        if not done or self.ended:
            return
        if not any(map(keymap.is_said, keymap.actions)):
            self._told = self.tr("All shortcuts are at their defaults.")
        elif losers:
            names = ", ".join(f"“{keymap.words(one)}”" for one in losers)
            self._told = self.tr("Taken from {names}.").format(names=names)
        else:
            return
        self.toast.show_message(self._told, self.tr("Undo"), self.undo)

    async def _step(self, *, back: bool) -> None:
        if self._told and self.toast.words == self._told:
            self.toast.hide()  # it is not so any more, and its button would take back what was done before
        self._told = ""
        key = await self._changes.step(back=back)
        if key and not self.ended:
            self.page.reveal(key.partition(".")[2])


def _value(keys: Keys | None) -> str | list[str] | None:
    """Keys as settings.toml has them: one as a text, several as a list, "" for none."""
    if keys is None:
        return None
    texts = [written(one) for one in keys]
    return texts if len(texts) > 1 else "".join(texts)


def _setting(problem: str) -> str:
    return str(value_of(problem, "setting") or value_of(problem, "name"))
