"""The pages that tell of the app itself."""
