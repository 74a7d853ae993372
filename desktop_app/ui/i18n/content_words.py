"""The words for what a message holds (attachments and their facts, artifacts), for token counts and prices."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import Final, assert_never

from desktop_app.core.attachment_facts import PAGES, attachments_of, is_in_part, left_out_of, note_of, scanned_pdf
from desktop_app.core.context import plan_text
from desktop_app.core.context.plan import ContextPlan
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
)
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.titles import plain_line
from desktop_app.ui.i18n.language import grouped, tr, translated
from desktop_app.ui.i18n.language import translated as said


def thousands(tokens: int) -> str:
    """`62K`, `1.5M`: see `core.context.plan_text.thousands`."""
    return translated(plan_text.thousands(tokens))


def token_figure(tokens: int) -> str:
    """`150K`, `4.2K`; exact where that would be another number: `20,673`."""
    short = thousands(tokens)
    return short if tokens_of(short) == tokens else grouped(tokens)


def price(cost: float, most: float | None = None, *, at_most: bool = False) -> str:
    """`$0.42`, `up to $0.57`: see `core.context.plan_text.price`."""
    return translated(plan_text.price(cost, most, at_most=at_most))


def plan_price(plan: ContextPlan) -> str:
    """Return the cost of sending: see `core.context.plan_text.plan_price`."""
    return translated(plan_text.plan_price(plan))


def dollars(amount: float) -> str:
    """`$0.54`, `0,54 $`; less than a cent is said so."""
    return translated(plan_text.dollars(amount))


def tokens_of(text: str) -> int | None:
    """The number of tokens that was written: `150,000`, `150.000`, `150K`, `4.2K`, `1M`; None for anything else."""
    figures, scale = text.strip().casefold(), 1
    for end, thousandfold in (("k", 1_000), ("m", 1_000_000)):
        if figures.endswith(end):
            figures, scale = figures[:-1].strip(), thousandfold
    whole, decimals = _with_decimals(figures) if scale > 1 else (figures, "")
    if decimals:
        figures, scale = whole + decimals, scale // 10 ** len(decimals)
    plain = "".join(one for one in figures if one not in ",.'’ \u00a0\u202f")
    if not plain.isascii() or not plain.isdigit() or len(plain) > 9:
        return None
    tokens = int(plain) * scale
    return tokens if 0 < tokens <= 100_000_000 else None


def _with_decimals(figures: str) -> tuple[str, str]:
    """Return the figures before and behind a decimal sign; one or two figures behind it: three are thousands."""
    for sign in ".,":
        whole, found, behind = figures.rpartition(sign)
        if found and whole.isdigit() and behind.isdigit() and len(behind) <= 2:
            return whole, behind
    return figures, ""


@dataclass(frozen=True, slots=True)
class AttachmentText:
    """One attachment of a draft in words. `tokens` and `warning` may be empty; `hint` has a line per fact."""

    name: str
    tokens: str
    warning: str
    hint: str
    spoken: str


def name_of(part: Part) -> str:
    if isinstance(part, DocumentPart):
        return part.name or tr("Document")
    return (part.name if isinstance(part, ImagePart) else "") or tr("Image")


def kind_of(part: Part) -> str:
    """`image`, `PDF`, `document`."""
    if isinstance(part, ImagePart):
        return tr("image")
    return tr("PDF") if isinstance(part, DocumentPart) and part.media_type == "application/pdf" else tr("document")


def facts_of(part: Part) -> str:
    """`12 pages`, `1,920 × 1,080`, the size of a text, or how much of it is not sent; what is known."""
    if isinstance(part, ImagePart):
        return f"{grouped(part.width)} × {grouped(part.height)}" if part.width and part.height else ""
    if not isinstance(part, DocumentPart):
        return ""
    if left_out := left_out_of(part):
        return tr("{tokens} tokens left out").format(tokens=about(left_out))
    if isinstance(pages := part.extra.get(PAGES), int) and not isinstance(pages, bool) and pages > 0:
        return tr("1 page") if pages == 1 else tr("{count} pages").format(count=grouped(pages))
    return characters(len(part.text))


def characters(count: int) -> str:
    """`41,000 characters`."""
    return tr("1 character") if count == 1 else tr("{count} characters").format(count=grouped(count))


SMALL: Final = 100
"""Tokens below which the figure of an attachment would say more than is known."""


def about(tokens: int) -> str:
    """`≈ 12K`: rounded as gauge and card say it, so that a document has one figure.

    A small one is `< 100`: whose tokenizer counts it, and what stands beside it, would change the figure.
    """
    return f"≈ {thousands(tokens)}" if tokens >= SMALL else f"< {SMALL}"


def unread_by(part: Part, model: ModelInfo | None) -> str:
    """Why this model can't read the attachment, in a few words; empty where it can, or where no model is chosen."""
    if model is None:
        return ""
    if isinstance(part, ImagePart) and not model.accepts_images:
        return tr("{model} can't look at images").format(model=model.name)
    if scanned_pdf(part) is not None and not model.accepts_pdf:
        return tr("{model} can't look at its pages").format(model=model.name)
    return ""


def told(part: Part, tokens: int | None, model: ModelInfo | None) -> AttachmentText:
    """An attachment of the draft for `model`; `tokens` None: not counted yet."""
    name, kind, facts, warning = name_of(part), kind_of(part), facts_of(part), unread_by(part, model)
    spoken = [name, kind]
    lines = [name, " · ".join(one for one in (facts, media_of(part)) if one)]
    if tokens is not None:
        # a number that is read aloud is rounded as the written one is
        rounded = tokens if tokens < 1_000 else round(tokens, -2) if tokens < 9_950 else round(tokens, -3)
        spoken.append(tr("about {count} tokens").format(count=grouped(rounded)))
        lines.append(tr("{count} tokens, estimated").format(count=grouped(tokens)))
    if left_out := left_out_of(part):
        words = tr("{count} tokens at its end are left out; the model can search them").format(count=grouped(left_out))
        spoken.append(words)
        lines.append(words)
    lines += [said(note_of(part)), warning]
    if warning:
        spoken.append(warning)
    return AttachmentText(
        name,
        "" if tokens is None else tr("first {tokens}").format(tokens=about(tokens)) if left_out else about(tokens),
        warning,
        "\n".join(line for line in lines if line),
        ", ".join(spoken),
    )


def media_of(part: Part) -> str:
    """The ending of the name in capitals, as file managers tell a kind: `PNG`; empty where there is none."""
    ending = PurePath(name_of(part)).suffix[1:]
    return ending.upper() if 0 < len(ending) <= 5 else ""


def names_of(message: Message) -> str:
    """The names of a message's attachments, one a line."""
    return "\n".join(name_of(part) for part in attachments_of(message.parts))


def spoken_name(part: Part) -> str:
    """Return a screen reader's name for an attachment: `Image sky.png`."""
    words = tr("Image {name}") if isinstance(part, ImagePart) else tr("Document {name}")
    return words.format(name=name_of(part))


def spoken_of(message: Message) -> str:
    """Return a screen reader's text for a message's attachments: `Image sky.png. Document report.pdf.`"""
    return " ".join(f"{spoken_name(part)}." for part in attachments_of(message.parts))


def kind_words(kind: str, language: str = "") -> str:
    """Return the kind of thing in words; of code its language, as the fence has it."""
    if kind == "code":
        return language or tr("Code")
    return {
        "markdown": tr("Document"),
        "html": tr("Web page"),
        "svg": tr("Drawing"),
        "mermaid": tr("Diagram"),
        "text": tr("Text"),
    }.get(kind, tr("Document"))


def cut_words(answer: Message) -> str:
    """Why an answer is not whole, in a word or two; "" where it is."""
    if answer.state == "complete":
        return ""
    if answer.is_coming:
        return tr("answering")
    if answer.failure is None:
        return tr("stopped")
    if answer.state != "partial":
        return tr("failed")
    return tr("connection lost") if answer.failure.code == "network" else tr("cut off")


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
            case ToolCallPart(name=name, extra=extra):
                said.append(tr("used {tool}").format(tool=extra.get("tool", name)))
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
    if not (words := " · ".join(one for one in said if one)[:EXCERPT]) and message.role == "assistant":
        return cut_words(message) or tr("no answer")
    return words
