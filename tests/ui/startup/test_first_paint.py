"""What the window's first paint loads, and how it imports PySide6: every module that it need not load comes later."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import Message, TextPart, Thread
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow

MOST_LINES = 17_500
"""Of Plimsoll's own sources, a thousand of which take some 5 ms. Modules do not count: none is split for this bound."""

MOST_AT_ONCE = 16
"""Modules of Plimsoll in one piece of what is imported after the first paint; 40 of them stall the window for 30 ms."""

HEAVY = {
    "sqlmodel",
    "sqlalchemy",
    "pydantic",
    "anthropic",
    "openai",
    "keyring",
    "asyncio",
    "qasync",
    "pygments",
    "hashlib",
}

LATER = {
    "desktop_app.core.attachment_facts",
    "desktop_app.core.model_catalog",
    "desktop_app.core.context.plan",
    "desktop_app.core.events",
    "desktop_app.core.markdown.unclosed_marks",
    "desktop_app.core.markdown.sections",
    "desktop_app.core.settings",
    "desktop_app.core.stream_events",
    "desktop_app.storage.migrations",
    "desktop_app.ui.i18n.content_words",
    "desktop_app.ui.models.model_choice",
    "desktop_app.ui.composer.composer_rows",
    "desktop_app.ui.transcript.message.message_changes",
    "desktop_app.ui.widgets.floating",
    "desktop_app.ui.widgets.dragging",
    "desktop_app.ui.transcript.message.links",
    "desktop_app.ui.widgets.picture_cache",
    "desktop_app.ui.threads.results_pane",
    "desktop_app.ui.transcript.message.action_bar",
    "desktop_app.ui.transcript.items.fold_items",
    "desktop_app.ui.transcript.reading.keyboard_navigation",
    "desktop_app.ui.transcript.reading.clipboard_copy",
    "desktop_app.ui.transcript.find.find_bars",
    "desktop_app.ui.transcript.find.find_in_thread",
    "desktop_app.ui.transcript.formulas",
    "desktop_app.ui.transcript.canvas.pointer",
    "desktop_app.ui.transcript.message.tool_rows",
    "desktop_app.ui.shell.wiring",
    "desktop_app.ui.attachments.attachment_viewer",
}

LATE_CLASSES = {"QStyle", "QCalendarWidget", "QFileDialog", "QTableView"}
"""Of QtWidgets. Some are big; the others are only there if PySide was made to load every kind of widget."""

PAINTED = """
import os, sys
from desktop_app.__main__ import main
from desktop_app.ui.startup.pyside import import_pyside
import_pyside()
from desktop_app.ui.shell import opening
class Watched(opening.Opening):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        assert len(self.window.stage.transcript.messages) == 2
        self.window.first_painted.connect(self.painted)
    def painted(self):
        import PySide6.QtWidgets as widgets
        print(*sys.modules)
        print(*(name for name, value in vars(widgets).items() if isinstance(value, type)), flush=True)
        os._exit(0)
opening.Opening = Watched
main(["--data-dir", sys.argv[1], "--backend", "scripted"])
"""

ANSWER = (
    "Some **prose** with `code`.\n\n- a list\n\n> a quote\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nprint(1)\n```\n"
)


def lines_of(module: str) -> int:
    """How long its source is."""
    spec = importlib.util.find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).read_text("utf-8").count("\n")


async def test_the_first_paint_loads_only_what_it_paints(data_dir: Path) -> None:
    data_dir.mkdir(mode=0o700)
    history = await SqliteHistory.open(data_dir / "history.db")
    stamp = "2026-11-01T00:00:00.000Z"
    thread = Thread("t", "A thread", stamp, stamp, "scripted", "scripted", tip="a")
    asked = Message("q", "t", None, "user", (TextPart("Why?"),), stamp)
    answered = Message("a", "t", "q", "assistant", (TextPart(ANSWER),), stamp)
    await history.import_threads([ImportedThread("test", thread, (asked, answered))])
    await history.close()

    run = subprocess.run(  # noqa: ASYNC221 - nothing else is waiting
        [sys.executable, "-c", PAINTED, str(data_dir)], capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert run.returncode == 0, run.stderr
    loaded, classes = (set(line.split()) for line in run.stdout.splitlines())
    assert loaded & HEAVY == set()
    assert loaded & LATER == set()
    assert classes & LATE_CLASSES == set()
    own = {name for name in loaded if name.partition(".")[0] == "desktop_app"}
    assert "desktop_app.ui.transcript.items.table_item" in own
    lines = {name: lines_of(name) for name in own}
    assert sum(lines.values()) <= MOST_LINES, sorted(lines.items(), key=lambda one: -one[1])


def test_pyside_says_what_was_wrong_in_a_call_although_that_is_loaded_when_it_is_asked_for() -> None:
    program = (
        "from desktop_app.ui.startup.pyside import import_pyside; import_pyside()\n"
        "import builtins, linecache, sys\n"
        "from PySide6.QtCore import QPoint\n"
        "import PySide6.support.signature.parser as parser\n"
        "import desktop_app.ui.theme.theme\n"
        "assert not [name for name in linecache.cache if 'desktop_app' in name], 'no source was read'\n"
        "assert 'argparse' not in sys.modules\n"
        "assert 'pyside_type_init' not in vars(parser)\n"
        "assert eval(builtins.compile('6 * 7', 'x', 'eval')) == 42\n"
        "try:\n    QPoint('a', 'b')\nexcept TypeError as error:\n    print(error)\n"
        "assert 'pyside_type_init' in vars(parser)\n"
        "print(QPoint.setX.__doc__)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE_S, check=True
    )
    assert "QPoint" in run.stdout
    assert "Supported signatures" in run.stdout
    assert "setX(self, x: int" in run.stdout


SLICED = """
import importlib, sys
from desktop_app.ui.startup.pyside import import_pyside
import_pyside()
from desktop_app.ui.startup import background_imports as imports
from desktop_app.ui.shell import opening
def own():
    return {name for name in sys.modules if name.startswith("desktop_app.")}
for name in (*imports.BESIDE, "desktop_app.app"):
    importlib.import_module(name)
for name in imports.SLICES:
    before = own()
    importlib.import_module(name)
    print(name, len(own() - before))
"""


def test_the_rest_comes_in_small_pieces() -> None:
    run = subprocess.run([sys.executable, "-c", SLICED], capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    brought = {name: int(count) for name, count in map(str.split, run.stdout.splitlines())}
    assert brought["desktop_app.ui.shell.session"] > 0
    large = {name: count for name, count in brought.items() if count > MOST_AT_ONCE}
    assert not large, "`python -m tests.ui.import_slices` works the pieces out anew"
