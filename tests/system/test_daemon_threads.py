"""What hangs beside keeps nobody else from being served, and no process from ending."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.system.worker_process import DaemonThreads
from tests.fakes.waiting_port import WaitingPort
from tests.patience import PATIENCE_S

HANGS = """
import asyncio, threading
from desktop_app.system.worker_process import DaemonThreads
async def main():
    loop = asyncio.get_running_loop()
    loop.set_default_executor(DaemonThreads(end_s=0.01))
    for _ in range(5):
        loop.run_in_executor(None, threading.Event().wait)
    print(await asyncio.to_thread(lambda: "served"))
asyncio.run(main())
"""


@pytest.fixture
def hanging() -> Iterator[WaitingPort]:
    port = WaitingPort()
    yield port
    port.release()


@given(st.lists(st.booleans(), max_size=40))
def test_work_is_done_whatever_hangs_beside_it(order: list[bool]) -> None:
    """Every `True` hangs; fewer than there may be threads."""
    port, threads = WaitingPort(), DaemonThreads(len(order) + 1, end_s=PATIENCE_S)
    asked = [threads.submit(port) if hangs else threads.submit(lambda: "done") for hangs in order]
    for hangs, future in zip(order, asked, strict=True):
        assert hangs or future.result(PATIENCE_S) == "done"
    port.release()
    assert [future.result(PATIENCE_S) for future in asked] == [None if hangs else "done" for hangs in order]
    threads.shutdown()


def test_a_thread_that_is_free_is_used_again() -> None:
    threads = DaemonThreads(end_s=PATIENCE_S)
    first = threads.submit(threading.current_thread).result(PATIENCE_S)
    gate = threading.Event()
    held = [threads.submit(gate.wait, PATIENCE_S) for _ in range(3)]
    gate.set()
    for one in held:
        one.result(PATIENCE_S)
    used = {threads.submit(threading.current_thread).result(PATIENCE_S) for _ in range(9)}
    threads.shutdown()
    assert len(used | {first}) <= 4
    assert all(thread.daemon and not thread.is_alive() for thread in used)


def test_shutting_down_waits_for_a_while_only_and_takes_no_more(hanging: WaitingPort) -> None:
    threads = DaemonThreads(end_s=0.01)
    threads.submit(hanging)
    threads.shutdown()
    with pytest.raises(RuntimeError):
        threads.submit(hanging)


async def test_an_error_of_any_kind_comes_to_who_asked() -> None:
    threads = DaemonThreads()
    with pytest.raises(ZeroDivisionError):
        await asyncio.wrap_future(threads.submit(lambda: 1 // 0))
    threads.shutdown()


def test_a_process_ends_while_its_threads_hang() -> None:
    done = subprocess.run(
        [sys.executable, "-c", HANGS], capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert (done.stdout, done.stderr, done.returncode) == ("served\n", "", 0)
