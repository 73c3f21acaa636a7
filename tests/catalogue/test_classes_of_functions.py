"""What a row declares its formula to be is what its derivatives at random tables say."""

import numpy as np
import pytest

from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.catalogue.rows import METRICS
from tests.shared import parameters_of

# Tables of two classes, far from empty cells.
RANDOM = np.random.default_rng(0)
TABLES = RANDOM.uniform(0.5, 2, (6, 2, 2))
STEP = 1e-6
# The narrowest class that a declaration may be of. Unequal costs and errors are linear over linear.
NARROWEST = {
    "share": {"share"},
    "scaled share": {"share"},
    "overlap": {"share", "linear over linear"},
    "linear over linear": {"linear over linear"},
    "linear in actual rates": {"linear in actual rates"},
    "linear in predicted rates": {"linear in predicted rates"},
    "smooth": {"other"},
    "steep": {"other"},
    "atanh": {"other"},
    "logit": {"other"},
    # Of which the frequency bias is unbounded.
    "log": {"other", "linear over linear"},
}


def value_of(row):
    """The metric of tables in shares of a million million samples; of one class the second's."""
    parameters = parameters_of(row)

    def value(tables):
        # Counts are whole; derivatives of shares of so many are exact to many digits.
        counts = np.rint(np.asarray(tables) * 1e12).astype(np.int64)
        cm = ConfusionMatrix.from_counts(counts.reshape(-1, 2, 2), labels=[0, 1])
        return np.asarray(cm.score(row.name, **parameters)).reshape(counts.shape[:-2])

    return value


def derivatives(value, table):
    units = STEP * np.eye(4).reshape(4, 2, 2)
    return ((value(table + units) - value(table - units)) / (2 * STEP)).reshape(2, 2)


def is_share(value):
    """One positive and one negative derivative, over the same cells everywhere."""
    patterns = []
    for table in TABLES:
        found = derivatives(value, table)
        signs = np.sign(np.where(np.abs(found) < 1e-5, 0, found))
        alike = [np.ptp(found[signs == sign]) < 1e-4 for sign in (-1, 1) if (signs == sign).any()]
        patterns.append(signs)
        if len(alike) < 2 or not all(alike):
            return False
    return bool((np.array(patterns) == patterns[0]).all())


def is_linear_over_linear(value):
    """Constant along every tangent of where it has one value, however far."""
    for table in TABLES:
        slopes = derivatives(value, table)
        for direction in RANDOM.uniform(-1, 1, (3, 2, 2)):
            along = direction - slopes * (slopes * direction).sum() / (slopes**2).sum()
            if abs(value(table + 0.3 * along) - value(table)) > 1e-5:
                return False
    return True


def is_linear_in_rates(value, axis):
    """As of tables with both classes equally frequent, of which it is linear."""
    rates = TABLES / TABLES.sum(axis, keepdims=True)
    middle = (rates[:3] + rates[3:]) / 2
    is_linear = np.allclose(value(middle), (value(rates[:3]) + value(rates[3:])) / 2, atol=1e-7)
    return bool(np.allclose(value(TABLES), value(rates), atol=1e-7) and is_linear)


def narrowest(value):
    if is_share(value):
        return "share"
    if is_linear_over_linear(value):
        return "linear over linear"
    for axis, of in ((-1, "actual"), (-2, "predicted")):
        if is_linear_in_rates(value, axis):
            return f"linear in {of} rates"
    return "other"


DECLARED = {row.name: row.interval_of_two or row.interval for row in METRICS}


@pytest.mark.parametrize(
    "row", [row for row in METRICS if DECLARED[row.name] in NARROWEST], ids=lambda row: row.name
)
def test_the_declared_class_is_the_narrowest(row):
    assert narrowest(value_of(row)) in NARROWEST[DECLARED[row.name]]


@pytest.mark.parametrize(
    "row", [row for row in METRICS if DECLARED[row.name] == "smooth"], ids=lambda row: row.name
)
def test_smooth_values_have_slopes_and_ends(row):
    value = value_of(row)
    for table in TABLES:
        units = STEP * np.eye(4).reshape(4, 2, 2)
        up, down = value(table + units) - value(table), value(table) - value(table - units)
        np.testing.assert_allclose(up, down, atol=1e-9)
    cm = ConfusionMatrix.from_counts([[50, 20], [10, 40]], labels=[0, 1])
    assert np.isfinite([cm.interval(row.name, **parameters_of(row)).low])


def test_functions_that_are_not_of_these_classes_are_told_apart():
    def product(tables):
        return tables[..., 0, 0] * tables[..., 1, 1] / tables.sum((-2, -1)) ** 2

    assert narrowest(product) == "other"
