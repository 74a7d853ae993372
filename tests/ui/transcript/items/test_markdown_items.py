"""What Markdown looks like: lists, tasks, quotes, scripts that run leftwards, links and images."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QToolTip

from desktop_app.core.markdown.blocks import BULLET, TASK_DONE, TASK_OPEN
from desktop_app.ui.theme.theme import load_theme
from desktop_app.ui.transcript.canvas.row_layout import PlacedRow
from desktop_app.ui.transcript.items.code_item import CodeItem
from desktop_app.ui.transcript.items.item import INDENT
from desktop_app.ui.transcript.items.table_columns import TableColumns
from desktop_app.ui.transcript.items.table_item import TableItem
from desktop_app.ui.transcript.view import TranscriptView
from tests.ui.transcript.gallery import message


def show(view: TranscriptView, text: str) -> list[PlacedRow]:
    view.show_path([message(0, "assistant", text)])
    return [placed for placed in view.row_layout.placed if placed.message == 0]


def ink(view: TranscriptView, placed: PlacedRow) -> tuple[int, int]:
    """The first and last column of the reading column with ink in a row."""
    image = view.viewport().grab().toImage()
    ground = image.pixel(view.column.left() + view.column.width() // 2, placed.bottom)
    rows = range(placed.item_top, placed.item_top + placed.row.item.height)
    columns = [
        x - view.column.left()
        for x in range(view.column.left(), view.column.right())
        if any(image.pixel(x, y) != ground for y in rows)
    ]
    return columns[0], columns[-1]


def test_lists_tasks_and_quotes_stand_within_each_other(view: TranscriptView) -> None:
    rows = show(
        view,
        "1. one\n   - two\n     - [x] three\n     - [ ] four\n\n       on\n\n> quote\n>\n> > inner\n> >\n> > 3) item\n",
    )
    assert [(p.row.containers, p.row.marker, p.row.item.reading) for p in rows] == [
        ("o", "1.", "one"),
        ("ou", BULLET, "two"),
        ("ouu", TASK_DONE, "three"),
        ("ouu", TASK_OPEN, "four"),
        ("ouu", "", "on"),
        ("q", "", "quote"),
        ("qq", "", "inner"),
        ("qqo", "3)", "item"),
    ]
    for placed in rows:
        assert placed.row.left == INDENT * len(placed.row.containers)
        assert placed.row.item.width == view.column.width() - placed.row.left
    numbered = show(view, "1. one\n2. [ ] two\n3. [x] three\n\n[^1]: [x] no task\n\nA note[^1]\n")
    assert [placed.row.marker for placed in numbered][:3] == ["1.", TASK_OPEN, TASK_DONE]
    assert any(placed.row.marker.startswith("[^") for placed in numbered)
    rows = show(view, "> quote\n>\n> > inner\n")
    left, _ = ink(view, rows[1])
    assert left <= 2, "the bar of the outer quote runs on beside the inner one"


@pytest.mark.parametrize("text", ["مرحبا بالعالم, hello", "שלום עולם, hello", "123 — שלום"])
def test_a_paragraph_runs_as_its_first_letter_does(view: TranscriptView, text: str) -> None:
    (leftwards, rightwards) = show(view, f"{text}\n\nhello {text}")
    width = view.column.width()
    assert leftwards.row.item.reads_leftwards
    assert not rightwards.row.item.reads_leftwards
    assert ink(view, leftwards)[1] > width - 12
    assert ink(view, leftwards)[0] > 200
    assert ink(view, rightwards)[0] < 12
    assert leftwards.row.item.caret_rect(0).x() > width - 40


def test_marks_of_lists_and_quotes_stand_at_the_right_of_text_that_runs_leftwards(view: TranscriptView) -> None:
    rows = show(view, "- בند\n- [x] שלום\n\n> שלום\n")
    for placed in rows:
        first, last = ink(view, placed)
        assert first > 200
        assert last > view.column.width() - 20
        assert placed.row.left == 0


def test_code_runs_rightwards_whatever_its_letters(view: TranscriptView) -> None:
    (placed,) = show(view, "```\nשלום = x\ny = 2\n```")
    item = placed.row.item
    assert isinstance(item, CodeItem)
    first, second = item.caret_rect(0).x(), item.caret_rect(item.code.index("y")).x()
    assert second < 40
    # the word itself runs leftwards, and stands at the left of what comes behind it
    assert second < item.caret_rect(2).x() < item.caret_rect(1).x() < first
    assert first < item.caret_rect(item.code.index("=")).x() < item.caret_rect(item.code.index("\n")).x()


def hover(view: TranscriptView, at: QPoint) -> None:
    spot, none = QPointF(at), Qt.MouseButton.NoButton
    move = QMouseEvent.Type.MouseMove
    place = view.viewport().mapToGlobal(spot)
    event = QMouseEvent(move, spot, place, none, none, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(view.viewport(), event)


def test_a_link_shows_its_real_target(view: TranscriptView) -> None:
    (placed,) = show(
        view, "[https://bank.example](https://xn--bnk-6na.example/a?b=1) and ![a *picture*](http://e.org/i.png)"
    )
    assert placed.row.item.reading == "https://bank.example and a picture"
    left, y = view.column.left(), placed.item_top + 12
    hover(view, QPoint(left + 10, y))
    assert QToolTip.text() == "https://xn--bnk-6na.example/a?b=1"
    picture = placed.row.item.caret_rect(len("https://bank.example and a pi")).x()
    hover(view, QPoint(left + picture, y))
    assert QToolTip.text() == "http://e.org/i.png", "an image is a link; nothing is fetched"
    opened: list[str] = []
    view.row_actions.link_activated.connect(opened.append)
    assert placed.row.item.link_at(picture, 12) == "http://e.org/i.png"
    assert not opened


def test_an_image_without_words_shows_its_address(view: TranscriptView) -> None:
    first, second = show(view, "![](https://e.org/i.png)\n\n![](/local/i.png)")
    assert first.row.item.reading == "https://e.org/i.png"
    assert first.row.item.buttons()
    assert second.row.item.reading == "/local/i.png"
    assert not second.row.item.buttons()


def test_columns_of_a_wide_table_can_be_read_and_scrolled(view: TranscriptView) -> None:
    view.resize(420, 700)
    head = "|" + "|".join(f"Column {n}" for n in range(9)) + "|\n|" + "---|" * 9 + "\n"
    (placed,) = show(view, head + "|" + "|".join(["some words in a cell"] * 9) + "|\n")
    item = placed.row.item
    assert isinstance(item, TableItem)
    assert item.overflow > 300
    assert all(cell.width >= 60 for row in item.cells for cell in row)
    assert item.scroll_sideways(10_000)
    assert item.caret_rect(item.length).x() <= item.width


@pytest.mark.parametrize("width", [300, 360, 440, 600])
@pytest.mark.parametrize("points", [11, 17])
def test_a_column_is_as_wide_as_its_longest_word_and_the_table_scrolls(
    view: TranscriptView, width: int, points: int
) -> None:
    view.set_theme(load_theme("light", points))
    view.resize(width, 700)
    row = "| **Harbourmaster** | The master of the harbour tells where a ship lies | it is so and so and so | 1 |\n"
    late = "| A | Of | Verantwortlicher | 2 |\n"
    (placed,) = show(view, "| Who | What it is about | Why | No |\n|---|---|---|---|\n" + row * 4 + late)
    item = placed.row.item
    assert isinstance(item, TableItem)
    for cells in item.cells:
        for cell in cells:
            for word in re.finditer(r"\S+", cell.reading):
                begin, end = (cell.caret_rect(place).y() for place in (word.start(), word.end() - 1))
                assert begin == end, f"{word[0]} is broken"
    assert item._edges[-1] == item.width or item.overflow


ZONES = (
    "| Zone | Mark | Freeboard (mm) | Note |\n|:--|:-:|--:|---|\n| Tropical | T | 1 250 | warm, light water |\n"
    "| Summer | S | 1 320 | the reference line |\n| Winter North Atlantic | WNA | 1 460 | below 100 m length |\n"
)


def most_lines(view: TranscriptView) -> int:
    """Of the cells of the table in view: the lines of the one with the most."""
    (item,) = [each.row.item for each in view.row_layout.placed if isinstance(each.row.item, TableItem)]
    return max(cell.height // view.text_style.body.pitch for row in item.cells for cell in row)


def test_no_cell_takes_another_line_while_there_is_room_beside_it(view: TranscriptView) -> None:
    view.resize(860, 700)
    grown(view, ZONES)
    assert most_lines(view) == 1, "while it comes, too, when only its first row is known"
    for width in range(830, 300, -10):
        view.resize(width, 700)
        show(view, ZONES)
        (item,) = [each.row.item for each in view.row_layout.placed if isinstance(each.row.item, TableItem)]
        assert most_lines(view) <= (1 if width > 700 else 2 if width > 480 else 3), width
        assert item._edges[-1] == item.width or item.overflow


def table_of(placed: Sequence[PlacedRow]) -> list[tuple[int, int]]:
    """Where the cells of the first row of each piece begin, and how wide they are."""
    items = [each.row.item for each in placed if isinstance(each.row.item, TableItem)]
    assert items
    return [(cell.caret_rect(0).x(), cell.width) for item in items for cell in item.cells[0]]


SMALL = "| Mark | Water | Density |\n|---|:-:|--:|\n" + "| TF | Tropical fresh | 1000 |\n| WNA | North | 1025 |\n"
LONG = "| Mark | Where it holds |\n|---|---|\n" + f"| {'Summer in the tropics ' * 3} | {'words ' * 40} |\n" * 9


def grown(view: TranscriptView, text: str) -> list[list[tuple[int, int]]]:
    """What a table looks like each time a line of it has come, and when the answer is whole."""
    view.show_path([message(1, "user", "Which?")])
    view.stream.begin_answer(message(0, "assistant"))
    seen = []
    for line in text.splitlines(keepends=True):
        view.stream.grow_answer("m0", "text", line)
        view.stream.show_now()
        if any(
            isinstance(placed.row.item, TableItem) and not placed.row.item.waits for placed in view.row_layout.placed
        ):
            seen.append(table_of(view.row_layout.placed))
    view.stream.finish_answer(message(0, "assistant", text))
    return [*seen, table_of(view.row_layout.placed)]


def test_a_table_has_the_same_columns_while_it_comes_and_when_it_is_opened_again(view: TranscriptView) -> None:
    first, *others = grown(view, SMALL)
    assert set(map(tuple, others)) == {tuple(first)}
    assert table_of(show(view, SMALL)) == first


def test_columns_have_room_for_what_their_first_row_holds_from_the_moment_they_are_painted(
    view: TranscriptView,
) -> None:
    head = "| Name | Kind | Since | Why one would take it for a longer journey |\n|---|---|---|---|\n"
    text = head + f"| {'A name of some words ' * 3} | deque | 3 | it is short |\n" * 4
    first, *others = grown(view, text)
    assert set(map(tuple, others)) == {tuple(first)}, "nothing moves that was painted"
    assert first[0][1] > 1.5 * first[1][1]
    assert len(others) == 3, "nothing is painted before the first row is whole"


@pytest.mark.parametrize("text", [SMALL, LONG])
def test_a_table_is_as_wide_as_the_column(view: TranscriptView, text: str) -> None:
    for placed in show(view, text):
        item = placed.row.item
        assert isinstance(item, TableItem)
        assert item._edges[-1] == item.width


MARKS = (
    "| Mark | Meaning | Draught (m) | Density (kg/m³) |\n|:--|:-:|--:|--:|\n| TF | Tropical fresh water | 9 | 1000 |\n"
    "| F | Fresh water | 9.50 | 1000 |\n"
    "| W | Winter, a somewhat longer cell that must wrap somewhere in a narrow window | 9.00 | 1025 |\n"
)
PROS = (
    "| Option | Pros | Cons |\n|---|---|---|\n| `heapq.nlargest` | Short, and fast for a few items | Sorts by key |\n"
    "| Binary search tree | Ordered, updates are cheap | Not in the standard library; more memory per item |\n"
)


def edges(view: TranscriptView) -> list[list[int]]:
    return [each.row.item._edges for each in view.row_layout.placed if isinstance(each.row.item, TableItem)]


@pytest.mark.parametrize("text", [MARKS, PROS, ZONES, SMALL, LONG], ids=["marks", "pros", "zones", "small", "long"])
@pytest.mark.parametrize("width", [320, 440, 520, 640, 860])
def test_columns_depend_on_the_table_and_the_width_alone(view: TranscriptView, text: str, width: int) -> None:
    view.resize(width, 2_000)
    show(view, text)
    fresh = edges(view)
    view.resize(600, 2_000)
    grown(view, text)
    view.resize(width, 2_000)
    view.repaint_all()
    assert edges(view) == fresh, "at another width than it came in"
    grown(view, text)
    assert edges(view) == fresh, "in the width it came in"
    for other in (900, 350, width):
        view.resize(other, 2_000)
        view.repaint_all()
    assert edges(view) == fresh, "after another width"


@pytest.mark.parametrize("width", range(390, 900, 30))
def test_a_column_is_no_narrower_than_it_need_be(view: TranscriptView, width: int) -> None:
    view.resize(width, 900)
    (placed,) = show(view, MARKS)
    item, pitch = placed.row.item, view.text_style.body.pitch
    assert isinstance(item, TableItem)
    lines = [[cell.height // pitch for cell in row] for row in item.cells]
    if not item.overflow:
        assert sum(map(max, lines)) <= (5 if width > 720 else 8 if width > 540 else 13), lines
    if width > 720:
        assert lines[0] == [1, 1, 1, 1], "there is room for the header"


@pytest.mark.parametrize("width", range(480, 900, 30))
@pytest.mark.parametrize("mark", ["---", ":--", ":-:"])
def test_a_column_of_words_has_the_room_already_while_the_table_comes(
    view: TranscriptView, width: int, mark: str
) -> None:
    view.resize(width, 900)
    text = MARKS.replace(":-:", mark)
    view.show_path([message(1, "user", "Which?")])
    view.stream.begin_answer(message(0, "assistant"))
    for line in text.splitlines(keepends=True):
        view.stream.grow_answer("m0", "text", line)
        view.stream.show_now()
    comes = most_lines(view)
    view.stream.finish_answer(message(0, "assistant", text))
    assert comes <= most_lines(view) + (1 if width > 670 else 2), "the header stays in one line while it comes"


@pytest.mark.parametrize("words", ["Density (kg/m³)", "one and/or more", "a well-known km/h|mph"])
def test_a_cell_breaks_no_unit_that_has_room(view: TranscriptView, words: str) -> None:
    (placed,) = show(view, f"| {words.replace('|', chr(92) + '|')} | Note |\n|---|---|\n| 1 | 2 |\n")
    assert isinstance(placed.row.item, TableItem)
    cell = placed.row.item.cells[0][0]
    assert cell.reading == words
    broken = set()
    for width in range(75, 200):
        cell.lay_out(width)
        for word in re.finditer(r"[^\s-]+", words):
            if cell.caret_rect(word.start()).y() != cell.caret_rect(word.end() - 1).y():
                broken.add((word[0], width))
    assert not broken


def test_columns_are_shared_once_while_a_table_comes_and_once_when_it_is_whole(
    view: TranscriptView, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared: list[int] = []
    share = TableColumns.shared

    def counted(columns: TableColumns, width: int, *args: Any, **kwargs: Any) -> list[int]:
        shared.append(width)
        return share(columns, width, *args, **kwargs)

    monkeypatch.setattr(TableColumns, "shared", counted)
    view.resize(460, 700)
    seen = grown(view, MARKS + "| T | Tropical | 9.42 | 1025 |\n" * 30)
    assert len(shared) == 2
    assert len(set(map(tuple, seen[:-1]))) == 1, "nothing moves while it comes"
    assert seen[-1] != seen[0], "the long cell came behind the first row"


def test_the_place_stays_when_columns_of_a_table_above_it_change(view: TranscriptView) -> None:
    view.resize(460, 500)
    text = MARKS + "\n" + "Some words.\n\n" * 60
    view.show_path([message(1, "user", "Which?")])
    view.stream.begin_answer(message(0, "assistant"))
    view.stream.grow_answer("m0", "text", text)
    view.stream.show_now()
    view.scroll_by(10_000)
    table = view.row_layout.message_layout(1).rows[0].item
    before, height = [(id(each.row), each.top) for each in view.row_layout.placed], table.height
    view.stream.finish_answer(message(0, "assistant", text))
    assert [(id(each.row), each.top) for each in view.row_layout.placed] == before
    view.row_layout.message_layout(1).lay_out(view.row_layout.message_layout(1).rows[0])
    assert table.height < height
