"""What is attached, through the real `claude` program."""

from __future__ import annotations

import base64

import pytest

from desktop_app.backends.claude_cli.claude_cli_backend import ClaudeCliBackend
from desktop_app.core.attachment_facts import BYTES, PAGES
from desktop_app.core.messages import DocumentPart, TextPart
from tests.backends.claude_cli.plans import plan_of
from tests.documents.files import pdf
from tests.servers.messages_api import Answer, MessagesApi

pytestmark = pytest.mark.slow


async def test_the_pages_of_a_scan_reach_the_provider(backend: ClaudeCliBackend, api: MessagesApi) -> None:
    data = base64.b64encode(pdf("", "", scanned=True)).decode()
    scan = DocumentPart("scan.pdf", "[A scan of 2 pages without text]", "0", "application/pdf", {PAGES: 2, BYTES: data})
    api.script(Answer("seen"))

    events = [event async for event in backend.stream(plan_of((scan, TextPart("what is on it?"))))]

    assert events
    assert api.violations == []
    (request,) = api.answers
    sent = [one for one in request.body["messages"][0]["content"] if one["type"] == "document"]
    assert [one["source"] for one in sent] == [{"type": "base64", "media_type": "application/pdf", "data": data}]
    assert sent[0]["title"] == "scan.pdf"
