"""The page of backups and its flow: which there are, what one holds, make one, restore one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QListView,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_app.core.backups import BackedUpThread, Backup
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import BackupsChanged
from desktop_app.ui.i18n.dates import day, moment
from desktop_app.ui.i18n.language import grouped, tr, translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.dialogs import asked_folder
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.floating import Toast
from desktop_app.ui.widgets.list_parts import TwoLineDelegate, TwoLineRow, TwoLineRows
from desktop_app.ui.widgets.page import PageFrame

if TYPE_CHECKING:
    from desktop_app.controller.backups import Backups


LOWEST: Final = 22 * GRID


class BackupsPage(PageFrame):
    """Wishes with what is meant: a `Backup`, and for one thread its `BackedUpThread`."""

    make_wanted = Signal()
    chosen = Signal(object)
    restore_wanted = Signal(object, object)
    folder_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, "", parent)
        self.set_title(self.tr("Backups"))
        self.make_button = QPushButton(self.tr("Back up now"), self.top)
        self.header_row.addWidget(self.make_button)
        self.place = self.small()
        self.folder_button = QPushButton(self.tr("Change folder…"), self.column)
        self.nothing = QLabel(self.tr("No backups yet"), self.column)
        self.nothing.setProperty("tone", "secondary")
        self.rows, self.threads = TwoLineRows(self), TwoLineRows(self)
        self.view, self.threads_view = QListView(self.column), QListView(self.column)
        self.inside_words = self.small(self.tr("Threads in this backup"))
        self.restore_button = QPushButton(self.tr("Restore thread"), self.column)
        self.restore_button.setProperty("kind", "primary")
        self.restore_all_button = QPushButton(self.tr("Restore all"), self.column)
        self.buttons = _in_a_row(self.column, self.restore_button, self.restore_all_button)
        self.about = self.small(self.tr("Restoring adds what is missing. What you have now stays."))
        self.progress_words = self.small()
        self.progress = QProgressBar(self.column)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(self.tr("Progress"))
        self.progress.setRange(0, 0)
        self._running = False
        self._set_up(self.view, self.rows, self.tr("Backups"), theme)
        self._set_up(self.threads_view, self.threads, self.tr("Threads in this backup"), theme)
        self._lay_out()
        theme.set_font("body", self.nothing)
        self.make_button.clicked.connect(self.make_wanted)
        self.folder_button.clicked.connect(self.folder_wanted)
        self.restore_button.clicked.connect(self._wish_thread)
        self.restore_all_button.clicked.connect(self._wish_all)
        self.threads_view.activated.connect(lambda _: self._wish_thread())
        self.view.selectionModel().currentChanged.connect(lambda *_: self._choose())
        self.threads_view.selectionModel().selectionChanged.connect(lambda *_: self._show_state())
        self.show_progress("")
        self.show_backups(())

    def focus_first(self) -> None:
        (self.view if self.rows.rows else self.make_button).setFocus(Qt.FocusReason.OtherFocusReason)

    def show_place(self, words: str) -> None:
        """Says where new backups are put."""
        self.place.setText(words)

    def show_backups(self, rows: Sequence[TwoLineRow]) -> None:
        """Shows the backups, newest first; the one that was chosen stays so, else the newest is."""
        before = self.backup
        self.rows.show(rows)
        for widget in (self.view, self.inside_words, self.threads_view, self.buttons, self.about):
            widget.setVisible(bool(rows))
        self.nothing.setVisible(not rows)
        same = (place for place, row in enumerate(rows) if before is not None and row.item.id == before.id)
        if rows:
            self.view.setCurrentIndex(self.rows.index(next(same, 0)))
        self._show_state()

    def show_threads(self, rows: Sequence[TwoLineRow]) -> None:
        """Shows what the chosen backup holds."""
        self.threads.show(rows)
        if rows:
            self.threads_view.setCurrentIndex(self.threads.index(0))
        self._show_state()

    def show_progress(self, words: str) -> None:
        """Shows what is going on; "": nothing."""
        self._running = bool(words)
        self.progress_words.setText(words)
        self.progress_words.setVisible(bool(words))
        self.progress.setVisible(bool(words))
        self._show_state()

    @property
    def backup(self) -> Backup | None:
        """The one that is chosen."""
        place = self.view.currentIndex().row()
        found: Backup | None = self.rows.rows[place].item if 0 <= place < len(self.rows.rows) else None
        return found

    @property
    def chosen_thread(self) -> BackedUpThread | None:
        """The thread in it that is chosen."""
        place = self.threads_view.currentIndex().row()
        found: BackedUpThread | None = self.threads.rows[place].item if 0 <= place < len(self.threads.rows) else None
        return found

    def _choose(self) -> None:
        self.show_threads(())
        if self.backup is not None:
            self.chosen.emit(self.backup)

    def _wish_thread(self) -> None:
        if self.restore_button.isEnabled():
            self.restore_wanted.emit(self.backup, self.chosen_thread)

    def _wish_all(self) -> None:
        self.restore_wanted.emit(self.backup, None)

    def _show_state(self) -> None:
        free = not self._running
        self.make_button.setEnabled(free)
        self.restore_button.setEnabled(free and self.chosen_thread is not None)
        self.restore_all_button.setEnabled(free and self.backup is not None and bool(self.threads.rows))

    def _set_up(self, view: QListView, rows: TwoLineRows, name: str, theme: Theme) -> None:
        view.setAccessibleName(name)
        view.setModel(rows)
        view.setItemDelegate(TwoLineDelegate(theme, view))
        view.setUniformItemSizes(True)
        view.setMouseTracking(True)
        view.setMinimumHeight(LOWEST)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def _lay_out(self) -> None:
        going_on = QVBoxLayout()
        going_on.setSpacing(GRID // 2)
        going_on.addWidget(self.progress_words)
        going_on.addWidget(self.progress)
        where = QHBoxLayout()
        where.setSpacing(2 * GRID)
        where.addWidget(self.place, 1)
        where.addWidget(self.folder_button)
        self.inside.addLayout(where)
        self.inside.addWidget(self.nothing)
        self.inside.addWidget(self.view, 1)
        self.inside.addWidget(self.inside_words)
        self.inside.addWidget(self.threads_view, 1)
        self.inside.addWidget(self.about)
        self.inside.addWidget(self.buttons)
        self.inside.addLayout(going_on)
        self.inside.addStretch(0)


def _in_a_row(parent: QWidget, *buttons: QPushButton) -> QWidget:
    """The buttons beside each other, or beneath where that is too narrow."""
    row = QWidget(parent)
    row.setLayout(FlowRow(*buttons, across=GRID, down=GRID))
    policy = row.sizePolicy()
    policy.setHeightForWidth(True)
    row.setSizePolicy(policy)
    return row


MEGABYTE = 1_000_000


class BackupsPresenter(QObject):
    """Keeps the page true while it is shown. A copy or a restore goes on when the page is left."""

    def __init__(self, app_state: AppState, page: BackupsPage, toast: Toast, parent: QObject) -> None:
        super().__init__(parent)
        self._app_state = app_state
        self.page = page
        self._toast = toast
        self._ended = False
        page.make_wanted.connect(lambda: app_state.start(self._make()))
        page.chosen.connect(lambda backup: app_state.start(self._look_into(backup)))
        page.restore_wanted.connect(lambda backup, thread: app_state.start(self._restore(backup, thread)))
        page.folder_wanted.connect(lambda: app_state.start(self._change_folder()))
        app_state.bridge.subscribe(BackupsChanged, self._changed)
        app_state.start(self._open())

    def end(self) -> None:
        self._ended = True

    def _changed(self, _fact: object) -> None:
        if not self._ended:
            self._app_state.start(self._show())

    async def _open(self) -> None:
        await self._show()
        if not self._ended:
            self.page.focus_first()

    async def _show(self) -> None:
        services = await self._app_state.services()
        folder = services.preferences.settings.backups.folder
        every = await services.backups.all()
        if self._ended:
            return
        kept = self.tr("New backups are kept in {folder}.").format(folder=folder) if folder else ""
        self.page.show_place(kept or self.tr("New backups are kept in the data folder."))
        self.page.show_backups([TwoLineRow(one, moment(one.at), facts_of_backup(one)) for one in every])

    async def _look_into(self, backup: Backup) -> None:
        try:
            threads = await (await self._backups()).threads(backup.id)
        except PlimsollError as error:
            self._toast.show_message(translated(error.failure.message))
            return
        if not self._ended and self.page.backup == backup:
            untitled = self.tr("untitled")
            rows = [TwoLineRow(one, one.title or untitled, facts_of_thread(one)) for one in threads]
            self.page.show_threads(rows)

    async def _make(self) -> None:
        self._progress(self.tr("Backing up…"))
        try:
            await (await self._backups()).make()
        except PlimsollError as error:
            self._toast.show_message(translated(error.failure.message))
        else:
            self._toast.show_message(self.tr("Backed up"))
        finally:
            self._progress("")

    async def _restore(self, backup: Backup, thread: BackedUpThread | None) -> None:
        self._progress(self.tr("Restoring…"))
        try:
            done = await (await self._backups()).restore(backup.id, None if thread is None else thread.id)
        except PlimsollError as error:
            self._toast.show_message(translated(error.failure.message))
            return
        finally:
            self._progress("")
        if not (done.threads or done.messages):
            words = self.tr("Nothing was missing")
        elif thread is not None:
            words = self.tr("“{title}” restored").format(title=thread.title or self.tr("untitled"))
        else:
            words = self.tr("{threads} threads and {messages} messages restored").format(
                threads=grouped(done.threads), messages=grouped(done.messages)
            )
        self._toast.show_message(words)

    async def _change_folder(self) -> None:
        folder = await asked_folder(self.page.window(), self.tr("Backup folder"))
        if folder is None:
            return
        try:
            await (await self._app_state.services()).preferences.set_value("backups.folder", str(folder))
        except PlimsollError as error:
            self._toast.show_message(translated(error.failure.message))
        await self._show()

    def _progress(self, words: str) -> None:
        if not self._ended:
            self.page.show_progress(words)

    async def _backups(self) -> Backups:
        return (await self._app_state.services()).backups


def facts_of_backup(one: Backup) -> str:
    """Return the facts of a backup: its content, how big it is, and whether it is whole."""
    threads = tr("1 thread") if one.threads == 1 else tr("{n} threads").format(n=grouped(one.threads))
    messages = tr("1 message") if one.messages == 1 else tr("{n} messages").format(n=grouped(one.messages))
    size = tr("{size} MB").format(size=grouped(one.bytes / MEGABYTE, 1))
    return " · ".join((threads, messages, size, tr("verified") if one.verified else tr("damaged")))


def facts_of_thread(one: BackedUpThread) -> str:
    """When a thread was begun and used last, and how many messages it has."""
    messages = tr("1 message") if one.messages == 1 else tr("{n} messages").format(n=grouped(one.messages))
    return " · ".join(dict.fromkeys((day(one.created), day(one.updated), messages)))
