"""Formulas of one class where counts lie 600 orders of magnitude apart, against exact fractions."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import special

from skmetrics_ext.catalogue.rows import BY_NAME, METRICS
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.division import ratio
from tests.fuzz.class_oracle import CLASS_METRICS, Counts
from tests.fuzz.exact import UNDEFINED, precise_log, to_float
from tests.fuzz.parameters import OF_QUANTILES

# From 1e-300 to 1e300. Between powers of two nothing rounds, so that what cancels leaves 0 in floats as well.
SIZES = [0.0, 2.0**-996, 2.0**-600, 1.0, 2.0**600, 2.0**996]
COUNTS = list(itertools.product(SIZES, repeat=4))
PARAMETERS = {"beta": 2.0, "threshold_probability": 0.25}
# Differences of two shares or logarithms that are equal but for less than their rounding.
ABSOLUTE = {"optimized_precision": 1e-15, "extreme_dependency_score": 1e-15}


def values_of(name, counts):
    """The formula of a row, NaN where it is 0/0."""
    row = BY_NAME[name]
    parameters = {key: PARAMETERS[key] for key in row.required}
    value = row.formula(ClassCounts(*np.array(counts).T), **parameters)
    return (ratio(*value) if isinstance(value, tuple) else value).tolist()


@pytest.mark.parametrize("name", [row.name for row in METRICS if row.has_average and row.name not in OF_QUANTILES])
def test_values_are_those_of_exact_arithmetic(name):
    """But for rounding, and undefined where these are; below 1e-150 a value may be 0."""
    textbook, _ = CLASS_METRICS[name]
    parameters = {key: PARAMETERS[key] for key in BY_NAME[name].required}
    for quad, value in zip(COUNTS, values_of(name, COUNTS), strict=True):
        exact = textbook(Counts(*map(Fraction, quad)), **parameters)
        expected = math.nan if exact is UNDEFINED else to_float(exact)
        assert value == pytest.approx(expected, rel=1e-12, abs=ABSOLUTE.get(name, 1e-150), nan_ok=True), quad


@pytest.mark.parametrize(("tp", "fn"), [quad[:2] for quad in COUNTS if quad[2:] == (1, 1) and quad[0] and quad[1]])
def test_d_prime_is_the_quantile_of_recall_where_false_alarms_are_a_half(tp, fn):
    (d_prime,) = values_of("d_prime", [(tp, 1, fn, 1)])
    positives = Fraction(tp) + Fraction(fn)
    for quantile, part in ((d_prime, tp), (-d_prime, fn)):
        assert special.log_ndtr(quantile) == pytest.approx(float(precise_log(Fraction(part) / positives)), rel=1e-12)


def test_d_prime_of_equal_rates_below_the_least_float_is_0():
    assert values_of("d_prime", [(2.0**-996, 2.0**-990, 2.0**900, 2.0**906)]) == [0]
    # Both rates 1 but for less than rounding.
    assert values_of("d_prime", [(2.0**900, 2.0**906, 2.0**-996, 2.0**-990)]) == [0]


def test_a_large_weight_of_one_error_takes_nothing_beyond_the_floats():
    """Where a count times a parameter has no float: 1 - p = 2**-53, so that odds are 2**53 - 1."""
    counts = ClassCounts(*np.array([[1.0], [2.0**999], [0.0], [1.0]]))
    assert ratio(*BY_NAME["net_benefit"].formula(counts, threshold_probability=1 - 2.0**-53)) == 1 - 2.0**53
    assert ratio(*BY_NAME["tversky"].formula(counts, alpha=2.0**999)) == 0
