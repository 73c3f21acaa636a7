"""Uncertainty, a folder a question (values, gaps of groups, pairs of models, areas, promises), a
file a method, under its standard name; `skmetrics_ext/statistics/methods.py` says which applies.
"""
