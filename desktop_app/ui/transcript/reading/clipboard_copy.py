"""The text of messages as it leaves the canvas: for the clipboard, made a slice at a time, and for screen readers."""

from __future__ import annotations

import atexit
import html
import os
import re
import textwrap
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal, Protocol

from markdown_it import MarkdownIt
from markdown_it.token import Token
from PySide6.QtCore import QByteArray, QMimeData, QObject, QRect, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QClipboard, QGuiApplication

from desktop_app.core.citations import citations_in, readable_citations
from desktop_app.core.markdown.blocks import BULLET, TablePiece
from desktop_app.core.markdown.footnotes import NUMBERS, label_of, note_references, number_in, shown_note
from desktop_app.core.markdown.inline_text import LINE_BREAK, Inline, Span, parse_inline
from desktop_app.core.markdown.markdown_dialect import inline_parser, whole_parser
from desktop_app.core.markdown.sections import Section, sections
from desktop_app.core.messages import Message
from desktop_app.ui.i18n.content_words import names_of, spoken_of
from desktop_app.ui.i18n.language import tr, translated
from desktop_app.ui.transcript.canvas.canvas import Canvas
from desktop_app.ui.transcript.canvas.row_layout import RowLayout
from desktop_app.ui.transcript.items.item import CanvasRow, Selected, gap_between, utf16_length, utf16_slice
from desktop_app.ui.transcript.items.line_items import PlaceholderItem
from desktop_app.ui.transcript.items.table_item import TableItem
from desktop_app.ui.transcript.items.text_item import TextItem
from desktop_app.ui.transcript.message.action_bar import branch_words
from desktop_app.ui.transcript.message.decorations import Decorations
from desktop_app.ui.transcript.message.message_changes import AnswerStream
from desktop_app.ui.transcript.message.message_layout import MessageLayout
from desktop_app.ui.transcript.message.read_messages import leaf_texts, readable_groups
from desktop_app.ui.transcript.message.row_builder import RowBuilder, written_text
from desktop_app.ui.transcript.message.tool_rows import awaited_words, spoken_text
from desktop_app.ui.transcript.reading.accessible_transcript import AccessibleMessage
from desktop_app.ui.transcript.reading.reader import (
    END,
    SelectedLine,
    Selection,
    Spot,
    joined,
    message_text,
    parts_of,
    whole_messages,
)

CITATIONS = ("cite", "unsent")
_MARKS = {"strong": "**", "em": "*", "strike": "~~"}
#: What is escaped where the text would be read otherwise. A backslash before a bracket would begin a formula.
_SPECIAL = re.compile(r"[\\`*_<!&$~#]|[\[\]()]")
_ENTITIES = {"[": "&#91;", "]": "&#93;", "(": "&#40;", ")": "&#41;"}


def message_markdown(layout: MessageLayout, parts: Sequence[tuple[CanvasRow, Selected]]) -> str:
    """The Markdown of these selected parts of a message's rows, in order."""
    chosen = {id(row): part for row, part in parts}
    cut = {
        (row.part, row.leaf.first_line, row.leaf.end_line)
        for row in layout.rows
        if row.leaf is not None and row.slot >= 0 and not _is_whole(row, chosen.get(id(row)))
    }
    texts: list[tuple[str, CanvasRow]] = []
    span: tuple[int, int, int] | None = None
    opened: CanvasRow | None = None

    def close() -> None:
        nonlocal span
        if span is not None and opened is not None:
            lines = layout.source_lines(*span)
            texts.append((textwrap.dedent(lines) if opened.containers and lines[:1] == " " else lines, opened))
        span = None

    for row, part in parts:
        if (leaf := row.leaf) is None:
            continue
        if (row.part, leaf.first_line, leaf.end_line) in cut:
            close()
            texts.append((row_markdown(row, part), row))
        elif span is not None and span[0] == row.part:
            span = (row.part, min(span[1], leaf.first_line), max(span[2], leaf.end_line))
        else:
            close()
            span, opened = (row.part, leaf.first_line, leaf.end_line), row
    close()
    return _joined(texts)


def _joined(texts: Iterable[tuple[str, CanvasRow]]) -> str:
    whole = ""
    above: CanvasRow | None = None
    for text, row in texts:
        if not text:
            continue
        if above is not None:
            in_list = {"u", "o"} & set(row.containers) and {"u", "o"} & set(above.containers)
            whole += "\n" if in_list else "\n\n"
        whole += text
        above = row
    return whole


def _is_whole(row: CanvasRow, part: Selected | None) -> bool:
    return part is not None and part[0] <= 0 and part[1] >= row.item.length


def row_markdown(row: CanvasRow, part: Selected) -> str:
    leaf, item = row.leaf, row.item
    if leaf is None:
        return ""
    start, end = max(0, part[0]), min(part[1], item.length)
    if start >= end:
        return ""
    if leaf.kind == "code":
        return _prefixed(row, _code(item.text(start, end), leaf.info or leaf.language), start)
    if leaf.table is not None and isinstance(item, TableItem):
        return _prefixed(row, _table(leaf.table, item, start, end), start)
    if isinstance(item, TextItem) and leaf.kind in {"paragraph", "heading"}:
        text = item.inline.text
        first, last = len(utf16_slice(text, 0, start)), len(utf16_slice(text, 0, end))
        source = inline_markdown(item.inline, first, last)
        return _prefixed(row, "#" * leaf.level + " " + source if leaf.level and not start else source, start)
    return item.text(start, end)


def _prefixed(row: CanvasRow, text: str, start: int) -> str:
    """With the marker of its list item, where that is selected too, and the marks of the quotes it stands in."""
    lines = text.split("\n")
    if label_of(row.marker) and not start:
        lines = [f"{row.marker} {lines[0]}", *("    " + line for line in lines[1:])]
    elif row.marker and not start:
        marker = {BULLET: "-"}.get(row.marker, row.marker if row.marker[0] != "[" else f"- {row.marker}") + " "
        indent = "".join("   " if kind == "o" else "  " if kind == "u" else "" for kind in row.containers[:-1])
        lines = [indent + marker + lines[0], *(indent + " " * len(marker) + line for line in lines[1:])]
    quotes = "> " * row.containers.count("q")
    return "\n".join(quotes + line for line in lines)


def _code(text: str, language: str) -> str:
    runs = [len(run) for run in re.findall(r"`+", text)]
    if "\n" not in text:
        mark = "`" * (max(runs, default=0) + 1)
        pad = " " if text[:1] == "`" or text[-1:] == "`" else ""
        return f"{mark}{pad}{text}{pad}{mark}"
    fence = "`" * max(3, max(runs, default=0) + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _table(table: TablePiece, item: TableItem, start: int, end: int) -> str:
    """The rows that are touched, whole and under the table's header; of a single cell its text."""
    rows: list[tuple[int, list[str]]] = []
    offset = 0
    for number, cells in enumerate(item.cells):
        touched = False
        for cell in cells:
            inside = offset <= start and end <= offset + cell.length
            if inside:
                text = cell.inline.text
                first = len(utf16_slice(text, 0, start - offset))
                return inline_markdown(cell.inline, first, len(utf16_slice(text, 0, end - offset)))
            touched = touched or (offset < end and offset + cell.length > start)
            offset += cell.length + 1
        if touched:
            rows.append((number, list(table.rows[number])))
    if not rows:
        return ""
    width = len(table.alignments)
    header = rows.pop(0)[1] if table.has_header and rows[0][0] == 0 else _header(table, width)
    rules = {"left": "---", "center": ":---:", "right": "---:"}
    lines = [header, [rules[alignment] for alignment in table.alignments], *(cells for _, cells in rows)]
    return "\n".join("| " + " | ".join([*cells, *[""] * (width - len(cells))][:width]) + " |" for cells in lines)


def _header(table: TablePiece, width: int) -> list[str]:
    return list(table.rows[0]) if table.has_header else [""] * width


def inline_markdown(inline: Inline, start: int, end: int) -> str:
    """Text with marks that reads `inline.text[start:end]` (code points); escaped only where it must be.

    A formula, or the reference to a note, that is touched is part of it whole.
    """
    for span in inline.spans:
        if span.kind in {"formula", "note", *CITATIONS} and span.start < end and start < span.end:
            start, end = min(start, span.start), max(end, span.end)
    if any(span.kind in CITATIONS and span.start < end and start < span.end for span in inline.spans):
        return _written(inline, start, end, _escaped)  # which read so only where what was sent is known
    wanted = inline.text[start:end].strip()
    shown = {label_of(s.target): inline.text[s.start : s.end] for s in inline.spans if s.kind == "note"}
    notes = note_references(shown)
    for escape in (_as_it_is, _escaped):
        written = _written(inline, start, end, escape)
        if parse_inline(_parser(), written, notes).text.strip() == wanted:
            return written
    # marks that end beside each other may read as others, such as emphasis within emphasis; the words go first
    return _written(inline, start, end, _escaped, marks=False)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    return inline_parser()


def _as_it_is(text: str) -> str:
    return text


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda found: _ENTITIES.get(found.group(), "\\" + found.group()), text)


def _written(inline: Inline, start: int, end: int, escape: Callable[[str], str], *, marks: bool = True) -> str:
    opening: dict[int, list[Span]] = {}
    closing: dict[int, list[Span]] = {}
    verbatim = {
        span.start: replace(span, target=f"[{span.target}]")
        for span in inline.spans
        if span.kind in CITATIONS and start <= span.start < end
    }
    for span in inline.spans:
        a, b = max(span.start, start), min(span.end, end)
        # a mark cannot stand beside a space inside it
        while a < b and inline.text[a].isspace():
            a += 1
        while a < b and inline.text[b - 1].isspace():
            b -= 1
        if a >= b or span.kind in CITATIONS:
            continue
        cut = Span(a, b, span.kind, span.target)
        if span.kind in {"code", "math", "formula", "note"}:
            verbatim[a] = cut
        elif marks:
            opening.setdefault(a, []).append(cut)
            closing.setdefault(b, []).append(cut)
    out: list[str] = []
    position = start
    while position <= end:
        for span in sorted(closing.get(position, ()), key=lambda span: -span.start):
            out.append(f"]({span.target})" if span.kind == "link" else _MARKS[span.kind])
        for span in sorted(opening.get(position, ()), key=lambda span: -span.end):
            out.append("[" if span.kind == "link" else _MARKS[span.kind])
        if position == end:
            break
        if position in verbatim:
            span = verbatim[position]
            text = inline.text[span.start : span.end]
            out.append(_code(text, "") if span.kind == "code" else span.target or text)
            position = span.end
            continue
        stop = min((place for place in (*opening, *closing, *verbatim, end) if place > position), default=end)
        text = inline.text[position:stop]
        out.append(escape(text).replace(LINE_BREAK, "\\\n"))
        position = stop
    return "".join(out)


#: How long one slice takes at most (seconds). So much text is read at once in any case (characters).
SLICE_S = 0.004
SHORT = 5_000
#: Longer Markdown is copied without its rich form: rendering it would take longer than anybody waits.
LONGEST_RICH = 200_000

#: More of a selection than this is not quoted (characters).
LONGEST_QUOTE = 100_000

#: Longer text goes to Qt as UTF-8, which takes a tenth of the time.
LONG = 1_000_000

#: Marks what this process has put into the clipboard with all its forms.
OURS = "application/x-plimsoll-copied"

#: The number of a citation as it stands in the text.
_NUMBER = "\u202f([⁰¹²³⁴⁵⁶⁷⁸⁹]+)\u202f"

Form = Literal["rich", "text", "markdown"]
Chosen = tuple[Spot, Spot]


@dataclass(slots=True)
class CopiedTexts:
    """The texts read of a selection: one text a message."""

    html: list[str] = field(default_factory=list)
    size: int = 0
    _text: list[str] = field(default_factory=list)
    _encoded: QByteArray = field(default_factory=QByteArray)

    @property
    def is_plain(self) -> bool:
        """True for a short text without a rich form."""
        return not self.html and self.size < LONG

    def mime(self) -> QMimeData:
        """All forms together."""
        data = QMimeData()
        data.setData(OURS, str(os.getpid()).encode())
        if self.html:
            data.setHtml("\n".join(self.html))
        if self.size < LONG:
            data.setText(self.plain)
        else:
            data.setData("text/plain", self._encoded)
        return data

    def add(self, text: str) -> None:
        """Adds what is copied of one message."""
        if text:
            self.size += len(text)
            # bit by bit, and in the form in which Qt takes it: to encode or to copy all of it in the end would take
            # 20 to 40 ms
            self._encoded.append((b"\n\n" if self._text else b"") + text.encode("utf-8", "replace"))
            self._text.append(text)

    @property
    def plain(self) -> str:
        """All of the text."""
        return "\n\n".join(self._text)


class SelectionReader:
    """Reads selected messages; `unfolded(message)` are the numbers of the parts that are shown whole."""

    def __init__(
        self, row_layout: RowLayout, row_builder: Callable[[], RowBuilder], unfolded: Callable[[Message], set[int]]
    ) -> None:
        self._row_layout = row_layout
        self._row_builder = row_builder
        self._unfolded = unfolded
        self._renderer: Callable[[str], str] | None = None

    def read(self, chosen: Chosen, form: Form, into: CopiedTexts, *, ids: bool = False) -> Iterator[None]:
        """Adds one text after the other; yields between steps of a few milliseconds.

        Citations are footnotes; with `ids`, as they were written, for the model.
        """
        rich = 0
        for index in range(chosen[0][0], min(chosen[1][0], len(self._row_layout.messages) - 1) + 1):
            if form != "markdown":
                text: list[str] = []
                yield from self._text(chosen, index, text)
                into.add(text[0] + self._sources(text[0], chosen, index))
            if form != "text":
                markdown = self._markdown(chosen, index)
                markdown = markdown if ids else self.readable(markdown, index)
                rich += len(markdown)
                if form == "markdown":
                    into.add(markdown)
                elif rich <= LONGEST_RICH:
                    for piece in sections(markdown):
                        into.html.append(self._html(piece, self._row_layout.messages[index]))
                        yield
                else:
                    into.html.clear()
            yield

    def text(self, chosen: Chosen) -> str:
        """The selected text at once."""
        texts = CopiedTexts()
        for _ in self.read(chosen, "text", texts):
            pass
        return texts.plain

    def markdown(self, chosen: Chosen, *, ids: bool = False) -> str:
        """The Markdown of a selection at once; `ids` as in `read`."""
        texts = CopiedTexts()
        for _ in self.read(chosen, "markdown", texts, ids=ids):
            pass
        return texts.plain

    def readable(self, markdown: str, index: int) -> str:
        """Markdown of a message with its citations as footnotes, for people."""
        if (sent := self._row_builder().sent) is None or self._row_layout.messages[index].role == "user":
            return markdown

        return readable_citations(markdown, sent, translated)

    def _sources(self, text: str, chosen: Chosen, index: int) -> str:
        """The lines below a copied text that say what the numbers in it stand for."""
        sent, numbers = self._row_builder().sent, re.findall(_NUMBER, text)
        if sent is None or not numbers:
            return ""

        cited = [one for one in citations_in(self._markdown(chosen, index), sent) if one.passage is not None]
        if len(cited) != len(numbers):
            return ""  # something else looks like a number of a source
        lines = {
            number: f"{number} {translated(one.passage.title)}"
            for number, one in zip(numbers, cited, strict=True)
            if one.passage is not None
        }
        return "\n\n" + "\n".join(lines.values())

    def _text(self, chosen: Chosen, index: int, into: list[str]) -> Iterator[None]:
        ends = index in {chosen[0][0], chosen[1][0]}
        if ends or index in self._row_layout.made:
            layout = self._row_layout.message_layout(index)
            position = 0
            while ends and position < len(layout.rows):
                # bit by bit: to read a long message as a whole would take 50 ms
                if layout.open_at(position):
                    yield
                position += 1
            if ends or not any(isinstance(row.item, PlaceholderItem) for row in layout.rows):
                into.append(message_text(layout, chosen, index))
                return
        message = self._row_layout.messages[index]
        unfolded = self._unfolded(message)
        groups = [group for group in readable_groups(message) if group.kind == "text" or group.number in unfolded]
        parts: list[str] = []
        for group in groups:
            lines: list[SelectedLine] = []
            above = None
            for leaf_text in leaf_texts(self._row_builder(), message, [group]):
                if (leaf := leaf_text.leaf).kind != "rule":
                    text = leaf_text.text.replace("\u2028", "\n")
                    lines.append(SelectedLine(text, leaf.containers, leaf_text.sign, leaf, gap_between(above, leaf)))
                above = leaf
                yield
            parts.append(joined(lines))
        into.append("\n\n".join(parts))

    def _markdown(self, chosen: Chosen, index: int) -> str:
        begins = index > chosen[0][0] or chosen[0][1:] == (0, 0)
        if begins and (index < chosen[1][0] or chosen[1][1] == END):
            return written_text(self._row_layout.messages[index])
        layout = self._row_layout.message_layout(index)
        return message_markdown(layout, parts_of(layout, chosen, index))

    def _html(self, piece: Section, message: Message) -> str:
        if message.role == "user":
            return f"<p>{html.escape(piece.text).replace(chr(10), '<br>')}</p>"
        if self._renderer is None:
            self._renderer = rich_renderer()
        return self._renderer(piece.head + piece.text)


def rich_renderer() -> Callable[[str], str]:
    """Return a renderer of Markdown as HTML; nothing of its own HTML is kept as such.

    Formulas are written as their source, which other programs know how to set; images as their address.
    """
    parser = whole_parser()
    parser.disable("image")
    for kind, write in (
        ("math_inline", _formula),
        ("math_block", _formula_block),
        ("note", _note_reference),
        ("note_open", _note_begin),
        ("note_close", _note_end),
    ):
        parser.add_render_rule(kind, write)

    def render(markdown: str) -> str:
        return str(parser.render(markdown))

    return render


def _formula(_self: object, tokens: Sequence[Token], index: int, *_: Any) -> str:
    return html.escape(tokens[index].content, quote=False)


def _formula_block(_self: object, tokens: Sequence[Token], index: int, *_: Any) -> str:
    return f"<p>{html.escape(tokens[index].content.strip(), quote=False)}</p>\n"


def _note_reference(_self: object, tokens: Sequence[Token], index: int, *_: Any) -> str:
    return html.escape(shown_note(tokens[index].content, number_in(tokens[index])), quote=False)


def _note_begin(_self: object, tokens: Sequence[Token], index: int, _options: object, env: Mapping[str, Any]) -> str:
    label = str(tokens[index].meta["label"])
    return f"<div>{html.escape(shown_note(label, env.get(NUMBERS, {}).get(label, 0)), quote=False)} "


def _note_end(*_: Any) -> str:
    return "</div>\n"


class ClipboardCopy(QObject):
    """Fills the clipboard. `copied` comes when it is filled; what begins later puts an end to what is not done yet.

    `quoted` brings lines of Markdown that the reader wants to quote.
    """

    copied = Signal()
    quoted = Signal(str)

    def __init__(self, reader: SelectionReader, row_layout: RowLayout, selection: Selection) -> None:
        super().__init__(selection)
        self.reader = reader
        self._row_layout = row_layout
        self._selection = selection
        self._work: Iterator[None] | None = None
        self._texts = CopiedTexts()
        self._mode = QClipboard.Mode.Clipboard
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(lambda: self._go_on(SLICE_S))

    def selected_text(self) -> str:
        """Return the text that `copy` puts into the clipboard. Reads all of it at once: for short selections."""
        return self.reader.text(self._selection.range) if self._selection.range is not None else ""

    def selected_markdown(self) -> str:
        """Return the Markdown that `copy_as_markdown` puts into the clipboard. For short selections, too."""
        return self.reader.markdown(self._selection.range) if self._selection.range is not None else ""

    def copy(self) -> None:
        """Puts the selection into the clipboard, as text and as rich text."""
        self.start(self._selection.range, "rich")

    def copy_as_markdown(self) -> None:
        """Puts the source of just the selection into the clipboard."""
        self.start(self._selection.range, "markdown")

    def copy_thread(self) -> None:
        """Puts all messages, as they were written, into the clipboard."""
        if self._row_layout.messages:
            self.start(whole_messages(0, len(self._row_layout.messages) - 1), "markdown")

    def copy_message(self, index: int) -> None:
        """Puts a whole message, as it was written, into the clipboard; of one without text the attachments' names."""
        message = self._row_layout.messages[index]
        self.put(self.reader.readable(written_text(message), index) or names_of(message))

    def offer_selection(self) -> None:
        """Lets the middle button paste what is selected, where the desktop has that."""
        if QGuiApplication.clipboard().supportsSelection():
            self.start(self._selection.range, "text", QClipboard.Mode.Selection)

    def quote(self) -> None:
        """Asks for the selection, or the message that the keyboard is on, to be quoted."""
        chosen, focused = self._selection.range, self._row_layout.focused
        if chosen is None and focused >= 0:
            chosen = whole_messages(focused, focused)
        if chosen is not None:
            source = self.reader.markdown(chosen, ids=True)[:LONGEST_QUOTE]
            self.quoted.emit("".join(f"> {line}".rstrip() + "\n" for line in source.split("\n")))

    @property
    def busy(self) -> bool:
        """True while a long selection is still being read."""
        return self._work is not None

    def start(self, chosen: Chosen | None, form: Form, mode: QClipboard.Mode = QClipboard.Mode.Clipboard) -> None:
        """Copies a selection; None: nothing is selected, and the clipboard stays as it is."""
        if chosen is None or (self.busy and self._mode != mode and mode == QClipboard.Mode.Selection):
            return
        self._texts, self._mode = CopiedTexts(), mode
        self._work = self.reader.read(chosen, form, self._texts)
        self._timer.start()
        self._go_on(SLICE_S)

    def put(self, text: str) -> None:
        if text:
            self._stop()
            QGuiApplication.clipboard().setText(text)
            self.copied.emit()

    def _stop(self) -> None:
        self._timer.stop()
        self._work = None

    def _go_on(self, seconds: float) -> None:
        deadline = time.perf_counter() + seconds
        while self._work is not None:
            if next(self._work, False) is False:
                self._stop()
                texts, self._texts = self._texts, CopiedTexts()
                if texts.is_plain:
                    QGuiApplication.clipboard().setText(texts.plain, self._mode)
                else:
                    _leave_text_at_exit()
                    QGuiApplication.clipboard().setMimeData(texts.mime(), self._mode)
                if self._mode == QClipboard.Mode.Clipboard:
                    self.copied.emit()
            elif time.perf_counter() > deadline and self._texts.size >= SHORT:
                return


@lru_cache(maxsize=1)
def _leave_text_at_exit() -> None:
    atexit.register(leave_text)


def leave_text() -> None:
    """Puts plain text in the place of what we left in the clipboard with a rich form.

    Qt's clipboard outlives Python, and to delete an object there that Python has made ends in a crash.
    """
    if QGuiApplication.instance() is None:
        return
    clipboard = QGuiApplication.clipboard()
    for mode in (QClipboard.Mode.Clipboard, QClipboard.Mode.Selection):
        data = clipboard.mimeData(mode)
        if data is not None and bytes(data.data(OURS).data()) == str(os.getpid()).encode():
            clipboard.setText(data.text(), mode)


class ButtonStops(Protocol):
    """Goes through the links and buttons of a message."""

    def stops(self, message: int) -> list[tuple[int, CanvasRow, str, str]]: ...
    def press_stop(self, message: int, place: int) -> None: ...


class AccessibleMessages(QObject):
    """A `ReadableTranscript`: what the messages on a canvas say about themselves."""

    def __init__(
        self,
        canvas: Canvas,
        decorations: Decorations,
        stream: AnswerStream,
        *,
        selection: Selection,
        reader: SelectionReader,
        buttons: ButtonStops,
    ) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._row_layout = canvas.row_layout
        self._decorations = decorations
        self._stream = stream
        self._selection = selection
        self._reader = reader
        self._buttons = buttons
        self._spoken: AccessibleMessage | None = None
        selection.changed.connect(self._on_selection_changed)

    def count(self) -> int:
        """Return how many messages there are to read."""
        return len(self._row_layout.messages)

    def name(self, index: int) -> str:
        """Who speaks in a message, and what is to be said of it."""
        message, decorations = self._row_layout.messages[index], self._decorations
        speaker = tr("You") if message.role == "user" else tr("Assistant")
        state, mark = decorations.said_of(message), decorations.annotations.get(message.id)
        branch = decorations.branches.get(message.id)
        name = f"{speaker}: {state}" if state else speaker
        shown = branch_words(*branch, question=message.role == "user") if branch is not None else ""
        return ", ".join(words for words in (name, mark.spoken if mark is not None else "", shown) if words)

    def created(self, index: int) -> str:
        """When a message was said (ISO 8601, UTC)."""
        return self._row_layout.messages[index].created

    def text(self, index: int) -> str:
        """Return the text of a message; of a growing answer, the text that has come so far."""
        message = self._row_layout.messages[index]
        if self._stream.is_growing(index):
            layout = self._row_layout.message_layout(index)
            return spoken_text(layout.parts, ended=False, asking=layout.asking) or awaited_words(layout.rows)
        text = message.text if message.role == "user" else spoken_text(message.parts, ended=True)
        return f"{spoken_of(message)}\n{text}".strip()

    def actions(self, index: int) -> Sequence[str]:
        """Return the names of the links and buttons of a message, in order."""
        return [words for _, _, _, words in self._buttons.stops(index)]

    def act(self, index: int, place: int) -> None:
        """Presses one of `actions`."""
        self._buttons.press_stop(index, place)

    def rect(self, index: int) -> QRect:
        """Return the place of a message in view, in the view's pixels; empty if it is not."""
        return self._canvas.message_rect(index)

    def index_at(self, y: int) -> int:
        """The message at a line of the view, -1 if there is none."""
        return self._canvas.message_index_at(y)

    # --- the message that the keyboard is on

    def spoken(self) -> AccessibleMessage | None:
        """The text of the message that the keyboard is on, for a running screen reader."""
        return self._spoken if self._spoken is not None and self._spoken.index >= 0 else None

    def speak_of(self, index: int) -> None:
        """Lets a running screen reader go through the text of a message, -1: none; its caret is the selection's."""
        if not 0 <= index < self.count():
            if self._spoken is not None:
                self._spoken.be_quiet()
            return
        if self._spoken is None:
            self._spoken = AccessibleMessage(self._canvas)
        place = self.rect(index).translated(self._canvas.viewport().pos())
        self._spoken.speak_of(index, self.name(index), self._reader.text(whole_messages(index, index)), place)
        QAccessible.updateAccessibility(QAccessibleEvent(self._spoken, QAccessible.Event.Focus))

    def _on_selection_changed(self) -> None:
        spoken, anchor, caret = self.spoken(), self._selection.anchor, self._selection.caret
        if spoken is not None and anchor is not None and caret is not None:
            spoken.select(self._position(spoken.index, anchor), self._position(spoken.index, caret))

    def _position(self, index: int, spot: Spot) -> int:
        """A spot as a position in what is spoken of a message: before it, in it or at its end."""
        start = (index, 0, 0)
        if spot <= start:
            return 0
        return utf16_length(self._reader.text((start, min(spot, (index, END, END)))))
