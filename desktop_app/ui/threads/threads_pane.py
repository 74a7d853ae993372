"""The pane with the thread list, its search box and its buttons. Never imports another pane."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QEvent, QModelIndex, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QInputMethodEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QToolButton, QWidget

from desktop_app.core.messages import Thread
from desktop_app.ui.theme.theme import GRID, Theme, set_icon
from desktop_app.ui.threads.thread_list_model import ThreadListModel
from desktop_app.ui.threads.thread_list_view import ThreadListView
from desktop_app.ui.threads.thread_rows import PINNED, PROJECT, THREAD_ROLE
from desktop_app.ui.widgets.parts import Stretch, button_in, in_column, in_row, make_clearable, tool_in

if TYPE_CHECKING:  # loaded when something is searched for, selected, or looked for in the archive, or nothing is there
    from desktop_app.ui.threads.list_controls import ArchiveHead, SelectionBar, SyncFoot
    from desktop_app.ui.threads.results_pane import ResultsPane
    from desktop_app.ui.widgets.list_parts import EmptyState

LOOK_AT_TIME_MS: Final = 60_000
"""Milliseconds between two looks of the pane whether a day has passed."""
TITLES_SHARE: Final = 0.4
"""Share of the pane's height that matching titles may take while messages are searched as well."""
PAGE_ICONS: Final = ("folder", "prompt", "chart", "trash", "backup")


CLICK_COUNTS_MS = 5_000
"""After that the click on a row is not what Del is about any more: the keyboard is visibly elsewhere."""


class UntilInput(QObject):
    """Calls `over` at the next key but Del, click, drop or turn of the wheel, anywhere in the program."""

    _KINDS = (
        QEvent.Type.KeyPress,
        QEvent.Type.ShortcutOverride,
        QEvent.Type.InputMethod,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.Drop,
        QEvent.Type.Wheel,
    )

    def __init__(self, over: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._over = over

    def watch(self) -> None:
        if (program := QCoreApplication.instance()) is not None:
            program.installEventFilter(self)  # where it is one already, it stays one

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QInputMethodEvent):  # an empty one comes with the focus
            counts = bool(event.preeditString() or event.commitString())
        else:
            counts = not (isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Delete)
        if counts and event.type() in self._KINDS:
            if (program := QCoreApplication.instance()) is not None:
                program.removeEventFilter(self)
            self._over()
        return False


class ThreadsPane(QWidget):
    """The actions of the user on threads, as wishes. Ids come as a list where several may be meant."""

    thread_chosen = Signal(str)
    new_thread_requested = Signal()
    new_private_requested = Signal()
    rename_requested = Signal(str, str)
    pin_requested = Signal(object, bool)
    archive_requested = Signal(object, bool)
    move_menu_requested = Signal(QPoint)  # place on the screen that the menu stands above
    project_requested = Signal(object, object)  # ids; the project's id, None: none
    new_project_requested = Signal(object)
    project_rename_requested = Signal(str, str)  # its id; the new name
    project_removal_requested = Signal(str)
    duplicate_requested = Signal(str)
    export_requested = Signal(object)
    delete_requested = Signal(object)
    empty_archive_requested = Signal()
    import_requested = Signal()
    collapse_requested = Signal()
    search_edited = Signal(str)
    search_left = Signal()  # Esc in a search box where nothing is searched for
    sync_requested = Signal()
    results_made = Signal(object)  # ResultsPane: made when something is searched for the first time

    clicked = ""
    """The thread whose row was just clicked, until anything else is pressed, typed or scrolled in the program."""
    _wanted = ""  # what is to be in sight once it is there
    sync_foot: SyncFoot | None = None  # made where something is wrong

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("threads")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Threads"))
        self._theme = theme
        self._open: str | None = None
        self.results: ResultsPane | None = None
        self.selection_bar: SelectionBar | None = None
        self.archive_head: ArchiveHead | None = None
        self.nothing: EmptyState | None = None  # made where there is no thread
        self._offers_import = True
        self._choosing = False  # the chips are offered before anything is typed
        self.passes_over: Callable[[str], bool] = lambda _: False
        """The function that returns True if going from thread to thread leaves one out: another window shows it."""
        self.model = ThreadListModel(self)
        self.view = ThreadListView(self.model, theme, self)
        self.view.setAccessibleName(self.tr("Threads"))
        self.search = QLineEdit(self, placeholderText=self.tr("Search"))
        self.search.setAccessibleName(self.tr("Search titles and messages"))
        make_clearable(self.search)
        self.new_button = self._button(self.tr("New thread"), self.tr("New thread"))
        self.private_button = self._button(
            self.tr("New private thread"), self.tr("New private thread, kept in memory only")
        )
        self.collapse_button = self._button(self.tr("Hide the thread list"), self.tr("Hide the thread list"))
        self.archive_button = button_in(self, "", lambda: self.show_archive(True), kind="quiet")
        self.archive_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.archive_button.hide()
        self._lay_out()

        self._until_input = UntilInput(self._forget_click, self)
        self.click_counts = QTimer(self, interval=CLICK_COUNTS_MS, singleShot=True)
        self.click_counts.timeout.connect(self._forget_click)
        self._clock = QTimer(self, interval=LOOK_AT_TIME_MS)
        self._clock.timeout.connect(self.model.look_at_the_day)
        self._clock.start()
        self.search.textChanged.connect(self._search)
        self.search.installEventFilter(self)
        self.new_button.clicked.connect(self.new_thread_requested)
        self.private_button.clicked.connect(self.new_private_requested)
        self.collapse_button.clicked.connect(self.collapse_requested)
        self.view.clicked.connect(self._note_click)
        self.view.chosen.connect(self.thread_chosen)
        self.view.delete_requested.connect(self.delete_requested)
        self.view.selection_changed.connect(self._show_selection)
        self.view.dropped.connect(self._drop)
        self.view.left.connect(lambda: self.show_archive(False))
        self.model.renamed.connect(self.rename_requested)
        self.model.project_renamed.connect(self.project_rename_requested)
        self.model.arranged.connect(self._on_arranged)
        self._set_icons(theme)

    def _fit_words(self) -> None:
        self.setMinimumWidth(self._theme.pixels(22 * GRID))

    def _set_icons(self, theme: Theme) -> None:
        theme.follow(self._fit_words)
        theme.set_font("small", self.archive_button)
        set_icon(self.collapse_button, "sidebar", theme)
        set_icon(self.new_button, "compose", theme)
        set_icon(self.private_button, "private", theme)
        set_icon(self.archive_button, "archive", theme)

    def _button(self, name: str, tip: str) -> QToolButton:
        return tool_in(self, name=name, tip=tip)

    def _make_bar(self, _lowest: int, highest: int) -> None:
        """Titles are as wide with the bar as without."""
        if not highest:
            return
        from desktop_app.ui.widgets.list_parts import MarginBar  # only where there is something to scroll

        self.view.verticalScrollBar().rangeChanged.disconnect(self._make_bar)
        MarginBar(self.view, self.view, within=True)

    def _lay_out(self) -> None:
        self.page_buttons = {
            "new_project": self._button(self.tr("Projects"), self.tr("Projects")),
            "show_prompts": self._button(self.tr("Prompts"), self.tr("Prompts")),
            "show_usage": self._button(self.tr("Usage"), self.tr("Usage")),
            "show_trash": self._button(self.tr("Trash"), self.tr("Trash")),
            "show_backups": self._button(self.tr("Backups"), self.tr("Backups")),
        }
        """The ways to pages, by action."""
        for button, drawing in zip(self.page_buttons.values(), PAGE_ICONS, strict=True):
            set_icon(button, drawing, self._theme)
        top = in_row(
            self.collapse_button, Stretch(), self.private_button, self.new_button, margins=(GRID, GRID, GRID, 0)
        )
        self._column = in_column(
            top,
            in_row(self.search, margins=(GRID, 0)),
            (self.view, 1),
            in_column(
                in_row(self.archive_button, Stretch(), margins=(GRID, 0)),
                in_row(*self.page_buttons.values(), Stretch(), spacing=GRID // 2, margins=(GRID, 0, GRID, GRID)),
                spacing=GRID // 2,
            ),
            of=self,
            spacing=GRID,
            margins=0,
        )
        self.view.verticalScrollBar().rangeChanged.connect(self._make_bar)

    def show_open(self, thread_id: str | None) -> None:
        """Marks the thread that is open in the window."""
        self._open = thread_id
        self.view.show_open(thread_id)

    def bring(self, ids: Sequence[str]) -> None:
        """Keeps in sight what the user has put elsewhere: the first of these threads, or the group of that key; one
        that is not in the list yet as soon as it is.
        """
        self._wanted = ids[0] if ids else ""
        self._bring_wanted()

    def _bring_wanted(self) -> None:
        wanted, group = self._wanted, self.model.row_of_group(self._wanted)
        if wanted and (group >= 0 or self.model.thread_of(wanted) is not None):
            self._wanted = ""
            if group >= 0:
                self.view.scrollTo(self.model.index(group))
            else:
                self.view.bring(wanted)

    def delete_clicked(self) -> bool:
        """Deletes the thread whose row was clicked, where nothing else was done since."""
        clicked, self.clicked = self.clicked, ""
        if not clicked or clicked != self._open:
            return False
        self.delete_requested.emit(self.view.ids_at(clicked))
        return True

    def choose_beside(self, step: int) -> None:
        """Opens the thread `step` threads below (above where negative) the open one."""
        if thread_id := self.beside(step):
            self.thread_chosen.emit(thread_id)

    def beside(self, step: int) -> str:
        """The thread `step` threads below (above where negative) the open one; empty where there is none."""
        row = self.model.index_of(self._open).row() + step
        while 0 <= row < self.model.rowCount():
            thread = self.model.index(row).data(THREAD_ROLE)
            if isinstance(thread, Thread) and not self.passes_over(thread.id):
                return thread.id
            row += step
        return ""

    def open_thread(self) -> Thread | None:
        """The open thread as the list has it."""
        return self.model.thread_of(self._open) if self._open is not None else None

    def can_rename(self) -> bool:
        """Return True if `rename_open` has a row to edit."""
        current = self.view.current_thread() if self.view.hasFocus() else None
        return current is not None or self.model.index_of(self._open).isValid()

    def rename_open(self) -> None:
        """Edits a title in place: of the current row where the list has the keyboard, else of the open thread."""
        project = self.view.current_project() if self.view.hasFocus() else None
        if project is not None:
            self.rename_project(project)
            return
        current = self.view.current_thread() if self.view.hasFocus() else None
        self.rename(current.id if current is not None else self._open)

    def rename(self, thread_id: str | None) -> None:
        """Edits the title of a thread in place."""
        index = self.model.index_of(thread_id)
        if index.isValid():
            self.view.make_current(index)
            self.view.edit(index)

    def rename_project(self, project: str) -> None:
        """Edits the name of a project in place."""
        if (row := self.model.row_of_group(PROJECT + project)) >= 0:
            index = self.model.index(row)
            self.view.make_current(index)
            self.view.scrollTo(index)
            self.view.edit(index)

    def focus_list(self) -> None:
        """Gives the keyboard to the list, at the open thread, or to what was found while it has no row to show."""
        if self.view.isHidden() and self.results is not None:
            self.results.view.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
        self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if not self.view.currentIndex().isValid():
            open_row = self.model.index_of(self._open)
            self.view.make_current(open_row if open_row.isValid() else self.model.index(0))

    def focus_search(self) -> None:
        """Gives the keyboard to the search box; what narrows a search is offered with it."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()
        self._offer_chips()

    def leave_search(self) -> None:
        """Back to the whole list."""
        self._choosing = False
        if self.results is not None:
            self.results.forget_filter()
        if self.search.text():
            self.search.clear()
        else:
            self._search("")

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Enter in the search box opens what was found first: a title, else a message. Down goes to it.

        Esc leaves the search, and then the box.
        """
        if watched is self.search and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.model.finish_search()
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._searching and self.results is not None:
                title = self.model.index(1).data(THREAD_ROLE) if not self.view.isHidden() else None
                self.results.open_first(title)
                return True
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
                return self._into_the_list()
            if event.key() == Qt.Key.Key_Escape:
                searching = bool(self.search.text()) or self._searching
                self.leave_search()
                if not searching:
                    self.search_left.emit()
                return True
        if (
            watched is self.search
            and isinstance(event, QFocusEvent)
            and event.reason() == Qt.FocusReason.MouseFocusReason
        ):
            self._offer_chips()
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def _into_the_list(self) -> bool:
        if self.model.rowCount() > 1 and not self.view.isHidden():
            self.view.setFocus(Qt.FocusReason.TabFocusReason)
            self.view.make_current(self.model.index(1))
            return True
        return self.results is not None and self.results.isVisible() and self.results.focus_first()

    @property
    def _searching(self) -> bool:
        """True while messages are searched: by words, or by a filter alone."""
        return bool(self.search.text().strip()) or (self.results is not None and self.results.narrowed)

    def _search(self, text: str) -> None:
        self.model.set_filter(text)
        if text.strip() and self.results is None:
            self._make_results()
        self._show_results()
        self.search_edited.emit(text)

    def _offer_chips(self) -> None:
        if self.results is None:
            self._make_results()
        if self.results is not None:
            self.results.know_models(summary.thread.model for summary in self.model.threads())
        self._choosing = True
        self._show_results()

    def _show_results(self) -> None:
        if self.results is not None:
            # beneath the titles that are found, or right beneath the box while nothing is looked for
            self._column.removeWidget(self.results)
            self._column.insertWidget(self._column.indexOf(self.view) + int(self._searching), self.results, 1)
            self.results.setVisible(self._searching or self._choosing)
            self.results.show_hits(self._searching)
        self._share_room()
        self._show_nothing()

    def _look_who_has_the_keyboard(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Chips that nobody used go when the keyboard goes elsewhere; a menu of theirs takes it from nobody."""
        if self._choosing and now is not None and not self.isAncestorOf(now) and not isinstance(now, QMenu):
            self._choosing = False
            self._show_results()

    def _make_results(self) -> None:
        from desktop_app.ui.threads.results_pane import ResultsPane

        self.results = ResultsPane(self._theme, self)
        before: QWidget = self.search
        for after in (*self.results.chips, self.results.view):  # where they stand, not where they were made
            QWidget.setTabOrder(before, after)
            before = after
        self.results.left.connect(self._leave_results)
        self.results.thread_chosen.connect(self.thread_chosen)
        self.results.filter_changed.connect(self._show_results)
        self.results_made.emit(self.results)
        if isinstance(app := QApplication.instance(), QApplication):
            app.focusChanged.connect(self._look_who_has_the_keyboard)

    def _leave_results(self) -> None:
        self.leave_search()
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def _share_room(self) -> None:
        """While messages are searched, matching titles take no more room than they need, and never all of it."""
        searching = self._searching
        rows = self.model.rowCount()
        # without words no title is looked for
        self.view.setVisible(not searching or (rows > 0 and bool(self.search.text().strip())))
        most = min(rows * self.view.painter.height, int(self.height() * TITLES_SHARE)) if searching else 16_777_215
        self.view.setMaximumHeight(most)

    def _note_click(self, index: QModelIndex) -> None:
        thread = index.data(THREAD_ROLE)
        self.clicked = thread.id if isinstance(thread, Thread) else ""
        self._until_input.watch()
        self.click_counts.start()

    def _forget_click(self) -> None:
        self.clicked = ""

    def _on_arranged(self) -> None:
        self._bring_wanted()
        count = self.model.archived_count()
        self.archive_button.setText(self.tr("Archived ({n})").format(n=count))
        self.archive_button.setVisible(count > 0 and not self.model.archived)
        if self.archive_head is not None:
            self.archive_head.show_count(count)
        self._show_nothing()
        if self.results is not None:
            self._share_room()

    def _show_nothing(self) -> None:
        """One line and one thing to do where there is no thread yet."""
        empty = self.model.rowCount() == 0 and not self.model.archived and not self._searching
        if self.nothing is None:
            if not empty:
                return
            from desktop_app.ui.widgets.list_parts import EmptyState

            nothing = self.nothing = EmptyState(self._theme, self)
            nothing.setContentsMargins(2 * GRID, 0, GRID, 0)
            nothing.wanted.connect(self.import_requested)
            self._column.insertWidget(self._column.indexOf(self.view), nothing)
        self.nothing.say(self.tr("No threads yet"), self.tr("Import chats…") if self._offers_import else "")
        self.nothing.setVisible(empty)

    def show_sync(self, words: str) -> None:
        """Shows at the list's foot that something is wrong with sync, and the way to its page; "": nothing."""
        if self.sync_foot is None and words:
            from desktop_app.ui.threads.list_controls import SyncFoot

            self.sync_foot = SyncFoot(self._theme, self, self.sync_requested)
            self._column.insertWidget(self._column.count() - 1, self.sync_foot)
        if self.sync_foot is not None:
            self.sync_foot.say(words)

    def offer_import(self, offered: bool) -> None:
        """Set whether an empty list offers to import chats, or something beside it does."""
        if offered != self._offers_import:
            self._offers_import = offered
            self._show_nothing()

    def show_archive(self, shown: bool) -> None:
        """Lists the archived threads under a heading of their own, or all others again."""
        if shown == self.model.archived:
            return
        head = self.archive_head or self._make_archive_head()
        by_keyboard = self.archive_button.hasFocus() or head.back.hasFocus()
        self.view.setAccessibleName(self.tr("Archived threads") if shown else self.tr("Threads"))
        head.setVisible(shown)
        self.model.show_archived(shown)
        self.view.scrollToTop()
        if by_keyboard:
            self.focus_list()  # the button that had the keyboard is gone

    def _make_archive_head(self) -> ArchiveHead:
        from desktop_app.ui.threads.list_controls import ArchiveHead

        head = self.archive_head = ArchiveHead(self._theme, self)
        self._column.insertWidget(self._column.indexOf(self.view), head)
        QWidget.setTabOrder(self.search, head.back)
        QWidget.setTabOrder(head.back, head.empty)
        head.show_count(self.model.archived_count())
        head.left.connect(lambda: self.show_archive(False))
        head.empty.clicked.connect(self.empty_archive_requested)
        return head

    def _show_selection(self, count: int) -> None:
        """Show a bar where several threads are selected, which says so and offers what can be done with them."""
        if count > 1:
            bar = self.selection_bar or self._make_selection_bar()
            bar.show_count(count, archived=self.model.archived)
            self._column.activate()
            self.view.scrollTo(self.view.currentIndex())  # the bar has taken room from the list's end
        elif self.selection_bar is not None:
            self.selection_bar.hide()

    def _make_selection_bar(self) -> SelectionBar:
        from desktop_app.ui.threads.list_controls import SelectionBar

        bar = self.selection_bar = SelectionBar(self._theme, self)
        self._column.insertWidget(self._column.count() - 1, bar)
        bar.follow(self.view.last_stop)
        selected = self.view.selected_ids
        bar.archive_requested.connect(lambda: self.archive_requested.emit(selected(), not self.model.archived))
        bar.export_requested.connect(lambda: self.export_requested.emit(selected()))
        bar.delete_requested.connect(lambda: self.delete_requested.emit(selected()))
        bar.move_requested.connect(self.move_menu_requested)
        bar.closed.connect(self.view.clear_selection)
        return bar

    def _drop(self, ids: list[str], key: str) -> None:
        """Dropped on a group: what makes a thread stand there is wished for."""
        if key == PINNED:
            self.pin_requested.emit(ids, True)
            return
        pinned = [one for one in ids if (thread := self.model.thread_of(one)) is not None and thread.pinned]
        if pinned:
            self.pin_requested.emit(pinned, False)
        self.project_requested.emit(ids, key.removeprefix(PROJECT) if key.startswith(PROJECT) else None)
