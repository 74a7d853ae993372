"""The inputs of a plan: who answers, what the thread has, and the limits that are set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from desktop_app.core.context.artifact_context import ArtifactContext
from desktop_app.core.context.context_choices import NO_CHOICES, ContextChoices
from desktop_app.core.context.context_settings import ContextSettings
from desktop_app.core.context.plan import CacheClock, Overhead
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import Message
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.parameters import NO_PARAMETERS, Parameters
from desktop_app.core.tool_spec import ToolSpec

ToolOffer: TypeAlias = Callable[[int], Sequence[ToolSpec]]
"""The tools for a request in which so many always included documents have no room."""


@dataclass(frozen=True, slots=True)
class Recipient:
    """Who a request goes to, how it counts, and what it is known to have cached."""

    backend: str
    model: ModelInfo
    overhead: Overhead
    estimator: TokenEstimator
    cache: CacheClock
    free: bool
    """Nothing it answers costs money."""
    summary_model: ModelInfo | None = None
    """Who writes summaries; None: the model itself."""


@dataclass(frozen=True, slots=True)
class ThreadContents:
    """The contents that a thread has for a request, and its user's decisions on them."""

    path: Sequence[Message]
    system: str = ""
    choices: ContextChoices = NO_CHOICES
    parameters: Parameters = NO_PARAMETERS
    tools: Sequence[ToolSpec] | ToolOffer = ()
    """The tools that the model may be offered; a function where that depends on how many documents have no room."""
    project: ProjectContext | None = None
    artifacts: Sequence[ArtifactContext] = ()
    """The thread's own; while tools run, as they were at the turn's beginning."""


@dataclass(frozen=True, slots=True)
class ThreadLimits:
    """The limits that are set: for all threads, by this thread's user, for this one request."""

    settings: ContextSettings
    soft_limit: int | None = None
    """The thread's own position in tokens; None: that of the settings."""
    once: int | None = None
    """One that was accepted for this request alone: no change that a boundary comes back for."""

    @property
    def own(self) -> int | None:
        """The limit that somebody set for the next request; None: nobody did."""
        return self.soft_limit if self.once is None else self.once
