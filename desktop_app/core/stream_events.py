"""The events that an answer arrives in, and the fold that turns them into a message.

Every backend speaks this one language; the controller stores what the accumulator holds, also when it is partial.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from desktop_app.core.messages import Failure, Part, TextPart, ThinkingPart, ToolCallPart, Usage


@dataclass(frozen=True, slots=True)
class TextDelta:
    """Text that continues the open text part, or opens one."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """Thinking that continues the open thinking part, or opens one."""

    text: str


@dataclass(frozen=True, slots=True)
class PartFinished:
    """The provider's finished form of the open part; replaces it if it is of the same kind, else is appended.

    Tool calls and unknown blocks come only in this form.
    """

    part: Part


@dataclass(frozen=True, slots=True)
class Reset:
    """All that came so far is superseded: the request was retried and the answer starts again."""


@dataclass(frozen=True, slots=True)
class UsageReported:
    """Usage of the call as known now; a later report replaces an earlier one. `model` is the one that served."""

    usage: Usage
    model: str


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The request was refused as it was written, and is answered in another form: what `Backend.request` makes now."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something worth one muted line while the answer is awaited, such as a retry. `code` is stable for scripts.

    `detail`: what the server said, word for word. `hurry` ends the pause before a retry; None: it can't be ended.
    """

    code: str
    message: str
    detail: str = ""
    hurry: Callable[[], None] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Ended:
    """The answer is complete as far as the provider is concerned.

    `stop_reason` is the provider's word: end_turn, max_tokens, refusal, tool_use, pause_turn, ...
    """

    stop_reason: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The answer ended with an error; what came before stays as a partial answer."""

    failure: Failure


@dataclass(frozen=True, slots=True)
class ToolAsked:
    """A program that runs the tool loop itself waits for this call's result, to be given to the stream by `asend`.

    The call came as `PartFinished` before.
    """

    call: ToolCallPart


StreamEvent: TypeAlias = (
    TextDelta | ThinkingDelta | PartFinished | Reset | UsageReported | Rewritten | Notice | Ended | Failed | ToolAsked
)


@dataclass(slots=True)
class Accumulator:
    """Folds stream events into parts. Equal events in any grouping of deltas give equal parts."""

    _closed: tuple[Part, ...] = ()
    _open_kind: type[TextPart] | type[ThinkingPart] | None = None
    _open_text: list[str] | None = None
    usage: Usage | None = None
    model: str | None = None
    stop_reason: str | None = None
    failure: Failure | None = None

    def add(self, event: StreamEvent) -> None:
        """Takes the next event."""
        match event:
            case TextDelta(text):
                self._extend(TextPart, text)
            case ThinkingDelta(text):
                self._extend(ThinkingPart, text)
            case PartFinished(part):
                if self._open_kind is type(part):
                    self._drop_open()
                self._close()
                self._closed += (part,)
            case Reset():
                self._drop_open()
                self._closed = ()
                self.stop_reason = None
            case UsageReported(usage, model):
                self.usage, self.model = usage, model
            case Ended(stop_reason):
                self.stop_reason = stop_reason
            case Failed(failure):
                self.failure = failure
            case Notice() | Rewritten() | ToolAsked():
                pass

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts that have come so far, the open one included; empty parts are left out."""
        return (*self._closed, *self._open_part())

    @property
    def ended(self) -> bool:
        """True once the stream said how it ended."""
        return self.stop_reason is not None or self.failure is not None

    def _extend(self, kind: type[TextPart] | type[ThinkingPart], text: str) -> None:
        if self._open_kind is not kind or self._open_text is None:
            self._close()
            self._open_kind, self._open_text = kind, []
        self._open_text.append(text)

    def _open_part(self) -> tuple[Part, ...]:
        text = "".join(self._open_text or ())
        return (self._open_kind(text),) if self._open_kind is not None and text else ()

    def _close(self) -> None:
        self._closed += self._open_part()
        self._drop_open()

    def _drop_open(self) -> None:
        self._open_kind, self._open_text = None, None
