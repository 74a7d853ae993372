"""Formulas are said in a line of text, or not at all; hostile ones cost nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.markdown.formula_text import readable_formula
from tests.counted_calls import CountedCalls


@pytest.mark.parametrize(
    ("source", "read"),
    [
        (r"$E = mc^2$", "E = mc²"),
        (r"$e^{i\pi} = -1$", "e^(iπ) = −1"),
        (r"$$\int_0^1 x^2 dx = \frac{1}{3}$$", "∫₀¹ x² dx = 1/3"),
        (r"\(\sum_{i=1}^{n} i = \frac{n(n+1)}{2}\)", "∑ᵢ₌₁ⁿ i = (n(n + 1))/2"),
        (r"$x = \frac{-b \pm \sqrt{b^2-4ac}}{2a}$", "x = (−b ± √(b² − 4ac))/(2a)"),
        (r"$\alpha\beta \in \mathbb{R}^n$", "αβ ∈ ℝⁿ"),
        (r"$\lim_{x \to \infty} f'(x)$", "lim_(x → ∞) f′(x)"),
        (r"$O(n \log n)$", "O(n log n)"),
        (r"$\sqrt[3]{8}$", "³√8"),
        (r"$90^\circ$", "90°"),
        (r"$-5 < x$", "−5 < x"),
        (r"\[a &= b \\ c &= d\]", "a = b\nc = d"),
        (r"$\left(\tfrac12\right)$", "(1/2)"),
        (r"$\begin{cases} 1 \end{cases}$", None),
        (r"$\unknown{x}$", None),
        (r"$a^$", None),
        (r"${a$", None),
        (r"$a}$", None),
    ],
)
def test_a_formula_reads(source: str, read: str | None) -> None:
    assert readable_formula(source) == read


@given(st.text(alphabet="ab1^_{}\\\\frac sqrt&-+=$[]()", max_size=60))
def test_any_source_is_read_or_left_alone(source: str) -> None:
    read = readable_formula(f"${source}$")
    assert read is None or (read == read.strip() and "\t" not in read)


@pytest.mark.parametrize("source", ["{" * 1_900, "^" * 1_900, r"\frac" * 380, r"\sqrt[" * 300, "x_" * 900, "=" * 1_900])
def test_hostile_formulas_are_bounded(source: str) -> None:
    with CountedCalls() as work:
        readable_formula(f"${source}$")
    assert work.calls < 30_000
