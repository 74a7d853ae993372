"""The page of keyboard shortcuts: search, list, box for changes, and the flow that writes keys into the settings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QBoxLayout, QHeaderView, QTableView, QWidget

from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import SettingsChanged
from desktop_app.core.phrases import value_of
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.shortcuts.keymap import KeyMap, Keys, meet, shown, written
from desktop_app.ui.shortcuts.shortcut_editor import (
    KeyRecorder,
    KeysEditor,
    ShortcutLine,
    ShortcutRows,
    found_by_keys,
    found_by_words,
    lines_of,
    places,
)
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.floating import Toast
from desktop_app.ui.widgets.list_parts import MarginBar
from desktop_app.ui.widgets.live_page import PageFlow
from desktop_app.ui.widgets.page import PageFrame, SettingField
from desktop_app.ui.widgets.parts import button_in, fill, make_clearable

LOWEST = 20 * GRID
"""Pixels of the list, however low the window, at the usual text size."""
WORDS_SEARCHED = 20
"""Letters that the field for words has room for beside the search by keys."""
KEYS_SHARE = 0.34
"""Share of the list's width that keys may take; more of them are in the box below."""
NOTES_SHARE = 0.26
"""Share of it that notes may take; a longer one is told by the tool tip and in the box below."""
NOTES_FROM = 40
"""Letters of the list's width from which notes have a column; without it the box below says them."""


class ShortcutsPage(PageFrame):
    """`keys_wished` carries keys by action, None: its default. Undo and redo are about these wishes."""

    keys_wished = Signal(object)
    undo_requested = Signal()
    redo_requested = Signal()

    def __init__(self, theme: Theme, keymap: KeyMap, parent: QWidget, *, enter_sends: bool = True) -> None:
        super().__init__(theme, "", parent)
        self.set_title(self.tr("Keyboard shortcuts"))
        self._keymap = keymap
        self._fixed = places(enter_sends=enter_sends)
        self._looked_for: QKeySequence | None = None
        self._problems: tuple[str, ...] = ()
        self.search = SettingField(self)
        self.search.setPlaceholderText(self.tr("Search by words"))
        self.search.setAccessibleName(self.tr("Search the shortcuts by words"))
        make_clearable(self.search)
        self.by_keys = KeyRecorder(self.tr("Search by keys"), self, hears_tab=False)
        self.reset = button_in(
            self,
            self.tr("Reset all"),
            self._reset_all,
            kind="quiet",
            name=self.tr("Reset all shortcuts to their defaults"),
        )
        self.problems = self.small(tone="danger")
        self.told = self.small(self.tr("Every action is also in the command palette."))
        self.rows = ShortcutRows(theme, self)
        self.table = QTableView(self.column)
        self.editor = KeysEditor(theme, keymap, self.column)
        self._lay_out()
        self._dress_table()
        self.search.textChanged.connect(self._narrow)
        self.search.given_up.connect(self._leave_search)
        self.search.installEventFilter(self)
        self.by_keys.heard.connect(self._look_for)
        self.by_keys.given_up.connect(self._end_looking)
        self.by_keys.remove_requested.connect(self._end_looking)
        self.table.installEventFilter(self)
        self.table.doubleClicked.connect(lambda _index: self.editor.change_first())
        self.table.selectionModel().currentRowChanged.connect(self._on_current)
        self.editor.keys_chosen.connect(self._choose)
        self.editor.keys_taken.connect(self._take_over)
        self.editor.default_chosen.connect(lambda action: self.keys_wished.emit({action: None}))
        self.editor.left.connect(self._focus_table)
        self.editor.told_more.connect(self._show_editor)
        keymap.changed.connect(self.refresh)
        self._shortcut(QKeySequence.StandardKey.Undo, self.undo_requested.emit)
        self._shortcut(QKeySequence.StandardKey.Redo, self.redo_requested.emit)
        self._shortcut(QKeySequence.StandardKey.Find, self.focus_first)
        self.refresh()
        theme.follow(self._fit_rows)

    def focus_first(self) -> None:
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)
        self.search.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc takes the search away first."""
        if event.key() == Qt.Key.Key_Escape and (self.search.text() or self._looked_for is not None):
            self._leave_search()
        else:
            super().keyPressEvent(event)

    def show_problems(self, problems: Sequence[str]) -> None:
        """Show the problems that the settings' reader found, besides those of the keys themselves."""
        self._problems = tuple(problems)
        self.refresh()

    def refresh(self) -> None:
        """Other keys count: the list and the box follow; the keyboard stays where it is."""
        problems = (*self._problems, *self._keymap.problems)
        self.problems.setText("\n".join(map(translated, problems)))
        self.problems.setVisible(bool(problems))
        changed = any(self._keymap.is_said(name) for name in self._keymap.actions)
        if not changed and self.reset.hasFocus():
            self.search.setFocus(Qt.FocusReason.OtherFocusReason)
        self.reset.setVisible(changed)
        self._narrow()

    def reveal(self, action: str) -> None:
        """Makes an action the current one, and takes the search away where that hides it."""
        if self.rows.row_of(action) < 0:
            self._end_looking()
            self.search.clear()
        if (row := self.rows.row_of(action)) >= 0:
            self.table.setCurrentIndex(self.rows.index(row, 0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """In the list Enter and F2 change keys and Delete removes them; Down leads from the search into the list."""
        if watched is self.table and event.type() == QEvent.Type.Resize:
            self._fit_rows()
        if not isinstance(event, QKeyEvent) or event.type() not in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride):
            return False
        key, plain = event.key(), event.modifiers() == Qt.KeyboardModifier.NoModifier
        if watched is self.search:
            if key not in (Qt.Key.Key_Down, Qt.Key.Key_Return) or event.type() != QEvent.Type.KeyPress or not plain:
                return False
            self._focus_table()
            return True
        if not plain or key not in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2, Qt.Key.Key_Delete):
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
        elif key == Qt.Key.Key_Delete:
            self.editor.remove_all()
        else:
            self.editor.change_first()
        return True

    # --- wishes

    def _choose(self, action: str, keys: Keys) -> None:
        self.keys_wished.emit({action: None if keys == self._keymap.defaults[action] else keys})

    def _take_over(self, action: str, keys: Keys, _other: str) -> None:
        """Whoever has keys that meet loses these; an action that only has defaults is said to have the rest of them."""
        wishes: dict[str, Keys | None] = {action: None if keys == self._keymap.defaults[action] else keys}
        for name in self._keymap.actions:
            theirs = self._keymap.keys(name)
            kept = tuple(one for one in theirs if not any(meet(one, wanted) for wanted in keys))
            if name != action and kept != theirs:
                wishes[name] = None if kept == self._keymap.defaults[name] else kept
        self.keys_wished.emit(wishes)

    def _reset_all(self) -> None:
        said = [name for name in self._keymap.actions if self._keymap.is_said(name)]
        self.keys_wished.emit(dict.fromkeys(said))

    # --- the list

    def _look_for(self, keys: QKeySequence) -> None:
        self._looked_for = keys
        self.search.clear()
        self._narrow()
        self.by_keys.setText(shown(keys))

    def _end_looking(self) -> None:
        self.by_keys.rest()
        if self._looked_for is not None:
            self._looked_for = None
            self._narrow()

    def _leave_search(self) -> None:
        self._end_looking()
        self.focus_first()
        # not `clear`, after which there would be something to undo in the field
        self.search.setText("")

    def _narrow(self, _text: str = "") -> None:
        if _text and self._looked_for is not None:
            self._looked_for = None
        current = self.rows.line(self.table.currentIndex())
        lines = lines_of(self._keymap, self._fixed)
        looked_for, query = self._looked_for, self.search.text().strip()
        if looked_for is not None:
            lines = found_by_keys(lines, looked_for)
            nothing = self.tr("{keys} is available.").format(keys=shown(looked_for))
        else:
            lines = found_by_words(lines, query)
            nothing = self.tr("No shortcuts match “{query}”.").format(query=query)
        self.rows.show_lines(lines)
        self.table.clearSpans()
        for row, line in enumerate(lines):
            if line.kind == "heading":
                self.table.setSpan(row, 0, 1, 3)
        self.told.setText(nothing if not lines else self.tr("Every action is also in the command palette."))
        self.table.setVisible(bool(lines))
        self._return_to(current)

    def _return_to(self, line: ShortcutLine | None) -> None:
        rows = self.rows.lines
        same = (
            n
            for n, one in enumerate(rows)
            if line and (one.kind, one.id, one.words) == (line.kind, line.id, line.words)
        )
        row = next(same, next((n for n, one in enumerate(rows) if one.kind != "heading"), -1))
        if row < 0:
            self.editor.show_line(None)
            return
        index = self.rows.index(row, 0)
        self.table.setCurrentIndex(index)
        self.editor.show_line(self.rows.line(index))

    def _on_current(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if (line := self.rows.line(current)) is not None and line.kind != "heading":
            self.editor.show_line(line)

    def _show_editor(self) -> None:
        """In a low window the box may be out of view; it comes when its layout has found its place."""
        QTimer.singleShot(0, self.editor, lambda: self.scroller.ensureWidgetVisible(self.editor, 0, GRID))

    def _focus_table(self) -> None:
        if self.table.isVisible():
            self.table.setFocus(Qt.FocusReason.TabFocusReason)

    # --- looks

    def _lay_out(self) -> None:
        row = self._searches = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        fill(row, (self.search, 1), spacing=GRID)
        keys = self._by_keys = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        fill(keys, self.by_keys, self.reset, spacing=GRID)
        row.addLayout(keys)
        self.pinned.addLayout(row)
        self.problems.hide()
        for part in (self.problems, self.told):
            self.inside.addWidget(part)
        self.inside.addWidget(self.table, 1)
        MarginBar(self.table, self.column)
        self.inside.addWidget(self.editor)
        for before, after in (
            (self.back, self.search),
            (self.search, self.by_keys),
            (self.by_keys, self.reset),
            (self.reset, self.table),
        ):
            self.setTabOrder(before, after)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the search by keys beneath that by words where there is no room for both."""
        super().resizeEvent(event)
        field = self.search.fontMetrics().averageCharWidth() * WORDS_SEARCHED
        buttons = self.by_keys.sizeHint().width() + self.reset.sizeHint().width() + 2 * GRID
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._searches.setDirection(across if self.room >= field + buttons else down)
        beside = self.room >= buttons
        self._by_keys.setDirection(across if beside else down)
        # beside another button its room stays while it is hidden: nothing moves when keys change
        kept = self.reset.sizePolicy()
        kept.setRetainSizeWhenHidden(beside)
        self.reset.setSizePolicy(kept)

    def _dress_table(self) -> None:
        table = self.table
        table.setAccessibleName(self.tr("Keyboard shortcuts"))
        table.setModel(self.rows)
        table.setShowGrid(False)
        table.setWordWrap(True)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setTabKeyNavigation(False)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table.verticalHeader().hide()
        across = table.horizontalHeader()
        across.setHighlightSections(False)
        across.setSectionsClickable(False)
        across.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        across.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        across.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        across.setSectionResizeMode(2, QHeaderView.ResizeMode.Fixed)
        self.rows.modelReset.connect(self._fit_rows)
        self._fit_rows()

    def _fit_rows(self) -> None:
        table, metrics = self.table, self.table.fontMetrics()
        table.setMinimumHeight(self.theme.pixels(LOWEST))
        roomy = table.width() >= metrics.averageCharWidth() * NOTES_FROM
        table.setColumnHidden(2, not roomy or not any(line.note for line in self.rows.lines))
        for column, share in ((1, KEYS_SHARE), (2, NOTES_SHARE)):
            wanted = max(table.sizeHintForColumn(column), table.horizontalHeader().sectionSizeHint(column))
            table.setColumnWidth(column, min(wanted, round(table.width() * share)))
        # what has no room for one line of it has more of them; the header gets its width after the list
        one, around = metrics.height(), GRID + GRID // 2
        table.verticalHeader().setDefaultSectionSize(one + around)
        taken = [0 if table.isColumnHidden(column) else table.columnWidth(column) for column in (1, 2)]
        rooms = [
            QRect(0, 0, width - 2 * self.theme.pixels(GRID) - GRID, 1) for width in (table.width() - sum(taken), *taken)
        ]
        for row, line in enumerate(self.rows.lines):
            cells = (line.words, line.shown_keys, line.note) if line.kind != "heading" else ()
            heights = [
                metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, words).height()
                for room, words in zip(rooms, cells, strict=False)
                if words and room.width() > 0
            ]
            height = around + max(heights, default=one)
            if table.rowHeight(row) != height:
                table.setRowHeight(row, height)

    def _shortcut(self, keys: QKeySequence.StandardKey, do: Callable[[], None]) -> None:
        shortcut = QShortcut(self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.setKeys(keys)
        shortcut.activated.connect(do)


if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.preferences import SettingValue

    Values: TypeAlias = dict[str, SettingValue]


class ShortcutsPresenter(PageFlow[ShortcutsPage]):
    """Each wish is one step that can be taken back, however many actions it is about."""

    def __init__(self, app_state: AppState, page: ShortcutsPage, toast: Toast, parent: QObject) -> None:
        super().__init__(app_state, page, toast, parent)
        self._app_state = app_state
        self._told = ""
        self._writing = asyncio.Lock()
        self._done: list[tuple[Values, Values]] = []  # before, after
        self._undone: list[tuple[Values, Values]] = []
        page.keys_wished.connect(lambda wishes: app_state.start(self._change(wishes)))
        page.undo_requested.connect(self.undo)
        page.redo_requested.connect(lambda: app_state.start(self._step(self._undone, self._done, 1)))
        app_state.bridge.subscribe(SettingsChanged, self._show_problems)
        app_state.start(self._read_again())

    def _show_problems(self, _fact: object = None) -> None:
        if (services := self._app_state.ready) is not None and not self.ended:
            told = services.preferences.problems
            self.page.show_problems([one for one in told if _setting(one).partition(".")[0] == "shortcuts"])

    def undo(self) -> None:
        """Takes the last change back."""
        self._app_state.start(self._step(self._done, self._undone, 0))

    async def _read_again(self) -> None:
        """The file may have been changed by hand since it was read."""
        services = await self._app_state.services()
        await services.preferences.reload()

    async def _change(self, wishes: Mapping[str, Keys | None]) -> None:
        services = await self._app_state.services()
        after: Values = {f"shortcuts.{name}": _value(keys) for name, keys in wishes.items()}
        async with self._writing:
            before: Values = {key: await services.preferences.written(key) for key in after}
            if await self._write(after):
                self._done.append((before, after))
                self._undone.clear()
                self._tell_of(wishes)

    async def _step(self, source: list[tuple[Values, Values]], target: list[tuple[Values, Values]], which: int) -> None:
        async with self._writing:
            if not source:
                return
            change = source.pop()
            self._take_telling_away()
            (target if await self._write(change[which]) else source).append(change)
        if not self.ended:
            self.page.reveal(next(iter(change[1])).partition(".")[2])

    async def _write(self, values: Values) -> bool:
        services = await self._app_state.services()
        try:
            await services.preferences.set_values(values)
        except PlimsollError as error:
            self.toast.show_message(error.failure.message)
            return False
        return True

    def _tell_of(self, wishes: Mapping[str, Keys | None]) -> None:
        """Tell of a change that concerns several actions, with the way back."""
        if len(wishes) < 2 or self.ended:
            return
        reset = all(keys is None for keys in wishes.values())
        words = self.tr("All shortcuts are at their defaults.") if reset else self.tr("Shortcut moved.")
        self._told = words
        self.toast.show_message(words, self.tr("Undo"), self.undo)

    def _take_telling_away(self) -> None:
        """Remove the message, as it is not so any more, and its button would take back what was done before."""
        if self._told and self.toast.words == self._told:
            self.toast.hide()
        self._told = ""


def _value(keys: Keys | None) -> SettingValue:
    """Keys as settings.toml has them: one as a text, several as a list, "" for none."""
    if keys is None:
        return None
    texts = [written(one) for one in keys]
    return texts if len(texts) > 1 else "".join(texts)


def _setting(problem: str) -> str:
    return str(value_of(problem, "setting") or value_of(problem, "name"))
