"""The context engine: what the model will see, what is left out and why, and what it costs. Pure."""
