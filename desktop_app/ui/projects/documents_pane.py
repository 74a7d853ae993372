"""The documents on a project's page: adding, searching, progress, folders that are followed. Reads nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QLineEdit, QProgressBar, QPushButton, QVBoxLayout, QWidget

from desktop_app.core.messages import Failure
from desktop_app.core.projects import FolderChange, FollowedFolder, ProjectDocument
from desktop_app.ui.i18n.language import grouped, translated
from desktop_app.ui.projects.document_list import (
    NARROW,
    DocumentList,
    always_included,
    change_in_words,
    changes_in_short,
    in_total,
    searched,
)
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.floating import Menu
from desktop_app.ui.widgets.parts import (
    button_in,
    fill,
    frame_in,
    in_column,
    in_row,
    keep_height_for_width,
    label_in,
    make_clearable,
    say_in,
)

MOST_ROWS: Final = 10
"""Rows that are seen without scrolling in the list."""
SEARCH_FROM: Final = 8
"""So many documents make a field to search in worth its place."""
MOST_TOLD: Final = 5
"""Problems with what was added that are told one by one."""
MOST_CHANGES: Final = 200
"""Changes of folders that are listed."""


@dataclass(frozen=True, slots=True)
class DocumentsView:
    """The known state of a project's documents. `reading`: how many of how many were read, and which is being read.

    `always`: what the always included ones weigh and cost; "" where there are none. `too_much`: it is more than fits.
    `fitting`: those that have room among them still.
    """

    documents: Sequence[ProjectDocument]
    folders: Sequence[FollowedFolder] = ()
    unreachable: Sequence[FollowedFolder] = ()
    changes: Sequence[FolderChange] = ()
    reading: tuple[int, int, str] | None = None
    problem: Failure | None = None
    always: str = ""
    too_much: str = ""
    fitting: Sequence[ProjectDocument] = ()


class DocumentsPane(QWidget):
    """Wishes of the user; `show_view` says what there is."""

    unfollow_requested = Signal(str)  # id of the followed folder
    choose_folder_requested = Signal(str)  # id of a folder that came with an import
    choose_file_requested = Signal(object)  # ProjectDocument whose file is missing
    look_requested = Signal()
    take_over_requested = Signal()
    stop_requested = Signal()
    read_requested = Signal(object)  # Sequence[ProjectDocument]: to be read again

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.view = DocumentsView(())
        self.heading = QLabel(self.tr("Documents"), self)
        self.total = self._small()
        self.add_files = QPushButton(self.tr("Add files"), self)
        self.add_folder = QPushButton(self.tr("Add folder"), self)
        self.follow = button_in(
            self,
            self.tr("Follow a folder"),
            tip=self.tr("New, changed and removed files are shown before they are used"),
        )
        self.include = QPushButton(self.tr("Include all that fits"), self)
        self.nothing = self._small(self.tr("Drop files or folders here to use them in this project's threads."))
        self.always = self._small()
        self.too_much = self._small(tone="danger")
        self.progress = _ReadingLine(theme, self)
        self.waiting = _ActionLine(theme, self, tone="secondary")
        self.problem = self._small(tone="danger")
        self.changes = _ActionLine(theme, self)
        self.changes_list = self._small()
        self.changes_list.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.failed = _ActionLine(theme, self, tone="danger")
        self.left_out = _ActionLine(theme, self, tone="secondary")
        self.folders = QWidget(self)
        self._folder_lines = QVBoxLayout(self.folders)
        self.search = QLineEdit(self, placeholderText=self.tr("Find a document"))
        self.search.setAccessibleName(self.tr("Find a document"))
        make_clearable(self.search)
        self.no_hits = self._small(self.tr("No results"))
        self.list = DocumentList(theme, self)
        self.detail = self._small(tone="danger")
        self.detail.hide()
        self.several = _ActionLine(theme, self, tone="secondary")
        self.menu: Menu | None = None
        self._failed_only = False
        self._told_folders: tuple[Sequence[FollowedFolder], ...] = ()
        self._lay_out()
        self._connect()
        theme.set_font("title", self.heading)
        theme.set_font("small", self.include)
        theme.follow(self._fit)
        self.show_view(self.view)

    def show_view(self, view: DocumentsView) -> None:
        """Shows other facts; what is typed, marked and unfolded stays."""
        self.view = view
        documents = view.documents
        failed = [one for one in documents if one.state == "failed"]
        self._failed_only = self._failed_only and bool(failed)
        self.total.setText(in_total(documents) if documents else "")
        self.nothing.setVisible(not documents)
        self.include.setVisible(bool(view.fitting))
        words = self.tr("1 document") if len(view.fitting) == 1 else self.tr("{count} documents")
        self.include.setToolTip(words.format(count=grouped(len(view.fitting))))
        _show_words(self.always, view.always)
        _show_words(self.too_much, view.too_much)
        self.progress.show_progress(view.reading)
        self._show_waiting(view)
        self._show_changes(view.changes)
        self._show_failed(failed)
        self._show_folders(view)
        self.search.setVisible(len(documents) >= SEARCH_FROM or bool(self.search.text()))
        self._narrow()

    def show_left_out(self, failures: Sequence[Failure]) -> None:
        """Why some of what was added was not; none: nothing to say."""
        words = [translated(failure.message) for failure in failures[:MOST_TOLD]]
        if len(failures) > MOST_TOLD:
            words.append(self.tr("{count} more").format(count=grouped(len(failures) - MOST_TOLD)))
        self.left_out.show_line("\n".join(words), (self.tr("Dismiss"), lambda: self.show_left_out(())))

    # --- inside

    def _show_waiting(self, view: DocumentsView) -> None:
        waiting = sum(one.state == "waiting" for one in view.documents)
        words = ""
        if view.reading is None and waiting:
            words = (
                self.tr("1 document is not read yet.")
                if waiting == 1
                else self.tr("{count} documents are not read yet.").format(count=grouped(waiting))
            )
        _show_words(self.problem, translated(view.problem.message) if words and view.problem is not None else "")
        self.waiting.show_line(words, (self.tr("Read now"), lambda: self.read_requested.emit(())))

    def _show_changes(self, changes: Sequence[FolderChange]) -> None:
        words = changes_in_short(changes)
        shown = not self.changes_list.isHidden() and bool(changes)
        show = self.tr("Hide") if shown else self.tr("Show")
        self.changes.show_line(
            self.tr("In followed folders: {changes}").format(changes=words) if words else "",
            (show, self.unfold_changes),
            (self.tr("Apply changes"), self.take_over_requested.emit),
        )
        lines = [change_in_words(one) for one in changes[:MOST_CHANGES]]
        if len(changes) > MOST_CHANGES:
            lines.append(self.tr("{count} more").format(count=grouped(len(changes) - MOST_CHANGES)))
        self.changes_list.setText("\n".join(lines))
        self.changes_list.setVisible(shown)

    def unfold_changes(self) -> None:
        self.changes_list.setVisible(self.changes_list.isHidden())
        self._show_changes(self.view.changes)

    def _show_failed(self, failed: Sequence[ProjectDocument]) -> None:
        count = len(failed)
        words = (
            self.tr("1 document can't be read")
            if count == 1
            else self.tr("{count} documents can't be read").format(count=grouped(count))
        )
        show = self.tr("Show all") if self._failed_only else self.tr("Show")
        self.failed.show_line(
            words if failed else "",
            (show, self._toggle_failed),
            (self.tr("Read again"), lambda: self.read_requested.emit(failed)),
        )

    def _toggle_failed(self) -> None:
        self._failed_only = not self._failed_only
        self.show_view(self.view)

    def _show_folders(self, view: DocumentsView) -> None:
        told = (tuple(view.folders), tuple(view.unreachable))
        if told == self._told_folders:
            return  # a button that has the keyboard stays
        self._told_folders = told
        while (item := self._folder_lines.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        gone = {folder.id for folder in view.unreachable}
        for folder in view.folders:
            if not folder.chosen:
                line = _ActionLine(self._theme, self.folders)
                line.show_line(
                    self.tr("The folder “{name}” is not followed here. Choose where it is.").format(name=folder.path),
                    (self.tr("Choose folder"), partial(self.choose_folder_requested.emit, folder.id)),
                    (self.tr("Stop following"), partial(self.unfollow_requested.emit, folder.id)),
                )
                self._folder_lines.addWidget(line)
                continue
            line = _ActionLine(self._theme, self.folders, tone="danger" if folder.id in gone else "secondary")
            words = (
                self.tr("{path} can't be opened. Its documents stay.")
                if folder.id in gone
                else self.tr("Follows {path}")
            )
            line.show_line(
                words.format(path=folder.path),
                (self.tr("Check again") if folder.id in gone else self.tr("Check now"), self.look_requested.emit),
                (self.tr("Stop following"), partial(self.unfollow_requested.emit, folder.id)),
            )
            self._folder_lines.addWidget(line)
        self.folders.setVisible(bool(view.folders))

    def _narrow(self, _text: str = "") -> None:
        self.list.rows.show(self.view.documents, self.search.text(), failed_only=self._failed_only)
        shown = self.list.rows.rowCount()
        self.no_hits.setVisible(not shown and bool(self.view.documents))
        self.list.setVisible(bool(shown))
        self._show_several()
        self._show_detail()
        self._fit()

    def _show_several(self) -> None:
        """A mode for all that are marked."""
        usable = [one for one in self.list.chosen() if one.state != "failed"]
        words = self.tr("{count} documents selected").format(count=grouped(len(usable))) if len(usable) > 1 else ""
        self.several.show_line(
            words,
            (always_included(), lambda: self.list.mode_requested.emit(usable, "always")),
            (searched(), lambda: self.list.mode_requested.emit(usable, "search")),
        )

    def _show_detail(self) -> None:
        """Why the document can't be read that the keyboard is on, whole: a row has one line for it."""
        index = self.list.currentIndex()
        document = self.list.rows.rows[index.row()] if index.isValid() else None
        failed = document is not None and document.state == "failed"
        _show_words(self.detail, translated(document.error) if document is not None and failed else "")

    def _fit(self) -> None:
        rows = min(MOST_ROWS, self.list.rows.rowCount())
        self.list.setFixedHeight(rows * self.list.delegate.height + 2)

    def _small(self, words: str = "", tone: str = "secondary") -> QLabel:
        label = label_in(self, words, tone=tone, wrap=True)
        self._theme.set_font("small", label)
        return label

    def _lay_out(self) -> None:
        top = in_row(self.heading, (self.total, 1), spacing=2 * GRID)
        buttons = QWidget(self)
        buttons.setLayout(FlowRow(self.add_files, self.add_folder, self.follow, across=GRID, down=GRID))
        keep_height_for_width(buttons)
        self._folder_lines.setContentsMargins(0, 0, 0, 0)
        self._folder_lines.setSpacing(0)
        rule = frame_in(self, "rule")
        rule.setFixedHeight(1)
        column = in_column(top, rule, buttons, of=self, spacing=GRID, margins=(0, GRID))
        for part in (
            *(
                self.nothing,
                self.left_out,
                self.progress,
                self.problem,
                self.waiting,
                self.changes,
                self.changes_list,
                self.failed,
            ),
            # beneath the list: what a click on a mode brings must not push the rows away under the pointer
            *(
                self.folders,
                self.search,
                self.no_hits,
                self.list,
                self.several,
                self.include,
                self.always,
                self.too_much,
                self.detail,
            ),
        ):
            column.addWidget(part)
        column.setAlignment(self.include, Qt.AlignmentFlag.AlignLeft)

    def _connect(self) -> None:
        self.progress.cancel.clicked.connect(self.stop_requested)
        self.include.clicked.connect(lambda: self.list.mode_requested.emit(self.view.fitting, "always"))
        self.search.textChanged.connect(self._narrow)
        self.list.selectionModel().selectionChanged.connect(lambda *_: self._show_several())
        self.list.menu_requested.connect(self._show_menu)
        self.list.selectionModel().currentChanged.connect(lambda *_: self._show_detail())

    def _show_menu(self, documents: Sequence[ProjectDocument], place: QPoint) -> None:
        menu = self.menu = Menu(self.list, self.list.accessibleName(), once=True)
        if len(documents) == 1:
            menu.addAction(self.tr("Open"), lambda: self.list.open_requested.emit(documents[0]))
            if documents[0].state == "missing":
                menu.addAction(self.tr("Choose file"), lambda: self.choose_file_requested.emit(documents[0]))
            menu.addSeparator()
        usable = [one for one in documents if one.state != "failed"]
        if usable:
            for words, mode in ((always_included(), "always"), (searched(), "search")):
                action = menu.addAction(words, partial(self.list.mode_requested.emit, usable, mode))
                action.setCheckable(True)
                action.setChecked(all(one.mode == mode for one in usable))
            menu.addSeparator()
        menu.addAction(self.tr("Read again"), lambda: self.read_requested.emit(documents))
        menu.addAction(self.tr("Remove"), lambda: self.list.remove_requested.emit(documents))
        menu.popup(place)


class _ReadingLine(QWidget):
    """A bar with what is being read, and Cancel."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.words = label_in(self, tone="secondary")
        self.words.setMinimumWidth(1)
        self.bar = QProgressBar(self, textVisible=False)
        self.bar.setAccessibleName(self.tr("Reading documents"))
        self.cancel = button_in(self, self.tr("Cancel"), name=self.tr("Cancel the reading"))
        in_row(
            (in_column(self.words, self.bar, spacing=GRID // 2), 1), self.cancel, of=self, spacing=2 * GRID, margins=0
        )
        theme.set_font("small", self.words)
        self.hide()

    def show_progress(self, progress: tuple[int, int, str] | None) -> None:
        """None: nothing is read."""
        self.setVisible(progress is not None)
        if progress is None:
            return
        done, total, name = progress
        words = self.tr("Reading {number} of {total}: {name}").format(
            number=grouped(min(done + 1, total)), total=grouped(total), name=name
        )
        self.bar.setRange(0, max(1, total))
        self.bar.setValue(done)
        self.bar.setAccessibleDescription(words)
        self.words.setToolTip(words)
        self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        words, room = self.words.toolTip(), self.words.width()
        self.words.setText(self.words.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, room))


class _ActionLine(QWidget):
    """A line of small words with quiet buttons behind it; hidden while it has no words."""

    def __init__(self, theme: Theme, parent: QWidget, tone: str = "") -> None:
        super().__init__(parent)
        self._theme = theme
        self.words = label_in(self, wrap=True)
        self.words.setMinimumWidth(1)  # a path may have no place to break
        if tone:
            self.words.setProperty("tone", tone)
        self.buttons: list[QPushButton] = []
        self._actions: Sequence[tuple[str, Callable[[], object]]] = ()
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        fill(self._line, (self.words, 1), margins=0, spacing=0)
        self._row = FlowRow(across=GRID // 2, down=0)
        self._line.addLayout(self._row)
        theme.set_font("small", self.words)
        self.hide()

    def show_line(self, words: str, *actions: tuple[str, Callable[[], object]]) -> None:
        """Shows the words with one button for each action, its name and what it does; "" hides the line."""
        self.words.setText(words)
        while len(self.buttons) < len(actions):
            button = button_in(self, kind="quiet")
            self._theme.set_font("small", button)
            self._row.addWidget(button)
            place = len(self.buttons)
            button.clicked.connect(partial(self._act, place))
            self.buttons.append(button)
        self._actions = actions
        for button, (name, _) in zip(self.buttons, actions, strict=False):
            button.setText(name)
            button.setAccessibleName(f"{name}: {words}")
        self.setVisible(bool(words))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._line.setDirection(down if self.width() < NARROW else across)

    def _act(self, place: int, _checked: bool = False) -> None:
        self._actions[place][1]()


def _show_words(label: QLabel, words: str) -> None:
    say_in(label, words)
