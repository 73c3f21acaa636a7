"""Per-class values -> one value: the only averaging, for metrics and areas."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.division import ratio

Average = Literal["binary", "macro", "micro", "weighted", "samples", "worst"]
Direction = Literal["higher", "lower", "neither"]
AVERAGES = ("binary", "macro", "micro", "weighted", "samples", "worst")


def check_average(average: str | None) -> None:
    """Reject a misspelt average before any work is done."""
    if average is not None and average not in AVERAGES:
        raise ValueError(f"average must be None or one of {list(AVERAGES)}; got {average!r}.")


def check_worst(name: str, better: Direction) -> None:
    """Reject the worst of values with no better direction."""
    if better == "neither":
        raise ValueError(
            f"neither higher nor lower values of {name} are better, so none is worst: use another."
        )


def averaged(
    values: NDArray[Any],
    average: str | None,
    *,
    better: Direction,
    support: NDArray[Any] | None = None,
    weights: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The values (..., n_classes) averaged over the last axis, or unchanged for average=None.

    For "binary" and "micro" there is one value; "weighted" needs the support of each; for "samples"
    they are those of the samples, with their weights. NaN is ignored.
    """
    if average is None:
        return values
    if average in ("binary", "micro"):
        return np.asarray(values[..., 0])
    if average == "worst":
        # The lowest or the highest value that is not NaN; NaN if all are.
        return np.asarray((np.fmin if better == "higher" else np.fmax).reduce(values, axis=-1))
    return _mean(values, {"macro": None, "weighted": support, "samples": weights}[average])


def _mean(values: NDArray[Any], weights: NDArray[Any] | None) -> NDArray[Any]:
    """Mean over the last axis without NaN; unweighted where the weights are all zero, as in
    scikit-learn.
    """
    if weights is None:
        with np.errstate(invalid="ignore", over="ignore"):
            mean = values.sum(-1) / values.shape[-1]
        if np.isfinite(mean).all():
            return np.asarray(mean)
        known = ~np.isnan(values)
        with np.errstate(invalid="ignore", over="ignore"):
            mean = ratio(np.where(known, values, 0).sum(-1), known.sum(-1))
        if (np.isfinite(mean) | ~known.any(-1)).all():
            return mean
        weights = np.ones_like(values)
    weights = np.broadcast_to(weights, values.shape)
    known = ~np.isnan(values)
    weights = np.where(known, weights, 0)
    weights = np.where(weights.any(-1, keepdims=True), weights, known)
    counts = weights > 0
    # A power of two near their sum: dividing by it rounds nothing, and products overflow or vanish
    # only if they must.
    weights = np.ldexp(weights, -np.frexp(weights.sum(-1, keepdims=True))[1])
    with np.errstate(invalid="ignore", over="ignore"):
        # An infinite value stays infinite, however small its weight.
        parts = np.where(counts & np.isinf(values), values, np.where(counts, values, 0) * weights)
        # The mean of inf and -inf is undefined: NaN.
        return ratio(parts.sum(-1), weights.sum(-1))
