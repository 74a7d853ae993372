"""The connections of artifacts, whose pane is imported and made when it is first shown. Decides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from desktop_app.core.events import ArtifactChanged, MessageAdded, ThreadDeleted, TurnEnded, TurnFailed, TurnStarted
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.shell.presenters import Presenters
from desktop_app.ui.shortcuts.key_tips import tell_keys
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.style import Appearance

if TYPE_CHECKING:
    from desktop_app.ui.artifacts.artifacts_presenter import ArtifactsPresenter


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
