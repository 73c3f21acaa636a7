"""What this package gives, by its public functions: the inputs of a case -> the outputs."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from skmetrics_ext import ConfusionMatrix, ThresholdCurve, agreement, check, compare, compare_curves
from skmetrics_ext.results import Interval

Outputs = dict[str, Any]


class NotOffered(Exception):
    """What a library does not give."""


def proportion(method: str) -> Callable[..., Outputs]:
    """The recall of so many actual positives."""

    def interval(hits: int, n: int, level: str) -> Outputs:
        return limits_of(matrix(hits, n - hits, 1, 0).interval("recall", **at(level, method)))

    return interval


def claimed(hits: int, n: int, level: str) -> Outputs:
    """The limits that decide about a claim, each of which holds by itself."""
    found = check(matrix(hits, n - hits, 1, 0), {"recall": 0.5}, confidence_level=float(level))
    return {"value": found.value[0], "low": found.low[0], "high": found.high[0]}


def difference(hits_1: int, n_1: int, hits_2: int, n_2: int, level: str, limits_by: str) -> Outputs:
    """The recall of one group minus that of another."""
    if limits_by != "mid_p":
        raise NotOffered
    groups = {"a": matrix(hits_1, n_1 - hits_1, 1, 0), "b": matrix(hits_2, n_2 - hits_2, 1, 0)}
    cm = ConfusionMatrix.stack(groups, axis="group")
    (row,) = cm.pairwise_gaps("recall", confidence_level=float(level), correction=None).rows
    return {"value": row.difference, "low": row.low, "high": row.high}


MOVERS = {"wilson": "mover", "mid_p": "mid-p-mover", "clopper_pearson": "exact-mover"}


def of_two_shares(metric: str) -> Callable[..., Outputs]:
    """A sum of two proportions, less what the metric takes off it, or their ratio."""

    def interval(
        hits_1: int, n_1: int, hits_2: int, n_2: int, level: str, limits_by: str
    ) -> Outputs:
        method = MOVERS[limits_by]
        cm = CELLS[metric](hits_1, n_1 - hits_1, hits_2, n_2 - hits_2)
        found = limits_of(cm.interval(metric, **at(level, method)))
        return {name: AS_SUM.get(metric, float)(of) for name, of in found.items()}

    return interval


def matrix(tp: int, fn: int, tn: int, fp: int) -> ConfusionMatrix:
    """Counts of two classes."""
    return ConfusionMatrix.from_counts([[tn, fp], [fn, tp]], labels=[0, 1])


# The counts of which both proportions are part: hits and misses of the first and of the second.
CELLS: dict[str, Callable[[int, int, int, int], ConfusionMatrix]] = {
    "informedness": matrix,
    "one_vs_rest_balanced_accuracy": matrix,
    "markedness": lambda tp, fp, tn, fn: matrix(tp, fn, tn, fp),
    "positive_likelihood_ratio": lambda tp, fn, fp, tn: matrix(tp, fn, tn, fp),
    "negative_likelihood_ratio": lambda fn, tp, tn, fp: matrix(tp, fn, tn, fp),
    "relative_risk": lambda tp, fp, fn, tn: matrix(tp, fn, tn, fp),
}
AS_SUM: dict[str, Callable[[float], float]] = {
    "informedness": lambda value: value + 1,
    "markedness": lambda value: value + 1,
    "one_vs_rest_balanced_accuracy": lambda value: 2 * value,
}


def simultaneous(hits: list[int], n: list[int], level: str, limits_by: str) -> Outputs:
    """The recall of several classes, whose limits hold together."""
    counts = np.diag(hits) + np.roll(np.diag(np.subtract(n, hits)), 1, axis=1)
    method = limits_by.replace("_", "-")
    cm = ConfusionMatrix.from_counts(counts, labels=list(range(len(n))))
    return limits_of(cm.interval("recall", average=None, simultaneous=True, **at(level, method)))


def paired(only_first: int, only_second: int, n: int, level: str = "0.95", **options: Any) -> Any:
    """The difference in accuracy of two classifiers, as a row of a comparison."""
    if n < 2:
        # A comparison refuses a single sample.
        raise NotOffered
    counts = np.array([only_first, only_second, n - only_first - only_second])
    predictions = {"a": [1, 0, 1], "b": [0, 1, 1]}
    found = compare(
        np.ones(3, dtype=int)[counts > 0],
        {name: np.array(of)[counts > 0] for name, of in predictions.items()},
        "accuracy",
        sample_weight=counts[counts > 0],
        frequency_weights=True,
        confidence_level=float(level),
        correction=None,
        **options,
    )
    return found.rows[0]


def difference_in_accuracy(only_first: int, only_second: int, n: int, level: str) -> Outputs:
    """Its limits, which agree with the test."""
    row = paired(only_first, only_second, n, level)
    return {"value": row.difference, "low": row.low, "high": row.high}


def not_worse(only_first: int, only_second: int, n: int, margin: str) -> Outputs:
    """The p-value of a first classifier that is worse by the margin or more."""
    return {"p_value": paired(only_first, only_second, n, margin=float(margin)).p_not_worse}


def mid_p(only_first: int, only_second: int) -> Outputs:
    """The p-value of equal classifiers, with two samples that both have right."""
    return {"p_value": paired(only_first, only_second, only_first + only_second + 2).p_value}


def corrected(only_first: list[int], only_second: list[int]) -> Outputs:
    """Several classifiers against one, that is right in the first half of the samples alone."""
    most = max(*only_first, *only_second, 1)
    places = np.arange(most)
    baseline = np.repeat([1, 0], most)
    predictions = {"baseline": baseline} | {
        f"model {k}": np.concatenate([places >= worse, places < better]).astype(int)
        for k, (better, worse) in enumerate(zip(only_first, only_second, strict=True))
    }
    found: Outputs = {}
    for correction in ("holm", "bonferroni"):
        rows = compare(
            np.ones(2 * most, dtype=int),
            predictions,
            "accuracy",
            baseline="baseline",
            correction=correction,
        ).rows
        found[correction] = [row.p_adjusted for row in rows]
        found["p_value"] = [row.p_value for row in rows]
    return found


def curve_of(positive: Iterable[int], negative: Iterable[int]) -> ThresholdCurve:
    """The curve of some scores."""
    positive, negative = [*positive], [*negative]
    return ThresholdCurve.from_scores(
        [1] * len(positive) + [0] * len(negative), [*positive, *negative]
    )


def delong(positive: list[int], negative: list[int], level: str) -> Outputs:
    """The limits of the area by DeLong's variance alone, on both scales."""
    curve, found = curve_of(positive, negative), {}
    for method, end in (("delong", ""), ("delong-logit", "_by_logit")):
        interval = curve.interval("roc_auc", method=method, confidence_level=float(level))
        if not interval.low < interval.high:
            return {"value": interval.value}
        found |= {"value": interval.value, f"low{end}": interval.low, f"high{end}": interval.high}
    return found


def area(positive: list[int], negative: list[int], level: str) -> Outputs:
    """The limits of the area."""
    curve = curve_of(positive, negative)
    return limits_of(curve.interval("roc_auc", confidence_level=float(level)))


def areas_compared(
    positive_1: list[int], negative_1: list[int], positive_2: list[int], negative_2: list[int]
) -> Outputs:
    """The difference of two areas of the same samples, with its p-value by DeLong's test."""
    curves = {"a": curve_of(positive_1, negative_1), "b": curve_of(positive_2, negative_2)}
    (row,) = compare_curves(curves, method="delong", correction=None).rows
    has_variance = row.low < row.high
    return {"value": row.difference} | ({"p_value": row.p_value} if has_variance else {})


def in_clusters(method: str) -> Callable[..., Outputs]:
    """The recall of samples in clusters."""

    def interval(clusters: list[list[int]], level: str) -> Outputs:
        hits, n = np.array(clusters).T
        right = np.repeat([1, 0], [hits.sum(), (n - hits).sum()])
        of_clusters = [np.repeat(np.arange(len(n)), of) for of in (hits, n - hits)]
        # An actual negative sample, in a cluster of its own, of which recall says nothing.
        cm = ConfusionMatrix.from_predictions(
            [*np.ones_like(right), 0],
            [*right, 0],
            clusters=[*np.concatenate(of_clusters), len(n)],
            labels=[0, 1],
        )
        return limits_of(cm.interval("recall", **at(level, method)))

    return interval


def with_weights(hits: list[list[Any]], misses: list[list[Any]], level: str) -> Outputs:
    """The recall of samples with weights, all of them actual positives."""
    parts = [(1, *of) for of in hits] + [(0, *of) for of in misses]
    right, weights, numbers = (np.array(of, dtype=float) for of in zip(*parts, strict=True))
    predicted, weight = (np.repeat(of, numbers.astype(int)) for of in (right, weights))
    cm = ConfusionMatrix.from_predictions(
        np.ones(len(predicted), dtype=int),
        predicted.astype(int),
        sample_weight=weight,
        labels=[0, 1],
    )
    return limits_of(cm.interval("recall", **at(level, "mid-p")))


def partly_verified(positive: list[int], negative: list[int]) -> Outputs:
    """The rates of samples of which only some have a label."""
    if positive[0] + negative[0] > 10**6:
        # Samples are given one by one.
        raise NotOffered
    actual: list[int | None] = []
    for n, of_positive, of_negative in (positive, negative):
        rest = n - of_positive - of_negative
        actual += [1] * of_positive + [0] * of_negative + [None] * rest
    predicted = [1] * positive[0] + [0] * negative[0]
    try:
        cm = ConfusionMatrix.from_partial_labels(actual, predicted, labels=[0, 1])
    except ValueError:
        return {"sensitivity": None, "specificity": None}
    return {
        "sensitivity": cm.score("recall", zero_division=np.nan),
        "specificity": cm.score("specificity", zero_division=np.nan),
    }


def of_raters(metric: str) -> Callable[..., Outputs]:
    """The agreement of raters."""

    def interval(ratings: list[list[int | None]], level: str, scale: str = "nominal") -> Outputs:
        rows = np.array([[np.nan if of is None else of for of in row] for row in ratings])
        weights = {"nominal": None, "ordinal": "ordinal"}
        if scale == "interval":
            # By their values, of which some may not occur.
            classes = np.unique(rows[~np.isnan(rows)])
            options = {"weights": (classes[:, None] - classes) ** 2}
        else:
            options = {"weights": weights[scale]}
        found = agreement(
            rows, metric=metric, confidence_level=float(level), counts=False, **options
        )
        return limits_of(found)

    return interval


def at(level: str, method: str) -> dict[str, Any]:
    """The options of an interval."""
    return {"confidence_level": float(level), "method": method}


def limits_of(found: Interval) -> Outputs:
    """A value with its limits."""
    return {"value": found.value, "low": found.low, "high": found.high}


OURS: dict[str, Callable[..., Outputs]] = {
    "wilson": proportion("wilson"),
    "mid_p": proportion("mid-p"),
    "clopper_pearson": proportion("clopper-pearson"),
    "one_sided_clopper_pearson": claimed,
    "newcombe_difference": difference,
    "mover_sum": of_two_shares("informedness"),
    "mover_ratio": of_two_shares("positive_likelihood_ratio"),
    "bonferroni": simultaneous,
    "tango": difference_in_accuracy,
    "tango_non_inferiority": not_worse,
    "mcnemar_mid_p": mid_p,
    "corrected_mid_p": corrected,
    "delong": delong,
    "area_limits": area,
    "delong_difference": areas_compared,
    "mid_p_of_clusters": in_clusters("mid-p"),
    "korn_graubard_of_clusters": in_clusters("korn-graubard"),
    "mid_p_of_weights": with_weights,
    "begg_greenes": partly_verified,
    "krippendorff_alpha": of_raters("krippendorff_alpha"),
    "gwet_ac1": of_raters("gwet_ac1"),
}
