"""Owns what is selected, over any number of messages, and the text it stands for. Knows no pointer and no clipboard."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.core.markdown.leaves import BULLET, TASK_DONE, TASK_OPEN
from desktop_app.ui.transcript.flow import Flow, Placed
from desktop_app.ui.transcript.item import Selected
from desktop_app.ui.transcript.row import Row
from desktop_app.ui.transcript.sheet import Sheet

#: (message, selectable row, UTF-16 position): ordered as the text is read.
Spot = tuple[int, int, int]
END = 1 << 40
#: Beyond this many characters whole messages are copied as they were written: reading all marks would take seconds.
LONGEST_READ = 400_000


@dataclass(slots=True)
class Selection:
    """The two ends of a selection; equal ends select nothing."""

    anchor: Spot | None = None
    caret: Spot | None = None

    @property
    def range(self) -> tuple[Spot, Spot] | None:
        """Start and end in reading order, None if nothing is selected."""
        if self.anchor is None or self.caret is None or self.anchor == self.caret:
            return None
        return min(self.anchor, self.caret), max(self.anchor, self.caret)

    def clear(self) -> None:
        """Selects nothing."""
        self.anchor = self.caret = None

    def shift(self, messages: int) -> None:
        """Follows messages that were added before the selected ones."""
        if self.anchor is not None and self.caret is not None:
            self.anchor = (self.anchor[0] + messages, *self.anchor[1:])
            self.caret = (self.caret[0] + messages, *self.caret[1:])

    def within(self, placed: Placed) -> Selected | None:
        """The selected positions of one row."""
        return _part(self.range, placed.message, placed.row.slot)


def _part(selected: tuple[Spot, Spot] | None, message: int, slot: int) -> Selected | None:
    if selected is None or slot < 0:
        return None
    start, end = selected
    here = (message, slot)
    if not start[:2] <= here <= end[:2]:
        return None
    return (start[2] if here == start[:2] else 0), (end[2] if here == end[:2] else END)


def selected_text(flow: Flow, selection: Selection) -> str:
    """The selected text as it is read: list markers in, marks out; messages apart by a blank line."""
    chosen = selection.range
    if chosen is None:
        return ""
    long = sum(len(m.text) for m in flow.messages[chosen[0][0] : chosen[1][0] + 1]) > LONGEST_READ
    texts = []
    for index in range(chosen[0][0], min(chosen[1][0], len(flow.messages) - 1) + 1):
        if long and chosen[0][0] < index < chosen[1][0]:
            texts.append(flow.messages[index].text)
        else:
            texts.append(_sheet_text(flow.message_sheet(index), chosen, index))
    return "\n\n".join(text for text in texts if text)


def selected_markdown(flow: Flow, selection: Selection) -> str:
    """The source of the selection, in whole lines of what was written."""
    chosen = selection.range
    if chosen is None:
        return ""
    texts = []
    for index in range(chosen[0][0], min(chosen[1][0], len(flow.messages) - 1) + 1):
        if chosen[0][0] < index < chosen[1][0]:
            texts.append(flow.messages[index].text)
        else:
            texts.append(_sheet_source(flow.message_sheet(index), chosen, index))
    return "\n\n".join(text for text in texts if text)


def _sheet_text(sheet: Sheet, chosen: tuple[Spot, Spot], message: int) -> str:
    sheet.open_all()
    text = ""
    above: Row | None = None
    for row in sheet.rows:
        part = _part(chosen, message, row.slot)
        if part is None:
            continue
        if not row.item.laid_out:
            sheet.lay_out(row)  # a table has no text before it has cells
        start, end = part[0], min(part[1], row.item.length)
        if start >= end and row.item.length:
            continue
        if above is not None:
            text += "\n" if _close(above, row) else "\n\n"
        if start == 0:
            text += _marker(row)
        text += row.item.text(start, end)
        above = row
    return text


def _close(above: Row, row: Row) -> bool:
    """True for rows that a reader takes for lines of one thing: items of a list, pieces of a table or paragraph."""
    if row.leaf is None or above.leaf is None:
        return False
    lists = {"u", "o"}
    in_list = bool(lists & set(row.containers)) and bool(lists & set(above.containers))
    return (in_list and bool(row.marker)) or (row.gap == 0 and row.leaf.kind == above.leaf.kind)


def _marker(row: Row) -> str:
    if not row.marker:
        return ""
    depth = sum(kind in "uo" for kind in row.containers) - 1
    marker = {TASK_DONE: "[x]", TASK_OPEN: "[ ]", BULLET: BULLET}.get(row.marker, row.marker)
    return "  " * max(0, depth) + marker + " "


def _sheet_source(sheet: Sheet, chosen: tuple[Spot, Spot], message: int) -> str:
    sheet.open_all()
    texts: list[str] = []
    span: tuple[int, int, int] | None = None
    for row in sheet.rows:
        part = _part(chosen, message, row.slot)
        if part is None or row.leaf is None or (part[0] >= min(part[1], row.item.length) and row.item.length):
            continue
        first, end = row.leaf.first_line, row.leaf.end_line
        if span is not None and span[0] == row.part:
            span = (row.part, min(span[1], first), max(span[2], end))
            continue
        if span is not None:
            texts.append(sheet.source_lines(*span))
        span = (row.part, first, end)
    if span is not None:
        texts.append(sheet.source_lines(*span))
    return "\n\n".join(texts)
