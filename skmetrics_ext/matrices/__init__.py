"""ConfusionMatrix, the object that a user holds."""
