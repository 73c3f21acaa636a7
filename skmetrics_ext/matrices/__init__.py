"""ConfusionMatrix, the main user-facing object."""
