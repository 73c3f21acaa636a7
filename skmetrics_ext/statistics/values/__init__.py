"""Limits of one value, a file a method."""
