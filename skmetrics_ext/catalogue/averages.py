"""Values of classes -> one value: the one averaging, of metrics and of areas."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.division import ratio

Average = Literal["binary", "macro", "micro", "weighted", "samples", "worst"]
Direction = Literal["higher", "lower", "neither"]
AVERAGES = ("binary", "macro", "micro", "weighted", "samples", "worst")


def check_average(average: str | None) -> None:
    """Refuse a misspelt average before any work is done."""
    if average is not None and average not in AVERAGES:
        raise ValueError(f"average must be None or one of {list(AVERAGES)}; got {average!r}.")


def check_worst(name: str, better: Direction) -> None:
    """Refuse the worst of values of which neither the high nor the low ones are better."""
    if better == "neither":
        raise ValueError(
            f"neither high nor low values of {name} are better, so none is the worst: choose another average than "
            "'worst'."
        )


def averaged(
    values: NDArray[Any],
    average: str | None,
    *,
    better: Direction,
    support: NDArray[Any] | None = None,
    weights: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The values (..., n_classes) summed up over the last axis, or as they are for average=None.

    For "binary" and "micro" there is one value; "weighted" needs the support of each; for "samples"
    they are those of the samples, with their weights. NaN is left out.
    """
    if average is None:
        return values
    if average in ("binary", "micro"):
        return np.asarray(values[..., 0])
    if average == "worst":
        return _least(values) if better == "higher" else -_least(-values)
    return _mean(values, {"macro": None, "weighted": support, "samples": weights}[average])


def _least(values: NDArray[Any]) -> NDArray[Any]:
    """The least value that is not NaN; NaN where all are."""
    return np.asarray(np.fmin.reduce(values, axis=-1))


def _mean(values: NDArray[Any], weights: NDArray[Any] | None) -> NDArray[Any]:
    """Mean over the last axis without NaN; unweighted where the weights are all zero, as in scikit-learn."""
    if weights is None:
        with np.errstate(invalid="ignore", over="ignore"):
            mean = values.sum(-1) / values.shape[-1]
        if np.isfinite(mean).all():
            return np.asarray(mean)
        known = ~np.isnan(values)
        mean = ratio(np.where(known, values, 0).sum(-1), known.sum(-1))
        if (np.isfinite(mean) | ~known.any(-1)).all():
            return mean
        weights = np.ones_like(values)
    weights = np.broadcast_to(weights, values.shape)
    known = ~np.isnan(values)
    weights = np.where(known, weights, 0)
    weights = np.where(weights.any(-1, keepdims=True), weights, known)
    counts = weights > 0
    # A power of two near their sum, with which nothing rounds and no product is infinite or 0 that need not be.
    weights = np.ldexp(weights, -np.frexp(weights.sum(-1, keepdims=True))[1])
    with np.errstate(invalid="ignore", over="ignore"):
        # An infinite value stays so, however small its weight has become.
        parts = np.where(counts & np.isinf(values), values, np.where(counts, values, 0) * weights)
        # The mean of inf and -inf is undefined, and NaN says so.
        return ratio(parts.sum(-1), weights.sum(-1))
