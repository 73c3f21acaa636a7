"""Custom metrics: functions of a ConfusionMatrix, usable as any metric, as rows like all others."""

import inspect
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.formulas import ranges
from skmetrics_ext.reading.messages import collecting_warnings

Class = TypeVar("Class", bound=type)
PACKAGE = __name__.partition(".")[0]

_registered: list[Callable[..., Any]] = []


def register_matrix_class(matrix_class: Class) -> Class:
    """Custom metrics receive this class of a higher layer, which registers itself."""
    _registered[:] = [matrix_class]
    return matrix_class


def custom_metric(function: Any) -> Metric | None:
    """The row of a function of the matrix, whose other parameters have names or defaults."""
    if (
        not callable(function)
        or inspect.isclass(function)
        or inspect.isbuiltin(function)
        or _is_of_library(function)
    ):
        return None
    try:
        first, *others = inspect.signature(function).parameters.values()
    except ValueError:
        return None
    positional = (first.POSITIONAL_ONLY, first.POSITIONAL_OR_KEYWORD)
    # Some metrics of labels have a default for the second argument.
    takes_one = first.kind in positional and first.default is first.empty and first.name != "y_true"
    if not takes_one or any(
        other.kind in positional and other.default is other.empty for other in others
    ):
        return None
    better: Literal["higher", "lower"] = (
        "higher" if _said_of(function, "greater_is_better", True) else "lower"
    )
    return Metric(
        name=_name_of(function),
        function="",
        formula=function,
        text="of a ConfusionMatrix",
        kind="unknown",
        takes="matrix",
        range="(-inf, inf)",
        ends=ranges.of_any,
        better=better,
        undefined=math.nan,
        source="",
        counts_absent_labels=True,
    )


def values_of_custom_metric(
    row: Metric,
    matrices: NDArray[Any],
    classes: tuple[Any, Any, Any],
    parameters: dict[str, Any],
    *,
    quiet: bool,
) -> NDArray[np.float64]:
    """The values (...) of matrices (..., n_classes, n_classes), at once if vectorized.

    The classes come with their labels, the positive one and their ranking.
    """
    labels, positive, ranking = classes

    def value_of(counts: NDArray[Any], axes: tuple[Axis, ...] = ()) -> Any:
        """What the function returns for one matrix, or for all along one axis."""
        (matrix_class,) = _registered
        return row.formula(matrix_class(counts, labels, axes, positive, ranking), **parameters)

    with _without_undefined() if quiet else nullcontext():
        if matrices.ndim == 2:
            return np.asarray(_as_number(row, value_of(matrices)))
        each = matrices.reshape(-1, *matrices.shape[-2:])
        # Not tested: no trial is sure to reach every branch.
        if _said_of(row.formula, "vectorized", False) is True:
            values = _all_at_once(
                row, value_of(each, (Axis("entry", np.arange(len(each))),)), len(each)
            )
        else:
            values = np.array([_as_number(row, value_of(counts)) for counts in each], dtype=float)
    return values.reshape(matrices.shape[:-2])


@contextmanager
def _without_undefined() -> Iterator[None]:
    """No word of undefined metrics inside the function, whose caller has said what they are."""
    with collecting_warnings(), np.errstate(all="ignore"):
        yield


def _all_at_once(row: Metric, values: Any, n_matrices: int) -> NDArray[np.float64]:
    """What a function declared as vectorized returns for a stack of matrices."""
    array = np.asarray(values, dtype=float)
    if array.shape != (n_matrices,):
        raise TypeError(
            f"{row.name}.vectorized is True, so it receives {n_matrices} matrices along one axis "
            "and must return "
            f"shape ({n_matrices},); it returned {array.shape}. Index counts as counts[..., i, "
            "j], or omit vectorized."
        )
    return array


def _as_number(row: Metric, value: Any) -> float:
    """A value as a number; anything else is not a metric."""
    if isinstance(value, (str, bytes)) or np.ndim(value) or value is None:
        what = f"an array of shape {np.shape(value)}" if np.ndim(value) else repr(value)
        raise TypeError(
            f"{row.name} must return one number for a ConfusionMatrix without axes; it returned "
            f"{what}."
        )
    return float(value)


def _said_of(function: Any, word: str, default: bool) -> Any:
    """An attribute of the function, or of that inside a partial."""
    return getattr(function, word, getattr(getattr(function, "func", None), word, default))


def _name_of(function: Any) -> str:
    """The function's own name, also for a partial."""
    inner = getattr(function, "func", function)
    return str(getattr(function, "__name__", getattr(inner, "__name__", type(function).__name__)))


def _is_of_library(function: Any) -> bool:
    """Whether it is this package's, so in the catalogue or no metric, or scikit-learn's."""
    return is_defined_in(function, PACKAGE, "sklearn")


def is_defined_in(function: Any, *packages: str) -> bool:
    """Whether a module of these packages has the function under its name.

    One of a docstring example, or of functools.wraps, only has the module's name.
    """
    module, name = (getattr(function, part, None) or "" for part in ("__module__", "__name__"))
    is_found = getattr(sys.modules.get(module), name, None) is function
    return is_found and module.partition(".")[0] in packages
