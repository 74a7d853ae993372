"""Prints the context engine's times beside their targets, what its steps cost and keep, and what caching saves.

`./dev bench context [options of bench_caching]`: times, `bench_steps`, `bench_scenes`, then `bench_caching` over the
wire. Ends with 1 where a target of the last three is missed; the times depend on the computer.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from desktop_app.core.context.plan import CacheClock, Overhead
from desktop_app.core.context.plan_figures import Recipient, ThreadContents, ThreadLimits
from desktop_app.core.context.planner import Preparation, prepare_context
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import BoundaryState, Message, Role, TextPart
from desktop_app.core.model_catalog import ModelInfo, find_model
from desktop_app.core.settings import ContextSettings
from tests.benchmarks import bench_caching, bench_scenes, bench_steps

SENTENCE = "the window shows what the model will read and what it costs before anything is sent to it"
WORDS = SENTENCE.split()


def long_path(messages: int, words: int = 60, seed: int = 1) -> tuple[Message, ...]:
    """A plain conversation of alternating messages of about `words` words each."""
    chance = random.Random(seed)
    path: list[Message] = []
    for index in range(messages):
        text = " ".join(chance.choices(WORDS, k=chance.randint(words // 2, words * 3 // 2)))
        role: Role = "user" if index % 2 == 0 else "assistant"
        parent = path[-1].id if path else None
        path.append(Message(f"m{index}", "t", parent, role, (TextPart(text),), "2026-01-01T00:00:00Z"))
    return tuple(path)


def prepare(path: Sequence[Message], model: ModelInfo, previous: Preparation | None = None) -> Preparation:
    """The path made ready for the API with default settings."""
    return prepare_context(
        Recipient(
            backend="anthropic",
            model=model,
            overhead=Overhead(cache_marks=4),
            estimator=TokenEstimator.seeded(model.tokenizer),
            cache=CacheClock(),
            free=False,
        ),
        ThreadContents(system="Be brief.", path=path),
        ThreadLimits(settings=ContextSettings()),
        previous=previous,
    )


def cpu_ms(action: Callable[[int], object], repeat: int) -> tuple[float, float]:
    """Median and largest CPU milliseconds of an action that is told its turn."""
    times = []
    for turn in range(repeat):
        before = time.process_time()
        action(turn)
        times.append((time.process_time() - before) * 1000)
    return statistics.median(times), max(times)


def keystrokes(prepared: Preparation, text: str, *, in_the_middle: bool) -> Callable[[int], object]:
    """Types one letter after another into a draft."""
    place = len(text) // 2 if in_the_middle else len(text)
    typed = [text]
    prepared.plan([TextPart(text)])

    def press(turn: int) -> object:
        typed[0] = typed[0][: place + turn] + WORDS[turn % len(WORDS)][0] + typed[0][place + turn :]
        return prepared.plan([TextPart(typed[0])])

    return press


def show_times() -> None:
    """Measures every time once and prints a table."""
    model = find_model("anthropic", "claude-sonnet-4-5", None)
    path = long_path(10_000)
    english = " ".join(WORDS * 600)[:50_000]
    chinese = "这个窗口显示模型会读到什么，以及发送之前要花多少钱。" * 2_000
    prepared = prepare(path, model)

    def decide(turn: int) -> object:
        # a fresh path each time, so that no earlier decision is remembered
        return decisions[turn].plan([TextPart("What now?")])

    decisions = [prepare(path, model, prepared) for _ in range(9)]
    # as after one question on a small model: all that fits comes back, or is offered where that is not much
    kept, asked = path[9_980], path[9_998]
    small = replace(asked, window=BoundaryState(kept.id, 1, "tokens", 6_000, 0, 0, "small", "anthropic"))
    returning = (*path[:9_998], small, path[9_999])
    returns = [prepare(returning, model, prepared) for _ in range(9)]

    def give_back(turn: int) -> object:
        plan = returns[turn].plan([TextPart("What now?")])
        if not plan.placement.newly_returned:
            raise SystemExit("nothing came back")
        return plan

    rows = [
        ("boundary decision, 10,000 messages", 5.0, cpu_ms(decide, 9)),
        ("return of a boundary, 10,000 messages", 5.0, cpu_ms(give_back, 9)),
        ("keystroke while a return is due", 1.0, cpu_ms(keystrokes(returns[0], "Hello", in_the_middle=False), 200)),
        ("keystroke, short draft", 1.0, cpu_ms(keystrokes(prepared, "Hello", in_the_middle=False), 200)),
        ("keystroke, 50 KB draft, at the end", 1.0, cpu_ms(keystrokes(prepared, english, in_the_middle=False), 200)),
        ("keystroke, 50 KB draft, in the middle", 1.0, cpu_ms(keystrokes(prepared, english, in_the_middle=True), 200)),
        ("keystroke, 50,000 Chinese characters", 1.0, cpu_ms(keystrokes(prepared, chinese, in_the_middle=True), 200)),
        ("preparation, 10,000 messages, first", None, cpu_ms(lambda _: prepare(path, model), 3)),
        ("preparation, 10,000 messages, next turn", None, cpu_ms(lambda _: prepare(path, model, prepared), 5)),
    ]
    print(f"{'CPU ms':<42}{'target':>8}{'median':>9}{'max':>9}")
    for name, target, (median, most) in rows:
        print(f"{name:<42}{'' if target is None else target:>8}{median:>9.3f}{most:>9.3f}", flush=True)


def main() -> int:
    """All parts; 0 where every target of steps, scenes and caching is met."""
    show_times()
    missed = 0
    for part in (bench_steps, bench_scenes, bench_caching):
        print()
        missed = max(missed, part.main())
    return missed


if __name__ == "__main__":
    sys.exit(main())
