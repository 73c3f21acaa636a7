"""Counts and a choice -> the matrices that were counted, and the value of any others of their shape."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.positive import positive_of
from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.score import asked_of_classes, divided, position_of_positive, score
from skmetrics_ext.counting.counted import Counted, CountedLabels, CountedMatrix
from skmetrics_ext.counting.counts import ClassCounts, as_floats, two_by_two
from skmetrics_ext.reading.order import plain, positions_in

Array = NDArray[np.float64]


class Question(NamedTuple):
    """The value of which the limits are sought, as a function of matrices."""

    choice: Choice
    average: str | None
    """Settled: None or "binary" for one class against the rest; None, too, of a metric over all classes."""
    matrices: Array
    """Those that were counted, (..., n_classes, n_classes), or (..., 2, 2) of one class against the rest."""
    value_of: Callable[[Any], Array]
    """Values (...) of matrices (..., n_classes, n_classes), NaN where undefined."""
    counts: ClassCounts | None = None
    """Those of one class against the rest that are asked for; None of a metric over all classes."""
    labels: NDArray[Any] | None = None
    """The classes of the last axis of the values, if it has them."""
    positions: NDArray[np.intp] | None = None
    """Where the classes stand that have a table each; None of one matrix of all classes, or of all labels."""
    unit: float = 1.0
    """The weight of a pseudo-sample."""
    margins_suffice: bool = False
    """Whether the value of matrices is that of their margins, too, which are counted once for many metrics."""
    order: NDArray[Any] | None = None
    """The classes of the matrices, if these are of all classes."""
    label: Any = None
    """The one class that is asked for; None of several, and of all."""
    is_of_labels: bool = False
    """Whether all labels of a sample are asked for together: then the matrices are (..., n_labels, 4)."""

    @property
    def is_of_one_class(self) -> bool:
        """Whether there is one value a class, of its own table."""
        return self.choice.row.has_average and self.average in (None, "binary")

    @property
    def smoothing(self) -> Array:
        """What is added to the cells before they are drawn: half a sample each of two classes, one in all of more.

        Rows without samples stay empty, and so do columns of classes that never occur: nothing is known of them.
        """
        if self.is_of_one_class:
            return np.full(self.matrices.shape, 0.5 * self.unit)
        matrices = tables_of_labels(self.matrices) if self.is_of_labels else self.matrices
        is_actual = matrices.sum(-1) > 0
        occurs = is_actual | (matrices.sum(-2) > 0)
        cells = is_actual[..., :, None] & occurs[..., None, :]
        if self.is_of_labels:
            return np.where(cells, 0.25 * self.unit, 0).reshape(self.matrices.shape)
        in_all = self.unit * (2 if matrices.shape[-1] == 2 else 1)
        return np.asarray(in_all * cells / np.maximum(cells.sum((-2, -1), keepdims=True), 1))


def question_of(counted: Counted, choice: Choice) -> Question:
    """What is asked of which matrices."""
    counts = None
    if choice.row.has_average:
        asked = asked_of_classes(counted, choice)
        are_averaged = asked.average in ("macro", "micro", "weighted", "worst")
        if are_averaged and choice.labels is not None and len(choice.labels) == 1:
            # An average of one class is that class.
            counts = asked_of_classes(counted, choice._replace(average=None)).counts
            tables, places = two_by_two(as_floats(counts))[..., 0, :, :], _places(counted, choice, choice.labels)
            label = plain(choice.labels)[0]
            return Question(choice, "binary", tables, value_of_one_class(choice), counts, None, places, label=label)
        if asked.average in (None, "binary"):
            labels = asked.names if asked.average is None and isinstance(asked.names, np.ndarray) else None
            tables = two_by_two(as_floats(asked.counts))
            tables = tables if labels is not None else tables[..., 0, :, :]
            places = _places(counted, choice, labels)
            label = positive_of(counted.known, choice.positive, counted.positive) if labels is None else None
            return Question(
                choice, asked.average, tables, value_of_one_class(choice), asked.counts, labels, places, label=label
            )
        if counted.multilabel:
            raise ValueError(
                f"the labels of a sample depend on each other, so that a matrix does not tell how sure their average "
                f"{asked.average!r} is: take the interval of each label, average=None, or pass the labels of the "
                "samples to metric_interval."
            )
        choice, counts = choice._replace(average=asked.average), asked.counts
    return Question(
        choice,
        choice.average,
        as_floats(counted.matrix),
        value_of_matrices(counted, choice),
        counts,
        margins_suffice=choice.row.has_average or not choice.takes_matrix,
        order=counted.order,
    )


def value_of_matrices(counted: Counted, choice: Choice) -> Callable[[Any], Array]:
    """The value of matrices, or of their margins where these are enough, over the classes that were counted."""
    undefined_left_out = _leaving_out(choice)

    def value_of(counts: Any) -> Array:
        """The metric of a matrix over all classes."""
        return np.asarray(
            score(CountedMatrix(counts, counted.order, counted.positive, counted.ranking), undefined_left_out)
        )

    return value_of


def question_of_labels(counted: Counted, choice: Choice) -> Question:
    """What is asked of all labels of multilabel data together."""
    if choice.row.has_average:
        choice = choice._replace(average=asked_of_classes(counted, choice).average)
    undefined_left_out = _leaving_out(choice)

    def value_of(matrices: Array) -> Array:
        """The metric of a row of four cells a label."""
        counts = class_counts_of(tables_of_labels(matrices))
        return np.asarray(score(CountedLabels(counts, counted.order), undefined_left_out))

    matrices = two_by_two(as_floats(counted.classes)).reshape(-1, 4)
    return Question(choice, choice.average, matrices, value_of, is_of_labels=True)


def tables_of_labels(matrices: Array) -> Array:
    """(..., n_labels, 4) as (..., n_labels, 2, 2)."""
    return matrices.reshape(*matrices.shape[:-1], 2, 2)


def _leaving_out(choice: Choice) -> Choice:
    """The choice for replicates: a class that is undefined there is left out of its average."""
    return choice._replace(zero_division=np.nan, sign=1)


def _places(counted: Counted, choice: Choice, labels: NDArray[Any] | None) -> NDArray[np.intp]:
    """Where the classes stand that are asked for, each for itself; behind all where the positive one never occurs."""
    if labels is not None:
        return positions_in(counted.order, labels)
    place = position_of_positive(counted, choice.positive)
    return np.array([len(counted.order) if place is None else place])


def value_of_one_class(choice: Choice) -> Callable[[Array], Array]:
    """The value of tables of one class against the rest."""

    def value_of(tables: Array) -> Array:
        """The metric of one class."""
        return divided(choice.row.formula(class_counts_of(tables), **choice.parameters))

    return value_of


def class_counts_of(tables: Array) -> ClassCounts:
    """[[tn, fp], [fn, tp]] as tp, fp, fn and tn, one entry a table."""
    return ClassCounts(*(tables[..., i, j] for i, j in ((1, 1), (0, 1), (1, 0), (0, 0))))
