from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.system import process_owner
from desktop_app.system.process_owner import Owner, is_alive, this_process


def test_this_process_lives() -> None:
    assert is_alive(this_process())


def test_the_same_number_with_another_start_or_boot_is_another_process() -> None:
    me = this_process()
    assert not is_alive(replace(me, started=me.started + "1"))
    assert not is_alive(replace(me, boot="another boot"))


def test_a_process_that_ended_is_dead_even_before_it_is_waited_for() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        other = Owner(child.pid, process_owner._started(child.pid) or "", this_process().boot)
        assert is_alive(other)
        child.kill()
        assert child.stdout is not None
        child.stdout.read()  # ends when the process does
    assert not is_alive(other)


@pytest.mark.skipif(not Path("/bin/ps").exists(), reason="needs ps")
def test_systems_without_proc_are_asked_by_ps() -> None:
    import os

    assert process_owner.started_posix(os.getpid()) == process_owner.started_posix(os.getpid()) is not None
    assert process_owner.started_posix(2**22 + 1) is None
