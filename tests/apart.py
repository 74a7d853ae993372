"""Owns how a test starts a process in a PID namespace of its own, as in a container; `needed` skips where it can't."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence

import pytest

_APART = ("unshare", "--pid", "--fork", "--kill-child", "--mount-proc")


def started_apart(command: Sequence[str]) -> subprocess.Popen[str]:
    """The command with numbers of its own, the first of them 1. Killing what is returned kills it."""
    return subprocess.Popen([*_APART, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _is_permitted() -> bool:
    if shutil.which("unshare") is None:
        return False
    return subprocess.run([*_APART, "true"], capture_output=True, check=False).returncode == 0


needed = pytest.mark.skipif(not _is_permitted(), reason="no PID namespace may be made here")
