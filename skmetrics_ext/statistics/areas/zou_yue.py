"""Areas of two models on the same samples: DeLong's limits, and Zou & Yue's of few samples."""

from collections.abc import Callable

import numpy as np

from skmetrics_ext.statistics.areas.delong import (
    Area,
    LimitsOfArea,
    difference_by_delong,
    limits_of_roc_area,
    limits_on_logit,
)
from skmetrics_ext.statistics.arrays import Limits, wider
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.compared import LimitsAndTest, unknown
from skmetrics_ext.statistics.constants import FEW, FEW_UNITS, FEWEST, MANY_MISRANKED, MANY_OF_RARER
from skmetrics_ext.statistics.inversion import LimitsAt, nested, p_value_of
from skmetrics_ext.statistics.methods import shown, shown_wider
from skmetrics_ext.statistics.pairs.mcnemar_and_tango import of_discordant
from skmetrics_ext.statistics.values.proportions import zou

# A smaller variance is due to rounding.
NO_SPREAD = 1e-24


def difference_of_areas(a: Area, b: Area, variance: float) -> LimitsAndTest:
    """The difference of two areas, which has such a variance: with many samples by DeLong et al.
    (1988), with few by the wider of their limits and Zou & Yue's (2013), and between them between.
    """
    of_few, caveats = _share_of_few(a, b), _caveats_of_few(a, b)
    if variance <= NO_SPREAD:
        return of_areas_without_spread(a, b)._replace(caveats=caveats)
    by_delong = difference_by_delong(a, b, variance)
    if not of_few or np.isnan(by_delong.p_value):
        return by_delong._replace(caveats=caveats)
    by_zou_yue = _limits_by_zou_yue(a, b, variance, limits_of_roc_area)

    @nested
    def limits_at(alpha: float) -> Limits:
        """DeLong's limits, moved towards the wider ones."""
        near = by_delong.limits_at(alpha)
        far = wider(near, by_zou_yue(alpha))
        low, high = (one + of_few * (other - one) for one, other in zip(near, far, strict=True))
        return Limits(low, high)

    names = "delong", "zou-yue"
    how = shown_wider(*names) if of_few == 1 else f"between {' and '.join(map(shown, names))}"
    p_value = p_value_of(limits_at, a.value - b.value)
    return LimitsAndTest(limits_at, p_value, f"{how}, {shown('inverted')}", caveats=caveats)


def difference_by_logits(a: Area, b: Area, variance: float) -> LimitsAndTest:
    """Zou & Yue's (2013) limits of the limits of each area on the logit."""
    how = shown("delong-logit", "zou-yue", "inverted")
    if np.isnan(a.error + b.error):
        return unknown(how)
    limits_at = _limits_by_zou_yue(a, b, variance, limits_on_logit)
    return LimitsAndTest(limits_at, p_value_of(limits_at, a.value - b.value), how)


# Of the variances of both areas and of their difference.
BY_VARIANCE = {
    "auto": difference_of_areas,
    "delong": difference_by_delong,
    "delong-logit": difference_by_logits,
}


def _limits_by_zou_yue(a: Area, b: Area, variance: float, limits_of: LimitsOfArea) -> LimitsAt:
    """Limits from those of both areas and their correlation, in the possible range."""
    correlation = correlation_of(a.variance, b.variance, variance)
    return limits_by_zou(a, b, correlation, lambda area, alpha: limits_of(area, alpha)[0])


def limits_by_zou(
    a: Area, b: Area, correlation: float, limits_of: Callable[[Area, float], Limits]
) -> LimitsAt:
    """The same for any limits of an area."""

    def limits_at(alpha: float) -> Limits:
        of_both = limits_of(a, alpha), limits_of(b, alpha)
        return Limits(*np.clip(zou((a.value, b.value), of_both, correlation), -1, 1))

    return limits_at


def _share_of_few(a: Area, b: Area) -> float:
    """How far limits are moved away from DeLong's: 0 with many samples, 1 with few."""
    n, n_misplaced = _sizes(a, b)
    of_samples = (MANY_OF_RARER - n) / (MANY_OF_RARER - FEW_UNITS)
    of_misplaced = (MANY_MISRANKED - n_misplaced) / (MANY_MISRANKED - FEWEST)
    return float(np.clip(max(of_samples, of_misplaced), 0, 1))


def _sizes(a: Area, b: Area) -> tuple[float, float]:
    """The samples of the rarer class, and how many of them either model misplaces at least."""
    return min(a.rarer, b.rarer), min(a.n_misplaced, b.n_misplaced)


def _caveats_of_few(a: Area, b: Area) -> tuple[Caveat, ...]:
    """The caveats of so few samples that no limits are known to hold."""
    n, n_misplaced = _sizes(a, b)
    may_not = "the p-value and limits of the difference of areas may not hold with"
    of_samples = f"{may_not} {n:.3g} samples of the rarer class: fewer than {FEW}."
    of_misplaced = (
        f"{may_not} {n_misplaced:.3g} misranked samples of the rarer class, or well ranked ones, "
        "by one of the models: fewer than 1."
    )
    found = (("few_samples", of_samples, n < FEW), ("few_misranked", of_misplaced, n_misplaced < 1))
    return tuple(Caveat(code, text) for code, text, is_few in found if is_few)


def caveats_by_name(a: Area, b: Area, known: LimitsAndTest, alpha: float) -> tuple[Caveat, ...]:
    """The caveats of a method that was asked for."""
    low, high = known.limits_at(alpha)
    if low == high:
        text = (
            "both limits of the difference of areas are its value by this method, which says "
            "nothing of its uncertainty."
        )
        return (Caveat("constant", text),)
    if not _share_of_few(a, b):
        return ()
    n, n_misplaced = _sizes(a, b)
    text = (
        f"p-values and limits of a difference of areas may not hold by this method with {n:.3g} "
        f"samples of the rarer class, of which a model misranks {n_misplaced:.3g}, or ranks as few "
        "well: method='auto' allows for that."
    )
    return (Caveat("few_misranked", text),)


def of_areas_without_spread(a: Area, b: Area) -> LimitsAndTest:
    """What is known of areas that differ alike in all samples: as of paired proportions."""
    n = max(round(a.rarer), 1)
    n_more = round((a.value - b.value) * n)
    return of_discordant(max(n_more, 0), max(-n_more, 0), n, shown("tango"))


def correlation_of(variance_a: float, variance_b: float, variance_of_difference: float) -> float:
    """The correlation of two values; 0 where either has no variance."""
    if min(variance_a, variance_b) <= NO_SPREAD:
        return 0.0
    product = variance_a * variance_b
    return float((variance_a + variance_b - variance_of_difference) / (2 * np.sqrt(product)))
