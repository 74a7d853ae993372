"""Owns what is around the process that draws: fonts, language, clock zone, scale. The same on every machine."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

CJK_FONT = "NotoSansCJK-Regular.ttc"
ARABIC_FONT = "DejaVuSans.ttf"
PACKAGES = {CJK_FONT: "fonts-noto-cjk", ARABIC_FONT: "fonts-dejavu-core"}
"""Debian's packages of the fonts that some pictures need."""
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts")
"""Where a system keeps fonts; a few pictures need one that is not bundled."""

_FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>{fonts}</dir>
  <cachedir>{cache}</cachedir>
  <match target="font">
    <edit name="antialias" mode="assign"><bool>true</bool></edit>
    <edit name="hinting" mode="assign"><bool>false</bool></edit>
    <edit name="hintstyle" mode="assign"><const>hintnone</const></edit>
    <edit name="rgba" mode="assign"><const>none</const></edit>
  </match>
</fontconfig>
"""


def font_file(name: str) -> Path | None:
    """A font's file, where this machine has it."""
    found = (path for folder in FONT_FOLDERS for path in Path(folder).rglob(name))
    return next(found, None)


def surroundings(folder: Path, fonts: Sequence[Path] = ()) -> dict[str, str]:
    """The environment of a process that draws. Only the bundled fonts are known to it, and `fonts`.

    `folder`: an empty one for what the process may write.
    """
    known = folder / "fonts"
    known.mkdir()
    for font in fonts:
        (known / font.name).symlink_to(font)
    setting = folder / "fonts.conf"
    setting.write_text(_FONTS.format(fonts=known, cache=folder / "cache"), encoding="utf-8")
    left_out = ("QT_", "XDG_", "LC_", "PLIMSOLL_", "ANTHROPIC_", "OPENAI_", "CLAUDE_", "FONTCONFIG_", "PYTEST_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    return {
        **kept,
        "HOME": str(folder),
        "FONTCONFIG_FILE": str(setting),
        "LANG": "C.UTF-8",
        "LANGUAGE": "en",
        "TZ": "UTC",
        "QT_QPA_PLATFORM": "offscreen",
        "QT_SCALE_FACTOR": "1",
        "QT_FONT_DPI": "96",
        "QT_LOGGING_RULES": "*.debug=false;qt.qpa.*=false",
    }
