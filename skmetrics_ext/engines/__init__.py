"""Tables in any engine -> counts per group, in one pass where the data live; independent of
metrics.
"""
