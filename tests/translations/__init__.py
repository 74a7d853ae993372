"""The texts that the window shows, and their translations: what there is, what is missing, what is wrong."""
