"""What a command tells of searched documents, and below an answer that cites them, over the wire."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.command import Plimsoll
from tests.servers.messages_api import Answer, CapturedRequest, MessagesApi, ToolUse

pytestmark = pytest.mark.slow

NOTES = "# Pricing\n\nThe basic plan is 9 dollars a month.\n\n# Support\n\nMail is answered within a day.\n"
FOUND = 'searched documents "the basic plan": 2 passages from notes.md'


def test_the_passages_that_an_answer_cites_are_told_below_it(tmp_path: Path) -> None:
    def model(request: CapturedRequest) -> Answer:
        last = json.dumps(request.body["messages"][-1])
        if "tool_result" not in last:
            return Answer(ToolUse("search_documents", {"query": "the basic plan"}, "toolu_1"), stop_reason="tool_use")
        cited = re.search(r"\b([0-9a-f]{10}-1)\b", last)
        assert cited is not None
        return Answer(f"Nine dollars [{cited[1]}]; free for some [0123456789-1].")

    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    (folder / "settings.toml").write_text('[backend]\ndefault = "anthropic"\n')
    (tmp_path / "notes.md").write_text(NOTES, "utf-8")
    with MessagesApi(default=model) as api:
        keyring = "keyring.backends.null.Keyring"
        environ = {"ANTHROPIC_API_KEY": "sk-dummy", "ANTHROPIC_BASE_URL": api.url, "PYTHON_KEYRING_BACKEND": keyring}
        plimsoll = Plimsoll(folder, environ)
        assert plimsoll("project", "add", "Shop", str(tmp_path / "notes.md")).status == 0
        asked = plimsoll("ask", "--project", "Shop", "What does the basic plan cost?")
        assert asked.status == 0
        first, second = re.findall(r"\[[0-9a-f]{10}-1\]", asked.out)
        assert asked.err.splitlines()[1:] == [
            f"[{FOUND}]",
            f"{first} notes.md, Pricing",
            f"{second} unverified: no such passage was sent",
        ]
        in_json = plimsoll("ask", "--json", "--project", "Shop", "What does the basic plan cost?")
        assert [line["summary"] for line in in_json.of("tool")] == [FOUND]
        assert in_json.err == ""
        assert api.violations == []
