"""What a report is about: the counts of label arrays, or those of a matrix."""

from typing import Any

from numpy.typing import NDArray

from skmetrics_ext.counting.counted import Counted, CountedMatrix, CountedPairs, counted
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.matrices.counted import warn_of_repeats
from skmetrics_ext.reading.pairs import Weights, encode, with_weights_as_said


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
