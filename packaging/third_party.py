"""Writes `resources/third-party.json`: the packages that Plimsoll needs at run time, each with its licence.

`python packaging/third_party.py`, in an environment with everything installed. About shows the list.
"""

from __future__ import annotations

import json
import sys
from importlib import metadata
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

ROOT: Final = Path(__file__).resolve().parent.parent
TARGET: Final = ROOT / "resources" / "third-party.json"
EXTRAS: Final = ("", "local", "diagrams")
"""Of ours: what is installed to run, not to develop."""
BESIDE: Final = {"Inter": "OFL-1.1", "JetBrains Mono": "OFL-1.1", "Python": "PSF-2.0"}
"""What comes in no package."""
UNSAID: Final = {"pyrage": "MIT", "resvg_py": "MIT"}
"""Of packages whose facts do not name the licence that their text is."""


def needed(names: dict[str, metadata.Distribution], name: str, extras: tuple[str, ...]) -> None:
    """Adds an installed package and what it needs; what is not installed is left out."""
    try:
        package = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return
    if package.name in names:
        return
    names[package.name] = package
    for line in package.requires or ():
        asked = Requirement(line)
        if asked.marker is None or any(asked.marker.evaluate({"extra": extra}) for extra in extras):
            needed(names, asked.name, ("", *asked.extras))


def license_of(package: metadata.Distribution) -> str:
    """In a few words."""
    told = package.metadata
    named = (told.get("License-Expression") or told.get("License") or "").strip()
    classified = [one.rpartition(" :: ")[2] for one in told.get_all("Classifier") or () if one.startswith("License")]
    return named.splitlines()[0] if named else ", ".join(classified) or UNSAID.get(package.name, "")


def main() -> None:
    """Writes the list."""
    found: dict[str, metadata.Distribution] = {}
    needed(found, "plimsoll-chat", EXTRAS)
    ours = found.pop("plimsoll-chat", None)
    if ours is None:
        sys.exit("plimsoll-chat is not installed here")
    listed = {name: license_of(package) for name, package in found.items()} | BESIDE
    unknown = [name for name, words in listed.items() if not words]
    if unknown:
        sys.exit(f"no licence is known of {', '.join(unknown)}")
    text = json.dumps(dict(sorted(listed.items(), key=lambda entry: entry[0].lower())), indent=1, ensure_ascii=False)
    TARGET.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
