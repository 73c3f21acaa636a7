"""The limits of a value by each method, whatever the design: its variation says what they need."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.division import ratio
from skmetrics_ext.statistics.bootstrap import Draws, MethodLimits, limits_by_posterior
from skmetrics_ext.statistics.delta import (
    EDGES,
    SCALES,
    Scale,
    gradient_of,
    scale_between,
    with_ends,
)
from skmetrics_ext.statistics.estimand import Estimand, clipped
from skmetrics_ext.statistics.methods import EXACT, is_share
from skmetrics_ext.statistics.proportions import (
    Array,
    Limits,
    clopper_pearson,
    larger,
    mid_p,
    mover,
    mover_of_ratio,
    wilson,
)
from skmetrics_ext.statistics.variation import (
    Effective,
    Spread,
    Variation,
    has_own_scale,
    none_added,
    where_seen,
)

# Of which limits of both proportions.
MOVERS = {"mid-p-mover": "mid-p", "mover": "wilson", "exact-mover": "clopper-pearson"}
OF_ONE = {"mid-p": mid_p, "wilson": wilson}
JOINED = {"sum": mover, "ratio": mover_of_ratio, "larger": larger}


def limits_by(
    method: str,
    estimand: Estimand,
    variation: Variation,
    alpha: Any,
    draws: Draws,
    *,
    prior: float | None = None,
    drawn: Array | None = None,
) -> MethodLimits:
    """Confidence limits at level 1 - alpha by an applicable method, within the metric's range."""
    found = _found_by(method, estimand, variation, alpha, draws, prior, drawn)
    return found._replace(limits=clipped(found.limits, estimand.ends))


def _found_by(
    method: str,
    estimand: Estimand,
    variation: Variation,
    alpha: Any,
    draws: Draws,
    prior: float | None,
    drawn: Array | None,
) -> MethodLimits:
    """The limits as the method gives them."""
    if method in MOVERS:
        return MethodLimits(_by_two_shares(method, estimand, variation, alpha))
    if method in OF_ONE or method in EXACT:
        return _by_share(method, estimand, variation, alpha)
    if method == "delta":
        return _by_delta_or_alike(estimand, variation, alpha, draws)
    if method == "bootstrap":
        return variation.by_bootstrap(estimand, alpha, draws, drawn)
    return limits_by_posterior(estimand, alpha, draws, prior)


def _by_share(method: str, estimand: Estimand, variation: Variation, alpha: Any) -> MethodLimits:
    """The limits of a proportion by the design's effective numbers."""
    share = estimand.proportion
    assert share is not None, "methods for proportions are only for metrics that are proportions"
    (found,) = variation.effective(estimand, estimand.counted_shares(), alpha)
    limits = _limits_of(method, found, alpha)
    ends = [share.value_at(limit) for limit in limits]
    return MethodLimits(Limits(np.minimum(*ends), np.maximum(*ends)))


def _limits_of(method: str, found: Effective, alpha: Any) -> Limits:
    """The limits of a proportion by the design's effective numbers."""
    if method in EXACT:
        return clopper_pearson(found.hits * found.exact, found.n * found.exact, alpha)
    return OF_ONE[method](found.hits, found.n, found.alpha)


def _by_two_shares(method: str, estimand: Estimand, variation: Variation, alpha: Any) -> Limits:
    """Limits of a sum, ratio or maximum of two proportions from those of both."""
    shares = estimand.counted_shares()
    first, second = (
        _limits_of(MOVERS[method], found, alpha)
        for found in variation.effective(estimand, shares, alpha)
    )
    values = tuple(ratio(share.hits, share.n) for share in shares)
    of_both = estimand.choice.row.of_two_shares
    assert of_both is not None, "MOVER is only for metrics of two proportions"
    correlation = variation.correlation(estimand, shares)
    joined = JOINED[of_both.joined]((values[0], values[1]), (first, second), correlation)
    return Limits(*map(of_both.value_at, joined))


def _by_delta_or_alike(
    estimand: Estimand, variation: Variation, alpha: Any, draws: Draws
) -> MethodLimits:
    """Delta limits; if units do not vary, each is a sample of a proportion, else replicates."""
    limits, is_seen = _by_delta(estimand, variation, alpha)
    if np.all(is_seen):
        return MethodLimits(limits)
    if estimand.proportion is not None:
        alike = _by_share("mid-p", estimand, variation, alpha)
    else:
        alike = variation.by_bootstrap(estimand, alpha, draws, None)
    return where_seen(np.asarray(is_seen), MethodLimits(limits), alike)


def _by_delta(
    estimand: Estimand, variation: Variation, alpha: Any
) -> tuple[Limits, NDArray[np.bool_]]:
    """The value plus and minus standard errors, with pseudo-samples; and where units vary."""
    row = estimand.choice.row
    # The textbook's, of proportions.
    is_plain = variation.can_be_alike and is_share(estimand)
    pseudo = none_added(estimand) if is_plain else variation.pseudo(estimand)
    scale = SCALES[""]
    if has_own_scale(estimand):
        scale = SCALES[row.interval]
    elif variation.by_range:
        scale = scale_between(estimand.ends)
    filled = estimand.matrices + pseudo.cells
    slopes = gradient_of(estimand.value_of, filled)
    spread = variation.spread(estimand, slopes, pseudo)
    value = estimand.value_of(filled)
    reach = variation.quantile(spread.n, alpha) * spread.error
    limits = scale.around(value, reach)
    if has_own_scale(estimand) and variation.keeps_ends:
        own_value = estimand.value_of(estimand.matrices)
        return with_ends(limits, own_value, EDGES[row.interval]), np.asarray(spread.is_seen)
    if variation.by_range and not (is_share(estimand) or has_own_scale(estimand)):
        limits, spread = hull_with_plain(estimand, variation, alpha, scale, limits, spread)
    is_known = np.isfinite(value) & ~np.isnan(limits.low + limits.high)
    is_open = ~np.isfinite(limits.low + limits.high)
    whole = Limits(np.where(is_open, -np.inf, limits.low), np.where(is_open, np.inf, limits.high))
    is_seen = spread.is_seen & (is_known | (not variation.can_be_alike))
    return whole, np.asarray(is_seen)


def hull_with_plain(
    estimand: Estimand,
    variation: Variation,
    alpha: Any,
    scale: Scale,
    limits: Limits,
    of_filled: Spread,
) -> tuple[Limits, Spread]:
    """Limits no nearer than without pseudo-samples, which move values of few errors."""
    slopes = gradient_of(estimand.value_of, estimand.matrices)
    spread = variation.spread(estimand, slopes, none_added(estimand))
    value = estimand.value_of(estimand.matrices)
    plain = scale.around(value, variation.quantile(spread.n, alpha) * spread.error)
    is_constant = of_filled.error == 0
    low = np.where(is_constant, limits.low, np.fmin(limits.low, plain.low))
    high = np.where(is_constant, limits.high, np.fmax(limits.high, plain.high))
    return Limits(low, high), spread


def no_nearer_than_classes(
    estimand: Estimand, parts: Estimand, limits: Limits, of_classes: Limits
) -> Limits:
    """The limits of a mean of classes, at least as wide as MOVER of the limits of each.

    Values at an end of their scale err to one side: their distances add up.
    """
    is_at_end = np.isin(parts.value_of(parts.matrices), EDGES.get(parts.choice.row.interval, ()))
    below, above = (
        np.where(is_at_end, distances, 0).sum(-1)
        + np.sqrt((np.where(is_at_end, 0, distances) ** 2).sum(-1))
        for distances in distances_of_mean(estimand, parts, of_classes)
    )
    value, is_flat = estimand.value_of(estimand.matrices), limits.low == limits.high
    low = np.where(is_flat, limits.low, np.minimum(limits.low, value - below))
    high = np.where(is_flat, limits.high, np.maximum(limits.high, value + above))
    return Limits(low, high)


def distances_of_mean(
    estimand: Estimand, parts: Estimand, of_classes: Limits
) -> tuple[Array, Array]:
    """How far each class alone may move a mean down and up (..., n_classes)."""
    values, support = parts.value_of(parts.matrices), parts.matrices.sum(-1)[..., 1]
    is_weighted = estimand.kind.how == "weighted mean"
    weights = np.where(np.isnan(values), 0, support if is_weighted else 1)
    shares = ratio(weights, weights.sum(-1, keepdims=True))
    below, above = (
        np.nan_to_num(shares * np.abs(values - end)) for end in (of_classes.low, of_classes.high)
    )
    return below, above


def limits_of_extreme(
    estimand: Estimand, each: MethodLimits, of_all: MethodLimits, is_out: NDArray[Any]
) -> MethodLimits:
    """Limits of the lowest or highest value of the classes: the minimum is at least the lowest
    lower limit, unless that fails, and at most any value, so that all upper limits have to hold.
    """
    is_least = estimand.kind.is_worst and estimand.choice.row.better == "higher"
    if is_least:
        low = np.where(is_out, np.inf, each.limits.low).min(-1)
        high = np.where(is_out, np.inf, of_all.limits.high).min(-1)
    else:
        low = np.where(is_out, -np.inf, of_all.limits.low).max(-1)
        high = np.where(is_out, -np.inf, each.limits.high).max(-1)
    return MethodLimits(Limits(low, high), np.where(is_out, 0, each.n_undefined).max(-1))
