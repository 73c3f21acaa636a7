"""The cells of a confusion matrix one by one: as columns of a data frame, and the most frequent errors."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.formulas import all_classes
from skmetrics_ext.matrices.parts import Parts
from skmetrics_ext.reading.arguments import check_whole
from skmetrics_ext.reading.order import plain
from skmetrics_ext.writing.frames import columns_of_grid


class Confusion(NamedTuple):
    """How often one class is taken for another; `share` is of the samples of the actual class."""

    actual: Any
    predicted: Any
    count: float  # type: ignore[assignment]  # hides the method of tuples, which nobody calls on a record
    share: float


def columns_of_cells(parts: Parts, count: str) -> dict[str, Any]:
    """One entry a cell: the coordinates of the leading axes, "actual", "predicted" and the count under its name."""
    if not isinstance(count, str):
        raise TypeError(f"count must be the name of a column; got {count!r}.")
    names = [*(axis.name for axis in parts.axes), "actual", "predicted", count]
    if twice := [name for name in {*names} if names.count(name) > 1]:
        raise ValueError(
            f"two columns would have the name {twice[0]!r}: name the counts by count=, or the axis otherwise when the "
            "matrix is made, such as by=nw.col('actual').alias('group')."
        )
    of_labels = [("actual", parts.labels), ("predicted", parts.labels)]
    return {**columns_of_grid([*parts.axes, *of_labels]), count: parts.counts.ravel().tolist()}


def most_frequent_errors(counts: NDArray[Any], labels: NDArray[Any], n: int) -> list[Confusion]:
    """The n largest counts beside the diagonal that are not 0."""
    check_whole(n, "n")
    errors = np.where(np.eye(len(counts), dtype=bool), 0, counts)
    share = all_classes.shares(counts, "true")
    largest = np.argsort(-errors, axis=None, kind="stable")[:n]
    cells = [np.unravel_index(cell, errors.shape) for cell in largest]
    names = plain(labels)
    return [
        Confusion(names[i], names[j], errors[i, j].item(), share[i, j].item()) for i, j in cells if errors[i, j] > 0
    ]
