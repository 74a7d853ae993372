from __future__ import annotations

import asyncio
from pathlib import Path

from desktop_app.backends.claude_cli.claude_cli_backend import ClaudeCliBackend
from desktop_app.paths import DataPaths
from tests.backends.claude_cli.plans import passes
from tests.cli.command import Plimsoll
from tests.cli.conftest import Here
from tests.set_time import NOW


def checks(here: Here) -> dict[str, dict[str, object]]:
    return {check["name"]: check for check in here("doctor", "--json").json["checks"]}


def no_way_to_a_model(plimsoll: Plimsoll) -> None:
    plimsoll.environ |= {"PATH": str(plimsoll.folder), "PLIMSOLL_CLAUDE": str(plimsoll.folder / "none")}
    (plimsoll.folder / "settings.toml").write_text(f'[backends.local]\nmodel_path = "{plimsoll.folder}/none.gguf"\n')


def test_a_new_computer_is_examined_without_a_trace(here: Here, plimsoll: Plimsoll, tmp_path: Path) -> None:
    no_way_to_a_model(plimsoll)
    plimsoll.folder = tmp_path / "not yet"
    found = checks(here)
    found.pop("tiktoken", None)  # has a line where the package is installed
    assert list(found) == [
        *("python", "data folder", "history", "settings", "keyring"),
        *("backend anthropic", "backend claude-cli", "backend openai", "backend local", "resources"),
    ]
    assert found["data folder"]["ok"]
    assert found["resources"]["ok"]
    assert not plimsoll.folder.exists()


def test_a_key_in_the_environment_is_a_way_and_none_is_a_fault(here: Here, plimsoll: Plimsoll) -> None:
    no_way_to_a_model(plimsoll)
    ended = here("doctor", "--json")
    assert (ended.status, ended.json["ok"]) == (3, False)
    plimsoll.environ["ANTHROPIC_API_KEY"] = "sk-ant-secret"
    ended = here("doctor", "--json")
    assert (ended.status, ended.json["ok"]) == (0, True)
    assert "sk-ant-secret" not in ended.out


def test_settings_and_history_are_named_when_they_are_wrong(here: Here, plimsoll: Plimsoll) -> None:
    here("ask", "hi")
    no_way_to_a_model(plimsoll)
    assert checks(here)["history"]["ok"]
    (plimsoll.folder / "settings.toml").write_text("[context]\nsoft_limit = -1\n")
    history = plimsoll.folder / "history.db"
    whole = history.read_bytes()
    middle = len(whole) // 2
    history.write_bytes(whole[:4096] + b"\xa5" * middle + whole[4096 + middle :])
    found = checks(here)
    assert "soft_limit" in str(found["settings"]["detail"])
    assert not found["settings"]["ok"]
    assert not found["history"]["ok"]
    assert here("doctor").status == 6


def test_a_folder_that_others_may_read_is_told(here: Here, plimsoll: Plimsoll) -> None:
    no_way_to_a_model(plimsoll)
    plimsoll.folder.chmod(0o755)
    found = checks(here)["data folder"]
    assert (found["ok"], "chmod 700" in str(found["detail"])) == (False, True)


def test_what_is_known_of_the_claude_program_is_shown(here: Here, plimsoll: Plimsoll, tmp_path: Path) -> None:
    no_way_to_a_model(plimsoll)
    program = tmp_path / "claude"
    program.write_text("#!/bin/sh\necho 2.1.330\n")
    program.chmod(0o755)
    plimsoll.environ |= {"PLIMSOLL_CLAUDE": str(program), "ANTHROPIC_API_KEY": "sk-ant-secret"}

    def detail() -> str:
        return str(checks(here)["backend claude-cli"]["detail"])

    before = detail()
    paths = DataPaths(plimsoll.folder)
    backend = ClaudeCliBackend(
        program=program,
        work_dir=paths.claude_work,
        check_file=paths.claude_check,
        environ=plimsoll.environ,
        overrides={},
        trial=passes,
    )
    asyncio.run(backend.prepare())

    assert before.endswith("to be checked before its first use")
    assert detail().endswith(f"checked {NOW.date()}")
