"""Counts and a choice -> the lowest and the highest value that such counts can have."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.averages import kind_of_average
from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.score import classes_request, request_over_all
from skmetrics_ext.counting.counted import Counted
from skmetrics_ext.counting.counts import ClassCounts, margins_of
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.formulas.ranges import Ends, Given


def lowest_and_highest(counted: Counted, choice: Choice, *, are_shares_given: bool = False) -> Ends:
    """Both ends, for all entries or for each as the value has them.

    The shares of the actual classes are given at a prevalence, or where a design fixed their
    numbers; else they are estimated, and the ends do not depend on them.
    """
    if not choice.row.has_average:
        return _ends_over_all(counted, choice, are_shares_given=are_shares_given)
    average, counts, *_ = classes_request(counted, choice)
    given = Given(shares=_shares(counts)) if are_shares_given else Given()
    low, high = map(np.asarray, choice.row.ends(given, **choice.parameters))
    if kind_of_average(average).combines == "nothing":
        return low, high
    # Any classes may be left out of an average since they are undefined.
    return low.min(-1) if low.ndim else low, high.max(-1) if high.ndim else high


def _ends_over_all(counted: Counted, choice: Choice, *, are_shares_given: bool) -> Ends:
    """Both ends of a metric over all classes."""
    if choice.row.is_custom:
        return choice.row.ends(Given(), **choice.parameters)
    counts, parameters = request_over_all(counted, choice)
    if counted.multilabel:
        return choice.row.ends(Given(), **parameters)
    of_all = margins_of(counts)
    given = Given(
        n_classes=of_all.tp.shape[-1],
        is_actual=np.asarray(of_all.row_sums) > 0,
        shares=_shares(of_all) if are_shares_given else None,
    )
    low, high = choice.row.ends(given, **parameters)
    return np.asarray(low), np.asarray(high)


def _shares(counts: ClassCounts) -> NDArray[Any]:
    """How frequent each actual class is."""
    actual, others = counts.tp + counts.fn, counts.fp + counts.tn
    return ratio(actual, actual + others)
