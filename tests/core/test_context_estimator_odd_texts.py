"""The token estimator on what no vocabulary was made for: rare scripts, joined emoji, keys, endless lines."""

from __future__ import annotations

import time

import pytest

from desktop_app.core.context.text_features import CONSTANT, DraftCounter, features, plus
from desktop_app.core.context.token_estimator import SEED_WEIGHTS, TokenEstimator
from desktop_app.core.model_catalog import TokenizerFamily

TEXTS = {
    "georgian": "თუ წიგნი მაგიდაზე დევს, მომიტანე და ხვალ დაგიბრუნებ. ბავშვები ეზოში თამაშობენ.",
    "hebrew": "אם הספר על השולחן, הבא לי אותו ואחזיר לך מחר. הילדים משחקים בחצר ואמא מכינה ארוחת ערב.",
    "arabic": "إذا كان الكتاب على الطاولة فأحضره لي وسأعيده إليك غدا. الأطفال يلعبون في الساحة والأم تعد العشاء.",
    "greek": "Αν το βιβλίο είναι πάνω στο τραπέζι, φέρε μου το και θα σου το επιστρέψω αύριο.",
    "thai": "ถ้าหนังสืออยู่บนโต๊ะ ช่วยเอามาให้ฉันหน่อย พรุ่งนี้ฉันจะคืนให้ เด็กๆ เล่นอยู่ในสนาม ส่วนแม่กำลังทำอาหารเย็น",
    "hindi": "अगर किताब मेज़ पर रखी है तो मुझे दे दीजिए, मैं कल लौटा दूँगा। बच्चे आँगन में खेल रहे हैं और माँ खाना बना रही है।",
    "ukrainian": "Якщо книжка лежить на столі, принеси її мені, а завтра я поверну. Діти граються на подвір'ї.",
    "rare_han": "𠀀𠁁𠂂𠃃𠄄𠅅𠆆𠇇𠈈𠉉𠊊𠋋𠌌𠍍𠎎𠏏𠐐𠑑𠒒𠓓㐀㑁㒂㓃㔄㕅㖆㗇㘈㙉",
    "joined_emoji": "👨‍👩‍👧‍👦👩‍💻🏳️‍🌈👍🏽🤷🏻‍♀️🧑🏿‍🚀❤️👩🏾‍🍳🧑‍🤝‍🧑👨‍🔧" * 2,
    "base64": "Z9k2QmFyYm91ciBtYXN0ZXIgb3BlbmVkIHRoZSBsZWRnZXI7Xy9+AbCdEf0123hJk4LmNoPqRsTuVw8XyZ/qwErTyUiOp7asDfGh",
}
# tokens of these texts in that order as the real tokenizers count them, without what a message costs beside its text
REAL: dict[str, tuple[TokenizerFamily, tuple[int, ...]]] = {
    "claude-2023": ("claude-2023", (92, 76, 90, 80, 184, 129, 54, 89, 172, 66)),
    "claude-2026": ("claude-2026", (92, 76, 90, 80, 184, 129, 54, 89, 172, 70)),
    "o200k": ("o200k", (28, 31, 32, 30, 42, 38, 33, 108, 124, 68)),
    "smollm": ("smollm", (143, 95, 93, 61, 199, 139, 73, 110, 198, 86)),
    "cl100k": ("unknown", (143, 83, 68, 65, 104, 121, 54, 107, 192, 75)),
}
LONG = 900_000
ENDLESS = {
    "one letter": "a" * LONG,
    "one sign": "-" * LONG,
    "spaces": " " * LONG,
    "line breaks": "\n" * LONG,
    "one digit": "7" * LONG,
    "a ruled line": "─" * (LONG // 3),
    "base64": "aB3dE5" * (LONG // 6),
    "a line of words": "harbour " * (LONG // 8),
    "joined emoji": TEXTS["joined_emoji"] * (LONG // len(TEXTS["joined_emoji"].encode())),
    "georgian": TEXTS["georgian"] * (LONG // len(TEXTS["georgian"].encode())),
    "rare Han, all different": "".join(chr(0x20000 + number % 42_000) for number in range(LONG // 4)),
}


@pytest.mark.parametrize("name", list(REAL))
@pytest.mark.parametrize("kind", list(TEXTS))
def test_the_seed_is_near_real_tokenizers(name: str, kind: str) -> None:
    family, counts = REAL[name]
    estimator = TokenEstimator.seeded(family)
    real = counts[list(TEXTS).index(kind)] + estimator.tokens(CONSTANT)
    assert abs(estimator.estimate(TEXTS[kind]).tokens - real) <= 0.22 * real


@pytest.mark.parametrize("kind", list(ENDLESS))
def test_an_endless_text_is_estimated_within_what_it_can_count(kind: str) -> None:
    text = ENDLESS[kind]
    counted = plus(features(text), CONSTANT)
    for family in SEED_WEIGHTS:
        estimator = TokenEstimator.seeded(family)
        tokens = estimator.tokens(counted)
        # a token holds a byte at least, and the longest that vocabularies have are lines of 80 and 128 signs
        assert len(text) / 128 <= tokens <= len(text.encode())
        assert 0 < 2 * estimator.sigma(counted) <= 0.2 * tokens + 1e-6


@pytest.mark.parametrize("kind", list(ENDLESS))
def test_time_grows_no_faster_than_the_text(kind: str) -> None:
    def cpu(text: str) -> float:
        before = time.process_time()
        features(text)
        return time.process_time() - before

    text = ENDLESS[kind]
    tenth, whole = text[: len(text) // 10], text
    # ten times the text; more than thirty times the time would be the square of it
    assert min(cpu(whole) for _ in range(2)) < 30 * min(cpu(tenth) for _ in range(3)) + 0.02


@pytest.mark.parametrize("kind", list(ENDLESS))
def test_a_keystroke_in_an_endless_text_is_counted_as_all_of_it(kind: str) -> None:
    text = ENDLESS[kind][:30_000]
    counter = DraftCounter()
    counter.count(text)
    for place in (0, 15_001, len(text)):
        typed = text[:place] + "x" + text[place:]
        assert counter.count(typed) == features(typed)
