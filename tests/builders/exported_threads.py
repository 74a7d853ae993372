"""Builds threads to be exported: one that holds every kind of part and mark, and hostile ones."""

from __future__ import annotations

import base64
import struct
import zlib

from desktop_app.controller.formats.exported_thread import ExportedThread
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Message,
    Part,
    Role,
    TextPart,
    ThinkingPart,
    Thread,
    ToolCallPart,
    ToolResultPart,
    Usage,
)

ANSWER = """Here is an *answer* with **bold**, `code`, a [link](https://example.org/a), ~~gone~~ and $E = mc^2$ in line.

## Depths

1. One
   - nested
   - [x] done
2. Two

> A quote with $x_i$

| Name | Amount |
|---|--:|
| one | 12.50 |

$$
\\int_0^\\infty e^{-x^2}\\,dx = \\frac{\\sqrt{\\pi}}{2}
$$

```python
def greet(name: str) -> None:
    print(f"Hello, {name}!")
```

![A chart](https://example.org/chart.png) 世界

A note[^1] here.

[^1]: The note itself.
"""

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](https://example.org/pixel.png)",
    "![x](javascript:alert(1))",
    '[x](https://example.org/"onmouseover="alert(1))',
    "</style><style>*{background:url(https://example.org/)}</style>",
    "<link rel=stylesheet href=https://example.org/a.css>",
    "<meta http-equiv=refresh content='0;url=https://example.org/'>",
    "<svg><image href='https://example.org/a.png'/></svg>",
    "<iframe src=file:///etc/passwd></iframe>",
    "$\\text{<script>alert(1)</script>}$",
    '```"><script>alert(1)</script>\nx\n```',
    "```html\n<script>alert(1)</script>\n```",
    "<details open ontoggle=alert(1)>",
    "|<b>a</b>|\n|--|\n|<img src=//example.org/x>|",
    "\x00\x01\u202e\ud800",
    "[^<b>]\n\n[^<b>]: <script>x</script>",
)


def png(width: int = 60, height: int = 20) -> str:
    """A gray picture in base64."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = b"".join(b"\0" + b"\x80" * width for _ in range(height))
    whole = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return base64.b64encode(whole).decode()


def talk(*turns: tuple[Role, tuple[Part, ...]], title: str = "How it works", thread_id: str = "t1") -> ExportedThread:
    """A thread of these messages, each below the one before."""
    messages = tuple(
        Message(
            f"{thread_id}-m{number}",
            thread_id,
            f"{thread_id}-m{number - 1}" if number else None,
            role,
            parts,
            "2026-03-01T10:00:00.000Z",
            backend="anthropic" if role == "assistant" else None,
            model="claude-sonnet-4-5" if role == "assistant" else None,
            usage=Usage(1200, 0, 0, 345, 0, 0.0123) if role == "assistant" else None,
        )
        for number, (role, parts) in enumerate(turns)
    )
    tip = messages[-1].id if messages else None
    thread = Thread(thread_id, title, "2026-03-01T10:00:00.000Z", "2026-03-01T11:00:00.000Z", tip=tip, project="Harbor")
    return ExportedThread(thread, messages)


def everything(title: str = "How it works", thread_id: str = "t1") -> ExportedThread:
    """A thread with text, code, formulas, a table, a picture, a document, thinking and tools."""
    return talk(
        (
            "user",
            (
                TextPart("How deep?\n  indented\n```js\nlet a = 1;\n```"),
                ImagePart("chart.png", "image/png", png(), 60, 20),
                DocumentPart("report.pdf", "text of the report", "ab" * 32),
            ),
        ),
        ("assistant", (ThinkingPart("Let me think."), TextPart(ANSWER), ToolCallPart("c", "search", {"q": "ü"}))),
        ("user", (ToolResultPart("c", "three results"),)),
        ("assistant", (TextPart("The end."),)),
        title=title,
        thread_id=thread_id,
    )


def hostile() -> ExportedThread:
    """A thread in which every text that it can hold tries to become markup."""
    text = "\n\n".join(HOSTILE)
    parts = (
        TextPart(text),
        ThinkingPart(text),
        ToolCallPart("c", HOSTILE[0], {HOSTILE[0]: HOSTILE[1]}),
        ToolResultPart("c", text, is_error=True),
        ImagePart('"><script>alert(1)</script>', "image/svg+xml", base64.b64encode(b"<svg/>").decode()),
        ImagePart('" onload="alert(1)', "image/png", png()),
        ImagePart("broken", "image/png", "not base64 <"),
        DocumentPart(HOSTILE[0], text, "ab" * 32),
    )
    return talk(("user", parts), ("assistant", parts), title='<b>x</b>" onload="alert(1)\n---\n')
