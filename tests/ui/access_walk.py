"""Owns how the tree that screen readers see is walked, and what is a fault there. Knows no page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication, QWidget

Role = QAccessible.Role

CONTROLS = {
    Role.Button,
    Role.ButtonDropDown,
    Role.ButtonMenu,
    Role.CheckBox,
    Role.Chart,
    Role.ComboBox,
    Role.Dial,
    Role.EditableText,
    Role.HotkeyField,
    Role.Link,
    Role.List,
    Role.ListItem,
    Role.MenuItem,
    Role.PageTab,
    Role.PageTabList,
    Role.PopupMenu,
    Role.ProgressBar,
    Role.RadioButton,
    Role.Slider,
    Role.SpinBox,
    Role.Table,
    Role.Tree,
    Role.TreeItem,
}
"""What is used, or gone through: it needs a name."""
GROUPS = {Role.Grouping, Role.Dialog}
DEEPEST = 40
ROWS = 30
"""More rows of a list are like those before them."""


def things(root: QAccessibleInterface, depth: int = 0) -> Iterator[tuple[QAccessibleInterface, int]]:
    """What a screen reader can come to beneath `root`, itself included, with its depth; hidden things have none."""
    if root.state().invisible or depth > DEEPEST:
        return
    yield root, depth
    for place in range(min(root.childCount(), ROWS if root.role() in {Role.List, Role.Table, Role.Tree} else 10_000)):
        if (child := root.child(place)) is not None and child.isValid():
            yield from things(child, depth + 1)


def faults(root: QWidget) -> list[str]:
    """What a reader could not make sense of, in words."""
    interface = QAccessible.queryAccessibleInterface(root)
    assert interface is not None
    found = []
    for thing, _ in things(interface):
        children = [thing.child(place) for place in range(min(thing.childCount(), ROWS))]
        unnamed = Counter(
            child.role()
            for child in children
            if child is not None
            and child.isValid()
            and child.role() in GROUPS
            and not child.state().invisible
            and not child.text(QAccessible.Text.Name)
        )
        found += [f"{count} unnamed {kind.name} in {_told(thing)}" for kind, count in unnamed.items() if count > 1]
        name, role = thing.text(QAccessible.Text.Name), thing.role()
        if _belongs_to_qt(thing) or role == Role.Cell:
            continue  # an empty cell is read as empty
        if role == Role.NoRole:
            found.append(f"no role: {_told(thing)}")
        if (role in CONTROLS or thing.state().focusable) and not name.strip() and not _is_text_of_a_control(thing):
            found.append(f"no name: {_told(thing)}")
        elif name.strip() and not any(sign.isalnum() for sign in name) and not _is_shown_text(thing):
            found.append(f"a name of signs only, {name!r}: {_told(thing)}")
    return found


def all_faults() -> list[str]:
    """The faults of every window that is open, menus and popovers included."""
    return [fault for window in QApplication.topLevelWidgets() if window.isVisible() for fault in faults(window)]


def _belongs_to_qt(thing: QAccessibleInterface) -> bool:
    """Parts of Qt's own controls: scroll bars, the frame of an area, the handle of a splitter."""
    if thing.role() in {
        Role.ScrollBar,
        Role.Grip,
        Role.Separator,
        Role.Client,
        Role.Splitter,
        Role.Pane,
        Role.Whitespace,
    }:
        # a client that the keyboard can come to is ours
        return not (thing.role() == Role.Client and thing.state().focusable)
    return isinstance(widget := thing.object(), QWidget) and widget.objectName().startswith("qt_")


def _is_shown_text(thing: QAccessibleInterface) -> bool:
    """What a label says is what is seen; a cell of a table may be a dash."""
    return thing.role() in {Role.StaticText, Role.Cell, Role.ColumnHeader} and not thing.state().focusable


def _is_text_of_a_control(thing: QAccessibleInterface) -> bool:
    """The field in a number's or a choice's control is read with its control."""
    parent = thing.parent()
    return (
        parent is not None
        and parent.role() in {Role.SpinBox, Role.ComboBox}
        and bool(parent.text(QAccessible.Text.Name))
    )


def _told(thing: QAccessibleInterface) -> str:
    widget = thing.object()
    kind = type(widget).__name__ if widget is not None else type(thing).__name__
    way: list[str] = []
    above = thing.parent()
    while above is not None and len(way) < 3:
        way.append(above.text(QAccessible.Text.Name) or above.role().name)
        above = above.parent()
    return f"{kind} ({thing.role().name}) in {' < '.join(way)}"
