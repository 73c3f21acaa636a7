"""evaluation_index: exact keys, hand-counted values, matrices instead of arrays, and its scorer."""

import pickle

import numpy as np
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.model_selection import StratifiedKFold, TunedThresholdClassifierCV, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from skmetrics_ext import ConfusionMatrix, ConfusionScorer, evaluation_index, get_scorer
from tests.doubles import BreaksOnThreeRows
from tests.shared import quietly

# Drawn labels of both sides may have none in common, which warns.
pytestmark = pytest.mark.filterwarnings("ignore:.*none of which are in both")

TARGET = [2, 0, 2, 0, 1, 0, 1, 1, 1, 0, 2, 2, 0, 0, 1, 2]
PREDICTED = [0, 0, 2, 0, 2, 2, 2, 2, 2, 2, 1, 2, 0, 0, 1, 0]

COUNTS = ("true_positive", "false_positive", "true_negative", "false_negative")
RATES = (
    *("accuracy", "classification_error", "precision", "recall", "specificity"),
    *("false_positive_rate", "false_negative_rate", "f_measure"),
)


def keys_of(labels):
    """Every key of the index, from its definition."""
    return {
        *(f"{name}_{label}" for name in (*COUNTS, *RATES) for label in labels),
        *(f"cf_{actual}_{predicted}" for actual in labels for predicted in labels),
        *(f"{name}_weighted" for name in RATES),
    }


def naive_index(y_true, y_pred, labels, weights=None):
    """The index by comparisons of arrays; 0/0 is the worst value."""
    y_true, y_pred = np.asarray(y_true), np.asarray(y_pred)
    weights = np.ones(len(y_true)) if weights is None else np.asarray(weights)
    total = weights.sum()
    index = dict.fromkeys((f"{name}_weighted" for name in RATES), 0.0)
    for label in labels:
        actual, predicted = y_true == label, y_pred == label
        tp, fp = weights[actual & predicted].sum(), weights[~actual & predicted].sum()
        fn, tn = weights[actual & ~predicted].sum(), weights[~actual & ~predicted].sum()
        rates = {
            "accuracy": (tp + tn) / total,
            "classification_error": (fp + fn) / total,
            "precision": tp / (tp + fp) if tp + fp else 0,
            "recall": tp / (tp + fn) if tp + fn else 0,
            "specificity": tn / (tn + fp) if tn + fp else 0,
            "false_positive_rate": fp / (fp + tn) if fp + tn else 1,
            "false_negative_rate": fn / (fn + tp) if fn + tp else 1,
            "f_measure": 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else 0,
        }
        index |= {
            f"{name}_{label}": value for name, value in zip(COUNTS, (tp, fp, tn, fn), strict=True)
        }
        for name, rate in rates.items():
            index[f"{name}_{label}"] = rate
            index[f"{name}_weighted"] += rate * (tp + fn) / total
        for other in labels:
            index[f"cf_{label}_{other}"] = weights[actual & (y_pred == other)].sum()
    return index


# Values.


def test_the_textbook_case():
    index = evaluation_index(TARGET, PREDICTED)
    cells = [[index[f"cf_{actual}_{predicted}"] for predicted in range(3)] for actual in range(3)]
    assert cells == [[4, 0, 2], [0, 1, 4], [2, 1, 2]]
    rounded = {
        name: [round(index[f"{name}_{label}"], 4) for label in range(3)]
        for name in ("precision", "recall", "accuracy")
    }
    assert rounded == {
        "precision": [0.6667, 0.5, 0.25],
        "recall": [0.6667, 0.2, 0.4],
        "accuracy": [0.75, 0.6875, 0.4375],
    }
    assert [index[f"{name}_0"] for name in COUNTS] == [4, 2, 8, 2]
    assert [index[f"{name}_1"] for name in COUNTS] == [1, 1, 10, 4]
    assert [index[f"{name}_2"] for name in COUNTS] == [2, 6, 5, 3]


def test_the_keys_are_exactly_those_of_the_definition():
    assert set(evaluation_index(TARGET, PREDICTED)) == keys_of([0, 1, 2])
    assert len(keys_of([0, 1, 2])) == 3 * 12 + 9 + 8


def test_weighted_averages_are_those_of_scikit_learn():
    index = evaluation_index(TARGET, PREDICTED)
    for name, score in (
        ("precision", sk.precision_score),
        ("recall", sk.recall_score),
        ("f_measure", sk.f1_score),
    ):
        assert index[f"{name}_weighted"] == pytest.approx(
            score(TARGET, PREDICTED, average="weighted")
        )
    assert index["recall_weighted"] == pytest.approx(sk.accuracy_score(TARGET, PREDICTED))
    assert index["false_negative_rate_weighted"] == pytest.approx(1 - index["recall_weighted"])
    # Proportions of the classes are 6, 5 and 5 of 16.
    assert index["specificity_weighted"] == pytest.approx(
        (6 * 8 / 10 + 5 * 10 / 11 + 5 * 5 / 11) / 16
    )


def test_counts_are_integers_and_rates_are_floats():
    index = evaluation_index(TARGET, PREDICTED, sample_weight=np.arange(16))
    for key, value in index.items():
        is_count = (
            key.startswith(("cf_", "true_", "false_positive_", "false_negative_"))
            and "rate" not in key
        )
        assert type(value) is (int if is_count else float), key


@pytest.mark.parametrize(
    "pool",
    [[False, True], [0, 1, 2], [-3, 5, 7], [0.0, 2.0], [b"a", b"b"], ["ash", "elm", "oak"]],
    ids=["bool", "int", "negative int", "float", "bytes", "str"],
)
@settings(max_examples=4)
@given(data=st.data())
def test_the_index_equals_a_naive_count_on_any_labels_and_weights(pool, data):
    n = data.draw(st.integers(1, 20))
    column = st.lists(st.sampled_from(pool), min_size=n, max_size=n)
    y_true, y_pred = data.draw(column), data.draw(column)
    values = st.sampled_from(data.draw(st.sampled_from([[0, 1, 3], [0.0, 0.5, 2.25]])))
    weights = data.draw(st.none() | st.lists(values, min_size=n, max_size=n).filter(any))
    index = quietly(evaluation_index, np.array(y_true), np.array(y_pred), sample_weight=weights)
    labels = sorted({*y_true, *y_pred})
    expected = naive_index(y_true, y_pred, labels, weights)
    assert set(index) == keys_of(labels) == set(expected)
    for key, value in expected.items():
        assert index[key] == pytest.approx(value, abs=1e-12), key


def test_labels_fix_the_order_and_name_classes_that_do_not_occur():
    labels = ["yew", "oak", "ash"]
    index = quietly(evaluation_index, ["ash", "oak"], ["oak", "oak"], labels=labels)
    assert set(index) == keys_of(labels)
    assert [key for key in index if key.startswith("recall_")] == [
        *("recall_yew", "recall_oak", "recall_ash", "recall_weighted")
    ]
    assert (index["cf_ash_oak"], index["recall_yew"], index["recall_weighted"]) == (1, 0, 0.5)


# A matrix instead of the arrays.


def test_a_matrix_gives_what_its_arrays_give():
    weights = np.arange(16) / 4
    cm = ConfusionMatrix.from_predictions(TARGET, PREDICTED, sample_weight=weights)
    assert evaluation_index(cm) == evaluation_index(TARGET, PREDICTED, sample_weight=weights)


def test_a_matrix_with_leading_axes_gives_arrays_over_them():
    random = np.random.default_rng(0)
    y_true, y_pred = random.integers(0, 3, (2, 90))
    groups = np.arange(90) % 4
    index = evaluation_index(ConfusionMatrix.from_predictions(y_true, y_pred, by=groups))
    assert set(index) == keys_of([0, 1, 2])
    for group in range(4):
        expected = naive_index(y_true[groups == group], y_pred[groups == group], [0, 1, 2])
        for key, value in expected.items():
            assert index[key].shape == (4,)
            assert index[key][group] == pytest.approx(value), key


def test_a_matrix_without_samples_is_undefined_and_warns_as_a_metric():
    counts = [[[0, 0], [0, 0]], [[1, 0], [0, 1]]]
    index = quietly(evaluation_index, ConfusionMatrix.from_counts(counts, labels=[0, 1]))
    assert index["recall_0"].tolist() == [0, 1]
    assert index["recall_weighted"][1] == 1


@pytest.mark.parametrize(
    ("args", "options", "error", "message"),
    [
        (([0, 1],), {}, TypeError, "y_pred must be an array or a list of labels; got NoneType"),
        (([0, 1], [0]), {}, ValueError, "y_true has 2 samples but y_pred has 1"),
        (
            ([0, 1], [0, 1]),
            {"labels": [0]},
            ValueError,
            r"labels=\[0\] must include all labels in the data, which also have \[1\]",
        ),
        (([0, 1], [0, 1]), {"sample_weight": [0, 0]}, ValueError, "sample_weight is all zero"),
        (
            ([[0, 1], [1, 1]], [[0, 1], [1, 0]]),
            {},
            ValueError,
            "one label per sample; these data are multilabel",
        ),
        (
            (["a", "b_c", "a_b", "c"],) * 2,
            {},
            ValueError,
            r"the labels \['a', 'a_b', 'b_c', 'c'\] would give two entries",
        ),
        (
            (["weighted", "b"],) * 2,
            {},
            ValueError,
            "give two entries the same name: rename the labels",
        ),
    ],
)
def test_mistakes_are_named(args, options, error, message):
    arrays = [np.array(side) for side in args]
    with pytest.raises(error, match=message):
        evaluation_index(*arrays, **options)


@pytest.mark.parametrize(
    "options", [{"y_pred": [0, 1]}, {"labels": [0, 1]}, {"sample_weight": [1, 1]}]
)
def test_a_matrix_is_passed_on_its_own(options):
    cm = ConfusionMatrix.from_predictions([0, 1], [0, 1])
    with pytest.raises(
        ValueError,
        match="a ConfusionMatrix already includes its labels and weights: pass it on its own",
    ):
        evaluation_index(cm, **options)


# The scorer.


@pytest.fixture(scope="module")
def trees():
    random = np.random.default_rng(0)
    codes = np.arange(90) % 3
    return random.normal(size=(90, 2)) + codes[:, None], np.array(["ash", "elm", "oak"])[codes]


FOLDS = StratifiedKFold(3)


def test_cross_validate_returns_the_index_of_every_fold(trees):
    X, y = trees
    results = cross_validate(GaussianNB(), X, y, cv=FOLDS, scoring=get_scorer("evaluation_index"))
    assert {key for key in results if key.startswith("test_")} == {
        f"test_{key}" for key in keys_of(np.unique(y))
    }
    for fold, (train, test) in enumerate(FOLDS.split(X, y)):
        predicted = GaussianNB().fit(X[train], y[train]).predict(X[test])
        for key, value in naive_index(y[test], predicted, np.unique(y)).items():
            assert results[f"test_{key}"][fold] == pytest.approx(value), key


def test_numbered_classes_give_the_names_of_the_issue(trees):
    X, y = trees
    codes = np.unique(y, return_inverse=True)[1]
    results = cross_validate(
        GaussianNB(), X, codes, cv=FOLDS, scoring=get_scorer("evaluation_index")
    )
    assert {"test_recall_0", "test_cf_0_1"} <= set(results)
    plain = cross_validate(GaussianNB(), X, y, cv=FOLDS, scoring=get_scorer("evaluation_index"))
    assert results["test_cf_0_1"].tolist() == plain["test_cf_ash_elm"].tolist()


def test_a_class_that_a_fold_lacks_keeps_its_keys(trees):
    X, y = trees
    model = GaussianNB().fit(X, y)
    kept = y != "elm"
    with pytest.warns(UndefinedMetricWarning, match=r"for \['elm'\]"):
        index = get_scorer("evaluation_index")(model, X[kept], y[kept])
    assert set(index) == keys_of(["ash", "elm", "oak"])
    expected = naive_index(y[kept], model.predict(X[kept]), ["ash", "elm", "oak"])
    assert {key: index[key] for key in expected} == pytest.approx(expected)


def test_a_class_that_one_training_lacks_keeps_its_keys_in_every_fold():
    y = np.array([0, 1] * 6 + [2])
    X = np.arange(13.0)[:, None]
    cv = [(np.arange(12), np.array([10, 11, 12])), (np.arange(2, 13), np.array([0, 1]))]
    with pytest.warns() as caught:
        results = cross_validate(
            KNeighborsClassifier(1), X, y, cv=cv, scoring=get_scorer("evaluation_index")
        )
    assert any(
        "labels [2] that the estimator never saw" in str(warning.message) for warning in caught
    )
    assert {key for key in results if key.startswith("test_")} == {
        f"test_{key}" for key in keys_of([0, 1, 2])
    }
    assert results["test_false_negative_2"].tolist() == [1, 0]


def test_the_scorer_takes_the_options_of_from_estimator(trees):
    X, y = trees
    model = GaussianNB().fit(X, y)
    cuts = [0.6, 0.1, 0.3]
    by_class = dict(zip(["ash", "elm", "oak"], cuts, strict=True))
    index = get_scorer("evaluation_index", threshold=by_class)(model, X, y)
    predicted = model.classes_[(model.predict_proba(X) / cuts).argmax(1)]
    assert (predicted != model.predict(X)).any()
    expected = naive_index(y, predicted, model.classes_)
    assert {key: index[key] for key in expected} == pytest.approx(expected)


@pytest.mark.parametrize(
    "weights", [np.arange(90) // 3 % 3, np.arange(90) // 3 % 5 / 4], ids=["integers", "floats"]
)
def test_weights_reach_the_scorer_in_the_call_and_by_routing(trees, weights):
    X, y = trees
    model = KNeighborsClassifier(3).fit(X, y)
    index = get_scorer("evaluation_index")(model, X, y, sample_weight=weights)
    expected = naive_index(y, model.predict(X), model.classes_, weights)
    assert {key: index[key] for key in expected} == pytest.approx(expected)
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = get_scorer("evaluation_index").set_score_request(sample_weight=True)
        results = cross_validate(
            KNeighborsClassifier(3),
            X,
            y,
            cv=FOLDS,
            scoring=scorer,
            params={"sample_weight": weights},
        )
    for fold, (train, test) in enumerate(FOLDS.split(X, y)):
        predicted = KNeighborsClassifier(3).fit(X[train], y[train]).predict(X[test])
        for key, value in naive_index(y[test], predicted, np.unique(y), weights[test]).items():
            assert results[f"test_{key}"][fold] == pytest.approx(value), key


def test_the_scorer_has_the_counts_of_confusion_scorer(trees):
    X, y = trees
    model = GaussianNB().fit(X, y)
    index = get_scorer("evaluation_index")(model, X, y)
    names = ["recall_macro", "neg_classification_error_macro"]
    scores = ConfusionScorer(names, per_class=True, counts=True)(model, X, y)
    shared = set(scores) & set(index)
    assert len(shared) == 4 * 3 + 9 + 3
    assert {key: scores[key] for key in shared} == {key: index[key] for key in shared}
    # The index is unsigned.
    assert index["classification_error_ash"] == -scores["neg_classification_error_ash"] > 0


def test_the_scorer_shows_itself_and_pickles(trees):
    X, y = trees
    model = GaussianNB().fit(X, y)
    scorer = get_scorer(
        "evaluation_index", threshold=[0.6, 0.1, 0.3], classes=["ash", "elm", "oak"]
    )
    options = "threshold=[0.6, 0.1, 0.3], classes=['ash', 'elm', 'oak']"
    assert repr(scorer) == f"ConfusionScorer('evaluation_index', {options})"
    assert pickle.loads(pickle.dumps(scorer))(model, X, y) == scorer(model, X, y)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            {"thresold": 0.5},
            TypeError,
            r"'thresold' is neither an option .* \['evaluation_index'\]. Did you mean 'threshold'",
        ),
        (
            {"average": "macro"},
            ValueError,
            "average= does not apply to 'evaluation_index': leave it out",
        ),
        (
            {"threshold": [-1, 1]},
            ValueError,
            "must be positive and finite: scores are divided by it",
        ),
        ({"ties": "both"}, ValueError, "ties must be"),
        ({"response_method": "predict_log_proba"}, ValueError, "response_method must be"),
    ],
)
def test_mistakes_in_options_are_found_at_construction(options, error, message):
    with pytest.raises(error, match=message):
        get_scorer("evaluation_index", **options)


def test_requests_for_weights_need_metadata_routing():
    with pytest.raises(RuntimeError, match="set_score_request needs"):
        get_scorer("evaluation_index").set_score_request(sample_weight=True)


def test_a_tuner_of_thresholds_says_that_it_needs_another_scorer(trees):
    X, y = trees
    two = y != "elm"
    with pytest.raises(AttributeError, match=r"pass get_scorer\(name\)\."):
        TunedThresholdClassifierCV(GaussianNB(), scoring=get_scorer("evaluation_index"), cv=2).fit(
            X[two], y[two]
        )


def test_a_later_fold_that_fails_does_not_crash_the_search():
    y = np.array([0, 1] * 5)
    cv = [(np.arange(10), np.arange(4)), (np.arange(10), np.arange(3))]
    scorer = get_scorer("evaluation_index")
    with pytest.warns() as caught:
        results = cross_validate(BreaksOnThreeRows(), np.zeros((10, 1)), y, cv=cv, scoring=scorer)
    assert any("the server is down" in str(warning.message) for warning in caught)
    assert np.isnan(results["test_recall_0"][1])
