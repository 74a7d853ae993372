"""The rows of items made of leaves and parts. Uses no place of rows and no view."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, assert_never

from markdown_it import MarkdownIt

from desktop_app.core.markdown.block_stream import BlockStream, References, parse_blocks
from desktop_app.core.markdown.blocks import Block, Leaf, number_of
from desktop_app.core.markdown.footnotes import NoteNumbers, label_of, numbered, shown_note
from desktop_app.core.markdown.inline_text import (
    Inline,
    formula_inline,
    parse_inline,
    plain_inline,
    reads_as_written,
)
from desktop_app.core.markdown.markdown_dialect import block_parser, inline_parser
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Message,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.transcript.canvas.row import CARD_GAP, CanvasRow, gap_between
from desktop_app.ui.transcript.canvas.text_style import TextStyle
from desktop_app.ui.transcript.items.code_item import CodeItem, CodeOptions
from desktop_app.ui.transcript.items.item import Item
from desktop_app.ui.transcript.items.line_items import NoteItem, RuleItem
from desktop_app.ui.transcript.items.table_item import TableItem
from desktop_app.ui.transcript.items.text_item import TextItem

if TYPE_CHECKING:  # formulas, pictures and citations are imported with the first one
    from desktop_app.core.citations import SentPassages
    from desktop_app.core.markdown.sections import Section
    from desktop_app.ui.transcript.formulas.formula_cache import FormulaCache
    from desktop_app.ui.transcript.items.attachments_item import AttachmentsItem
    from desktop_app.ui.transcript.items.highlighting import Highlighter
    from desktop_app.ui.widgets.picture_cache import PictureCache

Read = Callable[[str], Inline]

#: In the `extra` of what tells of passages: results of searches, marked documents, and answers that cite such.
_TOLD_BY = frozenset({"passage_ids", "places", "cited"})

#: What a formula begins with that is not closed yet.
_OPEN_FORMULA = re.compile(r"\$|\\[(\[]")


def thinking_title(seconds: float, *, running: bool) -> str:
    """The line that stands for thinking; `seconds` that it took, 0: not known."""
    if running:
        return tr("Thinking…")
    whole = round(seconds)
    if whole < 1:
        return tr("Thought")
    if whole < 60:
        return tr("Thought for {seconds} s").format(seconds=whole)
    return tr("Thought for {minutes} min {seconds} s").format(minutes=whole // 60, seconds=whole % 60)


def sent_with(parts: Iterable[Part], sent: SentPassages | None = None) -> SentPassages | None:
    """`sent`, with what answers may cite of what the model was sent with these parts; None: nothing."""
    told = [part for part in parts if not isinstance(part, UnknownPart) and not _TOLD_BY.isdisjoint(part.extra)]
    if told and sent is None:
        from desktop_app.core.citations import SentPassages

        sent = SentPassages()
    if told and sent is not None:
        sent.add_parts(told)
    return sent


def parts_of(messages: Iterable[Message]) -> Iterator[Part]:
    """The parts of all these messages."""
    return chain.from_iterable(message.parts for message in messages)


class RowBuilder:
    """One look and one pair of parsers, from which all items of a transcript are made."""

    def __init__(
        self,
        style: TextStyle,
        highlighter: Callable[[], Highlighter],
        code_options: CodeOptions | None = None,
        pictures: Callable[[], PictureCache] | None = None,
        formulas: Callable[[], FormulaCache] | None = None,
        *,
        sent: SentPassages | None = None,
    ) -> None:
        """`highlighter` is asked for where code has a language.

        Without `formulas` a line of text stands for each formula, without `pictures` a frame for each picture."""
        self.style = style
        self._formulas = formulas
        self._pictures = pictures
        self.code_options = code_options or CodeOptions()
        self._highlighter = highlighter
        #: what the model was sent on the path that is shown, once anything was
        self.sent = sent
        self._inline: MarkdownIt = inline_parser()
        self._blocks: MarkdownIt = block_parser()

    def stream(self) -> BlockStream:
        """A stream for text that grows."""
        return BlockStream(self._blocks)

    def read(self, section: Section) -> tuple[Sequence[Block], References]:
        """The blocks of a section of a finished text, and the references they may use."""
        blocks, references = parse_blocks(self._blocks, section.text, section.first_line, section.head)
        known = {**references, **self.cited} if self.sent is not None else references
        return blocks, numbered((leaf for block in blocks for leaf in block.leaves), known)

    # --- citations

    @property
    def cited(self) -> References:
        """The references that texts may cite."""
        if self.sent is None:
            return {}
        from desktop_app.core.markdown.citation_marks import sent_reference  # most threads cite nothing

        return sent_reference(self.sent)

    def learn_sent(self, parts: Iterable[Part]) -> None:
        """Takes in what the model was sent with these parts, so that texts behind them can cite it."""
        self.sent = sent_with(parts, self.sent)

    def take_sent(self, known: SentPassages | None) -> None:
        """Takes in what is known to have been sent; None: nothing."""
        if known is not None:
            self.sent = known.joined(self.sent)

    # --- leaves

    def rows(self, leaves: Iterable[Leaf], references: References, above: Leaf | None = None) -> list[CanvasRow]:
        """Rows for finished leaves."""
        rows = []
        for leaf in leaves:
            rows.append(self.row(leaf, references, above))
            above = leaf
        return rows

    def row(self, leaf: Leaf, references: References, above: Leaf | None, *, growing: bool = False) -> CanvasRow:
        """One row; `above` is the leaf before it in the same text."""
        item = self._item(leaf, references, growing)
        return CanvasRow(item, gap_between(above, leaf), 0, leaf.containers, leaf.marker, leaf=leaf)

    def update(self, row: CanvasRow, leaf: Leaf, references: References, *, growing: bool) -> bool:
        """Puts a later state of the same leaf into its row; False if it has become something else."""
        old = row.leaf
        if old is None or (old.kind, old.level, old.containers, old.language) != (
            leaf.kind, leaf.level, leaf.containers, leaf.language,
        ):  # fmt: skip
            return False
        item = row.item
        if isinstance(item, TextItem):
            item.set_source(leaf.text, self._reader(leaf, references, growing), growing=growing)
        elif isinstance(item, CodeItem):
            item.set_code(leaf.text, growing=growing)
        elif isinstance(item, TableItem) and leaf.table is not None:
            read, read_end = (self._reader(leaf, references, each) for each in (False, growing))
            item.set_table(leaf.table, read, read_end, growing=growing)
        if label_of(row.marker) != label_of(leaf.marker):
            return False
        if row.marker != leaf.marker:
            row.marker = leaf.marker
            item.changed()
        row.leaf = leaf
        return True

    def read_again(self, rows: Iterable[CanvasRow], references: References, mark: str) -> None:
        """Has rows of a whole text read again that may refer, by such a mark, to what has come behind them."""
        for row in rows:
            leaf, item = row.leaf, row.item  # of a table its cells are looked through
            if leaf is not None and isinstance(item, TextItem | TableItem) and mark in str(leaf.table or leaf.text):
                item.read_by(self._reader(leaf, references, growing=False))

    def number_notes(self, rows: Iterable[CanvasRow], numbers: NoteNumbers) -> None:
        """Shows notes under the numbers that they have by now."""
        for row in rows:
            if label := label_of(row.marker):
                from desktop_app.ui.transcript.items.footnote_item import FootnoteItem  # few texts have notes

                if isinstance(row.item, FootnoteItem):
                    row.item.set_number(numbers.of(label))

    def sign_of(self, leaf: Leaf, references: References) -> str:
        """Return the words read before a leaf's text, as its row has them."""
        label = label_of(leaf.marker)
        return shown_note(label, number_of(label, references)) if label else leaf.marker

    def text_of(self, leaf: Leaf, references: References, *, growing: bool = False) -> str:
        """Return a leaf's text as its row has it, without layout; cells apart by tabs, rows by line ends."""
        if leaf.kind == "rule":
            return ""
        if leaf.kind == "code":
            return leaf.text.removesuffix("\n")
        read = self._reader(leaf, references, growing)
        if leaf.table is None:
            return leaf.text.replace("\n", " ") if _reads_as_written(leaf) else read(leaf.text).text
        columns, last = len(leaf.table.alignments), leaf.table.rows[-1]
        whole = self._reader(leaf, references, growing=False)
        return "\n".join(
            "\t".join((read if row is last else whole)(cell).text for cell in row[:columns]) for row in leaf.table.rows
        )

    def _reader(self, leaf: Leaf, references: References, growing: bool) -> Read:
        match leaf.kind:
            case "plain":
                return plain_inline
            case "math":
                return self._growing_math if growing else formula_inline
        return partial(self._read_growing if growing else self._read, references)

    def _read(self, references: References, source: str) -> Inline:
        return parse_inline(self._inline, source, references)

    def _read_growing(self, references: References, source: str) -> Inline:
        from desktop_app.core.markdown.unclosed_marks import healed  # not before an answer grows

        text = healed(source)
        if _OPEN_FORMULA.match(source, len(text)):
            self._expect_formula()
        return parse_inline(self._inline, text, references)

    def _growing_math(self, source: str) -> Inline:
        """Nothing before the formula is whole: what is painted must not become something else."""
        whole = source.strip()
        if len(whole) > 4 and whole.endswith(("$$", "\\]")):
            return formula_inline(source)
        self._expect_formula()
        return Inline("")

    def _expect_formula(self) -> None:
        """A formula is coming: whatever typesets it should be ready then."""
        if self._formulas is not None:
            self._formulas().get_ready()

    def _item(self, leaf: Leaf, references: References, growing: bool) -> Item:
        style, read = self.style, self._reader(leaf, references, growing)
        item: CodeItem | TableItem | TextItem
        if leaf.kind == "rule":
            return RuleItem(style)
        if leaf.kind == "code":
            item = CodeItem(
                style, leaf.text, leaf.language, self._highlighter() if leaf.language else None, self.code_options
            )
        elif leaf.table is not None:
            item = TableItem(style, leaf.table, self._reader(leaf, references, False), read, self._formulas)
        elif leaf.kind == "math":
            from desktop_app.ui.transcript.formulas.display_formula_item import DisplayFormulaItem

            item = DisplayFormulaItem(style, leaf.text, read, self._formulas)
        elif label := label_of(leaf.marker):
            from desktop_app.ui.transcript.items.footnote_item import FootnoteItem

            number = number_of(label, references)
            item = FootnoteItem(
                style, style.small, leaf.text, read, label=label, number=number, formulas=self._formulas
            )
        else:
            plain = style.small if "n" in leaf.containers else style.body
            face = style.headings[leaf.level] if leaf.kind == "heading" else plain
            item = TextItem(style, face, leaf.text, read, formulas=self._formulas)
        item.growing = growing
        return item

    # --- parts that are one line until they are unfolded

    def fold(self, part: Part, *, is_open: bool, running: bool = False) -> CanvasRow | None:
        """The line that stands for a part; None for text, which is shown itself."""
        if isinstance(part, TextPart | ToolCallPart | ImagePart | DocumentPart):
            return None
        from desktop_app.ui.transcript.items.fold_items import FoldItem  # few first paints have one

        match part:
            case ThinkingPart(text=text, extra=extra):
                title = thinking_title(0, running=running)
                item = FoldItem(self.style, title, framed=False, foldable=bool(text) or not extra)
            case ToolResultPart(text=text, is_error=is_error):
                title = tr("The tool failed") if is_error else tr("Result")
                item = FoldItem(self.style, title, text[:400], framed=True, troubled=is_error)
            case UnknownPart(raw={"type": "redacted_thinking"}):
                item = FoldItem(self.style, tr("Thinking hidden by the provider"), framed=False, foldable=False)
            case UnknownPart():
                words = tr("A block that this version can't show")
                return CanvasRow(NoteItem(self.style, words, (("fold", tr("Hide") if is_open else tr("Show")),)))
            case _:
                assert_never(part)
        item.set_open(is_open)
        return CanvasRow(item)

    def turn(self, row: CanvasRow, *, is_open: bool) -> None:
        """Says in the line that stands for a part whether that is unfolded."""
        from desktop_app.ui.transcript.items.fold_items import FoldItem

        if isinstance(row.item, FoldItem):
            row.item.set_open(is_open)
        elif isinstance(row.item, NoteItem):
            row.item.set_note(row.item.note, (("fold", tr("Hide") if is_open else tr("Show")),))

    def name_thinking(self, row: CanvasRow, seconds: float, *, running: bool) -> None:
        """Says how long the model thought, or that it does."""
        from desktop_app.ui.transcript.items.fold_items import FoldItem

        if isinstance(row.item, FoldItem):
            row.item.set_title(thinking_title(seconds, running=running))

    def attachments(self) -> AttachmentsItem:
        """An item for what is attached to a message."""
        from desktop_app.ui.transcript.items.attachments_item import AttachmentsItem
        from desktop_app.ui.widgets.picture_cache import PictureCache

        return AttachmentsItem(self.style, self._pictures() if self._pictures is not None else PictureCache())

    def unfolded(self, part: Part) -> list[CanvasRow]:
        """Return the unfolded rows of a result without its call, or of a block of an unknown kind."""
        match part:
            case UnknownPart(raw=raw):
                text, language = json.dumps(raw, indent=2, ensure_ascii=False, default=str), "json"
            case ToolResultPart(text=text):
                language = ""
            case TextPart() | ThinkingPart() | ToolCallPart() | ImagePart() | DocumentPart():
                return []
            case _:
                assert_never(part)
        leaf = Leaf("code", text, 0, 0, language=language)
        row = self.row(leaf, {}, None)
        row.gap = CARD_GAP // 2
        return [row]


def _reads_as_written(leaf: Leaf) -> bool:
    return leaf.kind in {"paragraph", "heading"} and reads_as_written(leaf.text)
