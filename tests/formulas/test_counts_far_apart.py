"""Formulas of counts 200 orders of magnitude apart, and at their limits, in exact fractions."""

import functools
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import special

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    ThresholdCurves,
    accuracy_score,
    get_scorer,
)
from skmetrics_ext.catalogue.rows import BY_NAME, METRICS
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.results import ClassCounts
from tests.doubles import Answering
from tests.fuzz.case import quietly
from tests.fuzz.compare import close
from tests.shared import for_each
from tests.vectors.all_classes import OVERALL_METRICS, Matrix
from tests.vectors.exact import UNDEFINED, log, to_float
from tests.vectors.one_class import CLASS_METRICS, Counts

# From 1e-100 to 1e99. Between powers of two nothing rounds, so that what cancels leaves 0 in floats
# as well.
SIZES = [0.0, 2.0**-332, 2.0**-200, 1.0, 2.0**200, 2.0**330]
COUNTS = list(itertools.product(SIZES, repeat=4))
EXACT = {size: Fraction(size) for size in SIZES}
PARAMETERS = {"beta": 2.0, "threshold_probability": 0.25}
# A difference of two shares that are equal except for less than their rounding.
ABSOLUTE = {"optimized_precision": 1e-15}


def values_of(name, counts):
    """The formula of a row, NaN where it is 0/0."""
    row = BY_NAME[name]
    parameters = {key: PARAMETERS[key] for key in row.required}
    value = row.formula(ClassCounts(*np.array(counts).T), **parameters)
    return (ratio(*value) if isinstance(value, tuple) else value).tolist()


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", [row.name for row in METRICS if row.has_average])
def test_values_are_those_of_exact_arithmetic(name, step):
    """But for rounding, and undefined where these are. All counts together in slow tests, in fast
    ones any three with one or two of the sizes of the fourth.
    """
    places = itertools.product(range(len(SIZES)), repeat=4)
    quads = [quad for quad, of in zip(COUNTS, places, strict=True) if sum(of) % step == 0]
    textbook = CLASS_METRICS[name].formula
    parameters = {key: PARAMETERS[key] for key in BY_NAME[name].required}
    exact = [textbook(Counts(*(EXACT[of] for of in quad)), **parameters) for quad in quads]
    expected = np.array([math.nan if of is UNDEFINED else to_float(of) for of in exact])
    values = np.array(values_of(name, quads))
    with np.errstate(invalid="ignore"):
        error = np.abs(values - expected)
        is_close = error <= np.maximum(1e-12 * np.abs(expected), ABSOLUTE.get(name, 1e-150))
    # An infinite value is close only to itself.
    is_right = np.where(np.isfinite(expected), is_close, values == expected)
    is_right |= np.isnan(values) & np.isnan(expected)
    wrong = np.flatnonzero(~is_right)
    assert [(quads[k], values[k], expected[k]) for k in wrong] == []


@pytest.mark.parametrize(
    ("tp", "fn"), [quad[:2] for quad in COUNTS if quad[2:] == (1, 1) and quad[0] and quad[1]]
)
def test_d_prime_is_the_quantile_of_recall_where_false_alarms_are_a_half(tp, fn):
    (d_prime,) = values_of("d_prime", [(tp, 1, fn, 1)])
    positives = Fraction(tp) + Fraction(fn)
    for quantile, part in ((d_prime, tp), (-d_prime, fn)):
        assert special.log_ndtr(quantile) == pytest.approx(
            float(log(Fraction(part) / positives)), rel=1e-12
        )


def test_d_prime_of_equal_rates_near_0_and_1_is_0():
    assert values_of("d_prime", [(2.0**-332, 2.0**-326, 2.0**300, 2.0**306)]) == [0]
    # Both rates 1 except for less than rounding.
    assert values_of("d_prime", [(2.0**300, 2.0**306, 2.0**-332, 2.0**-326)]) == [0]


def test_a_large_weight_of_one_error_takes_nothing_beyond_the_floats():
    """Where a count times a parameter has no float: 1 - p = 2**-53, so that odds are 2**53 - 1."""
    counts = ClassCounts(*np.array([[1.0], [2.0**330], [0.0], [1.0]]))
    assert (
        ratio(*BY_NAME["net_benefit"].formula(counts, threshold_probability=1 - 2.0**-53))
        == 1 - 2.0**53
    )
    assert ratio(*BY_NAME["tversky"].formula(counts, alpha=2.0**999)) == 0


# The least and the largest total of floats, and their neighbors on the inner and on the outer
# side.
WITHIN = [1e-100, math.nextafter(1e-100, 1), math.nextafter(1e100, 1), 1e100]
OUTSIDE = [math.nextafter(1e-100, 0), math.nextafter(1e100, math.inf)]
# Of these parts the sum in floats is the total, whichever is added first.
HALVES, NEARLY_ALL = [0.5, 0.5, 0, 0], [1, 2.0**-60, 2.0**-60, 2.0**-60]
AT_THE_ENDS = [
    [total * part for part in parts] for total in WITHIN for parts in (HALVES, NEARLY_ALL)
]
NEARLY_2_TO_63 = [2**62, 2**61, 2**60, 2**60 - 1]


@functools.cache
def ends(orders_of):
    """The counts in these orders, as they are, as fractions and as a matrix."""
    orders = {order for cells in [*AT_THE_ENDS, NEARLY_2_TO_63] for order in orders_of(cells)}
    return [
        (
            (a, b, c, d),
            [[Fraction(a), Fraction(b)], [Fraction(c), Fraction(d)]],
            ConfusionMatrix.from_counts([[a, b], [c, d]], labels=[0, 1]),
        )
        for a, b, c, d in orders
    ]


def in_each_place(cells):
    """Four orders, in which each count has each place."""
    return [tuple(cells[k:] + cells[:k]) for k in range(len(cells))]


@pytest.mark.parametrize(
    "orders_of", [in_each_place, pytest.param(itertools.permutations, marks=pytest.mark.slow)]
)
@for_each("row", METRICS)
def test_values_at_the_ends_of_the_range_are_those_of_exact_arithmetic(row, orders_of):
    """In slow tests in every order."""
    costs = {"cost_matrix": [[0.0, 3.0], [1.0, 0.5]]}
    parameters = {name: (PARAMETERS | costs)[name] for name in row.required}
    for quad, exact, cm in ends(orders_of):
        if row.has_average:
            counts = Counts(exact[1][1], exact[0][1], exact[1][0], exact[0][0])
            expected = CLASS_METRICS[row.name].formula(counts, **parameters)
        else:
            expected = OVERALL_METRICS[row.name].formula(Matrix(exact, [0, 1]), **parameters)
        average = {"average": "binary", "pos_label": 1} if row.has_average else {}
        value, _ = quietly(cm.score, row.name, **average, **parameters)
        assert close(value, row.undefined if expected is UNDEFINED else expected), quad


@pytest.mark.parametrize("total", OUTSIDE)
def test_a_total_beside_the_range_is_refused_wherever_weights_are_read(total):
    y, scores, weights = [0, 1, 0, 1], [0.1, 0.9, 0.2, 0.8], [total * part for part in HALVES]
    group = ["a", "a", "b", "b"]
    others = [0.5, 0.5, total / 2, total / 2]
    for refused in (
        lambda: ConfusionMatrix.from_counts(np.reshape(weights, (2, 2)), labels=[0, 1]),
        lambda: ConfusionMatrix.from_counts(
            [np.eye(2), np.reshape(weights, (2, 2))], labels=[0, 1]
        ),
        lambda: accuracy_score(y, y, sample_weight=weights),
        lambda: ConfusionMatrix.from_predictions(y, y, sample_weight=others, by={"group": group}),
        lambda: ThresholdCurve.from_scores(y, scores, sample_weight=weights),
        lambda: ThresholdCurves.from_scores(y, scores, sample_weight=others, by=group),
        lambda: get_scorer("recall", over_groups="worst")(
            Answering(y), None, y, sample_weight=others, by=group
        ),
    ):
        with pytest.raises(
            ValueError,
            match=r"adds up to .* 0 or lie between 1e-100 and 1e\+100: multiply all by one",
        ):
            refused()


@pytest.mark.parametrize("total", WITHIN)
def test_a_total_at_an_end_of_the_range_counts(total):
    y, weights = [0, 1, 0, 1], [total * part for part in HALVES]
    assert accuracy_score(y, [0, 0, 1, 1], sample_weight=weights) == 0.5
    assert ThresholdCurve.from_scores(y, [0.1, 0.9, 0.2, 0.8], sample_weight=weights).roc_auc() == 1
    # A group without samples is no small one.
    empty = ConfusionMatrix.from_counts(
        [np.reshape(weights, (2, 2)), np.zeros((2, 2))], labels=[0, 1]
    )
    assert empty.score("accuracy", zero_division=np.nan).tolist() == pytest.approx(
        [0.5, np.nan], nan_ok=True
    )
