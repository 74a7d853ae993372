"""Pictures of look-ups in documents and other threads, and of an answer that cites passages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.document_search import result_facts, search_result
from desktop_app.core.messages import Json, Message, ToolCallPart, ToolResultPart
from desktop_app.core.projects import Passage, PassageHit
from tests.builders.document_texts import document_of, document_text, id_in
from tests.ui.tool_scenes import fold, message, show

if TYPE_CHECKING:
    from tests.ui.open_window import OpenWindow

FEES = Passage(0, "text", 0, 0, heading="Fees > Piers", page=4)
ROWS = Passage(0, "table", 0, 0, heading="Tariff", page=5, table_head="| Pier | Fee |")
SPEC = document_text(
    "harbour fees.pdf",
    ("A ship that lies at a pier pays nine crowns a day for each metre of its length.", FEES),
    ("From the tenth day on it pays half of that, unless it is unloaded.", FEES),
    ("| North | 12 |\n| South | 9 |", ROWS),
)
PLAN = document_text("plan 2026.md", "The north pier is closed from March to June.")
OTHER_THREADS = (
    "## Fees of last year\n[Message 3 of 64, user, 2026-03-14]\nLast year the north pier was ten crowns.\n\n"
    "## Repairs\n[Messages 8-9 of 20, 2026-04-02]\n#8 user: When is the pier closed?\n#9 assistant: From March on."
)
UNSENT = "0123456789-7"


def search(call_id: str, query: str) -> ToolCallPart:
    """A search of the project's documents."""
    return ToolCallPart(call_id, "search_documents", {"query": query})


def passages(call_id: str, *numbers: int) -> ToolResultPart:
    """What a search found: passages of the fees, and (0) that of the plan."""
    fees, plan = document_of("p", "harbour fees.pdf", SPEC), document_of("p", "plan 2026.md", PLAN)
    hits = []
    for number in numbers:
        document, text = (fees, SPEC) if number else (plan, PLAN)
        passage = text.passages[max(0, number - 1)]
        hits.append(PassageHit(document, passage, text.text[passage.start : passage.end], 1.0))
    written = search_result(hits, {}, 2_000, TokenEstimator.seeded("claude-2023"))
    return ToolResultPart(call_id, written.text, extra=result_facts(written))


def history_search(call_id: str) -> tuple[ToolCallPart, ToolResultPart]:
    """A search of other threads that found something in two of them."""
    starts: list[Json] = [OTHER_THREADS.index("[Message 3"), OTHER_THREADS.index("[Messages 8")]
    facts: dict[str, Json] = {"passages": 2, "threads": ["Fees of last year", "Repairs"], "thread_ids": ["x1", "x2"]}
    result = ToolResultPart(call_id, OTHER_THREADS, extra={**facts, "messages": ["m3", "m8"], "starts": starts})
    return ToolCallPart(call_id, "search_history", {"query": "north pier"}), result


def researched() -> list[Message]:
    """A turn that searches documents and other threads, and an answer that cites what it found, and more."""
    first, second, row = (id_in(SPEC, number) for number in (1, 2, 3))
    asked, other = history_search("h1")
    return [
        message(0, "user", "What does a ship of 40 metres pay at the north pier?"),
        message(1, "assistant", "I look it up.", search("s1", "fee at a pier"), search("s2", "north pier closed")),
        message(2, "user", passages("s1", 1, 2, 3), passages("s2", 0)),
        message(3, "assistant", asked),
        message(4, "user", other),
        message(5, "assistant", ToolCallPart("r1", "read_document", {"id": first})),
        message(6, "user", ToolResultPart("r1", "There is no document of this id.", is_error=True)),
        message(
            7,
            "assistant",
            f"Each metre costs **twelve crowns** a day at the north pier [{row}], nine elsewhere [{first}][{row}]. "
            "From "
            f"the tenth day on it is half of that [{second}].\n\n- The pier is closed in spring [{id_in(PLAN, 1)}].\n"
            f"- The harbour master may waive it [{UNSENT}].\n\n| What | Crowns |\n|---|---|\n| A day | 480 [{row}] |",
        ),
    ]


async def documents_searched(window: OpenWindow) -> None:
    await show(window, researched(), 1000, 760)


async def documents_unfolded(window: OpenWindow) -> None:
    await show(window, researched(), 1000, 1100)
    fold(window, 1, "t1")
    fold(window, 5, "t1")


async def documents_narrow(window: OpenWindow) -> None:
    await show(window, researched(), 560, 900)


async def documents_running(window: OpenWindow) -> None:
    await show(window, researched()[:1], 1000, 560)
    view = window.transcript
    view.stream.begin_answer(message(1, "assistant"))
    for part in researched()[1].parts:
        view.stream.finish_part("t1", part)
    view.stream.finish_part("t1", passages("s1", 1, 2, 3))


LOOK_UP_SCENES: tuple[Callable[[OpenWindow], Awaitable[None]], ...] = (
    documents_searched,
    documents_unfolded,
    documents_narrow,
    documents_running,
)
