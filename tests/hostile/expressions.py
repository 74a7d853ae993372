"""Every regular expression that a module of the app keeps, by the module's name and its own."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator

import desktop_app

_NOT_IMPORTED = ("desktop_app.__main__", "desktop_app.ui.transcript.formulas")
"""What runs by being imported, what is no part of the window, and what works in a process with a limit of its own."""


def expressions() -> Iterator[tuple[str, re.Pattern[str]]]:
    """The compiled expressions for text, those in tuples and mappings too."""
    for found in pkgutil.walk_packages(desktop_app.__path__, "desktop_app."):
        if found.name.startswith(_NOT_IMPORTED):
            continue
        module = importlib.import_module(found.name)
        for name, value in vars(module).items():
            several = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else (value,)
            for number, one in enumerate(several):
                if isinstance(one, re.Pattern) and isinstance(one.pattern, str):
                    yield f"{found.name.removeprefix('desktop_app.')}.{name}[{number}]", one
