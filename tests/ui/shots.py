"""Pictures of every page, pane, menu and popover: `python -m tests.ui.shots OUT [name ...]`.

At four sizes, light and dark, in English and German, with text of 100 % and 150 %, into a folder with an `index.html`.
What there is comes from `tests/ui/views.py`.
"""

from __future__ import annotations

import argparse
import asyncio
import html
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Final

from desktop_app.core.errors import PlimsollError
from tests.set_time import set_time

if TYPE_CHECKING:
    from PySide6.QtGui import QPixmap

    from tests.ui.open_window import OpenWindow
    from tests.ui.views import View

THEMES: Final = ("light", "dark")
REST_S: Final = 0.15
"""Late highlighting and the gauge's words; this is no test."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How a window is: its language, the size of its text in percent, its theme."""

    language: str
    percent: int
    theme: str

    def file(self, view: str, size: tuple[int, int]) -> str:
        return f"{view}-{size[0]}x{size[1]}-{self.language}-{self.percent}-{self.theme}.png"


async def draw(kind: Kind, views: Sequence[View], sizes: Sequence[tuple[int, int]], out: Path) -> list[str]:
    """Draws views in windows of that kind; those with a history share one window, those without another.

    What could not be drawn, in words.
    """
    failed = []
    from tests.ui.views import leave, opened, resized

    for used in (True, False):
        some = [view for view in views if view.used == used]
        if not some:
            continue
        with tempfile.TemporaryDirectory(prefix="plimsoll-shots-") as folder:
            data_dir = Path(folder) / "d"
            async with opened(
                data_dir, used=used, language=kind.language, percent=kind.percent, theme=kind.theme
            ) as window:
                for view in some:
                    for size in sizes:
                        await resized(window, size)
                        try:
                            await view.open(window)
                            await window.settled()
                            await asyncio.sleep(REST_S)
                            _picture(window).save(str(out / kind.file(view.name, size)))
                        except (PlimsollError, AssertionError, LookupError, AttributeError) as error:
                            failed.append(f"{kind.file(view.name, size)}: {error!r}")
                        await leave(window)
    return failed


def _picture(window: OpenWindow) -> QPixmap:
    """The window and all that lies over it, as far as that goes beyond it."""
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QColor, QPainter, QPixmap

    from tests.ui.views import windows_of

    there = windows_of(window)
    place = there[0].geometry()
    for other in there[1:]:
        place = place.united(other.geometry())
    picture = QPixmap(place.size())
    picture.fill(QColor("#888888"))
    painter = QPainter(picture)
    for one in there:
        painter.drawPixmap(one.mapToGlobal(QPoint(0, 0)) - place.topLeft(), one.grab())
    painter.end()
    return picture


def write_index(out: Path, views: Iterable[str], kinds: Sequence[Kind], sizes: Sequence[tuple[int, int]]) -> None:
    """One row per view and kind, its sizes beside each other."""
    rows = []
    for view in views:
        rows.append(f"<h2 id={view}>{html.escape(view)}</h2>")
        for kind in kinds:
            files = [kind.file(view, size) for size in sizes if (out / kind.file(view, size)).exists()]
            shown = "".join(f'<a href="{name}"><img loading=lazy src="{name}"></a>' for name in files)
            rows.append(f"<h3>{kind.language}, {kind.percent} %, {kind.theme}</h3><p>{shown}</p>")
    links = " · ".join(f'<a href="#{view}">{html.escape(view)}</a>' for view in views)
    style = "body{font:14px sans-serif;margin:16px}img{max-height:360px;margin:4px;border:1px solid #999}"
    page = f"<!doctype html><meta charset=utf-8><title>Plimsoll</title><style>{style}</style><p>{links}</p>"
    (out / "index.html").write_text(page + "\n".join(rows), encoding="utf-8")


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="plimsoll-home-") as home:
        os.environ["HOME"] = home
        set_time()
        os.environ.pop("LANGUAGE", None)
        from tests.ui.views import LANGUAGES, SIZES, TEXT_SIZES, VIEWS, offscreen

        parser = argparse.ArgumentParser(prog="python -m tests.ui.shots", description=__doc__)
        parser.add_argument("out", type=Path)
        parser.add_argument("names", nargs="*", metavar="name", help="views whose names begin so; all of them")
        parser.add_argument("--list", action="store_true", help="only say which views there are")
        parser.add_argument("--size", action="append", help="WIDTHxHEIGHT instead of the four; may be given again")
        parser.add_argument("--language", action="append", choices=("en", "de", "zh_CN"))
        parser.add_argument("--text", action="append", type=int, choices=tuple(TEXT_SIZES), help="percent")
        parser.add_argument("--theme", action="append", choices=THEMES)
        if "--list" in sys.argv:
            sys.stdout.write("\n".join(view.name for view in VIEWS) + "\n")
            return 0
        asked = parser.parse_intermixed_args()
        chosen = [view for view in VIEWS if not asked.names or view.name.startswith(tuple(asked.names))]
        if not chosen:
            parser.error(f"no view's name begins with {' or '.join(asked.names)}; --list names them")
        sizes = [tuple(map(int, one.split("x"))) for one in asked.size] if asked.size else SIZES
        wanted = (asked.language or LANGUAGES, asked.text or tuple(TEXT_SIZES), asked.theme or THEMES)
        kinds = [Kind(language, percent, theme) for language, percent, theme in product(*wanted)]
        asked.out.mkdir(parents=True, exist_ok=True)
        os.environ["QT_QPA_PLATFORM"] = offscreen(Path(home))
        import qasync

        from desktop_app.ui.shell.opening import make_application

        loop = qasync.QEventLoop(make_application())
        asyncio.set_event_loop(loop)
        failed: list[str] = []
        for kind in kinds:
            failed += loop.run_until_complete(draw(kind, chosen, [(one[0], one[1]) for one in sizes], asked.out))
        loop.close()
        write_index(asked.out, [view.name for view in chosen], kinds, [(one[0], one[1]) for one in sizes])
        for words in failed:
            sys.stderr.write(f"not drawn: {words}\n")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
