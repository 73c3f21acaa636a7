"""Test vectors: many tables of counts with the exact value of every metric, and how libraries
compare with them.
"""
