"""The corrected resampled t test: scores on the same folds, whose training sets overlap."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.compared import LimitsAndTest
from skmetrics_ext.statistics.entries import of_entries
from skmetrics_ext.statistics.methods import shown
from skmetrics_ext.statistics.results import OF_ALL, TEXTS, Comparison

METHOD = shown("corrected-t")
ROUNDING = 1e-14
OF_ROPE = ("probability_worse", "probability_equivalent", "probability_better")


def probabilities(_: Any, column: list[Any]) -> list[str]:
    """Probabilities, of a region of practical equivalence only with one."""
    return ["" if share is None else f"{share:.4f}" for share in column]


SHARES = of_entries({TEXTS: probabilities})


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class FoldComparison(Comparison):
    """Whether models or candidates differ in their scores on the same folds: one row each, beside
    the reference.

    It has the attributes of `Comparison`, and these.

    Attributes
    ----------
    degrees_of_freedom : int
        Number of folds - 1.
    probability_worse, probability_equivalent, probability_better : ndarray
        With a region of practical equivalence (ROPE), else None: the probabilities that the model
        is worse than the reference by more, within it, and better by more; uncorrected.
    simplest : str or None
        The simplest of those that cannot be told from the reference, if `simplest=` was given.
    simplest_index : int or None
        Its place in the dict, or in `cv_results_["params"]` of the search.

    Examples
    --------
    >>> from skmetrics_ext import compare_folds
    >>> scores = {"a": [0.8, 0.9, 0.7], "b": [0.7, 0.8, 0.7], "c": [0.1, 0.25, 0.05]}
    >>> compare_folds(scores, n_train=8, n_test=2).indistinguishable
    ('a', 'b')
    """

    degrees_of_freedom: int = field(metadata=OF_ALL)
    probability_worse: Any = field(default=None, metadata=SHARES)
    probability_equivalent: Any = field(default=None, metadata=SHARES)
    probability_better: Any = field(default=None, metadata=SHARES)
    simplest: str | None = field(default=None, metadata=OF_ALL)
    simplest_index: int | None = field(default=None, metadata=OF_ALL)

    @property
    def indistinguishable(self) -> tuple[str, ...]:
        """The reference, and the models not shown to differ from it: p_adjusted is not below 1 -
        confidence_level.
        """
        differs = np.ravel(self.p_adjusted) < 1 - self.confidence_level
        return (self._column("reference")[0], *np.ravel(self.model)[~differs].tolist())

    def _columns(self) -> dict[str, Any]:
        """The columns of a data frame, of a region of practical equivalence only with one."""
        columns = super()._columns()
        has_rope = any(share is not None for share in self._column(OF_ROPE[0]))
        return {name: of for name, of in columns.items() if has_rope or name not in OF_ROPE}

    def _title(self) -> str:
        """What is compared, and which models cannot be told from the reference."""
        found = f"{super()._title()}, {self.degrees_of_freedom} degrees of freedom"
        if np.size(self.difference) > 1:
            n = len(self.indistinguishable) - 1
            found += f"; {n} of {np.size(self.difference)} others cannot be told from the reference"
        return found if self.simplest is None else f"{found}, simplest {self.simplest}"


class MeanAndError(NamedTuple):
    """The mean difference of each pair, and its corrected standard error, 0 without variance."""

    mean: Array
    error: Array


def mean_and_error(differences: Array, test_share: float) -> MeanAndError:
    """Of each row (n_pairs, n_folds); `test_share` is n_test / n_train, which Nadeau & Bengio add
    to 1 / n_folds.
    """
    # In units of the largest, so that squares neither overflow nor vanish.
    unit = np.abs(differences).max(axis=1)
    unit = np.where(unit > 0, unit, 1.0)
    scaled = differences / unit[:, None]
    error = np.sqrt((1 / differences.shape[1] + test_share) * scaled.var(axis=1, ddof=1))
    error = np.where(error <= ROUNDING, 0.0, error)
    return MeanAndError(scaled.mean(axis=1) * unit, error * unit)


def p_values_of(found: MeanAndError, degrees: int) -> Array:
    """p-values of no difference: 1 of equal scores, unknown of others that differ alike."""
    with np.errstate(divide="ignore", invalid="ignore"):
        p_values = 2 * stats.t.sf(np.abs(found.mean) / found.error, degrees)
    p_values = np.where(found.error > 0, p_values, np.nan)
    return np.where((found.error == 0) & (found.mean == 0), 1.0, p_values)


def difference_of_folds(
    differences: Array, test_share: float, caveats: tuple[Caveat, ...]
) -> LimitsAndTest:
    """The corrected resampled t test of one pair, and its limits."""
    found, degrees = mean_and_error(differences[None], test_share), len(differences) - 1
    (mean,), (error,), (p_value,) = *found, p_values_of(found, degrees)
    if not error:
        text = (
            f"the difference of the scores is {mean:g} in all {len(differences)} folds, so there "
            "is no variance to test it against."
        )
        caveats = (*caveats, Caveat("constant", text))

    def limits_at(alpha: float) -> Limits:
        half = stats.t.isf(alpha / 2, degrees) * error if error else np.nan
        return Limits(np.array(mean - half), np.array(mean + half))

    return LimitsAndTest(limits_at, float(p_value), METHOD, caveats=caveats)


def probabilities_of_rope(differences: Array, test_share: float, rope: float) -> dict[str, Any]:
    """How probable it is that each difference is below, within and above the region, by the
    correlated Bayesian t test with a flat prior.
    """
    found, degrees = mean_and_error(differences, test_share), differences.shape[1] - 1
    with np.errstate(divide="ignore", invalid="ignore"):
        worse, better = (
            stats.t.sf((rope - sign * found.mean) / found.error, degrees) for sign in (-1, 1)
        )
    within = np.maximum(1 - worse - better, 0.0)
    is_known = found.error > 0
    of_each = (np.where(is_known, share, np.nan) for share in (worse, within, better))
    return dict(zip(OF_ROPE, of_each, strict=True))
