"""A project's page on the real window: made, named, filled by drops, read, searched for errors, undone, left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QWidget

from desktop_app.controller.project_library import INSTRUCTIONS_LIMIT
from desktop_app.core.projects import Project, ProjectDocument
from desktop_app.ui.documents.project_document_pane import ProjectDocumentPane
from desktop_app.ui.i18n.content_words import thousands, tokens_of
from desktop_app.ui.i18n.language import speak
from desktop_app.ui.projects.document_list import DocumentRows, facts_of
from desktop_app.ui.projects.project_page import ProjectPage
from desktop_app.ui.widgets.floating import Menu
from tests.fakes.text_extractor import TextExtractor
from tests.ui.access_walk import all_faults
from tests.ui.attaching import files, written
from tests.ui.editing import undo
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

Key, Button = Qt.Key, Qt.MouseButton
NO_KEYS = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def extractor(window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> TextExtractor:
    """In the place of the process that reads."""
    made = TextExtractor()
    monkeypatch.setattr(window.services.projects.document_reading, "extractor", made)
    return made


@pytest_asyncio.fixture
async def project(window: OpenWindow, extractor: TextExtractor) -> Project:
    return await window.services.projects.create("Ordering portal")


@pytest_asyncio.fixture
async def page(window: OpenWindow, project: Project) -> AsyncIterator[ProjectPage]:
    window.window.resize(1180, 1200)
    window.window.activateWindow()
    yield await shown(window, project.id)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "specs"
    written(made, "pricing.md", "# Pricing\n\nA seat is 12 euros.")
    written(made, "terms.txt", "Payment within 30 days.")
    written(made, "broken.txt", "x")
    return made


async def shown(window: OpenWindow, project_id: str) -> ProjectPage:
    window.presenters.pages.show("project", project_id)
    await window.settled()
    return page_of(window)


def page_of(window: OpenWindow) -> ProjectPage:
    page = window.presenters.pages.page
    assert isinstance(page, ProjectPage)
    return page


def drop(page: ProjectPage, *paths: Path) -> None:
    """As a file manager does it: over the page, then onto the veil that shows."""
    data, place, copy = files(*paths), page.rect().center(), Qt.DropAction.CopyAction
    entering = QDragEnterEvent(place, copy, data, Button.LeftButton, NO_KEYS)
    QApplication.sendEvent(page, entering)
    assert entering.isAccepted()
    assert page.drop_target.isVisible()
    QApplication.sendEvent(page.drop_target, QDropEvent(place.toPointF(), copy, data, Button.LeftButton, NO_KEYS))


def states(page: ProjectPage) -> dict[str, str]:
    return {one.name: one.state for one in page.documents.list.rows.rows}


async def read(window: OpenWindow, page: ProjectPage, count: int) -> None:
    """Waits until so many documents stand on the page, none of them waiting."""
    await window.until(
        lambda: len(states(page)) == count and "waiting" not in states(page).values(),
        f"{count} documents that were read",
    )
    await window.settled()


async def read_as_searched(window: OpenWindow, page: ProjectPage, count: int) -> None:
    """The user lets all of them be searched: small ones are always included at first."""
    await read(window, page, count)
    documents = await window.services.projects.read_all(page_id(page))
    await window.services.projects.set_mode(page_id(page), [one.id for one in documents], "search")
    rows = page.documents.list.rows
    await window.until(lambda: {one.mode for one in rows.rows} == {"search"}, "all of them searched")
    await window.until(page.documents.include.isVisible, "what fits")
    await window.settled()


def click_mode(page: ProjectPage, name: str) -> None:
    view = page.documents.list
    row = next(row for row, one in enumerate(view.rows.rows) if one.name == name)
    place = view.delegate.chip(view.visualRect(view.rows.index(row))).center()
    QTest.mouseClick(view.viewport(), Button.LeftButton, NO_KEYS, place)


def mark(page: ProjectPage, name: str) -> None:
    """Clicks a document."""
    view = page.documents.list
    row = next(row for row, one in enumerate(view.rows.rows) if one.name == name)
    place = view.visualRect(view.rows.index(row)).topLeft() + QPoint(20, 10)
    QTest.mouseClick(view.viewport(), Button.LeftButton, NO_KEYS, place)
    view.setFocus()


async def test_the_folder_below_the_list_shows_the_projects_and_makes_none_by_itself(window: OpenWindow) -> None:
    made = await window.services.projects.create("R&D")
    await window.settled()
    QTest.mouseClick(window.threads.page_buttons["new_project"], Button.LeftButton)
    menu = window.threads.page_buttons["new_project"].findChild(Menu)
    assert menu is not None
    assert [action.text() for action in menu.actions() if action.text()] == ["R&&D", "New project"]
    assert [one.id for one in await window.services.projects.all()] == [made.id]
    menu.actions()[0].trigger()
    menu.close()
    await window.until(lambda: isinstance(window.presenters.pages.page, ProjectPage), "the page")
    await window.until(lambda: page_of(window).name.text() == "R&D", "its name")


async def test_a_new_project_is_made_shown_and_named_at_once(window: OpenWindow) -> None:
    window.window.activateWindow()
    window.shortcut("new_project")
    await window.until(lambda: isinstance(window.presenters.pages.page, ProjectPage), "the page")
    await window.settled()
    page = page_of(window)
    assert (page.name.text(), page.name.hasFocus()) == ("New project", True)
    QTest.keyClicks(page.name, "Ordering portal")
    QTest.keyClick(page.name, Key.Key_Return)
    await window.settled()
    assert [one.name for one in await window.services.projects.all()] == ["Ordering portal"]

    await window.services.projects.create("Other")
    page.edit_name()
    QTest.keyClicks(page.name, "other")
    QTest.keyClick(page.name, Key.Key_Return)
    await window.settled()
    assert "There is a project “Other” already" in page.name_problem.text()
    assert page.name.text() == "Ordering portal"
    page.edit_name()
    QTest.keyClicks(page.name, "x")
    QTest.keyClick(page.name, Key.Key_Escape)
    assert page.name.text() == "Ordering portal"


async def test_a_dropped_folder_is_read_and_its_problems_are_told(
    window: OpenWindow, page: ProjectPage, extractor: TextExtractor, folder: Path
) -> None:
    assert page.documents.nothing.isVisible()
    written(folder, "logo.png")
    extractor.broken = {"broken.txt": "“{name}” is damaged. Save it anew."}
    drop(page, folder)
    await read(window, page, 3)
    assert states(page) == {"broken.txt": "failed", "pricing.md": "ready", "terms.txt": "ready"}
    await window.until(lambda: window.window.toast.words == "2 files added", "what is added is told")
    assert not page.documents.nothing.isVisible()
    assert page.documents.left_out.words.text() == "1 file in “specs” was left out, as it holds no text: logo.png."
    assert page.documents.failed.words.text() == "1 document can't be read"
    page.documents.left_out.buttons[0].click()
    assert not page.documents.left_out.isVisible()

    show, again = page.documents.failed.buttons
    show.click()
    assert list(states(page)) == ["broken.txt"]
    mark(page, "broken.txt")
    assert page.documents.detail.text() == "“broken.txt” is damaged. Save it anew."
    extractor.broken = {}
    again.click()
    await read(window, page, 3)  # no failed one is left to be shown alone
    assert set(states(page).values()) == {"ready"}
    assert not page.documents.failed.isVisible()
    await undo(window, "2 files added")
    await window.until(lambda: not states(page), "no document")


async def test_how_a_document_gets_to_the_model_is_chosen_by_click_and_by_key(
    window: OpenWindow, page: ProjectPage, folder: Path
) -> None:
    drop(page, folder)
    await read_as_searched(window, page, 3)
    place = page.documents.list.mapTo(page, QPoint())
    click_mode(page, "pricing.md")
    await window.settled()
    assert page.documents.always.isVisible()
    assert page.documents.list.mapTo(page, QPoint()) == place, "the rows stay under the pointer"
    modes = {one.name: one.mode for one in await window.services.projects.documents(page_id(page))}
    assert modes == {"broken.txt": "search", "pricing.md": "always", "terms.txt": "search"}
    assert "Always included:" in page.documents.always.text()
    mark(page, "terms.txt")
    QTest.keyClick(page.documents.list, Key.Key_Space)
    await window.settled()
    modes = {one.name: one.mode for one in await window.services.projects.documents(page_id(page))}
    assert modes["terms.txt"] == "always"
    context = await window.services.projects.context_of(await window.services.chat.new_thread(project=page_id(page)))
    assert context is not None
    assert sorted(part.name for part in context.documents) == ["pricing.md", "terms.txt"]


def page_id(page: ProjectPage) -> str:
    assert page.project is not None
    return page.project.id


async def test_the_mode_of_a_document_is_a_part_of_its_own(window: OpenWindow, page: ProjectPage, folder: Path) -> None:
    drop(page, folder)
    await read_as_searched(window, page, 3)
    view = page.documents.list
    assert not view.mode.isVisible(), "the keyboard is on no row"
    mark(page, "terms.txt")
    assert view.mode.isVisible()
    assert view.mode.accessibleName() == "terms.txt: Searched when needed"
    assert view.mode.geometry() == view.delegate.chip(view.visualRect(view.currentIndex()))
    view.mode.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(view.mode, Key.Key_Space)
    await window.settled()
    await window.until(lambda: view.mode.accessibleName() == "terms.txt: Always included", "the other mode")
    assert view.mode.hasFocus()
    assert all_faults() == []


async def test_all_that_fits_is_included_at_once_and_several_are_changed_together(
    window: OpenWindow, page: ProjectPage, folder: Path
) -> None:
    drop(page, folder)
    await read_as_searched(window, page, 3)

    async def modes() -> dict[str, str]:
        await window.settled()
        return {one.name: one.mode for one in await window.services.projects.documents(page_id(page))}

    assert page.documents.include.text() == "Include all that fits"
    QTest.mouseClick(page.documents.include, Button.LeftButton)
    assert set((await modes()).values()) == {"always"}
    await window.until(lambda: not page.documents.include.isVisible(), "nothing more to include")
    assert not page.documents.several.isVisible()

    page.documents.list.selectAll()
    assert page.documents.several.words.text() == "3 documents selected"
    QTest.mouseClick(page.documents.several.buttons[1], Button.LeftButton)
    assert set((await modes()).values()) == {"search"}


async def test_always_included_documents_that_do_not_fit_are_said(
    window: OpenWindow, page: ProjectPage, project: Project, tmp_path: Path
) -> None:
    drop(page, written(tmp_path, "book.txt", "A long story of a price. " * 12_000))
    await read(window, page, 1)
    click_mode(page, "book.txt")
    await window.settled()
    assert "Too long to include" in page.documents.too_much.text()
    assert page.documents.too_much.isVisible()
    assert page.documents.always.text().startswith("Always included: 0 of at most 45K tokens")
    assert "always included documents share 45K tokens" in facts_of(page.documents.list.rows.rows[0])
    drop(page, written(tmp_path, "small.txt", "The price is ten. " * 900))
    await read(window, page, 2)
    await window.services.projects.read_all(page_id(page))
    await window.settled()
    (small,) = (one for one in page.documents.list.rows.rows if one.name == "small.txt")
    assert page.documents.always.text().startswith(f"Always included: {thousands(small.tokens)} of at most 45K tokens")
    assert small.mode == "always", "it is small, and there is room"
    assert "always included documents share" not in facts_of(small)


async def test_documents_are_removed_and_come_back(window: OpenWindow, page: ProjectPage, folder: Path) -> None:
    drop(page, folder)
    await read(window, page, 3)
    mark(page, "terms.txt")
    QTest.keyClick(page.documents.list, Key.Key_Delete)
    await window.until(lambda: len(states(page)) == 2, "one document less")
    await undo(window, "“terms.txt” removed")
    await read(window, page, 3)


async def test_names_and_files_that_are_there_twice_are_told_apart(
    window: OpenWindow, page: ProjectPage, folder: Path
) -> None:
    drop(page, folder)
    await read(window, page, 3)
    drop(page, folder / "terms.txt")
    await window.until(
        lambda: window.window.toast.words == "“terms.txt” is in this project already. It is read again.", "the toast"
    )
    (folder / "old").mkdir()
    written(folder / "old", "terms.txt", "Other terms.")
    written(folder / "old", "copy.md", (folder / "pricing.md").read_text())
    drop(page, folder / "old")
    await window.until(lambda: page.documents.list.rows.rowCount() == 5, "five documents")
    await read(window, page, 4)  # by their names
    rows = page.documents.list.rows
    titles = [rows.title(one) for one in rows.rows]
    assert sorted(one for one in titles if "terms" in one) == sorted(
        f"terms.txt · {place.parent.name}/{place.name}" for place in (folder, folder / "old")
    )
    copies = [rows.facts(one) for one in rows.rows if one.name in ("copy.md", "pricing.md")]
    assert sum("Same file as" in facts for facts in copies) == 1


async def test_reading_is_told_and_can_be_cancelled_and_taken_up(
    window: OpenWindow, page: ProjectPage, extractor: TextExtractor, folder: Path
) -> None:
    extractor.gate = asyncio.Event()
    drop(page, folder)
    await window.until(page.documents.progress.isVisible, "the progress")
    assert page.documents.progress.bar.accessibleDescription() == "Reading 1 of 3: broken.txt"
    page.documents.progress.cancel.click()
    await window.until(page.documents.waiting.isVisible, "what was not read")
    assert not page.documents.progress.isVisible()
    assert page.documents.waiting.words.text() == "3 documents are not read yet."
    extractor.gate.set()
    page.documents.waiting.buttons[0].click()
    await read(window, page, 3)


async def test_changes_in_a_followed_folder_are_shown_before_they_count(
    window: OpenWindow, page: ProjectPage, project: Project, folder: Path
) -> None:
    await window.services.projects.follow(project.id, folder)
    await read(window, page, 3)
    assert page.documents.folders.isVisible()
    written(folder, "new.md", "New.")
    written(folder, "terms.txt", "Payment within 14 days.")
    (folder / "broken.txt").unlink()
    page.documents.look_requested.emit()
    await window.until(page.documents.changes.isVisible, "the changes")
    assert page.documents.changes.words.text() == "In followed folders: 1 new, 1 changed, 1 removed"
    assert len(states(page)) == 3
    show, take_over = page.documents.changes.buttons
    show.click()
    assert page.documents.changes_list.text().splitlines() == [
        "New: new.md",
        "Changed: terms.txt",
        "Removed: broken.txt",
    ]
    take_over.click()
    await read(window, page, 4)
    assert states(page)["broken.txt"] == "missing"
    assert not page.documents.changes.isVisible()
    assert window.window.toast.words == "The file of “broken.txt” is gone; its text is kept."
    (remove,) = window.window.toast.findChildren(QPushButton)
    remove.click()
    await window.until(lambda: "broken.txt" not in states(page), "its removal")
    await undo(window, "“broken.txt” removed")
    await read(window, page, 4)
    await window.services.projects.followed_folders.unfollow(
        project.id, (await window.services.projects.folders(project.id))[0].id
    )
    await window.until(lambda: not page.documents.folders.isVisible(), "no folder")
    assert len(states(page)) == 4


async def test_instructions_that_are_only_looked_at_write_over_nothing(
    window: OpenWindow, page: ProjectPage, project: Project
) -> None:
    page.instructions.setFocus()
    await window.services.projects.set_instructions(project.id, "From elsewhere.")
    await window.until(lambda: page.project and page.project.instructions == "From elsewhere.", "the page's look")
    page.name.setFocus()
    await window.settled()
    assert (await window.services.projects.one(project.id)).instructions == "From elsewhere."


async def test_what_was_typed_as_instructions_is_kept_when_the_page_is_left(
    window: OpenWindow, page: ProjectPage, project: Project
) -> None:
    page.instructions.setFocus()
    QTest.keyClicks(page.instructions, "Cite the document.")
    QTest.keyClick(page.instructions, Key.Key_Escape)
    await window.until(lambda: window.presenters.pages.page is None, "the transcript")
    await window.settled()
    assert (await window.services.projects.one(project.id)).instructions == "Cite the document."

    page = await shown(window, project.id)
    page.instructions.setFocus()
    page.instructions.setPlainText("x" * (INSTRUCTIONS_LIMIT + 1))
    page.name.setFocus()
    await window.until(lambda: not page.instructions_problem.isHidden(), "why it was not saved")
    await window.services.projects.set_soft_limit(project.id, 50_000)  # the page is read again, what was typed stays
    await window.settled()
    assert len(page.instructions.toPlainText()) == INSTRUCTIONS_LIMIT + 1
    window.presenters.pages.leave()
    await window.until(lambda: "in the clipboard" in window.window.toast.words, "where the text is")
    assert len(QApplication.clipboard().text()) == INSTRUCTIONS_LIMIT + 1


async def test_its_threads_have_its_model_limit_and_memory(
    window: OpenWindow, page: ProjectPage, project: Project
) -> None:
    page.limit.setFocus()
    QTest.keyClicks(page.limit, "many")
    QTest.keyClick(page.limit, Key.Key_Return)
    assert "Enter a number of tokens" in page.limit_problem.text()
    page.limit.selectAll()
    QTest.keyClicks(page.limit, "60K")
    QTest.keyClick(page.limit, Key.Key_Return)
    await window.settled()
    page.searches_threads.click()
    await window.settled()
    page.model.click()
    await window.until(lambda: page.menu is not None, "the models")
    assert page.menu is not None
    page.menu.chosen.emit("anthropic", "claude-sonnet-5-5")
    page.menu.close()
    await window.settled()
    stored = await window.services.projects.one(project.id)
    assert (stored.soft_limit, stored.searches_threads, stored.model) == (60_000, False, "claude-sonnet-5-5")
    assert page.limit.text() == "60K"
    page.model_reset.click()
    page.limit_reset.click()
    await window.settled()
    stored = await window.services.projects.one(project.id)
    assert (stored.soft_limit, stored.model, page.limit.text()) == (None, None, "")


async def test_a_project_is_archived_deleted_and_brought_back(
    window: OpenWindow, page: ProjectPage, project: Project
) -> None:
    page.archive.click()
    await window.settled()
    assert page.archived.isVisible()
    page.unarchive.click()
    await window.settled()
    assert not (await window.services.projects.one(project.id)).archived
    page.delete.click()
    await window.until(lambda: window.presenters.pages.page is None, "the transcript")
    assert await window.services.projects.all() in ([], ())
    await undo(window, "Project deleted. Its threads stay.")
    assert [one.name for one in await window.services.projects.all()] == ["Ordering portal"]


async def test_a_thread_is_begun_in_the_project_and_leads_back_to_it(
    window: OpenWindow, page: ProjectPage, project: Project
) -> None:
    page.new_thread.click()
    await window.until(lambda: window.app_state.current is not None, "the thread")
    await window.settled()
    assert (await window.thread()).project == project.id
    header = window.window.header
    await window.until(header.project.isVisible, "the project in the header")
    assert header.project.text() == "Ordering portal"
    header.project.click()
    await window.settled()
    page = page_of(window)
    assert page.threads.rows.rowCount() == 1
    window.presenters.pages.leave()
    await window.until(lambda: window.presenters.pages.page is None, "the transcript")
    window.shortcut("open_project")
    await window.settled()
    assert page_of(window).project == await window.services.projects.one(project.id)
    window.app_state.close_thread()
    await window.until(lambda: not header.project.isVisible(), "no project in the header")
    window.shortcut("open_project")
    assert window.window.toast.words.startswith("This thread is in no project")


async def test_a_project_is_reached_from_its_heading_its_menu_and_the_palette(
    window: OpenWindow, page: ProjectPage, project: Project
) -> None:
    def heading() -> int:
        return window.threads.model.row_of_group(f"project:{project.id}")

    async def left() -> None:
        window.presenters.pages.leave()
        await window.until(lambda: window.presenters.pages.page is None, "the transcript")

    async def reached() -> None:
        await window.until(lambda: isinstance(window.presenters.pages.page, ProjectPage), "the project's page")
        await window.settled()
        assert page_id(page_of(window)) == project.id

    await left()
    await window.until(lambda: heading() >= 0, "the heading of a project without threads")
    view = window.threads.view
    row = view.visualRect(window.threads.model.index(heading()))
    QTest.mouseClick(view.viewport(), Button.LeftButton, NO_KEYS, QPoint(row.left() + 40, row.center().y()))
    await reached()
    await left()
    view.project_menu_requested.emit(project.id, QPoint(0, 0))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    next(action for action in menu.actions() if action.text() == "Open project").trigger()
    menu.close()
    await reached()
    await left()
    window.shortcut("command_palette")
    await window.until(lambda: window.presenters.palette.complete, "the palette's offer")
    palette = window.presenters.palette.palette
    assert palette is not None
    QTest.keyClicks(palette.field, "ordering")
    QTest.keyClick(palette.field, Key.Key_Return)
    await reached()
    await window.services.projects.archive(project.id)
    await window.until(lambda: heading() < 0, "no heading of an archived project")


async def test_a_document_opens_beside_the_project(
    window: OpenWindow, page: ProjectPage, project: Project, folder: Path
) -> None:
    drop(page, folder)
    await read(window, page, 3)
    mark(page, "terms.txt")
    QTest.keyClick(page.documents.list, Key.Key_Return)
    slot = window.window.document
    await window.until(lambda: isinstance(slot.content, ProjectDocumentPane), "the document")
    await window.settled()
    pane = slot.content
    assert isinstance(pane, ProjectDocumentPane)
    assert slot.isVisible()
    QTest.keyClick(pane.text, Key.Key_Escape)
    await window.settled()
    assert not slot.isVisible()
    assert page_id(page_of(window)) == project.id
    assert len(states(page_of(window))) == 3


async def test_every_part_of_the_page_has_a_name(window: OpenWindow, page: ProjectPage, folder: Path) -> None:
    drop(page, folder)
    await read(window, page, 3)
    assert all_faults() == []


async def test_ten_thousand_documents_cost_what_is_seen_of_them(
    window: OpenWindow, page: ProjectPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: set[int] = set()
    real = DocumentRows.data

    def data(self: DocumentRows, index: object, role: int = 0) -> object:
        asked.add(index.row())  # type: ignore[attr-defined]
        return real(self, index, role)  # type: ignore[arg-type]

    monkeypatch.setattr(DocumentRows, "data", data)
    documents = tuple(
        ProjectDocument(str(n), "p", f"minutes {n:05}.md", tokens=900, state="ready") for n in range(10_000)
    )
    page.documents.show_view(replace(page.documents.view, documents=documents))
    page.grab()
    assert 0 < len(asked) < 50
    page.documents.search.setText("00042")
    assert page.documents.list.rows.rowCount() == 1
    page.documents.search.setText("nowhere")
    assert page.documents.no_hits.isVisible()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("150000", 150_000),
        ("150,000", 150_000),
        ("150.000", 150_000),
        ("150 K", 150_000),
        ("1m", 1_000_000),
        ("4.2K", 4_200),
        ("1,25 M", 1_250_000),
        ("1.250K", 1_250_000),
        ("", None),
        ("0", None),
        ("many", None),
        ("-5", None),
        ("9" * 30, None),
        ("٣", None),
    ],
)
def test_a_number_of_tokens_is_read_as_people_write_it(text: str, tokens: int | None) -> None:
    assert tokens_of(text) == tokens


@pytest.mark.parametrize("language", ["en", "de"])
async def test_nothing_is_cut_in_a_narrow_window(
    language: str, data_dir: Path, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        async with OpenWindow.opened(data_dir) as window:
            speak(language)
            extractor = TextExtractor(broken={"broken.txt": "“{name}” is damaged. Save it anew."})
            projects = window.services.projects
            monkeypatch.setattr(projects.document_reading, "extractor", extractor)
            project = await projects.create("Ordering portal")
            window.window.resize(480, 600)
            await window.settled()
            wide = window.threads.width()
            folder = tmp_path / "specs"
            for name in ("broken.txt", "pricing.md", "a-rather-long-name-of-a-document-in-one-word.txt"):
                written(folder, name, name)
            await projects.follow(project.id, folder)
            await projects.set_model(project.id, "scripted", "a-long-name-of-a-model-that-nobody-knows-of-2026")
            page = await shown(window, project.id)
            await read(window, page, 3)
            written(folder, "new.txt", "new")
            await projects.followed_folders.look(project.id)
            await window.until(page.documents.changes.isVisible, "the changes of the folder")
            await window.settled()
            assert page.delete.text() == {"en": "Delete project", "de": "Projekt löschen"}[language]
            room = page.scroller.viewport().width()
            assert page.column.width() <= room
            parts = [part for part in page.column.findChildren(QWidget) if part.isVisible()]
            assert [part for part in parts if part.mapTo(page.column, QPoint(part.width(), 0)).x() > room] == []
            assert window.threads.width() <= wide
    finally:
        speak("en")
