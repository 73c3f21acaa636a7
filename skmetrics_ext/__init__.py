"""Classification metrics from confusion matrices, as functions and as scorers for scikit-learn.

The types that calls return are in skmetrics_ext.results.

What there is, by task:

Find a metric
- `metrics_table`: all metrics as a data frame.
- `describe`: one metric in words: its formula, its use and its pitfall.

A metric
- One function each, such as `recall_score`, `f1_score` or `negative_predictive_value`.
- `sensitivity_score`: recall by its medical name.
- `class_likelihood_ratios`: positive and negative likelihood ratios for two classes.
- `precision_recall_fscore_support`, `sensitivity_specificity_support`: several at once.

A scorer: what `scoring=` of scikit-learn takes
- `get_scorer`: by name, at a threshold or by costs.
- `get_scorer_names`: all names.
- `make_scorer`: from a metric function or a custom one.
- `FixedMetric`: a metric with its options fixed, for scikit-learn's own scorers.
- `make_eval_metric`, `EvalMetric`: for XGBoost, LightGBM and CatBoost in training.

Many metrics
- `ConfusionScorer`: a scorer that predicts and counts once.
- `classification_report`, `classification_report_imbalanced`: a table by class.
- `evaluation_index`: a dict of all counts and rates by class.

From probabilities to labels
- `labels_from_scores`: by one threshold, one per class, or costs.
- `ProbabilityClassifier`: for a model whose predict returns probabilities.

Thresholds
- `ThresholdCurve`: the counts at every threshold, from one sort.
- `ThresholdCurves`: one curve per class, label, group or fold.
- `cross_val_threshold_curves`: one curve per fold.
- `ConstrainedThresholdClassifier`: the best threshold or weights within bounds.
- `AbstainingClassifier`: answers only where enough of its answers are right.

Matrices and groups
- `ConfusionMatrix`: counted once, also by group; gives every metric.
- `ConfusionMatrix.from_partial_labels`: expected counts where only some labels are known.
- `ConfusionMatrix.at_prevalence`: where classes are less frequent, or more.
- `cross_val_confusion_matrix`: one matrix per fold.
- `confusion_matrix`, `multilabel_confusion_matrix`: arrays, as in scikit-learn.

Confidence intervals
- `metric_interval`: also for weighted and clustered samples, and by group.
- `UnreliableIntervalWarning`: why limits may not hold their level.
- `cross_val_interval`: cross-validated, for the model fitted to all samples.
- `sample_size`: samples for a width, a bound or two models, and their power.

Pass, fail or cannot tell
- `check`: whether claims such as recall >= 0.9 are shown to hold, for each group.

Compare
- `compare`, `compare_curves`: models on the same samples, by metrics or by areas.
- `compare_estimators`: learners on the same folds, by the models fitted to all samples.
- `compare_folds`: scores on the same folds.

Agreement of raters
- `agreement`: of two raters or more, also where ratings are missing.

Watch a model in use
- `watch`: whether bounds on metrics are still met, month after month.

Large tables, counted in place (polars, DuckDB, Dask, Spark)
- `ConfusionMatrix.from_frame`, `ThresholdCurve.from_frame`: in one pass.
- `ThresholdCurves.from_frame`: the same by group.

Plots
- `plot_confusion_matrix`: one matrix, or one panel per group or model.
- `plot_threshold_curve`, `plot_decision_curve`: metrics or net benefit by threshold.
- `plot_roc`, `plot_precision_recall`: curves of models, classes or folds.
- `plot_risk_coverage`: wrong answers by the share of samples answered.
- `plot_intervals`: values with their confidence intervals.
"""

from skmetrics_ext import results as results
from skmetrics_ext.adapter.rule import labels_from_scores
from skmetrics_ext.analyses.agreement import agreement
from skmetrics_ext.analyses.check import check
from skmetrics_ext.analyses.compare import compare
from skmetrics_ext.analyses.compare_curves import compare_curves
from skmetrics_ext.analyses.compare_folds import compare_folds
from skmetrics_ext.analyses.metric_interval import metric_interval
from skmetrics_ext.analyses.sample_size import sample_size
from skmetrics_ext.analyses.watch import watch
from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.curves.curves import ThresholdCurves
from skmetrics_ext.estimators.abstaining_classifier import AbstainingClassifier
from skmetrics_ext.estimators.constrained_threshold_classifier import ConstrainedThresholdClassifier
from skmetrics_ext.estimators.probability_classifier import ProbabilityClassifier
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.metrics.accuracy import (
    accuracy_score,
    balanced_accuracy_score,
    class_balance_accuracy,
    expected_cost,
    geometric_mean_score,
    hamming_loss,
    macro_averaged_mean_absolute_error,
    net_benefit,
    no_information_rate,
    zero_one_loss,
)
from skmetrics_ext.metrics.agreement import (
    allocation_disagreement,
    bennett_s,
    cohen_kappa_score,
    confusion_entropy,
    cramers_v,
    gwet_ac1,
    krippendorff_alpha,
    matthews_corrcoef,
    mutual_information,
    normalized_mutual_information,
    quantity_disagreement,
    scott_pi,
    uncertainty_coefficient,
)
from skmetrics_ext.metrics.overlap import (
    f1_score,
    fbeta_score,
    fowlkes_mallows_index,
    jaccard_score,
    lift_score,
    overlap_coefficient,
    p4_score,
    tversky_score,
)
from skmetrics_ext.metrics.rates import (
    detection_rate,
    false_discovery_rate,
    false_negative_rate,
    false_omission_rate,
    false_positive_rate,
    negative_predictive_value,
    one_vs_rest_accuracy_score,
    one_vs_rest_error,
    precision_score,
    predicted_positive_rate,
    prevalence,
    recall_score,
    sensitivity_score,
    specificity_score,
)
from skmetrics_ext.metrics.ratios import (
    class_likelihood_ratios,
    d_prime,
    diagnostic_odds_ratio,
    negative_likelihood_ratio,
    positive_likelihood_ratio,
    prevalence_threshold,
    relative_risk,
    yule_q,
)
from skmetrics_ext.metrics.several_values import (
    confusion_matrix,
    multilabel_confusion_matrix,
    precision_recall_fscore_support,
    sensitivity_specificity_support,
)
from skmetrics_ext.metrics.skill import (
    conditional_kappa_score,
    extremal_dependence_index,
    frequency_bias,
    g_mean_score,
    gerrity_score,
    gilbert_skill_score,
    index_balanced_accuracy,
    informedness_score,
    markedness_score,
    one_vs_rest_balanced_accuracy_score,
    optimized_precision_score,
    peirce_skill_score,
    phi_coefficient,
    symmetric_extremal_dependence_index,
)
from skmetrics_ext.plotting.confusion_matrix import plot_confusion_matrix
from skmetrics_ext.plotting.decision_curve import plot_decision_curve
from skmetrics_ext.plotting.intervals import plot_intervals
from skmetrics_ext.plotting.rates import plot_precision_recall, plot_roc
from skmetrics_ext.plotting.risk_coverage import plot_risk_coverage
from skmetrics_ext.plotting.threshold_curve import plot_threshold_curve
from skmetrics_ext.reports.classification import (
    classification_report,
    classification_report_imbalanced,
)
from skmetrics_ext.reports.describe import describe, metrics_table
from skmetrics_ext.reports.evaluation_index import evaluation_index
from skmetrics_ext.scoring.compare_estimators import compare_estimators
from skmetrics_ext.scoring.confusion_scorer import ConfusionScorer
from skmetrics_ext.scoring.cross_val_interval import cross_val_interval
from skmetrics_ext.scoring.cross_validation import cross_val_confusion_matrix
from skmetrics_ext.scoring.eval_metric import EvalMetric, make_eval_metric
from skmetrics_ext.scoring.folds_of_curves import cross_val_threshold_curves
from skmetrics_ext.scoring.native import FixedMetric
from skmetrics_ext.scoring.scorers import get_scorer, get_scorer_names, make_scorer
from skmetrics_ext.statistics.caveats import UnreliableIntervalWarning

__version__ = "0.1.0"

__all__ = [
    "AbstainingClassifier",
    "ConfusionMatrix",
    "ConfusionScorer",
    "ConstrainedThresholdClassifier",
    "EvalMetric",
    "FixedMetric",
    "ProbabilityClassifier",
    "ThresholdCurve",
    "ThresholdCurves",
    "UnreliableIntervalWarning",
    "accuracy_score",
    "agreement",
    "allocation_disagreement",
    "balanced_accuracy_score",
    "bennett_s",
    "check",
    "class_balance_accuracy",
    "class_likelihood_ratios",
    "classification_report",
    "classification_report_imbalanced",
    "cohen_kappa_score",
    "compare",
    "compare_curves",
    "compare_estimators",
    "compare_folds",
    "conditional_kappa_score",
    "confusion_entropy",
    "confusion_matrix",
    "cramers_v",
    "cross_val_confusion_matrix",
    "cross_val_interval",
    "cross_val_threshold_curves",
    "d_prime",
    "describe",
    "detection_rate",
    "diagnostic_odds_ratio",
    "evaluation_index",
    "expected_cost",
    "extremal_dependence_index",
    "f1_score",
    "false_discovery_rate",
    "false_negative_rate",
    "false_omission_rate",
    "false_positive_rate",
    "fbeta_score",
    "fowlkes_mallows_index",
    "frequency_bias",
    "g_mean_score",
    "geometric_mean_score",
    "gerrity_score",
    "get_scorer",
    "get_scorer_names",
    "gilbert_skill_score",
    "gwet_ac1",
    "hamming_loss",
    "index_balanced_accuracy",
    "informedness_score",
    "jaccard_score",
    "krippendorff_alpha",
    "labels_from_scores",
    "lift_score",
    "macro_averaged_mean_absolute_error",
    "make_eval_metric",
    "make_scorer",
    "markedness_score",
    "matthews_corrcoef",
    "metric_interval",
    "metrics_table",
    "multilabel_confusion_matrix",
    "mutual_information",
    "negative_likelihood_ratio",
    "negative_predictive_value",
    "net_benefit",
    "no_information_rate",
    "normalized_mutual_information",
    "one_vs_rest_accuracy_score",
    "one_vs_rest_balanced_accuracy_score",
    "one_vs_rest_error",
    "optimized_precision_score",
    "overlap_coefficient",
    "p4_score",
    "peirce_skill_score",
    "phi_coefficient",
    "plot_confusion_matrix",
    "plot_decision_curve",
    "plot_intervals",
    "plot_precision_recall",
    "plot_risk_coverage",
    "plot_roc",
    "plot_threshold_curve",
    "positive_likelihood_ratio",
    "precision_recall_fscore_support",
    "precision_score",
    "predicted_positive_rate",
    "prevalence",
    "prevalence_threshold",
    "quantity_disagreement",
    "recall_score",
    "relative_risk",
    "sample_size",
    "scott_pi",
    "sensitivity_score",
    "sensitivity_specificity_support",
    "specificity_score",
    "symmetric_extremal_dependence_index",
    "tversky_score",
    "uncertainty_coefficient",
    "watch",
    "yule_q",
    "zero_one_loss",
]


def __dir__() -> list[str]:
    """Public names, and those that every module has: folders are private."""
    return [*__all__, "results", *(name for name in globals() if name.startswith("__"))]


# Public objects name the place where users find them, so that pickles and help survive moved files.
for _name in __all__:
    globals()[_name].__module__ = __name__
