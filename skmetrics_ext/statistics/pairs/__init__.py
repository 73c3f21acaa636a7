"""Limits and tests of the difference of two models on the same samples."""
