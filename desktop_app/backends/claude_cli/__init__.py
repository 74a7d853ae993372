"""The `claude` program as a backend: found, started, spoken to and ended here."""
