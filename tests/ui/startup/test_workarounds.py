"""Each way around another library has its reason still: where a test fails here, the way around can go (0034)."""

from __future__ import annotations

import subprocess
import sys

import pytest

from desktop_app.core.code_lexing import find_lexer
from desktop_app.ui.startup.pyside import SELDOM_ASKED
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow

COMPILED = """
import builtins
compiled, sizes = builtins.compile, {}
def compile(source, filename, *rest, **options):
    sizes[str(filename)] = len(source)
    return compiled(source, filename, *rest, **options)
builtins.compile = compile
import PySide6.QtCore
for name, size in sizes.items():
    if name.startswith("shibokensupport"):
        print(name, size)
"""

READ = """
import linecache
import PySide6.QtCore
import desktop_app.core.messages
print(*linecache.cache)
"""

LOADED = """
import gc
gc.disable()
from desktop_app.ui.startup.pyside import import_pyside
import_pyside()
import desktop_app.ui.shell.session
print(gc.get_count()[0])
"""


def printed(program: str) -> list[str]:
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE_S, check=True
    )
    return run.stdout.splitlines()


def test_most_of_what_pyside_compiles_at_its_import_only_explains_wrong_calls() -> None:
    sizes = {name: int(size) for name, _, size in (line.rpartition(" ") for line in printed(COMPILED))}
    assert sizes.keys() >= SELDOM_ASKED
    assert sum(sizes[name] for name in SELDOM_ASKED) > sum(sizes.values()) / 2


def test_pyside_reads_the_source_of_every_module_that_is_imported_after_it() -> None:
    assert "desktop_app/__init__.py" in printed(READ)[0]


def test_a_start_leaves_so_many_objects_that_one_look_for_garbage_would_stall_the_window() -> None:
    assert int(printed(LOADED)[0]) > 30_000


def test_the_lexers_own_loop_does_not_say_in_which_state_it_ended() -> None:
    lexer = find_lexer("python")
    assert lexer is not None
    stack = ["root"]
    tokens = list(lexer.get_tokens_unprocessed('"""a text that goes on\n', stack))  # type: ignore[call-arg]
    assert tokens
    assert stack == ["root"]
