"""Writes the messages of a branch as HTML: headings, thinking and tools as folds, attachments, what ended early.

A page for a browser and a document that is printed hold the same; they differ in their `BranchForms`.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Protocol, assert_never

from desktop_app.controller.formats.exported_thread import (
    BranchMessage,
    ExportContents,
    ExportedThread,
    ToolUse,
    ToolUses,
    WrittenArtifact,
    branch_messages,
    ended_early,
    facts_of,
    speaker,
)
from desktop_app.controller.formats.html_blocks import BlockHtml, HtmlForms, text_html
from desktop_app.core.citations import SentPassages
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Message,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
    uncut,
)
from desktop_app.core.titles import first_words

PICTURES: Final = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""Pictures of other kinds are named; SVG could hold references."""

MOST_DETAIL: Final = 20_000
"""Characters of what a tool was given or answered that stand in an export for people."""


class BranchForms(HtmlForms, Protocol):
    """The forms in which a page and a printed document differ."""

    def fold(self, words: str, html: str) -> str: ...

    def picture(self, part: ImagePart) -> str: ...

    def message(self, role: str, heading: str, html: str) -> str:
        """`heading`: empty where the message goes on with an answer."""
        ...


@dataclass(frozen=True, slots=True)
class WrittenMessage:
    """A message as HTML, and the words by which an outline leads to it ("" where it goes on with an answer)."""

    html: str
    outline: str


class BranchHtml:
    """Writes one thread after the other."""

    def __init__(self, forms: BranchForms, contents: ExportContents) -> None:
        self._forms, self._contents = forms, contents
        self._blocks = BlockHtml(forms)
        self._sent = SentPassages()
        self._tools = ToolUses(())

    def messages(self, one: ExportedThread) -> Iterator[WrittenMessage]:
        """The system prompt and the messages of the current branch."""
        path = one.branch()
        self._sent, self._tools = SentPassages(path), ToolUses(path)
        if one.thread.system:
            html = self._forms.message("system", "<h2>System prompt</h2>", self._blocks.typed(one.thread.system))
            yield WrittenMessage(html, "System prompt")
        for each in branch_messages(one.thread, path):
            yield self._message(each)
        for artifact in one.written_artifacts():
            yield self._artifact(artifact)

    def _message(self, one: BranchMessage) -> WrittenMessage:
        message = one.message
        notes = "".join(
            self._forms.fold(text_html(line), self._blocks.markdown(summary)) for line, summary in one.notes
        )
        body = "".join(self._part(part, message) for part in uncut(message.parts))
        if sentence := ended_early(message):
            body += f'<p class="failed">{text_html(sentence)}</p>'
        if not one.opens:
            return WrittenMessage(notes + self._forms.message("assistant", "", body), "")
        who = speaker(message)
        heading = f'<h2>{text_html(who)} <span class="when">{text_html(moment(message.created))}</span></h2>'
        words = first_words(message.text) if message.role == "user" else ""
        return WrittenMessage(
            notes + self._forms.message(message.role, heading, body), f"{who}: {words}" if words else who
        )

    def _artifact(self, one: WrittenArtifact) -> WrittenMessage:
        heading = f'<h2>{text_html(one.words)} <span class="when">{text_html(one.version)}</span></h2>'
        if one.language == "markdown":
            html = self._blocks.markdown(one.text, self._sent)
        else:
            html = self._blocks.code(one.text, one.language) if one.text else ""
        return WrittenMessage(self._forms.message("artifact", heading, html), one.words)

    def _part(self, part: Part, message: Message) -> str:
        details = self._contents.details
        match part:
            case TextPart(text):
                user = message.role == "user"
                html = self._blocks.typed(text) if user else self._blocks.markdown(text, self._sent)
            case ThinkingPart(text):
                html = self._forms.fold("Thinking", self._blocks.markdown(text)) if details else ""
            case ToolCallPart():
                html = self._tool(self._tools.of_call(part))
            case ToolResultPart():
                use = self._tools.of_result(part)
                html = "" if use is None else self._tool(use)
            case ImagePart():
                html = self._forms.picture(part)
            case DocumentPart(name, text) if self._contents.attached:
                html = self._forms.fold(text_html(name), self._blocks.code(text, ""))
            case DocumentPart(name):
                html = f'<p class="attached">Attached: {text_html(name)}</p>'
            case UnknownPart(raw):
                kind = text_html(str(raw.get("type", "Unknown content")))
                html = f'<p class="attached">{kind}: kept in the JSON export</p>'
            case _:
                assert_never(part)
        return html

    def _tool(self, use: ToolUse) -> str:
        """A line about a tool, and where it is wanted, what went in and out."""
        words = text_html(use.words)
        if not self._contents.details and not use.essential:
            return f'<p class="attached">{words}</p>'
        return self._forms.fold(words, "".join(self._tool_text(*one, whole=use.essential) for one in use.texts))

    def _tool_text(self, text: str, language: str, *, whole: bool) -> str:
        if language == "markdown":
            return self._blocks.markdown(text)
        if len(text) > MOST_DETAIL and not whole:
            text = f"{text[:MOST_DETAIL]}\n… {len(text) - MOST_DETAIL:,} more characters are in the JSON export"
        return self._blocks.code(text, language)


def facts_html(one: ExportedThread) -> str:
    """A line below the title: when, which project, which models, how many messages, what it took."""
    facts = facts_of(one.thread, one.branch())
    count = f"{facts.messages:,} message{'' if facts.messages == 1 else 's'}"
    known = [moment(facts.created), facts.project, ", ".join(facts.models), count]
    if facts.input_tokens or facts.output_tokens:
        known.append(f"{facts.input_tokens + facts.output_tokens:,} tokens")
    if facts.cost_usd:
        known.append(f"${facts.cost_usd:.2f}")
    return f'<p class="facts">{text_html(" · ".join(filter(None, known)))}</p>'


def moment(iso: str) -> str:
    """A time as people write it, in UTC as it is stored."""
    day, _, time = iso.partition("T")
    return f"{day} {time[:5]} UTC" if len(time) >= 5 else day


def picture_bytes(part: ImagePart) -> bytes | None:
    """The picture; None for one of a kind that is not shown, or that is none."""
    if part.media_type not in PICTURES or not part.data:
        return None
    try:
        return base64.b64decode(part.data, validate=True)
    except binascii.Error:
        return None
