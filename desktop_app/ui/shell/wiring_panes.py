"""The panes beside the transcript: their connections when they are first shown, and their ways by keyboard."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt, QTimer, QUrl
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QDesktopServices,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
)
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from shiboken6 import isValid

from desktop_app.controller.open_threads import OpenThread
from desktop_app.core.events import ArtifactChanged, MessageAdded, ThreadDeleted, TurnEnded, TurnFailed, TurnStarted
from desktop_app.core.projects import ProjectDocument
from desktop_app.ui.conversation.error_cards import ErrorCard
from desktop_app.ui.gauge.limit_drag import LimitDrag
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.shell.page_specs import Presenters
from desktop_app.ui.shortcuts.keymap import KeyTip
from desktop_app.ui.startup.background_imports import ImportsAtRest
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.style import Appearance
from desktop_app.ui.theme.theme import GRID
from desktop_app.ui.transcript.message.action_bar import TREE
from desktop_app.ui.transcript.view import BY_KEYBOARD
from desktop_app.ui.widgets import KEEPS_FOCUS
from desktop_app.ui.widgets.page import PageFrame
from desktop_app.ui.widgets.parts import set_look

if TYPE_CHECKING:
    from desktop_app.ui.artifacts.artifacts_presenter import ArtifactsPresenter
    from desktop_app.ui.branches.branch_tree_popover import BranchTreePresenter
    from desktop_app.ui.documents.project_document_pane import ProjectDocumentPresenter


class ArtifactWiring:
    """The pane of one window, and what opens it."""

    def __init__(self, window: MainWindow, app_state: AppState, to: Presenters, appearance: Appearance) -> None:
        self._window = window
        self._app_state = app_state
        self._to = to
        self._appearance = appearance
        self.presenter: ArtifactsPresenter | None = None

    def open(self, artifact_id: str = "", version: int = 0) -> None:
        """Shows an artifact of the open thread: this one, or the last."""
        self._app_state.start(self._open(artifact_id, version))

    def open_in_thread(self, thread_id: str, artifact_id: str) -> None:
        """Shows an artifact beside its thread."""
        self._to.pages.leave()
        self._app_state.start(self._open_in_thread(thread_id, artifact_id))

    def toggle(self) -> None:
        """Shows the last artifact, or hides the pane."""
        if self._window.artifacts.shown:
            self.close()
        else:
            self._app_state.start(self._open("", 0, by_keyboard=True))

    def run(self) -> None:
        """Runs the shown artifact in the browser, or the last."""
        self._app_state.start(self._run())

    async def _run(self) -> None:
        if self._window.artifacts.shown or await self._open("", 0):
            await self._made().run()

    def close(self) -> None:
        """Hides the pane; the keyboard goes back to the composer."""
        self._window.artifacts.set_shown(False)
        self._window.composer.focus_editor()

    def changed(self, changed: ArtifactChanged) -> None:
        """Open an artifact that a model makes or changes beside its answer, unless somebody is writing there."""
        writing = self.presenter is not None and self.presenter.writing
        if self._app_state.is_open(changed.thread_id) and self._app_state.running and not writing:
            self.open(changed.artifact_id)
        elif self.presenter is not None:
            self._app_state.start(self.presenter.changed(changed))

    def thread_opened(self, _opened: object = None) -> None:
        """Another thread's artifacts, or the same ones read again."""
        if self._window.artifacts.shown or self._window.artifacts.covered:
            self._app_state.start(self._follow())

    def thread_left(self, _thread: object = None) -> None:
        """Another thread, or none."""
        if self.presenter is not None:
            self.presenter.clear()

    def tell_unsaved(self, thread_id: str, artifact_id: str) -> None:
        """Tell that text written on an artifact waits there."""

        def go_back() -> None:
            self._app_state.start(self._go_back(thread_id, artifact_id))

        self._window.toast.show_message(tr("Your changes are not saved yet."), tr("Go back"), go_back)

    async def _go_back(self, thread_id: str, artifact_id: str) -> None:
        """Opens the editor that the text waits for; that of an artifact that is gone is not lost."""
        unsaved, toast = self._to.unsaved_artifacts, self._window.toast
        if not unsaved.has(artifact_id):
            return  # the user was there before
        if not self._app_state.is_open(thread_id):
            await self._app_state.open_thread(thread_id)
        self._to.pages.leave()
        if await self._open(artifact_id, 0):
            await self._made().edit()
        elif (waiting := unsaved.take(artifact_id)) is not None:
            QGuiApplication.clipboard().setText(waiting.text)
            toast.show_message(tr("This artifact no longer exists. Your text is in the clipboard."))

    async def _open_in_thread(self, thread_id: str, artifact_id: str) -> None:
        if not self._app_state.is_open(thread_id):
            await self._app_state.open_thread(thread_id)
        if not await self._open(artifact_id, 0):
            self._window.toast.show_message(tr("This artifact no longer exists."))

    async def _follow(self) -> None:
        shown = self.presenter.artifact if self.presenter is not None else None
        if shown is not None and shown.thread_id == self._app_state.thread_id:
            if self.presenter is not None and self.presenter.writing:
                await self.presenter.look_for_newer()
            return
        if self.presenter is None or not await self.presenter.show():
            self._window.artifacts.set_shown(False)

    async def _open(self, artifact_id: str, version: int, *, by_keyboard: bool = False) -> bool:
        presenter = self._made()
        if not await presenter.show(artifact_id, version):
            if not artifact_id:
                self._window.toast.show_message(tr("This thread has no artifacts yet."))
            return False
        if by_keyboard or self._to.pages.page is None:
            self._window.artifacts.set_shown(True)
        else:
            self._window.artifacts.covered = True  # it comes with the thread, which the page hides
        if by_keyboard:
            self._window.artifacts.enter()
        return True

    def _made(self) -> ArtifactsPresenter:
        """The presenter, with its pane, made when it is first asked for."""
        if self.presenter is None:
            from desktop_app.ui.artifacts.artifact_pane import ArtifactPane
            from desktop_app.ui.artifacts.artifacts_presenter import ArtifactsPresenter

            window, slot = self._window, self._window.artifacts
            pane = ArtifactPane(self._appearance.theme, slot)
            self.presenter = ArtifactsPresenter(self._app_state, pane, window.toast, self._to.unsaved_artifacts)
            self.presenter.closed.connect(self.close)
            self.presenter.page_wanted.connect(lambda address: QDesktopServices.openUrl(QUrl(address)))
            self.presenter.file_wanted.connect(lambda path: QDesktopServices.openUrl(QUrl.fromLocalFile(path)))
            pane.close_requested.connect(self.close)
            pane.reader.row_actions.link_activated.connect(window.stage.transcript.row_actions.link_activated)
            KeyTip(pane.close_button, window.actions_by_id["toggle_artifacts"])
            slot.fill(pane, pane.focus_inside)
            slot.subject = partial(_shown, self.presenter)
        return self.presenter


def _shown(presenter: ArtifactsPresenter) -> str:
    return presenter.artifact.id if presenter.artifact is not None else ""


def wire_artifacts(window: MainWindow, app_state: AppState, to: Presenters, appearance: Appearance) -> ArtifactWiring:
    """Connects cards, lines, menus and actions with the pane."""
    wiring = ArtifactWiring(window, app_state, to, appearance)
    transcript, kept, bridge = window.stage.transcript, to.kept_answers, app_state.bridge
    window.actions_by_id["toggle_artifacts"].triggered.connect(lambda: wiring.toggle())  # noqa: PLW0108 - without `checked`
    window.actions_by_id["run_artifact"].triggered.connect(lambda: wiring.run())  # noqa: PLW0108 - without `checked`
    window.actions_by_id["keep_answer"].triggered.connect(lambda: kept.keep_last())  # noqa: PLW0108 - without `checked`
    transcript.row_actions.artifact_requested.connect(wiring.open)
    app_state.artifact_wanted.connect(wiring.open_in_thread)
    transcript.row_actions.message_acted.connect(kept.act)
    transcript.row_actions.code_kept.connect(kept.keep_code)
    transcript.offer_keeping_code(kept.keeps_code)
    to.branches.actions.chosen.connect(kept.act)
    kept.made.connect(wiring.open)
    bridge.subscribe(ArtifactChanged, wiring.changed)
    bridge.subscribe(ArtifactChanged, kept.refresh)
    bridge.subscribe_each((MessageAdded, TurnStarted, TurnEnded, TurnFailed), kept.refresh)
    app_state.thread_opened.connect(kept.refresh)
    app_state.thread_changed.connect(kept.refresh)
    to.gauge.plan_changed.connect(kept.plan_changed)
    to.unsaved_artifacts.left.connect(wiring.tell_unsaved)
    bridge.subscribe(ThreadDeleted, to.unsaved_artifacts.forget_thread)
    bridge.subscribe(ThreadDeleted, app_state.unfinished.forget_thread)
    app_state.thread_opened.connect(wiring.thread_opened)
    app_state.thread_switched.connect(wiring.thread_left)
    app_state.thread_closed.connect(wiring.thread_left)
    app_state.thread_closed.connect(lambda: window.artifacts.set_shown(False))
    to.pages.covering_changed.connect(window.artifacts.cover)
    window.inspector.shown_changed.connect(lambda shown: window.close_side(window.inspector) if shown else None)

    def menu_opens(_message_id: str, _position: object) -> None:
        menu = transcript.context_menu
        if not menu.property("wired"):
            menu.setProperty("wired", True)
            menu.selection_kept.connect(kept.keep_selection)
            menu.code_kept.connect(kept.keep_code)

    transcript.message_context_requested.connect(menu_opens)
    return wiring


class DocumentWiring(QObject):
    """The document at the side of one window, and what opens it."""

    def __init__(self, window: MainWindow, app_state: AppState, to: Presenters, appearance: Appearance) -> None:
        super().__init__(window)
        self._window = window
        self._app_state = app_state
        self._to = to
        self._appearance = appearance
        self._presenter: ProjectDocumentPresenter | None = None
        self._thread_id = ""

    def open(
        self,
        document: ProjectDocument,
        passage_id: str = "",
        found: Sequence[str] = (),
        quotes: Sequence[str] = (),
        words: str = "",
    ) -> None:
        """Shows a document; `found`: ids of passages that can be gone to from that one, itself included.

        `quotes` of an answer, or `words` of a search, stand out where a passage has them.
        """
        self._made().show(document, passage_id, found, quotes, words)
        self._window.document.set_shown(True)
        if not self._window.composer.editor.hasFocus():  # it was opened by keyboard, or from a page
            self._window.document.enter()

    def open_passage(self, project_id: str, passage_id: str, found: Sequence[str], words: str) -> None:
        """Shows the document that a passage is of, at the passage; `words` of a search stand out in it."""
        self._app_state.start(self._open_passage(project_id, passage_id, found, words=words))

    def open_cited(self, passage_id: str, beside: Sequence[str], quotes: Sequence[str]) -> None:
        """Shows a passage that was found in the thread's project."""
        if (thread := self._app_state.current) is not None and thread.project is not None:
            self._app_state.start(self._open_passage(thread.project, passage_id, beside, quotes))

    def close(self) -> None:
        """Hides the pane; the keyboard goes back to where one writes, or to the page that is open."""
        self._window.document.set_shown(False)
        if self._to.pages.page is not None:
            self._to.pages.page.focus_first()
        else:
            self._window.composer.focus_editor()

    def thread_opened(self, opened: OpenThread) -> None:
        """A document stays beside the threads of its project."""
        another, self._thread_id = opened.thread.id != self._thread_id, opened.thread.id
        shown = self._presenter.document if self._presenter is not None else None
        if another and shown is not None and opened.thread.project != shown.project_id:
            self._window.document.set_shown(False)

    def thread_closed(self) -> None:
        """A new thread has no document beside it."""
        self._thread_id = ""
        self._window.document.set_shown(False)

    async def _open_passage(
        self, project_id: str, passage_id: str, found: Sequence[str], quotes: Sequence[str] = (), words: str = ""
    ) -> None:
        services = await self._app_state.services()
        if (hit := await services.history.projects.passage(project_id, passage_id)) is None:
            self._window.toast.show_message(tr("This passage is no longer in the project's documents."))
        else:
            self.open(hit.document, passage_id, found, quotes, words)

    def _made(self) -> ProjectDocumentPresenter:
        """The presenter, with its pane, made when it is first asked for."""
        if self._presenter is None:
            from desktop_app.ui.documents.project_document_pane import ProjectDocumentPane, ProjectDocumentPresenter

            window, slot = self._window, self._window.document
            pane = ProjectDocumentPane(self._appearance.theme, slot)
            pane.close_requested.connect(self.close)
            pane.text.row_actions.link_activated.connect(window.stage.transcript.row_actions.link_activated)
            self._presenter = ProjectDocumentPresenter(self._app_state, pane)
            self._presenter.file_wanted.connect(lambda path: QDesktopServices.openUrl(QUrl.fromLocalFile(path)))
            slot.fill(pane, pane.focus_inside)
        return self._presenter


def wire_documents(window: MainWindow, app_state: AppState, to: Presenters, appearance: Appearance) -> None:
    """Connects citations and lists of documents with the pane."""
    wiring = DocumentWiring(window, app_state, to, appearance)
    app_state.passage_wanted.connect(wiring.open_passage)
    window.stage.transcript.row_actions.passage_requested.connect(wiring.open_cited)
    app_state.document_wanted.connect(wiring.open)
    app_state.thread_opened.connect(wiring.thread_opened)
    app_state.thread_closed.connect(wiring.thread_closed)
    to.pages.covering_changed.connect(window.document.cover)


class BranchTreeWiring(QObject):
    """The tree of branches of one window, and what opens it."""

    def __init__(self, window: MainWindow, app_state: AppState, to: Presenters, appearance: Appearance) -> None:
        super().__init__(window)
        self._window = window
        self._app_state = app_state
        self._to = to
        self._appearance = appearance
        self._presenter: BranchTreePresenter | None = None

    @property
    def presenter(self) -> BranchTreePresenter:
        if self._presenter is None:
            from desktop_app.ui.branches.branch_tree_popover import BranchTreePresenter

            window = self._window
            made = BranchTreePresenter(self._app_state, window.stage.transcript, window.toast, self._appearance.theme)
            made.message_chosen.connect(self._show_message)
            self._presenter = made
        return self._presenter

    def open(self, _checked: bool = False) -> None:
        """By the window's action."""
        self.presenter.open()

    def act(self, message_id: str, action: str) -> None:
        """By the number between the arrows beneath a message."""
        if action == TREE:
            self.presenter.open(message_id)

    def fill_menu(self, message_id: str, _position: QPoint) -> None:
        """The menu of a message that has several versions is about to open."""
        transcript = self._window.stage.transcript
        if transcript.menu is not None and transcript.decorations.branch_of(message_id) is not None:
            words = self._window.actions_by_id["show_branches"].text()
            transcript.menu.add_more(words, partial(self.presenter.open, message_id))

    def _show_message(self, thread_id: str, message_id: str) -> None:
        self._app_state.start(self._to.navigation.show_message(thread_id, message_id, way_back=False))


def wire_branch_tree(window: MainWindow, app_state: AppState, to: Presenters, appearance: Appearance) -> None:
    """Connects what opens the tree of branches with what shows the message that is chosen in it."""
    wiring = BranchTreeWiring(window, app_state, to, appearance)
    transcript = window.stage.transcript
    transcript.row_actions.message_acted.connect(wiring.act)
    transcript.message_context_requested.connect(wiring.fill_menu)
    window.actions_by_id["show_branches"].triggered.connect(wiring.open)


IMPORT_AFTER_MS = 3000
"""When what is shown later is imported: the window has come to rest after its start."""
INSPECTOR = (
    "desktop_app.core.context.readable_request",
    "desktop_app.core.context.costs",
    "desktop_app.ui.inspector.message_rows",
    "desktop_app.ui.inspector.messages_tab",
    "desktop_app.ui.widgets.text_lines",
    "desktop_app.ui.inspector.request_view",
    "desktop_app.ui.inspector.past_tab",
    "desktop_app.ui.inspector.inspector_pane",
    "desktop_app.ui.inspector.messages_presenter",
)
"""The inside of the inspector, which nobody waits for until it is shown: 60 ms in one piece."""


def wire_inspector(window: MainWindow, app_state: AppState, to: Presenters, appearance: Appearance) -> None:
    """The inspector's inside is imported and made when it is first shown."""
    slot = window.inspector

    def toggle() -> None:
        slot.set_shown(not slot.shown)
        if slot.shown:
            slot.content.focus_inside()  # type: ignore[union-attr]
        else:
            window.composer.focus_editor()

    def make() -> None:
        if slot.content is None:
            _make_inspector(window, app_state, to, appearance)

    def show() -> None:
        if not slot.shown:
            toggle()

    to.pages.covering_changed.connect(slot.cover)
    slot.wanted.connect(make)
    to.gauge.inspector_requested.connect(show)
    window.actions_by_id["toggle_inspector"].triggered.connect(toggle)
    importing = ImportsAtRest(INSPECTOR, window)
    if slot.shown:
        importing.done.connect(make)
    after_ms = 0 if slot.shown else IMPORT_AFTER_MS
    app_state.services_arrived.connect(lambda _: importing.start(after_ms))


def left_out(to: Presenters) -> list[str]:
    plan = to.gauge.plan
    return [placed.id for placed in plan.placement.messages if placed.state == "left_out"] if plan is not None else []


def inspect(window: MainWindow, ids: list[str]) -> None:
    """Shows these messages in the inspector, the newest of them in view."""
    from desktop_app.ui.inspector.inspector_pane import InspectorPane
    from desktop_app.ui.inspector.message_rows import GROUPS

    if not window.inspector.shown:
        window.actions_by_id["toggle_inspector"].trigger()
    if isinstance(pane := window.inspector.content, InspectorPane) and ids:
        pane.show_tab("messages")
        view = pane.messages.view
        for group in GROUPS:
            view.rows.fold(group, False)
        view.show_messages(ids)


def _make_inspector(window: MainWindow, app_state: AppState, to: Presenters, appearance: Appearance) -> None:
    from desktop_app.ui.inspector.inspector_pane import InspectorPane, RequestsPresenter
    from desktop_app.ui.inspector.messages_presenter import MessagesPresenter

    slot, bridge = window.inspector, app_state.bridge
    pane = InspectorPane(appearance.theme, slot)
    inspector, requests = (
        MessagesPresenter(app_state, pane, window.stage.transcript),
        RequestsPresenter(app_state, pane),
    )
    app_state.thread_opened.connect(inspector.show_opened)
    app_state.thread_made.connect(inspector.thread_made)
    app_state.thread_closed.connect(inspector.clear)
    app_state.thread_changed.connect(inspector.thread_changed)
    bridge.subscribe_each((MessageAdded, TurnStarted, TurnEnded, TurnFailed), inspector.path_grew)
    for feeding in (inspector, requests):
        to.gauge.plan_changed.connect(feeding.plan_changed)
        pane.tab_shown.connect(feeding.look)
        slot.shown_changed.connect(feeding.look)
    pane.tab_shown.connect(inspector.leave)
    slot.shown_changed.connect(lambda shown: None if shown else inspector.leave())
    inspector.path_changed.connect(requests.path_changed)
    inspector.exclusion_wanted.connect(to.choices.exclude_quietly)
    inspector.leaving_wanted.connect(to.choices.let_go)
    inspector.summary_wanted.connect(to.summary_requests.summarise)
    pane.messages.summary_edit_requested.connect(
        lambda summary: to.pages.show("summary", app_state.thread_id or "", summary)
    )
    pane.messages.tools_requested.connect(window.actions_by_id["show_tools"].trigger)
    pane.close_requested.connect(window.actions_by_id["toggle_inspector"].trigger)
    KeyTip(pane.close_button, window.actions_by_id["toggle_inspector"])
    pane.messages.view.jump_requested.connect(lambda _message: to.pages.leave())
    slot.fill(pane)
    requests.plan_changed(to.gauge.plan)
    inspector.begin(to.gauge.plan)


def wire_load_line(window: MainWindow, app_state: AppState, to: Presenters) -> None:
    """The load line can be moved, and so can the mark of the soft limit on the gauge."""
    transcript, strip = window.stage.transcript, window.composer.gauge

    def line_drag_made(drag: object) -> None:
        from desktop_app.ui.conversation.plan_previews import LoadLinePresenter
        from desktop_app.ui.transcript.message.load_line_drag import LoadLineDrag

        assert isinstance(drag, LoadLineDrag)
        LoadLinePresenter(app_state, drag, to.gauge, to.choices, window.toast)

    def limit_drag_made(drag: object) -> None:
        from desktop_app.ui.conversation.plan_previews import LimitPresenter

        assert isinstance(drag, LimitDrag)
        LimitPresenter(app_state, drag, to.gauge, window.toast)

    transcript.decorations.line_moves = True
    transcript.line_drag_made.connect(line_drag_made)
    strip.limit_drag_made.connect(limit_drag_made)


_PRESSES: Final = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
_PICKING: Final = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
_TURNING: Final = (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End)
_STEPPING: Final = (Qt.Key.Key_Up, Qt.Key.Key_Down)


class FocusReturn(QObject):
    """Gives the composer of a shown window the focus back."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._places: list[QWidget] = []
        self._reached: QWidget | None = None  # the place to which the keyboard led
        self._owed = False  # the focus was lost while a page hid the composer
        self._pressed: tuple[QWidget | None, QWidget | None] = (None, None)  # what had the focus; what was clicked
        self._picking = False  # Ctrl or Shift was down with the click
        self._by_pointer = False  # what was done last
        self.add_place(window.stage.transcript)
        self.add_place(window.threads.view)
        window.threads.results_made.connect(lambda results: self.add_place(results.view))
        window.take_lost_focus = self._take_lost
        # of all clicks and keys only those of this window, and no paint events
        frame = window.windowHandle()
        for watched in (frame, window, window.composer):
            if watched is not None:
                watched.installEventFilter(self)
        if isinstance(app := QApplication.instance(), QApplication):
            app.focusChanged.connect(self._focus_changed)

    def add_place(self, place: QWidget) -> None:
        """Takes in a part of the window that has the focus only where the keyboard led to it."""
        place.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        place.installEventFilter(self)
        self._places.append(place)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (kind := event.type()) == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            self._by_pointer = False
            self._frame(self._window.focusWidget())
            return (watched is self._window or watched in self._places) and self._take_key(watched, event)
        if kind == QEvent.Type.FocusIn and isinstance(event, QFocusEvent) and watched in self._places:
            self._look_how_it_came(watched, event.reason())
        elif isinstance(event, QMouseEvent) and watched is self._window.windowHandle():
            if kind in _PRESSES:
                self._by_pointer = True
                self._reached, self._picking = None, bool(event.modifiers() & _PICKING)
                self._pressed = self._window.focusWidget(), self._window.childAt(event.position().toPoint())
            elif kind == QEvent.Type.MouseButtonRelease:
                # after what the click does: it may open a menu, a page or a field
                QTimer.singleShot(0, self, self._after_click)
        elif kind == QEvent.Type.Show and watched is self._window.composer and self._owed:
            self._give_back()
        return False

    # --- where the focus is

    def _give_back(self) -> bool:
        """Gives the composer the focus: now, or where a page hides it as soon as it is there again (False)."""
        composer = self._window.composer
        self._owed = not composer.isVisible()
        if not self._owed:
            composer.focus_editor()
        return not self._owed

    def _focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        window = self._window
        if now is window.composer.editor:
            self._reached = None
        elif now is None:
            QTimer.singleShot(0, self, self._look_whether_gone)
        elif now in self._places and now is not self._reached:
            self._give_back()
        else:
            self._frame(now)

    def _frame(self, place: QWidget | None) -> None:
        """Frame the button that has the focus, unless the pointer led there."""
        is_button = isinstance(place, QAbstractButton) and place.window() is self._window
        if place is not None and is_button and bool(place.property("pointed")) != self._by_pointer:
            set_look(place, "pointed", self._by_pointer)

    def _take_lost(self) -> bool:
        """Return True if the composer has the focus now, since the widget that had it was hidden or disabled."""
        here = self._window.focusWidget()
        if here is None or (here.isVisible() and here.isEnabled()) or not self._window.isVisible():
            return False
        return self._give_back()

    def _look_whether_gone(self) -> None:
        """Nothing has the focus: what had it was destroyed, or another window is active."""
        window = self._window
        if window.isActiveWindow() and QApplication.focusWidget() is None and not _is_interrupted():
            self._give_back()

    def _look_how_it_came(self, place: QObject, reason: Qt.FocusReason) -> None:
        if reason in BY_KEYBOARD and isinstance(place, QWidget):
            self._reached = place
        elif reason == Qt.FocusReason.PopupFocusReason and place is not self._reached:
            QTimer.singleShot(0, self, self._give_back)

    # --- clicks

    def _after_click(self) -> None:
        before, clicked = self._pressed
        window = self._window
        if _is_interrupted() or not window.composer.isVisible() or clicked is None or not isValid(clicked):
            return
        if self._picking and window.threads.view.isAncestorOf(clicked):
            self._reached = window.threads.view
            self._reached.setFocus(Qt.FocusReason.ShortcutFocusReason)  # Del is about what was picked
            return
        here, composer = window.focusWidget(), window.composer
        # a chip takes the focus with the pointer only until the click is over
        in_composer = here is not None and composer.isAncestorOf(here) and composer.isAncestorOf(clicked)
        if in_composer or (here is before and self._returns_from(clicked)):
            composer.focus_editor()
        transcript = window.stage.transcript
        if transcript.isAncestorOf(clicked) and transcript.selection.range is not None:
            # one selection at a time: what was selected last is copied
            cursor = composer.editor.textCursor()
            cursor.clearSelection()
            composer.editor.setTextCursor(cursor)

    def _returns_from(self, clicked: QWidget) -> bool:
        """Return True if a click there gives the composer the focus: in a pane, and not in a part that keeps it."""
        here: QWidget | None = clicked
        while here is not None and here not in self._places:
            if here.property(KEEPS_FOCUS) or here is self._window.focusWidget():
                return False
            here = here.parentWidget()
        return self._window.splitter.isAncestorOf(clicked)

    # --- keys

    def _take_key(self, watched: QObject, event: QKeyEvent) -> bool:
        """A key that means nothing where the focus is: letters are written, what is about reading is read."""
        window = self._window
        if not window.composer.isVisible() or self._is_covered:
            return False
        if _is_letter(event):
            window.composer.focus_editor()
            QCoreApplication.sendEvent(window.composer.editor, event)
            return True
        if watched is not window or not window.composer.editor.hasFocus() or window.stage.transcript.isHidden():
            return False
        if event.key() in _STEPPING and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            window.stage.transcript.setFocus(Qt.FocusReason.ShortcutFocusReason)  # onto a message in view
            return True
        if _is_for_reading(event):
            window.stage.transcript.keyPressEvent(event)
            return True
        return False

    @property
    def _is_covered(self) -> bool:
        """True where the widget with the focus lies over the panes, as an image shown large does."""
        here = self._window.focusWidget()
        return here is not None and here is not self._window and not self._window.splitter.isAncestorOf(here)


def _is_interrupted() -> bool:
    """Return True if a menu, a popover or a dialog is open, and has the keyboard."""
    return QApplication.activePopupWidget() is not None or QApplication.activeModalWidget() is not None


def _is_letter(event: QKeyEvent) -> bool:
    """Return True if the key writes something by itself; AltGr and Shift belong to that."""
    modifiers, text = event.modifiers(), event.text()
    control = bool(modifiers & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.MetaModifier))
    return bool(text.strip()) and text.isprintable() and control == bool(modifiers & Qt.KeyboardModifier.AltModifier)


def _is_for_reading(event: QKeyEvent) -> bool:
    """Copying and moving about: the composer passes these on where it has nothing to copy or to turn."""
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    as_markdown = event.key() == Qt.Key.Key_C and event.modifiers() == both
    return event.matches(QKeySequence.StandardKey.Copy) or as_markdown or event.key() in _TURNING


@dataclass(frozen=True, slots=True)
class Pane:
    """A part of the window, and what gives it the keyboard."""

    part: QWidget
    enter: Callable[[], object]


class Panes:
    """Composer, card, conversation (or the page in its place), what is open at the side, thread list, and round again.

    The card comes right after the composer, where the keyboard stays when something goes wrong.
    """

    def __init__(self, window: MainWindow, card: Callable[[], ErrorCard | None]) -> None:
        self._window = window
        self._card = card

    def step(self, step: int) -> None:
        """Gives the keyboard to the next pane (1) or the one before (-1)."""
        panes = self._shown()
        here = self._here(panes)
        for further in range(1, len(panes) + 1):
            place = (here + step * further) % len(panes) if here is not None else (further - 1) * step
            panes[place].enter()
            if self._here(panes) == place % len(panes):
                if panes[place].part is not self._window.threads:
                    self._window.list_slot.leave()
                return

    def _shown(self) -> list[Pane]:
        window, card = self._window, self._card()
        panes = [Pane(window.composer, window.composer.focus_editor)]
        if card is not None and not card.resolved:
            panes.append(Pane(card, card.focus_first))
        panes.append(Pane(window.stage, self._enter_stage))
        panes += [Pane(slot, slot.enter) for slot in (window.artifacts, window.document)]
        panes.append(Pane(window.inspector, self._enter_inspector))
        panes.append(Pane(window.threads, window.threads.focus_list))
        return [pane for pane in panes if pane.part.isVisible()]

    def _here(self, panes: list[Pane]) -> int | None:
        """The pane that has the keyboard; a card lies within the conversation and comes before it."""
        if (focused := QApplication.focusWidget()) is None:
            return None
        holding = [place for place, pane in enumerate(panes) if pane.part is focused or pane.part.isAncestorOf(focused)]
        return min(holding, default=None)

    def _enter_stage(self) -> None:
        stage = self._window.stage
        if (shown := stage.currentWidget()) is stage.transcript:
            stage.transcript.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif stage.welcoming:
            stage.welcome.focus_first()
        elif isinstance(shown, PageFrame):
            shown.focus_first()

    def _enter_inspector(self) -> None:
        from desktop_app.ui.inspector.inspector_pane import InspectorPane

        if isinstance(content := self._window.inspector.content, InspectorPane):
            content.focus_inside()


STEP: Final = 4 * GRID
"""Pixels of one step."""


class PaneWidths:
    """The thread list and the inspector of one window."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    @property
    def steps(self) -> Mapping[str, Callable[..., None]]:
        """The function of each action that changes a width, by its id."""
        return {
            "widen_threads": partial(self._widen_threads, STEP),
            "narrow_threads": partial(self._widen_threads, -STEP),
            "widen_inspector": partial(self._widen_inspector, STEP),
            "narrow_inspector": partial(self._widen_inspector, -STEP),
        }

    def why_not(self, action: str) -> str:
        """Why the action can do nothing now, as one sentence; empty where it can."""
        wider, threads = action.startswith("widen"), action.endswith("threads")
        widths = self._threads_widths() if threads else self._inspector_widths()
        if widths is None:
            return tr("The thread list is hidden.") if threads else tr("The context inspector is closed.")
        least, width, most = widths
        if wider and width >= most:
            return tr("Largest width reached")
        return tr("Smallest width reached") if not wider and width <= least else ""

    def _threads_widths(self) -> tuple[int, int, int] | None:
        if self._window.list_slot.over:
            return (self._window.threads.width(),) * 3
        edge = self._window.splitter.edge_of(self._window.threads)
        return edge.widths if edge is not None else None

    def _inspector_widths(self) -> tuple[int, int, int] | None:
        if not (slot := self._window.inspector).shown:
            return None
        edge = self._window.splitter.edge_of(slot)
        return edge.widths if edge is not None else slot.overlaid_widths

    def _widen_threads(self, pixels: int, _checked: bool = False) -> None:
        if (edge := self._window.splitter.edge_of(self._window.threads)) is not None:
            edge.widen(pixels)
            self._say(self._window.threads.width())

    def _widen_inspector(self, pixels: int, _checked: bool = False) -> None:
        slot = self._window.inspector
        if (edge := self._window.splitter.edge_of(slot)) is not None:
            edge.widen(pixels)
        elif slot.shown:
            slot.widen_overlaid(pixels)
        else:
            return
        self._say(slot.width())

    def _say(self, width: int) -> None:
        if QAccessible.isActive():
            words = tr("{count} pixels wide").format(count=width)
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._window, words))
