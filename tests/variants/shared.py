"""What many rows share: words, and how results are read."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.results import Interval
from tests.variants.samples import (
    GROUPS,
    LOSS,
    NINE,
    ONE_CLASS,
    PERMUTED,
    PERMUTED_GROUPS,
    PERMUTED_WEIGHTS,
    RANGE,
    TWO_AXES,
)
from tests.variants.table import Cell, Expects, Row, refused, warned, without_groups
from tests.variants.variant import Variant

# Why a cell would say nothing.
NO_GROUPS = "takes no groups"
NO_SAMPLES = "a matrix has no samples, so no index"
NO_METRIC = "counts, whatever the metric"
PARTS = "each part needs samples"
NO_LOSS = "an area is no loss"
NO_CLASS_POSITIVE = "neither class is positive"
SELECTS = "labels= select what is averaged"

# Words of errors and warnings.
OTHER_ORDER = "same index in different orders"
PARTLY_SHARED = "only some entries in common"
UNDEFINED = r"is undefined \(0/0\)"

# What several rows have in these columns.
INDICES = {
    **dict.fromkeys([PERMUTED, PERMUTED_GROUPS, PERMUTED_WEIGHTS], refused(OTHER_ORDER)),
    RANGE: warned(PARTLY_SHARED),
}
OF_MATRIX = dict.fromkeys([PERMUTED, PERMUTED_GROUPS, PERMUTED_WEIGHTS, RANGE], NO_SAMPLES)
ONLY_COUNTS = {LOSS: NO_METRIC, ONE_CLASS: SELECTS}
WITHOUT_GROUPS = dict.fromkeys([GROUPS, PERMUTED_GROUPS, TWO_AXES, NINE], NO_GROUPS)
# X and y are in one order, whatever their indices say, as in scikit-learn; weights have names.
OF_MODEL = {**WITHOUT_GROUPS, PERMUTED_WEIGHTS: refused(OTHER_ORDER)}


def row_of_model(
    names: tuple[str, ...],
    call: Callable[[Variant], Any],
    expects: Expects,
    cells: Mapping[str, Cell | str],
) -> Row:
    """A row of a model without groups, where an entry without samples is the positive class."""
    return Row(names, without_groups(call), without_groups(expects), OF_MODEL | cells)


def of_positive(cm: ConfusionMatrix) -> NDArray[Any]:
    """tp, fp, fn and tn of the positive class, or of each class by name if none is positive."""
    found = np.stack(cm.class_counts, axis=-1)
    if cm.pos_label is None:
        return found[..., np.argsort(cm.labels), :]
    return found[..., cm.labels.tolist().index(cm.pos_label), :]


def limits(interval: Interval) -> NDArray[np.float64]:
    """The value with both limits, along the last axis; the axes are those of the value."""
    assert np.shape(interval.value) == tuple(len(axis.coordinates) for axis in interval.axes)
    return np.stack([interval.value, interval.low, interval.high], axis=-1)


def fields_of(cm: ConfusionMatrix) -> list[Any]:
    """Axes, labels, the positive class, the ranking, and whether counts are sums of weights."""
    axes = {axis.name: axis.coordinates.tolist() for axis in cm.axes}
    ranking = None if cm.ranking is None else cm.ranking.tolist()
    return [axes, cm.labels.tolist(), cm.pos_label, ranking, cm._design.are_weights]


def expected_fields(v: Variant) -> list[Any]:
    coordinates = [sorted(set(of)) for of in zip(*v.entries, strict=True)] if v.axes else []
    axes = dict(zip(v.axes, coordinates, strict=True))
    positive = None if v.classes else v.positive.get("pos_label", 1)
    return [axes, v.order, positive, None, bool(v.weight)]
