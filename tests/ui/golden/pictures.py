"""Owns which pictures there are, and how a process of its own draws them. Imports no Qt."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.patience import PATIENCE_S
from tests.ui.golden.surroundings import ARABIC_FONT, CJK_FONT, PACKAGES, font_file, surroundings

HERE = Path(__file__).parent
THEMES = ("light", "dark")
GROUPS = (
    "controls",
    "composer",
    "gauge",
    "cards",
    "prose",
    "turns",
    "messages",
    "boundaries",
    "threads",
    "popovers",
    "prompts",
    "projects",
    "documents",
    "inspector",
    "usage",
    "preferences",
    "shortcuts",
    "palette",
    "bars",
    "overlays",
    "scripts",
    "artifacts",
)
WINDOWS = (
    "conversation",
    "long_titles",
    "empty",
    "refused",
    "models",
    "trim",
    "welcome",
    "load_line",
    "long_code",
    "chinese",
    "leftwards",
    "streaming",
    "inspector_request",
    "preferences_search",
)
"""Names of scenes (`tests/ui/scenes.py`)."""
NEEDED = {"scripts": CJK_FONT, "chinese": CJK_FONT, "inspector_request": CJK_FONT, "leftwards": ARABIC_FONT}
"""Groups and scenes that need a font which is not bundled."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A page of the gallery ("gallery") or a scene ("window") in a theme."""

    kind: str
    subject: str
    theme: str

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.subject}-{self.theme}"

    @property
    def kept(self) -> Path:
        """The picture to compare with."""
        return HERE / f"{self.name}.png"


PICTURES = (
    *(Picture("gallery", group, theme) for group in GROUPS for theme in THEMES),
    *(Picture("window", scene, theme) for scene in WINDOWS for theme in THEMES),
)


def lacking(picture: Picture) -> str:
    """What this machine lacks to draw the picture, in words; empty: nothing."""
    font = NEEDED.get(picture.subject)
    return "" if font is None or font_file(font) is not None else f"needs {font} (Debian: {PACKAGES[font]})"


PATIENCE_A_PICTURE_S: Final = 20.0
"""How long each of the pictures of one process may take besides."""


def draw(pictures: Sequence[Picture], out: Path) -> None:
    """Draws pictures into a folder; `RuntimeError` with what the process said where it fails."""
    bundled = [one for one in pictures if one.subject not in NEEDED]
    fonts = {name: path for name in PACKAGES if (path := font_file(name)) is not None}
    kinds: list[tuple[list[Picture], tuple[Path, ...]]] = [
        *(([one for one in bundled if one.kind == "window" and one.theme == theme], ()) for theme in THEMES),
        ([one for one in bundled if one.kind == "gallery"], ()),
        *(([one for one in pictures if NEEDED.get(one.subject) == name], (path,)) for name, path in fonts.items()),
    ]
    with tempfile.TemporaryDirectory(prefix="golden-") as folder, ThreadPoolExecutor() as beside:
        drawn = [
            beside.submit(_draw, some, out, Path(folder) / str(number), fonts)
            for number, (some, fonts) in enumerate(kinds)
            if some
        ]
        for each in drawn:
            each.result()


def _draw(pictures: Sequence[Picture], out: Path, folder: Path, fonts: Sequence[Path]) -> None:
    """Draws with one process."""
    folder.mkdir()
    command = [sys.executable, "-m", "tests.ui.golden.drawing", str(out), *(one.name for one in pictures)]
    ran = subprocess.run(
        command,
        env=surroundings(folder, fonts),
        cwd=HERE.parents[2],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S + PATIENCE_A_PICTURE_S * len(pictures),
        check=False,
    )
    if ran.returncode:
        raise RuntimeError(f"the pictures could not be drawn:\n{ran.stderr[-4_000:]}")
