"""What differs between two versions: lines, and words within them."""

from __future__ import annotations

import random

from desktop_app.core.text_diff import VersionLine, compare_versions
from tests.counted_calls import CountedCalls


def test_a_changed_line_shows_which_words_changed() -> None:
    before = "\n".join(["one", "The order has ten lines.", "two"])
    diff = compare_versions(before, before.replace("ten", "twenty"))
    gone, come = diff.lines[1:3]
    assert (gone.sign, come.sign) == ("-", "+")
    assert [gone.text[a:b] for a, b in gone.changed] == ["ten"]
    assert [come.text[a:b] for a, b in come.changed] == ["twenty"]
    assert (diff.added, diff.removed) == (1, 1)


def test_a_line_that_has_little_in_common_is_replaced_whole() -> None:
    diff = compare_versions("Prices are in cents.", "Nobody may delete an order, ever.")
    assert all(line.changed == () for line in diff.lines)


def test_unchanged_lines_far_away_are_counted_and_not_shown() -> None:
    lines = [f"line {number}" for number in range(1, 21)]
    diff = compare_versions("\n".join(lines), "\n".join([*lines[:10], "new", *lines[10:]]))
    assert diff.lines[0] == VersionLine(" ", "line 8", 8, skipped=7)
    assert diff.lines[3] == VersionLine("+", "new", 11)
    assert diff.lines[-1] == VersionLine(" ", "line 13", 14)
    assert diff.skipped == 7


def test_the_same_text_has_no_difference() -> None:
    diff = compare_versions("a\nb", "a\nb")
    assert (diff.lines, diff.added, diff.removed, diff.skipped) == ((), 0, 0, 2)


def test_two_hundred_kilobytes_are_compared_in_bounded_work() -> None:
    words = random.Random(3)
    lines = [" ".join(f"w{words.randrange(2_000)}" for _ in range(12)) for _ in range(3_600)]
    changed = [line if number % 9 else line.replace("w1", "v1") for number, line in enumerate(lines)]
    before, after = "\n".join(lines), "\n".join(changed)
    assert len(before) > 200_000
    with CountedCalls() as work:
        diff = compare_versions(before, after)
    assert 0 < diff.added == diff.removed <= 400
    assert work.calls < 600_000


def test_long_lines_without_an_end_are_bounded() -> None:
    before = " ".join(f"a{number}" for number in range(40_000))
    with CountedCalls() as work:
        diff = compare_versions(before, before.replace("a7", "b7"))
        other = compare_versions("x " * 40_000, "y x " * 30_000)
    assert (diff.added, diff.removed) == (other.added, other.removed) == (1, 1)
    assert work.calls < 1_000_000


def test_a_tag_in_a_page_of_one_line_is_all_that_is_marked_and_so_are_two_of_them() -> None:
    page = "".join(f'<p class="c{number}">Some words of paragraph {number}.</p>' for number in range(400))
    after = page.replace('<p class="c7">', '<hr><p class="c7">').replace("paragraph 390", "<b>paragraph 390</b>")
    gone, come = compare_versions(page, after).lines
    assert "".join(gone.text[a:b] for a, b in gone.changed) == ""
    assert [gone.text[a : a + 4] for a, _ in gone.changed] == [come.text[b : b + 4] for _, b in come.changed]
    assert "".join(come.text[a:b] for a, b in come.changed) in ("<hr><b></b>", "hr><<b></b>")
