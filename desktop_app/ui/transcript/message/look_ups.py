"""The display of look-ups in documents and in other threads: one muted line, which unfolds to passages.

Knows no place on the canvas. Several calls in a row are one line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from desktop_app.core.citations import SentPassage, passages_of_result
from desktop_app.core.messages import Json, ToolCallPart, ToolResultPart
from desktop_app.ui.i18n.language import grouped, tr, translated
from desktop_app.ui.transcript.canvas.row import PASSAGE, THREAD, CanvasRow
from desktop_app.ui.transcript.canvas.text_style import TextStyle
from desktop_app.ui.transcript.items.fold_items import LinkItem, ToolState
from desktop_app.ui.transcript.items.line_items import NoteItem
from desktop_app.ui.transcript.message.citations import passages_of
from desktop_app.ui.transcript.message.part_groups import PartGroup

#: Names of documents or threads that a line tells.
MOST_NAMES = 2
HALF_GAP = 8
INSET = "t"

PlainRows = Callable[[str], list[CanvasRow]]


def document_words(group: PartGroup, state: ToolState) -> str:
    """The line of searches of documents: what was looked for, and how much was found in what."""
    asked = _asked(group.calls[-1 if state == "running" else 0])
    what = tr("listed the documents") if group.calls[0].name == "list_documents" else tr("searched documents")
    if group.calls[0].name == "read_document":
        what = tr("read on")
    if len(group.calls) > 1 and state != "running":
        what = tr("searched documents")
        asked = tr("{count} searches").format(count=grouped(len(group.calls)))
    elif asked:
        asked = f"“{asked}”"
    words = [what, asked]
    results = [result for result in group.results.values() if not result.is_error]
    full = any("budget" in result.extra for result in group.results.values())
    if state == "running":
        words = [tr("searching documents"), asked]
    elif state == "failed":
        words.append("" if full else tr("failed"))
    elif any("passages" in result.extra for result in results):
        words.append(_found(results))
    if full:
        words.append(tr("no room for more in this turn"))
    if state == "stopped":
        words.append(tr("stopped"))
    return " · ".join(word for word in words if word)


def history_words(group: PartGroup, state: ToolState) -> str:
    """The line of searches of other threads."""
    results = [result for result in group.results.values() if not result.is_error]
    threads = {one for result in results for one in _list(result.extra.get("thread_ids"))}
    match state:
        case "running":
            return tr("searching other threads")
        case "failed":
            return tr("searching other threads failed")
    if not threads:
        if state == "stopped":
            return tr("searching other threads: stopped")
        return tr("found nothing in other threads")
    words = tr("looked up 1 thread") if len(threads) == 1 else tr("looked up {count} threads")
    return words.format(count=grouped(len(threads)))


def document_rows(
    style: TextStyle, call: ToolCallPart, result: ToolResultPart | None, plain: PlainRows, *, several: bool
) -> list[CanvasRow]:
    """Return the rows of a search of documents: each passage leads to its place in its document."""
    rows = [CanvasRow(NoteItem(style, f"“{_asked(call)}”"), 0, 0, INSET)] if several and _asked(call) else []
    if result is None:
        return rows
    if result.is_error:
        return [*rows, _trouble(style, result)]
    passages = list(passages_of_result(result))
    if not passages:
        return [*rows, *plain(result.text)]
    for passage in passages:
        rows.append(_heading(style, passage, gap=bool(rows)))
        rows += plain(passage.text)
    return rows


def history_rows(
    style: TextStyle, call: ToolCallPart, result: ToolResultPart | None, plain: PlainRows
) -> list[CanvasRow]:
    """Return the rows of a search of other threads: each passage leads to its message."""
    rows = [CanvasRow(NoteItem(style, f"“{_asked(call)}”"), 0, 0, INSET)]
    if result is None:
        return rows
    if result.is_error:
        return [*rows, _trouble(style, result)]
    threads, titles = _list(result.extra.get("thread_ids")), _list(result.extra.get("threads"))
    title_of = dict(zip(dict.fromkeys(threads), titles, strict=False))
    begun = _list(result.extra.get("starts"))
    first = begun[0] if begun and isinstance(begun[0], int) else 0
    shifted = [one - first for one in begun if isinstance(one, int)]
    # the title of the first thread stands before the first passage
    bare = ToolResultPart(result.call_id, result.text[first:], extra={**result.extra, "starts": shifted})
    for number, passage in enumerate(passages_of(bare)):
        if not passage.message_id or number >= len(threads):
            return [*rows, *plain(result.text)]
        title = str(title_of.get(threads[number], ""))
        link = LinkItem(style, title, passage.heading, button=f"{THREAD}{threads[number]}/{passage.message_id}")
        rows.append(CanvasRow(link, HALF_GAP if number else 0, 0, INSET))
        rows += plain(passage.text.partition("\n\n## ")[0])
    return rows


def _heading(style: TextStyle, passage: SentPassage, *, gap: bool) -> CanvasRow:
    link = LinkItem(style, passage.document, translated(passage.place.words), button=f"{PASSAGE}{passage.id}")
    return CanvasRow(link, HALF_GAP if gap else 0, 0, INSET)


def _trouble(style: TextStyle, result: ToolResultPart) -> CanvasRow:
    return CanvasRow(NoteItem(style, " ".join(result.text.split()), troubled=True), 0, 0, INSET)


def _found(results: Sequence[ToolResultPart]) -> str:
    """`5 passages from spec.pdf`."""
    count, names = 0, dict[str, None]()
    for result in results:
        passages = result.extra.get("passages")
        count += passages if isinstance(passages, int) else 0
        names.update(dict.fromkeys(map(str, _list(result.extra.get("documents")))))
    if not count:
        return tr("nothing found")
    words = tr("1 passage") if count == 1 else tr("{count} passages").format(count=grouped(count))
    if len(names) > MOST_NAMES:
        return tr("{passages} from {count} documents").format(passages=words, count=grouped(len(names)))
    return tr("{passages} from {names}").format(passages=words, names=", ".join(names))


def _asked(call: ToolCallPart) -> str:
    asked = call.input.get("query") or call.input.get("id") or call.input.get("folder") or ""
    return " ".join(str(asked).split())


def _list(value: Json) -> Sequence[Json]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()
