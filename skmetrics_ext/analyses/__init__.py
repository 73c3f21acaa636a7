"""Questions about samples -> intervals, comparisons and sample sizes; the methods are those of statistics."""
