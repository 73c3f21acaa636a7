"""What stands in the cells of a report: counts, values, their limits, and what to beware of in those of few samples."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from numpy.typing import NDArray

from skmetrics_ext.catalogue.choice import Choice, choose
from skmetrics_ext.catalogue.names import suffixes_of
from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.catalogue.score import class_values_and_averages, score
from skmetrics_ext.catalogue.undefined import ZeroDivision
from skmetrics_ext.counting.counted import Counted, CountedMatrix, CountedPairs, counted
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.matrices.counted import warn_of_repeats
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.order import positions_in, show
from skmetrics_ext.reading.pairs import Weights, encode, with_weights_as_said
from skmetrics_ext.statistics.estimand import FEW, estimand_of, samples_counted
from skmetrics_ext.statistics.intervals import Request, intervals_of

# The cells of a column: by the number of the class, the name of the average, or "overall".
Column = dict[int | str, Any]


class Sure(NamedTuple):
    """What limits are found from: the counts of all labels that occur, and how sure they are to be."""

    counts: Counted
    request: Request


def counts_of_report(y_true: Any, y_pred: Any, labels: NDArray[Any] | None, weights: Weights) -> Counted:
    """Count label arrays, or take what a matrix has counted."""
    if not isinstance(y_true, ConfusionMatrix):
        encoded = encode(y_true, y_pred, labels=labels, sample_weight=weights.of_samples)
        return counted(with_weights_as_said(encoded, weights.are_frequencies))
    if y_pred is not None or weights.of_samples is not None or weights.are_frequencies:
        raise ValueError("a ConfusionMatrix takes the place of y_true, y_pred and sample_weight: pass it alone.")
    if y_true.axes:
        names = [axis.name for axis in y_true.axes]
        raise ValueError(
            f"a report is of one matrix, but this one has the leading axes {names}: pool them by sum({names[0]!r}), or "
            f"choose an entry by sel({names[0]}=...)."
        )
    return CountedMatrix(y_true.counts, y_true.labels, ranking=y_true.ranking, are_weights=y_true.weighted)


def counts_of_limits(
    counts: Counted, y_true: Any, y_pred: Any, labels: NDArray[Any] | None, weights: Weights
) -> Counted:
    """All labels that occur, since limits are about the samples that are errors of the chosen classes, too."""
    if isinstance(y_true, ConfusionMatrix):
        warn_of_repeats(y_true)
    if not isinstance(counts, CountedPairs) or counts.covers_all:
        return counts
    encoded = encode(y_true, y_pred, known=labels, sample_weight=weights.of_samples)
    return counted(with_weights_as_said(encoded, weights.are_frequencies))


def covers_all(counts: Counted, labels: NDArray[Any]) -> bool:
    """Whether every sample is of the classes that are reported."""
    return labels is counts.present or bool((positions_in(labels, counts.present) < len(labels)).all())


def choice_of(
    counts: Counted, labels: NDArray[Any], row: Metric, zero_division: ZeroDivision, *, are_chosen: bool
) -> Choice:
    """A metric of the classes of the report, or over all of them, which must be all there are."""
    if row.has_average:
        return choose(row, labels=labels, zero_division=zero_division)
    if counts.multilabel or not covers_all(counts, labels):
        what = "multilabel data" if counts.multilabel else f"the labels {show(labels)} alone"
        raise ValueError(f"{row.name} is one value over all classes, and has none for {what}: leave it out.")
    # The order of the data is nobody's choice, so that ordered metrics refuse the alphabet.
    chosen = labels if are_chosen and (row.goes_by_order({}) or row.counts_absent_labels) else None
    return choose(row, labels=chosen, zero_division=zero_division)


def averages_of(choice: Choice, averages: Iterable[str]) -> list[str]:
    """Those that a metric has."""
    return [average for average in averages if average in suffixes_of(choice.row)]


def values_of(counts: Counted, choice: Choice, averages: list[str]) -> Column:
    """The values in a column."""
    if not choice.row.has_average:
        return {"overall": score(counts, choice)}
    values, means = class_values_and_averages(counts, choice, averages_of(choice, averages))
    column: Column = dict(enumerate(values.tolist()))
    column.update(means)
    return column


def warn_of_worst(
    counts: Counted, choices: Mapping[str, Choice], values: Sequence[Column], names: Sequence[str]
) -> None:
    """One warning of the metrics whose worst class has few samples, unless another class is as bad."""
    once, found = counts.unweighted if counts.are_weights else counts, []
    for (head, choice), column in zip(choices.items(), values, strict=True):
        if "worst" in column and once is not None:
            n = samples_counted(estimand_of(once, choice._replace(average=None)))
            shown = enumerate(zip(n.tolist(), names, strict=False))
            n_worst, name = max((rests_on for k, rests_on in shown if column[k] == column["worst"]), default=(FEW, ""))
            if n_worst < FEW:
                found.append(f"{head} of {name!r} ({n_worst:g})")
    if found:
        warn(
            "the worst class of a metric has few samples of what it counts, so that the value may be chance: "
            f"{', '.join(found)}."
        )


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
