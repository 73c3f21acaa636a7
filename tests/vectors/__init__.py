"""Test vectors: tables of counts with the exact value of every metric, and how libraries do."""
