"""What docstrings say of the parameters that several functions share: each text stands here once.

`python -m tests.generate` writes these entries into the docstrings, and nothing else of them. To
change a text, change it here; to describe a shared parameter in a new docstring, write its name on
a line of its own under "Parameters".
"""

from typing import NamedTuple

from skmetrics_ext.catalogue.rows import METRICS

# Functions of all classes, and those among them that take no multilabel data.
OF_ALL_CLASSES = tuple(row.function for row in METRICS if not row.has_average)
SINGLE_LABEL = tuple(
    row.function for row in METRICS if not row.has_average and row.multilabel is None
)

# What tells three words for samples that have something in common apart, wherever one of them is a
# parameter.
BY_CLUSTERS_GROUPS = (
    "`by` is for results of each group, `clusters` for dependent samples, `groups` for splits."
)
POSITIVE = "1 of {0, 1}, {-1, 1} or {False, True}"
LABEL = "int, float, bool or str"
CLASSES = "array-like of shape (n_classes,)"
SAMPLES = "array-like of shape (n_samples,)"
SEED = "int, numpy Generator or RandomState"
METRIC = "str or function"
BOUNDS = "dict of metric to bound"
SIDES = "Actual and predicted labels"
THRESHOLDS = "float, array-like of shape (n_classes,), Series or dict"
ZERO_DIVISION = '{"warn", 0, 1, nan}'
FRAME = "pandas, polars, pyarrow, DuckDB, Ibis, Dask or PySpark table"
# Where a metric is undefined, and what it is there, is its own: the words in the docstring stay.
OWN_WORDS = r'0/0 \(.+?\)\. "warn": \w+'
OWN = "<own words>"

OF_LABELS = ("plot_confusion_matrix", "plot_roc", "plot_precision_recall")
OF_SCORES = (
    "ConfusionMatrix.from_scores",
    "ConfusionMatrix.from_estimator",
    "cross_val_confusion_matrix",
)
OF_READINGS = (
    *("ConfusionMatrix.from_predictions", "ConfusionMatrix.from_scores"),
    *("metric_interval", "compare"),
)
OF_MODELS = ("ConfusionMatrix.from_estimator", "cross_val_confusion_matrix")
FROM_LABELS = ("ConfusionMatrix.from_predictions", *OF_SCORES)
OF_PAIRS = "ConfusionMatrix.pairwise_gaps"
OF_MATRICES = (
    *("ConfusionMatrix.score", "ConfusionMatrix.interval", "ConfusionMatrix.gap"),
    OF_PAIRS,
)
IN_FOLDS = ("cross_val_confusion_matrix", "cross_val_threshold_curves")
REPEATED = ("cross_val_interval", "compare_estimators")
COLUMNS_OF_CURVES = ("ThresholdCurve.from_frame", "ThresholdCurves.from_frame")
THRESHOLD_CURVES = ("ThresholdCurve.from_scores", "ThresholdCurve.from_estimator")
PLAIN_SCORERS = ("get_scorer", "make_scorer")
SCORERS = ("get_scorer", "ConfusionScorer")
HELD_OUT = ("ConstrainedThresholdClassifier", "AbstainingClassifier")
REPORTS = ("classification_report", "classification_report_imbalanced")
NO_WORST = ("prevalence", "predicted_positive_rate", "detection_rate", "frequency_bias")


class Text(NamedTuple):
    """A type, a description, and the functions and methods that have them; none: all others."""

    type: str
    text: str
    of: tuple[str, ...] = ()


TEXTS: dict[str, list[Text]] = {
    "**fit_params": [
        Text(
            "",
            "Passed to the estimator's `fit`; with metadata routing, only what it requests. "
            "`sample_weight` also weights the counts, `groups` go to the splitter. "
            f"{BY_CLUSTERS_GROUPS}",
            of=tuple(f"{name}.fit" for name in HELD_OUT),
        )
    ],
    "**parameters": [
        Text("", "Parameters of the metric, such as `beta`."),
        Text(
            "",
            "Parameters such as `beta`, for every metric that accepts them.",
            of=("plot_threshold_curve", "ConfusionScorer"),
        ),
    ],
    "X": [
        Text(
            "array-like or sparse matrix of shape (n_samples, n_features)",
            "Input in any form the estimator accepts.",
        ),
        Text(
            "array-like",
            "Samples to predict.",
            of=(
                "ThresholdCurve.from_estimator",
                "ConfusionMatrix.from_estimator",
                "ConfusionScorer.__call__",
            ),
        ),
        Text("array-like of shape (n_samples, n_features)", "Samples.", of=(*IN_FOLDS, *REPEATED)),
    ],
    "alpha": [
        Text(
            "float",
            "Weight of the dominance, recall - specificity, in the index balanced accuracy; at "
            "least 0.",
        )
    ],
    "actual, score": [
        Text(
            "str or narwhals expression",
            "The columns of actual labels and of scores for the positive class.",
        )
    ],
    "average": [
        Text(
            '{"binary", "macro", "micro", "weighted", "samples", "worst"} or None',
            '"binary": `pos_label` only; None: each class; "macro": their mean, '
            '"weighted" by support; "micro": of summed counts; "samples": mean over samples '
            '(multilabel); "worst": the worst class.',
        ),
        Text(
            '{"binary", "macro", "micro", "weighted", "samples"} or None',
            '"binary": `pos_label` only; None: each class; "macro": their mean, '
            '"weighted" by support; "micro": of summed counts; "samples": mean over samples '
            "(multilabel).",
            of=NO_WORST,
        ),
        Text(
            '{"binary", "macro", "micro", "weighted", "worst"} or None',
            '"binary": of one class, unless the metric\'s name says otherwise, and of each '
            'label of multilabel data; None: each class; "worst": the worst class.',
            of=("ConfusionMatrix.score", "ConfusionMatrix.interval"),
        ),
        Text(
            '{"binary", "macro", "micro", "weighted", "worst"} or None',
            "\"binary\": of one class, unless the metric's name says otherwise. A group's "
            "average omits classes that are undefined in it.",
            of=("ConfusionMatrix.gap", OF_PAIRS),
        ),
    ],
    "ax": [
        Text(
            "matplotlib.axes.Axes",
            "Where to draw; None: a new figure. An existing legend keeps its entries.",
        )
    ],
    "backend": [
        Text(
            '{"pandas", "polars", "pyarrow"}',
            "The frame's library. None: pandas if installed, else polars.",
        )
    ],
    "baseline": [Text("str", "Reference model. None: all pairs.")],
    "beta": [
        Text(
            "float",
            "Importance of recall relative to precision, at least 0: 0 gives precision, inf "
            "recall.",
        )
    ],
    "bins": [
        Text(
            "int",
            "A power of two: counts at 0, 1/bins, ..., (bins - 1)/bins; scores outside of "
            "[0, 1] fall in the first or the last bin. None: counts at every distinct "
            "score, at most 1e7.",
        )
    ],
    "by": [
        Text(
            "array-like of shape (n_samples,), dict or list of arrays, or data frame",
            'The group of each sample, for a leading axis "group", sorted or in the order of a '
            "categorical. A dict or data frame gives one axis per name, a list "
            '"group_0", "group_1", ... '
            f"{BY_CLUSTERS_GROUPS}",
            of=(*FROM_LABELS, "metric_interval"),
        )
    ],
    "classes": [
        Text(
            CLASSES,
            "The label of each column; only with `y_score`. None: the names of a data frame's "
            "columns, else the sorted labels.",
            of=("plot_roc", "plot_precision_recall"),
        ),
        Text(
            CLASSES,
            "Label of each column of scores, [negative, positive] for two, and from "
            "lowest to highest for ordinal metrics, costs and thresholds. None: the "
            "estimator's `classes_`, whose order says neither. 1-D scores are of the "
            "second.",
            of=OF_MODELS,
        ),
        Text(
            CLASSES,
            "The label of each column of scores, [negative, positive] for two. None: the "
            "estimator's `classes_`; list any that its training data may lack as well. "
            "1-D scores are of the second class; without `classes_`, name them if it is "
            "the first.",
            of=SCORERS,
        ),
    ],
    "clusters": [
        Text(
            SAMPLES,
            "Cluster of each sample, such as its patient; two columns, cases and readers, for "
            f"limits over new ones of both. {BY_CLUSTERS_GROUPS}",
            of=OF_READINGS,
        ),
        Text(SAMPLES, f"Cluster of each sample, such as its patient. {BY_CLUSTERS_GROUPS}"),
    ],
    "confidence_level": [Text("float", "At least 0.5 and below 1.")],
    "correction": [
        Text(
            '{"holm", "bonferroni"} or None',
            "Multiple-testing correction over all rows, of p-values and confidence limits.",
        )
    ],
    "cost_matrix": [
        Text(
            "array-like of shape (n_classes, n_classes) or (n_samples, n_classes, n_classes), "
            "data frame, or dict of (actual, predicted) to cost",
            "Cost of each actual class (row) predicted as each class (column), for all "
            "samples or for each, labeled or in the order of `classes`. Predicted is the "
            "class of the lowest expected cost, argmin(p @ cost).",
            of=OF_SCORES,
        )
    ],
    "count": [
        Text(
            "str or expression",
            "Column with the number of samples of each row, as in `ConfusionMatrix.from_frame`.",
            of=COLUMNS_OF_CURVES,
        )
    ],
    "curves": [
        Text(
            "ThresholdCurve, ThresholdCurves, dict of either, or array-like of shape (n_samples,)",
            "A curve, the curves of all classes or groups, or one per model, maybe of "
            "folds; with `y_score`, the actual labels. A curve with given thresholds is "
            "drawn as points, without an area. Dates or numbers are colored from dark to "
            "light; of more than eight others, only the three best and the three worst "
            "are colored and named.",
            of=("plot_roc", "plot_precision_recall"),
        )
    ],
    "cv": [
        Text(
            'int, float, splitter, iterable or "prefit"',
            "A number of stratified folds, a splitter or an iterable of (train, test), "
            "whose held-out scores are pooled. A float: the fraction of the samples that "
            'is held out, once. "prefit": `estimator` is already fitted, and `fit` only '
            "chooses the threshold, on data that it has not seen.",
            of=HELD_OUT,
        ),
        Text(
            "int, splitter or iterable",
            "Number of stratified folds, 5 by default; a splitter; or an iterable of (train, "
            "test).",
            of=IN_FOLDS,
        ),
        Text(
            "int, KFold, StratifiedKFold, GroupKFold or StratifiedGroupKFold",
            "Number of stratified folds, 5 by default; or a splitter, whose folds are "
            "shuffled anew in each repetition.",
            of=REPEATED,
        ),
    ],
    "digits": [Text("int", "Number of decimal places in the text.")],
    "estimator": [
        Text(
            "object with fit, and predict, predict_proba or decision_function",
            "A clone of it is fitted to the training samples of each fold.",
            of=IN_FOLDS,
        )
    ],
    "fixed": [
        Text(
            '"actual" or None',
            '"actual": the numbers of samples per actual class were fixed by design. Limits '
            "are those at the counted prevalence, as of `at_prevalence`.",
        )
    ],
    "frame": [Text(FRAME, "As in `ConfusionMatrix.from_frame`.", of=COLUMNS_OF_CURVES)],
    "frequency_weights": [
        Text(
            "bool",
            "Whether weights are counts of identical samples, which narrow confidence intervals.",
        )
    ],
    "greater_is_better": [
        Text(
            "bool",
            "None: as defined in the metric catalogue; True for other functions.",
            of=PLAIN_SCORERS,
        )
    ],
    "groups": [
        Text(
            SAMPLES,
            "The group of each sample, for a `cv` that keeps each group on one side of each "
            f"split. {BY_CLUSTERS_GROUPS}",
            of=IN_FOLDS,
        ),
        Text(
            SAMPLES,
            "The group of each sample, such as its patient: in one fold, and dependent. Only "
            f"here groups are also the clusters of the interval. {BY_CLUSTERS_GROUPS}",
            of=REPEATED,
        ),
    ],
    "labels": [
        Text(
            CLASSES,
            "Classes to average or report, in this order; samples of others still count as "
            "errors. None: all, sorted.",
        ),
        Text(
            CLASSES,
            "Classes in order, with every label in the data; one without samples counts in K. "
            "None: all in the data, sorted.",
            of=("bennett_s", "confusion_entropy", "gwet_ac1"),
        ),
        Text(
            CLASSES,
            "Classes in order; samples of others are omitted. None: all, sorted.",
            of=("confusion_matrix", "cohen_kappa_score"),
        ),
        Text(
            CLASSES,
            "Classes to average or report; for multilabel data, the columns. None: all.",
            of=(*OF_MATRICES, "metric_interval"),
        ),
    ],
    "margin": [
        Text(
            "float",
            "Largest difference that does not matter, decided before seeing the data. "
            "`not_worse`: the model is worse than the reference by less (non-inferiority); "
            "`equivalent`: they differ by less.",
        )
    ],
    "metric": [
        Text(
            METRIC,
            'A name ("specificity") or an alias ("tnr"), maybe with an average '
            '("specificity_macro"), a metric function, or a custom one of a '
            "ConfusionMatrix. Values are not negated.",
            of=(*OF_MATRICES, "metric_interval"),
        ),
        Text(
            METRIC,
            'A name ("specificity"), an alias ("tnr"), a metric function, or a custom one '
            "of a ConfusionMatrix; minimized where lower is better.",
            of=("ThresholdCurve.best", "ThresholdCurves.best"),
        ),
    ],
    "min_samples": [
        Text(
            "int",
            "Least number of samples in the metric's denominator (see `Gap`) of a group that may"
            " be the worst or enter a gap. If given, a call without groups is an error.",
            of=SCORERS,
        )
    ],
    "missing": [
        Text(
            '{None, "drop", "label"}',
            "Rows with a missing label or group are, None: an error that counts them; "
            '"drop": omitted, with a warning; "label": labeled "missing", in string '
            "columns only.",
        )
    ],
    "missing_group": [
        Text(
            "str, int, bool or date",
            "Name of the group of samples without one, placed last. None: an error.",
        )
    ],
    "multilabel": [
        Text(
            "bool",
            "Whether 2-D targets are independent labels. None: unless each row has one 1, "
            "and scores that sum to 1.",
            of=OF_SCORES,
        )
    ],
    "n_jobs": [
        Text(
            "int",
            "Number of folds fitted in parallel. None: one, unless joblib is told otherwise; -1:"
            " one per processor.",
        )
    ],
    "n_repeats": [
        Text(
            "int",
            "Number of repetitions. The interval of one is 1.5 times as wide as that of "
            "one model, of two 1.22, of four 1.15 times. Repetitions with the same folds "
            "count once.",
        )
    ],
    "n_resamples": [Text("int", "Number of bootstrap replicates; at least 100.")],
    "name": [Text("str", "Legend name of one curve; a prefix for those of several.")],
    "output_dict": [Text("bool", "Whether to return a dict, as in scikit-learn.")],
    "over_groups": [
        Text(
            '{"worst", "gap"}',
            "For one metric with groups: the value of the worst (the default), or the gap "
            "between the best and the worst, negated so that higher is better. If given, a call "
            "without groups is an error.",
        )
    ],
    "params": [
        Text(
            "dict",
            "Passed to `fit` of the estimator; with metadata routing, to all that requests them: "
            "a `sample_weight` then weights the counts, too.",
        )
    ],
    "pos_label": [
        Text(LABEL, 'The positive class, for `average="binary"` only.'),
        Text(
            LABEL,
            f"The positive class; all others are negative. None: {POSITIVE}; required for "
            "other labels.",
            of=(
                *THRESHOLD_CURVES,
                *COLUMNS_OF_CURVES,
                "cross_val_threshold_curves",
                "metric_interval",
            ),
        ),
        Text(
            LABEL,
            "The positive class; only with `y_score`. None: the second of two `classes`, else "
            f"{POSITIVE}.",
            of=("plot_roc", "plot_precision_recall"),
        ),
        Text(
            LABEL,
            f"The positive class for `score`. None: the second of two `labels`, if given, else "
            f"{POSITIVE}.",
            of=(
                "ConfusionMatrix.from_counts",
                "ConfusionMatrix.from_predictions",
                "ConfusionMatrix.from_partial_labels",
            ),
        ),
        Text(
            LABEL,
            "The positive class, of 1-D scores too. "
            f"None: the second of `classes`, if given, else {POSITIVE}.",
            of=OF_SCORES,
        ),
        Text(
            LABEL,
            'The positive class for "binary". None: that of the matrix, if known.',
            of=OF_MATRICES,
        ),
    ],
    "pre_dispatch": [
        Text(
            "int or str",
            "How many jobs are started in advance, as in scikit-learn's `cross_validate`.",
        )
    ],
    "prior": [
        Text(
            "float",
            'For "dirichlet": pseudo-count added to each cell. None: 1/2 per cell of a 2 x '
            "2 table, 1 in total for a larger matrix.",
        )
    ],
    "random_state": [
        Text(SEED, "The same int gives the same interval; None: another at each call."),
        Text(
            SEED,
            "The same int gives the same permutations and replicates; None: others at each call.",
            of=("ConfusionMatrix.gap", OF_PAIRS),
        ),
        Text(
            "int, RandomState or None", "Shuffles the samples where `cv` is a float.", of=HELD_OUT
        ),
        Text(
            SEED,
            "The same int gives the same bootstrap intervals; None: others at each call.",
            of=("plot_threshold_curve", "classification_report"),
        ),
        Text(
            SEED,
            "The same int gives the same splits and replicates; None: others at each call.",
            of=REPEATED,
        ),
    ],
    "refit": [
        Text(
            "bool",
            "Whether the final model is refitted to all data. False needs a single split, "
            'whose model is kept. Ignored with "prefit".',
        )
    ],
    "response_method": [
        Text(
            "str or list of str",
            '"auto": predict_proba, else decision_function.',
            of=("ThresholdCurve.from_estimator", "cross_val_threshold_curves"),
        ),
        Text(
            '{"auto", "predict", "predict_proba", "decision_function"}',
            '"auto": predict; with a threshold or costs, the first method that gives scores.',
            of=OF_MODELS,
        ),
    ],
    "sample_weight": [
        Text(SAMPLES, "Weight of each sample."),
        Text(SAMPLES, "Weight of each sample; only with labels.", of=OF_LABELS),
        Text(
            SAMPLES,
            "Weight of each sample. Samples of weight 0 add no threshold.",
            of=THRESHOLD_CURVES,
        ),
        Text(
            "str or expression",
            "The column of weights, which the engine sums.",
            of=(*COLUMNS_OF_CURVES, "ConfusionMatrix.from_frame"),
        ),
    ],
    "subject_to": [
        Text(
            BOUNDS,
            'A number is a lower bound where higher is better, else an upper one: `{"recall": '
            '0.9, "false_positive_rate": 0.1}`. A pair (low, high) bounds any metric, None '
            'leaves a side open: `{"predicted_positive_rate": (None, 0.1)}`.',
            of=("ThresholdCurve.best", "ThresholdCurves.best"),
        )
    ],
    "target_names": [Text("sequence of str", "What to print for each class. None: the labels.")],
    "threshold": [
        Text(
            "float or dict of label or name to float",
            "Marks the point of each curve at this threshold, or at its own; for folds, that of "
            "the pooled curve.",
            of=("plot_decision_curve", "plot_precision_recall", "plot_risk_coverage", "plot_roc"),
        ),
        Text(
            THRESHOLDS,
            "A number: the positive class of two is predicted where its score reaches it. "
            "One positive number per class predicts argmax(score_k / threshold_k), "
            "labeled or in the order of `classes`; multilabel: one, or one per label. None: as "
            "`predict`, of scores as `labels_from_scores`.",
            of=OF_SCORES,
        ),
    ],
    "thresholds": [
        Text(
            "array-like of shape (n_thresholds,) or int",
            "The thresholds, in any order; or an int, for so many quantiles of the "
            "scores, decreasing and without duplicates. None: all distinct scores, "
            "decreasing.",
            of=THRESHOLD_CURVES,
        )
    ],
    "ties": [
        Text(
            '{"positive", "negative"}',
            "Which class a score equal to the binary threshold predicts.",
        )
    ],
    "verbose": [
        Text(
            "int",
            "Above 0: messages of the parallel jobs, as in scikit-learn's `cross_validate`.",
            of=(*IN_FOLDS, *REPEATED),
        ),
        Text("int", "As in `ConfusionMatrix.from_frame`.", of=COLUMNS_OF_CURVES),
    ],
    "weight": [Text("ndarray of shape (n_samples,) or None", "Weight of each sample.")],
    "y": [
        Text(
            SAMPLES, "Labels of two or more classes.", of=tuple(f"{name}.fit" for name in HELD_OUT)
        ),
        Text(
            SAMPLES,
            "Actual labels, one for each sample.",
            of=("cross_val_threshold_curves", *REPEATED),
        ),
    ],
    "y_score": [
        Text(
            "ndarray of shape (n_samples,) or (n_samples, n_classes)",
            "Scores; margins if the objective is a custom one.",
            of=("EvalMetric.xgboost_train", "EvalMetric.lightgbm", "EvalMetric.lightgbm_train"),
        ),
        Text(
            "array-like of shape (n_samples,) or (n_samples, n_classes)",
            "Scores, if `curves` are actual labels: of the positive class, or a column "
            "per class, which give one curve for two and one per class for more, unless "
            "`pos_label` names it.",
            of=("plot_roc", "plot_precision_recall"),
        ),
    ],
    "y_true, y_pred": [
        Text(
            "array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)", f"{SIDES}."
        ),
        Text(
            SAMPLES,
            f"{SIDES}.",
            of=(*SINGLE_LABEL, "classification_report_imbalanced", "confusion_matrix"),
        ),
    ],
    "zero_division": [
        Text(
            ZERO_DIVISION,
            f"The value where the formula is {OWN}, with an UndefinedMetricWarning. Averages "
            "ignore nan.",
        ),
        Text(
            ZERO_DIVISION,
            f"The value where the formula is {OWN}, with an UndefinedMetricWarning.",
            of=OF_ALL_CLASSES,
        ),
        Text(
            ZERO_DIVISION,
            "The value where the metric is 0/0.",
            of=("ThresholdCurve.score", "ConfusionMatrix.score", "ConfusionScorer"),
        ),
        Text(
            ZERO_DIVISION,
            "The value where the metric is 0/0: nan unless given. Averages omit undefined "
            "classes from their interval.",
            of=("ConfusionMatrix.interval", "metric_interval"),
        ),
        Text(
            ZERO_DIVISION,
            'The value where a metric is 0/0. "warn": 0 for the default metrics, with an '
            "UndefinedMetricWarning.",
            of=REPORTS,
        ),
    ],
}

# Functions in which a shared parameter has a meaning of its own, in a few words: their docstrings
# have their own texts.
OWN_TEXTS: dict[str, dict[str, str]] = {
    "**parameters": {"compare": "each metric takes all", "make_eval_metric": "and options"},
    "alpha": {"tversky_score": "false positives"},
    "average": {
        "ConfusionScorer": "by the classes of a model",
        "ThresholdCurves.average_precision": "of areas",
        "ThresholdCurves.roc_auc": "of areas",
        "compare": "one value per model",
        "geometric_mean_score": "of two rates",
        "make_eval_metric": "by the classes of a model",
        "metric_interval": "of any metric",
        "precision_recall_fscore_support": "with the default of scikit-learn's version",
    },
    "ax": {
        "plot_confusion_matrix": "with text of a size that fits",
        "plot_intervals": "with numbers beside it",
    },
    "baseline": {"ConfusionMatrix.gap": "a group"},
    "beta": {"tversky_score": "false negatives"},
    "by": {"get_scorer": "columns of X"},
    "clusters": {"ConfusionMatrix.from_frame": "a column"},
    "confidence_level": {
        "AbstainingClassifier": "of a promise",
        "ConstrainedThresholdClassifier": "of a promise",
        "ThresholdCurve.best": "of a promise about scores",
        "ThresholdCurves.best": "of a promise about each curve",
        "check": "one-sided",
        "classification_report": "or none, in a table",
        "plot_threshold_curve": "or none, as a band",
    },
    "correction": {"geometric_mean_score": "of a product"},
    "cost_matrix": {"get_scorer": "of a metric or of labels"},
    "labels": {
        "ConfusionMatrix.from_counts": "of rows and columns",
        "ConfusionMatrix.from_frame": "of labels, not scores",
        "ConfusionMatrix.from_predictions": "order",
        "ConfusionMatrix.from_partial_labels": "order",
        "ConfusionMatrix.with_labels": "a new order",
        "ConfusionScorer": "keys of columns",
        "agreement": "of raters",
        "compare": "of several models",
        "class_likelihood_ratios": "two",
        "cross_val_confusion_matrix": "order",
        "evaluation_index": "all",
        "expected_cost": "costs",
        "gerrity_score": "ranks",
        "macro_averaged_mean_absolute_error": "numbers",
        "multilabel_confusion_matrix": "columns",
        "plot_confusion_matrix": "of labels alone",
    },
    "digits": {"MetricsText.to_table": "of cells"},
    "min_samples": {"ConfusionMatrix.gap": "of a group"},
    "n_resamples": {
        "ConfusionMatrix.interval": "of two methods",
        "ConfusionMatrix.gap": "permutations, too",
        "compare": "with a lower bound",
    },
    "name": {"ConfusionScorer": "of a function", "make_eval_metric": "of a metric"},
    "pos_label": {
        "ConfusionMatrix.from_frame": "of labels or scores",
        "ConfusionScorer": "or an error",
        "ConstrainedThresholdClassifier": "in other estimators",
        "ProbabilityClassifier": "of a threshold",
        "check": "of many classes, too",
        "compare": "of several models",
        "labels_from_scores": "of a threshold",
        "make_eval_metric": "of class numbers",
        "ThresholdCurves.from_scores": "of groups",
        "watch": "one of several classes",
    },
    "response_method": {"get_scorer": "as options require"},
    "sample_weight": {
        "ProbabilityClassifier.fit": "passed on",
        "metric_interval": "of a population",
    },
    "subject_to": {"get_scorer": "before negation"},
    "threshold": {"get_scorer": "the best one, too"},
    "ties": {"ProbabilityClassifier": "of probabilities"},
    "zero_division": {"precision_recall_fscore_support": "of three metrics"},
    "y_true, y_pred": {
        "ConfusionMatrix.add": "of known labels",
        "ConfusionMatrix.from_predictions": "matrices of labels",
        "class_likelihood_ratios": "two labels",
    },
}
