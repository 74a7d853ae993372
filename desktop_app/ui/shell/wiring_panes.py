"""The connections of panes that are imported and made when they are first shown. Decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from desktop_app.core.events import ArtifactChanged, MessageAdded, ThreadDeleted, TurnEnded, TurnFailed, TurnStarted
from desktop_app.core.projects import ProjectDocument
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.shell.page_specs import Presenters
from desktop_app.ui.shortcuts.keymap import tell_keys
from desktop_app.ui.startup.background_imports import INSPECTOR, ImportsAtRest
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.style import Appearance
from desktop_app.ui.transcript.message.action_bar import TREE

if TYPE_CHECKING:
    from desktop_app.controller.open_threads import OpenThread
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

    def toggle(self) -> None:
        """Shows the last artifact, or hides the pane."""
        if self._window.artifacts.shown:
            self.close()
        else:
            self._app_state.start(self._open("", 0, by_keyboard=True))

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
        if self._window.artifacts.shown:
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
        if await self._open(artifact_id, 0):
            await self._made().edit()
        elif (waiting := unsaved.take(artifact_id)) is not None:
            QGuiApplication.clipboard().setText(waiting.text)
            toast.show_message(tr("This artifact no longer exists. Your text is in the clipboard."))

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
        self._window.artifacts.set_shown(True)
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
            self.presenter.file_wanted.connect(lambda path: QDesktopServices.openUrl(QUrl.fromLocalFile(path)))
            pane.close_requested.connect(self.close)
            pane.reader.row_actions.link_activated.connect(window.stage.transcript.row_actions.link_activated)
            tell_keys(pane.close_button, window.actions_by_id["toggle_artifacts"])
            slot.fill(pane, pane.focus_inside)
        return self.presenter


def wire_artifacts(window: MainWindow, app_state: AppState, to: Presenters, appearance: Appearance) -> ArtifactWiring:
    """Connects cards, lines, menus and actions with the pane."""
    wiring = ArtifactWiring(window, app_state, to, appearance)
    transcript, kept, bridge = window.stage.transcript, to.kept_answers, app_state.bridge
    window.actions_by_id["toggle_artifacts"].triggered.connect(lambda: wiring.toggle())  # noqa: PLW0108 - without `checked`
    window.actions_by_id["keep_answer"].triggered.connect(lambda: kept.keep_last())  # noqa: PLW0108 - without `checked`
    transcript.row_actions.artifact_requested.connect(wiring.open)
    transcript.row_actions.message_acted.connect(kept.act)
    transcript.row_actions.code_kept.connect(kept.keep_code)
    transcript.offer_keeping_code()
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
    app_state.thread_opened.connect(wiring.thread_opened)
    app_state.thread_switched.connect(wiring.thread_left)
    app_state.thread_closed.connect(wiring.thread_left)
    app_state.thread_closed.connect(lambda: window.artifacts.set_shown(False))
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

    def open(self, document: ProjectDocument, passage_id: str = "", found: Sequence[str] = ()) -> None:
        """Shows a document; `found`: ids of passages that can be gone to from that one, itself included."""
        self._made().show(document, passage_id, found)
        self._window.document.set_shown(True)
        if not self._window.composer.editor.hasFocus():  # it was opened by keyboard, or from a page
            self._window.document.enter()

    def open_passage(self, project_id: str, passage_id: str, found: Sequence[str] = ()) -> None:
        """Shows the document that a passage is of, at the passage."""
        self._app_state.start(self._open_passage(project_id, passage_id, found))

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

    async def _open_passage(self, project_id: str, passage_id: str, found: Sequence[str]) -> None:
        services = await self._app_state.services()
        hit = await services.history.projects.passage(project_id, passage_id)
        if hit is None:
            self._window.toast.show_message(tr("This passage is no longer in the project's documents."))
        else:
            self.open(hit.document, passage_id, found)

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
    app_state.document_wanted.connect(wiring.open)
    app_state.thread_opened.connect(wiring.thread_opened)
    app_state.thread_closed.connect(wiring.thread_closed)


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
        """The presenter that fills the tree."""
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
    pane = window.inspector.content
    if isinstance(pane, InspectorPane) and ids:
        pane.show_tab("messages")
        view = pane.messages.view
        for group in GROUPS:
            view.rows.fold(group, False)
        pane.messages.select(ids)
        view.scrollTo(view.rows.index_of(ids[-1]))


def _make_inspector(window: MainWindow, app_state: AppState, to: Presenters, appearance: Appearance) -> None:
    from desktop_app.ui.inspector.inspector_pane import InspectorPane
    from desktop_app.ui.inspector.messages_presenter import MessagesPresenter
    from desktop_app.ui.inspector.requests_presenter import RequestsPresenter

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
    inspector.summary_wanted.connect(to.summary_requests.summarise)
    inspector.summary_edit_requested.connect(
        lambda summary: to.pages.show("summary", app_state.thread_id or "", summary)
    )
    pane.close_requested.connect(window.actions_by_id["toggle_inspector"].trigger)
    tell_keys(pane.close_button, window.actions_by_id["toggle_inspector"])
    pane.messages.jump_requested.connect(lambda _message: to.pages.leave())
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
        from desktop_app.ui.gauge.limit_drag import LimitDrag

        assert isinstance(drag, LimitDrag)
        LimitPresenter(app_state, drag, to.gauge, window.toast)

    transcript.decorations.line_moves = True
    transcript.line_drag_made.connect(line_drag_made)
    strip.limit_drag_made.connect(limit_drag_made)
