"""Which class of function a value is, by its metric, its average and its counts."""

from collections.abc import Iterator

import numpy as np

from skmetrics_ext.catalogue.averages import kind_of_average
from skmetrics_ext.catalogue.choice import Choice, choice_of_classes
from skmetrics_ext.catalogue.properties import RIGHT, WRONG
from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.counting.design import SampleDesign
from skmetrics_ext.statistics.estimand import SHARES, Estimand
from skmetrics_ext.statistics.methods import METHODS, methods_for
from skmetrics_ext.statistics.values.delta import SCALES

# What equals a share at these is one: all are ratios of linear functions of it.
SOME_SHARES = np.array([0.25, 0.5, 0.75])
# Values whose replicates' bias exceeds their uncertainty, unless their method allows for it.
BIASED = ("quantity", "allocation", "biased", "largest share")


def fitting_methods(estimand: Estimand, design: SampleDesign, *, by_row: bool) -> list[str]:
    """The methods for a value and a design, the best first."""
    is_of_actual = estimand.is_of_actual() and (
        estimand.is_of_one_class or estimand.rates is not None
    )
    # Others are distributed otherwise if numbers of actual classes are fixed.
    kind = "fixed margins" if by_row and not is_of_actual else design.kind
    found = methods_for("value", kind, classes_of_function(estimand))
    if has_slope(estimand.choice.row, estimand.average):
        return [*found]
    return [name for name in found if METHODS[name].needs != "derivatives"]


def classes_of_function(estimand: Estimand) -> Iterator[str]:
    """The classes of function of a value, the narrowest first."""
    row, is_of_one = estimand.choice.row, estimand.is_of_one_class
    has_scale = is_of_one and row.interval in SCALES
    if estimand.proportion is not None:
        is_any = is_of_one or row.interval in SHARES or is_share(estimand)
        if (row.interval == "overlap" and is_of_one) or not is_any:
            yield "function of a share"
        elif not is_of_one or (row.share is not None and row.share.hits in (RIGHT, WRONG)):
            yield "share of both errors"
        yield "share"
    elif estimand.overlap is not None:
        yield "overlap"
    if estimand.is_of_two_shares:
        if has_scale:
            yield "ratio of two rates"
        yield "two rates"
    if has_scale:
        yield "ratio"
    if has_effective_number(estimand):
        yield "bounded"


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
    return not row.has_kinks and row.interval != "biased" and not kind_of_average(average).is_worst


def has_effective_number(estimand: Estimand) -> bool:
    """Whether a value is in a known range, and no mean of classes, whose bias adds up, nor of cells
    of three or more classes, most of which are empty.
    """
    row = estimand.choice.row
    is_of_classes = row.has_average and not estimand.is_of_one_class
    if is_of_classes or row.interval not in ("smooth", "linear over linear"):
        return False
    is_linear = row.interval == "linear over linear"
    has_few_parts = estimand.margins_suffice or is_linear or estimand.matrices.shape[-1] == 2
    least, most = estimand.ends
    return has_few_parts and bool(np.isfinite(most - least).all() and (most > least).all())


def is_share(estimand: Estimand) -> bool:
    """Whether a value is itself a proportion of samples."""
    share = estimand.proportion
    return share is not None and np.allclose(share.value_at(SOME_SHARES), SOME_SHARES)


def choice_of_each(estimand: Estimand) -> Choice | None:
    """The values of the classes of which a value is the mean; None for others, and if unbounded."""
    choice = estimand.choice
    if choice.row.mean_of:
        return choice_of_classes(choice)
    is_mean = estimand.kind.is_mean_of_classes and not estimand.is_of_one_class
    # If an empty cell makes a class infinite, averages have no valid interval.
    return choice._replace(average=None) if is_mean and not choice.row.is_infinite_at_0 else None
