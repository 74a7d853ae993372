"""`./dev` sets up what is missing, beside programs that only tell what they were asked."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.end_to_end.shipped import ROOT

pytestmark = pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="sets up Debian's packages")

PYTHON = """\
#!/bin/sh
[ "$*" = "-m venv .venv" ] || exit 0
mkdir -p .venv/bin
echo "command = /usr/bin/python3 -m venv $(pwd -P)/.venv" > .venv/pyvenv.cfg
printf '#!/bin/sh\\necho "pip $*"\\n' > .venv/bin/python
printf "#!/bin/sh\\necho ran in $(pwd -P)\\n" > .venv/bin/plimsoll
chmod +x .venv/bin/*
"""


@dataclass(frozen=True)
class Clone:
    """A clone without a set-up, for a user who is not root."""

    folder: Path
    programs: Path

    def dev(self, **environ: str) -> subprocess.CompletedProcess[str]:
        around = {**os.environ, **environ, "PATH": f"{self.programs}{os.pathsep}{os.environ['PATH']}"}
        command = [str(self.folder / "dev"), "run", "--version"]
        return subprocess.run(command, env=around, capture_output=True, text=True, check=False)


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    """Its `python3` makes an environment of two scripts; `sudo` tells what it was asked, and ends as `REFUSED` says."""
    made = Clone(tmp_path / "clone", tmp_path / "programs")
    made.folder.mkdir()
    made.programs.mkdir()
    (made.folder / "packaging").mkdir()
    for name in ("dev", "pyproject.toml", "packaging/requirements.lock"):
        shutil.copy(ROOT / name, made.folder / name)
    stubs = {
        "python3": PYTHON,
        "id": "#!/bin/sh\necho 1000\n",
        "sudo": '#!/bin/sh\necho "sudo $*" >&2\n[ "$1" != -v ] || exit "${REFUSED:-0}"\n',
        # nothing is installed but what the test takes for granted
        "dpkg-query": '#!/bin/sh\n[ "$MISSING" = "${3%t64}" ] || echo "install ok installed"\n',
    }
    for name, text in stubs.items():
        (made.programs / name).write_text(text)
        (made.programs / name).chmod(0o755)
    return made


def test_a_moved_clone_runs_what_is_in_its_new_place(clone: Clone) -> None:
    assert clone.dev().stdout.splitlines()[-1] == f"ran in {clone.folder}"
    again = clone.dev()
    assert again.stdout == f"ran in {clone.folder}\n", "nothing is installed twice"
    moved = Clone(clone.folder.rename(clone.folder.with_name("moved")), clone.programs)
    done = moved.dev()
    assert "this folder was moved" in done.stderr
    assert done.stdout.splitlines()[-1] == f"ran in {moved.folder}"
    assert "this folder was moved" not in moved.dev().stderr


def test_packages_are_installed_by_sudo_without_questions(clone: Clone) -> None:
    done = clone.dev(MISSING="libgl1")
    assert done.returncode == 0
    line = "apt-get install -y --no-install-recommends libgl1"
    assert f"sudo env DEBIAN_FRONTEND=noninteractive {line} -qq\n" in done.stderr


def test_a_user_who_may_not_use_sudo_is_told_what_root_has_to_run(clone: Clone) -> None:
    done = clone.dev(MISSING="libgl1", REFUSED="1")
    assert done.returncode == 1
    assert done.stderr.endswith("As root, run: apt-get install -y --no-install-recommends libgl1\n")
    assert "network" not in done.stderr
    assert "apt-get update" not in done.stderr


LOCKED = """
import sys
sys.path.insert(0, "packaging")
from {module} import {system}
from locked import locked_for
print("".join(locked_for({system})))
"""


@pytest.mark.parametrize(
    ("module", "system", "own", "others"),
    [
        ("windows", "WINDOWS", {"pywin32-ctypes"}, {"jeepney", "secretstorage"}),
        ("flatpak", "RUNTIME", {"jeepney", "secretstorage", "cryptography"}, {"pywin32-ctypes", "colorama"}),
    ],
)
def test_a_package_for_another_system_holds_what_is_needed_there_each_with_its_hash(
    module: str, system: str, own: set[str], others: set[str]
) -> None:
    script = LOCKED.format(module=module, system=system)
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    entries = re.findall(r"^([\w-]+)==\S+ \\\n    --hash=sha256:", done.stdout, re.MULTILINE)
    assert len(entries) == len(set(entries)) == done.stdout.count("==")
    assert {"pyside6-essentials", "shiboken6", "keyring", "openai", "lxml"} | own <= set(entries)
    assert not ({"pytest", "mypy", "pefile", "xllamacpp"} | others) & set(entries)
