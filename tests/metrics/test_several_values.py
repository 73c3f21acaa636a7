"""Matrices and several values at once: exactly those of scikit-learn and imbalanced-learn."""

import importlib.util
import inspect
import warnings

import imblearn.metrics
import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning

import skmetrics_ext
from tests.shared import indicators, labeled, quietly, weights

# Drawn labels of both sides may have none in common, which warns.
pytestmark = pytest.mark.filterwarnings("ignore:.*none of which are in both")
# Of a test with several names, each of which draws samples of its own.
few_of_each = settings(max_examples=5)


def assert_same(ours, theirs):
    """Each value to the last digits; the support of an average is None."""
    for value, expected in zip(ours, theirs, strict=True):
        if expected is None:
            assert value is None
        else:
            np.testing.assert_allclose(value, expected, rtol=1e-12, atol=1e-12)


@few_of_each
@given(data=st.data())
@pytest.mark.parametrize("average", [None, "macro", "micro", "weighted", "binary"])
def test_precision_recall_fscore_support_is_scikit_learns(average, data):
    y_true, y_pred, labels = data.draw(labeled())
    options = {
        "average": average,
        "beta": data.draw(st.sampled_from([0.5, 1, 2, np.inf])),
        "labels": data.draw(st.none() | st.lists(st.sampled_from(labels), min_size=1, unique=True)),
        "sample_weight": data.draw(weights(len(y_true))),
        "zero_division": data.draw(st.sampled_from(["warn", 0, 1, np.nan])),
    }
    if average == "binary":
        options["pos_label"] = y_true[0].item()
    try:
        theirs = quietly(sklearn.metrics.precision_recall_fscore_support, y_true, y_pred, **options)
    except ValueError:
        with pytest.raises(ValueError, match=r"the positive class of two, but there are "):
            skmetrics_ext.precision_recall_fscore_support(y_true, y_pred, **options)
        return
    ours = quietly(skmetrics_ext.precision_recall_fscore_support, y_true, y_pred, **options)
    assert_same(ours, theirs)


def test_the_default_average_is_that_of_the_installed_scikit_learn():
    ours, theirs = (
        library.precision_recall_fscore_support for library in (skmetrics_ext, sklearn.metrics)
    )
    defaults = (
        inspect.signature(function).parameters["average"].default for function in (ours, theirs)
    )
    assert next(defaults) == next(defaults)
    labels = [0, 1, 1, 0], [0, 1, 0, 0]
    found = [outcome(function, *labels) for function in (ours, theirs)]
    assert_same(found[0][0], found[1][0])
    assert found[0][1] == found[1][1]


def outcome(function, *arguments):
    """The value, and the classes of the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = function(*arguments)
    return value, [warning.category for warning in caught]


def under(monkeypatch, default):
    """Our function as it is defined next to a scikit-learn with another default."""

    def theirs(*, average=default):
        return average

    monkeypatch.setattr(sklearn.metrics, "precision_recall_fscore_support", theirs)
    found = importlib.util.find_spec("skmetrics_ext.metrics.several_values")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module.precision_recall_fscore_support


def test_the_default_average_is_binary_next_to_scikit_learn_1_12(monkeypatch):
    function = under(monkeypatch, "binary")
    assert inspect.signature(function).parameters["average"].default == "binary"
    assert outcome(function, [0, 1, 1, 0], [0, 1, 0, 0]) == ((1.0, 0.5, 2 / 3, None), [])
    with pytest.raises(ValueError, match=r"the positive class of two, but there are 3"):
        function([0, 1, 2], [0, 1, 2])
    assert function([0, 1, 2], [0, 1, 2], average=None)[3].tolist() == [1, 1, 1]


@pytest.mark.parametrize("mark", ["warn", "deprecated", object()], ids=["warn", "depr", "object"])
def test_the_default_average_is_none_with_a_warning_if_another_is_announced(monkeypatch, mark):
    function = under(monkeypatch, mark)
    with pytest.warns(FutureWarning, match="'binary' from scikit-learn 1.12: pass average=None"):
        values = function([0, 1, 1, 0], [0, 1, 0, 0])
    assert_same(values, function([0, 1, 1, 0], [0, 1, 0, 0], average=None))
    assert function([0, 1, 1, 0], [0, 1, 0, 0], average="binary") == (1.0, 0.5, 2 / 3, None)
    with pytest.raises(ValueError, match="average"):
        function([0, 1, 1, 0], [0, 1, 0, 0], average="mean")


def test_warn_for_chooses_what_warns():
    with pytest.warns(UndefinedMetricWarning, match="recall") as caught:
        skmetrics_ext.precision_recall_fscore_support(
            [0, 0], [1, 1], average=None, warn_for=("recall",)
        )
    assert len(caught) == 1


@given(data=st.data())
def test_multilabel_confusion_matrix_is_scikit_learns(data):
    y_true, y_pred, labels = data.draw(labeled())
    chosen = data.draw(st.none() | st.lists(st.sampled_from(labels), min_size=1, unique=True))
    options = {"labels": chosen, "sample_weight": data.draw(weights(len(y_true)))}
    theirs = sklearn.metrics.multilabel_confusion_matrix(y_true, y_pred, **options)
    ours = skmetrics_ext.multilabel_confusion_matrix(y_true, y_pred, **options)
    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)


@given(data=st.data())
@pytest.mark.parametrize("samplewise", [False, True])
def test_multilabel_confusion_matrix_of_indicators_is_scikit_learns(samplewise, data):
    y_true, y_pred = data.draw(indicators())
    options = {"samplewise": samplewise, "sample_weight": data.draw(weights(len(y_true)))}
    theirs = sklearn.metrics.multilabel_confusion_matrix(y_true, y_pred, **options)
    ours = skmetrics_ext.multilabel_confusion_matrix(y_true, y_pred, **options)
    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)


def test_samplewise_matrices_need_multilabel_data():
    with pytest.raises(ValueError, match="samplewise=True needs multilabel data"):
        skmetrics_ext.multilabel_confusion_matrix([0, 1], [0, 1], samplewise=True)


LIKELIHOOD_CASES = {
    "ordinary": ([0, 1, 0, 1, 0], [1, 1, 0, 0, 0]),
    "no false positives": ([0, 1, 0, 1], [0, 1, 0, 0]),
    "no true negatives": ([0, 1, 0, 1], [1, 1, 1, 0]),
    "nothing predicted positive": ([0, 1, 0, 1], [0, 0, 0, 0]),
    "no actual positives": ([0, 0, 0, 0], [1, 0, 0, 0]),
}


def likelihood_ratios_by_hand(y_true, y_pred, replaced):
    """The rules of scikit-learn 1.9, which older versions do not have all."""
    (tn, fp), (fn, tp) = sklearn.metrics.confusion_matrix(y_true, y_pred, labels=[0, 1])
    positives, negatives = tp + fn, tn + fp
    values = replaced if isinstance(replaced, dict) else {"LR+": replaced, "LR-": replaced}
    with np.errstate(invalid="ignore", divide="ignore"):
        positive = values["LR+"] if fp == 0 else np.divide(tp * negatives, fp * positives)
        negative = values["LR-"] if tn == 0 else np.divide(fn * negatives, tn * positives)
    return positive, negative


@pytest.mark.parametrize("replaced", [np.nan, 1.0, {"LR+": np.inf, "LR-": 0.0}], ids=str)
@pytest.mark.parametrize("case", LIKELIHOOD_CASES)
def test_class_likelihood_ratios_follow_the_rules_of_scikit_learn(case, replaced):
    y_true, y_pred = LIKELIHOOD_CASES[case]
    ours = quietly(
        skmetrics_ext.class_likelihood_ratios, y_true, y_pred, replace_undefined_by=replaced
    )
    np.testing.assert_allclose(
        ours, likelihood_ratios_by_hand(y_true, y_pred, replaced), rtol=1e-14
    )


@given(data=st.data())
def test_defined_likelihood_ratios_equal_scikit_learn(data):
    size = data.draw(st.integers(4, 30))
    codes = st.lists(st.integers(0, 1), min_size=size - 4, max_size=size - 4)
    y_true, y_pred = [0, 0, 1, 1, *data.draw(codes)], [0, 1, 0, 1, *data.draw(codes)]
    options = {
        "labels": data.draw(st.sampled_from([None, [1, 0]])),
        "sample_weight": data.draw(weights(size)),
    }
    ours = skmetrics_ext.class_likelihood_ratios(y_true, y_pred, **options)
    np.testing.assert_allclose(
        ours, sklearn.metrics.class_likelihood_ratios(y_true, y_pred, **options), rtol=1e-12
    )


def test_undefined_likelihood_ratios_warn_with_the_cause():
    with pytest.warns(UndefinedMetricWarning) as caught:
        skmetrics_ext.class_likelihood_ratios([0, 0, 1], [0, 0, 1])
    assert [str(warning.message) for warning in caught] == [
        "positive_likelihood_ratio is undefined (0/0), because its denominator is 0; it is set to "
        "nan. Set the value with replace_undefined_by=."
    ]
    with pytest.warns(UndefinedMetricWarning, match="there are no actual positives"):
        skmetrics_ext.class_likelihood_ratios([0, 0], [1, 0])


@pytest.mark.parametrize(
    "replaced",
    [
        2.0,
        None,
        "warn",
        "a",
        [1.0],
        {"LR+": 1.0},
        {"LR+": 0.5, "LR-": 0.5},
        {"LR+": 2.0, "LR-": 1.5},
        {"LR+": "a", "LR-": 1},
    ],
    ids=str,
)
def test_replacements_out_of_range_are_refused(replaced):
    with pytest.raises(ValueError, match=r"replace_undefined_by(\['LR.'\])? must be"):
        skmetrics_ext.class_likelihood_ratios([0, 1], [0, 1], replace_undefined_by=replaced)


@pytest.mark.parametrize(
    ("y_true", "labels", "message"),
    [
        ([0, 1, 2], None, "is for two classes, but there are 3"),
        ([0, 0, 0], None, "needs two classes"),
    ],
)
def test_likelihood_ratios_need_two_classes(y_true, labels, message):
    with pytest.raises(ValueError, match=message):
        skmetrics_ext.class_likelihood_ratios(y_true, y_true, labels=labels)


@few_of_each
@given(data=st.data())
@pytest.mark.parametrize("average", [None, "macro", "weighted", "micro"])
def test_sensitivity_specificity_support_is_imbalanced_learns(average, data):
    y_true, y_pred, _ = data.draw(labeled())
    ours = quietly(skmetrics_ext.sensitivity_specificity_support, y_true, y_pred, average=average)
    theirs = quietly(
        imblearn.metrics.sensitivity_specificity_support, y_true, y_pred, average=average
    )
    assert_same(ours, theirs)


def test_sensitivity_specificity_support_warns_as_asked():
    with pytest.warns(UndefinedMetricWarning, match="specificity is undefined") as caught:
        skmetrics_ext.sensitivity_specificity_support(
            [1, 1], [1, 0], average="binary", warn_for=("specificity",)
        )
    assert len(caught) == 1
