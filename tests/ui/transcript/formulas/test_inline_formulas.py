"""Formulas within a run of text: they stand on its baseline, are found, selected and copied as their LaTeX."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from desktop_app.core.markdown.inline_text import LINE_BREAK, parse_inline
from desktop_app.core.markdown.markdown_dialect import inline_parser
from desktop_app.ui.theme.theme import load_bundled_fonts, load_theme
from desktop_app.ui.transcript.formulas.inline_formulas import FormulaCache, FormulaDrawing, formula_size
from desktop_app.ui.transcript.items.item import TextHighlight, TextStyle
from desktop_app.ui.transcript.items.text_item import TextItem
from tests.fakes.formula_press import GatedPress, box


class Setting:
    """A style, a formula cache, and items made of them."""

    def __init__(self) -> None:
        load_bundled_fonts()
        self.text_style = TextStyle(load_theme("light"))
        self.formulas = FormulaCache(press=GatedPress)
        press = self.formulas.typesetter
        assert isinstance(press, GatedPress)
        self.press = press
        self.parser = inline_parser()

    def item(self, source: str, *, width: int = 600) -> TextItem:
        made = TextItem(
            self.text_style,
            self.text_style.body,
            source,
            lambda text: parse_inline(self.parser, text),
            formulas=lambda: self.formulas,
        )
        made.lay_out(width)
        return made

    def typeset(self, qtbot: QtBot, item: TextItem, **formulas: dict[str, float]) -> TextItem:
        """Answers what the item has asked for, all with the same box but for those named."""
        for source, _ in list(self.press.asked):
            self.press.answer(source, box(**formulas.get(source, {})))
        qtbot.waitUntil(lambda: not self.formulas.busy)
        item.take_formulas(still=False)
        item.lay_out(item.width)
        return item


@pytest.fixture
def setting(qapp: object) -> Setting:
    return Setting()


def painted(item: TextItem, *, selected: tuple[int, int] | None = None) -> QImage:
    image = QImage(item.width, item.height, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    item.paint(painter, QColor("black"), 0, item.height, selected)
    painter.end()
    return image


def ink_rows(image: QImage, left: int, right: int) -> tuple[int, int]:
    """The first and the last row with black between two columns."""
    rows = [
        y
        for y in range(image.height())
        if any(image.pixelColor(x, y).lightness() < 60 for x in range(max(0, left), min(right, image.width())))
    ]
    return rows[0], rows[-1]


def test_until_it_is_typeset_a_line_of_text_stands_for_it(setting: Setting, qtbot: QtBot) -> None:
    item = setting.item("The energy $e^{i\\pi}$ here")
    assert item.text(0, item.length) == "The energy e^{i\\pi} here"
    lacking = [item.lacks_formulas]
    before = painted(item)
    setting.typeset(qtbot, item)
    assert [*lacking, item.lacks_formulas] == [True, False]
    assert painted(item) != before
    assert item.text(0, item.length) == "The energy e^{i\\pi} here"


def test_what_cannot_be_typeset_keeps_its_line(setting: Setting, qtbot: QtBot) -> None:
    item = setting.item("The energy $e^{i\\pi}$ here")
    before = painted(item)
    setting.press.answer("e^{i\\pi}", failed=True)
    qtbot.waitUntil(lambda: not setting.formulas.busy)
    item.take_formulas(still=False)
    item.lay_out(600)
    assert painted(item) == before


def test_it_stands_on_the_baseline_and_takes_its_own_width(setting: Setting, qtbot: QtBot) -> None:
    item = setting.typeset(qtbot, setting.item("ab $x$ cd"), x={"width": 3_000, "up": 500, "down": 0})
    size = formula_size(setting.text_style.body.font)
    left, right = item.caret_rect(3).x(), item.caret_rect(4).x()
    assert right - left == pytest.approx(3 * size, abs=4)
    top, bottom = ink_rows(painted(item), left + 4, right - 4)
    assert bottom == item.baseline - 1
    assert bottom - top == pytest.approx(size / 2, abs=2)
    assert item.height == setting.text_style.body.pitch


def test_a_high_formula_makes_room_and_begins_its_line(setting: Setting, qtbot: QtBot) -> None:
    pitch = setting.text_style.body.pitch
    source = "words before $x$ words behind that go on and on until they have filled a line"
    item = setting.typeset(qtbot, setting.item(source, width=400), x={"width": 2_000, "up": 3_000, "down": 2_000})
    place = source.index("$")
    assert item.caret_rect(0).top() == 0, "what stands before it does not move"
    line = item.caret_rect(place)
    assert (line.left(), line.height()) == (0, pitch)
    assert line.top() > pitch + 20
    assert item.height > 4 * pitch
    assert item.text(0, item.length) == source.replace("$", "")
    assert LINE_BREAK not in item.reading
    for position in range(item.length + 1):
        rect = item.caret_rect(position)
        # a letter may be narrower than the pixels that the caret is rounded to
        assert abs(item.position_at(rect.x(), rect.center().y()) - position) <= 1


def test_a_rather_high_one_is_set_smaller(setting: Setting, qtbot: QtBot) -> None:
    item = setting.typeset(qtbot, setting.item("a $x$ b"), x={"width": 1_000, "up": 1_300, "down": 300})
    assert item.height == setting.text_style.body.pitch
    assert item.caret_rect(3).x() - item.caret_rect(2).x() < formula_size(setting.text_style.body.font)


def test_one_wider_than_the_column_keeps_its_line(setting: Setting, qtbot: QtBot) -> None:
    item = setting.item("a $x$ b", width=100)
    before = painted(item)
    setting.typeset(qtbot, item, x={"width": 20_000})
    assert painted(item) == before


def test_to_select_it_is_to_select_all_of_it(setting: Setting, qtbot: QtBot) -> None:
    item = setting.typeset(qtbot, setting.item("ab $x+y$ cd"))
    left, right = item.caret_rect(3).x(), item.caret_rect(6).x()
    y = item.baseline - 3
    assert item.position_at(left + 3, y) == 3
    assert item.position_at(right - 3, y) == 6
    assert item.word_at(4) == (3, 6)
    assert item.snapped(4, 1) == 6
    assert item.snapped(5, -1) == 3
    assert item.snapped(3, 1) == 3
    plain, chosen = painted(item), painted(item, selected=(4, 5))
    changed = [x for x in range(item.width) if plain.pixelColor(x, 5) != chosen.pixelColor(x, 5)]
    assert abs(changed[0] - left) <= 1
    assert abs(changed[-1] - right) <= 1


def test_a_hit_in_it_marks_it_and_the_letter_beneath_is_never_seen(setting: Setting, qtbot: QtBot) -> None:
    item = setting.typeset(qtbot, setting.item("ab $x$ cd"), x={"width": 3_000, "up": 100, "down": 0})
    plain = painted(item)
    item.marks = [TextHighlight(0, 5, "found-current")]
    marked = painted(item)
    left, right = item.caret_rect(3).x(), item.caret_rect(4).x()
    for x in range(left + 2, right - 2):
        for y in range(4, item.baseline - 4):
            assert plain.pixelColor(x, y) == QColor("white")
            assert marked.pixelColor(x, y).lightness() > 150
    assert marked != plain


def test_text_in_a_link_has_the_links_color(setting: Setting, qtbot: QtBot) -> None:
    item = setting.typeset(qtbot, setting.item("[see $x$](https://e.org)"))
    x = item.caret_rect(4).x() + 6
    assert painted(item).pixelColor(x, item.baseline - 3) == setting.text_style.color("link")
    assert item.link_at(x, item.baseline - 3) == "https://e.org"


def test_latin_names_in_a_formula_do_not_turn_an_arabic_paragraph(setting: Setting) -> None:
    item = setting.item("$x$ هو عدد")
    assert item.reads_leftwards
    assert not setting.item("$x$ is a number, عدد").reads_leftwards
    assert item.caret_rect(0).x() > 500


@pytest.mark.usefixtures("qapp")
@given(
    parts=st.lists(st.sampled_from(["a", "b c", "é", "😀", "$x$", "$\\alpha_1$", "中", "\\(y^2\\)"]), max_size=9),
    typeset=st.booleans(),
)
def test_every_position_leads_back_to_itself(parts: list[str], *, typeset: bool) -> None:
    setting = Setting()
    item = setting.item(" ".join(parts))
    if typeset:
        for source, _ in list(setting.press.asked):
            setting.formulas._keep((source, False), FormulaDrawing.of(box()))
        item.dismiss()
        item.lay_out(600)
    inside = {n for s in item.inline.spans if s.kind == "formula" for n in range(s.start + 1, s.end)}
    in_text = item._in_text
    for position in range(len(item.inline.text) + 1):
        at = item._to_qt(position)
        if in_text is None or position in inside:
            continue
        assert in_text.to_read(in_text.to_shown(at)) == at
        assert in_text.to_read(in_text.to_shown(at, end=True)) == at
