"""Scorers for scikit-learn's `scoring=`: by name and from a function."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping, Sequence
from types import EllipsisType
from typing import Any, Literal, get_args, overload

from sklearn import metrics as sklearn_metrics

from skmetrics_ext.catalogue import names
from skmetrics_ext.catalogue.averages import check_average
from skmetrics_ext.catalogue.choice import choose, sign_of
from skmetrics_ext.catalogue.own_metrics import PACKAGE, custom_metric
from skmetrics_ext.catalogue.rows import BY_NAME, METRICS, Metric
from skmetrics_ext.catalogue.undefined import ZeroDivision, check_replacement
from skmetrics_ext.curves.best import Bound
from skmetrics_ext.metrics.of_labels import function_of, options_of
from skmetrics_ext.reading.aliases import CostsLike, Label, LabelsLike, ThresholdsLike, Ties
from skmetrics_ext.reading.arguments import check_choice, check_flag
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.scoring.base import Scorer, given_options
from skmetrics_ext.scoring.confusion_scorer import ConfusionScorer
from skmetrics_ext.scoring.groups_of_scorer import GroupsOption, OverGroups
from skmetrics_ext.scoring.matrix_scorer import EvaluationIndexScorer
from skmetrics_ext.scoring.threshold_scorer import ThresholdScorer

# With these a scorer needs more than predicted labels.
READS_MORE = {"threshold", "classes", "cost_matrix", "by", "over_groups", "min_samples"}

ScorerGroup = Literal[
    "binary", "macro", "micro", "weighted", "samples", "worst", "overall", "dict", "scikit-learn"
]


def get_scorer_names(group: ScorerGroup | None = None) -> list[str]:
    """Names that `get_scorer` accepts without parameters: this package's, and those only
    scikit-learn has.

    Each metric has one name, with "neg_" where lower is better; one-vs-rest metrics also have the
    suffixes "_macro", "_micro", "_weighted", "_samples" and "_worst". Aliases ("npv", "neg_fpr")
    are understood but not listed.

    Parameters
    ----------
    group : str or None, default=None
        "binary": metrics of the positive class; "macro", "micro", "weighted", "samples" or "worst":
        these metrics with that average; "overall": metrics with a single value over all classes;
        "dict": scorers that return several values, for `cross_validate`; "scikit-learn": those only
        scikit-learn has. Each name is in one group. None: all of them.

    Returns
    -------
    list of str
        Sorted.

    Raises
    ------
    ValueError
        If there is no such group; the message lists them.

    See Also
    --------
    metrics_table : The metrics behind the names, as a data frame.
    describe : Describe one metric in words.

    Examples
    --------
    >>> from skmetrics_ext import get_scorer_names
    >>> [name for name in get_scorer_names() if name.startswith("f1")]
    ['f1', 'f1_macro', 'f1_micro', 'f1_samples', 'f1_weighted', 'f1_worst']
    >>> get_scorer_names("overall")[:3]
    ['accuracy', 'balanced_accuracy', 'bennett_s']
    >>> get_scorer_names("dict")
    ['evaluation_index']
    """
    groups = _names_by_group()
    if group is None:
        return sorted(name for of_group in groups.values() for name in of_group)
    check_choice(group, "group", tuple(groups))
    return sorted(groups[group])


def _names_by_group() -> dict[str, set[str]]:
    """The names of scorers, each in one group."""
    groups: dict[str, set[str]] = {group: set() for group in get_args(ScorerGroup)}
    groups["dict"].add("evaluation_index")
    for row in METRICS:
        if row.required:
            continue
        for average in ("binary", *names.suffixes_of(row)) if row.has_average else ("overall",):
            groups[average].add(names.scorer_name(row, average, negated=bool(row.scorer_prefix)))
    groups["scikit-learn"] = set(sklearn_metrics.get_scorer_names()).difference(*groups.values())
    return groups


@overload
def get_scorer(
    scoring: Literal["evaluation_index"], **options: Any
) -> Scorer[dict[str, float]]: ...
@overload
def get_scorer(scoring: ConfusionScorer) -> ConfusionScorer: ...
@overload
def get_scorer(
    scoring: str | Callable[..., Any], *, threshold: Literal["best"], **options: Any
) -> ThresholdScorer: ...
@overload
def get_scorer(
    scoring: str | Callable[..., Any], *, by: GroupsOption, **options: Any
) -> ConfusionScorer: ...
@overload
def get_scorer(
    scoring: str | Callable[..., Any], *, over_groups: OverGroups, **options: Any
) -> ConfusionScorer: ...
@overload
def get_scorer(
    scoring: str | Callable[..., Any], *, min_samples: int, **options: Any
) -> ConfusionScorer: ...
@overload
def get_scorer(scoring: str | Callable[..., Any], **options: Any) -> Scorer[float]: ...
def get_scorer(
    scoring: str | Callable[..., Any],
    *,
    average: str | EllipsisType = ...,
    pos_label: Label | EllipsisType | None = ...,
    labels: LabelsLike | None = None,
    zero_division: ZeroDivision = "warn",
    response_method: str | Sequence[str] | None = None,
    threshold: ThresholdsLike | None = None,
    subject_to: Mapping[Any, Bound] | None = None,
    ties: Ties = "positive",
    classes: LabelsLike | None = None,
    cost_matrix: CostsLike | None = None,
    greater_is_better: bool | None = None,
    by: GroupsOption | None = None,
    over_groups: OverGroups | None = None,
    min_samples: int = 0,
    **parameters: Any,
) -> Any:
    """Return a scorer by name, with options: `get_scorer("specificity", threshold=0.3)`.

    Parameters
    ----------
    scoring : str or callable
        A name from `get_scorer_names` or an alias, case-insensitive; metrics where lower is better
        take the prefix "neg_". One of this package's metric functions gives its scorer, and so does
        a custom function of a ConfusionMatrix; any other callable is assumed to be a scorer and
        returned unchanged.
    average, pos_label, labels, zero_division
        As in the metric function, with the same defaults.
    response_method, ties, classes, cost_matrix, greater_is_better
        As in `make_scorer`.
    threshold : float, array-like, dict or "best", default=None
        As in `labels_from_scores`; or "best": the best value over all thresholds of the scores of
        `pos_label`, which compares models at their respective best thresholds.
    subject_to : dict of metric to bound, default=None
        Bounds for the best threshold as in `ThresholdCurve.best`, for values before negation:
        `{"recall": 0.9}`, `{"false_positive_rate": 0.1}`, `{"predicted_positive_rate": (0, 0.1)}`.
    by, over_groups, min_samples
        A group column of X; the score is then that of the worst group, see `make_scorer`.
    **parameters
        Parameters of the metric, such as `beta`.

    Returns
    -------
    callable
        `scorer(estimator, X, y)` -> float, higher is better. "evaluation_index" gives the dict of
        that function, whose values are not negated, for `cross_validate`. With `threshold="best"` a
        ThresholdScorer: it uses predict_proba, else decision_function, else the scores that predict
        returns, and where no threshold satisfies the bounds it raises the ValueError of
        `ThresholdCurve.best`, which a search turns into its `error_score`.

    Raises
    ------
    ValueError
        If the name is unknown (the message suggests similar ones), a "neg_" prefix is missing or
        wrong, or an option is invalid.
    TypeError
        If a parameter is missing or unknown.

    Notes
    -----
    The best threshold is chosen on the fold being scored, so the value is optimistic: for
    uninformative scores the best informedness is about 0.6 sqrt(1 / n_positive + 1 / n_negative)
    instead of 0, which is 0.11 with 50 samples of each class and 0.04 with 500. To choose the
    threshold that a model will use, and for an unbiased value, wrap the model in scikit-learn's
    TunedThresholdClassifierCV. Its `pos_label` must be given unless the labels are {0, 1}, {-1, 1}
    or {False, True}, where it is 1.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from skmetrics_ext import get_scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = LogisticRegression(max_iter=10_000).fit(X, y)
    >>> get_scorer("specificity")(model, X, y) > 0.9
    True
    >>> get_scorer("neg_fpr", threshold=0.9)(model, X, y) > -0.1
    True
    >>> get_scorer("evaluation_index")(model, X, y)["specificity_1"] > 0.9
    True
    >>> get_scorer("precision", threshold="best", subject_to={"recall": 0.95})(model, X, y) > 0.9
    True
    """
    options = given_options(get_scorer, locals())
    if (best := _at_best_threshold(scoring, options)) is not None:
        return best
    if not isinstance(scoring, str):
        if names.row_of(scoring) is not None or custom_metric(scoring) is not None:
            return _made_of(scoring, options)
        _refuse_what_is_no_metric(scoring)
        if options:
            raise ValueError(
                f"options need a name or one of this package's metrics; {scoring!r} is neither."
            )
        return scoring
    if scoring.lower() == "evaluation_index":
        return EvaluationIndexScorer(**options)
    try:
        names.resolve(scoring.lower().removeprefix("neg_"))
    except ValueError:
        return _sklearn_scorer(scoring, options)
    row, named = names.resolve_scorer(scoring)
    if row.has_average and named is not None:
        if options.get("average", named) != named:
            raise ValueError(
                f"{scoring!r} already has an average; average={average!r} contradicts it."
            )
        options["average"] = named
    return _made_of(function_of(row), options)


@overload
def make_scorer(
    score_func: Callable[..., Any], *, threshold: Literal["best"], **options: Any
) -> ThresholdScorer: ...
@overload
def make_scorer(
    score_func: Callable[..., Any], *, by: GroupsOption, **options: Any
) -> ConfusionScorer: ...
@overload
def make_scorer(
    score_func: Callable[..., Any], *, over_groups: OverGroups, **options: Any
) -> ConfusionScorer: ...
@overload
def make_scorer(
    score_func: Callable[..., Any], *, min_samples: int, **options: Any
) -> ConfusionScorer: ...
@overload
def make_scorer(score_func: Callable[..., Any], **options: Any) -> Scorer[float]: ...
def make_scorer(
    score_func: Callable[..., Any],
    *,
    average: str | EllipsisType = ...,
    pos_label: Label | EllipsisType | None = ...,
    labels: LabelsLike | None = None,
    zero_division: ZeroDivision = "warn",
    response_method: str | Sequence[str] | None = None,
    threshold: ThresholdsLike | None = None,
    subject_to: Mapping[Any, Bound] | None = None,
    ties: Ties = "positive",
    classes: LabelsLike | None = None,
    cost_matrix: CostsLike | None = None,
    greater_is_better: bool | None = None,
    by: GroupsOption | None = None,
    over_groups: OverGroups | None = None,
    min_samples: int = 0,
    **parameters: Any,
) -> Scorer[float]:
    """Make a scorer from a metric function; with a threshold, classes or costs, one that uses the
    model's scores.

    Parameters
    ----------
    score_func : callable
        One of this package's metrics, or a custom one as in `ConfusionMatrix.score`. Any other
        function is passed to `sklearn.metrics.make_scorer` unchanged.
    average, pos_label, labels, zero_division
        As in the metric function, with the same defaults.
    response_method : str or sequence of str, default=None
        Estimator method to call. None: predict, or whatever a threshold or costs require.
    threshold, ties, classes, cost_matrix
        How scores are converted to labels; see `labels_from_scores`. A single threshold applies to
        `pos_label`. 1-D scores from a model belong to its second class, whichever class is
        positive; a model without `classes_` needs `classes` if the first class is to be positive.
        For `expected_cost`, `cost_matrix` holds the costs that the metric averages: labelled, or in
        the order of `labels`, else of `classes`, else of an ordered categorical or of numbers; a
        model's `classes_` imply no order. Without `cost_matrix`, costs are passed in each call,
        including per-sample costs: `set_score_request(cost_matrix=True)` with metadata routing.
        "best" is the threshold at which the metric is best, see `get_scorer`.
    subject_to : dict of metric to bound, default=None
        Bounds for the best threshold as in `ThresholdCurve.best`, for values before negation:
        `{"recall": 0.9}`, `{"false_positive_rate": 0.1}`, `{"predicted_positive_rate": (0, 0.1)}`.
    by, over_groups, min_samples
        Group column, whether the worst group or the gap is scored, and the minimum group size; see
        `ConfusionScorer`; each of them makes the result a ConfusionScorer. Without `by`, groups are
        passed in each call.
    greater_is_better : bool, default=None
        None: as defined in the metric catalogue; True for other functions.
    **parameters
        Parameters of the metric, such as `beta`.

    Returns
    -------
    callable
        A scikit-learn scorer where the estimator's `predict` returns the labels; otherwise, for
        costs without `labels`, for groups and for custom metrics, a `ConfusionScorer`. Metrics that
        are better when lower are negated.

    Raises
    ------
    ValueError, TypeError
        If a parameter is unknown, missing or out of range: scikit-learn would turn an error
        during a search into NaN.

    Examples
    --------
    >>> from skmetrics_ext import fbeta_score, make_scorer
    >>> make_scorer(fbeta_score, beta=2, average="macro")
    make_scorer(fbeta_score, response_method='predict', average=macro, beta=2, pos_label=None)
    >>> make_scorer(fbeta_score, beta=2, threshold=0.3)
    ConfusionScorer('fbeta', average='binary', threshold=0.3, pos_label=1, beta=2)
    """
    options = given_options(make_scorer, locals())
    return _at_best_threshold(score_func, options) or _made_of(score_func, options)


# Options of the scorer; the others are its metric's.
OF_METRIC = ("score_func", "average", "labels", "zero_division", "parameters")
ADAPTER_OPTIONS = [
    name for name in inspect.signature(make_scorer).parameters if name not in OF_METRIC
]


def _at_best_threshold(
    metric: str | Callable[..., Any], options: dict[str, Any]
) -> ThresholdScorer | None:
    """The scorer of the value at the best threshold, if requested."""
    threshold = options.get("threshold")
    if not (isinstance(threshold, str) and threshold == "best"):
        if "subject_to" in options:
            raise ValueError(
                "subject_to= constrains the threshold chosen by threshold='best': pass both."
            )
        return None
    taken = {"threshold", "subject_to", "pos_label", "cost_matrix"}
    if refused := [name for name in ADAPTER_OPTIONS if name in options and name not in taken]:
        raise ValueError(
            f"threshold='best' finds the labels from the scores itself: leave {refused[0]}= out."
        )
    return ThresholdScorer(
        metric, **{name: value for name, value in options.items() if name != "threshold"}
    )


def _made_of(score_func: Callable[..., Any], options: dict[str, Any]) -> Scorer[float]:
    """The scorer of a function with the given options."""
    if (greater_is_better := options.get("greater_is_better")) is not None:
        check_flag(greater_is_better, "greater_is_better")
    if custom_metric(score_func) is not None:
        return ConfusionScorer(score_func, **options)
    row = names.row_of(score_func)
    threshold = options.get("threshold")
    if row is None:
        _refuse_what_is_no_metric(score_func)
        if READS_MORE & options.keys():
            raise ValueError(
                "threshold=, classes=, cost_matrix= and by= need a metric of this package; "
                f"{score_func!r} is not one."
            )
        better = greater_is_better is not False
        options = {"response_method": "predict", **options, "greater_is_better": better}
        name = getattr(score_func, "__name__", type(score_func).__name__)
        return _with_name(
            sklearn_metrics.make_scorer(score_func, **options), name if better else f"neg_{name}"
        )
    # The function with all options, unlike sensitivity_score.
    score_func = function_of(row)
    of_metric = {"pos_label", *row.parameters}
    kwargs = {
        name: value
        for name, value in options.items()
        if name in of_metric or name not in ADAPTER_OPTIONS
    }
    # Costs that the metric averages do not choose the labels: these come from the model.
    of_scorer = {name: value for name, value in options.items() if name not in kwargs}
    if "average" in options_of(row) and _average_of(row, kwargs) != "binary":
        # The functions' own defaults may be passed too; for scores, pos_label is the class of a
        # threshold.
        defaults: list[tuple[str, Any]] = [] if row.has_average else [("average", "multiclass")]
        defaults += [("pos_label", 1)] if threshold is None else []
        kwargs = {name: value for name, value in kwargs.items() if (name, value) not in defaults}
    sign = sign_of(row, greater_is_better)
    # For scores, pos_label is the class that a single threshold applies to, whatever is averaged.
    _check_options(
        row,
        {name: value for name, value in kwargs.items() if threshold is None or name != "pos_label"},
    )
    # An array of costs is for all classes of the model, which a scorer of labels would not see.
    adapted = READS_MORE & of_scorer.keys() or ("cost_matrix" in kwargs and "labels" not in kwargs)
    if adapted or of_scorer.get("response_method", "predict") != "predict":
        return ConfusionScorer(score_func, **of_scorer, **{**_defaults_of(row, kwargs), **kwargs})
    if (ties := options.get("ties", "positive")) != "positive":
        raise ValueError(f"ties={ties!r} needs scores: also pass a threshold or a response_method.")
    if "pos_label" in options_of(row) and _average_of(row, kwargs) != "binary":
        # scikit-learn reads pos_label from the signature and demands it among the classes.
        kwargs = {**kwargs, "pos_label": None}
    # Copies, since arrays of the caller may change.
    scorer = sklearn_metrics.make_scorer(
        score_func, greater_is_better=sign > 0, **copy.deepcopy(kwargs)
    )
    return _with_name(scorer, names.scorer_name(row, _average_of(row, kwargs), negated=sign < 0))


def _with_name(scorer: Any, name: str) -> Scorer[float]:
    """A scikit-learn scorer with a `__name__`, which learning curves show."""
    scorer.__name__ = name
    named: Scorer[float] = scorer
    return named


def _defaults_of(row: Metric, options: dict[str, Any]) -> dict[str, Any]:
    """The function's defaults where a ConfusionScorer would go by the classes."""
    if not row.has_average:
        return {}
    return {
        "average": "binary",
        **({"pos_label": 1} if _average_of(row, options) == "binary" else {}),
    }


def _sklearn_scorer(name: str, params: dict[str, Any]) -> Scorer[float]:
    """A scorer that only scikit-learn has."""
    known = name.lower()
    if known not in sklearn_metrics.get_scorer_names():
        aliases = [row.scorer_prefix + alias for alias, row in BY_NAME.items()]
        hint = names.hint_for(known, "scorer", [*get_scorer_names(), *aliases])
        raise ValueError(f"{name!r} is not a scorer.{hint} get_scorer_names() lists all.")
    if params:
        raise ValueError(
            f"{name!r} is a scikit-learn scorer, which takes no keyword options; got "
            f"{sorted(params)}."
        )
    return _with_name(sklearn_metrics.get_scorer(known), known)


def _refuse_what_is_no_metric(function: Any) -> None:
    """Reject functions that cannot be scorers, such as a confusion matrix."""
    if not callable(function):
        raise TypeError(
            "a scorer is of one name (get_scorer) or function, a ConfusionScorer of several; got "
            f"{function!r}."
        )
    if getattr(function, "__module__", "").startswith(PACKAGE) and inspect.isfunction(function):
        raise ValueError(
            f"{function.__name__} does not return a single number that a search could compare."
        )


def _average_of(row: Metric, options: dict[str, Any]) -> Any:
    """The average in force, if any: the one given, or the function's own."""
    own = inspect.signature(function_of(row)).parameters.get("average")
    return options.get("average", own and own.default)


def _check_options(row: Metric, options: dict[str, Any]) -> None:
    """Reject options that the metric would reject, before a search turns the error into NaN."""
    if unknown := [name for name in options if name not in options_of(row)]:
        known = [option for option in (*options_of(row), *ADAPTER_OPTIONS) if option != unknown[0]]
        raise TypeError(
            f"{row.function} has no parameter "
            f"{unknown[0]!r}.{names.option_hint(unknown[0], known)} It has "
            f"{list(options_of(row))}, and the scorer options are {list(ADAPTER_OPTIONS)}."
        )
    own = {name: options[name] for name in row.parameters if name in options}
    average = _average_of(row, options)
    # Costs that are not given may be per sample, passed in each call.
    if own or row.required != ["cost_matrix"]:
        zero_division = options.get("zero_division", "warn")
        choose(
            row, average=average if row.has_average else "auto", zero_division=zero_division, **own
        )
    if "average" in options_of(row):
        if average is None:
            raise ValueError(
                "a scorer returns one number, but average=None gives one per class: choose another."
            )
        if not row.has_average and average != "multiclass":
            check_average(average)
        if average != "binary" and options.get("pos_label") is not None:
            raise ValueError(
                f"pos_label={options['pos_label']!r} is only for average='binary', not for "
                f"{average!r}."
            )
    if options.get("labels") is not None:
        read_order(options["labels"])
    if "replace_undefined_by" in options:
        check_replacement(options["replace_undefined_by"])
