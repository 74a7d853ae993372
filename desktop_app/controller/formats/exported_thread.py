"""The common parts of formats for people (a branch's messages, facts, who said what), and a branch as Markdown.

Every message stands in full, also where the model reads a summary of it: a note before the first says so. Citations of
passages are footnotes, listed at the end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final, assert_never

from desktop_app.core.artifacts import Artifact
from desktop_app.core.citations import CitationNote, ReadableCitations, SentPassages, footnote
from desktop_app.core.context.context_choices import Summary
from desktop_app.core.context.sent_content import ARTIFACT_TOOLS, opens_turn
from desktop_app.core.conversation import Conversation, without_deleted
from desktop_app.core.document_search import summary_of
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Message,
    MessageMark,
    Part,
    TextPart,
    ThinkingPart,
    Thread,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
    uncut,
)
from desktop_app.core.model_catalog import shipped_name

LONGEST_LINE: Final = 200
"""Characters of a line about a tool, which may hold what it answered."""


@dataclass(frozen=True, slots=True)
class ExportContents:
    """Beside the words, `details`: thinking and tools' questions and answers; `attached`: documents' texts."""

    details: bool = True
    attached: bool = False


@dataclass(frozen=True, slots=True)
class ExportedThread:
    """A thread to export: its project's name, the tree parents first, marks by message id, artifacts' newest texts."""

    thread: Thread
    messages: Sequence[Message]
    marks: Mapping[str, MessageMark] = field(default_factory=dict)
    artifacts: Sequence[tuple[Artifact, str]] = ()

    def branch(self) -> Sequence[Message]:
        """The current branch, without what is deleted on it."""
        return without_deleted(Conversation(self.messages).path(self.thread.tip), self.thread.choices)

    def written_artifacts(self) -> Iterator[WrittenArtifact]:
        """The artifacts as they stand below a branch."""
        parts = [part for message in self.branch() for part in uncut(message.parts)]
        said = [part.text for part in parts if isinstance(part, TextPart)]
        said += [str(part.input.get("text", "")) for part in parts if isinstance(part, ToolCallPart)]
        for artifact, text in self.artifacts:
            words = f"Artifact: {_one_line(artifact.title)}"
            version = f"version {artifact.versions:,}"
            if any(text.strip() in one for one in said):
                yield WrittenArtifact(words, f"{version}, as it stands above", "")
            else:
                language = "markdown" if artifact.kind == "markdown" else artifact.language or artifact.kind
                yield WrittenArtifact(words, version, text, language)


@dataclass(frozen=True, slots=True)
class WrittenArtifact:
    """An artifact in an export for people: heading, version, text ("" where the branch has it) and its `language`."""

    words: str
    version: str
    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class ThreadFacts:
    """The facts above a branch: `messages` as one reads them, tokens as counted, `cost_usd` None if not known."""

    title: str
    created: str
    updated: str
    project: str
    models: tuple[str, ...]
    messages: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class BranchMessage:
    """A message that `opens` a question or answer or not; each note: a line about a summary, and its text."""

    message: Message
    opens: bool
    notes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call of a tool as an export for people names it: `words`, and what went in and out as (text, language).

    `essential`: what went in is what the model wrote for the reader, and stands there also without details.
    """

    words: str
    texts: tuple[tuple[str, str], ...]
    essential: bool = False


class ToolUses:
    """The calls of tools on a branch together with their results, which come in the message after."""

    def __init__(self, path: Sequence[Message]) -> None:
        self._called: dict[str, ToolCallPart] = {}
        # some servers count their calls anew in each answer: a result is that of the last call of its id
        self._results: dict[int, ToolResultPart] = {}
        for part in (part for message in path for part in message.parts):
            if isinstance(part, ToolCallPart):
                self._called[part.id] = part
            elif isinstance(part, ToolResultPart) and (call := self._called.get(part.call_id)) is not None:
                self._results[id(call)] = part

    def of_call(self, call: ToolCallPart) -> ToolUse:
        """A call with its result, where there is one."""
        result = self._results.get(id(call))
        title, written = call.input.get("title") or call.input.get("id"), call.input.get("text")
        if call.name in ARTIFACT_TOOLS and isinstance(written, str) and not (result is not None and result.is_error):
            kind = re.sub(r"[^\w+#.-]", "", str(call.input.get("language") or call.input.get("kind") or ""))
            return ToolUse(f"Artifact: {_one_line(str(title))}", ((written, kind[:LONGEST_LINE]),), essential=True)
        texts = [call.input_text] if call.input else []
        if result is None:
            return ToolUse(_one_line(f"Used {call.name}"), tuple(texts))
        words = summary_of(call, result)
        words = f"Used {call.name}" if words == call.name else words[:1].upper() + words[1:]
        return ToolUse(_one_line(words), (*texts, (result.text, "")))

    def of_result(self, result: ToolResultPart) -> ToolUse | None:
        """A result without a call on the branch; None for others, which are named with their calls."""
        if result.call_id in self._called:
            return None
        return ToolUse("The tool failed" if result.is_error else "The tool answered", ((result.text, ""),))


def _one_line(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"


def facts_of(thread: Thread, path: Sequence[Message]) -> ThreadFacts:
    """The facts of a branch."""
    usages = [message.usage for message in path if message.usage is not None]
    costs = [usage.cost_usd for usage in usages if usage.cost_usd is not None]
    answers = (message for message in path if message.role == "assistant" and message.model)
    return ThreadFacts(
        title=title_of(thread),
        created=thread.created,
        updated=thread.updated,
        project=thread.project or "",
        models=tuple(dict.fromkeys(model_name(message) for message in answers)),
        messages=sum(one.opens for one in branch_messages(thread, path)),
        input_tokens=sum(usage.prompt for usage in usages),
        output_tokens=sum(usage.output for usage in usages),
        cost_usd=round(sum(costs), 6) if costs else None,
    )


def title_of(thread: Thread) -> str:
    """The title in one line."""
    return " ".join(thread.title.split()) or "Untitled"


def model_name(message: Message) -> str:
    """The model's name as its provider writes it, where that is known, else its id."""
    return shipped_name(message.model or "", message.backend or "")


def speaker(message: Message) -> str:
    """Who said it."""
    return "You" if message.role == "user" else model_name(message) or "Assistant"


def branch_messages(thread: Thread, path: Sequence[Message]) -> Iterator[BranchMessage]:
    """The messages of a branch in order. One answer with tools in its midst is several messages, of which one opens."""
    notes = _notes(thread, path)
    goes_on = False
    for message in path:
        results = message.role == "user" and not opens_turn(message)
        yield BranchMessage(message, not (goes_on or results), tuple(notes.get(message.id, ())))
        goes_on = results


def ended_early(message: Message) -> str:
    """A sentence about an answer that has failed or is not whole; "" for others."""
    if message.failure is not None:
        return str(message.failure.message)
    return "The answer ends here: it was interrupted." if message.state == "partial" else ""


def _notes(thread: Thread, path: Sequence[Message]) -> Mapping[str, list[tuple[str, str]]]:
    """Each summary by the first message of the branch that it stands for."""
    notes: dict[str, list[tuple[str, str]]] = {}
    gone = {one.message for one in thread.choices.deleted} - {message.id for message in path}
    for summary in thread.choices.summaries:
        covered = [message.id for message in path if message.id in summary.sources]
        if covered and gone.isdisjoint(summary.sources):  # else the model does not read it
            notes.setdefault(covered[0], []).append((_line_above(summary, len(covered)), summary.text))
    return notes


def _line_above(summary: Summary, covered: int) -> str:
    model = shipped_name(summary.model)
    author = f"{model}, edited" if model and summary.edited else model or "you"
    instead = f"{covered:,} messages from here on" if covered != 1 else "the next message"
    return f"Conversation summary by {author}. The model reads it in place of {instead}."


# What a scalar of YAML can't hold as it is; the rest of what JSON escapes means the same there.
_NOT_IN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_END_OF_FOLD = re.compile(r"<(?=/?(?:details|summary)\b)", re.IGNORECASE)


def write_branch(thread: Thread, path: Sequence[Message], *, documents: bool = True) -> str:
    """One branch with title and system prompt, root first; `documents`: with their texts, else by name alone."""
    one = ExportedThread(thread, path)
    blocks = [f"# {title_of(thread)}", f"*{thread.created} · {facts_of(thread, path).messages} messages*"]
    blocks += _BranchWriter(one, path, ExportContents(attached=documents)).blocks()
    return "\n\n".join(blocks) + "\n"


def write_file(one: ExportedThread, contents: ExportContents) -> Iterator[str]:
    """The current branch as pieces of a file of its own, its facts as front matter."""
    path = one.branch()
    yield front_matter(one.thread, path)
    yield f"\n# {title_of(one.thread)}\n"
    for block in _BranchWriter(one, path, contents, folds=True).blocks():
        yield f"\n{block}\n"


def write_section(one: ExportedThread, contents: ExportContents, number: int) -> Iterator[str]:
    """The current branch as pieces of a file of several threads, of which it is the `number`th, from 1 on."""
    path = one.branch()
    facts = facts_of(one.thread, path)
    known = [facts.created, facts.project, ", ".join(facts.models), f"{facts.messages} messages"]
    yield ("\n" if number > 1 else "") + f"# {facts.title}\n\n*{' · '.join(filter(None, known))}*\n"
    for block in _BranchWriter(one, path, contents, folds=True, number=number).blocks():
        yield f"\n{block}\n"


def front_matter(thread: Thread, path: Sequence[Message]) -> str:
    """The facts of a branch in YAML, between lines of dashes; what is not known is left out."""
    facts = facts_of(thread, path)
    values: dict[str, object] = {
        "title": facts.title,
        "created": facts.created,
        "updated": facts.updated,
        "models": list(facts.models),
        "project": facts.project,
        "messages": facts.messages,
        "input_tokens": facts.input_tokens,
        "output_tokens": facts.output_tokens,
        "cost_usd": facts.cost_usd,
        "thread": thread.id,
        "source": "Plimsoll",
    }
    lines = [f"{name}: {_scalar(value)}" for name, value in values.items() if value or name == "messages"]
    return "\n".join(["---", *lines, "---", ""])


def _scalar(value: object) -> str:
    """A text, list or number as JSON, which YAML reads the same."""
    if isinstance(value, float):
        return f"{value:f}".rstrip("0").rstrip(".")
    return _NOT_IN_YAML.sub(lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(value, ensure_ascii=False))


class _BranchWriter:
    """Writes a branch's messages. `folds`: as HTML's `details`; `number`: of the thread in a file of several."""

    def __init__(
        self,
        one: ExportedThread,
        path: Sequence[Message],
        contents: ExportContents,
        *,
        folds: bool = False,
        number: int = 0,
    ) -> None:
        self._thread, self._path = one.thread, path
        self._artifacts = list(one.written_artifacts())
        self._contents, self._folds, self._number = contents, folds, number
        answers = [part for message in path if message.role == "assistant" for part in uncut(message.parts)]
        texts = [part.text for part in answers if isinstance(part, TextPart)]
        texts += [one.text for one in self._artifacts if one.language == "markdown"]
        self._tools = ToolUses(path)
        self._citations = ReadableCitations(SentPassages(path), texts)

    def blocks(self) -> Iterator[str]:
        """Yield the text below the title, block by block."""
        if self._thread.system:
            yield "## System"
            yield _quoted(self._thread.system)
        for one in branch_messages(self._thread, self._path):
            for line, summary in one.notes:
                yield f"*{line}*"
                yield _quoted(summary)
            if one.opens:
                yield f"## {_heading(one.message)}"
            for part in uncut(one.message.parts):
                if isinstance(part, TextPart) and one.message.role == "assistant":
                    yield self._citations.written(part.text.strip("\n"), self._mark)
                else:
                    yield from self._part(part)
            if sentence := ended_early(one.message):
                yield f"*{sentence}*"
        for artifact in self._artifacts:
            yield f"## {artifact.words}"
            yield f"*{artifact.version}*"
            if artifact.language == "markdown":
                yield self._citations.written(artifact.text.strip("\n"), self._mark)
            elif artifact.text:
                yield _fenced(artifact.text.strip("\n"), artifact.language)
        if footnotes := self._citations.footnotes():
            yield re.sub(r"^\[\^(?=\d+\]:)", self._mark_begins, footnotes, flags=re.MULTILINE)

    @property
    def _mark_begins(self) -> str:
        return f"[^{self._number}-" if self._number > 1 else "[^"

    def _mark(self, note: CitationNote) -> str:
        return f"{self._mark_begins}{note.number}]" if self._number > 1 else footnote(note)

    def _part(self, part: Part) -> Iterator[str]:
        match part:
            case TextPart(text):
                yield text.strip("\n")
            case ThinkingPart(text):
                if self._contents.details and self._folds:
                    yield _folded("Thinking", _END_OF_FOLD.sub("&lt;", text.strip("\n")))
                elif self._contents.details:
                    yield _quoted(f"Thinking:\n\n{text}")
            case ToolCallPart():
                yield from self._tool(self._tools.of_call(part))
            case ToolResultPart():
                if (use := self._tools.of_result(part)) is not None:
                    yield from self._tool(use)
            case ImagePart(name):
                yield f"[image] {name}"
            case DocumentPart(name, text):
                yield f"[document] {name}"
                if self._contents.attached:
                    yield _fenced(text.strip("\n"), "")
            case UnknownPart(raw):
                yield f"[{raw.get('type', 'Unknown content')}: kept in the JSON export]"
            case _:
                assert_never(part)

    def _tool(self, use: ToolUse) -> Iterator[str]:
        """A line about a tool, and where it is wanted, what went in and out."""
        texts = "\n\n".join(_fenced(text.removesuffix("\n"), language) for text, language in use.texts)
        if not self._contents.details and not use.essential:
            yield f"*{use.words}*"
        elif self._folds:
            yield _folded(use.words, texts)
        else:
            yield f"*{use.words}:*"
            yield texts


def _heading(message: Message) -> str:
    if message.role == "user":
        return "You"
    return f"Assistant ({model_name(message)})" if message.model else "Assistant"


def _folded(words: str, text: str) -> str:
    return f"<details>\n<summary>{escape(words)}</summary>\n\n{text}\n\n</details>"


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _fenced(text: str, language: str) -> str:
    """A code block whose fence is longer than any run of backticks inside it."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
