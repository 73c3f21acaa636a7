"""Counts -> (numerator, denominator) or a value; pure, one short function per metric."""
