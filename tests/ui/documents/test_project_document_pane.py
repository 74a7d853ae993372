"""The pane of a project's document, in the real window over the real reading process: text, pages, marked passages."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QDesktopServices, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from desktop_app.core.projects import passage_id
from desktop_app.ui.documents.page_stack import MOST_BYTES
from desktop_app.ui.documents.project_document_pane import ProjectDocumentPane
from tests.documents.files import docx, paragraph, pdf
from tests.ui.access_walk import all_faults
from tests.ui.document_scenes import contract, documents_of, passages_of, report, shown
from tests.ui.open_window import OpenWindow


def shown_passages(page: ProjectDocumentPane) -> list[str]:
    """The words of the messages that stand in the view."""
    layout = page.text.row_layout
    return [layout.messages[placed.message].text for placed in layout.placed if placed.first]


def said(window: OpenWindow) -> str:
    """What the toast says."""
    return " ".join(label.text() for label in window.window.toast.findChildren(QLabel))


def marked(page: ProjectDocumentPane) -> str:
    layout = page.text.row_layout
    return layout.messages[layout.focused].text if layout.focused >= 0 else ""


def has_picture(page: ProjectDocumentPane, number: int) -> bool:
    """Whether the picture of a page stands there: it is no plain paper any more."""
    return number in page.pages.pictures


def marked_page(page: ProjectDocumentPane) -> int:
    """The page that has a mark; 0: none."""
    return page.pages.marked


async def test_a_citation_leads_to_its_passage_marked_in_the_document(window: OpenWindow) -> None:
    documents = await documents_of(window, contract_docx=contract())
    document = documents["contract.docx"]
    wanted = (await passages_of(window, document))[13]
    text = await window.services.history.projects.text(document.sha256)
    assert text is not None
    words = text.text[wanted.start : wanted.end].splitlines()[-1]

    page = await shown(window, document, 14)

    assert page.heading.text() == "contract.docx"
    assert "DOCX" in page.facts.text()
    assert words in marked(page)
    assert any(words in passage for passage in shown_passages(page))

    QTest.keyClick(page.text, Qt.Key.Key_Escape)
    await window.until(lambda: not window.window.document.isVisible(), "the transcript alone")


async def test_next_and_previous_lead_through_the_passages_found(window: OpenWindow) -> None:
    documents = await documents_of(window, contract_docx=contract(), notes_docx=docx(paragraph("Another document.")))
    document, other = documents["contract.docx"], documents["notes.docx"]
    found = (passage_id(document.sha256, 3), passage_id(document.sha256, 20), passage_id(other.sha256, 1))
    window.app_state.passage_wanted.emit(document.project_id, found[0], found, "")
    await window.settled()
    page = window.window.document.content
    assert isinstance(page, ProjectDocumentPane)
    assert page.found.text() == "Passage 1 of 3"
    first = marked(page)

    page.next.click()
    await window.settled()

    assert window.window.document.content is page
    assert page.found.text() == "Passage 2 of 3"
    assert marked(page) not in ("", first)

    page.next.click()
    await window.until(lambda: page.heading.text() == "notes.docx", "the other document")
    await window.settled()

    assert window.window.document.content is page
    assert (page.heading.text(), page.found.text()) == ("notes.docx", "Passage 3 of 3")
    assert marked(page) == "Another document."


async def test_a_document_that_is_not_read_says_why(window: OpenWindow) -> None:
    documents = await documents_of(window, empty_txt=b"")

    page = await shown(window, documents["empty.txt"])

    assert "“empty.txt” is empty" in page.note.text()
    assert not page.stack.isVisible()


async def test_a_scan_that_was_not_read_shows_its_pages(window: OpenWindow) -> None:
    documents = await documents_of(window, scan_pdf=pdf("", "", scanned=True))
    if documents["scan.pdf"].state == "ready":
        pytest.skip("text in pictures is recognized here")

    page = await shown(window, documents["scan.pdf"])

    assert "is a scan without text" in page.note.text()
    await window.until(lambda: has_picture(page, 2), "the second page")
    assert page.pages.isVisible()


async def test_a_passage_of_no_document_is_told_of(window: OpenWindow) -> None:
    documents = await documents_of(window, a_txt=b"words")
    project = documents["a.txt"].project_id

    window.app_state.passage_wanted.emit(project, "0123456789-4", (), "")
    await window.settled()

    assert window.window.document.content is None, "no pane for nothing"
    assert "no longer in the project" in said(window)


async def test_the_pages_of_a_pdf_are_shown_with_the_passage_marked_on_its_page(window: OpenWindow) -> None:
    documents = await documents_of(window, report_pdf=report())
    document = documents["report.pdf"]
    page = await shown(window, document, 4)

    page.pages_button.click()
    await window.until(lambda: marked_page(page), "the mark")

    wanted = (await passages_of(window, document))[3]
    assert marked_page(page) == wanted.page
    await window.until(lambda: page.pages.page == wanted.page, "the page")
    await window.until(lambda: has_picture(page, wanted.page), "its picture")
    assert page.quote.isHidden()

    page.text_button.click()
    await window.settled()
    assert marked(page)


async def test_every_part_of_the_page_has_a_name(window: OpenWindow) -> None:
    documents = await documents_of(window, report_pdf=report())
    page = await shown(window, documents["report.pdf"], 4, 6)
    assert all_faults() == []

    page.pages_button.click()
    await window.until(lambda: marked_page(page), "the mark")
    assert all_faults() == []


async def test_keys_lead_to_the_next_passage(window: OpenWindow) -> None:
    documents = await documents_of(window, contract_docx=contract())
    page = await shown(window, documents["contract.docx"], 3, 20)
    first = marked(page)

    QTest.keyClick(page.text, Qt.Key.Key_N)
    await window.until(lambda: page.found.text() == "Passage 2 of 2", "the next passage")

    assert marked(page) not in ("", first)


async def test_only_pages_around_the_view_are_rendered(window: OpenWindow) -> None:
    documents = await documents_of(
        window, long_pdf=pdf(*[f"Page {number} of many, with words." for number in range(200)])
    )
    page = await shown(window, documents["long.pdf"])
    asked: list[int] = []
    page.pages.picture_wanted.connect(lambda number, _width: asked.append(number))

    page.pages_button.click()
    await window.until(lambda: bool(page.pages.pictures), "a page")
    page.pages.go_to(150)
    await window.until(lambda: has_picture(page, 150), "the page in the middle")
    await window.settled()

    assert len(asked) < 20
    assert not has_picture(page, 75)
    assert page.pages.page in (149, 150, 151)


async def test_pages_are_turned_with_the_keyboard(window: OpenWindow) -> None:
    documents = await documents_of(window, report_pdf=report())
    page = await shown(window, documents["report.pdf"])
    page.pages_button.click()
    await window.until(lambda: bool(page.pages.pictures), "a page")

    QTest.keyClick(page.pages, Qt.Key.Key_End)
    assert page.pages.page == 5
    QTest.keyClick(page.pages, Qt.Key.Key_Home)
    assert page.pages.page == 1
    QTest.keyClick(page.pages, Qt.Key.Key_Escape)
    await window.until(lambda: not window.window.document.isVisible(), "the transcript alone")


@pytest.mark.parametrize("words", ["*no* _marks_ # here\n1. and <b>no</b> $list$ `x`", "    indented | a | b |"])
async def test_a_plain_text_is_shown_as_it_stands(window: OpenWindow, words: str) -> None:
    documents = await documents_of(window, a_txt=words.encode())

    page = await shown(window, documents["a.txt"])

    rows = page.text.row_layout.placed
    said = "\n".join(row.row.item.reading for row in rows if row.row.item.selectable)
    assert "".join(said.split()) == "".join(words.split())


async def test_the_words_of_the_passage_stand_out_in_the_text(window: OpenWindow) -> None:
    documents = await documents_of(window, contract_docx=contract())
    page = await shown(window, documents["contract.docx"], 14, 15)

    def standing_out() -> set[str]:
        layout = page.text.row_layout
        return {layout.messages[row.message].id for row in layout.placed if page.text.highlights_in(row)}

    assert standing_out() == {"passage-14"}
    QTest.keyClick(page.text, Qt.Key.Key_N)
    await window.until(lambda: standing_out() == {"passage-15"}, "the next passage's words")
    assert all(
        (mark.start, mark.end) == (0, row.row.item.length)
        for row in page.text.row_layout.placed
        for mark in page.text.highlights_in(row)
    )


FILLER = "\n\n".join(f"Tide {number} river signal harbour lantern. " * 20 for number in range(9))
PRICES = "item,price\n" + "".join(f"{'Zanzibar' if n == 321 else f'rope{n}'},{n * 3}\n" for n in range(400))


@pytest.mark.parametrize(
    ("name", "text"),
    [("notes_txt", f"{FILLER}\n\nThe Zanzibar clause: freight is due.\n\n{FILLER}"), ("prices_csv", PRICES)],
)
async def test_a_search_leads_to_its_words_which_alone_stand_out(window: OpenWindow, name: str, text: str) -> None:
    window.window.resize(1280, 860)
    document = (await documents_of(window, **{name: text.encode()}))[name.replace("_", ".")]
    await window.send("hello")
    threads = window.threads
    window.shortcut("search_threads")
    window.type("zanzibar", threads.search)
    await window.until(lambda: threads.results is not None and threads.results.first_hit is not None, "the hit")
    QTest.keyClick(threads.search, Qt.Key.Key_Return)
    await window.until(window.window.document.isVisible, "the document's pane")
    page = window.window.document.content
    assert isinstance(page, ProjectDocumentPane)

    def standing_out() -> list[tuple[str, str, int]]:
        found: list[tuple[str, str, int]] = []
        for row in page.text.row_layout.placed:
            for mark in page.text.highlights_in(row):
                line = row.row.item.caret_rect(mark.start).translated(0, row.item_top)
                found.append((row.row.item.reading[mark.start : mark.end], mark.kind, line.center().y()))
        return found

    await window.until(lambda: len(standing_out()) == 1, "the word alone")
    await window.settled()
    ((word, kind, middle),) = standing_out()
    assert (word, kind) == ("Zanzibar", "found-current")
    assert 0.1 < middle / page.text.viewport().height() < 0.9
    window.app_state.passage_wanted.emit(document.project_id, passage_id(document.sha256, 1), (), "")
    cited = "a citation, whose whole passage stands out"
    await window.until(lambda: any(said != "Zanzibar" for said, *_ in standing_out()), cited)


async def test_a_citation_of_a_pdf_opens_its_page_unless_the_text_was_chosen(window: OpenWindow) -> None:
    documents = await documents_of(window, report_pdf=report())
    page = await shown(window, documents["report.pdf"], 4, 6)
    assert page.stack.currentWidget() is page.pages
    assert page.pages_button.isChecked()

    page.text_button.click()
    page.next.click()
    await window.settled()

    assert page.stack.currentWidget() is page.text
    assert marked(page)


async def test_one_pane_at_a_time_is_open_at_the_side(window: OpenWindow) -> None:
    documents = await documents_of(window, a_txt=b"words")
    slots = (window.window.document, window.window.inspector, window.window.artifacts)
    await shown(window, documents["a.txt"])
    for slot in (window.window.inspector, window.window.document, window.window.artifacts, window.window.document):
        slot.set_shown(True)
        assert [one.isVisible() for one in slots] == [one is slot for one in slots]


@pytest.mark.parametrize("width", [900, 1200])
async def test_the_document_stands_beside_the_transcript_and_never_over_the_composer(
    window: OpenWindow, width: int
) -> None:
    documents = await documents_of(window, contract_docx=contract())
    window.window.resize(width, 700)
    await shown(window, documents["contract.docx"], 14)
    slot = window.window.document
    await window.until(lambda: window.window.width() == width, "the window's width")
    await window.settled()

    def place(widget: QWidget) -> QRect:
        return QRect(widget.mapTo(window.window, QPoint(0, 0)), widget.size())

    assert window.composer.isVisible()
    assert not place(slot).intersects(place(window.composer))
    assert place(slot).intersects(place(window.transcript)) == (width == 900)
    assert window.editor.hasFocus(), "what was opened without the keyboard leaves it where one writes"


async def test_a_document_goes_with_the_threads_of_its_project(window: OpenWindow) -> None:
    documents = await documents_of(window, a_txt=b"words")
    await window.send("Hello.")
    thread = (await window.thread()).id
    window.shortcut("new_thread")
    await window.settled()
    await shown(window, documents["a.txt"])
    await window.choose_thread(thread)
    assert not window.window.document.isVisible()


async def test_the_steps_stay_in_their_place_from_a_pdf_to_a_text_and_rest_at_the_ends(window: OpenWindow) -> None:
    window.window.resize(1180, 820)
    long = "Minutes of the meeting in which the crane and its inspection were talked about, with all annexes.txt"
    documents = await documents_of(window, report_pdf=report())
    folder = window.session.paths.root / "files"
    (folder / long).write_text("The crane was inspected.", encoding="utf-8")
    await window.services.projects.add_files(documents["report.pdf"].project_id, [folder / long])
    both = {one.name: one for one in await window.services.projects.read_all(documents["report.pdf"].project_id)}
    pdf_file, text_file = both["report.pdf"], both[long]
    found = (passage_id(pdf_file.sha256, 1), passage_id(text_file.sha256, 1))
    window.app_state.passage_wanted.emit(pdf_file.project_id, found[0], found, "")
    await window.until(window.window.document.isVisible, "the pane")
    await window.settled()
    page = window.window.document.content
    assert isinstance(page, ProjectDocumentPane)
    assert (page.previous.isEnabled(), page.next.isEnabled()) == (False, True)
    places = page.previous.geometry(), page.next.geometry()

    page.next.click()
    await window.until(lambda: page.heading.words == long, "the other document")
    await window.settled()

    assert (page.previous.geometry(), page.next.geometry()) == places
    assert (page.previous.isEnabled(), page.next.isEnabled()) == (True, False)
    QTest.keyClick(page.text, Qt.Key.Key_N)
    await window.settled()
    assert page.heading.words == long, "there is no passage after the last one"


async def zoomable(window: OpenWindow) -> ProjectDocumentPane:
    window.window.resize(1400, 900)
    documents = await documents_of(window, report_pdf=report())
    page = await shown(window, documents["report.pdf"], 4)
    if not page.pages.isVisible():
        page.pages_button.click()
    await window.until(lambda: bool(page.pages.pictures), "a page")
    await window.settled()
    return page


def turned(page: ProjectDocumentPane, notches: int, held: Qt.KeyboardModifier, at: QPoint) -> None:
    """The wheel over the pages, as the window gets it."""
    viewport = page.pages.viewport()
    window = viewport.window()
    frame = window.windowHandle()
    assert frame is not None
    place = viewport.mapTo(window, at)
    event = QWheelEvent(
        place.toPointF(),
        window.mapToGlobal(place).toPointF(),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        held,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(frame, event)


async def test_the_wheel_with_ctrl_zooms_the_page_and_not_the_window(window: OpenWindow) -> None:
    page = await zoomable(window)
    pages, size = page.pages, window.session.appearance.theme.text_size
    wide = pages._place_of(2).width()
    at = pages.viewport().rect().center()
    before = pages._place_of(pages.page)
    share = (at.y() - before.top()) / before.height()

    turned(page, 2, Qt.KeyboardModifier.ControlModifier, at)
    await window.settled()

    assert window.session.appearance.theme.text_size == size
    assert pages._place_of(2).width() == round(wide * 1.25**2)
    assert pages.horizontalScrollBar().maximum() > 0
    after = pages._place_of(pages.page)
    assert abs((at.y() - after.top()) / after.height() - share) < 0.01, "what lies under the pointer stays there"
    shown_page = pages.page
    await window.until(lambda: pages.pictures[shown_page].width() == after.width(), "the picture in its new width")

    QTest.keyClick(pages, Qt.Key.Key_0)
    assert pages._place_of(2).width() == wide
    assert pages.horizontalScrollBar().maximum() == 0


async def test_the_tools_zoom_fit_and_go_to_a_page(window: OpenWindow) -> None:
    page = await zoomable(window)
    pages, tools = page.pages, page.page_tools
    assert tools.isVisible()
    assert tools.count.text() == "of 5"
    assert not tools.fit.isEnabled()
    tools.larger.click()
    tools.larger.click()
    assert pages.zoom == pytest.approx(1.25**2)
    assert tools.fit.isEnabled()
    tools.smaller.click()
    tools.fit.click()
    assert pages.zoom == 1.0

    tools.field.setFocus()
    tools.field.selectAll()
    QTest.keyClicks(tools.field, "4")
    QTest.keyClick(tools.field, Qt.Key.Key_Return)
    assert pages.page == 4
    tools.field.selectAll()
    QTest.keyClicks(tools.field, "9")
    QTest.keyClick(tools.field, Qt.Key.Key_Return)
    assert pages.page == 4, "there is no such page"
    QTest.keyClick(tools.field, Qt.Key.Key_Escape)
    assert pages.hasFocus()
    assert tools.field.text() == "4"
    assert window.window.document.isVisible()
    page.text_button.click()
    await window.settled()
    assert not tools.isVisible()


async def test_large_pictures_are_few(window: OpenWindow) -> None:
    page = await zoomable(window)
    in_view = set(page.pages._in_view())
    assert len(in_view) < 5
    for number in range(1, 6):
        page.pages.show_picture(number, QImage(4_000, 5_600, QImage.Format.Format_RGB32))
    assert in_view <= set(page.pages.pictures)
    beside = sum(one.sizeInBytes() for number, one in page.pages.pictures.items() if number not in in_view)
    assert not beside or sum(one.sizeInBytes() for one in page.pages.pictures.values()) <= MOST_BYTES


async def test_a_document_opens_in_its_own_program_unless_the_system_would_run_it(
    window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    documents = await documents_of(window, contract_docx=contract(), run_sh=b"echo hello\n")
    page = await shown(window, documents["contract.docx"])
    own = window.session.paths.root / "files" / "contract.docx"
    page.open_button.click()
    await window.settled()
    assert opened == [str(own)]

    data = own.read_bytes()
    own.unlink()
    page.open_button.click()
    await window.settled()
    copied = Path(opened[-1])
    assert copied.name == "contract.docx"
    assert copied.read_bytes() == data

    page = await shown(window, documents["run.sh"])
    assert page.open_button.isHidden()
