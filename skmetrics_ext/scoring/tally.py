"""One prediction, counted once: what every metric of a scorer is computed from."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.adapter.positive import positive_of
from skmetrics_ext.adapter.responses import Prediction
from skmetrics_ext.catalogue.averages import ZeroDivision, check_two_labels
from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.counting.counts import (
    MATRIX_IS_CHEAP,
    ClassCounts,
    Counts,
    Margins,
    Matrix,
    classes_of,
    count_exact_samples,
    count_indicators,
    count_margins,
    count_matrix,
    count_samples,
)
from skmetrics_ext.reading.labels import Column, read_labels
from skmetrics_ext.reading.order import check_same_kind, position_of, positions_in, show, sorted_union, with_all
from skmetrics_ext.reading.pairs import Encoded, Indicators, encode


class Tally:
    """The counts of one prediction over all labels that occur, are known to the estimator or were chosen.

    `chosen` are the labels to average, None for those that occur; the class of average="binary"
    is the one given or carried.
    """

    def __init__(
        self,
        prediction: Prediction,
        *,
        pos_label: Any,
        carried: Any,
        chosen: NDArray[Any] | None,
        needs_matrix: bool,
        zero_division: ZeroDivision,
        sample_weight: ArrayLike | None,
    ) -> None:
        true, pred, known = prediction.true, read_labels(prediction.pred, "y_pred"), prediction.classes
        self._pos_label, self._carried = pos_label, carried
        self._chosen, self._zero_division = chosen, zero_division
        self._needs_matrix = needs_matrix
        order = chosen
        if isinstance(true, Column) and isinstance(pred, Column):
            check_same_kind(true.labels, pred.labels, "y_true", "y_pred")
            self._present = sorted_union(true.labels, pred.labels)
            order = self._present if known is None else with_all(known, self._present)
            order = order if chosen is None else with_all(order, chosen)
        self._encoded = encode(true, pred, labels=order, sample_weight=sample_weight)
        self.labels = self._encoded.labels if chosen is None else chosen
        # The labels of which one is positive: others that occur belong to the rest.
        self._candidates = self._encoded.labels if known is None or len(known) < 2 else known

    @property
    def is_binary(self) -> bool:
        """Whether average="auto" is about one positive class."""
        return isinstance(self._encoded, Encoded) and self._chosen is None and len(self._candidates) <= 2

    def value(self, row: Metric, average: str, parameters: dict[str, Any]) -> float:
        """A metric as one number."""
        counts: Counts
        ordered = None
        average = average if row.has_average else "auto"
        if isinstance(self._encoded, Indicators) and average != "binary":
            counts, order = _of_indicators(self._encoded, self._class_counts, row, average), self.labels
        elif not row.has_average:
            counts, order = self._counts_over_all(row)
            ordered = order if row.ordered and self._chosen is not None else None
        elif average == "binary":
            counts, order = self._counts_of_positive()
        elif average == "samples":
            raise ValueError("average='samples' needs multilabel data: 2-D 0/1 indicators, one column a label.")
        else:
            order = self._present if self._chosen is None else self._chosen
            counts = self._class_counts_of(order)
        value = score(
            counts,
            row.name,
            order=order,
            average=average,
            labels=ordered,
            pos_label=self._positive if average == "binary" else None,
            zero_division=self._zero_division,
            sample_weight=self._encoded.weights,
            **parameters,
        )
        return float(value)

    def value_of_each(self, row: Metric, parameters: dict[str, Any]) -> NDArray[np.float64]:
        """A metric of class counts for each of `labels`."""
        return np.asarray(
            score(
                self.class_counts,
                row.name,
                order=self.labels,
                average=None,
                zero_division=self._zero_division,
                **parameters,
            )
        )

    @property
    def class_counts(self) -> ClassCounts:
        """The counts of each of `labels` against the rest."""
        return self._class_counts_of(self.labels)

    @property
    def matrix(self) -> Matrix:
        """The confusion matrix of `labels`."""
        order = self._single_label().labels
        return np.asarray(_at(self._counts, positions_in(order, self.labels)))

    def _single_label(self) -> Encoded:
        """The codes of data with one label a sample."""
        if isinstance(self._encoded, Indicators):
            raise ValueError("multilabel data have no confusion matrix of all labels: leave counts=True out.")
        return self._encoded

    @cached_property
    def _positive(self) -> Any:
        """The class of average="binary", sought when it is needed."""
        return positive_of(self._candidates, self._pos_label, self._carried)

    @cached_property
    def _counts(self) -> Matrix | Margins:
        """The one count."""
        encoded = self._single_label()
        matrix = self._needs_matrix or encoded.n_codes <= MATRIX_IS_CHEAP
        return count_matrix(encoded) if matrix else count_margins(encoded)

    @cached_property
    def _class_counts(self) -> ClassCounts:
        """Every label against the rest."""
        if isinstance(self._encoded, Indicators):
            return count_indicators(self._encoded)
        return classes_of(self._counts)

    def _class_counts_of(self, labels: NDArray[Any]) -> ClassCounts:
        """The counts of some labels against the rest."""
        classes: ClassCounts = _at(self._class_counts, positions_in(self._encoded.labels, labels))
        return classes

    def _counts_over_all(self, row: Metric) -> tuple[Counts, NDArray[Any]]:
        """All labels that are known for a metric that depends on their number, else those that occur."""
        order = self._encoded.labels if row.counts_absent_labels else self._present
        if self._chosen is not None:
            order = self._chosen
            if (positions_in(order, self._present) == len(order)).any():
                raise ValueError(f"labels={show(order)} must cover all data for {row.name}.")
        return _at(self._counts, positions_in(self._encoded.labels, order)), order

    def _counts_of_positive(self) -> tuple[ClassCounts, NDArray[Any]]:
        """One class against the rest, whatever else occurs."""
        if isinstance(self._encoded, Indicators):
            raise ValueError("average='binary' is of one label a sample, and these data are multilabel.")
        check_two_labels(self._candidates)
        order = self._encoded.labels
        if position_of(order, self._positive) is None:
            return self._class_counts, order
        order = np.array([self._positive], dtype=order.dtype)
        return self._class_counts_of(order), order


def _of_indicators(indicators: Indicators, classes: ClassCounts, row: Metric, average: str) -> Counts:
    """What a metric of multilabel data is computed from."""
    if average == "samples":
        return count_samples(indicators)
    if row.has_average or row.multilabel == "class counts":
        return classes
    if row.multilabel is None:
        raise ValueError(f"{row.name} needs one label a sample; y_true and the predictions are multilabel.")
    return count_exact_samples(indicators)


def _at(counts: Any, positions: NDArray[np.intp]) -> Any:
    """The counts of some labels, with nothing moved where they are all in order."""
    if isinstance(counts, ClassCounts):
        if np.array_equal(positions, np.arange(counts.tp.shape[-1])):
            return counts
        return type(counts)(*(part[..., positions] for part in counts))
    if np.array_equal(positions, np.arange(len(counts))):
        return counts
    return counts[positions[:, None], positions]
