"""FoldComparison: the mean difference of scores of the same folds, whose training sets overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from skmetrics_ext.uncertainty.question import Array

# Differences that vary by less of themselves are all the same.
ROUNDING = 1e-14
# Of fewer samples the correction does not make up for folds that are repeated.
FEW = 200


class Probabilities(NamedTuple):
    """That a is worse than b by more than the rope, within it, and better by more."""

    worse: float
    equivalent: float
    better: float


@dataclass(frozen=True, repr=False)
class FoldComparison:
    """The mean difference of the scores of two models on the same folds, and how sure it is.

    Attributes
    ----------
    difference : float
        Mean of a - b.
    low, high : float
        The limits of its confidence interval.
    p_value : float
        Of the two-sided corrected t test that the difference is 0.
    confidence_level : float
        The share of comparisons whose interval covers the truth.
    degrees_of_freedom : int
        Number of scores - 1.
    probabilities : Probabilities or None
        With a rope: that a is `worse` than b by more than it, `equivalent`, or `better` by more.
    """

    difference: float
    low: float
    high: float
    p_value: float
    confidence_level: float
    degrees_of_freedom: int
    probabilities: Probabilities | None = None

    def __post_init__(self) -> None:
        if self.probabilities is not None:
            object.__setattr__(self, "probabilities", Probabilities(*self.probabilities))

    def __reduce__(self) -> tuple[Any, ...]:
        # A pickle names public classes alone, since others may move.
        of_rope = None if self.probabilities is None else tuple(self.probabilities)
        limits = self.difference, self.low, self.high
        return type(self), (*limits, self.p_value, self.confidence_level, self.degrees_of_freedom, of_rope)

    def __repr__(self) -> str:
        limits = f"{self.difference:+.4f} [{self.low:+.4f}, {self.high:+.4f}] {100 * self.confidence_level:g} %"
        text = f"{limits}, p = {self.p_value:.3g} (corrected t test, {self.degrees_of_freedom} degrees of freedom)"
        if self.probabilities is None:
            return text
        shares = ", ".join(f"{name} {share:.3f}" for name, share in self.probabilities._asdict().items())
        return f"{text}; {shares}"


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
    law = stats.t(k - 1)
    half = float(law.ppf((1 + confidence_level) / 2)) * scale

    def beyond(distance: float) -> float:
        """How probable it is that a difference is more than so far from the mean, to one side."""
        return float(law.sf(distance / scale))

    p_value = 2 * beyond(abs(mean))
    probabilities = None
    if rope is not None:
        worse, better = beyond(rope + mean), beyond(rope - mean)
        probabilities = Probabilities(worse, max(1 - worse - better, 0.0), better)
    return FoldComparison(mean, mean - half, mean + half, p_value, confidence_level, k - 1, probabilities)
