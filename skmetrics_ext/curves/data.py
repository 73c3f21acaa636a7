"""The fields of a threshold curve: made of samples, locked and pickled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.design import INDEPENDENT, SampleDesign, design_of_plain, plain_of
from skmetrics_ext.counting.ranking import (
    Samples,
    codes_of_clusters,
    counts_at,
    counts_at_every_score,
    with_weight,
)
from skmetrics_ext.curves import inputs
from skmetrics_ext.curves.inputs import CurveLabels, Entries
from skmetrics_ext.matrices.prevalence import factors_of_rows
from skmetrics_ext.reading.aliases import Label, Ties
from skmetrics_ext.reading.order import position_of, positions_in, sorted_union
from skmetrics_ext.reading.pairs import mean_of_present

# More samples take gigabytes as rows of their own.
MOST_ROWS = 20_000_000


@dataclass(frozen=True, init=False, eq=False, repr=False)
class CurveData:
    """What a ThresholdCurve holds."""

    thresholds: NDArray[Any]
    counts: ClassCounts
    labels: NDArray[Any]
    pos_label: Label
    ties: Ties
    at_every_score: bool
    _samples: Samples
    _entries: Entries
    _are_quantiles: bool
    _ranked: bool
    # How the samples were obtained, whatever their weights and clusters.
    _design: SampleDesign = INDEPENDENT
    # What a cluster is: maybe a sample that is there several times.
    _unit: str = "cluster"
    # The proportion of positives that the caller gave; None: that of the samples.
    _prevalence: float | None = None
    # The curves that were added, if one cluster may be in several.
    _parts: tuple[CurveData, ...] = ()

    def __init__(self, *_: object, **__: object) -> None:
        raise TypeError(
            "a ThresholdCurve is made with ThresholdCurve.from_scores, "
            "ThresholdCurve.from_estimator or from_frame."
        )

    @classmethod
    def _of(cls, own: dict[str, Any]) -> Self:
        """A curve from its fields by name."""
        curve = cls.__new__(cls)
        curve.__setstate__(own)
        return curve

    def __getstate__(self) -> dict[str, Any]:
        # Plain tuples, so that a file names this class alone, without a constructor such as _of:
        # cloudpickle and dill store a bound method as bytecode, which another Python can't run.
        plain = {name: tuple(getattr(self, name)) for name in ("counts", "_samples")}
        return vars(self) | plain | {"_design": plain_of(self._design)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        arrays = {name: inputs.locked(state[name]) for name in ("thresholds", "labels")}
        counts = ClassCounts(*map(inputs.locked, state["counts"]))
        samples = inputs.locked_samples(*state["_samples"])
        design = read_design(state["_design"])
        vars(self).update(state | arrays, counts=counts, _samples=samples, _design=design)

    @classmethod
    def _of_samples(
        cls,
        samples: Samples,
        labels: CurveLabels,
        ties: Ties = "positive",
        thresholds: ArrayLike | None = None,
        entries: Entries = "samples",
        design: SampleDesign = INDEPENDENT,
        unit: str = "cluster",
    ) -> Self:
        """The curve of validated samples at any thresholds."""
        if thresholds is None:
            chosen, counts = counts_at_every_score(with_weight(samples), ties)
        else:
            chosen = inputs.read_thresholds_on_scale(thresholds, samples)
            counts = counts_at(samples, chosen, ties)
        order, positive, ranked = labels
        own = {
            "thresholds": chosen,
            "counts": counts,
            "labels": order,
            "pos_label": positive,
            "ties": ties,
        }
        own |= {
            "at_every_score": thresholds is None,
            "_are_quantiles": isinstance(thresholds, (int, np.integer)),
        }
        own |= {"_samples": samples, "_entries": entries, "_ranked": ranked}
        return cls._of(own | {"_design": design, "_unit": unit})

    @property
    def _position(self) -> int:
        """The index of the positive label."""
        return position_of(self.labels, self.pos_label) or 0

    @property
    def _weight_of_one(self) -> float:
        """The mean weight of a sample; NaN where rows are sums of weights."""
        if not inputs.are_weighted(self._samples, self._entries):
            return 1.0
        return mean_of_present(self._samples.weights) if self._entries == "samples" else np.nan

    def _with_ends(self) -> Self:
        """The curve to choose a threshold from: unless they are given, with inf and -inf where no
        finite threshold has these counts.
        """
        if not (self.at_every_score or self._are_quantiles or self._entries in inputs.BINS):
            return self
        tp, fp, fn, tn = self.counts
        positives, negatives = tp[:1] + fn[:1], fp[:1] + tn[:1]
        nothing = np.zeros_like(positives)
        at_inf = (nothing, nothing, positives, negatives)
        below_all = (positives, negatives, nothing, nothing)
        is_new, is_new_below = tp[:1] + fp[:1] > 0, fn[-1:] + tn[-1:] > 0
        inf = np.array([np.inf], dtype=self.thresholds.dtype)
        thresholds = np.concatenate([inf[is_new], self.thresholds, -inf[is_new_below]])
        counts = [
            np.concatenate([of_none[is_new], part, of_all[is_new_below]])
            for of_none, part, of_all in zip(at_inf, self.counts, below_all, strict=True)
        ]
        return self._of(vars(self) | {"thresholds": thresholds, "counts": ClassCounts(*counts)})

    @property
    def _weighed(self) -> Samples:
        """The samples with the weights by which they are counted."""
        if self._prevalence is None:
            return self._samples
        factors = factors_at(self, self._prevalence)
        own = weights_of(self._samples)
        return self._samples._replace(weights=own * factors[self._samples.positive.astype(np.intp)])


def read_design(design: SampleDesign | Mapping[str, Any]) -> SampleDesign:
    """A design, which pickles have as plain values."""
    return design_of_plain(design) if isinstance(design, Mapping) else design


def factors_at(curve: CurveData, prevalence: float) -> NDArray[np.float64]:
    """How many times the negative and the positive samples count at a prevalence."""
    labels = curve.labels if curve._position else curve.labels[::-1]
    weights = weights_of(curve._samples)
    totals = np.bincount(curve._samples.positive, weights, minlength=2)
    return factors_of_rows(labels, totals, np.array([1]), np.array([prevalence]))


def joined(sides: Sequence[Samples]) -> Samples:
    """The samples of several curves; those without clusters are clusters of their own."""
    scores, positive = (np.concatenate([side[k] for side in sides]) for k in (0, 1))
    weights = None
    if any(side.weights is not None for side in sides):
        weights = np.concatenate([weights_of(side) for side in sides])
    return Samples(scores, positive, weights, _joined_clusters(sides))


def _joined_clusters(sides: Sequence[Samples]) -> NDArray[np.int64] | None:
    """The code of each sample's cluster, by name the same in all curves."""
    of_sides = [side.clusters for side in sides if side.clusters is not None]
    if not of_sides:
        return None
    names = reduce(sorted_union, map(np.unique, of_sides))
    n_clusters, codes = len(names), []
    for side in sides:
        if side.clusters is not None:
            codes.append(positions_in(names, side.clusters))
            continue
        n_alone = len(side.scores)
        codes.append(np.arange(n_clusters, n_clusters + n_alone))
        n_clusters += n_alone
    return np.concatenate(codes)


def rows_of(curve: CurveData) -> Samples:
    """The samples that count, identical ones as rows of their own."""
    if curve._parts:
        return joined([rows_of(part) for part in curve._parts])
    samples = with_weight(curve._samples)
    if curve._entries not in ("frequencies", "counts"):
        return samples
    times = np.asarray(samples.weights).astype(np.int64)
    if times.sum() > MOST_ROWS:
        raise ValueError(
            f"{times.sum()} samples would take too much memory as rows of their own: use fewer."
        )
    row = np.repeat(np.arange(len(times)), times)
    clusters = samples.clusters
    if clusters is not None and curve._unit == "sample":
        clusters = _numbered(codes_of_clusters(clusters), times)
    elif clusters is not None:
        clusters = clusters[row]
    return Samples(samples.scores[row], samples.positive[row], None, clusters)


def _numbered(codes: NDArray[np.int64], times: NDArray[np.int64]) -> NDArray[np.int64]:
    """The name of each of the samples that a row stands for, the same wherever they are counted."""
    times_of_name = np.zeros(codes.max() + 1, dtype=np.int64)
    times_of_name[codes] = times
    first_of_name = np.cumsum(times_of_name) - times_of_name
    number = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
    return np.asarray(first_of_name[np.repeat(codes, times)] + number)


def weights_of(samples: Samples) -> NDArray[Any]:
    """The weight of each sample."""
    if samples.weights is None:
        return np.ones(len(samples.scores), dtype=np.int64)
    return samples.weights
