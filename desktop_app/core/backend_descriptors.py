"""Lists the backends, one descriptor each: settings, commands, window and checks take names and order from here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from desktop_app.core.phrases import phrase


@dataclass(frozen=True, slots=True)
class BackendDescriptor:
    """The fixed facts of a backend.

    `name`: in settings and on the command line. `title`: who answers, "" where that depends on an address; `label`: its
    connection, "" for its title. `key_variable`: the environment variable of the key it needs; "": it needs none.
    `settings`: the keys of its table in settings.toml that not all backends read. `by_command`, `by_window`: taken by a
    command, or at the window, where no backend is named. `offered`: False for what is there for tests and pictures.
    `per_address`: each address that was set up is a backend of its own, whose name the user's settings give.
    """

    name: str
    title: str = ""
    label: str = ""
    key_variable: str = ""
    settings: tuple[str, ...] = ("timeout_s",)
    icon: str = "globe"
    by_command: bool = False
    by_window: bool = False
    offered: bool = True
    per_address: bool = False


ANTHROPIC: Final = BackendDescriptor(
    "anthropic",
    "Anthropic",
    phrase("Anthropic API"),
    key_variable="ANTHROPIC_API_KEY",
    settings=("base_url", "timeout_s"),
    icon="key",
    by_command=True,
    by_window=True,
)
CLAUDE_CLI: Final = BackendDescriptor("claude-cli", "Claude Code", icon="terminal", by_command=True, by_window=True)
OPENAI: Final = BackendDescriptor(
    "openai",
    key_variable="OPENAI_API_KEY",
    settings=("name", "base_url", "timeout_s"),
    by_command=True,
    by_window=True,
    per_address=True,
)
LOCAL: Final = BackendDescriptor(
    "local", phrase("This computer"), settings=("model_path",), icon="computer", by_command=True
)
SCRIPTED: Final = BackendDescriptor("scripted", "Scripted", settings=(), offered=False)

BACKENDS: Final = (ANTHROPIC, CLAUDE_CLI, OPENAI, LOCAL, SCRIPTED)
"""In the order in which they are listed, and looked for where none is named (PRODUCT.md section 6)."""

BACKEND_NAMES: Final = tuple(one.name for one in BACKENDS)
NOT_OFFERED: Final = frozenset(one.name for one in BACKENDS if not one.offered)
KEY_VARIABLES: Final[Mapping[str, str]] = {one.name: one.key_variable for one in BACKENDS if one.key_variable}
"""The environment variable of the key, by the name of each backend that needs one."""


def is_server(name: str) -> bool:
    """Return True for the backend of a server that is set up by its address: the settings name all but the first."""
    return name == OPENAI.name or (name != "" and name not in BACKEND_NAMES)


def takes_key(name: str) -> bool:
    """Return True if a backend may need a key."""
    return name in KEY_VARIABLES or is_server(name)


def backend_descriptor(name: str) -> BackendDescriptor:
    """The descriptor of that name; that of servers for a name that is not in the table."""
    return next((one for one in BACKENDS if one.name == name), replace(OPENAI, name=name, key_variable=""))
