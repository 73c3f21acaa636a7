"""Samples -> intervals, comparisons and sample sizes, using the methods in `statistics`."""
