"""The table of variants: what each public entry point gives where the plain path ends.

`samples` has the variants: each is a way to pass samples, and the plain samples that it stands
for, entry by entry. The other files have the rows: how an entry point is called with any variant,
and what another source says of the plain samples. `tests/test_variants.py` compares them.
"""
