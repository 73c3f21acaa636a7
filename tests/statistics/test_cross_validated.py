"""How limits of repetitions are stretched, and when predicted classes vary too much."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from skmetrics_ext.statistics.arrays import Limits
from skmetrics_ext.statistics.values.cross_validated import (
    PredictedInFolds,
    Repetitions,
    caveats_of_folding,
    stretched_limits,
    variance_inflation,
)
from skmetrics_ext.statistics.values.delta import SCALES


def repetitions(values, half, *, pooled=None, guard=None, n_folds=5, in_groups=False):
    values = np.array(values, dtype=float)
    limits = Limits(values - half, values + half)
    middle = values.mean() if pooled is None else pooled
    return Repetitions(values, limits, middle, n_folds, guard, in_groups)


@pytest.mark.parametrize(
    ("values", "n_folds", "in_groups", "expected"),
    [
        # Without variance of the splits, one degree of freedom remains.
        ([0.5], 5, False, 1.25 + 1),
        ([0.5, 0.5], 5, False, 1.25 + 1 / 4),
        ([0.5] * 4, 5, False, 1.25 + 1 / 16),
        ([0.5] * 4, 2, False, 2 + 1 / 16),
        ([0.5] * 4, 3, True, 1.5 + 1 / 16),
        ([0.5] * 4, 10, True, 1.5 + 1 / 16),
        ([0.5] * 4, 2, True, 2 + 1 / 16),
        # Twice the variance of the counts: (1 * .02 + .01) / (4 * .01).
        ([0.4, 0.6], 5, False, 1.25 + 0.75),
    ],
)
def test_the_inflation_of_the_variance(values, n_folds, in_groups, expected):
    found = variance_inflation(np.array(values), 0.01, n_folds, in_groups=in_groups)
    assert_allclose(found, expected, rtol=1e-12)


def test_limits_stay_in_the_range_of_the_metric():
    of = repetitions([0.9] * 4, 0.08, guard=0.5)
    found = stretched_limits(of, 0.95, SCALES[""], (0, 1))
    assert found.limits.high == 1
    assert_allclose(found.extension, 0.6 * 0.4)
    assert_allclose(found.half_width, 0.08 * np.sqrt(1.25 + 1 / 16))
    lower = stretched_limits(repetitions([0.1] * 4, 0.08, guard=0.5), 0.95, SCALES[""], (0, 1))
    assert lower.limits.low == 0
    assert_allclose(lower.limits.high, 0.1 + found.half_width)


def test_the_stretch_does_not_depend_on_the_level_but_through_the_limits():
    """Limits at 90 % of a normal value stretch as those at 95 %."""
    found = []
    for level in (0.9, 0.95):
        half = 0.02 * stats.norm.ppf((1 + level) / 2)
        of = repetitions([0.7, 0.72, 0.69], half)
        found.append(stretched_limits(of, level, SCALES[""], (0, 1)).stretch)
    assert_allclose(*found, rtol=1e-12)


def test_a_repetition_without_limits_leaves_none():
    of = repetitions([0.5, np.nan], 0.1)
    assert np.isnan(stretched_limits(of, 0.95, SCALES[""], (0, 1)).limits).all()
    flat = repetitions([0.5, 0.5], 0.0)
    assert np.isnan(stretched_limits(flat, 0.95, SCALES[""], (0, 1)).limits).all()


def predicted(by_fold, effects=None):
    numbers = np.asarray(by_fold)
    effects = np.ones((len(numbers), numbers.shape[-1])) if effects is None else np.asarray(effects)
    return PredictedInFolds(numbers, effects)


def codes(of, *, is_stratified=True):
    return [caveat.code for caveat in caveats_of_folding(of, is_stratified=is_stratified)]


def test_the_excess_is_pearsons_statistic_by_its_degrees_of_freedom():
    table = np.array([[12, 28], [20, 20], [8, 32]])
    found, most = predicted(table[None]).excess()
    statistic, _, freedom, _ = stats.chi2_contingency(table)
    assert_allclose(found, statistic / freedom, rtol=1e-12)
    assert_allclose(most, stats.chi2.isf(0.01, freedom) / freedom, rtol=1e-12)
    both, _ = predicted([table, table]).excess()
    assert_allclose(both, found, rtol=1e-12)
    halved, _ = predicted(table[None], 2 * np.ones((1, 2))).excess()
    assert_allclose(halved, found / 2, rtol=1e-12)


def test_several_classes_of_which_one_is_never_predicted():
    table = np.array([[12, 18, 10], [20, 10, 10], [8, 22, 10]])
    with_none = np.insert(table, 1, 0, axis=1)
    found, most = predicted(with_none[None]).excess()
    statistic, _, freedom, _ = stats.chi2_contingency(table)
    assert_allclose([found, most], [statistic / freedom, stats.chi2.isf(0.01, 4) / 4], rtol=1e-12)


def test_rates_that_depend_on_the_training_data_are_told():
    steady, varied = [[20, 20]] * 5, [[2, 38], [38, 2], [20, 20], [5, 35], [35, 5]]
    assert codes(predicted([steady] * 4)) == []
    assert codes(predicted([varied] * 4)) == ["unstable_rate"]
    # Groups of samples that are predicted alike explain as much.
    assert codes(predicted([varied] * 4, 20 * np.ones((4, 2)))) == []


def test_half_of_the_folds_with_one_class_each_decide():
    one, other, both = [40, 0], [0, 40], [20, 20]
    assert codes(predicted([[one, other, both, both]])) == ["unstable_class"]
    assert codes(predicted([[one, one, both, both]])) == ["unstable_rate"]
    assert codes(predicted([[one, other, both, both, both]])) == ["unstable_rate"]
    # Always the same one.
    assert codes(predicted([[one, one, one, one]])) == []


def test_the_folds_themselves():
    two = [[20, 20], [20, 20]]
    assert codes(predicted([two])) == ["two_folds"]
    assert codes(predicted([two]), is_stratified=False) == ["unstratified_folds", "two_folds"]
