"""What a reader does with the text: scroll, select, copy, use the keyboard or a screen reader."""
