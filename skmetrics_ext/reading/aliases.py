"""Types of user input, as used in signatures."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike


class SparseLike(Protocol):
    """A sparse matrix or array of SciPy, which has no types of its own."""

    def tocsr(self, copy: bool = ...) -> Any:
        """The same by rows."""


# One class. Members of an Enum may be strings or numbers, too.
Label = str | bytes | int | float | date | np.generic

# Labels of samples, or classes in order. ArrayLike has no lists of dates.
LabelsLike = ArrayLike | Sequence[Label]

# y_true and y_pred.
TargetLike = LabelsLike | SparseLike

# Scores by sample and class.
ScoresLike = ArrayLike | Sequence[Mapping[Any, float]]

# Costs by row and column, or by (actual, predicted). Keys of mappings are invariant.
CostsLike = ArrayLike | Mapping[Any, float]

# One threshold, or one per class.
ThresholdsLike = ArrayLike | Mapping[Any, float]

# How a score equal to a threshold counts.
Ties = Literal["positive", "negative"]

# Groups, which may be missing, or several columns of them.
GroupsLike = ArrayLike | Sequence[object] | Mapping[Any, ArrayLike | Sequence[object]]

# Labels by item and rater, which may be missing.
RatingsLike = ArrayLike | Sequence[Sequence[object]]

# The library of a data frame that is made.
Backend = Literal["pandas", "polars", "pyarrow"]

# Seed or generator of random numbers.
RandomState = int | np.random.Generator | np.random.RandomState | None
