"""Test vectors of intervals and tests, computed without this package, and how libraries agree."""
