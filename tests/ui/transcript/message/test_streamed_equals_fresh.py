"""What has streamed is shown as the same text is when it is opened afresh, however it came and formulas arrived."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QImage

from desktop_app.core.artifacts import kept_lines, marked, with_mark_deleted
from desktop_app.core.messages import Message, TextPart, ThinkingPart
from desktop_app.ui.theme.theme import load_bundled_fonts, load_theme
from desktop_app.ui.transcript.formulas import inline_formulas
from desktop_app.ui.transcript.formulas.inline_formulas import FormulaCache
from desktop_app.ui.transcript.items.item import CanvasRow, Item
from desktop_app.ui.transcript.items.table_item import TableItem
from desktop_app.ui.transcript.items.text_item import TextItem
from desktop_app.ui.transcript.message.message_changes import FormulaUpdates
from desktop_app.ui.transcript.message.message_layout import MessageLayout
from desktop_app.ui.transcript.message.read_messages import leaf_texts, readable_groups
from desktop_app.ui.transcript.view import TranscriptView
from tests.fakes.formula_press import GatedPress, box
from tests.ui.transcript.gallery import message

#: `LONG_EXAMPLES=2000 pytest ...` tries more of them.
EXAMPLES = int(os.environ.get("LONG_EXAMPLES", "40"))

MARKED = r"""word and $5 $6.50 $x_1$ $\rho$ \(y^2\) $$z$$ \[w\] `code` `a|b` ``$`` **bold** *it* ~~gone~~ ***x*** **un
    *un `un ``un $un $1, \(un [un ![un ] ) * _ ~ \ \| \$5 \* <b>h</b> <br> &amp; &lt; [^1] [^n] [^2] [ref] [text][ref]
    [link](https://example.org/a_(b)) [$x_1$](https://example.org) https://example.org/x, <https://example.org>
    ![pic](https://example.org/p.png) 漢字かな 한국어 שלום مرحبا 😀 incomprehensibilities - 1. # > | :"""
WORDS = st.sampled_from([*MARKED.split(), "a\\\nb", "soft\u00adhyphen", "👩\u200d👩\u200d👧", "e\u0301"])
LINES = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)
FORMULAS = st.sampled_from(["a", "x_1", "\\frac{a}{b}", "a\n+ b", "a \\\\ b", "\\unknown"])
MARKERS = st.sampled_from(["- ", "* ", "1. ", "2) ", "- [ ] ", "- [x] "])
CELLS = st.lists(WORDS, max_size=3).map(lambda words: " ".join(words).replace("|", "\\|").replace("\n", " "))


@st.composite
def tables(draw: st.DrawFn) -> str:
    columns = draw(st.integers(1, 3))
    left, right = draw(st.sampled_from([("| ", " |"), ("| ", ""), ("", "")]))
    head, *rows = draw(st.lists(st.lists(CELLS, min_size=columns, max_size=columns), min_size=1, max_size=5))
    rules = draw(st.lists(st.sampled_from(["---", ":-:", "---:"]), min_size=columns, max_size=columns))
    if draw(st.booleans()) and rows:
        rows[-1].pop()
    return "\n".join(left + " | ".join(row) + right for row in (head, rules, *rows))


@st.composite
def fences(draw: st.DrawFn) -> str:
    mark = draw(st.sampled_from(["```", "~~~", "````"]))
    code = "\n".join(draw(st.lists(LINES, max_size=4)))
    end = draw(st.sampled_from(["\n" + mark, ""]))
    return f"{mark}{draw(st.sampled_from(['', 'python', 'text x']))}\n{code}{end}"


def within(blocks: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """These in a list item, a quote or a note."""
    return st.tuples(st.one_of(MARKERS, st.sampled_from(["> ", "[^1]: ", "[^n]: "])), blocks).map(
        lambda one: one[0] + one[1].replace("\n", "\n" + (one[0] if one[0] == "> " else " " * min(4, len(one[0]))))
    )


BLOCKS = st.recursive(
    st.one_of(
        st.lists(LINES, min_size=1, max_size=3).map("\n".join),
        st.lists(LINES, min_size=1, max_size=2).map("  \n".join),
        st.tuples(st.sampled_from(["# ", "## ", "###### "]), LINES).map("".join),
        st.tuples(LINES, st.sampled_from(["\n===", "\n---"])).map("".join),
        tables(),
        tables(),
        fences(),
        st.tuples(st.just("$$\n"), FORMULAS, st.sampled_from(["\n$$", ""])).map("".join),
        st.tuples(st.just("\\["), FORMULAS, st.sampled_from(["\\]", "\n\\]", ""])).map("".join),
        FORMULAS.map("$${}$$".format),
        st.sampled_from(
            [
                "---",
                "<details>\n<summary>More</summary>\n\nInside\n</details>",
                "<!-- a\n\ncomment -->",
                "    indented\n    code",
                "[ref]: https://example.org/ref 'Title'",
                "[^1]: The first note.",
                "[^n]: A named note,\n    and more of it.",
            ]
        ),
    ),
    lambda inner: within(st.lists(inner, min_size=1, max_size=2).map("\n\n".join)),
    max_leaves=3,
)
TEXTS = st.lists(
    st.tuples(BLOCKS, st.sampled_from(["\n\n", "\n\n", "\n", "\r\n\r\n", ""])), min_size=1, max_size=5
).map(lambda blocks: "".join(itertools.chain.from_iterable(blocks)))


@dataclass(frozen=True)
class Stream:
    """How a text comes: in deltas of these sizes in turn; after each, so many formulas arrive, if not in vain.

    `waits`: the text waits for its formulas as long as it takes, else not at all. `meanwhile`: what else is done after
    a delta, also in turn; `part`: the text is finished as a part before the answer is, and thinking came before it.
    """

    sizes: Sequence[int]
    arriving: Sequence[int]
    failing: Sequence[bool]
    waits: bool
    widths: tuple[int, int]
    meanwhile: Sequence[str] = ("",)
    wraps: bool = False
    part: bool = False


STREAMS = st.builds(
    Stream,
    st.lists(st.sampled_from([1, 2, 3, 5, 8, 13, 30, 80]), min_size=1, max_size=5),
    st.lists(st.integers(0, 2), min_size=1, max_size=3),
    st.lists(st.booleans(), min_size=1, max_size=3),
    st.booleans(),
    st.tuples(st.integers(240, 600), st.integers(601, 1_000)).flatmap(st.permutations).map(tuple),
    st.lists(st.sampled_from(["", "", "", "resize", "restyle", "up", "down"]), min_size=1, max_size=4),
    st.booleans(),
    st.booleans(),
)
PLAIN = Stream([3], [0], [False], waits=False, widths=(900, 600))


@pytest.fixture(scope="module")
def views(qapp: object) -> Iterator[tuple[TranscriptView, TranscriptView]]:
    """One in which texts stream, and one in which they are opened; both have the same formulas."""
    load_bundled_fonts()
    streaming, opening = TranscriptView(load_theme("light")), TranscriptView(load_theme("light"))
    for view in (streaming, opening):
        view.show()
    yield streaming, opening
    for view in (streaming, opening):
        view.close()
        view.deleteLater()


def text_shown(item: Item) -> object:
    """What is there to be read of an item, formulas by their source; what is held back is not there."""
    if isinstance(item, TableItem):
        return [[text_shown(cell) for cell in row] for row in item.cells]
    if isinstance(item, TextItem) and (item._hidden is not None or item._waits_now):
        return "held back", item._hidden
    return item.sign, item.text(0, item.length), item.buttons()


def lay_out(layout: MessageLayout) -> Sequence[CanvasRow]:
    for row in layout.rows:
        layout.lay_out(row)
    return layout.rows


def texts(layout: MessageLayout) -> list[tuple[object, ...]]:
    """The texts of a message as they stand on the canvas, and whether more of them is expected."""
    return [
        (
            type(row.item).__name__,
            getattr(row.item, "growing", False),
            row.containers,
            row.marker,
            row.slot,
            row.part,
            text_shown(row.item),
        )
        for row in lay_out(layout)
    ]


def places(layout: MessageLayout) -> list[tuple[object, ...]]:
    return [
        (row.gap, row.tail, row.left, row.item.width, row.item.height, text_shown(row.item)) for row in lay_out(layout)
    ]


def missing(view: TranscriptView) -> list[str]:
    """What is not read as it is written while more comes behind it: texts that are whole and refer to nothing."""
    whole: list[TextItem] = []
    for row in lay_out(view.row_layout.message_layout(1)):
        if isinstance(row.item, TableItem):
            rows = row.item.cells[:-1] if row.item.growing else row.item.cells
            whole += itertools.chain.from_iterable(rows)
        elif isinstance(row.item, TextItem) and not row.item.growing and row.leaf and row.leaf.kind == "paragraph":
            whole.append(row.item)
    plain = (item for item in whole if "[" not in item._source)
    return [item._source for item in plain if item.inline != view.row_builder._read({}, item._source)]


def found_and_shown(view: TranscriptView) -> tuple[list[str], list[str]]:
    """What is looked through of a growing text, and what its rows read."""
    answer, growing = view.stream.message_now(1)
    last = readable_groups(answer)[-1:]
    found = list(leaf_texts(view.row_builder, answer, last, growing=growing))
    shown = [row for row in lay_out(view.row_layout.message_layout(1)) if row.leaf is not None]
    return [one.text for one in found], [row.item.reading for row in shown]


def check(streamed: Sequence[object], fresh: Sequence[object], when: str) -> None:
    differing = [both for both in itertools.zip_longest(streamed, fresh) if both[0] != both[1]]
    assert not differing, f"{when}: {differing[0]}"


def pictures(view: TranscriptView) -> list[QImage]:
    """The whole transcript, from its top, a viewport at a time."""
    view.row_layout.place_message(0, 0)
    made = []
    while True:
        view.repaint_all()
        made.append(QImage(view.viewport().size(), QImage.Format.Format_RGB32))
        made[-1].fill(0)
        view.viewport().render(made[-1])
        y = view.row_layout.y
        view.row_layout.place_at(y + view.row_layout.view)
        if view.row_layout.y == y:
            return made


def deltas(text: str, sizes: Sequence[int]) -> Iterator[str]:
    position = 0
    for size in itertools.cycle(sizes):
        if position >= len(text):
            return
        yield text[position : position + size]
        position += size


def grows(view: TranscriptView) -> bool:
    return bool(view.growing)


def act(view: TranscriptView, what: str, other_width: int) -> None:
    """What may happen while an answer streams."""
    if what == "resize":
        view.resize(other_width, 700)
    elif what == "restyle":
        view.set_theme(load_theme("light"))
    elif what:
        view.scroll_by(200 if what == "down" else -200)


class Formulas:
    """Answers what two views ask for, out of order."""

    def __init__(self, views: tuple[TranscriptView, TranscriptView], failing: Sequence[bool]) -> None:
        self.cache = FormulaCache(press=GatedPress)
        for view in views:
            view.formula_updates = FormulaUpdates(view, partial(grows, view), self.cache)
        self._failing = itertools.cycle(failing)

    def answer(self, count: int) -> None:
        """So many arrive, the last that was asked for first."""
        press = self.cache.typesetter
        assert isinstance(press, GatedPress)
        for source, _ in reversed(press.asked[-count:] if count else []):
            press.answer(source, box(700 * len(source), 900 * len(source), 200), failed=next(self._failing))
        self.cache.take_arrived()
        self.cache.announce()

    def answer_all(self) -> None:
        press = self.cache.typesetter
        assert isinstance(press, GatedPress)
        while press.asked:
            self.answer(1_000)
        self.cache.announce()


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(TEXTS, STREAMS)
@example("| Fruit | Price |\n|---|---:|\n| Apple | $5 |\n| Pear | $6 |\n| Plum | 7 |\n", PLAIN)
@example("| $\\rho$ | Price |\n|---|---:|\n| Apple | **un |\n| Pear | $x$ |\n", PLAIN)
@example("| a | b |\n|---|---|\n| x | $5 |\n| y", PLAIN)
@example("Words[^1] of it.\n\nMore", replace(PLAIN, meanwhile=["restyle"]))
@example("- | a |\n  | ---: |\n  | b |\n", PLAIN)
@example("```\na\n\n```\n", replace(PLAIN, part=True))
@example("[text][ref], [^1], [^n]\n\n[ref]: https://example.org\n\n[^n]: A note.\n", PLAIN)
def test_a_streamed_text_is_shown_as_it_is_opened_afresh(
    views: tuple[TranscriptView, TranscriptView], text: str, how: Stream
) -> None:
    streaming, opening = views
    formulas = Formulas(views, how.failing)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inline_formulas, "HOLD_S", 60.0 if how.waits else 0.0)
        for view in views:
            view.show_path([])
            view.row_layout.recent.clear()
            view.resize(how.widths[0], 700)
            view.wrap_code(how.wraps)
        streaming.stream.add_message(message(0, "user", "Tell me"))
        streaming.stream.begin_answer(message(1, "assistant"))
        thinking = [ThinkingPart("Let me see")] if how.part else []
        for part in thinking:
            streaming.stream.finish_part("m1", part)
        turns = zip(
            deltas(text, how.sizes), itertools.cycle(how.arriving), itertools.cycle(how.meanwhile), strict=False
        )
        for delta, count, what in turns:
            streaming.stream.grow_answer("m1", "text", delta)
            streaming.stream.show_now()
            formulas.answer(count)
            act(streaming, what, how.widths[streaming.width() == how.widths[0]])
        assert missing(streaming) == []
        if not how.waits and "]:" not in text:  # what is defined behind it is not read into what is painted
            check(*found_and_shown(streaming), "while it grows")
        if how.part:
            streaming.stream.finish_part("m1", TextPart(text))
        stored = [message(0, "user", "Tell me"), message(1, "assistant", *thinking, text)]
        streaming.stream.finish_answer(stored[1])
        opening.resize(streaming.size())
        opening.show_path(stored)
        if how.waits:
            formulas.answer_all()
        grown, opened = (view.row_layout.message_layout(1) for view in views)
        check(texts(grown), texts(opened), "at once")
        formulas.answer_all()
        for view in views:
            view.resize(how.widths[view.width() == how.widths[0]], 700)
        formulas.answer_all()
        check(places(grown), places(opened), "at another width")
        fresh = pictures(opening)
        check(pictures(streaming), fresh, "painted at another width")
        path = list(streaming.messages)
        streaming.show_path([replace(message(2, "user", "x"), thread_id="u")])
        streaming.show_path(path)
        check(pictures(streaming), fresh, "painted when its thread is shown again")
    formulas.cache.close()


def shown_texts(view: TranscriptView, answer: Message) -> list[tuple[object, ...]]:
    view.show_path([])
    view.row_layout.recent.clear()
    view.show_path([answer])
    return texts(view.row_layout.message_layout(0))


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(TEXTS, fences(), TEXTS, st.tuples(st.integers(0, 9), st.integers(0, 9)))
@example("Words[^1] and [text][ref]:\n\n", "```\na\n```", "\n\n[^1]: The note.\n\n[ref]: https://example.org", (0, 0))
@example("1. One:\n\n   ```\n   a\n   b\n   ```\n\n2. Two:\n\n", "   ```\n   a\n   b\n   ```", "\n\n3. Three", (0, 1))
@example("", "```\na\n```", "\n\n> ```\n> a\n> ```\n\n    a\n", (1, 2))
def test_an_answer_reads_the_same_when_blocks_of_it_were_kept_as_artifacts(
    views: tuple[TranscriptView, TranscriptView], before: str, fence: str, behind: str, chosen: tuple[int, int]
) -> None:
    view, answer = views[1], message(1, "assistant", before + fence + behind)
    whole = shown_texts(view, answer)
    leaves = [row.leaf for row in view.row_layout.message_layout(0).rows if row.leaf is not None]
    blocks = [(leaf.first_line, leaf.end_line) for leaf in leaves if leaf.kind == "code"]
    assume(blocks)
    kept = answer
    for place in (blocks[number % len(blocks)] for number in chosen):
        kept = marked(kept, str(place), "Code", 1, place)
        check(shown_texts(view, kept), whole, "kept")
        assert place[0] in kept_lines(kept)
        assert kept.text == answer.text
    first = blocks[chosen[0] % len(blocks)]
    gone = with_mark_deleted(kept, str(first), deleted=True)
    assert first[0] not in kept_lines(gone)
    check(shown_texts(view, gone), whole, "deleted")
    again = marked(gone, "again", "Code", 1, first)
    assert set(kept_lines(again)) == set(kept_lines(kept))
    check(shown_texts(view, again), whole, "kept again")
    for place in blocks:
        gone = with_mark_deleted(gone, str(place), deleted=True)
    check(shown_texts(view, marked(gone, "all", "All", 1)), whole, "kept whole")


def test_blocks_that_an_earlier_version_kept_without_the_lines_around_them_read_as_before(
    views: tuple[TranscriptView, TranscriptView],
) -> None:
    pieces = ["Words[^1]:\n", "```\na\n```\n", "[^1]: The note."]
    whole = shown_texts(views[1], message(1, "assistant", "".join(pieces)))
    parts = [TextPart(text, {"artifact": {"id": "a"}} if text[0] == "`" else {}) for text in pieces]
    check(shown_texts(views[1], message(1, "assistant", *parts)), whole, "kept")


LONG_LINE = "word $x$ **b** and `code`, " * 700 + "and it costs $5\n\n"
LONG_TEXTS = {
    "lines": LONG_LINE * 2,
    "code": ("```\n" + "x = 1  # $5\n" * 700 + "```\n\n") * 2,
    "table": "| Fruit | Price |\n|---|---:|\n" + "".join(f"| Apple {n} | ${n} |\n" for n in range(400)) + "\nEnd.\n",
    "list": "".join(f"- [ ] item {n} with $x_{n}$ for ${n}\n  - inner\n" for n in range(300)),
}


@pytest.mark.parametrize("text", LONG_TEXTS.values(), ids=LONG_TEXTS)
def test_a_long_text_is_shown_to_its_end(views: tuple[TranscriptView, TranscriptView], text: str) -> None:
    streaming, opening = views
    formulas = Formulas(views, [True])
    for view in views:
        view.show_path([])
        view.resize(700, 700)
    streaming.stream.begin_answer(message(1, "assistant"))
    for delta in deltas(text, [700, 1, 1_300]):
        streaming.stream.grow_answer("m1", "text", delta)
        streaming.stream.show_now()
    streaming.stream.finish_answer(message(1, "assistant", text))
    opening.show_path([message(1, "assistant", text)])
    grown, opened = (view.row_layout.message_layout(0) for view in views)
    opened.open_all()
    formulas.answer_all()
    said = [
        [(row.marker, row.item.text(0, row.item.length).strip()) for row in lay_out(one)] for one in (grown, opened)
    ]
    check(said[0], said[1], "to its end")
    formulas.cache.close()
