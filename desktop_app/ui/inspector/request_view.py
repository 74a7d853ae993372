"""The view of one request, readable or raw, and its lines: headings, folds, marks, what two requests differ in."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_app.core.context.readable_request import DiffHunk, ReadableRequest, RequestBlock, RequestDiff
from desktop_app.ui.i18n.language import grouped, tr
from desktop_app.ui.theme.theme import GRID, Theme, motion
from desktop_app.ui.widgets.fitting import Caption
from desktop_app.ui.widgets.parts import button_in, in_column, single_shot
from desktop_app.ui.widgets.text_lines import LineKind, LinesView, TextLine, plain_text, text_lines

FOLDED_FROM: Final = 2_000
"""Characters from which a text is folded."""
SHOWN: Final = 600
"""Characters of a folded text that are shown."""


def request_lines(request: ReadableRequest, unfolded: Collection[int] = ()) -> list[TextLine]:
    """The readable form. `unfolded` are the numbers of the blocks that are shown whole, from 0."""
    return list(_request_lines(request, unfolded))


def _request_lines(request: ReadableRequest, unfolded: Collection[int]) -> Iterator[TextLine]:
    if request.settings:
        yield TextLine("note", " · ".join(f"{name} {value}" for name, value in request.settings))
    message: int | None = None
    # what was said is what is looked for; the tools, which stand first for the cache, are long and always the same
    for number, block in sorted(enumerate(request.blocks), key=lambda one: one[1].speaker == "tools"):
        if block.message != message:
            yield from (TextLine("text", ""),) if message is not None or request.settings else ()
            yield TextLine("heading", _speaker(block))
            message = block.message
        if title := _title(block):
            yield TextLine("title", title)
        if number not in unfolded and (len(block.text) > FOLDED_FROM or block.kind == "tool"):
            shown = "" if block.kind == "tool" else _beginning(block.text)
            yield from text_lines(shown) if shown else ()
            left = len(block.text) - len(shown)
            yield TextLine("fold", tr("{count} more characters · Show").format(count=grouped(left)), fold=number)
        elif block.text:
            yield from text_lines(block.text)
        if block.mark:
            yield TextLine("mark", tr("cached up to here · {lifetime}").format(lifetime=_lifetime(block.mark)))


def raw_lines(request: ReadableRequest) -> list[TextLine]:
    """The exact texts, each under its name where there are several."""
    names = {"stdin": tr("Standard input"), "system": tr("System prompt")}
    lines: list[TextLine] = []
    for raw in request.raw:
        if raw.title:
            lines += [*([TextLine("text", "")] if lines else []), TextLine("heading", names.get(raw.title, raw.title))]
        lines += text_lines(raw.text)
    return lines


def diff_lines(diff: RequestDiff) -> list[TextLine]:
    """Return the changes between two requests as lines, the unchanged beginning in one line."""
    lines: list[TextLine] = [TextLine("note", cache_words(diff))]
    for name, before, after in diff.settings:
        lines.append(TextLine("note", f"{name}: {before or '–'} → {after or '–'}"))
    for hunk in diff.hunks:
        lines.append(TextLine("text", ""))
        lines += _hunk_lines(hunk)
    return lines


def cache_words(diff: RequestDiff) -> str:
    """Return the words on what a diff means to the provider's cache."""
    match diff.cache:
        case "kept":
            return tr("Cache kept up to block {number}").format(number=grouped(diff.block))
        case "rewritten":
            return tr("Cache rewritten from block {number}").format(number=grouped(diff.block))
        case _ if diff.same:
            return tr("The same up to block {number}; the earlier request has no cache marks").format(
                number=grouped(diff.same)
            )
        case _:
            return tr("Different from the first block on; the earlier request has no cache marks")


def _hunk_lines(hunk: DiffHunk) -> Iterator[TextLine]:
    if hunk.kind == "same" or hunk.block is None:
        one = tr("1 block unchanged")
        many = tr("{count} blocks unchanged").format(count=grouped(hunk.count))
        yield TextLine("note", one if hunk.count == 1 else many)
        return
    words = {
        "changed": tr("Block {number} changed · {speaker}"),
        "added": tr("Block {number} added · {speaker}"),
        "removed": tr("Block {number} no longer sent · {speaker}"),
    }[hunk.kind]
    title = _title(hunk.block)
    speaker = f"{_speaker(hunk.block)} · {title}" if title else _speaker(hunk.block)
    yield TextLine("heading", words.format(number=grouped(hunk.first), speaker=speaker))
    budget = FOLDED_FROM if hunk.kind != "changed" else 10 * FOLDED_FROM
    for place, line in enumerate(hunk.lines):
        if line.skipped:
            yield _unchanged(line.skipped)
        kind: LineKind = "added" if line.sign == "+" else "removed" if line.sign == "-" else "text"
        yield from text_lines(f"{line.sign} {line.text[:budget]}", kind)
        budget -= len(line.text) + 1
        if budget <= 0 and place + 1 < len(hunk.lines):
            left = len(hunk.lines) - place - 1
            yield TextLine("note", tr("{count} more lines").format(count=grouped(left)))
            return


def _unchanged(count: int) -> TextLine:
    one, many = tr("1 line unchanged"), tr("{count} lines unchanged").format(count=grouped(count))
    return TextLine("note", one if count == 1 else many)


def _speaker(block: RequestBlock) -> str:
    match block.speaker:
        case "tools":
            return tr("Tools")
        case "system":
            return tr("System")
        case "user":
            return tr("User")
        case "assistant":
            return tr("Assistant")


def _title(block: RequestBlock) -> str:
    if block.kind == "tool":
        return block.title
    words = {
        "thinking": tr("Thinking"),
        "call": tr("Calls {name}"),
        "result": tr("Result of a tool"),
        "image": tr("Image {name}, {size} KB"),
        "document": tr("Document {name}"),
        "other": tr("As JSON"),
    }.get(block.kind, "")
    return words.format(name=block.title, size=grouped(max(1, block.size // 1000)))


def _lifetime(mark: str) -> str:
    return {"5m": tr("5 minutes"), "1h": tr("1 hour")}.get(mark, mark)


def _beginning(text: str) -> str:
    """The first `SHOWN` characters, up to a line's end where one is near."""
    end = text.rfind("\n", SHOWN // 2, SHOWN)
    return text[: end if end > 0 else SHOWN].rstrip("\n")


Source: TypeAlias = ReadableRequest | RequestDiff


@dataclass(frozen=True, slots=True)
class RequestReading:
    """The text to be shown, and how. `unfolded` are numbers of blocks."""

    source: Source
    raw: bool = False
    unfolded: frozenset[int] = frozenset()

    @property
    def code(self) -> bool:
        """True where the lines stand in the type of code."""
        return self.raw

    def lines(self) -> list[TextLine]:
        """The lines for the eye; to be called off the GUI thread."""
        if isinstance(self.source, RequestDiff):
            return diff_lines(self.source)
        return raw_lines(self.source) if self.raw else request_lines(self.source, self.unfolded)


class RequestView(QWidget):
    """Shows one request or the difference of two."""

    lines_wanted = Signal(object)  # Reading

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        words = self.tr("Show the request as it is sent")
        self.raw = button_in(self, self.tr("Raw"), name=words, tip=words)
        self.raw.setCheckable(True)
        self.copy = button_in(self, self.tr("Copy"), name=self.tr("Copy the request"))
        self.buttons = QHBoxLayout()
        self.buttons.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        self.buttons.setSpacing(GRID // 2)
        for button in (self.raw, self.copy):
            button.setProperty("kind", "quiet")
            self.buttons.addWidget(button)
        self.buttons.addStretch(1)
        self.note = Caption(theme, self)
        self.text = LinesView(theme, self)
        self.text.setAccessibleName(self.tr("Request"))
        self.reading: RequestReading | None = None
        self._said = single_shot(self, lambda: self.copy.setText(self.tr("Copy")), motion("said"))
        in_column(self.buttons, self.note, (self.text, 1), of=self, spacing=0, margins=0)
        self.raw.toggled.connect(self._set_raw)
        self.copy.clicked.connect(self._copy)
        self.text.unfold_requested.connect(self._unfold)
        theme.set_font("small", self.raw, self.copy)
        self.say(self.tr("Nothing to show yet."))

    def show_source(self, source: Source, note: str = "", *, alarming: bool = False, anew: bool = False) -> None:
        """Show a request or a diff, below a `note`. With the last flag it is another one, so nothing stays unfolded."""
        unfolded = self.reading.unfolded if self.reading is not None and not anew else frozenset[int]()
        self.raw.setEnabled(isinstance(source, ReadableRequest))
        self.copy.setEnabled(True)
        self._tell(note, alarming=alarming)
        self._want(RequestReading(source, self.raw.isChecked() and self.raw.isEnabled(), unfolded))

    def say(self, words: str, *, alarming: bool = False) -> None:
        """Shows a sentence in the place of a request."""
        self.reading = None
        self.raw.setEnabled(False)
        self.copy.setEnabled(False)
        self._tell(words, alarming=alarming)
        self.text.show_lines([])

    def show_lines(self, reading: RequestReading, lines: Sequence[TextLine]) -> None:
        """The lines that were asked for; those of an earlier wish are not shown any more."""
        if reading is self.reading:
            self.text.show_lines(lines, code=reading.code)

    def _tell(self, words: str, *, alarming: bool) -> None:
        self.note.say(words, tone="danger" if alarming else "secondary")

    def _want(self, reading: RequestReading) -> None:
        self.reading = reading
        self.lines_wanted.emit(reading)

    def _set_raw(self, raw: bool) -> None:
        if self.reading is not None:
            self._want(replace(self.reading, raw=raw))

    def _unfold(self, block: int) -> None:
        if self.reading is not None:
            self._want(replace(self.reading, unfolded=self.reading.unfolded | {block}))

    def _copy(self) -> None:
        if self.reading is None:
            return
        source = self.reading.source
        if self.reading.raw and isinstance(source, ReadableRequest) and len(source.raw) == 1:
            text = source.raw[0].text
        else:
            text = plain_text(self.text.shown_lines)
        QGuiApplication.clipboard().setText(text)
        self.copy.setText(self.tr("Copied"))
        self._said.start()
