"""The page of a project: name, instructions, documents, threads, what its threads use. Stores nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast

from PySide6.QtCore import QEvent, QModelIndex, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QLabel,
    QLineEdit,
    QListView,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionFrame,
    QStyleOptionViewItem,
    QStylePainter,
    QWidget,
)

from desktop_app.core.messages import Thread
from desktop_app.core.projects import Project
from desktop_app.ui.i18n.content_words import thousands, token_figure, tokens_of
from desktop_app.ui.i18n.language import day, grouped, title_of
from desktop_app.ui.models.model_choice import ModelChoice
from desktop_app.ui.models.model_menu import ModelMenu
from desktop_app.ui.projects.documents_pane import DocumentsPane
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.dragging import DropTarget
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.list_parts import ROW_ROLE, Index, ListRows, RowDelegate, set_up_list
from desktop_app.ui.widgets.page import PageFrame, SettingField, Switch, TextField
from desktop_app.ui.widgets.parts import (
    ElidedButton,
    Stretch,
    button_in,
    fill,
    frame_in,
    in_column,
    in_row,
    keep_height_for_width,
    say_in,
    set_look,
)

_MIDDLE = Qt.AlignmentFlag.AlignVCenter


class ThreadRows(ListRows[Thread]):
    """The threads of a project by title."""

    def show(self, rows: Sequence[Thread]) -> None:
        if list(rows) != list(self.rows):
            super().show(rows)

    def words(self, row: Thread) -> str:
        return title_of(row)

    def sentence(self, row: Thread) -> str:
        return f"{title_of(row)}, {day(row.updated)}"

    tip = sentence


class ThreadTitleDelegate(RowDelegate):
    """One line: the title, and at its end the day it was last used."""

    GROUND = (0, 1, 0, -1)

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(theme, view)
        self._view = view

    def standing(self, option: QStyleOptionViewItem, index: Index) -> tuple[bool, bool]:
        focused = self._view.hasFocus() and index.row() == self._view.currentIndex().row()
        return focused, focused

    def paint_row(self, painter: QPainter, rect: QRectF, index: Index) -> None:
        thread, theme = cast("Thread", index.data(ROW_ROLE)), self.theme
        box, when = rect.adjusted(GRID, 0, -GRID, 0), day(thread.updated)
        painter.setFont(self.small)
        painter.setPen(theme.color("text-secondary"))
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | _MIDDLE, when)
        box.adjust(0, 0, -(self.small_metrics.horizontalAdvance(when) + GRID), 0)
        painter.setFont(self.font)
        painter.setPen(theme.color("text"))
        title = self.metrics.elidedText(title_of(thread), Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | _MIDDLE, title)


class ThreadTitles(QListView):
    """A click or Enter opens a thread."""

    thread_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows = ThreadRows(self)
        self.delegate = ThreadTitleDelegate(theme, self)
        set_up_list(self, self.rows, self.delegate, self.tr("Threads of this project"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self._choose)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._choose(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _choose(self, index: QModelIndex) -> None:
        self.thread_chosen.emit(self.rows.rows[index.row()].id)


SAVED_AFTER_MS: Final = 800
"""Instructions are saved when typing has rested this long, and when the field or the page is left."""
MOST_THREADS: Final = 6
"""Rows of threads that are seen without scrolling in the list."""
LEAST_LINES: Final = 3
MOST_LINES: Final = 10
"""Lines of the instructions that are seen without scrolling in the field."""
NARROW: Final = 60 * GRID
"""Pixels of the page below which what is set stands beneath its name."""
FIELD: Final = 20 * GRID


@dataclass(frozen=True, slots=True)
class ProjectView:
    """The content of the page beside the documents. `model`: the name of the project's own model, "" for the default.

    `default_model` and `default_limit` say what counts where it has none of its own. `tools`: the names of the servers
    of tools that its threads have.
    """

    project: Project
    threads: Sequence[Thread] = ()
    model: str = ""
    default_model: str = ""
    default_limit: int = 0
    tools: Sequence[str] = ()


QT_MARGIN = 2
"""Pixels that Qt leaves at both sides of the text in a field."""


class NameField(QLineEdit):
    """The heading of the page, which can be written over; Esc takes back what was written."""

    renamed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._name = ""
        self.setProperty("kind", "heading")
        self.setAccessibleName(self.tr("Name of the project"))
        self.setToolTip(self.tr("Rename the project"))
        self.setMinimumWidth(1)
        self.returnPressed.connect(self.clearFocus)
        self.editingFinished.connect(self._finish)
        theme.follow(self._apply_theme)

    def show_name(self, name: str, *, anyway: bool = False) -> None:
        """Shows the name that counts; what is being written stays unless `anyway`."""
        self._name = name
        if anyway or not self.hasFocus():
            self.setText(name)
            self.setModified(False)
            self.setCursorPosition(0)
            self.updateGeometry()  # where it has room depends on how long it is

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text() != self._name:
            self.show_name(self._name, anyway=True)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.setCursorPosition(0)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            what = self.tr("Rename the project")
            self.setToolTip(f"{self._name}\n{what}" if self._room < self._needs else what)
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Without the keyboard a name that is too long ends in an ellipsis."""
        if self.hasFocus() or self._needs <= self._room:
            super().paintEvent(event)
            return
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        painter = QStylePainter(self)
        painter.drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option)
        words = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self._room)
        painter.setPen(self._theme.color("text"))
        painter.drawText(self._words_rect, Qt.AlignmentFlag.AlignVCenter, words)
        painter.end()

    @property
    def _words_rect(self) -> QRect:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        inside = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        return inside.adjusted(QT_MARGIN, 0, -QT_MARGIN, 0)

    @property
    def _room(self) -> int:
        return self._words_rect.width()

    @property
    def _needs(self) -> int:
        return self.fontMetrics().horizontalAdvance(self.text())

    def _finish(self) -> None:
        if (words := " ".join(self.text().split())) and words != self._name:
            self.renamed.emit(words)
        elif not words:
            self.show_name(self._name, anyway=True)

    def _apply_theme(self) -> None:
        font = self._theme.title_font()
        font.setPointSizeF(self._theme.points("page"))
        self.setFont(font)


class ProjectPage(PageFrame):
    """Wishes of the user; documents have theirs in `documents`."""

    instructions_changed = Signal(str)
    model_chosen = Signal(object, object)  # backend, model; None, None: the default
    limit_chosen = Signal(object)  # tokens; None: the default
    tools_requested = Signal()
    archive_requested = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, "", parent)
        self.project: Project | None = None
        self.menu: ModelMenu | None = None
        self._naming = False
        self._rows: list[QBoxLayout] = []  # of the settings: a label, and what it is for
        self.set_title(self.tr("Project"))
        self.name = NameField(theme, self)
        self.new_thread = button_in(self, self.tr("New thread"), kind="primary")
        self.name_problem = self.small(tone="danger")
        self.archived = QWidget(self.column)
        self.unarchive = QPushButton(self.tr("Unarchive"), self.archived)
        self.instructions = TextField(self.column)
        self._told = ""
        self.instructions_problem = self.small(tone="danger")
        self.documents = DocumentsPane(theme, self.column)
        self.threads = ThreadTitles(theme, self.column)
        self.no_threads = self.small(self.tr("No threads yet"))
        self.threads_total = self.small()
        self.model = ElidedButton(theme, self.column)
        self.model.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.model_reset = self._reset_button(self.tr("Use the default model"))
        self.limit = SettingField(self.column)
        self.limit_reset = self._reset_button(self.tr("Use the default soft limit"))
        self.limit_problem = self.small(tone="danger")
        self.searches_threads = Switch(theme, self.column)
        self.tools = ElidedButton(theme, self.column)
        self.archive = QPushButton(self.tr("Archive project"), self.column)
        self.delete = QPushButton(self.tr("Delete project"), self.column)
        self.drop_target = DropTarget(
            theme, self, lambda: self.project is not None, self.tr("Drop to add to this project")
        )
        self._resting = QTimer(self, singleShot=True, interval=SAVED_AFTER_MS)
        self._lay_out()
        self._connect()
        theme.set_font("body", self.instructions)
        theme.follow(self._fit)

    # --- what is shown

    def show_project(self, view: ProjectView) -> None:
        """Shows a project as it is now; what is being written stays."""
        project, first = view.project, self.project is None
        self.project = project
        self.setAccessibleName(self.tr("Project: {name}").format(name=project.name))
        self.setWindowTitle(project.name)
        self.name.show_name(project.name, anyway=first)
        self.archived.setVisible(project.archived)
        self.archive.setHidden(project.archived)
        if first or (not self.instructions.hasFocus() and self.unsaved_instructions() is None):
            self._told = project.instructions
            if self.instructions.toPlainText() != project.instructions:
                self.instructions.setPlainText(project.instructions)
        self.threads.rows.show(view.threads)
        self.no_threads.setVisible(not view.threads)
        self.threads.setVisible(bool(view.threads))
        self.threads_total.setText(grouped(len(view.threads)) if view.threads else "")
        default = view.default_model
        self.model.setText(view.model or (self.tr("Default ({name})").format(name=default) if default else ""))
        self.model.setText(self.model.text() or self.tr("Default"))
        self.model.setAccessibleName(self.tr("Model: {words}").format(words=self.model.text()))
        self.model_reset.setVisible(project.model is not None or project.backend is not None)
        if not self.limit.isModified():
            self.limit.setText(token_figure(project.soft_limit) if project.soft_limit is not None else "")
        self.limit.setPlaceholderText(
            self.tr("Default ({tokens})").format(tokens=thousands(view.default_limit))
            if view.default_limit
            else self.tr("Default")
        )
        self._fit_limit()
        self.limit_reset.setVisible(project.soft_limit is not None)
        self.searches_threads.setChecked(project.searches_threads)
        self.tools.setText(", ".join(view.tools) or self.tr("None"))
        self.tools.setAccessibleName(self.tr("Tools: {words}").format(words=self.tools.text()))
        self._fit()
        if first and self._naming:
            self.edit_name()
        elif first:
            self.focus_first()

    def show_name_problem(self, words: str) -> None:
        """Why the name that was written can't be; the one that counts stands there again."""
        if words and self.project is not None:
            self.name.show_name(self.project.name, anyway=True)
        say_in(self.name_problem, words)

    def show_instructions_problem(self, words: str) -> None:
        """Why the instructions could not be saved; they stay as they were typed."""
        say_in(self.instructions_problem, words)

    @property
    def own_model(self) -> tuple[str, str] | None:
        """Backend and model that the project names; None: none."""
        project = self.project
        return (project.backend or "", project.model) if project is not None and project.model else None

    def show_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Opens the menu of models beneath the button."""
        menu = self.menu = ModelMenu(self.theme, self.own_model, self.model, connections=False)
        menu.chosen.connect(lambda backend, model: self.model_chosen.emit(backend, model))  # noqa: PLW0108 - other types
        menu.hidden.connect(self._forget_menu)
        menu.show_choices(choices)
        menu.open_at(self.model)

    def update_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Shows later facts in the open menu."""
        if self.menu is not None:
            self.menu.show_choices(choices)

    def focus_first(self) -> None:
        if self.project is None or self.documents.add_files.isHidden():
            self.back.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.new_thread.setFocus(Qt.FocusReason.OtherFocusReason)

    def edit_name(self) -> None:
        """The keyboard in the name, all of it marked: a project that was just made is named first."""
        self._naming = self.project is None
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)
        self.name.selectAll()

    def unsaved_instructions(self) -> str | None:
        """Return the typed instructions that were not yet told."""
        waits = self._resting.isActive() or not self.instructions_problem.isHidden()
        return self.instructions.toPlainText() if self.project is not None and waits else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < NARROW
        for row in self._rows:
            row.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)

    # --- inside

    def _forget_menu(self) -> None:
        if self.menu is not None:
            self.menu.deleteLater()
            self.menu = None

    def _tell_instructions(self) -> None:
        self._resting.stop()
        text = self.instructions.toPlainText()
        written = text != self._told or not self.instructions_problem.isHidden()  # not only shown, and out of date
        if self.project is not None and written and text.strip() != self.project.instructions:
            self._told = text
            self.instructions_changed.emit(text)

    def _rest(self) -> None:
        if self.project is not None and self.instructions.hasFocus():
            self._resting.start()

    def _tell_limit(self) -> None:
        if not self.limit.isModified():
            return
        text = self.limit.text().strip()
        tokens = tokens_of(text)
        wrong = bool(text) and tokens is None
        self.limit_problem.setText(self.tr("Enter a number of tokens, such as 150,000 or 150K.") if wrong else "")
        self.limit_problem.setVisible(wrong)
        if not wrong:
            self.limit.setModified(False)
            self.limit_chosen.emit(tokens)

    def _give_limit_up(self) -> None:
        limit = self.project.soft_limit if self.project is not None else None
        self.limit.setText(token_figure(limit) if limit is not None else "")
        self.limit.setModified(False)
        self.limit_problem.hide()

    def _fit(self) -> None:
        rows = min(MOST_THREADS, self.threads.rows.rowCount())
        self.threads.setFixedHeight(rows * self.threads.delegate.height + 2)
        self._fit_limit()
        self._fit_instructions()

    def _fit_limit(self) -> None:
        """Wide enough for what an empty field says."""
        words = self.limit.fontMetrics().horizontalAdvance(self.limit.placeholderText())
        self.limit.setFixedWidth(max(FIELD, words + 4 * GRID))

    def _fit_instructions(self) -> None:
        """As high as what stands there, within bounds."""
        lines = round(self.instructions.document().size().height())
        height = self.instructions.fontMetrics().lineSpacing()
        self.instructions.setFixedHeight(max(LEAST_LINES, min(lines, MOST_LINES)) * height + GRID // 2)

    def _reset_button(self, name: str) -> QPushButton:
        return button_in(self.column, self.tr("Reset"), kind="quiet", name=name)

    def _lay_out(self) -> None:
        self.replace_title(self.name)
        self.header_row.addWidget(self.new_thread)
        self.name_problem.hide()
        self.instructions_problem.hide()
        self.limit_problem.hide()
        in_row((self.small(self.tr("This project is archived.")), 1), self.unarchive, of=self.archived, margins=0)
        self.archived.hide()
        self.instructions.setPlaceholderText(self.tr("Instructions for every thread of this project"))
        self.instructions.setAccessibleName(self.tr("Instructions"))
        box = frame_in(self.column, "field")
        in_column(self.instructions, of=box, margins=(2 * GRID, GRID, GRID, GRID))
        self.instructions.focus_changed.connect(lambda on: self._frame(box, on))
        for part in (self.name_problem, self.archived):
            self.inside.addWidget(part)
        self._section(self.tr("Instructions"))
        fill(self.inside, box, self.instructions_problem, self.documents)
        self._section(self.tr("Threads"), self.threads_total)
        fill(self.inside, self.no_threads, self.threads)
        self._section(self.tr("Settings"))
        self._row(self.tr("Model"), self.model_reset, self.model)
        self._row(self.tr("Soft limit"), self.limit_reset, self.limit)
        self.inside.addWidget(self.limit_problem)
        self._row(self.tr("Search the project's other threads"), self.searches_threads)
        self._row(self.tr("Tools"), self.tools)
        self.limit.setAccessibleName(self.tr("Soft limit in tokens"))
        self.searches_threads.setAccessibleName(self.tr("Search the project's other threads"))
        foot = QWidget(self.column)
        foot.setLayout(FlowRow(self.archive, self.delete, across=GRID, down=GRID))
        keep_height_for_width(foot)
        fill(self.inside, GRID, foot, Stretch())

    def _section(self, words: str, beside: QLabel | None = None) -> None:
        rule = frame_in(self.column, "rule")
        rule.setFixedHeight(1)
        row = in_row(self.subheading(words), spacing=2 * GRID, margins=(0, GRID, 0, 0))
        if beside is not None:
            row.addWidget(beside, 1)
        else:
            row.addStretch(1)
        fill(self.inside, row, rule)

    def _row(self, words: str, *parts: QWidget) -> None:
        label = QLabel(words, self.column, wordWrap=True)
        row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        fill(row, (label, 1), FlowRow(*parts, across=GRID, down=GRID), spacing=GRID)
        self.inside.addLayout(row)
        self._rows.append(row)

    @staticmethod
    def _frame(box: QFrame, on: bool) -> None:
        set_look(box, "focused", on)

    def _connect(self) -> None:
        self.unarchive.clicked.connect(lambda: self.archive_requested.emit(False))
        self.instructions.textChanged.connect(self._rest)
        self.instructions.document().documentLayout().documentSizeChanged.connect(lambda _: self._fit_instructions())
        self.instructions.focus_changed.connect(lambda on: None if on else self._tell_instructions())
        self._resting.timeout.connect(self._tell_instructions)
        self.model_reset.clicked.connect(lambda: self.model_chosen.emit(None, None))
        self.limit.editingFinished.connect(self._tell_limit)
        self.limit.given_up.connect(self._give_limit_up)
        self.limit_reset.clicked.connect(lambda: self.limit_chosen.emit(None))
        self.tools.clicked.connect(self.tools_requested)
        self.archive.clicked.connect(lambda: self.archive_requested.emit(True))
