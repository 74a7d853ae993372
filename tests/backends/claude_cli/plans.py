"""Owns small context plans for the tests of this backend, and a self-test that all pass. Knows no real ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from desktop_app.backends.claude_cli.invocation import EFFORTS
from desktop_app.backends.claude_cli.program_finder import Program
from desktop_app.core.context.plan import CacheMark, ContextPlacement, ContextPlan, Limits, PlannedRequest, TokenCount
from desktop_app.core.context.sent_content import PlannedMessage
from desktop_app.core.messages import NO_PARAMETERS, BoundaryState, Parameters, Part, Role, TextPart, ToolSpec
from desktop_app.core.model_catalog import ModelInfo
from tests.builders.placed import GivenPath

SONNET = "claude-sonnet-5-5"

SEARCH = ToolSpec(
    "search_this_thread",
    "Looks up earlier messages.",
    {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
)


def plan_of(
    *turns: str | Sequence[Part],
    system: str = "You are a test.",
    model: str = SONNET,
    marks: Sequence[CacheMark] = (),
    max_output: int = 4_000,
    tools: Sequence[ToolSpec] = (),
    parameters: Parameters = NO_PARAMETERS,
) -> ContextPlan:
    """A plan that sends `turns`, user and assistant in turn; the last one is pending."""
    messages = [_message("assistant" if at % 2 else "user", turn) for at, turn in enumerate(turns)]
    return ContextPlan(
        backend="claude-cli",
        model=ModelInfo(model, model, window=1_000_000, max_output=128_000, efforts=EFFORTS, thinking="choice"),
        decision="ok",
        limits=Limits(window=1_000_000, soft=150_000, low=105_000, emergency=180_000, max_output=max_output),
        tokens=TokenCount(),
        request=PlannedRequest(
            system=system,
            history=tuple(messages[:-1]),
            pending=messages[-1],
            marks=tuple(marks),
            tools=tuple(tools),
            parameters=parameters,
        ),
        placement=ContextPlacement(
            messages=GivenPath(),
            boundary=BoundaryState(),
        ),
    )


def _message(role: Role, turn: str | Sequence[Part]) -> PlannedMessage:
    blocks: tuple[Part, ...] = (TextPart(turn),) if isinstance(turn, str) else tuple(turn)
    return PlannedMessage(role, blocks, (None,) * len(blocks))


async def passes(_program: Program, _environ: Mapping[str, str]) -> str:
    """In place of the self-test, for programs that are scripts of a test."""
    return ""
