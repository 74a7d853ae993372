"""The only place with vendor SDKs and subprocesses. Each backend turns a plan into stream events and nothing else."""
