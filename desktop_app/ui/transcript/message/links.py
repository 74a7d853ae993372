"""The places that an answer's words lead to: links, as they are opened and shown, and the sources it names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from PySide6.QtCore import QUrl, QUrlQuery

from desktop_app.core.citations import SentPassages
from desktop_app.core.markdown.inline_text import safe_target
from desktop_app.core.messages import Json, JsonObject, Part, ToolResultPart
from desktop_app.core.recall import FEW_RESULTS
from desktop_app.ui.i18n.language import tr, translated
from desktop_app.ui.transcript.items.item import CITE, UNSENT
from desktop_app.ui.transcript.message.row_builder import citations_of


@dataclass(frozen=True, slots=True)
class CitedSource:
    """One source: its title, the address it came from ("" for a document), where in it, and what was cited of it."""

    title: str
    address: str = ""
    place: str = ""
    cited: tuple[str, ...] = ()


def sources_of(parts: Iterable[Part]) -> tuple[CitedSource, ...]:
    """The sources of an answer in the order in which they are first cited, each once."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for part in parts:
        for citation in citations_of(part):
            if citation.get("type") == "search_result_location":
                continue  # the text itself has its mark
            address = _text(citation.get("url")) or _text(citation.get("source"))
            title = _text(citation.get("title")) or _text(citation.get("document_title")) or address
            cited = found.setdefault((title, address, _place(citation)), [])
            if (words := " ".join(_text(citation.get("cited_text")).split())) and words not in cited:
                cited.append(words)
    return tuple(CitedSource(*key, cited=tuple(cited)) for key, cited in found.items())


def results_of_search(content: Json) -> Sequence[CitedSource]:
    """The pages that a search of the web found."""
    if not isinstance(content, list | tuple):
        return ()
    pages = [one for one in content if isinstance(one, dict) and one.get("url")]
    return [CitedSource(_text(page.get("title")) or _text(page["url"]), _text(page["url"])) for page in pages]


def server_of(address: str) -> str:
    """The server of an address, for people; empty where it is none."""
    try:
        return (urlsplit(address).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


#: Characters of a passage that a hint tells.
HINT = 600


def flowing(text: str) -> str:
    """A page's text without the line ends of its paper, which are no narrower than a hint; tables and lists keep
    theirs.
    """
    return re.sub(r"(?<![\n|])\n(?![\n|•*-])", " ", text)


def citation_hint(button: str, sent: SentPassages | None) -> str:
    """Return the words on a citation: its passage, or that it has none; "" for any other button."""
    if button.startswith(UNSENT):
        return tr("Unverified: no passage with this id was sent to the model.")
    found = sent.find(button.removeprefix(CITE)) if sent is not None and button.startswith(CITE) else None
    if found is None:
        return ""
    text = flowing(found.text) if found.place.page and not found.place.is_slide else found.text
    text = text if len(text) <= HINT else f"{text[:HINT].rstrip()}…"
    return "\n".join(line for line in (found.document, translated(found.place.words), text) if line)


def _place(citation: JsonObject) -> str:
    """Return the place in a document: a page or pages; the provider's last page is not part of it."""
    first, end = citation.get("start_page_number"), citation.get("end_page_number")
    if not isinstance(first, int):
        return ""
    last = end - 1 if isinstance(end, int) and end > first else first
    return f"p. {first}" if last == first else f"p. {first}–{last}"


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """One passage as the model reads it; `message_id` "" where it is not known which message it is from."""

    heading: str
    message_id: str
    text: str


def message_ids(result: ToolResultPart) -> tuple[str, ...]:
    """The message that each passage was found for."""
    ids = result.extra.get("messages")
    return tuple(str(one) for one in ids) if isinstance(ids, list | tuple) else ()


def passage_count(result: ToolResultPart) -> int:
    """Return how many passages there are."""
    count = result.extra.get("passages")
    return count if isinstance(count, int) else len(message_ids(result))


def messages_read(results: Iterable[ToolResultPart]) -> int:
    """Return how many messages the passages hold, each counted once; 0 where their numbers were not kept."""
    told = (result.extra.get("numbers") for result in results)
    spans = re.findall(r"(\d{1,9})(?:-(\d{1,9}))?", " ".join(str(one) for one in told))
    count = end = 0
    for first, last in sorted((int(first), int(last or first)) for first, last in spans):
        count += max(0, last - max(first - 1, end))
        end = max(end, last)
    return count


def passages_of(result: ToolResultPart) -> Sequence[FoundPassage]:
    """The passages in order; where it is not known where each begins, all is one passage of no message."""
    ids, starts, text = message_ids(result), result.extra.get("starts"), result.text.removesuffix(FEW_RESULTS)
    if not ids or not isinstance(starts, list | tuple) or len(starts) != len(ids):
        return [FoundPassage("", "", text)]
    places = [start for start in starts if isinstance(start, int)]
    if places != sorted({*places, 0}) or len(places) != len(ids) or places[-1] >= len(text):
        return [FoundPassage("", "", text)]
    found = []
    for message_id, start, end in zip(ids, places, [*places[1:], len(text)], strict=True):
        heading, _, said = text[start:end].partition("\n")
        found.append(FoundPassage(heading.strip("[]"), message_id, said.strip("\n")))
    return found


#: Longer targets are cut in the middle when shown; the host always stays readable.
LONGEST_SHOWN = 160

#: What a mail link may fill in. Some mail programs take a path in `attach`, and would send that file along.
MAIL_FIELDS = frozenset({"to", "cc", "subject", "body"})


def checked_target(target: str) -> str | None:
    """The target as it will be opened, or None if it must not be: http, https and mailto only.

    Of a mail link only `MAIL_FIELDS` are left.
    """
    if (safe := safe_target(target)) is None:
        return None
    url = QUrl(safe, QUrl.ParsingMode.TolerantMode)
    if not url.isValid() or url.scheme().lower() not in {"http", "https", "mailto"}:
        return None
    return _without_attachments(safe, url) if url.scheme().lower() == "mailto" else safe


def shown_target(target: str) -> str:
    """The real target in ASCII: a host that only looks like another one is seen through.

    Where a user's name stands before the host, as in https://bank.example@evil.example, the host comes first.
    """
    url = QUrl(target)
    if len(shown := bytes(url.toEncoded().data()).decode("ascii", "replace")) > LONGEST_SHOWN:
        shown = f"{shown[: LONGEST_SHOWN - 40]}…{shown[-39:]}"
    return f"{host_of(target)}: {shown}" if url.userInfo() and url.host() else shown


def host_of(target: str) -> str:
    """The host that an address leads to, in ASCII; "" for a mail link."""
    return QUrl(target).host(QUrl.ComponentFormattingOption.FullyEncoded)


def _without_attachments(target: str, url: QUrl) -> str:
    encoded = QUrl.ComponentFormattingOption.FullyEncoded
    fields = QUrlQuery(url).queryItems(encoded)
    kept = [(name, value) for name, value in fields if name.lower() in MAIL_FIELDS]
    if kept == fields:
        return target
    written = "&".join(f"{name}={value}" for name, value in kept)
    return target.partition("?")[0] + (f"?{written}" if written else "")
