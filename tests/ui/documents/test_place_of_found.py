"""The line that says which passage is shown stands in the middle of the buttons beside it."""

from __future__ import annotations

from desktop_app.ui.documents.project_document_pane import ProjectDocumentPane
from tests.ui.open_window import OpenWindow


async def test_the_passage_shown_stands_level_with_its_buttons(window: OpenWindow) -> None:
    page = ProjectDocumentPane(window.presenters.pages.theme, window.window)
    page.resize(700, 500)
    page.show()
    page.show_place("Passage 1 of 5", after=True)
    await window.settled()
    centers = {part.geometry().center().y() for part in (page.previous, page.next, page.found)}
    assert max(centers) - min(centers) <= 1, "one line"
