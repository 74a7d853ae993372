"""Builds conversations and preparations for the tests of the context engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from desktop_app.core.context.context_choices import ContextChoices
from desktop_app.core.context.plan import CacheClock, ContextPlan, Overhead, RequestHasher
from desktop_app.core.context.plan_figures import Recipient, ThreadContents, ThreadLimits
from desktop_app.core.context.planner import Preparation, prepare_context
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.context.sent_content import opens_turn
from desktop_app.core.context.token_counting import BY_CLASSES, ArtifactContext, TextCounter
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import BoundaryState, Message, Part, RequestCount, Role, TextPart, ToolSpec, Usage
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.settings import ContextSettings

MODEL_200K = ModelInfo(
    "model-200k", "Model", 200_000, 64_000, tokenizer="claude-2023", accepts_images=True, accepts_pdf=True
)


def small_model(window: int = 6_000) -> ModelInfo:
    """A model whose limits are met with little text."""
    return ModelInfo(
        "small", "Small", window, window // 4, tokenizer="claude-2023", accepts_images=True, accepts_pdf=True
    )


def message(index: int, role: Role, *parts: Part | str, window: BoundaryState | None = None) -> Message:
    """Message `m<index>`, child of the one before it; strings become text parts."""
    made = tuple(TextPart(part) if isinstance(part, str) else part for part in parts)
    parent = f"m{index - 1}" if index else None
    return Message(f"m{index}", "t", parent, role, made, "2026-01-01T00:00:00Z", window=window)


def talk(*texts: str) -> tuple[Message, ...]:
    """Alternating messages, the user first."""
    return tuple(message(i, "user" if i % 2 == 0 else "assistant", text) for i, text in enumerate(texts))


def words(count: int) -> str:
    """A text of `count` words; four words are a little under five tokens."""
    return "word " * count


def prepare(
    path: Sequence[Message],
    *,
    model: ModelInfo = MODEL_200K,
    settings: ContextSettings | None = None,
    system: str = "",
    overhead: Overhead | None = None,
    soft_limit: int | None = None,
    once: int | None = None,
    cache: CacheClock | None = None,
    free: bool = False,
    previous: Preparation | None = None,
    estimator: TokenEstimator | None = None,
    choices: ContextChoices | None = None,
    tools: Sequence[ToolSpec] = (),
    project: ProjectContext | None = None,
    artifacts: Sequence[ArtifactContext] = (),
    counter: TextCounter = BY_CLASSES,
    summary_model: ModelInfo | None = None,
) -> Preparation:
    """A preparation for the API with defaults for everything."""
    return prepare_context(
        Recipient(
            backend="anthropic",
            model=model,
            overhead=overhead or Overhead(cache_marks=4),
            estimator=estimator or TokenEstimator.seeded(model.tokenizer),
            cache=cache or CacheClock(),
            free=free,
            counter=counter,
            summary_model=summary_model,
        ),
        ThreadContents(
            system=system,
            path=path,
            choices=choices or ContextChoices(),
            tools=tools,
            project=project,
            artifacts=artifacts,
        ),
        ThreadLimits(settings=settings or ContextSettings(), soft_limit=soft_limit, once=once),
        previous=previous,
    )


def counted(prepared: Preparation, tokens: int, *draft: Part, by: str = "Anthropic") -> ContextPlan:
    """The plan for a draft whose request was counted."""
    request = RequestHasher().of(prepared.plan(draft))
    return prepared.with_count(RequestCount(request, tokens, by)).plan(draft)


def plan_for(path: Sequence[Message], draft: str = "", **options: object) -> ContextPlan:
    """The plan for a draft of one text."""
    return prepare(path, **options).plan([TextPart(draft)] if draft else [])  # type: ignore[arg-type]


def sent_and_answered(
    path: Sequence[Message], plan: ContextPlan, draft: str, answer: str, usage: Usage | None = None
) -> tuple[Message, ...]:
    """The path after the plan was sent and answered, stored as the controller stores it."""
    user = message(len(path), "user", draft, window=plan.placement.boundary if plan.decision == "trim" else None)
    reply = replace(
        message(len(path) + 1, "assistant", answer),
        backend=plan.backend,
        model=plan.model.id,
        usage=usage,
        stop_reason="end_turn",
        prefix_key=plan.request.prefix_key,
    )
    return (*path, user, reply)


def kept_ids(plan: ContextPlan) -> list[str]:
    """Ids of the path's messages in the request, in its order, each once."""
    sources = [source for message in plan.request.messages for source in message.sources if source is not None]
    return list(dict.fromkeys(sources))


def user_turns(path: Sequence[Message]) -> list[str]:
    """Ids of what the user wrote."""
    return [item.id for item in path if opens_turn(item)]
