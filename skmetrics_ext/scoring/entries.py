"""What a scorer computes, checked once: each metric with its key and its choice; NaN where a score
fails.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.averages import check_average
from skmetrics_ext.catalogue.choice import Choice, choose, sign_of
from skmetrics_ext.catalogue.names import option_hint, resolve_scorer, row_of
from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.catalogue.undefined import ZeroDivision
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.order import show

MetricName = str | Callable[..., Any]
# A score, or the error instead of it.
Outcome = float | Exception


class Entry(NamedTuple):
    """One score: its key, the start of the keys of its classes, and what is computed from the
    counts.
    """

    key: str
    base: str
    choice: Choice


def own_copy(metrics: Any) -> Any:
    """A copy of the metrics that is independent of the caller's list or dict; this package's are
    given by name.
    """
    if isinstance(metrics, Mapping):
        return {key: scorer_of(metric) for key, metric in metrics.items()}
    is_list = isinstance(metrics, Sequence) and not isinstance(metrics, str)
    return [*map(scorer_of, metrics)] if is_list else scorer_of(metrics)


def scorer_of(metric: MetricName) -> MetricName:
    """What a scorer is made from: the name for one of this package's functions, else the metric as
    given.
    """
    row = row_of(metric)
    return metric if row is None else row.scorer_name


def resolved_metrics(metrics: Any) -> dict[str, tuple[str, Metric, str | None]]:
    """The name, row and average of each metric by its key."""
    if isinstance(metrics, Mapping):
        pairs = list(metrics.items())
    elif isinstance(metrics, str) or callable(metrics):
        pairs = [(None, metrics)]
    elif isinstance(metrics, Sequence):
        pairs = [(None, metric) for metric in metrics]
    else:
        raise TypeError(
            "metrics must be a metric, a list of metrics or a dict of key to metric; got "
            f"{metrics!r}."
        )
    resolved: dict[str, tuple[str, Metric, str | None]] = {}
    for key, metric in pairs:
        row, average = resolve_scorer(metric)
        name = metric if isinstance(metric, str) else row.scorer_name
        own_key = name if key is None else key
        if not isinstance(own_key, str) or not own_key:
            raise TypeError(f"the keys of metrics must be non-empty strings; got {own_key!r}.")
        if own_key in resolved:
            raise ValueError(
                f"two scores have the key {name!r}: name each once, or use a dict of key to metric."
            )
        resolved[own_key] = name, row, average
    return resolved


def entries_of(
    resolved: dict[str, tuple[str, Metric, str | None]],
    parameters: dict[str, Any],
    greater_is_better: bool | None,
    options: Iterable[str],
    *,
    average: str,
    labels: NDArray[Any] | None,
    zero_division: ZeroDivision,
) -> list[Entry]:
    """The metrics with the parameters they accept, and the average where their names have none.

    `options` are what an unknown parameter may have meant.
    """
    known = {name for _, row, _ in resolved.values() for name in row.parameters}
    if unknown := [name for name in parameters if name not in known]:
        hint = option_hint(unknown[0], [*known, *options])
        raise TypeError(
            f"{unknown[0]!r} is neither an option nor a parameter of the metrics "
            f"{list(resolved)}.{hint}"
        )
    entries = []
    for key, (name, row, named) in resolved.items():
        own = {
            parameter: value
            for parameter, value in parameters.items()
            if parameter in row.parameters
        }
        choice = choose(
            row,
            sign=sign_of(row, greater_is_better),
            average=(named or average) if row.has_average else "auto",
            labels=None if average == "binary" and named is None and row.has_average else labels,
            zero_division=zero_division,
            **own,
        )
        base = name if named is None else name[: -len(f"_{named}")]
        entries.append(Entry(key, base, choice))
    return entries


def check_average_of(
    average: Any, metrics: list[tuple[str, Metric, str | None]], is_single: bool
) -> None:
    """Reject an average that no metric accepts, or that contradicts the name of a single metric."""
    if average is None:
        raise ValueError(
            "a scorer gives one number per key, average=None one per class: per_class=True adds "
            "these."
        )
    if average != "auto":
        check_average(average)
        if metrics and not any(row.has_average for _, row, _ in metrics):
            names = ", ".join(name for name, _, _ in metrics)
            raise ValueError(
                f"{names} is one value over all classes: average= does not apply to it."
            )
        name, _, named = metrics[0] if is_single else ("", None, None)
        if named not in (None, average):
            raise ValueError(
                f"{name!r} already has an average; average={average!r} contradicts it."
            )


def with_nan(keys: Iterable[str], outcomes: Mapping[str, Outcome]) -> dict[str, float]:
    """All keys with their scores: NaN for those that failed, with one warning of the causes.

    scikit-learn can't merge the folds of a search if a scorer that gives a dict raises in one.
    """
    failures = {key: outcome for key, outcome in outcomes.items() if isinstance(outcome, Exception)}
    if failures:
        by_cause: dict[str, list[str]] = {}
        for key, error in failures.items():
            by_cause.setdefault(f"{type(error).__name__}: {error}", []).append(key)
        causes = [f"{show(np.array(failed), 5)} ({cause})" for cause, failed in by_cause.items()]
        warn(f"set to NaN: {'; '.join(causes)}")
    scores: dict[str, Any] = {**outcomes, **dict.fromkeys(failures, np.nan)}
    return {key: scores[key] for key in keys}
