"""The context engine as a machine: whatever happens to a thread, what holds for its requests goes on holding.

The machine keeps a tree of messages as the history would, sends and answers through plans only, and has a provider
whose tokenizer the estimator does not know. Which of the engine's properties is asserted where:

* P1 budget: `check` (refused exactly above E; a step is taken above H, or a notice given), `answer` (what the provider
  counts fits the window), `check_step` (a step goes down to L).
* P2 the question is last and unchanged: `check`, `check_turns`.
* P3 the beginning stays: `check_turns`. P4 order and subset: `check_form`, `check_turns`, `check_tail`.
* P5 roles: `check_form`. P6 pairs: `check_pairs`, and `use_tools` for a loop that runs.
* P7 determinism, P8 idempotence and replay from scratch: `send`, `provider_overflows`.
* P9 stable prefix: `check_prefix`; few epochs: `check_step`. P10 the boundary never goes back: `check_prefix`.
* P11 linear growth: `check_documents`, `check_pairs` (nothing of a tool outside of its turn).
* P12 nothing is left out needlessly: `check_step`. P13 nothing is lost: `teardown`.
* P14 marks: `check_marks`. P15 calibration: `calibrate`, `a_count_is_wild`.
* Projects: `check_project` (its documents stand first, unchanged, within their share), `ProjectMachine`.
* P16 cost: `test_ten_thousand_messages_are_decided_and_typed_into_in_time`, by the clock.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from desktop_app.core.context.context_choices import Summary
from desktop_app.core.context.limits import output_reserve
from desktop_app.core.context.overflow_report import shrunk_after_overflow
from desktop_app.core.context.plan import CacheClock, ContextPlan, Overhead
from desktop_app.core.context.plan_figures import Recipient, ThreadContents, ThreadLimits
from desktop_app.core.context.planner import Preparation, prepare_context
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.context.sent_content import opens_turn
from desktop_app.core.context.text_features import CONSTANT, features, plus
from desktop_app.core.context.token_counting import ArtifactContext, block_text, image_tokens, observation_after
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Message,
    Part,
    Role,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    Usage,
)
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.settings import ContextSettings
from tests.core.paths import words
from tests.core.thread_properties import ThreadProperties, calls_of, spoken

MODELS = (
    ModelInfo("small", "Small", 6_000, 1_500, tokenizer="claude-2023", accepts_images=True),
    ModelInfo("middle", "Middle", 9_000, 2_000, tokenizer="claude-2026", accepts_images=True),
    ModelInfo("large", "Large", 40_000, 8_000, tokenizer="claude-2023", accepts_images=True),
)
SIZES = st.integers(1, 700)
LONG_ENOUGH = 80
"""Messages from which on turns are added one by one: every step costs what the path is long."""
DOCUMENTS = tuple(
    DocumentPart(f"report {n}.pdf", words(200 + 150 * n), hashlib.sha256(bytes([n])).hexdigest()) for n in range(3)
)
PROJECT_DOCUMENTS = st.lists(
    st.sampled_from((*DOCUMENTS, DocumentPart("notes.md", "- a\n- b\n" * 40, hashlib.sha256(b"n").hexdigest()))),
    max_size=4,
    unique_by=lambda document: document.sha256,
)
OUTLOOK = ("A plain sentence of a dozen words, more or less.", "def f(x):\n    return x + 1\n", words(50))
SEED = TokenEstimator.seeded("claude-2023")


@lru_cache(maxsize=1 << 14)
def seed_tokens(text: str) -> float:
    """Tokens of a text by the seed, which is not what is tested here."""
    return SEED.tokens(plus(features(text), CONSTANT))


def hidden_tokens(plan: ContextPlan, factor: float) -> int:
    """What the provider counts: a tokenizer that the estimator does not know, and a little that nobody sees."""
    blocks = [block for message in plan.request.messages for block in message.blocks]
    texts = [*(block_text(block) for block in blocks), plan.request.system]
    images = sum(image_tokens(block, plan.model.tokenizer) for block in blocks)
    return round(factor * sum(seed_tokens(text) for text in texts if text)) + images + 9


class ThreadMachine(ThreadProperties):
    """What happens to a thread."""

    first_model = MODELS[0]

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
        self.overhead = Overhead(labels=labels, cache_marks=4, system_mark=not labels)
        self.factor = factor
        self.system = system
        self.settings = ContextSettings(
            max_messages=caps[0], max_turns=caps[1], idle_reset_minutes=idle_reset, preserve_first_n=first
        )

    # ---- what the controller does -----------------------------------------------------------------------------------

    def prepare(self, path: Sequence[Message], *, previous: Preparation | None = None) -> Preparation:
        estimator = self.estimators.get(self.model.id) or TokenEstimator.seeded(self.model.tokenizer)
        return prepare_context(
            Recipient(
                backend="anthropic",
                model=self.model,
                overhead=self.overhead,
                estimator=estimator,
                cache=CacheClock(cold=self.cold, idle_minutes=self.idle),
                free=False,
            ),
            ThreadContents(
                system=self.system, path=path, choices=self.choices, project=self.project, artifacts=self.artifacts
            ),
            ThreadLimits(settings=self.settings, soft_limit=self.soft_limit),
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
        self.written[made.id] = repr(made)
        self.tip = made.id
        return made

    def send(self, *parts: Part) -> bool:
        """Asks; True if the request left."""
        path = self.path
        prepared = self.prepare(path, previous=self.previous)
        self.previous = prepared
        plan = prepared.plan(parts)
        self.check(plan, path, parts)
        fresh = self.prepare(path)
        fresh.plan([TextPart("another draft " + words(300))])
        assert fresh.plan(parts) == plan, "P7, P8: what was remembered changes nothing"
        if plan.request.pending is None or plan.decision == "refuse":
            return False
        window = plan.placement.boundary if plan.moves_boundary else None
        if parts:
            self.add("user", *parts, window=window)
        again = self.prepare_quiet(self.path)
        if parts:
            same = again.plan(())
            if not self._at_a_limit(plan):
                assert spoken(same) == spoken(plan), "P8: the stored question is sent as it was planned"
                assert (same.request.prefix_key, same.placement.boundary) == (
                    plan.request.prefix_key,
                    plan.placement.boundary,
                )
        self.keep_window = None if parts else window
        self.check_prefix(plan)
        self.sent = plan
        self.changed = False
        return True

    @staticmethod
    def _at_a_limit(plan: ContextPlan) -> bool:
        """Whether the rounding of one message more decides: stored, a question is weighed by itself."""
        near = (abs(plan.tokens.total - plan.limits.soft), abs(plan.tokens.upper - plan.limits.emergency))
        return plan.decision == "ok" and (min(near) <= 5 or abs(plan.tokens.total - plan.limits.emergency) <= 5)

    def prepare_quiet(self, path: Sequence[Message]) -> Preparation:
        """As it is right after sending: the time has not passed, and nothing is cold."""
        idle, cold = self.idle, self.cold
        self.idle, self.cold = 0.0, False
        prepared = self.prepare(path, previous=self.previous)
        self.idle, self.cold = idle, cold
        return prepared

    def answer(self, *parts: Part, state: str = "complete", wild: bool = False) -> None:
        assert self.sent is not None
        usage = self.usage_of(self.sent, parts)
        most = self.model.window - output_reserve(self.model)
        assert wild or usage is None or usage.input <= most, "P1: what was sent fits the window"
        before = self.path
        made = self.add(
            "assistant",
            *parts,
            backend="anthropic",
            model=self.model.id,
            prefix_key=self.sent.request.prefix_key,
            usage=usage if state == "complete" else None,
            state=state,
            window=self.keep_window,
        )
        self.keep_window = None
        self.calibrate(before, made)
        self.idle, self.cold = 0.0, False

    def usage_of(self, plan: ContextPlan, answer: Sequence[Part]) -> Usage | None:
        """What the provider reports for a request and its answer."""
        output = sum(seed_tokens(block_text(part)) for part in answer)
        return Usage(input=hidden_tokens(plan, self.factor), output=max(1, round(self.factor * output)))

    def calibrate(self, before: Sequence[Message], answer: Message) -> None:
        assert self.sent is not None
        observed = observation_after(before, answer, labels=self.overhead.labels, system=self.sent.request.system)
        if observed is not None:
            estimator = self.estimators.get(self.model.id) or TokenEstimator.seeded(self.model.tokenizer)
            self.estimators[self.model.id] = learned = estimator.observe(*observed)
            assert all(0 <= weight < 100 for weight in learned.vector), "P15: finite and not negative"

    # ---- what happens -----------------------------------------------------------------------------------------------

    @rule(asked=SIZES, answered=SIZES)
    def turn(self, asked: int, answered: int) -> None:
        if self.send(TextPart(f"question {self.number} " + words(asked))):
            self.answer(TextPart(f"answer {self.number} " + words(answered)))

    @precondition(lambda self: len(self.path) < LONG_ENOUGH)
    @rule(sizes=st.lists(st.tuples(SIZES, SIZES), min_size=2, max_size=6))
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

    @precondition(lambda self: self.model.id in self.estimators)
    @rule(times=st.sampled_from((0.1, 10.0)))
    def a_count_is_wild(self, times: float) -> None:
        """The provider, or something between, reports a count that cannot be one."""
        if not self.send(TextPart(f"question {self.number} " + words(60))):
            return
        assert self.sent is not None
        estimator = self.estimators[self.model.id]
        factor, self.factor = self.factor, times * self.factor
        self.answer(TextPart(f"answer {self.number}"), wild=True)
        self.factor = factor
        after = self.estimators[self.model.id]
        for text in OUTLOOK:
            counted = plus(features(text), CONSTANT)  # an estimate is rounded to whole tokens
            moved = after.tokens(counted) / estimator.tokens(counted)
            assert 0.85 < moved < 1.15, "P15: one outlier moves no estimate by 15 %"
        self.tip = self.path[-3].id if len(self.path) > 2 else None
        self.sent = None

    @rule(result=SIZES, version=st.integers(1, 3))
    def use_tools(self, result: int, version: int) -> None:
        if not self.send(TextPart(f"find {self.number}")):
            return
        call = ToolCallPart(f"c{self.number}", "search_documents", {"query": "q"})
        thought, asked = ThinkingPart("hm", "c2ln"), self.sent
        assert asked is not None
        self.answer(thought, TextPart("Let me see."), call)
        self.add("user", ToolResultPart(call.id, "passage " * result, extra={"passages": 2}))
        if not self.send():
            self.tip = self.path[-3].id
            self.sent = None
            return
        if not self.overhead.labels:
            inside = [block for _, block in spoken(self.sent)] if self.sent is not None else []
            assert call in inside, "P6: within its turn a call goes in full"
            bound = self.sent is not None and self.sent.request.prefix_key == asked.request.prefix_key
            assert (thought in inside) == bound, "P6, CTX-15: and with it what was thought, behind what it came behind"
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
        answers = [m for m in self.path if m.role == "assistant" and m.state == "complete" and not calls_of(m)]
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
        self.changed = self.changed or self.project is not None  # their room follows it

    @rule(caps=st.sampled_from(((0, 0), (24, 0), (0, 12), (10, 0))))
    def set_caps(self, caps: tuple[int, int]) -> None:
        self.settings = replace(self.settings, max_messages=caps[0], max_turns=caps[1])
        self.changed = self.changed or self.settings.preserve_first_n != 1  # the beginning yields to a cap

    def _some(self, place: int) -> str | None:
        """Some message of an answered path: a choice about what waits takes hold only when it is answered."""
        path = self.path
        return path[place % len(path)].id if path and path[-1].role == "assistant" else None

    @rule(place=st.integers(0, 1_000), on=st.booleans())
    def pin(self, place: int, on: bool) -> None:
        if (name := self._some(place)) and len(self.choices.pinned) < 2:
            self.choose(pinned=self.choices.pinned | {name} if on else frozenset())

    @rule(place=st.integers(0, 1_000), on=st.booleans())
    def exclude(self, place: int, on: bool) -> None:
        if name := self._some(place):
            self.choose(excluded=self.choices.excluded | {name} if on else frozenset())

    @rule(place=st.integers(0, 1_000), on=st.booleans())
    def start_fresh(self, place: int, on: bool) -> None:
        self.choose(fresh_from=self._some(place) if on else None, keeps_start=False)

    @rule(place=st.integers(0, 1_000))
    def move_load_line(self, place: int) -> None:
        prepared = self.prepare(self.path, previous=self.previous)
        if places := prepared.line_places:
            self.choices = prepared.line_choices(places[place % len(places)])
            self.changed = True

    @rule()
    def undo_step(self) -> None:
        carriers = [m.id for m in self.path if m.window is not None]
        if carriers:
            self.choose(undone=self.choices.undone | {carriers[-1]})

    @rule(by_hand=st.booleans(), size=st.integers(1, 30))
    def summarise(self, by_hand: bool, size: int) -> None:
        """The evicted turns of the next step, or the first turns of the path."""
        path = self.path
        # questions without an answer belong to the turn of the next one
        turns = [i for i, m in enumerate(path) if opens_turn(m) and (not i or path[i - 1].role == "assistant")]
        if by_hand and len(turns) > 6:
            sources = tuple(m.id for m in path[turns[1] : turns[5]])
        else:
            sources = self.prepare(path).plan([TextPart("next")]).advice.summary_due
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
            assert shorter.request.shrunk
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

    def teardown(self) -> None:
        for name, written in self.written.items():
            assert repr(self.tree[name]) == written, "P13"


class ProjectMachine(ThreadMachine):
    """A thread in a project whose documents and instructions change, and that it leaves and comes back to."""

    @initialize(documents=PROJECT_DOCUMENTS)
    def enter(self, documents: list[DocumentPart]) -> None:
        self.project = ProjectContext("p", "Project", "Answer in English.", tuple(documents))

    @rule(documents=st.one_of(st.none(), PROJECT_DOCUMENTS))
    def change_documents(self, documents: list[DocumentPart] | None) -> None:
        self.project = None if documents is None else ProjectContext("p", "Project", documents=tuple(documents))
        self.changed = True

    @rule(size=SIZES, pinned=st.booleans(), kept=st.booleans())
    def write_artifact(self, size: int, pinned: bool, kept: bool) -> None:
        """A further version; its title is one that questions name by chance."""
        version = 1 + (self.artifacts[0].version if self.artifacts else 0)
        made = ArtifactContext("a1", f"question {self.number + 1}", version, words(size), pinned)
        self.artifacts = (made,) if kept else ()


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


def test_a_few_hundred_steps_in_a_project() -> None:
    run_machine(ProjectMachine, steps=25, examples=12)


@pytest.mark.slow
@pytest.mark.parametrize("machine", [ThreadMachine, MiddleModelMachine, LargeModelMachine, ProjectMachine])
def test_thousands_of_steps(machine: type[ThreadMachine]) -> None:
    run_machine(machine, steps=60, examples=20)
