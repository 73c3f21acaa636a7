"""Uncertainty: one file per statistical method, under its standard name."""
