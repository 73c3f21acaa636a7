"""Own metrics: a function of a ConfusionMatrix stands wherever a metric is named, as a row like any other."""

import inspect
import math
import sys
import warnings
from collections.abc import Callable
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.counting.axes import Axis

Class = TypeVar("Class", bound=type)
PACKAGE = __name__.partition(".")[0]

# Above so many matrices a function that computes all at once is worth finding out.
FEW_MATRICES = 64
# So many of them, and of each further kind, are computed one by one, too: what works for one matrix need not for a
# stack of them.
CHECKED_MATRICES = 16

_taken: list[Callable[..., Any]] = []


def taken_by_own_metrics(matrix_class: Class) -> Class:
    """The class whose objects own metrics take: its room lies above this one, so that it says so itself."""
    _taken[:] = [matrix_class]
    return matrix_class


def own_row(function: Any) -> Metric | None:
    """The row of a function of one argument, the matrix, and of parameters with a default or a name; None of others."""
    if not callable(function) or inspect.isclass(function) or inspect.isbuiltin(function) or _is_of_library(function):
        return None
    try:
        first, *others = inspect.signature(function).parameters.values()
    except ValueError:
        return None
    positional = (first.POSITIONAL_ONLY, first.POSITIONAL_OR_KEYWORD)
    # Some metrics of labels have a default for the second argument.
    takes_one = first.kind in positional and first.default is first.empty and first.name != "y_true"
    if not takes_one or any(other.kind in positional and other.default is other.empty for other in others):
        return None
    better: Literal["higher", "lower"] = "higher" if getattr(function, "greater_is_better", True) else "lower"
    return Metric(
        _name_of(function), "", function, "of a ConfusionMatrix", "matrix", "(-inf, inf)", better, math.nan, (), "",
        counts_absent_labels=True, has_kinks=True, is_own=True,
    )  # fmt: skip


def values_of_own(
    row: Metric,
    matrices: NDArray[Any],
    labels: NDArray[Any],
    positive: Any,
    ranking: NDArray[Any] | None,
    parameters: dict[str, Any],
    *,
    quiet: bool,
) -> NDArray[np.float64]:
    """The values (...) of matrices (..., n_classes, n_classes): of all at once where the function can, else of each."""

    def value_of(counts: NDArray[Any], axes: tuple[Axis, ...] = ()) -> Any:
        """What the function gives for one matrix, or for all on one axis."""
        (make,) = _taken
        return row.formula(make(counts, labels, axes, positive, ranking), **parameters)

    with warnings.catch_warnings():
        if quiet:
            warnings.simplefilter("ignore")
        if matrices.ndim == 2:
            return np.asarray(_as_number(row, value_of(matrices)))
        each = matrices.reshape(-1, *matrices.shape[-2:])
        values = _all_at_once(row, value_of, each) if len(each) > FEW_MATRICES else None
        if values is None:
            values = np.array([_as_number(row, value_of(one)) for one in each], dtype=float)
    return values.reshape(matrices.shape[:-2])


def _all_at_once(row: Metric, value_of: Callable[..., Any], each: NDArray[Any]) -> NDArray[np.float64] | None:
    """The values of a function that is vectorised; None where it fails, or differs from those of single matrices."""
    try:
        values = np.asarray(value_of(each, (Axis("entry", np.arange(len(each))),)), dtype=float)
    except Exception:
        return None
    if values.shape != (len(each),):
        return None
    some = _telling(each, values)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        alone = [_as_number(row, value_of(each[place])) for place in some]
    return values if np.allclose(values[some], alone, rtol=1e-9, atol=0, equal_nan=True) else None


def _telling(each: NDArray[Any], values: NDArray[np.float64]) -> NDArray[np.intp]:
    """Places of matrices of all kinds: a function may ask whether any, or all, counts are 0, or a value is NaN."""
    margins = np.concatenate([each.sum(-1), each.sum(-2)], axis=-1)
    order = np.argsort(values)
    undefined = np.flatnonzero(~np.isfinite(values))[:CHECKED_MATRICES]
    places = [_evenly(len(each)), order[[0, -1]], undefined]
    places += [_rarest_patterns(counts.reshape(len(each), -1) == 0) for counts in (each, margins)]
    return np.unique(np.concatenate(places))


def _evenly(n: int) -> NDArray[np.intp]:
    """Places from the first to the last."""
    return np.linspace(0, n - 1, CHECKED_MATRICES).astype(np.intp)


def _rarest_patterns(flags: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The first place of each pattern (n, k), of the rarest and the most frequent where there are many."""
    # A row each in memory, to be compared as one value, whatever the order of the counts.
    packed = np.ascontiguousarray(np.packbits(flags, axis=1))
    _, first, frequency = np.unique(packed.view(f"V{packed.shape[1]}").ravel(), return_index=True, return_counts=True)
    first = first[np.argsort(frequency, kind="stable")]
    return first[_evenly(len(first))]


def _as_number(row: Metric, value: Any) -> float:
    """A value as a number; anything else is no metric."""
    if isinstance(value, (str, bytes)) or np.ndim(value) or value is None:
        what = f"an array of shape {np.shape(value)}" if np.ndim(value) else repr(value)
        raise TypeError(f"{row.name} must return one number for a ConfusionMatrix without axes; it returned {what}.")
    return float(value)


def _name_of(function: Any) -> str:
    """The function's own name, also of a partial one."""
    inner = getattr(function, "func", function)
    return str(getattr(function, "__name__", getattr(inner, "__name__", type(function).__name__)))


def _is_of_library(function: Any) -> bool:
    """Whether it is one of ours, which are metrics of the catalogue or none, or one of scikit-learn's."""
    module = getattr(function, "__module__", None) or ""
    # What is made in an example of a docstring only has the name of our module.
    is_found = getattr(sys.modules.get(module), getattr(function, "__name__", ""), None) is function
    return is_found and module.partition(".")[0] in (PACKAGE, "sklearn")
