"""The shipped files are there and found in a checkout and an editable install; `end_to_end` looks into packages."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CALL = re.compile(r'(?<!def )\bresource\(((?:"[^"{]+"(?:, )?)+)[,)]')
"""A file or folder of the shipped ones, as far as it is named by literals."""
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


def test_every_file_that_the_code_names_is_there() -> None:
    code = "\n".join(path.read_text("utf-8") for path in (ROOT / "desktop_app").rglob("*.py"))
    named = {tuple(re.findall(r'"([^"{]+)"', parts)) for parts in CALL.findall(code)}
    assert {("themes", "tokens.json"), ("icons", "plimsoll-128.png"), ("translations", "phrases.json")} <= named
    # Help's page stands in a checkout among the others of `docs`: `resources.user_guide`
    beside = {("user-guide.md",): ROOT / "docs" / "user-guide.md"}
    files = {parts: beside.get(parts, (ROOT / "resources").joinpath(*parts)) for parts in named}
    assert [parts for parts, file in files.items() if not file.exists()] == []


def test_the_package_itself_holds_code_only() -> None:
    """Files beside the code would be forgotten by whoever packs the app: there is one place for them, `resources`."""
    files = (path for path in (ROOT / "desktop_app").rglob("*") if path.is_file())
    assert [path for path in files if path.suffix not in {".py", ".pyc"}] == []


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
