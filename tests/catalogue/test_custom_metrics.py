"""Functions of a ConfusionMatrix, wherever a metric is named."""

import functools
import pickle
import warnings
from functools import partial, wraps

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix, log_loss, recall_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import skmetrics_ext
from skmetrics_ext import (
    ConfusionMatrix,
    ConfusionScorer,
    ThresholdCurve,
    classification_report,
    compare,
    get_scorer,
    make_scorer,
    metric_interval,
    sample_size,
)
from skmetrics_ext.catalogue.rows import METRICS
from tests.shared import for_each

rng = np.random.default_rng(5)
TRUE = rng.integers(0, 2, 300)
PREDICTED = np.where(rng.random(300) < 0.8, TRUE, 1 - TRUE)
OTHER = np.where(rng.random(300) < 0.6, TRUE, 1 - TRUE)


def cost_per_case(cm, miss=10):
    return (cm.counts[..., 0, 1] + miss * cm.counts[..., 1, 0]) / cm.n_samples


def cost_of_one(cm):
    return float(cm.counts[0, 1] + 10 * cm.counts[1, 0]) / float(cm.n_samples)


def expected(true, predicted, miss=10):
    (_, false_alarms), (misses, _) = confusion_matrix(true, predicted)
    return (false_alarms + miss * misses) / len(true)


def matrix_of(counts):
    return ConfusionMatrix.from_counts(counts, labels=range(np.shape(counts)[-1]))


def model():
    return make_pipeline(StandardScaler(), LogisticRegression())


@pytest.mark.parametrize("function", [cost_per_case, cost_of_one])
def test_matrix(function):
    cm = ConfusionMatrix.from_predictions(TRUE, PREDICTED)
    assert cm.score(function) == pytest.approx(expected(TRUE, PREDICTED))
    assert isinstance(cm.score(function), float)


def test_parameters():
    cm = ConfusionMatrix.from_predictions(TRUE, PREDICTED)
    assert cm.score(cost_per_case, miss=2) == pytest.approx(expected(TRUE, PREDICTED, 2))
    assert cm.score(partial(cost_per_case, miss=3)) == pytest.approx(expected(TRUE, PREDICTED, 3))
    with pytest.raises(TypeError, match=r"cost_per_case has no parameter 'mis'.*'miss'"):
        cm.score(cost_per_case, mis=2)
    with pytest.raises(TypeError, match="needs the parameter 'miss'"):
        cm.score(lambda cm, *, miss: cm.n_samples * miss)


@pytest.mark.parametrize("n_groups", [1, 2, 200])
@pytest.mark.parametrize("vectorized", [False, True])
def test_every_entry_has_its_own_value(vectorized, n_groups):
    def cost(cm):
        return cost_per_case(cm)

    cost.vectorized = vectorized
    counts = rng.integers(0, 50, (n_groups, 2, 2)) + 1
    found = matrix_of(counts).score(cost)
    np.testing.assert_allclose(found, [cost_of_one(matrix_of(one)) for one in counts])


@pytest.mark.parametrize(
    ("said", "shapes"),
    [
        (True, [(1000, 3, 3)]),
        (False, [(3, 3)] * 1000),
        (1, [(3, 3)] * 1000),
        (None, [(3, 3)] * 1000),
    ],
)
@pytest.mark.parametrize("is_partial", [False, True])
def test_many_matrices_at_once_are_for_functions_that_say_so(said, shapes, is_partial):
    seen = []

    def share_right(cm, power=1):
        seen.append(cm.counts.shape)
        return (np.trace(cm.counts, axis1=-2, axis2=-1) / cm.n_samples) ** power

    if said is not None:
        share_right.vectorized = said
    counts = rng.integers(1, 9, (40, 25, 3, 3))
    found = matrix_of(counts).score(partial(share_right, power=2) if is_partial else share_right)
    np.testing.assert_allclose(
        found, matrix_of(counts).score("accuracy") ** (2 if is_partial else 1)
    )
    assert seen == shapes


def test_a_function_that_says_so_and_is_not_is_refused():
    def upper_right(cm):
        return cm.counts[0, 1]

    upper_right.vectorized = True
    assert matrix_of([[3, 1], [1, 2]]).score(upper_right) == 1
    with pytest.raises(
        TypeError, match=r"upper_right.vectorized is True, .*shape \(3,\); it returned \(2,\)"
    ):
        matrix_of(np.ones((3, 2, 2))).score(upper_right)


def test_matrix_has_labels_positive_class_and_ranking():
    def of_positive(cm):
        return cm.score("recall")

    def of_ordered(cm):
        return cm.score("gerrity")

    true, predicted = np.array(["no", "yes"])[TRUE], np.array(["no", "yes"])[PREDICTED]
    cm = ConfusionMatrix.from_predictions(true, predicted)
    assert cm.score(of_positive, pos_label="no") == recall_score(true, predicted, pos_label="no")
    assert ConfusionMatrix.from_predictions(true, predicted, labels=["yes", "no"]).score(
        of_positive
    ) == recall_score(true, predicted, pos_label="no")
    with pytest.raises(ValueError, match="pos_label"):
        cm.score(of_positive)
    ranked = ConfusionMatrix.from_predictions(true, predicted, labels=["yes", "no"])
    assert ranked.score(of_ordered) == ranked.score("gerrity")
    assert cm.score(of_ordered, labels=["yes", "no"]) == ranked.score("gerrity")


def test_interval():
    cm = ConfusionMatrix.from_predictions(TRUE, PREDICTED)

    def right(cm):
        return np.mean(np.diagonal(cm.counts, axis1=-2, axis2=-1) / cm.counts.sum(-1), axis=-1)

    options = {"n_resamples": 100, "random_state": 0}
    found = cm.interval(right, **options)
    one_by_one = cm.interval(lambda cm: float(right(cm)), **options)
    assert (one_by_one.low, one_by_one.high) == pytest.approx((found.low, found.high))
    same = cm.interval("balanced_accuracy", method="smoothed-bootstrap", **options)
    assert (found.value, found.low, found.high) == pytest.approx((same.value, same.low, same.high))
    assert found.low < found.value < found.high
    assert metric_interval(TRUE, PREDICTED, right, **options).low == pytest.approx(found.low)


@pytest.mark.parametrize("how", ["weights", "clusters"])
def test_interval_of_samples_with_weights_or_clusters(how):
    random = np.random.default_rng(3)
    of_samples = random.uniform(0.5, 2, 300) if how == "weights" else random.integers(0, 40, 300)
    options = {
        "sample_weight" if how == "weights" else "clusters": of_samples,
        "method": "smoothed-bootstrap",
        "n_resamples": 100,
    }

    def mcc(cm):
        return cm.score("mcc")

    own, same = (
        metric_interval(TRUE, PREDICTED, metric, random_state=0, **options)
        for metric in (mcc, "mcc")
    )
    assert (own.value, own.low, own.high) == pytest.approx((same.value, same.low, same.high))


def test_gap_and_table():
    def nmi(cm):
        return cm.score("nmi")

    cm = ConfusionMatrix.from_predictions(TRUE, PREDICTED, by=np.arange(300) % 2)
    own, same = (cm.gap(metric, random_state=0, n_resamples=100) for metric in (nmi, "nmi"))
    assert (own.value, own.low, own.p_value) == pytest.approx((same.value, same.low, same.p_value))
    found = cm.summary([nmi, "normalized_mutual_information"], n_resamples=100)
    for numbers in (found.value, found.low):
        np.testing.assert_allclose(*numbers.T)


def test_interval_is_quiet_about_replicates():
    def precision(cm):
        return cm.score("precision")

    cm = matrix_of([[20, 1], [3, 0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "(precision|<lambda>) is (undefined|NaN)")
        found = cm.interval(precision, n_resamples=100, random_state=0)
        divided = cm.interval(lambda cm: cm.counts[1, 1] / cm.counts[:, 1].sum(), n_resamples=100)
    assert found.value == divided.value == 0


def test_what_a_function_itself_warns_of_is_shown():
    def recall(cm):
        warnings.warn("old data", DeprecationWarning, stacklevel=2)
        return cm.score("recall")

    with pytest.warns(DeprecationWarning, match="old data"):
        matrix_of([[20, 1], [3, 5]]).score(recall, zero_division=0.0)


def test_comparison():
    true, models = TRUE[:50], {"a": PREDICTED[:50], "b": OTHER[:50]}
    options = {"n_resamples": 400, "random_state": 0}
    found = compare(true, models, [cost_per_case, "f1"], **options)
    row = found.rows[0]
    assert row.metric == "cost_per_case"
    assert (row.value, row.reference_value) == pytest.approx(
        (expected(true, models["a"]), expected(true, models["b"]))
    )
    assert row.low < row.difference < row.high
    assert row.p_value < 0.1
    mean = compare(true, models, lambda cm: cm.score("mcc"), **options).rows[0]
    assert mean.p_value == pytest.approx(
        compare(true, models, "mcc", **options).rows[0].p_value, abs=0.01
    )
    with pytest.raises(ValueError, match="'cost_per_case' twice"):
        compare(true, models, [cost_per_case, cost_per_case])


def test_report():
    report = classification_report(
        TRUE, PREDICTED, metrics=["recall", cost_per_case], output_dict=True
    )
    assert report["overall"]["cost_per_case"] == pytest.approx(expected(TRUE, PREDICTED))


@pytest.fixture(scope="module")
def cancer():
    return load_breast_cancer(return_X_y=True)


def by_hand(cancer, threshold=0.5):
    X, y = cancer
    costs = []
    for train, test in StratifiedKFold(5).split(X, y):
        scores = model().fit(X[train], y[train]).predict_proba(X[test])[:, 1]
        costs.append(expected(y[test], scores >= threshold))
    return costs


def test_scorer_of_several(cancer):
    scorer = ConfusionScorer({"cost": cost_of_one, "recall": "recall"})
    found = cross_validate(model(), *cancer, scoring=scorer)
    np.testing.assert_allclose(found["test_cost"], by_hand(cancer))
    assert set(found) >= {"test_cost", "test_recall"}
    assert list(ConfusionScorer([cost_of_one, "recall"]).scorers()) == ["cost_of_one", "recall"]


@pytest.mark.parametrize("make", [get_scorer, make_scorer, ConfusionScorer])
def test_scorer_of_one(cancer, make):
    scorer = make(cost_per_case, threshold=0.3, greater_is_better=False)
    assert scorer.__name__ == "neg_cost_per_case"
    np.testing.assert_allclose(
        cross_val_score(model(), *cancer, scoring=scorer), np.negative(by_hand(cancer, 0.3))
    )
    copy = pickle.loads(pickle.dumps(scorer))
    fitted = model().fit(*cancer)
    assert copy(fitted, *cancer) == scorer(fitted, *cancer)


def test_search(cancer):
    search = GridSearchCV(
        model(),
        {"logisticregression__C": [1e-4, 1]},
        scoring=get_scorer(cost_per_case, greater_is_better=False, miss=5),
    )
    assert search.fit(*cancer).best_params_ == {"logisticregression__C": 1}


def test_threshold(cancer):
    X, y = cancer
    scores = model().fit(X, y).predict_proba(X)[:, 1]
    curve = ThresholdCurve.from_scores(y, scores)
    costs = curve.score(cost_per_case)
    some = [0, 17, len(costs) // 2]
    np.testing.assert_allclose(
        costs[some], [expected(y, scores >= t) for t in curve.thresholds[some]]
    )
    best = curve.best(lambda cm: -cost_per_case(cm))
    assert -best.value == pytest.approx(costs.min())
    bounded = curve.best("precision", subject_to={cost_per_case: (0, 0.2)})
    assert expected(y, scores >= bounded.threshold) <= 0.2
    fitted = model().fit(X, y)
    scorer = get_scorer(cost_of_one, threshold="best")
    # It is largest where nobody is positive, at an infinite threshold.
    of_nobody = expected(y, np.zeros_like(y))
    assert of_nobody > costs.max()
    assert scorer(fitted, X, y) == pytest.approx(of_nobody)
    assert pickle.loads(pickle.dumps(scorer))(fitted, X, y) == scorer(fitted, X, y)


def test_undefined():
    cm = ConfusionMatrix.from_predictions(TRUE, PREDICTED)
    assert np.isnan(cm.score(lambda cm: cm.score("recall") * np.nan))
    assert cm.score(lambda cm: cm.score("recall") * np.nan, zero_division=0) == 0
    assert cm.score(lambda cm: cm.score("recall") * np.inf) == np.inf


@pytest.mark.parametrize(
    ("function", "what"),
    [
        (lambda cm: cm.counts, r"an array of shape \(2, 2\)"),
        (lambda _: None, "None"),
        (lambda _: "0.5", "'0.5'"),
        (lambda _: [0.5], r"an array of shape \(1,\)"),
    ],
)
def test_no_number(function, what):
    with pytest.raises(TypeError, match=f"<lambda> must return one number.*{what}"):
        ConfusionMatrix.from_predictions(TRUE, PREDICTED).score(function)


@pytest.mark.parametrize(
    "metric",
    [
        recall_score,
        log_loss,
        len,
        lambda true, predicted: true == predicted,
        dict,
        3,
        classification_report,
    ],
)
def test_no_metric(metric):
    with pytest.raises(ValueError, match="ConfusionMatrix that returns"):
        ConfusionMatrix.from_predictions(TRUE, PREDICTED).score(metric)


def test_options_that_do_not_fit():
    cm = ConfusionMatrix.from_predictions(TRUE, PREDICTED)
    with pytest.raises(ValueError, match="must include all labels in the data"):
        cm.score(cost_per_case, labels=[1])
    with pytest.raises(ValueError, match="one label per sample"):
        ConfusionScorer(cost_per_case)(Indicators(), None, [[0, 1], [1, 1]])


class Indicators:
    def predict(self, _):
        return [[0, 1], [1, 0]]


def test_own_function_of_a_known_name_is_the_own_one():
    def geometric_mean(cm):
        return 1.0 * cm.counts[0, 0]

    true, *models = (labels[:40] for labels in (TRUE, PREDICTED, OTHER))
    cm = ConfusionMatrix.from_predictions(true, models[0])
    assert cm.score(geometric_mean) == cm.counts[0, 0]
    named = dict(zip("ab", models, strict=True))
    row = compare(true, named, geometric_mean, n_resamples=100).rows[0]
    assert row.value == cm.counts[0, 0]

    def prevalence(cm):
        return cm.counts[1].sum() / cm.n_samples

    with pytest.raises(ValueError, match="fixed by the design"):
        cm.interval("prevalence", fixed="actual")
    with pytest.warns(UserWarning, match="same in all"):
        found = cm.interval(prevalence, fixed="actual", n_resamples=100, random_state=0)
    assert found.value == pytest.approx(cm.score("prevalence"))


def of_name(name, better="higher"):
    """A custom metric, which may have any name."""

    def metric(cm):
        return (cm.counts[..., 0, 0] + 2 * cm.counts[..., 1, 1]) / (1 + cm.n_samples)

    metric.__name__, metric.vectorized = name, True
    metric.greater_is_better = better != "lower"
    return metric


@functools.cache
def limits_of(name, place, step):
    """What every so-manieth way to limits gives for a custom metric of this name."""
    metric, options = of_name(name), {"n_resamples": 100, "random_state": 0}
    clusters = np.arange(len(TRUE)) % 30
    weights = np.where(clusters < 10, 1.5, 1)
    of_groups = ConfusionMatrix.from_predictions(TRUE, PREDICTED, by=clusters % 2)
    few = {"a": PREDICTED[:30], "b": OTHER[:30]}
    ways = [
        lambda: metric_interval(TRUE, PREDICTED, metric, **options),
        lambda: metric_interval(TRUE, PREDICTED, metric, clusters=clusters, **options),
        lambda: metric_interval(TRUE, PREDICTED, metric, sample_weight=weights, **options),
        lambda: matrix_of([[9, 3], [2, 6]]).interval(metric, method="dirichlet", **options),
        lambda: matrix_of([[99, 30], [20, 90]]).interval(metric, fixed="actual", **options),
        lambda: of_groups.gap(metric, **options),
        # The many relabelings take time by the number of samples.
        lambda: compare(TRUE[:30], few, metric, **options).rows[0],
    ]
    return [way() for way in ways[place::step]]


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.slow)])
@for_each("row", METRICS)
def test_no_name_gives_a_custom_metric_the_limits_of_another(row, step):
    """Each name by one way to limits, in the slow one by every way."""
    place = METRICS.index(row) % step
    named_and_other = limits_of(row.name, place, step), limits_of("other", place, step)
    for named, other in zip(*named_and_other, strict=True):
        for field in ("value", "low", "high", "p_value", "method", "difference"):
            if hasattr(other, field):
                np.testing.assert_array_equal(getattr(named, field), getattr(other, field))


def test_custom_metrics_are_no_operating_points_and_no_proportions():
    rng = np.random.default_rng(3)
    curve = ThresholdCurve.from_scores(TRUE, TRUE + rng.normal(size=len(TRUE)))
    recall, specificity = of_name("recall"), of_name("specificity")
    for metric, bounded in [("recall", specificity), (recall, "specificity")]:
        with pytest.raises(ValueError, match="an operating point is recall at one specificity"):
            curve.interval(metric, subject_to={bounded: 0.8})
    with pytest.raises(ValueError, match="custom metric"):
        sample_size(recall, value=0.8, half_width=0.05)
    with pytest.raises(ValueError, match="custom metric"):
        sample_size(of_name("precision"), pilot=[[8, 1], [1, 2]], power=0.8)


def test_a_function_that_wraps_one_of_ours_is_not_ours():
    @wraps(skmetrics_ext.recall_score)
    def recall_of_few(y_true, y_pred, **options):
        return 0.0 if len(y_true) < 1000 else skmetrics_ext.recall_score(y_true, y_pred, **options)

    with pytest.raises(ValueError, match="not a metric"):
        matrix_of([[9, 3], [2, 6]]).score(recall_of_few)
    assert make_scorer(recall_of_few)(Always(), None, TRUE) == 0


class Always(ClassifierMixin, BaseEstimator):
    classes_ = np.array([0, 1])

    def predict(self, _):
        return PREDICTED


def test_a_custom_metric_has_no_average():
    with pytest.raises(ValueError, match="cost_of_one is one value over all classes: average= do"):
        matrix_of([[9, 3], [2, 6]]).score(cost_of_one, average="macro")


@pytest.mark.parametrize(
    "options", [{"labels": [0, 1]}, {"pos_label": 1}, {"zero_division": 0}, {"average": "macro"}]
)
def test_parameters_with_the_names_of_options_are_refused(options):
    def of_own(cm, labels=None, pos_label=None, zero_division=None, average=None):
        return cm.n_samples * float((labels, pos_label, zero_division, average) == (None,) * 4)

    assert matrix_of([[3, 1], [1, 2]]).score(of_own) == 7
    assert matrix_of([[3, 1], [1, 2]]).score(partial(of_own, **options)) == 0
    with pytest.raises(TypeError, match=f"{next(iter(options))}= is an option of every metric"):
        matrix_of([[3, 1], [1, 2]]).score(of_own, **options)


def odds_ratio_with_half_a_sample(cm):
    """Haldane's correction, which is right for one matrix alone: of a stack one empty cell would
    change all.
    """
    counts = cm.counts + (0.5 if (cm.counts == 0).any() else 0)
    return counts[..., 0, 0] * counts[..., 1, 1] / (counts[..., 0, 1] * counts[..., 1, 0])


def test_a_branch_that_one_matrix_of_many_takes_is_met():
    counts = np.random.default_rng(0).integers(1, 9, (1000, 2, 2))
    counts[77] = [[3, 0], [2, 4]]
    expected = (
        counts[:, 0, 0]
        * counts[:, 1, 1]
        / np.where(counts[:, 0, 1], counts[:, 0, 1] * counts[:, 1, 0], 1)
    )
    expected[77] = 3.5 * 4.5 / (0.5 * 2.5)
    np.testing.assert_allclose(matrix_of(counts).score(odds_ratio_with_half_a_sample), expected)


@pytest.mark.parametrize("names", [("well", "ill"), ("fine", "ill")])
def test_two_classes_are_negative_and_positive_whichever_sorts_first(names):
    codes = TRUE[:40], PREDICTED[:40], OTHER[:40]
    true, predicted, other = (np.array(names)[of_side] for of_side in codes)
    cost = expected(*codes[:2])
    cm = ConfusionMatrix.from_predictions(true, predicted)
    assert cm.score(cost_per_case, pos_label="ill") == pytest.approx(cost)
    assert cm.interval(cost_per_case, pos_label="ill", n_resamples=100).value == pytest.approx(cost)
    assert cm.score(cost_per_case, labels=["ill", names[0]]) == pytest.approx(
        ConfusionMatrix.from_predictions(true, predicted, labels=["ill", names[0]]).score(
            cost_per_case
        )
    )
    options = {"pos_label": "ill", "n_resamples": 100, "random_state": 0}
    assert metric_interval(true, predicted, cost_per_case, **options).value == pytest.approx(cost)
    row = compare(true, {"a": predicted, "b": other}, cost_per_case, **options).rows[0]
    assert (row.value, row.reference_value) == pytest.approx((cost, expected(codes[0], codes[2])))
    for scorer in (
        get_scorer(cost_per_case, pos_label="ill"),
        ConfusionScorer(cost_per_case, pos_label="ill"),
    ):
        assert scorer(Labels(predicted), None, true) == pytest.approx(cost)
    curve = ThresholdCurve.from_scores(true, np.where(codes[1], 0.8, 0.3), pos_label="ill")
    assert curve.score(cost_per_case)[0] == pytest.approx(cost)


class Labels:
    def __init__(self, predicted):
        self.predicted, self.classes_ = predicted, np.unique(predicted)

    def predict(self, _):
        return self.predicted


def test_a_cost_may_say_that_lower_is_better(cancer):
    def cost(cm):
        return cost_per_case(cm)

    cost.greater_is_better = False
    X, y = cancer
    fitted = model().fit(X, y)
    curve = ThresholdCurve.from_scores(y, fitted.predict_proba(X)[:, 1])
    assert curve.best(cost).value == pytest.approx(curve.score(cost_per_case).min())
    assert (
        expected(
            y,
            fitted.predict_proba(X)[:, 1] >= curve.best("recall", subject_to={cost: 0.1}).threshold,
        )
        <= 0.1
    )
    value = expected(y, fitted.predict(X))
    assert get_scorer(cost)(fitted, X, y) == pytest.approx(-value)
    assert get_scorer(cost).__name__ == get_scorer(partial(cost)).__name__ == "neg_cost"
    assert ConfusionScorer({"a": cost, "b": cost_per_case})(fitted, X, y) == pytest.approx(
        {"a": -value, "b": value}
    )
    assert get_scorer(cost, threshold="best")(fitted, X, y) == pytest.approx(
        -curve.best(cost).value
    )
    assert ConfusionMatrix.from_predictions(TRUE, PREDICTED).score(cost) == pytest.approx(
        expected(TRUE, PREDICTED)
    )
