"""What a model is asked for a title costs few tokens; what it answers is one short line or nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.titles import (
    LONGEST,
    MOST_INPUT,
    code_title,
    diagram_title,
    title_of_answer,
    title_prompt,
    titled,
)

ESTIMATOR = TokenEstimator.seeded("claude-2026")


@given(st.text(max_size=3_000), st.text(max_size=3_000))
def test_the_input_is_never_more_than_150_tokens(question: str, answer: str) -> None:
    assert ESTIMATOR.tokens(features(title_prompt(question, answer, ESTIMATOR))) <= MOST_INPUT


def test_both_beginnings_are_told_and_the_question_more_of_it() -> None:
    prompt = title_prompt("How do I bake bread? " * 200, "You need flour. " * 200, ESTIMATOR)
    question, answer = prompt.count("bake bread"), prompt.count("need flour")
    assert question > answer > 2


@pytest.mark.parametrize(
    ("answer", "title"),
    [
        ("Baking bread at home", "Baking bread at home"),
        ('  "Baking bread at home." \n', "Baking bread at home"),
        ("Short answer: **yes**.", "Short answer: yes"),
        ("```\nThe `bake` *command*\n```", "The bake command"),
        ("**Title: Baking bread**", "Baking bread"),
        ("# Brot backen\n\nDas ist ein Titel.", "Brot backen"),
        ("标题：环形缓冲区。", "环形缓冲区"),
        ("", ""),
        ("***", ""),
        ("I am sorry, but I can't name this conversation because it does not say what it is about.", ""),
    ],
)
def test_an_answer_becomes_a_title_or_nothing(answer: str, title: str) -> None:
    assert title_of_answer(answer) == title


@given(st.text(max_size=300))
def test_a_title_is_one_printable_line(answer: str) -> None:
    title = title_of_answer(answer)
    assert len(title) <= LONGEST
    assert title.isprintable()
    assert title == title.strip()


def test_a_title_is_the_first_heading() -> None:
    assert titled("Some words.\n\n## The **plan**\n") == "The plan"
    assert titled("\n\n") == ""
    assert titled("<!doctype html>\n<html><head><Title>Harbour\n &amp; report</title>") == "Harbour & report"
    style = "<!doctype html><html><head><title> </title><style>body {color: red}</style></head><body>"
    assert titled(f"{style}<h2 id=a>A <b>counter</b>\n of ships</h2>") == "A counter of ships"
    assert titled(f"{style}<button>") == ""


@pytest.mark.parametrize(
    ("title", "code", "fence", "above"),
    [
        ("Hull", "import math\n\n@dataclass\nclass Hull:\n    def trim(self): ...\n", "```python", ""),
        (
            "trim, weigh",
            "def trim(x):\n    def inner(): ...\n\nasync def weigh(): ...\n\ndef main(): ...",
            "```python",
            "",
        ),
        ("A, B…", "class A: ...\nclass B: ...\nclass C: ...", "```python", ""),
        ("Hull", "package sea\n\ntype Hull struct {\n}\n\nfunc (h *Hull) Trim() {\n}", "```go", ""),
        ("Trim", "func (h *Hull) Trim() {\n}", "```go", ""),
        ("useTide", "export const useTide = (port) => {\n  return 1;\n};", "```ts", ""),
        ("ships", "CREATE TABLE IF NOT EXISTS ships (id INT);", "```sql", ""),
        ("hull.py", "class Hull: ...", '```python title="src/hull.py"', ""),
        ("tide.ts", "let a = 1", "```ts:src/tide.ts", ""),
        ("schema.sql", "-- schema.sql\nselect 1", "```sql", ""),
        ("app.css", "/* File: styles/app.css */\na {}", "```css", ""),
        ("Dockerfile", "FROM debian", "```", "Save this as `Dockerfile`:"),
        ("compose.yaml", "services: {}", "```yaml", "**docker/compose.yaml**"),
        ("", "import b", "```python", "In `a.py`, import `b.py`:"),
        ("", "join = 1", "```python", "With `os.path.join` it is shorter:"),
        ("", "print(1)\nprint('class Hull')", "```python", ""),
        ("", "fn main() {}", "```rust", ""),
        ("", "", "", ""),
    ],
)
def test_code_is_called_by_its_file_or_by_what_it_defines(title: str, code: str, fence: str, above: str) -> None:
    assert code_title(code, fence, above) == title


@pytest.mark.parametrize(
    ("title", "diagram"),
    [
        ("Load cargo, Booked?…", "flowchart TD\n    A[Load cargo] --> B{Booked?}\n    B -- no --> C(Wait)"),
        ("Load, all (of it), Sail", 'graph LR\n  a["Load, all (of it)"] --> b((Sail))\n  b --> a'),
        ("Load cargo", "flowchart TD\n  %% a way\n  A[Load<br/>cargo]"),
        ("title, quay", "flowchart TD\n  title --> quay\n  quay --> title"),
        ("The way of a crate", "---\ntitle: The way of a crate\n---\nflowchart TD\n  A[Load] --> B"),
        ("Ships", 'pie showData title "Ships"\n  "A" : 3'),
        ("A plan", "gantt\n  title A plan\n  section One"),
        ("One, Two", "gantt\n  section One\n  section Two"),
        ("The clerk, Bob", "sequenceDiagram\n  participant A as The clerk\n  actor Bob\n  A->>Bob: Hello (there)"),
        ("Alice, Bob", "sequenceDiagram\n  Alice->>Bob: a\n  Bob-->>Alice: b"),
        ("Still, Moving", "stateDiagram-v2\n  [*] --> Still\n  Still --> Moving\n  Moving --> Still"),
        ("CUSTOMER, ORDER", "erDiagram\n  CUSTOMER ||--o{ ORDER : places\n  ORDER }|--|| LINE : has"),
        ("Hull", "classDiagram\n  class Hull {\n    +trim(draft)\n  }"),
        ("", "gitGraph\n  commit\n  branch develop"),
        ("", ""),
    ],
)
def test_a_diagram_is_called_by_its_title_or_by_what_is_drawn(title: str, diagram: str) -> None:
    assert diagram_title(diagram) == title
