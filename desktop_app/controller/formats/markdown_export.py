"""A branch as Markdown for people to read: citations of passages are footnotes, listed at the end.

Every message stands in full, also where the model reads a summary of it: a note before the first says so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from desktop_app.core.citations import ReadableCitations, SentPassages
from desktop_app.core.context.context_choices import Summary
from desktop_app.core.context.sent_content import opens_turn
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


def write_branch(thread: Thread, path: Sequence[Message], *, documents: bool = True) -> str:
    """The thread's title, system prompt and the messages of one branch, root first.

    `documents`: with the text of what was attached; else its name alone, as of an image.
    """
    blocks = [f"# {thread.title or 'Untitled'}", f"*{thread.created} · {len(path)} messages*"]
    if thread.system:
        blocks += ["## System", _quoted(thread.system)]
    notes = _notes(thread, path)
    answers = [part for message in path if message.role == "assistant" for part in uncut(message.parts)]
    texts = [part.text for part in answers if isinstance(part, TextPart)]
    citations = ReadableCitations(SentPassages(path), texts)
    goes_on = False
    for message in path:
        goes_on |= message.role == "user" and not opens_turn(message)
        blocks += notes.get(message.id, ())
        # one answer with tools in its midst is several messages
        if not goes_on:
            blocks.append(f"## {_heading(message)}")
        goes_on = message.role == "user" and not opens_turn(message)
        for part in uncut(message.parts):
            if isinstance(part, TextPart) and message.role == "assistant":
                blocks.append(citations.written(part.text.strip("\n")))
            else:
                blocks += _part(part, documents=documents)
        if message.failure is not None:
            blocks.append(f"*{message.failure.message}*")
        elif message.state == "partial":
            blocks.append("*The answer ends here: it was interrupted.*")
    if footnotes := citations.footnotes():
        blocks.append(footnotes)
    return "\n\n".join(blocks) + "\n"


def _notes(thread: Thread, path: Sequence[Message]) -> Mapping[str, list[str]]:
    """Each summary by the first message of the branch that it stands for, as blocks."""
    notes: dict[str, list[str]] = {}
    gone = {one.message for one in thread.choices.deleted} - {message.id for message in path}
    for summary in thread.choices.summaries:
        covered = [message.id for message in path if message.id in summary.sources]
        if covered and gone.isdisjoint(summary.sources):  # else the model does not read it
            notes.setdefault(covered[0], []).extend((_line_above(summary, len(covered)), _quoted(summary.text)))
    return notes


def _line_above(summary: Summary, covered: int) -> str:
    author = f"{summary.model}, edited" if summary.model and summary.edited else summary.model or "you"
    instead = f"{covered:,} messages from here on" if covered != 1 else "the next message"
    return f"*Conversation summary by {author}. The model reads it in place of {instead}.*"


def _heading(message: Message) -> str:
    if message.role == "user":
        return "You"
    return f"Assistant ({message.model})" if message.model else "Assistant"


def _part(part: Part, *, documents: bool) -> Iterator[str]:
    match part:
        case TextPart(text):
            yield text.strip("\n")
        case ThinkingPart(text):
            yield _quoted(f"Thinking:\n\n{text}")
        case ToolCallPart(_, name, arguments):
            yield f"*Used {name}:*"
            yield _fenced(json.dumps(arguments, ensure_ascii=False, indent=2), "json")
        case ToolResultPart(_, text, is_error):
            yield "*The tool failed:*" if is_error else "*The tool answered:*"
            yield _fenced(text, "")
        case ImagePart(name):
            yield f"[image] {name}"
        case DocumentPart(name, text):
            yield f"[document] {name}"
            if documents:
                yield _fenced(text.strip("\n"), "")
        case UnknownPart(raw):
            yield f"[{raw.get('type', 'Unknown content')}: kept in the JSON export]"
        case _:
            assert_never(part)


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _fenced(text: str, language: str) -> str:
    """A code block whose fence is longer than any run of backticks inside it."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
