"""The use cases. Async, no Qt; owns every task; gets storage, backends and credentials by constructor."""
