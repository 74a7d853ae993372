"""Fixtures: the real program that the SDK package carries, and the backend that leads it to the loopback server."""

from __future__ import annotations

import importlib.util
import os
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from desktop_app.backends.claude_cli.claude_cli_backend import ClaudeCliBackend
from tests.servers.messages_api import MessagesApi

MakeBackend = Callable[..., ClaudeCliBackend]


@pytest.fixture(scope="session")
def program() -> Path:
    """The program, without importing the package."""
    if (package := importlib.util.find_spec("claude_agent_sdk")) is None or package.origin is None:
        pytest.skip("claude_agent_sdk is not installed")
    return Path(package.origin).parent / "_bundled" / "claude"


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for temporary files that nobody else uses, so that what is left there is ours."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def environ(tmp_path: Path, api: MessagesApi, temporary: Path) -> dict[str, str]:
    """A home of its own, a dummy key, and the loopback server for the provider."""
    home = tmp_path / "home"
    home.mkdir()
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "TMPDIR": str(temporary),
        "ANTHROPIC_BASE_URL": api.url,
        "ANTHROPIC_API_KEY": "sk-dummy",
    }


@pytest.fixture(scope="session")
def check_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the self-test found is kept from test to test, as it is from answer to answer."""
    return tmp_path_factory.mktemp("check") / "claude-check.json"


@pytest.fixture
async def backend(
    program: Path, tmp_path: Path, environ: dict[str, str], check_file: Path
) -> AsyncIterator[ClaudeCliBackend]:
    work_dir = tmp_path / "data" / "claude"
    made = ClaudeCliBackend(program=program, work_dir=work_dir, environ=environ, overrides={}, check_file=check_file)
    yield made
    await made.close()
