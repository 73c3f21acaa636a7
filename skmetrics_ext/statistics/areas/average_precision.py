"""Average precision: its delta variance, limits on the logit (Boyd, Eng & Page 2013); differences
of two on the same samples by Zou (2007).
"""

from typing import NamedTuple

import numpy as np
from scipy import special

from skmetrics_ext.counting.division import ratio
from skmetrics_ext.statistics.areas.delong import (
    Area,
    AtScores,
    RankedSamples,
    exact,
    without_rounding,
)
from skmetrics_ext.statistics.areas.zou_yue import (
    NO_SPREAD,
    correlation_of,
    limits_by_zou,
    of_areas_without_spread,
)
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.compared import LimitsAndTest
from skmetrics_ext.statistics.constants import ENOUGH, FEW_HITS, FEW_UNITS
from skmetrics_ext.statistics.inversion import LimitsAt, nested, p_value_of
from skmetrics_ext.statistics.methods import shown
from skmetrics_ext.statistics.values.delta import SCALES
from skmetrics_ext.statistics.values.proportions import mid_p


def precision_area_of(
    area: float, positive: AtScores, negative: AtScores, *, prevalence_is_given: bool = False
) -> Area:
    """Average precision with its delta variance."""
    rarer = min(positive.n, negative.n)
    if rarer < 2:
        return Area(exact(area), 0.0, positive.n, negative.n)
    variance, n_deciding = 0.0, np.inf
    influences = influence_on_precision(
        area, positive, negative, prevalence_is_given=prevalence_is_given
    )
    for influence, own in zip(influences, (positive, negative), strict=True):
        of_scores = own.squares * influence**2
        square_of_one = np.nan_to_num(ratio(own.squares, own.weights)) ** 2
        of_one = influence**2 * square_of_one
        variance += of_scores.sum()
        number = float(np.nan_to_num(ratio(of_scores.sum() ** 2, of_scores @ of_one)))
        n_deciding = min(n_deciding, number)
    variance *= rarer / (rarer - 1)
    return Area(exact(area), float(variance), positive.n, negative.n, n_deciding=n_deciding)


def limits_of_average_precision(area: Area, alpha: float) -> Limits:
    """logit(AP) +- t SE / (AP (1 - AP)), SE by the delta method, of few samples at least Boyd, Eng
    & Page's (2013), sqrt(AP (1 - AP) / n); at 0 and 1 those of a proportion of n positive ones.
    """
    value, n = area.value, area.n_positive
    if value in (0, 1) or n < 2:
        return mid_p(value * n, n, alpha)
    of_share = -special.stdtrit(n - 1, alpha / 2) * np.sqrt(value * (1 - value) / n)
    if area.rarer < 2:
        return SCALES["logit"].around(value, of_share)
    # By Satterthwaite: a sum of so many squares has a relative variance of 1 / n_deciding.
    degrees = min(area.rarer - 1, 2 * area.n_deciding) if area.n_deciding else area.rarer - 1
    half = -special.stdtrit(degrees, alpha / 2) * np.sqrt(area.variance)
    is_of_many = area.rarer >= ENOUGH and area.n_deciding >= FEW_HITS
    return SCALES["logit"].around(value, half if is_of_many else np.maximum(half, of_share))


@np.errstate(under="ignore")
def influence_on_precision(
    area: float, positive: AtScores, negative: AtScores, *, prevalence_is_given: bool = False
) -> tuple[Array, Array]:
    """What a sample of each class at each score adds to average precision, to first order; at a
    given prevalence, at the cost of others of its class.
    """
    total = positive.weights.sum()
    tp, fp = positive.weights.cumsum(), negative.weights.cumsum()
    reached = tp + fp
    by_fewer_fp, by_more_tp = (
        (positive.weights / reached * (of / reached))[::-1].cumsum()[::-1] / total
        for of in (tp, fp)
    )
    of_positive, of_negative = (tp / reached - area) / total + by_more_tp, -by_fewer_fp
    if not prevalence_is_given:
        return of_positive, of_negative
    mean_of_positive = (positive.weights * of_positive).sum() / total
    mean_of_negative = (negative.weights * of_negative).sum() / fp[-1]
    of_classes = of_positive - mean_of_positive, of_negative - mean_of_negative
    # What changes no value at a given prevalence has no spread.
    return (
        without_rounding(of_classes[0], 1 / total),
        without_rounding(of_classes[1], np.abs(of_negative).max()),
    )


class PrecisionOfModel(NamedTuple):
    """A model's average precision, and what each of the samples adds to it, to first order."""

    area: Area
    influence: Array
    samples: RankedSamples
    caveats: tuple[Caveat, ...] = ()


def difference_of_precisions(a: PrecisionOfModel, b: PrecisionOfModel) -> LimitsAndTest:
    """The difference of two models on the same samples, whose limits the p-value inverts."""
    size = max(np.abs(a.influence).max(), np.abs(b.influence).max())
    of_difference = without_rounding(a.influence - b.influence, size)
    if a.samples.variance_of(of_difference) <= NO_SPREAD:
        known = of_areas_without_spread(a.area, b.area)
        return known._replace(caveats=_caveats_of_few(a.area, b.area, np.inf))
    limits_at = limits_of_precisions(a, b)
    p_value = p_value_of(limits_at, a.area.value - b.area.value)
    caveats = _caveats_of_few(a.area, b.area, a.samples.n_deciding(of_difference))
    return LimitsAndTest(limits_at, p_value, shown("zou", "inverted"), caveats=caveats)


def limits_of_precisions(a: PrecisionOfModel, b: PrecisionOfModel) -> LimitsAt:
    """Zou's (2007) limits, of those of both and of the correlation of what samples add to them.

    Correlated limits may be nearer at a higher level, and are made nested.
    """
    variances = (
        a.samples.variance_of(of) for of in (a.influence, b.influence, a.influence - b.influence)
    )
    return nested(
        limits_by_zou(a.area, b.area, correlation_of(*variances), limits_of_average_precision)
    )


def _caveats_of_few(a: Area, b: Area, n_deciding: float) -> tuple[Caveat, ...]:
    """The caveats of so few samples that no limits are known to hold."""
    may_not = "the p-value and limits of the difference of average precision may not hold with"
    n = min(a.rarer, b.rarer)
    of_samples = f"{may_not} {n:.3g} samples of the rarer class: fewer than {FEW_UNITS}."
    of_deciding = (
        f"{may_not} {n_deciding:.3g} samples of a class that decide it: fewer than {FEW_HITS}."
    )
    found = (
        ("few_samples", of_samples, n < FEW_UNITS),
        ("few_samples", of_deciding, n_deciding < FEW_HITS),
    )
    return tuple(Caveat(code, text) for code, text, is_few in found if is_few)
