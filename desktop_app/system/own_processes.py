"""Starts a part of the app as a process (its command, its environment), and names the socket of the window.

Such a part runs apart because it is untrusted, slow, or both; each has a module with a `main`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

SERVE_LOCAL_MODEL: Final = "--serve-local-model"
READ_DOCUMENTS: Final = "--read-documents"
READ_PROJECTS: Final = "--read-projects"
CHECK_SPELLING: Final = "--check-spelling"
TYPESET_FORMULAS: Final = "--typeset-formulas"
PRINT_PDF: Final = "--print-pdf"
HOST_TOOLS: Final = "--host-tools"
COUNT_TOKENS: Final = "--count-tokens"
SEAL_BY_PASSPHRASE: Final = "--seal-by-passphrase"
"""First arguments with which the frozen app becomes one of its processes; not for people."""

BROKEN: Final = "broken"
FAILED: Final = "failed"
"""Stand in an answer for a missing module, and for a fault that nobody foresaw; `where` tells the way to it."""

_NEEDED: Final = (
    *("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TEMP", "TMP", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"),
    *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "USERPROFILE", "APPDATA"),
)


def own_command(argument: str, module: str) -> list[str]:
    """The command that runs `main` of a module, for a checkout or an installed package and for the frozen app."""
    if getattr(sys, "frozen", False):
        return [sys.executable, argument]
    # -P: no module of the folder the app was started in; not -m, which complains about a module imported before
    return [sys.executable, "-P", "-c", f"from {module} import main; raise SystemExit(main())"]


def bare_environment(*further: str) -> dict[str, str]:
    """Return the variables that a Python needs to start and those named besides, nothing else: no key, no token."""
    kept = {name: value for name in (*_NEEDED, *further) if (value := os.environ.get(name)) is not None}
    return finding_the_package(kept)


def finding_the_package(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment of a process that finds this package also where it is not installed."""
    here = str(Path(__file__).parents[2])
    return {**environment, "PYTHONPATH": os.pathsep.join(filter(None, [here, environment.get("PYTHONPATH")]))}


MAX_MESSAGE: Final = 1_000_000
"""Bytes; longer messages are not ours."""
LONGEST_PATH: Final = 100
"""The kernel takes 107 bytes of a socket's path."""


def socket_name(data_dir: Path) -> str:
    """The socket's path in the data folder; a short name made from it where paths are too long or not possible."""
    path = str(data_dir.resolve() / "instance.sock")
    if sys.platform != "win32" and len(path.encode()) <= LONGEST_PATH:
        return path
    import hashlib  # loads OpenSSL, which few starts need before the first paint

    return "plimsoll-" + hashlib.sha256(path.encode()).hexdigest()[:24]
