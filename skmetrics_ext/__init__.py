"""Classification metrics from confusion matrices, as functions and as scorers for scikit-learn."""

from skmetrics_ext.confusion import ConfusionMatrix
from skmetrics_ext.metrics.agreement import (
    accuracy_score,
    balanced_accuracy_score,
    cohen_kappa_score,
    confusion_matrix,
    matthews_corrcoef,
    zero_one_loss,
)
from skmetrics_ext.metrics.balance import g_mean_score, informedness_score
from skmetrics_ext.metrics.overlap import f1_score, fbeta_score, jaccard_score
from skmetrics_ext.metrics.rates import (
    false_discovery_rate,
    false_negative_rate,
    false_omission_rate,
    false_positive_rate,
    negative_predictive_value,
    one_vs_rest_accuracy_score,
    one_vs_rest_error,
    precision_score,
    recall_score,
    specificity_score,
)
from skmetrics_ext.probabilities import labels_from_scores
from skmetrics_ext.scorers import ConfusionScorer, get_scorer, get_scorer_names, make_scorer

__version__ = "0.1.0"

__all__ = [
    "ConfusionMatrix",
    "ConfusionScorer",
    "accuracy_score",
    "balanced_accuracy_score",
    "cohen_kappa_score",
    "confusion_matrix",
    "f1_score",
    "false_discovery_rate",
    "false_negative_rate",
    "false_omission_rate",
    "false_positive_rate",
    "fbeta_score",
    "g_mean_score",
    "get_scorer",
    "get_scorer_names",
    "informedness_score",
    "jaccard_score",
    "labels_from_scores",
    "make_scorer",
    "matthews_corrcoef",
    "negative_predictive_value",
    "one_vs_rest_accuracy_score",
    "one_vs_rest_error",
    "precision_score",
    "recall_score",
    "specificity_score",
    "zero_one_loss",
]
