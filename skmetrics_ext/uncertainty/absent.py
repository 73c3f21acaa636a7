"""Whether a value depends on classes of which there are no samples, so that nothing says how sure it is."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.uncertainty.question import Array, Question

# So small a share of the samples, added to an absent class, moves no value that does not depend on it,
TRACE = 1e-9
# by more than this.
JUMP = 1e-4


def rests_on_absent(question: Question) -> NDArray[np.bool_]:
    """Where (...) a metric over all classes, or an average, depends on a class that has no samples.

    Either a trace of such a class changes the value by whether it is predicted right, as in a mean over
    the classes; or there is one actual class alone, and whatever is predicted for it gives one value, as of kappa.
    """
    matrices = question.matrices
    if question.order is None or len(question.order) < 2:
        return np.zeros(matrices.shape[:-2], dtype=bool)
    actual = matrices.sum(-1)
    occurs = (actual + matrices.sum(-2)).reshape(-1, actual.shape[-1]).any(0)
    is_absent = occurs & (actual == 0) & actual.any(-1, keepdims=True)
    if not is_absent.any():
        return np.zeros(matrices.shape[:-2], dtype=bool)
    trace = TRACE * actual.sum(-1)[..., None, None] * is_absent[..., None]
    right, wrong = np.eye(matrices.shape[-1]), np.roll(np.eye(matrices.shape[-1]), 1, axis=1)
    jumps = _differ(question, matrices + trace * right, matrices + trace * wrong)
    is_alone = (actual > 0).sum(-1) == 1
    # Half of the samples right, and a quarter.
    half, quarter = (actual[..., None] * (share * right + (1 - share) * wrong) for share in (0.5, 0.25))
    return np.asarray(jumps | (is_alone & ~_differ(question, half, quarter)))


def _differ(question: Question, first: Array, second: Array) -> Any:
    """Whether both matrices have values, and these differ."""
    with np.errstate(invalid="ignore"):
        return np.abs(question.value_of(first) - question.value_of(second)) > JUMP
