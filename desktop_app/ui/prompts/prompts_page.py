"""The page of the prompt library: search, list, the chosen prompt with its actions. Stores nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_app.core.prompts import Prompt
from desktop_app.ui.prompts.prompt_cache import PromptCache
from desktop_app.ui.prompts.prompt_examples import ExamplesPane, examples
from desktop_app.ui.prompts.prompt_rows import PromptDelegate, PromptRow, PromptRows
from desktop_app.ui.prompts.prompt_variables import VariableHighlighter
from desktop_app.ui.theme.icons import set_icon
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.buttons import make_clearable
from desktop_app.ui.widgets.fitting import ElidedLabel, FlowRow
from desktop_app.ui.widgets.floating import Menu
from desktop_app.ui.widgets.list_parts import MarginBar
from desktop_app.ui.widgets.page import PageFrame

BESIDE: Final = 80 * GRID
"""Pixels of the column from which on the chosen prompt stands beside the list, else beneath it."""
LOWEST: Final = 24 * GRID
SHOWN: Final = 20_000
"""Characters of a prompt's text that are shown beside the list."""


class PromptsPage(PageFrame):
    """Wishes, each with the prompt that is meant; `examples_shown` is told by the page itself."""

    insert_requested = Signal(object)
    edit_requested = Signal(object)
    duplicate_requested = Signal(object)
    delete_requested = Signal(object)
    new_requested = Signal()
    import_requested = Signal()
    export_requested = Signal()
    example_wanted = Signal(object)  # Example

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, "", parent)
        self.set_title(self.tr("Prompts"))
        self._shelf: PromptCache | None = None
        self.search = QLineEdit(self.column)
        self.search.setPlaceholderText(self.tr("Find a prompt"))
        self.search.setAccessibleName(self.tr("Find a prompt"))
        make_clearable(self.search)
        self.new_button = QPushButton(self.tr("New prompt"), self.top)
        self.header_row.addWidget(self.new_button)
        self.more_button = QToolButton(self.column)
        self.more_button.setAccessibleName(self.tr("More"))
        self.more_button.setToolTip(self.tr("Import, export, examples"))
        self.rows = PromptRows(self)
        self.view = QListView(self.column)
        self.delegate = PromptDelegate(theme, self.view)
        self._set_up_view()
        self.nothing = QLabel(self.tr("No results"), self.column)
        self.nothing.setProperty("tone", "secondary")
        self.nothing.hide()
        self.title = ElidedLabel(self.column)
        self.text = QPlainTextEdit(self.column)
        self.text.setReadOnly(True)
        self.text.setProperty("kind", "reading")
        self.text.setTabChangesFocus(True)
        # every line wraps, at any letter where it must
        self.text.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text.document().setDocumentMargin(0)
        self.text.setAccessibleName(self.tr("Text of the prompt"))
        self.highlighter = VariableHighlighter(theme, self.text.document())
        self.insert_button = QPushButton(self.tr("Insert"), self.column)
        self.insert_button.setProperty("kind", "primary")
        self.edit_button = QPushButton(self.tr("Edit"), self.column)
        self.duplicate_button = QPushButton(self.tr("Duplicate"), self.column)
        self.delete_button = QPushButton(self.tr("Delete"), self.column)
        self.examples: ExamplesPane | None = None
        self.menu: Menu | None = None
        self._lay_out()
        self.search.textChanged.connect(self._find)
        self.search.installEventFilter(self)
        self.new_button.clicked.connect(self.new_requested)
        self.more_button.clicked.connect(self._show_more)
        for button, wish in zip(
            (self.insert_button, self.edit_button, self.duplicate_button, self.delete_button),
            self._wishes(),
            strict=True,
        ):
            button.clicked.connect(lambda _down=False, wished=wish: self._wish(wished))
        self.view.selectionModel().currentChanged.connect(self._show_current)
        set_icon(self.more_button, "more", theme)
        theme.set_font("title", self.title)
        theme.set_font("body", self.text, self.nothing)
        self._library.hide()

    def _set_up_view(self) -> None:
        view = self.view
        view.setAccessibleName(self.tr("Prompts"))
        view.setModel(self.rows)
        view.setItemDelegate(self.delegate)
        view.setUniformItemSizes(True)
        view.setMouseTracking(True)
        view.setMinimumHeight(LOWEST)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._show_menu)
        view.doubleClicked.connect(lambda _index: self._wish(self.insert_requested))
        view.installEventFilter(self)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(GRID)
        top.addWidget(self.search, 1)
        top.addWidget(self.more_button)
        self.pinned.addLayout(top)
        listing = QVBoxLayout()
        listing.setSpacing(GRID)
        listing.addWidget(self.view, 1)
        listing.addWidget(self.nothing)
        self.shown = QWidget(self.column)
        beside = QVBoxLayout(self.shown)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(GRID)
        beside.addWidget(self.title)
        box = QFrame(self.shown)
        box.setProperty("kind", "field")
        inside = QVBoxLayout(box)
        inside.setContentsMargins(2 * GRID, GRID + GRID // 2, GRID, GRID + GRID // 2)
        inside.addWidget(self.text)
        beside.addWidget(box, 1)
        buttons = QWidget(self.shown)
        buttons.setLayout(
            FlowRow(
                *(self.insert_button, self.edit_button, self.duplicate_button, self.delete_button),
                across=GRID,
                down=GRID,
            )
        )
        policy = buttons.sizePolicy()
        policy.setHeightForWidth(True)
        buttons.setSizePolicy(policy)
        beside.addWidget(buttons)
        self._library = QWidget(self.column)
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._library)
        self._body.setContentsMargins(0, 0, 0, 0)
        self._body.setSpacing(2 * GRID)
        self._body.addLayout(listing, 2)
        self._body.addWidget(self.shown, 3)
        self.inside.addWidget(self._library, 1)
        MarginBar(self.view, self.column)

    # --- what is shown

    def show_prompts(self, prompts: Sequence[Prompt], *, chosen: str = "") -> None:
        """Shows the library as it is now. `chosen`: the id that is marked; else the one that was, else the first."""
        first = self._shelf is None
        self._shelf = PromptCache(prompts)
        if first and not prompts:
            self.show_examples()
        if self.examples is not None:
            self.examples.show_taken({(one.title, one.text) for one in prompts})
        self._find(chosen=chosen or (self.current.id if self.current is not None else ""))
        if first:
            self.focus_first()

    @property
    def current(self) -> Prompt | None:
        """The prompt that is marked."""
        index = self.view.currentIndex()
        row = self.rows.rows[index.row()] if index.isValid() else None
        return row.prompt if isinstance(row, PromptRow) else None

    def show_examples(self) -> None:
        """The examples in place of the list."""
        if self.examples is None:
            self.examples = ExamplesPane(self.theme, examples(), self.column)
            self.examples.wanted.connect(self.example_wanted)
            self.examples.done.connect(self._leave_examples)
            self.inside.addWidget(self.examples, 1)
        prompts = self._shelf.prompts if self._shelf is not None else ()
        self.examples.show_taken({(one.title, one.text) for one in prompts})
        self._library.hide()
        self.search.setEnabled(False)
        self.examples.show()
        self.examples.focus_first()

    def _leave_examples(self) -> None:
        if self.examples is not None:
            self.inside.removeWidget(self.examples)
            self.examples.deleteLater()
            self.examples = None
        self._find()
        self.focus_first()

    def focus_first(self) -> None:
        if self.examples is not None:
            self.examples.focus_first()
        else:
            self.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def _find(self, _typed: str = "", *, chosen: str = "") -> None:
        if self._shelf is None or self.examples is not None:
            return
        typed = self.search.text()
        place = max(0, self.view.currentIndex().row())
        found = self._shelf.holding(typed)
        self.rows.show([PromptRow(prompt, typed.strip()) for prompt in found])
        self._library.show()
        self.search.setEnabled(True)
        empty = not self._shelf.prompts
        self.nothing.setText(self.tr("There are no prompts.") if empty else self.tr("No results"))
        self.nothing.setVisible(not found)
        self.view.setVisible(bool(found))
        self.shown.setVisible(bool(found))
        if found:
            # where the one that was marked is gone, the one in its place
            kept = self.rows.place_of(chosen) if chosen else -1
            at = kept if kept >= 0 else min(place, len(found) - 1) if chosen else 0
            self.view.setCurrentIndex(self.rows.index(at))
            self.view.scrollTo(self.rows.index(at))
            self._show_current()

    def _show_current(self, *_: QModelIndex) -> None:
        prompt = self.current
        if prompt is None:
            return
        self.title.set_words(prompt.title)
        text = prompt.text if len(prompt.text) <= SHOWN else f"{prompt.text[:SHOWN]}…"
        if text != self.text.toPlainText():
            self.text.setPlainText(text)

    # --- wishes

    def _wishes(self) -> tuple[SignalInstance, ...]:
        return self.insert_requested, self.edit_requested, self.duplicate_requested, self.delete_requested

    def _wish(self, wished: SignalInstance) -> None:
        if self.current is not None and self.examples is None:
            wished.emit(self.current)

    def _show_menu(self, position: QPoint) -> None:
        if self.current is None:
            return
        menu = self.menu = Menu(self.view)
        menu.setAccessibleName(self.view.accessibleName())
        buttons = (self.insert_button, self.edit_button, self.duplicate_button, self.delete_button)
        for button in buttons:
            menu.addAction(button.text(), button.click)
        menu.popup(self.view.viewport().mapToGlobal(position))

    def _show_more(self) -> None:
        menu = self.menu = Menu(self.more_button)
        menu.setAccessibleName(self.more_button.accessibleName() or self.more_button.text())
        menu.addAction(self.tr("Import…"), self.import_requested.emit)
        export: QAction = menu.addAction(self.tr("Export all…"), self.export_requested.emit)
        export.setEnabled(self._shelf is not None and bool(self._shelf.prompts))
        menu.addSeparator()
        menu.addAction(self.tr("Examples"), self.show_examples)
        menu.open_at(self.more_button)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._wish(self.insert_requested)
        elif watched is self.view and key == Qt.Key.Key_Delete:
            self._wish(self.delete_requested)
        elif watched is self.search and key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            step = 1 if key == Qt.Key.Key_Down else -1
            at = self.view.currentIndex().row() + step
            if 0 <= at < self.rows.rowCount():
                self.view.setCurrentIndex(self.rows.index(at))
        else:
            return False
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._body.setDirection(across if self.room >= BESIDE else down)
