"""Requests as lines: nothing is lost, no line is long, and the text on the screen is what was asked for."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.backends.anthropic_wire import request_body
from desktop_app.backends.claude_cli.invocation import stdin_line
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.readable_request import ReadableRequest, compare_requests, read_request
from desktop_app.core.messages import Json
from desktop_app.ui.inspector.request_view import RequestReading, diff_lines, raw_lines, request_lines
from desktop_app.ui.theme.theme import load_theme
from desktop_app.ui.widgets.text_lines import AT_ONCE_LONG, LONGEST, LinesView, TextLine, plain_text, text_lines
from tests.core.paths import plan_for, prepare, talk, words
from tests.counted_calls import CountedCalls

PLAIN = st.text(alphabet=st.characters(exclude_characters="\r\u2028\u2029"))


@given(st.lists(PLAIN | st.just("word " * 600) | st.just("x" * 2_500), max_size=6).map("\n".join))
def test_the_lines_of_a_text_are_the_text(text: str) -> None:
    lines = list(text_lines(text))
    assert plain_text(lines) == text
    assert all(len(line.text) <= LONGEST for line in lines)


def large_plan() -> ContextPlan:
    """A request of 600 KB."""
    body = ("lorem ipsum dolor sit amet " * 12 + "\n") * 30
    return prepare(talk(*[f"message {number} {body}" for number in range(62)])).plan(())


def folded(request: ReadableRequest) -> list[TextLine]:
    return [line for line in request_lines(request) if line.kind == "fold"]


def test_a_long_text_is_folded_until_it_is_asked_for() -> None:
    plan = plan_for(talk("short", words(2_000)), "next")
    request = read_request(request_body(plan))
    (fold,) = folded(request)
    assert fold.fold is not None
    shown = sum(len(line.text) for line in request_lines(request))
    assert shown < 1_000
    whole = request_lines(request, {fold.fold})
    assert words(2_000) in plain_text(whole)
    assert all(line.kind != "fold" for line in whole)


def test_the_readable_form_names_speakers_and_marks() -> None:
    plan = plan_for(talk("one", "two"), "three", system="Be brief.")
    told = [(line.kind, line.text) for line in request_lines(read_request(request_body(plan)))]
    headings = [text for kind, text in told if kind == "heading"]
    assert headings == ["System", "User", "Assistant", "User"]
    assert ("mark", "cached up to here · 5 minutes") in told
    assert told[-2:] == [("text", "three"), ("mark", "cached up to here · 5 minutes")]
    assert told[0][1].startswith("model model-200k · max_tokens ")


def test_the_raw_form_is_the_body_or_what_the_program_reads() -> None:
    plan = plan_for(talk("one", "two"), words(3_000), system="Be brief.")
    body = request_body(plan)
    assert json.loads(plain_text(raw_lines(read_request(body)))) == body
    stdin = stdin_line(plan)
    lines = raw_lines(read_request({"stdin": stdin, "system": plan.request.system}))
    assert plain_text(lines) == f"Standard input\n{stdin}\n\nSystem prompt\n{plan.request.system}"


def test_a_diff_folds_what_did_not_change() -> None:
    path = talk("one", "two", "three", "four")
    first, second = plan_for(path[:2], "three"), plan_for(path, "five")
    diff = compare_requests(read_request(request_body(first)), read_request(request_body(second)))
    told = [(line.kind, line.text) for line in diff_lines(diff)]
    assert told[0] == ("note", "Cache kept up to block 3")
    assert ("note", "3 blocks unchanged") in told
    assert ("heading", "Block 5 added · User") in told
    assert told[-1] == ("added", "+ five")


KINDS = st.sampled_from(["text", "heading", "note", "mark"])
LINES = st.lists(st.builds(TextLine, kind=KINDS, text=st.sampled_from(["", "a", "b", "c d"])), max_size=12)


@pytest.fixture
def view(qapp: QApplication, qtbot: QtBot) -> LinesView:
    made = LinesView(load_theme("light"), None)  # type: ignore[arg-type]
    qtbot.addWidget(made)
    made.resize(320, 600)
    return made


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(steps=st.lists(LINES, min_size=1, max_size=5))
def test_any_lines_can_follow_any_others(view: LinesView, steps: list[list[TextLine]]) -> None:
    for lines in steps:
        view.show_lines(lines)
        while view.filling:
            view._fill()
        assert view.toPlainText() == "\n".join(line.text for line in lines)


def test_lines_that_are_replaced_while_they_are_put_in_do_not_stay(view: LinesView) -> None:
    view.show_lines([TextLine("text", f"old {number} {words(20)}") for number in range(20_000)])
    unfinished = view.filling
    assert unfinished
    view.show_lines([TextLine("text", "new")])
    while view.filling:
        view._fill()
    assert view.toPlainText() == "new"


async def test_a_request_of_600_kb_opens_without_a_stall(view: LinesView) -> None:
    plan = large_plan()
    request = read_request({"stdin": stdin_line(plan), "system": ""})
    assert len(request.raw[0].text) > 600_000
    view.show()
    # PySide makes its enums when they are first used, some thousand calls that come once
    view.show_lines(RequestReading(request).lines())
    for _ in range(3):
        QApplication.processEvents()
    for reading in (
        RequestReading(request),
        RequestReading(request, unfolded=frozenset(range(100))),
        RequestReading(request, raw=True),
    ):
        lines = await asyncio.to_thread(reading.lines)
        slices: list[int] = []
        with CountedCalls() as work:
            view.show_lines(lines, code=reading.code)
        slices.append(work.calls)
        while view.filling:
            with CountedCalls() as work:
                QApplication.processEvents()
            slices.append(work.calls)
        assert view.toPlainText() == "\n".join(line.text for line in lines)
        assert max(slices) < 1_700
    view.hide()


def test_what_is_copied_has_no_more_line_breaks_than_the_text(view: LinesView, qtbot: QtBot) -> None:
    text = "a" * 2_500 + "\nb"
    view.show_lines([TextLine("heading", "User"), *text_lines(text)])
    qtbot.waitUntil(lambda: not view.filling)
    view.selectAll()
    assert view.createMimeDataFromSelection().text() == f"User\n{text}"
    cursor = view.textCursor()
    cursor.setPosition(7)
    cursor.setPosition(1_200, QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
    copied = view.createMimeDataFromSelection().text()
    assert copied == "a" * len(copied)


def test_a_fold_is_asked_for_with_a_click_or_enter(view: LinesView, qtbot: QtBot) -> None:
    view.show_lines([TextLine("text", "beginning"), TextLine("fold", "2,000 more characters · Show", fold=4)])
    qtbot.waitUntil(lambda: not view.filling)
    view.show()
    asked: list[int] = []
    view.unfold_requested.connect(asked.append)
    place = view.cursorRect(QTextCursor(view.document().findBlockByNumber(1))).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place + QPoint(20, 0))
    assert asked == [4]
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert asked == [4, 4]


def test_what_was_said_stands_before_the_tools_which_are_folded() -> None:
    tool: dict[str, Json] = {"name": "search", "description": "Finds passages.", "input_schema": {"type": "object"}}
    request = read_request({"tools": [tool], "messages": [{"role": "user", "content": "What did we say?"}]})
    shown = plain_text(request_lines(request))
    assert shown.index("What did we say?") < shown.index("search")
    assert "Finds passages." not in shown
    (fold,) = folded(request)
    assert fold.fold is not None
    assert "Finds passages." in plain_text(request_lines(request, {fold.fold}))


@given(st.integers(1, 7_900), st.sampled_from(["Line about tides. ", "word ", "x"]))
def test_a_paragraph_reads_as_one_however_long_it_is_for_the_eye(length: int, words: str) -> None:
    (line,) = text_lines((words * length)[:length])
    assert len(line.text) == length


def test_a_paragraph_of_many_pages_is_broken_behind_a_sentence_alone() -> None:
    lines = list(text_lines("Line about tides. " * 5_000))
    assert len(lines) > 10
    assert all(line.text.endswith("tides. ") for line in lines)


def test_very_long_lines_are_put_in_by_few_at_a_time(view: LinesView, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = list(text_lines("Line about tides. " * 20_000))
    put_in: list[int] = []
    insert = view._put_in

    def counted(some: Sequence[TextLine]) -> None:
        put_in.append(sum(len(line.text) for line in some))
        insert(some)

    monkeypatch.setattr(view, "_put_in", counted)
    view.show_lines(lines)
    while view.filling:
        view._fill()
    assert sum(put_in) == 18 * 20_000
    assert max(put_in) <= AT_ONCE_LONG + LONGEST
