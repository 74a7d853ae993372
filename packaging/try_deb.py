"""Tries a Debian package as its user would: `python packaging/try_deb.py PACKAGE`, as root. Knows nothing of building.

In a bare Debian 12, which debootstrap makes from this computer's mirror: `apt-get install`, an answer by the command,
one in the window with real keys on a screen of its own, a picture of it, `apt-get remove`. A loopback server answers.
Whatever is left then, except the user's conversations, is an error.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from trial import require

from tests.servers.messages_api import Answer, MessagesApi
from tests.servers.screen import x_screen

SUITE: Final = "bookworm"
USER: Final = "someone"
HOME: Final = f"/home/{USER}"
DATA: Final = f"{HOME}/.local/share/plimsoll"
TIMEOUT_S: Final = 900
WINDOW_TIMEOUT_S: Final = 60
ROOTS_PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
NEEDED: Final = {"debootstrap": "debootstrap", "xdotool": "xdotool", "Xvfb": "xvfb", "unshare": "util-linux"}
KEPT_BY_OTHERS: Final = ("/var/lib/dpkg/", "/var/lib/apt/", "/var/cache/", "/var/log/")
"""Where Debian itself may name a package that was there."""
PICTURE: Final = """
import sys
from PySide6.QtGui import QGuiApplication
app = QGuiApplication(["picture", "-platform", "xcb"])
sys.exit(not app.primaryScreen().grabWindow(0).save(sys.argv[1]))
"""


class BareDebian:
    """A Debian in a folder, with nothing in it but what every Debian has, and one user."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def command(self, *arguments: str, user: str = "root", environ: dict[str, str] | None = None) -> list[str]:
        """How to run a program in it. Nothing of this computer's environment is passed on."""
        home = HOME if user == USER else "/root"
        own = {"HOME": home, "PATH": ROOTS_PATH, "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
        around = [f"{name}={value}" for name, value in (own | (environ or {})).items()]
        inside = ["chroot", f"--userspec={user}", str(self.folder), "env", "-i", "-C", home, *around, *arguments]
        # /proc is mounted for this one program alone, and gone with it
        mounting = 'mount -t proc proc "$0" && exec "$@"'
        return ["unshare", "--mount", "sh", "-c", mounting, str(self.folder / "proc"), *inside]

    def run(
        self, *arguments: str, user: str = "root", environ: dict[str, str] | None = None, fails: bool = False
    ) -> str:
        """What a program prints; `fails`: also where it ends with an error."""
        command = self.command(*arguments, user=user, environ=environ)
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        if done.returncode and not fails:
            raise SystemExit(f"{' '.join(arguments)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def find(self, *conditions: str) -> list[str]:
        """Paths in it that `find` finds."""
        return self.run("find", "/", "-xdev", "-path", "/proc", "-prune", "-o", *conditions, "-print").splitlines()


def try_package(package: Path, output: Path, bare: Path | None = None) -> None:
    """The whole trial; prints what it saw, and puts a picture of the window into `output`.

    `bare`: a bare Debian to copy instead of making one. Raises SystemExit where anything is not as it must be.
    """
    require(os.geteuid() == 0, "a bare Debian can only be made by root: run this with sudo")
    missing = [name for program, name in NEEDED.items() if shutil.which(program) is None]
    require(not missing, f"needed for the trial: apt-get install {' '.join(missing)}")
    with tempfile.TemporaryDirectory(prefix="plimsoll-debian-", dir="/var/tmp") as folder:
        debian = BareDebian(Path(folder, "debian"))
        if bare is not None:
            subprocess.run(["cp", "--archive", bare, debian.folder], check=True)
        else:
            subprocess.run(["debootstrap", "--variant=minbase", SUITE, debian.folder, _mirror()], check=True)
        require(not debian.find("-iname", "*plimsoll*"), "the bare Debian knows Plimsoll already")
        _install(debian, package)
        with MessagesApi(default=Answer("A loopback answer")) as api:
            environ = {"ANTHROPIC_BASE_URL": api.url, "ANTHROPIC_API_KEY": "sk-ant-trial"}
            _try_commands(debian, environ)
            with x_screen() as display:
                _try_window(debian, api, {**environ, "DISPLAY": display}, output / "window.png")
            require(api.violations == [], f"requests that the API refuses: {api.violations}")
        _remove(debian)


def _mirror() -> str:
    """Where this computer's apt has the suite from."""
    wanted = ("Identifier: Packages", f"Codename: {SUITE}", "Component: main")
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI)", *wanted]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    require(told, f"this computer's apt has no mirror of {SUITE}: name one in /etc/apt/sources.list")
    return told[0]


def _install(debian: BareDebian, package: Path) -> None:
    debian.run("useradd", "--create-home", USER)
    shutil.copy(package, debian.folder / "root")
    debian.run("apt-get", "update", "-q")
    before = len(debian.run("dpkg-query", "--list").splitlines())
    debian.run("apt-get", "install", "-y", "-q", f"./{package.name}")
    print("installed, with", len(debian.run("dpkg-query", "--list").splitlines()) - before - 1, "other packages")
    (debian.folder / "root" / package.name).unlink()
    # what the package needs is there without what was only recommended
    needed = debian.run("ldd", "/usr/lib/plimsoll/plimsoll", *_plugins(debian))
    require("not found" not in needed, f"libraries are missing:\n{needed}")


def _plugins(debian: BareDebian) -> list[str]:
    return debian.run("find", "/usr/lib/plimsoll/_internal/PySide6/Qt/plugins", "-name", "*.so").splitlines()


def _try_commands(debian: BareDebian, environ: dict[str, str]) -> None:
    print("version:", debian.run("plimsoll", "--version", user=USER).strip())
    told = debian.run("plimsoll", "doctor", "--json", user=USER, environ=environ, fails=True)
    checks = {check["name"]: check for check in json.loads(told)["checks"]}
    require(checks["resources"]["ok"], f"doctor: {checks['resources']}")
    require("GGUF" in checks["backend local"]["detail"], f"doctor: {checks['backend local']}")
    answer = debian.run("plimsoll", "ask", "--backend", "anthropic", "Who is there?", user=USER, environ=environ)
    require("A loopback answer" in answer, f"the command was not answered: {answer!r}")
    print("command:", answer.strip().splitlines()[0])


def _try_window(debian: BareDebian, api: MessagesApi, environ: dict[str, str], picture: Path) -> None:
    """Starts it as the menu does, types a question and waits for the answer in the history."""
    question, answer = "Typed into a window", "Answered in a window"
    asked = len(api.answers)
    api.script(Answer(answer))
    display = {"DISPLAY": environ["DISPLAY"]}

    def keys(*arguments: str) -> None:
        subprocess.run(["xdotool", *arguments], env={**os.environ, **display}, timeout=WINDOW_TIMEOUT_S, check=True)

    started = time.monotonic()
    with _running(debian, environ) as window:
        keys("search", "--sync", "--onlyvisible", "--class", "plimsoll", "windowfocus", "--sync")
        print(f"window: there after {time.monotonic() - started:.1f} s")
        _until((debian.folder / DATA.lstrip("/") / "instance.sock").exists, window, "the window's socket")
        keys("type", "--delay", "20", question)
        keys("key", "Return")
        _until(lambda: len(api.answers) > asked, window, "the window's request")
        require(question in json.dumps(api.answers[asked].body), "the window sent something else than was typed")

        def found() -> bool:
            return answer in debian.run("plimsoll", "search", answer, user=USER, fails=True)

        _until(found, window, "the answer in the history")
        time.sleep(1)  # the picture shows the answer when it is painted
        subprocess.run([sys.executable, "-c", PICTURE, picture], env={**os.environ, **display}, check=True)
        print("window: asked and answered;", picture)
        keys("key", "ctrl+q")
        _until(lambda: window.poll() is not None, None, "the window's end")
        require(window.returncode == 0, f"the window ended with {window.returncode}")


@contextmanager
def _running(debian: BareDebian, environ: dict[str, str]) -> Iterator[subprocess.Popen[Any]]:
    window = subprocess.Popen(debian.command("plimsoll", user=USER, environ=environ))
    try:
        yield window
    finally:
        if window.poll() is None:
            window.kill()
        window.wait()


def _until(condition: Callable[[], bool], window: subprocess.Popen[Any] | None, what: str) -> None:
    end = time.monotonic() + WINDOW_TIMEOUT_S
    while not condition():
        require(window is None or window.poll() is None, f"the window ended while this was waited for: {what}")
        require(time.monotonic() < end, f"did not come: {what}")
        time.sleep(0.1)


def _remove(debian: BareDebian) -> None:
    brought = debian.run("dpkg-query", "--listfiles", "plimsoll").splitlines()
    debian.run("apt-get", "remove", "-y", "-q", "plimsoll")
    # folders that other packages have, too, stay
    left = [path for path in brought if os.path.lexists(debian.folder / path.lstrip("/"))]
    left = [path for path in left if not debian.run("dpkg-query", "--search", path, fails=True)]
    named = [path for path in debian.find("-iname", "*plimsoll*") if not path.startswith((HOME, *KEPT_BY_OTHERS))]
    require(not left and not named, f"left behind: {sorted({*left, *named})}")
    theirs = debian.find("-user", USER, "-type", "f")
    outside = [path for path in theirs if not path.startswith((f"{DATA}/", f"{HOME}/."))]
    require(f"{DATA}/history.db" in theirs, "the user's conversations are gone")
    require(not outside, f"written outside of the user's hidden folders: {outside}")
    print("removed; the conversations are left")


def main() -> None:
    """Tries the package that is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("package", type=Path)
    parser.add_argument("--output", type=Path, default=Path(), help="where the picture goes")
    parser.add_argument("--bare", type=Path, help="a bare Debian to copy instead of making one")
    options = parser.parse_args()
    try_package(options.package.absolute(), options.output.absolute(), options.bare)


if __name__ == "__main__":
    main()
