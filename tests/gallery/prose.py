"""Shows an answer with one of everything that Markdown has. Owns only the made-up text."""

from __future__ import annotations

from tests.gallery.fitted import FittedTranscript, message
from tests.gallery.page import Page

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

FORMULAS = r"""# Formulas such as $E = mc^2$ in a heading

In a line they stand on its baseline: the sum $\sum_{i=1}^{n} i = \frac{n(n+1)}{2}$, the integral
$\int_0^\infty e^{-x^2}\,dx$, accents as in $\hat{x}$, $\vec{v}$ and $\bar{z}$, a root $\sqrt{1+x^2}$, **bold around
$\alpha_1$ as well**, and what is unknown, $\unknown{x}$, as it was written.

$$
\int_{-\infty}^{\infty} e^{-x^2} \, dx = \sqrt{\pi} \tag{1}
$$

\[
\begin{pmatrix} a & b \\ c & d \end{pmatrix} \begin{pmatrix} x \\ y \end{pmatrix}
= \lambda \begin{pmatrix} x \\ y \end{pmatrix}
\]

$$
\begin{aligned}
\nabla \cdot \vec{E} &= \frac{\rho}{\varepsilon_0} \\
e^x &= \sum_{k=0}^{\infty} \frac{x^k}{k!}
\end{aligned}
$$

$$|x| = \begin{cases} x & \text{if } x \ge 0 \\ -x & \text{otherwise} \end{cases}$$

- in a list, $\lim_{n \to \infty} a_n = 0$
- and a matrix that needs room: $\begin{pmatrix} 1 & 0 & 0 \\ 0 & 1 & 0 \\ 0 & 0 & 1 \end{pmatrix}$

| Name | Identity |
|---|---:|
| Euler | $e^{i\pi} + 1 = 0$ |
| Gauss | $\oint_S \vec{E} \cdot d\vec{A} = \frac{Q}{\varepsilon_0}$ |

> In a quote, $\binom{n}{k} = \frac{n!}{k!(n-k)!}$.

$$
a_1 + a_2 + a_3 + a_4 + a_5 + a_6 + a_7 + a_8 + a_9 + a_{10} + a_{11} + a_{12} + a_{13} + a_{14} + a_{15} + a_{16} = b
$$
"""
UNREADABLE = r"""What can't be laid out is shown as it was written: $\unknown{x} + 1$ in a line, and alone:

$$
\unknown{a} = b
$$

\[
\begin{unknown} a & b \\ c & d \end{unknown}
\]
"""
NOTES = """A sentence with a note[^1], one with the same[^1] and one with a name[^source]; an unknown one[^9] is text.

[^1]: The first note, with *emphasis*, a [link](https://docs.python.org) and a formula, $x^2$.
[^source]: A longer note that goes on into a second line, at whose end the arrow stands that leads back to the text,
where it is referred to for the first time.
"""


def fill(page: Page) -> None:
    """One question, one answer."""
    view = FittedTranscript(page.theme, page)
    view.show_path(
        [message(0, "user", "Write a ring buffer in Python.\nWith type hints."), message(1, "assistant", TEXT)]
    )
    page.add("Headings, code, tables, lists, tasks, quotes, rules, formulas", view)
    formulas = FittedTranscript(page.theme, page)
    formulas.show_path([message(0, "user", "Which formulas?"), message(1, "assistant", FORMULAS)])
    page.add("Formulas in text, in lines of their own, in lists, tables and quotes; one that is too wide", formulas)
    unreadable = FittedTranscript(page.theme, page)
    unreadable.show_path([message(0, "user", "And these?"), message(1, "assistant", UNREADABLE)])
    page.add("Formulas that can't be laid out", unreadable)
    notes = FittedTranscript(page.theme, page)
    notes.show_path([message(0, "user", "Where is that from?"), message(1, "assistant", NOTES)])
    page.add("Footnotes", notes)
    chosen = FittedTranscript(page.theme, page)
    chosen.show_path([message(0, "user", "Which?"), message(1, "assistant", "A `deque`, as **always**.")])
    chosen.selection.select_all()
    page.add("Selected", chosen)
