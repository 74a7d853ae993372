"""The layout of the panes in the window, the places of list and transcript, and the bar over it. Decides nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QIcon, QKeyEvent, QMoveEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from desktop_app.core.messages import Thread
from desktop_app.resources import resource
from desktop_app.ui.composer.composer import Composer
from desktop_app.ui.i18n.language import public_title, title_of
from desktop_app.ui.theme.theme import GRID, Theme, set_icon
from desktop_app.ui.threads.threads_pane import ThreadsPane
from desktop_app.ui.transcript.view import TranscriptView
from desktop_app.ui.widgets.parts import button_in, fill, label_in
from desktop_app.ui.widgets.splitter import LIST_OVER_BELOW, Splitter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QAction

    from desktop_app.core.prompts import Prompt
    from desktop_app.ui.connections.welcome_pane import WelcomePane
    from desktop_app.ui.shell.side_slot import EmptyThread, InspectorSlot, ListOverlay, SideSlot
    from desktop_app.ui.widgets.dragging import DropTarget
    from desktop_app.ui.widgets.floating import Menu, Toast


class ListSlot(QObject):
    """The place of the list in a window."""

    shown_changed = Signal(bool)

    def __init__(self, theme: Theme, splitter: QSplitter, threads: QWidget, window: QWidget) -> None:
        """`threads` is the first pane of the splitter."""
        super().__init__(window)
        self._theme, self._splitter, self._threads, self._window = theme, splitter, threads, window
        self.wanted = True
        """True where a window that is wide enough shows the list."""
        self._overlay: ListOverlay | None = None
        self.width = LIST_WIDTH
        """Pixels that were chosen: a wish, which a narrow window or larger text may not allow but never changes."""
        splitter.splitterMoved.connect(self._note_width)
        theme.changed.connect(self.fit)

    def _note_width(self, _position: int, edge: int) -> None:
        if edge == 1:
            self.width = self._threads.width()
            self.fit()

    @property
    def wide(self) -> int:
        """Pixels that it has beside the conversation as far as there is room."""
        return max(self._threads.minimumWidth(), self.width) if self.shown and not self.over else 0

    def _take_width(self) -> None:
        if not self._splitter.isVisible():  # it has no width yet, to take from
            self._splitter.setSizes([self.wide, 100 * GRID, *self._splitter.sizes()[2:]])
        elif self.wide != self._splitter.sizes()[0]:
            from desktop_app.ui.shell.side_slot import give_first

            give_first(self._splitter, self.wide)

    @property
    def over(self) -> bool:
        """True where the list lies over the conversation now."""
        return self._overlay is not None and self._overlay.holds_list

    @property
    def shown(self) -> bool:
        """True where the list is seen now."""
        return self.over or (self.wanted and not self._is_narrow)

    @property
    def _is_narrow(self) -> bool:
        return self._window.width() < self._theme.pixels(LIST_OVER_BELOW)

    def set_shown(self, shown: bool) -> None:
        """Shows or hides the list; in a narrow window only until something is chosen in it."""
        if not self._is_narrow:
            self.want(shown)
        elif shown:
            if self._overlay is None:
                from desktop_app.ui.shell.side_slot import ListOverlay

                self._overlay = ListOverlay(self._theme, self._splitter, self._threads, self._window)
                self._overlay.left.connect(self.leave)
            self._overlay.take_list()
            self.fit()
        else:
            self.leave()

    def want(self, shown: bool, width: int | None = None) -> None:
        """Set whether the list is shown wherever the window is wide enough; a narrow one opens without it."""
        self.wanted, self.width = shown, width or self.width
        self.fit()

    def leave(self) -> bool:
        """Takes the list off the conversation; False where it does not lie there."""
        if self._overlay is None or not self._overlay.give_back():
            return False
        self.fit()
        return True

    def fit(self) -> None:
        """The window has another width, or the text another size."""
        if self.over and not self._is_narrow:
            self.wanted = True
            self.leave()
            return
        if self._overlay is not None and self.over:
            self._overlay.fit()
        else:
            self._threads.setVisible(self.shown)
            self._take_width()
        self.shown_changed.emit(self.shown)


class Stage(QStackedWidget):
    """The pages. A greeting lies over the transcript while there is nothing to read."""

    starter_chosen = Signal(object)  # Prompt
    connect_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.transcript = TranscriptView(theme, self)
        self._empty: EmptyThread | None = None
        self._model = ""
        self._lacks_model = False
        self._starters: Sequence[Prompt] = ()
        self.addWidget(self.transcript)
        self._theme = theme
        theme.changed.connect(self._show_theme)
        self._welcome: WelcomePane | None = None

    @property
    def welcome(self) -> WelcomePane:
        """The pane with the ways to a model, made when it is first asked for."""
        if self._welcome is None:
            from desktop_app.ui.connections.welcome_pane import WelcomePane

            self._welcome = WelcomePane(self._theme, self)
            self.addWidget(self._welcome)
        return self._welcome

    def _show_theme(self) -> None:
        self.transcript.set_theme(self._theme)

    @property
    def welcoming(self) -> bool:
        """True while the ways to a model are shown."""
        return self._welcome is not None and self.currentWidget() is self._welcome

    def show_transcript(self) -> None:
        self.setCurrentWidget(self.transcript)

    def show_welcome(self) -> None:
        self.setCurrentWidget(self.welcome)

    def show_page(self, page: QWidget) -> None:
        """Shows a page that somebody else keeps in the transcript's place."""
        self.addWidget(page)
        self.setCurrentWidget(page)

    @property
    def reading(self) -> bool:
        """True while the transcript is shown, and no page in its place."""
        return self.currentWidget() is self.transcript

    def text_end(self) -> int | None:
        """Return the end of the transcript's text, in pixels from the top; None while something else is shown.

        The room that is held beneath a question for its answer is no text.
        """
        layout = self.transcript.row_layout
        return layout.heights.total - layout.y if self.reading and layout.messages else None

    def set_empty(self, empty: bool) -> None:
        """Set whether the open thread has nothing to read yet."""
        if self._empty is None:
            if not empty:
                return
            from desktop_app.ui.shell.side_slot import EmptyThread

            self._empty = EmptyThread(self._theme, self.transcript)
            self._empty.starter_chosen.connect(self.starter_chosen)
            self._empty.connect_requested.connect(self.connect_requested)
            self._empty.show_lacks_model(self._lacks_model)
            self._empty.show_model(self._model)
            self._empty.show_starters(self._starters)
        self._empty.fill()
        self._empty.setVisible(empty)

    def show_model(self, words: str) -> None:
        """Names what will answer, for a thread with nothing to read."""
        self._model = words
        if self._empty is not None:
            self._empty.show_model(words)

    def set_lacks_model(self, lacks: bool) -> None:
        """Set whether nothing would answer now, as far as that is known."""
        self._lacks_model = lacks
        if self._empty is not None:
            self._empty.show_lacks_model(lacks)

    def show_starters(self, starters: Sequence[Prompt]) -> None:
        """Show the prompts that a thread with nothing to read offers to begin with."""
        self._starters = starters
        if self._empty is not None:
            self._empty.show_starters(starters)


HEIGHT = 6 * GRID
PROJECT_WIDTH = 30 * GRID
BEFORE_TITLE = 3
"""Place in the row: behind the two buttons of the list and a space."""


class Header(QWidget):
    """A quiet line: the button that brings the thread list back, the title, the menu button."""

    list_requested = Signal()
    new_thread_requested = Signal()
    project_requested = Signal()  # that of the open thread

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.list_button = QToolButton(self)
        self.list_button.setAccessibleName(self.tr("Show the thread list"))
        self.new_button = QToolButton(self)
        self.new_button.setAccessibleName(self.tr("New thread"))
        self.menu_button = QToolButton(self)
        self.menu_button.setAccessibleName(self.tr("Menu"))
        self._buttons = self.list_button, self.new_button, self.menu_button
        self._label = self._make_label()
        self.project = button_in(self, "", self.project_requested, kind="quiet")
        self.project.setMaximumWidth(PROJECT_WIDTH)
        self.project.hide()
        self.private_mark: tuple[QWidget, ...] = ()  # made for the first private thread
        self._title = self._project_name = ""
        self._private = self._list_shown = self._over_page = False
        self.make_menu: Callable[[], Menu] | None = None
        """Makes the window's menu as it is now; None until the panes are wired."""
        row = self._row = QHBoxLayout(self)
        fill(
            row,
            self.list_button,
            self.new_button,
            GRID,
            GRID,
            self.project,
            (self._label, 1),
            self.menu_button,
            margins=(GRID, 0),
            spacing=GRID // 2,
        )
        self.list_button.clicked.connect(self.list_requested)
        self.new_button.clicked.connect(self.new_thread_requested)
        self.menu_button.clicked.connect(self._show_menu)
        self.set_list_shown(True)
        self._theme = theme
        for button, name in zip(self._buttons, ("sidebar", "compose", "more"), strict=True):
            button.setToolTip(button.accessibleName())
            set_icon(button, name, theme)
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        theme = self._theme
        font = theme.title_font()
        font.setPointSizeF(theme.points("body"))
        self._label.setFont(font)
        self.setFixedHeight(theme.pixels(HEIGHT))
        self._elide()

    def set_title(self, title: str) -> None:
        self._title = title
        self._label.setToolTip(title)
        self._label.setAccessibleName(self.tr("Thread: {title}").format(title=title))
        self._elide()

    def set_project(self, name: str) -> None:
        """The project of the open thread, before its title; "" for none."""
        self._project_name = name
        self.project.setToolTip(self.tr("Open project {name}").format(name=name))
        self.project.setAccessibleName(self.tr("Open project {name}").format(name=name))
        self._show_parts()
        self._elide()

    def set_private(self, private: bool) -> None:
        """Set whether the thread is kept in memory only, which stands before its title."""
        self._private = private
        if private and not self.private_mark:
            self.private_mark = self._make_private_mark()
        self._show_parts()

    def _make_private_mark(self) -> tuple[QWidget, ...]:
        from desktop_app.ui.widgets.fitting import ElidedLabel

        icon, words = QLabel(self), ElidedLabel(self)
        set_icon(icon, "private", self._theme, size=14)
        words.set_words(self.tr("Private: kept in memory only"))
        words.setProperty("tone", "secondary")
        words.setToolTip(self.tr("Only its usage is saved to disk. The thread is gone when Plimsoll closes."))
        self._theme.set_font("small", words)
        for place, part in enumerate((icon, words), BEFORE_TITLE):
            self._row.insertWidget(place, part)
        return icon, words

    def set_list_shown(self, shown: bool) -> None:
        """While the thread list is hidden its buttons stand here."""
        self._list_shown = shown
        self._show_parts()

    def set_over_page(self, over: bool) -> None:
        """Set whether a page has a header of its own here: of this one only the buttons lie over it."""
        from desktop_app.ui.shell import side_slot

        self._over_page = over
        if not over:
            side_slot.stand_in_bar(self, self._row, self._buttons)
        self._show_parts()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._over_page:
            self._show_parts()
        self._elide()

    def _make_label(self) -> QLabel:
        label = label_in(self)
        label.setMinimumWidth(1)
        policy = label.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # the menu button stays at the right
        label.setSizePolicy(policy)
        return label

    def _show_parts(self) -> None:
        """Over a page the thread beneath is not named."""
        page = self._over_page
        self._label.setVisible(not page)
        self.project.setVisible(bool(self._project_name) and not page)
        for part in self.private_mark:
            part.setVisible(self._private and not page)
        for button in self._buttons[:2]:
            button.setVisible(not self._list_shown)
        if page:
            from desktop_app.ui.shell import side_slot

            side_slot.stand_beside_column(self, self._row, self._buttons, list_shown=self._list_shown)

    def _elide(self) -> None:
        metrics = self.project.fontMetrics()
        most = min(PROJECT_WIDTH, self.width() // 3) - 3 * GRID
        self.project.setText(metrics.elidedText(self._project_name, Qt.TextElideMode.ElideRight, most))
        room = max(0, self._label.width())
        self._label.setText(self._label.fontMetrics().elidedText(self._title, Qt.TextElideMode.ElideRight, room))

    def _show_menu(self) -> None:
        if self.make_menu is not None:
            menu = self.make_menu()
            menu.setAccessibleName(self.menu_button.accessibleName())
            menu.open_at(self.menu_button, end=True)


LIST_WIDTH = 31 * GRID
NARROWEST_CENTRE = 40 * GRID
"""Pixels that the middle keeps beside the panes, whatever is shown in it: no page makes the list narrower."""


class MainWindow(QMainWindow):
    """Thread list at the left; header, transcript or welcome, and composer in the middle; inspector at the right."""

    close_requested = Signal()
    quit_requested = Signal()
    left = Signal()  # closed, while Plimsoll `keeps_running`
    unsaved_found = Signal()  # closing was asked for while `has_unsaved`
    escape_pressed = Signal()
    frame_changed = Signal()  # moved, or of another size
    first_painted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("main")
        self.setWindowTitle("Plimsoll")
        self.setWindowIcon(QIcon(str(resource("icons", "plimsoll-128.png"))))
        self.setMinimumSize(60 * GRID, 50 * GRID)
        # Each where it belongs from the start: for what moves to another parent Qt works out its whole style again.
        self.splitter = Splitter(theme, self)
        self.setCentralWidget(self.splitter)
        self.threads = ThreadsPane(theme, self.splitter)
        self.centre = QWidget(self.splitter, minimumWidth=NARROWEST_CENTRE)
        self.centre.setObjectName("centre")
        self.centre.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.header = Header(theme, self.centre)
        self.stage = Stage(theme, self.centre)
        self.composer = Composer(theme, self.centre)
        self.composer.picker.model_shown.connect(self.stage.show_model)
        self._theme = theme
        column = self._column = QGridLayout(self.centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.setRowStretch(1, 1)
        column.addWidget(self.header, 0, 0)
        column.addWidget(self.stage, 1, 0)
        column.addWidget(self.composer, 2, 0)
        self.splitter.setStretchFactor(1, 1)
        self.list_slot = ListSlot(theme, self.splitter, self.threads, self)
        self.list_slot.shown_changed.connect(self.header.set_list_shown)
        self.inspector_was: tuple[bool, int | None] = (False, None)
        """If it was open at the last end, and its width in pixels."""
        self.actions_by_id: dict[str, QAction] = {}
        self.has_unsaved: Callable[[], bool] = lambda: False
        self.keeps_running: Callable[[], bool] = lambda: False
        self.take_lost_focus: Callable[[], bool] = lambda: False
        self._title = ""  # of the open thread
        self._page: QWidget | None = None
        self._quitting = False
        self._asked_to_quit = False  # rather than to close this window, when `unsaved_found` was told
        self._may_close = False
        self._painted = False
        self._wants_welcome = False  # whether the ways to a model stand for the conversation, also beneath a page

    @cached_property
    def toast(self) -> Toast:
        """The short message over the stage; made when the panes are wired, as the first paint has none."""
        from desktop_app.ui.widgets.floating import Toast

        toast = Toast(self.stage, text_end=self.stage.text_end)
        self.stage.currentChanged.connect(toast.stay_above)
        return toast

    @cached_property
    def inspector(self) -> InspectorSlot:
        """The pane of the inspector; made when the panes are wired, as few first paints have one."""
        from desktop_app.ui.shell.side_slot import InspectorSlot

        slot = InspectorSlot(self._theme, self.splitter, self.stage, self)
        slot.restore(*self.inspector_was)
        slot.shown_changed.connect(self.list_slot.fit)
        return slot

    @cached_property
    def artifacts(self) -> SideSlot:
        """The pane of artifacts; made when the panes are wired, as the first paint has none."""
        return self._side_slot(self.tr("Artifacts"))

    @cached_property
    def document(self) -> SideSlot:
        """The pane of a project's document; made when the panes are wired, as the first paint has none."""
        return self._side_slot(self.tr("Document"))

    def _side_slot(self, name: str) -> SideSlot:
        from desktop_app.ui.shell.side_slot import SideSlot

        place = self._theme, self.splitter, lambda: self.list_slot.wide, self.stage
        slot = SideSlot(*place, name=name, make_room=self.close_side)
        slot.shown_changed.connect(self.list_slot.fit)
        self.list_slot.shown_changed.connect(slot.stay)
        return slot

    def close_side(self, but: QWidget | None = None) -> None:
        """Closes what is open at the side, except for one pane, and the list where it lies over them."""
        self.list_slot.leave()
        for slot in (self.inspector, self.artifacts, self.document):
            if slot is not but:
                slot.set_shown(False)

    @cached_property
    def drop_target(self) -> DropTarget:
        """The target of files that are dragged over the composer's pane; made when the panes are wired."""
        from desktop_app.ui.widgets.dragging import DropTarget

        return DropTarget(self._theme, self.centre, lambda: not self.composer.isHidden() or self.stage.welcoming)

    def show_title(self, thread: Thread | None) -> None:
        """The open thread's title, in the header and in the window's frame while no page has its place."""
        self._title = public_title(thread) if thread else ""
        self.header.set_title(title_of(thread) if thread else "")
        self._name_window()

    def show_list(self, shown: bool) -> None:
        self.list_slot.set_shown(shown)

    def show_welcome(self, shown: bool) -> None:
        """Shows the ways to a model in place of the transcript and the composer."""
        self._wants_welcome = shown
        self.threads.offer_import(not shown)
        self._set_page(None)
        if shown:
            self.stage.show_welcome()
            self.stage.welcome.focus_first()
            self.composer.hide()
        else:
            # the transcript comes back into a stage that has its height again, so that it is fitted to no other
            self.composer.show()
            self._column.activate()
            self.stage.show_transcript()

    def leave_welcome(self) -> None:
        """Shows the conversation where the ways to a model are shown."""
        if self.stage.welcoming:
            self.show_welcome(False)

    def want_welcome(self) -> None:
        """Nothing answers: the ways to a model are shown, beneath a page that is open."""
        if self.stage.reading or self.stage.welcoming:
            self.show_welcome(True)
        else:
            self._wants_welcome = True

    def end_welcome(self) -> None:
        """Something answers now: where the ways to a model are shown, the composer takes their place."""
        self._wants_welcome = False
        if self.stage.welcoming:
            self.show_welcome(False)
            self.composer.focus_editor()

    def show_page(self, page: QWidget | None) -> None:
        """Shows a page in place of the transcript and the composer; None: what was there before."""
        if page is None:
            # told, never read off the stage: between two pages that shows whatever is next to the one that goes
            self.show_welcome(self._wants_welcome)
        else:
            self._set_page(page)
            self.stage.show_page(page)
            self.composer.hide()

    def _set_page(self, page: QWidget | None) -> None:
        """A page reaches to the top of the window, where it has its own header; the window's buttons lie over it."""
        moved = (page is None) != (self._page is None)
        self._page = page
        if page is not None:
            page.windowTitleChanged.connect(self._name_window)
        if moved:
            self._column.removeWidget(self.stage)
            self._column.addWidget(self.stage, *((1, 0, 1, 1) if page is None else (0, 0, 2, 1)))
            self.header.set_over_page(page is not None)
            self.header.raise_()
        self._name_window()

    def _name_window(self) -> None:
        title = self._page.windowTitle() if self._page is not None else self._title
        self.setWindowTitle(f"{title} – Plimsoll" if title else "Plimsoll")

    def close_now(self) -> None:
        """Closes for good: everything is stored."""
        self._may_close = True
        self.close()

    def quit(self) -> None:
        """Asks for the end of Plimsoll, also where closing the window would only hide it."""
        self._quitting = True
        self.close()

    def go_on_closing(self) -> None:
        """Go on with closing once the unsaved text is settled: the action asked for then happens."""
        self._quitting = self._asked_to_quit
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """The first wish to close only starts the orderly end, or leaves the window."""
        quitting, self._quitting = self._quitting, False
        if self._may_close:
            event.accept()
        elif self.keeps_running() and not quitting:
            event.ignore()
            self.left.emit()
        else:
            event.ignore()
            self._asked_to_quit = quitting
            if self.has_unsaved():
                self.unsaved_found.emit()
            else:
                (self.quit_requested if quitting else self.close_requested).emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escape_pressed.emit()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Comes with Tab, and from Qt where what had the focus was hidden or disabled."""
        return self.take_lost_focus() or super().focusNextPrevChild(forward)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.list_slot.fit()
        self.composer.set_window_height(event.size().height())
        self.frame_changed.emit()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self.frame_changed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            # After this event the children are painted, too.
            QTimer.singleShot(0, self, self.first_painted.emit)
