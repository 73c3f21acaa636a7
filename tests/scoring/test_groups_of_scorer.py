"""Scorers of the worst group and of the gap between groups."""

import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.datasets import load_breast_cancer
from sklearn.feature_selection import RFECV
from sklearn.metrics import cohen_kappa_score, f1_score, precision_score, recall_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline

from skmetrics_ext import ConfusionScorer, get_scorer, make_scorer
from skmetrics_ext import recall_score as own_recall_score
from tests.doubles import NearestMean
from tests.shared import one_in

# Groups that can be counted by hand have few samples.
pytestmark = pytest.mark.filterwarnings(
    "ignore:the worst group, or one of the two groups in a gap, has few of the samples"
)


@pytest.fixture(scope="module")
def data():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    X, y = X.iloc[:300, :5], y[:300]
    sex = np.random.default_rng(3).choice(["F", "M"], len(X), p=[0.3, 0.7])
    return X.assign(sex=sex), y.to_numpy(), sex


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


class Fixed:
    """Predicts what it was given, whatever X."""

    def __init__(self, predicted):
        self.predicted = np.asarray(predicted)
        self.classes_ = np.unique(self.predicted)

    def predict(self, _):
        return self.predicted


TRUE = np.array([1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0])
PREDICTED = np.array([1, 0, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0])
GROUP = np.array(["b"] * 6 + ["a"] * 4 + ["c"] * 2)


class NumbersOnly(TransformerMixin, BaseEstimator):
    """The first columns, in units of their spread, many times as quick as by scikit-learn."""

    def fit(self, X, y=None):  # noqa: ARG002
        self.spread_ = np.asarray(X.iloc[:, :5], dtype=float).std(axis=0)
        return self

    def transform(self, X):
        return np.asarray(X.iloc[:, :5], dtype=float) / self.spread_


def model():
    return make_pipeline(NumbersOnly(), NearestMean())


def recalls(true=TRUE, predicted=PREDICTED, group=GROUP, score=recall_score):
    return {name: score(true[group == name], predicted[group == name]) for name in np.unique(group)}


def call(scorer, by=GROUP, X=None, **options):
    return scorer(Fixed(PREDICTED), X, TRUE, by=by, **options)


def test_worst_and_gap():
    of_each = recalls()
    assert of_each == {"a": 0.5, "b": 0.75, "c": 0.0}
    assert call(ConfusionScorer("recall")) == 0
    assert call(ConfusionScorer("recall", over_groups="gap")) == -0.75
    assert call(ConfusionScorer("neg_false_negative_rate")) == -1
    assert call(ConfusionScorer("neg_false_negative_rate", over_groups="gap")) == -0.75
    assert call(ConfusionScorer("recall"), by=None) == recall_score(TRUE, PREDICTED)


@pytest.mark.parametrize("name", ["recall", "f1", "mcc", "accuracy", "recall_macro", "specificity"])
def test_values_are_those_of_the_subsets(name):
    rng = np.random.default_rng(0)
    true, predicted, group = (
        rng.integers(0, 2, 300),
        rng.integers(0, 2, 300),
        rng.integers(0, 300 // 60, 300),
    )
    scorer = ConfusionScorer([name], by={"g": range(5)})
    found = scorer(Fixed(predicted), None, true, by=group)
    alone = [
        ConfusionScorer(name)(Fixed(predicted[group == g]), None, true[group == g])
        for g in range(5)
    ]
    assert [found[f"{name}_g:{g}"] for g in range(5)] == pytest.approx(alone)
    assert found[f"{name}_g_worst"] == pytest.approx(min(alone))
    assert found[f"{name}_g_gap"] == pytest.approx(min(alone) - max(alone))
    assert found[name] == ConfusionScorer(name)(Fixed(predicted), None, true)


@pytest.mark.parametrize("n_groups", [255, 256, 257])
def test_many_groups(n_groups):
    rng = np.random.default_rng(0)
    group = np.concatenate([np.arange(n_groups), rng.integers(0, n_groups, 5000)])
    true = np.ones(len(group), dtype=int)
    true[n_groups:] = rng.integers(0, 2, 5000)
    predicted = rng.integers(0, 2, len(group))
    found = ConfusionScorer("recall", over_groups="gap")(Fixed(predicted), None, true, by=group)
    positive, hits = np.bincount(group, true), np.bincount(group, true & predicted)
    of_each = hits / positive
    assert found == pytest.approx(of_each.min() - of_each.max())


def test_weights():
    weights = np.arange(1.0, 13)
    of_each = [
        f1_score(TRUE[g == GROUP], PREDICTED[g == GROUP], sample_weight=weights[g == GROUP])
        for g in ("a", "b")
    ]
    found = call(ConfusionScorer(["f1"], by={"g": ["a", "b", "c"]}), sample_weight=weights)
    assert [found["f1_g:a"], found["f1_g:b"]] == pytest.approx(of_each)


def test_keys_are_the_same_in_every_fold(data):
    X, y, sex = data
    scorer = ConfusionScorer(
        ["recall", "neg_false_positive_rate", "predicted_positive_rate"], by={"sex": ["F", "M"]}
    )
    found = cross_validate(model(), X, y, scoring=scorer, cv=3)
    assert [key.removeprefix("test_") for key in found if key.startswith("test_")] == [
        "recall",
        "neg_false_positive_rate",
        "predicted_positive_rate",
        "recall_sex:F",
        "recall_sex:M",
        "recall_sex_worst",
        "recall_sex_gap",
        "neg_false_positive_rate_sex:F",
        "neg_false_positive_rate_sex:M",
        "neg_false_positive_rate_sex_worst",
        "neg_false_positive_rate_sex_gap",
        "predicted_positive_rate_sex:F",
        "predicted_positive_rate_sex:M",
        "predicted_positive_rate_sex_gap",
    ]
    for fold, (train, test) in enumerate(StratifiedKFold(3).split(X, y)):
        predicted = model().fit(X.iloc[train], y[train]).predict(X.iloc[test])
        of_each = recalls(y[test], predicted, sex[test])
        assert found["test_recall_sex:F"][fold] == pytest.approx(of_each["F"])
        assert found["test_recall_sex_worst"][fold] == pytest.approx(min(of_each.values()))
        assert found["test_recall_sex_gap"][fold] == pytest.approx(
            min(of_each.values()) - max(of_each.values())
        )
    unnamed = cross_validate(model(), X, y, scoring=ConfusionScorer(["recall"], by="sex"), cv=3)
    assert [key for key in unnamed if key.startswith("test_")] == [
        "test_recall",
        "test_recall_sex_worst",
        "test_recall_sex_gap",
    ]


@pytest.mark.parametrize(
    "convert", [pd.DataFrame, pl.from_pandas, pa.Table.from_pandas, pd.DataFrame.to_numpy]
)
def test_column_of_any_frame(convert):
    X = convert(pd.DataFrame({"x": np.arange(12.0), "sex": GROUP}))
    column = 1 if isinstance(X, np.ndarray) else "sex"
    assert call(ConfusionScorer("recall", by=column), by=None, X=X) == 0
    assert call(ConfusionScorer("recall", by={column: ["a", "b", "c"]}), by=None, X=X) == 0


@pytest.mark.parametrize("make", [get_scorer, make_scorer])
def test_get_scorer(data, make):
    X, y, _ = data
    metric = "recall" if make is get_scorer else own_recall_score
    scorer = make(metric, pos_label=0, by="sex")
    assert scorer.__name__ == "recall_sex_worst"
    expected = cross_validate(
        model(), X, y, scoring=ConfusionScorer(["recall"], by="sex", pos_label=0), cv=2
    )
    np.testing.assert_array_equal(
        cross_val_score(model(), X, y, scoring=scorer, cv=2), expected["test_recall_sex_worst"]
    )
    gap = make(metric, pos_label=0, by="sex", over_groups="gap")
    assert gap.__name__ == "recall_sex_gap"
    elsewhere = pickle.loads(pickle.dumps(gap))
    np.testing.assert_array_equal(
        cross_val_score(model(), X, y, scoring=elsewhere, cv=2), expected["test_recall_sex_gap"]
    )


@pytest.mark.usefixtures("routing")
def test_routed_groups(data):
    X, y, sex = data
    scorer = ConfusionScorer(["recall"], by={"sex": ["F", "M"]})
    # scikit-learn 1.6 needs some parameters where they are routed.
    expected = cross_validate(model(), X, y, scoring=scorer, params={})
    routed = cross_validate(
        model(),
        X.drop(columns="sex"),
        y,
        scoring=scorer.set_score_request(by=True),
        params={"by": sex},
    )
    for key in ("test_recall_sex:F", "test_recall_sex_worst", "test_recall_sex_gap"):
        np.testing.assert_array_equal(routed[key], expected[key])
    by_name = ConfusionScorer("recall", by="sex").set_score_request(by="who")
    found = cross_validate(model(), X.drop(columns="sex"), y, scoring=by_name, params={"who": sex})
    np.testing.assert_array_equal(found["test_score"], expected["test_recall_sex_worst"])


@pytest.mark.usefixtures("routing")
def test_search_for_the_best_worst_group(data):
    X, y, sex = data
    scorer = get_scorer("recall", by="sex").set_score_request(by=True)
    grid = {"nearestmean__n_features": [1, 5]}
    search = GridSearchCV(model(), grid, scoring=scorer, cv=3).fit(X.drop(columns="sex"), y, by=sex)
    for place, n_features in enumerate(grid["nearestmean__n_features"]):
        worst = cross_val_score(
            model().set_params(nearestmean__n_features=n_features),
            X,
            y,
            scoring=get_scorer("recall", by="sex"),
            cv=3,
            params={},
        )
        assert search.cv_results_["mean_test_score"][place] == pytest.approx(worst.mean())


@pytest.mark.usefixtures("routing")
def test_elimination_of_features_by_the_worst_group(data):
    X, y, sex = data
    X, scorer = (
        X.drop(columns="sex").to_numpy(),
        get_scorer("recall", by="sex").set_score_request(by=True),
    )
    # Whatever it finds to be unimportant.
    ranked = {"importance_getter": lambda fitted: np.abs(np.ptp(fitted.means_, axis=0))}
    steps = RFECV(NearestMean(), scoring=scorer, cv=3, **ranked).fit(X, y, by=sex)
    worst = []
    for train, test in StratifiedKFold(3).split(X, y):
        predicted = NearestMean().fit(X[train], y[train]).predict(X[test])
        worst.append(min(recalls(y[test], predicted, sex[test]).values()))
    assert steps.cv_results_["mean_test_score"][-1] == pytest.approx(np.mean(worst))


@pytest.mark.usefixtures("routing")
def test_requests_survive_pickling_and_copies():
    scorer = get_scorer("recall", by="sex").set_score_request(by="who", sample_weight=True)
    for copy in (pickle.loads(pickle.dumps(scorer)), sklearn.clone(scorer, safe=False)):
        assert copy.get_metadata_routing().score.requests == {"by": "who", "sample_weight": True}
    with pytest.raises(ValueError, match="takes no groups"):
        get_scorer("evaluation_index").set_score_request(by=True)


def test_single_scorers_share_one_prediction():
    scorers = ConfusionScorer(["recall"], by={"g": ["a", "b", "c"]}).scorers()
    assert list(scorers) == [
        "recall",
        "recall_g:a",
        "recall_g:b",
        "recall_g:c",
        "recall_g_worst",
        "recall_g_gap",
    ]
    assert [call(scorer) for scorer in scorers.values()] == [
        recall_score(TRUE, PREDICTED),
        0.5,
        0.75,
        0,
        0,
        -0.75,
    ]
    other = np.roll(GROUP, 3)
    assert call(scorers["recall_g:a"], by=other) == recalls(group=other)["a"]


def test_undefined_group_is_left_out():
    group = np.where(TRUE == 0, "d", GROUP)
    scorer = ConfusionScorer("recall")
    with pytest.warns(
        UserWarning, match=r"recall is undefined for the groups \['d'\], which are excluded"
    ):
        assert call(scorer, by=np.where(GROUP == "c", "b", group)) == 0.5
    assert (
        call(ConfusionScorer("recall", zero_division=0), by=np.where(GROUP == "c", "b", group)) == 0
    )


def test_groups_without_samples():
    scorer = ConfusionScorer(["recall"], by={"g": ["a", "b", "c", "z"]})
    with pytest.warns(UserWarning, match=r"set to NaN: .*no samples.*\['recall_g:z'\]"):
        found = call(scorer)
    assert np.isnan(found["recall_g:z"])
    assert found["recall_g_gap"] == -0.75


def test_one_group_has_no_gap():
    one = np.repeat("a", 12)
    assert call(ConfusionScorer("recall"), by=one) == recall_score(TRUE, PREDICTED)
    with pytest.raises(ValueError, match="a gap needs two groups"):
        call(ConfusionScorer("recall", over_groups="gap"), by=one)
    with pytest.warns(UserWarning, match="a gap needs two groups"):
        assert np.isnan(call(ConfusionScorer(["recall"]), by=one)["recall_group_gap"])


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"by": GROUP}, TypeError, "an array|An array"),
        ({"by": True}, TypeError, "name of a column"),
        ({"by": []}, TypeError, "name of a column"),
        ({"by": ["sex", True]}, TypeError, "name of a column"),
        ({"by": ["sex", "sex"]}, ValueError, "a column twice"),
        (
            {"by": "sex", "over_groups": "best"},
            ValueError,
            r"over_groups must be one of \['worst', 'gap'\]",
        ),
    ],
)
def test_mistakes_are_found_at_construction(options, error, message):
    with pytest.raises(error, match=message):
        ConfusionScorer("recall", **options)


def test_metrics_without_a_worst_value():
    with pytest.raises(ValueError, match="worst"):
        ConfusionScorer("predicted_positive_rate", by="sex")
    scorer = ConfusionScorer("predicted_positive_rate", by="sex", over_groups="gap")
    shares = [PREDICTED[name == GROUP].mean() for name in "abc"]
    assert call(scorer) == pytest.approx(min(shares) - max(shares))
    with pytest.raises(
        ValueError, match=r"over_groups= does not apply to several .* gap have keys"
    ):
        ConfusionScorer(["recall"], by="sex", over_groups="gap")


def test_mistakes_are_found_in_the_call():
    X = pd.DataFrame({"x": np.arange(12), "sex": GROUP})
    with pytest.raises(
        ValueError, match=r"by='age' is not a column of X, which has the columns \['x', 'sex'\]"
    ):
        call(ConfusionScorer("recall", by="age"), by=None, X=X)
    with pytest.raises(ValueError, match="by='sex' is a column of X, but this X is a ndarray"):
        call(ConfusionScorer("recall", by="sex"), by=None, X=X.to_numpy())
    with pytest.raises(ValueError, match=r"by=7 is not a column of X, which has shape \(12, 2\)"):
        call(ConfusionScorer("recall", by=7), by=None, X=X.to_numpy())
    with pytest.raises(
        ValueError, match=r"lists groups \['a', 'b'\] of 'sex', which also has \['c'\]"
    ):
        call(ConfusionScorer("recall", by={"sex": ["a", "b"]}), by=None, X=X)
    with pytest.raises(ValueError, match="one group per sample"):
        call(ConfusionScorer("recall"), by=GROUP[:-1])
    with pytest.raises(ValueError, match="multilabel"):
        ConfusionScorer("f1_macro")(Fixed([[0, 1], [1, 0]]), None, [[0, 1], [1, 1]], by=["a", "b"])
    with pytest.raises(ValueError, match="by= does not apply to a function that is no metric"):
        make_scorer(recall_score, by="sex")


def without_class_2(case):
    """Three classes, of which the group "a" has no sample, or is never told one."""
    rng = np.random.default_rng(3)
    true, predicted, by = (
        rng.integers(0, 3, 300),
        rng.integers(0, 3, 300),
        np.repeat(["a", "b", "c"], 100),
    )
    predicted[(by == "a") & (predicted == 2)] = 0
    true[(by == "a") & (true == 2) & (case == "absent")] = 0
    return true, predicted, by


@pytest.mark.filterwarnings("ignore:precision is undefined")
@pytest.mark.parametrize(
    ("function", "average", "zero_division", "case"),
    one_in(
        3,
        [precision_score, recall_score, f1_score],
        ["macro", "weighted", "micro"],
        ["warn", 0, 1],
        ["absent", "never predicted"],
    ),
)
def test_averages_are_of_the_classes_of_the_group(function, average, zero_division, case):
    """The slow ones are the other combinations, of which any two values are together above."""
    true, predicted, by = without_class_2(case)
    name = f"{function.__name__.removesuffix('_score')}_{average}"
    scorer = ConfusionScorer([name], by={"g": ["a", "b", "c"]}, zero_division=zero_division)
    found = scorer(Fixed(predicted), None, true, by=by)
    for g in ("a", "b", "c"):
        rows = by == g
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = function(
                true[rows], predicted[rows], average=average, zero_division=zero_division
            )
        assert found[f"{name}_g:{g}"] == pytest.approx(expected)


@pytest.mark.parametrize(
    "name", ["geometric_mean", "specificity_micro", "specificity_worst", "balanced_accuracy"]
)
def test_class_that_a_group_lacks_has_no_part_in_it(name):
    true, predicted, by = without_class_2("absent")
    found = ConfusionScorer([name], by={"g": ["a", "b", "c"]})(Fixed(predicted), None, true, by=by)
    rows = by == "a"
    assert found[f"{name}_g:a"] == pytest.approx(
        ConfusionScorer(name)(Fixed(predicted[rows]), None, true[rows])
    )


def test_groups_in_another_order_than_the_labels():
    index = pd.Index(range(100, 112))
    true, group = pd.Series(TRUE, index=index), pd.Series(GROUP, index=index)
    assert ConfusionScorer("recall")(Fixed(PREDICTED), None, true, by=group) == 0
    with pytest.raises(ValueError, match="different orders"):
        ConfusionScorer("recall")(Fixed(PREDICTED), None, true, by=group[::-1])
    # A column of X is as X is, by position.
    X = pd.DataFrame({"g": GROUP}, index=index[::-1])
    assert ConfusionScorer("recall", by="g")(Fixed(PREDICTED), X, true) == 0


def test_group_without_weights_has_no_samples():
    weights = np.where(GROUP == "c", 0, 1)
    assert call(
        ConfusionScorer("accuracy", zero_division=0), sample_weight=weights
    ) == pytest.approx(4 / 6)
    with pytest.warns(UserWarning, match=r"no samples with a weight above 0.*\['accuracy_g:c'\]"):
        found = call(
            ConfusionScorer(["accuracy"], by={"g": ["a", "b", "c"]}), sample_weight=weights
        )
    assert np.isnan(found["accuracy_g:c"])


def test_custom_metric_is_not_asked_for_groups_without_samples():
    def share_found(cm):
        return int(cm.counts[1, 1]) / int(cm.counts[1].sum())

    with pytest.warns(UserWarning, match=r"set to NaN: .*\['share_found_g:z'\]"):
        found = call(ConfusionScorer([share_found], by={"g": ["a", "b", "c", "z"]}))
    assert [found[f"share_found_g:{g}"] for g in "abc"] == list(recalls().values())


@pytest.mark.parametrize("over_groups", ["worst", "gap"])
def test_groups_that_do_not_come_are_an_error_and_no_plain_value(over_groups):
    scorer = get_scorer("recall", over_groups=over_groups)
    assert call(scorer) == (0 if over_groups == "worst" else -0.75)
    with pytest.raises(ValueError, match="groups are required, but none were passed in this call"):
        call(scorer, by=None)


@pytest.mark.usefixtures("routing")
def test_groups_that_are_requested_and_do_not_come_are_an_error():
    scorer = ConfusionScorer("recall").set_score_request(by=True)
    assert call(scorer) == 0
    with pytest.raises(ValueError, match="groups are required, but none were passed in this call"):
        call(scorer, by=None)
    with pytest.raises(ValueError, match="groups are required, but none were passed in this call"):
        call(ConfusionScorer(["recall"]).set_score_request(by="who"), by=None)
    assert call(ConfusionScorer("recall").set_score_request(by=False), by=None) == recall_score(
        TRUE, PREDICTED
    )


def by_positives(found):
    """Labels and groups with as many actual positives as named, of which some are found, and twice
    50 negatives.
    """
    true, predicted, group = [0] * 100, [0] * 100, ["a"] * 50 + ["b"] * 50
    for name, (n_found, n) in found.items():
        true += [1] * n
        predicted += [1] * n_found + [0] * (n - n_found)
        group += [name] * n
    return np.array(true), Fixed(predicted), np.array(group)


def warns(scorer, found, **options):
    """Whether a call warns that few samples decide."""
    true, model, group = by_positives(found)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scorer(model, None, true, by=group, **{name: of(group) for name, of in options.items()})
    return [
        "has few of the samples that the metric counts" in str(one.message) for one in caught
    ] == [True]


@pytest.mark.parametrize(
    ("found", "of_worst", "of_gap"),
    [
        ({"a": (40, 50), "b": (2, 9)}, True, True),
        ({"a": (40, 50), "b": (2, 10)}, False, False),
        ({"a": (40, 50), "b": (9, 9)}, False, True),
        # Between the others it decides nothing, nor where a larger one is as bad.
        ({"a": (40, 50), "b": (10, 50), "c": (1, 2)}, False, False),
        ({"a": (40, 50), "b": (25, 50), "c": (1, 2)}, False, False),
    ],
)
def test_groups_that_decide_by_few_samples(found, of_worst, of_gap):
    assert warns(ConfusionScorer("recall"), found) == of_worst
    assert warns(ConfusionScorer("recall", over_groups="gap"), found) == of_gap
    assert warns(ConfusionScorer(["recall"]), found) == of_gap
    # All samples of a group count, 50 or more except in "c".
    assert not warns(ConfusionScorer("accuracy", min_samples=3), found)


def test_weights_are_no_samples():
    found = {"a": (40, 50), "b": (2, 9)}
    assert warns(
        ConfusionScorer("recall"), found, sample_weight=lambda group: np.full(len(group), 100.0)
    )
    found = {"a": (40, 50), "b": (2, 10)}
    assert not warns(
        ConfusionScorer("recall"), found, sample_weight=lambda group: np.full(len(group), 0.01)
    )
    last_is_no_sample = {"sample_weight": lambda group: np.arange(len(group)) != len(group) - 1}
    assert warns(ConfusionScorer("recall"), found, **last_is_no_sample)


@pytest.mark.filterwarnings("always")
@pytest.mark.parametrize(
    "make",
    [lambda name: get_scorer(name, by="sex"), lambda name: ConfusionScorer([name], by="sex")],
)
def test_few_samples_are_said_once_without_numbers(data, make):
    X, y, _ = data
    X, y = X[:80], y[:80]
    scorer = make("specificity")
    with pytest.warns(UserWarning, match="has few of the samples") as caught:
        cross_validate(model(), X, y, scoring=scorer, cv=8)
    (text,) = {str(one.message) for one in caught}
    assert len(caught) == 1
    assert text.endswith("exclude small groups with min_samples=.")
    assert not any(map(str.isdigit, text))


def test_groups_of_fewer_samples_are_left_out():
    true, model, group = by_positives({"a": (40, 50), "b": (15, 20), "c": (0, 4)})
    worst = get_scorer("recall", over_groups="worst", min_samples=5)
    assert worst(model, None, true, by=group) == 0.75
    assert get_scorer("recall", min_samples=4)(model, None, true, by=group) == 0
    assert pickle.loads(pickle.dumps(worst))(model, None, true, by=group) == 0.75
    assert "min_samples=5" in repr(worst)
    gap = make_scorer(own_recall_score, over_groups="gap", min_samples=5)
    assert gap(model, None, true, by=group) == pytest.approx(0.75 - 0.8)
    found = ConfusionScorer(["recall"], by={"g": ["a", "b", "c"]}, min_samples=5)(
        model, None, true, by=group
    )
    assert [found[f"recall_g{end}"] for end in ("_worst", ":c")] == [0.75, 0]
    with pytest.raises(
        ValueError, match=r"no group has a value: .+, and at least min_samples=51 of them"
    ):
        ConfusionScorer("recall", min_samples=51)(model, None, true, by=group)
    with pytest.raises(ValueError, match="a gap needs two groups"):
        ConfusionScorer("recall", over_groups="gap", min_samples=50)(model, None, true, by=group)
    with pytest.raises(ValueError, match="groups are required, but none were passed in this call"):
        worst(model, None, true)
    for wrong in (-1, 0.5, True):
        with pytest.raises(ValueError, match=r"min_samples.*integer >= 0"):
            get_scorer("recall", by="sex", min_samples=wrong)


SEX = np.array(["F", "M"] * 6)
CROSSED = np.array([f"{sex}:{group}" for sex, group in zip(SEX, GROUP, strict=True)])


def frame():
    return pd.DataFrame({"sex": SEX, "site": GROUP})


@pytest.mark.parametrize("name", ["accuracy", "neg_zero_one_loss", "recall_macro"])
def test_two_columns_are_crossed_as_one_that_joins_them(name):
    joined = ConfusionScorer([name], by="both", zero_division=0)
    expected = joined(Fixed(PREDICTED), frame().assign(both=CROSSED), TRUE)
    scorer = ConfusionScorer([name], by=["sex", "site"], zero_division=0)
    found = scorer(Fixed(PREDICTED), frame(), TRUE)
    assert found == {key.replace("both", "sex_site"): value for key, value in expected.items()}
    one = ConfusionScorer(name, by=["sex", "site"], zero_division=0)
    assert one.__name__ == f"{name}_sex_site_worst"
    assert one(Fixed(PREDICTED), frame(), TRUE) == found[f"{name}_sex_site_worst"]
    # By position in an array, and passed in the call as a list, a dict and a frame.
    numbers = np.column_stack([np.unique(SEX, return_inverse=True)[1], GROUP == "b", GROUP == "c"])
    by_place = ConfusionScorer(name, by=[0, 1, 2], zero_division=0)
    assert by_place(Fixed(PREDICTED), numbers, TRUE) == found[f"{name}_sex_site_worst"]
    for groups in ([SEX, GROUP], {"sex": SEX, "site": GROUP}, frame()):
        of_call = ConfusionScorer(name, min_samples=1, zero_division=0)
        assert call(of_call, by=groups) == found[f"{name}_sex_site_worst"]


def test_listed_groups_of_two_columns_have_a_key_for_each_combination():
    scorer = ConfusionScorer(["accuracy"], by={"sex": ["M", "F"], "site": ["a", "b", "c", "d"]})
    with pytest.warns(UserWarning, match=r"'accuracy_sex_site:M, d', 'accuracy_sex_site:F, d'\]"):
        found = scorer(Fixed(PREDICTED), frame(), TRUE)
    is_right = PREDICTED == TRUE
    for sex in "MF":
        for site in "abc":
            chosen = (sex == SEX) & (site == GROUP)
            assert found[f"accuracy_sex_site:{sex}, {site}"] == is_right[chosen].mean()
        assert np.isnan(found[f"accuracy_sex_site:{sex}, d"])
    combinations = [is_right[name == CROSSED].mean() for name in np.unique(CROSSED)]
    assert found["accuracy_sex_site_worst"] == min(combinations)
    assert found["accuracy_sex_site_gap"] == min(combinations) - max(combinations)
    with pytest.raises(ValueError, match=r"lists groups \['a'\] of 'site', which also has"):
        ConfusionScorer("accuracy", by={"sex": ["M", "F"], "site": ["a"]})(
            Fixed(PREDICTED), frame(), TRUE
        )


def test_another_number_of_columns_in_a_call_is_refused():
    scorer = ConfusionScorer("accuracy", by=["sex", "site"])
    with pytest.raises(ValueError, match=r"has 1 columns, but .* by=\['sex', 'site'\]"):
        call(scorer, by=GROUP)


@pytest.mark.usefixtures("routing")
def test_two_columns_of_groups_are_routed_by_a_search(data):
    X, y, sex = data
    both = pd.DataFrame({"sex": sex, "half": np.arange(len(y)) % 2})
    scorer = ConfusionScorer("recall", min_samples=1).set_score_request(by=True)
    results = cross_validate(
        model(), X, y, cv=StratifiedKFold(2), scoring=scorer, params={"by": both}
    )
    expected = []
    for train, test in StratifiedKFold(2).split(X, y):
        predicted = model().fit(X.iloc[train], y[train]).predict(X.iloc[test])
        keys = both.iloc[test].agg(lambda row: f"{row['sex']}{row['half']}", axis=1).to_numpy()
        expected.append(min(recalls(y[test], predicted, keys).values()))
    np.testing.assert_allclose(results["test_score"], expected)


def test_groups_keep_the_declared_order_of_the_classes():
    random = np.random.default_rng(0)
    levels = np.array(["low", "mid", "high"])
    y = random.integers(0, 3, 120)
    predicted = np.where(random.random(120) < 0.7, y, random.integers(0, 3, 120))
    group = np.arange(120) % 2
    declared = pd.Categorical(levels[y], categories=levels, ordered=True)
    scorer = get_scorer("cohen_kappa", weights="quadratic", by="group")
    found = scorer(Fixed(levels[predicted]), pd.DataFrame({"group": group}), declared)
    each = [
        cohen_kappa_score(y[group == k], predicted[group == k], weights="quadratic") for k in (0, 1)
    ]
    assert found == pytest.approx(min(each))
