"""Turns the records that the `claude` program prints into stream events. Pure.

An answer may take several requests (a call of a tool, its result, the next request), and each of them may break and be
repeated. What is repeated is taken back as soon as its repetition says something, not sooner: where that fails, the
text so far stays. What stands is given again behind the reset, in its order.

The program runs a call while the model goes on writing, so what follows a call waits until its result is there.

Three things look like answers and are not: the program's own sentences (`<synthetic>`, `is_error`), the text of a
request that it gave up and repeated, and what it asks for on its own after an answer was cut.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from desktop_app.backends.claude_cli.claude_failures import (
    PlanLimit,
    Report,
    failure_of,
    interrupted,
    no_answer,
    retry_line,
    stalled,
    unreadable,
)
from desktop_app.backends.claude_cli.invocation import plain_name
from desktop_app.core.context.costs import usage_cost
from desktop_app.core.messages import (
    Failure,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
    Usage,
)
from desktop_app.core.model_catalog import find_model, is_another
from desktop_app.core.stream_events import (
    MOST_NUMBER,
    Ended,
    Failed,
    Notice,
    PartFinished,
    Reset,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
    UsageReported,
    cost_of,
    count_of,
    is_amount,
)
from desktop_app.system.system_clock import utc_now


class KeptParts:
    """The parts of the requests that stand, and those of the one that is answered now."""

    def __init__(self) -> None:
        self.shown = False
        """Something of the answer was given out."""
        self._kept: list[Part] = []
        self._current: list[Part] = []
        self._half = False
        self._superseded = False

    @property
    def calls(self) -> bool:
        """True if the request that is answered now asked for a tool."""
        return any(isinstance(part, ToolCallPart) for part in self._current)

    def grow(self, delta: TextDelta | ThinkingDelta) -> list[StreamEvent]:
        """The events for a piece of a part that is not finished."""
        events = self._show(delta)
        self._half = True
        return events

    def finish(self, part: Part) -> list[StreamEvent]:
        events = self._show(PartFinished(part))
        self._current.append(part)
        self._half = False
        return events

    def answer(self, result: ToolResultPart) -> bool:
        """Keeps a result behind its call; False where there is no such call, or it has a result already."""
        for parts in (self._kept, self._current):
            if any(isinstance(part, ToolResultPart) and part.call_id == result.call_id for part in parts):
                return False
            for at, part in enumerate(parts):
                if isinstance(part, ToolCallPart) and part.id == result.call_id:
                    parts.insert(at + 1, result)
                    return True
        return False

    def keep(self) -> None:
        """The request is answered, and another one goes on from there."""
        self._kept += self._current
        self._current, self._half = [], False

    def supersede(self) -> None:
        """Another request stands in the place of this one."""
        self._superseded |= bool(self._current) or self._half
        self._current, self._half = [], False

    def abandon(self) -> bool:
        """The request broke off. True: the program goes on from its whole parts, so these stand.

        That is what version 2.1.330 does where a text or a call came whole; thinking alone it drops. What came in half
        is written anew in either case.
        """
        if not any(isinstance(part, TextPart | ToolCallPart) for part in self._current):
            self.supersede()
            return False
        self._superseded |= self._half
        self.keep()
        return True

    def _show(self, event: StreamEvent) -> list[StreamEvent]:
        events = [Reset(), *map(PartFinished, self._kept), event] if self._superseded else [event]
        self.shown, self._superseded = True, False
        return events


class PairedEvents:
    """Events in, events out. Where no tool is offered (`pairing` False) nothing is ever held back."""

    def __init__(self, *, pairing: bool) -> None:
        self._pairing = pairing
        self._held: deque[StreamEvent] = deque()
        self._given: dict[str, ToolCallPart] = {}
        self.waiting: ToolCallPart | None = None
        """The call whose result is waited for; everything behind it is held back."""

    def add(self, events: Iterable[StreamEvent]) -> None:
        """Takes the next events; a reset takes back what is still held."""
        for event in events:
            if isinstance(event, Reset):
                self._held.clear()
                self._given.clear()
                self.waiting = None
            self._held.append(event)

    def give(self, *, until: ToolCallPart | None = None, all_of_it: bool = False) -> Iterator[StreamEvent]:
        """The events to give out now, `until` that call's at least; `all_of_it`: nobody will answer any more."""
        while self._held:
            hurried = all_of_it or (until is not None and until.id not in self._given)
            event = self._held[0] if self.waiting is None or hurried else self._result_of(self.waiting)
            if event is None:
                return
            self._held.remove(event)
            part = event.part if isinstance(event, PartFinished) else None
            if isinstance(part, ToolCallPart):
                self._given[part.id] = part
                self.waiting = part if self._pairing else None
            elif isinstance(part, ToolResultPart):
                self.answered(part.call_id)
            yield event

    def unanswered(self) -> tuple[ToolCallPart, ...]:
        """The calls that came and have no result yet, oldest first."""
        held = (event.part for event in self._held if isinstance(event, PartFinished))
        return (*self._given.values(), *(part for part in held if isinstance(part, ToolCallPart)))

    def answered(self, call_id: str) -> None:
        """The result of a call was given to whoever reads: what follows it may come."""
        self._given.pop(call_id, None)
        if self.waiting is not None and self.waiting.id == call_id:
            self.waiting = None

    def _result_of(self, call: ToolCallPart) -> StreamEvent | None:
        """The result that the program itself gave, which may stand behind what the model went on to write."""
        for event in self._held:
            part = event.part if isinstance(event, PartFinished) else None
            if isinstance(part, ToolResultPart) and part.call_id == call.id:
                return event
        return None


HIDDEN_FOLLOW_UPS = frozenset(("max_tokens", "model_context_window_exceeded", "refusal", "tool_use"))
"""Stop reasons after which version 2.1.330 sends up to three more requests of its own; measured, one by one."""

CONTINUED = frozenset(("tool_use", "pause_turn"))
"""Stop reasons after which another request of the same turn goes on with the answer and does not replace it."""


class ClaudeAnswerReader:
    """Reads the records of one turn in order. After `outcome` is set, or `end` was called, it gives nothing more."""

    def __init__(
        self, *, tools: bool = False, asked: str = "", clock: Callable[[], float] = lambda: utc_now().timestamp()
    ) -> None:
        """`tools`: the program runs our tools and goes on. `clock`: seconds since 1970. `asked`: the model's id."""
        self._asked = asked
        self.outcome: Ended | Failed | None = None
        self.started = False
        """The program said that it is ready: its system prompt is read and it hears an interrupt."""
        self.said_success = False
        """The program closed the turn without an error of its own, whether or not a model was asked."""
        self.streaming = False
        """An answer of the provider is being read."""
        self.retry_delay_s = 0.0
        """Seconds that the program waits before it asks the provider again; 0 where it does not."""
        self.given_up = False
        """The answer was ended by us, and the program is still at it."""
        self._tools = tools
        self._clock = clock
        self._parts = KeptParts()
        self._own_key = False
        self._report = Report()
        self._stop_reason: str | None = None
        self._message_id = ""
        self._before: tuple[Usage, ...] = ()
        self._usage: Usage | None = None
        self._samplings = 1
        """The number that the provider made of one request: what it used beside the last may stand in the sum only."""
        self._model = ""

    @property
    def wants_interrupt(self) -> bool:
        """The answer is complete, and the program is about to ask for more of it by itself: interrupt it now."""
        if self._tools and self._stop_reason == "tool_use" and self._parts.calls:
            return False
        return self._stop_reason in HIDDEN_FOLLOW_UPS

    def read(self, record: Mapping[str, Any]) -> list[StreamEvent]:
        """The events of one record. Records and fields of unknown kinds are passed over."""
        if self.outcome is not None or record.get("parent_tool_use_id"):
            return []
        match record.get("type"), record.get("subtype"):
            case "result", _:
                return self._result(record)
            case "system", "init":
                self.started = True
                self._own_key = record.get("apiKeySource") == "ANTHROPIC_API_KEY"
                return []
        # after an answer that is complete, a request that nobody asked for
        return [] if self.wants_interrupt and not self.streaming else self._content(record)

    def _content(self, record: Mapping[str, Any]) -> list[StreamEvent]:
        match record.get("type"), record.get("subtype"):
            case "stream_event", _:
                return self._stream(_object(record.get("event")), abandoned="abandoned_blocks" in record)
            case "assistant", _:
                return self._assistant(record)
            case "user", _ if self._tools:
                return self._refused_calls(_object(record.get("message")))
            case ("system", "api_retry") | ("rate_limit_event", _):
                limit = _object(record.get("rate_limit_info"))
                return self._retry(record) if "attempt" in record else self._plan(limit)
        return []

    def call(self, call: ToolCallPart) -> list[StreamEvent]:
        """A call that the program wants the result of, and did not show."""
        return self._parts.finish(call)

    def answered(self, result: ToolResultPart) -> None:
        """A call of the answer was given its result by whoever reads the events."""
        self._parts.answer(result)

    def fail(self, failure: Failure) -> list[StreamEvent]:
        """The answer ends here, for a reason that the program does not know of."""
        if self.outcome is not None:
            return []
        self.outcome, self.given_up = Failed(failure), True
        return [self.outcome]

    def stall(self, seconds: float) -> list[StreamEvent]:
        """Nothing has come for that long."""
        return self.fail(stalled(seconds, partial=self._parts.shown))

    def give_up(self, detail: str) -> list[StreamEvent]:
        """Return the events that end an answer which can't be read."""
        return self.fail(unreadable(detail, partial=self._parts.shown))

    def end(self, detail: str) -> list[StreamEvent]:
        """The output is over. `detail` is what the program said on standard error, for the technical details."""
        if self.outcome is not None:
            return []
        if self.wants_interrupt and self._stop_reason is not None:
            self.outcome = Ended(self._stop_reason)
        else:
            self.outcome = Failed(interrupted(detail) if self._parts.shown else no_answer(detail))
        return [self.outcome]

    def _stream(self, event: Mapping[str, Any], *, abandoned: bool) -> list[StreamEvent]:
        match event.get("type"):
            case "message_start":
                message = _object(event.get("message"))
                self._begin(message)
                self.streaming = True
                return self._count(message.get("usage"), message.get("model"), fresh=True)
            case "content_block_delta":
                delta = _object(event.get("delta"))
                if text := _text(delta.get("text")):
                    return self._parts.grow(TextDelta(text))
                if thinking := _text(delta.get("thinking")):
                    return self._parts.grow(ThinkingDelta(thinking))
            case "message_delta":
                reason = _object(event.get("delta")).get("stop_reason")
                self._stop_reason = _text(reason) or self._stop_reason
                return self._count(event.get("usage"))
            case "message_stop":
                self.streaming = False
                if abandoned and self._parts.abandon():
                    self._keep_usage()
        return []

    def _begin(self, message: Mapping[str, Any]) -> None:
        """Another answer of the provider: it goes on with the one before, or stands in its place."""
        if self._stop_reason in CONTINUED:
            self._parts.keep()
            self._keep_usage()
        else:
            self._parts.supersede()
        self._stop_reason, self.retry_delay_s = None, 0.0
        self._message_id = _text(message.get("id"))

    def _keep_usage(self) -> None:
        if self._usage is not None:
            self._before += (self._usage,)
            self._usage = None

    def _assistant(self, record: Mapping[str, Any]) -> list[StreamEvent]:
        """One finished block. Where it was not streamed before, the record also carries usage and stop reason."""
        message = _object(record.get("message"))
        if message.get("model") == "<synthetic>" or record.get("is_api_error_message") is True or record.get("error"):
            self._note_error(record)
            refused = _object(_object(record.get("api_error_params")).get("rate_limit_info"))
            return self._plan(refused) if refused else []
        if not self.streaming and _text(message.get("id")) != self._message_id:
            self._begin(message)
        events: list[StreamEvent] = []
        for block in _list(message.get("content")):
            if isinstance(block, dict) and (part := _part(block)) is not None:
                events += self._parts.finish(part)
        if not self.streaming:
            self._stop_reason = _text(message.get("stop_reason")) or self._stop_reason
            events += self._count(message.get("usage"), message.get("model"), fresh=True)
        return events

    def _refused_calls(self, message: Mapping[str, Any]) -> list[StreamEvent]:
        """Return the events of the program's own answers to calls that are none of ours, or were cut."""
        events: list[StreamEvent] = []
        for block in _list(message.get("content")):
            if isinstance(block, dict) and block.get("type") == "tool_result":
                text = _result_text(block.get("content"))
                result = ToolResultPart(_text(block.get("tool_use_id")), text, block.get("is_error") is True)
                events += [PartFinished(result)] if self._parts.answer(result) else []
        return events

    def _retry(self, record: Mapping[str, Any]) -> list[StreamEvent]:
        self.retry_delay_s = delay_s = _number(record.get("retry_delay_ms")) / 1000
        status, error = _status(record.get("error_status")), _text(record.get("error"))
        known = self._report
        self._report = replace(
            known, retry_delay_s=delay_s, status=status or known.status, kind=error or known.kind, own_key=self._own_key
        )
        attempt, most = int(_number(record.get("attempt"))), int(_number(record.get("max_retries")))
        return [Notice("retry", retry_line(status, error, attempt, most, delay_s))]

    def _plan(self, limit: Mapping[str, Any]) -> list[StreamEvent]:
        """A limit of the plan: newer versions of the program say the one that is reached in the error alone."""
        share = PlanLimit.of(limit)
        now = self._clock()
        self._report = replace(self._report, plan=share.refusal(now), plan_wait_s=share.wait_s(now))
        return [Notice("plan", words)] if (words := share.notice(now)) else []

    def _result(self, record: Mapping[str, Any]) -> list[StreamEvent]:
        self.said_success = record.get("is_error") is False and record.get("subtype") == "success"
        events = self._cost(record)
        terminal = _text(record.get("terminal_reason"))
        stop_reason = _text(record.get("stop_reason")) or self._stop_reason
        self._note_error(record)
        if self.wants_interrupt and self._stop_reason is not None:
            self.outcome = Ended(self._stop_reason)
        elif terminal.startswith("aborted"):
            self.outcome = Failed(interrupted(self._report.text))
        elif not self.said_success:
            self.outcome = Failed(failure_of(self._report))
        elif not self._parts.shown and (self._report.kind or self._report.status is not None):
            # it gave up after errors, and calls that a success
            self.outcome = Failed(failure_of(self._report))
        elif self._usage is None and not self._before:
            self.outcome = Failed(no_answer(self._report.text))
        elif stop_reason is None:
            self.outcome = Failed(interrupted(self._report.text))
        else:
            self.outcome = Ended(stop_reason)
        return [*events, self.outcome]

    def _cost(self, record: Mapping[str, Any]) -> list[StreamEvent]:
        """The cost of all requests of the turn, those that were given up included; and, of several, their tokens."""
        named = {name: _object(entry) for name, entry in _object(record.get("modelUsage")).items()}
        used = list(named.values())
        if (self._usage is None and not self._before) or not used:
            return []
        if (usage := self._whole_usage()).first_prompt or self._samplings > 1:
            usage = replace(
                usage,
                first_prompt=usage.opening,
                input=_sum(used, "inputTokens") or usage.input,
                cache_read=_sum(used, "cacheReadInputTokens") or usage.cache_read,
                cache_write=_sum(used, "cacheCreationInputTokens") or usage.cache_write,
                output=_sum(used, "outputTokens") or usage.output,
                thinking=_sum(used, "thinkingTokens") or usage.thinking,
            )
        cost = sum((cost_of(entry.get("costUSD")) or 0.0) * self._factor(name, entry) for name, entry in named.items())
        return [UsageReported(replace(usage, cost_usd=cost), self._model)]

    def _factor(self, name: str, entry: Mapping[str, Any]) -> float:
        """By how much the program is off, which takes the price of the model that was asked for, whoever answers."""
        if not is_another(self._asked, self._model) or is_another(self._asked, name):
            return 1.0
        usage = Usage(
            input=_tokens(entry.get("inputTokens"), 0),
            cache_read=_tokens(entry.get("cacheReadInputTokens"), 0),
            cache_write=_tokens(entry.get("cacheCreationInputTokens"), 0),
            output=_tokens(entry.get("outputTokens"), 0),
        )
        asked, served = (usage_cost(find_model("claude-cli", one), usage) for one in (self._asked, self._model))
        return served / asked if asked and served is not None else 1.0

    def _whole_usage(self) -> Usage:
        """That of the requests whose answers stand, in the order they were sent."""
        requests = (*self._before, *([self._usage] if self._usage is not None else []))
        return Usage(
            input=sum(one.input for one in requests),
            cache_read=sum(one.cache_read for one in requests),
            cache_write=sum(one.cache_write for one in requests),
            output=sum(one.output for one in requests),
            thinking=sum(one.thinking for one in requests),
            first_prompt=requests[0].prompt if len(requests) > 1 else 0,
        )

    def _count(self, usage: Any, model: Any = None, *, fresh: bool = False) -> list[StreamEvent]:
        """Usage so far; of a request that was repeated, the last try: no other is a measure of the context."""
        if not (fields := _object(usage)):
            return []
        base = Usage() if fresh or self._usage is None else self._usage
        self._samplings = max(self._samplings, len(_list(fields.get("iterations"))))
        thinking = _object(fields.get("output_tokens_details")).get("thinking_tokens")
        self._usage = Usage(
            input=_tokens(fields.get("input_tokens"), base.input),
            cache_read=_tokens(fields.get("cache_read_input_tokens"), base.cache_read),
            cache_write=_tokens(fields.get("cache_creation_input_tokens"), base.cache_write),
            output=_tokens(fields.get("output_tokens"), base.output),
            thinking=_tokens(thinking, base.thinking),
        )
        self._model = _text(model) or self._model
        return [UsageReported(self._whole_usage(), self._model)]

    def _note_error(self, record: Mapping[str, Any]) -> None:
        known = self._report
        content = _list(_object(record.get("message")).get("content"))
        said = _text(record.get("result")) or "\n".join(_text(_object(block).get("text")) for block in content)
        self._report = replace(
            known,
            text=said or "\n".join(_text(line) for line in _list(record.get("errors"))) or known.text,
            kind=_text(record.get("error")) or known.kind,
            status=_status(record.get("api_error_status")) or known.status,
            api_type=_text(record.get("api_error_type")) or known.api_type,
            terminal_reason=_text(record.get("terminal_reason")) or known.terminal_reason,
            local=_text(record.get("api_error")) or known.local,
            own_key=self._own_key,
            partial=self._parts.shown,
        )


def _part(block: Mapping[str, Any]) -> Part | None:
    """A finished content block in its neutral form; None for one without content."""
    match block.get("type"):
        case "text":
            extra = {key: value for key, value in block.items() if key not in ("type", "text")}
            text = _text(block.get("text"))
            return TextPart(text, extra) if text else None
        case "thinking":
            text, signature = _text(block.get("thinking")), _text(block.get("signature")) or None
            return ThinkingPart(text, signature) if text or signature else None
        case "tool_use":
            name = plain_name(_text(block.get("name")))
            return ToolCallPart(_text(block.get("id")), name, _object(block.get("input")))
    return UnknownPart(block)


def _result_text(content: Any) -> str:
    """Return the text of a `tool_result` of the program's, without its tags."""
    texts = [content] if isinstance(content, str) else [_text(_object(block).get("text")) for block in _list(content)]
    return "\n".join(texts).replace("<tool_use_error>", "").replace("</tool_use_error>", "")


def _sum(entries: list[Mapping[str, Any]], field: str) -> int:
    return sum(_tokens(entry.get(field), 0) for entry in entries)


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _number(value: Any) -> float:
    return float(value) if is_amount(value, MOST_NUMBER) else 0.0


def _tokens(value: Any, otherwise: int) -> int:
    return count_of(value) if isinstance(value, int | float) and not isinstance(value, bool) else otherwise


def _status(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
