"""The corrected t test of scores on the same folds, and of a search's candidates."""

import pickle
import warnings

import narwhals
import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import make_moons
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    RandomizedSearchCV,
    RepeatedStratifiedKFold,
)
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from skmetrics_ext import compare_folds, plot_intervals
from skmetrics_ext.results import FoldComparison

A = np.array([0.91, 0.94, 0.89, 0.93, 0.92])
B = np.array([0.88, 0.92, 0.90, 0.89, 0.91])


SIZES = {"n_train": 400, "n_test": 100}


def compare_two(a, b, **options):
    """Two models, the second as the reference, and the row."""
    found = compare_folds({"a": a, "b": b}, baseline="b", **{**SIZES, **options})
    [row] = found.rows
    return found, row


def shares_of(found):
    """The probabilities of worse, equivalent and better, of a comparison of two."""
    shares = found.probability_worse, found.probability_equivalent, found.probability_better
    return [share for [share] in shares]


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
        found, row = compare_two(rbf, linear, n_train=90, n_test=10, rope=0.01)
    assert row.p_value / 2 == pytest.approx(0.227, abs=5e-4)
    assert shares_of(found)[1] == pytest.approx(0.432, abs=5e-4)
    assert stats.ttest_rel(rbf, linear).statistic == pytest.approx(2.611, abs=5e-4)
    scale = (row.high - row.low) / 2 / stats.t(99).ppf(0.975)
    assert row.difference / scale == pytest.approx(0.750, abs=5e-4)


def test_many_training_samples_make_it_the_paired_t_test():
    found, row = compare_two(A, B, n_train=1e15, n_test=1, confidence_level=0.9)
    expected = stats.ttest_rel(A, B)
    assert row.p_value == pytest.approx(expected.pvalue)
    np.testing.assert_allclose([row.low, row.high], expected.confidence_interval(0.9))
    assert found.degrees_of_freedom == 4
    assert found.confidence_level == 0.9


def test_by_hand():
    found, row = compare_two(A, B)
    scale = np.sqrt((1 / 5 + 1 / 4) * np.var(A - B, ddof=1))
    assert row.difference == pytest.approx(0.018)
    np.testing.assert_allclose(
        [row.low, row.high], 0.018 + np.array([-1, 1]) * scale * stats.t(4).ppf(0.975)
    )
    assert row.p_value == row.p_adjusted == pytest.approx(2 * stats.t(4).sf(0.018 / scale))
    assert (row.metric, row.model, row.reference) == ("score", "a", "b")
    assert (row.value, row.reference_value) == pytest.approx((A.mean(), B.mean()))
    assert shares_of(found) == [None] * 3


def test_more_test_than_training_samples_give_a_warning():
    with pytest.warns(UserWarning, match="n_test=400 is more than n_train=100") as caught:
        _, swapped = compare_two(A, B, n_train=100, n_test=400)
    assert len(caught) == 1
    assert swapped.high > compare_two(A, B)[1].high
    # Two halves are as large as each other.
    compare_two(A, B, n_train=250, n_test=250)


def test_turned_round_it_is_the_opposite():
    (found, one), (of_other, other) = (compare_two(*pair, rope=0.01) for pair in ((A, B), (B, A)))
    assert other.difference == -one.difference
    assert (other.low, other.high) == pytest.approx((-one.high, -one.low))
    assert other.p_value == pytest.approx(one.p_value)
    assert shares_of(of_other) == pytest.approx(shares_of(found)[::-1])
    assert sum(shares_of(found)) == pytest.approx(1)


@pytest.mark.parametrize(
    ("scores", "p_value", "said"),
    [
        ((A, A), 1, "0 in all 5"),
        (([1, 1, 1], [0, 0, 0]), np.nan, "1 in all 3"),
        ((A + 0.1, A), np.nan, "0.1 in all 5"),
    ],
)
def test_scores_that_do_not_vary_have_no_limits(scores, p_value, said):
    with pytest.warns(UserWarning, match=f"the difference of the scores is {said} folds"):
        found, row = compare_two(*scores, rope=0.01)
    np.testing.assert_array_equal((row.low, row.high, row.p_value), (np.nan, np.nan, p_value))
    np.testing.assert_array_equal(shares_of(found), np.full(3, np.nan))
    assert [caveat.code for caveat in row.caveats] == ["constant"]
    # Nothing shows that they differ.
    assert found.indistinguishable == ("b", "a")


def test_few_samples_whose_folds_are_repeated_are_not_trusted():
    compare_two(A, B, n_train=399)
    twice = np.r_[A, A + 0.01], np.r_[B, B - 0.01]
    with pytest.warns(
        UserWarning,
        match="repeated folds of 499 samples: with fewer than 500.* 14 % .* compare_estimators",
    ):
        compare_two(*twice, n_train=399)
    compare_two(*twice)


def paired(a, b, test_share=0.25):
    """The p-value of the corrected t test, written out."""
    error = np.sqrt((1 / len(a) + test_share) * np.var(a - b, ddof=1))
    return 2 * stats.t(len(a) - 1).sf(abs(np.mean(a - b)) / error)


def test_others_are_compared_with_the_best_and_corrected_for_all_pairs():
    random = np.random.default_rng(0)
    scores = {
        name: random.normal(mean, 0.02, 10) for name, mean in zip("wxyz", (5, 9, 7, 9), strict=True)
    }
    found = compare_folds(scores, **SIZES)
    best = max(scores, key=lambda name: scores[name].mean())
    assert found.reference.tolist() == [best] * 3
    order = sorted(set(scores) - {best}, key=lambda name: -scores[name].mean())
    assert found.model.tolist() == order
    for row in found.rows:
        expected = paired(scores[row.model], scores[best])
        assert row.p_value == pytest.approx(expected)
        # Of six pairs.
        assert row.confidence_level == pytest.approx(1 - 0.05 / 6)
    pairs = [(a, b) for place, a in enumerate(scores) for b in [*scores][place + 1 :]]
    all_p = np.sort([paired(scores[a], scores[b]) for a, b in pairs])
    holm = np.minimum(np.maximum.accumulate(all_p * np.arange(6, 0, -1)), 1)
    adjusted = [holm[np.isclose(all_p, row.p_value, rtol=1e-9)][0] for row in found.rows]
    assert found.p_adjusted.tolist() == pytest.approx(adjusted)
    assert found.indistinguishable == (best, order[0])
    assert "1 of 3 others cannot be told from the reference" in repr(found)
    # A baseline was chosen beforehand.
    named = compare_folds(scores, **SIZES, baseline="y")
    assert named.level_of_row.tolist() == pytest.approx([1 - 0.05 / 3] * 3)
    assert named.indistinguishable == ("y",)
    alone = compare_folds(scores, **SIZES, baseline="y", correction=None)
    assert alone.p_adjusted.tolist() == alone.p_value.tolist()
    plot_intervals(found)


def test_the_simplest_of_those_that_cannot_be_told_from_the_reference():
    scores = {
        "deep tree": A,
        "tree": B,
        "bad": A - 0.5 + np.arange(5) / 100,
        "long forest": A - np.arange(5) / 1e3,
    }
    found = compare_folds(scores, n_train=4_000, n_test=100, simplest=len)
    assert set(found.indistinguishable) == {"deep tree", "tree", "long forest"}
    assert (found.simplest, found.simplest_index) == ("tree", 1)
    assert found.simplest in repr(found)
    # Of equally simple ones the better.
    found = compare_folds(scores, n_train=4_000, n_test=100, simplest=lambda _: 1)
    assert (found.simplest, found.simplest_index) == ("deep tree", 0)
    for simplest in (lambda _: None, lambda _: np.nan):
        with pytest.raises(ValueError, match="a number for each model"):
            compare_folds(scores, n_train=4_000, n_test=100, simplest=simplest)


EQUAL = pytest.mark.filterwarnings("ignore:the difference of the scores is 0")
X, Y = make_moons(noise=0.3, random_state=0, n_samples=200)
TREE = DecisionTreeClassifier(random_state=0)
GRID = {"max_depth": [1, 3, 8], "min_samples_leaf": [1, 10]}


def scores_of(search, place, key="score"):
    return np.array([search.cv_results_[f"split{k}_test_{key}"][place] for k in range(5)])


@EQUAL
def test_candidates_of_a_search_are_named_by_what_differs():
    search = GridSearchCV(TREE, {**GRID, "criterion": ["gini"]}, cv=5).fit(X, Y)
    found = compare_folds(search, n_train=160, n_test=40, simplest=lambda of: of["max_depth"])
    names = [
        f"max_depth={depth}, min_samples_leaf={leaf}" for depth in (1, 3, 8) for leaf in (1, 10)
    ]
    assert {*found.model, found.reference[0]} == {*names}
    assert names[search.best_index_] == found.reference[0]
    for row in found.rows:
        own, other = (scores_of(search, names.index(of)) for of in (row.model, row.reference))
        assert row.difference == pytest.approx((own - other).mean())
    depths = [int(name[len("max_depth=") :].split(",")[0]) for name in found.indistinguishable]
    assert search.cv_results_["params"][found.simplest_index]["max_depth"] == min(depths) == 3
    by_dict = compare_folds(
        {name: scores_of(search, k) for k, name in enumerate(names)}, n_train=160, n_test=40
    )
    assert by_dict.p_adjusted.tolist() == found.p_adjusted.tolist()


def test_a_search_with_several_scores_is_asked_for_one():
    search = GridSearchCV(
        TREE, {"max_depth": [1, 3]}, cv=5, scoring=["accuracy", "recall"], refit="recall"
    )
    sizes = {"n_train": 160, "n_test": 40}
    with pytest.raises(TypeError, match="call its fit first"):
        compare_folds(search, **sizes)
    search.fit(X, Y)
    assert compare_folds(search, **sizes).metric.tolist() == ["recall"]
    (row,) = compare_folds(search, **sizes, metric="accuracy", baseline="max_depth=1").rows
    assert row.value == pytest.approx(scores_of(search, 1, "accuracy").mean())
    search.set_params(refit=False).fit(X, Y)
    with pytest.raises(ValueError, match=r"one of the search's scores, \['accuracy', 'recall'\]"):
        compare_folds(search, **sizes)


@EQUAL
def test_of_a_halving_search_the_last_iteration_counts():
    search = HalvingGridSearchCV(TREE, {"max_depth": [1, 2, 3, 5, 8, 9]}, cv=5, random_state=0)
    search.fit(X, Y)
    results = search.cv_results_
    last = np.flatnonzero(results["iter"] == results["iter"].max())
    found = compare_folds(search, n_train=100, n_test=25, simplest=lambda of: of["max_depth"])
    assert len(found.model) + 1 == len(last)
    assert found.simplest_index in last
    assert found.reference[0] == f"max_depth={search.best_params_['max_depth']}"


def fit_with_failures(search):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search.fit(X, Y)


# Deep trees may be equal in all folds.
@EQUAL
def test_candidates_without_a_score_are_left_out_and_equal_ones_are_numbered():
    grid = [{"max_depth": [0, 2, 4]}, {"max_depth": [2]}]
    search = GridSearchCV(TREE, grid, cv=5)
    fit_with_failures(search)
    sizes = {"n_train": 160, "n_test": 40}
    with pytest.warns(UserWarning, match="^1 of 4 candidates have no finite score in some fold"):
        found = compare_folds(search, **sizes, baseline="max_depth=2 [3]")
    assert {*found.model} == {"max_depth=2 [1]", "max_depth=4"}
    lost = RandomizedSearchCV(TREE, {"max_depth": [0, 3]}, n_iter=2, cv=5, random_state=0)
    fit_with_failures(lost)
    with pytest.raises(ValueError, match="has 1 candidate with a score in every fold"):
        compare_folds(lost, **sizes)


def test_it_reads_well_and_is_pickled():
    compared, _ = compare_two(A, B, rope=0.01)
    title, _, row = repr(compared).splitlines()
    assert title.endswith("95 % confidence intervals, p_adjusted by holm, 4 degrees of freedom")
    assert "+0.0180  -0.0178  +0.0538    0.235" in row
    assert pickle.loads(pickle.dumps(compared)) == compared
    assert isinstance(compared, FoldComparison)


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ((A, B[:4]), {}, r"scores\['a'\] has 5 scores and scores\['b'\] 4: pass scores from the"),
        (
            ([0.5], [0.6]),
            {},
            r"scores\['a'\] must contain the scores of at least two folds; it has shape \(1,\)",
        ),
        (
            (A, [B]),
            {},
            r"scores\['b'\] must contain the scores of at least two folds; it has shape \(1, 5\)",
        ),
        ((A, [0.1, 0.2, np.nan, 0.3, 0.4]), {}, r"scores\['b'\] holds NaN"),
        ((A, B), {"n_train": 0}, "n_train must be a finite number above 0; got 0"),
        ((A, B), {"n_test": "a"}, "n_test must be a finite number above 0; got 'a'"),
        ((A, B), {"rope": 0}, "rope must be a finite number above 0; got 0"),
        ((A, B), {"metric": "recall"}, "metric='recall' names a score of a search"),
        ((A, B), {"baseline": "c"}, "baseline='c' is not one of the models"),
        (
            (A, B),
            {"confidence_level": 95},
            "confidence_level must be at least 0.5 and below 1; got 95",
        ),
    ],
)
def test_what_does_not_fit_is_refused(scores, options, message):
    asked = {"baseline": "b", **SIZES, **options}
    with pytest.raises(ValueError, match=message):
        compare_folds(dict(zip("ab", scores, strict=True)), **asked)


def test_one_model_and_a_choice_without_correction_are_refused():
    with pytest.raises(ValueError, match="at least two models"):
        compare_folds({"a": A}, **SIZES)
    with pytest.raises(TypeError, match="scores must be a dict"):
        compare_folds([A, B], **SIZES)
    with pytest.raises(ValueError, match="correction=None needs a baseline="):
        compare_folds({"a": A, "b": B, "c": A * B}, **SIZES, correction=None)
    compare_folds({"a": A, "b": B}, **SIZES, correction=None)


def test_scores_that_are_equal_but_for_rounding_are_equal():
    with pytest.warns(UserWarning, match="is 0 in all 5 folds"):
        _, row = compare_two([0.1 + 0.2] * 5, [0.3] * 5)
    assert row.p_value == 1
    _, row = compare_two([0.1 + 0.2, 0.5, 0.6], [0.3, 0.4, 0.4])
    assert 0 < row.p_value < 1


@pytest.mark.parametrize("unit", [1e-200, 1, 1e200])
def test_units_do_not_matter(unit):
    _, expected = compare_two(A, B)
    _, row = compare_two(A * unit, B * unit)
    assert row.p_value == pytest.approx(expected.p_value)
    assert row.low / unit == pytest.approx(expected.low)


def test_differences_beyond_all_floats_are_refused():
    with pytest.raises(ValueError, match="overflow the floating-point range"):
        compare_two([1e308, -1e308], [-1e308, 1e308])


def test_shares_of_the_rope_are_no_less_than_0():
    for shift in np.linspace(-0.05, 0.05, 41):
        assert min(shares_of(compare_two(A + shift, B, rope=1e-9)[0])) >= 0


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_a_frame_has_the_probabilities_only_with_a_rope(backend):
    plain, with_rope = (compare_two(A, B, rope=rope)[0] for rope in (None, 0.01))
    names = ["probability_worse", "probability_equivalent", "probability_better"]
    frame = narwhals.from_native(with_rope.to_frame(backend))
    assert [frame[name][0] for name in names] == shares_of(with_rope)
    assert not {*names} & {*narwhals.from_native(plain.to_frame(backend)).columns}
    assert f"<td>{with_rope.probability_equivalent[0]:.4f}</td>" in with_rope._repr_html_()
    assert "probability" not in plain._repr_html_()


def test_simplest_that_is_no_function_is_refused():
    scores = {"a": [0.9, 0.8, 0.7], "b": [0.8, 0.9, 0.6]}
    with pytest.raises(TypeError, match=r"simplest= must be a function .* got 'max_depth'\.$"):
        compare_folds(scores, n_train=80, n_test=20, simplest="max_depth")
