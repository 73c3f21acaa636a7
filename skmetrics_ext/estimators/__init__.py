"""Estimators of scikit-learn."""
