"""Owns how leaves and parts become rows of items. Knows nothing of where rows stand or which are in view."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from markdown_it import MarkdownIt
from PySide6.QtCore import QCoreApplication

from desktop_app.core.markdown.healing import healed
from desktop_app.core.markdown.inline import LINE_BREAK, Inline, Span, parse_inline, plain_inline
from desktop_app.core.markdown.leaves import Block, Leaf
from desktop_app.core.markdown.parser import block_parser, inline_parser
from desktop_app.core.markdown.sections import Section
from desktop_app.core.markdown.stream import BlockStream, References, parse_blocks
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Part,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)
from desktop_app.ui.transcript.code_item import CodeItem
from desktop_app.ui.transcript.fold_item import FoldItem
from desktop_app.ui.transcript.highlighting import Highlighter
from desktop_app.ui.transcript.item import Item
from desktop_app.ui.transcript.line_item import RuleItem
from desktop_app.ui.transcript.look import Look
from desktop_app.ui.transcript.row import CARD_GAP, Row, gap_between
from desktop_app.ui.transcript.table_item import TableItem
from desktop_app.ui.transcript.text_item import TextItem

Read = Callable[[str], Inline]


def tr(text: str) -> str:
    """The user's language for a word of the transcript."""
    return QCoreApplication.translate("Transcript", text)


class Typesetter:
    """One look and one pair of parsers, from which all items of a transcript are made."""

    def __init__(self, look: Look, highlighter: Highlighter) -> None:
        self.look = look
        self.highlighter = highlighter
        self._inline: MarkdownIt = inline_parser()
        self._blocks: MarkdownIt = block_parser()

    def stream(self) -> BlockStream:
        """A stream for text that grows."""
        return BlockStream(self._blocks)

    def read(self, section: Section) -> tuple[Sequence[Block], References]:
        """The blocks of a section of a finished text, and the references they may use."""
        return parse_blocks(self._blocks, section.text, section.first_line)

    # --- leaves

    def rows(self, leaves: Iterable[Leaf], references: References, above: Leaf | None = None) -> list[Row]:
        """Rows for finished leaves."""
        rows = []
        for leaf in leaves:
            rows.append(self.row(leaf, references, above))
            above = leaf
        return rows

    def row(self, leaf: Leaf, references: References, above: Leaf | None, *, growing: bool = False) -> Row:
        """One row; `above` is the leaf before it in the same text."""
        item = self._item(leaf, self._reader(leaf, references, growing), growing)
        return Row(item, gap_between(above, leaf), 0, leaf.containers, leaf.marker, leaf=leaf)

    def update(self, row: Row, leaf: Leaf, references: References, *, growing: bool) -> bool:
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
            item.set_table(leaf.table, growing=growing)
        if row.marker != leaf.marker:
            row.marker = leaf.marker
            item.changed()
        row.leaf = leaf
        return True

    def _reader(self, leaf: Leaf, references: References, growing: bool) -> Read:
        match leaf.kind:
            case "plain":
                return plain_inline
            case "math":
                return _math
        return partial(_read_growing if growing else _read, self._inline, references)

    def _item(self, leaf: Leaf, read: Read, growing: bool) -> Item:
        look = self.look
        item: CodeItem | TableItem | TextItem
        if leaf.kind == "rule":
            return RuleItem(look)
        if leaf.kind == "code":
            item = CodeItem(look, leaf.text, leaf.language, self.highlighter)
        elif leaf.table is not None:
            item = TableItem(look, leaf.table, read)
        else:
            face = look.headings[leaf.level] if leaf.kind == "heading" else look.body
            item = TextItem(look, face, leaf.text, read)
        item.growing = growing
        return item

    # --- parts that are one line until they are unfolded

    def fold(self, part: Part, *, is_open: bool, running: bool = False) -> Row | None:
        """The line that stands for a part; None for text, which is shown itself."""
        item: FoldItem | None = None
        match part:
            case ThinkingPart():
                title = tr("Thinking…") if running else tr("Thought about this")
                item = FoldItem(self.look, title, framed=False)
            case ToolCallPart(name=name, input=given):
                detail = ", ".join(f"{key}: {value}" for key, value in given.items())
                item = FoldItem(self.look, name, detail, framed=True)
            case ToolResultPart(text=text, is_error=is_error):
                title = tr("The tool failed") if is_error else tr("Result")
                item = FoldItem(self.look, title, text[:400], framed=True, troubled=is_error)
            case ImagePart(name=name, width=width, height=height):
                size = f"{width} × {height}" if width and height else tr("Image")
                item = FoldItem(self.look, name or tr("Image"), size, framed=True, foldable=False)
            case DocumentPart(name=name, text=text):
                item = FoldItem(self.look, name, text[:400], framed=True)
            case UnknownPart():
                title = tr("Content of a kind that this version does not show")
                item = FoldItem(self.look, title, framed=True, foldable=False)
        if item is None:
            return None
        item.set_open(is_open)
        return Row(item)

    def unfolded(self, part: Part) -> list[Row]:
        """What a tool call, a tool result or a document shows when it is unfolded."""
        match part:
            case ToolCallPart(input=given):
                text, language = json.dumps(given, indent=2, ensure_ascii=False, default=str), "json"
            case ToolResultPart(text=text) | DocumentPart(text=text):
                language = ""
            case _:
                return []
        leaf = Leaf("code", text, 0, 0, language=language)
        row = self.row(leaf, {}, None)
        row.gap = CARD_GAP // 2
        return [row]


def _read(parser: MarkdownIt, references: References, source: str) -> Inline:
    return parse_inline(parser, source, references)


def _read_growing(parser: MarkdownIt, references: References, source: str) -> Inline:
    return parse_inline(parser, healed(source), references)


def _math(source: str) -> Inline:
    text = source.rstrip("\n").replace("\n", LINE_BREAK)
    return Inline(text, (Span(0, len(text), "math"),) if text else ())
