"""Leaves out of a package what is not needed, and of some libraries the symbols for debuggers.

Knows nothing of the program: `packaging/trial.py` tries what is left.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

Entry = tuple[str, str, str]
"""Where a file goes, where it comes from, and of which kind it is, as PyInstaller lists them."""

EXCLUDED_MODULES: Final = (
    *(
        "tkinter",
        "unittest.mock",
        "pytest",
        "_pytest",
        "hypothesis",
        "setuptools",
        "pkg_resources",
        "numpy",
        "mypy",
        "ruff",
    ),
    *(
        "PySide6.QtQml",
        "PySide6.QtQuick",
        "PySide6.QtQuickWidgets",
        "PySide6.QtDesigner",
        "PySide6.QtSql",
        "PySide6.QtTest",
    ),
    *("keyrings.alt", "claude_agent_sdk", "llm"),
    "readline",  # under the GPL, and used by no command
    *("rich", "click", "attr", "pydoc_data"),  # httpx2's command line, imported when it is asked for only
    *(
        "lxml.objectify",
        "lxml.html",
        "lxml.isoschematron",
        "lxml.sax",
        "lxml.cssselect",
    ),  # python-docx wants etree alone
    *(f"sqlalchemy.dialects.{name}" for name in ("mysql", "oracle", "postgresql", "mssql")),
    *("boto3", "botocore", "s3transfer", "jmespath", "requests", "urllib3", "charset_normalizer"),  # of the tests' S3
    *("yaml", "dateutil", "dotenv", "itsdangerous", "jsonpointer", "rfc3339_validator", "six"),  # and of other tests
    *("PIL._imagingft", "PIL._imagingtk", "PIL.ImageTk"),  # text drawn into pictures, pictures in Tk
)

_PLUGINS: Final = re.compile(
    r"plugins/(egldeviceintegrations|platformthemes/libqgtk3|generic|networkinformation|qmltooling|sqldrivers)"
    r"|plugins/platforms/libq(eglfs|linuxfb|vnc|vkkhrdisplay|minimalegl|minimal)\b"
    r"|PySide6/Qt/qml/"
)
_TRANSLATION_OF_QT: Final = re.compile(r"PySide6/Qt/translations/(?P<name>.+)\.qm$")
_SOURCE_OF_TRANSLATION: Final = re.compile(r"_resources/translations/.*\.ts$")
_LIBRARY: Final = re.compile(r"(?:^|/)lib[^/]*\.so[^/]*$")
_NEEDED: Final = re.compile(r"\(NEEDED\)[^\[]*\[([^\]]+)\]")

_LOADED_BY_NAME: Final = ("libpython", "libpdfium.", "libmerman_")
"""Libraries that nothing is linked to: the program itself opens the first, pypdfium2 and merman theirs."""

WORTH_STRIPPING: Final = 2**20
"""Smaller libraries, in bytes, are left as they came."""
_REWRITTEN: Final = re.compile(r"(^|/)[^/]+\.libs/|PySide6/")
"""Libraries that their makers have edited after linking, which `strip` is known to break, or stripped already."""


def kept_data(datas: Iterable[Entry], languages: Iterable[str]) -> list[Entry]:
    """Without Qt's texts in languages that the window does not speak, and without what our own are compiled from."""
    spoken = {f"qtbase_{language}" for language in languages}

    def wanted(name: str) -> bool:
        of_qt = _TRANSLATION_OF_QT.search(name)
        return (of_qt is None or of_qt["name"] in spoken) and not _SOURCE_OF_TRANSLATION.search(name)

    return [entry for entry in datas if wanted(entry[0]) and not _PLUGINS.search(entry[0])]


def kept_binaries(binaries: Iterable[Entry], *, with_systems: bool) -> list[Entry]:
    """Without plugins that Plimsoll does not use, and without the libraries that only those need (GTK, cairo, ...).

    `with_systems`: with the libraries of the building system that others are linked to, too.
    """
    left = [entry for entry in binaries if not _PLUGINS.search(entry[0]) and (with_systems or not _is_systems(entry))]
    libraries: dict[str, list[Entry]] = {}
    waiting = []
    for entry in left:
        if _LIBRARY.search(entry[0]) and not entry[0].startswith("PySide6/Qt/plugins/"):
            libraries.setdefault(Path(entry[0]).name, []).append(entry)
        if not _is_only_needed_by_others(entry):
            waiting.append(entry)
    needed: set[Entry] = set()
    while waiting:
        entry = waiting.pop()
        if entry not in needed:
            needed.add(entry)
            waiting += [each for name in _needs(Path(entry[1])) for each in libraries.get(name, ())]
    return [entry for entry in left if entry in needed]


def stripped(binaries: Iterable[Entry], folder: Path) -> list[Entry]:
    """With smaller copies, in `folder`, of large libraries that came with symbols for debuggers."""
    return [
        (name, source if kind == "SYMLINK" else str(_without_symbols(Path(source), name, folder)), kind)
        for name, source, kind in binaries
    ]


def _is_only_needed_by_others(entry: Entry) -> bool:
    """Extension modules and plugins are loaded by their names; a library is there for those that were linked to it."""
    name = entry[0]
    linked = _LIBRARY.search(name) and not name.startswith("PySide6/Qt/plugins/")
    return bool(linked) and not Path(name).name.startswith(_LOADED_BY_NAME)


def _is_systems(entry: Entry) -> bool:
    """A library that a package of the system brought, which can be depended on instead."""
    return _is_only_needed_by_others(entry) and str(Path(entry[1]).resolve()).startswith(("/usr/lib/", "/lib/"))


def _needs(file: Path) -> Sequence[str]:
    told = subprocess.run(["readelf", "--dynamic", file], capture_output=True, text=True, check=False).stdout
    return _NEEDED.findall(told)


def _without_symbols(file: Path, name: str, folder: Path) -> Path:
    if _REWRITTEN.search(name) or file.stat().st_size < WORTH_STRIPPING or ".so" not in file.name:
        return file
    copy = folder / name
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, copy)
    # what a distribution does to the libraries it ships
    subprocess.run(["strip", "--strip-unneeded", copy], check=True)
    copy.chmod(0o755)
    return copy
