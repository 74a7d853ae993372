"""The one line that stands for a message in lists."""

from __future__ import annotations

from typing import assert_never

from desktop_app.core.attachment_facts import is_in_part
from desktop_app.core.markdown.plain_line import plain_line
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Message,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)
from desktop_app.ui.i18n.language import tr

EXCERPT = 160
"""Characters of an excerpt: more than the widest row can show."""
LOOKED_AT = 4 * EXCERPT


def excerpt(message: Message | None) -> str:
    """One line of what a message says; of a message without text, what it holds."""
    if message is None:
        return ""
    said: list[str] = []
    for part in message.parts:
        match part:
            case TextPart(text):
                said.append(plain_line(text[:LOOKED_AT]))
            case DocumentPart(name=name) | ImagePart(name=name):
                said.append(tr("{name}, in part").format(name=name) if is_in_part(part) else name)
            case ToolCallPart(name=name):
                said.append(tr("used {tool}").format(tool=name))
            case ToolResultPart():
                said.append(tr("result of a tool"))
            case ThinkingPart():
                continue
            case UnknownPart():
                said.append(tr("an unknown kind of block"))
            case _:
                assert_never(part)
        if sum(map(len, said)) > EXCERPT:
            break
    words = " · ".join(one for one in said if one)[:EXCERPT]
    if not words and message.role == "assistant":
        return tr("answering") if message.state == "partial" else tr("no answer")
    return words
