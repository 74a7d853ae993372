"""The real program ends in order while a keyring and a name server hang, and what was typed is there again."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")]

HANGS = """
import socket, sys, threading
from pathlib import Path
import desktop_app.window_life as window_life
from desktop_app.__main__ import main

folder, hung = Path(sys.argv[1]), sys.argv[2]
for_ever = threading.Event().wait
window_life.HUNG_S = 1.0
if hung == "keyring":
    import keyring
    from tests.fakes.waiting_port import WaitingKeyring, WaitingPort
    keyring.set_keyring(WaitingKeyring(WaitingPort()))
if hung == "names":
    socket.getaddrinfo = lambda *_, **__: for_ever()
if hung == "end":  # whatever it may be
    import desktop_app.composition as composition
    async def close(self):
        for_ever()
    composition.AppServices.close = close
from desktop_app.ui.shell.session import WindowSession
opened = WindowSession._open_first
async def open_first(self, services):
    await opened(self, services)
    self.window.composer.editor.setPlainText("typed before the end")
    (folder / "typed").touch()
WindowSession._open_first = open_first
raise SystemExit(main(["--data-dir", str(folder)]))
"""


@pytest.mark.parametrize("hung", ["keyring", "names", "end"])
def test_it_ends_and_keeps_what_was_typed(data_dir: Path, hung: str) -> None:
    data_dir.mkdir(mode=0o700)
    environ = {**os.environ, "OPENAI_BASE_URL": "http://models.example/v1", "PATH": ""}
    if hung == "names":
        environ["OPENAI_API_KEY"] = "sk-test"
    command = [sys.executable, "-c", HANGS, str(data_dir), hung]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environ)
    wait_until((data_dir / "typed").exists, "the window")
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, errors) == (143, "")
    with closing(sqlite3.connect(data_dir / "history.db")) as history:
        assert ("typed before the end",) in history.execute("SELECT draft FROM thread").fetchall()
    if hung == "end":
        assert "was cut off" in "".join(path.read_text() for path in (data_dir / "logs").glob("*.log*"))
