"""What the clipboard gets: text as it is read, the Markdown of just what is selected, and never a stall."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.core.markdown.inline_text import parse_inline
from desktop_app.core.markdown.markdown_dialect import inline_parser
from desktop_app.core.messages import ThinkingPart
from desktop_app.ui.startup.garbage import GarbageCollection
from desktop_app.ui.transcript.items.item import CanvasRow
from desktop_app.ui.transcript.reading.clipboard_copy import inline_markdown, rich_renderer
from desktop_app.ui.transcript.view import TranscriptView
from tests.benchmarks.bench_transcript import thread
from tests.counted_calls import CountedCalls
from tests.patience import PATIENCE_S
from tests.ui.transcript.gallery import ANSWER, message

END = 1 << 40

TEXT = """# A heading

Some **bold *and* nested** text with `code` and a [link](https://example.org/a).

1. first of **all**
2. second
   - nested item
3. third

> A quote of
> two lines.

```py
one = 1
two = 2
three = 3
```

| a | b |
|---|--:|
| 1 | 2 |
| 3 | 4 |
"""


def laid_out(view: TranscriptView) -> list[CanvasRow]:
    """The rows of the first message that have text."""
    layout = view.row_layout.message_layout(0)
    for row in layout.rows:
        layout.lay_out(row)
    return [row for row in layout.rows if row.slot >= 0]


def markdown_of(view: TranscriptView, start: tuple[str, int], end: tuple[str, int], text: str = TEXT) -> str:
    """The Markdown from one place to another: places are a row's beginning and a position in it."""
    view.show_path([message(0, "assistant", text)])
    spots = []
    for begins, position in (start, end):
        row = next(row for row in laid_out(view) if row.item.reading.startswith(begins))
        spots.append((0, row.slot, position))
    view.selection.anchor, view.selection.caret = spots
    view.copying.copy_as_markdown()
    return QGuiApplication.clipboard().text()


@pytest.mark.parametrize(
    ("start", "end", "markdown"),
    [
        (("A heading", 0), ("A heading", 9), "# A heading"),
        (("A heading", 2), ("A heading", 9), "heading"),
        (("Some", 5), ("Some", 13), "**bold *and***"),
        (("Some", 10), ("Some", 18), "***and* nest**"),
        (("Some", 32), ("Some", 35), "`ode`"),
        (("Some", 43), ("Some", 46), "[ink](https://example.org/a)"),
        (("first", 0), ("second", 3), "1. first of **all**\n2. sec"),
        (("first", 6), ("nested", END), "of **all**\n2. second\n   - nested item"),
        (("nested", 0), ("nested", END), "- nested item"),
        (("A quote", 2), ("A quote", 7), "> quote"),
        (("one", 0), ("one", END), "```py\none = 1\ntwo = 2\nthree = 3\n```"),
        (("one", 8), ("one", 15), "`two = 2`"),
        (("one", 0), ("one", 15), "```py\none = 1\ntwo = 2\n```"),
        (("a\tb", 4), ("a\tb", END), "| a | b |\n| --- | ---: |\n| 1 | 2 |\n| 3 | 4 |"),
        (("a\tb", 4), ("a\tb", 5), "1"),
        (("one", 8), ("a\tb", 1), "```py\ntwo = 2\nthree = 3\n```\n\na"),
    ],
)
def test_exactly_the_selected_range_is_copied_as_markdown(
    view: TranscriptView, start: tuple[str, int], end: tuple[str, int], markdown: str
) -> None:
    assert markdown_of(view, start, end) == markdown


def test_a_whole_message_is_copied_as_it_was_written(view: TranscriptView) -> None:
    assert markdown_of(view, ("A heading", 0), ("a\tb", END)) == TEXT.rstrip("\n")
    view.show_path([message(0, "user", "*typed*\n\n  as it is"), message(1, "assistant", ANSWER)])
    view.copying.copy_thread()
    assert QGuiApplication.clipboard().text() == f"*typed*\n\n  as it is\n\n{ANSWER}"


def test_marks_that_would_read_as_others_go_before_a_word_does() -> None:
    parser = inline_parser()
    read = parse_inline(parser, "_*<<<<<<*<_")
    assert inline_markdown(read, 5, 7) == r"\<\<"


@given(st.text(alphabet="ab *_`~$[]()\\<&!#", max_size=40), st.data())
@settings(max_examples=300)
def test_a_part_of_a_line_reads_the_same_when_it_is_read_again(source: str, data: st.DataObject) -> None:
    parser = inline_parser()
    read = parse_inline(parser, source)
    start = data.draw(st.integers(0, len(read.text)))
    end = data.draw(st.integers(start, len(read.text)))
    for span in read.spans:  # nobody can select a part of a formula
        if span.kind == "formula" and span.start < end and start < span.end:
            start, end = min(start, span.start), max(end, span.end)
    again = parse_inline(parser, inline_markdown(read, start, end))
    wanted = read.text[start:end]
    assert [c for c in again.text if not c.isspace()] == [c for c in wanted if not c.isspace()]


def test_rich_text_stands_beside_the_plain(view: TranscriptView) -> None:
    view.show_path(
        [message(0, "user", "a < b"), message(1, "assistant", "**Bold** ![x](http://e.org/i.png) <b>raw</b>")]
    )
    view.selection.select_all()
    view.copying.copy()
    data = QGuiApplication.clipboard().mimeData()
    assert data.text() == "a < b\n\nBold x <b>raw</b>"
    assert "<p>a &lt; b</p>" in data.html()
    assert "<strong>Bold</strong>" in data.html()
    assert "<img" not in data.html()
    assert "<b>raw" not in data.html()


def test_what_is_folded_is_not_copied_but_what_is_unfolded_is(view: TranscriptView) -> None:
    path = [message(0, "user", "q"), message(1, "assistant", ThinkingPart("Secret"), "Answer"), message(2, "user", "r")]
    view.show_path(path)
    view.selection.select_all()
    assert view.copying.selected_text() == "q\n\nAnswer\n\nr"
    view.row_layout.message_layout(1).toggle(0)
    assert view.copying.selected_text() == "q\n\nSecret\n\nAnswer\n\nr"
    view.row_layout.forget_rows()
    assert view.copying.selected_text() == "q\n\nSecret\n\nAnswer\n\nr", "read without rows the text is the same"


def test_messages_without_rows_read_the_same(view: TranscriptView) -> None:
    view.show_path([message(0, "user", "q"), message(1, "assistant", TEXT + ANSWER), message(2, "user", "r")])
    view.selection.select_all()
    view.row_layout.message_layout(1)
    with_rows = view.copying.selected_text()
    view.row_layout.forget_rows()
    assert view.copying.selected_text() == with_rows
    assert "• [" not in with_rows


@pytest.mark.slow
def test_ten_thousand_messages_are_copied_without_a_stall(view: TranscriptView, qtbot: QtBot) -> None:
    messages = thread(10_000)
    view.show_path(messages)
    garbage = GarbageCollection(view)  # as in the app: collections wait for quiet moments
    garbage.start()
    view.selection.select_all()
    with CountedCalls() as work:
        view.copying.copy()
    longest = every = work.calls
    while view.copying.busy:
        with CountedCalls() as work:
            QApplication.processEvents()
        longest, every = max(longest, work.calls), every + work.calls
    garbage.stop()
    text = QGuiApplication.clipboard().text()
    assert len(text) > 0.8 * sum(len(m.text) for m in messages)
    assert longest < every / 10, "a slice is a small part of the work, on a quick machine too"


def test_the_rich_form_is_what_a_parser_makes_of_the_source(view: TranscriptView) -> None:
    markdown_of(view, ("A heading", 0), ("a\tb", END))
    view.copying.copy()
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(TEXT)
    assert QGuiApplication.clipboard().mimeData().html().strip() == html.strip()


def test_a_long_table_or_fence_keeps_its_rich_form_to_its_end(view: TranscriptView) -> None:
    rows, code = "| 1 | 2 |\n" * 900, "> *a*\n" * 1_500
    text = f"| a | b |\n|---|---|\n{rows}\n> ~~~\n{code}"
    view.show_path([message(0, "user", text), message(1, "assistant", text)])
    view.selection.select_all()
    view.copying.copy()
    while view.copying.busy:
        QApplication.processEvents()
    html = QGuiApplication.clipboard().mimeData().html()
    assert html.count("<td>1</td>") == 900
    assert html.count("| 1 |") == 900, "what was typed stays as it is"
    assert html.count("*a*") == 2 * 1_500
    assert html.count("~~~") == 1


@pytest.mark.slow
def test_a_process_that_copied_ends_in_order() -> None:
    code = """
from PySide6.QtWidgets import QApplication
from desktop_app.ui.theme.theme import load_bundled_fonts, load_theme
from desktop_app.ui.transcript.view import TranscriptView
from tests.ui.transcript.gallery import thread
app = QApplication([])
load_bundled_fonts()
view = TranscriptView(load_theme("light"))
view.show_path(thread())
view.selection.select_all()
view.copying.copy()
assert app.clipboard().mimeData().hasHtml()
print("copied")
"""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, timeout=PATIENCE_S, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, b"copied")


def test_formulas_and_notes_stand_in_rich_text() -> None:
    written = rich_renderer()("A \\(a_1*b*c\\) & $x<y$[^1] <b>[^2]\n\n$$\n\\alpha\n$$\n\n[^1]: Note\n")
    assert written == (
        "<p>A \\(a_1*b*c\\) &amp; $x&lt;y$¹ &lt;b&gt;[^2]</p>\n<p>$$\n\\alpha\n$$</p>\n<div>¹ <p>Note</p>\n</div>\n"
    )
