"""An analyst's question in the real window: the model searches, answers with a citation, and a click opens the page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_app.core.messages import ToolCallPart, ToolResultPart
from desktop_app.core.stream_events import Ended, PartFinished, TextDelta
from desktop_app.ui.documents.project_document_pane import ProjectDocumentPane
from desktop_app.ui.transcript.items.item import CITE
from tests.ui.document_scenes import contract, documents_of
from tests.ui.documents.test_project_document_pane import marked
from tests.ui.open_window import OpenWindow


@pytest.fixture
def accepting(window: OpenWindow) -> OpenWindow:
    window.backend.accepts_tools = True
    return window


async def test_a_question_about_documents_ends_at_the_marked_passage(accepting: OpenWindow) -> None:
    window = accepting
    document = (await documents_of(window, contract_docx=contract()))["contract.docx"]
    await window.send("Hello.")
    thread = await window.thread()
    await window.services.chat.facts.update(thread.id, lambda now: replace(now, project=document.project_id))
    await window.settled()

    window.backend.reply(
        PartFinished(ToolCallPart("c1", "search_documents", {"query": "Terms of part 7"})), Ended("tool_use")
    )
    window.backend.reply(TextDelta("The terms are in the contract "), TextDelta("[0123456789-1]."), Ended("end_turn"))
    await window.send("What are the terms of part 7?")
    assert "search_documents" in [tool.name for tool in window.backend.plans[-1].request.tools]
    path = (await window.opened_thread()).path
    (result,) = (part for message in path for part in message.parts if isinstance(part, ToolResultPart))
    ids = result.extra["passage_ids"]
    assert isinstance(ids, list)
    wanted = str(ids[0])

    text = await window.services.history.projects.text(document.sha256)
    assert text is not None
    passage = text.passages[int(wanted.rpartition("-")[2]) - 1]
    sentence = text.text[passage.start : passage.end].splitlines()[-1].split(". ")[0]
    quote = " ".join(sentence.split()[:4])
    window.backend.reply(TextDelta(f"As the contract says, “{quote}” [{wanted}]."), Ended("end_turn"))
    await window.send("And where does it say so?")
    view = window.transcript
    last = len(view.messages) - 1
    stops = view.keyboard.stops(last)
    place = next(number for number, (_, _, button, _) in enumerate(stops) if button == CITE + wanted)
    assert "contract.docx" in stops[place][3]
    view.keyboard.press_stop(last, place)
    await window.until(lambda: isinstance(window.window.document.content, ProjectDocumentPane), "the document")
    await window.settled()
    page = window.window.document.content
    assert isinstance(page, ProjectDocumentPane)
    assert page.heading.text() == "contract.docx"
    placed = [row for row in page.text.row_layout.placed if page.text.highlights_in(row)]
    stands_out = [
        row.row.item.reading[mark.start : mark.end] for row in placed for mark in page.text.highlights_in(row)
    ]
    assert [said.rstrip(".") for said in stands_out] == [sentence.rstrip(".")]
    assert text.text[passage.start : passage.end].splitlines()[-1] in marked(page)
    assert window.window.stage.reading, "beside the transcript"
    assert window.composer.isVisible()
