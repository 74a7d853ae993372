"""Puts together what a release is made of: `./dev release [--dry-run]`. Nothing is sent anywhere and nothing tagged.

`dist/release` gets the wheel and the sdist, the packages of this version that `./dev package` left in `dist`, the
notes (this version's part of the changelog), a bill of materials (CycloneDX) and `SHA256SUMS`, signed with minisign
where it is installed and `PLIMSOLL_SIGNING_KEY` names a key. What stands in the way of a release is named; with
`--dry-run` the rest is made all the same.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from debian import MAINTAINER, day_of_version
from shared_files import ROOT
from third_party import EXTRAS, license_of, needed

from desktop_app import __version__

PACKAGES: Final = {"Debian": ".deb", "Fedora": ".rpm", "Linux": ".tar.xz"}
OWNED_BY_NOBODY: Final = re.compile(r"\.(example|invalid)\b")


def main() -> None:
    """Makes all of it, and ends with an error where it is no release."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry-run", action="store_true", help="make what can be made, and name what stands in the way")
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    options = parser.parse_args()
    problems = in_the_way(options.output)
    for problem in problems:
        print("in the way:", problem)
    if problems and not options.dry_run:
        sys.exit("no release; --dry-run makes what can be made")
    folder = options.output / "release"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", folder], cwd=ROOT, check=True)
    for package in packages(options.output):
        shutil.copy(package, folder)
    (folder / "NOTES.md").write_text(notes((ROOT / "CHANGELOG.md").read_text("utf-8")), "utf-8")
    bill = json.dumps(bill_of_materials(), indent=1, ensure_ascii=False)
    (folder / f"plimsoll-{__version__}.cdx.json").write_text(bill + "\n", "utf-8")
    sums = folder / "SHA256SUMS"
    files = sorted(folder.iterdir())
    sums.write_text("".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files))
    key = os.environ.get("PLIMSOLL_SIGNING_KEY")
    if key and shutil.which("minisign"):
        subprocess.run(["minisign", "-S", "-s", key, "-m", sums, "-t", f"Plimsoll {__version__}"], check=True)
    for file in sorted(folder.iterdir()):
        print(f"{file.stat().st_size / 1e6:8.1f} MB  {file.name}")


def in_the_way(output: Path) -> list[str]:
    """Everything for which this is not to be released as it stands."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    problems = [
        f"{name} in pyproject.toml: {url} belongs to nobody"
        for name, url in project["urls"].items()
        if OWNED_BY_NOBODY.search(url)
    ]
    if OWNED_BY_NOBODY.search(MAINTAINER):
        problems.append(f"DEBFULLNAME and DEBEMAIL name no maintainer: {MAINTAINER}")
    heading = f"## {__version__} - {day_of_version():%Y-%m-%d}"
    if heading not in (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines():
        problems.append(f"CHANGELOG.md has no {heading!r}, the day that the metainfo has")
    if subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=True).stdout:
        problems.append("what is here differs from what is committed")
    there = {path.name for path in packages(output)}
    problems += [
        f"no package for {system} in {output}: ./dev package"
        for system, ending in PACKAGES.items()
        if not any(name.endswith(ending) for name in there)
    ]
    if not os.environ.get("PLIMSOLL_SIGNING_KEY") or shutil.which("minisign") is None:
        problems.append("PLIMSOLL_SIGNING_KEY names no key, or minisign is not installed: the checksums are not signed")
    return problems


def packages(output: Path) -> list[Path]:
    """Those of this version."""
    return sorted(
        file for file in output.glob(f"plimsoll[_-]{__version__}*") if file.name.endswith((*PACKAGES.values(),))
    )


def notes(changelog: str) -> str:
    """This version's part of the changelog, or what is not released yet."""
    for part in re.split(r"^(?=## )", changelog, flags=re.MULTILINE)[1:]:
        if part.startswith(f"## {__version__} "):
            return part
    raise SystemExit(f"CHANGELOG.md has no part of {__version__}")


def bill_of_materials() -> dict[str, Any]:
    """What Plimsoll needs at run time, as CycloneDX 1.5 has it; the same from the same packages."""
    found: dict[str, metadata.Distribution] = {}
    needed(found, "plimsoll-chat", EXTRAS)
    found.pop("plimsoll-chat")
    parts = [
        {
            "type": "library",
            "name": package.name,
            "version": package.version,
            "purl": f"pkg:pypi/{re.sub('[-_.]+', '-', package.name.lower())}@{package.version}",
            "licenses": [{"license": {"name": license_of(package)}}],
        }
        for _, package in sorted(found.items(), key=lambda entry: entry[0].lower())
    ]
    ours = {"type": "application", "name": "plimsoll-chat", "version": __version__}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"timestamp": day_of_version().isoformat(), "component": ours},
        "components": parts,
    }


if __name__ == "__main__":
    main()
