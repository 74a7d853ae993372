"""Owns the editor of a thread's system prompt. Counts nothing itself."""
