"""The cells of a report: counts, values, limits, and warnings of few samples."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.choice import Choice, choose
from skmetrics_ext.catalogue.names import suffixes_of
from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.catalogue.score import class_values_and_averages, score
from skmetrics_ext.catalogue.undefined import ZeroDivision
from skmetrics_ext.counting.counted import Counted, CountedMatrix, CountedPairs, counted, with_cells
from skmetrics_ext.counting.design import INDEPENDENT, Lost, SampleDesign
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.matrices.counted import are_shares_of_rows, refuse_shares
from skmetrics_ext.matrices.from_data import fields_of_encoded
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.order import positions_in, show
from skmetrics_ext.reading.pairs import Indicators, Weights, encode
from skmetrics_ext.statistics.caveats import Caveat, marks_of, notes_of, told_once
from skmetrics_ext.statistics.constants import FEW
from skmetrics_ext.statistics.estimand import estimand_of
from skmetrics_ext.statistics.estimate import intervals_of
from skmetrics_ext.statistics.request import Request
from skmetrics_ext.statistics.results import Interval
from skmetrics_ext.writing.report_text import Ends

# The cells of a column, by index of class, name of average, or "overall".
Column = dict[int | str, Any]


class Sure(NamedTuple):
    """The basis of limits: the counts of all labels that occur, level and method."""

    counts: Counted
    request: Request
    design: SampleDesign = INDEPENDENT


def counts_of_report(
    y_true: Any, y_pred: Any, labels: NDArray[Any] | None, weights: Weights
) -> Counted:
    """Count label arrays, or take the counts of a matrix."""
    if not isinstance(y_true, ConfusionMatrix):
        return counted(encode(y_true, y_pred, labels=labels, weights=weights))
    if y_pred is not None or weights.of_samples is not None or weights.are_frequencies:
        raise ValueError(
            "a ConfusionMatrix replaces y_true, y_pred and sample_weight: pass it without them."
        )
    if y_true.axes:
        names = [axis.name for axis in y_true.axes]
        raise ValueError(
            f"a report covers one matrix, but this one has the leading axes {names}: pool them "
            "with "
            f"sum({names[0]!r}), or select an entry with sel({names[0]}=...)."
        )
    if are_shares_of_rows(y_true):
        refuse_shares("a report")
    weight_of_one = y_true._design.weight_of_one(y_true.counts)
    return CountedMatrix(
        y_true.counts, y_true.labels, ranking=y_true.ranking, weight_of_one=weight_of_one
    )


def basis_of_limits(
    counts: Counted,
    y_true: Any,
    y_pred: Any,
    labels: NDArray[Any] | None,
    weights: Weights,
    request: Request,
) -> Sure:
    """Counts of all labels that occur, since limits depend on other classes, and the design."""
    if isinstance(y_true, ConfusionMatrix):
        return Sure(counts, request, y_true._design)
    # Replicates of classes in another order are others.
    is_sorted = counts.ranking is None
    lacks_labels = isinstance(counts, CountedPairs) and not counts.covers_all
    if is_sorted and not (counts.are_weights or lacks_labels):
        return Sure(counts, request)
    encoded = encode(y_true, y_pred, known=labels, weights=weights)
    if is_sorted and not encoded.is_weighted:
        return Sure(counted(encoded), request)
    fields = fields_of_encoded(encoded)
    if isinstance(encoded, Indicators):
        whole = with_cells(counted(encoded), fields["counts"])
        return Sure(whole, request, fields["_design"])
    cells, design = fields["counts"], fields["_design"]
    weight_of_one = design.weight_of_one(cells)
    whole = CountedMatrix(
        cells, fields["labels"], ranking=fields["ranking"], weight_of_one=weight_of_one
    )
    return Sure(whole, request, design)


def covers_all(counts: Counted, labels: NDArray[Any]) -> bool:
    """Whether every sample belongs to a reported class."""
    return labels is counts.present or bool(
        (positions_in(labels, counts.present) < len(labels)).all()
    )


def choice_of(
    counts: Counted,
    labels: NDArray[Any],
    row: Metric,
    zero_division: ZeroDivision,
    *,
    are_chosen: bool,
) -> Choice:
    """A metric of the classes of the report, or over all, which it must then cover."""
    if row.has_average:
        return choose(row, average=None, labels=labels, zero_division=zero_division)
    if counts.multilabel or not covers_all(counts, labels):
        what = "multilabel data" if counts.multilabel else f"only the labels {show(labels)}"
        raise ValueError(
            f"{row.name} is one value over all classes, and can't be computed from {what}: omit it."
        )
    # Not the caller's order, so ordered metrics reject an alphabetical one.
    chosen = labels if are_chosen and (row.goes_by_order({}) or row.counts_absent_labels) else None
    return choose(row, labels=chosen, zero_division=zero_division)


def averages_of(choice: Choice, averages: Iterable[str]) -> list[str]:
    """The averages that a metric has."""
    return [average for average in averages if average in suffixes_of(choice.row)]


def values_of(counts: Counted, choice: Choice, averages: list[str]) -> Column:
    """The values in a column."""
    if not choice.row.has_average:
        return {"overall": score(counts, choice)}
    values, means = class_values_and_averages(counts, choice, averages_of(choice, averages))
    column: Column = dict(enumerate(values.tolist()))
    column.update(means)
    return column


def each_sample_once(counts: Counted, y_true: Any) -> Counted | None:
    """The unweighted counts; None if unknown."""
    if not isinstance(y_true, ConfusionMatrix):
        return counts.unweighted
    if isinstance(y_true._design, Lost):
        return None
    return with_cells(counts, y_true._design.numbers_of(y_true.counts))


def warn_of_worst(
    once: Counted | None, choices: Mapping[str, Choice], values: Sequence[Column], names: list[str]
) -> None:
    """One warning for metrics whose worst class has few samples, unless one as bad has enough."""
    if once is None:
        return
    few_samples = []
    for (head, choice), column in zip(choices.items(), values, strict=True):
        if "worst" not in column:
            continue
        n_of_classes = estimand_of(once, choice._replace(average=None)).samples_counted().tolist()
        classes = enumerate(zip(n_of_classes, names, strict=False))
        worst = [(n, name) for k, (n, name) in classes if column[k] == column["worst"]]
        n_worst, name = max(worst, default=(FEW, ""))
        if n_worst < FEW:
            few_samples.append(f"{head} of {name!r} ({n_worst:g})")
    if few_samples:
        warn(
            "the worst class has few of the samples that count, so may be due to chance: "
            f"{', '.join(few_samples)}."
        )


def ends_of(
    sure: Sure, choices: Sequence[Choice], averages: Iterable[str], *, covers_all: bool
) -> tuple[list[Column], list[str]]:
    """The limits of the values in each column, and why marked ones may not hold; multilabel
    averages have none.
    """
    caveats: list[Caveat] = []
    columns: list[Column] = [{} for _ in choices]
    asked: list[tuple[Column, str | None, Choice]] = []
    for column, choice in zip(columns, choices, strict=True):
        # The report itself warns of undefined values.
        choice = choice.quiet()
        if not choice.row.has_average:
            asked.append((column, "overall", choice))
            continue
        asked.append((column, None, choice._replace(average=None)))
        if sure.counts.multilabel:
            continue
        for average in averages_of(choice, averages):
            # Over all classes a micro average follows from the accuracy, in any order.
            labels = None if average == "micro" and covers_all else choice.labels
            asked.append((column, average, choice._replace(average=average, labels=labels)))
    choices_asked = [choice for *_, choice in asked]
    intervals = intervals_of(sure.counts, choices_asked, (), sure.request, sure.design)
    for (column, key, _), interval in zip(asked, told_once(intervals), strict=True):
        caveats += interval.caveats
        ends = _ends_of_entries(interval)
        column.update(enumerate(ends) if key is None else {key: ends[0]})
    return columns, notes_of(caveats)


def _ends_of_entries(interval: Interval) -> list[Ends]:
    """The limits of each entry, the samples of a proportion, and a mark for caveats."""
    lows, highs = (np.ravel(limits).tolist() for limits in (interval.low, interval.high))
    marks = marks_of(interval.caveats, np.shape(interval.value))
    parts = (np.ravel(of).tolist() for of in (interval.numerator, interval.n))
    of_proportions = [
        None if np.isnan(numerator) else (numerator, n) for numerator, n in zip(*parts, strict=True)
    ]
    return [*zip(lows, highs, of_proportions, marks, strict=True)]
