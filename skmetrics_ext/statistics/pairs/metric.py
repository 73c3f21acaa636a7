"""A metric of two models on the same samples: its value, and the class of function it is."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.averages import kind_of_average
from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.counting.counted import CountedMatrix
from skmetrics_ext.counting.counts import Margins, margins_of
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.estimand import (
    Estimand,
    estimand_of,
    range_of,
    range_of_differences,
    value_of_each_class,
    value_of_matrices,
)
from skmetrics_ext.statistics.values.delta import ValueOfMatrix

# Samples that differ in value by less have the same.
SAME = 1e-12
# The rows of a table of one class against the rest that may be all that count.
ROWS_OF_TWO = ((True, True), (False, True), (True, False))


class ShareOfBoth(NamedTuple):
    """A difference that is one of two proportions of the same samples, those of true classes."""

    # The hits (n_classes, n_classes), and the actual classes (n_classes,) that count.
    hits: NDArray[np.bool_]
    counted: NDArray[np.bool_]
    # By how much the metric rises with the proportion.
    slope: float = 1.0


class PairedMetric(NamedTuple):
    """A metric with one value per model, and its form if it is a proportion."""

    # With its average resolved: None means a single class.
    choice: Choice
    value: ValueOfMatrix
    # The lowest and the highest value, and what is possible of a difference.
    ends: Limits
    possible: Limits
    share: ShareOfBoth | None = None
    # Whether it is a proportion of samples that predictions alone select.
    is_predictive: bool = False
    # The stratum (n_classes,) of each actual class if only the rates within strata count, not their
    # sizes.
    strata: NDArray[np.int64] | None = None
    # The class that it is of, if it is of one.
    label: Any = None

    @property
    def possible_ratios(self) -> Limits:
        """What is possible of a ratio."""
        least, most = self.ends
        return Limits(ratio(least, most), ratio(most, least))

    @property
    def classes(self) -> list[str]:
        """The classes of function that it is of, by their names in the table of methods."""
        are = {
            "share": self.share is not None,
            "share from 0": self.share is not None and bool(self.ends.low == 0),
            "share of predicted": self.is_predictive,
        }
        return [name for name, is_of in are.items() if is_of]


def paired_metric(counted: CountedMatrix, choice: Choice) -> PairedMetric:
    """A choice with one value over the classes of all models."""
    row, n_classes = choice.row, len(counted.order)
    if row.has_average:
        choice = _with_one_value(choice)
    estimand = estimand_of(counted, choice)
    value = ValueOfMatrix(
        of=_value_of(counted, choice),
        n_classes=n_classes,
        margins_suffice=row.has_average or row.is_product or not choice.takes_matrix,
        of_each=value_of_each_class(counted, choice),
    )
    strata = None
    if estimand.is_of_actual():
        strata = _roles(estimand, n_classes) if estimand.is_of_one_class else np.arange(n_classes)
    share = _share_of_actual(estimand, n_classes, value)
    if share is not None and not row.has_slope:
        value = _linear_in(share, value)
    return PairedMetric(
        choice=choice,
        value=value,
        ends=range_of(counted, choice),
        possible=range_of_differences(counted, choice),
        share=share,
        is_predictive=_is_predictive(estimand),
        strata=strata,
        label=estimand.label,
    )


def _linear_in(share: ShareOfBoth, value: ValueOfMatrix) -> ValueOfMatrix:
    """The linear function of a proportion that a value is, whose derivatives have no kinks."""
    counted = share.counted[:, None]

    def share_of(matrices: Array) -> Array:
        """The proportion."""
        hits, n = ((matrices * of).sum((-2, -1)) for of in (share.hits & counted, counted))
        return ratio(hits, n)

    even = np.ones((value.n_classes, value.n_classes))
    at_none = value.of(value.counts_of(even.ravel())) - share.slope * share_of(even)
    return ValueOfMatrix(
        lambda matrices: at_none + share.slope * share_of(matrices), value.n_classes, False
    )


def _value_of(counted: CountedMatrix, choice: Choice) -> Callable[[Any], Array]:
    """The value of matrices or margins: of an average, of all classes, or of the only class."""
    value_of = value_of_matrices(counted, choice)
    if choice.row.is_product:
        # Classes without samples would make a product 0.
        is_actual = counted.margins.row_sums > 0
        of_actual = value_of_matrices(
            CountedMatrix(counted.matrix, counted.order[is_actual]), choice
        )
        return lambda counts: of_actual(
            Margins(*(part[..., is_actual] for part in margins_of(counts)))
        )
    if choice.row.has_average and choice.average is None:
        return lambda counts: np.asarray(value_of(counts)[..., 0])
    return value_of


def _with_one_value(choice: Choice) -> Choice:
    """A choice whose average gives one value."""
    average = choice.average
    if choice.labels is not None and len(choice.labels) == 1 and average != "binary":
        # An average of one class is that class.
        return choice._replace(average=None)
    if average is None:
        raise ValueError(
            f"a comparison needs one value per model, but average=None of {choice.asked} gives "
            "one per class: choose an average, or one class with pos_label=."
        )
    if average == "samples":
        raise ValueError(
            "average='samples' needs multilabel data, but a comparison needs one label per sample."
        )
    if kind_of_average(average).is_worst:
        raise ValueError(
            "there is no valid confidence interval or p-value for a difference between worst "
            f"values of {choice.asked}: compare one class with pos_label=, or an average "
            "such as 'macro'."
        )
    return choice


def _roles(estimand: Estimand, n_classes: int) -> NDArray[np.int64]:
    """1 for the only class, 0 for all others (n_classes,)."""
    return np.isin(np.arange(n_classes), np.asarray(estimand.positions)).astype(np.int64)


def _share_of_actual(
    estimand: Estimand, n_classes: int, value: ValueOfMatrix
) -> ShareOfBoth | None:
    """A linear function of a proportion of samples that true labels alone select."""
    if estimand.choice.row.is_custom:
        return None
    if estimand.is_of_one_class:
        found = (_share_by_sample(estimand.value_of, np.array(rows)) for rows in ROWS_OF_TWO)
        share = next((share for share in found if share is not None), None)
        if share is None:
            return None
        roles = _roles(estimand, n_classes)
        return share._replace(hits=share.hits[roles[:, None], roles], counted=share.counted[roles])
    if estimand.proportion is not None:
        return _share_of_all(estimand)
    if estimand.choice.row.kind != "linear over linear":
        return None
    return _share_by_sample(value.of, np.ones(n_classes, dtype=bool))


def _is_predictive(estimand: Estimand) -> bool:
    """Whether it is a proportion of the samples of a predicted class."""
    if estimand.choice.row.is_custom or not estimand.is_of_one_class:
        return False

    def of_turned(tables: Array) -> Array:
        """The value with actual and predicted classes exchanged."""
        return estimand.value_of(tables.swapaxes(-1, -2))

    return any(_share_by_sample(of_turned, np.array(rows)) for rows in ROWS_OF_TWO[1:])


def _share_of_all(estimand: Estimand) -> ShareOfBoth | None:
    """The same over all or some classes."""
    assert estimand.proportion is not None, "a proportion"
    value_at = estimand.proportion.value_at
    low, middle, high = (float(value_at(np.array(at))) for at in (0.25, 0.5, 0.75))
    (of_samples,) = estimand.counted_shares()
    counts = of_samples.hits_in | of_samples.misses_in
    counted = np.asarray(counts.any(-1))
    is_of_actual = (counts == counted[:, None]).all()
    if abs(low + high - 2 * middle) > SAME or not is_of_actual:
        return None
    hits = of_samples.hits_in if low < high else of_samples.misses_in
    return ShareOfBoth(hits, counted, 2 * abs(high - low))


def _share_by_sample(
    value_of: Callable[[Any], Array], counted: NDArray[np.bool_]
) -> ShareOfBoth | None:
    """A mean over the samples of these classes, each of one of two values that are equally far
    apart in all classes: not all formulas show that they are a proportion.
    """
    n_classes = len(counted)
    some = np.random.default_rng(0).uniform(1, 2, (n_classes, n_classes))
    # Values that are infinite or undefined are no mean.
    with np.errstate(invalid="ignore"):
        of_samples = np.stack([value_of(of_row) for of_row in _samples_of_each(n_classes)])[counted]
        mean = np.average(of_samples, weights=some[counted])
        least = of_samples.min(-1, keepdims=True)
        slope = (of_samples - least).max()
        is_hit: NDArray[np.bool_] = of_samples - least > slope / 2
        is_one_of_two = np.abs(of_samples - least - slope * is_hit) <= SAME * slope
        is_mean = abs(value_of(some) - mean) <= SAME * slope
    if not (slope > 0 and is_one_of_two.all() and is_mean):
        return None
    hits = np.zeros((n_classes, n_classes), dtype=bool)
    hits[counted] = is_hit
    return ShareOfBoth(hits, counted, float(slope))


def _samples_of_each(n_classes: int) -> Iterator[Array]:
    """For each actual class the matrices (n_classes, n_classes, n_classes) of one sample."""
    each = np.arange(n_classes)
    for actual in each:
        matrices = np.zeros((n_classes, n_classes, n_classes))
        matrices[each, actual, each] = 1
        yield matrices
