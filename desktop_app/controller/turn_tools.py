"""The interface of our tools to a running turn, and the runner of its calls: counted, within what the window holds.

With the tools that look up what was left out of a request (CTX-13), and, where the user allows it, other threads."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, Literal, Protocol, TypeAlias

from desktop_app.controller.ports import History
from desktop_app.controller.turn_notices import TurnBudget
from desktop_app.core import recall
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.context.sent_content import ARTIFACT_TOOLS, STAGE, missing_results
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_counting import block_text
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.conversation import Conversation
from desktop_app.core.errors import PlimsollError
from desktop_app.core.history_records import RecallHit
from desktop_app.core.messages import LONGEST_ANSWER, Message, Part, Thread, ToolCallPart, ToolResultPart, ToolSpec
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.settings import Settings

LEAST_TOKENS: Final = 200
"""Tokens of room below which a result would say too little to be worth a further request."""

ROOM_SHARE: Final = 4
"""One result takes at most this part of the room below the soft limit, so that others find room after it."""

NO_ROOM: Final = (
    "This conversation is at its soft limit: there is no room left for more results in this turn. Answer with what you "
    "have, and say what could not be looked up."
)
SHORTENED: Final = (
    "[Shortened: this conversation is near its soft limit, and little room is left for results in this turn.]"
)
SHORTENED_TOKENS: Final = 40
"""Tokens that are kept for this line."""

CallStage: TypeAlias = Literal["asked", "begun"]
"""The stage of a call without a result: the user is asked for a consent, or it may have done something."""


async def _unmarked(call_id: str, stage: CallStage) -> None:
    del call_id, stage


@dataclass(frozen=True, slots=True)
class TurnState:
    """The state of the turn that a tool sees when it is called. `plan` is the request in flight, `path` the messages it
    was made of.

    The path ends with the answer that calls, as far as it came: with the call itself, and the results it has got.
    `room`: tokens that all further results of the turn may have. `budget`: where a consent is asked for; `held`: a
    program waits for the result. `mark`: keeps how far a call is; a tool that asks first marks its own calls.
    """

    thread: Thread
    plan: ContextPlan
    path: Sequence[Message]
    estimator: TokenEstimator
    room: float
    budget: TurnBudget | None = None
    held: bool = False
    mark: Callable[[str, CallStage], Awaitable[None]] = _unmarked


def result_budget(turn: TurnState, most: int) -> int:
    """Tokens that one result may have, at most `most`; 0: there is no room for one that says anything."""
    if (share := turn.room / ROOM_SHARE) >= most:
        return most
    budget = int(share) - SHORTENED_TOKENS
    return budget if budget >= LEAST_TOKENS - SHORTENED_TOKENS else 0


def shortened(turn: TurnState, text: str, most: int) -> str:
    """A result's text, with a line that says so where the room left, and not `most`, is why there is no more of it."""
    if (budget := result_budget(turn, most)) == most or turn.estimator.tokens(features(text)) < budget / 2:
        return text
    return f"{text}\n\n{SHORTENED}"


def no_room(call: ToolCallPart) -> ToolResultPart:
    """The result of a call for which no room is left."""
    return ToolResultPart(call.id, NO_ROOM, is_error=True, extra={"budget": "room"})


class TurnTool(Protocol):
    """One tool that a model may call within a turn."""

    @property
    def spec(self) -> ToolSpec: ...

    def is_offered(self, thread: Thread, project: ProjectContext | None) -> bool:
        """Return True if the thread's requests may offer it; `project`: what its project adds (None: nothing)."""

    async def answer(self, call: ToolCallPart, turn: TurnState) -> ToolResultPart:
        """Runs a call; a wrong input is an error result for the model. `PlimsollError` where it can't be run."""


class ServersInTurns(Protocol):
    """The tools of the user's servers in turns."""

    async def begin(self, thread: Thread, also: Collection[str] = ()) -> None:
        """Connects the servers that are on for a thread, with those that its question names; until `end`."""

    def tell(self, thread: Thread) -> None:
        """Tells in a thread whose turn has begun what is not as expected of its servers."""

    def end(self, thread_id: str) -> None:
        """The turn is over."""

    def specs(self, thread: Thread, model: ModelInfo) -> tuple[ToolSpec, ...]:
        """The tools that requests of a thread offer."""

    def find(self, name: str, thread: Thread) -> TurnTool | None:
        """The tool that a model calls by that name in a running turn."""


@dataclass(frozen=True, slots=True)
class ToolTable:
    """All tools in the order they are offered in, which never changes: it is part of the cached prefix.

    Those of the user's servers come last; they stay as they are while a turn runs.
    """

    tools: tuple[TurnTool, ...] = ()
    servers: Callable[[], ServersInTurns | None] = lambda: None

    def offered(
        self, thread: Thread, model: ModelInfo, project: ProjectContext | None = None, *, has_artifacts: bool = False
    ) -> tuple[ToolSpec, ...]:
        """The tools that requests of this thread may offer to this model.

        `has_artifacts`: of what was kept the model sees a line, and reads the rest by their tools, in a project or not.
        """
        if not model.accepts_tools:
            return ()
        always = ARTIFACT_TOOLS if has_artifacts else ()
        ours = tuple(tool.spec for tool in self.tools if tool.spec.name in always or tool.is_offered(thread, project))
        return ours if (servers := self.servers()) is None else (*ours, *servers.specs(thread, model))

    def find(self, name: str, thread: Thread) -> TurnTool | None:
        """The tool of that name in a running turn of the thread; None where there is none."""
        own = next((tool for tool in self.tools if tool.spec.name == name), None)
        return own if own is not None or (servers := self.servers()) is None else servers.find(name, thread)


log = logging.getLogger(__name__)

ENOUGH: Final = "No more calls are run in this turn: it has had its rounds of tools. Answer with what you have."


@dataclass(slots=True)
class ToolRunner:
    """Answers the calls of one turn. `plan` is the request in flight, `path` what it was made of.

    `budget` is that of the whole turn; `used` are tokens of results that the plan does not hold yet. Results go up to
    the soft limit; only where the turn began above it, as the user wanted it, up to the emergency limit. `keep` writes
    the answer as far as it came, with the stages of its calls.
    """

    tools: ToolTable
    thread: Thread
    plan: ContextPlan
    path: Sequence[Message]
    estimator: TokenEstimator
    budget: TurnBudget
    began_above: bool = False
    used: float = field(default=0.0, init=False)
    stages: dict[str, CallStage] = field(default_factory=dict, init=False)
    keep: Callable[[], Awaitable[None]] | None = field(default=None, init=False)

    def named(self, call: ToolCallPart) -> ToolCallPart:
        """The call with the name that people read (`SERVER/TOOL`), if it is of a tool of the user's servers."""
        told = next((tool.told for tool in self.plan.request.tools if tool.name == call.name), "")
        if call.name == "call_tool":
            told = f"{call.input.get('server')}/{call.input.get('tool')}"
        return replace(call, extra={**call.extra, "tool": told}) if told else call

    def staged(self, parts: Sequence[Part], *only: CallStage) -> tuple[Part, ...]:
        """The parts with the stages of their calls; `only`: with these stages alone."""
        known = {one: stage for one, stage in self.stages.items() if not only or stage in only}
        return tuple(
            replace(part, extra={**part.extra, STAGE: known[part.id]})
            if isinstance(part, ToolCallPart) and part.id in known
            else part
            for part in parts
        )

    async def mark(self, call_id: str, stage: CallStage) -> None:
        """Keeps how far a call is before it goes on: whoever finds the answer after a kill can tell."""
        before, self.stages[call_id] = dict(self.stages), stage
        try:
            if self.keep is not None:
                await self.keep()
        except asyncio.CancelledError:
            self.stages = before
            raise

    async def answer(self, call: ToolCallPart, caller: Message, *, held: bool = False) -> ToolResultPart:
        """Runs a call of `caller`; what goes wrong is a result. `held`: a program waits. Raises `TurnCapError`."""
        if self.budget.exhausted:
            return ToolResultPart(call.id, ENOUGH, is_error=True, extra={"budget": "rounds"})
        await self.budget.take_call(self.plan, caller.created, held=held)
        tool = self.tools.find(call.name, self.thread)
        if tool is None or call.name not in (offered.name for offered in self.plan.request.tools):
            return ToolResultPart(call.id, f"There is no tool {call.name}.", is_error=True)
        try:
            room = await asyncio.to_thread(self._room, caller)
            path = (*self.path, caller)
            turn = TurnState(self.thread, self.plan, path, self.estimator, room, self.budget, held, self.mark)
            if tool in self.tools.tools:
                await self.mark(call.id, "begun")
            result = await tool.answer(call, turn)
        except PlimsollError as error:
            result = ToolResultPart(call.id, f"{call.name} failed: {error.failure.message}", is_error=True)
        except Exception as error:  # a bug must not end the answer; it is logged as one
            log.exception("the tool %s failed", call.name)
            result = ToolResultPart(call.id, f"{call.name} failed: {type(error).__name__}", is_error=True)
        self.used += self.estimator.tokens(features(result.text))
        return result

    def unrun(self, parts: Sequence[Part]) -> tuple[ToolResultPart, ...]:
        """Results for a turn's open calls: the next request tells of them."""
        return tuple(missing_results(self.staged(parts), "the turn"))

    def _room(self, caller: Message) -> float:
        """Tokens left for results beside what the answer `caller` itself adds to the next request."""
        limits, tokens = self.plan.limits, self.plan.tokens
        room = limits.emergency - tokens.upper if self.began_above else limits.soft - tokens.total
        own = (part for part in caller.parts if not isinstance(part, ToolResultPart))
        return room - self.used - sum(self.estimator.tokens(features(block_text(part))) for part in own)


MOST_TOKENS: Final = 8_000
"""Tokens of messages that are asked for by their numbers: some twelve pages, an eighteenth of the usual soft limit."""

CANDIDATES: Final = 60
"""Messages that one search looks for; how many of them are answered depends on the room."""


@dataclass(frozen=True, slots=True)
class RecallTool:
    """Searches the messages of its thread that the request does not hold."""

    history: History
    spec: ClassVar[ToolSpec] = recall.RECALL

    def is_offered(self, thread: Thread, project: ProjectContext | None) -> bool:
        """Unless the user switched it off for the thread."""
        return thread.choices.recall

    async def answer(self, call: ToolCallPart, turn: TurnState) -> ToolResultPart:
        """The passages that answer a query, or the messages that it names."""
        if not isinstance(query := call.input.get("query"), str) or not query.strip():
            return ToolResultPart(call.id, recall.QUERY_MISSING, is_error=True)
        path = turn.path[:-1]  # what is looked up is what was said before this answer
        named = recall.named_messages(query)
        if not (among := recall.eligible(turn.plan, path)) and not named:
            return ToolResultPart(call.id, recall.ALL_IN_VIEW, extra=recall.result_facts(recall.RecallResult()))
        most = MOST_TOKENS if named else recall.RESULT
        if not (budget := result_budget(turn, most)):
            return no_room(call)
        if named:
            # a message may be as long as a book
            result = await asyncio.to_thread(_read, turn, path, named, budget)
            nothing = recall.NO_SUCH_MESSAGE.format(count=len(path))
        else:
            hits = await self.history.search_thread(turn.thread.id, query, among, CANDIDATES)
            result = await asyncio.to_thread(recall.recall_result, hits, path, budget, turn.estimator, among)
            result = replace(result, text=recall.noted_if_few(result.text, len(hits)))
            nothing = recall.NOTHING_FOUND
        text = await asyncio.to_thread(shortened, turn, result.text, most) if result.text else nothing
        return ToolResultPart(call.id, text, extra=recall.result_facts(result))


def _read(turn: TurnState, path: Sequence[Message], numbers: Sequence[int], budget: int) -> recall.RecallResult:
    """The messages with these numbers, whole where they fit, else around what a search found there."""
    excluded = {placed.id for placed in turn.plan.placement.messages if placed.state == "excluded"}
    among = {message.id for message in path} - excluded
    ids = [path[number - 1].id for number in numbers if 0 < number <= len(path)]
    hits = [RecallHit(one, at, at, 0.0) for one in ids if one in among for at in (recall.found_at(path, one),)]
    share = budget // max(1, len(hits))
    return recall.recall_result(hits, path, budget, turn.estimator, among, share=share)


@dataclass(frozen=True, slots=True)
class HistoryTool:
    """Searches other threads: those of the same project, or, where the setting allows it, those of no project."""

    history: History
    settings: Callable[[], Settings]
    spec: ClassVar[ToolSpec] = recall.SEARCH_HISTORY

    def is_offered(self, thread: Thread, project: ProjectContext | None) -> bool:
        """Return True if the project, or outside of any the setting, allows it. Never in a private thread."""
        if thread.private:
            return False
        if thread.project is not None:
            return project is not None and project.searches_threads
        return self.settings().context.search_other_threads

    async def answer(self, call: ToolCallPart, turn: TurnState) -> ToolResultPart:
        """The passages of other threads that answer a query."""
        if not isinstance(query := call.input.get("query"), str) or not query.strip():
            return ToolResultPart(call.id, recall.QUERY_MISSING, is_error=True)
        if not (budget := result_budget(turn, recall.RESULT)):
            return no_room(call)
        among = recall.searchable((summary.thread for summary in await self.history.threads()), turn.thread)
        if not among:
            return ToolResultPart(call.id, recall.NO_OTHERS, extra=recall.history_result_facts(recall.HistoryResult()))
        by_thread: dict[str, list[RecallHit]] = {}
        for thread_id, hit in await self.history.projects.search_threads(query, among, CANDIDATES):
            by_thread.setdefault(thread_id, []).append(hit)
        found: list[recall.SearchedThread] = []
        for thread_id, hits in list(by_thread.items())[: recall.MOST_THREADS]:
            thread = await self.history.thread(thread_id)
            path = Conversation(await self.history.messages(thread_id, most=LONGEST_ANSWER)).path(thread.tip)
            found.append(recall.SearchedThread(thread, path, hits))
        result = await asyncio.to_thread(recall.history_result, found, budget, turn.estimator)
        noted = recall.noted_if_few(result.text, sum(map(len, by_thread.values())))
        text = shortened(turn, noted, recall.RESULT) if noted else recall.NOTHING_IN_OTHERS
        return ToolResultPart(call.id, text, extra=recall.history_result_facts(result))
