"""Prints what a thread keeps in twelve scenes, before and now: `./dev bench scenes`.

Real plans of the core over threads of about 1,000 tokens a message, for a model of 200,000 tokens with default limits
(H = 150,000, L = 87,000). `BEFORE` is what this very table printed when a step always went down to L and a boundary
never came back. Ends with 1 where a scene keeps less than it did.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from desktop_app.core.context.context_choices import NO_CHOICES, ContextChoices, Summary
from desktop_app.core.context.plan import CacheClock, ContextPlan, Overhead
from desktop_app.core.context.plan_figures import Recipient, ThreadContents, ThreadLimits
from desktop_app.core.context.planner import prepare_context
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Message,
    Part,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop_app.core.model_catalog import ModelInfo, Prices
from desktop_app.core.settings import ContextSettings

PRICES: Final = Prices(3.0, 15.0, 0.3, 3.75, 6.0)
MODEL: Final = ModelInfo(
    "usual", "Usual", 200_000, 64_000, tokenizer="claude-2023", accepts_images=True, accepts_pdf=True, prices=PRICES
)
SMALL: Final = replace(MODEL, id="small", window=8_000, max_output=2_000)
WORDS: Final = "the window shows what the model will read and what it costs before anything is sent to it. "
EACH: Final = 20
"""Tokens of `WORDS`, about."""

BEFORE: Final[Mapping[str, int]] = {
    "document at the end": 101_175,
    "document in the middle": 9_806,
    "document twice": 85_871,
    "images": 1_274,
    "one turn of 120K": 16_609,
    "tool turn of 60K": 86_863,
    "model 8K and back": 1_266,
    "cap set and removed": 19_727,
    "limit lowered and raised": 11_911,
    "branch": 3_221,
    "summary": 1_653,
    "cold cache": 86_765,
}


def text_of(tokens: int, first: object = "") -> str:
    """A text of about so many tokens."""
    return f"{first} " + WORDS * (tokens // EACH)


def document(tokens: int, name: str = "report.txt") -> DocumentPart:
    """A document of about so many tokens; of one name there is one text."""
    text = text_of(tokens, name)
    return DocumentPart(name, text, hashlib.sha256(text.encode()).hexdigest())


@dataclass(slots=True)
class Scene:
    """A thread and what it is held under. `plan` is the last one that was sent."""

    model: ModelInfo = MODEL
    settings: ContextSettings = field(default_factory=ContextSettings)
    cache: CacheClock = field(default_factory=lambda: CacheClock(cold=False, idle_minutes=1.0))
    choices: ContextChoices = NO_CHOICES
    path: list[Message] = field(default_factory=list)
    plan: ContextPlan | None = None

    def ask(self, *parts: Part | int, answer: int = 1_000) -> None:
        """Asks and is answered; a number is a text of so many tokens."""
        asked = [TextPart(text_of(part, len(self.path))) if isinstance(part, int) else part for part in parts]
        plan = self.planned(*asked)
        moved = getattr(plan, "moves_window", plan.decision == "trim")
        self._add("user", tuple(asked), window=plan.placement.boundary if moved else None)
        reply = (TextPart(text_of(answer, len(self.path))),)
        self._add("assistant", reply, backend="anthropic", model=self.model.id, prefix_key=plan.request.prefix_key)
        self.plan = plan

    def call_tools(self, tokens: int) -> None:
        """A question whose answer took a tool of a result this long; its note is short, the answer is not."""
        self._add("user", (TextPart(text_of(200, len(self.path))),))
        self._add("assistant", (ToolCallPart(f"c{len(self.path)}", "search_documents", {"query": "q"}),))
        self._add("user", (ToolResultPart(f"c{len(self.path) - 1}", text_of(20_000)),))
        self._add("assistant", (TextPart(text_of(tokens, len(self.path))),))

    def talk(self, turns: int) -> None:
        """Turns of 2,000 tokens."""
        for _ in range(turns):
            self.ask(1_000)

    def planned(self, *parts: Part) -> ContextPlan:
        """What sending this now would be."""
        return prepare_context(
            Recipient(
                backend="anthropic",
                model=self.model,
                overhead=Overhead(cache_marks=4),
                estimator=TokenEstimator.seeded(self.model.tokenizer),
                cache=self.cache,
                free=False,
            ),
            ThreadContents(path=self.path, choices=self.choices),
            ThreadLimits(settings=self.settings),
        ).plan(parts)

    def _add(self, role: Role, parts: Sequence[Part], **facts: Any) -> None:
        number = len(self.path)
        parent = self.path[-1].id if self.path else None
        self.path.append(Message(f"m{number}", "t", parent, role, tuple(parts), f"2026-01-01T{number:08d}", **facts))


def document_at_the_end() -> ContextPlan:
    """59K of talk, then a document of 103K."""
    scene = Scene()
    scene.talk(29)
    return scene.planned(document(103_000), TextPart("What of it?"))


def document_in_the_middle() -> ContextPlan:
    """59K of talk, a document of 87K, and the question after it that passes the limit."""
    scene = Scene()
    scene.talk(29)
    scene.ask(document(87_000), 100, answer=2_000)
    return scene.planned(TextPart(text_of(9_000)))


def document_twice() -> ContextPlan:
    """A document of 50K at the beginning of the talk and once more behind 60K of it."""
    scene = Scene()
    scene.talk(10)
    scene.ask(document(50_000), 100)
    scene.talk(30)
    scene.ask(document(50_000), 100)
    scene.talk(8)
    return scene.planned(TextPart(text_of(8_000)))


def images() -> ContextPlan:
    """Forty images among the talk, then one of the questions on a small model, then the usual one."""
    scene = Scene()
    for _ in range(20):
        scene.ask(ImagePart("photo.png", "image/png", "aGk=", 1_000, 1_000), 1_000)
    scene.model = SMALL
    scene.ask(100, answer=100)
    scene.model = MODEL
    return scene.planned(TextPart("And now?"))


def one_turn_of_120k() -> ContextPlan:
    """A question and an answer of 60K each behind 40K of talk."""
    scene = Scene(settings=ContextSettings())
    scene.talk(10)
    scene.ask(60_000, answer=60_000)
    return scene.planned(TextPart(text_of(16_000)))


def tool_turn_of_60k() -> ContextPlan:
    """An answer of 60K that took tools, behind 80K of talk."""
    scene = Scene()
    scene.talk(40)
    scene.call_tools(60_000)
    return scene.planned(TextPart(text_of(16_000)))


def small_model_and_back() -> ContextPlan:
    """One question on a model of 8K in a thread of 66K."""
    scene = Scene()
    scene.talk(33)
    scene.model = SMALL
    scene.ask(100, answer=100)
    scene.model = MODEL
    return scene.planned(TextPart("And now?"))


def cap_set_and_removed() -> ContextPlan:
    """At most 30 messages for one question in a thread of 66K."""
    scene = Scene()
    scene.talk(33)
    scene.settings = ContextSettings(max_messages=30)
    scene.ask(100)
    scene.settings = ContextSettings()
    return scene.planned(TextPart("And now?"))


def limit_lowered_and_raised() -> ContextPlan:
    """A soft limit of 20K for one question in a thread of 66K."""
    scene = Scene()
    scene.talk(33)
    scene.settings = ContextSettings(soft_limit=20_000)
    scene.ask(100)
    scene.settings = ContextSettings()
    return scene.planned(TextPart("And now?"))


def branch() -> ContextPlan:
    """A branch that begins behind a question on a small model, in a thread of 120K."""
    scene = Scene()
    scene.talk(60)
    scene.model = SMALL
    scene.ask(100, answer=100)
    scene.model = MODEL
    scene.talk(2)
    del scene.path[-2:]
    return scene.planned(TextPart("And otherwise?"))


def summary() -> ContextPlan:
    """A summary of what a question on a small model left out, then the usual model."""
    scene = Scene()
    scene.talk(33)
    scene.model = SMALL
    due = scene.planned(TextPart(text_of(100))).advice.summary_due
    made = Summary("s", due, text_of(400), "m", scene.path[-1].created, at_step=True)
    scene.choices = ContextChoices(summaries=(made,))
    scene.ask(100, answer=100)
    scene.model = MODEL
    return scene.planned(TextPart("And now?"))


def cold_cache() -> ContextPlan:
    """A thread of 59K and a document of 75K, opened again after an hour."""
    scene = Scene()
    scene.talk(29)
    scene.ask(document(75_000), 100)
    scene.cache = CacheClock(cold=True, idle_minutes=70.0)
    return scene.planned(TextPart("And now?"))


SCENES: Final[Mapping[str, Callable[[], ContextPlan]]] = {
    "document at the end": document_at_the_end,
    "document in the middle": document_in_the_middle,
    "document twice": document_twice,
    "images": images,
    "one turn of 120K": one_turn_of_120k,
    "tool turn of 60K": tool_turn_of_60k,
    "model 8K and back": small_model_and_back,
    "cap set and removed": cap_set_and_removed,
    "limit lowered and raised": limit_lowered_and_raised,
    "branch": branch,
    "summary": summary,
    "cold cache": cold_cache,
}


def main() -> int:
    """Prints the table; 0 where no scene keeps less than before."""
    print(f"{'scene, tokens of the next request':<34}{'before':>9}{'now':>9}{'left out':>10}  what happens")
    met = True
    for name, play in SCENES.items():
        plan = play()
        now, before = plan.tokens.total, BEFORE.get(name, 0)
        said = ", ".join(f"{event.kind} {event.messages}" for event in plan.advice.events) or plan.decision
        print(f"{name:<34}{before:>9,}{now:>9,}{plan.placement.left_out:>10,}  {said}", flush=True)
        met &= now >= before * 0.98
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
