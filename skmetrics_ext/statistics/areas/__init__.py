"""Limits of areas under curves, of points on them, and of differences of areas."""
