"""A turn with tools in the transcript: one answer, lines and cards that fill and unfold, nothing that moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_app.core.context.sent_content import STAGE, missing_results
from desktop_app.core.errors import wait_words
from desktop_app.core.messages import (
    Failure,
    Message,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)
from desktop_app.core.phrases import phrase
from desktop_app.storage.turn_store import INTERRUPTED
from desktop_app.ui.theme.theme import load_theme
from desktop_app.ui.transcript.items.code_item import CodeItem
from desktop_app.ui.transcript.items.fold_items import FoldItem, LinkItem, ToolItem
from desktop_app.ui.transcript.items.item import CanvasRow
from desktop_app.ui.transcript.items.line_items import NoteItem
from desktop_app.ui.transcript.message.links import messages_read
from desktop_app.ui.transcript.message.message_layout import SOURCES
from desktop_app.ui.transcript.view import TranscriptView
from tests.benchmarks.bench_transcript import thread
from tests.ui.tool_scenes import cited, found, look_up, message, searched, two_rounds
from tests.ui.transcript.message.test_streaming import changed_rows, rows_of


def notes(view: TranscriptView, message_id: str) -> list[str]:
    """The muted lines of a message and the words to click in them."""
    items = [row.item for row in view.path.layout_of(message_id).rows]
    return [
        " · ".join([item.note, *(words.rpartition(", ")[2] for _, words in item.buttons())])
        for item in items
        if isinstance(item, NoteItem)
    ]


def cards(view: TranscriptView, message_id: str) -> list[str]:
    """What the cards of a message say."""
    items = [row.item for row in view.path.layout_of(message_id).rows]
    return [item.buttons()[0][1] for item in items if isinstance(item, ToolItem)]


def titles(view: TranscriptView) -> list[str]:
    """The lines of the thoughts in message t1."""
    return [row.item.title for row in view.path.layout_of("t1").rows if isinstance(row.item, FoldItem)]


def shown(view: TranscriptView) -> list[str]:
    return [one.id for one in view.row_layout.messages]


def press(view: TranscriptView, row: CanvasRow, button: str) -> None:
    """Clicks a button of a row."""
    placed = next(placed for placed in view.row_layout.placed if placed.row is row)
    middle = row.item.height // 2
    x = next(x for x in range(0, row.item.width, 3) if row.item.button_at(x, middle) == button)
    at = QPoint(view.column.left() + row.indent + x, placed.item_top + middle)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)


def stream(view: TranscriptView, path: Sequence[Message]) -> None:
    """Announces a turn as the controller does: answers and results in order, the last message ends it."""
    view.stream.add_message(path[0])
    for place, one in enumerate(path[1:], 1):
        if one.role == "user":
            calls = path[place - 1]
            for result in one.parts:
                view.stream.finish_part(calls.id, result)
            view.stream.continue_answer(calls, one)
            continue
        view.stream.begin_answer(Message(one.id, one.thread_id, one.parent_id, "assistant", (), one.created))
        for part in one.parts:
            if isinstance(part, TextPart | ThinkingPart):
                kind = "text" if isinstance(part, TextPart) else "thinking"
                for start in range(0, len(part.text), 7):
                    view.stream.grow_answer(one.id, kind, part.text[start : start + 7])  # type: ignore[arg-type]
            view.stream.finish_part(one.id, part)
    view.stream.finish_answer(path[-1])


def test_results_are_never_shown_as_something_the_user_said(view: TranscriptView) -> None:
    view.show_path(two_rounds())
    assert shown(view) == ["t0", "t1", "t6", "t7"]
    assert view.accessible.count() == 4
    assert notes(view, "t1") == [
        "looked up 2 earlier messages · Show",
        "found nothing in the earlier messages · Show",
    ]


def test_a_turn_that_streams_ends_as_it_is_shown_when_it_is_opened_again(view: TranscriptView) -> None:
    path = two_rounds()[:6]
    view.resize(900, 1_100)
    stream(view, path)
    layout = view.path.layout_of("t1")
    grown = [(type(row.item), row.gap, row.item.height) for row in layout.rows]
    assert shown(view) == ["t0", "t1"]
    before = rows_of(view)
    view.row_layout.drop(1)
    view.row_layout.place_again()
    view.repaint_all()
    assert view.path.layout_of("t1") is not layout
    after = [(type(row.item), row.gap, row.item.height) for row in view.path.layout_of("t1").rows]
    assert after == grown
    assert changed_rows(before, rows_of(view)) == []


def test_nothing_moves_while_tools_run(view: TranscriptView) -> None:
    path = two_rounds()[:6]
    view.resize(900, 1_100)
    view.show_path(thread(20))
    tops: dict[int, tuple[CanvasRow, int]] = {}

    def check(what: str) -> None:
        view.stream.show_now()
        for placed in view.row_layout.placed:
            if placed.message == len(view.row_layout.messages):
                continue  # what stands behind the last message moves down with its end
            row, top = tops.get(id(placed.row), (placed.row, placed.top))
            if not isinstance(row.item, NoteItem) or "Waiting" not in row.item.note:
                assert placed.top == top, f"{what}: a {type(row.item).__name__} moved"
            tops[id(placed.row)] = (placed.row, placed.top)

    view.stream.add_message(path[0])
    view.stream.begin_answer(message(1, "assistant"))
    check("begun")
    for part in path[1].parts:
        view.stream.finish_part("t1", part)
        check("a part")
    for result in path[2].parts:
        view.stream.finish_part("t1", result)
        check("a result")
    view.stream.continue_answer(path[1], path[2])
    check("stored")
    view.stream.begin_answer(message(3, "assistant"))
    check("the next answer")
    view.stream.grow_answer("t3", "text", "And who ")
    check("text")
    view.stream.finish_answer(path[3])
    check("ended")


def test_the_line_tells_how_a_look_up_goes(view: TranscriptView) -> None:
    view.stream.add_message(message(0, "user", "x"))
    view.stream.begin_answer(message(1, "assistant"))
    view.stream.finish_part("t1", look_up("a", "x"))
    assert notes(view, "t1") == ["looking up earlier messages"]
    view.stream.finish_part("t1", found("a", "t0"))
    assert notes(view, "t1") == ["looked up 1 earlier message · Show", "Waiting for the answer…"]
    view.stream.finish_part("t1", look_up("b", "y"))
    assert notes(view, "t1") == ["looking up earlier messages"], "calls in a row are one line"
    view.stream.finish_part("t1", found("b", "t0", "m8"))
    assert notes(view, "t1")[0] == "looked up 2 earlier messages · Show", "each message counts once"
    view.stream.finish_part("t1", look_up("c", "z"))
    parts = view.path.layout_of("t1").parts
    view.stream.finish_answer(message(1, "assistant", *parts, state="partial"))
    assert notes(view, "t1")[0] == "looked up 2 earlier messages, then stopped · Show"


def test_the_line_counts_every_message_that_was_read_once() -> None:
    def result(*numbers: str) -> ToolResultPart:
        return ToolResultPart("a", "…", extra={"messages": [f"m{one}" for one in numbers], "numbers": list(numbers)})

    assert messages_read([result("5-12", "27-28")]) == 10
    assert messages_read([result("12", "5-12"), result("8-14", "3"), result("1-40")]) == 40
    assert messages_read([result("1-999999999")]) == 999_999_999, "counted without being walked through"
    assert messages_read([ToolResultPart("a", "…", extra={"messages": ["x"]})]) == 0


def test_a_look_up_that_failed_says_so_in_red(view: TranscriptView) -> None:
    failed = ToolResultPart("a", "The history could not be read.", is_error=True)
    view.show_path([message(0, "user", "x"), message(1, "assistant", look_up("a", "x"), failed, "Sorry.")])
    row = view.path.layout_of("t1").rows[0]
    assert notes(view, "t1") == ["looking up earlier messages failed · Show"]
    before = view.grab().toImage()
    assert isinstance(row.item, NoteItem)
    row.item.set_note(row.item.note, (("fold", "Show"),), troubled=False)
    view.refresh()
    assert view.grab().toImage() != before, "the words had another color"
    press(view, row, "fold")
    assert "The history could not be read." in notes(view, "t1")


def test_show_unfolds_passages_whose_headings_lead_to_their_messages(view: TranscriptView) -> None:
    far = [message(100 + n, "assistant" if n % 2 else "user", f"Message {n}. " * 30) for n in range(40)]
    view.show_path([*two_rounds()[:1], *far, *two_rounds()[1:6]])
    view.navigation.scroll_to_message("t1")
    row = next(row for row in view.path.layout_of("t1").rows if isinstance(row.item, NoteItem))
    press(view, row, "fold")
    assert notes(view, "t1")[:2] == ["looked up 2 earlier messages · Hide", "“piano move”"]
    links = [row for row in view.path.layout_of("t1").rows if isinstance(row.item, LinkItem)]
    assert links[0].item.buttons() == (("jump:t0", "Message 3 of 64, user, 2026-03-14"),)
    text = " ".join(r.item.text(0, r.item.length) for r in view.path.layout_of("t1").rows if r.item.selectable)
    assert "The budget for the move is 4,200 euros, and not a cent more." in text
    press(view, links[0], "jump:t0")
    assert any(placed.message == 0 for placed in view.row_layout.placed)
    assert view.row_layout.focused == 0
    y = view.row_layout.y
    view.jump_to("a message of another branch")
    assert view.row_layout.y == y
    view.navigation.scroll_to_message("t1")
    press(view, row, "fold")
    assert notes(view, "t1")[0] == "looked up 2 earlier messages · Show"


def test_a_jump_to_results_leads_to_their_card(view: TranscriptView) -> None:
    view.show_path([*two_rounds()[:6], *(message(50 + n, "user", "word " * 300) for n in range(6))])
    for message_id in ("t4", "t3", "t2", "t5"):
        assert view.navigation.scroll_to_message(message_id)
        top = next(placed for placed in view.row_layout.placed if placed.top >= 0)
        assert top.message == 1
        if expected := {"t2": "looked up 2", "t4": "found nothing"}.get(message_id, ""):
            assert isinstance(top.row.item, NoteItem)
            assert top.row.item.note.startswith(expected)
        else:
            assert top.row.leaf is not None
            assert top.row.leaf.text.startswith("And who" if message_id == "t3" else "The move")


def test_other_tools_are_cards_with_their_state_in_words(view: TranscriptView) -> None:
    view.show_path(two_rounds())
    view.navigation.scroll_to_message("t6")
    assert cards(view, "t7") == [
        "search_documents, done, collapsed. query: Umsatz im dritten Quartal, limit: 5",
        "read_page, failed, collapsed. 12",
        "search_documents, stopped, collapsed. stopped",
    ]
    view.stream.add_message(message(8, "user", "x"))
    view.stream.begin_answer(message(9, "assistant"))
    view.stream.finish_part("t9", ToolCallPart("r", "read_page", {"page": 3}))
    assert cards(view, "t9") == ["read_page, running, collapsed. 3"]
    view.stream.finish_part("t9", ToolResultPart("r", "It says x."))
    assert cards(view, "t9") == ["read_page, done, collapsed. 3"]


def test_the_keyboard_reaches_lines_and_cards_and_unfolds_them(view: TranscriptView) -> None:
    view.show_path(
        [message(0, "user", "x"), message(1, "assistant", look_up("a", "x"), found("a", "t0"), *card_parts())]
    )
    view.setFocus()
    view.keyboard.focus_message(1)
    told: list[tuple[str, list[str]]] = []
    for _ in range(2):
        QTest.keyClick(view, Qt.Key.Key_Tab)
        QTest.keyClick(view, Qt.Key.Key_Return if not told else Qt.Key.Key_Space)
        told.append((notes(view, "t1")[0], cards(view, "t1")))
        if len(told) == 1:
            view.path.layout_of("t1").toggle(0)
            view.auto_scroll.show_changes()
    assert told == [
        ("looked up 1 earlier message · Hide", ["read_page, done, collapsed. 3"]),
        ("looked up 1 earlier message · Show", ["read_page, done, expanded. 3"]),
    ]


def card_parts() -> tuple[ToolCallPart, ToolResultPart]:
    """A call of another tool, and what it answered."""
    return ToolCallPart("r", "read_page", {"page": 3}), ToolResultPart("r", "It says x.")


def test_a_card_unfolds_its_input_and_a_capped_result(view: TranscriptView) -> None:
    view.show_path(two_rounds())
    view.navigation.scroll_to_message("t7")
    card = next(row for row in view.path.layout_of("t7").rows if isinstance(row.item, ToolItem))
    press(view, card, "fold")
    rows = view.path.layout_of("t7").rows
    codes = [row.item.text(0, row.item.length) for row in rows if row.item.selectable]
    assert '"query": "Umsatz im dritten Quartal"' in codes[0]
    assert codes[1].endswith("39: a line of the result")
    more = next(row for row in rows if isinstance(row.item, NoteItem))
    assert more.item.buttons() == (("all", "20 more lines, Show all"),)
    view.row_layout.place_row(3, more, 200)
    press(view, more, "all")
    codes = [row.item.text(0, row.item.length) for row in view.path.layout_of("t7").rows if row.item.selectable]
    assert codes[1].endswith("59: a line of the result")


@pytest.mark.parametrize(
    ("said", "shown_as"),
    [
        ('{"timezone": "Europe/Oslo", "is_dst": false}', '{\n  "timezone": "Europe/Oslo",\n  "is_dst": false\n}'),
        ("[1,\n 2]", "[1,\n 2]"),
        ("[1] is a note, not JSON", None),
        ("{not json}", None),
        ("[" * 40_000, None),
        ("17", None),
    ],
)
def test_a_result_that_is_json_is_shown_as_json(view: TranscriptView, said: str, shown_as: str | None) -> None:
    """It stood in a card named `text`, in one line without colors."""
    call = ToolCallPart("c", "time__now", {"zone": "Oslo"})
    path = [
        message(0, "user", "When?"),
        Message("t1", "t", "m0", "assistant", (call,), ""),
        Message("t2", "t", "t1", "user", (ToolResultPart("c", said),), ""),
    ]
    view.show_path(path)
    card = next(row for row in view.path.layout_of("t1").rows if isinstance(row.item, ToolItem))
    press(view, card, "fold")
    codes = [row.item for row in view.path.layout_of("t1").rows if isinstance(row.item, CodeItem)]
    assert (codes[1].language, codes[1].code) == (("json", shown_as) if shown_as else ("", said[:4_000]))


def test_unknown_blocks_are_told_and_can_be_read(view: TranscriptView) -> None:
    view.show_path([message(0, "assistant", UnknownPart({"type": "new_thing", "x": [1]}), "After it.")])
    assert notes(view, "t0") == ["A block that this version can't show · Show"]
    row = view.path.layout_of("t0").rows[0]
    press(view, row, "fold")
    assert notes(view, "t0") == ["A block that this version can't show · Hide"]
    assert '"new_thing"' in view.path.layout_of("t0").rows[1].item.text(0, 100)


def test_a_search_of_the_web_names_its_pages_and_opens_none_by_itself(view: TranscriptView) -> None:
    opened: list[str] = []
    view.row_actions.link_activated.connect(opened.append)
    view.show_path(searched())
    assert notes(view, "t1") == ["searched the web for “python free threading status” · Show", "2 sources · Show"]
    row = next(row for row in view.path.layout_of("t1").rows if isinstance(row.item, NoteItem))
    press(view, row, "fold")
    links = [row for row in view.path.layout_of("t1").rows if isinstance(row.item, LinkItem)]
    assert [link.item.link_at(30, 10) for link in links] == [
        "https://www.python.org/dev/peps/pep-0703/",
        "https://docs.example.org/free-threading?version=3.14&a=1",
    ]
    assert opened == []
    placed = next(placed for placed in view.row_layout.placed if placed.row is links[0])
    at = QPoint(view.column.left() + links[0].indent + 30, placed.item_top + 14)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert opened == ["https://www.python.org/dev/peps/pep-0703/"]


def test_no_line_counts_sources_where_the_text_has_their_marks(view: TranscriptView) -> None:
    passage = {"type": "search_result_location", "source": "3f2a1b9c04-12", "title": "spec.pdf", "cited_text": "x"}
    view.show_path([message(0, "assistant", TextPart("It costs 4 [3f2a1b9c04-12].", {"citations": [passage]}))])
    assert notes(view, "t0") == []


def test_unsafe_addresses_are_words_only(view: TranscriptView) -> None:
    bad = {"type": "web_search_result_location", "url": "javascript:alert(1)", "title": "Bad", "cited_text": "x"}
    view.show_path([message(0, "assistant", TextPart("Text", {"citations": [bad]}))])
    view.path.layout_of("t0").toggle(SOURCES)
    link = next(row.item for row in view.path.layout_of("t0").rows if isinstance(row.item, LinkItem))
    link.lay_out(500)
    assert link.link_at(30, 10) == ""
    assert link.buttons() == ()


def test_a_text_cut_at_its_sources_streams_as_one_and_its_sources_come_at_the_end(view: TranscriptView) -> None:
    path = searched()
    stream(view, path)
    layout = view.path.layout_of("t1")
    texts = [row.item.text(0, row.item.length) for row in layout.rows if row.item.selectable]
    assert texts[-2:] == [
        "Here is where it stands.",
        "Since version 3.14 the free-threaded build is no longer experimental, and a program on one thread is about "
        "8 % slower in it. The usual build still has the lock.",
    ]
    assert notes(view, "t1")[-1] == "2 sources · Show"
    view.stream.add_message(message(2, "user", "x"))
    view.stream.begin_answer(message(3, "assistant"))
    view.stream.grow_answer("t3", "text", "Half a sentence ")
    view.stream.finish_part("t3", cited("Half a sentence "))
    assert notes(view, "t3") == [], "sources would have to move while the answer grows"


def test_several_thoughts_of_one_turn_have_a_line_each(view: TranscriptView, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("desktop_app.ui.transcript.message.message_layout.monotonic", lambda: now[0])
    view.stream.add_message(message(0, "user", "x"))
    view.stream.begin_answer(message(1, "assistant"))
    view.stream.grow_answer("t1", "thinking", "First")
    view.stream.show_now()
    assert titles(view) == ["Thinking…"]
    now[0] += 12.2
    view.stream.finish_part("t1", ThinkingPart("First", "signature"))
    view.stream.finish_part("t1", look_up("a", "x"))
    view.stream.finish_part("t1", found("a", "t0"))
    view.stream.continue_answer(
        message(1, "assistant", ThinkingPart("First", "signature"), look_up("a", "x")),
        message(2, "user", found("a", "t0")),
    )
    view.stream.begin_answer(message(3, "assistant"))
    view.stream.grow_answer("t3", "thinking", "Second")
    view.stream.show_now()
    now[0] += 75
    view.stream.grow_answer("t3", "text", "Done")
    view.stream.show_now()
    assert titles(view) == ["Thought for 12 s", "Thought for 1 min 15 s"]
    view.stream.finish_answer(message(3, "assistant", ThinkingPart("Second"), "Done"))
    assert titles(view) == ["Thought for 12 s", "Thought for 1 min 15 s"]
    view.row_layout.drop(1)
    assert titles(view) == ["Thought", "Thought"], "nobody knows any more how long it took"


def test_thinking_that_the_provider_keeps_is_told_and_cannot_be_unfolded(view: TranscriptView) -> None:
    redacted = UnknownPart({"type": "redacted_thinking", "data": "x"})
    empty = ThinkingPart("", "signature", {"display": "omitted"})
    view.show_path([message(0, "assistant", redacted, empty, "Text")])
    folds = [row.item for row in view.path.layout_of("t0").rows if isinstance(row.item, FoldItem)]
    assert [fold.title for fold in folds] == ["Thinking hidden by the provider", "Thought"]
    assert not any(fold.buttons() for fold in folds)


def test_a_reset_takes_back_only_the_answer_that_is_coming(view: TranscriptView) -> None:
    path = two_rounds()
    view.stream.add_message(path[0])
    view.stream.begin_answer(message(1, "assistant"))
    for part in path[1].parts:
        view.stream.finish_part("t1", part)
    view.stream.continue_answer(path[1], path[2])
    view.stream.begin_answer(message(3, "assistant"))
    view.stream.grow_answer("t3", "text", "Wrong start")
    view.stream.show_now()
    view.stream.reset_answer("t3")
    assert "Wrong" not in view.accessible.text(1)
    assert "I look at what we said about it." in view.accessible.text(1)
    view.stream.grow_answer("t3", "text", "Right")
    view.stream.show_now()
    assert view.accessible.text(1).endswith("looked up 2 earlier messages\n\nRight")


def test_a_new_theme_in_mid_answer_loses_nothing(view: TranscriptView) -> None:
    view.stream.add_message(message(0, "user", "x"))
    view.stream.begin_answer(message(1, "assistant"))
    view.stream.finish_part("t1", look_up("a", "x"))
    view.stream.finish_part("t1", found("a", "t0"))
    view.stream.grow_answer("t1", "text", "It begins. ")
    view.set_theme(load_theme("dark"))
    view.stream.grow_answer("t1", "text", "And goes on.")
    view.stream.show_now()
    texts = [row.item.text(0, 99) for row in view.path.layout_of("t1").rows if row.item.selectable]
    assert texts == ["It begins. And goes on."]
    view.stream.finish_answer(message(1, "assistant", look_up("a", "x"), found("a", "t0"), "It begins. And goes on."))
    assert texts == [row.item.text(0, 99) for row in view.path.layout_of("t1").rows if row.item.selectable]


def test_a_tail_that_begins_within_a_turn_becomes_whole(view: TranscriptView) -> None:
    path = [*thread(30), *two_rounds(), *(message(20 + n, "user", "word " * 300) for n in range(4))]
    ends = ["t0", "t1", "t6", "t7", "t20", "t21", "t22", "t23"]
    for tail in (8, 10, 7):
        view.show_path(path[-tail:], total=len(path))
        assert shown(view)[0] == path[-tail].id
        before = rows_of(view)
        view.prepend(path[:-tail], total=len(path))
        assert shown(view)[-8:] == ends
        assert view.accessible.count() == 38
        assert changed_rows(before, rows_of(view)) == []


def test_a_refresh_keeps_what_both_begin_with(view: TranscriptView) -> None:
    path = two_rounds()
    view.show_path(path[:4])
    assert shown(view) == ["t0", "t1"]
    view.refresh_path(path)
    assert shown(view) == ["t0", "t1", "t6", "t7"]
    assert view.navigation.scroll_to_message("t5")
    view.refresh_path(path[:6])
    assert shown(view) == ["t0", "t1"]


def test_copying_an_answer_copies_all_of_its_turn(view: TranscriptView) -> None:
    view.show_path(two_rounds())
    view.selection.anchor, view.selection.caret = (1, 0, 0), (1, 1 << 40, 0)
    assert view.selected_messages() == ("t1", "t2", "t3", "t4", "t5")
    assert view.row_layout.messages[1].text.startswith("I look at what")
    assert view.row_layout.messages[1].text.endswith("on the 14th.")
    assert "And who pays for it:" in view.row_layout.messages[1].text


def test_a_text_cut_at_its_sources_is_copied_as_it_is_read(view: TranscriptView) -> None:
    view.show_path(searched())
    view.selection.select_all()
    assert "3.14 the free-threaded build is no longer experimental, and a program" in view.copying.selected_text()
    assert "3.14 the free-threaded build is no longer experimental, and a program" in view.copying.selected_markdown()
    view.copying.copy_message(1)
    assert "experimental, and a program" in QApplication.clipboard().text()


def test_a_stop_between_two_answers_is_said(view: TranscriptView) -> None:
    view.show_path(two_rounds()[:3])
    assert notes(view, "t1")[-1] == "Stopped. The text so far is saved. · Try again"


def test_a_failure_in_the_history_names_no_time_that_is_over(view: TranscriptView) -> None:
    said = phrase("The rate limit of this key is reached. Try again{when}.", when=wait_words(8))
    failed = replace(message(1, "assistant", ""), parts=(), state="error", failure=Failure("rate_limited", said))
    view.show_path([message(0, "user", "one"), failed, message(2, "user", "two")])
    assert notes(view, "t1") == ["The rate limit of this key is reached. · Try again"]


def test_a_crash_is_not_told_as_a_stop(view: TranscriptView) -> None:
    asked, answered, *_ = two_rounds()
    view.show_path([asked, replace(answered, state="partial", failure=INTERRUPTED)])
    assert notes(view, "t1")[-1].startswith("Plimsoll ended before this answer was complete. ")


def test_a_turn_whose_tools_are_running_goes_on_when_it_is_opened(view: TranscriptView) -> None:
    path = two_rounds()
    view.show_path(path[:3])
    view.stream.go_on()
    assert notes(view, "t1")[-1] == "Waiting for the answer…"
    view.stream.begin_answer(message(3, "assistant"))
    view.stream.grow_answer("t3", "text", "More")
    view.stream.finish_answer(message(3, "assistant", "More"))
    assert shown(view) == ["t0", "t1"]
    assert view.row_layout.messages[1].state == "complete"


def test_tools_that_were_found_are_a_line(view: TranscriptView) -> None:
    call = ToolCallPart("c1", "find_tools", {"query": "commit"})
    result = ToolResultPart("c1", "## commit (server: Git)", extra={"found": ["Git/commit", "Git/commit_all"]})
    view.show_path([message(0, "user", "Commit it"), message(1, "assistant", call)])
    assert cards(view, "t1") == ["find_tools, stopped, collapsed. commit"]
    view.show_path([message(0, "user", "Commit it"), message(1, "assistant", call), message(2, "user", result)])
    assert cards(view, "t1") == ["find_tools, done, collapsed. commit: Git/commit, Git/commit_all"]


@pytest.mark.parametrize(("ended", "unasked"), [("Plimsoll", "not run: Plimsoll ended"), ("the turn", "not run")])
def test_a_call_without_a_result_is_told_by_its_server_and_as_far_as_it_was(
    view: TranscriptView, ended: str, unasked: str
) -> None:
    parts = tuple(
        ToolCallPart(stage, f"Git__{stage}", {}, {STAGE: stage, "tool": f"Git/{stage}"}) for stage in ("asked", "begun")
    )
    path = [message(0, "user", "Commit it"), message(1, "assistant", *parts, *missing_results(parts, ended))]
    view.show_path(path)
    assert cards(view, "t1") == [
        f"Git/asked, {unasked}, collapsed",
        "Git/begun, may have run, result lost, collapsed",
    ]
