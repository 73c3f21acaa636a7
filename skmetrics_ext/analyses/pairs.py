"""What all comparisons share: checks of options, and pairs of models."""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.statistics.caveats import UNDEFINED, Caveat
from skmetrics_ext.statistics.compared import Compared


def check_direction(row: Metric, name: str, margin: float | None) -> None:
    """Refuse a margin of a metric that is neither better when higher nor when lower."""
    if margin is not None and row.better == "neither":
        raise ValueError(
            f"margin= needs a metric for which either higher or lower is better, unlike {name!r}."
        )


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


def with_undefined(of_pair: Compared) -> Compared:
    """A difference that says where a model has no value."""
    if np.isfinite(of_pair.difference):
        return of_pair
    a, b = of_pair.models
    text = f"{of_pair.metric} is undefined, or infinite, for one of the models {a!r} and {b!r}."
    return of_pair._replace(caveats=(*of_pair.caveats, Caveat(UNDEFINED, text)))
