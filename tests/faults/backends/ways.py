"""Owns how each backend is led to a loopback server that plays a fault. Knows no fault.

The local model's server is a child process that only names the loopback server's address: everything from the
backend's own HTTP client on is real. The `claude` program is the real one.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from desktop_app.backends.anthropic_backend import AnthropicBackend
from desktop_app.backends.backend_protocol import Backend
from desktop_app.backends.claude_cli.claude_cli_backend import ClaudeCliBackend
from desktop_app.backends.local import LocalBackend
from desktop_app.backends.openai.openai_backend import OpenAiBackend
from tests.faults.backends.faults import ChatWire, MessagesWire, Wire
from tests.servers.chat_api import ChatApi
from tests.servers.messages_api import MessagesApi

Name: TypeAlias = Literal["anthropic", "openai", "local", "claude-cli"]
NAMES: Final[tuple[Name, ...]] = ("anthropic", "openai", "local", "claude-cli")

WIRES: Final[dict[Name, Wire]] = {
    "anthropic": MessagesWire(),
    "openai": ChatWire(),
    "local": ChatWire(),
    "claude-cli": MessagesWire(),
}
MODELS: Final[dict[Name, str]] = {
    "anthropic": "claude-sonnet-5-5",
    "openai": "test-model",
    "local": "tiny",
    "claude-cli": "claude-sonnet-5-5",
}

PATIENCE_S: Final[Mapping[Name, float]] = {"anthropic": 0.25, "openai": 0.25, "local": 0.25, "claude-cli": 5.0}
"""Longest silence of a client where the fault is silence, in seconds; that of the program includes its start."""

_ADDRESS = """
import json, os, sys
sys.stdin.readline()
print(json.dumps({"url": "URL"}), flush=True)
while os.read(0, 100): pass
"""


@dataclass(frozen=True, slots=True)
class Way:
    """A backend and the server at the other end."""

    name: Name
    backend: Backend
    server: MessagesApi | ChatApi

    @property
    def wire(self) -> Wire:
        return WIRES[self.name]

    @property
    def model(self) -> str:
        return MODELS[self.name]


def claude_program() -> Path | None:
    """The real program, which a package for tests carries; found without importing it."""
    if (package := importlib.util.find_spec("claude_agent_sdk")) is None or package.origin is None:
        return None
    return Path(package.origin).parent / "_bundled" / "claude"


@asynccontextmanager
async def way_to(name: Name, folder: Path, *, impatient: bool = False) -> AsyncIterator[Way]:
    """A backend over a server of its own; afterwards both are closed.

    `impatient`: it waits `PATIENCE_S` for the next byte.
    """
    async with MessagesApi() if name in ("anthropic", "claude-cli") else ChatApi() as server:
        backend = _backend(name, server, folder, PATIENCE_S[name] if impatient else None)
        try:
            yield Way(name, backend, server)
        finally:
            await backend.close()


def _backend(name: Name, server: MessagesApi | ChatApi, folder: Path, timeout_s: float | None) -> Backend:
    async def key() -> str:
        return "sk-loopback"

    match name:
        case "anthropic":
            return AnthropicBackend(
                key=key, base_url=server.url, timeout_s=timeout_s, overrides={}, has_key=lambda: True
            )
        case "openai":
            return OpenAiBackend(
                key=lambda _: key(),
                base_url=lambda: server.url,
                timeout_s=timeout_s,
                overrides={},
                has_key=lambda: True,
            )
        case "local":
            # -I -S: a start of 10 ms
            command = [sys.executable, "-I", "-S", "-c", _ADDRESS.replace("URL", server.root)]
            model = folder / f"{MODELS[name]}.gguf"
            model.touch()
            return LocalBackend(model_path=model, overrides={}, command=command, timeout_s=timeout_s)
    home = folder / "home"
    home.mkdir()
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "ANTHROPIC_BASE_URL": server.url,
        "ANTHROPIC_API_KEY": "sk-loopback",
    }
    # beside all the folders, so that the self-test is made once
    check_file = folder.parent / "claude-check.json"
    return ClaudeCliBackend(
        program=claude_program(),
        work_dir=folder / "work",
        environ=environ,
        overrides={},
        check_file=check_file,
        timeout_s=timeout_s,
    )
