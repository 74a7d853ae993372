"""Owns which pictures there are, and how a process of its own draws them. Imports no Qt."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.ui.golden.surroundings import cjk_font, surroundings

HERE = Path(__file__).parent
THEMES = ("light", "dark")
GROUPS = (
    "controls",
    "gauge",
    "cards",
    "prose",
    "turns",
    "boundaries",
    "threads",
    "popovers",
    "inspector",
    "usage",
)
SCRIPTS = "scripts"
"""The group that needs a font which is not bundled."""
WINDOWS = (
    "conversation",
    "long_titles",
    "empty",
    "no_list",
    "near_the_limit",
    "refused",
    "popover",
    "models",
    "trim",
    "welcome",
)
"""Names of scenes (`tests/ui/scenes.py`)."""
PATIENCE_S = 120


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
    *(Picture("gallery", group, theme) for group in (*GROUPS, SCRIPTS) for theme in THEMES),
    *(Picture("window", scene, theme) for scene in WINDOWS for theme in THEMES),
)


def drawable(picture: Picture) -> bool:
    """False where this machine lacks the font that the picture needs."""
    return picture.subject != SCRIPTS or cjk_font() is not None


def draw(pictures: Sequence[Picture], out: Path) -> None:
    """Draws pictures into a folder; `RuntimeError` with what the process said where it fails."""
    font = cjk_font()
    kinds = (
        *(([one for one in pictures if one.kind == "window" and one.theme == theme], ()) for theme in THEMES),
        ([one for one in pictures if one.kind == "gallery" and one.subject != SCRIPTS], ()),
        ([one for one in pictures if one.subject == SCRIPTS and font is not None], (font,) if font is not None else ()),
    )
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
        timeout=PATIENCE_S,
        check=False,
    )
    if ran.returncode:
        raise RuntimeError(f"the pictures could not be drawn:\n{ran.stderr[-4_000:]}")
