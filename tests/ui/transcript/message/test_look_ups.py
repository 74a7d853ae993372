"""Look-ups in documents and other threads, and citations: lines that unfold, numbers that lead to passages."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_app.core.citations import marked_document, with_cited
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.events import TurnStarted
from desktop_app.core.messages import TextPart, ToolResultPart
from desktop_app.ui.conversation.transcript_presenter import TranscriptPresenter
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.transcript.items.fold_items import LinkItem
from desktop_app.ui.transcript.items.item import CITE, UNSENT
from desktop_app.ui.transcript.items.table_item import TableItem
from desktop_app.ui.transcript.items.text_item import TextItem
from desktop_app.ui.transcript.message.links import flowing
from desktop_app.ui.transcript.message.read_messages import leaf_texts, readable_groups
from desktop_app.ui.transcript.message.row_builder import PartGroups
from desktop_app.ui.transcript.reading.clipboard_copy import inline_markdown
from desktop_app.ui.transcript.view import TranscriptView
from tests.builders.document_texts import id_in
from tests.core.paths import plan_for
from tests.ui.look_up_scenes import PLAN, SPEC, history_search, passages, researched, search
from tests.ui.look_up_scenes import UNSENT as NEVER_SENT
from tests.ui.tool_scenes import message
from tests.ui.transcript.message.test_tool_rows import notes, press, stream

ROW, FIRST, SECOND = (id_in(SPEC, number) for number in (3, 1, 2))


def texts(view: TranscriptView, message_id: str = "t1") -> list[TextItem]:
    return [row.item for row in view.path.layout_of(message_id).rows if isinstance(row.item, TextItem)]


def fold(view: TranscriptView, part: int) -> None:
    view.path.layout_of("t1").toggle(part)
    view.auto_scroll.show_changes()


def table_text(view: TranscriptView) -> str:
    (item,) = (row.item for row in view.path.layout_of("t1").rows if isinstance(row.item, TableItem))
    return item.reading


def links(view: TranscriptView) -> list[str]:
    return [row.item.buttons()[0][1] for row in view.path.layout_of("t1").rows if isinstance(row.item, LinkItem)]


def test_searches_in_a_row_are_one_line_and_each_kind_has_its_own(view: TranscriptView) -> None:
    view.show_path(researched())
    assert notes(view, "t1") == [
        "searched documents · 2 searches · 4 passages from harbour fees.pdf, plan 2026.md · Show",
        "looked up 2 threads · Show",
        f"read on · “{FIRST}” · failed · Show",
    ]


@pytest.mark.parametrize(
    ("parts", "line"),
    [
        ((search("s", "fee"),), "searching documents · “fee”"),
        ((search("s", "fee"), passages("s", 1)), "searched documents · “fee” · 1 passage from harbour fees.pdf · Show"),
        (
            (search("s", "fee"), ToolResultPart("s", "Nothing.", extra={"passages": 0, "documents": []})),
            "searched documents · “fee” · nothing found · Show",
        ),
        (
            (search("s", "fee"), ToolResultPart("s", "Used up.", is_error=True, extra={"budget": "turn"})),
            "searched documents · “fee” · no room for more in this turn · Show",
        ),
        (history_search("h")[:1], "searching other threads"),
        (
            (history_search("h")[0], ToolResultPart("h", "None.", extra={"passages": 0, "thread_ids": []})),
            "found nothing in other threads · Show",
        ),
    ],
)
def test_a_line_says_what_is_going_on(view: TranscriptView, parts: tuple[object, ...], line: str) -> None:
    view.show_path([message(0, "user", "x")])
    view.stream.begin_answer(message(1, "assistant"))
    for part in parts:
        view.stream.finish_part("t1", part)  # type: ignore[arg-type]
    assert [note for note in notes(view, "t1") if "Waiting" not in note] == [line]


def test_a_search_unfolds_to_passages_that_open_their_document(view: TranscriptView) -> None:
    view.resize(900, 1_400)
    view.show_path(researched())
    fold(view, 1)
    assert links(view) == [
        "harbour fees.pdf, Fees > Piers, page 4",
        "harbour fees.pdf, Fees > Piers, page 4",
        "harbour fees.pdf, Tariff, page 5",
        "plan 2026.md",
    ]
    wanted: list[tuple[str, object]] = []
    view.row_actions.passage_requested.connect(lambda one, beside, _quotes: wanted.append((one, beside)))
    view.navigation.scroll_to_message("t0")
    row = [row for row in view.path.layout_of("t1").rows if isinstance(row.item, LinkItem)][2]
    press(view, row, f"passage:{ROW}")
    assert wanted == [(ROW, (FIRST, SECOND, ROW, id_in(PLAN, 1)))]


def test_a_search_of_threads_unfolds_to_passages_that_open_their_message(view: TranscriptView) -> None:
    view.resize(900, 1_400)
    view.show_path(researched())
    group = next(group for group in PartGroups(view.messages[1].parts).list if group.kind == "history")
    fold(view, group.number)
    assert links(view) == [
        "Fees of last year, Message 3 of 64, user, 2026-03-14",
        "Repairs, Messages 8-9 of 20, 2026-04-02",
    ]
    assert not any("##" in item.inline.text for item in texts(view))
    wanted: list[tuple[str, str]] = []
    view.row_actions.message_requested.connect(lambda thread, one: wanted.append((thread, one)))
    view.navigation.scroll_to_message("t0")
    row = [row for row in view.path.layout_of("t1").rows if isinstance(row.item, LinkItem)][1]
    press(view, row, "thread:x2/m8")
    assert wanted == [("x2", "m8")]


def test_citations_are_numbers_in_the_order_of_their_first_use(view: TranscriptView) -> None:
    view.show_path(researched())
    first = texts(view)[1]
    assert first.inline.text == (
        "Each metre costs twelve crowns a day at the north pier \u202f¹\u202f, nine elsewhere \u202f²\u202f\u202f¹"
        "\u202f. From the tenth day on it is half of that \u202f³\u202f."
    )
    assert first.buttons() == (
        (CITE + ROW, "Source 1: harbour fees.pdf, Tariff, page 5"),
        (CITE + FIRST, "Source 2: harbour fees.pdf, Fees > Piers, page 4"),
        (CITE + SECOND, "Source 3: harbour fees.pdf, Fees > Piers, page 4"),
    )


def test_a_hint_takes_the_lines_of_a_page_for_one(view: TranscriptView) -> None:
    view.show_path(researched())
    assert view.button_hint(CITE + ROW).endswith("page 5\n| North | 12 |\n| South | 9 |")
    assert flowing("spoken at\ndusk.\n\nThen:\n- one\n- two") == "spoken at dusk.\n\nThen:\n- one\n- two"


def test_what_was_never_sent_stays_as_it_was_written_and_is_said_to_be_unverified(view: TranscriptView) -> None:
    view.show_path(researched())
    item = next(item for item in texts(view) if "waive" in item.inline.text)
    assert item.inline.text == f"The harbour master may waive it [{NEVER_SENT}]."
    assert item.buttons() == ((UNSENT + NEVER_SENT, "Unverified source"),)
    assert view.button_hint(UNSENT + NEVER_SENT).startswith("Unverified")


def test_where_nothing_was_sent_brackets_are_just_text(view: TranscriptView) -> None:
    view.show_path([message(0, "user", "x"), message(1, "assistant", f"From [{FIRST}] to [{SECOND}].")])
    assert texts(view)[0].inline.text == f"From [{FIRST}] to [{SECOND}]."
    assert texts(view)[0].buttons() == ()


def test_a_click_on_a_citation_asks_for_its_passage(view: TranscriptView) -> None:
    view.resize(900, 1_100)
    view.show_path(researched())
    view.navigation.scroll_to_message("t0")
    wanted: list[str] = []
    view.row_actions.passage_requested.connect(lambda one, _beside, _quotes: wanted.append(one))
    row = next(row for row in view.path.layout_of("t1").rows if row.item is texts(view)[1])
    placed = next(placed for placed in view.row_layout.placed if placed.row is row)
    width, height = row.item.width, row.item.height
    spots = [(x, y) for y in range(4, height, 8) for x in range(0, width, 3)]
    x, y = next(spot for spot in spots if row.item.button_at(*spot) == CITE + SECOND)
    assert sum(row.item.button_at(one, y) == CITE + SECOND for one in range(width)) >= 16, "wide enough for a pointer"
    at = QPoint(view.column.left() + row.indent + x, placed.item_top + y)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert wanted == [SECOND]


def test_the_keyboard_reaches_citations_and_is_told_the_passage(view: TranscriptView) -> None:
    view.show_path(researched())
    names = [words for _, _, _, words in view.keyboard.stops(1)]
    assert "Source 3: harbour fees.pdf, Fees > Piers, page 4" in names
    assert "Unverified source" in names
    wanted: list[str] = []
    view.row_actions.passage_requested.connect(lambda one, _beside, _quotes: wanted.append(one))
    view.navigation.scroll_to_message("t1")
    view.keyboard.press_stop(1, names.index("Source 3: harbour fees.pdf, Fees > Piers, page 4"))
    assert wanted == [SECOND]
    assert view.button_hint(CITE + SECOND) == (
        "harbour fees.pdf\nFees > Piers, page 4\nFrom the tenth day on it pays half of that, unless it is unloaded."
    )


def places_above_table(view: TranscriptView) -> list[tuple[int, int]]:
    """Where each row before the table begins, from the first on, and its height, in pixels."""
    placed = view.row_layout.placed
    table = next(index for index, one in enumerate(placed) if isinstance(one.row.item, TableItem))
    return [(one.top - placed[0].top, one.height) for one in placed[:table]]


def test_an_answer_that_streams_cites_as_it_does_when_it_is_opened_again(view: TranscriptView) -> None:
    path = researched()
    view.resize(900, 1_300)
    stream(view, path)
    grown, cells = [item.inline.text for item in texts(view)], table_text(view)
    assert any("¹" in text for text in grown)
    assert cells == "What\tCrowns\nA day\t480 \u202f¹\u202f"
    before = places_above_table(view)
    view.row_layout.drop(1)
    view.row_layout.place_again()
    assert ([item.inline.text for item in texts(view)], table_text(view)) == (grown, cells)
    # a table that has grown keeps the widths of its columns
    assert places_above_table(view) == before


def test_an_answer_cites_a_document_that_went_whole_as_it_comes_and_when_it_is_opened_again(
    view: TranscriptView,
) -> None:
    whole = marked_document("harbour fees.pdf", SPEC)
    plan = plan_for((), "What?", project=ProjectContext("p", "Harbour", documents=(whole,)))
    app_state = SimpleNamespace(is_open=lambda _thread: True, thread_id="t")
    presenter = TranscriptPresenter(cast("AppState", app_state), view)
    question, answer = message(0, "user", "What?"), message(1, "assistant")
    never = f"{SPEC.sha256[:10]}-999"
    said = TextPart(f"It is nine [{FIRST}], or none [{never}].")

    view.show_path([question])
    presenter.turn_started(TurnStarted("t", answer, plan))
    view.stream.grow_answer("t1", "text", said.text)
    view.stream.show_now()
    came = texts(view)[0].inline.text
    assert came == f"It is nine \u202f¹\u202f, or none [{never}]."

    stored = message(1, "assistant", *with_cited((said,), (whole,)))
    view.stream.finish_answer(stored)
    view.show_path([])
    view.show_path([question, stored])
    assert texts(view)[0].inline.text == came
    assert texts(view)[0].buttons() == (
        (CITE + FIRST, "Source 1: harbour fees.pdf, Fees > Piers, page 4"),
        (UNSENT + never, "Unverified source"),
    )
    view.show_path([question, message(1, "assistant", said)])
    assert texts(view)[0].inline.text == said.text, "without what is kept with it nothing is known"


def test_nothing_painted_moves_while_a_citation_is_being_written(view: TranscriptView) -> None:
    view.resize(900, 1_300)
    path = researched()
    for one in path[:3]:
        view.row_builder.learn_sent(one.parts)
    view.stream.add_message(path[0])
    view.stream.begin_answer(message(1, "assistant"))
    shown = ""
    text = f"It costs nine crowns [{FIRST}][{SECOND}], and so on ([{ROW}])."
    for character in text:
        view.stream.grow_answer("t1", "text", character)
        view.stream.show_now()
        now = "".join(item.inline.text for item in texts(view))
        assert now.startswith(shown.rstrip()), (shown, now)
        shown = now
    assert "[" not in shown


def test_what_reads_without_rows_reads_the_same(view: TranscriptView) -> None:
    view.show_path(researched())
    answer = view.messages[1]
    read = [one.text for one in leaf_texts(view.row_builder, answer, readable_groups(answer))]
    assert next(text for text in read if "³" in text) == texts(view)[1].inline.text


def test_copying_gives_citations_as_they_were_written(view: TranscriptView) -> None:
    view.show_path(researched())
    inline = texts(view)[1].inline
    written = inline_markdown(inline, inline.text.index("nine"), len(inline.text))
    assert written == f"nine elsewhere [{FIRST}][{ROW}]. From the tenth day on it is half of that [{SECOND}]."


def test_what_was_sent_in_earlier_turns_can_be_cited_later(view: TranscriptView) -> None:
    later = [message(8, "user", "Again?"), message(9, "assistant", TextPart(f"As said [{FIRST}]."))]
    view.show_path([*researched(), *later])
    assert texts(view, "t9")[0].inline.text == "As said \u202f¹\u202f."
    view.show_path(later)
    view.prepend(researched())
    view.refresh_path([*researched(), *later])
    assert view.row_builder.sent is not None


def test_what_is_copied_says_what_an_answer_cites(view: TranscriptView) -> None:
    view.show_path(researched())
    index = len(view.messages) - 1
    piers, tariff, plan = (
        "harbour fees.pdf, Fees > Piers, page 4",
        "harbour fees.pdf, Tariff, page 5",
        "plan 2026.md",
    )
    view.copying.copy_message(index)
    copied = QGuiApplication.clipboard().text()
    assert f"[{ROW}]" not in copied
    assert "at the north pier [^1], nine elsewhere [^2][^1]. From" in copied
    assert copied.endswith(
        f"| A day | 480 [^1] |\n\n[^1]: {tariff}\n[^2]: {piers}\n[^3]: {piers}\n[^4]: {plan}\n"
        f"[^5]: Unverified: no passage with the id {NEVER_SENT} was sent to the model."
    )
    view.selection.select_all()
    view.copying.copy()
    while view.copying.busy:
        QApplication.processEvents()
    plain = QGuiApplication.clipboard().text()
    assert plain.endswith(f"\n\n¹ {tariff}\n² {piers}\n³ {piers}\n⁴ {plan}")
    quoted: list[str] = []
    view.copying.quoted.connect(quoted.append)
    view.copying.quote()
    assert f"[{ROW}]" in quoted[0], "the model knows passages by their ids"
