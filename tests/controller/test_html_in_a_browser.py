"""A real browser opens an exported page and asks for nothing, whatever its texts hold."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from desktop_app.controller.export_files import blocked_page
from desktop_app.controller.formats.html_export import POLICY
from desktop_app.core.messages import TextPart, ThinkingPart
from tests.builders.exported_threads import HOSTILE, everything, hostile, talk
from tests.controller.test_html_export import page_of

BROWSER = shutil.which("chromium")
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
