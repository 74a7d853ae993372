"""Searching from the list: titles at once, messages when typing rests, and the way to what was found."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.core.history_records import SearchHit, SearchPage, SearchWithin
from desktop_app.core.messages import MessageMark
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.ui.theme.theme import GRID, load_theme
from desktop_app.ui.threads.results_pane import HitDelegate, ResultsPane, SearchFilter, _from_first_mark, by_thread, who
from desktop_app.ui.widgets.list_parts import ROW_ROLE, MarginBar
from tests.ui.document_scenes import documents_of
from tests.ui.listed import threads_of
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow


async def search(window: OpenWindow, words: str) -> ResultsPane:
    """Types into the box and waits for hits or the words that there are none."""
    window.threads.search.setText(words)
    results = window.threads.results
    assert results is not None
    await window.until(lambda: window.presenters.message_search.shown is not None, "an answer")
    await window.settled()
    return results


def found(results: ResultsPane) -> list[str]:
    return [results.hits.index(row).data() for row in range(results.hits.rowCount())]


async def test_enter_leads_to_the_message_which_is_pointed_out(window: OpenWindow) -> None:
    window.backend.text = " about ropes and sails. " * 30
    one, two = await threads_of(window, "The first thing", "Something else")
    for number in range(4):
        await window.send(f"further {number}")
    await window.choose_thread(one)
    for number in range(6):
        await window.send(f"filler {number}")
    await window.send("where does the marlinspike lie?")
    target = (await window.opened_thread()).path[-2]
    for number in range(6):
        await window.send(f"more filler {number}")
    await window.choose_thread(two)
    window.shortcut("search_threads")
    assert window.threads.search.hasFocus()
    results = await search(window, "marlinspike")
    assert found(results) == ["where does the marlinspike lie?"]
    hit = results.hits.index(0).data(ROW_ROLE)
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["marlinspike"]
    window.press(Qt.Key.Key_Down, widget=window.threads.search)
    assert results.view.hasFocus(), "no title holds the word: the keyboard goes to the messages"
    window.press(Qt.Key.Key_Return, widget=results.view)
    await window.until(lambda: window.app_state.is_open(one), "its thread")
    await window.settled()
    view = window.transcript
    assert view.row_layout.messages[view.row_layout.focused].id == target.id
    assert any(placed.message == view.row_layout.focused for placed in view.row_layout.placed), "in view"
    await window.until(lambda: view.row_layout.focused < 0, "pointed out for a moment only")


def standing_out(window: OpenWindow) -> list[tuple[str, str]]:
    """What stands out in view, from the top, and how."""
    view = window.transcript
    return [(p.row.item.text(m.start, m.end), m.kind) for p in view.row_layout.placed for m in view.highlights_in(p)]


async def test_the_words_stand_out_where_a_hit_opens_and_the_first_is_in_view(window: OpenWindow) -> None:
    lines = [f"Paragraph {number} about ropes." for number in range(120)]
    lines[70] = "Here the *Marlin*spike lies."
    lines[95] = "And a second marlinspike."
    one, two = await threads_of(window, "The first thing", "Something else")
    await window.choose_thread(one)
    window.backend.reply(TextDelta("\n\n".join(lines)), Ended("end_turn"))
    await window.send("tell me all")
    await window.choose_thread(two)
    results = await search(window, "marlinspike")
    assert len(found(results)) == 1
    QTest.mouseClick(
        results.view.viewport(),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        results.view.visualRect(results.hits.index(0)).center(),
    )
    await window.until(lambda: window.app_state.is_open(one), "its thread")
    await window.until(lambda: ("Marlinspike", "found-current") in standing_out(window), "the first hit, in view")
    view = window.transcript
    assert not view.find_in_thread.shown, "no bar is in the way"
    view.find_in_thread.step(1)
    assert ("marlinspike", "found-current") in standing_out(window), "F3 goes on"
    await window.settled()
    window.threads.leave_search()
    assert standing_out(window) == [], "with the search"

    results = await search(window, "marlinspike")
    window.presenters.message_search.jump(results.hits.index(0).data(ROW_ROLE))
    await window.until(lambda: ("Marlinspike", "found-current") in standing_out(window), "the first hit again")
    await window.app_state.open_thread(two)
    assert standing_out(window) == [], "with the thread"
    await window.app_state.open_thread(one)
    assert standing_out(window) == []
    window.presenters.message_search.jump(results.hits.index(0).data(ROW_ROLE))
    await window.until(lambda: ("Marlinspike", "found-current") in standing_out(window), "the first hit again")
    window.press(Qt.Key.Key_Escape)
    assert standing_out(window) == [], "Esc"
    await window.settled()


async def test_the_find_bar_takes_over_from_what_a_search_marked(window: OpenWindow) -> None:
    window.backend.reply(TextDelta("a marlinspike and a rope"), Ended("end_turn"))
    await threads_of(window, "The first thing")
    results = await search(window, "marlinspike")
    window.presenters.message_search.jump(results.hits.index(0).data(ROW_ROLE))
    await window.until(lambda: standing_out(window) == [("marlinspike", "found-current")], "the hit")
    window.shortcut("find")
    window.type("rope", window.transcript.find_in_thread.bar.field)
    await window.until(lambda: standing_out(window) == [("rope", "found-current")], "what the bar finds")
    window.presenters.message_search.jump(results.hits.index(0).data(ROW_ROLE))
    await window.until(lambda: standing_out(window) == [("marlinspike", "found-current")], "the hit again")
    assert not window.transcript.find_in_thread.shown
    await window.settled()


async def test_esc_leaves_the_search_from_everywhere(window: OpenWindow) -> None:
    await threads_of(window, "a marlinspike", "another thing")
    results = await search(window, "marlin")
    assert len(found(results)) == 1
    for widget in (window.threads.search, results.view, results.span_chip):
        window.threads.search.setText("marlin")
        assert not results.isHidden()
        window.press(Qt.Key.Key_Escape, widget=widget)
        assert window.threads.search.text() == ""
        assert results.isHidden()
        assert window.threads.model.rowCount() == 3
    await window.settled()


async def test_esc_in_an_emptied_search_box_gives_the_composer_the_keyboard(window: OpenWindow) -> None:
    await threads_of(window, "a marlinspike")
    window.shortcut("search_threads")
    await search(window, "marlin")
    window.press(Qt.Key.Key_Escape, widget=window.threads.search)
    assert (window.threads.search.text(), window.threads.search.hasFocus()) == ("", True)
    window.press(Qt.Key.Key_Escape, widget=window.threads.search)
    assert window.editor.hasFocus()
    window.shortcut("search_threads")
    assert window.threads.results is not None
    assert window.threads.results.isVisible(), "the chips are offered"
    window.press(Qt.Key.Key_Escape, widget=window.threads.search)
    assert window.editor.hasFocus()
    assert not window.threads.results.isVisible()
    await window.settled()


async def test_titles_are_filtered_at_once_and_share_the_room(window: OpenWindow) -> None:
    await threads_of(window, *(f"rope {number}" for number in range(30)))
    window.threads.search.setText("rope")
    assert window.threads.model.rowCount() == 31
    assert window.threads.view.height() <= window.threads.height() * 0.41
    window.threads.search.setText("rope 29")
    assert window.threads.model.rowCount() == 2
    window.threads.search.setText("nothing like it")
    assert window.threads.view.isHidden()
    await window.until(lambda: "No message" in window.threads.results.heading.text(), "the words")  # type: ignore[union-attr]
    await window.settled()


async def test_chips_narrow_the_search(window: OpenWindow) -> None:
    window.backend.reply(TextDelta("I know the marlinspike."), Ended("end_turn"))
    await threads_of(window, "What is a marlinspike?")
    results = await search(window, "marlinspike")
    assert len(found(results)) == 2
    for narrowed, expected in (
        (SearchFilter(role="user"), ["What is a marlinspike?"]),
        (SearchFilter(role="assistant"), ["I know the marlinspike."]),
        (SearchFilter(span="today"), None),
        (SearchFilter(model="no such model"), []),
    ):
        window.presenters.message_search.shown = None
        results.set_filter(narrowed)
        await window.until(lambda: window.presenters.message_search.shown is not None, "the narrowed search")
        assert expected is None or found(results) == expected
        if expected is None:
            assert len(found(results)) == 2
    window.threads.leave_search()
    assert results.filter == SearchFilter()


async def test_whose_words_can_be_typed_and_a_slip_leads_to_what_is_meant(window: OpenWindow) -> None:
    window.backend.reply(TextDelta("I know the marlinspike."), Ended("end_turn"))
    await threads_of(window, "What is a marlinspike?")
    results = await search(window, "role:assistant marlinspkie")
    assert found(results) == ["I know the marlinspike."]
    window.presenters.message_search.jump(results.hits.index(0).data(ROW_ROLE))
    await window.until(lambda: ("marlinspike", "found-current") in standing_out(window), "what is meant stands out")


async def test_what_is_marked_is_listed_without_words_newest_first(window: OpenWindow) -> None:
    one, two = await threads_of(window, "The first thing", "Something else")
    for thread in (one, two):
        (answer,) = [m for m in (await window.services.chat.open_thread(thread)).path if m.role == "assistant"]
        await window.services.chat.marks.put(thread, answer.id, MessageMark("up"))
    last = answer.id
    window.shortcut("search_threads")
    results = window.threads.results
    assert results is not None
    assert results.isVisible()
    assert results.view.isHidden(), "chips alone"
    assert window.threads.view.isVisible()
    assert "big" in results.models, "what a thread is answered with is offered before anything is found"
    for _ in range(4):
        if QApplication.focusWidget() not in results.chips:
            window.press(Qt.Key.Key_Tab, widget=QApplication.focusWidget())
    assert QApplication.focusWidget() in results.chips, "by the keyboard"
    results.set_filter(SearchFilter(marked="up"))
    await window.until(lambda: results.hits.rowCount() == 2, "the rated answers")
    assert results.hits.index(0).data(ROW_ROLE).message_id == last
    assert not window.threads.view.isVisible(), "no title is looked for"
    window.press(Qt.Key.Key_Down, widget=window.threads.search)
    assert results.view.hasFocus()
    window.press(Qt.Key.Key_Return, widget=results.view)
    await window.until(lambda: window.app_state.is_open(two), "its thread")
    await window.settled()
    assert results.isVisible(), "the list stays while one goes through it"

    # words narrow what is listed, and without them it is the list again
    window.threads.search.setText("first")
    await window.until(lambda: "No message" in results.heading.text(), "no answer with the word")
    window.threads.search.setText("")
    await window.until(lambda: results.hits.rowCount() == 2, "the rated answers again")
    results.set_filter(SearchFilter())
    assert results.view.isHidden(), "nothing is searched for any more"
    assert window.threads.view.isVisible()
    assert window.threads.model.rowCount() == 3
    results.set_filter(SearchFilter(role="user"))
    await window.until(lambda: results.hits.rowCount() == 2, "the questions")
    window.press(Qt.Key.Key_Escape, widget=window.threads.search)
    assert results.isHidden()
    assert results.filter == SearchFilter()
    await window.settled()


async def test_chips_that_nobody_used_go_with_the_keyboard(window: OpenWindow) -> None:
    window.shortcut("search_threads")
    results = window.threads.results
    assert results is not None
    assert results.isVisible()
    window.editor.setFocus()
    assert results.isHidden()
    window.shortcut("search_threads")
    assert results.isVisible()
    window.press(Qt.Key.Key_Escape, widget=window.threads.search)
    assert results.isHidden()


class ManyHits:
    """A library that finds a thousand messages and has an index that is behind."""

    def __init__(self, library: object) -> None:
        self._library = library
        self.asked: list[dict[str, Any]] = []
        self.waiting = 1_200

    def __getattr__(self, name: str) -> Any:
        return getattr(self._library, name)

    async def search(self, query: str, within: SearchWithin, **how: Any) -> SearchPage:
        self.asked.append({"query": query, "within": within, **how})
        hits = tuple(
            SearchHit("t", "Title", f"m{number}", "user", "2026-11-01T00:00:00Z", "big", f"hit {number}", ((0, 3),))
            for number in range(how["offset"], how["offset"] + how["limit"])
        )
        return SearchPage(hits, how["offset"] < 900, self.waiting, how["offset"] + how["limit"])


async def test_pages_come_when_the_end_is_near_and_the_index_is_spoken_of(window: OpenWindow) -> None:
    many = ManyHits(window.services.library)
    object.__setattr__(cast("Any", window.services), "library", many)
    results = await search(window, "hit")
    assert results.hits.rowCount() == 30
    assert "Still indexing 1,200 messages" in results.heading.text()
    results.view.verticalScrollBar().setValue(results.view.verticalScrollBar().maximum())
    await window.until(lambda: results.hits.rowCount() == 60, "the second page")
    assert [each["offset"] for each in many.asked] == [0, 30]
    assert found(results)[-1] == "hit 59"
    many.waiting = 0
    window.presenters.message_search.again.timeout.emit()
    await window.until(lambda: "Still" not in results.heading.text(), "the whole index")
    window.threads.leave_search()
    await window.settled()


def test_spans_begin_with_the_local_day() -> None:
    assert SearchFilter().bounds() == (None, None)
    since, until = SearchFilter(span="week").bounds(date(2026, 11, 21))
    assert until is None
    assert since is not None
    assert since[:10] in ("2026-11-14", "2026-11-15")


def test_the_mark_is_in_view_also_behind_characters_of_two_units() -> None:
    snippet = "words " * 20 + "\N{SAILBOAT}\N{GRINNING FACE} needle and more"
    start = snippet.index("needle")
    hit = SearchHit("t", "", "m", "user", "", None, snippet, ((start, start + 6),))
    text, ((begin, end),) = _from_first_mark(hit)
    assert text.startswith("…")
    units = text.encode("utf-16-le")
    assert units[2 * begin : 2 * end].decode("utf-16-le") == "needle"


async def test_documents_and_artifacts_stand_above_the_messages_and_open_in_their_panes(window: OpenWindow) -> None:
    one, two = await threads_of(window, "The first thing", "Something else")
    await documents_of(window, **{f"notes{n}_txt": f"The marlinspike of boat {n}.".encode() for n in range(4)})
    await window.services.artifacts.create(one, "Cruise plan", "# Gear\n\nA **marlinspike** and rope.")
    await window.choose_thread(two)
    results = await search(window, "marlinspike")
    assert found(results)[0] == "Documents · 4"
    assert found(results)[-3:] == ["Artifacts · 1", "Gear A marlinspike and rope.", "No messages found"]
    assert results.hits.rowCount() == 7, "three of the documents"
    assert not results.heading.isVisible()
    assert not results.leave_button.isVisible()
    assert not results.hits.flags(results.hits.index(4)) & Qt.ItemFlag.ItemIsEnabled
    window.press(Qt.Key.Key_Down, widget=window.threads.search)
    assert results.view.currentIndex().row() == 1
    window.press(Qt.Key.Key_Up, widget=results.view)
    window.press(Qt.Key.Key_Return, widget=results.view)
    assert results.hits.rowCount() == 8, "all of them"
    QTest.mouseClick(
        results.view.viewport(),
        Qt.MouseButton.LeftButton,
        pos=results.view.visualRect(results.hits.index(2)).center(),
    )
    await window.until(lambda: window.window.document.shown, "the document")
    window.presenters.message_search.jump(results.hits.index(6).data(ROW_ROLE))
    await window.until(lambda: window.app_state.is_open(one) and window.window.artifacts.shown, "the artifact")
    assert not window.window.document.shown
    await window.send("the marlinspike again")
    window.threads.leave_search()
    results = await search(window, "marlinspike")
    assert found(results)[-2:] == ["Messages · 1", "the marlinspike again"]
    results.set_filter(SearchFilter(role="user"))
    await window.until(lambda: found(results) == ["the marlinspike again"], "messages alone")
    await window.settled()


def test_hits_of_a_thread_stand_together_and_what_its_tools_repeat_once() -> None:
    def hit(thread: str, message: str, snippet: str, *, tool: bool = False) -> SearchHit:
        return SearchHit(thread, "T", message, "user", "2026-01-02T00:00:00Z", None, snippet, tool=tool)

    asked = hit("a", "1", "x"), hit("b", "2", "x"), hit("a", "3", "y"), hit("a", "4", "x")
    listed = by_thread([*asked, hit("b", "5", "x", tool=True), hit("b", "6", "x", tool=True)])
    found = [(one.thread_id, one.message_id) for one in listed]
    assert found == [("a", "1"), ("a", "3"), ("a", "4"), ("b", "2"), ("b", "5")], "all that was said can be reached"


def test_a_tool_is_named_as_one() -> None:
    hit = SearchHit("t", "T", "m", "user", "2026-01-02T00:00:00Z", None, "hit", ((0, 3),), attached=True)
    assert who(hit) == "You, attached"
    assert who(replace(hit, tool=True)) == "Tool"


def test_a_title_that_needs_the_room_takes_that_of_the_time(qapp: QApplication) -> None:
    holder = QWidget()
    delegate = HitDelegate(load_theme("light"), holder)
    title = "Chat 92: Harbor notes"
    hit = SearchHit("t", title, "m", "assistant", "2026-01-02T00:00:00Z", "big", "hit", ((0, 3),))
    shown, facts = delegate.heading(hit, 1_000, titled=True)
    assert (shown, facts.partition(" · ")[0]) == (title, "Assistant")
    wide = delegate.title_metrics.horizontalAdvance(title) + delegate.small_metrics.horizontalAdvance("Assistant")
    assert delegate.heading(hit, wide + 2 * GRID, titled=True) == (title, "Assistant"), "who said it is always named"
    assert delegate.heading(hit, wide, titled=False) == ("", facts)
    holder.deleteLater()


async def test_enter_in_the_box_opens_what_was_found_first(window: OpenWindow) -> None:
    one, two = await threads_of(window, "The first thing", "Something else")
    await window.choose_thread(one)
    await window.send("where does the marlinspike lie?")
    await search(window, "something")
    window.press(Qt.Key.Key_Return, widget=window.threads.search)
    await window.until(lambda: window.app_state.is_open(two), "the thread whose title is found")
    await window.settled()
    window.threads.leave_search()
    await search(window, "marlinspike")
    window.press(Qt.Key.Key_Return, widget=window.threads.search)
    await window.until(lambda: window.app_state.is_open(one), "the thread of the message")
    await window.settled()


async def test_titles_are_as_wide_with_a_scroll_bar_as_without(window: OpenWindow) -> None:
    view = window.threads.view
    before = view.viewport().width()
    await threads_of(window, *(f"Thread {number}" for number in range(40)))
    await window.settled()
    assert view.verticalScrollBar().maximum() > 0
    assert view.viewport().width() == before == view.width()
    bar = next(one for one in window.threads.findChildren(MarginBar) if one.isVisible())
    assert view.geometry().contains(bar.geometry()), "it lies over the rows' own margin"
    bar.setValue(bar.maximum())
    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()


async def test_a_draft_is_told_from_others_in_list_and_palette(window: OpenWindow) -> None:
    model = window.threads.model
    for words in ("**The quick** brown fox", "A lazy dog"):
        window.shortcut("new_thread")
        await window.settled()
        window.type(words)
        drafted = partial(saved, window, words)
        await window.until(drafted, words)
    await window.settled()
    shown = {str(model.index(row).data()) for row in range(model.rowCount())}
    assert {"Draft: The quick brown fox", "Draft: A lazy dog"} <= shown
    window.shortcut("command_palette")
    palette = window.presenters.palette.palette
    assert palette is not None
    names = [row.entry.name for row in palette.rows.rows if row.entry.kind == "thread"]
    assert "Draft: The quick brown fox" in names
    assert "New thread" not in names
    palette.leave()


def saved(window: OpenWindow, draft: str) -> bool:
    return any(one.thread.draft == draft for one in window.threads.model.threads())


async def test_enter_opens_nothing_of_an_older_search_and_waits_for_its_own(window: OpenWindow) -> None:
    one, two = await threads_of(window, "The first thing", "Something else")
    await window.choose_thread(one)
    await window.send("where does the marlinspike lie?")
    await window.choose_thread(two)
    await window.send("where does the halyard run?")
    await search(window, "halyard")
    window.threads.search.setText("marlinspike")
    window.press(Qt.Key.Key_Return, widget=window.threads.search)
    await window.until(lambda: window.app_state.is_open(one), "the thread of what stands in the box")
    await window.settled()
