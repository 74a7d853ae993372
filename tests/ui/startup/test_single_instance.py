"""One window per data folder; a second start hands its arguments over."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop_app.instance_socket import MAX_MESSAGE, socket_name
from desktop_app.ui.startup.single_instance import SingleInstance, hand_over
from tests.patience import PATIENCE_S

HAND_OVER = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from desktop_app.ui.startup.single_instance import SingleInstance, hand_over
app = QCoreApplication([])
folder = Path(sys.argv[1])
print(SingleInstance(folder).claim(), hand_over(folder, {"open_thread": "abc"}, 3))
"""
CRASH = """
import os, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from desktop_app.ui.startup.single_instance import SingleInstance
app = QCoreApplication([])
instance = SingleInstance(Path(sys.argv[1]))
print(instance.claim() and instance.listen(), flush=True)
os.kill(os.getpid(), 9)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "d"
    path.mkdir(mode=0o700)
    return path


async def test_a_second_start_hands_its_arguments_over(folder: Path, qapp: QApplication) -> None:
    first = SingleInstance(folder)
    received: list[object] = []
    first.arguments_received.connect(received.append)
    assert first.claim()
    assert first.listen()
    second = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HAND_OVER, str(folder), stdout=asyncio.subprocess.PIPE
    )
    output, _ = await asyncio.wait_for(second.communicate(), PATIENCE_S)
    assert output.split() == [b"False", b"True"]
    assert received == [{"open_thread": "abc"}]
    first.close()


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes have no mode")
def test_the_socket_is_for_this_user_only(folder: Path, qapp: QApplication) -> None:
    instance = SingleInstance(folder)
    assert instance.claim()
    assert instance.listen()
    assert Path(socket_name(folder)).stat().st_mode & 0o077 == 0
    instance.close()


def test_the_socket_of_a_killed_window_is_taken_over(folder: Path, qapp: QApplication) -> None:
    crashed = subprocess.run(
        [sys.executable, "-c", CRASH, str(folder)], capture_output=True, timeout=PATIENCE_S, check=False
    )
    assert crashed.stdout.strip() == b"True"
    assert (folder / "instance.sock").exists()
    assert (folder / "instance.lock").exists()
    instance = SingleInstance(folder)
    assert instance.claim()
    assert instance.listen()
    instance.close()


def test_nobody_at_home_is_told_within_the_time(folder: Path, qapp: QApplication) -> None:
    assert not hand_over(folder, {}, 0.1)


def test_a_long_path_gets_a_short_socket_name(tmp_path: Path) -> None:
    assert len(socket_name(tmp_path / ("x" * 120)).encode()) < 100


async def connected(name: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    if sys.platform == "win32":
        pytest.skip("its sockets have no path")
    else:
        return await asyncio.open_unix_connection(name)


@pytest.mark.parametrize(
    "said",
    [b"[" * 100_000 + b"\n", b"\xff\x00\n", b'["open"]\n', b"{\n", b"9" * 5_000 + b"\n", b"a" * (MAX_MESSAGE + 10)],
    ids=["nested too deeply", "bytes", "a list", "cut", "digits", "without an end"],
)
async def test_what_is_no_message_is_not_heard_and_hung_up_on(said: bytes, folder: Path, qapp: QApplication) -> None:
    instance = SingleInstance(folder)
    assert instance.claim()
    assert instance.listen()
    heard: list[object] = []
    instance.arguments_received.connect(heard.append)
    try:
        reader, writer = await connected(socket_name(folder))
        async with asyncio.timeout(PATIENCE_S):
            with contextlib.suppress(ConnectionError):
                writer.write(said)
                await writer.drain()
                assert await reader.read() == b""
        writer.close()
        assert heard == []
    finally:
        instance.close()
