"""Finds the shipped files: beside the package in a checkout, inside it in a wheel, in the bundle when frozen."""

from __future__ import annotations

import sys
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resource_root() -> Path:
    """The folder with `fonts`, `icons`, `themes`; `FileNotFoundError` naming the places looked at if none has them."""
    bundle = getattr(sys, "_MEIPASS", None)
    places = [_PACKAGE / "_resources", _PACKAGE.parent / "resources"]
    if bundle is not None:
        places.insert(0, Path(bundle) / "desktop_app" / "_resources")
    for place in places:
        if (place / "themes").is_dir():
            return place
    raise FileNotFoundError("Plimsoll's own files are missing; looked in " + ", ".join(map(str, places)))


def resource(*parts: str) -> Path:
    """Path of one shipped file, such as `resource("fonts", "Inter-Regular.otf")`; it is not checked to exist."""
    return resource_root().joinpath(*parts)


def user_guide() -> Path:
    """The text that Help shows: `docs/user-guide.md`, which packages have among their resources."""
    packed = resource("user-guide.md")
    return packed if packed.is_file() else _PACKAGE.parent / "docs" / "user-guide.md"
