"""Pictures of the thread list: groups and marks, projects, the archive, a search, a private thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from desktop_app.ui.threads.thread_rows import PREVIEW_ROLE

if TYPE_CHECKING:
    from tests.ui.open_window import OpenWindow


def thread_id(number: int) -> str:
    """The id of the scenes' thread of that number."""
    return f"{number:032x}"


async def indexed(window: OpenWindow) -> None:
    """Waits until every message can be found."""
    while await cast("Any", window.services).history.catch_up_search():
        pass


async def list_marks(window: OpenWindow) -> None:
    """Projects, every mark, the time of the row under the mouse, a closed group."""
    window.window.resize(1000, 760)
    pane, library = window.threads, window.services.library
    for name, numbers in (("Harbour works", (2, 5)), ("Übersicht der Donaudampfschifffahrtsgesellschaft 2026", (7,))):
        project = await window.services.projects.create(name)
        await library.move_to_project([thread_id(number) for number in numbers], project.id)
    await window.settled()
    pane.model.set_mark(thread_id(1), "running", True)
    pane.model.set_mark(thread_id(3), "unread", True)
    pane.model.set_mark(thread_id(5), "failed", True)
    pane.model.set_collapsed("week", True)
    row = pane.view.visualRect(pane.model.index_of(thread_id(2)))
    QTest.mouseMove(pane.view.viewport(), row.center())


async def list_previews(window: OpenWindow) -> None:
    """Two lines for each thread: answers, a draft, a private thread, scrolled a little."""
    await list_marks(window)
    await window.services.preferences.set_value("appearance.list_previews", True)
    window.threads.model.set_draft(thread_id(2), "And how long is such a captain's *own* name, in Kiel?")
    window.threads.model.set_collapsed("week", False)
    await window.until(lambda: window.threads.model.index_of(thread_id(1)).data(PREVIEW_ROLE), "its preview")
    await window.settled()
    window.threads.view.verticalScrollBar().setValue(60)


async def list_selection(window: OpenWindow) -> None:
    """Several threads selected, and the menu of them."""
    window.window.resize(1000, 760)
    pane = window.threads
    for number, keys in ((1, Qt.KeyboardModifier.NoModifier), (2, Qt.KeyboardModifier.ControlModifier)):
        place = pane.view.visualRect(pane.model.index_of(thread_id(number))).center()
        QTest.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, keys, place)
        await window.settled()
    pane.view.menu_requested.emit(thread_id(2), pane.view.viewport().mapToGlobal(QPoint(80, 160)))


async def list_narrow(window: OpenWindow) -> None:
    """As narrow as the list may be, scrolled, with the heading that stays."""
    window.window.resize(700, 420)
    window.window.splitter.setSizes([180, 520])
    await window.settled()
    window.threads.view.verticalScrollBar().setValue(150)


async def list_archive(window: OpenWindow) -> None:
    window.window.resize(1000, 700)
    for number in (4, 6, 8):
        await window.services.library.archive(thread_id(number))
    await window.settled()
    window.threads.show_archive(True)


async def list_search(window: OpenWindow) -> None:
    """Titles and messages that hold a word."""
    window.window.resize(1000, 760)
    await indexed(window)
    window.type("ring", window.threads.search)
    await window.until(lambda: window.threads.results and window.threads.results.hits.rowCount(), "hits")


async def list_search_items(window: OpenWindow) -> None:
    """Documents and artifacts above the messages that hold the words."""
    from tests.ui.document_scenes import documents_of

    words = "The ring buffer keeps what came last, and the reader never waits for the writer."
    files = {f"notes{number}_md": f"# Notes {number}\n\n{words}".encode() for number in range(1, 5)}
    await documents_of(window, **files, **{"A_survey_of_buffers_in_the_ring_of_the_harbour_txt": words.encode()})
    await window.services.artifacts.create(thread_id(3), "Ring buffer in C", "# Design\n\n" + words)
    await list_search(window)


async def list_chips(window: OpenWindow) -> None:
    """What narrows a search is offered before anything is typed."""
    window.window.resize(1000, 760)
    await indexed(window)
    window.shortcut("search_threads")
    await window.settled()


async def list_marked(window: OpenWindow) -> None:
    """What was rated or noted, without words."""
    from desktop_app.core.messages import MessageMark
    from desktop_app.ui.threads.results_pane import SearchFilter

    await list_chips(window)
    for number, mark in (
        (1, MessageMark("up", "Worth keeping for the report")),
        (3, MessageMark("up")),
        (4, MessageMark("", "Ask again")),
    ):
        if thread := (await window.services.chat.open_thread(thread_id(number))).path:
            await window.services.chat.marks.put(thread_id(number), thread[-1].id, mark)
    results = window.threads.results
    assert results is not None
    results.set_filter(SearchFilter(marked="note"))
    await window.until(results.hits.rowCount, "what is marked")


async def list_search_chinese(window: OpenWindow) -> None:
    window.window.resize(760, 620)
    await indexed(window)
    window.threads.search.setText("缓冲")
    await window.until(lambda: window.threads.results and window.threads.results.hits.rowCount(), "hits")
    results = window.threads.results
    assert results is not None
    results.view.setCurrentIndex(results.hits.index(0))


async def list_found_nothing(window: OpenWindow) -> None:
    window.window.resize(1000, 620)
    window.threads.search.setText("zzzzz")
    await window.until(lambda: window.threads.results and window.threads.results.heading.text(), "words")
    await window.settled()


async def private_thread(window: OpenWindow) -> None:
    from desktop_app.core.stream_events import Ended, TextDelta

    window.window.resize(1000, 700)
    window.shortcut("new_private_thread")
    await window.settled()
    window.composer.picker.model_chosen.emit("scripted", "big")
    await window.settled()
    window.backend.reply(TextDelta("Only in memory, and gone when Plimsoll closes."), Ended("end_turn"))
    window.editor.setPlainText("Where is what I write here kept?")
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: len(window.transcript.row_layout.messages) == 2, "the answer")
    await window.until(lambda: not window.composer.streaming, "its end")


async def private_empty(window: OpenWindow) -> None:
    window.window.resize(700, 500)
    window.shortcut("new_private_thread")


async def deleted_toast(window: OpenWindow) -> None:
    window.window.resize(1000, 620)
    window.threads.delete_requested.emit([thread_id(5), thread_id(6)])
    await window.until(window.window.toast.isVisible, "the toast")


THREAD_SCENES = (
    list_marks,
    list_previews,
    list_selection,
    list_narrow,
    list_archive,
    list_search,
    list_search_items,
    list_chips,
    list_marked,
    list_search_chinese,
    list_found_nothing,
    private_thread,
    private_empty,
    deleted_toast,
)
