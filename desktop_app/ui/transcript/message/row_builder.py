"""The rows of items made of leaves and parts, and the parts of an answer grouped for display."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from operator import is_
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, assert_never

from markdown_it import MarkdownIt

from desktop_app.core.markdown.block_stream import BlockStream, References, parse_blocks
from desktop_app.core.markdown.blocks import Block, Leaf, number_of
from desktop_app.core.markdown.footnotes import NoteNumbers, label_of, numbered, shown_note
from desktop_app.core.markdown.inline_text import Inline, formula_inline, parse_inline, plain_inline, reads_as_written
from desktop_app.core.markdown.markdown_dialect import block_parser, inline_parser
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    JsonObject,
    Message,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
    Usage,
    are_one_text,
)
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.transcript.items.code_item import CodeItem, CodeOptions
from desktop_app.ui.transcript.items.item import CARD_GAP, CanvasRow, Item, TextStyle, gap_between
from desktop_app.ui.transcript.items.line_items import NoteItem, RuleItem
from desktop_app.ui.transcript.items.table_item import TableItem
from desktop_app.ui.transcript.items.text_item import TextItem

if TYPE_CHECKING:
    from desktop_app.core.citations import SentPassages
    from desktop_app.core.markdown.sections import Section
    from desktop_app.ui.transcript.formulas.inline_formulas import FormulaCache
    from desktop_app.ui.transcript.items.fold_items import AttachmentsItem
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
    if (whole := round(seconds)) < 1:
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
        if (old := row.leaf) is None or (old.kind, old.level, old.containers, old.language, old.info) != (
            leaf.kind, leaf.level, leaf.containers, leaf.language, leaf.info,
        ):  # fmt: skip
            return False
        if isinstance(item := row.item, TextItem):
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
            if isinstance(item, TableItem):
                item.settle()
            if leaf is not None and isinstance(item, TextItem | TableItem) and mark in str(leaf.table or leaf.text):
                item.read_by(self._reader(leaf, references, growing=False))

    def number_notes(self, rows: Iterable[CanvasRow], numbers: NoteNumbers) -> None:
        """Shows notes under the numbers that they have by now."""
        for row in rows:
            if label := label_of(row.marker):
                from desktop_app.ui.transcript.items.paragraph_items import FootnoteItem  # few texts have notes

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
        if len(whole := source.strip()) > 4 and whole.endswith(("$$", "\\]")):
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
            highlighter = self._highlighter() if leaf.language else None
            item = CodeItem(style, leaf.text, leaf.language, highlighter, self.code_options, info=leaf.info)
        elif leaf.table is not None:
            item = TableItem(style, leaf.table, self._reader(leaf, references, False), read, self._formulas)
        elif leaf.kind == "math":
            from desktop_app.ui.transcript.items.paragraph_items import DisplayFormulaItem

            item = DisplayFormulaItem(style, leaf.text, read, self._formulas)
        elif label := label_of(leaf.marker):
            from desktop_app.ui.transcript.items.paragraph_items import FootnoteItem

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
        from desktop_app.ui.transcript.items.fold_items import AttachmentsItem
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
        row = self.row(Leaf("code", text, 0, 0, language=language), {}, None)
        row.gap = CARD_GAP // 2
        return [row]


def _reads_as_written(leaf: Leaf) -> bool:
    return leaf.kind in {"paragraph", "heading"} and reads_as_written(leaf.text)


PartGroupKind: TypeAlias = Literal[
    "text", "thinking", "recall", "documents", "history", "web", "tool", "attached", "other"
]

RECALL_NAME: Final = "search_this_thread"
WEB_NAME: Final = "web_search"
LOOK_UPS: Final[Mapping[str, PartGroupKind]] = {
    RECALL_NAME: "recall",
    "search_documents": "documents",
    "read_document": "documents",
    "list_documents": "documents",
    "search_history": "history",
}
"""The app's own tools that look something up, and what they are shown as."""
SERVER: Final = "server"
"""Key in `extra` of a call, or a result, that the provider ran itself; the block as it came stands there."""

_KINDS: Final[Mapping[type[Part], PartGroupKind]] = {
    TextPart: "text",
    ThinkingPart: "thinking",
    ToolResultPart: "tool",
    ImagePart: "attached",
    DocumentPart: "attached",
}
_ENDS: Final = frozenset(".!?:。！？\n")
"""The characters at the end of a text after which another begins afresh."""
_GOING_ON: Final = frozenset(" ,.;:)")
"""The characters that only a text begins with that goes on in the middle of a sentence or between two."""


@dataclass(slots=True, eq=False)
class PartGroup:
    """Something shown as one. `number` is the place of its first part in the message.

    A "recall", "documents", "history" or "web" group may hold several calls in a row, an "attached" one several
    attachments; `results` are by call id.
    """

    kind: PartGroupKind
    number: int
    parts: list[Part]
    results: dict[str, ToolResultPart] = field(default_factory=dict)

    @property
    def calls(self) -> tuple[ToolCallPart, ...]:
        return tuple(part for part in self.parts if isinstance(part, ToolCallPart))

    @property
    def waiting(self) -> bool:
        """True while the result of a call is missing."""
        return any(call.id not in self.results for call in self.calls)

    @property
    def text(self) -> str:
        """The text that is written in it."""
        return "".join(getattr(part, "text", "") for part in self.parts)

    @property
    def content(self) -> tuple[PartGroupKind, object]:
        """The value by which two states of a group are compared; the results are no part of it."""
        return self.kind, self.text if self.kind in ("text", "thinking") else tuple(self.parts)


class PartGroups:
    """Takes parts in order; `list` are the groups so far. `typed`: what a user wrote, where no part runs on."""

    def __init__(self, parts: Sequence[Part] = (), *, typed: bool = False) -> None:
        self.list: list[PartGroup] = []
        self._typed = typed
        self._count = 0
        self._of_call: dict[str, PartGroup] = {}
        for part in parts:
            self.add(part)

    def add(self, part: Part) -> PartGroup:
        """The group that the part went into: a new one, the last, or for a result that of its call."""
        part = plain_part(part)
        number, self._count = self._count, self._count + 1
        if isinstance(part, ToolResultPart) and (asked := self.of_call(part.call_id)) is not None:
            asked.results[part.call_id] = part
            return asked
        kind = _kind(part)
        last = self.list[-1] if self.list else None
        if last is not None and last.kind == kind and _goes_on(last, part, typed=self._typed):
            last.parts.append(part)
        else:
            self.list.append(last := PartGroup(kind, number, [part]))
        if isinstance(part, ToolCallPart):
            self._of_call[part.id] = last
        return last

    def of_call(self, call_id: str) -> PartGroup | None:
        """The group of a call."""
        return self._of_call.get(call_id)

    def of_part(self, place: int) -> PartGroup | None:
        """The group that begins with, or before, the part at a place."""
        return next((group for group in reversed(self.list) if group.number <= place), None)


def plain_part(part: Part) -> Part:
    """A call or result of a tool that the provider runs, kept as an unknown block, in the form of ours."""
    if not isinstance(part, UnknownPart):
        return part
    raw = part.raw
    match raw:
        case {"type": "server_tool_use", "id": str(call_id), "name": str(name), "input": Mapping() as given}:
            return ToolCallPart(call_id, name, given, {SERVER: raw})
        case {"type": str(kind), "tool_use_id": str(call_id)} if kind.endswith("_tool_result"):
            return ToolResultPart(call_id, "", _failed(raw), {SERVER: raw})
    return part


def tool_name(name: str) -> str:
    """A tool's own name, without the server's that offers it."""
    return name.rpartition("__")[2] or name


def citations_of(part: Part) -> Sequence[JsonObject]:
    """Return the sources that a text says it is taken from, in the provider's form."""
    cited = part.extra.get("citations") if isinstance(part, TextPart) else None
    return [one for one in cited if isinstance(one, Mapping)] if isinstance(cited, list | tuple) else ()


def _failed(raw: JsonObject) -> bool:
    return isinstance(content := raw.get("content"), Mapping) and str(content.get("type", "")).endswith("_error")


def _kind(part: Part) -> PartGroupKind:
    if isinstance(part, ToolCallPart):
        if tool_name(part.name) == RECALL_NAME or part.name in LOOK_UPS:
            return LOOK_UPS[tool_name(part.name)]
        return "web" if part.name == WEB_NAME and SERVER in part.extra else "tool"
    return _KINDS.get(type(part), "other")


def _goes_on(group: PartGroup, part: Part, *, typed: bool) -> bool:
    """Return True if a part is one with those before it: calls in a row, or a text cut where its sources change."""
    if group.kind in ("recall", "documents", "history", "web", "attached"):
        return True
    if group.kind != "text" or typed:
        return False
    before = group.parts[-1]
    if isinstance(before, TextPart) and isinstance(part, TextPart) and are_one_text(before, part):
        return True
    written, coming = getattr(before, "text", ""), getattr(part, "text", "")
    cut = bool(written.strip()) and (written[-1] not in _ENDS or coming[:1] in _GOING_ON)
    return cut and not coming.startswith("\n\n")


def written_text(message: Message) -> str:
    """The text of a message as it is read: its runs of text, apart by blank lines."""
    if message.role == "user" or len(message.parts) < 2:
        return message.text
    return "\n\n".join(group.text for group in PartGroups(message.parts).list if group.kind == "text")


def is_results(message: Message) -> bool:
    """True for a user message that nobody wrote: the results of tools."""
    parts = message.parts
    # asked of every message of a thread that is opened, most of which end here
    if message.role != "user" or not parts or type(parts[0]) is not ToolResultPart:
        return False
    return all(isinstance(part, ToolResultPart) for part in parts)


def answers_of(path: Sequence[Message]) -> list[tuple[Message, ...]]:
    """The messages of a path, with those together that are one answer; most stand alone."""
    groups: list[list[Message]] = []
    for message in path:
        if groups and continues(groups[-1], message):
            groups[-1].append(message)
        else:
            groups.append([message])
    return [tuple(group) for group in groups]


def continues(answer: Sequence[Message], message: Message) -> bool:
    """Return True if `message`, which comes next on the path, belongs to this answer."""
    last = answer[-1]
    if is_results(message):
        return last.role == "assistant" or is_results(last)
    return message.role == "assistant" and is_results(last)


def joined(messages: Sequence[Message]) -> Message:
    """One answer of these messages: all parts in order, the usage of all calls, the end of the last.

    Where the last are results, no answer followed them: what there is counts as stopped.
    """
    if len(messages) == 1 and not is_results(messages[0]):
        return messages[0]
    said = [message for message in messages if message.role == "assistant"]
    last = said[-1] if said else messages[-1]
    return replace(
        messages[0],
        role="assistant",
        parts=tuple(part for message in messages for part in message.parts),
        state="partial" if is_results(messages[-1]) and last.state == "complete" else last.state,
        backend=last.backend,
        model=last.model,
        usage=_sum([message.usage for message in said if message.usage is not None]),
        stop_reason=last.stop_reason,
        failure=last.failure,
    )


def _sum(usages: Sequence[Usage]) -> Usage | None:
    if not usages:
        return None
    costs = [usage.cost_usd for usage in usages if usage.cost_usd is not None]
    return Usage(
        input=sum(usage.input for usage in usages),
        cache_read=sum(usage.cache_read for usage in usages),
        cache_write=sum(usage.cache_write for usage in usages),
        output=sum(usage.output for usage in usages),
        thinking=sum(usage.thinking for usage in usages),
        cost_usd=sum(costs) if costs else None,
        first_prompt=usages[0].opening if len(usages) > 1 else usages[0].first_prompt,
        asked=usages[-1].asked,
    )


class MergedAnswers:
    """Which messages of the shown path are one answer. An answer has the id of its first message."""

    def __init__(self) -> None:
        self._members: dict[str, tuple[Message, ...]] = {}
        self._answer_of: dict[str, str] = {}

    def read(self, path: Sequence[Message]) -> list[Message]:
        """The path as a reader sees it; what is joined is kept in mind."""
        if not any(map(is_results, path)):
            return list(path)
        return [self._take(group) for group in answers_of(path)]

    def copy(self) -> MergedAnswers:
        """The same answers, to go on with in another way."""
        made = MergedAnswers()
        made._members, made._answer_of = self._members.copy(), self._answer_of.copy()
        return made

    def read_on(
        self, shown: Sequence[Message], before: Sequence[Message], path: Sequence[Message]
    ) -> list[Message] | None:
        """`path` as a reader sees it, where `shown` is that of `before` and all but its last message is on it still.

        None where more is another than before. The cost is that of the last answer and of what came since.
        """
        if not before or len(path) < len(before) - 1 or not all(map(is_, before[:-1], path)):
            return None
        last = self.members(shown[-1])
        start = len(before) - len(last)
        if len(shown) > 1 and start < len(path) and continues(self.members(shown[-2]), path[start]):
            return None  # it stands in the last one's place, and belongs to the answer before that
        self._members.pop(shown[-1].id, None)
        for member in last[1:]:
            del self._answer_of[member.id]
        return [*shown[:-1], *self.read(path[start:])]

    @property
    def hidden(self) -> int:
        """The number of messages of the path that are not shown by themselves."""
        return len(self._answer_of)

    def id_of(self, message_id: str) -> str:
        """The id of the answer that a message is part of; its own where it stands alone."""
        return self._answer_of.get(message_id, message_id)

    def members(self, message: Message) -> tuple[Message, ...]:
        return self._members.get(message.id, (message,))

    def continues(self, answer: Message, message: Message) -> bool:
        """Return True if a message that comes next belongs to the answer that is shown."""
        return continues(self.members(answer), message)

    def extended(self, answer: Message, message: Message) -> Message:
        """The answer with another message, or with another state of one that it has."""
        members = self.members(answer)
        known = [index for index, member in enumerate(members) if member.id == message.id]
        if known:
            return self._take((*members[: known[0]], message, *members[known[0] + 1 :]))
        return self._take((*members, message))

    def place_of(self, answer: Message, message_id: str) -> int:
        """Which part of the answer a message begins with; results stand where their first call does."""
        place = 0
        for member in self.members(answer):
            if member.id == message_id:
                return _place_of_call(answer, member.parts[0], place) if is_results(member) else place
            place += len(member.parts)
        return 0

    def _take(self, group: tuple[Message, ...]) -> Message:
        answer = joined(group)
        if len(group) > 1 or is_results(group[0]):
            self._members[answer.id] = group
            self._answer_of.update((member.id, answer.id) for member in group[1:])
        return answer


def _place_of_call(answer: Message, result: Part, otherwise: int) -> int:
    if not isinstance(result, ToolResultPart):
        return otherwise
    calls = (
        place
        for place, part in enumerate(answer.parts)
        if isinstance(plain := plain_part(part), ToolCallPart) and plain.id == result.call_id
    )
    return next(calls, otherwise)
