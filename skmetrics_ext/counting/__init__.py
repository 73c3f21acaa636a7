"""Codes or sorted scores -> count arrays; independent of metrics and models."""
