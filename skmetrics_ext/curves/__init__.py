"""Counts at every threshold: ThresholdCurve and ThresholdCurves."""
