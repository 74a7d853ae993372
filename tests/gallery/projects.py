"""Shows the page of a project: empty, in use, reading, narrow, with many documents. Owns a made-up one."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QWidget

from desktop_app.core.messages import Failure, Thread
from desktop_app.core.phrases import phrase
from desktop_app.core.projects import FolderChange, FollowedFolder, Project, ProjectDocument
from desktop_app.ui.projects.documents_pane import DocumentsView
from desktop_app.ui.projects.project_page import ProjectPage, ProjectView
from desktop_app.ui.theme.theme import GRID
from tests.gallery.page import WIDTH, Page

PROJECT = Project(
    "p", "Ordering portal", "You are a business analyst. Cite the document for every claim.\nNumber all requirements."
)
LONG = "Bestellportal für Übergrößenträgerlösungen der Donaudampfschifffahrtsgesellschaft"
THREADS = tuple(
    Thread(title, title, "2026-11-20T09:00:00Z", "2026-11-21T09:00:00Z", project="p")
    for title in ("Which prices hold for resellers?", "Draft of the requirements")
)
READY = ProjectDocument("1", "p", "Glossary.md", tokens=1_200, mode="always", state="ready", path="/specs/Glossary.md")
DOCUMENTS = (
    READY,
    replace(READY, id="2", name="Interview with purchasing 2026-10-02.docx", tokens=18_400, mode="search"),
    replace(READY, id="3", name="Requirements v1.pdf", pages=42, tokens=62_000, mode="search", note="Read by OCR."),
    replace(READY, id="4", name="Old notes.txt", state="missing", tokens=310, mode="search"),
    replace(
        *(READY,),
        id="5",
        name="Contract signed.pdf",
        state="failed",
        error=phrase("“{name}” is protected by a password. Save a copy without one.", name="Contract signed.pdf"),
    ),
    replace(READY, id="6", name="Workshop slides.pptx", state="waiting", tokens=0, mode="search"),
)
ALWAYS = "Always included: 1.2K of at most 45K tokens · <$0.01 per request, <$0.01 from the cache"
FOLDERS = (FollowedFolder("f", "p", "/home/ada/specs/incoming"), FollowedFolder("g", "p", "/media/stick/old"))
CHANGES = (
    FolderChange("new", "f", "minutes/2026-11-20.md"),
    FolderChange("changed", "f", "Price list.xlsx", document_id="x"),
    FolderChange("removed", "f", "draft.txt", document_id="y"),
)


def fill(page: Page) -> None:
    """Each state of the page."""
    _add(page, "Without anything", Project("p", "New project"), DocumentsView(()), height=56 * GRID, threads=())
    _add(page, "In use", PROJECT, DocumentsView(DOCUMENTS, always=ALWAYS), height=120 * GRID)
    reading = DocumentsView(
        DOCUMENTS[:2],
        FOLDERS,
        unreachable=FOLDERS[1:],
        changes=CHANGES,
        reading=(312, 1_000, "Interview with purchasing 2026-10-02.docx"),
        always=ALWAYS,
        too_much="Too long to include in full. The rest is searched when needed.",
    )
    shown = _add(page, "Reading, with changes in followed folders", PROJECT, reading, height=88 * GRID)
    shown.documents.changes.buttons[0].click()
    many = tuple(replace(READY, id=str(n), name=f"minutes {n:05}.md", tokens=900 + n) for n in range(10_000))
    failures = (Failure("usage", phrase("3 files in “specs” were left out, as they hold no text: 2 .png and 1 .zip.")),)
    archived = replace(PROJECT, archived=True)
    shown = _add(page, "Ten thousand documents, archived", archived, DocumentsView(many), height=80 * GRID)
    shown.documents.show_left_out(failures)
    shown.documents.list.selectionModel().select(
        shown.documents.list.rows.index(1), shown.documents.list.selectionModel().SelectionFlag.Select
    )
    narrow = replace(PROJECT, name=LONG, model="claude-sonnet-5-5", backend="anthropic", soft_limit=60_000)
    _add(page, "Narrow", narrow, DocumentsView(DOCUMENTS, always=ALWAYS), height=150 * GRID, width=46 * GRID)


def _add(
    page: Page,
    caption: str,
    project: Project,
    documents: DocumentsView,
    *,
    height: int,
    width: int = WIDTH,
    threads: tuple[Thread, ...] = THREADS,
) -> ProjectPage:
    room = QWidget(page)
    room.setObjectName("centre")
    room.setFixedSize(width, height)
    shown = ProjectPage(page.theme, room)
    shown.setGeometry(room.rect())
    model = "Claude Sonnet 5.5" if project.model else ""
    shown.show_project(ProjectView(project, threads, model, "Claude Opus 5", 150_000))
    shown.documents.show_view(documents)
    page.add(caption, room)
    return shown
