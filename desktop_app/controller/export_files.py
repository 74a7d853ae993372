"""Writes export files whole or not at all, also a version of an artifact; PDF and formulas are made by processes.

Pages for the browser are in no file: a server on the loopback hands them out.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import stat
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from filecmp import cmp
from html import escape
from html.parser import HTMLParser
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO, Final, TextIO

from desktop_app.controller.formats import ArtifactFormat
from desktop_app.core.artifacts import Artifact
from desktop_app.core.errors import UserError
from desktop_app.core.phrases import phrase
from desktop_app.resources import resource
from desktop_app.system.private_files import PrivateFolder, bring_to_disk, open_new, path_beside, put_in_place
from desktop_app.system.worker_process import WorkerChild, WorkerFailedError, WorkerProcess


def write_export(path: Path, pieces: Iterable[str], *, beside: bool = False) -> Path:
    """Writes UTF-8 text as `write_bytes` does."""
    return write_bytes(path, (piece.encode("utf-8", "replace") for piece in pieces), beside=beside)


def write_bytes(path: Path, pieces: Iterable[bytes], *, beside: bool = False) -> Path:
    """Writes a `WrittenFile` from its beginning to its end; raises what that does. Returns its path."""
    file = WrittenFile(path, beside=beside)
    try:
        for piece in pieces:
            file.write(piece)
        return file.finish()
    except BaseException:
        file.discard()
        raise


class WrittenFile:
    """A file that is written piece by piece: its path holds the old or the whole new one; only this user may read it.

    `beside`, for a name that the user did not choose: what is there stays, and this file gets a number; one of the same
    content is not written again. `write` and `finish` raise `UserError("usage")` if the path that was chosen is
    something other than a plain file, and `UserError("store")` if it fails.
    """

    def __init__(self, path: Path, *, beside: bool = False) -> None:
        self._path, self._beside = path, beside
        self._target = self._fresh = path
        self._file: BinaryIO | None = None

    def write(self, piece: bytes) -> None:
        with self._named():
            self._opened().write(piece)

    def finish(self) -> Path:
        """Puts the file in its place, the path of which it returns."""
        with self._named():
            file = self._opened()
            bring_to_disk(file)
            file.close()
            if not self._beside:
                put_in_place(self._fresh, self._target)
            elif (free := self._free()) is not None:
                put_in_place(self._fresh, free)
        return self._path

    def _free(self) -> Path | None:
        """The first path that nothing has, taken by an empty file; None where this file is there already."""
        for number in count(2):
            try:
                open_new(self._path).close()
            except FileExistsError:
                if self._path.is_file() and not self._path.is_symlink() and cmp(self._fresh, self._path, shallow=False):
                    self._fresh.unlink()
                    return None
                self._path = self._target.with_stem(f"{self._target.stem} {number}")
            else:
                return self._path
        raise AssertionError

    def discard(self) -> None:
        """Leaves the path as it was, unless the file is finished."""
        if self._file is not None:
            with suppress(OSError):  # what could not be written is still waiting in it
                self._file.close()
            self._fresh.unlink(missing_ok=True)

    def _opened(self) -> BinaryIO:
        if self._file is None:
            self._target = self._path if self._beside else self._path.resolve()
            if not self._beside and self._target.exists() and not stat.S_ISREG(self._target.stat().st_mode):
                words = phrase("{path} is not a plain file; nothing was written. Give another path.", path=self._path)
                raise UserError("usage", words)
            self._target.parent.mkdir(parents=True, exist_ok=True)
            self._fresh = path_beside(self._target)
            self._file = open_new(self._fresh)
        return self._file

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = error.strerror or error
            words = phrase("{path} could not be written: {reason}.", path=self._path, reason=reason)
            raise UserError("store", words) from error


PDF_LIMIT_S: Final = 900.0
"""Seconds after which a document is too long to be laid out; a thousand messages take some ten."""


class PdfPrinting:
    """The process starts with the first document, and takes one after the other."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = WorkerProcess(command, time_limit_s=PDF_LIMIT_S)

    def document(self, title: str, style: str) -> PrintedFile:
        """A document to which pieces are added."""
        return PrintedFile(self._process, title, style)

    async def close(self) -> None:
        """Ends the process."""
        await self._process.close()


class PrintedFile:
    """A document on its way to be a PDF; `add` and `remove` may take a moment and belong into a thread."""

    def __init__(self, process: WorkerProcess, title: str, style: str) -> None:
        self._process, self._title, self._style = process, title, style
        self._folder: PrivateFolder | None = None
        self._source: TextIO | None = None

    def add(self, piece: Mapping[str, Any]) -> None:
        """Adds a piece as `print_export` describes it. Raises `OSError`."""
        if self._source is None:
            self._folder = PrivateFolder()
            self._source = (self._folder.path / "pieces").open("w", encoding="utf-8", errors="replace")
        self._source.write(f"{json.dumps(piece)}\n")

    async def printed(self) -> Path:
        """The PDF, which stays until `remove`. Raises `UserError("store")` where it could not be laid out."""
        assert self._folder is not None
        assert self._source is not None
        output = self._folder.path / "document.pdf"
        try:
            self._source.close()
            order = {"source": str(self._folder.path / "pieces"), "output": str(output)}
            answer = await self._process.ask({**order, "title": self._title, "style": self._style})
            if not answer.get("pages") or not output.is_file():
                raise WorkerFailedError("no pages")
        except (WorkerFailedError, OSError) as error:
            words = phrase(
                "“{title}” could not be laid out as PDF. Export it as HTML and print that.", title=self._title
            )
            raise UserError("store", words, detail=type(error).__name__) from None
        return output

    def remove(self) -> None:
        """Removes what was written on the way."""
        if self._source is not None:
            self._source.close()
        if self._folder is not None:
            self._folder.remove()


FORMULA_LIMIT_S: Final = 10.0
"""Seconds after which the process is ended; it gives up a formula by itself long before."""

MOST_FAILURES: Final = 3
"""A process that ends so often without an answer is not started again."""


class FormulaTypesetting:
    """At most one process, started with the first formula. For one thread at a time; `close` may come from any."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = list(command)
        self._child: WorkerChild | None = None
        self._failures = 0
        self._known: dict[tuple[str, bool], Mapping[str, Any] | None] = {}

    def typeset(self, source: str, display: bool) -> Mapping[str, Any] | None:
        """The outlines of a formula without its delimiters; None where it can't be typeset."""
        key = source, display
        if key not in self._known:
            self._known[key] = self._asked(source, display)
        return self._known[key]

    def close(self) -> None:
        """Ends the process."""
        self._failures = MOST_FAILURES
        child, self._child = self._child, None
        if child is not None:
            child.end()

    def _asked(self, source: str, display: bool) -> Mapping[str, Any] | None:
        if self._failures >= MOST_FAILURES:
            return None
        try:
            child = self._child = self._child or WorkerChild(self._command)
        except OSError:
            self._failures += 1
            return None
        too_late = threading.Timer(FORMULA_LIMIT_S, child.kill)
        too_late.daemon = True
        too_late.start()
        try:
            answer = child.ask({"tex": source, "display": display})
        finally:
            too_late.cancel()
        if answer is None:
            self._failures += 1
            self._child = None
        return None if answer is None or "failed" in answer else answer


ENDINGS: Final[dict[ArtifactFormat, str]] = {"markdown": ".md", "html": ".html", "pdf": ".pdf", "docx": ".docx"}
_OWN_ENDINGS: Final = {"markdown": ".md", "html": ".html", "svg": ".svg", "mermaid": ".mmd", "text": ".txt"}
_OF_LANGUAGES: Final = {
    "python": ".py",
    "javascript": ".js",
    "typescript": ".ts",
    "json": ".json",
    "yaml": ".yaml",
    "toml": ".toml",
    "sql": ".sql",
    "bash": ".sh",
    "sh": ".sh",
    "css": ".css",
    "xml": ".xml",
    "csv": ".csv",
    "java": ".java",
    "kotlin": ".kt",
    "go": ".go",
    "rust": ".rs",
    "c": ".c",
    "cpp": ".cpp",
    "c#": ".cs",
    "csharp": ".cs",
    "ruby": ".rb",
    "php": ".php",
    "swift": ".swift",
}

BLOCKING: Final = (
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "img-src data:; frame-src about:; form-action 'none'; base-uri 'none'\">"
)
"""Stands first in every page that we write: no script runs there, and nothing is loaded."""


class ArtifactExport:
    """Writes files; `printing` lays out PDFs, the process of `formula_command` sets formulas; `pages`: for browsers."""

    def __init__(self, printing: PdfPrinting, formula_command: Sequence[str]) -> None:
        self._printing, self._formula_command = printing, list(formula_command)
        self.pages = PageServer()

    async def write(self, artifact: Artifact, text: str, form: ArtifactFormat, output: Path) -> Path:
        """Writes a text of the artifact; the file is whole or as it was. A folder gets a file with the title as name,
        beside what is there.

        Raises `UserError("usage")` for what is neither a file nor a folder, `UserError("store")` if writing fails.
        """
        if beside := await asyncio.to_thread(output.is_dir):
            output /= file_name(artifact, form)
        match form:
            case "pdf":
                return await self._print(artifact, text, output, beside)
            case "docx":
                pieces = [await asyncio.to_thread(as_docx, artifact, text)]
                return await asyncio.to_thread(write_bytes, output, pieces, beside=beside)
            case "markdown":
                text = as_markdown(artifact, text)
            case "html" if artifact.kind != "html":
                text = (await asyncio.to_thread(self._html, artifact, text, printed=False))["html"]
        return await asyncio.to_thread(write_export, output, (text,), beside=beside)

    def _html(self, artifact: Artifact, text: str, *, printed: bool) -> Mapping[str, Any]:
        from desktop_app.controller.formats.html_export import artifact_piece  # only where something is exported

        if page := page_text(artifact, text):
            artifact, text = replace(artifact, kind="markdown"), page
        with closing(FormulaTypesetting(self._formula_command)) as formulas:
            return artifact_piece(artifact, text, formulas.typeset, printed=printed)

    async def _print(self, artifact: Artifact, text: str, output: Path, beside: bool) -> Path:
        from desktop_app.controller.formats.html_export import print_style

        document = self._printing.document(artifact.title, await asyncio.to_thread(print_style, "14pt"))
        try:
            await asyncio.to_thread(lambda: document.add(self._html(artifact, text, printed=True)))
            printed = await document.printed()
            return await asyncio.to_thread(lambda: write_bytes(output, (printed.read_bytes(),), beside=beside))
        finally:
            await asyncio.shield(asyncio.to_thread(document.remove))


def own_ending(artifact: Artifact) -> str:
    """The ending of the file that the artifact is."""
    if artifact.kind == "code":
        return _OF_LANGUAGES.get(artifact.language.casefold(), ".txt")
    return _OWN_ENDINGS[artifact.kind]


def file_name(artifact: Artifact, form: ArtifactFormat) -> str:
    """A name for its file: the title without what file systems don't take."""
    stem = "".join(one if one.isalnum() or one in " -_().,&+" else " " for one in artifact.title)
    stem = " ".join(stem.split()).strip(". ")[:80].rstrip(". ") or "artifact"
    return stem + (own_ending(artifact) if form == "file" else ENDINGS[form])


def page_text(artifact: Artifact, text: str) -> str:
    """The Markdown that shows a page; empty for what is none, and for a page without words."""
    from desktop_app.documents.mail_and_pages import page_markdown  # only where a page is shown or exported

    return page_markdown(text) if artifact.kind == "html" else ""


def as_markdown(artifact: Artifact, text: str) -> str:
    """The text where it is Markdown or a page, else in a fence under its title."""
    if page := page_text(artifact, text):
        return f"{page}\n"
    if artifact.kind in ("markdown", "text"):
        return text if text.endswith("\n") else f"{text}\n"
    return f"# {artifact.title}\n\n{fenced(artifact, text)}"


def fenced(artifact: Artifact, text: str) -> str:
    """The text as a block of code, in a fence that it does not hold."""
    longest = run = 0
    for one in text:
        run = run + 1 if one == "`" else 0
        longest = max(longest, run)
    fence = "`" * max(3, longest + 1)
    body = text.removesuffix("\n")
    return f"{fence}{code_language(artifact)}\n{body}\n{fence}\n"


def code_language(artifact: Artifact) -> str:
    """The word behind the fence of an artifact's text; a drawing is read as XML."""
    return artifact.language if artifact.kind == "code" else {"svg": "xml"}.get(artifact.kind, artifact.kind)


def as_docx(artifact: Artifact, text: str) -> bytes:
    """A Word document."""
    from desktop_app.documents.docx_writer import docx_of, docx_of_lines  # only where a Word document is exported

    if artifact.kind == "text":
        return docx_of_lines(text, artifact.title)
    return docx_of(as_markdown(artifact, text), artifact.title)


def blocked_page(title: str, html: str) -> str:
    """A page as it was written, but for what leads out of it, in a frame in which no script runs."""
    shown = _InertPage()
    shown.feed(html)
    shown.close()
    return _framed(title, f"<!doctype html>{BLOCKING}{''.join(shown.pieces)}", BLOCKING, "")


def _framed(title: str, inner: str, policy: str, sandbox: str) -> str:
    frame = f'<iframe sandbox="{sandbox}" title="{escape(title)}" srcdoc="{escape(inner)}"></iframe>'
    return (
        f'<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n{policy}\n<title>{escape(title)}</title>\n'
        "<style>html,body,iframe{margin:0;border:0;width:100%;height:100%;display:block}</style>\n</head>\n"
        f"<body>{frame}</body>\n</html>\n"
    )


_INERT_TAGS: Final = (
    "html head body title style main section article aside header footer nav address div p span h1 h2 h3 h4 h5 h6 hr "
    "br wbr a abbr b bdi bdo blockquote caption center cite code col colgroup data dd del details dfn dl dt em "
    "fieldset figcaption figure font i img input ins kbd label legend li mark meter ol optgroup option output pre "
    "progress q rp rt ruby s samp select small strong sub summary sup table tbody td tfoot th thead time tr u ul var "
    "button svg g path rect circle ellipse line polyline polygon text tspan defs desc lineargradient radialgradient "
    "stop clippath mask pattern marker symbol use"
)


class _InertPage(HTMLParser):
    """Writes a page again of tags that load nothing: for a hint to connect, browsers ask no policy."""

    _TAGS: Final = frozenset(_INERT_TAGS.split())
    _VOID: Final = frozenset(("br", "col", "hr", "img", "input", "wbr"))
    _WORDS: Final = frozenset(("alt", "aria-label", "class", "id", "label", "placeholder", "style", "title", "value"))

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self._TAGS:
            kept = [f' {name}="{escape(value or "")}"' for name, value in attrs if self._stays(name, value or "")]
            self.pieces.append(f"<{tag}{''.join(kept)}>")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._TAGS - self._VOID:
            self.pieces.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "style":
            self.pieces.append(data.replace("<", "\\3c "))  # a browser may see its end elsewhere
        elif self.cdata_elem is None:
            self.pieces.append(escape(data))

    def _stays(self, name: str, value: str) -> bool:
        """Return True if an attribute is words or leads nowhere, as browsers read addresses: without blanks."""
        bare = "".join(value.split()).replace("\\", "/")
        leads = (":" in bare or "//" in bare) and not bare.startswith("data:image/")
        named = name.isascii() and name.replace("-", "").replace(":", "").isalnum() and not name.startswith("on")
        return named and (name in self._WORDS or not leads)


RUN_POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:; "
    "font-src data: blob:; media-src data: blob:; connect-src 'none'; frame-src about:; worker-src 'none'; "
    "object-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; webrtc 'block'; "
    "require-trusted-types-for 'script'; trusted-types default"
)
PAGE_HEADERS: Final = (
    ("Content-Type", "text/html; charset=utf-8"),
    ("Content-Security-Policy", RUN_POLICY),
    ("Connection-Allowlist", "()"),  # Chromium from 152 on: also no hint to connect, no name looked up, no WebRTC
    ("X-DNS-Prefetch-Control", "off"),
    ("Referrer-Policy", "no-referrer"),
    ("Permissions-Policy", "camera=(), microphone=(), geolocation=(), display-capture=()"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cache-Control", "no-store"),
    ("Connection", "close"),
)
_LEADING_TAG: Final = re.compile(r"<(/?)(link|meta|iframe)(?=[\s/>])", re.IGNORECASE)


def running_page(artifact: Artifact, text: str) -> str:
    """A page or drawing as it was written, its scripts and styles too, in a frame that reaches nothing else."""
    if artifact.kind == "svg":
        text = f"<style>body{{margin:0}}svg{{max-width:100%}}</style>{text[max(0, text.find('<svg')) :]}"
    text = _LEADING_TAG.sub(lambda tag: f"<{tag[1]}{'x-frame' if tag[2].casefold() == 'iframe' else 'bgsound'}", text)
    policy = (
        f'<meta http-equiv="Content-Security-Policy" content="{RUN_POLICY}">'
        '<meta http-equiv="x-dns-prefetch-control" content="off">'
    )
    guard = resource("pages", "guard.js").read_text("utf-8")
    inner = f"<!doctype html>{policy}<script>{guard}</script>{text}"
    return _framed(artifact.title, inner, policy, "allow-scripts allow-forms")


_FROM_ABROAD: Final = re.compile(r"""["'`(=,\s](?:(?:https?|wss?):)?//([\w-]+(?:\.[\w-]+)+)""", re.IGNORECASE)
_LOADING: Final = re.compile(
    r"(?:url\(|@import|\bfetch\(|\bimport\b|\bimportScripts\(|\bfrom\b|WebSocket\(|EventSource\(|\bopen\(|\.src\b)"
    r"[^;\n]{0,40}\Z",
    re.IGNORECASE,
)


class _Loads(HTMLParser):
    """Collects the hosts of what a page loads; links that are only clicked are none."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.hosts: dict[str, None] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("src", "srcset", "data", "poster", "href" if tag in ("link", "image", "use", "script") else ""):
                self.hosts |= dict.fromkeys(one[1] for one in _FROM_ABROAD.finditer(f" {value}"))
            elif name == "style":
                self.handle_data(value or "")

    def handle_data(self, data: str) -> None:
        for one in _FROM_ABROAD.finditer(data):
            if _LOADING.search(data[max(0, one.start() - 60) : one.start() + 1]):
                self.hosts[one[1]] = None


def wanted_hosts(text: str) -> tuple[str, ...]:
    """The hosts that a page would ask for something, were it allowed to, in its order."""
    page = _Loads()
    page.feed(text)
    page.close()
    return tuple(page.hosts)


MOST_PAGES: Final = 20
"""Pages that can be opened at a time; the oldest goes."""
_REQUEST_S: Final = 10.0
ASKED_WITHIN_S: Final = 20.0
"""Seconds in which a browser that starts asks for its page."""
KEPT_IN: Final = {"Chrome": 152, "Firefox": 148}
"""The versions from which on a browser keeps a running page from the network: connection allowlists, trusted types."""
_BROWSERS: Final = re.compile(r"(Chrome|Firefox)/(\d{1,6})")


class PageServer:
    """Hands pages to this computer's browser: on the loopback, each under an address that nobody guesses.

    What an address is given to at first may ask again: other users of this computer may read it in the list of
    processes. The server starts with the first page.
    """

    def __init__(self) -> None:
        self._pages: dict[str, tuple[str, str, str]] = {}  # by path: page, that instead of it, cookie of who has it
        self._asked: dict[str, asyncio.Event] = {}
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()

    async def address(self, page: str, instead: str = "") -> str:
        """The address of a page; `instead`: the page for browsers in which the first one would reach the network."""
        if self._server is None:
            self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=65_536)
        path = f"/{secrets.token_urlsafe(32)}/"
        self._pages[path] = (page, instead, "")
        self._asked[path] = asyncio.Event()
        while len(self._pages) > MOST_PAGES:
            oldest = next(iter(self._pages))
            del self._pages[oldest], self._asked[oldest]
        return f"http://{self._host}{path}"

    async def asked_for(self, address: str, within_s: float = ASKED_WITHIN_S) -> bool:
        """True once a browser has asked for the page; False where none does in that time, as it ended at once."""
        try:
            await asyncio.wait_for(self._asked[address.removeprefix(f"http://{self._host}")].wait(), within_s)
        except TimeoutError:
            return False
        return True

    async def close(self) -> None:
        """Ends the server, and with it every address."""
        if self._server is not None:
            self._server.close()
            for task in self._open:
                task.cancel()
            await asyncio.gather(*self._open, return_exceptions=True)

    @property
    def _host(self) -> str:
        assert self._server is not None
        return f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # a plain function, so that the tasks are ours to end
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(OSError, EOFError, asyncio.LimitOverrunError, TimeoutError):
                async with asyncio.timeout(_REQUEST_S):
                    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                    writer.write(self._response(head))
                    await writer.drain()
        finally:
            writer.close()

    def _response(self, head: Sequence[str]) -> bytes:
        method, path, *_ = [*head[0].split(" "), "", ""]
        fields = {name.strip().lower(): value.strip() for name, _, value in (one.partition(":") for one in head[1:])}
        page, instead, cookie = self._pages.get(path, ("", "", ""))
        given = f"page={cookie}" in fields.get("cookie", "").split("; ")
        # a name that leads here is a stranger's page that reads what we serve
        if method != "GET" or fields.get("host") != self._host or not page or (cookie and not given):
            return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        self._asked[path].set()
        lines = ["HTTP/1.1 200 OK", *(f"{name}: {value}" for name, value in PAGE_HEADERS)]
        if instead and not any(
            int(one[2]) >= KEPT_IN[one[1]] for one in _BROWSERS.finditer(fields.get("user-agent", ""))
        ):
            page = instead  # the address stays free for another browser
        elif not cookie:
            self._pages[path] = (page, instead, cookie := secrets.token_urlsafe(32))
            lines.append(f"Set-Cookie: page={cookie}; Path={path}; HttpOnly; SameSite=Strict")
        body = page.encode("utf-8", "replace")
        return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode() + body
