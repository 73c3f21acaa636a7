"""Searches find the page that readers look for first, also in words that it does not have."""

import json
import re
import subprocess
from pathlib import Path

import playwright

ROOT = Path(__file__).parents[2]
# The JavaScript that drives browsers also runs without one.
NODE = Path(playwright.__file__).parent / "driver" / "node"

# What readers search for, and the page that is to be found first.
FIRST_FOUND = {
    "McNemar": "theory/tests",
    "significance test": "tasks/compare_models",
    "compare two models": "tasks/compare_models",
    "noninferiority": "tasks/compare_models",
    "which metric": "which_metric",
    "what is a good MCC": "metrics/matthews_corrcoef",
    "npv": "recipes/npv_in_cross_val_score",
    "specificity": "recipes/specificity_in_gridsearchcv",
    "specificity GridSearchCV": "recipes/specificity_in_gridsearchcv",
    "kappa": "metrics/cohen_kappa",
    "krippendorff": "metrics/krippendorff_alpha",
    "youden": "metrics/informedness",
    "iou": "metrics/jaccard",
    "calibration": "",
    "brier": "",
    "log loss": "",
    "install": "",
    "changelog": "changelog",
    "f1 confidence interval": "recipes/confidence_interval_of_f1",
    "roc auc confidence interval": "recipes/confidence_interval_of_roc_auc",
    "mover": "theory/intervals",
    "g-mean": "metrics/geometric_mean",
    "dice coefficient": "metrics/f1",
    "bootstrap": "theory/intervals",
    "confidence interval": "tasks/how_certain",
    "cross validation confidence interval": (
        "recipes/confidence_interval_of_a_cross_validated_score"
    ),
    "clustered data": "recipes/clustered_patients",
    "sample size": "recipes/sample_size_for_recall",
    "choose threshold recall": "recipes/threshold_for_recall_0_95",
    "cost matrix": "recipes/cost_matrix",
    "decision curve": "recipes/decision_curve_with_intervals",
    "fairness": "tasks/groups_and_fairness",
    "demographic parity": "tasks/groups_and_fairness",
    "drift": "tasks/over_time_and_claims",
    "control chart": "recipes/control_chart_by_month",
    "inter-rater agreement": "tasks/raters_and_partly_known_labels",
    "multilabel": "tasks/many_classes",
    "imbalanced data": "recipes/g_mean_for_imbalanced_data",
    "Spark dataframe": "tasks/big_tables",
    "polars": "tasks/big_tables",
    "duckdb": "tasks/big_tables",
    "xgboost early stopping": "recipes/early_stopping_on_mcc_in_xgboost",
    "keras": "recipes/f1_of_an_epoch_in_keras",
    "undefined metric warning": "undefined_values",
    "zero_division": "undefined_values",
    "pos_label is not a valid label": "recipes/pos_label_1_is_not_a_valid_label",
    "sample weight": "recipes/sample_weight_in_gridsearchcv",
    "groupkfold": "recipes/groupkfold_with_sample_weight",
    "glossary": "glossary",
    # In words that the page does not have, or with other endings.
    "compare two classifiers": "tasks/compare_models",
    "comparing models": "tasks/compare_models",
    "is my model better": "tasks/compare_models",
    "p-value": "tasks/compare_models",
    "statistical significance": "tasks/compare_models",
    "hypothesis test": "tasks/compare_models",
    "A/B test": "tasks/compare_models",
    "non-inferiority": "tasks/compare_models",
    "equivalence": "tasks/compare_models",
    "why nan": "undefined_values",
    "division by zero": "undefined_values",
    "error bars": "tasks/how_certain",
    "margin of error": "tasks/how_certain",
    "standard error": "tasks/how_certain",
    "uncertainty": "tasks/how_certain",
    "confidence intervals": "tasks/how_certain",
    "imbalanced": "recipes/g_mean_for_imbalanced_data",
    "class imbalance": "recipes/g_mean_for_imbalanced_data",
    "unbalanced": "recipes/g_mean_for_imbalanced_data",
    "rare classes": "recipes/g_mean_for_imbalanced_data",
    "cutoff": "recipes/threshold_that_maximizes_f1",
    "FDR": "metrics/false_discovery_rate",
    "TPR": "metrics/recall",
    "hit rate": "metrics/recall",
    "false positive rate": "metrics/false_positive_rate",
    "agreement of raters": "tasks/raters_and_partly_known_labels",
    "annotators": "tasks/raters_and_partly_known_labels",
    "inter-annotator agreement": "tasks/raters_and_partly_known_labels",
    "multiclass": "tasks/many_classes",
    "multi-label": "tasks/many_classes",
    "monitoring": "tasks/over_time_and_claims",
    "bias between groups": "tasks/groups_and_fairness",
    "bootstrapping": "theory/intervals",
    "cost sensitive": "recipes/cost_matrix",
    "repeated measures": "recipes/clustered_patients",
    "how many samples do I need": "recipes/sample_size_for_recall",
    "LLM as a judge": "recipes/llm_judge",
    "big data": "tasks/big_tables",
    "dataframes": "tasks/big_tables",
    "latex": "recipes/table_of_models_and_metrics_with_confidence_intervals",
    "warning": "messages",
    "error messages": "messages",
    "how fast": "speed",
    "release notes": "changelog",
    "alternatives": "instead_of",
}


def found(site, searches):
    """The pages that each search finds, by the site's own search and its words of the pages."""
    (worker,) = (site / "assets" / "javascripts" / "workers").glob("search.*.js")
    files = [worker, site / "assets" / "search.js", site / "search.json"]
    command = [NODE, Path(__file__).parent / "search.js", *files]
    asked = subprocess.run(
        command, input=json.dumps([*searches]), capture_output=True, text=True, timeout=120
    )
    assert asked.returncode == 0, asked.stderr
    answers = json.loads(asked.stdout)
    return {words: [re.sub(r"/?(#.*)?$", "", page) for page in answers[words]] for words in answers}


def test_searches_find_their_page_first(site):
    pages = found(site, FIRST_FOUND)
    others = {
        words: pages[words][:3]
        for words, expected in FIRST_FOUND.items()
        if pages[words][:1] != [expected]
    }
    assert others == {}


def test_what_is_not_there_is_not_found(site):
    assert found(site, ["zyxwvut qqqq"]) == {"zyxwvut qqqq": []}
