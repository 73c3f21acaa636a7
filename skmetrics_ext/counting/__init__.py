"""Codes or sorted scores -> counts with axes; knows no metric and no model."""
