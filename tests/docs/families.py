"""The families of metrics, and what the pages say of each metric of one."""

from skmetrics_ext.catalogue.rows import METRICS, Metric
from skmetrics_ext.statistics.classes import methods_of_metric
from skmetrics_ext.statistics.methods import METHODS
from tests.docs.generated_parts import codes
from tests.vectors.score import who_has

# The heading of a family, and its purpose.
HEADINGS = {
    "rates_of_actual": (
        "Rates of the actual classes",
        "Each divides by the samples that belong to a class, or by those that do not. They do not "
        "depend on prevalence, and so carry over to populations where the class is rarer.",
    ),
    "rates_of_predicted": (
        "Rates of the predicted classes",
        "Each divides by the samples that are predicted as a class, or by those that are not. They "
        "say how far to trust a prediction, and depend on prevalence.",
    ),
    "rates_of_all": (
        "Proportions of all samples",
        "Each divides by all samples. The first three describe the data and the workload; accuracy "
        "on one rare class is high even if the model never finds it.",
    ),
    "overlap": (
        "Precision and recall as one number",
        "For searches, detectors and image masks, where finding the positives and being right "
        "about them both matter: how much predicted and actual positives overlap. All but P4 and "
        "lift ignore the true negatives; lift is how many times more often the two coincide than "
        "expected by chance.",
    ),
    "balance": (
        "Balance of the two rates of a class",
        "For rare classes: recall and specificity must both be good.",
    ),
    "skill": (
        "Skill on one class",
        "They say how much better than chance (0) predictions are: informedness from the rates of "
        "the actual classes, markedness from those of the predicted classes, phi from both.",
    ),
    "likelihood_ratios": (
        "Likelihood ratios",
        "How many times a prediction multiplies the odds of the class, as for diagnostic tests; 1 "
        "is uninformative.",
    ),
    "odds": (
        "Odds and risks",
        "How strongly prediction and class are associated, as measured in epidemiology and signal "
        "detection.",
    ),
    "verification": (
        "Verification of forecasts",
        "Scores of weather forecasts, and the agreement on one class. A skill of 0 is chance "
        "level; a frequency bias of 1 means neither over- nor underforecasting. The two extremal "
        "dependence indices do not degenerate as the event gets rarer, as most others do.",
    ),
    "cost": ("Cost and benefit", "For decisions whose errors have unequal costs."),
    "accuracy": (
        "Accuracy",
        "Proportions of correct labels over all classes, some weighted so that large classes do "
        "not swamp small ones.",
    ),
    "agreement": (
        "Agreement beyond chance",
        "How far two raters (or a model and the true labels) agree beyond chance, which is 0; each "
        "metric defines chance differently. The two disagreements separate wrong class totals "
        "(quantity) from wrong assignment (allocation).",
    ),
    "information": (
        "Information and association",
        "How much a prediction says about the class, regardless of labels: a model that always "
        "swaps two classes loses nothing. Confusion entropy is the exception: it measures how "
        "spread out the errors are.",
    ),
}

# The metrics of each.
METRICS_OF = {
    "rates_of_actual": ("recall", "specificity", "false_positive_rate", "false_negative_rate"),
    "rates_of_predicted": (
        "precision",
        "negative_predictive_value",
        "false_discovery_rate",
        "false_omission_rate",
    ),
    "rates_of_all": (
        "prevalence",
        "predicted_positive_rate",
        "detection_rate",
        "one_vs_rest_accuracy",
        "one_vs_rest_error",
    ),
    "overlap": (
        "f1",
        "fbeta",
        "jaccard",
        "tversky",
        "overlap_coefficient",
        "fowlkes_mallows_index",
        "p4",
        "lift",
    ),
    "balance": (
        "g_mean",
        "one_vs_rest_balanced_accuracy",
        "index_balanced_accuracy",
        "optimized_precision",
    ),
    "skill": ("informedness", "markedness", "phi_coefficient"),
    "likelihood_ratios": ("positive_likelihood_ratio", "negative_likelihood_ratio"),
    "odds": ("diagnostic_odds_ratio", "yule_q", "relative_risk", "d_prime", "prevalence_threshold"),
    "verification": (
        "frequency_bias",
        "gilbert_skill",
        "extremal_dependence_index",
        "symmetric_extremal_dependence_index",
        "conditional_kappa",
        "peirce_skill",
        "gerrity",
    ),
    "cost": ("net_benefit", "expected_cost", "macro_averaged_mean_absolute_error"),
    "accuracy": (
        "accuracy",
        "zero_one_loss",
        "hamming_loss",
        "balanced_accuracy",
        "geometric_mean",
        "no_information_rate",
        "class_balance_accuracy",
    ),
    "agreement": (
        "matthews_corrcoef",
        "cohen_kappa",
        "scott_pi",
        "krippendorff_alpha",
        "gwet_ac1",
        "bennett_s",
        "quantity_disagreement",
        "allocation_disagreement",
    ),
    "information": (
        "cramers_v",
        "mutual_information",
        "normalized_mutual_information",
        "uncertainty_coefficient",
        "confusion_entropy",
    ),
}


def rows_of(name: str) -> list[Metric]:
    """The metrics of a family."""
    return [row for row in METRICS if row.name in METRICS_OF[name]]


def word_of(row: Metric) -> str:
    """The interval method of a metric."""
    return METHODS[methods_of_metric(row, "independent")[0]].shown


def of_what(rows: list[Metric]) -> str:
    """Whether there is one value per class or one over all classes."""
    overall = [row.name for row in rows if not row.has_average]
    if not overall:
        return "One value per class."
    if len(overall) == len(rows):
        return "One value over all classes."
    return f"One value per class; {codes(overall)}: one over all classes."


def libraries_with(row: Metric) -> list[str]:
    """The other libraries that have a metric: those that are asked about the test vectors."""
    return [library for library, names in who_has().items() if row.name in names]
