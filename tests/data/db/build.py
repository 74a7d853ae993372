"""Builds the history file of the current format that later versions must be able to open.

Run it once when a format is released: `python -m tests.data.db.build`; a file that exists is never changed.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

from desktop_app.core.context.context_choices import ContextChoices, Deletion, Summary
from desktop_app.core.context.text_features import TokenWeights
from desktop_app.core.history_records import (
    CallRecord,
    ContextEvent,
    ImportedThread,
    LedgerRow,
    StoredEvent,
    TrashItem,
    TurnRecord,
)
from desktop_app.core.messages import (
    BoundaryState,
    DocumentPart,
    Failure,
    ImagePart,
    Message,
    MessageMark,
    Parameters,
    Part,
    RequestCount,
    TextPart,
    ThinkingPart,
    Thread,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
    Usage,
)
from desktop_app.core.prompts import Prompt
from desktop_app.storage.file_format import NEWEST
from desktop_app.storage.sqlite_history import SqliteHistory

FOLDER = Path(__file__).parent
LONG = "Where the river meets the sea the water is neither sweet nor salt. " * 8
TIME = "2026-11-21T10:00:00.000Z"

THREAD = Thread(
    "0123abcd", "River and sea", TIME, TIME, "anthropic", "m", "a2", "Be brief.", None, True, False, 90_000,
    seen="a2",
)  # fmt: skip
PARTS: tuple[Part, ...] = (
    ThinkingPart("Let me look.", "signature", {"type": "thinking"}),
    ToolCallPart("c1", "search", {"query": "river", "limit": 3}),
    ToolResultPart("c1", LONG, is_error=True),
    ImagePart("map.png", "image/png", "iVBORw0KGgo=", 2, 1),
    DocumentPart("notes.txt", LONG + "end", "00ff"),
    UnknownPart({"type": "server_block", "deep": [{"a": None}, 1.5, True]}),
    TextPart("[USER]: " + LONG + "\n\n", {"citations": [{"title": "Río — 川"}]}),
)
USAGE = Usage(1, 2, 3, 4, 5, 0.5)
FAILURE = Failure("network", "The connection broke.", "reset", ("retry",), 1.5)
MESSAGES = (
    Message("q1", THREAD.id, None, "user", (TextPart(LONG),), TIME, window=BoundaryState(None, 1)),
    Message("a1", THREAD.id, "q1", "assistant", PARTS, TIME, "complete", "anthropic", "m-1", USAGE, "end_turn", "key"),
    Message("q2", THREAD.id, "a1", "user", (TextPart("And then?"),), TIME),
    Message("a2", THREAD.id, "q2", "assistant", (TextPart("It"),), TIME, "error", "anthropic", "m-1", failure=FAILURE),
)  # fmt: skip
REQUESTS = tuple(
    {"stdin": '{"type":"user","content":[' + blocks + "]}\n", "system": LONG}
    for blocks in (
        f'{{"text":"[USER]: {LONG}\\n\\n"}}',
        f'{{"text":"[USER]: {LONG}\\n\\n"}},{{"text":"[USER]: And then?"}}',
    )
)
TRIMMED = ContextEvent("trimmed", 160_000, 105_000, 12, "m")
EVENTS = tuple(StoredEvent(TRIMMED, TIME, q.id, a.id) for q, a in zip(MESSAGES[::2], MESSAGES[1::2], strict=True))
TURNS_SPENT = LedgerRow(
    THREAD.id, THREAD.title, TIME[:10], "anthropic", "m", "chat", "money", 2, 1, 2, 3, 4, 0.5, 1, unreported=1
)
WEIGHTS = TokenWeights((0.25, 1.5), ((1.0, 0.0), (0.0, 1.0)), 3, {"other": 2.0})

# Since format 2; ids need no message that stands in the file.
SUMMARY = Summary("s1", ("q7", "a7"), "[Conversation Summary] " + LONG, "m", TIME, edited=True, cost_usd=0.01)
CHOICES = ContextChoices(frozenset({"q7"}), frozenset({"a8"}), "a3", frozenset({"q9"}), (SUMMARY,), True, False)
CURATED = replace(THREAD, id="4567ef01", title="Delta", tip=None, seen=None, choices=CHOICES)
REFUSED = StoredEvent(ContextEvent("refused", 190_000, 190_000, 0, "m"), TIME, cost_usd=0.25)
CALL = CallRecord("c1", THREAD.id, "summary", "claude-cli", "m", "plan", TIME, TIME, Usage(10, 20, 30, 40, 0, 0.75))
CALL_SPENT = replace(
    TURNS_SPENT, backend="claude-cli", purpose="summary", cost_kind="plan", calls=1,
    input=10, cache_read=20, cache_write=30, output=40, cost_usd=0.75, unreported=0,
)  # fmt: skip
# Since format 4.
ASKED = replace(
    THREAD, id="89ab0123", title="Source", tip=None, seen=None, parameters=Parameters("high", False, True, 0.5)
)
ATTACHED: tuple[Part, ...] = PARTS[3:5]
# Since format 5.
PROMPTS = (
    Prompt("p2", "übersetzen", "Translate into {{language=German}}:\n\n{{text:long}}", TIME, TIME),
    Prompt("p1", "Zusammenfassen", "In three sentences: " + LONG, TIME, TIME),
)
MARKS = {"q1": MessageMark("", "look this up"), "a1": MessageMark("up", "Río — 川\nwell said")}
UNREAD = replace(THREAD, id="cdef4567", title="Mouth", tip="a3", seen="q3")
ASKED_AGAIN = (
    Message("q3", UNREAD.id, None, "user", (TextPart("Where is its mouth?"),), TIME),
    Message("a3", UNREAD.id, "q3", "assistant", (TextPart("At the sea."),), TIME, model="m-1"),
)

# Since format 6.
WEIGHED = replace(
    THREAD,
    id="fedc7654",
    title="Weir",
    tip=None,
    seen=None,
    draft="How high?",
    draft_count=RequestCount("00ff", 205_428),
)

# Since format 8: "the river" is deleted on all branches, "the lake" on one of two.
LAKES = replace(
    THREAD,
    id="9a8b7c6d",
    title="Lakes",
    tip="a6",
    seen="a6",
    choices=ContextChoices(
        deleted=frozenset(
            Deletion(one, branch)
            for one, branch in (("q4", "a6"), ("a4", "a6"), ("q4", "a7"), ("a4", "a7"), ("q5", "a6"), ("a5", "a6"))
        )
    ),
)
LAKE_MESSAGES = tuple(
    Message(one, LAKES.id, above, "user" if one[0] == "q" else "assistant", (TextPart(words),), TIME)
    for one, above, words in (
        ("q4", None, "What of the Danube?"),
        ("a4", "q4", "It is a river."),
        ("q5", "a4", "What of Tanganyika?"),
        ("a5", "q5", "It is a lake."),
        ("q6", "a5", "What of Superior?"),
        ("a6", "q6", "It is a great lake."),
        ("q7", "a5", "What of Ladoga?"),
        ("a7", "q7", "It is cold."),
    )
)

# Since format 10.
DELETED_PROMPT = Prompt("p3", "weg", "Into the trash.", TIME, TIME)
DELETED = replace(THREAD, id="76543210", title="Delta no more", tip=None, seen=None)
ERASED = replace(THREAD, id="01234567", title="Gone for good", tip=None, seen=None)

WINDOWS = {("claude-cli", "m"): 150_000}


async def build(path: Path) -> None:
    """Writes one thread with every kind of part, two turns with requests and events, a call and what was learned;
    one thread with every kind of choice, one with parameters and a draft's attachments, one with an unread answer,
    one with a counted draft, one with deleted messages, one in the trash, one deleted for good; prompts, and marks on
    messages.
    """
    history = await SqliteHistory.open(path)
    await history.create_thread(replace(THREAD, tip=None, seen=None))
    for number, (question, answer) in enumerate(zip(MESSAGES[::2], MESSAGES[1::2], strict=True)):
        turn = TurnRecord(f"t{number}", THREAD.id, question.id, answer.id, "anthropic", "m", TIME)
        await history.begin_turn(
            turn,
            new_messages=[question],
            answer=replace(answer, parts=(), state="partial"),
            expected_tip=question.parent_id,
            request=REQUESTS[number],
            events=[TRIMMED],
        )
        await history.end_turn(turn.id, answer, answer.usage)
    await history.save_token_weights("anthropic", "m", WEIGHTS)
    await history.create_thread(CURATED)
    await history.create_thread(ASKED)
    await history.save_attachments(ASKED.id, ATTACHED)
    await history.create_thread(replace(WEIGHED, draft_count=None))
    if WEIGHED.draft_count is not None:
        await history.save_draft_count(WEIGHED.id, WEIGHED.draft_count)
    await history.record_events(CURATED.id, [REFUSED.event], at=REFUSED.at, cost_usd=REFUSED.cost_usd)
    await history.record_call(CALL)
    for prompt in PROMPTS:
        await history.save_prompts([prompt])
    for message_id, mark in MARKS.items():
        await history.save_mark(THREAD.id, message_id, mark)
    await history.set_seen(THREAD.id, "a2")
    await history.import_threads([ImportedThread("origin", UNREAD, ASKED_AGAIN)])
    await history.import_threads([ImportedThread("lakes", LAKES, LAKE_MESSAGES)])
    await history.save_prompts([DELETED_PROMPT])
    await history.delete_prompt(DELETED_PROMPT.id)
    for thread in (DELETED, ERASED):
        await history.create_thread(thread)
        await history.delete_thread(thread.id)
    await history.trash.begin([TrashItem("thread", ERASED.id, ERASED.title, "")])
    while await history.trash.step():
        pass
    for (backend, model), window in WINDOWS.items():
        await history.save_learned_window(backend, model, window)
    await history.close()


if __name__ == "__main__":
    target = FOLDER / f"v{NEWEST}.sqlite"
    if target.exists():
        sys.exit(f"{target.name} is there already and stays as it is")
    asyncio.run(build(target))
