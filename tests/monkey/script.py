"""Owns what the scripted model says to the monkey: answers of all kinds, in pieces, long enough to be disturbed."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Final

PIECES: Final = (
    "Some words of an answer that goes on. ",
    "A formula $\\frac{a}{b}$ stands in it, and \\(x^2\\). ",
    "\n\n```python\ndef folded(rope: str) -> str:\n    return rope[::-1]\n```\n\n",
    "\n\n| Port | Load |\n|---|---:|\n| Hamburg | 31,500 t |\n| Bergen | 7 t |\n\n",
    "\n\n- one\n- two\n    - three, with a [link](https://example.org/)\n\n",
    "\n\n$$\n\\int_0^1 x\\,dx = \\frac{1}{2}\n$$\n\n",
    "中文、日本語, العربية and 🧵 beside a word[^1].\n\n[^1]: A footnote.\n\n",
    "\n\n# A heading\n\n> Quoted.\n\n",
)


def write_script(path: Path, seed: int) -> None:
    """Forty answers, which the backend plays over and over."""
    chance = random.Random(seed)
    lines: list[dict[str, object]] = []
    for _ in range(40):
        if chance.random() < 0.3:
            lines += [{"thinking": "Thinking of ropes. "}, {"delay_ms": 30}]
        for _ in range(chance.choice((2, 10, 40, 120))):
            lines += [{"text": chance.choice(PIECES)}, {"delay_ms": chance.choice((0, 5, 20, 60))}]
        if chance.random() < 0.1:
            lines.append({"notice": "The model was changed."})
        if chance.random() < 0.12:
            lines.append({"error": {"code": "overloaded", "message": "Too much to do.", "actions": ["retry"]}})
        else:
            lines.append({"usage": {"input": 900, "output": 200, "cache_read": 100}})
            lines.append({"end": chance.choice(("end_turn", "end_turn", "max_tokens"))})
    path.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
