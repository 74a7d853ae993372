"""The reader's actions on the text: scroll, select, copy, use the keyboard or a screen reader."""
