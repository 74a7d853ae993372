"""Owns how PySide6 is imported the first time: without what only its own makers use. Knows no class of Qt.

PySide carries a dozen Python modules inside its library, as source, and compiles and runs all of them at every start.
Two of them write PySide's stub files and are never called in an app, but take 15 ms of its start.
"""

from __future__ import annotations

import builtins
import importlib
from typing import Any

STUB_WRITERS = frozenset(
    {"shibokensupport/signature/lib/pyi_generator.py", "shibokensupport/signature/lib/enum_sig.py"}
)
"""As PySide 6.8 to 6.11 name them when they compile them; a name that no longer comes is no harm."""


def import_pyside() -> None:
    """Imports `PySide6.QtCore` with the modules that write stubs left empty; to be called before any other import."""
    compiled = builtins.compile

    def without_stub_writers(source: Any, filename: Any, *rest: Any, **options: Any) -> Any:
        return compiled("" if filename in STUB_WRITERS else source, filename, *rest, **options)

    builtins.compile = without_stub_writers
    try:
        importlib.import_module("PySide6.QtCore")
    finally:
        builtins.compile = compiled
