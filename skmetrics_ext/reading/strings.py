"""Fixed-width strings -> codes, by hashing their bytes as words; every code is verified."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

# Rows hashed at a time, whose words stay in the cache.
HASHED_AT_ONCE = 1 << 13
TABLE_BITS = 20
WORD = np.dtype(np.uint64)
GOLDEN_RATIO = 0x9E3779B97F4A7C15  # 2**64 / 1.618..., the multiplier of Fibonacci hashing


def codes_of_fixed_width(values: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[Any]] | None:
    """Codes and their labels, in order of appearance; None if two labels share a slot.

    Sorting, or a Python string per row, would be slow. The words of a row select a slot of a table,
    which holds the code. It counts only if the row equals its label, word for word.
    """
    padded = _padded_to_words(values.dtype)
    n_words = padded.itemsize // WORD.itemsize
    # An odd number per word: powers of one whose bits look random, modulo 2**64.
    multipliers = np.power(np.uint64(GOLDEN_RATIO), np.arange(1, n_words + 1, dtype=WORD))
    table = np.zeros(1 << TABLE_BITS, dtype=np.int32)
    codes = np.empty(len(values), dtype=np.intp)
    labels = values[:1].astype(padded)
    label_words = labels.view(WORD).reshape(-1, n_words)

    for start in range(0, len(values), HASHED_AT_ONCE):
        block = np.ascontiguousarray(values[start : start + HASHED_AT_ONCE], dtype=padded)
        words = block.view(WORD).reshape(-1, n_words)
        slots = _slots(words, multipliers)
        candidates = table[slots]
        known = label_words[candidates] == words
        if not known.all():
            labels = np.concatenate([labels, np.unique(block[~known.all(axis=1)])])
            label_words = labels.view(WORD).reshape(-1, n_words)
            label_slots = _slots(label_words, multipliers)
            if len(np.unique(label_slots)) < len(labels):
                return None
            table[label_slots] = np.arange(len(labels))
            candidates = table[slots]
        codes[start : start + HASHED_AT_ONCE] = candidates
    return codes, labels.astype(values.dtype)


def _padded_to_words(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The narrowest type for `dtype` of whole words; shorter rows end in zeros."""
    n_bytes = -(-max(dtype.itemsize, 1) // WORD.itemsize) * WORD.itemsize
    unit = np.dtype(f"{dtype.kind}1").itemsize
    return np.dtype(f"{dtype.kind}{n_bytes // unit}")


def _slots(words: NDArray[np.uint64], multipliers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Multiply-shift hashing: the high bits of a dot product modulo 2**64."""
    return (words @ multipliers) >> WORD.type(64 - TABLE_BITS)
