"""The corrected resampled t test: scores on the same folds, whose training sets overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from scipy import stats

from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.entries import origin_of
from skmetrics_ext.statistics.inversion import agreeing
from skmetrics_ext.statistics.methods import shown
from skmetrics_ext.statistics.results import (
    DIFFERENCES,
    LIMITS_OF_DIFFERENCES,
    P_VALUES,
    Result,
    p_values_in_print,
    printed_columns,
)
from skmetrics_ext.writing.printed import Style, cells_with_limits, number
from skmetrics_ext.writing.text import equation_of_p, level_as_text, limits_as_text
from skmetrics_ext.writing.text_table import TextTable

METHOD = shown("corrected-t")
ROUNDING = 1e-14


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class FoldComparison(Result):
    """The mean score difference of two models on the same folds, with its confidence interval and
    p-value.

    Attributes
    ----------
    difference : float
        Mean of a - b.
    low, high : float
        Its confidence limits.
    p_value : float
        p-value of the two-sided corrected t test of zero difference.
    confidence_level : float
        The nominal coverage of the interval.
    degrees_of_freedom : int
        Number of scores - 1.
    p_worse, p_equivalent, p_better : float or None
        With a region of practical equivalence (ROPE), else None: the probabilities that a is worse
        than b by more, within it, and better by more.
    caveats : tuple of Caveat
        Why limits and p-value may not hold their level.

    Examples
    --------
    >>> from skmetrics_ext import compare_folds
    >>> compare_folds([0.8, 0.9, 0.7], [0.7, 0.8, 0.7], n_train=8, n_test=2)
    +0.0667 [-0.1231, +0.2564] 95 %, p = 0.27 (corrected t test, 2 degrees of freedom)
    """

    difference: float = field(metadata=DIFFERENCES)
    low: float = field(metadata=LIMITS_OF_DIFFERENCES)
    high: float = field(metadata=LIMITS_OF_DIFFERENCES)
    p_value: float = field(metadata=P_VALUES)
    confidence_level: float
    degrees_of_freedom: int
    p_worse: float | None = None
    p_equivalent: float | None = None
    p_better: float | None = None

    def _subject(self) -> str:
        """What is compared."""
        return "the mean difference of scores"

    def _details(self, style: Style) -> list[str]:
        """The test, its method, and the probabilities."""
        shares = [f"{name} {number(share, style)}" for name, share in self._shares().items()]
        p_value = equation_of_p(p_values_in_print(self, [self.p_value])[0])
        return [p_value, METHOD, *shares]

    _methods: ClassVar[str] = METHOD

    @property
    def _estimate(self) -> float:
        """The difference."""
        return self.difference

    def _lines(self) -> list[Sequence[float]]:
        """No difference."""
        return [(0.0,)]

    def _shares(self) -> dict[str, float]:
        """The probabilities of what a region of practical equivalence asks, if there is one."""
        shares = {"worse": self.p_worse, "equivalent": self.p_equivalent, "better": self.p_better}
        return {name: share for name, share in shares.items() if share is not None}

    def __repr__(self) -> str:
        limits = limits_as_text(self.low, self.high, "+.4f", self._lines()[0])
        [p_value] = super()._texts()["p_value"]
        level = level_as_text(self.confidence_level)
        text = (
            f"{self.difference:+.4f} {limits} {level}, {equation_of_p(p_value)} ({METHOD}, "
            f"{self.degrees_of_freedom} degrees of freedom)"
        )
        if shares := self._shares():
            known = [f"{name} {share:.3f}" for name, share in shares.items()]
            text = f"{text}; {', '.join(known)}"
        return "\n".join([*self._marked([text]), *self._notes()])

    def _printed(self, style: Style) -> TextTable:
        """The one row for a paper."""
        numbers = (self.difference, self.low, self.high)
        cells = {
            "a - b": self._marked(cells_with_limits(numbers, None, style, self._lines())),
            "p": p_values_in_print(self, [self.p_value]),
        }
        for name, share in self._shares().items():
            cells[f"probability of {name}"] = [number(share, style)]
        title = f"{level_as_text(self.confidence_level)} confidence interval, {METHOD}"
        return printed_columns(title, (), cells, self._notes())

    def _title(self) -> str:
        """What is compared, how."""
        return f"difference = a - b ({level_as_text(self.confidence_level)}, {METHOD})"

    def _texts(self) -> dict[str, list[str]]:
        """The columns that people see, with what is known of the test."""
        shares = {f"p_{name}": [f"{share:.4f}"] for name, share in self._shares().items()}
        freedom = {"degrees_of_freedom": [str(self.degrees_of_freedom)]}
        return {**super()._texts(), **freedom, **shares}


def compared(
    differences: Array,
    test_share: float,
    rope: float | None,
    confidence_level: float,
    caveats: tuple[Caveat, ...] = (),
) -> FoldComparison:
    """The corrected resampled t test; `test_share` is n_test / n_train, which Nadeau & Bengio add
    to 1 / k.
    """
    k = len(differences)
    # In units of the largest, so that squares neither overflow nor vanish.
    unit = float(np.abs(differences).max()) or 1.0
    mean = float((differences / unit).mean()) * unit
    scale = float(np.sqrt((1 / k + test_share) * (differences / unit).var(ddof=1))) * unit
    if scale <= ROUNDING * unit:
        raise ValueError(
            f"the difference of the scores is {mean:g} in all {k} folds, so there is no variance "
            "to test it against: compare the predictions of the models, or use a metric that "
            "varies between folds."
        )
    distribution = stats.t(k - 1)
    half = float(distribution.ppf((1 + confidence_level) / 2)) * scale

    def beyond(distance: float) -> float:
        """The one-sided tail probability of a difference so far from the mean."""
        return float(distribution.sf(distance / scale))

    p_value = 2 * beyond(abs(mean))
    limits = Limits(np.array(mean - half), np.array(mean + half))
    # Both are of one test, except for rounding.
    low, high = map(float, agreeing(limits, mean, p_value, 1 - confidence_level))
    worse = equivalent = better = None
    if rope is not None:
        worse, better = beyond(rope + mean), beyond(rope - mean)
        equivalent = max(1 - worse - better, 0.0)
    return FoldComparison(
        difference=mean,
        low=low,
        high=high,
        p_value=p_value,
        confidence_level=confidence_level,
        degrees_of_freedom=k - 1,
        _origin=origin_of("scores of folds"),
        p_worse=worse,
        p_equivalent=equivalent,
        p_better=better,
        caveats=caveats,
    )
