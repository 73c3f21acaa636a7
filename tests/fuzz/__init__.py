"""A differential fuzzer: random inputs, and every value against exact arithmetic or brute force."""
