"""How much better the best threshold is on these samples than on new ones, by the bootstrap."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.counting.counted import CountedCurve
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.curves.best import Bound, choose_of_curve, read_constraints

if TYPE_CHECKING:
    from skmetrics_ext.curves.curve import ThresholdCurve

# Replicates of so many samples are counted at once.
MOST_AT_ONCE = 1 << 22


def optimism(
    curve: ThresholdCurve,
    choice: Choice,
    subject_to: Mapping[Any, Bound] | None,
    n_resamples: int,
    random: np.random.Generator,
) -> float:
    """The mean over replicates of the value at the threshold best in each, less that of all samples
    there (Efron).
    """
    # A cell is a score and a class.
    tp, fp, fn, tn = curve.counts
    # With ties="negative" no threshold has the lowest score on its positive side.
    cells = np.diff([tp, fp], axis=1, prepend=0, append=[[tp[0] + fn[0]], [fp[0] + tn[0]]])
    n = int(cells.sum())
    of_samples = np.repeat(np.arange(cells.size), cells.ravel())
    at_samples = _values(curve, curve.counts, choice)
    sign = 1 if choice.row.better == "higher" else -1
    found = []
    for first in range(0, n_resamples, size := max(1, MOST_AT_ONCE // n)):
        n_now = min(size, n_resamples - first)
        drawn = (
            of_samples[random.integers(0, n, (n_now, n))]
            + cells.size * np.arange(n_now)[:, np.newaxis]
        )
        counted = np.bincount(drawn.ravel(), minlength=n_now * cells.size).reshape(n_now, 2, -1)
        tp, fp = np.moveaxis(counted.cumsum(-1), 1, 0)
        counts = ClassCounts(*(part[:, :-1] for part in (tp, fp, tp[:, -1:] - tp, fp[:, -1:] - fp)))
        values = _values(curve, counts, choice)
        constraints = read_constraints(
            subject_to,
            lambda row, counts=counts: _values(curve, counts, choose_of_curve(row, curve.labels)),
        )
        meets = np.logical_and.reduce(
            [constraint.holds for constraint in constraints], initial=True
        )
        gains = np.where(~np.isnan(values) & meets, sign * values, -np.inf)
        (with_best,) = np.nonzero(gains.max(-1) > -np.inf)
        best = gains[with_best].argmax(-1)
        found.append(np.stack([values[with_best, best], at_samples[best]]))
    in_replicates, in_samples = np.concatenate(found, axis=1)
    if not len(in_samples) or np.isinf([in_replicates, in_samples]).any():
        problem = (
            "is infinite at the best threshold of"
            if len(in_samples)
            else "has no threshold within the bounds in"
        )
        raise ValueError(
            f"{choice.row.name} {problem} bootstrap replicates, so optimism is unknown: use other "
            "bounds."
        )
    return float(np.nanmean(in_replicates - in_samples))


def _values(curve: ThresholdCurve, counts: ClassCounts, choice: Choice) -> NDArray[np.float64]:
    """A metric at every threshold, for counts of the samples or of replicates."""
    return np.asarray(
        score(
            CountedCurve(counts, curve.labels, curve.pos_label, curve._position, ranked=False),
            choice,
        )
    )
