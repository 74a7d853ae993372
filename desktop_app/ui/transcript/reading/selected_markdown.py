"""The Markdown of a part of the shown text: marks, list markers, fences and tables of just that part.

Whole rows are handed out as they were written; only rows that are cut are written anew. Knows no selection.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from markdown_it import MarkdownIt

from desktop_app.core.markdown.blocks import BULLET, TablePiece
from desktop_app.core.markdown.footnotes import label_of, note_references
from desktop_app.core.markdown.inline_text import LINE_BREAK, Inline, Span, parse_inline
from desktop_app.core.markdown.markdown_dialect import inline_parser
from desktop_app.ui.transcript.canvas.row import CanvasRow
from desktop_app.ui.transcript.items.item import Selected, utf16_slice
from desktop_app.ui.transcript.items.table_item import TableItem
from desktop_app.ui.transcript.items.text_item import TextItem
from desktop_app.ui.transcript.message.message_layout import MessageLayout

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
        leaf = row.leaf
        if leaf is None:
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
    """The Markdown of a part of one row."""
    leaf, item = row.leaf, row.item
    if leaf is None:
        return ""
    start, end = max(0, part[0]), min(part[1], item.length)
    if start >= end:
        return ""
    if leaf.kind == "code":
        return _prefixed(row, _code(item.text(start, end), leaf.language), start)
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
