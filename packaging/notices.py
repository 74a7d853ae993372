"""Tells whose work a package carries and under which licence, from the files that went into it.

Knows nothing of how packages are made.
"""

from __future__ import annotations

import re
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
COMMON_LICENSES: Final = Path("/usr/share/common-licenses")
"""Where Debian keeps the licences that many packages have."""
COMMON: Final = {
    "Apache-2.0": re.compile(
        r"Apache License\s+Version 2\.0, January 2004.*?"
        r"(?:END OF TERMS AND CONDITIONS|accepting any such warranty or additional liability\.)",
        re.DOTALL,
    ),
    "GPL-2": re.compile(r"GNU GENERAL PUBLIC LICENSE\s+Version 2, June 1991.*?END OF TERMS AND CONDITIONS", re.DOTALL),
}
"""How their texts begin and end."""
_OF_A_LICENSE: Final = ("license", "licence", "copying", "notice", "authors")
_ALWAYS: Final = ("pyinstaller",)
"""Whose starting program every package has, though no file says so."""
_TOLD_HERE: Final = {
    "PySide6_Essentials": """\
Copyright (C) The Qt Company Ltd. and others. Qt and Qt for Python, used under the LGPL-3 (see
/usr/share/common-licenses/LGPL-3) as shared libraries that can be replaced. The libraries in it (ICU, FreeType,
HarfBuzz, libpng, zlib, PCRE2 and others) are named with their licences under
https://doc.qt.io/qt-6/licenses-used-in-qt.html; the source is at https://download.qt.io/official_releases/.""",
    "shiboken6": """\
Copyright (C) The Qt Company Ltd. Used under the LGPL-3; the source comes with that of Qt for Python.""",
    "latex2mathml": "Copyright (c) Ronie Martinez. MIT.",
    "chunspell": """\
The English dictionary en_US is that of SCOWL, Copyright 2000-2018 by Kevin Atkinson and others; it may be used, copied,
changed and sold for any purpose where this notice stays.""",
    "ziamath": """\
Its font STIX Two Math is Copyright 2001-2021 The STIX Fonts Project Authors, under the SIL Open Font License 1.1, whose
text stands below with that of Inter and JetBrains Mono.""",
}
"""What packages that came without their own words ask to be told."""


@dataclass(frozen=True)
class Work:
    """Something of others: its licence in a few words, and all that its makers ask to be passed on."""

    name: str
    version: str
    license: str
    texts: Sequence[str]


def works_of_others(sources: Iterable[str]) -> list[Work]:
    """Every installed package that one of the files came from, the interpreter and the fonts."""
    files = {str(Path(source).resolve()) for source in sources}
    found = [
        _work_of(each)
        for each in metadata.distributions()
        if each.name in _ALWAYS
        or any(str(Path(str(each.locate_file(file))).resolve()) in files for file in each.files or ())
    ]
    fonts = Work(
        "Inter and JetBrains Mono", "", "OFL-1.1", [(ROOT / "resources" / "fonts" / "OFL.txt").read_text("utf-8")]
    )
    # the project itself is installed, too
    ours = [work for work in found if work.name != "plimsoll-chat"]
    return [_python(), *sorted(ours, key=lambda work: work.name.lower()), fonts]


def notice(works: Sequence[Work]) -> str:
    """The file `copyright` of a Debian package."""
    head = [
        "Plimsoll is a chat client. Its own code and pictures:\n",
        (ROOT / "LICENSE").read_text("utf-8"),
        "The package holds works of others, each under its own licence:\n",
        "".join(f"  {f'{work.name} {work.version}'.strip()}: {work.license}\n" for work in works),
        "On Debian systems the common licences are in /usr/share/common-licenses: Apache-2.0, GPL-2, LGPL-3.\n",
        "What the authors of these works ask to be passed on:\n",
    ]
    told = []
    for work in works:
        told.append(f"{'-' * 79}\n{f'{work.name} {work.version}'.strip()}\n{'-' * 79}\n")
        told += [f"{_shortened(text).strip()}\n" for text in work.texts]
    return "\n".join([*head, *told])


def _work_of(package: metadata.Distribution) -> Work:
    told = package.metadata
    named = told.get("License-Expression") or told.get("License") or ""
    classified = [each.rpartition(" :: ")[2] for each in told.get_all("Classifier") or () if each.startswith("License")]
    name = named.strip().splitlines()[0] if named.strip() else ", ".join(classified)
    texts = [
        Path(str(package.locate_file(file))).read_text("utf-8", "replace")
        for file in package.files or ()
        if ".dist-info" in file.parts[0]
        and ("licenses" in file.parts or any(word in file.name.lower() for word in _OF_A_LICENSE))
    ]
    own = _TOLD_HERE.get(package.name)
    if not name or not (texts or own):
        raise SystemExit(f"{package.name} {package.version} came without a licence: name it in packaging/notices.py")
    return Work(package.name, package.version, name, [*texts, *([own] if own else [])])


def _python() -> Work:
    version = ".".join(map(str, sys.version_info[:3]))
    places = (
        Path(sysconfig.get_path("stdlib"), "LICENSE.txt"),
        Path(f"/usr/share/doc/python{sys.version_info[0]}.{sys.version_info[1]}/copyright"),
    )
    for place in places:
        if place.is_file():
            return Work("Python", version, "PSF-2.0", [place.read_text("utf-8")])
    raise SystemExit(f"Python {version} came without its licence: looked for {' and '.join(map(str, places))}")


def _shortened(text: str) -> str:
    """Names a common licence of Debian instead of repeating it."""
    for name, whole in COMMON.items():
        file = COMMON_LICENSES / name
        if file.is_file():
            text = whole.sub(f"{name}: see {file}", text)
    return text
