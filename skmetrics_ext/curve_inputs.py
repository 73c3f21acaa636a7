"""The labels, scores, thresholds and costs of a threshold curve, checked."""

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.labels import KIND_OF_DTYPE, check_positive, position_of, read_order, show
from skmetrics_ext.probabilities import in_precision_of, named_columns, read_scores
from skmetrics_ext.ranking import Samples, with_weight


def negative_and_positive(present: NDArray[Any], pos_label: Any) -> NDArray[Any] | None:
    """Both labels of a curve; None where the negatives are several classes, or of an unknown one."""
    zero_one = len(present) == 1 and position_of(np.array([0, 1]), present[0]) is not None
    known = np.array([0, 1], dtype=present.dtype) if zero_one else present
    if pos_label is None:
        if len(known) == 2:
            return known
        if len(known) == 1:
            raise ValueError(
                f"y_true has the single label {show(present)}, which may be the positive or the negative one: pass "
                "pos_label=, the positive class."
            )
        raise ValueError(
            f"y_true has {len(known)} labels {show(known)}, but a curve is of one class: pass pos_label= for one of "
            "them against the rest, or use threshold_curves for each of them."
        )
    position = position_of(known, pos_label)
    if position is not None:
        return known[[1 - position, position]] if len(known) == 2 else None
    try:
        kind = KIND_OF_DTYPE[read_order([pos_label], "pos_label").dtype.kind]
    except (TypeError, ValueError):
        kind = None
    if len(present) > 1 or kind != KIND_OF_DTYPE[present.dtype.kind]:
        check_positive(pos_label, present)
    return None


def scores_of_positive(y_score: Any, present: NDArray[Any], pair: NDArray[Any] | None) -> NDArray[Any]:
    """The scores of the positive class, which may be one of two columns."""
    scores = read_scores(y_score)
    if isinstance(scores, list):
        raise ValueError(
            f"y_score is a list of {len(scores)} arrays, as a multilabel predict_proba gives, but a curve is of one "
            "class: use threshold_curves, which has one of each."
        )
    if scores.ndim == 1:
        return scores
    if scores.shape[1] != 2 or pair is None:
        raise ValueError(
            f"y_score has {scores.shape[1]} columns and y_true the labels {show(present)}, but a curve is of one "
            "class: pass the column of the positive class, or use threshold_curves for each of them."
        )
    names = named_columns(y_score, pair)
    column = position_of(np.sort(pair) if names is None else names, pair[1])
    return np.asarray(scores[:, column])


def read_thresholds(thresholds: Any, samples: Samples) -> NDArray[Any]:
    """The thresholds to count at, in the precision of the scores."""
    if isinstance(thresholds, (int, np.integer)) and not isinstance(thresholds, bool):
        return _quantiles(int(thresholds), with_weight(samples))
    advice = "pass a list of numbers, a number of quantiles such as 100, or None for all scores"
    try:
        chosen = np.asarray(thresholds)
    except ValueError:
        raise ValueError(f"thresholds must be 1-D, but have rows of several lengths: {advice}.") from None
    if chosen.dtype.kind not in "iuf" and chosen.size:
        raise TypeError(f"thresholds must be numbers; got {chosen.dtype}: {advice}.")
    if chosen.ndim != 1:
        raise ValueError(f"thresholds must be 1-D, one number a threshold; it has shape {chosen.shape}: {advice}.")
    if not len(chosen):
        raise ValueError(f"thresholds is empty: {advice}.")
    if np.isnan(chosen).any():
        raise ValueError(f"thresholds holds NaN, which no score reaches: {advice}.")
    return in_precision_of(samples.scores, chosen)


def _quantiles(n_quantiles: int, samples: Samples) -> NDArray[Any]:
    """Scores that part the samples into parts of about one weight, decreasing and distinct."""
    if n_quantiles < 1:
        raise ValueError(f"thresholds={n_quantiles} is a number of quantiles: pass at least 1.")
    shares = np.linspace(1, 0, n_quantiles)
    quantiles = np.quantile(samples.scores, shares, weights=samples.weights, method="inverted_cdf")
    return np.unique(quantiles)[::-1]


def check_number(value: Any, name: str) -> None:
    """Refuse what only looks like a number, or is several."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise TypeError(f"{name} must be one number; got {value!r}.")


def read_costs(cost_matrix: Any, n_samples: int) -> NDArray[np.float64]:
    """Finite costs (2, 2), or (n_samples, 2, 2)."""
    try:
        costs = np.asarray(cost_matrix, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError("cost_matrix must hold numbers, in rows of one length.") from None
    if costs.shape not in ((2, 2), (n_samples, 2, 2)):
        raise ValueError(
            f"cost_matrix must have shape (2, 2), rows actual and columns predicted (negative, positive), or "
            f"({n_samples}, 2, 2) for the costs of each sample; it has shape {costs.shape}."
        )
    if not np.isfinite(costs).all():
        raise ValueError("cost_matrix holds NaN or infinity: every cost must be a finite number.")
    return costs
