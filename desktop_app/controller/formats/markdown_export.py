"""A branch as Markdown for people to read: citations of passages are footnotes, listed at the end.

Every message stands in full, also where the model reads a summary of it: a note before the first says so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import assert_never

from desktop_app.controller.formats.exported_thread import (
    ExportContents,
    ExportedThread,
    ToolUse,
    ToolUses,
    branch_messages,
    ended_early,
    facts_of,
    model_name,
    title_of,
)
from desktop_app.core.citations import CitationNote, ReadableCitations, SentPassages, footnote
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Message,
    Part,
    TextPart,
    ThinkingPart,
    Thread,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
    uncut,
)

# What a scalar of YAML can't hold as it is; the rest of what JSON escapes means the same there.
_NOT_IN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_END_OF_FOLD = re.compile(r"<(?=/?(?:details|summary)\b)", re.IGNORECASE)


def write_branch(thread: Thread, path: Sequence[Message], *, documents: bool = True) -> str:
    """The thread's title, system prompt and the messages of one branch, root first.

    `documents`: with the text of what was attached; else its name alone, as of an image.
    """
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
    """Writes the messages of a branch.

    `folds`: as HTML's `details`, for programs that render Markdown; `number`: of the thread in its file, where there
    are several.
    """

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
