"""What is attached, in the form of each wire."""

from __future__ import annotations

from typing import Any

import pytest

from desktop_app.backends.anthropic_wire import request_body as messages_body
from desktop_app.backends.claude_cli.invocation import content_blocks
from desktop_app.backends.local.local_backend import request_body as local_body
from desktop_app.backends.openai.chat_failures import PLAIN, ChatDialect
from desktop_app.backends.openai.chat_wire import request_body as chat_body
from desktop_app.core.attachment_facts import BYTES, PAGES
from desktop_app.core.messages import DocumentPart, ImagePart, TextPart
from tests.backends.plans import plan_of, user
from tests.servers.messages_rules import violation

SCAN = DocumentPart("scan.pdf", "[A scan of 2 pages without text]", "ab", "application/pdf", {PAGES: 2, BYTES: "JVBE"})
NOTES = DocumentPart("notes.txt", "some notes", "cd")
PHOTO = ImagePart("dot.png", "image/png", "AAAA", 1, 1)
PLAN = plan_of(user(SCAN, NOTES, PHOTO, "look"))


def sources(blocks: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    return [(one["title"], one["source"]["media_type"], one["source"]["data"]) for one in blocks if "title" in one]


def test_a_scan_goes_as_the_file_and_a_text_as_text_over_the_messages_api() -> None:
    body = messages_body(PLAN)

    assert violation(body, {"anthropic-version": "2023-06-01"}) is None
    content = body["messages"][0]["content"]
    assert [one["type"] for one in content] == ["document", "document", "image", "text"]
    assert sources(content) == [("scan.pdf", "application/pdf", "JVBE"), ("notes.txt", "text/plain", "some notes")]


def test_and_through_the_claude_program() -> None:
    content = content_blocks(PLAN.request.messages, ())

    assert [one["type"] for one in content] == ["document", "document", "image", "text"]
    assert sources(content) == [("scan.pdf", "application/pdf", "JVBE"), ("notes.txt", "text/plain", "some notes")]


def test_a_scan_is_a_file_in_a_chat_completion() -> None:
    (message,) = chat_body(PLAN, PLAIN)["messages"]

    assert message["content"] == [
        {"type": "file", "file": {"filename": "scan.pdf", "file_data": "data:application/pdf;base64,JVBE"}},
        {"type": "text", "text": "notes.txt:\n\nsome notes"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        {"type": "text", "text": "look"},
    ]


@pytest.mark.parametrize("body", [chat_body(PLAN, ChatDialect(images=False)), local_body(PLAN)])
def test_where_nothing_can_be_looked_at_a_line_says_that_it_was_there(body: dict[str, Any]) -> None:
    (message,) = body["messages"]

    assert message["content"] == (
        "scan.pdf:\n\n[A scan of 2 pages without text]\n\nnotes.txt:\n\nsome notes\n\n[Image sent: dot.png]\n\nlook"
    )


def test_documents_alone_stay_one_text_which_every_server_takes() -> None:
    (message,) = chat_body(plan_of(user(NOTES, TextPart("read"))), PLAIN)["messages"]

    assert message["content"] == "notes.txt:\n\nsome notes\n\nread"
