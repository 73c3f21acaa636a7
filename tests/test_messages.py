"""First mistakes with the package are answered with what to do instead, by its essential words."""

import copy
import pickle
import re
from functools import partial

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB

from skmetrics_ext import (
    AbstainingClassifier,
    ConfusionMatrix,
    ConfusionScorer,
    ConstrainedThresholdClassifier,
    ThresholdCurve,
    ThresholdCurves,
    agreement,
    check,
    classification_report,
    compare,
    compare_curves,
    compare_folds,
    cross_val_interval,
    describe,
    f1_score,
    get_scorer,
    labels_from_scores,
    metric_interval,
    plot_intervals,
    plot_threshold_curve,
    sample_size,
    watch,
)
from tests.doubles import Tensor

Y = np.array([0, 1, 1, 0, 1, 0])
P = np.array([0.1, 0.8, 0.3, 0.4, 0.9, 0.2])
PREDICTED = (P >= 0.5).astype(int)
X = P[:, np.newaxis]
CM = ConfusionMatrix.from_predictions(Y, PREDICTED)
FRAME = pd.DataFrame({"y": Y, "predicted": PREDICTED, "p": P})
BY_GROUP = ConfusionMatrix.from_predictions(Y, PREDICTED, by=[0, 1] * 3)
WITH_GRADIENT = Tensor(
    P, "torch.float32", RuntimeError("Can't call numpy() on Tensor that requires grad.")
)


def refused(call, *words):
    """The call raises a ValueError or a TypeError with these words, in this order."""
    with pytest.raises((ValueError, TypeError), match=".*".join(map(re.escape, words))):
        call()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("f2", ("It is 'fbeta' with beta=2",)),
        ("F0.5", ("It is 'fbeta' with beta=0.5",)),
        ("f2_score", ("It is 'fbeta' with beta=2",)),
        ("f2_macro", ("It is 'fbeta_macro' with beta=2",)),
        ("weighted_kappa", ("'cohen_kappa'", "weights='quadratic'")),
        ("quadratic_weighted_kappa", ("'cohen_kappa'", "weights='quadratic'")),
        ("qwk", ("'cohen_kappa'", "weights='quadratic'")),
        ("fleiss", ("for raters: agreement(ratings",)),
        ("fleiss_kappa", ("for raters: agreement(ratings",)),
        ("percent_agreement", ("for raters: agreement(ratings",)),
        (
            "log_loss",
            ("scikit-learn's get_scorer('neg_log_loss')", "ConfusionScorer([...]).scorers()"),
        ),
        ("brier_score", ("scikit-learn's get_scorer('neg_brier_score')",)),
        ("brier", ("of probabilities", "scikit-learn's get_scorer('neg_brier_score')")),
        ("brier_score_loss", ("scikit-learn's get_scorer('neg_brier_score')",)),
        ("logloss", ("of probabilities", "scikit-learn's get_scorer('neg_log_loss')")),
        *(
            (name, ("Calibration is of probabilities", "calibration_curve", "'neg_brier_score'"))
            for name in ("ece", "MCE", "calibration", "expected_calibration_error")
        ),
        (
            "AUC",
            (
                "ThresholdCurve.from_scores(y_true, y_score).roc_auc()",
                "compare_curves",
                "get_scorer('roc_auc')",
            ),
        ),
        ("pr_auc", ("average_precision()", "compare_curves(curves, 'average_precision')")),
        ("ap", ("average_precision()", "for cross_validate or a search")),
        ("macro_f1", ("Did you mean 'f1_macro'",)),
        ("macro f1", ("Did you mean 'f1_macro'",)),
        ("f1-macro", ("Did you mean 'f1_macro'",)),
        ("Balanced Accuracy", ("Did you mean 'balanced_accuracy'",)),
        ("f1-score", ("name of a function", "'f1'")),
        ("sens", ("Did you mean 'sensitivity'?",)),
        ("spec", ("Did you mean 'specificity'?",)),
        ("Positive predictive value", ("Did you mean 'positive_predictive_value'?",)),
    ],
)
@pytest.mark.parametrize(
    "ask",
    [CM.score, describe, get_scorer, lambda name: ConfusionScorer([name, "mcc"])],
    ids=["cm", "text", "one", "many"],
)
def test_names_that_people_try(ask, given, words):
    refused(lambda: ask(given), repr(given), *words)


def test_what_is_said_of_names_works():
    assert get_scorer("fbeta_macro", beta=2) is not None
    assert CM.score("fbeta", beta=0.5) == pytest.approx(1.25 * 1 * (2 / 3) / (0.25 * 1 + 2 / 3))
    assert CM.score("cohen_kappa", weights="quadratic") == pytest.approx(2 / 3)
    scorers = {
        "neg_log_loss": get_scorer("neg_log_loss"),
        **ConfusionScorer(["f1", "mcc"]).scorers(),
    }
    model = GaussianNB().fit(X, Y)
    assert {*scorers} == {"neg_log_loss", "f1", "mcc"}
    assert all(np.isfinite(scorer(model, X, Y)) for scorer in scorers.values())


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: get_scorer(["f1", "mcc"]), ("a ConfusionScorer of several", "['f1', 'mcc']")),
        (lambda: CM.score(["f1", "mcc"]), ("['f1', 'mcc']", "use summary")),
        (
            lambda: CM.score("npv", prevalence=0.01),
            ("no parameter 'prevalence'", "ConfusionMatrix.at_prevalence"),
        ),
        (
            lambda: get_scorer("npv", prevalence=0.01),
            ("no parameter 'prevalence'", "ConfusionMatrix.at_prevalence"),
        ),
        (
            lambda: ConfusionScorer(["npv"], prevalence=0.01),
            ("'prevalence'", "ConfusionMatrix.at_prevalence"),
        ),
        (lambda: CM.score("f1", beta=2), ("no parameter 'beta'", "'fbeta'")),
        (lambda: CM.interval("f1", alpha=0.05), ("no parameter 'alpha'", "confidence_level=")),
        (
            lambda: CM.score("f1", threshold=0.3),
            ("no parameter 'threshold'", "ConfusionMatrix.from_scores"),
        ),
        (
            lambda: CM.score("f1", sample_weight=P),
            ("'sample_weight'", "ConfusionMatrix.from_predictions"),
        ),
        (lambda: get_scorer("f1", threshold="optimal"), ("threshold", "'best'", "'optimal'")),
        *(
            (
                partial(call, **{name: Y}),
                (f"no parameter {name!r}", "belong together", "clusters=", "by="),
            )
            for name in ("groups", "group", "cluster")
            for call in (
                partial(metric_interval, Y, PREDICTED, "f1"),
                partial(compare, Y, {"a": PREDICTED, "b": Y}, "f1"),
            )
        ),
        (
            lambda: metric_interval(Y, PREDICTED, "f1", weights=P),
            ("no parameter 'weights'", "sample_weight="),
        ),
    ],
)
def test_options_that_people_try(call, words):
    refused(call, *words)


BINS = ("groups must be whole numbers or strings", "into bins first", "pd.qcut")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: metric_interval(Y, PREDICTED, "f1", by=P), ("by holds", "0.1", *BINS)),
        (
            lambda: ConfusionMatrix.from_predictions(Y, PREDICTED, by={"age": P}),
            ("by['age'] holds", *BINS),
        ),
        (lambda: ThresholdCurves.from_scores(Y, P, by=P), ("by holds", *BINS)),
        (
            lambda: ConfusionMatrix.from_partial_labels(Y, PREDICTED, strata=P),
            ("strata holds", *BINS),
        ),
        (
            lambda: ConfusionMatrix.from_frame(FRAME, "y", "predicted", by="p"),
            ("by='p' holds", *BINS),
        ),
        (
            lambda: ConfusionMatrix.from_frame(FRAME, "y", "p"),
            ("predicted holds", "0.1", "look like scores", "scores= in place of predicted"),
        ),
        (
            lambda: ConfusionMatrix.from_frame(FRAME, "p", "y"),
            ("actual holds", "bin a continuous target"),
        ),
        (
            lambda: metric_interval(Y, PREDICTED, "f1", clusters=P),
            ("clusters holds", "names each sample's cluster"),
        ),
        (lambda: agreement(np.c_[P, P]), ("ratings[0] holds", "0.1", "a rating must be one of")),
        (
            lambda: agreement(pd.DataFrame({"item": [0, 0], "rater": [0, 1], "rating": P[:2]})),
            ("rating holds", "0.1", "not for measurements"),
        ),
    ],
)
def test_continuous_values_where_groups_and_ratings_belong(call, words):
    with pytest.raises(ValueError, match=".*".join(map(re.escape, words))) as raised:
        call()
    # Where y_true belongs is no matter here.
    assert "Pass y_true" not in str(raised.value) or words[0].startswith("actual")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("recall", ("cm.score('recall')",)),
        ("f1_macro", ("cm.score('f1_macro')",)),
        ("f1_score", ("cm.score('f1')",)),
        ("MCC", ("cm.score('MCC')",)),
        ("ravel", ("cm.counts.ravel()", "tn, fp, fn, tp only if", "cm.class_counts")),
        ("shape", ("cm.counts.shape",)),
        ("tp", ("cm.class_counts.tp", "cm.labels")),
        ("plot", ("plot_confusion_matrix(cm)",)),
        ("anything", ()),
        ("__len__", ()),
    ],
)
def test_attributes_that_people_try(name, words):
    assert not hasattr(CM, name)
    begins = f"'ConfusionMatrix' object has no attribute '{name}'"
    with pytest.raises(AttributeError, match=".*".join(map(re.escape, (begins, *words)))) as raised:
        getattr(CM, name)
    assert (raised.value.name, raised.value.obj) == (name, CM)


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("recall", ("cm.score('recall')",)),
        ("f1_score", ("cm.score('f1')",)),
        ((0, 1), ("cm.counts[..., i, j]", "cm.sel(")),
        ("yes", ("cm.counts[..., i, j]", "cm.sel(")),
        (0, ("cm.counts[..., i, j]", "cm.sel(")),
    ],
)
def test_keys_that_people_try(key, words):
    refused(lambda: CM[key], "a ConfusionMatrix has no keys", *words)


def test_a_matrix_is_no_sequence():
    for call in (list, len, lambda cm: 1 in cm):
        with pytest.raises(TypeError):
            call(CM)
    assert np.asarray(CM).tolist() == CM.counts.tolist()
    assert copy.deepcopy(CM) == copy.copy(CM) == pickle.loads(pickle.dumps(CM)) == CM


def test_what_is_said_of_attributes_works():
    cm = ConfusionMatrix.from_predictions(Y, PREDICTED, labels=[0, 1])
    tn, fp, fn, tp = cm.counts.ravel()
    assert (tn, fp, fn, tp) == (3, 0, 1, 2)
    assert [part[1] for part in cm.class_counts] == [tp, fp, fn, tn]


@pytest.mark.parametrize(
    ("labels", "pos_label", "meant"),
    [([0, 1], "1", "1"), ([1.0, 2.0], "1", "1.0"), (["0", "1"], 1, "'1'"), ([5, 7], "7", "7")],
)
def test_a_positive_class_that_only_prints_as_a_label_does(labels, pos_label, meant):
    words = (f"pos_label={pos_label!r}", repr(labels), f"did you mean pos_label={meant}?")
    true, pred = np.array(labels)[[0, 1, 1]], np.array(labels)[[0, 1, 0]]
    refused(lambda: f1_score(true, pred, pos_label=pos_label), *words)
    refused(lambda: ConfusionMatrix.from_predictions(true, pred, pos_label=pos_label), *words)
    refused(lambda: ThresholdCurve.from_scores(true, P[:3], pos_label=pos_label), *words)


def test_a_set_of_metrics_in_compare():
    models = {"a": PREDICTED, "b": Y}
    for metrics in ({"f1", "recall"}, None, 3):
        words = "a list of metrics", "['f1', 'recall']", "a dict of key to metric; got"
        refused(partial(compare, Y, models, metrics), *words)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: f1_score(Y, P), ("y_pred", "0.1", "labels_from_scores")),
        (lambda: metric_interval(Y, P, "f1"), ("y_pred", "0.1", "labels_from_scores")),
        (
            lambda: compare(Y, {"a": P, "b": P}, "f1"),
            ("predictions['a']", "labels_from_scores", "compare_curves"),
        ),
        (
            lambda: compare(Y, {"a": np.column_stack([1 - P, P]), "b": Y}, "f1"),
            ("predictions['a']", "labels_from_scores", "compare_curves"),
        ),
        (lambda: ThresholdCurve.from_scores(P, Y), ("y_true", "0.1", "Pass y_true before")),
        (lambda: f1_score(Y, GaussianNB()), ("y_pred", "GaussianNB", "model.predict(X)")),
        (
            lambda: compare(Y, {"a": GaussianNB(), "b": Y}, "f1"),
            ("predictions['a']", "model.predict(X)"),
        ),
        (lambda: f1_score(CM), ("f1_score takes labels", "cm.score('f1')")),
        (lambda: f1_score(CM, CM), ("f1_score takes labels", "cm.score('f1')")),
        (lambda: f1_score(CM.counts, CM.counts), ("shape (2, 2)", "ConfusionMatrix.from_counts")),
        (
            lambda: check(CM.counts, {"f1": 0.5}),
            ("ConfusionMatrix.from_counts(counts, labels=...)", "ndarray"),
        ),
        (lambda: ConfusionMatrix(Y, PREDICTED), ("from_predictions(y_true, y_pred)",)),
        (lambda: ConfusionMatrix.from_frame(Y, PREDICTED), ("scores=", "use from_predictions")),
        (
            lambda: agreement(Y, metric=PREDICTED),
            ("metric must be one of", "np.column_stack([a, b])"),
        ),
        (
            lambda: agreement(np.column_stack([Y, PREDICTED]), metric="cohen_kappa"),
            ("'cohen_kappa'", "cohen_kappa_score(a, b)"),
        ),
        (
            lambda: ThresholdCurve.from_scores(Y, WITH_GRADIENT),
            ("y_score", "gradient", "y_score.detach()"),
        ),
        (lambda: f1_score(Y, WITH_GRADIENT), ("y_pred", "gradient", "y_pred.detach()")),
        (lambda: labels_from_scores(WITH_GRADIENT), ("gradient", "y_score.detach()")),
        (
            lambda: ConfusionMatrix.from_estimator(LinearRegression().fit(X, 3 * Y), X, Y),
            ("not probabilities", "regressor", "Pass a threshold"),
        ),
    ],
)
def test_data_that_people_try(call, words):
    refused(call, *words)


@pytest.mark.parametrize("labels", [None, ["a", "b"]])
@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ([[1, 2, 3], [4, 5, 6]], ("square", "(2, 3)")),
        ([1, 2, 3, 4], ("square", "[[tn, fp], [fn, tp]]", "(4,)")),
        ([[1, 2], [-4, 5]], ("not negative", "-4")),
        ([[1, 2], [np.nan, 5]], ("finite", "nan")),
        ([["a", "b"], ["c", "d"]], ("numbers",)),
    ],
)
def test_counts_are_looked_at_before_their_labels(counts, words, labels):
    refused(lambda: ConfusionMatrix.from_counts(counts, labels), *words)


WITH_A_LEVEL = {
    "agreement": lambda **level: agreement([[0, 1]] * 30, **level),
    "average precision": lambda **level: ThresholdCurve.from_scores(Y, P).interval(
        "average_precision", **level
    ),
    "area": lambda **level: ThresholdCurve.from_scores(Y, P).interval("roc_auc", **level),
    "check": lambda **level: check(CM, {"recall": 0.9}, **level),
    "compare": lambda **level: compare(Y, {"a": PREDICTED, "b": Y}, "recall", **level),
    "compare_curves": lambda **level: compare_curves(
        {"a": ThresholdCurve.from_scores(Y, P), "b": ThresholdCurve.from_scores(Y, 1 - P)}, **level
    ),
    "compare_folds": lambda **level: compare_folds({"a": P, "b": Y}, n_train=8, n_test=2, **level),
    "gap": lambda **level: BY_GROUP.gap("recall", **level),
    "groups": lambda **level: metric_interval(Y, PREDICTED, "recall", by=Y, **level),
    "interval": lambda **level: CM.interval("recall", **level),
    "metric_interval": lambda **level: metric_interval(Y, PREDICTED, "recall", **level),
    "operating point": lambda **level: ThresholdCurve.from_scores(Y, P).interval(
        "recall", subject_to={"specificity": 0.5}, **level
    ),
    "partial labels": lambda **level: ConfusionMatrix.from_partial_labels(
        [*PREDICTED, None], [*PREDICTED, 1]
    ).interval("recall", **level),
    "plot_intervals": lambda **level: plot_intervals(CM, "recall", **level),
    "plot_threshold_curve": lambda **level: plot_threshold_curve(
        ThresholdCurve.from_scores(Y, P), **level
    ),
    "prevalence": lambda **level: CM.at_prevalence(0.1).interval("recall", **level),
    "promise": lambda **level: ConstrainedThresholdClassifier(
        GaussianNB(), metric="precision", subject_to={"recall": 0.5}, **level
    ).fit(X, Y),
    "promise of answers": lambda **level: AbstainingClassifier(
        GaussianNB(), at_least=0.9, abstain_label=-1, **level
    ).fit(X, Y),
    "report": lambda **level: classification_report(Y, PREDICTED, **level),
    "sample_size": lambda **level: sample_size("recall", value=0.9, half_width=0.05, **level),
    "summary": lambda **level: CM.summary("recall", **level),
    "watch": lambda **level: watch([CM], {"recall": 0.9}, horizon=3, **level),
}


@pytest.mark.parametrize("level", [0.05, 0.4999, 1, 95, "95 %"])
@pytest.mark.parametrize("call", WITH_A_LEVEL.values(), ids=WITH_A_LEVEL)
def test_the_probability_of_an_error_is_no_confidence_level(call, level):
    refused(lambda: call(confidence_level=level), "confidence_level", "0.5 and below 1; got")


def of_one_row(call):
    return lambda: call(Y[np.newaxis], PREDICTED[np.newaxis])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        *(
            (call, ("pos_label must be one label; got [1].",))
            for call in (
                lambda: f1_score(Y, PREDICTED, pos_label=[1]),
                lambda: ConfusionMatrix.from_predictions(Y, PREDICTED, pos_label=[1]),
                lambda: CM.score("recall", pos_label=[1]),
                lambda: ThresholdCurve.from_scores(Y, P, pos_label=[1]),
                lambda: get_scorer("recall", pos_label=[1]),
                lambda: ConfusionScorer(["recall"], pos_label=[1]),
                lambda: check(CM, {"recall": 0.5}, pos_label=[1]),
            )
        ),
        *(
            (call, ("is a class: pass a fitted object of it, GaussianNB(...).fit(X, y)",))
            for call in (
                lambda: ConfusionMatrix.from_estimator(GaussianNB, X, Y),
                lambda: ThresholdCurve.from_estimator(GaussianNB, X, Y),
                lambda: get_scorer("recall", threshold=0.4)(GaussianNB, X, Y),
            )
        ),
        (
            lambda: cross_val_interval(GaussianNB(), X, Y, scoring=get_scorer),
            ("get_scorer is not a metric", "Pass what get_scorer(...) gives."),
        ),
        (
            lambda: cross_val_interval(GaussianNB(), X, Y, scoring=ConfusionScorer),
            ("ConfusionScorer is not a metric", "Pass what ConfusionScorer(...) gives."),
        ),
        (lambda: get_scorer(ConfusionScorer), ("a class", "Pass what ConfusionScorer(...) gives.")),
        (lambda: get_scorer(get_scorer)(GaussianNB(), X, Y), ("Pass what get_scorer(...) gives.",)),
        (
            lambda: get_scorer(lambda true, pred: (true == pred).mean()),
            ("no scorer", "make_scorer(function)"),
        ),
        (lambda: get_scorer("recall_yes"), ("For one class, pass 'recall' with pos_label='yes'.",)),
        (lambda: CM.score("f1score"), ("its metric is 'f1'.",)),
        (lambda: CM.score("F1 "), ("Did you mean 'f1'?",)),
        (lambda: float(CM.interval("recall")), ("its value is interval.value",)),
        (of_one_row(partial(f1_score, average="binary")), ("multilabel",)),
        (
            lambda: ThresholdCurve.from_scores(Y[np.newaxis], P),
            ("If its row has a label per sample, pass y_true[0].",),
        ),
        (
            lambda: ConfusionMatrix.from_predictions(Y[np.newaxis], PREDICTED),
            ("If its row has a label per sample, pass y_true[0].",),
        ),
        (of_one_row(lambda y, _: f1_score(y.astype(str), y)), ("pass y_true[0].",)),
    ],
)
def test_mistakes_that_people_make(call, words):
    refused(call, *words)


def test_an_attribute_that_a_curve_has_under_another_name():
    curve = ThresholdCurve.from_scores(Y, P)
    with pytest.raises(AttributeError, match=r"no attribute 'auc'\. Did you mean 'roc_auc'\?"):
        curve.auc  # noqa: B018


@pytest.mark.parametrize(
    ("call", "has", "lacks"),
    [
        (lambda: agreement(np.char.add("r", PAIRS), weights="linear"), "labels=", "classes="),
        (lambda: check(OF_NAMES, {"cohen_kappa": 0.5, "gerrity": 0.5}), "ordered", "labels="),
        (lambda: ThresholdCurves.from_scores(Y, P, by=["a", None] * 3), "drop", "missing_group"),
        (
            lambda: ConfusionMatrix.from_predictions(Y, PREDICTED, by=["a", None] * 3),
            "missing_group='unknown'",
            "classes=",
        ),
    ],
)
def test_advice_names_what_the_function_that_was_called_has(call, has, lacks):
    with pytest.raises(ValueError, match=re.escape(has)) as found:
        call()
    assert lacks not in str(found.value)


PAIRS = np.column_stack([Y, PREDICTED]).astype(str)
OF_NAMES = ConfusionMatrix.from_predictions(list("abcabc"), list("abcacc"))
