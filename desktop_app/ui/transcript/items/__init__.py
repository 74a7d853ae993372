"""The items that are drawn in a row: text, code, tables, attachments, and the lines between them."""
