"""What the environment of this process holds for somebody else is not handed on; every part starts on Windows, too."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from desktop_app.history_opening import SECRET_VARIABLES
from desktop_app.system.own_processes import bare_environment
from desktop_app.ui.spelling.speller import _environment
from tests.patience import PATIENCE_S

OTHERS = ("AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "DATABASE_URL", "SSH_AUTH_SOCK", "HTTPS_PROXY")
SECRET = "harbor-7731"


@pytest.fixture
def secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*SECRET_VARIABLES, *OTHERS):
        monkeypatch.setenv(name, SECRET)
    monkeypatch.setenv("LANG", "C.UTF-8")


@pytest.mark.usefixtures("secrets")
def test_only_what_is_needed_is_handed_on() -> None:
    environment = bare_environment()
    assert SECRET not in environment.values()
    assert environment["LANG"] == "C.UTF-8"


@pytest.mark.usefixtures("secrets")
def test_spelling_gets_no_more() -> None:
    given = _environment().toStringList()
    assert [one for one in given if one.startswith("LANG=")]
    assert not [one for one in given if SECRET in one]


IMPORTING = """
import asyncio, ctypes.wintypes, importlib, keyring, pkgutil, subprocess, sys, anthropic, openai, platformdirs, qasync
import mcp.client.streamable_http
import sqlmodel, PySide6.QtWidgets, desktop_app.__main__, desktop_app.ui.transcript.formulas.ziamath_adapter
names = [one.name for one in pkgutil.walk_packages(desktop_app.__path__, "desktop_app.")]
for name in [one for one in sys.modules if one.startswith("desktop_app.") and "ziamath" not in one]:
    del sys.modules[name]
sys.platform = "win32"
for name in names:
    importlib.import_module(name)
print(len(names), "modules")
"""


def test_every_module_is_imported_where_the_system_is_windows() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORTING],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.stdout.endswith("modules\n"), done.stderr
