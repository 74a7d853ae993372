from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.locomo import measure_locomo, read_locomo


def made(name: str) -> dict[str, Any]:
    """A conversation of our own in the form of the data."""
    first = [{"speaker": "Ann", "dia_id": f"D1:{turn}", "text": f"Turn {turn}."} for turn in range(1, 9)]
    first[3] |= {"text": "Where shall we anchor?", "blip_caption": "a photo of a bay"}
    second = [{"speaker": "Ben", "dia_id": "D2:1", "text": "By the mill."}]
    return {
        "sample_id": name,
        "conversation": {"speaker_a": "Ann", "speaker_b": "Ben", "session_10": [], "session_2": second,
                         "session_1": first, "session_1_date_time": "noon"},
        "qa": [
            {"question": "Where do we anchor?", "evidence": ["D1:5", "D:2:1"]},
            {"question": "What of the mill?", "evidence": ["D2:1; D1:8"]},
            {"question": "Nothing?"},
        ],
    }  # fmt: skip


def test_turns_are_messages_in_their_order_and_marks_name_them(tmp_path: Path) -> None:
    (tmp_path / "data.json").write_text(json.dumps([made("a")]), "utf-8")
    (conversation,) = read_locomo(tmp_path / "data.json")
    assert [one.text for one in conversation.messages[3:5]] == [
        "Ann: Where shall we anchor? [a photo of a bay]",
        "Ann: Turn 5.",
    ]
    assert (conversation.messages[-1].id, conversation.messages[-1].role) == ("a D2:1", "assistant")
    assert [one.evidence for one in conversation.questions] == [{"a D1:5", "a D2:1"}, {"a D2:1", "a D1:8"}]


async def test_any_and_all_evidence_is_told_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "data.json").write_text(json.dumps([made("a"), made("b")]), "utf-8")
    assert not await measure_locomo(tmp_path / "history.db", read_locomo(tmp_path / "data.json"))
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [row[-6:-3] for row in rows if row[0] == "all"] == [["4", "100.0%", "50.0%"]]
