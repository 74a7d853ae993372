"""The connections page: every way to a model with its state and its key. Never imports a controller."""
