"""Confusion matrices of cross-validation: every fold counted as by hand."""

import tracemalloc

import joblib
import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_iris, make_multilabel_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import confusion_matrix, f1_score
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    StratifiedKFold,
    cross_val_predict,
    cross_validate,
)
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from skmetrics_ext import ConfusionMatrix, cross_val_confusion_matrix
from skmetrics_ext.adapter.rule import Rule
from skmetrics_ext.counting.counts import count_matrix
from skmetrics_ext.reading import groups
from skmetrics_ext.scoring.cross_validation import pairs_of_fold
from skmetrics_ext.scoring.splits import FoldScorer
from tests.doubles import SoftmaxOfOneHot


@pytest.fixture(scope="module")
def flowers():
    data = load_iris()
    return data.data[:, :2], data.target_names[data.target]


@pytest.fixture(params=[None, 2])
def n_jobs(request):
    """Threads are jobs, too, and need no other processes."""
    with joblib.parallel_config("threading"):
        yield request.param


def by_hand(model, X, y, folds, labels, weights=None):
    """scikit-learn's matrix of each fold."""
    matrices = []
    for train, test in folds:
        predicted = model.fit(X[train], y[train]).predict(X[test])
        weight = None if weights is None else weights[test]
        matrices.append(confusion_matrix(y[test], predicted, labels=labels, sample_weight=weight))
    return np.stack(matrices)


def test_each_fold_is_counted_as_scikit_learn_does(flowers, n_jobs):
    X, y = flowers
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    cm = cross_val_confusion_matrix(GaussianNB(), X, y, cv=folds, n_jobs=n_jobs)
    labels = ["setosa", "versicolor", "virginica"]
    np.testing.assert_array_equal(cm.counts, by_hand(GaussianNB(), X, y, folds.split(X, y), labels))
    assert cm.counts.dtype == np.int64
    assert cm.labels.tolist() == labels
    assert [(axis.name, axis.coordinates.tolist()) for axis in cm.axes] == [("fold", [0, 1, 2, 3])]


def test_scores_are_those_of_each_fold_and_of_all_together(flowers):
    X, y = flowers
    folds = list(StratifiedKFold(5).split(X, y))
    cm = cross_val_confusion_matrix(GaussianNB(), X, y, cv=folds)
    predicted = cross_val_predict(GaussianNB(), X, y, cv=folds)
    each = [f1_score(y[test], predicted[test], average="macro") for _, test in folds]
    np.testing.assert_allclose(cm.score("f1", average="macro"), each, rtol=1e-14)
    assert cm.sum(axis=0).score("f1", average="macro") == pytest.approx(
        f1_score(y, predicted, average="macro")
    )


def test_leave_one_out_pools_what_no_single_fold_can_tell(flowers):
    X, y = flowers[0][40:60], flowers[1][40:60]
    cm = cross_val_confusion_matrix(GaussianNB(), X, y, cv=LeaveOneOut())
    assert cm.counts.shape == (20, 2, 2)
    predicted = cross_val_predict(GaussianNB(), X, y, cv=LeaveOneOut())
    np.testing.assert_array_equal(cm.sum("fold").counts, confusion_matrix(y, predicted))


def test_a_class_that_no_fold_was_trained_on_keeps_its_row(flowers):
    X, y = flowers
    cm = cross_val_confusion_matrix(
        GaussianNB(), X[:100], y[:100], cv=3, labels=["virginica", "versicolor", "setosa"]
    )
    assert cm.labels.tolist() == ["virginica", "versicolor", "setosa"]
    assert cm.counts[:, 0].sum() == cm.counts[:, :, 0].sum() == 0
    assert cm.counts.sum() == 100


def test_a_fold_whose_training_lacks_a_class_counts_its_samples_as_errors(flowers):
    X, y = flowers
    folds = PredefinedSplit(np.repeat([0, 1, 2], 50))
    with pytest.warns(UserWarning, match="estimator never"):
        cm = cross_val_confusion_matrix(GaussianNB(), X, y, cv=folds)
    assert cm.counts.shape == (3, 3, 3)
    assert cm.counts.sum() == 150
    assert np.trace(cm.sum("fold").counts) == 0


def test_groups_go_to_the_splitter(flowers):
    X, y = flowers
    groups = np.arange(150) % 5
    cm = cross_val_confusion_matrix(GaussianNB(), X, y, cv=GroupKFold(5), groups=groups)
    expected = by_hand(GaussianNB(), X, y, GroupKFold(5).split(X, y, groups), cm.labels)
    np.testing.assert_array_equal(cm.counts, expected)


def test_a_threshold_decides_in_every_fold(tumors):
    X, y = tumors
    model = GaussianNB()
    cm = cross_val_confusion_matrix(model, X, y, cv=3, threshold=0.1, pos_label="malignant")
    expected = []
    for train, test in StratifiedKFold(3).split(X, y):
        malignant = model.fit(X[train], y[train]).predict_proba(X[test])[:, 1] >= 0.1
        expected.append(confusion_matrix(y[test], np.where(malignant, "malignant", "benign")))
    np.testing.assert_array_equal(cm.counts, expected)


def test_models_that_predict_probabilities_are_counted(tumors):
    X, y = tumors
    number = (y == "malignant").astype(int)
    cm = cross_val_confusion_matrix(LinearRegression(), X, number, cv=3, threshold=0.4)
    scores = cross_val_predict(LinearRegression(), X, number, cv=3)
    np.testing.assert_array_equal(cm.sum("fold").counts, confusion_matrix(number, scores >= 0.4))


def test_one_hot_targets_are_classes_named_by_classes(flowers):
    X, y = flowers
    names = np.unique(y)
    one_hot = (y[:, None] == names).astype(int)

    thirds = PredefinedSplit(np.arange(150) % 3)
    cm = cross_val_confusion_matrix(SoftmaxOfOneHot(), X, one_hot, cv=thirds, classes=names)
    expected = cross_val_confusion_matrix(GaussianNB(), X, y, cv=thirds)
    assert cm == expected


def test_multilabel_data_have_a_matrix_for_each_label():
    X, y = make_multilabel_classification(90, n_classes=4, random_state=0)
    model = MultiOutputClassifier(KNeighborsClassifier(3))
    cm = cross_val_confusion_matrix(model, X, y, cv=3)
    assert cm.counts.shape == (3, 4, 2, 2)
    assert [axis.name for axis in cm.axes] == ["fold", "label"]
    predicted = cross_val_predict(model, X, y, cv=3)
    for label in range(4):
        expected = confusion_matrix(y[:, label], predicted[:, label])
        np.testing.assert_array_equal(cm.sum("fold").counts[label], expected)


def test_precomputed_kernels_are_split_on_both_sides(tumors):
    X, y = tumors
    X, y = (X[:60] - X.mean(axis=0)) / X.std(axis=0), y[:60]
    kernel = X @ X.T
    cm = cross_val_confusion_matrix(SVC(kernel="precomputed"), kernel, y, cv=3)
    predicted = cross_val_predict(SVC(kernel="precomputed"), kernel, y, cv=3)
    np.testing.assert_array_equal(cm.sum("fold").counts, confusion_matrix(y, predicted))


def test_fit_gets_its_params(tumors):
    X, y = tumors
    weights = np.where(y == "malignant", 20.0, 1.0)
    cm = cross_val_confusion_matrix(GaussianNB(), X, y, cv=3, params={"sample_weight": weights})
    predicted = cross_val_predict(GaussianNB(), X, y, cv=3, params={"sample_weight": weights})
    np.testing.assert_array_equal(cm.sum("fold").counts, confusion_matrix(y, predicted))


@pytest.mark.parametrize("whole", [True, False], ids=["integers", "floats"])
def test_metadata_routing_weighs_the_counts(tumors, whole):
    X, y = tumors
    weights = np.arange(len(y)) % 3 if whole else np.random.default_rng(0).random(len(y))
    with sklearn.config_context(enable_metadata_routing=True):
        model = GaussianNB().set_fit_request(sample_weight=False)
        cm = cross_val_confusion_matrix(model, X, y, cv=3, params={"sample_weight": weights})
    expected = by_hand(GaussianNB(), X, y, StratifiedKFold(3).split(X, y), cm.labels, weights)
    np.testing.assert_allclose(cm.counts, expected, rtol=1e-12)
    assert cm.counts.dtype == (np.int64 if whole else np.float64)


def test_progress_is_shown_as_scikit_learn_shows_it(flowers, capsys):
    cross_val_confusion_matrix(GaussianNB(), *flowers, cv=3, verbose=2)
    assert capsys.readouterr().out.count("[CV] END") == 3


@pytest.mark.parametrize("weighted", [False, True], ids=["integers", "floats"])
def test_the_most_talkative_search_loses_no_counts(flowers, n_jobs, weighted):
    X, y = flowers
    folds = StratifiedKFold(3)
    weights = np.random.default_rng(0).random(len(y)) if weighted else None
    scorer = FoldScorer(pairs_of_fold, np.unique(y), (Rule(), (), None, None))
    model, params = GaussianNB(), {}
    with sklearn.config_context(enable_metadata_routing=weighted):
        if weighted:
            scorer.set_score_request(sample_weight=True)
            model, params = model.set_fit_request(sample_weight=False), {"sample_weight": weights}
        options = {
            "cv": folds,
            "n_jobs": n_jobs,
            "verbose": 3,
            "return_train_score": True,
            "params": params,
        }
        results = cross_validate(model, X, y, scoring=scorer, **options)
    splits = list(folds.split(X, y))
    for which, parts in (("test", splits), ("train", [(train, train) for train, _ in splits])):
        found = np.stack([count_matrix(fold.value) for fold in results[f"{which}_score"]])
        np.testing.assert_allclose(
            found, by_hand(GaussianNB(), X, y, parts, np.unique(y), weights), rtol=1e-12
        )
        assert found.dtype == (np.float64 if weighted else np.int64)


def test_verbose_shows_how_many_samples_a_fold_has(flowers, capsys):
    X, y = flowers
    cross_val_confusion_matrix(
        GaussianNB(), X, y, cv=PredefinedSplit(np.arange(150) % 50 // 30), verbose=3
    )
    assert [
        line.split("score=")[1].split(" total")[0]
        for line in capsys.readouterr().out.splitlines()
        if "END" in line
    ] == ["90 samples", "60 samples"]


def test_verbose_shows_each_sample_of_several_labels_once(capsys):
    X, y = make_multilabel_classification(90, n_classes=4, random_state=0)
    cross_val_confusion_matrix(
        MultiOutputClassifier(KNeighborsClassifier(3)), X, y, cv=3, verbose=3
    )
    assert capsys.readouterr().out.count("score=30 samples") == 3


def test_a_model_that_cannot_be_fitted_in_one_fold_is_an_error(n_jobs):
    one_class_first = np.repeat([0, 0, 1], 10)
    with pytest.raises(ValueError, match="at least 2 classes"):
        cross_val_confusion_matrix(
            LogisticRegression(), np.eye(30), one_class_first, cv=KFold(3), n_jobs=n_jobs
        )


def test_the_counts_of_many_classes_are_never_copied():
    n_classes = 300
    y = np.arange(3 * n_classes) % n_classes
    tracemalloc.start()
    try:
        cm = cross_val_confusion_matrix(
            DummyClassifier(strategy="constant", constant=7), y[:, None], y, cv=KFold(3)
        )
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    expected = np.zeros((n_classes, n_classes))
    expected[:, 7] = 1
    assert (cm.counts == expected).all()
    assert peak < 1.5 * cm.counts.nbytes


def test_folds_without_groups_have_as_many_cells_as_fit_into_memory(flowers, monkeypatch):
    monkeypatch.setattr(groups, "MOST_CELLS", 20)
    assert cross_val_confusion_matrix(GaussianNB(), *flowers, cv=3).counts.size == 27
    with pytest.raises(ValueError, match="54 cells in all"):
        cross_val_confusion_matrix(GaussianNB(), *flowers, cv=3, by=np.arange(150) % 2)


def test_a_prediction_that_is_no_label_is_an_error(flowers):
    X, y = flowers
    with pytest.raises(
        ValueError, match=r"labels=\['setosa'\] must include all labels in the data"
    ):
        cross_val_confusion_matrix(GaussianNB(), X, y, cv=3, labels=["setosa"])


def test_a_fold_that_fails_is_an_error_and_not_a_gap(flowers):
    X, y = flowers
    with pytest.raises(ValueError, match="pos_label='rose' is not one of"):
        cross_val_confusion_matrix(
            GaussianNB(), X, y, cv=3, pos_label="rose", response_method="predict_proba"
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": 0.5, "ties": "both"}, "ties must be"),
        ({"response_method": "predict_log_proba"}, "response_method must be"),
        ({"labels": [1, 1]}, "labels holds duplicates"),
    ],
)
def test_options_are_checked_before_any_fit(options, message):
    with pytest.raises(ValueError, match=message):
        cross_val_confusion_matrix(None, None, [0, 1], **options)


def test_a_matrix_takes_another_label_order_and_more_labels():
    cm = ConfusionMatrix.from_counts([[[3, 1], [2, 4]], [[1, 0], [0, 0]]], labels=["a", "b"])
    wide = cm.with_labels(["c", "b", "a"])
    np.testing.assert_array_equal(
        wide.counts, [[[0, 0, 0], [0, 4, 2], [0, 1, 3]], [[0, 0, 0], [0, 0, 0], [0, 0, 1]]]
    )
    assert wide.axes[0].name == "axis_0"
    np.testing.assert_array_equal(wide.axes[0].coordinates, [0, 1])
    assert wide.with_labels(["a", "b"]) == cm


def test_a_matrix_does_not_lose_counts_to_another_label_order():
    cm = ConfusionMatrix.from_counts([[0, 1], [0, 0]], labels=["a", "b"])
    with pytest.raises(
        ValueError,
        match=r"labels=\['a'\] must include all labels in the data, which also have \['b'\]",
    ):
        cm.with_labels(["a"])
    with pytest.raises(ValueError, match="label types"):
        cm.with_labels([0, 1])


def test_labels_do_not_choose_among_multilabel_columns():
    X, y = make_multilabel_classification(60, n_classes=3, random_state=0)
    model = MultiOutputClassifier(KNeighborsClassifier(3))
    with pytest.raises(ValueError, match=r"of multilabel data must list all.*select columns of y"):
        cross_val_confusion_matrix(model, X, y, cv=2, labels=[2, 0, 1])
