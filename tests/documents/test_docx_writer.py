"""Word documents that we write, read again: by our own reader, and what it leaves out by python-docx."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import UTC, timedelta
from typing import Any

import docx
import pytest
from docx.document import Document
from docx.oxml.ns import qn

from desktop_app.documents.docx_writer import CODE, docx_of, docx_of_lines
from desktop_app.documents.file_opening import PROJECT
from desktop_app.documents.zipped_documents import docx_text
from tests.set_time import NOW

WHOLE = """\
# Order BRD

A **bold**, an *italic* and a ~~struck~~ word, `code`, a [link](https://example.com/a?b=1) and $x^2$.[^1]

- one
  - two
- three

1. first
2. second

Between the lists.

7. seventh

> Quoted.

| field | price |
| --- | --: |
| rope | **3.20** |

```python
if True:
\treturn "<b>"
```

---

## Terms

The end.

[^1]: A note.
"""


def read(data: bytes) -> str:
    return docx_text(data, PROJECT)


def opened(markdown: str) -> Document:
    return docx.Document(io.BytesIO(docx_of(markdown, "Order BRD")))


def test_what_is_written_is_read_again() -> None:
    said = read(docx_of(WHOLE, "Order BRD"))
    for words in (
        "# Order BRD",
        "## Terms",
        "A bold, an italic and a struck word, code, a link and $x^2$.¹",
        "- one",
        "- two",
        "- first",
        "Quoted.",
        "| field | price |",
        "| rope | 3.20 |",
        'if True:\n\treturn "<b>"',
        "A note.",
        "The end.",
    ):
        assert words in said, words


def test_words_keep_how_they_stand_out() -> None:
    runs = [run for paragraph in opened(WHOLE).paragraphs for run in paragraph.runs]
    looks = {run.text: (run.bold, run.italic, run.font.strike, run.font.name) for run in runs}
    assert looks["bold"] == (True, None, None, None)
    assert looks["italic"] == (None, True, None, None)
    assert looks["struck"] == (None, None, True, None)
    assert looks["code"][3] == "Courier New"


def test_styles_are_words_own() -> None:
    styles = {paragraph.text: paragraph.style and paragraph.style.name for paragraph in opened(WHOLE).paragraphs}
    assert styles["Order BRD"] == "Heading 1"
    assert styles["two"] == "List Bullet 2"
    assert styles["first"] == "List Number"
    assert styles["Quoted."] == "Quote"
    assert styles['if True:\n\treturn "<b>"'] == CODE


def test_each_numbered_list_begins_where_it_says() -> None:
    document = opened(WHOLE)
    paragraphs: Any = document.element.body.iterchildren(qn("w:p"))
    numbers = {
        paragraph.text: paragraph.pPr.numPr.numId.val
        for paragraph in paragraphs
        if paragraph.pPr is not None and paragraph.pPr.numPr is not None
    }
    assert numbers["first"] == numbers["second"] != numbers["seventh"]
    numbering = document.part.numbering_part.element
    starts = numbering.num_having_numId(numbers["seventh"]).xpath("w:lvlOverride/w:startOverride/@w:val")
    assert starts == ["7"]


def test_a_table_has_its_cells_and_its_head_stands_out() -> None:
    (table,) = opened(WHOLE).tables
    assert [[cell.text for cell in row.cells] for row in table.rows] == [["field", "price"], ["rope", "3.20"]]
    assert table.rows[0].cells[0].paragraphs[0].runs[0].bold


@pytest.mark.parametrize("address", ["javascript:alert(1)", "file:///etc/passwd"])
def test_only_addresses_that_may_be_opened_are_links(address: str) -> None:
    document = opened(f"[good](https://example.com/) [bad]({address})")
    targets = [rel.target_ref for rel in document.part.rels.values() if rel.is_external]
    assert targets == ["https://example.com/"]
    assert "bad" in document.paragraphs[0].text


@pytest.mark.parametrize(
    "markdown", ["", "a\x00b\ud800c", "| a |\n| - |", "- \n- x", "> - a\n>\n>   b", "#" * 900, "[^1]"]
)
def test_odd_texts_are_written(markdown: str) -> None:
    assert opened(markdown) is not None


def test_a_plain_text_has_a_paragraph_for_each_line() -> None:
    assert read(docx_of_lines("*one*\n\n# two\n", "Notes")).split("\n\n") == ["*one*", "# two"]


@pytest.mark.parametrize("write", [docx_of, docx_of_lines])
def test_a_file_says_when_it_was_made_and_not_when_the_library_was(write: Callable[[str, str], bytes]) -> None:
    facts = docx.Document(io.BytesIO(write("Text.", "Order BRD"))).core_properties
    assert (facts.title, facts.author, facts.last_modified_by, facts.comments) == ("Order BRD", "", "", "")
    for stamp in (facts.created, facts.modified):
        assert stamp is not None
        assert NOW <= stamp.replace(tzinfo=UTC) < NOW + timedelta(hours=12)
    assert facts.revision == 1
