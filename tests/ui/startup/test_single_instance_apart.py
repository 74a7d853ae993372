"""One window per data folder, also where another PID namespace looks at it: its lock counts, not its number."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from desktop_app.ui.startup.single_instance import SingleInstance
from tests.apart import needed, started_apart
from tests.patience import PATIENCE_S

CLAIM = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from desktop_app.ui.startup.single_instance import SingleInstance
app = QCoreApplication([])
instance = SingleInstance(Path(sys.argv[1]))
print(instance.claim(), flush=True)
sys.stdin.readline()
"""


pytestmark = needed


def claiming(folder: Path) -> subprocess.Popen[str]:
    return started_apart([sys.executable, "-c", CLAIM, str(folder)])


def test_a_folder_that_is_served_here_is_not_taken_there(tmp_path: Path, qapp: QApplication) -> None:
    here = SingleInstance(tmp_path)
    assert here.claim()
    assert claiming(tmp_path).communicate("\n", timeout=PATIENCE_S)[0] == "False\n"
    here.close()
    assert claiming(tmp_path).communicate("\n", timeout=PATIENCE_S)[0] == "True\n"


def test_a_folder_that_is_served_there_is_not_taken_here(tmp_path: Path, qapp: QApplication) -> None:
    there = claiming(tmp_path)
    assert there.stdout is not None
    here = SingleInstance(tmp_path)
    try:
        assert there.stdout.readline() == "True\n"
        assert not here.claim()
    finally:
        there.kill()
        there.communicate(timeout=PATIENCE_S)
    assert here.claim()
    here.close()
