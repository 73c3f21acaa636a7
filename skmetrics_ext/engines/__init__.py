"""Tables in any engine -> counts per group, in one pass where they live; independent of metrics."""
