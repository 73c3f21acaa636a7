"""The corrected t test of scores on the same folds."""

import pickle

import narwhals
import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import make_moons
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.svm import SVC

from skmetrics_ext import compare_folds
from skmetrics_ext.results import FoldComparison

A = np.array([0.91, 0.94, 0.89, 0.93, 0.92])
B = np.array([0.88, 0.92, 0.90, 0.89, 0.91])


def shares_of(found):
    """The probabilities of worse, equivalent and better."""
    shares = [found.p_worse, found.p_equivalent, found.p_better]
    return [share for share in shares if share is not None]


def area(y, scores):
    """The ROC AUC of a few samples, as pairs of classes."""
    return stats.mannwhitneyu(scores[y == 1], scores[y == 0]).statistic / 25


def test_published_values():
    # "Statistical comparison of models using grid search" in scikit-learn's gallery: t = 0.750 and
    # one-sided p = 0.227 (uncorrected 2.611 and 0.005), the probabilities of rbf being better
    # 0.773, and of equivalence within 0.01 0.432.
    X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    rbf, linear = np.transpose(
        [
            [
                area(y[test], SVC(kernel=kernel).fit(X[train], y[train]).decision_function(X[test]))
                for kernel in ("rbf", "linear")
            ]
            for train, test in folds.split(X, y)
        ]
    )
    with pytest.warns(UserWarning, match="repeated folds of 100 samples"):
        compared = compare_folds(rbf, linear, n_train=90, n_test=10, rope=0.01)
    assert compared.p_value / 2 == pytest.approx(0.227, abs=5e-4)
    assert compared.p_equivalent == pytest.approx(0.432, abs=5e-4)
    assert stats.ttest_rel(rbf, linear).statistic == pytest.approx(2.611, abs=5e-4)
    scale = (compared.high - compared.low) / 2 / stats.t(99).ppf(0.975)
    assert compared.difference / scale == pytest.approx(0.750, abs=5e-4)


def test_many_training_samples_make_it_the_paired_t_test():
    compared = compare_folds(A, B, n_train=1e15, n_test=1, confidence_level=0.9)
    expected = stats.ttest_rel(A, B)
    assert compared.p_value == pytest.approx(expected.pvalue)
    np.testing.assert_allclose([compared.low, compared.high], expected.confidence_interval(0.9))
    assert compared.degrees_of_freedom == 4
    assert compared.confidence_level == 0.9


def test_by_hand():
    compared = compare_folds(A, B, n_train=400, n_test=100)
    scale = np.sqrt((1 / 5 + 1 / 4) * np.var(A - B, ddof=1))
    assert compared.difference == pytest.approx(0.018)
    np.testing.assert_allclose(
        [compared.low, compared.high], 0.018 + np.array([-1, 1]) * scale * stats.t(4).ppf(0.975)
    )
    assert compared.p_value == pytest.approx(2 * stats.t(4).sf(0.018 / scale))
    assert compared.p_better is None


def test_more_test_than_training_samples_give_a_warning():
    with pytest.warns(UserWarning, match="n_test=400 is more than n_train=100") as caught:
        swapped = compare_folds(A, B, n_train=100, n_test=400)
    assert len(caught) == 1
    assert swapped.high > compare_folds(A, B, n_train=400, n_test=100).high
    # Two halves are as large as each other.
    compare_folds(A, B, n_train=250, n_test=250)


def test_turned_round_it_is_the_opposite():
    one, other = (
        compare_folds(*pair, n_train=400, n_test=100, rope=0.01) for pair in ((A, B), (B, A))
    )
    assert other.difference == -one.difference
    assert (other.low, other.high) == pytest.approx((-one.high, -one.low))
    assert other.p_value == pytest.approx(one.p_value)
    assert shares_of(other) == pytest.approx(shares_of(one)[::-1])
    assert sum(shares_of(one)) == pytest.approx(1)


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ((A, A), "0 in all 5"),
        (([1, 1, 1], [0, 0, 0]), "1 in all 3"),
        ((A + 0.1, A), "0.1 in all 5"),
    ],
)
def test_scores_that_do_not_vary_are_refused(scores, said):
    with pytest.raises(
        ValueError, match=f"the difference of the scores is {said} folds, so there is no variance"
    ):
        compare_folds(*scores, n_train=400, n_test=100, rope=0.01)


def test_few_samples_whose_folds_are_repeated_are_not_trusted():
    compare_folds(A, B, n_train=399, n_test=100)
    twice = np.r_[A, A + 0.01], np.r_[B, B - 0.01]
    with pytest.warns(
        UserWarning,
        match="repeated folds of 499 samples: with fewer than 500.* 14 % .* compare_estimators",
    ):
        compare_folds(*twice, n_train=399, n_test=100)
    compare_folds(*twice, n_train=400, n_test=100)


def test_it_reads_well_and_is_pickled():
    compared = compare_folds(A, B, n_train=400, n_test=100, rope=0.01)
    start = (
        "+0.0180 [-0.0178, +0.0538] 95 %, p = 0.235 (corrected t test, 4 degrees of freedom); "
        "worse 0.0"
    )
    assert repr(compared).startswith(start)
    assert pickle.loads(pickle.dumps(compared)) == compared
    assert isinstance(compared, FoldComparison)


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ((A, B[:4]), {}, "scores_a has 5 scores and scores_b 4: pass scores from the same folds"),
        (
            ([0.5], [0.6]),
            {},
            r"scores_a must contain the scores of at least two folds; it has shape \(1,\)",
        ),
        (
            (A, [B]),
            {},
            r"scores_b must contain the scores of at least two folds; it has shape \(1, 5\)",
        ),
        ((A, [0.1, 0.2, np.nan, 0.3, 0.4]), {}, "scores_b holds NaN"),
        ((A, B), {"n_train": 0}, "n_train must be a finite number above 0; got 0"),
        ((A, B), {"n_test": "a"}, "n_test must be a finite number above 0; got 'a'"),
        ((A, B), {"rope": 0}, "rope must be a finite number above 0; got 0"),
        (
            (A, B),
            {"confidence_level": 95},
            "confidence_level must be at least 0.5 and below 1; got 95",
        ),
        (
            (A, B),
            {"confidence_level": 1},
            "confidence_level must be at least 0.5 and below 1; got 1",
        ),
    ],
)
def test_what_does_not_fit_is_refused(scores, options, message):
    with pytest.raises(ValueError, match=message):
        compare_folds(*scores, **{"n_train": 400, "n_test": 100, **options})


def test_scores_that_are_equal_but_for_rounding_are_equal():
    with pytest.raises(ValueError, match="is 0 in all 5 folds"):
        compare_folds([0.1 + 0.2] * 5, [0.3] * 5, n_train=80, n_test=20)
    compared = compare_folds([0.1 + 0.2, 0.5, 0.6], [0.3, 0.4, 0.4], n_train=80, n_test=20)
    assert 0 < compared.p_value < 1


@pytest.mark.parametrize("unit", [1e-200, 1, 1e200])
def test_units_do_not_matter(unit):
    expected = compare_folds(A, B, n_train=400, n_test=100)
    compared = compare_folds(A * unit, B * unit, n_train=400, n_test=100)
    assert compared.p_value == pytest.approx(expected.p_value)
    assert compared.low / unit == pytest.approx(expected.low)


def test_differences_beyond_all_floats_are_refused():
    with pytest.raises(ValueError, match="overflow the floating-point range"):
        compare_folds([1e308, -1e308], [-1e308, 1e308], n_train=4, n_test=1)


def test_shares_of_the_rope_are_no_less_than_0():
    for shift in np.linspace(-0.05, 0.05, 41):
        shares = shares_of(compare_folds(A + shift, B, n_train=400, n_test=100, rope=1e-9))
        assert min(shares) >= 0


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_a_comparison_of_folds_is_one_row(backend):
    scores = [0.8, 0.9, 0.7], [0.7, 0.8, 0.7]
    plain, with_rope = (
        compare_folds(*scores, n_train=8, n_test=2, rope=rope) for rope in (None, 0.01)
    )
    names = ["difference", "low", "high", "p_value", "confidence_level", "degrees_of_freedom"]
    for compared, probabilities in ((plain, [None] * 3), (with_rope, shares_of(with_rope))):
        frame = narwhals.from_native(compared.to_frame(backend))
        assert frame.columns == [*names, "p_worse", "p_equivalent", "p_better"]
        (row,) = frame.rows()
        assert list(row[:6]) == [getattr(compared, name) for name in names]
        assert list(row[6:]) == probabilities
    assert f"<td>{with_rope.p_equivalent:.4f}</td>" in with_rope._repr_html_()
    assert "equivalent" not in plain._repr_html_()
