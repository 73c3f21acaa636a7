"""Formulas of one class where counts lie 600 orders of magnitude apart, against exact fractions."""

import functools
import itertools
import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from scipy import special

from skmetrics_ext.catalogue.rows import BY_NAME, METRICS
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.division import ratio
from tests.fuzz.class_oracle import CLASS_METRICS, Counts
from tests.fuzz.exact import UNDEFINED, to_float

# From 1e-300 to 1e300. Between powers of two nothing rounds, so that what cancels leaves 0 in floats as well.
SIZES = [0.0, 2.0**-996, 2.0**-600, 1.0, 2.0**600, 2.0**996]
COUNTS = list(itertools.product(SIZES, repeat=4))
PARAMETERS = {"beta": 2.0, "threshold_probability": 0.25}
# Of these the textbook has no ratio of counts: tests of their own are below.
OF_LOGARITHMS = {"extremal_dependence_index", "symmetric_extremal_dependence_index"}
OF_QUANTILES = {"d_prime"}
# The difference of two shares that may both be near 1, beside which smaller ones vanish.
ABSOLUTE = {"optimized_precision": 1e-15}


def values_of(name, counts):
    """The formula of a row, NaN where it is 0/0."""
    row = BY_NAME[name]
    parameters = {key: PARAMETERS[key] for key in row.required}
    value = row.formula(ClassCounts(*np.array(counts).T), **parameters)
    return (ratio(*value) if isinstance(value, tuple) else value).tolist()


def check(name, exact):
    """Each value is the exact one but for rounding, and undefined where that is; below 1e-150 it may be 0."""
    for quad, value in zip(COUNTS, values_of(name, COUNTS), strict=True):
        expected = exact(Counts(*map(Fraction, quad)))
        number = math.nan if expected is UNDEFINED else to_float(expected)
        assert value == pytest.approx(number, rel=1e-12, abs=ABSOLUTE.get(name, 1e-150), nan_ok=True), quad


@pytest.mark.parametrize(
    "name", [row.name for row in METRICS if row.has_average and row.name not in OF_LOGARITHMS | OF_QUANTILES]
)
def test_values_are_those_of_fractions(name):
    formula, _ = CLASS_METRICS[name]
    parameters = {key: PARAMETERS[key] for key in BY_NAME[name].required}
    check(name, lambda counts: formula(counts, **parameters))


@functools.cache
def logarithm(part, whole):
    """ln(part / whole), to more digits than there are between 1 and the share nearest to it."""
    with localcontext() as context:
        context.prec = 700
        share = Decimal(part.numerator * whole.denominator) / Decimal(part.denominator * whole.numerator)
        return share.ln()


def contrast_of(one, other):
    """(a - b) / (a + b) of two sums of logarithms of rates, which are limits where a rate is 0."""
    if one.is_infinite() or other.is_infinite():
        return UNDEFINED if one == other else 1 if one.is_infinite() else -1
    with localcontext() as context:
        context.prec = 700
        return Fraction((one - other) / (one + other)) if one + other else UNDEFINED


def test_extremal_dependence_is_that_of_exact_logarithms():
    def exact(c):
        positives, negatives = c.tp + c.fn, c.fp + c.tn
        if not positives or not negatives:
            return UNDEFINED
        return contrast_of(logarithm(c.fp, negatives), logarithm(c.tp, positives))

    check("extremal_dependence_index", exact)


def test_symmetric_extremal_dependence_is_that_of_exact_logarithms():
    def exact(c):
        positives, negatives = c.tp + c.fn, c.fp + c.tn
        if not positives or not negatives:
            return UNDEFINED
        against = logarithm(c.fp, negatives) + logarithm(c.fn, positives)
        return contrast_of(against, logarithm(c.tp, positives) + logarithm(c.tn, negatives))

    check("symmetric_extremal_dependence_index", exact)


@pytest.mark.parametrize(("tp", "fn"), [quad[:2] for quad in COUNTS if quad[2:] == (1, 1) and quad[0] and quad[1]])
def test_d_prime_is_the_quantile_of_recall_where_false_alarms_are_a_half(tp, fn):
    (d_prime,) = values_of("d_prime", [(tp, 1, fn, 1)])
    share, missing = (
        logarithm(Fraction(tp), Fraction(tp) + Fraction(fn)),
        logarithm(Fraction(fn), Fraction(tp) + Fraction(fn)),
    )
    assert special.log_ndtr(d_prime) == pytest.approx(float(share), rel=1e-12)
    assert special.log_ndtr(-d_prime) == pytest.approx(float(missing), rel=1e-12)


def test_d_prime_of_equal_rates_below_the_least_float_is_0():
    assert values_of("d_prime", [(2.0**-996, 2.0**-990, 2.0**900, 2.0**906)]) == [0]
    # Both rates 1 but for less than rounding.
    assert values_of("d_prime", [(2.0**900, 2.0**906, 2.0**-996, 2.0**-990)]) == [0]


def test_a_large_weight_of_one_error_takes_nothing_beyond_the_floats():
    """Where a count times a parameter has no float: 1 - p = 2**-53, so that odds are 2**53 - 1."""
    counts = ClassCounts(*np.array([[1.0], [2.0**999], [0.0], [1.0]]))
    assert ratio(*BY_NAME["net_benefit"].formula(counts, threshold_probability=1 - 2.0**-53)) == 1 - 2.0**53
    assert ratio(*BY_NAME["tversky"].formula(counts, alpha=2.0**999)) == 0
