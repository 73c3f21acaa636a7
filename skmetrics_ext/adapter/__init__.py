"""What a model says -> labels."""
