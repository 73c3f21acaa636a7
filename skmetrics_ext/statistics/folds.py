"""The corrected resampled t test: scores on the same folds, whose training sets overlap."""

from __future__ import annotations

import numpy as np
from scipy import stats

from skmetrics_ext.statistics.proportions import Array
from skmetrics_ext.statistics.results import FoldComparison, Probabilities

# Differences that vary by a smaller proportion are identical.
ROUNDING = 1e-14
# With fewer samples the correction is too small for repeated folds.
FEW = 200


def compared(differences: Array, test_share: float, rope: float | None, confidence_level: float) -> FoldComparison:
    """The corrected resampled t test; `test_share` is n_test / n_train.

    Training sets of folds overlap, so the variance of the mean is not that of independent scores;
    Nadeau & Bengio add the ratio of the sizes to 1 / k.
    """
    k = len(differences)
    # In units of the largest one, so that squares neither overflow nor vanish.
    unit = float(np.abs(differences).max()) or 1.0
    mean = float((differences / unit).mean()) * unit
    scale = float(np.sqrt((1 / k + test_share) * (differences / unit).var(ddof=1))) * unit
    if scale <= ROUNDING * unit:
        raise ValueError(
            f"the difference of the scores is {mean:g} in all {k} folds, so there is no variance to test it against: "
            "compare the predictions of the models, or use a metric that varies between folds."
        )
    distribution = stats.t(k - 1)
    half = float(distribution.ppf((1 + confidence_level) / 2)) * scale

    def beyond(distance: float) -> float:
        """The one-sided tail probability of a difference at this distance from the mean."""
        return float(distribution.sf(distance / scale))

    p_value = 2 * beyond(abs(mean))
    probabilities = None
    if rope is not None:
        worse, better = beyond(rope + mean), beyond(rope - mean)
        probabilities = Probabilities(worse, max(1 - worse - better, 0.0), better)
    return FoldComparison(mean, mean - half, mean + half, p_value, confidence_level, k - 1, probabilities)
