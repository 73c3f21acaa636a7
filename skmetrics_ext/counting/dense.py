"""A confusion matrix with a cell for each pair of classes, where there is memory for one."""

import math
import os
from functools import cache
from typing import Any

from numpy.typing import NDArray

from skmetrics_ext.counting.counts import Matrix, count_matrix
from skmetrics_ext.reading.numbers import check_total
from skmetrics_ext.reading.pairs import Encoded

BYTES_OF_A_CELL = 8


def dense_matrix(encoded: Encoded, group: NDArray[Any] | None = None, n_groups: int = 1) -> Matrix:
    """`count_matrix`, or an error that says what needs none.

    More than all memory is refused first: a system that promises it all the same ends the process when it is used.
    """
    n_bytes = BYTES_OF_A_CELL * n_groups * encoded.n_codes**2
    if n_bytes > _memory():
        raise MemoryError(_too_large(encoded.n_codes, n_groups, n_bytes))
    try:
        matrix = count_matrix(encoded, group, n_groups)
    except MemoryError:
        raise MemoryError(_too_large(encoded.n_codes, n_groups, n_bytes)) from None
    if group is not None:
        check_total(matrix.sum((-2, -1)), "sample_weight")
    return matrix


@cache
def _memory() -> float:
    """The bytes of the machine, infinite where it does not tell."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return math.inf


def _too_large(n_classes: int, n_groups: int, n_bytes: int) -> str:
    """The message of a matrix that does not fit."""
    matrices = "a confusion matrix" if n_groups == 1 else f"{n_groups} confusion matrices, one a group,"
    return (
        f"{matrices} of {n_classes} classes would need {n_bytes / 2**30:.4g} GiB. Metrics of one class against the "
        "rest, such as precision_score, recall_score, f1_score and specificity_score, and accuracy_score, "
        "balanced_accuracy_score, matthews_corrcoef and cohen_kappa_score count without one."
    )
