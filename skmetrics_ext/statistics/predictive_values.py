"""PredictiveValues: positive and negative predictive values at a prevalence other than that of the data."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import special

from skmetrics_ext.catalogue.undefined import warn_undefined
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counts import ClassCounts, as_floats
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.reading.arguments import check_in_range
from skmetrics_ext.statistics.intervals import refuse_weights
from skmetrics_ext.statistics.proportions import Array
from skmetrics_ext.statistics.results import Interval


class PredictiveValues(NamedTuple):
    """The positive and the negative predictive value at a prevalence, with their intervals.

    Attributes
    ----------
    ppv : Interval
        Probability of the positive class given a positive prediction.
    npv : Interval
        Probability of not having the positive class given a negative prediction.

    Notes
    -----
    The intervals are for this fitted model on new samples from the same population, not for models
    refitted to new training data.

    With recall and specificity estimated from the data,
    PPV = recall p / (recall p + (1 - specificity) (1 - p)) and
    NPV = specificity (1 - p) / (specificity (1 - p) + (1 - recall) p) at the prevalence p, which is taken
    as known. With n1 positive and n0 negative samples the logit of PPV has variance
    (1 - recall) / (recall n1) + specificity / ((1 - specificity) n0), that of NPV
    recall / ((1 - recall) n1) + (1 - specificity) / (specificity n0), and the confidence limits are z
    standard errors away. For a rate of 0 or 1, z^2 / 2 is added to each of its two counts, for the
    confidence limits only; a value of 0 or 1 is its own limit, and an undefined value has the limits 0
    and 1.

    References
    ----------
    Mercaldo, Lau & Zhou (2007), Statistics in Medicine 26:2170.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> cm = ConfusionMatrix.from_counts([[288, 87], [178, 240]], labels=["control", "case"])
    >>> ppv, npv = cm.predictive_values(0.03)
    >>> ppv
    ppv of 'case' 0.0711 [0.0589, 0.0856] 95 %, logit at prevalence 0.03, n = 793
    """

    ppv: Interval
    npv: Interval

    def __repr__(self) -> str:
        return f"{self.ppv!r}\n{self.npv!r}"


def predictive_values_of(
    counts: ClassCounts,
    label: Any,
    axes: tuple[Axis, ...],
    prevalence: float,
    confidence_level: float,
    *,
    are_weights: bool,
) -> PredictiveValues:
    """The predictive values of counts (...) of one class against the rest."""
    check_in_range(prevalence, "prevalence", lambda x: 0 < x < 1, "one number between 0 and 1")
    check_in_range(confidence_level, "confidence_level", lambda x: 0 < x < 1, "a number between 0 and 1")
    tp, fp, fn, tn = as_floats(counts)
    refuse_weights(are_weights, "a predictive value")
    if any((part % 1).any() for part in (tp, fp, fn, tn)):
        raise ValueError(
            "the counts are sums of weights, which do not give the number of samples: predictive values need whole "
            "counts."
        )
    z = -special.ndtri((1 - confidence_level) / 2)
    log_odds = special.logit(prevalence)
    ppv = _value_and_limits((tp, fn), (fp, tn), log_odds, z)
    npv = _value_and_limits((tn, fp), (fn, tp), -log_odds, z)
    if np.isnan(ppv[0]).any() or np.isnan(npv[0]).any():
        warn_undefined(
            "predictive values are undefined (0/0) where a class has no samples, or is never predicted; they are nan."
        )
    n = (tp + fp + fn + tn).astype(np.int64)
    about: Any = {
        "confidence_level": confidence_level,
        "method": f"logit at prevalence {prevalence:g}",
        "axes": axes,
        "label": None if any(axis.name == "label" for axis in axes) else label,
        "n": n if n.ndim else n.item(),
    }
    return PredictiveValues(Interval(*ppv, metric="ppv", **about), Interval(*npv, metric="npv", **about))


def _value_and_limits(
    own: tuple[Array, Array], other: tuple[Array, Array], log_odds: float, z: float
) -> tuple[Any, Any, Any]:
    """A value and its confidence limits, from the samples of a class and of the rest that are and are not predicted so.

    Its logit is that of the prevalence plus the logarithm of a likelihood ratio, whose two rates are independent.
    """
    (hits, misses), (errors, refused) = own, other
    share = ratio(hits, hits + misses) * special.expit(log_odds)
    value = ratio(share, share + ratio(errors, errors + refused) * special.expit(-log_odds))
    hits, misses = _without_empty(own, z)
    errors, refused = _without_empty(other, z)
    middle = log_odds + np.log(hits / (hits + misses)) - np.log(errors / (errors + refused))
    half = z * np.sqrt(misses / (hits * (hits + misses)) + refused / (errors * (errors + refused)))
    low = np.where((value == 0) | np.isnan(value), 0, special.expit(middle - half))
    high = np.where((value == 1) | np.isnan(value), 1, special.expit(middle + half))
    return tuple(part if part.ndim else part.item() for part in (value, low, high))  # type: ignore[return-value]  # three


def _without_empty(cells: tuple[Array, Array], z: float) -> tuple[Array, Array]:
    """The counts of a rate, with z^2 / 2 added to both if one is empty."""
    more = np.where((cells[0] == 0) | (cells[1] == 0), z**2 / 2, 0)
    return cells[0] + more, cells[1] + more
