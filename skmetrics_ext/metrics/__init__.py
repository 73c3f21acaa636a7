"""The public metric functions, one file a family."""
