"""How much the file and the work grow with a thread (PRODUCT.md, section 4; HIS-1)."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desktop_app.core.history_records import TurnRecord
from desktop_app.core.messages import Message, TextPart, Thread, Usage
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.storage.conftest import TIME

_SYLLABLES = [
    "ta",
    "re",
    "in",
    "o",
    "ver",
    "con",
    "sea",
    "pro",
    "al",
    "ment",
    "ing",
    "er",
    "a",
    "the",
    "an",
    "de",
    "ry",
    "ous",
    "light",
    "per",
    "la",
    "tion",
    "mo",
    "si",
    "ble",
    "co",
    "un",
    "est",
    "far",
    "ne",
]


class English:
    """Text like English in what matters here: 5,000 words, few of them frequent, 4.5 characters a token."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._words = ["".join(self._random.choices(_SYLLABLES, k=1 + rank % 4)) for rank in range(5_000)]
        self._weights = [1 / (rank + 3) for rank in range(5_000)]

    def text(self, tokens: int) -> str:
        size, words = tokens * 9 // 2, self._random.choices(self._words, self._weights, k=tokens)
        sentences = (" ".join(words[at : at + 14]).capitalize() + "." for at in range(0, len(words), 14))
        return " ".join(sentences)[:size]


def api_request(path: list[Message]) -> dict[str, Any]:
    messages: list[dict[str, Any]] = [
        {"role": one.role, "content": [{"type": "text", "text": one.text}]} for one in path
    ]
    messages[-1]["content"][0]["cache_control"] = {"type": "ephemeral"}
    return {"model": "m", "max_tokens": 64_000, "messages": messages, "stream": True}


def program_request(path: list[Message]) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = [{"type": "text", "text": f"[{one.role.upper()}]: {one.text}\n\n"} for one in path]
    blocks[max(0, len(blocks) - 2)]["cache_control"] = {"type": "ephemeral", "ttl": "1h"}
    line = json.dumps({"type": "user", "message": {"role": "user", "content": blocks}}, ensure_ascii=False)
    return {"stdin": line + "\n", "system": "Be brief."}


@pytest.mark.slow
@pytest.mark.parametrize("request_of", [api_request, program_request])
async def test_a_long_thread_with_all_its_requests_takes_less_than_one_and_a_half_of_its_text(
    path: Path, request_of: Any
) -> None:
    talked: list[Message] = []
    english, chance, size = English(7), random.Random(7), 0
    history = await SqliteHistory.open(path)
    await history.create_thread(Thread("thread", "Tides", TIME, TIME))
    for number in range(400):
        tip = talked[-1].id if talked else None
        name = f"{chance.getrandbits(124):032x}"
        question = Message("0" + name[1:], "thread", tip, "user", (TextPart(english.text(400)),), TIME)
        answer = Message("1" + name[1:], "thread", question.id, "assistant", (), TIME)
        turn = TurnRecord("2" + name[1:], "thread", question.id, answer.id, "anthropic", "m", TIME)
        sent = request_of([*talked, question])
        await history.begin_turn(turn, new_messages=[question], answer=answer, expected_tip=tip, request=sent)
        answer = replace(answer, parts=(TextPart(english.text(600)),), state="complete")
        await history.end_turn(turn.id, answer, Usage(1, 2, 3, 4))
        talked += [question, answer]
        size += len(question.text.encode()) + len(answer.text.encode())
        if number in (0, 63, 64, 65, 200, 399):
            assert await history.request(answer.id) == sent
    await history.close()
    ratio = path.stat().st_size / size
    print(f"{size} bytes of text, file {ratio:.2f} times that")
    assert ratio < 1.5
