"""What stands beside the text of ChatGPT's exports: files, recordings, canvas, custom instructions, projects."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from desktop_app.controller.formats import chatgpt_export
from desktop_app.controller.ports import Announcements
from desktop_app.controller.transfer import Transfer
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import DocumentPart, ImagePart, Json, TextPart, ToolCallPart, ToolResultPart, UnknownPart
from tests.builders.chatgpt_export import conversation, node, said
from tests.builders.export_source import ReadExport, read_all, source_of
from tests.controller.world import WatchedHistory

PNG = b"\x89PNG\r\n\x1a\n picture"


def talk(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A conversation whose messages follow each other."""
    names = [f"n{index}" for index in range(len(messages))]
    nodes = [
        node(name, names[index - 1] if index else None, message)
        for index, (name, message) in enumerate(zip(names, messages, strict=True))
    ]
    return conversation(*nodes, current=names[-1], **more)


def read(data: Json, files: Mapping[str, bytes] | None = None) -> ReadExport:
    return read_all(chatgpt_export.IMPORTER, source_of({"conversations.json": [data], **(files or {})}))


def only(data: Json, files: Mapping[str, bytes] | None = None) -> ImportedThread:
    (thread,) = read(data, files).threads
    return thread


def shown(*pieces: Any) -> dict[str, Any]:
    return {"content_type": "multimodal_text", "parts": list(pieces)}


def pointer(address: str) -> dict[str, Any]:
    return {"content_type": "image_asset_pointer", "asset_pointer": address, "width": 3, "height": 2}


@pytest.mark.parametrize(
    ("address", "member"),
    [
        ("file-service://file-Ab1", "file-Ab1-sea.png"),
        ("sediment://file_00aa", "c1/user-x/file_00aa-part.dat"),
        ("sediment://file_00aa#page=1", "dalle-generations/file_00aa.webp"),
    ],
)
def test_a_picture_is_found_by_the_beginning_of_its_name(address: str, member: str) -> None:
    (message,) = only(talk(said("user", shown(pointer(address), "What is it?"))), {member: PNG}).messages
    image, text = message.parts
    assert isinstance(image, ImagePart)
    assert (image.media_type, image.width, image.height) == ("image/png", 3, 2)
    assert text == TextPart("What is it?")


def test_attachments_are_pictures_documents_or_named() -> None:
    attached = [
        {"id": "file-1", "name": "sea.png", "mime_type": "image/png"},
        {"id": "file-2", "name": "log.txt", "mimeType": "text/plain"},
        {"id": "file-3", "name": "chart.pdf", "mime_type": "application/pdf"},
        {"id": "file-4", "name": "gone.txt", "mime_type": "text/plain"},
    ]
    files = {"file-1-sea.png": PNG, "file-2-log.txt": "Lånd".encode(), "file-3-chart.pdf": b"%PDF"}
    asked = said("user", shown(pointer("file-service://file-1"), "Look"), metadata={"attachments": attached})
    export = read(talk(asked), files)
    log, chart, gone, image, text = export.threads[0].messages[0].parts
    assert isinstance(log, DocumentPart)
    assert (log.name, log.text) == ("log.txt", "Lånd")
    assert isinstance(chart, UnknownPart)
    assert isinstance(gone, UnknownPart)
    assert isinstance(image, ImagePart)  # once, though it is attached and shown
    assert image.name == "sea.png"
    assert text == TextPart("Look")
    assert [(one.what, one.why) for one in export.skipped] == [("1 file", "not in the export")]


def test_big_files_are_named_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chatgpt_export, "MOST_OF_CONVERSATION", len(PNG) + 1)
    pieces = shown(pointer("file-service://file-1"), pointer("file-service://file-2"))
    export = read(talk(said("user", pieces)), {"file-1.png": PNG, "file-2.png": PNG})
    assert [type(part) for part in export.threads[0].messages[0].parts] == [ImagePart, UnknownPart]
    assert [one.what for one in export.skipped] == ["1 file"]


def test_a_recording_is_its_words() -> None:
    recording = {"content_type": "real_time_user_audio_video_asset_pointer", "audio_asset_pointer": {}}
    words = {"content_type": "audio_transcription", "text": "Where to?", "direction": "in"}
    export = read(talk(said("user", shown(words, recording))))
    assert export.threads[0].messages[0].parts == (TextPart("Where to?"),)
    assert [one.what for one in export.skipped] == ["1 recording"]


def test_what_a_program_drew_and_a_generated_picture_stand_behind_their_calls() -> None:
    drawn = {"aggregate_result": {"messages": [{"message_type": "image", "image_url": "file-service://file-1"}]}}
    data = talk(
        said("user", "Draw"),
        said("assistant", {"content_type": "code", "language": "python", "text": "plot()"}, recipient="python", id="p"),
        said("tool", {"content_type": "execution_output", "text": "done"}, name="python", metadata=drawn),
        said("assistant", '{"prompt": "a sea"}', recipient="dalle.text2im", id="d"),
        said("tool", shown(pointer("sediment://file-2")), name="dalle.text2im"),
    )
    _, answer = only(data, {"file-1-plot.png": PNG, "file-2.dat": PNG}).messages
    kinds = [type(part) for part in answer.parts]
    assert kinds == [ToolCallPart, ToolResultPart, ImagePart, ToolCallPart, ToolResultPart, ImagePart]
    assert answer.parts[1] == ToolResultPart("p", "done")


def test_custom_instructions_are_the_system_prompt() -> None:
    context = {"content_type": "user_editable_context", "user_profile": "I sail.", "user_instructions": "Be brief."}
    hidden = {"is_visually_hidden_from_conversation": True}
    for metadata in (hidden, hidden | {"user_context_message_data": {"about_user_message": "I sail."}}):
        export = read(talk(said("user", context, metadata=metadata), said("user", "Hello")))
        assert export.threads[0].thread.system == "I sail.\n\nBe brief."
        assert export.skipped == ()


def test_conversations_of_one_project_stay_together() -> None:
    first = talk(said("user", "Hello"), gizmo_id="g-p-6789abcdef", gizmo_type="snorlax")
    assert only(first).thread.project == "ChatGPT project 6789ab"
    assert only(talk(said("user", "Hello"), gizmo_id="g-abc", gizmo_type="gpt")).thread.project is None


def test_the_documents_of_the_canvas_are_artifacts() -> None:
    def called(tool: str, given: Any, name: str) -> dict[str, Any]:
        return said("assistant", json.dumps(given), recipient=f"canmore.{tool}_textdoc", id=name)

    def update(pattern: str, new: str, **more: Any) -> dict[str, Any]:
        return {"updates": [{"pattern": pattern, "replacement": new, **more}]}

    data = talk(
        said("user", "Write"),
        called("create", {"name": "Poem", "type": "document", "content": "The sea (grey)."}, "1"),
        said("tool", "Successfully created", name="canmore.create_textdoc"),
        said("user", "Blue"),
        called("update", update(r"\(grey\)", "(blue)"), "2"),
        said("user", "Something clever"),
        called("update", update(r"[a-z]+", "x", multiple=True), "3"),
        said("user", "Whole"),
        called("update", update(".*", "Waves."), "4"),
    )
    imported = only(data)
    (one,) = imported.artifacts
    assert (one.artifact.title, one.artifact.kind) == ("Poem", "markdown")
    assert [version.text for version in one.versions] == ["The sea (grey).", "The sea (blue).", "Waves."]
    calls = [part.name for message in imported.messages for part in message.parts if isinstance(part, ToolCallPart)]
    assert calls == ["create_artifact", "update_artifact", "canmore.update_textdoc", "update_artifact"]


async def test_shards_in_an_archive_within_an_archive(history: WatchedHistory, tmp_path: Path) -> None:
    def packed(**members: bytes) -> bytes:
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            for name, content in members.items():
                archive.writestr(name.replace("__", "/").replace("_", "."), content)
        return file.getvalue()

    first, second = (talk(said("user", shown(pointer("sediment://file-1")))), talk(said("user", "Two")))
    shards = {
        "deep__conversations-000_json": json.dumps([first]).encode(),
        "deep__conversations-001_json": json.dumps([second | {"conversation_id": "c2"}]).encode(),
        "deep__file-1-sea_png": PNG,
    }
    path = tmp_path / "export.zip"
    path.write_bytes(packed(inner_zip=packed(**shards)))
    report = await Transfer(history, Announcements()).import_files([path])
    assert (report.threads, report.messages) == (2, 2)
    threads = await history.threads()
    parts = [part for one in threads for message in await history.messages(one.thread.id) for part in message.parts]
    assert sorted(type(part).__name__ for part in parts) == ["ImagePart", "TextPart"]
