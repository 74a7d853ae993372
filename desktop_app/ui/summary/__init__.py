"""The editor of one conversation summary. Writes no summary itself."""
