"""Per-class values -> one value: the only averaging, for metrics and areas."""

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.division import ratio

Average = Literal["binary", "macro", "micro", "weighted", "samples", "worst"]
Direction = Literal["higher", "lower", "neither"]


class AverageKind(NamedTuple):
    """An average: what it combines, and how."""

    name: str
    # Counts are those of one class, or the sum of all; else there are values to combine.
    combines: Literal["counts", "classes", "samples", "nothing"]
    how: Literal["", "mean", "weighted mean", "worst"] = ""

    @property
    def is_of_several(self) -> bool:
        """Whether it combines values of which each may be undefined."""
        return self.combines in ("classes", "samples")

    @property
    def is_mean_of_classes(self) -> bool:
        """Whether it is a mean of the values of the classes, weighted or not."""
        return self.combines == "classes" and not self.is_worst

    @property
    def is_alike(self) -> bool:
        """Whether classes count alike, whatever their numbers of samples."""
        return self.combines == "classes" and self.how != "weighted mean"

    @property
    def is_worst(self) -> bool:
        """Whether it is of a class that the data choose, so that limits of each are needed."""
        return self.how == "worst"


KINDS = {
    kind.name: kind
    for kind in (
        AverageKind("binary", "counts"),
        AverageKind("macro", "classes", "mean"),
        AverageKind("micro", "counts"),
        AverageKind("weighted", "classes", "weighted mean"),
        AverageKind("samples", "samples", "mean"),
        AverageKind("worst", "classes", "worst"),
    )
}
AVERAGES = tuple(KINDS)
NO_AVERAGE = AverageKind("", "nothing")


def kind_of_average(average: str | None) -> AverageKind:
    """The kind of an average; None is one value per class, or one over all classes."""
    return KINDS.get(average or "", NO_AVERAGE)


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

    "weighted" needs the support of each, "samples" the values of samples and their weights. NaN is
    ignored.
    """
    kind = kind_of_average(average)
    if kind is NO_AVERAGE:
        return values
    if kind.combines == "counts":
        return np.asarray(values[..., 0])
    if kind.is_worst:
        return np.asarray((np.fmin if better == "higher" else np.fmax).reduce(values, axis=-1))
    if kind.combines == "samples":
        return _mean(values, weights)
    return _mean(values, support if kind.how == "weighted mean" else None)


def _mean(values: NDArray[Any], weights: NDArray[Any] | None) -> NDArray[Any]:
    """Mean over the last axis without NaN; unweighted where all weights are zero."""
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
    # A power of two near their sum, which rounds nothing and avoids overflow.
    weights = np.ldexp(weights, -np.frexp(weights.sum(-1, keepdims=True))[1])
    with np.errstate(invalid="ignore", over="ignore"):
        # An infinite value stays infinite, however small its weight.
        parts = np.where(counts & np.isinf(values), values, np.where(counts, values, 0) * weights)
        return ratio(parts.sum(-1), weights.sum(-1))


def mean_and_spread(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Mean and standard deviation (ddof=0) over the first axis, without NaN."""
    folds_last = np.moveaxis(values, 0, -1)
    mean = averaged(folds_last, "macro", better="neither")
    return mean, np.sqrt(averaged((folds_last - mean[..., None]) ** 2, "macro", better="neither"))
