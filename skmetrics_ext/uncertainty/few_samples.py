"""How many samples a value rests on: those that the metric counts, which are those of its denominator."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.counts import two_by_two
from skmetrics_ext.reading.order import plain
from skmetrics_ext.uncertainty.methods import TWO_SHARES, carried, two_quotients
from skmetrics_ext.uncertainty.permuted_groups import is_of_actual
from skmetrics_ext.uncertainty.question import Array, Question, value_of_one_class

# One of fewer samples moves a share by more than a tenth.
FEW = 10
MOST_NAMED = 10


def samples_counted(question: Question) -> Array:
    """How many samples each value rests on: of several denominators, or of the classes of an average, the fewest.

    Classes without any are no part of an average; infinite where it has none. Of association over all classes it is
    the smallest actual or predicted class.
    """
    if question.counts is not None and question.average in ("macro", "worst"):
        tables, value_of = two_by_two(question.counts), value_of_one_class(question.choice)
        of_classes = question._replace(average=None, matrices=tables, value_of=value_of)
        return _fewest(samples_counted(of_classes))
    if (share := carried(question)) is not None:
        return share.n
    if question.choice.row.interval == "biased":
        return np.minimum(*(_fewest(question.matrices.sum(axis)) for axis in (-1, -2)))
    if question.is_of_one_class and question.choice.row.name in TWO_SHARES:
        return np.minimum(*(n for _, n in two_quotients(question)))
    if is_of_actual(question):
        actual = question.matrices.sum(-1)
        return np.asarray(actual.min(-1)) if question.is_of_one_class else _fewest(actual)
    n = question.matrices.sum((-2, -1))
    if question.choice.row.is_own or not _needs_others(question):
        return np.asarray(n)
    right = np.diagonal(question.matrices, axis1=-2, axis2=-1)
    return np.asarray(n - (right[..., 0] if question.is_of_one_class else right.max(-1)))


def with_numbers(names: NDArray[Any], numbers: Array) -> str:
    """Names for a message, each with its number of samples, the first few of many."""
    few = [f"{name!r} ({number:g})" for name, number in zip(plain(names), numbers[:MOST_NAMED], strict=False)]
    rest = len(names) - MOST_NAMED
    return ", ".join([*few, *([f"{rest} more"] if rest > 0 else [])])


def _fewest(of_classes: Array) -> Array:
    """The fewest of the classes that have any."""
    return np.asarray(np.min(of_classes, -1, where=of_classes > 0, initial=np.inf))


def _needs_others(question: Question) -> bool:
    """Whether samples of one class that are predicted so, true negatives of one class, have no value by themselves."""
    alone = np.zeros(question.matrices.shape[-2:])
    alone[0, 0] = 1
    with np.errstate(divide="ignore", invalid="ignore"):
        return bool(np.isnan(question.value_of(alone)))
