"""The rows that tell what a message does: its use of tools, and its state (awaited, cut, marked by the user)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from desktop_app.core.citations import SentPassage, passages_of_result
from desktop_app.core.context.sent_content import ARTIFACT as ARTIFACT_FACTS
from desktop_app.core.context.sent_content import ARTIFACT_TOOLS
from desktop_app.core.markdown.block_building import plain_blocks
from desktop_app.core.markdown.blocks import Leaf
from desktop_app.core.markdown.inline_text import plain_inline
from desktop_app.core.messages import Json, JsonObject, MessageMark, Part, ToolCallPart, ToolResultPart, known_rating
from desktop_app.ui.i18n.content_words import kind_words
from desktop_app.ui.i18n.language import grouped, tr, translated
from desktop_app.ui.transcript.items.fold_items import ArtifactItem, LinkItem, ToolItem, ToolState
from desktop_app.ui.transcript.items.item import (
    ARTIFACT,
    JUMP,
    PARAGRAPH_GAP,
    PASSAGE,
    THREAD,
    CanvasRow,
    Item,
    TextStyle,
)
from desktop_app.ui.transcript.items.line_items import NoteItem
from desktop_app.ui.transcript.items.text_item import TextItem
from desktop_app.ui.transcript.message.links import (
    CitedSource,
    checked_target,
    message_ids,
    messages_read,
    passage_count,
    passages_of,
    results_of_search,
    server_of,
    sources_of,
)
from desktop_app.ui.transcript.message.row_builder import SERVER, PartGroup, PartGroups, RowBuilder, tool_name

#: Names of documents or threads that a line tells.
MOST_NAMES = 2
PASSAGE_GAP = 8
PASSAGE_INSET = "t"

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
    rows = [CanvasRow(NoteItem(style, f"“{_asked(call)}”"), 0, 0, PASSAGE_INSET)] if several and _asked(call) else []
    if result is None:
        return rows
    if result.is_error:
        return [*rows, _trouble(style, result)]
    if not (passages := list(passages_of_result(result))):
        return [*rows, *plain(result.text)]
    for passage in passages:
        rows.append(_heading(style, passage, gap=bool(rows)))
        rows += plain(passage.text)
    return rows


def history_rows(
    style: TextStyle, call: ToolCallPart, result: ToolResultPart | None, plain: PlainRows
) -> list[CanvasRow]:
    """Return the rows of a search of other threads: each passage leads to its message."""
    rows = [CanvasRow(NoteItem(style, f"“{_asked(call)}”"), 0, 0, PASSAGE_INSET)]
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
        rows.append(CanvasRow(link, PASSAGE_GAP if number else 0, 0, PASSAGE_INSET))
        rows += plain(passage.text.partition("\n\n## ")[0])
    return rows


def _heading(style: TextStyle, passage: SentPassage, *, gap: bool) -> CanvasRow:
    link = LinkItem(style, passage.document, translated(passage.place.words), button=f"{PASSAGE}{passage.id}")
    return CanvasRow(link, PASSAGE_GAP if gap else 0, 0, PASSAGE_INSET)


def _trouble(style: TextStyle, result: ToolResultPart) -> CanvasRow:
    return CanvasRow(NoteItem(style, " ".join(result.text.split()), troubled=True), 0, 0, PASSAGE_INSET)


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


MOST_LINES: Final = 40
MOST_CHARACTERS: Final = 4_000
"""Of a result as its card shows it at first."""
MOST_JSON: Final = 50_000
"""Characters of a result that is looked at whether it is JSON: some milliseconds."""
HALF_GAP: Final = 8
INSET: Final = "t"


def fold_of(row_builder: RowBuilder, group: PartGroup, *, is_open: bool, ended: bool, asking: str = "") -> Item:
    """The line or card of a use of tools. `ended`: no result comes any more."""
    item: Item
    call = group.calls[0] if group.calls else None
    if call is not None and makes_artifact(group):
        item = ArtifactItem(row_builder.style)
    elif call is not None and group.kind == "tool":
        item = ToolItem(row_builder.style, _told_name(call, group))
    else:
        item = NoteItem(row_builder.style, "")
    show(item, group, is_open=is_open, ended=ended, asking=asking)
    return item


def show(item: Item, group: PartGroup, *, is_open: bool, ended: bool, asking: str = "") -> None:
    """Brings the line or card of a use of tools up to date, in its place. `asking`: a call that waits for the user."""
    state = state_of(group, ended=ended, asking=asking)
    if isinstance(item, ToolItem):
        item.show_state(state, _word(state), _told_input(group.calls[0], group))
        item.set_open(is_open)
    elif isinstance(item, ArtifactItem):
        show_artifact(item, group, state, is_open=is_open)
    elif isinstance(item, NoteItem):
        words = line_words(group, state)
        fold = ("fold", tr("Hide") if is_open else tr("Show"))
        item.set_note(words, () if state == "running" else (fold,), troubled=state == "failed")


def _told_name(call: ToolCallPart, group: PartGroup) -> str:
    """A tool's name, for one of the user's servers as `SERVER/TOOL`; calls of older answers have it in the result."""
    result = group.results.get(call.id)
    named = call.extra.get("tool") or (result.extra.get("tool") if result is not None else "")
    return str(named or tool_name(call.name))


def _told_input(call: ToolCallPart, group: PartGroup) -> str:
    """A call's input in one line; of a search of tools also what was found."""
    result = group.results.get(call.id)
    found = () if result is None else _list(result.extra.get("found", ()))
    return ": ".join(filter(None, (one_line(call.input), ", ".join(map(str, found)))))


def makes_artifact(group: PartGroup) -> bool:
    """Return True if a use of tools makes an artifact or changes one."""
    return group.kind == "tool" and tool_name(group.calls[0].name) in ARTIFACT_TOOLS


def show_artifact(item: ArtifactItem, group: PartGroup, state: ToolState, *, is_open: bool) -> None:
    """Set the text of an artifact's card: title, kind and version, or how far it is. One that failed unfolds."""
    call = group.calls[0]
    result = group.results.get(call.id)
    facts = result.extra.get(ARTIFACT_FACTS) if result is not None else None
    facts = facts if isinstance(facts, dict) else {}
    given = facts.get("title") or call.input.get("title") or call.input.get("id") or tr("Artifact")
    if state == "done" and facts:
        version = facts.get("version")
        detail = f"{kind_words(str(facts.get('kind', '')), str(call.input.get('language') or ''))} · v{version}"
        item.set_artifact(str(given), detail, button=f"{ARTIFACT}{facts.get('id')}:{version}", words=tr("Open"))
        return
    words = {
        "running": tr("Writing…"),
        "asking": tr("Writing…"),
        "failed": tr("Not changed: the model got an error"),
        "stopped": tr("Stopped"),
        "unrun": tr("Stopped"),
        "unanswered": tr("Stopped"),
        "lost": tr("Stopped"),
        "done": tr("Done"),
    }[state]
    failed = state == "failed"
    fold = tr("Hide") if is_open else tr("Show")
    item.set_artifact(str(given), words, button="fold" if failed else "", words=fold if failed else "", troubled=failed)


def state_of(group: PartGroup, *, ended: bool, asking: str = "") -> ToolState:
    """Return how a use of tools went; where some of its calls found something, those that failed don't count.

    `asking`: the call that waits for the user.
    """
    if group.waiting:
        running: ToolState = "asking" if any(call.id == asking for call in group.calls) else "running"
        return "stopped" if ended else running
    results = group.results.values()
    if ran := [result for result in results if result.extra.get("ran", True) is not True]:
        if group.kind != "tool":
            return "stopped"
        if ran[0].extra["ran"] is not False:  # it was running when the turn ended
            return "lost"
        ended = "Plimsoll ended" in str(ran[0].extra.get("fate"))
        return "unanswered" if ended else "unrun"  # not allowed, or the turn ended before
    return "failed" if results and all(result.is_error for result in results) else "done"


def line_words(group: PartGroup, state: ToolState) -> str:
    """The line that stands for look-ups and searches."""
    match group.kind:
        case "documents":
            return document_words(group, state)
        case "history":
            return history_words(group, state)
        case "web":
            return web_words(group, state)
    return recall_words(group, state)


def recall_words(group: PartGroup, state: ToolState) -> str:
    """The line of look-ups in earlier messages (INTERFACE.md, "Recall")."""
    found = [result for result in group.results.values() if not result.is_error]
    ids = {message_id for result in found for message_id in message_ids(result)}
    count = messages_read(found) or len(ids) or sum(passage_count(result) for result in found)
    if state == "running":
        return tr("looking up earlier messages")
    if state == "failed":
        return tr("looking up earlier messages failed")
    if not count:
        return (
            tr("looking up earlier messages: stopped")
            if state == "stopped"
            else tr("found nothing in the earlier messages")
        )
    words = tr("looked up 1 earlier message") if count == 1 else tr("looked up {count} earlier messages")
    words = words.format(count=grouped(count))
    if state == "stopped":
        return tr("{what}, then stopped").format(what=words)
    return words if len(found) == len(group.results) else tr("{what}, a search failed").format(what=words)


def web_words(group: PartGroup, state: ToolState) -> str:
    """The line of searches of the web."""
    queries = [str(call.input.get("query", "")) for call in group.calls]
    words = {
        "running": tr("searching the web for “{query}”"),
        "failed": tr("searching the web for “{query}” failed"),
        "stopped": tr("searching the web for “{query}”: stopped"),
        "done": tr("searched the web for “{query}”"),
    }[state].format(query=queries[-1 if state == "running" else 0])
    more = len(queries) - 1
    return tr("{what} and {more} more").format(what=words, more=more) if more and state == "done" else words


def one_line(given: JsonObject) -> str:
    """A tool's input in one line: the value alone where there is one."""
    values = [value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
              for value in given.values()]  # fmt: skip
    if len(values) == 1:
        return values[0]
    return ", ".join(f"{key}: {value}" for key, value in zip(given, values, strict=True))


def spoken(group: PartGroup, *, ended: bool, asking: str = "") -> str:
    """A use of tools in one phrase, for screen readers."""
    state = state_of(group, ended=ended, asking=asking)
    match group.kind:
        case "recall" | "documents" | "history" | "web":
            return line_words(group, state)
        case "thinking" if group.text:
            return tr("Thought") + f": {group.text}"
    return ", ".join(f"{_told_name(call, group)}: {_word(state)}" for call in group.calls)


def spoken_text(parts: Sequence[Part], *, ended: bool, asking: str = "") -> str:
    """Return an answer's words and actions, for screen readers."""
    groups = PartGroups(parts).list
    told = (one.text if one.kind == "text" else spoken(one, ended=ended, asking=asking) for one in groups)
    return "\n\n".join(words for words in told if words)


# --- unfolded


def unfolded(row_builder: RowBuilder, group: PartGroup, *, whole: bool) -> list[CanvasRow]:
    """Return the rows that a use of tools unfolds to. `whole`: a long result is shown to its end."""
    match group.kind:
        case "recall":
            return _apart(_look_up(row_builder, call, group.results.get(call.id)) for call in group.calls)
        case "documents" | "history":
            return _apart(_passages(row_builder, call, group) for call in group.calls)
        case "web":
            return _apart(_search(row_builder, call, group) for call in group.calls)
    rows = []
    for call in group.calls:
        rows.append(_code(row_builder, *call.input_text))
        if (result := group.results.get(call.id)) is not None:
            rows += _result(row_builder, result, whole=whole)
    return rows


def source_rows(row_builder: RowBuilder, sources: Sequence[CitedSource]) -> list[CanvasRow]:
    """Numbered sources: title, where it is, and what was cited."""
    rows: list[CanvasRow] = []
    style = row_builder.style
    for number, source in enumerate(sources, 1):
        target = checked_target(source.address) or ""
        detail = source.place or server_of(source.address)
        item = LinkItem(style, source.title or source.address, detail, lead=str(number), target=target)
        rows.append(CanvasRow(item, HALF_GAP if source.cited and rows else 0, 0, INSET))
        rows += [
            CanvasRow(TextItem(style, style.small, f"“{cited}”", plain_inline), 0, 0, INSET) for cited in source.cited
        ]
    return rows


def cited_rows(row_builder: RowBuilder, parts: Sequence[Part], *, is_open: bool) -> list[CanvasRow]:
    """The line behind an answer that says how many sources it has, and when it is open the sources; none without."""
    if not (sources := sources_of(parts)):
        return []
    words = tr("1 source") if len(sources) == 1 else tr("{count} sources").format(count=len(sources))
    fold = ("fold", tr("Hide") if is_open else tr("Show"))
    line = CanvasRow(NoteItem(row_builder.style, words, (fold,)))
    return [line, *source_rows(row_builder, sources)] if is_open else [line]


def _apart(groups: Iterable[list[CanvasRow]]) -> list[CanvasRow]:
    """The rows of several calls, one beneath the other."""
    rows: list[CanvasRow] = []
    for group in groups:
        if rows and group:
            group[0].gap = HALF_GAP
        rows += group
    return rows


def _look_up(row_builder: RowBuilder, call: ToolCallPart, result: ToolResultPart | None) -> list[CanvasRow]:
    style = row_builder.style
    rows = [CanvasRow(NoteItem(style, f"“{call.input.get('query', '')}”"), 0, 0, INSET)]
    if result is None:
        return rows
    if result.is_error:
        return [*rows, CanvasRow(NoteItem(style, " ".join(result.text.split()), troubled=True), 0, 0, INSET)]
    for passage in passages_of(result):
        if passage.message_id:
            link = LinkItem(style, passage.heading, button=f"{JUMP}{passage.message_id}")
            rows.append(CanvasRow(link, HALF_GAP if len(rows) > 1 else 0, 0, INSET))
        rows += plain_rows(row_builder, passage.text)
    return rows


def _passages(row_builder: RowBuilder, call: ToolCallPart, group: PartGroup) -> list[CanvasRow]:
    style, result, plain = row_builder.style, group.results.get(call.id), partial(plain_rows, row_builder)
    if group.kind == "history":
        return history_rows(style, call, result, plain)
    return document_rows(style, call, result, plain, several=len(group.calls) > 1)


def plain_rows(row_builder: RowBuilder, text: str) -> list[CanvasRow]:
    """A text as the model reads it."""
    leaves = [
        Leaf(leaf.kind, leaf.text, leaf.first_line, leaf.end_line, INSET, language=leaf.language)
        for block in plain_blocks(text)
        for leaf in block.leaves
    ]
    return [_unsourced(row) for row in row_builder.rows(leaves, {})]


def _search(row_builder: RowBuilder, call: ToolCallPart, group: PartGroup) -> list[CanvasRow]:
    style, result = row_builder.style, group.results.get(call.id)
    several = len(group.calls) > 1
    rows = [CanvasRow(NoteItem(style, f"“{call.input.get('query', '')}”"), 0, 0, INSET)] if several else []
    content = _server_content(result) if result is not None else None
    if result is not None and result.is_error and isinstance(content, dict):
        code = str(content.get("error_code", ""))
        words = tr("The search failed: {code}").format(code=code)
        return [*rows, CanvasRow(NoteItem(style, words, troubled=True), 0, 0, INSET)]
    found = results_of_search(content)  # type: ignore[arg-type]
    if result is not None and not found:
        rows.append(CanvasRow(NoteItem(style, tr("No pages were found.")), 0, 0, INSET))
    return [*rows, *source_rows(row_builder, found)]


def _result(row_builder: RowBuilder, result: ToolResultPart, *, whole: bool) -> list[CanvasRow]:
    text, language = result.text, ""
    content = _server_content(result)
    if not text and content is not None:
        text, language = json.dumps(content, indent=2, ensure_ascii=False, default=str), "json"
    elif (read := _as_json(text)) is not None:
        text, language = read, "json"
    shown = text if whole else _capped(text)
    rows = [_code(row_builder, shown, language)]
    if len(shown) < len(text):
        lines, characters = text[len(shown) :].count("\n"), len(text) - len(shown)
        words = tr("{count} more lines").format(count=grouped(lines))
        if lines < 2:
            words = tr("{count} more characters").format(count=grouped(characters))
        rows.append(CanvasRow(NoteItem(row_builder.style, words, (("all", tr("Show all")),))))
    return rows


def _as_json(text: str) -> str | None:
    """A text that is JSON, in lines where it has none; None: it is no JSON."""
    if len(text) > MOST_JSON or not text.lstrip().startswith(("{", "[")):
        return None
    try:
        value = json.loads(text)
        return text if "\n" in text.strip() else json.dumps(value, indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return None


def _capped(text: str) -> str:
    lines = text.split("\n", MOST_LINES)
    return "\n".join(lines[:MOST_LINES])[:MOST_CHARACTERS] if len(lines) > MOST_LINES else text[:MOST_CHARACTERS]


def _code(row_builder: RowBuilder, text: str, language: str) -> CanvasRow:
    row = _unsourced(row_builder.row(Leaf("code", text, 0, 0, language=language), {}, None))
    row.gap = HALF_GAP
    return row


def _unsourced(row: CanvasRow) -> CanvasRow:
    """A row that is no part of the answer's own source."""
    row.leaf = None
    row.gap = row.gap and PARAGRAPH_GAP
    return row


def _server_content(result: ToolResultPart) -> object:
    raw = result.extra.get(SERVER)
    return raw.get("content") if isinstance(raw, dict) else None


def _word(state: ToolState) -> str:
    return {
        "running": tr("running"),
        "asking": tr("waiting for you"),
        "done": tr("done"),
        "failed": tr("failed"),
        "stopped": tr("stopped"),
        "unrun": tr("not run"),
        "unanswered": tr("not run: Plimsoll ended"),
        "lost": tr("may have run, result lost"),
    }[state]


STATUS = "status"


class AnswerStatus:
    """Its lines stay the same items while the words change, so that the pointer and the keyboard stay on buttons."""

    def __init__(self) -> None:
        self._words = tr("Waiting for the answer…")
        self._actions: tuple[tuple[str, str], ...] = ()
        self._said = ""
        self._narrow = False
        self._lines: tuple[NoteItem, NoteItem] | None = None

    def show(
        self, words: str, actions: Sequence[tuple[str, str]] = (), said: str = "", *, narrow: bool = False
    ) -> None:
        """`actions`: (id, words) to click, in a line of their own if `narrow`; `said`: what the server said."""
        self._words, self._actions, self._said, self._narrow = words, tuple(actions), said, narrow

    def rows(self, row_builder: RowBuilder, gap: int) -> list[CanvasRow]:
        """The line, and what stands beneath it."""
        if self._lines is None or self._lines[0].style is not row_builder.style:
            self._lines = NoteItem(row_builder.style, ""), NoteItem(row_builder.style, "")
        line, beneath = self._lines
        line.set_note(self._words, () if self._narrow else self._actions)
        beneath.set_note("", self._actions if self._narrow else ())
        rows = [CanvasRow(line, gap)]
        if self._narrow and self._actions:
            rows.append(CanvasRow(beneath))
        if self._said:
            rows += plain_rows(row_builder, self._said)
        for row in rows:
            row.decoration = STATUS
        return rows


def status_rows(row_builder: RowBuilder, status: AnswerStatus | None, gap: int) -> list[CanvasRow]:
    """The rows that say that an answer is awaited; None: nothing is known of it."""
    return (status or AnswerStatus()).rows(row_builder, gap)


def cut_rows(row_builder: RowBuilder, gap: int, *, growing: bool) -> list[CanvasRow]:
    """The row that says that there is more than is shown."""
    later, never = (
        tr("The rest appears when the answer is finished"),
        tr("Shown up to 16 million characters. An export has all of it."),
    )
    return [CanvasRow(NoteItem(row_builder.style, later if growing else never), gap)]


def awaited_words(rows: Iterable[CanvasRow]) -> str:
    """Return the words of an awaited answer's line, by the answer's rows; "" where it has none."""
    return next((row.item.note for row in rows if isinstance(row.item, NoteItem) and row.decoration == STATUS), "")


FOLD_NOTE, EDIT_NOTE = "fold_note", "note"
SHORT = 40
"""Characters of a note that stand in the line whole, in a column that is not narrow."""


@dataclass(frozen=True, slots=True)
class AnnotationLine:
    """A mark as it is shown. `unfolded`: the whole note stands beneath the line."""

    mark: MessageMark
    unfolded: bool = False

    def rows(self, style: TextStyle) -> list[CanvasRow]:
        """The line, and the note's paragraphs while it is unfolded."""
        rows = [CanvasRow(AnnotationItem(style, self._line, self._actions), 0, 0, decoration="own-mark")]
        paragraphs = [line for line in self.mark.note.split("\n") if line.strip()] if self.unfolded else []
        for number, paragraph in enumerate(paragraphs):
            item = TextItem(style, style.body, paragraph, plain_inline)
            rows.append(CanvasRow(item, 4 if number else 0, 0, "t", decoration="own-note", quoted_above=bool(number)))
        rows[-1].tail = 8
        return rows

    @property
    def spoken(self) -> str:
        """The text for a screen reader on it, beside who speaks."""
        words = (rating_words(self.mark), tr("has a note") if self.mark.note else "")
        return ", ".join(word for word in words if word)

    @property
    def _line(self) -> str:
        rating, note = rating_words(self.mark), " ".join(self.mark.note.split())
        if self.unfolded:
            return rating or tr("Your note")
        told = tr("Your note: {note}").format(note=note) if note else ""
        return " · ".join(words for words in (rating, told) if words)

    @property
    def _actions(self) -> Sequence[tuple[str, str]]:
        if not self.mark.note:
            return ()
        edit = (EDIT_NOTE, tr("Edit"))
        if self.unfolded:
            return (FOLD_NOTE, tr("Collapse")), edit
        # all of it is shown before it is edited; the row of buttons beneath the message leads there at once
        return ((FOLD_NOTE, tr("Show all")),) if len(self.mark.note) > SHORT or "\n" in self.mark.note else (edit,)


class AnnotationItem(NoteItem):
    """One muted line."""

    __slots__ = ()


def rating_words(mark: MessageMark) -> str:
    """A rating in words, "" for none."""
    return {"up": tr("Rated up"), "down": tr("Rated down")}.get(mark.rating, "")


def marked_lines(marks: Sequence[tuple[str, str, str]]) -> dict[str, AnnotationLine]:
    """The lines that show the user's marks on messages (a message's id, its rating, its note), by those ids."""
    return {one: AnnotationLine(MessageMark(known_rating(rating), note)) for one, rating, note in marks}
