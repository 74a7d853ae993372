"""Options of a request to the Messages API, citations among them, and what a refusal teaches about them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.messages import Json, JsonObject, TextPart, ToolResultPart, ToolSpec
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.phrases import phrase
from desktop_app.core.projects import ID_DIGITS

if TYPE_CHECKING:
    from desktop_app.core.citations import SentPassage


MARKS: Final = "marks"
"""In the `extra` of a text: where in it the ids stand that were no text of the answer, first and last character."""

_MARK: Final = rf"\[[0-9a-f]{{{ID_DIGITS}}}-\d{{1,6}}\]"


def search_results(result: ToolResultPart) -> list[dict[str, Any]]:
    """The blocks of a result that holds passages, in its order; none where it holds none."""
    if not result.extra.get("passage_ids"):
        return []
    from desktop_app.core.citations import passages_of_result, spans_of_result  # most requests hold no passages

    blocks: list[dict[str, Any]] = []
    done = 0
    for passage, (start, end) in zip(passages_of_result(result), spans_of_result(result), strict=True):
        if (begin := result.text.rfind(f"[{passage.id}]", done, start)) < 0 or end <= start:
            return []
        _add_text(blocks, result.text[done:begin])
        # behind the line with the id, so that a table's header goes along
        _, _, text = result.text[begin:end].partition("\n")
        blocks.append(_block(passage, text))
        done = end
    if blocks:
        _add_text(blocks, result.text[done:])
    return blocks


def _block(passage: SentPassage, text: str) -> dict[str, Any]:
    return {
        "type": "search_result",
        "source": passage.id,
        "title": str(passage.title),
        "content": [{"type": "text", "text": text}],
        "citations": {"enabled": True},
    }


def _add_text(blocks: list[dict[str, Any]], between: str) -> None:
    """Add the text between passages, except what their blocks say themselves."""
    from desktop_app.core.document_search import CITE

    lines = [block for block in between.strip().split("\n\n") if block and block != CITE]
    if lines and lines[-1].startswith("# "):
        lines.pop()
    if lines:
        blocks.append({"type": "text", "text": "\n\n".join(lines)})


def holds_search_results(body: Mapping[str, Any]) -> bool:
    """Return True if a request holds passages that its answer can cite."""
    return any(
        isinstance(inner, Mapping) and inner.get("type") == "search_result"
        for message in body.get("messages") or ()
        for block in message["content"]
        if isinstance(block, Mapping) and isinstance(block.get("content"), list)
        for inner in block["content"]
    )


def cited_marks(raw: Mapping[str, Any]) -> str:
    """The ids that a text block cites, in brackets; without those that its text ends with."""
    text = str(raw.get("text", "")).rstrip()
    marks = dict.fromkeys(f"[{source}]" for source in _sources(raw.get("citations")))
    return "".join(mark for mark in marks if re.fullmatch(_MARK, mark) and not text.endswith(mark))


def _sources(citations: Json) -> Iterator[str]:
    for one in citations if isinstance(citations, list | tuple) else ():
        if isinstance(one, Mapping) and one.get("type") == "search_result_location":
            yield str(one.get("source", ""))


def marked(rest: JsonObject, start: int, marks: str) -> JsonObject:
    """The `extra` of a text that got these marks at `start`."""
    return {**rest, MARKS: [start, start + len(marks)]}


def as_it_came(part: TextPart) -> str:
    """A text without the ids that were none of it."""
    place = part.extra.get(MARKS)
    match place:
        case [int(start), int(end)] | (int(start), int(end)) if 0 <= start <= end <= len(part.text):
            return part.text[:start] + part.text[end:]
    return part.text


SEARCH_TOOLS: Final = ("web_search_20260318", "web_search_20250305")
"""The provider's search of the web, newest kind first: the newest and the oldest that the SDK 2.12 names."""

MOST_SEARCHES: Final = 5
"""Searches of the web within one request; each is paid for, and what it finds fills the window."""


@dataclass(frozen=True, slots=True)
class AnthropicDialect:
    """The options that a model at one address accepts. `web_search` is the kind of the search tool ("": there is
    none).
    """

    tools: bool = True
    thinking: bool = True
    thinking_off: bool = True
    effort: bool = True
    temperature: bool = True
    web_search: str = SEARCH_TOOLS[0]
    diagnostics: bool = True
    citations: bool = True

    def able(self, model: ModelInfo) -> ModelInfo:
        """The model with only those abilities that were not refused."""
        thinking = model.thinking
        if not self.thinking:
            thinking = "never"
        elif not self.thinking_off and thinking == "choice":
            thinking = "always"
        return replace(
            model,
            accepts_tools=model.accepts_tools and self.tools,
            efforts=model.efforts if self.effort else (),
            thinking=thinking,
            temperature=model.temperature and self.temperature,
            web_search=model.web_search and bool(self.web_search),
        )


PLAIN: Final = AnthropicDialect()


def options_of(plan: ContextPlan, dialect: AnthropicDialect = PLAIN) -> dict[str, Any]:
    """The fields of a request beside model, system prompt and messages, in a fixed order."""
    wishes, model = plan.request.parameters, dialect.able(plan.model)
    fields: dict[str, Any] = {}
    tools = _tools(plan.request.tools if dialect.tools else ())
    if wishes.web_search and model.web_search:
        # called by the model itself, not by code of its own, which not every model can write
        search = {"type": dialect.web_search, "name": "web_search", "max_uses": MOST_SEARCHES}
        tools.append(search if dialect.web_search == SEARCH_TOOLS[-1] else search | {"allowed_callers": ["direct"]})
    if tools:
        fields["tools"] = tools
        if plan.request.answer_now:
            fields["tool_choice"] = {"type": "none"}
    off = wishes.thinking is False and model.thinking == "choice"
    if model.thinking != "never":
        fields["thinking"] = {"type": "disabled"} if off else {"type": "adaptive", "display": "summarized"}
    if wishes.effort in model.efforts:
        fields["output_config"] = {"effort": wishes.effort}
    if wishes.temperature is not None and model.temperature and (off or model.thinking == "never"):
        fields["temperature"] = wishes.temperature
    return fields


def _tools(specs: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    return [{"name": spec.name, "description": spec.description, "input_schema": dict(spec.schema)} for spec in specs]


_REFUSED: Final = (
    r"not (?:be )?(?:support|permit|allow|available|enabled|valid|recogni)|(?:does|do|can)(?: not|n't|not)\b"
    r"|unsupported|unknown|unrecogni|unexpected|invalid|disabled|deprecated|extra |must be|should be|not match|require"
)
_CITING: Final = r"\bcitations?\b|\bsearch_results?\b"
_ABOUT: Final[Mapping[str, re.Pattern[str]]] = {
    "web_search": re.compile(r"web[_ ]?search"),
    "thinking": re.compile(r"\bthinking\b|\badaptive\b"),
    "effort": re.compile(r"output_config|\beffort\b"),
    "temperature": re.compile(r"\btemperature\b|sampling param"),
    "diagnostics": re.compile(r"\bdiagnostics?\b"),
    "citations": re.compile(_CITING),
    "tools": re.compile(r"\btools?\b(?!_)|\btool_choice\b|function call"),
}
_OF_A_MESSAGE: Final = re.compile(r"\bmessages\.\d|tool_result|tool_use`|`tool_use|signature|budget_tokens")


def taught(dialect: AnthropicDialect, body: Mapping[str, Any], status: int, message: str) -> Iterator[AnthropicDialect]:
    """The dialects that a refused request suggests instead, most likely first; nothing if it was refused otherwise.

    `body` is what was refused: a field that did not stand in it teaches nothing.
    """
    words = message.lower()
    if not (status in (400, 403, 422) or status >= 500) or not re.search(_REFUSED, words):
        return
    if _OF_A_MESSAGE.search(words) and not re.search(_CITING, words):
        return
    for what in [what for what, about in _ABOUT.items() if about.search(words)]:
        if (status == 403 or status >= 500) and what not in ("web_search", "tools"):
            continue
        if (other := _without(what, dialect, body)) is not None:
            yield other


def _without(what: str, dialect: AnthropicDialect, body: Mapping[str, Any]) -> AnthropicDialect | None:  # noqa: PLR0911
    tools = body.get("tools") or ()
    searches = any(tool.get("type") in SEARCH_TOOLS for tool in tools)
    match what:
        case "web_search" if searches:
            later = SEARCH_TOOLS[SEARCH_TOOLS.index(dialect.web_search) + 1 :]
            return replace(dialect, web_search=next(iter(later), ""))
        case "thinking" if body.get("thinking", {}).get("type") == "disabled":
            return replace(dialect, thinking_off=False)
        case "thinking" if "thinking" in body:
            return replace(dialect, thinking=False)
        case "effort" if "output_config" in body:
            return replace(dialect, effort=False)
        case "temperature" if "temperature" in body:
            return replace(dialect, temperature=False)
        case "diagnostics" if "diagnostics" in body:
            return replace(dialect, diagnostics=False)
        case "citations" if holds_search_results(body):
            return replace(dialect, citations=False)
        case "tools" if any(tool.get("type") not in SEARCH_TOOLS for tool in tools):
            return replace(dialect, tools=False)
        case "tools" if searches:
            return replace(dialect, web_search="")
    return None


_WORDS: Final = (
    ("effort", phrase("a level of effort")),
    ("thinking_off", phrase("an answer without thinking")),
    ("temperature", phrase("a temperature")),
    ("web_search", phrase("a web search")),
)


def refused_options(before: AnthropicDialect, after: AnthropicDialect, plan: ContextPlan) -> tuple[str, ...]:
    """Return, in words, what the user asked for in the thread's parameters and `after` can't be asked for."""
    wishes = plan.request.parameters
    wished = {
        "effort": bool(wishes.effort),
        "thinking_off": wishes.thinking is False,
        "temperature": wishes.temperature is not None,
        "web_search": wishes.web_search,
    }
    lost = [(name, words) for name, words in _WORDS if getattr(before, name) and not getattr(after, name)]
    return tuple(words for name, words in lost if wished[name])
