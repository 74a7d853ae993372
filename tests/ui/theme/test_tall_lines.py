"""In the Chinese window all labels stand on one baseline, whichever script they are in."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.patience import PATIENCE_S
from tests.ui.golden.surroundings import CJK_FONT, font_file

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(font_file(CJK_FONT) is None, reason="needs a font with Chinese characters"),
]

MEASURE = """
import sys, tempfile
from pathlib import Path
from PySide6.QtGui import QFontMetricsF, QTextLayout
from desktop_app.ui.startup.single_instance import make_application, read_appearance
from desktop_app.ui.transcript.items.item import TextStyle

app = make_application()
with tempfile.TemporaryDirectory() as folder:
    settings = Path(folder) / "settings.toml"
    settings.write_text(f'[appearance]\\nlanguage = "{sys.argv[1]}"\\n', "utf-8")
    theme = read_appearance(settings).theme
for font in (theme.body_font(), theme.small_font(), theme.title_font()):
    lines = []
    for words in ("Search", "\\u641c\\u7d22", "\\u641c\\u7d22 abc", "Ag"):
        layout = QTextLayout(words, font)
        layout.beginLayout()
        line = layout.createLine()
        layout.endLayout()
        lines.append((line.ascent(), line.descent()))
    print(len(set(lines)))
look = TextStyle(theme)
print(look.body.pitch, look.small.pitch, look.code.pitch, *(look.headings[level].pitch for level in (1, 2, 3)))
"""


def measured(language: str) -> list[str]:
    """How many kinds of lines there are in each font, then the pitches of the conversation."""
    command = [sys.executable, "-c", MEASURE, language]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    return ran.stdout.splitlines()


def test_labels_have_one_baseline_and_the_conversation_keeps_its_lines() -> None:
    chinese, english = measured("zh_CN"), measured("en")
    assert chinese[:3] == ["1", "1", "1"]
    assert english[0] == "2", "what this test is about is no more"
    assert chinese[3] == english[3]
