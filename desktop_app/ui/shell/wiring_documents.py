"""The connections of a project's documents, whose pane is made when it is first shown. Decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices

from desktop_app.core.projects import ProjectDocument
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.shell.presenters import Presenters
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.style import Appearance

if TYPE_CHECKING:
    from desktop_app.controller.open_threads import OpenThread
    from desktop_app.ui.documents.project_document_pane import ProjectDocumentPresenter


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
