"""Values against scikit-learn on anything hypothesis comes up with, and against pycm on random matrices."""

import warnings

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st
from pycm import ConfusionMatrix as PycmMatrix
from sklearn.exceptions import UndefinedMetricWarning

import skmetrics_ext
from skmetrics_ext import ConfusionMatrix

TOLERANCE = {"rtol": 1e-12, "atol": 1e-12}
CLASS_METRICS = ["precision_score", "recall_score", "f1_score", "fbeta_score", "jaccard_score"]
LABEL_SETS = {
    "binary": [0, 1],
    "integers": [-3, 0, 2, 7],
    "far apart": [-(2**40), 5, 2**40],
    "booleans": [False, True],
    "floats": [0.0, 1.0, 2.0],
    "strings": ["ash", "beech", "cedar", "é"],
}


@st.composite
def label_arrays(draw, min_labels=1):
    """Actual and predicted labels in some dtype, of which some labels may be missing on a side."""
    labels = draw(st.sampled_from(list(LABEL_SETS.values())))
    size = draw(st.integers(1, 30))
    pool = draw(st.lists(st.sampled_from(labels), min_size=min_labels, max_size=len(labels), unique=True))
    sides = [draw(st.lists(st.sampled_from(pool), min_size=size, max_size=size)) for _ in range(2)]
    convert = draw(st.sampled_from([np.array, list]))
    return convert(sides[0]), convert(sides[1]), labels


@st.composite
def weights_for(draw, n_samples):
    """No weights, integer weights or float weights; some zero, not all."""
    kind = draw(st.sampled_from(["none", "integers", "floats"]))
    if kind == "none":
        return None
    numbers = st.integers(0, 5) if kind == "integers" else st.floats(0, 3).map(lambda x: round(x, 2))
    weights = np.array(draw(st.lists(numbers, min_size=n_samples, max_size=n_samples)))
    weights[draw(st.integers(0, n_samples - 1))] = 1
    return weights


def outcome(function, *args, **options):
    """What a call comes to: its value and the categories of its warnings, or the error's class."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = function(*args, **options)
        except ValueError:
            return "ValueError", set()
    return value, {warning.category for warning in caught}


def assert_same(name, *args, **options):
    """Our function and scikit-learn's come to the same."""
    ours, our_warnings = outcome(getattr(skmetrics_ext, name), *args, **options)
    theirs, their_warnings = outcome(getattr(sklearn.metrics, name), *args, **options)
    if isinstance(theirs, str) or isinstance(ours, str):
        assert isinstance(ours, str), (ours, theirs)
        assert isinstance(theirs, str), (ours, theirs)
    else:
        np.testing.assert_allclose(ours, theirs, **TOLERANCE)
        assert (UndefinedMetricWarning in our_warnings) == (UndefinedMetricWarning in their_warnings)
        assert our_warnings <= their_warnings
        assert np.shape(ours) == np.shape(theirs)


@given(data=st.data())
@pytest.mark.parametrize("average", ["binary", "macro", "micro", "weighted", None])
@pytest.mark.parametrize("name", CLASS_METRICS)
def test_class_metrics_equal_scikit_learn(name, average, data):
    y_true, y_pred, labels = data.draw(label_arrays())
    options = {
        "average": average,
        "sample_weight": data.draw(weights_for(len(y_true))),
        "labels": data.draw(st.none() | st.lists(st.sampled_from(labels), min_size=1, unique=True)),
        "zero_division": data.draw(st.sampled_from(["warn", 0, 1] + [np.nan] * (name != "jaccard_score"))),
    }
    if average == "binary":
        options["pos_label"] = data.draw(st.sampled_from(labels))
    if name == "fbeta_score":
        options["beta"] = data.draw(st.sampled_from([0, 0.5, 2, np.inf]))
        if options["beta"] in (0, np.inf) and options["zero_division"] == "warn":
            options["zero_division"] = 0  # there scikit-learn has the value of precision or recall, unwarned
    assert_same(name, y_true, y_pred, **options)


@given(data=st.data())
@pytest.mark.parametrize("average", ["macro", "micro", "weighted", "samples", None, "binary"])
@pytest.mark.parametrize("name", CLASS_METRICS)
def test_multilabel_metrics_equal_scikit_learn(name, average, data):
    n_samples, n_labels = data.draw(st.integers(1, 12)), data.draw(st.integers(2, 5))
    bits = st.lists(
        st.lists(st.integers(0, 1), min_size=n_labels, max_size=n_labels), min_size=n_samples, max_size=n_samples
    )
    y_true, y_pred = np.array(data.draw(bits)), np.array(data.draw(bits))
    options = {
        "average": average,
        "sample_weight": data.draw(weights_for(n_samples)) if average != "samples" else None,
        "labels": data.draw(st.none() | st.lists(st.integers(0, n_labels - 1), min_size=1, unique=True)),
        "zero_division": data.draw(st.sampled_from([0, 1])),
    }
    if name == "fbeta_score":
        options["beta"] = 2
    assert_same(name, y_true, y_pred, **options)


@pytest.mark.parametrize("name", CLASS_METRICS)
def test_weighted_samples_average_equals_scikit_learn(name):
    random = np.random.default_rng(3)
    y_true, y_pred = random.integers(0, 2, (2, 40, 4))
    options = {"beta": 2} if name == "fbeta_score" else {}
    assert_same(
        name, y_true, y_pred, average="samples", sample_weight=random.random(40) + 0.1, zero_division=0, **options
    )


@given(data=st.data())
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("accuracy_score", {}),
        ("accuracy_score", {"normalize": False}),
        ("zero_one_loss", {}),
        ("zero_one_loss", {"normalize": False}),
        ("matthews_corrcoef", {}),
        ("balanced_accuracy_score", {}),
    ],
)
def test_overall_metrics_equal_scikit_learn(name, options, data):
    y_true, y_pred, _ = data.draw(label_arrays())
    weights = data.draw(weights_for(len(y_true)))
    if name == "balanced_accuracy_score" and weights is not None:
        weights = weights + 1  # a class of weight 0 makes scikit-learn warn of 0/0
    if name == "matthews_corrcoef" and weights is not None:
        weights = np.ceil(weights).astype(int)  # with float weights scikit-learn divides rounding errors
    assert_same(name, y_true, y_pred, sample_weight=weights, **options)


@given(data=st.data())
def test_adjusted_balanced_accuracy_equals_scikit_learn_for_two_true_classes_and_more(data):
    y_true, y_pred, _ = data.draw(label_arrays(min_labels=2))
    if len(set(y_true)) > 1:
        assert_same("balanced_accuracy_score", y_true, y_pred, adjusted=True)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
@given(data=st.data())
def test_kappa_equals_scikit_learn(weights, data):
    y1, y2, labels = data.draw(label_arrays())
    chosen = data.draw(st.none() | st.lists(st.sampled_from(labels), min_size=1, unique=True))
    sample_weight = data.draw(weights_for(len(y1)))
    options = {"labels": chosen, "weights": weights, "sample_weight": sample_weight}
    ours, _ = outcome(skmetrics_ext.cohen_kappa_score, y1, y2, **options)
    theirs, _ = outcome(sklearn.metrics.cohen_kappa_score, y1, y2, **options)
    if isinstance(theirs, str) or isinstance(ours, str):
        assert ours == theirs
    else:
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


@given(data=st.data())
@pytest.mark.parametrize("normalize", [None, "true", "pred", "all"])
def test_confusion_matrix_equals_scikit_learn(normalize, data):
    y_true, y_pred, labels = data.draw(label_arrays())
    chosen = data.draw(st.none() | st.lists(st.sampled_from(labels), min_size=1, unique=True))
    sample_weight = data.draw(weights_for(len(y_true)))
    assert_same("confusion_matrix", y_true, y_pred, labels=chosen, sample_weight=sample_weight, normalize=normalize)


def test_kappa_that_is_undefined_warns_and_takes_the_given_value():
    with pytest.warns(UndefinedMetricWarning, match="cohen_kappa is undefined"):
        assert skmetrics_ext.cohen_kappa_score([1, 1], [1, 1], replace_undefined_by=0.5) == 0.5


PYCM_NAMES = {
    "precision": "PPV",
    "recall": "TPR",
    "specificity": "TNR",
    "negative_predictive_value": "NPV",
    "false_positive_rate": "FPR",
    "false_negative_rate": "FNR",
    "false_discovery_rate": "FDR",
    "false_omission_rate": "FOR",
    "one_vs_rest_accuracy": "ACC",
    "one_vs_rest_error": "ERR",
    "f1": "F1",
    "jaccard": "J",
    "informedness": "BM",
    "g_mean": "GM",
}
PYCM_OVERALL = {"accuracy": "Overall ACC", "matthews_corrcoef": "Overall MCC", "cohen_kappa": "Kappa"}


@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_one_vs_rest_and_overall_values_equal_pycm(n_classes):
    counts = np.random.default_rng(n_classes).integers(1, 50, (n_classes, n_classes))
    names = [f"class {k}" for k in range(n_classes)]
    theirs = PycmMatrix(
        matrix={a: dict(zip(names, row, strict=True)) for a, row in zip(names, counts.tolist(), strict=True)}
    )
    ours = ConfusionMatrix.from_counts(counts, labels=names)
    for name, pycm_name in PYCM_NAMES.items():
        expected = [theirs.class_stat[pycm_name][label] for label in names]
        np.testing.assert_allclose(ours.score(name, average=None), expected, rtol=1e-12, err_msg=name)
    for name, pycm_name in PYCM_OVERALL.items():
        np.testing.assert_allclose(ours.score(name), theirs.overall_stat[pycm_name], rtol=1e-12, err_msg=name)


def test_numbers_of_the_three_class_example():
    """Sixteen samples, three classes; every value is a fraction of counts in the matrix."""
    target = [2, 0, 2, 0, 1, 0, 1, 1, 1, 0, 2, 2, 0, 0, 1, 2]
    predicted = [0, 0, 2, 0, 2, 2, 2, 2, 2, 2, 1, 2, 0, 0, 1, 0]
    assert skmetrics_ext.confusion_matrix(target, predicted).tolist() == [[4, 0, 2], [0, 1, 4], [2, 1, 2]]
    per_class = {
        "precision_score": [4 / 6, 1 / 2, 2 / 8],
        "recall_score": [4 / 6, 1 / 5, 2 / 5],
        "f1_score": [8 / 12, 2 / 7, 4 / 13],
    }
    for name, expected in per_class.items():
        np.testing.assert_allclose(getattr(skmetrics_ext, name)(target, predicted, average=None), expected, rtol=1e-15)
    assert skmetrics_ext.accuracy_score(target, predicted) == 7 / 16
    assert skmetrics_ext.balanced_accuracy_score(target, predicted) == pytest.approx((4 / 6 + 1 / 5 + 2 / 5) / 3)


def test_rates_of_the_roc_example_at_every_threshold():
    y_true, scores = np.array([1, 1, 2, 2]), np.array([0.1, 0.4, 0.35, 0.8])
    rates = []
    for threshold in (0.8, 0.4, 0.35, 0.1):
        predicted = np.where(scores >= threshold, 2, 1)
        fpr, tpr, fnr, tnr = (
            getattr(skmetrics_ext, name)(y_true, predicted, pos_label=2)
            for name in ("false_positive_rate", "recall_score", "false_negative_rate", "specificity_score")
        )
        assert fpr + tnr == 1
        assert tpr + fnr == 1
        rates.append((fpr, tpr))
    assert rates == [(0, 0.5), (0.5, 0.5), (0.5, 1), (1, 1)]
