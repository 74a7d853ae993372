"""After an import for which a disk is too small it is as free as before, and one can go on: on a volume of 8 MB."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders.chatgpt_export import conversation, node, said
from tests.patience import PATIENCE_S

APART = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-euc")
"""In namespaces of its own: nobody else sees the volume, and it ends with the process."""
USE = """
mount -t tmpfs -o size=8m none "$1"
run() { status=0; "$python" -m desktop_app --data-dir "$folder" "$@" >> "$log" 2>&1 || status=$?; echo "$status"; }
free() { stat -f -c %a "$folder"; }
folder=$1 file=$2 python=$3 log=$4
printf '[backend]\\ndefault = "scripted"\\n' > "$folder/settings.toml"
run ask Hello; free; run import "$file"; free; run ask Again
"""


def can_mount() -> bool:
    if shutil.which("unshare") is None:  # a program of Linux
        return False
    tried = subprocess.run([*APART, "mount -t tmpfs none /tmp"], capture_output=True, check=False)
    return tried.returncode == 0


@pytest.mark.skipif(not can_mount(), reason="a volume of its own takes user namespaces")
def test_a_failed_import_leaves_the_disk_as_free_as_before(tmp_path: Path) -> None:
    chance = random.Random(1)
    talks = []
    for number in range(40):
        words = " ".join(f"{chance.random()}" for _ in range(12_000))
        talks.append(conversation(node(f"q{number}", None, said("user", words)), title=f"Talk {number}"))
    file = tmp_path / "conversations.json"
    file.write_text(json.dumps(talks))
    volume, log = tmp_path / "volume", tmp_path / "log"
    volume.mkdir()
    done = subprocess.run(
        [*APART, USE, "sh", volume, file, sys.executable, log],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    first, before, imported, after, again = map(int, done.stdout.split())
    assert (first, imported, again) == (0, 6, 0), log.read_text()
    assert after >= before
    assert "Traceback" not in log.read_text()


SYNC = """
mount -t tmpfs -o size=64k none "$1"
run() { status=0; "$python" -m desktop_app --data-dir "$@" >> "$log" 2>&1 || status=$?; echo "$status"; }
place=$1 file=$2 python=$3 log=$4 desk=$5 laptop=$6 secret=$7
printf '[backend]\\ndefault = "scripted"\\n' > "$desk/settings.toml"
run "$desk" project add Sea "$file"
run "$desk" sync setup "$place" --passphrase-file "$secret"
run "$desk" ask Hello
run "$desk" sync now --passphrase-file "$secret"
mount -o remount,size=8m "$place"
run "$desk" sync now --passphrase-file "$secret"
run "$laptop" sync setup "$place" --passphrase-file "$secret"
run "$laptop" sync now --passphrase-file "$secret"
"$python" -m desktop_app --data-dir "$laptop" threads
"$python" -m desktop_app --data-dir "$laptop" project show Sea
"""


@pytest.mark.skipif(not can_mount(), reason="a volume of its own takes user namespaces")
def test_a_full_volume_of_sync_is_told_and_loses_nothing(tmp_path: Path) -> None:
    chance = random.Random(1)
    file, secret, log = tmp_path / "tides.txt", tmp_path / "secret", tmp_path / "log"
    file.write_text(" ".join(f"{chance.random()}" for _ in range(20_000)))
    secret.write_text("quiet harbor lantern seven\n")
    folders = [tmp_path / name for name in ("volume", "desk", "laptop")]
    for folder in folders:
        folder.mkdir(mode=0o700)
    volume, desk, laptop = folders
    done = subprocess.run(
        [*APART, SYNC, "sh", volume, file, sys.executable, log, desk, laptop, secret],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    numbers = done.stdout.splitlines()[:7]
    assert numbers == ["0", "0", "0", "6", "0", "0", "0"], (done.stdout, log.read_text())
    assert f"There is no room left in {volume}. Nothing is lost" in log.read_text()
    assert "Traceback" not in log.read_text()
    assert "Hello" in done.stdout
    assert "tides.txt" in done.stdout
    assert len([one for one in (laptop / "documents").rglob("*") if one.is_file()]) == 1
