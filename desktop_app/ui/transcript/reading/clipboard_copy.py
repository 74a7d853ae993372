"""The content for the clipboard: text, Markdown and rich text of a selection, made a slice at a time. Uses no keys.

Whatever is short is in the clipboard when `start` returns; ten thousand messages take a while, and stall nothing.
"""

from __future__ import annotations

import atexit
import html
import os
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from PySide6.QtCore import QByteArray, QMimeData, QObject, QTimer, Signal
from PySide6.QtGui import QClipboard, QGuiApplication

from desktop_app.core.markdown.sections import Section, sections
from desktop_app.core.messages import Message
from desktop_app.ui.i18n.content_words import names_of
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.transcript.canvas.row import gap_between
from desktop_app.ui.transcript.canvas.row_layout import RowLayout
from desktop_app.ui.transcript.items.line_items import PlaceholderItem
from desktop_app.ui.transcript.message.leaf_texts import leaf_texts, readable_groups
from desktop_app.ui.transcript.message.part_groups import written_text
from desktop_app.ui.transcript.message.row_builder import RowBuilder
from desktop_app.ui.transcript.reading.selected_markdown import message_markdown
from desktop_app.ui.transcript.reading.selection import (
    END,
    SelectedLine,
    Selection,
    Spot,
    joined,
    message_text,
    parts_of,
    whole_messages,
)

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
        sent = self._row_builder().sent
        if sent is None or self._row_layout.messages[index].role == "user":
            return markdown
        from desktop_app.core.citations import readable_citations  # most threads cite nothing

        return readable_citations(markdown, sent, translated)

    def _sources(self, text: str, chosen: Chosen, index: int) -> str:
        """The lines below a copied text that say what the numbers in it stand for."""
        sent, numbers = self._row_builder().sent, re.findall(_NUMBER, text)
        if sent is None or not numbers:
            return ""
        from desktop_app.core.citations import citations_in

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
                leaf = leaf_text.leaf
                if leaf.kind != "rule":
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
            from desktop_app.core.markdown.rich_text import rich_renderer

            self._renderer = rich_renderer()
        return self._renderer(piece.head + piece.text)


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
        self._timer = QTimer(self)
        self._timer.setInterval(0)
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
        """Copies this text."""
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
