"""Servers of tools that the user set up (MCP, DOC-4), their tools, and those that other apps' settings name.

The settings are `core.settings.ToolServerSettings`. A value that looks like a secret never stands in them: the
keyring keeps it under its name, and `${NAME}` stands for it in an argument, a header or the address.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import count
from typing import Any, Final, Literal, TypeAlias

from desktop_app.core.errors import UserError
from desktop_app.core.messages import ImagePart, JsonObject
from desktop_app.core.phrases import phrase
from desktop_app.core.redaction import found_secrets, holds_secret
from desktop_app.core.settings import ToolServerSettings

Consent: TypeAlias = Literal["ask", "thread", "always", "changed"]
"""The consent to a tool; "changed": it was given to another description or schema, and waits for a new one."""

LONGEST_NAME: Final = 40
"""Characters of a server's name."""
GROWN_SHARE, GROWN_TOKENS = 0.2, 1_000
"""A list of tools that grew by this part of it and by more than these tokens is told."""

MOST_TEXT: Final = 4_000_000
"""Characters of a result's text."""
MOST_IMAGES, LONGEST_IMAGE = 8, 5 << 20
"""Images of a result, and base64 characters of one."""

_NAME: Final = re.compile(r"\w[\w .-]*")
_SECRET_NAME: Final = re.compile(r"key|token|secret|pass|auth|cred|cookie|session|dsn|connection_string", re.IGNORECASE)
_PLACE: Final = re.compile(r"\$\{(\w+)\}")
_ADDRESS: Final = "ADDRESS"
_OF_A_PLACE: Final = re.compile(rf"ARGUMENT_\d+|{_ADDRESS}")
_VARIABLE: Final = re.compile(r"\$\{(\w+)(?::-([^}]*))?\}")
"""As Claude Code writes what it takes from the environment."""


@dataclass(frozen=True, slots=True)
class ToolServer(ToolServerSettings):
    name: str = ""

    @property
    def is_remote(self) -> bool:
        """True if it is asked at an address, False if it is a program."""
        return self.url is not None

    def is_on(self, project: str | None) -> bool:
        """Return True if threads of this project, None: of no project, have its tools."""
        return self.everywhere or (project is not None and project in self.projects)

    def entry(self, secret: str) -> str:
        """The name under which the keyring keeps a secret of it."""
        return f"tools/{self.name}/{secret}"

    @property
    def starts(self) -> str:
        """Its address or command in one line, with places where secrets are."""
        return self.url or shlex.join((self.command or "", *self.arguments))

    def with_places(self, secrets: Iterable[str]) -> ToolServer:
        """The same with those of the secrets that are variables or headers, or have a place in a text."""
        texts = "\n".join((*self.arguments, *self.environment, *self.headers, self.url or ""))
        kept = (one for one in secrets if f"${{{one}}}" in texts or not _OF_A_PLACE.fullmatch(one))
        return replace(self, secrets=tuple(kept))

    def launch(self, secrets: Mapping[str, str]) -> ServerLaunch:
        """The server as it is started or asked, with the values of its secrets."""

        def filled(text: str) -> str:
            return _PLACE.sub(lambda place: secrets.get(place[1], place[0]), text)

        lines, sign = (self.headers, ":") if self.is_remote else (self.environment, "=")
        texts = (*self.arguments, *lines, self.url or "")
        # one that has a place in a text is no variable or header of its own
        own = {key: value for key, value in secrets.items() if not any(f"${{{key}}}" in one for one in texts)}
        named = {key.strip(): filled(value.lstrip()) for key, _, value in (one.partition(sign) for one in lines)} | own
        arguments = tuple(map(filled, self.arguments))
        if self.url is not None:
            return ServerLaunch(self.name, url=filled(self.url), headers=named)
        return ServerLaunch(self.name, self.command or "", arguments, named)

    def consent(self, tool: ServerTool) -> Consent:
        """The consent of the settings; that of a thread is not known here."""
        given = [one for one in (*self.always, *self.reading) if one.rpartition(" ")[0] == tool.name]
        if given and tool.pinned not in given:
            return "changed"
        return "always" if tool.pinned in self.always else "ask"

    def is_reading(self, tool: ServerTool) -> bool:
        """Return True if the user marked it as reading, and its server does not say that it destroys."""
        return tool.pinned in self.reading and not tool.destructive


@dataclass(frozen=True, slots=True)
class ServerLaunch:
    """A server with its secrets, which are not shown where it is printed."""

    server: str
    command: str = ""
    arguments: tuple[str, ...] = field(default=(), repr=False)
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    url: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class ServerTool:
    """A tool as its server describes it. The hints are what the server says of it, which may be wrong."""

    server: str
    name: str
    description: str = ""
    schema: JsonObject = field(default_factory=dict, hash=False)
    title: str = ""
    read_only: bool = False
    destructive: bool = False
    open_world: bool = False

    @property
    def pin(self) -> str:
        """The SHA-256 of server, name, description and schema together, which a consent is bound to."""
        facts = json.dumps([self.server, self.name, self.description, self.schema], sort_keys=True)
        return hashlib.sha256(facts.encode()).hexdigest()

    @property
    def pinned(self) -> str:
        """Name and pin, as the settings have them."""
        return f"{self.name} {self.pin}"

    @property
    def acts(self) -> Literal["reads", "writes", "sends", "runs"]:
        """The kind of tool that its server says it is; of one that "runs" it says nothing."""
        if self.read_only and not self.destructive:
            return "reads"
        if self.open_world:
            return "sends"
        return "writes" if self.destructive else "runs"


@dataclass(frozen=True, slots=True)
class ServerReport:
    """The state of a server. `problem`: why it failed, in words; `version`: as it calls itself."""

    server: str
    state: Literal["off", "ready", "failed"] = "off"
    tools: tuple[ServerTool, ...] = ()
    version: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """The result of a server's tool; an error's text is for the model, too."""

    text: str
    images: tuple[ImagePart, ...] = ()
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class ToolChanges:
    """The names of tools that are new, gone or different."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.count > 0

    @property
    def count(self) -> int:
        return len(self.added) + len(self.removed) + len(self.changed)


def tool_changes(before: Sequence[ServerTool], now: Sequence[ServerTool]) -> ToolChanges:
    """Return what changed in a server's list of tools."""
    old, new = ({tool.name: tool.pin for tool in tools} for tools in (before, now))
    return ToolChanges(
        tuple(name for name in new if name not in old),
        tuple(name for name in old if name not in new),
        tuple(name for name, pin in new.items() if old.get(name, pin) != pin),
    )


def changed_words(name: str, changes: ToolChanges) -> str:
    """`Git changed 3 tools`."""
    return phrase("{name} changed {count} tools", "{name} changed 1 tool", name=name, count=changes.count)


def has_grown(before: float, now: float) -> bool:
    """Return True if a list of tools grew so much that the user is told; both in tokens."""
    return before > 0 and now - before > max(GROWN_TOKENS, before * GROWN_SHARE)


def tool_server(name: str, settings: ToolServerSettings) -> ToolServer:
    return ToolServer(name=name, **{one.name: getattr(settings, one.name) for one in fields(ToolServerSettings)})


def settings_of(server: ToolServer) -> dict[str, str | bool | list[str] | None]:
    """The values of its table, by key; None for what is not written."""
    values = ((one.name, getattr(server, one.name)) for one in fields(ToolServerSettings))
    return {name: (list(one) if isinstance(one, tuple) else one) or None for name, one in values}


def checked_name(name: str, taken: Collection[str] = ()) -> str:
    """The name without spaces around it. `UserError("usage")` if no server can be called that."""
    name = name.strip()
    if not _NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        words = phrase(
            "\"{name}\" can't be a server's name. Use letters, digits, spaces, dots and hyphens, at most {most}.",
            name=name[:LONGEST_NAME],
            most=LONGEST_NAME,
        )
        raise UserError("usage", words)
    if name.casefold() in map(str.casefold, taken):
        raise UserError("usage", phrase('There is already a server "{name}".', name=name))
    return name


@dataclass(frozen=True, slots=True)
class FoundToolServer:
    """A server with the values that the keyring is to take; `problem`: why one of another app's can't be added."""

    server: ToolServer
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    problem: str = ""

    def with_secrets(self, values: Mapping[str, str]) -> FoundToolServer:
        """The same with variables, or headers, that are secrets whatever they are called."""
        texts = {f"{name}{sign}{value}" for name, value in values.items() for sign in ("=", ": ")}
        server = replace(
            self.server,
            environment=tuple(one for one in self.server.environment if one not in texts),
            headers=tuple(one for one in self.server.headers if one not in texts),
            secrets=tuple(dict.fromkeys((*self.server.secrets, *values))),
        )
        return replace(self, server=server, secrets={**self.secrets, **values})


def add_by_parts(
    name: str,
    *,
    command: str = "",
    arguments: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    url: str = "",
    headers: Mapping[str, str] | None = None,
) -> FoundToolServer:
    """A server of its parts, without what looks like a secret. `UserError("usage")` says what is wrong with one."""
    secrets = dict[str, str]()

    def place(value: str, name: str) -> str:
        secrets[name] = value
        return f"${{{name}}}"

    if url:
        if not re.fullmatch(r"https?://[^\s/]\S*", url := url.strip()):
            raise UserError("usage", phrase('The address must start with "http://" or "https://".'))
        if holds_secret(url) or found_secrets(url):
            url = f"http{'s' * url.startswith('https')}://{place(url.partition('://')[2], _ADDRESS)}"
        kept = {key: value for key, value in (headers or {}).items() if not _is_secret(key, value)}
        secrets |= {key: value for key, value in (headers or {}).items() if key not in kept}
        lines = tuple(f"{key}: {value}" for key, value in kept.items())
        return FoundToolServer(ToolServer(name=name, url=url, headers=lines, secrets=tuple(secrets)), secrets)
    if not command.strip():
        raise UserError("usage", phrase("The server needs a command or an address."))
    parts = tuple(_argument(arguments, number, place) for number in range(len(arguments)))
    kept = {key: value for key, value in (environment or {}).items() if not _is_secret(key, value)}
    secrets |= {key: value for key, value in (environment or {}).items() if key not in kept}
    lines = tuple(f"{key}={value}" for key, value in kept.items())
    server = ToolServer(name=name, command=command.strip(), arguments=parts, environment=lines, secrets=tuple(secrets))
    return FoundToolServer(server, secrets)


def _argument(arguments: Sequence[str], number: int, place: Callable[[str, str], str]) -> str:
    """An argument, with its secret in the keyring: one that looks like it, or that follows an option so called."""
    text, named = arguments[number], arguments[number - 1] if number else ""
    option, equals, value = text.partition("=") if text.startswith("-") else ("", "", text)
    follows = named.startswith("-") and "=" not in named and not text.startswith("-") and _SECRET_NAME.search(named)
    if value and (_is_secret(option, value) or follows or ("://" in value and holds_secret(value))):
        return f"{option}{equals}{place(value, f'ARGUMENT_{number + 1}')}"
    return text


def _is_secret(name: str, value: str) -> bool:
    if not value or value.casefold() in ("true", "false", "1", "0"):
        return False
    return bool(_SECRET_NAME.search(name) or found_secrets(value) or ("://" in value and holds_secret(value)))


def read_servers(text: str, environ: Mapping[str, str]) -> tuple[FoundToolServer, ...]:
    """The servers in the `mcpServers` JSON of Claude Desktop, Claude Code (`.mcp.json`, `~/.claude.json`) and others.

    `environ` fills `${VARIABLE}`. `UserError("usage")` where the text is no such JSON; what is wrong with one server
    is its `problem`.
    """
    try:
        whole = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        line = f"line {error.lineno}" if isinstance(error, json.JSONDecodeError) else type(error).__name__
        raise UserError("usage", phrase("The file is no valid JSON ({place}).", place=line)) from error
    found = list(_tables(whole))
    if not found:
        raise UserError("usage", phrase('The file holds no servers: there is no "mcpServers" in it.'))
    servers: dict[str, FoundToolServer] = {}
    for name, entry in found:
        one = _found(name, entry, environ)
        # Claude Code names a server again in each project
        if not any(
            replace(known, server=replace(known.server, name=one.server.name)) == one for known in servers.values()
        ):
            free = next(other for other in _numbered(one.server.name) if other.casefold() not in servers)
            servers[free.casefold()] = replace(one, server=replace(one.server, name=free))
    return tuple(servers.values())


def _numbered(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name} {number}" for number in count(2))


def _tables(whole: Any) -> Iterator[tuple[str, Any]]:
    """The entries below every `mcpServers`: of the user, then of the projects."""
    if not isinstance(whole, dict):
        return
    if isinstance(servers := whole.get("mcpServers"), dict):
        yield from servers.items()
    if isinstance(projects := whole.get("projects"), dict):
        for project in projects.values():
            yield from _tables({"mcpServers": project.get("mcpServers")} if isinstance(project, dict) else None)


def _found(name: str, entry: Any, environ: Mapping[str, str]) -> FoundToolServer:
    name = re.sub(r"[^\w .-]+", "-", name).strip(" .-_")[:LONGEST_NAME].strip() or "server"
    try:
        checked_name(name)
        return _read(name, entry, environ)
    except UserError as error:
        return FoundToolServer(ToolServer(name=name), problem=error.failure.message)


def _read(name: str, entry: Any, environ: Mapping[str, str]) -> FoundToolServer:
    match entry:
        case {"type": "sse"}:
            raise UserError("usage", phrase("It uses SSE, which is no longer supported. Use its HTTP address."))
        case {"command": str(command)}:
            arguments, environment = entry.get("args") or [], _texts(entry, "env", environ)
            if not isinstance(arguments, list) or not all(isinstance(one, str) for one in arguments):
                raise UserError("usage", phrase("{key} must be a list of texts.", key="args"))
            filled = [_filled(one, environ) for one in arguments]
            return add_by_parts(name, command=_filled(command, environ), arguments=filled, environment=environment)
        case {"url": str(url)}:
            return add_by_parts(name, url=_filled(url, environ), headers=_texts(entry, "headers", environ))
        case _:
            raise UserError("usage", phrase("It has neither a command nor an address."))


def _texts(entry: Mapping[str, Any], key: str, environ: Mapping[str, str]) -> dict[str, str]:
    values = entry.get(key) or {}
    if not isinstance(values, dict) or not all(isinstance(one, str) for one in values.values()):
        raise UserError("usage", phrase("{key} must hold texts by name.", key=key))
    return {name: _filled(one, environ) for name, one in values.items()}


def _filled(text: str, environ: Mapping[str, str]) -> str:
    """The text with its `${VARIABLE}` and `${VARIABLE:-default}` filled."""

    def value(place: re.Match[str]) -> str:
        name, default = place[1], place[2]
        if (found := environ.get(name, default)) is None:
            raise UserError("usage", phrase("It needs the variable {name}, which is not set.", name=name))
        return found

    if "\0" in (filled := _VARIABLE.sub(value, text)):
        raise UserError("usage", phrase("One of its values holds a zero byte."))
    return filled
