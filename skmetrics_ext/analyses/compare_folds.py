"""compare_folds: scores of two models on the same folds."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skmetrics_ext.reading.arguments import check_in_range
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.numbers import read_numbers
from skmetrics_ext.statistics.folds import FEW, compared
from skmetrics_ext.statistics.results import FoldComparison


def compare_folds(
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    *,
    n_train: float,
    n_test: float,
    rope: float | None = None,
    confidence_level: float = 0.95,
) -> FoldComparison:
    """The mean of a - b over the folds, by a t test that knows that the training sets overlap.

    It asks whether the learning algorithm of a gives better models than that of b, on other training
    data of this size; whether one fitted model is better than another is asked of their predictions.

    Parameters
    ----------
    scores_a, scores_b : array-like of shape (n_scores,)
        Scores of both models, the same fold in the same place, from `cross_val_score` with the same
        splitter and random_state, also of repeated folds or random splits.
    n_train, n_test : float
        Number of training and of test samples in a fold; of folds of several sizes the means.
    rope : float, default=None
        A difference too small to matter, above 0. With it `probabilities` tells how probable it is
        that a is worse by more than that, equivalent, or better by more.
    confidence_level : float, default=0.95
        Above 0 and below 1.

    Returns
    -------
    FoldComparison
        `difference`, `low`, `high`, `p_value`, and with a rope `probabilities`.

    Raises
    ------
    ValueError
        If the scores are not as many, fewer than two or not finite, all differ by the same, or an option is out
        of range.

    Warns
    -----
    UserWarning
        If folds of fewer than 200 samples are repeated.

    Notes
    -----
    The statistic is mean(a - b) / sqrt((1 / k + n_test / n_train) s^2), with k scores, their variance
    s^2 and k - 1 degrees of freedom. A paired t test leaves n_test / n_train out, as if folds were
    independent: with ten times ten folds its standard error is 0.29 of this one, so that it finds
    differences between equal models far more often than it says. Of ten times ten folds of 100 samples
    the correction is too small: the test rejects equal models in 7 to 9 % of data sets at a level of 5 %.

    The probabilities are those of the correlated Bayesian t test with a flat prior.

    References
    ----------
    Nadeau & Bengio (2003), Machine Learning 52:239; Bouckaert & Frank (2004), PAKDD; Benavoli et al.
    (2017), JMLR 18:1.

    Examples
    --------
    >>> from skmetrics_ext import compare_folds
    >>> a, b = [0.91, 0.94, 0.89, 0.93, 0.92], [0.88, 0.92, 0.90, 0.89, 0.91]
    >>> compare_folds(a, b, n_train=400, n_test=100)
    +0.0180 [-0.0178, +0.0538] 95 %, p = 0.235 (corrected t test, 4 degrees of freedom)
    >>> compare_folds(a, b, n_train=400, n_test=100, rope=0.01).probabilities.better > 0.7
    True
    """
    check_in_range(confidence_level, "confidence_level", lambda x: 0 < x < 1, "a number between 0 and 1")
    for name, value in (("n_train", n_train), ("n_test", n_test)):
        check_in_range(value, name, lambda x: 0 < x < np.inf, "a finite number above 0")
    if rope is not None:
        check_in_range(rope, "rope", lambda x: 0 < x < np.inf, "a finite number above 0")
    a, b = _read(scores_a, "scores_a"), _read(scores_b, "scores_b")
    if len(a) != len(b):
        raise ValueError(f"scores_a has {len(a)} scores and scores_b {len(b)}: pass those of the same folds.")
    with np.errstate(over="ignore"):
        differences = a - b
    if not np.isfinite(differences).all():
        raise ValueError("the differences of the scores are beyond all floats: scale the scores.")
    # 0.1 + 0.2 is 0.3.
    rounded = np.abs(differences) <= 8 * np.finfo(float).eps * np.maximum(np.abs(a), np.abs(b))
    if n_train + n_test < FEW and len(a) * n_test > (n_train + n_test) * 1.5:
        warn(
            f"folds of {n_train + n_test:g} samples are repeated: below {FEW} samples the test rejects equal models in "
            "7 to 9 % of data sets at a level of 5 %."
        )
    return compared(np.where(rounded, 0, differences), n_test / n_train, rope, confidence_level)


def _read(scores: Any, name: str) -> Any:
    """One finite score a fold."""
    read = read_numbers(scores, name).astype(np.float64, copy=False)
    if read.ndim != 1 or len(read) < 2:
        raise ValueError(f"{name} must hold the scores of at least two folds; it has shape {read.shape}.")
    return read
