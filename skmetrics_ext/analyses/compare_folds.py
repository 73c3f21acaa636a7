"""compare_folds: scores of two models on the same folds."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skmetrics_ext.reading.arguments import check_confidence_level, check_in_range
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.numbers import read_numbers
from skmetrics_ext.statistics.caveats import Caveat, told
from skmetrics_ext.statistics.constants import FEW_OF_FOLDS
from skmetrics_ext.statistics.pairs.folds import FoldComparison, compared


@explained
def compare_folds(
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    *,
    n_train: float,
    n_test: float,
    rope: float | None = None,
    confidence_level: float = 0.95,
) -> FoldComparison:
    """Compare two models' scores over the same folds by a t test corrected for overlapping training
    sets.

    It is about learning algorithms, trained on other data of this size. For fitted models, use
    `compare`; for learners' models fitted to all samples, `compare_estimators`.

    Parameters
    ----------
    scores_a, scores_b : array-like of shape (n_scores,)
        Scores of both models, in the same fold order, from `cross_val_score` with the same splitter
        and random_state, including repeated folds or random splits.
    n_train, n_test : float
        Number of training and of test samples per fold; the means if fold sizes differ.
    rope : float, default=None
        Region of practical equivalence (ROPE): a difference too small to matter, above 0, for
        `probabilities` that a is worse by more than that, equivalent, or better by more.
    confidence_level : float, default=0.95
        At least 0.5 and below 1.

    Returns
    -------
    FoldComparison
        `difference`, `low`, `high`, `p_value`, and with a ROPE `probabilities`.

    Raises
    ------
    ValueError
        If the scores do not fit, all differences are equal, or an option is out of range.

    Warns
    -----
    UserWarning
        If small folds are repeated, or have more samples for the test than for training.

    Notes
    -----
    The statistic is mean(a - b) / sqrt((1 / k + n_test / n_train) s^2), with k scores, their
    variance s^2 and k - 1 degrees of freedom; the probabilities are those of the correlated
    Bayesian t test with a flat prior.

    References
    ----------
    Nadeau & Bengio (2003), Machine Learning 52:239; Bouckaert & Frank (2004), PAKDD; Benavoli et
    al. (2017), JMLR 18:1.

    Examples
    --------
    >>> from skmetrics_ext import compare_folds
    >>> a, b = [0.91, 0.94, 0.89, 0.93, 0.92], [0.88, 0.92, 0.90, 0.89, 0.91]
    >>> compare_folds(a, b, n_train=400, n_test=100)
    +0.0180 [-0.0178, +0.0538] 95 %, p = 0.235 (corrected t test, 4 degrees of freedom)
    """
    check_confidence_level(confidence_level)
    for name, value in (("n_train", n_train), ("n_test", n_test)):
        check_in_range(value, name, lambda x: 0 < x < np.inf, "a finite number above 0")
    if rope is not None:
        check_in_range(rope, "rope", lambda x: 0 < x < np.inf, "a finite number above 0")
    if n_test > n_train:
        warn(
            f"n_test={n_test:g} is more than n_train={n_train:g}: folds have more samples for "
            "training, so these may be in each other's place, with far too wide limits."
        )
    a, b = _read(scores_a, "scores_a"), _read(scores_b, "scores_b")
    if len(a) != len(b):
        raise ValueError(
            f"scores_a has {len(a)} scores and scores_b {len(b)}: pass scores from the same folds."
        )
    with np.errstate(over="ignore"):
        differences = a - b
    if not np.isfinite(differences).all():
        raise ValueError(
            "the differences between the scores overflow the floating-point range: rescale the "
            "scores."
        )
    # 0.1 + 0.2 is 0.3.
    rounded = np.abs(differences) <= 8 * np.finfo(float).eps * np.maximum(np.abs(a), np.abs(b))
    caveats: tuple[Caveat, ...] = ()
    if n_train + n_test < FEW_OF_FOLDS and len(a) * n_test > (n_train + n_test) * 1.5:
        text = (
            f"repeated folds of {n_train + n_test:g} samples: with fewer than {FEW_OF_FOLDS}, the "
            "test falsely rejects equality of equally good models at the 5 % level in up to 14 % "
            "of data sets of 100 samples, and 8 % of 300. compare_estimators holds its level."
        )
        caveats = (Caveat("repeated_folds", text),)
    found = np.where(rounded, 0, differences)
    return told(compared(found, n_test / n_train, rope, confidence_level, caveats))


def _read(scores: Any, name: str) -> Any:
    """One finite score per fold."""
    read = read_numbers(scores, name).astype(np.float64, copy=False)
    if read.ndim != 1 or len(read) < 2:
        raise ValueError(
            f"{name} must contain the scores of at least two folds; it has shape {read.shape}."
        )
    return read
