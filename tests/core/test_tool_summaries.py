"""What commands say of the use of a tool."""

from __future__ import annotations

from typing import Any

import pytest

from desktop_app.core.document_search import summary_of
from desktop_app.core.messages import ToolCallPart, ToolResultPart


@pytest.mark.parametrize(
    ("name", "given", "extra", "words"),
    [
        ("search_this_thread", {"query": "x"}, {"passages": 1}, "looked up 1 earlier message"),
        ("search_this_thread", {"query": "x"}, {"passages": 0}, "found nothing in the earlier messages"),
        (
            "search_documents",
            {"query": "pricing\nnow"},
            {"passages": 5, "documents": ["spec.pdf", "plan.md"]},
            'searched documents "pricing now": 5 passages from spec.pdf, plan.md',
        ),
        ("search_documents", {"query": "x"}, {"passages": 0, "documents": []}, 'searched documents "x": 0 passages'),
        (
            "read_document",
            {"id": "3f2a1b9c04-12"},
            {"passages": 1, "documents": ["spec.pdf"]},
            'read "3f2a1b9c04-12": 1 passage from spec.pdf',
        ),
        ("list_documents", {}, {"listed": 10_000}, "listed 10,000 documents"),
        ("search_history", {"query": "x"}, {"passages": 3, "threads": ["A", "B"]}, "looked up 2 threads: A, B"),
        ("search_history", {"query": "x"}, {"passages": 0, "threads": []}, "found nothing in the other threads"),
        ("something", {}, {}, "something"),
    ],
)
def test_a_call_is_told_in_one_line(name: str, given: dict[str, Any], extra: dict[str, Any], words: str) -> None:
    assert summary_of(ToolCallPart("c", name, given), ToolResultPart("c", "text", extra=extra)) == words


def test_a_failed_call_says_why() -> None:
    failed = ToolResultPart("c", "There is no document x.\nName another.", is_error=True)
    words = "search_documents failed: There is no document x. Name another."
    assert summary_of(ToolCallPart("c", "search_documents", {"query": "x"}), failed) == words
