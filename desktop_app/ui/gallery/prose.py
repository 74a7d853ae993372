"""Shows an answer with one of everything that Markdown has. Owns only the made-up text."""

from __future__ import annotations

from desktop_app.ui.gallery.fitted import FittedTranscript, message
from desktop_app.ui.gallery.page import Page

TEXT = '''Here is a compact **ring buffer** with type hints. It overwrites the *oldest* entry, so `push` is ~~fast~~ \
**_very_ fast**. See the [documentation](https://docs.python.org/3/library/collections.html).

# The first heading
## The second
### The third
#### The fourth

```python
class RingBuffer(Generic[T]):
    """A fixed-size ring buffer."""

    def push(self, item: T) -> None:
        self._items[self._head % len(self._items)] = item  # next write
        if self._head > 10_000 and not self._warned:
            raise ValueError(f"too many items: {self._head!r}")  # a long line that goes on well beyond the card
```

```
No language
```

| Structure | push | pop | Notes |
|---|---:|:-:|:--|
| `list` | O(1)* | O(n) | shifting on `pop(0)`, which is slow for long lists and never what one wants |
| **deque** | O(1) | O(1) | bounded with `maxlen` |

- Works with **any** type
- One allocation, at the start
   - nested, with a line that is long enough to wrap so that the second line can be seen to hang where the first begins
      - and once more

3. Three
4. Four
   ```bash
   pip install ring-buffer
   ```
10. A number of two digits

- [x] written
- [ ] measured

> Prefer `collections.deque(maxlen=n)`.
>
> > Unless you need random access.

---

Inline \\(a_1 \\cdot b\\) and $e^{i\\pi} = -1$.

$$
\\int_0^1 x^2 dx = \\frac{1}{3}
$$
'''


def fill(page: Page) -> None:
    """One question, one answer."""
    view = FittedTranscript(page.theme, page)
    view.show_path(
        [message(0, "user", "Write a ring buffer in Python.\nWith type hints."), message(1, "assistant", TEXT)]
    )
    page.add("Headings, code, tables, lists, tasks, quotes, rules, formulas", view)
    chosen = FittedTranscript(page.theme, page)
    chosen.show_path([message(0, "user", "Which?"), message(1, "assistant", "A `deque`, as **always**.")])
    chosen.select_all()
    page.add("Selected", chosen)
