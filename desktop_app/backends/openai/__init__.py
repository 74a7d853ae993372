"""Chat completions at any compatible address, through the official SDK; the wire is the local model's too."""
