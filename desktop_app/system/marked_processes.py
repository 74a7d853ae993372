"""Finds and ends programs that were started for somebody else, however far they went: by a mark in their environment.

Only on Linux is there a way to find them; elsewhere all of it does nothing.
"""

from __future__ import annotations

import ctypes
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from desktop_app.system.process_owner import Owner, is_alive, this_process

HANDED: Final = (
    *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP"),
    *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"),
    *("XDG_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "SSH_AUTH_SOCK"),
    *("APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROCESSOR_ARCHITECTURE", "SYSTEMDRIVE"),
    *("SYSTEMROOT", "USERNAME", "USERPROFILE", "WINDIR", "COMSPEC", "PROGRAMDATA", "PROGRAMFILES"),
)
"""The variables that servers get: what programs need to run, no key of anybody."""

_PR_SET_CHILD_SUBREAPER = 36
_ROUNDS = 50
"""Times that the programs which a killed one has started meanwhile are looked for."""


def handed_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The part of an environment that servers get."""
    return {name: value for name, value in environ.items() if name in HANDED or name.startswith("LC_")}


def adopt_orphans() -> None:
    """Makes this process the parent of what its programs leave behind; does nothing but on Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1)


def server_mark(serial: str) -> str:
    """A text for the environment of a program, by which it and all that it starts are found: it names this process."""
    me = this_process()
    return f"plimsoll:{me.pid}:{me.started}:{serial}:"


def kill_marked(mark: str) -> None:
    """Kills every process of ours that has the mark in its environment, until there is none. Only on Linux."""
    _kill_until_none(lambda: [pid for pid, environment in _environments() if mark.encode() in environment])


def kill_children() -> None:
    """Kills every process below this one, until there is none. Only on Linux."""
    own = os.getpid()
    _kill_until_none(lambda: _below(own))


def kill_left_behind() -> None:
    """Kills the programs whose mark names a process that has ended. Only on Linux."""

    boot = this_process().boot

    def found() -> list[int]:
        marked = ((pid, _MARKED.search(environment)) for pid, environment in _environments())
        return [pid for pid, mark in marked if mark and not is_alive(Owner(int(mark[1]), mark[2].decode(), boot))]

    _kill_until_none(found)


_MARKED = re.compile(rb"=plimsoll:(\d+):(\d+):")


def _kill_until_none(find: Callable[[], list[int]]) -> None:
    if sys.platform == "linux":
        for _ in range(_ROUNDS):
            if not (found := find()):
                return
            for pid in found:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
                with suppress(ChildProcessError):  # most are not ours
                    os.waitpid(pid, os.WNOHANG)
            time.sleep(0.01)


def _environments() -> Iterator[tuple[int, bytes]]:
    """The processes of this user but this one, zombies left out, with their environments."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            with suppress(OSError):
                if environment := (entry / "environ").read_bytes():
                    yield int(entry.name), environment


def _below(parent: int) -> list[int]:
    """The processes below one, nearest first, zombies left out."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):
                state, above = (entry / "stat").read_bytes().rpartition(b")")[2].split()[:2]
                if state not in {b"Z", b"X"}:
                    parents.setdefault(int(above), []).append(int(entry.name))
    found = list(parents.get(parent, ()))
    for pid in found:
        found += parents.get(pid, ())
    return found
