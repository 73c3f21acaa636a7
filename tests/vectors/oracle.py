"""Labels and weights -> the exact value of any metric, averaged, and whether it was undefined."""

import math
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from tests.vectors.all_classes import OVERALL_METRICS, Matrix
from tests.vectors.exact import (
    REALS,
    UNDEFINED,
    Value,
    add,
    divide,
    infinite,
    root,
    times,
    to_float,
)
from tests.vectors.one_class import CLASS_METRICS, Counts

EXACT_METRICS = CLASS_METRICS | OVERALL_METRICS


class Expected(NamedTuple):
    """An exact value, or one a class; and whether it holds a 0/0."""

    value: Any
    undefined: bool


class Samples(NamedTuple):
    """Exact counts of the pairs (actual, predicted) of single-label data, and the mean weight of
    the samples that have one.
    """

    pairs: dict[tuple[Any, Any], Fraction]
    labels: list[Any]
    weight_of_one: Fraction = Fraction(1)

    @property
    def total(self) -> Fraction:
        """The weight of all samples."""
        return sum(self.pairs.values(), Fraction(0))

    def quad(self, label: Any) -> Counts:
        """tp, fp, fn and tn of one label against the rest."""
        counts = [Fraction(0)] * 4
        for (actual, predicted), weight in self.pairs.items():
            place = {(True, True): 0, (False, True): 1, (True, False): 2, (False, False): 3}
            counts[place[actual == label, predicted == label]] += weight
        return Counts(*counts)

    def matrix(self, labels: Sequence[Any]) -> Matrix:
        """The confusion matrix of the samples whose two labels are both among these."""
        cells = [[self.pairs.get((i, j), Fraction(0)) for j in labels] for i in labels]
        return Matrix(cells, list(labels), self.weight_of_one)


def exact_weights(weights: Sequence[float] | None, size: int) -> list[Fraction]:
    """Each weight as the number that its float is."""
    return [Fraction(1)] * size if weights is None else [Fraction(weight) for weight in weights]


def tally(
    true: Sequence[Any], predicted: Sequence[Any], weights: Sequence[float] | None = None
) -> Samples:
    """Count every pair, and know every label, also one whose samples weigh nothing."""
    pairs: dict[tuple[Any, Any], Fraction] = defaultdict(Fraction)
    exact = exact_weights(weights, len(true))
    for actual, guess, weight in zip(true, predicted, exact, strict=True):
        pairs[actual, guess] += weight
    some = [weight for weight in exact if weight]
    weight_of_one = sum(some, Fraction(0)) / len(some) if some else Fraction(1)
    return Samples(dict(pairs), sorted({*true, *predicted}), weight_of_one)


def quads_of_rows(
    true: Sequence[Sequence[int]], predicted: Sequence[Sequence[int]], weights: Any = None
) -> list[Counts]:
    """The counts of each label of multilabel data."""
    columns = zip(zip(*true, strict=True), zip(*predicted, strict=True), strict=True)
    return [tally(actual, guess, weights).quad(1) for actual, guess in columns]


def class_value(
    name: str,
    quads: list[Counts],
    average: str | None,
    *,
    zero_division: Any = "warn",
    weights: Sequence[Fraction] | None = None,
    **parameters: Any,
) -> Expected:
    """A metric of class counts; `weights` are those of the samples where these stand in the place
    of classes.
    """
    metric = CLASS_METRICS[name]
    if average == "micro":
        quads = [Counts(*(sum(part, Fraction(0)) for part in zip(*quads, strict=True)))]
    found = [metric.formula(quad, **parameters) for quad in quads]
    fill = metric.undefined if zero_division == "warn" else zero_division
    values = [_filled(value, fill) for value in found]
    if average in ("binary", "micro"):
        (summary,) = values
    elif average is None:
        summary = values
    elif average == "worst":
        known = [value for value in values if value == value]
        summary = (min if metric.better == "higher" else max)(
            known, key=REALS.convert, default=math.nan
        )
    else:
        support = {
            "macro": None,
            "weighted": [quad.tp + quad.fn for quad in quads],
            "samples": weights,
        }[average]
        summary = weighted_mean(values, support)
    if average == "samples" and weights is not None:
        found = [value for value, weight in zip(found, weights, strict=True) if weight]
    # An average without a weight is 0/0, too.
    without_support = average == "weighted" and not any(quad.tp + quad.fn for quad in quads)
    return Expected(summary, UNDEFINED in found or without_support)


def overall_value(
    name: str, matrix: Matrix, *, zero_division: Any = "warn", **parameters: Any
) -> Expected:
    """A metric over all classes."""
    metric = OVERALL_METRICS[name]
    found = metric.formula(matrix, **parameters)
    fill = metric.undefined if zero_division == "warn" else zero_division
    return Expected(_filled(found, fill), found is UNDEFINED)


def weighted_mean(
    values: Sequence[Fraction | float], weights: Sequence[Fraction] | None
) -> Fraction | float:
    """The mean of what is not nan; unweighted where the weights are all zero. What no float can
    hold is infinite.
    """
    known = [i for i, value in enumerate(values) if value == value]
    shares = [Fraction(1) if weights is None else weights[i] for i in known]
    if not any(shares):
        shares = [Fraction(1)] * len(known)
    beyond = {to_float(values[i]) for i, share in zip(known, shares, strict=True) if share}
    beyond = {value for value in beyond if infinite(value)}
    if beyond:
        return sum(beyond)
    finite = [(values[i], share) for i, share in zip(known, shares, strict=True) if share]
    total = add(*(times(value, share) for value, share in finite))
    return _filled(divide(total, sum(shares, Fraction(0))), math.nan)


def geometric_mean_of_rates(quads: list[Counts], average: str | None) -> Any:
    """sqrt(recall * specificity) of the two averaged rates, in which an undefined rate is 0."""
    rates = [
        class_value(name, quads, average, zero_division=Fraction(0)).value
        for name in ("recall", "specificity")
    ]
    if average is None:
        return [root(found * spared) for found, spared in zip(*rates, strict=True)]
    return root(rates[0] * rates[1])


def exact_share(
    true: Sequence[Sequence[int]], predicted: Sequence[Sequence[int]], weights: Any = None
) -> Fraction:
    """The share of the samples of multilabel data that are right in every label."""
    shares = exact_weights(weights, len(true))
    right = (
        share
        for actual, guess, share in zip(true, predicted, shares, strict=True)
        if list(actual) == list(guess)
    )
    return sum(right, Fraction(0)) / sum(shares)


def _filled(value: Value, fill: Any) -> Any:
    """The value, or what stands for 0/0."""
    return fill if value is UNDEFINED else value
