"""Intervals of cross-validated metrics: the rule by hand, the folds, and what is refused."""

import functools
import itertools
import warnings
from typing import ClassVar

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler, scale

from skmetrics_ext import (
    ConfusionMatrix,
    ConfusionScorer,
    ConstrainedThresholdClassifier,
    UnreliableIntervalWarning,
    check,
    compare_estimators,
    cross_val_confusion_matrix,
    cross_val_interval,
    get_scorer,
    recall_score,
)
from skmetrics_ext import make_scorer as make_our_scorer
from skmetrics_ext.results import CrossValidatedInterval, Interval
from tests.doubles import NearestMean
from tests.proportions import mid_p
from tests.shared import one_in

# Of so few samples the guard often says so.
pytestmark = pytest.mark.filterwarnings(r"ignore:.* still (rises|falls) with the number")

X, Y = load_breast_cancer(return_X_y=True)
X, Y = scale(X[:200, :6]), Y[:200]
Z = stats.norm.ppf(0.975)


def constant(hits=60, n=100):
    """A model that always predicts 1, of which so many are right."""
    y = np.repeat([1, 0], [hits, n - hits])
    return DummyClassifier(strategy="constant", constant=1), np.zeros((n, 1)), y


MORE = [(3, 1.5), (5, 1.25), (10, 1.25)]


# Without variance between splits only the limits of 60 of 100 are stretched.
@pytest.mark.parametrize("n_repeats", [1, 2, 4])
def test_a_constant_model_has_the_limits_of_a_proportion_stretched(n_repeats):
    model, features, y = constant()
    found = cross_val_interval(
        model, features, y, scoring="accuracy", n_repeats=n_repeats, random_state=0
    )
    assert (found.value, found.n, found.n_folds, found.n_repeats) == (0.6, 100, 5, n_repeats)
    assert found.extension == 0
    stretch, plain = np.sqrt(1.25 + 1 / n_repeats**2), mid_p(60, 100)
    if n_repeats == 1:
        # Nadeau & Bengio: the variance of a mean of five folds is that of one times 1/5 + 1/4.
        assert_allclose(stretch, np.sqrt(5 * (1 / 5 + 1 / 4)), rtol=1e-12)
    assert_allclose(found.stretch, stretch, rtol=1e-12)
    assert_allclose(found.high - 0.6, stretch * (plain.high - 0.6), rtol=1e-6)
    assert_allclose(0.6 - found.low, stretch * (0.6 - plain.low), rtol=1e-6)


@pytest.mark.parametrize(
    ("n_folds", "least"),
    [(2, 2.0), (4, 4 / 3), (6, 1.25), *(pytest.param(*of, marks=pytest.mark.slow) for of in MORE)],
)
def test_few_folds_leave_more_samples_out(n_folds, least):
    """K / (K - 1), and no less than 1.25; the slow ones are other numbers."""
    model, features, y = constant()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreliableIntervalWarning)
        found = cross_val_interval(
            model, features, y, scoring="accuracy", cv=n_folds, n_repeats=1, random_state=0
        )
    assert_allclose(found.stretch**2, least + 1, rtol=1e-9)


class Recording(ClassifierMixin, BaseEstimator):
    """A model that notes the rows, which the first feature numbers, that it sees."""

    log: ClassVar[list] = []

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.model_ = NearestMean().fit(X[:, 1:], y)
        self.rows_ = X[:, 0].astype(int)
        return self

    def predict(self, X):
        found = self.model_.predict(X[:, 1:])
        self.log.append((self.rows_, X[:, 0].astype(int), found))
        return found


def recorded(scoring, **options):
    """The result, or those of several metrics, and what every model saw and predicted."""
    Recording.log.clear()
    numbered = np.column_stack([np.arange(len(Y)), X])
    found = cross_val_interval(Recording(), numbered, Y, scoring=scoring, random_state=1, **options)
    return found, list(Recording.log)


def by_hand(log, metric, n_folds, n_repeats, least, groups=None, scale=(np.asarray, np.asarray)):
    """The rule in plain steps, from the predictions of every model."""
    there, back = scale
    rounds = [log[k * n_folds : (k + 1) * n_folds] for k in range(n_repeats + 1)]
    total, values, lows, highs = 0, [], [], []
    for models in rounds[:n_repeats]:
        rows = np.concatenate([test for _, test, _ in models])
        predicted = np.concatenate([found for _, _, found in models])
        assert sorted(rows) == list(range(len(Y)))
        cm = ConfusionMatrix.from_predictions(
            Y[rows], predicted, clusters=None if groups is None else groups[rows]
        )
        interval = cm.interval(metric)
        total = total + cm.counts
        values.append(interval.value)
        lows.append(interval.low)
        highs.append(interval.high)
    values, lows, highs = there(values), there(lows), there(highs)
    theta = there(ConfusionMatrix.from_counts(total, labels=[0, 1]).score(metric))
    variance = (np.mean(highs - lows) / (2 * Z)) ** 2
    of_splits = np.var(values, ddof=1) if n_repeats > 1 else 0
    inflation = max(least, n_folds / (n_folds - 1))
    inflation += ((n_repeats - 1) * of_splits + variance) / (n_repeats**2 * variance)
    low = theta - np.sqrt(inflation) * np.mean(values - lows)
    high = theta + np.sqrt(inflation) * np.mean(highs - values)
    guard = np.zeros((2, 2))
    for _, test, found in rounds[n_repeats]:
        np.add.at(guard, (Y[test], found), 1)
    of_guard = there(ConfusionMatrix.from_counts(guard.astype(int), labels=[0, 1]).score(metric))
    extension = (n_folds - 2) / n_folds * (values[0] - of_guard)
    return back(low + min(extension, 0)), back(high + max(extension, 0)), extension


@pytest.mark.parametrize(("n_folds", "n_repeats"), [(5, 4), (3, 1), (7, 2)])
def test_the_rule_by_hand(n_folds, n_repeats):
    metrics = ["accuracy", "f1", "precision", "specificity"]
    several, log = recorded(metrics, cv=n_folds, n_repeats=n_repeats)
    assert len(log) == n_folds * (n_repeats + 1)
    for metric, found in several.items():
        low, high, extension = by_hand(log, metric, n_folds, n_repeats, 1.25)
        assert_allclose([found.low, found.high], np.clip([low, high], 0, 1), rtol=1e-9)
        assert_allclose(found.extension, extension, rtol=1e-9, atol=1e-15)


def test_groups_stay_together_and_are_the_clusters():
    groups = np.arange(len(Y)) // 5
    found, log = recorded("accuracy", groups=groups)
    for train, test, _ in log:
        assert not {*groups[train]} & {*groups[test]}
    low, high, _ = by_hand(log, "accuracy", 5, 4, 1.5, groups)
    assert_allclose([found.low, found.high], [low, high], rtol=1e-9)


def test_predictions_that_go_by_groups_vary_by_chance():
    """Thirty groups of twenty that are all alike: as many samples alone would not vary so."""
    random = np.random.default_rng(0)
    groups = np.repeat(np.arange(30), 20)
    y = (np.arange(30) % 2)[groups]
    features = (random.normal(size=30) + np.arange(30) % 2)[groups, None]
    options = {"scoring": "accuracy", "groups": groups, "random_state": 0}
    assert codes(cross_val_interval(NearestMean(), features, y, **options)) == []


def test_ratios_are_stretched_on_their_log_scale():
    found, log = recorded("positive_likelihood_ratio")
    low, high, extension = by_hand(
        log, "positive_likelihood_ratio", 5, 4, 1.25, scale=(np.log, np.exp)
    )
    assert_allclose([found.low, found.high, found.extension], [low, high, extension], rtol=1e-9)


def test_the_guard_leaves_out_two_neighboring_folds_and_predicts_both():
    _, log = recorded("accuracy", n_repeats=1)
    folds = [{*test} for _, test, _ in log[:5]]
    for k, (train, test, _) in enumerate(log[5:]):
        assert {*test} == folds[k] | folds[(k + 1) % 5]
        assert {*train} == {*range(len(Y))} - {*test}


def test_repetitions_are_shuffled_anew_and_seeds_repeat():
    first, log = recorded("mcc")
    again, log_again = recorded("mcc")
    assert first == again
    assert all(np.array_equal(a[1], b[1]) for a, b in zip(log, log_again, strict=True))
    partitions = [
        frozenset(frozenset(test.tolist()) for _, test, _ in log[k : k + 5])
        for k in range(0, 20, 5)
    ]
    assert len({*partitions}) == 4
    assert cross_val_interval(NearestMean(), X, Y, scoring="mcc", random_state=2) != first


def test_repetitions_with_the_same_folds_count_once():
    """Four groups in three folds: six ways."""
    groups = np.arange(len(Y)) % 4
    with pytest.warns(UnreliableIntervalWarning):
        found = cross_val_interval(
            NearestMean(),
            X,
            Y,
            scoring="accuracy",
            groups=groups,
            cv=GroupKFold(3),
            n_repeats=40,
            random_state=0,
        )
    assert found.n_repeats == 6
    assert found.method == "repeated cross-validation, 6 x 3 folds"


@pytest.mark.parametrize("cv", [KFold(4), StratifiedKFold(4), 4, None])
def test_folds_are_those_asked_for(cv):
    options = {"cv": cv, "n_repeats": 2}
    if isinstance(cv, KFold):
        with pytest.warns(UnreliableIntervalWarning, match="StratifiedKFold"):
            _, log = recorded("accuracy", **options)
    else:
        _, log = recorded("accuracy", **options)
    n_folds = 5 if cv is None else 4
    assert len(log) == 3 * n_folds
    shares = [Y[test].mean() for _, test, _ in log[: 2 * n_folds]]
    is_stratified = np.ptp(shares) < 0.05
    assert is_stratified == (not isinstance(cv, KFold))


def test_one_metric_is_an_interval_and_several_are_a_dict_of_the_same_fits():
    one, several, named = (
        cross_val_interval(NearestMean(), X, Y, scoring=scoring, n_repeats=1, random_state=0)
        for scoring in ("recall", ["recall", "f1_macro"], {"sensitivity": recall_score})
    )
    assert isinstance(one, CrossValidatedInterval)
    assert isinstance(one, Interval)
    assert [*several] == ["recall", "f1_macro"]
    assert [*named] == ["sensitivity"]
    assert one == several["recall"] == named["sensitivity"]


def test_losses_are_not_negated():
    y = np.where(Y == 1, "ill", "well")
    pos_label = {"pos_label": "ill"}
    recall, *losses = (
        cross_val_interval(NearestMean(), X, y, scoring=scoring, n_repeats=1, random_state=0)
        for scoring in (
            get_scorer("recall", **pos_label),
            get_scorer("neg_false_negative_rate", **pos_label),
            ConfusionScorer("neg_false_negative_rate", **pos_label),
        )
    )
    for found in losses:
        assert found.label == "ill"
        assert_allclose([found.low, found.high], [1 - recall.high, 1 - recall.low], rtol=1e-9)


COSTS = [[0, 1], [5, 0]]


@pytest.mark.parametrize(
    ("scoring", "of_labels", "metric"),
    [
        (get_scorer("recall", threshold=0.2), {"threshold": 0.2}, {"metric": "recall"}),
        (
            ConfusionScorer("fbeta", beta=2, average="macro"),
            {},
            {"metric": "fbeta", "beta": 2, "average": "macro"},
        ),
        (get_scorer("recall", pos_label=0), {"pos_label": 0}, {"metric": "recall"}),
        (make_our_scorer(recall_score, pos_label=0), {"pos_label": 0}, {"metric": "recall"}),
        (
            ConfusionScorer("neg_expected_cost", cost_matrix=COSTS),
            {},
            {"metric": "expected_cost", "cost_matrix": COSTS},
        ),
        (
            ConfusionScorer("accuracy", cost_matrix=COSTS),
            {"cost_matrix": COSTS},
            {"metric": "accuracy"},
        ),
        (
            ConfusionScorer(["mcc", "recall"], threshold=0.7, pos_label=0).scorers()["recall"],
            {"threshold": 0.7, "pos_label": 0},
            {"metric": "recall"},
        ),
    ],
    ids=["threshold", "beta", "class", "function", "costs", "labels by costs", "key"],
)
def test_a_scorer_carries_its_options(scoring, of_labels, metric):
    found = cross_val_interval(
        NearestMean(), X, Y, scoring=scoring, cv=3, n_repeats=1, random_state=3
    )
    # The same folds, by another door.
    random = np.random.default_rng(3)
    random.integers(2**31)
    [seed] = random.integers(2**31, size=1).tolist()
    cv = StratifiedKFold(3, shuffle=True, random_state=seed)
    cm = cross_val_confusion_matrix(NearestMean(), X, Y, cv=cv, **of_labels)
    assert_allclose(found.value, cm.sum("fold").score(**metric), rtol=1e-12)


@pytest.mark.parametrize(
    "scoring",
    [
        "recall",
        ["accuracy", "recall"],
        recall_score,
        get_scorer("recall"),
        get_scorer("recall", pos_label=0),
        ConfusionScorer("recall"),
        ConfusionScorer("recall", pos_label=0, average="binary"),
    ],
    ids=str,
)
def test_a_metric_of_two_classes_is_refused_for_more_before_models_are_fitted(scoring):
    features, y = load_iris(return_X_y=True)
    message = r"recall is of the positive class of two, but there are 3, \[0, 1, 2\].*recall_macro"
    with pytest.raises(ValueError, match=message):
        cross_val_interval(None, features, y, scoring=scoring)
    with pytest.raises(ValueError, match=message):
        compare_estimators({"a": None, "b": None}, features, y, scoring=scoring)


@pytest.mark.parametrize(
    "scoring",
    [
        [("recall", 2)],
        ["recall_2"],
        {"recall_2": ("recall", 2)},
        ConfusionScorer(["recall"], pos_label=2),
        ConfusionScorer(["recall_2"], classes=[0, 1, 2]),
    ],
    ids=str,
)
def test_one_class_of_several_is_named(scoring):
    features, y = load_iris(return_X_y=True)
    found = cross_val_interval(
        NearestMean(), features, y, scoring=scoring, cv=3, n_repeats=1, random_state=0
    )
    [(key, interval)] = found.items()
    assert key in ("recall", "recall_2")
    assert (interval.metric, interval.label) == ("recall", 2)
    counts = counts_of_first_folds()
    assert interval.value == counts[2, 2] / counts[2].sum()


@functools.cache
def counts_of_first_folds():
    """Those of flowers in the folds of one repetition that random_state=0 draws."""
    features, y = load_iris(return_X_y=True)
    random = np.random.default_rng(0)
    random.integers(2**31)
    [seed] = random.integers(2**31, size=1).tolist()
    cv = StratifiedKFold(3, shuffle=True, random_state=seed)
    return cross_val_confusion_matrix(NearestMean(), features, y, cv=cv).sum("fold").counts


def test_string_labels_pipelines_and_searches():
    y = np.array(["well", "ill"])[Y]
    search = GridSearchCV(
        make_pipeline(StandardScaler(), NearestMean()),
        {"nearestmean__n_features": [1, 6]},
        scoring=get_scorer("recall", pos_label="ill"),
        cv=2,
    )
    scorer = get_scorer("f1", pos_label="ill")
    options = {"scoring": scorer, "cv": 3, "n_repeats": 1, "random_state": 0}
    of_search = cross_val_interval(search, X, y, **options)
    tuned = ConstrainedThresholdClassifier(
        NearestMean(), "f1", subject_to=None, pos_label="ill", cv=2, random_state=0
    )
    of_tuned = cross_val_interval(tuned, X, y, **options)
    for found in (of_search, of_tuned):
        assert found.label == "ill"
        assert 0.5 < found.low < found.value < found.high < 1


def test_a_class_that_some_folds_lack_is_counted_in_all():
    features, y = load_iris(return_X_y=True)
    kept = np.r_[0:100, 100:103]
    features, y = features[kept], y[kept]
    with pytest.warns() as caught:
        found = cross_val_interval(
            NearestMean(), features, y, scoring="g_mean_macro", n_repeats=2, random_state=0
        )
    texts = [str(of.message) for of in caught]
    assert any("least populated class" in text for text in texts)
    assert np.isfinite([found.low, found.high]).all()


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.usefixtures("routing")
def test_weights_weight_counts_where_they_are_routed():
    weights = np.where(Y == 1, 1.0, 3.0)
    model = NearestMean().set_fit_request(sample_weight=False)
    options = {"scoring": ["accuracy", "recall"], "n_repeats": 2, "random_state": 0}
    weighted = cross_val_interval(model, X, Y, params={"sample_weight": weights}, **options)
    plain = cross_val_interval(model, X, Y, **options)
    assert weighted["accuracy"].value < plain["accuracy"].value
    # Constant within the class.
    ends = [[of["recall"].low, of["recall"].high] for of in (weighted, plain)]
    assert_allclose(*ends, rtol=1e-9)


def test_several_processes_count_the_same():
    options = {"scoring": "accuracy", "random_state": 0, "n_repeats": 2}
    alone = cross_val_interval(NearestMean(), X, Y, **options)
    assert cross_val_interval(NearestMean(), X, Y, n_jobs=2, **options) == alone


@pytest.mark.parametrize(
    "cv",
    [
        RepeatedStratifiedKFold(n_splits=5),
        ShuffleSplit(),
        LeaveOneOut(),
        LeaveOneGroupOut(),
        PredefinedSplit([0, 1]),
        TimeSeriesSplit(),
        [(np.arange(100), np.arange(100, 200))],
        "5",
    ],
    ids=lambda cv: type(cv).__name__,
)
def test_other_splits_are_refused(cv):
    with pytest.raises(ValueError, match=r"repeated random folds.*cv=5"):
        cross_val_interval(NearestMean(), X, Y, scoring="accuracy", cv=cv)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"cv": GroupKFold()}, "needs groups="),
        ({"cv": StratifiedGroupKFold()}, "needs groups="),
        ({"cv": KFold(), "groups": Y}, "samples of one group into several folds"),
        ({"cv": 200}, "200 folds of 200 samples leave one out"),
        ({"cv": 4, "groups": np.arange(200) % 4}, "4 folds of 4 groups leave one out"),
        ({"cv": 1}, r"cv.*integer >= 2"),
        ({"cv": True}, r"cv.*integer >= 2"),
        ({"n_repeats": 0}, r"n_repeats.*integer >= 1"),
        ({"confidence_level": 1.0}, "confidence_level"),
        ({"n_resamples": 10}, "n_resamples"),
        ({"random_state": "a"}, "random_state"),
        ({"scoring": "roc_auc"}, "roc_auc"),
        ({"scoring": "brier"}, "of probabilities"),
        ({"scoring": "neg_false_positive_rate"}, "not negated"),
        ({"scoring": []}, "metrics is empty"),
        ({"scoring": make_scorer(f1_score)}, "scorer of scikit-learn"),
        ({"scoring": {"a": get_scorer("recall", pos_label=0)}}, "pass one scorer of all"),
        ({"scoring": [ConfusionScorer("recall")]}, "pass one scorer of all"),
        ({"scoring": ConfusionScorer("f1", threshold="best")}, "ConstrainedThresholdClassifier"),
        ({"scoring": ConfusionScorer("f1", by="sex")}, "groups of scorers"),
        ({"scoring": ConfusionScorer("f1", min_samples=3)}, "groups of scorers"),
        ({"scoring": ConfusionScorer(["f1"], per_class=True)}, "per_class="),
        ({"scoring": ConfusionScorer(["f1"], counts=True)}, "counts="),
        ({"scoring": ConfusionScorer("evaluation_index")}, "evaluation_index"),
    ],
)
def test_what_has_no_interval_is_refused(options, words):
    with pytest.raises(ValueError, match=words):
        cross_val_interval(NearestMean(), X, Y, **{"scoring": "accuracy"} | options)


def test_multilabel_data_are_refused():
    with pytest.raises(ValueError, match="multilabel"):
        cross_val_interval(NearestMean(), X, np.eye(2, dtype=int)[Y], scoring="accuracy")


def codes(found):
    return [caveat.code for caveat in found.caveats]


def test_a_model_that_cannot_decide_says_so():
    """With 50 of each, the most frequent class is that which the test fold has fewer of."""
    y = np.repeat([0, 1], 50)
    with pytest.warns(UnreliableIntervalWarning) as caught:
        found = cross_val_interval(
            DummyClassifier(strategy="most_frequent"),
            np.zeros((100, 1)),
            y,
            scoring="accuracy",
            cv=KFold(10),
            n_repeats=2,
            random_state=0,
        )
    assert codes(found)[:2] == ["unstable_class", "unstratified_folds"]
    assert "depends on the training data, so the interval does not hold" in str(caught[0].message)
    # What always predicts the same class is stable.
    model, features, y = constant()
    assert codes(cross_val_interval(model, features, y, scoring="accuracy", random_state=0)) == []


class Halving(ClassifierMixin, BaseEstimator):
    """A model that is right for the share of samples that it has seen at least so many of."""

    def fit(self, _, y):
        self.classes_, self.n_ = np.unique(y), len(y)
        return self

    def predict(self, X):
        actual = X[:, 0].astype(int)
        is_wrong = X[:, 1] > self.n_ / 200
        return np.where(is_wrong, 1 - actual, actual)


@pytest.mark.parametrize("metric", ["accuracy", "misclassification_rate"])
def test_a_model_that_still_learns_extends_the_limit_it_moves_to(metric):
    random = np.random.default_rng(0)
    y = np.repeat([0, 1], 100)
    features = np.column_stack([y, random.random(200)])
    with pytest.warns(UnreliableIntervalWarning, match=r"cv=10") as caught:
        found = cross_val_interval(Halving(), features, y, scoring=metric, random_state=0)
    [warned] = caught
    rises = metric == "accuracy"
    assert ("still rises" if rises else "still falls") in str(warned.message)
    assert ("upper limit" if rises else "lower limit") in str(warned.message)
    # From 60 % to 80 % of the samples it gains about .2, of which three fifths are added.
    assert_allclose(abs(found.extension), 0.6 * 0.2, atol=0.03)
    assert codes(found) == ["learning_curve"]
    # It says that limits are wide, so that verdicts stand.
    claims = {metric: 0.5}
    verdicts = check(found, claims)
    assert verdicts.overall == "pass"
    assert [caveat.code for caveat in verdicts.caveats] == ["learning_curve"]


def test_ten_folds_have_no_advice_to_take_more():
    random = np.random.default_rng(0)
    y = np.repeat([0, 1], 100)
    features = np.column_stack([y, random.random(200) / 2 + 0.5])
    with pytest.warns(UnreliableIntervalWarning) as caught:
        cross_val_interval(Halving(), features, y, scoring="accuracy", cv=10, random_state=0)
    assert not any("cv=" in str(of.message) for of in caught)


def test_two_folds_have_no_guard_and_say_so():
    with pytest.warns(UnreliableIntervalWarning, match="three or more"):
        found = cross_val_interval(NearestMean(), X, Y, scoring="accuracy", cv=2, random_state=0)
    assert codes(found) == ["two_folds"]
    assert found.extension == 0


def test_a_value_without_limits_in_a_repetition_has_none():
    """No sample is predicted to be negative: NPV is 0/0, and a ratio of likelihoods is infinite."""
    model, features, y = constant()
    with pytest.warns() as caught:
        found = cross_val_interval(
            model, features, y, scoring=["npv", "negative_likelihood_ratio"], random_state=0
        )
    for of in found.values():
        assert np.isnan([of.low, of.high]).all()
        assert "repetition_without_limits" in codes(of)
    assert np.isnan(found["npv"].value)
    assert codes(found["npv"]).count("undefined") == 1
    assert any("4 of 4 repetitions" in str(of.message) for of in caught)


def test_perfect_predictions_have_limits():
    y = np.repeat([0, 1], 50)
    found = cross_val_interval(
        NearestMean(), y[:, None], y, scoring=["accuracy", "mcc"], random_state=0
    )
    for of in found.values():
        assert of.value == of.high == 1
        assert 0.5 < of.low < 1


def test_the_result_says_what_it_is_of():
    model, features, y = constant()
    found = cross_val_interval(model, features, y, scoring="accuracy", random_state=0)
    assert repr(found) == (
        "accuracy 0.6000 [0.4875, 0.7060] 95 % for the refitted model, repeated cross-validation, "
        "4 x 5 folds, n = 100"
    )
    assert "for the refitted model" in found._repr_html_()
    frame = found.to_frame("pandas")
    assert frame[["stretch", "n_folds", "n_repeats"]].iloc[0].tolist() == [found.stretch, 5, 4]


def test_levels_are_nested():
    found = [
        cross_val_interval(
            NearestMean(),
            X,
            Y,
            scoring="accuracy",
            n_repeats=2,
            confidence_level=level,
            random_state=0,
        )
        for level in (0.8, 0.95, 0.99)
    ]
    for inner, outer in itertools.pairwise(found):
        assert outer.low < inner.low < inner.value < inner.high < outer.high


def test_claims_are_checked_at_half_of_the_error():
    found = cross_val_interval(NearestMean(), X, Y, scoring=["accuracy", "recall"], random_state=0)
    low, high = found["accuracy"].low, found["accuracy"].high
    just = {"accuracy": low - 1e-9, "recall": 0.1}
    assert check(found, just).overall == "pass"
    assert check(found, just).confidence_level == pytest.approx(0.975)
    assert check(found, {"accuracy": low + 1e-9}).overall == "cannot tell"
    assert check(found["accuracy"], {"accuracy": high + 1e-9}).overall == "fail"
    # Of two limits that each hold alone, one is not enough.
    assert check(found, {"accuracy": high + 1e-9, "recall": 0.1}).overall == "cannot tell"
    # By any of its names, where there is one; keys of the caller's own decide.
    assert check(found, {recall_score: 0.1, "sensitivity": 0.1})
    own = {"first": found["recall"], "second": found["recall"], "recall": found["accuracy"]}
    assert check(own, {"first": 0.1, "recall": 0.1}).axes[0].coordinates.tolist() == [
        "recall of 1 >= 0.1",
        "accuracy >= 0.1",
    ]
    del own["recall"]
    with pytest.raises(ValueError, match=r"'recall'.*several of the results"):
        check(own, {"recall": 0.1})
    for bound in (90, -3):
        with pytest.raises(ValueError, match="out of the metric's range, from 0 to 1"):
            check(found, {"recall": bound})
    for wrong in ({}, 3):
        with pytest.raises(TypeError, match="claims must be a dict"):
            check(found, wrong)
    with pytest.raises(ValueError, match="'mcc' is not one of the metrics"):
        check(found, {"mcc": 0.1})
    with pytest.raises(ValueError, match="its own level"):
        check(found, {"recall": 0.1}, confidence_level=0.9)
    other = cross_val_interval(
        NearestMean(), X, Y, scoring="recall", n_repeats=1, confidence_level=0.9, random_state=0
    )
    with pytest.raises(ValueError, match="different confidence levels"):
        check({"accuracy": found["accuracy"], "recall": other}, {"recall": 0.1})


def missed(cm):
    """A number that grows with the samples."""
    return float(cm.counts[1, 0])


def test_metrics_that_are_no_rates_are_those_of_each_sample_once():
    few, (_, features, y) = {"n_resamples": 199, "n_repeats": 2, "random_state": 0}, constant()
    always = DummyClassifier(strategy="constant", constant=0)
    found = cross_val_interval(always, features, y, scoring=missed, **few)
    assert (found.value, found.extension) == (60, 0)
    assert found.low > 40
    random = np.random.default_rng(0)
    y = np.repeat([0, 1], 15)
    # A model that is wrong about the same samples whatever it is fitted to.
    features = np.column_stack([y, np.where(random.random(30) < 0.2, 9, 0)])
    cm = ConfusionMatrix.from_predictions(y, np.where(features[:, 1] == 9, 1 - y, y))
    for scoring in ("krippendorff_alpha", "scott_pi"):
        one = cross_val_interval(Halving(), features, y, scoring=scoring, cv=3, **few)
        assert_allclose(one.value, cm.score(scoring), rtol=1e-12)
        assert one.extension == pytest.approx(0, abs=1e-12)


def test_whole_weights_of_0_and_1_select_samples():
    weights = (np.arange(len(Y)) % 5 > 0).astype(float)
    options = {"scoring": "recall", "cv": 3, "n_repeats": 1, "random_state": 0}
    with sklearn.config_context(enable_metadata_routing=True):
        model = NearestMean().set_fit_request(sample_weight=True)
        plain = cross_val_interval(NearestMean(), X, Y, **options)
        for given in (np.ones(len(Y)), np.ones(len(Y), dtype=bool)):
            ones = cross_val_interval(model, X, Y, params={"sample_weight": given}, **options)
            assert_allclose([ones.low, ones.high], [plain.low, plain.high], rtol=1e-9)
        some = cross_val_interval(model, X, Y, params={"sample_weight": weights}, **options)
    assert some.n == Y[weights > 0].sum()


def test_the_scale_of_weights_does_not_matter_to_groups():
    groups = np.arange(len(Y)) // 5
    with sklearn.config_context(enable_metadata_routing=True):
        model = NearestMean().set_fit_request(sample_weight=False)
        found = [
            cross_val_interval(
                model,
                X,
                Y,
                scoring="f1",
                groups=groups,
                params={"sample_weight": np.full(len(Y), weight)},
                n_repeats=2,
                random_state=0,
            )
            for weight in (0.01, 100.0)
        ]
    assert codes(found[0]) == codes(found[1])
    assert_allclose([of.low for of in found], found[0].low, rtol=1e-9)


def test_small_folds_of_a_steady_model_are_no_sign_of_instability():
    groups = np.repeat(np.arange(16), 6)
    y = groups % 2
    found = cross_val_interval(
        NearestMean(), y[:, None], y, scoring="accuracy", groups=groups, cv=12, n_repeats=2
    )
    assert "unstable_class" not in codes(found)


def test_strings_need_a_positive_class_before_models_are_fitted():
    y = np.array(["well", "ill"])[Y]
    words = r"\['ill', 'well'\].*positive class.*scoring=get_scorer\('f1', pos_label='well'\)"
    with pytest.raises(ValueError, match=words):
        cross_val_interval(None, X, y, scoring=["accuracy", "f1"])
    with pytest.raises(ValueError, match="positive class"):
        cross_val_interval(None, X, y, scoring=ConfusionScorer("recall", average="binary"))
    assert cross_val_interval(NearestMean(), X, y, scoring="f1_macro", n_repeats=1).value > 0.5


def test_a_guard_of_one_class_is_told_before_models_are_fitted():
    y = (np.arange(60) < 2).astype(int)
    with (
        pytest.warns(UserWarning, match="least populated"),
        pytest.raises(
            ValueError, match=r"leave out two folds.*would see one class only.*more than 5 folds"
        ),
    ):
        cross_val_interval(None, X[:60], y, scoring="accuracy", random_state=1)


def test_a_guard_without_logarithm_leaves_no_limits():
    """With fewer samples no negative is predicted to be positive."""

    class Cautious(Halving):
        def predict(self, X):
            actual = X[:, 0].astype(int)
            says = (actual == 1) | (X[:, 1] < 0.2)
            return says.astype(int) if self.n_ > 150 else actual

    y = np.repeat([0, 1], 100)
    features = np.column_stack([y, np.tile(np.arange(100) / 100, 2)])
    with pytest.warns(UnreliableIntervalWarning, match="none with a logarithm, for models that"):
        found = cross_val_interval(
            Cautious(), features, y, scoring="positive_likelihood_ratio", random_state=0
        )
    assert np.isnan([found.low, found.high]).all()


def share_missed(cm):
    """A metric of one's own."""
    return float(cm.counts[1, 0] / cm.counts.sum())


share_missed.greater_is_better = False


def test_claims_about_metrics_with_parameters_and_own_functions():
    options = {"random_state": 0, "n_resamples": 199, "n_repeats": 2}
    weighted = ConfusionScorer("fbeta", beta=2)
    cost = ConfusionScorer("neg_expected_cost", cost_matrix=COSTS)
    for scoring, claim in ((weighted, {"fbeta": 0.5}), (cost, {"expected_cost": 4.0})):
        found = cross_val_interval(NearestMean(), X, Y, scoring=scoring, **options)
        assert check(found, claim).overall == "pass"
    # One feature is too little to miss none.
    own = cross_val_interval(NearestMean(), X[:, 1:2], Y, scoring={"own": share_missed}, **options)
    assert check(own, {share_missed: 0.5}).overall == "pass"
    assert check(own["own"], {share_missed: 0.0}).overall == "fail"
    with pytest.raises(ValueError, match="function itself"):
        check(own, {"own": 0.5})
    with pytest.raises(ValueError, match="not one of the metrics"):
        check(own, {"f1": 0.5})


def test_a_scorer_that_requests_groups_is_refused():
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = ConfusionScorer("f1").set_score_request(by=True)
        with pytest.raises(ValueError, match="groups of scorers"):
            cross_val_interval(NearestMean(), X, Y, scoring=scorer)


def test_the_advice_for_a_positive_class_is_a_call_that_works():
    y = np.array(["well", "ill"])[Y]
    with pytest.raises(
        ValueError, match=r"get_scorer\('neg_false_positive_rate', pos_label='well'"
    ):
        cross_val_interval(None, X, y, scoring={"alarms": "fpr"})


def test_caveats_leave_claims_open():
    with pytest.warns(UnreliableIntervalWarning):
        found = cross_val_interval(NearestMean(), X, Y, scoring="accuracy", cv=2, random_state=0)
    verdicts = check(found, {"accuracy": 0.1})
    assert verdicts.verdict.tolist() == ["cannot tell"]
    assert "three or more" in verdicts.reason[0]


HELD_OUT = StratifiedShuffleSplit(1, test_size=0.4, random_state=0)


CHOICES = {
    "a fraction": (0.4, False, True),
    "a fraction, refitted": (0.4, True, True),
    "a split": (HELD_OUT, False, True),
    "folds": (2, True, False),
}


@pytest.mark.parametrize(("choice", "in_pipeline"), one_in(4, CHOICES, [True, False]))
def test_a_threshold_that_held_out_samples_choose_has_a_caveat(choice, in_pipeline):
    """The slow ones are other ways to hold samples out, and folds in a pipeline."""
    cv, refit, has_caveat = CHOICES[choice]
    bounds = {"subject_to": {"recall": 0.9}}
    model = ConstrainedThresholdClassifier(NearestMean(), "precision", **bounds, cv=cv, refit=refit)
    if in_pipeline:
        model = make_pipeline(StandardScaler(), model)
    options = {"scoring": "precision", "cv": 3, "n_repeats": 1, "random_state": 0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreliableIntervalWarning)
        found = cross_val_interval(model, X, Y, **options)
        learners = {"tuned": model, "plain": NearestMean()}
        compared = compare_estimators(learners, X, Y, **options)
    for result in (found, compared):
        said = [one.sentence for one in result.caveats if one.code == "held_out_choice"]
        assert len(said) == has_caveat
        name = "__cv" if in_pipeline else "cv"
        assert all(f"{name}={cv!r}), and how much it varies" in one for one in said)
