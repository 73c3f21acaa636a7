"""The limits beside the values of a report, by the method that suits each of them."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.names import suffixes_of
from skmetrics_ext.counting.counted import Counted
from skmetrics_ext.uncertainty.of_counts import Request, intervals_of

# The cells of a column: by the number of the class, the name of the average, or "overall".
Column = dict[int | str, Any]


class Sure(NamedTuple):
    """What limits are found from: the counts of all labels that occur, and how sure they are to be."""

    counts: Counted
    request: Request


def averages_of(choice: Choice, averages: Iterable[str]) -> list[str]:
    """Those that a metric has."""
    return [average for average in averages if average in suffixes_of(choice.row)]


def ends_of(sure: Sure, choices: Sequence[Choice], averages: Iterable[str], *, covers_all: bool) -> list[Column]:
    """The limits of the values in each column; counts know none of averages of multilabel data."""
    columns: list[Column] = [{} for _ in choices]
    asked: list[tuple[Column, str | None, Choice]] = []
    for column, choice in zip(columns, choices, strict=True):
        if choice.zero_division == "warn":
            # The report warns of what is undefined.
            choice = choice._replace(zero_division=choice.undefined)
        if not choice.row.has_average:
            asked.append((column, "overall", choice))
            continue
        asked.append((column, None, choice._replace(average=None)))
        for average in () if sure.counts.multilabel else averages_of(choice, averages):
            # Over all classes a micro average follows from the accuracy, in whichever order they are named.
            labels = None if average == "micro" and covers_all else choice.labels
            asked.append((column, average, choice._replace(average=average, labels=labels)))
    intervals = intervals_of(sure.counts, [choice for *_, choice in asked], (), sure.request)
    for (column, key, _), interval in zip(asked, intervals, strict=True):
        if key is None:
            column.update(enumerate(zip(interval.low.tolist(), interval.high.tolist(), strict=True)))
        else:
            column[key] = interval.low, interval.high
    return columns
