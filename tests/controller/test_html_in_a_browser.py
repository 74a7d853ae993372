"""A real browser opens an exported page and asks for nothing, whatever its texts hold.

Nor does a page whose scripts run: Chromium and Firefox, with a server on the loopback as the attacker.
"""

from __future__ import annotations

import asyncio
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from desktop_app.controller.export_files import PageServer, blocked_page, running_page
from desktop_app.controller.formats.html_export import POLICY
from desktop_app.core.artifacts import Artifact
from desktop_app.core.messages import TextPart, ThinkingPart
from tests.builders.exported_threads import HOSTILE, everything, hostile, talk
from tests.controller.test_html_export import page_of

BROWSER = shutil.which("chromium")
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
LOADED_BY_CHROMIUM_S = 120

pytestmark = [pytest.mark.slow, pytest.mark.skipif(BROWSER is None, reason="Chromium is not installed")]


class Asked(ThreadingHTTPServer):
    """A server on the loopback that remembers what it was asked for."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.connections = 0
        paths = self.paths

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                paths.append(self.path)
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server_port}"

    def process_request(self, request: object, client_address: object) -> None:
        self.connections += 1  # one that asks for nothing tells where somebody reads all the same
        super().process_request(request, client_address)  # type: ignore[arg-type]


@pytest.fixture
def server() -> Iterator[Asked]:
    server = Asked()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def opened(html: str, folder: Path) -> str:
    """What the browser made of a page, after all that it would load has had its time."""
    assert BROWSER is not None
    page = folder / "page.html"
    page.write_text(html)
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"]
    command += [
        "--disable-background-networking",
        "--disable-component-update",
        f"--user-data-dir={folder / 'profile'}",
    ]
    command += ["--virtual-time-budget=2000", "--dump-dom", page.as_uri()]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=LOADED_BY_CHROMIUM_S, env={"HOME": str(folder)}
    )
    return done.stdout


@pytest.mark.parametrize("policy", [True, False])
def test_an_exported_page_asks_for_nothing(policy: bool, server: Asked, tmp_path: Path) -> None:
    """Also without the policy that would forbid it."""
    texts = [text.replace("https://example.org", server.address) for text in HOSTILE]
    texts += [text.replace("//example.org", server.address) for text in HOSTILE]
    texts.append("<script>document.title = 'it ran'</script>")
    parts = (TextPart("\n\n".join(texts)), ThinkingPart("\n\n".join(texts)))
    page = page_of(everything(), hostile(), talk(("user", parts), ("assistant", parts), title=texts[5]))
    assert POLICY in page
    assert server.address in page
    shown = opened(page if policy else page.replace(POLICY, "default-src *"), tmp_path)
    assert "<title>3 threads</title>" in shown
    assert "The end." in shown
    assert (server.paths, server.connections) == ([], 0)


LEADS_OUT = (
    "<link rel=preconnect href='{0}'>",
    "<link rel=dns-prefetch href='{0}'><link rel=prefetch href='{0}/a'><link rel=stylesheet href='{0}/b'>",
    "<iframe src='{0}/a'></iframe>",
    "<iframe srcdoc=\"<link rel=preconnect href='{0}'>\"></iframe>",
    "<object data='{0}/a'></object><embed src='{0}/b'>",
    "<meta http-equiv=refresh content='0;url={0}/a'><meta http-equiv=link content='<{0}>; rel=preconnect'>",
    "<base href='{0}'><img src='a.png'><img srcset='{0}/a 2x'><video poster='{0}/b' src='{0}/c'></video>",
    "<style>@import '{0}/a'; body{{background:url({0}/b)}}</style>",
    "<style>@font-face{{font-family:x;src:url({0}/c)}} p{{font:1em x}}</style><p style='background:url({0}/b)'>x",
    "<style></style/><link rel=preconnect href='{0}'></style>",
    "<svg><style><p><link rel=preconnect href='{0}'></style></svg>",
    "<svg><image href='{0}/a'/><use href='{0}/b#c'/></svg><img src='/\\t/{0}'>",
    "<title><b title='</title><link rel=preconnect href={0}>'></title>",
    '<script type=speculationrules>{{"prerender":[{{"urls":["{0}/a"]}}]}}</script><script>fetch(\'{0}/b\')</script>',
    "<frameset><frame src='{0}/a'></frameset>",
)


@pytest.mark.parametrize("leads_out", ["".join(LEADS_OUT[:-4]), *LEADS_OUT[-4:]])
def test_a_page_of_a_model_opens_no_connection(leads_out: str, server: Asked, tmp_path: Path) -> None:
    shown = opened(blocked_page("A page", f"<h1>Hello</h1>{leads_out.format(server.address)}"), tmp_path)
    assert "Hello" in shown
    assert (server.paths, server.connections) == ([], 0)


@pytest.mark.parametrize("seen", ["<img src='{0}/pixel.png'>", LEADS_OUT[0]])
def test_the_browser_would_be_heard(seen: str, server: Asked, tmp_path: Path) -> None:
    opened(f"<!doctype html><title>x</title>{seen.format(server.address)}", tmp_path)
    assert server.connections


ATTACKS = {
    name: text
    for name, _, text in (
        one.partition("\n")
        for one in (Path(__file__).parents[1] / "data" / "page_attacks.txt").read_text().split("=== ")[1:]
    )
}
"""Pages that try to reach ADDRESS, by how."""
RAN = """<form id=z onsubmit='event.preventDefault(); ran()'><button id=y></button></form><script>
function ran() {
  localStorage.setItem("color", "rgb(0, 128, 0)");
  eval('document.documentElement.style.background = localStorage.getItem("color")');
}
y.click();
const begun = Date.now();
while (Date.now() - begun < 1500);
</script>"""
"""Paints the page green, then is busy: meanwhile the browser's other processes do what was begun."""


async def painted(browser: str, page: str, folder: Path) -> QImage:
    """The picture of a page that our server hands out."""
    pages, picture = PageServer(), folder / "picture.png"
    try:
        address = await pages.address(page, "this browser is too old")
        if browser == BROWSER:
            command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"]
            command += ["--disable-background-networking", "--disable-component-update", "--virtual-time-budget=4000"]
            command += [f"--user-data-dir={folder / 'profile'}"]
        else:
            (folder / "profile").mkdir()
            command = [browser, "--headless", "--no-remote", "--profile", str(folder / "profile")]
        command += ["--window-size=400,300", f"--screenshot={picture}", address]
        process = await asyncio.create_subprocess_exec(
            *command, env={"HOME": str(folder)}, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
        )
        try:
            await asyncio.wait_for(process.wait(), LOADED_BY_CHROMIUM_S)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    finally:
        await pages.close()
    return QImage(str(picture))


def aimed(attack: str, server: Asked) -> str:
    """The attack at this server."""
    return (
        ATTACKS[attack].replace("ADDRESS", server.address).replace("HOST:PORT", server.address.removeprefix("http://"))
    )


both = pytest.mark.parametrize(
    "browser",
    [
        pytest.param(BROWSER, id="chromium"),
        pytest.param(FIREFOX, id="firefox", marks=pytest.mark.skipif(FIREFOX is None, reason="no Firefox")),
    ],
)


@both
@pytest.mark.parametrize("attack", ATTACKS)
async def test_a_page_that_runs_sends_nothing(browser: str, attack: str, server: Asked, tmp_path: Path) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stun:
        stun.bind(("127.0.0.1", server.server_port))
        page = running_page(Artifact("a", "t", "A page", "html"), aimed(attack, server) + RAN)
        picture = await painted(browser, page, tmp_path)
        assert attack == "ways out" or picture.pixelColor(200, 250).name() == "#008000"
        assert (server.paths, server.connections) == ([], 0)
        stun.setblocking(False)
        with pytest.raises(BlockingIOError):
            stun.recv(1)


@both
@pytest.mark.parametrize("attack", ["hints", "markup", "requests"])
async def test_without_our_page_it_would_be_heard(
    browser: str, attack: str, server: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_app.controller.export_files.PAGE_HEADERS", (("Content-Type", "text/html"),))
    await painted(browser, f"<!doctype html><body>{aimed(attack, server)}{RAN}", tmp_path)
    assert server.connections
