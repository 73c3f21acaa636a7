"""What all comparisons share: checks of options, pairs of models, and corrected p-values."""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from skmetrics_ext.reading.arguments import check_confidence_level, check_in_range
from skmetrics_ext.statistics.caveats import Caveat, told
from skmetrics_ext.statistics.differences import LimitsAndTest, p_values_of_margin
from skmetrics_ext.statistics.multiplicity import CORRECTIONS
from skmetrics_ext.statistics.proportions import Array
from skmetrics_ext.statistics.results import Comparison, ComparisonRow


def check_comparison(confidence_level: Any, correction: Any, margin: Any) -> None:
    """Refuse options that no comparison accepts."""
    check_confidence_level(confidence_level)
    if correction not in CORRECTIONS:
        raise ValueError(f"correction must be 'holm', 'bonferroni' or None; got {correction!r}.")
    if margin is not None:
        check_in_range(margin, "margin", lambda x: 0 < x < np.inf, "a finite number above 0")


def check_models(models: Any, name: str, example: str) -> None:
    """Refuse models without names, and fewer than two."""
    if not isinstance(models, Mapping):
        raise TypeError(f"{name} must be a dict, such as {example}; got {type(models).__name__}.")
    if len(models) < 2:
        raise ValueError(f"{name} must contain at least two models; got {[*models]}.")
    if not all(isinstance(model, str) for model in models):
        raise TypeError(f"the names in {name} must be strings; got {[*models]}.")


def pairs_of(names: Iterable[str], baseline: str | None) -> list[tuple[str, str]]:
    """Which models are compared: all, or the others with the baseline."""
    if baseline is None:
        return list(combinations(names, 2))
    if baseline not in (names := [*names]):
        raise ValueError(f"baseline={baseline!r} is not one of the models {names}.")
    return [(name, baseline) for name in names if name != baseline]


def row_of_pair(
    metric: str,
    pair: tuple[str, str],
    values: tuple[float, float],
    found: LimitsAndTest,
    alpha: float,
    margin: float | None,
    caveats: tuple[Caveat, ...] = (),
) -> ComparisonRow:
    """A comparison of two models by what is known of their difference."""
    low, high = map(float, found.limits_at(alpha))
    a, b = pair
    value_a, value_b = values
    p_not_worse, p_equivalent = p_values_of_margin(found.limits_at, margin, alpha / 2)
    return ComparisonRow(
        metric=metric,
        a=a,
        b=b,
        value_a=value_a,
        value_b=value_b,
        difference=value_a - value_b,
        low=low,
        high=high,
        p_value=found.p_value,
        # Known once all rows are.
        p_adjusted=np.nan,
        method=found.method,
        p_not_worse=p_not_worse,
        p_equivalent=p_equivalent,
        caveats=caveats,
    )


def comparison_of(
    rows: list[ComparisonRow], confidence_level: float, correction: str | None, margin: float | None
) -> Comparison:
    """Rows with p-values corrected for multiple comparisons, and verdicts by those
    of the margin.
    """

    def corrected(test: str) -> Array:
        """The p-values of all rows; NaN for those that have none."""
        return CORRECTIONS[correction](np.array([getattr(row, test) for row in rows], dtype=float))

    p_adjusted = corrected("p_value").tolist()
    rows = [row._replace(p_adjusted=p) for row, p in zip(rows, p_adjusted, strict=True)]
    if margin is not None:
        level = (1 - confidence_level) / 2
        of_tests = zip(corrected("p_not_worse"), corrected("p_equivalent"), strict=True)
        rows = [
            row._replace(
                p_not_worse=float(p_not_worse),
                not_worse=_is_shown(p_not_worse, level),
                p_equivalent=float(p_equivalent),
                equivalent=_is_shown(p_equivalent, level),
            )
            for row, (p_not_worse, p_equivalent) in zip(rows, of_tests, strict=True)
        ]
    return told(
        Comparison(
            rows=tuple(rows),
            confidence_level=confidence_level,
            correction=correction,
            margin=margin,
        )
    )


def _is_shown(p_value: float, level: float) -> bool | None:
    """The verdict of a test; None without a p-value."""
    return None if np.isnan(p_value) else bool(p_value <= level)
