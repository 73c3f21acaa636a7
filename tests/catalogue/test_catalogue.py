"""The table of metrics and the one score by name."""

import numpy as np
import pytest
import sklearn.metrics

import skmetrics_ext
from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.catalogue.names import did_you_mean, resolve, resolve_scorer
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.counting.counted import CountedLabels, CountedMatrix
from skmetrics_ext.counting.counts import ClassCounts, margins_of
from skmetrics_ext.metrics.from_labels import function_of
from tests.shared import for_each, parameters_of

MATRIX = np.array([[5, 2, 1], [0, 7, 3], [2, 2, 9]])
ORDER = np.array(["ash", "beech", "cedar"])


def value(matrix, metric, *, order=ORDER, positive=None, **options):
    """A metric of a matrix, whose owner carries a positive class."""
    return score(CountedMatrix(matrix, order[: len(matrix)], positive), choose(metric, **options))


def test_every_name_and_alias_belongs_to_one_metric():
    names = [name for row in METRICS for name in (row.name, *row.aliases)]
    assert len(names) == len(set(names))


def test_every_function_of_the_package_that_is_a_metric_has_a_row():
    others = {
        "ConfusionMatrix",
        "ConfusionScorer",
        "ProbabilityClassifier",
        "ThresholdCurve",
        "ThresholdCurves",
    }
    others |= {"get_scorer", "get_scorer_names", "make_scorer", "labels_from_scores"}
    others |= {
        "compare_estimators",
        "cross_val_confusion_matrix",
        "cross_val_interval",
        "CrossValidatedInterval",
        "evaluation_index",
        "ThresholdCurve.from_scores",
        "ThresholdCurves.from_scores",
    }
    others |= {"classification_report", "classification_report_imbalanced", "plot_confusion_matrix"}
    others |= {"plot_intervals", "plot_precision_recall", "plot_decision_curve"}
    others |= {"AbstainingClassifier", "plot_risk_coverage", "EvalMetric", "make_eval_metric"}
    others |= {"ConstrainedThresholdClassifier", "FixedMetric"}
    others |= {
        "plot_roc",
        "plot_threshold_curve",
        "MetricsText",
        "TextTable",
        "Summary",
        "Interval",
        "FoldComparison",
        "compare_folds",
        "sample_size",
        "SampleSize",
    }
    others |= {"Comparison", "compare", "compare_curves", "cross_val_threshold_curves"}
    others |= {
        "agreement",
        "metric_interval",
        "Gap",
        "describe",
        "metrics_table",
        "watch",
        "Alarms",
        "check",
        "Verdicts",
    }
    others |= {
        "Axis",
        "BestThreshold",
        "BestThresholds",
        "ClassCounts",
        "ComparisonRow",
        "ConfusedPair",
    }
    others |= {"Caveat", "Design", "UnreliableIntervalWarning"}
    others |= {"KeptConstraint", "PrecisionRecallCurve", "RocCurve", "SampleSize"}
    others |= {
        "confusion_matrix",
        "multilabel_confusion_matrix",
        "class_likelihood_ratios",
        "sensitivity_score",
    }
    others |= {"precision_recall_fscore_support", "sensitivity_specificity_support"}
    assert {row.function for row in METRICS} == set(skmetrics_ext.__all__) - others


@pytest.mark.parametrize(
    ("metric", "name", "average"),
    [
        ("recall", "recall", None),
        ("tpr", "recall", None),
        ("recall_macro", "recall", "macro"),
        ("tpr_weighted", "recall", "weighted"),
        ("accuracy", "accuracy", None),
        (skmetrics_ext.f1_score, "f1", None),
    ],
)
def test_names_aliases_and_functions_resolve(metric, name, average):
    row, found = resolve(metric)
    assert (row.name, found) == (name, average)


@pytest.mark.parametrize(
    ("metric", "hint"),
    [
        ("recal", "'recall'"),
        ("specifity", "'specificity'"),
        ("neg_false_positive_rate", "'false_positive_rate'"),
        ("accuracy_macro", "'accuracy'"),
        ("f1_score", "It is the name of a function; its metric is 'f1'."),
        (len, "pass a name such as 'recall'"),
        ([], "pass a name such as 'recall'"),
    ],
)
def test_an_unknown_metric_suggests_the_nearest(metric, hint):
    with pytest.raises(ValueError, match="is not a metric in this package") as error:
        resolve(metric)
    assert hint in str(error.value)


def test_any_form_of_counts_gives_the_same_value():
    expected = 7 / 11
    for counted in (CountedMatrix(MATRIX, ORDER), CountedLabels(margins_of(MATRIX), ORDER)):
        assert score(counted, choose("precision", average=None))[1] == expected


def test_a_metric_of_all_classes_refuses_multilabel_counts():
    with pytest.raises(
        ValueError, match="kappa needs one label per sample, but these data are multilabel"
    ):
        score(CountedLabels(margins_of(MATRIX), ORDER), choose("kappa"))


def test_kappa_with_weights_takes_the_matrix():
    y_true, y_pred = (
        np.repeat(codes, MATRIX.ravel()) for codes in (np.arange(9) // 3, np.arange(9) % 3)
    )
    expected = sklearn.metrics.cohen_kappa_score(y_true, y_pred, weights="quadratic")
    assert value(MATRIX, "kappa", order=np.arange(3), weights="quadratic") == pytest.approx(
        expected, rel=1e-14
    )


@pytest.mark.parametrize(
    ("metric", "options", "error", "message"),
    [
        ("fbeta", {}, TypeError, "needs the parameter 'beta'"),
        ("fbeta", {"beta": -1}, ValueError, "beta must be a number >= 0"),
        ("recall", {"beta": 1}, TypeError, "has no parameter 'beta', .*: it takes none"),
        (
            "kappa",
            {"weights": "cubic"},
            ValueError,
            "weights must be None, 'linear', 'quadratic' or",
        ),
        ("recall", {"average": "mean"}, ValueError, "average"),
        ("recall_macro", {"average": "micro"}, ValueError, "already has an average"),
        ("recall", {"average": "binary"}, ValueError, "recall is of the positive class of two"),
        ("recall", {"labels": ["oak"]}, ValueError, "labels= selects the classes of an average"),
        ("recall_macro", {"labels": ["oak"]}, ValueError, "are not among the labels"),
        ("accuracy", {"labels": ["ash"]}, ValueError, "labels= does not apply"),
        ("recall", {"zero_division": 2}, ValueError, "zero_division must be 'warn', 0, 1 or nan"),
    ],
)
def test_options_that_do_not_fit_are_refused(metric, options, error, message):
    with pytest.raises(error, match=message):
        value(MATRIX, metric, **options)


def test_a_bare_name_is_of_the_positive_class():
    two = MATRIX[:2, :2]
    assert value(two, "recall", pos_label="beech") == 7 / 7
    assert value(two, "recall", positive="beech") == 7 / 7
    assert value(two, "recall", pos_label="ash", positive="beech") == 5 / 7
    assert value(two, "recall", order=np.array([0, 1])) == 7 / 7
    with pytest.raises(ValueError, match=r"\['ash', 'beech'\].*positive class"):
        value(two, "recall")
    assert value(two, "recall", pos_label="ash") == 5 / 7
    assert value(MATRIX, "recall", pos_label="beech") == 7 / 10


@pytest.mark.parametrize(
    ("labels", "options"),
    [([0, 0], {}), ([0, 0], {"pos_label": 2}), (["no", "no"], {"pos_label": "yes"})],
    ids=str,
)
def test_a_single_label_is_scored_as_by_the_function(labels, options):
    matrix = skmetrics_ext.ConfusionMatrix.from_predictions(labels, labels)
    for name, expected in (("recall", 0), ("specificity", 1), ("npv", 1)):
        assert matrix.score(name, zero_division=0, **options) == expected
        assert function_of(resolve(name)[0])(labels, labels, zero_division=0, **options) == expected


def test_a_single_label_that_is_no_number_needs_a_positive_class_of_its_kind():
    labels = ["no", "no"]
    with pytest.raises(ValueError, match=r"\['no'\].*positive class"):
        skmetrics_ext.ConfusionMatrix.from_predictions(labels, labels).score("recall")
    # The functions have scikit-learn's default, 1.
    with pytest.raises(ValueError, match=r"pos_label=1.*not among.*\['no'\]"):
        skmetrics_ext.recall_score(labels, labels)


def test_hints_name_each_candidate_once():
    assert did_you_mean("neg_recall", ["recall"]).count("recall") == 1
    assert did_you_mean("zzzz", ["recall"]) == ""


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("neg_fpr_macro", "pass 'fpr_macro'"),
        ("neg_recall", "Did you mean 'recall'"),
        ("neg_mcc_macro", "package."),
        ("roc_auc", "ThresholdCurve.from_scores(y_true, y_score).roc_auc()"),
        ("neg_log_loss", "It is a scikit-learn scorer"),
    ],
)
def test_hints_lead_to_names_that_exist(name, hint):
    with pytest.raises(ValueError, match="is not a metric in this package") as error:
        resolve(name)
    assert hint in str(error.value)


def test_names_of_scorers_that_scikit_learn_alone_has_keep_their_hint():
    with pytest.raises(
        ValueError, match=r"'neg_log_loss' is not a metric.*use get_scorer\('neg_log_loss'\)"
    ):
        resolve_scorer("neg_log_loss")


PER_CLASS = [row for row in METRICS if row.has_average]


@for_each("row", [row for row in PER_CLASS if row.is_of_samples])
def test_shares_count_each_sample_once(row):
    hits, n = row.formula(ClassCounts(*np.eye(4)))
    assert set(hits) | set(n) <= {0, 1}
    assert (hits <= n).all()
    counts = np.array([7, 5, 3, 11])
    np.testing.assert_array_equal(row.formula(ClassCounts(*counts)), (hits @ counts, n @ counts))


OVERLAPS = ("f1", "jaccard", "fbeta", "tversky")


@for_each("row", [row for row in PER_CLASS if row.name in OVERLAPS])
def test_overlaps_depend_on_the_jaccard_index_alone(row):
    parameters = parameters_of(row, 2, beta=1)
    first, second = (
        np.divide(*row.formula(ClassCounts(*map(np.array, counts)), **parameters))
        for counts in ((8, 3, 5, 20), (16, 16, 0, 0))
    )
    assert first == pytest.approx(second)
