from __future__ import annotations

import asyncio
from html import unescape
from pathlib import Path

import pytest

from desktop_app.controller.export_files import (
    MOST_PAGES,
    PageServer,
    blocked_page,
    running_page,
    wanted_hosts,
    write_export,
)
from desktop_app.core.artifacts import Artifact


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "out" / "export.json"
    write_export(path, ["one ", "ü"])
    assert path.read_bytes() == "one ü".encode()

    def breaks() -> object:
        yield "two"
        raise RuntimeError("the pieces end early")

    with pytest.raises(RuntimeError):
        write_export(path, breaks())  # type: ignore[arg-type]
    assert path.read_bytes() == "one ü".encode()
    assert [file.name for file in path.parent.iterdir()] == ["export.json"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target.md", tmp_path / "link.md"
    target.write_text("old")
    link.symlink_to(target)
    write_export(link, ["new"])
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_beside_what_is_there_nothing_is_replaced_and_the_same_is_not_written_twice(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.md"
    (tmp_path / "a.md").write_text("the user's")
    (tmp_path / "a 2.md").mkdir()
    (tmp_path / "a 3.md").symlink_to(elsewhere)
    for _ in range(2):
        assert write_export(tmp_path / "a.md", ["new"], beside=True) == tmp_path / "a 4.md"
    assert (tmp_path / "a.md").read_text() == "the user's"
    assert (tmp_path / "a 4.md").read_text() == "new"
    assert not elsewhere.exists()
    assert len(list(tmp_path.iterdir())) == 4


def inner_of(page: str) -> str:
    """The document in the frame."""
    return unescape(page.partition('srcdoc="')[2].partition('"')[0])


def test_a_running_page_is_in_a_frame_that_reaches_nothing() -> None:
    page = running_page(
        Artifact("a", "t", 'A "<b>" page', "html"), '<p class="x">Hello</p><script>let a = 1 < 2</script>'
    )
    outer, inner = page.partition("<body>")[0], inner_of(page)
    for policy in (outer, inner):
        for rule in ("default-src 'none'", "connect-src 'none'", "form-action 'none'", "worker-src 'none'",
                     "frame-src about:", "base-uri 'none'", "require-trusted-types-for 'script'"):  # fmt: skip
            assert rule in policy
    assert "<script>" not in outer
    assert page.count("<iframe") == 1
    assert '<iframe sandbox="allow-scripts allow-forms" title="A &quot;&lt;b&gt;&quot; page"' in page
    assert inner.endswith('</script><p class="x">Hello</p><script>let a = 1 < 2</script>')
    # nothing of the page comes before what keeps it from the network
    assert inner.index("trustedTypes") < inner.index("<p class")


@pytest.mark.parametrize(
    "tag", ["<link rel=preconnect>", "<LiNk\nrel=x>", "<link/rel=x>", "<iframe srcdoc=x>", "<meta a>"]
)
def test_no_element_that_hints_or_frames_is_in_it(tag: str) -> None:
    inner = inner_of(running_page(Artifact("a", "t", "A", "html"), f"<i>{tag}</i>"))
    made = inner.rpartition("<i>")[2].casefold()
    assert not any(name in made for name in ("<link", "<meta", "<iframe"))


def test_a_drawing_runs_as_a_page() -> None:
    inner = inner_of(running_page(Artifact("a", "t", "A", "svg"), '<?xml version="1.0"?><svg><script>1</script></svg>'))
    assert "<?xml" not in inner
    assert inner.endswith("<svg><script>1</script></svg>")


def test_the_hosts_are_named_that_a_page_asks_but_no_link_to_click() -> None:
    page = """<html xmlns="http://www.w3.org/1999/xhtml"><script src="https://cdn.example.com/a.js"></script>
        <link rel=stylesheet href=//fonts.example.org/css><a href="https://clicked.example.com">x</a>
        <img src=data:image/png;base64,AA srcset="a.png, http://img.example.com/2 2x">
        <style>@import 'https://css.example.com/x'; p { background: url(https://bg.example.com/y) }</style>
        <p style="background:url('//inline.example.com/z')">see https://told.example.com</p>
        <script>fetch("https://api.example.com/v1"); import x from 'https://esm.example.com/x';
        let there = "https://said.example.com"; document.createElementNS("http://www.w3.org/2000/svg", "g")</script>"""
    assert wanted_hosts(page) == tuple(
        f"{name}.example.{'org' if name == 'fonts' else 'com'}"
        for name in ("cdn", "fonts", "img", "css", "bg", "inline", "api", "esm")
    )
    assert wanted_hosts("<p>Nothing</p>") == ()


async def asked(address: str, *lines: str, method: str = "GET") -> str:
    host, _, path = address.removeprefix("http://").partition("/")
    reader, writer = await asyncio.open_connection(host.partition(":")[0], int(host.partition(":")[2]))
    lines = lines if any(line.startswith("Host:") for line in lines) else (f"Host: {host}", *lines)
    writer.write("\r\n".join([f"{method} /{path} HTTP/1.1", *lines, "", ""]).encode())
    answer = (await reader.read()).decode()
    writer.close()
    return answer


async def test_a_page_that_no_browser_asks_for_is_known() -> None:
    server = PageServer()
    try:
        first, second = await server.address("one"), await server.address("two")
        await asked(first)
        assert await server.asked_for(first)
        assert not await server.asked_for(second, within_s=0)
    finally:
        await server.close()


async def test_a_page_is_handed_out_once_and_again_to_who_has_it() -> None:
    server = PageServer()
    try:
        page = blocked_page("Ü", "<p>Hello</p>")
        first, second = await server.address(page), await server.address("two")
        assert first.startswith("http://127.0.0.1:")
        assert len(first.split("/")[3]) >= 43
        host = first.split("/")[2]
        for nothing in (first[:-2], first.rpartition("/")[0], f"http://{host}/", f"http://{host}/favicon.ico"):
            assert (await asked(nothing)).startswith("HTTP/1.1 404 ")
        # a name of somebody else's that leads to this computer
        assert (await asked(first, f"Host: evil.example:{host.partition(':')[2]}")).startswith("HTTP/1.1 404 ")
        assert (await asked(first, method="POST")).startswith("HTTP/1.1 404 ")
        head, _, body = (await asked(first)).partition("\r\n\r\n")
        assert body == page
        assert "Content-Security-Policy: default-src 'none';" in head
        assert "Connection-Allowlist: ()" in head
        assert "Cache-Control: no-store" in head
        cookie = head.partition("Set-Cookie: ")[2].partition(";")[0]
        for stranger in ((), ("Cookie: page=",), ("Cookie: page=x",)):
            assert (await asked(first, *stranger)).startswith("HTTP/1.1 404 ")
        assert (await asked(first, f"Cookie: other=1; {cookie}")).endswith(page)
        assert (await asked(second)).endswith("\r\n\r\ntwo")
        for number in range(MOST_PAGES):
            await server.address(str(number))
        assert (await asked(first, f"Cookie: {cookie}")).startswith("HTTP/1.1 404 ")
    finally:
        await server.close()
    with pytest.raises(OSError, match="Connect"):
        await asked(first)


@pytest.mark.parametrize(
    ("agent", "runs"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/152.0.0.0 Safari/537.36", True),
        (
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/151.0.0.0 Safari/537.36",
            False,
        ),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0", True),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", False),
        ("Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15", False),
        ("", False),
    ],
)
async def test_scripts_are_given_to_browsers_that_keep_them_from_the_network(agent: str, runs: bool) -> None:
    server = PageServer()
    try:
        address = await server.address("scripts", "none")
        assert (await asked(address, f"User-Agent: {agent}")).endswith("\r\nscripts" if runs else "\r\nnone")
        if not runs:  # the address can be opened in another one
            assert (await asked(address, "User-Agent: Firefox/153.0")).endswith("\r\nscripts")
    finally:
        await server.close()
