"""The full view of an attachment: an image over the window, a document on a page. Attaches nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, assert_never

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QWidget

from desktop_app.core.attachment_facts import attachments_of
from desktop_app.core.messages import (
    AttachedPart,
    DocumentPart,
    ImagePart,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)
from desktop_app.ui.i18n.content_words import name_of
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.transcript.view import TranscriptView

if TYPE_CHECKING:  # made when an image is looked at for the first time
    from desktop_app.ui.attachments.image_viewer import ImageViewer


class AttachmentViewer(QObject):
    """Opens what was clicked in the transcript or among the chips."""

    document_wanted = Signal(object)  # DocumentPart

    def __init__(self, window: QWidget, view: TranscriptView, theme: Theme) -> None:
        super().__init__(window)
        self._window = window
        self._view = view
        self._theme = theme
        self.zoom: ImageViewer | None = None

    def open_of_message(self, message_id: str, number: int) -> None:
        """Shows the part of that number of a message; the arrows lead through all images of the thread."""
        messages = self._view.row_layout.messages
        message = next((message for message in messages if message.id == message_id), None)
        if message is None or not 0 <= number < len(message.parts):
            return
        images = [part for other in messages for part in other.parts if isinstance(part, ImagePart)]
        self._open(message.parts[number], images)

    def show_images(self, images: Sequence[ImagePart], first: ImagePart) -> None:
        """Shows an image as large as there is room."""
        if self.zoom is None:
            from desktop_app.ui.attachments.image_viewer import ImageViewer

            self.zoom = ImageViewer(self._theme, self._window)
        self.zoom.show_images(images, first)

    def leave(self, _fact: object = None) -> None:
        """Something else is looked at."""
        if self.zoom is not None:
            self.zoom.leave()

    def fill_menu(self, message_id: str, _position: QPoint) -> None:
        """The menu of a message is about to open: what is attached to it is opened there with the keyboard, too."""
        menu = self._view.menu
        message = next((message for message in self._view.row_layout.messages if message.id == message_id), None)
        if menu is None or message is None or not attachments_of(message.parts):
            return
        menu.more.addSeparator()
        for number, part in enumerate(message.parts):
            if isinstance(part, AttachedPart):
                words = self.tr("Open {name}").format(name=name_of(part).replace("&", "&&"))
                menu.add_more(words, partial(self.open_of_message, message_id, number))

    def _open(self, part: Part, images: Sequence[ImagePart]) -> None:
        match part:
            case ImagePart():
                self.show_images(images, part)
            case DocumentPart():
                self.document_wanted.emit(part)
            case TextPart() | ThinkingPart() | ToolCallPart() | ToolResultPart() | UnknownPart():
                pass
            case _:
                assert_never(part)
