"""The shipped files are found in a checkout, an editable install and a wheel; the frozen build has its own test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHOW = "from desktop_app.resources import resource; print(resource('themes', 'tokens.json').resolve())"


def shown_path(*, python_path: Path | None, cwd: Path) -> Path:
    """Where a fresh interpreter finds the token table."""
    environment = {"PATH": "", **({"PYTHONPATH": str(python_path)} if python_path else {})}
    isolated = ["-S"] if python_path else []
    done = subprocess.run(
        [sys.executable, *isolated, "-c", SHOW], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    path = Path(done.stdout.strip())
    assert path.is_file()
    return path


def test_checkout(tmp_path: Path) -> None:
    assert shown_path(python_path=ROOT, cwd=tmp_path) == ROOT / "resources" / "themes" / "tokens.json"


def test_editable_install(tmp_path: Path) -> None:
    assert shown_path(python_path=None, cwd=tmp_path) == ROOT / "resources" / "themes" / "tokens.json"


@pytest.mark.slow
def test_wheel(tmp_path: Path) -> None:
    wheel_command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    subprocess.run([*wheel_command, "--wheel-dir", str(tmp_path), str(ROOT)], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    installed = tmp_path / "installed"
    target = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", str(installed)]
    subprocess.run([*target, str(wheel)], check=True)
    path = shown_path(python_path=installed, cwd=tmp_path)
    assert path == installed / "desktop_app" / "_resources" / "themes" / "tokens.json"
    assert (installed / "desktop_app" / "_resources" / "fonts" / "Inter-Regular.otf").is_file()
    assert (installed / "desktop_app" / "_resources" / "fonts" / "OFL.txt").is_file()


def test_missing_files_are_named(tmp_path: Path) -> None:
    package = tmp_path / "desktop_app"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "resources.py").write_bytes((ROOT / "desktop_app" / "resources.py").read_bytes())
    done = subprocess.run(
        [sys.executable, "-S", "-c", SHOW],
        cwd=tmp_path,
        env={"PATH": "", "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Plimsoll's own files are missing; looked in" in done.stderr
