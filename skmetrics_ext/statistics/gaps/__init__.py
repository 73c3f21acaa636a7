"""Limits of gaps between groups of different samples, and tests of equality."""
