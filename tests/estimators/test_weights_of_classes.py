"""ConstrainedThresholdClassifier of several classes: weights against exhaustive search."""

import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import PredefinedSplit, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags

from skmetrics_ext import (
    ConfusionMatrix,
    ConstrainedThresholdClassifier,
    f1_score,
    get_scorer,
    labels_from_scores,
)
from skmetrics_ext.counting.counts import margins_of
from skmetrics_ext.estimators import constrained_threshold_classifier
from skmetrics_ext.estimators.chosen_weights import (
    Objective,
    _changes,
    _largest_two,
    _margins_along,
    _matrices_along,
    choose_weights,
)
from skmetrics_ext.estimators.held_out import HeldOut

NAMES = np.array(["healthy", "ill", "very ill"])


class Given(ClassifierMixin, BaseEstimator):
    """A fitted classifier whose probabilities are X."""

    def __init__(self, classes=(0, 1, 2)):
        self.classes = classes
        self.classes_ = np.array(classes)

    def fit(self, *_):
        raise AssertionError("fitted for nothing")

    def predict_proba(self, X):
        return np.asarray(X)


def draw(n, seed, n_values=None):
    """Calibrated probabilities of three classes, of which the last is rare, and codes drawn from
    them.
    """
    rng = np.random.default_rng(seed)
    logits = rng.normal(0, 1.5, (n, 3)) + np.log([0.6, 0.3, 0.1])
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    if n_values is not None:
        shares = np.round(shares * n_values) / n_values
    return shares, (rng.random((n, 1)) > shares.cumsum(axis=1)[:, :2]).sum(axis=1)


def prefit(metric="f1_macro", classes=(0, 1, 2), **options):
    return ConstrainedThresholdClassifier(
        Given(classes), metric, **{"subject_to": None, "cv": "prefit", **options}
    )


# Of the second and third class, as multiples of the first.
GRID = np.array(list(itertools.product(np.exp(np.linspace(-4, 4, 49)), repeat=2)))


def searched(shares, y, value, is_met):
    """The best value on a grid of weights whose matrix meets the bounds; None if none does."""
    weights = np.column_stack([np.ones(len(GRID)), GRID])
    codes = (shares * weights[:, None]).argmax(axis=2)
    cells = 9 * np.arange(len(weights))[:, None] + 3 * y + codes
    matrices = np.bincount(cells.ravel(), minlength=9 * len(weights)).reshape(-1, 3, 3)
    is_met = is_met(matrices)
    return value(matrices[is_met]).max() if is_met.any() else None


def f1_macro(cm):
    right = np.diagonal(cm, axis1=-2, axis2=-1)
    return (2 * right / (cm.sum(axis=-2) + cm.sum(axis=-1))).mean(axis=-1)


def accuracy(cm):
    return np.diagonal(cm, axis1=-2, axis2=-1).sum(axis=-1) / cm.sum(axis=(-2, -1))


def recall(cm, k):
    return cm[..., k, k] / cm[..., k, :].sum(axis=-1)


SEARCHES = [
    ("f1_macro", {}, f1_macro, lambda cm: accuracy(cm) >= 0),
    ("accuracy", {"recall_2": 0.7}, accuracy, lambda cm: recall(cm, 2) >= 0.7),
    (
        "recall_0",
        {"recall_2": 0.6, "recall_1": 0.5},
        lambda cm: recall(cm, 0),
        lambda cm: (recall(cm, 2) >= 0.6) & (recall(cm, 1) >= 0.5),
    ),
]


@pytest.mark.parametrize(
    ("metric", "bounds", "value", "is_met"), SEARCHES, ids=[name for name, *_ in SEARCHES]
)
def test_weights_are_as_good_as_those_of_an_exhaustive_search(metric, bounds, value, is_met):
    gaps = []
    for seed in range(2):
        X, y = draw(100, seed)
        best = searched(X, y, value, is_met)
        if best is None:
            continue
        model = prefit(metric, subject_to=bounds).fit(X, y)
        cm = metrics.confusion_matrix(y, model.predict(X))
        assert model.best_value_ == pytest.approx(value(cm))
        assert is_met(cm)
        gaps.append(model.best_value_ - best)
    assert gaps
    assert np.mean(gaps) > 0
    assert np.sum(np.array(gaps) < -1e-12) <= 1


def test_further_starts_find_what_the_first_ones_stuck_at_a_bound_do_not():
    X, y = draw(150, 3)
    model = prefit("recall_0", subject_to={"recall_1": 0.6, "recall_2": 0.6}).fit(X, y)
    best = searched(
        X, y, lambda cm: recall(cm, 0), lambda cm: (recall(cm, 1) >= 0.6) & (recall(cm, 2) >= 0.6)
    )
    assert model.best_value_ >= best > 0.5
    assert model.set_params(subject_to=None).fit(X, y).best_value_ == 1


def along(shares, y, weights, k, sample_weight=None):
    """The weights of a class that are tried, and their matrices and margins."""
    held_out, labels = HeldOut(y, shares, sample_weight, []), np.arange(shares.shape[1])
    changes = _changes(held_out, weights, _largest_two(shares * weights), k)
    matrices, margins = (
        of(labels, held_out, changes, k) for of in (_matrices_along, _margins_along)
    )
    return changes.tried, matrices, margins


@pytest.mark.parametrize("n_values", [None, 8], ids=["distinct", "ties"])
@pytest.mark.parametrize("is_weighted", [False, True])
def test_each_weight_of_one_class_has_the_matrix_of_a_recount(n_values, is_weighted):
    shares, y = draw(60, 3, n_values)
    sample_weight = np.random.default_rng(0).random(60) if is_weighted else None
    weights = np.array([0.7, 1.0, 0.31])
    for k in range(3):
        tried, matrices, margins = along(shares, y, weights, k, sample_weight)
        assert (np.diff(tried) > 0).all()
        recounted = []
        for weight in tried:
            labels = (shares * np.where(np.arange(3) == k, weight, weights)).argmax(axis=1)
            counts = np.zeros((3, 3))
            np.add.at(counts, (y, labels), 1 if sample_weight is None else sample_weight)
            recounted.append(counts)
        np.testing.assert_allclose(matrices, recounted, atol=1e-12)
        for found, expected in zip(margins, margins_of(np.array(recounted)), strict=True):
            np.testing.assert_allclose(found, expected, atol=1e-12)
        # Every change of a label lies between two of them, from the class nowhere to the class
        # wherever it is possible.
        own = shares[:, k]
        rivals = np.delete(shares * weights, k, axis=1).max(axis=1)
        changes = np.unique(
            np.round(rivals[(own > 0) & (rivals > 0)] / own[(own > 0) & (rivals > 0)], 12)
        )
        assert len(tried) == len(changes) + 1
        assert (np.searchsorted(tried, changes) == np.arange(1, len(tried))).all()


@pytest.mark.parametrize(
    "metric",
    [
        "f1_macro",
        "mcc",
        *(pytest.param(of, marks=pytest.mark.slow) for of in ("accuracy", "precision_worst")),
    ],
)
def test_margins_choose_the_weights_that_matrices_choose(monkeypatch, metric):
    """The slow ones are a metric without an average, and another average."""
    X, y = draw(200, 5)
    bounds = {"recall_1": 0.3}
    by_margins = prefit(metric, subject_to=bounds).fit(X, y)
    monkeypatch.setattr(Objective, "needs_matrix", True)
    by_matrices = prefit(metric, subject_to=bounds).fit(X, y)
    assert by_margins.best_weights_ == by_matrices.best_weights_
    assert by_margins.constraints_ == by_matrices.constraints_


def right_of_first(cm):
    """A metric that reads a cell."""
    return cm.counts[..., 0, 0] / cm.counts[..., 0, :].sum(-1) - cm.counts[..., 0, 2] / 1000


@pytest.mark.parametrize("metric", ["gerrity", right_of_first])
def test_metrics_of_cells_are_searched_with_matrices(metric):
    X, y = draw(200, 4)
    model = prefit(metric).fit(X, y)
    cm = ConfusionMatrix.from_predictions(y, model.predict(X))
    assert model.best_value_ == pytest.approx(cm.score(metric))
    at_once = ConfusionMatrix.from_predictions(y, X.argmax(1)).score(metric)
    assert model.best_value_ > at_once


def test_many_weights_are_thinned_evenly_and_remain_exact():
    shares, y = draw(20_000, 0)
    tried, matrices, _ = along(shares, y, np.ones(3), 1)
    assert len(tried) == 4096
    n_predicted = matrices[:, :, 1].sum(axis=1)
    assert n_predicted[0] == 0
    assert n_predicted[-1] == 20_000
    assert set(np.diff(n_predicted)) <= {4, 5}
    labels = (shares * [1, tried[2000], 1]).argmax(axis=1)
    np.testing.assert_array_equal(matrices[2000], metrics.confusion_matrix(y, labels))


def test_bounds_and_the_metric_are_named_as_scorers_name_them():
    X, codes = draw(400, 1)
    y = NAMES[codes]
    bounds = {
        "recall_very ill": 0.7,
        "fnr_ill": 0.6,
        "precision_worst": 0.1,
        "f1_macro": 0.2,
        "accuracy": (0.3, 0.99),
    }
    model = prefit("recall_healthy", NAMES, subject_to=bounds).fit(X, y)
    predicted = model.predict(X)
    recalls = metrics.recall_score(y, predicted, average=None)
    reached = {kept.metric: kept.value for kept in model.constraints_}
    assert reached == pytest.approx(
        {
            "recall_very ill": recalls[2],
            "fnr_ill": 1 - recalls[1],
            "precision_worst": metrics.precision_score(y, predicted, average=None).min(),
            "f1_macro": metrics.f1_score(y, predicted, average="macro"),
            "accuracy": metrics.accuracy_score(y, predicted),
        }
    )
    assert [kept.required for kept in model.constraints_] == list(bounds.values())
    assert all(kept.limit is None for kept in model.constraints_)
    assert model.best_value_ == recalls[0]
    assert recalls[2] >= 0.7
    assert recalls[1] >= 0.4
    # The rule is that of one threshold per class.
    assert max(model.best_weights_.values()) == 1
    thresholds = {label: 1 / weight for label, weight in model.best_weights_.items()}
    assert labels_from_scores(X, classes=NAMES, threshold=thresholds).tolist() == predicted.tolist()
    scorer = get_scorer("f1_macro", threshold=thresholds)
    assert scorer(model.estimator, X, y) == pytest.approx(reached["f1_macro"])


def test_classes_of_a_fitted_model_may_be_in_any_order():
    X, y = draw(200, 4)
    expected = prefit("f1_macro", subject_to={"recall_2": 0.6}).fit(X, y)
    model = prefit("f1_macro", (2, 0, 1), subject_to={"recall_2": 0.6}).fit(X[:, [2, 0, 1]], y)
    assert model.best_weights_ == expected.best_weights_
    assert model.predict(X[:, [2, 0, 1]]).tolist() == expected.predict(X).tolist()


def test_an_estimator_for_two_classes_remains_one():
    class Two(Given):
        def __sklearn_tags__(self):
            tags = super().__sklearn_tags__()
            tags.classifier_tags.multi_class = False
            return tags

    assert not get_tags(
        ConstrainedThresholdClassifier(Two(), "f1", subject_to=None)
    ).classifier_tags.multi_class
    assert get_tags(prefit()).classifier_tags.multi_class


def test_ordered_classes_and_custom_metrics():
    X, codes = draw(300, 2)
    y = pd.Series(pd.Categorical(NAMES[codes], categories=NAMES, ordered=True))
    model = prefit("macro_averaged_mean_absolute_error", NAMES).fit(X, y)
    predicted = np.searchsorted(NAMES, model.predict(X))
    error = np.mean([np.abs(predicted[codes == k] - k).mean() for k in range(3)])
    assert model.best_value_ == pytest.approx(error)
    plain = np.mean([np.abs(X.argmax(axis=1)[codes == k] - k).mean() for k in range(3)])
    assert error < plain - 0.05
    own = prefit(lambda cm: -cm.counts[2, 0], NAMES).fit(X, y)
    assert own.best_value_ == 0
    assert "healthy" not in own.predict(X)[codes == 2]


def test_folds_are_pooled_and_the_final_model_has_seen_all_samples():
    X, y = load_iris(return_X_y=True)
    X = X[:, :2]
    model = ConstrainedThresholdClassifier(
        GaussianNB(), "recall_1", subject_to={"recall_2": 0.8}, cv=4
    ).fit(X, y)
    shares = np.empty((150, 3))
    for train, test in StratifiedKFold(4).split(X, y):
        shares[test] = GaussianNB().fit(X[train], y[train]).predict_proba(X[test])
    expected = prefit("recall_1", subject_to={"recall_2": 0.8}).fit(shares, y)
    assert model.best_weights_ == expected.best_weights_
    assert model.best_value_ == expected.best_value_
    final = GaussianNB().fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(model.predict_proba(X), final)
    assert (
        model.predict(X).tolist()
        == (final * [*model.best_weights_.values()]).argmax(axis=1).tolist()
    )
    assert model.curve_ is model.best_threshold_ is None
    # The same object may be fitted to two classes afterwards.
    model.set_params(subject_to={"recall": 0.8}, metric="precision", pos_label=1).fit(
        X[y > 0], y[y > 0]
    )
    assert model.best_weights_ is None
    assert set(model.predict(X[y > 0])) == {1, 2}


def test_a_fold_whose_training_lacks_a_class_gives_it_probability_0():
    X, y = draw(90, 3)
    X = np.random.default_rng(0).normal(size=(90, 2)) + np.stack([y == 1, y == 2], axis=1) * 3
    folds = PredefinedSplit(np.where(y == 2, 0, np.arange(90) % 2))
    model = ConstrainedThresholdClassifier(GaussianNB(), "accuracy", subject_to=None, cv=folds)
    with pytest.warns(UserWarning, match="estimator never"):
        model.fit(X, y)
    assert 2 in model.predict(X)


def test_integer_weights_count_as_repeated_samples():
    X, y = draw(200, 0)
    weight = np.random.default_rng(0).integers(0, 4, 200)
    weighted = prefit(subject_to={"recall_2": 0.6}).fit(X, y, sample_weight=weight)
    repeated = prefit(subject_to={"recall_2": 0.6}).fit(
        np.repeat(X, weight, axis=0), np.repeat(y, weight)
    )
    assert weighted.best_value_ == pytest.approx(repeated.best_value_)
    assert weighted.best_value_ != prefit(subject_to={"recall_2": 0.6}).fit(X, y).best_value_


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_probabilities_may_move_by_their_last_digits(dtype):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (600, 3))
    y = (X.sum(axis=1) + rng.integers(0, 3, 600)) // 3
    shares = DecisionTreeClassifier(max_depth=4).fit(X, y).predict_proba(X).astype(dtype)
    model = prefit("f1_macro", subject_to={"recall_0": 0.6}).fit(shares, y)
    predicted = model.predict(shares)
    for sign in (-1, 1):
        moved = np.nextafter(shares, dtype(sign) * rng.choice([-9, 9], shares.shape).astype(dtype))
        assert model.predict(np.abs(moved)).tolist() == predicted.tolist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"confidence_level": 0.95},
            "confidence_level=0.95 is for two classes, but .* 3, .*without a guarantee",
        ),
        ({"pos_label": 1}, "pos_label=1 is for two classes"),
        (
            {"response_method": "decision_function"},
            "response_method='decision_function' is for two classes",
        ),
        (
            {"metric": "prevalence_macro"},
            "neither higher nor lower values of prevalence are better",
        ),
        ({"metric": "f1"}, r"of the positive class of two, but there are 3.*'f1_macro'.*'f1_2'"),
        ({"subject_to": {f1_score: 0.5}}, "f1 is of the positive class of two, but there are 3"),
        ({"metric": "accuracy_2"}, "'accuracy_2' is not a metric"),
        ({"subject_to": {"recall_3": 0.5}}, "'recall_3' is not a metric"),
        ({"subject_to": {"recall_2": "high"}}, "the bound on recall_2 must be a number or a pair"),
        (
            {"subject_to": {"recall_2": 0.9, "precision_2": 0.9}},
            r"no weights were found that satisfy recall_2 >= 0.9 and precision_2 >= 0.9. The "
            r"nearest give recall_2 0\.",
        ),
    ],
    ids=str,
)
def test_options_that_do_not_fit_are_refused(options, message):
    X, y = draw(200, 0)
    with pytest.raises(ValueError, match=message):
        prefit(**options).fit(X, y)


def test_what_has_no_weights_is_refused():
    X, y = draw(200, 0)
    with pytest.raises(
        ValueError, match=r"hold none of the classes \[2\]: pass samples of each class"
    ):
        prefit().fit(X[y < 2], y[y < 2])
    with pytest.raises(TypeError, match=r"LinearSVC.*none of.*\['predict_proba'\]"):
        ConstrainedThresholdClassifier(LinearSVC(), "f1_macro", subject_to=None).fit(X, y)
    with pytest.raises(ValueError, match="'recall_worst' has two readings with the classes"):
        prefit("recall_worst", ["bad", "good", "worst"]).fit(
            X, np.array(["bad", "good", "worst"])[y]
        )
    with pytest.raises(TypeError, match="expected_cost needs the parameter 'cost_matrix'"):
        prefit("expected_cost").fit(X, y)
    with pytest.raises(TypeError, match="dict of bounds"):
        prefit(subject_to=["recall_2"]).fit(X, y)


def test_the_weights_gain_on_new_data():
    rng = np.random.default_rng(0)
    centres = rng.normal(0, 1.2, (3, 4))

    def sample(n):
        y = rng.choice(3, n, p=[0.85, 0.1, 0.05])
        return centres[y] + rng.normal(0, 1.5, (n, 4)), y

    X, y = sample(2000)
    new, actual = sample(20_000)
    model = ConstrainedThresholdClassifier(LogisticRegression(), "f1_macro", subject_to=None).fit(
        X, y
    )
    gain = metrics.f1_score(actual, model.predict(new), average="macro") - metrics.f1_score(
        actual, model.estimator_.predict(new), average="macro"
    )
    assert gain > 0.03


def test_the_summary_says_what_bounds_cost_without_a_guarantee():
    X, y = draw(400, 3)
    model = prefit("f1_macro", subject_to={"recall_2": 0.9}).fit(X, y)
    first, _, value, unbounded, given_up, bound, *rests_on = model.summary().splitlines()
    free = prefit("f1_macro").fit(X, y)
    assert first.startswith("weights ")
    assert first.endswith(" for 2, chosen on 400 held-out samples")
    assert value.split() == ["f1_macro", f"{model.best_value_:.4f}"]
    assert unbounded.split() == ["f1_macro", "without", "bounds", f"{free.best_value_:.4f}"]
    assert float(given_up.split()[-1]) == pytest.approx(
        free.best_value_ - model.best_value_, abs=1e-4
    )
    assert bound.split() == ["recall_2", ">=", "0.9", f"{model.constraints_[0].value:.4f}"]
    assert rests_on == [
        "Bounds are met on these samples: on new ones each that is just met is violated about half "
        "of the time."
    ]
    assert len(free.summary().splitlines()) == 3
    assert "<td>" + value.split()[1] in model._repr_mimebundle_()["text/html"]


@pytest.mark.parametrize(
    ("metric", "stuck", "given_up"),
    [
        ("f1_macro", 0.1, 0),
        ("f1_macro", 1.0, 1),
        ("zero_one_loss", 0.9, 0),
        ("zero_one_loss", 0, 1),
    ],
)
def test_the_value_without_bounds_is_not_worse_than_within_them(
    monkeypatch, metric, stuck, given_up
):
    # The search without bounds has fewer starts, and may be stuck.
    def search(objective, held_out):
        weights, value, kept = choose_weights(objective, held_out)
        return weights, value if objective.bounds else stuck, kept

    monkeypatch.setattr(constrained_threshold_classifier, "choose_weights", search)
    model = prefit(metric, subject_to={"recall_2": 0.5}).fit(*draw(120, 39))
    expected = given_up * abs(stuck - model.best_value_)
    assert model.summary().splitlines()[4].split() == ["given", "up", f"{expected:.4f}"]


def test_ratios_may_be_infinite():
    X, y = draw(300, 0)
    model = prefit(
        "positive_likelihood_ratio_2", subject_to={"positive_likelihood_ratio_2": 1e9}
    ).fit(X, y)
    predicted = model.predict(X)
    assert model.best_value_ == np.inf
    assert (y[predicted == 2] == 2).all()
    assert 2 in predicted
    assert model.summary().splitlines()[4].split() == ["given", "up", "0.0000"]


def test_set_params_after_fit_changes_no_promise_of_the_summary():
    X, y = draw(200, 0)
    model = prefit(subject_to={"recall_2": 0.6}).fit(X, y)
    summary = model.summary()
    assert model.set_params(confidence_level=0.95, cv=5).summary() == summary


def test_classes_as_objects_and_a_model_that_was_fitted_again():
    X, codes = draw(300, 1)
    expected = prefit(classes=NAMES).fit(X, NAMES[codes])
    inner = Given(NAMES)
    # As those of models that were fitted to a column of pandas.
    inner.classes_ = NAMES.astype(object)
    model = ConstrainedThresholdClassifier(inner, "f1_macro", subject_to=None, cv="prefit")
    predicted = model.fit(X, NAMES[codes]).predict(X)
    assert predicted.tolist() == expected.predict(X).tolist()
    inner.classes_ = np.array(["dead", "healthy", "ill"])
    with pytest.raises(ValueError, match=r"classes \['dead', .* fitted again since"):
        model.predict(X)
