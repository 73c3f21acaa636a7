"""Model output -> labels."""
