"""Pictures of the prompt library: its page empty, with many prompts, with long German titles, Chinese; the editor, the
list above the composer, the form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

if TYPE_CHECKING:
    from tests.ui.open_window import OpenWindow

PROMPTS = (
    ("Translate", "Translate the following text into {{language=English}}. Keep names and numbers.\n\n{{text:long}}"),
    ("Summarize", "Summarize in {{length:three sentences|five bullet points|one page}}.\n\n{{text:long}}"),
    ("Review code", "Review this {{language=Python}} code.\n\n```\n{{code:long}}\n```"),
    ("Reply to a message", "Today is {{date}}. I want to say: {{what I want to say}}.\n\n{{clipboard}}"),
    ("Name variables", "Suggest five names for {{thing}}, the best first, each with a reason of at most six words."),
    ("Commit message", "Write a commit message for this change. Imperative, at most 60 characters.\n\n{{clipboard}}"),
    ("Plain words", "Say it again in plain words, without jargon and without examples."),
    ("Proof-read", "List the mistakes only, each with its correction, in the order in which they stand."),
)
LONG = (
    (
        "Geschwindigkeitsbegrenzungsüberschreitungsverfahren und Versicherungsbedingungen verständlich erklären",
        "Erkläre {{Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen=Rechtsschutzversicherungsbedingungen}} "
        "so, dass es jemand versteht, der zum ersten Mal davon hört.\n\n{{Sachverhaltsdarstellung:long}}\n\n"
        "Ton: {{Umgangston:freundlich und zugewandt|sachlich und knapp|förmlich|wie in einem Brief an eine Behörde}}",
    ),
    ("Übergrößenträgerlösung prüfen", "Prüfe die Übergrößenträgerlösung von {{Hersteller}} auf Vollständigkeit."),
    ("Zusammenfassung für die Geschäftsführung", "Höchstens eine Seite, ohne Fachwörter: {{Text:long}}"),
)
CHINESE = (
    ("翻译成英文", "请把下面的文字翻译成{{语言=英文}},人名、数字和格式保持不变,只给出译文。\n\n{{文字:long}}"),
    ("总结会议记录", "请用{{篇幅:三句话|五个要点|一页}}总结下面的会议记录,并列出没有结论的问题。\n\n{{会议记录:long}}"),
    ("润色", "请润色下面的文字,保留我的语气:{{文字:long}}"),
)


async def _with(window: OpenWindow, prompts: tuple[tuple[str, str], ...], width: int = 1180, height: int = 820) -> None:
    window.window.resize(width, height)
    window.window.activateWindow()
    for title, text in prompts:
        await window.services.prompts.add(title, text)
    await window.until(lambda: len(window.presenters.prompts.prompts) >= len(prompts), "the prompts")
    await window.settled()


async def _page(window: OpenWindow, prompts: tuple[tuple[str, str], ...], width: int = 1180, height: int = 820) -> None:
    await _with(window, prompts, width, height)
    window.shortcut("show_prompts")
    await window.settled()


async def prompts_empty(window: OpenWindow) -> None:
    await _page(window, ())


async def prompts_page(window: OpenWindow) -> None:
    await _page(window, PROMPTS)


async def prompts_many(window: OpenWindow) -> None:
    """Some hundred of them, searched."""
    more = tuple((f"{title} {number}", text) for number in range(2, 30) for title, text in PROMPTS)
    await _page(window, (*PROMPTS, *more))
    from desktop_app.ui.prompts.prompt_pages import PromptsPage

    page = window.presenters.pages.page
    assert isinstance(page, PromptsPage)
    page.search.setText("rev")
    page.view.setFocus()


async def prompts_narrow(window: OpenWindow) -> None:
    await _page(window, LONG, 480, 640)


async def prompts_chinese(window: OpenWindow) -> None:
    await _page(window, CHINESE, 900, 640)


async def prompt_editor(window: OpenWindow) -> None:
    await _with(window, PROMPTS)
    window.presenters.pages.show(
        "prompt", next(one.id for one in window.presenters.prompts.prompts if "R" in one.title)
    )
    await window.settled()


async def prompt_offer(window: OpenWindow) -> None:
    await _with(window, PROMPTS)
    window.composer.focus_editor()
    window.type("/")
    window.press(Qt.Key.Key_Down)


async def prompt_offer_found(window: OpenWindow) -> None:
    await _with(window, (*PROMPTS, *LONG), 480, 560)
    window.composer.focus_editor()
    window.type("/re")


async def prompt_form(window: OpenWindow) -> None:
    QGuiApplication.clipboard().setText("Could you send me the figures by Friday?")
    await _with(window, PROMPTS)
    prompts = window.presenters.prompts
    prompts.insert(next(one for one in prompts.prompts if one.title == "Reply to a message"))
    window.type("I will send them on Thursday", prompts.form.focusWidget() if prompts.form is not None else None)


async def prompt_form_long(window: OpenWindow) -> None:
    """As narrow as the window may be: long names, choices in several rows."""
    await _with(window, LONG, 480, 640)
    prompts = window.presenters.prompts
    prompts.insert(next(one for one in prompts.prompts if one.title.startswith("Geschw")))


async def prompt_form_chinese(window: OpenWindow) -> None:
    await _with(window, CHINESE, 900, 640)
    prompts = window.presenters.prompts
    prompts.insert(prompts.prompts[0])


async def palette_prompts(window: OpenWindow) -> None:
    await _with(window, PROMPTS, 1000, 760)
    window.shortcut("command_palette")
    presenter = window.presenters.palette
    await window.until(lambda: presenter.complete, "everything on offer")
    assert presenter.palette is not None
    presenter.palette.field.insert("/re")


PROMPT_SCENES = (
    prompts_empty,
    prompts_page,
    prompts_many,
    prompts_narrow,
    prompts_chinese,
    prompt_editor,
    prompt_offer,
    prompt_offer_found,
    prompt_form,
    prompt_form_long,
    prompt_form_chinese,
    palette_prompts,
)
