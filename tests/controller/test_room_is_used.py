"""Over the wire: a large document under discussion stays, and what fits beside it (CTX-4)."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.messages import DocumentPart, TextPart
from tests.benchmarks.thread_loop import HeldThread, held_thread, wired_backend
from tests.servers.messages_api import Answer, MessagesApi
from tests.servers.tokens import by_pieces

BACKENDS = ("anthropic", pytest.param("claude-cli", marks=pytest.mark.slow))
WORDS = "the window shows what the model will read and what it costs before anything is sent to it. "


def text_of(tokens: int, first: str) -> str:
    """A text of about so many tokens as the server counts."""
    each = by_pieces(WORDS)
    return first + " " + WORDS * (tokens // each)


def document(tokens: int) -> DocumentPart:
    text = text_of(tokens, "report")
    return DocumentPart("report.txt", text, hashlib.sha256(text.encode()).hexdigest())


async def hold_talk(api: MessagesApi, thread: HeldThread) -> None:
    """A thread of 59K tokens in 15 turns."""
    for number in range(15):
        api.script(Answer(text_of(1_960, f"answer {number}")))
        await thread.send([TextPart(text_of(1_960, f"question {number}"))])


async def ask(api: MessagesApi, thread: HeldThread, *parts: DocumentPart | TextPart) -> ContextPlan:
    """One more turn with a short answer; the plan that was sent."""
    api.script(Answer("Noted."))
    return (await thread.send(parts)).plan


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("tokens", [87_000, 103_000])
async def test_a_document_under_discussion_stays_with_what_fits_beside_it(
    backend: str, tokens: int, tmp_path: Path
) -> None:
    with MessagesApi(count_text=by_pieces) as api:
        async with (
            wired_backend(backend, api, tmp_path) as wired,
            held_thread(
                wired, model="claude-sonnet-5", system="", soft_limit=150_000, clock=api.clock, folder=tmp_path
            ) as thread,
        ):
            await hold_talk(api, thread)
            attached = await ask(api, thread, document(tokens), TextPart("What do you think of it?"))
            if tokens == 87_000:
                assert attached.decision == "ok", "both fit together"
                for _ in range(5):
                    attached = await ask(api, thread, TextPart(text_of(3_000, "And then?")))
                    if attached.decision == "trim":
                        break
            assert attached.decision == "trim"
            assert attached.tokens.documents > 0.9 * tokens, "the document is not left out"
            assert attached.limits.low < attached.tokens.total <= attached.limits.soft
            kept = sum(placed.state == "whole" for placed in attached.placement.messages)
            assert kept >= 8, "and neither is what fits beside it"
            after = await ask(api, thread, TextPart("Which of its figures matter most?"))
            assert after.decision == "ok"
            assert after.tokens.documents == pytest.approx(attached.tokens.documents, rel=0.02)
