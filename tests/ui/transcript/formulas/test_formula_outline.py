"""Formulas become outlines; what can't be laid out, or must not, is refused in little time."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from desktop_app.core.markdown.blocks import MOST_NESTED, is_demanding
from desktop_app.ui.transcript.formulas import NotTypesetError
from desktop_app.ui.transcript.formulas.formula_typesetter import answer_to, outline, prepared
from tests.counted_calls import CountedCalls

# the library's own, while it is imported
pytestmark = pytest.mark.filterwarnings("ignore:path is deprecated:DeprecationWarning")

LAID_OUT = [
    r"\int_0^\infty e^{-x^2}\,dx=\frac{\sqrt{\pi}}{2}",
    r"\sum_{\substack{i=1\\ j=2}}^{n} \prod_k x_{ijk}",
    r"\begin{pmatrix}1&2\\3&4\end{pmatrix}\begin{bmatrix}x\\y\end{bmatrix}",
    r"\begin{aligned}a&=b\\c&=d\end{aligned}",
    r"\begin{align*}a&=b\\c&=d\end{align*}",
    r"\begin{cases}1 & x>0\\0 & \text{otherwise}\end{cases}",
    r"\hat{x}\vec{v}\tilde{a}\dot{x}\ddot{x}\bar{x}\overline{AB}\widehat{ABC}",
    r"\left(\frac{a}{b}\right)^2 \left.\frac{d}{dx}\right|_{x=0}",
    r"\mathbb{R}\mathcal{L}\mathbf{A}\mathfrak{g}\boldsymbol{\theta}\operatorname{softmax}(z)",
    r"\boxed{E=mc^2}",
    r"\cancel{x}",
    r"\underbrace{a+b}_{n}\overset{!}{=}\xrightarrow{f}",
    r"\mathop{\mathrm{argmax}}_\theta \label{eq:1} f \notag",
    r"\lVert x \rVert \le \binom{n}{k} \pmod{7}",
]


@pytest.mark.parametrize("source", LAID_OUT)
@pytest.mark.parametrize("display", [True, False])
def test_what_models_write_is_laid_out(source: str, *, display: bool) -> None:
    made = outline(source, display=display)
    assert made.width > 400
    assert made.up > 300
    xs = [number for number in made.path if not isinstance(number, str)][::2]
    assert min(xs) > -300
    assert max(xs) < made.width + 300


@pytest.mark.parametrize(
    "source",
    [
        r"\foo{x}", r"\ce{H&2}", r"\frac{a}", "{", r"\begin{matrix} a", r"\\", r"\phantom{x}", r"\rule{9999em}{1em}",
        r"\includegraphics{a.png}", r"\input{/etc/passwd}", r"\write18{ls}", r"\url{http://a}",
        r"\def\a{\a\a}\a", r"\newcommand{\x}{1}\x", r"\text{שלום}", r"\text{हिन्दी}", r"a & b", "",
    ],
)  # fmt: skip
def test_what_is_unknown_unseen_or_refused_is_not(source: str) -> None:
    with pytest.raises(NotTypesetError):
        outline(source, display=True)


def test_a_formula_in_a_line_is_lower() -> None:
    for source in (r"\sum_{i=1}^n i", r"\int_0^1 f", r"\frac{a}{b}"):
        in_line, alone = outline(source, display=False), outline(source, display=True)
        assert in_line.up + in_line.down < 0.85 * (alone.up + alone.down), source


def test_chinese_is_left_to_another_font() -> None:
    made = outline(r"x > 0 \text{ 否则}", display=True)
    assert [letter for _, _, _, letter in made.letters] == ["否", "则"]
    (x0, _, size, _), (x1, *_) = made.letters
    assert x1 - x0 == pytest.approx(size)
    assert made.width == pytest.approx(x1 + size, abs=50)


@pytest.mark.parametrize(
    ("source", "read"),
    [
        (r"a \tag{1}", r"a \qquad\text{(1)}"),
        (r"\color{red}{x} \textcolor{blue}{y}", "{x} {y}"),
        (r"\colorbox{red}{x}", r"\text{x}"),
        (r"\href{http://e.org}{x}", "{x}"),
        ("a % a note\nb", "a b"),
        (r"a \\ b", r"\begin{gathered}a \\ b\end{gathered}"),
        (r"a &= b \\ c &= d", r"\begin{aligned}a &= b \\ c &= d\end{aligned}"),
        (r"\begin{cases} a \\ b \end{cases}", r"\begin{cases} a \\ b \end{cases}"),
    ],
)
def test_what_only_colors_numbers_or_breaks_is_read(source: str, read: str) -> None:
    assert prepared(source) == read


def test_lines_of_a_formula_stand_one_below_the_other() -> None:
    two = outline(r"a = b \\ c = d", display=True)
    one = outline("a = b", display=True)
    assert two.up + two.down > 1.8 * (one.up + one.down)


HOSTILE = {
    "fractions": r"\frac{" * 25 + "1" + "}{2}" * 25,
    "roots": r"\sqrt{" * 28 + "x" + "}" * 28,
    "fences": r"\left(" * 28 + "x" + r"\right)" * 28,
    "matrix": r"\begin{matrix}" + r"\\".join(["&".join("x" * 24)] * 24) + r"\end{matrix}",
    "powers": "x^{" * 28 + "y" + "}" * 28,
    "long": "x+" * 990,
    "accents": r"\hat{" * 28 + "x" + "}" * 28,
    "commands": r"\binom{" * 280,
    "tags": r"\tag{" * 280,
    "signs": "<" * 1_900,
    "stretched": r"\left(\rule{1pt}{180em}\right)" * 60,
    "bars": r"\overbrace{\rule{9999em}{1pt}}",
    "entities": "<!DOCTYPE x [<!ENTITY a 'aaaaaaaa'>]>" + "&a;" * 400,
}


#: Each takes as long as it may. A deep one, a long one and one that is refused are tried all the time.
TRIED_ALWAYS = {"fractions", "long", "commands"}


@pytest.mark.parametrize(
    "name", [name if name in TRIED_ALWAYS else pytest.param(name, marks=pytest.mark.slow) for name in HOSTILE]
)
def test_hostile_formulas_are_ended_in_time(name: str) -> None:
    answer_to({})
    with CountedCalls() as work:
        answer = answer_to({"tex": HOSTILE[name], "display": True})
    # no computer does as much within the limit; without it some would go on for minutes
    assert work.calls < 50_000_000
    assert "failed" in answer or len(json.dumps(answer)) < 3_000_000


def test_what_is_too_long_or_too_deep_is_never_asked_for() -> None:
    assert is_demanding("x" * 100_000)
    assert is_demanding("{" * 1_900)
    assert is_demanding(r"\left(" * (MOST_NESTED + 1))
    assert not is_demanding("{}" * 900 + r"\{\\{" * 20)


AUDIT = """
import json, sys
from desktop_app.ui.transcript.formulas.formula_typesetter import answer_to
seen = []
sys.addaudithook(lambda event, args: seen.append((event, [str(a) for a in args[:3]])))
for tex in json.loads(sys.argv[1]):
    answer_to({"tex": tex, "display": True})
print(json.dumps([one for one in seen if one[0].split(".")[0] in ("open", "os", "socket", "subprocess", "urllib")]))
"""


@pytest.mark.slow
def test_nothing_is_fetched_written_or_started() -> None:
    sources = [*LAID_OUT, r"\href{http://127.0.0.1:9/x}{a}", r"\includegraphics{/etc/passwd}", r"\input{/etc/passwd}"]
    done = subprocess.run(
        [sys.executable, "-B", "-c", AUDIT, json.dumps(sources)], capture_output=True, check=True, text=True
    )
    events: list[Any] = json.loads(done.stdout)
    assert {event for event, _ in events} <= {"open", "os.listdir", "os.scandir"}
    for event, args in events:
        assert event != "open" or args[1] in {"r", "rb", "None"}, args
        assert "passwd" not in args[0]
