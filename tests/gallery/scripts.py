"""Shows scripts that the bundled fonts don't have: Chinese, Japanese, Korean. Owns only made-up text.

It looks as the machine's fonts look; a page of its own keeps the other pages the same everywhere.
"""

from __future__ import annotations

from desktop_app.ui.gauge.gauge_reading import GaugeReading
from desktop_app.ui.gauge.gauge_strip import GaugeStrip
from tests.gallery.fitted import FittedTranscript, message
from tests.gallery.page import Page

TEXT = """\
当然可以。**环形缓冲区**是一种固定大小的数据结构:写满之后,新的元素会覆盖最旧的元素。

1. 写入位置用 `head` 表示,每次写入后加一
2. 取模运算让位置回到开头

| 结构 | 写入 |
|---|---:|
| 列表 | O(1) |

```python
print("你好,世界")  # 注释
```

> 日本語でも同じです。固定長の配列を使い、古い要素から上書きします。

한국어로도 같습니다.
"""


def fill(page: Page) -> None:
    """One answer and one line."""
    view = FittedTranscript(page.theme, page)
    view.show_path([message(0, "user", "你能用中文解释一下环形缓冲区吗?"), message(1, "assistant", TEXT)])
    page.add("Chinese, Japanese, Korean", view)
    strip = GaugeStrip(page.theme, page)
    strip.reduced_motion = True
    strip.show_reading(GaugeReading("near", 0.76, 0.8, "150K 中的 144K · 大约还有 1 轮", "", ""))
    page.add("A translated line", strip)
