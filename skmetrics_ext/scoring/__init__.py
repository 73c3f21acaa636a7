"""Scorers, and scikit-learn's cross-validation of matrices."""
