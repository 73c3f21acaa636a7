"""Scores in a dict that can't be computed: NaN, with one warning of the causes."""

from collections.abc import Iterable

import numpy as np

from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.order import show


def with_nan(keys: Iterable[str], scores: dict[str, float], failures: dict[str, Exception]) -> dict[str, float]:
    """All keys with their scores: NaN for those that failed, with one warning of the causes.

    scikit-learn can't merge the folds of a search if a scorer that gives a dict raises in one.
    """
    if failures:
        by_cause: dict[str, list[str]] = {}
        for key, error in failures.items():
            by_cause.setdefault(f"{type(error).__name__}: {error}", []).append(key)
        causes = [f"{show(np.array(failed), 5)} ({cause})" for cause, failed in by_cause.items()]
        warn(f"set to NaN: {'; '.join(causes)}")
    return {key: scores.get(key, np.nan) for key in keys}
