"""Makes terms of the full-text index from what of a message can be found, and queries over them; forms of one word.

So what a term is, is decided here alone.

Scripts that write no blanks between words are indexed as overlapping pairs in their order, and behind the text as
single characters, each once: `東京都` becomes `東京 京都 東 京 都`, so that any piece of a run, from one character on,
is found. A trigram index would be blind below three characters, which is most Chinese words. An identifier is found
whole, and by its words. Width, case and the marks on Latin, Greek and Cyrillic letters make no difference.

What `index_text` makes of a text is in the files of users: a change needs a step that has the index built again.

Words are in the form in which the index has them: folded, without accents. Scripts without blanks have no stems.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any, Final, assert_never

from desktop_app.core.context.sent_content import SEARCH_TOOLS, without_notes
from desktop_app.core.history_records import SearchWithin
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Json,
    Message,
    Part,
    Role,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)

LONGEST: Final = 64
"""Characters of a word that count: longer ones are keys, hashes and encoded data, and would fill the index."""

MOST_RUNS: Final = 32
"""Words, and runs of a script without blanks, of a query that are looked for; the first ones."""

MOST_TERMS: Final = 64
"""Different terms of a question that are looked for; the first ones, as the point of a question comes early."""

_SLICE: Final = 256
"""Characters that are normalised at once: Python sorts a run of combining marks in the square of its length."""

# Indic and South-East Asian scripts with their vowel signs, Tibetan, Myanmar, Khmer, kana, Bopomofo, Han with its
# extensions, Hangul syllables. Not the danda and the middle dot of kana, which separate.
_UNSPACED: Final = (
    "\u0900-\u0963\u0966-\u0fff\u1000-\u109f\u1780-\u17ff\u3005\u3007\u3040-\u30fa\u30fc-\u312f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
# accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic, what joins or hides characters
_DROPPED: Final = (
    "\u00ad\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u200c-\u200f\u2060\ufe20-\ufe2f"
)
_DROP: Final = re.compile(f"[{_DROPPED}]+")
_ASCII_WORD: Final = re.compile(f"([a-z0-9]{{1,{LONGEST}}})[a-z0-9]*")
_RUN: Final = re.compile(f"([{_UNSPACED}]+)|[^\\W_{_UNSPACED}]+")
_RAW_RUN: Final = re.compile(f"[{_UNSPACED}]+|(?:[^\\W_{_UNSPACED}]|[{_DROPPED}])+")
_UNSPACED_RUN: Final = re.compile(f"[{_UNSPACED}]+")
_IDENTIFIER: Final = re.compile(r"[A-Za-z0-9]{3,}")
_INNER: Final = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[0-9]{2,}")
# Encoded data, on one line or on lines of one length: nobody looks for what stands in it.
_ENCODED: Final = re.compile(r"[A-Za-z0-9+/=_-]{256,}|(?:[A-Za-z0-9+/=]{60,}\s{1,2}){3,}[A-Za-z0-9+/=]*")
# A long text is taken in pieces that end with a blank: one call may not keep the interpreter for more than 5 ms.
_SLAB: Final = re.compile(r".{1,30000}(?:\s|\Z)|.{30000}", re.DOTALL)
_QUERY_PIECE: Final = re.compile(r'["“”„]([^"“”„]*)["“”„]?|([^\s"“”„]+)')
_ROLE: Final = re.compile(r"(?<!\S)role:(user|assistant|tool)(?!\S)", re.IGNORECASE)


def fold(text: str) -> str:
    """The text in the form in which it is compared: NFKC, without case, accents and invisible characters."""
    if text.isascii():
        return text.lower()
    folded = _normalised("NFKD", _DROP.sub("", text)).casefold()
    return _normalised("NFKC", _DROP.sub("", folded))


def index_text(text: str) -> str:
    """Return the text that the index takes in: its terms in their order, then those without a place, such as the
    words of its identifiers. Separated by blanks; empty for a text in which nothing can be found.
    """
    text = _ENCODED.sub(lambda found: found[0][:LONGEST], text)
    terms: list[str] = []
    characters: dict[str, None] = {}
    identifiers: dict[str, None] = {}
    for slab in _SLAB.findall(text):
        identifiers.update(dict.fromkeys(_IDENTIFIER.findall(slab)))
        if slab.isascii():
            terms += _ASCII_WORD.findall(slab.lower())
        else:
            more, alone = _terms(fold(slab))
            terms += more
            characters.update(dict.fromkeys(alone))
    inner = dict.fromkeys(word for identifier in identifiers for word in words_of(identifier))
    return " ".join((*terms, *characters, *inner))


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """One thing that a search looks for: words and unspaced runs, folded, one behind the other.

    `open`: the last word may go on, as it is still being typed. `quoted`: one word
    of which no other form will do.
    """

    runs: tuple[str, ...]
    open: bool = False
    quoted: bool = False

    @property
    def query(self) -> str:
        """The FTS5 query that finds every text with this needle; without its last word where that is open.

        Words must follow one another. Where unspaced runs stand among them, each must be there. May be empty.
        """
        groups: list[list[str]] = []
        after_word = False
        for run in self.runs[:-1] if self.open else self.runs:
            if (unspaced := is_unspaced(run)) or not after_word:
                groups.append([])
            groups[-1] += _pairs(run) if unspaced and len(run) > 1 else [run[:LONGEST]]
            after_word = not unspaced
        return " AND ".join(f'"{" ".join(group)}"' for group in groups)


def needles(query: str) -> tuple[SearchTerm, ...]:
    """Return the terms of a search line: each word, or several in quotes, must be in the text; the last may go on.

    Empty where the line holds nothing that can be found. `role:user` is no word, see `narrowed`.
    """
    query = _ROLE.sub("", query)
    found: list[SearchTerm] = []
    room = MOST_RUNS
    for piece in _QUERY_PIECE.finditer(query):
        runs = tuple(run[0] for run in _RUN.finditer(fold(piece[1] if piece[2] is None else piece[2])))[:room]
        room -= len(runs)
        if runs:
            still = piece[2] is not None and piece.end() == len(query) and not is_unspaced(runs[-1])
            found.append(SearchTerm(runs, still and piece[2][-1].isalnum(), piece[2] is None and len(runs) == 1))
    return tuple(dict.fromkeys(found))


def narrowed(line: str, within: SearchWithin) -> tuple[str, SearchWithin]:
    """A search line without `role:user`, `role:assistant`, `role:tool`, and the range of the search with that role."""
    if not (roles := _ROLE.findall(line)):
        return line, within
    if roles[-1].lower() == "tool":
        return _ROLE.sub("", line), replace(within, tools=True)
    role: Role = "user" if roles[-1].lower() == "user" else "assistant"
    return _ROLE.sub("", line), replace(within, role=role)


def mistyped_forms(word: str) -> tuple[str, ...]:
    """The words from which one slip makes this one: a letter too many, too few, wrong, or two exchanged."""
    letters = sorted({chr(code) for one in word for code in range(ord(one) & ~31, (ord(one) | 31) + 1)})
    letters = [one for one in letters if one.isalpha() and fold(one) == one]
    found: dict[str, None] = {}
    for at in range(len(word) + 1):
        before, rest = word[:at], word[at:]
        found[before + rest[1:]] = None
        found[before + rest[1:2] + rest[:1] + rest[2:]] = None
        for letter in letters:
            found[before + letter + rest] = None
            found[before + letter + rest[1:]] = None
    return tuple(one for one in found if one != word)


def is_unspaced(run: str) -> bool:
    """True for a run of a script without blanks between words; a run is never of both kinds."""
    return _UNSPACED_RUN.match(run) is not None


@dataclass(frozen=True, slots=True)
class TermPosition:
    """The place of a word or an unspaced run: `text[start:end]`, which folded is `run`, or has it in it."""

    run: str
    start: int
    end: int


def places(text: str) -> Iterator[TermPosition]:
    """Every word and unspaced run of a text, in order. One microsecond each: for passages, not for whole documents."""
    for found in _RAW_RUN.finditer(text):
        # folding may take one character apart into several runs: `¼` is 1 and 4
        for run in _RUN.finditer(fold(found[0])):
            yield TermPosition(run[0], found.start(), found.end())


def terms_at(text: str) -> Iterator[TermPosition]:
    """Every term of a text with its place: words, words of identifiers, pairs and single characters."""
    for place in places(text):
        if not is_unspaced(place.run):
            yield TermPosition(place.run[:LONGEST], place.start, place.end)
            for word in words_of(text[place.start : place.end]):
                yield TermPosition(word, place.start, place.end)
        elif len(place.run) != place.end - place.start:  # folding changed the length: it is found as a whole
            for term in (*_pairs(place.run), *place.run):
                yield TermPosition(term, place.start, place.end)
        else:
            for index, character in enumerate(place.run):
                start = place.start + index
                yield TermPosition(character, start, start + 1)
                if start + 1 < place.end:
                    yield TermPosition(place.run[index : index + 2], start, start + 2)


def _terms(folded: str) -> tuple[list[str], str]:
    """The terms in their order, and the characters of unspaced runs that are found by their pairs only."""
    terms: list[str] = []
    unspaced: list[str] = []
    for found in _RUN.finditer(folded):
        if (run := found[1]) is None:
            terms.append(found[0][:LONGEST])
        elif len(run) == 1:
            terms.append(run)
        else:
            terms += _pairs(run)
            unspaced.append(run)
    return terms, "".join(unspaced)


def _pairs(run: str) -> list[str]:
    return [run[index : index + 2] for index in range(len(run) - 1)]


def words_of(word: str) -> tuple[str, ...]:
    """The words of an identifier such as `parseHTMLPage24`, in lower case; none where it is one word."""
    if len(word) > LONGEST or not word.isascii() or word.isdigit():
        return ()
    if word.isalpha() and (word.islower() or word.isupper() or word[1:].islower()):
        return ()
    found = tuple(one.lower() for one in _INNER.findall(word) if len(one) > 1)
    return () if found == (word.lower(),) else found


def _normalised(form: str, text: str) -> str:
    if len(text) <= _SLICE or unicodedata.is_normalized(form, text):  # type: ignore[arg-type]
        return unicodedata.normalize(form, text)  # type: ignore[arg-type]
    starts = range(0, len(text), _SLICE)
    return "".join(unicodedata.normalize(form, text[start : start + _SLICE]) for start in starts)  # type: ignore[arg-type]


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
    if len(common := root[:same]) > SHORTEST and common.endswith(("i", "e")):
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


_SIGNS: Final = re.compile(r"\[[0-9a-f]{10}-[0-9]{1,9}\] ?|^(?:> ?){1,9}", re.MULTILINE)


def attached_texts(message: Message) -> Iterator[str]:
    """Yield what else is found of a message: documents' names and texts, tools' questions and answers; no thinking."""
    for part in message.parts:
        match part:
            case DocumentPart(name, text):
                yield name
                yield text
            case ToolResultPart(_, text):
                yield text
            case ToolCallPart(_, name, given):
                yield name
                yield from _strings(given)
            case ImagePart(name):
                yield name
            case TextPart() | ThinkingPart() | UnknownPart():
                pass
            case _:
                assert_never(part)


def attached_text(message: Message) -> str:
    """All of them, a paragraph each."""
    return "\n\n".join(attached_texts(message))


def tool_text(message: Message) -> str:
    """Return what tools were given and answered, as people read it: without ids of passages and signs of quotes."""
    parts = tuple(part for part in message.parts if isinstance(part, ToolCallPart | ToolResultPart))
    return _SIGNS.sub("", attached_text(replace(message, parts=parts))) if parts else ""


def whole_text(message: Message) -> str:
    """Everything of a message that can be found: what was said, then what was attached."""
    return "\n\n".join(filter(None, (message.text, attached_text(message))))


def _strings(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, Sequence):
        for one in value:
            yield from _strings(one)


def recallable_text(message: Message) -> str:
    """All that a search of its own thread may bring back of a message (CTX-13), but finds and the app's notes."""
    own = {part.id for part in message.parts if isinstance(part, ToolCallPart) and part.name in SEARCH_TOOLS}
    kept = tuple(part for part in message.parts if not _searched(part, own))
    text = whole_text(message if len(kept) == len(message.parts) else replace(message, parts=kept))
    return without_notes(text) if message.role == "assistant" else text


def _searched(part: Part, own: Collection[str]) -> bool:
    match part:
        case ToolCallPart(name=name):
            return name in SEARCH_TOOLS
        case ToolResultPart(call_id=call_id, extra=extra):
            return call_id in own or "messages" in extra
        case TextPart() | ThinkingPart() | ImagePart() | DocumentPart() | UnknownPart():
            return False
        case _:
            assert_never(part)


#: More than this many characters are not looked for.
LONGEST_PATTERN = 1_000

#: Marks of Markdown that the reader doesn't see, which may stand in the middle of what he does see.
_UNSEEN = r"(?:[*_~`\\\[\]]|(?<=\])\([^()\n]{0,300}\))*"
_COMBINING = "[\u0300-\u036f]*"
#: One letter that reads like two, and the other way round.
_PAIRS = {"ss": "(?:ss|[\u00df\u1e9e])", "fi": "(?:fi|\ufb01)", "fl": "(?:fl|\ufb02)", "ff": "(?:ff|\ufb00)"}
_SINGLES = {
    "\u00df": "(?:[\u00df\u1e9e]|ss)",
    "'": "['\u2018\u2019]",
    '"': '["\u201c\u201d\u201e]',
    "-": "[-\u2010\u2011]",
}
#: Where a word begins and ends, those of an identifier such as `parseHTMLPage` too.
_WORD_BEGINS = r"(?:(?<![^\W_])|(?<=(?-i:[a-z0-9]))(?=(?-i:[A-Z]))|(?=(?-i:[A-Z][a-z])))"
_WORD_ENDS = r"(?:(?![^\W_])|(?<=(?-i:[a-z0-9]))(?=(?-i:[A-Z]))|(?=(?-i:[A-Z][a-z])))"
#: Letters with accents that are found by the letter without: Latin and Greek.
_ACCENTED = (range(0x00C0, 0x0250), range(0x0370, 0x0400), range(0x1E00, 0x1F00))


@dataclass(frozen=True, slots=True)
class FindPattern:
    """The text looked for. Letters match in any case unless `match_case`; a plain letter also matches with an accent,
    an accented one only itself; a space matches any white space, a line break too. Empty text matches nothing.

    `any_word`: the text is the line of a search over all threads, and each of its words is a hit by itself; a word of
    an identifier counts, and the last word may go on.
    """

    text: str
    match_case: bool = False
    whole_words: bool = False
    any_word: bool = False
    _pattern: re.Pattern[str] | None = field(init=False, repr=False, compare=False, default=None)
    _near: re.Pattern[str] | None = field(init=False, repr=False, compare=False, default=None)

    def __post_init__(self) -> None:
        if self.any_word:
            exact, near = _any_word(self.text[:LONGEST_PATTERN])
            object.__setattr__(self, "_pattern", re.compile(exact, re.IGNORECASE) if exact else None)
            object.__setattr__(self, "_near", re.compile(near, re.IGNORECASE) if near else None)
            return
        wanted = unicodedata.normalize("NFC", self.text[:LONGEST_PATTERN])
        if not self.match_case:
            wanted = wanted.casefold() if "\u00df" not in wanted else wanted.lower()
        if wanted.strip():
            source = "".join(_parts(wanted, accents=not self.match_case))
            if self.whole_words:
                source = rf"(?<!\w){source}(?!\w)"
            flags = re.NOFLAG if self.match_case else re.IGNORECASE
            object.__setattr__(self, "_pattern", re.compile(source, flags))
            # the longest run of letters and digits: whatever marks stand around or in it, it must be there
            core = max(re.findall(r"[^\W_]+", wanted), key=len, default="")
            near = _UNSEEN.join(_parts(core, accents=not self.match_case))
            object.__setattr__(self, "_near", re.compile(near, flags) if core else None)

    def __bool__(self) -> bool:
        return self._pattern is not None

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return its places in a text as it is read: (start, end) in code points, in order, without overlaps."""
        return [found.span() for found in self._pattern.finditer(text)] if self._pattern is not None else []

    def may_be_in(self, source: str) -> bool:
        """False only where a Markdown source surely reads nothing that matches: costs little, spares reading it."""
        if self._pattern is None:
            return False
        # an entity may stand for any letter, and a formula reads otherwise than it is written
        unsure = self._near is None or "&" in source or "$" in source or "\\(" in source or "\\[" in source
        return unsure or (self._near is not None and self._near.search(source) is not None)


def _any_word(line: str) -> tuple[str, str]:
    """The pattern of any word of a search line as it is read, and the text that a source holding one surely has."""
    exact: list[str] = []
    near: list[str] = []
    for wanted in needles(line):
        for number, run in enumerate(wanted.runs, start=1):
            parts = _parts(run, accents=True)
            source = "".join(parts)
            if not is_unspaced(run):
                goes_on = wanted.open and number == len(wanted.runs)
                source = _WORD_BEGINS + source + (r"\w*" if goes_on else _WORD_ENDS)
            exact.append(source)
            near.append(_UNSEEN.join(parts))
    return "|".join(exact), "|".join(near)


def _parts(wanted: str, *, accents: bool) -> list[str]:
    parts: list[str] = []
    position = 0
    while position < len(wanted):
        character, pair = wanted[position], wanted[position : position + 2]
        if character.isspace():
            end = position
            while end < len(wanted) and wanted[end].isspace():
                end += 1
            parts.append(r"\s+")
            position = end
        elif accents and pair in _PAIRS:
            parts.append(_PAIRS[pair])
            position += 2
        else:
            parts.append(_letter(character, accents=accents))
            position += 1
    return parts


def _letter(character: str, *, accents: bool) -> str:
    if character in _SINGLES and (accents or not character.isalpha()):
        return _SINGLES[character]
    if len(decomposed := unicodedata.normalize("NFD", character)) > 1:
        return f"(?:{re.escape(character)}|{re.escape(decomposed)})"
    if not accents or not character.isalpha():
        return re.escape(character)
    accented = _accented().get(character, "")
    return f"[{character}{accented}]{_COMBINING}" if accented else re.escape(character)


@lru_cache(maxsize=1)
def _accented() -> dict[str, str]:
    """Plain letters with all their accented forms of either case."""
    found: dict[str, str] = {}
    for codes in _ACCENTED:
        for code in codes:
            decomposed = unicodedata.normalize("NFD", chr(code))
            if len(decomposed) > 1 and all(map(unicodedata.combining, decomposed[1:])):
                base = decomposed[0].lower()
                found[base] = found.get(base, "") + chr(code)
    return found
