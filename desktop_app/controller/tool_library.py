"""The servers of tools that the user set up (DOC-4): added, switched, tested, with their tools and consents.

Settings hold what the user chose, the keyring the secrets, a file of its own what each server listed last: it is only
a cache, but for the lists that the user has looked at, against which a change is told.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import sys
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from desktop_app.controller.ports import Announcements, Clock, ToolHost
from desktop_app.controller.preferences import Preferences, SettingValue
from desktop_app.controller.server_keys import RememberedKeys
from desktop_app.core.errors import UserError
from desktop_app.core.events import NoticeRaised, ToolServerListed, ToolServersAwaited
from desktop_app.core.phrases import listed, phrase
from desktop_app.core.settings import dotted_name
from desktop_app.core.tool_servers import (
    FoundToolServer,
    ServerLaunch,
    ServerReport,
    ServerTool,
    ToolChanges,
    ToolServer,
    changed_words,
    checked_name,
    has_grown,
    read_servers,
    settings_of,
    tool_changes,
    tool_server,
)
from desktop_app.system.private_files import write_atomically

log = logging.getLogger(__name__)

ServerState: TypeAlias = Literal["off", "ready", "failed", "changed"]

LARGEST_FILE: Final = 20_000_000
"""Bytes of another app's settings that are read."""
TEST_S: Final = 90.0
"""Seconds that a test waits for its host at most: whatever hangs becomes a sentence."""


@dataclass(frozen=True, slots=True)
class ListedTools:
    """The tools as a server listed them last (`tools`) and as the user has seen them (`seen`).

    `at`: when, ISO 8601 UTC. `problem`: why the last test failed. `used`: when each tool was called last.
    """

    at: str = ""
    version: str = ""
    problem: str = ""
    tools: tuple[ServerTool, ...] = ()
    seen: tuple[ServerTool, ...] = ()
    used: Mapping[str, str] = field(default_factory=dict)

    @property
    def changes(self) -> ToolChanges:
        """The changes that the user has not looked at."""
        return tool_changes(self.seen, self.tools)


class ToolServers:
    """One per app. `load` first: what follows answers at once."""

    def __init__(
        self,
        preferences: Preferences,
        secrets: RememberedKeys,
        make_host: Callable[[Callable[[ServerReport], None]], ToolHost],
        path: Path,
        announcements: Announcements,
        *,
        clock: Clock | None = None,
        read_only: bool = False,
    ) -> None:
        """`make_host`, called for the first server, gets who hears of a failed one. `path`: of the tools listed."""
        self._preferences = preferences
        self._secrets = secrets
        self._make_host = make_host
        self._made: ToolHost | None = None
        self._path = path
        self._announcements = announcements
        self._clock = clock or Clock()
        self._read_only = read_only
        self._listed: dict[str, ListedTools] = {}
        self._loaded = False
        self._logs: dict[str, str] = {}
        self._told: dict[str, tuple[ServerTool, ...]] = {}
        self.troubles: dict[str, str] = {}
        """Why servers are not there, by name, as the user was told; without those that were there since."""
        self._notes = set[asyncio.Future[None]]()
        self._writing = asyncio.Lock()

    async def load(self) -> None:
        """Reads what was listed before, once. Never raises for a bad file."""
        if not self._loaded and (self._listed or self._preferences.settings.tool_servers):
            kept = await asyncio.to_thread(_read, self._path)
            if not self._loaded:
                self._listed = {**kept, **self._listed}
                self._loaded = True

    @property
    def host(self) -> ToolHost:
        """The process of the servers, made when it is first needed."""
        if self._made is None:
            self._made = self._make_host(self._failed)
        return self._made

    @property
    def all(self) -> Sequence[ToolServer]:
        """The servers of the settings, by name."""
        tables = self._preferences.settings.tool_servers
        servers = (tool_server(name, tables[name]) for name in sorted(tables, key=str.casefold))
        return [one for one in servers if one.command or one.url]

    def find(self, name: str) -> ToolServer:
        """The server of that name. `UserError("config")` where there is none."""
        if (found := next((one for one in self.all if one.name.casefold() == name.casefold()), None)) is None:
            raise UserError("config", phrase('There is no server "{name}".', name=name))
        return found

    def listed(self, name: str) -> ListedTools:
        """The tools that a server listed last."""
        return self._listed.get(name, ListedTools())

    def state(self, server: ToolServer) -> ServerState:
        """The state of a server as known by now; nothing is asked."""
        if not (server.everywhere or server.projects):
            return "off"
        if (listed := self.listed(server.name)).problem:
            return "failed"
        return "changed" if listed.changes or self.changed_consents(server) else "ready"

    def changed_consents(self, server: ToolServer) -> Sequence[ServerTool]:
        """The tools whose consent waits, since they are not what it was given to."""
        return [tool for tool in self.listed(server.name).tools if server.consent(tool) == "changed"]

    def offered(self, project: str | None) -> Sequence[ServerTool]:
        """The tools that threads of a project, None: of none, have: of servers that are on, switched on, in order."""
        return [
            tool
            for server in self.all
            if server.is_on(project)
            for tool in self.listed(server.name).tools
            if tool.name not in server.off
        ]

    def grown(self, name: str, tokens: Callable[[Sequence[ServerTool]], float]) -> bool:
        """Return True if the list of a server's tools grew so much since it was looked at that it is told."""
        listed = self.listed(name)
        return has_grown(tokens(listed.seen), tokens(listed.tools))

    async def add(self, found: FoundToolServer, *, project: str | None = None, unsaved: bool = False) -> ToolServer:
        """Adds a server, off unless for a `project`: its secrets to the keyring, the rest to the settings.

        `unsaved`: the secrets stay in memory alone, until Plimsoll is closed.

        `UserError("usage")` for a name that is taken, `KeyringError` where no secret can be kept: nothing is added.
        """
        if found.problem:
            raise UserError("usage", found.problem)
        name = checked_name(found.server.name, [one.name for one in self.all])
        server = replace(found.server, name=name, projects=(project,) if project is not None else ())
        stored: list[str] = []
        try:
            for secret, value in found.secrets.items():
                await self._secrets.store(server.entry(secret), value, unsaved=unsaved)
                stored.append(secret)
            await self._write(server)
        except BaseException:
            for secret in stored:
                await self._secrets.forget(server.entry(secret))
            raise
        return server

    async def change(self, name: str, found: FoundToolServer, *, unsaved: bool = False) -> None:
        """Changes a server's command or address; other facts, secrets, and same tools' consents stay. As `add`."""
        server, new, values = self.find(name), found.server, dict(found.secrets)
        for secret, value in found.secrets.items():
            if (place := value.removeprefix("${").removesuffix("}")) in server.secrets:  # it was not entered anew
                values[secret] = await self._secrets.stored(server.entry(place)) or value
        for secret, value in values.items():
            await self._secrets.store(server.entry(secret), value, unsaved=unsaved)
        launch = replace(
            new,
            environment=(*server.environment, *(one for one in new.environment if one not in server.environment)),
            headers=(*server.headers, *(one for one in new.headers if one not in server.headers)),
        )
        changed = launch.with_places(dict.fromkeys((*server.secrets, *new.secrets)))
        keys = ("command", "arguments", "url", "environment", "headers", "secrets")
        await self._set(server.name, {key: settings_of(changed)[key] for key in keys})
        for secret in {*server.secrets} - {*changed.secrets}:
            await self._secrets.forget(server.entry(secret))
        await self._end(server.name)
        await self._keep(server.name, replace(self.listed(server.name), problem=""))

    async def remove(self, name: str) -> Callable[[], Any]:
        """Removes a server with its secrets and ends it; the returned function brings it back."""
        await self.load()
        server, values = self.find(name), dict[str, str]()
        for secret in server.secrets:
            if (value := await self._secrets.stored(server.entry(secret))) is not None:
                values[secret] = value
                await self._secrets.forget(server.entry(secret))
        keys = {one.name: None for one in fields(ToolServer) if one.name != "name"}
        await self._set(server.name, keys)
        listed = self._listed.pop(server.name, None)
        self.troubles.pop(server.name, None)
        await self._end(server.name)
        await self._save()

        async def bring_back() -> None:
            for secret, value in values.items():
                await self._secrets.store(server.entry(secret), value)
            if listed is not None:
                self._listed[server.name] = listed
            await self._write(server)
            await self._save()

        return bring_back

    async def switch(self, name: str, *, everywhere: bool | None = None, project: str = "", on: bool = True) -> None:
        """Switches a server on or off: for all threads (`everywhere`), or for a project by its id."""
        server = self.find(name)
        if everywhere is not None:
            # off is off: what was on for projects alone is switched there
            await self._set(server.name, {"everywhere": everywhere or None})
        if project:
            await self._set(server.name, {"projects": _with(server.projects, project, on=on)})
        if not (changed := self.find(name)).everywhere and not changed.projects:
            await self._end(server.name)

    async def switch_off(self, name: str) -> Callable[[], Awaitable[None]]:
        """Switches a server off for all threads and projects, and ends it; what is returned switches it on again."""
        server = self.find(name)
        await self._set(server.name, {"everywhere": None, "projects": None})
        await self._end(server.name)
        before = {"everywhere": server.everywhere or None, "projects": [*server.projects] or None}
        return partial(self._set, server.name, before)

    async def switch_tool(self, name: str, tool: str, *, on: bool) -> None:
        """Switches a tool of a server on or off."""
        server = self.find(name)
        await self._set(server.name, {"off": _with(server.off, tool, on=not on)})

    async def set_consent(
        self, name: str, tool: ServerTool, *, always: bool | None = None, reading: bool | None = None
    ) -> None:
        """Gives a tool as it is now the consent *always*, or marks it as reading; or takes that back."""
        server, values = self.find(name), dict[str, SettingValue]()
        for key, wish, given in (("always", always, server.always), ("reading", reading, server.reading)):
            if wish is not None:
                others = [one for one in given if one.rpartition(" ")[0] != tool.name]
                values[key] = [*others, *([tool.pinned] if wish else [])] or None
        await self._set(server.name, values)

    async def accept_changes(self, name: str) -> None:
        """Takes the tools as they are now for seen. Consents that were given to others are gone: they are asked for."""
        await self.load()
        server = self.find(name)
        listed = self.listed(server.name)
        pins = {tool.pinned for tool in listed.tools}
        await self._set(
            server.name,
            {
                key: [one for one in given if one in pins] or None
                for key, given in (("always", server.always), ("reading", server.reading))
            },
        )
        await self._keep(server.name, replace(listed, seen=listed.tools))

    async def launch(self, name: str) -> ServerLaunch:
        """A server as it is started, with its secrets from the keyring. `UserError("config")` where one is missing."""
        server, values = self.find(name), dict[str, str]()
        for secret in server.secrets:
            if (value := await self._secrets.stored(server.entry(secret))) is None:
                words = phrase(
                    'The keyring has no "{secret}" for {name}. Enter it again.', secret=secret, name=server.name
                )
                raise UserError("config", words)
            values[secret] = value
        return server.launch(values)

    async def connect(self, name: str, *, fresh: bool = False) -> ServerReport:
        """Starts or asks a server and keeps what it lists. What goes wrong is in the report; raises nothing else.

        `fresh`: one that runs is started again. `UserError("config")` where there is no such server.
        """
        await self.load()
        server = self.find(name)
        try:
            launch = await self.launch(name)
            async with asyncio.timeout(TEST_S):
                report = await self.host.connect(launch, fresh=fresh)
        except UserError as error:
            report = ServerReport(server.name, "failed", problem=error.failure.message)
        except TimeoutError:
            report = ServerReport(server.name, "failed", problem=phrase("It does not answer."))
        await self.note(report)
        return report

    async def test(self, name: str, *, fresh: bool = False) -> ServerReport:
        """Connects a server for the user to see how it does: its log is kept, and one that is off ends again."""
        report, server = await self.connect(name, fresh=fresh), self.find(name)
        if self._made is not None:
            self._logs[server.name] = await self._made.log(server.name)
        if not (server.everywhere or server.projects):
            await self._end(server.name)
        return report

    async def note(self, report: ServerReport) -> None:
        """Keeps what a server lists, or why it failed. What it lists first counts as seen."""
        await self.load()
        listed, now = self.listed(report.server), self._clock.stamp()
        if report.state != "ready":
            await self._keep(report.server, replace(listed, problem=report.problem, at=now))
            return
        seen = listed.seen if listed.version or listed.tools else report.tools
        fresh = replace(listed, at=now, version=report.version, problem="", tools=report.tools, seen=seen)
        await self._keep(report.server, fresh)

    def tell_awaited(self, thread_id: str, names: Sequence[str]) -> None:
        """Tells that a thread's question waits for servers."""
        self._announcements.publish(ToolServersAwaited(thread_id, tuple(names)))

    def tell_state(self, thread_id: str, servers: Collection[ToolServer]) -> None:
        """Tells in a thread of servers whose tools are not those that the user has seen, once for each list, and of
        those that could not start or have not answered yet, once for each trouble.
        """
        late, failed = list[str](), list[str]()
        for name in (one.name for one in servers):
            kept = self.listed(name)
            if (changes := kept.changes) and self._told.get(name) != kept.tools:
                self._told[name] = kept.tools
                words = changed_words(name, changes)
                self._announcements.publish(NoticeRaised(thread_id, "tools_changed", words))
            # another time or number in what a server says is no other trouble
            trouble = re.sub(r"\w*\d\w*", "", kept.problem) if kept.at else "late"
            if trouble and self.troubles.get(name) != trouble:
                self.troubles[name] = trouble
                (failed if kept.at else late).append(name)
        if late:
            words = phrase("{names} did not start in time", names=listed(late))
            self._announcements.publish(NoticeRaised(thread_id, "tools_failed", words))
        if failed:
            words = phrase("{names} could not start", names=listed(failed))
            self._announcements.publish(NoticeRaised(thread_id, "tools_failed", words))

    async def note_used(self, name: str, tool: str) -> None:
        """Keeps when a tool was called last."""
        await self.load()
        listed = self.listed(name)
        await self._keep(name, replace(listed, used={**listed.used, tool: self._clock.stamp()}))

    async def log_of(self, name: str) -> str:
        """The last that a server wrote on its standard error; of one that has ended, what it wrote when tested."""
        server = self.find(name)
        said = await self._made.log(server.name) if self._made is not None else ""
        return said or self._logs.get(server.name, "")

    async def found_elsewhere(
        self, home: Path, environ: Mapping[str, str], extra: Iterable[Path] = ()
    ) -> Sequence[tuple[str, Sequence[FoundToolServer], str]]:
        """The servers of other apps that are here: the app or file, its servers, and what is wrong with its file."""
        places = {**other_apps_files(home, sys.platform, environ), **{str(path): path for path in extra}}
        return await asyncio.to_thread(_found_in, places, environ, frozenset(map(str, extra)))

    def free_name(self, name: str) -> str:
        """The name, with a number behind it where a server is called that."""
        taken = {one.name.casefold() for one in self.all}
        numbers = (name, *(f"{name} {number}" for number in range(2, len(taken) + 3)))
        return next(one for one in numbers if one.casefold() not in taken)

    async def close(self) -> None:
        """Ends the servers; what is being written is."""
        if self._made is not None:
            await self._made.close()
        await asyncio.gather(*self._notes, return_exceptions=True)

    async def _end(self, name: str) -> None:
        if self._made is not None:
            await self._made.end(name)

    def _failed(self, report: ServerReport) -> None:
        task = asyncio.ensure_future(self.note(report))
        self._notes.add(task)
        task.add_done_callback(self._notes.discard)

    async def _write(self, server: ToolServer) -> None:
        await self._set(server.name, {key: value for key, value in settings_of(server).items() if value is not None})

    async def _set(self, name: str, values: Mapping[str, SettingValue]) -> None:
        await self._preferences.set_values(
            {dotted_name(("tool_servers", name, key)): one for key, one in values.items()}
        )

    async def _keep(self, name: str, listed: ListedTools) -> None:
        self._listed[name] = listed
        if not listed.problem:
            self.troubles.pop(name, None)
        await self._save()
        self._announcements.publish(ToolServerListed(name))

    async def _save(self) -> None:
        if self._read_only:
            return
        async with self._writing:
            servers = {name: asdict(one) for name, one in self._listed.items()}
            text = json.dumps({"version": 1, "servers": servers}, ensure_ascii=False)
            try:
                await asyncio.to_thread(write_atomically, self._path, text.encode())
            except OSError as error:
                log.warning("the tools of servers can not be kept: %s", type(error).__name__)


def _with(names: Collection[str], name: str, *, on: bool) -> list[str] | None:
    others = [one for one in names if one != name]
    return [*others, *([name] if on else [])] or None


def _read(path: Path) -> dict[str, ListedTools]:
    try:
        whole = json.loads(path.read_bytes())
        return {str(name): _listed(one) for name, one in whole["servers"].items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        log.warning("the kept tools of servers can not be read: %s", type(error).__name__)
        return {}


def _listed(value: Mapping[str, Any]) -> ListedTools:
    texts = {key: str(value.get(key, "")) for key in ("at", "version", "problem")}
    tools, seen = (tuple(ServerTool(**one) for one in value.get(key, ())) for key in ("tools", "seen"))
    return ListedTools(tools=tools, seen=seen, used=dict(value.get("used", {})), **texts)


def other_apps_files(home: Path, platform: str, environ: Mapping[str, str]) -> dict[str, Path]:
    """The files in which other apps keep their servers, by the app's name; they may not be there."""
    if platform == "win32":
        desktop = Path(environ.get("APPDATA") or home / "AppData" / "Roaming") / "Claude"
    elif platform == "darwin":
        desktop = home / "Library" / "Application Support" / "Claude"
    else:
        desktop = Path(environ.get("XDG_CONFIG_HOME") or home / ".config") / "Claude"
    return {"Claude Desktop": desktop / "claude_desktop_config.json", "Claude Code": home / ".claude.json"}


def _found_in(
    places: Mapping[str, Path], environ: Mapping[str, str], chosen: Collection[str]
) -> Sequence[tuple[str, Sequence[FoundToolServer], str]]:
    found: list[tuple[str, Sequence[FoundToolServer], str]] = []
    for name, path in places.items():
        try:
            if not path.is_file() or path.stat().st_size > LARGEST_FILE:
                raise UserError("usage", phrase("{path} is no file of settings.", path=path))
            servers = read_servers(path.read_bytes().decode("utf-8", errors="replace"), environ)
            found.append((name, servers, ""))
        except (UserError, OSError) as error:
            # an app without servers, or that is not here, is nothing to be told of
            words = error.failure.message if isinstance(error, UserError) else os.strerror(error.errno or 0)
            if name in chosen or (path.is_file() and "JSON" in words):
                found.append((name, (), words))
    return found
