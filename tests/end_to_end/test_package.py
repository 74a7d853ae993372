"""The packaged program, built from this tree: it holds what it needs and nothing of others, and works on its own."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from tests.end_to_end.shipped import ROOT, needed_modules, needed_resources
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow

DESKTOP_ONLY = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="this desktop is Linux's")
FORMULA = r"$$\frac{a}{b}$$"
CONTROL = 37
"""The key as X numbers it."""


@dataclass(frozen=True)
class Built:
    """The folder of the program, and what building and trying it printed."""

    folder: Path
    told: str

    @property
    def program(self) -> Path:
        return self.folder / "plimsoll"

    @property
    def inside(self) -> Path:
        return self.folder / "_internal"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    output = tmp_path_factory.mktemp("package")
    command = [sys.executable, "packaging/build.py", "tar", "--no-archive", "--output", str(output)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return Built(output / "plimsoll", done.stdout)


def test_built_program_works(built: Built) -> None:
    """What the trial saw: `packaging/trial.py` ends with an error where anything is amiss."""
    seen = {line.partition(":")[0] for line in built.told.splitlines()}
    assert {"scripted answer", "formulas", "spelling", "files", "project", "servers", "local model"} <= seen
    assert "window: ended with 143" in built.told  # SIGTERM, taken as the wish to close in order


def test_every_resource_and_module_is_in_it(built: Built) -> None:
    from PyInstaller.archive.readers import CArchiveReader  # type: ignore[import-untyped]

    resources = built.inside / "desktop_app" / "_resources"
    shipped = {path.relative_to(resources).as_posix() for path in resources.rglob("*") if path.is_file()}
    assert shipped == needed_resources()
    modules = CArchiveReader(str(built.program)).open_embedded_archive("PYZ.pyz").toc
    assert needed_modules() - set(modules) == set()


def test_qt_speaks_the_languages_of_the_window_and_no_others(built: Built) -> None:
    ours = {Path(name).stem.removeprefix("plimsoll_") for name in needed_resources() if name.endswith(".qm")}
    qts = {path.stem for path in (built.inside / "PySide6" / "Qt" / "translations").iterdir()}
    assert qts == {f"qtbase_{language}" for language in ours}


@DESKTOP_ONLY
def test_every_library_finds_what_it_was_linked_to(built: Built) -> None:
    """What was taken out is missed by nothing that is left. Graphics drivers, X and Wayland are the system's."""
    libraries = [path for path in built.inside.rglob("*.so*") if path.is_file()]
    names = {path.name for path in libraries}
    systems = ("libc.", "libm.", "libdl.", "librt.", "libpthread.", "libresolv.", "ld-linux", "libGL.", "libEGL.")
    missed = {}
    for path in libraries:
        read = subprocess.run(["readelf", "--dynamic", path], capture_output=True, text=True, check=True).stdout
        needs = {line.split("[")[1].split("]")[0] for line in read.splitlines() if "(NEEDED)" in line}
        lost = {name for name in needs - names if not name.startswith((*systems, "libxcb.", "libwayland-"))}
        if lost:
            missed[path.name] = lost
    assert missed == {}


@DESKTOP_ONLY
def test_it_can_be_added_to_the_menu_and_taken_out_again(built: Built, tmp_path: Path) -> None:
    home = tmp_path / "a home"
    home.mkdir()

    def install(*options: str) -> None:
        environ = {"HOME": str(home), "PATH": os.defpath}
        subprocess.run([built.folder / "install.sh", *options], env=environ, cwd=tmp_path, check=True)

    install()
    start = home / ".local" / "bin" / "plimsoll"
    assert subprocess.run([start, "--version"], capture_output=True, text=True, check=True).stdout.startswith(
        "plimsoll"
    )
    data = home / ".local" / "share"
    shared = {path.relative_to(built.folder / "share") for path in (built.folder / "share").rglob("*.*")}
    assert {path.relative_to(data) for path in data.rglob("*.*")} - {Path("applications/mimeinfo.cache")} == shared
    lines = (data / "applications" / "org.plimsoll.Plimsoll.desktop").read_text("utf-8").splitlines()
    commands = [shlex.split(line.removeprefix("Exec=")) for line in lines if line.startswith("Exec=")]
    assert commands == [[str(built.program)], [str(built.program), "--quick"]]
    install("--remove")
    assert [path for path in home.rglob("*") if not path.is_dir() and path.name != "mimeinfo.cache"] == []


@contextmanager
def _window(built: Built, around: dict[str, str], home: Path) -> Iterator[psutil.Popen]:
    """The window in German, with spell check, and a thread with a formula; `xdg-open` notes what it was handed."""
    (home / "bin").mkdir()
    (home / "bin" / "xdg-open").write_text(f'#!/bin/sh\nenv > "{home}/handed"\nmv "{home}/handed" "{home}/opened"\n')
    (home / "bin" / "xdg-open").chmod(0o755)
    data = home / "data"
    data.mkdir(mode=0o700)
    (data / "settings.toml").write_text('[appearance]\nlanguage = "de"\n[composer]\nspell_check = true\n')
    environ = {**around, "PATH": f"{home / 'bin'}:{os.defpath}"}
    command = [str(built.program), "--data-dir", str(data)]
    subprocess.run([*command, "ask", "--backend", "scripted", FORMULA], env=environ, check=True, capture_output=True)
    running = psutil.Popen([*command, "--backend", "scripted"], env=environ, stderr=subprocess.PIPE)
    try:
        yield running
    finally:
        running.terminate()
        _, said = running.communicate(timeout=PATIENCE_S)
    assert b"Traceback" not in said, said.decode()
    assert running.returncode == 143


@DESKTOP_ONLY
def test_the_window_on_a_desktop(built: Built) -> None:
    """Our words and Qt's in German; formulas and spelling by their processes; other programs get no path of ours."""
    pytest.importorskip("jeepney", reason="needs the package jeepney")
    from tests.servers.accessibility_bus import ACTIVE, desktop, give_keyboard, missing

    if missing():
        pytest.skip(missing())
    with tempfile.TemporaryDirectory(prefix="plimsoll-") as folder, desktop(Path(folder)) as around:
        reader = around.reader
        with _window(built, around.environ, Path(folder)) as running:
            program = reader.program()
            field = program.find("text", "Nachricht")
            field.ask("EditableText", "InsertText", "isi", 0, "sentense", 8)

            def parts() -> set[str]:
                return {child.cmdline()[1] for child in running.children()}

            reader.until(lambda: parts() >= {"--typeset-formulas", "--check-spelling"}, "the app's own processes")
            give_keyboard(around.environ["DISPLAY"])
            reader.until(lambda: program.children[0].has(ACTIVE), "the window's turn")
            reader.type_key(ord(","), CONTROL)
            search = program.find("text", "Einstellungen durchsuchen")
            search.ask("EditableText", "InsertText", "isi", 0, "settings.toml", 13)
            program.find("push button", "Einstellungsdatei: settings.toml öffnen").press()
            opened = Path(folder, "opened")
            reader.until(opened.exists, "xdg-open")
            handed = opened.read_text()
            assert f"PATH={folder}/bin:" in handed
            assert str(built.folder) not in handed
