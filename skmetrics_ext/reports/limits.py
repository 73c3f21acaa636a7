"""The limits beside the values of a report, by the method that suits each of them."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.names import suffixes_of
from skmetrics_ext.counting.counted import Counted
from skmetrics_ext.uncertainty.interval import Interval
from skmetrics_ext.uncertainty.of_counts import Request, interval_of
from skmetrics_ext.writing.report_text import Ends

# The cells of a column: by the number of the class, the name of the average, or "overall".
Column = dict[int | str, Any]


class Sure(NamedTuple):
    """What limits are found from: the counts of all labels that occur, and how sure they are to be."""

    counts: Counted
    request: Request


def averages_of(choice: Choice, averages: Iterable[str]) -> list[str]:
    """Those that a metric has."""
    return [average for average in averages if average in suffixes_of(choice.row)]


def ends_of(sure: Sure, choice: Choice, averages: Iterable[str], *, covers_all: bool) -> Column:
    """The limits of the values in a column; counts know none of averages of multilabel data."""
    if choice.zero_division == "warn":
        # The report warns of what is undefined.
        choice = choice._replace(zero_division=choice.undefined)
    if not choice.row.has_average:
        return {"overall": _ends(interval_of(sure.counts, choice, (), sure.request))}
    each = interval_of(sure.counts, choice._replace(average=None), (), sure.request)
    column: Column = dict(enumerate(zip(each.low.tolist(), each.high.tolist(), strict=True)))
    for average in () if sure.counts.multilabel else averages_of(choice, averages):
        # Over all classes a micro average follows from the accuracy, in whichever order they are named.
        labels = None if average == "micro" and covers_all else choice.labels
        asked = choice._replace(average=average, labels=labels)
        column[average] = _ends(interval_of(sure.counts, asked, (), sure.request))
    return column


def _ends(interval: Interval) -> Ends:
    """Both limits of one value."""
    return interval.low, interval.high
