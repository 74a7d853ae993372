"""The rules by which key sequences are read, written and compared, and which must stay out. Uses no action."""

from __future__ import annotations

from typing import Final, cast

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

from desktop_app.ui.i18n.language import tr

Key = Qt.Key
Standard = QKeySequence.StandardKey

EDITING: Final = (
    Standard.Copy,
    Standard.Cut,
    Standard.Paste,
    Standard.Undo,
    Standard.Redo,
    Standard.SelectAll,
    Standard.Delete,
    Standard.Backspace,
    Standard.DeleteStartOfWord,
    Standard.DeleteEndOfWord,
    Standard.MoveToNextWord,
    Standard.MoveToPreviousWord,
    Standard.MoveToStartOfLine,
    Standard.MoveToEndOfLine,
    Standard.MoveToStartOfDocument,
    Standard.MoveToEndOfDocument,
    Standard.SelectNextWord,
    Standard.SelectPreviousWord,
    Standard.SelectStartOfLine,
    Standard.SelectEndOfLine,
    Standard.SelectStartOfDocument,
    Standard.SelectEndOfDocument,
)
"""The keys that text fields use themselves: as shortcuts these would never be heard while somebody writes."""
LEADING: Final = frozenset({Key.Key_Return, Key.Key_Enter, Key.Key_Tab, Key.Key_Backtab, Key.Key_Escape})
"""Keys that lead through every window, also with Ctrl, Alt or Shift."""
MODIFIERS: Final = frozenset(
    {
        *(Key.Key_Shift, Key.Key_Control, Key.Key_Alt, Key.Key_AltGr, Key.Key_Meta, Key.Key_Super_L, Key.Key_Super_R),
        *(Key.Key_Hyper_L, Key.Key_Hyper_R, Key.Key_CapsLock, Key.Key_NumLock, Key.Key_ScrollLock, Key.Key_unknown),
    }
)
"""Keys that are nothing alone."""
_LABELLED = (range(Key.Key_Help.value, 0x01001000), range(Key.Key_Select.value, Key.Key_unknown.value))
_HELD = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


def read(text: str) -> QKeySequence | None:
    """Keys as settings.toml has them, such as "Ctrl+Shift+K"; None where they are none."""
    made = QKeySequence(text, QKeySequence.SequenceFormat.PortableText)
    known = made.count() > 0 and all(_stroke(made, place).key() != Key.Key_unknown for place in range(made.count()))
    return made if known else None


def written(keys: QKeySequence) -> str:
    """Keys as settings.toml has them, the same on every platform."""
    return keys.toString(QKeySequence.SequenceFormat.PortableText)


def shown(keys: QKeySequence) -> str:
    """Keys as the platform names them."""
    return keys.toString(QKeySequence.SequenceFormat.NativeText)


def pressed(key: int, modifiers: Qt.KeyboardModifier, text: str = "") -> QKeySequence | None:
    """Return the pressed keys, `text` being what they would write; None while only Shift and its like are down."""
    if key == 0 or Key(key) in MODIFIERS:
        return None
    kept = modifiers & (_HELD | Qt.KeyboardModifier.ShiftModifier)
    code = Key.Key_Tab if Key(key) == Key.Key_Backtab else Key(key)
    if text.isprintable() and text[:1] and not (text[0].isalnum() or text[0].isspace()):
        # a sign such as "?" tells of Shift itself, and Qt compares with the sign
        kept &= ~Qt.KeyboardModifier.ShiftModifier
    return QKeySequence(QKeyCombination(kept, code))


def is_labelled(keys: QKeySequence) -> bool:
    """A key that some keyboards have for just one thing, such as Help, New or Close."""
    stroke = _stroke(keys, 0) if keys.count() == 1 else None
    if stroke is None or stroke.keyboardModifiers() != Qt.KeyboardModifier.NoModifier:
        return False
    return any(stroke.key().value in codes for codes in _LABELLED)


def meet(one: QKeySequence, other: QKeySequence) -> bool:
    """Return True if pressing one could mean the other: they are the same, or one begins like the other."""
    no = QKeySequence.SequenceMatch.NoMatch
    return one.matches(other) != no or other.matches(one) != no


def refusal(keys: QKeySequence) -> str:
    """Why these can't be the keys of an action; empty where they can."""
    name = shown(keys)
    for place in range(keys.count()):
        stroke = _stroke(keys, place)
        key, held = stroke.key(), bool(stroke.keyboardModifiers() & _HELD)
        if key in LEADING:
            return tr("{keys} can't be used: Enter, Tab and Esc are needed in every window.").format(keys=name)
        if not held and not _is_own(key):
            return tr(
                "{keys} can't be used: it is needed for typing. Hold Ctrl or Alt with it, or use F1 to F12."
            ).format(keys=name)
        if any(QKeySequence(stroke) in QKeySequence.keyBindings(standard) for standard in EDITING):
            return tr("{keys} can't be used: text fields need it.").format(keys=name)
    return ""


def _is_own(key: Qt.Key) -> bool:
    """A key that writes nothing, moves nothing and is for nothing else: F1 to F35."""
    return Key.Key_F1.value <= key.value <= Key.Key_F35.value


def _stroke(keys: QKeySequence, place: int) -> QKeyCombination:
    # PySide's stubs do not know the operator
    return cast("QKeyCombination", keys[place])  # type: ignore[index]
