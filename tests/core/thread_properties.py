"""Owns what holds for every request of a thread, whatever happened to it before: the checks of the engine's properties.

Knows nothing of what happens: that is the machine's, in `test_context_machine.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hypothesis.stateful import RuleBasedStateMachine

from desktop_app.core.context.boundaries import CARRIER, within_caps
from desktop_app.core.context.context_choices import ContextChoices
from desktop_app.core.context.limits import limits_for
from desktop_app.core.context.plan import ContextPlan, Overhead
from desktop_app.core.context.planner import LOOK_BACK, Preparation
from desktop_app.core.context.project_context import ALWAYS_SHARE, ProjectContext
from desktop_app.core.context.sent_content import SUMMARY_HEADING, SYSTEM_NOTE, PlannedMessage, opens_turn
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_counting import ArtifactContext, path_key
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.conversation import Conversation
from desktop_app.core.messages import (
    BoundaryState,
    DocumentPart,
    ImagePart,
    Message,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.settings import ContextSettings
from tests.core.paths import kept_ids


def spoken(plan: ContextPlan) -> list[tuple[str, Part]]:
    """The request block by block: who says what."""
    return [(message.role, block) for message in plan.request.messages for block in message.blocks]


NOTES = 150
"""Tokens of what a request says of messages that are left out, at most."""


class ThreadProperties(RuleBasedStateMachine):
    """A thread and what is asserted of it; `sent` is the last plan that was sent on the current path."""

    first_model: ModelInfo

    def __init__(self) -> None:
        super().__init__()
        self.tree = Conversation()
        self.tip: str | None = None
        self.number = 0
        self.model = self.first_model
        self.choices = ContextChoices()
        self.settings = ContextSettings()
        self.overhead = Overhead()
        self.soft_limit: int | None = None
        self.estimators: dict[str, TokenEstimator] = {}
        self.idle: float | None = None
        self.cold = True
        self.factor = 1.1
        self.sent: ContextPlan | None = None
        self.previous: Preparation | None = None
        self.changed = True
        self.keep_window: BoundaryState | None = None
        self.written: dict[str, str] = {}
        self.project: ProjectContext | None = None
        self.artifacts: tuple[ArtifactContext, ...] = ()

    @property
    def path(self) -> tuple[Message, ...]:
        return self.tree.path(self.tip)

    def check(self, plan: ContextPlan, path: Sequence[Message], parts: Sequence[Part]) -> None:
        self.check_form(plan, path)
        limits = plan.limits
        assert (plan.decision == "refuse") == (plan.tokens.upper > limits.emergency), "P1"
        cold = self.cold and self.idle is not None
        holds = self._taken_back(path) or _in_loop(path)
        high = limits.emergency if holds else limits.soft * 17 // 20 if cold else limits.soft
        if plan.decision == "ok":
            may_go = len(self._turns_in_tail(plan, path)) > 0
            most = max(limits.soft, self._beside_what_stays(plan, path, high))
            assert plan.tokens.total <= high or not may_go or plan.tokens.total <= most, "P1: a step is taken"
        undone = {m.window.epoch for m in path if m.window is not None and m.id in self.choices.undone}
        assert plan.placement.boundary.epoch not in undone, "what was taken back is not in force"
        texts = [part for part in parts if isinstance(part, TextPart)]
        if plan.request.pending is not None:
            pending = [block for block in plan.request.pending.blocks if isinstance(block, TextPart)]
            assert pending[len(pending) - len(texts) :] == texts, "P2"
        if plan.decision != "refuse":
            told = any(event.kind == "limit_passed" for event in plan.advice.events)
            assert told == (plan.tokens.total > limits.soft), "P1: what is sent above H is told"
        self.check_marks(plan)
        if plan.placement.newly_returned:
            self.check_return(plan, path)
        if plan.decision == "trim":
            self.check_step(plan, path)

    def check_return(self, plan: ContextPlan, path: Sequence[Message]) -> None:
        """P10: only for what changed since the last decision, and where there is room."""
        made, last = plan.placement.boundary, [m.window for m in path if m.window is not None][-1]
        assert (plan.decision, made.cause) == ("ok", "returned")
        assert made.made_under != last.made_under, "P10: a return has a reason"
        assert plan.tokens.total <= plan.limits.soft * 1.02 + 20, "what comes back fits"
        assert not _in_loop(path)

    def check_step(self, plan: ContextPlan, path: Sequence[Message]) -> None:
        """P9, P12: a step goes down to the low mark at once, and not a turn further."""
        settings = self.settings
        if settings.max_messages or settings.max_turns or settings.idle_reset_minutes or self.choices.summaries:
            return
        low, total = plan.limits.low, plan.tokens.total
        cold = self.cold and self.idle is not None
        soft = plan.limits.soft * 17 // 20 if cold else plan.limits.soft
        tail = self._turns_in_tail(plan, path)
        beside = self._beside_what_stays(plan, path, soft)
        assert total <= max(soft, beside) * 1.02 + 20 or not tail, "P9: a step makes room"
        if total > soft:
            return  # what must stay leaves no other room
        placed = plan.placement.messages
        left = [index for index, p in enumerate(placed) if p.state == "left_out"]
        if not left:
            return  # what made room are images that are named only from now on
        first = next((index for index in range(left[-1] + 1, len(placed)) if placed[index].id in tail), None)
        if total > low * 1.02 + 20 and first is not None:
            # what is pinned stays anyway, and takes no place among the last messages
            kept = [n for n in _begins(path) if n >= first and placed[n].state not in ("excluded", "pinned")]
            oldest = sum(placed[index].tokens for index in _turn_at(path, first))
            assert (
                (total <= (soft + low) / 2 * 1.02 + 20 and len(kept) <= settings.preserve_last_n + 1)
                or oldest > 0.2 * low - 20
                or len(tail) == 1
            ), "P12: above L only for what is large or last"
        turn = left[-1:]
        while not opens_turn(path[turn[0]]) or (turn[0] and path[turn[0] - 1].role == "user"):
            turn.insert(0, turn[0] - 1)
        if any(isinstance(part, DocumentPart) for index in turn for part in path[index].parts):
            return  # the turn may be a reference only where the turns before it are sent as well
        if any(placed[index].state != "left_out" for index in turn):
            return  # the rest of the turn that the beginning belongs to: a tail starts on a user turn
        if plan.placement.newly_left_out <= len(turn):
            return  # a step moves on by one turn at least, also where naming older images alone would make room
        older = total + sum(placed[index].whole for index in turn)
        assert older > low * 0.98 - 20, "P12: the turn before would have been kept"
        assert total >= 0.8 * low * 0.98 - 20 or older > 0.95 * soft * 0.98 - 20, "P12: the turn before does not fit"

    def _beside_what_stays(self, plan: ContextPlan, path: Sequence[Message], soft: int) -> float:
        """The most that a request weighs where what must stay leaves no room below H for the turn just made; else 0."""
        ends = [i for i, m in enumerate(path) if opens_turn(m)]
        end = len(path) if not path or path[-1].role == "assistant" else ends[-1]
        answered = [i for i in ends if i < end]
        if not answered:
            return 0
        goes = [p.tokens if p.state in ("whole", "annotated") else 0 for p in plan.placement.messages]
        head = self._head_end(path, self._base(path))
        least = plan.tokens.total - sum(goes[head:end])
        newest = least + sum(goes[max(head, answered[-1]) : end])
        if newest + NOTES <= soft * 0.98:
            return 0
        emergency, room = plan.limits.emergency, least + NOTES + plan.limits.soft // 10
        return (emergency if least + NOTES > soft * 0.98 else min(emergency, room)) * 1.02 + 20

    def _base(self, path: Sequence[Message]) -> int:
        """Where the thread was started fresh; 0: nowhere."""
        fresh = next((i for i, message in enumerate(path) if message.id == self.choices.fresh_from), None)
        after = range(fresh + 1, len(path)) if fresh is not None else ()
        ends = (i for i in after if opens_turn(path[i]) and path[i - 1].role == "assistant")
        return 0 if fresh is None else next(ends, len(path))

    def _turns_in_tail(self, plan: ContextPlan, path: Sequence[Message]) -> list[str]:
        """Turns that a step could still leave out: neither the beginning nor pinned, nor what waits."""
        states = {p.id: p.state for p in plan.placement.messages}
        base = self._base(path)
        opening = [
            m.id
            for i, m in enumerate(path)
            # a question without an answer belongs to the turn of the next one
            if i >= max(base, self._head_end(path, base)) and opens_turn(m) and path[i - 1].role == "assistant"
        ]
        return [name for name in opening[:-1] if states[name] in ("whole", "annotated")]

    def _head(self, path: Sequence[Message]) -> int:
        """The rows of the first questions and answers that always stay."""
        first = within_caps(self.settings).preserve_first_n
        starts = [i for i, m in enumerate(path) if opens_turn(m) or i == 0 or opens_turn(path[i - 1])]
        first_user = next((i for i, m in enumerate(path) if opens_turn(m)), len(path) - 1)
        return max(starts[first] if first < len(starts) else len(path), first_user + 1)

    def _head_end(self, path: Sequence[Message], base: int) -> int:
        """Where the beginning ends that always stays: that of the thread, or of what a fresh start left."""
        return self._head(path) if self.choices.keeps_start else base + self._head(path[base:])

    def _taken_back(self, path: Sequence[Message]) -> bool:
        carriers = [m.id for m in path if m.window is not None]
        return bool(carriers) and carriers[-1] in self.choices.undone

    def check_form(self, plan: ContextPlan, path: Sequence[Message]) -> None:
        request = plan.request.messages
        roles = [message.role for message in request]
        assert roles == ["user" if i % 2 == 0 else "assistant" for i in range(len(roles))], "P5"
        assert all(m.blocks and len(m.blocks) == len(m.sources) for m in request), "P5"
        assert all(not isinstance(b, TextPart) or b.text.strip() for m in request for b in m.blocks), "P5"
        ids, kept = [m.id for m in path], kept_ids(plan)
        chosen = set(kept)
        assert kept == [i for i in ids if i in chosen], "P4: a subsequence"
        placed = {p.id: p for p in plan.placement.messages}
        assert list(placed) == ids
        gone = {name for name, p in placed.items() if p.state in ("left_out", "excluded", "summarised")}
        assert gone.isdisjoint(chosen), "P4"
        left = sum(1 for i in _begins(path) if plan.placement.messages[i].state == "left_out")
        assert plan.placement.left_out == left, "questions and answers; rounds of tools belong to their answer"
        assert all((p.tokens == 0) == (p.id in gone) or not _says(self.tree[p.id]) for p in plan.placement.messages)
        self.check_turns(plan, path, chosen)
        self.check_tail(plan, path)
        self.check_pairs(plan)
        self.check_documents(plan)
        self.check_project(plan)
        counted = plan.tokens
        held = sum(p.tokens for p in plan.placement.messages)
        assert 0 <= counted.history + counted.documents - held <= counted.documents, "one count"
        notes = [b for m in request for b, s in zip(m.blocks, m.sources, strict=True) if s is None]
        summaries = [b for b in notes if isinstance(b, TextPart) and b.text.startswith(SUMMARY_HEADING)]
        assert bool(summaries) == bool(counted.summary), "P4"
        gone_rows = [p.state in ("left_out", "excluded", "summarised") for p in plan.placement.messages]
        gaps = sum(now and not before for before, now in zip([False, *gone_rows], gone_rows, strict=False))
        assert sum(_is_marker(b) or b in summaries for b in notes) <= gaps, "P4: at most one note for each gap"
        noted = any(p.state == "annotated" for p in plan.placement.messages) or any(_is_marker(b) for b in notes)
        if noted and not self._runs():
            assert plan.request.system.endswith(SYSTEM_NOTE)

    def _runs(self) -> bool:
        return _in_loop(self.path)

    def check_turns(self, plan: ContextPlan, path: Sequence[Message], chosen: set[str]) -> None:
        """P3, P4: the beginning, the pins and the tail stay; pins and exclusions act on whole turns."""
        turns: list[list[Message]] = []
        for message in path:
            if not turns or (opens_turn(message) and turns[-1][-1].role == "assistant"):
                turns.append([])
            turns[-1].append(message)
        states = {p.id: p.state for p in plan.placement.messages}
        # a flattened history has nothing of a tool's result, so it is no question that waits
        said = [m for m in path if _says(m) or (not self.overhead.labels and _brings_result(m))]
        waiting = bool(said) and said[-1].role == "user"
        base = 0
        for number, turn in enumerate(turns):
            names = {m.id for m in turn}
            last = number == len(turns) - 1
            if self.choices.fresh_from in names:
                base = number if last and waiting else number + 1
            if names & self.choices.excluded and not (last and waiting):
                assert names.isdisjoint(chosen), "an excluded turn is never sent"
            elif names & self.choices.pinned:
                assert {m.id for m in turn if _says(m)} <= chosen, "a pinned turn is always sent"
            if last and waiting:
                assert {m.id for m in turn if _says(m)} <= chosen, "P2: what waits is sent"
        head = {m.id for m in path[: self._head(path)] if _says(m)} if self.choices.keeps_start else set()
        for number, turn in enumerate(turns[:base]):
            if not {m.id for m in turn} & self.choices.pinned and not (number == len(turns) - 1 and waiting):
                assert chosen.isdisjoint({m.id for m in turn} - head), "a fresh start leaves out what was before"
        assert head <= chosen | {name for name in head if states[name] == "excluded"}, "P3: a moved line leaves it"
        if self.choices.keeps_start:
            base = 0
        if base < len(turns) and turns[base][0].role == "user" and states[turns[base][0].id] != "excluded":
            assert turns[base][0].id in chosen, "P3"
        left = [i for i, m in enumerate(path) if states[m.id] == "left_out"]
        tail = [m for m in path[left[-1] + 1 :] if states[m.id] not in ("excluded", "summarised")] if left else []
        assert not tail or opens_turn(tail[0]), "P4: the tail starts on a user turn"

    def check_tail(self, plan: ContextPlan, path: Sequence[Message]) -> None:
        """P4: before what was left out last stand the beginning and pins only."""
        states = [p.state for p in plan.placement.messages]
        last = max((index for index, state in enumerate(states) if state == "left_out"), default=-1)
        base = next((i + 1 for i in range(len(path) - 1, -1, -1) if path[i].id == self.choices.fresh_from), 0)
        if base or last < 0:
            return
        head = self._head(path)
        for index in range(last):
            if index < head:
                assert states[index] != "left_out", "P4: the beginning stays"
            else:
                assert states[index] not in ("whole", "annotated"), "P4: a contiguous tail"

    def check_pairs(self, plan: ContextPlan) -> None:
        request = plan.request.messages
        calls = [{b.id for b in m.blocks if isinstance(b, ToolCallPart)} for m in request]
        results = [{b.call_id for b in m.blocks if isinstance(b, ToolResultPart)} for m in request]
        assert [set(), *calls] == [*results, set()], "P6: each call has its result in the next message"
        assert self._runs() or not any(calls), "P11: after its turn a call is a note"

    def check_documents(self, plan: ContextPlan) -> None:
        shas = [b.sha256 for m in plan.request.messages for b in m.blocks if isinstance(b, DocumentPart)]
        assert len(shas) == len(set(shas)), "P11: a document goes whole once"
        for message in plan.request.messages:
            for block in message.blocks:
                if isinstance(block, TextPart) and block.text.startswith("[Document attached above: "):
                    name = block.text.removeprefix("[Document attached above: ").removesuffix("]")
                    whole = {b.name for m in plan.request.messages for b in m.blocks if isinstance(b, DocumentPart)}
                    assert name in whole, "P11: a reference has its document"

    def check_project(self, plan: ContextPlan) -> None:
        """The project's documents stand first, in its order, unchanged, within their share; each is accounted for."""
        documents = () if self.project is None else self.project.documents
        first = plan.request.messages[0] if plan.request.messages else None
        sent = first.blocks[: plan.request.always] if first is not None else ()
        assert all(block in documents for block in sent), "as the project has them"
        assert first is None or set(first.sources[: plan.request.always]) <= {None}
        whole = [placed for placed in plan.placement.documents if placed.state == "whole"]
        assert [placed.name for placed in plan.placement.documents] == [document.name for document in documents]
        assert len(whole) == plan.request.always
        if first is not None:
            assert [placed.name for placed in whole] == [b.name for b in sent if isinstance(b, DocumentPart)]
        assert all(placed.reason for placed in plan.placement.documents)
        assert all((placed.tokens > 0) == (placed.state == "whole") for placed in plan.placement.documents)
        attached = plan.tokens.documents - sum(placed.tokens for placed in whole)
        assert attached >= 0, "one count"
        seed = TokenEstimator.seeded(plan.model.tokenizer)
        weights = [seed.tokens(features(f"{d.name}\n{d.text}")) for d in documents]
        soft = limits_for(plan.model, self.settings, self.soft_limit, accepted_cliff=self.choices.accepted_cliff).soft
        room = soft * ALWAYS_SHARE[0] // ALWAYS_SHARE[1]
        names = [placed.name for placed in whole]
        used = sum(weight for weight, d in zip(weights, documents, strict=True) if d.name in names)
        assert used <= room, "at most their share of the soft limit"
        for weight, document in zip(weights, documents, strict=True):
            assert document.name in names or used + weight > room, "and no less than fits"

    def check_marks(self, plan: ContextPlan) -> None:
        assert len(plan.request.marks) <= self.overhead.cache_marks, "P14"
        places = [(mark.message, mark.block) for mark in plan.request.marks]
        assert places == sorted(set(places))
        assert len({mark.lifetime for mark in plan.request.marks}) <= 1, "P14: an hour never follows five minutes"
        request = plan.request.messages
        marked = [plan.request.messages[message].blocks[block] for message, block in places if message >= 0]
        assert not any(isinstance(block, ThinkingPart) for block in marked), "P14"
        assert self.overhead.system_mark or all(message >= 0 for message, _ in places), "P14"
        if plan.request.pending is not None:
            assert places[-1] == (len(request) - 1, len(request[-1].blocks) - 1), "P14: the end is marked"
        if len(plan.request.marks) > 1 and plan.request.history and plan.request.pending is not None:
            asked = [index for index, message in enumerate(request) if message.role == "user"][-2:]
            before = _last_marked_block(request[asked[0]])
            ends = [place for place in places if place >= (asked[0], before)]
            between = sum(len(m.blocks) for m in request[-2:])
            assert len(ends) > 1, "P14: the end of the request before is marked"
            assert between > 3 * LOOK_BACK or all(_distance(request, *pair) <= LOOK_BACK for pair in pairwise(ends)), (
                "P14: no mark is out of another's sight"
            )

    def check_prefix(self, plan: ContextPlan) -> None:
        """P9, P10: within an epoch the request before is a prefix of the next one; the boundary never goes back."""
        if (before := self.sent) is None:
            return
        if before.model.id != plan.model.id:
            assert before.request.prefix_key != plan.request.prefix_key, "P10: another model is a new epoch"
            return
        if path_key(before.request.prefix_key) == path_key(plan.request.prefix_key):
            # a finished tool loop is annotated once, in the turn that held it
            stable = before.request.history if _holds_tools(before) else before.request.messages
            assert plan.request.messages[: len(stable) - 1] == stable[:-1] or _holds_tools(before), "P9"
            if not _holds_tools(before):
                said = spoken(before)[: len(spoken(before)) - before.request.of_turn]
                assert spoken(plan)[: len(said)] == said, "P9"
        elif not self.changed and plan.decision == "ok" and not plan.placement.newly_returned:
            assert plan.request.system != before.request.system, "P9: a new epoch has a reason"
        if not self.changed and not self.choices.undone:
            assert plan.placement.boundary.epoch >= before.placement.boundary.epoch, "P10"
            went_back = self._start(plan) < self._start(before)
            assert not went_back or plan.placement.newly_returned, "P10: the boundary goes back by a return only"

    def _start(self, plan: ContextPlan) -> int:
        """Where the window of a plan that was sent begins; its carrier may be the message that was just added."""
        first, path = plan.placement.boundary.first_kept, self.path
        if first == CARRIER:
            return next((i for i, m in enumerate(path) if m.window == plan.placement.boundary), len(path) - 1)
        return 0 if first is None else next(i for i, m in enumerate(path) if m.id == first)


def _turn_at(path: Sequence[Message], first: int) -> list[int]:
    """The indexes of the turn that begins at `first`."""
    later = range(first + 1, len(path))
    end = next((i for i in later if opens_turn(path[i]) and path[i - 1].role == "assistant"), len(path))
    return list(range(first, end))


def _distance(request: Sequence[PlannedMessage], first: tuple[int, int], last: tuple[int, int]) -> int:
    """How many blocks a mark has to look back from `last` to see `first`."""
    flat = [(m, b) for m in range(first[0], last[0] + 1) for b in range(len(request[m].blocks))]
    return flat.index(last) - flat.index(first)


def _in_loop(path: Sequence[Message]) -> bool:
    """Whether tools' results wait for the model."""
    return bool(path) and path[-1].role == "user" and not opens_turn(path[-1])


def _begins(path: Sequence[Message]) -> list[int]:
    """Where questions and answers begin; rounds of tools belong to their answer."""
    said = [i for i, message in enumerate(path) if _says(message)]
    return [i for n, i in enumerate(said) if opens_turn(path[i]) or n == 0 or opens_turn(path[said[n - 1]])]


def _says(message: Message) -> bool:
    return any(isinstance(p, TextPart | DocumentPart | ImagePart | ToolCallPart) for p in message.parts)


def _brings_result(message: Message) -> bool:
    return any(isinstance(part, ToolResultPart) for part in message.parts)


def _last_marked_block(message: PlannedMessage) -> int:
    """The last block that can bear a mark."""
    return max((index for index, b in enumerate(message.blocks) if not isinstance(b, ThinkingPart)), default=0)


def calls_of(message: Message) -> bool:
    """Whether an answer asks for tools."""
    return any(isinstance(part, ToolCallPart) for part in message.parts)


def _is_marker(block: Part) -> bool:
    return isinstance(block, TextPart) and block.text.endswith("left out]")


def _holds_tools(plan: ContextPlan) -> bool:
    return any(isinstance(b, ToolCallPart | ToolResultPart) for m in plan.request.messages for b in m.blocks)
