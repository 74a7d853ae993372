"""Pictures of a project's page: empty, in use, reading, with errors, with 10,000 documents, with long German names."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_app.core.phrases import phrase
from desktop_app.core.projects import FolderChange, FollowedFolder, Project, ProjectDocument

if TYPE_CHECKING:
    from desktop_app.ui.projects.project_page import ProjectPage
    from tests.ui.open_window import OpenWindow

INSTRUCTIONS = (
    "You are a business analyst. Cite the document for every claim.\nWrite requirements as numbered sentences."
)


def some_documents(project: Project) -> tuple[ProjectDocument, ...]:
    """One of each state."""

    def made(name: str, **facts: object) -> ProjectDocument:
        known = {"state": "ready", "tokens": 3400, "path": f"/home/ada/specs/{name}", "added": "2026-11-01"}
        return replace(ProjectDocument(name, project.id, name), **{**known, **facts})  # type: ignore[arg-type]

    return (
        made("Glossary.md", mode="always", tokens=1200),
        made("Interview with purchasing 2026-10-02.docx", tokens=18_400),
        made("Order portal requirements v1.pdf", pages=42, tokens=62_000, note=phrase("Read by OCR.")),
        made("Price list.xlsx", tokens=9_800, mode="always"),
        made("Old notes.txt", state="missing", tokens=310),
        made(
            "Contract signed.pdf",
            state="failed",
            error=phrase(
                "“{name}” is protected by a password. Save a copy without one, then read it again.",
                name="Contract signed.pdf",
            ),
        ),
        made("Workshop slides.pptx", state="waiting", tokens=0),
    )


async def project_page(window: OpenWindow, *, filled: bool = True, name: str = "Ordering portal") -> ProjectPage:
    """A project on its page, with some documents where it is `filled`, and two threads."""
    from desktop_app.ui.projects.project_page import ProjectPage

    window.window.activateWindow()
    projects = window.services.projects
    project = await projects.create(name, INSTRUCTIONS if filled else "")
    if filled:
        await window.services.history.projects.save_documents(some_documents(project))
        for title in ("Which prices hold for resellers?", "Draft of the requirements"):
            thread = await window.services.chat.new_thread(title=title)
            await window.services.library.move_to_project([thread.id], project.id)
    window.presenters.pages.show("project", project.id)
    await window.settled()
    page = window.presenters.pages.page
    assert isinstance(page, ProjectPage)
    return page


async def project_empty(window: OpenWindow) -> None:
    window.window.resize(1180, 820)
    await project_page(window, filled=False)


async def project_in_use(window: OpenWindow) -> None:
    window.window.resize(1180, 1200)
    await project_page(window)


async def project_narrow(window: OpenWindow) -> None:
    window.window.resize(480, 1200)
    await project_page(window, name="Bestellportal für Übergrößenträgerlösungen der Donaudampfschifffahrtsgesellschaft")


async def project_reading(window: OpenWindow) -> None:
    """A folder is followed, something in it changed, and documents are read."""
    window.window.resize(1180, 1200)
    page = await project_page(window)
    await window.settled()
    view = page.documents.view
    folder = FollowedFolder("f", "p", "/home/ada/specs/incoming")
    changes = (
        FolderChange("new", "f", "minutes/2026-11-20.md"),
        FolderChange("new", "f", "minutes/2026-11-21.md"),
        FolderChange("changed", "f", "Price list.xlsx", document_id="x"),
        FolderChange("removed", "f", "draft.txt", document_id="y"),
    )
    page.documents.show_view(
        replace(
            view,
            folders=(folder, FollowedFolder("g", "p", "/media/stick/old")),
            unreachable=(FollowedFolder("g", "p", "/media/stick/old"),),
            changes=changes,
            reading=(312, 1000, "Interview with purchasing 2026-10-02.docx"),
        )
    )
    page.documents.unfold_changes()


async def project_many(window: OpenWindow) -> None:
    """10,000 documents."""
    window.window.resize(1180, 1000)
    page = await project_page(window, filled=False)
    view = page.documents.view
    documents = tuple(
        ProjectDocument(
            str(n), "p", f"minutes {n:05}.md", tokens=900 + n, state="ready", path=f"/specs/minutes {n:05}.md"
        )
        for n in range(10_000)
    )
    page.documents.show_view(replace(view, documents=documents))
    page.documents.list.setCurrentIndex(page.documents.list.rows.index(3))
    page.documents.list.setFocus()
    await asyncio.sleep(0)


PROJECT_SCENES = (project_empty, project_in_use, project_narrow, project_reading, project_many)
