"""The wheel and the sdist, built from this tree: they hold what they need, and what was installed from them works."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.end_to_end.shipped import ROOT, needed_modules, needed_resources

pytestmark = pytest.mark.slow

RESOURCES = "desktop_app/_resources/"
SHARED = ".data/data/share/"
"""What an installation puts into the `share` folder beside its `bin`."""


@dataclass(frozen=True)
class Made:
    """A wheel and an sdist."""

    wheel: Path
    sdist: Path


def _make(source: Path, output: Path, *targets: str) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(output)]
    subprocess.run([*command, *(f"-t{target}" for target in targets)], cwd=source, check=True, capture_output=True)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    output = tmp_path_factory.mktemp("made")
    _make(ROOT, output, "wheel", "sdist")
    (wheel,), (sdist,) = output.glob("*.whl"), output.glob("*.tar.gz")
    return Made(wheel, sdist)


def _names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_every_resource_and_module_is_in_the_wheel(made: Made) -> None:
    names = _names(made.wheel)
    assert {name.removeprefix(RESOURCES) for name in names if name.startswith(RESOURCES)} == needed_resources()
    modules = {name for name in names if name.endswith(".py")}
    assert {
        name.removesuffix(".py").replace("/", ".").removesuffix(".__init__") for name in modules
    } == needed_modules()


def test_a_wheel_made_from_the_sdist_is_the_same(made: Made, tmp_path: Path) -> None:
    # Python 3.11.2 knows no filter, and 3.12 warns where none is named
    filtered = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
    with tarfile.open(made.sdist) as archive:
        archive.extractall(tmp_path, **filtered)  # type: ignore[arg-type]
    (source,) = tmp_path.iterdir()
    _make(source, tmp_path / "again", "wheel")
    (again,) = (tmp_path / "again").glob("*.whl")
    assert again.read_bytes() == made.wheel.read_bytes()


def test_what_was_installed_works(made: Made, tmp_path: Path) -> None:
    """In an environment of its own, which has the dependencies of this one but not its Plimsoll."""
    place = tmp_path / "installed"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    python = place / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps", "--no-index"]
    subprocess.run([*pip, str(made.wheel)], check=True)
    (packages,) = place.glob("lib/python*/site-packages")
    # a path in such a file is searched, but the files of this kind in it are not read, such as that of the checkout
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    found = "from desktop_app.resources import resource; print(resource('themes', 'tokens.json'))"
    shown = subprocess.run([python, "-c", found], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert Path(shown.strip()) == packages / RESOURCES / "themes" / "tokens.json"

    program = place / "bin" / "plimsoll"
    tried = subprocess.run(
        [sys.executable, "packaging/trial.py", str(program)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert tried.returncode == 0, tried.stdout + tried.stderr
    assert "window: ended with 143" in tried.stdout
    shared = {name.partition(SHARED)[2] for name in _names(made.wheel) if SHARED in name}
    assert "applications/org.plimsoll.Plimsoll.desktop" in shared
    assert {path.relative_to(place / "share").as_posix() for path in (place / "share").rglob("*.*")} == shared
