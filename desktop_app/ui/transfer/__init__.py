"""The pages that bring threads in and write them out."""
