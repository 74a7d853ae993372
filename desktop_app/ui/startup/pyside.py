"""The first import of PySide6: without the parts an app has no use for. Imports no class of Qt.

PySide carries a dozen Python modules inside its library, as source, and compiles and runs all of them at every start.
Most of them say what a wrong call should have been, or write PySide's stub files: a third of what the import takes.
"""

from __future__ import annotations

import builtins
import importlib
import sys
from typing import Any

SELDOM_ASKED = frozenset(
    f"shibokensupport/signature/{name}.py"
    for name in ("errorhandler", "layout", "lib/enum_sig", "lib/pyi_generator", "lib/tool", "parser")
)
"""As PySide 6.8 to 6.11 name them when they compile them; a name that no longer comes is no harm. `mapping` belongs to
them, too, but PySide looks for its names where no module can be asked."""

_RUN_WHEN_ASKED = """
def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)  # the import system looks for such names in every module
    del globals()["__getattr__"]
    exec({source!r}, globals())
    return globals()[name]
"""


def import_pyside() -> None:
    """Imports `PySide6.QtCore`, to be called before any other import of PySide6.

    `SELDOM_ASKED` run when the first name of theirs is asked for, and no source of a module imported later is read.
    """
    compiled = builtins.compile

    def put_off(source: Any, filename: Any, *rest: Any, **options: Any) -> Any:
        later = _RUN_WHEN_ASKED.format(source=source) if filename in SELDOM_ASKED else source
        return compiled(later, filename, *rest, **options)

    builtins.compile = put_off
    try:
        importlib.import_module("PySide6.QtCore")
    finally:
        builtins.compile = compiled
    _spare_source_reading()


def _spare_source_reading() -> None:
    """Keeps PySide from reading the source of every module that is imported from now on.

    PySide looks there for the word PySide6, to know where its optional `snake_case` names may be switched on, which
    nobody here does. Reading costs about as much as importing (napari/napari#8584).
    """
    feature = sys.modules.get("shibokensupport.feature")
    if hasattr(feature, "_mod_uses_pyside"):
        feature._mod_uses_pyside = _without_features  # type: ignore[union-attr]


def _without_features(_module: object) -> bool:
    return False
