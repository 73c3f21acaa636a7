"""The corrected resampled t test: scores of the same folds, whose training sets overlap."""

from __future__ import annotations

import numpy as np
from scipy import stats

from skmetrics_ext.statistics.proportions import Array
from skmetrics_ext.statistics.results import FoldComparison, Probabilities

# Differences that vary by less of themselves are all the same.
ROUNDING = 1e-14
# Of fewer samples the correction does not make up for folds that are repeated.
FEW = 200


def compared(differences: Array, test_share: float, rope: float | None, confidence_level: float) -> FoldComparison:
    """The corrected resampled t test; `test_share` is n_test / n_train.

    Training sets of folds overlap, so that the variance of the mean is not that of independent scores;
    Nadeau & Bengio add the ratio of the sizes to 1 / k.
    """
    k = len(differences)
    # In units of the largest one, so that squares are finite and not 0.
    unit = float(np.abs(differences).max()) or 1.0
    mean = float((differences / unit).mean()) * unit
    scale = float(np.sqrt((1 / k + test_share) * (differences / unit).var(ddof=1))) * unit
    if scale <= ROUNDING * unit:
        raise ValueError(
            f"the difference of the scores is {mean:g} in all {k} folds, which have no variance to judge it by: "
            "compare the predictions of the models, or score by a metric that varies."
        )
    distribution = stats.t(k - 1)
    half = float(distribution.ppf((1 + confidence_level) / 2)) * scale

    def beyond(distance: float) -> float:
        """How probable it is that a difference is more than so far from the mean, to one side."""
        return float(distribution.sf(distance / scale))

    p_value = 2 * beyond(abs(mean))
    probabilities = None
    if rope is not None:
        worse, better = beyond(rope + mean), beyond(rope - mean)
        probabilities = Probabilities(worse, max(1 - worse - better, 0.0), better)
    return FoldComparison(mean, mean - half, mean + half, p_value, confidence_level, k - 1, probabilities)
