# pyright: strict
"""A user's file that calls every function, and says what they give, for type checkers."""

import warnings
from datetime import date
from functools import partial
from typing import Any, Literal, assert_type

import numpy as np
from numpy.typing import ArrayLike, NDArray

import skmetrics_ext as ext
from skmetrics_ext import results


def use_every_metric(y_true: list[str], y_pred: NDArray[np.str_]) -> dict[str, float]:
    """Every metric gives something that a dict of floats can hold."""
    return {
        # generated
        "precision": ext.precision_score(y_true, y_pred, average="macro"),
        "recall": ext.recall_score(y_true, y_pred, average="macro"),
        "specificity": ext.specificity_score(y_true, y_pred, average="macro"),
        "negative_predictive_value": ext.negative_predictive_value(y_true, y_pred, average="macro"),
        "false_positive_rate": ext.false_positive_rate(y_true, y_pred, average="macro"),
        "false_negative_rate": ext.false_negative_rate(y_true, y_pred, average="macro"),
        "false_discovery_rate": ext.false_discovery_rate(y_true, y_pred, average="macro"),
        "false_omission_rate": ext.false_omission_rate(y_true, y_pred, average="macro"),
        "prevalence": ext.prevalence(y_true, y_pred, average="macro"),
        "predicted_positive_rate": ext.predicted_positive_rate(y_true, y_pred, average="macro"),
        "detection_rate": ext.detection_rate(y_true, y_pred, average="macro"),
        "one_vs_rest_accuracy": ext.one_vs_rest_accuracy_score(y_true, y_pred, average="macro"),
        "one_vs_rest_error": ext.one_vs_rest_error(y_true, y_pred, average="macro"),
        "f1": ext.f1_score(y_true, y_pred, average="macro"),
        "fbeta": ext.fbeta_score(y_true, y_pred, beta=2, average="macro"),
        "jaccard": ext.jaccard_score(y_true, y_pred, average="macro"),
        "tversky": ext.tversky_score(y_true, y_pred, average="macro"),
        "overlap_coefficient": ext.overlap_coefficient(y_true, y_pred, average="macro"),
        "fowlkes_mallows_index": ext.fowlkes_mallows_index(y_true, y_pred, average="macro"),
        "p4": ext.p4_score(y_true, y_pred, average="macro"),
        "lift": ext.lift_score(y_true, y_pred, average="macro"),
        "informedness": ext.informedness_score(y_true, y_pred, average="macro"),
        "markedness": ext.markedness_score(y_true, y_pred, average="macro"),
        "g_mean": ext.g_mean_score(y_true, y_pred, average="macro"),
        "one_vs_rest_balanced_accuracy": ext.one_vs_rest_balanced_accuracy_score(
            y_true, y_pred, average="macro"
        ),
        "phi_coefficient": ext.phi_coefficient(y_true, y_pred, average="macro"),
        "index_balanced_accuracy": ext.index_balanced_accuracy(y_true, y_pred, average="macro"),
        "optimized_precision": ext.optimized_precision_score(y_true, y_pred, average="macro"),
        "positive_likelihood_ratio": ext.positive_likelihood_ratio(y_true, y_pred, average="macro"),
        "negative_likelihood_ratio": ext.negative_likelihood_ratio(y_true, y_pred, average="macro"),
        "diagnostic_odds_ratio": ext.diagnostic_odds_ratio(y_true, y_pred, average="macro"),
        "yule_q": ext.yule_q(y_true, y_pred, average="macro"),
        "relative_risk": ext.relative_risk(y_true, y_pred, average="macro"),
        "d_prime": ext.d_prime(y_true, y_pred, average="macro"),
        "prevalence_threshold": ext.prevalence_threshold(y_true, y_pred, average="macro"),
        "frequency_bias": ext.frequency_bias(y_true, y_pred, average="macro"),
        "gilbert_skill": ext.gilbert_skill_score(y_true, y_pred, average="macro"),
        "extremal_dependence_index": ext.extremal_dependence_index(y_true, y_pred, average="macro"),
        "symmetric_extremal_dependence_index": ext.symmetric_extremal_dependence_index(
            y_true, y_pred, average="macro"
        ),
        "conditional_kappa": ext.conditional_kappa_score(y_true, y_pred, average="macro"),
        "peirce_skill": ext.peirce_skill_score(y_true, y_pred),
        "gerrity": ext.gerrity_score(y_true, y_pred),
        "net_benefit": ext.net_benefit(y_true, y_pred, threshold_probability=0.3, average="macro"),
        "expected_cost": ext.expected_cost(y_true, y_pred, cost_matrix=[[0.0, 1.0], [2.0, 0.0]]),
        "macro_averaged_mean_absolute_error": ext.macro_averaged_mean_absolute_error(
            y_true, y_pred
        ),
        "accuracy": ext.accuracy_score(y_true, y_pred),
        "zero_one_loss": ext.zero_one_loss(y_true, y_pred),
        "hamming_loss": ext.hamming_loss(y_true, y_pred),
        "balanced_accuracy": ext.balanced_accuracy_score(y_true, y_pred),
        "geometric_mean": ext.geometric_mean_score(y_true, y_pred),
        "no_information_rate": ext.no_information_rate(y_true, y_pred),
        "class_balance_accuracy": ext.class_balance_accuracy(y_true, y_pred),
        "matthews_corrcoef": ext.matthews_corrcoef(y_true, y_pred),
        "cohen_kappa": ext.cohen_kappa_score(y_true, y_pred),
        "scott_pi": ext.scott_pi(y_true, y_pred),
        "krippendorff_alpha": ext.krippendorff_alpha(y_true, y_pred),
        "gwet_ac1": ext.gwet_ac1(y_true, y_pred),
        "bennett_s": ext.bennett_s(y_true, y_pred),
        "quantity_disagreement": ext.quantity_disagreement(y_true, y_pred),
        "allocation_disagreement": ext.allocation_disagreement(y_true, y_pred),
        "cramers_v": ext.cramers_v(y_true, y_pred),
        "mutual_information": ext.mutual_information(y_true, y_pred),
        "normalized_mutual_information": ext.normalized_mutual_information(y_true, y_pred),
        "uncertainty_coefficient": ext.uncertainty_coefficient(y_true, y_pred),
        "confusion_entropy": ext.confusion_entropy(y_true, y_pred),
        # end
    }


def cost_per_case(cm: ext.ConfusionMatrix, miss: float = 10) -> float:
    """A metric of the user's own."""
    found: float = miss * cm.counts[1, 0] / cm.n_samples
    return found


def use_everything_else(y_true: list[int], y_pred: list[int]) -> None:
    """Matrices, reports, scorers and the adapter."""
    matrix: NDArray[Any] = ext.confusion_matrix(y_true, y_pred, labels=[0, 1], normalize=None)
    multilabel: NDArray[Any] = ext.multilabel_confusion_matrix(y_true, y_pred)
    precision, recall, fscore, support = ext.precision_recall_fscore_support(
        y_true, y_pred, average=None
    )
    sensitivity, specificity, _ = ext.sensitivity_specificity_support(
        y_true, y_pred, average="weighted"
    )
    positive, negative = ext.class_likelihood_ratios(y_true, y_pred)
    reports = [
        ext.classification_report(y_true, y_pred),
        ext.classification_report_imbalanced(y_true, y_pred),
    ]
    reports.append(ext.classification_report(y_true, y_pred, confidence_level=0.95, random_state=0))
    found: float = ext.sensitivity_score(y_true, y_pred, pos_label=1)
    labels = ext.labels_from_scores(
        [0.2, 0.7], classes=["no", "yes"], threshold=0.5, ties="negative"
    )
    tags = ext.labels_from_scores([[0.2, 0.7]], threshold={0: 0.1, 1: 0.9}, multilabel=True)
    zip_map: list[dict[str, float]] = [{"no": 0.2, "yes": 0.8}]
    labels = ext.labels_from_scores(zip_map)
    scorers = [
        ext.get_scorer("npv_macro"),
        ext.make_scorer(ext.f1_score, threshold=0.3),
        ext.ConfusionScorer("mcc"),
    ]
    cm = ext.ConfusionMatrix.from_predictions(
        y_true, y_pred, by=["a", "b"]
    ) + ext.ConfusionMatrix.from_counts(matrix, [0, 1])
    index: dict[str, Any] = ext.evaluation_index(y_true, y_pred)
    scorers.append(
        ext.ConfusionScorer({"a": "recall_macro", "b": ext.f1_score}, per_class=True, counts=True)
    )
    of_rows: ext.ConfusionMatrix = ext.ConfusionMatrix.from_frame(
        object(), "y", scores="s", by=["sex"], missing="drop"
    )
    of_rows.to_frame("polars", count="n")
    of_bins = ext.ThresholdCurve.from_frame(object(), "y", "s", bins=128)
    bounds: tuple[float, float] = (of_bins + of_bins).roc_auc_bounds()
    print(bounds)
    folds = ext.cross_val_confusion_matrix(object(), y_true, y_pred, cv=3).with_labels([0, 1, 2])
    classifier = (
        ext.ProbabilityClassifier(object(), threshold=0.3).fit(y_true, y_pred).predict(y_true)
    )
    promising = ext.ConstrainedThresholdClassifier(
        object(), "precision", subject_to={"recall": 0.9}, confidence_level=0.9
    )
    lowest: float | None = promising.fit(y_true, y_pred, groups=y_true).best_threshold_
    assert_type(promising.constraints_, list[results.KeptConstraint])
    print(lowest, promising.constraints_[0].limit, promising.predict(y_true))
    sure = ext.AbstainingClassifier(object(), "precision_1", at_least=0.9, abstain_label=-1).fit(
        y_true, y_pred
    )
    assert sure.curve_ is not None
    ext.plot_risk_coverage({"sure": sure.curve_}, threshold=sure.best_threshold_).figure_.show()
    for_each = ext.AbstainingClassifier(
        object(), subject_to={"precision_1": 0.9, "precision_0": 0.8}, abstain_label=-1
    ).fit(y_true, y_pred)
    print(for_each.thresholds_, for_each.never_answered_)
    ext.plot_risk_coverage(for_each.curves_).figure_.show()
    print(sure.predict(y_true), sure.coverage_, sure.constraints_[0].value)
    ext.plot_confusion_matrix(folds, normalize="true", values="percent").figure_.show()
    ext.plot_confusion_matrix(
        {"folds": folds, "groups": cm}, cmap="Greens", title=""
    ).figure_.show()
    curve: ext.ThresholdCurve = ext.ThresholdCurve.from_scores(
        y_true, y_pred, pos_label=1, thresholds=100, ties="negative"
    )
    cut: float = curve.best(
        "f1", subject_to={"recall": 0.9, "predicted_positive_rate": (0, 0.1)}
    ).threshold
    curves: ext.ThresholdCurves = ext.ThresholdCurves.from_scores(
        y_true, [[0.2, 0.8]], classes=[0, 1]
    )
    ext.plot_threshold_curve(
        curve, ["f1", "mcc"], subject_to={"recall": 0.5}, confidence_level=0.95
    ).figure_.show()
    ext.plot_roc(curves).figure_.show()
    ext.plot_precision_recall({"forest": curve}, threshold={"forest": 0.5}).figure_.show()
    ext.plot_decision_curve(curve, name="forest", threshold=0.1).figure_.show()
    print(curve.net_benefit([0.1, 0.2]).max())
    ext.plot_roc(curve, name="forest", threshold=0.5, ax=ext.plot_roc(curves).ax_)
    areas = [one.roc_auc() for one in curves.values()]
    print(cut, curve.roc().fpr, curve.at(0.5).score("mcc"), curves.roc_auc("ovo"), areas)
    scorers.append(
        ext.get_scorer("precision", threshold="best", subject_to={"recall": 0.9}, pos_label=1)
    )
    worst = cm.sum("group").most_confused(3)[0].share
    print(
        tags,
        multilabel,
        precision,
        recall,
        fscore,
        support,
        sensitivity,
        specificity,
        positive,
        negative,
        reports,
    )
    own: results.Interval = cm.interval(cost_per_case, miss=5)
    interval: results.Interval = cm.interval(
        "f1", average=None, method="smoothed-bootstrap", random_state=0
    )
    print(interval.low, interval.to_frame())
    gap: results.Gap = cm.gap(
        "recall", axis="group", kind="ratio", baseline="a", min_samples=5, random_state=0
    )
    print(gap.p_value, gap.to_frame())
    models: results.Comparison = ext.compare(
        [0, 1], {"a": [0, 1], "b": [1, 1]}, ["accuracy", ext.f1_score], margin=0.1
    )
    print(models.rows[0].p_value, models.to_frame())
    of_folds: ext.ThresholdCurves = ext.cross_val_threshold_curves(
        object(), y_true, y_true, cv=3, pos_label=1
    )
    print(
        of_folds.sum("fold").roc_auc(),
        of_folds.best("f1").thresholds,
        of_folds.at_thresholds([0.5]).score("f1"),
    )
    of_groups: ext.ThresholdCurves = ext.ThresholdCurves.from_scores(
        y_true, [0.1, 0.8], pos_label=1, by=["a", "b"]
    )
    print(of_groups.sum("group").roc_auc())
    of_curves: results.Comparison = ext.compare_curves({"a": curve, "b": curve}, baseline="a")
    ext.plot_intervals(of_curves)
    ext.plot_intervals(
        {"all": cm, "some": interval}, "f1", sort=False, random_state=0
    ).figure_.show()
    alarms: results.Alarms = ext.watch(
        [cm, cm], {"recall": 0.9, "precision": (0.5, None)}, horizon=12, pos_label=1
    )
    ext.plot_intervals(alarms)
    print(alarms.alarm.any(), alarms.alarm_time, alarms.change_time, alarms.to_frame())
    comparison: results.FoldComparison = ext.compare_folds(
        {"a": [0.8, 0.9], "b": [0.7, 0.9]}, n_train=8, n_test=2, rope=0.01
    )
    print(comparison.p_value, comparison.indistinguishable)
    stacked = ext.ConfusionMatrix.stack({"2026-01": cm, "2026-02": cm}, axis="month").sel(
        month="2026-01", group=["a"]
    )
    table: results.Summary = stacked.summary(["recall", "mcc"], confidence_level=0.95)
    print(table.value, table.to_frame("polars"))
    text: results.MetricsText = ext.classification_report(y_true, y_pred)
    print(text.to_table())
    printed: results.TextTable = table.to_table(digits=3, dash=" to ")
    print(stacked.to_table())
    print(printed.transposed().to_markdown(), ext.metric_interval(y_true, y_pred, "f1").to_table())
    counts: NDArray[np.int64] = np.asarray(stacked)
    print(
        table,
        counts,
        ext.cross_val_confusion_matrix(object(), y_true, y_true, by={"sex": y_true}).n_samples,
    )
    verdicts: results.Verdicts = ext.check(
        cm, {"recall": 0.9, ext.precision_score: (0.5, None)}, pos_label=1
    )
    assert verdicts, verdicts.to_frame()
    assert ext.check(models, {"accuracy": -0.02}).low[0, 0] > -1
    print(
        cm.at_prevalence(0.01).at_prevalence({0: [0.5, 0.9]}).design.name,
        curve.at_prevalence(0.1).counts.tp,
    )
    print(
        ext.ConfusionMatrix.from_predictions(y_true, y_pred, by=["a", "b"], clusters=["a", "b"])
        .gap("f1", kind="ratio")
        .p_value
    )
    ratings: list[list[str | None]] = [["a", None], ["b", "b"]]
    print(
        ext.agreement(
            ratings, metric="gwet_ac1", weights="linear", labels=["a", "b"], by=[0, 1]
        ).low
    )
    print(ext.cohen_kappa_score(y_true, y_pred, weights={("a", "b"): 2, ("b", "a"): 1}))
    of_patients: results.Interval = ext.metric_interval(
        y_true, y_pred, "f1", clusters=["a", "b"], sample_weight=[1, 2]
    )
    print(of_patients.method)
    ext.describe("npv")
    n: int = ext.sample_size("recall", value=0.9, half_width=0.03).n
    print(n)
    print(
        own,
        index,
        classifier,
        folds,
        found,
        labels,
        scorers,
        cm.score("f1", average=None),
        worst,
        ext.get_scorer_names("worst"),
        ext.metrics_table(backend="polars"),
    )


def check_metrics(
    y_true: list[str], y_pred: NDArray[np.str_], average: Literal["macro"] | None
) -> None:
    """One number, one a class, or either where only the call tells."""
    assert_type(ext.specificity_score(y_true, y_pred), float)
    assert_type(ext.specificity_score(y_true, y_pred, average="macro", zero_division=0), float)
    assert_type(
        ext.specificity_score(y_true, y_pred, average=None, labels=["cat"]), NDArray[np.float64]
    )
    assert_type(ext.specificity_score(y_true, y_pred, average=average), float | NDArray[np.float64])
    assert_type(ext.specificity_score.__name__, str)
    assert_type(partial(ext.specificity_score, average="macro")(y_true, y_pred), float)
    assert_type(ext.fbeta_score(y_true, y_pred, beta=2, pos_label="cat"), float)
    assert_type(partial(ext.fbeta_score, beta=2)(y_true, y_pred), float)
    assert_type(ext.fbeta_score(y_true, y_pred, beta=2, average=None), NDArray[np.float64])
    assert_type(ext.sensitivity_score(y_true, y_pred, average=None), NDArray[np.float64])
    assert_type(ext.geometric_mean_score(y_true, y_pred), float)
    assert_type(ext.geometric_mean_score(y_true, y_pred, average=None), NDArray[np.float64])
    assert_type(ext.matthews_corrcoef(y_true, y_pred), float)
    assert_type(ext.class_likelihood_ratios(y_true, y_pred), tuple[float, float])
    assert_type(ext.cohen_kappa_score([date(2026, 1, 31)], [date(2026, 2, 1)]), float)
    assert_type(ext.expected_cost(y_true, y_pred, cost_matrix={("cat", "dog"): 5}), float)


def check_wrapper(
    y_true: ArrayLike, y_pred: ArrayLike, average: Literal["macro"] | None = None
) -> float | NDArray[np.float64]:
    """A function of the user's own that hands on what it takes."""
    return ext.specificity_score(y_true, y_pred, average=average)


def check_several_values(y_true: list[str], y_pred: NDArray[np.str_]) -> None:
    """The support is None of an average."""
    # Without an average it is up to the installed scikit-learn.
    precision, *_ = ext.precision_recall_fscore_support(y_true, y_pred)
    assert_type(precision, Any)
    each = ext.precision_recall_fscore_support(y_true, y_pred, average=None)
    assert_type(
        each, tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[Any]]
    )
    mean = ext.precision_recall_fscore_support(y_true, y_pred, average="macro")
    assert_type(mean, tuple[float, float, float, None])
    assert_type(ext.sensitivity_specificity_support(y_true, y_pred)[0], NDArray[np.float64])
    assert_type(
        ext.sensitivity_specificity_support(y_true, y_pred, average="macro"),
        tuple[float, float, None],
    )


def check_matrices(y_true: list[str], y_pred: NDArray[np.str_]) -> None:
    """Of numbers, and matrices with their labels."""
    assert_type(ext.confusion_matrix(y_true, y_pred, normalize="true"), NDArray[Any])
    assert_type(ext.multilabel_confusion_matrix(y_true, y_pred), NDArray[Any])
    cm = ext.ConfusionMatrix.from_predictions(y_true, y_pred, by={"sex": ["F", None]})
    assert_type(cm, ext.ConfusionMatrix)
    assert_type(cm.sum("sex"), ext.ConfusionMatrix)
    assert_type(ext.cross_val_confusion_matrix(object(), y_pred, y_true), ext.ConfusionMatrix)
    folds = ext.cross_val_interval(object(), y_pred, y_true, scoring="f1", n_repeats=2)
    assert_type(folds, results.CrossValidatedInterval)
    several = ext.cross_val_interval(object(), y_pred, y_true, scoring=["f1", ext.recall_score])
    assert_type(several, dict[str, results.CrossValidatedInterval])
    assert_type(ext.check(folds, {"f1": 0.5}), results.Verdicts)
    assert_type(ext.check(several, {"f1": 0.5}), results.Verdicts)
    learners = {"a": object(), "b": object()}
    assert_type(ext.compare_estimators(learners, y_pred, y_true, scoring="f1"), results.Comparison)
    assert_type(cm.axes, tuple[results.Axis, ...])
    assert_type(cm.class_counts, results.ClassCounts)
    assert_type(cm.most_confused(), list[results.ConfusedPair])
    assert_type(cm.interval("recall"), results.Interval)
    assert_type(cm.interval("recall").caveats, tuple[results.Caveat, ...])
    assert_type(cm.design, results.Design)
    warnings.simplefilter("ignore", ext.UnreliableIntervalWarning)
    assert_type(cm.gap("recall", baseline="F"), results.Gap)
    assert_type(cm.gap("recall", baseline="F"), results.Gap)
    assert_type(cm.gap("recall", axis=["sex", "age"], baseline=("F", 60)), results.Gap)
    assert_type(cm.pairwise_gaps("recall", against=("F", 60)), results.Comparison)
    assert_type(cm.at_prevalence(0.01), ext.ConfusionMatrix)
    assert_type(cm.relabel({0: "well"}), ext.ConfusionMatrix)
    assert_type(cm.normalize("true"), NDArray[np.float64])
    assert_type(cm.interval("recall").to_frame(), Any)


def check_reports(y_true: list[str], y_pred: NDArray[np.str_], as_dict: bool) -> None:
    """As output_dict= says."""
    assert_type(ext.classification_report(y_true, y_pred), results.MetricsText)
    assert_type(ext.classification_report(y_true, y_pred, output_dict=True), dict[str, Any])
    assert_type(
        ext.classification_report(y_true, y_pred, output_dict=True, digits=3), dict[str, Any]
    )
    assert_type(ext.classification_report(y_true, y_pred).to_frame(), Any)
    assert_type(
        ext.classification_report(y_true, y_pred, output_dict=as_dict),
        results.MetricsText | dict[str, Any],
    )
    assert_type(
        ext.classification_report(ext.ConfusionMatrix.from_predictions(y_true, y_pred)),
        results.MetricsText,
    )
    assert_type(ext.classification_report_imbalanced(y_true, y_pred), str)
    assert_type(
        ext.classification_report_imbalanced(y_true, y_pred, output_dict=True), dict[str, Any]
    )
    assert_type(
        ext.classification_report_imbalanced(y_true, y_pred, output_dict=as_dict),
        str | dict[str, Any],
    )
    assert_type(ext.evaluation_index(y_true, y_pred), dict[str, Any])
    assert_type(
        ext.evaluation_index(ext.ConfusionMatrix.from_predictions(y_true, y_pred)), dict[str, Any]
    )


def check_scorers(X: NDArray[np.float64], y: list[str], weights: list[float]) -> None:
    """One number a call, or a dict."""
    scorer = ext.get_scorer("specificity", threshold=0.3)
    assert_type(scorer(object(), X, y, sample_weight=weights), float)
    assert_type(scorer.__name__, str)
    assert_type(ext.get_scorer("evaluation_index")(object(), X, y), dict[str, float])
    of_groups = ext.get_scorer("recall", over_groups="worst").set_score_request(by=True)
    print(of_groups, ext.get_scorer("neg_expected_cost").set_score_request(cost_matrix=True))
    assert_type(ext.get_scorer("recall", by="sex")(object(), X, y), float)
    assert_type(ext.get_scorer(ext.f1_score)(object(), X, y), float)
    assert_type(
        ext.make_scorer(ext.f1_score, threshold={"no": 0.3, "yes": 0.7})(object(), X, y), float
    )
    worst = ext.make_scorer(ext.f1_score, by={"sex": ["F", "M"]}, over_groups="worst")
    assert_type(worst(object(), X, y), float)
    best = ext.get_scorer("precision", threshold="best", subject_to={"recall": 0.9})
    assert_type(best(object(), X, y), float)
    several = ext.ConfusionScorer(["mcc", "recall"], classes=["no", "yes"])
    assert_type(ext.get_scorer(several), ext.ConfusionScorer)
    assert_type(several.scorers(), dict[str, ext.ConfusionScorer])
    assert_type(ext.FixedMetric("recall", pos_label=2)(y, y), float)
    assert_type(ext.get_scorer_names(), list[str])
    stopping: ext.EvalMetric = ext.make_eval_metric(
        "f1", threshold={"no": 0.3, "yes": 0.7}, classes=["no", "yes"]
    )
    assert_type(stopping([0, 1], X[:, 0], sample_weight=weights), float)
    assert_type(stopping.xgboost([0, 1], X[:, 0]), float)
    assert_type(stopping.lightgbm([0, 1], X[:, 0], None), tuple[str, float, bool])


def check_curves(y_true: list[int], scores: NDArray[np.float64]) -> None:
    """Curves, their best thresholds and areas."""
    curve = ext.ThresholdCurve.from_scores(y_true, scores)
    assert_type(curve.interval("recall", subject_to={"specificity": 0.5}), results.Interval)
    assert_type(curve, ext.ThresholdCurve)
    assert_type(curve.best("f1"), results.BestThreshold)
    assert_type(curve.best("f1").threshold, float)
    assert_type(curve.best("f1").value, float)
    assert_type(curve.roc(), results.RocCurve)
    assert_type(curve.precision_recall(), results.PrecisionRecallCurve)
    assert_type(curve.roc_auc(), float)
    assert_type(curve.score("f1"), NDArray[np.float64])
    assert_type(curve.at(0.5), ext.ConfusionMatrix)
    curves = ext.ThresholdCurves.from_scores(y_true, [[0.2, 0.8]])
    assert_type(curves, ext.ThresholdCurves)
    assert_type(curves[1], ext.ThresholdCurve)
    assert_type(curves.roc_auc(None), NDArray[np.float64])
    assert_type(curves.best("f1"), results.BestThresholds)
    assert_type(curves.best("f1").value, NDArray[np.float64])
    assert_type(ext.ThresholdCurve.from_frame(object(), "y", "s"), ext.ThresholdCurve)
    assert_type(ext.ThresholdCurves.from_frame(object(), "y", "s", by="sex"), ext.ThresholdCurves)
    assert_type(ext.labels_from_scores(scores, threshold=0.3), NDArray[Any])


def check_pictures(cm: ext.ConfusionMatrix, curve: ext.ThresholdCurve) -> None:
    """What is drawn, each of its own type."""
    assert_type(ext.plot_confusion_matrix(cm), results.ConfusionMatrixPlot)
    assert_type(ext.plot_intervals(cm, "f1"), results.IntervalsPlot)
    assert_type(ext.plot_roc(curve), results.RocPlot)
    assert_type(ext.plot_precision_recall(curve), results.PrecisionRecallPlot)
    assert_type(ext.plot_risk_coverage(curve), results.RiskCoveragePlot)
    assert_type(ext.plot_decision_curve(curve), results.DecisionCurvePlot)
    assert_type(ext.plot_threshold_curve(curve), results.ThresholdCurvePlot)


def check_comparisons(y_true: list[int], y_pred: list[int], seed: np.random.Generator) -> None:
    """Rows of plain numbers."""
    models = ext.compare(y_true, {"a": y_pred, "b": y_true}, "accuracy", random_state=seed)
    assert_type(models, results.Comparison)
    days = [date(2026, 1, 31), date(2026, 2, 1)]
    said: dict[str, list[date]] = {"a": days, "b": days[::-1]}
    assert_type(ext.compare(days, said, "accuracy"), results.Comparison)
    assert_type(models.rows[0], results.ComparisonRow)
    assert_type(models.rows[0].p_value, float)
    by_day = ext.compare(days, said, "accuracy", by={"day": days}, kind="ratio")
    assert_type(by_day.across_groups, results.AcrossGroups | None)
    folds = ext.compare_folds({"a": [0.8], "b": [0.7]}, n_train=8, n_test=2, rope=0.01)
    assert_type(folds.simplest, str | None)
    assert_type(folds.indistinguishable, tuple[str, ...])
    assert_type(ext.metric_interval(y_true, y_pred, "f1", clusters=["a", "b"]), results.Interval)
    assert_type(
        ext.sample_size("accuracy", value=(0.9, 0.8), disagreement=0.2, power=0.8),
        results.SampleSize,
    )
