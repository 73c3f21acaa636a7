"""Scorers, and cross-validated matrices via scikit-learn."""
