"""Uncertainty, by question: limits of values, gaps of groups, pairs of models, areas, promises.

A room is a question, a file in it a method, under its standard name. `methods` says which method
applies when, `variation` what a design gives a method, and `estimate` is the one path of all.
"""
