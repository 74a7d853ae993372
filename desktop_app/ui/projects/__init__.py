"""The page of a project: instructions, documents, followed folders, threads."""
