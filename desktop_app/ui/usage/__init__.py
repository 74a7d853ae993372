"""The pane that tells what was used and paid. Makes no figures of its own beyond sums of the ledger."""
