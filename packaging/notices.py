"""Finds whose work a package carries, from the files that went into it, and the texts that have to go with it.

`python packaging/notices.py SOURCES FOLDER` writes the texts of what `SOURCES` lists, a file a line, into a folder, and
ends with an error that names every work without a text.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final

from third_party import license_of

ROOT: Final = Path(__file__).resolve().parent.parent
OURS: Final = tuple(str(ROOT / name) for name in ("desktop_app", "resources", "docs", "packaging", "LICENSE"))
KEPT_TEXTS: Final = ROOT / "packaging" / "licenses"
"""Texts of works that came without them."""
COMMON_LICENSES: Final = Path("/usr/share/common-licenses")
"""Where Debian keeps the licences that many packages have."""
COMMON: Final = {
    "Apache-2.0": re.compile(
        r"Apache License\s+Version 2\.0, January 2004.*?"
        r"(?:END OF TERMS AND CONDITIONS|accepting any such warranty or additional liability\.)",
        re.DOTALL,
    ),
    "GPL-2": re.compile(
        r"GNU GENERAL PUBLIC LICENSE\s+Version 2, June 1991.*?END OF TERMS AND CONDITIONS"
        r"(?:\s+How to Apply These Terms.*?Public License instead of this License\.)?",
        re.DOTALL,
    ),
    "GPL-3": re.compile(
        r"GNU GENERAL PUBLIC LICENSE\s+Version 3, 29 June 2007.*?END OF TERMS AND CONDITIONS"
        r"(?:\s+How to Apply These Terms.*?why-not-lgpl\.html>?\.)?",
        re.DOTALL,
    ),
}
"""How their texts begin and end."""
_NAMED: Final = re.compile(r"/usr/share/common-licenses/([A-Z][\w.-]*\w)")
_OF_A_LICENSE: Final = ("license", "licence", "copying", "notice", "authors")
_ALWAYS: Final = ("pyinstaller",)
"""Whose starting program every package has, though no file says so."""
_QT: Final = """\
Copyright (C) The Qt Company Ltd. and others. Qt and Qt for Python are used under the LGPL-3, as shared libraries that
can be replaced by others of the same interface. Their source is at https://download.qt.io/official_releases/QtForPython/
and https://download.qt.io/official_releases/qt/."""
_TOLD_HERE: Final = {
    "PySide6_Essentials": (_QT, "qt.txt", "icu.txt"),
    "shiboken6": (_QT,),
    "latex2mathml": ("Copyright (c) 2016 Ronie Martinez", "mit.txt"),
    "chunspell": (
        """\
The library Hunspell: Copyright (C) 2002-2022 Németh László. It is used under the Mozilla Public License 1.1; its source
is at https://github.com/hunspell/hunspell. It is based on MySpell:""",
        "myspell.txt",
        "The dictionary en_US is made of SCOWL:",
        "en_US.txt",
    ),
    "ziamath": (
        "Its font STIX Two Math is under the SIL Open Font License 1.1, whose text goes with Inter and JetBrains Mono.",
    ),
    "obstore": ("Copyright (c) 2024 Development Seed", "mit.txt"),
    "xllamacpp": ("xllamacpp.txt", "mit.txt"),
    "cryptography": (
        """\
In it: OpenSSL, Copyright (c) 1998-2026 The OpenSSL Project Authors, Copyright (c) 1995-1998 Eric A. Young, Tim J.
Hudson, under the Apache License 2.0, as above.""",
    ),
    "lxml": (
        "libxml2.txt",
        """\
libiconv: Copyright (C) Free Software Foundation, Inc., under the LGPL-2.1; its source is at
https://ftp.gnu.org/gnu/libiconv/. zlib: Copyright 1995-2026 Jean-loup Gailly and Mark Adler; zlib license.""",
    ),
}
"""Of packages that came without all of their own words: what to tell, in words and in files of `KEPT_TEXTS`."""
_COMMON_OF: Final = {
    # the text of the LGPL-3 builds on that of the GPL-3
    "PySide6_Essentials": ("LGPL-3", "GPL-3", "MPL-2.0", "Apache-2.0", "CC0-1.0"),
    "shiboken6": ("LGPL-3", "GPL-3"),
    "chunspell": ("MPL-1.1",),
    "lxml": ("LGPL-2.1",),
    "xllamacpp": ("Apache-2.0",),
}
"""Which of the common licences they are under."""
_NAMES_OF_LIBRARIES: Final = {
    "lcms": "little cms",
    "lzma": "xz utils",
    "openjp": "openjpeg",
    "sharpyuv": "webp",
    "webpdemux": "webp",
    "webpmux": "webp",
    "pyside": "qt for python",
    "shiboken": "qt for python",
    "icudata": "icu",
    "icui18n": "icu",
    "icuuc": "icu",
}
"""What the texts call a library, where that is not its file's name."""
_STEM: Final = re.compile(r"lib(Qt|[A-Za-z]+(?:18n)?)")
_CRATE: Final = re.compile(rb"/index\.crates\.io-[0-9a-f]+/([\w-]+?)-\d+\.\d+\.\d")
"""Where Rust's compiler found a package, as it leaves it in the libraries that it makes."""


@dataclass(frozen=True)
class Work:
    """Something of others: its licence in a few words, and all that its makers ask to be passed on.

    `common`: names of texts in `COMMON_LICENSES` that belong to it.
    """

    name: str
    version: str
    license: str
    texts: Sequence[str]
    common: Sequence[str] = ()

    @property
    def title(self) -> str:
        """Name and version."""
        return f"{self.name} {self.version}".strip()


def works_of_others(sources: Iterable[str]) -> list[Work]:
    """Every installed package and package of the system that one of the files came from, the interpreter, the fonts.

    Ends with an error that names each file of nobody, each work without a text, and each library that no text names.
    """
    files = {os.path.realpath(source) for source in sources if source not in ("", "-")}
    missing: list[str] = []
    found: list[Work] = []
    for package in metadata.distributions():
        own = {os.path.realpath(str(package.locate_file(file))) for file in package.files or ()} & files
        files -= own
        if package.name == "plimsoll-chat" or not (own or package.name in _ALWAYS):
            continue  # the project itself is installed, too
        work = _work_of(package)
        found.append(work)
        if not work.license or not work.texts:
            missing.append(f"{work.title}: no text of its licence")
        missing += [*_libraries_without_words(own, work), *_crates_without_words(own, work)]
    files -= {file for file in files if file.startswith(OURS) or _is_of_python(file)}
    of_system, files = _works_of_system(files)
    found += of_system
    missing += [f"{work.title}: no text of its licence" for work in of_system if not work.texts]
    missing += [f"{file}: of no package that is known here" for file in sorted(files)]
    commons = {name for work in found for name in work.common}
    missing += [f"{COMMON_LICENSES / name}: is not there" for name in commons if not (COMMON_LICENSES / name).is_file()]
    if missing:
        raise SystemExit("\n".join(["Texts are missing: name them in packaging/notices.py", *sorted(missing)]))
    fonts = Work(
        "Inter and JetBrains Mono", "", "OFL-1.1", [(ROOT / "resources" / "fonts" / "OFL.txt").read_text("utf-8")]
    )
    return [_python(), *sorted(found, key=lambda work: work.name.lower()), fonts]


def notice(works: Sequence[Work]) -> str:
    """The file `copyright` of a Debian package: common licences are named, not repeated."""
    commons = sorted({name for work in works for name in work.common} | set(COMMON))
    head = [
        "Plimsoll is a chat client. Its own code and pictures:\n",
        (ROOT / "LICENSE").read_text("utf-8"),
        "The package holds works of others, each under its own licence:\n",
        "".join(f"  {work.title}: {work.license}\n" for work in works),
        f"On Debian systems the common licences are in {COMMON_LICENSES}: {', '.join(commons)}.\n",
        "What the authors of these works ask to be passed on:\n",
    ]
    told = []
    for work in works:
        told.append(f"{'-' * 79}\n{work.title}\n{'-' * 79}\n")
        told += [f"{name}: see {COMMON_LICENSES / name}\n" for name in work.common]
        told += [f"{_shortened(text).strip()}\n" for text in work.texts]
    return "\n".join([*head, *told])


def write_texts(works: Sequence[Work], folder: Path) -> None:
    """Writes a file for each work and each common licence, and a list of them."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["Plimsoll is under the MIT license (../LICENSE). It holds works of others, each under its own:", ""]
    for work in works:
        file = folder / f"{re.sub(r'[^A-Za-z0-9.+-]+', '-', work.name)}.txt"
        beside = [f"See common/{name}.txt" for name in work.common]
        file.write_text("\n\n".join([f"{work.title}: {work.license}", *beside, *work.texts]) + "\n", "utf-8")
        lines.append(f"{file.name}: {work.title}: {work.license}")
    common = folder / "common"
    common.mkdir(exist_ok=True)
    for name in sorted({name for work in works for name in work.common}):
        (common / f"{name}.txt").write_text((COMMON_LICENSES / name).read_text("utf-8"), "utf-8")
        lines.append(f"common/{name}.txt")
    (folder / "README.txt").write_text("\n".join(lines) + "\n", "utf-8")


def require_origins(folder: Path, sources: Iterable[str]) -> None:
    """Ends with an error where the built folder has a file that was made from none of the sources."""
    known = {Path(source).name for source in sources} | {"base_library.zip"}
    odd = [file for file in (folder / "_internal").rglob("*") if file.is_file() and file.name not in known]
    if odd:
        raise SystemExit("\n".join(["Of unknown origin:", *map(str, odd)]))


def _work_of(package: metadata.Distribution) -> Work:
    parts = [file for file in package.files or () if ".dist-info" in file.parts[0]]
    texts = [
        Path(str(package.locate_file(file))).read_text("utf-8", "replace")
        for file in parts
        if "licenses" in file.parts or any(word in file.name.lower() for word in _OF_A_LICENSE)
    ]
    for told_here in _TOLD_HERE.get(package.name, ()):
        texts.append((KEPT_TEXTS / told_here).read_text("utf-8") if told_here.endswith(".txt") else told_here)
    texts += [_linked(Path(str(package.locate_file(file)))) for file in parts if "sboms" in file.parts]
    common = _commons(texts, _COMMON_OF.get(package.name, ()))
    return Work(package.name, package.version, license_of(package), texts, common)


def _linked(bill: Path) -> str:
    """What a list of materials says to be linked into a package."""
    parts = json.loads(bill.read_text("utf-8")).get("components", ())
    lines = []
    for part in parts:
        licenses = [one.get("expression") or one.get("license", {}).get("id", "") for one in part.get("licenses", ())]
        by = f", by {part['author']}" if part.get("author") else ""
        lines.append(f"  {part.get('name')} {part.get('version', '')}: {', '.join(licenses)}{by}")
    return "\n".join(["Linked into it:", *sorted(lines)])


def _commons(texts: Sequence[str], beside: Sequence[str] = ()) -> list[str]:
    """Names of the common licences that texts refer to, whole versions for those that stand for the newest."""
    named = {*beside, *(name for text in texts for name in _NAMED.findall(text))}
    return sorted({Path(os.path.realpath(COMMON_LICENSES / name)).name for name in named})


def _libraries_without_words(files: Iterable[str], work: Work) -> list[str]:
    """Libraries of others that came in a package, and that none of its texts names."""
    said = " ".join("\n".join(work.texts).split()).lower()
    missing = []
    for file in sorted(files):
        name = Path(file).name
        stem = _STEM.match(name)
        if stem is None or ".so" not in name or "/Qt/plugins/" in file:
            continue
        word = stem[1].lower()
        if _NAMES_OF_LIBRARIES.get(word, word) not in said:
            missing.append(f"{work.title}: no text of its licences names {name}")
    return missing


def _crates_without_words(files: Iterable[str], work: Work) -> list[str]:
    """Packages in Rust that were linked into libraries, and that no text names."""
    said = {word.strip('":,.') for text in work.texts for word in text.split()}
    return [
        f"{work.title}: no text of its licences names {crate}, which is in {Path(file).name}"
        for file in sorted(files)
        if ".so" in Path(file).name
        for crate in sorted({name.decode() for name in _CRATE.findall(Path(file).read_bytes())})
        if crate not in said
    ]


def _is_of_python(file: str) -> bool:
    places = (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"))
    return file.startswith(tuple(os.path.realpath(place) + "/" for place in places)) or Path(file).name.startswith(
        ("libpython3", "base_library.zip")
    )


def _works_of_system(files: Iterable[str]) -> tuple[list[Work], set[str]]:
    """Of each source package of Debian that some of the files are of, and the files that are of none."""
    # /lib is a link to /usr/lib, and the lists of packages may have either
    asked = {path: file for file in files for path in (file, file.removeprefix("/usr"))}
    if not asked:
        return [], set()
    told = _told("dpkg-query", "--search", *sorted(asked))
    owners = [line.split(": ", 1) for line in told.splitlines() if ": " in line]
    placed = {asked[path] for _, path in owners if path in asked}
    packages = sorted({package for package, path in owners if path in asked})
    if not packages:
        return [], set(files)
    shown = _told("dpkg-query", "--show", "--showformat=${Package} ${source:Package} ${Version}\n", *packages)
    texts: dict[tuple[str, str], list[str]] = {}
    for line in sorted(shown.splitlines()):
        package, source, version = line.split(" ")
        own = texts.setdefault((source, version), [])
        file = Path("/usr/share/doc", package, "copyright")
        if file.is_file() and (text := file.read_text("utf-8", "replace")) not in own:
            own.append(text)
    works = [
        Work(f"{source} of Debian", version, _licenses_in(found), found, _commons(found))
        for (source, version), found in texts.items()
    ]
    return works, set(files) - placed


def _licenses_in(texts: Sequence[str]) -> str:
    named = dict.fromkeys(name.strip() for text in texts for name in re.findall(r"^License: *(\S[^\n]*)", text, re.M))
    return ", ".join(named) or "as its text says"


def _told(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def _python() -> Work:
    version = ".".join(map(str, sys.version_info[:3]))
    places = (
        Path(sysconfig.get_path("stdlib"), "LICENSE.txt"),
        Path(f"/usr/share/doc/python{sys.version_info[0]}.{sys.version_info[1]}/copyright"),
    )
    texts = [place.read_text("utf-8") for place in places if place.is_file()]
    if not texts:
        raise SystemExit(f"Python {version} came without its licence: looked for {' and '.join(map(str, places))}")
    return Work("Python", version, "PSF-2.0", texts, _commons(texts))


def _shortened(text: str) -> str:
    """Names a common licence of Debian instead of repeating it."""
    for name, whole in COMMON.items():
        file = COMMON_LICENSES / name
        if file.is_file():
            text = whole.sub(f"{name}: see {file}", text)
    return text


def main() -> None:
    """Writes the texts and prints what they are of."""
    sources, folder = map(Path, sys.argv[1:])
    write_texts(works_of_others(sources.read_text("utf-8").splitlines()), folder)
    print((folder / "README.txt").read_text("utf-8"), end="")


if __name__ == "__main__":
    main()
