"""Showing a message asks no server and opens no file, whatever it holds; also where it is copied or read aloud."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.ui.transcript.view import TranscriptView
from tests.ui.transcript.gallery import message
from tests.unix import is_open, make_pipe

TEXT = """
![image]({web}/a.png) ![]({web}/b.png) ![reference][r] [![linked]({web}/c.png)]({web}/d)

[r]: {web}/e.png "title"

<img src="{web}/f.png"><iframe src="{web}/g"></iframe><link rel="stylesheet" href="{web}/h.css">
<script src="{web}/i.js"></script><style>@import url({web}/j.css);</style>
<div style="background: url({web}/k.png)">text</div>

| ![cell]({web}/l.png) | <img src={file}> |
|---|---|
| {web}/m.png | ![local]({file}) |

- [ ] ![task](file://{file})

$\\includegraphics{{{file}}} \\href{{{web}/n}}{{x}} \\input{{{file}}}$

```html
<img src="{web}/o.png">
```
"""


def test_no_server_is_asked_and_no_file_opened(view: TranscriptView, qtbot: QtBot, tmp_path: Path) -> None:
    pipe = tmp_path / "local.png"
    make_pipe(pipe)  # whoever opened it would wait for a writer
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        web = f"http://127.0.0.1:{server.getsockname()[1]}"
        text = TEXT.format(web=web, file=pipe)
        view.show_path([message(0, "user", text), message(1, "assistant", text)])
        view.show()
        qtbot.waitExposed(view)
        view.grab()
        view.selection.select_all()
        view.copying.copy()
        mime = QApplication.clipboard().mimeData()
        assert mime.text()
        accessible = QAccessible.queryAccessibleInterface(view)
        assert accessible is not None
        QApplication.processEvents()
        with pytest.raises(BlockingIOError):
            server.accept()
    assert not is_open(pipe)
