"""The only place that reads and writes keys: the environment and the system's keyring. Nothing else may store one."""
