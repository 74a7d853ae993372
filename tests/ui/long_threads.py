"""Owns threads that are long enough for the limits to matter: written into a history file, or spoken in a window."""

from __future__ import annotations

import itertools
from datetime import timedelta
from pathlib import Path

from PySide6.QtCore import Qt

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import Message, TextPart, Thread, Usage
from desktop_app.core.model_catalog import Prices
from desktop_app.core.stream_events import Ended, TextDelta, UsageReported
from desktop_app.storage.sqlite_history import SqliteHistory
from desktop_app.system.system_clock import utc_now
from tests.set_time import written
from tests.ui.open_window import OpenWindow

SENTENCE = "The quick brown fox jumps over the lazy dog. "
"""About ten tokens."""

PRICES = Prices(input=5.0, output=25.0, cache_read=0.5, cache_write_5m=6.25, cache_write_1h=10.0)

_QUESTIONS = (
    "What did the second quarter look like?",
    "Which region grew fastest, and why?",
    "Compare that with the plan from January.",
    "Draft the paragraph for the board, please.",
)


def long_path(
    thread_id: str, turns: int, tokens_each: int, *, age: timedelta = timedelta(), cached: bool = False
) -> tuple[Message, ...]:
    """Question and answer, `turns` times; `tokens_each` is roughly what a turn weighs. The last answer is `age` old."""
    now = utc_now()  # the clock's, which has gone on from where it was set: a cache lives five minutes
    texts = itertools.cycle(_QUESTIONS)
    messages: list[Message] = []
    for turn in range(turns):
        stamp = written(now - age - timedelta(minutes=turns - turn - 1))
        parent = messages[-1].id if messages else None
        question = Message(f"{thread_id[-8:]}q{turn:05d}", thread_id, parent, "user", (TextPart(next(texts)),), stamp)
        answer = f"Point {turn + 1}. " + SENTENCE * (tokens_each // 10)
        usage = Usage(input=10, cache_read=turn * tokens_each, cache_write=tokens_each, output=tokens_each)
        messages += (
            question,
            Message(
                f"{thread_id[-8:]}a{turn:05d}",
                thread_id,
                question.id,
                "assistant",
                (TextPart(answer),),
                stamp,
                backend="scripted",
                model="big",
                usage=usage if cached else None,
                stop_reason="end_turn",
                prefix_key="an earlier request",
            ),
        )
    return tuple(messages)


async def put_thread(data_dir: Path, title: str, path: tuple[Message, ...]) -> str:
    """Stores the thread of this path, answered by the model `big`; returns its id."""
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    thread_id, stamp = path[0].thread_id, path[-1].created
    thread = Thread(thread_id, title, path[0].created, stamp, "scripted", "big", tip=path[-1].id, seen=path[-1].id)
    history = await SqliteHistory.open(data_dir / "history.db")
    await history.import_threads([ImportedThread(f"long/{thread_id}", thread, path)])
    await history.close()
    return thread_id


async def drafted(window: OpenWindow, text: str) -> ContextPlan:
    """Puts a draft in at once and waits for its plan; on a busy machine that is made when typing rests."""
    load = window.presenters.gauge
    window.editor.replace_text(text)
    await window.settled()

    def planned() -> bool:
        block = (
            load.plan.request.pending.blocks[-1]
            if load.plan is not None and load.plan.request.pending is not None
            else None
        )
        return isinstance(block, TextPart) and block.text.strip() == text.strip()

    await window.until(planned, "the plan of this draft")
    assert load.plan is not None
    return load.plan


async def speak(window: OpenWindow, question: str, answer: str = "") -> None:
    """One turn; the draft is put in at once. The provider counts what the plan counted."""
    plan = await drafted(window, question)
    if answer:
        usage = Usage(input=plan.tokens.total, output=len(answer) // 4)
        window.backend.reply(TextDelta(answer), UsageReported(usage, plan.model.id), Ended("end_turn"))
    window.press(Qt.Key.Key_Return)
    await window.until(window.composer.is_empty, "the question in the history")
    await window.until(lambda: not window.composer.streaming, "the answer")
    await window.settled()


async def stepped(window: OpenWindow, steps: int = 1, *, model_window: int = 12_000) -> list[str]:
    """Turns with a small model until so many steps were made; the ids of the questions that caused them."""
    window.backend.window = model_window
    causes: list[str] = []
    for number in range(80):
        await speak(window, f"Question {number}?", f"Answer {number}. " + SENTENCE * 60)
        if window.backend.plans[-1].decision == "trim":
            causes.append((await window.opened_thread()).path[-2].id)
        if len(causes) == steps:
            return causes
    raise AssertionError("the limit was never reached")


def faded(window: OpenWindow) -> set[int]:
    """The numbers of the messages that are toned down."""
    flow = window.transcript.row_layout
    return {index for index in range(len(flow.messages)) if index in flow.faded}
