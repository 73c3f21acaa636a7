"""What an estimator predicted -> counts."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.adapter.responses import Prediction
from skmetrics_ext.counting.counted import CountedIndicators, CountedPairs, Roles
from skmetrics_ext.reading.labels import Column, Indicator, read_labels
from skmetrics_ext.reading.order import plain, with_all
from skmetrics_ext.reading.pairs import Indicators, Weights, encode


def count_prediction(
    prediction: Prediction,
    *,
    labels: NDArray[Any] | None = None,
    positive: Any = None,
    sample_weight: ArrayLike | None = None,
    needs_matrix: bool = False,
    columns: NDArray[Any] | None = None,
    named: NDArray[Any] | None = None,
) -> CountedPairs | CountedIndicators:
    """The counts over all labels that occur, are known to the estimator, or chosen.

    `columns` name multilabel data if y_true does not; `named` are classes from lowest to highest,
    which override ordered categoricals: an estimator's `classes_` imply no order.
    """
    true, pred, known = prediction
    if isinstance(true, Indicator) and true.names is None:
        # Numbers from 0 are not names.
        numbers = np.arange(true.values.shape[1])
        if (
            columns is not None
            and len(columns) == len(numbers)
            and not np.array_equal(columns, numbers)
        ):
            true = true._replace(names=plain(columns))
        # In the order of its columns, whatever their names.
        read = read_labels(pred, "y_pred")
        pred = read._replace(names=None) if isinstance(read, Indicator) else read
    also = known
    if labels is not None and isinstance(true, Column):
        also, labels = labels if known is None else with_all(known, labels), None
    weights = Weights(sample_weight)
    encoded = encode(true, pred, labels=labels, known=also, weights=weights)
    if isinstance(encoded, Indicators):
        return CountedIndicators(encoded)
    if named is not None:
        encoded = encoded._replace(rankings=(("classes", named),))
    # One of these is positive; others that occur belong to the rest.
    sought = encoded.labels if known is None or len(known) < 2 else known
    # Classes that training lacked count, too, so that an average means the same in every fold.
    n_classes = len(encoded.labels if known is None else with_all(known, true.labels))
    roles = Roles(known=sought, n_classes=n_classes if named is None else len(named))
    return CountedPairs(encoded, positive, roles, needs_matrix=needs_matrix)
