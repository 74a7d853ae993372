"""Finds the `claude` program, tells whether its version will do, and sets its environment."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from desktop_app.backends.claude_cli.program_process import run_briefly
from desktop_app.core.context.plan import CacheLifetime
from desktop_app.core.errors import UserError
from desktop_app.core.phrases import phrase

HANDED_OVER = frozenset(
    (
        *("PATH", "HOME", "USER"),  # macOS keeps the login in the keychain under the user's name
        *("LANG", "LANGUAGE", "TZ"),
        *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy"),
        *("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"),
        *("CLAUDE_CONFIG_DIR", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"),
        *("USERPROFILE", "APPDATA", "LOCALAPPDATA", "SYSTEMROOT", "TEMP"),  # Windows starts nothing without them
    )
)

SWITCHES: Mapping[str, str] = {
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    # one of three locks against reading the file named by an `@path` in the text; the others are in `invocation`
    "CLAUDE_CODE_DISABLE_ATTACHMENTS": "1",
    # the program's own marks stand where they never match again, and leave room for one of ours (decision 0015)
    "DISABLE_PROMPT_CACHING": "1",
    # by itself the program retries 10 times, more than 100 s of silence
    "CLAUDE_CODE_MAX_RETRIES": "2",
}


TOOL_SWITCHES: Mapping[str, str] = {
    # a tool that the model has to search for first would come into the request one turn late
    "ENABLE_TOOL_SEARCH": "false",
    # a result above this is written to a file in the user's home; by itself the program says 25000
    "MAX_MCP_OUTPUT_TOKENS": "500000",
}
"""The variables set beside `SWITCHES` for an answer that may call tools of ours."""


def reduced_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return what every run of the program gets: the named variables of `environ`, all of `LC_*`, and the switches."""
    passed = {name: value for name, value in environ.items() if name in HANDED_OVER or name.startswith("LC_")}
    return {**passed, **SWITCHES}


def answer_environment(
    environ: Mapping[str, str], *, lifetime: CacheLifetime, max_output: int, tools: bool = False
) -> dict[str, str]:
    """`reduced_environment` for one answer of at most `max_output` tokens; `tools`: it may call tools of ours.

    `lifetime` is that of our cache marks. The program sets none of its own, but is told all the same: should a version
    set some, theirs has to be that of ours, since the Messages API answers 400 when a mark for an hour follows one for
    five minutes.
    """
    switches = TOOL_SWITCHES if tools else {}
    return {
        **reduced_environment(environ),
        **switches,
        "CLAUDE_CODE_PROMPT_CACHE_TTL": lifetime,
        "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(max_output),
    }


Version: TypeAlias = tuple[int, int, int]

MINIMUM: Version = (2, 1, 248)
"""The first version that honours `client_composed`: older ones read the files named by `@path` in the text."""

HOW_TO_GET = phrase('Install it with "npm install -g @anthropic-ai/claude-code", or set PLIMSOLL_CLAUDE to its path')

NO_SHIM = phrase("Set PLIMSOLL_CLAUDE to the claude.exe in node_modules beside it")

_KNOWN_FOLDERS = (
    ".local/bin",
    ".claude/local",
    ".npm-global/bin",
    "node_modules/.bin",
    ".yarn/bin",
    ".bun/bin",
)
_SYSTEM_FOLDERS = ("/usr/local/bin", "/opt/homebrew/bin", "/usr/bin")

_PROBE_S = 10.0
"""A probe takes 0.09 s; the rest is for the first read of 380 MB from a slow disk."""

Stamp: TypeAlias = tuple[Path, int, int]
"""Path, time of change in ns and size in bytes: what tells one file from its update without reading it."""


@dataclass(frozen=True, slots=True)
class Program:
    """A `claude` that can be used. `guard`: the command before it by which the kernel ends it with us, or `()`."""

    path: Path
    version: Version
    stamp: Stamp
    guard: tuple[str, ...] = ()

    @property
    def version_text(self) -> str:
        return ".".join(map(str, self.version))


class ProgramFinder:
    """Looks for the program in the order: `explicit`, PLIMSOLL_CLAUDE, PATH, known folders.

    What was found out is kept as long as path, time of change and size stay the same, so an update is noticed.
    """

    def __init__(self, *, explicit: Path | None, environ: Mapping[str, str], folder: Path) -> None:
        self._explicit = explicit
        self._environ = environ
        self._folder = folder
        self._known: tuple[Stamp, Program] | None = None
        self._lock = asyncio.Lock()

    async def find(self) -> Program:
        """The program; `UserError("config")` says how to get or update it."""
        path = self.locate()
        async with self._lock:
            status = path.stat()
            stamp = path, status.st_mtime_ns, status.st_size
            if self._known is None or self._known[0] != stamp:
                self._known = (stamp, await self._probe(path, stamp))
            return self._known[1]

    def locate(self) -> Path:
        """The first file that can be run, without running it; `UserError("config")` where there is none."""
        named = self._explicit or (Path(self._environ["PLIMSOLL_CLAUDE"]) if self._named() else None)
        if named is None:
            for candidate in self._candidates():
                if _runnable(candidate):
                    return candidate
            raise _config(phrase("The claude program was not found. {how_to_get}.", how_to_get=HOW_TO_GET))
        if _is_shim(named):
            raise _config(
                phrase(
                    "{named} is a script of the Windows command interpreter, which is never started. {no_shim}.",
                    named=named,
                    no_shim=NO_SHIM,
                )
            )
        named = named.expanduser().absolute()  # it is started in another folder
        if not _runnable(named):
            raise _config(
                phrase("The claude program was not found at {named}. {how_to_get}.", named=named, how_to_get=HOW_TO_GET)
            )
        return named

    def _named(self) -> bool:
        return bool(self._environ.get("PLIMSOLL_CLAUDE"))

    def _candidates(self) -> Iterator[Path]:
        name = "claude.exe" if os.name == "nt" else "claude"
        for folder in self._environ.get("PATH", "").split(os.pathsep):
            if Path(folder).is_absolute():
                yield Path(folder, name)
                if os.name == "nt":  # beside the script that npm puts on PATH
                    yield Path(folder, "node_modules", "@anthropic-ai", "claude-code", "bin", name)
        home = self._environ.get("HOME") or self._environ.get("USERPROFILE")
        if home:
            for folder in _KNOWN_FOLDERS:
                yield Path(home, folder, name)
        for folder in _SYSTEM_FOLDERS:
            yield Path(folder, name)

    async def _probe(self, path: Path, stamp: Stamp) -> Program:
        said = ""
        for guard in dict.fromkeys((self._guard(), ())):
            try:
                _, said = await run_briefly(
                    (str(path), "--version"),
                    guard=guard,
                    environ=reduced_environment(self._environ),
                    folder=self._folder,
                    seconds=_PROBE_S,
                )
            except OSError as error:
                raise _config(
                    phrase(
                        "The claude program at {path} can't be started. {how_to_get}.",
                        path=path,
                        how_to_get=HOW_TO_GET,
                    ),
                    str(error),
                ) from error
            # a version that cannot be read may be the guard's fault: try once more without it
            if found := re.match(r"\s*(\d+)\.(\d+)\.(\d+)", said):
                program = Program(path, (int(found[1]), int(found[2]), int(found[3])), stamp, guard)
                if program.version < MINIMUM:
                    needed = ".".join(map(str, MINIMUM))
                    raise _config(
                        phrase(
                            "claude {version_text} is too old, {needed} or newer is needed: "
                            'run "claude update", then try again.',
                            version_text=program.version_text,
                            needed=needed,
                        )
                    )
                return program
        raise _config(
            phrase(
                "The program at {path} does not answer as claude does. {how_to_get}.", path=path, how_to_get=HOW_TO_GET
            ),
            said[:500],
        )

    def _guard(self) -> tuple[str, ...]:
        setpriv = shutil.which("setpriv", path=self._environ.get("PATH", "")) if sys.platform == "linux" else None
        return (setpriv, "--pdeathsig", "KILL", "--") if setpriv else ()


def _runnable(path: Path) -> bool:
    return not _is_shim(path) and path.is_file() and os.access(path, os.X_OK)


def _is_shim(path: Path) -> bool:
    """The command interpreter of Windows would read our arguments by rules of its own, so it is left alone."""
    return path.suffix.lower() in (".cmd", ".bat")


def _config(message: str, detail: str = "") -> UserError:
    return UserError("config", message, detail=detail, actions=("retry", "open_connections"))
