"""Draws pictures by name into a folder: `python -m tests.ui.golden.drawing OUT NAME...`, in set surroundings."""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QPoint, QRect
from PySide6.QtGui import QFontDatabase, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.ui.transcript.items.highlighting import Highlighter
from desktop_app.ui.transcript.view import TranscriptView
from tests.set_time import set_time

if TYPE_CHECKING:
    from desktop_app.ui.theme.theme import ThemeName

LOOK_S = 0.1
PAGE_STILL, WINDOW_STILL = 1, 3
"""A picture counts as settled when it was the same so many times in a row, so far apart.

The gauge changes its words four times a second.
"""
MOST_LOOKS = 100


def set_surroundings() -> None:
    """The time stands, and the titles are those that the bundled fonts can show."""
    import tests.ui.scenes

    set_time(stands=True)
    if QFontDatabase.families(QFontDatabase.WritingSystem.Japanese):
        return
    # the bundled fonts have no Japanese; a title that shows boxes would be no picture of the product
    titles = [(title if title < "\u3000" else "Reading Japanese", *facts) for title, *facts in tests.ui.scenes.TITLES]
    tests.ui.scenes.TITLES = tuple(titles)  # type: ignore[assignment]


async def _still(widget: QWidget, times: int, covered: Sequence[QWidget] = ()) -> QPixmap:
    """The picture of a widget once it has come to rest; `covered` parts of it are left plain."""
    before, same = None, 0
    for _ in range(MOST_LOOKS):
        await asyncio.sleep(LOOK_S)
        if any(highlighter.busy for highlighter in widget.findChildren(Highlighter)):
            continue
        if any(view.busy for view in widget.findChildren(TranscriptView)):
            continue
        picture = _grabbed(widget, covered)
        image = picture.toImage()
        same = same + 1 if image == before else 0
        before = image
        if same >= times:
            return picture
    raise RuntimeError(f"{widget} never came to rest")


def _grabbed(widget: QWidget, covered: Sequence[QWidget]) -> QPixmap:
    picture = widget.grab()
    painter = QPainter(picture)
    for part in covered:
        painter.fillRect(QRect(part.mapTo(widget, QPoint(0, 0)), part.size()), widget.palette().window())
    if (popup := QApplication.activePopupWidget()) is not None:
        painter.drawPixmap(popup.pos() - widget.mapToGlobal(QPoint(0, 0)), popup.grab())
    painter.end()
    return picture


def _save(picture: QPixmap, path: Path) -> None:
    # hardly packed: packing would take longer than drawing
    if not picture.save(str(path), quality=90):
        raise RuntimeError(f"{path.name} could not be drawn")


async def draw_page(group: str, theme: ThemeName, out: Path) -> None:
    """A page of the gallery."""
    from desktop_app.ui.theme.style import apply_theme
    from desktop_app.ui.theme.theme import load_theme
    from tests.gallery.groups import page_of

    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, load_theme(theme))
    page = page_of(group, load_theme(theme))
    page.show()
    _save(await _still(page, PAGE_STILL), out / f"gallery-{group}-{theme}.png")
    page.close()
    page.deleteLater()


async def draw_scene(scene: str, themes: Sequence[str], out: Path) -> None:
    """A whole window, in one theme after the other."""
    from tests.fakes.gated_backend import GatedBackend
    from tests.ui.open_window import OpenWindow
    from tests.ui.scenes import SCENES, make_threads

    for theme in themes:
        random.seed(1)
        with tempfile.TemporaryDirectory(prefix="golden-window-") as folder:
            data_dir = Path(folder) / "d"
            await make_threads(data_dir)
            look = f'[appearance]\ntheme = "{theme}"\nreduced_motion = true\n'
            (data_dir / "settings.toml").write_text(look, encoding="utf-8")
            async with OpenWindow.opened(data_dir, backend=None, local=GatedBackend("local")) as window:
                # menus tell what the plan says, and one that opens before there is a plan stands elsewhere
                await window.until(lambda: window.presenters.gauge.plan is not None, "a plan")
                await SCENES[scene](window)
                await window.settled()
                # how long the thread is, and so the bar, is an estimate that gets better in idle time
                bar = window.transcript.verticalScrollBar()
                _save(
                    await _still(window.window, WINDOW_STILL, [bar] if bar.isVisible() else []),
                    out / f"window-{scene}-{theme}.png",
                )
                while (popup := QApplication.activePopupWidget()) is not None:
                    popup.close()


async def draw_all(names: Sequence[str], out: Path) -> None:
    """The pictures of these names."""
    scenes: dict[str, list[str]] = {}
    for name in names:
        kind, subject, theme = name.split("-")
        if kind == "gallery":
            await draw_page(subject, "dark" if theme == "dark" else "light", out)
        else:
            scenes.setdefault(subject, []).append(theme)
    for scene, themes in scenes.items():
        await draw_scene(scene, themes, out)


def main(arguments: Sequence[str]) -> int:
    """The exit status."""
    import qasync

    from desktop_app.ui.shell.opening import make_application

    out = Path(arguments[0])
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    app = make_application()
    app.setCursorFlashTime(0)
    set_surroundings()
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    loop.run_until_complete(draw_all(arguments[1:], out))
    loop.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
