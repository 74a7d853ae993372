"""Tells which words are forms of one word, by the stemmers of Snowball; and which languages a search goes by.

Words are in the form in which the index has them: folded, without accents. Scripts without blanks have no stems.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final

from desktop_app.core.search_terms import is_unspaced

SHORTEST: Final = 3
"""Letters of a word, and of what it has in common with its stem, from which its forms are looked for."""

LONGEST_ENDING: Final = 8
"""Letters that a form may have more than the stem."""

ENGLISH: Final = ("en",)
_STEMMERS: Final = {
    **{"da": "danish", "de": "german", "en": "english", "es": "spanish", "fi": "finnish", "fr": "french"},
    **{"hu": "hungarian", "it": "italian", "nl": "dutch", "no": "norwegian", "nb": "norwegian", "pt": "portuguese"},
    **{"ro": "romanian", "ru": "russian", "sv": "swedish", "tr": "turkish"},
}


def search_languages(choice: str, environ: Mapping[str, str]) -> tuple[str, ...]:
    """The languages whose forms a search finds: the one of the window (`de`; "system": of the environment), English."""
    if choice == "system":
        names = (environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE", "LANG"))
        choice = next((name for name in names if name), "")
    language = choice[:2].lower()
    return (language, *ENGLISH) if language in _STEMMERS and language not in ENGLISH else ENGLISH


def has_stem(word: str) -> bool:
    """Return True if other forms of a word can be looked for."""
    return SHORTEST <= len(word) <= 32 and word.isalpha() and not is_unspaced(word)


@lru_cache(maxsize=4_096)
def stem(word: str, language: str) -> str:
    """Return the stem that the forms of a word share in a language of `search_languages`."""
    return str(_stemmer(language).stemWord(word))


def beginning_of_forms(word: str, language: str) -> str:
    """The letters with which every form begins that is looked for; "" where these are too few."""
    root = stem(word, language)
    same = next((at for at, letter in enumerate(root) if not word.startswith(letter, at)), len(root))
    common = root[:same]
    if len(common) > SHORTEST and common.endswith(("i", "e")):
        common = common[:-1]  # happy, happier; rope, roping
    return common if len(common) >= SHORTEST else ""


def nearest_forms(word: str, found: Sequence[str], most: int) -> list[str]:
    """So many of the forms, those whose length is most like the word's first."""
    return sorted(found, key=lambda one: (abs(len(one) - len(word)), one))[:most]


@cache
def _stemmer(language: str) -> Any:
    # 50 ms, paid by the first search with a word that has forms
    import snowballstemmer

    return snowballstemmer.stemmer(_STEMMERS[language])
