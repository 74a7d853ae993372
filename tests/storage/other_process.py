"""Another process at the same history file: `python -m tests.storage.other_process FILE WHAT`, for tests."""

from __future__ import annotations

import asyncio
import importlib
import os
import sys
from dataclasses import replace
from pathlib import Path

from desktop_app.core.errors import UserError
from desktop_app.core.history_records import TurnRecord
from desktop_app.core.messages import Message, TextPart
from desktop_app.storage.sqlite_history import SqliteHistory

TIME = "2026-03-01T10:00:00.000Z"


async def add_turns(history: SqliteHistory, who: str, count: int) -> None:
    """Appends turns to the one thread, each on the tip as it then is, against others who do the same."""
    added = 0
    while added < count:
        tip = (await history.thread("thread")).tip
        question = Message(f"q-{who}-{added}", "thread", tip, "user", (TextPart(f"{who} {added}"),), TIME)
        answer = Message(f"a-{who}-{added}", "thread", question.id, "assistant", (), TIME)
        turn = TurnRecord(f"t-{who}-{added}", "thread", question.id, answer.id, "scripted", "echo", TIME)
        try:
            await history.begin_turn(
                turn, new_messages=[question], answer=answer, expected_tip=tip, request={"q": [who]}
            )
        except UserError as error:
            if error.failure.code != "store":
                raise
            continue
        await history.end_turn(turn.id, replace(answer, parts=(TextPart("yes"),)), None)
        added += 1


async def begin_and_wait(history: SqliteHistory) -> None:
    """Begins a turn, says so, and goes on only when its input ends."""
    answer = Message("a-other", "thread", None, "assistant", (), TIME)
    turn = TurnRecord("t-other", "thread", None, answer.id, "scripted", "echo", TIME)
    await history.begin_turn(turn, new_messages=[], answer=answer, expected_tip=None, request={})
    await history.save_partial(replace(answer, parts=(TextPart("half of it"),)))
    print("running", flush=True)
    await asyncio.to_thread(sys.stdin.read)


async def stream(history: SqliteHistory) -> None:
    """Streams an answer as a turn does: text all the time, stored twice a second; says what came so far."""
    answer = Message("a", "thread", None, "assistant", (), TIME)
    turn = TurnRecord("t", "thread", None, answer.id, "scripted", "echo", TIME)
    await history.begin_turn(turn, new_messages=[], answer=answer, expected_tip=None, request={})
    loop, words = asyncio.get_running_loop(), 0
    stored = loop.time()
    while True:
        words += 1
        await asyncio.sleep(0.005)
        if loop.time() - stored >= 0.4:
            stored = loop.time()
            await history.save_partial(replace(answer, parts=(TextPart(text_of(words)),)))
        print(f"{loop.time()} {words}", flush=True)


def text_of(words: int) -> str:
    return " ".join(f"word{number}" for number in range(words))


async def main(path: Path, what: str) -> None:
    history = await SqliteHistory.open(path)
    try:
        if what == "wait":
            await begin_and_wait(history)
        elif what == "repair":
            repaired = await history.repair_turns()
            print("repaired:", ", ".join(repaired) or "none", flush=True)
        elif what == "stream":
            await stream(history)
        else:
            await add_turns(history, what, 15)
    finally:
        await history.close()


if __name__ == "__main__":
    if sys.platform != "win32" and os.environ.get("DROP_RIGHTS"):
        # the interpreter's own files may be unreadable after that
        importlib.import_module("desktop_app.storage.store")
        os.setgid(65534)
        os.setuid(65534)
    try:
        asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
    except UserError as problem:
        print(problem.failure.code, problem, flush=True)
