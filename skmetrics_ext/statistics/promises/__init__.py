"""What is promised of new data: thresholds, verdicts, and the samples that they need."""
