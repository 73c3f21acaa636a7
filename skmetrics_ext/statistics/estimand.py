"""What is requested: a value as a function of matrices, and the proportions that determine it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.averages import AverageKind, kind_of_average
from skmetrics_ext.catalogue.choice import Choice, choice_of_classes
from skmetrics_ext.catalogue.properties import (
    ACTUAL_NEGATIVE,
    ACTUAL_POSITIVE,
    PRECISION,
    RECALL,
    RIGHT,
    Share,
)
from skmetrics_ext.catalogue.score import (
    ClassesRequest,
    classes_request,
    divided,
    lowest_and_highest,
    score,
)
from skmetrics_ext.counting.counted import Counted, CountedLabels, CountedMatrix
from skmetrics_ext.counting.counts import ClassCounts, Margins, as_floats, margins_of, two_by_two
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.formulas import all_classes
from skmetrics_ext.reading.order import plain, positions_in
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import NoLimitsError

# Added to an absent class, as a proportion of the samples.
TRACE = 1e-9
# A value without that class changes by less.
LARGEST_BY_TRACE = 1e-4
# Functions that have the same value of these for both classes have it of any.
SOME_TABLES = np.array([[[80.0, 20.0], [5.0, 45.0]], [[11.0, 3.0], [7.0, 2.0]]])


@dataclass(frozen=True, eq=False)
class Estimand:
    """The value to be estimated, as a function of matrices."""

    choice: Choice
    # The resolved average: None or "binary" for one class against the rest, or None over all
    # classes.
    average: str | None
    # Matrices as counted, (..., n_classes, n_classes), or (..., 2, 2) for one class against the
    # rest.
    matrices: Array
    # Values (...) of matrices (..., n_classes, n_classes), NaN where undefined.
    value_of: Callable[[Any], Array]
    # The lowest and the highest value of such counts, of all entries or of each.
    ends: Limits
    # The requested one-vs-rest counts; None over all classes.
    counts: ClassCounts | None = None
    # The classes of the last axis of the values, if it has them.
    labels: NDArray[Any] | None = None
    # The positions of classes with a table each; None for one matrix of all classes or labels.
    positions: NDArray[np.intp] | None = None
    # The weight of a pseudo-sample, of each entry (..., 1, 1).
    weight_of_one: Any = 1.0
    # Whether margins, counted once for many metrics, suffice.
    margins_suffice: bool = False
    # The values (..., n_classes) of which it is the plain mean, if it is.
    value_of_each: Callable[[Any], Array] | None = None
    # The classes of the matrices, if these are of all classes.
    order: NDArray[Any] | None = None
    # The single requested class; None for several or all classes.
    label: Any = None
    # Whether labels of a sample are requested together: matrices are then (..., n_labels, 4).
    is_of_labels: bool = False
    # Whether a little is added to the cells before resampling.
    is_smoothed: bool = True

    def at(self, place: tuple[int, ...]) -> Estimand:
        """The same of one entry alone, without its axes."""
        whole = np.broadcast_to(self.weight_of_one, (*self.matrices.shape[:-2], 1, 1))
        return replace(self, matrices=self.matrices[place], weight_of_one=whole[place])

    @cached_property
    def is_of_one_class(self) -> bool:
        """Whether each class has a value, from its own table."""
        return self.choice.row.has_average and self.average in (None, "binary")

    @property
    def smoothing(self) -> Array:
        """What is added to the cells before resampling: half a sample each with two classes, one in
        total with more, nothing to empty rows, nor to columns of classes that never occur.
        """
        if not self.is_smoothed:
            return np.zeros(self.matrices.shape)
        if self.is_of_one_class:
            return np.full(self.matrices.shape, 0.5 * self.weight_of_one)
        matrices = tables_of_labels(self.matrices) if self.is_of_labels else self.matrices
        is_actual = matrices.sum(-1) > 0
        occurs = is_actual | (matrices.sum(-2) > 0)
        cells = is_actual[..., :, None] & occurs[..., None, :]
        if self.is_of_labels:
            weight = np.asarray(self.weight_of_one)[..., None]
            return np.where(cells, 0.25 * weight, 0).reshape(self.matrices.shape)
        in_all = self.weight_of_one * (2 if matrices.shape[-1] == 2 else 1)
        return np.asarray(in_all * cells / np.maximum(cells.sum((-2, -1), keepdims=True), 1))

    @cached_property
    def value(self) -> Array:
        """The values of the matrices."""
        return self.value_of(self.matrices)

    @cached_property
    def kind(self) -> AverageKind:
        """What its average combines, and how."""
        return kind_of_average(self.average)

    def is_of_actual(self) -> bool:
        """Whether only the rates within actual classes count, not their sizes."""
        row = self.choice.row
        if self.rates is not None and _axis_of_rates(self) == -1:
            return True
        if row.has_average and not self.is_of_one_class:
            return row.averages_are_of_actual and self.kind.is_alike
        return row.is_of_actual or self.share == RECALL

    def depends_only_on_hits(self) -> bool:
        """Whether only how many of each actual class are right and wrong counts."""
        return self.value_of_each is not None and self.is_of_actual()

    @cached_property
    def class_counts(self) -> ClassCounts:
        """The counts of tables of one class against the rest."""
        return class_counts_of(self.matrices)

    @cached_property
    def proportion(self) -> CountedShare | None:
        """The proportion that a metric is a monotone function of; None for others."""
        row = self.choice.row
        if self.is_of_labels:
            return None
        if self.is_of_one_class and self.is_overlap:
            of_fp, of_fn = self.weights_of_errors
            return self.overlap if of_fp == of_fn or 0 in (of_fp, of_fn) else None
        if self.is_of_one_class:
            return self._counted(row.formula) if row.proportion else None
        if row.has_average:
            return _proportion_of_micro(self)
        return _proportion_over_all(self) if row.proportion else _proportion_of_two_costs(self)

    @cached_property
    def share(self) -> Share | None:
        """The rate that it is, if it is one; an overlap that counts one kind of error is."""
        if not (self.is_of_one_class and self.is_overlap):
            return self.choice.row.share
        of_one_kind = {(1.0, 0.0): PRECISION, (0.0, 1.0): RECALL}
        return of_one_kind.get(self.weights_of_errors, self.choice.row.share)

    @cached_property
    def costs(self) -> Array | None:
        """The value of one sample in each cell, of a linear function of all of them."""
        row, n_classes = self.choice.row, self.matrices.shape[-1]
        if row.has_average or row.kind != "linear over linear" or self.is_of_labels:
            return None
        cells = np.eye(n_classes**2).reshape(n_classes, n_classes, n_classes, n_classes)
        # Each in every entry, since those at a given prevalence have totals of their own.
        in_entries = n_classes, *(1,) * (self.matrices.ndim - 2), n_classes, n_classes
        with np.errstate(invalid="ignore"):
            costs = np.stack([self.value_of(of_row.reshape(in_entries)) for of_row in cells])
        # At a given prevalence a single sample has no value.
        return costs.reshape(n_classes, n_classes, -1)[..., 0] if np.isfinite(costs).all() else None

    @cached_property
    def is_overlap(self) -> bool:
        """Whether it is tp / (tp + a fp + b fn) of a class, or a function of such a proportion."""
        row = self.choice.row
        if row.proportion is not None or row.kind != "linear over linear" or not row.has_average:
            return row.proportion is not None and row.proportion.is_overlap
        right, *wrong, other = _value(self, *np.eye(4))
        return bool(right == 1 and np.isnan(other) and not np.nan_to_num(wrong).any())

    @property
    def counts_samples(self) -> bool:
        """Whether it is a proportion of samples, or of these and errors that do not overlap."""
        return self.choice.row.proportion is not None and not self.is_overlap

    @property
    def has_own_scale(self) -> bool:
        """Whether limits of one class are on the scale of a ratio."""
        return self.is_of_one_class and self.choice.row.is_ratio

    @cached_property
    def weights_of_errors(self) -> tuple[float, float]:
        """How much a false positive and a false negative count, of a true positive."""
        of_fp, of_fn = (
            float(1 / _value(self, tp=1, fp=1 - is_fn, fn=is_fn, tn=0) - 1) for is_fn in (0, 1)
        )
        return of_fp, of_fn

    @cached_property
    def overlap(self) -> CountedShare | None:
        """A Tversky index tp / (tp + a fp + b fn) as a function of tp / (tp + errors), of errors
        Kish's effective number: its odds have the variance of a binomial's. Their mean weight has a
        further error of each kind. None if it is no such index, or always 1.
        """
        if not (self.is_of_one_class and self.is_overlap):
            return None
        counts, (of_fp, of_fn) = self.class_counts, self.weights_of_errors
        if of_fp == of_fn == 0:
            return None
        fp, fn = counts.fp + 1, counts.fn + 1
        typical = (of_fp**2 * fp + of_fn**2 * fn) / (of_fp * fp + of_fn * fn)
        if of_fp == of_fn or 0 in (of_fp, of_fn):
            # Whatever the counts.
            typical = np.asarray(max(of_fp, of_fn))
        n = counts.tp + (of_fp * counts.fp + of_fn * counts.fn) / typical
        return self._counted(self._errors_counted)._replace(
            n=n, value_at=lambda share: ratio(share, share + typical * (1 - share))
        )

    @cached_property
    def rates(self) -> LinearInRates | None:
        """Two rates that a value is a linear function of: of both actual or both predicted classes;
        None of other functions, and of more classes.
        """
        axis = _axis_of_rates(self)
        if axis is None or self.is_of_labels or self.matrices.shape[-2:] != (2, 2):
            return None

        def value_at(*shares: float) -> float:
            """The value where both classes are equally frequent, and so many of each are right."""
            rows = np.array([[shares[0], 1 - shares[0]], [1 - shares[1], shares[1]]])
            return float(self.value_of(rows if axis == -1 else rows.T))

        middle = value_at(0.5, 0.5)
        rises = [4 * (value_at(*shares) - middle) for shares in ((0.75, 0.5), (0.5, 0.75))]
        of_class, is_right = np.eye(2, dtype=bool), np.eye(2, dtype=bool)
        shares = []
        for place, rise in enumerate(rises):
            among = of_class[place][:, None] if axis == -1 else of_class[place]
            hits_in, misses_in = is_right & among, ~is_right & among
            if rise < 0:
                hits_in, misses_in = misses_in, hits_in
            hits, misses = ((self.matrices * of).sum((-2, -1)) for of in (hits_in, misses_in))
            shares.append(CountedShare(hits, hits + misses, hits_in, misses_in))
        slopes = np.abs(rises)
        return LinearInRates(shares, slopes, middle - slopes.sum() / 2)

    def counted_shares(self) -> list[CountedShare]:
        """The proportion that a metric is a function of, or both, with their cells."""
        if self.proportion is not None:
            return [self.proportion]
        if self.rates is not None:
            return self.rates.shares
        of_both = self.choice.row.of_two_shares
        ways = [self._errors_counted] if of_both is None else [of_both.first, of_both.second]
        return [*map(self._counted, ways)]

    def _counted(self, way: Callable[[ClassCounts], tuple[Any, Any]]) -> CountedShare:
        """A proportion of one class; its cells are those in which a single sample is one."""
        hits, n = (part.reshape(2, 2) for part in way(class_counts_of(np.eye(4).reshape(4, 2, 2))))
        return CountedShare(*way(self.class_counts), hits > 0, n > hits)

    def _errors_counted(self, counts: ClassCounts) -> tuple[Any, Any]:
        """True positives, and these with the errors of an overlap, each kind counted or not."""
        of_fp, of_fn = self.weights_of_errors
        return counts.tp, counts.tp + (of_fp > 0) * counts.fp + (of_fn > 0) * counts.fn

    @property
    def is_of_two_shares(self) -> bool:
        """Whether MOVER joins the limits of two proportions."""
        of_both = self.choice.row.of_two_shares
        is_joined = self.is_of_one_class and of_both is not None and of_both.joined != "odds"
        return self.proportion is None and (is_joined or self.rates is not None)

    def n_samples(self) -> NDArray[np.int64]:
        """The samples of each value: of a proportion those in its denominator, else all."""
        share = self.proportion if self.counts_samples else None
        of_all = (
            self.matrices[..., 0, :].sum(-1) if self.is_of_labels else self.matrices.sum((-2, -1))
        )
        return np.asarray(np.rint(of_all if share is None else share.n)).astype(np.int64)

    def hits(self) -> Array | None:
        """The numerator of a metric that is a proportion of samples; None for other metrics."""
        is_itself = self.counts_samples and self.choice.row.share is not None
        return self.proportion.hits if is_itself and self.proportion is not None else None

    def occurring(self) -> NDArray[np.bool_]:
        """Which classes (..., n_classes) are actual or predicted ones."""
        return np.asarray((self.matrices.sum(-1) + self.matrices.sum(-2)) > 0)

    def depends_on_absent_classes(
        self, occurs: NDArray[np.bool_] | None = None
    ) -> NDArray[np.bool_]:
        """Where (...) a metric over all classes, or an average, depends on a class that occurs,
        maybe only in other entries, but without samples: a trace of it changes the value, or all
        predictions of a single actual class give the same.
        """
        matrices = self.matrices
        if self.order is None or len(self.order) < 2:
            return np.zeros(matrices.shape[:-2], dtype=bool)
        actual = matrices.sum(-1)
        # A value of two rates has both, even of a class that was never predicted.
        is_of_two = self.rates is not None
        occurs = (self.occurring() | is_of_two) if occurs is None else occurs
        is_absent = occurs & (actual == 0) & actual.any(-1, keepdims=True)
        if not is_absent.any():
            return np.zeros(matrices.shape[:-2], dtype=bool)
        trace = TRACE * actual.sum(-1)[..., None, None] * is_absent[..., None]
        right, wrong = np.eye(matrices.shape[-1]), np.roll(np.eye(matrices.shape[-1]), 1, axis=1)
        jumps = _differ(self, matrices + trace * right, matrices + trace * wrong)
        is_alone = (actual > 0).sum(-1) == 1
        half, quarter = (
            actual[..., None] * (share * right + (1 - share) * wrong) for share in (0.5, 0.25)
        )
        return np.asarray(jumps | (is_alone & ~_differ(self, half, quarter)))

    def samples_counted(self) -> Array:
        """The effective sample size of each value: the smallest of several denominators, of an
        average's classes, or of what association needs; infinite without any.
        """
        if self.counts is not None and self.kind.is_alike:
            tables, value_of = two_by_two(self.counts), value_of_one_class(self.choice)
            of_classes = replace(self, average=None, matrices=tables, value_of=value_of)
            return _fewest(of_classes.samples_counted())
        if (share := self.proportion) is not None:
            return share.n
        if self.choice.row.is_biased and self.choice.row.made_of is None:
            return np.minimum(*(_fewest(self.matrices.sum(axis)) for axis in (-1, -2)))
        if self.is_of_one_class and self.is_of_two_shares:
            return np.minimum(*(share.n for share in self.counted_shares()))
        if self.is_of_actual():
            actual = self.matrices.sum(-1)
            return np.asarray(actual.min(-1)) if self.is_of_one_class else _fewest(actual)
        n = self.matrices.sum((-2, -1))
        if self.choice.row.rests_on_others:
            return np.asarray(
                n - np.maximum(*(self.matrices.sum(axis).max(-1) for axis in (-1, -2)))
            )
        if self.choice.row.is_custom or not _needs_others(self):
            return np.asarray(n)
        right = np.diagonal(self.matrices, axis1=-2, axis2=-1)
        return np.asarray(n - (right[..., 0] if self.is_of_one_class else right.max(-1)))


def estimand_of(counted: Counted, choice: Choice, *, are_shares_given: bool = False) -> Estimand:
    """What is requested, for which matrices; the shares of their rows may be given."""
    counts = None
    ends = range_of(counted, choice, are_shares_given=are_shares_given)
    if choice.row.has_average:
        # "binary" refuses labels.
        are_averaged = kind_of_average(choice.average).combines in ("classes", "counts")
        if are_averaged and choice.labels is not None and len(choice.labels) == 1:
            # An average of one class is that class.
            asked = classes_request(counted, choice._replace(average=None))
            return _estimand_of_classes(counted, choice, asked, ends, "binary")
        if _is_alike_for_both(counted, choice):
            either = choice._replace(average=None, labels=counted.order[-1:])
            asked = classes_request(counted, either)
            one = _estimand_of_classes(counted, choice, asked, ends, "binary")
            return replace(one, label=None)
        asked = classes_request(counted, choice)
        if choice.average in (None, "binary"):
            return _estimand_of_classes(counted, choice, asked, ends, choice.average)
        if counted.multilabel:
            raise NoLimitsError(
                "the labels of a sample are not independent, so a matrix does not give the "
                "uncertainty of their "
                f"average {choice.average!r}: use each label, average=None. An interval of the "
                "average is given by metric_interval, or by samples that are counted with "
                "from_predictions(clusters=), each its own cluster."
            )
        counts = asked.counts
    return Estimand(
        choice=choice,
        average=choice.average,
        matrices=as_floats(counted.matrix),
        value_of=value_of_matrices(counted, choice),
        ends=ends,
        counts=counts,
        margins_suffice=choice.row.has_average or not choice.takes_matrix,
        value_of_each=value_of_each_class(counted, choice),
        order=counted.order,
    )


def _is_alike_for_both(counted: Counted, choice: Choice) -> bool:
    """Whether both of two classes, whose values are averaged, have the same value."""
    is_of_two = not counted.multilabel and len(counted.order) == 2 and choice.labels is None
    if not (is_of_two and kind_of_average(choice.average).combines == "classes"):
        return False
    value_of = value_of_one_class(choice)
    of_one, of_other = value_of(SOME_TABLES), value_of(SOME_TABLES[:, ::-1, ::-1])
    return np.allclose(of_one, of_other, rtol=1e-12, atol=0)


def _estimand_of_classes(
    counted: Counted, choice: Choice, asked: ClassesRequest, ends: Limits, average: str | None
) -> Estimand:
    """What is requested for each class, or for a single one against the rest."""
    tables = two_by_two(asked.counts)
    labels = label = None
    if asked.positive is not None:
        label, place = asked.positive
        # Beyond the last if the positive class never occurs.
        positions = np.array([len(counted.order) if place is None else place])
    else:
        names = np.asarray(asked.names)
        positions = positions_in(counted.order, names)
        if average is None:
            labels = names
        else:
            label = plain(names)[0]
    return Estimand(
        choice=choice,
        average=average,
        matrices=tables[..., 0, :, :] if labels is None else tables,
        value_of=value_of_one_class(choice),
        ends=ends,
        counts=asked.counts,
        labels=labels,
        positions=positions,
        label=label,
    )


def value_of_matrices(counted: Counted, choice: Choice) -> Callable[[Any], Array]:
    """The value of matrices, or of margins if these suffice, over the counted classes."""
    # Averages omit classes undefined in replicates.
    choice = choice.with_undefined(np.nan)._replace(sign=1)
    about = counted.order, counted.positive, counted.ranking
    weight = counted.weight_of_one
    return lambda counts: np.asarray(
        score(CountedMatrix(counts, *about, weight_of_one=weight), choice)
    )


def value_of_each_class(counted: Counted, choice: Choice) -> Callable[[Any], Array] | None:
    """Values (..., n_classes) whose mean a value is, by matrices or margins; None for others."""
    is_mean = choice.row.has_average and choice.average == "macro"
    of_each = choice._replace(average=None) if is_mean else choice_of_classes(choice)
    if of_each is None or choice.labels is not None:
        return None
    return value_of_matrices(counted, of_each)


def estimand_of_labels(counted: Counted, choice: Choice) -> Estimand:
    """What is requested for all labels of multilabel data together."""
    undefined_left_out = choice.with_undefined(np.nan)._replace(sign=1)

    def value_of(matrices: Array) -> Array:
        """The metric for a row of four cells per label."""
        counts = class_counts_of(tables_of_labels(matrices))
        return np.asarray(score(CountedLabels(counts, counted.order), undefined_left_out))

    tables = two_by_two(as_floats(counted.classes))
    matrices = tables.reshape(*tables.shape[:-2], 4)
    ends = range_of(counted, choice)
    return Estimand(choice, choice.average, matrices, value_of, ends, is_of_labels=True)


def tables_of_labels(matrices: Array) -> Array:
    """(..., n_labels, 4) as (..., n_labels, 2, 2)."""
    return matrices.reshape(*matrices.shape[:-1], 2, 2)


def value_of_one_class(choice: Choice) -> Callable[[Array], Array]:
    """The value of tables of one class against the rest."""
    return lambda tables: divided(choice.row.formula(class_counts_of(tables), **choice.parameters))


def class_counts_of(tables: Array) -> ClassCounts:
    """[[tn, fp], [fn, tp]] as tp, fp, fn and tn, one entry per table."""
    return ClassCounts(
        tp=tables[..., 1, 1], fp=tables[..., 0, 1], fn=tables[..., 1, 0], tn=tables[..., 0, 0]
    )


def clipped(limits: Limits, ends: Limits) -> Limits:
    """Limits within the range of a metric."""
    return Limits(*(np.clip(limit, *ends) for limit in limits))


def range_of(counted: Counted, choice: Choice, *, are_shares_given: bool = False) -> Limits:
    """The lowest and the highest value that such counts can have."""
    return Limits(
        *map(np.asarray, lowest_and_highest(counted, choice, are_shares_given=are_shares_given))
    )


def range_of_differences(counted: Counted, choice: Choice) -> Limits:
    """The lowest and the highest difference of two such values."""
    least, most = range_of(counted, choice)
    return Limits(least - most, most - least)


class CountedShare(NamedTuple):
    """A proportion, hits of n, the cells (n_rows, n_columns) of its hits and misses, and the
    monotone function of it that a value is.
    """

    hits: Array
    n: Array
    hits_in: NDArray[np.bool_]
    misses_in: NDArray[np.bool_]
    value_at: Callable[[Array], Array] = np.asarray


class LinearInRates(NamedTuple):
    """Two rates, and by how much a value rises with each from what it is without either."""

    shares: list[CountedShare]
    slopes: Array
    value_at_0: float


def _axis_of_rates(estimand: Estimand) -> int | None:
    """Over which axis cells are summed for the rates that a value is linear in; None for others."""
    row = estimand.choice.row
    if not (row.has_average and not estimand.is_of_one_class):
        of_row = row.kind_of_two or row.kind
        return {"linear in actual rates": -1, "linear in predicted rates": -2}.get(of_row)
    if estimand.average != "macro" or row.share is None or estimand.choice.labels is not None:
        return None
    among = row.share.among
    if among in (ACTUAL_POSITIVE, ACTUAL_NEGATIVE):
        return -1
    return -2 if row.share.is_predictive else None


def _proportion_over_all(estimand: Estimand) -> CountedShare | None:
    """Proportions of all samples."""
    row, n_classes = estimand.choice.row, estimand.matrices.shape[-1]
    of_share, proportion = row.of_share, row.proportion
    assert proportion is not None, "a proportion over all is declared"
    is_hit = np.eye(n_classes, dtype=bool) == (proportion.hits == RIGHT)
    way = row.formula if of_share is None else of_share.formula
    hits, n = way(margins_of(estimand.matrices))
    found = CountedShare(hits, n, is_hit, ~is_hit)
    if of_share is None:
        return found
    value_at = of_share.value_at
    return None if n_classes == 1 else found._replace(value_at=lambda of: value_at(of, n_classes))


def _proportion_of_two_costs(estimand: Estimand) -> CountedShare | None:
    """The samples of the higher of two costs."""
    costs = estimand.costs
    if costs is None or len(np.unique(costs)) != 2:
        return None
    low, high = costs.min(), costs.max()
    is_hit = costs == high
    hits, n = ((estimand.matrices * of).sum((-2, -1)) for of in (is_hit, 1))
    return CountedShare(hits, n, is_hit, ~is_hit, lambda share: low + (high - low) * share)


def _proportion_of_micro(estimand: Estimand) -> CountedShare | None:
    """A micro average of all classes, or of precision or recall; the average of recall by the
    classes' numbers is its micro average.
    """
    row = estimand.choice.row
    of_actual = row.share is not None and row.share.among == ACTUAL_POSITIVE
    is_micro = estimand.average == "micro" or (estimand.average == "weighted" and of_actual)
    if not is_micro or estimand.matrices.shape[-1] == 1:
        return None
    n_classes = estimand.matrices.shape[-1]
    is_right = np.eye(n_classes, dtype=bool)
    if estimand.choice.labels is None or estimand.order is None:
        # Each error is a false positive and a false negative.
        hits, n = all_classes.accuracy(margins_of(estimand.matrices))

        def value_at(share: Any) -> Array:
            """The value at an accuracy; where it is 0/0 that beside it."""
            at, beside = (
                _value(estimand, right, 1 - right, 1 - right, n_classes - 2 + right)
                for right in (share, np.clip(share, TRACE, 1 - TRACE))
            )
            return np.where(np.isnan(at), beside, at)

        return CountedShare(hits, n, is_right, ~is_right, value_at)
    if row.share not in (PRECISION, RECALL) or estimand.average != "micro":
        return None
    is_asked = np.isin(np.arange(n_classes), positions_in(estimand.order, estimand.choice.labels))
    # Recall is among rows, precision among columns.
    among = is_asked[:, None] if row.share == RECALL else is_asked
    counts = ClassCounts(*(part[..., 0] for part in estimand.counts or ()))
    hits, n = row.formula(counts)
    return CountedShare(hits, n, is_right & among, ~is_right & among)


def _value(estimand: Estimand, tp: Any, fp: Any, fn: Any, tn: Any) -> Array:
    """The metric of counts of one class."""
    parts = (np.asarray(part, dtype=float) for part in (tp, fp, fn, tn))
    counts = ClassCounts(*np.broadcast_arrays(*parts))
    return divided(estimand.choice.row.formula(counts, **estimand.choice.parameters))


def _differ(estimand: Estimand, first: Array, second: Array) -> Any:
    """Whether both matrices have values, and these differ."""
    with np.errstate(invalid="ignore"):
        return np.abs(estimand.value_of(first) - estimand.value_of(second)) > LARGEST_BY_TRACE


def hits_and_misses(matrices: NDArray[Any]) -> NDArray[Any]:
    """How many samples of each actual class are right and wrong (..., n_classes, 2)."""
    misses = np.where(np.eye(matrices.shape[-1], dtype=bool), 0, matrices).sum(-1)
    return np.stack([matrices.diagonal(axis1=-2, axis2=-1), misses], -1)


def margins_of_hits(hits: NDArray[Any]) -> Margins:
    """Margins for metrics of hits and misses, whatever the misses were predicted as."""
    right, wrong = hits[..., 0], hits[..., 1]
    return Margins(right, wrong, wrong, right)


def _fewest(of_classes: Array) -> Array:
    """The smallest number above 0 over the classes."""
    return np.asarray(np.min(of_classes, -1, where=of_classes > 0, initial=np.inf))


def _needs_others(estimand: Estimand) -> bool:
    """Whether right samples of one class alone (true negatives for one class) have no value."""
    alone = np.zeros(estimand.matrices.shape[-2:])
    alone[0, 0] = 1
    with np.errstate(divide="ignore", invalid="ignore"):
        return bool(np.isnan(estimand.value_of(alone)))
