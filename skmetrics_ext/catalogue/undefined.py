"""The value of 0/0: the only policy, and the only warning."""

import numbers
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.reading.arguments import check_in_range
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.order import show

ZeroDivision = Literal["warn"] | float


def check_zero_division(zero_division: Any) -> None:
    """Reject an invalid value for an undefined ratio."""
    if isinstance(zero_division, str):
        valid = zero_division == "warn"
    else:
        valid = isinstance(zero_division, numbers.Real) and (
            zero_division in (0, 1) or zero_division != zero_division
        )
    if not valid:
        raise ValueError(f"zero_division must be 'warn', 0, 1 or nan; got {zero_division!r}.")


def defined(
    values: NDArray[Any],
    name: str,
    zero_division: ZeroDivision,
    undefined: float,
    labels: NDArray[Any] | str | None = None,
    because: ClassCounts | str | None = None,
    option: str = "zero_division",
) -> NDArray[Any]:
    """The values with the replacement of 0/0; "warn" uses `undefined`, with a warning that names
    the labels of the last axis, and the cause, or counts that show it.
    """
    nowhere = np.isnan(values)
    if not np.count_nonzero(nowhere):
        return values
    if zero_division != "warn":
        return np.where(nowhere, zero_division, values)
    where = cause = advice = ""
    if isinstance(labels, str):
        where = f" in {nowhere.sum()} of {nowhere.size} {labels}"
    elif labels is not None and nowhere.shape[-1] == len(labels) > 1:
        where = f" for {show(labels[nowhere.any(tuple(range(nowhere.ndim - 1)))])}"
    if because is not None:
        reason = because if isinstance(because, str) else f"there are {_cause(because, nowhere)}"
        cause, advice = f", because {reason}", f" Set the value with {option}=."
    warn_undefined(f"{name} is undefined (0/0){where}{cause}; it is set to {undefined}.{advice}")
    return np.where(nowhere, undefined, values)


def warn_without_support(
    values: NDArray[Any], support: NDArray[Any], name: str, labels: NDArray[Any] | str | None
) -> None:
    """Say where defined values (..., n_classes) are weighted by classes without samples."""
    has_none = ~support.any(-1)
    if has_none.any() and not np.isnan(values[has_none]).any(-1).all():
        labels_text = f" {show(labels)}" if isinstance(labels, np.ndarray) else ""
        warn_undefined(
            f"the weighted average of {name} is undefined (0/0), because there are no actual "
            f"samples of the labels{labels_text}; it is set to their unweighted mean. Choose "
            "labels that occur, or average='macro'."
        )


def check_replacement(value: Any) -> None:
    """Reject an invalid value for an undefined agreement."""
    check_in_range(
        value, "replace_undefined_by", lambda x: np.isnan(x) or -1 <= x <= 1, "nan or in [-1, 1]"
    )


def warn_undefined(message: str) -> None:
    """A warning of scikit-learn's class for 0/0."""
    warn(message, UndefinedMetricWarning)


def _cause(counts: ClassCounts, nowhere: NDArray[np.bool_]) -> str:
    """Which margins are empty, in all undefined cases or some; if none, which of tp, tn."""
    tp, fp, fn, tn = (part[nowhere] for part in counts)
    margins = {"no actual positives": tp + fn, "no predicted positives": tp + fp}
    margins |= {"no actual negatives": tn + fp, "no predicted negatives": tn + fn}
    always = [text for text, margin in margins.items() if not margin.any()]
    sometimes = [text for text, margin in margins.items() if not margin.all()]
    right = [
        text
        for text, part in (("no true positives", tp), ("no true negatives", tn))
        if not part.any()
    ]
    return " and ".join(always) or " or ".join(sometimes) or " and ".join(right)
