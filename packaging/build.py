"""Builds a package and tries it: `python packaging/build.py tar [--output DIR]`.

The trial starts the built program in an empty home: version, doctor (resources found), an answer from the scripted
backend, and the window, which must open and end in order.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

from desktop_app import __version__

ROOT = Path(__file__).resolve().parent.parent
WINDOW_TIMEOUT_S = 60


def build(output: Path) -> Path:
    """Runs PyInstaller; returns the folder of the built program."""
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "WARN"]
    places = ["--distpath", str(output), "--workpath", str(output / "work")]
    subprocess.run([*command, *places, str(ROOT / "packaging" / "plimsoll.spec")], check=True, cwd=ROOT)
    return output / "plimsoll"


def try_it(folder: Path) -> None:
    """Starts the built program as a stranger would; raises if anything is not as it must be."""
    program = folder / "plimsoll"
    with tempfile.TemporaryDirectory() as home:
        environment = {"HOME": home, "PATH": os.defpath, "QT_QPA_PLATFORM": "offscreen", "LANG": "C.UTF-8"}

        def run(*arguments: str) -> str:
            done = subprocess.run(
                [program, "--data-dir", f"{home}/data", *arguments],
                env=environment,
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
            if done.returncode not in (0, 1):
                raise SystemExit(f"{arguments}: exit {done.returncode}\n{done.stdout}{done.stderr}")
            return done.stdout

        print("version:", run("--version").strip())
        checks = {check["name"]: check for check in json.loads(run("doctor", "--json"))["checks"]}
        if not checks["resources"]["ok"]:
            raise SystemExit(f"resources: {checks['resources']['detail']}")
        answer = run("ask", "--backend", "scripted", "Does the package talk?")
        if "Does the package talk?" not in answer:
            raise SystemExit(f"the scripted backend did not answer: {answer!r}")
        print("scripted answer:", answer.strip().splitlines()[0])
        _try_window(program, home, environment)


def _try_window(program: Path, home: str, environment: dict[str, str]) -> None:
    arguments = [program, "--data-dir", f"{home}/data", "--backend", "scripted"]
    started = time.monotonic()
    window = subprocess.Popen(arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        # A second start hands over to the window once it listens, and ends by itself with 0.
        while True:
            if window.poll() is not None:
                output = window.stdout.read() if window.stdout else b""
                raise SystemExit(f"the window ended by itself with {window.returncode}: {output.decode()}")
            if any(Path(home, "data").glob("instance*")):
                break
            if time.monotonic() - started > WINDOW_TIMEOUT_S:
                raise SystemExit("the window did not come up")
            time.sleep(0.05)
        print(f"window: listening after {time.monotonic() - started:.2f} s")
        second = subprocess.run(arguments, env=environment, timeout=WINDOW_TIMEOUT_S, check=False)
        if second.returncode != 0:
            raise SystemExit(f"a second start ended with {second.returncode}")
        window.send_signal(signal.SIGTERM)
        print("window: ended with", window.wait(WINDOW_TIMEOUT_S))
    finally:
        if window.poll() is None:
            window.kill()
            window.wait()


def pack(folder: Path, output: Path) -> Path:
    """Writes the tarball beside the folder and returns its path."""
    path = output / f"plimsoll-{__version__}-{sys.platform}-{os.uname().machine}.tar.xz"
    with tarfile.open(path, "w:xz", preset=1) as archive:
        archive.add(folder, arcname=f"plimsoll-{__version__}")
    return path


def main() -> None:
    """Builds, tries, packs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=["tar"])
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    parser.add_argument("--no-archive", action="store_true", help="build and try only")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    folder = build(options.output)
    try_it(folder)
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and not file.is_symlink())
    print(f"{folder}: {size / 1e6:.0f} MB")
    if not options.no_archive:
        path = pack(folder, options.output)
        print(f"{path}: {path.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
