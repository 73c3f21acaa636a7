"""Each row of the tables of differences in docs/differences.md is what both libraries do."""

import inspect
import re
import warnings
from pathlib import Path

import imblearn.metrics
import numpy as np
import pandas as pd
import pytest
import sklearn
import sklearn.metrics
from sklearn.covariance import EllipticEnvelope
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.model_selection import (
    FixedThresholdClassifier,
    TunedThresholdClassifierCV,
    cross_val_score,
)

import skmetrics_ext
from tests.docs.test_project_files import section
from tests.doubles import AnsweringClassifier, ReadsScores

PAGE = Path(__file__).parents[2] / "docs" / "differences.md"
# The page is about 1.9; older versions differ in some rows.
IS_1_9 = tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 9)
CASES = {}


def case(start):
    """Register a function as the test of the row whose first cell starts with this."""

    def enter(function):
        CASES[start] = function
        return function

    return enter


def silent(function, *arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*arguments, **options)


def refuses(match, function, *arguments, **options):
    with pytest.raises(ValueError, match=match):
        function(*arguments, **options)


def warned(function, *arguments, **options):
    """The value, and the classes of the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = function(*arguments, **options)
    return value, {warning.category for warning in caught}


def of_both(name):
    return getattr(sklearn.metrics, name), getattr(skmetrics_ext, name)


@case("`labels=` names a label twice")
def labels_twice():
    theirs, ours = of_both("precision_score")
    options = {"labels": [0, 1, 1], "average": "macro"}
    assert theirs([0, 1, 2], [0, 1, 1], **options) == pytest.approx((1 + 1 / 2 + 1 / 2) / 3)
    refuses("duplicates", ours, [0, 1, 2], [0, 1, 1], **options)


@case("Sample weights are negative.")
def negative_weights():
    theirs, ours = of_both("cohen_kappa_score")
    assert theirs([0, 1, 1], [0, 1, 0], sample_weight=[-1, 1, 1]) == 2
    refuses("negative", ours, [0, 1, 1], [0, 1, 0], sample_weight=[-1, 1, 1])


@case("Sample weights add up to infinity")
def huge_weights():
    for name, weights, expected in [
        ("recall_score", [1e308] * 3, 0),
        ("matthews_corrcoef", [1.7e308, 1, 1], np.nan),
    ]:
        theirs, ours = of_both(name)
        value, warnings_ = warned(theirs, [0, 1, 1], [0, 1, 0], sample_weight=weights)
        np.testing.assert_equal(float(value), expected)
        assert RuntimeWarning in warnings_
        refuses("adds up to", ours, [0, 1, 1], [0, 1, 0], sample_weight=weights)


@case("A list mixes strings and numbers.")
def mixed_list():
    theirs, ours = of_both("accuracy_score")
    assert theirs(["a", 1], ["a", "1"]) == 1
    refuses("mix of numbers and strings", ours, ["a", 1], ["a", "1"])


@case("Scores are integers of 2**53 or more.")
def large_integer_scores():
    y_true, scores = [0, 1, 0, 1], np.array([2**53, 2**53 + 1, 3, 2**60])
    assert sklearn.metrics.roc_auc_score(y_true, scores) == 1
    assert sklearn.metrics.roc_auc_score(y_true, scores.astype(float)) == 0.875
    refuses(
        "which float64 may not tell apart", skmetrics_ext.ThresholdCurve.from_scores, y_true, scores
    )


@case("Two Series have the same index in different orders.")
def series_in_two_orders():
    theirs, ours = of_both("accuracy_score")
    actual, predicted = pd.Series([0, 1, 1], index=[0, 1, 2]), pd.Series([1, 1, 0], index=[2, 1, 0])
    assert theirs(actual, predicted) == pytest.approx(1 / 3)
    refuses("same index in different orders", ours, actual, predicted)


@case("`cohen_kappa_score(weights=")
def weighted_kappa_of_strings():
    theirs, ours = of_both("cohen_kappa_score")
    raters, order = (
        (["bad", "ok", "good", "ok"], ["ok", "ok", "good", "bad"]),
        ["bad", "ok", "good"],
    )
    for weights, by_alphabet, value in (("linear", -1 / 7, 1 / 3), ("quadratic", -5 / 11, 1 / 2)):
        options = {"weights": weights}
        assert theirs(*raters, **options) == pytest.approx(by_alphabet)
        refuses("pass labels=", ours, *raters, **options)
        declared = (pd.Categorical(rater, categories=order, ordered=True) for rater in raters)
        assert (
            ours(*declared, **options)
            == ours(*raters, labels=order, **options)
            == pytest.approx(value)
        )
        assert theirs(*raters, labels=order, **options) == pytest.approx(value)


@case("`pos_label` has a different type")
def positive_label_of_another_type():
    theirs, ours = of_both("recall_score")
    for labels, pos_label, expected in [(["a", "a"], 1, 0), ([1, 1], "1", 1)]:
        assert silent(theirs, labels, labels, pos_label=pos_label) == expected
        refuses(
            r"is not among the labels in the data, \[", ours, labels, labels, pos_label=pos_label
        )


@case("`classification_report(output_dict=True)`")
def rows_of_one_name():
    theirs, ours = of_both("classification_report")
    labels = ["accuracy", "b", "b"], ["accuracy", "b", "accuracy"]
    assert theirs(*labels, output_dict=True)["accuracy"] == pytest.approx(2 / 3)
    refuses("two rows of the report are named 'accuracy'", ours, *labels, output_dict=True)


@case("The actual labels beside an outlier detector are not -1 and 1.")
def labels_of_a_detector():
    features = np.array([[-0.1], [0.0], [0.1], [0.2], [3.0]])
    is_outlier, detector = np.array([0, 0, 0, 0, 1]), EllipticEnvelope(support_fraction=1)
    detector.fit(features)
    for library in (sklearn.metrics, skmetrics_ext):
        scorer = library.get_scorer("roc_auc")
        assert scorer(detector, features, is_outlier) == 0
        assert scorer(detector, features, 1 - is_outlier) == 1
        recalls = library.get_scorer("recall_macro")
        assert silent(recalls, detector, features, is_outlier) == 0
    curve = skmetrics_ext.ThresholdCurve.from_estimator
    refuses("detects outliers", curve, detector, features, is_outlier)
    assert curve(detector, features, np.where(is_outlier, -1, 1)).roc_auc() == 1


@case("A scorer has an unknown option or lacks a parameter.")
def mistakes_of_scorers():
    features, y = np.zeros((6, 1)), np.array([0, 1] * 3)
    for function, options, error in [
        ("recall_score", {"average": "no"}, ValueError),
        ("fbeta_score", {}, TypeError),
    ]:
        scorer = sklearn.metrics.make_scorer(getattr(sklearn.metrics, function), **options)
        assert np.isnan(
            silent(cross_val_score, DummyClassifier(), features, y, scoring=scorer, cv=2)
        ).all()
        with pytest.raises(
            error, match="average must be" if options else "needs the parameter 'beta'"
        ):
            skmetrics_ext.make_scorer(getattr(skmetrics_ext, function), **options)


@case("`labels=` beside one positive class")
def labels_beside_one_class():
    theirs, ours = of_both("recall_score")
    y, said, options = [0, 1, 1, 1], [0, 1, 1, 0], {"labels": [0], "pos_label": 1}
    assert theirs(y, said, **options) == ours(y, said, **options) == 2 / 3
    refuses("labels= selects", skmetrics_ext.metric_interval, y, said, "recall", **options)
    refuses("labels= selects", skmetrics_ext.ConfusionScorer, "recall", **options)


@case("`pos_label=` of more than two classes")
def one_class_of_several():
    theirs, ours = of_both("recall_score")
    y, said = [0, 1, 1, 1, 2], [0, 1, 1, 0, 1]
    refuses("multiclass", theirs, y, said, pos_label=1)
    refuses("positive class of two", ours, y, said, pos_label=1)
    cm = skmetrics_ext.ConfusionMatrix.from_predictions(y, said)
    assert cm.score("recall", pos_label=1) == theirs(y, said, average=None)[1] == 2 / 3


@case("Labels are bytes.")
def bytes_labels():
    theirs, ours = of_both("accuracy_score")
    if IS_1_9:
        with pytest.raises(TypeError, match="bytes"):
            theirs([b"a", b"b"], [b"a", b"a"])
    assert ours([b"a", b"b"], [b"a", b"a"]) == 0.5


@case("Labels are integers in an object array.")
def integers_in_objects():
    theirs, ours = of_both("accuracy_score")
    labels = np.array([1, 2], dtype=object), np.array([1, 1], dtype=object)
    refuses("unknown", theirs, *labels)
    assert ours(*labels) == 0.5


@case("`jaccard_score(zero_division=nan)`")
def jaccard_and_nan():
    theirs, ours = of_both("jaccard_score")
    options = {"labels": [0, 1, 2], "average": "macro", "zero_division": np.nan}
    refuses("zero_division", theirs, [0, 0, 1], [0, 1, 1], **options)
    assert ours([0, 0, 1], [0, 1, 1], **options) == 0.5


@case("`replace_undefined_by`")
def undefined_replaced():
    for name in ("cohen_kappa_score", "class_likelihood_ratios"):
        theirs, ours = of_both(name)
        labels = ([1, 1], [1, 1]) if name == "cohen_kappa_score" else ([0, 0, 1], [0, 0, 1])
        values = silent(ours, *labels, replace_undefined_by=1.0)
        assert np.ravel(values).tolist() == ([1] if name == "cohen_kappa_score" else [1, 0])
        if IS_1_9:
            np.testing.assert_array_equal(values, silent(theirs, *labels, replace_undefined_by=1.0))


@case("The training part of a fold lacks `pos_label`")
def training_without_the_class():
    features, y = np.zeros((6, 1)), np.array(["no"] * 5 + ["yes"])
    options = {"cv": [([0, 1, 2], [3, 4, 5])]}
    for scoring, expected in [
        (sklearn.metrics.make_scorer(sklearn.metrics.recall_score, pos_label="yes"), np.nan),
        (skmetrics_ext.get_scorer("recall", pos_label="yes"), np.nan),
        (skmetrics_ext.ConfusionScorer("recall", pos_label="yes"), 0),
    ]:
        scores = silent(cross_val_score, DummyClassifier(), features, y, scoring=scoring, **options)
        np.testing.assert_array_equal(scores, [expected])


@case("Which of two labels is positive")
def positive_class_of_two():
    theirs, ours = of_both("precision_score")
    labels = [1, 1, 2], [1, 2, 2]
    assert theirs(*labels) == ours(*labels) == 1
    for function in of_both("precision_score"):
        refuses("pos_label", function, [2, 4], [2, 4])
    sklearn.metrics.roc_curve([-1, 1], [0.1, 0.9])
    refuses("pos_label", sklearn.metrics.roc_curve, [1, 2], [0.1, 0.9])
    refuses("is the positive class", skmetrics_ext.ThresholdCurve.from_scores, [1, 2], [0.1, 0.9])
    refuses(
        "is the positive class",
        skmetrics_ext.ConfusionMatrix.from_predictions(*labels).score,
        "precision",
    )
    answers = {"predict": np.array([1, 2]), "predict_proba": np.array([[0.6, 0.4], [0.9, 0.1]])}
    model = FixedThresholdClassifier(
        AnsweringClassifier([1, 2], answers), threshold=0.3, response_method="predict_proba"
    )
    assert model.fit([[0.0], [1.0]], [1, 2]).predict([[0.0], [1.0]]).tolist() == [2, 1]


@case("`class_likelihood_ratios`")
def likelihood_ratios_of_the_second_label():
    # One of two b is found, and one of three a is taken for b.
    for function in of_both("class_likelihood_ratios"):
        values = function(["a", "b", "b", "a", "a"], ["a", "b", "a", "b", "a"])
        np.testing.assert_allclose(values, [(1 / 2) / (1 / 3), (1 / 2) / (2 / 3)])


@case("`positive_likelihood_ratio` as a scorer")
def likelihood_ratio_as_scorer():
    y = np.array([0, 0, 1, 1])
    model = AnsweringClassifier([0, 1], {"predict": y}).fit()
    theirs, ours = (
        library.get_scorer("positive_likelihood_ratio")
        for library in (sklearn.metrics, skmetrics_ext)
    )
    np.testing.assert_equal(float(silent(theirs, model, y[:, None], y)), 1.0 if IS_1_9 else np.nan)
    assert ours(model, y[:, None], y) == np.inf


@case("`confusion_matrix` of weights that overflow")
def matrix_of_large_weights():
    theirs, ours = of_both("confusion_matrix")
    labels = [0, 0, 1], [0, 0, 1]
    large, infinite = [2**62, 2**62, 1], [1e308, 1e308, 1]
    assert ours(*labels, sample_weight=large).tolist() == [[2.0**63, 0], [0, 1]]
    refuses("adds up to inf", ours, *labels, sample_weight=infinite)
    if IS_1_9:
        assert silent(theirs, *labels, sample_weight=large)[0, 0] == -(2**63)
        assert silent(theirs, *labels, sample_weight=infinite)[0, 0] == np.finfo(float).max


@case("`balanced_accuracy_score(adjusted=True)`")
def adjusted_balanced_accuracy():
    theirs, ours = of_both("balanced_accuracy_score")
    for predicted, expected in [([0, 1], -np.inf), ([0, 0], np.nan)]:
        value, classes = warned(theirs, [0, 0], predicted, adjusted=True)
        np.testing.assert_equal(float(value), expected)
        assert RuntimeWarning in classes
        value, classes = warned(ours, [0, 0], predicted, adjusted=True)
        assert np.isnan(value)
        assert UndefinedMetricWarning in classes


@case("The best threshold where no positive prediction pays")
def best_threshold_above_all_scores():
    scores, y = np.repeat([0.1, 0.4], 50), np.arange(100) % 10 * (np.arange(100) > 49) == 9
    X = np.stack([1 - scores, scores], axis=1)
    model = ReadsScores().fit(X, y)
    tuned = TunedThresholdClassifierCV(model, scoring="accuracy", cv="prefit", refit=False)
    assert tuned.fit(X, y).best_score_ == pytest.approx(0.55)
    ours = skmetrics_ext.ConstrainedThresholdClassifier(
        model, "accuracy", subject_to=None, cv="prefit"
    ).fit(X, y)
    best = skmetrics_ext.ThresholdCurve.from_scores(y, scores).best("accuracy")
    assert best[:2] == (ours.best_value_, ours.best_threshold_) == (0.95, np.inf)
    assert skmetrics_ext.get_scorer("accuracy", threshold="best")(model, X, y) == 0.95


@case("Two multilabel frames have the same columns in different orders.")
def frames_in_two_orders():
    theirs, ours = of_both("recall_score")
    actual = pd.DataFrame([[1, 0], [0, 1]], columns=["a", "b"])
    assert theirs(actual, actual[["b", "a"]], average=None).tolist() == [0, 0]
    assert ours(actual, actual[["b", "a"]], average=None).tolist() == [1, 1]


@case("An ordered categorical with a category that does not occur")
def category_that_does_not_occur():
    theirs, ours = of_both("cohen_kappa_score")
    raters = [1, 1, 3, 4, 4], [1, 3, 3, 4, 1]
    for weights in ("linear", "quadratic"):
        options = {"weights": weights}
        assert ours(*raters, **options) == pytest.approx(theirs(*raters, **options))
        declared = [pd.Categorical(rater, [1, 2, 3, 4], ordered=True) for rater in raters]
        assert theirs(*declared, **options) == pytest.approx(theirs(*raters, **options))
        on_scale = theirs(*raters, labels=[1, 2, 3, 4], **options)
        assert ours(*declared, **options) == pytest.approx(on_scale)
        assert abs(on_scale - theirs(*raters, **options)) > 0.01


@case("`classification_report` when no prediction is correct")
def support_of_no_right_prediction():
    theirs, ours = (
        function([0, 1] * 2, [1, 0] * 2) for function in of_both("classification_report")
    )
    assert re.search(r"accuracy +0\.00 +4\.0\n", theirs)
    assert re.search(r"accuracy +0\.00 +4\n", ours)


@case("A single label in")
def single_label():
    for name in ("balanced_accuracy_score", "matthews_corrcoef", "cohen_kappa_score"):
        theirs, ours = of_both(name)
        assert UserWarning in warned(theirs, [1, 1], [1, 1])[1]
        assert UserWarning not in warned(ours, [1, 1], [1, 1])[1]


@case("A metric function is passed as `scoring=`")
def function_in_place_of_a_scorer():
    theirs, ours = of_both("accuracy_score")
    data = DummyClassifier(), np.zeros((6, 1)), np.array([0, 1] * 3)
    refuses("looks like it is a metric function", cross_val_score, *data, scoring=theirs, cv=2)
    said = r'pass scoring=get_scorer\("accuracy"\)'
    with pytest.warns(UserWarning, match=f"(?s)Scoring failed.*{said}"):
        assert np.isnan(cross_val_score(*data, scoring=ours, cv=2)).all()
    with pytest.raises(TypeError, match=said):
        cross_val_score(*data, scoring=ours, cv=2, error_score="raise")


@case("`fbeta_score` with beta 0 or inf")
def extreme_beta():
    theirs, ours = of_both("fbeta_score")
    # Precision is 0/0 in the first, recall in the second.
    for labels, beta in [(([1, 0], [0, 0]), 0), (([0, 0], [1, 0]), np.inf)]:
        assert warned(theirs, *labels, beta=beta) == (0, set())
        assert warned(ours, *labels, beta=beta) == (0, {UndefinedMetricWarning})


@case('`average="weighted"` over labels none of which')
def weights_that_are_all_zero():
    options = {"labels": [1], "average": "weighted"}
    for name in ("precision_score", "jaccard_score"):
        theirs, ours = of_both(name)
        assert warned(theirs, [0, 0, 2], [0, 1, 2], **options) == (0, set())
        assert warned(ours, [0, 0, 2], [0, 1, 2], **options) == (0, {UndefinedMetricWarning})
    # All labels are undefined, of which both warn.
    theirs, ours = of_both("recall_score")
    for function in (theirs, ours):
        found = warned(function, [0, 0, 2], [0, 1, 2], **options)
        assert found == (0, {UndefinedMetricWarning})


@case("`y_true` and `y_pred` have two labels or more each, none of which")
def labels_of_which_none_is_in_both():
    labels = ["0", "1"] * 2, ["no", "yes"] * 2
    warns_unless_all_are_named(*labels)
    # Of one label alone on a side both say nothing.
    for function in of_both("accuracy_score"):
        assert warned(function, ["0"] * 2, ["no", "yes"]) == (0, set())


@case("A label of `y_true` and one of `y_pred` differ only in spelling")
def labels_that_differ_in_spelling():
    for label, other in (("yes", "Yes "), ("1", "1.0")):
        warns_unless_all_are_named(["no", label] * 2, ["no", other] * 2)


def warns_unless_all_are_named(y_true, y_pred):
    """The same values, ours with a warning unless `labels=` has all labels."""
    theirs, ours = of_both("confusion_matrix")
    assert warned(theirs, y_true, y_pred)[1] == set()
    assert warned(ours, y_true, y_pred)[1] == {UserWarning}
    for options in ({}, {"labels": sorted({*y_true, *y_pred})}):
        np.testing.assert_array_equal(
            silent(ours, y_true, y_pred, **options), theirs(y_true, y_pred, **options)
        )
    assert warned(ours, y_true, y_pred, **options)[1] == set()


@case("`y_score` holds only the two labels.")
def scores_that_are_labels():
    y_true, labels = [0, 0, 1, 1], [0, 1, 1, 1]
    area, classes = warned(sklearn.metrics.roc_auc_score, y_true, labels)
    assert (area, classes) == (0.75, set())
    curve, classes = warned(skmetrics_ext.ThresholdCurve.from_scores, y_true, labels)
    assert (curve.roc_auc(), classes) == (0.75, {UserWarning})


@case("Two Series have different indices with some entries in common")
def series_with_some_entries_in_common():
    theirs, ours = of_both("accuracy_score")
    y, predicted = pd.Series([0, 1, 1, 0, 1]), pd.Series([1, 1, 0, 0, 0])
    assert warned(theirs, y[1:], predicted.drop(3)) == (0.75, set())
    assert warned(ours, y[1:], predicted.drop(3)) == (0.75, {UserWarning})
    assert warned(ours, y[1:], predicted[:4]) == (0.75, set())


@case("`random_state=` of intervals")
def random_state_of_numbers():
    cm = skmetrics_ext.ConfusionMatrix.from_counts(
        [[30, 10, 3], [5, 30, 4], [2, 6, 20]], labels=[0, 1, 2]
    )
    for of in (cm.interval, skmetrics_ext.compare, skmetrics_ext.classification_report):
        assert inspect.signature(of).parameters["random_state"].default == 0
    one, again = (cm.interval("mcc", n_resamples=200) for _ in range(2))
    assert (one.low, one.high) == (again.low, again.high)
    for of in (sklearn.utils.resample, skmetrics_ext.ConstrainedThresholdClassifier):
        assert inspect.signature(of).parameters["random_state"].default is None


@case("Sample weights, in `specificity_score`")
def weights_of_true_negatives():
    labels, weights = ([0, 0, 1, 1], [0, 1, 0, 1]), np.full(4, 0.5)
    for name, expected in [("specificity_score", 1 / 2), ("geometric_mean_score", 1 / 2)]:
        options = {"average": "binary"} if name == "geometric_mean_score" else {}
        theirs, ours = getattr(imblearn.metrics, name), getattr(skmetrics_ext, name)
        assert ours(*labels, **options) == pytest.approx(expected)
        assert ours(*labels, sample_weight=weights, **options) == pytest.approx(expected)
        assert theirs(*labels, **options) == pytest.approx(expected)
        assert theirs(*labels, sample_weight=weights, **options) > 0.6


@case('`specificity_score` with `average="weighted"`')
def weighted_specificity_without_support():
    options = {"labels": [1], "average": "weighted"}
    assert imblearn.metrics.specificity_score([0, 0, 2], [0, 1, 2], **options) == 0
    labels = [0, 0, 2], [0, 1, 2]
    found = warned(skmetrics_ext.specificity_score, *labels, **options)
    assert found == (2 / 3, {UndefinedMetricWarning})


@case("`specificity_score` when all labels")
def specificity_of_a_class_that_is_never_positive():
    options = {"average": "binary", "pos_label": 1}
    for library, value, support in ((imblearn.metrics, 0, 0), (skmetrics_ext, 1, None)):
        assert library.specificity_score([0, 0], [0, 0], **options) == value
        assert (
            library.specificity_score(["well"], ["well"], pos_label="ill", average="binary")
            == value
        )
        assert library.specificity_score([0, 0], [0, 0], labels=[1], average=None).tolist() == [1]
        both = silent(library.sensitivity_specificity_support, [0, 0], [0, 0], **options)
        assert both == (0, value, support)
        # With one sample of the class they agree again.
        assert silent(library.specificity_score, [0, 1], [0, 0], **options) == 1


@case("`macro_averaged_mean_absolute_error`")
def mean_error_of_a_label_without_samples():
    refuses("0 sample", imblearn.metrics.macro_averaged_mean_absolute_error, [0, 0, 1], [2, 0, 1])
    assert skmetrics_ext.macro_averaged_mean_absolute_error([0, 0, 1], [2, 0, 1]) == 0.5


@case("`classification_report_imbalanced` with `zero_division=1`")
def zero_division_of_the_report():
    for library, undefined in ((imblearn.metrics, 0), (skmetrics_ext, 1)):
        report = silent(
            library.classification_report_imbalanced, [0], [0], zero_division=1, output_dict=True
        )["0"]
        assert [report[column] for column in ("pre", "rec", "f1")] == [1, 1, 1]
        assert [report[column] for column in ("spe", "geo", "iba")] == [undefined] * 3


@pytest.mark.parametrize("start", CASES)
def test_both_libraries_do_what_the_row_says(start):
    CASES[start]()


def test_every_row_has_a_case():
    text = PAGE.read_text(encoding="utf-8")
    sections = (
        section(text, f"## Where we differ from {library}")
        for library in ("scikit-learn", "imbalanced-learn")
    )
    cells = [
        cell
        for part in sections
        for cell in re.findall(r"^\| (.+?) \|", part, re.MULTILINE)
        if cell != "case"
    ]
    assert [[start for start in CASES if cell.startswith(start)] for cell in cells] == [
        [start] for start in CASES
    ]
