"""Claims about metrics, such as "recall >= 0.9": bounds as written -> one claim per side."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from skmetrics_ext.catalogue.names import MetricName, resolve_any, with_class
from skmetrics_ext.curves.best import Bound, read_bound

Claims = Mapping[MetricName, Bound]


class Claim(NamedTuple):
    """A metric, as the caller named it, is at least or at most a number."""

    metric: MetricName
    name: str
    bound: float
    is_least: bool

    def of(self, name: str) -> str:
        """The claim in words, with the full name of the metric."""
        return f"{name} {'>=' if self.is_least else '<='} {self.bound:.12g}"


def read_claims(claims: Any, classes: Iterable[Any] | None = None) -> list[Claim]:
    """The validated claims, two per pair; names of metrics may end with one of the classes."""
    check_claims(claims)
    found = []
    for given, bound in claims.items():
        metric = with_class(given, classes)
        # Comparisons of curves have this one, no metric of counts, and "recall at specificity 0.9".
        name, better = str(metric), "higher"
        if metric != "roc_auc":
            row, _ = resolve_any(metric.partition(" at ")[0] if isinstance(metric, str) else metric)
            own = metric[0] if isinstance(metric, tuple) else metric
            name, better = own if isinstance(own, str) else row.name, row.better
        found += claims_of(metric, name, better, bound)
    return found


def check_claims(claims: Any) -> None:
    """Refuse what is no dict of claims."""
    if not isinstance(claims, Mapping) or not claims:
        raise TypeError(
            f"claims must be a dict of metric to bound, such as {{'recall': 0.9}}; got {claims!r}."
        )


def claims_of(metric: MetricName, name: str, better: str, bound: Bound) -> list[Claim]:
    """One claim for a number, at least or at most as is better, two for a pair of bounds."""
    _, low, high = read_bound(name, better, bound)
    if np.isinf(low) and np.isinf(high):
        raise ValueError(f"the claim about {name} has no finite bound; got {bound!r}.")
    ends = ((low, True), (high, False))
    return [Claim(metric, name, *end) for end in ends if np.isfinite(end[0])]
