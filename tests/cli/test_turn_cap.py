"""Commands at the cap of a turn, over the wire: they end there with what there is, unless they are told to go on."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.command import Plimsoll
from tests.servers.messages_api import Answer, CapturedRequest, MessagesApi, ToolUse


def test_a_command_ends_at_the_cap_with_status_7_unless_it_is_told_to_go_on(tmp_path: Path) -> None:
    asked = 0

    def model(request: CapturedRequest) -> Answer:
        nonlocal asked
        if json.dumps(request.body["messages"]).count('"tool_result"') >= 4:
            return Answer("Found.")
        asked += 1
        call = ToolUse("search_this_thread", {"query": "deep"}, f"toolu_{asked}")
        return Answer("Let me look.", call, stop_reason="tool_use")

    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    (folder / "settings.toml").write_text('[backend]\ndefault = "anthropic"\n[context]\nturn_cap_calls = 2\n')
    with MessagesApi(default=model) as api:
        keyring = "keyring.backends.null.Keyring"
        environ = {"ANTHROPIC_API_KEY": "sk-dummy", "ANTHROPIC_BASE_URL": api.url, "PYTHON_KEYRING_BACKEND": keyring}
        plimsoll = Plimsoll(folder, environ)
        ended = plimsoll("ask", "--json", "Look.")
        assert ended.status == 7
        done = ended.lines[-1]
        assert (done["type"], done["stop_reason"]) == ("done", "turn_cap")
        assert [line["code"] for line in ended.of("notice")] == ["turn_cap"]
        kept = plimsoll("show", done["thread"], "--json").json
        assert kept["messages"][-1]["state"] == "partial"
        told = plimsoll("ask", "Look.")
        assert told.status == 7
        assert "2 tool calls" in told.err
        assert "--no-turn-cap" in told.err
        whole = plimsoll("ask", "--json", "--no-turn-cap", "Look.")
        assert (whole.status, whole.lines[-1]["stop_reason"]) == (0, "end_turn")
        assert api.violations == []
