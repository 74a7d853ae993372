"""A request, and what two requests differ in, as lines: headings, folds, marks, what the cache made of it.

May be called on any thread.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from desktop_app.core.context.request_view import DiffHunk, ReadableRequest, RequestBlock, RequestDiff
from desktop_app.ui.i18n.language import grouped, tr
from desktop_app.ui.widgets.text_lines import LineKind, TextLine, text_lines

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
    for number, block in enumerate(request.blocks):
        if block.message != message:
            yield from (TextLine("text", ""),) if message is not None or request.settings else ()
            yield TextLine("heading", _speaker(block))
            message = block.message
        title = _title(block)
        if title:
            yield TextLine("title", title)
        if len(block.text) > FOLDED_FROM and number not in unfolded:
            yield from text_lines(_beginning(block.text))
            left = len(block.text) - len(_beginning(block.text))
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
