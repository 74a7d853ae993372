"""Makes the pages of projects and their documents, each imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from desktop_app.core.projects import ProjectDocument
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.widgets.page_presenter import PagePresenter

if TYPE_CHECKING:
    from desktop_app.ui.shell.pages import Pages


def make_project_document(
    on: Pages, document: ProjectDocument, passage_id: str = "", found: Sequence[str] = ()
) -> PagePresenter | None:
    """`found`: ids of passages that can be gone to from that one, itself included."""
    from desktop_app.ui.documents.project_document_page import ProjectDocumentPage
    from desktop_app.ui.documents.project_document_presenter import ProjectDocumentPresenter

    if isinstance(on.flow, ProjectDocumentPresenter) and on.flow.shows(document):
        on.flow.go_to(passage_id, found)
        return None
    page = ProjectDocumentPage(on.theme, document.name, on.stage)
    page.link_wanted.connect(on.link_wanted)
    flow = ProjectDocumentPresenter(on.app_state, page, document, on)
    flow.go_to(passage_id, found)
    return flow


async def make_passage(on: Pages, project_id: str, passage_id: str, found: Sequence[str] = ()) -> PagePresenter | None:
    """The document that a passage is of, at the passage."""
    services = await on.app_state.services()
    hit = await services.history.projects.passage(project_id, passage_id)
    if hit is None:
        on.toast.show_message(tr("This passage is in no document of the project any more."))
        return None
    return make_project_document(on, hit.document, passage_id, tuple(found))


def make_project(on: Pages, project_id: str, naming: bool = False) -> PagePresenter:
    """`naming`: it was just made, and is named first."""
    from desktop_app.ui.projects.project_page import ProjectPage
    from desktop_app.ui.projects.project_presenter import ProjectPresenter

    flow = ProjectPresenter(
        on.app_state,
        ProjectPage(on.theme, on.stage),
        on.toast,
        project_id,
        list_models=on.connections.list_models if on.connections is not None else None,
        parent=on,
    )
    flow.thread_chosen.connect(on.open_thread)
    flow.document_chosen.connect(partial(on.show, "project_document"))
    flow.gone.connect(on.finish)
    if naming:
        flow.page.edit_name()
    return flow


async def make_new_project(on: Pages) -> None:
    """A project is made and shown, to be named."""
    projects = (await on.app_state.services()).projects
    project = await projects.create(await projects.free_name(tr("New project")))
    on.show("project", project.id, True)
