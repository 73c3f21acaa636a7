"""Which class of function a value is, by its metric, its average and its counts."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from skmetrics_ext.catalogue.averages import kind_of_average
from skmetrics_ext.catalogue.choice import Choice, choice_of_classes, choose
from skmetrics_ext.catalogue.properties import RIGHT, WRONG, OverClasses
from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.counting.counted import CountedMatrix
from skmetrics_ext.statistics.estimand import Estimand, estimand_of
from skmetrics_ext.statistics.methods import METHODS, methods_for

# What equals a share at these is one: all are ratios of linear functions of it.
SOME_SHARES = np.array([0.25, 0.5, 0.75])
# Values between known ends whose variance the delta method finds.
OF_EFFECTIVE = (
    *("linear over linear", "smooth"),
    *("function of actual rates", "function of predicted rates"),
)


def fitting_methods(estimand: Estimand, design: str, *, by_row: bool = False) -> list[str]:
    """The methods for a value and a kind of design, the best first."""
    is_of_actual = estimand.is_of_actual() and estimand.matrices.shape[-2:] == (2, 2)
    # Others are distributed otherwise if numbers of actual classes are fixed.
    kind = "fixed margins" if by_row and not is_of_actual else design
    found = methods_for("value", kind, classes_of_function(estimand))
    if estimand.proportion is not None or has_slope(estimand.choice.row, estimand.average):
        return [*found]
    return [name for name in found if METHODS[name].needs not in ("derivatives", "readings")]


def classes_of_function(estimand: Estimand) -> Iterator[str]:
    """The classes of function of a value, the narrowest first."""
    share, is_of_one = estimand.share, estimand.is_of_one_class
    if estimand.proportion is not None:
        counts_both = estimand.is_overlap and min(estimand.weights_of_errors) > 0
        if counts_both and (is_of_one or not is_share(estimand)):
            yield "function of a share"
        elif not is_of_one or (share is not None and share.hits in (RIGHT, WRONG)):
            yield "share of both errors"
        yield "share"
    elif estimand.overlap is not None:
        yield "overlap"
    if estimand.is_of_two_shares:
        if estimand.has_own_scale:
            yield "ratio of two rates"
        yield "two rates"
    if estimand.has_own_scale:
        yield "ratio"
    if has_effective_number(estimand):
        yield "bounded"
    if is_bounded_mean(estimand):
        yield "mean of classes"


def methods_of_metric(row: Metric, design: str, n_classes: int = 2) -> list[str]:
    """The methods for one class, or for all of so many, by an example of each."""
    return fitting_methods(example_of(row, n_classes), design)


def example_of(row: Metric, n_classes: int = 2) -> Estimand:
    """A value of a metric, of one class or of all of so many."""
    matrix = np.full((n_classes, n_classes), 10.0) + 20 * np.eye(n_classes)
    costs = (1 - np.eye(n_classes)) * np.arange(1, n_classes + 1)
    typical: dict[str, Any] = {"beta": 2.0, "threshold_probability": 0.2, "cost_matrix": costs}
    choice = choose(row, **{name: typical[name] for name in row.required})
    if isinstance(row.made_of, OverClasses) and row.made_of.how == "largest":
        choice = choice_of_classes(choice) or choice
    counted = CountedMatrix(matrix, np.arange(n_classes), n_classes - 1)
    return estimand_of(counted, choice)


def named(estimand: Estimand) -> str:
    """A metric and its average for a message."""
    name = estimand.choice.asked
    if not estimand.choice.row.has_average:
        return name
    if estimand.is_of_one_class:
        return f"{name} of one class"
    return f"{name} with average={estimand.average!r}"


def has_slope(row: Metric, average: str | None) -> bool:
    """Whether the value is differentiable everywhere."""
    return row.has_slope and not kind_of_average(average).is_worst


def has_effective_number(estimand: Estimand) -> bool:
    """Whether a value is in a known range, and no mean of classes, whose bias adds up, nor of cells
    of three or more classes, most of which are empty.
    """
    row = estimand.choice.row
    is_of_classes = row.has_average and not estimand.is_of_one_class
    if is_of_classes or row.is_steep or row.kind not in OF_EFFECTIVE:
        return False
    is_linear = row.kind == "linear over linear"
    has_few_parts = estimand.margins_suffice or is_linear or estimand.matrices.shape[-1] == 2
    least, most = estimand.ends
    return has_few_parts and bool(np.isfinite(most - least).all() and (most > least).all())


def is_bounded_mean(estimand: Estimand) -> bool:
    """Whether a value in a known range is the mean of those of the classes, smooth functions."""
    row = estimand.choice.row
    is_over_classes = isinstance(row.made_of, OverClasses) and row.made_of.how == "mean"
    is_mean = estimand.kind.is_mean_of_classes and not estimand.is_of_one_class
    if not (is_mean or is_over_classes) or row.is_steep or row.is_ratio:
        return False
    is_smooth = row.has_slope and row.kind not in ("biased", "unknown")
    return is_smooth and bool(np.isfinite(estimand.ends.high - estimand.ends.low).all())


def is_share(estimand: Estimand) -> bool:
    """Whether a value is itself a proportion of samples."""
    share = estimand.proportion
    return share is not None and np.allclose(share.value_at(SOME_SHARES), SOME_SHARES)


def is_linear_in_share(estimand: Estimand) -> bool:
    """Whether a value rises or falls with a proportion of samples by as much everywhere."""
    share = estimand.proportion
    if share is None:
        return False
    first, middle, last = share.value_at(SOME_SHARES)
    return bool(np.isclose(last - middle, middle - first))


def choice_of_each(estimand: Estimand) -> Choice | None:
    """The values of the classes of which a value is the mean; None for others, and if unbounded."""
    choice = estimand.choice
    if isinstance(choice.row.made_of, OverClasses) and choice.row.made_of.how == "mean":
        return choice_of_classes(choice)
    is_mean = estimand.kind.is_mean_of_classes and not estimand.is_of_one_class
    # If an empty cell makes a class infinite, averages have no valid interval.
    return choice._replace(average=None) if is_mean and not choice.row.is_infinite_at_0 else None
