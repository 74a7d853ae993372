"""The context engine as a machine: whatever happens to a thread, what holds for its requests goes on holding (P1-P16).

The machine keeps a tree of messages as the history would, sends and answers through plans only, and has a provider
whose tokenizer the estimator does not know.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from desktop_app.core.catalog import ModelInfo
from desktop_app.core.context.choices import ContextChoices, Summary
from desktop_app.core.context.content import opens_turn
from desktop_app.core.context.estimator import TokenEstimator
from desktop_app.core.context.limits import output_reserve
from desktop_app.core.context.marks import LOOK_BACK
from desktop_app.core.context.notes import SUMMARY_HEADING, SYSTEM_NOTE
from desktop_app.core.context.overflow import shrunk_after_overflow
from desktop_app.core.context.plan import CacheClock, ContextPlan, ContextSettings, Overhead
from desktop_app.core.context.planner import Preparation, prepare_context
from desktop_app.core.context.tally import block_text, image_tokens, observation_after
from desktop_app.core.conversation import Conversation
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Message,
    Part,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    Usage,
)
from tests.core.paths import kept_ids, words

MODELS = (
    ModelInfo("small", "Small", 6_000, 1_500, tokenizer="claude-2023"),
    ModelInfo("middle", "Middle", 9_000, 2_000, tokenizer="claude-2026"),
    ModelInfo("large", "Large", 40_000, 8_000, tokenizer="claude-2023"),
)
SIZES = st.integers(1, 500)
DOCUMENTS = tuple(
    DocumentPart(f"report {n}.pdf", words(200 + 150 * n), hashlib.sha256(bytes([n])).hexdigest()) for n in range(3)
)
SEED = TokenEstimator.seeded("claude-2023")


def hidden_tokens(plan: ContextPlan, factor: float) -> int:
    """What the provider counts: a tokenizer that the estimator does not know, and a little that nobody sees."""
    blocks = [block for message in plan.request_messages for block in message.blocks]
    texts = [*(block_text(block) for block in blocks), plan.system]
    images = sum(image_tokens(block, plan.model.tokenizer) for block in blocks)
    return round(factor * sum(SEED.estimate(text).tokens for text in texts if text)) + images + 9


def spoken(plan: ContextPlan) -> list[tuple[str, Part]]:
    """The request block by block: who says what."""
    return [(message.role, block) for message in plan.request_messages for block in message.blocks]


class ThreadMachine(RuleBasedStateMachine):
    """One thread; `sent` is the last plan that was sent on the current path."""

    first_model = MODELS[0]

    def __init__(self) -> None:
        super().__init__()
        self.tree = Conversation()
        self.tip: str | None = None
        self.number = 0
        self.model = self.first_model
        self.choices = ContextChoices()
        self.settings = ContextSettings()
        self.soft_limit: int | None = None
        self.estimators: dict[str, TokenEstimator] = {}
        self.idle: float | None = None
        self.cold = True
        self.factor = 1.1
        self.sent: ContextPlan | None = None
        self.previous: Preparation | None = None
        self.changed = True

    @initialize(
        labels=st.booleans(),
        factor=st.sampled_from((0.93, 1.0, 1.1)),
        caps=st.sampled_from(((0, 0), (0, 0), (24, 0), (0, 12))),
        idle_reset=st.sampled_from((0, 0, 30)),
        first=st.sampled_from((0, 1, 3)),
        system=st.sampled_from(("", "Be brief.")),
    )
    def begin(  # noqa: PLR0917
        self, labels: bool, factor: float, caps: tuple[int, int], idle_reset: int, first: int, system: str
    ) -> None:
        self.overhead = Overhead(labels=labels, cache_marks=1 if labels else 4)
        self.factor = factor
        self.system = system
        self.settings = ContextSettings(
            max_messages=caps[0], max_turns=caps[1], idle_reset_minutes=idle_reset, preserve_first_n=first
        )

    # ---- what the controller does -----------------------------------------------------------------------------------

    @property
    def path(self) -> tuple[Message, ...]:
        return self.tree.path(self.tip)

    def prepare(self, path: Sequence[Message], *, previous: Preparation | None = None) -> Preparation:
        estimator = self.estimators.get(self.model.id) or TokenEstimator.seeded(self.model.tokenizer)
        return prepare_context(
            backend="anthropic",
            model=self.model,
            overhead=self.overhead,
            system=self.system,
            path=path,
            settings=self.settings,
            soft_limit=self.soft_limit,
            estimator=estimator,
            cache=CacheClock(cold=self.cold, idle_minutes=self.idle),
            free=False,
            choices=self.choices,
            previous=previous,
        )

    def add(self, role: Role, *parts: Part, **facts: Any) -> Message:
        made = Message(
            f"m{self.number}",
            "t",
            self.tip,
            role,
            parts,
            f"2026-01-01T{self.number:08d}",
            **facts,
        )
        self.number += 1
        self.tree.add(made)
        self.tip = made.id
        return made

    def send(self, *parts: Part) -> bool:
        """Asks; True if the request left."""
        path = self.path
        prepared = self.prepare(path, previous=self.previous)
        self.previous = prepared
        plan = prepared.plan(parts)
        self.check(plan, path, parts)
        assert self.prepare(path).plan(parts) == plan, "P7, P8: what was remembered changes nothing"
        if plan.pending is None or plan.decision == "refuse":
            return False
        window = plan.window if plan.decision == "trim" else None
        if parts:
            self.add("user", *parts, window=window)
        again = self.prepare_quiet(self.path)
        if parts:
            same = again.plan(())
            assert spoken(same) == spoken(plan), "P8: the stored question is sent as it was planned"
            assert (same.prefix_key, same.window) == (plan.prefix_key, plan.window)
        self.keep_window = None if parts else window
        self.check_prefix(plan)
        self.sent = plan
        self.changed = False
        return True

    def prepare_quiet(self, path: Sequence[Message]) -> Preparation:
        """As it is right after sending: the time has not passed, and nothing is cold."""
        idle, cold = self.idle, self.cold
        self.idle, self.cold = 0.0, False
        prepared = self.prepare(path, previous=self.previous)
        self.idle, self.cold = idle, cold
        return prepared

    def answer(self, *parts: Part, state: str = "complete") -> None:
        assert self.sent is not None
        true = hidden_tokens(self.sent, self.factor)
        assert true <= self.model.window - output_reserve(self.model), "P1: what was sent fits the window"
        before = self.path
        output = sum(SEED.estimate(block_text(part)).tokens for part in parts)
        made = self.add(
            "assistant",
            *parts,
            backend="anthropic",
            model=self.model.id,
            prefix_key=self.sent.prefix_key,
            usage=Usage(input=true, output=max(1, round(self.factor * output))) if state == "complete" else None,
            state=state,
            window=self.keep_window,
        )
        self.keep_window = None
        observed = observation_after(before, made, labels=self.overhead.labels)
        if observed is not None:
            estimator = self.estimators.get(self.model.id) or TokenEstimator.seeded(self.model.tokenizer)
            self.estimators[self.model.id] = estimator.observe(*observed)
        self.idle, self.cold = 0.0, False

    # ---- what happens -----------------------------------------------------------------------------------------------

    @rule(asked=SIZES, answered=SIZES)
    def turn(self, asked: int, answered: int) -> None:
        if self.send(TextPart(f"question {self.number} " + words(asked))):
            self.answer(TextPart(f"answer {self.number} " + words(answered)))

    @rule(sizes=st.lists(st.tuples(SIZES, SIZES), min_size=3, max_size=9))
    def turns(self, sizes: list[tuple[int, int]]) -> None:
        for asked, answered in sizes:
            self.turn(asked=asked, answered=answered)

    @rule(which=st.integers(0, 2), asked=st.integers(1, 40))
    def attach(self, which: int, asked: int) -> None:
        if self.send(DOCUMENTS[which], TextPart(f"read {self.number} " + words(asked))):
            self.answer(TextPart(f"done {self.number}"))

    @rule(side=st.integers(50, 700))
    def show_image(self, side: int) -> None:
        image = ImagePart(f"photo {self.number}.png", "image/png", "aGk=", side, side)
        if self.send(image, TextPart(f"look {self.number}")):
            self.answer(TextPart(f"seen {self.number}"))

    @rule(result=SIZES, version=st.integers(1, 3))
    def use_tools(self, result: int, version: int) -> None:
        if not self.send(TextPart(f"find {self.number}")):
            return
        call = ToolCallPart(f"c{self.number}", "search_documents", {"query": "q"})
        self.answer(TextPart("Let me see."), call)
        self.add("user", ToolResultPart(call.id, "passage " * result, extra={"passages": 2}))
        if not self.send():
            self.tip = self.path[-3].id
            self.sent = None
            return
        if not self.overhead.labels:
            inside = [block for _, block in spoken(self.sent)] if self.sent is not None else []
            assert call in inside, "P6: within its turn a call goes in full"
            assert any(isinstance(b, ToolResultPart) and b.call_id == call.id for b in inside)
        artifact = TextPart("body " * 30, {"artifact": {"title": "Plan", "version": version}})
        self.answer(TextPart(f"found {self.number}"), artifact)

    @rule()
    def stop_and_try_again(self) -> None:
        if self.send(TextPart(f"stopped {self.number}")):
            self.answer(TextPart("half an ans"), state="partial")
            self.tip = self.path[-1].parent_id
            self.sent = None
            if self.send():
                self.answer(TextPart(f"whole {self.number}"))

    @precondition(lambda self: len(self.path) > 2)
    @rule(place=st.integers(0, 1_000))
    def edit_or_branch(self, place: int) -> None:
        """Goes back to some answer; the next question becomes a sibling."""
        answers = [m for m in self.path if m.role == "assistant" and m.state == "complete" and not _calls(m)]
        if answers:
            self.tip = answers[place % len(answers)].id
            self.sent = None

    @rule(model=st.sampled_from(MODELS))
    def switch_model(self, model: ModelInfo) -> None:
        self.changed = self.changed or model is not self.model
        self.model = model
        self.cold = True

    @rule(minutes=st.sampled_from((2.0, 20.0, 90.0)))
    def wait(self, minutes: float) -> None:
        if self.idle is not None:
            self.idle += minutes
            self.cold = self.idle > 5

    @rule(limit=st.sampled_from((None, 1_500, 3_000)))
    def set_limit(self, limit: int | None) -> None:
        self.soft_limit = limit

    def _some(self, place: int) -> str | None:
        """Some message of an answered path: a choice about what waits takes hold only when it is answered."""
        path = self.path
        return path[place % len(path)].id if path and path[-1].role == "assistant" else None

    @rule(place=st.integers(0, 1_000), on=st.booleans())
    def pin(self, place: int, on: bool) -> None:
        name = self._some(place)
        if name and len(self.choices.pinned) < 2:
            self.choose(pinned=self.choices.pinned | {name} if on else frozenset())

    @rule(place=st.integers(0, 1_000), on=st.booleans())
    def exclude(self, place: int, on: bool) -> None:
        name = self._some(place)
        if name:
            self.choose(excluded=self.choices.excluded | {name} if on else frozenset())

    @rule(place=st.integers(0, 1_000), on=st.booleans())
    def start_fresh(self, place: int, on: bool) -> None:
        self.choose(fresh_from=self._some(place) if on else None)

    @rule()
    def undo_step(self) -> None:
        carriers = [m.id for m in self.path if m.window is not None]
        if carriers:
            self.choose(undone=self.choices.undone | {carriers[-1]})

    @rule(by_hand=st.booleans(), size=st.integers(1, 30))
    def summarise(self, by_hand: bool, size: int) -> None:
        """The evicted turns of the next step, or the first turns of the path."""
        path = self.path
        turns = [index for index, m in enumerate(path) if opens_turn(m)]
        if by_hand and len(turns) > 6:
            sources = tuple(m.id for m in path[turns[1] : turns[5]])
        else:
            sources = self.prepare(path).plan([TextPart("next")]).summary_due
        if sources:
            made = Summary(f"s{self.number}", sources, words(size), "m", f"2026-01-01T{self.number:08d}")
            self.choose(summaries=(*self.choices.summaries, made))

    def choose(self, **facts: Any) -> None:
        self.choices = replace(self.choices, **facts)
        self.changed = True

    @precondition(lambda self: bool(self.path))
    @rule(most=st.integers(600, 4_000))
    def provider_overflows(self, most: int) -> None:
        path = self.path
        prepared = self.prepare(path)
        draft = [TextPart("too long?")]
        failed = prepared.plan(draft)
        detail = f"prompt is too long: {max(most + 1, failed.tokens.total)} tokens > {most} maximum"
        shorter = shrunk_after_overflow(prepared, draft, failed, detail)
        assert shorter == shrunk_after_overflow(self.prepare(path), draft, failed, detail)
        if shorter is not None:
            assert shorter.shrunk
            assert spoken(shorter) != spoken(failed), "CTX-6: never the same bytes twice"
            assert shorter.tokens.total <= failed.tokens.total
            self.check_form(shorter, path)

    # ---- what holds -------------------------------------------------------------------------------------------------

    @invariant()
    def form(self) -> None:
        path = self.path
        plan = self.prepare(path, previous=self.previous).plan(())
        self.check_form(plan, path)
        assert plan.tokens.total >= 0
        assert tuple(m.parts for m in path) == tuple(self.tree[m.id].parts for m in path), "P13"

    def check(self, plan: ContextPlan, path: Sequence[Message], parts: Sequence[Part]) -> None:
        self.check_form(plan, path)
        limits = plan.limits
        assert (plan.decision == "refuse") == (plan.tokens.upper > limits.emergency), "P1"
        cold = self.cold and self.idle is not None
        high = limits.emergency if self._taken_back(path) else limits.soft * 17 // 20 if cold else limits.soft
        if plan.decision == "ok":
            may_go = len(_turns_in_tail(plan, path)) > 0
            assert plan.tokens.total <= high or not may_go or plan.tokens.total <= limits.soft, "P1: a step is taken"
        texts = [part for part in parts if isinstance(part, TextPart)]
        if plan.pending is not None:
            pending = [block for block in plan.pending.blocks if isinstance(block, TextPart)]
            assert pending[len(pending) - len(texts) :] == texts, "P2"
        self.check_marks(plan)

    def _taken_back(self, path: Sequence[Message]) -> bool:
        carriers = [m.id for m in path if m.window is not None]
        return bool(carriers) and carriers[-1] in self.choices.undone

    def check_form(self, plan: ContextPlan, path: Sequence[Message]) -> None:
        request = plan.request_messages
        roles = [message.role for message in request]
        assert roles == ["user" if i % 2 == 0 else "assistant" for i in range(len(roles))], "P5"
        assert all(m.blocks and len(m.blocks) == len(m.sources) for m in request), "P5"
        assert all(not isinstance(b, TextPart) or b.text.strip() for m in request for b in m.blocks), "P5"
        ids, kept = [m.id for m in path], kept_ids(plan)
        chosen = set(kept)
        assert kept == [i for i in ids if i in chosen], "P4: a subsequence"
        placed = {p.id: p for p in plan.messages}
        assert list(placed) == ids
        gone = {name for name, p in placed.items() if p.state in ("left_out", "excluded", "summarised")}
        assert gone.isdisjoint(chosen), "P4"
        assert plan.left_out == sum(1 for p in plan.messages if p.state == "left_out")
        assert all((p.tokens == 0) == (p.id in gone) or not _says(self.tree[p.id]) for p in plan.messages)
        self.check_turns(plan, path, chosen)
        self.check_pairs(plan)
        self.check_documents(plan)
        counted = plan.tokens
        held = sum(p.tokens for p in plan.messages)
        assert 0 <= counted.history + counted.documents - held <= counted.documents, "one count"
        notes = [b for m in request for b, s in zip(m.blocks, m.sources, strict=True) if s is None]
        summaries = [b for b in notes if isinstance(b, TextPart) and b.text.startswith(SUMMARY_HEADING)]
        assert bool(summaries) == bool(counted.summary), "P4"
        noted = any(p.state == "annotated" for p in plan.messages) or any(_is_marker(b) for b in notes)
        if noted and not self._runs():
            assert plan.system.endswith(SYSTEM_NOTE)

    def _runs(self) -> bool:
        path = self.path
        return bool(path) and path[-1].role == "user" and not opens_turn(path[-1])

    def check_turns(self, plan: ContextPlan, path: Sequence[Message], chosen: set[str]) -> None:
        """P3, P4: the beginning, the pins and the tail stay; pins and exclusions act on whole turns."""
        turns: list[list[Message]] = []
        for message in path:
            if not turns or (opens_turn(message) and turns[-1][-1].role == "assistant"):
                turns.append([])
            turns[-1].append(message)
        states = {p.id: p.state for p in plan.messages}
        waiting = path[-1].role == "user" if path else False
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
        for number, turn in enumerate(turns[:base]):
            if not {m.id for m in turn} & self.choices.pinned and not (number == len(turns) - 1 and waiting):
                assert chosen.isdisjoint(m.id for m in turn), "a fresh start leaves out what was before"
        if base < len(turns) and turns[base][0].role == "user" and states[turns[base][0].id] != "excluded":
            assert turns[base][0].id in chosen, "P3"
        sent = [i for i, m in enumerate(path) if states[m.id] not in ("left_out",)]
        left = [i for i, m in enumerate(path) if states[m.id] == "left_out"]
        if left and sent and left[-1] + 1 < len(path):
            assert opens_turn(path[left[-1] + 1]), "P4: the tail starts on a user turn"

    def check_pairs(self, plan: ContextPlan) -> None:
        calls = {b.id for m in plan.request_messages for b in m.blocks if isinstance(b, ToolCallPart)}
        results = {b.call_id for m in plan.request_messages for b in m.blocks if isinstance(b, ToolResultPart)}
        assert calls == results, "P6"

    def check_documents(self, plan: ContextPlan) -> None:
        shas = [b.sha256 for m in plan.request_messages for b in m.blocks if isinstance(b, DocumentPart)]
        assert len(shas) == len(set(shas)), "P11: a document goes whole once"
        for message in plan.request_messages:
            for block in message.blocks:
                if isinstance(block, TextPart) and block.text.startswith("[Document attached above: "):
                    name = block.text.removeprefix("[Document attached above: ").removesuffix("]")
                    whole = {b.name for m in plan.request_messages for b in m.blocks if isinstance(b, DocumentPart)}
                    assert name in whole, "P11: a reference has its document"

    def check_marks(self, plan: ContextPlan) -> None:
        assert len(plan.marks) <= self.overhead.cache_marks, "P14"
        places = [(mark.message, mark.block) for mark in plan.marks]
        assert places == sorted(set(places))
        if len(plan.marks) > 1 and plan.history:
            blocks = sum(len(m.blocks) for m in plan.request_messages[-2:])
            assert places[-1][0] == len(plan.request_messages) - 1
            assert blocks > LOOK_BACK or any(message >= len(plan.request_messages) - 3 for message, _ in places[:-1])

    def check_prefix(self, plan: ContextPlan) -> None:
        """P9, P10: within an epoch the request before is a prefix of the next one; the boundary never goes back."""
        before = self.sent
        if before is None or before.model.id != plan.model.id:
            return
        if before.prefix_key == plan.prefix_key:
            # a finished tool loop is annotated once, in the turn that held it
            stable = before.history if _holds_tools(before) else before.request_messages
            assert plan.request_messages[: len(stable) - 1] == stable[:-1] or _holds_tools(before), "P9"
            if not _holds_tools(before):
                said = spoken(before)
                assert spoken(plan)[: len(said)] == said, "P9"
        elif not self.changed and plan.decision == "ok":
            assert plan.system != before.system, "P9: a new epoch has a reason"
        if not self.changed and not self.choices.undone:
            assert plan.window.epoch >= before.window.epoch, "P10"


def _says(message: Message) -> bool:
    return any(isinstance(p, TextPart | DocumentPart | ImagePart | ToolCallPart) for p in message.parts)


def _calls(message: Message) -> bool:
    return any(isinstance(part, ToolCallPart) for part in message.parts)


def _is_marker(block: Part) -> bool:
    return isinstance(block, TextPart) and block.text.endswith("left out]")


def _holds_tools(plan: ContextPlan) -> bool:
    return any(isinstance(b, ToolCallPart | ToolResultPart) for m in plan.request_messages for b in m.blocks)


def _turns_in_tail(plan: ContextPlan, path: Sequence[Message]) -> list[str]:
    """Turns that a step could still leave out: neither the beginning nor pinned, nor what waits."""
    states = {p.id: p.state for p in plan.messages}
    opening = [m.id for m in path if opens_turn(m) and states[m.id] in ("whole", "annotated")]
    return opening[1:-1]


def run_machine(machine: type[ThreadMachine], steps: int, examples: int) -> None:
    """Runs the machine; what fails is shown as the shortest sequence of steps."""
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        ),
    )


class MiddleModelMachine(ThreadMachine):
    """Starts with a larger window and another tokenizer."""

    first_model = MODELS[1]


class LargeModelMachine(ThreadMachine):
    """Starts with a window that takes long to fill."""

    first_model = MODELS[2]


def test_a_few_hundred_steps() -> None:
    run_machine(ThreadMachine, steps=25, examples=12)


@pytest.mark.slow
@pytest.mark.parametrize("machine", [ThreadMachine, MiddleModelMachine, LargeModelMachine])
def test_thousands_of_steps(machine: type[ThreadMachine]) -> None:
    run_machine(machine, steps=60, examples=20)
